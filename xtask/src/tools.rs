//! Optional tools of the checks: how each is found, and the command that installs it.
//!
//! `cargo xtask test --without iverilog,torch` pretends that tools are missing. The task then starts itself again with two
//! variables set: [`WITHOUT`], which names the tools, and a PATH on which their programs cannot be found.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::ValueEnum;

use crate::explorer;
use crate::python;
use crate::run::{command, output, root, target, works};

/// The environment variable that names the tools which are taken for missing, separated by commas.
pub(crate) const WITHOUT: &str = "BINADE_WITHOUT";

/// A tool that some checks need and a new machine may lack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Tool {
    /// Icarus Verilog, for the hardware examples.
    Iverilog,
    /// A browser, for the format explorer.
    Chromium,
    /// PyTorch in a Python of the system.
    Torch,
    /// The standard library of WebAssembly.
    Wasm,
    /// Rust's lints.
    Clippy,
    /// A test runner; `cargo test` is used without it.
    Nextest,
    /// The check of licences.
    Deny,
    /// Debian's copy of Fashion-MNIST, from which the embedded images are made.
    FashionMnist,
    /// Debian's King James Bible, from which the embedded text is made.
    Bible,
    /// Emulation of AArch64, with its C compiler.
    Qemu,
}

impl Tool {
    /// The name on the command line.
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// The programs that scripts search on the PATH.
    fn programs(self) -> &'static [&'static str] {
        match self {
            Tool::Iverilog => &["iverilog", "vvp"],
            Tool::Chromium => &explorer::BROWSERS,
            Tool::Bible => &["bible"],
            Tool::Qemu => &["qemu-aarch64", "aarch64-linux-gnu-gcc"],
            Tool::Nextest => &["cargo-nextest"],
            Tool::Deny => &["cargo-deny"],
            Tool::Torch | Tool::Wasm | Tool::Clippy | Tool::FashionMnist => &[],
        }
    }

    fn remedy(self) -> &'static str {
        match self {
            Tool::Iverilog => "apt-get install iverilog",
            Tool::Chromium => "apt-get install chromium",
            Tool::Torch => "apt-get install python3-torch",
            Tool::Wasm => "rustup target add wasm32-unknown-unknown",
            Tool::Clippy => "rustup component add clippy",
            Tool::Nextest => "cargo install --locked cargo-nextest",
            Tool::Deny => "cargo install --locked cargo-deny",
            Tool::FashionMnist => "apt-get install dataset-fashion-mnist",
            Tool::Bible => "apt-get install bible-kjv bible-kjv-text",
            Tool::Qemu => "apt-get install qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross",
        }
    }

    fn works(self) -> bool {
        let runs = |line| works(&mut command(line));
        match self {
            Tool::Iverilog => runs("which iverilog") && runs("which vvp"),
            Tool::Chromium => {
                let answers = |name: &str| works(Command::new(name).arg("--version"));
                std::env::var_os("CHROMIUM").is_some() || explorer::BROWSERS.iter().any(|name| answers(name))
            }
            Tool::Torch => python::with_torch().is_some(),
            Tool::Wasm => has_standard_library(explorer::TARGET),
            Tool::Clippy => runs("cargo clippy --version"),
            Tool::Nextest => runs("cargo nextest --version"),
            Tool::Deny => runs("cargo deny --version"),
            Tool::FashionMnist => Path::new("/usr/share/datasets/fashion-mnist").is_dir(),
            Tool::Bible => runs("bible -f gen1:1"),
            Tool::Qemu => runs("qemu-aarch64 --version") && runs("aarch64-linux-gnu-gcc --version"),
        }
    }

    /// A sentence with the remedy, if the tool is missing or taken for missing.
    pub(crate) fn missing(self) -> Option<String> {
        let is_missing = removed().contains(&self) || !self.works();
        is_missing.then(|| format!("{} is missing: `{}`", self.name(), self.remedy()))
    }

    /// Returns true if a sentence names the tool.
    pub(crate) fn is_named_in(self, sentence: &str) -> bool {
        sentence.contains(&self.name())
    }
}

/// The tools that [`WITHOUT`] names.
pub(crate) fn removed() -> Vec<Tool> {
    let names = std::env::var(WITHOUT).unwrap_or_default();
    names.split(',').filter_map(|name| Tool::from_str(name, false).ok()).collect()
}

/// Returns true if the toolchain has the standard library of a target.
pub(crate) fn has_standard_library(target: &str) -> bool {
    output(&mut command("rustc --print sysroot"))
        .is_ok_and(|root| Path::new(root.trim()).join("lib/rustlib").join(target).is_dir())
}

/// The command that starts this program again without `tools`.
pub(crate) fn again_without(tools: &[Tool]) -> Result<Command, String> {
    let path = path_without(tools).map_err(|error| format!("a PATH without {tools:?}: {error}"))?;
    let program = std::env::current_exe().map_err(|error| format!("this task's program: {error}"))?;
    let names: Vec<String> = tools.iter().map(|tool| tool.name()).collect();
    let mut again = Command::new(program);
    // Skips are expected here, and must not count as failures.
    again
        .current_dir(root())
        .env(WITHOUT, names.join(","))
        .env("PATH", path)
        .env_remove("BINADE_REQUIRE_ALL");
    if tools.contains(&Tool::Chromium) {
        again.env_remove("CHROMIUM");
    }
    Ok(again)
}

/// The PATH, where each folder with a program of `tools` is replaced by a folder of links to its other programs.
fn path_without(tools: &[Tool]) -> io::Result<OsString> {
    let hidden: Vec<&str> = tools.iter().flat_map(|tool| tool.programs()).copied().collect();
    let links = target().join("without");
    if links.exists() {
        fs::remove_dir_all(&links)?;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    for (place, folder) in folders.iter_mut().enumerate() {
        if hidden.iter().any(|name| folder.join(name).exists()) {
            let linked = links.join(place.to_string());
            fs::create_dir_all(&linked)?;
            for program in fs::read_dir(&folder)? {
                let program = program?;
                if !hidden.iter().any(|name| program.file_name() == *name) {
                    link(&program.path(), &linked.join(program.file_name()))?;
                }
            }
            *folder = linked;
        }
    }
    std::env::join_paths(folders).map_err(io::Error::other)
}

#[cfg(unix)]
fn link(program: &Path, place: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(program, place)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::other("programs can be hidden on Unix only"))
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::{Tool, path_without};

    #[test]
    fn path_without_a_tool_has_every_other_program() {
        let path = path_without(&[Tool::Bible, Tool::Iverilog]).unwrap();
        let finds = |name: &str| std::env::split_paths(&path).any(|folder| folder.join(name).exists());
        assert!(finds("cargo"));
        assert!(!finds("bible") && !finds("iverilog") && !finds("vvp"));
    }

    #[test]
    fn remedy_of_each_tool_names_a_command() {
        for tool in Tool::value_variants() {
            assert!(tool.remedy().contains(" install ") || tool.remedy().starts_with("rustup "), "{tool:?}");
        }
    }
}
