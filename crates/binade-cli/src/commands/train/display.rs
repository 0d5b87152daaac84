//! Shows and logs a training while it runs: a live screen on a terminal, otherwise a line for each epoch.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use binade::recipe::short_form;
use binade_train::record::{BiasStep, CellResult, Epoch, Line, NotFiniteStep, State, Step};
use binade_train::{Cell, Experiment, LIST, Observer, bleu_text, number_text, percent_text};

use super::log::Log;
use super::screen::{self, Screen, TrainingState};
use crate::error::printable;
use crate::report_file::ReportFileError;

/// The display and the log of a training.
pub(crate) struct TrainingDisplay {
    epochs: u64,
    /// The live screen, on a terminal.
    screen: Option<Screen>,
    log: Mutex<Option<Log>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TrainingDisplay {
    /// A display of the cells with these numbers. With `plain`, a terminal has lines, too.
    pub(crate) fn new(
        experiment: &Experiment,
        numbers: &[usize],
        log: Option<Log>,
        plain: bool,
    ) -> TrainingDisplay {
        let live = !plain && screen::wanted();
        TrainingDisplay {
            epochs: experiment.steps().div_ceil(experiment.steps_per_epoch()),
            screen: live.then(|| Screen::begin(TrainingState::new(experiment, numbers))).flatten(),
            log: Mutex::new(log),
        }
    }

    fn log(&self, line: impl FnOnce() -> Line) {
        if let Some(log) = &mut *lock(&self.log) {
            log.write(&line());
        }
    }

    fn line(&self, name: &str, seed: u64, text: &str) {
        if self.screen.is_none() {
            // Errors of standard error are ignored.
            let _ = writeln!(io::stderr().lock(), "{} seed {seed}: {text}", printable(name));
        }
    }

    /// The live screen, if there is one.
    pub(crate) fn screen(&self) -> Option<&Screen> {
        self.screen.as_ref()
    }

    /// Ends the display and the log.
    pub(crate) fn end(self) -> Result<(), ReportFileError> {
        drop(self.screen);
        match self.log.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(log) => log.end(),
            None => Ok(()),
        }
    }
}

impl Observer for TrainingDisplay {
    fn step(&self, cell: &Cell, step: &Step) {
        self.log(|| Line::Step(step.clone()));
        if let Some(screen) = &self.screen {
            screen.tell(|training, now| training.step(cell.number, step, now));
        }
    }

    fn bias(&self, _: &Cell, bias: &BiasStep) {
        self.log(|| Line::Bias(bias.clone()));
    }

    fn not_finite(&self, _: &Cell, found: &NotFiniteStep) {
        self.log(|| Line::NotFinite(found.clone()));
    }

    fn epoch(&self, cell: &Cell, epoch: &Epoch) {
        self.log(|| Line::Epoch { cell: cell.number, epoch: epoch.clone() });
        let mut facts = vec![format!("loss {}", epoch.loss.map_or("-".to_owned(), number_text))];
        facts.extend(epoch.accuracy.map(|found| format!("test accuracy {}", number_text(found))));
        facts.extend(epoch.ranking.map(|found| {
            format!("recall@{LIST} {}, NDCG@{LIST} {}", number_text(found.recall), number_text(found.ndcg))
        }));
        facts.extend(epoch.bleu.map(|found| format!("BLEU {}", bleu_text(found))));
        facts.extend(epoch.lost_updates.map(|lost| format!("{} of updates lost", percent_text(lost))));
        let text = format!("epoch {} of {}: {}", epoch.epoch, self.epochs, facts.join(", "));
        self.line(&cell.arithmetic.short_name(), cell.seed, &text);
        if let Some(screen) = &self.screen {
            screen.tell(|training, _| training.epoch(cell.number, epoch));
        }
    }

    fn finished(&self, result: &CellResult) {
        self.log(|| Line::Cell(result.clone()));
        if let (State::Diverged, Some(step)) = (result.state, result.diverged_at) {
            let text = format!("diverged: the loss of step {step} is infinite or NaN");
            self.line(&short_form(&result.arith), result.seed, &text);
        }
        if let Some(screen) = &self.screen {
            screen.tell(|training, _| training.finished(result));
        }
    }
}
