//! List scheduling of a segment: operations whose results take longest to wait for move apart.

use std::collections::HashMap;

use super::graph::Effects;
use super::ir::{Kind, Operation, Pipe, Place};

/// Operations that are looked at ahead of the first one not placed.
const WINDOW: usize = 96;
/// Operations that the machine starts in a cycle, and of those on vector pipes, and on one kind of them.
const STARTS: u32 = 6;
const VECTOR_STARTS: u32 = 4;
const PIPE_STARTS: u32 = 2;

/// What an operation depends on: places, and the order of the program's own accesses.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Resource {
    Place(Place),
    Order,
}

/// Orders a segment's operations so that few wait, without changing what they compute, and with at most about `registers`
/// temporaries in use at a time.
pub(super) fn schedule(operations: &[Operation], effects: &[Effects], registers: usize) -> Vec<Operation> {
    let n = operations.len();
    let mut latest: HashMap<Resource, usize> = HashMap::new();
    let mut readers: HashMap<Resource, Vec<usize>> = HashMap::new();
    // Operations that must come first, with the cycles from their start to ours.
    let mut before: Vec<Vec<(usize, u32)>> = vec![Vec::new(); n];
    // Reads left of each temporary.
    let mut left: HashMap<u16, usize> = HashMap::new();
    for (k, operation) in operations.iter().enumerate() {
        let mut reads: Vec<Resource> = operation.from.iter().flatten().map(|&p| Resource::Place(p)).collect();
        let mut writes: Vec<Resource> = operation.to.iter().map(|&p| Resource::Place(p)).collect();
        if operation.updates() {
            reads.extend(writes.iter().copied());
        }
        if operation.kind == Kind::Weigh {
            // Without VNNI it overwrites the parity.
            writes.extend(operation.from[0].map(Resource::Place));
        }
        if let Kind::Guest(_) = operation.kind {
            let Effects { reads: r, writes: w, .. } = effects[operation.origin];
            let set = |bits: u32| {
                (0..32).filter(move |n| bits >> n & 1 == 1).map(|n| Resource::Place(Place::Register(n)))
            };
            reads.extend(set(r));
            writes.extend(set(w));
        }
        if operation.ordered() {
            writes.push(Resource::Order);
        }
        for resource in &reads {
            if let Some(&from) = latest.get(resource) {
                let delay = match resource {
                    // A store is forwarded to a load.
                    Resource::Place(Place::Slot(_)) => 8,
                    _ => operations[from].latency(),
                };
                before[k].push((from, delay));
            }
            if let Resource::Place(Place::Temporary(t)) = resource {
                *left.entry(*t).or_default() += 1;
            }
        }
        for resource in &writes {
            before[k].extend(latest.get(resource).map(|&from| (from, 0)));
            before[k]
                .extend(readers.get(resource).into_iter().flatten().filter(|&&r| r != k).map(|&r| (r, 0)));
        }
        for resource in reads {
            readers.entry(resource).or_default().push(k);
        }
        for resource in writes {
            latest.insert(resource, k);
            readers.insert(resource, Vec::new());
        }
    }
    let mut start: Vec<Option<u32>> = vec![None; n];
    let mut order = Vec::with_capacity(n);
    let (mut first, mut cycle, mut used) = (0, 0, 0);
    while order.len() < n {
        let (mut multiplier, mut adder, mut vector, mut starts) = (0, 0, 0, 0);
        for k in first..n.min(first + WINDOW) {
            let ready = start[k].is_none()
                && before[k].iter().all(|&(p, delay)| start[p].is_some_and(|at| at + delay <= cycle));
            let (pipe, operation) = (operations[k].pipe(), &operations[k]);
            let free = starts < STARTS
                && (pipe == Pipe::None || vector < VECTOR_STARTS)
                && (pipe != Pipe::Multiplier || multiplier < PIPE_STARTS)
                && (pipe != Pipe::Adder || adder < PIPE_STARTS);
            if !ready || !free {
                continue;
            }
            let temporary = |place: Option<Place>| match place {
                Some(Place::Temporary(t)) => Some(t),
                _ => None,
            };
            let ends = operation.from.iter().filter_map(|&p| temporary(p)).filter(|t| left[t] == 1).count();
            let begins = (temporary(operation.to).is_some() && !operation.updates()) as usize;
            if k != first && begins > ends && used + begins - ends + 1 > registers {
                continue;
            }
            for t in operation.from.iter().filter_map(|&p| temporary(p)) {
                *left.entry(t).or_default() -= 1;
            }
            if operation.updates() {
                if let Some(t) = temporary(operation.to) {
                    *left.entry(t).or_default() -= 1;
                }
            }
            used = (used + begins).saturating_sub(ends);
            starts += 1;
            vector += (pipe != Pipe::None) as u32;
            multiplier += (pipe == Pipe::Multiplier) as u32;
            adder += (pipe == Pipe::Adder) as u32;
            start[k] = Some(cycle);
            order.push(operations[k]);
        }
        while first < n && start[first].is_some() {
            first += 1;
        }
        cycle += 1;
    }
    order
}
