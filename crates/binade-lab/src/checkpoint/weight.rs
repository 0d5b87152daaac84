//! Finds and decodes the weights of a checkpoint in any layout: which tensors are codes, which are scales, and their values.
//!
//! Layouts are recognised by the names and types of tensors, so that files without a config.json are read too. Only the shape
//! of two-dimensional blocks is taken from config.json.
//!
//! An element is its code times its block's scale, times or divided by the tensor scale. The product has at most 4 + 4 + 24
//! significand bits, so binary64 is exact. The quotient is rounded to binary64 to nearest; a narrower rounding after it gives
//! the result for the exact quotient (see the module `encode`).

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use binade::catalog::BF16;
use binade::{Edition, Format, Spec, decode};
use binade_files::{ElementType, Tensor};
use binade_kernels::{BlockDecoder, Decoder, KernelError, multiply};
use binade_simd::Isa;

use super::encode::{PART, largest, max_without_tensor_scale};
use super::error::CheckpointError;
use super::foreign::{Names, is_scale, refuse_declared};
use super::scheme::{Scheme, TensorScaleRole, WHOLE, module_of};
use super::store::{Checkpoint, Shard};
use super::tiles::{Tile, Tiles};
use crate::Error;
use crate::layout::format_of;
use crate::values::{Values, to_f64};

/// Longest row that is supported.
pub(crate) const LONGEST_ROW: u64 = 1 << 22;

/// A weight of the model, or another tensor.
pub(crate) struct Weight<'a> {
    /// Its name, without the endings of a layout.
    pub(crate) name: String,
    /// The file with the weight or its codes.
    pub(crate) shard: usize,
    pub(crate) tensor: &'a Tensor,
    /// Its codes, if it is quantised by a layout.
    pub(crate) coded: Option<Coded<'a>>,
}

impl Weight<'_> {
    /// Returns true if the weight is in blocks of a GGUF file.
    pub(crate) fn is_in_blocks(&self) -> bool {
        self.tensor.blocks().is_some() && self.tensor.element().bits().is_some()
    }

    /// The shape of its numbers.
    pub(crate) fn shape(&self) -> &[u64] {
        self.coded.as_ref().map_or(self.tensor.shape(), |coded| &coded.shape)
    }
}

/// A quantised weight.
#[derive(Clone)]
pub(crate) struct Coded<'a> {
    pub(crate) scheme: Scheme,
    pub(crate) codes: &'a Tensor,
    pub(crate) scales: &'a Tensor,
    pub(crate) tensor_scale: Option<&'a Tensor>,
    /// Shape of the weight.
    pub(crate) shape: Vec<u64>,
    /// Rows of codes in a matrix, and codes in a row.
    pub(crate) rows: u64,
    pub(crate) columns: u64,
    /// Rows of one of stacked matrices. Blocks begin anew with each matrix.
    pub(crate) height: u64,
    /// True if the weight is the transpose of each matrix of codes.
    pub(crate) transposed: bool,
}

impl Coded<'_> {
    /// The row of scales for a row of codes.
    fn grid_row(&self, row: u64) -> u64 {
        grid_row(row, self.height, self.scheme.block.0)
    }
}

/// The row of scales for a row of matrices of `height` rows, each in blocks of `down` rows.
fn grid_row(row: u64, height: u64, down: u64) -> u64 {
    let height = height.max(1);
    row / height * height.div_ceil(down) + row % height / down
}

/// The weights of a checkpoint by file, in the order of its header. Scales belong to their weights.
pub(crate) fn weights<'a>(checkpoint: &'a Checkpoint<'_>) -> Result<Vec<Weight<'a>>, Error> {
    let mut used: HashSet<String> = HashSet::new();
    refuse_declared(checkpoint)?;
    let all = checkpoint.shards.iter().flat_map(Shard::tensors);
    let beside = Names::new(&checkpoint.path, all);
    beside.refuse_others()?;
    let fp8 = fp8_scales(checkpoint);
    let nvfp4 = checkpoint.names().any(|name| name.ends_with(".weight_scale_2"));
    let mut weights = vec![];
    for (shard, file) in checkpoint.shards.iter().enumerate() {
        for tensor in file.tensors() {
            let found = if file.side.noted.note(tensor.name()).is_some() {
                None
            } else {
                Finder { checkpoint, tensor, fp8, nvfp4, beside: &beside, used: &mut used }.coded()?
            };
            let (name, coded) = match found {
                Some((name, coded)) => (name, Some(coded)),
                None => (tensor.name().to_owned(), None),
            };
            weights.push(Weight { name, shard, tensor, coded });
        }
    }
    weights.retain(|weight| {
        let noted = &checkpoint.shards[weight.shard].side.noted;
        weight.coded.is_some()
            || !used.contains(weight.tensor.name()) && noted.scales_of(weight.tensor.name()).is_none()
    });
    for weight in weights.iter().filter(|weight| weight.coded.is_none()) {
        if let Some(codes) = codes_wanted(checkpoint, weight.tensor) {
            let (path, tensor) = (checkpoint.path.clone(), weight.name.clone());
            return Err(CheckpointError::Orphan { path, tensor, codes }.into());
        }
    }
    for weight in weights.iter().filter(|weight| weight.coded.is_none()) {
        if checkpoint.shards[weight.shard].side.noted.note(weight.tensor.name()).is_none() {
            beside.refuse_scaled(weight.tensor, &used)?;
        }
    }
    let mut names = HashSet::new();
    match weights.iter().find(|weight| !names.insert(&weight.name)) {
        Some(twice) => {
            Err(CheckpointError::NameTaken { path: checkpoint.path.clone(), name: twice.name.clone() }.into())
        }
        None => Ok(weights),
    }
}

