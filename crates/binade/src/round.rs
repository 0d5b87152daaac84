//! The only code that rounds: exact value → rounding → saturation → code (P3109 §4.6.2 to §4.6.5, generalised).
//!
//! In every format the nonnegative finite codes 0, 1, 2, … have increasing magnitudes. So rounding *locates* a
//! magnitude between two neighbouring codes, as a fraction ν of the step from the lower to the upper. The mode chooses
//! one of the two from ν and the codes' parity. Past the largest finite code the line continues with unbounded
//! exponents, and saturation handles results there.
//!
//! All formats follow this rule, over different code lines: IEEE's parity of the significand, P3109's rule for P = 1, the
//! gap of the Tesla formats below the smallest normal, flush-to-zero, and unsigned formats.

use core::cmp::Ordering;

use crate::catalog::Edition;
use crate::exact::{Finite, Value};
use crate::flags::Flags;
use crate::format::{Format, Subnormals};
use crate::philox;

/// The comparison of ν with the random bits R by which stochastic rounding chooses the upper neighbour (P3109 4.0).
/// A, B and C round up with probability ν, to within N bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stochastic {
    /// ⌊ν·2^N⌋ + R ≥ 2^N.
    A,
    /// ⌊ν·2^(N+1)⌋ + 2R + 1 ≥ 2^(N+1).
    B,
    /// ν·2^N rounded to the nearest integer, ties to even, + R ≥ 2^N.
    C,
    /// Inexact results round up if R ≥ 2^(N−1): with probability ½, wherever they are between their neighbours. This is Verrou's
    /// `random`. Its expected value is the middle of the two neighbours, so that it is biased unless ν = ½.
    Random,
}

/// Rounding mode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rounding {
    /// To nearest, ties to the even code.
    #[default]
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Toward +∞.
    TowardPositive,
    /// Toward −∞.
    TowardNegative,
    /// Toward zero.
    TowardZero,
    /// Inexact results round to the neighbour whose code is odd.
    ToOdd,
    /// Up or down at random, with given random bits.
    Stochastic {
        /// The comparison used.
        variant: Stochastic,
        /// Number N of random bits, 1 to 32.
        bits: u32,
        /// The random bits R, below 2^N; higher bits are ignored.
        random: u32,
    },
}

impl Rounding {
    /// The modes without random bits.
    pub const DETERMINISTIC: [Rounding; 6] = [
        Rounding::NearestEven,
        Rounding::NearestAway,
        Rounding::TowardPositive,
        Rounding::TowardNegative,
        Rounding::TowardZero,
        Rounding::ToOdd,
    ];

    /// The mode with the random bits of element `index` under `seed` ([`philox::draw`]); unchanged if it is not
    /// stochastic.
    pub const fn drawn(self, seed: u64, index: u64) -> Rounding {
        match self {
            Rounding::Stochastic { variant, bits, .. } => {
                Rounding::Stochastic { variant, bits, random: philox::draw(seed, index, bits) }
            }
            mode => mode,
        }
    }

    /// The mode with the top bits of a random word; unchanged if it is not stochastic.
    pub const fn of_word(self, word: u32) -> Rounding {
        match self {
            Rounding::Stochastic { variant, bits: bits @ 1..=32, .. } => {
                Rounding::Stochastic { variant, bits, random: word >> (32 - bits) }
            }
            mode => mode,
        }
    }

    /// The snake-case name: `nearest_even`, …, `stochastic_a`.
    pub const fn name(self) -> &'static str {
        match self {
            Rounding::NearestEven => "nearest_even",
            Rounding::NearestAway => "nearest_away",
            Rounding::TowardPositive => "toward_positive",
            Rounding::TowardNegative => "toward_negative",
            Rounding::TowardZero => "toward_zero",
            Rounding::ToOdd => "to_odd",
            Rounding::Stochastic { variant: Stochastic::A, .. } => "stochastic_a",
            Rounding::Stochastic { variant: Stochastic::B, .. } => "stochastic_b",
            Rounding::Stochastic { variant: Stochastic::C, .. } => "stochastic_c",
            Rounding::Stochastic { variant: Stochastic::Random, .. } => "random",
        }
    }

    /// The sign of an exactly cancelled sum (IEEE 754 §6.3).
    #[inline]
    pub(crate) const fn cancelled_negative(self) -> bool {
        matches!(self, Rounding::TowardNegative)
    }
}

