//! `binade run --search`: the code that must keep binary32 for a check to accept.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use binade_lab::search::{
    Accept, AcceptError, Answer, Candidate, Cost, Execution, Log, LogError, Program, Search, Setup,
    least_accepted, page,
};
use binade_launch::{Lines, Outcome};
use binade_profile::config::Config;
use binade_profile::demangle::demangle;
use binade_profile::rules::{KEEP, Rule};
use binade_profile::summary;
use thiserror::Error;

use super::candidates::{Size, functions, pieces};
use super::check_rules;
use super::trial::{Finished, Reason, Request, TrialError, Trials};
use crate::error::CommandError;
use crate::invocation::quoted_words;
use crate::progress::{RunsLine, listen};
use crate::report_file::ReportFile;
use crate::text_table;
use crate::{Error, Output, Status};

/// Runs of a trial of a program that is not deterministic, unless the user says how many.
const REPEATS: u64 = 5;

/// Arguments of the search.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArguments {
    /// Find the functions that must keep binary32 for --accept to accept, by running the program again and again
    ///
    /// All other code computes by the operator of --arith. The answer is minimal: without any one of its functions the
    /// check rejects. Standard output of the program goes to files; its standard input is empty.
    #[arg(long, requires = "accept", conflicts_with_all = ["profile", "check", "why"])]
    pub(super) search: bool,
    /// Accept a run if CHECK does: 'within TOLERANCE [absolute] [of FILE.npy]', 'exit code', or a command
    ///
    /// `within 1e-3` compares each number that the program prints with that of the native run, relative to it. `of
    /// FILE.npy` compares an array that the program writes, relative to its largest magnitude. `exit code` accepts 0. A
    /// command is one for the shell, and accepts by its exit code 0; it may have {out}, the file with the program's
    /// standard output, and {native}, that of the native run. {dir}, here and in COMMAND, is a folder of each run's own.
    /// --timeout bounds the command, too. Example: --accept 'python3 compare.py "{out}"'
    #[arg(
        long,
        value_name = "CHECK",
        requires = "search",
        conflicts_with = "runs",
        allow_hyphen_values = true
    )]
    accept: Option<String>,
    /// Search for smaller pieces within the functions of the answer
    #[arg(
        long,
        value_enum,
        value_name = "SIZE",
        default_value = "function",
        requires = "search",
        conflicts_with = "runs"
    )]
    by: Size,
    /// Run the program with each candidate alone narrow as well, to tell what it costs; --report does so
    #[arg(long, requires = "search", conflicts_with = "runs")]
    costs: bool,
    /// Write the answer as rules for --rules
    #[arg(long, value_name = "FILE", requires = "search", conflicts_with = "runs")]
    pub(super) rules_out: Option<PathBuf>,
    /// Keep a log of all trials, from which an interrupted search is resumed
    #[arg(long, value_name = "FILE.jsonl", requires = "search", conflicts_with = "runs")]
    pub(super) log: Option<PathBuf>,
    /// Run each trial N times, all of which must be accepted
    ///
    /// The default is 1, or 5 if the program does not print the same twice.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000), requires = "search", conflicts_with = "runs")]
    repeat: Option<u64>,
}

/// An error of a search.
#[derive(Debug, Error)]
pub(crate) enum SearchError {
    #[error(transparent)]
    Accept(#[from] AcceptError),
    #[error(transparent)]
    Log(#[from] LogError),
    #[error(transparent)]
    Trial(#[from] TrialError),
    #[error(
        "--search needs the narrow operator: give one without a place, such as --arith bf16:bf16, or --rounding"
    )]
    Identity,
    #[error(
        "--accept '{0}' rejects the native run: it must accept that run before a search can tell what another arithmetic breaks"
    )]
    RejectsNative(String),
    #[error(
        "--accept '{0}' rejects a second native run: the program does not repeat its results. Give a wider tolerance, or a command \
         that accepts all of them"
    )]
    RejectsSecond(String),
    #[error("the native run ends with exit code {0}, by signal {signal}: a search needs one that ends by itself", signal = .0 - 128)]
    NativeSignal(i32),
    #[error("the native run {0}: give a higher limit")]
    NativeKilled(String),
    #[error("--accept '{0}': the native run {1}: give a higher limit")]
    NativeCheckKilled(String, String),
    #[error(
        "the program executed no multiply-add that an operator could compute: `binade run --why` explains"
    )]
    NoCandidates,
    #[error(
        "the check rejects the run in which all functions that execute multiply-adds keep binary32 ({0}): other code runs under the \
         operator, or runs differ from each other"
    )]
    NotEnough(usize),
    #[error(
        "--jobs: runs at a time would overwrite each other's file: write it to {{dir}}, in --accept and in the command"
    )]
    SharedFile,
}

