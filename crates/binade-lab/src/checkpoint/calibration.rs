//! Calibration files: what activations, keys and values a model had on sample text, and the static scales that follow, for
//! layouts whose readers quantise activations by scales of the checkpoint.
//!
//! `binade.torch.calibrate` writes such a file. A scale is chosen from its statistics by a [`Clip`]: the magnitude that becomes
//! the largest number of the format.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde_json::{Map, Value};

use super::choice::Fusion;
use super::encode::{exact_tensor_scale, largest};
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
type Magnitude = Option<f64>;

/// Statistics of the numbers of one tensor over all samples.
#[derive(Clone, PartialEq, Debug, Default)]
struct Observed {
    /// The number of observed elements; `None` if the file does not say.
    elements: Option<u64>,
    not_finite: u64,
    largest: Magnitude,
    percentiles: BTreeMap<String, Magnitude>,
    /// By format, the magnitude with the least mean square error.
    mse: BTreeMap<String, Magnitude>,
}

/// The count in a field, or a sentence that says what is wrong.
fn count(field: &str, found: &Value) -> Result<u64, String> {
    let wrong = || match found {
        Value::Number(number) => number.to_string(),
        other => kind_of(other).to_owned(),
    };
    found.as_u64().ok_or_else(|| format!("{field} must be a whole number from 0 on, not {}", wrong()))
}

/// The magnitude in a field, or a sentence that says what is wrong.
fn magnitude(field: &str, found: &Value) -> Result<Magnitude, String> {
    match found {
        Value::Null => Ok(None),
        Value::Number(number) => match number.as_f64().unwrap_or(f64::NAN) {
            x if (0.0..=f32::MAX as f64).contains(&x) => Ok(Some(x)),
            x => Err(format!("{field} must be a magnitude from 0 to {:e}, not {x:?}", f32::MAX)),
        },
        other => Err(format!("{field} must be a magnitude, not {}", kind_of(other))),
    }
}

/// The magnitudes in a field, by name.
fn magnitudes(field: &str, found: &Value) -> Result<BTreeMap<String, Magnitude>, String> {
    let Value::Object(entries) = found else {
        return Err(format!("{field} must be an object of magnitudes, not {}", kind_of(found)));
    };
    let entry =
        |(name, found): (&String, &Value)| Ok((name.clone(), magnitude(&format!("{field} {name}"), found)?));
    entries.iter().map(entry).collect()
}

impl Observed {
    /// The statistics in an object of the file, or a sentence that says what is wrong.
    fn read(fields: &Map<String, Value>) -> Result<Observed, String> {
        let mut observed = Observed::default();
        for (name, found) in fields {
            match &**name {
                "elements" => observed.elements = Some(count(name, found)?),
                "not_finite" => observed.not_finite = count(name, found)?,
                "largest" => observed.largest = magnitude(name, found)?,
                "percentiles" => observed.percentiles = magnitudes(name, found)?,
                "mse" => observed.mse = magnitudes(name, found)?,
                _ => {
                    return Err(format!(
                        "unknown field `{name}`: must be elements, not_finite, largest, percentiles or mse"
                    ));
                }
            }
        }
        if !fields.contains_key("largest") {
            return Err("missing field `largest`".to_owned());
        }
        match observed.elements {
            Some(elements) if elements < observed.not_finite => {
                Err(format!("not_finite must be at most elements, {elements}, not {}", observed.not_finite))
            }
            _ => Ok(observed),
        }
    }
}

