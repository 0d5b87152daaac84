//! The only place that rounds: exact value → rounding → saturation → code (P3109 §4.6.2 to §4.6.5, generalised).
//!
//! In every format the non-negative finite codes 0, 1, 2, … carry increasing magnitudes. So rounding is *locating* a
//! magnitude between two neighbouring codes, as a fraction ν of the step from the lower to the upper, and letting the
//! mode choose from ν and the codes' parity. Past the largest finite code the line continues with an unbounded
//! exponent, and what lands there is handed to saturation. IEEE's parity of the significand, P3109's rule for P = 1,
//! the gap below the smallest normal of the Tesla formats, flush-to-zero and unsigned formats are this rule over
//! different lines.

use core::cmp::Ordering;

use crate::catalog::Edition;
use crate::exact::{Finite, Value};
use crate::flags::Flags;
use crate::format::{Format, Subnormals};
use crate::philox;

/// Which comparison of ν with the random bits R of a stochastic rounding sends a value to the upper neighbour
/// (P3109 4.0). Each rounds up with a probability that is ν, to within N bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stochastic {
    /// ⌊ν·2^N⌋ + R ≥ 2^N.
    A,
    /// ⌊ν·2^(N+1)⌋ + 2R + 1 ≥ 2^(N+1).
    B,
    /// ν·2^N rounded to the nearest integer, ties to even, + R ≥ 2^N.
    C,
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
    /// Inexact results to the neighbour whose code is odd.
    ToOdd,
    /// Up or down at random, the random bits being given.
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

    /// The mode with the random bits of element `index` under `seed`, where it takes any: [`philox::draw`].
    pub const fn drawn(self, seed: u64, index: u64) -> Rounding {
        match self {
            Rounding::Stochastic { variant, bits, .. } => {
                Rounding::Stochastic { variant, bits, random: philox::draw(seed, index, bits) }
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
        }
    }

    /// The sign of an exactly cancelled sum (IEEE 754 §6.3).
    #[inline]
    pub(crate) const fn cancelled_negative(self) -> bool {
        matches!(self, Rounding::TowardNegative)
    }
}

/// What becomes of values beyond the largest finite one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Saturation {
    /// They overflow as the rounding mode directs: to infinity, to NaN where there is no infinity, to the largest
    /// where there is neither (P3109 0.9.1 OvfInf, 4.0 SatNone).
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

/// How an exact result becomes a code: P3109's projection specification (§4.3).
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

    /// The modes by which [`project`] gives every value what [`project_in`] gives it in `edition` under these, code and
    /// flags, if there are any. Fast paths that know one meaning serve both editions by it.
    pub const fn as_interim(self, format: &Format, edition: Edition) -> Option<Projection> {
        if matches!(edition, Edition::Interim) {
            return Some(self);
        }
        if format.negative_zero() {
            // 4.0 takes the sign of zeros.
            return None;
        }
        let overflows = matches!(self.saturation, Saturation::Overflow);
        match (format.infinities(), format.nan_code(), self.saturation) {
            (true, ..) if overflows && matches!(self.rounding, Rounding::ToOdd) && format.signed() => None,
            (false, Some(_), Saturation::Overflow | Saturation::Finite) => match format.signed() {
                // All that is out of range becomes an end of it.
                true => Some(Projection::new(self.rounding, Saturation::Max)),
                // But for negative values.
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

/// A magnitude between two neighbours on a format's line of codes: what rounding is decided by.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The magnitude code at it or below it.
    pub lower: u64,
    /// The next one up. One past the largest finite code stands for overflow ([`on_line`](crate::on_line) has what it would
    /// be worth); below the smallest value of a format without zero it is `lower`.
    pub upper: u64,
    fraction: Fraction,
}

impl Place {
    /// The place of |x|; `None` for zero, and from the binade above the largest finite value's on, where all overflows.
    pub fn of(format: Format, x: Finite) -> Option<Place> {
        if x.is_zero() {
            return None;
        }
        let e = x.log2_floor();
        (e <= format.emax() as i64).then(|| locate(&format, &x, e))
    }

    /// Whether the magnitude is the lower code's.
    pub fn is_exact(&self) -> bool {
        self.fraction.is_zero()
    }

    /// ν = (|x| − lower) / (upper − lower) against ½.
    pub fn cmp_half(&self) -> Ordering {
        self.fraction.cmp(1, 1)
    }

    /// ν, truncated and sticky where it has no short binary expansion; `None` where it is positive and below 2^−72.
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

    /// Whether the mode chooses the upper neighbour.
    pub fn rounds_up(&self, mode: Rounding, negative: bool) -> bool {
        self.fraction.rounds_up(mode, negative, self.lower, self.upper)
    }
}

/// How far below a unit the decision still depends on the distance, in bits.
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

    /// Whether ν > ½, or ν = ½ and `tie` says so; without branches on the usual steps.
    #[inline]
    fn above_half(&self, tie: bool) -> bool {
        if self.step != 1 {
            return match self.cmp(1, 1) {
                Ordering::Less => false,
                Ordering::Equal => tie,
                Ordering::Greater => true,
            };
        }
        // ν · 2^128, below one; shifts of 0 and of more than 128 leave nothing of at least ½.
        let aligned = self.remainder.checked_shl(128u32.wrapping_sub(self.shift)).unwrap_or(0);
        // Against exactly ½ any set bit below decides: what is sticky, or the tie.
        aligned | (self.sticky | tie) as u128 > 1 << 127
    }

    /// Whether the mode chooses the upper neighbour.
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
                // Up iff ν·2^N reaches this integer, in 1 … 2^N.
                let need = (1 << n) - (random as u64 & ((1 << n) - 1));
                match variant {
                    Stochastic::A => self.cmp(need, n).is_ge(),
                    // ⌊ν·2^(N+1)⌋ ≥ 2^(N+1) − 2R − 1, an integer.
                    Stochastic::B => self.cmp(2 * need - 1, n + 1).is_ge(),
                    // ν·2^N rounds to `need` or more from need − ½ on, the tie itself only if `need` is even.
                    Stochastic::C => match self.cmp(2 * need - 1, n + 1) {
                        Ordering::Less => false,
                        Ordering::Equal => need & 1 == 0,
                        Ordering::Greater => true,
                    },
                }
            }
        }
    }
}

