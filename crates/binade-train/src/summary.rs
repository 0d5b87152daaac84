//! Summarises the cells of each arithmetic: means and ranges over seeds, and findings in sentences.

use serde::Serialize;

use crate::record::{CellResult, Document, Epoch, State, share};

/// Mean and range of a number over seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The smallest.
    pub least: f64,
    /// The largest.
    pub greatest: f64,
}

impl Spread {
    /// The spread of numbers; `None` without any.
    pub fn of(numbers: impl Iterator<Item = f64>) -> Option<Spread> {
        let numbers: Vec<f64> = numbers.collect();
        let least = numbers.iter().copied().reduce(f64::min)?;
        let greatest = numbers.iter().copied().reduce(f64::max)?;
        Some(Spread { mean: numbers.iter().sum::<f64>() / numbers.len() as f64, least, greatest })
    }

    /// The mean, with half the range if there are several numbers.
    pub fn text(&self, numbers: usize, text: fn(f64) -> String) -> String {
        match numbers {
            0 | 1 => text(self.mean),
            _ => format!("{} ± {}", text(self.mean), text(self.half_range())),
        }
    }

    /// Half of the range.
    pub fn half_range(&self) -> f64 {
        (self.greatest - self.least) / 2.0
    }

    /// Returns true if the ranges overlap.
    pub fn overlaps(&self, other: &Spread) -> bool {
        self.least <= other.greatest && other.least <= self.greatest
    }
}

/// The share of lost updates in a phase of the rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Phase {
    /// The rate.
    pub rate: f64,
    /// Spread over seeds; `None` if no update was counted.
    pub lost: Option<Spread>,
}

/// Summary of an arithmetic.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Its name.
    pub arith: String,
    /// Number of its cells.
    pub cells: usize,
    /// Number of cells that diverged.
    pub diverged: usize,
    /// Number of cells that were interrupted.
    pub unfinished: usize,
    /// Mean training loss of the last epoch.
    pub loss: Option<Spread>,
    /// Share of right predictions for the test examples.
    pub accuracy: Option<Spread>,
    /// Mean loss of the test examples.
    pub test_loss: Option<Spread>,
    /// Share of test items in the lists, if the model ranks.
    pub recall: Option<Spread>,
    /// Normalised discounted cumulative gain, if the model ranks.
    pub ndcg: Option<Spread>,
    /// BLEU of the test sentences, if the model translates.
    pub bleu: Option<Spread>,
    /// The main measure of the test examples, by the final weights in binary32: the first available of BLEU, NDCG, accuracy
    /// and loss.
    pub in_f32: Option<Spread>,
    /// Mean loss of the test examples, by the final weights in binary32.
    pub test_loss_in_f32: Option<Spread>,
    /// Lost updates by phase of the learning rate.
    pub phases: Vec<Phase>,
    /// Seconds of the training steps of a cell.
    pub seconds: f64,
    /// Time of a step relative to that of `f32`.
    pub slowdown: Option<f64>,
}

impl Summary {
    /// Summaries of all arithmetics, in the order of the cells. Times are relative to `f32`.
    pub fn of(cells: &[CellResult]) -> Vec<Summary> {
        let mut names: Vec<&str> = cells.iter().map(|cell| &cell.arith[..]).collect();
        names.dedup();
        let step_seconds = |name: &str| {
            let of = || cells.iter().filter(|cell| cell.arith == name);
            let steps: u64 = of().map(|cell| cell.steps).sum();
            (steps > 0).then(|| of().map(|cell| cell.seconds).sum::<f64>() / steps as f64)
        };
        let plain = step_seconds("f32");
        names
            .iter()
            .map(|name| {
                let of: Vec<&CellResult> = cells.iter().filter(|cell| cell.arith == *name).collect();
                let slowdown = step_seconds(name).zip(plain).map(|(seconds, plain)| seconds / plain);
                Summary { slowdown, ..Summary::of_one(name, &of) }
            })
            .collect()
    }

