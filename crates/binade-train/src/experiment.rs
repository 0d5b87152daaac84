//! An experiment: a model, data, and a cell for each arithmetic and seed. Runs cells in parallel.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use binade::recipe::content;
use binade_data::{Dataset, Split, Values};
use binade_hlo::eval::{EvalError, Evaluate};
use sha2::{Digest, Sha256};

use crate::batch::Batches;
use crate::cell::{self, Stop};
use crate::model::hex;
use crate::record::{BiasStep, CellResult, Epoch, NotFiniteStep, Run, Step};
use crate::{Arithmetic, Model, Scope, TrainError, checkpoint, parts};

/// Length of a training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Length {
    /// The epochs of the manifest.
    #[default]
    Manifest,
    /// This many epochs. Drops of the learning rate move in proportion.
    Epochs(u64),
    /// This many steps of the manifest's schedule, over as many epochs as they need.
    Steps(u64),
}

/// Settings that a user may choose.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The operations that operators compute.
    pub scope: Scope,
    /// Length of the training.
    pub length: Length,
    /// Folder of the checkpoints.
    pub checkpoint: Option<PathBuf>,
    /// True to resume cells from their checkpoints.
    pub resume: bool,
    /// Results of each product, in the last step of an epoch, whose accumulator losses are measured.
    pub swamping: Option<usize>,
    /// Longest time between checkpoints. Without it, one is written after each epoch.
    pub checkpoint_every: Option<Duration>,
}

/// An arithmetic and a seed.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Its number among the cells of the experiment.
    pub number: usize,
    /// The arithmetic of its programs.
    pub arithmetic: Arithmetic,
    /// Seed of its random numbers.
    pub seed: u64,
}

/// Bytes of the process itself, with its libraries and the parsed models.
const PROCESS_BYTES: usize = 32 << 20;
/// Bytes of a thread: its stack, and the blocks of matrices that it packs.
const THREAD_BYTES: usize = 4 << 20;

/// Receives events of training, on the threads where they happen.
pub trait Observer: Sync {
    /// A step has been taken.
    fn step(&self, _cell: &Cell, _step: &Step) {}
    /// The bias of a stored tensor was chosen, or has changed.
    fn bias(&self, _cell: &Cell, _bias: &BiasStep) {}
    /// Quantised operands had NaNs or infinities.
    fn not_finite(&self, _cell: &Cell, _found: &NotFiniteStep) {}
    /// An epoch has ended.
    fn epoch(&self, _cell: &Cell, _epoch: &Epoch) {}
    /// A cell has ended, or was stopped.
    fn finished(&self, _result: &CellResult) {}
    /// Returns true if a checkpoint may be written. False if another process trains the cell by now.
    fn may_checkpoint(&self, _cell: &Cell) -> bool {
        true
    }
    /// A checkpoint after this many steps has been written.
    fn checkpoint_written(&self, _cell: &Cell, _steps: u64) {}
}

impl Observer for () {}

/// A model, data, and cells.
#[derive(Debug)]
pub struct Experiment {
    /// The model.
    pub model: Model,
    /// The data.
    pub data: Dataset,
    /// The user's settings.
    pub settings: Settings,
    /// A cell for each arithmetic and seed, grouped by arithmetic.
    pub cells: Vec<Cell>,
    /// Name of the data, as given.
    data_name: String,
    data_sha256: String,
    steps_per_epoch: u64,
}

impl Experiment {
    /// Loads the data, by default those of the model, and checks that model, data and arithmetics fit together.
    ///
    /// # Errors
    /// The data or an arithmetic are unknown, or the data do not fit the model.
    pub fn new(
        mut model: Model,
        data: Option<&str>,
        arithmetics: &[String],
        seeds: u64,
        settings: Settings,
    ) -> Result<Experiment, TrainError> {
        let data_name = data.unwrap_or(&model.manifest.data).to_owned();
        let mut cells: Vec<Cell> = vec![];
        for name in arithmetics {
            let arithmetic = Arithmetic::parse(name, settings.scope)?;
            let short_name = arithmetic.short_name();
            if cells.iter().any(|cell| content(&cell.arithmetic.name) == content(&arithmetic.name)) {
                return Err(TrainError::DuplicateArithmetic(short_name));
            }
            if cells.iter().any(|cell| cell.arithmetic.short_name() == short_name) {
                return Err(TrainError::SameRecipeName(short_name));
            }
            arithmetic.refuse_unknown_layers(&model.train_step, &model.manifest.scopes)?;
            add_cells(&mut cells, &arithmetic, seeds);
        }
        if arithmetics.iter().any(|name| parts::named_in(name)) {
            parts::label_parts(&mut model.train_step, &model.manifest.scopes);
            parts::label_parts(&mut model.evaluate, &model.manifest.scopes);
            for cell in &cells {
                cell.arithmetic.refuse_dead_parts(&model.train_step)?;
            }
        }
        let data = binade_data::load(&data_name)?;
        let steps_per_epoch = Batches::of_training(&model.manifest, &data)?.steps() as u64;
        Batches::of_evaluation(&model.manifest, &data)?;
        let data_sha256 = data_hash(&data);
        let experiment = Experiment { model, data, settings, cells, data_name, data_sha256, steps_per_epoch };
        experiment.refuse_checkpoints()?;
        Ok(experiment)
    }