/// Floor and remainder of a significand in units of 2^shift of its own; a negative shift is exact.
#[inline]
fn split(significand: u128, shift: i64) -> (u128, u128, u32) {
    if shift <= 0 {
        (significand << -shift, 0, 0)
    } else if shift >= 128 {
        // All of it lies below the unit; past 2^200 how far below decides nothing.
        (0, significand, if shift < FARTHEST as i64 { shift as u32 } else { FARTHEST })
    } else {
        (significand >> shift, significand & ((1 << shift) - 1), shift as u32)
    }
}

/// Where a nonzero magnitude with ⌊log2⌋ = `e` ≤ emax lies on the format's line.
#[inline]
fn locate(format: &Format, x: &Finite, e: i64) -> Place {
    let (trailing, emin) = (format.trailing_bits(), format.emin() as i64);
    let located = |base: u64, quantum: i64| {
        let (units, remainder, shift) = split(x.significand, quantum - x.exponent);
        let lower = base.wrapping_add(units as u64);
        Place { lower, upper: lower + 1, fraction: Fraction { remainder, step: 1, shift, sticky: x.sticky } }
    };
    if e >= emin {
        // 2^(P−1) ≤ units < 2^P: the implicit bit counts one exponent step, or none where the field starts at 1.0.
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
        // Below the smallest value there is no neighbour but that one.
        Subnormals::None => {
            let fraction = Fraction { remainder: 1, step: 1, shift: 1, sticky: true };
            Place { lower: 0, upper: 0, fraction }
        }
    }
}

/// The code that `value` has in `format` after rounding and saturation, with the flags that this raises, by the
/// meaning of 0.9.1: [`project_in`] with [`Edition::Interim`].
#[inline]
pub fn project(format: Format, value: Value, how: Projection) -> Rounded {
    project_in(format, value, how, Edition::Interim)
}

/// [`project`] by the meaning of an edition of P3109.
///
/// A NaN raises Invalid; where the format has none, it becomes the largest magnitude with the NaN's sign (TSL).
/// Negative values out of range of an unsigned format raise Invalid (P3109 4.0; NaN, or 0 where saturating).
///
/// The editions differ in three things. What overflows a format without infinities, infinities included, is NaN in
/// 0.9.1 and the largest in 4.0 (§4.7.5). A finite overflow rounded to odd is the largest in 0.9.1 (which has no such
/// mode); in 4.0 (§4.7.5) it leaves the finite values of a signed format. And 4.0 gives no −0 (§4.8.2).
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

/// A magnitude code with its sign; zero keeps it only where there is a −0.
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

/// P3109 0.9.1 §4.6.4 under OvfInf, 4.0 §4.7.5 under SatNone: whether a finite overflow leaves the finite values.
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

/// ±∞, or NaN (in 0.9.1), or the largest: the first that the format has.
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

/// Zero: exact, except in a format that has none.
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
