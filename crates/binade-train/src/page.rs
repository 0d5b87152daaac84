//! Page of a training: results by arithmetic, curves by epoch, lost updates, exponents and swamping by parameter.

use std::cmp::Reverse;

use binade_page::{Axis, Column, Drawing, Markup, Page, Table, colour};
use serde::Serialize;

use crate::bias_page;
use crate::exponents::{Exponents, Histogram};
use crate::record::{CellResult, Document, Epoch, State};
use crate::swamping::Swamped;
use crate::{
    LIST, Measure, Spread, Summary, bleu_text, findings, lost_by_parameter, number_text, percent_text,
    rate_text,
};

/// Sizes of a chart, in pixels.
const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;

/// The cost of an arithmetic in hardware.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// The arithmetic.
    pub arith: String,
    /// Area units, binary32 having 576.
    pub area: u32,
    /// Throughput over binary32 at equal area.
    pub speed_up: String,
}

/// A chart of a number by epoch.
struct Chart {
    title: &'static str,
    about: &'static str,
    of: fn(&Epoch) -> Option<f64>,
    text: fn(f64) -> String,
    /// True if the numbers are shares.
    shares: bool,
}

const CHARTS: [Chart; 6] = [
    Chart {
        title: "Training loss",
        about: "mean of the epoch's steps, while training",
        of: |epoch| epoch.loss,
        text: number_text,
        shares: false,
    },
    Chart {
        title: "Lost weight updates",
        about: "share of the epoch's updates that were not zero and changed nothing",
        of: |epoch| epoch.lost_updates,
        text: percent_text,
        shares: true,
    },
    Chart {
        title: "Test accuracy",
        about: "share of right predictions after the epoch",
        of: |epoch| epoch.accuracy,
        text: percent_text,
        shares: true,
    },
    Chart {
        title: "NDCG of the test items",
        about: "normalised discounted cumulative gain of lists of 20, mean over users, after the epoch",
        of: |epoch| Some(epoch.ranking?.ndcg),
        text: number_text,
        shares: false,
    },
    Chart {
        title: "BLEU of the test sentences",
        about: "after the epoch, from 0 to 100",
        of: |epoch| epoch.bleu,
        text: bleu_text,
        shares: false,
    },
    Chart {
        title: "Test loss",
        about: "mean after the epoch",
        of: |epoch| epoch.test_loss,
        text: number_text,
        shares: false,
    },
];

/// The page of a training. `costs` are those of its arithmetics in hardware.
pub fn page(document: &Document, costs: &[Cost]) -> Page {
    let run = &document.run;
    let summaries = Summary::of(&document.cells);
    let mut page = Page::new(&format!("{} under {} arithmetics", run.model, summaries.len()));
    page.paragraph(&*run.about);
    if run.synthetic {
        page.warning("The data are synthetic: a program made them up.");
    }
    page.note(format!("{}: {}", run.data, run.data_about));
    let steps = run.steps.map_or(String::new(), |steps| format!(", ended after {steps} steps"));
    page.note(format!(
        "{} epochs of {} steps of {} examples{steps}; scope {}; binade {}",
        run.epochs, run.steps_per_epoch, run.batch, run.scope, run.binade
    ));
    results(&mut page, &summaries, costs);
    for sentence in findings(document) {
        page.paragraph(sentence);
    }
    for chart in CHARTS {
        draw(&mut page, &chart, document, &summaries);
    }
    parameters(&mut page, document, &summaries);
    swamping(&mut page, document, &summaries);
    exponents(&mut page, document, &summaries);
    bias_page::biases(&mut page, document);
    bias_page::not_finite(&mut page, document);
    cells(&mut page, document);
    page.script(include_str!("page.js"));
    page
}

/// The name of an arithmetic in its colour.
fn swatch(at: usize, name: &str) -> Markup {
    Markup::swatch(colour(at), name)
}

/// The first column and a column for each arithmetic, of numbers or of pictures.
fn by_arithmetic(first: &[Column], summaries: &[Summary], column: fn(Markup) -> Column) -> Table {
    let arithmetics = summaries.iter().enumerate().map(|(at, summary)| column(swatch(at, &summary.arith)));
    Table::new(first.iter().cloned().chain(arithmetics))
}

