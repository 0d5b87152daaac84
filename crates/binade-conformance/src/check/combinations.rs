//! Combinations of formats over which relations are evaluated.

use binade::Spec;

use super::expression::Expression;
use super::real::Effort;
use crate::names;

/// The largest number of combinations that relations are evaluated over.
const MOST_COMBINATIONS: u64 = 1 << 20;

/// The combinations of `variables` formats.
pub(super) struct Combinations {
    formats: Vec<Spec>,
    variables: usize,
    next: u64,
    /// The number of combinations.
    pub(super) of: u64,
    /// True if they are of all formats. Otherwise the last formats are left out, so that at most [`MOST_COMBINATIONS`] remain.
    pub(super) is_complete: bool,
}

impl Combinations {
    pub(super) fn new(mut formats: Vec<Spec>, variables: usize) -> Combinations {
        let before = formats.len();
        while (formats.len() as u64).checked_pow(variables as u32).is_none_or(|of| of > MOST_COMBINATIONS) {
            formats.pop();
        }
        let of = (formats.len() as u64).pow(variables as u32);
        Combinations { variables, next: 0, of, is_complete: formats.len() == before, formats }
    }
}

impl Iterator for Combinations {
    type Item = Vec<Spec>;

    fn next(&mut self) -> Option<Vec<Spec>> {
        let mut rest = (self.next < self.of).then_some(self.next)?;
        self.next += 1;
        let count = self.formats.len() as u64;
        let mut chosen = vec![];
        for _ in 0..self.variables {
            chosen.push(self.formats[(rest % count) as usize].clone());
            rest /= count;
        }
        Some(chosen)
    }
}

/// Returns true if all relations hold for these formats.
pub(super) fn all_hold(relations: &[Expression], formats: &[Spec], effort: &Effort) -> Result<bool, String> {
    let mut all = true;
    for relation in relations {
        all &= relation.holds(formats, effort)?;
    }
    Ok(all)
}

/// The formats that 4.0 demands (§4.5): F4, F8 and FX.
pub(super) fn mandatory_formats() -> Vec<Spec> {
    let names = ["Binary4p2sf", "Binary8p3se", "Binary8p4se", "binary16", "BFloat16", "binary32"];
    names.iter().filter_map(|name| names::format(name).ok()).collect()
}
