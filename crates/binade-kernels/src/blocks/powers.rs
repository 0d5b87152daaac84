//! Encoding of blocks of 32 under scales of E8M0, in byte lanes.
//!
//! A number is rounded to odd to the eight bits of bfloat16 (Boldo and Melquiond). That keeps its order relative to any
//! number of at most seven bits, and the ties of all elements and the thresholds of all scale rules have no more. The
//! exponent field and the seven bits below it are separate bytes. Dividing by 2^k subtracts k from the field. Let b be
//! the field of the binade up to which all numbers become zero, and t the number of bits that a code has below its
//! exponent. Let m be the seven bits. Then
//!
//! ```text
//! d = max(field − b, 0)
//! code = d · 2^t + m rounded to t bits − a constant        from the smallest normal element on
//! ```
//!
//! Rounding is a table look-up of the seven bits. Below normal elements, and for all of E2M1, the code is an entry at
//! 16d + s. s has the first three of the seven bits, and a bit that is set if any below them is.

use std::mem::MaybeUninit;

use binade::{Format, Projection, Rounding, Saturation, project};
use binade_simd::HalvesKernel;
use binade_simd::lanes::{Bytes, HalvesLeg, Lanes, Words};

use super::encoder::{Power, reciprocal};
use super::{UNIT, WHOLE, quarters, value_of, walk};
use crate::pack;

/// Elements in a block, and lanes in a vector.
pub(super) const BLOCK: usize = 32;
/// Elements in as many blocks as vectors have lanes.
const TILE: usize = BLOCK * BLOCK;

/// The tables for an element format. If a code may have a sign, the sign's bit is set in its entry.
#[derive(Clone, Debug)]
pub(super) struct PowerTables {
    width: u32,
    trailing: u32,
    /// b for the scale 1, minus binary32's bias: numbers in this binade or below become zero.
    lowest: i32,
    /// The least d for which codes are computed, and the largest code.
    normal: u8,
    most: u8,
    /// By the seven bits: these rounded, minus the constant.
    rounded: [u8; 128],
    /// By the seven bits: the first three, and a bit that is set if any below is.
    short: [u8; 128],
    /// Codes by 16d plus these, if 0 has a sign and if it has none.
    codes: [[u8; 128]; 2],
}

impl PowerTables {
    /// The plan for E4M3, E5M2, E2M3, E3M2 or E2M1.
    pub(super) fn new(elements: Format) -> PowerTables {
        let (precision, sign) = (elements.precision(), 1u8 << (elements.width() - 1));
        let trailing = precision - 1;
        // The smallest tie is half the smallest subnormal; everything below it is zero.
        let lowest = elements.emin() - precision as i32 - 1;
        let normal = (elements.emin() - lowest) as u8;
        let rounded = std::array::from_fn(|at| {
            let (rest, half) = (at & ((1 << (7 - trailing)) - 1), 1 << (6 - trailing));
            let kept = at >> (7 - trailing);
            let up = rest > half || rest == half && kept & 1 == 1;
            (kept as u8 + up as u8 + sign).wrapping_sub((normal - 1) << trailing)
        });
        let short = std::array::from_fn(|at| (at >> 4 << 1) as u8 | (at & 0xf != 0) as u8);
        let code = |at: usize| {
            let (d, short) = (at as i32 >> 4, at as u32 & 0xf);
            if d == 0 {
                return 0;
            }
            let field = (d + lowest + 127) as u32;
            let x = f32::from_bits((field << 7 | short >> 1 << 4 | short & 1) << 16);
            let how = Projection::new(Rounding::NearestEven, Saturation::Max);
            project(elements, value_of(x), how).code as u8
        };
        let signed = |code: u8, zeros: bool| if code == 0 && !zeros { 0 } else { code | sign };
        let codes = [false, true].map(|zeros| std::array::from_fn(|at| signed(code(at), zeros)));
        let most = elements.max_finite_code() as u8 | sign;
        PowerTables { width: elements.width(), trailing, lowest, normal, most, rounded, short, codes }
    }
}

/// The bits of a binary16 number.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Binary16(u16);

impl Binary16 {
    pub(super) const NAN: Binary16 = Binary16(0x7e00);

