//! The layout of codes in files and the notes that describe it, for all of the crate. The crate's documentation defines both.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use binade::block::Element;
use binade::{Format, Spec};
use binade_files::{Container, ElementType, Input, Tensor};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::scale::{Groups, Rule, Scale};
use crate::values::Values;

/// Element types that are floating-point formats, with the format's name.
const NATIVE: [(ElementType, &str); 12] = [
    (ElementType::F64, "f64"),
    (ElementType::F32, "f32"),
    (ElementType::F16, "f16"),
    (ElementType::Bf16, "bf16"),
    (ElementType::F8E4M3, "float8_e4m3fn"),
    (ElementType::F8E5M2, "float8_e5m2"),
    (ElementType::F8E4M3Fnuz, "float8_e4m3fnuz"),
    (ElementType::F8E5M2Fnuz, "float8_e5m2fnuz"),
    (ElementType::F8E8M0, "float8_e8m0fnu"),
    (ElementType::F6E2M3, "float6_e2m3fn"),
    (ElementType::F6E3M2, "float6_e3m2fn"),
    (ElementType::F4, "float4_e2m1fn"),
];

/// The format of an element type.
pub(crate) fn format_of(element: &ElementType) -> Option<Spec> {
    let (_, name) = const { &NATIVE }.iter().find(|(known, _)| known == element)?;
    name.parse().ok()
}

/// The element type of a format.
fn native(format: Format) -> Option<ElementType> {
    let row =
        const { &NATIVE }.iter().find(|(_, name)| name.parse().is_ok_and(|spec: Spec| spec.format == format));
    row.map(|(element, _)| element.clone())
}

/// Returns true for the integers of MXINT8, whose codes are two's complement instead of those of their grid.
pub(crate) fn is_int8(spec: &Spec) -> bool {
    spec.format == Element::Int8.grid() && spec.name() == Element::Int8.to_string()
}

/// The narrowest unsigned integer type for the codes of a format.
fn unsigned(format: Format) -> (ElementType, u32) {
    match format.width() {
        ..=8 => (ElementType::U8, 8),
        9..=16 => (ElementType::U16, 16),
        17..=32 => (ElementType::U32, 32),
        _ => (ElementType::U64, 64),
    }
}

/// Layout of a tensor's codes in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) element: ElementType,
    /// The shape in the file.
    pub(crate) shape: Vec<u64>,
    /// Distance between codes, in bits.
    pub(crate) bits: u32,
    /// True if the shape in the file differs from the tensor's.
    pub(crate) flat: bool,
}

impl Layout {
    /// The layout of a tensor with these elements.
    pub(crate) fn of_elements(container: Container, spec: &Spec, shape: &[u64]) -> Layout {
        match is_int8(spec) {
            true => Layout { element: ElementType::I8, shape: shape.to_vec(), bits: 8, flat: false },
            false => Layout::new(container, spec.format, shape),
        }
    }

    /// The layout of a tensor in a format.
    pub(crate) fn new(container: Container, format: Format, shape: &[u64]) -> Layout {
        let (width, elements) = (format.width(), shape.iter().product::<u64>());
        let native = native(format);
        let (integer, bits) = unsigned(format);
        let whole = |element| Layout { element, shape: shape.to_vec(), bits, flat: false };
        match container {
            Container::Npy => {
                whole(native.filter(|element| element.npy_descr().is_some()).unwrap_or(integer))
            }
            Container::Safetensors | Container::Gguf if width >= 8 => whole(native.unwrap_or(integer)),
            Container::Safetensors | Container::Gguf => {
                let packed_bits = elements as u128 * width as u128;
                match native {
                    Some(element) if packed_bits.is_multiple_of(8) => {
                        Layout { bits: width, ..whole(element) }
                    }
                    _ => Layout {
                        element: ElementType::U8,
                        shape: vec![packed_bits.div_ceil(8) as u64],
                        bits: width,
                        flat: true,
                    },
                }
            }
        }
    }
}

/// The note on a tensor.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Note {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) format: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) shape: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) scale: Option<String>,
}

