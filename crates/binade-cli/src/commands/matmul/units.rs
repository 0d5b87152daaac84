//! `binade matmul --units`: the same product on several matrix units, beside the exact one.

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use binade_lab::matmul::{Array, Operand};
use binade_lab::units::{Comparison, Operators, UnitsError, compare, relative, slow, split_list, ulps};
use clap::Args;
use thiserror::Error;

use super::{Arguments, PRODUCT_ONLY};
use crate::error::{CommandError, printable};
use crate::progress::Bar;
use crate::report_file::ReportFile;
use crate::terminal::report;
use crate::{Error, Output, Status, text_table};

impl CommandError for UnitsError {}

/// Arguments of the comparison.
#[derive(Args, Debug)]
pub(crate) struct ComparisonArgs {
    /// Compare the product on several matrix units with the exact one, and with each other. An entry is UNIT, UNIT:FORMAT
    /// with options, as in h100:e4m3/promote=128, or an operator, as in bf16:f32
    #[arg(long, value_name = "U[,U…]", conflicts_with_all = PRODUCT_ONLY)]
    pub(super) units: Vec<String>,
    /// The input format of units that name none [default: one that all of them take: that of A and B, else bf16]
    #[arg(long, value_name = "FORMAT", requires = "units")]
    input: Option<String>,
    /// Multiply random matrices, approximately normal numbers, in place of A and B
    #[arg(long, value_name = "MxKxN", requires = "units", conflicts_with_all = ["a", "b", "format_a", "format_b"])]
    pub(super) size: Option<Size>,
    /// Print one JSON object
    #[arg(long, requires = "units")]
    json: bool,
    /// Write a page with the errors of each unit and a matrix of the pairs that differ
    #[arg(long, value_name = "FILE.html", requires = "units")]
    report: Option<PathBuf>,
}

/// Rows of A, the length of the summed axis, and columns of B.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    m: u64,
    k: u64,
    n: u64,
}

/// A size that cannot be parsed.
#[derive(Clone, Debug, Error)]
#[error("must be MxKxN, three numbers from 1 on, as in 256x4096x256")]
pub(super) struct SizeError;

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let sizes: Vec<u64> =
            text.split(['x', 'X', '×']).filter_map(|size| size.trim().parse().ok()).collect();
        match sizes[..] {
            [m, k, n] if m > 0 && k > 0 && n > 0 && text.split(['x', 'X', '×']).count() == 3 => {
                Ok(Size { m, k, n })
            }
            _ => Err(SizeError),
        }
    }
}

impl Arguments {
    /// Multiplies on each unit, and prints or writes the comparison.
    pub(super) fn compare_units(self, out: &mut Output) -> Result<Status, Error> {
        let ComparisonArgs { units, input, size, json, report: page } = &self.comparison;
        // A report that cannot be written is an error before the work.
        let file = page.as_deref().map(|path| ReportFile::create(path, self.force)).transpose()?;
        let texts: Vec<&str> = units.iter().flat_map(|list| split_list(list)).collect();
        let parse = |held| Operators::parse(&texts, input.as_deref(), held);
        // Wrong names are errors before files are read.
        parse([""; 2])?;
        let bar = Bar::new()?;
        let read = |path: &Option<PathBuf>, format| {
            let path = path.as_deref().unwrap_or_else(|| "".as_ref());
            Array::read(&Operand::new(path, format), &bar)
        };
        let [a, b] = match size {
            Some(Size { m, k, n }) => {
                let seed = self.seed;
                let a = Array::normal(vec![*m, *k], seed, 0)?;
                [a, Array::normal(vec![*k, *n], seed, m * k)?]
            }
            None => [read(&self.a, self.format_a)?, read(&self.b, self.format_b)?],
        };
        let add = self.add.as_deref().map(|path| Array::read(&Operand::new(path, None), &bar)).transpose()?;
        let operators = parse([a.format(), b.format()])?;
        for notice in slow(&operators)? {
            report("slow", &notice.to_string());
        }
        let threads = self.threads.map(usize::from);
        let comparison = compare([&a, &b], add.as_ref(), &operators, threads, &bar)?;
        drop(bar);
        if let Some(file) = file {
            file.write_page(comparison.page())?;
        }
        if *json {
            crate::json::to_writer_pretty(&mut *out, &comparison)?;
            writeln!(out)?;
        } else {
            tables(out, &comparison)?;
        }
        Ok(Status::Done)
    }
}

fn tables(out: &mut Output, comparison: &Comparison) -> Result<(), Error> {
    writeln!(
        out,
        "{:?}, sums of {} products, errors beside the exact product in ulps of it",
        comparison.shape, comparison.depth
    )?;
    if let Some(input) = &comparison.chosen_input {
        let others = match comparison.other_inputs.is_empty() {
            true => String::new(),
            false => format!(" (--input names another: {})", comparison.other_inputs.join(", ")),
        };
        writeln!(out, "units without a format read {input}, which all of them take{others}")?;
    }
    const HEAD: [&str; 10] = [
        "unit",
        "result",
        "differ",
        "largest",
        "mean",
        "99 % within",
        "relative error",
        "of rounding A, B",
        "Inf",
        "NaN",
    ];
    let mut lines = vec![HEAD.map(str::to_owned)];
    for row in &comparison.units {
        lines.push([
            printable(&row.unit),
            row.result.clone(),
            row.different.to_string(),
            ulps(row.max_ulps),
            ulps(row.mean_ulps),
            ulps(row.p99_ulps),
            relative(row.relative_error),
            relative(row.input_error),
            row.infinite.to_string(),
            row.nan.to_string(),
        ]);
    }
    writeln!(out)?;
    text_table::write(out, &lines, &[2, 3, 4, 5, 6, 7, 8, 9])?;
    if !comparison.pairs.is_empty() {
        let mut lines = vec![["unit", "and", "differ", "largest", "relative difference"].map(str::to_owned)];
        for pair in &comparison.pairs {
            lines.push([
                printable(&pair.a),
                printable(&pair.b),
                pair.different.to_string(),
                ulps(pair.max_ulps),
                relative(pair.relative_difference),
            ]);
        }
        writeln!(out)?;
        text_table::write(out, &lines, &[2, 3, 4])?;
    }
    writeln!(out, "\n{}", printable(&comparison.conclusion))?;
    for remark in comparison.remarks() {
        writeln!(out, "{}", printable(&remark))?;
    }
    Ok(())
}
