//! Makes the hash of the sources that the command and the agent of `binade run` are built from.
//!
//! They are two files that must be of one build: they share a configuration, a record, and what the agent does with them.
//! Both carry this hash, and the launcher compares them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates that the agent is built from.
const CRATES: [&str; 9] = [
    "binade",
    "binade-agent",
    "binade-fma",
    "binade-glob",
    "binade-kernels",
    "binade-launch",
    "binade-patch",
    "binade-profile",
    "binade-simd",
];

fn main() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the crates");
    println!("cargo::rerun-if-changed=build.rs");
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    hash.add(env!("CARGO_PKG_VERSION").as_bytes());
    for name in CRATES {
        // A packaged crate stands alone: its siblings have a version then.
        let sources = crates.join(name).join("src");
        if sources.is_dir() {
            println!("cargo::rerun-if-changed={}", sources.display());
            hash.add_folder(&sources);
        }
    }
    println!("cargo::rustc-env=BINADE_BUILD={}-{:016x}", env!("CARGO_PKG_VERSION"), hash.0);
}

/// FNV-1a: it tells builds apart, no more.
struct Hash(u64);

impl Hash {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// Names and contents of all files below, in the order of their names.
    fn add_folder(&mut self, folder: &Path) {
        let entries = fs::read_dir(folder).expect("a readable folder");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("readable").path()).collect();
        paths.sort();
        for path in paths {
            self.add(path.file_name().expect("an entry of a folder").as_encoded_bytes());
            if path.is_dir() {
                self.add_folder(&path);
            } else {
                let contents = fs::read(&path).expect("a readable file");
                self.add(&contents.len().to_le_bytes());
                self.add(&contents);
            }
        }
    }
}
