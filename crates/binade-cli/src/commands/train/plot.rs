//! Plots a training as SVG: loss, accuracy and lost updates by epoch, with the range over seeds.
//!
//! If swamping was traced, a panel has the share of multiply-adds without it.

use binade_page::charts::{Panel, Panels, Point, panels};
use binade_train::record::{CellResult, Document, Epoch, State};
use binade_train::swamping::Swamped;
use binade_train::{Measure, Spread, Summary};

use super::table;
use crate::error::printable;

/// The largest width of an accumulator in a curve of swamping, in bits: above the 24 of binary32.
const BITS: u8 = 28;

/// Draws the cells of a run.
pub(crate) fn draw(document: &Document) -> String {
    let summaries = Summary::of(&document.cells);
    let measure = Measure::of_summaries(&summaries);
    let by_epoch = |title, (share, decades), of: fn(&Epoch) -> Option<f64>| Panel {
        title,
        x_axis: "epoch",
        share,
        decades,
        curves: summaries.iter().map(|summary| over_epochs(&cells(document, &summary.arith), of)).collect(),
    };
    let mut drawn = vec![
        by_epoch("training loss", (false, true), |epoch| epoch.loss),
        by_epoch(measure.name, (false, false), measure.of_epoch),
        by_epoch("share of lost updates", (true, true), |epoch| epoch.lost_updates),
    ];
    let swamping: Vec<Vec<Point>> = summaries
        .iter()
        .map(|summary| {
            let first = cells(document, &summary.arith).into_iter().find(|cell| !cell.swamping.is_empty());
            first.map_or_else(Vec::new, over_bits)
        })
        .collect();
    if swamping.iter().any(|curve| !curve.is_empty()) {
        drawn.push(Panel {
            title: "without swamping",
            x_axis: "bits of the accumulator",
            share: true,
            decades: false,
            curves: swamping,
        });
    }
    let run = &document.run;
    let made_up = if run.synthetic { " (SYNTHETIC data)" } else { "" };
    let range = if run.seeds > 1 { "; shaded: the range over seeds" } else { "" };
    panels(&Panels {
        title: &format!("{} on {}{made_up}", printable(&run.model), printable(&run.data)),
        subtitle: &format!("{}{range}", table::length(run, &summaries)),
        names: summaries.iter().map(|summary| &summary.arith[..]).collect(),
        panels: drawn,
    })
    .finish()
}

fn cells<'a>(document: &'a Document, arith: &str) -> Vec<&'a CellResult> {
    document.cells.iter().filter(|cell| cell.arith == arith).collect()
}

/// A number for each epoch that a cell has reached. A diverged cell makes a gap, because the mean over the other seeds would not be
/// comparable.
fn over_epochs(cells: &[&CellResult], of: fn(&Epoch) -> Option<f64>) -> Vec<Point> {
    let Some(longest) = cells.iter().max_by_key(|cell| cell.epochs.len()) else { return vec![] };
    longest
        .epochs
        .iter()
        .enumerate()
        .map(|(at, epoch)| {
            let there = cells.iter().filter(|cell| at < cell.epochs.len() || cell.state == State::Diverged);
            let numbers: Option<Vec<f64>> = there.map(|cell| of(cell.epochs.get(at)?)).collect();
            let spread = numbers.and_then(|numbers| Spread::of(numbers.into_iter()));
            let gap = Spread { mean: f64::NAN, least: f64::NAN, greatest: f64::NAN };
            let Spread { mean, least, greatest } = spread.unwrap_or(gap);
            Point { x: epoch.epoch as f64, mean, least, greatest }
        })
        .collect()
}

/// The share of multiply-adds without swamping in the last traced epoch, over all parts of the step.
fn over_bits(cell: &CellResult) -> Vec<Point> {
    let last = cell.swamping.iter().map(|seen| seen.epoch).max();
    let seen = cell.swamping.iter().filter(|seen| Some(seen.epoch) == last).map(Swamped::steps);
    let all = seen.reduce(|mut sum, steps| {
        sum.add(&steps);
        sum
    });
    let Some(steps) = all else { return vec![] };
    (0..=BITS)
        .filter_map(|bits| {
            let share = steps.without_swamping(bits.into())?;
            Some(Point { x: bits.into(), mean: share, least: share, greatest: share })
        })
        .collect()
}
