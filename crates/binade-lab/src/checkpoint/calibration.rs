//! Calibration files: what activations, keys and values a model had on sample text, and the static scales that follow, for
//! layouts whose readers quantise activations by scales of the checkpoint.
//!
//! `binade.torch.calibrate` writes such a file. A scale is chosen from its statistics by a [`Clip`]: the magnitude that becomes
//! the largest number of the format.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::choice::Fusion;
use super::encode::{largest, tensor_scale_for};
use super::error::CheckpointError;
use super::scheme::{Activations, CheckpointLayout, TensorScaleRole, module_of};

/// The magnitude beyond which a static scale clips numbers.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Clip {
    /// The largest magnitude: nothing is clipped.
    #[default]
    Largest,
    /// A percentile of the magnitudes, as the file names it: `99.9`.
    Percentile(String),
    /// The magnitude with the least mean square error in the format.
    Mse,
}

impl FromStr for Clip {
    type Err = CheckpointError;

    fn from_str(text: &str) -> Result<Clip, CheckpointError> {
        let lower = text.to_ascii_lowercase();
        match lower.split_once('=') {
            None if lower == "largest" => Ok(Clip::Largest),
            None if lower == "mse" => Ok(Clip::Mse),
            Some(("percentile", percent)) if percent.parse().is_ok_and(|p: f64| p > 0.0 && p <= 100.0) => {
                Ok(Clip::Percentile(percent.to_owned()))
            }
            _ => Err(CheckpointError::Clip(text.to_owned())),
        }
    }
}

impl std::fmt::Display for Clip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Clip::Largest => f.write_str("largest"),
            Clip::Percentile(percent) => write!(f, "percentile={percent}"),
            Clip::Mse => f.write_str("mse"),
        }
    }
}

/// A magnitude in a calibration file; `None` for infinity and NaN.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Magnitude(Option<f64>);

impl<'de> Deserialize<'de> for Magnitude {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Magnitude, D::Error> {
        let found = Option::<f64>::deserialize(from)?.filter(|x| x.is_finite());
        match found {
            Some(x) if !(0.0..=f32::MAX as f64).contains(&x) => {
                Err(D::Error::custom(format!("a magnitude must be from 0 to {:e}, got {x:?}", f32::MAX)))
            }
            _ => Ok(Magnitude(found)),
        }
    }
}

/// Statistics of the numbers of one tensor over all samples.
#[derive(Clone, PartialEq, Debug, Deserialize)]
struct Observed {
    #[serde(default)]
    not_finite: u64,
    // Without this, a missing field would be read as null.
    #[serde(deserialize_with = "Magnitude::deserialize")]
    largest: Magnitude,
    #[serde(default)]
    percentiles: BTreeMap<String, Magnitude>,
    /// By format, the magnitude with the least mean square error.
    #[serde(default)]
    mse: BTreeMap<String, Magnitude>,
}

#[derive(Deserialize)]
struct Document {
    kind: String,
    #[serde(default)]
    tokens: Option<u64>,
    #[serde(default)]
    inputs: Value,
    #[serde(default)]
    keys: Value,
    #[serde(default)]
    values: Value,
}

/// The statistics of each layer in a part of the file, or a sentence that says what is wrong and where.
fn layers(part: &str, found: Value) -> Result<BTreeMap<String, Observed>, String> {
    let layers = match found {
        Value::Null => return Ok(BTreeMap::new()),
        Value::Object(layers) => layers,
        other => return Err(format!("{part} must be an object of layers, not {}", kind_of(&other))),
    };
    let observed = |(name, value): (String, Value)| match value {
        Value::Object(_) => match serde_json::from_value(value) {
            Ok(observed) => Ok((name, observed)),
            Err(error) => Err(format!("{part} of '{name}': {error}")),
        },
        other => Err(format!(
            "{part} of '{name}' must be an object with largest, percentiles and mse, not {}",
            kind_of(&other)
        )),
    };
    layers.into_iter().map(observed).collect()
}

