//! `binade study`: reproduces the figures of the BF16 paper, for any formats and operators.

#[cfg(feature = "train")]
mod performance;

use std::io::Write;
use std::path::{Path, PathBuf};

use binade::{Operator, OperatorError, Spec};
use binade_lab::study::{cost, representation};
use clap::{ArgGroup, Args, Subcommand};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::error::CommandError;
use crate::report_file::{ReportFile, ReportFileError};
use crate::text_table::{self, number};
use crate::{Error, Output, Status, examples};

const REPRESENTATION: &str = "\
Measure the relative error |x − F(x)| / |x| of formats over every binary32 x with one exponent

x runs through all 2^23 mantissas; F rounds it to nearest even. The defaults are those of Figure 2 of \"A BF16 FMA is all you \
need for DNN training\": BF16x1 has an error below 1e-4 in 322124 samples, BF16x2 an error below 1e-6 in 3518768, and BF16x3 is \
exact. bf16xN is the sum of N parts, each the bfloat16 nearest to the remainder of x. The first table has mean, \
quantiles and largest error. In the second, `<B` counts the samples whose error is below B, exact ones included.

--json: {\"exponent\", \"samples\", \"rounding\", \"formats\": [{\"format\", \"exact\", \"overflow\", \"mean\", \"max\", \
\"quantiles\": [{\"share\", \"error\"}…], \"decades\": [{\"from\", \"to\", \"samples\", \"below\"}…]}…]}. `decades` count \
the errors in [from, to) and, as `below`, all below `to`; `overflow` counts samples that become infinite or NaN. Their \
error is infinite, null in JSON.";

const COST: &str = "\
Compare the cost of operators, and their speed at equal area

The area of an FMA is P², for a multiplier of P bits of precision, times the number of its products. This follows Table 1 of \
\"A BF16 FMA is all you need for DNN training\". The area of binary32 is 24² = 576; the speed-up is 576 divided by the area. The \
defaults are the operators of that table, which rounds the speed-up 2.25 to 2.3. It gives {3} and {6}, without the smallest \
products, 15 to 16 and 23 to 24 multiplier bits; here they are 16 and 24. Operators are written INPUTS:ACCUMULATOR, as in \
bf16:f32, bf16x2:bf16x2/3 (or the paper's FMAbf16_2_2{3}), float8_e4m3fn:f32.

--mix adds the speed-up of a whole program, by Amdahl's law: 1 / (1 − s + s / speed-up) for a share s of FMAs among \
its instructions. It takes a file that `binade mix --output` wrote, or the share itself, 0.395 or 39.5%. In §7.4 of the paper, \
39.5 % of the instructions are FMAs, and become 2.80 times faster: `--mix 39.5% --fma-speed-up 2.8` gives its 1.34.

--json: {\"binary32_area\", \"operators\": [{\"operator\", \"paper\", \"multiplier_bits\", \"operand_bits\", \"products\", \
\"area\", \"speed_up\"}…]}; `paper` is the paper's name, or null. --mix adds \"fma_share\", and \"program_speed_up\" to each \
operator.";

/// Formats or a mix that a study cannot take.
#[derive(Debug, Error)]
pub(crate) enum StudyError {
    #[error(transparent)]
    Target(#[from] representation::TargetError),
    #[error(
        "--mix {}: {reason}: must be a file that `binade mix --output` wrote, or a share of multiply-adds, as in 0.395 or 39.5%",
        .path.display()
    )]
    Mix { path: PathBuf, reason: String },
    #[error(
        "--mix {given}: the share of multiply-adds must be a number from {least} to 1, as in 0.395 or 39.5%: got {share}"
    )]
    Share { given: String, least: f64, share: f64 },
}

impl CommandError for StudyError {}

/// Arguments of `binade study`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    study: Study,
}

#[derive(Subcommand, Debug)]
enum Study {
    /// Measure the relative error of formats over every binary32 of one exponent
    #[command(long_about = REPRESENTATION, after_help = examples::STUDY_REPRESENTATION)]
    Representation(Representation),
    /// Compare the cost of operators, and their speed at equal area
    #[command(long_about = COST, after_help = examples::STUDY_COST)]
    Cost(Costs),
    #[cfg(feature = "train")]
    /// Estimate the speed of a program under arithmetics, on a core with caches and memory
    #[command(long_about = performance::ABOUT, after_help = examples::STUDY_PERFORMANCE)]
    Performance(performance::Arguments),
}

