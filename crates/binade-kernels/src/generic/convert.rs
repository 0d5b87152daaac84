//! The vector algorithms of encoding, decoding and status flags.
//!
//! # Encoding
//! A source magnitude m has an exponent field and T trailing bits, and the target has precision P. Let *field* be the
//! source's exponent field of the target's smallest normal value. Then
//!
//! ```text
//! j = min(max(m >> T, 1) − 1, field − 1)      exponent steps to remove
//! w = m − (j << T)
//! cut = (T + 1 − P) + (field − 1) − j         bits below the target's last place
//! q = w >> cut,  f = w << (BITS − cut)        the code below, and the fraction of the step above it
//! ```
//!
//! For m below the smallest normal, w is the significand with its implicit bit (none if m is itself subnormal). The cut
//! grows by one with each exponent, so q counts the even steps of gradual underflow. From the smallest normal on, j =
//! field − 1. Subtracting it rebases the exponent field to 1, 2, …, so q is the magnitude code with its implicit bits.
//! Hence q and f are [`binade::project`]'s `lower` and ν everywhere, and rounding adds 0 or 1. Overflow is past
//! `largest` on the same line. In the gap that some formats have below their smallest normal value, comparisons of
//! words decide.
//!
//! Every derivation is in exact integers. No floating-point operation is involved, so the environment does not matter.
//! To nearest even, [`encode_by_addition`] replaces w, cut, q and f by one binary32 addition if binary32's range allows
//! it.

use binade_simd::lanes::{Lanes, Words};

use crate::plan::{Adding, BINARY32, BINARY64, Decode, Encode, Gap, code_shape, shape};

/// The position of a source word on the code line.
struct Located<V> {
    magnitude: V,
    /// The code at or below the magnitude, and the left-aligned fraction of the remaining step.
    code: V,
    fraction: V,
    /// The significand and the cut, for fractions of more bits.
    significand: V,
    cut: V,
}

/// Locates words on the code line. `EXACT` keeps a nonzero fraction nonzero for any cut. Below the smallest normal,
/// flushing formats are treated as if they had gradual underflow.
#[inline(always)]
fn locate<V: Lanes, const SHAPE: u32, const EXACT: bool>(plan: &Encode, trailing: u32, x: V) -> Located<V> {
    let magnitude = x.and(x.splat(plan.magnitude));
    let steps = magnitude.shr(trailing).saturating_decrement().min(x.splat(plan.steps_below));
    let significand = magnitude.sub(steps.shl(trailing));
    let mut cut = x.splat(plan.deepest_cut).sub(steps);
    if shape::tesla(SHAPE, plan) {
        // Tesla's subnormals have half the usual step.
        cut = cut.max(x.splat(plan.normal_cut));
    }
    if EXACT {
        // The significand has at most BITS − 2 bits there, so a cut of BITS − 1 leaves all of them in the fraction.
        cut = cut.min(x.splat(V::BITS - 1));
    }
    let code = significand.shr_each(cut);
    let fraction = significand.shl_each(x.splat(V::BITS).sub(cut));
    Located { magnitude, code, fraction, significand, cut }
}

/// [`locate`] for modes without random bits. There the distance into the gap of a flushing format does not matter:
/// [`round`] decides by comparison. So all words below the smallest normal are treated as that.
#[inline(always)]
fn locate_normal<V: Lanes, const SHAPE: u32, const EXACT: bool>(
    plan: &Encode,
    trailing: u32,
    x: V,
) -> Located<V> {
    if !shape::flush(SHAPE, plan) {
        return locate::<V, SHAPE, EXACT>(plan, trailing, x);
    }
    let magnitude = x.and(x.splat(plan.magnitude));
    let cut = x.splat(plan.normal_cut);
    let significand = magnitude.max(x.splat(plan.normal_word)).sub(x.splat(plan.steps_below).shl(trailing));
    let code = significand.shr_each(cut);
    let fraction = significand.shl_each(x.splat(V::BITS).sub(cut));
    Located { magnitude, code, fraction, significand, cut }
}

