//! Estimates of `binade study performance`: their record, and the tables of docs/performance.md that are made from it.
//!
//! The programs of large models are exported with JAX, so that only [`record`] needs it. The tables need the record alone.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use crate::run::{binade, output, root, run, target};

/// The page whose parts are generated.
pub(crate) const PAGE: &str = "docs/performance.md";
/// The record, a line of JSON for each estimate.
const RECORD: &str = "benches/record/performance.jsonl";

/// A network of the tables.
struct Network {
    /// The folder below `models`.
    model: &'static str,
    /// The name in tables.
    name: &'static str,
    /// The batch of the model as it is.
    batch: u32,
    /// A batch, in words.
    examples: &'static str,
    /// The speed-ups of the paper's Table 6 under FMA 1_1, 1_2 and 2_2{4}.
    paper: [f64; 3],
}

const NETWORKS: [Network; 4] = [
    Network {
        model: "resnet101",
        name: "ResNet-101",
        batch: 128,
        examples: "128 images",
        paper: [1.35, 1.34, 1.28],
    },
    Network {
        model: "transformer_base",
        name: "Transformer base",
        batch: 192,
        examples: "192 sentences of 64 words",
        paper: [1.37, 1.35, 1.29],
    },
    Network {
        model: "translation",
        name: "`translation`",
        batch: 128,
        examples: "the paper's task and network, 128 sentences",
        paper: [1.37, 1.35, 1.29],
    },
    Network {
        model: "lstm650",
        name: "LSTMx2",
        batch: 20,
        examples: "20 × 35 words",
        paper: [1.31, 1.30, 1.22],
    },
];

/// Variants of the default core, and other cores: the name in tables, the core, and a changed field.
const CORES: [(&str, &str, Option<&str>); 7] = [
    ("15 GB/s", "skylake", Some("memory.gb_per_s=15")),
    ("**30 GB/s, as in the paper**", "skylake", None),
    ("60 GB/s", "skylake", Some("memory.gb_per_s=60")),
    ("half the area, for binary32 as well", "skylake", Some("units.area=288")),
    ("`avx512-server`", "avx512-server", None),
    ("`edge`", "edge", None),
    ("`h100`", "h100", None),
];

/// Other batches than a model's.
const BATCHES: [u32; 2] = [1, 256];

/// A training step of a network, as a model of `binade train` or as an exported file.
fn program(network: &Network, batch: u32, python: &str) -> Result<String, String> {
    // The one model whose program is in the repository.
    if network.model == "translation" && batch == network.batch {
        return Ok("translation".to_owned());
    }
    let folder: PathBuf = target().join(format!("performance/{}_{batch}", network.model));
    let file = folder.join("train_step.mlir");
    if !file.is_file() {
        let mut export = Command::new(python);
        export.current_dir(root().join("models")).args(["export.py", "--to"]).arg(&folder);
        run(export.args(["--set", &format!("batch={batch}"), network.model]))?;
    }
    Ok(file.display().to_string())
}

/// Estimates every network on every core, and with other batches on the default one, and writes the record. `python` has JAX.
pub(crate) fn record(python: &str) -> Result<(), String> {
    let mut lines = String::new();
    for network in &NETWORKS {
        let batches = BATCHES.iter().map(|&batch| (batch, "skylake", None));
        let cores = CORES.iter().map(|&(_, core, change)| (network.batch, core, change));
        for (batch, core, change) in cores.chain(batches) {
            let program = program(network, batch, python)?;
            let mut estimate = Command::new(binade());
            estimate.current_dir(root()).args(["study", "performance", &program, "--json", "--core", core]);
            estimate.args(change.iter().flat_map(|change| ["--set", change]));
            let report: Value = serde_json::from_str(&output(&mut estimate)?)
                .map_err(|error| format!("{} on {core}: {error}", network.model))?;
            lines += &line(network, batch, core, change, &report).to_string();
            lines.push('\n');
        }
    }
    fs::write(root().join(RECORD), lines).map_err(|error| format!("{RECORD}: {error}"))?;
    println!("wrote {RECORD}");
    Ok(())
}

