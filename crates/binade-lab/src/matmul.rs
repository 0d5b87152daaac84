//! Multiplies matrices from files under an FMA operator, for `binade matmul`.

use std::path::{Path, PathBuf};

use binade::SumDraws;
use binade::block::BlockFormat;
use binade::recipe::{Quantizer, Scope};
use binade::{Operator, Spec};
use binade_files::{Container, ElementType, IfExists, Tensor};
use binade_fma::{
    InBlocks, Matrix, MatrixMut, Multiplier, Order, QuantizedProduct, SlowNotice, count_lost_to_nan,
};

use crate::checkpoint::CheckpointError;
use crate::checkpoint::foreign::Names;
use crate::pool::CHUNK;
use crate::scaled::{NumberFile, ScaledTensor};
use crate::write::{Sink, Slot, check_kind};
use crate::{Error, Progress};

/// An array to multiply: an .npy file, or a tensor of a .safetensors file.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The file.
    pub path: PathBuf,
    /// The tensor; `None` for the only one.
    pub tensor: Option<String>,
    /// Format of codes without a note. Without it, integers are numbers.
    pub format: Option<Spec>,
}

impl Operand {
    /// Parses `FILE`, or `FILE.safetensors:TENSOR`.
    pub fn new(text: &Path, format: Option<Spec>) -> Operand {
        let whole = || Operand { path: text.to_owned(), tensor: None, format: format.clone() };
        let Some(known) = text.to_str().filter(|_| !text.exists()) else { return whole() };
        let named = known.match_indices(':').map(|(at, _)| (&known[..at], &known[at + 1..]));
        match named.rev().find(|(path, _)| path.to_ascii_lowercase().ends_with(".safetensors")) {
            Some((path, tensor)) => {
                Operand { path: path.into(), tensor: Some(tensor.to_owned()), format: format.clone() }
            }
            None => whole(),
        }
    }
}

/// Options of [`run`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The left matrices: `[…, m, k]`.
    pub a: Operand,
    /// The right matrices: `[…, k, n]`.
    pub b: Operand,
    /// Initial values of the sums, of the product's shape or one that broadcasts to it. Default: zeros.
    pub add: Option<Operand>,
    /// Block formats, or quantizers of a recipe, that the operands are encoded by, along the summed axis. Default: none.
    pub blocks: Option<InBlocks>,
    /// The operator of a step of a sum.
    pub operator: Operator,
    /// Order of the steps.
    pub order: Order,
    /// The key of the random words of a stochastic operator or recipe.
    pub seed: u64,
    /// Number of threads; `None` for all of the machine.
    pub threads: Option<usize>,
    /// True to replace an existing file.
    pub force: bool,
}

/// Refuses codes of a layout, which mean other numbers without their scales.
fn refuse_codes(file: &NumberFile<'_>, tensor: &Tensor) -> Result<(), Error> {
    let noted = &file.noted;
    let names = Names::new(&noted.path, noted.input.tensors().iter());
    let own = tensor.name();
    match noted.note(own).is_none() && names.codes_among(|name| name == own) == Some(own) {
        true => {
            let (path, tensor) = (noted.path.clone(), own.to_owned());
            Err(CheckpointError::Quantised { path, tensor }.into())
        }
        false => Ok(()),
    }
}

/// An array in memory, in C order.
#[derive(Clone, Debug)]
pub struct Array {
    pub(crate) shape: Vec<u64>,
    pub(crate) data: Vec<f32>,
    pub(crate) format: String,
}

impl Array {
    /// Numbers that are approximately standard normal, for trials without files: the same for the same seed on every machine.
    /// `first` is the index of the first of them.
    ///
    /// # Errors
    /// [`Error::Matrix`] if they do not fit in memory.
    pub fn normal(shape: Vec<u64>, seed: u64, first: u64) -> Result<Array, Error> {
        let mut data = start(&shape, None)?;
        binade_simd::threads::chunks(true, &mut data, CHUNK as usize, |number, chunk| {
            let from = first + number as u64 * CHUNK;
            chunk.iter_mut().zip(from..).for_each(|(x, index)| *x = normal(seed, index));
        });
        Ok(Array { shape, data, format: "f32".to_owned() })
    }

