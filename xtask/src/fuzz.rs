//! Runs the fuzz targets. They are in fuzz/fuzz_targets, their bodies in fuzz/src/lib.rs; the command's tests run these on the seeds.

use std::fs;

use crate::run::{command, missing, root, run, target};

/// The targets, fuzz/fuzz_targets/NAME.rs each.
const TARGETS: [&str; 7] =
    ["batch_line", "format_name", "hlo_bytecode", "hlo_parse", "hlo_run", "npy", "safetensors"];

/// Fuzzes these targets, or all, from their seeds, each for `seconds`. New inputs go to fuzz/corpus, which git ignores.
pub(crate) fn fuzz(names: &[String], seconds: u32) -> Result<(), String> {
    if let Some(unknown) = names.iter().find(|name| !TARGETS.contains(&name.as_str())) {
        return Err(format!("no fuzz target '{unknown}'; there are {}", TARGETS.join(", ")));
    }
    let tools = [
        ("cargo +nightly --version", "rustup toolchain install nightly"),
        ("cargo fuzz --version", "cargo install --locked cargo-fuzz"),
    ];
    if let Some(reason) = missing(&tools) {
        return Err(reason);
    }
    for name in TARGETS.iter().filter(|name| names.is_empty() || names.iter().any(|one| one == *name)) {
        let corpus = format!("fuzz/corpus/{name}");
        fs::create_dir_all(root().join(&corpus)).map_err(|error| format!("{corpus}: {error}"))?;
        run(command("cargo +nightly fuzz run --target-dir")
            .arg(target().join("fuzz"))
            .args([name, corpus.as_str(), format!("fuzz/seeds/{name}").as_str(), "--"])
            .arg(format!("-max_total_time={seconds}"))
            .args(["-max_len=1024", "-timeout=10", "-verbosity=0", "-print_final_stats=1"])
            // Threads that are about to end look like leaks.
            .args(if name.starts_with("hlo_") {
                &["-dict=fuzz/hlo.dict", "-detect_leaks=0"][..]
            } else {
                &[]
            }))?;
    }
    Ok(())
}
