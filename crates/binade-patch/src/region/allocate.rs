//! Registers for the temporaries of a segment: a linear scan which evicts what is needed last.

use std::collections::BTreeMap;

use super::ir::{Opcode, Operation, Place, Width};

/// Places of one segment's temporaries.
struct Allocator<'a> {
    pool: &'a [u8],
    /// Positions at which a temporary occurs, in reverse.
    uses: BTreeMap<u16, Vec<usize>>,
    held: BTreeMap<u16, u8>,
    /// The source of a temporary that is read again from its first place, rather than copied to the frame.
    repeatable: BTreeMap<u16, Operation>,
    /// Copies in the frame.
    spilled: BTreeMap<u16, u16>,
    free_slots: Vec<u16>,
    /// Slots in use or free again.
    slots: u16,
    width: Width,
    out: Vec<Operation>,
}

/// The first of the slots for temporaries that get no register: numbers of the segment's own, to be given slots of the frame.
pub(super) const SPILLS: u16 = 0x4000;

/// Gives the temporaries of a scheduled segment registers of `pool`, and slots from [`SPILLS`] on where those do not suffice. The
/// pool must have at least three registers, one for each operand of an operation.
pub(super) fn allocate(operations: &[Operation], pool: &[u8], width: Width) -> Vec<Operation> {
    let mut uses: BTreeMap<u16, Vec<usize>> = BTreeMap::new();
    for (k, operation) in operations.iter().enumerate().rev() {
        for place in operation.from.iter().chain([&operation.to]).flatten() {
            if let Place::Temporary(t) = place {
                let positions = uses.entry(*t).or_default();
                if positions.last() != Some(&k) {
                    positions.push(k);
                }
            }
        }
    }
    let mut allocator = Allocator {
        pool,
        uses,
        held: BTreeMap::new(),
        repeatable: BTreeMap::new(),
        spilled: BTreeMap::new(),
        free_slots: Vec::new(),
        slots: 0,
        width,
        out: Vec::with_capacity(operations.len()),
    };
    for (k, operation) in operations.iter().enumerate() {
        allocator.place(k, *operation);
    }
    allocator.out
}

impl Allocator<'_> {
    fn place(&mut self, k: usize, mut operation: Operation) {
        let busy: Vec<u16> = operation
            .from
            .iter()
            .chain([&operation.to])
            .flatten()
            .filter_map(|place| if let Place::Temporary(t) = place { Some(*t) } else { None })
            .collect();
        let target = operation.to;
        let sources: Vec<u16> = busy
            .iter()
            .copied()
            .filter(|&t| operation.from.contains(&Some(Place::Temporary(t))))
            .chain(match (target, operation.updates()) {
                (Some(Place::Temporary(t)), true) => Some(t),
                _ => None,
            })
            .collect();
        for &t in &sources {
            if !self.held.contains_key(&t) {
                let register = self.register(&busy, operation.origin);
                self.held.insert(t, register);
                match self.repeatable.get(&t) {
                    Some(&read) => {
                        let to = Some(Place::Register(register));
                        self.out.push(Operation { to, origin: operation.origin, ..read });
                    }
                    None => {
                        let slot = self.spilled[&t];
                        self.move_to(Place::Register(register), Place::Slot(slot), operation.origin);
                    }
                }
            }
        }
        for place in operation.from.iter_mut().flatten() {
            if let Place::Temporary(t) = place {
                *place = Place::Register(self.held[t]);
            }
        }
        for &t in &busy {
            let positions = self.uses.entry(t).or_default();
            if positions.last() == Some(&k) {
                positions.pop();
            }
            if positions.is_empty() && target != Some(Place::Temporary(t)) {
                self.end(t);
            }
        }
        self.define(&mut operation, &busy);
        if operation.opcode != Opcode::Move || operation.to != operation.from[0] {
            self.out.push(operation);
        }
        if let Some(Place::Temporary(t)) = target {
            // The copy in the frame, if any, is stale.
            self.free_slots.extend(self.spilled.remove(&t));
            match operation.opcode {
                // A row's slot is written once in a segment.
                Opcode::Spread { .. } | Opcode::Broadcast(_) => self.repeatable.insert(t, operation),
                _ => self.repeatable.remove(&t),
            };
            if self.uses[&t].is_empty() {
                self.end(t);
            }
        }
    }

    fn define(&mut self, operation: &mut Operation, busy: &[u16]) {
        if let Some(Place::Temporary(t)) = operation.to {
            if !self.held.contains_key(&t) {
                let register = self.register(busy, operation.origin);
                self.held.insert(t, register);
            }
            operation.to = Some(Place::Register(self.held[&t]));
        }
    }

    fn end(&mut self, t: u16) {
        self.held.remove(&t);
        self.free_slots.extend(self.spilled.remove(&t));
    }

    fn move_to(&mut self, to: Place, from: Place, origin: usize) {
        let (width, from) = (self.width, [Some(from), None]);
        self.out.push(Operation { opcode: Opcode::Move, width, to: Some(to), from, origin, task: 0 });
    }

    /// A register that is free, or made so.
    fn register(&mut self, busy: &[u16], origin: usize) -> u8 {
        let taken: Vec<u8> = self.held.values().copied().collect();
        if let Some(&free) = self.pool.iter().find(|r| !taken.contains(r)) {
            return free;
        }
        let victim = self
            .held
            .keys()
            .copied()
            .filter(|t| !busy.contains(t))
            .max_by_key(|t| (self.uses[t].last().copied(), *t))
            .expect("an operation has fewer operands than the pool has registers");
        let register = self.held.remove(&victim).expect("it was found among those held");
        if !self.spilled.contains_key(&victim) && !self.repeatable.contains_key(&victim) {
            let slot = self.free_slots.pop().unwrap_or_else(|| {
                self.slots += 1;
                SPILLS + self.slots - 1
            });
            self.spilled.insert(victim, slot);
            self.move_to(Place::Slot(slot), Place::Register(register), origin);
        }
        register
    }
}
