//! The state of a training that the live screen shows, without a terminal.

use std::time::Duration;

use binade_train::record::{CellResult, Epoch, Run, State, Step};
use binade_train::{Cell, Experiment};

/// The number of groups in which the losses of a cell's steps are averaged: the points of its curve.
const POINTS: u64 = 160;
/// The number of groups that are averaged for a point of a drawn curve.
const SMOOTHED: usize = 6;
/// The weight of a step in the running means of rows.
const WEIGHT: f64 = 0.05;

/// The state of a training.
#[derive(Clone)]
pub(crate) struct TrainingState {
    /// The model, with its description.
    pub(super) model: String,
    /// The data, with their description.
    pub(super) data: String,
    /// True for synthetic data.
    pub(super) synthetic: bool,
    pub(super) scope: String,
    /// The number of examples of a step.
    pub(super) batch: usize,
    /// The number of steps of a cell.
    pub(super) steps: u64,
    pub(super) steps_per_epoch: u64,
    /// Steps at which the rate drops.
    pub(super) drops: Vec<u64>,
    /// The effect of the key q, for the last line.
    pub(super) leaving: &'static str,
    /// The names of the arithmetics.
    pub(super) arithmetics: Vec<String>,
    /// The cells, in their order.
    pub(super) rows: Vec<Row>,
    /// The number of rows by which the user moved the list.
    pub(super) scrolled: i32,
    /// True if training is about to stop.
    pub(super) stopping: bool,
}

/// A cell.
#[derive(Clone)]
pub(super) struct Row {
    number: usize,
    /// The index of its arithmetic.
    pub(super) arithmetic: usize,
    pub(super) seed: u64,
    /// The process that trains it, in a sweep.
    pub(super) by: Option<String>,
    /// The number of steps taken.
    pub(super) position: u64,
    /// The time of its first step here, and the number of steps before.
    began: Option<(Duration, u64)>,
    /// The time of its last step here.
    latest: Duration,
    /// A running mean of the losses of steps; at the end, the loss of the result.
    pub(super) loss: Option<f64>,
    /// A running mean of the shares of lost updates.
    pub(super) lost: Option<f64>,
    pub(super) rate: Option<f32>,
    /// The last epoch that ended.
    pub(super) epoch: Option<Epoch>,
    pub(super) state: RowState,
    /// The sum and the number of losses in each group of steps.
    groups: Vec<(f64, u32)>,
}

/// The state of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowState {
    Waiting,
    Running,
    Done,
    Stopped,
    /// It has no result, and no process will continue it.
    Failed,
    /// The loss of this step is infinite or NaN.
    Diverged(u64),
}

fn running_mean(known: Option<f64>, x: f64) -> Option<f64> {
    Some(known.map_or(x, |mean| mean + WEIGHT * (x - mean)))
}

impl TrainingState {
    /// The state of the cells with these numbers, before they begin.
    pub(crate) fn new(experiment: &Experiment, numbers: &[usize]) -> TrainingState {
        let mut training = TrainingState::empty(experiment.facts());
        training.steps = experiment.steps();
        training.drops = experiment.drops();
        training.leaving = match (&experiment.settings.checkpoint, experiment.settings.resume) {
            (None, _) => "q stops (no --checkpoint: no results are kept)",
            (Some(_), false) => "q stops; --resume continues",
            (Some(_), true) => "q stops; the same command continues",
        };
        let cells = numbers.iter().filter_map(|number| experiment.cells.get(*number));
        cells.for_each(|cell: &Cell| training.add(cell.number, &cell.arithmetic.short_name(), cell.seed));
        training
    }

    /// The state of the cells of a sweep, which other processes train.
    pub(crate) fn of_sweep(run: Run) -> TrainingState {
        let (arithmetics, seeds) = (run.arithmetics.clone(), run.seeds);
        let mut training = TrainingState::empty(run);
        let cells = arithmetics.iter().flat_map(|name| (0..seeds).map(move |seed| (name, seed)));
        cells.enumerate().for_each(|(number, (name, seed))| training.add(number, name, seed));
        training
    }

