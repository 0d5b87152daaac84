//! The functions of P3109 4.0 §4.10.9 to §4.10.16 at infinities, zeros, poles, and outside their domains.

use super::arithmetic::{INFINITY, MINUS_INFINITY};
use crate::elementary::{self, Function, arc_tan2 as angle, arc_tan2_pi as angle_pi};
use crate::exact::{Finite, Value};

const HALF: Finite = Finite::new(false, 1, -1);

const fn one(negative: bool) -> Value {
    Value::Finite(Finite::new(negative, 1, 0))
}

/// π/2, truncated, with a sign.
fn right_angle(negative: bool) -> Value {
    Value::Finite(angle(Finite::new(negative, 1, 0), Finite::zero(false)))
}

impl Function {
    /// Every function, in the order of the report.
    pub const ALL: [Function; 21] = [
        Function::LogOnePlus,
        Function::ExpMinusOne,
        Function::Sin,
        Function::Cos,
        Function::Tan,
        Function::ArcSin,
        Function::ArcCos,
        Function::ArcTan,
        Function::Sinh,
        Function::Cosh,
        Function::Tanh,
        Function::ArcSinh,
        Function::ArcCosh,
        Function::ArcTanh,
        Function::SinPi,
        Function::CosPi,
        Function::TanPi,
        Function::ArcSinPi,
        Function::ArcCosPi,
        Function::ArcTanPi,
        Function::Softplus,
    ];

    /// The snake-case name, 4.0's, and its clause there.
    pub(super) const fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Function::LogOnePlus => ("log_one_plus", "LogOnePlus", "§4.10.9"),
            Function::ExpMinusOne => ("exp_minus_one", "ExpMinusOne", "§4.10.9"),
            Function::Sin => ("sin", "Sin", "§4.10.10"),
            Function::Cos => ("cos", "Cos", "§4.10.10"),
            Function::Tan => ("tan", "Tan", "§4.10.10"),
            Function::ArcSin => ("arc_sin", "ArcSin", "§4.10.10"),
            Function::ArcCos => ("arc_cos", "ArcCos", "§4.10.10"),
            Function::ArcTan => ("arc_tan", "ArcTan", "§4.10.10"),
            Function::Sinh => ("sinh", "Sinh", "§4.10.11"),
            Function::Cosh => ("cosh", "Cosh", "§4.10.11"),
            Function::Tanh => ("tanh", "Tanh", "§4.10.11"),
            Function::ArcSinh => ("arc_sinh", "ArcSinh", "§4.10.11"),
            Function::ArcCosh => ("arc_cosh", "ArcCosh", "§4.10.11"),
            Function::ArcTanh => ("arc_tanh", "ArcTanh", "§4.10.11"),
            Function::SinPi => ("sin_pi", "SinPi", "§4.10.12"),
            Function::CosPi => ("cos_pi", "CosPi", "§4.10.12"),
            Function::TanPi => ("tan_pi", "TanPi", "§4.10.12"),
            Function::ArcSinPi => ("arc_sin_pi", "ArcSinPi", "§4.10.12"),
            Function::ArcCosPi => ("arc_cos_pi", "ArcCosPi", "§4.10.12"),
            Function::ArcTanPi => ("arc_tan_pi", "ArcTanPi", "§4.10.12"),
            Function::Softplus => ("softplus", "Softplus", "§4.10.13"),
        }
    }

    /// The value of the function at x.
    pub(super) fn of(self, x: Value) -> Value {
        let (below, above) = self.limits();
        x.map(below, above, |x| self.of_finite(x))
    }

    /// The values at −∞ and at +∞.
    fn limits(self) -> (Value, Value) {
        use Function as F;
        const NONE: Value = Value::UNDEFINED;
        match self {
            F::LogOnePlus | F::ArcCosh => (NONE, INFINITY),
            F::ExpMinusOne => (one(true), INFINITY),
            F::Sin | F::Cos | F::Tan | F::SinPi | F::CosPi | F::TanPi => (NONE, NONE),
            F::ArcSin | F::ArcCos | F::ArcSinPi | F::ArcCosPi | F::ArcTanh => (NONE, NONE),
            F::ArcTan => (right_angle(true), right_angle(false)),
            F::ArcTanPi => (Value::Finite(Finite { negative: true, ..HALF }), Value::Finite(HALF)),
            F::Sinh | F::ArcSinh => (MINUS_INFINITY, INFINITY),
            F::Cosh => (INFINITY, INFINITY),
            F::Tanh => (one(true), one(false)),
            F::Softplus => (Value::ZERO, INFINITY),
        }
    }

    /// Handles poles, ends of domains, and zeros (with the sign of x, as in IEEE 754 §9.2), and evaluates the function
    /// elsewhere.
    fn of_finite(self, x: Finite) -> Value {
        use Function as F;
        let with_one = Value::Finite(x).magnitude().partial_cmp(&Value::ONE);
        let (beyond_one, at_one) = (with_one.is_some_and(|o| o.is_gt()), with_one.is_some_and(|o| o.is_eq()));
        match self {
            F::Cos | F::Cosh | F::CosPi if x.is_zero() => Value::ONE,
            F::ArcCos | F::ArcCosPi | F::Softplus if x.is_zero() => {
                Value::Finite(elementary::function(self, x))
            }
            F::ArcCosh if x.negative || !(beyond_one || at_one) => Value::UNDEFINED,
            _ if x.is_zero() => Value::Finite(x),
            F::LogOnePlus if x.negative && beyond_one => Value::UNDEFINED,
            F::LogOnePlus if x.negative && at_one => MINUS_INFINITY,
            F::ArcSin | F::ArcCos | F::ArcSinPi | F::ArcCosPi | F::ArcTanh if beyond_one => Value::UNDEFINED,
            F::ArcTanh if at_one => Value::Infinite { negative: x.negative },
            F::ArcCos | F::ArcCosPi | F::ArcCosh if at_one && !x.negative => Value::ZERO,
            // Half an odd integer.
            F::TanPi if x.exponent + x.significand.trailing_zeros() as i64 == -1 => Value::UNDEFINED,
            _ => Value::Finite(elementary::function(self, x)),
        }
    }
}

