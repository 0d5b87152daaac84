//! Statements of the sources, clause by clause.

mod common;

use binade::{
    Edition, Flags, Format, Rounding, Saturation, Spec, Subnormals, Value, decode, ops,
    ops::{Comparison, Predicate},
};
use common::{datum, format, hex, nearest, round, value};

fn flags(letters: &str) -> Flags {
    let all = [Flags::INVALID, Flags::DENORMAL, Flags::OVERFLOW, Flags::UNDERFLOW, Flags::INEXACT];
    all.into_iter().filter(|flag| letters.contains(&flag.to_string())).fold(Flags::NONE, |a, b| a | b)
}

/// P3109 0.9.1 Table 1, the columns of binary8p7 to binary8p1 and of IEEE 754's formats: K, P, S, W, T, emax, emin,
/// bias.
#[test]
fn p3109_table_1_parameters_equal_those_of_the_formats() {
    let rows: [(&str, [i32; 8]); 10] = [
        ("binary8p7", [8, 7, 1, 1, 6, 0, 0, 1]),
        ("binary8p6", [8, 6, 1, 2, 5, 1, -1, 2]),
        ("binary8p5", [8, 5, 1, 3, 4, 3, -3, 4]),
        ("binary8p4", [8, 4, 1, 4, 3, 7, -7, 8]),
        ("binary8p3", [8, 3, 1, 5, 2, 15, -15, 16]),
        ("binary8p2", [8, 2, 1, 6, 1, 31, -31, 32]),
        ("binary8p1", [8, 1, 1, 7, 0, 63, -62, 63]),
        ("binary16", [16, 11, 1, 5, 10, 15, -14, 15]),
        ("binary32", [32, 24, 1, 8, 23, 127, -126, 127]),
        ("binary64", [64, 53, 1, 11, 52, 1023, -1022, 1023]),
    ];
    for (name, row) in rows {
        let f = format(name);
        let derived = [
            f.width() as i32,
            f.precision() as i32,
            f.signed() as i32,
            f.exponent_bits() as i32,
            f.trailing_bits() as i32,
            f.emax(),
            f.emin(),
            f.bias(),
        ];
        assert_eq!(derived, row, "{name}");
    }
}

/// P3109 0.9.1 Table 2, for every width with a name.
#[test]
fn p3109_table_2_biases_equal_those_of_the_formats() {
    for k in 3..=16 {
        let f = format(&format!("binary{k}p2"));
        assert_eq!(f.infinity_code(), Some((1 << (k - 1)) - 1));
        assert_eq!(f.nan_code(), Some(1 << (k - 1)));
        assert_eq!(decode(f, (1 << k) - 1), Value::Infinite { negative: true });
        assert!(!f.negative_zero(), "§3.5: exactly one zero");
    }
}

/// P3109 0.9.1 Table 3: the extremes of binary8pP.
#[test]
fn p3109_table_3_extremes_equal_those_of_the_formats() {
    let rows = [
        ("binary8p1", None, "0x1p-62", "0x1p+63"),
        ("binary8p2", Some(("0x1p-32", "0x1p-32")), "0x1p-31", "0x1p+31"),
        ("binary8p3", Some(("0x1p-17", "0x1.8p-16")), "0x1p-15", "0x1.8p+15"),
        ("binary8p4", Some(("0x1p-10", "0x1.cp-8")), "0x1p-7", "0x1.cp+7"),
        ("binary8p5", Some(("0x1p-7", "0x1.ep-4")), "0x1p-3", "0x1.ep+3"),
        ("binary8p6", Some(("0x1p-6", "0x1.fp-2")), "0x1p-1", "0x1.fp+1"),
        ("binary8p7", Some(("0x1p-6", "0x1.f8p-1")), "0x1p+0", "0x1.f8p+0"),
    ];
    for (name, subnormal, min_normal, max_normal) in rows {
        let f = format(name);
        let least = f.min_subnormal_code().map(|code| hex(f, code));
        let greatest = f.max_subnormal_code().map(|code| hex(f, code));
        assert_eq!(least.as_deref().zip(greatest.as_deref()), subnormal, "{name}");
        assert_eq!(hex(f, f.smallest_normal().unwrap()), min_normal, "{name}");
        assert_eq!(hex(f, f.max_finite_code()), max_normal, "{name}");
    }
}

