//! `hlo run --against`: the other run of a comparison, and the output of the first difference.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use binade_hlo::difference::{Difference, DumpedValues, OperationDifference};
use binade_hlo::eval::rules::{Rules, Scope};
use binade_hlo::files::Named;
use binade_recipes::with_contents;
use serde::{Deserialize, Serialize};

use super::HloError;
use super::observers::{INDEX, PlaceLine};
use crate::error::printable;
use crate::text_table::{self, number};
use crate::{Error, Output};

/// The other run.
pub(super) enum Against {
    /// The program in binary64.
    F64,
    /// The program under other rules.
    Rules(Rules),
    /// The values of a dump.
    Dump(Box<DumpedValues>),
}

impl Against {
    /// Reads the argument of `--against`: `f64`, rules that semicolons separate, or a folder or file of a dump.
    pub(super) fn new(text: &str, scope: Option<Scope>) -> Result<Against, HloError> {
        if text.eq_ignore_ascii_case("f64") {
            return Ok(Against::F64);
        }
        let path = Path::new(text);
        if path.is_dir() {
            return dumped_folder(path).map(|values| Against::Dump(Box::new(values)));
        }
        if path.is_file() && path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy")) {
            return Err(HloError::OneArray(path.to_owned()));
        }
        if path.is_file() {
            let archive = Named::open(path).map_err(|error| HloError::Output(Box::new(error)))?;
            let values = DumpedValues { archive: Some(archive), ..DumpedValues::default() };
            return Ok(Against::Dump(Box::new(values)));
        }
        let rules: Vec<String> = text.split(';').map(with_contents).collect::<Result<_, _>>()?;
        let rules = Rules::parse_in(&rules, scope.unwrap_or_default());
        rules.map(Against::Rules).map_err(|reason| {
            let (text, reason) = (text.to_owned(), Box::new(reason));
            // An operator has a colon and a rule an equals sign, before any slash.
            let is_path = text.contains('/') || Named::is_one(path) || text.ends_with(".npy");
            match is_path && !text.contains([':', '=', ';']) {
                true => HloError::NoDump(text),
                false => HloError::Against { text, reason },
            }
        })
    }
}

/// A line of dump.json, as `hlo run --dump` writes it.
#[derive(Deserialize)]
struct DumpedLine {
    // Without this, a missing field would be read as null.
    #[serde(deserialize_with = "Option::deserialize")]
    file: Option<PathBuf>,
    function: String,
    line: u32,
    column: u32,
    result: usize,
    execution: u64,
    #[serde(default)]
    replica: usize,
    #[serde(default)]
    partition: usize,
}

/// The values in a folder: of `hlo run --dump`, or `.npy` files by location.
fn dumped_folder(folder: &Path) -> Result<DumpedValues, HloError> {
    let failed = |path: &Path, source| HloError::Read { path: path.to_owned(), source };
    let index = folder.join(INDEX);
    if index.exists() {
        let text = fs::read(&index).map_err(|source| failed(&index, source))?;
        let lines: Vec<DumpedLine> = serde_json::from_slice(&text)
            .map_err(|error| HloError::DumpIndex { path: index.clone(), reason: error.to_string() })?;
        let first = lines.into_iter().filter(|line| (line.replica, line.partition) == (0, 0));
        let places = first.filter_map(|line| {
            let file = folder.join(line.file?);
            Some(((line.function, (line.line, line.column), line.result, line.execution), file))
        });
        return Ok(DumpedValues { places: places.collect(), ..DumpedValues::default() });
    }
    let mut files = HashMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).map_err(|source| failed(&next, source))? {
            let path = entry.map_err(|source| failed(&next, source))?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "npy")
                && let Ok(name) = path.with_extension("").strip_prefix(folder)
            {
                let parts: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
                files.insert(parts.join("/"), path);
            }
        }
    }
    match files.is_empty() {
        true => Err(HloError::EmptyDump { path: folder.to_owned() }),
        false => Ok(DumpedValues { files, ..DumpedValues::default() }),
    }
}

/// An operation's differences as JSON.
#[derive(Serialize)]
struct DifferenceLine<'a> {
    #[serde(flatten)]
    place: PlaceLine<'a>,
    executions: u64,
    entering: Option<f64>,
    made: Option<f64>,
    leaving: f64,
    healed: u64,
}

impl<'a> From<&'a OperationDifference> for DifferenceLine<'a> {
    fn from(found: &'a OperationDifference) -> DifferenceLine<'a> {
        DifferenceLine {
            place: PlaceLine::from(&found.place),
            executions: found.executions,
            entering: found.entering,
            made: found.made,
            leaving: found.leaving,
            healed: found.healed,
        }
    }
}

