//! `binade run`: an unmodified program under another arithmetic.

use std::ffi::OsString;
use std::path::PathBuf;

use binade::Operator;
use binade::catalog::F32;
use binade_lab::swamping;
use binade_launch::{Agent, LaunchError, Lines};
use binade_profile::config::{Also, Config, Rounding};
use binade_profile::summary;
use clap::ValueEnum;
use thiserror::Error;

use crate::error::CommandError;
use crate::invocation::quoted_words;
use crate::report_file::ReportFile;
use crate::{Error, Output, Status};

mod stability;

/// A combination of options that cannot be.
#[derive(Debug, Error)]
enum RoundingError {
    /// Another operator than the identity.
    #[error("--rounding rounds results of f32:f32, and the operator is {operator}: leave --arith out")]
    Operator {
        /// The operator.
        operator: String,
    },
    /// Dot products of BF16.
    #[error("--rounding does not round dot products of BF16: leave --also dot out")]
    Dot,
}

impl CommandError for RoundingError {}

/// Instructions that the operator computes besides fused multiply-adds of binary32.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Instructions {
    /// Separate multiplications
    Mul,
    /// Separate additions and subtractions
    Add,
    /// Binary64 instructions
    Double,
    /// Dot products of pairs of BF16: VDPBF16PS, two multiply-adds a lane, and TDPBF16PS (AMX)
    Dot,
}

/// Another rounding of the program's own results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ProgramRounding {
    /// To either neighbour, the nearer one more often: the probability is one less the distance, in units of the gap
    Stochastic,
    /// To the neighbour above
    Up,
    /// To the neighbour below
    Down,
    /// Up or down by a fair coin
    Random,
}

impl From<ProgramRounding> for Rounding {
    fn from(rounding: ProgramRounding) -> Rounding {
        match rounding {
            ProgramRounding::Stochastic => Rounding::Stochastic,
            ProgramRounding::Up => Rounding::Up,
            ProgramRounding::Down => Rounding::Down,
            ProgramRounding::Random => Rounding::Random,
        }
    }
}

/// Arguments of `binade run`.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The operator that computes d = a · b + c, e.g. bf16:bf16, bf16x2:bf16x2/3, float8_e4m3fn:f32
    ///
    /// f32:f32, the identity, lets every multiply-add compute what it computes natively: with it a run shows what is found,
    /// and profiles the program as it is.
    #[arg(long, value_name = "OPERATOR", default_value = "f32:f32")]
    arith: String,
    /// Round each result that is not exact another way than to nearest, to find unstable code: with --arith f32:f32
    ///
    /// The multiply-adds of the program keep their precision, and with --also mul,add,double so do products, sums and binary64. Where
    /// two seeds, or up and down, give other digits, the digits are not to be trusted. A random choice is a function of the seed, the
    /// instruction and its operands, so that a seed gives the same bits with any schedule of threads.
    #[arg(long, value_name = "HOW")]
    rounding: Option<ProgramRounding>,
    /// Seed of --rounding random and stochastic
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "rounding")]
    seed: u64,
    /// Run the program N times, with this seed and those that follow, and print how many digits of each number agree
    ///
    /// The numbers are those that the program prints on standard output. Example: binade run --rounding random --runs 8 -- ./solve
    #[arg(long, value_name = "N", requires = "rounding", value_parser = clap::value_parser!(u32).range(2..=1000), conflicts_with_all = ["profile", "report", "check", "why"])]
    runs: Option<u32>,
    /// Change these objects only, by path or file name: a pattern with *, ?, [a-z] and {a,b}
    ///
    /// Without it, every object is changed but those whose multiply-adds compute something else than tensors: the C
    /// library, elementary functions, cryptography, random numbers. Code generated at run time goes with the object that
    /// asked for executable memory.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Leave these objects alone
    #[arg(long, value_name = "GLOB")]
    skip: Vec<String>,
    /// Change only functions whose symbol matches; functions without a symbol are then left alone
    #[arg(long, value_name = "REGEX")]
    functions: Option<String>,
    /// Also emulate elementary functions and random number generators
    ///
    /// Without it, multiply-adds that evaluate exp, log, tanh, erf and the like, or that make random numbers, are left
    /// alone, in any library and in code generated at run time: they are recognised by their constants and by the
    /// polynomials around them.
    #[arg(long)]
    elementary: bool,
    /// Also emulate these instructions
    ///
    /// A product or a sum may be shorter than the jump that replaces it, which then covers what follows too; where
    /// something leads there it stays native, and is counted as left alone.
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    also: Vec<Instructions>,
    /// Count every execution, and write exponents, their differences, and births of NaN, overflow and underflow as JSON
    #[arg(long, value_name = "FILE.json")]
    profile: Option<PathBuf>,
    /// Write the profile as one self-contained HTML page: swamping, exponents and functions
    ///
    /// Without a name it goes beside the profile, or to binade-run.html.
    #[arg(long, value_name = "FILE.html", num_args = 0..=1, require_equals = true)]
    report: Option<Option<PathBuf>>,
    /// Compare each execution of a loop that is translated whole with that of its instructions one by one
    ///
    /// Both must store the same at the same places and leave the same registers. The first differences are shown with object,
    /// function, instruction and operands, and the exit code is 2; the program goes on with what single instructions give.
    #[arg(long, conflicts_with_all = ["profile", "report"])]
    check: bool,
    /// Explain, by object: how multiply-adds are computed, which loops are not translated whole and why, and functions
    ///
    /// Functions have the source lines of their multiply-adds if the object has debug information (`gcc -g`).
    #[arg(long)]
    why: bool,
    /// Overwrite an existing profile or report
    #[arg(long)]
    force: bool,
    /// Print no summary
    #[arg(long, short)]
    quiet: bool,
    /// The program and its arguments
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// The command line that was meant by one for `binade run` without `--`, if that is all that it lacks: the words before the
/// program are options of the command.
pub(crate) fn with_separator(arguments: &[OsString]) -> Option<String> {
    if arguments.get(1)? != "run" || arguments.iter().any(|word| word == "--") {
        return None;
    }
    let definition = <Arguments as clap::Args>::augment_args(clap::Command::new("run"));
    let mut at = 2;
    while let Some(option) = arguments.get(at)?.to_str().filter(|word| word.starts_with('-')) {
        let (name, value) =
            option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        let argument = definition.get_arguments().find(|argument| {
            name.strip_prefix("--").is_some_and(|long| argument.get_long() == Some(long))
                || argument.get_short().is_some_and(|short| name == format!("-{short}"))
        })?;
        let takes = argument.get_action().takes_values() && !argument.is_require_equals_set();
        at += if takes && value.is_none() { 2 } else { 1 };
    }
    arguments.get(at)?;
    let (options, command) = arguments[1..].split_at(at - 1);
    Some(format!("binade {} -- {}", quoted_words(options), quoted_words(command)))
}

