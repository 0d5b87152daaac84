//! Every operation, as an exact result of exact operands (P3109 §4.7 to §4.10; IEEE 754 for operations that it lacks).

use crate::dyadic::Dyadic;
use crate::elementary::Function;
use crate::elementary::HUGE;
use crate::format::{Decoded, Format};
use crate::functions::{NAMES, Transcendental};
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
    /// its value
    pub decoded: Decoded,
}

impl<'a> Operand<'a> {
    /// Decodes.
    pub fn new(format: &'a Format, code: u64) -> Operand<'a> {
        Operand { format, code, decoded: format.decode(code) }
    }

    /// The operand as 4.0 §4.8.1 or 0.9.1 reads it: only 4.0 reads −0 as 0.
    pub fn read(&self, edition_4: bool) -> Operand<'a> {
        match &self.decoded {
            Decoded::Finite { negative: true, magnitude } if edition_4 && magnitude.is_zero() => {
                Operand { decoded: Decoded::Finite { negative: false, magnitude: Dyadic::zero() }, ..*self }
            }
            _ => self.clone(),
        }
    }

    fn is_nan(&self) -> bool {
        matches!(self.decoded, Decoded::Nan { .. })
    }
}

/// The answer of an operation.
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
pub const CODE_OPERATIONS: [(&str, usize, usize); 62] = [
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
    ("faa", 3, 0),
    ("recip", 1, 0),
    ("rsqrt", 1, 0),
    ("hypot", 2, 0),
    ("arc_tan2", 2, 0),
    ("arc_tan2_pi", 2, 0),
    ("log_one_plus", 1, 0),
    ("exp_minus_one", 1, 0),
    ("sin", 1, 0),
    ("cos", 1, 0),
    ("tan", 1, 0),
    ("arc_sin", 1, 0),
    ("arc_cos", 1, 0),
    ("arc_tan", 1, 0),
    ("sinh", 1, 0),
    ("cosh", 1, 0),
    ("tanh", 1, 0),
    ("arc_sinh", 1, 0),
    ("arc_cosh", 1, 0),
    ("arc_tanh", 1, 0),
    ("sin_pi", 1, 0),
    ("cos_pi", 1, 0),
    ("tan_pi", 1, 0),
    ("arc_sin_pi", 1, 0),
    ("arc_cos_pi", 1, 0),
    ("arc_tan_pi", 1, 0),
    ("softplus", 1, 0),
    ("scaled_add", 4, 0),
    ("scaled_subtract", 4, 0),
    ("scaled_multiply", 4, 0),
    ("minimum_number", 2, 0),
    ("maximum_number", 2, 0),
    ("minimum_magnitude", 2, 0),
    ("maximum_magnitude", 2, 0),
    ("minimum_magnitude_number", 2, 0),
    ("maximum_magnitude_number", 2, 0),
    ("minimum_finite", 2, 0),
    ("maximum_finite", 2, 0),
    ("clamp", 3, 0),
    ("next_greater_than", 1, 0),
    ("next_less_than", 1, 0),
];

