//! Quantises, dequantises and converts checkpoints in the layouts of inference programs, for `binade quantize --layout`,
//! `binade dequantize` and `binade convert`.
//!
//! A checkpoint is a `.safetensors` file, or a folder of such files with `model.safetensors.index.json`, `config.json` and
//! other files of the model. A folder is written file by file, and each file appears under its name when it is complete. A
//! marker, `.binade-incomplete.json`, exists until all files are complete. A run that was killed can resume after the
//! completed files.
//!
//! ```text
//! layout          codes                        scales                               tensor scale
//! ct-fp8          weight F8_E4M3               weight_scale F32, 1 a channel        -
//! ct-fp8-static   as ct-fp8, and input_scale F32, 1 a layer
//! ct-mxfp8        weight F8_E4M3               weight_scale U8 (E8M0), 1 for 32     -
//! ct-mxfp4        weight_packed U8             weight_scale U8 (E8M0), 1 for 32     -
//! ct-nvfp4        weight_packed U8             weight_scale F8_E4M3, 1 for 16       weight_global_scale F32, divisor
//! modelopt-nvfp4  weight U8                    weight_scale F8_E4M3, 1 for 16       weight_scale_2 F32, factor
//! gpt-oss         …_blocks U8, transposed      …_scales U8 (E8M0), 1 for 32         -
//! deepseek-fp8    weight F8_E4M3               weight_scale_inv F32, 1 for 128×128  -
//! ```
//!
//! GGUF files are read too, and written from GGUF files (module `gguf`).
//!
//! Readers of `ct-fp8` and `deepseek-fp8` also round activations to FP8, because config.json requests dynamic activations.
//! A calibration (module `calibration`) adds static scales: `input_scale` in `ct-fp8-static` and `modelopt-nvfp4`,
//! `input_global_scale` in `ct-nvfp4`, and `k_scale` and `v_scale` of attention for an FP8 key-value cache. The other layouts
//! quantise weights only.
//!
//! Four-bit codes are stored two in a byte, the first in the low bits. The reader supports more: FP8 with a scale for the
//! tensor, of any floating-point type and with other block shapes, E5M2, and the output of `binade quantize --format`.
//!
//! The module `encode` defines the codes of a weight, `weight` the values of codes.

mod architecture;
mod auto;
mod calibration;
mod choice;
mod config;
pub(crate) mod encode;
mod error;
pub(crate) mod foreign;
mod gguf;
mod ignore;
mod page;
mod plan;
mod readers;
mod run;
mod scheme;
mod shards;
mod store;
mod tiles;
mod weight;

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::UNIX_EPOCH;

use binade::block::ScaleRule;
use binade_files::{Container, ElementType, IfExists, remove_abandoned, safetensors};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub use auto::{Assignment, Auto, Candidate, run_auto};
pub use calibration::{Calibration, Clip};
pub use error::CheckpointError;
pub use gguf::{GgufLayout, GgufOptions, OutputLayout, write_gguf};
pub use page::page;
pub use scheme::CheckpointLayout;
pub use shards::{Shards, in_shards};
pub(crate) use store::Checkpoint;
pub(crate) use weight::{Decoded, ReadBuffers, Weight, weights};

use crate::compare::{Comparison, Row};
use crate::histogram::Histogram;
use crate::pool::with_threads;
use crate::{Error, Progress};
use encode::{least_coded, max_without_tensor_scale};
use plan::{CheckpointPlan, Job, Operation, OutputShard};
use readers::Written;
use run::{Context, Outputs, maxima, over_units};
use scheme::TensorScaleRole;
use store::{CONFIG, HF_QUANT_CONFIG, INDEX, json};

/// The operation on a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Quantises weights.
    Quantize {
        /// The layout.
        layout: CheckpointLayout,
        /// The scale rule; `None` for the layout's default.
        rule: Option<ScaleRule>,
    },
    /// Converts weights of another layout to this one. If both have the same codes and scales, and no rule is given, these
    /// are copied.
    Convert {
        /// The layout.
        layout: CheckpointLayout,
        /// The scale rule; `None` for the layout's default.
        rule: Option<ScaleRule>,
    },
    /// Quantises each weight to the layout chosen for it.
    Assigned(Assignment),
    /// Converts codes to their values, rounded once.
    Dequantize {
        /// The type of the values; `None` for that of config.json, or bf16.
        dtype: Option<Dtype>,
    },
}

