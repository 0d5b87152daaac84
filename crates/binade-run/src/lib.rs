//! Unmodified x86-64 Linux programs under another arithmetic.
//!
//! The engine turns machine code into multiply-add sites, and a site into code that computes it under an
//! [`Operator`](binade::Operator); it touches no process and can be tested without one.

#[cfg(feature = "launcher")]
pub mod agent;
pub mod analysis;
pub mod config;
pub mod descent;
pub mod elementary;
pub mod emulator;
pub mod filter;
pub mod fma;
#[cfg(feature = "launcher")]
pub mod launch;
pub mod mix;
pub mod profile;
pub mod program;
pub mod record;
pub mod region;
pub mod sites;
pub mod span;
pub mod summary;
pub mod trampoline;
pub mod workspace;
