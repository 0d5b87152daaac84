//! Rounding of values to a format, within binary32 or binary64: the result of encoding and decoding.

use binade::carrier::NarrowRounding;
use binade::catalog::BF16;
use binade::{Edition, Format, NanCodes, Projection, Rounding, Saturation};
use binade_simd::lanes::Leg;
use binade_simd::{Environment, Isa, Kernel, threads};

use crate::arithmetic::{bf16, maximum, minimum};
use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::error::KernelError;
use crate::reduction::{Extremes, Fold, InOrder, Rows};
use crate::slices::{Codes, CodesMut};
use crate::values::Values;

/// Replaces values by the nearest values of a format: encodes, then decodes.
///
/// Values that the carrying type cannot represent (a format may have a larger range) are rounded to it, to nearest
/// even. NaN and infinity become what the format makes of them. For stochastic rounding see [`Encoder`].
#[derive(Clone, Debug)]
pub struct Rounder {
    encoder: Encoder,
    decoder: Decoder,
    /// The rounding of binary32 numbers without codes, if the format allows it.
    within: Option<Binary32Rounding>,
    isa: Isa,
    threads: usize,
    first: u64,
}

/// Values rounded at once.
const BUFFER: usize = 1024;

macro_rules! in_place {
    ($(#[$doc:meta])* $public:vis $name:ident, $value:ty, $values:ident, $decode:ident) => {
        $(#[$doc])*
        $public fn $name(&self, values: &mut [$value]) {
            threads::split(values, self.threads, |start, piece| {
                let (mut bytes, mut words) = ([0; BUFFER], [0; BUFFER]);
                for (number, piece) in piece.chunks_mut(BUFFER).enumerate() {
                    let first = self.first.wrapping_add((start + number * BUFFER) as u64);
                    let encoder = self.encoder.starting_at(first);
                    if encoder.format().width() <= 8 {
                        let codes = &mut bytes[..piece.len()];
                        encoder.encode_part(Values::$values(piece), CodesMut::Bytes(codes));
                        self.decoder.$decode(Codes::Bytes(codes), piece);
                    } else {
                        let codes = &mut words[..piece.len()];
                        encoder.encode_part(Values::$values(piece), CodesMut::Words(codes));
                        self.decoder.$decode(Codes::Words(codes), piece);
                    }
                }
            });
        }
    };
}

/// Rounding to nearest even within binary32; NaN becomes the canonical NaN.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Binary32Rounding {
    /// BF16, which has the exponents of binary32.
    Bf16,
    /// A signed format with a NaN.
    Narrow(NarrowRounding),
}

impl Binary32Rounding {
    fn of(format: Format) -> Option<Binary32Rounding> {
        if format == BF16 {
            return Some(Binary32Rounding::Bf16);
        }
        NarrowRounding::signed(format)
            .filter(|_| format.nan() != NanCodes::None)
            .map(Binary32Rounding::Narrow)
    }
}

/// An operation that uses the rounding of a number; see [`Binary32Rounding::choose`].
pub(crate) trait WithRounding: Sized {
    fn rounding(self, round: impl Fn(f32) -> f32);

    /// [`WithRounding::rounding`] for a format without a gap.
    #[inline(always)]
    fn narrow(self, narrow: NarrowRounding) {
        self.rounding(|x| nearest(&narrow, x, |_, rounded| rounded));
    }
}

impl Binary32Rounding {
    /// Selects the rounding once for the format, not for each number.
    #[inline(always)]
    pub(crate) fn choose(self, with: impl WithRounding) {
        match self {
            Binary32Rounding::Bf16 => with.rounding(bf16),
            Binary32Rounding::Narrow(narrow @ NarrowRounding { gap: None, .. }) => with.narrow(narrow),
            Binary32Rounding::Narrow(narrow @ NarrowRounding { gap: Some(gap), .. }) => {
                let [middle, lower, upper] = [gap.middle, gap.lower, gap.upper].map(|bits| bits as u32);
                let outside = |x: u32, rounded: u32| {
                    let (sign, magnitude) = (rounded & SIGN, rounded & !SIGN);
                    match (x & !SIGN >= middle, magnitude) {
                        (true, _) if magnitude < upper => upper | x & SIGN,
                        (false, _) if magnitude >= lower => lower | sign,
                        _ => rounded,
                    }
                };
                with.rounding(|x| nearest(&narrow, x, outside));
            }
        }
    }
}

pub(crate) struct InPlace<'a>(pub(crate) &'a mut [f32]);