/// A type of unquantised weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dtype {
    /// bfloat16.
    Bf16,
    /// binary16.
    F16,
    /// binary32.
    F32,
}

impl Dtype {
    const ALL: [Dtype; 3] = [Dtype::Bf16, Dtype::F16, Dtype::F32];

    fn element(self) -> ElementType {
        match self {
            Dtype::Bf16 => ElementType::Bf16,
            Dtype::F16 => ElementType::F16,
            Dtype::F32 => ElementType::F32,
        }
    }

    /// Its name in config.json.
    fn torch_name(self) -> &'static str {
        match self {
            Dtype::Bf16 => "bfloat16",
            Dtype::F16 => "float16",
            Dtype::F32 => "float32",
        }
    }
}

impl FromStr for Dtype {
    type Err = CheckpointError;

    fn from_str(text: &str) -> Result<Dtype, CheckpointError> {
        let is = |dtype: &Dtype| {
            let name = dtype.element().to_string();
            text.eq_ignore_ascii_case(&name) || text.eq_ignore_ascii_case(dtype.torch_name())
        };
        Dtype::ALL.into_iter().find(is).ok_or_else(|| CheckpointError::Dtype(text.to_owned()))
    }
}

/// Options of [`run`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The operation.
    pub action: Action,
    /// Globs of weights to quantise; if empty, those that layouts usually quantise.
    pub include: Vec<String>,
    /// Globs of weights to leave as they are.
    pub exclude: Vec<String>,
    /// The calibration from which static scales follow.
    pub calibration: Option<Calibration>,
    /// Number of threads; `None` for all of the machine.
    pub threads: Option<usize>,
    /// True to replace an existing output.
    pub force: bool,
    /// True to resume an unfinished folder.
    pub resume: bool,
}

impl Options {
    /// Options for an action, with the defaults of the command line.
    pub fn new(action: Action) -> Options {
        Options {
            action,
            include: vec![],
            exclude: vec![],
            calibration: None,
            threads: None,
            force: false,
            resume: false,
        }
    }

    /// The layouts of the output; if there are several, with the weights of each.
    fn layouts(&self) -> Vec<(CheckpointLayout, Vec<&str>)> {
        match &self.action {
            Action::Quantize { layout, .. } | Action::Convert { layout, .. } => vec![(*layout, vec![])],
            Action::Assigned(assignment) => assignment.by_layout().into_values().collect(),
            Action::Dequantize { .. } => vec![],
        }
    }
}

/// [`Report::layout`] of weights in several layouts.
const MIXED: &str = "mixed";

/// Report of an operation.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// `quantize`, `convert` or `dequantize`.
    pub action: &'static str,
    /// The layout of the output; `mixed` for several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layout: Option<&'static str>,
    /// The scale rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// The type of dequantised numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtype: Option<String>,
    /// The way in which linear layers were distinguished from other modules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linear_layers: Option<LinearLayers>,
    /// Weights with a new encoding.
    pub weights: Vec<WeightReport>,
    /// Tensors that were copied.
    pub copied: Vec<Copied>,
    /// Files of weights.
    pub files: usize,
    /// Files that an earlier run had completed.
    pub resumed: usize,
    /// Bytes of all tensors of the output.
    pub bytes: u64,
    /// Notes for users of the checkpoint.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Report {
    /// The work in a line: `quantised to ct-nvfp4, scale rule nearest`, `quantised to mixed layouts`.
    pub fn title(&self) -> String {
        let done = match self.action {
            "quantize" => "quantised",
            "convert" => "converted",
            _ => "dequantised",
        };
        match (self.layout, self.rule, &self.dtype) {
            (Some(layout), Some(rule), _) => format!("{done} to {layout}, scale rule {rule}"),
            (Some(MIXED), None, _) => format!("{done} to mixed layouts"),
            (Some(layout), None, _) => format!("{done} to {layout}"),
            (_, _, Some(dtype)) => format!("{done} to {dtype}"),
            _ => "nothing was quantised".to_owned(),
        }
    }

    /// Adds the losses of each weight, from a comparison of input and output.
    pub fn measure(&mut self, comparison: &Comparison) {
        for weight in &mut self.weights {
            weight.losses = comparison.row(&weight.name).map(Losses::of);
        }
    }
}