    fn add(&mut self, number: usize, name: &str, seed: u64) {
        let known = self.arithmetics.iter().position(|known| known == name);
        let arithmetic = known.unwrap_or_else(|| {
            self.arithmetics.push(name.to_owned());
            self.arithmetics.len() - 1
        });
        self.rows.push(Row::new(number, seed, arithmetic));
    }

    fn empty(run: Run) -> TrainingState {
        TrainingState {
            model: format!("{}, {}", run.model, run.about),
            data: format!("{}: {}", run.data, run.data_about),
            synthetic: run.synthetic,
            scope: run.scope,
            batch: run.batch,
            steps: run.steps.unwrap_or(run.epochs.saturating_mul(run.steps_per_epoch)),
            steps_per_epoch: run.steps_per_epoch,
            drops: vec![],
            leaving: "q leaves",
            arithmetics: vec![],
            rows: vec![],
            scrolled: 0,
            stopping: false,
        }
    }

    fn row(&mut self, number: usize) -> Option<&mut Row> {
        self.rows.iter_mut().find(|row| row.number == number)
    }

    pub(crate) fn step(&mut self, cell: usize, step: &Step, now: Duration) {
        let steps = self.steps;
        let Some(row) = self.row(cell) else { return };
        row.began.get_or_insert((now, step.step));
        (row.position, row.latest, row.state, row.rate) =
            (step.step + 1, now, RowState::Running, Some(step.rate));
        if step.updates > 0 {
            row.lost = running_mean(row.lost, step.lost as f64 / step.updates as f64);
        }
        let Some(loss) = step.loss else { return };
        row.loss = running_mean(row.loss, loss);
        let points = steps.clamp(1, POINTS);
        row.groups.resize(points as usize, (0.0, 0));
        let group = (u128::from(step.step) * u128::from(points) / u128::from(steps.max(1))) as usize;
        if let Some((sum, count)) = row.groups.get_mut(group) {
            (*sum, *count) = (*sum + loss, *count + 1);
        }
    }

    /// Records the process that trains a cell.
    pub(crate) fn taken(&mut self, cell: usize, by: &str) {
        if let Some(row) = self.row(cell) {
            row.by = Some(by.to_owned());
            if row.state != RowState::Running {
                row.state = RowState::Running;
            }
        }
    }

    /// Records that no process will continue a cell.
    pub(crate) fn failed(&mut self, cell: usize) {
        if let Some(row) = self.row(cell) {
            row.state = RowState::Failed;
        }
    }

    /// Records that a cell is free.
    pub(crate) fn free(&mut self, cell: usize) {
        if let Some(row) = self.row(cell) {
            (row.state, row.by) = (RowState::Waiting, None);
        }
    }

    /// Records the result of a cell that another process trained. Few of its steps were seen, so that its curve is that of its
    /// epochs.
    pub(crate) fn ended_elsewhere(&mut self, result: &CellResult) {
        self.finished(result);
        let (steps, points) = (self.steps.max(1), self.steps.clamp(1, POINTS));
        let Some(row) = self.row(result.cell) else { return };
        row.groups.resize(points as usize, (0.0, 0));
        let group = |step: u64| {
            ((u128::from(step) * u128::from(points) / u128::from(steps)) as usize).min(points as usize)
        };
        let mut from = 0;
        for epoch in &result.epochs {
            let to = group(epoch.steps);
            if let Some(loss) = epoch.loss {
                row.groups[from..to]
                    .iter_mut()
                    .filter(|(_, count)| *count == 0)
                    .for_each(|at| *at = (loss, 1));
            }
            from = to;
        }
    }

    pub(crate) fn epoch(&mut self, cell: usize, epoch: &Epoch) {
        if let Some(row) = self.row(cell) {
            row.epoch = Some(epoch.clone());
        }
    }

