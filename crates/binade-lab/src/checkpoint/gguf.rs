//! Writes GGUF files from GGUF files, for `binade quantize` and `binade convert` with a layout `gguf-…`.
//!
//! Matrices of linear layers are encoded; all other tensors are copied as they are stored. A GGUF file has the model's
//! tokenizer and its hyperparameters, which no other file of a checkpoint has in this form. So the input is GGUF too.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use binade_files::gguf::{self, Encoding, Entry};
use binade_files::{Container, IfExists, Input, Tensor, remove_abandoned};

use super::choice::Choice;
use super::encode::{BlockEncoder, Numbers, Strip};
use super::run::over_numbers;
use super::store::Checkpoint;
use super::weight::weights;
use super::{CheckpointError, CheckpointLayout, Copied, Report, WeightReport};
use crate::pool::with_threads;
use crate::{Error, Progress};

/// A type of GGUF that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GgufLayout {
    /// Blocks of 32 integers of 8 bits with a binary16 scale.
    Q8_0,
    /// Blocks of 32 of E2M1 with an E8M0 scale, by the rule of OCP MX.
    Mxfp4,
    /// bfloat16.
    Bf16,
}

impl GgufLayout {
    /// All of them.
    pub const ALL: [GgufLayout; 3] = [GgufLayout::Q8_0, GgufLayout::Mxfp4, GgufLayout::Bf16];

    /// The name: `gguf-q8_0`, `gguf-mxfp4`, `gguf-bf16`.
    pub fn name(self) -> &'static str {
        match self {
            GgufLayout::Q8_0 => "gguf-q8_0",
            GgufLayout::Mxfp4 => "gguf-mxfp4",
            GgufLayout::Bf16 => "gguf-bf16",
        }
    }

    fn encoding(self) -> Encoding {
        match self {
            GgufLayout::Q8_0 => Encoding::Q8_0,
            GgufLayout::Mxfp4 => Encoding::Mxfp4,
            GgufLayout::Bf16 => Encoding::Bf16,
        }
    }
}

impl fmt::Display for GgufLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A layout that `binade quantize` writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputLayout {
    /// Of `.safetensors` files.
    Checkpoint(CheckpointLayout),
    /// Of a `.gguf` file.
    Gguf(GgufLayout),
}

impl FromStr for OutputLayout {
    type Err = CheckpointError;

    fn from_str(text: &str) -> Result<OutputLayout, CheckpointError> {
        let lower = text.to_ascii_lowercase();
        if let Some(layout) = GgufLayout::ALL.into_iter().find(|layout| layout.name() == lower) {
            return Ok(OutputLayout::Gguf(layout));
        }
        match lower.starts_with("gguf") {
            true => Err(CheckpointError::Layout {
                name: text.to_owned(),
                nearest: GgufLayout::ALL.map(GgufLayout::name).to_vec(),
            }),
            false => text.parse().map(OutputLayout::Checkpoint),
        }
    }
}

/// Options of [`write_gguf`].
#[derive(Clone, Debug)]
pub struct GgufOptions {
    /// The type of the encoded matrices.
    pub layout: GgufLayout,
    /// True to encode matrices that are in blocks already.
    pub convert: bool,
    /// Globs of weights to encode; if empty, the matrices of linear layers.
    pub include: Vec<String>,
    /// Globs of weights to leave as they are.
    pub exclude: Vec<String>,
    /// Number of threads; `None` for all of the machine.
    pub threads: Option<usize>,
    /// True to replace an existing output.
    pub force: bool,
}

/// Elements that a thread encodes at once.
const UNIT: u64 = 1 << 16;

/// Bytes that are copied at once.
const COPY: u64 = 1 << 20;

