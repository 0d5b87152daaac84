//! Compares two files or checkpoints tensor by tensor, for `binade compare`.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use binade::{Format, Spec, decode};
use binade_kernels::Differences;
use serde::Serialize;

use crate::checkpoint::{Checkpoint, Decoded, ReadBuffers, Weight, weights};
use crate::histogram::{Counts, Histogram};
use crate::pool::{over_chunks, with_threads};
use crate::scaled::ScaledTensor;
use crate::values::to_f64;
use crate::{Error, Progress};

/// Options of [`run`].
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Format of codes in A (integers or `|V1`) without a note. Without it, `<V2` is bfloat16.
    pub format_a: Option<Spec>,
    /// Format of codes in B without a note.
    pub format_b: Option<Spec>,
    /// Number of threads; `None` for all of the machine.
    pub threads: Option<usize>,
    /// True to count the elements of A by binade.
    pub histograms: bool,
}

/// Result of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Tensors in both, in the order of A.
    pub tensors: Vec<Row>,
    /// Names of tensors that only A has. Scales of quantised tensors do not count as tensors.
    pub only_in_a: Vec<String>,
    /// Names of tensors that only B has.
    pub only_in_b: Vec<String>,
    /// Tensors in both that cannot be compared.
    pub not_compared: Vec<NotCompared>,
    /// True if every tensor is in both, was compared, and is equal in every element.
    pub equal: bool,
}

impl Comparison {
    /// The row of a tensor. In a file of one tensor it may have another name.
    pub(crate) fn row(&self, name: &str) -> Option<&Row> {
        match &self.tensors[..] {
            [only] => Some(only),
            rows => rows.iter().find(|row| row.name == name),
        }
    }
}

/// A tensor in both files that was not compared.
#[derive(Clone, Debug, Serialize)]
pub struct NotCompared {
    /// Its name.
    pub name: String,
    /// Its shape in A.
    pub shape_a: Vec<u64>,
    /// Its shape in B.
    pub shape_b: Vec<u64>,
    /// The reason.
    pub reason: String,
}

/// A tensor a of A and its counterpart b of B. The measures are over the elements that are finite in both.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The name; empty in .npy files.
    pub name: String,
    /// The shape.
    pub shape: Vec<u64>,
    /// The format of a, or its element type.
    pub format_a: String,
    /// The format of b, or its element type.
    pub format_b: String,
    /// Number of elements.
    pub elements: u64,
    /// max |a − b|.
    pub max_abs: f64,
    /// max |a − b| / |a| over a ≠ 0.
    pub max_relative: f64,
    /// The mean of (a − b)².
    pub mean_square: f64,
    /// 10 log10(Σa² / Σ(a − b)²); infinite, `null` in JSON, if the measured elements are equal.
    pub sqnr_db: f64,
    /// Σab / √(Σa² Σb²); 1 if the measured elements are equal.
    pub cosine: f64,
    /// Elements that overflow: finite in A and infinite in B, or beyond the range of B's format and at its largest value or
    /// NaN in B.
    pub overflow: u64,
    /// Elements that are nonzero in A and zero in B.
    pub underflow: u64,
    /// Elements that are NaN in B but not in A.
    pub nan: u64,
    /// Elements that differ in number, except pairs of NaN.
    pub different: u64,
    /// True if `different` is 0.
    pub equal: bool,
    /// The elements of a by binade, divided by b's scales, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub histogram: Option<Histogram>,
}

/// Compares two files, two folders, or a file and a folder.
///
/// Tensors are matched by name; two files of one tensor each match whatever the names. Codes are decoded and scaled by
/// binade's notes or the layout of the checkpoint. Different shapes are reported, and are not an error.
///
/// # Errors
/// See [`Error`].
pub fn run(a: &Path, b: &Path, options: &Options, progress: &dyn Progress) -> Result<Comparison, Error> {
    let a = Checkpoint::open(a, options.format_a.as_ref())?;
    let b = Checkpoint::open(b, options.format_b.as_ref())?;
    with_threads(options.threads, || compare(&a, &b, options.histograms, progress))
}

