//! JSON of numbers, as numbers or as text for values that JSON lacks, and of bias histories in checkpoints.

use binade::recipe::{BiasHistory, BiasSpan};
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

#[test]
fn histories_have_the_fields_of_checkpoints() {
    let text = r#"[{"bias":17,"exponents":[[[-3,1]],[[-4,1]]],"steady":2,"moves":1,"overflowed":3,"underflowed":4,"by_step":[{"from":5,"bias":17,"overflowed":3,"underflowed":4}]},{"bias":null,"exponents":[],"steady":0,"moves":0,"overflowed":0,"underflowed":0,"by_step":[]}]"#;
    let mut read: Vec<BiasHistory> = serde_json::from_str(text).unwrap();
    assert_eq!(read[0].exponents, [[(-3, 1)], [(-4, 1)]]);
    assert_eq!(read[0].by_step, [BiasSpan { from: 5, bias: 17, overflowed: 3, underflowed: 4 }]);
    assert_eq!(read[1], BiasHistory::default());
    read[0].last = Some(7);
    assert_eq!(json(&read), text);
    // The first checkpoints had neither exponents by step nor spans.
    let first = r#"[{"bias":9,"steady":2,"moves":1,"overflowed":3,"underflowed":4}]"#;
    let first: Vec<BiasHistory> = serde_json::from_str(first).unwrap();
    assert_eq!((first[0].bias, first[0].by_step.len(), first[0].last), (Some(9), 0, None));
}
