//! What is seen of a training while it runs: on a terminal a line for each cell, otherwise a line for each epoch.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use binade_train::record::{CellResult, Epoch, Line, State, Step};
use binade_train::{Cell, Experiment, Observer, number_text, percent_text};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::log::Log;
use crate::Error;

/// Shows and logs a training.
pub(crate) struct Show {
    epochs: u64,
    /// On a terminal: the bars of the cells that have begun, by number.
    bars: Option<(MultiProgress, Mutex<Vec<Option<ProgressBar>>>)>,
    style: ProgressStyle,
    steps: u64,
    log: Mutex<Option<Log>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Show {
    pub(crate) fn new(experiment: &Experiment, log: Option<Log>) -> Show {
        let template = "{prefix} {bar:24} {pos:>6}/{len} {eta:>4} {wide_msg}";
        let bars = io::stderr()
            .is_terminal()
            .then(|| (MultiProgress::new(), Mutex::new(vec![None; experiment.cells.len()])));
        Show {
            epochs: experiment.steps().div_ceil(experiment.steps_per_epoch()),
            bars,
            style: ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
            steps: experiment.steps(),
            log: Mutex::new(log),
        }
    }

    fn log(&self, line: impl FnOnce() -> Line) {
        if let Some(log) = &mut *lock(&self.log) {
            log.write(&line());
        }
    }

    /// Works on the bar of a cell, if there are bars.
    fn bar(&self, number: usize, name: &str, seed: u64, work: impl FnOnce(&ProgressBar)) {
        let Some((all, bars)) = &self.bars else { return };
        let mut bars = lock(bars);
        let bar = bars[number].get_or_insert_with(|| {
            let bar = all.add(ProgressBar::new(self.steps)).with_style(self.style.clone());
            bar.with_prefix(format!("{:<24}", format!("{name} seed {seed}")))
        });
        work(bar);
    }

    fn line(&self, text: &str) {
        if self.bars.is_none() {
            // A standard error that cannot be written to has no reader to tell.
            let _ = writeln!(io::stderr().lock(), "{text}");
        }
    }

    /// Ends what is shown, and the log.
    pub(crate) fn end(self) -> Result<(), Error> {
        if let Some((all, _)) = &self.bars {
            let _ = all.clear();
        }
        match self.log.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(log) => log.end(),
            None => Ok(()),
        }
    }
}

impl Observer for Show {
    fn step(&self, cell: &Cell, step: &Step) {
        self.log(|| Line::Step(step.clone()));
        self.bar(cell.number, &cell.arithmetic.name, cell.seed, |bar| bar.set_position(step.step + 1));
    }

    fn epoch(&self, cell: &Cell, epoch: &Epoch) {
        self.log(|| Line::Epoch { cell: cell.number, epoch: epoch.clone() });
        let mut facts = vec![format!("loss {}", epoch.loss.map_or("-".to_owned(), number_text))];
        facts.extend(epoch.accuracy.map(|found| format!("test accuracy {}", number_text(found))));
        facts.extend(epoch.lost_updates.map(|lost| format!("{} of updates lost", percent_text(lost))));
        let facts = facts.join(", ");
        let name = &cell.arithmetic.name;
        self.line(&format!("{name} seed {}: epoch {} of {}: {facts}", cell.seed, epoch.epoch, self.epochs));
        self.bar(cell.number, name, cell.seed, |bar| bar.set_message(facts));
    }

    fn finished(&self, result: &CellResult) {
        self.log(|| Line::Cell(result.clone()));
        if let (State::Diverged, Some(step)) = (result.state, result.diverged_at) {
            let text = format!("diverged: the loss of step {step} is infinite or NaN");
            self.line(&format!("{} seed {}: {text}", result.arith, result.seed));
            self.bar(result.cell, &result.arith, result.seed, |bar| bar.abandon_with_message(text));
        } else {
            self.bar(result.cell, &result.arith, result.seed, |bar| bar.abandon());
        }
    }
}
