//! The unsafe code under tools that watch every access: Miri and AddressSanitizer, both on a nightly toolchain.

use crate::run::{command, missing, run, target};

/// The crates with unsafe code that computes. Of the others, the agent, the launcher and the plugin live on system calls, other
/// processes' memory and C interfaces, which neither tool follows.
const CRATES: [&str; 3] = ["binade-simd", "binade-kernels", "binade-fma"];

/// A machine for which there is no leg but the portable one: Miri knows few vector instructions and no assembly.
const PORTABLE: &str = "riscv64gc-unknown-linux-gnu";

const NIGHTLY: (&str, &str) = ("cargo +nightly --version", "rustup toolchain install nightly");

/// rayon and crossbeam make pointers of integers, crossbeam's lists are not for stacked borrows, and threads of the pool never end.
const MIRI: &str =
    "-Zmiri-disable-isolation -Zmiri-permissive-provenance -Zmiri-tree-borrows -Zmiri-ignore-leaks";

fn chosen(names: &[String]) -> Result<Vec<&'static str>, String> {
    if let Some(unknown) = names.iter().find(|name| !CRATES.contains(&name.as_str())) {
        return Err(format!("'{unknown}' has no unsafe code to watch; these have: {}", CRATES.join(", ")));
    }
    Ok(CRATES.into_iter().filter(|one| names.is_empty() || names.iter().any(|name| name == one)).collect())
}

/// Interprets tests of these crates on a machine that has portable legs only, as far as they are short enough for that.
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

/// Runs unit and integration tests, on every leg that this machine has, with checked accesses.
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
