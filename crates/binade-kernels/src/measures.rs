//! Counts and sums over pairs of a value and what became of it, the same on every leg.
//!
//! # Order
//! Pairs are taken in runs of [`RUN`] from the start of a call's slices. Within a run, pair i belongs to lane i mod
//! [`LANES`]; a lane adds its pairs in order, plainly, and the lanes are added from the first to the last, which costs a
//! few units of the last place. The runs' results are added without loss ([`Sum`]). A pair that is not finite adds
//! nothing. Nothing of that depends on the instruction set: the lanes of all legs are these.

use binade::Flags;
use binade_simd::lanes::Leg;
use binade_simd::{Environment, Isa, Kernel};

/// Pairs that are summed plainly.
pub(crate) const RUN: usize = 512;

/// Plain sums side by side.
const LANES: usize = 8;

/// A sum that keeps what its additions round off (Neumaier 1974, algorithm IV).
#[derive(Clone, Copy, Default, Debug)]
pub struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    /// Adds a number.
    #[inline]
    pub fn add(&mut self, x: f64) {
        let sum = self.high + x;
        // Fast two-sum, the larger first: exact.
        self.low += if self.high.abs() >= x.abs() { (self.high - sum) + x } else { (x - sum) + self.high };
        self.high = sum;
    }

    /// Adds a sum.
    pub fn merge(&mut self, other: &Sum) {
        self.add(other.high);
        self.low += other.low;
    }

    /// The sum.
    pub fn value(&self) -> f64 {
        // An overflowed sum leaves no meaningful remainder.
        if self.high.is_finite() { self.high + self.low } else { self.high }
    }
}

/// Error measures over pairs of a value and what became of it.
#[derive(Clone, Default, Debug)]
pub struct Measures {
    /// Pairs of finite values, which the rest is over.
    pub pairs: u64,
    /// The largest magnitude of an error.
    pub max_abs: f64,
    /// Σ(a − b)².
    pub squared_error: Sum,
    /// Σa².
    pub squared_a: Sum,
}

impl Measures {
    /// Adds pairs, of which those with a side that is not finite do not count. What lies behind the shorter slice is left
    /// out.
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

    /// Mean square error; 0 over nothing.
    pub fn mean_square(&self) -> f64 {
        self.squared_error.value() / self.pairs.max(1) as f64
    }

    /// Signal to quantisation noise in decibels, 10 log10(Σa² / Σ(a − b)²); +∞ without noise.
    pub fn sqnr_db(&self) -> f64 {
        match self.squared_error.value() {
            0.0 => f64::INFINITY,
            noise => 10.0 * (self.squared_a.value() / noise).log10(),
        }
    }
}

/// Counts and measures of elements and what became of them in a format.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// How many results raised each set of flags, by [`Flags::bits`].
    pub flags: [u64; 32],
    /// Elements that were infinite or NaN before.
    pub not_finite: u64,
    /// Finite elements that became infinite or NaN.
    pub lost: u64,
    /// Results that are NaN.
    pub nan: u64,
    /// Elements other than zero that became zero.
    pub to_zero: u64,
    /// Of those that were finite and are.
    pub measures: Measures,
}

impl Tally {
    /// Adds elements and their results, but no flags. What lies behind the shorter slice is left out.
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

    /// Adds pairs: the flags of elements in range if `FLAGS`, all else if `ERRORS`. How many elements are out of range.
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

/// Where rounding raises Inexact and Underflow only: between the least and the largest value of a format an element
/// becomes one of its two neighbours, or stays what it is, whatever the mode. Inexact says that it changed, Underflow that
/// it did so below the smallest normal.
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
    /// The same value, or a NaN for a NaN.
    fn wide(self) -> f64;
}

impl Real for f32 {
    #[inline(always)]
    fn wide(self) -> f64 {
        self as f64
    }
}

impl Real for f64 {
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

/// What the lanes of a run count and sum.
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

    /// Adds a pair to each lane. Every count and sum has a loop over the lanes of its own, which is a vector instruction or
    /// two; there are no branches.
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
                // Zeros behind the last pair are in range, exact and finite, and add nothing to sums.
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
                measures.squared_error.add(squared_error);
                measures.squared_a.add(squared_a);
            }
        }
        outside
    }
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
    fn sums_keep_what_is_rounded_off() {
        let mut sum = Sum::default();
        for x in [1e100, 1.0, -1e100, 1.0] {
            sum.add(x);
        }
        assert_eq!(sum.value(), 2.0);
    }
}
