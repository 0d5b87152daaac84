//! Blocks along columns, for matrices that are stored transposed, such as the experts of gpt-oss.
//!
//! A band has as many rows as a block has elements, and each of its columns is a block. Results equal those of
//! [`BlockEncoder`] for the same numbers in a row, and of [`BlockDecoder`] for the same codes; only positions differ.
//!
//! For E2M1 under E8M0, columns are lanes. The largest magnitude of each column is found without moving a number, and
//! codes are transposed, eight in each word. Another scale moves all rounding boundaries, and all values, by the same
//! number of binades. In words with an implicit leading bit that is an addition to the exponent field, as long as the
//! result is the field of a normal number. The constructors determine for which scales that holds, from the tables of
//! the row kernels. Columns under other scales, columns with infinities or NaNs, and other formats are gathered and
//! processed by the row kernels.

use std::ops::RangeInclusive;

use binade::Edition;
use binade_simd::lanes::Leg;
use binade_simd::{Kernel, transpose_4x4};

use super::encoder::Power;
use super::{BlockDecoder, BlockEncoder};
use crate::error::KernelError;
use crate::pack;

/// Columns that are processed at once.
const LANES: usize = 16;
/// Elements of an MX block.
const BLOCK: usize = 32;
/// The E8M0 code of 1.
const ONE: u8 = 127;

/// The bytes of all columns, at equal distances.
#[derive(Clone, Copy, Debug)]
pub struct Spaced<T> {
    /// The bytes, from the first column's on.
    pub bytes: T,
    /// Distance between the first bytes of neighbouring columns.
    pub stride: usize,
}

impl<T: AsRef<[u8]>> Spaced<T> {
    /// Checks that `columns` columns of `each` bytes do not exceed the slice and do not overlap.
    fn check(&self, what: &'static str, columns: usize, each: usize) -> Result<(), KernelError> {
        let stride = if columns > 1 { self.stride } else { each };
        if stride < each {
            return Err(KernelError::Length { what: "the stride", given: stride, expected: each });
        }
        let expected =
            columns.saturating_sub(1).saturating_mul(stride).saturating_add(each.min(each * columns));
        match self.bytes.as_ref().len() {
            given if given < expected => Err(KernelError::Length { what, given, expected }),
            _ => Ok(()),
        }
    }
}

/// The number of rows of a band; an error if its length is wrong.
fn check_band(elements: usize, columns: usize, block: usize) -> Result<(), KernelError> {
    KernelError::check_length("the band", elements, columns.saturating_mul(block))
}

/// The range of scales around 1 for which `is_so` is true.
fn about_one(is_so: impl Fn(u8) -> bool) -> Option<RangeInclusive<u8>> {
    is_so(ONE).then_some(())?;
    let low = (0..ONE).rev().take_while(|&scale| is_so(scale)).last().unwrap_or(ONE);
    let high = (ONE + 1..=u8::MAX).take_while(|&scale| is_so(scale)).last().unwrap_or(ONE);
    Some(low..=high)
}

/// Encodes bands in which each column is a block.
///
/// ```
/// use binade_kernels::{BlockEncoder, ColumnEncoder, Spaced};
///
/// let encoder = ColumnEncoder::new(BlockEncoder::new("mxfp4".parse().unwrap())?)?;
/// // Two columns: 0, 1/8, 2/8 … 31/8, and twice as much.
/// let band: Vec<f32> = (0..32).flat_map(|i| [i as f32 / 8.0, i as f32 / 4.0]).collect();
/// let (mut scales, mut elements) = ([0; 2], [0; 32]);
/// let largest = encoder.encode_f32(
///     &band,
///     2,
///     Spaced { bytes: &mut scales[..], stride: 1 },
///     Spaced { bytes: &mut elements[..], stride: 16 },
/// )?;
/// assert_eq!((largest, scales, elements[15], elements[31]), (7.75, [126, 127], 0x77, 0x77));
/// # Ok::<(), binade_kernels::KernelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ColumnEncoder {
    rows: BlockEncoder,
    lanes: Option<EncodeLanes>,
}

