//! What a training leaves: the facts of the run, a line for each step, and the results of cells; as JSON.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::exponents::Histogram;
use crate::model::hex;
use crate::swamping::Swamped;
use crate::{Ranking, TrainError};

/// What all cells of a run have in common: enough to run it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The version of binade.
    pub binade: String,
    /// The model, as it was called.
    pub model: String,
    /// What it is.
    pub about: String,
    /// SHA-256 of its files.
    pub model_sha256: String,
    /// The data, as they were called.
    pub data: String,
    /// What they are: size, source and licence.
    pub data_about: String,
    /// Whether a program made them up.
    pub synthetic: bool,
    /// SHA-256 of their numbers.
    pub data_sha256: String,
    /// Which operations an operator computes.
    pub scope: String,
    /// Examples of a step.
    pub batch: usize,
    /// Steps of an epoch.
    pub steps_per_epoch: u64,
    /// Epochs of the schedule.
    pub epochs: u64,
    /// Steps after which training ends, if before the last epoch does.
    pub steps: Option<u64>,
    /// The arithmetics.
    pub arithmetics: Vec<String>,
    /// Seeds 0 … seeds − 1.
    pub seeds: u64,
    /// Names of the parameters, in the order of the counts of updates.
    pub parameters: Vec<String>,
}

/// How a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Not at its end.
    Running,
    /// At its end.
    Done,
    /// Ended by a loss that is infinite or NaN.
    Diverged,
}

/// Updates of parameters while the rate had dropped equally often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Updates {
    /// The rate, without warming up.
    pub rate: f64,
    /// Steps.
    pub steps: u64,
    /// For each parameter, updates of an element that were not zero.
    pub updates: Vec<u64>,
    /// For each parameter, those of them that changed nothing.
    pub lost: Vec<u64>,
}

impl Updates {
    /// The share of updates of all parameters that were lost; none if there were no updates.
    pub fn share(&self) -> Option<f64> {
        share(self.lost.iter().sum(), self.updates.iter().sum())
    }
}

/// part / whole.
pub(crate) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// A training step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The cell's number.
    pub cell: usize,
    /// From 0.
    pub step: u64,
    /// From 1.
    pub epoch: u64,
    /// The learning rate, as the program got it.
    pub rate: f32,
    /// The mean of the batch; null if it is infinite or NaN.
    pub loss: Option<f64>,
    /// The share of right predictions, if the model tells.
    pub accuracy: Option<f64>,
    /// Updates that were not zero, of all parameters.
    pub updates: u64,
    /// Those of them that changed nothing.
    pub lost: u64,
}

/// An epoch, or the part of it that was trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// From 1.
    pub epoch: u64,
    /// Steps taken since the beginning.
    pub steps: u64,
    /// The learning rate of its last step.
    pub rate: f32,
    /// The mean loss of its steps, while training.
    pub loss: Option<f64>,
    /// The share of right predictions of its steps, while training.
    pub train_accuracy: Option<f64>,
    /// The mean loss of the test examples after it.
    pub test_loss: Option<f64>,
    /// The share of right predictions of the test examples after it.
    pub accuracy: Option<f64>,
    /// Of models that rank, how good their lists are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Ranking>,
    /// Of models that translate, the BLEU of the test sentences, from 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bleu: Option<f64>,
    /// The share of its updates that changed nothing.
    pub lost_updates: Option<f64>,
}

/// How good weights are for what was set aside.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// The mean loss of the test examples; null if it is infinite or NaN.
    pub test_loss: Option<f64>,
    /// The share of right predictions, if the model tells.
    pub accuracy: Option<f64>,
    /// Of models that rank, how good their lists are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Ranking>,
    /// Of models that translate, the BLEU of the test sentences, from 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bleu: Option<f64>,
}

/// What a cell came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellResult {
    /// Its number.
    pub cell: usize,
    /// The arithmetic.
    pub arith: String,
    /// The seed.
    pub seed: u64,
    /// Steps taken.
    pub steps: u64,
    /// The mean training loss of the last epoch; null if it is infinite or NaN.
    pub loss: Option<f64>,
    /// The share of right predictions of the test examples at the end, if the model tells.
    pub accuracy: Option<f64>,
    /// The mean loss of the test examples at the end.
    pub test_loss: Option<f64>,
    /// Of models that rank, how good their lists are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking: Option<Ranking>,
    /// Of models that translate, the BLEU of the test sentences, from 0 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bleu: Option<f64>,
    /// What the weights at the end are worth in binary32, whatever arithmetic they were trained in; none before the end, and in
    /// logs of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_f32: Option<Tested>,
    /// How it stands.
    pub state: State,
    /// The step whose loss was infinite or NaN.
    pub diverged_at: Option<u64>,
    /// SHA-256 of the parameters: their elements, little end first, in the order of the state.
    pub weights_sha256: String,
    /// Seconds that its training steps took.
    pub seconds: f64,
    /// Updates by phase of the rate.
    pub phases: Vec<Updates>,
    /// Its epochs.
    pub epochs: Vec<Epoch>,
    /// Exponents of weights and updates, of the first and of the last epoch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub histograms: Vec<Histogram>,
    /// What accumulators lose, by epoch and part, if that was looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swamping: Vec<Swamped>,
}

