//! Scalar operations on 8-bit formats chosen at run time, compared with rustc_apfloat in the same run: `cargo bench -p
//! binade-benches --bench scalar`.
#![allow(missing_docs, reason = "criterion's macros")]

use std::hint::black_box;

use binade::{Datum, Format, Projection, Rounded, Spec, ops, philox};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rustc_apfloat::ieee::{Float8E4M3FN, Float8E5M2, Half};
use rustc_apfloat::{Float, FloatConvert, Round};

const COUNT: u64 = 4096;

/// Random codes, with specials as often as the format has them.
fn codes(format: Format, seed: u64) -> Vec<u8> {
    (0..COUNT).map(|i| (philox::word(seed, i) as u64 & format.last_code()) as u8).collect()
}

fn format(name: &str) -> Format {
    name.parse::<Spec>().unwrap().format
}

/// Applies an operation to three arrays of codes, element by element, and uses each result.
fn binade(
    c: &mut Criterion,
    group: &str,
    name: &str,
    operation: impl Fn(Datum, Datum, Datum, Format, Projection) -> Rounded,
) {
    let f = format(name);
    let [x, y, z] = [1, 2, 3].map(|seed| codes(f, seed));
    let mut group = c.benchmark_group(group);
    group.throughput(Throughput::Elements(COUNT));
    group.bench_function(BenchmarkId::new("binade", name), |b| {
        b.iter(|| {
            let (f, how) = (black_box(f), black_box(Projection::default()));
            let datum = |code: u8| Datum::new(f, code as u64).unwrap();
            x.iter().zip(&y).zip(&z).fold(0, |used, ((&x, &y), &z)| {
                let result = operation(datum(x), datum(y), datum(z), f, how);
                used ^ result.code ^ result.flags.bits() as u64
            })
        });
    });
    group.finish();
}

fn apfloat<F: Float>(c: &mut Criterion, group: &str, name: &str, operation: impl Fn(F, F, F) -> u128) {
    let [x, y, z] = [1, 2, 3].map(|seed| codes(format(name), seed));
    let mut group = c.benchmark_group(group);
    group.throughput(Throughput::Elements(COUNT));
    group.bench_function(BenchmarkId::new("rustc_apfloat", name), |b| {
        b.iter(|| {
            let number = |code: u8| F::from_bits(code as u128);
            let (x, y, z) = (black_box(&x), black_box(&y), black_box(&z));
            x.iter()
                .zip(y)
                .zip(z)
                .fold(0, |used, ((&x, &y), &z)| used ^ operation(number(x), number(y), number(z)))
        });
    });
    group.finish();
}

const EVEN: Round = Round::NearestTiesToEven;

/// The peer has a type for each of its formats, and none for the others.
macro_rules! peer {
    ($criterion:ident, $group:literal, $name:ident, $operation:expr) => {
        match $name {
            "float8_e4m3fn" => apfloat::<Float8E4M3FN>($criterion, $group, $name, $operation),
            "float8_e5m2" => apfloat::<Float8E5M2>($criterion, $group, $name, $operation),
            _ => {}
        }
    };
}

/// Every operation on every format, the peer's directly after ours.
fn scalar(c: &mut Criterion) {
    let f16 = format("f16");
    for name in ["float8_e4m3fn", "float8_e5m2", "binary8p4", "cfloat8_1_4_3@bias=7"] {
        binade(c, "add", name, |x, y, _, f, how| ops::add(x, y, f, how));
        peer!(c, "add", name, |x, y, _| x.add_r(y, EVEN).value.to_bits());
        binade(c, "multiply", name, |x, y, _, f, how| ops::multiply(x, y, f, how));
        peer!(c, "multiply", name, |x, y, _| x.mul_r(y, EVEN).value.to_bits());
        binade(c, "divide", name, |x, y, _, f, how| ops::divide(x, y, f, how));
        peer!(c, "divide", name, |x, y, _| x.div_r(y, EVEN).value.to_bits());
        binade(c, "fma", name, ops::fma);
        peer!(c, "fma", name, |x, y, z| x.mul_add_r(y, z, EVEN).value.to_bits());
        binade(c, "convert to f16", name, |x, _, _, _, how| ops::convert(x, f16, how));
        peer!(c, "convert to f16", name, |x, _, _| {
            FloatConvert::<Half>::convert_r(x, EVEN, &mut false).value.to_bits()
        });
    }
}

criterion_group!(benches, scalar);
criterion_main!(benches);