/// The minima and maxima.
pub const EXTREMA: [&str; 10] = [
    "minimum",
    "maximum",
    "minimum_number",
    "maximum_number",
    "minimum_magnitude",
    "maximum_magnitude",
    "minimum_magnitude_number",
    "maximum_magnitude_number",
    "minimum_finite",
    "maximum_finite",
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

/// The exact result of an operation that gives a code, and true if an operand was subnormal. `None` for other names.
pub fn exact(name: &str, operands: &[Operand], scales: &[i64]) -> Option<(Exact, bool)> {
    let denormal = operands.iter().any(|x| x.format.is_subnormal(x.code));
    if let (Some((kind, chosen)), [x, y]) = (name.split_once('_'), operands)
        && matches!(chosen, "number" | "magnitude_number" | "finite")
        && let Some(result) = extremum_of_numbers(kind, chosen, x, y)
    {
        return Some((result, denormal));
    }
    // The first NaN operand gives the sign to which a format without NaN clamps.
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
        ("faa", &[x, y, z], []) => sum_of_three(x, y, z),
        ("recip", &[x], []) => quotient(&Decoded::Finite { negative: false, magnitude: Dyadic::power(0) }, x),
        ("rsqrt", &[x], []) => match x {
            Decoded::Finite { magnitude, .. } if magnitude.is_zero() => UNDEFINED,
            x if is_negative(x) => UNDEFINED,
            Decoded::Finite { magnitude, .. } => number(false, Real::ReciprocalRoot(magnitude.clone())),
            _ => Exact::Zero { negative: false },
        },
        ("hypot", &[x, y], []) => match (x, y) {
            (Decoded::Finite { magnitude: a, .. }, Decoded::Finite { magnitude: b, .. }) => {
                let squares = &(a * a) + &(b * b);
                if squares.is_zero() {
                    Exact::Zero { negative: false }
                } else {
                    number(false, Real::Root(squares))
                }
            }
            _ => Exact::Infinite { negative: false },
        },
        ("arc_tan2" | "arc_tan2_pi", &[y, x], []) => angle(name == "arc_tan2_pi", y, x),
        (name, &[x], []) if let Some(name) = NAMES.iter().find(|known| **known == name) => function(name, x),
        ("scaled_add", &[sx, x, sy, y], []) => {
            product(sx, x).zip(product(sy, y)).map_or(UNDEFINED, |(x, y)| sum(&x, &y))
        }
        ("scaled_subtract", &[sx, x, sy, y], []) => product(sx, x)
            .zip(product(sy, y))
            .map_or(UNDEFINED, |(x, y)| sum(&x, &with_sign(&y, !is_negative(&y)))),
        ("scaled_multiply", &[sx, x, sy, y], []) => product(sx, x)
            .zip(product(sy, y))
            .and_then(|(x, y)| product(&x, &y))
            .map_or(UNDEFINED, Exact::from),
        ("minimum_magnitude", &[x, y], []) => {
            let by_magnitude = order(&with_sign(x, false), &with_sign(y, false));
            if by_magnitude.then(order(x, y)).is_le() { x } else { y }.clone().into()
        }
        ("maximum_magnitude", &[x, y], []) => {
            let by_magnitude = order(&with_sign(x, false), &with_sign(y, false));
            if by_magnitude.then(order(x, y)).is_ge() { x } else { y }.clone().into()
        }
        // Without NaN, and with finite values only beside finite ones, these are the plain minima and maxima.
        ("minimum_number" | "minimum_magnitude_number" | "minimum_finite", _, []) => {
            let plain = if name.contains("magnitude") { "minimum_magnitude" } else { "minimum" };
            return exact(plain, operands, scales);
        }
        ("maximum_number" | "maximum_magnitude_number" | "maximum_finite", _, []) => {
            let plain = if name.contains("magnitude") { "maximum_magnitude" } else { "maximum" };
            return exact(plain, operands, scales);
        }
        ("clamp", &[x, lo, hi], []) => match (numeric(lo, hi), numeric(x, lo), numeric(x, hi)) {
            (Ordering::Greater, ..) => UNDEFINED,
            (_, Ordering::Less | Ordering::Equal, _) => lo.clone().into(),
            (_, _, Ordering::Greater | Ordering::Equal) => hi.clone().into(),
            _ => x.clone().into(),
        },
        ("next_greater_than", &[x], []) => next_than(x, operands[0].format, false),
        ("next_less_than", &[x], []) => next_than(x, operands[0].format, true),
        ("minimum", &[x, y], []) => if order(x, y).is_le() { x } else { y }.clone().into(),
        ("maximum", &[x, y], []) => if order(x, y).is_ge() { x } else { y }.clone().into(),
        ("next_up", &[x], []) => next(x, operands[0].format, false),
        ("next_down", &[x], []) => next(x, operands[0].format, true),
        _ => return None,
    };
    Some((result, denormal))
}

