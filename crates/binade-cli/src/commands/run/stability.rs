//! `binade run --runs N`: a program run with several seeds, the digits in which its results agree, and the functions that cost them.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use binade_lab::search::{Candidate, FileState, path_in, written_array};
use binade_lab::stability::{
    ArrayDigits, Digits, FunctionDigits, Moments, NumberDigits, Spread, Stability, page,
};
use binade_launch::Outcome;
use binade_profile::config::Config;
use binade_profile::rules::{KEEP, Place, Rule};
use thiserror::Error;

use super::candidates::functions;
use super::check_rules;
use super::trial::{Reason, Request, TrialError, Trials};
use crate::error::CommandError;
use crate::progress::{RunsLine, listen};
use crate::report_file::ReportFile;
use crate::text_table::{self, counted};
use crate::{Error, Output, Status};

/// Numbers and functions that are listed; of more, those with the fewest digits.
const LISTED: usize = 100;
/// Characters of the text before a number that are shown.
const LABEL: usize = 30;

/// The options of a search, which several runs do not have.
const OF_SEARCH: [&str; 7] = ["search", "accept", "by", "costs", "rules_out", "log", "repeat"];

/// Options of several runs.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Several runs")]
pub(super) struct RunsArguments {
    /// Run the program N times, with this seed and those that follow, and print how many digits of each number agree
    ///
    /// The numbers are those that the program prints on standard output. Example: binade run --rounding random --runs 8 -- ./solve
    #[arg(long, value_name = "N", requires = "rounding", value_parser = clap::value_parser!(u32).range(2..=1000), conflicts_with_all = ["profile", "check", "why", "search"])]
    pub(super) runs: Option<u32>,
    /// Compare the elements of an .npy file that the program writes, too: worst and median digits
    ///
    /// {dir}, here and in COMMAND, is a folder of each run's own. Example: --array '{dir}/y.npy' -- ./solve '{dir}/y.npy'
    #[arg(long, value_name = "FILE.npy", requires = "runs", conflicts_with_all = OF_SEARCH)]
    pub(super) array: Vec<String>,
    /// Round each function alone, and list functions by the digits that they cost: N runs for each function that executes multiply-adds
    #[arg(long, requires = "runs", conflicts_with_all = OF_SEARCH)]
    pub(super) blame: bool,
}

/// An error of several runs.
#[derive(Debug, Error)]
pub(super) enum StabilityError {
    #[error(transparent)]
    Trial(#[from] TrialError),
    /// There is nothing to compare.
    #[error(
        "the program prints no number that --runs could compare: its numbers must be on standard output, or in a file that --array \
         names"
    )]
    NoNumbers,
    /// Runs whose numbers cannot be compared.
    #[error(
        "the program prints {first_numbers} with seed {first_seed} and {other} with seed {other_seed}: the digits can be compared only \
         where each run prints as many", first_numbers = counted(*first, "number")
    )]
    Counts {
        /// Numbers in the first run.
        first: usize,
        /// Its seed.
        first_seed: u64,
        /// Numbers in another.
        other: usize,
        /// Its seed.
        other_seed: u64,
    },
    /// A run did not write an array.
    #[error("{}: the run with seed {seed} must write it, as an .npy file of f32 or f64: {reason}", .path.display())]
    Array {
        /// The file.
        path: PathBuf,
        /// The seed.
        seed: u64,
        /// The reader's error.
        reason: String,
    },
    /// Arrays of different sizes.
    #[error(
        "{file}: {first_elements} with seed {first_seed}, and {other} with seed {other_seed}: each run must write as many",
        first_elements = counted(*first, "element")
    )]
    Sizes {
        /// The file.
        file: String,
        /// Elements in the first run.
        first: usize,
        /// Its seed.
        first_seed: u64,
        /// Elements in another.
        other: usize,
        /// Its seed.
        other_seed: u64,
    },
    /// A run did not succeed.
    #[error("the run with seed {seed} ended with exit code {code}: --runs compares runs that succeed")]
    Failed {
        /// The seed.
        seed: u64,
        /// The exit code.
        code: i32,
        /// Its standard output and standard error.
        written: [Vec<u8>; 2],
    },
    /// A run was killed.
    #[error("the run with seed {seed} {reason}: give a higher limit")]
    Killed {
        /// The seed.
        seed: u64,
        /// The reason.
        reason: String,
    },
    /// Runs at a time would share a file.
    #[error(
        "--jobs: runs at a time would overwrite each other's {0}: write it to {{dir}}, in --array and in the command"
    )]
    SharedFile(String),
    /// No function to blame.
    #[error(
        "--blame: the program executed no multiply-add that random rounding could change: `binade run --why` explains"
    )]
    NoFunctions,
}