/// The constants of encoding in lanes.
#[derive(Clone, Debug)]
struct EncodeLanes {
    power: Power,
    /// The largest binary32 word that rounds to less than each code from 1 to 7, under the scale 1.
    edges: [u32; 7],
    /// The scales that can be added to the exponent fields of these words.
    scales: RangeInclusive<u8>,
    /// True if −0 is encoded as 0.
    unsigned: bool,
}

impl ColumnEncoder {
    /// An encoder with the rules of an encoder of rows.
    ///
    /// # Errors
    /// Blocks whose elements are not a whole number of bytes.
    pub fn new(rows: BlockEncoder) -> Result<ColumnEncoder, KernelError> {
        check_bytes(&rows.format())?;
        let lanes =
            rows.powers_of_edges().filter(|_| rows.format().shape.1 == BLOCK).and_then(|(power, edges)| {
                let of = |scale: u8| *edges[scale as usize].first_chunk::<7>().unwrap_or(&[0; 7]);
                let one = of(ONE);
                let moved = |scale: u8| {
                    one.map(|edge| edge.wrapping_add((scale as u32).wrapping_sub(ONE as u32) << 23))
                };
                let scales = about_one(|scale| of(scale) == moved(scale))?;
                Some(EncodeLanes { power, edges: one, scales, unsigned: rows.edition() == Edition::V4 })
            });
        Ok(ColumnEncoder { rows, lanes })
    }

    /// Encodes a band of binary32 numbers with as many rows as a block has elements, and `columns` columns. Each column
    /// has one byte in `scales`, and the bytes of a block in `elements`. Returns the largest magnitude; if there is an
    /// infinity or NaN, that.
    ///
    /// # Errors
    /// Slices of wrong lengths; nothing is written then.
    pub fn encode_f32(
        &self,
        band: &[f32],
        columns: usize,
        scales: Spaced<&mut [u8]>,
        elements: Spaced<&mut [u8]>,
    ) -> Result<f32, KernelError> {
        self.encode(band, columns, scales, elements)
    }

    /// Encodes a band of bfloat16 numbers, given as their bits; see [`ColumnEncoder::encode_f32`].
    ///
    /// # Errors
    /// As [`ColumnEncoder::encode_f32`].
    pub fn encode_bf16(
        &self,
        band: &[u16],
        columns: usize,
        scales: Spaced<&mut [u8]>,
        elements: Spaced<&mut [u8]>,
    ) -> Result<f32, KernelError> {
        self.encode(band, columns, scales, elements)
    }

    fn encode<T: Number>(
        &self,
        band: &[T],
        columns: usize,
        scales: Spaced<&mut [u8]>,
        elements: Spaced<&mut [u8]>,
    ) -> Result<f32, KernelError> {
        let format = self.rows.format();
        let (block, bytes) = (format.shape.1, pack::bytes(format.shape.1, format.element.width()));
        check_band(band.len(), columns, block)?;
        scales.check("the slice of scales", columns, 1)?;
        elements.check("the slice of elements", columns, bytes)?;
        let mut left = vec![];
        let mut most = 0;
        if let Some(lanes) = &self.lanes {
            let scales = Spaced { bytes: &mut *scales.bytes, ..scales };
            let elements = Spaced { bytes: &mut *elements.bytes, ..elements };
            let left = &mut left;
            most = self.rows.isa().run(Encode { lanes, band, columns, scales, elements, left });
        } else {
            left.extend((0..columns).step_by(LANES));
        }
        let (mut gathered, mut codes, mut of_columns) = (vec![], vec![], [0; LANES]);
        for first in left {
            let count = LANES.min(columns - first);
            gathered.clear();
            for column in first..first + count {
                gathered.extend(band[column..].iter().step_by(columns));
            }
            most = gathered.iter().fold(most, |most, x: &T| most.max(x.magnitude()));
            codes.resize(count * bytes, 0);
            T::encode(&self.rows, &gathered, block, &mut of_columns[..count], &mut codes)?;
            for (at, (codes, scale)) in codes.chunks(bytes).zip(of_columns).enumerate() {
                scales.bytes[(first + at) * scales.stride] = scale;
                elements.bytes[(first + at) * elements.stride..][..bytes].copy_from_slice(codes);
            }
        }
        Ok(f32::from_bits(most))
    }
}

