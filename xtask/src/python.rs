//! The Python environment under the target folder, and what runs in it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::run::{binade, command, root, run, target};

/// What the environment holds.
const REQUIREMENTS: &str = "peers/requirements.txt";

/// Peer checks, each a script that fails on a disagreement that it cannot explain.
pub(crate) const PEERS: &[&str] = &["numpy", "ml_dtypes", "gfloat", "mpfr", "hlo", "train", "layouts"];

fn folder() -> PathBuf {
    target().join("python")
}

/// Python of the environment, with the `binade` command in BINADE.
pub(crate) fn python() -> Command {
    let binaries = if cfg!(windows) { "Scripts" } else { "bin" };
    let mut python = Command::new(folder().join(binaries).join("python"));
    python.current_dir(root()).env("BINADE", binade()).env("PYTHONDONTWRITEBYTECODE", "1");
    python
}

/// Makes the environment; one that already holds these requirements is kept.
pub(crate) fn install() -> Result<(), String> {
    let wanted = fs::read(root().join(REQUIREMENTS)).map_err(|error| format!("{REQUIREMENTS}: {error}"))?;
    let stamp = folder().join("requirements.txt");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        println!("{} is up to date", folder().display());
        return Ok(());
    }
    run(command("python3 -m venv --clear").arg(folder()))?;
    run(python().args([
        "-m",
        "pip",
        "--disable-pip-version-check",
        "install",
        "--quiet",
        "-r",
        REQUIREMENTS,
    ]))?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// Trains the example network.
pub(crate) fn train() -> Result<(), String> {
    install()?;
    run(python().arg("examples/train_digits.py"))
}

/// The main job on the example's weights: narrow formats must keep the network's accuracy.
pub(crate) fn example() -> Result<(), String> {
    let narrow = target().join("digits-cfloat8.safetensors");
    run(Command::new(binade())
        .args(["quantize", "examples/digits.safetensors"])
        .arg(&narrow)
        .args(["--format", "cfloat8_1_4_3", "--bias", "auto", "--simulate", "--force"])
        .current_dir(root()))?;
    run(python().arg("examples/eval_digits.py").arg(&narrow).args(["--at-least", "0.97"]))
}
