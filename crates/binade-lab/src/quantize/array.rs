//! Quantises and dequantises arrays in memory, with the bits that [`run`](super::run) writes to files. Python calls it.

use binade::block::{NotFinite, ScaleRule};
use binade::catalog::{BF16, F16, F32, F64};
use binade::{Datum, Format, Projection, Rounding, Saturation, Spec, decode, ops};
use binade_kernels::{self as kernels, Decoder, KernelError, Tally};
use binade_simd::{Environment, threads};

use super::encode::{Codes, ElementEncoder, ElementScales, Encoded};
use super::{RoundingChoice, Scale};
use crate::Error;
use crate::pool::{CHUNK, with_threads};
use crate::scale::{Extent, Groups, Rule};
use crate::values::{datum, table, to_f64};

/// Elements of an array in C order.
#[derive(Clone, Copy, Debug)]
pub enum Elements<'a> {
    /// Elements of binary32.
    Binary32(&'a [f32]),
    /// Elements of binary64.
    Binary64(&'a [f64]),
    /// Bit patterns of bfloat16.
    Bfloat16(&'a [u16]),
    /// Bit patterns of binary16.
    Binary16(&'a [u16]),
}

impl Elements<'_> {
    fn len(&self) -> usize {
        match self {
            Elements::Binary32(elements) => elements.len(),
            Elements::Binary64(elements) => elements.len(),
            Elements::Bfloat16(bits) | Elements::Binary16(bits) => bits.len(),
        }
    }

    /// Reads `count` elements from `first` on as binary64, which is exact.
    fn read(&self, first: usize, count: usize, into: &mut Vec<f64>) -> Result<(), KernelError> {
        into.clear();
        into.resize(count, 0.0);
        let range = first..first + count;
        match self {
            Elements::Binary32(elements) => {
                into.iter_mut().zip(&elements[range]).for_each(|(wide, &x)| *wide = x.into());
                Ok(())
            }
            Elements::Binary64(elements) => {
                into.copy_from_slice(&elements[range]);
                Ok(())
            }
            Elements::Bfloat16(bits) => Decoder::new(BF16)?.decode_f64(&bits[range], into),
            Elements::Binary16(bits) => Decoder::new(F16)?.decode_f64(&bits[range], into),
        }
    }
}

/// The way in which an array is quantised.
#[derive(Clone, Debug)]
pub struct Array {
    /// The format of elements.
    pub format: Spec,
    /// The scale; not [`Scale::None`].
    pub scale: Scale,
    /// The scale rule; `None` for the default of the scale.
    pub scale_rule: Option<ScaleRule>,
    /// Rounding of elements.
    pub rounding: RoundingChoice,
    /// Saturation of elements.
    pub saturation: Saturation,
    /// Number of threads.
    pub threads: usize,
}

/// A quantised array: codes and scales.
#[derive(Clone, PartialEq, Debug)]
pub struct QuantizedArray {
    /// Codes of elements.
    pub codes: Codes,
    /// Codes of scales, in the format that the scale names or in binary32.
    pub scales: Vec<u64>,
    /// Shape of the scales.
    pub shape: Vec<u64>,
    /// The tensor scale, if there is one.
    pub tensor_scale: Option<f32>,
}

/// Quantises an array, bit for bit as `run` writes it to a file.
///
/// # Errors
/// The axis does not exist, the scale does not take the scale rule, or an element is not finite although neither elements nor
/// scales have a NaN.
pub fn array(elements: Elements<'_>, shape: &[u64], how: &Array) -> Result<QuantizedArray, Error> {
    let _environment = Environment::enter();
    let (format, scale) = (how.format.format, &how.scale);
    Rule::check(scale, how.scale_rule)?;
    let (groups, of_scales) = groups_of(scale, shape)?;
    let saturation = Rule::saturation(scale, how.scale_rule, how.saturation);
    let encoder = ElementEncoder::new(format, how.rounding, saturation, how.format.edition);
    let chunks = elements.len().div_ceil(CHUNK as usize);
    let read = |number: usize, into: &mut Vec<f64>| -> Result<u64, KernelError> {
        let first = number * CHUNK as usize;
        elements.read(first, (CHUNK as usize).min(elements.len() - first), into)?;
        Ok(first as u64)
    };

    let (mut extents, mut part) = (vec![Extent::EMPTY; of_scales.iter().product::<u64>() as usize], vec![]);
    for number in 0..chunks {
        let first = read(number, &mut part)?;
        for (group, range) in groups.runs(first, part.len() as u64) {
            let extent = &mut extents[group as usize];
            *extent = extent.and(Extent::of(first + range.start as u64, &part[range]));
        }
    }
    let all = extents.iter().fold(Extent::EMPTY, |all, extent| all.and(*extent));
    let (rule, not_finite) =
        (Rule::new(format, scale, how.scale_rule, all.largest), Rule::not_finite(format, scale));
    let refused = |index| Error::NoNan {
        tensor: String::new(),
        index,
        format: how.format.name().to_owned(),
        scale: scale.to_string(),
    };
    if let (Some(index), NotFinite::Refused) = (all.not_finite, not_finite) {
        return Err(refused(index));
    }
    let scales: Vec<(u64, f64)> = extents
        .into_iter()
        .map(|extent| rule.scale_of(extent, not_finite))
        .collect::<Result<_, u64>>()
        .map_err(refused)?;

    let narrow = !matches!(elements, Elements::Binary64(_));
    let encode = |number: usize| -> Result<Codes, Error> {
        let _environment = Environment::enter();
        let (mut part, mut encoded) = (vec![], Encoded::default());
        let first = read(number, &mut part)?;
        let mut by = vec![1.0; part.len()];
        for (group, range) in groups.runs(first, part.len() as u64) {
            by[range].fill(scales[group as usize].1);
        }
        encoder.without_infinities(&mut part);
        let scaled = ElementScales {
            by: Some(&by),
            decided: narrow && Rule::bits(scale) + format.precision() < 53,
            exact: narrow && Rule::is_mx(scale),
        };
        encoder.encode(&part, scaled, first, &mut encoded, &mut Tally::default())?;
        encoded.clear_nan(&by);
        Ok(encoded.codes())
    };
    let parts = map(how.threads, chunks, encode)?;
    Ok(QuantizedArray {
        codes: Codes::joined(format, parts),
        scales: scales.into_iter().map(|(code, _)| code).collect(),
        shape: of_scales,
        tensor_scale: rule.tensor_scale.map(|tensor_scale| tensor_scale as f32),
    })
}

/// The groups of an array, and the shape of their scales.
fn groups_of(scale: &Scale, shape: &[u64]) -> Result<(Groups, Vec<u64>), Error> {
    Groups::new(scale, shape).ok_or(Error::NoAxis {
        axis: if let Scale::Channel { axis } = scale { *axis } else { 0 },
        rank: shape.len(),
    })
}

/// Results of `each` for the chunks 0 to `chunks` − 1, in order, on at most `threads` threads.
fn map<T: Send>(
    threads: usize,
    chunks: usize,
    each: impl Fn(usize) -> Result<T, Error> + Sync + Send,
) -> Result<Vec<T>, Error> {
    match threads.min(chunks) {
        0 | 1 => (0..chunks).map(each).collect(),
        threads => with_threads(Some(threads), || threads::try_map(chunks, each)),
    }
}

/// A quantised array to dequantise.
pub struct Dequantize<'a> {
    /// Format of the elements.
    pub format: &'a Spec,
    /// The scale.
    pub scale: &'a Scale,
    /// The shape.
    pub shape: &'a [u64],
    /// Codes of scales, as in [`QuantizedArray`].
    pub scales: &'a [u64],
    /// The tensor scale, if there is one.
    pub tensor_scale: Option<f32>,
    /// Number of threads.
    pub threads: usize,
}

impl Dequantize<'_> {
    /// The exact products of elements and scales, rounded once to nearest even to binary64, binary32, bfloat16 or binary16,
    /// as bytes. `code` returns the code of an element.
    ///
    /// # Errors
    /// The axis does not exist, the number of scales is wrong, or a code is not one of the format.
    pub fn bytes(&self, code: impl Fn(usize) -> u64 + Sync + Send, to: Format) -> Result<Vec<u8>, Error> {
        let (format, kept) = (self.format.format, Rule::format(self.scale));
        let (groups, of_scales) = groups_of(self.scale, self.shape)?;
        let expected = of_scales.iter().product();
        if self.scales.len() as u64 != expected {
            return Err(Error::ScaleCount { given: self.scales.len() as u64, expected });
        }
        let tensor_scale = f64::from(self.tensor_scale.unwrap_or(1.0));
        // Exact: scales have at most 24 bits each.
        let _environment = Environment::enter();
        let by: Vec<f64> =
            self.scales.iter().map(|&code| to_f64(decode(kept, code)) * tensor_scale).collect();
        let values = (format.width() <= 16).then(|| table(format));
        // These products fit in binary64, in precision and in range.
        let exact = Rule::bits(self.scale) + format.precision() <= 53 && values.is_some();
        let count = self.shape.iter().product::<u64>() as usize;
        let encoder = (to.width() == 16)
            .then(|| kernels::Encoder::new(to, Rounding::NearestEven, Saturation::Overflow))
            .transpose()?;
        let parts = map(self.threads, count.div_ceil(CHUNK as usize), |number| {
            let _environment = Environment::enter();
            let first = number * CHUNK as usize;
            let here = (CHUNK as usize).min(count - first);
            let mut products = vec![0.0; here];
            let mut codes = vec![];
            for (group, range) in groups.runs(first as u64, here as u64) {
                let scale = by[group as usize];
                for at in range {
                    let code = Datum::new(format, code(first + at))?;
                    match &values {
                        Some(values) if exact => products[at] = values[code.code() as usize] * scale,
                        _ => codes.push(ops::multiply(code, datum(scale), to, Projection::default()).code),
                    }
                }
            }
            if !exact {
                let size = to.width() as usize / 8;
                return Ok(codes.iter().flat_map(|code| code.to_le_bytes().into_iter().take(size)).collect());
            }
            Ok::<Vec<u8>, Error>(match to {
                F64 => products.iter().flat_map(|x| x.to_le_bytes()).collect(),
                F32 => products.iter().flat_map(|&x| (x as f32).to_le_bytes()).collect(),
                _ => {
                    let mut bits = vec![0u16; here];
                    if let Some(encoder) = &encoder {
                        encoder.encode_f64(&products, &mut bits[..])?;
                    }
                    bits.iter().flat_map(|bits| bits.to_le_bytes()).collect()
                }
            })
        })?;
        Ok(parts.concat())
    }
}
