//! Formats tables, numbers and counts as text.

use std::io::{self, Write};

/// Writes columns two spaces apart, each as wide as its widest cell. Columns whose number is in `right` are aligned to the right.
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
            // The width of a formatted argument is limited to 65,535.
            let padding = " ".repeat(width - cell.chars().count());
            match right.contains(&column) {
                true => text.extend([&*padding, cell]),
                false => text.extend([cell, &*padding]),
            }
            text.push_str("  ");
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

/// A number in four significant digits.
pub(crate) fn number(x: f64) -> String {
    match x {
        0.0 => "0".to_owned(),
        _ if x.is_infinite() || x.is_nan() => x.to_string(),
        _ => format!("{x:.3e}"),
    }
}

/// A count with its noun: `1 piece`, `2 pieces`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Decibels.
pub(crate) fn decibels(x: f64) -> String {
    if x.is_finite() { format!("{x:.2}") } else { x.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_with_a_very_wide_cell_is_as_wide_as_it() {
        let long = "é".repeat(70_000);
        let lines = [["a".to_owned(), "1".to_owned()], [long.clone(), "23".to_owned()]];
        let mut out = vec![];
        write(&mut out, &lines, &[1]).unwrap();
        let text = String::from_utf8(out).unwrap();
        let wanted = format!("a{}   1\n{long}  23\n", " ".repeat(69_999));
        assert!(text == wanted, "{} characters", text.chars().count());
    }
}
