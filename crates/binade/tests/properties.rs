//! Properties of all formats: exhaustive for small formats, with generators rich in edge cases for the others.

mod common;

use std::cmp::Ordering;

use binade::{
    AnswerKind, Datum, Edition, Fields, Finite, Flags, Format, NanCodes, Operation, Projection, Rounding,
    Saturation, Spec, Stochastic, Subnormals, Value, decode, ops, project, project_in,
};
use common::{datum, format};
use proptest::prelude::*;
use proptest::sample::select;

/// Every named format once, the configurable ones at four biases and with either subnormal rule.
fn named() -> Vec<Format> {
    let mut formats: Vec<Format> = vec![];
    for spec in [0, 7, 31, 63].into_iter().flat_map(Spec::all) {
        let mut variants = vec![spec.format];
        if spec.format.subnormals() == Subnormals::Tesla {
            variants.extend(spec.format.with_subnormals(Subnormals::Ieee));
        }
        for format in variants {
            if !formats.contains(&format) {
                formats.push(format);
            }
        }
    }
    formats
}

/// Modes and saturations, with random bits.
fn projections() -> impl Strategy<Value = Projection> {
    let stochastic = (select(&[Stochastic::A, Stochastic::B, Stochastic::C][..]), 1..=32u32, any::<u32>())
        .prop_map(|(variant, bits, random)| Rounding::Stochastic { variant, bits, random });
    let rounding = prop_oneof![3 => select(&Rounding::DETERMINISTIC[..]), 1 => stochastic];
    (rounding, select(&Saturation::ALL[..]))
        .prop_map(|(rounding, saturation)| Projection { rounding, saturation })
}

/// Fields that may or may not make a format.
fn fields() -> impl Strategy<Value = Fields> {
    let bias = prop_oneof![8 => -40..200i32, 1 => any::<i32>(), 1 => -131_073..131_074i32];
    let nan = select(&[NanCodes::None, NanCodes::Ieee, NanCodes::AllOnes, NanCodes::NegativeZero][..]);
    let subnormals = select(&[Subnormals::Ieee, Subnormals::Tesla, Subnormals::Flush, Subnormals::None][..]);
    let width = prop_oneof![4 => 3..=12u32, 2 => 0..=66u32, 1 => 63..=64u32];
    let precision = prop_oneof![4 => 1..=6u32, 2 => 0..=55u32, 1 => 52..=53u32];
    (width, precision, bias, any::<bool>(), any::<bool>(), nan, any::<bool>(), subnormals).prop_map(
        |(width, precision, bias, signed, infinities, nan, negative_zero, subnormals)| Fields {
            width,
            precision,
            bias,
            signed,
            infinities,
            nan,
            negative_zero,
            subnormals,
        },
    )
}

/// Named and custom formats.
fn formats() -> impl Strategy<Value = Format> {
    let custom =
        fields().prop_filter_map("the fields contradict each other", |fields| Format::new(fields).ok());
    prop_oneof![1 => select(named()), 1 => custom]
}

/// Codes of a format, its edges often.
fn codes(format: Format) -> impl Strategy<Value = u64> {
    let edges = [
        Some(0),
        Some(1),
        format.max_subnormal_code(),
        format.smallest_normal(),
        Some(format.max_finite_code()),
        format.infinity_code(),
        format.nan_code(),
        Some(format.last_code()),
    ];
    let edges: Vec<u64> = edges.into_iter().flatten().collect();
    prop_oneof![
        3 => 0..=format.last_code(),
        1 => (select(edges), any::<bool>(), 0..=2u64).prop_map(move |(code, negative, step)| {
            let code = if negative { code | format.sign_bit() } else { code };
            code.wrapping_add(step).wrapping_sub(1) & format.last_code()
        }),
    ]
}

fn data(format: Format) -> impl Strategy<Value = Datum> {
    codes(format).prop_map(move |code| datum(format, code))
}