/// Checks that a block's elements are a whole number of bytes.
fn check_bytes(format: &binade::block::BlockFormat) -> Result<(), KernelError> {
    match (format.shape.1 * format.element.width() as usize).is_multiple_of(8) {
        true => Ok(()),
        false => {
            Err(KernelError::Blocks { elements: format.element, scales: format.scale, shape: format.shape })
        }
    }
}

/// Numbers to encode: binary32, or the bits of bfloat16.
trait Number: Copy {
    /// The magnitude as a binary32 word.
    fn magnitude(self) -> u32;

    /// Encodes blocks of rows.
    fn encode(
        rows: &BlockEncoder,
        numbers: &[Self],
        columns: usize,
        scales: &mut [u8],
        elements: &mut [u8],
    ) -> Result<(), KernelError>;

    /// Scales, codes of eight elements in each word, and the largest magnitude of `LANES` columns, whose rows are
    /// `stride` apart. `None` if the lanes cannot encode them.
    fn lanes(lanes: &EncodeLanes, numbers: &[Self], stride: usize) -> Option<Tile>;
}

struct Tile {
    scales: [u8; LANES],
    words: [[u32; LANES]; BLOCK / 8],
    most: u32,
}

/// The largest magnitude in each lane, and of all.
macro_rules! maxima {
    ($numbers:ident, $stride:ident, $word:ty, $bits:expr) => {{
        let mut maxima = [0 as $word; LANES];
        for row in 0..BLOCK {
            let numbers = $numbers.get(row * $stride..)?.first_chunk::<LANES>()?;
            for at in 0..LANES {
                maxima[at] = maxima[at].max($bits(numbers[at]) & (<$word>::MAX >> 1));
            }
        }
        let mut most = 0;
        for maximum in maxima {
            most = most.max(maximum);
        }
        (maxima, most)
    }};
}

/// The 4-bit codes of rows, one above the other: as many rows as fit a word.
macro_rules! codes {
    ($numbers:ident, $stride:ident, $first:expr, $word:ty, $signed:ty, $bits:expr, $edges:ident, $unsigned:expr) => {{
        let mut codes = [0 as $word; LANES];
        const ROWS: usize = <$word>::BITS as usize / 4;
        for row in 0..ROWS {
            let numbers = $numbers.get(($first + row) * $stride..)?.first_chunk::<LANES>()?;
            for at in 0..LANES {
                let word: $word = $bits(numbers[at]);
                // Below the sign bit, so that they compare as signed integers, in one instruction.
                let magnitude = (word & (<$word>::MAX >> 1)) as $signed;
                let mut above = 0 as $word;
                for edges in &$edges {
                    above += (magnitude > edges[at]) as $word;
                }
                let sign = word >> (<$word>::BITS - 4) & 8;
                let sign = if $unsigned && above == 0 { 0 } else { sign };
                codes[at] |= (above | sign) << (4 * row);
            }
        }
        codes
    }};
}

impl Number for f32 {
    #[inline(always)]
    fn magnitude(self) -> u32 {
        self.to_bits() & !(1 << 31)
    }

    fn encode(
        rows: &BlockEncoder,
        numbers: &[f32],
        columns: usize,
        scales: &mut [u8],
        elements: &mut [u8],
    ) -> Result<(), KernelError> {
        rows.encode_f32(numbers, columns, scales, elements)
    }

    #[inline(always)]
    fn lanes(lanes: &EncodeLanes, numbers: &[f32], stride: usize) -> Option<Tile> {
        let (maxima, most) = maxima!(numbers, stride, u32, f32::to_bits);
        let (mut scales, mut moved, mut fit) = ([0; LANES], [0; LANES], most < f32::INFINITY.to_bits());
        for at in 0..LANES {
            let odd = (maxima[at] >> 16) as u16 | (maxima[at] & 0xffff != 0) as u16;
            scales[at] = lanes.power.code(odd);
            fit &= scales[at] >= *lanes.scales.start() && scales[at] <= *lanes.scales.end();
            moved[at] = (scales[at] as i32 - ONE as i32) << 23;
        }
        if !fit {
            return None;
        }
        let mut edges = [[0i32; LANES]; 7];
        for (edges, &edge) in edges.iter_mut().zip(&lanes.edges) {
            for at in 0..LANES {
                edges[at] = edge as i32 + moved[at];
            }
        }
        let mut words = [[0; LANES]; BLOCK / 8];
        for (number, words) in words.iter_mut().enumerate() {
            *words = codes!(numbers, stride, 8 * number, u32, i32, f32::to_bits, edges, lanes.unsigned);
        }
        Some(Tile { scales, words, most })
    }
}

