//! Writes the results of trainings as a page in Markdown, with a section for each run and the remarks beside its log.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use binade_train::record::{Document, Run};
use binade_train::{DEFAULT_ARITHMETICS, Summary, TrainError, findings};

use super::table;
use crate::error::printable;
use crate::{Error, Output};

const HEAD: &str = "\
# Training: results

`cargo xtask docs` makes this page with `binade train report --markdown` from the logs in `benches/record/train/` (the lines of \
runs and cells; those of steps and epochs are left out), and from the remarks beside them. Each section has the command that \
repeats it to the bit: losses, accuracies and weights depend neither on the machine nor on threads. Times do, and are left out.

± is half the range over seeds; *lost at R* is the share of weight updates that changed nothing while the rate was R; *area* and \
*speed-up* are those of the operator after the BF16 paper's model; *weights* are the first digits of the SHA-256 of the weights \
that seed 0 ends with. In the plots, lines are means over seeds and shades their range. [train.md](train.md) explains the rest; \
[paper.md](paper.md) goes through the BF16 paper's tables and figures.
";

/// Columns that differ from run to run.
const TIMES: [&str; 2] = ["seconds", "slowdown"];

/// Writes a section for each log, with the plot of its name in `plots`.
pub(crate) fn write(logs: &[PathBuf], plots: Option<&str>, out: &mut Output) -> Result<(), Error> {
    write!(out, "{HEAD}")?;
    for log in logs {
        let document = Document::from_logs(&[log])?.with_short_names();
        section(&document, out)?;
        if let (Some(plots), Some(name)) = (plots, log.file_stem()) {
            let model = cell(&printable(&document.run.model));
            writeln!(out, "\n![{model}: curves by epoch]({plots}/{}.svg)", name.display())?;
        }
        if let Some(remarks) = remarks(log)? {
            writeln!(out, "\n{}", remarks.trim())?;
        }
    }
    Ok(())
}

/// The text of the file beside a log that ends in `.md`.
fn remarks(log: &Path) -> Result<Option<String>, Error> {
    let path = log.with_extension("md");
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).map_err(|source| TrainError::Read { path, source })?;
    Ok(Some(text))
}

/// The command that repeats a run.
fn command(run: &Run) -> String {
    let mut words = vec!["binade train".to_owned(), quoted(&run.model)];
    let mut option = |name: &str, value: &str| words.push(format!("--{name} {}", quoted(value)));
    option("data", &run.data);
    if run.arithmetics != DEFAULT_ARITHMETICS {
        run.arithmetics.iter().for_each(|name| option("arith", name));
    }
    if run.scope != "all" {
        option("scope", &run.scope);
    }
    option("seeds", &run.seeds.to_string());
    match run.steps {
        Some(steps) => option("steps", &steps.to_string()),
        None => option("epochs", &run.epochs.to_string()),
    }
    words.join(" ")
}

/// A word, quoted for a shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", printable(word)) }
}

/// A cell of a table, with its bars escaped.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn section(document: &Document, out: &mut Output) -> Result<(), Error> {
    let run = &document.run;
    let summaries = Summary::of(&document.cells);
    let made_up = if run.synthetic { " (SYNTHETIC data)" } else { "" };
    writeln!(out, "\n## {} on {}{made_up}\n", printable(&run.model), printable(&run.data))?;
    writeln!(out, "{}. {}.\n", printable(&run.about), printable(&run.data_about))?;
    writeln!(out, "```console\n$ {}\n```\n", command(run))?;
    writeln!(
        out,
        "{}. SHA-256 of the model: `{}…`, of the data: `{}…`.\n",
        table::length(run, &summaries),
        run.model_sha256.get(..16).unwrap_or(&run.model_sha256),
        run.data_sha256.get(..16).unwrap_or(&run.data_sha256),
    )?;
    let (lines, numbers) = table::rows(document, &summaries);
    let kept: Vec<usize> = (0..lines[0].len()).filter(|at| !TIMES.contains(&&lines[0][*at][..])).collect();
    for (at, line) in lines.iter().enumerate() {
        let weights = match at.checked_sub(1).map(|at| &summaries[at].arith) {
            None => "weights".to_owned(),
            Some(name) => {
                let first = document.cells.iter().find(|cell| cell.seed == 0 && cell.arith == *name);
                let digits = first.and_then(|cell| cell.weights_sha256.get(..8));
                digits.map_or("-".to_owned(), |digits| format!("`{digits}`"))
            }
        };
        let cells: Vec<String> = kept.iter().map(|at| cell(&line[*at])).chain([weights]).collect();
        writeln!(out, "| {} |", cells.join(" | "))?;
        if at == 0 {
            let rule = |at: &usize| if numbers.contains(at) { "--:" } else { "---" };
            writeln!(out, "|{}|", kept.iter().map(rule).chain(["---"]).collect::<Vec<_>>().join("|"))?;
        }
    }
    let findings = findings(document);
    if !findings.is_empty() {
        writeln!(out, "\n{}", findings.join(" "))?;
    }
    Ok(())
}
