//! Prints the results of `binade train --blame`.

use std::io::Write;

use binade::recipe::short_form;
use binade_train::record::{CellResult, Run};
use binade_train::{Blame, Gap, Gaps, Pass};
use serde::Serialize;

use crate::error::printable;
use crate::{Error, Output, text_table};

#[derive(Serialize)]
struct BlameDocument<'a> {
    run: &'a Run,
    blame: &'a Gaps,
    cells: &'a [CellResult],
}

/// Writes the gaps of parts, with a row for each pass and a column for each layer, or JSON.
pub(crate) fn write(blame: &Blame, cells: &[CellResult], json: bool, out: &mut Output) -> Result<(), Error> {
    let (run, gaps) = (blame.experiment.facts(), blame.gaps(cells));
    if json {
        crate::json::to_writer_pretty(&mut *out, &BlameDocument { run: &run, blame: &gaps, cells })?;
        return Ok(writeln!(out)?);
    }
    writeln!(out, "{}, {}", printable(&run.model), printable(&run.about))?;
    let made_up = if run.synthetic { "SYNTHETIC data: " } else { "" };
    writeln!(out, "{made_up}{}: {}", printable(&run.data), printable(&run.data_about))?;
    writeln!(
        out,
        "training loss under f32: {}; gaps to it, mean of {} seeds:",
        loss(gaps.f32_loss),
        run.seeds
    )?;
    writeln!(out)?;
    let mut layers: Vec<Option<&str>> = vec![];
    for gap in &gaps.parts {
        let layer = gap.part.layer.as_deref();
        if !layers.contains(&layer) {
            layers.push(layer);
        }
    }
    // The column of parts outside layers is last.
    layers.sort_by_key(Option::is_none);
    let mut head = vec![printable(&short_form(&gaps.operator))];
    head.extend(layers.iter().map(|layer| printable(layer.unwrap_or("(no layer)"))));
    let mut lines = vec![head];
    let row = |gap: &Gap| gap.role.clone().unwrap_or_else(|| gap.part.pass.to_string());
    let mut rows: Vec<String> = match gaps.parts.iter().any(|gap| gap.role.is_some()) {
        true => gaps.parts.iter().map(row).collect(),
        false => [Pass::Forward, Pass::Backward, Pass::Optimizer].map(|pass| pass.to_string()).to_vec(),
    };
    rows.dedup();
    for name in rows {
        let cell = |layer: &Option<&str>| {
            let of = |gap: &&Gap| row(gap) == name && gap.part.layer.as_deref() == *layer;
            gaps.parts.iter().find(of).map_or_else(String::new, |found| signed(found.gap))
        };
        let mut line = vec![name.clone()];
        line.extend(layers.iter().map(cell));
        lines.push(line);
    }
    text_table::write(out, &lines, &(1..=layers.len()).collect::<Vec<_>>())?;
    writeln!(out)?;
    writeln!(out, "everything: {}", signed(gaps.everything))?;
    if let Some(most) = gaps.most() {
        writeln!(out, "most of one part alone: {}, {}", printable(&most.title()), signed(most.gap))?;
    }
    Ok(())
}

fn loss(loss: Option<f64>) -> String {
    loss.map_or_else(|| "diverged".to_owned(), binade_train::number_text)
}

fn signed(gap: Option<f64>) -> String {
    gap.map_or_else(|| "diverged".to_owned(), |gap| format!("{gap:+.4}"))
}