fn spread(spread: Option<Spread>, cells: usize, text: fn(f64) -> String) -> String {
    spread.map_or_else(|| "–".to_owned(), |spread| spread.text(cells, text))
}

/// Appends the table of results, a row for each arithmetic.
fn results(page: &mut Page, summaries: &[Summary], costs: &[Cost]) {
    let phases = summaries.iter().map(|summary| summary.phases.len()).max().unwrap_or(0);
    let rates = summaries.iter().find(|summary| summary.phases.len() == phases);
    let mut head: Vec<String> =
        ["arithmetic", "training loss", "test accuracy", "test loss"].map(str::to_owned).to_vec();
    let measure = Measure::of_summaries(summaries);
    let ranks = measure.name == "NDCG";
    if ranks {
        head.splice(2.., [format!("recall@{LIST}"), format!("NDCG@{LIST}")]);
    }
    let translates = measure.name == "BLEU";
    if translates {
        head.push(measure.name.to_owned());
    }
    // Of earlier versions' logs there is nothing to show.
    let in_f32 = summaries.iter().any(|summary| summary.in_f32.is_some());
    if in_f32 {
        head.push(format!("{} in f32", measure.name));
    }
    head.extend(
        rates
            .into_iter()
            .flat_map(|summary| &summary.phases)
            .map(|phase| format!("lost at rate {}", rate_text(phase.rate))),
    );
    head.extend(["slowdown", "area", "speed-up", "diverged"].map(str::to_owned));
    let mut columns: Vec<Column> = head.into_iter().map(Column::number).collect();
    columns[0] = Column::text("arithmetic");
    let mut table = Table::new(columns);
    for (at, summary) in summaries.iter().enumerate() {
        let cost = costs.iter().find(|cost| cost.arith == summary.arith);
        let mut cells = vec![spread(summary.loss, summary.cells, number_text)];
        let tests =
            if ranks { [summary.recall, summary.ndcg] } else { [summary.accuracy, summary.test_loss] };
        cells.extend(tests.map(|test| spread(test, summary.cells, number_text)));
        cells.extend(translates.then(|| spread(summary.bleu, summary.cells, measure.text)));
        cells.extend(in_f32.then(|| spread(summary.in_f32, summary.cells, measure.text)));
        cells.extend((0..phases).map(|at| {
            let lost = summary.phases.get(at).and_then(|phase| phase.lost);
            lost.map_or("–".to_owned(), |lost| percent_text(lost.mean))
        }));
        cells.push(summary.slowdown.map_or("–".to_owned(), |slowdown| format!("{slowdown:.2}")));
        cells.push(cost.map_or("–".to_owned(), |cost| cost.area.to_string()));
        cells.push(cost.map_or("–".to_owned(), |cost| cost.speed_up.clone()));
        let interrupted = match summary.unfinished {
            0 => String::new(),
            count => format!(", {count} interrupted"),
        };
        cells.push(format!("{} of {}{interrupted}", summary.diverged, summary.cells));
        table.row([swatch(at, &summary.arith)].into_iter().chain(cells.into_iter().map(Markup::from)));
    }
    page.table(table);
    page.note(
        "± is half the range over seeds. Slowdown is the time of a step, f32's being 1, on this machine. Area (binary32 has 576 units) \
         and speed-up over binary32 at equal area are those of the operator in hardware.",
    );
    if in_f32 {
        page.note(format!("{} in f32: of the same weights, evaluated in binary32.", measure.name));
    }
}

/// Data of a chart for the script, which shows the numbers under the pointer.
#[derive(Serialize)]
struct Facts<'a> {
    width: f64,
    left: f64,
    step: f64,
    x: Vec<u64>,
    longest: usize,
    curves: Vec<Curve<'a>>,
}

#[derive(Serialize)]
struct Curve<'a> {
    name: &'a str,
    points: Vec<Option<String>>,
}

