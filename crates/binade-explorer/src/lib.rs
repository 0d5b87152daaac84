//! Answers for the page of the format explorer: the library `binade` behind JSON text.
//!
//! The page is plain HTML, CSS and JavaScript (`page/`) around this crate as WebAssembly; `cargo xtask explorer` makes one
//! file of both. The page knows nothing about formats: every number, code and sentence on it is an answer of
//! [`Explorer::answer`]. An answer depends on the question alone, except that of [`Question::Measure`], which accumulates.
//!
//! ```
//! use binade_explorer::Explorer;
//!
//! let mut explorer = Explorer::default();
//! let question = r#"{"ask":"rows","format":"binary8p4","codes":["0x0b"]}"#;
//! let answer = r#"{"rows":[{"code":"0x0b","bits":"0.0001_011","form":"+0b1.011×2^-7","value":"0x1.6p-7","#;
//! assert!(explorer.answer(question, &[]).starts_with(answer));
//! assert_eq!(
//!     explorer.answer(r#"{"ask":"show","format":"shp"}"#, &[]),
//!     r#"{"error":"shp needs its exponent bias, 0 to 63: for example shp@bias=7"}"#
//! );
//! ```
#![deny(unsafe_code)]

pub mod boundary;
mod catalogue;
mod line;
mod matrix_unit;
mod multiply_add;
mod numbers;
mod operate;
mod precision;
mod question;
mod rounding;
mod steps;

pub use question::{Explorer, ExplorerError, Question, Scale};