impl Number for u16 {
    #[inline(always)]
    fn magnitude(self) -> u32 {
        ((self & 0x7fff) as u32) << 16
    }

    fn encode(
        rows: &BlockEncoder,
        numbers: &[u16],
        columns: usize,
        scales: &mut [u8],
        elements: &mut [u8],
    ) -> Result<(), KernelError> {
        rows.encode_bf16(numbers, columns, scales, elements)
    }

    #[inline(always)]
    fn lanes(lanes: &EncodeLanes, numbers: &[u16], stride: usize) -> Option<Tile> {
        let (maxima, most) = maxima!(numbers, stride, u16, u16::from);
        let most = (most as u32) << 16;
        let (mut scales, mut moved, mut fit) = ([0; LANES], [0; LANES], most < f32::INFINITY.to_bits());
        for at in 0..LANES {
            scales[at] = lanes.power.code(maxima[at]);
            fit &= scales[at] >= *lanes.scales.start() && scales[at] <= *lanes.scales.end();
            moved[at] = (scales[at] as i16 - ONE as i16) << 7;
        }
        if !fit {
            return None;
        }
        // A bfloat16 is above a binary32 word if it is above the word's upper half.
        let mut edges = [[0i16; LANES]; 7];
        for (edges, &edge) in edges.iter_mut().zip(&lanes.edges) {
            for at in 0..LANES {
                edges[at] = (edge >> 16) as i16 + moved[at];
            }
        }
        let mut words = [[0; LANES]; BLOCK / 8];
        for (number, words) in words.iter_mut().enumerate() {
            let low = codes!(numbers, stride, 8 * number, u16, i16, u16::from, edges, lanes.unsigned);
            let high = codes!(numbers, stride, 8 * number + 4, u16, i16, u16::from, edges, lanes.unsigned);
            for at in 0..LANES {
                words[at] = low[at] as u32 | (high[at] as u32) << 16;
            }
        }
        Some(Tile { scales, words, most })
    }
}

/// Encodes whole tiles of `LANES` columns. The first columns of the tiles that must be encoded otherwise are added to
/// `left`. Returns the largest magnitude of the other tiles.
struct Encode<'a, T> {
    lanes: &'a EncodeLanes,
    band: &'a [T],
    columns: usize,
    scales: Spaced<&'a mut [u8]>,
    elements: Spaced<&'a mut [u8]>,
    left: &'a mut Vec<usize>,
}

impl<T: Number> Kernel for Encode<'_, T> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Leg>(self, _: L) -> u32 {
        let Encode { lanes, band, columns, scales, elements, left } = self;
        let mut most = 0;
        for first in (0..columns).step_by(LANES) {
            let whole = columns - first >= LANES;
            let tile = if whole { T::lanes(lanes, &band[first..], columns) } else { None };
            let Some(tile) = tile else {
                left.push(first);
                continue;
            };
            most = most.max(tile.most);
            for four in (0..LANES).step_by(4) {
                let mut rows = [[0; 4]; 4];
                for (row, words) in rows.iter_mut().zip(&tile.words) {
                    row.copy_from_slice(&words[four..four + 4]);
                }
                for (at, column) in transpose_4x4(rows).into_iter().enumerate() {
                    let place = first + four + at;
                    scales.bytes[place * scales.stride] = tile.scales[four + at];
                    let to = &mut elements.bytes[place * elements.stride..][..BLOCK / 2];
                    for (to, word) in to.as_chunks_mut().0.iter_mut().zip(column) {
                        *to = word.to_le_bytes();
                    }
                }
            }
        }
        most
    }
}

/// Decodes bands in which each column is a block; values equal those of [`BlockDecoder`].
#[derive(Clone, Debug)]
pub struct ColumnDecoder {
    rows: BlockDecoder,
    /// For binary32, bfloat16 and binary16: the scales under which all values are normal numbers and zeros.
    scales: [Option<RangeInclusive<u8>>; 3],
    /// True if −0 is decoded as 0.
    unsigned: bool,
}

