//! Multiply-adds in x86-64 machine code, and code that takes their place.
//!
//! [`sites`] finds them in an object and [`descent`] in code that is generated at run time; [`trampoline`] writes the code
//! that computes one of them under an [`Operator`](binade::Operator), and [`region`] that of whole loops. Bytes go in and
//! bytes come out: no process is touched, and all can be tested without one.

pub mod analysis;
pub mod check;
pub mod descent;
pub mod elementary;
pub mod fma;
pub mod names;
pub mod native;
pub mod region;
pub mod sites;
pub mod snapshot;
pub mod span;
pub mod tile;
pub mod trampoline;
pub mod workspace;
