//! Training of models under any arithmetic.
//!
//! A [`Model`] is three StableHLO programs (`init`, `train_step`, `evaluate`; `translate` besides, if it translates) and a manifest
//! that says what they take and return. An [`Experiment`] trains it in cells: one for each arithmetic and seed. A cell is a function of its inputs: the
//! weights that it ends with, to the bit, depend neither on the number of threads, nor on the machine, nor on whether it was
//! stopped and gone on with in between.
//!
//! Batches are taken in an order that seed and epoch determine ([`batch`]), keys for random numbers are words of Philox
//! ([`key`]), means of losses are taken in binary64 outside the programs, so that no arithmetic under study spoils the
//! measure. [`Summary`] has what the cells of one arithmetic have in common.
#![forbid(unsafe_code)]

mod arithmetic;
pub mod batch;
mod blame;
mod bleu;
mod cell;
mod checkpoint;
mod error;
mod experiment;
pub mod exponents;
mod first_bad;
mod graph;
pub mod key;
pub mod manifest;
mod model;
pub mod page;
mod parts;
pub mod record;
mod search;
mod summary;
pub mod swamping;
pub mod template;
mod tensors;
pub mod zoo;

pub use arithmetic::{Arithmetic, DEFAULT_ARITHMETICS};
pub use binade_hlo::eval::rules::Scope;
pub use blame::{Blame, Gap, Gaps};
pub use cell::Stop;
pub use error::TrainError;
pub use experiment::{Cell, Experiment, Length, Observer, Settings};
pub use first_bad::{Birth, FirstBad, Operand};
pub use graph::{LIST, Ranking};
pub use model::Model;
pub use parts::{Part, Pass};
pub use search::{Found, PartOperator, Search, Trainer, Trial};
pub use summary::{
    Measure, Phase, Spread, Summary, bleu_text, findings, lost_by_parameter, number_text, percent_text,
    rate_text,
};