impl WithRounding for InPlace<'_> {
    #[inline(always)]
    fn rounding(self, round: impl Fn(f32) -> f32) {
        for x in self.0 {
            *x = round(*x);
        }
    }

    #[inline(always)]
    fn narrow(self, narrow: NarrowRounding) {
        let (blocks, rest) = self.0.as_chunks_mut();
        for x in blocks {
            *x = block(&narrow, x);
        }
        InPlace(rest).rounding(|x| nearest(&narrow, x, |_, rounded| rounded));
    }
}

/// Rounds values of one slice into another.
struct SliceToSlice<'a>(&'a [f32], &'a mut [f32]);

impl WithRounding for SliceToSlice<'_> {
    #[inline(always)]
    fn rounding(self, round: impl Fn(f32) -> f32) {
        for (&x, to) in self.0.iter().zip(self.1) {
            *to = round(x);
        }
    }

    #[inline(always)]
    fn narrow(self, narrow: NarrowRounding) {
        let ((blocks, rest), (to, to_rest)) = (self.0.as_chunks(), self.1.as_chunks_mut());
        for (x, to) in blocks.iter().zip(to) {
            *to = block(&narrow, x);
        }
        SliceToSlice(rest, to_rest).rounding(|x| nearest(&narrow, x, |_, rounded| rounded));
    }
}

/// Rounds values on a leg.
struct Round<W>(Binary32Rounding, W);

impl<W: WithRounding> Kernel for Round<W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        self.0.choose(self.1);
    }
}

pub(crate) const SIGN: u32 = 1 << 31;

/// Numbers that are checked together for overflow and NaN.
const BLOCK: usize = 32;

/// Rounds numbers to nearest even in a format without a gap.
#[inline(always)]
fn block(narrow: &NarrowRounding, x: &[f32; BLOCK]) -> [f32; BLOCK] {
    let (mut rounded, mut largest) = ([0.0; BLOCK], 0);
    for (to, &x) in rounded.iter_mut().zip(x) {
        largest = largest.max(x.to_bits() & !SIGN);
        *to = f32::from_bits(bounded(narrow, x));
    }
    if largest >= narrow.bound as u32 {
        for (to, &x) in rounded.iter_mut().zip(x) {
            *to = nearest(narrow, x, |_, rounded| rounded);
        }
    }
    rounded
}

/// The bits of x rounded to nearest even, if x neither overflows nor is NaN.
#[inline(always)]
fn bounded(narrow: &NarrowRounding, x: f32) -> u32 {
    let bits = x.to_bits();
    let magic =
        f32::from_bits((bits & 0x7f80_0000).max(narrow.smallest as u32).wrapping_add(narrow.magic as u32));
    ((x + magic) - magic).to_bits() | bits & narrow.sign as u32
}

/// x rounded to nearest even by [`NarrowRounding`]. `outside` maps bits that may be in a gap. NaN becomes the canonical NaN.
#[inline(always)]
fn nearest(narrow: &NarrowRounding, x: f32, outside: impl Fn(u32, u32) -> u32) -> f32 {
    let bits = x.to_bits();
    let magnitude = bits & !SIGN;
    let rounded = bounded(narrow, x);
    let rounded = outside(bits, rounded);
    let overflow = match narrow.overflow as u32 {
        nan if nan > f32::INFINITY.to_bits() => nan,
        overflow => overflow | bits & SIGN,
    };
    f32::from_bits(match magnitude {
        nan if nan > f32::INFINITY.to_bits() => f32::NAN.to_bits(),
        large if large >= narrow.bound as u32 => overflow,
        _ => rounded,
    })
}

impl Rounder {
    /// A rounder with these modes; see [`Encoder::new`].
    ///
    /// # Errors
    /// If the format has more than 16 bits.
    pub fn new(format: Format, rounding: Rounding, saturation: Saturation) -> Result<Rounder, KernelError> {
        Rounder::in_edition(format, Projection::new(rounding, saturation), Edition::Interim)
    }

    /// A rounder by the definitions of an edition; see [`Encoder::in_edition`].
    ///
    /// # Errors
    /// If the format has more than 16 bits.
    pub fn in_edition(format: Format, how: Projection, edition: Edition) -> Result<Rounder, KernelError> {
        let encoder = Encoder::in_edition(format, how, edition)?;
        let plain = how == Projection::default() && edition == Edition::Interim;
        let within = if plain { Binary32Rounding::of(format) } else { None };
        let (decoder, isa) = (Decoder::new(format)?, Isa::detect());
        Ok(Rounder { encoder, decoder, within, isa, threads: 1, first: 0 })
    }

