//! What the launcher tells the agents, in an environment variable that every child inherits.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::sites::Kinds;

/// The environment variable that holds a [`Config`] as JSON.
pub const VARIABLE: &str = "BINADE_RUN";

/// What this is built from: the version, and a hash of the sources. Launcher and agent must agree in it.
pub const BUILD: &str = env!("BINADE_BUILD");

/// The dynamic linker's variable that loads the agent.
pub const AUDIT: &str = "LD_AUDIT";

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
    pub also: Kinds,
    /// Whether every execution is counted and its exponents with it.
    #[serde(default)]
    pub profile: bool,
    /// Where each process keeps its [record](crate::record).
    pub directory: PathBuf,
    /// The agent's library.
    pub agent: PathBuf,
}
