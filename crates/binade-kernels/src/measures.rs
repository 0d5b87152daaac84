//! Counts and error sums over pairs of a value and its rounded value, the same on every leg.
//!
//! # Order
//! Pairs are processed in runs of [`RUN`] from the start of a call's slices. Within a run, pair i belongs to lane i mod
//! [`LANES`]. A lane adds its pairs in order, and the lanes are added from the first to the last, which costs a few
//! units of the last place. The runs' results are added without loss ([`Sum`]). A pair that is not finite adds nothing.
//! The order does not depend on the instruction set: all legs use these lanes.

use binade::Flags;
use binade_simd::lanes::Leg;
use binade_simd::{Environment, Isa, Kernel};

/// Pairs in a run, which are summed in plain binary64.
pub(crate) const RUN: usize = 512;

/// Independent sums in a run.
const LANES: usize = 8;

/// A sum that keeps the rounding errors of its additions (Neumaier 1974, algorithm IV). Terms may exceed binary64's
/// range, as squares of its numbers do. Its value is `high + low` times 2^(600 · `units`).
#[derive(Clone, Copy, Default, Debug)]
pub struct Sum {
    high: f64,
    low: f64,
    units: i32,
}

impl Sum {
    /// log2 of the unit.
    const UNIT: i32 = 600;
    /// Sums of a run within these bounds are added in units of 1. They do not overflow even if 2^64 are added, and
    /// terms lost below binary64's smallest normal are smaller than its rounding error.
    const LEAST: f64 = power(-900);
    const MOST: f64 = power(900);

    /// The factor by which numbers are multiplied before squaring; their squares are then in units of 2^(1200 ·
    /// `units`).
    pub fn factor(units: i32) -> f64 {
        power(-Sum::UNIT * units)
    }

    /// The units for numbers whose squares, added plainly, are `squares`; 0 if that sum is accurate. `zero` tells if
    /// all these numbers are zeros.
    pub fn units_of(squares: f64, zero: impl FnOnce() -> bool) -> i32 {
        match squares {
            Sum::LEAST..=Sum::MOST => 0,
            0.0 if zero() => 0,
            _ if squares < 1.0 => -1,
            _ => 1,
        }
    }

    /// A number times 2^(600 · `units`).
    pub fn in_units(x: f64, units: i32) -> Sum {
        Sum { high: x, low: 0.0, units }
    }

    /// Adds a number.
    #[inline]
    pub fn add(&mut self, x: f64) {
        if self.units != 0 {
            return self.merge(&Sum::in_units(x, 0));
        }
        self.add_here(x);
    }

    /// Adds a number in the units of the sum.
    #[inline]
    fn add_here(&mut self, x: f64) {
        let sum = self.high + x;
        // Fast two-sum, the larger first: exact.
        self.low += if self.high.abs() >= x.abs() { (self.high - sum) + x } else { (x - sum) + self.high };
        self.high = sum;
    }

    /// Adds a sum.
    pub fn merge(&mut self, other: &Sum) {
        let mut other = *other;
        if other.is_zero() {
            return;
        }
        if self.is_zero() {
            self.units = other.units;
        }
        let units = self.units.max(other.units);
        self.raise(units);
        other.raise(units);
        self.add_here(other.high);
        self.low += other.low;
    }

    /// Converts to larger units. The part that is lost is negligible: a sum of squares or products has these units only
    /// if its terms are of that size.
    fn raise(&mut self, units: i32) {
        while self.units < units {
            self.high *= power(-Sum::UNIT);
            self.low *= power(-Sum::UNIT);
            self.units += 1;
        }
    }

    /// True for zero only: a sum below binary64's range is not zero.
    pub fn is_zero(&self) -> bool {
        self.high == 0.0 && self.low == 0.0
    }

    /// The sum; infinite or zero if binary64 cannot represent it.
    pub fn value(&self) -> f64 {
        scaled(self.mantissa(), self.units)
    }

    /// The sum in its units.
    fn mantissa(&self) -> f64 {
        // An overflowed sum leaves no meaningful remainder.
        if self.high.is_finite() { self.high + self.low } else { self.high }
    }