/// The treatment of values beyond the largest finite one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Saturation {
    /// Values overflow as the rounding mode directs: to infinity; if the format has none, to NaN; without either, to
    /// the largest value (P3109 0.9.1 OvfInf, 4.0 SatNone).
    #[default]
    Overflow,
    /// Finite values clamp, infinities stay (0.9.1 SatFinite, 4.0 SatPropagate).
    Finite,
    /// Everything clamps (0.9.1 SatMax, 4.0 SatFinite).
    Max,
}

impl Saturation {
    /// All modes.
    pub const ALL: [Saturation; 3] = [Saturation::Overflow, Saturation::Finite, Saturation::Max];

    /// The name: `overflow`, `finite`, `max`.
    pub const fn name(self) -> &'static str {
        match self {
            Saturation::Overflow => "overflow",
            Saturation::Finite => "finite",
            Saturation::Max => "max",
        }
    }
}

/// The conversion of an exact result to a code: P3109's projection specification (§4.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Projection {
    /// Rounding mode.
    pub rounding: Rounding,
    /// Saturation mode.
    pub saturation: Saturation,
}

impl Projection {
    /// A pair of modes.
    pub const fn new(rounding: Rounding, saturation: Saturation) -> Projection {
        Projection { rounding, saturation }
    }

    /// The modes under which [`project`] gives the codes and flags that [`project_in`] gives in `edition` under these
    /// modes; `None` if there are none. With it, fast paths for one edition serve both.
    pub const fn as_interim(self, format: &Format, edition: Edition) -> Option<Projection> {
        if matches!(edition, Edition::Interim) {
            return Some(self);
        }
        if format.negative_zero() {
            // 4.0 removes the sign of zeros.
            return None;
        }
        let overflows = matches!(self.saturation, Saturation::Overflow);
        match (format.infinities(), format.nan_code(), self.saturation) {
            (true, ..) if overflows && matches!(self.rounding, Rounding::ToOdd) && format.signed() => None,
            (false, Some(_), Saturation::Overflow | Saturation::Finite) => match format.signed() {
                // All values out of range become an end of the range.
                true => Some(Projection::new(self.rounding, Saturation::Max)),
                // Except negative values.
                false => None,
            },
            _ => Some(self),
        }
    }
}

/// A code and the status of the operation that made it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rounded {
    /// The result's code.
    pub code: u64,
    /// The flags that the operation raised.
    pub flags: Flags,
}

impl Rounded {
    #[inline]
    const fn new(code: u64, flags: Flags) -> Rounded {
        Rounded { code, flags }
    }
}

/// The position of a magnitude between two neighbours on a format's code line, from which rounding is decided.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The magnitude code at or below it.
    pub lower: u64,
    /// The next magnitude code. One past the largest finite code represents overflow ([`on_line`](crate::on_line) gives
    /// its value). Below the smallest value of a format without zero it is `lower`.
    pub upper: u64,
    fraction: Fraction,
}

impl Place {
    /// The place of |x|. `None` for zero, and from the binade above the largest finite value on, where all values
    /// overflow.
    pub fn of(format: Format, x: Finite) -> Option<Place> {
        if x.is_zero() {
            return None;
        }
        let e = x.log2_floor();
        (e <= format.emax() as i64).then(|| locate(&format, &x, e))
    }

    /// True if the magnitude equals that of the lower code.
    pub fn is_exact(&self) -> bool {
        self.fraction.is_zero()
    }

    /// Compares ν = (|x| − lower) / (upper − lower) with ½.
    pub fn cmp_half(&self) -> Ordering {
        self.fraction.cmp(1, 1)
    }

    /// ν, truncated and sticky if it has no short binary expansion; `None` if it is positive and below 2^−72.
    pub fn fraction(&self) -> Option<Finite> {
        let Fraction { remainder, step, shift, sticky } = self.fraction;
        if shift >= FARTHEST {
            return None;
        }
        let up = remainder.leading_zeros().min(64) * (step != 1) as u32;
        let (quotient, rest) = ((remainder << up) / step as u128, (remainder << up) % step as u128);
        let exponent = if quotient == 0 { 0 } else { -i64::from(shift + up) };
        Some(Finite { negative: false, significand: quotient, exponent, sticky: sticky || rest != 0 })
    }

