//! A format name is refused, or its canonical spelling means the same and its codes survive decoding and encoding.
#![no_main]

use binade::{NanCodes, Projection, Spec, Value, decode, is_canonical, project};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|name: &str| {
    for piece in Spec::split_list(name) {
        let _ = piece.parse::<Spec>();
    }
    let spec = match name.parse::<Spec>() {
        Ok(spec) => spec,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let again: Spec = spec.name().parse().expect("a canonical name is a name");
    assert_eq!(spec, again);
    let format = spec.format;
    let ends = [0, 1, format.max_finite_code(), format.min_normal_code(), format.last_code()];
    for code in ends.into_iter().flat_map(|code| [code, code ^ format.sign_bit()]) {
        let value = decode(format, code);
        let rounded = project(format, value, Projection::default()).code;
        match value {
            Value::Nan { .. } => assert_ne!(format.nan(), NanCodes::None),
            _ if is_canonical(format, code) => assert_eq!(rounded, code, "{spec}"),
            _ => assert_eq!(decode(format, rounded), value, "{spec}"),
        }
    }
});