/// The rounded magnitude code, possibly past `largest`, of the position from [`locate_normal`]. If `EVEN` the mode is
/// nearest even; otherwise it is the plan's mode, which is not stochastic.
#[inline(always)]
fn round<V: Lanes, const SHAPE: u32, const EVEN: bool>(plan: &Encode, x: V, at: &Located<V>) -> V {
    let ones = x.splat(plan.one);
    // Compares with one half, with the code's parity as the last bit, below which there are no other bits.
    let code = if EVEN {
        let odd = at.code.and(x.splat(1));
        at.code.increment_if(at.fraction.or(odd).gt(x.splat(plan.top)), ones)
    } else {
        let odd = at.code.and(x.splat(plan.parity));
        let up_from = V::select(x.sign_mask(), x.splat(plan.up_negative), x.splat(plan.up_positive));
        let code = at.code.increment_if(at.fraction.or(odd).gt(up_from), ones);
        code.or(at.fraction.min(x.splat(plan.sticky)))
    };
    if !shape::tesla(SHAPE, plan) && !shape::flush(SHAPE, plan) {
        return code;
    }
    let mut up_from = x.splat(plan.gap_positive);
    if !EVEN {
        up_from = V::select(x.sign_mask(), x.splat(plan.gap_negative), up_from);
    }
    if shape::flush(SHAPE, plan) {
        return V::select(at.magnitude.ge(up_from), code, x.splat(plan.gap_low));
    }
    let edge = V::select(at.magnitude.ge(up_from), x.splat(plan.gap_high), x.splat(plan.gap_low));
    // Values that round to the upper side of Tesla's gap are past it on the line of even steps. So clamping to the edge
    // is right there, as it is below the gap.
    V::select(at.magnitude.ge(x.splat(plan.normal_word)), code, code.min(edge))
}

/// The magnitude code, rounded up iff ν + ρ ≥ 1, where ρ = `random` / 2^32. `low` has the bits of a binary64 below the
/// source word.
#[inline(always)]
fn round_stochastic<V: Words, const SHAPE: u32>(
    plan: &Encode,
    trailing: u32,
    at: &Located<V>,
    low: V,
    random: V,
) -> V {
    let ones = random.splat(plan.one);
    // ⌊ν·2^32⌋: cuts beyond 32 keep the significand's upper bits.
    let mut fraction = at.fraction.or(at.significand.shr_each(at.cut.sub(random.splat(32))));
    if trailing == BINARY64.trailing {
        fraction = fraction.or(low.shr_each(at.cut));
    }
    // The carry of the sum decides.
    let sum = fraction.add(random);
    let code = at.code.increment_if(random.gt(sum), ones);
    let normal = at.magnitude.ge(random.splat(plan.normal_word));
    if shape::tesla(SHAPE, plan) {
        // In the gap, U = code − low steps and a fraction F of a step are ν = (U + F) / s, with s = 2^k + 1 and k = P −
        // 1. So ν + ρ ≥ 1 iff U + F + ρ·2^k + ρ ≥ s. Let "rest" be ρ·2^k without its whole steps. Counting the two
        // carries, the condition is code + carry(F + ρ) + ⌊ρ·2^k⌋ + carry(F + ρ + rest) ≥ s + low. Below the gap the
        // left side is at most low + 2^k, which is less.
        let digits = plan.gap_high.trailing_zeros();
        let rest = random.shl(digits);
        let steps = code.add(random.shr(32 - digits)).increment_if(rest.gt(sum.add(rest)), ones);
        let up = steps.ge(random.splat(2 * plan.gap_low + 2));
        let below = V::select(up, random.splat(plan.gap_high), code.min(random.splat(plan.gap_low)));
        return V::select(normal, code, below);
    }
    if shape::flush(SHAPE, plan) {
        // The step is the whole smallest normal: 2^k of the even steps.
        let digits = plan.gap_high.trailing_zeros();
        let fraction = at.code.shl(32 - digits).or(fraction.shr(digits));
        let up = random.gt(fraction.add(random));
        return V::select(normal, code, V::select(up, random.splat(plan.gap_high), random.splat(0)));
    }
    code
}

/// Handles overflow: maps the rounded magnitude code to an existing one, which may depend on the sign if `DIRECTED`.
#[inline(always)]
fn clamp<V: Lanes, const DIRECTED: bool>(plan: &Encode, x: V, rounded: V) -> V {
    let mut most = x.splat(plan.overflow_positive);
    if DIRECTED {
        most = V::select(x.sign_mask(), x.splat(plan.overflow_negative), most);
    }
    rounded.min(most)
}

