//! What the magnitudes of A, B and C say about all that a product computes.

use binade::Format;

use super::select::Data;
use super::source::Extent;

/// Bounds of everything that an operator of BF16 parts computes.
///
/// Let a, b and C be multiples of 2^α, 2^β and 2^γ, as numbers of at least 2^e of 24 bits are of 2^(e − 23).
/// Everything computed is a multiple of 2^g, g = min(α + β, γ), since rounding to a precision keeps multiples
/// of a power of two that is not larger than the number. The magnitude of C grows by at most twice that of
/// the product a step, as rounding is monotone, which bounds it by |C| + 4 Σ |a · b| with room for the
/// products' own rounding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    a: Extent,
    b: Extent,
    c: Extent,
    depth: usize,
}

impl Guard {
    pub(crate) fn new(data: &Data) -> Guard {
        let [a, b, c] = (data.extents)();
        Guard { a, b, c, depth: data.depth }
    }

    /// The guard for A and B rounded to a format first. It does not know about overflow then.
    pub(crate) fn rounded_to(self, format: Format) -> Guard {
        // Rounding leaves 0 or at least the least positive number, and never goes below a power of two that
        // the format has.
        let least = format.emin() - format.precision() as i32;
        Guard { a: self.a.at_least(least), b: self.b.at_least(least), ..self }
    }

    /// (min(α, β), g) for inputs and accumulators that are rounded to so many bits first.
    fn units(&self, input_bits: i32, accumulator_bits: i32) -> (i32, i32) {
        let (alpha, beta) =
            (self.a.least_exponent() - (input_bits - 1), self.b.least_exponent() - (input_bits - 1));
        let gamma = self.c.least_exponent() - (accumulator_bits - 1);
        (alpha.min(beta), (alpha + beta).min(gamma))
    }

    /// Whether nothing is ever subnormal: with g ≥ −126 nothing nonzero is below 2^−126, and parts that are
    /// multiplied are not either if α, β ≥ −126.
    pub(crate) fn all_normal(&self, input_bits: i32, accumulator_bits: i32) -> bool {
        let (factors, g) = self.units(input_bits, accumulator_bits);
        factors.min(g) >= -126
    }

    /// Whether no rounding ever differs from one with unbounded exponents below: BF16's subnormals are the
    /// multiples of 2^−133.
    pub(crate) fn no_underflow(&self, input_bits: i32, accumulator_bits: i32) -> bool {
        self.units(input_bits, accumulator_bits).1 >= -133
    }

    /// An exponent of a power of two that no product reaches, however its parts are rounded: |a| < 2^(e + 1) has a
    /// leading part of at most 2^(e + 1), and the products with other parts are far smaller.
    pub(crate) fn products_below(&self) -> i32 {
        self.a.largest_exponent() + self.b.largest_exponent() + 3
    }

    /// Whether [`Capped`](super::ranged::Capped)'s steps are right for inputs of one part and accumulators of three.
    pub(crate) fn capped(&self) -> bool {
        // Rounding to BF16 raises magnitudes by 2^-8 at the most.
        let product = self.a.largest() * self.b.largest() * 1.01;
        let finite = self.a.largest_exponent().max(self.b.largest_exponent()) < 127;
        finite && product < 0.99 * 2f64.powi(129) && self.units(8, 24).1 >= 30
    }

    /// Whether all is finite, and its parts too.
    pub(crate) fn no_overflow(&self) -> bool {
        let (a, b) = (self.a.largest_exponent() + 2, self.b.largest_exponent() + 2);
        a < 126 && b < 126 && self.below(124, a + b)
    }

    /// Whether all is finite where it is multiplied by 65536, as [`super::spread`] does.
    pub(crate) fn spreads(&self) -> bool {
        self.no_overflow() && self.below(107, self.a.largest_exponent() + self.b.largest_exponent() + 4)
    }

    /// The same for A and B that are numbers of a format.
    pub(crate) fn spreads_in(&self, format: Format) -> bool {
        self.below(107, 2 * (format.emax() + 1))
    }

    /// Whether all is below 2^(exponent + 2), for products below 2^products.
    fn below(&self, exponent: i32, products: i32) -> bool {
        let steps = usize::BITS as i32 - self.depth.leading_zeros() as i32;
        self.c.largest_exponent() < exponent && products + steps + 2 < exponent
    }
}
