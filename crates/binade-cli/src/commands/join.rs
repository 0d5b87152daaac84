//! `binade join`: collects the results of a sweep over a shared folder, or shows its state.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;

use binade_sweep::{Conflict, PieceState, Progress, StoredResult, Sweep};
use clap::Args;
use serde::Serialize;
use thiserror::Error;

use super::follow::{POLL_INTERVAL, PiecesFollower};
use super::shared::report_conflicts;
use crate::error::{CommandError, printable};
use crate::terminal::report;
use crate::{Error, Output, Status, progress, text_table};

/// A page or a plot of a sweep that is not a training.
#[derive(Debug, Error)]
#[error("--report or --plot of a sweep of `binade {kind}`: they need a training{}", remedy(.kind))]
pub(crate) struct JoinError {
    kind: String,
}

impl CommandError for JoinError {}

/// The way to a report of a sweep that is not a training.
fn remedy(kind: &str) -> String {
    match kind {
        super::vectors::KIND => String::new(),
        _ => format!("; `binade {kind}` writes a report, with the same --shared and --report FILE"),
    }
}

/// Arguments of `binade join`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The folder of the sweep
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Show the state of each piece, instead of the results
    #[arg(long, conflicts_with_all = ["report", "plot"])]
    status: bool,
    /// First follow the sweep until no process works on it. On a terminal, a training has a live screen of all cells; otherwise
    /// each piece that ends has a line
    #[arg(long)]
    watch: bool,
    /// For trainings: write a page with the curves
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// For trainings: plot loss, accuracy and lost updates by epoch as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

/// A piece as --status shows it.
#[derive(Serialize)]
struct Row {
    piece: usize,
    title: String,
    inputs: String,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    /// The number of processes that have claimed it.
    holders: u64,
    /// The last progress that its process reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<Progress>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
}

#[derive(Serialize)]
struct SweepStatus {
    kind: String,
    complete: bool,
    pieces: Vec<Row>,
    conflicts: Vec<PathBuf>,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let sweep = Sweep::open(&self.folder)?;
        let kind = &*sweep.plan().kind;
        if (self.report.is_some() || self.plot.is_some()) && kind != "train" {
            return Err(JoinError { kind: kind.to_owned() }.into());
        }
        if self.watch {
            progress::listen()?;
            self.watch(&sweep)?;
            if progress::interrupted() {
                return Ok(Status::Interrupted);
            }
        }
        let conflicts = sweep.conflicts()?;
        report_conflicts(&conflicts);
        let missing = sweep.finished_pieces()?.iter().filter(|finished| !**finished).count();
        let all = sweep.plan().all().count();
        if missing > 0 && !self.status {
            let shown = self.folder.display();
            report(
                "missing",
                &format!("{missing} of {all} results; `binade join {shown} --status` lists them"),
            );
        }
        match kind {
            _ if self.status => self.status(&sweep, &conflicts, out)?,
            #[cfg(feature = "train")]
            "train" => {
                let files = (self.report.clone(), self.plot.clone());
                let answer = super::train::OutputArgs::new(files.0, files.1, self.json, self.force);
                super::train::join(&sweep, &answer, out)?;
            }
            super::vectors::KIND if !self.json => {
                if missing == 0 {
                    self.vectors(out)?;
                }
            }
            _ => self.status(&sweep, &conflicts, out)?,
        }
        Ok(if missing == 0 && conflicts.is_empty() { Status::Done } else { Status::CheckFailed })
    }

    /// Follows the sweep until no process works on it, or until Ctrl-C.
    fn watch(&self, sweep: &Sweep) -> Result<(), Error> {
        #[cfg(feature = "train")]
        if super::train::watch(&self.folder, &mut || false)? {
            return Ok(());
        }
        let all = sweep.plan().all().count();
        let mut follower = PiecesFollower::new(sweep);
        let mut tell = |piece: usize, count: usize| {
            let title = printable(sweep.piece(piece).map_or("", |piece| &piece.title));
            let by = sweep.finished(piece)?.map_or_else(String::new, |finished| printable(&finished.by));
            report("done", &format!("{title} ({count} of {all}), by {by}"));
            Ok(())
        };
        while follower.update(&mut tell)? && !progress::interrupted() {
            std::thread::sleep(POLL_INTERVAL / 2);
        }
        Ok(())
    }

    fn vectors(&self, out: &mut Output) -> Result<(), Error> {
        let path = self.folder.join(super::vectors::JOINED);
        let failed = |source| binade_sweep::SweepError::Io { path: path.clone(), action: "read", source };
        let mut file = File::open(&path).map_err(failed)?;
        io::copy(&mut file, out)?;
        Ok(())
    }

    fn status(&self, sweep: &Sweep, conflicts: &[Conflict], out: &mut Output) -> Result<(), Error> {
        let (standing, holders) = (sweep.piece_states()?, sweep.generations()?);
        let mut rows = vec![];
        for (piece, (standing, holders)) in standing.into_iter().zip(holders).enumerate() {
            let known = sweep.piece(piece);
            let (mut why, mut by, mut progress) = (None, None, None);
            let state = match standing {
                PieceState::Free => "free",
                PieceState::Released => "released",
                PieceState::Taken { by: who, progress: told, .. } => {
                    (by, progress) = (Some(who), told);
                    "taken"
                }
                PieceState::Failed(reason) => {
                    why = Some(reason);
                    "failed"
                }
                PieceState::GivenUp(reason) => {
                    why = Some(reason);
                    "given up"
                }
                PieceState::Done => "done",
            };
            let finished: Option<StoredResult> = if state == "done" { sweep.finished(piece)? } else { None };
            rows.push(Row {
                piece,
                title: known.map_or(String::new(), |known| known.title.clone()),
                inputs: known.map_or(String::new(), |known| known.inputs.clone()),
                state,
                why,
                by: finished.as_ref().map(|finished| finished.by.clone()).or(by),
                holders,
                progress,
                seconds: finished.as_ref().map(|finished| finished.seconds),
                sha256: finished.map(|finished| finished.sha256),
            });
        }
        if self.json {
            let answer = SweepStatus {
                kind: sweep.plan().kind.clone(),
                complete: rows.iter().all(|row| row.state == "done"),
                pieces: rows,
                conflicts: conflicts.iter().map(|conflict| conflict.path.clone()).collect(),
            };
            crate::json::to_writer_pretty(&mut *out, &answer)?;
            return Ok(writeln!(out)?);
        }
        let head = ["piece", "what", "state", "by", "holders", "seconds", "result"].map(str::to_owned);
        let lines = rows.into_iter().map(|row| {
            let state = match (&row.why, &row.progress) {
                (Some(why), _) if row.state == "failed" => format!("failed: {}", printable(why)),
                (Some(why), _) => printable(why),
                (None, Some(at)) => format!("{}, at {} of {}", row.state, at.done, at.of),
                (None, None) => row.state.to_owned(),
            };
            [
                row.piece.to_string(),
                printable(&row.title),
                state,
                printable(row.by.as_deref().unwrap_or("-")),
                row.holders.to_string(),
                row.seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.2}")),
                row.sha256.map_or("-".to_owned(), |sha256| sha256.chars().take(16).collect()),
            ]
        });
        Ok(text_table::write(out, &[head].into_iter().chain(lines).collect::<Vec<_>>(), &[0, 4, 5])?)
    }
}
