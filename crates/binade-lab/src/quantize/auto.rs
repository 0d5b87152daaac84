//! Chooses a format and a scale for each tensor: measures the error of every candidate on every tensor.

use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr;

use binade::Spec;
use binade::block::BlockFormat;

use super::plan::{Patterns, QuantizePlan, Task, Treatment};
use super::{Blocks, Options, Report, Target, may_write, open, searchable, with_bias};
use crate::layout::Noted;
use crate::pool::with_threads;
use crate::scale::{Groups, Rule};
use crate::select::{Budget, ErrorMeasure, Item, NamedCandidate, Selection, Trial, check_candidates, select};
use crate::{Error, Progress, Scale};

/// A candidate for a tensor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Candidate {
    /// Codes of a format, with scales.
    Format(Target, Scale),
    /// The tensor stays as it is.
    Keep,
}

impl FromStr for Candidate {
    type Err = Error;

    /// Parses `FORMAT`, `FORMAT/SCALE`, a block format or `keep`. A format without a bias gets the best bias for each tensor.
    fn from_str(text: &str) -> Result<Candidate, Error> {
        if text.eq_ignore_ascii_case("keep") {
            return Ok(Candidate::Keep);
        }
        if BlockFormat::is_named(text) {
            let blocks: Blocks = text.parse()?;
            let scale = blocks.scale.clone();
            return Ok(Candidate::Format(Target::Blocks(Box::new(blocks)), scale));
        }
        let (format, scale) = text.split_once('/').unwrap_or((text, "none"));
        let scale: Scale = scale.parse()?;
        let target = match format.parse::<Spec>() {
            Ok(spec) => Target::Format(spec),
            Err(error) => match with_bias(format, 0).parse::<Spec>() {
                Ok(spec) if searchable(spec.format) => Target::BestBias { name: format.to_owned() },
                _ => return Err(error.into()),
            },
        };
        match (&target, &scale) {
            (Target::BestBias { .. }, Scale::Tensor | Scale::Channel { .. } | Scale::Block { .. }) => {
                Err(Error::BiasAndScale)
            }
            _ => Ok(Candidate::Format(target, scale)),
        }
    }
}

impl Candidate {
    /// The name as given: `float8_e4m3fn`, `float4_e2m1fn/block:16,float8_e4m3fn`, `keep`.
    pub fn name(&self) -> String {
        match self {
            Candidate::Format(target @ Target::Blocks(_), _) | Candidate::Format(target, Scale::None) => {
                target.name().to_owned()
            }
            Candidate::Format(target, scale) => format!("{}/{}", target.name(), scale.short()),
            Candidate::Keep => "keep".to_owned(),
        }
    }

    /// The name and nominal size. Only block formats by name have a nominal size.
    fn named(&self) -> NamedCandidate {
        let nominal = match self {
            Candidate::Format(target @ Target::Blocks(_), scale) => {
                Some(f64::from(target.width()) + scale.bits_of_element())
            }
            Candidate::Format(..) | Candidate::Keep => None,
        };
        NamedCandidate { name: self.name(), nominal }
    }
}

/// Default candidates: OCP MX and NVFP4.
const CUSTOM: [&str; 5] = ["mxfp4", "nvfp4", "mxfp6_e2m3", "mxfp8_e4m3", "mxfp8_e5m2"];

/// The candidates, and the measure to choose by.
#[derive(Clone, Debug)]
pub struct Auto {
    /// The candidates.
    pub candidates: Vec<Candidate>,
    /// The error to minimise.
    pub measure: ErrorMeasure,
    /// Largest average size of elements.
    pub budget: Option<Budget>,
}

impl Auto {
    /// The default candidates: MXFP4, NVFP4, MXFP6 and MXFP8. With a budget, tensors may also stay as they are.
    ///
    /// # Errors
    /// Never in fact: the names are those of the catalogue.
    pub fn custom(measure: ErrorMeasure, budget: Option<Budget>) -> Result<Auto, Error> {
        let mut candidates: Vec<Candidate> =
            const { &CUSTOM }.iter().map(|text| text.parse()).collect::<Result<_, Error>>()?;
        candidates.extend(budget.is_some().then_some(Candidate::Keep));
        Ok(Auto { candidates, measure, budget })
    }
}

