//! Pictures in SVG: lines, labels, curves, bars and axes.

use std::fmt::{Arguments, Write};

use crate::markup::{Markup, escaped};

/// Colours that can be told apart without telling red from green: those of Okabe and Ito, and two more.
pub const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f"];

/// The colour of the curve with this index.
pub fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

/// The surroundings of a drawing, from which it takes its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// A file of its own, on white paper.
    Document,
    /// A figure of a [`Page`](crate::Page), light or dark.
    Page,
}

impl Theme {
    /// The colour of text that is read first, and of axes.
    pub fn ink(self) -> &'static str {
        self.choose("#24292f", "var(--ink)")
    }

    /// The colour of numbers and remarks.
    pub fn quiet(self) -> &'static str {
        self.choose("#57606a", "var(--quiet)")
    }

    /// The colour of lines behind the curves.
    pub fn grid(self) -> &'static str {
        self.choose("#d8dee4", "var(--grid)")
    }

    /// The colour of the ground.
    pub fn paper(self) -> &'static str {
        self.choose("#ffffff", "var(--paper)")
    }

    fn choose(self, document: &'static str, page: &'static str) -> &'static str {
        match self {
            Theme::Document => document,
            Theme::Page => page,
        }
    }
}

/// An SVG that is being written. Coordinates are in pixels, from the upper left corner.
#[derive(Clone, Debug)]
pub struct Drawing {
    svg: String,
    theme: Theme,
}

impl From<Drawing> for Markup {
    fn from(drawing: Drawing) -> Markup {
        Markup::trusted(drawing.finish())
    }
}

impl Drawing {
    /// A plot 800 pixels wide, with a title and a sentence below it.
    pub(crate) fn plot(theme: Theme, height: f64, title: &str, subtitle: &str) -> Drawing {
        let width = crate::charts::WIDTH;
        let (plain, about) = (escaped(title), escaped(subtitle));
        let mut drawing = Drawing {
            svg: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
                 height=\"{height}\" role=\"img\" font-family=\"system-ui, Helvetica, Arial, sans-serif\" \
                 font-size=\"13\">\n<title>{plain}</title>\n<desc>{about}</desc>\n\
                 <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
                theme.paper()
            ),
            theme,
        };
        drawing.add(format_args!(
            "<text x=\"24\" y=\"32\" font-size=\"18\" font-weight=\"600\" fill=\"{}\">{plain}</text>",
            theme.ink()
        ));
        drawing.add(format_args!("<text x=\"24\" y=\"53\" fill=\"{}\">{about}</text>", theme.quiet()));
        drawing
    }

    /// A picture of a page, without a title of its own. `label` says to those who cannot see it what it shows.
    pub fn picture(width: f64, height: f64, label: &str) -> Drawing {
        let svg = format!(
            "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{}\">\n",
            escaped(label)
        );
        Drawing { svg, theme: Theme::Page }
    }

    /// The theme, for its colours.
    pub fn theme(&self) -> Theme {
        self.theme
    }

    /// Appends an element. Text in it must be [`escaped`].
    pub fn add(&mut self, element: Arguments<'_>) {
        // Writing to a String does not fail.
        let _ = writeln!(self.svg, "{element}");
    }

    /// Draws a line.
    pub fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), colour: &str) {
        self.add(format_args!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
        ));
    }

    /// Draws a dashed line upright.
    pub fn mark(&mut self, x: f64, (top, bottom): (f64, f64), colour: &str) {
        self.add(format_args!(
            "<path d=\"M{x:.1} {top:.1}V{bottom:.1}\" stroke=\"{colour}\" stroke-dasharray=\"5 4\"/>"
        ));
    }

    /// Writes text on a line that ends, begins or has its middle at a point: `anchor` is `end`, `start` or `middle`.
    pub fn text(&mut self, (x, y): (f64, f64), anchor: &str, colour: &str, text: &str) {
        let text = escaped(text);
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{text}</text>"
        ));
    }

    /// Writes the name of the y axis upwards around this height.
    pub(crate) fn y_name(&mut self, x: f64, middle: f64, name: &str) {
        let name = escaped(name);
        let ink = self.theme.ink();
        self.add(format_args!(
            "<text transform=\"translate({x} {middle:.1}) rotate(-90)\" text-anchor=\"middle\" fill=\"{ink}\">{name}</text>"
        ));
    }

    /// Draws a line through points in a colour. Its name is shown where the pointer rests.
    pub fn curve(&mut self, points: impl IntoIterator<Item = (f64, f64)>, colour: &str, name: &str) {
        let (points, name) = (path(points), escaped(name));
        self.add(format_args!(
            "<path d=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-linejoin=\"round\">\
             <title>{name}</title></path>"
        ));
    }

    /// Fills the area that points enclose, so lightly that curves over it can be seen.
    pub fn area(&mut self, points: impl IntoIterator<Item = (f64, f64)>, colour: &str) {
        let points = path(points);
        self.add(format_args!("<path d=\"{points}Z\" fill=\"{colour}\" fill-opacity=\"0.15\"/>"));
    }

    /// Draws a point.
    pub fn point(&mut self, (x, y): (f64, f64), colour: &str) {
        self.add(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>"));
    }

    /// Fills a rectangle. Its name is shown where the pointer rests.
    pub fn rectangle(
        &mut self,
        (left, top): (f64, f64),
        (width, height): (f64, f64),
        colour: &str,
        name: &str,
    ) {
        let name = escaped(name);
        self.add(format_args!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{colour}\">\
             <title>{name}</title></rect>"
        ));
    }

    /// Draws a histogram over binades: a bar for each count, upwards from `floor`, the highest `height` high.
    ///
    /// `x` is the left end of an exponent's bar, and `colour` its colour.
    pub fn histogram<'a>(
        &mut self,
        counts: &[(i32, u64)],
        (floor, height): (f64, f64),
        x: impl Fn(i32) -> f64,
        colour: impl Fn(i32) -> &'a str,
    ) {
        let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1) as f64;
        for &(exponent, count) in counts.iter().filter(|(_, count)| *count > 0) {
            // Few elements among many can be seen all the same.
            let tall = (count as f64 / most * height).max(0.7);
            let width = (x(exponent + 1) - x(exponent)) * 0.85;
            let name = format!("2^{exponent}: {count}");
            self.rectangle((x(exponent), floor - tall), (width, tall), colour(exponent), &name);
        }
    }

    /// The SVG.
    pub fn finish(mut self) -> String {
        self.svg.push_str("</svg>\n");
        self.svg
    }
}

