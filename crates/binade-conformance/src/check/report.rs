//! The report of a check, as `binade conformance check --json` prints it.

use serde::Serialize;

/// A place in a statement that contradicts 4.0 or another part of the statement.
#[derive(Serialize)]
pub struct Finding {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The error at this place.
    pub message: String,
}

/// A file that was read.
#[derive(Serialize)]
pub struct CheckedFile {
    /// The file.
    pub file: String,
    /// The part of a statement that it has: `operations`, `configurations`, `profiles`, `constraints`, `kappas` or `empty`.
    pub kind: &'static str,
    /// The number of its names, signatures or formats.
    pub entries: usize,
}

/// The relations of a signature, evaluated over the formats of a configuration.
#[derive(Serialize)]
pub struct EvaluatedConstraint {
    /// The file.
    pub file: String,
    /// The line of the signature, from 1.
    pub line: usize,
    /// The configuration.
    pub context: String,
    /// The operation.
    pub operation: String,
    /// The number of combinations of formats for which the relations hold.
    pub holds: u64,
    /// The number of combinations tried.
    pub of: u64,
}

/// The largest κ of a table of results, over the operands in one interval.
#[derive(Serialize)]
pub struct MeasuredKappa {
    /// The table.
    pub file: String,
    /// The approximation's name.
    pub approximation: String,
    /// The specialisation, as the table writes it.
    pub operation: String,
    /// The interval; `None` for the operands outside all intervals.
    pub interval: Option<String>,
    /// The number of operands.
    pub operands: u64,
    /// The largest distance; `None` between NaN and a number.
    pub kappa: Option<u64>,
    /// The line of the largest distance.
    pub line: usize,
    /// The κ that the statement declares.
    pub declared: u64,
}

/// The result of a check.
#[derive(Default, Serialize)]
pub struct Report {
    /// The files that were read.
    pub files: Vec<CheckedFile>,
    /// The signatures with relations.
    pub constraints: Vec<EvaluatedConstraint>,
    /// The tables of results.
    pub tables: Vec<MeasuredKappa>,
    /// The findings; none if the statement is right.
    pub findings: Vec<Finding>,
}