impl CommandError for StabilityError {
    fn shown(&self) -> String {
        crate::error::printable_lines(&self.to_string())
    }
}

impl From<io::Error> for StabilityError {
    fn from(error: io::Error) -> StabilityError {
        StabilityError::Trial(error.into())
    }
}

/// A number of a text.
#[derive(Clone, PartialEq, Debug)]
struct Number {
    /// The line, from 1.
    line: usize,
    /// The text before it on the line, or the end of that.
    label: String,
    value: f64,
}

/// The results of a run.
struct Results {
    numbers: Vec<Number>,
    /// The elements of each array.
    arrays: Vec<Vec<f64>>,
}

/// The end of a run that gave no results.
enum Failure {
    /// It was killed.
    Killed(Reason),
    /// Its exit code is not 0; its standard output and standard error.
    Code(i32, [Vec<u8>; 2]),
    /// Its results cannot be read, or compared with those of other runs.
    Results(StabilityError),
}

/// Results of several runs under one configuration.
struct Sum {
    numbers: Vec<(Number, Moments)>,
    arrays: Vec<Vec<Moments>>,
    first_seed: u64,
}

impl Sum {
    /// No run yet, for results such as those of the run with the first seed.
    fn like(first: &Results, first_seed: u64) -> Sum {
        Sum {
            numbers: first.numbers.iter().map(|number| (number.clone(), Moments::default())).collect(),
            arrays: first.arrays.iter().map(|array| vec![Moments::default(); array.len()]).collect(),
            first_seed,
        }
    }

    /// Adds the results of a run: an error if there are more or fewer than in the first run.
    fn add(&mut self, run: &Results, seed: u64, files: &[String]) -> Result<(), StabilityError> {
        let (first_seed, other_seed) = (self.first_seed, seed);
        let (first, other) = (self.numbers.len(), run.numbers.len());
        if first != other {
            return Err(StabilityError::Counts { first, first_seed, other, other_seed });
        }
        for ((all, own), file) in self.arrays.iter_mut().zip(&run.arrays).zip(files) {
            let (first, other) = (all.len(), own.len());
            if first != other {
                return Err(StabilityError::Sizes {
                    file: file.clone(),
                    first,
                    first_seed,
                    other,
                    other_seed,
                });
            }
            all.iter_mut().zip(own).for_each(|(moments, &value)| moments.add(value));
        }
        self.numbers
            .iter_mut()
            .zip(&run.numbers)
            .for_each(|((_, moments), number)| moments.add(number.value));
        Ok(())
    }

    /// All results together.
    fn spread(&self) -> Spread {
        let numbers = self.numbers.iter().map(|(_, moments)| *moments);
        Spread::of(numbers.chain(self.arrays.iter().flatten().copied()))
    }
}

/// The runs of a program under several seeds.
struct Runs<'a> {
    trials: Trials<'a>,
    arrays: &'a [String],
    seeds: Vec<u64>,
    jobs: usize,
    folder: &'a Path,
    line: RunsLine,
    /// Runs that have been started.
    count: AtomicU64,
}

/// The end of a run: its results and its record, or the reason for which it has none.
type End = Result<(Results, Outcome), Failure>;

