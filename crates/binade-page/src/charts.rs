//! Whole plots: curves over a logarithmic axis, shares over a linear one, cumulative shares, matrices of shares, bars, and panels
//! of curves with ranges.

mod cumulative;
mod matrix;
mod roofline;

use std::cmp::Ordering;

use crate::drawing::{Axis, Drawing, Theme, path, rounded, superscript, tick_step};
use crate::markup::escaped;

pub use cumulative::{Cumulative, cumulative};
pub use matrix::{SharesOfPairs, shares_of_pairs};
pub use roofline::{Roofline, RooflinePoint, Series, roofline};

/// Colours of curves, all of which stay apart on white; beyond them curves are dashed.
const COLOURS: [&str; 6] = {
    let [a, b, c, d, e, f, ..] = crate::drawing::COLOURS;
    [a, b, c, d, e, f]
};
/// Dashes of the curves in each round of the colours.
const DASHES: [&str; 4] = ["none", "7 4", "2 3", "9 3 2 3"];

pub(crate) const WIDTH: f64 = 800.0;
/// The ends of an x axis with numbers on its left.
const LEFT: f64 = 84.0;
const RIGHT: f64 = 776.0;
/// The place of a y axis's name.
const NAME: f64 = 26.0;
/// Width of a wide character 13 pixels high.
const CHARACTER: f64 = 7.2;

/// Curves over equal steps of x, with a logarithmic y axis.
#[derive(Clone, Debug)]
pub struct Curves<'a> {
    /// The title of the plot.
    pub title: &'a str,
    /// A sentence below the title.
    pub subtitle: &'a str,
    /// The name of the x axis.
    pub x_axis: &'a str,
    /// x at the last point; it is 0 at the first.
    pub x_end: f64,
    /// The name of the y axis.
    pub y_axis: &'a str,
    /// Names and values, which are not negative. Zeros have a line below the decades; infinities are left out.
    pub curves: &'a [(&'a str, &'a [f64])],
}

/// Shares, from 0 to 1, over integers.
#[derive(Clone, Debug)]
pub struct Shares<'a> {
    /// The title of the plot.
    pub title: &'a str,
    /// A sentence below the title.
    pub subtitle: &'a str,
    /// The name of the x axis.
    pub x_axis: &'a str,
    /// The name of the y axis.
    pub y_axis: &'a str,
    /// First and last x.
    pub range: (i32, i32),
    /// True if y ends at 100 %, false if it ends at the largest share.
    pub whole: bool,
    /// Names and (x, share).
    pub curves: &'a [(String, Vec<(i32, f64)>)],
    /// Vertical lines with names.
    pub marks: &'a [(i32, &'a str)],
}

/// Horizontal bars from 0, with a line at `mark`.
#[derive(Clone, Debug)]
pub struct Bars<'a> {
    /// The title of the plot.
    pub title: &'a str,
    /// A sentence below the title.
    pub subtitle: &'a str,
    /// The name of the x axis.
    pub x_axis: &'a str,
    /// The x of the line.
    pub mark: f64,
    /// The bars, from above.
    pub bars: &'a [Bar<'a>],
}

/// One of [`Bars`].
#[derive(Clone, Debug)]
pub struct Bar<'a> {
    /// The name to its left.
    pub label: &'a str,
    /// Its length on the x axis.
    pub value: f64,
    /// The text at its end.
    pub note: String,
}

/// A curve of errors over sizes, with named points beside it; errors on a logarithmic axis.
#[derive(Clone, Debug)]
pub struct TradeOff<'a> {
    /// The title of the plot.
    pub title: &'a str,
    /// A sentence below the title.
    pub subtitle: &'a str,
    /// The name of the x axis.
    pub x_axis: &'a str,
    /// The name of the y axis.
    pub y_axis: &'a str,
    /// Sizes and errors, to the right. Errors of zero have a line below the decades.
    pub curve: &'a [(f64, f64)],
    /// Names, sizes and errors.
    pub points: &'a [(&'a str, f64, f64)],
    /// The point that is marked.
    pub chosen: (f64, f64),
}

/// Plots side by side that share a legend.
#[derive(Clone, Debug)]
pub struct Panels<'a> {
    /// The title above all of them.
    pub title: &'a str,
    /// A sentence below the title.
    pub subtitle: &'a str,
    /// The names of the curves, the same in each panel.
    pub names: Vec<&'a str>,
    /// The plots, from left to right.
    pub panels: Vec<Panel<'a>>,
}

