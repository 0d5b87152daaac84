//! Data sets for training: what `binade train --data` takes.
//!
//! [`catalogue()`] lists them. Some are embedded or made by a program, so that a first run needs nothing; the others are read
//! from a folder of the files as they are published. Nothing is fetched. A [`Dataset`] says itself how large it is, where
//! it comes from and under which licence, so that no number needs to be shown without that.
//!
//! All that is random is a function of seed, epoch and index, and the same on every machine and for any number of threads:
//! the [order of an epoch](permutation()) and what [`augment`] does to images.
#![forbid(unsafe_code)]

pub mod augment;
mod catalogue;
mod dataset;
mod error;
mod fashion;
pub mod mnist1d;
mod order;
mod packed;
mod random;
mod vocabulary;

pub use catalogue::{Entry, Folder, catalogue, load};
pub use dataset::{Column, Dataset, Split, Task, Values};
pub use error::DataError;
pub use order::permutation;
pub use vocabulary::{END, PADDING, START, UNKNOWN, Vocabulary};