/// The numbers of an arithmetic by epoch, over its cells.
fn series(
    document: &Document,
    name: &str,
    of: fn(&Epoch) -> Option<f64>,
    epochs: usize,
) -> Vec<Option<Spread>> {
    let cells: Vec<&CellResult> = document.cells.iter().filter(|cell| cell.arith == name).collect();
    (0..epochs).map(|at| Spread::of(cells.iter().filter_map(|cell| of(cell.epochs.get(at)?)))).collect()
}

/// Appends a chart: for each arithmetic the mean over seeds as a curve, over the range as an area.
fn draw(page: &mut Page, chart: &Chart, document: &Document, summaries: &[Summary]) {
    let epochs = document.cells.iter().map(|cell| cell.epochs.len()).max().unwrap_or(0);
    let all: Vec<(&str, Vec<Option<Spread>>)> = summaries
        .iter()
        .map(|summary| (&summary.arith[..], series(document, &summary.arith, chart.of, epochs)))
        .collect();
    let known = || all.iter().flat_map(|(_, points)| points.iter().flatten());
    if known().next().is_none() {
        return;
    }
    let axis = Axis::around(known().flat_map(|spread| [spread.least, spread.greatest]), false);
    let step = if epochs > 1 { (WIDTH - LEFT - RIGHT) / (epochs - 1) as f64 } else { 0.0 };
    let x = |at: usize| LEFT + at as f64 * step;
    let bottom = HEIGHT - BOTTOM;
    let y = |value: f64| bottom - axis.place(value) * (bottom - TOP);
    let mut drawing = Drawing::picture(WIDTH, HEIGHT, chart.title);
    let theme = drawing.theme();
    for (place, label) in axis.ticks(chart.shares) {
        let height = bottom - place * (bottom - TOP);
        drawing.line((LEFT, height), (WIDTH - RIGHT, height), theme.grid());
        drawing.text((LEFT - 8.0, height + 4.0), "end", theme.quiet(), &label);
    }
    for at in (0..epochs).step_by(epochs.div_ceil(20).max(1)) {
        drawing.text((x(at), bottom + 18.0), "middle", theme.quiet(), &(at + 1).to_string());
    }
    drawing.text(((LEFT + WIDTH - RIGHT) / 2.0, bottom + 38.0), "middle", theme.ink(), "epoch");
    for (number, (name, points)) in all.iter().enumerate() {
        let known = || points.iter().enumerate().filter_map(|(at, point)| Some((x(at), point.as_ref()?)));
        let upper = known().map(|(x, spread)| (x, y(spread.greatest)));
        let lower: Vec<(f64, f64)> = known().map(|(x, spread)| (x, y(spread.least))).collect();
        drawing.area(upper.chain(lower.into_iter().rev()), colour(number));
        drawing.curve(known().map(|(x, spread)| (x, y(spread.mean))), colour(number), name);
        // A curve of one point cannot be seen.
        if let (Some((x, spread)), None) = (known().next(), known().nth(1)) {
            drawing.point((x, y(spread.mean)), colour(number));
        }
    }
    drawing.add(format_args!("<line class=\"rule\" y1=\"{TOP}\" y2=\"{bottom}\"/>"));

    let text = |point: &Option<Spread>, cells: usize| point.map(|point| point.text(cells, chart.text));
    let facts = Facts {
        width: WIDTH,
        left: LEFT,
        step: step.max(1.0),
        x: (1..=epochs as u64).collect(),
        longest: all.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0),
        curves: all
            .iter()
            .zip(summaries)
            .map(|((name, points), summary)| Curve {
                name,
                points: points.iter().map(|point| text(point, summary.cells)).collect(),
            })
            .collect(),
    };
    let facts = serde_json::to_string(&facts).expect("numbers and names become JSON");
    page.section(chart.title);
    page.note(chart.about);
    page.figure_with(drawing, Markup::data(&facts));
    page.note(
        summaries.iter().enumerate().map(|(at, summary)| swatch(at, &summary.arith)).collect::<Markup>(),
    );
}

