//! Observers of `hlo run`: dump, profile, swamping, and comparison with another run.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use binade_files::IfExists;
use binade_hlo::comparison::{Comparison, OperationError};
use binade_hlo::difference::Difference;
use binade_hlo::dump::{Dump, Record};
use binade_hlo::eval::rules::Rules;
use binade_hlo::eval::{Observer, Place};
use binade_hlo::profile::{Profile, Row};
use binade_hlo::retention::accumulator_bits;
use binade_hlo::swamping::{Steps, Swamping};
use clap::Args;
use serde::Serialize;

use super::page::Observed;
use super::{HloError, bytes};
use crate::report_file::ReportFile;
use crate::text_table;
use crate::{Error, Output};

/// Options that attach observers.
#[derive(Args, Debug)]
pub(super) struct ObserverArgs {
    /// Write the results of operations whose name or named scope matches the pattern to --output-dir: dump000000.npy, …, one for
    /// each execution, with an index in dump.json. Operations then run one at a time: results have the same bits, and take
    /// longer
    #[arg(long, value_name = "PATTERN", requires = "output_dir")]
    dump: Option<String>,
    /// Limit of the bytes that --dump writes; dump.json lists the results that are left out
    #[arg(long, value_name = "BYTES", default_value = "1G", requires = "dump")]
    dump_limit: String,
    /// Write a page with time, bytes, flops, exponents of results, and births of infinities and NaN, by operation and by named
    /// scope. Operations then run one at a time: the program takes several times as long
    #[arg(long, value_name = "FILE.html")]
    profile: Option<PathBuf>,
    /// Trace this number of results of each product and convolution, multiply-add by multiply-add, and count the losses
    /// of accumulators by named scope
    #[arg(long, value_name = "RESULTS", conflicts_with = "against", value_parser = clap::value_parser!(u64).range(1..))]
    swamping: Option<u64>,
    /// Compare with another run. f64 runs the program in binary64, too, and lists the operations by the error of their results, the
    /// worst first. An operator or rule of --arith, such as mi300x:bf16, runs the program under it, and finds the first
    /// operation whose results differ beyond --threshold. A folder that --dump wrote, a folder of .npy files or a .safetensors
    /// or .npz file by the operations' locations has the other run's values. Takes the time and memory of both programs
    #[arg(long, value_name = "f64|RULE|FILE", conflicts_with_all = ["steps", "repeat"])]
    pub(super) against: Option<String>,
    /// With --against RULE or FILE: the largest difference √(Σ (a − b)² / Σ b²) of an operation's result b that is accepted
    /// [default: 0.01]
    #[arg(long, value_name = "X", requires = "against", value_parser = threshold, allow_negative_numbers = true)]
    pub(super) threshold: Option<f64>,
}

/// Parses a threshold.
fn threshold(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|x: &f64| *x >= 0.0 && x.is_finite());
    number.ok_or("must be a number of at least 0, as 0.01")
}

/// The observers of a program.
pub(super) struct Observers<'a> {
    dump: Option<(Dump, &'a Path, bool)>,
    profile: Option<(Profile, &'a Path, bool)>,
    swamping: Option<Swamping<'a>>,
    /// The comparison of --against f64.
    pub(super) comparison: Option<Comparison>,
    /// The comparison of --against with another run.
    pub(super) difference: Option<Difference>,
}

/// The results of the observers.
pub(super) struct Observations {
    /// Operations by their time, the longest first.
    pub(super) profile: Option<Vec<Row>>,
    /// Chains of products, by named scope.
    pub(super) swamping: Option<BTreeMap<String, Steps>>,
    /// Errors against binary64.
    pub(super) comparison: Option<Comparison>,
    /// Differences from another run.
    pub(super) difference: Option<Difference>,
}

/// A row of the profile as JSON.
#[derive(Serialize)]
pub(super) struct ProfileLine<'a> {
    operation: &'a str,
    scope: &'a str,
    executions: u64,
    seconds: f64,
    bytes: u64,
    flops: f64,
    /// (⌊log2 |x|⌋, count) of the results.
    exponents: &'a [(i32, u64)],
    zeros: u64,
    infinities: u64,
    nans: u64,
    births: u64,
}

impl<'a> From<&'a Row> for ProfileLine<'a> {
    fn from(row: &'a Row) -> ProfileLine<'a> {
        ProfileLine {
            operation: row.operation,
            scope: &row.scope,
            executions: row.executions,
            seconds: row.seconds,
            bytes: row.bytes,
            flops: row.flops,
            exponents: &row.numbers.exponents,
            zeros: row.numbers.zeros,
            infinities: row.numbers.infinities,
            nans: row.numbers.nans,
            births: row.numbers.births,
        }
    }
}

/// The losses of the accumulators of a scope as JSON, with the fields of the log of `binade train --swamping`.
#[derive(Serialize)]
pub(super) struct SwampingLine<'a> {
    scope: &'a str,
    longest: usize,
    differences: &'a [u64],
    product_absorbed: u64,
    accumulator_absorbed: u64,
    factor_bits: u32,
    predicted_bits: u32,
}