#[derive(Args, Debug)]
struct Representation {
    /// Formats, and sums of bfloat16 parts: bf16x1, bf16x2, bf16x3
    #[arg(long = "format", value_name = "F[,F…]", default_value_t = representation::PAPER.join(","))]
    formats: String,
    /// The exponent E: 2^E ≤ x < 2^(E + 1)
    #[arg(long, value_name = "E", default_value_t = representation::PAPER_EXPONENT.into(),
        allow_negative_numbers = true, value_parser = exponent())]
    exponent: i64,
    #[command(flatten)]
    outputs: OutputArgs,
}

#[derive(Args, Debug)]
struct Costs {
    /// Operators, INPUTS:ACCUMULATOR
    #[arg(value_name = "OPERATOR", default_values = cost::PAPER, value_parser = of_single_numbers)]
    operators: Vec<Operator>,
    /// A program's mix, or its share of FMAs: adds the speed-up of the whole program
    #[arg(long, value_name = "FILE.json|SHARE", allow_negative_numbers = true)]
    mix: Option<String>,
    /// Speed-up of FMAs, in place of the one from the operator's area
    #[arg(long, value_name = "X", requires = "mix", value_parser = faster)]
    fma_speed_up: Option<f64>,
    #[command(flatten)]
    outputs: OutputArgs,
}

/// An operator of single multiply-adds: the paper's areas are not those of matrix units.
fn of_single_numbers(text: &str) -> Result<Operator, OperatorError> {
    text.parse::<Operator>()?.of_single_numbers()
}

/// The part of a file of `binade mix --output` that is read.
#[derive(Deserialize)]
struct Mix {
    fma: Share,
}

#[derive(Deserialize)]
struct Share {
    share: f64,
}

/// The share of FMAs that `--mix` gives: a number, a percentage, or a file of `binade mix`. It must be from `least` to 1.
fn fma_share(text: &str, least: f64) -> Result<f64, StudyError> {
    let (digits, unit) = text.strip_suffix('%').map_or((text, 1.0), |digits| (digits, 100.0));
    let path = Path::new(text);
    let share = match digits.trim().parse::<f64>().map(|number| number / unit) {
        // A file may have a number for its name.
        Ok(share) if (0.0..=1.0).contains(&share) || !path.is_file() => share,
        _ => {
            let bad = |reason: String| StudyError::Mix { path: path.into(), reason };
            let text = std::fs::read(path).map_err(|error| bad(error.to_string()))?;
            let mix: Mix = serde_json::from_slice(&text).map_err(|error| bad(error.to_string()))?;
            mix.fma.share
        }
    };
    match (least..=1.0).contains(&share) {
        true => Ok(share),
        false => Err(StudyError::Share { given: text.to_owned(), least, share }),
    }
}

fn faster(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(x) if x > 0.0 && f64::is_finite(x) => Ok(x),
        _ => Err("a positive number, such as 2.8".to_owned()),
    }
}

/// Options for the output of a study.
#[derive(Args, Debug)]
#[command(group = ArgGroup::new("files").multiple(true))]
struct OutputArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Plot the table as SVG
    #[arg(long, value_name = "FILE.svg", group = "files")]
    plot: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long, requires = "files")]
    force: bool,
}

fn exponent() -> clap::builder::RangedI64ValueParser {
    let (first, last) = representation::EXPONENTS.into_inner();
    clap::value_parser!(i64).range(i64::from(first)..=i64::from(last))
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        match self.study {
            Study::Representation(arguments) => arguments.run(out)?,
            Study::Cost(arguments) => arguments.run(out)?,
            #[cfg(feature = "train")]
            Study::Performance(arguments) => arguments.run(out)?,
        }
        Ok(Status::Done)
    }
}

impl OutputArgs {
    fn check(&self) -> Result<(), ReportFileError> {
        self.plot.iter().try_for_each(|path| ReportFile::refuse_existing(path, self.force))
    }

    /// Writes the plot, then the text or JSON.
    fn write<R: Serialize>(
        &self,
        out: &mut Output,
        report: &R,
        svg: impl Fn(&R) -> String,
        text: impl Fn(&mut Output, &R) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if let Some(path) = &self.plot {
            ReportFile::create(path, self.force)?.write(svg(report).as_bytes())?;
        }
        if self.json {
            crate::json::to_writer_pretty(&mut *out, report)?;
            writeln!(out)?;
            Ok(())
        } else {
            text(out, report)
        }
    }
}