    /// True if the mode chooses the upper neighbour.
    pub fn rounds_up(&self, mode: Rounding, negative: bool) -> bool {
        self.fraction.rounds_up(mode, negative, self.lower, self.upper)
    }
}

/// The number of bits below a unit up to which the distance affects the decision.
const FARTHEST: u32 = 200;

/// ν = (remainder + δ) / (step · 2^shift) in [0, 1), with 0 < δ < 1 iff sticky.
#[derive(Clone, Copy, Debug)]
struct Fraction {
    remainder: u128,
    step: u64,
    shift: u32,
    sticky: bool,
}

impl Fraction {
    #[inline]
    fn is_zero(&self) -> bool {
        self.remainder == 0 && !self.sticky
    }

    /// ν compared with t / 2^m, for 0 < t ≤ 2^m and m ≤ 33. ν = 0 is less than any such t.
    ///
    /// (remainder + δ) · 2^m against t · step · 2^shift. step < 2^54, so t · step fits. Where 2^m does not divide
    /// 2^shift, δ is 0: a sticky significand has 100 bits, of which at most 54 are in the codes, so that shift ≥ 46.
    #[inline]
    fn cmp(&self, t: u64, m: u32) -> Ordering {
        let target = t as u128 * self.step as u128;
        if self.shift >= m {
            let down = self.shift - m;
            let (high, low) = if down >= 128 {
                (0, self.remainder)
            } else {
                (self.remainder >> down, self.remainder & ((1 << down) - 1))
            };
            high.cmp(&target).then(if low != 0 || self.sticky { Ordering::Greater } else { Ordering::Equal })
        } else {
            (self.remainder << (m - self.shift)).cmp(&target)
        }
    }

    /// True if ν > ½, or if ν = ½ and `tie`; without branches for the usual steps.
    #[inline]
    fn above_half(&self, tie: bool) -> bool {
        if self.step != 1 {
            return match self.cmp(1, 1) {
                Ordering::Less => false,
                Ordering::Equal => tie,
                Ordering::Greater => true,
            };
        }
        // ν · 2^128, below one. Shifts of 0 and of more than 128 leave less than ½.
        let aligned = self.remainder.checked_shl(128u32.wrapping_sub(self.shift)).unwrap_or(0);
        // Compared with exactly ½, any set bit below decides: the sticky bit, or the tie.
        aligned | (self.sticky | tie) as u128 > 1 << 127
    }

    /// True if the mode chooses the upper neighbour.
    #[inline]
    fn rounds_up(&self, mode: Rounding, negative: bool, lower: u64, upper: u64) -> bool {
        match mode {
            Rounding::NearestEven => self.above_half(lower & 1 == 1),
            Rounding::NearestAway => self.above_half(true),
            Rounding::TowardPositive => !negative && !self.is_zero(),
            Rounding::TowardNegative => negative && !self.is_zero(),
            Rounding::TowardZero => false,
            Rounding::ToOdd => upper & 1 == 1 && !self.is_zero(),
            Rounding::Stochastic { variant, bits, random } => {
                let n = bits.clamp(1, 32);
                // Rounds up iff ν·2^N is at least this integer, in 1 … 2^N.
                let need = (1 << n) - (random as u64 & ((1 << n) - 1));
                match variant {
                    Stochastic::A => self.cmp(need, n).is_ge(),
                    // ⌊ν·2^(N+1)⌋ ≥ 2^(N+1) − 2R − 1, an integer.
                    Stochastic::B => self.cmp(2 * need - 1, n + 1).is_ge(),
                    // ν·2^N rounds to `need` or more from need − ½ on; the tie itself only if `need` is even.
                    Stochastic::C => match self.cmp(2 * need - 1, n + 1) {
                        Ordering::Less => false,
                        Ordering::Equal => need & 1 == 0,
                        Ordering::Greater => true,
                    },
                    Stochastic::Random => random >> (n - 1) & 1 == 1 && !self.is_zero(),
                }
            }
        }
    }
}

/// Floor and remainder of a significand in units of 2^shift of it; a negative shift is exact.
#[inline]
fn split(significand: u128, shift: i64) -> (u128, u128, u32) {
    if shift <= 0 {
        (significand << -shift, 0, 0)
    } else if shift >= 128 {
        // All of it is below the unit; beyond 2^200 the distance does not matter.
        (0, significand, if shift < FARTHEST as i64 { shift as u32 } else { FARTHEST })
    } else {
        (significand >> shift, significand & ((1 << shift) - 1), shift as u32)
    }
}

