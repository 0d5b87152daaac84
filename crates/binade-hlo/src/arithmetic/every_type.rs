//! Tests every operation that admits a floating-point type of up to 16 bits, on every such type.
//!
//! Operations on one operand are tested on all codes. Operations on two operands are tested on all pairs of codes of up
//! to 8 bits, and on a grid of pairs for 16 bits. The references share no code with the tested operations: the scalar
//! operations of `binade`, the standard library's functions, or comparisons of exact values.

use std::cmp::Ordering;

use binade::{Datum, Projection, Value, ops};
use binade_kernels::elementary::Function;
use binade_stablehlo::ir::{Binary, Direction, Order, Unary};
use binade_stablehlo::{Data, ElementType, FloatType, Quantized, Tensor, supported};

use super::{convert, elementwise, quantized};

fn narrow() -> impl Iterator<Item = (FloatType, &'static str)> {
    FloatType::ALL.into_iter().filter(|(float, _)| float.is_coded())
}

fn of_codes(float: FloatType, codes: impl IntoIterator<Item = u64>) -> Tensor {
    let codes = codes.into_iter();
    let data = match float {
        _ if float.is_byte() => Data::U8(codes.map(|code| code as u8).collect()),
        FloatType::Bf16 | FloatType::F16 => Data::U16(codes.map(|code| code as u16).collect()),
        FloatType::F64 => Data::F64(codes.map(f64::from_bits).collect()),
        _ => Data::F32(codes.map(|code| f32::from_bits(code as u32)).collect()),
    };
    Tensor::new(ElementType::Float(float), vec![data.len()], data)
}

fn codes_of(data: &Data) -> Vec<u64> {
    match data {
        Data::U8(codes) => codes.iter().map(|&code| code as u64).collect(),
        Data::U16(codes) => codes.iter().map(|&code| code as u64).collect(),
        Data::F32(values) => values.iter().map(|value| value.to_bits() as u64).collect(),
        Data::F64(values) => values.iter().map(|value| value.to_bits()).collect(),
        _ => panic!("no floating-point elements: {data:?}"),
    }
}

fn all(float: FloatType) -> std::ops::RangeInclusive<u64> {
    0..=float.format().last_code()
}

/// The operands of operations on two: all pairs of bytes, or for 16 bits a grid with all special codes.
fn pairs(float: FloatType) -> Vec<(u64, u64)> {
    let some: Vec<u64> = if float.is_byte() {
        all(float).collect()
    } else {
        let format = float.format();
        let special =
            [0, 1, 2, format.min_normal_code(), format.max_finite_code(), 0x3c00, 0x3f80, 0x7c00, 0x7f80];
        let around = special.iter().flat_map(|&code| [code.saturating_sub(1), code, code + 1]);
        let both = around.flat_map(|code| [code, code | format.sign_bit()]);
        both.chain((0..=format.last_code()).step_by(331)).collect()
    };
    some.iter().flat_map(|&x| some.iter().map(move |&y| (x, y))).collect()
}

fn datum(float: FloatType, code: u64) -> Datum {
    Datum::new(float.format(), code).expect("a code of the type")
}

/// True if both codes are NaN, or the same.
fn same(float: FloatType, given: u64, expected: u64) -> bool {
    given == expected || float.value(given).is_nan() && float.value(expected).is_nan()
}

/// Rounds a value, exact or within binary64's error, to a code. All NaN count as equal. In types without NaN, the
/// result is the largest positive number.
fn rounded(float: FloatType, y: f64) -> u64 {
    let y = if y.is_nan() { f64::NAN } else { y };
    binade::project(float.format(), Value::from_f64(y), Projection::default()).code
}