/// One of [`Panels`].
#[derive(Clone, Debug)]
pub struct Panel<'a> {
    /// The name of the y axis, above it.
    pub title: &'a str,
    /// The name of the x axis.
    pub x_axis: &'a str,
    /// True if y is a share, shown in percent.
    pub share: bool,
    /// True if y is logarithmic where values are of very different sizes.
    pub decades: bool,
    /// For each name, its points, to the right.
    pub curves: Vec<Vec<Point>>,
}

/// A point of a curve. Where a number of it is not finite, the curve has a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The place on the x axis.
    pub x: f64,
    /// The mean over repetitions.
    pub mean: f64,
    /// The least of them.
    pub least: f64,
    /// The greatest of them.
    pub greatest: f64,
}

/// A drawing with a legend of curves, and the heights at which the plot below it begins and ends.
fn with_legend(theme: Theme, title: &str, subtitle: &str, names: &[&str]) -> (Drawing, f64, f64) {
    // A document 500 high, or as high as a long legend needs.
    with_legend_above(theme, title, subtitle, names, |top| f64::max(440.0, top + 240.0))
}

/// A name in rows of at most `most` characters, which end behind separators of recipes and rules where they can.
fn wrapped(name: &str, most: usize) -> Vec<&str> {
    let (mut rows, mut rest) = (vec![], name);
    while let Some((end, _)) = rest.char_indices().nth(most) {
        let separator = rest[..end].rfind(['|', '{', ';', ',', ' ']).map(|at| at + 1);
        let (row, after) = rest.split_at(separator.unwrap_or(end));
        rows.push(row);
        rest = after;
    }
    rows.push(rest);
    rows
}

/// [`with_legend`], where `bottom` is the end of a plot that begins at a height.
fn with_legend_above(
    theme: Theme,
    title: &str,
    subtitle: &str,
    names: &[&str],
    bottom: impl Fn(f64) -> f64,
) -> (Drawing, f64, f64) {
    /// Height of a row.
    const ROW: f64 = 20.0;

    /// Widths beside a name: its line before it, and the gap behind it.
    const LINE: f64 = 34.0;
    const GAP: f64 = 22.0;

    // As many entries a row as fit. A name that is longer than a row has several.
    let most = ((RIGHT - LEFT - LINE) / CHARACTER) as usize;
    let mut places = vec![];
    let mut at = (LEFT, 78.0);
    for name in names {
        let rows = wrapped(name, most);
        let width = LINE + rows[0].chars().count() as f64 * CHARACTER + GAP;
        if at.0 > LEFT && (at.0 + width > RIGHT || rows.len() > 1) {
            at = (LEFT, at.1 + ROW);
        }
        let last = rows.len() - 1;
        places.push((at, rows));
        // Nothing follows the last row of a long name.
        at = if last > 0 { (RIGHT, at.1 + last as f64 * ROW) } else { (at.0 + width, at.1) };
    }
    let top = at.1 + 18.0;
    let bottom = bottom(top);
    let mut drawing = Drawing::plot(theme, bottom + 60.0, title, subtitle);
    for (index, ((x, y), rows)) in places.into_iter().enumerate() {
        drawing.add(format_args!("<path d=\"M{x:.1} {:.1}h26\" {}/>", y - 4.5, stroke(index)));
        for (row, text) in rows.into_iter().enumerate() {
            drawing.text((x + LINE, y + row as f64 * ROW), "start", theme.ink(), text);
        }
    }
    (drawing, top, bottom)
}