    /// The quotient of two sums; infinite or zero if binary64 cannot represent it.
    pub fn over(&self, other: &Sum) -> f64 {
        scaled(self.mantissa() / other.mantissa(), self.units - other.units)
    }

    /// The decimal logarithm.
    fn log10(&self) -> f64 {
        self.mantissa().log10() + f64::from(Sum::UNIT * self.units) * std::f64::consts::LOG10_2
    }

    /// The sum over √(a · b). For the sums Σab, Σa² and Σb² this is the cosine.
    pub fn cosine(&self, a: &Sum, b: &Sum) -> f64 {
        let cosine = self.mantissa() / (a.mantissa().sqrt() * b.mantissa().sqrt());
        // The units of squares are even.
        scaled(cosine, self.units - (a.units + b.units) / 2)
    }
}

/// 2^exponent, which must be a normal number.
const fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// x · 2^(600 · units).
fn scaled(x: f64, units: i32) -> f64 {
    let step = power(if units < 0 { -Sum::UNIT } else { Sum::UNIT });
    (0..units.unsigned_abs()).fold(x, |x, _| x * step)
}

/// Error measures over pairs of a value and its rounded value.
#[derive(Clone, Default, Debug)]
pub struct Measures {
    /// Pairs of finite values, over which the measures are taken.
    pub pairs: u64,
    /// The largest magnitude of an error.
    pub max_abs: f64,
    /// Σ(a − b)².
    pub squared_error: Sum,
    /// Σa².
    pub squared_a: Sum,
}

impl Measures {
    /// Adds pairs; those with a side that is not finite do not count. Elements beyond the shorter slice are ignored.
    pub fn add(&mut self, a: &[f64], b: &[f64]) {
        let mut tally = Tally { measures: std::mem::take(self), ..Tally::default() };
        tally.compare(a, b);
        *self = tally.measures;
    }

    /// Adds the measures of other pairs.
    pub fn merge(&mut self, other: &Measures) {
        self.pairs += other.pairs;
        self.max_abs = self.max_abs.max(other.max_abs);
        self.squared_error.merge(&other.squared_error);
        self.squared_a.merge(&other.squared_a);
    }

    /// Mean square error; 0 without pairs; infinite or zero if binary64 cannot represent it.
    pub fn mean_square(&self) -> f64 {
        self.squared_error.over(&Sum::in_units(self.pairs.max(1) as f64, 0))
    }

    /// Signal to quantisation noise ratio in decibels, 10 log10(Σa² / Σ(a − b)²), for any magnitudes; +∞ without noise.
    pub fn sqnr_db(&self) -> f64 {
        if self.squared_error.is_zero() {
            return f64::INFINITY;
        }
        let ratio = self.squared_a.over(&self.squared_error);
        match ratio.is_normal() || self.squared_a.is_zero() {
            true => 10.0 * ratio.log10(),
            false => 10.0 * (self.squared_a.log10() - self.squared_error.log10()),
        }
    }
}

/// Counts and measures of elements and their results in a format.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// The number of results that raised each set of flags, by [`Flags::bits`].
    pub flags: [u64; 32],
    /// Elements that were infinite or NaN before rounding.
    pub not_finite: u64,
    /// Finite elements that became infinite or NaN.
    pub lost: u64,
    /// Results that are NaN.
    pub nan: u64,
    /// Elements other than zero that became zero.
    pub to_zero: u64,
    /// The measures of elements that were finite and whose results are finite.
    pub measures: Measures,
}

impl Tally {
    /// Adds elements and their results, without flags. Elements beyond the shorter slice are ignored.
    pub fn compare(&mut self, elements: &[f64], results: &[f64]) {
        self.pairs::<_, _, false, true>(Isa::detect(), Range::ALL, elements, results);
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: &Tally) {
        self.flags.iter_mut().zip(other.flags).for_each(|(a, b)| *a += b);
        self.not_finite += other.not_finite;
        self.lost += other.lost;
        self.nan += other.nan;
        self.to_zero += other.to_zero;
        self.measures.merge(&other.measures);
    }