/// The part of a report that tables need.
fn line(network: &Network, batch: u32, core: &str, change: Option<&str>, report: &Value) -> Value {
    const KEYS: [&str; 7] =
        ["arith", "speedup", "bound_by", "product_speedup", "products_bound_by", "next_bound", "next_at"];
    let rows = report["rows"].as_array().into_iter().flatten();
    let rows: Vec<Value> =
        rows.map(|row| KEYS.iter().map(|&key| (key.to_owned(), row[key].clone())).collect()).collect();
    json!({
        "network": network.model, "batch": batch, "core": core, "change": change,
        "product_share": report["product_share"], "multiply_adds": report["multiply_adds"],
        "seconds": report["baseline"]["seconds"], "rows": rows,
    })
}

/// The estimates of the record.
struct Record(Vec<Value>);

impl Record {
    fn read() -> Result<Record, String> {
        let text = fs::read_to_string(root().join(RECORD)).map_err(|error| format!("{RECORD}: {error}"))?;
        let lines = text.lines().enumerate().map(|(at, line)| {
            serde_json::from_str(line).map_err(|error| format!("{RECORD}:{}: {error}", at + 1))
        });
        Ok(Record(lines.collect::<Result<_, _>>()?))
    }

    fn of(&self, network: &Network, batch: u32, core: &str, change: Option<&str>) -> Result<&Value, String> {
        let found = self.0.iter().find(|line| {
            line["network"] == network.model
                && line["batch"] == batch
                && line["core"] == core
                && line["change"].as_str() == change
        });
        found.ok_or_else(|| {
            format!("{RECORD} has no {} of {batch} on {core}: run `cargo xtask performance`", network.model)
        })
    }
}

/// The speed-ups of an estimate.
fn speedups(line: &Value) -> [f64; 3] {
    [0, 1, 2].map(|row| line["rows"][row]["speedup"].as_f64().unwrap_or(f64::NAN))
}

/// Speed-ups as a cell of a table.
fn cell(line: &Value) -> String {
    speedups(line).map(|speedup| format!("{speedup:.2}")).join(", ")
}

/// The generated parts of the page, by name.
pub(crate) fn parts() -> Result<Vec<(&'static str, String)>, String> {
    let record = Record::read()?;
    let mut example = Command::new(binade());
    let example = output(example.current_dir(root()).args(["study", "performance", "translation"]))?;
    Ok(vec![
        ("example", format!("```console\n$ binade study performance translation\n{example}```\n")),
        ("table 6", table_6(&record)?),
        ("sensitivity", sensitivity(&record)?),
    ])
}

/// Table 6, with the paper's figures, and a sentence on the deviations.
fn table_6(record: &Record) -> Result<String, String> {
    let mut text =
        "| network | 1_1 | 1_2 | 2_2{4} | products under 1_2 | bound of products under 1_2, and next |\n"
            .to_owned();
    text += "|---|--:|--:|--:|--:|---|\n";
    let mut largest = [0f64; 2];
    for network in &NETWORKS {
        let line = record.of(network, network.batch, "skylake", None)?;
        let (ours, row) = (speedups(line), &line["rows"][1]);
        // `translation` stands beside the Transformer, and is not one of the nine figures.
        let place = usize::from(network.model == "translation");
        let mut cells = vec![];
        for (ours, paper) in ours.into_iter().zip(network.paper) {
            largest[place] = largest[place].max((ours - paper).abs());
            cells.push(format!("{ours:.2} / {paper:.2} ({:+.3})", ours - paper));
        }
        let number = |key: &str| row[key].as_f64().unwrap_or(f64::NAN);
        let name = |key: &str| row[key].as_str().unwrap_or("?").to_owned();
        let paper = if network.model == "resnet101" { " / 2.80" } else { "" };
        let _ = writeln!(
            text,
            "| {}, {} | {} | {:.2}{paper} | {}, then {} at {:.2} |",
            network.name,
            network.examples,
            cells.join(" | "),
            number("product_speedup"),
            name("products_bound_by"),
            name("next_bound"),
            number("next_at"),
        );
    }
    let _ = writeln!(
        text,
        "\nThe largest deviation of the nine is {:.3}, and {:.3} for `translation` as the Transformer.",
        largest[0], largest[1]
    );
    Ok(text)
}

