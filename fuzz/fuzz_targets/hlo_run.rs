//! A StableHLO program that is accepted runs in bounded memory and steps, to its end or to an error.
#![no_main]

use binade_hlo::eval::Options;
use binade_hlo::{Program, check};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let options =
        Options { memory_limit: 1 << 20, step_limit: Some(10_000), threads: Some(1), ..Options::default() };
    for program in Program::parse_all(data).into_iter().flatten() {
        // Collectives wait for other processes; programs of one have none to wait for.
        check::check(&program, options.clone(), |outcome| {
            if let Err(error) = outcome.result {
                assert!(!error.to_string().is_empty());
            }
        })
        .expect("one thread can be had");
    }
});
