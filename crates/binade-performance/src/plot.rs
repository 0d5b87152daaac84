//! The roofline picture of a report.

use binade_page::charts::{Roofline, RooflinePoint, Series, roofline};
use binade_page::{Drawing, Theme};

use crate::core::Core;
use crate::estimate::{Report, Row};

/// The picture as SVG, 800 wide: operations under the roofs of the core, and the time of each arithmetic by bound.
pub fn svg(title: &str, report: &Report, core: &Core) -> String {
    drawing(title, report, core, Theme::Document).finish()
}

/// The picture of [`svg`], for a document or a page.
pub fn drawing(title: &str, report: &Report, core: &Core, theme: Theme) -> Drawing {
    // Giga multiply-adds per second, for a multiply-add per byte.
    let caches =
        core.caches.iter().map(|cache| (cache.name.clone(), cache.bytes_per_cycle * core.frequency_ghz));
    let slopes: Vec<(String, f64)> = caches.chain([("memory".to_owned(), core.memory_gb_per_s)]).collect();
    let bounds = core.bounds();
    let whole = report.baseline.seconds;
    let series: Vec<Series> = [&report.baseline]
        .into_iter()
        .chain(&report.rows)
        .map(|row| Series {
            name: &row.arith,
            roof: roof(row),
            points: points(row),
            segments: bounds
                .iter()
                .map(|bound| row.seconds_by_bound.get(bound).map_or(0.0, |s| s / whole))
                .collect(),
            note: format!("{:.2}×  ·  {}", row.speedup, seconds_text(row.seconds)),
        })
        .collect();
    let subtitle = match report.bounds {
        true => {
            "full points are products, others elementwise work; larger points take more time; the core's figures are bounds"
        }
        false => "full points are products, others elementwise work; larger points take more time",
    };
    roofline(
        &Roofline {
            title,
            subtitle,
            x_axis: "operations per byte of memory traffic",
            y_axis: "10⁹ operations per second",
            slopes: &slopes,
            series: &series,
            bounds: &bounds,
        },
        theme,
    )
}

/// The rate of the units. Under a recipe products have several rates, and the highest that one reaches is above their mean.
fn roof(row: &Row) -> f64 {
    let products = row.operations.iter().filter(|group| group.is_product && group.seconds > 0.0);
    products.map(|group| group.operations / group.seconds).fold(row.units_rate, f64::max) / 1e9
}

fn points(row: &Row) -> Vec<RooflinePoint> {
    let work: f64 = row.operations.iter().map(|group| group.seconds).sum();
    let groups = row.operations.iter().filter(|group| group.seconds > 0.002 * work && group.operations > 0.0);
    let point = |group: &crate::estimate::Group| RooflinePoint {
        name: format!(
            "{}, {}: {} runs of {}, bound by {}",
            row.arith,
            group.operation,
            group.executions,
            seconds_text(group.seconds),
            group.bound_by
        ),
        intensity: if group.memory_bytes > 0.0 {
            group.operations / group.memory_bytes
        } else {
            f64::INFINITY
        },
        rate: group.operations / group.seconds / 1e9,
        share: group.seconds / work,
        is_product: group.is_product,
    };
    groups.map(point).collect()
}

/// Seconds in a fitting unit, with three digits.
pub fn seconds_text(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s >= 1.0 || s <= 0.0 => (s, "s"),
        s if s >= 1e-3 => (1e3 * s, "ms"),
        s => (1e6 * s, "µs"),
    };
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_a_fitting_unit() {
        assert_eq!(
            [0.0, 12.34, 0.0567, 1.5e-6].map(seconds_text),
            ["0.00 s", "12.3 s", "56.7 ms", "1.50 µs"]
        );
    }
}
