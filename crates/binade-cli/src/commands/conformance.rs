//! `binade conformance`: prints binade's statements of conformance to P3109, and checks those of other implementers.

use std::io::Write;
use std::path::{Path, PathBuf};

use binade_conformance::check::{CheckedFile, EvaluatedConstraint, Finding, Report, StatementError, check};
use binade_conformance::exemplars;
use binade_conformance::specialisation::{SpecialisationError, refusal};
use binade_conformance::statement::{interim, version_4};
use clap::{Args, Subcommand};
use thiserror::Error;

use crate::error::{CommandError, printable};
use crate::modes::EditionName;
use crate::report_file::{ReportFile, create_folder};
use crate::{Error, Output, Status, examples};

/// A specialisation or a statement that cannot be read.
#[derive(Debug, Error)]
pub(crate) enum ConformanceError {
    #[error(transparent)]
    Specialisation(#[from] SpecialisationError),
    #[error(transparent)]
    Statement(#[from] StatementError),
}

impl CommandError for ConformanceError {}

/// Arguments of `binade conformance`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Print a JSON object: the statement of --edition, or both under their numbers
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print both statements as the page docs/conformance.md
    #[arg(long)]
    markdown: bool,
    /// Print the statement for this edition [default: both]
    #[arg(long, value_name = "EDITION", conflicts_with = "markdown")]
    edition: Option<EditionName>,
    /// Print `yes` if an operation of 4.0 is provided for these formats and modes, otherwise `no` with the reason and
    /// exit code 1. An example is 'Exp<Binary8p3se, Binary8p4se, (NearestTiesToEven, SatFinite)>'. The random bits of a
    /// stochastic mode are in its name or in brackets after it: StochasticA8, StochasticA[8], StochasticA<8>, StochasticA(8)
    #[arg(long, value_name = "OP<…>", conflicts_with_all = ["json", "markdown", "edition"])]
    has: Option<String>,
    /// Write the statement of 4.0 into this folder, as five files of YAML in the form of the working group's exemplars
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["json", "markdown", "edition", "has"])]
    exemplars: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Check an implementer's statement of conformance to 4.0: names, relations, κ
    #[command(after_help = examples::CONFORMANCE_CHECK)]
    Check(CheckArguments),
}

/// Arguments of `binade conformance check`.
#[derive(Args, Debug)]
struct CheckArguments {
    /// Files of a statement, in YAML: operations, configurations, profiles, constraints, kappas, in any order
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// A table with the results of an approximation, from which κ is computed; may be repeated. Its first line is `# NAME: Op<f,
    /// fr, (Round, Sat)>`. A line `CODE… RESULT` follows for every combination of operands, as `binade vectors` writes them
    #[arg(long, value_name = "FILE")]
    results: Vec<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        if let Some(Command::Check(arguments)) = self.command {
            return arguments.run(out);
        }
        if let Some(text) = &self.has {
            return answer(text, out);
        }
        if let Some(folder) = &self.exemplars {
            return write_exemplars(folder, out);
        }
        let includes = |edition| self.edition.is_none_or(|chosen| chosen == edition);
        let interim = includes(EditionName::Interim).then(interim::Statement::new);
        let version_4 = includes(EditionName::V4).then(version_4::Statement::new);
        if self.json {
            match (&interim, &version_4) {
                (Some(interim), Some(version_4)) => crate::json::to_writer_pretty(
                    &mut *out,
                    &serde_json::json!({ "0.9.1": interim, "4.0": version_4 }),
                )?,
                (Some(interim), None) => crate::json::to_writer_pretty(&mut *out, interim)?,
                (None, version_4) => crate::json::to_writer_pretty(&mut *out, version_4)?,
            }
            writeln!(out)?;
            return Ok(Status::Done);
        }
        if self.markdown {
            writeln!(
                out,
                "<!-- Made by `binade conformance --markdown`; `cargo xtask test` checks that it is current. -->\n"
            )?;
            writeln!(out, "# Statements of conformance to P3109\n")?;
        }
        if let Some(version_4) = &version_4 {
            version_4.markdown(out)?;
        }
        if version_4.is_some() && interim.is_some() {
            writeln!(out)?;
        }
        if let Some(interim) = &interim {
            interim.markdown(out)?;
        }
        Ok(Status::Done)
    }
}

/// Prints `yes`, or `no: REASON`.
fn answer(text: &str, out: &mut Output) -> Result<Status, Error> {
    match refusal(text).map_err(ConformanceError::from)? {
        None => {
            writeln!(out, "yes")?;
            Ok(Status::Done)
        }
        Some(reason) => {
            writeln!(out, "no: {}", printable(&reason))?;
            Ok(Status::CheckFailed)
        }
    }
}

/// Writes the files of the statement into a folder, all or none, and prints their names.
fn write_exemplars(folder: &Path, out: &mut Output) -> Result<Status, Error> {
    create_folder(folder)?;
    let files = exemplars::files();
    let paths: Vec<_> = files.iter().map(|(name, _)| folder.join(name)).collect();
    let begun = paths.iter().map(|path| ReportFile::create(path, false)).collect::<Result<Vec<_>, _>>()?;
    for (file, (_, text)) in begun.into_iter().zip(&files) {
        file.write(text.as_bytes())?;
    }
    for path in paths {
        writeln!(out, "{}", path.display())?;
    }
    Ok(Status::Done)
}

impl CheckArguments {
    fn run(self, out: &mut Output) -> Result<Status, Error> {
        let report = check(&self.files, &self.results).map_err(ConformanceError::from)?;
        if self.json {
            crate::json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)?;
        } else {
            print(out, &report)?;
        }
        Ok(if report.findings.is_empty() { Status::Done } else { Status::CheckFailed })
    }
}

fn print(out: &mut Output, report: &Report) -> Result<(), Error> {
    for CheckedFile { file, kind, entries } in &report.files {
        writeln!(out, "{}: {kind}, {entries}", printable(file))?;
    }
    for EvaluatedConstraint { file, line, context, operation, holds, of } in &report.constraints {
        writeln!(
            out,
            "{}:{line}: {context} {operation}: {holds} of {of} combinations of formats",
            printable(file)
        )?;
    }
    for table in &report.tables {
        let kappa = table.kappa.map_or("none".to_owned(), |kappa| kappa.to_string());
        let interval = table.interval.as_deref().unwrap_or("elsewhere");
        writeln!(
            out,
            "{}: {} {interval}: κ = {kappa} over {} operands, declared {}",
            printable(&table.file),
            printable(&table.operation),
            table.operands,
            table.declared
        )?;
    }
    for Finding { file, line, message } in &report.findings {
        writeln!(out, "{}:{line}: {}", printable(file), printable(message))?;
    }
    let count = report.findings.len();
    writeln!(
        out,
        "{}",
        match count {
            0 => "ok".to_owned(),
            1 => "1 finding".to_owned(),
            _ => format!("{count} findings"),
        }
    )?;
    Ok(())
}