/// The way in which linear layers were distinguished from embeddings, norms, routers and heads.
#[derive(Clone, Debug, Serialize)]
pub struct LinearLayers {
    /// Model types of config.json with known modules. Without one, names decide.
    pub architecture: Vec<String>,
    /// Model types of config.json with unknown modules.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
    /// Matrices that were decided by name, because the architecture does not have them.
    pub by_name: Vec<String>,
}

impl LinearLayers {
    /// The rule in a sentence.
    pub fn rule(&self) -> String {
        let count = self.by_name.len();
        match (&self.architecture[..], &self.unknown[..]) {
            ([], []) => "linear layers by name: no config.json names a model type".to_owned(),
            ([], unknown) => {
                format!("linear layers by name: the model type {} is unknown", unknown.join(", "))
            }
            (known, _) if count == 0 => format!("linear layers by architecture: {}", known.join(", ")),
            (known, _) => format!(
                "linear layers by architecture: {}; by name {count} that it does not have, such as '{}'",
                known.join(", "),
                self.by_name[0]
            ),
        }
    }
}

/// A weight with a new encoding.
#[derive(Clone, Debug, Serialize)]
pub struct WeightReport {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Vec<u64>,
    /// Its size before in bytes, scales included.
    pub bytes_before: u64,
    /// Its size after in bytes, scales included.
    pub bytes_after: u64,
    /// The layout and scale rule chosen for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
    /// Its losses, if they were measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub losses: Option<Losses>,
}

/// Losses of a weight. The measures are over the elements that are finite before and after.
#[derive(Clone, Debug, Serialize)]
pub struct Losses {
    /// Σx² divided by the squared error, in decibels; `null` in JSON if nothing was lost.
    pub sqnr_db: f64,
    /// Mean square error.
    pub mean_square: f64,
    /// Largest error.
    pub max_abs: f64,
    /// Largest error relative to the element.
    pub max_relative: f64,
    /// Cosine of the angle between the weight before and after.
    pub cosine: f64,
    /// Elements beyond the largest value of the format times their scale.
    pub overflow: u64,
    /// Nonzero elements that became zero.
    pub underflow: u64,
    /// Elements that are NaN before or after.
    pub nan: u64,
    /// The elements by binade.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub histogram: Option<Histogram>,
}

impl Losses {
    fn of(row: &Row) -> Losses {
        Losses {
            sqnr_db: row.sqnr_db,
            mean_square: row.mean_square,
            max_abs: row.max_abs,
            max_relative: row.max_relative,
            cosine: row.cosine,
            overflow: row.overflow,
            underflow: row.underflow,
            nan: row.nan,
            histogram: row.histogram.clone(),
        }
    }
}

/// A tensor that was copied.
#[derive(Clone, Debug, Serialize)]
pub struct Copied {
    /// Its name.
    pub name: String,
    /// The reason.
    pub reason: &'static str,
}

/// The marker of an incomplete folder, which describes the intended output.
const MARKER: &str = ".binade-incomplete.json";

/// The intended output of an unfinished folder. A run resumes only its own output.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Marker {
    binade: String,
    action: String,
    include: Vec<String>,
    exclude: Vec<String>,
    /// Files of the input: names, bytes, times of change.
    input: Vec<(String, u64, u64)>,
}

