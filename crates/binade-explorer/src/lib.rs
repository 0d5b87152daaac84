//! What the format explorer's page asks, and the answers: the library `binade` behind JSON text.
//!
//! The page is plain HTML, CSS and JavaScript (`page/`) around this crate as WebAssembly; `cargo xtask explorer` makes one
//! file of both. Nothing of what a format means is in the page: every number, code and sentence that it shows is an answer
//! of [`Explorer::answer`], which is a function of the question, but for [`Question::Measure`], which adds up.
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
// The command's own, without a dependency on all that it is made of.
#[path = "../../binade-lab/src/measure.rs"]
mod measure;
mod multiply_add;
mod numbers;
mod operate;
mod precision;
mod question;
mod rounding;
mod steps;

pub use question::{Explorer, ExplorerError, Question, Scale};
