//! Encoding, decoding and status, a vector at a time.
//!
//! # Encoding
//! A source magnitude m has an exponent field and T trailing bits, the target precision P; *field* is the source's
//! exponent field of the target's smallest normal value. Take
//!
//! ```text
//! j = min(max(m >> T, 1) − 1, field − 1)      exponent steps to take off
//! w = m − (j << T)
//! cut = (T + 1 − P) + (field − 1) − j         bits below the target's last place
//! q = w >> cut,  f = w << (BITS − cut)        the code below, and the fraction of the step above it
//! ```
//!
//! For m below the smallest normal, w is the significand with its implicit bit (none if m is itself subnormal), and the
//! cut grows by one an exponent, so that q counts the even steps of gradual underflow. From the smallest normal on,
//! j = field − 1, and subtracting it rebases the exponent field to 1, 2, …: q is the magnitude code, implicit bits and
//! all. So q and f are [`binade::project`]'s `lower` and ν everywhere, and rounding is adding 0 or 1. Overflow is past
//! `largest` on the same line. In the gap that some formats have below their smallest normal value, comparing words
//! decides.
//!
//! Every derivation is of exact integers: no floating-point operation is involved, and so no environment matters. To
//! nearest even, [`encode_by_addition`] leaves w, cut, q and f to one binary32 addition where binary32 has room for it.

use binade_simd::lanes::{Lanes, Words};

use crate::plan::{Adding, BINARY64, Decode, Encode, Gap, code_shape, shape};

/// A source word on the code line.
struct Located<V> {
    magnitude: V,
    /// Code at or below the magnitude, and the left-aligned fraction of the step that is left.
    code: V,
    fraction: V,
    /// The significand and the cut, for fractions of more bits.
    significand: V,
    cut: V,
}

/// `EXACT` keeps a nonzero fraction nonzero however deep the cut. Below the smallest normal, flushing formats are
/// taken to have the even steps of gradual underflow.
#[inline(always)]
fn locate<V: Lanes, const SHAPE: u32, const EXACT: bool>(plan: &Encode, trailing: u32, x: V) -> Located<V> {
    let magnitude = x.and(x.like(plan.magnitude));
    let steps = magnitude.shr(trailing).before().min(x.like(plan.steps_below));
    let significand = magnitude.sub(steps.shl(trailing));
    let mut cut = x.like(plan.deepest_cut).sub(steps);
    if shape::tesla(SHAPE, plan) {
        // Its subnormals have half the usual step.
        cut = cut.max(x.like(plan.normal_cut));
    }
    if EXACT {
        // The significand has at most BITS − 2 bits there, so that a cut of BITS − 1 leaves them all in the fraction.
        cut = cut.min(x.like(V::BITS - 1));
    }
    let code = significand.shr_each(cut);
    let fraction = significand.shl_each(x.like(V::BITS).sub(cut));
    Located { magnitude, code, fraction, significand, cut }
}

/// [`locate`] for the modes without random bits, in which it does not matter how far into the gap of a flushing format
/// a value is: [`round`] decides there by comparing, and the smallest normal stands for all that lies below.
#[inline(always)]
fn locate_normal<V: Lanes, const SHAPE: u32, const EXACT: bool>(
    plan: &Encode,
    trailing: u32,
    x: V,
) -> Located<V> {
    if !shape::flush(SHAPE, plan) {
        return locate::<V, SHAPE, EXACT>(plan, trailing, x);
    }
    let magnitude = x.and(x.like(plan.magnitude));
    let cut = x.like(plan.normal_cut);
    let significand = magnitude.max(x.like(plan.normal_word)).sub(x.like(plan.steps_below).shl(trailing));
    let code = significand.shr_each(cut);
    let fraction = significand.shl_each(x.like(V::BITS).sub(cut));
    Located { magnitude, code, fraction, significand, cut }
}

/// The rounded magnitude code, past `largest` included, of what [`locate_normal`] found. If `EVEN`, the mode is
/// known to be to nearest even; otherwise it is whichever the plan is of, but stochastic.
#[inline(always)]
fn round<V: Lanes, const SHAPE: u32, const EVEN: bool>(plan: &Encode, x: V, at: &Located<V>) -> V {
    let ones = x.like(plan.one);
    // Above half with the code's parity in the last place, below which there is nothing else.
    let code = if EVEN {
        let odd = at.code.and(x.like(1));
        at.code.increment_if(at.fraction.or(odd).gt(x.like(plan.top)), ones)
    } else {
        let odd = at.code.and(x.like(plan.parity));
        let up_from = V::select(x.tops(), x.like(plan.up_negative), x.like(plan.up_positive));
        let code = at.code.increment_if(at.fraction.or(odd).gt(up_from), ones);
        code.or(at.fraction.min(x.like(plan.sticky)))
    };
    if !shape::tesla(SHAPE, plan) && !shape::flush(SHAPE, plan) {
        return code;
    }
    let mut up_from = x.like(plan.gap_positive);
    if !EVEN {
        up_from = V::select(x.tops(), x.like(plan.gap_negative), up_from);
    }
    if shape::flush(SHAPE, plan) {
        return V::select(at.magnitude.ge(up_from), code, x.like(plan.gap_low));
    }
    let edge = V::select(at.magnitude.ge(up_from), x.like(plan.gap_high), x.like(plan.gap_low));
    // What rounds to the upper side of Tesla's gap is past it on the line of even steps, so that clamping to the edge
    // is right there as it is below the gap.
    V::select(at.magnitude.ge(x.like(plan.normal_word)), code, code.min(edge))
}

