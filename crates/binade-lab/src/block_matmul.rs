//! Matrix products in blocks, from numbers: encoded first, in elements and scales, and then multiplied.

use std::fmt;
use std::str::FromStr;

use binade::block::{BlockFormat, BlockFormatError, Element};
use binade::catalog::F32;
use binade::{Datum, Flags, NanCodes, Operator, Rounded, Rounding, Saturation};
use binade_fma::{BlockMatrix, BlockMultiplier, Matrix, MultiplierError, Order, ShapeError};
use binade_kernels::{BlockEncoder, Decoder, Encoder, KernelError, TensorScale, pack};

use crate::checkpoint::encode::largest;

/// The block formats of the two operands of a product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InBlocks {
    name: String,
    /// A's, in blocks along its rows.
    pub a: BlockFormat,
    /// B's, in blocks along its columns.
    pub b: BlockFormat,
}

impl FromStr for InBlocks {
    type Err = BlockFormatError;

    /// `FORMAT` for both or `FORMAT_A,FORMAT_B`. A format whose blocks have several rows is that of weights: A, the activations,
    /// has blocks of one row under it.
    fn from_str(text: &str) -> Result<InBlocks, BlockFormatError> {
        let (a, b) = text.split_once(',').unwrap_or((text, text));
        let (a, b): (BlockFormat, BlockFormat) = (a.trim().parse()?, b.trim().parse()?);
        Ok(InBlocks { name: text.to_ascii_lowercase(), a: BlockFormat { shape: (1, a.shape.1), ..a }, b })
    }
}

impl fmt::Display for InBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Products of matrices that are encoded in blocks first, under an operator in an order of accumulation.
#[derive(Clone, Debug)]
pub struct BlockProduct {
    formats: InBlocks,
    multiplier: BlockMultiplier,
}

/// A NaN where elements of blocks have no code for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("element {index} is NaN, and {format} has no code for it")]
pub struct LostNan {
    /// The element.
    pub index: usize,
    /// What elements are.
    pub format: Element,
}

impl BlockProduct {
    /// # Errors
    /// Those of [`BlockMultiplier::new`].
    pub fn new(formats: InBlocks, operator: Operator, order: Order) -> Result<BlockProduct, MultiplierError> {
        Ok(BlockProduct { formats, multiplier: BlockMultiplier::new(operator, order)? })
    }

    /// The same on this many threads.
    pub fn with_threads(self, threads: usize) -> BlockProduct {
        BlockProduct { multiplier: self.multiplier.with_threads(threads), ..self }
    }

    /// Whether left matrices can be encoded.
    ///
    /// # Errors
    /// The first NaN that cannot.
    pub fn check_left(&self, values: &[f32]) -> Result<(), LostNan> {
        check(&self.formats.a, values)
    }

    /// Whether right matrices can be encoded.
    ///
    /// # Errors
    /// The first NaN that cannot.
    pub fn check_right(&self, values: &[f32]) -> Result<(), LostNan> {
        check(&self.formats.b, values)
    }

    /// A left matrix, of `depth` columns.
    pub fn left(&self, values: &[f32], depth: usize) -> Result<Blocked, KernelError> {
        Blocked::encode(self.formats.a, values, depth)
    }

    /// A right matrix, of `depth` rows: by its columns, along which its blocks lie.
    pub fn right(&self, values: &[f32], depth: usize, columns: usize) -> Result<Blocked, KernelError> {
        let by_columns: Vec<f32> =
            (0..columns).flat_map(|column| values[column..].iter().step_by(columns).copied()).collect();
        Blocked::encode(self.formats.b, &by_columns, depth)
    }

    /// Rows of a product from `first` on, a multiple of the rows of A's blocks: `c` has as many as are wanted, `columns` long.
    pub fn rows(
        &self,
        a: &Blocked,
        b: &Blocked,
        (first, columns): (usize, usize),
        c: &mut [f32],
    ) -> Result<(), ShapeError> {
        let a = a.rows(first, c.len() / columns.max(1))?;
        self.multiplier.product(a, b.rows(0, columns)?.transposed(), c)
    }
}

fn check(format: &BlockFormat, values: &[f32]) -> Result<(), LostNan> {
    let has_nan = format.element.grid().nan() != NanCodes::None;
    match values.iter().position(|x| x.is_nan()).filter(|_| !has_nan) {
        Some(index) => Err(LostNan { index, format: format.element }),
        None => Ok(()),
    }
}