/// The comparison as JSON. Infinite differences are null.
#[derive(Serialize)]
pub(super) struct DifferenceReport<'a> {
    against: &'a str,
    threshold: f64,
    first: Option<DifferenceLine<'a>>,
    /// Operations in the order of their first execution.
    operations: Vec<DifferenceLine<'a>>,
    /// The difference of each result of the program.
    results: &'a [Option<f64>],
    parted: Option<&'a str>,
}

impl<'a> DifferenceReport<'a> {
    pub(super) fn new(found: &'a Difference, against: &'a str, threshold: f64) -> DifferenceReport<'a> {
        DifferenceReport {
            against,
            threshold,
            first: found.first.map(|first| DifferenceLine::from(&found.operations[first])),
            operations: found.operations.iter().map(DifferenceLine::from).collect(),
            results: &found.results,
            parted: found.parted.as_deref(),
        }
    }
}

/// The largest number of lines of the table.
const LINES: usize = 20;

fn place(found: &OperationDifference) -> String {
    let scope = match found.place.scope.as_str() {
        "" => String::new(),
        scope => format!(" ({})", printable(scope)),
    };
    let (line, column) = found.place.position;
    format!("{line}:{column}: {}{scope}", found.place.operation)
}

/// Prints the first operation beyond the threshold, and the operations with the largest differences in the order of the program.
pub(super) fn write_difference(
    found: &Difference,
    against: &str,
    threshold: f64,
    out: &mut Output,
) -> Result<(), Error> {
    if let Some(place) = &found.parted {
        eprintln!(
            "warning: from {place} on, the other run took another branch: later results are not compared"
        );
    }
    if found.operations.is_empty() {
        eprintln!("warning: --against {}: no operation has a value to compare with", printable(against));
    }
    // The first, then those that make the largest difference.
    let differs = |operation: &OperationDifference| {
        [operation.entering, operation.made, Some(operation.leaving)].into_iter().flatten().any(|x| x > 0.0)
    };
    let mut shown: Vec<usize> =
        (0..found.operations.len()).filter(|&at| differs(&found.operations[at])).collect();
    let equal = found.operations.len() - shown.len();
    let more = shown.len().saturating_sub(LINES);
    let weight = |at: &usize| {
        let operation = &found.operations[*at];
        if found.first == Some(*at) { f64::INFINITY } else { operation.made.unwrap_or(operation.leaving) }
    };
    shown.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    shown.truncate(LINES);
    shown.sort_unstable();
    let titles = ["line", "operation", "type", "times", "entering", "made", "leaving", "", "scope"];
    let mut lines = vec![titles.map(str::to_owned)];
    let maybe = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), number);
    for at in shown {
        let operation = &found.operations[at];
        let mark = match (found.first == Some(at), operation.healed > 0) {
            (true, _) => "first",
            (false, true) => "heals",
            (false, false) => "",
        };
        lines.push([
            operation.place.position.0.to_string(),
            operation.place.operation.to_owned(),
            operation.place.ty.clone(),
            operation.executions.to_string(),
            maybe(operation.entering),
            maybe(operation.made),
            number(operation.leaving),
            mark.to_owned(),
            operation.place.scope.clone(),
        ]);
    }
    text_table::write(out, &lines, &[0, 3, 4, 5, 6])?;
    if more > 0 {
        writeln!(out, "{} differ, too: --json has all", count(more))?;
    }
    if equal > 0 {
        writeln!(out, "{} without a difference", count(equal))?;
    }
    let threshold = if threshold < 1e-4 { format!("{threshold:e}") } else { threshold.to_string() };
    let Some(first) = found.first else {
        writeln!(out, "no operation differs by more than {threshold}")?;
        return Ok(());
    };
    writeln!(out, "first difference beyond {threshold}: {}", place(&found.operations[first]))?;
    let healing: Vec<&OperationDifference> =
        found.operations[first..].iter().filter(|operation| operation.healed > 0).collect();
    match healing.first() {
        Some(healed) => {
            writeln!(out, "brought back within it by {}, the first {}", count(healing.len()), place(healed))?
        }
        None => writeln!(out, "no later operation brings it back within")?,
    }
    for (at, result) in found.results.iter().enumerate() {
        if let Some(result) = result {
            writeln!(out, "difference of result {at}: {}", number(*result))?;
        }
    }
    Ok(())
}

fn count(operations: usize) -> String {
    format!("{operations} operation{}", if operations == 1 { "" } else { "s" })
}