impl Runs<'_> {
    /// Runs the program once. `echo` shows its standard error.
    fn run(&self, config: Config, text: &str, echo: bool) -> Result<End, StabilityError> {
        self.line.show(self.count.fetch_add(1, Ordering::Relaxed), text);
        let folder = tempfile::Builder::new().prefix("run-").tempdir_in(self.folder)?;
        let seed = config.seed;
        let paths: Vec<PathBuf> = self.arrays.iter().map(|file| path_in(file, folder.path())).collect();
        let before: Vec<Option<FileState>> = paths.iter().map(|path| FileState::of(path)).collect();
        let finished = match self.trials.start(Some(config), folder.path())? {
            Ok(finished) => finished,
            Err(reason) => return Ok(Err(Failure::Killed(reason))),
        };
        if finished.outcome.code != 0 {
            let texts = [fs::read(&finished.stdout)?, fs::read(&finished.stderr)?];
            return Ok(Err(Failure::Code(finished.outcome.code, texts)));
        }
        if echo {
            io::stderr().write_all(&fs::read(&finished.stderr)?)?;
        }
        let numbers = numbers(&String::from_utf8_lossy(&fs::read(&finished.stdout)?));
        let mut arrays = vec![];
        for (path, before) in paths.into_iter().zip(before) {
            match written_array(&path, before.as_ref()) {
                Ok(array) => arrays.push(array),
                Err(reason) => {
                    return Ok(Err(Failure::Results(StabilityError::Array { path, seed, reason })));
                }
            }
        }
        if numbers.is_empty() && arrays.is_empty() {
            return Ok(Err(Failure::Results(StabilityError::NoNumbers)));
        }
        Ok(Ok((Results { numbers, arrays }, finished.outcome)))
    }

    /// Adds the runs with these seeds to a sum, some at a time. Stops at the first that fails: its seed, and why.
    fn add(
        &self,
        sum: &mut Sum,
        config: &Config,
        seeds: &[u64],
        text: &str,
    ) -> Result<Option<(u64, Failure)>, StabilityError> {
        for seeds in seeds.chunks(self.jobs) {
            let ends: Vec<_> = thread::scope(|scope| {
                let start = |&seed: &u64| {
                    let config = Config { seed, ..config.clone() };
                    scope.spawn(move || self.run(config, text, false))
                };
                let threads: Vec<_> = seeds.iter().map(start).collect();
                threads.into_iter().map(|thread| thread.join()).collect()
            });
            for (end, &seed) in ends.into_iter().zip(seeds) {
                let failure = match end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))? {
                    Ok((results, _)) => match sum.add(&results, seed, self.arrays) {
                        Ok(()) => continue,
                        Err(error) => Failure::Results(error),
                    },
                    Err(failure) => failure,
                };
                return Ok(Some((seed, failure)));
            }
        }
        Ok(None)
    }

    /// The digits that functions cost, each rounded alone, and true if two runs without random rounding agree.
    fn blame(
        &self,
        request: &Request<'_>,
        first: &Results,
    ) -> Result<(Vec<FunctionDigits>, bool), StabilityError> {
        let exact = Config { rounding: None, ..request.config.clone() };
        let mut runs = vec![];
        for why in [true, false] {
            let config = Config { why, ..exact.clone() };
            match self.run(config, "without random rounding", false)? {
                Ok(run) => runs.push(run),
                Err(failure) => return Err(self.error(request.config.seed, failure)),
            }
        }
        let deterministic = runs[0].0.agrees(&runs[1].0);
        let candidates = functions(&runs[0].1);
        if candidates.is_empty() {
            return Err(StabilityError::NoFunctions);
        }
        let mut found = Vec::with_capacity(candidates.len());
        for (number, candidate) in candidates.iter().enumerate() {
            let text = format!("function {} of {}: {}", number + 1, candidates.len(), candidate.name);
            let mut sum = Sum::like(first, self.seeds[0]);
            let failure = self.add(&mut sum, &alone(&request.config, candidate), &self.seeds, &text)?;
            let failed = failure.map(|(seed, failure)| match failure {
                Failure::Killed(reason) => self.trials.shown(reason).to_string(),
                Failure::Code(code, _) => format!("exit code {code} with seed {seed}"),
                Failure::Results(error) => error.to_string(),
            });
            found.push(FunctionDigits {
                place: candidate.name.clone(),
                multiply_adds: candidate.multiply_adds,
                spread: failed.is_none().then(|| sum.spread()),
                failed,
            });
        }
        found.sort_by(FunctionDigits::compare);
        Ok((found, deterministic))
    }

    /// The error of a run that failed; for an exit code, after what the run wrote.
    fn error(&self, seed: u64, failure: Failure) -> StabilityError {
        match failure {
            Failure::Killed(reason) => {
                StabilityError::Killed { seed, reason: self.trials.shown(reason).to_string() }
            }
            Failure::Results(error) => error,
            Failure::Code(code, written) => StabilityError::Failed { seed, code, written },
        }
    }
}

