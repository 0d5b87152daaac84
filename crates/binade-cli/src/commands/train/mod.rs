//! `binade train`: trains a model under several arithmetics, and compares the results.

mod blame;
mod display;
mod first_bad;
mod log;
mod markdown;
mod outputs;
mod plot;
mod screen;
mod search;
mod shared;
mod table;
mod watch;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use binade::recipe::short_form;
use binade_hlo::eval::rules::ScopeError;
use binade_recipes::with_contents;
use binade_train::record::{Document, State};
use binade_train::{
    Blame, Cell, DEFAULT_ARITHMETICS, Experiment, Length, Model, Scope, Search, Settings, TrainError,
    template,
};
use clap::{Args, Subcommand};
use serde::Serialize;
use thiserror::Error;

use super::shared::SharedArgs;
use crate::error::{CommandError, printable, printable_lines};
use crate::terminal::report;
use crate::{Error, Output, Status, examples, progress, text_table};
use display::TrainingDisplay;
use log::Log;
pub(crate) use outputs::OutputArgs;
pub(crate) use shared::join;
pub(crate) use watch::watch;

/// A training that cannot begin or go on.
#[derive(Debug, Error)]
pub(crate) enum TrainingError {
    #[error(transparent)]
    Train(#[from] TrainError),
    #[error(transparent)]
    Scope(#[from] ScopeError),
    #[error("{}: pieces without a result, or with two that differ: `binade join --status` lists them", .0.display())]
    Pieces(PathBuf),
}

impl CommandError for TrainingError {
    fn shown(&self) -> String {
        match self {
            // Several lines: the place, and the line of the program with a caret under it.
            TrainingError::Train(error @ TrainError::Program { .. }) => printable_lines(&error.to_string()),
            _ => printable(&self.to_string()),
        }
    }
}

impl From<TrainError> for Error {
    fn from(error: TrainError) -> Error {
        TrainingError::from(error).into()
    }
}

pub(crate) const ABOUT: &str = "\
Train a model under several arithmetics, and compare the results

MODEL is a built-in model, or a folder as `binade train --new FOLDER` makes it. A cell is a training of the model under one \
arithmetic from one of the seeds 0 … N − 1. A seed gives the same initial weights and the same batches under every arithmetic. \
The final weights of a cell have the same bits for any number of threads, on every machine, and after any interruption. \
Without arguments, the MLP is trained on a part of Fashion-MNIST under f32 and four operators.

An ARITHMETIC is f32 (the program as it is), an operator (bf16:f32, bf16:bf16, bf16x2:bf16x2/3, float8_e4m3fn:f32, with \
/order=… as in matmul; mp is bf16:f32), or rules as in `hlo run --arith`, with ; between them. It may be a recipe of \
`binade recipes` (nvfp4-training), one with changes (nvfp4-training{leave=|forward.weight=nvfp4}), or a file with one (my.toml).

The table has a line for each arithmetic. Its columns are the mean training loss of the last epoch, and the test accuracy after \
it: NDCG for models that rank, BLEU for models that translate. Both are means over seeds ± half their range. `in f32` is the \
test accuracy of the same weights, evaluated in binary32. `lost at R` is the share of weight updates that were lost at the \
rate R: updates that are not zero and have no effect. Then come the seconds of a cell's training steps, the time of a step \
relative to f32, and the operator's area and speed-up in hardware (`binade study cost`).

On a terminal, a live screen shows the losses of all arithmetics and a row for each cell; q or Ctrl-C stops. Otherwise, and with \
NO_COLOR, TERM=dumb or --plain, each epoch has a line on standard error.

--json: {\"run\": {\"model\", \"data\", \"data_about\", \"synthetic\", \"scope\", \"epochs\", …}, \"cells\": [{\"arith\", \"seed\", \
\"steps\", \"loss\", \"accuracy\", \"in_f32\": {\"test_loss\", \"accuracy\"}, \"state\", \"weights_sha256\", \"seconds\", \"phases\", \"epochs\", …}…]}. `state` is done, \
running (stopped early) or diverged (at step `diverged_at`, with an infinite or NaN loss). `weights_sha256` is the hash of the \
parameters' elements, little end first, in the order of the model's state. With --first-bad also \"first_bad\": [{\"arith\", \"seed\", \
\"diverged_at\", \"step\", \"birth\": {\"operation\", \"scope\", \"line\", \"index\", \"value\", \"f32\", \"operands\", …}}…]; with \
--search {\"run\", \"search\": {\"f32_loss\", \"best\": {\"arith\", \"loss\", \"speed_up\", …}, \"parts\": [{\"pass\", \"layer\", \"operator\", \
\"work\", \"area\", …}…], \"complete\", \"steps\", \"trials\": […]}}.";

/// A cell in the list of --cells.
#[derive(Serialize)]
struct CellLine {
    cell: usize,
    arith: String,
    seed: u64,
    /// SHA-256 of everything that its bits are a function of.
    inputs: String,
}

/// Arguments of `binade train`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    train: Train,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Join the logs of a training run, and print its table
    ///
    /// Logs are files that --log wrote, for one run in several processes or on several machines (--cell). --report writes the
    /// page, --plot the curves alone, --json the JSON of `train`.
    #[command(after_help = examples::TRAIN_REPORT)]
    Report(Report),
}

#[derive(Args, Debug)]
struct Train {
    /// A built-in model, or a folder with a model
    #[arg(value_name = "MODEL|FOLDER", default_value = "mlp")]
    model: String,
    /// An arithmetic; may be repeated [default: f32 bf16:f32 bf16:bf16 bf16:bf16x2 bf16x2:bf16x2/3]
    #[arg(long = "arith", value_name = "ARITHMETIC")]
    arithmetics: Vec<String>,
    /// The operations that operators compute: all, or only multiply-adds, as in the BF16 paper (paper)
    #[arg(long, value_name = "SCOPE", default_value_t)]
    scope: Scope,
    /// Data to train on, in place of the model's own
    #[arg(long, value_name = "NAME[:DIR]")]
    data: Option<String>,
    /// Number of seeds per arithmetic
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Number of epochs, in place of the model's own; drops of the rate move in proportion
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    epochs: Option<u64>,
    /// Stop after N steps
    #[arg(long, value_name = "N", conflicts_with = "epochs", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    steps: Option<u64>,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write a line of JSON for each step, epoch and cell
    #[arg(long, value_name = "FILE.jsonl", conflicts_with = "shared")]
    log: Option<PathBuf>,
    #[command(flatten)]
    outputs: OutputArgs,
    /// After each epoch, trace this number of results of each product of its last step, and count the losses of accumulators
    /// [default: 64 with --report and without --shared, otherwise 0]
    #[arg(long, value_name = "RESULTS", value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    swamping: Option<u32>,
    /// Save the state of each cell in this folder, after every epoch and on Ctrl-C
    #[arg(long, value_name = "DIR", conflicts_with = "shared")]
    checkpoint: Option<PathBuf>,
    /// Continue from existing checkpoints
    #[arg(long, requires = "checkpoint")]
    resume: bool,
    /// Also save a cell at this interval of training [default with --shared: 60]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    checkpoint_every: Option<u32>,
    /// List the cells, each with a hash of everything it depends on, without training
    #[arg(long, conflicts_with = "cluster")]
    cells: bool,
    /// Train only this cell; may be repeated
    #[arg(
        long,
        visible_alias = "piece",
        value_name = "K",
        value_delimiter = ',',
        conflicts_with = "cluster"
    )]
    cell: Vec<usize>,
    #[command(flatten)]
    shared: SharedArgs,
    /// For cells that diverge, find the operation that made the first infinity or NaN, by training them again
    #[arg(long, conflicts_with_all = ["cells", "shared"])]
    first_bad: bool,
    /// Compute one part of the training step at a time with the operator of --arith, and the others in f32, to show the part that
    /// costs most
    #[arg(long, conflicts_with_all = ["cells", "cell", "log", "report", "plot", "checkpoint", "resume", "first_bad", "shared"])]
    blame: bool,
    /// Find the cheapest operators for layers and passes with which the training loss stays inside f32's range over seeds. They
    /// are chosen from those of --arith [default: bf16:bf16 bf16:bf16x2 bf16x2:bf16x2/3]
    #[arg(long, conflicts_with_all = ["cells", "cell", "log", "report", "plot", "first_bad", "blame", "plan", "leave"])]
    search: bool,
    /// Limit the search to this number of training steps, over all cells
    #[arg(long, value_name = "STEPS", requires = "search", value_parser = clap::value_parser!(u64).range(1..))]
    budget: Option<u64>,
    /// Print a line for each epoch instead of the live screen, as when standard error is not a terminal
    #[arg(long)]
    plain: bool,
    /// Create a folder with a model to start from
    #[arg(long, value_name = "FOLDER", exclusive = true)]
    new: Option<PathBuf>,
    /// Train the cells of a --json result again, and compare the bits
    #[arg(long, value_name = "RESULT.json", exclusive = true)]
    verify: Option<PathBuf>,
}