/// Exact values around a format's values: on them, halfway, next to halfway, anywhere between, and far out of range.
fn values(format: Format) -> impl Strategy<Value = Value> {
    let near = (codes(format), 0..8u32, any::<i64>(), 0..=40u32, any::<bool>()).prop_map(
        move |(code, place, offset, down, sticky)| match decode(format, code) {
            Value::Finite(x) if !x.is_zero() => {
                // 121 significant bits; an ulp of a normal code is 2^(121 − P) of their units.
                let up = x.significand.leading_zeros() - 7;
                let ulp = 1i128 << (121 - format.precision());
                let offset = match place {
                    0 => 0,
                    1 => ulp / 2,
                    2 => ulp / 2 + 1,
                    3 => ulp / 2 - 1,
                    4 => -ulp / 2,
                    5 => ulp / 4 - 1,
                    _ => ((offset as i128) << 56 >> down) % ulp,
                };
                let significand = ((x.significand << up) as i128 + offset).unsigned_abs();
                let exponent = x.exponent - up as i64;
                Value::Finite(Finite { sticky, ..Finite::new(x.negative, significand, exponent) })
            }
            other => other,
        },
    );
    let anywhere = (any::<bool>(), 1..1u128 << 106, -140_000..140_000i64).prop_map(
        |(negative, significand, exponent)| Value::Finite(Finite::new(negative, significand, exponent)),
    );
    prop_oneof![6 => near, 1 => anywhere]
}

fn rounded(format: Format, value: Value, how: Projection) -> Value {
    decode(format, project(format, value, how).code)
}

fn by(rounding: Rounding) -> Projection {
    Projection { rounding, saturation: Saturation::Overflow }
}

fn equal(x: Value, y: Value) -> bool {
    x.partial_cmp(&y) == Some(Ordering::Equal) || (x.is_nan() && y.is_nan())
}

fn negated(x: Value) -> Value {
    match x {
        Value::Finite(x) => Value::Finite(Finite { negative: !x.negative, ..x }),
        Value::Infinite { negative } => Value::Infinite { negative: !negative },
        nan => nan,
    }
}

/// The code that projection produces for a code's value: one NaN, no flushed subnormals, one zero.
fn canonical(format: Format, code: u64) -> u64 {
    match decode(format, code) {
        Value::Nan { .. } => format.nan_code().unwrap(),
        Value::Finite(x) if x.is_zero() => {
            if x.negative {
                format.sign_bit()
            } else {
                0
            }
        }
        _ => code,
    }
}

/// Decoding and projecting a code gives it back, in every mode.
fn code_survives(format: Format, code: u64, how: Projection) {
    let value = decode(format, code);
    let back = project(format, value, how);
    let expected = match value {
        Value::Infinite { .. } if how.saturation == Saturation::Max => {
            assert_eq!(
                back.code,
                (code & format.sign_bit()) | format.max_finite_code(),
                "{format} {code:#x} {how:?}"
            );
            return;
        }
        Value::Nan { .. } => (canonical(format, code), Flags::INVALID),
        _ => (canonical(format, code), Flags::NONE),
    };
    assert_eq!((back.code, back.flags), expected, "{format} {code:#x} {how:?}");
}

#[test]
fn codes_of_narrow_formats_round_trip() {
    let mut checked = 0;
    for format in named().into_iter().filter(|format| format.width() <= 12) {
        for code in 0..=format.last_code() {
            for rounding in Rounding::DETERMINISTIC {
                for saturation in Saturation::ALL {
                    code_survives(format, code, Projection { rounding, saturation });
                }
            }
            checked += 1;
        }
    }
    assert!(checked > 300_000, "{checked} codes");
}

/// Magnitude codes have increasing magnitudes: the whole design relies on it.
#[test]
fn magnitude_codes_have_increasing_magnitudes() {
    for format in named().into_iter().filter(|format| format.width() <= 16) {
        let first = if format.subnormals() == Subnormals::Flush { format.min_normal_code() } else { 0 };
        for code in first..format.max_finite_code() {
            assert!(decode(format, code) < decode(format, code + 1), "{format} {code:#x}");
        }
    }
}

