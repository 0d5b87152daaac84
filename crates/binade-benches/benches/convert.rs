//! Throughput of conversion, with criterion's statistics: `cargo bench -p binade-benches --bench convert`. For ratios
//! to the machine's floors in one run see `ratios` of binade-kernels.

use binade::{Format, Rounding, Saturation, Spec, Stochastic};
use binade_kernels::{Decoder, Encoder, Rounder, floors};
use binade_simd::Isa;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const IN_L2: usize = 32 << 10;
const IN_MEMORY: usize = 16 << 20;

fn format(name: &str) -> Format {
    name.parse::<Spec>().unwrap_or_else(|error| panic!("{error}")).format
}

/// Values over forty binades about 1, of both signs.
fn values(count: usize) -> Vec<f32> {
    let word = |i: usize| (i as u32).wrapping_mul(0x9e37_79b9);
    (0..count)
        .map(|i| f32::from_bits((word(i) & 0x807f_ffff) | ((107 + ((word(i) >> 8) & 31)) << 23)))
        .collect()
}

fn encode(criterion: &mut Criterion) {
    let stochastic = Rounding::Stochastic { variant: Stochastic::A, bits: 32, random: 0 };
    for (place, count) in [("L2", IN_L2), ("memory", IN_MEMORY)] {
        let mut group = criterion.benchmark_group(format!("encode f32, {place}"));
        group.throughput(Throughput::Elements(count as u64));
        let (source, mut codes) = (values(count), vec![1u8; count]);
        group.bench_function("floor", |b| b.iter(|| floors::pack(Isa::detect(), &source, &mut codes, false)));
        for name in ["float8_e4m3fn", "float8_e4m3fnuz", "binary8p3", "cfloat8_1_4_3@bias=7"] {
            for rounding in [Rounding::NearestEven, Rounding::TowardPositive, stochastic] {
                let encoder = Encoder::new(format(name), rounding, Saturation::Overflow).unwrap();
                group.bench_function(format!("{name} {}", rounding.name()), |b| {
                    b.iter(|| encoder.encode_f32(&source, &mut codes).unwrap());
                });
            }
        }
        let rounder =
            Rounder::new(format("float8_e4m3fn"), Rounding::NearestEven, Saturation::Overflow).unwrap();
        let mut values = source.clone();
        group.bench_function("float8_e4m3fn in place", |b| b.iter(|| rounder.round_in_place(&mut values)));
        group.finish();
    }
}

fn decode(criterion: &mut Criterion) {
    for (place, count) in [("L2", IN_L2), ("memory", IN_MEMORY)] {
        let mut group = criterion.benchmark_group(format!("decode to f32, {place}"));
        group.throughput(Throughput::Elements(count as u64));
        let codes: Vec<u8> = (0..count).map(|i| (i * 37) as u8).collect();
        let words: Vec<u16> = (0..count).map(|i| (i * 31) as u16).collect();
        let mut values = vec![1f32; count];
        group.bench_function("floor", |b| {
            b.iter(|| floors::unpack(Isa::detect(), &codes, &mut values, count > IN_L2))
        });
        for name in ["float8_e4m3fn", "cfloat8_1_4_3@bias=7"] {
            let decoder = Decoder::new(format(name)).unwrap();
            group.bench_function(name, |b| b.iter(|| decoder.decode_f32(&codes, &mut values).unwrap()));
        }
        for name in ["bf16", "shp@bias=31"] {
            let decoder = Decoder::new(format(name)).unwrap();
            group.bench_function(name, |b| b.iter(|| decoder.decode_f32(&words, &mut values).unwrap()));
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = encode, decode
}
criterion_main!(benches);