/// Draws shares over integers.
pub fn shares(plot: &Shares<'_>, theme: Theme) -> Drawing {
    let names: Vec<&str> = plot.curves.iter().map(|(name, _)| name.as_str()).collect();
    let (mut drawing, top, bottom) = with_legend(theme, plot.title, plot.subtitle, &names);
    let named = plot.marks.iter().any(|(_, name)| !name.is_empty());
    let top = if named { top + 16.0 } else { top };
    let (first, last) = plot.range;
    let largest = match plot.whole {
        true => 1.0,
        false => {
            plot.curves.iter().flat_map(|(_, points)| points).map(|(_, share)| *share).fold(1e-4, f64::max)
        }
    };
    let step = tick_step(100.0 * largest);
    let end = (100.0 * largest / step - 1e-9).ceil() * step;
    let x = |value: i32| LEFT + f64::from(value - first) / f64::from((last - first).max(1)) * (RIGHT - LEFT);
    let y = |share: f64| bottom - 100.0 * share / end * (bottom - top);
    for tick in 0..=(end / step).round() as usize {
        let percent = tick as f64 * step;
        let height = y(percent / 100.0);
        drawing.line((LEFT, height), (RIGHT, height), if tick == 0 { theme.ink() } else { theme.grid() });
        let label = format!("{}%", (percent * 1e6).round() / 1e6);
        drawing.text((LEFT - 10.0, height + 4.5), "end", theme.quiet(), &label);
    }
    let step = (tick_step(f64::from(last - first)) as i32).max(1);
    for tick in (first..=last).filter(|tick| tick % step == 0) {
        drawing.line((x(tick), bottom), (x(tick), bottom + 5.0), theme.ink());
        drawing.text((x(tick), bottom + 20.0), "middle", theme.quiet(), &tick.to_string().replace('-', "−"));
    }
    for (mark, name) in plot.marks {
        drawing.mark(x(*mark), (top, bottom), theme.quiet());
        // Above the plot, where no curve runs; the last one would leave it to the right.
        let (at, anchor) = if *mark == last { (x(*mark), "end") } else { (x(*mark), "middle") };
        drawing.text((at, top - 4.0), anchor, theme.quiet(), name);
    }
    drawing.text(((LEFT + RIGHT) / 2.0, bottom + 44.0), "middle", theme.ink(), plot.x_axis);
    drawing.y_name(NAME, (top + bottom) / 2.0, plot.y_axis);
    for (index, (name, points)) in plot.curves.iter().enumerate() {
        let inside = points.iter().filter(|(at, _)| (first..=last).contains(at));
        let path = path(inside.map(|(at, share)| (x(*at), y(*share))));
        if !path.is_empty() {
            let name = escaped(name);
            drawing.add(format_args!("<path d=\"{path}\" {}><title>{name}</title></path>", stroke(index)));
        }
    }
    drawing
}

/// A logarithmic y axis, with a line for zero below its decades.
struct Decades {
    low: f64,
    high: f64,
    top: f64,
    /// Positions of the lowest decade and of zero.
    floor: f64,
    bottom: f64,
}

impl Decades {
    /// Draws the axis for these values, of which infinities do not count.
    fn draw(drawing: &mut Drawing, top: f64, bottom: f64, values: impl Iterator<Item = f64>) -> Decades {
        /// Between the last decade and the line of zeros.
        const GAP: f64 = 30.0;

        let theme = drawing.theme();
        let (low, high) = values
            .filter(|value| *value > 0.0 && value.is_finite())
            .fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
        // The decades that hold all values; one is there in any case.
        let (low, high) = match low.is_finite() {
            true => (low.log10().floor(), high.log10().ceil()),
            false => (-1.0, 0.0),
        };
        let axis = Decades { low, high: high.max(low + 1.0), top, floor: bottom - GAP, bottom };
        // At most a dozen labels, however many decades.
        let every = (((axis.high - low) / 12.0).ceil() as i32).max(1);
        for decade in low as i32..=axis.high as i32 {
            let height = axis.height(decade as f64);
            if (decade - low as i32) % every == 0 {
                drawing.line((LEFT, height), (RIGHT, height), theme.grid());
                let label = format!("10{}", superscript(decade));
                drawing.text((LEFT - 10.0, height + 4.5), "end", theme.quiet(), &label);
            }
        }
        drawing.line((LEFT, bottom), (RIGHT, bottom), theme.ink());
        drawing.text((LEFT - 10.0, bottom + 4.5), "end", theme.quiet(), "0");
        // The axis is broken between the last decade and zero.
        drawing.line((LEFT, top), (LEFT, axis.floor), theme.ink());
        drawing.add(format_args!(
            "<path d=\"M{LEFT} {:.1}V{bottom:.1}\" stroke=\"{}\" stroke-dasharray=\"2 4\" fill=\"none\"/>",
            axis.floor,
            theme.ink()
        ));
        axis
    }

    fn height(&self, decade: f64) -> f64 {
        self.floor - (decade - self.low) / (self.high - self.low) * (self.floor - self.top)
    }

    fn y(&self, value: f64) -> f64 {
        if value > 0.0 { self.height(value.log10()) } else { self.bottom }
    }
}

