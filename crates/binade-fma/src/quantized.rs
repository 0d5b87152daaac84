//! Products of matrices whose operands are quantised first, each by its own [`Quantizer`].
//!
//! An operand is a matrix whose rows are along the depth: A itself, and B's transpose. Element (i, j) of such a matrix of n columns
//! has index i · n + j, by which stochastic rounding draws its random bits. A tensor's scale is that of NVFP4: the largest finite
//! magnitude over (largest element · largest scale). It exists where scales have less range than binary32.
//!
//! Products of elements are added block by block along the depth, and the sum of a block is multiplied by both scales once
//! ([`BlockMultiplier`]). A block of the product is the largest length that divides the blocks of both operands; a scale for a whole
//! row or tensor does not limit it. Without any scales, products are added as by [`Multiplier`].
//!
//! A NaN, and an infinity that elements do not have, becomes NaN. In blocks whose elements have no NaN it is the scale's, so that all
//! values of the block are NaN; without scales, it is the value's.
//!
//! If the depth is no multiple of a block, zeros fill the last block. A quantizer may leave such tensors instead
//! ([`Quantizer::leaves`]). Then both operands stay as they are, and products are added in binary32.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use binade::block::{BlockFormat, Element, NotFinite};
use binade::catalog::F32;
use binade::recipe::{BiasRule, Pass, Quantizer, Recipe, RecipeError, Rotation, Scope, largest_number};
use binade::{
    Datum, Edition, Flags, Operator, Projection, Rounded, Rounding, Saturation, SumDraws, philox, project,
};
use binade_kernels::{BlockEncoder, Decoder, Encoder, KernelError, TensorScale, pack};
use binade_simd::lanes::Leg;
use binade_simd::{Isa, Kernel, TILE, threads, transpose_tile};
use thiserror::Error;

use crate::bias_follower::{BiasFollower, follows};
use crate::block_product::{BlockMatrix, BlockMultiplier};
use crate::exact::narrow;
use crate::matrix::{Matrix, MatrixMut, ShapeError};
use crate::multiply::{Multiplier, MultiplierError, SlowNotice};
use crate::order::Order;
use crate::units::ScaledProduct;

/// Products of matrices that are quantised first, under an operator in an order of accumulation.
#[derive(Clone, Debug)]
pub struct QuantizedProduct {
    quantizers: [Quantizer; 2],
    result: Quantizer,
    multiplier: Method,
    /// The product of operands that stay as they are; `None` if quantizers leave none.
    left_as_is: Option<Multiplier>,
    counter: Option<NotFiniteCounter>,
    follower: Option<BiasFollower>,
    key: u64,
}

/// The reason why a recipe has no product.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum RecipeProductError {
    /// Sums that no operator computes.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// An operator without such products.
    #[error(transparent)]
    Multiplier(#[from] MultiplierError),
}

/// Counts the NaNs and the infinities of operands that are quantised. Clones share the counts.
#[derive(Clone, Debug, Default)]
pub struct NotFiniteCounter(Arc<[[AtomicU64; 2]; 2]>);

impl NotFiniteCounter {
    /// NaNs and infinities since the last call, of the left and of the right operand.
    pub fn take(&self) -> [[u64; 2]; 2] {
        self.0.each_ref().map(|operand| operand.each_ref().map(|count| count.swap(0, Ordering::Relaxed)))
    }

    /// Counts those of values that an operand has `times` times.
    fn count(&self, operand: usize, values: &[f32], times: u64) {
        let not_finite = values.iter().filter(|x| !x.is_finite()).count() as u64;
        if not_finite > 0 {
            let nans = values.iter().filter(|x| x.is_nan()).count() as u64;
            self.0[operand][0].fetch_add(nans * times, Ordering::Relaxed);
            self.0[operand][1].fetch_add((not_finite - nans) * times, Ordering::Relaxed);
        }
    }
}

#[derive(Clone, Debug)]
enum Method {
    /// Elements without scales.
    Plain(Multiplier),
    Blocks(BlockMultiplier),
}

/// The scaled step of an operator's unit for elements and scales of these formats, if it has one.
fn scaled_step(
    quantizers: &[Quantizer; 2],
    operator: &Operator,
) -> Result<Option<ScaledProduct>, MultiplierError> {
    let Some((on, unit)) = operator.as_unit().and_then(|on| Some((on, on.unit()?))) else { return Ok(None) };
    let [a, b] = quantizers;
    let (Some(Element::Float(of_a)), Some(Element::Float(of_b))) = (a.element, b.element) else {
        return Ok(None);
    };
    let (Scope::Block(_, of_a_across), Scope::Block(_, of_b_across)) = (a.scope, b.scope) else {
        return Ok(None);
    };
    let formats = [of_a.to_string(), of_b.to_string()];
    let scaled = unit.scaled([&formats[0], &formats[1]], &a.scale.to_string());
    let fits = |across: usize, group: usize| across.is_multiple_of(group);
    let scaled = scaled.filter(|scaled| {
        a.scale == b.scale && fits(of_a_across, scaled.group) && fits(of_b_across, scaled.group)
    });
    if scaled.is_some() && (on.promote().is_some() || on.split() > 1) {
        let blocks = names(quantizers);
        return Err(MultiplierError::Scaled { operator: operator.to_string(), blocks });
    }
    Ok(scaled.map(|scaled| ScaledProduct { scaled, elements: [of_a, of_b], scale: a.scale }))
}

/// Both quantizers as texts name them: `A,B`, or once if they are equal.
fn names([a, b]: &[Quantizer; 2]) -> String {
    if a == b { a.to_string() } else { format!("{a},{b}") }
}

impl QuantizedProduct {
    /// Quantises the operands by these quantizers and multiplies under this operator, which reads elements as binary32 numbers.
    ///
    /// # Errors
    /// The errors of [`BlockMultiplier::new`], and those of [`Multiplier::new`] if no operand has scales.
    pub fn new(
        quantizers: [Quantizer; 2],
        operator: Operator,
        order: Order,
    ) -> Result<QuantizedProduct, MultiplierError> {
        if quantizers.iter().all(|quantizer| quantizer.scope == Scope::None) {
            return Ok(QuantizedProduct {
                quantizers,
                result: Quantizer::none(),
                multiplier: Method::Plain(Multiplier::new(operator, order)?),
                left_as_is: None,
                counter: None,
                follower: None,
                key: 0,
            });
        }
        let scaled = scaled_step(&quantizers, &operator)?;
        let multiplier = BlockMultiplier::new(operator, order)?;
        let multiplier = match scaled {
            Some(scaled) => multiplier.with_scaled_step(scaled),
            None => multiplier,
        };
        let multiplier = Method::Blocks(multiplier);
        let left_as_is = quantizers.iter().any(|quantizer| quantizer.leaves_partial);
        let binary32 = || "f32:f32".parse().expect("binary32 has an operator");
        let left_as_is = left_as_is.then(|| Multiplier::new(binary32(), Order::Sequential)).transpose()?;
        let result = Quantizer::none();
        Ok(QuantizedProduct {
            quantizers,
            result,
            multiplier,
            left_as_is,
            counter: None,
            follower: None,
            key: 0,
        })
    }