fn check(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        // Fields that contradict each other are rejected where they are generated, others by assumption.
        max_local_rejects: 100 * cases,
        max_global_rejects: 20 * cases,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(check(4000))]

    #[test]
    fn modes_of_the_interim_report_stand_for_those_of_4_0(
        (format, value) in formats().prop_flat_map(|format| (Just(format), values(format))),
        how in projections(),
    ) {
        if let Some(same) = how.as_interim(&format, Edition::V4) {
            prop_assert_eq!(project(format, value, same), project_in(format, value, how, Edition::V4), "{:?}", how);
        }
        prop_assert_eq!(how.as_interim(&format, Edition::Interim), Some(how));
    }

    #[test]
    fn any_fields_make_a_format_or_an_error(fields in fields()) {
        if let Ok(format) = Format::new(fields) {
            prop_assert_eq!(format.fields(), fields);
            prop_assert_eq!(format.to_string().parse::<Spec>().unwrap().format, format);
            prop_assert!(format.max_finite_code() <= format.magnitude_mask());
            let nans: u128 = format.nan_ranges().iter().map(|&(first, last)| (last - first) as u128 + 1).sum();
            let infinities = format.infinities() as u128 * (1 + format.signed() as u128);
            // The sign-only code of a format without −0 is a NaN or one more zero.
            let codes = format.finite_codes() + nans + infinities;
            prop_assert_eq!(codes, 1u128 << format.width());
        } else {
            prop_assert!(!Format::new(fields).unwrap_err().to_string().is_empty());
        }
    }

    #[test]
    fn codes_survive((code, format, how) in formats().prop_flat_map(|f| (codes(f), Just(f), projections()))) {
        code_survives(format, code, how);
    }

    #[test]
    fn projecting_is_monotone(
        (x, y, format, how) in formats().prop_flat_map(|f| (values(f), values(f), Just(f), projections()))
    ) {
        let (x, y) = if x <= y { (x, y) } else { (y, x) };
        // Without a zero, −0 and +0 go to different values.
        let zero = |v: Value| matches!(v, Value::Finite(v) if v.is_zero());
        prop_assume!(format.subnormals() != Subnormals::None || !(zero(x) || zero(y)));
        let (low, high) = (rounded(format, x, how), rounded(format, y, how));
        if !low.is_nan() && !high.is_nan() {
            prop_assert!(low <= high, "{format} {how:?}: {x:?} gives {low:?}, {y:?} gives {high:?}");
        }
    }

    #[test]
    fn directed_modes_bracket((x, format, how) in formats().prop_flat_map(|f| (values(f), Just(f), projections()))) {
        let largest = decode(format, format.max_finite_code());
        let least = if format.signed() { negated(largest) } else { decode(format, 0) };
        let smallest = decode(format, 0);
        // Without a zero, the values around zero have no neighbour on one side.
        let hole = format.subnormals() == Subnormals::None && x < smallest && x > negated(smallest);
        prop_assume!(least <= x && x <= largest && !hole);
        let down = project(format, x, by(Rounding::TowardNegative)).code;
        let up = project(format, x, by(Rounding::TowardPositive)).code;
        let (low, high) = (decode(format, down), decode(format, up));
        prop_assert!(low <= x && x <= high, "{format} {x:?}: {low:?} to {high:?}");
        if !equal(low, high) {
            let next = ops::next_up(datum(format, down), format, how).code;
            prop_assert!(equal(decode(format, next), high), "{format} {x:?}: {low:?} to {high:?} are not neighbours");
        }
        let toward_zero = rounded(format, x, by(Rounding::TowardZero));
        let inner = if x < Value::Finite(Finite::zero(false)) { high } else { low };
        prop_assert!(equal(toward_zero, inner));
        let other = project(format, x, how);
        prop_assert!([low, high].iter().any(|&v| equal(v, decode(format, other.code))), "{format} {x:?} {how:?}");
        let inexact = !equal(low, high);
        let normal = decode(format, format.min_normal_code());
        let tiny = x < normal && x > negated(normal);
        prop_assert_eq!(other.flags, Flags::INEXACT.when(inexact) | Flags::UNDERFLOW.when(inexact && tiny));
    }

    #[test]
    fn negation_mirrors((x, format, how) in formats().prop_flat_map(|f| (values(f), Just(f), projections()))) {
        prop_assume!(format.signed());
        let mirrored = match how.rounding {
            Rounding::TowardPositive => Rounding::TowardNegative,
            Rounding::TowardNegative => Rounding::TowardPositive,
            symmetric => symmetric,
        };
        let (here, there) = (project(format, x, how), project(format, negated(x), Projection { rounding: mirrored, ..how }));
        prop_assert!(equal(decode(format, there.code), negated(decode(format, here.code))), "{format} {x:?} {how:?}");
        prop_assert_eq!(here.flags, there.flags);
    }

    /// Rounding to odd with two more bits first changes nothing: midpoints of the narrow format have one bit more
    /// than its values, and are even codes of the wide one.
    #[test]
    fn odd_then_nearest_is_nearest((x, format) in formats().prop_flat_map(|f| (values(f), Just(f)))) {
        prop_assume!(format.exponent_bits() <= 8 && format.precision() <= 51 && format.bias().abs() < 100_000);
        let wide = Format::new(Fields {
            width: 13 + format.precision(),
            precision: format.precision() + 2,
            bias: format.bias() + 900,
            signed: true,
            infinities: true,
            nan: NanCodes::Ieee,
            negative_zero: true,
            subnormals: Subnormals::Ieee,
        });
        let odd = rounded(wide.unwrap(), x, by(Rounding::ToOdd));
        for rounding in Rounding::DETERMINISTIC {
            prop_assert_eq!(project(format, odd, by(rounding)), project(format, x, by(rounding)), "{} {:?}", format, x);
        }
    }

    /// For operands of any formats. Two NaNs would differ in which one gives its sign to a format without NaN.
    #[test]
    fn factors_and_terms_commute(
        (x, y, z, to, how) in (formats(), formats(), formats(), formats())
            .prop_flat_map(|(f, g, h, to)| (data(f), data(g), data(h), Just(to), projections()))
    ) {
        prop_assume!([x, y, z].iter().filter(|v| v.value().is_nan()).count() < 2);
        prop_assert_eq!(ops::add(x, y, to, how), ops::add(y, x, to, how));
        prop_assert_eq!(ops::multiply(x, y, to, how), ops::multiply(y, x, to, how));
        prop_assert_eq!(ops::minimum(x, y, to, how), ops::minimum(y, x, to, how));
        prop_assert_eq!(ops::maximum(x, y, to, how), ops::maximum(y, x, to, how));
        prop_assert_eq!(ops::fma(x, y, z, to, how), ops::fma(y, x, z, to, how));
        // Scales of 0 change nothing, and fma with −0 or 1 is a product or a sum.
        prop_assert_eq!(ops::add_scaled(x, 0, y, 0, to, how), ops::add(x, y, to, how));
        prop_assert_eq!(ops::multiply_scaled(x, y, 0, to, how), ops::multiply(x, y, to, how));
        prop_assert_eq!(ops::scaled_fma(z, 0, x, y, 0, to, how), ops::fma(x, y, z, to, how));
        let one = datum(format("f32"), 1f32.to_bits() as u64);
        prop_assert_eq!(ops::fma(x, one, y, to, how), ops::add(x, y, to, how));
    }

    /// A power of two may stand in either factor, or in the scale.
    #[test]
    fn scales_are_powers_of_two(
        (x, y, to, how) in (formats(), formats(), formats())
            .prop_flat_map(|(f, g, to)| (data(f), data(g), Just(to), projections())),
        scale in -1000..=1000i32,
    ) {
        let power = datum(format("f64"), 2f64.powi(scale).to_bits());
        let one = datum(format("f64"), 1f64.to_bits());
        prop_assert_eq!(ops::multiply_scaled(x, one, scale, to, how), ops::multiply(x, power, to, how));
        let sum = ops::add_scaled(x, scale, y, 0, to, how);
        prop_assume!(!(x.value().is_nan() && y.value().is_nan()));
        prop_assert_eq!(sum, ops::fma(x, power, y, to, how));
        prop_assert_eq!(ops::scaled_fma(y, 0, x, one, scale, to, how), sum);
    }

    #[test]
    fn next_up_undoes_next_down((x, to) in formats().prop_flat_map(|f| (data(f), Just(f)))) {
        let how = Projection::default();
        let Value::Finite(value) = x.value() else { return Ok(()) };
        let code = canonical(to, x.code());
        let x = datum(to, code);
        let least = if to.signed() { to.sign_bit() | to.max_finite_code() } else { 0 };
        prop_assume!(code != least || (to.infinities() && to.signed()));
        let down = ops::next_down(x, to, how).code;
        prop_assert!(decode(to, down) < x.value());
        let back = ops::next_up(datum(to, down), to, how).code;
        prop_assert!(equal(decode(to, back), Value::Finite(value)), "{to} {code:#x}: down {down:#x}, back {back:#x}");
        prop_assert!(back == code || value.is_zero());
    }

    #[test]
    fn wider_formats_lose_nothing((x, how) in formats().prop_flat_map(|f| (data(f), projections()))) {
        let (from, wide) = (x.format(), format("f64"));
        prop_assume!(from.emax() <= 1023 && from.emin() >= -1000);
        prop_assume!(!(x.value().is_nan() && from.nan() == NanCodes::None));
        let there = ops::convert(x, wide, Projection { rounding: how.rounding, saturation: Saturation::Overflow });
        prop_assert!(equal(decode(wide, there.code), x.value()));
        let back = ops::convert(datum(wide, there.code), from, how);
        let expected = project(from, x.value(), how);
        prop_assert_eq!(back.code, expected.code, "{} {:#x} {:?}", from, x.code(), how);
    }

    /// The hardware's binary32 and binary64, rounding to nearest even.
    #[test]
    fn ieee_arithmetic_is_the_machines(
        (a, b, c) in (codes(format("f32")), codes(format("f32")), codes(format("f32"))),
        (d, e, g) in (codes(format("f64")), codes(format("f64")), codes(format("f64"))),
        near in -60..60i64,
    ) {
        let (f32s, how) = (format("f32"), Projection::default());
        // Operands of similar exponents as well, for cancellation and ties.
        let close = |bits: u32| (a as u32 & 0xff80_0000).wrapping_add((near as u32) << 23) ^ (bits & 0x807f_ffff);
        for (a, b, c) in [(a as u32, b as u32, c as u32), (a as u32, close(b as u32), close(c as u32))] {
            let [x, y, z] = [a, b, c].map(|bits| datum(f32s, bits as u64));
            let [p, q, r] = [a, b, c].map(f32::from_bits);
            let same = |ours: binade::Rounded, theirs: f32| {
                let ours = f32::from_bits(ours.code as u32);
                ours.to_bits() == theirs.to_bits() || (ours.is_nan() && theirs.is_nan())
            };
            prop_assert!(same(ops::add(x, y, f32s, how), p + q), "{p:e} + {q:e}");
            prop_assert!(same(ops::subtract(x, y, f32s, how), p - q), "{p:e} - {q:e}");
            prop_assert!(same(ops::multiply(x, y, f32s, how), p * q), "{p:e} * {q:e}");
            prop_assert!(q == 0.0 || same(ops::divide(x, y, f32s, how), p / q), "{p:e} / {q:e}");
            prop_assert!(same(ops::fma(x, y, z, f32s, how), p.mul_add(q, r)), "{p:e} * {q:e} + {r:e}");
            prop_assert!(same(ops::sqrt(x, f32s, how), p.sqrt()), "sqrt {p:e}");
        }
        let f64s = format("f64");
        let close = |bits: u64| (d & 0xfff0_0000_0000_0000).wrapping_add((near as u64) << 52) ^ (bits & 0x800f_ffff_ffff_ffff);
        for (d, e, g) in [(d, e, g), (d, close(e), close(g))] {
            let [x, y, z] = [d, e, g].map(|bits| datum(f64s, bits));
            let [p, q, r] = [d, e, g].map(f64::from_bits);
            let same = |ours: binade::Rounded, theirs: f64| {
                let ours = f64::from_bits(ours.code);
                ours.to_bits() == theirs.to_bits() || (ours.is_nan() && theirs.is_nan())
            };
            prop_assert!(same(ops::add(x, y, f64s, how), p + q), "{p:e} + {q:e}");
            prop_assert!(same(ops::multiply(x, y, f64s, how), p * q), "{p:e} * {q:e}");
            prop_assert!(q == 0.0 || same(ops::divide(x, y, f64s, how), p / q), "{p:e} / {q:e}");
            prop_assert!(same(ops::fma(x, y, z, f64s, how), p.mul_add(q, r)), "{p:e} * {q:e} + {r:e}");
            prop_assert!(same(ops::sqrt(x, f64s, how), p.sqrt()), "sqrt {p:e}");
            let narrowed = ops::convert(x, f32s, how).code as u32;
            prop_assert!(narrowed == (p as f32).to_bits() || p.is_nan(), "{p:e}");
        }
    }

    /// Any operation on any operands in any formats gives a code of the result format.
    #[test]
    fn operations_answer(
        operation in select(&Operation::ALL[..]),
        operands in prop::collection::vec(formats().prop_flat_map(data), ops::MOST_OPERANDS),
        (to, how) in (formats(), projections()),
        scales in prop::collection::vec(any::<i32>(), 2),
    ) {
        let operands = &operands[..operation.arity()];
        let answer = operation.evaluate(operands, &scales[..operation.scales()], to, how, Edition::V4).unwrap();
        match (operation.kind(), answer) {
            (AnswerKind::Code, binade::Answer::Code(result)) => {
                prop_assert!(result.code <= to.last_code());
                prop_assert_eq!(canonical(to, result.code), result.code);
            }
            (AnswerKind::Bool, binade::Answer::Bool(_)) | (AnswerKind::Class, binade::Answer::Class(_)) => {}
            (kind, answer) => prop_assert!(false, "{:?} answers {:?}", kind, answer),
        }
        prop_assert!(operation.evaluate(&[], &scales[..operation.scales()], to, how, Edition::V4).is_err());
    }

    /// Small sums and products are exact in binary64, so converting them is another way to the result.
    #[test]
    fn narrow_arithmetic_agrees_with_binary64(
        (x, y, to, how) in (select(eight_bits()), select(eight_bits()), formats())
            .prop_flat_map(|(f, g, to)| (data(f), data(g), Just(to), projections())),
    ) {
        let wide = |x: Datum| f64::from_bits(ops::convert(x, format("f64"), Projection::default()).code);
        let (p, q) = (wide(x), wide(y));
        prop_assume!(p.is_finite() && q.is_finite());
        let product = project(to, Value::from_f64(p * q), how);
        prop_assert_eq!(ops::multiply(x, y, to, how).code, product.code, "{:e} * {:e} {} {:?}", p, q, to, how);
        prop_assume!(p + q != 0.0 || how.rounding != Rounding::TowardNegative);
        let sum = project(to, Value::from_f64(p + q), how);
        prop_assert_eq!(ops::add(x, y, to, how).code, sum.code, "{:e} + {:e} {} {:?}", p, q, to, how);
    }
}

/// 8-bit formats whose sums have at most 53 bits: a range of 2^40 or less.
fn eight_bits() -> Vec<Format> {
    named()
        .into_iter()
        .filter(|f| f.width() <= 8 && f.emax() - f.emin() <= 16 && f.bias().abs() < 20)
        .collect()
}
