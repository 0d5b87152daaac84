//! Rounding, saturation and flags, by comparing an exact value with its neighbours in the sorted value set.

use crate::dyadic::Dyadic;
use crate::format::{Decoded, Format};
use crate::real::Real;
use num_bigint::BigInt;
use std::cmp::Ordering;

/// Status flags, a bit each.
pub mod flags {
    /// A NaN operand or no definable result.
    pub const INVALID: u8 = 1;
    /// A subnormal operand.
    pub const DENORMAL: u8 = 2;
    /// Beyond the largest finite value.
    pub const OVERFLOW: u8 = 4;
    /// Inexact below the smallest normal.
    pub const UNDERFLOW: u8 = 8;
    /// Not exact.
    pub const INEXACT: u8 = 16;

    /// The letters `idoux`, or `-`.
    pub fn letters(flags: u8) -> String {
        let text: String =
            "idoux".chars().enumerate().filter(|(i, _)| flags >> i & 1 == 1).map(|(_, c)| c).collect();
        if text.is_empty() { "-".into() } else { text }
    }
}

/// A rounding mode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// nearest, ties to the even code
    NearestEven,
    /// nearest, ties away from zero
    NearestAway,
    /// toward +∞
    TowardPositive,
    /// toward −∞
    TowardNegative,
    /// toward zero
    TowardZero,
    /// to the neighbour with the odd code
    ToOdd,
    /// ⌊ν·2^N⌋ + R ≥ 2^N rounds up
    StochasticA(u32, u64),
    /// ⌊ν·2^(N+1)⌋ + 2R + 1 ≥ 2^(N+1) rounds up
    StochasticB(u32, u64),
    /// RNE(ν·2^N) + R ≥ 2^N rounds up
    StochasticC(u32, u64),
    /// inexact numbers round up if R ≥ 2^(N−1)
    Random(u32, u64),
}

impl Mode {
    /// All modes without random bits.
    pub const DETERMINISTIC: [Mode; 6] = [
        Mode::NearestEven,
        Mode::NearestAway,
        Mode::TowardPositive,
        Mode::TowardNegative,
        Mode::TowardZero,
        Mode::ToOdd,
    ];
}

/// The treatment of values beyond the largest finite one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Saturation {
    /// They overflow, as the rounding mode directs.
    Overflow,
    /// Finite values clamp; infinities stay.
    Finite,
    /// Everything clamps.
    Max,
}

impl Saturation {
    /// All three.
    pub const ALL: [Saturation; 3] = [Saturation::Overflow, Saturation::Finite, Saturation::Max];
}

/// An exact result before rounding.
#[derive(Clone, Debug)]
pub enum Exact {
    /// Not a number, with the sign for clamping in a format without NaN.
    Nan {
        /// its sign
        negative: bool,
    },
    /// An infinity.
    Infinite {
        /// its sign
        negative: bool,
    },
    /// Zero.
    Zero {
        /// its sign, for formats that have one
        negative: bool,
    },
    /// Zero by cancellation: −0 when rounding toward negative, otherwise +0 (IEEE 754 §6.3).
    Cancelled,
    /// Any other real number.
    Number {
        /// its sign
        negative: bool,
        /// its absolute value
        magnitude: Real,
    },
}

impl From<Decoded> for Exact {
    fn from(decoded: Decoded) -> Exact {
        match decoded {
            Decoded::Nan { negative } => Exact::Nan { negative },
            Decoded::Infinite { negative } => Exact::Infinite { negative },
            Decoded::Finite { negative, magnitude } if magnitude.is_zero() => Exact::Zero { negative },
            Decoded::Finite { negative, magnitude } => {
                Exact::Number { negative, magnitude: Real::Dyadic(magnitude) }
            }
        }
    }
}

/// A code with its flags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rounded {
    /// the result's code
    pub code: u64,
    /// see [`flags`]
    pub flags: u8,
}

/// The position of a magnitude in the sorted value set.
enum Place {
    /// Below the first magnitude, if that is not zero.
    Under,
    /// Equal to a finite magnitude, with this code.
    On(u64),
    /// Between two magnitudes, with their codes; `half` is the comparison with their midpoint.
    Between { lower: (u64, Dyadic), upper: (u64, Dyadic), half: Ordering },
    /// At or beyond the first magnitude that is too large.
    Past,
}

/// An exact value with its position in a format's value set, ready to be rounded in any mode.
pub struct Located<'a> {
    format: &'a Format,
    value: &'a Exact,
    place: Place,
    below_normal: bool,
}

