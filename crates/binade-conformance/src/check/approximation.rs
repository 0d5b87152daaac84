//! Declared approximations: intervals with their κ, relations between formats, and modes.

use binade::{Projection, Rounding, Saturation, Spec};

use super::expression::Expression;
use super::kappa::Interval;
use super::real::Effort;
use crate::modes::Mode;

/// An interval of operands with its declared κ.
#[derive(Clone)]
pub(super) struct DeclaredKappa {
    pub(super) interval: Interval,
    pub(super) kappa: u64,
    pub(super) line: usize,
}

/// A declared approximation of an operation.
pub(super) struct Approximation {
    pub(super) file: String,
    pub(super) name: String,
    /// The configurations that it is declared for.
    pub(super) contexts: Vec<String>,
    pub(super) operation: Option<String>,
    pub(super) declared: Vec<DeclaredKappa>,
    pub(super) relations: Vec<Expression>,
    /// The projections that it is declared for; any, if there are none.
    pub(super) projections: Vec<ModeSets>,
}

/// A set of rounding modes and a set of saturation modes, in any combination; `None` is the set of all.
#[derive(Default)]
pub(super) struct ModeSets {
    pub(super) rounding: Option<Vec<Mode>>,
    pub(super) saturation: Option<Vec<Saturation>>,
}

impl ModeSets {
    pub(super) fn contain(&self, how: Projection) -> bool {
        let rounds = |mode: &Mode| match (*mode, how.rounding) {
            (Mode::Stochastic(variant), Rounding::Stochastic { variant: drawn, .. }) => variant == drawn,
            (mode, rounding) => mode == Mode::Fixed(rounding),
        };
        self.rounding.as_ref().is_none_or(|modes| modes.iter().any(rounds))
            && self.saturation.as_ref().is_none_or(|modes| modes.contains(&how.saturation))
    }
}

/// Checks that no interval is empty and that no two overlap. The error has the line of an interval and a message.
pub(super) fn check_disjoint(
    intervals: &[DeclaredKappa],
    formats: &[Spec],
    effort: &Effort,
) -> Result<(), (usize, String)> {
    // As long as each interval is above its predecessor, it is above all earlier ones, and one comparison is enough.
    let mut ascending = true;
    for (at, DeclaredKappa { interval, line, .. }) in intervals.iter().enumerate() {
        interval.check(formats, effort).map_err(|message| (*line, message))?;
        if ascending && let Some(last) = intervals[..at].last() {
            ascending =
                last.interval.is_below(interval, formats, effort).map_err(|message| (*line, message))?;
        }
        if ascending {
            continue;
        }
        for DeclaredKappa { interval: other, .. } in &intervals[..at] {
            if other.overlaps(interval, formats, effort).map_err(|message| (*line, message))? {
                let message = format!("the intervals {} and {} overlap", other.text(), interval.text());
                return Err((*line, message));
            }
        }
    }
    Ok(())
}
