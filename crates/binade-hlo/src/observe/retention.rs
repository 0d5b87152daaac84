//! Predicts the accumulator bits that a sum needs from its length, for the `--swamping` reports.
//!
//! The formula is Theorem 1 of Sakr et al., "Accumulation bit-width scaling for ultra-low precision training of deep
//! networks" (arXiv 1901.06588).
//!
//! The exact sum of n independent products with mean zero has n times the variance of one product. A short accumulator
//! loses part of it in two ways. In *full* swamping, a product has no effect any more; in *partial* swamping, it loses
//! its last bits. The share that is kept is the variance retention ratio (VRR). Within one or two bits of the
//! accumulator, n · (1 − VRR) grows from almost 0 to a large number. The prediction is the number of bits at that
//! threshold.
//!
//! Bits are those of the significand without the leading one, as in the paper: 7 for BF16, 23 for binary32.

/// The threshold of the paper: an accumulator is too short if n · (1 − VRR) exceeds ln 50.
fn bound() -> f64 {
    50f64.ln()
}

/// The most bits that are considered; no sum that a machine can store needs more.
const MOST: u32 = 52;

/// The probability that a normal variable is farther from its mean than x deviations: 2 Q(x).
fn beyond(x: f64) -> f64 {
    libm::erfc(x * std::f64::consts::FRAC_1_SQRT_2)
}

/// The share of the variance of a sum of `length` products that an accumulator of `accumulator` bits keeps. `product`
/// is the number of bits of a product.
///
/// A sum of i products exceeds 2^m deviations of a product with probability 2Q(2^m/√i). From the first such sum on,
/// products have no effect. Before it, j bits of products are lost for 2^(m − p + j + 1) steps each, which costs the
/// variance of `lost(p)` products in all.
pub fn variance_retention(accumulator: u32, product: u32, length: u64) -> f64 {
    let (m, p, n) = (f64::from(accumulator), f64::from(product), length as f64);
    let lost = |stages: u32| -> f64 {
        let stage = |j: f64| j.exp2() * (j.exp2() - 1.0) * ((j + 1.0).exp2() - 1.0);
        (m - 3.0 * p).exp2() / 3.0 * (1..=stages).map(|j| stage(f64::from(j))).sum::<f64>()
    };
    let full = lost(product);
    let (mut kept, mut weight) = (0.0, 0.0);
    // Before `first`, 2Q(8) is negligible; after all variance is lost, none is kept.
    let first = ((m.exp2() / 8.0).powi(2) as u64).max(full as u64 + 1).max(2);
    let mut before = 1.0 - beyond(m.exp2() / ((first - 1) as f64).sqrt());
    for i in first..length {
        let after = beyond(m.exp2() / (i as f64).sqrt());
        let share = after * before;
        before = 1.0 - after;
        kept += (i as f64 - full) * share;
        weight += share;
    }
    for stage in 2..=product {
        let lost = lost(stage - 1);
        if n > lost {
            let edge = |j: f64| (m - p + j).exp2() / n.sqrt();
            let j = f64::from(stage);
            let share = (m - p + j).exp2() * beyond(edge(j - 1.0)) * (1.0 - beyond(edge(j)));
            kept += (n - lost) * share;
            weight += share;
        }
    }
    let whole = 1.0 - beyond((m - p + 1.0).exp2() / n.sqrt());
    (kept + n * whole) / ((weight + whole) * n)
}

/// The fewest bits of an accumulator for sums of `length` products. The factors' significands have `factor` bits, with
/// the leading one.
pub fn accumulator_bits(factor: u32, length: u64) -> u32 {
    let product = 2 * factor - 1;
    let enough = |bits: u32| length as f64 * (1.0 - variance_retention(bits, product, length)) < bound();
    // More bits keep more variance, so a binary search finds the fewest.
    let (mut low, mut high) = (1, MOST);
    while low < high {
        let middle = low.midpoint(high);
        if enough(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the prediction with computed sums: it is between the bits that rounding to nearest needs and those that
    /// truncation needs.
    #[test]
    fn predictions_lie_between_nearest_and_truncated_sums() {
        const SUMS: u64 = 400;
        let unit = |index: u64| f64::from(binade::philox::word(11, index)) / 2f64.powi(32) + 2f64.powi(-33);
        let normal = |index: u64| {
            (-2.0 * unit(2 * index).ln()).sqrt() * (std::f64::consts::TAU * unit(2 * index + 1)).cos()
        };
        let to = |x: f64, bits: u32, round: fn(f64) -> f64| {
            if x == 0.0 {
                return x;
            }
            let unit = (f64::from(bits) - x.abs().log2().floor()).exp2();
            round(x * unit) / unit
        };
        for (factor, length) in [(3, 144), (3, 576), (8, 576)] {
            let factor_of = |index: u64| to(normal(index), factor - 1, f64::round_ties_even);
            let products: Vec<Vec<f64>> = (0..SUMS)
                .map(|sum| {
                    let at = |i| 2 * (sum * length + i);
                    (0..length).map(|i| factor_of(at(i)) * factor_of(at(i) + 1)).collect()
                })
                .collect();
            let variance = |add: &dyn Fn(f64, f64) -> f64| -> f64 {
                products.iter().map(|products| products.iter().fold(0.0, |sum, &x| add(sum, x)).powi(2)).sum()
            };
            let exact = variance(&|sum, x| sum + x);
            let needed = |round: fn(f64) -> f64| {
                let lost = |bits: &u32| 1.0 - variance(&|sum, x| to(sum + x, *bits, round)) / exact;
                (1..MOST).find(|bits| length as f64 * lost(bits) < bound()).unwrap()
            };
            let predicted = accumulator_bits(factor, length);
            let (nearest, truncated) = (needed(f64::round_ties_even), needed(f64::trunc));
            assert!(
                (nearest..=truncated).contains(&predicted),
                "{factor} bits, {length} products: {predicted} are predicted, {nearest} and {truncated} needed"
            );
        }
    }

    #[test]
    fn longer_sums_need_more_bits() {
        for factor in [3, 4, 8, 16, 24] {
            let bits: Vec<u32> = (0..18).map(|k| accumulator_bits(factor, 1 << k)).collect();
            assert!(bits.is_sorted(), "{factor}: {bits:?}");
            assert!(bits[4] < 7 && bits[17] > 9, "{factor}: {bits:?}");
        }
        for bits in 2..20 {
            let [fewer, more] = [bits, bits + 1].map(|bits| variance_retention(bits, 15, 4096));
            assert!(0.0 < fewer && fewer <= more + 1e-9 && more <= 1.0, "{bits}: {fewer}, {more}");
        }
    }
}