/// Lost updates by parameter and arithmetic.
fn parameters(page: &mut Page, document: &Document, summaries: &[Summary]) {
    let columns: Vec<Vec<Option<f64>>> = summaries
        .iter()
        .map(|summary| {
            let cells: Vec<&CellResult> =
                document.cells.iter().filter(|cell| cell.arith == summary.arith).collect();
            lost_by_parameter(&cells)
        })
        .collect();
    if columns.iter().all(Vec::is_empty) {
        return;
    }
    page.section("Lost updates by parameter");
    page.note("Share of the updates that were not zero and changed nothing, over the whole training.");
    let mut table = by_arithmetic(&[Column::name("parameter")], summaries, Column::number);
    for (at, name) in document.run.parameters.iter().enumerate() {
        let shares = columns
            .iter()
            .map(|column| column.get(at).copied().flatten().map_or("–".to_owned(), percent_text).into());
        table.row([Markup::from(&**name)].into_iter().chain(shares));
    }
    page.table(table);
}

/// Parameters that are drawn: the ones with most elements.
const DRAWN: usize = 16;
/// Height of a picture in a table, in pixels.
const PICTURE: f64 = 64.0;

/// Width of pictures in a table with a column for each arithmetic, so that a page 1,280 pixels wide shows all columns of up to eight.
fn picture_width(arithmetics: usize) -> f64 {
    (900.0 / arithmetics.max(1) as f64 - 18.0).clamp(96.0, 240.0)
}

/// Formats whose ranges are shown above the histograms.
const RANGES: [&str; 4] = ["bf16", "f16", "float8_e5m2", "float8_e4m3fn"];

/// The histograms of seed 0 after the last epoch, of each arithmetic.
fn exponents(page: &mut Page, document: &Document, summaries: &[Summary]) {
    let cells: Vec<Option<&CellResult>> = summaries
        .iter()
        .map(|summary| {
            document.cells.iter().find(|cell| cell.arith == summary.arith && !cell.histograms.is_empty())
        })
        .collect();
    let last = |cell: &'_ CellResult, parameter: usize| {
        let of = cell.histograms.iter().filter(|found| found.parameter == parameter);
        of.max_by_key(|found| found.epoch).cloned()
    };
    let mut parameters: Vec<(usize, u64)> = (0..document.run.parameters.len())
        .filter_map(|at| Some((at, last(cells.iter().flatten().next()?, at)?.weights.total())))
        .collect();
    let count = parameters.len();
    if count == 0 {
        return;
    }
    parameters.sort_by_key(|(_, total)| Reverse(*total));
    parameters.truncate(DRAWN);
    parameters.sort();
    let all = || cells.iter().flatten().flat_map(|cell| &cell.histograms);
    let each = || all().flat_map(|found| found.weights.each().chain(found.updates.each()));
    let (Some(least), Some(greatest)) = (each().map(|(at, _)| at).min(), each().map(|(at, _)| at).max())
    else {
        return;
    };
    // Beyond these, few numbers would make all others small.
    let (least, greatest) = (least.max(-48).min(greatest), greatest.max(4));
    let rest =
        if count > DRAWN { format!(" The {DRAWN} largest of {count} parameters.") } else { String::new() };
    page.section("Exponents of weights and updates");
    page.note(format!(
        "Weights (filled) and updates of the last step (line) in each binade, from 2^{least} to 2^{}, of the first seed after its last \
         epoch; each scaled to its most. Above are the ranges of formats, subnormal numbers in lighter colour. A weight w in a \
         format of precision p keeps an update only if that is at least half an ulp, 2^-p of w's binade.{rest}",
        greatest + 1
    ));
    let mut table = by_arithmetic(&[Column::name("parameter")], summaries, Column::picture);
    let width = picture_width(summaries.len());
    let x = |exponent: i32| f64::from(exponent - least) / f64::from(greatest + 1 - least) * width;
    let names = RANGES.iter().map(|name| Markup::from(*name)).reduce(Markup::then_below);
    table.row(names.into_iter().chain(summaries.iter().map(|_| ranges(least, greatest, &x))));
    for (parameter, _) in parameters {
        let drawn = cells.iter().enumerate().map(|(at, cell)| {
            cell.and_then(|cell| last(cell, parameter))
                .map_or("–".into(), |found| histogram(&found, at, (least, greatest), &x))
        });
        table.row([Markup::from(&*document.run.parameters[parameter])].into_iter().chain(drawn));
    }
    page.table(table);
}

