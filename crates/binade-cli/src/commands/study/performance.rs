//! `binade study performance`: the estimated speed of a program under arithmetics, on a stated core.

use std::io::Write;
use std::path::{Path, PathBuf};

use binade::recipe::short_form;
use binade_hlo::eval::rules::Scope;
use binade_hlo::{Program, ProgramError};
use binade_performance::core::CORES;
use binade_performance::fields::Range;
use binade_performance::measure::{self, MeasureError, mean_deviation};
use binade_performance::page::page;
use binade_performance::{Arithmetic, ArithmeticError, Core, CoreError, Estimate, Report, plot, program};
use binade_recipes::{RecipeFileError, with_contents};
use binade_train::{Model, TrainError};
use clap::Args;
use serde_json::json;
use thiserror::Error;

use super::{OutputArgs, fma_share};
use crate::error::{CommandError, printable, printable_lines};
use crate::report_file::ReportFile;
use crate::{Error, Output, text_table};

pub(super) const ABOUT: &str = "\
Estimate the speed of a program under arithmetics, on a core with caches and memory

PROGRAM is a StableHLO file, whose function @main runs once, or a model of `binade train`, of which a training step runs. Each \
operation takes the longest of several times: multiply-adds at the operator's rate on the core's area (`study cost`), instructions, and \
bytes at each level of the caches and in memory. Bytes are those of the formats in which the arithmetic stores numbers. Products are blocked for the caches \
as a library would. The time of all other instructions (`rest`) follows from --mix, the share of multiply-adds: the paper's §7.4 takes \
the share of instructions for the share of time in binary32.

The default core is that of Table 3 of \"A BF16 FMA is all you need for DNN training\", with its share of 39.5 %. A core is a TOML file: \
--show-core prints one to change, and --set changes single fields. The columns: `products` is the speed-up of products alone, and `bound` \
what takes most of their time; `next` is the bound that comes next, and by how much the first must become faster for it; `limit` is the \
program's speed-up if products took no time.

`--core measured` calibrates this machine. Without a program it also runs products, convolutions, elementwise work and three training \
steps on one thread, and prints their times beside the predicted ones: medians of five rounds of calibration and measurement.

