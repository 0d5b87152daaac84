//! A StableHLO text is refused with a place within it, or becomes programs.
#![no_main]

use binade_hlo::Program;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for program in Program::parse_all(data) {
        if let Err(error) = program {
            assert!(error.line >= 1 && error.column >= 1);
            assert!(error.excerpt.chars().count() <= 130);
            assert!(!error.to_string().is_empty());
        }
    }
});