/// Speed-ups on other cores and with other batches, a column for each network.
fn sensitivity(record: &Record) -> Result<String, String> {
    let names: Vec<&str> = NETWORKS.iter().map(|network| network.name).collect();
    let mut text = format!("| 1_1, 1_2, 2_2{{4}} | {} |\n|---|", names.join(" | "));
    text += &"---|".repeat(NETWORKS.len());
    text.push('\n');
    let mut row = |name: &str, of: &dyn Fn(&Network) -> Result<String, String>| {
        let cells = NETWORKS.iter().map(of).collect::<Result<Vec<_>, String>>()?;
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
        Ok::<(), String>(())
    };
    for (name, core, change) in CORES {
        row(name, &|network| Ok(cell(record.of(network, network.batch, core, change)?)))?;
    }
    for batch in BATCHES {
        let name = format!("batch of {batch}, `skylake`");
        row(&name, &|network| Ok(cell(record.of(network, batch, "skylake", None)?)))?;
    }
    Ok(text)
}

/// A page with its generated parts replaced. Each is between `<!-- generated: NAME -->` and `<!-- end -->`.
pub(crate) fn filled(page: &str, parts: &[(&str, String)]) -> Result<String, String> {
    let mut text = page.to_owned();
    for (name, part) in parts {
        let (open, close) = (format!("<!-- generated: {name} -->\n"), "<!-- end -->");
        let from = text.find(&open).map(|at| at + open.len());
        let to = from.and_then(|from| Some(from + text[from..].find(close)?));
        let (Some(from), Some(to)) = (from, to) else {
            return Err(format!("{PAGE} has no part between {} and {close}", open.trim_end()));
        };
        text.replace_range(from..to, part);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_of_a_page_is_replaced_and_a_missing_one_refused() {
        let page = "a\n<!-- generated: x -->\nold\n<!-- end -->\nb\n";
        let parts = [("x", "new\n".to_owned())];
        let filled_once = filled(page, &parts).unwrap();
        assert_eq!(filled_once, "a\n<!-- generated: x -->\nnew\n<!-- end -->\nb\n");
        assert_eq!(filled(&filled_once, &parts).unwrap(), filled_once);
        let error = filled(page, &[("y", String::new())]).unwrap_err();
        assert!(error.contains("no part between <!-- generated: y -->"), "{error}");
    }

    #[test]
    fn deviations_are_those_of_the_papers_figures() {
        let line = |network: &Network, speedups: [f64; 3]| {
            let rows = speedups
                .map(|speedup| json!({ "speedup": speedup, "product_speedup": 2.75, "next_at": 1.5 }));
            json!({ "network": network.model, "batch": network.batch, "core": "skylake", "change": null, "rows": rows })
        };
        let lines = NETWORKS.iter().enumerate().map(|(at, network)| {
            let [a, b, c] = network.paper;
            line(network, [a + 0.01 * at as f64, b, c - 0.005])
        });
        let text = table_6(&Record(lines.collect())).unwrap();
        assert!(
            text.contains("| ResNet-101, 128 images | 1.35 / 1.35 (+0.000) | 1.34 / 1.34 (+0.000) | "),
            "{text}"
        );
        assert!(text.contains("| 2.75 / 2.80 | ?, then ? at 1.50 |"), "{text}");
        assert!(
            text.ends_with("of the nine is 0.030, and 0.020 for `translation` as the Transformer.\n"),
            "{text}"
        );
    }
}