/// Draws curves over decades.
pub fn curves(plot: &Curves<'_>) -> Drawing {
    let theme = Theme::Document;
    let names: Vec<&str> = plot.curves.iter().map(|(name, _)| *name).collect();
    let (mut drawing, top, bottom) = with_legend(theme, plot.title, plot.subtitle, &names);

    let axis = Decades::draw(
        &mut drawing,
        top,
        bottom,
        plot.curves.iter().flat_map(|(_, values)| values.iter().copied()),
    );
    let x = |share: f64| LEFT + share * (RIGHT - LEFT);
    for tick in 0..=plot.x_end as usize {
        let at = x(tick as f64 / plot.x_end);
        drawing.line((at, bottom), (at, bottom + 5.0), theme.ink());
        drawing.text((at, bottom + 20.0), "middle", theme.quiet(), &tick.to_string());
    }
    drawing.text(((LEFT + RIGHT) / 2.0, bottom + 44.0), "middle", theme.ink(), plot.x_axis);
    drawing.y_name(NAME, (top + bottom) / 2.0, plot.y_axis);

    for (index, (name, values)) in plot.curves.iter().enumerate() {
        let steps = values.len().saturating_sub(1).max(1) as f64;
        let points = values
            .iter()
            .enumerate()
            .filter(|(_, value)| value.is_finite())
            .map(|(at, value)| (x(at as f64 / steps), axis.y(*value)));
        let path = path(points);
        if !path.is_empty() {
            let name = escaped(name);
            drawing.add(format_args!("<path d=\"{path}\" {}><title>{name}</title></path>", stroke(index)));
        }
    }
    drawing
}

fn stroke(index: usize) -> String {
    let dash = DASHES[index / COLOURS.len() % DASHES.len()];
    format!(
        "stroke=\"{}\" stroke-width=\"2.2\" stroke-dasharray=\"{dash}\" stroke-linejoin=\"round\" fill=\"none\"",
        COLOURS[index % COLOURS.len()]
    )
}

/// Draws errors over sizes.
pub fn trade_off(plot: &TradeOff<'_>, theme: Theme) -> Drawing {
    const CURVE: &str = "least error for its size";
    const CHOSEN: &str = "chosen";

    let (mut drawing, top, bottom) = with_legend(theme, plot.title, plot.subtitle, &[CURVE, CHOSEN]);
    let all =
        || plot.curve.iter().copied().chain(plot.points.iter().map(|&(_, x, y)| (x, y))).chain([plot.chosen]);
    let axis = Decades::draw(&mut drawing, top, bottom, all().map(|(_, y)| y));
    let (first, last) =
        all().fold((f64::INFINITY, 0.0_f64), |(first, last), (x, _)| (first.min(x), last.max(x)));
    let step = tick_step((last - first).max(1e-3));
    let (first, last) = ((first / step).floor(), (last / step + 1e-9).floor() + 1.0);
    let x = |bits: f64| LEFT + (bits / step - first) / (last - first) * (RIGHT - LEFT);
    for tick in first as i64..=last as i64 {
        let bits = tick as f64 * step;
        drawing.line((x(bits), bottom), (x(bits), bottom + 5.0), theme.ink());
        let label = ((bits * 1e6).round() / 1e6).to_string();
        drawing.text((x(bits), bottom + 20.0), "middle", theme.quiet(), &label);
    }
    drawing.text(((LEFT + RIGHT) / 2.0, bottom + 44.0), "middle", theme.ink(), plot.x_axis);
    drawing.y_name(NAME, (top + bottom) / 2.0, plot.y_axis);
    let path = path(plot.curve.iter().map(|&(bits, error)| (x(bits), axis.y(error))));
    drawing.add(format_args!("<path d=\"{path}\" {}><title>{CURVE}</title></path>", stroke(0)));
    // Names of points close to each other would lie over each other: each goes below the one before it, if need be.
    let mut taken: Vec<(f64, f64)> = vec![];
    let mut points: Vec<(&str, f64, f64)> =
        plot.points.iter().map(|&(name, bits, error)| (name, x(bits), axis.y(error))).collect();
    points.sort_by(|a, b| a.2.total_cmp(&b.2));
    for (name, x, y) in points {
        drawing.point((x, y), theme.ink());
        let width = name.chars().count() as f64 * CHARACTER;
        let (at, anchor) = if x + width + 12.0 > RIGHT { (x - 9.0, "end") } else { (x + 9.0, "start") };
        let left = if anchor == "end" { at - width } else { at };
        let mut height = y + 4.5;
        while taken
            .iter()
            .any(|&(from, below)| (below - height).abs() < 15.0 && (from - left).abs() < width + 40.0)
        {
            height += 15.0;
        }
        taken.push((left, height));
        drawing.text((at, height), anchor, theme.ink(), name);
    }
    let (bits, error) = plot.chosen;
    drawing.add(format_args!(
        "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"7\" {}><title>{CHOSEN}</title></circle>",
        x(bits),
        axis.y(error),
        stroke(1)
    ));
    drawing
}