/// The ending of the names of scales for FP8 weights, if there are any, by config.json or by another tensor. FP8 elements
/// without scales are then codes; in a checkpoint without such scales they are numbers.
fn fp8_scales(checkpoint: &Checkpoint<'_>) -> Option<&'static str> {
    let method =
        checkpoint.quantization().and_then(|quantization| quantization.get("quant_method")?.as_str());
    let named = |ending: &str| checkpoint.names().any(|name| name.ends_with(ending));
    [("_scale_inv", ".weight_scale_inv", "fp8"), (".weight_scale", ".weight_scale", "compressed-tensors")]
        .into_iter()
        .find(|(ending, _, of)| named(ending) || method == Some(of))
        .map(|(_, name, _)| name)
}

/// Endings of the names of scales, with those of their codes.
const OF_CODES: [(&str, &[&str]); 7] = [
    (".weight_scale", &[".weight_packed", ".weight"]),
    (".weight_scale_inv", &[".weight"]),
    (".weight_scale_2", &[".weight"]),
    (".weight_global_scale", &[".weight_packed"]),
    ("_scale_inv", &[""]),
    ("_scales", &["_blocks"]),
    (".scales", &[".blocks"]),
];

/// The problem of a tensor of scales without codes. Scales beside numbers are ordinary tensors: some quantisers store them
/// before they round.
fn codes_wanted(checkpoint: &Checkpoint<'_>, scales: &Tensor) -> Option<String> {
    let (stem, codes) = OF_CODES
        .iter()
        .filter(|(ending, _)| ending.starts_with(".weight") || *ending == "_scale_inv" || is_e8m0(scales))
        .find_map(|(ending, codes)| Some((scales.name().strip_suffix(ending)?, codes)))?;
    let names = codes.iter().map(|codes| format!("{stem}{codes}"));
    let Some(found) = names.clone().find_map(|name| checkpoint.get(&name)) else {
        let names: Vec<String> = names.map(|name| format!("'{name}'")).collect();
        return Some(format!("{} is missing", names.join(" or ")));
    };
    let number =
        matches!(found.element(), ElementType::Bf16 | ElementType::F16 | ElementType::F32 | ElementType::F64);
    (!number).then(|| format!("'{}' of {} is not read as codes", found.name(), found.element()))
}

/// Finds the weight of a tensor of codes.
struct Finder<'a, 'c, 'u> {
    checkpoint: &'a Checkpoint<'c>,
    tensor: &'a Tensor,
    /// Ending of the scales of FP8 weights, if there are any.
    fp8: Option<&'static str>,
    /// True if a weight is in ModelOpt's NVFP4.
    nvfp4: bool,
    /// All names.
    beside: &'u Names<'a>,
    /// Names of tensors that belong to others.
    used: &'u mut HashSet<String>,
}

fn format(name: &str) -> Format {
    name.parse::<Spec>().expect("a name of the catalogue").format
}

/// Returns true for a tensor of scales that are powers of two.
fn is_e8m0(tensor: &Tensor) -> bool {
    matches!(tensor.element(), ElementType::U8 | ElementType::F8E8M0)
}

impl<'a> Finder<'a, '_, '_> {
    fn path(&self) -> PathBuf {
        self.checkpoint.path.clone()
    }

