//! Selects a candidate for each tensor by measured error, optionally within a size budget, with a report and a plot.

use std::fmt;
use std::str::FromStr;

use binade_kernels::Measures;
use binade_page::charts::{TradeOff, trade_off};
use binade_page::{Drawing, Theme, grouped};
use serde::Serialize;
use thiserror::Error;

use crate::assign::{Assigned, Offer, Unaffordable, assign};

/// The error that is summed over tensors and minimised.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ErrorMeasure {
    /// Squared error, averaged over all elements.
    #[default]
    Mse,
    /// Squared error relative to the tensor's squares, weighted by its share of the elements. Tensors of small and of large
    /// numbers count alike.
    Relative,
}

impl ErrorMeasure {
    const ALL: [ErrorMeasure; 2] = [ErrorMeasure::Mse, ErrorMeasure::Relative];

    /// The name: `mse` or `relative`.
    pub fn name(self) -> &'static str {
        match self {
            ErrorMeasure::Mse => "mse",
            ErrorMeasure::Relative => "relative",
        }
    }

    /// A tensor's contribution to the sum.
    fn of(self, elements: u64, measures: &Measures) -> f64 {
        let (noise, signal) = (&measures.squared_error, &measures.squared_a);
        match self {
            ErrorMeasure::Mse => noise.value(),
            ErrorMeasure::Relative if measures.squared_error.is_zero() => 0.0,
            ErrorMeasure::Relative => elements as f64 * noise.over(signal),
        }
    }
}

impl fmt::Display for ErrorMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ErrorMeasure {
    type Err = SelectError;

    fn from_str(text: &str) -> Result<ErrorMeasure, SelectError> {
        let found = ErrorMeasure::ALL.into_iter().find(|measure| measure.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| SelectError::Measure(text.to_owned()))
    }
}

/// An average size of elements, scales included: `4.25bits` or `4.25`.
///
/// A budget equal to a candidate's nominal size allows this candidate. NVFP4 has a nominal 4.5 bits, but takes 4.5004 for a
/// tensor whose own scale adds 32 bits. A budget of 4.5 bits is raised to the size of NVFP4 for all tensors
/// ([`Selection::raised`]).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Budget(f64);

impl Budget {
    /// Bits for each element.
    pub fn bits(self) -> f64 {
        self.0
    }

    /// Bits for this many elements.
    fn of(self, elements: u64) -> u64 {
        let bits = self.0 * elements as f64;
        // The decimal and the product are each rounded by a relative 2^−53 at most. A whole number this close is what was
        // meant.
        let whole = bits.round();
        let meant = if (bits - whole).abs() <= whole * f64::EPSILON { whole } else { bits.floor() };
        // A cast saturates beyond 2⁶⁴.
        meant as u64
    }
}

impl FromStr for Budget {
    type Err = SelectError;

    fn from_str(text: &str) -> Result<Budget, SelectError> {
        let number = ["bits", "bit", "b"].iter().find_map(|unit| text.strip_suffix(unit)).unwrap_or(text);
        match number.trim().parse::<f64>() {
            Ok(bits) if bits > 0.0 && bits.is_finite() => Ok(Budget(bits)),
            _ => Err(SelectError::Budget(text.to_owned())),
        }
    }
}

