//! The typed interface: constants, operators, text and order.

use std::collections::HashSet;

use binade::typed::*;
use binade::{Class, Projection, Rounding, Saturation, ops};

#[test]
fn constants_of_types_have_their_codes() {
    assert_eq!(BF16::ONE.to_bits(), 0x3f80);
    assert_eq!(BF16::NAN.to_bits(), 0x7fc0);
    assert_eq!(F16::MAX.to_f64(), 65504.0);
    assert_eq!(F16::MIN, -F16::MAX);
    assert_eq!(F16::MIN_POSITIVE.to_f64(), 2f64.powi(-14));
    assert_eq!(F16::INFINITY.to_f32(), f32::INFINITY);
    assert_eq!(F8E4M3FNUZ::NAN.to_bits(), 0x80);
    // UHP's canonical NaN: exponent all ones, top mantissa bit (TSL, CFloat16 formats).
    assert_eq!(Uhp::NAN.to_bits(), 0xfe00);
    // P3109 §3.1.2: at P = 1, code 0x40 of 0.9.1 is 2, and 1 in the later editions.
    assert_eq!((Binary8P1::ONE.to_bits(), Binary8P1Se::ONE.to_bits()), (0x3f, 0x40));
    assert_eq!(F8E8M0FNU::ONE.to_bits(), 127);
    assert_eq!(F8E8M0FNU::MIN.to_f64(), 2f64.powi(-127));
    assert_eq!(CFloat8E4M3::<1>::ONE.to_bits(), 0x08);
    assert_eq!(CFloat8E5M2::<63>::MAX.to_f64(), 1.75 * 2f64.powi(-32));
    assert_eq!(Binary8P8Ue::ONE.to_bits(), 0x80);
    assert_eq!(Shp::<5>::default().to_bits(), 0);
    const HALF: Result<BF16, binade::DatumError> = BF16::from_bits(0x3f00);
    assert_eq!(HALF.unwrap().to_f32(), 0.5);
}

#[test]
fn codes_out_of_range_are_errors() {
    assert_eq!(F6E3M2FN::from_bits(63).unwrap(), F6E3M2FN::MIN);
    let error = F6E3M2FN::from_bits(64).unwrap_err();
    assert_eq!(error.to_string(), "code 0x40 has more bits than float6_e3m2fn: the largest is 0x3f");
    assert!(TF32::from_bits(1 << 19).is_err());
}

#[test]
fn operators_equal_the_operations() {
    let (how, one) = (Projection::default(), F8E4M3FNUZ::ONE);
    for a in 0..=255 {
        for b in 0..=255 {
            let (x, y) = (F8E4M3FNUZ::from_bits(a).unwrap(), F8E4M3FNUZ::from_bits(b).unwrap());
            let code = |of: fn(_, _, _, _) -> binade::Rounded| {
                of(x.datum(), y.datum(), F8E4M3FNUZ::FORMAT, how).code
            };
            assert_eq!((x + y).code(), code(ops::add));
            assert_eq!((x - y).code(), code(ops::subtract));
            assert_eq!((x * y).code(), code(ops::multiply));
            assert_eq!((x / y).code(), code(ops::divide));
            let mut z = x;
            z += y;
            z -= y;
            z *= y;
            z /= y;
            assert_eq!(z.code(), ((((x + y) - y) * y) / y).code());
            assert_eq!(
                x.mul_add(y, one).code(),
                ops::fma(x.datum(), y.datum(), one.datum(), F8E4M3FNUZ::FORMAT, how).code
            );
        }
    }
    assert_eq!(BF16::from_f64(2.0).sqrt().to_f64(), 1.4140625);
    assert_eq!(BF16::ONE.exp().to_f64(), 2.71875);
    assert_eq!(BF16::from_f64(3.5).exp2().to_f64(), 11.3125);
    assert_eq!(BF16::from_f64(10.0).ln().to_f64(), 2.296875);
    assert_eq!(BF16::from_f64(10.0).log2().to_f64(), 3.328125);
    assert_eq!(BF16::MAX.next_up(), BF16::INFINITY);
    assert_eq!(BF16::ZERO.next_up().class(), Class::PositiveSubnormal);
    assert_eq!(BF16::ONE.minimum(-BF16::ONE), -BF16::ONE);
    assert!(BF16::ONE.maximum(BF16::NAN).is_nan());
}

/// P3109 4.0 §4.7.5: overflow of a format without infinities gives the largest value; in 0.9.1 it gives NaN.
#[test]
fn editions_of_types_decide_overflow() {
    assert_eq!(Binary8P4Sf::MAX + Binary8P4Sf::MAX, Binary8P4Sf::MAX);
    assert_eq!(Binary8P4Sf::from_f64(f64::INFINITY).to_bits(), 0x7f);
    assert_eq!(Binary8P4Sf::from_f64(f64::NEG_INFINITY), Binary8P4Sf::MIN);
    assert_eq!("inf".parse::<Binary4P2Sf>().unwrap(), Binary4P2Sf::MAX);
    assert_eq!(Binary8P4Se::INFINITY.convert::<Binary4P2Sf>(), Binary4P2Sf::MAX);
    assert_eq!(F16::INFINITY.convert::<Binary8P4Sf>(), Binary8P4Sf::MAX);
    assert!((F8E4M3FNUZ::MAX + F8E4M3FNUZ::MAX).is_nan());
    // §4.16 has NaN past the end, also of an infinity.
    assert!(Binary8P4Sf::MAX.next_greater_than().is_nan());
    assert!(Binary8P4Se::INFINITY.next_greater_than().is_nan());
    assert_eq!(Binary8P4Sf::MAX.next_up(), Binary8P4Sf::MAX);
    // §4.13: NaN has no sign.
    assert!(Binary8P3::NAN.is_sign_minus() && !Binary8P3Se::NAN.is_sign_minus());
}

