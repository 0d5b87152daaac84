//! What tensors lost, as a page: one file, without scripts or anything from elsewhere.

use std::fmt::Write;

use crate::compare::{Comparison, Row};
use crate::histogram::Histogram;
use crate::select::Selection;
use crate::svg::escaped;

const STYLE: &str = "body{font:14px/1.4 system-ui,sans-serif;margin:2rem;max-width:90rem}table{border-collapse:collapse}\
th,td{padding:.15rem .6rem;text-align:right;border-bottom:1px solid #8884}th:first-child,td:first-child{text-align:left}\
td:first-child{font-family:ui-monospace,monospace}th{position:sticky;top:0;background:Canvas}\
.key span{display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 1em}\
.over{fill:#d55e00;background:#d55e00}.normal{fill:#0072b2;background:#0072b2}.sub{fill:#56b4e9;background:#56b4e9}\
.under{fill:#999;background:#999}";

/// A page.
pub(crate) struct Page<'a> {
    pub(crate) title: &'a str,
    /// A sentence.
    pub(crate) about: &'a str,
    pub(crate) tensors: Vec<Line<'a>>,
    pub(crate) comparison: &'a Comparison,
    /// Names and reasons.
    pub(crate) copied: Vec<(&'a str, &'a str)>,
    pub(crate) selection: Option<&'a Selection>,
}

/// A tensor that was rounded.
pub(crate) struct Line<'a> {
    pub(crate) name: &'a str,
    pub(crate) shape: &'a [u64],
    /// The format or layout, and the scales.
    pub(crate) how: String,
    /// Before and after, where they are known.
    pub(crate) bytes: Option<[u64; 2]>,
}

impl Page<'_> {
    pub(crate) fn html(&self) -> String {
        let mut text = String::new();
        let (title, about) = (escaped(self.title), escaped(self.about));
        // Writing to a String does not fail.
        let _ = write!(
            text,
            "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title><style>{STYLE}</style>\n\
             <h1>{title}</h1>\n<p>{about}</p>\n"
        );
        if let Some(selection) = self.selection {
            choice(&mut text, selection);
        }
        self.table(&mut text);
        if !self.copied.is_empty() {
            text.push_str("<h2>Copied</h2>\n<table><tbody>\n");
            for (name, reason) in &self.copied {
                let _ = writeln!(text, "<tr><td>{}<td>{}</tr>", escaped(shown(name)), escaped(reason));
            }
            text.push_str("</tbody></table>\n");
        }
        text.push_str("</html>\n");
        text
    }

    /// The tensors, those that lost most first.
    fn table(&self, text: &mut String) {
        let sized = self.tensors.iter().any(|line| line.bytes.is_some());
        text.push_str(
            "<p class=\"key\">Worst first. The bars count elements by binade, each divided by its scale, as its code sees \
             it:<span class=\"over\"></span>beyond the format's largest value<span class=\"normal\"></span>normal<span \
             class=\"sub\"></span>subnormal<span class=\"under\"></span>below the smallest positive value.</p>\n\
             <table><thead><tr><th>tensor<th>shape",
        );
        if sized {
            text.push_str("<th>bytes before<th>after<th>bits an element");
        }
        text.push_str(
            "<th>became<th>SQNR dB<th>elements by binade<th>mean square error<th>max abs error<th>cosine<th>overflow\
             <th>underflow</tr></thead><tbody>\n",
        );
        let row = |name: &str| self.comparison.row(name);
        let mut lines: Vec<(&Line<'_>, Option<&Row>)> =
            self.tensors.iter().map(|line| (line, row(line.name))).collect();
        let sqnr = |row: &Option<&Row>| row.map_or(f64::INFINITY, |row| row.sqnr_db);
        lines.sort_by(|(_, a), (_, b)| sqnr(a).total_cmp(&sqnr(b)));
        let span = span(lines.iter().filter_map(|(_, row)| row.as_ref()?.histogram.as_ref()));
        for (line, row) in lines {
            let shape = line.shape.iter().map(u64::to_string).collect::<Vec<_>>().join(" × ");
            let _ = write!(text, "<tr><td>{}<td>{shape}", escaped(shown(line.name)));
            if let Some([before, after]) = line.bytes {
                let elements: u64 = line.shape.iter().product();
                let _ = write!(
                    text,
                    "<td>{before}<td>{after}<td>{:.2}",
                    after as f64 * 8.0 / elements.max(1) as f64
                );
            } else if sized {
                text.push_str("<td><td><td>");
            }
            let _ = write!(text, "<td>{}", escaped(&line.how));
            if let Some(row) = row {
                let _ = write!(text, "<td>{:.2}<td>", row.sqnr_db);
                if let Some(histogram) = &row.histogram {
                    bars(text, histogram, span);
                }
                let _ = write!(
                    text,
                    "<td>{:.3e}<td>{:.3e}<td>{:.6}<td>{}<td>{}",
                    row.mean_square, row.max_abs, row.cosine, row.overflow, row.underflow
                );
            }
            text.push_str("</tr>\n");
        }
        text.push_str("</tbody></table>\n");
    }
}