/// The angle of the point (x, y) (4.0 §4.10.15), for operands that are not NaN. The report prints π for any Y at X =
/// −∞; for negative Y this function returns the limit, −π. A zero angle has the sign of y.
pub(super) fn arc_tan2(y: Value, x: Value) -> Value {
    of_point(y, x, angle)
}

/// [`arc_tan2`] divided by π (4.0 §4.10.16).
pub(super) fn arc_tan2_pi(y: Value, x: Value) -> Value {
    of_point(y, x, angle_pi)
}

fn of_point(y: Value, x: Value, angle: fn(Finite, Finite) -> Finite) -> Value {
    // A point in the same direction, or in the direction of the limit.
    let unit = |negative| Finite::new(negative, 1, 0);
    let zero = Finite::zero(false);
    let straight = |negative| Finite { negative, ..angle(zero, unit(true)) };
    Value::Finite(match (y, x) {
        (Value::Infinite { .. }, Value::Infinite { .. }) => return Value::UNDEFINED,
        (_, Value::Infinite { negative: false }) => Finite::zero(y.negative()),
        // The sign of a zero y is ignored: §4.10.15 has π for it.
        (Value::Finite(y), Value::Infinite { .. }) => straight(y.negative && !y.is_zero()),
        (Value::Infinite { negative }, _) => angle(unit(negative), zero),
        (Value::Finite(y), Value::Finite(x)) => match (y.is_zero(), x.is_zero()) {
            (true, true) => return Value::UNDEFINED,
            (true, false) if x.negative => straight(false),
            (true, false) => Finite::zero(y.negative),
            _ => angle(y, x),
        },
        _ => return Value::UNDEFINED,
    })
}