/// Locates a nonzero magnitude with ⌊log2⌋ = `e` ≤ emax on the format's code line.
#[inline]
fn locate(format: &Format, x: &Finite, e: i64) -> Place {
    let (trailing, emin) = (format.trailing_bits(), format.emin() as i64);
    let located = |base: u64, quantum: i64| {
        let (units, remainder, shift) = split(x.significand, quantum - x.exponent);
        let lower = base.wrapping_add(units as u64);
        Place { lower, upper: lower + 1, fraction: Fraction { remainder, step: 1, shift, sticky: x.sticky } }
    };
    if e >= emin {
        // 2^(P−1) ≤ units < 2^P: the implicit bit counts one exponent step, or none if the field starts at 1.0.
        let steps = (e - emin) as u64 + (format.min_normal_code() >> trailing);
        return located((steps.wrapping_sub(1)) << trailing, e - trailing as i64);
    }
    match format.subnormals() {
        Subnormals::Ieee => located(0, emin - trailing as i64),
        // P = 1 has no subnormals, hence no gap: the values are those of gradual underflow.
        Subnormals::Tesla if trailing == 0 => located(0, emin),
        Subnormals::Tesla => {
            // Units of 2^(−bias−(P−1)): the subnormals are 1 … 2^(P−1) − 1, the smallest normal is 2^P.
            let (units, remainder, shift) = split(x.significand, emin - 1 - trailing as i64 - x.exponent);
            let last = (1u64 << trailing) - 1;
            if units < last as u128 {
                return located(0, emin - 1 - trailing as i64);
            }
            let remainder = remainder + ((units - last as u128) << shift);
            let fraction = Fraction { remainder, step: last + 2, shift, sticky: x.sticky };
            Place { lower: last, upper: last + 1, fraction }
        }
        Subnormals::Flush => {
            let (_, remainder, shift) = split(x.significand, emin - x.exponent);
            let fraction = Fraction { remainder, step: 1, shift, sticky: x.sticky };
            Place { lower: 0, upper: 1 << trailing, fraction }
        }
        // Below the smallest value, that value is the only neighbour.
        Subnormals::None => {
            let fraction = Fraction { remainder: 1, step: 1, shift: 1, sticky: true };
            Place { lower: 0, upper: 0, fraction }
        }
    }
}

/// The code of `value` in `format` after rounding and saturation, with the flags raised, by the definitions of 0.9.1:
/// [`project_in`] with [`Edition::Interim`].
#[inline]
pub fn project(format: Format, value: Value, how: Projection) -> Rounded {
    project_in(format, value, how, Edition::Interim)
}

/// [`project`] by the definitions of an edition of P3109.
///
/// A NaN raises Invalid; in a format without NaN it becomes the largest magnitude with the NaN's sign (TSL). Negative
/// values out of range of an unsigned format raise Invalid; they become NaN, or 0 if saturating (P3109 4.0).
///
/// The editions differ in three points. In a format without infinities, overflow (also of infinities) gives NaN in
/// 0.9.1 and the largest value in 4.0 (§4.7.5). A finite overflow rounded to odd gives the largest value in 0.9.1,
/// which has no such mode. In 4.0 (§4.7.5) it leaves the finite values of a signed format. And 4.0 never gives −0
/// (§4.8.2).
#[inline]
pub fn project_in(format: Format, value: Value, how: Projection, edition: Edition) -> Rounded {
    match value {
        Value::Finite(x) => project_finite(&format, x, how, edition),
        Value::Infinite { negative } => infinite(&format, negative, how, edition),
        Value::Nan { negative } => {
            let sign = if negative { format.sign_bit() } else { 0 };
            Rounded::new(format.nan_code().unwrap_or(format.max_finite_code() | sign), Flags::INVALID)
        }
    }
}

