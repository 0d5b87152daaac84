//! Data sets for training: what `binade train --data` takes.
//!
//! [`catalogue()`] lists them. Some are embedded or made by a program, so that a first run needs nothing; the others are read
//! from a folder of the files as they are published. Nothing is fetched. A [`Dataset`] says itself how large it is, where
//! it comes from and under which licence, so that no number needs to be shown without that.
//!
//! All that is random is a function of seed, epoch and index, and the same on every machine and for any number of threads:
//! the [order of an epoch](permutation()), what [`augment`] does to images, the triples of [`graph`]. Each says which words of
//! Philox give what.
#![forbid(unsafe_code)]

/// The example of the README is compiled.
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