/// Writes a GGUF file from another.
///
/// # Errors
/// The input is not a GGUF file. A tensor to be encoded is quantised already, is not finite, or has rows that are no multiple
/// of the block. The output cannot be written.
pub fn write_gguf(
    input: &Path,
    output: &Path,
    options: &GgufOptions,
    progress: &dyn Progress,
) -> Result<Report, Error> {
    let checkpoint = Checkpoint::open(input, None)?;
    let [shard] = &checkpoint.shards[..] else {
        return Err(CheckpointError::NotGguf { path: input.to_owned() }.into());
    };
    let Input::Gguf(reader) = &shard.side.noted.input else {
        return Err(CheckpointError::NotGguf { path: input.to_owned() }.into());
    };
    crate::write::check_kind(output, Container::Gguf)?;
    let encoding = options.layout.encoding();
    let (mut entries, mut tasks, mut done, mut copied) = (vec![], vec![], vec![], vec![]);
    let all = weights(&checkpoint)?;
    let choice = Choice::new(&options.include, &options.exclude, None, &all)?;
    for weight in &all {
        let tensor = weight.tensor;
        // The rules for linear layers are those of every layout of two-dimensional weights.
        let left = choice.left(weight, CheckpointLayout::CtFp8, tensor.shape());
        if left.is_none() && weight.is_in_blocks() && !options.convert {
            let (path, tensor) = (input.to_owned(), weight.name.clone());
            return Err(CheckpointError::Quantised { path, tensor }.into());
        }
        let entry = match left {
            Some(reason) => {
                copied.push(Copied { name: weight.name.clone(), reason });
                Entry::stored(tensor)
            }
            None => {
                let (block, columns) =
                    (encoding.block().0 as u64, tensor.shape().last().copied().unwrap_or(1));
                let entry = Entry::new(tensor, encoding).ok_or_else(|| CheckpointError::Divisible {
                    path: input.to_owned(),
                    tensor: weight.name.clone(),
                    columns,
                    block,
                })?;
                done.push(WeightReport {
                    name: weight.name.clone(),
                    shape: tensor.shape().to_vec(),
                    bytes_before: tensor.stored_bytes(),
                    bytes_after: entry.bytes(),
                    choice: None,
                    losses: None,
                });
                Some(entry)
            }
        };
        let entry = entry.ok_or_else(|| CheckpointError::NotGguf { path: input.to_owned() })?;
        let (unit, of) = match left {
            Some(_) => (COPY, tensor.stored_bytes()),
            None => (UNIT, tensor.elements()),
        };
        let slot = entries.len();
        tasks.extend((0..of.div_ceil(unit)).map(|at| Task {
            tensor,
            slot,
            encoded: left.is_none(),
            first: at * unit,
            count: unit.min(of - at * unit),
        }));
        entries.push(entry);
    }
    if done.is_empty() {
        let reason = copied.iter().take(3).map(|each| format!("'{}': {}", each.name, each.reason));
        return Err(CheckpointError::NothingInGguf {
            path: input.to_owned(),
            layout: options.layout.name(),
            reason: reason.collect::<Vec<_>>().join("; "),
        }
        .into());
    }
    remove_abandoned(output.parent().unwrap_or(Path::new("")));
    let if_exists = if options.force { IfExists::Replace } else { IfExists::Refuse };
    let writer = gguf::Writer::create(output, reader, &entries, encoding, if_exists)?;
    progress.total(all.iter().map(|weight| weight.tensor.stored_bytes()).sum());
    let encoder = GgufEncoder::new(options.layout)?;
    with_threads(options.threads, || {
        over_numbers(tasks.len() as u64, progress, |scratch, number| {
            let task = &tasks[number as usize];
            Ok((task.run(&encoder, &writer, scratch, input)?, task.tensor.name()))
        })
    })?;
    writer.finish()?;
    Ok(Report {
        action: if options.convert { "convert" } else { "quantize" },
        layout: Some(options.layout.name()),
        rule: (options.layout == GgufLayout::Mxfp4).then_some("floor"),
        dtype: None,
        linear_layers: None,
        weights: done,
        copied,
        files: 1,
        resumed: 0,
        bytes: entries.iter().map(Entry::bytes).sum(),
        notes: vec![],
    })
}

/// A part of a tensor: elements to encode, or bytes to copy.
struct Task<'a> {
    tensor: &'a Tensor,
    slot: usize,
    encoded: bool,
    first: u64,
    count: u64,
}

/// Buffers of a thread.
#[derive(Default)]
struct Scratch {
    bytes: Vec<u8>,
    numbers: Numbers,
    strip: Strip,
    out: Vec<u8>,
}

impl Task<'_> {
    /// Writes the part, and returns the number of bytes read from the file.
    fn run(
        &self,
        encoder: &GgufEncoder,
        writer: &gguf::Writer,
        scratch: &mut Scratch,
        path: &Path,
    ) -> Result<u64, Error> {
        let Scratch { bytes, numbers, strip, out } = scratch;
        if !self.encoded {
            bytes.resize(self.count as usize, 0);
            self.tensor.read_stored(self.first, bytes)?;
            writer.write_at(self.slot, self.first, bytes)?;
            return Ok(self.count);
        }
        encoder.read_f32(self.tensor, self.first, self.count, bytes, numbers.single())?;
        let values: &[f32] = numbers.single();
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            return Err(CheckpointError::NotFinite {
                path: path.to_owned(),
                tensor: self.tensor.name().to_owned(),
                index: self.first + at as u64,
                value: values[at].into(),
            }
            .into());
        }
        encoder.encode(numbers, strip, out)?;
        let (elements, size) = encoder.layout.encoding().block();
        writer.write_at(self.slot, self.first / elements as u64 * size as u64, out)?;
        Ok(self.tensor.stored_bytes() * self.count / self.tensor.elements().max(1))
    }
}