    pub(super) fn of_mut(bits: &mut [u16]) -> &mut [Binary16] {
        // SAFETY: `Binary16` is a transparent `u16`.
        unsafe { std::slice::from_raw_parts_mut(bits.as_mut_ptr().cast(), bits.len()) }
    }

    pub(super) fn of(bits: &[u16]) -> &[Binary16] {
        // SAFETY: `Binary16` is a transparent `u16`.
        unsafe { std::slice::from_raw_parts(bits.as_ptr().cast(), bits.len()) }
    }
}

/// Numbers to encode: binary32, or the bits of bfloat16 or of binary16.
pub(super) trait Number: quarters::Number {
    /// Loads a block, rounded to odd.
    ///
    /// # Safety
    /// `BLOCK` elements are readable at `source`.
    unsafe fn odd<L: HalvesLeg>(leg: L, source: *const Self) -> L::Halves;
}

impl Number for f32 {
    #[inline(always)]
    unsafe fn odd<L: HalvesLeg>(leg: L, source: *const f32) -> L::Halves {
        // SAFETY: the caller guarantees `BLOCK` readable elements.
        unsafe { leg.load_odd(source) }
    }
}

impl Number for u16 {
    #[inline(always)]
    unsafe fn odd<L: HalvesLeg>(leg: L, source: *const u16) -> L::Halves {
        // SAFETY: the caller guarantees `BLOCK` readable elements.
        unsafe { leg.load_halves(source) }
    }
}

impl Number for Binary16 {
    #[inline(always)]
    unsafe fn odd<L: HalvesLeg>(leg: L, source: *const Binary16) -> L::Halves {
        // SAFETY: the caller guarantees `BLOCK` readable elements.
        unsafe { leg.load_odd_binary16(source.cast()) }
    }
}

/// Encodes whole tiles. Stops at a tile that has infinities, NaNs, or blocks whose smallest elements are not normal
/// binary32 numbers. Returns the number of elements encoded. To be called within an
/// [`Environment`](binade_simd::Environment).
pub(super) struct Encode<'a, T> {
    /// The plan of elements that are not integers.
    pub(super) plan: Option<&'a PowerTables>,
    pub(super) power: Power,
    /// True if −0 is kept.
    pub(super) zeros: bool,
    pub(super) numbers: &'a [T],
    pub(super) scales: &'a mut [u8],
    pub(super) elements: &'a mut [u8],
    /// True if stores bypass the caches.
    pub(super) stream: bool,
}

impl<T: Number> HalvesKernel for Encode<'_, T> {
    type Output = usize;

    #[inline(always)]
    fn run<L: HalvesLeg>(self, leg: L) -> usize {
        let zeros = self.zeros;
        let Some(plan) = self.plan else { return self.tiles(leg, Integers { leg }) };
        match (plan.width, plan.trailing) {
            (8, 3) => self.tiles(leg, Codes::<L, 8, 3>::new(leg, plan, zeros)),
            (8, _) => self.tiles(leg, Codes::<L, 8, 2>::new(leg, plan, zeros)),
            (6, 3) => self.tiles(leg, Codes::<L, 6, 3>::new(leg, plan, zeros)),
            (6, _) => self.tiles(leg, Codes::<L, 6, 2>::new(leg, plan, zeros)),
            _ => self.tiles(leg, Codes::<L, 4, 1>::new(leg, plan, zeros)),
        }
    }
}

/// A method to encode elements.
trait Elements<T: Number>: Copy {
    /// Bits of a code.
    const WIDTH: u32;
    /// True if it uses the planes of significands.
    const SIGNIFICANDS: bool;

    /// Computes the data that the elements of a tile need from its scales. Returns false if the elements cannot be
    /// encoded under them.
    fn bases<L: HalvesLeg>(self, leg: L, scales: L::Halves, bases: &mut Bases) -> bool;

    /// Encodes four blocks, the first of which is number `block` of its tile.
    ///
    /// # Safety
    /// 4 · `BLOCK` elements are readable at `from`, their [`HalvesLeg::planes`] are at `planes`, and their packed codes
    /// are writable at `to`.
    unsafe fn four(self, from: *const T, planes: *const u8, bases: &Bases, block: usize, to: *mut u8);
}