    /// The product of a pass under a recipe, in the order of its roles or `swapped`; `None` if the recipe leaves it as it is.
    ///
    /// # Errors
    /// Sums that no operator computes, and those of [`QuantizedProduct::new`].
    pub fn of_pass(
        recipe: &Recipe,
        pass: Pass,
        swapped: bool,
    ) -> Result<Option<QuantizedProduct>, RecipeProductError> {
        if recipe.leaves(pass) {
            return Ok(None);
        }
        let (operands, operator) = recipe.operands_and_operator(pass, swapped)?;
        let product = QuantizedProduct::new(operands, operator, Order::Sequential)?;
        Ok(Some(product.with_result(recipe.result(pass))))
    }

    /// The products with batching dimensions under a recipe; `None` if the recipe leaves them as they are.
    ///
    /// # Errors
    /// As [`QuantizedProduct::of_pass`].
    pub fn of_attention(recipe: &Recipe) -> Result<Option<QuantizedProduct>, RecipeProductError> {
        let Some(operator) = recipe.attention_operator()? else { return Ok(None) };
        let operands = recipe.attention().operands.clone();
        Ok(Some(QuantizedProduct::new(operands, operator, Order::Sequential)?))
    }

    /// Quantises results, too, as a recipe does with gradients that are stored.
    pub fn with_result(self, result: Quantizer) -> QuantizedProduct {
        QuantizedProduct { result, ..self }
    }

    /// Counts NaNs and infinities of operands in this counter.
    pub fn counting(self, counter: NotFiniteCounter) -> QuantizedProduct {
        QuantizedProduct { counter: Some(counter), ..self }
    }

    /// Keeps the histories of learnt biases in this follower, for operands and results whose quantizers have a `history`.
    pub fn following(self, follower: BiasFollower) -> QuantizedProduct {
        QuantizedProduct { follower: Some(follower), ..self }
    }

    /// The quantizers of the left operand, of the right one, and of the result.
    pub fn all_quantizers(&self) -> [&Quantizer; 3] {
        let [left, right] = &self.quantizers;
        [left, right, &self.result]
    }

    /// The follower of an operand (0 or 1) or of the result (2), if its bias follows its numbers from step to step.
    fn follower(&self, operand: usize) -> Option<(&BiasFollower, usize)> {
        let follower = self.follower.as_ref()?;
        follows(self.all_quantizers()[operand]).then_some((follower, operand))
    }

    /// Returns true if operands of this depth stay as they are, because a quantizer leaves tensors with a partial block.
    pub fn leaves(&self, depth: usize) -> bool {
        self.quantizers.iter().any(|quantizer| quantizer.leaves(depth))
    }

    /// Uses the random bits of an operation's key ([`philox::stream`]) for stochastic rounding.
    pub fn with_key(self, key: u64) -> QuantizedProduct {
        let multiplier = match self.multiplier {
            Method::Plain(multiplier) => Method::Plain(multiplier.with_draws(SumDraws::new(key))),
            blocks => blocks,
        };
        QuantizedProduct { multiplier, key, ..self }
    }

    /// True if operands, sums or results are rounded stochastically.
    pub fn is_stochastic(&self) -> bool {
        self.all_quantizers().into_iter().any(Quantizer::is_stochastic) || self.operator().is_stochastic()
    }

    /// Uses this number of threads.
    pub fn with_threads(self, threads: usize) -> QuantizedProduct {
        let multiplier = match self.multiplier {
            Method::Plain(multiplier) => Method::Plain(multiplier.with_threads(threads)),
            Method::Blocks(multiplier) => Method::Blocks(multiplier.with_threads(threads)),
        };
        let left_as_is = self.left_as_is.map(|multiplier| multiplier.with_threads(threads));
        QuantizedProduct { multiplier, left_as_is, ..self }
    }

    /// The quantizers of both operands.
    pub fn quantizers(&self) -> &[Quantizer; 2] {
        &self.quantizers
    }

    /// The names of both quantizers, or one if they are equal.
    pub fn names(&self) -> String {
        names(&self.quantizers)
    }

    /// The notice for a user if the products of elements have no vector code.
    pub fn slow(&self) -> Option<SlowNotice> {
        match &self.multiplier {
            Method::Plain(multiplier) => multiplier.slow(),
            Method::Blocks(multiplier) => multiplier.slow(),
        }
    }

    /// The operator that adds the products of elements.
    pub fn operator(&self) -> &Operator {
        match &self.multiplier {
            Method::Plain(multiplier) => multiplier.operator(),
            Method::Blocks(multiplier) => multiplier.operator(),
        }
    }

    /// The length of the product's blocks along a depth.
    fn block(&self, depth: usize) -> usize {
        let across = |quantizer: &Quantizer| match quantizer.scope {
            Scope::Block(_, across) => across.min(depth),
            _ => depth,
        };
        let [a, b] = self.quantizers.each_ref().map(across);
        // A block as long as the depth has the scale of whatever the other operand's blocks are.
        if a == depth || b == depth { a.min(b) } else { greatest_common_divisor(a, b) }.max(1)
    }

    /// The seed of stochastic rounding for an operand (0 or 1), or the result (2), of one matrix of a batch.
    fn seed(&self, operand: u32, matrix: usize) -> u64 {
        philox::stream(self.key, &[operand, matrix as u32])
    }

    /// Quantises the left matrix of `depth` columns with this number in its batch.
    pub fn left(&self, values: &[f32], depth: usize, matrix: usize) -> Result<Quantized, KernelError> {
        self.quantized(0, values, depth, matrix)
    }

    fn quantized(
        &self,
        operand: usize,
        values: &[f32],
        depth: usize,
        matrix: usize,
    ) -> Result<Quantized, KernelError> {
        let quantizer = &self.quantizers[operand];
        if self.leaves(depth) {
            return Ok(Quantized::as_is(values.to_vec(), depth, depth.max(1)));
        }
        if let Some(counter) = self.counter.as_ref().filter(|_| !quantizer.is_none()) {
            counter.count(operand, values, 1);
        }
        let seed = self.seed(operand as u32, matrix);
        Quantized::new(quantizer, values, depth, self.block(depth), seed, self.follower(operand))
    }

    /// Quantises the right matrix of `depth` rows with this number in its batch. Its columns are along the depth.
    pub fn right(
        &self,
        values: &[f32],
        depth: usize,
        columns: usize,
        matrix: usize,
    ) -> Result<Quantized, KernelError> {
        self.quantized(1, &transposed(values, depth, columns), depth, matrix)
    }