#[derive(Args, Debug)]
struct Report {
    /// Logs
    #[arg(required = true, value_name = "FILE.jsonl")]
    logs: Vec<PathBuf>,
    #[command(flatten)]
    outputs: OutputArgs,
    /// Print Markdown with a section for each log. Logs may be of different runs; FILE.md beside FILE.jsonl has remarks
    #[arg(long, conflicts_with_all = ["report", "plot", "json"])]
    markdown: bool,
    /// In Markdown, show the plot PLOTS/NAME.svg in the section of NAME.jsonl
    #[arg(long, value_name = "PLOTS", requires = "markdown")]
    plots: Option<String>,
}

impl Arguments {
    pub(crate) fn shared(&self) -> &SharedArgs {
        &self.train.shared
    }

    /// Returns true if a live screen may show cells that other processes train.
    pub(crate) fn live(&self) -> bool {
        screen::wanted() && !self.train.plain && !self.train.search
    }

    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        match self {
            Arguments { command: Some(Command::Report(report)), .. } => report.run(out),
            Arguments { train: Train { new: Some(folder), .. }, .. } => {
                template::create(&folder)?;
                let shown = folder.display();
                writeln!(
                    out,
                    "{shown}: a copy of the MLP to change, as {shown}/README.md describes; `binade train {shown}` trains it"
                )?;
                Ok(Status::Done)
            }
            Arguments { train: Train { verify: Some(result), .. }, .. } => {
                verify(&Document::read(&result)?, out)
            }
            Arguments { train, .. } => train.run(out),
        }
    }
}