impl From<io::Error> for SearchError {
    fn from(error: io::Error) -> SearchError {
        SearchError::Trial(error.into())
    }
}

impl CommandError for SearchError {
    fn shown(&self) -> String {
        crate::error::printable_lines(&self.to_string())
    }
}

/// The program under the agent.
struct Guest<'a> {
    trials: Trials<'a>,
    accept: &'a Accept,
    /// The configuration of trials, without what they keep.
    config: &'a Config,
}

impl Guest<'_> {
    /// Runs the program: under a configuration, or natively. The result has no exit code if it was killed.
    fn start(
        &self,
        config: Option<Config>,
        folder: &Path,
    ) -> Result<(Execution, Result<Finished, Reason>), SearchError> {
        let file_before = self.accept.file_state(folder);
        let end = self.trials.start(config, folder)?;
        let code = end.as_ref().ok().map(|run| run.outcome.code);
        let stdout = Trials::stdout(folder);
        Ok((Execution { code, stdout, file_before, folder: folder.to_owned() }, end))
    }
}

impl Program for Guest<'_> {
    type Error = SearchError;

    fn run(&self, kept: &[&Candidate], folder: &Path) -> Result<Execution, SearchError> {
        let places = kept.iter().flat_map(|candidate| &candidate.places);
        let keep = |place: &String| Rule { place: place.clone(), operator: KEEP.to_owned() };
        let rules = places.map(keep).chain(self.config.rules.iter().cloned()).collect();
        Ok(self.start(Some(Config { rules, ..self.config.clone() }), folder)?.0)
    }

    fn shell(&self, line: &str) -> Result<Option<i32>, SearchError> {
        Ok(self.trials.shell(line)?)
    }
}

/// The rules of an answer, for `--rules`, with the command that found it: its other options apply to the rules as well.
fn rules_text(answer: &Answer, candidates: &[Candidate], config: &Config) -> String {
    let command: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut text = format!(
        "# The code that must keep binary32 under {}, found in {} runs by\n# binade {}\n",
        answer.arith,
        answer.runs,
        quoted_words(&command).replace('\n', " ")
    );
    for candidate in candidates.iter().filter(|candidate| answer.keep.contains(&candidate.name)) {
        text.push_str(&format!("{}={KEEP}\n", candidate.pattern));
    }
    for rule in &config.rules {
        text.push_str(&format!("{rule}\n"));
    }
    text + &config.arith + "\n"
}

impl SearchArguments {
    /// Searches, and prints the answer.
    pub(super) fn run(&self, request: &Request<'_>, out: &mut Output) -> Result<Status, Error> {
        let create = |path: &'_ PathBuf| ReportFile::refuse_existing(path, request.force);
        self.rules_out.iter().try_for_each(create)?;
        let report = request.report.map(|path| ReportFile::create(path, request.force)).transpose()?;
        listen()?;
        let result = self.search(request, report.is_some());
        if let Err(SearchError::Trial(TrialError::Interrupted)) = result {
            let hint = match &self.log {
                Some(path) => format!("the same command resumes from {}", path.display()),
                None => "with --log FILE.jsonl a search can be resumed".to_owned(),
            };
            eprintln!("interrupted; {hint}");
            return Ok(Status::Interrupted);
        }
        let (answer, candidates) = result?;
        if let Some(path) = &self.rules_out {
            let text = rules_text(&answer, &candidates, &request.config);
            ReportFile::create(path, request.force)?.write(text.as_bytes())?;
        }
        if let Some(file) = report {
            file.write_page(page(&answer, &candidates))?;
        }
        if request.trial.json {
            serde_json::to_writer_pretty(&mut *out, &answer)?;
            writeln!(out)?;
        } else {
            write(&answer, out)?;
        }
        Ok(Status::Done)
    }