/// The most bits of an accumulator in a curve of swamping.
const BITS: usize = 30;

/// For each part and arithmetic, the share of steps without swamping by bits, in the first and the last epoch.
fn swamping(page: &mut Page, document: &Document, summaries: &[Summary]) {
    let cells: Vec<Option<&CellResult>> = summaries
        .iter()
        .map(|summary| {
            document.cells.iter().find(|cell| cell.arith == summary.arith && !cell.swamping.is_empty())
        })
        .collect();
    let mut parts: Vec<(&str, usize)> = vec![];
    for seen in cells.iter().flatten().flat_map(|cell| &cell.swamping) {
        match parts.iter_mut().find(|(part, _)| *part == seen.part) {
            Some((_, longest)) => *longest = seen.longest.max(*longest),
            None => parts.push((&seen.part, seen.longest)),
        }
    }
    if parts.is_empty() {
        return;
    }
    page.section("Swamping");
    page.note(format!(
        "Each curve is the share of multiply-adds in products and convolutions (0 to 1, upwards) whose product and accumulator are at most \
         that number of binades apart (0 to {BITS}, rightwards; lines at 8, 16 and 24). An accumulator of that many bits keeps \
         something of both numbers. Grey is the last step of the first epoch, coloured that of the last epoch, of the first seed. \
         The dashed line is at the bits that a sum of the longest chain's length is predicted to need (arXiv 1901.06588)."
    ));
    page.note(
        "Below a curve is the share of products that had no effect at all under the arithmetic, in the first and in the last epoch. \
         Chains are sampled.",
    );
    let first = [Column::name("part"), Column::number("longest chain"), Column::number("bits predicted")];
    let mut table = by_arithmetic(&first, summaries, Column::picture);
    let width = picture_width(summaries.len());
    for (part, longest) in parts {
        let predicted = cells
            .iter()
            .flatten()
            .flat_map(|cell| &cell.swamping)
            .find_map(|seen| seen.predicted_bits.filter(|_| seen.part == part))
            .map_or("–".to_owned(), |bits| bits.to_string());
        let drawn = cells.iter().enumerate().map(|(at, cell)| {
            let mut seen: Vec<&Swamped> =
                cell.iter().flat_map(|cell| &cell.swamping).filter(|seen| seen.part == part).collect();
            seen.sort_by_key(|seen| seen.epoch);
            match seen[..] {
                [] => "–".into(),
                [only] => curves(&[(only, colour(at))], width),
                [first, .., last] => curves(&[(first, "#999999"), (last, colour(at))], width),
            }
        });
        table.row([part.into(), longest.to_string().into(), predicted.into()].into_iter().chain(drawn));
    }
    page.table(table);
}

/// Curves of swamping in their colours, and the shares of products without effect.
fn curves(seen: &[(&Swamped, &str)], width: f64) -> Markup {
    let height = PICTURE;
    let x = |bits: usize| bits as f64 / BITS as f64 * width;
    let mut drawing = Drawing::picture(width, height, "multiply-adds without swamping");
    let theme = drawing.theme();
    for bits in [8, 16, 24] {
        drawing.line((x(bits), 0.0), (x(bits), height), theme.grid());
    }
    let predicted = seen.iter().find_map(|(of, _)| of.predicted_bits);
    if let Some(bits) = predicted {
        drawing.mark(x(bits as usize), (0.0, height), theme.ink());
    }
    for (of, colour) in seen {
        let steps = of.steps();
        let points = (0..=BITS).filter_map(|bits| {
            let share = steps.without_swamping(bits)?;
            Some((x(bits), 1.0 + (1.0 - share) * (height - 2.0)))
        });
        let text = |bits| steps.without_swamping(bits).map_or("–".to_owned(), percent_text);
        let [first, second, third] = [8, 16, 24].map(text);
        let name =
            format!("epoch {}: {first} within 8 bits, {second} within 16, {third} within 24", of.epoch);
        drawing.curve(points, colour, &name);
    }
    let absorbed = seen.iter().map(|(of, _)| {
        let total = of.steps().total();
        if total == 0 { "–".to_owned() } else { percent_text(of.product_absorbed as f64 / total as f64) }
    });
    let absorbed: Vec<String> = absorbed.collect();
    Markup::from(drawing).then(Markup::quiet(&format!("{} absorbed", absorbed.join(" → "))))
}