impl<'a> Located<'a> {
    /// Finds the neighbours.
    pub fn new(format: &'a Format, value: &'a Exact) -> Located<'a> {
        let Exact::Number { magnitude, .. } = value else {
            return Located { format, value, place: Place::Under, below_normal: false };
        };
        let at_least = |i: u64| format.with_rung(i, |rung| magnitude.compare(rung)) != Ordering::Less;
        // The number of magnitudes that are not above this one.
        let (mut low, mut high) = (0, format.finite_count() + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if at_least(middle) { low = middle + 1 } else { high = middle }
        }
        let place = match low {
            0 => Place::Under,
            n if n > format.finite_count() => Place::Past,
            n => {
                let lower = format.rung(n - 1);
                if magnitude.compare(&lower.1) == Ordering::Equal {
                    Place::On(lower.0)
                } else {
                    let upper = format.rung(n);
                    let half = magnitude.compare(&(&lower.1 + &upper.1).scaled(-1));
                    Place::Between { lower, upper, half }
                }
            }
        };
        let below_normal = magnitude.compare(&format.smallest_normal()) == Ordering::Less;
        Located { format, value, place, below_normal }
    }

    /// Rounds, saturates and encodes, by 0.9.1.
    pub fn project(&self, mode: Mode, saturation: Saturation) -> Rounded {
        self.project_in(mode, saturation, false)
    }

    /// Rounds, saturates and encodes, by 4.0 or by 0.9.1.
    pub fn project_in(&self, mode: Mode, saturation: Saturation, edition_4: bool) -> Rounded {
        if edition_4 { self.project_4(mode, saturation) } else { self.project_interim(mode, saturation) }
    }

    /// 4.0 §4.7.3: results within the finite values are those of 0.9.1, except −0 (§4.8.2); the others are saturated.
    fn project_4(&self, mode: Mode, saturation: Saturation) -> Rounded {
        let format = self.format;
        let (beyond, kept) = match *self.value {
            Exact::Infinite { negative: true } => (Beyond::MinusInfinity, true),
            Exact::Infinite { negative: false } => (Beyond::PlusInfinity, true),
            Exact::Nan { .. } => return self.project_interim(mode, saturation),
            Exact::Zero { .. } | Exact::Cancelled => {
                let rounded = self.project_interim(mode, saturation);
                let code = if format.has_zero() { 0 } else { rounded.code };
                return Rounded { code, ..rounded };
            }
            Exact::Number { negative, ref magnitude } => {
                let no_zero = negative && !format.signed && !format.has_zero();
                let (code, flags) = self.rounded(negative, magnitude, mode);
                if code == 0 && format.has_zero() {
                    return Rounded { code, flags };
                }
                match (negative, format.signed) {
                    (true, false) => (Beyond::Below, false),
                    _ if code <= format.largest() && !no_zero => {
                        return Rounded { code: with_sign(format, code, negative), flags };
                    }
                    (true, true) => (Beyond::Below, false),
                    (false, _) => (Beyond::Above, false),
                }
            }
        };
        let least = if format.signed { with_sign(format, format.largest(), true) } else { 0 };
        let out_of_range = !format.signed && matches!(beyond, Beyond::Below | Beyond::MinusInfinity);
        let (code, infinite) =
            match saturate(saturation, mode, beyond, format.signed, format.infinity.is_some()) {
                Saturated::Largest => (format.largest(), false),
                Saturated::Least => (least, false),
                Saturated::PlusInfinity => (format.infinity.unwrap_or_default(), true),
                Saturated::MinusInfinity => (format.infinity.unwrap_or_default() | format.sign_bit(), true),
                Saturated::Nan => (format.nan.unwrap_or(least), false),
            };
        let flags = match out_of_range {
            true => flags::INVALID,
            false if kept && infinite => 0,
            false => BEYOND,
        };
        Rounded { code, flags }
    }

    fn project_interim(&self, mode: Mode, saturation: Saturation) -> Rounded {
        let format = self.format;
        match *self.value {
            Exact::Nan { negative } => Rounded { code: nan(format, negative), flags: flags::INVALID },
            Exact::Zero { negative } => zero(format, negative, saturation),
            Exact::Cancelled => zero(format, mode == Mode::TowardNegative, saturation),
            Exact::Infinite { negative: true } if !format.signed => out_of_range(format, saturation, false),
            Exact::Infinite { negative } => infinity(format, negative, saturation),
            Exact::Number { negative, ref magnitude } => self.number(negative, magnitude, mode, saturation),
        }
    }

    fn number(&self, negative: bool, magnitude: &Real, mode: Mode, saturation: Saturation) -> Rounded {
        let format = self.format;
        let inward = matches!(mode, Mode::TowardZero | Mode::TowardPositive);
        if negative && !format.signed && !format.has_zero() {
            return out_of_range(format, saturation, inward);
        }
        let (code, flags) = self.rounded(negative, magnitude, mode);
        if negative && !format.signed && code != 0 {
            return out_of_range(format, saturation, inward);
        }
        if code > format.largest() {
            return overflow(format, negative, mode, saturation);
        }
        Rounded { code: with_sign(format, code, negative), flags }
    }

    /// The neighbour that the mode chooses, where one beyond the largest represents everything beyond, and the flags if
    /// it is beyond.
    fn rounded(&self, negative: bool, magnitude: &Real, mode: Mode) -> (u64, u8) {
        let format = self.format;
        // Codes increase with magnitudes: beyond the largest finite code, a value is too large.
        let (code, exact) = match &self.place {
            Place::Under => (0, false),
            Place::On(code) => (*code, true),
            Place::Past => (format.largest() + 1, false),
            Place::Between { lower, upper, half } => {
                let up = match mode {
                    Mode::NearestEven => half.is_gt() || half.is_eq() && lower.0 % 2 == 1,
                    Mode::NearestAway => half.is_ge(),
                    Mode::TowardPositive => !negative,
                    Mode::TowardNegative => negative,
                    Mode::TowardZero => false,
                    Mode::ToOdd => upper.0 % 2 == 1,
                    Mode::Random(n, r) => r * 2 >= 1 << n,
                    Mode::StochasticA(..) | Mode::StochasticB(..) | Mode::StochasticC(..) => {
                        rounds_up_at_random(magnitude, &lower.1, &upper.1, mode)
                    }
                };
                (if up { upper.0 } else { lower.0 }, false)
            }
        };
        let mut flags = 0;
        if !exact {
            flags |= flags::INEXACT;
            if self.below_normal {
                flags |= flags::UNDERFLOW;
            }
        }
        (code, flags)
    }
}