    /// Quantises the left matrix of patches, if its elements do not depend on the rows in which they are. Each pixel is then
    /// quantised once. The bits are those of [`QuantizedProduct::left`] for the matrix of all patches.
    ///
    /// # Panics
    /// Sources that are no pixels.
    pub fn left_of_patches(
        &self,
        patches: &Patches<'_>,
        matrix: usize,
        shared: bool,
    ) -> Result<Option<Quantized>, KernelError> {
        let Patches { pixels, features, sources, taps } = *patches;
        let (quantizer, depth) = (&self.quantizers[0], taps * features);
        let block = self.block(depth);
        let fits = |along: usize| features.is_multiple_of(along);
        let is_of_pixels = match quantizer.scope {
            Scope::None | Scope::Tensor => true,
            Scope::Block(1, across) => fits(across) && fits(block),
            Scope::Row | Scope::Block(..) => false,
        };
        let counts_copies = quantizer.learnt.is_some_and(|learnt| learnt.rule == BiasRule::MeanSquareError);
        if !is_of_pixels
            || counts_copies
            || quantizer.is_stochastic()
            || quantizer.rotation.is_some_and(|rotation| !fits(rotation.size))
            || self.leaves(depth)
            || self.follower(0).is_some()
        {
            return Ok(None);
        }
        let mut uses = vec![0u64; pixels.len() / features];
        sources.iter().for_each(|&source| uses[source as usize] += 1);
        // Pixels that no patch has count in no scale.
        let mut used = pixels.to_vec();
        for (pixel, _) in used.chunks_exact_mut(features).zip(&uses).filter(|(_, uses)| **uses == 0) {
            pixel.fill(0.0);
        }
        if let Some(counter) = self.counter.as_ref().filter(|_| !quantizer.is_none()) {
            for (pixel, &uses) in used.chunks_exact(features).zip(&uses) {
                counter.count(0, pixel, uses);
            }
        }
        let own_block = if let Scope::Block(..) = quantizer.scope { block } else { features };
        let seed = self.seed(0, matrix);
        let quantised = Quantized::new(quantizer, &used, features, own_block, seed, None)?;
        let gathered = |of_pixels: &[f32], size: usize| {
            let mut all = vec![0.0; sources.len() * size];
            threads::chunks(shared, &mut all, GATHERED * size, |chunk, all| {
                let sources = &sources[chunk * GATHERED..];
                for (to, &source) in all.chunks_exact_mut(size).zip(sources) {
                    to.copy_from_slice(&of_pixels[source as usize * size..][..size]);
                }
            });
            all
        };
        let elements = gathered(&quantised.elements, features);
        let rows = sources.len() / taps.max(1);
        let (shape, scales) = match quantizer.scope {
            Scope::Block(..) => ((1, block), gathered(&quantised.scales, features / block)),
            Scope::Tensor => ((rows.max(1), depth), quantised.scales),
            Scope::None | Scope::Row => return Ok(Some(Quantized::as_is(elements, depth, block))),
        };
        let over = quantised.over;
        Ok(Some(Quantized { columns: depth, shape, elements, scales, over }.in_blocks_of(block)))
    }

    /// Quantises a whole product with rows of `columns` elements and this number in its batch, if results have a quantizer.
    pub fn finish(&self, c: &mut [f32], columns: usize, matrix: usize) -> Result<(), KernelError> {
        if !self.result.is_none() {
            let seed = self.seed(2, matrix);
            c.copy_from_slice(&quantize_following(&self.result, c, columns, seed, self.follower(2))?);
        }
        Ok(())
    }

    /// Computes `c.len() / columns` rows of a product, from row `first` on. `first` is a multiple of the rows of A's
    /// blocks, and `c` stores rows of `columns` elements.
    pub fn rows(
        &self,
        a: &Quantized,
        b: &Quantized,
        (first, columns): (usize, usize),
        c: &mut [f32],
    ) -> Result<(), ShapeError> {
        let rows = c.len() / columns.max(1);
        let elements = |multiplier: &Multiplier, c| {
            let (a, b) = (a.elements(first, rows)?, b.elements(0, columns)?.transposed());
            let c = MatrixMut::new(c, rows, columns)?;
            if first > 0 && multiplier.operator().is_stochastic() {
                let draws = multiplier.draws().at(first as u64, 0, 0);
                return multiplier.clone().with_draws(draws).product(a, b, c);
            }
            multiplier.product(a, b, c)
        };
        if let Some(multiplier) = self.left_as_is.as_ref().filter(|_| self.leaves(a.columns)) {
            return elements(multiplier, c);
        }
        match &self.multiplier {
            Method::Plain(multiplier) => elements(multiplier, c),
            Method::Blocks(multiplier) => {
                multiplier.product(a.rows(first, rows)?, b.rows(0, columns)?.transposed(), c)
            }
        }
    }
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// The number of values that become NaN when they are encoded in a format: NaNs, and infinities that its elements do
/// not have. They may make their whole block NaN ([`NotFinite`]).
pub fn count_lost_to_nan(format: &BlockFormat, values: &[f32]) -> usize {
    let infinities = format.element.grid().infinities();
    values.iter().filter(|x| x.is_nan() || x.is_infinite() && !infinities).count()
}

/// A left operand whose rows are patches of an image, as in a convolution.
#[derive(Clone, Copy, Debug)]
pub struct Patches<'a> {
    /// Numbers of each pixel, `features` for each. A pixel of zeros stands for padding.
    pub pixels: &'a [f32],
    /// The number of features of a pixel, at least 1.
    pub features: usize,
    /// The pixels of each patch, `taps` for each.
    pub sources: &'a [u32],
    /// The number of pixels of a patch.
    pub taps: usize,
}

/// Pixels that a thread copies at once.
const GATHERED: usize = 512;

/// A quantised matrix whose rows are along the depth: values of elements and of scales.
#[derive(Clone, Debug)]
pub struct Quantized {
    columns: usize,
    /// The shape of blocks.
    shape: (usize, usize),
    elements: Vec<f32>,
    scales: Vec<f32>,
    over: f32,
}

/// Elements that are rounded at once, so that their codes stay in the cache.
const TOGETHER: usize = 4096;

/// The values of codes of at most 16 bits.
enum Values {
    Float(Decoder),
    Integer,
}

impl Values {
    fn new(element: Element) -> Result<Values, KernelError> {
        match element {
            Element::Float(format) => Ok(Values::Float(Decoder::new(format)?)),
            Element::Int8 => Ok(Values::Integer),
        }
    }

    fn write(&self, codes: &[u16], values: &mut [f32]) -> Result<(), KernelError> {
        match self {
            Values::Float(decoder) => decoder.decode_f32(codes, values)?,
            Values::Integer => {
                let of = |&code: &u16| f32::from(code as u8 as i8) / 64.0;
                values.iter_mut().zip(codes).for_each(|(value, code)| *value = of(code));
            }
        }
        Ok(())
    }
}

/// The values of codes of at most 8 bits.
fn values_of_bytes(element: Element, codes: &[u8]) -> Result<Vec<f32>, KernelError> {
    let Element::Float(format) = element else {
        return Ok(codes.iter().map(|&code| f32::from(code as i8) / 64.0).collect());
    };
    let mut values = vec![0.0; codes.len()];
    Decoder::new(format)?.decode_f32(codes, &mut values)?;
    Ok(values)
}

/// The transpose of a matrix of `depth` rows.
fn transposed(values: &[f32], depth: usize, columns: usize) -> Vec<f32> {
    let (isa, mut all) = (Isa::detect(), vec![0.0f32; values.len()]);
    let (source, target): (&[u32], &mut [u32]) =
        (bytemuck::cast_slice(values), bytemuck::cast_slice_mut(&mut all));
    for row in (0..depth).step_by(TILE) {
        for column in (0..columns).step_by(TILE) {
            if row + TILE <= depth && column + TILE <= columns {
                let (from, to) = (&source[row * columns + column..], &mut target[column * depth + row..]);
                transpose_tile(isa, from, columns, to, depth);
                continue;
            }
            for column in column..columns.min(column + TILE) {
                for row in row..depth.min(row + TILE) {
                    target[column * depth + row] = source[row * columns + column];
                }
            }
        }
    }
    all
}

