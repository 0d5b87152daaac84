//! Chooses a layout and a scale rule for each weight: measures the error of every candidate on every weight.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use binade::block::ScaleRule;
use binade_kernels::Measures;

use super::plan::{CheckpointPlan, Operation};
use super::run::{Context, maxima, over_units};
use super::scheme::WHOLE;
use super::store::Checkpoint;
use super::{Action, CheckpointError, CheckpointLayout, Options, Report, open, shared, write};
use crate::pool::with_threads;
use crate::select::{
    Budget, ErrorMeasure, Item, NamedCandidate, SelectError, Selection, Trial, check_candidates, select,
};
use crate::{Error, Progress};

/// A candidate for a weight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidate {
    /// Codes of this layout, with scales by this rule.
    Layout(CheckpointLayout, ScaleRule),
    /// The weight stays as it is.
    Keep,
}

impl Candidate {
    /// The name: `ct-nvfp4`, followed by a rule other than the layout's own, as in `ct-mxfp4 even`, or `keep`.
    pub fn name(self) -> String {
        match self {
            Candidate::Layout(layout, rule) if rule == layout.default_rule() => layout.name().to_owned(),
            Candidate::Layout(layout, rule) => format!("{layout} {rule}"),
            Candidate::Keep => "keep".to_owned(),
        }
    }

    /// The name and nominal size, without a scale for each row.
    fn named(&self) -> NamedCandidate {
        let nominal = match self {
            Candidate::Layout(layout, _) => {
                let scheme = layout.scheme();
                let block = scheme.block.0.saturating_mul(scheme.block.1);
                let of_scale =
                    if block == WHOLE { 0.0 } else { f64::from(scheme.scales.width()) / block as f64 };
                Some(f64::from(scheme.elements.width()) + of_scale)
            }
            Candidate::Keep => None,
        };
        NamedCandidate { name: self.name(), nominal }
    }
}

/// The candidates, and the measure to choose by.
#[derive(Clone, Debug)]
pub struct Auto {
    /// The candidates.
    pub candidates: Vec<Candidate>,
    /// The error to minimise.
    pub measure: ErrorMeasure,
    /// Largest average size of the weights' elements.
    pub budget: Option<Budget>,
}

/// The layouts of compressed-tensors, which a checkpoint may mix.
const MIXED: [CheckpointLayout; 4] = {
    use CheckpointLayout::*;
    [CtFp8, CtMxfp8, CtMxfp4, CtNvfp4]
};

impl Auto {
    /// The default candidates. For one layout these are all its scale rules, for several their default rules. With a budget,
    /// weights may also stay as they are. Without layouts, all that can be mixed are candidates.
    ///
    /// # Errors
    /// One of several layouts cannot be mixed, or a layout does not take a rule.
    pub fn new(
        layouts: &[CheckpointLayout],
        rules: Option<&[ScaleRule]>,
        keep: bool,
        measure: ErrorMeasure,
        budget: Option<Budget>,
    ) -> Result<Auto, Error> {
        let layouts = if layouts.is_empty() { &MIXED } else { layouts };
        if let (true, Some(other)) =
            (layouts.len() > 1, layouts.iter().find(|layout| !MIXED.contains(layout)))
        {
            return Err(SelectError::Mixed(other.name()).into());
        }
        let mut candidates = vec![];
        for &layout in layouts {
            match rules {
                Some(rules) => {
                    candidates.extend(
                        rules
                            .iter()
                            .filter(|rule| layout.rules().contains(rule))
                            .map(|&rule| Candidate::Layout(layout, rule)),
                    );
                    if let [rule] = rules
                        && !layout.rules().contains(rule)
                    {
                        return Err(CheckpointError::Rule { layout, rule: *rule }.into());
                    }
                }
                None => candidates.push(Candidate::Layout(layout, layout.default_rule())),
            }
        }
        if keep {
            candidates.push(Candidate::Keep);
        }
        Ok(Auto { candidates, measure, budget })
    }
}

/// The choice for each weight that has one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Assignment {
    weights: BTreeMap<String, Choice>,
}

/// A layout and a rule; `None` to leave the weight as it is.
type Choice = Option<(CheckpointLayout, ScaleRule)>;

impl Assignment {
    pub(crate) fn of(&self, weight: &str) -> Option<Choice> {
        self.weights.get(weight).copied()
    }

    /// The weights by layout, in the order of the layouts.
    pub(crate) fn by_layout(&self) -> BTreeMap<usize, (CheckpointLayout, Vec<&str>)> {
        let mut found: BTreeMap<usize, (CheckpointLayout, Vec<&str>)> = BTreeMap::new();
        for (name, choice) in &self.weights {
            if let Some((layout, _)) = choice {
                found.entry(*layout as usize).or_insert_with(|| (*layout, vec![])).1.push(name);
            }
        }
        found
    }
}

/// Chooses for each weight, and writes the checkpoint. Weights that readers fuse get the same choice.
///
/// # Errors
/// As for [`super::run`]; also if the budget cannot be met.
pub fn run_auto(
    input: &Path,
    output: &Path,
    options: &Options,
    auto: &Auto,
    progress: &dyn Progress,
) -> Result<(Report, Selection), Error> {
    let checkpoint = open(input)?;
    // Checks that the output can be written before the long measurement.
    let early = Options { action: Action::Assigned(Assignment::default()), ..options.clone() };
    let plan = CheckpointPlan::new(&checkpoint, &early)?;
    super::Target { checkpoint: &checkpoint, plan: &plan, options: &early, path: output }.may_begin()?;

    let (assignment, selection) =
        with_threads(options.threads, || choose(&checkpoint, options, auto, progress))?;
    let options = Options { action: Action::Assigned(assignment), ..options.clone() };
    Ok((write(&checkpoint, output, &options, progress)?, selection))
}