/// P3109 0.9.1 §A.3.1 prints 4195.0 for the largest value of binary8p3; Table 3 gives 3/2 · 2^15.
#[test]
fn p3109_binary8p3_has_the_largest_value_of_table_3() {
    assert_eq!(binade::text::decimal(decode(format("binary8p3"), 0x7e)), "49152.0");
}

/// P3109 0.9.1 §3.8: P = K − 1 is sign and magnitude in fixed point.
#[test]
fn p3109_formats_of_full_precision_are_linear() {
    let f = format("binary8p7");
    for code in 0..=f.max_finite_code() {
        let quantum = value(&format!("0x{code:x}p-6"));
        assert_eq!(decode(f, code).partial_cmp(&quantum), Some(std::cmp::Ordering::Equal));
    }
}

/// P3109 0.9.1 §3.1.2 gives P = 1 formats a bias of emax, later editions one more: values differ by a factor of 2.
/// From P = 2 on the editions agree.
#[test]
fn p3109_editions_differ_at_precision_1_only() {
    assert_eq!(hex(format("binary8p1"), 0x40), "0x1p+1");
    assert_eq!(hex(format("binary8p1se"), 0x40), "0x1p+0");
    for k in 3..=16 {
        for p in 2..k {
            assert_eq!(format(&format!("binary{k}p{p}")), format(&format!("binary{k}p{p}se")));
        }
        assert_ne!(format(&format!("binary{k}p1")), format(&format!("binary{k}p1se")));
    }
}

/// P3109 4.0: the codes of the special values of each family; finite formats use the codes of ±∞ for numbers.
#[test]
fn p3109_families_have_their_special_codes() {
    for (name, nan, infinity, largest) in [
        ("binary8p3se", 0x80, Some(0x7f), 0x7e),
        ("binary8p3sf", 0x80, None, 0x7f),
        ("binary8p3ue", 0xff, Some(0xfe), 0xfd),
        ("binary8p3uf", 0xff, None, 0xfe),
    ] {
        let f = format(name);
        assert_eq!(
            (f.nan_code(), f.infinity_code(), f.max_finite_code()),
            (Some(nan), infinity, largest),
            "{name}"
        );
        assert_eq!(f.bias(), if f.signed() { 16 } else { 32 }, "{name}");
    }
}

/// The RFC's formats are P3109's later finite formats.
#[test]
fn fnuz_formats_equal_finite_p3109_formats() {
    assert_eq!(format("float8_e4m3fnuz"), format("binary8p4sf"));
    assert_eq!(format("float8_e5m2fnuz"), format("binary8p3sf"));
}

/// P3109 0.9.1 §4.6.3: with P = 1 ties go to the even code, not to the even multiple.
#[test]
fn p3109_ties_at_precision_1_round_to_the_even_code() {
    for name in ["binary8p1", "binary8p1se"] {
        let f = format(name);
        for code in 1..f.max_finite_code() {
            let tie = format!("0x1.8p{}", (code as i64) - f.bias() as i64);
            assert_eq!(nearest(f, &tie).code, code + (code & 1), "{name} {code:#x}");
        }
    }
}

/// P3109 0.9.1 §4.6.4, with M = 224 of binary8p4, whose next value would be 240.
#[test]
fn p3109_saturation_modes_follow_clause_4_6_4() {
    use Rounding::{NearestAway, NearestEven, TowardNegative, TowardPositive, TowardZero};
    use Saturation::{Finite, Max, Overflow};
    let f = format("binary8p4");
    let (largest, infinity) = (0x7e, 0x7f);
    for (text, rounding, saturation, code) in [
        ("231", NearestEven, Overflow, largest), // rounds to 224 first
        ("232", NearestEven, Overflow, largest), // a tie, to the even code
        ("232", NearestAway, Overflow, infinity),
        ("232.1", NearestEven, Overflow, infinity),
        ("232.1", NearestEven, Finite, largest),
        ("232.1", NearestEven, Max, largest),
        ("1e9", TowardZero, Overflow, largest),
        ("1e9", TowardNegative, Overflow, largest),
        ("1e9", TowardPositive, Overflow, infinity),
        ("1e9", NearestAway, Overflow, infinity),
        ("inf", TowardZero, Overflow, infinity),
        ("inf", NearestEven, Finite, infinity),
        ("inf", NearestEven, Max, largest),
    ] {
        assert_eq!(round(f, text, rounding, saturation).code, code, "{text} {rounding:?} {saturation:?}");
        let mirrored = match rounding {
            TowardNegative => TowardPositive,
            TowardPositive => TowardNegative,
            other => other,
        };
        let negative = round(f, &format!("-{text}"), mirrored, saturation).code;
        assert_eq!(negative, 0x80 | code, "-{text} {mirrored:?} {saturation:?}");
    }
}

