//! Tables of text for people.

use std::io::{self, Write};

/// Writes columns two spaces apart, each as wide as its widest cell; those whose number is in `right` end together.
pub(crate) fn write<const N: usize>(
    out: &mut impl Write,
    lines: &[[String; N]],
    right: &[usize],
) -> io::Result<()> {
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    for line in lines {
        let mut text = String::new();
        for (column, (cell, width)) in line.iter().zip(widths).enumerate() {
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
