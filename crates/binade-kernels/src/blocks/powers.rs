//! Blocks of 32 under scales of E8M0, in lanes of 16 bits and of bytes.
//!
//! A number is rounded to odd to the eight bits of bfloat16 (Boldo and Melquiond): where it is beside any point of at most
//! seven bits stays the same, and the ties of all elements, like the thresholds of all rules for scales, have no more.
//! Dividing by 2^k is then taking k off the exponent's field. With b the field of a binade below which all becomes zero,
//!
//! ```text
//! t = max(|x| − (b << 7), 0)        7 trailing bits, and the exponent's distance from b
//! c = t >> shift                    the bits that a code of the element format has
//! s = 1 if any bit below is set
//! ```
//!
//! From the smallest normal element on, the code is c less a constant, and one more where the bits below, and the last
//! one kept, say so: a table of 64. Below it, and for all of E2M1, the code is a table's entry at 2c + s.

use binade::{Format, Projection, Rounding, Saturation, project};
use binade_simd::HalvesKernel;
use binade_simd::lanes::{Bytes, HalvesLeg, Lanes, Words};

use super::encoder::{Power, reciprocal};
use super::{AHEAD, quarters, value_of};
use crate::pack;

/// Elements of a block, and lanes of a vector.
pub(super) const BLOCK: usize = 32;
/// Elements of as many blocks as vectors have lanes.
const TILE: usize = BLOCK * BLOCK;

/// What is looked up for a format of elements.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    width: u32,
    shift: u32,
    /// b for the scale 1, less binary32's bias: what is in this binade or below it becomes zero.
    lowest: i32,
    /// c from which on codes are computed, and the largest code.
    limit: u8,
    most: u8,
    /// Codes by 2c + s.
    codes: [u8; 128],
    /// By the low six bits of t: 1 to round up, less what c is above the code.
    steps: [u8; 128],
}

impl Plan {
    /// The plan for E4M3, E5M2, E2M3, E3M2 or E2M1.
    pub(super) fn new(elements: Format) -> Plan {
        let precision = elements.precision();
        // E2M1 has one trailing bit; its ties have two.
        let trailing = if elements.width() == 4 { 2 } else { precision - 1 };
        let shift = 7 - trailing;
        // The smallest tie is half the smallest subnormal; all below it is zero.
        let lowest = elements.emin() - precision as i32 - 1;
        let of = |t: u32| {
            let x = f32::from_bits(((t as i32 + ((lowest + 127) << 7)) as u32) << 16);
            let how = Projection::new(Rounding::NearestEven, Saturation::Max);
            project(elements, value_of(x), how).code as u8
        };
        let codes = std::array::from_fn(|at| match (at as u32 >> 1) << shift | at as u32 & 1 {
            ..128 => 0,
            t => of(t),
        });
        let normal = ((elements.emin() - lowest) as u8) << trailing;
        let steps = std::array::from_fn(|at| {
            let (rest, half) = (at & ((1 << shift) - 1), 1 << (shift - 1));
            let up = rest > half || rest == half && at >> shift & 1 == 1;
            (up as u8).wrapping_sub(normal - (1 << trailing))
        });
        let limit = if elements.width() == 4 { u8::MAX } else { normal };
        let most = elements.max_finite_code() as u8;
        Plan { width: elements.width(), shift, lowest, limit, most, codes, steps }
    }
}

/// The bits of a binary16 number.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Binary16(u16);

impl Binary16 {
    pub(super) const NAN: Binary16 = Binary16(0x7e00);

    pub(super) fn of_mut(bits: &mut [u16]) -> &mut [Binary16] {
        // SAFETY: the same layout.
        unsafe { std::slice::from_raw_parts_mut(bits.as_mut_ptr().cast(), bits.len()) }
    }

    pub(super) fn of(bits: &[u16]) -> &[Binary16] {
        // SAFETY: the same layout.
        unsafe { std::slice::from_raw_parts(bits.as_ptr().cast(), bits.len()) }
    }
}