    /// Uses this instruction set.
    pub fn with_isa(self, isa: Isa) -> Rounder {
        Rounder { encoder: self.encoder.with_isa(isa), decoder: self.decoder.with_isa(isa), isa, ..self }
    }

    /// Uses this number of threads (0 counts as 1). Results do not depend on it.
    pub fn with_threads(self, threads: usize) -> Rounder {
        Rounder { threads, ..self }
    }

    /// Uses this seed for stochastic rounding.
    pub fn with_seed(self, seed: u64) -> Rounder {
        Rounder { encoder: self.encoder.with_seed(seed), ..self }
    }

    /// Sets the index of the first element of a slice, see [`Encoder::starting_at`].
    pub fn starting_at(self, first: u64) -> Rounder {
        Rounder { first, ..self }
    }

    /// True if binary32 values are rounded without codes, and rounding a result again does not change it.
    pub fn is_within_binary32(&self) -> bool {
        self.within.is_some()
    }

    /// Rounds binary32 values in place.
    pub fn round_in_place(&self, values: &mut [f32]) {
        match self.within {
            Some(within) => threads::split(values, self.threads, |_, values| {
                let _environment = Environment::enter();
                self.isa.run(Round(within, InPlace(values)));
            }),
            None => self.round_by_codes(values),
        }
    }

    /// Rounds binary32 values of one slice into another.
    ///
    /// # Panics
    /// If lengths differ.
    pub fn round(&self, from: &[f32], to: &mut [f32]) {
        assert_eq!(from.len(), to.len(), "as many values as there is room for");
        let Some(within) = self.within else {
            to.copy_from_slice(from);
            return self.round_by_codes(to);
        };
        threads::split(to, self.threads, |start, to| {
            let _environment = Environment::enter();
            self.isa.run(Round(within, SliceToSlice(&from[start..][..to.len()], to)));
        });
    }

    /// `totals[i]` ← the reduction of `totals[i]` and element i of each of `rows` rows in order, `stride` apart in `x`.
    /// After each row the totals are rounded as by [`Rounder::round_in_place`]. Runs on one thread.
    ///
    /// # Panics
    /// If `x` ends before the last row.
    pub fn fold_rows(&self, fold: Fold, x: &[f32], stride: usize, rows: usize, totals: &mut [f32]) {
        let _environment = Environment::enter();
        if let Some(within) = self.within {
            return self.isa.run(Rows { fold, within, x, stride, rows, totals });
        }
        let one = self.clone().with_threads(1);
        for row in 0..rows {
            let x = &x[row * stride..][..totals.len()];
            let all = totals.iter_mut().zip(x);
            match fold {
                Fold::Add => all.for_each(|(total, x)| *total += x),
                Fold::Multiply => all.for_each(|(total, x)| *total *= x),
                Fold::Maximum => all.for_each(|(total, &x)| *total = maximum(*total, x)),
                Fold::Minimum => all.for_each(|(total, &x)| *total = minimum(*total, x)),
            }
            one.round_by_codes(totals);
        }
    }

    /// The result of [`Rounder::fold_rows`] if the elements of each total are contiguous: `depth` elements for each,
    /// `stride` apart in `x`. Returns false, and does nothing, for formats that are not within binary32. Runs on one
    /// thread.
    ///
    /// # Panics
    /// If `x` ends before the last total's elements.
    pub fn fold_each(&self, fold: Fold, x: &[f32], stride: usize, depth: usize, totals: &mut [f32]) -> bool {
        let Some(within) = self.within else { return false };
        if depth > 0 {
            let _environment = Environment::enter();
            let isa = self.isa;
            match fold {
                Fold::Maximum | Fold::Minimum => {
                    isa.run(Extremes { fold, within: self.within, x, stride, depth, totals });
                }
                Fold::Add | Fold::Multiply => {
                    InOrder { isa, fold, within, x, stride, depth, totals }.run();
                }
            }
        }
        true
    }

    in_place! {
        /// Rounds binary32 values by way of codes.
        round_by_codes, f32, Binary32, part_f32
    }

    in_place! {
        /// Rounds binary64 values in place.
        pub round_in_place_f64, f64, Binary64, part_f64
    }
}
