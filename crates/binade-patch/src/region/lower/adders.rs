//! The BF16s of a quick copy that are rounded by additions.

use super::rule::Rule;
use crate::trampoline::{Level, Target, Units};

/// Which BF16s of a [quick](crate::region::quick) copy are made by two subtractions in place of a fused step.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) enum Adders {
    #[default]
    None,
    /// Every other one, of vectors shorter than 512 bits.
    Half,
    /// All BF16s of sums, and every other one of factors.
    Sums,
    All,
}

impl Adders {
    /// Under a rule, on a target.
    pub(crate) fn of(rule: Rule, target: &Target) -> Adders {
        match rule {
            Rule::Parts { inputs: 1, .. } if target.units == Units::Shared => Adders::Half,
            Rule::Parts { inputs: 1, .. } if target.level == Level::Avx2 => Adders::Sums,
            Rule::Parts { inputs: 1, .. } => Adders::All,
            _ => Adders::None,
        }
    }
}