/// The largest finite magnitude; 0 without any.
fn largest_magnitude(values: &[f32]) -> f32 {
    // Words of magnitudes are in the order of their numbers.
    let magnitude = |x: &f32| {
        let bits = (x.to_bits() & 0x7fff_ffff) as i32;
        if bits < 0x7f80_0000 { bits } else { 0 }
    };
    f32::from_bits(values.iter().map(magnitude).fold(0, i32::max) as u32)
}

/// True if a value is NaN or infinite.
fn any_not_finite(values: &[f32]) -> bool {
    values.iter().fold(false, |any, x| any | !x.is_finite())
}

impl Quantized {
    /// Quantises a matrix whose rows are along the depth. The product has blocks of `block` columns.
    fn new(
        quantizer: &Quantizer,
        values: &[f32],
        columns: usize,
        block: usize,
        seed: u64,
        follower: Option<(&BiasFollower, usize)>,
    ) -> Result<Quantized, KernelError> {
        let rows = values.len() / columns.max(1);
        if quantizer.leaves(columns) {
            return Ok(Quantized::as_is(values.to_vec(), columns, block));
        }
        let rotated = match quantizer.rotation {
            Some(rotation) => Cow::Owned(rotated(rotation, values, columns)),
            None => Cow::Borrowed(values),
        };
        let values = &*rotated;
        let one_scale = |elements| Quantized::as_is(elements, columns, block);
        let own = match follower {
            Some((follower, operand)) => Some(follower.take(operand, quantizer, values)),
            // The largest exponent is that of the largest magnitude.
            None if quantizer.learnt.is_some_and(|learnt| learnt.rule == BiasRule::Largest) => {
                quantizer.under_bias_for(&[largest_magnitude(values)])
            }
            None => quantizer.under_bias_for(values),
        };
        let quantizer = own.as_ref().unwrap_or(quantizer);
        let Some(element) = quantizer.element else { return Ok(one_scale(values.to_vec())) };
        let Some(format) = quantizer.blocks() else {
            let rounded = round(element, values, quantizer.rounding, seed)?;
            if let Some((follower, operand)) = follower {
                follower.count(operand, quantizer, values, &rounded);
            }
            return Ok(one_scale(rounded));
        };
        let shape = (format.shape.0.min(rows.max(1)), format.shape.1.min(columns.max(1)));
        let format = BlockFormat { shape, ..format };
        let nearest = quantizer.rounding == Rounding::NearestEven && !quantizer.four_over_six;
        let by_kernel = nearest.then(|| BlockEncoder::new(format).ok()).flatten();
        let blocked = match by_kernel {
            Some(encoder) => Quantized::by_kernel(quantizer, encoder, values, columns)?,
            None => Quantized::by_blocks(quantizer, format, values, columns, seed)?,
        };
        Ok(blocked.in_blocks_of(block))
    }

    /// Elements that are values, in blocks of `block` columns.
    fn as_is(elements: Vec<f32>, columns: usize, block: usize) -> Quantized {
        let rows = elements.len() / columns.max(1);
        let scales = vec![1.0; columns.div_ceil(block)];
        Quantized { columns, shape: (rows.max(1), block), elements, scales, over: 1.0 }
    }

    /// The scale of the whole tensor, which gives its largest block the scale `largest_scale`; 1 for formats without one.
    fn tensor_scale(quantizer: &Quantizer, format: &BlockFormat, values: &[f32], largest_scale: f64) -> f32 {
        if !quantizer.has_tensor_scale() {
            return 1.0;
        }
        let most = largest_magnitude(values);
        let quotient =
            (most as f64 / (f64::from(largest_number(format.element.grid())) * largest_scale)) as f32;
        if quotient > 0.0 { quotient } else { 1.0 }
    }

    fn by_kernel(
        quantizer: &Quantizer,
        encoder: BlockEncoder,
        values: &[f32],
        columns: usize,
    ) -> Result<Quantized, KernelError> {
        let format = encoder.format();
        let over =
            Quantized::tensor_scale(quantizer, &format, values, f64::from(largest_number(format.scale)));
        let tensor = if over == 1.0 { TensorScale::None } else { TensorScale::Factor(over) };
        let encoder = encoder.with_tensor_scale(tensor)?;
        let (width, rows) = (format.element.width(), values.len() / columns.max(1));
        let mut scales = vec![0; rows * columns.div_ceil(format.shape.1)];
        let mut packed = vec![0; pack::bytes(values.len(), width)];
        encoder.encode_f32(values, columns, &mut scales, &mut packed)?;
        let codes = match width {
            8 => packed,
            _ => {
                let mut codes = vec![0; values.len()];
                pack::unpack(width, &packed, &mut codes)?;
                codes
            }
        };
        let elements = values_of_bytes(format.element, &codes)?;
        let scales = values_of_bytes(format.scale.into(), &scales)?;
        Ok(Quantized { columns, shape: format.shape, elements, scales, over })
    }