/// A matrix of one row of blocks after the other: values of elements and of scales.
pub struct Blocked {
    format: BlockFormat,
    columns: usize,
    elements: Vec<f32>,
    scales: Vec<f32>,
    over: f32,
}

/// What codes of at most eight bits stand for.
fn values_of(element: Element, codes: &[u8]) -> Result<Vec<f32>, KernelError> {
    let Element::Float(format) = element else {
        return Ok(codes.iter().map(|&code| f32::from(code as i8) / 64.0).collect());
    };
    let mut values = vec![0.0; codes.len()];
    Decoder::new(format)?.decode_f32(codes, &mut values)?;
    Ok(values)
}

impl Blocked {
    /// Numbers in blocks by the rule of the format. Where scales have less range than binary32, all values are in units of the tensor's
    /// scale, their largest finite magnitude / (largest element · largest scale), as NVFP4 has it.
    fn encode(format: BlockFormat, values: &[f32], columns: usize) -> Result<Blocked, KernelError> {
        let scale = format.scale;
        if scale == F32 {
            return Blocked::encode_wide(format, values, columns);
        }
        let mut over = 1.0;
        if scale.precision() > 1 && scale.exponent_bits() < 8 {
            let most = values.iter().filter(|x| x.is_finite()).fold(0f32, |most, x| most.max(x.abs()));
            let quotient = (most as f64 / (largest(format.element.grid()) * largest(scale))) as f32;
            over = if quotient > 0.0 { quotient } else { 1.0 };
        }
        let tensor = if over == 1.0 { TensorScale::None } else { TensorScale::Factor(over) };
        let encoder = BlockEncoder::new(format)?.with_tensor_scale(tensor)?;
        let (width, rows) = (format.element.width(), values.len() / columns.max(1));
        let mut scales = vec![0; rows * columns.div_ceil(format.shape.1)];
        let mut packed = vec![0; pack::bytes(values.len(), width)];
        encoder.encode_f32(values, columns, &mut scales, &mut packed)?;
        let mut codes = vec![0; values.len()];
        pack::unpack(width, &packed, &mut codes)?;
        let (elements, scales) = (values_of(format.element, &codes)?, values_of(scale.into(), &scales)?);
        Ok(Blocked { format, columns, elements, scales, over })
    }

    /// Under scales of binary32, by blocks of any shape. The quotient of two binary32 numbers in binary64 is on the same side of
    /// each point where rounding to eight bits changes its mind as the exact one: point times scale has at most 29 bits.
    fn encode_wide(format: BlockFormat, values: &[f32], columns: usize) -> Result<Blocked, KernelError> {
        let (down, across) = format.shape;
        let (rows, wide) = (values.len() / columns.max(1), columns.div_ceil(across));
        let mut largest = vec![0f32; rows.div_ceil(down) * wide];
        let place = |at: usize| at / columns / down * wide + at % columns / across;
        for (at, x) in values.iter().enumerate().filter(|(_, x)| x.is_finite()) {
            let largest = &mut largest[place(at)];
            *largest = largest.max(x.abs());
        }
        let scale = |largest: &f32| {
            let largest =
                Datum::new(F32, largest.to_bits() as u64).expect("binary32 has all codes of 32 bits");
            f32::from_bits(format.rule.scale(largest, format.element.grid(), F32) as u32)
        };
        let scales: Vec<f32> = largest.iter().map(scale).collect();
        let quotients: Vec<f64> =
            values.iter().enumerate().map(|(at, &x)| x as f64 / scales[place(at)] as f64).collect();
        let encoder = Encoder::new(format.element.grid(), Rounding::NearestEven, Saturation::Max)?;
        let mut codes = vec![0u8; values.len()];
        encoder.encode_f64(&quotients, &mut codes[..])?;
        for code in &mut codes {
            *code = format.element.coded(Rounded { code: (*code).into(), flags: Flags::NONE }).code as u8;
        }
        let elements = values_of(format.element, &codes)?;
        Ok(Blocked { format, columns, elements, scales, over: 1.0 })
    }

    /// Rows of it; `first` is a multiple of the rows of a block.
    fn rows(&self, first: usize, count: usize) -> Result<BlockMatrix<'_>, ShapeError> {
        let (down, across) = self.format.shape;
        let wide = self.columns.div_ceil(across);
        let elements = Matrix::new(&self.elements[first * self.columns..], count, self.columns)?;
        let scales = Matrix::new(&self.scales[first / down * wide..], count.div_ceil(down), wide)?;
        BlockMatrix::new(elements, scales, self.format.shape, self.over)
    }
}
