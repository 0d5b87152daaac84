//! A roofline: operations by intensity and rate under the roofs of units and memories, above bars of time by bound.

use super::{LEFT, NAME, RIGHT, with_legend_above};
use crate::drawing::{Drawing, Theme, colour, superscript};

/// Operations under roofs, and the time of each arithmetic.
#[derive(Clone, Debug)]
pub struct Roofline<'a> {
    /// The title of the plot.
    pub title: &'a str,
    /// A sentence below the title.
    pub subtitle: &'a str,
    /// The name of the x axis.
    pub x_axis: &'a str,
    /// The name of the y axis.
    pub y_axis: &'a str,
    /// Names and slopes of memories: y is slope · x.
    pub slopes: &'a [(String, f64)],
    /// The arithmetics.
    pub series: &'a [Series<'a>],
    /// Names of bounds, in the order of the segments of bars.
    pub bounds: &'a [String],
}

/// An arithmetic of a [`Roofline`].
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// Its name.
    pub name: &'a str,
    /// The rate of its units.
    pub roof: f64,
    /// Operations.
    pub points: Vec<RooflinePoint>,
    /// The lengths of the segments of its bar; 1 is the whole bar of the first series.
    pub segments: Vec<f64>,
    /// The text at the end of its bar.
    pub note: String,
}

/// An operation, or several of one kind.
#[derive(Clone, Debug)]
pub struct RooflinePoint {
    /// The text where the pointer rests.
    pub name: String,
    /// Work per byte; infinite without traffic.
    pub intensity: f64,
    /// Work per second.
    pub rate: f64,
    /// Its part of the time, from 0 to 1.
    pub share: f64,
    /// True for products, whose points are full.
    pub is_product: bool,
}

/// A logarithmic axis over whole decades.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn around(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Axis {
        let (low, high) = values
            .filter(|value| *value > 0.0 && value.is_finite())
            .map(f64::log10)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let (low, high) = if low <= high { (low.floor(), (high + 0.02).ceil()) } else { (0.0, 1.0) };
        Axis { low, high: high.max(low + 1.0), from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.log10() - self.low) / (self.high - self.low);
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    fn decades(&self) -> impl Iterator<Item = i32> {
        self.low as i32..=self.high as i32
    }
}

