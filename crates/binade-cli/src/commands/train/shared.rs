//! `binade train --shared`: cells as pieces of a sweep.

use binade_sweep::{Lease, Piece, PieceResult, Progress, Sweep, SweepPlan, sha256};
use binade_train::record::{CellResult, Document, Epoch, Run, State, Step};
use binade_train::{Cell, Experiment, Observer};

use super::show::Show;
use super::{Answer, TrainingError, watch};
use crate::commands::shared::{Left, Shared};
use crate::{Error, Output, Status};

/// Shows a training to who looks here and elsewhere, and keeps nothing of a cell that another has taken over.
struct Held<'a> {
    show: &'a Show,
    lease: &'a Lease<'a>,
    /// Steps of a cell.
    steps: u64,
}

impl Observer for Held<'_> {
    fn step(&self, cell: &Cell, step: &Step) {
        self.show.step(cell, step);
        let facts = serde_json::to_value(step).unwrap_or_default();
        self.lease.report_progress(Progress { done: step.step + 1, of: self.steps, facts });
    }

    fn epoch(&self, cell: &Cell, epoch: &Epoch) {
        self.show.epoch(cell, epoch);
    }

    fn finished(&self, result: &CellResult) {
        self.show.finished(result);
    }

    fn may_checkpoint(&self, _: &Cell) -> bool {
        !self.lease.is_lost()
    }

    fn checkpoint_written(&self, _: &Cell, steps: u64) {
        self.lease.report_saved(steps);
    }
}

/// What a cell's result is a function of, as a hash: what its bits are, and how much is looked at.
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
        title: format!("{} seed {}", cell.arithmetic.name, cell.seed),
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

/// Trains the cells of a trial, in a folder of their own: results in their order, none if training was to stop. Processes that do the
/// same search come to the same trials, and share the cells of each.
pub(super) fn trial(
    shared: &Shared,
    experiment: &Experiment,
    numbers: &[usize],
    threads: usize,
) -> Result<Vec<CellResult>, Error> {
    let mut plan = plan(experiment, threads)?;
    let all = std::mem::take(&mut plan.pieces);
    plan.pieces = numbers.iter().filter_map(|number| all.get(*number).cloned()).collect();
    let inputs: Vec<&str> = plan.pieces.iter().map(|piece| &*piece.inputs).collect();
    let name = sha256(inputs.join(" "));
    let show = Show::new(experiment, numbers, None, true);
    // What other trials had before is none of its business.
    (plan.kind, plan.about) = ("train --search".to_owned(), serde_json::Value::Null);
    let folder = shared.folder().join("trials").join(&name[..16]);
    let piece = |at: usize, lease: &Lease<'_>| trained(experiment, numbers[at], threads, &show, lease);
    match shared.work_in(&folder, plan, &[], piece)? {
        Left::Complete(sweep) => results(&sweep),
        Left::Early(Status::Interrupted) => Ok(vec![]),
        Left::Early(_) => Err(TrainingError::Pieces(folder).into()),
    }
}

/// Trains a cell while it is held; none if that was to stop.
fn trained(
    experiment: &Experiment,
    number: usize,
    threads: usize,
    show: &Show,
    lease: &Lease<'_>,
) -> Result<Option<PieceResult>, Error> {
    let held = Held { show, lease, steps: experiment.steps() };
    let mut results = experiment.run(&[number], threads, &held, &|| lease.should_stop())?;
    let Some(result) = results.pop().filter(|result| result.state != State::Running) else {
        return Ok(None);
    };
    // By way of its text, in which binary32 numbers are as short as --json has them.
    let value = serde_json::from_str(&serde_json::to_string(&result)?)?;
    Ok(Some(PieceResult { sha256: result.sha256(), value, file: None }))
}

/// The cells of a sweep that have results.
fn results(sweep: &Sweep) -> Result<Vec<CellResult>, Error> {
    let mut cells = vec![];
    for number in 0..sweep.plan().pieces.len() {
        if let Some(finished) = sweep.finished(number)? {
            cells.push(serde_json::from_value(finished.result).map_err(|error| sweep.damaged(&error))?);
        }
    }
    Ok(cells)
}

/// Trains cells of a sweep: all that are free, or `only` those. Answers if all cells have results.
pub(super) fn work(
    shared: &Shared,
    experiment: &Experiment,
    only: &[usize],
    (threads, plain): (usize, bool),
    answer: &Answer,
    out: &mut Output,
) -> Result<Status, Error> {
    let all: Vec<usize> = (0..experiment.cells.len()).collect();
    // What is not trained needs no screen.
    let show = Show::new(experiment, &all, None, plain || shared.only_plans());
    let piece = |number: usize, lease: &Lease<'_>| trained(experiment, number, threads, &show, lease);
    let plan = plan(experiment, threads)?;
    let left =
        watch::beside(shared.folder(), show.screen(), || shared.work(plan, only, answer.json, piece, out));
    show.end()?;
    match left? {
        Left::Early(status) => Ok(status),
        Left::Complete(sweep) => join(&sweep, answer, out).map(|()| Status::Done),
    }
}

/// What the cells of a sweep that have results came to.
pub(crate) fn join(sweep: &Sweep, answer: &Answer, out: &mut Output) -> Result<(), Error> {
    let run: Run =
        serde_json::from_value(sweep.plan().about.clone()).map_err(|error| sweep.damaged(&error))?;
    answer.write(&Document { run, cells: results(sweep)? }, None, out)
}