/// Converts the clamped magnitude code to the code: infinity, NaN, sign.
#[inline(always)]
fn finish<V: Lanes, const SHAPE: u32>(plan: &Encode, x: V, magnitude: V, clamped: V) -> V {
    let mut code = clamped;
    let infinity = x.splat(plan.infinity_word);
    if shape::infinity(SHAPE, plan) {
        code = V::select(magnitude.ge(infinity), x.splat(plan.infinity), code);
    }
    if shape::unsigned(SHAPE, plan) && !shape::negative_nan(SHAPE, plan) {
        let (finite, infinite) = plan.unsigned.unwrap_or((0, 0));
        let replaced = V::select(magnitude.ge(infinity), x.splat(infinite), x.splat(finite));
        code = V::select(V::and_masks(x.sign_mask(), code.gt_small(x.splat(0))), replaced, code);
    }
    if shape::nan_before(SHAPE, plan) {
        code = V::select(magnitude.gt_small(infinity), x.splat(plan.nan_before_sign.unwrap_or(0)), code);
    }
    if shape::negative_nan(SHAPE, plan) {
        // As an unsigned number, a word with a sign is above infinity, as NaN is. NaN's code is not 0 at this point.
        let nan = V::and_masks(x.gt(infinity), code.gt_small(x.splat(0)));
        return V::select(nan, x.splat(plan.nan_after_sign.unwrap_or(0)), code);
    }
    // Adding the sign bit (0 if unsigned) sets it.
    let largest = x.splat(plan.largest);
    let negative = match (shape::signed_zero(SHAPE, plan), shape::signed_overflow(SHAPE, plan)) {
        (true, true) => x.sign_mask(),
        (false, true) => V::and_masks(x.sign_mask(), code.gt_small(x.splat(0))),
        (true, false) => V::and_not(x.sign_mask(), code.gt_small(largest)),
        // From 1 to the largest: zero wraps around.
        (false, false) => V::and_masks(x.sign_mask(), largest.gt(code.sub(x.splat(1)))),
    };
    code = code.add_if(negative, x.splat(plan.sign));
    if shape::nan_after(SHAPE, plan) {
        code = V::select(
            magnitude.gt_small(x.splat(plan.nan_above)),
            x.splat(plan.nan_after_sign.unwrap_or(0)),
            code,
        );
    }
    code
}

/// Encodes a vector of source words with `trailing` trailing bits, a constant after inlining, in a mode without random
/// bits; to nearest even if `EVEN`.
#[inline(always)]
pub(crate) fn encode<V: Lanes, const SHAPE: u32, const EVEN: bool>(plan: &Encode, trailing: u32, x: V) -> V {
    // To nearest, a fraction that a deep cut shifts out is below half anyway.
    let at = if EVEN {
        locate_normal::<V, SHAPE, false>(plan, trailing, x)
    } else {
        locate_normal::<V, SHAPE, true>(plan, trailing, x)
    };
    let rounded = if EVEN {
        clamp::<V, false>(plan, x, round::<V, SHAPE, true>(plan, x, &at))
    } else {
        clamp::<V, true>(plan, x, round::<V, SHAPE, false>(plan, x, &at))
    };
    finish::<V, SHAPE>(plan, x, at.magnitude, rounded)
}

/// [`encode`] of binary32 words to nearest even, to be called within [`binade_simd::Environment`].
///
/// Let a magnitude be in the binade 2^e; below the smallest normal, e = emin. It is rounded to a multiple of its quantum
/// 2^(e − (P − 1)). For that, M = 2^(e − (P − 1) + 23) is added, whose unit in the last place is the quantum. For P ≥ 2
/// the magnitude is less than M. M's significand is even, so ties go to even multiples, which are the even codes.
///
/// The difference of the sum's word and M's is the multiple q, and the code is q + (e − emin) · 2^(P − 1). Larger
/// magnitudes and NaN are replaced beforehand by the magnitude that overflow gives.
#[inline(always)]
pub(crate) fn encode_by_addition<V: Words, const SHAPE: u32>(plan: &Encode, adding: &Adding, x: V) -> V {
    let magnitude = x.and(x.splat(plan.magnitude));
    let most = magnitude.min(x.splat(adding.most));
    // e − emin, in the exponent's place.
    let binade = most.and(x.splat(adding.exponent)).saturating_sub(x.splat(plan.normal_word));
    let addend = binade.add(x.splat(adding.base));
    let multiple = most.add_f32(addend).sub(addend);
    let code = multiple.add(binade.shr_each(x.splat(plan.normal_cut)));
    finish::<V, SHAPE>(plan, x, magnitude, code)
}