/// The kind of a JSON value, with its article.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A calibration file, and the way in which scales follow from it.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibration {
    path: PathBuf,
    tokens: Option<u64>,
    inputs: BTreeMap<String, Observed>,
    keys: BTreeMap<String, Observed>,
    values: BTreeMap<String, Observed>,
    clip: Clip,
    /// True to write the scales of an FP8 key-value cache.
    cache: bool,
}

/// The `kind` of calibration files.
const KIND: &str = "binade calibration";

/// The format of elements of an FP8 key-value cache.
const FP8: &str = "float8_e4m3fn";

impl Calibration {
    /// Reads a calibration file. `cache` says whether scales of an FP8 key-value cache are written; `None` if the file has
    /// statistics of keys and values.
    ///
    /// # Errors
    /// The file cannot be read, is no calibration file, or has no keys and values for `cache`.
    pub fn read(path: &Path, clip: Clip, cache: Option<bool>) -> Result<Calibration, CheckpointError> {
        let owned = || path.to_owned();
        let json = |reason: String| CheckpointError::Json { path: owned(), reason };
        let text = fs::read_to_string(path).map_err(|source| CheckpointError::Io {
            path: owned(),
            action: "read",
            source,
        })?;
        let write = |error: serde_json::Error| {
            json(format!("{error}; `binade.torch.calibrate` writes calibration files"))
        };
        let plain: Value = serde_json::from_str(&without_special_numbers(&text)).map_err(write)?;
        if !plain.is_object() {
            return Err(json(format!(
                "a calibration file must be an object, not {}; `binade.torch.calibrate` writes one",
                kind_of(&plain)
            )));
        }
        let document: Document = serde_json::from_value(plain).map_err(write)?;
        if document.kind != KIND {
            let kind = document.kind;
            return Err(json(format!("its \"kind\" must be \"{KIND}\", not {kind:?}")));
        }
        let Document { tokens, inputs, keys, values, .. } = document;
        let [inputs, keys, values] = [("inputs", inputs), ("keys", keys), ("values", values)]
            .map(|(part, found)| layers(part, found).map_err(json));
        let (inputs, keys, values) = (inputs?, keys?, values?);
        let has_cache = !keys.is_empty() || !values.is_empty();
        if cache == Some(true) && !has_cache {
            return Err(CheckpointError::NoCacheStatistics { path: owned() });
        }
        let cache = cache.unwrap_or(has_cache);
        Ok(Calibration { path: owned(), tokens, inputs, keys, values, clip, cache })
    }

    /// The calibration whose inputs have these largest magnitudes, as the static scales of a checkpoint at `path` say.
    pub(crate) fn of_inputs(path: &Path, magnitudes: impl Iterator<Item = (String, f64)>) -> Calibration {
        let observed = |magnitude| Observed {
            not_finite: 0,
            largest: Magnitude(Some(magnitude)),
            percentiles: BTreeMap::new(),
            mse: BTreeMap::new(),
        };
        Calibration {
            path: path.to_owned(),
            tokens: None,
            inputs: magnitudes.map(|(module, magnitude)| (module, observed(magnitude))).collect(),
            keys: BTreeMap::new(),
            values: BTreeMap::new(),
            clip: Clip::Largest,
            cache: false,
        }
    }

    /// The magnitude that becomes the largest number of a format.
    fn magnitude(&self, of: &str, observed: &Observed, format: &str) -> Result<f64, CheckpointError> {
        let missing = |what: String, known: Vec<&String>| CheckpointError::Statistic {
            path: self.path.clone(),
            of: of.to_owned(),
            what,
            known: known.into_iter().cloned().collect::<Vec<_>>().join(", "),
        };
        let found = match &self.clip {
            Clip::Largest => observed.largest,
            Clip::Percentile(percent) => {
                let number: f64 = percent.parse().unwrap_or(f64::NAN);
                let same = |(name, _): &(&String, &Magnitude)| name.parse() == Ok(number);
                let found = observed.percentiles.iter().find(same);
                *found
                    .ok_or_else(|| {
                        missing(format!("percentile {percent}"), observed.percentiles.keys().collect())
                    })?
                    .1
            }
            Clip::Mse => *observed.mse.get(format).ok_or_else(|| {
                missing(format!("mean square error of {format}"), observed.mse.keys().collect())
            })?,
        };
        match found {
            Magnitude(Some(magnitude)) if magnitude >= 0.0 => Ok(magnitude),
            _ => Err(CheckpointError::NotFiniteStatistic {
                path: self.path.clone(),
                of: of.to_owned(),
                clip: self.clip.to_string(),
            }),
        }
    }

