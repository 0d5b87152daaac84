//! Differences between values and their roundings, for comparisons of files and for the format explorer.
//!
//! Sums are exact enough that neither the number of threads nor the order of parts matters, as in [`Measures`].

use crate::measures::{Measures, Sum};

/// Measures of pairs of finite values besides those of [`Measures`].
#[derive(Clone, Default)]
pub struct Similarity {
    /// The largest relative error |a − b| / |a| of pairs with a ≠ 0.
    pub max_relative: f64,
    squared_b: Sum,
    product: Sum,
}

/// Number of pairs in a run, which is summed in plain binary64 with a few units of error in the last place. Sums of runs are added
/// without loss.
const RUN: usize = 512;
/// Number of sums side by side in a run.
const LANES: usize = 8;

/// Calls `each` with the number of a lane and its pair, in order. Pairs after the last whole row are in the first lanes.
#[inline(always)]
fn in_lanes(a: &[f64], b: &[f64], mut each: impl FnMut(usize, f64, f64)) {
    let ((rows_a, rest_a), (rows_b, rest_b)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    for (a, b) in rows_a.iter().zip(rows_b) {
        for lane in 0..LANES {
            each(lane, a[lane], b[lane]);
        }
    }
    for (lane, (&a, &b)) in rest_a.iter().zip(rest_b).enumerate() {
        each(lane, a, b);
    }
}

/// The larger number. Neither may be NaN, so this replaces `f64::max`.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

impl Similarity {
    /// Adds slices of finite values, pair by pair.
    pub fn add(&mut self, a: &[f64], b: &[f64]) {
        for (a, b) in a.chunks(RUN).zip(b.chunks(RUN)) {
            let (mut squared_b, mut product, mut max) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
            in_lanes(a, b, |lane, a, b| {
                squared_b[lane] += b * b;
                product[lane] += a * b;
                // An error relative to zero does not count: the quotient is infinite, or NaN.
                let relative = (a - b).abs() / a.abs();
                max[lane] = larger(if a == 0.0 { 0.0 } else { relative }, max[lane]);
            });
            let (squares, products): (f64, f64) = (squared_b.iter().sum(), product.iter().sum());
            let fits = |sum: f64| Sum::units_of(sum.abs(), || false) == 0;
            if fits(squares) && fits(products) {
                self.max_relative = max.into_iter().fold(self.max_relative, larger);
                self.squared_b.add(squares);
                self.product.add(products);
            } else {
                self.add_far(a, b, squares);
            }
        }
    }

    /// Adds a run whose squares or products may be beyond binary64, or are zeros.
    #[cold]
    fn add_far(&mut self, a: &[f64], b: &[f64], squares: f64) {
        let zeros = |values: &[f64]| values.iter().all(|x| *x == 0.0);
        let of_a = Sum::units_of(a.iter().map(|a| a * a).sum(), || zeros(a));
        let of_b = Sum::units_of(squares, || zeros(b));
        let (by_a, by_b) = (Sum::factor(of_a), Sum::factor(of_b));
        let (mut squared_b, mut product) = (0.0, 0.0);
        for (&a, &b) in a.iter().zip(b) {
            let (near_a, near_b) = (a * by_a, b * by_b);
            squared_b += near_b * near_b;
            product += near_a * near_b;
            // Halves of numbers whose difference overflows are exact.
            let relative = match (a - b).abs() {
                difference if difference.is_finite() => difference / a.abs(),
                _ => (a / 2.0 - b / 2.0).abs() / (a.abs() / 2.0),
            };
            self.max_relative = larger(if a == 0.0 { 0.0 } else { relative }, self.max_relative);
        }
        self.squared_b.merge(&Sum::in_units(squared_b, 2 * of_b));
        self.product.merge(&Sum::in_units(product, of_a + of_b));
    }

    /// Adds the counts and measures of other pairs.
    pub fn merge(&mut self, other: &Similarity) {
        self.max_relative = self.max_relative.max(other.max_relative);
        self.squared_b.merge(&other.squared_b);
        self.product.merge(&other.product);
    }

    /// Σab / √(Σa² Σb²); 1 where all pairs are equal, 0 where one side only is all zero.
    pub fn cosine(&self, measures: &Measures) -> f64 {
        if measures.squared_error.is_zero() {
            1.0
        } else if measures.squared_a.is_zero() || self.squared_b.is_zero() {
            0.0
        } else {
            self.product.cosine(&measures.squared_a, &self.squared_b).clamp(-1.0, 1.0)
        }
    }
}

/// Counts and measures of pairs of a value and its rounding.
#[derive(Clone, Default)]
pub struct Differences {
    /// Errors of finite pairs.
    pub measures: Measures,
    /// Further measures of finite pairs.
    pub similarity: Similarity,
    /// Finite values that became infinite, or the largest value from beyond it.
    pub overflow: u64,
    /// Numbers that became zero.
    pub underflow: u64,
    /// Numbers that became NaN.
    pub nan: u64,
    /// Pairs that are not equal; two NaNs are.
    pub different: u64,
}

impl Differences {
    /// Counts and measures the pairs of `xs` and `ys`. Only finite pairs are left in both afterwards. `largest` has for each pair the
    /// largest possible y.
    pub fn of(xs: &mut Vec<f64>, ys: &mut Vec<f64>, largest: impl IntoIterator<Item = f64>) -> Differences {
        let mut found = Differences::default();
        let mut finite = 0;
        for ((&x, &y), largest) in xs.iter().zip(&*ys).zip(largest) {
            let beyond = (x.abs() > largest) & (y.is_nan() | (y.abs() >= largest));
            found.overflow += (x.is_finite() & (y.is_infinite() | beyond)) as u64;
            found.underflow += ((x != 0.0) & !x.is_nan() & (y == 0.0)) as u64;
            found.nan += (y.is_nan() & !x.is_nan()) as u64;
            found.different += ((x != y) & !(x.is_nan() & y.is_nan())) as u64;
            finite += (x.is_finite() & y.is_finite()) as usize;
        }
        if finite < xs.len() {
            let both = |&(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
            (*xs, *ys) = xs.drain(..).zip(ys.drain(..)).filter(both).unzip();
        }
        found.measures.add(xs, ys);
        found.similarity.add(xs, ys);
        found
    }

    /// Adds the counts and measures of other pairs.
    pub fn merge(&mut self, other: &Differences) {
        self.measures.merge(&other.measures);
        self.similarity.merge(&other.similarity);
        self.overflow += other.overflow;
        self.underflow += other.underflow;
        self.nan += other.nan;
        self.different += other.different;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_equal_hand_computed_values() {
        let (mut measures, mut similarity) = (Measures::default(), Similarity::default());
        let (a, b) = (&[3.0, 4.0, 0.0], &[3.0, 3.0, 0.0]);
        measures.add(a, b);
        similarity.add(a, b);
        assert_eq!((measures.max_abs, similarity.max_relative), (1.0, 0.25));
        assert_eq!(measures.mean_square(), 1.0 / 3.0);
        assert_eq!(measures.sqnr_db(), 10.0 * 25f64.log10());
        assert_eq!(similarity.cosine(&measures), 21.0 / (5.0 * 18f64.sqrt()));
    }

    #[test]
    fn cosine_does_not_depend_on_magnitudes() {
        let a: Vec<f64> = (0..1300).map(|i| 1.0 + (i % 13) as f64).collect();
        let b: Vec<f64> = (0..1300).map(|i| 2.0 - (i % 5) as f64).collect();
        let measured = |by_a: f64, by_b: f64| {
            let by = |x: &[f64], by: f64| x.iter().map(|x| x * by).collect::<Vec<f64>>();
            let mut found =
                Differences::of(&mut by(&a, by_a), &mut by(&b, by_b), vec![f64::INFINITY; a.len()]);
            // Zeros, before and after.
            let zeros = Differences::of(&mut vec![0.0; 3], &mut vec![0.0; 3], [f64::INFINITY; 3]);
            found.merge(&zeros);
            let mut all = zeros;
            all.merge(&found);
            (all.similarity.cosine(&all.measures), all.similarity.max_relative)
        };
        let (plain, relative) = measured(1.0, 1.0);
        let powers = [-1000, -640, -600, -445, -440, 0, 440, 455, 640, 1010].map(|power| 2f64.powi(power));
        for by_a in powers {
            for by_b in powers {
                let (cosine, _) = measured(by_a, by_b);
                assert!((cosine - plain).abs() < 1e-12, "{by_a:e} {by_b:e}: {cosine} {plain}");
            }
            assert_eq!(measured(by_a, by_a).1, relative);
        }
        let found = Differences::of(&mut vec![f64::MAX, 1.0], &mut vec![-f64::MAX, 1.0], [f64::INFINITY; 2]);
        assert_eq!((found.similarity.cosine(&found.measures), found.similarity.max_relative), (-1.0, 2.0));
        let found = Differences::of(&mut vec![1e-200], &mut vec![0.0], [1.0]);
        assert_eq!(found.similarity.cosine(&found.measures), 0.0);
    }

    #[test]
    fn runs_and_lanes_cover_every_pair() {
        // Sums of integers are exact in any order.
        for count in [0, 1, LANES - 1, LANES, LANES + 3, RUN - 1, RUN, 2 * RUN + LANES + 1] {
            let a: Vec<f64> = (0..count).map(|i| (1 + i % 7) as f64).collect();
            let b: Vec<f64> = a.iter().map(|a| 2.0 * a).collect();
            let (mut measures, mut similarity) = (Measures::default(), Similarity::default());
            measures.add(&a, &b);
            similarity.add(&a, &b);
            let squares: f64 = a.iter().map(|a| a * a).sum();
            assert_eq!(measures.pairs, count as u64);
            assert_eq!((measures.squared_error.value(), measures.squared_a.value()), (squares, squares));
            assert_eq!(
                (similarity.squared_b.value(), similarity.product.value()),
                (4.0 * squares, 2.0 * squares)
            );
            assert_eq!(similarity.max_relative, if count == 0 { 0.0 } else { 1.0 });
            assert_eq!(measures.max_abs, a.iter().copied().fold(0.0, f64::max));
        }
    }
}
