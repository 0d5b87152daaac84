//! The report as a page.

use binade_page::Page;

use super::Report;
use crate::compare::Comparison;
use crate::page::{Line, Losses};
use crate::select::Selection;

/// A page that says what became of each tensor, with the losses of a comparison of input and output (with histograms), and
/// what was chosen among, where something was.
pub fn page(report: &Report, comparison: &Comparison, selection: Option<&Selection>) -> Page {
    let title = format!("quantize to {}", report.format);
    let about = format!(
        "{} tensors of {} elements, rounding {}, saturation {}, scale {}{}.",
        report.tensors.len(),
        report.total.elements,
        report.rounding,
        report.saturation,
        report.scale,
        if report.simulate { ", simulated" } else { "" }
    );
    let tensors = report.tensors.iter().map(|tensor| Line {
        name: &tensor.name,
        shape: &tensor.shape,
        how: match &*tensor.scale {
            "none" => tensor.target.clone(),
            scale => format!("{} / {scale}", tensor.target),
        },
        bytes: None,
    });
    Losses {
        title: &title,
        about: &about,
        tensors: tensors.collect(),
        comparison,
        copied: report.copied.iter().map(|copied| (&*copied.name, &*copied.reason)).collect(),
        selection,
    }
    .page()
}
