//! Decoding of blocks along rows to numbers.

use std::sync::OnceLock;

use binade::block::{BlockFormat, Element};
use binade::catalog::{BF16, F16, F64};
use binade::{Edition, Format, Projection, Rounding, Saturation, project};
use binade_simd::lanes::{Bytes, HalvesLeg, Lanes, Leg, SmallFloat, Words};
use binade_simd::{Environment, HalvesKernel, Isa, Kernel};

use super::packed::{self, Target};
use super::powers::Binary16;
use super::{CHUNK, ClearNegativeZeros, TensorScale, UNIT, check, check_lengths, integers, value};
use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::error::KernelError;
use crate::generic::strips;
use crate::pack;

/// Decodes blocks along rows, as [`BlockFormat::decode`] does: each value is the exact product, rounded once to nearest
/// even.
#[derive(Clone, Debug)]
pub struct BlockDecoder {
    format: BlockFormat,
    tensor: TensorScale,
    edition: Edition,
    isa: Isa,
    elements: Decoder,
    scales: Box<[f32; 256]>,
    halves: [Encoder; 2],
    high_bytes: Box<HighBytes>,
    /// Constants for bfloat16 and binary16.
    half_bytes: Box<[HalfBytes; 2]>,
    /// Tables for bfloat16 and binary16 and 4-bit codes. They are computed when they first pay off, and again after
    /// their parameters change.
    tables: [OnceLock<Table>; 2],
}

/// Prefetch distance in bytes for 6-bit elements. For other elements the hardware prefetches.
const PREFETCH_DISTANCE: usize = 2 << 10;

/// The values of all 4-bit codes under all 8-bit scales.
type Table = Box<[[u16; 16]; 256]>;

impl BlockDecoder {
    /// A decoder by the definitions of P3109 4.0, on the best instruction set.
    ///
    /// # Errors
    /// The errors of [`crate::BlockEncoder::new`].
    pub fn new(format: BlockFormat) -> Result<BlockDecoder, KernelError> {
        check(&format)?;
        let half = |format| Encoder::new(format, Rounding::NearestEven, Saturation::Overflow);
        Ok(BlockDecoder {
            format,
            tensor: TensorScale::None,
            edition: Edition::V4,
            isa: Isa::detect(),
            elements: Decoder::new(format.element.grid())?,
            scales: Box::new(std::array::from_fn(|code| value(format.scale, code as u64) as f32)),
            halves: [half(BF16)?, half(F16)?],
            high_bytes: Box::new(HighBytes::new(format.element.grid())),
            half_bytes: Box::new([BF16, F16].map(|half| HalfBytes::new(format, half))),
            tables: Default::default(),
        })
    }

    /// Decodes by the definitions of an edition: 0.9.1 keeps the signs of zeros.
    pub fn in_edition(self, edition: Edition) -> BlockDecoder {
        BlockDecoder { edition, tables: Default::default(), ..self }
    }

    /// Sets the tensor's scale.
    ///
    /// # Errors
    /// The errors of [`crate::BlockEncoder::with_tensor_scale`]; any but [`TensorScale::None`] with elements of more
    /// than four bits.
    pub fn with_tensor_scale(self, tensor: TensorScale) -> Result<BlockDecoder, KernelError> {
        tensor.check()?;
        if let TensorScale::Factor(scale) | TensorScale::Divisor(scale) = tensor
            && (self.format.scale.precision() == 1 || self.format.element.width() > 4)
        {
            return Err(KernelError::TensorScale { scale });
        }
        Ok(BlockDecoder { tensor, tables: Default::default(), ..self })
    }

    /// Uses this instruction set.
    pub fn with_isa(self, isa: Isa) -> BlockDecoder {
        let halves = self.halves.map(|encoder| encoder.with_isa(isa));
        BlockDecoder { isa, elements: self.elements.with_isa(isa), halves, ..self }
    }

    /// The format decoded from.
    pub(super) fn format(&self) -> BlockFormat {
        self.format
    }

    /// The edition of P3109.
    pub(super) fn edition(&self) -> Edition {
        self.edition
    }

    /// The instruction set.
    pub(super) fn isa(&self) -> Isa {
        self.isa
    }