/// The reference for an operation on one operand; `None` for operations that floating-point types do not have.
fn meaning(op: Unary, float: FloatType, code: u64) -> Option<u64> {
    let (x, how) = (float.value(code), Projection::default());
    let datum = datum(float, code);
    let by = |f: fn(f64) -> f64| Some(rounded(float, f(x)));
    // For a function that is computed in binary32: one end of the error's interval must round to the result.
    let within = |given: u64, function: Function| {
        let mut y = [0.0];
        function.apply(&[x as f32], &mut y).expect("equal lengths");
        let ends = [1.0 - 1e-7, 1.0 + 1e-7].map(|end| rounded(float, y[0] as f64 * end));
        if ends.iter().any(|&end| same(float, given, end)) { given } else { ends[0] }
    };
    let own = |f: Option<fn(f64) -> f64>| rounded(float, f.expect("a real function")(x));
    match op {
        Unary::Abs => Some(ops::abs(datum, float.format(), how).code),
        Unary::Negate => Some(ops::negate(datum, float.format(), how).code),
        Unary::Sqrt => Some(ops::sqrt(datum, float.format(), how).code),
        Unary::Exponential => Some(ops::exp(datum, float.format(), how).code),
        Unary::Log => Some(match x {
            x if x < 0.0 => rounded(float, f64::NAN),
            _ => ops::log(datum, float.format(), how).code,
        }),
        Unary::Real | Unary::Conj => Some(ops::convert(datum, float.format(), how).code),
        Unary::Imag => Some(rounded(float, 0.0)),
        Unary::Cbrt => by(f64::cbrt),
        Unary::Ceil => by(f64::ceil),
        Unary::Floor => by(f64::floor),
        Unary::RoundNearestAfz => by(f64::round),
        Unary::RoundNearestEven => by(f64::round_ties_even),
        Unary::Sign => by(|x| {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                x
            }
        }),
        Unary::Cosine => by(f64::cos),
        Unary::Sine => by(f64::sin),
        Unary::Tan => by(f64::tan),
        Unary::Tanh => by(f64::tanh),
        Unary::ExponentialMinusOne => by(f64::exp_m1),
        Unary::LogPlusOne => by(f64::ln_1p),
        Unary::Logistic => by(|x| (0.5 * x).tanh().mul_add(0.5, 0.5)).map(|code| {
            // tanh cancels far below zero.
            if x < -2.0 { rounded(float, x.exp() / (1.0 + x.exp())) } else { code }
        }),
        Unary::Rsqrt => by(|x| x.sqrt().recip()),
        Unary::Acos => by(f64::acos),
        Unary::Asin => by(f64::asin),
        Unary::Atan => by(f64::atan),
        Unary::Sinh => by(f64::sinh),
        Unary::Cosh => by(f64::cosh),
        Unary::Acosh => by(|x| if x < 1.0 { f64::NAN } else { 2.0 * (((x - 1.0) / 2.0).sqrt()).asinh() }),
        Unary::Asinh => by(f64::asinh),
        Unary::Atanh => by(|x| 0.5 * (2.0 * x / (1.0 - x)).ln_1p()).map(|code| match x.abs() {
            1.0 => rounded(float, f64::INFINITY.copysign(x)),
            _ if x == 0.0 => rounded(float, x),
            _ => code,
        }),
        Unary::Square => Some(ops::multiply(datum, datum, float.format(), how).code),
        Unary::Erf => Some(within(own(crate::arithmetic::real::unary(op)), Function::Erf)),
        Unary::Erfc => {
            let given = own(crate::arithmetic::real::unary(op));
            let mut erf = [0.0];
            Function::Erf.apply(&[x as f32], &mut erf).expect("equal lengths");
            let (least, most) = ((1.0 - erf[0] as f64 - 1.2e-7).max(1e-300), 1.0 - erf[0] as f64 + 1.2e-7);
            let value = float.value(given);
            let near = value.is_nan() || (float.round(least)..=float.round(most)).contains(&value);
            Some(if near { given } else { rounded(float, least) })
        }
        // Other tests check these functions; here their results must be rounded once.
        Unary::BesselI1e | Unary::Digamma | Unary::ErfInv | Unary::Lgamma => {
            Some(own(crate::arithmetic::real::unary(op)))
        }
        Unary::AsinAcosKernel
        | Unary::CountLeadingZeros
        | Unary::IsFinite
        | Unary::IsInf
        | Unary::IsNegInf
        | Unary::IsPosInf
        | Unary::Not
        | Unary::Popcnt => None,
    }
}