    /// Quantises in blocks of any shape, with any rounding of elements.
    fn by_blocks(
        quantizer: &Quantizer,
        format: BlockFormat,
        values: &[f32],
        columns: usize,
        seed: u64,
    ) -> Result<Quantized, KernelError> {
        let grid = format.element.grid();
        // Four over six needs room for scales of half as much again: 448 is less than 256 · 1.5 (arXiv 2512.02010).
        let largest_scale =
            if quantizer.four_over_six { 256.0 } else { f64::from(largest_number(format.scale)) };
        let over = Quantized::tensor_scale(quantizer, &format, values, largest_scale);
        let (down, across) = format.shape;
        let (rows, wide) = (values.len() / columns.max(1), columns.div_ceil(across));
        let place = |at: usize| at / columns / down * wide + at % columns / across;
        let mut maxima = vec![0f32; rows.div_ceil(down) * wide];
        for (row, values) in values.chunks_exact(columns.max(1)).enumerate() {
            let maxima = &mut maxima[row / down * wide..][..wide];
            for (largest, values) in maxima.iter_mut().zip(values.chunks(across)) {
                *largest = largest.max(largest_magnitude(values));
            }
        }
        let any_not_finite = any_not_finite(values);
        let (isa, together) = (Isa::detect(), (TOGETHER / columns.max(1)).max(1));
        let size = (together * columns).clamp(1, values.len().max(1));
        let encode = |scales: &[f32]| -> Result<Vec<f32>, KernelError> {
            let mut encoder = Encoder::new(grid, quantizer.rounding, Saturation::Max)?.with_seed(seed);
            let decoder = Values::new(format.element)?;
            let (mut quotients, mut codes) = (vec![0.0; size], vec![0u16; size]);
            let mut elements = vec![0.0; values.len()];
            // Some rows at once, so that their quotients and codes stay in the cache.
            for (part, (values, elements)) in values.chunks(size).zip(elements.chunks_mut(size)).enumerate() {
                let (out, codes) = (&mut quotients[..values.len()], &mut codes[..values.len()]);
                let first_row = part * together;
                isa.run(Quotients { values, first_row, columns, shape: format.shape, scales, over, out });
                encoder = encoder.starting_at((part * size) as u64);
                encoder.encode_f64(&quotients[..values.len()], &mut *codes)?;
                if format.element == Element::Int8 {
                    for code in &mut *codes {
                        let rounded = Rounded { code: (*code).into(), flags: Flags::NONE };
                        *code = format.element.coded(rounded).code as u16;
                    }
                }
                if any_not_finite {
                    for (at, x) in values.iter().enumerate().filter(|(_, x)| !x.is_finite()) {
                        let value = binade::decode(F32, x.to_bits().into());
                        codes[at] = format.element_not_finite(value, Edition::V4) as u16;
                    }
                }
                decoder.write(codes, elements)?;
            }
            Ok(elements)
        };
        let scales_for = |most: f64| -> Vec<f32> {
            maxima.iter().map(|&m| scale_of(&format, m, f64::from(over), most)).collect()
        };
        let mut scales = scales_for(f64::from(largest_number(grid)));
        let mut elements = encode(&scales)?;
        if quantizer.four_over_six {
            let other_scales = scales_for(4.0);
            let others = encode(&other_scales)?;
            let mut errors = vec![[0f64; 2]; scales.len()];
            // The blocks of a row, with the places of their elements.
            let blocks = |row: usize| {
                let block = move |at: usize| {
                    let from = row * columns;
                    let range = from + at * across..from + columns.min((at + 1) * across);
                    (row / down * wide + at, range)
                };
                (0..wide).map(block)
            };
            let over = f64::from(over);
            for (block, range) in (0..rows).flat_map(blocks) {
                let (six, four) = (f64::from(scales[block]), f64::from(other_scales[block]));
                let error = |element: f32, scale: f64, x: f32| {
                    let error = f64::from(element) * scale * over - f64::from(x);
                    error * error
                };
                let errors = &mut errors[block];
                let both = elements[range.clone()].iter().zip(&others[range.clone()]);
                for ((&of_six, &of_four), &x) in both.zip(&values[range]) {
                    errors[0] += error(of_six, six, x);
                    errors[1] += error(of_four, four, x);
                }
            }
            for (block, range) in (0..rows).flat_map(blocks) {
                let [of_six, of_four] = errors[block];
                if of_four < of_six {
                    elements[range.clone()].copy_from_slice(&others[range]);
                }
            }
            for (block, [of_six, of_four]) in errors.iter().enumerate() {
                if of_four < of_six {
                    scales[block] = other_scales[block];
                }
            }
        }
        // A NaN that elements do not have is the scale's, and elements of such a block are 0.
        if any_not_finite && let NotFinite::Block { .. } = format.not_finite() {
            for (at, x) in values.iter().enumerate().filter(|(_, x)| !x.is_finite()) {
                if count_lost_to_nan(&format, &[*x]) > 0 {
                    scales[place(at)] = f32::NAN;
                }
            }
        }
        Ok(Quantized { columns, shape: format.shape, elements, scales, over })
    }

    /// The same matrix in blocks of `block` columns, which divide its own.
    fn in_blocks_of(self, block: usize) -> Quantized {
        let (down, across) = self.shape;
        if across == block {
            return self;
        }
        let (own, wide) = (self.columns.div_ceil(across), self.columns.div_ceil(block));
        let rows = self.scales.len() / own.max(1);
        let scales = (0..rows).flat_map(|row| (0..wide).map(move |at| row * own + at * block / across));
        let scales = scales.map(|at| self.scales[at]).collect();
        Quantized { shape: (down, block), scales, ..self }
    }

    /// The elements of some rows.
    fn elements(&self, first: usize, count: usize) -> Result<Matrix<'_>, ShapeError> {
        Matrix::new(&self.elements[first * self.columns..], count, self.columns)
    }

    /// Some rows of the matrix; `first` is a multiple of the rows of a block.
    fn rows(&self, first: usize, count: usize) -> Result<BlockMatrix<'_>, ShapeError> {
        let (down, across) = self.shape;
        let wide = self.columns.div_ceil(across);
        let scales = Matrix::new(&self.scales[first / down * wide..], count.div_ceil(down), wide)?;
        BlockMatrix::new(self.elements(first, count)?, scales, self.shape, self.over)
    }

    /// The values: each element times its scales, rounded to binary32 once.
    pub fn values(&self) -> Vec<f32> {
        let (down, across) = self.shape;
        let wide = self.columns.div_ceil(across);
        let scale = |at: usize| self.scales[at / self.columns / down * wide + at % self.columns / across];
        let value = |(at, &element): (usize, &f32)| {
            // The scales have at most 48 bits together, and E4M3's with a binary32 number 28.
            let scale = f64::from(scale(at)) * f64::from(self.over);
            (f64::from(element) * scale) as f32
        };
        self.elements.iter().enumerate().map(value).collect()
    }
}

/// Quantises a matrix whose rows are along the depth, and returns its values ([`Quantized::values`]).
///
/// # Errors
/// Formats that the kernels do not have.
pub fn quantize(
    quantizer: &Quantizer,
    values: &[f32],
    columns: usize,
    seed: u64,
) -> Result<Vec<f32>, KernelError> {
    quantize_following(quantizer, values, columns, seed, None)
}

fn quantize_following(
    quantizer: &Quantizer,
    values: &[f32],
    columns: usize,
    seed: u64,
    follower: Option<(&BiasFollower, usize)>,
) -> Result<Vec<f32>, KernelError> {
    let block = match quantizer.scope {
        Scope::Block(_, across) => across.min(columns),
        _ => columns,
    };
    Ok(Quantized::new(quantizer, values, columns, block.max(1), seed, follower)?.values())
}

/// The scale of a block whose largest magnitude is `maximum`, under a tensor's scale. `most` is the magnitude that the largest
/// element gets.
fn scale_of(format: &BlockFormat, maximum: f32, over: f64, most: f64) -> f32 {
    use binade::block::ScaleRule;
    let grid = format.element.grid();
    let (scale, rule) = (format.scale, format.rule);
    let code = if over == 1.0 && most == f64::from(largest_number(grid)) {
        let maximum = Datum::new(F32, maximum.to_bits() as u64).expect("binary32 has all codes of 32 bits");
        rule.scale(maximum, grid, scale)
    } else {
        // One rounding of the exact quotient: see the notes on exactness of the block kernels.
        let rounding =
            if rule == ScaleRule::Rceil { Rounding::TowardPositive } else { Rounding::NearestEven };
        let quotient = if maximum == 0.0 { 1.0 } else { f64::from(maximum) / (most * over) };
        let quotient = binade::decode(binade::catalog::F64, quotient.to_bits());
        match project(scale, quotient, Projection::new(rounding, Saturation::Max)).code {
            0 => scale.min_positive_code(),
            code => code,
        }
    };
    narrow(scale, code)
}

/// The quotients of all values of a matrix by the scales of their blocks.
struct Quotients<'a> {
    /// Some rows of the matrix.
    values: &'a [f32],
    first_row: usize,
    columns: usize,
    shape: (usize, usize),
    scales: &'a [f32],
    over: f32,
    out: &'a mut [f64],
}

