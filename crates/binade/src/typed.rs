//! The catalogue's formats as Rust types: [`BF16`], [`F8E4M3FNUZ`], [`Binary8P3`], [`CFloat8E4M3`] with its bias as a
//! parameter, and so on.
//!
//! Each type holds one code and has its format as the constant [`NarrowFloat::FORMAT`]. Its methods are [`Operation`]s
//! in that format, rounded once to nearest even, with overflow as the format defines it ([`Projection::default`]). For
//! other roundings and saturations, mixed formats and flags use [`NarrowFloat::datum`] and [`NarrowFloat::project`].
//!
//! The edition of P3109 is part of the type too ([`NarrowFloat::EDITION`]). Types with names of 4.0 ([`Binary8P4Se`],
//! [`Binary4P2Sf`], [`Binary8P1Uf`]) compute, convert and read by 4.0, all others by 0.9.1. A conversion between two
//! types is by 4.0 if either is of 4.0.
//!
//! ```
//! use binade::typed::{BF16, Binary8P4Sf, CFloat8E4M3, F8E4M3FN, NarrowFloat, Total};
//!
//! let x = F8E4M3FN::from_f64(1.0 + 0.0625 + 1e-12); // rounds once: not a tie
//! assert_eq!(f64::from(x), 1.125);
//! assert_eq!((x * x).to_string(), "1.25");
//! assert_eq!(x.convert::<BF16>() / BF16::from_f64(3.0), "0.375".parse()?);
//!
//! // No infinity: beyond 448 is NaN, and the type has no constant INFINITY.
//! assert!((F8E4M3FN::MAX + F8E4M3FN::MAX).is_nan());
//!
//! // So does Binary8P4Sf lack it, but 4.0 has the largest instead.
//! assert_eq!(Binary8P4Sf::MAX + Binary8P4Sf::MAX, Binary8P4Sf::MAX);
//! assert_eq!(Binary8P4Sf::from_f64(0.25).sin_pi().to_string(), "0.6875");
//!
//! // Values compare as values; sorting asks for the total order.
//! let mut all = [F8E4M3FN::ONE, F8E4M3FN::NAN, -F8E4M3FN::ONE].map(Total);
//! all.sort();
//! assert_eq!(all.map(|x| x.0.to_string()), ["NaN", "-1", "1"]);
//!
//! // A configurable bias is part of the type.
//! assert_eq!(CFloat8E4M3::<10>::MAX.to_string(), "60");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```compile_fail
//! binade::typed::CFloat8E4M3::<64>::MAX; // a bias is 0 to 63
//! ```
//!
//! [`FromStr`] reads a number of any length and rounds it once. [`Display`](fmt::Display) writes what Rust writes for
//! the binary32 of the same value, which is exact: 448, 0.1015625, and at most nine digits. They read back to the same
//! number. The exact expansion is [`text::decimal`](crate::text::decimal) of [`NarrowFloat::value`].
//!
//! With the feature `serde`, numbers are serialised as numbers (`"NaN"`, `"inf"` and `"-inf"` if they are not finite)
//! in human-readable formats, and as codes in binary ones.

mod number;
#[cfg(feature = "serde")]
mod serde;
mod types;

pub use number::{NarrowFloat, NotRepresentable, Total};
pub use types::*;

#[cfg(doc)]
use {crate::ops::Operation, crate::round::Projection, core::fmt, core::str::FromStr};
