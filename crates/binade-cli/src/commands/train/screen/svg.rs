//! Drawn screens as SVG for the documentation. Dots and bars are paths, so that no font with Braille or blocks is needed.

use std::collections::BTreeMap;
use std::fmt::Write;

use binade_page::escaped;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// Width and height of a character, in pixels.
const WIDTH: f64 = 8.0;
const HEIGHT: f64 = 17.0;
const MARGIN: f64 = 12.0;

/// A run of characters with the same look.
struct Text {
    x: usize,
    y: usize,
    look: String,
    text: String,
}

/// The picture of a buffer.
pub(super) fn svg(buffer: &Buffer) -> String {
    let (columns, lines) = (usize::from(buffer.area.width), usize::from(buffer.area.height));
    let (mut texts, mut shapes): (Vec<Text>, BTreeMap<String, String>) = (vec![], BTreeMap::new());
    for (at, cell) in buffer.content.iter().enumerate() {
        let (x, y) = (at % columns, at / columns);
        let look = look(cell);
        let symbol = cell.symbol().chars().next().unwrap_or(' ');
        if let Some(path) = path(symbol, MARGIN + x as f64 * WIDTH, MARGIN + y as f64 * HEIGHT) {
            shapes.entry(look).or_default().push_str(&path);
            continue;
        }
        if symbol == ' ' {
            continue;
        }
        let run = texts.last_mut().filter(|run| run.y == y && run.look == look);
        match run.filter(|run| x - run.x - run.text.chars().count() <= 1) {
            Some(run) => {
                run.text.extend(std::iter::repeat_n(' ', x - run.x - run.text.chars().count()));
                run.text.push(symbol);
            }
            None => texts.push(Text { x, y, look, text: symbol.to_string() }),
        }
    }
    let (width, height) = (columns as f64 * WIDTH + 2.0 * MARGIN, lines as f64 * HEIGHT + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"ui-monospace, Menlo, \
         Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" rx=\"8\" \
         fill=\"#16181d\"/>\n"
    );
    for (look, path) in shapes {
        let _ = writeln!(svg, "<path {look} d=\"{path}\"/>");
    }
    for Text { x, y, look, text } in texts {
        let (left, base) = (MARGIN + x as f64 * WIDTH, MARGIN + y as f64 * HEIGHT + 13.0);
        let length = text.chars().count() as f64 * WIDTH;
        let text = escaped(&text);
        let _ = writeln!(
            svg,
            "<text x=\"{left}\" y=\"{base}\" textLength=\"{length}\" xml:space=\"preserve\" {look}>{text}</text>"
        );
    }
    svg + "</svg>\n"
}

/// Colour and weight, as attributes.
fn look(cell: &Cell) -> String {
    let colour = match cell.fg {
        Color::Cyan => "#35c4d7",
        Color::Yellow => "#e3b341",
        Color::Red => "#f47067",
        Color::Green => "#57c46a",
        Color::Magenta => "#c586e8",
        Color::Blue => "#6c9cf8",
        Color::DarkGray => "#4a4f59",
        _ if cell.modifier.contains(Modifier::DIM) => "#8b929e",
        _ => "#d8dce3",
    };
    let weight = if cell.modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    format!("fill=\"{colour}\"{weight}")
}

/// The shape of a Braille pattern, a block or a line, if it is one.
fn path(symbol: char, x: f64, y: f64) -> Option<String> {
    let bar = |share: f64, inset: f64| {
        let (width, height) = (WIDTH * share, HEIGHT - 2.0 * inset);
        format!("M{x} {}h{width}v{height}h-{width}z", y + inset)
    };
    match symbol {
        '\u{2800}'..='\u{28ff}' => {
            // Dots 1–3 and 7 are the left column from above, 4–6 and 8 the right one.
            let bits = symbol as u32 - 0x2800;
            let places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
            let dots = places.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1);
            Some(dots.fold(String::new(), |mut path, (_, (column, line))| {
                let (left, top) = (x + 4.0 * f64::from(*column) + 0.8, y + 4.25 * f64::from(*line) + 0.8);
                let _ = write!(path, "M{left:.1} {top:.1}h2.4v2.4h-2.4z");
                path
            }))
        }
        '█' => Some(bar(1.0, 3.0)),
        // From seven eighths to one.
        '▉'..='▏' => Some(bar(f64::from(0x2590 - symbol as u32) / 8.0, 3.0)),
        '░' => Some(format!("M{x} {}h{WIDTH}v1h-{WIDTH}z", y + HEIGHT / 2.0)),
        '│' => Some(format!("M{} {y}h1v{HEIGHT}h-1z", x + WIDTH / 2.0)),
        '─' => Some(format!("M{x} {}h{WIDTH}v1h-{WIDTH}z", y + HEIGHT / 2.0)),
        '└' => {
            Some(format!("M{} {y}h1v{}h{}v1h-{}z", x + 4.0, HEIGHT / 2.0, WIDTH / 2.0, WIDTH / 2.0 + 1.0))
        }
        _ => None,
    }
}
