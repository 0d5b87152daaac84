//! The report as a page.

use binade_page::Page;

use super::Report;
use crate::compare::Comparison;
use crate::page::{Line, Losses};
use crate::select::Selection;

/// A page that says what became of each weight, with the losses of a comparison of input and output (with histograms), and
/// what was chosen among, where something was.
pub fn page(report: &Report, comparison: &Comparison, selection: Option<&Selection>) -> Page {
    let title = report.title();
    let mut about = format!(
        "{} weights in {} file{}, {} bytes of tensors.",
        report.weights.len(),
        report.files,
        if report.files == 1 { "" } else { "s" },
        report.bytes
    );
    for note in &report.notes {
        about += &format!(" Note: {note}.");
    }
    let whole = report.layout.or(report.dtype.as_deref()).unwrap_or("");
    let tensors = report.weights.iter().map(|weight| Line {
        name: &weight.name,
        shape: &weight.shape,
        how: weight.choice.clone().unwrap_or_else(|| whole.to_owned()),
        bytes: Some([weight.bytes_before, weight.bytes_after]),
    });
    Losses {
        title: &title,
        about: &about,
        tensors: tensors.collect(),
        comparison,
        copied: report.copied.iter().map(|copied| (&*copied.name, copied.reason)).collect(),
        selection,
    }
    .page()
}