impl Arguments {
    pub(super) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let agent = Agent::find().map_err(LaunchError::from)?;
        let operator = self.arith.parse::<Operator>()?.of_programs()?;
        if self.rounding.is_some() {
            if operator.as_pair() != Some((F32, F32)) {
                return Err(RoundingError::Operator { operator: operator.to_string() }.into());
            }
            if self.also.contains(&Instructions::Dot) {
                return Err(RoundingError::Dot.into());
            }
        }
        if let Some(runs) = self.runs {
            return stability::run(runs, self.seed, out);
        }
        let report_path = self.report.as_ref().map(|path| match (path, &self.profile) {
            (Some(path), _) => path.clone(),
            (None, Some(profile)) => profile.with_extension("html"),
            (None, None) => PathBuf::from("binade-run.html"),
        });
        let create = |path| ReportFile::create(path, self.force);
        let profile_file = self.profile.as_deref().map(create).transpose()?;
        let report_file = report_path.as_deref().map(create).transpose()?;
        let has = |what| self.also.contains(&what);
        let config = Config {
            arith: operator.to_string(),
            rounding: self.rounding.map(Rounding::from),
            seed: self.seed,
            only: self.only,
            skip: self.skip,
            functions: self.functions,
            also: Also {
                multiply: has(Instructions::Mul),
                add: has(Instructions::Add),
                double: has(Instructions::Double),
                dot: has(Instructions::Dot),
            },
            elementary: self.elementary,
            check: self.check,
            why: self.why,
            profile: profile_file.is_some() || report_file.is_some(),
            ..Config::default()
        };
        let outcome = binade_launch::run_with(&agent, &self.command, config.clone())?;
        let lines = Lines::new();
        let (problems, is_error) = summary::problems(&config, outcome.root, &outcome.processes);
        if !self.quiet {
            eprint!("{}", summary::text(&operator.to_string(), &outcome.processes));
            if self.why {
                eprint!("{}", summary::why(&outcome.processes, &lines));
            }
        }
        eprint!("{problems}");
        if self.check {
            let (text, right) = summary::check(&outcome.processes, &lines);
            if !right || !self.quiet {
                eprint!("{text}");
            }
            if !right {
                return Ok(Status::Child(2));
            }
        }
        if profile_file.is_some() || report_file.is_some() {
            let command = self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
            let profile = summary::profile(&operator.to_string(), command, &outcome.processes, &lines);
            if let Some(file) = profile_file {
                let mut json = serde_json::to_vec_pretty(&profile)?;
                json.push(b'\n');
                file.write(&json)?;
            }
            if let Some(file) = report_file {
                file.write_page(swamping::page(&profile))?;
            }
        }
        Ok(Status::Child(if is_error { 2 } else { outcome.code as u8 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_without_separator_is_shown_with_it() {
        let shown = |words: &[&str]| with_separator(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(
            shown(&["binade", "run", "--arith", "bf16:bf16", "-q", "--report", "python3", "-c", "print(1)"]),
            Some("binade run --arith bf16:bf16 -q --report -- python3 -c 'print(1)'".to_owned())
        );
        assert_eq!(
            shown(&["binade", "run", "--skip=a*", "ls"]),
            Some("binade run '--skip=a*' -- ls".to_owned())
        );
        assert_eq!(shown(&["binade", "run", "it's"]), Some("binade run -- 'it'\\''s'".to_owned()));
        for other in [
            &["binade"][..],
            &["binade", "run"],
            &["binade", "run", "--arith", "bf16:bf16"],
            &["binade", "run", "--arith"],
            &["binade", "run", "--unknown", "ls"],
            &["binade", "run", "--unknown", "--", "ls"],
            &["binade", "mix", "ls"],
        ] {
            assert_eq!(shown(other), None, "{other:?}");
        }
    }
}
