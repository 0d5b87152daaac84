//! Options of `auto`, with which `binade quantize` chooses formats, layouts and scale rules itself.

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use binade::block::ScaleRule;
use binade_lab::Error as LabError;
use binade_lab::checkpoint::{self, CheckpointLayout};
use binade_lab::quantize;
use binade_lab::select::{Budget, ErrorMeasure, Selection};
use clap::Args;

use crate::error::{CommandError, printable};
use crate::report_file::{ReportFile, ReportFileError};
use crate::text_table::{self, number};
use crate::{Error, Output};

/// Options of `auto` without it.
#[derive(Debug, thiserror::Error)]
#[error("{option} without auto: it needs --format auto, --layout auto or --scale-rule auto")]
pub(crate) struct ChoiceError {
    option: &'static str,
}

impl CommandError for ChoiceError {}

/// A name, or `auto`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AutoOr<T> {
    Auto,
    Named(T),
}

/// A text that is neither a name nor `auto`. `auto` is added to a list of names, not to a question.
#[derive(Debug, thiserror::Error)]
#[error("{name}{}", if .name.to_string().ends_with('?') { "" } else { ", or auto" })]
pub(crate) struct AutoOrError<E> {
    name: E,
}

impl<T: FromStr> FromStr for AutoOr<T> {
    type Err = AutoOrError<T::Err>;

    fn from_str(text: &str) -> Result<AutoOr<T>, AutoOrError<T::Err>> {
        match text.eq_ignore_ascii_case("auto") {
            true => Ok(AutoOr::Auto),
            false => text.parse().map(AutoOr::Named).map_err(|name| AutoOrError { name }),
        }
    }
}

/// Options for the choice.
#[derive(Args, Debug)]
pub(crate) struct ChoiceArgs {
    /// With auto, a candidate; may be repeated. For --format, this is FORMAT, FORMAT/SCALE or a block format; for --layout, a
    /// layout. keep leaves a tensor as it is [default: MXFP4, NVFP4, MXFP6 and MXFP8, or the layouts of compressed-tensors; with
    /// a budget also keep]
    #[arg(long, value_name = "NAME")]
    candidate: Vec<String>,
    /// With auto, limit the average bits of an element, scales included, such as 4.25bits. The total error is minimised within
    /// this budget. It is raised for the scales of tensors and rows if a candidate's elements and block scales fit it exactly
    #[arg(long, value_name = "SIZE")]
    budget: Option<Budget>,
    /// With auto, the error to minimise: mse (squared errors) or relative (squared errors over the tensor's own
    /// squares) [default: mse]
    #[arg(long, value_name = "MEASURE")]
    measure: Option<ErrorMeasure>,
    /// With auto, plot the error against the size, as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
}

impl ChoiceArgs {
    /// Refuses options that need auto.
    pub(crate) fn refuse_unused(&self) -> Result<(), ChoiceError> {
        let given = [
            (!self.candidate.is_empty(), "--candidate"),
            (self.budget.is_some(), "--budget"),
            (self.measure.is_some(), "--measure"),
            (self.plot.is_some(), "--plot"),
        ];
        match given.iter().find(|(given, _)| *given) {
            Some((_, option)) => Err(ChoiceError { option }),
            None => Ok(()),
        }
    }

    /// The file of the plot, created before any work.
    pub(crate) fn plot_file(&self, force: bool) -> Result<Option<ReportFile<'_>>, ReportFileError> {
        self.plot.as_deref().map(|path| ReportFile::create(path, force)).transpose()
    }

    pub(crate) fn formats(&self) -> Result<quantize::Auto, Error> {
        let (measure, budget) = (self.measure.unwrap_or_default(), self.budget);
        if self.candidate.is_empty() {
            return Ok(quantize::Auto::custom(measure, budget)?);
        }
        let candidates =
            self.candidate.iter().map(|text| text.parse()).collect::<Result<Vec<_>, LabError>>()?;
        Ok(quantize::Auto { candidates, measure, budget })
    }

    pub(crate) fn layouts(
        &self,
        layout: AutoOr<CheckpointLayout>,
        rule: Option<AutoOr<ScaleRule>>,
    ) -> Result<checkpoint::Auto, Error> {
        let mut layouts: Vec<CheckpointLayout> = match layout {
            AutoOr::Named(layout) => vec![layout],
            AutoOr::Auto => vec![],
        };
        let mut keep = self.budget.is_some() && self.candidate.is_empty();
        for name in &self.candidate {
            match name.eq_ignore_ascii_case("keep") {
                true => keep = true,
                false if layout != AutoOr::Auto => {
                    return Err(ChoiceError { option: "--candidate LAYOUT" }.into());
                }
                false => layouts.push(name.parse().map_err(LabError::Checkpoint)?),
            }
        }
        let rules = match rule {
            None => None,
            Some(AutoOr::Auto) => Some(ScaleRule::ALL.to_vec()),
            Some(AutoOr::Named(rule)) => Some(vec![rule]),
        };
        let (measure, budget) = (self.measure.unwrap_or_default(), self.budget);
        Ok(checkpoint::Auto::new(&layouts, rules.as_deref(), keep, measure, budget)?)
    }
}

/// Prints the candidates, and how often each was chosen.
pub(crate) fn summary(out: &mut Output, selection: &Selection) -> Result<(), Error> {
    const HEAD: [&str; 5] =
        ["candidate", "tensors", "elements %", "bits if used everywhere", "error if used everywhere"];
    let mut lines = vec![HEAD.map(str::to_owned)];
    for candidate in &selection.candidates {
        lines.push([
            printable(&candidate.name),
            candidate.tensors.to_string(),
            format!("{:.1}", 100.0 * candidate.share),
            candidate.bits.map_or("-".to_owned(), |bits| format!("{bits:.4}")),
            candidate.error.map_or("-".to_owned(), number),
        ]);
    }
    text_table::write(out, &lines, &[1, 2, 3, 4])?;
    let within = selection.budget.map_or(String::new(), |budget| {
        let budget =
            selection.raised.as_ref().map_or(budget.to_string(), |raised| format!("{:.4}", raised.bits));
        format!("; nothing within {budget} bits has less than {}", number(selection.bound))
    });
    let (bits, measure, error) = (selection.bits, selection.measure, number(selection.error));
    writeln!(out, "{bits:.4} bits an element, {measure} error {error}{within}")?;
    if let (Some(budget), Some(raised)) = (selection.budget, &selection.raised) {
        writeln!(out, "note: the budget of {budget} bits was {}", printable(&raised.to_string()))?;
    }
    Ok(())
}