    /// Adds pairs: the flags of elements in range if `FLAGS`, and everything else if `ERRORS`. Returns the number of
    /// elements out of range.
    pub(crate) fn pairs<X: Real, Y: Real, const FLAGS: bool, const ERRORS: bool>(
        &mut self,
        isa: Isa,
        range: Range,
        elements: &[X],
        results: &[Y],
    ) -> u64 {
        isa.run(Pairs::<X, Y, FLAGS, ERRORS> { range, elements, results, tally: self })
    }
}

/// The range in which rounding raises only Inexact and Underflow. Between the least and the largest value of a format
/// an element becomes one of its two neighbours, or stays, in any mode. Inexact means that it changed, Underflow that
/// it also was below the smallest normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Range {
    pub(crate) least: f64,
    pub(crate) largest: f64,
    pub(crate) min_normal: f64,
}

impl Range {
    const ALL: Range = Range { least: f64::NEG_INFINITY, largest: f64::INFINITY, min_normal: 0.0 };

    #[inline(always)]
    pub(crate) fn contains(&self, x: f64) -> bool {
        (self.least <= x) & (x <= self.largest)
    }
}

/// Binary32 and binary64.
pub(crate) trait Real: Copy {
    /// True if squares may exceed binary64's range.
    const WIDE: bool;

    /// The same value in binary64; NaN for NaN.
    fn wide(self) -> f64;
}

impl Real for f32 {
    const WIDE: bool = false;

    #[inline(always)]
    fn wide(self) -> f64 {
        self as f64
    }
}

impl Real for f64 {
    const WIDE: bool = true;

    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
}

struct Pairs<'a, X, Y, const FLAGS: bool, const ERRORS: bool> {
    range: Range,
    elements: &'a [X],
    results: &'a [Y],
    tally: &'a mut Tally,
}

/// The counts and sums of the lanes of a run.
#[derive(Clone, Copy)]
struct Rows {
    within: [u64; LANES],
    inexact: [u64; LANES],
    tiny: [u64; LANES],
    to_zero: [u64; LANES],
    finite: [u64; LANES],
    squared_error: [f64; LANES],
    squared_a: [f64; LANES],
    max_abs: [f64; LANES],
}

impl Rows {
    const NONE: Rows = Rows {
        within: [0; LANES],
        inexact: [0; LANES],
        tiny: [0; LANES],
        to_zero: [0; LANES],
        finite: [0; LANES],
        squared_error: [0.0; LANES],
        squared_a: [0.0; LANES],
        max_abs: [0.0; LANES],
    };

    /// Adds a pair to each lane. Every count and sum has a separate loop over the lanes, without branches, which
    /// compiles to one or two vector instructions.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "lanes of several arrays")]
    fn add<const FLAGS: bool, const ERRORS: bool>(
        &mut self,
        range: &Range,
        x: [f64; LANES],
        y: [f64; LANES],
    ) {
        if FLAGS {
            for i in 0..LANES {
                self.within[i] += range.contains(x[i]) as u64;
            }
            for i in 0..LANES {
                self.inexact[i] += (range.contains(x[i]) & (x[i] != y[i])) as u64;
            }
            for i in 0..LANES {
                let tiny = x[i].abs() < range.min_normal;
                self.tiny[i] += (range.contains(x[i]) & (x[i] != y[i]) & tiny) as u64;
            }
        }
        if ERRORS {
            let mut finite = [false; LANES];
            for i in 0..LANES {
                finite[i] = (x[i].abs() < f64::INFINITY) & (y[i].abs() < f64::INFINITY);
            }
            for i in 0..LANES {
                self.to_zero[i] += ((x[i] != 0.0) & (y[i] == 0.0)) as u64;
            }
            for i in 0..LANES {
                self.finite[i] += finite[i] as u64;
            }
            let (mut a, mut error) = ([0.0; LANES], [0.0; LANES]);
            for i in 0..LANES {
                a[i] = if finite[i] { x[i] } else { 0.0 };
                error[i] = if finite[i] { x[i] - y[i] } else { 0.0 };
            }
            for i in 0..LANES {
                self.squared_error[i] += error[i] * error[i];
                self.squared_a[i] += a[i] * a[i];
                // Not `f64::max`: there are no NaNs.
                self.max_abs[i] =
                    if error[i].abs() > self.max_abs[i] { error[i].abs() } else { self.max_abs[i] };
            }
        }
    }
}

