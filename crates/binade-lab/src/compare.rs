//! Two files, tensor by tensor: the engine of `binade compare`.

use std::path::Path;

use binade::Spec;
use binade_files::Tensor;
use serde::Serialize;

use crate::measure::{Measures, Similarity};
use crate::pool::{over_chunks, with_threads};
use crate::scaled::{Scaled, Side};
use crate::{Error, Progress};

/// What the files do not say themselves.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The format of codes in A (whole numbers or `|V1`) that no note says the format of; `<V2` is bfloat16 otherwise.
    pub format_a: Option<Spec>,
    /// The same for B.
    pub format_b: Option<Spec>,
    /// How many threads work; `None` is as many as the machine has.
    pub threads: Option<usize>,
}

/// What became of A's tensors in B.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Tensors in both, in the order of A.
    pub tensors: Vec<Row>,
    /// Names of tensors that B lacks; the scales of quantised tensors are not counted among tensors.
    pub only_in_a: Vec<String>,
    /// Names of tensors that A lacks.
    pub only_in_b: Vec<String>,
    /// Tensors in both that cannot be compared.
    pub not_compared: Vec<NotCompared>,
    /// Whether every tensor is in both, was compared, and is equal in every element.
    pub equal: bool,
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
    /// Why not.
    pub reason: String,
}

/// A tensor a of A beside the tensor b of B. The measures are over the elements that are finite in both.
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
    /// Elements in all.
    pub elements: u64,
    /// max |a − b|.
    pub max_abs: f64,
    /// max |a − b| / |a| over a ≠ 0.
    pub max_relative: f64,
    /// The mean of (a − b)².
    pub mean_square: f64,
    /// 10 log10(Σa² / Σ(a − b)²); infinite, `null` in JSON, where the measured elements are equal.
    pub sqnr_db: f64,
    /// Σab / √(Σa² Σb²); 1 where the measured elements are equal.
    pub cosine: f64,
    /// Elements that are finite in A, and in B infinite, or larger in A than B's format can tell and at its largest or
    /// NaN in B.
    pub overflow: u64,
    /// Elements that are nonzero in A and zero in B.
    pub underflow: u64,
    /// Elements that are NaN in B but not in A.
    pub nan: u64,
    /// Elements that are not the same number, nor both NaN.
    pub different: u64,
    /// Whether `different` is 0.
    pub equal: bool,
}

/// Compares two files.
///
/// Tensors are matched by name; where each file has one tensor, these are matched whatever their names. Codes are decoded
/// and scaled as the notes of binade say. Differences of shape are reported and no error.
///
/// # Errors
/// See [`Error`].
pub fn run(a: &Path, b: &Path, options: &Options, progress: &dyn Progress) -> Result<Comparison, Error> {
    let (a, b) = (Side::open(a, options.format_a.as_ref())?, Side::open(b, options.format_b.as_ref())?);
    with_threads(options.threads, || compare(&a, &b, progress))
}

