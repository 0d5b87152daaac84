//! Trains models under any arithmetic, for `binade train`.
//!
//! A [`Model`] is a manifest and three StableHLO programs: `init`, `train_step` and `evaluate`. A model that translates has a
//! fourth, `translate`. An [`Experiment`] trains a model in cells, one for each arithmetic and seed. The final weights of a
//! cell are determined bit by bit by its inputs. They do not depend on the number of threads, the machine, or interruptions.
//!
//! Seed and epoch determine the order of batches ([`batch`]), and random keys are words of Philox ([`key`]). Means of losses
//! are computed in binary64 outside the programs, so that the arithmetic under study does not distort the measurement.
//! [`Summary`] combines the cells of an arithmetic.
#![forbid(unsafe_code)]

mod arithmetic;
pub mod batch;
mod bias_page;
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
mod stored;
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
pub use first_bad::{BadOperation, FirstBad, Operand};
pub use graph::{LIST, Ranking};
pub use model::Model;
pub use parts::{Part, Pass};
pub use search::{PartOperator, Search, SearchResult, Trainer, Trial};
pub use stored::StoredBias;
pub use summary::{
    Measure, Phase, Spread, Summary, bleu_text, findings, lost_by_parameter, number_text, percent_text,
    rate_text,
};