/// Writes a checkpoint from another.
///
/// # Errors
/// See [`Error`]. The headers and index of the input are checked before anything is written. A folder that was begun has a
/// marker, and can be resumed.
pub fn run(input: &Path, output: &Path, options: &Options, progress: &dyn Progress) -> Result<Report, Error> {
    write(&open(input)?, output, options, progress)
}

/// Opens a checkpoint to be written anew.
fn open(input: &Path) -> Result<Checkpoint<'static>, Error> {
    let checkpoint = Checkpoint::open(input, None)?;
    refuse_other_files(&checkpoint)?;
    Ok(checkpoint)
}

fn write(
    checkpoint: &Checkpoint<'_>,
    output: &Path,
    options: &Options,
    progress: &dyn Progress,
) -> Result<Report, Error> {
    let plan = CheckpointPlan::new(checkpoint, options)?;
    let target = Target { checkpoint, plan: &plan, options, path: output };
    with_threads(options.threads, || match checkpoint.folder {
        true => target.folder(progress),
        false => target.file(progress),
    })
}

fn refuse_other_files(checkpoint: &Checkpoint<'_>) -> Result<(), Error> {
    for shard in &checkpoint.shards {
        if shard.side.noted.input.container() == Container::Npy {
            return Err(Error::ArrayWithoutLayout(shard.side.noted.path.clone()));
        }
    }
    Ok(())
}

/// The plan of an output, and its path.
struct Target<'a> {
    checkpoint: &'a Checkpoint<'a>,
    plan: &'a CheckpointPlan<'a>,
    options: &'a Options,
    path: &'a Path,
}

