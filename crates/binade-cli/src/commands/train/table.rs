//! Prints the table of results of a training.

use std::io::Write;

use binade::Operator;
use binade_lab::study::cost;
use binade_train::page::Cost;
use binade_train::record::{Document, Run};
use binade_train::{
    Arithmetic, LIST, Measure, Spread, Summary, findings, number_text, percent_text, rate_text,
};

use crate::error::printable;
use crate::{Error, Output, text_table};

/// A measure of an arithmetic.
type Of = fn(&Summary) -> Option<Spread>;

fn spread(spread: Option<Spread>, cells: usize, number: fn(f64) -> String) -> String {
    spread.map_or_else(|| "-".to_owned(), |spread| spread.text(cells, number))
}

/// The costs of the arithmetics in hardware.
pub(crate) fn costs(document: &Document) -> Vec<Cost> {
    let names = Summary::of(&document.cells).into_iter().map(|summary| summary.arith);
    names.filter_map(|name| cost_of(&name, document)).collect()
}

fn cost_of(name: &str, document: &Document) -> Option<Cost> {
    let scope = document.run.scope.parse().ok()?;
    let operator: Operator = Arithmetic::parse(name, scope).ok()?.operator()?.clone();
    // The paper's areas are those of multiply-adds, not of matrix units.
    if operator.as_unit().is_some() {
        return None;
    }
    let row = cost::run(&[operator], None).operators.pop()?;
    Some(Cost { arith: name.to_owned(), area: row.area, speed_up: cost::speed_up_text(row.speed_up) })
}

/// The phases of the rate with columns: all if there are at most four, otherwise four of them.
fn shown_phases(count: usize) -> Vec<usize> {
    match count {
        0..=4 => (0..count).collect(),
        _ => vec![0, count / 3, 2 * count / 3, count - 1],
    }
}

pub(crate) fn write(document: &Document, out: &mut Output) -> Result<(), Error> {
    let run = &document.run;
    let summaries = Summary::of(&document.cells);
    let made_up = if run.synthetic { "SYNTHETIC data: " } else { "" };
    writeln!(out, "{}, {}", printable(&run.model), printable(&run.about))?;
    writeln!(out, "{made_up}{}: {}", printable(&run.data), printable(&run.data_about))?;
    writeln!(out, "{}", length(run, &summaries))?;
    writeln!(out)?;
    let (lines, numbers) = rows(document, &summaries);
    text_table::write(out, &lines, &numbers)?;
    let findings = findings(document);
    if !findings.is_empty() {
        writeln!(out)?;
    }
    findings.iter().try_for_each(|sentence| writeln!(out, "{sentence}"))?;
    Ok(())
}

/// The length of a cell, the number of seeds, and the scope of operators, as text.
pub(crate) fn length(run: &Run, summaries: &[Summary]) -> String {
    let length = run.steps.map_or_else(
        || format!("{} epoch{} of {} steps", run.epochs, plural(run.epochs), run.steps_per_epoch),
        |steps| format!("{steps} steps"),
    );
    let seeds = summaries.iter().map(|summary| summary.cells).max().unwrap_or(0) as u64;
    format!("{length} of {} examples, {seeds} seed{}, scope {}", run.batch, plural(seeds), run.scope)
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// The head and a line for each arithmetic, and the columns that are numbers.
pub(crate) fn rows(document: &Document, summaries: &[Summary]) -> (Vec<Vec<String>>, Vec<usize>) {
    let widest = summaries.iter().max_by_key(|summary| summary.phases.len());
    let rates: Vec<f64> =
        widest.map_or(vec![], |widest| widest.phases.iter().map(|phase| phase.rate).collect());
    let phases = shown_phases(rates.len());
    let unusual = summaries.iter().any(|summary| summary.diverged + summary.unfinished > 0);
    let mut head = vec!["arithmetic".to_owned(), "training loss".to_owned()];
    let measure = Measure::of_summaries(summaries);
    let mut tests: Vec<(String, Of)> = match measure.name {
        "NDCG" => {
            vec![(format!("recall@{LIST}"), |summary| summary.recall), (format!("NDCG@{LIST}"), measure.of)]
        }
        name => vec![(name.to_owned(), measure.of)],
    };
    if summaries.iter().any(|summary| summary.in_f32.is_some()) {
        tests.push(("in f32".to_owned(), |summary| summary.in_f32));
    }
    head.extend(tests.iter().map(|(name, _)| name.clone()));
    head.extend(phases.iter().map(|at| format!("lost at {}", rate_text(rates[*at]))));
    head.extend(["seconds", "slowdown", "area", "speed-up"].map(str::to_owned));
    head.extend(unusual.then(|| "state".to_owned()));
    let columns: Vec<usize> = (1..head.len() - usize::from(unusual)).collect();
    let mut lines = vec![head];
    for summary in summaries {
        let mut line = vec![printable(&summary.arith), spread(summary.loss, summary.cells, number_text)];
        line.extend(tests.iter().map(|(_, of)| spread(of(summary), summary.cells, measure.text)));
        line.extend(phases.iter().map(|at| {
            let lost = summary.phases.get(*at).and_then(|phase| phase.lost);
            lost.map_or("-".to_owned(), |lost| percent_text(lost.mean))
        }));
        line.push(format!("{:.1}", summary.seconds));
        line.push(summary.slowdown.map_or("-".to_owned(), |slowdown| format!("{slowdown:.2}")));
        let cost = cost_of(&summary.arith, document);
        line.push(cost.as_ref().map_or("-".to_owned(), |cost| cost.area.to_string()));
        line.push(cost.map_or("-".to_owned(), |cost| cost.speed_up));
        line.extend(unusual.then(|| state(summary)));
        lines.push(line);
    }
    (lines, columns)
}

fn state(summary: &Summary) -> String {
    let Summary { cells, diverged, unfinished, .. } = summary;
    let parts =
        [(*diverged, "diverged"), (*unfinished, "interrupted"), (cells - diverged - unfinished, "done")];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    parts.join(", ")
}
