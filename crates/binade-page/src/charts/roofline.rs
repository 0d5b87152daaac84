//! A roofline: operations by intensity and rate under the roofs of units and memories, above bars of time by bound.

use super::{CHARACTER, LEFT, NAME, RIGHT, with_legend_above};
use crate::drawing::{Drawing, Theme, colour, superscript};
use crate::markup::escaped;

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

/// A straight line between two points.
type Line = [(f64, f64); 2];

/// The height of a line, continued beyond its ends, at this x.
fn height_at(&[(x1, y1), (x2, y2)]: &Line, x: f64) -> f64 {
    y1 + (y2 - y1) * (x - x1) / (x2 - x1)
}

/// An upright rectangle that a label or a point covers.
#[derive(Clone, Copy, Debug)]
struct Rectangle {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Rectangle {
    fn around(((x, y), radius): ((f64, f64), f64)) -> Rectangle {
        Rectangle { left: x - radius, right: x + radius, top: y - radius, bottom: y + radius }
    }

    fn overlaps(&self, other: &Rectangle) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn contains(&self, other: &Rectangle) -> bool {
        self.left <= other.left
            && other.right <= self.right
            && self.top <= other.top
            && other.bottom <= self.bottom
    }

    fn is_crossed_by(&self, line: &Line) -> bool {
        let (from, to) = (self.left.max(line[0].0), self.right.min(line[1].0));
        let (a, b) = (height_at(line, from), height_at(line, to));
        from < to && a.min(b) < self.bottom && self.top < a.max(b).max(a.min(b) + 1.0)
    }
}

/// The label of a line.
struct Label {
    place: (f64, f64),
    anchor: &'static str,
    area: Rectangle,
}

/// The place of a slope's label, beside its line: above it, or below it for the last one, if there is space. Of several places along the
/// line, that which covers the least: `lines`, and `boxes` of labels and points.
fn label_of_slope(
    name: &str,
    line: &Line,
    is_last: bool,
    area: Rectangle,
    lines: &[Line],
    boxes: &[Rectangle],
) -> Label {
    /// Shares of the line, the preferred one first.
    const PLACES: [f64; 9] = [0.4, 0.5, 0.3, 0.6, 0.2, 0.7, 0.1, 0.8, 0.9];

    let width = name.chars().count() as f64 * CHARACTER;
    let label = |share: f64, is_below: bool| {
        let [(x1, y1), (x2, y2)] = *line;
        let (x, y) = (x1 + share * (x2 - x1), y1 + share * (y2 - y1));
        let (place, anchor, left) = match is_below {
            true => ((x + 6.0, y + 12.0), "start", x + 6.0),
            false => ((x - 6.0, y - 6.0), "end", x - 6.0 - width),
        };
        // The height of capitals, and of what hangs below the line.
        let area = Rectangle { left, right: left + width, top: place.1 - 10.0, bottom: place.1 + 3.0 };
        Label { place, anchor, area }
    };
    // On the other side of its line, a label may seem to be that of the next one: a crossed line is better than that.
    let cost = |label: &Label, is_below: bool| {
        let crossed = lines.iter().filter(|line| label.area.is_crossed_by(line)).count();
        let covered = boxes.iter().filter(|other| label.area.overlaps(other)).count();
        let side = if is_below == is_last { 0 } else { 3 };
        let outside = if area.contains(&label.area) { 0 } else { 1000 };
        2 * crossed + side + 20 * covered + outside
    };
    let candidates = [is_last, !is_last]
        .into_iter()
        .flat_map(|is_below| PLACES.into_iter().map(move |share| (label(share, is_below), is_below)));
    // The first of those with the least cost.
    let best = candidates.min_by_key(|(label, is_below)| cost(label, *is_below));
    best.expect("there are places").0
}

/// The most characters of a name beside its bar.
const LONGEST_NAME: usize = 36;

/// A name that fits beside a bar: the beginning of a long one, and its end.
fn cut(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    if characters.len() <= LONGEST_NAME {
        return name.to_owned();
    }
    let (first, last) = ((LONGEST_NAME - 1).div_ceil(2), (LONGEST_NAME - 1) / 2);
    let end = &characters[characters.len() - last..];
    characters[..first].iter().chain(&['…']).chain(end).collect()
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
    let mut slopes: Vec<(String, Line)> = vec![];
    for (name, slope) in plot.slopes {
        let (from, to) = ((y_low / slope).max(x_low), (highest / slope).min(x_high));
        if from >= to {
            continue;
        }
        let line = [from, to].map(|at| (x.place(at), y.place(at * slope)));
        drawing.curve(line, theme.quiet(), name);
        // Memories of one bandwidth have one line, and one label.
        match slopes.iter_mut().find(|(_, known)| (height_at(known, line[0].0) - line[0].1).abs() < 3.0) {
            Some((names, _)) => *names = format!("{names}, {name}"),
            None => slopes.push((name.clone(), line)),
        }
    }
    let first_slope = plot.slopes.first().map_or(memory, |(_, slope)| *slope);
    let roof = |series: &Series<'_>| {
        let height = y.place(series.roof);
        [(x.place((series.roof / first_slope).max(x_low)), height), (RIGHT, height)]
    };
    let circle = |point: &RooflinePoint| {
        let at = if point.intensity.is_finite() { x.place(point.intensity) } else { RIGHT };
        ((at, y.place(point.rate)), 3.0 + 12.0 * point.share.sqrt())
    };
    let lines: Vec<Line> = slopes.iter().map(|(_, line)| *line).chain(plot.series.iter().map(roof)).collect();
    let mut boxes: Vec<Rectangle> = points().map(|point| Rectangle::around(circle(point))).collect();
    let plot_area = Rectangle { left: LEFT, right: RIGHT, top, bottom };
    for (at, (name, line)) in slopes.iter().enumerate() {
        let label = label_of_slope(name, line, at + 1 == slopes.len(), plot_area, &lines, &boxes);
        drawing.text(label.place, label.anchor, theme.quiet(), name);
        boxes.push(label.area);
    }
    for (index, series) in plot.series.iter().enumerate() {
        drawing.curve(roof(series), colour(index), series.name);
        for point in &series.points {
            let fill = if point.is_product { colour(index) } else { theme.paper() };
            let ((at, height), radius) = circle(point);
            drawing.add(format_args!(
                "<circle cx=\"{at:.1}\" cy=\"{height:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" fill-opacity=\"0.75\" stroke=\"{}\" \
                 stroke-width=\"1.5\"><title>{}</title></circle>",
                colour(index),
                escaped(&point.name)
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
    // Names to the left of bars; long ones are cut, and the pointer shows them.
    let widest = names.iter().map(|name| name.chars().count().min(LONGEST_NAME)).max().unwrap_or(0);
    let first = (widest as f64 * CHARACTER + 34.0).max(LEFT + 60.0);
    let scale = (RIGHT - 110.0 - first) / longest;
    for (index, series) in plot.series.iter().enumerate() {
        let row = legend + 18.0 + BAR * index as f64;
        drawing.add(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{}\">{}<title>{}</title></text>",
            first - 10.0,
            row + 13.0,
            theme.ink(),
            escaped(&cut(series.name)),
            escaped(series.name)
        ));
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of a drawing with their rectangles, at widths as the layout assumes.
    fn labels(svg: &str, names: &[&str]) -> Vec<(String, Rectangle)> {
        let texts = svg.lines().filter(|line| line.starts_with("<text x="));
        let found = texts.filter_map(|line| {
            let attribute = |name: &str| Some(line.split_once(name)?.1.split('"').next()?.to_owned());
            let text = line.split_once('>')?.1.split('<').next()?.to_owned();
            let [x, y]: [f64; 2] = ["x=\"", "y=\""].map(|name| attribute(name).unwrap().parse().unwrap());
            let width = text.chars().count() as f64 * CHARACTER;
            let left = if attribute("text-anchor=\"")? == "end" { x - width } else { x };
            let area = Rectangle { left, right: left + width, top: y - 11.0, bottom: y + 3.0 };
            names.contains(&&*text).then_some((text, area))
        });
        found.collect()
    }

    fn drawn(slopes: &[(&str, f64)], series: &[(&str, f64)]) -> String {
        let slopes: Vec<(String, f64)> =
            slopes.iter().map(|(name, slope)| ((*name).to_owned(), *slope)).collect();
        let point = |intensity: f64| RooflinePoint {
            name: "p".to_owned(),
            intensity,
            rate: 2.0,
            share: 0.5,
            is_product: true,
        };
        let series = series.iter().map(|&(name, roof)| Series {
            name,
            roof,
            points: vec![point(0.5), point(20.0)],
            segments: vec![1.0],
            note: "1.00×".to_owned(),
        });
        let plot = Roofline {
            title: "t",
            subtitle: "s",
            x_axis: "x",
            y_axis: "y",
            slopes: &slopes,
            series: &series.collect::<Vec<_>>(),
            bounds: &["units".to_owned()],
        };
        roofline(&plot, Theme::Document).finish()
    }

    #[test]
    fn slopes_of_one_bandwidth_share_a_label() {
        let svg = drawn(&[("L1", 14.4), ("L2", 14.4), ("L3", 14.4), ("memory", 6.4)], &[("f32", 7.2)]);
        let found = labels(&svg, &["L1", "L2", "L3", "L1, L2, L3", "memory"]);
        let names: Vec<&str> = found.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["L1, L2, L3", "memory"]);
    }

    #[test]
    fn labels_of_slopes_do_not_overlap() {
        // Bandwidths from equal to far apart, among them the built-in cores'.
        for step in [1.0, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 4.0, 10.0] {
            for first in [6.4, 14.4, 270.0, 33454.0] {
                let slopes: Vec<(&str, f64)> = ["L1", "L2", "L3", "L4", "memory"]
                    .into_iter()
                    .enumerate()
                    .map(|(at, name)| (name, first / f64::powi(step, at as i32)))
                    .collect();
                let svg = drawn(&slopes, &[("f32", first / 2.0), ("bf16:bf16", 4.5 * first)]);
                let joined: Vec<String> = svg
                    .split("</text>")
                    .filter_map(|text| text.rsplit_once('>').map(|(_, text)| text.to_owned()))
                    .filter(|text| text.starts_with('L') || text.ends_with("memory"))
                    .collect();
                let names: Vec<&str> = joined.iter().map(|name| &**name).collect();
                let found = labels(&svg, &names);
                assert_eq!(
                    names.join(", "),
                    "L1, L2, L3, L4, memory",
                    "each memory has a label: {step} {first}"
                );
                for (at, (name, area)) in found.iter().enumerate() {
                    let plot = Rectangle { left: LEFT, right: RIGHT, top: 90.0, bottom: 410.0 };
                    assert!(plot.contains(area), "{name} {area:?}");
                    for (other, covered) in &found[at + 1..] {
                        assert!(!area.overlaps(covered), "{name} and {other}, {step} {first}");
                    }
                }
            }
        }
    }

    #[test]
    fn long_names_beside_bars_are_cut_and_stay_in_the_picture() {
        let long = "dot_general=bf16:bf16;convolution=bf16x2:bf16x2/4;*=f32:f32";
        let svg = drawn(&[("L1", 100.0), ("memory", 10.0)], &[("f32", 50.0), (long, 100.0)]);
        let cut = cut(long);
        assert_eq!(cut, "dot_general=bf16:b…f16x2/4;*=f32:f32");
        let [(_, area)] = &labels(&svg, &[&cut])[..] else { panic!("{svg}") };
        assert!(area.left >= 0.0, "{area:?}");
        assert!(svg.contains(&format!("{cut}<title>{long}</title>")));
        assert_eq!(super::cut("bf16x2:bf16x2/4"), "bf16x2:bf16x2/4");
    }
}