    /// Decodes rows of `columns` elements to binary32; slices are as in [`crate::BlockEncoder::encode_f32`].
    ///
    /// # Errors
    /// Slices of wrong lengths; nothing is written then.
    pub fn decode_f32(
        &self,
        scales: &[u8],
        elements: &[u8],
        columns: usize,
        values: &mut [f32],
    ) -> Result<(), KernelError> {
        check_lengths(&self.format, values.len(), columns, scales.len(), elements.len())?;
        let _environment = Environment::enter();
        let stream = strips::streams(elements, values);
        let done = match self.tensor {
            TensorScale::None => self.whole(scales, elements, columns, None, values, stream),
            TensorScale::Factor(factor) => {
                self.whole(scales, elements, columns, Some(factor), values, stream)
            }
            // Divisions are so slow that another pass does not matter.
            TensorScale::Divisor(_) => 0,
        };
        self.decode(scales, elements, columns, done, values.len(), |start, some, _| {
            values[start..start + some.len()].copy_from_slice(some);
            Ok(())
        })
    }

    /// Decodes to the bits of bfloat16 numbers; see [`BlockDecoder::decode_f32`].
    ///
    /// # Errors
    /// As [`BlockDecoder::decode_f32`].
    pub fn decode_bf16(
        &self,
        scales: &[u8],
        elements: &[u8],
        columns: usize,
        values: &mut [u16],
    ) -> Result<(), KernelError> {
        self.decode_halves(0, scales, elements, columns, values)
    }

    /// Decodes to the bits of binary16 numbers; see [`BlockDecoder::decode_f32`].
    ///
    /// # Errors
    /// As [`BlockDecoder::decode_f32`].
    pub fn decode_f16(
        &self,
        scales: &[u8],
        elements: &[u8],
        columns: usize,
        values: &mut [u16],
    ) -> Result<(), KernelError> {
        self.decode_halves(1, scales, elements, columns, values)
    }

    fn decode_halves(
        &self,
        which: usize,
        scales: &[u8],
        elements: &[u8],
        columns: usize,
        values: &mut [u16],
    ) -> Result<(), KernelError> {
        check_lengths(&self.format, values.len(), columns, scales.len(), elements.len())?;
        let (half, block) = (&self.halves[which], self.format.shape.1);
        // Rounding products in registers, where the leg can, is faster than a table in memory.
        let direct = self.tensor == TensorScale::None && !self.isa.has_halves() && self.isa.has_packed();
        let made = self.tables[which].get();
        if (made.is_some() || values.len() >= MIN_FOR_TABLE)
            && !direct
            && self.format.element.width() == 4
            && block.is_multiple_of(2)
            && columns.is_multiple_of(block)
        {
            let table = match made {
                Some(table) => table,
                None => {
                    let table = self.table(which)?;
                    self.tables[which].get_or_init(|| table)
                }
            };
            let done = self.isa.run_halves(LookUp { table, block, scales, elements, values }).unwrap_or(0);
            let (scales, elements) = (&scales[done / block..], &elements[done / 2..]);
            self.isa.run(LookUp { table, block, scales, elements, values: &mut values[done..] });
            return Ok(());
        }
        let done = if self.tensor == TensorScale::None && which == 0 {
            self.whole_halves::<false>(scales, elements, columns, values)
        } else if self.tensor == TensorScale::None {
            self.whole_halves::<true>(scales, elements, columns, values)
        } else {
            0
        };
        let mut double = vec![];
        self.decode(scales, elements, columns, done, values.len(), |start, some, products| {
            let to = &mut values[start..start + some.len()];
            if self.tensor == TensorScale::None {
                half.encode_f32(some, &mut *to)?;
                self.clear_negative_zeros(to);
                return Ok(());
            }
            // Products of 6 bits with the tensor's scale are exact in binary64. Quotients are rounded there and again;
            // the result is that of one rounding, as the head of `blocks/mod.rs` shows.
            double.resize(some.len(), 0.0);
            let (over, by) = self.tensor.sides();
            double.iter_mut().zip(products).for_each(|(to, &x)| *to = x as f64 * by / over);
            half.encode_f64(&double[..], &mut *to)?;
            self.clear_negative_zeros(to);
            Ok(())
        })
    }