impl Results {
    /// True if the values are the same bits, or NaN in both.
    fn agrees(&self, other: &Results) -> bool {
        let values = |results: &Results| -> Vec<u64> {
            let bits = |x: f64| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() };
            let numbers = results.numbers.iter().map(|number| number.value);
            numbers.chain(results.arrays.iter().flatten().copied()).map(bits).collect()
        };
        values(self) == values(other)
    }
}

/// The configuration in which this function alone is rounded. Rules that keep lines or instructions of it still apply.
fn alone(config: &Config, function: &Candidate) -> Config {
    let keeps_part = |rule: &&Rule| {
        rule.operator == KEEP && Place::read(&rule.place).is_ok_and(|place| place.is_within_functions())
    };
    let own =
        function.places.iter().map(|place| Rule { place: place.clone(), operator: IDENTITY.to_owned() });
    let rules = config.rules.iter().filter(keeps_part).cloned().chain(own).collect();
    Config { arith: KEEP.to_owned(), rules, ..config.clone() }
}

/// The operator that rounding is of.
const IDENTITY: &str = "f32:f32";

impl RunsArguments {
    /// Runs the program under N seeds from that of the configuration on, and prints the digits of its results.
    pub(super) fn run(&self, runs: u32, request: &Request<'_>, out: &mut Output) -> Result<Status, Error> {
        if request.trial.jobs > 1
            && let Some(file) = self.array.iter().find(|file| !file.contains("{dir}"))
        {
            return Err(StabilityError::SharedFile(file.clone()).into());
        }
        let report = request.report.map(|path| ReportFile::create(path, request.force)).transpose()?;
        listen()?;
        let found = match self.measure(runs, request) {
            Err(StabilityError::Trial(TrialError::Interrupted)) => return Ok(Status::Interrupted),
            Err(ref error @ StabilityError::Failed { code, written: [ref stdout, ref stderr], .. }) => {
                out.write_all(stdout)?;
                io::stderr().write_all(stderr)?;
                eprintln!("{error}");
                return Ok(Status::Child(code as u8));
            }
            found => found?,
        };
        if let Some(file) = report {
            file.write_page(page(&found))?;
        }
        if request.trial.json {
            serde_json::to_writer_pretty(&mut *out, &found)?;
            writeln!(out)?;
        } else {
            write(&found, out)?;
        }
        Ok(Status::Done)
    }