/// The reason for which nothing was selected.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The message of a variant says what its fields are.
pub enum SelectError {
    #[error("unknown measure '{0}': must be mse or relative")]
    Measure(String),
    #[error("invalid budget '{0}': must be an average size of elements, such as 4.25bits")]
    Budget(String),
    #[error("a budget of {budget} bits an element is too small: the smallest candidates take {least:.4}")]
    Unaffordable { budget: f64, least: f64 },
    #[error("no candidate fits any tensor")]
    Nothing,
    #[error("duplicate candidate {0}")]
    Twice(String),
    #[error("{0} cannot be mixed with other layouts: auto takes layouts of compressed-tensors")]
    Mixed(&'static str),
    #[error("without a budget, the candidate keep always wins: omit it, or name a budget")]
    KeepWithoutBudget,
}

/// The result of a selection.
#[derive(Clone, Debug, Serialize)]
pub struct Selection {
    /// The measure: `mse` or `relative`.
    pub measure: &'static str,
    /// The budget in bits for each element, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// The raised budget, if a candidate meets the budget by its nominal size but exceeds it in fact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raised: Option<Raised>,
    /// Elements of all tensors in the selection.
    pub elements: u64,
    /// Selected bits for each element, scales included.
    pub bits: f64,
    /// Mean error for each element.
    pub error: f64,
    /// Lower bound of the error of any assignment within the budget.
    pub bound: f64,
    /// The candidates, each applied to all tensors.
    pub candidates: Vec<Uniform>,
    /// The selected candidates, in the order of the tensors.
    pub tensors: Vec<Chosen>,
    /// Bits and error for each element of the best assignments by size.
    pub frontier: Vec<[f64; 2]>,
}

/// A budget that a candidate meets by its nominal size and exceeds in fact. The nominal size omits the scales of whole
/// tensors and rows, and partial blocks at the ends of rows.
#[derive(Clone, Debug, Serialize)]
pub struct Raised {
    /// The candidate.
    pub candidate: String,
    /// Nominal bits of an element, including its part of the block's scale.
    pub nominal: f64,
    /// Actual bits for each element, with the candidate for every tensor that it fits.
    pub bits: f64,
}

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Raised { candidate, nominal, bits } = self;
        write!(
            f,
            "raised to {bits:.4} bits: {candidate} has {nominal} bits an element, and that with the scales of tensors, rows and smaller \
             blocks"
        )
    }
}

/// A candidate applied to all tensors.
#[derive(Clone, Debug, Serialize)]
pub struct Uniform {
    /// Its name.
    pub name: String,
    /// Number of tensors for which it was selected.
    pub tensors: usize,
    /// Share of the elements for which it was selected.
    pub share: f64,
    /// Bits for each element if all tensors use it; `None` if it does not fit some.
    pub bits: Option<f64>,
    /// Error for each element then.
    pub error: Option<f64>,
}

/// A tensor, or several that share a choice.
#[derive(Clone, Debug, Serialize)]
pub struct Chosen {
    /// Names of the tensors.
    pub names: Vec<String>,
    /// Number of elements.
    pub elements: u64,
    /// The selected candidate.
    pub candidate: String,
    /// All candidates that fit, with their cost.
    pub offers: Vec<Offered>,
}

/// Cost of a candidate for a tensor.
#[derive(Clone, Debug, Serialize)]
pub struct Offered {
    /// Its name.
    pub candidate: String,
    /// Bits for each element.
    pub bits: f64,
    /// Error for each element.
    pub error: f64,
}

impl Chosen {
    /// Cost of the selected candidate.
    pub fn offered(&self) -> Option<&Offered> {
        self.offers.iter().find(|offered| offered.candidate == self.candidate)
    }
}

/// A tensor, or several that must have the same candidate, with the results of all candidates.
#[derive(Default)]
pub(crate) struct Item {
    pub(crate) names: Vec<String>,
    pub(crate) elements: u64,
    /// Candidates with their sizes and errors.
    pub(crate) trials: Vec<Trial>,
}

/// Result of a candidate on an item.
pub(crate) struct Trial {
    pub(crate) candidate: usize,
    pub(crate) bits: u64,
    /// Elements and errors of each tensor of the item.
    pub(crate) losses: Vec<(u64, Measures)>,
}

/// A candidate's name and nominal size.
pub(crate) struct NamedCandidate {
    pub(crate) name: String,
    /// Nominal bits of an element, including its part of the block's scale; `None` if the name does not define a size.
    pub(crate) nominal: Option<f64>,
}