fn shown(name: &str) -> &str {
    if name.is_empty() { "(array)" } else { name }
}

/// What was chosen among, and the plot of it.
fn choice(text: &mut String, selection: &Selection) {
    text.push_str(&selection.plot());
    text.push_str(
        "<table><thead><tr><th>candidate<th>tensors<th>of the elements<th>bits, if all were<th>error then</tr></thead><tbody>\n",
    );
    let optional = |x: Option<f64>, digits: usize| x.map_or(String::new(), |x| format!("{x:.digits$}"));
    for candidate in &selection.candidates {
        let _ = writeln!(
            text,
            "<tr><td>{}<td>{}<td>{:.1} %<td>{}<td>{}</tr>",
            escaped(&candidate.name),
            candidate.tensors,
            100.0 * candidate.share,
            optional(candidate.bits, 4),
            candidate.error.map_or(String::new(), |error| format!("{error:.3e}")),
        );
    }
    let within = selection.budget.map_or(String::new(), |budget| {
        let raised = selection
            .raised
            .as_ref()
            .map_or(String::new(), |raised| format!(" ({})", escaped(&raised.to_string())));
        format!(
            "; nothing within the budget of {budget} bits{raised} has an error below {:.3e}",
            selection.bound
        )
    });
    let (bits, error) = (selection.bits, selection.error);
    let _ = writeln!(text, "</tbody></table>\n<p>{bits:.4} bits an element, error {error:.3e}{within}.</p>");
}

/// The binades that all histograms and the ranges of their formats lie in.
fn span<'a>(histograms: impl Iterator<Item = &'a Histogram>) -> (i32, i32) {
    /// So many binades below the largest are shown; what is below is in the first.
    const SHOWN: i32 = 48;
    let ends = |histogram: &Histogram| {
        let last = histogram.first + histogram.counts.len() as i32 - 1;
        let range = histogram.range.unwrap_or([histogram.first, histogram.first, last]);
        (histogram.first.min(range[0]), last.max(range[2]))
    };
    let all = histograms.map(ends).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
    let (first, last) = all.unwrap_or((0, 0));
    (first.max(last - SHOWN), last)
}

/// A bar for each binade; the highest is as high as the picture.
fn bars(text: &mut String, histogram: &Histogram, (first, last): (i32, i32)) {
    const HEIGHT: f64 = 32.0;
    const WIDTH: i32 = 5;
    let mut counts = vec![0; (last - first + 1) as usize];
    for (at, count) in histogram.counts.iter().enumerate() {
        let binade = (histogram.first + at as i32).clamp(first, last);
        counts[(binade - first) as usize] += count;
    }
    let most = counts.iter().copied().max().unwrap_or(0).max(1) as f64;
    let width = WIDTH * counts.len() as i32;
    let _ = write!(text, "<svg width=\"{width}\" height=\"{}\" role=\"img\">", HEIGHT + 4.0);
    for (at, &count) in counts.iter().enumerate() {
        let binade = first + at as i32;
        let class = match histogram.range {
            Some([_, _, largest]) if binade > largest => "over",
            Some([smallest, ..]) if binade < smallest => "under",
            Some([_, normal, _]) if binade < normal => "sub",
            _ => "normal",
        };
        let height = if count == 0 { 0.0 } else { (count as f64 / most * HEIGHT).max(0.7) };
        let x = at as i32 * WIDTH;
        if count > 0 {
            let _ = write!(
                text,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{:.1}\" width=\"{}\" height=\"{height:.1}\"><title>2^{binade}: {count}</title></rect>",
                HEIGHT - height,
                WIDTH - 1
            );
        }
        // The axis shows the range of the format, filled or not.
        let _ = write!(
            text,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{}\" width=\"{WIDTH}\" height=\"2\"/>",
            HEIGHT + 1.0
        );
    }
    text.push_str("</svg>");
}
