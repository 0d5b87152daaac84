//! Runs tests of unsafe code under Miri and AddressSanitizer, on a nightly toolchain.

use crate::run::{command, missing, run, target};

/// The crates with unsafe code that computes. The agent, the launcher and the plugin depend on system calls, the memory of other
/// processes and C interfaces, which neither tool supports.
const CRATES: [&str; 3] = ["binade-simd", "binade-kernels", "binade-fma"];

/// A target with only the portable leg: Miri supports few vector instructions and no assembly.
const PORTABLE: &str = "riscv64gc-unknown-linux-gnu";

const NIGHTLY: (&str, &str) = ("cargo +nightly --version", "rustup toolchain install nightly");

/// rayon and crossbeam make pointers from integers, the lists of crossbeam violate stacked borrows, and threads of the pool never end.
const MIRI: &str =
    "-Zmiri-disable-isolation -Zmiri-permissive-provenance -Zmiri-tree-borrows -Zmiri-ignore-leaks";

fn chosen(names: &[String]) -> Result<Vec<&'static str>, String> {
    if let Some(unknown) = names.iter().find(|name| !CRATES.contains(&name.as_str())) {
        return Err(format!("'{unknown}' has no unsafe code to watch; these have: {}", CRATES.join(", ")));
    }
    Ok(CRATES.into_iter().filter(|one| names.is_empty() || names.iter().any(|name| name == one)).collect())
}

/// Interprets the short tests of these crates, on a target with only portable legs.
pub(crate) fn miri() -> Result<(), String> {
    let tool = ("cargo +nightly miri --version", "rustup component add miri rust-src --toolchain nightly");
    if let Some(reason) = missing(&[NIGHTLY, tool]) {
        return Err(reason);
    }
    let crates: [(&str, &[&str]); 3] = [
        ("binade-simd", &["--lib"]),
        ("binade-kernels", &["--lib", "arithmetic::"]),
        ("binade-fma", &["--test", "interpreted"]),
    ];
    for (name, tests) in crates {
        run(command("cargo +nightly miri test --target")
            .args([PORTABLE, "--package", name])
            .args(tests)
            .env("CARGO_TARGET_DIR", target().join("miri"))
            .env("MIRIFLAGS", MIRI))?;
    }
    Ok(())
}

/// Runs unit and integration tests with checked memory accesses, on every leg of this machine.
pub(crate) fn address(names: &[String]) -> Result<(), String> {
    let names = chosen(names)?;
    if let Some(reason) = missing(&[NIGHTLY]) {
        return Err(reason);
    }
    let mut tests = command("cargo +nightly test --lib --test * --target x86_64-unknown-linux-gnu");
    for name in names {
        tests.args(["--package", name]);
    }
    run(tests
        .env("CARGO_TARGET_DIR", target().join("asan"))
        .env("RUSTFLAGS", "-Zsanitizer=address")
        // Threads of the pool never end.
        .env("ASAN_OPTIONS", "detect_leaks=0"))
}