const FORMAT: &str = "binade.format.";
const SHAPE: &str = "binade.shape.";
const SCALE: &str = "binade.scale.";

impl Note {
    /// The note on a quantised tensor.
    pub(crate) fn new(spec: &Spec, shape: &[u64], layout: &Layout, scale: &Scale) -> Note {
        let lengths: Vec<String> = shape.iter().map(u64::to_string).collect();
        Note {
            format: Some(spec.name().to_owned()),
            shape: layout.flat.then(|| lengths.join(",")),
            scale: (*scale != Scale::None).then(|| scale.to_string()),
        }
    }

    /// The note as metadata.
    pub(crate) fn metadata(&self, tensor: &str) -> impl Iterator<Item = (String, String)> {
        [(FORMAT, &self.format), (SHAPE, &self.shape), (SCALE, &self.scale)]
            .into_iter()
            .filter_map(move |(key, value)| Some((format!("{key}{tensor}"), value.clone()?)))
    }

    /// The scale. Its text was written by [`Scale`]'s `Display`.
    pub(crate) fn scale(&self, path: &Path, tensor: &str) -> Result<Scale, Error> {
        let wrong =
            |reason: String| Error::Notes { path: path.to_owned(), tensor: tensor.to_owned(), reason };
        match &self.scale {
            None => Ok(Scale::None),
            Some(text) => text.parse().map_err(|error| wrong(format!("{error}"))),
        }
    }
}

/// The tensor that a metadata key is about.
pub(crate) fn subject_of(key: &str) -> Option<&str> {
    [FORMAT, SHAPE, SCALE].into_iter().find_map(|prefix| key.strip_prefix(prefix))
}

/// Name of a tensor's scales.
pub(crate) fn scale_name(tensor: &str) -> String {
    format!("{tensor}.scale")
}

/// Name of a tensor's tensor scale.
pub(crate) fn tensor_scale_name(tensor: &str) -> String {
    format!("{tensor}.tensor_scale")
}

/// A companion of an .npy file: its name with `.npy` replaced by this ending.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let is_npy = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"));
    let mut name = (if is_npy { path.file_stem() } else { path.file_name() }).unwrap_or_default().to_owned();
    name.push(ending);
    path.with_file_name(name)
}

/// Endings of the companions of an .npy file.
pub(crate) const NOTES: &str = ".binade.json";
pub(crate) const SCALES: &str = ".scale.npy";
pub(crate) const TENSOR_SCALE: &str = ".tensor_scale.npy";

/// A file with the notes on its tensors.
pub(crate) struct Noted {
    pub(crate) path: PathBuf,
    pub(crate) input: Input,
    notes: HashMap<String, Note>,
}

/// Largest size of a note file; notes are a line or two.
const LONGEST_NOTES: u64 = 1 << 16;