impl Target<'_> {
    /// Refuses an output that cannot be written. Leaves no file behind.
    fn may_begin(&self) -> Result<(), Error> {
        match self.checkpoint.folder {
            true => self.may_begin_folder(),
            false => self.may_begin_file().map(drop),
        }
    }

    fn may_begin_file(&self) -> Result<IfExists, Error> {
        let path = || self.path.to_owned();
        if self.path.is_dir() {
            return Err(CheckpointError::FolderOrFile { path: path() }.into());
        }
        if self.options.resume {
            let reason = "only folders are written file by file".to_owned();
            return Err(CheckpointError::Resume { path: path(), reason }.into());
        }
        crate::write::check_kind(self.path, Container::Safetensors)?;
        let if_exists = if self.options.force { IfExists::Replace } else { IfExists::Refuse };
        // Checked before the maxima are computed: the file can be written.
        drop(safetensors::Writer::create(self.path, &[], &[], if_exists)?);
        Ok(if_exists)
    }

    fn file(&self, progress: &dyn Progress) -> Result<Report, Error> {
        let if_exists = self.may_begin_file()?;
        remove_abandoned(self.path.parent().unwrap_or(Path::new("")));
        let jobs: Vec<&Job<'_>> = self.plan.jobs.iter().collect();
        let outputs = Outputs::new(self.plan, vec![self.path.to_owned()], &jobs, if_exists);
        let tensor_scales = self.work(&jobs, &outputs, &[], progress)?;
        Ok(self.report(0, &tensor_scales))
    }

    fn folder(&self, progress: &dyn Progress) -> Result<Report, Error> {
        let (made, unfinished) = (!self.path.exists(), self.path.join(MARKER).exists());
        let marker = self.begin()?;
        remove_abandoned(self.path);
        let paths: Vec<PathBuf> = self.plan.shards.iter().map(|shard| self.path.join(&shard.name)).collect();
        let each = paths.iter().zip(&self.plan.shards).enumerate();
        let done: Vec<usize> = each
            .filter(|(_, (path, shard))| self.options.resume && is_done(path, shard))
            .map(|(number, _)| number)
            .collect();
        let jobs: Vec<&Job<'_>> = self.plan.jobs.iter().filter(|job| !done.contains(&job.shard)).collect();
        let replace = self.options.force || self.options.resume;
        let if_exists = if replace { IfExists::Replace } else { IfExists::Refuse };
        let outputs = Outputs::new(self.plan, paths.clone(), &jobs, if_exists);
        let worked = self.work(&jobs, &outputs, &done, progress);
        let written: Vec<PathBuf> =
            done.iter().map(|&shard| paths[shard].clone()).chain(outputs.finished().cloned()).collect();
        // Removes unfinished temporary files.
        drop(outputs);
        if worked.as_ref().is_err_and(is_of_data) {
            self.remove_written(&written, &marker, unfinished);
            if made {
                // Fails if the folder is not empty.
                let _ = fs::remove_dir(self.path);
            }
        }
        let tensor_scales = worked?;
        self.describe()?;
        fs::remove_file(&marker).map_err(|source| io(&marker, "remove", source))?;
        Ok(self.report(done.len(), &tensor_scales))
    }

    /// Removes the written files after a data error, which resuming would meet again. If files of another run were replaced,
    /// the marker stays.
    fn remove_written(&self, written: &[PathBuf], marker: &Path, unfinished: bool) {
        // Best effort: the data error is the one to report.
        for file in written {
            let _ = fs::remove_file(file);
        }
        let alone = fs::read_dir(self.path).is_ok_and(|entries| entries.count() == 1);
        if alone || written.is_empty() && !unfinished {
            let _ = fs::remove_file(marker);
        }
    }

    /// Refuses an output that is of the other type (file or folder), or is the input.
    fn refuse_place(&self) -> Result<(), Error> {
        let path = || self.path.to_owned();
        if self.path.exists() && !self.path.is_dir() {
            return Err(CheckpointError::FolderOrFile { path: path() }.into());
        }
        let same =
            |a: &Path, b: &Path| matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b);
        match same(self.path, &self.checkpoint.path) {
            true => Err(CheckpointError::SamePlace { path: path() }.into()),
            false => Ok(()),
        }
    }

    fn may_begin_folder(&self) -> Result<(), Error> {
        let path = || self.path.to_owned();
        let marker = self.path.join(MARKER);
        self.refuse_place()?;
        if self.options.resume {
            return match marker.exists() {
                true => Ok(()),
                false => Err(CheckpointError::Resume {
                    path: path(),
                    reason: "there is no unfinished checkpoint".to_owned(),
                }
                .into()),
            };
        }
        if !self.options.force && marker.exists() {
            return Err(CheckpointError::Unfinished { path: path() }.into());
        }
        match fs::read_dir(self.path).map(|mut entries| entries.next().is_some()) {
            Ok(true) if !self.options.force => Err(CheckpointError::NotEmpty { path: path() }.into()),
            _ => Ok(()),
        }
    }

    /// Creates the folder and its marker, or finds them.
    fn begin(&self) -> Result<PathBuf, Error> {
        self.may_begin_folder()?;
        let path = || self.path.to_owned();
        let marker = self.path.join(MARKER);
        let wanted = self.marker()?;
        if self.options.resume {
            let found = json(&marker)?.unwrap_or_default();
            let found: Option<Marker> = serde_json::from_value(Value::Object(found)).ok();
            if found.as_ref() != Some(&wanted) {
                let reason = "the unfinished output has another input or other options".to_owned();
                return Err(CheckpointError::Resume { path: path(), reason }.into());
            }
            return Ok(marker);
        }
        if !self.path.exists() {
            fs::create_dir(self.path).map_err(|source| io(self.path, "make the folder", source))?;
        }
        let text = serde_json::to_vec_pretty(&wanted).map_err(|error| io(&marker, "write", error.into()))?;
        fs::write(&marker, text).map_err(|source| io(&marker, "write", source))?;
        Ok(marker)
    }

    fn marker(&self) -> Result<Marker, Error> {
        let mut input = vec![];
        for shard in &self.checkpoint.shards {
            let path = self.checkpoint.path.join(&shard.name);
            let found = fs::metadata(&path).map_err(|source| io(&path, "read", source))?;
            let changed = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            input.push((shard.name.clone(), found.len(), changed.map_or(0, |time| time.as_nanos() as u64)));
        }
        Ok(Marker {
            binade: env!("CARGO_PKG_VERSION").to_owned(),
            action: format!(
                "{:?} {:?}{}",
                self.options.action,
                self.plan.dtype,
                self.options.calibration.as_ref().map_or(String::new(), Calibration::fingerprint)
            ),
            include: self.options.include.clone(),
            exclude: self.options.exclude.clone(),
            input,
        })
    }

    /// Does jobs, except for the files in `done`. Returns the largest magnitude of each group that shares a tensor scale.
    fn work(
        &self,
        jobs: &[&Job<'_>],
        outputs: &Outputs<'_>,
        done: &[usize],
        progress: &dyn Progress,
    ) -> Result<Vec<f64>, Error> {
        let context = Context::new(self.plan, &self.checkpoint.path)?;
        let shared = shared(self.plan, jobs);
        progress.total(jobs.iter().chain(&shared).map(|job| job.bytes()).sum());
        let files = self.plan.shards.len();
        let work = || {
            let tensor_scales = maxima(self.plan, &shared, &context, progress)?;
            over_units(jobs, progress, |buffers, job, unit| {
                let writer = outputs.writer(job.shard)?;
                let bytes = context.unit(job, unit, &tensor_scales, &writer, buffers)?;
                outputs.count_off(job.shard, writer)?;
                Ok(bytes)
            })?;
            // Files without a unit have only a header.
            for shard in (0..files).filter(|shard| !done.contains(shard)) {
                if jobs.iter().filter(|job| job.shard == shard).all(|job| job.units == 0) {
                    drop(outputs.writer(shard)?);
                    outputs.finish(shard)?;
                }
            }
            Ok(tensor_scales)
        };
        work().map_err(|error| match error {
            Error::Cancelled if self.checkpoint.folder => CheckpointError::Interrupted {
                path: self.path.to_owned(),
                done: done.len() + outputs.finished().count(),
                shards: files,
            }
            .into(),
            error => error,
        })
    }

    /// Writes the files beside the weights.
    fn describe(&self) -> Result<(), Error> {
        let write = |name: &str, value: &Value| {
            let path = self.path.join(name);
            let text =
                serde_json::to_string_pretty(value).map_err(|error| io(&path, "write", error.into()))?;
            fs::write(&path, text + "\n").map_err(|source| Error::from(io(&path, "write", source)))
        };
        for name in self.checkpoint.companions(self.path)?.copied {
            let (from, to) = (self.checkpoint.path.join(&name), self.path.join(&name));
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder).map_err(|source| io(folder, "make the folder", source))?;
            }
            fs::copy(&from, &to).map_err(|source| io(&to, "copy", source))?;
        }
        let layouts = self.options.layouts();
        let ignored = self.ignored();
        let quantization = match &layouts[..] {
            [] => None,
            [(layout, _)] => Some(config::quantization(*layout, &ignored, self.plan.static_scales())),
            several => Some(config::mixed(several, &ignored)),
        };
        // Without a config.json in the input, the layout must still be declared.
        if self.checkpoint.config.is_some() || quantization.is_some() {
            let config = self.checkpoint.config.clone().unwrap_or_default();
            let mut config = config::with_quantization(&config, quantization);
            if matches!(self.options.action, Action::Dequantize { .. }) {
                declare(&mut config, self.plan.dtype);
            }
            if self.unties() {
                untie(&mut config);
            }
            write(CONFIG, &Value::Object(config))?;
        }
        let hf_quant_config = self.path.join(HF_QUANT_CONFIG);
        if layouts.iter().any(|(layout, _)| *layout == CheckpointLayout::ModeloptNvfp4) {
            write(HF_QUANT_CONFIG, &config::hf_quant_config(&ignored, self.plan.static_scales()))?;
        } else if hf_quant_config.exists() {
            fs::remove_file(&hf_quant_config).map_err(|source| io(&hf_quant_config, "remove", source))?;
        }
        if self.checkpoint.has_index || self.plan.shards.len() > 1 {
            write(INDEX, &self.index())?;
        }
        Ok(())
    }

    /// Modules that config.json names as not quantised.
    fn ignored(&self) -> Vec<String> {
        let layouts: Vec<CheckpointLayout> =
            self.options.layouts().into_iter().map(|(layout, _)| layout).collect();
        let (architecture, config) = (self.plan.choice.architecture(), self.checkpoint.config.as_ref());
        self.plan.decided.ignored(&layouts, architecture, config)
    }

    /// Returns true if the output head is quantised, so that config.json must not tie it to the embeddings.
    fn unties(&self) -> bool {
        let tied = self.checkpoint.config.as_ref().map(|config| config.get("tie_word_embeddings"));
        let kept = tied.flatten().is_some_and(|tied| tied == &Value::Bool(false));
        self.checkpoint.config.is_some()
            && !self.options.layouts().is_empty()
            && !kept
            && self.plan.decided.unties(self.plan.choice.architecture())
    }

    /// The way in which linear layers were distinguished, if the default choice was used.
    fn linear_layers(&self) -> Option<LinearLayers> {
        let layouts = self.options.layouts();
        let dense = layouts.iter().any(|(layout, _)| *layout != CheckpointLayout::GptOss);
        let architecture = self.plan.choice.architecture();
        dense.then(|| LinearLayers {
            architecture: architecture.known().map(str::to_owned).collect(),
            unknown: architecture.unknown().to_vec(),
            by_name: self.plan.by_name.clone(),
        })
    }

    fn index(&self) -> Value {
        let mut map = Map::new();
        for shard in &self.plan.shards {
            for (name, _) in &shard.names {
                map.insert(name.clone(), json!(shard.name));
            }
        }
        map.sort_keys();
        json!({"metadata": {"total_size": self.bytes()}, "weight_map": map})
    }

    fn bytes(&self) -> u64 {
        self.plan.shards.iter().flat_map(|shard| &shard.names).map(|(_, bytes)| bytes).sum()
    }

    /// Notes for users of the checkpoint, given the largest magnitude of each group that shares a tensor scale.
    fn notes(&self, maxima: &[f64]) -> Vec<String> {
        let mut notes = vec![];
        if !self.options.layouts().is_empty() {
            if !self.checkpoint.folder {
                notes.push(
                    "programs read the layout in config.json, as quantization_config, which is written with folders only"
                        .to_owned(),
                );
            } else if self.checkpoint.config.is_none() {
                notes.push(
                    "the input has no config.json: the one that was written has nothing but quantization_config".to_owned(),
                );
            }
        }
        let layouts = self.options.layouts();
        if !layouts.is_empty() {
            notes.extend(self.plan.decided.notes());
            let written = Written {
                layouts: &layouts,
                weights: &self.plan.changed,
                architecture: self.plan.choice.architecture(),
                dtype: self.plan.dtype,
                caches: self.plan.static_scales().cache,
            };
            notes.extend(written.notes());
        }
        if let Some(calibration) = &self.options.calibration {
            let [inputs, caches] = self.plan.static_counts;
            notes.extend(calibration.notes(inputs, caches));
        }
        notes.extend(self.plan.converted.iter().cloned());
        if self.checkpoint.folder && self.unties() {
            notes.push(
                "config.json says tie_word_embeddings: false now, since the output head is quantised and the embeddings are not"
                    .to_owned(),
            );
        }
        if self.checkpoint.folder {
            notes.extend(self.checkpoint.omitted_note(self.path));
        }
        for job in self.plan.encodes() {
            let Operation::Encode(encode) = &job.operation else { continue };
            let scheme = &self.plan.encoders[encode.encoder].scheme;
            let maximum = maxima.get(encode.group).copied().unwrap_or(0.0);
            if scheme.tensor_scale == TensorScaleRole::Divisor
                && maximum > 0.0
                && max_without_tensor_scale(scheme) / maximum > f32::MAX as f64
            {
                notes.push(format!(
                    "'{}': weights below {:.1e} became zero, since for a largest magnitude of {maximum:.1e} weight_global_scale \
                     would be beyond binary32",
                    job.name,
                    least_coded(scheme, f32::MAX)
                ));
            }
        }
        notes
    }

    fn report(&self, resumed: usize, maxima: &[f64]) -> Report {
        let (action, rule) = match &self.options.action {
            Action::Quantize { layout, rule } => ("quantize", Some(rule.unwrap_or(layout.default_rule()))),
            Action::Convert { layout, rule } => ("convert", Some(rule.unwrap_or(layout.default_rule()))),
            Action::Assigned(_) => ("quantize", None),
            Action::Dequantize { .. } => ("dequantize", None),
        };
        let layout = match &self.options.layouts()[..] {
            [] => None,
            [(layout, _)] => Some(layout.name()),
            _ => Some(MIXED),
        };
        let choice = |name: &str| match &self.options.action {
            Action::Assigned(assignment) => {
                let (layout, rule) = assignment.of(name).flatten()?;
                Some(Candidate::Layout(layout, rule).name())
            }
            _ => None,
        };
        Report {
            action,
            layout,
            rule: rule.map(ScaleRule::name),
            dtype: matches!(self.options.action, Action::Dequantize { .. })
                .then(|| self.plan.dtype.element().to_string()),
            linear_layers: self.linear_layers(),
            weights: self
                .plan
                .changed
                .iter()
                .map(|changed| WeightReport {
                    name: changed.name.clone(),
                    shape: changed.shape.clone(),
                    bytes_before: changed.bytes[0],
                    bytes_after: changed.bytes[1],
                    choice: choice(&changed.name),
                    losses: None,
                })
                .collect(),
            copied: self
                .plan
                .left
                .iter()
                .map(|(name, reason)| Copied { name: name.clone(), reason })
                .collect(),
            files: self.plan.shards.len(),
            resumed,
            bytes: self.bytes(),
            notes: self.notes(maxima),
        }
    }
}