/// P3109 4.0: a negative result in an unsigned format.
#[test]
fn p3109_unsigned_formats_reject_negative_results() {
    let f = format("binary8p3ue");
    for (rounding, saturation, code) in [
        (Rounding::NearestEven, Saturation::Overflow, 0xff),
        (Rounding::TowardNegative, Saturation::Overflow, 0xff),
        (Rounding::TowardZero, Saturation::Overflow, 0),
        (Rounding::TowardPositive, Saturation::Overflow, 0),
        (Rounding::NearestEven, Saturation::Finite, 0),
        (Rounding::NearestEven, Saturation::Max, 0),
    ] {
        let result = round(f, "-1", rounding, saturation);
        assert_eq!((result.code, result.flags), (code, Flags::INVALID), "{rounding:?} {saturation:?}");
        let infinite = round(f, "-inf", rounding, saturation).code;
        assert_eq!(
            infinite,
            if saturation == Saturation::Overflow { 0xff } else { 0 },
            "{rounding:?} {saturation:?}"
        );
    }
}

/// P3109 0.9.1 §4.8.3 and its lacunae: x/0 is NaN, ±∞/±∞ (without a rule) is NaN, finite/±∞ is 0.
#[test]
fn p3109_division_by_zero_and_infinity_follows_clause_4_8_3() {
    let f = format("binary8p4");
    let quotient = |x: &str, y: &str| {
        let [x, y] = [x, y].map(|text| datum(f, nearest(f, text).code));
        binade::text::decimal(decode(f, ops::divide(x, y, f, Default::default()).code))
    };
    for (x, y, result) in [
        ("1", "0", "nan"),
        ("inf", "0", "nan"),
        ("inf", "-inf", "nan"),
        ("-3", "inf", "0.0"),
        ("-inf", "2", "-inf"),
        ("3", "2", "1.5"),
    ] {
        assert_eq!(quotient(x, y), result, "{x} / {y}");
    }
}

/// P3109 0.9.1 §4.8.4: Log and Log2 of 0 are −∞; Exp and Exp2 of −∞ are 0.
#[test]
fn p3109_elementary_functions_have_their_limits() {
    let f = format("binary8p4");
    let of = |function: fn(_, _, _) -> binade::Rounded, text: &str| {
        binade::text::decimal(decode(
            f,
            function(datum(f, nearest(f, text).code), f, Default::default()).code,
        ))
    };
    for function in [ops::log, ops::log2] {
        assert_eq!([of(function, "0"), of(function, "inf"), of(function, "-1")], ["-inf", "inf", "nan"]);
    }
    for function in [ops::exp, ops::exp2] {
        assert_eq!([of(function, "-inf"), of(function, "inf"), of(function, "0")], ["0.0", "inf", "1.0"]);
    }
    assert_eq!([of(ops::sqrt, "inf"), of(ops::sqrt, "-1"), of(ops::sqrt, "4")], ["inf", "nan", "2.0"]);
    assert_eq!(of(ops::log, "8"), "2.0", "natural: 2.079…");
}

/// P3109 0.9.1 §4.9.1 lacks 0 · ±∞ and ∞ − ∞ in ScaledFMA: both are NaN.
#[test]
fn p3109_scaled_fma_of_undefined_products_is_nan() {
    let (f, to) = (format("binary8p4"), format("binary32"));
    let result = |a: &str, x: &str, y: &str| {
        let a = datum(to, nearest(to, a).code);
        let [x, y] = [x, y].map(|text| datum(f, nearest(f, text).code));
        binade::text::decimal(decode(to, ops::scaled_fma(a, 1, x, y, -1, to, Default::default()).code))
    };
    assert_eq!(result("1", "0", "inf"), "nan");
    assert_eq!(result("inf", "-inf", "1"), "nan");
    assert_eq!(result("0.1", "3", "5"), "7.69999980926513671875", "7.5 and twice binary32's 0.1");
}

