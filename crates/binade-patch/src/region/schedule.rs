//! List scheduling of a segment: operations whose results take longest to wait for move apart.

use super::graph::Effects;
use super::ir::{Opcode, Operation, Pipe, Place};

/// Operations that are considered ahead of the first one not placed.
const WINDOW: usize = 256;
/// Operations that the machine starts in a cycle, and of those on vector pipes, and on one kind of them.
const STARTS: u32 = 6;
const VECTOR_STARTS: u32 = 4;
const PIPE_STARTS: u32 = 2;
/// Cycles from a store to a load that it is forwarded to.
const FORWARDING: u32 = 8;

/// Resources that operations depend on, numbered: registers, the order of the program's own accesses, temporaries, slots.
struct Resources {
    temporaries: usize,
    slots: usize,
}

const ORDER: usize = 32;

impl Resources {
    fn of(operations: &[Operation]) -> Resources {
        let mut resources = Resources { temporaries: 0, slots: 0 };
        for place in operations.iter().flat_map(|o| o.from.into_iter().chain([o.to])).flatten() {
            match place {
                Place::Temporary(t) => resources.temporaries = resources.temporaries.max(t as usize + 1),
                Place::Slot(s) | Place::Spread(s, _) => resources.slots = resources.slots.max(s as usize + 1),
                Place::Register(_) => {}
            }
        }
        resources
    }

    fn number(&self, place: Place) -> usize {
        match place {
            Place::Register(register) => register as usize,
            Place::Temporary(t) => ORDER + 1 + t as usize,
            Place::Slot(slot) | Place::Spread(slot, _) => ORDER + 1 + self.temporaries + slot as usize,
        }
    }

    fn count(&self) -> usize {
        ORDER + 1 + self.temporaries + self.slots
    }

    fn is_slot(&self, resource: usize) -> bool {
        resource > ORDER + self.temporaries
    }

    /// The resources that an operation reads and writes.
    fn touched(&self, operation: &Operation, effects: &[Effects]) -> (Vec<usize>, Vec<usize>) {
        let mut reads: Vec<usize> = operation.from.iter().flatten().map(|&p| self.number(p)).collect();
        let mut writes: Vec<usize> = operation.to.iter().map(|&p| self.number(p)).collect();
        if operation.updates() {
            reads.extend(&writes);
        }
        if matches!(operation.opcode, Opcode::Weigh | Opcode::WeighSum | Opcode::Lessen) {
            // Without VNNI they overwrite their source.
            writes.extend(operation.from[0].map(|p| self.number(p)));
        }
        if let Opcode::Guest(_) = operation.opcode {
            let effects = &effects[operation.origin];
            let set = |bits: u32| (0..32).filter(move |n| bits >> n & 1 == 1);
            reads.extend(set(effects.reads));
            writes.extend(set(effects.writes));
        }
        if operation.ordered() {
            writes.push(ORDER);
        }
        (reads, writes)
    }
}

/// The operations that wait for one, each with the cycles from its start to theirs.
fn dependents(operations: &[Operation], effects: &[Effects]) -> Vec<Vec<(usize, u32)>> {
    let resources = Resources::of(operations);
    let mut after: Vec<Vec<(usize, u32)>> = vec![Vec::new(); operations.len()];
    let mut latest: Vec<Option<usize>> = vec![None; resources.count()];
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); resources.count()];
    for (k, operation) in operations.iter().enumerate() {
        let (reads, writes) = resources.touched(operation, effects);
        for &resource in &reads {
            if let Some(from) = latest[resource] {
                let forwarded = resources.is_slot(resource);
                after[from].push((k, if forwarded { FORWARDING } else { operations[from].latency() }));
            }
        }
        for &resource in &writes {
            if let Some(from) = latest[resource] {
                after[from].push((k, 0));
            }
            for &from in readers[resource].iter().filter(|&&from| from != k) {
                after[from].push((k, 0));
            }
        }
        for resource in reads {
            readers[resource].push(k);
        }
        for resource in writes {
            latest[resource] = Some(k);
            readers[resource].clear();
        }
    }
    after
}

/// The temporaries of an operation.
fn temporaries(operation: &Operation) -> impl Iterator<Item = usize> {
    let [x, y] = operation.from;
    let all = [x, y.filter(|_| y != x), operation.to.filter(|_| operation.to != x && operation.to != y)];
    all.into_iter().filter_map(|place| match place {
        Some(Place::Temporary(t)) => Some(t as usize),
        _ => None,
    })
}

/// The registers that tasks need, as far as they are in use.
///
/// A task that has begun may go on whatever registers are left, so that it ends and gives back what it holds. What has
/// to be weighed is whether another begins.
struct Budget {
    /// Of each temporary: occurrences left, whether it is in use, and whether several tasks use it.
    left: Vec<u32>,
    begun: Vec<bool>,
    shared: Vec<bool>,
    /// Of each task: the most temporaries of its own in use from each of its operations on, and its operations done.
    needs: Vec<Vec<u32>>,
    done: Vec<usize>,
    /// Temporaries of several tasks in use, and what the tasks that have begun need.
    held: u32,
    reserved: u32,
    registers: u32,
}

