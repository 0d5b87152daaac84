//! Rounding by table: the real line cut into cells on which a format's rounding is constant.
//!
//! Within the binade [2^E, 2^(E+1)) all that [`binade::project`] compares a value with, under a rounding mode without
//! random bits, are values of the format and midpoints of neighbouring ones. In normal binades these are multiples of
//! 2^(E−P), that is they have P fractional bits after the leading one; among subnormals, in the Tesla formats' gap (whose
//! midpoint is 2^(−bias) · (1.5 − 2^−P)), below the smallest normal of a flushing format and past the largest value they
//! are coarser. So a code and its flags are constant on each *cell*: a multiple of 2^(E−P) by itself, and the open
//! interval from it to the next. There is nothing to compare with below half the smallest value that any rule knows,
//! 2^(emin−P−1) in Tesla's, nor beyond twice the largest binade.
//!
//! A cell's code is found by projecting one of its values; the plain definition makes the table.

use binade::{Finite, Format, Projection, Rounding, Value, decode, project};

use crate::values::to_f64;

/// All bits of a binary64 but the sign.
pub(crate) const MAGNITUDE: u64 = u64::MAX >> 1;

/// The bits of +∞.
pub(crate) const INFINITY: u64 = 0x7ff << 52;

/// The binary64 significand's trailing bits that lie below a cell's own, for formats of a precision of at most 52.
pub(crate) const fn below(precision: u32) -> u32 {
    52 - precision
}

/// A value of the cell that starts at `significand` · 2^exponent (significand below 2^27): that start, or something
/// above it by less than one of its 2^100th.
pub(crate) fn representative(negative: bool, significand: u64, exponent: i64, interior: bool) -> Value {
    let significand = (significand as u128) << 100;
    Value::Finite(Finite { negative, significand, exponent: exponent - 100, sticky: interior })
}

/// What becomes of the values of a cell.
#[derive(Clone, Copy)]
pub(crate) struct Outcome {
    /// The code's value.
    pub(crate) value: f64,
    /// The code.
    pub(crate) code: u32,
    /// [`binade::Flags::bits`].
    pub(crate) flags: u8,
}

/// The outcomes of all cells of a format and a projection.
pub(crate) struct Table {
    /// [`below`] of the precision.
    shift: u32,
    /// The number of the cell pair before the lowest binade's first.
    low: u64,
    /// The last pair: all from twice the largest binade on.
    last: u64,
    /// Four a pair: start and interior, positive and negative each; then ±∞ and ±NaN.
    outcomes: Vec<Outcome>,
}

impl Table {
    /// The most outcomes that are worth a table: those of `f16` and `bf16` are.
    const LARGEST: u64 = 1 << 20;

    /// The largest precision with a table; what is proven of quotients in `quantize::encode` relies on it.
    pub(crate) const PRECISION: u32 = 24;

    /// The table, where the rounding has no random bits and the format is narrow enough.
    pub(crate) fn new(format: Format, how: Projection) -> Option<Table> {
        let precision = format.precision();
        if precision > Self::PRECISION || matches!(how.rounding, Rounding::Stochastic { .. }) {
            return None;
        }
        let (lowest, beyond) = (format.emin() - precision as i32 - 1, format.emax() + 1);
        if lowest < -1000 || beyond > 1000 {
            return None;
        }
        let binades = (beyond - lowest) as u64;
        if (binades << precision).checked_mul(4).is_none_or(|outcomes| outcomes > Self::LARGEST) {
            return None;
        }
        let outcome = |value| {
            let rounded = project(format, value, how);
            Outcome {
                value: to_f64(decode(format, rounded.code)),
                code: rounded.code as u32,
                flags: rounded.flags.bits(),
            }
        };
        // The first pair stands for zero and everything below the lowest binade.
        let mut outcomes = vec![
            outcome(Value::Finite(Finite::zero(false))),
            outcome(Value::Finite(Finite::zero(true))),
            outcome(representative(false, 1, lowest as i64 - 1, true)),
            outcome(representative(true, 1, lowest as i64 - 1, true)),
        ];
        let pairs = (binades << precision) + 1;
        for pair in 0..pairs {
            let (binade, fraction) = (pair >> precision, pair & ((1 << precision) - 1));
            let exponent = lowest as i64 + binade as i64 - precision as i64;
            for (interior, negative) in [(false, false), (false, true), (true, false), (true, true)] {
                outcomes.push(outcome(representative(
                    negative,
                    fraction | 1 << precision,
                    exponent,
                    interior,
                )));
            }
        }
        for negative in [false, true] {
            outcomes.push(outcome(Value::Infinite { negative }));
        }
        for negative in [false, true] {
            outcomes.push(outcome(Value::Nan { negative }));
        }
        let low = (((lowest + 1023) as u64) << precision) - 1;
        Some(Table { shift: below(precision), low, last: pairs, outcomes })
    }