fn truth(op: Unary, value: Value) -> Option<bool> {
    Some(match op {
        Unary::IsFinite => matches!(value, Value::Finite(_)),
        Unary::IsInf => matches!(value, Value::Infinite { .. }),
        Unary::IsNegInf => value == Value::Infinite { negative: true },
        Unary::IsPosInf => value == Value::Infinite { negative: false },
        _ => return None,
    })
}

fn one_operand(op: Unary) {
    for (float, name) in narrow() {
        let x = of_codes(float, all(float));
        if truth(op, Value::ONE).is_some() {
            let Data::U8(given) = elementwise::unary(op, &x, &ElementType::Bool).unwrap() else {
                panic!("i1 is stored in bytes")
            };
            for (code, given) in all(float).zip(given) {
                let expected = truth(op, binade::decode(float.format(), code));
                assert_eq!(Some(given == 1), expected, "{} of {name} {code:#x}", op.name());
            }
            continue;
        }
        let given = codes_of(&elementwise::unary(op, &x, &x.element).unwrap());
        // So few elements do not use the table.
        let few = of_codes(float, all(float).step_by(97));
        let few = codes_of(&elementwise::unary(op, &few, &few.element).unwrap());
        for (code, given) in all(float).zip(&given) {
            let expected =
                meaning(op, float, code).unwrap_or_else(|| panic!("no definition of {}", op.name()));
            assert!(
                same(float, *given, expected),
                "{} of {name} {code:#x} ({}): {given:#x} for {expected:#x}",
                op.name(),
                float.value(code)
            );
        }
        let again: Vec<u64> = given.into_iter().step_by(97).collect();
        assert_eq!(few, again, "{} of {name}: a table and single elements differ", op.name());
    }
}

/// The reference for an operation on two operands.
fn meaning_of_two(op: Binary, float: FloatType, x: u64, y: u64) -> Option<u64> {
    let (format, how) = (float.format(), Projection::default());
    // The references do not support signalling NaN.
    let quiet = |x: f64| if x.is_nan() { f64::NAN } else { x };
    let (a, b) = (quiet(float.value(x)), quiet(float.value(y)));
    let (p, q) = (datum(float, x), datum(float, y));
    let extreme = |wanted: Ordering| {
        let first = match p.value().partial_cmp(&q.value()) {
            None => return rounded(float, f64::NAN),
            Some(Ordering::Equal) => (wanted == Ordering::Less) == p.value().negative(),
            Some(order) => order == wanted,
        };
        if first { x } else { y }
    };
    Some(match op {
        Binary::Add => ops::add(p, q, format, how).code,
        Binary::Subtract => ops::subtract(p, q, format, how).code,
        Binary::Multiply => ops::multiply(p, q, format, how).code,
        // IEEE 754's quotient by zero, which P3109 does not have.
        Binary::Divide if b == 0.0 => rounded(float, a / b),
        Binary::Divide => ops::divide(p, q, format, how).code,
        Binary::Maximum => extreme(Ordering::Greater),
        Binary::Minimum => extreme(Ordering::Less),
        Binary::Atan2 => rounded(float, a.atan2(b)),
        Binary::Power => rounded(float, a.powf(b)),
        Binary::Remainder => rounded(float, (a - b * (a / b).trunc()).copysign(a)),
        Binary::NextAfter => match a.partial_cmp(&b) {
            None => rounded(float, f64::NAN),
            Some(Ordering::Equal) => y,
            Some(Ordering::Less) => ops::next_up(p, format, how).code,
            Some(Ordering::Greater) => ops::next_down(p, format, how).code,
        },
        Binary::Polygamma | Binary::Zeta => {
            rounded(float, crate::arithmetic::real::binary(op).expect("real")(a, b))
        }
        _ => return None,
    })
}

