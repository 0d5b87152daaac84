//! Which part of a model an operator spoils: one part at a time is computed with it, everything else in binary32.

use binade_hlo::eval::rules::{self, is_operator};
use serde::Serialize;

use crate::experiment::{Experiment, Settings, add_cells};
use crate::parts::{Part, take_apart};
use crate::record::CellResult;
use crate::{Arithmetic, Model, TrainError};

/// What a part does to the loss.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gap {
    /// The part.
    #[serde(flatten)]
    pub part: Part,
    /// Operations of it that the operator computes.
    pub operations: usize,
    /// The mean training loss of the last epoch over f32's, mean over seeds; none if a seed diverged or was stopped.
    pub gap: Option<f64>,
}

/// Gaps of all parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gaps {
    /// The operator.
    pub operator: String,
    /// The mean training loss of the last epoch under f32, mean over seeds.
    pub f32_loss: Option<f64>,
    /// The gap where the operator computes everything.
    pub everything: Option<f64>,
    /// The gaps where it computes one part.
    pub parts: Vec<Gap>,
}

impl Gaps {
    /// The part with the largest gap; one that diverged is before all others.
    pub fn most(&self) -> Option<&Gap> {
        let height = |gap: &Gap| gap.gap.unwrap_or(f64::INFINITY);
        self.parts.iter().max_by(|a, b| height(a).total_cmp(&height(b)))
    }
}

/// An experiment with a cell for f32, the operator, and each part under it, for every seed.
#[derive(Debug)]
pub struct Blame {
    /// The experiment, to be run as any other.
    pub experiment: Experiment,
    operator: String,
    parts: Vec<(Part, usize)>,
    seeds: usize,
}

impl Blame {
    /// Takes a model apart.
    ///
    /// # Errors
    /// What is not one operator, a model without parts, and what [`Experiment::new`] refuses.
    pub fn new(
        mut model: Model,
        data: Option<&str>,
        operator: &str,
        seeds: u64,
        settings: Settings,
    ) -> Result<Blame, TrainError> {
        let operator = operator.trim();
        if !is_operator(operator) {
            return Err(TrainError::NoOperator(operator.to_owned()));
        }
        rules::operator(operator)?;
        let parts = take_apart(&mut model.train_step, &model.manifest.scopes);
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