#[test]
fn functions_of_4_are_methods() {
    let x = BF16::from_f64(0.5);
    assert_eq!(x.sin_pi(), BF16::ONE);
    assert_eq!(x.atanh().to_f64(), 0.55078125);
    assert_eq!(BF16::from_f64(3.0).hypot(BF16::from_f64(4.0)).to_f64(), 5.0);
    assert_eq!((-BF16::ONE).atan2_pi(-BF16::ONE).to_f64(), -0.75);
    assert_eq!(x.faa(BF16::MAX, -BF16::MAX), x);
    assert_eq!(BF16::from_f64(9.0).clamp(-BF16::ONE, x), x);
    assert!(BF16::ZERO.recip().is_nan());
    assert_eq!(BF16::NAN.maximum_number(x), x);
    assert_eq!(BF16::INFINITY.minimum_magnitude(-x), -x);
}

#[test]
fn inexact_conversions_are_errors() {
    assert_eq!(F8E4M3FN::try_from(448f64).unwrap(), F8E4M3FN::MAX);
    let error = F8E4M3FN::try_from(0.1f64).unwrap_err();
    assert_eq!(error.to_string(), "0.1 is not a value of float8_e4m3fn: the nearest is 0.1015625");
    assert!(F8E4M3FN::try_from(f64::INFINITY).is_err());
    assert!(F8E4M3FN::try_from(f64::NAN).unwrap().is_nan());
    assert!(F4E2M1FN::try_from(f64::NAN).is_err());
    assert!(Uhp::try_from(-1.0f32).is_err());
    // One rounding: through binary32 this would be a tie (RFC types are converted from binary64 directly).
    assert_eq!(F8E4M3FN::from_f64(1.0 + 2f64.powi(-4) + 2f64.powi(-40)).to_f64(), 1.125);
    assert_eq!(F8E4M3FN::from_f32(464.0), F8E4M3FN::MAX);
    assert_eq!(F16::from_f64(0.1).convert::<F8E5M2>().to_f64(), 0.09375);
}

#[test]
fn exact_values_project_with_other_modes() {
    let how = Projection { rounding: Rounding::TowardPositive, saturation: Saturation::Max };
    let (x, flags) = F8E4M3FN::project(binade::text::parse("1e9").unwrap(), how);
    assert_eq!((x, flags.to_string().as_str()), (F8E4M3FN::MAX, "ox"));
    let (y, flags) = F8E4M3FN::project(binade::text::parse("0.1").unwrap(), how);
    assert_eq!((y.to_f64(), flags.to_string().as_str()), (0.1015625, "x"));
}

#[test]
fn text_of_numbers_parses_and_prints() {
    assert_eq!(F8E4M3FN::MAX.to_string(), "448");
    assert_eq!(F8E4M3FN::from_f64(0.1).to_string(), "0.1015625");
    assert_eq!(BF16::from_f64(0.1).to_string(), "0.100097656");
    assert_eq!(format!("{:?}", BF16::ONE), "BF16(1)");
    assert_eq!(format!("{:.6}", BF16::from_f64(0.1)), "0.100098");
    assert_eq!(format!("{:>6}|{:+}", BF16::ONE, BF16::ONE), "     1|+1");
    assert_eq!(format!("{:#x} {:08b}", F8E5M2::ONE, F8E5M2::ONE), "0x3c 00111100");
    assert_eq!((-BF16::ZERO).to_string(), "-0");
    assert_eq!([BF16::NAN, BF16::INFINITY, -BF16::INFINITY].map(|x| x.to_string()), ["NaN", "inf", "-inf"]);
    assert_eq!("1.00390625".parse::<BF16>().unwrap(), BF16::ONE); // a tie, to even
    assert_eq!("1.003906250000000000000000000001".parse::<BF16>().unwrap().to_f64(), 1.0078125);
    assert_eq!("1e999".parse::<F4E2M1FN>().unwrap(), F4E2M1FN::MAX);
    assert!("one".parse::<BF16>().is_err());
}

#[test]
fn numbers_order_by_value_and_by_total_order() {
    assert_eq!(-BF16::ZERO, BF16::ZERO);
    assert!(BF16::NAN.partial_cmp(&BF16::NAN).is_none());
    assert_ne!(BF16::NAN, BF16::NAN);
    let codes = [0x3f80, 0x8000, 0x7f80, 0x7fc1, 0x0000, 0xff80, 0xbf80, 0xffff, 0x0001];
    let mut numbers = codes.map(|code| Total(BF16::from_bits(code).unwrap()));
    numbers.sort();
    let shown = numbers.map(|x| x.0.to_string());
    assert_eq!(shown[..7], ["NaN", "NaN", "-inf", "-1", "-0", "0", shown[6].as_str()]);
    assert_eq!(shown[7..], ["1", "inf"]);
    // P3109 §4.10.5: all NaNs are one in the total order, and the zeros are not; UHP reads denormal codes as zero.
    let bf16 = codes.iter().map(|&code| Total(BF16::from_bits(code).unwrap())).collect::<HashSet<_>>();
    assert_eq!(bf16.len(), 8);
    let uhp = [0, 1, 0x3ff].map(|code| Total(Uhp::from_bits(code).unwrap()));
    assert_eq!(uhp.into_iter().collect::<HashSet<_>>().len(), 1);
}