    fn measure(&self, runs: u32, request: &Request<'_>) -> Result<Stability, StabilityError> {
        let folder = tempfile::Builder::new().prefix("binade-runs-").tempdir()?;
        let config = &request.config;
        let seeds: Vec<u64> = (0..u64::from(runs)).map(|run| config.seed.wrapping_add(run)).collect();
        let mut all = Runs {
            trials: Trials::new(request.agent, request.command, request.trial),
            arrays: &self.array,
            seeds,
            jobs: request.trial.jobs as usize,
            folder: folder.path(),
            line: RunsLine::new(),
            count: AtomicU64::new(0),
        };
        let started = Instant::now();
        let (first, outcome) = all
            .run(config.clone(), "the first run", true)?
            .map_err(|failure| all.error(config.seed, failure))?;
        check_rules(config, request.of_arguments, &outcome)?;
        all.trials.bound_by(started.elapsed(), request.trial);
        let mut sum = Sum::like(&first, config.seed);
        sum.add(&first, config.seed, &self.array)?;
        let text = format!("{runs} runs, all functions");
        if let Some((seed, failure)) = all.add(&mut sum, config, &all.seeds[1..], &text)? {
            return Err(all.error(seed, failure));
        }
        let blame = if self.blame { Some(all.blame(request, &first)?) } else { None };
        let deterministic = blame.as_ref().map(|(_, deterministic)| *deterministic);
        let numbers = sum.numbers.into_iter().map(|(number, moments)| NumberDigits {
            line: number.line,
            after: number.label,
            mean: moments.mean(),
            digits: moments.digits(),
        });
        let arrays = self.array.iter().zip(sum.arrays);
        Ok(Stability {
            rounding: config.rounding.map(|rounding| rounding.to_string()).unwrap_or_default(),
            command: request.command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            numbers: numbers.collect(),
            arrays: arrays
                .map(|(file, elements)| ArrayDigits { file: file.clone(), spread: Spread::of(elements) })
                .collect(),
            functions: blame.map(|(functions, _)| functions),
            deterministic,
            program_runs: all.count.into_inner(),
            seeds: all.seeds,
        })
    }
}

/// The numbers of a text: decimal, perhaps with a fraction and an exponent, and not part of a word.
fn numbers(text: &str) -> Vec<Number> {
    let mut all = vec![];
    for (index, line) in text.lines().enumerate() {
        let bytes = line.as_bytes();
        let is_word =
            |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let mut at = 0;
        let mut label = 0;
        while at < bytes.len() {
            let begins_word = at == 0 || !(is_word(at - 1) || bytes[at - 1] == b'.');
            let length = if begins_word { length_of_number(&bytes[at..]) } else { 0 };
            let value = line.get(at..at + length).and_then(|number| number.parse::<f64>().ok());
            match value.filter(|_| length > 0 && !is_word(at + length)) {
                Some(value) => {
                    let before: Vec<char> = line.get(label..at).unwrap_or_default().trim().chars().collect();
                    let label_text = before[before.len().saturating_sub(LABEL)..].iter().collect();
                    all.push(Number { line: index + 1, label: label_text, value });
                    at += length;
                    label = at;
                }
                None => at += 1,
            }
        }
    }
    all
}

/// The bytes of the number at the start of a text; 0 without a number.
fn length_of_number(bytes: &[u8]) -> usize {
    let digits =
        |from: usize| bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    for word in ["nan", "inf"] {
        if bytes.get(sign..sign + 3).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes())) {
            return sign + 3;
        }
    }
    let whole = digits(sign);
    let mut length = sign + whole;
    let fraction = if bytes.get(length) == Some(&b'.') { digits(length + 1) } else { 0 };
    if whole + fraction == 0 {
        return 0;
    }
    if fraction > 0 || bytes.get(length) == Some(&b'.') {
        length += 1 + fraction;
    }
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let exponent = digits(length + 1 + sign);
        length += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    length
}

