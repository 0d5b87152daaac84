//! Stochastic rounding: unbiased, reproducible, and each variant by its formula.

mod common;

use binade::{Finite, Format, Projection, Rounding, Saturation, Stochastic, Value, decode, philox, project};
use common::format;

const VARIANTS: [Stochastic; 3] = [Stochastic::A, Stochastic::B, Stochastic::C];

const DRAWS: u64 = 1 << 20;

/// A value at the fraction ν between two neighbouring magnitude codes.
struct Position {
    format: Format,
    lower: u64,
    upper: u64,
    /// ν in units of 2^−20.
    numerator: u64,
}

impl Position {
    /// lower + ν (upper − lower), exactly; the code line continues past the largest finite value.
    fn value(&self) -> Value {
        let at = |code: u64| match decode(self.format, code) {
            Value::Finite(x) => x,
            other => panic!("{other:?} of {} is not a neighbour", self.format),
        };
        let (low, high) = if self.upper > self.format.max_finite_code() {
            // The step above the largest value equals the one below it.
            let (x, y) = (at(self.lower - 1), at(self.lower));
            assert_eq!(x.exponent, y.exponent);
            (y, Finite { significand: 2 * y.significand - x.significand, ..y })
        } else {
            (at(self.lower), at(self.upper))
        };
        let unit = low.exponent.min(high.exponent);
        let unit = if low.is_zero() { high.exponent } else { unit };
        let units = |x: Finite| if x.is_zero() { 0 } else { x.significand << (x.exponent - unit) };
        let (low, high) = (units(low), units(high));
        Value::Finite(Finite::new(false, (low << 20) + (high - low) * self.numerator as u128, unit - 20))
    }

    /// The number of draws that round up.
    fn ups(&self, variant: Stochastic, bits: u32, seed: u64) -> u64 {
        let value = self.value();
        let how = |index| Projection {
            rounding: Rounding::Stochastic { variant, bits, random: philox::word(seed, index) },
            saturation: Saturation::Overflow,
        };
        (0..DRAWS)
            .map(|index| {
                let code = project(self.format, value, how(index)).code;
                assert!(code == self.lower || code == self.upper, "{code:#x}");
                (code == self.upper) as u64
            })
            .sum()
    }
}

/// Positions where rounding is hard: inside a binade and across its end, in the subnormals, in the Tesla gap (whose
/// step is not a power of two), above a flushed zero, and at overflow.
fn positions() -> Vec<Position> {
    let places: [(&str, u64, u64); 12] = [
        ("binary8p4", 0x41, 0x42),
        ("binary8p4", 0x47, 0x48),
        ("binary8p4", 0x00, 0x01),
        ("binary8p4", 0x07, 0x08),
        ("binary8p4", 0x7e, 0x7f), // to infinity
        ("binary8p1", 0x40, 0x41),
        ("float8_e5m2", 0x7b, 0x7c), // to infinity
        ("cfloat8_1_4_3@bias=0", 0x07, 0x08),
        ("cfloat8_1_5_2@bias=20", 0x03, 0x04),
        ("shp@bias=63", 0x3ff, 0x400),
        ("uhp", 0, 0x400),
        ("bf16", 0x3f80, 0x3f81),
    ];
    // ν of a power of two, of few bits, of many, and near the ends.
    let fractions = [1 << 19, 5 << 17, 0x55555, 0x9a3c1, 1 << 10, (1 << 20) - (1 << 12)];
    places
        .into_iter()
        .enumerate()
        .map(|(i, (name, lower, upper))| Position {
            format: format(name),
            lower,
            upper,
            numerator: fractions[i % fractions.len()],
        })
        .collect()
}

/// The probability of rounding up is ν for B and C, to within 2^−(N+1), and ⌊ν 2^N⌋ 2^−N for A. So the count of 2^20
/// draws is within five standard errors of that.
#[test]
fn rounding_up_has_the_stated_probability() {
    for (seed, position) in positions().into_iter().enumerate() {
        for variant in VARIANTS {
            for bits in [32, 24, 20] {
                // ν has 20 bits, so none of the variants truncates.
                let probability = position.numerator as f64 / (1u64 << 20) as f64;
                let mean = position.ups(variant, bits, seed as u64) as f64 / DRAWS as f64;
                let error = (probability * (1.0 - probability) / DRAWS as f64).sqrt();
                assert!(
                    (mean - probability).abs() <= 5.0 * error,
                    "{} {:#x} {variant:?} {bits} bits: {mean} instead of {probability} ± {error}",
                    position.format,
                    position.lower
                );
            }
        }
    }
}

