//! Collective operations (`all_reduce`, `send`, …) between the processes of a program, and the threads that run these
//! processes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;

use binade_stablehlo::ir::{Collective, Op};
use binade_stablehlo::{Data, Tensor, Value};

use super::process::{Grid, Groups, Process};
use crate::arithmetic::body::Body;
use crate::error::EvalError;
use crate::machine::interpreter::Machine;
use crate::machine::thread_pool::Pool;
use crate::movement::shape;
use crate::plan::cost::Cost;
use crate::reduction::reduce;

/// The process's place in its group, and the tensors of all members in the group's order.
type Gathered = (usize, Vec<Vec<Tensor>>);

/// Exchanges operands with the process's group. Returns the operands of all members in the group's order, and the
/// process's position among them. `None` if the process is in no group.
fn exchange(
    machine: &Machine,
    operation: &'static str,
    collective: &Collective,
    kind: Groups,
    operands: Vec<Tensor>,
) -> Result<Option<Gathered>, EvalError> {
    // Without a grid, the program is a grid of one process.
    let alone;
    let grid = match machine.grid {
        Some(grid) => grid,
        None => {
            alone = Grid::new(1, 1, vec![]);
            &alone
        }
    };
    let Some(group) = grid.group(machine.process, &collective.groups, kind) else { return Ok(None) };
    let place = group.iter().position(|&member| member == machine.process).expect("its own group");
    // While an operation works on them, a member stores the operands of its whole group; the results take at most as
    // much again.
    let bytes: usize = operands.iter().map(|tensor| tensor.data.bytes()).sum();
    machine.afford(Cost::default(), bytes.saturating_mul(group.len()))?;
    let own = operands.clone();
    let values = operands.into_iter().map(Value::Tensor).collect();
    let all =
        grid.exchange(machine.process, machine.stands, operation, collective.channel, &group, values)?;
    let tensors = |values: Arc<Vec<Value>>| {
        values
            .iter()
            .map(|value| crate::machine::values::as_tensor(value).cloned())
            .collect::<Result<Vec<_>, _>>()
    };
    let all: Vec<Vec<Tensor>> = all.into_iter().map(tensors).collect::<Result<_, _>>()?;
    // Processes may run different programs.
    let alike = |other: &Vec<Tensor>| {
        let same = |(a, b): (&Tensor, &Tensor)| a.element == b.element && a.shape == b.shape;
        other.len() == own.len() && other.iter().zip(&own).all(same)
    };
    if !all.iter().all(alike) {
        return Err(EvalError::shape(operation, "the members of a group give operands of different types"));
    }
    Ok(Some((place, all)))
}

fn zeros_like(tensor: &Tensor) -> Tensor {
    let data = Arc::new(Data::zeros(&tensor.element, tensor.data.len()));
    Tensor { data, ..tensor.clone() }
}

/// Applies the body to the members' tensors, in their order.
fn combined(machine: &Machine, body: &Body, members: &[&Tensor]) -> Result<Tensor, EvalError> {
    let reduced =
        machine.widened(body, &[stacked(members)], &[members[0].clone()], |inputs, _, body, _| {
            let rows: Vec<Tensor> = (0..members.len()).map(|at| row(&inputs[0], at)).collect();
            let mut total = rows[0].clone();
            for next in &rows[1..] {
                total = reduce::pairwise(&[total], std::slice::from_ref(next), body)?.remove(0);
            }
            Ok(vec![total])
        })?;
    Ok(reduced.into_iter().next().expect("one operand, one result"))
}

/// Stacks the tensors along a new first dimension.
fn stacked(members: &[&Tensor]) -> Tensor {
    let taller = |tensor: &&Tensor| {
        let mut shape = vec![1];
        shape.extend(&tensor.shape);
        shape::reshape((*tensor).clone(), &shape)
    };
    let members: Vec<Tensor> = members.iter().map(taller).collect();
    shape::concatenate(&members.iter().collect::<Vec<_>>(), 0)
}

fn row(stacked: &Tensor, at: usize) -> Tensor {
    let mut shape = stacked.shape.clone();
    shape[0] = 1;
    let mut start = vec![0; shape.len()];
    start[0] = at;
    let row = shape::slice(stacked, &start, &vec![1; shape.len()], &shape);
    shape::reshape(row, &shape[1..])
}