/// Bars from the least to the greatest exponent of each format.
fn ranges(least: i32, greatest: i32, x: &dyn Fn(i32) -> f64) -> Markup {
    /// Height of a line of the names beside the bars.
    const LINE: f64 = 18.0;
    let mut drawing = Drawing::picture(x(greatest + 1), LINE * RANGES.len() as f64, "ranges of formats");
    let (normal, subnormals) = (drawing.theme().quiet(), drawing.theme().grid());
    for (at, name) in RANGES.iter().enumerate() {
        let Ok(spec) = name.parse::<binade::Spec>() else { continue };
        let format = spec.format;
        let (emin, emax) = (format.emin(), format.emax());
        let subnormal = emin + 1 - format.precision() as i32;
        let named = format!("{name}: 2^{subnormal} to 2^{emax}");
        for (from, to, colour) in [(subnormal, emin - 1, subnormals), (emin, emax, normal)] {
            let (from, to) = (from.max(least), to.min(greatest));
            if from <= to {
                let top = LINE * at as f64 + 5.0;
                drawing.rectangle((x(from), top), (x(to + 1) - x(from), 8.0), colour, &named);
            }
        }
    }
    drawing.into()
}

/// Weights as bars, updates as a line.
fn histogram(found: &Histogram, at: usize, (least, greatest): (i32, i32), x: &dyn Fn(i32) -> f64) -> Markup {
    let (width, height) = (x(greatest + 1), PICTURE);
    let mut drawing = Drawing::picture(width, height, "exponents of weights and updates");
    let shown = |counts: &Exponents| -> Vec<(i32, u64)> {
        counts.each().filter(|(exponent, _)| *exponent >= least).collect()
    };
    drawing.histogram(&shown(&found.weights), (height, height - 2.0), x, |_| colour(at));
    let updates = shown(&found.updates);
    let most = updates.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1) as f64;
    let line = updates.iter().flat_map(|&(exponent, count)| {
        let y = height - count as f64 / most * (height - 2.0);
        [(x(exponent), y), (x(exponent + 1), y)]
    });
    let ink = drawing.theme().ink();
    drawing.curve(line, ink, "updates");
    let total = found.updates.total().max(1) as f64;
    let zeros = percent_text(found.updates.zeros as f64 / total);
    Markup::from(drawing).then(Markup::quiet(&format!("{zeros} of updates are 0")))
}

/// Appends the cells with the hashes of their weights, and the cells that were not begun.
fn cells(page: &mut Page, document: &Document) {
    page.section("Cells");
    let text = |name| Column::text(name);
    let mut table = Table::new([
        text("arithmetic"),
        Column::number("seed"),
        text("state"),
        Column::number("steps"),
        Column::number("training loss"),
        Column::number("seconds"),
        text("SHA-256 of the weights"),
    ]);
    for cell in &document.cells {
        let state = match (cell.diverged_at, cell.state) {
            (Some(step), _) => format!("diverged at step {step}"),
            (None, State::Running) => "interrupted".to_owned(),
            (None, State::Done) => "done".to_owned(),
            (None, State::Diverged) => "diverged".to_owned(),
        };
        table.row([
            (&*cell.arith).into(),
            cell.seed.to_string().into(),
            state.into(),
            cell.steps.to_string().into(),
            cell.loss.map_or("–".to_owned(), number_text).into(),
            format!("{:.1}", cell.seconds).into(),
            Markup::code(&cell.weights_sha256),
        ]);
    }
    for (arith, seed) in document.not_begun() {
        let seed = seed.to_string();
        table.row([arith, &seed, "not begun", "0", "–", "–", "–"].map(Markup::from));
    }
    page.table(table);
}
