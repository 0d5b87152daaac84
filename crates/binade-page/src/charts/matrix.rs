//! A matrix of cells whose colour is a share.

use crate::charts::CHARACTER;
use crate::drawing::{Drawing, Theme};
use crate::markup::escaped;

/// Things beside each other, each with a number, and a cell for each two.
#[derive(Clone, Debug)]
pub struct SharesOfPairs<'a> {
    /// The title of the plot.
    pub title: &'a str,
    /// A sentence below the title.
    pub subtitle: &'a str,
    /// The names, each at its row. Columns have the rows' numbers.
    pub names: &'a [&'a str],
    /// Row, column, share from 0 to 1, and the lines of text in the cell. The cell is drawn on both sides of the diagonal.
    pub cells: &'a [(usize, usize, f64, [String; 2])],
}

/// Draws shares of pairs.
pub fn shares_of_pairs(plot: &SharesOfPairs<'_>, theme: Theme) -> Drawing {
    const TOP: f64 = 92.0;
    const RIGHT: f64 = 776.0;
    const HEIGHT: f64 = 46.0;
    /// Opacity of a share of 1: text over it can be read in light and dark.
    const STRONGEST: f64 = 0.55;

    let count = plot.names.len();
    // Names that do not fit are cut; their titles have them in full.
    let longest = plot.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let left = (60.0 + longest as f64 * CHARACTER).clamp(120.0, 330.0);
    let fits = ((left - 60.0) / CHARACTER) as usize;
    let width = ((RIGHT - left) / count.max(1) as f64).min(130.0);
    let mut drawing = Drawing::plot(theme, TOP + HEIGHT * count as f64 + 20.0, plot.title, plot.subtitle);
    let middle = |column: usize| left + (column as f64 + 0.5) * width;
    let row = |row: usize| TOP + row as f64 * HEIGHT;
    for (at, name) in plot.names.iter().enumerate() {
        let shown: String = match name.chars().count() > fits {
            true => name.chars().take(fits.saturating_sub(1)).chain(['…']).collect(),
            false => (*name).to_owned(),
        };
        let number = (at + 1).to_string();
        drawing.text((middle(at), TOP - 8.0), "middle", theme.quiet(), &number);
        drawing.text((34.0, row(at) + HEIGHT / 2.0 + 4.5), "end", theme.quiet(), &number);
        drawing.add(format_args!(
            "<text x=\"44\" y=\"{:.1}\" fill=\"{}\">{}<title>{}</title></text>",
            row(at) + HEIGHT / 2.0 + 4.5,
            theme.ink(),
            escaped(&shown),
            escaped(name)
        ));
        drawing.text((middle(at), row(at) + HEIGHT / 2.0 + 4.5), "middle", theme.quiet(), "–");
    }
    for (a, b, share, lines) in plot.cells {
        for (at, column) in [(*a, *b), (*b, *a)] {
            let (x, y) = (left + column as f64 * width, row(at));
            let names = [at, column].map(|index| plot.names.get(index).copied().unwrap_or_default());
            drawing.add(format_args!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\" fill=\"{}\" fill-opacity=\"{:.3}\" \
                 stroke=\"{}\"><title>{}: {}</title></rect>",
                x + 1.0,
                y + 1.0,
                width - 2.0,
                HEIGHT - 2.0,
                crate::COLOURS[0],
                STRONGEST * share.clamp(0.0, 1.0),
                theme.grid(),
                escaped(&names.join(", ")),
                escaped(&lines.join(", "))
            ));
            for (line, text) in lines.iter().enumerate() {
                let height = y + 20.0 + 16.0 * line as f64;
                drawing.text((middle(column), height), "middle", theme.ink(), text);
            }
        }
    }
    drawing
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_has_two_cells() {
        let names = ["a<b", "a name of more characters than the column of the names is wide", "c"];
        let text = || ["1 %".to_owned(), "2 ulps".to_owned()];
        let cells = [(0, 1, 0.5, text()), (0, 2, 0.0, text()), (1, 2, 1.0, text())];
        let plot = SharesOfPairs { title: "", subtitle: "", names: &names, cells: &cells };
        let svg = shares_of_pairs(&plot, Theme::Page).finish();
        assert_eq!(svg.matches("rx=\"3\"").count(), 6);
        assert_eq!(svg.matches(">2 ulps</text>").count(), 6);
        assert!(svg.contains("a&lt;b") && svg.contains("…<title>a name of more characters than"), "{svg}");
        assert_eq!(svg.matches("fill-opacity=\"0.275\"").count(), 2);
        let empty = SharesOfPairs { title: "", subtitle: "", names: &[], cells: &[] };
        assert!(!shares_of_pairs(&empty, Theme::Page).finish().contains("NaN"));
    }
}