/// Numbers that are encoded: binary32, or the bits of bfloat16 or of binary16.
pub(super) trait Number: quarters::Number {
    /// A tile of numbers rounded to odd: where they are, in `room` or as they were.
    ///
    /// # Safety
    /// `TILE` readable elements at `source`.
    unsafe fn odd<L: HalvesLeg>(leg: L, source: *const Self, room: &mut [u16; TILE]) -> *const u16;
}

impl Number for f32 {
    #[inline(always)]
    unsafe fn odd<L: HalvesLeg>(leg: L, source: *const f32, room: &mut [u16; TILE]) -> *const u16 {
        for (at, room) in room.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            // SAFETY: a block, and a vector of halves.
            unsafe { leg.store_halves(leg.load_odd(source.add(at * BLOCK)), room.as_mut_ptr()) };
        }
        room.as_ptr()
    }
}

impl Number for u16 {
    #[inline(always)]
    unsafe fn odd<L: HalvesLeg>(_: L, source: *const u16, _: &mut [u16; TILE]) -> *const u16 {
        source
    }
}

impl Number for Binary16 {
    #[inline(always)]
    unsafe fn odd<L: HalvesLeg>(leg: L, source: *const Binary16, room: &mut [u16; TILE]) -> *const u16 {
        for (at, room) in room.as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            // SAFETY: a block, and a vector of halves.
            unsafe {
                let odd = leg.load_odd_binary16(source.add(at * BLOCK).cast());
                leg.store_halves(odd, room.as_mut_ptr());
            }
        }
        room.as_ptr()
    }
}

/// Whole tiles, up to those that have infinities, NaNs, or blocks whose smallest elements are not normal binary32 numbers;
/// how many elements they have. Within an [`Environment`](binade_simd::Environment).
pub(super) struct Encode<'a, T> {
    /// Of elements that are no integers.
    pub(super) plan: Option<&'a Plan>,
    pub(super) power: Power,
    /// Whether −0 stays.
    pub(super) zeros: bool,
    pub(super) numbers: &'a [T],
    pub(super) scales: &'a mut [u8],
    pub(super) elements: &'a mut [u8],
}

impl<T: Number> HalvesKernel for Encode<'_, T> {
    type Output = usize;

    #[inline(always)]
    fn run<L: HalvesLeg>(self, leg: L) -> usize {
        let zeros = self.zeros;
        let Some(plan) = self.plan else { return self.tiles(leg, Integers { leg }) };
        match (plan.width, plan.shift) {
            (8, 4) => self.tiles(leg, Codes::<L, 8, 4>::new(leg, plan, zeros)),
            (8, _) => self.tiles(leg, Codes::<L, 8, 5>::new(leg, plan, zeros)),
            (6, 4) => self.tiles(leg, Codes::<L, 6, 4>::new(leg, plan, zeros)),
            (6, _) => self.tiles(leg, Codes::<L, 6, 5>::new(leg, plan, zeros)),
            _ => self.tiles(leg, Codes::<L, 4, 5>::new(leg, plan, zeros)),
        }
    }
}

/// How elements are made.
trait Elements<T: Number>: Copy {
    /// Bits of a code.
    const WIDTH: u32;

    /// What is kept of a scale for its elements; whether they can be made under it.
    fn base(self, scale: u8) -> (u32, bool);

    /// Four blocks.
    ///
    /// # Safety
    /// 4 · `BLOCK` readable elements at `from`, the same rounded to odd at `odd`, and as many packed ones writable at `to`.
    unsafe fn four(self, from: *const T, odd: *const u16, base: &[u32; 4], to: *mut u8);
}

