//! Shares of elements within an error, over errors that include 0.

use crate::charts::{LEFT, NAME, RIGHT, stroke, with_legend};
use crate::drawing::{Drawing, Theme, path, superscript};
use crate::markup::escaped;

/// Shares of elements with at most an error, as steps over errors from 0 on.
#[derive(Clone, Debug)]
pub struct Cumulative<'a> {
    /// The title of the plot.
    pub title: &'a str,
    /// A sentence below the title.
    pub subtitle: &'a str,
    /// The name of the x axis.
    pub x_axis: &'a str,
    /// The name of the y axis.
    pub y_axis: &'a str,
    /// Names and (error, share), to the right. Shares are from 0 to 1, and each holds up to the next error.
    pub curves: &'a [(&'a str, Vec<(f64, f64)>)],
}

/// A power of two as the label of a tick.
fn power(exponent: i32) -> String {
    if exponent < 10 { (1u32 << exponent).to_string() } else { format!("2{}", superscript(exponent)) }
}

/// Draws cumulative shares. The x axis is that of log2(1 + x): linear near 0, and logarithmic beyond 1.
pub fn cumulative(plot: &Cumulative<'_>, theme: Theme) -> Drawing {
    /// Largest number of labels besides that of 0.
    const LABELS: i32 = 12;

    let names: Vec<&str> = plot.curves.iter().map(|(name, _)| *name).collect();
    let (mut drawing, top, bottom) = with_legend(theme, plot.title, plot.subtitle, &names);
    let largest = plot
        .curves
        .iter()
        .flat_map(|(_, points)| points)
        .map(|(error, _)| *error)
        .filter(|error| error.is_finite())
        .fold(1.0, f64::max);
    let last = largest.log2().ceil() as i32;
    let scale = |error: f64| (1.0 + error.min(2f64.powi(last))).log2();
    let x = |error: f64| LEFT + scale(error) / scale(2f64.powi(last)) * (RIGHT - LEFT);
    let y = |share: f64| bottom - share * (bottom - top);
    for tick in 0..=5 {
        let height = y(f64::from(tick) / 5.0);
        drawing.line((LEFT, height), (RIGHT, height), if tick == 0 { theme.ink() } else { theme.grid() });
        drawing.text((LEFT - 10.0, height + 4.5), "end", theme.quiet(), &format!("{}%", 20 * tick));
    }
    let every = (last / LABELS + 1).max(1);
    let powers = (0..=last).filter(|exponent| exponent % every == 0);
    let ticks = powers.map(|exponent| (2f64.powi(exponent), power(exponent)));
    for (error, label) in [(0.0, "0".to_owned())].into_iter().chain(ticks) {
        drawing.line((x(error), bottom), (x(error), bottom + 5.0), theme.ink());
        drawing.text((x(error), bottom + 20.0), "middle", theme.quiet(), &label);
    }
    drawing.text(((LEFT + RIGHT) / 2.0, bottom + 44.0), "middle", theme.ink(), plot.x_axis);
    drawing.y_name(NAME, (top + bottom) / 2.0, plot.y_axis);
    for (index, (name, points)) in plot.curves.iter().enumerate() {
        let Some(&(_, end)) = points.last() else { continue };
        let steps = points.windows(2).flat_map(|pair| [pair[0], (pair[1].0, pair[0].1)]);
        let corners = steps.chain(points.last().copied()).chain([(f64::INFINITY, end)]);
        let mut corners: Vec<(f64, f64)> = corners.map(|(error, share)| (x(error), y(share))).collect();
        corners.dedup();
        let (path, name) = (path(corners), escaped(name));
        drawing.add(format_args!("<path d=\"{path}\" {}><title>{name}</title></path>", stroke(index)));
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(curves: &[(&str, Vec<(f64, f64)>)]) -> String {
        let plot = Cumulative { title: "", subtitle: "", x_axis: "", y_axis: "", curves };
        cumulative(&plot, Theme::Page).finish()
    }

    #[test]
    fn shares_hold_up_to_the_next_error() {
        // Half of the elements have no error and all have at most 1: a step at 1, which is the end of the axis.
        let svg = drawn(&[("a<b", vec![(0.0, 0.5), (1.0, 1.0)])]);
        assert!(svg.contains("a&lt;b"), "{svg}");
        let path = svg.split("<path d=\"").find(|part| part.contains("<title>a&lt;b")).unwrap();
        let heights: Vec<&str> = path.split('"').next().unwrap().split(['M', 'L']).skip(1).collect();
        assert_eq!(heights.len(), 3, "{heights:?}");
        assert!(heights[0].starts_with("84.0 ") && heights[1].starts_with("776.0 "), "{heights:?}");
        assert_eq!(heights[0].split(' ').nth(1), heights[1].split(' ').nth(1));
    }

    #[test]
    fn wide_ranges_have_few_labels() {
        let svg = drawn(&[("a", vec![(0.0, 0.1), (2f64.powi(100), 1.0)]), ("b", vec![])]);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        // The names of both axes are among them.
        assert!((4..=15).contains(&svg.matches("text-anchor=\"middle\"").count()), "{svg}");
        assert!(!drawn(&[]).contains("NaN"));
    }
}
