//! Help texts, and the examples in them.

use std::process::Command;

use crate::{bad, good};

/// The command, its subcommands and theirs, with the words that call them.
fn every(definition: &clap::Command) -> Vec<(Vec<&str>, &clap::Command)> {
    let mut all = vec![(vec![], definition)];
    let mut at = 0;
    while at < all.len() {
        let (path, command) = all[at].clone();
        all.extend(command.get_subcommands().map(|next| ([&path[..], &[next.get_name()]].concat(), next)));
        at += 1;
    }
    all
}

#[test]
fn help_of_every_subcommand_has_an_example() {
    let definition = binade_cli::definition();
    insta::assert_snapshot!("binade", good(&["--help"]));
    for (path, _) in every(&definition) {
        let help = good(&[&path[..], &["--help"]].concat());
        assert!(help.contains("Examples:\n  $ binade ") || help.contains("Examples:\n  $ echo "), "{help}");
        if !path.is_empty() {
            insta::assert_snapshot!(path.join("_"), help);
        }
    }
    assert_eq!(good(&["--version"]), format!("binade {}\n", env!("CARGO_PKG_VERSION")));
    assert!(bad(&[]).contains("Usage: binade <COMMAND>"));
    assert!(bad(&["tabel"]).starts_with(
        "error: unrecognized subcommand 'tabel'\n\n  tip: a similar subcommand exists: 'table'"
    ));
}

/// Runs the commands after `$ ` and compares what they print with the lines that follow.
#[cfg(unix)]
#[test]
fn examples_of_help_print_what_they_show() {
    let definition = binade_cli::definition();
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_binade")).parent().unwrap();
    let path = std::env::join_paths(
        std::iter::once(bin.to_owned()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    for (_, command) in every(&definition) {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples"),
            folder.path().join("examples"),
        )
        .unwrap();
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let examples: Vec<&str> = text.split("\n  $ ").collect();
        assert_eq!(examples[0], "Examples:", "{}", command.get_name());
        assert!(examples.len() > 1);
        for example in &examples[1..] {
            // A backslash continues the command on the next line.
            let end = example.match_indices('\n').find(|(at, _)| !example[..*at].ends_with('\\'));
            let (line, expected) = end.map_or((*example, ""), |(at, _)| (&example[..at], &example[at + 1..]));
            let done = Command::new("sh")
                .args(["-c", line])
                .env("PATH", &path)
                // `binade lm` hands its arguments to this program, which accepts all.
                .env("BINADE_PYTHON", "true")
                .current_dir(folder.path())
                .output()
                .unwrap();
            assert!(done.status.success(), "{line}: {}", String::from_utf8_lossy(&done.stderr));
            let printed: Vec<String> =
                String::from_utf8(done.stdout).unwrap().lines().map(|line| format!("  {line}")).collect();
            assert_eq!(printed.join("\n"), expected, "{line}");
        }
    }
}