/// Returns true for an error in the data of the input, which resuming would meet again.
fn is_of_data(error: &Error) -> bool {
    matches!(
        error,
        Error::Checkpoint(CheckpointError::Scale { .. } | CheckpointError::NotFinite { .. })
            | Error::Code { .. }
    )
}

/// The jobs that tensor scales depend on: those with one, and those that share it.
fn shared<'j>(plan: &'j CheckpointPlan<'_>, jobs: &[&Job<'_>]) -> Vec<&'j Job<'j>> {
    let tensor_scale = |job: &Job<'_>| match &job.operation {
        Operation::Encode(encode)
            if plan.encoders[encode.encoder].scheme.tensor_scale != TensorScaleRole::None =>
        {
            Some(encode.group)
        }
        _ => None,
    };
    let mut wanted = vec![false; plan.groups];
    jobs.iter().filter_map(|job| tensor_scale(job)).for_each(|group| wanted[group] = true);
    plan.jobs.iter().filter(|job| tensor_scale(job).is_some_and(|group| wanted[group])).collect()
}

fn io(path: &Path, action: &'static str, source: std::io::Error) -> CheckpointError {
    CheckpointError::Io { path: path.to_owned(), action, source }
}

/// Declares that the output head is not tied to the embeddings, for the whole model and its parts.
fn untie(config: &mut Map<String, Value>) {
    const TIE: &str = "tie_word_embeddings";
    config.insert(TIE.to_owned(), json!(false));
    for part in config.values_mut().filter_map(Value::as_object_mut) {
        if let Some(tie) = part.get_mut(TIE) {
            *tie = json!(false);
        }
    }
}

/// Sets the type of weights that config.json declares.
fn declare(config: &mut Map<String, Value>, dtype: Dtype) {
    for key in ["dtype", "torch_dtype"] {
        if let Some(declared) = config.get_mut(key) {
            *declared = json!(dtype.torch_name());
        }
    }
}

/// Returns true if a file of an earlier run has the intended header and length. A truncated file is written again.
fn is_done(path: &Path, shard: &OutputShard) -> bool {
    safetensors::Reader::open(path).is_ok_and(|reader| {
        let found: Vec<safetensors::Entry> = reader.tensors().iter().map(safetensors::Entry::like).collect();
        found == shard.entries && reader.metadata() == &shard.metadata[..]
    })
}
