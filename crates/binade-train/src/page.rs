//! A training as a page: one HTML file with its curves as SVG, that needs nothing from elsewhere.

use std::fmt::Write;

use serde::Serialize;

use crate::exponents::{Exponents, Histogram};
use crate::record::{CellResult, Document, Epoch, State};
use crate::swamping::Swamped;
use crate::{
    LIST, Measure, Spread, Summary, bleu_text, findings, lost_by_parameter, number_text, percent_text,
    rate_text,
};

/// Colours that are told apart without red and green (Okabe and Ito).
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f"];
const WIDTH: f64 = 920.0;
const HEIGHT: f64 = 280.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;

/// What an arithmetic costs in hardware.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// The arithmetic.
    pub arith: String,
    /// Area units, binary32 having 576.
    pub area: u32,
    /// Throughput over binary32 at equal area.
    pub speed_up: String,
}

/// A chart: what it shows, a number for each epoch, and how numbers are written.
struct Chart {
    title: &'static str,
    about: &'static str,
    of: fn(&Epoch) -> Option<f64>,
    text: fn(f64) -> String,
    /// Whether numbers are shares.
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

/// The page.
pub fn page(document: &Document, costs: &[Cost]) -> String {
    let run = &document.run;
    let summaries = Summary::of(&document.cells);
    let mut html = String::new();
    let title = format!("{} under {} arithmetics", escaped(&run.model), summaries.len());
    let _ = write!(
        html,
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{}</style>\n<h1>{title}</h1>\n<p>{}</p>\n",
        include_str!("page.css"),
        escaped(&run.about)
    );
    if run.synthetic {
        html.push_str("<p class=\"warning\">The data are synthetic: a program made them up.</p>\n");
    }
    let steps = run.steps.map_or(String::new(), |steps| format!(", ended after {steps} steps"));
    let _ = write!(
        html,
        "<p class=\"quiet\">{}: {}</p>\n<p class=\"quiet\">{} epochs of {} steps of {} examples{steps}; scope {}; \
         binade {}</p>\n",
        escaped(&run.data),
        escaped(&run.data_about),
        run.epochs,
        run.steps_per_epoch,
        run.batch,
        escaped(&run.scope),
        escaped(&run.binade)
    );
    table(&mut html, &summaries, costs);
    for sentence in findings(document) {
        let _ = writeln!(html, "<p>{}</p>", escaped(&sentence));
    }
    for chart in CHARTS {
        draw(&mut html, &chart, document, &summaries);
    }
    parameters(&mut html, document, &summaries);
    swamping(&mut html, document, &summaries);
    exponents(&mut html, document, &summaries);
    cells(&mut html, document);
    let _ = write!(html, "<script>\n{}</script>\n", include_str!("page.js"));
    html
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn colour(at: usize) -> &'static str {
    COLOURS[at % COLOURS.len()]
}

fn spread(spread: Option<Spread>, cells: usize, text: fn(f64) -> String) -> String {
    spread.map_or_else(|| "–".to_owned(), |spread| spread.text(cells, text))
}

fn row(html: &mut String, tag: &str, cells: impl IntoIterator<Item = String>) {
    html.push_str("<tr>");
    cells.into_iter().for_each(|cell| {
        let _ = write!(html, "<{tag}>{cell}</{tag}>");
    });
    html.push_str("</tr>\n");
}

fn swatch(at: usize, name: &str) -> String {
    format!("<span class=\"swatch\" style=\"background:{}\"></span>{}", colour(at), escaped(name))
}

fn table(html: &mut String, summaries: &[Summary], costs: &[Cost]) {
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
    html.push_str("<div class=\"wide\"><table>\n");
    row(html, "th", head);
    for (at, summary) in summaries.iter().enumerate() {
        let cost = costs.iter().find(|cost| cost.arith == summary.arith);
        let mut cells = vec![swatch(at, &summary.arith)];
        cells.push(spread(summary.loss, summary.cells, number_text));
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
        row(html, "td", cells);
    }
    html.push_str("</table></div>\n<p class=\"quiet\">± is half the range over seeds; slowdown is the time of a step relative \
                   to f32's, here; area and speed-up are those of the operator in hardware. \
                   <em>In f32</em>: by the same weights, evaluated in binary32.</p>\n");
}

/// What the script under a chart knows.
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

fn draw(html: &mut String, chart: &Chart, document: &Document, summaries: &[Summary]) {
    let epochs = document.cells.iter().map(|cell| cell.epochs.len()).max().unwrap_or(0);
    let all: Vec<(&str, Vec<Option<Spread>>)> = summaries
        .iter()
        .map(|summary| (&summary.arith[..], series(document, &summary.arith, chart.of, epochs)))
        .collect();
    let known = || all.iter().flat_map(|(_, points)| points.iter().flatten());
    let (Some(least), Some(greatest)) = (
        known().map(|spread| spread.least).reduce(f64::min),
        known().map(|spread| spread.greatest).reduce(f64::max),
    ) else {
        return;
    };
    let ticks = ticks(least, greatest);
    let (low, high) = (ticks[0], ticks[ticks.len() - 1]);
    let step = if epochs > 1 { (WIDTH - LEFT - RIGHT) / (epochs - 1) as f64 } else { 0.0 };
    let x = |at: usize| LEFT + at as f64 * step;
    let y = |value: f64| TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM);
    let _ = write!(
        html,
        "<h2>{}</h2>\n<p class=\"quiet\">{}</p>\n<figure>\n<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"{}\">\n",
        chart.title, chart.about, chart.title
    );
    for tick in &ticks {
        let at = y(*tick);
        let _ = writeln!(
            html,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text x=\"{}\" y=\"{:.1}\" \
             text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            at + 4.0,
            tick_text(*tick, &ticks, chart.shares)
        );
    }
    let every = epochs.div_ceil(20).max(1);
    for at in (0..epochs).step_by(every) {
        let _ = writeln!(
            html,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(at),
            HEIGHT - BOTTOM + 18.0,
            at + 1
        );
    }
    for (number, (name, points)) in all.iter().enumerate() {
        let colour = colour(number);
        let known: Vec<(usize, &Spread)> =
            points.iter().enumerate().filter_map(|(at, point)| Some((at, point.as_ref()?))).collect();
        let place = |at: usize, value: f64| format!("{:.1},{:.1}", x(at), y(value));
        let upper = known.iter().map(|(at, spread)| place(*at, spread.greatest));
        let lower = known.iter().rev().map(|(at, spread)| place(*at, spread.least));
        let band: Vec<String> = upper.chain(lower).collect();
        let line: Vec<String> = known.iter().map(|(at, spread)| place(*at, spread.mean)).collect();
        let _ = writeln!(
            html,
            "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.15\"/><polyline points=\"{}\" fill=\"none\" \
             stroke=\"{colour}\" stroke-width=\"2\"><title>{}</title></polyline>",
            band.join(" "),
            line.join(" "),
            escaped(name)
        );
        // A line of one point is not seen.
        if let [(at, spread)] = known[..] {
            let _ = writeln!(
                html,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{colour}\"/>",
                x(at),
                y(spread.mean)
            );
        }
    }
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
    // No text ends the script.
    let facts = serde_json::to_string(&facts).expect("numbers and names become JSON").replace('<', "\\u003c");
    let _ = write!(
        html,
        "<line class=\"rule\" style=\"display:none\" y1=\"{TOP}\" y2=\"{}\"/>\n</svg>\n<div class=\"tip\"></div>\n\
         <script type=\"application/json\">{facts}</script>\n</figure>\n<p class=\"quiet\">",
        HEIGHT - BOTTOM
    );
    for (at, summary) in summaries.iter().enumerate() {
        let _ = write!(html, "{} &ensp; ", swatch(at, &summary.arith));
    }
    html.push_str("</p>\n");
}