fn two_operands(op: Binary) {
    for (float, name) in narrow() {
        let pairs = match op {
            // These slow functions are tested elsewhere; a part of the pairs suffices.
            Binary::Polygamma | Binary::Zeta => pairs(float).into_iter().step_by(41).collect(),
            _ => pairs(float),
        };
        let x = of_codes(float, pairs.iter().map(|&(x, _)| x));
        let y = of_codes(float, pairs.iter().map(|&(_, y)| y));
        let given = codes_of(&elementwise::binary(op, &x, &y, &x.element).unwrap());
        for (&(x, y), given) in pairs.iter().zip(given) {
            let expected =
                meaning_of_two(op, float, x, y).unwrap_or_else(|| panic!("no definition of {}", op.name()));
            let (a, b) = (float.value(x), float.value(y));
            // The reference for the remainder is exact only while the quotient is a small integer.
            if op == Binary::Remainder && ((a / b).abs() > 1e9 || b.is_infinite()) {
                continue;
            }
            assert!(
                same(float, given, expected),
                "{} of {name} {x:#x} {y:#x} ({a}, {b}): {given:#x} for {expected:#x}",
                op.name()
            );
        }
    }
}

/// Operations with floating-point operands that are not elementwise, and are tested here.
const HERE: [&str; 8] = [
    "bitcast_convert",
    "clamp",
    "compare",
    "convert",
    "reduce_precision",
    "select",
    "uniform_dequantize",
    "uniform_quantize",
];

/// Operations that are tested on every narrow type beside their own code.
const ELSEWHERE: [&str; 26] = [
    "all_reduce",
    "batch_norm_grad",
    "batch_norm_inference",
    "batch_norm_training",
    "cholesky",
    "collective_reduce",
    "convolution",
    "cross-replica-sum",
    "dot",
    "dot_general",
    "dynamic_conv",
    "einsum",
    "fft",
    "iota",
    "dynamic_iota",
    "map",
    "reduce",
    "reduce_scatter",
    "reduce_window",
    "rng",
    "rng_bit_generator",
    "scatter",
    "select_and_scatter",
    "sort",
    "triangular_solve",
    "complex",
];

/// Tests every elementwise operation that admits floating-point types. Every other operation must be named above, or
/// only move elements.
#[test]
fn every_operation_has_a_test() {
    let moves = |name: &str| {
        [
            "after_all",
            "all_gather",
            "all_to_all",
            "broadcast",
            "broadcast_in_dim",
            "case",
            "collective_broadcast",
            "collective_permute",
            "composite",
            "concatenate",
            "constant",
            "create_token",
            "custom_call",
            "dynamic_broadcast_in_dim",
            "dynamic_gather",
            "dynamic_pad",
            "dynamic_reshape",
            "dynamic_slice",
            "dynamic_update_slice",
            "gather",
            "get_dimension_size",
            "get_tuple_element",
            "if",
            "infeed",
            "optimization_barrier",
            "outfeed",
            "pad",
            "partition_id",
            "real_dynamic_slice",
            "recv",
            "replica_id",
            "reshape",
            "return",
            "reverse",
            "send",
            "set_dimension_size",
            "slice",
            "torch_index_select",
            "trace",
            "transpose",
            "tuple",
            "unary_einsum",
            "while",
        ]
        .contains(&name)
    };
    for operation in supported() {
        let Some(name) = operation.name.strip_prefix("stablehlo.") else { continue };
        let elementwise = !operation.elements.is_empty();
        let tested = elementwise || HERE.contains(&name) || ELSEWHERE.contains(&name) || moves(name);
        assert!(tested, "{name} has no test on narrow types: add one, and its name above");
    }
}

/// True if an elementwise operation takes floating-point operands.
fn takes_floats(name: &str) -> bool {
    let spelt = if name.contains('.') { name.to_owned() } else { format!("stablehlo.{name}") };
    supported().iter().any(|operation| operation.name == spelt && operation.elements.contains(&"float"))
}

#[test]
fn operations_on_one_operand() {
    Unary::ALL.into_iter().filter(|(_, name)| takes_floats(name)).for_each(|(op, _)| one_operand(op));
}

#[test]
fn operations_on_two_operands() {
    Binary::ALL.into_iter().filter(|(_, name)| takes_floats(name)).for_each(|(op, _)| two_operands(op));
}

