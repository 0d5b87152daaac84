//! Single stochastic steps: each random word chooses the neighbour that the definition says, in conversions, in quantizers and in
//! accumulators, on every instruction set.
//!
//! The oracle gives both neighbours and the number of words that choose the upper one. Here all words of up to 8 bits are tried.

use binade::{Finite, Projection, Rounding, Saturation, Spec, Stochastic, SumDraws, Value, philox, project};
use binade_fma::{Matrix, MatrixMut, Multiplier, Order, quantize};
use binade_kernels::Encoder;
use binade_simd::Isa;
use binade_testkit::dyadic::Dyadic;
use binade_testkit::format::{Decoded, Format};
use binade_testkit::generate::Generator;
use binade_testkit::round::{Between, Variant};

const FORMATS: [&str; 9] = [
    "float4_e2m1fn",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float8_e4m3fn",
    "float8_e5m2",
    "float8_e4m3fnuz",
    "binary8p3se",
    "binary8p1se",
    "cfloat8_1_4_3@bias=7",
];

const VARIANTS: [(Variant, Stochastic, &str); 3] = [
    (Variant::A, Stochastic::A, "stochastic_a"),
    (Variant::B, Stochastic::B, "stochastic_b"),
    (Variant::C, Stochastic::C, "stochastic_c"),
];

/// Numbers between each two neighbours of a format, at and beside thresholds of words with up to 8 bits. Every one is a binary32
/// number.
fn between(format: &Format, of_a_pair: usize, random: &mut Generator) -> Vec<Dyadic> {
    let near = [1, 7, 8, 9, 15, 16, 17, 2047, 2048, 2049, 2056, 4087, 4088, 4095];
    let mut numbers = vec![];
    for index in 0..format.finite_count() - 1 {
        let (lower, upper) = (format.rung(index).1, format.rung(index + 1).1);
        for _ in 0..of_a_pair {
            let share = if random.one_in(2) { *random.pick(&near) } else { 1 + random.below(4095) };
            numbers.push(&lower + &(&(&upper - &lower) * &Dyadic::new(share, -12)));
        }
    }
    numbers
}

/// The number as an exact value; it has at most 24 bits.
fn value(x: &Dyadic) -> Value {
    let exponent = x.log2_floor() - 30;
    let significand: u128 = x.fixed_floor(-exponent).try_into().unwrap();
    Value::Finite(Finite::new(false, significand, exponent))
}

fn single(x: &Dyadic) -> f32 {
    let rounded = project(binade::catalog::F32, value(x), Projection::default());
    assert!(rounded.flags == binade::Flags::NONE, "{x:?} is no binary32 number");
    f32::from_bits(rounded.code as u32)
}

fn number(format: &Format, code: u64) -> f32 {
    match format.decode(code) {
        Decoded::Finite { magnitude, .. } if magnitude.is_zero() => 0.0,
        Decoded::Finite { magnitude, .. } => single(&magnitude),
        other => panic!("{code:#x} is {other:?}"),
    }
}

#[test]
fn every_word_chooses_the_neighbour_of_the_definition() {
    let mut random = Generator::new(1);
    for name in FORMATS {
        let (format, ours) = (Format::named(name).unwrap(), name.parse::<Spec>().unwrap().format);
        for x in between(&format, 4, &mut random) {
            let between = Between::new(&format, &x).unwrap();
            for (variant, stochastic, _) in VARIANTS {
                for bits in 1..=8 {
                    let words = 1u64 << bits;
                    let words_up = between.words_up(variant, bits);
                    let mut up = 0;
                    for r in 0..words {
                        let rounding = Rounding::Stochastic { variant: stochastic, bits, random: r as u32 };
                        let how = Projection::new(rounding, Saturation::Overflow);
                        let found = project(ours, value(&x), how).code;
                        let wanted = between.chosen(words_up, bits, r);
                        assert_eq!(found, wanted, "{name} {x:?} {variant:?} {bits} bits, word {r:#x}");
                        up += u64::from(found == between.upper);
                    }
                    // The probability by its formula.
                    assert_eq!(up, words_up, "{name} {x:?} {variant:?} {bits}");
                }
            }
        }
    }
}

/// Numbers of one format, few enough to be tried in bulk.
fn some(format: &Format, count: usize, random: &mut Generator) -> Vec<Dyadic> {
    let all = between(format, 1, random);
    (0..count).map(|_| random.pick(&all).clone()).collect()
}

/// 4096 elements take each of 256 words with a probability of 1 − 256·e^−16.
const ELEMENTS: usize = 4096;

#[test]
fn conversions_choose_by_the_word_of_an_element() {
    let mut random = Generator::new(2);
    for name in FORMATS.into_iter().chain(["bf16", "f16", "shp@bias=31"]) {
        let (format, ours) = (Format::named(name).unwrap(), name.parse::<Spec>().unwrap().format);
        let normal = |x: &Dyadic| x.log2_floor() > -120;
        let numbers: Vec<Dyadic> = match format.width {
            ..=8 => some(&format, 12, &mut random),
            _ => (0..4)
                .map(|_| {
                    let index = random.below(format.finite_count() - 1);
                    let (lower, upper) = (format.rung(index).1, format.rung(index + 1).1);
                    &lower + &(&(&upper - &lower) * &Dyadic::new(random.below(4095) + 1, -12))
                })
                .collect(),
        };
        for x in numbers.into_iter().filter(normal) {
            let between = Between::new(&format, &x).unwrap();
            let (seed, source) = (random.bits(), vec![single(&x); ELEMENTS]);
            for (variant, stochastic, _) in VARIANTS {
                let rounding = Rounding::Stochastic { variant: stochastic, bits: 8, random: 0 };
                let words_up = between.words_up(variant, 8);
                let mut seen = [false; 256];
                for (isa, threads) in Isa::available().zip((1..=3).cycle()) {
                    let encoder = Encoder::new(ours, rounding, Saturation::Overflow).unwrap();
                    let encoder = encoder.with_seed(seed).with_isa(isa).with_threads(threads);
                    let mut codes = vec![0u16; ELEMENTS];
                    encoder.encode_f32(&source, &mut codes[..]).unwrap();
                    for (at, &code) in codes.iter().enumerate() {
                        let r = philox::word(seed, at as u64) >> 24;
                        seen[r as usize] = true;
                        let wanted = between.chosen(words_up, 8, r.into());
                        assert_eq!(u64::from(code), wanted, "{name} {x:?} {variant:?} {isa:?}, word {r:#x}");
                    }
                }
                assert!(seen.iter().all(|seen| *seen));
            }
        }
    }
}