/// Draws panels of curves, each with the range of its repetitions behind it.
pub fn panels(plot: &Panels<'_>) -> Drawing {
    /// Width of the labels on the left of each.
    const LABELS: f64 = 50.0;
    const HEIGHT: f64 = 190.0;
    /// The left end of the first.
    const FIRST: f64 = 10.0;

    let theme = Theme::Document;
    let (mut drawing, top, bottom) =
        with_legend_above(theme, plot.title, plot.subtitle, &plot.names, |top| top + 28.0 + HEIGHT);
    let top = top + 28.0;
    let width = (RIGHT + 14.0 - FIRST) / plot.panels.len().max(1) as f64;
    for (at, panel) in plot.panels.iter().enumerate() {
        let left = FIRST + at as f64 * width + LABELS;
        let right = FIRST + (at + 1) as f64 * width - 14.0;
        let points = || panel.curves.iter().flatten();
        let y_axis =
            Axis::around(points().flat_map(|point| [point.least, point.mean, point.greatest]), panel.decades);
        let (first, last) = points()
            .filter(|point| point.mean.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(first, last), point| {
                (first.min(point.x), last.max(point.x))
            });
        // One point lies in the middle, and an axis without points needs some numbers, too.
        let (first, last) = match first.partial_cmp(&last) {
            Some(Ordering::Less) => (first, last),
            Some(Ordering::Equal) => (first - 1.0, last + 1.0),
            _ => (0.0, 1.0),
        };
        let x = |value: f64| left + (value - first) / (last - first) * (right - left);
        let y = |value: f64| bottom - y_axis.place(value) * (bottom - top);
        drawing.text((left, top - 14.0), "start", theme.ink(), panel.title);
        for (share, label) in y_axis.ticks(panel.share) {
            let height = bottom - share * (bottom - top);
            drawing.line(
                (left, height),
                (right, height),
                if share == 0.0 { theme.ink() } else { theme.grid() },
            );
            drawing.text((left - 8.0, height + 4.5), "end", theme.quiet(), &label);
        }
        // Epochs and bits are whole numbers.
        let step = tick_step(2.0 * (last - first)).max(1.0);
        let (from, to) = ((first / step).ceil() as i64, (last / step + 1e-9).floor() as i64);
        for tick in from..=to {
            let value = tick as f64 * step;
            drawing.line((x(value), bottom), (x(value), bottom + 5.0), theme.ink());
            drawing.text((x(value), bottom + 20.0), "middle", theme.quiet(), &rounded(value));
        }
        drawing.text(((left + right) / 2.0, bottom + 44.0), "middle", theme.ink(), panel.x_axis);
        for (index, curve) in panel.curves.iter().enumerate() {
            let name = escaped(plot.names.get(index).copied().unwrap_or_default());
            let shown =
                |point: &&Point| [point.mean, point.least, point.greatest].iter().all(|y| y.is_finite());
            for run in curve.split(|point| !shown(&point)).filter(|run| !run.is_empty()) {
                if run.iter().any(|point| point.least < point.greatest) {
                    let upper = run.iter().map(|point| (x(point.x), y(point.greatest)));
                    let lower = run.iter().rev().map(|point| (x(point.x), y(point.least)));
                    drawing.add(format_args!(
                        "<path d=\"{}Z\" fill=\"{}\" fill-opacity=\"0.15\"/>",
                        path(upper.chain(lower)),
                        COLOURS[index % COLOURS.len()]
                    ));
                }
                match run {
                    [only] => drawing.add(format_args!(
                        "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" {}><title>{name}</title></circle>",
                        x(only.x),
                        y(only.mean),
                        stroke(index)
                    )),
                    _ => {
                        let path = path(run.iter().map(|point| (x(point.x), y(point.mean))));
                        drawing.add(format_args!(
                            "<path d=\"{path}\" {}><title>{name}</title></path>",
                            stroke(index)
                        ));
                    }
                }
            }
        }
    }
    drawing
}