    /// What becomes of x.
    #[inline]
    pub(crate) fn look_up(&self, x: f64) -> Outcome {
        let (magnitude, negative) = (x.to_bits() & MAGNITUDE, x.to_bits() >> 63);
        if magnitude >= INFINITY {
            let nan = (magnitude > INFINITY) as u64;
            return self.outcomes[(((self.last + 1) << 2) + (nan << 1) + negative) as usize];
        }
        let pair = (magnitude >> self.shift).saturating_sub(self.low).min(self.last);
        let rest = if pair == 0 { magnitude } else { magnitude & ((1 << self.shift) - 1) };
        self.outcomes[((pair << 2) | ((rest != 0) as u64) << 1 | negative) as usize]
    }
}

#[cfg(test)]
mod tests {
    use binade::{Saturation, Spec, philox};

    use super::*;

    /// Values near everything that rounding looks at: codes and midpoints of neighbours, and a little beside them.
    fn probes(format: Format) -> Vec<f64> {
        let mut points: Vec<f64> =
            (0..=format.max_finite_code()).map(|code| to_f64(decode(format, code))).collect();
        points.push(2.0 * points[points.len() - 1]);
        let middles: Vec<f64> = points.windows(2).map(|pair| pair[0] / 2.0 + pair[1] / 2.0).collect();
        points.extend(middles);
        points.extend([f64::NAN, f64::INFINITY, f64::MAX, f64::MIN_POSITIVE, 5e-324]);
        let mut probes: Vec<f64> = points.iter().flat_map(|&x| [x, x.next_up(), x.next_down()]).collect();
        probes.extend((0..2000).map(|i| {
            let word = (philox::word(1, 2 * i) as u64) << 32 | philox::word(1, 2 * i + 1) as u64;
            // Exponents from −40 to 40.
            f64::from_bits((word & ((1 << 52) - 1)) | (983 + (word >> 52) % 80) << 52)
        }));
        let negative: Vec<f64> = probes.iter().map(|x| -x).collect();
        probes.extend(negative);
        probes
    }

    #[test]
    fn tables_are_the_definition() {
        let mut tested = 0;
        for spec in Spec::all(9).chain(Spec::all(63)).filter(|spec| spec.format.width() <= 9) {
            let Some(plain) = Table::new(spec.format, Projection::default()) else { continue };
            let probes = probes(spec.format);
            for rounding in Rounding::DETERMINISTIC {
                for saturation in Saturation::ALL {
                    let how = Projection::new(rounding, saturation);
                    let table = Table::new(spec.format, how).unwrap();
                    assert_eq!(table.outcomes.len(), plain.outcomes.len());
                    for &x in &probes {
                        let rounded = project(spec.format, Value::from_f64(x), how);
                        let found = table.look_up(x);
                        assert_eq!(
                            (found.code as u64, found.flags),
                            (rounded.code, rounded.flags.bits()),
                            "{spec} {x:e} {rounding:?} {saturation:?}"
                        );
                        tested += 1;
                    }
                }
            }
        }
        assert!(tested > 1_000_000, "{tested}");
    }

    #[test]
    fn wide_and_unusual_formats() {
        for name in [
            "f16",
            "bf16",
            "shp@bias=31",
            "shp@bias=31,subnormals=ieee",
            "uhp",
            "custom@width=7,precision=5,bias=2,subnormals=flush",
        ] {
            let format = name.parse::<Spec>().unwrap().format;
            let table = Table::new(format, Projection::default()).unwrap();
            for x in probes(format) {
                let rounded = project(format, Value::from_f64(x), Projection::default());
                let found = table.look_up(x);
                assert_eq!(
                    (found.code as u64, found.flags),
                    (rounded.code, rounded.flags.bits()),
                    "{name} {x:e}"
                );
            }
        }
        for name in ["f32", "f64", "tf32"] {
            let format = name.parse::<Spec>().unwrap().format;
            assert!(Table::new(format, Projection::default()).is_none(), "{name}");
        }
    }
}
