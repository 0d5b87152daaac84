//! Numbers in JSON: as numbers, or as text for values that JSON lacks.

use binade::typed::{BF16, CFloat8E4M3, F4E2M1FN, F8E4M3FN, NarrowFloat, Total};

fn json<T: serde::Serialize>(x: T) -> String {
    serde_json::to_string(&x).unwrap()
}

#[test]
fn numbers_in_json_round_trip() {
    assert_eq!(
        json([BF16::from_f64(0.1), -BF16::ZERO, BF16::NAN, BF16::INFINITY, -BF16::INFINITY]),
        r#"[0.100097656,-0.0,"NaN","inf","-inf"]"#
    );
    for code in 0..=u16::MAX {
        let x = BF16::from_bits(code).unwrap();
        let back: BF16 = serde_json::from_str(&json(x)).unwrap();
        assert_eq!(Total(back), Total(x), "{code:#x}");
    }
    for code in 0..=u8::MAX {
        let x = CFloat8E4M3::<20>::from_bits(code).unwrap();
        let back: CFloat8E4M3<20> = serde_json::from_str(&json(x)).unwrap();
        assert_eq!(back.to_bits(), code);
    }
}

#[test]
fn numbers_read_are_rounded_and_unrepresentable_ones_are_errors() {
    assert_eq!(serde_json::from_str::<F8E4M3FN>("3").unwrap().to_f64(), 3.0);
    assert_eq!(serde_json::from_str::<F8E4M3FN>("-0.1").unwrap().to_f64(), -0.1015625);
    assert_eq!(serde_json::from_str::<F8E4M3FN>("\"0x1.8p3\"").unwrap().to_f64(), 12.0);
    let error = |text: &str| serde_json::from_str::<F4E2M1FN>(text).unwrap_err().to_string();
    assert!(error("1e9").contains("a number that float4_e2m1fn can hold"), "{}", error("1e9"));
    for text in ["7", "-7", "\"nan\"", "\"inf\"", "\"six\"", "true"] {
        assert!(serde_json::from_str::<F4E2M1FN>(text).is_err(), "{text}");
    }
    assert!(serde_json::from_str::<F8E4M3FN>("1e9").is_err());
}