/// Draws horizontal bars.
pub fn bars(plot: &Bars<'_>) -> Drawing {
    const TOP: f64 = 76.0;
    const ROW: f64 = 34.0;
    const BAR: f64 = 20.0;
    /// The end of the longest bar; its note is to the right.
    const RIGHT: f64 = 620.0;

    let theme = Theme::Document;
    // Names that do not fit are cut; their title has them in full.
    let longest = plot.bars.iter().map(|bar| bar.label.chars().count()).max().unwrap_or(0);
    let left = (40.0 + longest as f64 * CHARACTER).clamp(120.0, 340.0);
    let fits = ((left - 40.0) / CHARACTER) as usize;
    let bottom = TOP + ROW * plot.bars.len().max(1) as f64 + 6.0;
    let mut drawing = Drawing::plot(theme, bottom + 64.0, plot.title, plot.subtitle);
    let largest = plot.bars.iter().map(|bar| bar.value).fold(plot.mark, f64::max);
    let step = tick_step(largest);
    let end = (largest / step).ceil() * step;
    let x = |value: f64| left + value / end * (RIGHT - left);
    for tick in 0..=(end / step).round() as usize {
        let value = tick as f64 * step;
        drawing.line((x(value), TOP), (x(value), bottom), theme.grid());
        let label = format!("{}", (value * 1e6).round() / 1e6);
        drawing.text((x(value), bottom + 19.0), "middle", theme.quiet(), &label);
    }
    for (index, bar) in plot.bars.iter().enumerate() {
        let height = TOP + ROW * index as f64 + (ROW - BAR) / 2.0 + 3.0;
        let colour = COLOURS[0];
        let (label, note) = (escaped(bar.label), escaped(&bar.note));
        drawing.add(format_args!(
            "<rect x=\"{left:.1}\" y=\"{height:.1}\" width=\"{:.1}\" height=\"{BAR}\" rx=\"2\" fill=\"{colour}\">\
             <title>{label}: {note}</title></rect>",
            (x(bar.value) - left).max(1.0)
        ));
        let shown = match bar.label.chars().count() > fits {
            true => bar.label.chars().take(fits - 1).chain(['…']).collect(),
            false => bar.label.to_owned(),
        };
        drawing.text((left - 12.0, height + 14.5), "end", theme.ink(), &shown);
        // Its outline keeps the grid away.
        drawing.add(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"5\" \
             paint-order=\"stroke\">{note}</text>",
            x(bar.value) + 8.0,
            height + 14.5,
            theme.quiet(),
            theme.paper()
        ));
    }
    drawing.line((left, TOP), (left, bottom), theme.ink());
    drawing.add(format_args!(
        "<path d=\"M{:.1} {TOP}V{bottom:.1}\" stroke=\"{}\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"/>",
        x(plot.mark),
        COLOURS[1]
    ));
    drawing.text(((left + RIGHT) / 2.0, bottom + 44.0), "middle", theme.ink(), plot.x_axis);
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_stay_inside() {
        let plot = |whole, curves: &[(String, Vec<(i32, f64)>)]| {
            let (title, subtitle, x_axis, y_axis) = ("", "", "", "");
            let plot = Shares {
                title,
                subtitle,
                x_axis,
                y_axis,
                range: (-2, 2),
                whole,
                curves,
                marks: &[(1, "m<")],
            };
            shares(&plot, Theme::Page).finish()
        };
        let drawn = plot(true, &[("a<b".to_owned(), vec![(-9, 0.1), (-2, 0.0), (2, 1.0), (3, 1.0)])]);
        assert!(drawn.contains("a&lt;b") && drawn.contains("m&lt;") && drawn.contains("100%"));
        assert!(drawn.contains("M84.0 440.0L776.0"), "from corner to corner: {drawn}");
        assert!(!plot(false, &[]).contains("NaN"));
        assert!(plot(false, &[("a".to_owned(), vec![(0, 0.031)])]).contains("3.5%"));
    }

    #[test]
    fn trade_offs_hold_every_point() {
        let plot = |curve: &[(f64, f64)], points: &[(&str, f64, f64)]| {
            let (title, subtitle, x_axis, y_axis) = ("", "", "", "");
            let plot = TradeOff { title, subtitle, x_axis, y_axis, curve, points, chosen: (4.5, 1e-3) };
            trade_off(&plot, Theme::Document).finish()
        };
        let drawn =
            plot(&[(4.25, 1e-2), (8.0, 0.0)], &[("a<b", 4.25, 1e-2), ("c", 4.3, 1e-2), ("keep", 16.0, 0.0)]);
        assert_eq!(drawn.matches("<circle").count(), 4);
        assert!(drawn.contains("a&lt;b") && !drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        // The two names at one height are on different lines.
        let height = |name: &str| {
            drawn.split(&format!(">{name}</text>")).next().unwrap().rsplit("y=\"").next().unwrap().to_owned()
        };
        assert_ne!(height("a&lt;b"), height("c"));
        assert!(!plot(&[], &[]).contains("NaN"));
    }

    #[test]
    fn long_names_are_wrapped_behind_separators() {
        assert_eq!(
            wrapped("mine{leave=|forward.weight=nvfp4}", 14),
            ["mine{leave=|", "forward.weight", "=nvfp4}"]
        );
        assert_eq!(wrapped("bf16:bf16", 9), ["bf16:bf16"]);
        let long = format!("nvfp4{{leave=|{}}}", "forward.weight=nvfp4/scale=16x16|".repeat(5));
        let drawing = with_legend(Theme::Document, "", "", &["f32", &long, "bf16"]).0.finish();
        let rows: Vec<(f64, f64, usize)> = drawing
            .split("<text x=\"")
            .skip(1)
            .filter_map(|text| {
                let (x, rest) = text.split_once("\" y=\"")?;
                let (y, rest) = rest.split_once('"')?;
                let words = rest.split_once('>')?.1.split('<').next()?;
                Some((x.parse().ok()?, y.parse().ok()?, words.len()))
            })
            .filter(|(_, y, _)| *y >= 78.0)
            .collect();
        // f32, three rows of the long name, and bf16 in a row after them.
        assert_eq!(rows.len(), 5, "{drawing}");
        let heights: Vec<f64> = rows.iter().map(|(_, y, _)| *y).collect();
        assert_eq!(heights, [78.0, 98.0, 118.0, 138.0, 158.0]);
        assert!(rows.iter().all(|(x, _, words)| x + *words as f64 * CHARACTER <= RIGHT + 1.0), "{rows:?}");
    }

    #[test]
    fn panels_draw_ranges_and_gaps() {
        let point = |x, mean, half| Point { x, mean, least: mean - half, greatest: mean + half };
        let plot = |curves: Vec<Vec<Point>>| {
            let panel = Panel { title: "loss", x_axis: "epoch", share: false, decades: true, curves };
            let names = vec!["a<b", "c"];
            panels(&Panels { title: "t", subtitle: "", names, panels: vec![panel.clone(), panel] }).finish()
        };
        let drawn = plot(vec![
            vec![point(1.0, 1.0, 0.25), point(2.0, 0.5, 0.25)],
            vec![point(1.0, 1.0, 0.0), point(2.0, f64::NAN, 0.0), point(3.0, 0.5, 0.0)],
        ]);
        // In each panel one range, one line, and two points beside a gap.
        assert_eq!(drawn.matches("fill-opacity").count(), 2);
        assert_eq!(drawn.matches("<circle").count(), 4);
        assert!(drawn.contains("a&lt;b") && !drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        assert!(!plot(vec![]).contains("NaN"));
        let single = plot(vec![vec![point(1.0, 1.0, 0.0)]]);
        assert!(!single.contains("NaN") && !single.contains("inf"), "{single}");
    }

    #[test]
    fn names_cannot_break_out() {
        let bars = bars(&Bars {
            title: "<&>",
            subtitle: "",
            x_axis: "",
            mark: 1.0,
            bars: &[Bar { label: "</text>", value: 1e-9, note: "a&b".to_owned() }],
        })
        .finish();
        assert!(bars.contains("&lt;&amp;&gt;") && bars.contains("&lt;/text&gt;") && bars.contains("a&amp;b"));
        let empty = curves(&Curves {
            title: "",
            subtitle: "",
            x_axis: "",
            x_end: 1.0,
            y_axis: "",
            curves: &[("a<b", &[f64::INFINITY]), ("c", &[]), ("d", &[0.0, 1.0])],
        })
        .finish();
        assert!(empty.contains("a&lt;b") && !empty.contains("NaN") && !empty.contains("inf"));
    }
}
