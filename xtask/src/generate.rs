//! The generated pages under docs: which command makes which file.

use std::fs;
use std::process::Command;

use crate::run::{binade, output, root};
use crate::{performance, python};

/// Pages of training results: file, title, and the logs under `benches/record/train` in the order of their sections.
const RESULTS: &[(&str, &str, &[&str])] = &[
    ("results-images", "Results: images", &["mlp", "cnn"]),
    ("results-batch-norm", "Results: images, with batch norm", &["resnet8", "mobilenet_small"]),
    ("results-text", "Results: text", &["lstm", "transformer", "translation"]),
    (
        "results-recipes",
        "Results: recipes",
        &["mlp_recipes", "transformer_recipes", "lstm_recipes", "resnet8_recipes"],
    ),
    ("results-recommendation", "Results: recommendation", &["ngcf", "ngcf_products", "ngcf_small"]),
];

/// The folder of the plots of trainings, relative to docs.
const PLOTS: &str = "img/results";

/// A generated file, and the command that makes it.
struct Page {
    path: String,
    /// Arguments of the `binade` command.
    arguments: Vec<String>,
    /// The page's title, in place of the printed one.
    title: Option<&'static str>,
    /// True for a file that `--plot` writes; otherwise the command prints it.
    plotted: bool,
}

/// All generated files. To add one, add an entry.
fn pages() -> Vec<Page> {
    let log = |name: &str| format!("benches/record/train/{name}.jsonl");
    let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut pages = vec![Page {
        path: "docs/conformance.md".to_owned(),
        arguments: words("conformance --markdown"),
        title: None,
        plotted: false,
    }];
    pages.push(Page {
        path: "docs/img/performance.svg".to_owned(),
        arguments: words("study performance translation"),
        title: None,
        plotted: true,
    });
    for &(page, title, trainings) in RESULTS {
        let logs = trainings.iter().map(|name| log(name));
        pages.push(Page {
            path: format!("docs/{page}.md"),
            arguments: words(&format!("train report --markdown --plots {PLOTS}"))
                .into_iter()
                .chain(logs)
                .collect(),
            title: Some(title),
            plotted: false,
        });
        pages.extend(trainings.iter().map(|name| Page {
            path: format!("docs/{PLOTS}/{name}.svg"),
            arguments: words(&format!("train report {}", log(name))),
            title: None,
            plotted: true,
        }));
    }
    pages
}

impl Page {
    /// The text that the command makes now.
    fn text(&self) -> Result<String, String> {
        let mut command = Command::new(binade());
        command.args(&self.arguments).current_dir(root());
        if !self.plotted {
            let text = output(&mut command)?;
            return Ok(match (self.title, text.split_once('\n')) {
                (Some(title), Some((_, rest))) => format!("# {title}\n{rest}"),
                _ => text,
            });
        }
        let plot = root().join("target/plot.svg");
        output(command.arg("--force").arg("--plot").arg(&plot))?;
        fs::read_to_string(&plot).map_err(|error| format!("{}: {error}", plot.display()))
    }
}

/// Paths and texts of all pages, as commands and records make them now.
fn texts() -> impl Iterator<Item = Result<(String, String), String>> {
    let whole = pages().into_iter().map(|page| page.text().map(|text| (page.path, text)));
    // A page of which parts are generated.
    let filled = std::iter::once_with(|| {
        let path = performance::PAGE;
        let page = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
        Ok((path.to_owned(), performance::filled(&page, &performance::parts()?)?))
    });
    whole.chain(filled)
}

/// Writes every page.
pub(crate) fn write() -> Result<(), String> {
    python::build()?;
    for page in texts() {
        let (name, text) = page?;
        let path = root().join(&name);
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("{name}: {error}"))?;
        println!("wrote {name}");
    }
    Ok(())
}

/// Checks that every page is the one that its command makes now.
pub(crate) fn check() -> Result<(), String> {
    python::build()?;
    for page in texts() {
        let (path, text) = page?;
        let committed = fs::read_to_string(root().join(&path)).map_err(|error| format!("{path}: {error}"))?;
        if let Some(difference) = first_difference(&committed, &text) {
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
