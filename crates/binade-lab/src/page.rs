//! Pages of what `quantize` and `convert` did to tensors: sizes, losses, and elements by binade, those that lost most first.

use binade_page::{Column, Drawing, Markup, Page, Table, Theme};

use crate::compare::{Comparison, Row};
use crate::histogram::Histogram;
use crate::select::Selection;

/// Colours of elements by their place in the range of the format.
const OVER: &str = "#d55e00";
const NORMAL: &str = "#0072b2";
const SUBNORMAL: &str = "#56b4e9";
const UNDER: &str = "#999999";

/// The contents of a page.
pub(crate) struct Losses<'a> {
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

impl Losses<'_> {
    pub(crate) fn page(&self) -> Page {
        let mut page = Page::new(self.title);
        page.paragraph(self.about);
        if let Some(selection) = self.selection {
            choice(&mut page, selection);
        }
        self.tensors(&mut page);
        if !self.copied.is_empty() {
            page.section("Copied");
            let mut table = Table::new([Column::name("tensor"), Column::text("reason")]);
            for (name, reason) in &self.copied {
                table.row([shown(name).into(), (*reason).into()]);
            }
            page.table(table);
        }
        page
    }

    /// The tensors, those that lost most first.
    fn tensors(&self, page: &mut Page) {
        let row = |name: &str| self.comparison.row(name);
        let mut lines: Vec<(&Line<'_>, Option<&Row>)> =
            self.tensors.iter().map(|line| (line, row(line.name))).collect();
        let sqnr = |row: &Option<&Row>| row.map_or(f64::INFINITY, |row| row.sqnr_db);
        lines.sort_by(|(_, a), (_, b)| sqnr(a).total_cmp(&sqnr(b)));
        let span = span(lines.iter().filter_map(|(_, row)| row.as_ref()?.histogram.as_ref()));

        page.section("Tensors");
        page.note("Worst first. The bars count elements by binade, each element divided by its scale.");
        page.note(Markup::from_iter([
            Markup::swatch(OVER, "beyond the largest value"),
            Markup::swatch(NORMAL, "normal"),
            Markup::swatch(SUBNORMAL, "subnormal"),
            Markup::swatch(UNDER, "below the smallest positive value"),
        ]));
        let sized = self.tensors.iter().any(|line| line.bytes.is_some());
        let mut columns = vec![Column::name("tensor"), Column::text("shape")];
        if sized {
            columns.extend(["bytes before", "bytes after", "bits an element"].map(Column::number));
        }
        columns.extend([Column::name("became"), Column::number("SQNR (dB)")]);
        columns.push(Column::picture(format!("elements by binade, 2^{} to 2^{}", span.0, span.1)));
        columns.extend(
            ["mean square error", "max abs error", "cosine", "overflow", "underflow"].map(Column::number),
        );
        let mut table = Table::new(columns);
        for (line, row) in lines {
            let shape = line.shape.iter().map(u64::to_string).collect::<Vec<_>>().join(" × ");
            let mut cells: Vec<Markup> = vec![shown(line.name).into(), shape.into()];
            if let Some([before, after]) = line.bytes {
                let elements: u64 = line.shape.iter().product();
                let bits = after as f64 * 8.0 / elements.max(1) as f64;
                cells.extend([before.to_string(), after.to_string(), format!("{bits:.2}")].map(Markup::from));
            } else if sized {
                cells.extend(["", "", ""].map(Markup::from));
            }
            cells.push(line.how.clone().into());
            if let Some(row) = row {
                cells.push(format!("{:.2}", row.sqnr_db).into());
                cells.push(
                    row.histogram.as_ref().map_or(Markup::default(), |histogram| bars(histogram, span)),
                );
                let errors = [format!("{:.3e}", row.mean_square), format!("{:.3e}", row.max_abs)];
                cells.extend(errors.map(Markup::from));
                let counts =
                    [format!("{:.6}", row.cosine), row.overflow.to_string(), row.underflow.to_string()];
                cells.extend(counts.map(Markup::from));
            }
            table.row(cells);
        }
        page.table(table);
    }
}

fn shown(name: &str) -> &str {
    if name.is_empty() { "(array)" } else { name }
}

/// The plot and the table of candidates among which the formats were chosen.
fn choice(page: &mut Page, selection: &Selection) {
    page.figure(selection.plot(Theme::Page));
    let columns =
        ["tensors", "share of elements", "bits if used everywhere", "error then"].map(Column::number);
    let mut table = Table::new([Column::name("candidate")].into_iter().chain(columns));
    for candidate in &selection.candidates {
        table.row([
            (&*candidate.name).into(),
            candidate.tensors.to_string().into(),
            format!("{:.1} %", 100.0 * candidate.share).into(),
            candidate.bits.map_or(Markup::default(), |bits| format!("{bits:.4}").into()),
            candidate.error.map_or(Markup::default(), |error| format!("{error:.3e}").into()),
        ]);
    }
    page.table(table);
    let within = selection.budget.map_or(String::new(), |budget| {
        let raised = selection.raised.as_ref().map_or(String::new(), |raised| format!(" ({raised})"));
        format!(
            "; nothing within the budget of {budget} bits{raised} has an error below {:.3e}",
            selection.bound
        )
    });
    let (bits, error) = (selection.bits, selection.error);
    page.paragraph(format!("{bits:.4} bits an element, error {error:.3e}{within}."));
}

/// The binades of all histograms and of the ranges of their formats.
fn span<'a>(histograms: impl Iterator<Item = &'a Histogram>) -> (i32, i32) {
    /// Number of binades below the largest that are shown; elements below them are in the first.
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

/// A bar for each binade, above the range of the format.
fn bars(histogram: &Histogram, (first, last): (i32, i32)) -> Markup {
    const HEIGHT: f64 = 32.0;
    const WIDTH: f64 = 160.0;
    let mut counts: Vec<(i32, u64)> = (first..=last).map(|binade| (binade, 0)).collect();
    for (at, count) in histogram.counts.iter().enumerate() {
        let binade = (histogram.first + at as i32).clamp(first, last);
        counts[(binade - first) as usize].1 += count;
    }
    let colour = |binade| match histogram.range {
        Some([_, _, largest]) if binade > largest => OVER,
        Some([smallest, ..]) if binade < smallest => UNDER,
        Some([_, normal, _]) if binade < normal => SUBNORMAL,
        _ => NORMAL,
    };
    let step = WIDTH / f64::from(last - first + 1);
    let x = |binade: i32| f64::from(binade - first) * step;
    let mut drawing = Drawing::picture(WIDTH, HEIGHT + 4.0, "elements by binade");
    drawing.histogram(&counts, (HEIGHT, HEIGHT), x, colour);
    // The axis shows the range of the format, filled or not.
    for binade in first..=last {
        drawing.rectangle((x(binade), HEIGHT + 1.0), (step, 2.0), colour(binade), &format!("2^{binade}"));
    }
    drawing.into()
}
