//! Observers of single operations, and programs that are driven from outside: files, loops, checks.

pub mod check;
pub mod comparison;
pub mod cycle;
pub mod dump;
pub(crate) mod event;
pub mod files;
pub mod npy;
pub mod profile;
pub mod retention;
pub mod swamping;
pub mod widen;

pub use event::{Event, Observer, Place};