impl Kernel for Quotients<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let Quotients { values, first_row, columns, shape: (down, across), scales, over, out } = self;
        let wide = columns.div_ceil(across);
        let rows = values.chunks_exact(columns.max(1)).zip(out.chunks_exact_mut(columns.max(1)));
        for (row, (values, out)) in (first_row..).zip(rows) {
            let scales = &scales[row / down * wide..][..wide];
            for ((values, out), &scale) in values.chunks(across).zip(out.chunks_mut(across)).zip(scales) {
                let scale = f64::from(scale) * f64::from(over);
                out.iter_mut().zip(values).for_each(|(out, &x)| *out = quotient(x, scale));
            }
        }
    }
}

/// x / scale, rounded to odd in binary64: on the same side of each boundary of rounding as the exact quotient.
#[inline(always)]
fn quotient(x: f32, scale: f64) -> f64 {
    let quotient = f64::from(x) / scale;
    let rest = (-quotient).mul_add(scale, f64::from(x));
    if rest == 0.0 || !rest.is_finite() {
        return quotient;
    }
    // Toward zero, and then odd.
    let too_large = (rest < 0.0) != (quotient < 0.0);
    f64::from_bits((quotient.to_bits() - u64::from(too_large)) | 1)
}

/// Rounds numbers to a format without scales. NaNs and infinities that the format does not have become NaN.
fn round(element: Element, values: &[f32], rounding: Rounding, seed: u64) -> Result<Vec<f32>, KernelError> {
    let mut rounded = round_finite(element, values, rounding, seed)?;
    if !any_not_finite(values) {
        return Ok(rounded);
    }
    for (y, x) in rounded.iter_mut().zip(values).filter(|(_, x)| !x.is_finite()) {
        if y.is_finite() || x.is_nan() {
            *y = f32::NAN;
        }
    }
    Ok(rounded)
}

/// Rounds finite numbers to a format without scales.
fn round_finite(
    element: Element,
    values: &[f32],
    rounding: Rounding,
    seed: u64,
) -> Result<Vec<f32>, KernelError> {
    let Element::Float(format) = element else {
        let grid = element.grid();
        return round_finite(Element::Float(grid), values, rounding, seed);
    };
    if format == F32 {
        return Ok(values.to_vec());
    }
    if format.width() > 16 {
        let projected = |(at, x): (usize, &f32)| {
            let how = Projection::new(rounding.drawn(seed, at as u64), Saturation::Overflow);
            narrow(format, project(format, binade::decode(F32, x.to_bits().into()), how).code)
        };
        return Ok(values.iter().enumerate().map(projected).collect());
    }
    let mut encoder = Encoder::new(format, rounding, Saturation::Overflow)?.with_seed(seed);
    let decoder = Decoder::new(format)?;
    let (mut codes, mut rounded) = ([0u16; TOGETHER], vec![0.0; values.len()]);
    for (part, (values, rounded)) in values.chunks(TOGETHER).zip(rounded.chunks_mut(TOGETHER)).enumerate() {
        let codes = &mut codes[..values.len()];
        encoder = encoder.starting_at((part * TOGETHER) as u64);
        encoder.encode_f32(values, &mut *codes)?;
        decoder.decode_f32(&*codes, rounded)?;
    }
    Ok(rounded)
}

