//! Messages on standard error: coloured on a terminal, and written beside a progress bar or a live screen.

use std::io::{self, Write};
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::builder::styling::{AnsiColor, Style};
use indicatif::ProgressBar;

/// The part of the program that draws on the terminal.
enum Occupant {
    None,
    /// A bar in the last line, which moves down for messages.
    Bar(ProgressBar),
    /// A live screen, and the messages to write after it.
    #[cfg(feature = "train")]
    Screen(Vec<(String, String)>),
}

static OCCUPANT: Mutex<Occupant> = Mutex::new(Occupant::None);

fn occupant() -> MutexGuard<'static, Occupant> {
    OCCUPANT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes `label: message`. Errors of standard error are ignored. While a live screen is shown, messages are buffered.
pub(crate) fn report(label: &str, message: &str) {
    match &mut *occupant() {
        Occupant::None => write(label, message),
        Occupant::Bar(bar) => bar.suspend(|| write(label, message)),
        #[cfg(feature = "train")]
        Occupant::Screen(waiting) => waiting.push((label.to_owned(), message.to_owned())),
    }
}

fn write(label: &str, message: &str) {
    let style = match label {
        "error" => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
        _ => Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())),
    };
    // A message may quote control sequences, which are escaped; line breaks are kept.
    let message = message.split('\n').map(binade::text::printable).collect::<Vec<_>>().join("\n");
    let _ = writeln!(anstream::stderr().lock(), "{style}{label}:{style:#} {message}");
}

/// Writes the output of another program.
pub(crate) fn pass_on(said: &[u8]) {
    let write = || {
        let _ = io::stderr().write_all(said);
    };
    match &*occupant() {
        Occupant::Bar(bar) => bar.suspend(write),
        _ => write(),
    }
}

/// A bar in the last line of the terminal, removed on drop.
pub(crate) struct BarLine(ProgressBar);

impl BarLine {
    pub(crate) fn new(bar: ProgressBar) -> BarLine {
        *occupant() = Occupant::Bar(bar.clone());
        BarLine(bar)
    }
}

impl Deref for BarLine {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.0
    }
}

impl Drop for BarLine {
    fn drop(&mut self) {
        *occupant() = Occupant::None;
        self.0.finish_and_clear();
    }
}

/// Returns true while a live screen is shown.
pub(crate) fn has_screen() -> bool {
    !matches!(*occupant(), Occupant::None | Occupant::Bar(_))
}

/// Buffers messages while a live screen is shown.
#[cfg(feature = "train")]
pub(crate) fn buffer_messages() {
    let mut occupant = occupant();
    if !matches!(*occupant, Occupant::Screen(_)) {
        *occupant = Occupant::Screen(vec![]);
    }
}

/// Writes the buffered messages.
#[cfg(feature = "train")]
pub(crate) fn flush_messages() {
    if let Occupant::Screen(waiting) = std::mem::replace(&mut *occupant(), Occupant::None) {
        waiting.into_iter().for_each(|(label, message)| write(&label, &message));
    }
}