/// The path through points that run to the right. Of points at one height in a row, only the ends are kept.
pub(crate) fn path(points: impl IntoIterator<Item = (f64, f64)>) -> String {
    let mut kept: Vec<(String, String)> = vec![];
    for (x, y) in points {
        let (x, y) = (format!("{x:.1}"), format!("{y:.1}"));
        if let [.., before, last] = kept.as_mut_slice()
            && before.1 == y
            && last.1 == y
        {
            last.0 = x;
        } else {
            kept.push((x, y));
        }
    }
    let mut text = String::new();
    for (at, (x, y)) in kept.iter().enumerate() {
        let _ = write!(text, "{}{x} {y}", if at == 0 { "M" } else { "L" });
    }
    text
}

/// An exponent of ten as superscript digits.
pub(crate) fn superscript(n: i32) -> String {
    n.to_string()
        .chars()
        .map(|c| match c.to_digit(10) {
            Some(1) => '¹',
            Some(2) => '²',
            Some(3) => '³',
            Some(digit) => char::from_u32(0x2070 + digit).unwrap_or(c),
            None => '⁻',
        })
        .collect()
}

/// The distance of ticks on an axis from 0 to `end`: 1, 2 or 5 times a power of ten, the least that needs at most ten of them.
pub(crate) fn tick_step(end: f64) -> f64 {
    let power = 10f64.powf((end / 10.0).log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|step| end / step <= 10.0)
        .unwrap_or(10.0 * power)
}

/// A number without the digits that products of binary fractions leave.
pub(crate) fn rounded(x: f64) -> String {
    ((x * 1e6).round() / 1e6 + 0.0).to_string().replace('-', "−")
}

/// An axis with round numbers at its ends and ticks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    /// Between labels; of logarithms, decades.
    step: f64,
    logarithmic: bool,
}

