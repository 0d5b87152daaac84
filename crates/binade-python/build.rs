//! Link arguments for macOS, and the agent's library where maturin looks for files of the wheel.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // On macOS an extension module finds Python's functions when it is loaded only if the linker is told so.
    pyo3_build_config::add_extension_module_link_args();
    #[cfg(unix)]
    link_agent();
}

/// Links OUT_DIR/libbinade_agent.so to the library that the same Cargo builds as a dependency of the command. The link
/// dangles until that build is done; `include` in python/pyproject.toml then puts the file into the wheel.
#[cfg(unix)]
fn link_agent() {
    const FILE: &str = "libbinade_agent.so";

    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let has_agent = is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && is("CARGO_CFG_TARGET_ENV", "gnu");
    let link = std::path::PathBuf::from(env::var_os("OUT_DIR").expect("set by Cargo")).join(FILE);
    let _ = std::fs::remove_file(&link);
    if has_agent {
        // OUT_DIR is PROFILE/build/binade-python-HASH/out, and the library is in PROFILE/deps.
        std::os::unix::fs::symlink(std::path::Path::new("../../../deps").join(FILE), &link)
            .unwrap_or_else(|error| panic!("{}: {error}", link.display()));
    }
}