/// Returns part `at` of `count` equal parts along a dimension.
///
/// # Errors
/// If the size of the dimension is not a multiple of `count`, or there is no such part.
fn part(name: &str, tensor: &Tensor, dimension: usize, at: usize, count: usize) -> Result<Tensor, EvalError> {
    let mut shape = tensor.shape.clone();
    if at >= count || !shape[dimension].is_multiple_of(count) {
        let facts =
            format!("dimension {dimension} of {shape:?} must be a multiple of the group's size, {count}");
        return Err(EvalError::shape(name, facts));
    }
    shape[dimension] /= count;
    let mut start = vec![0; shape.len()];
    start[dimension] = at * shape[dimension];
    Ok(shape::slice(tensor, &start, &vec![1; shape.len()], &shape))
}

/// Reads positions in a group.
fn places(name: &'static str, roots: &Tensor) -> Result<Vec<usize>, EvalError> {
    let Data::I32(roots) = &*roots.data else { return Err(EvalError::element(name, &roots.element)) };
    let place = |&root| usize::try_from(root);
    let places: Result<_, _> = roots.iter().map(place).collect();
    places.map_err(|_| EvalError::shape(name, format!("roots must not be negative: got {roots:?}")))
}

/// Evaluates `all_gather`, `all_reduce`, `all_to_all`, `collective_broadcast`, `collective_permute`,
/// `collective_reduce` or `reduce_scatter`.
pub(crate) fn evaluate(
    machine: &Machine,
    op: &Op,
    operands: Vec<Tensor>,
    body: Option<Body>,
) -> Result<Vec<Tensor>, EvalError> {
    let count = operands.len();
    let alone = operands.clone();
    let name = op.name();
    let reduction = |collective: &Collective, operands| {
        exchange(machine, name, collective, Groups::of_reduction(collective), operands)
    };
    let exchanged = |collective: &Collective, operands| {
        exchange(machine, name, collective, Groups::of_exchange(collective), operands)
    };
    let no_group = || EvalError::shape(name, format!("process {:?} is in no group", machine.process));
    let each = |members: &[Vec<Tensor>], make: &dyn Fn(&[&Tensor]) -> Result<Tensor, EvalError>| {
        (0..count).map(|at| make(&members.iter().map(|member| &member[at]).collect::<Vec<_>>())).collect()
    };
    let sum = |members: &[&Tensor]| match &body {
        Some(body) => combined(machine, body, members),
        None => Err(EvalError::shape(name, "the body of the reduction is missing")),
    };
    match op {
        Op::AllGather { dimension, collective } => {
            let (_, members) = reduction(collective, operands)?.ok_or_else(no_group)?;
            each(&members, &|members| Ok(shape::concatenate(members, *dimension)))
        }
        Op::AllReduce { collective, .. } => {
            let (_, members) = reduction(collective, operands)?.ok_or_else(no_group)?;
            each(&members, &sum)
        }
        Op::CollectiveReduce { has_dynamic_root, collective, .. } => {
            let (roots, data) = rooted(name, *has_dynamic_root, operands)?;
            let exchanged = exchanged(collective, data)?;
            let result = |(at, &root): (usize, &usize)| match &exchanged {
                Some((_, members)) if root >= members.len() => Err(no_root(name, root)),
                Some((place, members)) if *place == root => {
                    sum(&members.iter().map(|member| &member[at]).collect::<Vec<_>>())
                }
                _ => Ok(zeros_like(&alone[at])),
            };
            roots.iter().enumerate().map(result).collect()
        }
        Op::ReduceScatter { dimension, collective, .. } => {
            let (place, members) = reduction(collective, operands)?.ok_or_else(no_group)?;
            let size = members.len();
            each(&members, &|members| part(name, &sum(members)?, *dimension, place, size))
        }
        Op::AllToAll { split_dimension, concat_dimension, split_count, collective } => {
            let (place, members) = exchanged(collective, operands)?.ok_or_else(no_group)?;
            if members.len() != *split_count {
                let facts =
                    format!("split_count must be the group's size, {}: got {split_count}", members.len());
                return Err(EvalError::shape(name, facts));
            }
            each(&members, &|members| {
                let parts: Vec<Tensor> = members
                    .iter()
                    .map(|member| part(name, member, *split_dimension, place, *split_count))
                    .collect::<Result<_, _>>()?;
                Ok(shape::concatenate(&parts.iter().collect::<Vec<_>>(), *concat_dimension))
            })
        }
        Op::CollectiveBroadcast { has_dynamic_root, collective } => {
            let (roots, data) = rooted(name, *has_dynamic_root, operands)?;
            match exchanged(collective, data)? {
                Some((_, members)) => roots
                    .iter()
                    .enumerate()
                    .map(|(operand, &root)| match members.get(root) {
                        Some(member) => Ok(member[operand].clone()),
                        None => Err(no_root(name, root)),
                    })
                    .collect(),
                None => Ok(alone[..roots.len()].iter().map(zeros_like).collect()),
            }
        }
        Op::CollectivePermute(collective) => permute(machine, name, collective, operands),
        _ => Err(EvalError::shape(name, "not a collective operation")),
    }
}