--json: {\"core\", \"bounds\", \"fma_share\", \"product_share\", \"multiply_adds\", \"open_loops\", \"baseline\", \"rows\": [{\"arith\", \
\"speedup\", \"bound_by\", \"seconds\", \"product_seconds\", \"product_speedup\", \"products_bound_by\", \"next_bound\", \"next_at\", \
\"limit\", \"seconds_by_bound\", \"operations\": [{\"operation\", \"bound_by\", \"executions\", \"seconds\", \"operations\", \
\"memory_bytes\", \"is_product\"}…]}…]}; `baseline` is the row of binary32.";

/// The operators of the paper's Table 6.
const DEFAULT: [&str; 3] = ["bf16:bf16", "bf16:bf16x2", "bf16x2:bf16x2/4"];

/// A program or a core that cannot be estimated.
#[derive(Debug, Error)]
enum PerformanceError {
    #[error("{}: cannot read: {source}", .path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}:{source}", .path)]
    Program { path: String, source: Box<ProgramError> },
    // A place in the text follows the file without a space.
    #[error("{place}:{}{source}", if matches!(source, program::ProgramError::NoFunction { .. }) { " " } else { "" })]
    Estimate { place: String, source: program::ProgramError },
    #[error("'{called}' is neither a StableHLO file nor a model: {source}")]
    Missing { called: String, source: Box<TrainError> },
    #[error(transparent)]
    Model(#[from] TrainError),
    #[error(transparent)]
    Core(#[from] CoreError),
    #[error(transparent)]
    Measure(#[from] MeasureError),
    #[error(transparent)]
    Arithmetic(#[from] ArithmeticError),
    #[error(transparent)]
    Recipe(#[from] RecipeFileError),
    #[error("no program: name a StableHLO file, or a model such as mlp; --cores lists the cores alone")]
    NoProgram,
    #[error("--report needs a program: name a StableHLO file, or a model such as mlp")]
    NoReport,
}

impl CommandError for PerformanceError {
    fn shown(&self) -> String {
        match self {
            // The place, and the line of the program with a caret under it.
            PerformanceError::Program { .. } => printable_lines(&self.to_string()),
            _ => printable(&self.to_string()),
        }
    }
}

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// A StableHLO file, or a model of `binade train`: its name or its folder
    #[arg(value_name = "PROGRAM|MODEL")]
    program: Option<String>,
    /// Operators, recipes, or rules separated by `;`
    #[arg(long, value_name = "ARITH", num_args = 1.., default_values = DEFAULT)]
    arith: Vec<String>,
    /// The numbers that an operator stores: operands and results of multiply-adds (paper), or all
    #[arg(long, value_name = "paper|all", default_value = "paper")]
    scope: Scope,
    /// The core: a name, a TOML file, or `measured` for this machine
    #[arg(long, value_name = "NAME|FILE.toml", default_value = "skylake")]
    core: String,
    /// Another number in a field of the core, as in memory.gb_per_s=60; may be repeated. --show-core prints the fields, and
    /// docs/performance.md has their ranges
    #[arg(long, value_name = "KEY=NUMBER", value_parser = change)]
    set: Vec<(String, f64)>,
    /// The share of multiply-adds among instructions, or a file of `binade mix`; in place of the core's
    #[arg(long, value_name = "FILE.json|SHARE", allow_negative_numbers = true)]
    mix: Option<String>,
    /// List the built-in cores
    #[arg(long)]
    cores: bool,
    /// Print the TOML of the core, with the changes of --set and --mix
    #[arg(long, conflicts_with = "cores")]
    show_core: bool,
    /// Write a page: the roofline, the time by bound, and tables by arithmetic and operation
    #[arg(long, value_name = "FILE.html", group = "files")]
    report: Option<PathBuf>,
    #[command(flatten)]
    outputs: OutputArgs,
}

fn change(text: &str) -> Result<(String, f64), String> {
    let wrong = || format!("'{text}' is no change of a field: write KEY=NUMBER, as in memory.gb_per_s=60");
    let (key, value) = text.split_once('=').ok_or_else(wrong)?;
    Ok((key.trim().to_owned(), value.trim().parse().map_err(|_| wrong())?))
}

impl Arguments {
    pub(super) fn run(self, out: &mut Output) -> Result<(), Error> {
        if self.cores {
            return cores(out);
        }
        self.outputs.check()?;
        let force = self.outputs.force;
        self.report.iter().try_for_each(|path| ReportFile::refuse_existing(path, force))?;
        let mut changes = self.set.clone();
        if let Some(mix) = &self.mix {
            let field = "fma_share";
            let least = Range::of(field).map_or(0.0, |range| range.least);
            changes.push((field.to_owned(), fma_share(mix, least)?));
        }
        let is_measured = self.core == measure::NAME;
        if is_measured && self.program.is_none() && !self.show_core {
            return self.comparisons(out, &changes);
        }
        let text = if is_measured {
            measure::calibrate().map_err(PerformanceError::from)?
        } else {
            Core::called(&self.core).map_err(PerformanceError::from)?
        };
        if self.show_core {
            write!(out, "{}", text.changed(&changes).map_err(PerformanceError::from)?)?;
            return Ok(());
        }
        let core = text.parse(&changes).map_err(PerformanceError::from)?;
        let called = self.program.as_deref().ok_or(PerformanceError::NoProgram)?;
        let arithmetics = self
            .arith
            .iter()
            .map(|name| Ok::<_, PerformanceError>(Arithmetic::parse(&with_contents(name)?, self.scope)?));
        let arithmetics = arithmetics.collect::<Result<Vec<_>, _>>()?;
        let (place, program) = program_of(called)?;
        let estimate = Estimate::new(&program, core.clone())
            .map_err(|source| PerformanceError::Estimate { place, source })?;
        for arithmetic in &arithmetics {
            let shown = printable(&arithmetic.short_name());
            for rule in arithmetic.unmatched(&program) {
                let rule = printable(&short_form(&rule));
                let of = if rule == shown { String::new() } else { format!(", in '{shown}',") };
                eprintln!("warning: --arith '{rule}'{of} matches no operation of the program");
            }
        }
        let report = estimate.report(&arithmetics).map_err(PerformanceError::from)?;
        if let Some(path) = &self.report {
            ReportFile::create(path, force)?.write_page(page(called, &report, &core))?;
        }
        let title = format!("Performance of {called} on {}", core.name);
        self.outputs.write(out, &report, |report| plot::svg(&title, report, &core), table)
    }
}

impl Arguments {
    /// Predicted times beside measured ones, of programs and of three training steps.
    fn comparisons(&self, out: &mut Output, changes: &[(String, f64)]) -> Result<(), Error> {
        if self.report.is_some() {
            return Err(PerformanceError::NoReport.into());
        }
        let mut programs = measure::programs();
        for model in ["mlp", "resnet8", "lstm"] {
            let (_, program) = program_of(model)?;
            programs.push((format!("training step of {model}"), program));
        }
        let found = measure::compare_in_rounds(&programs, changes, measure::ROUNDS)
            .map_err(PerformanceError::from)?;
        let mean = mean_deviation(&found);
        if self.outputs.json {
            let report = json!({ "comparisons": found, "mean_deviation": mean, "rounds": measure::ROUNDS });
            crate::json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)?;
            return Ok(());
        }
        let mut lines = vec![["program", "predicted", "measured", "deviation", "bound"].map(str::to_owned)];
        for comparison in &found {
            lines.push([
                comparison.name.clone(),
                plot::seconds_text(comparison.predicted),
                plot::seconds_text(comparison.measured),
                format!("{:+.0} %", 100.0 * comparison.deviation()),
                comparison.bound_by.clone(),
            ]);
        }
        text_table::write(out, &lines, &[1, 2, 3])?;
        let rounds = measure::ROUNDS;
        writeln!(out, "one thread, medians of {rounds} rounds: mean deviation {:.0} %", 100.0 * mean)?;
        Ok(())
    }
}

/// The program of a file or a model, with its place for messages.
fn program_of(called: &str) -> Result<(String, Program), PerformanceError> {
    let path = Path::new(called);
    if !path.is_file() {
        let model = match Model::load(called) {
            Err(source) if !path.exists() => {
                let called = called.to_owned();
                return Err(PerformanceError::Missing { called, source: Box::new(source) });
            }
            model => model?,
        };
        return Ok((format!("{called}/train_step.mlir"), model.training_program().clone()));
    }
    let bytes = std::fs::read(path).map_err(|source| PerformanceError::Read { path: path.into(), source })?;
    let program = Program::from_bytes(&bytes)
        .map_err(|source| PerformanceError::Program { path: called.to_owned(), source: Box::new(source) })?;
    Ok((called.to_owned(), program))
}

fn cores(out: &mut Output) -> Result<(), Error> {
    let mut lines = vec![["core", "figures", "about"].map(str::to_owned)];
    for (name, _) in CORES {
        let core = Core::named(name).and_then(|text| text.parse(&[])).map_err(PerformanceError::from)?;
        let figures = if core.bounds { "bounds" } else { "stated" };
        lines.push([name.to_owned(), figures.to_owned(), core.about]);
    }
    text_table::write(out, &lines, &[])?;
    Ok(())
}

fn table(out: &mut Output, report: &Report) -> Result<(), Error> {
    const HEAD: [&str; 8] =
        ["arithmetic", "speed-up", "time", "products", "bound", "next", "limit", "time by bound"];
    let mut lines = vec![HEAD.map(str::to_owned)];
    for row in [&report.baseline].into_iter().chain(&report.rows) {
        let mut shares: Vec<(&str, f64)> = row.shares().collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let shares = shares.iter().filter(|(_, share)| *share >= 0.005);
        let shares: Vec<String> =
            shares.map(|(name, share)| format!("{name} {:.0} %", 100.0 * share)).collect();
        let [bound, next] = row.bounds_of_products();
        lines.push([
            row.arith.clone(),
            format!("{:.2}", row.speedup),
            plot::seconds_text(row.seconds),
            format!("{:.2}", row.product_speedup),
            bound,
            next,
            format!("{:.2}", row.limit),
            shares.join(", "),
        ]);
    }
    text_table::write(out, &lines, &[1, 2, 3, 6])?;
    let share = |share: f64| format!("{:.1} %", 100.0 * share);
    let other = report
        .fma_share
        .map_or("no other instructions".to_owned(), |mix| format!("{} of instructions", share(mix)));
    writeln!(
        out,
        "core {}{}: products take {} of binary32's time; multiply-adds: {:.4e}, {other}",
        report.core,
        if report.bounds { ", by bounds of data sheets" } else { "" },
        share(report.product_share),
        report.multiply_adds,
    )?;
    if report.open_loops > 0 {
        let loops = text_table::counted(report.open_loops, "loop");
        writeln!(out, "{loops} counted once: the program does not tell the number of iterations")?;
    }
    Ok(())
}
