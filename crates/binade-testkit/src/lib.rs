//! An oracle for `binade` that shares neither code nor method with it, for the tests of all crates.
//!
//! `binade` works on codes, with integer significands and sticky bits. The oracle lists a format's values as exact
//! numbers. It knows an exact result only through comparisons with binary fractions, and rounds it by comparing it with
//! its neighbours in the list. It is neither fast nor clever about bits.
//!
//! [`against`] compares the two; no other module of the library uses `binade` or `binade-fma`.
#![forbid(unsafe_code)]

pub mod against;
pub mod block;
pub mod dyadic;
pub mod elementary;
pub mod format;
pub mod functions;
pub mod generate;
pub mod ops;
pub mod real;
pub mod recipe;
pub mod round;
pub mod unit;
