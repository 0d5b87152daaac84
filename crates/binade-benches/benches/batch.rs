//! Throughput of `binade eval --batch` in lines a second, including parsing and printing.

use binade_cli::batch::Evaluator;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn batch(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("batch");
    for (name, head, operands, width) in [
        ("add e4m3", "add float8_e4m3fnuz float8_e4m3fnuz nearest_even overflow", 2_u64, 8),
        ("fma bf16", "fma bf16 bf16 nearest_even overflow", 3, 16),
        ("divide f32", "divide f32 f32 nearest_even overflow", 2, 32),
        ("exp bf16", "exp bf16 bf16 nearest_even overflow", 1, 16),
        ("convert stochastic", "convert f32 cfloat8_1_4_3@bias=7 stochastic max", 1, 32),
    ] {
        let lines: Vec<String> = (0..4096)
            .map(|line| {
                let code = |i| binade::philox::word(1, line * operands + i) >> (32 - width);
                (0..operands).fold(head.to_owned(), |text, i| format!("{text} {:#x}", code(i)))
            })
            .collect();
        group.throughput(Throughput::Elements(lines.len() as u64));
        group.bench_function(name, |bencher| {
            let mut evaluator = Evaluator::default();
            let mut answers = Vec::with_capacity(1 << 18);
            bencher.iter(|| {
                answers.clear();
                for (index, line) in lines.iter().enumerate() {
                    assert!(evaluator.line(line.as_bytes(), index as u64, &mut answers));
                    answers.push(b'\n');
                }
                answers.len()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, batch);
criterion_main!(benches);