    /// Name of the format or element type that it was read from.
    pub fn format(&self) -> &str {
        &self.format
    }

    /// Reads a file or a tensor of one.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn read(operand: &Operand, progress: &dyn Progress) -> Result<Array, Error> {
        let file = NumberFile::open(&operand.path, operand.format.as_ref())?;
        let path = || operand.path.clone();
        let tensors = file.tensors();
        let tensor = match &operand.tensor {
            Some(name) => file
                .noted
                .input
                .get(name)
                .ok_or_else(|| Error::NoTensor { path: path(), tensor: name.clone() })?,
            None => match tensors[..] {
                [one] => one,
                _ => return Err(Error::Several { path: path(), count: tensors.len() }),
            },
        };
        refuse_codes(&file, tensor)?;
        let scaled = ScaledTensor::open(&file, tensor)?
            .ok_or_else(|| Error::NotNumbers { path: path(), element: tensor.element().to_string() })?;
        let elements = scaled.values.elements;
        let mut data = vec![];
        data.try_reserve_exact(usize::try_from(elements).unwrap_or(usize::MAX))
            .map_err(|_| binade_fma::ShapeError::Size { what: format!("{}", path().display()) })?;
        let (mut bytes, mut values) = (vec![], vec![]);
        for first in (0..elements).step_by(CHUNK as usize) {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            scaled.read(first, CHUNK.min(elements - first), &mut bytes, &mut values)?;
            for (index, &value) in (first..).zip(&values) {
                let narrow = value as f32;
                if narrow as f64 != value && !value.is_nan() {
                    return Err(Error::NotBinary32 { path: path(), index, value });
                }
                data.push(narrow);
            }
        }
        let format = scaled.format();
        Ok(Array { shape: scaled.values.shape, data, format })
    }
}

/// An approximately standard normal number: the sum of twelve uniform numbers, minus six.
pub(crate) fn normal(seed: u64, index: u64) -> f32 {
    let uniform = |part| binade::philox::word(seed, 12 * index + part) as f32 / (1u64 << 32) as f32;
    (0..12).map(uniform).sum::<f32>() - 6.0
}

/// Broadcasting of an array's leading axes, those before the last `inner`, over the axes of the result.
struct Broadcast {
    /// For each leading axis of the result: its length, and the stride in the array.
    axes: Vec<(u64, u64)>,
}

impl Broadcast {
    /// `lengths` are the array's leading axes, aligned with the end of `whole`; `step` is the number of elements of an item.
    fn new(lengths: &[u64], whole: &[u64], step: u64) -> Broadcast {
        let missing = whole.len() - lengths.len();
        let mut stride = step;
        let mut axes: Vec<(u64, u64)> = (0..whole.len())
            .rev()
            .map(|axis| {
                let length = if axis < missing { 1 } else { lengths[axis - missing] };
                let own = if length == 1 { 0 } else { stride };
                stride *= length;
                (whole[axis], own)
            })
            .collect();
        axes.reverse();
        Broadcast { axes }
    }

    /// Offset of the item for index `index` of the result.
    fn start(&self, index: u64) -> usize {
        let mut rest = index;
        let mut start = 0;
        for &(length, stride) in self.axes.iter().rev() {
            start += rest % length * stride;
            rest /= length;
        }
        start as usize
    }
}

/// The broadcast of two shapes by NumPy's rules.
fn common(a: &[u64], b: &[u64]) -> Option<Vec<u64>> {
    let rank = a.len().max(b.len());
    let length =
        |shape: &[u64], axis: usize| (axis + shape.len()).checked_sub(rank).map_or(1, |axis| shape[axis]);
    (0..rank)
        .map(|axis| match (length(a, axis), length(b, axis)) {
            (x, y) if x == y => Some(x),
            (1, other) | (other, 1) => Some(other),
            _ => None,
        })
        .collect()
}

/// Shapes of a product.
pub(crate) struct Shapes {
    /// Leading axes of the result.
    batch: Vec<u64>,
    m: u64,
    /// Length of the summed axis.
    pub(crate) k: u64,
    n: u64,
}