/// Converts between every two floating-point types, over all codes of the narrow ones.
#[test]
fn conversions_between_all_types() {
    for (from, from_name) in narrow() {
        let x = of_codes(from, all(from));
        for (to, to_name) in FloatType::ALL {
            let given = codes_of(&convert::convert(&x, &ElementType::Float(to)).unwrap());
            for (code, given) in all(from).zip(given) {
                let mut expected = ops::convert(datum(from, code), to.format(), Projection::default()).code;
                if from.value(code).is_nan() && to.is_coded() {
                    expected = rounded(to, f64::NAN);
                }
                if to == FloatType::Tf32 {
                    // Its codes are stored as binary32 numbers.
                    expected <<= 13;
                }
                assert!(
                    same(to, given, expected),
                    "{from_name} {code:#x} to {to_name}: {given:#x} for {expected:#x}"
                );
            }
        }
    }
}

/// Converts from binary32 and binary64: every number of the narrow type, every midpoint between two, and their
/// neighbours.
#[test]
fn conversions_round_once() {
    for (to, name) in narrow() {
        let mut values = vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1e300, -1e300, 1e-300];
        let mut numbers: Vec<f64> = all(to).map(|code| to.value(code)).filter(|x| x.is_finite()).collect();
        numbers.sort_by(f64::total_cmp);
        for pair in numbers.windows(2) {
            for x in [pair[0], (pair[0] + pair[1]) / 2.0] {
                values.extend([x, x * (1.0 + 2f64.powi(-45)), x * (1.0 - 2f64.powi(-45))]);
            }
        }
        for from in [FloatType::F32, FloatType::F64] {
            let x = of_codes(from, values.iter().map(|&x| from.code(x)));
            let given = codes_of(&convert::convert(&x, &ElementType::Float(to)).unwrap());
            for (value, given) in values.iter().map(|&x| from.round(x)).zip(given) {
                let value = Value::from_f64(value);
                let value = if value.is_nan() { Value::UNDEFINED } else { value };
                let expected = binade::project(to.format(), value, Projection::default()).code;
                assert!(same(to, given, expected), "{value:?} to {name}: {given:#x} for {expected:#x}");
            }
        }
    }
}

/// Converts to every integer type and back, over all codes and all small integers.
#[test]
fn conversions_to_and_from_integers() {
    let integers = [2u8, 4, 8, 16, 32, 64]
        .into_iter()
        .flat_map(|width| [true, false].map(|signed| ElementType::Integer { signed, width }));
    for integer in integers {
        let ElementType::Integer { signed, width } = integer else { continue };
        let (least, most) = match signed {
            true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
            false => (0, (1i128 << width) - 1),
        };
        let wide = ElementType::Integer { signed: true, width: 64 };
        for (float, name) in narrow() {
            let x = of_codes(float, all(float));
            let given =
                Tensor::new(integer.clone(), x.shape.clone(), convert::convert(&x, &integer).unwrap());
            let Data::I64(given) = convert::convert(&given, &wide).unwrap() else { panic!("i64") };
            for (code, given) in all(float).zip(given) {
                // Truncation is exact in 128 bits for every value of these types, except that the large ones of
                // f8E8M0FNU and bf16 saturate.
                let expected = (float.value(code) as i128).clamp(least, most) as i64;
                assert_eq!(given, expected, "{name} {code:#x} to {integer}");
            }
            let numbers: Vec<i64> = (-300i64..300)
                .chain([i64::MAX, i64::MIN, (1 << 60) + (1 << 52) + 1, (1 << 53) + 1, 65520, 65519, 464, 465])
                .filter(|&n| (least..=most).contains(&(n as i128)))
                .collect();
            let x = Tensor::new(wide.clone(), vec![numbers.len()], Data::I64(numbers.clone()));
            let x = Tensor::new(integer.clone(), x.shape.clone(), convert::convert(&x, &integer).unwrap());
            let given = codes_of(&convert::convert(&x, &x_element(float)).unwrap());
            for (&n, given) in numbers.iter().zip(given) {
                let exact = binade::Finite::new(n < 0, n.unsigned_abs() as u128, 0);
                let expected =
                    binade::project(float.format(), Value::Finite(exact), Projection::default()).code;
                assert!(
                    same(float, given, expected),
                    "{n} of {integer} to {name}: {given:#x} for {expected:#x}"
                );
            }
        }
    }
}

