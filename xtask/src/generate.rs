//! The generated pages under docs: which command makes which file.

use std::fs;
use std::process::Command;

use crate::python;
use crate::run::{binade, output, root};

/// Generated files, and the arguments of the `binade` command whose standard output they are. A new generated page is a line
/// here.
const PAGES: &[(&str, &str)] = &[
    ("docs/conformance.md", "conformance --markdown"),
    (
        "docs/results.md",
        "train report --markdown benches/record/train/resnet8.jsonl benches/record/train/mobilenet_small.jsonl \
         benches/record/train/lstm.jsonl benches/record/train/mlp.jsonl benches/record/train/cnn.jsonl \
         benches/record/train/ngcf.jsonl benches/record/train/ngcf_products.jsonl \
         benches/record/train/ngcf_small.jsonl",
    ),
];

/// What the command prints now.
fn page(arguments: &str) -> Result<String, String> {
    output(Command::new(binade()).args(arguments.split(' ')).current_dir(root()))
}

/// Writes every page.
pub(crate) fn write() -> Result<(), String> {
    python::build()?;
    for (path, arguments) in PAGES {
        let text = page(arguments)?;
        fs::write(root().join(path), text).map_err(|error| format!("{path}: {error}"))?;
        println!("wrote {path}");
    }
    Ok(())
}

/// Compares every page with what its command prints now.
pub(crate) fn check() -> Result<(), String> {
    python::build()?;
    for (path, arguments) in PAGES {
        let committed = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
        let current = page(arguments)?;
        if let Some(difference) = first_difference(&committed, &current) {
            return Err(format!(
                "{path} is out of date; run `cargo xtask docs`. First difference, {difference}"
            ));
        }
    }
    Ok(())
}

/// The first line that differs, as text for an error.
fn first_difference(committed: &str, current: &str) -> Option<String> {
    if committed == current {
        return None;
    }
    let (mut old, mut new) = (committed.lines(), current.lines());
    let mut number = 1;
    loop {
        match (old.next(), new.next()) {
            (None, None) => return Some("the end of the last line".to_owned()),
            (a, b) if a != b => {
                let shown = |line: Option<&str>| line.unwrap_or("(end of file)").to_owned();
                return Some(format!("line {number}:\n- {}\n+ {}", shown(a), shown(b)));
            }
            _ => number += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn differences_are_named() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n").unwrap(), "line 2:\n- b\n+ c");
        assert_eq!(first_difference("a\n", "a\nb\n").unwrap(), "line 2:\n- (end of file)\n+ b");
        assert_eq!(first_difference("a", "a\n").unwrap(), "the end of the last line");
    }
}