impl<'a> SwampingLine<'a> {
    pub(super) fn new(scope: &'a str, steps: &'a Steps) -> SwampingLine<'a> {
        let most = steps.differences.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        SwampingLine {
            scope,
            longest: steps.longest,
            differences: &steps.differences[..most],
            product_absorbed: steps.product_absorbed,
            accumulator_absorbed: steps.accumulator_absorbed,
            factor_bits: steps.factor_bits,
            predicted_bits: accumulator_bits(steps.factor_bits, steps.longest as u64),
        }
    }
}

/// The widths of accumulators in tables of swamping, in bits.
pub(super) const BITS: [usize; 3] = [8, 16, 24];

/// The columns of a scope in a table of swamping: steps, the longest chain, the shares that are swamped at [`BITS`], and the
/// shares whose product, or whose accumulator, had no effect.
pub(super) fn swamping_columns(steps: &Steps) -> Vec<String> {
    let total = steps.total();
    let share = |count: u64| match total {
        0 => "–".to_owned(),
        _ => format!("{:.2} %", count as f64 / total as f64 * 100.0),
    };
    let swamped = |bits: usize| share(steps.differences[bits + 1..].iter().sum());
    let mut columns = vec![total.to_string(), steps.longest.to_string()];
    columns.extend(BITS.map(swamped));
    columns.extend([share(steps.product_absorbed), share(steps.accumulator_absorbed)]);
    columns
}

/// Titles of [`swamping_columns`].
pub(super) const SWAMPING_TITLES: [&str; 7] =
    ["steps", "longest", "swamped at 8 bits", "at 16", "at 24", "products lost", "accumulators lost"];

/// Prints the losses of accumulators.
pub(super) fn write_swamping(observed: &BTreeMap<String, Steps>, out: &mut Output) -> Result<(), Error> {
    if observed.is_empty() {
        eprintln!(
            "warning: --swamping found no product to follow: it follows sums in index order, not those of quantised operands (recipes, \
             block formats), nor stochastic ones"
        );
    }
    let line = |scope: &str, columns| [vec![scope.to_owned()], columns].concat();
    let mut lines = vec![line("scope", SWAMPING_TITLES.map(str::to_owned).to_vec())];
    lines.extend(observed.iter().map(|(scope, steps)| line(scope, swamping_columns(steps))));
    Ok(text_table::write(out, &lines, &[1, 2, 3, 4, 5, 6, 7])?)
}

/// A result of an operation, as JSON.
#[derive(Serialize)]
pub(super) struct PlaceLine<'a> {
    operation: &'a str,
    scope: &'a str,
    function: &'a str,
    line: u32,
    column: u32,
    result: usize,
    #[serde(rename = "type")]
    ty: &'a str,
}

impl<'a> From<&'a Place> for PlaceLine<'a> {
    fn from(place: &'a Place) -> PlaceLine<'a> {
        PlaceLine {
            operation: place.operation,
            scope: &place.scope,
            function: &place.function,
            line: place.position.0,
            column: place.position.1,
            result: place.result,
            ty: &place.ty,
        }
    }
}

/// An operation's error as JSON.
#[derive(Serialize)]
pub(super) struct ErrorLine<'a> {
    #[serde(flatten)]
    place: PlaceLine<'a>,
    executions: u64,
    compared: u64,
    max_absolute: f64,
    max_relative: f64,
    mean_absolute: f64,
    mean_relative: f64,
    max_ulps: f64,
    infinities: u64,
    nans: u64,
    births: u64,
}

impl<'a> From<&'a OperationError> for ErrorLine<'a> {
    fn from(error: &'a OperationError) -> ErrorLine<'a> {
        ErrorLine {
            place: PlaceLine::from(&error.place),
            executions: error.executions,
            compared: error.compared,
            max_absolute: error.max_absolute,
            max_relative: error.max_relative,
            mean_absolute: error.mean_absolute,
            mean_relative: error.mean_relative,
            max_ulps: error.max_ulps,
            infinities: error.infinities,
            nans: error.nans,
            births: error.births,
        }
    }
}

/// Operations by the error of their results, the worst first: by results that are NaN or infinite unlike the reference, then by
/// units in the last place.
pub(super) fn worst(comparison: &Comparison) -> Vec<&OperationError> {
    let mut errors: Vec<&OperationError> = comparison.operations.iter().collect();
    let lost = |error: &OperationError| error.infinities + error.nans;
    errors.sort_by(|a, b| lost(b).cmp(&lost(a)).then(b.max_ulps.total_cmp(&a.max_ulps)));
    errors
}

/// The largest number of lines of the table of errors.
const ERRORS: usize = 20;