/// P3109 0.9.1 §4.10.2 prints the expressions of compareGreater and compareGreaterEqual in each other's place.
#[test]
fn p3109_compare_greater_follows_table_5() {
    let f = format("binary8p4");
    let one = datum(f, nearest(f, "1").code);
    assert!(!ops::compare(Comparison::Greater, one, one));
    assert!(ops::compare(Comparison::GreaterEqual, one, one));
}

/// P3109 0.9.1 §4.10.3 has isSignMinus(NaN) true, later editions false; §4.10.5's totalOrder(NaN, NaN) is true;
/// §4.8.2's CopySign with any NaN is NaN.
#[test]
fn p3109_nan_rules_follow_the_editions() {
    let f = format("binary8p4");
    let nan = datum(f, 0x80);
    let one = datum(f, nearest(f, "1").code);
    assert!(ops::test(Predicate::SignMinus, nan, Edition::Interim));
    assert!(!ops::test(Predicate::SignMinus, nan, Edition::V4));
    assert_eq!("binary8p4".parse::<Spec>().unwrap().edition, Edition::Interim);
    assert_eq!("binary8p4se".parse::<Spec>().unwrap().edition, Edition::V4);
    assert!(ops::total_order(nan, nan) && ops::total_order(nan, one) && !ops::total_order(one, nan));
    for (x, y) in [(nan, one), (one, nan)] {
        assert_eq!(ops::copy_sign(x, y, f, Default::default()).code, 0x80);
    }
    assert!(!ops::test(Predicate::Signaling, nan, Edition::Interim));
}

/// P3109 0.9.1 §4.7: conversions to IEEE 754 give +0 and the quiet NaN without payload, and project where the target
/// is too small (binary8p1 to binary16).
#[test]
fn p3109_conversions_to_ieee754_project() {
    let (p4, p1, f16) = (format("binary8p4"), format("binary8p1"), format("f16"));
    let converted = |from: Format, code| ops::convert(datum(from, code), f16, Default::default()).code;
    assert_eq!(converted(p4, 0), 0);
    assert_eq!(converted(p4, 0x80), 0x7e00);
    assert_eq!(converted(p1, 0x7e), 0x7c00, "2^63");
    assert_eq!(converted(p1, 1), 0, "2^-62");
}

/// TSL Table 4: normal ranges of CFloat8_1_4_3; and E_min = 1 − bias, E_max = 15 − bias in the text.
#[test]
fn tsl_table_4_ranges_equal_those_of_the_formats() {
    for (bias, emin, emax) in [
        (0, 1, 15),
        (1, 0, 14),
        (2, -1, 13),
        (3, -2, 12),
        (31, -30, -16),
        (60, -59, -45),
        (61, -60, -46),
        (62, -61, -47),
        (63, -62, -48),
    ] {
        let f = format(&format!("cfloat8_1_4_3@bias={bias}"));
        assert_eq!(hex(f, 0x08), format!("0x1p{emin:+}"), "bias {bias}");
        assert_eq!(hex(f, 0x7f), format!("0x1.ep{emax:+}"), "bias {bias}");
        assert_eq!(hex(f, 0xff), format!("-0x1.ep{emax:+}"), "bias {bias}");
    }
}

/// TSL Table 5: normal ranges of CFloat8_1_5_2.
#[test]
fn tsl_table_5_ranges_equal_those_of_the_formats() {
    for (bias, emin, emax) in [
        (0, 1, 31),
        (1, 0, 30),
        (2, -1, 29),
        (3, -2, 28),
        (31, -30, 0),
        (60, -59, -29),
        (61, -60, -30),
        (62, -61, -31),
        (63, -62, -32),
    ] {
        let f = format(&format!("cfloat8_1_5_2@bias={bias}"));
        assert_eq!(hex(f, 0x04), format!("0x1p{emin:+}"), "bias {bias}");
        assert_eq!(hex(f, 0x7f), format!("0x1.cp{emax:+}"), "bias {bias}");
        assert_eq!(hex(f, 0xff), format!("-0x1.cp{emax:+}"), "bias {bias}");
    }
}