impl Representation {
    fn run(self, out: &mut Output) -> Result<(), Error> {
        let targets = Spec::split_list(&self.formats)
            .into_iter()
            .map(str::parse)
            .collect::<Result<Vec<representation::Target>, _>>()
            .map_err(StudyError::from)?;
        self.outputs.check()?;
        // The argument parser checks the range.
        let report = representation::run(&targets, self.exponent as i32);
        self.outputs.write(out, &report, representation::Report::svg, errors)
    }
}

/// A table of error measures, and one of counts below the powers of ten.
fn errors(out: &mut Output, report: &representation::Report) -> Result<(), Error> {
    let share = |samples: usize| samples as f64 / report.samples as f64;
    let of = |name: &str| {
        let given = report.formats.first().into_iter().flat_map(|errors| &errors.quantiles);
        [name.to_owned(), "mean".to_owned()]
            .into_iter()
            .chain(given.map(|quantile| match quantile.share {
                0.5 => "median".to_owned(),
                share => format!("{}%", share * 100.0),
            }))
            .chain(["max".to_owned()])
            .collect::<Vec<_>>()
    };
    let mut lines = vec![of("format")];
    for errors in &report.formats {
        let measures =
            [errors.mean].into_iter().chain(errors.quantiles.iter().map(|quantile| quantile.error));
        let cells = measures.chain([errors.max]).map(number);
        lines.push([errors.format.clone()].into_iter().chain(cells).collect());
    }
    let columns: Vec<usize> = (1..lines[0].len()).collect();
    text_table::write(out, &lines, &columns)?;
    writeln!(out)?;

    // Decades up to the first that has all samples of every format.
    let full = |at: usize| {
        report.formats.iter().all(|errors| errors.decades[at].below == report.samples - errors.overflow)
    };
    let decades = report.formats.first().map_or(&[][..], |errors| &errors.decades);
    let shown = (0..decades.len()).find(|&at| full(at)).map_or(decades.len(), |at| at + 1);
    let overflow = report.formats.iter().any(|errors| errors.overflow > 0);
    let mut head = vec!["format".to_owned(), "exact".to_owned()];
    head.extend(decades[..shown].iter().map(|decade| match decade.to {
        1.0 => "<1".to_owned(),
        to => format!("<{to:e}"),
    }));
    head.extend(overflow.then(|| "overflow".to_owned()));
    let columns: Vec<usize> = (1..head.len()).collect();
    let mut lines = vec![head];
    for errors in &report.formats {
        let counts: Vec<usize> = [errors.exact]
            .into_iter()
            .chain(errors.decades[..shown].iter().map(|decade| decade.below))
            .chain(overflow.then_some(errors.overflow))
            .collect();
        let line = |name: &str, cell: &dyn Fn(usize) -> String| {
            [name.to_owned()].into_iter().chain(counts.iter().map(|count| cell(*count))).collect::<Vec<_>>()
        };
        lines.push(line(&errors.format, &|count| count.to_string()));
        lines.push(line("", &|count| format!("{:.2}%", 100.0 * share(count))));
    }
    text_table::write(out, &lines, &columns)?;
    Ok(())
}

impl Costs {
    fn run(self, out: &mut Output) -> Result<(), Error> {
        self.outputs.check()?;
        let share = self.mix.as_ref().map(|mix| fma_share(mix, 0.0)).transpose()?;
        let mut report = cost::run(&self.operators, share);
        if let (Some(share), Some(speed_up)) = (share, self.fma_speed_up) {
            for row in &mut report.operators {
                row.program_speed_up = Some(cost::amdahl(share, speed_up));
            }
        }
        self.outputs.write(out, &report, cost::Report::svg, costs)
    }
}

fn costs(out: &mut Output, report: &cost::Report) -> Result<(), Error> {
    const HEAD: [&str; 7] =
        ["operator", "in the paper", "multiplier bits", "operand bits", "products", "area", "speed-up"];
    let mut lines = vec![HEAD.map(str::to_owned).to_vec()];
    lines[0].extend(report.fma_share.map(|share| format!("program, {:.2}% FMA", 100.0 * share)));
    for row in &report.operators {
        let mut line = vec![
            row.operator.clone(),
            row.paper.clone().unwrap_or_else(|| "-".to_owned()),
            row.multiplier_bits.to_string(),
            row.operand_bits.to_string(),
            row.products.to_string(),
            row.area.to_string(),
            cost::speed_up_text(row.speed_up),
        ];
        line.extend(row.program_speed_up.map(|speed_up| format!("{speed_up:.3}")));
        lines.push(line);
    }
    text_table::write(out, &lines, &[2, 3, 4, 5, 6, 7])?;
    Ok(())
}
