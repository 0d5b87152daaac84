//! Plans the output of a checkpoint: the treatment of each tensor, and its file and slot.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use binade::Edition;
use binade::block::ScaleRule;
use binade_files::{ElementType, Tensor, safetensors};
use binade_kernels::{BlockDecoder, ColumnDecoder, ColumnEncoder};
use serde_json::Value;

use super::architecture::Architecture;
use super::calibration::{CacheScales, Calibration, first_of};
use super::choice::{Choice, Fusion, Rule};
use super::config::StaticScales;
use super::encode::BlockEncoder;
use super::ignore::Decisions;
use super::scheme::{Activations, Scheme, TensorScaleRole, WHOLE, module_of};
use super::store::Checkpoint;
use super::tiles::{Tile, Tiles, UNIT};
use super::weight::{Coded, Decoded, LONGEST_ROW, Weight, input_magnitude, static_scale, weights};
use super::{Action, CheckpointError, CheckpointLayout, Dtype, Options};
use crate::Error;
use crate::layout::subject_of;
use crate::scaled::ScaledTensor;

/// Bytes that are copied at once.
pub(crate) const COPY: u64 = 1 << 20;

/// Origin of the numbers of a weight.
pub(crate) enum Source<'a> {
    /// bf16, f16 or f32.
    Plain(&'a Tensor),
    /// Codes of a layout.
    Coded(Box<Decoded<'a>>),
    /// Codes with binade's own notes.
    Noted(Box<ScaledTensor<'a>>),
}

/// The work for a tensor of the output, in units that any thread may do.
pub(crate) struct Job<'a> {
    /// The output file.
    pub(crate) shard: usize,
    /// Name of the weight, for messages.
    pub(crate) name: String,
    pub(crate) operation: Operation<'a>,
    pub(crate) units: u64,
}

impl Job<'_> {
    /// Largest number of numbers of a unit.
    pub(crate) fn numbers_of_unit(&self) -> u64 {
        match &self.operation {
            Operation::Copy { .. } => COPY,
            Operation::Bytes { bytes, .. } => bytes.len() as u64,
            // Codes and scales take a fraction of a number, and there is a band of numbers.
            Operation::Encode(Encode { in_columns: Some(_), tiles, .. })
            | Operation::DecodeTransposed { tiles, .. } => {
                tiles.elements() / 64 + 32 * tiles.down.min(tiles.rows)
            }
            Operation::Encode(Encode { tiles, .. }) => tiles.elements(),
            Operation::Decode { unit, elements, .. } => *unit.min(elements),
        }
    }

    /// Approximate number of bytes to read.
    pub(crate) fn bytes(&self) -> u64 {
        match &self.operation {
            Operation::Copy { tensor, .. } => tensor.byte_len(),
            Operation::Bytes { .. } => 0,
            Operation::Encode(encode) => match &encode.source {
                Source::Plain(tensor) => tensor.stored_bytes(),
                Source::Coded(decoded) => decoded.coded.codes.byte_len(),
                Source::Noted(scaled) => scaled.values.tensor.byte_len(),
            },
            Operation::Decode { elements, .. } => 2 * elements,
            Operation::DecodeTransposed { tiles, .. } => {
                2 * self.units / tiles.units().max(1) * tiles.rows * tiles.columns
            }
        }
    }
}