impl Train {
    fn run(mut self, out: &mut Output) -> Result<Status, Error> {
        for arithmetic in &mut self.arithmetics {
            *arithmetic = with_contents(arithmetic)?;
        }
        if self.blame {
            return self.run_blame(out);
        }
        if self.search {
            return self.run_search(out);
        }
        let experiment = self.experiment()?;
        experiment.check_cells(&self.cell)?;
        if self.cells {
            self.list(&experiment, out)?;
            return Ok(Status::Done);
        }
        report_slow_operators(&experiment);
        report_unused_roles(&experiment);
        self.check_swamping(&experiment)?;
        if self.shared.shared.is_some() {
            self.outputs.refuse_existing()?;
            let display = (threads(self.threads), self.plain);
            return shared::work(&self.shared, &experiment, &self.cell, display, &self.outputs, out);
        }
        let numbers: Vec<usize> =
            if self.cell.is_empty() { (0..experiment.cells.len()).collect() } else { self.cell.clone() };
        self.outputs.refuse_existing()?;
        experiment.make_checkpoints()?;
        let run = experiment.facts();
        let log = self
            .log
            .as_ref()
            .map(|path| Log::open(path, &run, self.resume, self.outputs.force))
            .transpose()?;
        progress::listen()?;
        let display = TrainingDisplay::new(&experiment, &numbers, log, self.plain);
        let cells = experiment.run(&numbers, threads(self.threads), &display, &progress::interrupted)?;
        display.end()?;
        let document = Document { run, cells };
        let first_bad = match self.first_bad {
            true => Some(first_bad::find(&experiment, &document, threads(self.threads))?),
            false => None,
        };
        self.outputs.write(&document, first_bad.as_deref(), out)?;
        let diverged = document.cells.iter().filter(|cell| cell.state == State::Diverged).count();
        let running = document.cells.len() < numbers.len()
            || document.cells.iter().any(|cell| cell.state == State::Running)
            || first_bad.is_some_and(|found| found.len() < diverged);
        if !running {
            return Ok(Status::Done);
        }
        Ok(self.interrupted())
    }