    fn table(&self, which: usize) -> Result<Table, KernelError> {
        let shape = BlockFormat { shape: (1, 16), ..self.format };
        let sixteen = BlockDecoder { format: shape, tables: Default::default(), ..self.clone() };
        let scales: [u8; 256] = std::array::from_fn(|scale| scale as u8);
        let elements: [u8; 256 * 8] = std::array::from_fn(|at| (0x10 + 0x22 * (at % 8)) as u8);
        let mut table = Box::new([[0; 16]; 256]);
        sixteen.decode_halves(which, &scales, &elements, 16, table.as_flattened_mut())?;
        Ok(table)
    }

    /// Replaces −0 by 0: in 4.0 not even underflow gives −0.
    fn clear_negative_zeros(&self, halves: &mut [u16]) {
        if self.edition == Edition::V4 {
            self.isa.run(ClearNegativeZeros { zero: 1 << 15, codes: halves });
        }
    }

    /// Decodes the first values, in whole blocks, as far as [`Whole`] can. Returns their number. To be called within an
    /// [`Environment`].
    fn whole(
        &self,
        scales: &[u8],
        elements: &[u8],
        columns: usize,
        factor: Option<f32>,
        values: &mut [f32],
        stream: bool,
    ) -> usize {
        self.of_blocks(columns, || {
            if !self.isa.has_halves() {
                return self.packed(scales, elements, factor, values);
            }
            let products = self.products(scales, elements);
            self.isa.run_halves(Whole { products, factor, values, stream })
        })
    }

    /// Decodes the first values by [`packed`]. Returns their number.
    fn packed<T: Target>(
        &self,
        scales: &[u8],
        elements: &[u8],
        factor: Option<f32>,
        values: &mut [T],
    ) -> Option<usize> {
        let float = match self.format.element {
            Element::Float(grid) => Some(SmallFloat {
                exponent_bits: grid.exponent_bits(),
                emin: grid.emin(),
                // The bytes of magnitudes come first in the tables; for 4-bit elements, those of all codes.
                last: self.high_bytes.nan - 1,
                bytes: [&self.high_bytes.low, &self.high_bytes.high],
            }),
            Element::Int8 => None,
        };
        let (width, block) = (self.format.element.width(), self.format.shape.1);
        let (by, zero) = (&*self.scales, self.zero());
        self.isa.run_packed(packed::Decode {
            float,
            width,
            block,
            scales,
            by,
            factor,
            zero,
            elements,
            values,
        })
    }

    /// Decodes the first values to bfloat16 or binary16, without a tensor's scale. Returns their number.
    fn whole_halves<const BINARY16: bool>(
        &self,
        scales: &[u8],
        elements: &[u8],
        columns: usize,
        values: &mut [u16],
    ) -> usize {
        let _environment = Environment::enter();
        self.of_blocks(columns, || {
            if !self.isa.has_halves() {
                return match BINARY16 {
                    true => self.packed(scales, elements, None, Binary16::of_mut(values)),
                    false => self.packed(scales, elements, None, values),
                };
            }
            let (products, unsigned) = (self.products(scales, elements), self.edition == Edition::V4);
            let bytes = &self.half_bytes[BINARY16 as usize];
            self.isa.run_halves(WholeHalves::<BINARY16> { products, bytes, unsigned, values })
        })
    }

    /// The number of elements in whole blocks among those that a kernel has done; 0 if rows have partial blocks.
    fn of_blocks(&self, columns: usize, done: impl FnOnce() -> Option<usize>) -> usize {
        let block = self.format.shape.1;
        if !columns.is_multiple_of(block) || !block.is_multiple_of(16) {
            return 0;
        }
        let done = done().unwrap_or(0);
        done - done % block
    }