    pub(crate) fn finished(&mut self, result: &CellResult) {
        let Some(row) = self.row(result.cell) else { return };
        row.position = result.steps;
        row.state = match (result.state, result.diverged_at) {
            (State::Diverged, Some(step)) => RowState::Diverged(step),
            (State::Diverged, None) => RowState::Diverged(result.steps),
            (State::Done, _) => RowState::Done,
            (State::Running, _) => RowState::Stopped,
        };
        if row.state == RowState::Done {
            row.loss = result.loss;
        }
        row.epoch = result.epochs.last().cloned().or(row.epoch.take());
    }

    /// The mean curve of an arithmetic over its cells: steps, and the logarithms (to base 10) of losses above 0. A point is the mean
    /// of the last groups of steps, so that the noise of single batches does not hide the differences of arithmetics.
    pub(super) fn curve(&self, arithmetic: usize) -> Vec<(f64, f64)> {
        let points = self.steps.clamp(1, POINTS);
        let width = self.steps as f64 / points as f64;
        let rows: Vec<&Row> = self.rows.iter().filter(|row| row.arithmetic == arithmetic).collect();
        let mean = |at: usize| {
            let groups = rows.iter().filter_map(|row| row.groups.get(at)).filter(|(_, count)| *count > 0);
            let losses: Vec<f64> = groups.map(|(sum, count)| sum / f64::from(*count)).collect();
            (!losses.is_empty()).then(|| losses.iter().sum::<f64>() / losses.len() as f64)
        };
        let means: Vec<Option<f64>> = (0..points as usize).map(mean).collect();
        let point = |at: usize| {
            means[at]?;
            let last: Vec<f64> =
                means[at.saturating_sub(SMOOTHED - 1)..=at].iter().flatten().copied().collect();
            let loss = last.iter().sum::<f64>() / last.len() as f64;
            (loss > 0.0).then(|| ((at as f64 + 0.5) * width, loss.log10()))
        };
        (0..means.len()).filter_map(point).collect()
    }

    /// Moves the list of cells.
    pub(super) fn scroll(&mut self, rows: i32) {
        let most = self.rows.len() as i32;
        self.scrolled = (self.scrolled + rows).clamp(-most, most);
    }

    /// The number of cells that have ended.
    pub(super) fn ended(&self) -> usize {
        self.rows.iter().filter(|row| row.ended()).count()
    }

    /// An estimate of the time left for all cells, at the speed so far.
    pub(super) fn left(&self, now: Duration) -> Option<Duration> {
        let taken: u64 = self.rows.iter().map(|row| row.taken_here()).sum();
        let left: u64 =
            self.rows.iter().filter(|row| !row.ended()).map(|row| self.steps - row.position).sum();
        (taken > 0).then(|| now.mul_f64(left as f64 / taken as f64))
    }
}

impl Row {
    fn new(number: usize, seed: u64, arithmetic: usize) -> Row {
        Row {
            number,
            arithmetic,
            seed,
            by: None,
            position: 0,
            began: None,
            latest: Duration::ZERO,
            loss: None,
            lost: None,
            rate: None,
            epoch: None,
            state: RowState::Waiting,
            groups: vec![],
        }
    }

    pub(super) fn ended(&self) -> bool {
        !matches!(self.state, RowState::Waiting | RowState::Running)
    }

    fn taken_here(&self) -> u64 {
        self.began.map_or(0, |(_, before)| self.position.saturating_sub(before))
    }

    /// Steps per second. The first step only starts the clock.
    pub(super) fn speed(&self) -> Option<f64> {
        let seconds = (self.latest - self.began?.0).as_secs_f64();
        (seconds > 0.0).then(|| (self.taken_here() - 1) as f64 / seconds)
    }

    /// The time left until `steps` steps.
    pub(super) fn left(&self, steps: u64) -> Option<Duration> {
        let speed = self.speed().filter(|speed| *speed > 0.0 && self.state == RowState::Running)?;
        Duration::try_from_secs_f64(steps.saturating_sub(self.position) as f64 / speed).ok()
    }
}
