//! The configuration that the launcher gives the agents, in an environment variable that every child inherits.

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::rules::Rule;

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

impl fmt::Display for Rounding {
    /// The rounding as `--rounding` has it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rounding::Up => "up",
            Rounding::Down => "down",
            Rounding::Random => "random",
            Rounding::Stochastic => "stochastic",
        })
    }
}

/// The configuration of a run; the same for every process in it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Config {
    /// The operator of all places that no rule names: as `binade::Operator` reads it, or [`KEEP`](crate::rules::KEEP).
    pub arith: String,
    /// Operators by place; the first that fits applies.
    #[serde(default)]
    pub rules: Vec<Rule>,
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
    /// The file with the rules, if they are too many for a variable.
    #[serde(default)]
    pub rules_file: Option<PathBuf>,
    /// A regular expression: functions whose symbol it matches are left alone.
    #[serde(default)]
    pub skip_functions: Option<String>,
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

impl Config {
    /// The most bytes of rules in the variable; the kernel takes 128 KiB for all of it.
    const RULES: usize = 1 << 15;

    /// The value of the [variable](VARIABLE). Rules that are too many for it are written to a file of the directory.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn to_variable(&self) -> io::Result<String> {
        let mut config = self.clone();
        let rules = serde_json::to_vec(&config.rules)?;
        if rules.len() > Config::RULES {
            let path = config.directory.join("rules.json");
            fs::write(&path, rules)?;
            config.rules.clear();
            config.rules_file = Some(path);
        }
        Ok(serde_json::to_string(&config)?)
    }

    /// Reads the value of the variable, and the file that it names.
    ///
    /// # Errors
    /// If either is not what [`to_variable`](Config::to_variable) writes.
    pub fn of_variable(value: &str) -> io::Result<Config> {
        let mut config: Config = serde_json::from_str(value)?;
        if let Some(path) = &config.rules_file {
            config.rules = serde_json::from_slice(&fs::read(path)?)?;
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variable_with_many_rules_is_short_and_read_back() {
        let directory = std::env::temp_dir().join(format!("binade-config-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        for count in [2, 10_000] {
            let rule = |number| Rule { place: format!("x:f:{number:#x}"), operator: "keep".to_owned() };
            let rules = (0..count).map(rule).collect();
            let config = Config { rules, directory: directory.clone(), ..Config::default() };
            let value = config.to_variable().unwrap();
            assert!(value.len() < 1 << 16);
            assert_eq!(Config::of_variable(&value).unwrap().rules, config.rules);
        }
        fs::remove_dir_all(&directory).unwrap();
    }
}
