//! What the launcher tells the agents, in an environment variable that every child inherits.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The environment variable that holds a [`Config`] as JSON.
pub const VARIABLE: &str = "BINADE_RUN";

/// The dynamic linker's variable that loads the agent.
pub const AUDIT: &str = "LD_AUDIT";

/// What else than binary32 fused multiply-adds is computed by the operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Also {
    /// Separate multiplications.
    pub multiply: bool,
    /// Separate additions and subtractions.
    pub add: bool,
    /// Binary64 instructions, whose operands are first rounded to binary32.
    pub double: bool,
    /// Dot products of pairs of BF16.
    #[serde(default)]
    pub dot: bool,
}

/// What one run does; the same for every process in it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Config {
    /// The operator, as [`binade::Operator`] reads it.
    pub arith: String,
    /// Globs of objects: if there are any, no other object is changed.
    #[serde(default)]
    pub only: Vec<String>,
    /// Globs of objects that are left alone.
    #[serde(default)]
    pub skip: Vec<String>,
    /// A regular expression: if there is one, only functions whose symbol it matches are changed.
    #[serde(default)]
    pub functions: Option<String>,
    /// What else is computed by the operator.
    #[serde(default)]
    pub also: Also,
    /// Whether every execution is counted and its exponents with it.
    #[serde(default)]
    pub profile: bool,
    /// Where each process keeps its [record](crate::record).
    pub directory: PathBuf,
    /// The agent's library.
    pub agent: PathBuf,
}