impl<T: Number> Encode<'_, T> {
    #[inline(always)]
    fn tiles<L: HalvesLeg, E: Elements<T>>(self, leg: L, codes: E) -> usize {
        let Encode { power, numbers, scales, elements, stream, .. } = self;
        let count = (numbers.len() / TILE).min(scales.len() / BLOCK);
        let mut tiles = PowerTiles {
            leg,
            codes,
            power,
            numbers,
            scales,
            planes: [const { Planes(MaybeUninit::uninit()) }; 4],
            maxima: [leg.halves(0); 2],
            bases: [const { Bases(MaybeUninit::uninit()) }; 2],
        };
        walk::walk(leg, &mut tiles, numbers.as_ptr(), count, elements, stream)
    }
}

/// The intermediate results of the steps of [`walk::walk`], for up to three tiles, in turn.
struct PowerTiles<'a, L: HalvesLeg, T, E> {
    leg: L,
    codes: E,
    power: Power,
    numbers: &'a [T],
    scales: &'a mut [u8],
    planes: [Planes; 4],
    maxima: [L::Halves; 2],
    bases: [Bases; 2],
}

/// Blocks that are read, and encoded, between two others.
const PART: usize = 8;

impl<L: HalvesLeg, T: Number, E> PowerTiles<'_, L, T, E> {
    /// Stores the planes of a part of a tile; only those of the exponents unless `significands`.
    ///
    /// # Safety
    /// `at` is the number of an existing tile.
    #[inline(always)]
    unsafe fn planes(&mut self, at: usize, part: usize, significands: bool) {
        let leg = self.leg;
        // SAFETY: the blocks are within the tile, for which there are enough pairs of planes.
        unsafe {
            let from = self.numbers.as_ptr().add(at * TILE + part * PART * BLOCK);
            let to = self.planes[at % 4].0.as_mut_ptr().cast::<u8>().add(2 * part * PART * BLOCK);
            for pair in 0..PART / 2 {
                let from = from.add(2 * pair * BLOCK);
                let [low, high] = leg.planes([T::odd(leg, from), T::odd(leg, from.add(BLOCK))]);
                if significands {
                    low.store_lanes(to.add(4 * pair * BLOCK));
                }
                high.store_lanes(to.add((4 * pair + 2) * BLOCK));
            }
        }
    }
}

impl<L: HalvesLeg, T: Number, E: Elements<T>> walk::Tiles for PowerTiles<'_, L, T, E> {
    type Number = T;
    const NUMBERS: usize = TILE;
    const BYTES: usize = TILE / 8 * E::WIDTH as usize;
    const PARTS: usize = BLOCK / PART;

    #[inline(always)]
    unsafe fn read(&mut self, at: usize, part: usize) {
        const { assert!(L::Halves::COUNT == BLOCK && <L::Bytes as Bytes>::COUNT == 2 * BLOCK) };
        // SAFETY: the caller guarantees an existing tile.
        unsafe { self.planes(at, part, E::SIGNIFICANDS) };
    }

    #[inline(always)]
    unsafe fn find(&mut self, at: usize) {
        let planes = self.planes[at % 4].0.as_ptr().cast();
        // SAFETY: there are planes of as many blocks as a vector has lanes.
        self.maxima[at % 2] = unsafe { self.leg.largest_exponents(planes) };
    }

    #[inline(always)]
    unsafe fn scale(&mut self, at: usize) -> bool {
        let (leg, fields) = (self.leg, self.maxima[at % 2]);
        let mut maxima = fields.shl(7);
        // The rest follows from exponents alone, but 0 has the exponent field of the least numbers.
        if self.power.beyond_exponents() || !leg.is_empty_mask(fields.eq(leg.halves(0))) {
            let (planes, mut exponents) =
                (self.planes[at % 4].0.as_ptr().cast(), Bases(MaybeUninit::uninit()));
            // SAFETY: there are planes of as many blocks as a vector has lanes, and eight times as many bytes; the
            // caller guarantees the tile.
            unsafe {
                if !E::SIGNIFICANDS {
                    for part in 0..Self::PARTS {
                        self.planes(at, part, true);
                    }
                }
                leg.repeat_bytes(fields, exponents.0.as_mut_ptr().cast());
                maxima = maxima.or(leg.largest_significands(planes, exponents.0.as_ptr().cast()));
            }
        }
        let scales = self.power.codes(leg, maxima);
        let within = self.codes.bases(leg, scales, &mut self.bases[at % 2]);
        let to = &mut self.scales[at * BLOCK..][..BLOCK];
        // SAFETY: `to` has as many bytes as a vector has lanes.
        unsafe { leg.store_low_bytes_of_halves(scales, to.as_mut_ptr()) };
        within & leg.is_empty_mask(fields.ge(leg.halves(0xff)))
    }

    #[inline(always)]
    unsafe fn encode(&mut self, at: usize, part: usize, to: *mut u8) -> bool {
        let (codes, first) = (self.codes, part * PART);
        for block in (first..first + PART).step_by(4) {
            // SAFETY: the blocks are within a tile that the caller guarantees.
            unsafe {
                let from = self.numbers.as_ptr().add(at * TILE + block * BLOCK);
                let planes = self.planes[at % 4].0.as_ptr().cast::<u8>().add(2 * block * BLOCK);
                let to = to.add(pack::bytes((block - first) * BLOCK, E::WIDTH));
                codes.four(from, planes, &self.bases[at % 2], block, to);
            }
        }
        true
    }
}