    fn of_one(name: &str, cells: &[&CellResult]) -> Summary {
        let spread =
            |number: fn(&CellResult) -> Option<f64>| Spread::of(cells.iter().filter_map(|cell| number(cell)));
        let count = |state: State| cells.iter().filter(|cell| cell.state == state).count();
        let most = cells.iter().max_by_key(|cell| cell.phases.len());
        let phases = most.map_or(&[][..], |cell| &cell.phases).iter().enumerate().map(|(at, phase)| {
            let phases = cells.iter().filter_map(|cell| cell.phases.get(at));
            Phase { rate: phase.rate, lost: Spread::of(phases.filter_map(|phase| phase.share())) }
        });
        Summary {
            arith: name.to_owned(),
            cells: cells.len(),
            diverged: count(State::Diverged),
            unfinished: count(State::Running),
            loss: spread(|cell| cell.loss),
            accuracy: spread(|cell| cell.accuracy),
            test_loss: spread(|cell| cell.test_loss),
            recall: spread(|cell| Some(cell.ranking?.recall)),
            ndcg: spread(|cell| Some(cell.ranking?.ndcg)),
            bleu: spread(|cell| cell.bleu),
            in_f32: spread(|cell| {
                let tested = cell.in_f32?;
                let ndcg = tested.ranking.map(|ranking| ranking.ndcg);
                tested.bleu.or(ndcg).or(tested.accuracy).or(tested.test_loss)
            }),
            test_loss_in_f32: spread(|cell| cell.in_f32?.test_loss),
            phases: phases.collect(),
            seconds: cells.iter().map(|cell| cell.seconds).sum::<f64>() / cells.len() as f64,
            slowdown: None,
        }
    }
}

/// A measure of a model's quality on the test examples.
#[derive(Debug)]
pub struct Measure {
    /// Its name.
    pub name: &'static str,
    /// Abbreviation for narrow columns.
    pub short: &'static str,
    /// Its value after an epoch.
    pub of_epoch: fn(&Epoch) -> Option<f64>,
    /// Its value at the end.
    pub of: fn(&Summary) -> Option<Spread>,
    /// Formats a value.
    pub text: fn(f64) -> String,
}

/// All measures. The most informative comes first, for models with several.
const MEASURES: [Measure; 4] = [
    Measure {
        name: "BLEU",
        short: "BLEU",
        of_epoch: |epoch| epoch.bleu,
        of: |summary| summary.bleu,
        text: bleu_text,
    },
    Measure {
        name: "NDCG",
        short: "NDCG",
        of_epoch: |epoch| Some(epoch.ranking?.ndcg),
        of: |summary| summary.ndcg,
        text: number_text,
    },
    Measure {
        name: "test accuracy",
        short: "accuracy",
        of_epoch: |epoch| epoch.accuracy,
        of: |summary| summary.accuracy,
        text: number_text,
    },
    Measure {
        name: "test loss",
        short: "test loss",
        of_epoch: |epoch| epoch.test_loss,
        of: |summary| summary.test_loss,
        text: number_text,
    },
];

impl Measure {
    /// The first measure that some epoch has; accuracy if none has any.
    pub fn of_epochs<'a>(epochs: impl Iterator<Item = &'a Epoch> + Clone) -> &'static Measure {
        Measure::first(|measure| epochs.clone().any(|epoch| (measure.of_epoch)(epoch).is_some()))
    }

    /// The first measure that some arithmetic has; accuracy if none has any.
    pub fn of_summaries(summaries: &[Summary]) -> &'static Measure {
        Measure::first(|measure| summaries.iter().any(|summary| (measure.of)(summary).is_some()))
    }

    fn first(there: impl Fn(&Measure) -> bool) -> &'static Measure {
        let [.., accuracy, _] = &MEASURES;
        MEASURES.iter().find(|measure| there(measure)).unwrap_or(accuracy)
    }
}

/// Relative difference between the loss in an arithmetic and in binary32, for the same weights, above which it is reported.
const MISJUDGED_SHARE: f64 = 0.02;

