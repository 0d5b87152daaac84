//! Matrix products that encode both operands in a block format first, and then multiply them.
//!
//! An operator whose inputs are a block format, such as `mxfp4:f32`, denotes such a product ([`in_blocks`]).

use std::fmt;
use std::str::FromStr;

use binade::block::{BlockFormat, BlockFormatError, Element, NotFinite};
use binade::catalog::F32;
use binade::unit::UnitOperator;
use binade::{Datum, Edition, Flags, Format, Operator, OperatorError, Rounded, Rounding, Saturation};
use binade_kernels::{BlockEncoder, Decoder, Encoder, KernelError, TensorScale, pack};
use thiserror::Error;

use crate::block_product::{BlockMatrix, BlockMultiplier};
use crate::exact::narrow;
use crate::matrix::{Matrix, ShapeError};
use crate::multiply::{MultiplierError, SlowNotice};
use crate::order::Order;
use crate::units::ScaledProduct;

/// The block formats of a product's two operands.
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

    /// `FORMAT` for both or `FORMAT_A,FORMAT_B`. A format whose blocks have several rows is made for weights. A, the
    /// activations, then has blocks of one row.
    fn from_str(text: &str) -> Result<InBlocks, BlockFormatError> {
        let (a, b) = text.split_once(',').unwrap_or((text, text));
        let (a, b): (BlockFormat, BlockFormat) = (a.trim().parse()?, b.trim().parse()?);
        let name = text.trim().to_ascii_lowercase();
        Ok(InBlocks { name, a: BlockFormat { shape: (1, a.shape.1), ..a }, b })
    }
}

impl fmt::Display for InBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// An error in the text of an operator whose inputs are block formats.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InBlocksError {
    /// The inputs.
    #[error("'{operator}': its inputs: {source}")]
    Inputs {
        /// The operator.
        operator: String,
        /// The error of the block formats.
        source: BlockFormatError,
    },
    /// The accumulator.
    #[error("'{operator}': the products of blocks are added by {added}: {source}")]
    Accumulator {
        /// The operator.
        operator: String,
        /// The operator on elements.
        added: String,
        /// The error of that operator.
        source: Box<OperatorError>,
    },
}

/// The block formats of an operator `BLOCKS:ACCUMULATOR`, and the operator on their elements. Returns `None` if the
/// inputs are not a block format.
///
/// `mxfp4:f32` encodes both operands of a product in blocks along the summed dimension, as [`BlockProduct`] does. It
/// adds the products of elements under `f32:f32`, because elements of all block formats are binary32 numbers.
///
/// ```
/// use binade_fma::in_blocks;
///
/// let (blocks, operator) = in_blocks("nvfp4:bf16")?.expect("NVFP4 is a block format");
/// assert_eq!((blocks.to_string(), operator.to_string()), ("nvfp4".to_owned(), "f32:bf16".to_owned()));
/// assert_eq!(in_blocks("float4_e2m1fn:bf16")?, None);
/// # Ok::<(), binade_fma::InBlocksError>(())
/// ```
///
/// A matrix unit multiplies elements of blocks as well: `h100:deepseek_fp8` is the pair of `deepseek_fp8` and
/// `h100:float8_e4m3fn`, and `b200:nvfp4` that of `nvfp4` and `b200:float4_e2m1fn`.
///
/// # Errors
/// Invalid block formats as inputs, and invalid accumulators with such inputs.
pub fn in_blocks(text: &str) -> Result<Option<(InBlocks, Operator)>, InBlocksError> {
    if UnitOperator::is_named_by(text) {
        let Some((unit, formats, options)) = UnitOperator::parts(text) else { return Ok(None) };
        if !formats.split('*').any(is_blocks) {
            return Ok(None);
        }
        return on_elements(text, &formats.replace('*', ","), |InBlocks { a, b, .. }| {
            let options = options.map_or(String::new(), |options| format!("/{options}"));
            format!("{unit}:{}*{}{options}", a.element, b.element)
        });
    }
    let Some((inputs, accumulator)) = text.split_once(':') else { return Ok(None) };
    if !inputs.split(',').any(is_blocks) {
        return Ok(None);
    }
    on_elements(text, inputs, |_| format!("f32:{accumulator}"))
}

/// The block formats that an operator's inputs name, and the operator on their elements by its text.
fn on_elements(
    text: &str,
    inputs: &str,
    added: impl FnOnce(&InBlocks) -> String,
) -> Result<Option<(InBlocks, Operator)>, InBlocksError> {
    let operator = text.trim().to_owned();
    let blocks: InBlocks = match inputs.parse() {
        Ok(blocks) => blocks,
        Err(source) => return Err(InBlocksError::Inputs { operator, source }),
    };
    let added = added(&blocks);
    match added.parse() {
        Ok(of_elements) => Ok(Some((blocks, of_elements))),
        Err(source) => Err(InBlocksError::Accumulator { operator, added, source: Box::new(source) }),
    }
}

/// True if a format of inputs is one of blocks.
fn is_blocks(input: &str) -> bool {
    BlockFormat::is_name(input.split('@').next().unwrap_or("").trim())
}