/// Round numbers from at or below `least` to at or above `greatest`, three to seven of them.
fn ticks(least: f64, greatest: f64) -> Vec<f64> {
    let range = if greatest > least { greatest - least } else { least.abs().max(1e-6) };
    let unit = 10_f64.powf((range / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit).into_iter().find(|step| range / step <= 5.0);
    let step = step.unwrap_or(10.0 * unit);
    let (first, last) = ((least / step).floor() as i64, (greatest / step).ceil() as i64);
    (first..=last.max(first + 1)).map(|at| at as f64 * step).collect()
}

/// A tick with as many digits as tell it from its neighbours; shares in percent.
fn tick_text(tick: f64, ticks: &[f64], shares: bool) -> String {
    let (factor, unit) = if shares { (100.0, " %") } else { (1.0, "") };
    let digits = (-(factor * (ticks[1] - ticks[0])).log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{:.digits$}{unit}", factor * tick)
}

/// Lost updates by parameter and arithmetic.
fn parameters(html: &mut String, document: &Document, summaries: &[Summary]) {
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
    html.push_str("<h2>Lost updates by parameter</h2>\n<p class=\"quiet\">over the whole training</p>\n<div class=\"wide\"><table>\n");
    row(
        html,
        "th",
        ["parameter".to_owned()]
            .into_iter()
            .chain(summaries.iter().enumerate().map(|(at, summary)| swatch(at, &summary.arith))),
    );
    for (at, name) in document.run.parameters.iter().enumerate() {
        let shares = columns
            .iter()
            .map(|column| column.get(at).copied().flatten().map_or("–".to_owned(), percent_text));
        row(html, "td", [escaped(name)].into_iter().chain(shares));
    }
    html.push_str("</table></div>\n");
}

/// Parameters that are drawn: the ones with most elements.
const DRAWN: usize = 16;
/// Sizes of a histogram, in units of its SVG.
const SMALL: (f64, f64) = (240.0, 64.0);
/// Formats whose ranges stand above the histograms.
const RANGES: [&str; 4] = ["bf16", "f16", "float8_e5m2", "float8_e4m3fn"];

/// The histograms of seed 0 after the last epoch, of each arithmetic.
fn exponents(html: &mut String, document: &Document, summaries: &[Summary]) {
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
    parameters.sort_by_key(|(_, total)| std::cmp::Reverse(*total));
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
    let _ = write!(
        html,
        "<h2>Exponents of weights and updates</h2>\n<p class=\"quiet\">How many weights (filled) and how many of the last \
         step's updates (line) are in each binade, from 2<sup>{least}</sup> to 2<sup>{}</sup>, of the first seed after its last \
         epoch; each scaled to its most. Above are the ranges of formats, subnormal numbers in lighter colour. A weight w in a format of \
         precision p keeps an update only if that is at least half an ulp, 2<sup>-p</sup> of w's binade.{rest}</p>\n\
         <div class=\"wide\"><table>\n",
        greatest + 1
    );
    let names = summaries.iter().enumerate().map(|(at, summary)| swatch(at, &summary.arith));
    row(html, "th", ["parameter".to_owned()].into_iter().chain(names));
    let x = |exponent: i32| f64::from(exponent - least) / f64::from(greatest + 1 - least) * SMALL.0;
    row(
        html,
        "td",
        [RANGES.join("<br>")].into_iter().chain(summaries.iter().map(|_| ranges(least, greatest, &x))),
    );
    for (parameter, _) in parameters {
        let drawn = cells.iter().enumerate().map(|(at, cell)| {
            cell.and_then(|cell| last(cell, parameter))
                .map_or("–".to_owned(), |found| histogram(&found, at, least, &x))
        });
        row(html, "td", [escaped(&document.run.parameters[parameter])].into_iter().chain(drawn));
    }
    html.push_str("</table></div>\n");
}

/// The most bits of an accumulator in a curve of swamping.
const BITS: usize = 30;

/// For each part and arithmetic, the share of steps without swamping by bits, in the first and the last epoch.
fn swamping(html: &mut String, document: &Document, summaries: &[Summary]) {
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
    let _ = write!(
        html,
        "<h2>Swamping</h2>\n<p class=\"quiet\">Of the multiply-adds of products and convolutions, the share (0 to 1, upwards) \
         whose product and accumulator are at most so many binades apart (0 to {BITS}, rightwards; marks at 8, 16 and 24 bits): in the last step \
         of the first epoch (grey) and of the last (coloured), of the first seed. An accumulator of that many bits keeps something of both \
         numbers there. The dashed line is at the bits that a sum of the longest chain's length is predicted to need (arXiv 1901.06588). \
         Below is the share of products that had no effect at all under the arithmetic, in the first and the last epoch. \
         Chains are sampled.</p>\n<div class=\"wide\"><table>\n"
    );
    let names = summaries.iter().enumerate().map(|(at, summary)| swatch(at, &summary.arith));
    row(html, "th", ["part".to_owned(), "longest chain".to_owned()].into_iter().chain(names));
    for (part, longest) in parts {
        let drawn = cells.iter().enumerate().map(|(at, cell)| {
            let mut seen: Vec<&Swamped> =
                cell.iter().flat_map(|cell| &cell.swamping).filter(|seen| seen.part == part).collect();
            seen.sort_by_key(|seen| seen.epoch);
            match seen[..] {
                [] => "–".to_owned(),
                [only] => curves(&[(only, colour(at))]),
                [first, .., last] => curves(&[(first, "#999"), (last, colour(at))]),
            }
        });
        row(html, "td", [escaped(part), longest.to_string()].into_iter().chain(drawn));
    }
    html.push_str("</table></div>\n");
}

/// Curves of swamping in their colours, and the shares of products without effect.
fn curves(seen: &[(&Swamped, &str)]) -> String {
    let (width, height) = SMALL;
    let x = |bits: usize| bits as f64 / BITS as f64 * width;
    let mut svg = format!("<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">");
    for bits in [8, 16, 24] {
        let _ = write!(
            svg,
            "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"0\" y2=\"{height}\" stroke=\"currentColor\" stroke-opacity=\"0.25\"/>",
            x(bits)
        );
    }
    let predicted = seen.iter().find_map(|(of, _)| of.predicted_bits);
    if let Some(bits) = predicted {
        let _ = write!(
            svg,
            "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"0\" y2=\"{height}\" stroke=\"currentColor\" stroke-dasharray=\"3 2\"/>",
            x(bits as usize)
        );
    }
    for (of, colour) in seen {
        let steps = of.steps();
        let points: Vec<String> = (0..=BITS)
            .filter_map(|bits| {
                let share = steps.without_swamping(bits)?;
                Some(format!("{:.1},{:.1}", x(bits), 1.0 + (1.0 - share) * (height - 2.0)))
            })
            .collect();
        let text = |bits| steps.without_swamping(bits).map_or("–".to_owned(), percent_text);
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"><title>epoch {}: {} within 8 bits, {} \
             within 16, {} within 24</title></polyline>",
            points.join(" "),
            of.epoch,
            text(8),
            text(16),
            text(24)
        );
    }
    let absorbed = seen.iter().map(|(of, _)| {
        let total = of.steps().total();
        if total == 0 { "–".to_owned() } else { percent_text(of.product_absorbed as f64 / total as f64) }
    });
    let absorbed: Vec<String> = absorbed.collect();
    let predicted = predicted.map_or(String::new(), |bits| format!(", {bits} bits predicted"));
    svg + &format!("</svg><br><span class=\"quiet\">{} absorbed{predicted}</span>", absorbed.join(" → "))
}

/// Bars from the least to the greatest exponent of each format.
fn ranges(least: i32, greatest: i32, x: &dyn Fn(i32) -> f64) -> String {
    let mut svg = format!("<svg viewBox=\"0 0 {} 72\" width=\"{}\" height=\"72\">", SMALL.0, SMALL.0);
    for (at, name) in RANGES.iter().enumerate() {
        let Ok(spec) = name.parse::<binade::Spec>() else { continue };
        let format = spec.format;
        let (emin, emax) = (format.emin(), format.emax());
        let subnormal = emin + 1 - format.precision() as i32;
        for (from, to, opacity) in [(subnormal, emin - 1, 0.25), (emin, emax, 0.6)] {
            let (from, to) = (from.max(least), to.min(greatest));
            if from <= to {
                let _ = write!(
                    svg,
                    "<rect x=\"{:.1}\" y=\"{}\" width=\"{:.1}\" height=\"8\" fill=\"currentColor\" \
                     fill-opacity=\"{opacity}\"><title>{name}: 2^{subnormal} to 2^{emax}</title></rect>",
                    x(from),
                    18 * at + 5,
                    x(to + 1) - x(from)
                );
            }
        }
    }
    svg + "</svg>"
}

/// Weights as bars, updates as a line.
fn histogram(found: &Histogram, at: usize, least: i32, x: &dyn Fn(i32) -> f64) -> String {
    let (width, height) = SMALL;
    let most = |counts: &Exponents| counts.each().map(|(_, count)| count).max().unwrap_or(1).max(1) as f64;
    let mut svg = format!("<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">");
    let weights = most(&found.weights);
    for (exponent, count) in found.weights.each().filter(|(exponent, count)| *exponent >= least && *count > 0)
    {
        let tall = count as f64 / weights * (height - 2.0);
        let _ = write!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" fill=\"{}\" \
             fill-opacity=\"0.55\"><title>{count} weights from 2^{exponent} on</title></rect>",
            x(exponent),
            height - tall,
            x(exponent + 1) - x(exponent),
            colour(at)
        );
    }
    let updates = most(&found.updates);
    let mut path = String::new();
    for (exponent, count) in found.updates.each().filter(|(exponent, _)| *exponent >= least) {
        let y = height - count as f64 / updates * (height - 2.0);
        let _ = write!(path, "{:.1},{y:.1} {:.1},{y:.1} ", x(exponent), x(exponent + 1));
    }
    let total = found.updates.total().max(1) as f64;
    let _ = write!(
        svg,
        "<polyline points=\"{path}\" fill=\"none\" stroke=\"currentColor\"><title>updates</title></polyline></svg><br>\
         <span class=\"quiet\">{} of updates are 0</span>",
        percent_text(found.updates.zeros as f64 / total)
    );
    svg
}

/// Each cell with the hash of its weights, and those that were not begun.
fn cells(html: &mut String, document: &Document) {
    html.push_str("<h2>Cells</h2>\n<div class=\"wide\"><table>\n");
    row(
        html,
        "th",
        ["arithmetic", "seed", "state", "steps", "training loss", "seconds", "SHA-256 of the weights"]
            .map(str::to_owned),
    );
    for cell in &document.cells {
        let state = match (cell.diverged_at, cell.state) {
            (Some(step), _) => format!("diverged at step {step}"),
            (None, State::Running) => "interrupted".to_owned(),
            (None, State::Done) => "done".to_owned(),
            (None, State::Diverged) => "diverged".to_owned(),
        };
        row(
            html,
            "td",
            [
                escaped(&cell.arith),
                cell.seed.to_string(),
                state,
                cell.steps.to_string(),
                cell.loss.map_or("–".to_owned(), number_text),
                format!("{:.1}", cell.seconds),
                format!("<code>{}</code>", &cell.weights_sha256),
            ],
        );
    }
    for (arith, seed) in document.not_begun() {
        let nothing = || "–".to_owned();
        let state = "not begun".to_owned();
        let cells =
            [escaped(arith), seed.to_string(), state, "0".to_owned(), nothing(), nothing(), nothing()];
        row(html, "td", cells);
    }
    html.push_str("</table></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_cover_the_range_with_round_numbers() {
        for (least, greatest) in
            [(0.0, 1.0), (0.1987, 0.4502), (-3.0, 12.0), (0.5, 0.5), (0.0, 0.0), (1e-9, 3e-9)]
        {
            let ticks = ticks(least, greatest);
            assert!(ticks[0] <= least && ticks[ticks.len() - 1] >= greatest, "{ticks:?}");
            assert!((2..=8).contains(&ticks.len()), "{ticks:?}");
        }
        let text = |shares| {
            ticks(0.0, 1.0).iter().map(|tick| tick_text(*tick, &[0.0, 0.2], shares)).collect::<Vec<_>>()
        };
        assert_eq!(text(false), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(text(true)[1..3], ["20 %", "40 %"]);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escaped("<b>&\""), "&lt;b&gt;&amp;&quot;");
    }
}