/// Rotates each whole group of a row: signs, butterflies in binary32 from neighbours on, and the factor 1/√N.
fn rotated(rotation: Rotation, values: &[f32], columns: usize) -> Vec<f32> {
    let Rotation { size, signs } = rotation;
    let negative = |at: usize| signs && philox::word(0, at as u64) >> 31 == 1;
    let signs: Vec<f32> = (0..size).map(|at| if negative(at) { -1.0 } else { 1.0 }).collect();
    let factor = (1.0 / (size as f64).sqrt()) as f32;
    let mut all = values.to_vec();
    for row in all.chunks_mut(columns.max(1)) {
        for group in row.chunks_exact_mut(size) {
            group.iter_mut().zip(&signs).for_each(|(x, sign)| *x *= sign);
            let mut half = 1;
            while half < size {
                for pair in group.chunks_exact_mut(2 * half) {
                    let (left, right) = pair.split_at_mut(half);
                    for (x, y) in left.iter_mut().zip(right) {
                        (*x, *y) = (*x + *y, *x - *y);
                    }
                }
                half *= 2;
            }
            group.iter_mut().for_each(|x| *x *= factor);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use binade::ops;
    use binade::philox::Stream;

    use super::*;
    use crate::Order;

    fn quantizer(text: &str) -> Quantizer {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Numbers of many magnitudes, with zeros.
    fn numbers(count: usize, seed: u64) -> Vec<f32> {
        let mut words = Stream::new(seed);
        let number = |word: u32| match word % 9 {
            0 => 0.0,
            _ => f32::from_bits((word & 0x807f_ffff) | (118 + (word >> 23) % 16) << 23),
        };
        (0..count).map(|_| number(words.word())).collect()
    }

    #[test]
    fn quantized_matrices_are_those_of_the_definition() {
        let (rows, columns) = (6, 80);
        let values = numbers(rows * columns, 1);
        for text in [
            "mxfp8_e4m3",
            "mxfp8_e5m2@rule=even",
            "mxfp6_e2m3@rule=ceil",
            "mxfp4@rule=rceil",
            "mxint8",
            "nvfp4",
            "nvfp4/scale=4x16",
            "deepseek_fp8",
            "float8_e4m3fn/scale=tensor",
            "float8_e5m2/scale=row",
            "float8_e4m3fn/scale=row/scales=float8_e8m0fnu/rule=rceil",
            "nvfp4/rounding=stochastic",
            "nvfp4/scale=16x16/rounding=stochastic_b:8",
            "mxfp6_e3m2/rounding=stochastic_c:5",
            "mxfp4/rounding=toward_zero",
        ] {
            let quantizer = quantizer(text);
            let seed = 7;
            let found = Quantized::new(&quantizer, &values, columns, columns.min(16), seed, None).unwrap();
            let found_values = found.values();
            let format = quantizer.blocks().unwrap();
            let over = f64::from(found.over);
            for (at, &x) in values.iter().enumerate() {
                let (row, column) = (at / columns, at % columns);
                // The largest magnitude of the block, and the scale of the rule.
                let (down, across) = (format.shape.0.min(rows), format.shape.1.min(columns));
                let (top, left) = (row / down * down, column / across * across);
                let maximum = (top..(top + down).min(rows))
                    .flat_map(|row| {
                        (left..(left + across).min(columns)).map(move |column| row * columns + column)
                    })
                    .fold(0f32, |most, at| most.max(values[at].abs()));
                let of_64 = |x: f64| Datum::new(binade::catalog::F64, x.to_bits()).unwrap();
                let scale =
                    format.rule.scale(of_64(f64::from(maximum) / over), format.element.grid(), format.scale);
                let scale = f64::from(narrow(format.scale, scale));
                // The exact quotient, rounded once.
                let how = Projection::new(quantizer.rounding.drawn(seed, at as u64), Saturation::Max);
                let exact = ops::divide(of_64(f64::from(x)), of_64(scale * over), format.element.grid(), how);
                let element = f64::from(narrow(format.element.grid(), exact.code));
                assert_eq!(
                    f64::from(found_values[at]),
                    f64::from((element * (scale * over)) as f32),
                    "{text} {at}: {x}"
                );
            }
        }
    }

    fn product(quantizers: [&str; 2], operator: &str, [a, b]: [&[f32]; 2], depth: usize) -> Vec<f32> {
        let operator = operator.parse().unwrap();
        let product = QuantizedProduct::new(quantizers.map(quantizer), operator, Order::Sequential).unwrap();
        let (rows, columns) = (a.len() / depth, b.len() / depth);
        let (left, right) =
            (product.left(a, depth, 0).unwrap(), product.right(b, depth, columns, 0).unwrap());
        let mut c = vec![f32::NAN; rows * columns];
        product.rows(&left, &right, (0, columns), &mut c).unwrap();
        c
    }

    #[test]
    fn operands_without_scales_equal_operands_of_an_operator() {
        let (a, b) = (numbers(4 * 33, 2), numbers(33 * 5, 3));
        let found = product(["bf16", "bf16"], "f32:f32", [&a, &b], 33);
        let mut wanted = vec![0.0; 20];
        let multiplier = Multiplier::new("bf16:f32".parse().unwrap(), Order::Sequential).unwrap();
        let (left, right) = (Matrix::new(&a, 4, 33).unwrap(), Matrix::new(&b, 33, 5).unwrap());
        multiplier.product(left, right, MatrixMut::new(&mut wanted, 4, 5).unwrap()).unwrap();
        assert_eq!(found, wanted);
    }

    #[test]
    fn operands_of_different_blocks_are_added_in_common_blocks() {
        let (a, b) = (numbers(3 * 96, 4), numbers(96 * 2, 5));
        for pair in [
            ["mxfp4", "bf16"],
            ["nvfp4", "mxfp8_e4m3"],
            ["none", "mxint8"],
            ["float8_e5m2/scale=tensor", "mxfp4"],
        ] {
            let found = product(pair, "f32:f32", [&a, &b], 96);
            let dequantised = |text: &str, values: &[f32]| quantize(&quantizer(text), values, 96, 0).unwrap();
            let by_columns: Vec<f32> =
                (0..2).flat_map(|column| b[column..].iter().step_by(2).copied()).collect();
            let (a, b) = (dequantised(pair[0], &a), dequantised(pair[1], &by_columns));
            for (at, &found) in found.iter().enumerate() {
                let terms = (0..96).map(|k| f64::from(a[at / 2 * 96 + k]) * f64::from(b[at % 2 * 96 + k]));
                let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
                assert!((f64::from(found) - sum).abs() <= size * 1e-5, "{pair:?}: {found} {sum}");
            }
        }
    }

    #[test]
    fn rotations_of_both_operands_cancel() {
        // Integers, whose rotations by 16 are exact.
        let a: Vec<f32> = (0..40).map(|at| (at * 7 % 11) as f32 - 5.0).collect();
        let b: Vec<f32> = (0..40).map(|at| (at * 5 % 13) as f32 - 6.0).collect();
        let plain = product(["none", "none"], "f32:f32", [&a, &b], 40);
        for rotation in ["none/hadamard=16", "none/hadamard=16/signs=random", "none/hadamard=4"] {
            assert_eq!(product([rotation, rotation], "f32:f32", [&a, &b], 40), plain, "{rotation}");
        }
        let spread =
            quantize(&quantizer("none/hadamard=16"), &[[16.0].as_slice(), &[0.0; 15]].concat(), 16, 0);
        assert_eq!(spread.unwrap(), [4.0; 16]);
    }

    #[test]
    fn four_over_six_chooses_the_scale_of_less_error() {
        // Under a largest element of 6, 30 of 40 is 4.5 and becomes 4. Under 4 it is 3, which E2M1 has. 768 makes the tensor's
        // scale 1/2, so that both scales are numbers of E4M3.
        let mut values = vec![0.0; 32];
        (values[0], values[16], values[17], values[18]) = (768.0, 40.0, 30.0, 20.0);
        let found = quantize(&quantizer("nvfp4/rule=four_over_six"), &values, 32, 0).unwrap();
        assert_eq!(found, values);
        let nearest = quantize(&quantizer("nvfp4"), &values, 32, 0).unwrap();
        assert_ne!(nearest[16..19], values[16..19]);
    }

    #[test]
    fn stochastic_elements_have_the_mean_of_their_numbers() {
        let quantizer = quantizer("nvfp4/rounding=stochastic");
        let values: Vec<f32> = (0..16).map(|at| 0.3 + at as f32 * 0.37).collect();
        let draws = 4000;
        let mut sums = [0f64; 16];
        let mut squares = [0f64; 16];
        for seed in 0..draws {
            let found = quantize(&quantizer, &values, 16, seed).unwrap();
            for (at, &x) in found.iter().enumerate() {
                sums[at] += f64::from(x);
                squares[at] += f64::from(x).powi(2);
            }
        }
        for at in 0..15 {
            let mean = sums[at] / draws as f64;
            let error = ((squares[at] / draws as f64 - mean * mean) / draws as f64).sqrt();
            assert!(
                (mean - f64::from(values[at])).abs() <= 5.0 * error + 1e-12,
                "{at}: {mean} for {}",
                values[at]
            );
        }
    }

    #[test]
    fn not_finite_numbers_reach_their_block() {
        for text in [
            "nvfp4/rounding=stochastic",
            "nvfp4/scale=16x16",
            "mxfp4/rounding=stochastic",
            "float8_e4m3fn/scale=row",
        ] {
            for special in [f32::NAN, f32::INFINITY] {
                let mut values = vec![1.0; 64];
                values[3] = special;
                let found = quantize(&quantizer(text), &values, 32, 0).unwrap();
                assert!(found[3].is_nan(), "{text}: {found:?}");
                assert!(!found[63].is_nan() || text.contains("16x16"), "{text}: {found:?}");
            }
        }
    }

    /// An image of 7 pixels of 12 features and padding, of which patches of 3 pixels have some several times, and one never.
    #[test]
    fn patches_quantised_by_pixel_are_those_quantised_whole() {
        const FEATURES: usize = 12;
        let sources = [[0u32, 1, 2], [1, 2, 4], [2, 4, 7], [7, 7, 0], [5, 6, 0]].concat();
        for (text, by_pixel) in [
            ("none", true),
            ("bf16", true),
            ("cfloat8_1_4_3/bias=learnt", true),
            ("float8_e4m3fn/scale=tensor", true),
            ("nvfp4/scale=tensor/rule=four_over_six", true),
            ("nvfp4/scale=1x4", true),
            ("float4_e2m1fn/scale=1x12/hadamard=4/signs=random", true),
            ("mxint8/scale=1x6", true),
            ("mxfp4/scale=1x2/hadamard=2", true),
            ("nvfp4", false),
            ("mxfp8_e4m3/scale=1x4/hadamard=8", false),
            ("float8_e4m3fn/scale=row", false),
            ("float8_e4m3fn/scale=2x4", false),
            ("bf16/rounding=stochastic", false),
            ("cfloat8_1_4_3/bias=learnt/by=mse", false),
        ] {
            for other in ["bf16", "float8_e4m3fn/scale=1x8", "float8_e4m3fn/scale=tensor"] {
                let operator: Operator = "f32:f32".parse().unwrap();
                let product =
                    QuantizedProduct::new([quantizer(text), quantizer(other)], operator, Order::Sequential);
                for special in [None, Some(f32::NAN), Some(f32::INFINITY)] {
                    let counter = NotFiniteCounter::default();
                    let product = product.clone().unwrap().counting(counter.clone());
                    let mut pixels = numbers(8 * FEATURES, 6);
                    // Pixel 3 is in no patch.
                    pixels[3 * FEATURES] = 1e30;
                    pixels[3 * FEATURES + 1] = f32::NAN;
                    pixels[7 * FEATURES..].fill(0.0);
                    if let Some(special) = special {
                        pixels[4 * FEATURES + 5] = special;
                    }
                    let patches = Patches { pixels: &pixels, features: FEATURES, sources: &sources, taps: 3 };
                    let whole: Vec<f32> = (sources.iter())
                        .flat_map(|&at| pixels[at as usize * FEATURES..][..FEATURES].to_vec())
                        .collect();
                    let found = product.left_of_patches(&patches, 2, false).unwrap();
                    // Blocks of 8 of the other operand are cut where both end.
                    assert_eq!(found.is_some(), by_pixel, "{text} {other}");
                    let Some(found) = found else { continue };
                    let counts = counter.take();
                    let wanted = product.left(&whole, 3 * FEATURES, 2).unwrap();
                    assert_eq!(counts, counter.take(), "{text} {other} {special:?}");
                    let bits = |all: &[f32]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    assert_eq!(bits(&found.elements), bits(&wanted.elements), "{text} {other} {special:?}");
                    assert_eq!(bits(&found.scales), bits(&wanted.scales), "{text} {other} {special:?}");
                    let sizes = |of: &Quantized| (of.columns, of.shape, of.over.to_bits());
                    assert_eq!(sizes(&found), sizes(&wanted), "{text} {other}");
                }
            }
        }
    }

    #[test]
    fn transpose_has_each_element_in_its_place() {
        for (depth, columns) in [(1, 1), (16, 16), (33, 50), (48, 16), (5, 70), (0, 3)] {
            let values = numbers(depth * columns, 3);
            let found = transposed(&values, depth, columns);
            let wanted: Vec<f32> = (0..columns)
                .flat_map(|column| (0..depth).map(move |row| (row, column)))
                .map(|(row, column)| values[row * columns + column])
                .collect();
            assert_eq!(found, wanted, "{depth} {columns}");
        }
    }

    #[test]
    fn largest_magnitudes_are_those_of_finite_numbers() {
        assert_eq!(largest_magnitude(&[]), 0.0);
        assert_eq!(largest_magnitude(&[1.0, -2.5, f32::NAN, f32::NEG_INFINITY, 0.0]), 2.5);
        assert_eq!(largest_magnitude(&[f32::MAX, -f32::from_bits(1)]), f32::MAX);
    }

    /// Every element format has its NaN in the results: its own, the scale's, or the value's.
    #[test]
    fn not_finite_inputs_are_never_numbers_in_results() {
        for text in [
            "mxfp4",
            "mxfp6_e3m2",
            "mxfp8_e4m3",
            "mxint8",
            "nvfp4",
            "nvfp4/rule=four_over_six",
            "nvfp4/hadamard=16/signs=random",
            "float8_e4m3fn/scale=tensor",
            "float8_e5m2/scale=1x16",
            "float4_e2m1fn",
            "float6_e3m2fn",
            "cfloat8_1_4_3@bias=7",
            "cfloat8_1_5_2/bias=learnt",
            "shp/bias=learnt/by=mse",
            "uhp/rounding=stochastic",
            "bf16",
            "f32",
        ] {
            for special in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut values: Vec<f32> = (0..64).map(|at| 1.0 + at as f32 / 64.0).collect();
                values[35] = special;
                let found = quantize(&quantizer(text), &values, 32, 0).unwrap();
                assert!(!found[35].is_finite(), "{text}: {special} became {}", found[35]);
                assert!(!special.is_nan() || found[35].is_nan(), "{text}");
                // A product has it in each sum.
                let product = QuantizedProduct::new(
                    [quantizer(text), quantizer(text)],
                    "f32:f32".parse().unwrap(),
                    Order::Sequential,
                );
                let counter = NotFiniteCounter::default();
                let product = product.unwrap().counting(counter.clone());
                let left = product.left(&values, 32, 0).unwrap();
                let right = product.right(&vec![1.0; 96], 32, 3, 0).unwrap();
                let mut c = vec![0.0; 6];
                product.rows(&left, &right, (0, 3), &mut c).unwrap();
                assert!(c[3..].iter().all(|x| !x.is_finite()), "{text}: {special}: {c:?}");
                let expected = if special.is_nan() { [1, 0] } else { [0, 1] };
                assert_eq!(counter.take(), [expected, [0, 0]], "{text}");
            }
        }
    }

    #[test]
    fn partial_blocks_are_filled_with_zeros_or_left_as_asked() {
        let values = numbers(3 * 40, 5);
        let filled: Vec<f32> = values.chunks(40).flat_map(|row| [row, &[0.0; 24]].concat()).collect();
        for text in ["mxfp4", "nvfp4", "float8_e4m3fn/scale=1x16", "nvfp4/rounding=stochastic:8"] {
            let whole = quantize(&quantizer(text), &filled, 64, 3).unwrap();
            let whole: Vec<f32> = whole.chunks(64).flat_map(|row| row[..40].to_vec()).collect();
            for option in ["", "/partial=pad"] {
                let found = quantize(&quantizer(&format!("{text}{option}")), &values, 40, 3).unwrap();
                // Random bits belong to elements, whose numbers are others in longer rows.
                assert!(found == whole || text.contains("stochastic"), "{text}{option}");
            }
            let leave = quantizer(&format!("{text}/partial=leave"));
            assert_eq!(quantize(&leave, &values, 40, 3).unwrap(), values);
            let rows = quantize(&leave, &filled, 64, 3).unwrap();
            assert_eq!(rows, quantize(&quantizer(text), &filled, 64, 3).unwrap());

            let b = numbers(40 * 5, 6);
            let of = |quantizers: [&str; 2], operator: &str| {
                let operator = operator.parse().unwrap();
                let product = QuantizedProduct::new(quantizers.map(quantizer), operator, Order::Sequential);
                let product = product.unwrap().with_key(1);
                let left = product.left(&values, 40, 0).unwrap();
                let right = product.right(&b, 40, 5, 0).unwrap();
                let mut c = vec![0.0; 15];
                product.rows(&left, &right, (0, 5), &mut c).unwrap();
                c
            };
            // One quantizer that leaves its operand leaves the product.
            let plain = of(["none", "none"], "f32:f32");
            assert_eq!(of([&format!("{text}/partial=leave"), "mxfp4"], "f32:bf16"), plain, "{text}");
            assert_ne!(of([text, "mxfp4"], "f32:f32"), plain, "{text}");
        }
    }
}