    /// Refuses existing checkpoints unless `--resume` was given.
    fn refuse_checkpoints(&self) -> Result<(), TrainError> {
        let present =
            self.cells.iter().filter_map(|cell| self.checkpoint_of(cell)).find(|path| path.exists());
        match present {
            Some(path) if !self.settings.resume => Err(TrainError::CheckpointExists(path)),
            _ => Ok(()),
        }
    }

    /// Creates the folder of checkpoints. [`Self::run`] calls it; callers that open logs or screens first must call it
    /// earlier.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn make_checkpoints(&self) -> Result<(), TrainError> {
        let Some(folder) = &self.settings.checkpoint else { return Ok(()) };
        let made = match folder.is_file() {
            true => Err(io::ErrorKind::NotADirectory.into()),
            false => std::fs::create_dir_all(folder),
        };
        made.map_err(|source| TrainError::Write { path: folder.clone(), source })
    }

    /// Checks that each number is that of a cell.
    ///
    /// # Errors
    /// [`TrainError::NoCell`] for the first invalid number.
    pub fn check_cells(&self, numbers: &[usize]) -> Result<(), TrainError> {
        let count = self.cells.len();
        match numbers.iter().find(|number| **number >= count) {
            Some(&cell) => Err(TrainError::NoCell { cell, count }),
            None => Ok(()),
        }
    }

    pub(crate) fn checkpoint_of(&self, cell: &Cell) -> Option<PathBuf> {
        let folder = self.settings.checkpoint.as_ref()?;
        Some(checkpoint::path(folder, &cell.arithmetic.short_name(), cell.seed))
    }

    /// Whole batches in an epoch.
    pub fn steps_per_epoch(&self) -> u64 {
        self.steps_per_epoch
    }

    /// Epochs of the schedule.
    fn epochs(&self) -> u64 {
        match self.settings.length {
            Length::Epochs(epochs) => epochs,
            Length::Manifest | Length::Steps(_) => self.model.manifest.epochs,
        }
    }

    /// Steps of a cell.
    pub fn steps(&self) -> u64 {
        match self.settings.length {
            Length::Steps(steps) => steps,
            _ => self.epochs().saturating_mul(self.steps_per_epoch),
        }
    }

    /// Learning rate of a step, and the number of drops so far.
    pub(crate) fn rate(&self, step: u64) -> (f64, usize) {
        self.model.manifest.rate(step, self.steps_per_epoch, self.epochs())
    }

    /// Steps at which the learning rate drops.
    pub fn drops(&self) -> Vec<u64> {
        let drops = self.model.manifest.drop_steps(self.steps_per_epoch, self.epochs());
        drops.into_iter().filter(|step| *step < self.steps()).collect()
    }

    /// Upper bound of the memory for training a cell on this many threads, in bytes. `None` if a program does not state its
    /// sizes.
    pub fn memory(&self, threads: usize) -> Option<u64> {
        let Model { init, train_step, evaluate, manifest, .. } = &self.model;
        let mut most = 0;
        for program in [init, train_step, evaluate] {
            most = most.max(program.memory("main")?);
        }
        let data = [Some(&self.data.train), self.data.validation.as_ref(), Some(&self.data.test)];
        let columns = data.into_iter().flatten().flat_map(|split| split.columns());
        let data: usize = columns.map(|column| column.values.bytes()).sum();
        // The state of the step before, and its bytes as they are written.
        let state: usize = manifest.state.iter().map(|tensor| tensor.bytes()).sum();
        Some((PROCESS_BYTES + data + most + 2 * state + threads * THREAD_BYTES) as u64)
    }

    /// Data common to all cells.
    pub fn facts(&self) -> Run {
        let manifest = &self.model.manifest;
        let mut arithmetics: Vec<String> =
            self.cells.iter().map(|cell| cell.arithmetic.name.clone()).collect();
        arithmetics.dedup();
        Run {
            binade: env!("CARGO_PKG_VERSION").to_owned(),
            model: self.model.called.clone(),
            about: manifest.about.clone(),
            model_sha256: self.model.sha256.clone(),
            data: self.data_name.clone(),
            data_about: self.data.about.clone(),
            synthetic: self.data.synthetic,
            data_sha256: self.data_sha256.clone(),
            scope: self.settings.scope.to_string(),
            batch: manifest.batch,
            steps_per_epoch: self.steps_per_epoch,
            epochs: self.epochs(),
            steps: match self.settings.length {
                Length::Steps(steps) => Some(steps),
                _ => None,
            },
            seeds: self.cells.iter().map(|cell| cell.seed + 1).max().unwrap_or(0),
            arithmetics,
            parameters: manifest.parameters().map(|tensor| tensor.name.clone()).collect(),
        }
    }

    /// Hash of everything that determines the bits of a cell.
    pub fn fingerprint(&self, cell: &Cell) -> String {
        let facts = format!(
            "{}\n{}\n{}\n{}\n{}\n{:?}\n",
            self.model.sha256,
            self.data_sha256,
            content(&cell.arithmetic.name),
            self.settings.scope,
            cell.seed,
            (self.epochs(), self.settings.length),
        );
        hex(&Sha256::digest(facts))
    }

    pub(crate) fn failed(
        &self,
        program: &'static str,
        step: u64,
        cell: &Cell,
        source: EvalError,
    ) -> TrainError {
        let cell = format!("{} seed {}", cell.arithmetic.short_name(), cell.seed);
        TrainError::Evaluation { program, step, cell, source: Box::new(source) }
    }

    /// Trains cells on this many threads, in parallel as far as there are enough. Results are in the order of `numbers`.
    /// Cells that had not begun when training was stopped are omitted.
    ///
    /// # Errors
    /// A number is not that of a cell, a program fails, or a checkpoint cannot be read or written.
    pub fn run(
        &self,
        numbers: &[usize],
        threads: usize,
        observer: &dyn Observer,
        stop: Stop<'_>,
    ) -> Result<Vec<CellResult>, TrainError> {
        self.check_cells(numbers)?;
        self.make_checkpoints()?;
        let workers = threads.min(numbers.len()).max(1);
        let (next, halt) = (AtomicUsize::new(0), AtomicBool::new(false));
        let results = Mutex::new(vec![]);
        let stop = || halt.load(Ordering::Relaxed) || stop();
        let work = || {
            while !stop() {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(number) = numbers.get(at) else { break };
                let result =
                    cell::run(self, &self.cells[*number], (threads / workers).max(1), observer, &stop);
                // After an error the other cells stop.
                halt.fetch_or(result.is_err(), Ordering::Relaxed);
                results.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..workers {
                scope.spawn(work);
            }
            work();
        });
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_by_key(|(at, _)| *at);
        results.into_iter().map(|(_, result)| result).collect()
    }
}

/// Adds the cells of an arithmetic, one for each seed.
pub(crate) fn add_cells(cells: &mut Vec<Cell>, arithmetic: &Arithmetic, seeds: u64) {
    let first = cells.len();
    cells.extend((0..seeds).map(|seed| Cell {
        number: first + seed as usize,
        arithmetic: arithmetic.clone(),
        seed,
    }));
}

/// SHA-256 of the columns of both splits: names, shapes and little-endian numbers.
fn data_hash(data: &Dataset) -> String {
    let mut hash = Sha256::new();
    let mut enter = |split: &Split| {
        for column in split.columns() {
            hash.update(format!("{} {:?} {}\n", column.name, column.shape, column.values.len()));
            match &column.values {
                Values::U8(x) => hash.update(x),
                Values::F32(x) => x.iter().for_each(|x| hash.update(x.to_le_bytes())),
                Values::I32(x) => x.iter().for_each(|x| hash.update(x.to_le_bytes())),
            }
        }
    };
    enter(&data.train);
    enter(&data.test);
    hex(&hash.finalize())
}
