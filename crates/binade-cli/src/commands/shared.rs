//! `--shared`: divides the work of `train`, `vectors` and `quantize` into pieces that processes claim in a shared folder.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use binade_sweep::{Conflict, Event, Lease, Options, PieceResult, Sweep, SweepError, SweepPlan};
use clap::Args;
use serde::Serialize;

use super::follow::with_pieces_bar;
use crate::error::printable;
use crate::progress::{interrupted, listen};
use crate::terminal::{has_screen, report};
use crate::text_table::{self, counted};
use crate::{Error, Output, Status};

/// Arguments of work over a shared folder.
#[derive(Args, Debug)]
pub(crate) struct SharedArgs {
    /// Divide the work into pieces among all processes that run with this folder and the same arguments, on any machine that
    /// sees the folder. If a process dies, another takes over its piece. `binade join DIR` collects the results
    #[arg(long, value_name = "DIR", help_heading = "Beyond one machine")]
    pub(crate) shared: Option<PathBuf>,
    /// Seconds between the heartbeats of a process. Without a heartbeat for six times as long, a process loses its piece
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds, help_heading = "Beyond one machine")]
    heartbeat: f64,
    /// Exit when no piece is free, instead of waiting for the pieces of other processes
    #[arg(long, requires = "shared", help_heading = "Beyond one machine")]
    leave: bool,
    /// Give up a piece after N processes in a row died on it without progress, so that it cannot crash all others; 0: never
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Beyond one machine")]
    deaths: u64,
    /// Retry pieces that were given up
    #[arg(long, requires = "shared", help_heading = "Beyond one machine")]
    retry: bool,
    /// Create the sweep and list its pieces, without working on any
    #[arg(long, requires = "shared", help_heading = "Beyond one machine")]
    plan: bool,
    /// Run the pieces on a Ray cluster: auto, HOST:6379, ray://HOST:10001, local (started here), or here (processes on this
    /// machine, without Ray). Python (BINADE_PYTHON, or python3) needs ./python[ray]
    #[arg(long, value_name = "ADDRESS", requires = "shared", conflicts_with_all = ["leave", "plan"], help_heading = "Beyond one machine")]
    pub(crate) cluster: Option<String>,
}

/// Options that choose pieces, for commands without cells.
#[derive(Args, Debug)]
pub(crate) struct PieceArgs {
    /// Work only on this piece, by its number in --plan; may be repeated
    #[arg(
        long,
        value_name = "K",
        value_delimiter = ',',
        requires = "shared",
        conflicts_with = "cluster",
        help_heading = "Beyond one machine"
    )]
    pub(crate) piece: Vec<usize>,
}

/// Parses a number of seconds between heartbeats.
fn seconds(text: &str) -> Result<f64, String> {
    let parsed = text.parse::<f64>().ok().filter(|seconds| (0.05..=3600.0).contains(seconds));
    parsed.ok_or_else(|| "expected a number of seconds from 0.05 to 3600".to_owned())
}

/// A piece of a plan.
#[derive(Serialize)]
struct Row<'a> {
    piece: usize,
    title: &'a str,
    inputs: &'a str,
    /// The memory limit, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
}

/// The state of a sweep when this process leaves it.
pub(crate) enum SweepOutcome {
    /// All pieces have results, which agree.
    Complete(#[cfg_attr(not(feature = "train"), expect(dead_code, reason = "training reads it"))] Box<Sweep>),
    /// Pieces are left, or this process only listed them.
    Early(Status),
}

impl SharedArgs {
    /// Does work under a bar of the pieces, unless they are only listed.
    pub(crate) fn with_pieces_bar<T>(&self, work: impl FnOnce() -> T) -> T {
        if self.plan { work() } else { with_pieces_bar(self.folder(), work) }
    }

