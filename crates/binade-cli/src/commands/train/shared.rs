//! `binade train --shared`: trains cells as pieces of a sweep.

use binade_sweep::{Lease, Piece, PieceResult, Progress, Sweep, SweepPlan, sha256};
use binade_train::record::{BiasStep, CellResult, Document, Epoch, NotFiniteStep, Run, State, Step};
use binade_train::{Cell, Experiment, Observer};

use super::display::TrainingDisplay;
use super::{OutputArgs, TrainingError, watch};
use crate::commands::shared::{SharedArgs, SweepOutcome};
use crate::{Error, Output, Status};

/// A cell that this process has claimed. Its progress is shown here and written for other processes. After the claim is lost, its
/// results are dropped.
struct LeasedCell<'a> {
    display: &'a TrainingDisplay,
    lease: &'a Lease<'a>,
    /// The number of steps of a cell.
    steps: u64,
}

impl Observer for LeasedCell<'_> {
    fn step(&self, cell: &Cell, step: &Step) {
        self.display.step(cell, step);
        let facts = serde_json::to_value(step).unwrap_or_default();
        self.lease.report_progress(Progress { done: step.step + 1, of: self.steps, facts });
    }

    fn bias(&self, cell: &Cell, bias: &BiasStep) {
        self.display.bias(cell, bias);
    }

    fn not_finite(&self, cell: &Cell, found: &NotFiniteStep) {
        self.display.not_finite(cell, found);
    }

    fn epoch(&self, cell: &Cell, epoch: &Epoch) {
        self.display.epoch(cell, epoch);
    }

    fn finished(&self, result: &CellResult) {
        self.display.finished(result);
    }

    fn may_checkpoint(&self, _: &Cell) -> bool {
        !self.lease.is_lost()
    }

    fn checkpoint_written(&self, _: &Cell, steps: u64) {
        self.lease.report_saved(steps);
    }
}

/// A hash of everything that a cell's result is a function of: its bits, and the number of traced results.
pub(super) fn inputs(experiment: &Experiment, cell: &Cell) -> String {
    let bits = experiment.fingerprint(cell);
    match experiment.settings.swamping {
        None => bits,
        Some(results) => sha256(format!("{bits} swamping {results}")),
    }
}

fn plan(experiment: &Experiment, threads: usize) -> Result<SweepPlan, Error> {
    let memory = experiment.memory(threads);
    let pieces = experiment.cells.iter().map(|cell| Piece {
        title: format!("{} seed {}", cell.arithmetic.short_name(), cell.seed),
        inputs: inputs(experiment, cell),
        memory,
    });
    Ok(SweepPlan {
        binade: env!("CARGO_PKG_VERSION").to_owned(),
        kind: "train".to_owned(),
        about: serde_json::to_value(experiment.facts())?,
        pieces: pieces.collect(),
        last: None,
    })
}

/// Trains the cells of a trial as a sweep in a folder of the trial. Returns the results in order, none after a stop. Processes with
/// the same search have the same trials, and share the cells of each.
pub(super) fn trial(
    shared: &SharedArgs,
    experiment: &Experiment,
    numbers: &[usize],
    threads: usize,
) -> Result<Vec<CellResult>, Error> {
    let mut plan = plan(experiment, threads)?;
    let all = std::mem::take(&mut plan.pieces);
    plan.pieces = numbers.iter().filter_map(|number| all.get(*number).cloned()).collect();
    let inputs: Vec<&str> = plan.pieces.iter().map(|piece| &*piece.inputs).collect();
    let name = sha256(inputs.join(" "));
    let display = TrainingDisplay::new(experiment, numbers, None, true);
    // The plan must not depend on earlier trials.
    (plan.kind, plan.about) = ("train --search".to_owned(), serde_json::Value::Null);
    let folder = shared.folder().join("trials").join(&name[..16]);
    let piece = |at: usize, lease: &Lease<'_>| trained(experiment, numbers[at], threads, &display, lease);
    match shared.work_in(&folder, plan, &[], piece)? {
        SweepOutcome::Complete(sweep) => results(&sweep),
        SweepOutcome::Early(Status::Interrupted) => Ok(vec![]),
        SweepOutcome::Early(_) => Err(TrainingError::Pieces(folder).into()),
    }
}

/// Trains a claimed cell; `None` after a stop.
fn trained(
    experiment: &Experiment,
    number: usize,
    threads: usize,
    display: &TrainingDisplay,
    lease: &Lease<'_>,
) -> Result<Option<PieceResult>, Error> {
    let leased = LeasedCell { display, lease, steps: experiment.steps() };
    let mut results = experiment.run(&[number], threads, &leased, &|| lease.should_stop())?;
    let Some(result) = results.pop().filter(|result| result.state != State::Running) else {
        return Ok(None);
    };
    // The text has binary32 numbers in their shortest form, as in --json.
    let value = serde_json::from_str(&serde_json::to_string(&result)?)?;
    Ok(Some(PieceResult { sha256: result.sha256(), value, file: None }))
}

/// The results of a sweep.
fn results(sweep: &Sweep) -> Result<Vec<CellResult>, Error> {
    let mut cells = vec![];
    for number in 0..sweep.plan().pieces.len() {
        if let Some(finished) = sweep.finished(number)? {
            cells.push(serde_json::from_value(finished.result).map_err(|error| sweep.damaged(&error))?);
        }
    }
    Ok(cells)
}

/// Trains cells of a sweep: all free ones, or only those in `only`. Prints the table if all cells have results.
pub(super) fn work(
    shared: &SharedArgs,
    experiment: &Experiment,
    only: &[usize],
    (threads, plain): (usize, bool),
    outputs: &OutputArgs,
    out: &mut Output,
) -> Result<Status, Error> {
    let all: Vec<usize> = (0..experiment.cells.len()).collect();
    // Without a training, there is no screen.
    let display = TrainingDisplay::new(experiment, &all, None, plain || shared.only_plans());
    let piece = |number: usize, lease: &Lease<'_>| trained(experiment, number, threads, &display, lease);
    let plan = plan(experiment, threads)?;
    let left = watch::with_screen(shared.folder(), display.screen(), || {
        shared.work(plan, only, outputs.json, piece, out)
    });
    display.end()?;
    match left? {
        SweepOutcome::Early(status) => Ok(status),
        SweepOutcome::Complete(sweep) => join(&sweep, outputs, out).map(|()| Status::Done),
    }
}

/// Prints the results of a sweep.
pub(crate) fn join(sweep: &Sweep, outputs: &OutputArgs, out: &mut Output) -> Result<(), Error> {
    let run: Run =
        serde_json::from_value(sweep.plan().about.clone()).map_err(|error| sweep.damaged(&error))?;
    outputs.write(&Document { run, cells: results(sweep)? }, None, out)
}
