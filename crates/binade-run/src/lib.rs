//! Unmodified x86-64 Linux programs under another arithmetic.
//!
//! The engine turns machine code into multiply-add sites, and a site into code that computes it under an
//! [`Operator`](binade::Operator); it touches no process and can be tested without one.

pub mod emulator;
pub mod fma;
pub mod mix;
pub mod region;
pub mod sites;
pub mod trampoline;
