//! One instruction of the program, as operations of the segment.

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::Lowering;
use super::facts::Facts;
use super::invariant::Invariant;
use super::rounded::first_is_loose;
use super::rule::Rule;
use crate::fma::{Addend, Fma, Operand};
use crate::region::graph::Vectors;
use crate::region::ir::{Constant, Opcode, Place, Signs, Width, loads};

impl Lowering<'_> {
    /// An instruction of the program as it is.
    pub(super) fn copy(&mut self, instruction: &Instruction, facts: &mut Facts) {
        let effects = &self.graph.effects[self.segment.origin];
        let (reads, writes) = (effects.reads, effects.writes);
        let loaded = loads(instruction).filter(|r| Width::of(r.size()) <= self.width);
        if let Some(register) = loaded.filter(|_| self.rule != Rule::Identity) {
            return self.load(instruction, register, facts);
        }
        self.values.settle(reads, &mut self.segment, self.width);
        self.values.forget(writes);
        let open = reads & facts.open;
        for register in (0..32).filter(|r| open >> r & 1 == 1) {
            self.close(register, facts);
        }
        let seen = reads & facts.loose;
        facts.loose &= !seen;
        for register in (0..32).filter(|r| seen >> r & 1 == 1) {
            // The canonical NaN, unless the value is none.
            let (segment, width) = (&mut self.segment, self.width);
            let (value, home) = (segment.temporary(), Place::Register(register));
            segment.operation(Opcode::Broadcast(Constant::CanonicalNan), width, value, [None, None]);
            segment.unary(Opcode::Fixup(Constant::UnlessNan), width, value, home);
            segment.unary(Opcode::Move, width, home, value);
        }
        let seen = reads & facts.first;
        facts.first &= !seen;
        for register in (0..32).filter(|r| seen >> r & 1 == 1) {
            let (segment, width, home) = (&mut self.segment, Width::Xmm, Place::Register(register));
            let value = segment.temporary();
            segment.operation(Opcode::Broadcast(Constant::CanonicalNan), width, value, [None, None]);
            segment.unary(Opcode::Fixup(Constant::UnlessNan), width, value, home);
            segment.operation(Opcode::WithFirstLane, width, home, [Some(home), Some(value)]);
        }
        self.segment.guest(Opcode::Guest(*instruction), self.width);
        facts.forget(writes);
        if let Some(register) = cleared(instruction) {
            let bit = 1 << register.number();
            facts.clean |= bit;
            facts.finished |= bit;
            facts.rounded |= bit;
        }
    }

    /// Splits and joins the sum in a register, which is not hosted.
    fn close(&mut self, register: u8, facts: &mut Facts) {
        let Rule::Parts { accumulator, .. } = self.rule else { return };
        let (width, home) = (self.width, self.values.home(register));
        let rest = self.segment.temporary();
        self.segment.unary(Opcode::Move, width, rest, home);
        let parts = self.segment.split(width, rest, accumulator, None, false);
        self.segment.join(width, &parts, home);
        facts.open &= !(1 << register);
        facts.finished |= 1 << register;
    }

    /// A load of the program, whose value is a temporary's until something needs it in its register.
    fn load(&mut self, instruction: &Instruction, register: Register, facts: &mut Facts) {
        let (number, bit, width) =
            (register.number() as u8, 1 << register.number(), Width::of(register.size()));
        facts.forget(bit);
        self.values.shadows.remove(&number);
        self.values.first_lanes.remove(&number);
        self.values.hashes.retain(|&(register, _), _| register != number);
        let inputs = self.rule.inputs();
        let bytes = if instruction.mnemonic() == Mnemonic::Vbroadcastsd { 8 } else { 4 };
        let home = self.at_home.then_some(Place::Register(number));
        let value = match self.broadcast(bytes, width, inputs, home) {
            Some(parts) if inputs == 1 => {
                facts.clean |= bit;
                facts.rounded |= bit;
                parts[0]
            }
            Some(parts) => {
                let head = parts[0];
                self.values.shadows.insert(number, parts);
                head
            }
            None => {
                let value = home.unwrap_or_else(|| self.segment.temporary());
                self.segment.operation(Opcode::Load(*instruction), width, value, [None; 2]);
                value
            }
        };
        if self.at_home {
            self.values.return_home(number);
        } else {
            self.values.rename(number, value);
        }
    }

    /// The input parts of what the current instruction broadcasts, if that is of a row; the first in a given place.
    fn broadcast(&mut self, bytes: u8, width: Width, inputs: usize, to: Option<Place>) -> Option<Vec<Place>> {
        self.broadcasts.parts(bytes, width, (inputs, to), &mut self.segment, &mut self.slots)
    }

    /// The input parts of an operand.
    fn factor(&mut self, fma: &Fma, operand: Operand, inputs: usize, facts: &mut Facts) -> Vec<Place> {
        let Operand::Register(register) = operand else {
            let width = Width::of(fma.width());
            if let Some(parts) = self.broadcast(4, width, inputs, None) {
                return parts;
            }
            let x = self.segment.temporary();
            self.segment.operation(Opcode::Load(fma.instruction), width, x, [None; 2]);
            self.segment.quiet(width, x);
            return self.segment.inputs(width, x, inputs, false);
        };
        let (register, width) = (register.number() as u8, self.width);
        let (bit, home) = (1 << register, self.values.home(register));
        if let Some(parts) = self.invariant(register, false) {
            return parts;
        }
        if facts.open & bit != 0 {
            self.close(register, facts);
        }
        if inputs == 1 && facts.rounded & bit != 0 {
            return vec![home];
        }
        if facts.split & bit != 0 {
            let part = |i| self.values.part(register, i, &mut self.slots);
            return std::iter::once(home).chain((1..inputs).map(part)).collect();
        }
        if let Some(shadow) = self.values.shadows.get(&register) {
            return shadow.clone();
        }
        let (clean, exact) = (facts.clean & bit != 0, facts.finished & bit != 0);
        if self.raw[self.segment.origin] & bit != 0 {
            let x = self.segment.temporary();
            self.segment.unary(Opcode::Move, width, x, home);
            if !clean {
                self.segment.quiet(width, x);
            }
            let parts = self.segment.inputs(width, x, inputs, exact);
            self.values.shadows.insert(register, parts.clone());
            return parts;
        }
        // Nobody needs the bits themselves: the leading part takes their place.
        if !clean {
            self.segment.quiet(width, home);
        }
        facts.clean |= bit;
        facts.loose &= !bit;
        facts.first &= !bit;
        facts.finished &= !bit;
        if inputs == 1 {
            self.segment.round(width, home);
            facts.rounded |= bit;
            return vec![home];
        }
        let rest = self.segment.temporary();
        self.segment.unary(Opcode::Move, width, rest, home);
        self.segment.round(width, home);
        let mut parts = self.segment.lower_parts(width, home, rest, inputs, Some(Constant::Infinity), exact);
        self.values.next_parts(register);
        for (i, part) in parts.iter_mut().enumerate().skip(1) {
            let slot = self.values.part(register, i, &mut self.slots);
            self.segment.unary(Opcode::Move, width, slot, *part);
            *part = slot;
        }
        facts.split |= bit;
        parts
    }

    /// The parts of an operand that no instruction of the region writes, if they are in registers.
    fn invariant(&self, register: u8, scalar: bool) -> Option<Vec<Place>> {
        let same = |i: &&Invariant| (i.register, i.scalar) == (register, scalar);
        let found = self.invariants.iter().find(same)?;
        Some(found.parts.iter().copied().map(Place::Register).collect())
    }

    /// The same of an addend that is rounded as inputs are.
    fn invariant_addend(&self, fma: &Fma) -> Option<Place> {
        let Operand::Register(register) = fma.c() else { return None };
        let found = self.rule.rounds_addend().then(|| self.invariant(register.number() as u8, fma.scalar));
        Some(found??[0])
    }

    /// The addend, to be used up, and whether it is clean and finished; in its own register if that is `reuse`.
    pub(super) fn addend(&mut self, fma: &Fma, facts: &Facts, reuse: Option<Place>) -> (Place, bool, bool) {
        let width = Width::of(fma.width());
        let Operand::Register(register) = fma.c() else {
            let x = self.segment.temporary();
            self.segment.operation(Opcode::Load(fma.instruction), width, x, [None; 2]);
            return (x, false, false);
        };
        let (number, bit) = (register.number() as u8, 1 << register.number());
        let (clean, finished) = (facts.clean & bit != 0, facts.finished & bit != 0);
        if self.hosted & bit != 0 {
            // Its register has the one use, so that its value moves on.
            let value = self.values.take_hosted(number, &mut self.segment, &mut self.slots);
            return (value, clean, finished);
        }
        let home = self.values.home(number);
        if reuse == Some(home) {
            return (home, clean, finished);
        }
        let x = self.segment.temporary();
        self.segment.unary(Opcode::Move, width, x, self.invariant_addend(fma).unwrap_or(home));
        (x, clean, finished)
    }

    /// d = ±a · b ± c under the operator.
    pub(super) fn multiply_add(&mut self, fma: &Fma, facts: &mut Facts) {
        let Rule::Parts { inputs, accumulator, listing, .. } = self.rule else { return };
        let width = Width::of(fma.width());
        let number = fma.destination().number() as u8;
        let (bit, home) = (1 << number, self.values.home(number));
        let a = self.factor(fma, fma.a(), inputs, facts);
        self.segment.begin_task();
        let b = self.factor(fma, fma.b(), inputs, facts);
        self.segment.begin_task();
        // A single BF16 is worked on where it is.
        let in_place = (inputs, accumulator) == (1, 1) && fma.c() == Operand::Register(fma.destination());
        let rounded = in_place && facts.rounded & bit != 0;
        let apart = !a.contains(&home) && !b.contains(&home);
        let parts_in_place = inputs > 1 && fma.c() == Operand::Register(fma.destination());
        let reuse = (in_place && rounded || (in_place || parts_in_place) && apart).then_some(home);
        let (c, clean, finished) = self.addend(fma, facts, reuse);
        let of_register =
            |set: Vectors| matches!(fma.c(), Operand::Register(c) if set >> c.number() & 1 == 1);
        let rounded = of_register(facts.rounded) || self.invariant_addend(fma).is_some();
        let open = of_register(facts.open);
        let hosted = self.hosted & bit != 0;
        let to = (self.segment.quick && inputs > 1 && !hosted).then(|| self.values.return_home(number));
        let sum = self.sum(fma, width, [&a, &b], (c, Addition { clean, finished, rounded, open }), to);
        // What was loaded as a temporary is in the program's register from the first sum on: it may be one of many
        // accumulators, and there are fewer temporaries.
        let target = if self.hosted & bit != 0 { sum } else { self.values.return_home(number) };
        let open = self.segment.quick && inputs > 1;
        if self.segment.quick {
            if !open {
                self.segment.round_sum(width, sum);
            }
            if target != sum {
                self.segment.unary(Opcode::Move, width, target, sum);
            }
        } else {
            self.finish(width, sum, target);
        }
        if self.hosted & bit != 0 {
            self.values.put_hosted(number, target);
        }
        self.values.shadows.remove(&number);
        self.values.first_lanes.remove(&number);
        facts.forget(bit);
        facts.clean |= bit;
        facts.loose |= bit;
        facts.open |= if open { bit } else { 0 };
        if !listing && !open {
            facts.finished |= bit;
            facts.rounded |= if accumulator == 1 { bit } else { 0 };
        }
    }

    /// ±a · b ± c of parts and an addend that is used up, ahead of its rounding to the accumulator's parts; of several input parts
    /// at `to`, if that is given.
    fn sum(
        &mut self,
        fma: &Fma,
        width: Width,
        [a, b]: [&[Place]; 2],
        (c, known): (Place, Addition),
        to: Option<Place>,
    ) -> Place {
        let Rule::Parts { inputs, accumulator, products, .. } = self.rule else { return c };
        let Addition { clean, finished, rounded, open } = known;
        let mut signs =
            Signs { negate_product: fma.negate_product, subtract: fma.addend == Addend::Subtract };
        if inputs == 1 {
            if accumulator == 1 {
                if !rounded {
                    if !clean {
                        self.segment.quiet(width, c);
                    }
                    self.segment.round(width, c);
                }
            } else if finished {
                // A sum of two parts may lie where its leading part rounds to infinity, just there.
                if accumulator == 2 {
                    let bound = self.segment.temporary();
                    self.segment.unary(Opcode::AddInteger(Constant::Half), width, bound, c);
                    self.segment.unary(Opcode::Fixup(Constant::Infinity), width, c, bound);
                }
            } else {
                if !clean {
                    self.segment.quiet(width, c);
                }
                let parts = self.segment.split(width, c, accumulator, Some(Constant::InfinityToZero), false);
                self.segment.join(width, &parts, c);
            }
            self.segment.operation(Opcode::MultiplyAdd(signs), width, c, [Some(a[0]), Some(b[0])]);
            return c;
        }
        let product = self.segment.product(width, a, b, products);
        if signs.negate_product && signs.subtract {
            self.segment.unary(Opcode::Xor(Constant::Sign), width, product, product);
            signs.negate_product = false;
        }
        let m = self.segment.split(width, product, inputs, None, false);
        if !clean {
            self.segment.quiet(width, c);
        }
        let c = if open {
            let head = self.segment.leading_of_sum(width, c);
            self.segment.lower_parts(width, head, c, accumulator, None, false)
        } else {
            self.segment.split(width, c, accumulator, None, finished)
        };
        for i in 0..inputs {
            let (opcode, x, y) = match (signs.negate_product, signs.subtract) {
                (false, false) => (Opcode::Add, m[i], c[i]),
                (true, _) => (Opcode::Subtract, c[i], m[i]),
                (false, true) => (Opcode::Subtract, m[i], c[i]),
            };
            self.segment.operation(opcode, width, m[i], [Some(x), Some(y)]);
        }
        if inputs == 3 {
            self.segment.operation(Opcode::Add, width, m[1], [Some(m[2]), Some(m[1])]);
        }
        // Where a leading part is not finite, the others have no say; here they may be anything.
        if !self.segment.quick {
            self.segment.unary(Opcode::Fixup(Constant::FiniteOrZero), width, m[1], m[1]);
        }
        let to = to.unwrap_or(m[0]);
        self.segment.operation(Opcode::Add, width, to, [Some(m[0]), Some(m[1])]);
        to
    }

    /// A sum rounded to the accumulator's parts, as usual copies do; it is used up.
    fn finish(&mut self, width: Width, sum: Place, target: Place) {
        let Rule::Parts { accumulator, listing, .. } = self.rule else { return };
        if listing {
            self.segment.unary(Opcode::Move, width, target, sum);
        } else if accumulator == 1 {
            let parity = self.segment.temporary();
            self.segment.unary(Opcode::Parity, width, parity, sum);
            self.segment.unary(Opcode::Weigh, width, sum, parity);
            self.segment.unary(Opcode::Truncate, width, target, sum);
        } else {
            let parts = self.segment.split(width, sum, accumulator, Some(Constant::InfinityToZero), false);
            self.segment.join(width, &parts, target);
        }
    }

    /// The same of a scalar multiply-add, in temporaries whose other lanes are 0, so that these raise no exceptions.
    pub(super) fn scalar_multiply_add(&mut self, fma: &Fma, facts: &mut Facts) {
        let Rule::Parts { inputs, accumulator, listing, .. } = self.rule else { return };
        let width = Width::Xmm;
        let number = fma.destination().number() as u8;
        let (bit, rest) = (1 << number, self.values.home(number));
        let a = self.scalar_factor(fma, fma.a(), facts);
        self.segment.begin_task();
        let b = self.scalar_factor(fma, fma.b(), facts);
        self.segment.begin_task();
        let (c, known) = self.scalar_addend(fma, facts);
        let sum = self.sum(fma, width, [&a, &b], (c, known), None);
        let result = self.segment.temporary();
        self.finish(width, sum, result);
        let home = self.values.return_home(number);
        self.segment.operation(Opcode::WithFirstLane, width, home, [Some(rest), Some(result)]);
        self.values.shadows.remove(&number);
        self.values.first_lanes.remove(&number);
        if (inputs, accumulator, listing) == (1, 1, false) {
            self.values.first_lanes.insert(number, vec![result]);
        }
        first_is_loose(facts, bit);
    }

    /// The first lane of a register in a temporary.
    pub(super) fn first_lane(&mut self, register: u8) -> Place {
        let (x, home) = (self.segment.temporary(), self.values.home(register));
        self.segment.unary(Opcode::FirstLane, Width::Xmm, x, home);
        x
    }

    /// An operand of a scalar multiply-add that is in memory.
    pub(super) fn scalar_load(&mut self, fma: &Fma) -> Place {
        let x = self.segment.temporary();
        self.segment.operation(Opcode::Load(fma.instruction), Width::Xmm, x, [None; 2]);
        x
    }

    /// The input parts of a scalar multiply-add's operand.
    fn scalar_factor(&mut self, fma: &Fma, operand: Operand, facts: &Facts) -> Vec<Place> {
        let Rule::Parts { inputs, accumulator, listing, .. } = self.rule else { return Vec::new() };
        let Operand::Register(register) = operand else {
            let x = self.scalar_load(fma);
            self.segment.quiet(Width::Xmm, x);
            return self.segment.inputs(Width::Xmm, x, inputs, false);
        };
        let number = register.number() as u8;
        if let Some(parts) = self.invariant(number, true) {
            return parts;
        }
        if let Some(parts) = self.values.first_lanes.get(&number) {
            return parts.clone();
        }
        let known = facts.first >> number & 1 == 1;
        let x = self.first_lane(number);
        let parts = if known && (inputs, accumulator, listing) == (1, 1, false) {
            vec![x]
        } else {
            if !known {
                self.segment.quiet(Width::Xmm, x);
            }
            self.segment.inputs(Width::Xmm, x, inputs, known && !listing)
        };
        self.values.first_lanes.insert(number, parts.clone());
        parts
    }

    /// The addend of a scalar multiply-add, to be used up.
    fn scalar_addend(&mut self, fma: &Fma, facts: &Facts) -> (Place, Addition) {
        let Rule::Parts { inputs, accumulator, listing, .. } = self.rule else {
            return (self.segment.temporary(), Addition::default());
        };
        let Operand::Register(register) = fma.c() else {
            return (self.scalar_load(fma), Addition::default());
        };
        let number = register.number() as u8;
        let single = (inputs, accumulator) == (1, 1);
        let in_lane = self.values.first_lanes.get(&number).filter(|_| single).map(|parts| parts[0]);
        if let Some(from) = self.invariant_addend(fma).or(in_lane) {
            let x = self.segment.temporary();
            self.segment.unary(Opcode::Move, Width::Xmm, x, from);
            return (x, Addition { rounded: true, ..Addition::default() });
        }
        let clean = facts.first >> number & 1 == 1;
        let finished = clean && !listing;
        let known = Addition { clean, finished, rounded: finished && accumulator == 1, open: false };
        (self.first_lane(number), known)
    }
}

/// Facts about an addend.
#[derive(Clone, Copy, Default)]
struct Addition {
    /// Its NaNs are quiet and have no payload.
    clean: bool,
    /// It is what a multiply-add leaves in an accumulator.
    finished: bool,
    /// It is a BF16.
    rounded: bool,
    /// It is a sum that is yet to be split and joined.
    open: bool,
}

/// The register that an instruction sets to zero by combining a register with itself.
fn cleared(instruction: &Instruction) -> Option<Register> {
    let exclusive = matches!(
        instruction.mnemonic(),
        Mnemonic::Vxorps | Mnemonic::Vxorpd | Mnemonic::Vpxor | Mnemonic::Vpxord | Mnemonic::Vpxorq
    );
    let itself = instruction.op_count() == 3
        && instruction.op_kind(2) == OpKind::Register
        && instruction.op_register(1) == instruction.op_register(2)
        && instruction.op_mask() == Register::None;
    (exclusive && itself).then(|| instruction.op_register(0))
}
