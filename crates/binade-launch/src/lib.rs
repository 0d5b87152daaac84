//! Starts unmodified x86-64 Linux programs: with the agent in them ([`run`]), so that they compute in another arithmetic, or
//! traced ([`mix`]), so that what they execute is counted. On other systems both say that they cannot.

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
pub mod agent;
mod capture;
#[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")))]
mod elsewhere;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod launch;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
pub mod lines;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
pub mod mix;

#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
pub use agent::{Agent, AgentError};
pub use capture::{Bounds, Capture, End, Killed};
#[cfg(not(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")))]
pub use elsewhere::{Agent, LaunchError, Lines, Outcome, mix, run_captured, run_shell, run_with};
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
pub use launch::{LaunchError, Outcome, run, run_captured, run_shell, run_with};
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
pub use lines::Lines;