/// TSL, "Tesla CFloat8 Formats": denormals are (−1)^sign · 2^(−bias) · 0.mantissa, listed in full.
#[test]
fn tsl_denormals_are_at_half_scale() {
    for bias in 0..=63 {
        for (name, bits) in [("cfloat8_1_4_3", 3), ("cfloat8_1_5_2", 2), ("shp", 10)] {
            let f = format(&format!("{name}@bias={bias}"));
            for t in 0..1u64 << bits {
                let exact = value(&format!("0x{t:x}p{}", -bits - bias));
                assert_eq!(
                    decode(f, t).partial_cmp(&exact),
                    Some(std::cmp::Ordering::Equal),
                    "{name} {bias} {t}"
                );
            }
            // The variant with IEEE 754's scale doubles them.
            let usual = f.with_subnormals(Subnormals::Ieee).unwrap();
            let exact = value(&format!("0x1p{}", 1 - bits - bias));
            assert_eq!(decode(usual, 1).partial_cmp(&exact), Some(std::cmp::Ordering::Equal));
        }
    }
}

/// The gap below the smallest normal: its midpoint is 1.4375 · 2^(−bias) in CFloat8_1_4_3, and the tie goes to the
/// even code 0x08.
#[test]
fn tsl_gap_midpoint_rounds_to_the_even_code() {
    for bias in [0, 7, 63] {
        let f = format(&format!("cfloat8_1_4_3@bias={bias}"));
        let at = |mantissa: &str| nearest(f, &format!("{mantissa}p-{bias}"));
        assert_eq!(at("0x0.e").code, 0x07);
        assert_eq!(at("0x1.6ffffffffffff").code, 0x07);
        assert_eq!((at("0x1.7").code, at("0x1.7").flags), (0x08, flags("ux")));
        assert_eq!(at("0x1.7000000000001").code, 0x08);
        let toward_zero = |mantissa: &str| {
            round(f, &format!("{mantissa}p-{bias}"), Rounding::TowardZero, Saturation::Overflow).code
        };
        assert_eq!([toward_zero("0x1.ffffffffff"), toward_zero("0x2")], [0x07, 0x08]);
    }
}

/// TSL: "Any Infinity or NaN operand, or an overflow … will clamp the result to the maximum representable number", with
/// the exception flags of "Exception Status Flags".
#[test]
fn tsl_overflow_infinity_and_nan_clamp() {
    for name in ["cfloat8_1_4_3@bias=7", "cfloat8_1_5_2@bias=15", "shp@bias=20"] {
        let f = format(name);
        let (largest, sign) = (f.max_finite_code(), f.sign_bit());
        for (text, code, raised) in [
            ("inf", largest, "ox"),
            ("-inf", largest | sign, "ox"),
            ("nan", largest, "i"),
            ("-nan", largest | sign, "i"),
            ("1e30", largest, "ox"),
            ("-1e30", largest | sign, "ox"),
            ("0", 0, ""),
            ("-0", sign, ""),
        ] {
            let result = nearest(f, text);
            assert_eq!((result.code, result.flags), (code, flags(raised)), "{name} {text}");
        }
        // Denormal of an operand, underflow of a result.
        let small = datum(f, 1);
        let product = ops::multiply(small, datum(f, nearest(f, "0.5").code), f, Default::default());
        assert_eq!((product.code, product.flags), (0, flags("dux")), "{name}: a tie, to even");
        let sum = ops::add(small, small, f, Default::default());
        assert_eq!((sum.code, sum.flags), (2, flags("d")), "{name}");
    }
}