pub(crate) enum Operation<'a> {
    /// Copies bytes.
    Copy { tensor: &'a Tensor, slot: usize },
    /// Writes these bytes.
    Bytes { bytes: Vec<u8>, slot: usize },
    /// Encodes to codes and scales. For a transposed weight, columns become rows.
    Encode(Encode<'a>),
    /// Decodes to numbers, `unit` elements in each unit.
    Decode { source: Source<'a>, slot: usize, elements: u64, unit: u64 },
    /// Decodes to numbers that are stored transposed.
    DecodeTransposed { decoded: Box<Decoded<'a>>, kernel: Box<ColumnDecoder>, slot: usize, tiles: Tiles },
}

pub(crate) struct Encode<'a> {
    pub(crate) source: Source<'a>,
    /// The slots of codes, scales, and tensor scale.
    pub(crate) slots: [usize; 3],
    pub(crate) tiles: Tiles,
    pub(crate) transposed: bool,
    /// Index of the tensor scale.
    pub(crate) group: usize,
    /// Index of the encoder in the plan.
    pub(crate) encoder: usize,
    /// The encoder for numbers that are stored transposed.
    pub(crate) in_columns: Option<Box<ColumnEncoder>>,
}

impl Encode<'_> {
    /// The tiles of a unit that are read at once: for transposed weights, parts of its tile.
    pub(crate) fn parts(&self, unit: u64) -> impl Iterator<Item = Tile> {
        let tile = self.tiles.tile(unit);
        let (whole, parts) = match self.in_columns {
            None => (Some(tile), None),
            Some(_) => (None, Some(Tiles::parts(tile))),
        };
        whole.into_iter().chain(parts.into_iter().flatten())
    }
}

/// An output file.
pub(crate) struct OutputShard {
    pub(crate) name: String,
    pub(crate) entries: Vec<safetensors::Entry>,
    pub(crate) names: Vec<(String, u64)>,
    pub(crate) metadata: Vec<(String, String)>,
}

/// A weight with a new encoding.
pub(crate) struct Changed {
    pub(crate) name: String,
    pub(crate) shape: Vec<u64>,
    pub(crate) bytes: [u64; 2],
}

pub(crate) struct CheckpointPlan<'a> {
    pub(crate) jobs: Vec<Job<'a>>,
    pub(crate) shards: Vec<OutputShard>,
    /// One for each layout and scale rule.
    pub(crate) encoders: Vec<BlockEncoder>,
    /// Number of tensor scales.
    pub(crate) groups: usize,
    pub(crate) changed: Vec<Changed>,
    pub(crate) left: Vec<(String, &'static str)>,
    /// The decisions, for config.json and the notes.
    pub(crate) decided: Decisions,
    /// Numbers of layers with a static scale of inputs, and of attention modules with scales of keys and values.
    pub(crate) static_counts: [usize; 2],
    /// Notes on static scales of the input that a conversion carried over or left out, and on unknown layers of a calibration.
    pub(crate) converted: Vec<String>,
    /// Matrices that were decided by name.
    pub(crate) by_name: Vec<String>,
    pub(crate) choice: Choice,
    pub(crate) fusion: Fusion,
    pub(crate) dtype: Dtype,
}

/// Collects jobs and files.
struct Planner<'a, 'o> {
    checkpoint: &'a Checkpoint<'a>,
    options: &'o Options,
    dtype: Dtype,
    /// True to leave weights that do not fit a layout's blocks, instead of an error.
    lenient: bool,
    /// Layout and rule of each encoder of the plan.
    encoders: Vec<(CheckpointLayout, ScaleRule)>,
    groups: HashMap<String, usize>,
    /// File and layout of each weight that is quantised, in the order of `plan.changed`.
    coded: Vec<(usize, String, CheckpointLayout)>,
    /// The largest magnitude of inputs that static scales of the input keep, by module.
    magnitudes: BTreeMap<String, f64>,
    plan: CheckpointPlan<'a>,
}

impl<'a> CheckpointPlan<'a> {
    pub(crate) fn new(
        checkpoint: &'a Checkpoint<'a>,
        options: &Options,
    ) -> Result<CheckpointPlan<'a>, Error> {
        CheckpointPlan::plan(checkpoint, options, false)
    }

    /// A plan for everything that a layout can encode, possibly nothing. Weights that do not fit its blocks stay as they are.
    pub(crate) fn trial(
        checkpoint: &'a Checkpoint<'a>,
        options: &Options,
    ) -> Result<CheckpointPlan<'a>, Error> {
        CheckpointPlan::plan(checkpoint, options, true)
    }

    /// The static scales of the output.
    pub(crate) fn static_scales(&self) -> StaticScales {
        let [inputs, caches] = self.static_counts;
        StaticScales { inputs: inputs > 0, cache: caches > 0 }
    }

    /// The jobs that encode.
    pub(crate) fn encodes(&self) -> impl Iterator<Item = &Job<'a>> {
        self.jobs.iter().filter(|job| matches!(job.operation, Operation::Encode(_)))
    }

    fn plan(
        checkpoint: &'a Checkpoint<'a>,
        options: &Options,
        lenient: bool,
    ) -> Result<CheckpointPlan<'a>, Error> {
        let dtype = match options.action {
            Action::Dequantize { dtype: Some(dtype) } => dtype,
            _ => declared_dtype(checkpoint).unwrap_or(Dtype::Bf16),
        };
        let shards = checkpoint.shards.iter().map(|shard| OutputShard {
            name: shard.name.clone(),
            entries: vec![],
            names: vec![],
            metadata: vec![],
        });
        let weights = weights(checkpoint)?;
        let config = checkpoint.config.as_ref();
        let choice = Choice::new(&options.include, &options.exclude, config, &weights)?;
        let plan = CheckpointPlan {
            jobs: vec![],
            shards: shards.collect(),
            encoders: vec![],
            groups: 0,
            changed: vec![],
            left: vec![],
            decided: Decisions::default(),
            static_counts: [0; 2],
            converted: vec![],
            by_name: vec![],
            fusion: Fusion::of(choice.architecture()),
            choice,
            dtype,
        };
        let (groups, encoders, coded) = (HashMap::new(), vec![], vec![]);
        let magnitudes = BTreeMap::new();
        let mut planner =
            Planner { checkpoint, options, dtype, lenient, encoders, groups, coded, magnitudes, plan };
        if let Action::Quantize { layout, rule } | Action::Convert { layout, rule } = options.action {
            planner.encoder(layout, rule)?;
        }
        planner.check_calibration()?;
        let modules: Vec<(usize, String)> =
            weights.iter().map(|weight| (weight.shard, weight.name.clone())).collect();
        for weight in weights {
            planner.weight(weight)?;
        }
        planner.static_scales(&modules)?;
        planner.finish()
    }
}