/// A value beyond the finite ones.
#[derive(Clone, Copy)]
enum Beyond {
    MinusInfinity,
    Below,
    Above,
    PlusInfinity,
}

/// The replacement of a value beyond the finite ones.
enum Saturated {
    MinusInfinity,
    Least,
    Largest,
    PlusInfinity,
    Nan,
}

/// 4.0 §4.7.5, with its rows in its order.
fn saturate(saturation: Saturation, mode: Mode, x: Beyond, signed: bool, extended: bool) -> Saturated {
    match (saturation, mode, x, signed, extended) {
        (Saturation::Max, _, Beyond::PlusInfinity | Beyond::Above, _, _) => Saturated::Largest,
        (Saturation::Max, _, Beyond::MinusInfinity | Beyond::Below, _, _) => Saturated::Least,
        (Saturation::Finite, _, Beyond::PlusInfinity, _, true) => Saturated::PlusInfinity,
        (Saturation::Finite, _, Beyond::PlusInfinity, _, _) => Saturated::Largest,
        (Saturation::Finite, _, Beyond::MinusInfinity, true, true) => Saturated::MinusInfinity,
        (Saturation::Finite, _, Beyond::MinusInfinity | Beyond::Below, _, _) => Saturated::Least,
        (Saturation::Finite, _, Beyond::Above, _, _) => Saturated::Largest,
        (Saturation::Overflow, _, Beyond::PlusInfinity, _, true) => Saturated::PlusInfinity,
        (Saturation::Overflow, _, Beyond::PlusInfinity, _, _) => Saturated::Largest,
        (Saturation::Overflow, _, Beyond::MinusInfinity, true, true) => Saturated::MinusInfinity,
        (Saturation::Overflow, _, Beyond::MinusInfinity, false, _) => Saturated::Nan,
        (Saturation::Overflow, _, Beyond::MinusInfinity, _, _) => Saturated::Least,
        (Saturation::Overflow, Mode::ToOdd, Beyond::Above, false, true) => Saturated::Largest,
        (Saturation::Overflow, Mode::TowardZero | Mode::TowardNegative, Beyond::Above, _, _) => {
            Saturated::Largest
        }
        (Saturation::Overflow, Mode::TowardZero | Mode::TowardPositive, Beyond::Below, _, _) => {
            Saturated::Least
        }
        (Saturation::Overflow, _, Beyond::Below, true, true) => Saturated::MinusInfinity,
        (Saturation::Overflow, _, Beyond::Below, false, _) => Saturated::Nan,
        (Saturation::Overflow, _, Beyond::Below, _, _) => Saturated::Least,
        (Saturation::Overflow, _, Beyond::Above, _, true) => Saturated::PlusInfinity,
        (Saturation::Overflow, _, Beyond::Above, _, _) => Saturated::Largest,
    }
}