/// The magnitude code rounded up iff ν + ρ ≥ 1, where ρ = `random` / 2^32. `low` is what a binary64 has below the
/// source word.
#[inline(always)]
fn round_stochastic<V: Words, const SHAPE: u32>(
    plan: &Encode,
    trailing: u32,
    at: &Located<V>,
    low: V,
    random: V,
) -> V {
    let ones = random.like(plan.one);
    // ⌊ν·2^32⌋: cuts past 32 leave the significand's upper bits.
    let mut fraction = at.fraction.or(at.significand.shr_each(at.cut.sub(random.like(32))));
    if trailing == BINARY64.trailing {
        fraction = fraction.or(low.shr_each(at.cut));
    }
    // The carry of the sum decides.
    let sum = fraction.add(random);
    let code = at.code.increment_if(random.gt(sum), ones);
    let normal = at.magnitude.ge(random.like(plan.normal_word));
    if shape::tesla(SHAPE, plan) {
        // In the gap, U = code − low steps and a fraction F of one are ν = (U + F) / s with s = 2^k + 1, k = P − 1.
        // ν + ρ ≥ 1 iff U + F + ρ·2^k + ρ ≥ s. With the whole steps of ρ·2^k split off and the two carries counted,
        // that is code + carry(F + ρ) + ⌊ρ·2^k⌋ + carry(F + ρ + the rest) ≥ s + low. Below the gap the left side is
        // at most low + 2^k, which is less.
        let digits = plan.gap_high.trailing_zeros();
        let rest = random.shl(digits);
        let steps = code.add(random.shr(32 - digits)).increment_if(rest.gt(sum.add(rest)), ones);
        let up = steps.ge(random.like(2 * plan.gap_low + 2));
        let below = V::select(up, random.like(plan.gap_high), code.min(random.like(plan.gap_low)));
        return V::select(normal, code, below);
    }
    if shape::flush(SHAPE, plan) {
        // The step is the whole smallest normal, 2^k of the even steps.
        let digits = plan.gap_high.trailing_zeros();
        let fraction = at.code.shl(32 - digits).or(fraction.shr(digits));
        let up = random.gt(fraction.add(random));
        return V::select(normal, code, V::select(up, random.like(plan.gap_high), random.like(0)));
    }
    code
}

/// Overflow: from the rounded magnitude code to one that there is, which may depend on the sign if `DIRECTED`.
#[inline(always)]
fn clamp<V: Lanes, const DIRECTED: bool>(plan: &Encode, x: V, rounded: V) -> V {
    let mut most = x.like(plan.overflow_positive);
    if DIRECTED {
        most = V::select(x.tops(), x.like(plan.overflow_negative), most);
    }
    rounded.min(most)
}

/// From the clamped magnitude code to the code: infinity, NaN, sign.
#[inline(always)]
fn finish<V: Lanes, const SHAPE: u32>(plan: &Encode, x: V, magnitude: V, clamped: V) -> V {
    let mut code = clamped;
    let infinity = x.like(plan.infinity_word);
    if shape::infinity(SHAPE, plan) {
        code = V::select(magnitude.ge(infinity), x.like(plan.infinity), code);
    }
    if shape::unsigned(SHAPE, plan) && !shape::negative_nan(SHAPE, plan) {
        let (finite, infinite) = plan.unsigned.unwrap_or((0, 0));
        let replaced = V::select(magnitude.ge(infinity), x.like(infinite), x.like(finite));
        code = V::select(V::both(x.tops(), code.gt_small(x.like(0))), replaced, code);
    }
    if shape::nan_before(SHAPE, plan) {
        code = V::select(magnitude.gt_small(infinity), x.like(plan.nan_before_sign.unwrap_or(0)), code);
    }
    if shape::negative_nan(SHAPE, plan) {
        // As an unsigned number, what has a sign is above infinity like NaN. NaN's code is not 0 by now.
        let nan = V::both(x.gt(infinity), code.gt_small(x.like(0)));
        return V::select(nan, x.like(plan.nan_after_sign.unwrap_or(0)), code);
    }
    // Adding the sign bit (0 if unsigned) sets it.
    let largest = x.like(plan.largest);
    let negative = match (shape::signed_zero(SHAPE, plan), shape::signed_overflow(SHAPE, plan)) {
        (true, true) => x.tops(),
        (false, true) => V::both(x.tops(), code.gt_small(x.like(0))),
        (true, false) => V::but_not(x.tops(), code.gt_small(largest)),
        // From 1 to the largest: zero wraps around.
        (false, false) => V::both(x.tops(), largest.gt(code.sub(x.like(1)))),
    };
    code = code.add_if(negative, x.like(plan.sign));
    if shape::nan_after(SHAPE, plan) {
        code = V::select(
            magnitude.gt_small(x.like(plan.nan_above)),
            x.like(plan.nan_after_sign.unwrap_or(0)),
            code,
        );
    }
    code
}