/// Encodes whole blocks.
struct GgufEncoder {
    layout: GgufLayout,
    mx: BlockEncoder,
    halves: binade_kernels::Encoder,
    from_halves: binade_kernels::Decoder,
    bf16: binade_kernels::Encoder,
}

impl GgufEncoder {
    fn new(layout: GgufLayout) -> Result<GgufEncoder, Error> {
        use binade::{Rounding, Saturation};
        let mx = CheckpointLayout::CtMxfp4;
        let to = |format| {
            binade_kernels::Encoder::new(format, Rounding::NearestEven, Saturation::Overflow)
                .map_err(Error::from)
        };
        Ok(GgufEncoder {
            layout,
            mx: BlockEncoder::new(mx.scheme(), mx.default_rule())?,
            halves: to(binade::catalog::F16)?,
            from_halves: binade_kernels::Decoder::new(binade::catalog::F16)?,
            bf16: to(binade::catalog::BF16)?,
        })
    }

    /// Reads elements of binary32, binary16 or bfloat16 as binary32.
    fn read_f32(
        &self,
        tensor: &Tensor,
        first: u64,
        count: u64,
        bytes: &mut Vec<u8>,
        out: &mut Vec<f32>,
    ) -> Result<(), Error> {
        use binade_files::ElementType::{Bf16, F16};
        let width = tensor.element().bits().unwrap_or(32) as usize / 8;
        bytes.resize(count as usize * width, 0);
        tensor.read(first, bytes)?;
        out.clear();
        match tensor.element() {
            Bf16 => out.extend(
                bytes
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&code| f32::from_bits(u32::from(u16::from_le_bytes(code)) << 16)),
            ),
            F16 => {
                let codes: Vec<u16> =
                    bytes.as_chunks().0.iter().map(|&code| u16::from_le_bytes(code)).collect();
                out.resize(codes.len(), 0.0);
                self.from_halves.decode_f32(&codes[..], out)?;
            }
            _ => out.extend(bytes.as_chunks().0.iter().map(|&code| f32::from_le_bytes(code))),
        }
        Ok(())
    }

    fn encode(&self, numbers: &mut Numbers, strip: &mut Strip, out: &mut Vec<u8>) -> Result<(), Error> {
        out.clear();
        match self.layout {
            GgufLayout::Bf16 => {
                let values: &[f32] = numbers.single();
                let mut codes = vec![0_u16; values.len()];
                self.bf16.encode_f32(values, &mut codes[..])?;
                out.extend(codes.into_iter().flat_map(u16::to_le_bytes));
            }
            GgufLayout::Q8_0 => {
                let values: &[f32] = numbers.single();
                // The scale is the largest magnitude / 127, and codes are rounded to nearest, ties away from zero.
                let scales: Vec<f32> = values
                    .chunks(32)
                    .map(|block| block.iter().fold(0.0_f32, |most, value| most.max(value.abs())) / 127.0)
                    .collect();
                let mut codes = vec![0_u16; scales.len()];
                self.halves.encode_f32(&scales[..], &mut codes[..])?;
                for ((block, scale), code) in values.chunks(32).zip(scales).zip(codes) {
                    let inverse = if scale == 0.0 { 0.0 } else { 1.0 / scale };
                    out.extend(code.to_le_bytes());
                    out.extend(block.iter().map(|value| (value * inverse).round() as i8 as u8));
                }
            }
            GgufLayout::Mxfp4 => {
                let columns = numbers.len();
                self.mx.encode(numbers, columns, 1.0, strip)?;
                for (block, scale) in strip.packed.chunks(16).zip(&strip.scales) {
                    out.push(*scale);
                    // Here a byte has neighbours, in GGUF elements that are 16 apart.
                    let code = |at: usize| block[at / 2] >> (at % 2 * 4) & 15;
                    out.extend((0..16).map(|at| code(at) | code(at + 16) << 4));
                }
            }
        }
        Ok(())
    }
}