/// Returns true for the name of a scale of keys or values.
fn is_cache_scale(name: &str) -> bool {
    [".k_scale", ".v_scale"].iter().any(|ending| name.ends_with(ending))
}

/// Returns true for an output head that is tied to the embeddings. It is a layer of the model without a tensor in files.
fn is_tied_head(layer: &str, architecture: &Architecture) -> bool {
    architecture.tied().chain(["lm_head"]).any(|head| {
        let rest = layer.strip_suffix(head);
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// The key by which config.json declares that readers quantise keys and values.
fn cache_scheme(checkpoint: &Checkpoint<'_>) -> Option<&'static str> {
    let quantization = checkpoint.quantization()?;
    ["kv_cache_scheme", "kv_cache_quant_algo"]
        .into_iter()
        .find(|key| quantization.get(*key).is_some_and(|value| !value.is_null()))
}

/// The key by which config.json declares that readers quantise activations.
fn activations_of(checkpoint: &Checkpoint<'_>) -> Option<&'static str> {
    let quantization = checkpoint.quantization()?;
    let text = |key: &str| quantization.get(key).and_then(Value::as_str);
    let mut groups = quantization.get("config_groups").and_then(Value::as_object).into_iter().flatten();
    if groups.any(|(_, group)| group.get("input_activations").is_some_and(|args| !args.is_null())) {
        return Some("input_activations");
    }
    match text("quant_method")? {
        "fp8" => Some("activation_scheme"),
        "modelopt" if matches!(text("quant_algo"), Some("NVFP4" | "FP8")) => Some("quant_algo"),
        _ => None,
    }
}

/// The type of weights that config.json declares.
fn declared_dtype(checkpoint: &Checkpoint<'_>) -> Option<Dtype> {
    let config = checkpoint.config.as_ref()?;
    let name = config.get("dtype").or_else(|| config.get("torch_dtype"))?.as_str()?;
    Dtype::ALL.into_iter().find(|dtype| dtype.torch_name() == name)
}

impl<'a> Planner<'a, '_> {
    fn weight(&mut self, weight: Weight<'a>) -> Result<(), Error> {
        if self.replaces(&weight) {
            return Ok(());
        }
        let shard = &self.checkpoint.shards[weight.shard];
        let noted = &shard.side.noted;
        let note = noted.note(weight.tensor.name());
        if let (Some(_), None) = (weight.tensor.blocks(), weight.tensor.element().bits()) {
            let (path, tensor) = (noted.path.clone(), weight.name.clone());
            return Err(CheckpointError::GgufCodes {
                path,
                tensor,
                element: weight.tensor.element().clone(),
            }
            .into());
        }
        let by_binade = weight.coded.is_none() && note.is_some_and(|note| note.format.is_some());
        let shape =
            weight.coded.as_ref().map_or_else(|| weight.tensor.shape().to_vec(), |coded| coded.shape.clone());
        let (layout, rule, chosen) = match &self.options.action {
            Action::Dequantize { .. } => return self.dequantized(weight, by_binade, "it is not quantised"),
            Action::Quantize { layout, rule } | Action::Convert { layout, rule } => (*layout, *rule, Ok(())),
            Action::Assigned(assignment) => match assignment.of(&weight.name) {
                Some(Some((layout, rule))) => (layout, Some(rule), Ok(())),
                Some(None) => (CheckpointLayout::CtFp8, None, Err("it was chosen to stay")),
                None => (CheckpointLayout::CtFp8, None, Err("no candidate's blocks fit its rows")),
            },
        };
        let convert = matches!(self.options.action, Action::Convert { .. });
        let quantised = weight.coded.is_some() || weight.is_in_blocks();
        if !convert && (quantised || note.is_some_and(|note| note.scale.is_some())) {
            let path = noted.path.clone();
            return Err(CheckpointError::Quantised { path, tensor: weight.tensor.name().to_owned() }.into());
        }
        let left = self.plan.choice.left(&weight, layout, &shape).or(chosen.err());
        let unfit = || self.lenient && self.rows_of(&weight, layout, &shape).is_err();
        let left = left.or_else(|| unfit().then_some("its rows are no whole number of blocks"));
        let turned = |coded: &Coded<'_>| coded.transposed != (layout == CheckpointLayout::GptOss);
        let turned = || weight.coded.as_ref().is_some_and(turned);
        let left = left.or_else(|| turned().then_some("its matrices lie otherwise in this layout"));
        self.decide(&weight.name, &shape, layout, left.is_none());
        if let Some(why) = left {
            return self.dequantized(weight, by_binade && convert, why);
        }
        self.coded.push((weight.shard, weight.name.clone(), layout));
        if let Some(coded) = &weight.coded
            && let Some(magnitude) = input_magnitude(self.checkpoint, &weight.name, &coded.scheme)?
        {
            self.magnitudes.insert(module_of(&weight.name).to_owned(), magnitude);
        }
        match &weight.coded {
            Some(coded) if rule.is_none() && coded.scheme.same_codes(&layout.scheme()) => {
                let coded = coded.clone();
                self.repack(weight, coded, layout)
            }
            Some(coded) if coded.transposed => {
                let coded = coded.clone();
                self.encode(weight, Some(coded), (layout, rule), shape)
            }
            _ => {
                let coded = weight.coded.clone();
                self.encode(weight, coded, (layout, rule), shape)
            }
        }
    }

    /// Returns true for a scale of keys or values that the output does not have, or has from the calibration.
    fn replaces(&self, weight: &Weight<'_>) -> bool {
        let dequantize = matches!(self.options.action, Action::Dequantize { .. });
        let calibration = self.options.calibration.as_ref();
        let replaced = calibration.is_some_and(|calibration| calibration.cache() != CacheScales::Absent);
        (dequantize || replaced)
            && weight.coded.is_none()
            && weight.tensor.elements() == 1
            && is_cache_scale(&weight.name)
    }

    /// The attention modules of the input with scales of keys or values. True for each of the two that it has.
    fn caches(&self) -> BTreeMap<&'a str, [bool; 2]> {
        let mut caches: BTreeMap<&str, [bool; 2]> = BTreeMap::new();
        let one = |name: &str| self.checkpoint.get(name).is_some_and(|tensor| tensor.elements() == 1);
        for name in self.checkpoint.names().filter(|name| one(name)) {
            for (at, (ending, projection)) in
                [(".k_scale", ".k_proj"), (".v_scale", ".v_proj")].into_iter().enumerate()
            {
                if let Some(module) = name.strip_suffix(ending) {
                    // ModelOpt stores the scales in the projections.
                    let module = module.strip_suffix(projection).unwrap_or(module);
                    caches.entry(module).or_default()[at] = true;
                }
            }
        }
        caches
    }

    /// Checks that the layout and the calibration go together.
    fn check_calibration(&self) -> Result<(), Error> {
        let layouts: Vec<CheckpointLayout> =
            self.options.layouts().into_iter().map(|(layout, _)| layout).collect();
        let error = match self.options.calibration {
            Some(_) => layouts
                .iter()
                .find(|layout| layout.input_scale_ending().is_none())
                .map(|&layout| CheckpointError::NoStaticScales { layout }),
            // A conversion may have the scales of its input.
            None if matches!(self.options.action, Action::Convert { .. }) => None,
            None => layouts
                .iter()
                .find(|layout| layout.needs_calibration())
                .map(|&layout| CheckpointError::Uncalibrated(layout)),
        };
        error.map_or(Ok(()), |error| Err(error.into()))
    }

    /// Plans the scales of inputs, keys and values. Those of an attention module are in the file of one of its weights.
    fn static_scales(&mut self, weights: &[(usize, String)]) -> Result<(), Error> {
        let coded = std::mem::take(&mut self.coded);
        let attention: Vec<&str> =
            weights.iter().filter_map(|(_, name)| module_of(name).strip_suffix(".k_proj")).collect();
        match self.options.action {
            Action::Convert { layout, .. } => self.carry_caches(layout, &attention)?,
            Action::Quantize { layout, .. } if self.options.calibration.is_some() => {
                self.carry_caches(layout, &attention)?;
            }
            _ => {}
        }
        let carried = match &self.options.calibration {
            None => self.carried(&coded)?,
            Some(_) => None,
        };
        if let Some(calibration) = &self.options.calibration {
            let modules: HashSet<&str> = weights.iter().map(|(_, name)| module_of(name)).collect();
            let unknown = calibration.unknown_inputs(
                &self.checkpoint.path,
                |layer| modules.contains(layer),
                |layer| is_tied_head(layer, self.plan.choice.architecture()),
            )?;
            if !unknown.is_empty() {
                self.plan.converted.push(format!(
                    "the checkpoint does not have {} of the {} layers of the calibration: {}",
                    unknown.len(),
                    calibration.len(),
                    first_of(&unknown)
                ));
            }
        }
        let Some(calibration) = self.options.calibration.as_ref().or(carried.as_ref()) else {
            return Ok(());
        };
        let each = coded.iter().map(|(_, name, layout)| (&**name, *layout));
        let scales = calibration.input_scales(each, &self.plan.fusion)?;
        let mut tensors = vec![];
        for ((shard, name, layout), scale) in coded.iter().zip(scales) {
            let stem = module_of(name);
            let ending = layout.input_scale_ending().unwrap_or_default();
            tensors.push((*shard, format!("{stem}{ending}"), scale));
        }
        let caches = calibration.cache_scales()?;
        self.plan.static_counts[0] = tensors.len();
        self.plan.static_counts[1] += caches.len();
        attention.iter().try_for_each(|module| calibration.check_attention(module))?;
        for (module, scales) in caches {
            let of_module =
                |name: &str| name.strip_prefix(&*module).is_some_and(|rest| rest.starts_with('.'));
            let Some((shard, _)) = weights.iter().find(|(_, name)| of_module(name)) else {
                return Err(calibration.unknown_module(&self.checkpoint.path, &module).into());
            };
            for (ending, scale) in ["k_scale", "v_scale"].into_iter().zip(scales) {
                tensors.push((*shard, format!("{module}.{ending}"), scale));
            }
        }
        let shape = self.shape_of_scales();
        for (shard, name, scale) in tensors {
            let entry = safetensors::Entry::new(&name, ElementType::F32, shape);
            let slot = self.slot(shard, entry, &name, 4);
            self.job(shard, &name, Operation::Bytes { bytes: scale.to_le_bytes().to_vec(), slot }, 1);
        }
        Ok(())
    }

    /// The shape of a static scale: ModelOpt's are scalars.
    fn shape_of_scales(&self) -> &'static [u64] {
        match self.options.layouts().iter().any(|(layout, _)| *layout == CheckpointLayout::ModeloptNvfp4) {
            true => &[],
            false => &[1],
        }
    }

    /// Carries the scales of key-value caches over from the input, unless the calibration has them. Notes say which scales are carried
    /// over, left out or missing; `attention` are the modules with a projection to keys.
    fn carry_caches(&mut self, layout: CheckpointLayout, attention: &[&str]) -> Result<(), Error> {
        let caches = self.caches();
        let count = caches.len();
        let cache = self.options.calibration.as_ref().map_or(CacheScales::Absent, Calibration::cache);
        match (cache, &self.options.calibration) {
            (CacheScales::Written, Some(calibration)) => {
                // A scale of the input that the calibration does not replace would be lost. vLLM has a module more in its names.
                let attention =
                    |module: &str| module.strip_suffix("_attn.attn").map(|rest| format!("{rest}_attn"));
                return caches.keys().try_for_each(|&module| {
                    let module = attention(module).unwrap_or_else(|| module.to_owned());
                    Ok(calibration.check_attention(&module)?)
                });
            }
            (CacheScales::Refused, _) => {
                if count > 0 {
                    self.plan.converted.push(format!(
                        "k_scale and v_scale of {count} key-value caches of the input are left out, as --kv none asks"
                    ));
                }
                return Ok(());
            }
            _ => {}
        }
        // Those that a calibration replaces, or that are left out, may be wrong.
        for name in self.checkpoint.names().filter(|name| is_cache_scale(name)) {
            static_scale(self.checkpoint, name)?;
        }
        if count == 0 {
            if let Some(scheme) = cache_scheme(self.checkpoint) {
                let why = match self.checkpoint.names().any(is_cache_scale) {
                    true => "have several numbers",
                    false => "are missing",
                };
                let note = format!("{scheme} of the input is left out: its k_scale and v_scale {why}");
                self.plan.converted.push(note);
            }
            return Ok(());
        }
        if !layout.has_cache_scheme() {
            self.plan.converted.push(format!(
                "k_scale and v_scale of {count} key-value caches are copied, but config.json of {layout} has no place for their scheme"
            ));
            return Ok(());
        }
        let incomplete: Vec<String> = caches
            .iter()
            .filter_map(|(module, has)| match has {
                [true, true] => None,
                [true, _] => Some(format!("{module}.v_scale")),
                [false, _] => Some(format!("{module}.k_scale")),
            })
            .collect();
        if !incomplete.is_empty() {
            return Err(CheckpointError::MissingCacheScales {
                path: self.checkpoint.path.clone(),
                missing: incomplete.len(),
                of: count,
                names: first_of(&incomplete),
            }
            .into());
        }
        self.plan.static_counts[1] = count;
        self.plan
            .converted
            .push(format!("k_scale and v_scale of {count} key-value caches are those of the input"));
        let without: Vec<&str> =
            attention.iter().copied().filter(|module| !caches.contains_key(module)).collect();
        if !without.is_empty() {
            self.plan.converted.push(format!(
                "{} of {} attention modules have no k_scale and v_scale, and readers take 1: {}",
                without.len(),
                attention.len(),
                first_of(&without)
            ));
        }
        Ok(())
    }

    /// The static scales of the inputs of a conversion's layers, if each weight of the output has one and the layout has a place for
    /// them. A note says whether they are carried over or left out.
    fn carried(&mut self, coded: &[(usize, String, CheckpointLayout)]) -> Result<Option<Calibration>, Error> {
        let Action::Convert { layout, .. } = self.options.action else { return Ok(None) };
        let path = &self.checkpoint.path;
        let notes = &mut self.plan.converted;
        let without: Vec<&str> = coded
            .iter()
            .map(|(_, name, _)| &**name)
            .filter(|name| !self.magnitudes.contains_key(module_of(name)))
            .collect();
        let count = self.magnitudes.len();
        if layout.input_scale_ending().is_some() && without.is_empty() && count > 0 {
            notes.push(format!("static scales of {count} inputs are those of the input"));
            let magnitudes = std::mem::take(&mut self.magnitudes).into_iter();
            return Ok(Some(Calibration::of_inputs(path, magnitudes)));
        }
        if layout.needs_calibration() && count == 0 {
            return Err(CheckpointError::Uncalibrated(layout).into());
        }
        if layout.needs_calibration() {
            return Err(CheckpointError::MissingInputScales {
                path: path.clone(),
                layout,
                missing: without.len(),
                of: coded.len(),
                names: first_of(&without),
            }
            .into());
        }
        if count > 0 {
            let why = match layout.input_scale_ending() {
                Some(_) => format!(
                    "{} of {} weights are without: {}",
                    without.len(),
                    coded.len(),
                    first_of(&without)
                ),
                None => format!("{layout} has no place for them"),
            };
            notes.push(format!("static scales of {count} inputs are left out: {why}"));
        }
        let quantises = activations_of(self.checkpoint);
        let keeps = match layout.activations() {
            Activations::None | Activations::StaticOrNone => false,
            Activations::Dynamic | Activations::Static => true,
        };
        if let Some(declared) = quantises.filter(|_| !keeps) {
            notes.push(format!(
                "activations: readers of the input quantise them ({declared}), and those of {layout} leave them as they are"
            ));
        }
        Ok(None)
    }

    /// Records whether a weight is quantised.
    fn decide(&mut self, name: &str, shape: &[u64], layout: CheckpointLayout, coded: bool) {
        let CheckpointPlan { decided, choice, fusion, by_name, .. } = &mut self.plan;
        let rule = choice.rule(name);
        if layout != CheckpointLayout::GptOss
            && rule == Rule::Name
            && shape.len() == 2
            && name.ends_with(".weight")
        {
            by_name.push(name.to_owned());
        }
        match coded {
            true => {
                let embedding = choice.names_embedding(name);
                decided.coded(name, shape, embedding, fusion);
            }
            false => decided.left(name, shape, rule, fusion),
        }
    }

    /// Plans a weight that is not quantised in the output. It is dequantised if it was quantised.
    fn dequantized(&mut self, weight: Weight<'a>, by_binade: bool, why: &'static str) -> Result<(), Error> {
        let shard = &self.checkpoint.shards[weight.shard];
        let (source, shape) = if let Some(coded) = weight.coded {
            let shape = coded.shape.clone();
            (Source::Coded(Box::new(Decoded::open(shard, coded)?)), shape)
        } else if by_binade && let Some(scaled) = ScaledTensor::open(&shard.side, weight.tensor)? {
            let shape = scaled.values.shape.clone();
            (Source::Noted(Box::new(scaled)), shape)
        } else if weight.is_in_blocks() {
            (Source::Plain(weight.tensor), weight.tensor.shape().to_vec())
        } else {
            let mut entry = safetensors::Entry::like(weight.tensor);
            if is_cache_scale(&weight.name)
                && weight.tensor.elements() == 1
                && matches!(self.options.action, Action::Convert { .. })
            {
                entry = safetensors::Entry::new(
                    weight.tensor.name(),
                    weight.tensor.element().clone(),
                    self.shape_of_scales(),
                );
            }
            let slot = self.slot(weight.shard, entry, weight.tensor.name(), weight.tensor.byte_len());
            self.job(
                weight.shard,
                &weight.name,
                Operation::Copy { tensor: weight.tensor, slot },
                weight.tensor.byte_len().div_ceil(COPY),
            );
            self.plan.left.push((weight.name, why));
            return Ok(());
        };
        let element = self.dtype.element();
        let elements: u64 = shape.iter().product();
        let bytes = elements * element.bits().unwrap_or(16) as u64 / 8;
        let before = self.bytes_of(&source, weight.tensor);
        let slot = self.slot(
            weight.shard,
            safetensors::Entry::new(&weight.name, element, &shape[..]),
            &weight.name,
            bytes,
        );
        let source = match source {
            Source::Coded(decoded) if decoded.coded.transposed => {
                let Coded { rows, columns, scheme, .. } = decoded.coded;
                let tiles = Tiles::transposed(rows, columns);
                let units = elements.checked_div(rows * columns).unwrap_or(0) * tiles.units();
                let kernel = BlockDecoder::new(scheme.blocks(32))?.in_edition(Edition::Interim);
                let kernel = Box::new(ColumnDecoder::new(kernel)?);
                self.plan.changed.push(Changed { name: weight.name.clone(), shape, bytes: [before, bytes] });
                self.job(
                    weight.shard,
                    &weight.name,
                    Operation::DecodeTransposed { decoded, kernel, slot, tiles },
                    units,
                );
                return Ok(());
            }
            source => source,
        };
        // binade's own layout and tensors of GGUF can be read at any element, the others by rows.
        let row = match source {
            Source::Noted(_) | Source::Plain(_) => UNIT,
            _ => shape.last().copied().unwrap_or(1).max(1),
        };
        let unit = (UNIT / row).max(1) * row;
        self.plan.changed.push(Changed { name: weight.name.clone(), shape, bytes: [before, bytes] });
        let work = Operation::Decode { source, slot, elements, unit };
        self.job(weight.shard, &weight.name, work, elements.div_ceil(unit));
        Ok(())
    }

    fn bytes_of(&self, source: &Source<'_>, tensor: &Tensor) -> u64 {
        match source {
            Source::Coded(decoded) => {
                let tensor_scale = decoded.coded.tensor_scale.map_or(0, Tensor::byte_len);
                decoded.coded.codes.byte_len() + decoded.coded.scales.byte_len() + tensor_scale
            }
            _ => tensor.stored_bytes(),
        }
    }

    /// The slots of codes, scales and tensor scale.
    fn slots(&mut self, weight: &Weight<'_>, layout: CheckpointLayout, shape: &[u64]) -> ([usize; 3], u64) {
        let scheme = layout.scheme();
        let names = layout.names(&weight.name);
        let (codes, scales) = match *shape {
            [experts, columns, rows] => {
                let blocks = columns / 32;
                (vec![experts, rows, blocks, 16], vec![experts, rows, blocks])
            }
            [.., rows, columns] => {
                let (down, across) = scheme.grid(rows, columns);
                (vec![rows, scheme.bytes(columns)], vec![down, across])
            }
            _ => (vec![], vec![]),
        };
        let tensor_scale: &[u64] = if layout == CheckpointLayout::CtNvfp4 { &[1] } else { &[] };
        let mut bytes = 0;
        let mut slot = |name: &str, element: ElementType, shape: &[u64]| {
            let len = shape.iter().product::<u64>() * element.bits().unwrap_or(8) as u64 / 8;
            bytes += len;
            self.slot(weight.shard, safetensors::Entry::new(name, element, shape), name, len)
        };
        let codes = slot(&names[0], scheme.code_type(), &codes);
        let scales = slot(&names[1], scheme.scale_type(), &scales);
        let tensor_scale = if scheme.tensor_scale == TensorScaleRole::None {
            usize::MAX
        } else {
            slot(&names[2], ElementType::F32, tensor_scale)
        };
        ([codes, scales, tensor_scale], bytes)
    }

    /// Copies codes and scales under other names.
    fn repack(
        &mut self,
        weight: Weight<'a>,
        coded: Coded<'a>,
        layout: CheckpointLayout,
    ) -> Result<(), Error> {
        let (slots, bytes) = self.slots(&weight, layout, &coded.shape);
        let shard = &self.checkpoint.shards[weight.shard];
        let before =
            coded.codes.byte_len() + coded.scales.byte_len() + coded.tensor_scale.map_or(0, Tensor::byte_len);
        self.plan.changed.push(Changed {
            name: weight.name.clone(),
            shape: coded.shape.clone(),
            bytes: [before, bytes],
        });
        for (tensor, slot) in [(coded.codes, slots[0]), (coded.scales, slots[1])] {
            let units = tensor.byte_len().div_ceil(COPY);
            self.job(weight.shard, &weight.name, Operation::Copy { tensor, slot }, units);
        }
        let (from, to) = (coded.scheme.tensor_scale, layout.scheme().tensor_scale);
        let opened = Decoded::open(shard, coded)?;
        if to != TensorScaleRole::None {
            let tensor_scale = opened.tensor_scale;
            // A divisor becomes a factor, rounded to nearest.
            let tensor_scale = (if from == to { tensor_scale } else { 1.0 / tensor_scale }) as f32;
            let tensor_scale = tensor_scale.clamp(f32::from_bits(1), f32::MAX);
            let work = Operation::Bytes { bytes: tensor_scale.to_le_bytes().to_vec(), slot: slots[2] };
            self.job(weight.shard, &weight.name, work, 1);
        }
        Ok(())
    }

    fn encode(
        &mut self,
        weight: Weight<'a>,
        coded: Option<Coded<'a>>,
        (layout, rule): (CheckpointLayout, Option<ScaleRule>),
        shape: Vec<u64>,
    ) -> Result<(), Error> {
        let scheme = layout.scheme();
        let transposed = layout == CheckpointLayout::GptOss;
        let (matrices, rows, columns) = self.rows_of(&weight, layout, &shape)?;
        let encoder = self.encoder(layout, rule)?;
        let shard = &self.checkpoint.shards[weight.shard];
        let (source, before) = match coded {
            Some(coded) => {
                let source = Source::Coded(Box::new(Decoded::open(shard, coded)?));
                let before = self.bytes_of(&source, weight.tensor);
                (source, before)
            }
            None => (Source::Plain(weight.tensor), weight.tensor.stored_bytes()),
        };
        let (slots, bytes) = self.slots(&weight, layout, &shape);
        let (down, next) = (scheme.block.0, self.groups.len());
        let group = *self.groups.entry(self.plan.fusion.key(&weight.name)).or_insert(next);
        // The tiles do not depend on the layout of existing codes.
        let (tiles, in_columns) = match source {
            Source::Plain(_) if transposed => {
                (Tiles::transposed(rows, columns), self.plan.encoders[encoder].in_columns()?)
            }
            _ => (Tiles::of_rows(rows, columns, down), None),
        };
        let units = matrices * tiles.units();
        self.plan.changed.push(Changed { name: weight.name.clone(), shape, bytes: [before, bytes] });
        let encode = Encode { source, slots, tiles, transposed, group, encoder, in_columns };
        self.job(weight.shard, &weight.name, Operation::Encode(encode), units);
        Ok(())
    }

    /// The index of the encoder for a layout and a rule.
    fn encoder(&mut self, layout: CheckpointLayout, rule: Option<ScaleRule>) -> Result<usize, Error> {
        let rule = rule.unwrap_or(layout.default_rule());
        if !layout.rules().contains(&rule) {
            return Err(CheckpointError::Rule { layout, rule }.into());
        }
        if let Some(at) = self.encoders.iter().position(|known| *known == (layout, rule)) {
            return Ok(at);
        }
        self.encoders.push((layout, rule));
        self.plan.encoders.push(BlockEncoder::new(layout.scheme(), rule)?);
        Ok(self.plan.encoders.len() - 1)
    }

    /// Matrices, their rows of codes, and codes in a row. Fails if blocks do not fit the rows.
    fn rows_of(
        &self,
        weight: &Weight<'_>,
        layout: CheckpointLayout,
        shape: &[u64],
    ) -> Result<(u64, u64, u64), Error> {
        let (matrices, rows, columns) = match *shape {
            [experts, columns, rows] => (experts, rows, columns),
            [rows, columns] => (1, rows, columns),
            _ => (0, 0, 0),
        };
        self.fits(&weight.name, layout.scheme(), columns)?;
        Ok((matrices, rows, columns))
    }

    /// Checks that blocks fit rows, and rows memory.
    fn fits(&self, name: &str, scheme: Scheme, columns: u64) -> Result<(), Error> {
        let (path, tensor) = (self.checkpoint.path.clone(), name.to_owned());
        let (down, block) = scheme.block;
        if down == 1 && block != WHOLE && !columns.is_multiple_of(block) {
            return Err(CheckpointError::Divisible { path, tensor, columns, block }.into());
        }
        let most = if down == 1 { LONGEST_ROW } else { LONGEST_ROW * 4 / down };
        match columns > most {
            true => Err(CheckpointError::RowTooLong { path, tensor, columns, most }.into()),
            false => Ok(()),
        }
    }

    fn slot(&mut self, shard: usize, entry: safetensors::Entry, name: &str, bytes: u64) -> usize {
        let shard = &mut self.plan.shards[shard];
        shard.entries.push(entry);
        shard.names.push((name.to_owned(), bytes));
        shard.entries.len() - 1
    }

    fn job(&mut self, shard: usize, name: &str, operation: Operation<'a>, units: u64) {
        self.plan.jobs.push(Job { shard, name: name.to_owned(), operation, units });
    }

    fn finish(mut self) -> Result<CheckpointPlan<'a>, Error> {
        let path = || -> PathBuf { self.checkpoint.path.clone() };
        let mut names = HashSet::new();
        let all = self.plan.shards.iter().flat_map(|shard| &shard.names);
        if let Some((twice, _)) = all.into_iter().find(|(name, _)| !names.insert(name)) {
            return Err(CheckpointError::NameTaken { path: path(), name: twice.clone() }.into());
        }
        // A trial may encode nothing, and a selection may keep everything.
        let may_be_nothing = self.lenient || matches!(self.options.action, Action::Assigned(_));
        if self.plan.changed.is_empty() && !may_be_nothing {
            // The first tensor for each reason.
            let mut told = HashSet::new();
            let first = self.plan.left.iter().filter(|(_, why)| told.insert(*why));
            let reasons: Vec<String> = first.map(|(name, why)| format!("'{name}': {why}")).collect();
            return Err(match self.options.action {
                Action::Dequantize { .. } | Action::Assigned(_) => {
                    CheckpointError::NothingQuantised { path: path() }.into()
                }
                Action::Quantize { layout, .. } | Action::Convert { layout, .. } => {
                    let reason = if reasons.is_empty() {
                        "the file has no tensor".to_owned()
                    } else {
                        reasons.join("; ")
                    };
                    CheckpointError::Nothing { path: path(), layout, reason }.into()
                }
            });
        }
        let changed: HashSet<&str> = self.plan.changed.iter().map(|changed| &*changed.name).collect();
        for (shard, output) in self.checkpoint.shards.iter().zip(&mut self.plan.shards) {
            let kept = |key: &str| {
                !subject_of(key)
                    .is_some_and(|subject| changed.contains(subject) || names_scale(subject, &changed))
                    && key != LAYOUT
                    && key != RULE
            };
            let metadata = shard.side.noted.input.metadata();
            output.metadata = metadata.iter().filter(|(key, _)| kept(key)).cloned().collect();
            // transformers requires this key.
            if !output.metadata.iter().any(|(key, _)| key == "format") {
                output.metadata.push(("format".to_owned(), "pt".to_owned()));
            }
            // With several layouts, the names and types of tensors identify them.
            if let [(layout, rule)] = self.encoders[..] {
                output.metadata.push((LAYOUT.to_owned(), layout.name().to_owned()));
                output.metadata.push((RULE.to_owned(), rule.name().to_owned()));
            }
        }
        self.plan.groups = self.groups.len();
        Ok(self.plan)
    }
}

/// Returns true if a note describes the scales of a changed weight.
fn names_scale(subject: &str, changed: &HashSet<&str>) -> bool {
    let of = subject.strip_suffix(".scale").or_else(|| subject.strip_suffix(".tensor_scale"));
    of.is_some_and(|of| changed.contains(of))
}

/// Metadata keys of files that binade writes.
const LAYOUT: &str = "binade.layout";
const RULE: &str = "binade.rule";
