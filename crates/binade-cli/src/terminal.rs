//! Messages on standard error, coloured on a terminal only.

use std::io::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::builder::styling::{AnsiColor, Style};

/// Messages that wait for a live screen to end, while there is one.
static HELD: Mutex<Option<Vec<(String, String)>>> = Mutex::new(None);

fn held() -> MutexGuard<'static, Option<Vec<(String, String)>>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes `label: message`; a standard error that cannot be written to has no reader to tell. While a screen has the terminal, messages wait.
pub(crate) fn report(label: &str, message: &str) {
    if let Some(waiting) = &mut *held() {
        waiting.push((label.to_owned(), message.to_owned()));
        return;
    }
    let style = match label {
        "error" => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
        _ => Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())),
    };
    let _ = writeln!(anstream::stderr().lock(), "{style}{label}:{style:#} {message}");
}

/// Whether a screen has the terminal.
pub(crate) fn is_held() -> bool {
    held().is_some()
}

/// Keeps messages back: a screen has the terminal.
#[cfg(feature = "train")]
pub(crate) fn hold() {
    held().get_or_insert_default();
}

/// Writes what was kept back.
#[cfg(feature = "train")]
pub(crate) fn release() {
    let waiting = held().take();
    waiting.into_iter().flatten().for_each(|(label, message)| report(&label, &message));
}