/// Prints the worst operations.
pub(super) fn write_errors(comparison: &Comparison, out: &mut Output) -> Result<(), Error> {
    if let Some(place) = &comparison.parted {
        eprintln!(
            "warning: from {place} on, the program in binary64 took another branch: later results are not compared"
        );
    }
    let titles = [
        "line",
        "operation",
        "type",
        "times",
        "max abs",
        "max rel",
        "mean rel",
        "max ulp",
        "births",
        "scope",
    ];
    let mut lines = vec![titles.map(str::to_owned)];
    let errors = worst(comparison);
    for error in errors.iter().take(ERRORS) {
        // Where a result is no number, the largest error of the others says nothing.
        let largest = |x: f64| match (error.nans, error.infinities) {
            (0, 0) => text_table::number(x),
            (0, _) => "inf".to_owned(),
            _ => "NaN".to_owned(),
        };
        lines.push([
            error.place.position.0.to_string(),
            error.place.operation.to_owned(),
            error.place.ty.clone(),
            error.executions.to_string(),
            largest(error.max_absolute),
            largest(error.max_relative),
            text_table::number(error.mean_relative),
            largest(error.max_ulps),
            error.births.to_string(),
            error.place.scope.clone(),
        ]);
    }
    text_table::write(out, &lines, &[0, 3, 4, 5, 6, 7, 8])?;
    if errors.len() > ERRORS {
        writeln!(out, "{} more operations: --json has all", errors.len() - ERRORS)?;
    }
    Ok(())
}

/// A line of dump.json.
#[derive(Serialize)]
struct DumpLine<'a> {
    file: Option<&'a str>,
    #[serde(flatten)]
    place: PlaceLine<'a>,
    step: u64,
    execution: u64,
    replica: usize,
    partition: usize,
}

impl<'a> From<&'a Record> for DumpLine<'a> {
    fn from(record: &'a Record) -> DumpLine<'a> {
        DumpLine {
            file: record.file.as_deref(),
            place: PlaceLine::from(&record.place),
            step: record.step,
            execution: record.execution,
            replica: record.process.0,
            partition: record.process.1,
        }
    }
}

/// The index of dumped results.
pub(super) const INDEX: &str = "dump.json";

impl ObserverArgs {
    /// Starts the observers of a program under `rules`, whose results go to `folder`.
    pub(super) fn start<'a>(
        &'a self,
        rules: &'a Rules,
        folder: Option<&'a Path>,
        force: bool,
    ) -> Result<Observers<'a>, Error> {
        let swamping = self.swamping.map(|samples| Swamping::new(rules, samples as usize));
        let mut observers =
            Observers { dump: None, profile: None, swamping, comparison: None, difference: None };
        if let Some(path) = &self.profile {
            ReportFile::refuse_existing(path, force)?;
            observers.profile = Some((Profile::new(), path, force));
        }
        if let (Some(pattern), Some(folder)) = (&self.dump, folder) {
            ReportFile::refuse_existing(&folder.join(INDEX), force)?;
            let if_exists = if force { IfExists::Replace } else { IfExists::Refuse };
            let dump = Dump::new(folder, pattern, bytes(&self.dump_limit)? as u64, if_exists);
            observers.dump = Some((dump.map_err(|error| HloError::Dump(Box::new(error)))?, folder, force));
        }
        Ok(observers)
    }
}

impl Observers<'_> {
    pub(super) fn list(&self) -> Vec<&dyn Observer> {
        let dump = self.dump.iter().map(|(dump, ..)| dump as &dyn Observer);
        let profile = self.profile.iter().map(|(profile, ..)| profile as &dyn Observer);
        let swamping = self.swamping.iter().map(|swamping| swamping as &dyn Observer);
        dump.chain(profile).chain(swamping).collect()
    }

    /// Tells the observers the number of the next step.
    pub(super) fn begin(&self, step: u64) {
        self.dump.iter().for_each(|(dump, ..)| dump.begin(step));
    }

    /// Writes the observations after the program has ended.
    pub(super) fn finish(self, program: &Path) -> Result<Observations, Error> {
        let swamping = self.swamping.map(|swamping| swamping.finish().into_iter().collect());
        let (comparison, difference) = (self.comparison, self.difference);
        let mut observed = Observations { profile: None, swamping, comparison, difference };
        if let Some((profile, path, force)) = self.profile {
            let rows = profile.finish();
            let name = program.display().to_string();
            let (swamping, comparison) = (observed.swamping.as_ref(), observed.comparison.as_ref());
            let page = Observed { program: &name, rows: &rows, swamping, comparison }.page();
            ReportFile::create(path, force)?.write_page(page)?;
            eprintln!("profile in {}", path.display());
            observed.profile = Some(rows);
        }
        if let Some((dump, folder, force)) = self.dump {
            let records = dump.finish().map_err(|error| HloError::Dump(Box::new(error)))?;
            if records.is_empty() {
                eprintln!("warning: --dump matches no operation that ran");
            }
            let left = records.iter().filter(|record| record.file.is_none()).count();
            if left > 0 {
                eprintln!("--dump-limit: {left} of {} results are left out", records.len());
            }
            let lines: Vec<DumpLine> = records.iter().map(DumpLine::from).collect();
            let mut text = serde_json::to_vec_pretty(&lines)?;
            text.push(b'\n');
            ReportFile::create(&folder.join(INDEX), force)?.write(&text)?;
        }
        Ok(observed)
    }
}