impl ColumnDecoder {
    /// A decoder with the rules of a decoder of rows.
    ///
    /// # Errors
    /// Blocks whose elements are not a whole number of bytes.
    pub fn new(rows: BlockDecoder) -> Result<ColumnDecoder, KernelError> {
        let format = rows.format();
        check_bytes(&format)?;
        let unsigned = rows.edition() == Edition::V4;
        let mut scales = [None, None, None];
        if format.element.width() == 4 && format.scale.precision() == 1 && format.shape.1 == BLOCK {
            // All sixteen codes, twice, under each scale.
            let all: [u8; 256] = std::array::from_fn(|scale| scale as u8);
            let codes: [u8; BLOCK / 2] = std::array::from_fn(|at| (0x10 + 0x22 * (at % 8)) as u8);
            let codes = codes.repeat(256);
            let (mut single, mut halves) = (vec![0f32; 256 * BLOCK], vec![0u16; 256 * BLOCK]);
            rows.decode_f32(&all, &codes, BLOCK, &mut single)?;
            let fit = |words: Vec<u32>, word: fn(u32, i32) -> u32, sign: u32| {
                about_one(|scale| {
                    let moved = scale as i32 - ONE as i32;
                    words[scale as usize * BLOCK..][..16].iter().enumerate().all(|(code, &found)| {
                        let signed = code >= 8 && !(unsigned && code == 8);
                        found == word(code as u32 & 7, moved) | (signed as u32) << sign
                    })
                })
            };
            let words = |halves: &[u16]| halves.iter().map(|&x| x as u32).collect();
            scales[0] = fit(single.iter().map(|x| x.to_bits()).collect(), value::<23, 126>, 31);
            rows.decode_bf16(&all, &codes, BLOCK, &mut halves)?;
            scales[1] = fit(words(&halves), value::<7, 126>, 15);
            rows.decode_f16(&all, &codes, BLOCK, &mut halves)?;
            scales[2] = fit(words(&halves), value::<10, 14>, 15);
        }
        Ok(ColumnDecoder { rows, scales, unsigned })
    }

    /// Decodes `columns` blocks to the columns of a band of binary32 numbers; slices are as in
    /// [`ColumnEncoder::encode_f32`].
    ///
    /// # Errors
    /// Slices of wrong lengths; nothing is written then.
    pub fn decode_f32(
        &self,
        scales: Spaced<&[u8]>,
        elements: Spaced<&[u8]>,
        columns: usize,
        band: &mut [f32],
    ) -> Result<(), KernelError> {
        self.decode::<f32, 23, 126>(0, BlockDecoder::decode_f32, scales, elements, columns, band)
    }

    /// Decodes to the bits of bfloat16 numbers; see [`ColumnDecoder::decode_f32`].
    ///
    /// # Errors
    /// As [`ColumnDecoder::decode_f32`].
    pub fn decode_bf16(
        &self,
        scales: Spaced<&[u8]>,
        elements: Spaced<&[u8]>,
        columns: usize,
        band: &mut [u16],
    ) -> Result<(), KernelError> {
        self.decode::<u16, 7, 126>(1, BlockDecoder::decode_bf16, scales, elements, columns, band)
    }

    /// Decodes to the bits of binary16 numbers; see [`ColumnDecoder::decode_f32`].
    ///
    /// # Errors
    /// As [`ColumnDecoder::decode_f32`].
    pub fn decode_f16(
        &self,
        scales: Spaced<&[u8]>,
        elements: Spaced<&[u8]>,
        columns: usize,
        band: &mut [u16],
    ) -> Result<(), KernelError> {
        self.decode::<u16, 10, 14>(2, BlockDecoder::decode_f16, scales, elements, columns, band)
    }

