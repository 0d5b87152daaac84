//! Builds the agent where it is to be embedded.
//!
//! The agent is a crate of this workspace, and Cargo builds it with the command. Only a command that is installed alone has
//! to carry it: with the feature `embed-agent` a second Cargo, with a target directory of its own, builds it in the profile
//! `agent`. A packager who has built it names it in BINADE_AGENT_LIBRARY.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the crates");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(embedded_agent)");
    println!("cargo::rerun-if-env-changed=BINADE_AGENT_LIBRARY");
    // Only programs of this system can be run; elsewhere the launcher says so.
    let supported = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux")
        && env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "x86_64")
        && env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|environment| environment == "gnu");
    if env::var_os("CARGO_FEATURE_EMBED_AGENT").is_none() || !supported {
        return;
    }
    let library = match env::var_os("BINADE_AGENT_LIBRARY") {
        Some(path) => PathBuf::from(path),
        None => build(crates),
    };
    println!("cargo::rerun-if-changed={}", library.display());
    println!("cargo::rustc-env=BINADE_AGENT={}", library.display());
    println!("cargo::rustc-cfg=embedded_agent");
}

fn build(crates: &Path) -> PathBuf {
    let workspace = crates.parent().expect("the workspace");
    // Which of them the agent is built from, the other Cargo knows.
    println!("cargo::rerun-if-changed={}", crates.display());
    for file in ["Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={}", workspace.join(file).display());
    }
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("set by Cargo")).join("agent");
    let triple = env::var("TARGET").expect("set by Cargo");
    let mut cargo = Command::new(env::var_os("CARGO").expect("set by Cargo"));
    cargo
        .args(["build", "--locked", "--quiet", "--profile", "agent", "-p", "binade-agent"])
        .arg("--manifest-path")
        .arg(workspace.join("Cargo.toml"))
        .args(["--target", &triple])
        .arg("--target-dir")
        .arg(&target)
        .current_dir(workspace);
    // What Cargo tells this script, and how this build is linted or instrumented, is not for the other; where its
    // registry is and whether it may be offline is.
    let kept = ["CARGO_HOME", "CARGO_MAKEFLAGS"];
    let told = |name: &str| {
        name.starts_with("CARGO_")
            || name.starts_with("DEP_")
            || name.starts_with("RUSTC")
            || name == "RUSTFLAGS"
    };
    for (name, _) in env::vars_os() {
        let name = name.to_string_lossy();
        let network = ["CARGO_NET_", "CARGO_HTTP_", "CARGO_REGISTR", "CARGO_SOURCE_"];
        if told(&name) && !kept.contains(&&*name) && !network.iter().any(|prefix| name.starts_with(prefix)) {
            cargo.env_remove(&*name);
        }
    }
    let status = cargo.status().expect("Cargo runs");
    assert!(status.success(), "the agent does not build");
    target.join(triple).join("agent").join("libbinade_agent.so")
}
