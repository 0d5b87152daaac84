//! The operators that regions support, and their multiply-adds.

use binade::operator::{Compound, Variant};
use iced_x86::RoundingControl;

use crate::fma::{Addend, Element, Fma, Form};
use crate::trampoline::{self, ProgramRounding};

/// The operators that regions compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// The machine's own.
    Identity,
    /// N input parts, M accumulator parts.
    Parts { inputs: usize, accumulator: usize, products: usize, listing: bool },
    /// The machine's own by another rounding, other than stochastic. Up needs no AVX-512.
    Rounded(ProgramRounding),
}

impl Rule {
    pub(crate) fn of(target: &trampoline::Target) -> Option<Rule> {
        if target.identity() {
            return Some(Rule::Identity);
        }
        if let Some(rounding) = target.rounding {
            let supported = match rounding {
                ProgramRounding::Up => true,
                ProgramRounding::Down | ProgramRounding::Random => target.level.wide(),
                ProgramRounding::Stochastic => false,
            };
            return Some(Rule::Rounded(rounding)).filter(|_| supported);
        }
        match target.operator.as_compound()? {
            Compound { flush: true, .. } | Compound { variant: Variant::Exact, .. } => None,
            Compound { inputs, accumulator, products, variant, .. } => {
                Some(Rule::Parts { inputs, accumulator, products, listing: variant == Variant::Listing })
            }
        }
    }

    /// Parts of an input.
    pub(crate) fn inputs(self) -> usize {
        if let Rule::Parts { inputs, .. } = self { inputs } else { 1 }
    }

    /// True if operands have parts of BF16.
    pub(crate) fn has_parts(self) -> bool {
        matches!(self, Rule::Parts { .. })
    }

    /// True if an addend is rounded as an input is.
    pub(crate) fn rounds_addend(self) -> bool {
        matches!(self, Rule::Parts { inputs: 1, accumulator: 1, .. })
    }

    /// The kind of multiply-add that a region cannot contain, if this is one.
    pub(crate) fn obstacle(self, fma: &Fma) -> Option<&'static str> {
        let (inputs, accumulator, listing) = match self {
            Rule::Identity => return None,
            Rule::Parts { inputs, accumulator, listing, .. } => (inputs, accumulator, listing),
            Rule::Rounded(_) => (1, 1, false),
        };
        // The sum of several parts is never −0, unless a nonzero number became that. So the signs of zeros, which negated
        // operands differ in from negated parts, have no effect but on the sums of Listing 1.
        let signs = fma.negate_product || fma.addend != Addend::Add;
        match fma.form {
            Form::Dot | Form::Across => Some("dot products"),
            Form::Multiply | Form::Add | Form::Horizontal => Some("separate products or sums"),
            _ if fma.element == Element::F64 => Some("binary64 multiply-adds"),
            _ if fma.mask().is_some() => Some("multiply-adds under a mask"),
            _ if !matches!(fma.addend, Addend::Add | Addend::Subtract) => {
                Some("multiply-adds of alternating signs")
            }
            _ if listing && signs && (inputs, accumulator) != (1, 1) => {
                Some("multiply-adds with a negated operand, under the listing's sums")
            }
            _ if fma.scalar
                && self == Rule::Rounded(ProgramRounding::Up)
                && fma.instruction.rounding_control() != RoundingControl::None =>
            {
                Some("scalar multiply-adds with a rounding of their own")
            }
            Form::Fused(_) => None,
        }
    }
}