impl Shapes {
    pub(crate) fn new(a: &[u64], b: &[u64]) -> Result<Shapes, Error> {
        let matrix = |what, shape: &[u64], wanted: &str| match shape {
            [batch @ .., rows, columns] => Ok((batch.to_vec(), *rows, *columns)),
            _ => Err(Error::Shape {
                what,
                found: shape.to_vec(),
                wanted: format!("a matrix must have two axes, a batch more: {wanted}"),
            }),
        };
        let (batch_a, m, k) = matrix("A of shape", a, "[…, m, k]")?;
        let (batch_b, rows, n) = matrix("B of shape", b, "[…, k, n]")?;
        let wrong = |wanted| Error::Shape { what: "B of shape", found: b.to_vec(), wanted };
        if rows != k {
            return Err(wrong(format!("A is {a:?}, so its second last axis must be {k}")));
        }
        let batch = common(&batch_a, &batch_b)
            .ok_or_else(|| wrong(format!("A is {a:?}; axes before the last two must be equal, or 1")))?;
        Ok(Shapes { batch, m, k, n })
    }

    /// The shape of the result.
    pub(crate) fn result(&self) -> Vec<u64> {
        [&self.batch[..], &[self.m, self.n]].concat()
    }

    /// Offsets of the matrices of A and B for each item of the batch.
    fn matrices(&self, a: &Array, b: &Array) -> [Broadcast; 2] {
        let of =
            |array: &Array, size| Broadcast::new(&array.shape[..array.shape.len() - 2], &self.batch, size);
        [of(a, self.m * self.k), of(b, self.k * self.n)]
    }
}

/// Report of a product.
#[derive(Clone, Debug)]
pub struct Report {
    /// Shape of the result, whose elements are binary32.
    pub shape: Vec<u64>,
    /// Steps of the operator: multiplications and additions.
    pub steps: u128,
    /// Elements of A and B that became NaN in blocks: NaNs, and infinities that the block format does not have.
    pub lost: [usize; 2],
}

/// Steps of the operator between progress reports: at most a second.
const STEPS: u64 = 1 << 31;
/// Fewest rows of A for which packing B is worth its cost.
const ROWS: u64 = 512;

/// Computes `add` + A · B and writes it as an .npy file of binary32 numbers.
///
/// With [`Options::blocks`], each matrix is encoded first; [`binade_fma::blocks::dot`] defines the values of its elements.
/// `add` is not allowed then.
///
/// Leading axes are batches and broadcast as in NumPy. Operands may have any type whose values binary32 can represent
/// exactly. The operator rounds each to its input format, once. The bits of the result do not depend on the threads.
///
/// # Errors
/// See [`Error`]. Nothing is written then.
pub fn run(output: &Path, options: &Options, progress: &dyn Progress) -> Result<Report, Error> {
    check_kind(output, Container::Npy)?;
    let if_exists = if options.force { IfExists::Replace } else { IfExists::Refuse };
    let method = Method::of(options)?;
    let (a, b) = (Array::read(&options.a, progress)?, Array::read(&options.b, progress)?);
    let shapes = Shapes::new(&a.shape, &b.shape)?;
    let shape = shapes.result();
    // Created before the work, so that errors appear early.
    let sink = Sink::create(
        output,
        Container::Npy,
        &[Slot::new("", ElementType::F32, &shape)],
        &[],
        None,
        if_exists,
    )?;
    let add = options.add.as_ref().map(|operand| Array::read(operand, progress)).transpose()?;
    let mut sums = start(&shape, add.as_ref())?;
    let lost = match &method {
        Method::Numbers(_) => [0; 2],
        Method::Blocks(product) => {
            let [of_a, of_b] = product.quantizers().each_ref().map(Quantizer::blocks);
            let lost = |format: Option<BlockFormat>, values| {
                format.map_or(0, |format| count_lost_to_nan(&format, values))
            };
            [lost(of_a, &a.data), lost(of_b, &b.data)]
        }
    };
    method.multiply(options.threads, &shapes, &a, &b, &mut sums, progress)?;
    let mut bytes = vec![];
    for (chunk, sums) in sums.chunks(CHUNK as usize).enumerate() {
        bytes.clear();
        bytes.extend(sums.iter().flat_map(|sum| sum.to_le_bytes()));
        sink.write_at(0, 4 * CHUNK * chunk as u64, &bytes)?;
    }
    if progress.cancelled() {
        return Err(Error::Cancelled);
    }
    sink.finish()?;
    let steps = shape.iter().map(|&length| length as u128).product::<u128>() * shapes.k as u128;
    Ok(Report { shape, steps, lost })
}