// Aligned, so that no access crosses a cache line.

/// The planes of a tile's pairs of blocks.
#[repr(align(64))]
struct Planes(MaybeUninit<[u8; 2 * TILE]>);

/// The data derived from the scales of a tile.
#[repr(align(64))]
struct Bases(MaybeUninit<[u8; 8 * BLOCK]>);

/// A plan, loaded to registers.
#[derive(Clone, Copy)]
struct Codes<L: HalvesLeg, const WIDTH: u32, const TRAILING: u32> {
    leg: L,
    lowest: i32,
    rounded: [L::Bytes; 2],
    short: [L::Bytes; 2],
    codes: [L::Bytes; 2],
    normal: L::Bytes,
    most: L::Bytes,
}

impl<L: HalvesLeg, const WIDTH: u32, const TRAILING: u32> Codes<L, WIDTH, TRAILING> {
    #[inline(always)]
    fn new(leg: L, plan: &PowerTables, zeros: bool) -> Self {
        let any = leg.bytes(0);
        Codes {
            leg,
            lowest: plan.lowest,
            rounded: any.table(&plan.rounded),
            short: any.table(&plan.short),
            codes: any.table(&plan.codes[zeros as usize]),
            normal: leg.bytes(plan.normal),
            most: leg.bytes(plan.most),
        }
    }

    /// Loads two blocks: the signs and significands, and d.
    ///
    /// # Safety
    /// The blocks' planes are at `planes`, and their bases at `base`.
    #[inline(always)]
    unsafe fn two(self, planes: *const u8, base: *const u8) -> [L::Bytes; 2] {
        let any = self.leg.bytes(0);
        // SAFETY: the caller guarantees the planes and the bases.
        unsafe {
            let base = self.leg.broadcast_sixteen(base);
            [any.load(planes), any.load(planes.add(2 * BLOCK)).saturating_sub(base)]
        }
    }

    /// The entries of the table at 16d plus the short bits.
    #[inline(always)]
    fn looked_up(self, [low, d]: [L::Bytes; 2]) -> L::Bytes {
        // Of 8-bit codes those with d below 8 are looked up; larger ones would overflow into the next lane.
        let d = if WIDTH == 8 { d.min(self.leg.bytes(7)) } else { d };
        d.shl(4).add(low.look_up(self.short)).look_up(self.codes)
    }

    /// Codes that are computed.
    #[inline(always)]
    fn rounded(self, [low, d]: [L::Bytes; 2]) -> L::Bytes {
        d.shl(TRAILING).saturating_add(low.look_up(self.rounded)).min(self.most)
    }
}

