//! Settings of evaluation: from the environment, from the plugin's options, and from a function's compiler options.

use binade_hlo::eval::rules::Rules;
use binade_hlo::eval::{Host, Options, Semantics, parse_bytes};
use binade_recipes::with_contents;

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::error::Failure;

/// Settings of a client or of a program.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    arith: Vec<String>,
    semantics: Semantics,
    seed: u64,
    threads: Option<usize>,
    memory_limit: Option<usize>,
    pub(crate) devices: usize,
    /// The address at which other processes of a distributed program reach this one.
    pub(crate) address: Option<String>,
    /// The address of the process that all others know.
    pub(crate) coordinator: Option<String>,
    /// The longest wait for another process.
    pub(crate) timeout: Duration,
    /// The number of this process, and the number of processes.
    pub(crate) node: usize,
    pub(crate) nodes: usize,
    /// True if a call returns before its program has run.
    pub(crate) async_dispatch: bool,
    /// Python functions that programs call.
    pub(crate) host: Option<Host>,
}

/// Names of the options: in the environment in capitals after `BINADE_`, in compiler options after `binade_`.
const NAMES: [&str; 9] = [
    "arith",
    "semantics",
    "seed",
    "threads",
    "memory_limit",
    "devices",
    "address",
    "timeout",
    "async_dispatch",
];

/// Maximum number of devices, each of which is a thread while it works.
const MOST_DEVICES: usize = 256;

/// Maximum number of processes, each of which has a connection to each other one.
const MOST_PROCESSES: usize = 256;

/// The longest timeout, in seconds: a month.
const MOST_SECONDS: usize = 31 * 24 * 3600;

/// Writes a notice for each operator without vector code to standard error, once in a process.
fn say_slow(rules: &Rules) {
    static SAID: Mutex<Vec<String>> = Mutex::new(vec![]);
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    for slow in rules.slow().iter().map(ToString::to_string) {
        if !said.contains(&slow) {
            // A closed standard error loses the notice and nothing else.
            let _ = writeln!(std::io::stderr(), "binade: slow: {slow}");
            said.push(slow);
        }
    }
}

impl Settings {
    pub(crate) fn from_environment() -> Result<Settings, Failure> {
        let mut settings = Settings {
            arith: vec![],
            semantics: Semantics::Xla,
            seed: 0,
            threads: None,
            memory_limit: None,
            devices: 1,
            address: None,
            coordinator: None,
            timeout: Duration::from_secs(300),
            node: 0,
            nodes: 1,
            async_dispatch: true,
            host: None,
        };
        for name in NAMES {
            let variable = format!("BINADE_{}", name.to_ascii_uppercase());
            let value = std::env::var_os(&variable).unwrap_or_default();
            let value = value.to_string_lossy();
            if !value.trim().is_empty() {
                settings
                    .set(name, &value)
                    .map_err(|failure| Failure::Invalid(format!("{variable}: {failure}")))?;
            }
        }
        Ok(settings)
    }

    /// Sets an option.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        let invalid = |expected: &str| Failure::Invalid(format!("'{value}' is not {expected}"));
        let count = |most: usize| match value.trim().parse() {
            Ok(count) if (1..=most).contains(&count) => Ok(count),
            _ => Err(invalid(&format!("a number from 1 to {most}"))),
        };
        match name {
            "arith" => {
                let contents = with_contents(value).map_err(|error| Failure::Invalid(error.to_string()))?;
                self.arith = contents
                    .split(';')
                    .map(str::trim)
                    .filter(|rule| !rule.is_empty())
                    .map(str::to_owned)
                    .collect();
                self.rules()?;
            }
            "semantics" => {
                let named = Semantics::named(value.trim());
                self.semantics = named.ok_or_else(|| invalid("wide, xla or reference"))?;
            }
            "seed" => {
                self.seed = value.trim().parse().map_err(|_| invalid("a seed: an integer of 64 bits"))?
            }
            "threads" => self.threads = Some(count(1024)?),
            "memory_limit" => {
                self.memory_limit = Some(
                    parse_bytes(value.trim()).ok_or_else(|| invalid("a number of bytes, as 64M or 16G"))?,
                );
            }
            "devices" => self.devices = count(MOST_DEVICES)?,
            "address" => self.address = Some(value.trim().to_owned()),
            "timeout" => self.timeout = Duration::from_secs(count(MOST_SECONDS)? as u64),
            "async_dispatch" => {
                self.async_dispatch = match &value.trim().to_ascii_lowercase()[..] {
                    "1" | "true" | "on" => true,
                    "0" | "false" | "off" => false,
                    _ => return Err(invalid("true or false")),
                }
            }
            // Options that JAX gives for a distributed program.
            "coordinator" => self.coordinator = Some(value.trim().to_owned()),
            "node_id" => self.node = value.trim().parse().map_err(|_| invalid("the number of a process"))?,
            "num_nodes" => self.nodes = count(MOST_PROCESSES)?,
            "partition_index" => {}
            // Makes the programs of two functions different.
            "instance" => {}
            _ => {
                let known = NAMES.join(", ");
                return Err(Failure::Invalid(format!("there is no option '{name}'; there are {known}")));
            }
        }
        Ok(())
    }

    fn rules(&self) -> Result<Rules, Failure> {
        Rules::parse(&self.arith).map_err(|error| Failure::Invalid(error.to_string()))
    }

    /// The settings that results depend on, as text. They must be equal in all processes of a program.
    pub(crate) fn meaning(&self) -> String {
        let Settings { arith, semantics, seed, .. } = self;
        let semantics = semantics.name();
        format!("arith '{}', semantics {semantics}, seed {seed}", arith.join(";"))
    }

    pub(crate) fn options(&self) -> Result<Options, Failure> {
        let (default, rules) = (Options::default(), self.rules()?);
        say_slow(&rules);
        Ok(Options {
            semantics: self.semantics,
            rules,
            threads: self.threads,
            memory_limit: self.memory_limit.unwrap_or(default.memory_limit),
            seed: self.seed,
            host: self.host.clone(),
            ..default
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_checked() {
        let mut settings = Settings::from_environment().unwrap();
        settings.set("arith", "dot_general=bf16:f32; add=bf16").unwrap();
        assert_eq!(settings.arith.len(), 2);
        settings.set("arith", "mine{base=none|forward.weight=bf16}@bf16; add=bf16").unwrap();
        assert_eq!(settings.arith[0], "mine{base=none|forward.weight=bf16}@bf16");
        let missing = settings.set("arith", "dot_general=no/such.toml; add=bf16").unwrap_err().to_string();
        assert!(missing.contains("no/such.toml: cannot read the recipe"), "{missing}");
        settings.set("memory_limit", "16G").unwrap();
        assert_eq!(settings.options().unwrap().memory_limit, 16 << 30);
        settings.set("semantics", "reference").unwrap();
        assert_eq!(settings.options().unwrap().semantics, Semantics::Reference);
        for (value, expected) in [("0", false), ("True", true), ("off", false)] {
            settings.set("async_dispatch", value).unwrap();
            assert_eq!(settings.async_dispatch, expected);
        }
        for (name, value) in [
            ("arith", "dot_general"),
            ("semantics", "w"),
            ("seed", "x"),
            ("threads", "0"),
            ("async_dispatch", "2"),
            ("devices", "1000"),
            ("x", "1"),
        ] {
            assert!(settings.set(name, value).is_err(), "{name}");
        }
    }
}