/// 4.0 §4.11.1 to §4.11.3, where a NaN is ignored, or an infinity beside a finite value.
fn extremum_of_numbers(kind: &str, chosen: &str, x: &Operand, y: &Operand) -> Option<Exact> {
    if !matches!(kind, "minimum" | "maximum") {
        return None;
    }
    let finite = |x: &Operand| matches!(x.decoded, Decoded::Finite { .. });
    let kept = match (x.is_nan(), y.is_nan()) {
        (true, false) => y,
        (false, true) => x,
        (false, false) if chosen == "finite" && finite(x) != finite(y) => {
            if finite(x) {
                x
            } else {
                y
            }
        }
        _ => return None,
    };
    Some(kept.decoded.clone().into())
}

fn dyadic(magnitude: Dyadic, negative: bool) -> Exact {
    number(negative, Real::Dyadic(magnitude))
}

/// 4.0 §4.10.9 to §4.10.13; signs of zero by IEEE 754 §9.2.
fn function(name: &'static str, x: &Decoded) -> Exact {
    let (one, half) = (Dyadic::power(0), Dyadic::power(-1));
    let negative = is_negative(x);
    let infinite = |negative| Exact::Infinite { negative };
    let transcendental = |name, x: Dyadic| Real::Transcendental(Transcendental::new(name, x, Dyadic::zero()));
    let right_angle = |negative| number(negative, transcendental("arc_sin", Dyadic::power(0)));
    let Decoded::Finite { magnitude: size, .. } = x else {
        return match (name, negative) {
            ("log_one_plus" | "exp_minus_one" | "softplus" | "arc_cosh" | "cosh", false) | ("cosh", true) => {
                infinite(false)
            }
            ("exp_minus_one", true) => dyadic(one, true),
            ("softplus", true) => Exact::Zero { negative: false },
            ("sinh" | "arc_sinh", _) => infinite(negative),
            ("tanh", _) => dyadic(one, negative),
            ("arc_tan", _) => right_angle(negative),
            ("arc_tan_pi", _) => dyadic(half, negative),
            _ => UNDEFINED,
        };
    };
    let value = signed(negative, size);
    let of_size = |sign| number(sign, transcendental(name, size.clone()));
    if size.is_zero() {
        return match name {
            "cos" | "cosh" | "cos_pi" => dyadic(one, false),
            "arc_cos" => right_angle(false),
            "arc_cos_pi" => dyadic(half, false),
            "softplus" => of_size(false),
            "arc_cosh" => UNDEFINED,
            _ => Exact::Zero { negative },
        };
    }
    let large = *size >= Dyadic::new(HUGE, 0);
    match name {
        "log_one_plus" if value < -&one => UNDEFINED,
        "log_one_plus" if value == -&one => infinite(true),
        "exp_minus_one" if large && !negative => number(false, Real::Unbounded),
        "sinh" | "cosh" if large => number(negative && name == "sinh", Real::Unbounded),
        "softplus" if large && negative => number(false, Real::Infinitesimal),
        "log_one_plus" | "exp_minus_one" => number(negative, transcendental(name, value)),
        "softplus" => number(false, transcendental(name, value)),
        "arc_sin" | "arc_cos" | "arc_sin_pi" | "arc_cos_pi" | "arc_tanh" if *size > one => UNDEFINED,
        "arc_cosh" if value < one => UNDEFINED,
        "arc_cosh" | "arc_cos" | "arc_cos_pi" if value == one => Exact::Zero { negative: false },
        "arc_cos_pi" if *size == one => dyadic(one, false),
        "arc_cos" | "arc_cosh" | "arc_cos_pi" => number(false, transcendental(name, value)),
        "arc_tanh" if *size == one => infinite(negative),
        "arc_sin_pi" if *size == one => dyadic(half, negative),
        "arc_tan_pi" if *size == one => dyadic(Dyadic::power(-2), negative),
        "cosh" => of_size(false),
        "cos" => of_size(Transcendental::is_negative(name, size)),
        "sin" | "tan" => of_size(negative != Transcendental::is_negative(name, size)),
        "sin_pi" | "cos_pi" | "tan_pi" => of_turns(name, negative, size),
        _ => of_size(negative),
    }
}

