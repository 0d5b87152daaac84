//! Data sets for training, for `binade train --data` and `binade-train`.
//!
//! [`catalogue()`] lists them. Some are embedded or generated, so that a first run needs no files. The others are read from a
//! folder of published files. Nothing is downloaded. A [`Dataset`] describes its own size, source and licence, to be shown
//! with every result.
//!
//! Everything random is a function of seed, epoch and index. It is the same on every machine and for any number of threads:
//! the [order of an epoch](permutation()), the changes of [`augment`], the triples of [`graph`]. Each documents its words of
//! Philox.
#![forbid(unsafe_code)]

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod arrays;
pub mod augment;
mod catalogue;
mod choices;
mod cifar;
mod dataset;
mod error;
mod fashion;
mod folder;
pub mod graph;
mod idx;
mod images;
mod interactions;
pub mod mnist1d;
mod order;
mod packed;
pub mod parallel;
mod random;
mod text;
mod vocabulary;

pub use catalogue::{Entry, Folder, catalogue, load};
pub use dataset::{Column, Dataset, Split, Task, Values};
pub use error::DataError;
pub use graph::{Choices, Triple, Weights};
pub use order::permutation;
pub use vocabulary::{END, PADDING, SPECIAL, START, UNKNOWN, Vocabulary};