    fn products<'a>(&'a self, scales: &'a [u8], elements: &'a [u8]) -> Products<'a> {
        Products {
            tables: &self.high_bytes,
            width: self.format.element.width(),
            block: self.format.shape.1,
            scales,
            by: &self.scales,
            zero: self.zero(),
            integers: self.format.element == Element::Int8,
            elements,
        }
    }

    /// The addend of products: x + 0 is x except for −0, and x + −0 is x.
    fn zero(&self) -> f32 {
        if self.edition == Edition::V4 { 0.0 } else { -0.0 }
    }

    /// Calls `take(start, values, products without the tensor's scale)` with one chunk after another, from `first` on,
    /// which must begin a byte.
    fn decode(
        &self,
        scales: &[u8],
        elements: &[u8],
        columns: usize,
        first: usize,
        count: usize,
        mut take: impl FnMut(usize, &[f32], &[f32]) -> Result<(), KernelError>,
    ) -> Result<(), KernelError> {
        check_lengths(&self.format, count, columns, scales.len(), elements.len())?;
        if first == count {
            return Ok(());
        }
        let _environment = Environment::enter();
        let (width, block) = (self.format.element.width(), self.format.shape.1);
        let (mut codes, mut of_codes) = (Box::new([0u8; CHUNK]), Box::new([0f32; CHUNK]));
        let (mut products, mut values) = (Box::new([0f32; CHUNK]), Box::new([0f32; CHUNK]));
        let across = columns.div_ceil(block).max(1);
        let (even, zero) = (columns.is_multiple_of(block) && CHUNK.is_multiple_of(block), self.zero());
        let mut by = vec![];
        for start in (first..count).step_by(CHUNK) {
            let length = CHUNK.min(count - start);
            let packed = &elements[pack::bytes(start, width)..][..pack::bytes(length, width)];
            let (codes, of_codes) = (&mut codes[..length], &mut of_codes[..length]);
            let (products, values) = (&mut products[..length], &mut values[..length]);
            let chunk_scales =
                if even { &scales[start / block..(start + length).div_ceil(block)] } else { &[] };
            let whole = even && self.whole(chunk_scales, packed, length, None, products, false) == length;
            if !whole {
                match width {
                    4 => self.isa.run(Halves { packed, values: of_codes }),
                    8 if self.format.element == Element::Int8 => {
                        self.isa.run(Integers { packed, values: of_codes });
                    }
                    8 => self.elements.decode_f32(packed, of_codes)?,
                    width => {
                        pack::unpack(width, packed, codes)?;
                        self.elements.decode_f32(&*codes, of_codes)?;
                    }
                }
                by.clear();
                if even {
                    by.extend(chunk_scales.iter().map(|&scale| self.scales[scale as usize]));
                } else {
                    by.extend((start..start + length).map(|at| {
                        self.scales[scales[at / columns * across + at % columns / block] as usize]
                    }));
                }
                let block = if even { block } else { 1 };
                self.isa.run(Scale { source: of_codes, block, by: &by, zero, products });
            }
            let after = match self.tensor {
                TensorScale::None => &*products,
                TensorScale::Factor(by) => {
                    values.iter_mut().zip(&*products).for_each(|(value, x)| *value = x * by + zero);
                    &*values
                }
                TensorScale::Divisor(by) => {
                    values.iter_mut().zip(&*products).for_each(|(value, x)| *value = x / by + zero);
                    &*values
                }
            };
            take(start, after, products)?;
        }
        Ok(())
    }
}

/// Decodes MXINT8's elements, any number of them.
struct Integers<'a> {
    packed: &'a [u8],
    values: &'a mut [f32],
}

impl Kernel for Integers<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        for (value, &code) in self.values.iter_mut().zip(self.packed) {
            *value = code as i8 as f32 * UNIT;
        }
    }
}

/// Number of elements for which computing a table is worthwhile: more than it has entries.
const MIN_FOR_TABLE: usize = 1 << 14;

/// Looks up 4-bit codes as 16-bit numbers, in a table of both codes of a byte for each scale.
struct LookUp<'a> {
    table: &'a [[u16; 16]; 256],
    block: usize,
    scales: &'a [u8],
    elements: &'a [u8],
    values: &'a mut [u16],
}

impl Kernel for LookUp<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let blocks = self.elements.chunks(self.block / 2).zip(self.values.chunks_mut(self.block));
        for ((elements, values), &scale) in blocks.zip(self.scales) {
            let row = &self.table[scale as usize];
            for (pair, &byte) in values.as_chunks_mut().0.iter_mut().zip(elements) {
                *pair = [row[byte as usize & 15], row[byte as usize >> 4]];
            }
        }
    }
}