fn compare(a: &Side<'_>, b: &Side<'_>, progress: &dyn Progress) -> Result<Comparison, Error> {
    let (tensors_a, tensors_b) = (a.tensors(), b.tensors());
    let alone = tensors_a.len() == 1 && tensors_b.len() == 1;
    let partner =
        |tensor: &Tensor| tensors_b.iter().find(|other| alone || other.name() == tensor.name()).copied();
    progress.total(
        tensors_a.iter().filter(|tensor| partner(tensor).is_some()).map(|tensor| tensor.byte_len()).sum(),
    );

    let mut comparison = Comparison {
        tensors: vec![],
        only_in_a: vec![],
        only_in_b: vec![],
        not_compared: vec![],
        equal: false,
    };
    for tensor in &tensors_a {
        let name = tensor.name().to_owned();
        let Some(other) = partner(tensor) else {
            comparison.only_in_a.push(name);
            continue;
        };
        let not_compared = |shape_a: &[u64], shape_b: &[u64], reason: String| NotCompared {
            name: name.clone(),
            shape_a: shape_a.to_vec(),
            shape_b: shape_b.to_vec(),
            reason,
        };
        let skipped = match (Scaled::open(a, tensor)?, Scaled::open(b, other)?) {
            (Some(a), Some(b)) if a.values.shape == b.values.shape => {
                comparison.tensors.push(row(&a, &b, progress)?);
                continue;
            }
            (Some(a), Some(b)) => {
                let reason = format!("the shapes differ: {:?} and {:?}", a.values.shape, b.values.shape);
                not_compared(&a.values.shape, &b.values.shape, reason)
            }
            (first, _) => {
                let element = if first.is_none() { tensor.element() } else { other.element() };
                let reason = format!("elements of {element} are not read as numbers");
                not_compared(tensor.shape(), other.shape(), reason)
            }
        };
        comparison.not_compared.push(skipped);
        progress.advance(tensor.byte_len(), tensor.name());
    }
    let known = |name: &str| alone || tensors_a.iter().any(|tensor| tensor.name() == name);
    comparison.only_in_b =
        tensors_b.iter().map(|tensor| tensor.name()).filter(|name| !known(name)).map(str::to_owned).collect();
    comparison.equal = comparison.tensors.iter().all(|row| row.equal)
        && comparison.only_in_a.is_empty()
        && comparison.only_in_b.is_empty()
        && comparison.not_compared.is_empty();
    Ok(comparison)
}

/// Counts and measures of a chunk.
#[derive(Default)]
struct Tally {
    measures: Measures,
    similarity: Similarity,
    overflow: u64,
    underflow: u64,
    nan: u64,
    different: u64,
}

/// Memory that chunks use again.
#[derive(Default)]
struct Room {
    bytes: Vec<u8>,
    a: Vec<f64>,
    b: Vec<f64>,
    /// What each element of b could have been at most.
    largest: Vec<f64>,
}

fn row(a: &Scaled<'_>, b: &Scaled<'_>, progress: &dyn Progress) -> Result<Row, Error> {
    let tallies =
        over_chunks(a.values.tensor, a.values.elements, progress, |room: &mut Room, first, count| {
            a.read(first, count, &mut room.bytes, &mut room.a)?;
            b.read(first, count, &mut room.bytes, &mut room.b)?;
            b.largest(first, count, &mut room.largest)?;
            let (xs, ys) = (&mut room.a, &mut room.b);
            let mut tally = Tally::default();
            let mut finite = 0;
            for ((&x, &y), &largest) in xs.iter().zip(&*ys).zip(&room.largest) {
                let beyond = (x.abs() > largest) & (y.is_nan() | (y.abs() >= largest));
                tally.overflow += (x.is_finite() & (y.is_infinite() | beyond)) as u64;
                tally.underflow += ((x != 0.0) & !x.is_nan() & (y == 0.0)) as u64;
                tally.nan += (y.is_nan() & !x.is_nan()) as u64;
                tally.different += ((x != y) & !(x.is_nan() & y.is_nan())) as u64;
                finite += (x.is_finite() & y.is_finite()) as usize;
            }
            if finite < xs.len() {
                let both = |&(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
                (*xs, *ys) = xs.drain(..).zip(ys.drain(..)).filter(both).unzip();
            }
            tally.measures.add(xs, ys);
            tally.similarity.add(xs, ys);
            Ok(tally)
        })?;
    let mut total = Tally::default();
    for tally in &tallies {
        total.measures.merge(&tally.measures);
        total.similarity.merge(&tally.similarity);
        total.overflow += tally.overflow;
        total.underflow += tally.underflow;
        total.nan += tally.nan;
        total.different += tally.different;
    }
    Ok(Row {
        name: a.values.tensor.name().to_owned(),
        shape: a.values.shape.clone(),
        format_a: a.format(),
        format_b: b.format(),
        elements: a.values.elements,
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
    })
}
