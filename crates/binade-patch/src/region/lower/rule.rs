//! Which operators regions compute, and which multiply-adds under them.

use binade::operator::{Compound, Variant};

use crate::fma::{Addend, Element, Fma};
use crate::trampoline;

/// The operators that regions compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::region) enum Rule {
    /// The machine's own.
    Identity,
    /// N input parts, M accumulator parts.
    Parts { inputs: usize, accumulator: usize, products: usize, listing: bool },
}

impl Rule {
    pub(in crate::region) fn of(target: &trampoline::Target) -> Option<Rule> {
        if target.identity() {
            return Some(Rule::Identity);
        }
        match target.operator.as_compound()? {
            Compound { flush: true, .. } | Compound { variant: Variant::Exact, .. } => None,
            Compound { inputs, accumulator, products, variant, .. } => {
                Some(Rule::Parts { inputs, accumulator, products, listing: variant == Variant::Listing })
            }
        }
    }

    /// Parts of an input.
    pub(in crate::region) fn inputs(self) -> usize {
        if let Rule::Parts { inputs, .. } = self { inputs } else { 1 }
    }

    /// Whether a region may contain a multiply-add.
    pub(in crate::region) fn supports(self, fma: &Fma) -> bool {
        let Rule::Parts { inputs, accumulator, listing, .. } = self else { return true };
        let plain = fma.fused() && fma.element == Element::F32 && !fma.scalar && fma.mask().is_none();
        // The sum of several parts is never −0, unless a nonzero number became that. So the signs of zeros, which negated
        // operands differ in from negated parts, have no effect but on the sums of Listing 1.
        let signs = fma.negate_product || fma.addend != Addend::Add;
        let exact = !listing || !signs || (inputs, accumulator) == (1, 1);
        plain && exact && matches!(fma.addend, Addend::Add | Addend::Subtract)
    }
}
