//! Messages on standard error, coloured on a terminal only.

use std::io::Write;

use clap::builder::styling::{AnsiColor, Style};

/// Writes `label: message`; a standard error that cannot be written to has no reader to tell.
pub(crate) fn report(label: &str, message: &str) {
    let style = match label {
        "error" => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
        _ => Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())),
    };
    let _ = writeln!(anstream::stderr().lock(), "{style}{label}:{style:#} {message}");
}