/// sin πx, cos πx, tan πx for x ≠ 0, exact at multiples of ½, and of ¼.
fn of_turns(name: &'static str, negative: bool, size: &Dyadic) -> Exact {
    // Quarters of a half turn, modulo a full one.
    let eighth = size.scaled(2).as_integer().map(|n| (n % 8u32).iter_u64_digits().next().unwrap_or(0));
    let one = || Dyadic::power(0);
    match (name, eighth) {
        ("sin_pi", Some(0 | 4)) => Exact::Zero { negative },
        ("sin_pi", Some(2)) => dyadic(one(), negative),
        ("sin_pi", Some(6)) => dyadic(one(), !negative),
        ("cos_pi", Some(2 | 6)) => Exact::Zero { negative: false },
        ("cos_pi", Some(0)) => dyadic(one(), false),
        ("cos_pi", Some(4)) => dyadic(one(), true),
        ("tan_pi", Some(2 | 6)) => UNDEFINED,
        ("tan_pi", Some(0)) => Exact::Zero { negative },
        ("tan_pi", Some(4)) => Exact::Zero { negative: !negative },
        ("tan_pi", Some(1 | 5)) => dyadic(one(), negative),
        ("tan_pi", Some(3 | 7)) => dyadic(one(), !negative),
        _ => {
            let sign = Transcendental::is_negative(name, size) != (negative && name != "cos_pi");
            number(sign, Real::Transcendental(Transcendental::new(name, size.clone(), Dyadic::zero())))
        }
    }
}

/// 4.0 §4.10.15, §4.10.16; below the negative axis the limit is −π.
fn angle(turns: bool, y: &Decoded, x: &Decoded) -> Exact {
    let name = if turns { "arc_tan2_pi" } else { "arc_tan2" };
    let unit = |n: i64| Dyadic::new(n, 0);
    let below = is_negative(y) && !is_zero(y);
    // A point in the same direction.
    let (b, a) = match (y, x) {
        (Decoded::Finite { magnitude: b, .. }, Decoded::Finite { negative, magnitude: a }) => {
            (b.clone(), signed(*negative, a))
        }
        (Decoded::Infinite { .. }, Decoded::Infinite { .. }) => return UNDEFINED,
        (Decoded::Infinite { .. }, _) => (unit(1), unit(0)),
        (_, x) => (unit(0), unit(if is_negative(x) { -1 } else { 1 })),
    };
    match (b.is_zero(), a.is_zero(), turns) {
        (true, true, _) => UNDEFINED,
        (true, ..) if !a.is_negative() => Exact::Zero { negative: is_negative(y) },
        (true, _, true) => dyadic(unit(1), below),
        (_, true, true) => dyadic(Dyadic::power(-1), below),
        (_, _, true) if a == b => dyadic(Dyadic::power(-2), below),
        (_, _, true) if -&a == b => dyadic(Dyadic::new(3, -2), below),
        _ => number(below, Real::Transcendental(Transcendental::new(name, a, b))),
    }
}

/// 4.0 §4.10.7.
fn sum_of_three(x: &Decoded, y: &Decoded, z: &Decoded) -> Exact {
    let infinite = |x: &&&Decoded| matches!(x, Decoded::Infinite { .. });
    let all = [x, y, z];
    let infinities: Vec<_> = all.iter().filter(infinite).collect();
    if let Some(first) = infinities.first() {
        return match infinities.iter().all(|other| is_negative(other) == is_negative(first)) {
            true => (**first).clone().into(),
            false => UNDEFINED,
        };
    }
    let total = all.iter().fold(Dyadic::zero(), |total, x| match x {
        Decoded::Finite { negative, magnitude } => &total + &signed(*negative, magnitude),
        _ => total,
    });
    match () {
        () if !total.is_zero() => number(total.is_negative(), Real::Dyadic(total.abs())),
        () if all.iter().all(|x| is_zero(x) && is_negative(x) == is_negative(all[0])) => {
            Exact::Zero { negative: is_negative(x) }
        }
        () => Exact::Cancelled,
    }
}

fn is_zero(x: &Decoded) -> bool {
    matches!(x, Decoded::Finite { magnitude, .. } if magnitude.is_zero())
}