/// Draws a roofline.
pub fn roofline(plot: &Roofline<'_>, theme: Theme) -> Drawing {
    const HEIGHT: f64 = 300.0;
    const BAR: f64 = 26.0;

    let names: Vec<&str> = plot.series.iter().map(|series| series.name).collect();
    let bars = 84.0 + BAR * plot.series.len() as f64;
    let (mut drawing, top, end) =
        with_legend_above(theme, plot.title, plot.subtitle, &names, |top| top + HEIGHT + bars);
    let bottom = top + HEIGHT;
    let points = || plot.series.iter().flat_map(|series| &series.points);
    let roofs = || plot.series.iter().map(|series| series.roof);
    let memory = plot.slopes.last().map_or(1.0, |(_, slope)| *slope);
    let highest = roofs().fold(0.0, f64::max);
    let x = Axis::around(
        points().map(|point| point.intensity).chain([highest / memory, 0.1 * highest / memory]),
        LEFT,
        RIGHT,
    );
    let y = Axis::around(points().map(|point| point.rate).chain(roofs()), bottom, top);
    for decade in x.decades() {
        let at = x.place(10f64.powi(decade));
        drawing.line((at, top), (at, bottom), theme.grid());
        drawing.text((at, bottom + 20.0), "middle", theme.quiet(), &format!("10{}", superscript(decade)));
    }
    for decade in y.decades() {
        let at = y.place(10f64.powi(decade));
        drawing.line((LEFT, at), (RIGHT, at), theme.grid());
        drawing.text((LEFT - 10.0, at + 4.5), "end", theme.quiet(), &format!("10{}", superscript(decade)));
    }
    drawing.text(((LEFT + RIGHT) / 2.0, bottom + 40.0), "middle", theme.ink(), plot.x_axis);
    drawing.y_name(NAME, (top + bottom) / 2.0, plot.y_axis);

    // Slopes from the left or the lower edge to the highest roof.
    let (x_low, x_high, y_low) = (10f64.powf(x.low), 10f64.powf(x.high), 10f64.powf(y.low));
    for (at, (name, slope)) in plot.slopes.iter().enumerate() {
        let (from, to) = ((y_low / slope).max(x_low), (highest / slope).min(x_high));
        if from >= to {
            continue;
        }
        let ends = [from, to].map(|at| (x.place(at), y.place(at * slope)));
        drawing.curve(ends, theme.quiet(), name);
        let middle = (from.log10() * 0.6 + to.log10() * 0.4).exp2().powf(std::f64::consts::LOG2_10);
        // The lowest line has its name below, the others above.
        let (x, y) = (x.place(middle), y.place(middle * slope));
        match at + 1 == plot.slopes.len() {
            true => drawing.text((x + 6.0, y + 12.0), "start", theme.quiet(), name),
            false => drawing.text((x - 6.0, y - 6.0), "end", theme.quiet(), name),
        }
    }
    for (index, series) in plot.series.iter().enumerate() {
        let height = y.place(series.roof);
        let from =
            x.place((series.roof / plot.slopes.first().map_or(memory, |(_, slope)| *slope)).max(x_low));
        drawing.curve([(from, height), (RIGHT, height)], colour(index), series.name);
        for point in &series.points {
            let at = if point.intensity.is_finite() { x.place(point.intensity) } else { RIGHT };
            let fill = if point.is_product { colour(index) } else { theme.paper() };
            drawing.add(format_args!(
                "<circle cx=\"{at:.1}\" cy=\"{:.1}\" r=\"{:.1}\" fill=\"{fill}\" fill-opacity=\"0.75\" stroke=\"{}\" \
                 stroke-width=\"1.5\"><title>{}</title></circle>",
                y.place(point.rate),
                3.0 + 12.0 * point.share.sqrt(),
                colour(index),
                crate::markup::escaped(&point.name)
            ));
        }
    }

    // The legend of bounds, and the bars.
    let shown: Vec<usize> = (0..plot.bounds.len())
        .filter(|at| {
            plot.series.iter().any(|series| series.segments.get(*at).is_some_and(|part| *part > 0.002))
        })
        .collect();
    let mut left = LEFT;
    let legend = bottom + 70.0;
    for &bound in &shown {
        drawing.rectangle((left, legend - 10.0), (12.0, 12.0), shade(bound), &plot.bounds[bound]);
        drawing.text((left + 17.0, legend), "start", theme.ink(), &plot.bounds[bound]);
        left += 40.0 + plot.bounds[bound].chars().count() as f64 * 7.2;
    }
    let longest = plot.series.iter().map(|series| series.segments.iter().sum::<f64>()).fold(1e-9, f64::max);
    let first = LEFT + 60.0;
    let scale = (RIGHT - 110.0 - first) / longest;
    for (index, series) in plot.series.iter().enumerate() {
        let row = legend + 18.0 + BAR * index as f64;
        drawing.text((first - 10.0, row + 13.0), "end", theme.ink(), series.name);
        let mut left = first;
        for &bound in &shown {
            let width = series.segments.get(bound).copied().unwrap_or(0.0) * scale;
            if width > 0.0 {
                let name = format!("{}: {:.1} %", plot.bounds[bound], 100.0 * width / scale);
                drawing.rectangle((left, row), (width, BAR - 8.0), shade(bound), &name);
                left += width;
            }
        }
        drawing.text((left + 8.0, row + 13.0), "start", theme.quiet(), &series.note);
    }
    debug_assert!(end >= legend);
    drawing
}

/// The colour of a bound's segments; grey for the last of eight.
fn shade(bound: usize) -> &'static str {
    colour(bound + 1)
}
