//! Throughput of arithmetic on slices of codes: `cargo bench -p binade-benches --bench codes`.

use binade::{Format, Operation, Projection, Spec};
use binade_kernels::codes::Arithmetic;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn format(name: &str) -> Format {
    name.parse::<Spec>().unwrap_or_else(|error| panic!("{error}")).format
}

fn arithmetic(criterion: &mut Criterion) {
    for (place, count) in [("L2", 64 << 10), ("memory", 64 << 20)] {
        let mut group = criterion.benchmark_group(format!("codes, {place}"));
        group.throughput(Throughput::Elements(count as u64));
        let x: Vec<u8> = (0..count).map(|i| (i * 37) as u8).collect();
        let y: Vec<u8> = (0..count).map(|i| (i * 91 + i / 256) as u8).collect();
        let mut result = vec![1u8; count];
        for (a, b, to) in [
            ("float8_e4m3fn", "float8_e4m3fn", "float8_e4m3fn"),
            ("float8_e4m3fn", "float8_e5m2", "binary8p3"),
            ("cfloat8_1_5_2@bias=20", "cfloat8_1_5_2@bias=20", "cfloat8_1_5_2@bias=20"),
        ] {
            for operation in [Operation::Add, Operation::Multiply, Operation::Divide, Operation::Minimum] {
                let made =
                    Arithmetic::new(operation, &[format(a), format(b)], format(to), Projection::default())
                        .unwrap();
                group.bench_function(format!("{} {a} {b} to {to}", operation.name()), |bench| {
                    bench.iter(|| made.apply(&[(&x).into(), (&y).into()], &mut result).unwrap());
                });
            }
        }
        let e4m3 = format("float8_e4m3fn");
        let exp = Arithmetic::new(Operation::Exp, &[e4m3], e4m3, Projection::default()).unwrap();
        group.bench_function("exp float8_e4m3fn", |b| {
            b.iter(|| exp.apply(&[(&x).into()], &mut result).unwrap())
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = arithmetic
}
criterion_main!(benches);