    fn decode<T: Decoded, const TRAILING: u32, const FIELD: u32>(
        &self,
        which: usize,
        of_rows: OfRows<T>,
        scales: Spaced<&[u8]>,
        elements: Spaced<&[u8]>,
        columns: usize,
        band: &mut [T],
    ) -> Result<(), KernelError> {
        let format = self.rows.format();
        let (block, bytes) = (format.shape.1, pack::bytes(format.shape.1, format.element.width()));
        check_band(band.len(), columns, block)?;
        scales.check("the slice of scales", columns, 1)?;
        elements.check("the slice of elements", columns, bytes)?;
        let mut left = vec![];
        // Made contiguous, so that lanes are loaded as vectors.
        let scales: Vec<u8> = (0..columns).map(|column| scales.bytes[column * scales.stride]).collect();
        if let Some(fit) = &self.scales[which] {
            let (fit, left, unsigned, scales) = (fit.clone(), &mut left, self.unsigned, &scales[..]);
            let band = &mut *band;
            let kernel =
                Decode::<T, TRAILING, FIELD> { fit, unsigned, scales, elements, columns, band, left };
            self.rows.isa().run(kernel);
        } else {
            left.extend((0..columns).step_by(LANES));
        }
        let (mut codes, mut values) = (vec![], vec![]);
        for first in left {
            let count = LANES.min(columns - first);
            codes.clear();
            for column in first..first + count {
                codes.extend_from_slice(&elements.bytes[column * elements.stride..][..bytes]);
            }
            values.resize(count * block, T::default());
            of_rows(&self.rows, &scales[first..first + count], &codes, block, &mut values)?;
            for (at, values) in values.chunks(block.max(1)).enumerate() {
                let to = band[first + at..].iter_mut().step_by(columns);
                to.zip(values).for_each(|(to, value)| *to = *value);
            }
        }
        Ok(())
    }
}

/// A method of the row decoder.
type OfRows<T> = fn(&BlockDecoder, &[u8], &[u8], usize, &mut [T]) -> Result<(), KernelError>;

/// The word of a magnitude of E2M1 times 2^`moved`, in a format with `TRAILING` trailing bits in which 1/2 has the
/// exponent field `FIELD`.
#[inline(always)]
fn value<const TRAILING: u32, const FIELD: u32>(magnitude: u32, moved: i32) -> u32 {
    // Codes from 2 on have their field and significand in place; code 1 is 1/2.
    let trailing = if magnitude == 1 { 0 } else { magnitude << (TRAILING - 1) };
    let word = trailing.wrapping_add(((FIELD as i32).wrapping_add(moved) as u32) << TRAILING);
    if magnitude == 0 { 0 } else { word }
}

/// Numbers to which blocks are decoded.
trait Decoded: Copy + Default {
    /// Their bits.
    type Word: Copy + Default;
    /// The number of 4-bit codes in a word.
    const ROWS: usize;

    /// Moves codes, eight of a column in each word, to planes of words: the codes from `first` on; if there are two
    /// planes, the second gets the rest.
    fn split(words: &[u32; LANES], planes: &mut [Vec<Self::Word>], first: usize);

    /// The addend to the words of magnitudes under a scale, if 1/2 has the field `FIELD`.
    fn field<const TRAILING: u32, const FIELD: u32>(scale: u8) -> Self::Word;

    /// A row of values, from the four bits at `shift` in each word.
    fn row<const TRAILING: u32>(
        words: &[Self::Word],
        fields: &[Self::Word],
        shift: usize,
        unsigned: bool,
        to: &mut [Self],
    );
}

/// [`Decoded::row`] as plain loops over slices, which compile to vector code.
macro_rules! row {
    ($words:ident, $fields:ident, $shift:ident, $unsigned:ident, $to:ident, $word:ty, $of_bits:expr) => {{
        let minus_zero = if $unsigned { 0 } else { 8 };
        for ((to, &word), &field) in $to.iter_mut().zip($words).zip($fields) {
            let code: $word = word >> $shift;
            let magnitude = code & 7;
            let trailing = if magnitude == 1 { 0 } else { magnitude << (TRAILING - 1) };
            let value = if magnitude == 0 { 0 } else { trailing.wrapping_add(field) };
            let sign = if magnitude == 0 { code & minus_zero } else { code & 8 };
            *to = $of_bits(value | sign << (<$word>::BITS - 4));
        }
    }};
}

impl Decoded for f32 {
    type Word = u32;
    const ROWS: usize = 8;

    #[inline(always)]
    fn split(words: &[u32; LANES], planes: &mut [Vec<u32>], first: usize) {
        planes[0][first..first + LANES].copy_from_slice(words);
    }