/// Returns the roots' positions in a group and the other operands. Without an operand for the roots, the root is the
/// first member.
fn rooted(
    name: &'static str,
    has_dynamic_root: bool,
    operands: Vec<Tensor>,
) -> Result<(Vec<usize>, Vec<Tensor>), EvalError> {
    match operands.split_last() {
        Some((roots, data)) if has_dynamic_root => Ok((places(name, roots)?, data.to_vec())),
        _ => Ok((vec![0; operands.len()], operands)),
    }
}

fn no_root(name: &'static str, root: usize) -> EvalError {
    EvalError::shape(name, format!("root {root} is not a member of the group"))
}

/// `collective_permute`: all processes that pairs connect, directly or not, take part in one exchange. A process that
/// is no target gets zeros.
fn permute(
    machine: &Machine,
    name: &'static str,
    collective: &Collective,
    operands: Vec<Tensor>,
) -> Result<Vec<Tensor>, EvalError> {
    let kind = Groups::of_exchange(collective);
    let own = match kind {
        Groups::CrossPartition => machine.process.1,
        _ => machine.process.0,
    };
    let source = collective.groups.iter().find(|pair| pair.get(1) == Some(&own)).map(|pair| pair[0]);
    let zeros = operands.iter().map(zeros_like).collect();
    let together = connected(own, &collective.groups);
    let place = source.and_then(|source| together.iter().position(|&process| process == source));
    let group = Collective { groups: vec![together], ..collective.clone() };
    let members = exchange(machine, name, &group, kind, operands)?;
    Ok(match (place, members) {
        (Some(place), Some((_, mut members))) => members.swap_remove(place),
        _ => zeros,
    })
}

/// A process and all processes that pairs connect with it, in ascending order.
fn connected(process: usize, pairs: &[Vec<usize>]) -> Vec<usize> {
    let mut found = vec![process];
    let mut next = 0;
    while next < found.len() {
        let process = found[next];
        for pair in pairs.iter().filter(|pair| pair.contains(&process)) {
            for &process in pair {
                if !found.contains(&process) {
                    found.push(process);
                }
            }
        }
        next += 1;
    }
    found.sort_unstable();
    found
}

fn grid<'a>(machine: &'a Machine, name: &str) -> Result<&'a Grid, EvalError> {
    match machine.grid {
        Some(grid) if grid.is_shared() => Err(EvalError::shape(name, "not supported across several hosts")),
        grid => grid.ok_or_else(|| EvalError::shape(name, "the program runs in one process, without others")),
    }
}

/// `send`.
pub(crate) fn send(machine: &Machine, channel: i64, values: Vec<Value>) -> Result<(), EvalError> {
    grid(machine, "send")?.send(channel, values);
    Ok(())
}

/// `recv`: the values, and a token.
pub(crate) fn receive(machine: &Machine, channel: i64) -> Result<Vec<Value>, EvalError> {
    let mut values = grid(machine, "recv")?.receive(machine.process, channel)?;
    values.push(Value::Token);
    Ok(values)
}

/// `infeed`: the results of the next function of the infeed, and a token.
pub(crate) fn infeed(machine: &Machine, depth: usize) -> Result<Vec<Value>, EvalError> {
    let function = grid(machine, "infeed")?.infeed();
    let function = function.ok_or_else(|| EvalError::shape("infeed", "the infeed is empty"))?;
    let mut values = machine.call(function, vec![], depth)?;
    values.push(Value::Token);
    Ok(values)
}

/// The most processes that may run at a time.
const MOST_PROCESSES: usize = 1 << 10;

