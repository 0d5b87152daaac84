//! Every operation, as an exact result of exact operands (P3109 §4.7 to §4.10, IEEE 754 for what that leaves out).

use crate::dyadic::Dyadic;
use crate::elementary::Function;
use crate::format::{Decoded, Format};
use crate::real::{Real, elementary};
use crate::round::{Exact, Located, Mode, Rounded, Saturation, flags};
use std::cmp::Ordering;

/// A code of a format, decoded.
#[derive(Clone, Debug)]
pub struct Operand<'a> {
    /// its format
    pub format: &'a Format,
    /// the code
    pub code: u64,
    /// what it is
    pub decoded: Decoded,
}

impl<'a> Operand<'a> {
    /// Decodes.
    pub fn new(format: &'a Format, code: u64) -> Operand<'a> {
        Operand { format, code, decoded: format.decode(code) }
    }

    fn is_nan(&self) -> bool {
        matches!(self.decoded, Decoded::Nan { .. })
    }
}

/// What an operation answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// a code of the result format
    Code(Rounded),
    /// a truth value
    Bool(bool),
    /// the name of a class
    Class(&'static str),
}

/// The operations that give a code: name, operands, scale factors.
pub const CODE_OPERATIONS: [(&str, usize, usize); 21] = [
    ("convert", 1, 0),
    ("abs", 1, 0),
    ("negate", 1, 0),
    ("copy_sign", 2, 0),
    ("add", 2, 0),
    ("subtract", 2, 0),
    ("multiply", 2, 0),
    ("divide", 2, 0),
    ("fma", 3, 0),
    ("sqrt", 1, 0),
    ("exp", 1, 0),
    ("exp2", 1, 0),
    ("log", 1, 0),
    ("log2", 1, 0),
    ("add_scaled", 2, 2),
    ("multiply_scaled", 2, 1),
    ("scaled_fma", 3, 2),
    ("minimum", 2, 0),
    ("maximum", 2, 0),
    ("next_up", 1, 0),
    ("next_down", 1, 0),
];

/// The operations of two operands that give a truth value.
pub const RELATIONS: [&str; 13] = [
    "compare_equal",
    "compare_greater",
    "compare_greater_equal",
    "compare_less",
    "compare_less_equal",
    "compare_ordered",
    "compare_not_equal",
    "compare_not_greater",
    "compare_less_unordered",
    "compare_not_less",
    "compare_greater_unordered",
    "compare_unordered",
    "total_order",
];

/// The predicates of one operand, and `class`.
pub const PREDICATES: [&str; 11] = [
    "is_zero",
    "is_one",
    "is_nan",
    "is_sign_minus",
    "is_normal",
    "is_subnormal",
    "is_finite",
    "is_infinite",
    "is_signaling",
    "is_canonical",
    "class",
];

/// The exact result of an operation that gives a code, and whether an operand was subnormal. `None` for other names.
pub fn exact(name: &str, operands: &[Operand], scales: &[i64]) -> Option<(Exact, bool)> {
    let denormal = operands.iter().any(|x| x.format.is_subnormal(x.code));
    // The first NaN operand decides the sign that a format without NaN clamps to.
    if let Some(nan) = operands.iter().find(|x| x.is_nan()) {
        CODE_OPERATIONS.iter().find(|(known, ..)| *known == name)?;
        return Some((nan.decoded.clone().into(), denormal));
    }
    let values: Vec<&Decoded> = operands.iter().map(|x| &x.decoded).collect();
    let result = match (name, &values[..], scales) {
        ("convert", &[x], []) => x.clone().into(),
        ("abs", &[x], []) => with_sign(x, false).into(),
        ("negate", &[x], []) => with_sign(x, !is_negative(x)).into(),
        ("copy_sign", &[x, y], []) => with_sign(x, is_negative(y)).into(),
        ("add", &[x, y], []) => sum(x, y),
        ("subtract", &[x, y], []) => sum(x, &with_sign(y, !is_negative(y))),
        ("multiply", &[x, y], []) => product(x, y).map_or(UNDEFINED, Exact::from),
        ("divide", &[x, y], []) => quotient(x, y),
        ("fma", &[x, y, z], []) => product(x, y).map_or(UNDEFINED, |p| sum(&p, z)),
        ("sqrt", &[x], []) => square_root(x),
        ("exp", &[x], []) => exponential(Function::Exp, x),
        ("exp2", &[x], []) => exponential(Function::Exp2, x),
        ("log", &[x], []) => logarithm(Function::Log, x),
        ("log2", &[x], []) => logarithm(Function::Log2, x),
        ("add_scaled", &[x, y], &[sx, sy]) => sum(&scaled(x, sx), &scaled(y, sy)),
        ("multiply_scaled", &[x, y], &[s]) => product(x, y).map_or(UNDEFINED, |p| scaled(&p, s).into()),
        ("scaled_fma", &[a, x, y], &[sa, s]) => {
            product(x, y).map_or(UNDEFINED, |p| sum(&scaled(a, sa), &scaled(&p, s)))
        }
        ("minimum", &[x, y], []) => if order(x, y).is_le() { x } else { y }.clone().into(),
        ("maximum", &[x, y], []) => if order(x, y).is_ge() { x } else { y }.clone().into(),
        ("next_up", &[x], []) => next(x, operands[0].format, false),
        ("next_down", &[x], []) => next(x, operands[0].format, true),
        _ => return None,
    };
    Some((result, denormal))
}

/// Any operation. `edition_4` is P3109 4.0's rule that a NaN is not negative.
pub fn evaluate(
    name: &str,
    operands: &[Operand],
    scales: &[i64],
    to: &Format,
    mode: Mode,
    saturation: Saturation,
    edition_4: bool,
) -> Option<Answer> {
    match operands {
        [x] if PREDICATES.contains(&name) => predicate(name, x, edition_4),
        [x, y] if RELATIONS.contains(&name) => relation(name, x, y).map(Answer::Bool),
        _ => {
            let (result, denormal) = exact(name, operands, scales)?;
            let rounded = Located::new(to, &result).project(mode, saturation);
            Some(Answer::Code(raise(rounded, denormal)))
        }
    }
}

/// Adds the Denormal flag.
pub fn raise(rounded: Rounded, denormal: bool) -> Rounded {
    Rounded { flags: rounded.flags | if denormal { flags::DENORMAL } else { 0 }, ..rounded }
}

const UNDEFINED: Exact = Exact::Nan { negative: false };

fn is_negative(x: &Decoded) -> bool {
    match *x {
        Decoded::Nan { negative } | Decoded::Infinite { negative } | Decoded::Finite { negative, .. } => {
            negative
        }
    }
}

fn with_sign(x: &Decoded, sign: bool) -> Decoded {
    let mut x = x.clone();
    match &mut x {
        Decoded::Nan { negative } | Decoded::Infinite { negative } | Decoded::Finite { negative, .. } => {
            *negative = sign;
        }
    }
    x
}

fn scaled(x: &Decoded, by: i64) -> Decoded {
    match x {
        Decoded::Finite { negative, magnitude } if !magnitude.is_zero() => {
            Decoded::Finite { negative: *negative, magnitude: magnitude.scaled(by) }
        }
        other => other.clone(),
    }
}

/// A finite value as a signed number.
fn signed(negative: bool, magnitude: &Dyadic) -> Dyadic {
    if negative { -magnitude } else { magnitude.clone() }
}

fn number(negative: bool, magnitude: Real) -> Exact {
    Exact::Number { negative, magnitude }
}

/// §4.8.3, no NaN among the operands; opposite infinities have no sum.
fn sum(x: &Decoded, y: &Decoded) -> Exact {
    match (x, y) {
        (
            Decoded::Finite { negative: nx, magnitude: mx },
            Decoded::Finite { negative: ny, magnitude: my },
        ) => {
            let total = &signed(*nx, mx) + &signed(*ny, my);
            if !total.is_zero() {
                number(total.is_negative(), Real::Dyadic(total.abs()))
            } else if nx == ny {
                Exact::Zero { negative: *nx }
            } else {
                Exact::Cancelled
            }
        }
        (Decoded::Infinite { negative: a }, Decoded::Infinite { negative: b }) if a != b => UNDEFINED,
        (infinite @ Decoded::Infinite { .. }, _) | (_, infinite) => infinite.clone().into(),
    }
}

/// §4.8.3, no NaN among the operands; `None` for 0 · ∞.
fn product(x: &Decoded, y: &Decoded) -> Option<Decoded> {
    let negative = is_negative(x) != is_negative(y);
    match (x, y) {
        (Decoded::Finite { magnitude: a, .. }, Decoded::Finite { magnitude: b, .. }) => {
            Some(Decoded::Finite { negative, magnitude: a * b })
        }
        (Decoded::Finite { magnitude, .. }, _) | (_, Decoded::Finite { magnitude, .. })
            if magnitude.is_zero() =>
        {
            None
        }
        _ => Some(Decoded::Infinite { negative }),
    }
}

/// §4.8.3: whatever is divided by zero is NaN; ∞/∞ is NaN, finite/∞ is zero.
fn quotient(x: &Decoded, y: &Decoded) -> Exact {
    let negative = is_negative(x) != is_negative(y);
    match (x, y) {
        (_, Decoded::Finite { magnitude, .. }) if magnitude.is_zero() => UNDEFINED,
        (Decoded::Finite { magnitude, .. }, Decoded::Finite { .. }) if magnitude.is_zero() => {
            Exact::Zero { negative }
        }
        (Decoded::Finite { magnitude: n, .. }, Decoded::Finite { magnitude: d, .. }) => {
            number(negative, Real::Quotient(n.clone(), d.clone()))
        }
        (Decoded::Finite { .. }, _) => Exact::Zero { negative },
        (_, Decoded::Finite { .. }) => Exact::Infinite { negative },
        _ => UNDEFINED,
    }
}

/// §4.8.4; √−0 is −0 (IEEE 754 §5.4.1).
fn square_root(x: &Decoded) -> Exact {
    match x {
        Decoded::Finite { negative, magnitude } if magnitude.is_zero() => Exact::Zero { negative: *negative },
        x if is_negative(x) => UNDEFINED,
        Decoded::Finite { magnitude, .. } => number(false, Real::Root(magnitude.clone())),
        _ => Exact::Infinite { negative: false },
    }
}

/// §4.8.4: 0 at −∞, ∞ at ∞.
fn exponential(function: Function, x: &Decoded) -> Exact {
    match x {
        Decoded::Finite { magnitude, .. } if magnitude.is_zero() => {
            number(false, Real::Dyadic(Dyadic::power(0)))
        }
        Decoded::Finite { negative, magnitude } => {
            match elementary(function, &signed(*negative, magnitude)) {
                Some((negative, magnitude)) => number(negative, magnitude),
                None => Exact::Zero { negative: false },
            }
        }
        _ if is_negative(x) => Exact::Zero { negative: false },
        _ => Exact::Infinite { negative: false },
    }
}

/// §4.8.4: −∞ at zero, NaN below, ∞ at ∞.
fn logarithm(function: Function, x: &Decoded) -> Exact {
    match x {
        Decoded::Finite { magnitude, .. } if magnitude.is_zero() => Exact::Infinite { negative: true },
        x if is_negative(x) => UNDEFINED,
        Decoded::Finite { magnitude, .. } => match elementary(function, magnitude) {
            Some((negative, magnitude)) => number(negative, magnitude),
            None => Exact::Zero { negative: false },
        },
        _ => Exact::Infinite { negative: false },
    }
}

/// IEEE 754 §5.3.1, in the sorted list of `format`. Past the largest value there is infinity, and an unsigned format
/// has only −∞ below its least value.
fn next(x: &Decoded, format: &Format, down: bool) -> Exact {
    let at = |index: u64, negative: bool| -> Exact {
        let magnitude = format.rung(index).1;
        let negative = negative && (!magnitude.is_zero() || format.negative_zero);
        Decoded::Finite { negative, magnitude }.into()
    };
    let last = format.finite_count() - 1;
    let (negative, magnitude) = match x {
        Decoded::Finite { negative, magnitude } => (*negative, magnitude),
        _ if is_negative(x) == down => return x.clone().into(),
        _ => return at(last, is_negative(x)),
    };
    if magnitude.is_zero() {
        return if down && !format.signed { Exact::Infinite { negative: true } } else { at(1, down) };
    }
    let index = format.index_of(magnitude);
    if negative == down {
        if index == last { Exact::Infinite { negative: down } } else { at(index + 1, negative) }
    } else if index > 0 {
        at(index - 1, negative)
    } else if format.signed {
        at(0, down)
    } else {
        Exact::Infinite { negative: true }
    }
}

/// The order in which −0 precedes +0; no NaN.
fn order(x: &Decoded, y: &Decoded) -> Ordering {
    numeric(x, y).then_with(|| is_negative(y).cmp(&is_negative(x)))
}

/// The order of the extended reals; no NaN.
fn numeric(x: &Decoded, y: &Decoded) -> Ordering {
    // −∞, finite, +∞ as −1, 0, 1.
    let rank = |x: &Decoded| match x {
        Decoded::Infinite { negative } => {
            if *negative {
                -1
            } else {
                1
            }
        }
        _ => 0,
    };
    match (x, y) {
        (
            Decoded::Finite { negative: nx, magnitude: mx },
            Decoded::Finite { negative: ny, magnitude: my },
        ) => signed(*nx, mx).cmp(&signed(*ny, my)),
        _ => rank(x).cmp(&rank(y)),
    }
}

/// §4.10.5 and Table 5 of §4.10.6.
fn relation(name: &str, x: &Operand, y: &Operand) -> Option<bool> {
    let unordered = x.is_nan() || y.is_nan();
    if name == "total_order" {
        return Some(x.is_nan() || !y.is_nan() && order(&x.decoded, &y.decoded).is_le());
    }
    let is = |wanted: &[Ordering]| !unordered && wanted.contains(&numeric(&x.decoded, &y.decoded));
    use Ordering::{Equal, Greater, Less};
    Some(match name {
        "compare_equal" => is(&[Equal]),
        "compare_greater" => is(&[Greater]),
        "compare_greater_equal" => is(&[Greater, Equal]),
        "compare_less" => is(&[Less]),
        "compare_less_equal" => is(&[Less, Equal]),
        "compare_ordered" => is(&[Less, Equal, Greater]),
        "compare_not_equal" => unordered || is(&[Less, Greater]),
        "compare_not_greater" => unordered || is(&[Less, Equal]),
        "compare_less_unordered" => unordered || is(&[Less]),
        "compare_not_less" => unordered || is(&[Equal, Greater]),
        "compare_greater_unordered" => unordered || is(&[Greater]),
        "compare_unordered" => unordered,
        _ => return None,
    })
}

/// Table 4 of §4.10.4.
fn class(x: &Operand) -> &'static str {
    match &x.decoded {
        Decoded::Nan { .. } => "nan",
        Decoded::Infinite { negative: true } => "negative_infinity",
        Decoded::Infinite { negative: false } => "positive_infinity",
        Decoded::Finite { magnitude, .. } if magnitude.is_zero() => "zero",
        Decoded::Finite { negative, magnitude } => {
            match (*magnitude < x.format.smallest_normal(), negative) {
                (true, true) => "negative_subnormal",
                (true, false) => "positive_subnormal",
                (false, true) => "negative_normal",
                (false, false) => "positive_normal",
            }
        }
    }
}

