//! Long work: a progress bar on a terminal, and Ctrl-C.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use binade_lab::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::Line;
use crate::{Error, Status};

/// Whether Ctrl-C was pressed.
static STOP: AtomicBool = AtomicBool::new(false);

/// A bar on standard error where that is a terminal, and an ear for Ctrl-C: the work stops at its next chunk and
/// removes its unfinished files. A second Ctrl-C does not wait for that.
pub(crate) struct Bar(Option<Line>);

/// What is to be done before a second Ctrl-C ends the process.
static BEFORE_EXIT: OnceLock<fn()> = OnceLock::new();

/// Listens for Ctrl-C.
pub(crate) fn listen() -> Result<(), Error> {
    Ok(ctrlc::set_handler(interrupt)?)
}

/// What Ctrl-C does, from wherever it is heard.
pub(crate) fn interrupt() {
    if STOP.swap(true, Ordering::Relaxed) {
        binade_files::remove_unfinished();
        if let Some(work) = BEFORE_EXIT.get() {
            work();
        }
        std::process::exit(Status::Interrupted.code());
    }
}

/// Has this done before a second Ctrl-C ends the process; the first caller counts.
#[cfg(feature = "train")]
pub(crate) fn before_exit(work: fn()) {
    let _ = BEFORE_EXIT.set(work);
}

/// Whether Ctrl-C was pressed.
pub(crate) fn interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

impl Bar {
    pub(crate) fn new() -> Result<Bar, Error> {
        listen()?;
        Ok(Bar(line("{bar:32} {bytes}/{total_bytes} {bytes_per_sec} {eta} {wide_msg}", 0)))
    }
}

/// A bar of so many, where standard error is a terminal.
fn line(template: &str, count: u64) -> Option<Line> {
    io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Line::new(ProgressBar::new(count).with_style(style))
    })
}

/// Pieces of a sweep that many work on: a bar on standard error where that is a terminal.
pub(crate) struct PiecesBar(Option<Line>);

impl PiecesBar {
    pub(crate) fn new(count: usize) -> PiecesBar {
        PiecesBar(line("{bar:32} {pos}/{len} {elapsed} {wide_msg}", count as u64))
    }

    /// Shows how many are done, and what is being worked on.
    pub(crate) fn show(&self, done: usize, at_work: String) {
        if let Some(bar) = &self.0 {
            bar.set_message(at_work);
            bar.set_position(done as u64);
        }
    }
}

impl Progress for Bar {
    fn total(&self, bytes: u64) {
        if let Some(bar) = &self.0 {
            bar.set_length(bytes);
            bar.set_position(0);
        }
    }

    fn advance(&self, bytes: u64, tensor: &str) {
        if let Some(bar) = &self.0 {
            bar.inc(bytes);
            bar.set_message(crate::error::printable(tensor));
        }
    }

    fn cancelled(&self) -> bool {
        interrupted()
    }
}