/// A reservation of running processes, released when it is dropped.
pub(crate) struct Running<'a> {
    all: &'a AtomicUsize,
    count: usize,
}

impl<'a> Running<'a> {
    pub(crate) fn new(all: &'a AtomicUsize, count: usize) -> Result<Running<'a>, EvalError> {
        let running = Running { all, count };
        match all.fetch_add(count, Ordering::Relaxed) + count {
            ..=MOST_PROCESSES => Ok(running),
            _ => Err(EvalError::Threads(format!("at most {MOST_PROCESSES} processes may run at a time"))),
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.all.fetch_sub(self.count, Ordering::Relaxed);
    }
}

/// `interpreter.run_parallel`: a row of `programs` is a replica, a column a partition. Arguments and results are in the
/// order of processes, row by row.
pub(crate) fn run_parallel(
    machine: &Machine,
    programs: &[Vec<usize>],
    infeed: &[usize],
    operands: Vec<Value>,
) -> Result<Vec<Value>, EvalError> {
    let (replicas, partitions) = (programs.len(), programs.first().map_or(0, Vec::len));
    let count = replicas * partitions;
    // Nested calls run at the same time as this one.
    let running = Running::new(&machine.shared.processes, count)?;
    let grid = Grid::new(replicas, partitions, infeed.to_vec());
    let mut operands = operands.into_iter();
    let mut work: Vec<ProcessCall> = vec![];
    for (replica, row) in programs.iter().enumerate() {
        for (partition, &function) in row.iter().enumerate() {
            let parameters = machine.program.functions[function].body.parameters.len();
            work.push(((replica, partition), function, operands.by_ref().take(parameters).collect()));
        }
    }
    let results = side_by_side(machine, &grid, work, |failure| grid.end(failure))?;
    drop(running);
    Ok(results.into_iter().flatten().collect())
}

/// Runs a function for each replica of a program, with its list of arguments.
pub(crate) fn replicas(
    machine: &Machine,
    function: usize,
    arguments: Vec<Vec<Value>>,
) -> Result<Vec<Vec<Value>>, EvalError> {
    let grid = Grid::of_replicas(arguments.len(), machine.program.partitions);
    replicas_of(machine, &grid, function, arguments.into_iter().enumerate().collect())
}

/// Runs a function for some replicas of a grid, given by number.
pub(crate) fn replicas_of(
    machine: &Machine,
    grid: &Grid,
    function: usize,
    arguments: Vec<(usize, Vec<Value>)>,
) -> Result<Vec<Vec<Value>>, EvalError> {
    let _running = Running::new(&machine.shared.processes, arguments.len())?;
    let work = |(replica, arguments)| ((replica, 0), function, arguments);
    let work = arguments.into_iter().map(work).collect();
    side_by_side(machine, grid, work, |failure| grid.end(failure))
}

/// A process with its function and arguments.
pub(crate) type ProcessCall = (Process, usize, Vec<Value>);

/// Runs processes of a grid, one thread each. `end` is called when one ends, with its error if it failed.
pub(crate) fn side_by_side(
    machine: &Machine,
    grid: &Grid,
    work: Vec<ProcessCall>,
    end: impl Fn(Option<&EvalError>) + Sync,
) -> Result<Vec<Vec<Value>>, EvalError> {
    let panicked = |_| Err(EvalError::shape("a process", "its thread panicked"));
    let outcomes: Vec<Result<Vec<Value>, EvalError>> = std::thread::scope(|scope| {
        let run = |(process, function, arguments)| {
            let end = &end;
            let thread = std::thread::Builder::new().spawn_scoped(scope, move || {
                let machine = Machine { process, grid: Some(grid), ..*machine };
                // Each process has its own pool, so that one that waits does not block the work of others. A panicking
                // process counts as finished.
                let work = || Pool::new(1)?.install(|| machine.call(function, arguments, 1))?;
                let outcome = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(panicked);
                end(outcome.as_ref().err());
                outcome
            });
            // A process without a thread has failed; no other process may wait for it.
            thread.map_err(|error| {
                let error = EvalError::Threads(error.to_string());
                end(Some(&error));
                error
            })
        };
        let threads: Vec<_> = work.into_iter().map(run).collect();
        let outcome = |thread: ScopedJoinHandle<_>| thread.join().unwrap_or_else(panicked);
        threads.into_iter().map(|thread| thread.and_then(outcome)).collect()
    });
    outcomes.into_iter().collect()
}
