//! Bounds on all numbers that a product computes, from the magnitudes of A, B and C; [`super::select`] decides by them.

use binade::Format;

use super::select::Data;
use super::source::MagnitudeRange;

/// Bounds on all numbers that an operator of BF16 parts computes.
///
/// Let a, b and C be multiples of 2^α, 2^β and 2^γ: a number of 24 bits and at least 2^e is a multiple of 2^(e − 23).
/// Then every computed number is a multiple of 2^g, g = min(α + β, γ). Rounding to a precision keeps multiples of a
/// power of two that is not larger than the number.
///
/// Rounding is monotone, so the magnitude of C grows by at most twice that of the product in each step. It stays below
/// |C| + 4 Σ |a · b|, which includes the rounding of the products themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    a: MagnitudeRange,
    b: MagnitudeRange,
    c: MagnitudeRange,
    depth: usize,
}

impl Guard {
    pub(crate) fn new(data: &Data) -> Guard {
        let [a, b, c] = (data.magnitudes)();
        Guard { a, b, c, depth: data.depth }
    }

    /// The guard for A and B rounded to a format first. It does not bound overflow.
    pub(crate) fn rounded_to(self, format: Format) -> Guard {
        // Rounding gives 0 or at least the least positive number, and never crosses a power of two that the format
        // represents.
        let least = format.emin() - format.precision() as i32;
        Guard { a: self.a.at_least(least), b: self.b.at_least(least), ..self }
    }

    /// (min(α, β), g) for inputs and accumulators that were rounded to `input_bits` and `accumulator_bits` bits.
    fn units(&self, input_bits: i32, accumulator_bits: i32) -> (i32, i32) {
        let (alpha, beta) =
            (self.a.least_exponent() - (input_bits - 1), self.b.least_exponent() - (input_bits - 1));
        let gamma = self.c.least_exponent() - (accumulator_bits - 1);
        (alpha.min(beta), (alpha + beta).min(gamma))
    }

    /// True if no computed number is subnormal: with g ≥ −126 no nonzero number is below 2^−126, and with α, β ≥ −126
    /// neither are the parts that are multiplied.
    pub(crate) fn all_normal(&self, input_bits: i32, accumulator_bits: i32) -> bool {
        let (factors, g) = self.units(input_bits, accumulator_bits);
        factors.min(g) >= -126
    }

    /// True if no rounding differs from one with unbounded exponents below: BF16's subnormals are the multiples of
    /// 2^−133.
    pub(crate) fn no_underflow(&self, input_bits: i32, accumulator_bits: i32) -> bool {
        self.units(input_bits, accumulator_bits).1 >= -133
    }

    /// The exponent of a power of two above all products, however their parts are rounded. |a| < 2^(e + 1) has a
    /// leading part of at most 2^(e + 1), and the products with other parts are far smaller.
    pub(crate) fn products_below(&self) -> i32 {
        self.a.largest_exponent() + self.b.largest_exponent() + 3
    }

    /// True if the steps of [`Capped`](super::ranged::Capped) are right, for inputs of one part and accumulators of
    /// three.
    pub(crate) fn allows_capped(&self) -> bool {
        // Rounding to BF16 raises magnitudes by 2^−8 at most.
        let product = self.a.largest() * self.b.largest() * 1.01;
        let finite = self.a.largest_exponent().max(self.b.largest_exponent()) < 127;
        finite && product < 0.99 * 2f64.powi(129) && self.units(8, 24).1 >= 30
    }

    /// True if all numbers and their parts are finite.
    pub(crate) fn no_overflow(&self) -> bool {
        let (a, b) = (self.a.largest_exponent() + 2, self.b.largest_exponent() + 2);
        a < 126 && b < 126 && self.stays_below(124, a + b)
    }

    /// True if all numbers stay finite when multiplied by 65536, as [`super::veltkamp`] does.
    pub(crate) fn allows_veltkamp(&self) -> bool {
        self.no_overflow() && self.stays_below(107, self.a.largest_exponent() + self.b.largest_exponent() + 4)
    }

    /// [`Guard::allows_veltkamp`] for A and B that are numbers of a format.
    pub(crate) fn allows_veltkamp_in(&self, format: Format) -> bool {
        self.stays_below(107, 2 * (format.emax() + 1))
    }

    /// True if all numbers are below 2^(exponent + 2), for products below 2^products.
    fn stays_below(&self, exponent: i32, products: i32) -> bool {
        let steps = usize::BITS as i32 - self.depth.leading_zeros() as i32;
        self.c.largest_exponent() < exponent && products + steps + 2 < exponent
    }
}