/// Encodes a vector of source words stochastically, with a random word for each.
#[inline(always)]
pub(crate) fn encode_stochastic<V: Words, const SHAPE: u32>(
    plan: &Encode,
    trailing: u32,
    x: V,
    low: V,
    random: V,
) -> V {
    let at = locate::<V, SHAPE, false>(plan, trailing, x);
    let rounded = round_stochastic::<V, SHAPE>(plan, trailing, &at, low, comparand(plan, random));
    finish::<V, SHAPE>(plan, x, at.magnitude, clamp::<V, false>(plan, x, rounded))
}

/// The lanes that [`encode_stochastic_by_addition`] does not decide, and the code of every other lane.
pub(crate) struct ByAddition<V: Lanes> {
    pub(crate) code: V,
    pub(crate) undecided: V::Mask,
}

/// Returns true if [`encode_stochastic_by_addition`] applies to this plan for binary32.
#[inline(always)]
pub(crate) fn is_by_addition<const SHAPE: u32>(plan: &Encode) -> bool {
    !shape::tesla(SHAPE, plan) && !shape::flush(SHAPE, plan)
}

/// [`encode_stochastic`] of binary32 words for formats without a gap.
///
/// With a cut of at most 31 bits, ν + ρ ≥ 1 iff the significand plus ⌊ρ · 2^cut⌋ carries into the bits above the cut. So one addition
/// before the cut replaces the fraction and its comparison. Deeper cuts leave the code 0, or 1 if the random word's upper 8 bits are
/// ones: ν is less than 2^24 / 2^32 there. Such lanes are undecided.
#[inline(always)]
pub(crate) fn encode_stochastic_by_addition<V: Words, const SHAPE: u32>(
    plan: &Encode,
    x: V,
    random: V,
) -> ByAddition<V> {
    const TRAILING: u32 = BINARY32.trailing;
    let random = comparand(plan, random);
    let magnitude = x.and(x.splat(plan.magnitude));
    let steps = magnitude.shr(TRAILING).saturating_decrement().min(x.splat(plan.steps_below));
    let significand = magnitude.sub(steps.shl(TRAILING));
    let cut = x.splat(plan.deepest_cut).sub(steps);
    // Shifted by 32 − cut, to the right.
    let addend = random.shr_each(steps.sub(x.splat(plan.deepest_cut.wrapping_sub(V::BITS))));
    let rounded = significand.add(addend).shr_each(cut);
    // The word of the least exponent whose cut has at most 31 bits.
    let shallow = (plan.deepest_cut + 2).saturating_sub(V::BITS) << TRAILING;
    let undecided = V::and_masks(x.splat(shallow).gt_small(magnitude), random.ge(x.splat(0xff00_0000)));
    let code = finish::<V, SHAPE>(plan, x, magnitude, clamp::<V, false>(plan, x, rounded));
    ByAddition { code, undecided }
}

/// The random word that is added to the fraction, see [`Encode::random_kept`].
#[inline(always)]
fn comparand<V: Words>(plan: &Encode, random: V) -> V {
    if plan.random_kept == !0 {
        return random;
    }
    random.and(random.splat(plan.random_kept)).or(random.splat(plan.random_half))
}