    /// The weight whose codes this tensor has.
    fn coded(&mut self) -> Result<Option<(String, Coded<'a>)>, Error> {
        let (name, element) = (self.tensor.name(), self.tensor.element());
        if *element == ElementType::U8 {
            if let Some(stem) = name.strip_suffix(".weight_packed") {
                return self.packed(stem).map(Some);
            }
            for (codes, scales, transposed) in [("_blocks", "_scales", true), (".blocks", ".scales", false)] {
                if let Some(stem) = name.strip_suffix(codes)
                    && (matches!(self.tensor.shape(), [_, _, _, 16])
                        || self.checkpoint.get(&format!("{stem}{scales}")).is_some())
                {
                    return self.experts(stem, scales, transposed).map(Some);
                }
            }
        }
        let Some(stem) = name.strip_suffix(".weight") else { return self.stacked() };
        match element {
            ElementType::U8 if self.is_quark_mxfp4(stem) => self.quark_mxfp4(stem).map(Some),
            ElementType::U8 if self.nvfp4 || self.has(stem, ".weight_scale") => {
                let scales = self.companion(stem, ".weight_scale", "ModelOpt's NVFP4")?;
                let tensor_scale = self.companion(stem, ".weight_scale_2", "ModelOpt's NVFP4")?;
                if *scales.element() != ElementType::F8E4M3 {
                    return Err(self.shape(scales, "of F8_E4M3 (ModelOpt's NVFP4)".to_owned()));
                }
                let scheme = Scheme {
                    elements: format("float4_e2m1fn"),
                    scales: format("float8_e4m3fn"),
                    block: (1, 16),
                    tensor_scale: TensorScaleRole::Factor,
                };
                self.rows(stem, scheme, scales, Some(tensor_scale)).map(Some)
            }
            ElementType::F8E4M3 | ElementType::F8E5M2 => {
                let own =
                    [".weight_scale_inv", ".weight_scale"].into_iter().find(|ending| self.has(stem, ending));
                // With another scale beside it, the tensor is an error, whose message names the scale.
                let other = || self.beside.scale_of(name).is_some();
                let ending = match own {
                    None if other() => return Ok(None),
                    own => own.or(self.fp8),
                };
                let Some(ending) = ending else { return Ok(None) };
                self.eight_bits(name.to_owned(), stem, ending).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// FP8 in a tensor whose name does not end with `.weight`: stacked experts of transformers, `gate_up_proj` with
    /// `gate_up_proj_scale_inv`.
    fn stacked(&mut self) -> Result<Option<(String, Coded<'a>)>, Error> {
        let (name, shape) = (self.tensor.name(), self.tensor.shape());
        let fp8 = matches!(self.tensor.element(), ElementType::F8E4M3 | ElementType::F8E5M2);
        let own = self.has(name, "_scale_inv");
        // If FP8 weights have such scales, another stack of matrices is codes too.
        let missing = self.fp8 == Some(".weight_scale_inv") && shape.len() > 2 && !is_scale(name);
        if !fp8 || !own && !missing {
            return Ok(None);
        }
        if !own && self.beside.scale_of(name).is_some() {
            return Ok(None);
        }
        self.eight_bits(name.to_owned(), name, "_scale_inv").map(Some)
    }

    /// Four-bit elements of compressed-tensors.
    fn packed(&mut self, stem: &str) -> Result<(String, Coded<'a>), Error> {
        let scales = self.companion(stem, ".weight_scale", "packed")?;
        let elements = format("float4_e2m1fn");
        if *scales.element() == ElementType::F8E4M3 {
            let tensor_scale = self.companion(stem, ".weight_global_scale", "NVFP4")?;
            let scheme = Scheme {
                elements,
                scales: format("float8_e4m3fn"),
                block: (1, 16),
                tensor_scale: TensorScaleRole::Divisor,
            };
            return self.rows(stem, scheme, scales, Some(tensor_scale));
        }
        let scheme = Scheme {
            elements,
            scales: format("float8_e8m0fnu"),
            block: (1, 32),
            tensor_scale: TensorScaleRole::None,
        };
        match is_e8m0(scales) {
            true => self.rows(stem, scheme, scales, None),
            false => Err(self.shape(scales, "of F8_E4M3 (NVFP4) or U8 (MXFP4)".to_owned())),
        }
    }

    /// Returns true if a `.weight` of bytes has scales as Quark writes them for MXFP4: E8M0, without a tensor scale.
    fn is_quark_mxfp4(&self, stem: &str) -> bool {
        let scales = self.checkpoint.get(&format!("{stem}.weight_scale"));
        scales.is_some_and(is_e8m0) && !self.has(stem, ".weight_scale_2")
    }

    /// Quark's MXFP4: codes and scales as in compressed-tensors, with the codes under the weight's name.
    fn quark_mxfp4(&mut self, stem: &str) -> Result<(String, Coded<'a>), Error> {
        let scales = self.companion(stem, ".weight_scale", "Quark's MXFP4")?;
        let (elements, scale) = (format("float4_e2m1fn"), format("float8_e8m0fnu"));
        let scheme = Scheme { elements, scales: scale, block: (1, 32), tensor_scale: TensorScaleRole::None };
        self.rows(stem, scheme, scales, None)
    }

    /// E4M3 and E5M2, with scales of any shape that determines their blocks.
    fn eight_bits(&mut self, name: String, stem: &str, ending: &str) -> Result<(String, Coded<'a>), Error> {
        let elements = format_of(self.tensor.element()).map_or(format("float8_e4m3fn"), |spec| spec.format);
        let scales = self.companion(stem, ending, "FP8")?;
        let shape = self.tensor.shape();
        let columns = shape.last().copied().unwrap_or(1);
        let rows: u64 = shape.iter().rev().skip(1).product();
        // Each of stacked matrices has its own grid of scales.
        let (stack, height) = stacked_matrices(shape);
        let format = match scales.element() {
            ElementType::U8 => format("float8_e8m0fnu"),
            element => match format_of(element) {
                Some(spec) => spec.format,
                None => return Err(self.shape(scales, "of a floating-point type".to_owned())),
            },
        };
        let (declared, found) = (self.declared_block(), scales.elements());
        let fits = |block: (u64, u64)| {
            shape.len() > 1
                && scales.shape() == [stack, &[height.div_ceil(block.0), columns.div_ceil(block.1)]].concat()
        };
        let block = if found == 1 {
            (WHOLE, WHOLE)
        } else if is_e8m0(scales) && fits((1, 32)) {
            (1, 32)
        } else if !stack.is_empty() && (scales.shape() == stack || fits((WHOLE, WHOLE))) {
            (WHOLE, WHOLE)
        } else if stack.is_empty() && found == rows && scales.shape()[0] == rows || fits((1, WHOLE)) {
            (1, WHOLE)
        } else {
            let declared = declared.filter(|&block| fits(block));
            declared.or_else(|| even_grid(stack, height, columns, scales.shape())).unwrap_or((128, 128))
        };
        let scheme = Scheme { elements, scales: format, block, tensor_scale: TensorScaleRole::None };
        self.rows_of(name, stem, scheme, scales, None)
    }

    /// The block that config.json declares.
    fn declared_block(&self) -> Option<(u64, u64)> {
        let quantization = self.checkpoint.quantization()?;
        let pair = |value: &serde_json::Value| {
            let list = value.as_array()?;
            match &list[..] {
                [rows, columns] => Some((rows.as_u64()?.max(1), columns.as_u64()?.max(1))),
                _ => None,
            }
        };
        let groups = || quantization.get("config_groups")?.as_object();
        let declared = groups()
            .into_iter()
            .flatten()
            .find_map(|(_, group)| pair(group.get("weights")?.get("block_structure")?));
        quantization.get("weight_block_size").and_then(pair).or(declared)
    }

    /// Experts of gpt-oss: `[experts, rows, blocks, 16]`, with scales of the same shape without the last axis.
    fn experts(&mut self, stem: &str, ending: &str, transposed: bool) -> Result<(String, Coded<'a>), Error> {
        let scales = self.companion(stem, ending, "gpt-oss")?;
        let &[matrices, rows, blocks, 16] = self.tensor.shape() else {
            return Err(self.shape(self.tensor, "[experts, rows, blocks, 16] of U8".to_owned()));
        };
        if !is_e8m0(scales) || scales.shape() != [matrices, rows, blocks] {
            return Err(self.shape(scales, format!("[{matrices}, {rows}, {blocks}] of U8")));
        }
        let scheme = Scheme {
            elements: format("float4_e2m1fn"),
            scales: format("float8_e8m0fnu"),
            block: (1, 32),
            tensor_scale: TensorScaleRole::None,
        };
        let columns = blocks * 32;
        let shape = if transposed { vec![matrices, columns, rows] } else { vec![matrices, rows, columns] };
        let (codes, height) = (self.tensor, rows);
        let coded =
            Coded { scheme, codes, scales, tensor_scale: None, shape, rows, columns, height, transposed };
        self.checked(stem.to_owned(), coded)
    }

    /// A weight in rows, with its scales in a grid.
    fn rows(
        &mut self,
        stem: &str,
        scheme: Scheme,
        scales: &'a Tensor,
        tensor_scale: Option<&'a Tensor>,
    ) -> Result<(String, Coded<'a>), Error> {
        self.rows_of(format!("{stem}.weight"), stem, scheme, scales, tensor_scale)
    }

    /// As `rows`, for a weight of any name.
    fn rows_of(
        &mut self,
        name: String,
        stem: &str,
        scheme: Scheme,
        scales: &'a Tensor,
        tensor_scale: Option<&'a Tensor>,
    ) -> Result<(String, Coded<'a>), Error> {
        const DROPPED: [&str; 5] = [
            ".input_scale",
            ".input_global_scale",
            ".weight_shape",
            ".activation_scale",
            "_activation_scale",
        ];
        for dropped in DROPPED {
            self.used.insert(format!("{stem}{dropped}"));
        }
        let zero_point = format!("{stem}.weight_zero_point");
        if self.checkpoint.get(&zero_point).is_some() {
            return Err(CheckpointError::ZeroPoint { path: self.path(), tensor: zero_point }.into());
        }
        let mut shape = self.tensor.shape().to_vec();
        let packed = scheme.elements.width() < 8;
        match shape.last_mut() {
            Some(last) if packed => *last = last.saturating_mul(2),
            Some(_) => {}
            None => return Err(self.shape(self.tensor, "a matrix".to_owned())),
        }
        let columns = shape.last().copied().unwrap_or(1);
        let rows: u64 = shape.iter().rev().skip(1).product();
        let found = scales.shape();
        let lead = &shape[..shape.len() - 1];
        let (stack, height) = stacked_matrices(&shape);
        // A single scale for all matrices of a stack applies to all rows.
        let one = scales.elements() == 1;
        let height = if one { rows } else { height };
        let grid = scheme.grid(height, columns);
        let fits = if scheme.block.0 == 1 {
            // A scale for each row and block. The axis of blocks may be missing if there is one block.
            found == [lead, &[grid.1]].concat() || grid.1 == 1 && found == lead
        } else {
            found == [stack, &[grid.0, grid.1]].concat() || grid == (1, 1) && (one || found == stack)
        };
        if !fits {
            let wanted = [stack, &[grid.0, grid.1]].concat();
            return Err(self.shape(scales, format!("{wanted:?} for '{name}' of {shape:?}")));
        }
        if let Some(tensor_scale) = tensor_scale.filter(|tensor_scale| {
            tensor_scale.elements() != 1 || format_of(tensor_scale.element()).is_none()
        }) {
            return Err(self.shape(tensor_scale, "one number of F32".to_owned()));
        }
        let codes = self.tensor;
        let coded =
            Coded { scheme, codes, scales, tensor_scale, shape, rows, columns, height, transposed: false };
        self.checked(name, coded)
    }

    fn checked(&self, name: String, coded: Coded<'a>) -> Result<(String, Coded<'a>), Error> {
        let columns = coded.shape.last().copied().unwrap_or(1).max(coded.columns);
        if columns > LONGEST_ROW {
            let (path, most) = (self.path(), LONGEST_ROW);
            return Err(CheckpointError::RowTooLong { path, tensor: name, columns, most }.into());
        }
        Ok((name, coded))
    }

    fn has(&self, stem: &str, ending: &str) -> bool {
        self.checkpoint.get(&format!("{stem}{ending}")).is_some()
    }

    /// A tensor that belongs to the codes.
    fn companion(&mut self, stem: &str, ending: &str, reason: &'static str) -> Result<&'a Tensor, Error> {
        let name = format!("{stem}{ending}");
        let found = self.checkpoint.get(&name).ok_or_else(|| CheckpointError::Missing {
            path: self.path(),
            tensor: self.tensor.name().to_owned(),
            missing: name.clone(),
            reason,
        })?;
        self.used.insert(name);
        Ok(found)
    }

    fn shape(&self, tensor: &Tensor, wanted: String) -> Error {
        CheckpointError::Shape {
            path: self.path(),
            tensor: tensor.name().to_owned(),
            wanted,
            found: format!("{:?} of {}", tensor.shape(), tensor.element()),
        }
        .into()
    }
}

/// The leading axes of a stack of matrices, and the rows of a matrix.
fn stacked_matrices(shape: &[u64]) -> (&[u64], u64) {
    match shape {
        [stack @ .., height, _] => (stack, *height),
        _ => (&[], 1),
    }
}

/// The blocks of a stack whose scales divide each matrix evenly, as transformers computes them.
fn even_grid(stack: &[u64], height: u64, columns: u64, scales: &[u64]) -> Option<(u64, u64)> {
    let [lead @ .., down, across] = scales else { return None };
    let even = |length: u64, count: u64| count > 0 && length > 0 && length.is_multiple_of(count);
    let fits = !stack.is_empty() && lead == stack && even(height, *down) && even(columns, *across);
    let standard = height.div_ceil(128) == *down && columns.div_ceil(128) == *across;
    (fits && !standard).then(|| (height / down, columns / across))
}

/// The values of each code; for packed codes, the two values of each byte.
type Table = Box<[[f64; 2]; 256]>;

/// A quantised weight, prepared for reading.
pub(crate) struct Decoded<'a> {
    pub(crate) coded: Coded<'a>,
    path: PathBuf,
    /// Value of each code.
    values: Table,
    /// The largest value, for each code.
    ceiling: Table,
    scales: Values<'a>,
    /// Value of each code of scales of eight bits.
    powers: Box<[f64; 256]>,
    /// The tensor scale, a multiplier of scales or a divisor of values.
    pub(crate) tensor_scale: f64,
    /// Decoder for blocks of rows.
    kernel: Option<BlockDecoder>,
    elements: Decoder,
    isa: Isa,
}

/// Scratch buffers for reading.
#[derive(Default)]
pub(crate) struct ReadBuffers {
    bytes: Vec<u8>,
    codes: Vec<u8>,
    scales: Vec<f64>,
    /// For transposed weights: the tile whose codes and scales are in `codes` and `bytes`, and the tensor of these codes.
    loaded: Option<(usize, Tile)>,
    /// All scales of a range, of which some are needed.
    all: Vec<u8>,
    rows: Vec<f64>,
}

/// Ranges to recompute, with the exact numbers of all ranges.
#[derive(Default)]
pub(crate) struct Recompute {
    ranges: Vec<Range<usize>>,
    numbers: Vec<f64>,
}

impl Recompute {
    fn clear(&mut self) {
        self.ranges.clear();
        self.numbers.clear();
    }

    /// The ranges, each with its numbers.
    pub(crate) fn each(&self) -> impl Iterator<Item = (Range<usize>, &[f64])> {
        let mut rest = &self.numbers[..];
        self.ranges.iter().map(move |range| {
            let (numbers, after) = rest.split_at(range.len());
            rest = after;
            (range.clone(), numbers)
        })
    }
}

/// A tensor scale. It must be positive and finite; quantisers write no other.
fn scale_of_all(scale: f64, path: &Path, tensor: &Tensor) -> Result<f64, Error> {
    match scale > 0.0 && scale.is_finite() {
        true => Ok(scale),
        false => {
            let (path, tensor) = (path.to_owned(), tensor.name().to_owned());
            Err(CheckpointError::Scale { path, tensor, index: 0, value: scale }.into())
        }
    }
}

/// The static scale of this name; `None` without a floating-point tensor of one element.
///
/// # Errors
/// The scale cannot be read, or is no positive number.
pub(crate) fn static_scale(checkpoint: &Checkpoint<'_>, name: &str) -> Result<Option<f64>, Error> {
    let Some(tensor) = checkpoint.get(name).filter(|tensor| tensor.elements() == 1) else { return Ok(None) };
    let Some(spec) = format_of(tensor.element()) else { return Ok(None) };
    let (bits, mut one) = (tensor.element().bits().unwrap_or(32), vec![]);
    let path = &checkpoint.path;
    Values::of_codes(path, tensor, spec, vec![], bits).read(0, 1, &mut vec![], &mut one)?;
    scale_of_all(one.first().copied().unwrap_or(f64::NAN), path, tensor).map(Some)
}

/// The static scales of the inputs of a layer, by their endings, and the largest magnitude that each stands for.
const INPUT_SCALES: [&str; 2] = [".input_scale", ".input_global_scale"];

/// The largest magnitude of the inputs of a layer that its static scale keeps; `None` without such a scale.
///
/// # Errors
/// The scale cannot be read, or is no positive number.
pub(crate) fn input_magnitude(
    checkpoint: &Checkpoint<'_>,
    name: &str,
    scheme: &Scheme,
) -> Result<Option<f64>, Error> {
    let stem = module_of(name);
    for ending in INPUT_SCALES {
        let Some(scale) = static_scale(checkpoint, &format!("{stem}{ending}"))? else { continue };
        let most = match scheme.tensor_scale {
            TensorScaleRole::None => largest(scheme.elements),
            _ => max_without_tensor_scale(scheme),
        };
        return Ok(Some(if ending == ".input_scale" { scale * most } else { most / scale }));
    }
    Ok(None)
}

impl<'a> Decoded<'a> {
    pub(crate) fn open(shard: &Shard<'_>, coded: Coded<'a>) -> Result<Decoded<'a>, Error> {
        let path = shard.side.noted.path.clone();
        let scheme = coded.scheme;
        let value = |code: u64| to_f64(decode(scheme.elements, code));
        let values = std::array::from_fn(|byte| match scheme.elements.width() {
            4 => [value(byte as u64 & 15), value(byte as u64 >> 4)],
            _ => [value(byte as u64), 0.0],
        });
        let largest = value(scheme.elements.max_finite_code());
        let spec: Spec = match coded.scales.element() {
            ElementType::U8 => "float8_e8m0fnu".parse()?,
            element => format_of(element).map_or_else(|| "f32".parse(), Ok)?,
        };
        let bits = coded.scales.element().bits().unwrap_or(8);
        let shape = coded.scales.shape().to_vec();
        let scales = Values::of_codes(&path, coded.scales, spec, shape, bits);
        let tensor_scale = match coded.tensor_scale {
            None => 1.0,
            Some(tensor) => {
                let spec = format_of(tensor.element()).map_or_else(|| "f32".parse(), Ok)?;
                let bits = tensor.element().bits().unwrap_or(32);
                let mut one = vec![];
                Values::of_codes(&path, tensor, spec, vec![], bits).read(0, 1, &mut vec![], &mut one)?;
                let tensor_scale = one.first().copied().unwrap_or(f64::NAN);
                scale_of_all(tensor_scale, &path, tensor)?
            }
        };
        if scheme.block == (WHOLE, WHOLE) {
            let mut one = vec![];
            scales.read(0, 1, &mut vec![], &mut one)?;
            scale_of_all(one.first().copied().unwrap_or(f64::NAN), &path, coded.scales)?;
        }
        let (values, ceiling) = (Box::new(values), Box::new([[largest; 2]; 256]));
        // Kernels take a binary32 tensor scale.
        let short =
            (!coded.transposed && tensor_scale as f32 as f64 == tensor_scale).then_some(tensor_scale as f32);
        let kernel = short.zip(scheme.rows()).and_then(|(tensor_scale, format)| {
            let decoder = BlockDecoder::new(format).ok()?.in_edition(Edition::Interim);
            decoder.with_tensor_scale(scheme.tensor_scale.of(tensor_scale)).ok()
        });
        let powers = match scheme.scales.width() {
            8 => std::array::from_fn(|code| to_f64(decode(scheme.scales, code as u64))),
            _ => [f64::NAN; 256],
        };
        let (elements, isa) = (Decoder::new(scheme.elements)?, Isa::detect());
        let powers = Box::new(powers);
        Ok(Decoded { coded, path, values, ceiling, scales, powers, tensor_scale, kernel, elements, isa })
    }

    /// Passes the scales, codes and number of columns of rows to a kernel. Returns false if no kernel supports the weight, or
    /// if scales are not finite.
    pub(crate) fn in_kernel(
        &self,
        (first, count): (u64, u64),
        buffers: &mut ReadBuffers,
        decode_rows: impl FnOnce(&BlockDecoder, &[u8], &[u8], usize) -> Result<(), KernelError>,
    ) -> Result<bool, Error> {
        let Some(kernel) = &self.kernel else { return Ok(false) };
        let Coded { scheme, codes, columns, scales, .. } = &self.coded;
        let (_, across) = scheme.grid(1, *columns);
        buffers.loaded = None;
        buffers.bytes.resize((count * across) as usize, 0);
        scales.read_bytes(first * across, &mut buffers.bytes)?;
        if !buffers.bytes.iter().all(|&code| self.powers[code as usize].is_finite()) {
            return Ok(false);
        }
        buffers.codes.resize(scheme.bytes(count * columns) as usize, 0);
        codes.read_bytes(scheme.bytes(first * columns), &mut buffers.codes)?;
        decode_rows(kernel, &buffers.bytes, &buffers.codes, *columns as usize)?;
        Ok(true)
    }

    /// Products of eight-bit codes with their scales in binary32, and the ranges to recompute for a narrower result. Returns
    /// false if the weight is not of this form.
    pub(crate) fn in_single(
        &self,
        (first, count): (u64, u64),
        narrow: Option<Format>,
        buffers: &mut ReadBuffers,
        products: &mut Vec<f32>,
        again: &mut Recompute,
    ) -> Result<bool, Error> {
        let Coded { scheme, columns, transposed, .. } = &self.coded;
        if *transposed
            || scheme.elements.width() != 8
            || scheme.tensor_scale != TensorScaleRole::None
            || *columns == 0
        {
            return Ok(false);
        }
        self.load(first, count, buffers)?;
        products.resize(buffers.codes.len(), 0.0);
        self.elements.decode_f32(&buffers.codes[..], &mut products[..])?;
        again.clear();
        for (run, scale) in self.runs(first, count, &buffers.scales) {
            let single = scale as f32;
            for from in run.clone().step_by(PART) {
                let range = from..(from + PART).min(run.end);
                // A product of binary32 numbers is correctly rounded to binary32.
                let near = multiply(self.isa, &mut products[range.clone()], single, &narrow.unwrap_or(BF16));
                if near && narrow.is_some() || single as f64 != scale {
                    let codes = buffers.codes[range.clone()].iter();
                    again.numbers.extend(codes.map(|&code| self.values[code as usize][0] * scale));
                    again.ranges.push(range);
                }
            }
        }
        Ok(true)
    }

    /// Number of elements in a row of the weight.
    pub(crate) fn row(&self) -> u64 {
        self.coded.shape.last().copied().unwrap_or(1)
    }

    /// Replaces `out` by rows of the weight.
    pub(crate) fn read_rows(
        &self,
        first: u64,
        count: u64,
        buffers: &mut ReadBuffers,
        out: &mut Vec<f64>,
    ) -> Result<(), Error> {
        self.rows(&self.values, first, count, buffers, out)
    }

    /// Replaces `out` by rows of codes, those of all matrices in sequence.
    pub(crate) fn read_code_rows(
        &self,
        first: u64,
        count: u64,
        buffers: &mut ReadBuffers,
        out: &mut Vec<f64>,
    ) -> Result<(), Error> {
        self.straight(&self.values, first, count, buffers, out)
    }

    /// Replaces `out` by `count` elements from `first` on.
    pub(crate) fn read(
        &self,
        first: u64,
        count: u64,
        buffers: &mut ReadBuffers,
        out: &mut Vec<f64>,
    ) -> Result<(), Error> {
        self.elements(&self.values, first, count, buffers, out)
    }

    /// As `read`, for the largest values that the scales of these elements allow.
    pub(crate) fn read_largest(
        &self,
        first: u64,
        count: u64,
        buffers: &mut ReadBuffers,
        out: &mut Vec<f64>,
    ) -> Result<(), Error> {
        self.elements(&self.ceiling, first, count, buffers, out)?;
        out.iter_mut().for_each(|largest| *largest = largest.abs());
        Ok(())
    }

    fn elements(
        &self,
        table: &Table,
        first: u64,
        count: u64,
        buffers: &mut ReadBuffers,
        out: &mut Vec<f64>,
    ) -> Result<(), Error> {
        out.clear();
        if count == 0 {
            return Ok(());
        }
        let row = self.row();
        let (from, to) = (first / row, (first + count).div_ceil(row));
        let mut rows = std::mem::take(&mut buffers.rows);
        let read = self.rows(table, from, to - from, buffers, &mut rows);
        let start = (first - from * row) as usize;
        out.extend_from_slice(rows.get(start..start + count as usize).unwrap_or(&[]));
        buffers.rows = rows;
        read
    }

    fn rows(
        &self,
        table: &Table,
        first: u64,
        count: u64,
        buffers: &mut ReadBuffers,
        out: &mut Vec<f64>,
    ) -> Result<(), Error> {
        match self.coded.transposed {
            false => self.straight(table, first, count, buffers, out),
            true => self.transposed(table, first, count, buffers, out),
        }
    }

    /// Reads the bytes of rows of codes, and the scales of the blocks that overlap them.
    fn load(&self, first: u64, count: u64, buffers: &mut ReadBuffers) -> Result<(), Error> {
        let Coded { scheme, codes, columns, .. } = &self.coded;
        buffers.loaded = None;
        buffers.codes.resize(scheme.bytes(count * columns) as usize, 0);
        codes.read_bytes(scheme.bytes(first * columns), &mut buffers.codes)?;
        let (_, across) = scheme.grid(1, *columns);
        let (from, to) = (self.coded.grid_row(first), self.coded.grid_row(first + count - 1) + 1);
        self.scales.read(from * across, (to - from) * across, &mut buffers.bytes, &mut buffers.scales)?;
        if let Some(at) = buffers.scales.iter().position(|scale| !scale.is_finite()) {
            return Err(self.no_scale(from * across + at as u64, buffers.scales[at]));
        }
        // For FP8, some quantisers write the scale zero for blocks of zeros. It must not turn other codes into zeros.
        if scheme.elements.width() == 8 && buffers.scales.contains(&0.0) {
            let lost = |(run, scale): &(Range<usize>, f64)| {
                *scale == 0.0 && buffers.codes[run.clone()].iter().any(|code| code & 0x7f != 0)
            };
            if let Some((run, scale)) = self.runs(first, count, &buffers.scales).find(lost) {
                let (row, column) = (first + run.start as u64 / columns, run.start as u64 % columns);
                return Err(self.no_scale(self.coded.grid_row(row) * across + column / scheme.block.1, scale));
            }
        }
        Ok(())
    }

    /// The error for an invalid scale.
    fn no_scale(&self, index: u64, value: f64) -> Error {
        let (path, tensor) = (self.path.clone(), self.scales.tensor.name().to_owned());
        CheckpointError::Scale { path, tensor, index, value }.into()
    }

    fn straight(
        &self,
        table: &Table,
        first: u64,
        count: u64,
        buffers: &mut ReadBuffers,
        out: &mut Vec<f64>,
    ) -> Result<(), Error> {
        out.clear();
        if count == 0 || self.coded.columns == 0 {
            return Ok(());
        }
        self.load(first, count, buffers)?;
        let Coded { scheme, columns, .. } = &self.coded;
        out.resize((count * columns) as usize, 0.0);
        for (run, scale) in self.runs(first, count, &buffers.scales) {
            let [start, end] = [run.start, run.end].map(|at| scheme.bytes(at as u64) as usize);
            self.block(table, &buffers.codes[start..end], scale, &mut out[run]);
        }
        Ok(())
    }

    /// Runs of codes that share a scale, within the scales of the blocks that overlap these rows.
    fn runs<'s>(
        &self,
        first: u64,
        count: u64,
        scales: &'s [f64],
    ) -> impl Iterator<Item = (Range<usize>, f64)> + use<'s> {
        let Coded { scheme, columns, .. } = self.coded;
        let (_, across) = scheme.grid(1, columns);
        let (columns, block) = (columns as usize, scheme.block.1.min(columns) as usize);
        let (height, down) = (self.coded.height, scheme.block.0);
        let in_grid = move |row| grid_row(row, height, down);
        (0..count).flat_map(move |row| {
            let grid_row = (in_grid(first + row) - in_grid(first)) * across;
            let start = row as usize * columns;
            let starts = (start..start + columns).step_by(block.max(1));
            starts.zip(&scales[grid_row as usize..]).map(move |(at, &scale)| {
                let end = (at + block).min(start + columns);
                (at..end, scale)
            })
        })
    }

