//! The dynamic instruction mix of a program: how many of the instructions that it executes are fused multiply-adds, other
//! floating-point arithmetic, and neither (the paper's Table 2).
//!
//! The program runs under `ptrace`. At random moments one of its running threads is stopped and single-stepped through a
//! window of instructions, which are classified; between windows it runs at full speed. Each window is one observation of
//! the mix; the shares and their confidence intervals are of the ratio estimator over windows. Moments are random in time,
//! so a phase counts by the time that it takes: where windows turn out to take more than a tenth of the time, moments
//! become rarer, and each window weighs as much as the time that it stands for. `Sampling::Exact` steps through
//! everything instead.

mod classify;
mod trace;

pub use classify::{Classification, classify};
pub use trace::{MixError, Outcome, Stdout, trace};