/// A weight in any layout, or another tensor, as numbers.
enum Numbers<'a> {
    ScaledTensor(Box<ScaledTensor<'a>>),
    Coded(Box<Decoded<'a>>),
}

impl<'a> Numbers<'a> {
    /// `None` if the elements are not numbers.
    fn open(checkpoint: &'a Checkpoint<'_>, weight: &Weight<'a>) -> Result<Option<Numbers<'a>>, Error> {
        let shard = &checkpoint.shards[weight.shard];
        match &weight.coded {
            Some(coded) => Ok(Some(Numbers::Coded(Box::new(Decoded::open(shard, coded.clone())?)))),
            None => Ok(ScaledTensor::open(&shard.side, weight.tensor)?
                .map(|scaled| Numbers::ScaledTensor(Box::new(scaled)))),
        }
    }

    fn shape(&self) -> &[u64] {
        match self {
            Numbers::ScaledTensor(scaled) => &scaled.values.shape,
            Numbers::Coded(decoded) => &decoded.coded.shape,
        }
    }

    /// Name of its format or element type.
    fn format(&self) -> String {
        match self {
            Numbers::ScaledTensor(scaled) => scaled.format(),
            Numbers::Coded(decoded) => decoded.coded.scheme.elements.to_string(),
        }
    }

    fn read(
        &self,
        first: u64,
        count: u64,
        buffers: &mut ReadScratch,
        values: &mut Vec<f64>,
    ) -> Result<(), Error> {
        match self {
            Numbers::ScaledTensor(scaled) => scaled.read(first, count, &mut buffers.bytes, values),
            Numbers::Coded(decoded) => decoded.read(first, count, &mut buffers.weight, values),
        }
    }

    /// Format of its elements.
    fn elements(&self) -> Option<Format> {
        match self {
            Numbers::ScaledTensor(scaled) => scaled.values.spec.as_ref().map(|spec| spec.format),
            Numbers::Coded(decoded) => Some(decoded.coded.scheme.elements),
        }
    }

    /// The largest magnitude that the format and scale of each element allow.
    fn largest(
        &self,
        first: u64,
        count: u64,
        buffers: &mut ReadScratch,
        largest: &mut Vec<f64>,
    ) -> Result<(), Error> {
        match self {
            Numbers::ScaledTensor(scaled) => scaled.largest(first, count, largest),
            Numbers::Coded(decoded) => decoded.read_largest(first, count, &mut buffers.weight, largest),
        }
    }
}

/// Scratch buffers for reading one side.
#[derive(Default)]
struct ReadScratch {
    bytes: Vec<u8>,
    weight: ReadBuffers,
}

fn compare(
    a: &Checkpoint<'_>,
    b: &Checkpoint<'_>,
    histograms: bool,
    progress: &dyn Progress,
) -> Result<Comparison, Error> {
    let (tensors_a, tensors_b) = (weights(a)?, weights(b)?);
    let alone = tensors_a.len() == 1 && tensors_b.len() == 1;
    let names: HashMap<&str, &Weight<'_>> = tensors_b.iter().map(|weight| (&*weight.name, weight)).collect();
    let partner = |weight: &Weight<'_>| match alone {
        true => tensors_b.first(),
        false => names.get(&*weight.name).copied(),
    };
    let paired = tensors_a.iter().filter(|weight| partner(weight).is_some());
    progress.total(paired.map(|weight| weight.tensor.byte_len()).sum());

    let mut comparison = Comparison {
        tensors: vec![],
        only_in_a: vec![],
        only_in_b: vec![],
        not_compared: vec![],
        equal: false,
    };
    for weight in &tensors_a {
        let (name, tensor) = (weight.name.clone(), weight.tensor);
        let Some(other) = partner(weight) else {
            comparison.only_in_a.push(name);
            continue;
        };
        let not_compared = |shape_a: &[u64], shape_b: &[u64], reason: String| NotCompared {
            name: name.clone(),
            shape_a: shape_a.to_vec(),
            shape_b: shape_b.to_vec(),
            reason,
        };
        let skipped = match (Numbers::open(a, weight)?, Numbers::open(b, other)?) {
            (Some(a), Some(b)) if a.shape() == b.shape() => {
                comparison.tensors.push(row(weight, &a, &b, histograms, progress)?);
                continue;
            }
            (Some(a), Some(b)) => {
                let reason = format!("the shapes differ: {:?} and {:?}", a.shape(), b.shape());
                not_compared(a.shape(), b.shape(), reason)
            }
            (first, _) => {
                let element = if first.is_none() { tensor.element() } else { other.tensor.element() };
                let reason = format!("elements of {element} are not numbers");
                not_compared(tensor.shape(), other.tensor.shape(), reason)
            }
        };
        comparison.not_compared.push(skipped);
        progress.advance(tensor.byte_len(), tensor.name());
    }
    let known: HashSet<&str> = tensors_a.iter().map(|weight| &*weight.name).collect();
    let unknown = tensors_b.iter().filter(|weight| !alone && !known.contains(&*weight.name));
    comparison.only_in_b = unknown.map(|weight| weight.name.clone()).collect();
    comparison.equal = comparison.tensors.iter().all(|row| row.equal)
        && comparison.only_in_a.is_empty()
        && comparison.only_in_b.is_empty()
        && comparison.not_compared.is_empty();
    Ok(comparison)
}

/// Scratch buffers of a thread, reused from chunk to chunk.
#[derive(Default)]
struct ComparisonBuffers {
    /// One for each side, because the reader of a layout caches data.
    scratch: [ReadScratch; 2],
    a: Vec<f64>,
    b: Vec<f64>,
    /// Largest magnitude that the format and scale of each element of b allow.
    largest: Vec<f64>,
}

fn row(
    weight: &Weight<'_>,
    a: &Numbers<'_>,
    b: &Numbers<'_>,
    histograms: bool,
    progress: &dyn Progress,
) -> Result<Row, Error> {
    let elements: u64 = a.shape().iter().product();
    let largest =
        b.elements().map_or(f64::INFINITY, |format| to_f64(decode(format, format.max_finite_code())));
    let tallies = over_chunks(
        weight.tensor,
        elements,
        0..elements,
        progress,
        |buffers: &mut ComparisonBuffers, first, count| {
            let [scratch_a, scratch_b] = &mut buffers.scratch;
            a.read(first, count, scratch_a, &mut buffers.a)?;
            b.read(first, count, scratch_b, &mut buffers.b)?;
            b.largest(first, count, scratch_b, &mut buffers.largest)?;
            let counts = histograms.then(|| {
                let mut counts = Counts::default();
                counts.add(&buffers.a, &buffers.largest, largest);
                counts
            });
            Ok((Differences::of(&mut buffers.a, &mut buffers.b, buffers.largest.iter().copied()), counts))
        },
    )?;
    let (mut total, mut counts) = (Differences::default(), Counts::default());
    for (tally, counted) in &tallies {
        total.merge(tally);
        counted.iter().for_each(|counted| counts.merge(counted));
    }
    Ok(Row {
        name: weight.name.clone(),
        shape: a.shape().to_vec(),
        format_a: a.format(),
        format_b: b.format(),
        elements,
        max_abs: total.measures.max_abs,
        max_relative: total.similarity.max_relative,
        mean_square: total.measures.mean_square(),
        sqnr_db: total.measures.sqnr_db(),
        cosine: total.similarity.cosine(&total.measures),
        overflow: total.overflow,
        underflow: total.underflow,
        nan: total.nan,
        different: total.different,
        equal: total.different == 0,
        histogram: histograms.then(|| counts.histogram(b.elements())),
    })
}