impl<T: Number> Encode<'_, T> {
    /// In steps: each finds a tile's largest magnitudes, the scales of the tile before, and encodes the elements of the one
    /// before that. So none of these waits for another, and memory is read while elements are encoded.
    #[inline(always)]
    fn tiles<L: HalvesLeg, E: Elements<T>>(self, leg: L, codes: E) -> usize {
        const { assert!(L::Halves::COUNT == BLOCK && <L::Bytes as Bytes>::COUNT == 2 * BLOCK) };
        const { assert!(2 * <L::Words as Lanes>::COUNT == BLOCK) };
        let Encode { power, numbers, scales, elements, .. } = self;
        let packed = pack::bytes(TILE, E::WIDTH);
        let tiles = (numbers.len() / TILE).min(scales.len() / BLOCK).min(elements.len() / packed);
        // Of three tiles and of two, one after the other.
        let mut rooms = [Room([0; TILE]), Room([0; TILE]), Room([0; TILE])];
        let mut odd = [rooms[0].0.as_ptr(); 3];
        let (mut maxima, mut bases) = ([Maxima([0; BLOCK]); 2], [Bases([0; BLOCK]); 2]);
        let (mut end, mut step, mut third) = (tiles, 0, 0);
        while step < end + 2 {
            if step < end {
                // SAFETY: a tile; its maxima are a vector.
                unsafe {
                    odd[third] = T::odd(leg, numbers.as_ptr().add(step * TILE), &mut rooms[third].0);
                    let most = leg.maxima(leg.halves(0x7fff), odd[third]);
                    leg.store_halves(most, maxima[step % 2].0.as_mut_ptr());
                }
            }
            third = if third == 2 { 0 } else { third + 1 };
            if step > 0 && step <= end {
                let at = step - 1;
                let mut out = false;
                let (scales, bases) = (&mut scales[at * BLOCK..][..BLOCK], &mut bases[at % 2].0);
                for ((scale, base), maximum) in scales.iter_mut().zip(bases).zip(maxima[at % 2].0) {
                    *scale = power.code(maximum);
                    let (of_scale, within) = codes.base(*scale);
                    *base = of_scale;
                    out |= !within | (maximum >= 0x7f80);
                }
                if out {
                    end = at;
                }
            }
            if step > 1 {
                let at = step - 2;
                // The third after this tile's is its own.
                let odd = odd[third];
                let numbers = &numbers[at * TILE..][..TILE];
                let elements = &mut elements[at * packed..][..packed];
                for (four, base) in bases[at % 2].0.as_chunks().0.iter().enumerate() {
                    let from = numbers.as_ptr().wrapping_add(4 * BLOCK * four);
                    leg.prefetch(from.cast::<u8>().wrapping_add(AHEAD), 4 * BLOCK * size_of::<T>());
                    // SAFETY: four blocks are in all.
                    unsafe {
                        let to = elements.as_mut_ptr().add(pack::bytes(4 * BLOCK * four, E::WIDTH));
                        codes.four(from, odd.add(4 * BLOCK * four), base, to);
                    }
                }
            }
            step += 1;
        }
        end * TILE
    }
}

// Aligned, so that no access is to two cache lines.

/// A tile's numbers rounded to odd.
#[repr(align(64))]
struct Room([u16; TILE]);

/// The largest magnitudes of its blocks.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Maxima([u16; BLOCK]);

/// What is kept of their scales.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Bases([u32; BLOCK]);

/// A plan in registers.
#[derive(Clone, Copy)]
struct Codes<L: HalvesLeg, const WIDTH: u32, const SHIFT: u32> {
    leg: L,
    lowest: i16,
    codes: [L::Bytes; 2],
    steps: [L::Bytes; 2],
    limit: L::Bytes,
    most: L::Bytes,
    zeros: bool,
}

impl<L: HalvesLeg, const WIDTH: u32, const SHIFT: u32> Codes<L, WIDTH, SHIFT> {
    #[inline(always)]
    fn new(leg: L, plan: &Plan, zeros: bool) -> Self {
        let any = leg.bytes(0);
        Codes {
            leg,
            lowest: plan.lowest as i16,
            codes: any.table(&plan.codes),
            steps: any.table(&plan.steps),
            limit: leg.bytes(plan.limit),
            most: leg.bytes(plan.most),
            zeros,
        }
    }