/// Chooses for each tensor, and writes the file. The target and scale of `options` are not used.
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
    let patterns = Patterns::new(options)?;
    let noted = open(input)?;
    let if_exists = may_write(&noted, output, options)?;
    with_threads(options.threads, || {
        let (picks, selection) = choose(&noted, options, &patterns, auto, progress)?;
        let pick = |name: &str| {
            picks
                .get(name)
                .cloned()
                .unwrap_or(Treatment::Keep("it is empty, or every candidate loses elements of it".to_owned()))
        };
        let plan = QuantizePlan::new(&noted, options, &patterns, &pick)?;
        let report = plan.run(output, if_exists, progress)?;
        let (format, scale) = ("auto".to_owned(), "auto".to_owned());
        Ok((Report { format, scale, ..report }, selection))
    })
}

fn choose(
    noted: &Noted,
    options: &Options,
    patterns: &Patterns,
    auto: &Auto,
    progress: &dyn Progress,
) -> Result<(HashMap<String, Treatment>, Selection), Error> {
    let named: Vec<NamedCandidate> = auto.candidates.iter().map(Candidate::named).collect();
    let keep = auto.candidates.iter().position(|candidate| *candidate == Candidate::Keep);
    check_candidates(&named, keep, auto.budget)?;
    let mut plans = vec![];
    for (number, candidate) in auto.candidates.iter().enumerate() {
        if let Candidate::Format(target, scale) = candidate {
            let pick = |_: &str| Treatment::Format(target.clone(), scale.clone());
            plans.push((number, QuantizePlan::new(noted, options, patterns, &pick)?));
        }
    }
    progress.total(plans.iter().map(|(_, plan)| plan.bytes()).sum());
    let mut items: Vec<Item> = vec![];
    let mut places: HashMap<String, usize> = HashMap::new();
    for (at, (number, plan)) in plans.iter().enumerate() {
        for task in &plan.tasks {
            let Task::Quantise { values, scale, .. } = task else { continue };
            let name = values.tensor.name();
            let place = *places.entry(name.to_owned()).or_insert_with(|| {
                items.push(Item { names: vec![name.to_owned()], elements: values.elements, trials: vec![] });
                items.len() - 1
            });
            if let (Some(keep), 0) = (keep, at) {
                let bits = values.tensor.byte_len() * 8;
                items[place].trials.push(Trial { candidate: keep, bits, losses: vec![] });
            }
            let (found, tally) = plan.measure(task, progress)?;
            // Infinities and NaNs have no error to compare, so a candidate that makes them is excluded. So is one whose
            // squared errors overflow binary64.
            let finite = |sum: f64| sum.is_finite();
            let measures = &tally.measures;
            if tally.lost > 0
                || !finite(measures.squared_error.value())
                || !finite(measures.squared_a.value())
            {
                continue;
            }
            let elements = values.elements;
            items[place].trials.push(Trial {
                candidate: *number,
                bits: elements * found.spec.format.width() as u64 + scale_bits(scale, &values.shape),
                losses: vec![(elements, tally.measures)],
            });
        }
    }
    items.iter_mut().for_each(|item| item.trials.sort_by_key(|trial| trial.candidate));
    items.retain(|item| item.elements > 0 && !item.trials.is_empty());
    let (chosen, selection) = select(&named, &items, auto.measure, auto.budget)?;
    let pick = |candidate: usize| match &auto.candidates[candidate] {
        Candidate::Format(target, scale) => Treatment::Format(target.clone(), scale.clone()),
        Candidate::Keep => Treatment::Keep("it was chosen to stay".to_owned()),
    };
    let picks = items.iter().zip(chosen).map(|(item, candidate)| (item.names[0].clone(), pick(candidate)));
    Ok((picks.collect(), selection))
}

/// Size of a tensor's scales in bits.
fn scale_bits(scale: &Scale, shape: &[u64]) -> u64 {
    if *scale == Scale::None {
        return 0;
    }
    let scales: u64 = Groups::new(scale, shape).map_or(0, |(_, shape)| shape.iter().product());
    let tensor_scale = if Rule::has_two_levels(scale) { 32 } else { 0 };
    scales * Rule::format(scale).width() as u64 + tensor_scale
}