    /// The values of codes that share a scale.
    fn block(&self, table: &Table, codes: &[u8], scale: f64, out: &mut [f64]) {
        if self.coded.scheme.elements.width() < 8 {
            for (pair, &byte) in out.as_chunks_mut().0.iter_mut().zip(codes) {
                *pair = table[byte as usize];
            }
        } else {
            for (value, &code) in out.iter_mut().zip(codes) {
                *value = table[code as usize][0];
            }
        }
        match self.coded.scheme.tensor_scale {
            TensorScaleRole::Divisor => {
                out.iter_mut().for_each(|value| *value = *value * scale / self.tensor_scale)
            }
            _ => {
                let scale = scale * self.tensor_scale;
                out.iter_mut().for_each(|value| *value *= scale);
            }
        }
    }

    /// Rows of a weight whose matrices are stored transposed, from a tile of codes that is cached in the scratch buffers.
    fn transposed(
        &self,
        table: &Table,
        first: u64,
        count: u64,
        buffers: &mut ReadBuffers,
        out: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let Coded { scheme, codes, rows, columns, .. } = self.coded;
        out.clear();
        if rows == 0 {
            return Ok(());
        }
        let this = std::ptr::from_ref(codes) as usize;
        out.resize((count * rows) as usize, 0.0);
        for at in 0..count {
            let (matrix, column) = ((first + at) / columns, (first + at) % columns);
            let across = Tiles::across(rows);
            let start = column / across * across;
            let tile = Tile { matrix, row: 0, rows, column: start, columns: across.min(columns - start) };
            if buffers.loaded != Some((this, tile)) {
                self.load_tile(tile, buffers)?;
                buffers.loaded = Some((this, tile));
            }
            let to = &mut out[(at * rows) as usize..][..rows as usize];
            let column = column - start;
            let (width, blocks) =
                (scheme.bytes(tile.columns) as usize, (tile.columns / scheme.block.1) as usize);
            let (byte, half) = ((column / 2) as usize, (column % 2) as usize);
            let (codes, scales) =
                (&buffers.codes[byte..], &buffers.bytes[(column / scheme.block.1) as usize..]);
            let each = codes.iter().step_by(width.max(1)).zip(scales.iter().step_by(blocks.max(1)));
            for (value, (&code, &scale)) in to.iter_mut().zip(each) {
                *value = table[code as usize][half] * self.powers[scale as usize];
            }
        }
        Ok(())
    }