/// A magnitude code with a sign, if the format has that code.
fn with_sign(format: &Format, code: u64, negative: bool) -> u64 {
    let two_zeros = format.negative_zero || !format.has_zero();
    if negative && (code != 0 || two_zeros) { code | format.sign_bit() } else { code }
}

/// Locates and projects a value.
pub fn project(format: &Format, value: &Exact, mode: Mode, saturation: Saturation) -> Rounded {
    Located::new(format, value).project(mode, saturation)
}

/// A positive number between two neighbours of a format: their codes, and ν = (x − lower) / (upper − lower) as a fraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Between {
    /// the code of the lower neighbour
    pub lower: u64,
    /// the code of the upper neighbour
    pub upper: u64,
    /// ν's numerator and denominator
    pub nu: (BigInt, BigInt),
}

/// A variant of stochastic rounding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    /// [`Mode::StochasticA`]
    A,
    /// [`Mode::StochasticB`]
    B,
    /// [`Mode::StochasticC`]
    C,
}

impl Between {
    /// The neighbours of a number strictly between two finite ones.
    pub fn new(format: &Format, x: &Dyadic) -> Option<Between> {
        let exact = Exact::Number { negative: false, magnitude: Real::Dyadic(x.clone()) };
        let Place::Between { lower, upper, .. } = Located::new(format, &exact).place else { return None };
        if upper.0 > format.largest() {
            return None;
        }
        // Both are multiples of 2^−2000.
        let whole = |x: &Dyadic| x.fixed_floor(2000);
        let nu = (whole(&(x - &lower.1)), whole(&(&upper.1 - &lower.1)));
        Some(Between { lower: lower.0, upper: upper.0, nu })
    }

    /// The number of the 2^`bits` random words R that choose the upper neighbour. The probability is that number / 2^`bits`.
    pub fn words_up(&self, variant: Variant, bits: u32) -> u64 {
        let (numerator, denominator) = &self.nu;
        let floor = |bits: u32| (numerator << bits) / denominator;
        let rest = |bits: u32| (numerator << bits) % denominator;
        let count = match variant {
            // ⌊ν·2^N⌋ + R ≥ 2^N holds for the largest ⌊ν·2^N⌋ words.
            Variant::A => floor(bits),
            // ⌊ν·2^(N+1)⌋ + 2R + 1 ≥ 2^(N+1) holds for the largest ⌊(⌊ν·2^(N+1)⌋ + 1) / 2⌋ words.
            Variant::B => (floor(bits + 1) + 1) / 2,
            // RNE(ν·2^N) + R ≥ 2^N holds for the largest RNE(ν·2^N) words.
            Variant::C => {
                let (floor, twice) = (floor(bits), rest(bits) * 2);
                let up = twice > *denominator || twice == *denominator && floor.bit(0);
                floor + i32::from(up)
            }
        };
        u64::try_from(count).unwrap_or(u64::MAX)
    }

    /// The code that a random word R of `bits` bits chooses, if the largest `words_up` words choose the upper neighbour.
    pub fn chosen(&self, words_up: u64, bits: u32, r: u64) -> u64 {
        if r + words_up >= 1 << bits { self.upper } else { self.lower }
    }
}

/// True if ν = (x − lower)/(upper − lower) reaches the mode's threshold, by comparing x with a point.
fn rounds_up_at_random(x: &Real, lower: &Dyadic, upper: &Dyadic, mode: Mode) -> bool {
    let step = upper - lower;
    // lower + step · count · 2^−bits
    let point = |count: &BigInt, bits: u32| lower + &(&step * &Dyadic::new(count.clone(), -i64::from(bits)));
    let whole = |bits: u32| BigInt::from(1) << bits;
    match mode {
        // ⌊y⌋ ≥ k for an integer k means y ≥ k.
        Mode::StochasticA(n, r) => x.compare(&point(&(whole(n) - r), n)).is_ge(),
        Mode::StochasticB(n, r) => {
            x.compare(&point(&(whole(n + 1) - BigInt::from(r) * 2 - 1), n + 1)).is_ge()
        }
        // y rounds to k or more iff it is above k − 1/2, or on it with k even.
        Mode::StochasticC(n, r) => {
            let k = whole(n) - r;
            let side = x.compare(&point(&(&k * 2 - 1), n + 1));
            side.is_gt() || side.is_eq() && !k.bit(0)
        }
        _ => false,
    }
}

fn nan(format: &Format, negative: bool) -> u64 {
    format.nan.unwrap_or(with_sign(format, format.largest(), negative))
}