impl Noted {
    pub(crate) fn open(path: &Path) -> Result<Noted, Error> {
        let input = Input::open(path)?;
        let mut notes: HashMap<String, Note> = HashMap::new();
        for (key, value) in input.metadata() {
            let Some(tensor) = subject_of(key) else { continue };
            let note = notes.entry(tensor.to_owned()).or_default();
            let field = match key {
                key if key.starts_with(FORMAT) => &mut note.format,
                key if key.starts_with(SHAPE) => &mut note.shape,
                _ => &mut note.scale,
            };
            *field = Some(value.clone());
        }
        if input.container() == Container::Npy {
            let beside = beside(path, NOTES);
            let failed = |source| Error::Beside { path: beside.clone(), action: "read", source };
            match fs::metadata(&beside) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(failed(error)),
                Ok(found) if found.len() > LONGEST_NOTES || !found.is_file() => {
                    return Err(failed(io::Error::other("it is not the notes that binade writes")));
                }
                Ok(_) => {
                    let text = fs::read(&beside).map_err(failed)?;
                    let note = serde_json::from_slice(&text).map_err(|error| failed(error.into()))?;
                    notes.insert(String::new(), note);
                }
            }
        }
        Ok(Noted { path: path.to_owned(), input, notes })
    }

    /// The note on a tensor, if there is one.
    pub(crate) fn note(&self, tensor: &str) -> Option<&Note> {
        self.notes.get(tensor)
    }

    /// The tensor whose scales this one has.
    pub(crate) fn scales_of<'a>(&self, name: &'a str) -> Option<&'a str> {
        let of = name.strip_suffix(".scale").or_else(|| name.strip_suffix(".tensor_scale"))?;
        self.notes.get(of).is_some_and(|note| note.scale.is_some()).then_some(of)
    }

    /// A tensor as numbers, not yet scaled; `None` if its elements are not numbers. `format` is that of codes without a note.
    pub(crate) fn values<'a>(
        &'a self,
        tensor: &'a Tensor,
        format: Option<&Spec>,
    ) -> Result<Option<Values<'a>>, Error> {
        let wrong = |reason: String| Error::Notes {
            path: self.path.clone(),
            tensor: tensor.name().to_owned(),
            reason,
        };
        let of_codes = |spec, shape, bits| Ok(Some(Values::of_codes(&self.path, tensor, spec, shape, bits)));
        let shape = tensor.shape().to_vec();
        let note = self.note(tensor.name()).filter(|note| note.format.is_some());
        if let Some(Note { format: Some(format), shape: noted, .. }) = note {
            let spec = match format.parse() {
                Ok(integers @ Element::Int8) => Spec::of_elements(integers),
                _ => format.parse::<Spec>().map_err(|error| wrong(format!("{error}")))?,
            };
            let shape = match noted {
                None => shape,
                Some(text) => shape_of(text).ok_or_else(|| wrong(format!("'{text}' is not a shape")))?,
            };
            let layout = Layout::of_elements(self.input.container(), &spec, &shape);
            let element = match tensor.element() {
                ElementType::Raw(1) => &ElementType::U8,
                ElementType::Raw(2) => &ElementType::U16,
                element => element,
            };
            if (element, tensor.shape()) != (&layout.element, &layout.shape[..]) {
                return Err(wrong(format!(
                    "codes of {spec} must be {:?} of {}, not {:?} of {}: the notes are for another file",
                    layout.shape,
                    layout.element,
                    tensor.shape(),
                    tensor.element(),
                )));
            }
            return of_codes(spec, shape, layout.bits);
        }
        let bits = tensor.element().bits().unwrap_or(0);
        if let Some(spec) = format_of(tensor.element()) {
            return of_codes(spec, shape, bits);
        }
        let holds_codes = matches!(tensor.element(), ElementType::Raw(_))
            || Values::of_integers(&self.path, tensor).is_some() && *tensor.element() != ElementType::Bool;
        // Of the types that ml_dtypes writes, only bfloat16 has two bytes.
        let bf16 = || (*tensor.element() == ElementType::Raw(2)).then(|| "bf16".parse().ok()).flatten();
        match format.cloned().or_else(bf16) {
            Some(spec) if holds_codes && bits == unsigned(spec.format).1 => of_codes(spec, shape, bits),
            _ => Ok(Values::of_integers(&self.path, tensor)),
        }
    }
}

/// Parses lengths separated by commas.
fn shape_of(text: &str) -> Option<Vec<u64>> {
    let shape = match text {
        "" => vec![],
        _ => text.split(',').map(|length| length.parse().ok()).collect::<Option<Vec<u64>>>()?,
    };
    // The bits of 2^60 elements of at most 8 bits fit in 64 bits.
    let elements =
        shape.iter().filter(|&&length| length != 0).try_fold(1u64, |n, &length| n.checked_mul(length));
    elements.filter(|&n| n <= 1 << 60).map(|_| shape)
}

/// The scales of a tensor.
pub(crate) struct Scales<'a> {
    groups: Groups,
    kept: Kept<'a>,
    tensor_scale: f64,
}

enum Kept<'a> {
    /// All scales: one, or one for each channel.
    All(Vec<f64>),
    /// Scales of blocks, read as needed.
    Blocks(Values<'a>),
}

/// The companions with the scales of an .npy file.
pub(crate) struct ScaleFiles {
    scales: Option<Noted>,
    tensor_scale: Option<Noted>,
}

