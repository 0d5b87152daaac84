//! Elements to codes.
//!
//! Elements are widened to binary64, which is exact. An unscaled element is projected as it is. For a scaled one the
//! exact quotient x / s is projected; where x has at most 24 bits, the quotient rounded to binary64 does as well. Rounding
//! compares with points T of at most P + 1 bits. If s has q bits and q + P + 1 ≤ 53, then s · T and x are both multiples of
//! 2^(e−52), where e is the exponent of s · T and x is near it. So if x ≠ s · T, they differ by at least 2^(e−52), which is
//! more than half a unit in the last place of x / s, and x / s is rounded to neither T nor past it: the rounded
//! quotient is below, at or above T exactly as the exact one is.

use binade::{Flags, Format, Projection, Rounding, Saturation, Value, decode, ops, philox, project};

use super::RoundingChoice;
use crate::cells::Table;
use crate::values::{F32, F64, datum, to_f64};

/// One format and projection, as a table where that is possible.
pub(super) struct Encoder {
    pub(super) format: Format,
    rounding: RoundingChoice,
    saturation: Saturation,
    table: Option<Table>,
}

/// The codes of elements and their values, scaled back.
pub(super) struct Encoded {
    pub(super) codes: Vec<u64>,
    pub(super) values: Vec<f64>,
}

impl Encoder {
    pub(super) fn new(format: Format, rounding: RoundingChoice, saturation: Saturation) -> Encoder {
        let table = rounding.fixed().and_then(|fixed| Table::new(format, Projection::new(fixed, saturation)));
        Encoder { format, rounding, saturation, table }
    }

    /// Appends what becomes of elements that share a scale. `narrow` says that the table decides quotients too: see the
    /// head of this module.
    pub(super) fn encode(
        &self,
        elements: &[f64],
        scale: f64,
        narrow: bool,
        first: u64,
        out: &mut Encoded,
        flags: &mut [u64; 32],
    ) {
        match &self.table {
            Some(table) if scale == 1.0 => {
                for &x in elements {
                    let outcome = table.look_up(x);
                    out.codes.push(outcome.code as u64);
                    out.values.push(outcome.value);
                    flags[(outcome.flags & 31) as usize] += 1;
                }
            }
            Some(table) if narrow => {
                for &x in elements {
                    // A NaN's sign need not survive a division.
                    let outcome = table.look_up(if x.is_nan() { x } else { x / scale });
                    out.codes.push(outcome.code as u64);
                    out.values.push(outcome.value * scale);
                    flags[(outcome.flags & 31) as usize] += 1;
                }
            }
            _ => {
                let mut random = Random::default();
                for (index, &x) in (first..).zip(elements) {
                    let rounding = match self.rounding {
                        RoundingChoice::Fixed(rounding) => rounding,
                        RoundingChoice::Stochastic { variant, bits, seed } => {
                            let bits = bits.clamp(1, 32);
                            Rounding::Stochastic {
                                variant,
                                bits,
                                random: random.word(seed, index) >> (32 - bits),
                            }
                        }
                    };
                    let how = Projection::new(rounding, self.saturation);
                    let rounded = if scale == 1.0 {
                        project(self.format, Value::from_f64(x), how)
                    } else {
                        ops::divide(datum(x), datum(scale), self.format, how)
                    };
                    out.codes.push(rounded.code);
                    out.values.push(to_f64(decode(self.format, rounded.code)) * scale);
                    let without_operands = rounded.flags.bits() & !Flags::DENORMAL.bits();
                    flags[without_operands as usize & 31] += 1;
                }
            }
        }
    }
}

impl Encoder {
    /// Replaces codes by those of the values in this format, the source's. A value times its scale may need rounding
    /// there, to nearest even, and what the scale takes past the largest value is clamped.
    pub(super) fn encode_back(&self, out: &mut Encoded) {
        out.codes.clear();
        let values = std::mem::take(&mut out.values);
        match self.format {
            F64 => out.codes.extend(values.iter().map(|x| x.to_bits())),
            F32 => out.codes.extend(values.iter().map(|&x| {
                let negative = (x.is_sign_negative() as u64) << 31;
                let narrow = match (x.abs() as f32).to_bits() {
                    _ if x.is_nan() => f32::NAN.to_bits(),
                    bits if x.is_finite() => bits.min(f32::MAX.to_bits()),
                    bits => bits,
                };
                negative | narrow as u64
            })),
            _ => self.encode(&values, 1.0, true, 0, out, &mut [0; 32]),
        }
    }
}

/// The last block of random words, for the three that follow its first.
#[derive(Default)]
struct Random {
    block: Option<(u64, [u32; 4])>,
}

impl Random {
    /// [`philox::word`].
    fn word(&mut self, seed: u64, index: u64) -> u32 {
        let number = index / 4;
        let words = match self.block {
            Some((known, words)) if known == number => words,
            _ => {
                let words = std::array::from_fn(|i| philox::word(seed, 4 * number + i as u64));
                self.block = Some((number, words));
                words
            }
        };
        words[(index % 4) as usize]
    }
}