fn zero(format: &Format, negative: bool, saturation: Saturation) -> Rounded {
    let code = with_sign(format, 0, negative);
    match (saturation, format.nan) {
        _ if format.has_zero() => Rounded { code, flags: 0 },
        (Saturation::Overflow, Some(nan)) => Rounded { code: nan, flags: flags::INVALID },
        _ => Rounded { code, flags: flags::INVALID },
    }
}

/// A negative value in an unsigned format, whose smallest code is 0, also if that is not zero.
fn out_of_range(format: &Format, saturation: Saturation, inward: bool) -> Rounded {
    let code = match (saturation, format.nan) {
        (Saturation::Overflow, Some(nan)) if !inward => nan,
        _ => 0,
    };
    Rounded { code, flags: flags::INVALID }
}

const BEYOND: u8 = flags::OVERFLOW | flags::INEXACT;

fn infinity(format: &Format, negative: bool, saturation: Saturation) -> Rounded {
    let signed = |code| with_sign(format, code, negative);
    match (saturation, format.infinity, format.nan) {
        (Saturation::Overflow | Saturation::Finite, Some(infinity), _) => {
            Rounded { code: signed(infinity), flags: 0 }
        }
        (Saturation::Overflow | Saturation::Finite, None, Some(nan)) => Rounded { code: nan, flags: BEYOND },
        _ => Rounded { code: signed(format.largest()), flags: BEYOND },
    }
}

fn overflow(format: &Format, negative: bool, mode: Mode, saturation: Saturation) -> Rounded {
    let stays = match mode {
        Mode::TowardZero | Mode::ToOdd => true,
        Mode::TowardPositive => negative,
        Mode::TowardNegative => !negative,
        _ => false,
    };
    if saturation != Saturation::Overflow || stays {
        return Rounded { code: with_sign(format, format.largest(), negative), flags: BEYOND };
    }
    Rounded { flags: BEYOND, ..infinity(format, negative, Saturation::Overflow) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(mantissa: i64, exponent: i64) -> Exact {
        Exact::Number {
            negative: mantissa < 0,
            magnitude: Real::Dyadic(Dyadic::new(mantissa.unsigned_abs(), exponent)),
        }
    }

    fn code(name: &str, value: &Exact, mode: Mode) -> (u64, String) {
        let format = Format::named(name).unwrap();
        let rounded = project(&format, value, mode, Saturation::Overflow);
        (rounded.code, flags::letters(rounded.flags))
    }

    /// The decisions documented in docs/numerics.md.
    #[test]
    fn rounding_follows_documented_decisions() {
        // Tesla's gap: the midpoint 1.4375 of 0.875 and 2 goes to the even code 0x08.
        assert_eq!(code("cfloat8_1_4_3@bias=0", &number(23, -4), Mode::NearestEven), (0x08, "ux".into()));
        assert_eq!(code("cfloat8_1_4_3@bias=0", &number(22, -4), Mode::NearestEven), (0x07, "ux".into()));
        // 464, midway between 448 and the absent 480, becomes 448; anything more becomes NaN.
        assert_eq!(code("float8_e4m3fn", &number(464, 0), Mode::NearestEven), (0x7e, "x".into()));
        assert_eq!(code("float8_e4m3fn", &number(465, 0), Mode::NearestEven), (0x7f, "ox".into()));
        // One rounding only: 1 + 2^−4 + 2^−40.
        let x = number((1 << 40) + (1 << 36) + 1, -40);
        assert_eq!(code("float8_e4m3fn", &x, Mode::NearestEven), (0x39, "x".into()));
        // UHP: negatives are NaN and invalid.
        assert_eq!(code("uhp", &number(-1, 0), Mode::NearestEven), (0xfe00, "i".into()));
    }

    #[test]
    fn stochastic_modes_round_up_from_their_thresholds() {
        // 1.25 between 1 and 1.5 in binary8p2: ν = 1/2.
        let x = number(5, -2);
        for (mode, up) in [
            (Mode::StochasticA(2, 1), false),
            (Mode::StochasticA(2, 2), true),
            (Mode::StochasticB(1, 0), false),
            (Mode::StochasticB(1, 1), true),
            (Mode::StochasticC(1, 0), false),
            (Mode::StochasticC(1, 1), true),
            (Mode::Random(1, 0), false),
            (Mode::Random(1, 1), true),
            (Mode::Random(32, (1 << 31) - 1), false),
            (Mode::Random(32, 1 << 31), true),
        ] {
            assert_eq!(code("binary8p2", &x, mode).0, 0x40 + u64::from(up), "{mode:?}");
        }
    }
}