impl Budget {
    fn new(operations: &[Operation], registers: usize) -> Budget {
        let count = Resources::of(operations).temporaries;
        let tasks = operations.iter().map(|o| o.task as usize + 1).max().unwrap_or(0);
        let (mut left, mut task) = (vec![0; count], vec![None; count]);
        let mut shared = vec![false; count];
        for operation in operations {
            for t in temporaries(operation) {
                left[t] += 1;
                shared[t] |= task[t].is_some_and(|other| other != operation.task);
                task[t] = Some(operation.task);
            }
        }
        let mut needs: Vec<Vec<u32>> = vec![Vec::new(); tasks];
        let (mut live, mut again) = (vec![0u32; tasks], left.clone());
        for operation in operations {
            let task = operation.task as usize;
            let mut ends = 0;
            for t in temporaries(operation).filter(|&t| !shared[t]) {
                live[task] += (again[t] == left[t]) as u32;
                again[t] -= 1;
                ends += (again[t] == 0) as u32;
            }
            needs[task].push(live[task]);
            live[task] -= ends;
        }
        for need in &mut needs {
            for k in (1..need.len()).rev() {
                need[k - 1] = need[k - 1].max(need[k]);
            }
        }
        let (begun, done) = (vec![false; count], vec![0; tasks]);
        Budget { left, begun, shared, needs, done, held: 0, reserved: 0, registers: registers as u32 }
    }

    fn begins(&self, operation: &Operation) -> u32 {
        temporaries(operation).filter(|&t| self.shared[t] && !self.begun[t]).count() as u32
    }

    /// Returns true if there are registers for the temporaries that an operation begins.
    fn allows(&self, operation: &Operation) -> bool {
        let task = operation.task as usize;
        let own = if self.done[task] == 0 { self.needs[task][0] } else { 0 };
        let more = own + self.begins(operation);
        more == 0 || self.held + self.reserved + more <= self.registers
    }

    fn place(&mut self, operation: &Operation) {
        self.held += self.begins(operation);
        for t in temporaries(operation) {
            self.begun[t] = true;
            self.left[t] -= 1;
            self.held -= (self.shared[t] && self.left[t] == 0) as u32;
        }
        let (needs, done) = (&self.needs[operation.task as usize], &mut self.done[operation.task as usize]);
        self.reserved -= if *done > 0 { needs[*done] } else { 0 };
        *done += 1;
        self.reserved += needs.get(*done).copied().unwrap_or(0);
    }
}

/// Orders a segment's operations so that few wait, without changing what they compute, and with at most about `registers`
/// temporaries in use at a time; half as many again where some may `spill`.
pub(super) fn schedule(
    operations: &[Operation],
    effects: &[Effects],
    registers: usize,
    spill: bool,
) -> Vec<Operation> {
    let n = operations.len();
    let dependents = dependents(operations, effects);
    // From the last operation to the first, so that each comes as late as may be and its result needs a register no longer
    // than it has to.
    let operations: Vec<Operation> = operations.iter().rev().copied().collect();
    let mut after = vec![Vec::new(); n];
    for (k, later) in dependents.iter().enumerate() {
        for &(next, delay) in later {
            after[n - 1 - next].push((n - 1 - k, delay));
        }
    }
    let mut waits = vec![0u32; n];
    for &(k, _) in after.iter().flatten() {
        waits[k] += 1;
    }
    let excess = if spill { registers / EXCESS } else { 0 };
    let mut budget = Budget::new(&operations, registers + excess);
    let (mut earliest, mut placed) = (vec![0u32; n], vec![false; n]);
    let mut order = Vec::with_capacity(n);
    let (mut first, mut cycle) = (0, 0);
    while order.len() < n {
        let (mut multiplier, mut adder, mut vector, mut starts) = (0, 0, 0, 0);
        for k in first..n.min(first + WINDOW) {
            if placed[k] || waits[k] > 0 || earliest[k] > cycle {
                continue;
            }
            let operation = &operations[k];
            let pipe = operation.pipe();
            let free = starts < STARTS
                && (pipe == Pipe::None || vector < VECTOR_STARTS)
                && (pipe != Pipe::Multiplier || multiplier < PIPE_STARTS)
                && (pipe != Pipe::Adder || adder < PIPE_STARTS);
            // The first operation may go beyond the limit, so that some operation always can.
            if !free || k != first && !budget.allows(operation) {
                continue;
            }
            budget.place(operation);
            starts += 1;
            vector += (pipe != Pipe::None) as u32;
            multiplier += (pipe == Pipe::Multiplier) as u32;
            adder += (pipe == Pipe::Adder) as u32;
            placed[k] = true;
            for &(next, delay) in &after[k] {
                waits[next] -= 1;
                earliest[next] = earliest[next].max(cycle + delay);
            }
            order.push(*operation);
        }
        while first < n && placed[first] {
            first += 1;
        }
        cycle += 1;
    }
    order.reverse();
    order
}

/// Where values may spill, one in `EXCESS` registers counts twice. Values that do not fit for a while move to the frame and back, which
/// costs less than waiting for sums of several parts.
const EXCESS: usize = 2;
