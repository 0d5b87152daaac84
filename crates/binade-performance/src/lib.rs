#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

pub mod arithmetic;
pub mod cache;
pub mod core;
pub mod estimate;
pub mod fields;
pub mod measure;
pub mod page;
pub mod plot;
pub mod program;
pub mod traffic;

pub use arithmetic::{Arithmetic, ArithmeticError};
pub use core::{Core, CoreError};
pub use estimate::{Estimate, Report, Row};
pub use program::{Operations, ProgramError};
