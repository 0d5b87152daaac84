//! Names of elementwise operations, as programs spell them: those of chlo with `chlo.`, all others without `stablehlo.`.

use crate::ir::{Binary, Unary};

impl Unary {
    /// All of them, in the order of the declaration.
    pub const ALL: [(Unary, &'static str); 45] = [
        (Unary::Abs, "abs"),
        (Unary::Cbrt, "cbrt"),
        (Unary::Ceil, "ceil"),
        (Unary::Cosine, "cosine"),
        (Unary::CountLeadingZeros, "count_leading_zeros"),
        (Unary::Exponential, "exponential"),
        (Unary::ExponentialMinusOne, "exponential_minus_one"),
        (Unary::Floor, "floor"),
        (Unary::Imag, "imag"),
        (Unary::IsFinite, "is_finite"),
        (Unary::Log, "log"),
        (Unary::LogPlusOne, "log_plus_one"),
        (Unary::Logistic, "logistic"),
        (Unary::Negate, "negate"),
        (Unary::Not, "not"),
        (Unary::Popcnt, "popcnt"),
        (Unary::Real, "real"),
        (Unary::RoundNearestAfz, "round_nearest_afz"),
        (Unary::RoundNearestEven, "round_nearest_even"),
        (Unary::Rsqrt, "rsqrt"),
        (Unary::Sign, "sign"),
        (Unary::Sine, "sine"),
        (Unary::Sqrt, "sqrt"),
        (Unary::Tan, "tan"),
        (Unary::Tanh, "tanh"),
        (Unary::Acos, "chlo.acos"),
        (Unary::Acosh, "chlo.acosh"),
        (Unary::Asin, "chlo.asin"),
        (Unary::Asinh, "chlo.asinh"),
        (Unary::Atan, "chlo.atan"),
        (Unary::Atanh, "chlo.atanh"),
        (Unary::BesselI1e, "chlo.bessel_i1e"),
        (Unary::Conj, "chlo.conj"),
        (Unary::Cosh, "chlo.cosh"),
        (Unary::Digamma, "chlo.digamma"),
        (Unary::Erf, "chlo.erf"),
        (Unary::ErfInv, "chlo.erf_inv"),
        (Unary::Erfc, "chlo.erfc"),
        (Unary::IsInf, "chlo.is_inf"),
        (Unary::IsNegInf, "chlo.is_neg_inf"),
        (Unary::IsPosInf, "chlo.is_pos_inf"),
        (Unary::Lgamma, "chlo.lgamma"),
        (Unary::Sinh, "chlo.sinh"),
        (Unary::Square, "chlo.square"),
        (Unary::AsinAcosKernel, "chlo._asin_acos_kernel"),
    ];

    /// The name that programs spell.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

impl Binary {
    /// All of them, in the order of the declaration.
    pub const ALL: [(Binary, &'static str); 20] = [
        (Binary::Add, "add"),
        (Binary::And, "and"),
        (Binary::Atan2, "atan2"),
        (Binary::Complex, "complex"),
        (Binary::Divide, "divide"),
        (Binary::Maximum, "maximum"),
        (Binary::Minimum, "minimum"),
        (Binary::Multiply, "multiply"),
        (Binary::Or, "or"),
        (Binary::Power, "power"),
        (Binary::Remainder, "remainder"),
        (Binary::ShiftLeft, "shift_left"),
        (Binary::ShiftRightArithmetic, "shift_right_arithmetic"),
        (Binary::ShiftRightLogical, "shift_right_logical"),
        (Binary::Subtract, "subtract"),
        (Binary::Xor, "xor"),
        (Binary::MulHigh, "chlo.mulhi"),
        (Binary::NextAfter, "chlo.next_after"),
        (Binary::Polygamma, "chlo.polygamma"),
        (Binary::Zeta, "chlo.zeta"),
    ];

    /// The name that programs spell.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_in_order() {
        assert!(Unary::ALL.iter().enumerate().all(|(index, (op, _))| *op as usize == index));
        assert!(Binary::ALL.iter().enumerate().all(|(index, (op, _))| *op as usize == index));
    }
}
