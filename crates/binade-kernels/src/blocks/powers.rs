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

use super::encoder::Power;
use super::value_of;
use crate::pack;

/// Elements of a block, and lanes of a vector.
pub(super) const BLOCK: usize = 32;
/// Elements of as many blocks as vectors have lanes.
const TILE: usize = BLOCK * BLOCK;
/// Elements that are worked on at once, at most: all scales before all elements, so that one does not wait for the other. Few,
/// since memory is read while elements are encoded and hardly while scales are found.
const GROUP: usize = TILE;

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
pub(super) trait Number: Copy {
    /// The next numbers rounded to odd.
    ///
    /// # Safety
    /// `BLOCK` readable elements at `source`.
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const Self) -> L::Halves;

    /// The largest magnitude of each of `BLOCK` blocks, rounded to odd.
    ///
    /// # Safety
    /// `TILE` readable elements at `source`.
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const Self) -> [u16; BLOCK];
}

impl Number for f32 {
    #[inline(always)]
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const f32) -> L::Halves {
        // SAFETY: the caller's promise.
        unsafe { leg.load_odd(source) }
    }

    #[inline(always)]
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const f32) -> [u16; BLOCK] {
        const { assert!(2 * L::Words::COUNT == BLOCK) };
        let mut maxima = [0f32; BLOCK];
        let magnitude = leg.words(0x7fff_ffff);
        for half in [0, 1] {
            // SAFETY: half of a tile, half of the maxima.
            unsafe {
                let words = leg.maxima_of_words::<2>(magnitude, source.add(half * TILE / 2).cast());
                words.store::<false>(maxima.as_mut_ptr().add(half * BLOCK / 2).cast());
            }
        }
        let mut odd = [0; BLOCK];
        // SAFETY: both are a vector of halves.
        unsafe { leg.store_halves(leg.load_odd(maxima.as_ptr()), odd.as_mut_ptr()) };
        odd
    }
}

impl Number for u16 {
    #[inline(always)]
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const u16) -> L::Halves {
        // SAFETY: the caller's promise.
        unsafe { leg.load_halves(source) }
    }

    #[inline(always)]
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const u16) -> [u16; BLOCK] {
        let mut maxima = [0; BLOCK];
        // SAFETY: as many vectors as lanes are a tile, and its maxima are a vector.
        unsafe { leg.store_halves(leg.maxima(leg.halves(0x7fff), source), maxima.as_mut_ptr()) };
        maxima
    }
}

impl Number for Binary16 {
    #[inline(always)]
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const Binary16) -> L::Halves {
        // SAFETY: the caller's promise.
        unsafe { leg.load_odd_binary16(source.cast()) }
    }

    #[inline(always)]
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const Binary16) -> [u16; BLOCK] {
        // SAFETY: the caller's promise; the maxima are a vector of the same numbers' magnitudes.
        unsafe {
            let mut maxima = <u16 as Number>::maxima(leg, source.cast());
            leg.store_halves(leg.load_odd_binary16(maxima.as_ptr()), maxima.as_mut_ptr());
            maxima
        }
    }
}

/// Whole tiles, up to those that have infinities, NaNs, or blocks whose smallest elements are not normal binary32 numbers;
/// how many elements they have.
pub(super) struct Encode<'a, T> {
    pub(super) plan: &'a Plan,
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
        match (self.plan.width, self.plan.shift) {
            (8, 4) => self.groups::<L, 8, 4>(leg),
            (8, _) => self.groups::<L, 8, 5>(leg),
            (6, 4) => self.groups::<L, 6, 4>(leg),
            (6, _) => self.groups::<L, 6, 5>(leg),
            _ => self.groups::<L, 4, 5>(leg),
        }
    }
}

impl<T: Number> Encode<'_, T> {
    #[inline(always)]
    fn groups<L: HalvesLeg, const WIDTH: u32, const SHIFT: u32>(self, leg: L) -> usize {
        const { assert!(L::Halves::COUNT == BLOCK && <L::Bytes as Bytes>::COUNT == 2 * BLOCK) };
        let Encode { plan, power, zeros, numbers, scales, elements } = self;
        let codes = Codes::<L, WIDTH, SHIFT>::new(leg, plan, power, zeros);
        let groups = scales.chunks_mut(GROUP / BLOCK).zip(elements.chunks_mut(pack::bytes(GROUP, WIDTH)));
        let mut done = 0;
        for (numbers, (scales, elements)) in numbers.chunks(GROUP).zip(groups) {
            let numbers = &numbers[..numbers.len() / TILE * TILE];
            if !codes.group(numbers, scales, elements) {
                break;
            }
            done += numbers.len();
        }
        done
    }
}

