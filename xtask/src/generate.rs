//! The generated pages under docs: which command makes which file.

use std::fs;
use std::process::Command;

use crate::python;
use crate::run::{binade, output, root};

/// Logs of trainings under `benches/record/train`, in the order of their sections in the page of results.
const TRAININGS: &[&str] = &[
    "resnet8",
    "mobilenet_small",
    "lstm",
    "transformer",
    "translation",
    "mlp",
    "cnn",
    "ngcf",
    "ngcf_products",
    "ngcf_small",
];

/// The folder of the plots of trainings, relative to docs.
const PLOTS: &str = "img/results";

/// A generated file, and the command that makes it.
struct Page {
    path: String,
    /// Arguments of the `binade` command.
    arguments: Vec<String>,
    /// True for a file that `--plot` writes; otherwise the command prints it.
    plotted: bool,
}

/// All generated files. To add one, add an entry.
fn pages() -> Vec<Page> {
    let log = |name: &str| format!("benches/record/train/{name}.jsonl");
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let printed = |path: &str, arguments| Page { path: path.to_owned(), arguments, plotted: false };
    let results = words(&format!("train report --markdown --plots {PLOTS}"))
        .into_iter()
        .chain(TRAININGS.iter().map(|name| log(name)));
    let mut pages = vec![
        printed("docs/conformance.md", words("conformance --markdown")),
        printed("docs/results.md", results.collect()),
    ];
    pages.extend(TRAININGS.iter().map(|name| Page {
        path: format!("docs/{PLOTS}/{name}.svg"),
        arguments: words(&format!("train report {}", log(name))),
        plotted: true,
    }));
    pages
}

impl Page {
    /// The text that the command makes now.
    fn text(&self) -> Result<String, String> {
        let mut command = Command::new(binade());
        command.args(&self.arguments).current_dir(root());
        if !self.plotted {
            return output(&mut command);
        }
        let plot = root().join("target/plot.svg");
        output(command.arg("--force").arg("--plot").arg(&plot))?;
        fs::read_to_string(&plot).map_err(|error| format!("{}: {error}", plot.display()))
    }
}

/// Writes every page.
pub(crate) fn write() -> Result<(), String> {
    python::build()?;
    for page in pages() {
        let path = root().join(&page.path);
        let text = page.text()?;
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("{}: {error}", page.path))?;
        println!("wrote {}", page.path);
    }
    Ok(())
}

/// Checks that every page is the one that its command makes now.
pub(crate) fn check() -> Result<(), String> {
    python::build()?;
    for page in pages() {
        let path = &page.path;
        let committed = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
        if let Some(difference) = first_difference(&committed, &page.text()?) {
            return Err(format!(
                "{path} is out of date: run `cargo xtask docs`. First difference, {difference}"
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
    fn difference_is_reported_with_its_line() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nb\n", "a\nc\n").unwrap(), "line 2:\n- b\n+ c");
        assert_eq!(first_difference("a\n", "a\nb\n").unwrap(), "line 2:\n- (end of file)\n+ b");
        assert_eq!(first_difference("a", "a\n").unwrap(), "the end of the last line");
    }
}
