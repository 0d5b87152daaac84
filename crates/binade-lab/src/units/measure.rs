//! Measures of a product beside the exact one, and beside another product.

use binade::Format;

/// The spacing of a result's numbers, by binade.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spacing {
    precision: i32,
    emin: i32,
}

impl Spacing {
    /// The spacing of numbers of `precision` bits with exponents from `emin` on, within binary32: results are binary32 numbers.
    pub(super) fn new(precision: u32, emin: i32) -> Spacing {
        Spacing { precision: precision.min(24) as i32, emin: emin.max(-126) }
    }

    pub(super) fn of(format: Format) -> Spacing {
        Spacing::new(format.precision(), format.emin())
    }

    /// One unit in the last place of a finite number other than 0.
    pub(super) fn ulp(self, x: f32) -> f64 {
        // Each finite binary32 number is a normal number of binary64.
        let exponent = (f64::from(x).to_bits() >> 52 & 0x7ff) as i32 - 1023;
        2f64.powi(exponent.max(self.emin) - (self.precision - 1))
    }
}

/// A product, and the exact one rounded to its result's format.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) values: &'a [f32],
    pub(super) exact: &'a [f32],
    pub(super) spacing: Spacing,
}

/// Differences of two products over their elements.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured {
    /// Elements that differ as numbers; a NaN equals any NaN.
    pub(super) different: u64,
    /// Elements that differ without a measure in ulps.
    pub(super) unmeasured: u64,
    /// The differences in ulps of the elements that have one, in ascending order.
    pub(super) ulps: Vec<f64>,
    /// Index of the element with the largest difference.
    pub(super) largest_at: Option<usize>,
    pub(super) mean_ulps: f64,
    /// √(Σ (x − y)² / Σ y²) over the elements that are finite in both.
    pub(super) relative: f64,
}

impl Measured {
    /// Compares `x` with `y`, where `ulp` is that of an element, if it has one.
    fn new(x: &[f32], y: &[f32], ulp: impl Fn(usize) -> Option<f64>) -> Measured {
        let mut measured = Measured::default();
        let (mut squares, mut of_differences, mut total, mut largest) = (0.0, 0.0, 0.0, 0.0);
        for (at, (&x, &y)) in x.iter().zip(y).enumerate() {
            let equal = x == y || x.is_nan() && y.is_nan();
            let finite = x.is_finite() && y.is_finite();
            measured.different += u64::from(!equal);
            let difference = (f64::from(x) - f64::from(y)).abs();
            if finite {
                squares += f64::from(y).powi(2);
                of_differences += difference.powi(2);
            }
            match ulp(at).filter(|_| finite) {
                Some(ulp) => {
                    let ulps = difference / ulp;
                    measured.ulps.push(ulps);
                    total += ulps;
                    if ulps > largest {
                        (largest, measured.largest_at) = (ulps, Some(at));
                    }
                }
                // Equal numbers need no ulp.
                None if equal && finite => measured.ulps.push(0.0),
                None => measured.unmeasured += u64::from(!equal),
            }
        }
        measured.mean_ulps = if measured.ulps.is_empty() { 0.0 } else { total / measured.ulps.len() as f64 };
        measured.relative = ratio(of_differences, squares).sqrt();
        measured.ulps.sort_unstable_by(f64::total_cmp);
        measured
    }

    /// The errors of a product in ulps of the exact one. An element whose exact product is 0, or not finite, has no ulp.
    pub(super) fn errors(side: Side<'_>) -> Measured {
        Measured::new(side.values, side.exact, |at| side.ulp(at))
    }

    /// The differences of two products in ulps of the exact one, of both ulps the larger.
    pub(super) fn differences(a: Side<'_>, b: Side<'_>) -> Measured {
        Measured::new(a.values, b.values, |at| Some(a.ulp(at)?.max(b.ulp(at)?)))
    }

    pub(super) fn max_ulps(&self) -> f64 {
        self.ulps.last().copied().unwrap_or(0.0)
    }