impl<X: Real, Y: Real, const FLAGS: bool, const ERRORS: bool> Kernel for Pairs<'_, X, Y, FLAGS, ERRORS> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Leg>(self, _: L) -> u64 {
        let _environment = Environment::enter();
        let tally = self.tally;
        let length = self.elements.len().min(self.results.len());
        let mut outside = 0;
        for start in (0..length).step_by(RUN) {
            let end = length.min(start + RUN);
            let (elements, results) = (&self.elements[start..end], &self.results[start..end]);
            let ((x, x_rest), (y, y_rest)) = (elements.as_chunks::<LANES>(), results.as_chunks::<LANES>());
            let mut rows = Rows::NONE;
            for (x, y) in x.iter().zip(y) {
                let (mut wide_x, mut wide_y) = ([0.0; LANES], [0.0; LANES]);
                for i in 0..LANES {
                    wide_x[i] = x[i].wide();
                    wide_y[i] = y[i].wide();
                }
                rows.add::<FLAGS, ERRORS>(&self.range, wide_x, wide_y);
            }
            if !x_rest.is_empty() {
                // Zeros beyond the last pair are in range, exact and finite, and add nothing.
                let (mut wide_x, mut wide_y) = ([0.0; LANES], [0.0; LANES]);
                for i in 0..x_rest.len() {
                    wide_x[i] = x_rest[i].wide();
                    wide_y[i] = y_rest[i].wide();
                }
                rows.add::<FLAGS, ERRORS>(&self.range, wide_x, wide_y);
            }
            let padding = x_rest.len().next_multiple_of(LANES) - x_rest.len();
            let count = (end - start) as u64;
            if FLAGS {
                let within = total(rows.within) - padding as u64;
                let (inexact, tiny) = (total(rows.inexact), total(rows.tiny));
                tally.flags[Flags::NONE.bits() as usize] += within - inexact;
                tally.flags[Flags::INEXACT.bits() as usize] += inexact - tiny;
                tally.flags[(Flags::INEXACT | Flags::UNDERFLOW).bits() as usize] += tiny;
                outside += count - within;
            }
            if ERRORS {
                let finite = total(rows.finite) - padding as u64;
                tally.to_zero += total(rows.to_zero);
                if finite < count {
                    for (x, y) in elements.iter().zip(results) {
                        let (x, y) = (x.wide(), y.wide());
                        tally.nan += y.is_nan() as u64;
                        tally.not_finite += !x.is_finite() as u64;
                        tally.lost += (x.is_finite() & !y.is_finite()) as u64;
                    }
                }
                let measures = &mut tally.measures;
                measures.pairs += finite;
                let (mut squared_error, mut squared_a) = (0.0, 0.0);
                for i in 0..LANES {
                    squared_error += rows.squared_error[i];
                    squared_a += rows.squared_a[i];
                    measures.max_abs = measures.max_abs.max(rows.max_abs[i]);
                }
                let errors = Sum::units_of(squared_error, || largest_of(rows.max_abs) == 0.0);
                let values = match X::WIDE {
                    true => Sum::units_of(squared_a, || elements.iter().all(|x| x.wide() == 0.0)),
                    false => 0,
                };
                if (X::WIDE || Y::WIDE) && (errors, values) != (0, 0) {
                    let (error, a) = in_units(elements, results, errors, values);
                    measures.squared_error.merge(&error);
                    measures.squared_a.merge(&a);
                } else {
                    measures.squared_error.add(squared_error);
                    measures.squared_a.add(squared_a);
                }
            }
        }
        outside
    }
}

/// Squares of the errors and of the elements of a run in these units, over finite pairs.
#[cold]
#[inline(never)]
fn in_units<X: Real, Y: Real>(elements: &[X], results: &[Y], errors: i32, values: i32) -> (Sum, Sum) {
    let (of_error, of_value) = (Sum::factor(errors), Sum::factor(values));
    let (mut squared_error, mut squared_a) = (0.0, 0.0);
    for (x, y) in elements.iter().zip(results) {
        let (x, y) = (x.wide(), y.wide());
        if x.is_finite() && y.is_finite() {
            // Multiplies by the factor first, because a difference may overflow too.
            let (error, value) = (x * of_error - y * of_error, x * of_value);
            squared_error += error * error;
            squared_a += value * value;
        }
    }
    (Sum::in_units(squared_error, 2 * errors), Sum::in_units(squared_a, 2 * values))
}

