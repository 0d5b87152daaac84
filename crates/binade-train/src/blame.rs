//! Finds the part of a model that loses most under an operator, for `--blame`. One part at a time uses the operator, all
//! others binary32.

use binade::recipe::Recipe;
use binade_hlo::eval::rules::{self, is_operator};
use serde::Serialize;

use crate::experiment::{Experiment, Settings, add_cells};
use crate::parts::{Part, label_parts};
use crate::record::CellResult;
use crate::{Arithmetic, Model, TrainError};

/// Effect of a part on the loss.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gap {
    /// The part.
    #[serde(flatten)]
    pub part: Part,
    /// Number of its operations that the operator computes.
    pub operations: usize,
    /// Mean training loss of the last epoch relative to f32, averaged over seeds. `None` if a seed diverged or was stopped.
    pub gap: Option<f64>,
}

/// Gaps of all parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gaps {
    /// The operator.
    pub operator: String,
    /// Mean training loss of the last epoch under f32, averaged over seeds.
    pub f32_loss: Option<f64>,
    /// The gap if the operator computes everything.
    pub everything: Option<f64>,
    /// The gaps if it computes one part.
    pub parts: Vec<Gap>,
}

impl Gaps {
    /// The part with the largest gap. A part that diverged ranks first.
    pub fn most(&self) -> Option<&Gap> {
        let height = |gap: &Gap| gap.gap.unwrap_or(f64::INFINITY);
        self.parts.iter().max_by(|a, b| height(a).total_cmp(&height(b)))
    }
}

/// An experiment with cells for f32, for the operator, and for each part under it, for every seed.
#[derive(Debug)]
pub struct Blame {
    /// The experiment, to be run like any other.
    pub experiment: Experiment,
    operator: String,
    parts: Vec<(Part, usize)>,
    seeds: usize,
}

impl Blame {
    /// Prepares the experiment.
    ///
    /// # Errors
    /// The name is not one operator, the model has no parts, or [`Experiment::new`] fails.
    pub fn new(
        mut model: Model,
        data: Option<&str>,
        operator: &str,
        seeds: u64,
        settings: Settings,
    ) -> Result<Blame, TrainError> {
        let operator = operator.trim();
        if !is_operator(operator) {
            return Err(TrainError::NotAnOperator(operator.to_owned()));
        }
        if !Recipe::is_text(operator) {
            rules::operator(operator)?;
        }
        let parts = label_parts(&mut model.train_step, &model.manifest.scopes);
        let mut reached = vec![];
        for part in parts {
            let rule = part.rule(settings.scope, operator);
            let mut arithmetic = Arithmetic::parse(&rule, settings.scope)?;
            arithmetic.name = format!("{operator} {part}");
            let count: usize =
                arithmetic.rules.reach(&model.train_step).iter().map(|reach| reach.computed).sum();
            if count > 0 {
                reached.push((part, count, arithmetic));
            }
        }
        if reached.is_empty() {
            return Err(TrainError::NoParts(operator.to_owned()));
        }
        let both = ["f32".to_owned(), operator.to_owned()];
        let mut experiment = Experiment::new(model, data, &both, seeds, settings)?;
        for (_, _, arithmetic) in &reached {
            add_cells(&mut experiment.cells, arithmetic, seeds);
        }
        Ok(Blame {
            experiment,
            operator: operator.to_owned(),
            parts: reached.into_iter().map(|(part, count, _)| (part, count)).collect(),
            seeds: seeds as usize,
        })
    }

    /// The gaps, from the results of all cells.
    pub fn gaps(&self, results: &[CellResult]) -> Gaps {
        let loss = |arithmetic: usize| {
            let cells = arithmetic * self.seeds..(arithmetic + 1) * self.seeds;
            let of = |number| results.iter().find(|result| result.cell == number)?.loss;
            let losses: Option<Vec<f64>> = cells.map(of).collect();
            losses.map(|losses| losses.iter().sum::<f64>() / losses.len() as f64)
        };
        let f32_loss = loss(0);
        let gap = |arithmetic| Some(loss(arithmetic)? - f32_loss?);
        let parts = self.parts.iter().enumerate().map(|(at, (part, operations))| Gap {
            part: part.clone(),
            operations: *operations,
            gap: gap(at + 2),
        });
        Gaps { operator: self.operator.clone(), f32_loss, everything: gap(1), parts: parts.collect() }
    }
}