/// The raised budget, and its candidate: the largest of those whose nominal size is within the budget.
fn raised(
    named: &[NamedCandidate],
    offers: &[Vec<Offer>],
    budget: Budget,
    bits: u64,
) -> Option<(usize, u64)> {
    let allowed =
        named.iter().enumerate().filter(|(_, named)| named.nominal.is_some_and(|bits| bits <= budget.0));
    let sizes = allowed.filter_map(|(number, _)| {
        let of = |offers: &Vec<Offer>| {
            let own = offers.iter().find(|offer| offer.candidate == number);
            own.or_else(|| offers.iter().min_by_key(|offer| offer.bits)).map(|offer| offer.bits)
        };
        Some((number, offers.iter().map(of).sum::<Option<u64>>()?))
    });
    // The first in a tie.
    sizes.filter(|(_, size)| *size > bits).reduce(|most, next| if next.1 > most.1 { next } else { most })
}

/// Selects a candidate for each item, and reports the selection.
pub(crate) fn select(
    named: &[NamedCandidate],
    items: &[Item],
    measure: ErrorMeasure,
    budget: Option<Budget>,
) -> Result<(Vec<usize>, Selection), SelectError> {
    let elements: u64 = items.iter().map(|item| item.elements).sum();
    if elements == 0 {
        return Err(SelectError::Nothing);
    }
    let offers: Vec<Vec<Offer>> = items
        .iter()
        .map(|item| {
            let of = |trial: &Trial| Offer {
                candidate: trial.candidate,
                bits: trial.bits,
                error: trial.losses.iter().map(|(elements, losses)| measure.of(*elements, losses)).sum(),
            };
            item.trials.iter().map(of).collect()
        })
        .collect();
    // The sum of nothing is −0.
    let each = |x: f64| x / elements as f64 + 0.0;
    let raised = budget.and_then(|budget| raised(named, &offers, budget, budget.of(elements)));
    let within = raised.map(|(_, bits)| bits).or(budget.map(|budget| budget.of(elements)));
    let assigned = assign(&offers, within);
    let Assigned { offers: chosen, bits, error, bound, frontier } =
        assigned.map_err(|Unaffordable(least)| SelectError::Unaffordable {
            budget: budget.map_or(0.0, Budget::bits),
            least: each(least as f64),
        })?;
    let candidates = named.iter().enumerate().map(|(number, NamedCandidate { name, .. })| {
        let taken = || items.iter().zip(&chosen).filter(|(_, offer)| offer.candidate == number);
        let of = |offers: &Vec<Offer>| offers.iter().find(|offer| offer.candidate == number).copied();
        let uniform: Option<Vec<Offer>> = offers.iter().map(of).collect();
        let sum = |of: fn(&Offer) -> f64| uniform.as_ref().map(|all| each(all.iter().map(of).sum()));
        Uniform {
            name: name.clone(),
            tensors: taken().map(|(item, _)| item.names.len()).sum(),
            share: each(taken().map(|(item, _)| item.elements as f64).sum()),
            bits: sum(|offer| offer.bits as f64),
            error: sum(|offer| offer.error),
        }
    });
    let tensors = items.iter().zip(&chosen).zip(&offers).map(|((item, chosen), offers)| Chosen {
        names: item.names.clone(),
        elements: item.elements,
        candidate: named[chosen.candidate].name.clone(),
        offers: offers
            .iter()
            .map(|offer| Offered {
                candidate: named[offer.candidate].name.clone(),
                bits: offer.bits as f64 / item.elements.max(1) as f64,
                error: offer.error / item.elements.max(1) as f64,
            })
            .collect(),
    });
    let selection = Selection {
        measure: measure.name(),
        budget: budget.map(Budget::bits),
        raised: raised.map(|(number, bits)| Raised {
            candidate: named[number].name.clone(),
            nominal: named[number].nominal.unwrap_or(0.0),
            bits: each(bits as f64),
        }),
        elements,
        bits: each(bits as f64),
        error: each(error),
        bound: each(bound),
        candidates: candidates.collect(),
        tensors: tensors.collect(),
        frontier: frontier.iter().map(|&(bits, error)| [each(bits as f64), each(error)]).collect(),
    };
    Ok((chosen.iter().map(|offer| offer.candidate).collect(), selection))
}