    /// Reads the codes of a tile, and their E8M0 scales of blocks of 32, as stored.
    pub(crate) fn load_tile(&self, tile: Tile, buffers: &mut ReadBuffers) -> Result<(), Error> {
        /// Bytes of scales that are read at once although not all are needed.
        const TOGETHER: u64 = 1 << 20;
        let Coded { scheme, codes, scales, rows, columns, .. } = self.coded;
        buffers.loaded = None;
        let first = tile.matrix * rows + tile.row;
        let read = |tensor: &Tensor, (row, from, run): (u64, u64, u64), bytes: &mut Vec<u8>| {
            bytes.resize((tile.rows * run) as usize, 0);
            // Whole rows are contiguous.
            let together = if run == row { tile.rows * run } else { run };
            for (number, bytes) in bytes.chunks_mut(together.max(1) as usize).enumerate() {
                tensor.read_bytes((first + number as u64) * row + from, bytes)?;
            }
            Ok::<(), Error>(())
        };
        let part = |of: fn(&Scheme, u64) -> u64| {
            (of(&scheme, columns), of(&scheme, tile.column), of(&scheme, tile.columns))
        };
        read(codes, part(|scheme, columns| scheme.bytes(columns)), &mut buffers.codes)?;
        let (row, from, run) = part(|scheme, columns| columns / scheme.block.1);
        if run < row && tile.rows * row <= TOGETHER {
            read(scales, (row, 0, row), &mut buffers.all)?;
            buffers.bytes.clear();
            let runs = buffers.all.chunks(row as usize).map(|row| &row[from as usize..][..run as usize]);
            runs.for_each(|run| buffers.bytes.extend_from_slice(run));
        } else {
            read(scales, (row, from, run), &mut buffers.bytes)?;
        }
        match buffers.bytes.iter().position(|&code| !self.powers[code as usize].is_finite()) {
            None => Ok(()),
            Some(at) => {
                let (down, across) = (at as u64 / run, at as u64 % run);
                let value = self.powers[buffers.bytes[at] as usize];
                Err(self.no_scale((first + down) * row + from + across, value))
            }
        }
    }
}

impl ReadBuffers {
    /// The scales and codes of the tile that was loaded last.
    pub(crate) fn tile(&self) -> (&[u8], &[u8]) {
        (&self.bytes, &self.codes)
    }
}