impl Axis {
    /// The axis that contains the finite ones of these values. With `decades` it is logarithmic where they are positive and of very
    /// different sizes.
    pub fn around(values: impl Iterator<Item = f64>, decades: bool) -> Axis {
        /// Ratio from which small values could not be told from each other on a linear axis.
        const WIDE: f64 = 50.0;

        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return Axis { low: 0.0, high: 1.0, step: 0.5, logarithmic: false };
        }
        let logarithmic = decades && low > 0.0 && high / low > WIDE;
        let (low, high) = if logarithmic { (low.log10(), high.log10()) } else { (low, high) };
        let least = if logarithmic { 1.0 } else { 1e-3 * low.abs().max(high.abs()).max(1e-30) };
        let step = tick_step(2.0 * (high - low).max(least));
        let step = if logarithmic { step.ceil() } else { step };
        let (low, high) = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
        Axis { low, high: high.max(low + step), step, logarithmic }
    }

    /// The place of a value, from 0 at the low end to 1 at the high end.
    pub fn place(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.log10() } else { value };
        (value - self.low) / (self.high - self.low)
    }

    /// Places and labels of the ticks, in percent for a share.
    pub fn ticks(&self, share: bool) -> impl Iterator<Item = (f64, String)> {
        let axis = *self;
        let count = ((axis.high - axis.low) / axis.step).round() as usize;
        (0..=count).map(move |tick| {
            let at = axis.low + tick as f64 * axis.step;
            let label = match (axis.logarithmic, share) {
                (true, _) => format!("10{}", superscript(at.round() as i32)),
                (false, true) => format!("{}%", rounded(100.0 * at)),
                (false, false) => rounded(at),
            };
            ((at - axis.low) / (axis.high - axis.low), label)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_axes_are_round() {
        assert_eq!((superscript(-10), superscript(4)), ("⁻¹⁰".to_owned(), "⁴".to_owned()));
        assert_eq!(
            (tick_step(9.0), tick_step(36.0), tick_step(1.0), tick_step(144.0)),
            (1.0, 5.0, 0.1, 20.0)
        );
    }

    #[test]
    fn a_level_line_is_two_points() {
        let level = (0..100).map(|at| (at as f64, 7.0));
        assert_eq!(path(level), "M0.0 7.0L99.0 7.0");
        assert_eq!(path([(0.0, 1.0), (1.0, 2.0), (2.0, 2.0)]), "M0.0 1.0L1.0 2.0L2.0 2.0");
        assert_eq!(path([]), "");
    }

    #[test]
    fn axes_hold_their_values() {
        let axis = Axis::around([0.21, f64::NAN, 1.34, f64::INFINITY].into_iter(), true);
        assert_eq!(axis, Axis { low: 0.0, high: 1.5, step: 0.5, logarithmic: false });
        let labels: Vec<String> = axis.ticks(true).map(|(_, label)| label).collect();
        assert_eq!(labels, ["0%", "50%", "100%", "150%"]);
        assert!(!Axis::around([0.5, 3e3].into_iter(), false).logarithmic);
        // From 0.5 to 3,000: decades.
        let axis = Axis::around([0.5, 3e3].into_iter(), true);
        assert_eq!((axis.low, axis.high, axis.logarithmic), (-1.0, 4.0, true));
        assert_eq!(axis.ticks(false).next().unwrap().1, "10⁻¹");
        // A level line, and none.
        let level = Axis::around([2.0].into_iter(), true);
        assert!(level.low <= 2.0 && level.high >= 2.0 && level.high > level.low);
        assert_eq!(Axis::around(std::iter::empty(), false).place(0.5), 0.5);
    }

    #[test]
    fn axes_have_few_round_ticks() {
        for (least, greatest) in
            [(0.0, 1.0), (0.1987, 0.4502), (-3.0, 12.0), (0.5, 0.5), (0.0, 0.0), (1e-3, 3e-3)]
        {
            let axis = Axis::around([least, greatest].into_iter(), false);
            assert!(axis.place(least) >= 0.0 && axis.place(greatest) <= 1.0, "{axis:?}");
            let labels: Vec<String> = axis.ticks(false).map(|(_, label)| label).collect();
            assert!(
                (2..=8).contains(&labels.len()) && labels.iter().all(|label| label.len() <= 8),
                "{labels:?}"
            );
        }
        let labels: Vec<String> =
            Axis::around([0.0, 1.0].into_iter(), false).ticks(true).map(|(_, label)| label).collect();
        assert_eq!(labels, ["0%", "20%", "40%", "60%", "80%", "100%"]);
    }

    #[test]
    fn histograms_draw_what_is_there() {
        let mut drawing = Drawing::picture(40.0, 10.0, "a \"b\"");
        drawing.histogram(
            &[(-1, 0), (0, 4), (1, 1)],
            (10.0, 8.0),
            |exponent| f64::from(exponent) * 10.0,
            |exponent| if exponent > 0 { "red" } else { "blue" },
        );
        let svg = drawing.finish();
        assert!(svg.contains("aria-label=\"a &quot;b&quot;\""));
        assert_eq!(svg.matches("<rect").count(), 2);
        assert!(svg.contains(
            "<rect x=\"0.0\" y=\"2.0\" width=\"8.5\" height=\"8.0\" fill=\"blue\"><title>2^0: 4</title></rect>"
        ));
        assert!(svg.contains("fill=\"red\"><title>2^1: 1</title>"));
    }
}