/// Elements of a block whose scale is 1: the first is the largest element, so that quotients are the numbers themselves.
#[test]
fn quantizers_choose_by_the_word_of_an_element() {
    let mut random = Generator::new(3);
    for (blocks, element, across) in [
        ("mxfp4", "float4_e2m1fn", 32),
        ("mxfp6_e2m3", "float6_e2m3fn", 32),
        ("mxfp8_e4m3", "float8_e4m3fn", 32),
        ("float8_e5m2/scale=row", "float8_e5m2", ELEMENTS),
        ("float6_e3m2fn", "float6_e3m2fn", 1),
    ] {
        let format = Format::named(element).unwrap();
        let largest = number(&format, format.largest());
        for x in some(&format, 6, &mut random) {
            let between = Between::new(&format, &x).unwrap();
            let ends = [number(&format, between.lower), number(&format, between.upper)];
            let seed = random.bits();
            let is_largest = |at: usize| across > 1 && at.is_multiple_of(across);
            let source: Vec<f32> =
                (0..ELEMENTS).map(|at| if is_largest(at) { largest } else { single(&x) }).collect();
            for (variant, _, mode) in VARIANTS {
                let quantizer = format!("{blocks}/rounding={mode}:8").parse().unwrap();
                let words_up = between.words_up(variant, 8);
                let found = quantize(&quantizer, &source, ELEMENTS, seed).unwrap();
                for (at, found) in found.into_iter().enumerate().filter(|(at, _)| !is_largest(*at)) {
                    let r = philox::word(seed, at as u64) >> 24;
                    let up = between.chosen(words_up, 8, r.into()) == between.upper;
                    assert_eq!(found, ends[usize::from(up)], "{blocks} {x:?} {variant:?}, word {r:#x}");
                }
            }
        }
    }
}

/// One multiply-add c + a·b for each element of a matrix, all of the same numbers.
#[test]
fn accumulators_choose_by_the_word_of_a_step() {
    let mut random = Generator::new(4);
    let (rows, columns) = (64, 64);
    for (operator, name) in [
        ("bf16:bf16", "bf16"),
        ("f32:f16", "f16"),
        ("float8_e4m3fn:float8_e4m3fn", "float8_e4m3fn"),
        ("float8_e5m2:binary8p3se", "binary8p3se"),
        ("bf16:float6_e2m3fn", "float6_e2m3fn"),
        ("bf16:shp@bias=31", "shp@bias=31"),
    ] {
        let format = Format::named(name).unwrap();
        let precision = u64::from(format.precision);
        for _ in 0..6 {
            // c is a number near 1, and a · b = 3 · 2^−e reaches at most one neighbour up.
            let e = precision as i64 + 1 + random.below(4) as i64;
            let c =
                &Dyadic::power(0) + &Dyadic::new(random.below(1 << (precision - 1)), 1 - precision as i64);
            let (a, b) = (Dyadic::new(3, -e / 2), Dyadic::power(-(e - e / 2)));
            let between = Between::new(&format, &(&c + &(&a * &b))).unwrap();
            let ends = [number(&format, between.lower), number(&format, between.upper)];
            let draws = SumDraws::new(random.bits());
            for (variant, _, mode) in VARIANTS {
                let parsed = format!("{operator}/rounding={mode}:8").parse().unwrap();
                let words_up = between.words_up(variant, 8);
                let multiplier = Multiplier::new(parsed, Order::Sequential).unwrap().with_draws(draws);
                let mut seen = [false; 256];
                for (isa, threads) in Isa::available().zip((1..=3).cycle()) {
                    let multiplier = multiplier.clone().with_isa(isa).with_threads(threads);
                    let mut found = vec![single(&c); rows * columns];
                    let (left, right) = (vec![single(&a); rows], vec![single(&b); columns]);
                    let (left, right) =
                        (Matrix::new(&left, rows, 1).unwrap(), Matrix::new(&right, 1, columns).unwrap());
                    let target = MatrixMut::new(&mut found, rows, columns).unwrap();
                    multiplier.multiply(left, right, target).unwrap();
                    for (at, found) in found.into_iter().enumerate() {
                        let r = draws.word((at / columns) as u64, (at % columns) as u64, 0) >> 24;
                        seen[r as usize] = true;
                        let up = between.chosen(words_up, 8, r.into()) == between.upper;
                        assert_eq!(
                            found,
                            ends[usize::from(up)],
                            "{operator} {c:?} {variant:?} {isa:?}, word {r:#x}"
                        );
                    }
                }
                assert!(seen.iter().all(|seen| *seen), "{operator}");
            }
        }
    }
}