    #[inline(always)]
    fn field<const TRAILING: u32, const FIELD: u32>(scale: u8) -> u32 {
        (FIELD + scale as u32).wrapping_sub(ONE as u32) << TRAILING
    }

    #[inline(always)]
    fn row<const TRAILING: u32>(words: &[u32], fields: &[u32], shift: usize, unsigned: bool, to: &mut [f32]) {
        row!(words, fields, shift, unsigned, to, u32, f32::from_bits);
    }
}

impl Decoded for u16 {
    type Word = u16;
    const ROWS: usize = 4;

    #[inline(always)]
    fn split(words: &[u32; LANES], planes: &mut [Vec<u16>], first: usize) {
        for (half, plane) in planes.iter_mut().enumerate() {
            for (to, word) in plane[first..first + LANES].iter_mut().zip(words) {
                *to = (word >> (16 * half)) as u16;
            }
        }
    }

    #[inline(always)]
    fn field<const TRAILING: u32, const FIELD: u32>(scale: u8) -> u16 {
        (FIELD as u16 + scale as u16).wrapping_sub(ONE as u16) << TRAILING
    }

    #[inline(always)]
    fn row<const TRAILING: u32>(words: &[u16], fields: &[u16], shift: usize, unsigned: bool, to: &mut [u16]) {
        row!(words, fields, shift, unsigned, to, u16, u16::from);
    }
}

/// Maximum number of columns decoded at once: their data fits the first-level cache.
const WIDE: usize = 32 * LANES;

/// Decodes whole tiles of `LANES` columns. The first columns of the tiles that must be decoded otherwise are added to
/// `left`; their values in the band are unspecified.
struct Decode<'a, T, const TRAILING: u32, const FIELD: u32> {
    fit: RangeInclusive<u8>,
    unsigned: bool,
    scales: &'a [u8],
    elements: Spaced<&'a [u8]>,
    columns: usize,
    band: &'a mut [T],
    left: &'a mut Vec<usize>,
}

impl<T: Decoded, const TRAILING: u32, const FIELD: u32> Kernel for Decode<'_, T, TRAILING, FIELD> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let Decode { fit, unsigned, scales, elements, columns, band, left } = self;
        let tiles = columns / LANES * LANES;
        left.extend((tiles < columns).then_some(tiles));
        let mut planes = vec![vec![T::Word::default(); WIDE]; BLOCK / T::ROWS];
        let mut fields = [T::Word::default(); WIDE];
        let of_word = 8 / T::ROWS;
        for first in (0..tiles).step_by(WIDE) {
            let count = WIDE.min(tiles - first);
            for at in (0..count).step_by(LANES) {
                let place = first + at;
                let (mut low, mut high) = (u8::MAX, 0);
                for &scale in &scales[place..place + LANES] {
                    (low, high) = (low.min(scale), high.max(scale));
                }
                if low < *fit.start() || high > *fit.end() {
                    left.push(place);
                }
                let mut words = [[0; LANES]; BLOCK / 8];
                for four in (0..LANES).step_by(4) {
                    let mut columns = [[0; 4]; 4];
                    for (at, column) in columns.iter_mut().enumerate() {
                        let from = &elements.bytes[(place + four + at) * elements.stride..][..BLOCK / 2];
                        for (word, bytes) in column.iter_mut().zip(from.as_chunks().0) {
                            *word = u32::from_le_bytes(*bytes);
                        }
                    }
                    for (words, row) in words.iter_mut().zip(transpose_4x4(columns)) {
                        words[four..four + 4].copy_from_slice(&row);
                    }
                }
                for (words, planes) in words.iter().zip(planes.chunks_mut(of_word)) {
                    T::split(words, planes, at);
                }
            }
            for (field, &scale) in fields.iter_mut().zip(&scales[first..first + count]) {
                *field = T::field::<TRAILING, FIELD>(scale);
            }
            for (row, to) in band.chunks_mut(columns).enumerate() {
                let (words, shift) = (&planes[row / T::ROWS][..count], 4 * (row % T::ROWS));
                T::row::<TRAILING>(words, &fields[..count], shift, unsigned, &mut to[first..first + count]);
            }
        }
    }
}