/// A sentence about the NaNs and infinities in quantised operands of a cell, in the first step that had some.
fn not_finite(cell: &CellResult) -> Option<String> {
    let first = cell.not_finite.iter().map(|found| found.step).min()?;
    let (at_first, later): (Vec<_>, Vec<_>) = cell.not_finite.iter().partition(|found| found.step == first);
    let places: Vec<String> = at_first
        .iter()
        .map(|found| {
            let counts = [(found.nans, "NaN"), (found.infinities, "infinite")];
            let counts: Vec<String> = counts
                .iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, what)| format!("{count} {what}"))
                .collect();
            format!("{} ({}: {})", found.part, found.operand, counts.join(", "))
        })
        .collect();
    let later = match later.len() {
        0 => String::new(),
        count => format!("; later in {count} more"),
    };
    let (arith, seed) = (&cell.arith, cell.seed);
    Some(format!(
        "Not finite in quantised operands of {arith} seed {seed}, from step {first}: {}{later}.",
        places.join(", ")
    ))
}

/// Findings about the cells of a run, in sentences. They name cells that diverged, were interrupted or did not begin, and the parts
/// with NaN or infinity in quantised operands. They say for which arithmetics training loss and test accuracy differ from `f32` by
/// more than the range over seeds. They name arithmetics whose losses are wrong because of their own sums.
///
/// Overlapping ranges over seeds count as no difference. Only arithmetics with at least two finished cells are compared, and
/// only by these: an interrupted cell has numbers of an earlier epoch.
pub fn findings(document: &Document) -> Vec<String> {
    let mut sentences = vec![];
    let cells = &document.cells;
    let diverged: Vec<String> = Summary::of(cells)
        .iter()
        .filter(|summary| summary.diverged > 0)
        .map(|summary| format!("{} ({} of {} seeds)", summary.arith, summary.diverged, summary.cells))
        .collect();
    if !diverged.is_empty() {
        sentences.push(format!("Diverged, with an infinite or NaN loss: {}.", diverged.join(", ")));
    }
    sentences.extend(cells.iter().filter_map(not_finite));
    let steps = document.run.length();
    let interrupted: Vec<String> = cells
        .iter()
        .filter(|cell| cell.state == State::Running)
        .map(|cell| format!("{} seed {} (after {} of {steps} steps)", cell.arith, cell.seed, cell.steps))
        .collect();
    let not_begun: Vec<String> =
        document.not_begun().map(|(arith, seed)| format!("{arith} seed {seed}")).collect();
    let unfinished = !interrupted.is_empty() || !not_begun.is_empty();
    if !interrupted.is_empty() {
        sentences.push(format!("Interrupted, and not compared: {}.", interrupted.join(", ")));
    }
    if !not_begun.is_empty() {
        sentences.push(format!("Not begun: {}.", not_begun.join(", ")));
    }
    let finished: Vec<CellResult> =
        cells.iter().filter(|cell| cell.state != State::Running).cloned().collect();
    let summaries = Summary::of(&finished);
    let Some(plain) = summaries.iter().find(|summary| summary.arith == "f32") else { return sentences };
    let others: Vec<&Summary> = summaries.iter().filter(|summary| summary.arith != "f32").collect();
    if others.is_empty() {
        return sentences;
    }
    let misjudged: Vec<String> = others
        .iter()
        .filter_map(|summary| {
            let (own, in_f32) = (summary.test_loss?, summary.test_loss_in_f32?);
            let apart = (own.mean - in_f32.mean).abs() > MISJUDGED_SHARE * in_f32.mean.abs();
            (apart && !own.overlaps(&in_f32)).then(|| {
                let [own, in_f32] = [own, in_f32].map(|spread| number_text(spread.mean));
                format!(
                    "under {} the test examples' is {own}, and {in_f32} by the same weights in f32",
                    summary.arith
                )
            })
        })
        .collect();
    if !misjudged.is_empty() {
        sentences.push(format!("Losses are wrong by an arithmetic's own sums: {}.", misjudged.join("; ")));
    }
    let several = |summary: &Summary| summary.cells >= 2;
    if !unfinished && !summaries.iter().all(several) {
        sentences.push(
            "With one seed nothing tells a difference from chance: --seeds 3 shows the spread.".to_owned(),
        );
        return sentences;
    }
    if !several(plain) {
        return sentences;
    }
    type Of = fn(&Summary) -> Option<Spread>;
    let measures: [(&str, Of, [&str; 2]); 5] = [
        ("BLEU", |summary| summary.bleu, ["lower", "higher"]),
        ("NDCG", |summary| summary.ndcg, ["lower", "higher"]),
        ("Training loss", |summary| summary.loss, ["lower", "higher"]),
        ("Test accuracy", |summary| summary.accuracy, ["lower", "higher"]),
        ("Evaluated in f32", |summary| summary.in_f32, ["lower", "higher"]),
    ];
    for (what, of, words) in measures {
        let Some(plain) = of(plain) else { continue };
        let (mut apart, mut same) = ([vec![], vec![]], vec![]);
        for other in others.iter().filter(|other| several(other)) {
            match of(other) {
                Some(spread) if spread.overlaps(&plain) => same.push(&other.arith[..]),
                Some(spread) => apart[usize::from(spread.mean > plain.mean)].push(&other.arith[..]),
                None => {}
            }
        }
        let mut parts: Vec<String> = apart
            .iter()
            .zip(words)
            .filter(|(names, _)| !names.is_empty())
            .map(|(names, word)| {
                format!("{word} than f32's beyond the range over seeds: {}", names.join(", "))
            })
            .collect();
        if parts.is_empty() && !same.is_empty() {
            parts
                .push("no arithmetic differs from f32 by more than seeds differ among themselves".to_owned());
        } else if !same.is_empty() {
            parts.push(format!("within it: {}", same.join(", ")));
        }
        if !parts.is_empty() {
            sentences.push(format!("{what}: {}.", parts.join("; ")));
        }
    }
    sentences
}