/// A vector of source words of `trailing` trailing bits, a constant after inlining, to codes, in a mode without random
/// bits, to nearest even if `EVEN`.
#[inline(always)]
pub(crate) fn encode<V: Lanes, const SHAPE: u32, const EVEN: bool>(plan: &Encode, trailing: u32, x: V) -> V {
    // To nearest, a fraction that a deep cut shifts away is below half all the same.
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

/// [`encode`] of binary32 words to nearest even, within [`binade_simd::Environment`].
///
/// A magnitude in the binade 2^e, or below the smallest normal, where e = emin, is rounded to a multiple of its quantum
/// 2^(e − (P − 1)) by adding M = 2^(e − (P − 1) + 23), of which the quantum is the unit in the last place: for P ≥ 2 it
/// is less than M. M's significand is even, so that ties go to even multiples, which are the even codes. What the sum's
/// word is above M's is the multiple q, and the code is q + (e − emin) · 2^(P − 1). Larger magnitudes and NaN are taken
/// to be the one that overflow results in, beforehand.
#[inline(always)]
pub(crate) fn encode_by_addition<V: Words, const SHAPE: u32>(plan: &Encode, adding: &Adding, x: V) -> V {
    let magnitude = x.and(x.like(plan.magnitude));
    let most = magnitude.min(x.like(adding.most));
    // e − emin, in the exponent's place.
    let binade = most.and(x.like(adding.exponent)).excess(x.like(plan.normal_word));
    let addend = binade.add(x.like(adding.base));
    let multiple = most.add_f32(addend).sub(addend);
    let code = multiple.add(binade.shr_each(x.like(plan.normal_cut)));
    finish::<V, SHAPE>(plan, x, magnitude, code)
}

/// A vector of source words to codes, with a random word each.
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

/// The random word that is added to the fraction, see [`Encode::random_kept`].
#[inline(always)]
fn comparand<V: Words>(plan: &Encode, random: V) -> V {
    if plan.random_kept == !0 {
        return random;
    }
    random.and(random.like(plan.random_kept)).or(random.like(plan.random_half))
}

/// The bits of [`binade::Flags`] that encoding these words raises.
///
/// `low` and `random` matter to stochastic rounding only.
#[inline(always)]
pub(crate) fn status<V: Words, const STOCHASTIC: bool>(
    plan: &Encode,
    trailing: u32,
    x: V,
    low: V,
    random: V,
) -> V {
    let c = |word| x.like(word);
    let zero = c(0);
    let when = |mask, word| V::select(mask, c(word), zero);
    // What lies below a binary64's high word counts for exactness.
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
    // Underflow is the inexact bit moved one down.
    let finite = inexact.or(tiny(inexact.shr(1)));
    let finite = V::select(rounded.gt_small(c(plan.largest)), c(OVERFLOW | INEXACT), finite);
    let infinite = c(if plan.infinity_stays { 0 } else { OVERFLOW | INEXACT });
    let mut flags = V::select(magnitude.ge(c(plan.infinity_word)), infinite, finite);
    if plan.unsigned.is_some() {
        let nonzero = V::select(magnitude.ge(c(plan.infinity_word)), c(1), rounded);
        let out = V::select(nonzero.gt_small(zero), c(INVALID), flags);
        flags = V::select(x.tops(), out, flags);
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

/// A vector of codes to binary32 words.
///
/// Normal codes move to their place and are rebased. Below, the code times the value of its step: an integer of at
/// most 15 bits times a power of two, normal by [`Decode::new`], so exact in any environment.
///
/// In the shape [`code_shape::ANY`], codes may have anything above their width. In the others they fill their elements,
/// and signed ones come sign-extended, so that the sign is in its place.
#[inline(always)]
pub(crate) fn decode<V: Words, const SHAPE: u32>(plan: &Decode, x: V) -> V {
    let c = |word| x.like(word);
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