impl HalvesKernel for LookUp<'_> {
    type Output = usize;

    /// Returns the number of elements in whole vectors and whole blocks.
    #[inline(always)]
    fn run<L: HalvesLeg>(self, leg: L) -> usize {
        let LookUp { table, block, scales, elements, values } = self;
        if !block.is_multiple_of(16) {
            return 0;
        }
        const { assert!(L::Halves::COUNT == 32) };
        let mut place = ScaleIterator { block, scales, within: 0 };
        let row = |scale: &u8| &table[*scale as usize];
        let mut done = 0;
        for (elements, values) in elements.as_chunks::<32>().0.iter().zip(values.as_chunks_mut::<64>().0) {
            let Some([a, b, c, d]) = place.four() else { break };
            let (first, second) = ([row(a), row(b)], [row(c), row(d)]);
            done += 64;
            let (from, to) = (elements.as_ptr(), values.as_mut_ptr());
            // SAFETY: `from` has 16 bytes and `to` a vector of 32 elements.
            unsafe {
                leg.store_halves(leg.look_up_nibbles(from, first), to);
                leg.store_halves(leg.look_up_nibbles(from.add(16), second), to.add(32));
            }
        }
        done - done % block
    }
}

/// Decodes codes of E2M1, two in each byte, to binary32.
struct Halves<'a> {
    packed: &'a [u8],
    values: &'a mut [f32],
}

impl Kernel for Halves<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        #[inline(always)]
        fn value(code: u32) -> f32 {
            let magnitude = code & 7;
            // Exponent 1 has the field 127. Code 1, the only nonzero subnormal, is 1/2.
            let normal = (magnitude << 22).wrapping_add(126 << 23);
            let word = match magnitude {
                0 => 0,
                1 => 126 << 23,
                _ => normal,
            };
            f32::from_bits(word | (code & 8) << 28)
        }
        let (pairs, last) = self.values.as_chunks_mut::<2>();
        for (pair, &byte) in pairs.iter_mut().zip(self.packed) {
            let byte = byte as u32;
            *pair = [value(byte & 15), value(byte >> 4)];
        }
        if let ([last], Some(&byte)) = (last, self.packed.last()) {
            *last = value(byte as u32 & 15);
        }
    }
}

/// Multiplies the numbers of blocks by their scales.
struct Scale<'a> {
    source: &'a [f32],
    block: usize,
    by: &'a [f32],
    zero: f32,
    products: &'a mut [f32],
}

impl Kernel for Scale<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, leg: L) {
        let Scale { source, block, by, zero, products } = self;
        let addend = leg.words(zero.to_bits());
        for ((from, to), by) in source.chunks(block).zip(products.chunks_mut(block)).zip(by) {
            let (factor, whole) =
                (leg.words(by.to_bits()), from.len().min(to.len()) / L::Words::COUNT * L::Words::COUNT);
            for at in (0..whole).step_by(L::Words::COUNT) {
                // SAFETY: a vector from `at` is within both slices.
                unsafe {
                    let x = factor.load_f32(from.as_ptr().add(at));
                    x.multiply_add_f32(factor, addend).store::<false>(to.as_mut_ptr().add(at).cast());
                }
            }
            for (to, x) in to[whole..].iter_mut().zip(&from[whole..]) {
                *to = x * by + zero;
            }
        }
    }
}

/// The bytes of elements' values, all of which are bfloat16 numbers. For 8-bit codes they are those of magnitudes, with
/// the sign set if a code has no sign, for any eighth bit.
#[derive(Clone, Debug)]
struct HighBytes {
    low: [u8; 128],
    high: [u8; 128],
    /// The first 8-bit code that is NaN; the sign of NaNs is not kept.
    nan: u8,
}

impl HighBytes {
    fn new(elements: Format) -> HighBytes {
        let codes = 1 << elements.width().min(7);
        let bytes = |at: usize| {
            let x = value(elements, at as u64 % codes) as f32;
            let word = if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() };
            ((word >> 16) as u16).to_le_bytes()
        };
        let nan = |at: usize| elements.width() == 8 && value(elements, at as u64).is_nan();
        HighBytes {
            low: std::array::from_fn(|at| bytes(at)[0]),
            high: std::array::from_fn(|at| bytes(at)[1] | (nan(at) as u8) << 7),
            nan: (0..128).find(|&code| value(elements, code as u64 % codes).is_nan()).unwrap_or(128),
        }
    }
}