    fn input(&self, module: &str, layout: CheckpointLayout) -> Result<f64, CheckpointError> {
        let observed = self.inputs.get(module).ok_or_else(|| CheckpointError::NotCalibrated {
            path: self.path.clone(),
            what: "inputs",
            module: module.to_owned(),
        })?;
        self.magnitude(&format!("inputs of '{module}'"), observed, layout.element_name())
    }

    /// The scale of the inputs of each of these weights, as its layout stores it. Layers that readers fuse share the scale of
    /// the largest magnitude.
    pub(crate) fn input_scales<'w>(
        &self,
        weights: impl Iterator<Item = (&'w str, CheckpointLayout)> + Clone,
        fusion: &Fusion,
    ) -> Result<Vec<f32>, CheckpointError> {
        let mut groups: BTreeMap<String, f64> = BTreeMap::new();
        for (name, layout) in weights.clone() {
            let magnitude = self.input(module_of(name), layout)?;
            let shared = groups.entry(fusion.key(name)).or_default();
            *shared = shared.max(magnitude);
        }
        Ok(weights.map(|(name, layout)| input_scale(layout, groups[&fusion.key(name)])).collect())
    }

    /// The scales of keys and values of each attention module, if they are written.
    pub(crate) fn cache_scales(&self) -> Result<Vec<(String, [f32; 2])>, CheckpointError> {
        if !self.cache {
            return Ok(vec![]);
        }
        let scale = |what: &'static str, all: &BTreeMap<String, Observed>, module: &String| {
            let observed = all.get(module).ok_or_else(|| CheckpointError::NotCalibrated {
                path: self.path.clone(),
                what,
                module: module.clone(),
            })?;
            Ok(fp8_scale(self.magnitude(&format!("{what} of '{module}'"), observed, FP8)?))
        };
        let modules =
            self.keys.keys().chain(self.values.keys().filter(|name| !self.keys.contains_key(*name)));
        modules
            .map(|module| {
                let scales = [scale("keys", &self.keys, module)?, scale("values", &self.values, module)?];
                Ok((module.clone(), scales))
            })
            .collect()
    }

    /// Returns an error if the attention module of a projection to keys has no scales.
    pub(crate) fn check_attention(&self, weight: &str) -> Result<(), CheckpointError> {
        match module_of(weight).strip_suffix(".k_proj") {
            Some(module) if self.cache && !self.keys.contains_key(module) => {
                Err(CheckpointError::NotCalibrated {
                    path: self.path.clone(),
                    what: "keys",
                    module: module.to_owned(),
                })
            }
            _ => Ok(()),
        }
    }

    /// An error for a module that the checkpoint does not have.
    pub(crate) fn unknown_module(&self, checkpoint: &Path, module: &str) -> CheckpointError {
        CheckpointError::UnknownModule {
            path: self.path.clone(),
            module: module.to_owned(),
            checkpoint: checkpoint.to_owned(),
        }
    }

    /// Notes for users of the checkpoint.
    pub(crate) fn notes(&self, inputs: usize, caches: usize) -> Vec<String> {
        let tokens = self.tokens.map_or(String::new(), |tokens| format!(", {tokens} tokens"));
        let mut notes = vec![format!(
            "static scales of {inputs} inputs and {caches} key-value caches, clip {}, from {}{tokens}",
            self.clip,
            self.path.display()
        )];
        if caches > 0 {
            notes.push(
                "transformers 5.24 with compressed-tensors 0.20 leaves k_scale and v_scale out; vLLM reads them".to_owned(),
            );
        }
        let all = [("inputs", &self.inputs), ("keys", &self.keys), ("values", &self.values)];
        let not_finite = all
            .into_iter()
            .flat_map(|(what, all)| all.iter().map(move |(module, observed)| (what, module, observed)))
            .filter(|(_, _, observed)| observed.not_finite > 0);
        notes.extend(not_finite.map(|(what, module, observed)| {
            format!(
                "{what} of '{module}' had {} infinities and NaNs, which its scale does not count",
                observed.not_finite
            )
        }));
        notes
    }

    /// Everything that decides the scales, for the marker of an unfinished folder.
    pub(crate) fn fingerprint(&self) -> String {
        format!("{self:?}")
    }
}