/// 4.0 §4.16, by the sorted list of all values of `format`, which has one zero.
fn next_than(x: &Decoded, format: &Format, down: bool) -> Exact {
    let last = format.finite_count() - 1;
    // Finite values are numbered from the least, with one zero; infinities are before and after them.
    let magnitudes = i128::from(last);
    let at = |n: i128| -> Exact {
        match (n.abs().cmp(&magnitudes), format.infinity.is_some() && (format.signed || n > 0)) {
            (Ordering::Greater, true) => Exact::Infinite { negative: n < 0 },
            (Ordering::Greater, false) => UNDEFINED,
            _ => {
                Decoded::Finite { negative: n < 0, magnitude: format.rung(n.unsigned_abs() as u64).1 }.into()
            }
        }
    };
    if !format.has_zero() {
        return match (next(x, format, down), x) {
            (_, Decoded::Infinite { negative }) if *negative == down => UNDEFINED,
            (Exact::Infinite { negative }, _) if format.infinity.is_none() || negative && !format.signed => {
                UNDEFINED
            }
            (other, _) => other,
        };
    }
    let step = if down { -1 } else { 1 };
    match x {
        Decoded::Infinite { negative } if *negative == down => UNDEFINED,
        Decoded::Infinite { negative } => at(if *negative { -magnitudes } else { magnitudes }),
        Decoded::Finite { negative, magnitude } => {
            let index = i128::from(format.index_of(magnitude));
            let n = if *negative { -index } else { index } + step;
            if n < 0 && !format.signed { UNDEFINED } else { at(n) }
        }
        Decoded::Nan { .. } => x.clone().into(),
    }
}

/// Any operation, by 4.0 or by 0.9.1.
pub fn evaluate(
    name: &str,
    operands: &[Operand],
    scales: &[i64],
    to: &Format,
    mode: Mode,
    saturation: Saturation,
    edition_4: bool,
) -> Option<Answer> {
    if let ([x], true) = (operands, PREDICATES.contains(&name)) {
        return predicate(name, x, edition_4);
    }
    let read: Vec<Operand> = operands.iter().map(|x| x.read(edition_4)).collect();
    match &read[..] {
        [x, y] if RELATIONS.contains(&name) => relation(name, x, y).map(Answer::Bool),
        _ => {
            let (result, denormal) = exact(name, &read, scales)?;
            let (mode, saturation) = projection(name, &read, to, mode, saturation);
            let rounded = Located::new(to, &result).project_in(mode, saturation, edition_4);
            Some(Answer::Code(raise(rounded, denormal)))
        }
    }
}

/// The requested projection. 4.0 §4.16 in the operand's format does not project; any projection that keeps
/// representable values does.
pub fn projection(
    name: &str,
    x: &[Operand],
    to: &Format,
    mode: Mode,
    saturation: Saturation,
) -> (Mode, Saturation) {
    match name {
        "next_greater_than" | "next_less_than" if x[0].format.same_values(to) => {
            (Mode::NearestEven, Saturation::Overflow)
        }
        _ => (mode, saturation),
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

/// §4.8.3, for operands that are not NaN; opposite infinities have no sum.
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

/// §4.8.3, for operands that are not NaN; `None` for 0 · ∞.
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

/// §4.8.3: anything divided by zero is NaN; ∞/∞ is NaN, finite/∞ is zero.
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

/// IEEE 754 §5.3.1, in the sorted list of `format`. Beyond the largest value is infinity, and below the least value of
/// an unsigned format is only −∞.
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

/// The order in which −0 precedes +0, for operands that are not NaN.
fn order(x: &Decoded, y: &Decoded) -> Ordering {
    numeric(x, y).then_with(|| is_negative(y).cmp(&is_negative(x)))
}

/// The order of the extended reals, for operands that are not NaN.
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
        "is_sign_minus" => is_negative(&x.decoded) && !(edition_4 && (x.is_nan() || is_zero(&x.decoded))),
        "is_normal" => class.ends_with("_normal"),
        "is_subnormal" => class.ends_with("_subnormal"),
        "is_finite" => finite,
        "is_infinite" => class.ends_with("_infinity"),
        "is_signaling" => x.is_nan() && x.format.signals(x.code),
        // A finite code is canonical if its value is encoded as that code.
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
    fn special_operands_follow_the_report() {
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
