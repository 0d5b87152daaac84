//! Statements of conformance to IEEE P3109, for `binade conformance`: binade's own, and checks of those of other implementers.
//!
//! P3109 0.9.1 §4.1 and 4.0 §4.5 and §4.6 ask an implementer for a statement of the operations, formats and modes that are
//! provided. [`statement`] derives binade's from the tables of the crate `binade`; [`exemplars`] writes it in the working group's
//! YAML. [`specialisation`] answers for one operation, and [`check`] checks the statement of another implementer.
//!
//! The crate reads statements and returns reports and text; it writes no file and prints nothing.
#![forbid(unsafe_code)]

pub mod check;
pub mod exemplars;
pub mod modes;
mod names;
pub mod specialisation;
pub mod statement;