/// Formats a loss or a share of right predictions.
pub fn number_text(x: f64) -> String {
    format!("{x:.4}")
}

/// Formats BLEU, from 0 to 100.
pub fn bleu_text(x: f64) -> String {
    format!("{x:.2}")
}

/// Formats a share in percent.
pub fn percent_text(x: f64) -> String {
    format!("{:.1} %", 100.0 * x)
}

/// Formats a rate without the digits of a binary product.
pub fn rate_text(rate: f64) -> String {
    let text = format!("{rate:.3e}");
    text.parse::<f64>().map_or(text, |rounded| rounded.to_string())
}

/// The share of lost updates of each parameter over all phases, averaged over cells.
pub fn lost_by_parameter(cells: &[&CellResult]) -> Vec<Option<f64>> {
    let count =
        cells.iter().flat_map(|cell| &cell.phases).map(|phase| phase.updates.len()).max().unwrap_or(0);
    let sum = |at: usize, of: fn(&crate::record::Updates) -> &Vec<u64>| -> u64 {
        cells.iter().flat_map(|cell| &cell.phases).map(|phase| of(phase).get(at).copied().unwrap_or(0)).sum()
    };
    (0..count).map(|at| share(sum(at, |phase| &phase.lost), sum(at, |phase| &phase.updates))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Run, Tested, Updates};

    fn cell(arith: &str, seed: u64, loss: Option<f64>, accuracy: f64) -> CellResult {
        let phase = Updates { rate: 0.1, steps: 4, updates: vec![30, 10], lost: vec![3, 1 + seed] };
        CellResult {
            cell: 0,
            arith: arith.to_owned(),
            seed,
            steps: 4,
            loss,
            accuracy: Some(accuracy),
            test_loss: None,
            ranking: None,
            bleu: None,
            in_f32: None,
            state: if loss.is_some() { State::Done } else { State::Diverged },
            diverged_at: None,
            weights_sha256: String::new(),
            seconds: if arith == "f32" { 1.0 } else { 3.0 },
            phases: vec![phase],
            epochs: vec![],
            histograms: vec![],
            swamping: vec![],
            biases: vec![],
            not_finite: vec![],
        }
    }

    /// A run of these cells: twelve epochs of four steps.
    fn document(cells: &[CellResult]) -> Document {
        let mut arithmetics: Vec<String> = cells.iter().map(|cell| cell.arith.clone()).collect();
        arithmetics.dedup();
        let run = Run {
            binade: String::new(),
            model: String::new(),
            about: String::new(),
            model_sha256: String::new(),
            data: String::new(),
            data_about: String::new(),
            synthetic: false,
            data_sha256: String::new(),
            scope: "all".to_owned(),
            batch: 1,
            steps_per_epoch: 4,
            epochs: 12,
            steps: None,
            arithmetics,
            seeds: cells.iter().map(|cell| cell.seed + 1).max().unwrap_or(0),
            parameters: vec![],
        };
        Document { run, cells: cells.to_vec() }
    }

    #[test]
    fn unfinished_cells_are_named_and_not_compared() {
        let stopped = |arith, seed| CellResult { state: State::Running, ..cell(arith, seed, Some(2.0), 0.1) };
        let mut interrupted = document(&[
            cell("f32", 0, Some(0.5), 0.8),
            cell("f32", 1, Some(0.75), 0.9),
            cell("bf16:bf16", 0, Some(0.6), 0.85),
            stopped("bf16:bf16", 1),
        ]);
        interrupted.run.arithmetics.push("mp".to_owned());
        assert_eq!(
            findings(&interrupted),
            [
                "Interrupted, and not compared: bf16:bf16 seed 1 (after 4 of 48 steps).",
                "Not begun: mp seed 0, mp seed 1."
            ]
        );
        // Two finished cells are compared, whatever the third is.
        interrupted.cells[3] = cell("bf16:bf16", 1, Some(0.7), 0.85);
        interrupted.cells.push(stopped("bf16:bf16", 2));
        let found = findings(&interrupted);
        assert_eq!(
            found[2],
            "Training loss: no arithmetic differs from f32 by more than seeds differ among themselves."
        );
        // Interrupted cells of f32 are not compared either.
        interrupted.cells[1] = stopped("f32", 1);
        let found = findings(&interrupted);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0]
                .starts_with("Interrupted, and not compared: f32 seed 1 (after 4 of 48 steps), bf16:bf16")
        );
    }

    #[test]
    fn cells_of_an_arithmetic_are_summarised() {
        let cells = [
            cell("f32", 0, Some(0.5), 0.8),
            cell("f32", 1, Some(0.75), 0.9),
            cell("bf16:bf16", 0, Some(1.0), 0.85),
            cell("bf16:bf16", 1, Some(1.5), 0.7),
        ];
        let [plain, narrow] = &Summary::of(&cells)[..] else { panic!("two arithmetics") };
        assert_eq!(plain.loss, Some(Spread { mean: 0.625, least: 0.5, greatest: 0.75 }));
        assert_eq!(plain.loss.unwrap().half_range(), 0.125);
        assert_eq!((plain.slowdown, narrow.slowdown, narrow.seconds), (Some(1.0), Some(3.0), 3.0));
        let phase = Phase { rate: 0.1, lost: Spread::of([0.1, 0.125].into_iter()) };
        assert_eq!(plain.phases, [phase]);
        assert_eq!(lost_by_parameter(&[&cells[0], &cells[1]]), [Some(0.1), Some(0.15)]);
        let findings = findings(&document(&cells));
        assert_eq!(findings[0], "Training loss: higher than f32's beyond the range over seeds: bf16:bf16.");
        assert_eq!(
            findings[1],
            "Test accuracy: no arithmetic differs from f32 by more than seeds differ among themselves."
        );
    }

    #[test]
    fn losses_spoilt_by_sums_are_reported() {
        let tested = |loss| Tested { test_loss: Some(loss), accuracy: None, ranking: None, bleu: None };
        let cell = |arith, own, in_f32| CellResult {
            test_loss: Some(own),
            in_f32: Some(tested(in_f32)),
            ..cell(arith, 0, Some(5.0), 0.5)
        };
        let cells = [cell("f32", 5.0, 5.0), cell("bf16:bf16", 4.5, 5.5), cell("bf16:f32", 5.0, 5.01)];
        assert_eq!(
            findings(&document(&cells))[0],
            "Losses are wrong by an arithmetic's own sums: under bf16:bf16 the test examples' is 4.5000, and 5.5000 by the \
             same weights in f32."
        );
    }

    #[test]
    fn divergence_and_single_seeds_are_reported() {
        let cells = [cell("f32", 0, Some(0.5), 0.8), cell("bf16:bf16", 0, None, 0.1)];
        let findings = findings(&document(&cells));
        assert_eq!(findings[0], "Diverged, with an infinite or NaN loss: bf16:bf16 (1 of 1 seeds).");
        assert!(findings[1].starts_with("With one seed nothing tells"));
        assert_eq!([rate_text(0.05 * 0.1), rate_text(10.0)], ["0.005", "10"]);
    }
}