/// The bytes of elements' values in bfloat16 or binary16. Also the scales, powers of two, under which all nonzero
/// values stay normal, so that a scale is added to exponents.
#[derive(Clone, Debug)]
struct HalfBytes {
    low: [u8; 128],
    /// The higher bytes, as in [`HighBytes`], if 0 has a sign and if it has none.
    high: [[u8; 128]; 2],
    /// The scale codes from `first` on, `count` of them.
    first: u8,
    scales: u8,
}

impl HalfBytes {
    fn new(format: BlockFormat, half: Format) -> HalfBytes {
        let elements = format.element.grid();
        let codes = 1 << elements.width().min(7);
        let value = |at: usize| value(elements, at as u64 % codes);
        let bytes = |at| {
            let exact = binade::decode(F64, f64::to_bits(value(at)));
            (project(half, exact, Projection::default()).code as u16).to_le_bytes()
        };
        let finite = (1..128).find(|&code| !value(code).is_finite()).unwrap_or(128);
        // The codes of magnitudes are ordered: 1 is the least nonzero number.
        let exponent = |code| (value(code).to_bits() >> 52) as i32 - 1023;
        let most = exponent((finite - 1).min((1 << (elements.width() - 1)) - 1));
        let (first, last) = (half.emin() - exponent(1), half.emax() - most);
        let normal =
            exponent(1) >= half.emin() && format.scale.precision() == 1 && format.element != Element::Int8;
        let (first, end) = ((first + 127).max(0), (last + 127).min(254) + 1);
        HalfBytes {
            low: std::array::from_fn(|at| bytes(at)[0]),
            high: [false, true].map(|unsigned| {
                let none = |at| elements.width() == 8 && (value(at).is_nan() || unsigned && at == 0);
                std::array::from_fn(|at| bytes(at)[1] | (none(at) as u8) << 7)
            }),
            first: first.min(255) as u8,
            scales: if normal { (end - first).clamp(0, 255) as u8 } else { 0 },
        }
    }
}

/// An iterator over the scales of the next elements. It counts, because a division would take as long as everything
/// else.
struct ScaleIterator<'a> {
    block: usize,
    scales: &'a [u8],
    within: usize,
}

impl<'a> ScaleIterator<'a> {
    /// The scale of the next 16 elements.
    #[inline(always)]
    fn next(&mut self) -> Option<&'a u8> {
        let (scale, rest) = self.scales.split_first()?;
        self.within += 16;
        if self.within == self.block {
            (self.scales, self.within) = (rest, 0);
        }
        Some(scale)
    }

    /// The scales of the next 64 elements, if all previous calls were for 64.
    #[inline(always)]
    fn four(&mut self) -> Option<[&'a u8; 4]> {
        match self.block {
            16 => {
                let ([a, b, c, d], rest) = self.scales.split_first_chunk()?;
                self.scales = rest;
                Some([a, b, c, d])
            }
            32 => {
                let ([a, b], rest) = self.scales.split_first_chunk()?;
                self.scales = rest;
                Some([a, a, b, b])
            }
            _ => Some([self.next()?, self.next()?, self.next()?, self.next()?]),
        }
    }
}

/// The products of elements and scales, in blocks of a multiple of 16.
#[derive(Clone, Copy)]
struct Products<'a> {
    tables: &'a HighBytes,
    width: u32,
    block: usize,
    scales: &'a [u8],
    /// The values of the scales, by code.
    by: &'a [f32; 256],
    zero: f32,
    /// True if elements are 8-bit integers, which [`integers`] loads.
    integers: bool,
    elements: &'a [u8],
}