/// TSL, UHP: Inf is all-ones exponent and zero mantissa; denormal operands and results are flushed to zero. The
/// canonical NaN is printed with five exponent ones; the format has six exponent bits: 0xfe00.
#[test]
fn tsl_uhp_flushes_and_has_its_specials() {
    let f = format("uhp");
    assert_eq!((f.infinity_code(), f.nan_code(), f.max_finite_code()), (Some(0xfc00), Some(0xfe00), 0xfbff));
    assert_eq!(nearest(f, "nan").code, 0xfe00);
    assert_eq!(ops::convert(datum(f, 0xffff), f, Default::default()).code, 0xfe00, "payloads are not kept");
    let flushed = ops::convert(datum(f, 0x3ff), f, Default::default());
    assert_eq!((flushed.code, flushed.flags), (0, flags("d")));
    let small = nearest(f, "0x1.00001p-31");
    assert_eq!((small.code, small.flags), (0x400, flags("ux")), "the nearer of 0 and 2^-30");
    let smaller = nearest(f, "0x1p-31");
    assert_eq!((smaller.code, smaller.flags), (0, flags("ux")), "a tie");
    // Negative values: canonical NaN and Invalid, or 0 and Invalid with saturation.
    let negative = nearest(f, "-2");
    assert_eq!((negative.code, negative.flags), (0xfe00, Flags::INVALID));
    let saturated = round(f, "-2", Rounding::NearestEven, Saturation::Max);
    assert_eq!((saturated.code, saturated.flags), (0, Flags::INVALID));
}

/// RFC, comparison of Float8E4M3FN and Float8E4M3FNUZ, and of Float8E5M2 and Float8E5M2FNUZ.
#[test]
fn rfc_tables_equal_those_of_the_formats() {
    for (name, bias, min_normal, max_normal, min_subnormal, max_subnormal) in [
        ("float8_e4m3fn", 7, (0x08, "0x1p-6"), (0x7e, "448.0"), "0x1p-9", (0x07, "0x1.cp-7")),
        ("float8_e4m3fnuz", 8, (0x08, "0x1p-7"), (0x7f, "240.0"), "0x1p-10", (0x07, "0x1.cp-8")),
        ("float8_e5m2", 15, (0x04, "0x1p-14"), (0x7b, "57344.0"), "0x1p-16", (0x03, "0x1.8p-15")),
        ("float8_e5m2fnuz", 16, (0x04, "0x1p-15"), (0x7f, "57344.0"), "0x1p-17", (0x03, "0x1.8p-16")),
    ] {
        let f = format(name);
        assert_eq!(f.bias(), bias, "{name}");
        assert_eq!(
            (f.smallest_normal(), hex(f, min_normal.0).as_str()),
            (Some(min_normal.0), min_normal.1),
            "{name}"
        );
        assert_eq!(f.max_finite_code(), max_normal.0, "{name}");
        assert_eq!(binade::text::decimal(decode(f, max_normal.0)), max_normal.1, "{name}");
        assert_eq!((f.min_subnormal_code(), hex(f, 1).as_str()), (Some(1), min_subnormal), "{name}");
        assert_eq!(
            (f.max_subnormal_code(), hex(f, max_subnormal.0).as_str()),
            (Some(max_subnormal.0), max_subnormal.1)
        );
        // Both signs.
        assert_eq!(hex(f, 0x80 | max_subnormal.0), format!("-{}", max_subnormal.1), "{name}");
    }
    let nans = |name| {
        let f = format(name);
        (0..=255).filter(|&code| decode(f, code).is_nan()).collect::<Vec<_>>()
    };
    assert_eq!(nans("float8_e4m3fn"), [0x7f, 0xff]);
    assert_eq!(nans("float8_e4m3fnuz"), [0x80]);
    assert_eq!(nans("float8_e5m2"), [0x7d, 0x7e, 0x7f, 0xfd, 0xfe, 0xff]);
    assert_eq!(nans("float8_e5m2fnuz"), [0x80]);
    for (name, infinity, negative_zero) in [
        ("float8_e4m3fn", None, true),
        ("float8_e4m3fnuz", None, false),
        ("float8_e5m2", Some(0x7c), true),
        ("float8_e5m2fnuz", None, false),
    ] {
        let f = format(name);
        assert_eq!((f.infinity_code(), f.negative_zero()), (infinity, negative_zero), "{name}");
    }
}

/// The RFC does not define overflow. 464 is the midpoint between 448 and the absent 480. It rounds to the even 448, and
/// only larger numbers become NaN.
#[test]
fn rfc_overflow_rounds_before_it_is_nan() {
    let f = format("float8_e4m3fn");
    assert_eq!((nearest(f, "464").code, nearest(f, "464").flags), (0x7e, flags("x")));
    assert_eq!((nearest(f, "464.0000001").code, nearest(f, "464.0000001").flags), (0x7f, flags("ox")));
    assert_eq!(round(f, "465", Rounding::NearestEven, Saturation::Max).code, 0x7e);
    assert_eq!(nearest(format("float8_e4m3fnuz"), "1e9").code, 0x80);
}

