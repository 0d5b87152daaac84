#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|name: &str| binade_fuzz::format_name(name));