/// Weights that readers fuse.
#[derive(Default)]
struct Group {
    /// Names, numbers of elements, and bytes.
    weights: Vec<(String, u64, u64)>,
    /// For each candidate, the bytes and errors of the weights that it supports.
    trials: HashMap<usize, Vec<(u64, u64, Measures)>>,
}

fn choose(
    checkpoint: &Checkpoint<'_>,
    options: &Options,
    auto: &Auto,
    progress: &dyn Progress,
) -> Result<(Assignment, Selection), Error> {
    let named: Vec<NamedCandidate> = auto.candidates.iter().map(Candidate::named).collect();
    let keep = auto.candidates.iter().position(|candidate| *candidate == Candidate::Keep);
    check_candidates(&named, keep, auto.budget)?;
    let mut plans = vec![];
    for (number, candidate) in auto.candidates.iter().enumerate() {
        if let Candidate::Layout(layout, rule) = *candidate {
            let action = Action::Quantize { layout, rule: Some(rule) };
            plans.push((number, CheckpointPlan::trial(checkpoint, &Options { action, ..options.clone() })?));
        }
    }
    let read = |plan: &CheckpointPlan<'_>| {
        let all: Vec<_> = plan.encodes().collect();
        all.iter().chain(&shared(plan, &all)).map(|job| job.bytes()).sum::<u64>()
    };
    progress.total(plans.iter().map(|(_, plan)| read(plan)).sum());

    let mut order: Vec<String> = vec![];
    let mut groups: HashMap<String, Group> = HashMap::new();
    for (number, plan) in &plans {
        let measured = measure(plan, checkpoint, progress)?;
        for (changed, measures) in plan.changed.iter().zip(measured) {
            let key = plan.fusion.key(&changed.name);
            let group = groups.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                Group::default()
            });
            let elements: u64 = changed.shape.iter().product();
            if !group.weights.iter().any(|(name, ..)| *name == changed.name) {
                group.weights.push((changed.name.clone(), elements, changed.bytes[0]));
            }
            group.trials.entry(*number).or_default().push((elements, changed.bytes[1], measures));
        }
    }
    let items: Vec<Item> =
        order.iter().filter_map(|key| groups.get(key)).map(|group| item(group, auto, keep)).collect();
    let offered: Vec<Item> = items.into_iter().filter(|item| !item.trials.is_empty()).collect();
    let (chosen, selection) = select(&named, &offered, auto.measure, auto.budget)?;
    let mut assignment = Assignment::default();
    for (item, candidate) in offered.iter().zip(chosen) {
        let choice = match auto.candidates[candidate] {
            Candidate::Layout(layout, rule) => Some((layout, rule)),
            Candidate::Keep => None,
        };
        assignment.weights.extend(item.names.iter().map(|name| (name.clone(), choice)));
    }
    Ok((assignment, selection))
}

/// The candidates that support all weights of a group.
fn item(group: &Group, auto: &Auto, keep: Option<usize>) -> Item {
    let elements = group.weights.iter().map(|(_, elements, _)| elements).sum();
    let bits = |bytes: u64| bytes * 8;
    let trials = (0..auto.candidates.len()).filter_map(|candidate| {
        if Some(candidate) == keep {
            return Some(Trial {
                candidate,
                bits: group.weights.iter().map(|(_, _, bytes)| bits(*bytes)).sum(),
                losses: vec![],
            });
        }
        let trial = group.trials.get(&candidate).filter(|trial| trial.len() == group.weights.len())?;
        Some(Trial {
            candidate,
            bits: trial.iter().map(|(_, bytes, _)| bits(*bytes)).sum(),
            losses: trial.iter().map(|(elements, _, measures)| (*elements, measures.clone())).collect(),
        })
    });
    Item {
        names: group.weights.iter().map(|(name, ..)| name.clone()).collect(),
        elements,
        trials: trials.collect(),
    }
}

/// Errors of the weights of a plan, in order.
fn measure(
    plan: &CheckpointPlan<'_>,
    checkpoint: &Checkpoint<'_>,
    progress: &dyn Progress,
) -> Result<Vec<Measures>, Error> {
    let context = Context::new(plan, &checkpoint.path)?;
    let jobs: Vec<_> = plan.encodes().collect();
    let tensor_scales = maxima(plan, &shared(plan, &jobs), &context, progress)?;
    // By weight and unit, so that sums do not depend on the order of threads.
    let places: HashMap<&str, usize> = jobs.iter().enumerate().map(|(at, job)| (&*job.name, at)).collect();
    let units: Mutex<Vec<Vec<Measures>>> =
        Mutex::new(jobs.iter().map(|job| vec![Measures::default(); job.units as usize]).collect());
    over_units(&jobs, progress, |buffers, job, unit| {
        let Operation::Encode(encode) = &job.operation else { return Ok(0) };
        let (bytes, measures) = context.losses(encode, unit, job, &tensor_scales, buffers)?;
        if let Some(&place) = places.get(&*job.name) {
            units.lock().unwrap_or_else(PoisonError::into_inner)[place][unit as usize] = measures;
        }
        Ok(bytes)
    })?;
    let units = units.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(units
        .iter()
        .map(|units| {
            let mut total = Measures::default();
            units.iter().for_each(|measures| total.merge(measures));
            total
        })
        .collect())
}
