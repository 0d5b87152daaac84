//! `binade run`: an unmodified program under another arithmetic.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use binade::Operator;
use binade::catalog::F32;
use binade_lab::swamping;
use binade_launch::{Agent, LaunchError, Lines, Outcome};
use binade_profile::config::{Also, Config, Rounding};
use binade_profile::rules::{KEEP, Line, Rule, RuleError};
use binade_profile::summary;
use clap::ValueEnum;
use thiserror::Error;

use crate::error::CommandError;
use crate::invocation::quoted_words;
use crate::report_file::ReportFile;
use crate::{Error, Output, Status};

mod candidates;
mod search;
mod stability;
mod trial;

use search::SearchArguments;
use stability::RunsArguments;
use trial::{Request, TrialArguments, TrialError};

/// A combination of options that cannot be.
#[derive(Debug, Error)]
enum RoundingError {
    /// Another operator than the identity.
    #[error(
        "--rounding rounds results of f32:f32, and the operator is {operator}: leave out --arith and --rules with an operator"
    )]
    Operator {
        /// The operator.
        operator: String,
    },
    /// Seeds of a rounding without random choices.
    #[error(
        "--rounding {0} has no random choices, so that all seeds give the same run: leave --seed and --runs out, or compare --rounding up with down"
    )]
    Seeds(Rounding),
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
    /// Separate additions and subtractions, those of neighbouring lanes (VHADDPS) included; with mul, dot products of VDPPS, too
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
#[command(group = clap::ArgGroup::new("repeated").args(["search", "runs"]).multiple(true))]
pub(crate) struct Arguments {
    /// The operator that computes d = a · b + c, e.g. bf16:bf16, or OBJECT[:FUNCTION[:FILE:LINE]]=OPERATOR for a place
    ///
    /// The default is f32:f32, the identity: every multiply-add computes what it computes natively. With it a run shows what
    /// is found, and profiles the program as it is.
    ///
    /// Given several times, the first rule whose place fits applies; an operator without a place is for all other places.
    /// OBJECT, FUNCTION and FILE are patterns with *, ?, [a-z] and {a,b}, or complements such as !sgemm*. `keep` in an
    /// operator's place leaves the multiply-adds as they are.
    #[arg(long, value_name = "[PLACE=]OPERATOR")]
    arith: Vec<String>,
    /// Read rules as of --arith from a file: one a line, with comments after #
    ///
    /// They come after those of --arith. A rule that applies to nothing is a warning; of --arith, an error.
    #[arg(long, value_name = "FILE")]
    rules: Vec<PathBuf>,
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
    /// Change these objects only, by path or file name: a pattern with *, ?, [a-z] and {a,b}, or a complement, !GLOB
    ///
    /// Without it, every object is changed but those whose multiply-adds compute something else than tensors: the C
    /// library, elementary functions, cryptography, random numbers. Code generated at run time goes with the object that
    /// asked for executable memory.
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Leave these objects alone; !GLOB is all but those
    #[arg(long, value_name = "GLOB")]
    skip: Vec<String>,
    /// Change only functions whose symbol matches; functions without a symbol are then left alone
    ///
    /// !REGEX is all but those, as with --skip-functions.
    #[arg(long, value_name = "REGEX")]
    functions: Option<String>,
    /// Leave functions alone whose symbol matches
    #[arg(long, value_name = "REGEX")]
    skip_functions: Option<String>,
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
    #[command(flatten)]
    several: RunsArguments,
    #[command(flatten)]
    search: SearchArguments,
    #[command(flatten)]
    trial: TrialArguments,
    /// The program and its arguments
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// An error in the rules of `--arith` and `--rules`.
#[derive(Debug, Error)]
enum RunError {
    #[error("--arith: {0}")]
    Rule(#[from] RuleError),
    #[error("--arith: two operators without a place, {0} and {1}: one is for all places that no rule names")]
    Defaults(String, String),
    #[error("{}:{line}: {source}", .path.display())]
    Line { path: PathBuf, line: usize, source: RuleError },
    #[error("{}:{line}: a second operator without a place, {operator}: the file has one for all places that no rule names", .path.display())]
    FileDefaults { path: PathBuf, line: usize, operator: String },
    #[error("{}: cannot read: {source}", .path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: no rule in this file: give lines such as 'libm.so*:expf=keep' or an operator such as bf16:bf16", .0.display())]
    Empty(PathBuf),
    #[error("{}: the file of both {} and {}: name another file for one of them", .path.display(), .options[0], .options[1])]
    SameFile { path: PathBuf, options: [&'static str; 2] },
}

impl CommandError for RunError {}

/// The operators of a run.
struct Arithmetic {
    /// The operator of all places that no rule names.
    default: String,
    rules: Vec<Rule>,
    /// Of the rules, those of `--arith`, which come first.
    of_arguments: usize,
}

/// An operator in its usual spelling.
fn spelled(operator: &str) -> Result<String, Error> {
    match operator {
        KEEP => Ok(KEEP.to_owned()),
        operator => Ok(operator.parse::<Operator>()?.of_programs()?.to_string()),
    }
}

impl Arithmetic {
    /// Reads the rules of arguments and of files, in this order.
    fn read(arguments: &[String], files: &[PathBuf]) -> Result<Arithmetic, Error> {
        let is_operator = |text: &str| text.parse::<Operator>().is_ok();
        let (mut default, mut rules): (Option<String>, Vec<Rule>) = (None, Vec::new());
        for text in arguments {
            // Without a place it can only be an operator, whose own error says what is wrong with it.
            if !text.contains('=') && text != KEEP {
                text.parse::<Operator>()?;
            }
            match Rule::read(text, &is_operator).map_err(RunError::from)? {
                Line::Rule(rule) => rules.push(rule),
                Line::Default(operator) => {
                    if let Some(first) = default.replace(operator.clone()) {
                        return Err(RunError::Defaults(first, operator).into());
                    }
                }
            }
        }
        let of_arguments = rules.len();
        for path in files {
            let (of_file, more) = read_rules(path, &is_operator)?;
            default = default.or(of_file);
            rules.extend(more);
        }
        for rule in &mut rules {
            rule.operator = spelled(&rule.operator)?;
        }
        let default = spelled(default.as_deref().unwrap_or("f32:f32"))?;
        Ok(Arithmetic { default, rules, of_arguments })
    }
}

/// The operator without a place, and the rules of a file.
fn read_rules(
    path: &Path,
    is_operator: &dyn Fn(&str) -> bool,
) -> Result<(Option<String>, Vec<Rule>), RunError> {
    let text = fs::read_to_string(path).map_err(|source| RunError::Read { path: path.to_owned(), source })?;
    let (mut default, mut rules) = (None, Vec::new());
    let lines = Rule::read_all(&text, is_operator).map_err(|(line, source)| RunError::Line {
        path: path.to_owned(),
        line,
        source,
    })?;
    if lines.is_empty() {
        return Err(RunError::Empty(path.to_owned()));
    }
    for (line, read) in lines {
        match read {
            Line::Rule(rule) => rules.push(rule),
            Line::Default(operator) if default.is_some() => {
                return Err(RunError::FileDefaults { path: path.to_owned(), line, operator });
            }
            Line::Default(operator) => default = Some(operator),
        }
    }
    Ok((default, rules))
}

/// The text on rules that apply to nothing, and true if that is an error: a rule of a file may be for another program.
fn unused_rules(config: &Config, of_arguments: usize, outcome: &Outcome) -> (String, bool) {
    let (mut text, mut is_error) = (String::new(), false);
    for number in summary::unused_rules(config, &outcome.processes) {
        let label = if number < of_arguments { "error" } else { "warning" };
        is_error |= number < of_arguments;
        let rule = &config.rules[number];
        text += &format!(
            "{label}: the rule '{rule}' applies to no multiply-add of the objects that are changed: no place fits, or an earlier \
             rule applies\n"
        );
    }
    (text, is_error)
}

/// Prints warnings about filters and rules without effect, in the first of several runs under this configuration.
///
/// # Errors
/// A rule of `--arith` without effect.
fn check_rules(config: &Config, of_arguments: usize, outcome: &Outcome) -> Result<(), TrialError> {
    let (warnings, _) = summary::problems(config, outcome.root, &outcome.processes);
    let (text, is_error) = unused_rules(config, of_arguments, outcome);
    if is_error {
        return Err(TrialError::Unchanged(text.trim_end().to_owned()));
    }
    eprint!("{warnings}{text}");
    Ok(())
}

/// The file that a path names, for comparison with others: links and `.` resolved as far as the path exists.
fn resolved(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(beside).unwrap_or_else(|| path.to_owned())
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

/// The word after a `--report` of `binade run`, whose value must be joined to it.
pub(crate) fn separate_report(arguments: &[OsString]) -> Option<String> {
    if arguments.get(1)? != "run" {
        return None;
    }
    let options = arguments.iter().take_while(|word| *word != "--");
    let value = options.skip_while(|word| *word != "--report").nth(1)?.to_str()?;
    (!value.starts_with('-')).then(|| value.to_owned())
}

impl Arguments {
    /// The configuration of what is changed.
    fn config(&self, arith: String, rules: Vec<Rule>) -> Config {
        let has = |what| self.also.contains(&what);
        Config {
            arith,
            rules,
            rounding: self.rounding.map(Rounding::from),
            seed: self.seed,
            only: self.only.clone(),
            skip: self.skip.clone(),
            functions: self.functions.clone(),
            skip_functions: self.skip_functions.clone(),
            also: Also {
                multiply: has(Instructions::Mul),
                add: has(Instructions::Add),
                double: has(Instructions::Double),
                dot: has(Instructions::Dot),
            },
            elementary: self.elementary,
            ..Config::default()
        }
    }

    /// Refuses one file for two of the outputs.
    fn check_files(&self, report: Option<&Path>) -> Result<(), RunError> {
        let outputs = [
            ("--profile", self.profile.as_deref()),
            ("--report", report),
            ("--log", self.search.log.as_deref()),
            ("--rules-out", self.search.rules_out.as_deref()),
        ];
        let mut known: Vec<(&'static str, PathBuf)> = Vec::new();
        for (option, path) in outputs.into_iter().filter_map(|(option, path)| Some((option, path?))) {
            let file = resolved(path);
            if let Some((other, _)) = known.iter().find(|(_, known)| *known == file) {
                return Err(RunError::SameFile { path: path.to_owned(), options: [other, option] });
            }
            known.push((option, file));
        }
        Ok(())
    }

    pub(super) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let agent = Agent::find().map_err(LaunchError::from)?;
        let Arithmetic { default, rules, of_arguments } = Arithmetic::read(&self.arith, &self.rules)?;
        if self.rounding.is_some() {
            let others = rules.iter().map(|rule| &rule.operator).chain([&default]);
            let mut others = others.filter(|operator| *operator != KEEP);
            let is_identity = |operator: &str| {
                operator.parse::<Operator>().is_ok_and(|operator| operator.as_pair() == Some((F32, F32)))
            };
            if let Some(operator) = others.find(|operator| !is_identity(operator)) {
                return Err(RoundingError::Operator { operator: operator.clone() }.into());
            }
            if self.also.contains(&Instructions::Dot) {
                return Err(RoundingError::Dot.into());
            }
            if let Some(rounding @ (ProgramRounding::Up | ProgramRounding::Down)) = self.rounding
                && (self.seed != 0 || self.several.runs.is_some())
            {
                return Err(RoundingError::Seeds(rounding.into()).into());
            }
        }
        let report_path = self.report.as_ref().map(|path| match (path, &self.profile) {
            (Some(path), _) => path.clone(),
            (None, Some(profile)) => profile.with_extension("html"),
            (None, None) => PathBuf::from("binade-run.html"),
        });
        let create = |path| ReportFile::create(path, self.force);
        self.check_files(report_path.as_deref())?;
        if self.search.search || self.several.runs.is_some() {
            let config = self.config(default, rules);
            let (agent, command, trial) = (&agent, &*self.command, &self.trial);
            let (report, force) = (report_path.as_deref(), self.force);
            let request = Request { agent, command, trial, config, of_arguments, report, force };
            return match self.several.runs {
                Some(runs) => self.several.run(runs, &request, out),
                None => self.search.run(&request, out),
            };
        }
        let profile_file = self.profile.as_deref().map(create).transpose()?;
        let report_file = report_path.as_deref().map(create).transpose()?;
        let profile = profile_file.is_some() || report_file.is_some();
        let config = Config { check: self.check, why: self.why, profile, ..self.config(default, rules) };
        let outcome = binade_launch::run_with(&agent, &self.command, config.clone())?;
        let lines = Lines::new();
        let (problems, mut is_error) = summary::problems(&config, outcome.root, &outcome.processes);
        let operator = summary::arithmetic(&config);
        if !self.quiet {
            eprint!("{}", summary::text(&operator, &outcome.processes));
            if self.why {
                eprint!("{}", summary::why(&outcome.processes, &lines));
            }
        }
        eprint!("{problems}");
        if !is_error {
            let (text, is_wrong) = unused_rules(&config, of_arguments, &outcome);
            eprint!("{text}");
            is_error = is_wrong;
        }
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
            let profile = summary::profile(&operator, command, &outcome.processes, &lines);
            if profile.total.executed == 0 {
                eprintln!(
                    "note: the profile is empty: the program executed no multiply-add under the operator"
                );
            }
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

    #[test]
    fn report_with_a_separate_name_is_recognised() {
        let name = |words: &[&str]| separate_report(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(name(&["binade", "run", "--report", "F.html", "--", "ls"]).as_deref(), Some("F.html"));
        for other in [
            &["binade", "run", "--report", "--", "ls"][..],
            &["binade", "run", "--report", "-q", "--", "ls"],
            &["binade", "run", "--report=F.html", "--", "ls"],
            &["binade", "run", "--", "ls", "--report", "F.html"],
            &["binade", "mix", "--report", "F.html"],
        ] {
            assert_eq!(name(other), None, "{other:?}");
        }
    }

    #[test]
    fn names_of_one_file_are_recognised() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("a")).unwrap();
        std::os::unix::fs::symlink("a", folder.path().join("b")).unwrap();
        let file = |name: &str| resolved(&folder.path().join(name));
        assert_eq!(file("a/x"), file("b/../a/./x"));
        assert_ne!(file("a/x"), file("a/y"));
        assert_eq!(resolved(Path::new("x")), resolved(Path::new("./x")));
    }
}