/// The notice for a user if the product has no vector code.
///
/// # Errors
/// As for [`run`], if operator and order do not go together.
pub fn slow(options: &Options) -> Result<Option<SlowNotice>, Error> {
    Ok(Method::of(options)?.slow())
}

/// The multiplier: by rows, or in blocks.
#[allow(clippy::large_enum_variant, reason = "there is one for a product")]
pub(crate) enum Method {
    Numbers(Multiplier),
    Blocks(Box<QuantizedProduct>),
}

impl Method {
    fn of(options: &Options) -> Result<Method, Error> {
        if options.blocks.is_some() && options.add.is_some() {
            return Err(Error::AddToBlocks);
        }
        let method = Method::new(options.blocks.as_ref(), options.operator.clone(), options.order)?;
        Ok(match method {
            Method::Numbers(multiplier) => {
                Method::Numbers(multiplier.with_draws(SumDraws::new(options.seed)))
            }
            Method::Blocks(product) => Method::Blocks(Box::new(product.with_key(options.seed))),
        })
    }

    pub(crate) fn new(blocks: Option<&InBlocks>, operator: Operator, order: Order) -> Result<Method, Error> {
        Ok(match blocks {
            None => Method::Numbers(Multiplier::new(operator, order)?),
            Some(formats) => {
                Method::Blocks(Box::new(QuantizedProduct::new(formats.quantizers(), operator, order)?))
            }
        })
    }

    pub(crate) fn slow(&self) -> Option<SlowNotice> {
        match self {
            Method::Numbers(multiplier) => multiplier.slow(),
            Method::Blocks(product) => product.slow(),
        }
    }

    /// Adds A · B to `sums`; in blocks, `sums` must be zeros. `threads` is `None` for all of the machine.
    pub(crate) fn multiply(
        self,
        threads: Option<usize>,
        shapes: &Shapes,
        a: &Array,
        b: &Array,
        sums: &mut [f32],
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let threads = threads.or(std::thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
        match self {
            Method::Numbers(multiplier) => {
                multiply(&multiplier.with_threads(threads), shapes, a, b, sums, progress)
            }
            Method::Blocks(product) => {
                multiply_blocks(&product.with_threads(threads), shapes, a, b, sums, progress)
            }
        }
    }
}

fn too_large(shape: &[u64]) -> binade_fma::ShapeError {
    binade_fma::ShapeError::Size { what: format!("a product of shape {shape:?}") }
}

/// The number of elements of a product, within the address space.
pub(crate) fn element_count(shape: &[u64]) -> Result<usize, Error> {
    let count = shape.iter().try_fold(1usize, |n, &length| n.checked_mul(usize::try_from(length).ok()?));
    Ok(count.ok_or_else(|| too_large(shape))?)
}

/// The initial values of the sums.
pub(crate) fn start(shape: &[u64], add: Option<&Array>) -> Result<Vec<f32>, Error> {
    let count = element_count(shape)?;
    let mut sums = vec![];
    sums.try_reserve_exact(count).map_err(|_| too_large(shape))?;
    match add {
        None => sums.resize(count, 0.0),
        Some(array) => {
            if common(&array.shape, shape).as_deref() != Some(shape) {
                return Err(Error::Shape {
                    what: "C of shape",
                    found: array.shape.clone(),
                    wanted: format!("the product is {shape:?}; C must be that, or broadcast to it"),
                });
            }
            let places = Broadcast::new(&array.shape, shape, 1);
            sums.extend((0..count as u64).map(|at| array.data[places.start(at)]));
        }
    }
    Ok(sums)
}

/// Some rows of one product.
struct RowRange<'a> {
    a: &'a [f32],
    b: &'a [f32],
    sums: &'a mut [f32],
    /// The first row and column among those of all matrices, which tell a stochastic operator's random words.
    place: (usize, usize),
}

