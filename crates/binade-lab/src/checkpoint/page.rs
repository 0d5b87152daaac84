//! The report as a page: one file, without scripts or anything from elsewhere.

use std::fmt::Write;

use super::Report;
use crate::compare::{Comparison, Row};
use crate::svg::escaped;

const STYLE: &str = "body{font:14px/1.4 system-ui,sans-serif;margin:2rem;max-width:75rem}table{border-collapse:collapse}\
th,td{padding:.15rem .6rem;text-align:right;border-bottom:1px solid #8884}th:first-child,td:first-child{text-align:left}\
td:first-child{font-family:ui-monospace,monospace}.bar{display:inline-block;height:.7em;background:#4a7}";

/// A page that says what became of each weight, with the losses of a comparison of input and output.
pub fn page(report: &Report, comparison: &Comparison) -> String {
    let mut text = String::new();
    let title = match (report.layout, report.rule, &report.dtype) {
        (Some(layout), Some(rule), _) => format!("{} to {layout}, scale rule {rule}", report.action),
        (_, _, Some(dtype)) => format!("{} to {dtype}", report.action),
        _ => report.action.to_owned(),
    };
    let title = escaped(&title);
    // Writing to a String does not fail.
    let _ = write!(
        text,
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style>\n\
         <h1>{title}</h1>\n<p>{} weights in {} files, {} bytes of tensors.</p>\n",
        report.weights.len(),
        report.files,
        report.bytes
    );
    text.push_str(
        "<table><thead><tr><th>weight<th>shape<th>bytes before<th>after<th>bits an element<th>SQNR dB<th><th>max abs \
         error<th>cosine<th>overflow<th>underflow</tr></thead><tbody>\n",
    );
    let widest =
        comparison.tensors.iter().map(|row| row.sqnr_db).filter(|x| x.is_finite()).fold(1.0, f64::max);
    for weight in &report.weights {
        let elements: u64 = weight.shape.iter().product();
        let bits = weight.bytes_after as f64 * 8.0 / elements.max(1) as f64;
        let row = comparison.tensors.iter().find(|row| row.name == weight.name);
        let _ = writeln!(
            text,
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{bits:.2}{}</tr>",
            escaped(&weight.name),
            weight.shape.iter().map(u64::to_string).collect::<Vec<_>>().join(" × "),
            weight.bytes_before,
            weight.bytes_after,
            row.map_or_else(String::new, |row| losses(row, widest)),
        );
    }
    text.push_str("</tbody></table>\n<h2>Copied</h2>\n<table><tbody>\n");
    for copied in &report.copied {
        let _ = writeln!(text, "<tr><td>{}<td>{}</tr>", escaped(&copied.name), escaped(copied.reason));
    }
    text.push_str("</tbody></table>\n</html>\n");
    text
}

/// The cells of a weight's losses; bars are as long as its signal-to-noise ratio.
fn losses(row: &Row, widest: f64) -> String {
    let length = if row.sqnr_db.is_finite() { (row.sqnr_db / widest).clamp(0.0, 1.0) } else { 1.0 };
    format!(
        "<td>{:.2}<td style=\"text-align:left\"><span class=\"bar\" style=\"width:{:.0}px\"></span><td>{:.3e}<td>{:.6}<td>{}<td>{}",
        row.sqnr_db,
        length * 120.0,
        row.max_abs,
        row.cosine,
        row.overflow,
        row.underflow
    )
}