impl<T: Number, L: HalvesLeg, const WIDTH: u32, const TRAILING: u32> Elements<T>
    for Codes<L, WIDTH, TRAILING>
{
    const WIDTH: u32 = WIDTH;
    const SIGNIFICANDS: bool = true;

    /// Stores b for each block.
    #[inline(always)]
    fn bases<M: HalvesLeg>(self, leg: M, scales: M::Halves, bases: &mut Bases) -> bool {
        // A field of 0 does not belong to a normal number.
        let least = leg.halves((1 - self.lowest) as u32);
        // SAFETY: `bases` has eight bytes for each lane.
        unsafe { leg.repeat_bytes(scales.add(leg.halves(self.lowest as u32)), bases.0.as_mut_ptr().cast()) };
        leg.is_empty_mask(least.gt(scales))
    }

    #[inline(always)]
    unsafe fn four(self, _: *const T, planes: *const u8, bases: &Bases, block: usize, to: *mut u8) {
        // SAFETY: the caller guarantees the elements, the planes and the codes.
        unsafe {
            let base = bases.0.as_ptr().cast::<u8>().add(8 * block);
            let (first, second) = (self.two(planes, base), self.two(planes.add(4 * BLOCK), base.add(16)));
            let mut codes;
            if WIDTH == 4 {
                codes = [self.looked_up(first), self.looked_up(second)];
            } else {
                codes = [self.rounded(first), self.rounded(second)];
                // For 8-bit codes this is rare.
                if WIDTH == 6 || first[1].min(second[1]).below(self.normal) != 0 {
                    let below = [first[1].below(self.normal), second[1].below(self.normal)];
                    codes[0] = codes[0].blend(below[0], self.looked_up(first));
                    codes[1] = codes[1].blend(below[1], self.looked_up(second));
                }
            }
            let first = codes[0].signed::<WIDTH>(first[0]);
            let second = codes[1].signed::<WIDTH>(second[0]);
            match WIDTH {
                4 => L::Bytes::store_nibbles([first, second], to),
                6 => {
                    first.store_sixes(to);
                    second.store_sixes(to.add(pack::bytes(2 * BLOCK, WIDTH)));
                }
                _ => {
                    first.store(to);
                    second.store(to.add(2 * BLOCK));
                }
            }
        }
    }
}

/// Encodes MXINT8: numbers in units of 2^−6 times the scale.
#[derive(Clone, Copy)]
struct Integers<L> {
    leg: L,
}

impl<T: Number, L: HalvesLeg> Elements<T> for Integers<L> {
    const WIDTH: u32 = 8;
    const SIGNIFICANDS: bool = false;

    /// Stores the reciprocal of each scale.
    #[inline(always)]
    fn bases<M: HalvesLeg>(self, leg: M, scales: M::Halves, bases: &mut Bases) -> bool {
        let (mut codes, words) = ([0; BLOCK], bases.0.as_mut_ptr().cast::<u32>());
        // SAFETY: the array has as many bytes as a vector has lanes.
        unsafe { leg.store_low_bytes_of_halves(scales, codes.as_mut_ptr()) };
        for (at, code) in codes.into_iter().enumerate() {
            // SAFETY: `bases` has space for twice as many words, and is aligned for them.
            unsafe { *words.add(at) = reciprocal(code).to_bits() };
        }
        true
    }

    #[inline(always)]
    unsafe fn four(self, from: *const T, _: *const u8, bases: &Bases, block: usize, to: *mut u8) {
        let leg = self.leg;
        let bases = bases.0.as_ptr().cast::<u32>().wrapping_add(block);
        // Adding it leaves an integer number of units in the low bits, as two's complement.
        let whole = leg.words((WHOLE * UNIT).to_bits());
        for pair in [0, 1] {
            let mut sums = [whole; 4];
            for (at, sum) in sums.iter_mut().enumerate() {
                // SAFETY: half of a block that the caller guarantees, and the reciprocal of its scale.
                let (x, by) = unsafe {
                    let x = T::load(leg, from.add((4 * pair + at) * (BLOCK / 2)));
                    (x, leg.words(*bases.add(2 * pair + at / 2)))
                };
                *sum = x.multiply_add_f32(by, whole);
            }
            // SAFETY: two blocks that the caller guarantees.
            unsafe { leg.signed_bytes(sums).store(to.add(2 * BLOCK * pair)) };
        }
    }
}