/// The largest of the magnitudes.
#[inline(always)]
fn largest_of(magnitudes: [f64; LANES]) -> f64 {
    let mut largest = 0.0;
    for magnitude in magnitudes {
        largest = if magnitude > largest { magnitude } else { largest };
    }
    largest
}

#[inline(always)]
fn total(lanes: [u64; LANES]) -> u64 {
    let mut total = 0;
    for lane in lanes {
        total += lane;
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_keep_rounding_errors() {
        let mut sum = Sum::default();
        for x in [1e100, 1.0, -1e100, 1.0] {
            sum.add(x);
        }
        assert_eq!(sum.value(), 2.0);
    }

    /// Measures scale with the numbers: for a factor 2^k, the mean square scales by 2^2k and the ratio not at all.
    #[test]
    fn measures_beyond_binary64_squares_scale_exactly() {
        let x: Vec<f64> =
            (0..1500).map(|i| (1.0 + 0.37 * (i % 97) as f64) * if i % 3 == 0 { -1.0 } else { 1.0 }).collect();
        let y: Vec<f64> = x.iter().map(|x| x + 0.03125 * (x.abs() % 2.0)).collect();
        let mut plain = Measures::default();
        plain.add(&x, &y);
        for exponent in [-1000, -700, -455, -440, 0, 440, 455, 700, 1010] {
            let by = |values: &[f64]| values.iter().map(|x| x * power(exponent)).collect::<Vec<f64>>();
            let mut measures = Measures::default();
            measures.add(&by(&x), &by(&y));
            let ratio = (measures.sqnr_db() - plain.sqnr_db()).abs();
            assert!(ratio < 1e-12, "2^{exponent}: {} and {}", measures.sqnr_db(), plain.sqnr_db());
            assert_eq!(measures.max_abs, plain.max_abs * power(exponent));
            let mean = (0..exponent.unsigned_abs())
                .fold(plain.mean_square(), |x, _| x * if exponent < 0 { 0.25 } else { 4.0 });
            let found = measures.mean_square();
            assert!(
                found == mean || (found / mean - 1.0).abs() < 1e-12 || mean < 1e-300 && found < 1e-300,
                "2^{exponent}: {found} {mean}"
            );
        }
        // One number dominates the others, at any position; zeros do not matter.
        for at in [0, 700, 1499] {
            let (mut x, mut y) = (x.clone(), y.clone());
            (x[at], y[at]) = (1e300, 0.0);
            let mut measures = Measures::default();
            measures.add(&x, &y);
            assert!(measures.sqnr_db().abs() < 1e-12 && measures.mean_square() == f64::INFINITY);
            x.iter_mut().zip(&mut y).for_each(|(x, y)| (*x, *y) = (0.0, 0.0));
            (x[at], y[at]) = (1e-200, 0.0);
            let mut measures = Measures::default();
            measures.add(&x, &y);
            assert_eq!((measures.sqnr_db(), measures.mean_square()), (0.0, 0.0));
        }
        // A difference that overflows; and a ratio that overflows, of sums that do not.
        let mut measures = Measures::default();
        measures.add(&[f64::MAX, 3.0], &[-f64::MAX, f64::INFINITY]);
        assert!((measures.sqnr_db() - 10.0 * 0.25f64.log10()).abs() < 1e-12, "{}", measures.sqnr_db());
        let mut measures = Measures::default();
        measures.add(&[1e140, 1.0], &[1e140, 1.0 + 2f64.powi(-52)]);
        let wanted = 10.0 * (280.0 + 104.0 * 2f64.log10());
        assert!((measures.sqnr_db() - wanted).abs() < 1e-9, "{} {wanted}", measures.sqnr_db());
        let mut measures = Measures::default();
        measures.add(&[0.0, 0.0], &[1e-200, 1.0]);
        assert_eq!(measures.sqnr_db(), f64::NEG_INFINITY);
    }
}