fn multiply(
    multiplier: &Multiplier,
    shapes: &Shapes,
    a: &Array,
    b: &Array,
    sums: &mut [f32],
    progress: &dyn Progress,
) -> Result<(), Error> {
    progress.total(4 * sums.len() as u64);
    let [m, k, n] = [shapes.m, shapes.k, shapes.n].map(|size| size as usize);
    if sums.is_empty() {
        return Ok(());
    }
    let [of_a, of_b] = shapes.matrices(a, b);
    let a_row = k as u64 * n as u64;
    let rows = (STEPS / a_row.max(1)).clamp(ROWS, m.max(ROWS as usize) as u64) as usize;
    let mut pieces = vec![];
    for (index, sums) in sums.chunks_mut(m * n).enumerate() {
        let (a, b) =
            (&a.data[of_a.start(index as u64)..][..m * k], &b.data[of_b.start(index as u64)..][..k * n]);
        for (number, sums) in sums.chunks_mut(rows * n).enumerate() {
            let top = number * rows;
            let place = (index * m + top, index * n);
            pieces.push(RowRange { a: &a[top * k..][..sums.len() / n * k], b, sums, place });
        }
    }
    // Small products are grouped.
    let together = match multiplier.operator().is_stochastic() {
        true => 1,
        false => (STEPS / (a_row * rows.min(m) as u64).max(1)).clamp(1, 1 << 16) as usize,
    };
    let mut pieces = pieces.into_iter();
    loop {
        let (mut left, mut right, mut out, mut bytes) = (vec![], vec![], vec![], 0);
        let mut draws = multiplier.draws();
        for RowRange { a, b, sums, place } in pieces.by_ref().take(together) {
            let rows = sums.len() / n;
            bytes += 4 * sums.len() as u64;
            draws = multiplier.draws().at(place.0 as u64, place.1 as u64, 0);
            left.push(Matrix::new(a, rows, k)?);
            right.push(Matrix::new(b, k, n)?);
            out.push(MatrixMut::new(sums, rows, n)?);
        }
        if out.is_empty() {
            return Ok(());
        }
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
        multiplier.clone().with_draws(draws).multiply_batch(&left, &right, out)?;
        progress.advance(bytes, "");
    }
}

/// As `multiply`, in blocks; each matrix is encoded separately.
fn multiply_blocks(
    product: &QuantizedProduct,
    shapes: &Shapes,
    a: &Array,
    b: &Array,
    sums: &mut [f32],
    progress: &dyn Progress,
) -> Result<(), Error> {
    progress.total(4 * sums.len() as u64);
    let [m, k, n] = [shapes.m, shapes.k, shapes.n].map(|size| size as usize);
    if sums.is_empty() || k == 0 {
        return Ok(());
    }
    let [of_a, of_b] = shapes.matrices(a, b);
    let rows = (STEPS / (k as u64 * n as u64)).clamp(ROWS, (m as u64).max(ROWS)) as usize;
    // Pieces begin where A's blocks begin.
    let down = match product.quantizers()[0].scope {
        Scope::Block(down, _) => down.min(m),
        _ => 1,
    };
    let rows = rows.next_multiple_of(down);
    // Items of a batch have random words of their own.
    let drawn = product.is_stochastic();
    // The encoded matrices of the previous item, which the next item may share.
    let (mut left, mut right) = (None, None);
    for (index, sums) in sums.chunks_mut(m * n).enumerate() {
        let (at_a, at_b) = (of_a.start(index as u64), of_b.start(index as u64));
        let a = match left.take() {
            Some((at, a)) if at == at_a && !drawn => a,
            _ => product.left(&a.data[at_a..][..m * k], k, index)?,
        };
        let b = match right.take() {
            Some((at, b)) if at == at_b && !drawn => b,
            _ => product.right(&b.data[at_b..][..k * n], k, n, index)?,
        };
        for (number, sums) in sums.chunks_mut(rows * n).enumerate() {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            product.rows(&a, &b, (number * rows, n), sums)?;
            progress.advance(4 * sums.len() as u64, "");
        }
        (left, right) = (Some((at_a, a)), Some((at_b, b)));
    }
    Ok(())
}