/// A binary64 is rounded once: 1 + 2^-4 + 2^-40 is above the tie that it would be as a binary32.
#[test]
fn binary64_near_a_tie_rounds_once() {
    let f = format("float8_e4m3fn");
    assert_eq!(hex(f, nearest(f, "0x1.10000000010p+0").code), "0x1.2p+0");
    assert_eq!(hex(f, nearest(f, "0x1.1p+0").code), "0x1p+0");
    let x = datum(format("f64"), (1.0 + 2f64.powi(-4) + 2f64.powi(-40)).to_bits());
    assert_eq!(ops::convert(x, f, Default::default()).code, 0x39);
}

/// RFC, "Float8E4M3FNUZ and Float8E5M2FNUZ Arithmetic": x = iota(16), as listed, and x · x = 1280, if every step is
/// rounded and if only the exact sum is.
#[test]
fn rfc_dot_product_is_1280() {
    let f = format("float8_e5m2fnuz");
    let wide = format("f64");
    let x: Vec<_> = (0..16).map(|i| datum(f, nearest(f, &i.to_string()).code)).collect();
    let shown: Vec<f64> =
        x.iter().map(|&x| f64::from_bits(ops::convert(x, wide, Default::default()).code)).collect();
    assert_eq!(shown, [0., 1., 2., 3., 4., 5., 6., 7., 8., 8., 10., 12., 12., 12., 14., 16.]);
    let stepwise = x.iter().fold(datum(f, 0), |sum, &x| {
        let product = datum(f, ops::multiply(x, x, f, Default::default()).code);
        datum(f, ops::add(sum, product, f, Default::default()).code)
    });
    let exact = x
        .iter()
        .fold(datum(wide, 0), |sum, &x| datum(wide, ops::fma(x, x, sum, wide, Default::default()).code));
    let once = ops::convert(exact, f, Default::default()).code;
    assert_eq!([hex(f, stepwise.code()), hex(f, once)], ["0x1.4p+10", "0x1.4p+10"]);
}

/// One rule of overflow for every FP8 type: to infinity, or to NaN in formats without one, unless saturation is
/// requested. PyTorch's conversions saturate, overflow to infinity or give NaN depending on the type.
#[test]
fn overflow_follows_one_rule_in_every_type() {
    for (name, overflowed, largest) in [
        ("float8_e4m3fn", 0x7f, 0x7e),
        ("float8_e5m2", 0x7c, 0x7b),
        ("float8_e4m3fnuz", 0x80, 0x7f),
        ("float8_e5m2fnuz", 0x80, 0x7f),
    ] {
        let f = format(name);
        for big in ["1e9", "inf"] {
            assert_eq!(nearest(f, big).code, overflowed, "{name} {big}");
            assert_eq!(round(f, big, Rounding::NearestEven, Saturation::Max).code, largest, "{name} {big}");
        }
        assert_eq!(round(f, "1e9", Rounding::NearestEven, Saturation::Finite).code, largest, "{name}");
    }
}

/// Unsigned formats under P3109 4.0: a saturating projection clamps negative values to zero, which gfloat does not.
#[test]
fn unsigned_formats_clamp_at_zero() {
    for name in ["binary8p4ue", "binary8p4uf", "binary8p8uf"] {
        let f = format(name);
        for saturation in [Saturation::Finite, Saturation::Max] {
            for negative in ["-1", "-1e9", "-inf"] {
                let rounded = round(f, negative, Rounding::NearestEven, saturation);
                assert_eq!((rounded.code, rounded.flags), (0, flags("i")), "{name} {negative}");
            }
        }
        assert!(decode(f, nearest(f, "-1").code).is_nan());
        assert_eq!(round(f, "-1", Rounding::TowardZero, Saturation::Overflow).code, 0);
        assert_eq!(round(f, "-1", Rounding::TowardPositive, Saturation::Overflow).code, 0);
        assert!(decode(f, round(f, "-inf", Rounding::TowardZero, Saturation::Overflow).code).is_nan());
    }
}