/// Checks the names of candidates.
pub(crate) fn check_candidates(
    named: &[NamedCandidate],
    keep: Option<usize>,
    budget: Option<Budget>,
) -> Result<(), SelectError> {
    let names: Vec<&str> = named.iter().map(|named| &*named.name).collect();
    if keep.is_some() && budget.is_none() {
        return Err(SelectError::KeepWithoutBudget);
    }
    match names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        Some((_, twice)) => Err(SelectError::Twice((*twice).to_owned())),
        None => Ok(()),
    }
}

impl Selection {
    /// Draws error against bits: the least error for each size, each candidate for all tensors, and the choice.
    pub fn plot(&self, theme: Theme) -> Drawing {
        let curve: Vec<(f64, f64)> = self.frontier.iter().map(|&[bits, error]| (bits, error)).collect();
        let points: Vec<(&str, f64, f64)> = self
            .candidates
            .iter()
            .filter_map(|candidate| Some((&*candidate.name, candidate.bits?, candidate.error?)))
            .collect();
        let budget = self.budget.map_or(String::new(), |budget| format!(", budget {budget} bits"));
        let noun = if self.tensors.len() == 1 { "choice" } else { "choices" };
        let subtitle = format!(
            "{} elements in {} {noun}{budget}: {:.4} bits an element, error {:.3e}",
            grouped(self.elements),
            self.tensors.len(),
            self.bits,
            self.error
        );
        let plot = TradeOff {
            title: "Error against size",
            subtitle: &subtitle,
            x_axis: "bits an element, scales included",
            y_axis: match self.measure {
                "mse" => "mean square error",
                _ => "mean square error over the tensor's mean square",
            },
            curve: &curve,
            points: &points,
            chosen: (self.bits, self.error),
        };
        trade_off(&plot, theme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_parse_to_bits() {
        assert_eq!("4.25bits".parse::<Budget>().unwrap().bits(), 4.25);
        assert_eq!(" 4".trim().parse::<Budget>().unwrap().of(10), 40);
        for wrong in ["", "bits", "-1", "nan", "0bits", "inf", "4 bytes"] {
            assert!(wrong.parse::<Budget>().is_err(), "{wrong}");
        }
        // 4.35 is below 435/100 in binary64, and 100 times it below 435.
        for (text, elements, bits) in
            [("4.35", 100, 435), ("4.3", 10, 43), ("4.35", 101, 439), ("0.1", 30, 3)]
        {
            assert_eq!(text.parse::<Budget>().unwrap().of(elements), bits, "{text} {elements}");
        }
    }

    #[test]
    fn budget_of_a_nominal_size_allows_its_candidate() {
        let named = |name: &str, nominal| NamedCandidate { name: name.to_owned(), nominal };
        let named = [named("four", Some(4.25)), named("half", Some(4.5)), named("keep", None)];
        let mut measures = Measures::default();
        measures.add(&[1.0], &[0.5]);
        let trial = |candidate, bits, errors: usize| Trial {
            candidate,
            bits,
            losses: vec![(100, measures.clone()); errors],
        };
        let item = |name: &str| Item {
            names: vec![name.to_owned()],
            elements: 100,
            trials: vec![trial(0, 425, 2), trial(1, 482, 1), trial(2, 1600, 0)],
        };
        let chosen = |budget: &str| {
            let budget = Some(budget.parse().unwrap());
            select(&named, &[item("a"), item("b")], ErrorMeasure::Mse, budget).unwrap()
        };
        let (picks, selection) = chosen("4.5bits");
        assert_eq!((picks, selection.bits), (vec![1, 1], 4.82));
        let raised = selection.raised.unwrap();
        assert_eq!((&*raised.candidate, raised.nominal, raised.bits), ("half", 4.5, 4.82));
        // Below the nominal size the budget is strict, and so it is above the actual size.
        let (picks, selection) = chosen("4.49bits");
        assert_eq!((picks, selection.raised.is_none()), (vec![0, 0], true));
        let (picks, selection) = chosen("4.82bits");
        assert_eq!((picks, selection.raised.is_none()), (vec![1, 1], true));
    }
}
