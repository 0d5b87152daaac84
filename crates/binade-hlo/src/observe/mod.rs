//! Observers of single operations (dump, profile, comparison, swamping), and the inputs and loops that drive a program.

pub mod check;
pub mod comparison;
pub mod cycle;
pub mod difference;
pub mod dump;
pub(crate) mod event;
pub mod files;
pub mod npy;
pub mod profile;
pub mod retention;
pub mod swamping;
pub mod widen;

pub use event::{Event, Observer, Place};