    fn run_blame(self, out: &mut Output) -> Result<Status, Error> {
        let [operator] = &self.arithmetics[..] else {
            return Err(TrainError::NotAnOperator(self.arithmetics.join(" ")).into());
        };
        let model = Model::load(&self.model)?;
        let blame = Blame::new(model, self.data.as_deref(), operator, self.seeds, self.settings())?;
        report_slow_operators(&blame.experiment);
        progress::listen()?;
        let all: Vec<usize> = (0..blame.experiment.cells.len()).collect();
        let display = TrainingDisplay::new(&blame.experiment, &all, None, self.plain);
        let cells = blame.experiment.run(&all, threads(self.threads), &display, &progress::interrupted)?;
        display.end()?;
        if cells.len() < all.len() || cells.iter().any(|cell| cell.state == State::Running) {
            report("interrupted", "no results are kept");
            return Ok(Status::Interrupted);
        }
        blame::write(&blame, &cells, self.outputs.json, out)?;
        Ok(Status::Done)
    }

    fn run_search(self, out: &mut Output) -> Result<Status, Error> {
        let model = Model::load(&self.model)?;
        let data = self.data.as_deref();
        let mut search =
            Search::new(model, data, &self.arithmetics, self.seeds, self.settings(), self.budget)?;
        progress::listen()?;
        let mut tell = |trial: &_, steps| search::report_trial(trial, steps, self.budget);
        let threads = threads(self.threads);
        let found = match self.shared.shared.is_some() {
            true => search.run(&mut |all, cells| shared::trial(&self.shared, all, cells, threads), &mut tell),
            false => search.run(
                &mut |all, cells| Ok::<_, Error>(all.run(cells, threads, &(), &progress::interrupted)?),
                &mut tell,
            ),
        };
        match found? {
            Some(found) => {
                search::write(&search, &found, self.outputs.json, out)?;
                Ok(Status::Done)
            }
            None => Ok(self.interrupted()),
        }
    }

    /// Reports which results of an interrupted training are kept.
    fn interrupted(&self) -> Status {
        report(
            "interrupted",
            match self.checkpoint.as_ref().or(self.shared.shared.as_ref()) {
                Some(_) if self.shared.shared.is_some() => "results are kept; the same command continues",
                Some(_) => "results are kept; the same command with --resume continues",
                None => "no results are kept: --checkpoint DIR keeps them",
            },
        );
        Status::Interrupted
    }

    fn settings(&self) -> Settings {
        let length = match (self.epochs, self.steps) {
            (Some(epochs), _) => Length::Epochs(epochs),
            (_, Some(steps)) => Length::Steps(steps),
            _ => Length::Manifest,
        };
        // The page has a section about swamping. In a sweep, all processes must trace the same results.
        let page = self.outputs.report.is_some() && self.shared.shared.is_none();
        let swamping = self.swamping.unwrap_or(if page { 64 } else { 0 });
        // In a sweep, a process continues from the checkpoint of its predecessor.
        let swept = self.shared.shared.as_ref().map(|folder| folder.join("checkpoints"));
        let every = self.checkpoint_every.or(swept.is_some().then_some(60));
        Settings {
            scope: self.scope,
            length,
            resume: self.resume || swept.is_some(),
            checkpoint: swept.or_else(|| self.checkpoint.clone()),
            swamping: (swamping > 0).then_some(swamping as usize),
            checkpoint_every: every.map(|seconds| Duration::from_secs(seconds.into())),
        }
    }

    /// Refuses `--swamping` if there are only recipes, and reports those without a measurement.
    fn check_swamping(&self, experiment: &Experiment) -> Result<(), Error> {
        if self.swamping.unwrap_or(0) == 0 {
            return Ok(());
        }
        let of_seed = experiment.cells.iter().filter(|cell| cell.seed == 0);
        let (recipes, others): (Vec<&Cell>, Vec<&Cell>) =
            of_seed.partition(|cell| cell.arithmetic.is_recipe());
        let names: Vec<String> = recipes.iter().map(|cell| cell.arithmetic.short_name()).collect();
        if names.is_empty() {
            return Ok(());
        }
        if others.is_empty() {
            return Err(TrainError::SwampingOfRecipes(names.join(", ")).into());
        }
        report("unused", &format!("--swamping follows no products of {}", names.join(", ")));
        Ok(())
    }

    fn list(&self, experiment: &Experiment, out: &mut Output) -> Result<(), Error> {
        let of = |cell: &Cell| CellLine {
            cell: cell.number,
            arith: cell.arithmetic.name.clone(),
            seed: cell.seed,
            inputs: shared::inputs(experiment, cell),
        };
        let cells: Vec<CellLine> = experiment.cells.iter().map(of).collect();
        if self.outputs.json {
            crate::json::to_writer_pretty(&mut *out, &cells)?;
            return Ok(writeln!(out)?);
        }
        let head = ["cell", "arithmetic", "seed", "inputs"].map(str::to_owned);
        let lines = cells.into_iter().map(|cell| {
            [
                cell.cell.to_string(),
                short_form(&cell.arith),
                cell.seed.to_string(),
                cell.inputs[..16].to_owned(),
            ]
        });
        Ok(text_table::write(out, &[head].into_iter().chain(lines).collect::<Vec<_>>(), &[0, 2])?)
    }

