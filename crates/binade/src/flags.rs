//! Status flags, returned as a value; there is no global state.

use alloc::string::String;
use core::fmt;
use core::ops::{BitOr, BitOrAssign};

/// The exceptional conditions of an operation (TSL "Exception Status Flags", and inexact).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(u8);

impl Flags {
    /// No flags.
    pub const NONE: Flags = Flags(0);
    /// An operand was NaN, or there was no useful definable result.
    pub const INVALID: Flags = Flags(1);
    /// An operand was a nonzero subnormal code (also where the format reads it as zero).
    pub const DENORMAL: Flags = Flags(2);
    /// The rounded result was beyond the largest finite value, or an infinity could not be represented.
    pub const OVERFLOW: Flags = Flags(4);
    /// The result was inexact, and the exact result was smaller in magnitude than the smallest normal.
    pub const UNDERFLOW: Flags = Flags(8);
    /// The result differs from the exact result.
    pub const INEXACT: Flags = Flags(16);

    const LETTERS: [(Flags, char); 5] = [
        (Flags::INVALID, 'i'),
        (Flags::DENORMAL, 'd'),
        (Flags::OVERFLOW, 'o'),
        (Flags::UNDERFLOW, 'u'),
        (Flags::INEXACT, 'x'),
    ];

    /// True if all flags of `other` are raised here.
    #[inline]
    pub const fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    /// The flags as bits: invalid 1, denormal 2, overflow 4, underflow 8, inexact 16.
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The flags of these bits; bits above the fifth are ignored.
    #[inline]
    pub const fn from_bits(bits: u8) -> Flags {
        Flags(bits & 31)
    }

    /// These flags except `those`.
    #[inline]
    pub const fn without(self, those: Flags) -> Flags {
        Flags(self.0 & !those.0)
    }

    /// `self` if `condition`, otherwise none.
    #[inline]
    pub const fn when(self, condition: bool) -> Flags {
        Flags(self.0 * condition as u8)
    }
}

impl BitOr for Flags {
    type Output = Flags;
    #[inline]
    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    #[inline]
    fn bitor_assign(&mut self, other: Flags) {
        self.0 |= other.0;
    }
}

/// Letters in the order `idoux`, or `-` for none.
impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Flags::NONE {
            return f.write_str("-");
        }
        let mut text = String::with_capacity(5);
        text.extend(Self::LETTERS.iter().filter(|(flag, _)| self.contains(*flag)).map(|(_, letter)| letter));
        f.write_str(&text)
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Flags({self})")
    }
}