/// The scaled step of an operator's unit for elements and scales of these formats, if it has one.
fn scaled_step(formats: &InBlocks, operator: &Operator) -> Result<Option<ScaledProduct>, MultiplierError> {
    let Some((on, unit)) = operator.as_unit().and_then(|on| Some((on, on.unit()?))) else { return Ok(None) };
    let InBlocks { a, b, .. } = formats;
    let (Element::Float(of_a), Element::Float(of_b)) = (a.element, b.element) else { return Ok(None) };
    let names = [of_a.to_string(), of_b.to_string()];
    let scaled = unit.scaled([&names[0], &names[1]], &a.scale.to_string());
    let scaled = scaled.filter(|scaled| a.scale == b.scale && a.shape.1 % scaled.group == 0);
    if scaled.is_some() && (on.promote().is_some() || on.split() > 1) {
        return Err(MultiplierError::Scaled { operator: operator.to_string(), blocks: formats.to_string() });
    }
    Ok(scaled.map(|scaled| ScaledProduct { scaled, elements: [of_a, of_b], scale: a.scale }))
}

/// Products of matrices that are encoded in blocks first, under an operator in an order of accumulation.
#[derive(Clone, Debug)]
pub struct BlockProduct {
    formats: InBlocks,
    multiplier: BlockMultiplier,
}

impl BlockProduct {
    /// Encodes in these formats and multiplies under this operator.
    ///
    /// # Errors
    /// The errors of [`BlockMultiplier::new`].
    pub fn new(formats: InBlocks, operator: Operator, order: Order) -> Result<BlockProduct, MultiplierError> {
        let scaled = scaled_step(&formats, &operator)?;
        let multiplier = BlockMultiplier::new(operator, order)?;
        let multiplier = match scaled {
            Some(scaled) => multiplier.with_scaled_step(scaled),
            None => multiplier,
        };
        Ok(BlockProduct { formats, multiplier })
    }

    /// Uses this number of threads.
    pub fn with_threads(self, threads: usize) -> BlockProduct {
        BlockProduct { multiplier: self.multiplier.with_threads(threads), ..self }
    }

    /// The block formats.
    pub fn formats(&self) -> &InBlocks {
        &self.formats
    }

    /// The notice for a user if the products of elements have no vector code.
    pub fn slow(&self) -> Option<SlowNotice> {
        self.multiplier.slow()
    }

    /// The operator that adds the products of elements.
    pub fn operator(&self) -> &Operator {
        self.multiplier.operator()
    }

    /// Encodes a left matrix of `depth` columns.
    pub fn left(&self, values: &[f32], depth: usize) -> Result<Blocked, KernelError> {
        Blocked::encode(self.formats.a, values, depth)
    }

    /// Encodes a right matrix of `depth` rows, by its columns: its blocks are along the depth.
    pub fn right(&self, values: &[f32], depth: usize, columns: usize) -> Result<Blocked, KernelError> {
        let by_columns: Vec<f32> =
            (0..columns).flat_map(|column| values[column..].iter().step_by(columns).copied()).collect();
        Blocked::encode(self.formats.b, &by_columns, depth)
    }

    /// Computes `c.len() / columns` rows of a product, from row `first` on. `first` is a multiple of the rows of A's
    /// blocks, and `c` stores rows of `columns` elements.
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

/// The number of values that become NaN when they are encoded in a format: NaNs, and infinities that its elements do
/// not have. They may make their whole block NaN ([`NotFinite`]).
pub fn count_lost_to_nan(format: &BlockFormat, values: &[f32]) -> usize {
    let infinities = format.element.grid().infinities();
    values.iter().filter(|x| x.is_nan() || x.is_infinite() && !infinities).count()
}

/// An encoded matrix, by rows of blocks: values of elements and of scales.
pub struct Blocked {
    format: BlockFormat,
    columns: usize,
    elements: Vec<f32>,
    scales: Vec<f32>,
    over: f32,
}

/// The largest number of a format within binary32.
fn largest(format: Format) -> f64 {
    narrow(format, format.max_finite_code()).into()
}

/// The values of codes of at most eight bits.
fn values_of(element: Element, codes: &[u8]) -> Result<Vec<f32>, KernelError> {
    let Element::Float(format) = element else {
        return Ok(codes.iter().map(|&code| f32::from(code as i8) / 64.0).collect());
    };
    let mut values = vec![0.0; codes.len()];
    Decoder::new(format)?.decode_f32(codes, &mut values)?;
    Ok(values)
}

impl Blocked {
    /// Encodes numbers by the rule of the format. If scales have less range than binary32, all values are relative to
    /// the tensor's scale, as in NVFP4: largest finite magnitude / (largest element · largest scale).
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

