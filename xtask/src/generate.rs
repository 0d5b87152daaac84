//! The generated pages under docs: which command makes which file.

use std::fs;

use crate::run::{command, output, root};

/// Generated files and the commands whose standard output they are. A new generated page is a line here.
const PAGES: &[(&str, &str)] = &[
    ("docs/conformance.md", "cargo run --quiet --release --package binade-cli -- conformance --markdown"),
    (
        "docs/results.md",
        "cargo run --quiet --release --package binade-cli -- train report --markdown benches/record/train/mlp.jsonl \
         benches/record/train/cnn.jsonl benches/record/train/ngcf.jsonl",
    ),
];

/// Writes every page.
pub(crate) fn write() -> Result<(), String> {
    for (path, line) in PAGES {
        let text = output(&mut command(line))?;
        fs::write(root().join(path), text).map_err(|error| format!("{path}: {error}"))?;
        println!("wrote {path}");
    }
    Ok(())
}

/// Compares every page with what its command prints now.
pub(crate) fn check() -> Result<(), String> {
    for (path, line) in PAGES {
        let committed = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
        let current = output(&mut command(line))?;
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