impl CellResult {
    /// SHA-256 of all of it that is a function of the cell's inputs: all but the time that it took.
    ///
    /// # Panics
    /// Never: numbers and names become JSON.
    pub fn sha256(&self) -> String {
        let timeless = CellResult { seconds: 0.0, ..self.clone() };
        let text = serde_json::to_vec(&timeless).expect("numbers and names become JSON");
        hex(&Sha256::digest(text))
    }
}

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Line {
    /// The first one.
    Run(Run),
    /// A step.
    Step(Step),
    /// An end of an epoch.
    Epoch {
        /// The cell's number.
        cell: usize,
        /// What the epoch came to.
        #[serde(flatten)]
        epoch: Epoch,
    },
    /// An end of a cell, or where it was stopped.
    Cell(CellResult),
}

/// A whole result: what `binade train --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// What all cells have in common.
    pub run: Run,
    /// The cells.
    pub cells: Vec<CellResult>,
}

impl Document {
    /// The arithmetic and seed of each cell of the run that has no result.
    pub fn not_begun(&self) -> impl Iterator<Item = (&str, u64)> {
        let all = self.run.arithmetics.iter();
        let all = all.flat_map(|arith| (0..self.run.seeds).map(move |seed| (&arith[..], seed)));
        all.filter(|(arith, seed)| !self.cells.iter().any(|cell| cell.arith == *arith && cell.seed == *seed))
    }

    /// Reads what `--json` printed.
    ///
    /// # Errors
    /// A file that cannot be read or is something else.
    pub fn read(path: &Path) -> Result<Document, TrainError> {
        serde_json::from_str(&text(path)?).map_err(|error| TrainError::Record {
            path: path.to_owned(),
            line: None,
            reason: format!("{error}: it is not what `binade train --json` prints"),
        })
    }

    /// Joins logs of one run, whatever cells each has. Of cells that are in several, the one that got furthest counts.
    ///
    /// # Errors
    /// Files that cannot be read or are something else, and logs of different runs.
    pub fn from_logs<P: AsRef<Path>>(paths: &[P]) -> Result<Document, TrainError> {
        let mut run: Option<Run> = None;
        let mut cells: Vec<CellResult> = vec![];
        for path in paths {
            let path = path.as_ref();
            let wrong = |line: Option<usize>, reason: String| TrainError::Record {
                path: path.to_owned(),
                line,
                reason,
            };
            let text = text(path)?;
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate() {
                let line = match serde_json::from_str::<Line>(line) {
                    Ok(line) => line,
                    // A run that was killed may have left a part of a line.
                    Err(_) if at + 1 == lines.len() && at > 0 && !text.ends_with('\n') => break,
                    Err(error) => {
                        let reason = format!("{error}: it is not a line that `binade train --log` writes");
                        return Err(wrong(Some(at + 1), reason));
                    }
                };
                match line {
                    Line::Run(found) => match &run {
                        None => run = Some(found),
                        Some(known) => {
                            if let Some(what) = known.differs(&found) {
                                return Err(wrong(Some(at + 1), format!("this is a run of another {what}")));
                            }
                        }
                    },
                    Line::Cell(cell) => match cells.iter_mut().find(|known| known.cell == cell.cell) {
                        Some(known) if known.steps <= cell.steps => *known = cell,
                        Some(_) => {}
                        None => cells.push(cell),
                    },
                    Line::Step(_) | Line::Epoch { .. } => {}
                }
            }
            if run.is_none() {
                return Err(wrong(None, "there is no line of a run in it".to_owned()));
            }
        }
        cells.sort_by_key(|cell| cell.cell);
        let run = run.ok_or_else(|| TrainError::Record {
            path: Path::new("").to_owned(),
            line: None,
            reason: "no log is given".to_owned(),
        })?;
        Ok(Document { run, cells })
    }
}

impl Run {
    /// Steps of a whole cell.
    pub fn length(&self) -> u64 {
        self.steps.unwrap_or_else(|| self.epochs.saturating_mul(self.steps_per_epoch))
    }

    /// What the results of two runs depend on and is different in them.
    pub fn differs(&self, other: &Run) -> Option<&'static str> {
        let fields = [
            (self.model_sha256 == other.model_sha256, "model"),
            (self.data_sha256 == other.data_sha256, "data set"),
            (self.scope == other.scope, "scope"),
            (self.epochs == other.epochs && self.steps == other.steps, "length"),
            (self.arithmetics == other.arithmetics, "list of arithmetics"),
            (self.seeds == other.seeds, "number of seeds"),
        ];
        fields.iter().find(|(same, _)| !same).map(|(_, what)| *what)
    }
}

fn text(path: &Path) -> Result<String, TrainError> {
    fs::read_to_string(path).map_err(|source| TrainError::Read { path: path.to_owned(), source })
}