#[inline]
fn project_finite(format: &Format, x: Finite, how: Projection, edition: Edition) -> Rounded {
    if x.is_zero() {
        return zero(format, x.negative, how, edition);
    }
    if format.subnormals() == Subnormals::None && !format.signed() && x.negative {
        return negative_out_of_range(format, true, how);
    }
    let e = x.log2_floor();
    let (magnitude, inexact) = if e > format.emax() as i64 {
        (format.max_finite_code() + 1, true)
    } else {
        let Place { lower, upper, fraction } = locate(format, &x, e);
        let up = fraction.rounds_up(how.rounding, x.negative, lower, upper);
        (if up { upper } else { lower }, !fraction.is_zero())
    };
    if !format.signed() && x.negative && magnitude != 0 {
        return negative_out_of_range(format, true, how);
    }
    if magnitude > format.max_finite_code() {
        let code = match how.saturation {
            Saturation::Overflow if overflows_away(format, how.rounding, x.negative, edition) => {
                overflow_code(format, x.negative, edition)
            }
            _ => signed(format, format.max_finite_code(), x.negative),
        };
        return Rounded::new(code, Flags::OVERFLOW | Flags::INEXACT);
    }
    let tiny = inexact && e < format.emin() as i64;
    Rounded::new(
        signed_in(format, magnitude, x.negative, edition),
        Flags::INEXACT.when(inexact) | Flags::UNDERFLOW.when(tiny),
    )
}

/// A magnitude code with a sign; zero keeps it only if the format has −0.
#[inline]
fn signed(format: &Format, magnitude: u64, negative: bool) -> u64 {
    let keeps = (magnitude != 0) | format.negative_zero() | (format.subnormals() == Subnormals::None);
    magnitude | (format.sign_bit() * (negative & keeps) as u64)
}

/// [`signed`], without −0 in 4.0 (§4.8.2).
#[inline]
fn signed_in(format: &Format, magnitude: u64, negative: bool, edition: Edition) -> u64 {
    let lost = magnitude == 0 && edition == Edition::V4 && format.subnormals() != Subnormals::None;
    signed(format, magnitude, negative && !lost)
}

/// True if a finite overflow leaves the finite values: P3109 0.9.1 §4.6.4 under OvfInf, 4.0 §4.7.5 under SatNone.
#[inline]
fn overflows_away(format: &Format, mode: Rounding, negative: bool, edition: Edition) -> bool {
    match mode {
        Rounding::TowardZero => false,
        Rounding::ToOdd => edition == Edition::V4 && format.signed(),
        Rounding::TowardPositive => !negative,
        Rounding::TowardNegative => negative,
        _ => true,
    }
}

/// The first of these that the format has: ±∞, NaN (in 0.9.1), the largest value.
#[inline]
fn overflow_code(format: &Format, negative: bool, edition: Edition) -> u64 {
    match (format.infinity_code(), format.nan_code()) {
        (Some(infinity), _) => signed(format, infinity, negative),
        (None, Some(nan)) if edition == Edition::Interim => nan,
        (None, _) => signed(format, format.max_finite_code(), negative),
    }
}

fn infinite(format: &Format, negative: bool, how: Projection, edition: Edition) -> Rounded {
    if negative && !format.signed() {
        return negative_out_of_range(format, false, how);
    }
    match how.saturation {
        Saturation::Max => {
            Rounded::new(signed(format, format.max_finite_code(), negative), Flags::OVERFLOW | Flags::INEXACT)
        }
        Saturation::Overflow | Saturation::Finite => Rounded::new(
            overflow_code(format, negative, edition),
            (Flags::OVERFLOW | Flags::INEXACT).when(!format.infinities()),
        ),
    }
}

/// Projects zero: exact, except in a format without zero.
#[inline]
fn zero(format: &Format, negative: bool, how: Projection, edition: Edition) -> Rounded {
    if format.subnormals() != Subnormals::None {
        return Rounded::new(signed_in(format, 0, negative, edition), Flags::NONE);
    }
    let code = match (how.saturation, format.nan_code()) {
        (Saturation::Overflow, Some(nan)) => nan,
        _ => signed(format, 0, negative),
    };
    Rounded::new(code, Flags::INVALID)
}

/// A negative value in an unsigned format (P3109 4.0).
#[cold]
fn negative_out_of_range(format: &Format, finite: bool, how: Projection) -> Rounded {
    let stays = finite && matches!(how.rounding, Rounding::TowardZero | Rounding::TowardPositive);
    let code = match (how.saturation, format.nan_code()) {
        (Saturation::Overflow, Some(nan)) if !stays => nan,
        _ => 0,
    };
    Rounded::new(code, Flags::INVALID)
}
