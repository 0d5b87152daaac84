//! Checkpoints: the state of a cell in a .safetensors file that is replaced atomically, with its progress in the metadata.

use std::path::{Path, PathBuf};

use binade::recipe::BiasHistory;
use binade_files::IfExists;
use binade_files::safetensors::{Entry, Reader, Writer};
use binade_hlo::{Data, Tensor, Value};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::TrainError;
use crate::exponents::Histogram;
use crate::manifest::Manifest;
use crate::model::hex;
use crate::record::{Epoch, NotFiniteStep, State, Updates};
use crate::swamping::Swamped;
use crate::tensors::{to_bytes, types};

/// Metadata key of the progress.
const PROGRESS: &str = "binade.train.progress";
/// Metadata key of the hash of the cell's inputs.
const FINGERPRINT: &str = "binade.train.fingerprint";

/// Progress of a cell, stored beside its state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// Steps taken.
    pub(crate) step: u64,
    pub(crate) state: State,
    pub(crate) diverged_at: Option<u64>,
    /// Sums over the epoch in progress.
    pub(crate) part: Part,
    pub(crate) phases: Vec<Updates>,
    pub(crate) epochs: Vec<Epoch>,
    #[serde(default)]
    pub(crate) histograms: Vec<Histogram>,
    #[serde(default)]
    pub(crate) swamping: Vec<Swamped>,
    /// By tensor of the state, if a recipe stores tensors in formats of their own.
    #[serde(default)]
    pub(crate) biases: Vec<BiasHistory>,
    /// By operand with a history, in the order of the training step's text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) operand_biases: Vec<BiasHistory>,
    #[serde(default)]
    pub(crate) not_finite: Vec<NotFiniteStep>,
    pub(crate) seconds: f64,
}

/// Sums over the steps of an epoch.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) steps: u64,
    pub(crate) loss: f64,
    pub(crate) correct: u64,
    /// Number of predictions.
    pub(crate) counted: u64,
    pub(crate) updates: u64,
    pub(crate) lost: u64,
}

/// Largest number of characters of an arithmetic in a file's name.
const MAX_NAME: usize = 80;

/// Checkpoint file of a cell.
pub(crate) fn path(folder: &Path, arithmetic: &str, seed: u64) -> PathBuf {
    let name: String =
        arithmetic.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' }).collect();
    if name.len() <= MAX_NAME {
        return folder.join(format!("{name}-seed{seed}.safetensors"));
    }
    // The name may be longer than file names allow, so it is truncated and a hash is added.
    let hash = &hex(&Sha256::digest(arithmetic))[..16];
    folder.join(format!("{}-{hash}-seed{seed}.safetensors", &name[..MAX_NAME]))
}

pub(crate) fn write(
    path: &Path,
    manifest: &Manifest,
    state: &[Value],
    progress: &Progress,
    fingerprint: &str,
) -> Result<(), TrainError> {
    let entries: Vec<Entry> = manifest
        .state
        .iter()
        .map(|tensor| {
            let shape: Vec<u64> = tensor.shape.iter().map(|size| *size as u64).collect();
            Entry::new(&tensor.name, types(tensor.dtype).1, shape)
        })
        .collect();
    let progress = serde_json::to_string(progress).expect("numbers and names become JSON");
    let metadata = [(FINGERPRINT.to_owned(), fingerprint.to_owned()), (PROGRESS.to_owned(), progress)];
    let writer = Writer::create(path, &entries, &metadata, IfExists::Replace)?;
    for (at, value) in state.iter().enumerate() {
        let Value::Tensor(tensor) = value else { unreachable!("the state is tensors") };
        writer.write_at(at, 0, &to_bytes(tensor))?;
    }
    Ok(writer.finish()?)
}

/// Reads state and progress. `None` if there is no file.
pub(crate) fn read(
    path: &Path,
    manifest: &Manifest,
    fingerprint: &str,
) -> Result<Option<(Vec<Value>, Progress)>, TrainError> {
    if !path.exists() {
        return Ok(None);
    }
    let reader = Reader::open(path)?;
    let wrong = |reason: String| TrainError::Checkpoint { path: path.to_owned(), reason };
    let of = |key: &str| {
        let found = reader.metadata().iter().find(|(name, _)| name == key);
        found.map(|(_, text)| text).ok_or_else(|| wrong("not a checkpoint of `binade train`".to_owned()))
    };
    if of(FINGERPRINT)? != fingerprint {
        let reason = "this checkpoint is of another experiment: model, data, arithmetic, scope, seed and length have to be \
                      the same";
        return Err(wrong(reason.to_owned()));
    }
    let progress: Progress =
        serde_json::from_str(of(PROGRESS)?).map_err(|error| wrong(format!("invalid progress: {error}")))?;
    let mut state = vec![];
    for tensor in &manifest.state {
        let (element, file_element) = types(tensor.dtype);
        let shape: Vec<u64> = tensor.shape.iter().map(|size| *size as u64).collect();
        let stored = reader.get(&tensor.name);
        let stored = stored.filter(|found| *found.element() == file_element && found.shape() == shape);
        let stored = stored.ok_or_else(|| {
            wrong(format!("missing tensor '{}' with the shape and type of the model", tensor.name))
        })?;
        let data = Data::from_le_bytes(&element, &stored.read_all()?);
        state.push(Value::Tensor(Tensor::new(element, tensor.shape.clone(), data)));
    }
    Ok(Some((state, progress)))
}