impl Products<'_> {
    /// Calls `take` with the products of each whole vector of codes.
    #[inline(always)]
    fn each<L: HalvesLeg, const WIDTH: u32, const STREAM: bool>(
        self,
        leg: L,
        count: usize,
        mut take: impl FnMut([L::Words; 4]),
    ) {
        let bytes = self.bytes(leg);
        let mut place = ScaleIterator { block: self.block, scales: self.scales, within: 0 };
        for elements in self.elements.chunks_exact(pack::bytes(64, WIDTH)).take(count / 64) {
            if WIDTH == 6 && STREAM {
                leg.prefetch(elements.as_ptr().wrapping_add(PREFETCH_DISTANCE), elements.len());
            }
            let Some(scales) = place.four() else { break };
            // SAFETY: the slice has the bytes of 64 elements.
            take(unsafe { self.next::<L, WIDTH>(leg, bytes, elements.as_ptr(), scales) });
        }
    }

    /// The tables, loaded to registers.
    #[inline(always)]
    fn bytes<L: HalvesLeg>(self, leg: L) -> [[L::Bytes; 2]; 2] {
        let any = leg.bytes(0);
        [any.table(&self.tables.low), any.table(&self.tables.high)]
    }

    /// The products of the next 64 elements.
    ///
    /// # Safety
    /// 64 elements are readable at `from`.
    #[inline(always)]
    unsafe fn next<L: HalvesLeg, const WIDTH: u32>(
        self,
        leg: L,
        bytes: [[L::Bytes; 2]; 2],
        from: *const u8,
        scales: [&u8; 4],
    ) -> [L::Words; 4] {
        const { assert!(L::Words::COUNT == 16 && <L::Bytes as Bytes>::COUNT == 64) };
        // SAFETY: the caller guarantees 64 readable elements.
        unsafe {
            match WIDTH == 8 && self.integers {
                true => self.scaled(leg, integers(leg, from), scales),
                false => self.scaled(leg, leg.look_up_bfloats::<WIDTH>(from, bytes[0], bytes[1]), scales),
            }
        }
    }

    #[inline(always)]
    fn scaled<L: HalvesLeg>(self, leg: L, mut numbers: [L::Words; 4], scales: [&u8; 4]) -> [L::Words; 4] {
        let addend = leg.words(self.zero.to_bits());
        for (number, &scale) in numbers.iter_mut().zip(scales) {
            *number = number.multiply_add_f32(leg.words(self.by[scale as usize].to_bits()), addend);
        }
        numbers
    }
}

/// Decodes whole vectors of products to binary32. Returns the number of elements.
struct Whole<'a> {
    products: Products<'a>,
    /// The tensor's scale.
    factor: Option<f32>,
    values: &'a mut [f32],
    /// True if stores bypass the caches.
    stream: bool,
}

impl HalvesKernel for Whole<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: HalvesLeg>(self, leg: L) -> usize {
        match (self.products.width, self.stream) {
            (4, false) => self.run_width::<L, 4, false>(leg),
            (4, true) => self.run_width::<L, 4, true>(leg),
            (6, false) => self.run_width::<L, 6, false>(leg),
            (6, true) => self.run_width::<L, 6, true>(leg),
            (_, false) => self.run_width::<L, 8, false>(leg),
            (_, true) => self.run_width::<L, 8, true>(leg),
        }
    }
}

impl Whole<'_> {
    #[inline(always)]
    fn run_width<L: HalvesLeg, const WIDTH: u32, const STREAM: bool>(self, leg: L) -> usize {
        let Whole { products, factor, values, .. } = self;
        let (addend, minus_zero) = (leg.words(products.zero.to_bits()), leg.words(1 << 31));
        let factor = factor.map(|factor| leg.words(factor.to_bits()));
        // Streaming stores are aligned, but blocks need not be. So stores begin `after` elements later, and each has
        // elements of the previous vector and of this one.
        let after = values.as_ptr().align_offset(L::STREAM_ALIGN);
        let (stream, mut before, mut ends) = (STREAM && after < 16, leg.words(0), [0f32; 16]);
        let (from, to) = (leg.lane_numbers(after as u32 % 16), values.as_mut_ptr());
        let mut done = 0;
        products.each::<L, WIDTH, STREAM>(leg, values.len(), |mut numbers| {
            if let Some(factor) = factor {
                for x in &mut numbers {
                    // A product that underflows keeps its sign through the rounding; then zero gets or loses its sign.
                    *x = x.multiply_add_f32(factor, minus_zero).add_f32(addend);
                }
            }
            for x in numbers {
                // SAFETY: 16 values from `done` on are within the slice, and so are 16 values from `done − 16 + after`
                // if `done` is not 0, which is aligned; `ends` has 16 elements.
                unsafe {
                    if !stream {
                        x.store::<false>(to.add(done).cast());
                    } else if done != 0 {
                        leg.permute_pair(before, x, from).store::<true>(to.add(done - 16 + after).cast());
                    } else {
                        x.store::<false>(ends.as_mut_ptr().cast());
                    }
                }
                (before, done) = (x, done + 16);
            }
        });
        if stream && done != 0 {
            values[..after].copy_from_slice(&ends[..after]);
            // SAFETY: `ends` has 16 elements.
            unsafe { before.store::<false>(ends.as_mut_ptr().cast()) };
            values[done - 16 + after..done].copy_from_slice(&ends[after..]);
            leg.fence();
        }
        done
    }
}