fn x_element(float: FloatType) -> ElementType {
    ElementType::Float(float)
}

/// The rank of a code in the total order beyond the order of numbers: 0 for numbers, and by payload for NaN.
fn place(float: FloatType, code: u64) -> i64 {
    let half = 1 << (float.format().width() - 1);
    match datum(float, code).value().is_nan() {
        false => 0,
        true if float == FloatType::F8E8M0FNU => 1,
        true if code < half => 1 + code as i64,
        true => -1 - (code - half) as i64,
    }
}

#[test]
fn signs_of_nan_are_changed_as_those_of_numbers() {
    for (float, name) in narrow() {
        let single = name.ends_with("FNUZ") || float == FloatType::F8E8M0FNU;
        let sign = if single { 0 } else { 1 << (float.format().width() - 1) };
        let nans: Vec<u64> = all(float).filter(|&code| datum(float, code).value().is_nan()).collect();
        assert_eq!(nans.is_empty(), name.starts_with("f4") || name.starts_with("f6"), "{name}");
        let x = of_codes(float, nans.iter().copied());
        for (op, expected) in [
            (Unary::Abs, nans.iter().map(|code| code & !sign).collect::<Vec<_>>()),
            (Unary::Negate, nans.iter().map(|code| code ^ sign).collect()),
            (Unary::Real, nans.clone()),
            (Unary::Sign, nans.clone()),
        ] {
            let given = codes_of(&elementwise::unary(op, &x, &x.element).unwrap());
            assert_eq!(given, expected, "{op:?} of {name}");
        }
    }
}

#[test]
fn comparisons_selection_and_clamping() {
    type Holds = fn(Option<Ordering>) -> bool;

    for (float, name) in narrow() {
        let pairs = pairs(float);
        let x = of_codes(float, pairs.iter().map(|&(x, _)| x));
        let y = of_codes(float, pairs.iter().map(|&(_, y)| y));
        let directions: [(Direction, Holds); 6] = [
            (Direction::Eq, |order| order == Some(Ordering::Equal)),
            (Direction::Ne, |order| order != Some(Ordering::Equal)),
            (Direction::Ge, |order| order.is_some_and(Ordering::is_ge)),
            (Direction::Gt, |order| order.is_some_and(Ordering::is_gt)),
            (Direction::Le, |order| order.is_some_and(Ordering::is_le)),
            (Direction::Lt, |order| order.is_some_and(Ordering::is_lt)),
        ];
        for (direction, holds) in directions {
            let Data::U8(given) = elementwise::compare(direction, Order::Partial, &x, &y).unwrap() else {
                panic!("i1")
            };
            let Data::U8(total) = elementwise::compare(direction, Order::Total, &x, &y).unwrap() else {
                panic!("i1")
            };
            for ((&(x, y), given), total) in pairs.iter().zip(&given).zip(total) {
                let (a, b) = (datum(float, x).value(), datum(float, y).value());
                assert_eq!(*given == 1, holds(a.partial_cmp(&b)), "{direction:?} of {name} {x:#x} {y:#x}");
                let order = place(float, x)
                    .partial_cmp(&place(float, y))
                    .map(|order| order.then_with(|| float.value(x).total_cmp(&float.value(y))));
                assert_eq!(total == 1, holds(order), "total {direction:?} of {name} {x:#x} {y:#x}");
            }
            let predicate = Tensor::new(ElementType::Bool, x.shape.clone(), Data::U8(given.clone()));
            let selected = codes_of(&elementwise::select(&predicate, &x, &y).unwrap());
            for ((&(x, y), truth), selected) in pairs.iter().zip(given).zip(selected) {
                assert_eq!(selected, if truth == 1 { x } else { y }, "select of {name}");
            }
        }
        let numbers = of_codes(float, all(float));
        let bound = |x: f64| {
            let bound = of_codes(float, [float.code(x)]);
            Tensor { shape: vec![], ..bound }
        };
        let clamped = elementwise::clamp(&bound(0.5), &numbers, &bound(2.0)).unwrap();
        for (code, given) in all(float).zip(codes_of(&clamped)) {
            let (x, given) = (float.value(code), float.value(given));
            assert!(given == x.clamp(0.5, 2.0) || x.is_nan() && given.is_nan(), "clamp of {name} {code:#x}");
        }
    }
}