    /// The answer, and all candidates.
    fn search(&self, request: &Request<'_>, costs: bool) -> Result<(Answer, Vec<Candidate>), SearchError> {
        let accept_text = self.accept.clone().unwrap_or_default();
        let accept: Accept = accept_text.parse()?;
        if request.trial.jobs > 1 && accept.shares_a_file() {
            return Err(SearchError::SharedFile);
        }
        let config = &request.config;
        if config.rounding.is_none() && config.arith == "f32:f32" || config.arith == KEEP {
            return Err(SearchError::Identity);
        }
        let key = serde_json::json!({
            "command": request.command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>(),
            "accept": accept_text,
            "config": config,
            "repeat": self.repeat,
        });
        let log = Log::open(self.log.as_deref(), &key.to_string(), request.force)?;
        let folder = tempfile::Builder::new().prefix("binade-search-").tempdir()?;
        let line = RunsLine::new();
        let trials = Trials::new(request.agent, request.command, request.trial);
        let mut guest = Guest { trials, accept: &accept, config };
        let own_folder = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir(&path).map(|()| path)
        };

        line.show(0, "the native run");
        let started = Instant::now();
        let (native, end) = guest.start(None, &own_folder("native")?)?;
        let killed =
            |guest: &Guest<'_>, reason| SearchError::NativeKilled(guest.trials.shown(reason).to_string());
        match end {
            Err(reason) => return Err(killed(&guest, reason)),
            Ok(Finished { outcome: Outcome { code: code @ 129..=192, .. }, .. }) => {
                return Err(SearchError::NativeSignal(code));
            }
            Ok(_) => {}
        }
        guest.trials.bound_by(started.elapsed(), request.trial);
        let reference = accept.reference(&native)?;
        // The native runs' checks must end: what they say decides if there can be a search.
        let shell = |line: &str| {
            let shown = || guest.trials.shown(Reason::Check).to_string();
            let code = guest.trials.shell(line)?;
            code.map(Some).ok_or_else(|| SearchError::NativeCheckKilled(accept_text.clone(), shown()))
        };
        if !accept.check(&native, &reference, &native, &shell)?.0 {
            return Err(SearchError::RejectsNative(accept_text));
        }
        line.show(1, "finding functions that execute multiply-adds");
        let identity = |operator: &str| if operator == KEEP { KEEP } else { "f32:f32" }.to_owned();
        let as_native = |rule: &Rule| Rule { operator: identity(&rule.operator), place: rule.place.clone() };
        let counting = Config {
            arith: "f32:f32".to_owned(),
            rounding: None,
            rules: config.rules.iter().map(as_native).collect(),
            why: true,
            ..config.clone()
        };
        let (second, end) = guest.start(Some(counting), &own_folder("counting")?)?;
        let outcome = end.map_err(|reason| killed(&guest, reason))?.outcome;
        check_rules(config, request.of_arguments, &outcome)?;
        let (accepted, difference) = accept.check(&native, &reference, &second, &shell)?;
        let deterministic = difference == Some(0.0) && fs::read(&native.stdout)? == fs::read(&second.stdout)?;
        if !accepted {
            return Err(SearchError::RejectsSecond(accept_text));
        }
        let repeat = self.repeat.unwrap_or(if deterministic { 1 } else { REPEATS });
        if !deterministic {
            eprintln!("note: two native runs print different texts: each trial is run {repeat} times");
        }
        let mut all = functions(&outcome);
        if all.is_empty() {
            return Err(SearchError::NoCandidates);
        }
        let guest = guest;
        let show = |runs: u64, text: &str| line.show(runs + 2, text);
        let mut search = Search::new(Setup {
            program: &guest,
            accept: &accept,
            native: &native,
            reference: &reference,
            jobs: request.trial.jobs as usize,
            repeat,
            folder: folder.path(),
            log,
            show: &show,
        });
        let whole = self.by == Size::Function;
        let found = search.minimize(&all, whole)?.ok_or(SearchError::NotEnough(all.len()))?;
        let mut keep: Vec<String> = found.iter().map(|&number| all[number].name.clone()).collect();
        let mut within = Vec::new();
        if !whole {
            let lines = Lines::new();
            for &number in &found {
                within.extend(pieces(&all[number], self.by, &outcome, &lines));
            }
            let found = search.minimize(&within, true)?.ok_or(SearchError::NotEnough(all.len()))?;
            keep = found.iter().map(|&number| within[number].name.clone()).collect();
        }
        let runs = search.runs + 2;
        let resumed = search.resumed;
        let mut cost_list = Vec::new();
        if self.costs || costs {
            for (candidate, trial) in all.iter().zip(search.costs(&all)?) {
                let (accepted, difference) = (trial.accepted, trial.difference);
                cost_list.push(Cost { place: candidate.name.clone(), accepted, difference });
            }
        }
        // A function whose lines were searched is these.
        let is_divided =
            |name: &String| within.iter().any(|piece| piece.name.starts_with(&format!("{name}:")));
        let mut shown: Vec<Candidate> =
            all.iter().filter(|function| !is_divided(&function.name)).cloned().collect();
        shown.extend(within.iter().filter(|piece| piece.part.is_some()).cloned());
        let narrow = shown.iter().map(|candidate| &candidate.name).filter(|name| !keep.contains(name));
        let answer = Answer {
            narrow: narrow.cloned().collect(),
            keep: keep.clone(),
            runs,
            arith: summary::operator(config),
            accept: accept_text,
            command: request.command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
            candidates: shown.len(),
            deterministic,
            repeat,
            accepted_share: (!deterministic).then(|| least_accepted(repeat)),
            resumed,
            cost_runs: search.runs + 2 - runs,
            costs: cost_list,
        };
        for note in guest.trials.notes() {
            eprintln!("note: {note}");
        }
        all.extend(within.into_iter().filter(|piece| piece.part.is_some()));
        Ok((answer, all))
    }
}