/// A plan in registers.
#[derive(Clone, Copy)]
struct Codes<L: HalvesLeg, const WIDTH: u32, const SHIFT: u32> {
    leg: L,
    power: Power,
    lowest: i16,
    codes: [L::Bytes; 2],
    steps: [L::Bytes; 2],
    limit: L::Bytes,
    most: L::Bytes,
    zeros: L::Bytes,
}

impl<L: HalvesLeg, const WIDTH: u32, const SHIFT: u32> Codes<L, WIDTH, SHIFT> {
    #[inline(always)]
    fn new(leg: L, plan: &Plan, power: Power, zeros: bool) -> Self {
        let any = leg.bytes(0);
        Codes {
            leg,
            power,
            lowest: plan.lowest as i16,
            codes: any.table(&plan.codes),
            steps: any.table(&plan.steps),
            limit: leg.bytes(plan.limit),
            most: leg.bytes(plan.most),
            zeros: leg.bytes(zeros as u8),
        }
    }

    /// Whole tiles, up to a group; `false` if they are not as [`Encode`] has them.
    #[inline(always)]
    fn group<T: Number>(self, numbers: &[T], scales: &mut [u8], elements: &mut [u8]) -> bool {
        let blocks = numbers.len() / BLOCK;
        let (Some(scales), Some(elements)) =
            (scales.get_mut(..blocks), elements.get_mut(..pack::bytes(numbers.len(), WIDTH)))
        else {
            return false;
        };
        // Scales, and b << 7 of each block, if all are in their ranges.
        let (mut bases, mut codes, mut out) =
            ([[0u16; BLOCK]; GROUP / TILE], [[0u8; BLOCK]; GROUP / TILE], false);
        let tiles = bases.iter_mut().zip(&mut codes);
        for (numbers, (bases, codes)) in numbers.chunks_exact(TILE).zip(tiles) {
            // SAFETY: a tile.
            let maxima = unsafe { T::maxima(self.leg, numbers.as_ptr()) };
            for ((base, code), maximum) in bases.iter_mut().zip(codes).zip(maxima) {
                let scale = self.power.code(maximum);
                let field = scale as i16 + self.lowest;
                out |= field < 1 || maximum >= 0x7f80;
                (*base, *code) = ((field as u16) << 7, scale);
            }
        }
        if out {
            return false;
        }
        scales.copy_from_slice(&codes.as_flattened()[..blocks]);
        for (number, base) in bases.as_flattened()[..blocks].as_chunks().0.iter().enumerate() {
            // Of the next group.
            let next = numbers.as_ptr().wrapping_add(GROUP + 4 * BLOCK * number);
            self.leg.prefetch(next.cast(), 4 * BLOCK * size_of::<T>());
            // SAFETY: four blocks are in both.
            unsafe {
                let from = numbers.as_ptr().add(4 * BLOCK * number);
                let to = elements.as_mut_ptr().add(pack::bytes(4 * BLOCK * number, WIDTH));
                self.four(from, base, to);
            }
        }
        true
    }

    /// Four blocks.
    ///
    /// # Safety
    /// 4 · `BLOCK` readable elements at `from`, and as many packed ones writable at `to`.
    #[inline(always)]
    unsafe fn four<T: Number>(self, from: *const T, base: &[u16; 4], to: *mut u8) {
        // SAFETY: the caller's promise.
        unsafe {
            let first = self.two(from, [base[0], base[1]]);
            let second = self.two(from.add(2 * BLOCK), [base[2], base[3]]);
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

    /// The codes of two blocks.
    ///
    /// # Safety
    /// 2 · `BLOCK` readable elements at `from`.
    #[inline(always)]
    unsafe fn two<T: Number>(self, from: *const T, base: [u16; 2]) -> L::Bytes {
        let Codes { leg, codes, steps, limit, most, zeros, .. } = self;
        // SAFETY: the caller's promise.
        let (a, b) = unsafe { (T::load(leg, from), T::load(leg, from.add(BLOCK))) };
        let magnitude = leg.halves(0x7fff);
        let ta = a.and(magnitude).excess(leg.halves(base[0] as u32));
        let tb = b.and(magnitude).excess(leg.halves(base[1] as u32));
        let (kept, low) = (L::Bytes::low([ta.shr(SHIFT), tb.shr(SHIFT)]), L::Bytes::low([ta, tb]));
        let rest = low.and(leg.bytes((1 << SHIFT) - 1)).min(leg.bytes(1));
        let place = kept.add(kept).add(rest);
        let mut code;
        if WIDTH == 4 {
            code = place.look_up_short(codes);
        } else {
            code = kept.add(low.look_up_short(steps)).min(most);
            let below = kept.below(limit);
            if below != 0 {
                code = code.replaced(below, place.look_up(codes));
            }
        }
        code.signed([a, b], leg.bytes(1 << (WIDTH - 1)), zeros)
    }
}
