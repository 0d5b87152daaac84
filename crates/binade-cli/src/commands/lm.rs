//! `binade lm`: hands its arguments to `python -m binade lm`, the command of the Python package.

use std::ffi::{OsStr, OsString};
use std::io;
use std::process::{Command, Stdio};

use clap::Args;
use thiserror::Error;

use super::cluster::PYTHON;
use crate::error::CommandError;
use crate::{Error, Output, Status};

pub(super) const ABOUT: &str = "\
Evaluate a language model under recipes, on a text

Each --recipe is a row of the table: perplexity, divergence from the model as it is (KL), agreement of the likeliest token, and bits per weight. MODEL is a folder of Hugging Face's, a GGUF file, or a quantised checkpoint in any layout of `binade quantize`.

The Python package does the work: this command runs `python -m binade lm` with the same arguments, and its exit code is that of Python. Python is BINADE_PYTHON, or else python3 or python on PATH. It needs PyTorch and transformers: `pip install './python[lm]'` from binade's root. `binade lm MODEL --help` is the help of that package, with every option.

--recipe ROW  a recipe, an operator or f32, with +KEY=VALUE after it: nvfp4, fp8-deepseek@h100, weights=mxfp4+leave=lm_head
--kv FORMAT  the format of the key-value cache
--text FILE, --windows NxLENGTH  the text, and how much of it is read: 16 windows of 512 tokens are 16x512
--blame [layer|block|kind]  what one layer, block or kind of layer costs
--search --budget-kl X  the cheapest mixture within a divergence
--report FILE.html, --json  a page with charts; one JSON document";

/// A Python that cannot run `binade lm`.
#[derive(Debug, Error)]
pub(crate) enum LmError {
    #[error("binade lm needs Python: cannot start {}: {source}", names.join(" or "))]
    NoPython { names: Vec<String>, source: io::Error },
    #[error("binade lm needs the Python package pybinade: {python} cannot import binade.lm: {reason}")]
    NoPackage { python: String, reason: String },
}

impl CommandError for LmError {
    fn hint(&self) -> Option<&'static str> {
        Some(match self {
            LmError::NoPython { .. } => {
                "install Python 3.10 or later, and pip install './python[lm]' from binade's root; or name a Python in BINADE_PYTHON"
            }
            LmError::NoPackage { .. } => {
                "pip install './python[lm]' from binade's root where that Python is, or name another in BINADE_PYTHON"
            }
        })
    }
}

/// Arguments of `binade lm`, which Python parses.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The model, and options
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "MODEL and OPTIONS"
    )]
    words: Vec<OsString>,
}

impl Arguments {
    pub(crate) fn run(self, _: &mut Output) -> Result<Status, Error> {
        let mut command = Command::new(python()?);
        command.args(["-m", "binade", "lm"]).args(self.words);
        Ok(become_process(&mut command)?)
    }
}

/// The first Python that has the package. If none has, the error is that of the first that starts.
fn python() -> Result<OsString, LmError> {
    let named = std::env::var_os(PYTHON).filter(|name| !name.is_empty());
    let candidates = named.map_or_else(|| vec!["python3".into(), "python".into()], |name| vec![name]);
    let (mut no_package, mut no_python) = (None, None);
    for python in &candidates {
        match import_failure(python) {
            Ok(None) => return Ok(python.clone()),
            Ok(Some(reason)) => {
                let python = python.to_string_lossy().into_owned();
                no_package = no_package.or(Some(LmError::NoPackage { python, reason }));
            }
            Err(error) => no_python = no_python.or(Some(error)),
        }
    }
    Err(no_package.unwrap_or_else(|| LmError::NoPython {
        names: candidates.iter().map(|name| name.to_string_lossy().into_owned()).collect(),
        source: no_python.unwrap_or_else(|| io::ErrorKind::NotFound.into()),
    }))
}

/// The last line that Python writes when it cannot import the package; `None` if it can.
///
/// # Errors
/// The system's, if this Python cannot be started.
fn import_failure(python: &OsStr) -> io::Result<Option<String>> {
    let tried = Command::new(python).args(["-c", "import binade.lm"]).stdin(Stdio::null()).output()?;
    Ok((!tried.status.success()).then(|| {
        let said = String::from_utf8_lossy(&tried.stderr);
        said.trim().lines().last().unwrap_or("it failed without a message").to_owned()
    }))
}

/// Replaces this process with the command, which then receives all signals itself.
#[cfg(unix)]
fn become_process(command: &mut Command) -> io::Result<Status> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

/// Runs the command, and returns its exit code.
#[cfg(not(unix))]
fn become_process(command: &mut Command) -> io::Result<Status> {
    command.status().map(super::cluster::exit)
}
