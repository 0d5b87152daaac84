//! Operands that no instruction of a loop writes: they are rounded, or split into their parts, once on the way in.

use super::rule::Rule;
use super::segment::Segment;
use crate::fma::{Fma, Operand};
use crate::region::graph::Vectors;
use crate::region::ir::{Opcode, Operation, Place, Width};

/// An operand that stays the same throughout a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Invariant {
    /// The program's register.
    pub(crate) register: u8,
    /// True if it is an operand of scalar multiply-adds: then its parts are those of the first lane, with 0 in the others.
    pub(crate) scalar: bool,
    /// The registers that its parts have in the copy.
    pub(crate) parts: Vec<u8>,
}

impl Invariant {
    /// The operands of multiply-adds that are worth it, given the registers that the region writes.
    pub(crate) fn candidates<'a>(
        rule: Rule,
        sites: impl Iterator<Item = &'a Fma>,
        written: Vectors,
    ) -> Vec<(u8, bool)> {
        let mut all = Vec::new();
        for fma in sites {
            let addend = rule.rounds_addend().then(|| fma.c());
            for operand in [fma.a(), fma.b()].into_iter().chain(addend) {
                let Operand::Register(register) = operand else { continue };
                let candidate = (register.number() as u8, fma.scalar);
                if written >> register.number() & 1 == 0 && !all.contains(&candidate) {
                    all.push(candidate);
                }
            }
        }
        all
    }

    /// The operations that make its parts, of vectors of a length.
    pub(crate) fn prepare(&self, rule: Rule, width: Width) -> Vec<Operation> {
        let mut segment = Segment::default();
        let width = if self.scalar { Width::Xmm } else { width };
        let opcode = if self.scalar { Opcode::FirstLane } else { Opcode::Move };
        let x = segment.temporary();
        segment.unary(opcode, width, x, Place::Register(self.register));
        segment.quiet(width, x);
        let parts = segment.inputs(width, x, rule.inputs(), false);
        for (&to, part) in self.parts.iter().zip(parts) {
            segment.unary(Opcode::Move, width, Place::Register(to), part);
        }
        segment.end()
    }
}