/// Writes the answer for readers.
fn write(answer: &Answer, out: &mut Output) -> Result<(), Error> {
    let of = |count: usize| format!("{count} of {} candidates", answer.candidates);
    if answer.keep.is_empty() {
        let all = match answer.candidates {
            1 => "the one candidate is".to_owned(),
            count => format!("all {count} candidates are"),
        };
        writeln!(out, "nothing must keep binary32: the check accepts the run in which {all} narrow")?;
    } else {
        writeln!(out, "must keep binary32 ({}):", of(answer.keep.len()))?;
        for name in &answer.keep {
            let symbol = name.split_once(':').map_or("", |(_, symbol)| symbol);
            let source = demangle(symbol);
            let source = if source == symbol { String::new() } else { format!("  {source}") };
            writeln!(out, "  {name}{source}")?;
        }
        writeln!(out, "may compute by {} together: the other {}", answer.arith, of(answer.narrow.len()))?;
    }
    if let Some(share) = answer.accepted_share {
        let (runs, percent) = (answer.repeat, 100.0 * share);
        writeln!(
            out,
            "all of {runs} runs accepted: at 95 % confidence, at least {percent:.0} % of runs are"
        )?;
    }
    if !answer.costs.is_empty() {
        let mut lines = vec![["alone narrow", "check", "difference"].map(str::to_owned)];
        for cost in &answer.costs {
            let check = if cost.accepted { "accepted" } else { "rejected" };
            let difference = match cost.difference {
                Some(0.0) => "none".to_owned(),
                Some(difference) => text_table::number(difference),
                None => "not comparable".to_owned(),
            };
            lines.push([cost.place.clone(), check.to_owned(), difference]);
        }
        text_table::write(out, &lines, &[2])?;
    }
    let resumed =
        if answer.resumed > 0 { format!(", {} of them from the log", answer.resumed) } else { String::new() };
    Ok(writeln!(out, "{} runs{resumed}", answer.runs + answer.cost_runs)?)
}