/// P3109 4.0 §4.7.5, §4.8: results of its projection that differ from 0.9.1's.
#[test]
fn p3109_4_projection_differs_from_0_9_1_as_documented() {
    use Saturation::{Finite, Max, Overflow};
    let code = |name: &str, text: &str, rounding, saturation| {
        let how = binade::Projection::new(rounding, saturation);
        binade::project_in(format(name), value(text), how, Edition::V4).code
    };
    let even = Rounding::NearestEven;
    // Finite domain: the largest, of either sign, in each saturation mode.
    for saturation in [Overflow, Finite, Max] {
        assert_eq!(code("binary4p2sf", "inf", even, saturation), 0x7);
        assert_eq!(code("binary4p2sf", "-100", even, saturation), 0xf);
    }
    // Negative out of range of an unsigned format: NaN under SatNone only.
    assert_eq!(code("binary4p2uf", "-inf", even, Overflow), 0xf);
    assert_eq!(code("binary4p2uf", "-inf", even, Finite), 0);
    assert_eq!(code("binary4p2uf", "-3", Rounding::TowardZero, Overflow), 0);
    // ToOdd.
    assert_eq!(code("binary8p3se", "-1e9", Rounding::ToOdd, Overflow), 0xff);
    assert_eq!(code("f16", "1e9", Rounding::ToOdd, Overflow), 0x7c00);
    assert_eq!(code("binary8p3ue", "1e30", Rounding::ToOdd, Overflow), 0xfd);
    // No −0, after underflow either.
    assert_eq!(code("f32", "-0", even, Overflow), 0);
    assert_eq!(code("f32", "-1e-60", even, Overflow), 0);
}

/// Results of the functions of 4.0 that are binary fractions, and results that the report defines as NaN.
#[test]
fn p3109_4_functions_have_their_exact_results() {
    let f = format("f32");
    let result = |name: &str, operands: &[&str]| {
        let operation = binade::Operation::from_name(name).unwrap();
        let data: Vec<_> = operands.iter().map(|text| datum(f, nearest(f, text).code)).collect();
        let Ok(binade::Answer::Code(rounded)) =
            operation.evaluate(&data, &[], f, Default::default(), Edition::V4)
        else {
            panic!("{name} answers with a code")
        };
        (binade::text::decimal(decode(f, rounded.code)), rounded.flags.to_string())
    };
    for (name, operands, text, flags) in [
        ("sin_pi", &["2.5"][..], "1.0", "-"),
        ("cos_pi", &["0x1p24"], "1.0", "-"),
        ("tan_pi", &["0.75"], "-1.0", "-"),
        ("tan_pi", &["0.5"], "nan", "i"),
        ("arc_tan_pi", &["-1"], "-0.25", "-"),
        ("arc_cos_pi", &["-1"], "1.0", "-"),
        ("arc_tan2_pi", &["3", "-3"], "0.75", "-"),
        ("arc_tan2_pi", &["-1", "-inf"], "-1.0", "-"),
        ("arc_tan2", &["0", "0"], "nan", "i"),
        ("hypot", &["0x3p60", "0x4p60"], "5764607523034234880.0", "-"),
        ("hypot", &["inf", "nan"], "nan", "i"),
        ("rsqrt", &["0x1p-40"], "1048576.0", "-"),
        ("recip", &["0"], "nan", "i"),
        ("recip", &["-inf"], "0.0", "-"),
        ("log_one_plus", &["-1"], "-inf", "-"),
        ("exp_minus_one", &["-inf"], "-1.0", "-"),
        ("arc_tanh", &["-1"], "-inf", "-"),
        ("tanh", &["100"], "1.0", "x"),
        ("softplus", &["-inf"], "0.0", "-"),
        ("faa", &["0x1p100", "1", "-0x1p100"], "1.0", "-"),
        ("clamp", &["5", "1", "-1"], "nan", "i"),
        ("maximum_finite", &["inf", "2"], "2.0", "-"),
        ("minimum_number", &["nan", "2"], "2.0", "-"),
        ("minimum_magnitude", &["-2", "2"], "-2.0", "-"),
        ("scaled_add", &["2", "3", "4", "0.5"], "8.0", "-"),
    ] {
        assert_eq!(result(name, operands), (text.to_owned(), flags.to_owned()), "{name} {operands:?}");
    }
}