    /// Of two blocks: the numbers, and the low bytes of t and of c.
    ///
    /// # Safety
    /// 2 · `BLOCK` readable numbers rounded to odd at `odd`.
    #[inline(always)]
    unsafe fn two(self, odd: *const u16, base: [u32; 2]) -> ([L::Halves; 2], [L::Bytes; 2]) {
        let leg = self.leg;
        // SAFETY: the caller's promise.
        let (a, b) = unsafe { (leg.load_halves(odd), leg.load_halves(odd.add(BLOCK))) };
        let magnitude = leg.halves(0x7fff);
        let ta = a.and(magnitude).excess(leg.pairs(base[0]));
        let tb = b.and(magnitude).excess(leg.pairs(base[1]));
        ([a, b], L::Bytes::crossed::<SHIFT>([ta, tb]))
    }

    /// What a table has at 2c + s.
    #[inline(always)]
    fn looked_up(self, [low, kept]: [L::Bytes; 2]) -> L::Bytes {
        let leg = self.leg;
        let rest = low.and(leg.bytes((1 << SHIFT) - 1)).min(leg.bytes(1));
        let place = kept.add(kept).add(rest);
        if WIDTH == 4 { place.look_up_short(self.codes) } else { place.look_up(self.codes) }
    }

    /// Codes that are computed.
    #[inline(always)]
    fn rounded(self, [low, kept]: [L::Bytes; 2]) -> L::Bytes {
        kept.add(low.look_up_short(self.steps)).min(self.most)
    }
}

impl<T: Number, L: HalvesLeg, const WIDTH: u32, const SHIFT: u32> Elements<T> for Codes<L, WIDTH, SHIFT> {
    const WIDTH: u32 = WIDTH;

    /// b << 7, twice.
    #[inline(always)]
    fn base(self, scale: u8) -> (u32, bool) {
        let field = scale as i16 + self.lowest;
        (((field as u16) << 7) as u32 * 0x1_0001, field >= 1)
    }

    #[inline(always)]
    unsafe fn four(self, _: *const T, odd: *const u16, base: &[u32; 4], to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            let (signs, first) = self.two(odd, [base[0], base[1]]);
            let (next_signs, second) = self.two(odd.add(2 * BLOCK), [base[2], base[3]]);
            let mut codes;
            if WIDTH == 4 {
                codes = [self.looked_up(first), self.looked_up(second)];
            } else {
                codes = [self.rounded(first), self.rounded(second)];
                // Of eight bits, hardly ever.
                if WIDTH == 6 || first[1].min(second[1]).below(self.limit) != 0 {
                    let below = [first[1].below(self.limit), second[1].below(self.limit)];
                    codes[0] = codes[0].replaced(below[0], self.looked_up(first));
                    codes[1] = codes[1].replaced(below[1], self.looked_up(second));
                }
            }
            let first = codes[0].signed::<WIDTH>(signs, self.zeros);
            let second = codes[1].signed::<WIDTH>(next_signs, self.zeros);
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

/// MXINT8's: numbers in units of 2^−6 times the scale.
#[derive(Clone, Copy)]
struct Integers<L> {
    leg: L,
}

impl<T: Number, L: HalvesLeg> Elements<T> for Integers<L> {
    const WIDTH: u32 = 8;

    /// What numbers are multiplied by.
    #[inline(always)]
    fn base(self, scale: u8) -> (u32, bool) {
        (reciprocal(scale).to_bits(), true)
    }

    #[inline(always)]
    unsafe fn four(self, from: *const T, _: *const u16, base: &[u32; 4], to: *mut u8) {
        let leg = self.leg;
        // Adding it leaves a whole number of units in the low bits, as two's complement.
        let whole = leg.words((12_582_912f32 / 64.0).to_bits());
        for pair in [0, 1] {
            let mut sums = [whole; 4];
            for (at, sum) in sums.iter_mut().enumerate() {
                let by = leg.words(base[2 * pair + at / 2]);
                // SAFETY: half of a block of the caller's.
                let x = unsafe { T::load(leg, from.add((4 * pair + at) * (BLOCK / 2))) };
                *sum = x.multiply_add_f32(by, whole);
            }
            // SAFETY: two blocks of the caller's.
            unsafe { leg.signed_bytes(sums).store(to.add(2 * BLOCK * pair)) };
        }
    }
}
