#![doc = include_str!("../README.md")]

pub mod arithmetic;
mod blocks;
pub mod codes;
mod decoder;
mod differences;
pub mod elementary;
mod encoder;
mod error;
#[doc(hidden)]
pub mod floors;
mod generic;
mod measures;
mod meter;
pub mod pack;
mod philox;
mod plan;
mod products;
mod reduction;
mod rounder;
mod slices;
mod values;

pub use blocks::{BlockDecoder, BlockEncoder, ColumnDecoder, ColumnEncoder, Spaced, TensorScale};
pub use decoder::Decoder;
pub use differences::{Differences, Similarity};
pub use encoder::Encoder;
pub use error::KernelError;
pub use measures::{Measures, Sum, Tally};
pub use meter::Meter;
pub use products::{Single, divide, multiply};
pub use reduction::{Fold, extremes};
pub use rounder::Rounder;
pub use slices::{Codes, CodesMut};