    /// Encodes under scales of binary32, in blocks of any shape. The quotient of two binary32 numbers in binary64 is on
    /// the same side of each rounding boundary of eight bits as the exact quotient: a boundary times a scale has at
    /// most 29 bits.
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
        let mut scales: Vec<f32> = largest.iter().map(scale).collect();
        let quotients: Vec<f64> =
            values.iter().enumerate().map(|(at, &x)| x as f64 / scales[place(at)] as f64).collect();
        let encoder = Encoder::new(format.element.grid(), Rounding::NearestEven, Saturation::Max)?;
        let mut codes = vec![0u8; values.len()];
        encoder.encode_f64(&quotients, &mut codes[..])?;
        for code in &mut codes {
            *code = format.element.coded(Rounded { code: (*code).into(), flags: Flags::NONE }).code as u8;
        }
        for (at, x) in values.iter().enumerate().filter(|(_, x)| !x.is_finite()) {
            let value = binade::decode(F32, x.to_bits().into());
            match format.not_finite() {
                NotFinite::Block { .. } if count_lost_to_nan(&format, &[*x]) > 0 => {
                    scales[place(at)] = f32::NAN
                }
                _ => codes[at] = format.element_not_finite(value, Edition::V4) as u8,
            }
        }
        let elements = values_of(format.element, &codes)?;
        Ok(Blocked { format, columns, elements, scales, over: 1.0 })
    }

    /// Some rows of the matrix; `first` is a multiple of the rows of a block.
    fn rows(&self, first: usize, count: usize) -> Result<BlockMatrix<'_>, ShapeError> {
        let (down, across) = self.format.shape;
        let wide = self.columns.div_ceil(across);
        let elements = Matrix::new(&self.elements[first * self.columns..], count, self.columns)?;
        let scales = Matrix::new(&self.scales[first / down * wide..], count.div_ceil(down), wide)?;
        BlockMatrix::new(elements, scales, self.format.shape, self.over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(blocks: &str, operator: &str, order: &str, a: &[f32], b: &[f32], depth: usize) -> Vec<f32> {
        let product =
            BlockProduct::new(blocks.parse().unwrap(), operator.parse().unwrap(), order.parse().unwrap())
                .unwrap();
        let (rows, columns) = (a.len() / depth, b.len() / depth);
        let (left, right) = (product.left(a, depth).unwrap(), product.right(b, depth, columns).unwrap());
        let mut c = vec![0.0; rows * columns];
        product.rows(&left, &right, (0, columns), &mut c).unwrap();
        c
    }

    #[test]
    fn not_finite_numbers_make_their_products_nan() {
        let depth = 40;
        for name in BlockFormat::names() {
            for order in ["sequential", "pairwise", "exact", "aligned:8,14"] {
                for special in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                    // Two rows: one with the special value, and one without.
                    let mut a = vec![1.0; 2 * depth];
                    a[3] = special;
                    let b = vec![1.0; depth];
                    let c = product(name, "f32:f32", order, &a, &b, depth);
                    let infinite = name == "mxfp8_e5m2" && special.is_infinite();
                    assert!(c[0].is_nan() || infinite && c[0] == special, "{name} {order} {special}: {c:?}");
                    assert!((c[1] - depth as f32).abs() < 1e-3, "{name} {order} {special}: {c:?}");
                    let c = product(name, "f32:bf16", order, &b, &a[..depth], depth);
                    assert!(c[0].is_nan() || infinite && c[0] == special, "{name} {order} {special}: {c:?}");
                }
            }
        }
        let mxfp4: BlockFormat = "mxfp4".parse().unwrap();
        assert_eq!(count_lost_to_nan(&mxfp4, &[1.0, f32::NAN, f32::INFINITY]), 2);
        assert_eq!(count_lost_to_nan(&"mxfp8_e5m2".parse().unwrap(), &[f32::NAN, f32::INFINITY]), 1);
    }

    #[test]
    fn operators_of_block_formats_equal_products_in_blocks() {
        let parsed = |text: &str| {
            let (blocks, operator) = in_blocks(text).unwrap().unwrap();
            (blocks.to_string(), operator.to_string())
        };
        let both = |blocks: &str, operator: &str| (blocks.to_owned(), operator.to_owned());
        assert_eq!(parsed("mxfp4:f32"), both("mxfp4", "f32:f32"));
        assert_eq!(
            parsed("MXFP8_E4M3,mxfp4@rule=rceil:tf32"),
            both("mxfp8_e4m3,mxfp4@rule=rceil", "f32:tf32")
        );
        for plain in ["float4_e2m1fn:f32", "bf16:bf16", "cfloat8_1_4_3@bias=7:f32", "mp", "f32:mxfp4"] {
            assert_eq!(in_blocks(plain), Ok(None), "{plain}");
        }
        let error = |text: &str| in_blocks(text).unwrap_err().to_string();
        assert!(error("mxfp4@rul=ceil:f32").contains("takes no option 'rul': did you mean rule?"));
        assert!(error("mxfp4,mxfp9:f32").contains("unknown block format 'mxfp9': did you mean mxfp4?"));
        assert!(error("mxfp4:fp17").contains("unknown format 'fp17'"));
        assert!(error("mxfp4:bf16x2").contains("'f32:bf16x2' is not defined"));
    }
}