/// Writes the digits for readers.
fn write(found: &Stability, out: &mut impl Write) -> Result<(), Error> {
    let (first, last) = (found.seeds[0], found.seeds[found.seeds.len() - 1]);
    let head = format!("{}, seeds {first} to {last}", counted(found.seeds.len(), "run"));
    let count = found.numbers.len();
    let some = |digits: Digits| if let Digits::Some(digits) = digits { Some(digits) } else { None };
    let changed: Vec<f64> = found.numbers.iter().filter_map(|number| some(number.digits)).collect();
    let least = changed
        .iter()
        .copied()
        .min_by(f64::total_cmp)
        .map_or(String::new(), |least| format!("; the least certain has {least:.1} digits"));
    match count {
        0 => writeln!(out, "{head}")?,
        _ => {
            let differ = if count == 1 || changed.len() == 1 { "differs" } else { "differ" };
            writeln!(out, "{head}: {} of {} {differ}{least}", changed.len(), counted(count, "number"))?;
        }
    }
    let mut rows: Vec<&NumberDigits> = found.numbers.iter().collect();
    if count > LISTED {
        rows.sort_by(|a, b| a.digits.compare(b.digits));
        rows.truncate(LISTED);
        writeln!(out, "the {LISTED} least certain:")?;
    }
    let mut lines = vec![["line", "after", "mean", "digits"].map(str::to_owned)];
    lines.extend(rows.iter().map(|number| {
        [number.line.to_string(), number.after.clone(), format!("{:.9e}", number.mean), number.digits.text()]
    }));
    if lines.len() > 1 {
        text_table::write(out, &lines, &[0, 2, 3])?;
    }
    if !found.arrays.is_empty() {
        let titles = ["array", "elements", "differ", "worst digits", "at element", "median digits"];
        let mut lines = vec![titles.map(str::to_owned)];
        lines.extend(found.arrays.iter().map(|ArrayDigits { file, spread }| {
            [
                file.clone(),
                spread.elements.to_string(),
                spread.differ.to_string(),
                spread.worst_digits.text(),
                spread.worst_index.to_string(),
                spread.median_digits.text(),
            ]
        }));
        text_table::write(out, &lines, &[1, 2, 3, 4, 5])?;
    }
    if let Some(functions) = &found.functions {
        writeln!(out, "functions by instability, each rounded alone in {} runs:", found.seeds.len())?;
        let mut lines = vec![["function", "worst digits", "median digits", "differ"].map(str::to_owned)];
        lines.extend(functions.iter().take(LISTED).map(|function| {
            match (&function.spread, &function.failed) {
                (Some(spread), _) => [
                    function.place.clone(),
                    spread.worst_digits.text(),
                    spread.median_digits.text(),
                    format!("{} of {}", spread.differ, spread.elements),
                ],
                (None, _) => [function.place.clone(), "failed".to_owned(), String::new(), String::new()],
            }
        }));
        text_table::write(out, &lines, &[1, 2, 3])?;
        if functions.len() > LISTED {
            writeln!(out, "and {}", counted(functions.len() - LISTED, "more stable function"))?;
        }
        for FunctionDigits { place, failed, .. } in functions.iter().take(LISTED) {
            if let Some(reason) = failed {
                writeln!(out, "{place} failed: {reason}")?;
            }
        }
        writeln!(out, "{} runs in all", found.program_runs)?;
    }
    if found.deterministic == Some(false) {
        eprintln!(
            "note: two runs without random rounding differ: the digits are those of other variation, too"
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_text_are_its_decimal_words() {
        let found: Vec<_> = numbers("loss = 0.5e-3, x1 at 3: -7.\nv2.1 .25 nan [1,2]\n0x1f 12ms Inf")
            .into_iter()
            .map(|number| (number.line, number.label, number.value.to_string()))
            .collect();
        let expected = [
            (1, "loss =", "0.0005"),
            (1, ", x1 at", "3"),
            (1, ":", "-7"),
            (2, "v2.1", "0.25"),
            (2, "", "NaN"),
            (2, "[", "1"),
            (2, ",", "2"),
            (3, "0x1f 12ms", "inf"),
        ];
        let expected: Vec<_> = expected
            .iter()
            .map(|(line, label, value)| (*line, (*label).to_owned(), (*value).to_owned()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn function_alone_is_rounded_and_the_users_lines_stay() {
        let rule =
            |place: &str, operator: &str| Rule { place: place.to_owned(), operator: operator.to_owned() };
        let function = Candidate {
            name: "x:f".to_owned(),
            object: "/bin/x".to_owned(),
            function: "f".to_owned(),
            part: None,
            places: vec!["/bin/x:f".to_owned()],
            pattern: "x:f".to_owned(),
            multiply_adds: 1,
        };
        let rules = vec![rule("x:f:a.c:3", KEEP), rule("x:g", KEEP), rule("x:f", IDENTITY)];
        let config = Config { arith: IDENTITY.to_owned(), rules, seed: 4, ..Config::default() };
        let found = alone(&config, &function);
        assert_eq!((found.arith.as_str(), found.seed), (KEEP, 4));
        assert_eq!(found.rules, [rule("x:f:a.c:3", KEEP), rule("/bin/x:f", IDENTITY)]);
    }

    #[test]
    fn text_lists_numbers_arrays_and_functions_with_their_digits() {
        let run =
            |text: &str, array: [f64; 2]| Results { numbers: numbers(text), arrays: vec![array.to_vec()] };
        let runs = [run("x = 1.0 y = 2", [1.0, 5.0]), run("x = 1.0 y = 4", [1.0, -5.0])];
        let mut sum = Sum::like(&runs[0], 7);
        let files = ["y.npy".to_owned()];
        runs.iter().zip([7, 8]).for_each(|(run, seed)| sum.add(run, seed, &files).unwrap());
        let digits = |(number, moments): &(Number, Moments)| NumberDigits {
            line: number.line,
            after: number.label.clone(),
            mean: moments.mean(),
            digits: moments.digits(),
        };
        let function = |place: &str, spread: Option<Spread>, failed: Option<&str>| FunctionDigits {
            place: place.to_owned(),
            multiply_adds: 2,
            spread,
            failed: failed.map(str::to_owned),
        };
        let found = Stability {
            rounding: "random".to_owned(),
            seeds: vec![7, 8],
            command: vec![],
            numbers: sum.numbers.iter().map(digits).collect(),
            arrays: vec![ArrayDigits { file: "y.npy".to_owned(), spread: Spread::of(sum.arrays[0].clone()) }],
            functions: Some(vec![
                function("p:h", None, Some("exit code 1 with seed 7")),
                function("p:f", Some(sum.spread()), None),
            ]),
            deterministic: Some(true),
            program_runs: 8,
        };
        let mut out = vec![];
        write(&found, &mut out).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "2 runs, seeds 7 to 8: 1 of 2 numbers differs; the least certain has 0.3 digits\n\
             line  after           mean  digits\n   1  x =    1.000000000e0     all\n   1  y =    3.000000000e0     0.3\n\
             array  elements  differ  worst digits  at element  median digits\n\
             y.npy         2       1           0.0           1            0.0\n\
             functions by instability, each rounded alone in 2 runs:\n\
             function  worst digits  median digits  differ\n\
             p:h             failed\n\
             p:f                0.0            0.3  2 of 4\n\
             p:h failed: exit code 1 with seed 7\n\
             8 runs in all\n"
        );
        let numbers = Results { numbers: numbers("x = 1"), arrays: vec![] };
        let error = sum.add(&numbers, 9, &[]).unwrap_err().to_string();
        assert!(error.contains("2 numbers with seed 7 and 1 with seed 9"), "{error}");
        let error = Sum::like(&numbers, 7).add(&runs[0], 8, &[]).unwrap_err().to_string();
        assert!(error.contains("prints 1 number with seed 7 and 2 with seed 8"), "{error}");
        let shorter = Results { arrays: vec![vec![1.0]], ..run("x = 1.0 y = 2", [0.0; 2]) };
        let error = sum.add(&shorter, 9, &files).unwrap_err().to_string();
        assert_eq!(error, "y.npy: 2 elements with seed 7, and 1 with seed 9: each run must write as many");
    }
}
