//! Progress bars on a terminal, and Ctrl-C during long work.

use std::io::{self, IsTerminal};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use binade_lab::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use crate::terminal::BarLine;
use crate::{Error, Status};

/// True after Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// A bar on standard error if that is a terminal, for work that Ctrl-C stops. The work stops at its next chunk and removes its
/// unfinished files. A second Ctrl-C ends the process at once.
pub(crate) struct Bar(Option<BarLine>);

/// Cleanup before a second Ctrl-C ends the process.
static BEFORE_EXIT: OnceLock<fn()> = OnceLock::new();

/// Installs the handler of Ctrl-C.
pub(crate) fn listen() -> Result<(), Error> {
    Ok(ctrlc::set_handler(interrupt)?)
}

/// The effect of Ctrl-C: asks the work to stop; a second time, ends the process.
pub(crate) fn interrupt() {
    if STOP.swap(true, Ordering::Relaxed) {
        binade_files::remove_unfinished();
        if let Some(work) = BEFORE_EXIT.get() {
            work();
        }
        std::process::exit(Status::Interrupted.code());
    }
}

/// Sets the cleanup before a second Ctrl-C ends the process. Only the first call has an effect.
#[cfg(feature = "train")]
pub(crate) fn before_exit(work: fn()) {
    let _ = BEFORE_EXIT.set(work);
}

/// Returns true after Ctrl-C.
pub(crate) fn interrupted() -> bool {
    STOP.load(Ordering::Relaxed)
}

impl Bar {
    pub(crate) fn new() -> Result<Bar, Error> {
        listen()?;
        Ok(Bar(line("{bar:32} {bytes}/{total_bytes} {bytes_per_sec} {eta} {wide_msg}", 0)))
    }
}

/// A bar of `count` units, if standard error is a terminal.
fn line(template: &str, count: u64) -> Option<BarLine> {
    io::stderr().is_terminal().then(|| {
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        BarLine::new(ProgressBar::new(count).with_style(style))
    })
}

/// The number of runs of a search, on standard error if that is a terminal.
#[cfg(feature = "run")]
pub(crate) struct RunsLine(Option<BarLine>);

#[cfg(feature = "run")]
impl RunsLine {
    pub(crate) fn new() -> RunsLine {
        RunsLine(line("{pos} runs, {elapsed}: {wide_msg}", 0))
    }

    /// Shows the number of finished runs, and the text for those in progress.
    pub(crate) fn show(&self, runs: u64, text: &str) {
        if let Some(bar) = &self.0 {
            bar.set_message(text.to_owned());
            bar.set_position(runs);
        }
    }
}

/// A bar of the pieces of a sweep, on standard error if that is a terminal.
pub(crate) struct PiecesBar(Option<BarLine>);

impl PiecesBar {
    pub(crate) fn new(count: usize) -> PiecesBar {
        PiecesBar(line("{bar:32} {pos}/{len} {elapsed} {wide_msg}", count as u64))
    }

    /// Shows the number of finished pieces, and the titles of those in progress.
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