/// Decodes whole vectors of products, which are exact in binary32, to bfloat16 or binary16. Returns the number of
/// elements.
struct WholeHalves<'a, const BINARY16: bool> {
    products: Products<'a>,
    bytes: &'a HalfBytes,
    /// True if −0 is decoded as 0.
    unsigned: bool,
    values: &'a mut [u16],
}

impl<const BINARY16: bool> HalvesKernel for WholeHalves<'_, BINARY16> {
    type Output = usize;

    #[inline(always)]
    fn run<L: HalvesLeg>(self, leg: L) -> usize {
        match self.products.width {
            4 => self.run_width::<L, 4>(leg),
            6 => self.run_width::<L, 6>(leg),
            _ => self.run_width::<L, 8>(leg),
        }
    }
}

impl<const BINARY16: bool> WholeHalves<'_, BINARY16> {
    #[inline(always)]
    fn run_width<L: HalvesLeg, const WIDTH: u32>(self, leg: L) -> usize {
        const { assert!(L::Halves::COUNT == 32) };
        let WholeHalves { products, bytes, unsigned, values } = self;
        let any = leg.bytes(0);
        let (low, high) = (any.table(&bytes.low), any.table(&bytes.high[unsigned as usize]));
        let of_products = products.bytes(leg);
        let mut place = ScaleIterator { block: products.block, scales: products.scales, within: 0 };
        let pairs = products.block == 32 && bytes.scales > 0;
        let (trailing, infinity) = if BINARY16 { (10, 0x7c00) } else { (7, 0x7f80) };
        let whole = products.elements.chunks_exact(pack::bytes(64, WIDTH));
        let mut done = 0;
        for (elements, values) in whole.zip(values.as_chunks_mut::<64>().0) {
            if WIDTH == 6 {
                leg.prefetch(elements.as_ptr().wrapping_add(PREFETCH_DISTANCE), elements.len());
            }
            let to = values.as_mut_ptr();
            if pairs && let Some((&[first, second], rest)) = place.scales.split_first_chunk() {
                let (a, b) = (first.wrapping_sub(bytes.first), second.wrapping_sub(bytes.first));
                if a.max(b) < bytes.scales {
                    place.scales = rest;
                    done += 64;
                    // SAFETY: the slice has the bytes of 64 elements.
                    let [a, b] = unsafe { leg.look_up_byte_pairs::<WIDTH>(elements.as_ptr(), low, high) };
                    let by = [first, second].map(|scale| (scale as u32).wrapping_sub(127) << trailing);
                    // SAFETY: `to` has 64 elements, two vectors.
                    unsafe {
                        if WIDTH == 8 {
                            leg.store_halves(leg.add_to_finite_nonzero(a, by[0], infinity), to);
                            leg.store_halves(leg.add_to_finite_nonzero(b, by[1], infinity), to.add(32));
                        } else {
                            leg.store_halves(leg.add_to_nonzero(a, by[0], unsigned), to);
                            leg.store_halves(leg.add_to_nonzero(b, by[1], unsigned), to.add(32));
                        }
                    }
                    continue;
                }
            }
            let Some(scales) = place.four() else { break };
            done += 64;
            // SAFETY: the slice has the bytes of 64 elements.
            let [a, b, c, d] =
                unsafe { products.next::<L, WIDTH>(leg, of_products, elements.as_ptr(), scales) };
            // SAFETY: `to` has 64 elements, two vectors.
            unsafe {
                leg.store_halves(leg.narrowed::<BINARY16>([a, b], unsigned), to);
                leg.store_halves(leg.narrowed::<BINARY16>([c, d], unsigned), to.add(32));
            }
        }
        done
    }
}
