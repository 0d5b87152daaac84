//! Bytecode is refused with a byte, or becomes text, which is a program or is refused with a place within it.
#![no_main]

use binade_hlo::Program;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let bytecode = [b"ML\xefR", data.strip_prefix(b"ML\xefR").unwrap_or(data)].concat();
    if let Ok(text) = binade_hlo::text(&bytecode)
        && let Err(error) = Program::parse(&text)
    {
        assert!(error.line >= 1 && error.column >= 1);
        assert!(!error.to_string().is_empty());
    }
});