/// The bits of [`binade::Flags`] that encoding these words raises.
///
/// `low` and `random` matter only to stochastic rounding.
#[inline(always)]
pub(crate) fn status<V: Words, const STOCHASTIC: bool>(
    plan: &Encode,
    trailing: u32,
    x: V,
    low: V,
    random: V,
) -> V {
    let c = |word| x.splat(word);
    let zero = c(0);
    let when = |mask, word| V::select(mask, c(word), zero);
    // The bits below a binary64's high word count for exactness.
    let exact = locate_normal::<V, { shape::ANY }, true>(plan, trailing, x.or(low.min(c(1))));
    let rounded = if STOCHASTIC {
        let at = locate::<V, { shape::ANY }, false>(plan, trailing, x);
        round_stochastic::<V, { shape::ANY }>(plan, trailing, &at, low, comparand(plan, random))
    } else {
        round::<V, { shape::ANY }, false>(plan, x, &exact)
    };
    let magnitude = exact.magnitude;
    let tiny = |word| V::select(magnitude.ge(c(plan.normal_word)), zero, word);

    let mut inexact = when(exact.fraction.gt(zero), INEXACT);
    match plan.gap {
        Gap::None => {}
        // Codes past the lower edge do not exist below the smallest normal.
        Gap::Tesla => inexact = inexact.or(tiny(when(exact.code.gt_small(c(plan.gap_low)), INEXACT))),
        Gap::Flush => inexact = inexact.or(tiny(when(magnitude.gt_small(zero), INEXACT))),
    }
    // Underflow's bit is one below that of Inexact.
    let finite = inexact.or(tiny(inexact.shr(1)));
    let finite = V::select(rounded.gt_small(c(plan.largest)), c(OVERFLOW | INEXACT), finite);
    let infinite = c(if plan.infinity_stays { 0 } else { OVERFLOW | INEXACT });
    let mut flags = V::select(magnitude.ge(c(plan.infinity_word)), infinite, finite);
    if plan.unsigned.is_some() {
        let nonzero = V::select(magnitude.ge(c(plan.infinity_word)), c(1), rounded);
        let out = V::select(nonzero.gt_small(zero), c(INVALID), flags);
        flags = V::select(x.sign_mask(), out, flags);
    }
    flags = V::select(magnitude.gt_small(c(plan.infinity_word)), c(INVALID), flags);
    // A subnormal operand: nonzero with a zero exponent field.
    let nonzero = when(magnitude.or(low).gt(zero), DENORMAL);
    flags.or(V::select(magnitude.ge(c(1 << trailing)), zero, nonzero))
}

const INVALID: u32 = binade::Flags::INVALID.bits() as u32;
const DENORMAL: u32 = binade::Flags::DENORMAL.bits() as u32;
const OVERFLOW: u32 = binade::Flags::OVERFLOW.bits() as u32;
const INEXACT: u32 = binade::Flags::INEXACT.bits() as u32;
const _: () = assert!(binade::Flags::UNDERFLOW.bits() << 1 == binade::Flags::INEXACT.bits());

/// Decodes a vector of codes to binary32 words.
///
/// Normal codes are shifted to their place and rebased. Codes below are multiplied by the value of their step: an
/// integer of at most 15 bits times a power of two. The product is normal by [`Decode::new`], so it is exact in any
/// environment.
///
/// In the shape [`code_shape::ANY`], bits above a code's width are arbitrary. In the other shapes codes fill their
/// elements, and signed ones are sign-extended, which puts the sign in its place.
#[inline(always)]
pub(crate) fn decode<V: Words, const SHAPE: u32>(plan: &Decode, x: V) -> V {
    let c = |word| x.splat(word);
    let known = SHAPE != code_shape::ANY;
    let signed = code_shape::signed(SHAPE, plan);
    let magnitude = if known && !signed { x } else { x.and(c(plan.magnitude)) };
    let mut word = magnitude.shl_each(c(plan.shift));
    if code_shape::rebiased(SHAPE, plan) {
        word = word.add(c(plan.rebias));
    }
    if code_shape::subnormals(SHAPE, plan) {
        let below = magnitude.to_f32_scaled(c(plan.quantum));
        word = V::select(c(plan.normal).gt_small(magnitude), below, word);
    }
    if code_shape::flush(SHAPE, plan) {
        word = V::select(c(plan.normal).gt_small(magnitude), c(0), word);
    }
    if code_shape::infinity(SHAPE, plan) {
        word = V::select(magnitude.gt_small(c(plan.largest)), c(0x7f80_0000), word);
    }
    if signed {
        let place = if known { x } else { x.shl_each(c(plan.sign_shift)) };
        let with_sign = word.or(place.and(c(plan.sign)));
        let all = code_shape::signed_zero(SHAPE, plan);
        word = if all { with_sign } else { V::select(word.gt_small(c(0)), with_sign, word) };
    }
    let nan = c(0x7fc0_0000);
    if code_shape::nan_above(SHAPE, plan) {
        word = V::select(magnitude.gt_small(c(plan.infinity)), nan, word);
    }
    if code_shape::nan_code(SHAPE, plan) {
        // The sign bit alone.
        let is_nan = if known {
            x.eq(c(!plan.magnitude))
        } else {
            x.and(c(plan.code)).eq(c(plan.nan_code.unwrap_or(0)))
        };
        word = V::select(is_nan, nan, word);
    }
    word
}