/// With few bits, all values of R: the number of those that round up is exactly that of the formula (P3109 4.0,
/// RoundToPrecision).
#[test]
fn variants_round_up_by_their_formula() {
    for position in positions() {
        for numerator in [0, 1, 0x0ffff, 0x10000, 0x18000, 0x28000, 0x55555, 0x80000, 0xfffff] {
            let position = Position { numerator, ..position };
            let value = position.value();
            for bits in 1..=8u32 {
                // ν 2^N, in units of 2^−20.
                let (whole, part) = ((numerator << bits) >> 20, (numerator << bits) & 0xfffff);
                let ups = |variant| {
                    (0..1u32 << bits)
                        .filter(|&random| {
                            let rounding = Rounding::Stochastic { variant, bits, random };
                            let how = Projection { rounding, saturation: Saturation::Overflow };
                            project(position.format, value, how).code == position.upper
                        })
                        .count() as u64
                };
                let nearest = match part.cmp(&0x80000) {
                    std::cmp::Ordering::Less => whole,
                    std::cmp::Ordering::Equal => whole + (whole & 1),
                    std::cmp::Ordering::Greater => whole + 1,
                };
                let context =
                    format!("{} {:#x} ν = {numerator:#x} N = {bits}", position.format, position.lower);
                assert_eq!(ups(Stochastic::A), whole, "A {context}");
                // ⌊ν 2^(N+1)⌋ + 2R + 1 ≥ 2^(N+1) counts the odd half as one more.
                assert_eq!(ups(Stochastic::B), whole + (part >= 0x80000) as u64, "B {context}");
                assert_eq!(ups(Stochastic::C), nearest, "C {context}");
            }
        }
    }
}

/// Bits above the N requested do not matter, and exact values never change.
#[test]
fn higher_random_bits_are_ignored() {
    for position in positions() {
        for random in (0..100).map(|index| philox::word(3, index)) {
            for variant in VARIANTS {
                let with = |bits, random| Projection {
                    rounding: Rounding::Stochastic { variant, bits, random },
                    saturation: Saturation::Overflow,
                };
                let value = position.value();
                let result = project(position.format, value, with(5, random));
                assert_eq!(result, project(position.format, value, with(5, random & 31)));
                let exact = decode(position.format, position.lower);
                assert_eq!(project(position.format, exact, with(5, random)).code, position.lower);
            }
        }
    }
}

/// A fair coin wherever the value is between its neighbours, by the highest of its random bits alone.
#[test]
fn random_rounds_up_half_of_the_time_at_any_distance() {
    for position in positions() {
        let ups = position.ups(Stochastic::Random, 32, 11);
        // Five standard deviations of DRAWS coins.
        let far = 5.0 * (DRAWS as f64).sqrt() / 2.0;
        let context = format!("{} ν = {:#x}: {ups} of {DRAWS}", position.format, position.numerator);
        assert!((ups as f64 - DRAWS as f64 / 2.0).abs() < far, "{context}");
        for bits in 1..=32 {
            let how = |random| Projection {
                rounding: Rounding::Stochastic { variant: Stochastic::Random, bits, random },
                saturation: Saturation::Overflow,
            };
            let code = |random| project(position.format, position.value(), how(random)).code;
            let half = 1 << (bits - 1);
            assert_eq!(
                [code(half - 1), code(half)],
                [position.lower, position.upper],
                "{context} N = {bits}"
            );
        }
        let exact = decode(position.format, position.lower);
        let up = Rounding::Stochastic { variant: Stochastic::Random, bits: 1, random: 1 };
        let how = Projection { rounding: up, saturation: Saturation::Overflow };
        assert_eq!(project(position.format, exact, how).code, position.lower, "{context}");
    }
}

/// TSL: "consistent and reproducible when the same seed is used". The words are those of Philox4x32-10, in order, so
/// these bits are the same in every implementation of it.
#[test]
fn draws_of_a_seed_are_philox_words() {
    let position =
        Position { format: format("cfloat8_1_4_3@bias=7"), lower: 0x28, upper: 0x29, numerator: 1 << 19 };
    let ups = |seed| {
        (0..64).map(|index| philox::word(seed, index) >> 31).fold(0u64, |bits, up| bits << 1 | up as u64)
    };
    let rounded = |seed| {
        (0..64).fold(0u64, |bits, index| {
            let rounding =
                Rounding::Stochastic { variant: Stochastic::A, bits: 32, random: philox::word(seed, index) };
            let how = Projection { rounding, saturation: Saturation::Overflow };
            bits << 1 | (project(position.format, position.value(), how).code & 1)
        })
    };
    for seed in [0, 1, u64::MAX] {
        // ν = ½: up iff R ≥ 2^31.
        assert_eq!(rounded(seed), ups(seed));
    }
    assert_ne!(rounded(0), rounded(1));
    // Random123's first block for a zero key and counter: 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
    assert_eq!(
        [0, 1, 2, 3].map(|index| philox::word(0, index)),
        [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]
    );
}