/// The statistics of each layer in a part of the file, or a sentence that says what is wrong and where.
fn layers(part: &str, found: Value) -> Result<BTreeMap<String, Observed>, String> {
    let layers = match found {
        Value::Object(layers) => layers,
        other => return Err(format!("{part} must be an object of layers, not {}", kind_of(&other))),
    };
    let observed = |(name, value): (String, Value)| match value {
        Value::Object(fields) => match Observed::read(&fields) {
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
pub(crate) fn kind_of(value: &Value) -> &'static str {
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
    cache: CacheScales,
}

/// The scales of an FP8 key-value cache that follow from a calibration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CacheScales {
    /// The scales of the file are written.
    Written,
    /// The file has none.
    Absent,
    /// The checkpoint shall have none.
    Refused,
}

/// The `kind` of calibration files.
const KIND: &str = "binade calibration";

/// The parts of a calibration file.
struct Document {
    tokens: Option<u64>,
    inputs: BTreeMap<String, Observed>,
    keys: BTreeMap<String, Observed>,
    values: BTreeMap<String, Observed>,
}

impl Document {
    /// The parts in these fields, or a sentence that says what is wrong and where.
    fn read(mut fields: Map<String, Value>) -> Result<Document, String> {
        const KNOWN: [&str; 7] = ["kind", "binade", "model", "tokens", "inputs", "keys", "values"];
        match fields.get("kind") {
            Some(Value::String(kind)) if kind == KIND => {}
            Some(other) => return Err(format!("its \"kind\" must be \"{KIND}\", not {other}")),
            None => {
                return Err(
                    "missing field `kind`; `binade.torch.calibrate` writes calibration files".to_owned()
                );
            }
        }
        if let Some(name) = fields.keys().find(|name| !KNOWN.contains(&&***name)) {
            return Err(format!("unknown field `{name}`: must be one of {}", KNOWN.join(", ")));
        }
        let tokens = match fields.get("tokens") {
            None | Some(Value::Null) => None,
            Some(found) => Some(count("tokens", found)?),
        };
        let mut part =
            |name: &str| fields.remove(name).map_or_else(|| Ok(BTreeMap::new()), |found| layers(name, found));
        Ok(Document { tokens, inputs: part("inputs")?, keys: part("keys")?, values: part("values")? })
    }
}

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
        let plain: Value = serde_json::from_str(&without_special_numbers(&text))
            .map_err(|error| json(format!("{error}; `binade.torch.calibrate` writes calibration files")))?;
        let Value::Object(fields) = plain else {
            return Err(json(format!(
                "a calibration file must be an object, not {}; `binade.torch.calibrate` writes one",
                kind_of(&plain)
            )));
        };
        let found = Document::read(fields).map_err(json)?;
        let has_cache = !found.keys.is_empty() || !found.values.is_empty();
        let cache = match cache {
            Some(true) if !has_cache => return Err(CheckpointError::NoCacheStatistics { path: owned() }),
            Some(false) => CacheScales::Refused,
            _ if has_cache => CacheScales::Written,
            _ => CacheScales::Absent,
        };
        let Document { tokens, inputs, keys, values } = found;
        Ok(Calibration { path: owned(), tokens, inputs, keys, values, clip, cache })
    }

    /// The calibration whose inputs have these largest magnitudes, as the static scales of a checkpoint at `path` say.
    pub(crate) fn of_inputs(path: &Path, magnitudes: impl Iterator<Item = (String, f64)>) -> Calibration {
        let observed = |magnitude| Observed { largest: Some(magnitude), ..Observed::default() };
        Calibration {
            path: path.to_owned(),
            tokens: None,
            inputs: magnitudes.map(|(module, magnitude)| (module, observed(magnitude))).collect(),
            keys: BTreeMap::new(),
            values: BTreeMap::new(),
            clip: Clip::Largest,
            cache: CacheScales::Absent,
        }
    }

    /// The magnitude that becomes the largest number of a format.
    fn magnitude(&self, of: &str, observed: &Observed, format: &str) -> Result<f64, CheckpointError> {
        let missing = |what: String, known: Vec<&String>| CheckpointError::Statistic {
            path: self.path.clone(),
            of: of.to_owned(),
            what,
            known: match &known[..] {
                [] => "none".to_owned(),
                known => known.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", "),
            },
        };
        let finite = observed.elements.map(|elements| elements - observed.not_finite);
        if finite == Some(0) {
            return Err(CheckpointError::Unobserved {
                path: self.path.clone(),
                of: of.to_owned(),
                not_finite: observed.not_finite,
            });
        }
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
        let (path, of, clip) = (self.path.clone(), of.to_owned(), self.clip.to_string());
        match found {
            None => Err(CheckpointError::NotFiniteStatistic { path, of, clip }),
            Some(0.0) if observed.largest != Some(0.0) => {
                Err(CheckpointError::ZeroStatistic { path, of, clip })
            }
            Some(magnitude) => Ok(magnitude),
        }
    }

    /// The scale of these numbers, if it is a normal binary32: readers may take a smaller one for zero.
    fn scale(&self, of: &str, magnitude: f64, scale: f64) -> Result<f32, CheckpointError> {
        let rounded = scale as f32;
        rounded.is_normal().then_some(rounded).ok_or_else(|| CheckpointError::TinyStatistic {
            path: self.path.clone(),
            of: of.to_owned(),
            clip: self.clip.to_string(),
            magnitude,
            scale,
        })
    }

    /// The layers that inputs were observed of and for which `is_known` and `is_tied` return false.
    ///
    /// # Errors
    /// `is_known` returns false for all layers.
    pub(crate) fn unknown_inputs(
        &self,
        checkpoint: &Path,
        is_known: impl Fn(&str) -> bool,
        is_tied: impl Fn(&str) -> bool,
    ) -> Result<Vec<&str>, CheckpointError> {
        let unknown: Vec<&str> =
            self.inputs.keys().map(|name| &**name).filter(|name| !is_known(name)).collect();
        match unknown.len() == self.inputs.len() && !unknown.is_empty() {
            true => Err(CheckpointError::NoKnownLayer {
                path: self.path.clone(),
                layers: first_of(&unknown),
                checkpoint: checkpoint.to_owned(),
            }),
            false => Ok(unknown.into_iter().filter(|name| !is_tied(name)).collect()),
        }
    }

    /// Number of layers that inputs were observed of.
    pub(crate) fn len(&self) -> usize {
        self.inputs.len()
    }

    /// The scales of a key-value cache that follow from the file.
    pub(crate) fn cache(&self) -> CacheScales {
        self.cache
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
        let scale = |(name, layout)| {
            let magnitude = groups[&fusion.key(name)];
            self.scale(&format!("inputs of '{}'", module_of(name)), magnitude, input_scale(layout, magnitude))
        };
        weights.map(scale).collect()
    }

    /// The scales of keys and values of each attention module, if they are written.
    pub(crate) fn cache_scales(&self) -> Result<Vec<(String, [f32; 2])>, CheckpointError> {
        if self.cache != CacheScales::Written {
            return Ok(vec![]);
        }
        let scale = |what: &'static str, all: &BTreeMap<String, Observed>, module: &String| {
            let observed = all.get(module).ok_or_else(|| CheckpointError::NotCalibrated {
                path: self.path.clone(),
                what,
                module: module.clone(),
            })?;
            let of = format!("{what} of '{module}'");
            let magnitude = self.magnitude(&of, observed, FP8)?;
            self.scale(&of, magnitude, fp8_scale(magnitude))
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

    /// Returns an error if scales of caches are written, and this attention module has none.
    pub(crate) fn check_attention(&self, module: &str) -> Result<(), CheckpointError> {
        match self.cache == CacheScales::Written && !self.keys.contains_key(module) {
            true => Err(CheckpointError::NotCalibrated {
                path: self.path.clone(),
                what: "keys",
                module: module.to_owned(),
            }),
            false => Ok(()),
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

    /// Notes for users of the checkpoint, given the numbers of static scales that it has.
    pub(crate) fn notes(&self, inputs: usize, caches: usize) -> Vec<String> {
        let tokens = self.tokens.map_or(String::new(), |tokens| format!(", {tokens} tokens"));
        let written = self.cache == CacheScales::Written;
        let mut notes = vec![format!(
            "static scales of {inputs} inputs and {} key-value caches, clip {}, from {}{tokens}",
            if written { caches } else { 0 },
            self.clip,
            self.path.display()
        )];
        let all = [("inputs", &self.inputs), ("keys", &self.keys), ("values", &self.values)];
        let parts = &all[..if written { 3 } else { 1 }];
        let modules = |part: &BTreeMap<String, Observed>, is_meant: fn(&Observed) -> bool| -> Vec<String> {
            part.iter().filter(|(_, found)| is_meant(found)).map(|(module, _)| module.clone()).collect()
        };
        for (what, part) in parts {
            let not_finite = modules(part, |found| found.not_finite > 0);
            notes.extend(not_finite.iter().take(NAMED).map(|module| {
                let count = part[module].not_finite;
                format!(
                    "{what} of '{module}' had infinities or NaNs, {count} in all, which its scale does not count"
                )
            }));
            if not_finite.len() > NAMED {
                let more = not_finite.len() - NAMED;
                notes.push(format!("{what} of {more} more layers had infinities and NaNs"));
            }
            let zero = modules(part, |found| found.largest == Some(0.0));
            if !zero.is_empty() {
                let zero = first_of(&zero);
                notes.push(format!("only zeros were observed in the {what} of {zero}: the scale is 1"));
            }
        }
        notes
    }

    /// Everything that decides the scales, for the marker of an unfinished folder.
    pub(crate) fn fingerprint(&self) -> String {
        format!("{self:?}")
    }
}

/// The number of layers that a message names before it counts the others.
const NAMED: usize = 3;

/// The first names, quoted, and the number of the others.
pub(crate) fn first_of(names: &[impl AsRef<str>]) -> String {
    let first: Vec<String> = names.iter().take(NAMED).map(|name| format!("'{}'", name.as_ref())).collect();
    match names.len() - first.len() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// The scale that a layout stores for inputs of this magnitude, before it is rounded to binary32.
fn input_scale(layout: CheckpointLayout, magnitude: f64) -> f64 {
    let scheme = layout.scheme();
    match (layout.activations(), scheme.tensor_scale) {
        (Activations::StaticOrNone, role) if role != TensorScaleRole::None => {
            exact_tensor_scale(&scheme, magnitude)
        }
        _ => fp8_scale(magnitude),
    }
}

/// The factor of E4M3 codes whose largest has this magnitude; 1 for 0.
fn fp8_scale(magnitude: f64) -> f64 {
    if magnitude == 0.0 { 1.0 } else { magnitude / largest(CheckpointLayout::CtFp8.scheme().elements) }
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
        assert_eq!(input_scale(CheckpointLayout::ModeloptNvfp4, 12.5), 12.5 / 2688.0);
    }

    #[test]
    fn long_lists_name_the_first_and_count_the_others() {
        assert_eq!(first_of(&["a"]), "'a'");
        assert_eq!(first_of(&["a", "b", "c"]), "'a', 'b', 'c'");
        assert_eq!(first_of(&["a", "b", "c", "d", "e"]), "'a', 'b', 'c' and 2 more");
    }
}
