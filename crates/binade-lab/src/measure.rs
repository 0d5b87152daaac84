//! Error measures, summed so that neither the threads nor the number of elements matter.

/// A sum that keeps what its additions round off (Neumaier).
#[derive(Clone, Copy, Default)]
pub(crate) struct Sum {
    high: f64,
    low: f64,
}

impl Sum {
    pub(crate) fn add(&mut self, x: f64) {
        let sum = self.high + x;
        // Fast two-sum, the larger first: exact.
        self.low += if self.high.abs() >= x.abs() { (self.high - sum) + x } else { (x - sum) + self.high };
        self.high = sum;
    }

    pub(crate) fn merge(&mut self, other: &Sum) {
        self.add(other.high);
        self.low += other.low;
    }

    pub(crate) fn value(&self) -> f64 {
        // An overflowed sum leaves no meaningful remainder.
        if self.high.is_finite() { self.high + self.low } else { self.high }
    }
}

/// Measures over pairs of a value and what became of it.
#[derive(Clone, Default)]
pub(crate) struct Measures {
    /// Pairs of finite values, which the sums are over.
    pub(crate) pairs: u64,
    pub(crate) max_abs: f64,
    pub(crate) max_relative: f64,
    squared_error: Sum,
    squared_a: Sum,
    squared_b: Sum,
    product: Sum,
}

impl Measures {
    /// Adds slices of finite values, pair by pair. Short runs are summed plainly, which costs a few units of the last
    /// place, and runs are added without loss.
    pub(crate) fn add(&mut self, a: &[f64], b: &[f64]) {
        for (a, b) in a.chunks(64).zip(b.chunks(64)) {
            let mut sums = [0.0; 4];
            for (&a, &b) in a.iter().zip(b) {
                let error = (a - b).abs();
                self.max_abs = self.max_abs.max(error);
                if error != 0.0 && a != 0.0 {
                    self.max_relative = self.max_relative.max(error / a.abs());
                }
                for (sum, term) in sums.iter_mut().zip([error * error, a * a, b * b, a * b]) {
                    *sum += term;
                }
            }
            self.pairs += a.len() as u64;
            self.squared_error.add(sums[0]);
            self.squared_a.add(sums[1]);
            self.squared_b.add(sums[2]);
            self.product.add(sums[3]);
        }
    }

    pub(crate) fn merge(&mut self, other: &Measures) {
        self.pairs += other.pairs;
        self.max_abs = self.max_abs.max(other.max_abs);
        self.max_relative = self.max_relative.max(other.max_relative);
        self.squared_error.merge(&other.squared_error);
        self.squared_a.merge(&other.squared_a);
        self.squared_b.merge(&other.squared_b);
        self.product.merge(&other.product);
    }

    /// Mean square error; 0 over nothing.
    pub(crate) fn mean_square(&self) -> f64 {
        self.squared_error.value() / self.pairs.max(1) as f64
    }

    /// Signal to quantisation noise, 10 log10(Σa² / Σ(a − b)²); +∞ without noise.
    pub(crate) fn sqnr_db(&self) -> f64 {
        match self.squared_error.value() {
            0.0 => f64::INFINITY,
            noise => 10.0 * (self.squared_a.value() / noise).log10(),
        }
    }

    /// Σab / √(Σa² Σb²); 1 where all pairs are equal, 0 where one side only is all zero.
    pub(crate) fn cosine(&self) -> f64 {
        let norms = self.squared_a.value().sqrt() * self.squared_b.value().sqrt();
        if self.squared_error.value() == 0.0 {
            1.0
        } else if norms == 0.0 {
            0.0
        } else {
            (self.product.value() / norms).clamp(-1.0, 1.0)
        }
    }
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

    #[test]
    fn measures_of_a_small_case() {
        let mut measures = Measures::default();
        measures.add(&[3.0, 4.0, 0.0], &[3.0, 3.0, 0.0]);
        assert_eq!((measures.max_abs, measures.max_relative, measures.mean_square()), (1.0, 0.25, 1.0 / 3.0));
        assert_eq!(measures.sqnr_db(), 10.0 * 25f64.log10());
        assert_eq!(measures.cosine(), 21.0 / (5.0 * 18f64.sqrt()));
    }
}
