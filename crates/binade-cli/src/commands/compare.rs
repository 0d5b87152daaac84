//! `binade compare`: compares the tensors of two files or checkpoints.

use std::cmp::Ordering;
use std::io::Write;
use std::path::PathBuf;

use binade::Spec;
use binade_lab::compare::{Comparison, Options, run};
use clap::Args;

use crate::error::printable;
use crate::progress::Bar;
use crate::text_table::{self, decibels, number};
use crate::{Error, Output, Status, terminal};

/// Arguments of `binade compare`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The reference: a .npy or .safetensors file, or a folder of .safetensors files
    a: PathBuf,
    /// The file or folder that is measured against it
    b: PathBuf,
    /// The format of codes in A, if the file does not name it
    #[arg(long, value_name = "FORMAT")]
    format_a: Option<Spec>,
    /// The format of codes in B, if the file does not name it
    #[arg(long, value_name = "FORMAT")]
    format_b: Option<Spec>,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Exit with 1 unless every tensor is in both files and every element is equal
    #[arg(long)]
    expect_equal: bool,
    /// Exit with 1 unless every tensor of A is in B, without new NaNs, at this signal-to-noise ratio or better
    #[arg(long, value_name = "DB", allow_negative_numbers = true)]
    min_sqnr: Option<f64>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let options = Options {
            format_a: self.format_a.clone(),
            format_b: self.format_b.clone(),
            threads: self.threads.map(usize::from),
            histograms: false,
        };
        let bar = Bar::new()?;
        let comparison = run(&self.a, &self.b, &options, &bar)?;
        drop(bar);
        if self.json {
            crate::json::to_writer_pretty(&mut *out, &comparison)?;
            writeln!(out)?;
        } else {
            table(out, &comparison)?;
        }
        let failures = self.failures(&comparison);
        for failure in &failures {
            terminal::report("failed", &printable(failure));
        }
        Ok(if failures.is_empty() { Status::Done } else { Status::CheckFailed })
    }

    /// The requirements of --expect-equal and --min-sqnr that are not met.
    fn failures(&self, comparison: &Comparison) -> Vec<String> {
        let mut failures = vec![];
        let missing = |names: &[String], file: &str| {
            names.iter().map(|name| format!("{name} is not in {file}")).collect::<Vec<_>>()
        };
        if self.expect_equal || self.min_sqnr.is_some() {
            failures.extend(missing(&comparison.only_in_a, "B"));
            let not_compared = comparison.not_compared.iter();
            failures.extend(not_compared.map(|tensor| format!("{}: {}", shown(&tensor.name), tensor.reason)));
        }
        if self.expect_equal {
            failures.extend(missing(&comparison.only_in_b, "A"));
            let different = comparison.tensors.iter().filter(|row| !row.equal);
            failures.extend(different.map(|row| {
                format!("{}: {} of {} elements are different", shown(&row.name), row.different, row.elements)
            }));
        }
        if let Some(least) = self.min_sqnr {
            // A ratio that cannot be compared fails.
            let worse = comparison
                .tensors
                .iter()
                .filter(|row| row.nan > 0 || row.sqnr_db.partial_cmp(&least).is_none_or(Ordering::is_lt));
            failures.extend(worse.map(|row| {
                let (name, sqnr) = (shown(&row.name), decibels(row.sqnr_db));
                format!("{name}: {sqnr} dB and {} new NaNs, expected at least {least} dB and none", row.nan)
            }));
        }
        failures
    }
}

/// The name of a tensor. The array of an .npy file has none.
fn shown(name: &str) -> &str {
    if name.is_empty() { "(array)" } else { name }
}

fn table(out: &mut Output, comparison: &Comparison) -> Result<(), Error> {
    const HEAD: [&str; 10] = [
        "tensor",
        "elements",
        "max abs",
        "max rel",
        "MSE",
        "SQNR dB",
        "cosine",
        "overflow",
        "underflow",
        "NaN",
    ];
    let mut lines = vec![HEAD.map(str::to_owned)];
    for row in &comparison.tensors {
        lines.push([
            printable(shown(&row.name)),
            row.elements.to_string(),
            number(row.max_abs),
            number(row.max_relative),
            number(row.mean_square),
            decibels(row.sqnr_db),
            format!("{:.6}", row.cosine),
            row.overflow.to_string(),
            row.underflow.to_string(),
            row.nan.to_string(),
        ]);
    }
    text_table::write(out, &lines, &[1, 2, 3, 4, 5, 6, 7, 8, 9])?;
    for (file, names) in [("A", &comparison.only_in_a), ("B", &comparison.only_in_b)] {
        for name in names {
            writeln!(out, "only in {file}: {}", printable(name))?;
        }
    }
    for tensor in &comparison.not_compared {
        writeln!(out, "not compared: {}: {}", printable(shown(&tensor.name)), printable(&tensor.reason))?;
    }
    Ok(())
}
