//! The report as a page.

use super::Report;
use crate::compare::Comparison;
use crate::page::{Line, Page};
use crate::select::Selection;

/// A page that says what became of each weight, with the losses of a comparison of input and output (with histograms), and
/// what was chosen among, where something was.
pub fn page(report: &Report, comparison: &Comparison, selection: Option<&Selection>) -> String {
    let title = report.title();
    let mut about = format!(
        "{} weights in {} files, {} bytes of tensors.",
        report.weights.len(),
        report.files,
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
    Page {
        title: &title,
        about: &about,
        tensors: tensors.collect(),
        comparison,
        copied: report.copied.iter().map(|copied| (&*copied.name, copied.reason)).collect(),
        selection,
    }
    .html()
}
