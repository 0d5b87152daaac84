//! An oracle for `binade` that shares neither code nor method with it.
//!
//! Where `binade` works on codes with integer significands and sticky bits, the oracle lists a format's values as
//! exact numbers, knows an exact result only through comparisons with binary fractions, and rounds by comparing it
//! with its neighbours in the list. Nothing here is fast, and nothing here is clever about bits.
//!
//! [`against`] compares the two; no other module of the library knows `binade`.
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
pub mod round;