    fn experiment(&self) -> Result<Experiment, Error> {
        let given = match &self.arithmetics[..] {
            [] => DEFAULT_ARITHMETICS.map(str::to_owned).to_vec(),
            given => given.to_vec(),
        };
        let model = Model::load(&self.model)?;
        Ok(Experiment::new(model, self.data.as_deref(), &given, self.seeds, self.settings())?)
    }
}

impl Report {
    fn run(self, out: &mut Output) -> Result<Status, Error> {
        self.outputs.refuse_existing()?;
        if self.markdown {
            markdown::write(&self.logs, self.plots.as_deref(), out)?;
            return Ok(Status::Done);
        }
        self.outputs.write(&Document::from_logs(&self.logs)?, None, out)?;
        Ok(Status::Done)
    }
}

/// Reports each operator without vector code, once.
fn report_slow_operators(experiment: &Experiment) {
    let mut said = vec![];
    for slow in experiment.cells.iter().flat_map(|cell| cell.arithmetic.slow()) {
        if !said.contains(&slow) {
            report("slow", &slow);
            said.push(slow);
        }
    }
}

/// Reports the roles of recipes' stored tensors that the model does not have, once for each recipe.
fn report_unused_roles(experiment: &Experiment) {
    for cell in experiment.cells.iter().filter(|cell| cell.seed == 0) {
        for role in cell.arithmetic.unused_roles(&experiment.model.manifest) {
            let recipe = cell.arithmetic.short_name();
            let text = format!(
                "{recipe} has stored.{role}: the model's optimizer has no such tensors, so the key has no effect"
            );
            report("unused", &text);
        }
    }
}

fn threads(given: Option<u16>) -> usize {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    given.map_or_else(all, usize::from)
}

/// Trains the cells of a result again, and prints a line for each.
fn verify(document: &Document, out: &mut Output) -> Result<Status, Error> {
    let run = &document.run;
    let length = run.steps.map_or(Length::Epochs(run.epochs), Length::Steps);
    let scope = run.scope.parse().map_err(TrainingError::from)?;
    let settings = Settings { scope, length, ..Settings::default() };
    let model = Model::load(&run.model)?;
    let experiment = Experiment::new(model, Some(&run.data), &run.arithmetics, run.seeds, settings)?;
    let now = experiment.facts();
    if let Some(what) = run.differs(&now) {
        writeln!(out, "DIFFERS: the {what} is not that of the result")?;
        return Ok(Status::CheckFailed);
    }
    progress::listen()?;
    let finished: Vec<_> = document.cells.iter().filter(|cell| cell.state != State::Running).collect();
    let numbers: Vec<usize> = finished.iter().map(|cell| cell.cell).collect();
    let display = TrainingDisplay::new(&experiment, &numbers, None, false);
    let cells = experiment.run(&numbers, threads(None), &display, &progress::interrupted)?;
    display.end()?;
    let mut status = Status::Done;
    for (known, found) in finished.iter().zip(&cells) {
        if found.state == State::Running {
            return Ok(Status::Interrupted);
        }
        // Times are not compared.
        let same = known.weights_sha256 == found.weights_sha256
            && (known.loss, known.accuracy, &known.epochs) == (found.loss, found.accuracy, &found.epochs);
        if same {
            writeln!(out, "ok {} seed {}", short_form(&known.arith), known.seed)?;
        } else {
            status = Status::CheckFailed;
            writeln!(
                out,
                "DIFFERS {} seed {}: weights {} then, {} now",
                short_form(&known.arith),
                known.seed,
                known.weights_sha256,
                found.weights_sha256
            )?;
        }
    }
    if cells.len() < finished.len() {
        return Ok(Status::Interrupted);
    }
    for cell in document.cells.iter().filter(|cell| cell.state == State::Running) {
        let name = short_form(&cell.arith);
        writeln!(out, "left out {name} seed {}: stopped after {} steps", cell.seed, cell.steps)?;
    }
    Ok(status)
}
