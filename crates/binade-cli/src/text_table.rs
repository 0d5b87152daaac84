//! Tables of text for people.

use std::io::{self, Write};

/// Writes columns two spaces apart, each as wide as its widest cell; those whose number is in `right` end together.
pub(crate) fn write(out: &mut impl Write, lines: &[impl AsRef<[String]>], right: &[usize]) -> io::Result<()> {
    let mut widths: Vec<usize> = vec![];
    for line in lines {
        for (column, cell) in line.as_ref().iter().enumerate() {
            widths.resize(widths.len().max(column + 1), 0);
            widths[column] = widths[column].max(cell.chars().count());
        }
    }
    for line in lines {
        let mut text = String::new();
        for (column, (cell, &width)) in line.as_ref().iter().zip(&widths).enumerate() {
            text.push_str(&match right.contains(&column) {
                true => format!("{cell:>width$}  "),
                false => format!("{cell:width$}  "),
            });
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

/// A measure in four significant digits; whole small numbers as they are.
pub(crate) fn number(x: f64) -> String {
    match x {
        0.0 => "0".to_owned(),
        _ if x.is_infinite() || x.is_nan() => x.to_string(),
        _ => format!("{x:.3e}"),
    }
}

/// Decibels.
pub(crate) fn decibels(x: f64) -> String {
    if x.is_finite() { format!("{x:.2}") } else { x.to_string() }
}
