//! Messages on standard error, coloured on a terminal only.

use std::io::{self, Write};
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::builder::styling::{AnsiColor, Style};
use indicatif::ProgressBar;

/// Who else writes to the terminal.
enum Beside {
    Nobody,
    /// A bar in its last line, which makes room for messages.
    Bar(ProgressBar),
    /// A live screen, and the messages that wait for its end.
    #[cfg(feature = "train")]
    Screen(Vec<(String, String)>),
}

static BESIDE: Mutex<Beside> = Mutex::new(Beside::Nobody);

fn beside() -> MutexGuard<'static, Beside> {
    BESIDE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes `label: message`; a standard error that cannot be written to has no reader to tell. While a screen has the terminal, messages wait.
pub(crate) fn report(label: &str, message: &str) {
    match &mut *beside() {
        Beside::Nobody => write(label, message),
        Beside::Bar(bar) => bar.suspend(|| write(label, message)),
        #[cfg(feature = "train")]
        Beside::Screen(waiting) => waiting.push((label.to_owned(), message.to_owned())),
    }
}

fn write(label: &str, message: &str) {
    let style = match label {
        "error" => Style::new().bold().fg_color(Some(AnsiColor::Red.into())),
        _ => Style::new().bold().fg_color(Some(AnsiColor::Cyan.into())),
    };
    // Whatever a message quotes, a terminal obeys none of it; lines stay lines.
    let message = message.split('\n').map(binade::text::printable).collect::<Vec<_>>().join("\n");
    let _ = writeln!(anstream::stderr().lock(), "{style}{label}:{style:#} {message}");
}

/// Writes what another program has said.
pub(crate) fn pass_on(said: &[u8]) {
    let write = || {
        let _ = io::stderr().write_all(said);
    };
    match &*beside() {
        Beside::Bar(bar) => bar.suspend(write),
        _ => write(),
    }
}

/// A bar that is in the last line of the terminal as long as this lives.
pub(crate) struct Line(ProgressBar);

impl Line {
    pub(crate) fn new(bar: ProgressBar) -> Line {
        *beside() = Beside::Bar(bar.clone());
        Line(bar)
    }
}

impl Deref for Line {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.0
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        *beside() = Beside::Nobody;
        self.0.finish_and_clear();
    }
}

/// Whether a screen has the terminal.
pub(crate) fn is_held() -> bool {
    !matches!(*beside(), Beside::Nobody | Beside::Bar(_))
}

/// Keeps messages back: a screen has the terminal.
#[cfg(feature = "train")]
pub(crate) fn hold() {
    let mut beside = beside();
    if !matches!(*beside, Beside::Screen(_)) {
        *beside = Beside::Screen(vec![]);
    }
}

/// Writes what was kept back.
#[cfg(feature = "train")]
pub(crate) fn release() {
    if let Beside::Screen(waiting) = std::mem::replace(&mut *beside(), Beside::Nobody) {
        waiting.into_iter().for_each(|(label, message)| write(&label, &message));
    }
}