/// The scale that a layout stores for inputs of this magnitude.
fn input_scale(layout: CheckpointLayout, magnitude: f64) -> f32 {
    let scheme = layout.scheme();
    match (layout.activations(), scheme.tensor_scale) {
        (Activations::StaticOrNone, role) if role != TensorScaleRole::None => {
            tensor_scale_for(&scheme, magnitude)
        }
        _ => fp8_scale(magnitude),
    }
}

/// The factor of E4M3 codes whose largest has this magnitude; 1 for 0.
fn fp8_scale(magnitude: f64) -> f32 {
    let scale = magnitude / largest(CheckpointLayout::CtFp8.scheme().elements);
    if magnitude == 0.0 { 1.0 } else { (scale as f32).clamp(f32::from_bits(1), f32::MAX) }
}

/// The text with `null` in place of Python's `Infinity` and `NaN`, which JSON does not have.
fn without_special_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut in_string) = (text, false);
    while let Some(next) = rest.chars().next() {
        let special = ["-Infinity", "Infinity", "NaN"].into_iter().find(|word| rest.starts_with(word));
        let length = match special {
            Some(word) if !in_string => {
                out.push_str("null");
                word.len()
            }
            _ => {
                let escaped = in_string && next == '\\';
                let length = rest.chars().take(1 + usize::from(escaped)).map(char::len_utf8).sum();
                out.push_str(&rest[..length]);
                in_string ^= next == '"';
                length
            }
        };
        rest = &rest[length..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clip_text_is_parsed() {
        assert_eq!("Largest".parse::<Clip>().unwrap(), Clip::Largest);
        assert_eq!("mse".parse::<Clip>().unwrap(), Clip::Mse);
        assert_eq!("percentile=99.9".parse::<Clip>().unwrap(), Clip::Percentile("99.9".to_owned()));
        for text in ["99.9", "percentile", "percentile=0", "percentile=101", "percentile=x", "mse=1"] {
            let error = text.parse::<Clip>().unwrap_err().to_string();
            assert_eq!(
                error,
                format!("invalid clip '{text}': must be largest, mse or percentile=P, as percentile=99.9")
            );
        }
    }

    #[test]
    fn special_numbers_become_null_outside_strings() {
        let text = r#"{"a \" NaN": -Infinity, "b": [NaN, Infinity, 1.5], "Infinity": "NaN"}"#;
        let expected = r#"{"a \" NaN": null, "b": [null, null, 1.5], "Infinity": "NaN"}"#;
        assert_eq!(without_special_numbers(text), expected);
    }

    #[test]
    fn scales_make_the_magnitude_the_largest_number() {
        assert_eq!(input_scale(CheckpointLayout::CtFp8Static, 448.0), 1.0);
        assert_eq!(input_scale(CheckpointLayout::CtFp8Static, 12.5), 12.5 / 448.0);
        assert_eq!(input_scale(CheckpointLayout::CtNvfp4, 2688.0), 1.0);
        assert_eq!(input_scale(CheckpointLayout::CtNvfp4, 12.5), 2688.0 / 12.5);
        for layout in [CheckpointLayout::CtFp8Static, CheckpointLayout::CtNvfp4] {
            assert_eq!(input_scale(layout, 0.0), 1.0);
        }
        assert_eq!(input_scale(CheckpointLayout::ModeloptNvfp4, 12.5), (12.5 / 2688.0) as f32);
        assert_eq!(fp8_scale(1e-44), f32::from_bits(1));
    }
}