impl ScaleFiles {
    /// Opens the companions, if the note of an .npy file says that there are scales.
    pub(crate) fn open(noted: &Noted) -> Result<ScaleFiles, Error> {
        let note = noted.note("").filter(|_| noted.input.container() == Container::Npy);
        let scale = note.map_or(Ok(Scale::None), |note| note.scale(&noted.path, ""))?;
        let open = |ending| Noted::open(&beside(&noted.path, ending));
        Ok(ScaleFiles {
            scales: (scale != Scale::None).then(|| open(SCALES)).transpose()?,
            tensor_scale: Rule::has_two_levels(&scale).then(|| open(TENSOR_SCALE)).transpose()?,
        })
    }
}

impl<'a> Scales<'a> {
    /// The scales of a tensor, if its note says that it has some.
    pub(crate) fn open(
        noted: &'a Noted,
        files: &'a ScaleFiles,
        values: &Values<'_>,
    ) -> Result<Option<Scales<'a>>, Error> {
        let name = values.tensor.name();
        let wrong =
            |reason: String| Error::Notes { path: noted.path.clone(), tensor: name.to_owned(), reason };
        let scale = noted.note(name).map_or(Ok(Scale::None), |note| note.scale(&noted.path, name))?;
        if scale == Scale::None {
            return Ok(None);
        }
        let (groups, shape) =
            Groups::new(&scale, &values.shape).ok_or_else(|| wrong(format!("it has no axis for {scale}")))?;
        let read = |file: &'a Option<Noted>, beside: String, format: Format, shape: &[u64]| {
            let (from, found) = match file {
                Some(file) => (file, file.input.get("")),
                None => (noted, noted.input.get(&beside)),
            };
            let found = found.ok_or_else(|| wrong(format!("its scales '{beside}' are missing")))?;
            // Formats without an element type have a note in safetensors, but none in npy.
            let spec = match &scale {
                Scale::Block { format: spec, .. } if spec.format == format => Some(spec),
                _ => None,
            };
            let scales = from.values(found, spec)?.filter(|scales| {
                scales.spec.as_ref().is_some_and(|spec| spec.format == format) && scales.shape == shape
            });
            scales.ok_or_else(|| {
                wrong(format!(
                    "its scales must be {shape:?} of {format}, not {:?} of {}",
                    found.shape(),
                    found.element()
                ))
            })
        };
        let scales = read(&files.scales, scale_name(name), Rule::format(&scale), &shape)?;
        let all = |values: &Values<'_>| {
            let mut all = vec![];
            values.read(0, values.elements, &mut vec![], &mut all).map(|()| all)
        };
        let tensor_scale = if Rule::has_two_levels(&scale) {
            all(&read(&files.tensor_scale, tensor_scale_name(name), binade::catalog::F32, &[])?)?
                .first()
                .copied()
                .unwrap_or(1.0)
        } else {
            1.0
        };
        let kept = match groups {
            Groups::Blocks { .. } | Groups::Tiles { .. } => Kept::Blocks(scales),
            _ => Kept::All(all(&scales)?),
        };
        Ok(Some(Scales { groups, kept, tensor_scale }))
    }

    /// Multiplies the values of the elements from `first` on by their scales.
    pub(crate) fn apply(&self, first: u64, values: &mut [f64]) -> Result<(), Error> {
        let count = values.len() as u64;
        if count == 0 {
            return Ok(());
        }
        let mut read = vec![];
        let (scales, from): (&[f64], u64) = match &self.kept {
            Kept::All(all) => (all, 0),
            Kept::Blocks(blocks) => {
                let (from, groups) = self.groups.among(first, first + count - 1);
                blocks.read(from, groups, &mut vec![], &mut read)?;
                (&read, from)
            }
        };
        for (group, range) in self.groups.runs(first, count) {
            let scale = scales.get((group - from) as usize).copied().unwrap_or(1.0) * self.tensor_scale;
            values[range].iter_mut().for_each(|value| *value *= scale);
        }
        Ok(())
    }
}
