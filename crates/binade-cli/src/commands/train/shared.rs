//! `binade train --shared`: cells as pieces of a sweep.

use std::path::PathBuf;

use binade_sweep::{Done, Hold, Piece, Plan, Sweep, sha256};
use binade_train::record::{CellResult, Document, Epoch, Run, State, Step};
use binade_train::{Cell, Experiment, Observer};

use super::answer;
use super::show::Show;
use crate::commands::shared::{Left, Shared};
use crate::{Error, Output, Status};

/// Shows a training, and keeps nothing of a cell that another has taken over.
struct Held<'a> {
    show: &'a Show,
    hold: &'a Hold<'a>,
}

impl Observer for Held<'_> {
    fn step(&self, cell: &Cell, step: &Step) {
        self.show.step(cell, step);
    }

    fn epoch(&self, cell: &Cell, epoch: &Epoch) {
        self.show.epoch(cell, epoch);
    }

    fn finished(&self, result: &CellResult) {
        self.show.finished(result);
    }

    fn keeps(&self, _: &Cell) -> bool {
        !self.hold.lost()
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

fn plan(experiment: &Experiment) -> Result<Plan, Error> {
    let pieces = experiment.cells.iter().map(|cell| Piece {
        title: format!("{} seed {}", cell.arithmetic.name, cell.seed),
        inputs: inputs(experiment, cell),
    });
    Ok(Plan {
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
    let mut plan = plan(experiment)?;
    let all = std::mem::take(&mut plan.pieces);
    plan.pieces = numbers.iter().filter_map(|number| all.get(*number).cloned()).collect();
    let inputs: Vec<&str> = plan.pieces.iter().map(|piece| &*piece.inputs).collect();
    let name = sha256(inputs.join(" "));
    // What other trials had before is none of its business.
    (plan.kind, plan.about) = ("train --search".to_owned(), serde_json::Value::Null);
    let folder = shared.folder().join("trials").join(&name[..16]);
    let piece = |at: usize, hold: &Hold<'_>| trained(experiment, numbers[at], threads, hold);
    match shared.work_in(&folder, plan, &[], piece)? {
        Left::Complete(sweep) => results(&sweep),
        Left::Early(Status::Interrupted) => Ok(vec![]),
        Left::Early(_) => Err(Error::Pieces(folder)),
    }
}

/// Trains a cell while it is held; none if that was to stop.
fn trained(
    experiment: &Experiment,
    number: usize,
    threads: usize,
    hold: &Hold<'_>,
) -> Result<Option<Done>, Error> {
    // Lines, not a screen: a process sees few of the cells.
    let show = Show::new(experiment, &[number], None, true);
    let mut results = experiment.run(&[number], threads, &Held { show: &show, hold }, &|| hold.stop())?;
    show.end()?;
    let Some(result) = results.pop().filter(|result| result.state != State::Running) else {
        return Ok(None);
    };
    // By way of its text, in which binary32 numbers are as short as --json has them.
    let value = serde_json::from_str(&serde_json::to_string(&result)?)?;
    Ok(Some(Done { sha256: result.sha256(), value, file: None }))
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

/// Trains cells of a sweep: all that are free, or `only` those. Writes the page and the table if all cells have results.
pub(super) fn work(
    shared: &Shared,
    experiment: &Experiment,
    only: &[usize],
    threads: usize,
    page: Option<(&PathBuf, bool)>,
    json: bool,
    out: &mut Output,
) -> Result<Status, Error> {
    let piece = |number: usize, hold: &Hold<'_>| trained(experiment, number, threads, hold);
    match shared.work(plan(experiment)?, only, json, piece, out)? {
        Left::Early(status) => Ok(status),
        Left::Complete(sweep) => join(&sweep, page, json, out).map(|()| Status::Done),
    }
}

/// What the cells of a sweep that have results came to: the page, then the table or JSON.
pub(crate) fn join(
    sweep: &Sweep,
    page: Option<(&PathBuf, bool)>,
    json: bool,
    out: &mut Output,
) -> Result<(), Error> {
    let run: Run =
        serde_json::from_value(sweep.plan().about.clone()).map_err(|error| sweep.damaged(&error))?;
    answer(&Document { run, cells: results(sweep)? }, None, page, json, out)
}
