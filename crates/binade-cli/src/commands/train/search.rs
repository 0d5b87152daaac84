//! Prints the progress and the results of `binade train --search`.

use std::io::{self, Write};

use binade_lab::study::cost::speed_up_text;
use binade_train::record::Run;
use binade_train::{Search, SearchResult, Spread, Trial, number_text, percent_text};
use serde::Serialize;

use crate::error::printable;
use crate::{Error, Output, text_table};

#[derive(Serialize)]
struct SearchDocument<'a> {
    run: &'a Run,
    search: &'a SearchResult,
}

/// Prints a line for a trial during the search.
pub(crate) fn report_trial(trial: &Trial, steps: u64, budget: Option<u64>) {
    let loss = trial.loss.map_or("diverged".to_owned(), |loss| format!("loss {}", number_text(loss.mean)));
    let place = if trial.inside { "inside" } else { "outside" };
    let of = budget.map_or(String::new(), |budget| format!(" of {budget}"));
    // Errors of standard error are ignored.
    let _ = writeln!(io::stderr().lock(), "{steps}{of} steps: {}: {loss}, {place}", printable(&trial.what));
}

fn range(loss: &Spread, seeds: u64) -> String {
    let seeds = if seeds == 1 { "1 seed".to_owned() } else { format!("{seeds} seeds") };
    let [mean, least, greatest] = [loss.mean, loss.least, loss.greatest].map(number_text);
    format!("{mean} ({least} to {greatest}, {seeds})")
}

/// Writes the operators found, with a row for each part, or JSON.
pub(crate) fn write(
    search: &Search,
    found: &SearchResult,
    json: bool,
    out: &mut Output,
) -> Result<(), Error> {
    let run = search.experiment.facts();
    if json {
        crate::json::to_writer_pretty(&mut *out, &SearchDocument { run: &run, search: found })?;
        return Ok(writeln!(out)?);
    }
    writeln!(out, "{}, {}", printable(&run.model), printable(&run.about))?;
    let made_up = if run.synthetic { "SYNTHETIC data: " } else { "" };
    writeln!(out, "{made_up}{}: {}", printable(&run.data), printable(&run.data_about))?;
    writeln!(out, "training loss under f32: {}", range(&found.f32_loss, run.seeds))?;
    if let Some(loss) = found.best.loss {
        writeln!(out, "under these operators:   {}", range(&loss, run.seeds))?;
    }
    if let Some(accuracy) = found.best.accuracy {
        writeln!(out, "test accuracy:           {}", range(&accuracy, run.seeds))?;
    }
    writeln!(out)?;
    let head = ["part", "operator", "gap alone", "work", "area", "speed-up"].map(str::to_owned);
    let mut lines = vec![head];
    for part in &found.parts {
        lines.push([
            printable(&part.part.to_string()),
            part.operator.clone(),
            part.gap.map_or("-".to_owned(), |gap| format!("{gap:+.4}")),
            percent_text(part.work),
            part.area.to_string(),
            speed_up_text(part.speed_up),
        ]);
    }
    if found.other_work > 0.0 {
        let f32 = ["(no part)", "f32", "-", "", "576", "1"].map(str::to_owned);
        let [name, operator, gap, _, area, speed_up] = f32;
        lines.push([name, operator, gap, percent_text(found.other_work), area, speed_up]);
    }
    text_table::write(out, &lines, &[2, 3, 4, 5])?;
    writeln!(out)?;
    writeln!(
        out,
        "all of it: speed-up {:.2} of the arithmetic on equal area; {} trials, {} steps{}",
        found.best.speed_up,
        found.trials.len(),
        found.steps,
        if found.complete {
            ""
        } else {
            "; INCOMPLETE: the budget of --budget was spent before all was tried"
        },
    )?;
    writeln!(out, "to train it: binade train {} --arith f32 --arith '{}'", run.model, found.best.arith)?;
    Ok(())
}