/// §4.10.3 and §4.10.4.
fn predicate(name: &str, x: &Operand, edition_4: bool) -> Option<Answer> {
    let class = class(x);
    let finite = matches!(x.decoded, Decoded::Finite { .. });
    Some(Answer::Bool(match name {
        "class" => return Some(Answer::Class(class)),
        "is_zero" => class == "zero",
        "is_one" => x.decoded == Decoded::Finite { negative: false, magnitude: Dyadic::power(0) },
        "is_nan" => x.is_nan(),
        "is_sign_minus" => is_negative(&x.decoded) && !(x.is_nan() && edition_4),
        "is_normal" => class.ends_with("_normal"),
        "is_subnormal" => class.ends_with("_subnormal"),
        "is_finite" => finite,
        "is_infinite" => class.ends_with("_infinity"),
        "is_signaling" => x.is_nan() && x.format.signals(x.code),
        // A finite code is canonical if its value is encoded so.
        "is_canonical" => {
            !finite || {
                let value = x.decoded.clone().into();
                Located::new(x.format, &value).project(Mode::TowardZero, Saturation::Max).code == x.code
            }
        }
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, format: &str, codes: &[u64]) -> Answer {
        let format = Format::named(format).unwrap();
        let operands: Vec<Operand> = codes.iter().map(|&code| Operand::new(&format, code)).collect();
        evaluate(name, &operands, &[], &format, Mode::NearestEven, Saturation::Overflow, false).unwrap()
    }

    fn code(code: u64, flags: u8) -> Answer {
        Answer::Code(Rounded { code, flags })
    }

    #[test]
    fn arithmetic_in_f32_is_the_machines() {
        let cases = [(1.5f32, 2.25f32), (1e30, -3e-9), (-7.0, 3.0), (1.1e-41, 5e-39), (3e38, 2e38)];
        for (x, y) in cases {
            let bits = |v: f32| u64::from(v.to_bits());
            for (name, machine) in
                [("add", x + y), ("subtract", x - y), ("multiply", x * y), ("divide", x / y)]
            {
                let Answer::Code(ours) = run(name, "f32", &[bits(x), bits(y)]) else { panic!("a code") };
                assert_eq!(ours.code, bits(machine), "{x} {name} {y}");
            }
            let Answer::Code(root) = run("sqrt", "f32", &[bits(y.abs())]) else { panic!("a code") };
            assert_eq!(root.code, bits(y.abs().sqrt()), "sqrt {y}");
        }
    }

    #[test]
    fn special_cases_of_the_report() {
        // §4.8.3, §4.8.4 in binary8p3: 0x7f Inf, 0xff -Inf, 0x80 NaN, 0x40 one.
        assert_eq!(run("divide", "binary8p3", &[0x40, 0]), code(0x80, flags::INVALID));
        assert_eq!(run("add", "binary8p3", &[0x7f, 0xff]), code(0x80, flags::INVALID));
        assert_eq!(run("multiply", "binary8p3", &[0, 0xff]), code(0x80, flags::INVALID));
        assert_eq!(run("log", "binary8p3", &[0]), code(0xff, 0));
        assert_eq!(run("exp", "binary8p3", &[0xff]), code(0, 0));
        assert_eq!(run("next_up", "binary8p3", &[0x7e]), code(0x7f, 0));
        assert_eq!(run("next_down", "binary8p3", &[0]), code(0x81, 0));
        assert_eq!(run("class", "binary8p3", &[0x83]), Answer::Class("negative_subnormal"));
        assert_eq!(run("total_order", "binary8p3", &[0x80, 0xff]), Answer::Bool(true));
    }
}
