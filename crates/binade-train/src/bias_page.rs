//! Sections of a training's page about stored tensors with learnt biases, and about NaNs and infinities in quantised operands.

use std::cmp::Reverse;

use binade::recipe::MOST_CHANGES;
use binade_page::{Axis, Column, Drawing, Markup, Page, Table, colour};

use crate::record::{CellResult, Document};
use crate::stored::StoredBias;

/// Tensors that a chart shows at most; each has a colour.
const DRAWN: usize = 8;
/// Sizes of a chart, in pixels.
const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;

/// Appends the biases of each arithmetic that learns some: a chart by step, and a table.
pub(crate) fn biases(page: &mut Page, document: &Document) {
    let mut shown: Vec<&str> = vec![];
    for cell in document.cells.iter().filter(|cell| !cell.biases.is_empty()) {
        if shown.contains(&&*cell.arith) {
            continue;
        }
        shown.push(&cell.arith);
        page.section(&format!("Learnt biases of {}", cell.arith));
        page.note(format!(
            "Exponent biases of the tensors that are stored between steps, and of operands with a history, of seed {}. A larger bias moves \
             the format's range to smaller numbers.",
            cell.seed
        ));
        let drawn = chart(page, cell);
        table(page, &cell.biases, &drawn);
    }
}

/// Draws the biases of the tensors that moved most. Returns their numbers.
fn chart(page: &mut Page, cell: &CellResult) -> Vec<usize> {
    let mut drawn: Vec<usize> =
        (0..cell.biases.len()).filter(|&at| !cell.biases[at].by_step.is_empty()).collect();
    drawn.sort_by_key(|&at| Reverse(cell.biases[at].moves));
    drawn.truncate(DRAWN);
    drawn.sort_unstable();
    let all = || drawn.iter().flat_map(|&at| &cell.biases[at].by_step).map(|span| f64::from(span.bias));
    if drawn.is_empty() {
        return drawn;
    }
    let (least, greatest) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), bias| {
        (least.min(bias), greatest.max(bias))
    });
    let axis = Axis::around([least - 1.0, greatest + 1.0].into_iter(), false);
    let steps = cell.steps.max(1) as f64;
    let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
    let x = |step: f64| LEFT + step / steps * (right - LEFT);
    let y = |bias: f64| bottom - axis.place(bias) * (bottom - TOP);
    let mut drawing = Drawing::picture(WIDTH, HEIGHT, "biases by step");
    let theme = drawing.theme();
    for (place, label) in axis.ticks(false) {
        let height = bottom - place * (bottom - TOP);
        drawing.line((LEFT, height), (right, height), theme.grid());
        drawing.text((LEFT - 8.0, height + 4.0), "end", theme.quiet(), &label);
    }
    for tick in 0..=4 {
        let step = (steps * f64::from(tick) / 4.0).round();
        let anchor = if tick == 4 { "end" } else { "middle" };
        drawing.text((x(step), bottom + 18.0), anchor, theme.quiet(), &format!("{step}"));
    }
    drawing.text(((LEFT + right) / 2.0, bottom + 38.0), "middle", theme.ink(), "step");
    for (number, &at) in drawn.iter().enumerate() {
        let StoredBias { tensor, by_step, .. } = &cell.biases[at];
        // Equal biases of several tensors stay visible side by side.
        let shift = (number as f64 - (drawn.len() - 1) as f64 / 2.0) * 1.5;
        let ends = by_step.iter().skip(1).map(|span| span.from as f64).chain([steps]);
        let points = by_step.iter().zip(ends).flat_map(|(span, end)| {
            let height = y(f64::from(span.bias)) + shift;
            [(x(span.from as f64), height), (x(end), height)]
        });
        drawing.curve(points, colour(number), tensor);
    }
    page.figure(drawing);
    let swatches = drawn.iter().enumerate();
    page.note(
        swatches
            .map(|(number, &at)| Markup::swatch(colour(number), &cell.biases[at].tensor))
            .collect::<Markup>(),
    );
    let hidden = cell.biases.len() - drawn.len();
    if hidden > 0 {
        page.note(format!(
            "Drawn are the {} tensors whose biases moved most; the table has {hidden} more.",
            drawn.len()
        ));
    }
    drawn
}

fn table(page: &mut Page, biases: &[StoredBias], drawn: &[usize]) {
    let mut table = Table::new(
        [Column::name("tensor"), Column::text("format")]
            .into_iter()
            .chain(["first bias", "last bias", "moved", "overflowed", "underflowed"].map(Column::number)),
    );
    let number = |bias: Option<i32>| bias.map_or("–".to_owned(), |bias| bias.to_string());
    for (at, bias) in biases.iter().enumerate() {
        let name = match drawn.iter().position(|&drawn| drawn == at) {
            Some(number) => Markup::swatch(colour(number), &bias.tensor),
            None => Markup::from(&*bias.tensor),
        };
        let numbers = [
            number(bias.by_step.first().map(|span| span.bias)),
            number(bias.bias),
            bias.moves.to_string(),
            bias.overflowed.to_string(),
            bias.underflowed.to_string(),
        ];
        table.row(
            [name, Markup::from(&*bias.format)].into_iter().chain(numbers.into_iter().map(Markup::from)),
        );
    }
    page.table(table);
    page.note(
        "Moved: changes of the bias. Overflowed: numbers beyond the format's largest one, which they became. Underflowed: nonzero numbers \
         that became zero. Both count each element of each step.",
    );
    if biases.iter().any(|bias| bias.moves as usize >= MOST_CHANGES) {
        page.note(format!("Only the first {MOST_CHANGES} changes of a bias have their steps."));
    }
}

/// Appends NaNs and infinities in operands that were quantised, by cell and part.
pub(crate) fn not_finite(page: &mut Page, document: &Document) {
    let found =
        || document.cells.iter().flat_map(|cell| cell.not_finite.iter().map(move |found| (cell, found)));
    if found().next().is_none() {
        return;
    }
    page.section("NaN and infinity in quantised operands");
    page.note("Such elements, and the blocks that share a scale with them, are NaN in products. They are never numbers.");
    let mut table = Table::new(
        [Column::text("arithmetic"), Column::number("seed"), Column::name("part"), Column::text("operand")]
            .into_iter()
            .chain(["first step", "NaN", "infinite"].map(Column::number)),
    );
    for (cell, found) in found() {
        table.row(
            [
                cell.arith.clone(),
                cell.seed.to_string(),
                found.part.clone(),
                found.operand.clone(),
                found.step.to_string(),
                found.nans.to_string(),
                found.infinities.to_string(),
            ]
            .map(Markup::from),
        );
    }
    page.table(table);
}
