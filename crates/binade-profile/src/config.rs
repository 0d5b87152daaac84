//! The configuration that the launcher gives the agents, in an environment variable that every child inherits.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The environment variable that holds a [`Config`] as JSON.
pub const VARIABLE: &str = "BINADE_RUN";

/// The build: the version, and a hash of the sources. Launcher and agent must agree in it.
pub const BUILD: &str = env!("BINADE_BUILD");

/// The dynamic linker's variable that loads the agent.
pub const AUDIT: &str = "LD_AUDIT";

/// The C library's variable for its parameters.
pub const TUNABLES: &str = "GLIBC_TUNABLES";

/// Space for thread-local storage of fixed place. With an auditor the dynamic linker counts libraries that are preloaded, or that
/// the program is linked to, among those that come later, for which it keeps 512 bytes; allocators such as jemalloc use more.
pub const STATIC_TLS: &str = "glibc.rtld.optional_static_tls=8192";

/// Instructions that the operator computes besides fused multiply-adds of binary32 lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Also {
    /// Separate multiplications.
    pub multiply: bool,
    /// Separate additions and subtractions.
    pub add: bool,
    /// Binary64 lanes. The operators of BF16 parts round them to binary32 first.
    pub double: bool,
    /// Dot products of pairs of BF16.
    #[serde(default)]
    pub dot: bool,
}

/// A rounding of the program's own results other than to nearest even, under `f32:f32`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rounding {
    /// To the neighbour above.
    Up,
    /// To the neighbour below.
    Down,
    /// To either neighbour by a fair coin.
    Random,
    /// To a neighbour with a probability of one less its distance, in units of their gap.
    Stochastic,
}

/// The configuration of a run; the same for every process in it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Config {
    /// The operator, as `binade::Operator` reads it.
    pub arith: String,
    /// Another rounding of results; the operator is `f32:f32` then.
    #[serde(default)]
    pub rounding: Option<Rounding>,
    /// The seed of random roundings.
    #[serde(default)]
    pub seed: u64,
    /// Globs of objects: if there are any, no other object is changed.
    #[serde(default)]
    pub only: Vec<String>,
    /// Globs of objects that are left alone.
    #[serde(default)]
    pub skip: Vec<String>,
    /// A regular expression: if there is one, only functions whose symbol it matches are changed.
    #[serde(default)]
    pub functions: Option<String>,
    /// Other instructions that the operator computes.
    #[serde(default)]
    pub also: Also,
    /// True if elementary functions are computed by the operator too, wherever they are found by their constants and shape.
    #[serde(default)]
    pub elementary: bool,
    /// True if every execution is counted and its exponents with it.
    #[serde(default)]
    pub profile: bool,
    /// True if each execution of a loop that is translated whole is compared with that of single instructions.
    #[serde(default)]
    pub check: bool,
    /// For tests of that: whether such loops are made wrong.
    #[serde(default)]
    pub sabotage: bool,
    /// True if functions, and loops that are not translated whole, are said one by one.
    #[serde(default)]
    pub why: bool,
    /// The folder with each process's [record](crate::record).
    pub directory: PathBuf,
    /// The folder that caches analyses of objects between starts; `None` without a cache.
    #[serde(default)]
    pub cache: Option<PathBuf>,
    /// The agent's library.
    pub agent: PathBuf,
}
