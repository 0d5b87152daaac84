//! `binade lm`, which Python runs. A script stands in for Python: the tests need neither PyTorch nor a model.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command;

/// A Python that imports everything, or fails with `import`, and runs `script` otherwise.
fn python(folder: &Path, name: &str, import: &str, script: &str) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\nif [ \"$1\" = -c ]; then\n{import}\nfi\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn lm(folder: &Path, words: &[&str]) -> Command {
    let mut command = command(folder, &[&["lm"], words].concat());
    command.env_remove("BINADE_PYTHON");
    command
}

/// Exit code, standard output, and standard error.
fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let done = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code(), text(done.stdout), text(done.stderr))
}

#[test]
fn lm_hands_arguments_and_exit_code_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = python(folder.path(), "py", "exit 0", "printf '[%s]' \"$@\"; echo to stderr >&2; exit 7");
    let words = ["a model", "--recipe", "nvfp4", "--json", "--help", "-5", "--"];
    let (code, out, err) = run(lm(folder.path(), &words).env("BINADE_PYTHON", &path));
    assert_eq!(out, "[-m][binade][lm][a model][--recipe][nvfp4][--json][--help][-5][--]");
    assert_eq!((code, &*err), (Some(7), "to stderr\n"));
}

#[test]
fn lm_options_before_model_are_handed_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = python(folder.path(), "py", "exit 0", "printf '[%s]' \"$@\"");
    let (code, out, _) = run(lm(folder.path(), &["--text", "b.txt", "m"]).env("BINADE_PYTHON", &path));
    assert_eq!((code, &*out), (Some(0), "[-m][binade][lm][--text][b.txt][m]"));
}

#[test]
fn lm_signal_ends_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = python(folder.path(), "py", "exit 0", "kill -TERM $$; sleep 60");
    let done = lm(folder.path(), &["m"]).env("BINADE_PYTHON", &path).output().unwrap();
    assert_eq!(done.status.signal(), Some(15));
}

#[test]
fn lm_takes_the_python_that_has_the_package() {
    let folder = tempfile::tempdir().unwrap();
    let without = "echo 'Traceback' >&2; echo \"ModuleNotFoundError: No module named 'binade'\" >&2; exit 1";
    python(folder.path(), "python3", without, "echo python3");
    let (code, _, err) = run(lm(folder.path(), &["m"]).env("PATH", folder.path()));
    assert_eq!(code, Some(2));
    assert!(
        err.starts_with(
            "error: binade lm needs the Python package pybinade: python3 cannot import binade.lm: \
             ModuleNotFoundError: No module named 'binade'\n"
        ),
        "{err}"
    );
    assert!(err.contains("pip install './python[lm]'"), "{err}");
    python(folder.path(), "python", "exit 0", "echo python");
    let (code, out, err) = run(lm(folder.path(), &["m"]).env("PATH", folder.path()));
    assert_eq!((code, &*out, &*err), (Some(0), "python\n", ""));
}

#[test]
fn lm_without_python_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let (code, _, err) = run(lm(folder.path(), &["m"]).env("PATH", folder.path()));
    assert_eq!(code, Some(2));
    assert!(err.starts_with("error: binade lm needs Python: cannot start python3 or python: "), "{err}");
    assert!(err.contains("install Python 3.10 or later"), "{err}");
    let (code, _, err) = run(lm(folder.path(), &["m"]).env("BINADE_PYTHON", "./no-such"));
    assert_eq!(code, Some(2));
    assert!(err.starts_with("error: binade lm needs Python: cannot start ./no-such: "), "{err}");
}

#[test]
fn lm_without_arguments_shows_its_usage() {
    let folder = tempfile::tempdir().unwrap();
    let (code, _, err) = run(&mut lm(folder.path(), &[]));
    assert_eq!(code, Some(2));
    assert!(err.contains("Usage: binade lm MODEL --recipe ROW"), "{err}");
}