#[test]
fn bits_stay_as_they_are() {
    for (float, name) in narrow() {
        let x = of_codes(float, all(float));
        let integer = ElementType::Integer { signed: false, width: float.width() as u8 };
        if ![2, 4, 8, 16].contains(&float.width()) {
            // No integer type has six bits, so the only other type is the type itself.
            let same = convert::bitcast(&x, &x.element, x.data.len()).unwrap();
            assert_eq!(codes_of(&same), all(float).collect::<Vec<_>>(), "{name}");
            continue;
        }
        let bits = Tensor::new(
            integer.clone(),
            x.shape.clone(),
            convert::bitcast(&x, &integer, x.data.len()).unwrap(),
        );
        assert_eq!(codes_of(&bits.data), all(float).collect::<Vec<_>>(), "{name}");
        let back = convert::bitcast(&bits, &x.element, x.data.len()).unwrap();
        assert_eq!(codes_of(&back), all(float).collect::<Vec<_>>(), "{name}");
    }
}

/// Compares with rounding to a format of these exponent and mantissa bits whose subnormal numbers vanish.
#[test]
fn precision_is_reduced_in_every_type() {
    for (float, name) in narrow() {
        let format = float.format();
        let x = of_codes(float, all(float));
        for mantissa in 0..=format.trailing_bits() {
            let given = convert::reduce_precision(&x, format.exponent_bits(), mantissa).unwrap();
            for (code, given) in all(float).zip(codes_of(&given)) {
                let (value, given) = (float.value(code), float.value(given));
                if value.is_nan() || !value.is_finite() {
                    // Without mantissa bits NaN becomes infinity, if the type has one.
                    let expected = match value.is_nan() && mantissa == 0 {
                        true => float.round(f64::INFINITY),
                        false => value,
                    };
                    assert!(given == expected || given.is_nan() && expected.is_nan(), "{name} {code:#x}");
                    continue;
                }
                // The nearest multiple of the coarser step, the even one of two.
                let magnitude = code & !format.sign_bit();
                let step = 1u64 << (format.trailing_bits() - mantissa);
                let (low, high) = (magnitude / step * step, magnitude / step * step + step);
                let up = match (magnitude - low).cmp(&(high - magnitude)) {
                    Ordering::Less => false,
                    Ordering::Greater => true,
                    Ordering::Equal => low / step % 2 == 1,
                };
                let chosen = if up && magnitude != low { high } else { low };
                let expected = match chosen > format.max_finite_code() {
                    true => float.round(f64::INFINITY.copysign(value)),
                    false => float.value(chosen).copysign(value),
                };
                let no_negative_zero = expected == 0.0 && given == 0.0;
                assert!(
                    given == expected || no_negative_zero || given.is_nan() && expected.is_nan(),
                    "{name} {code:#x} with {mantissa} bits: {given} for {expected}"
                );
            }
        }
    }
}

#[test]
fn quantization_of_every_expressed_type() {
    for float in [FloatType::Bf16, FloatType::F16] {
        let element = ElementType::Quantized(std::sync::Arc::new(Quantized {
            storage: ElementType::Integer { signed: true, width: 8 },
            storage_min: -128,
            storage_max: 127,
            expressed: float,
            axis: None,
            scales: vec![0.5],
            zero_points: vec![3],
        }));
        let codes = Tensor::new(element.clone(), vec![256], Data::I8((-128..=127).collect()));
        let numbers = quantized::dequantize(&codes).unwrap();
        for (code, number) in (-128i64..).zip(codes_of(&numbers.data)) {
            assert_eq!(float.value(number), float.round((code - 3) as f64 * 0.5));
        }
        let Data::I8(back) = quantized::uniform_quantize(&numbers, &element).unwrap() else { panic!("i8") };
        assert_eq!(back, (-128..=127).collect::<Vec<i8>>());
    }
}