    /// Begins or joins a sweep, and works on its pieces: all, or only those in `only`.
    pub(crate) fn work(
        &self,
        plan: SweepPlan,
        only: &[usize],
        json: bool,
        piece: impl FnMut(usize, &Lease<'_>) -> Result<Option<PieceResult>, Error>,
        out: &mut Output,
    ) -> Result<SweepOutcome, Error> {
        if self.plan {
            list(&Sweep::begin(self.folder(), plan)?, json, out)?;
            return Ok(SweepOutcome::Early(Status::Done));
        }
        listen()?;
        self.work_in(self.folder(), plan, only, piece)
    }

    /// Returns true if the sweep is only created and listed.
    #[cfg(feature = "train")]
    pub(crate) fn only_plans(&self) -> bool {
        self.plan
    }

    /// The folder of the sweep.
    pub(crate) fn folder(&self) -> &Path {
        self.shared.as_deref().unwrap_or(Path::new(""))
    }

    /// Works on a sweep in another folder. The caller has installed the handler of Ctrl-C.
    pub(crate) fn work_in(
        &self,
        folder: &Path,
        plan: SweepPlan,
        only: &[usize],
        mut piece: impl FnMut(usize, &Lease<'_>) -> Result<Option<PieceResult>, Error>,
    ) -> Result<SweepOutcome, Error> {
        // A wrong number of a piece begins no sweep.
        let count = plan.all().count();
        if let Some(&piece) = only.iter().find(|piece| **piece >= count) {
            return Err(SweepError::NoPiece { piece, count }.into());
        }
        let sweep = Sweep::begin(folder, plan)?;
        let options = Options {
            heartbeat: Duration::from_secs_f64(self.heartbeat),
            only: (!only.is_empty()).then(|| only.to_vec()),
            wait: !self.leave,
            deaths: self.deaths,
            retry: self.retry,
            stop: &interrupted,
        };
        let mut waiting = 0;
        let mut tell = |event: Event<'_>| {
            if let Event::Waiting(held) = event {
                if std::mem::replace(&mut waiting, held) != held && !has_screen() {
                    report("waiting", &format!("other processes work on {}", counted(held, "piece")));
                }
                return;
            }
            report_event(&sweep, &event);
        };
        let mut work = |number: usize, lease: &Lease<'_>| {
            piece(number, lease).map_err(|error| printable(&error.to_string()))
        };
        let outcome = sweep.work(&options, &mut work, &mut tell)?;
        let conflicts = sweep.conflicts()?;
        report_conflicts(&conflicts);
        let finished = sweep.finished_pieces()?.into_iter().filter(|finished| *finished).count();
        let all = sweep.plan().all().count();
        let shown = folder.display();
        match () {
            () if outcome.stopped => {
                let kept = format!(
                    "{finished} of {} have results; the same command continues",
                    counted(all, "piece")
                );
                report("interrupted", &kept);
                Ok(SweepOutcome::Early(Status::Interrupted))
            }
            () if !outcome.failed.is_empty() || !conflicts.is_empty() => {
                let what = format!(
                    "{finished} of {} have results, {} failed",
                    counted(all, "piece"),
                    outcome.failed.len()
                );
                report("left", &format!("{what}; `binade join {shown} --status` lists them"));
                Ok(SweepOutcome::Early(Status::CheckFailed))
            }
            () if finished < all => {
                report("left", &format!("{finished} of {} have results", counted(all, "piece")));
                Ok(SweepOutcome::Early(Status::Done))
            }
            () => Ok(SweepOutcome::Complete(Box::new(sweep))),
        }
    }
}

/// Reports an event of a piece.
fn report_event(sweep: &Sweep, event: &Event<'_>) {
    let title = |piece: usize| printable(sweep.piece(piece).map_or("", |piece| &piece.title));
    match event {
        // The live screen shows these events.
        Event::Taken { .. } | Event::Finished { .. } if has_screen() => {}
        Event::Taken { piece, from: None } => report("taken", &title(*piece)),
        Event::Taken { piece, from: Some((by, why)) } => {
            report("taken over", &format!("{}, from {}, {why}", title(*piece), printable(by)));
        }
        Event::Finished { piece, finished } => {
            report("done", &format!("{} ({finished} of {})", title(*piece), sweep.plan().all().count()));
        }
        Event::Failed { piece, why } => report("failed", &format!("{}: {why}", title(*piece))),
        Event::Lost { piece } => report("lost", &format!("{}: another took it over", title(*piece))),
        // The caller reports these.
        Event::Conflict(_) | Event::Waiting(_) => {}
    }
}

/// Reports the pieces with two results that differ.
pub(crate) fn report_conflicts(conflicts: &[Conflict]) {
    for Conflict { first, second, path } in conflicts {
        let side = |side: &binade_sweep::StoredResult| format!("{} by {}", side.sha256, printable(&side.by));
        report(
            "differs",
            &format!(
                "{}: {}, and {} in {}",
                printable(&first.title),
                side(first),
                side(second),
                path.display()
            ),
        );
    }
}

fn list(sweep: &Sweep, json: bool, out: &mut Output) -> Result<(), Error> {
    let rows: Vec<Row<'_>> = sweep
        .plan()
        .all()
        .enumerate()
        .map(|(number, piece)| Row {
            piece: number,
            title: &piece.title,
            inputs: &piece.inputs,
            memory: piece.memory,
        })
        .collect();
    if json {
        crate::json::to_writer_pretty(&mut *out, &rows)?;
        return Ok(writeln!(out)?);
    }
    let head = ["piece", "what", "inputs", "memory"].map(str::to_owned);
    let lines = rows.iter().map(|row| {
        let inputs = row.inputs.chars().take(16).collect::<String>();
        let memory = row.memory.map_or("-".to_owned(), |bytes| format!("{} MiB", bytes.div_ceil(1 << 20)));
        [row.piece.to_string(), printable(row.title), inputs, memory]
    });
    Ok(text_table::write(out, &[head].into_iter().chain(lines).collect::<Vec<_>>(), &[0, 3])?)
}