    /// The least number of ulps that at least this share of the elements stays within.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        let at = (share * self.ulps.len() as f64).ceil() as usize;
        self.ulps.get(at.saturating_sub(1)).copied().unwrap_or(0.0)
    }

    /// The share of the elements that are within this number of ulps.
    pub(super) fn share_within(&self, ulps: f64) -> f64 {
        let within = self.ulps.partition_point(|&x| x <= ulps);
        within as f64 / self.ulps.len().max(1) as f64
    }
}

impl Side<'_> {
    fn ulp(&self, at: usize) -> Option<f64> {
        let exact = self.exact[at];
        (exact != 0.0 && exact.is_finite()).then(|| self.spacing.ulp(exact))
    }
}

/// x / y for x ≥ 0, y ≥ 0, where 0 / 0 is 0.
fn ratio(x: f64, y: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x / y }
}

/// √(Σ (x − y)² / Σ y²) over the elements that are finite in both.
pub(super) fn relative_error(x: &[f32], y: &[f32]) -> f64 {
    let pairs = x.iter().zip(y).filter(|(x, y)| x.is_finite() && y.is_finite());
    let sums = pairs.fold((0.0, 0.0), |(differences, squares), (&x, &y)| {
        let (x, y) = (f64::from(x), f64::from(y));
        (differences + (x - y).powi(2), squares + y.powi(2))
    });
    ratio(sums.0, sums.1).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ulps_are_the_spacing_of_the_binade() {
        let spacing = Spacing::of(binade::catalog::F32);
        for x in [1.0f32, 1.5, 3.0, -7.9, 1e-30, 1e38, f32::MIN_POSITIVE, 1e-45, 0.99999994] {
            let above = f32::from_bits(x.abs().to_bits() + 1);
            assert_eq!(spacing.ulp(x), f64::from(above) - f64::from(x.abs()), "{x}");
        }
        // A bfloat16 number has 16 bits fewer, and binary16 numbers below 2^-14 are multiples of 2^-24.
        assert_eq!(Spacing::of(binade::catalog::BF16).ulp(1.0), 2f64.powi(-7));
        assert_eq!(Spacing::of(binade::catalog::F16).ulp(2f32.powi(-20)), 2f64.powi(-24));
        // Results in binary64 arrive as binary32 numbers.
        assert_eq!(Spacing::of(binade::catalog::F64).ulp(1.0), 2f64.powi(-23));
    }

    #[test]
    fn largest_error_in_ulps_is_finite() {
        let side = Side { values: &[f32::MAX], exact: &[1e-45], spacing: Spacing::of(binade::catalog::F32) };
        assert_eq!(Measured::errors(side).max_ulps(), f64::from(f32::MAX) * 2f64.powi(149) - 1.0);
    }

    #[test]
    fn elements_without_an_ulp_are_counted() {
        let (nan, infinity) = (f32::NAN, f32::INFINITY);
        let values = [1.0, nan, infinity, infinity, 0.5, -0.0, 1.0 + 3.0 * f32::EPSILON];
        let exact = [1.0, nan, infinity, 1.0, 0.0, 0.0, 1.0];
        let side = Side { values: &values, exact: &exact, spacing: Spacing::of(binade::catalog::F32) };
        let measured = Measured::errors(side);
        assert_eq!((measured.different, measured.unmeasured), (3, 2));
        assert_eq!(measured.ulps, [0.0, 0.0, 3.0]);
        assert_eq!((measured.max_ulps(), measured.mean_ulps, measured.largest_at), (3.0, 1.0, Some(6)));
        assert_eq!((measured.quantile(0.5), measured.quantile(0.99)), (0.0, 3.0));
        assert_eq!(measured.share_within(2.9), 2.0 / 3.0);
        // Σ (x − y)² is 0.25 and a little, Σ y² is 2.
        assert!((measured.relative - 0.125f64.sqrt()).abs() < 1e-9);
    }
}
