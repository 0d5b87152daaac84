//! Runs `sdy.manual_computation`: a function on each device of a mesh, with the device's parts of the operands.
//!
//! Outside a manual computation a program computes whole values, so one process does the work of all devices. Inside,
//! there is one process for each device along the manual axes. The other axes divide nothing: devices that differ only
//! along these share one process. A nested manual computation divides each of these processes again, along axes that
//! are not manual yet.
//!
//! On several hosts, each host runs the processes of its own devices and receives the results of the others.

use binade_stablehlo::ir::{ManualComputation, Pieces};
use binade_stablehlo::{Tensor, Type, Value};

use super::collective::{Running, side_by_side};
use super::parts;
use super::process::{Grid, Made, Team};
use crate::error::EvalError;
use crate::machine::interpreter::Machine;

const NAME: &str = "sdy.manual_computation";

/// Runs the function on the parts of every device, and joins the results.
///
/// # Errors
/// If a device fails, or the process's device is not in the mesh.
pub(crate) fn evaluate(
    machine: &Machine,
    manual: &ManualComputation,
    operands: Vec<Value>,
) -> Result<Vec<Value>, EvalError> {
    let (replica, own) = machine.process;
    let Some(devices) = manual.groups.iter().find(|group| group.contains(&own)) else {
        return Err(EvalError::shape(NAME, format!("device {own} is not in the mesh")));
    };
    let alone;
    let grid = match machine.grid {
        Some(grid) => grid,
        None => {
            let last = manual.groups.iter().flatten().max().map_or(0, |&last| last);
            alone = Grid::of_one(machine.program.partitions.max(last + 1));
            &alone
        }
    };
    let arguments = |device: usize| -> Result<Vec<Value>, EvalError> {
        let part = |(at, (operand, sharding)): (usize, (&Value, &Pieces))| {
            let (Value::Tensor(operand), Some(sharding)) = (operand, sharding) else {
                return Ok(operand.clone());
            };
            // The parser cannot check sharding against types with open sizes.
            if sharding.part_of(&operand.shape).is_none() {
                let facts = format!(
                    "operand {at} of shape {:?} cannot be cut into {:?} parts",
                    operand.shape, sharding.parts
                );
                return Err(EvalError::shape(NAME, facts));
            }
            Ok(Value::Tensor(parts::part(sharding, operand, device)))
        };
        operands.iter().zip(&manual.operands).enumerate().map(part).collect()
    };
    let stands = if grid.is_shared() { stands(manual, machine.stands, grid.partitions)? } else { vec![] };
    let here = devices.iter().copied().filter(|&device| grid.runs(&stands, (replica, device)));
    let here: Vec<usize> = here.collect();
    let machine = &Machine { grid: Some(grid), stands: &stands, ..*machine };
    let results = match here[..] {
        // A single process uses all threads.
        [device] => {
            let machine = Machine { process: (replica, device), ..*machine };
            vec![machine.call(manual.function, arguments(device)?, 1)?]
        }
        _ => {
            let work = |&device: &usize| Ok(((replica, device), manual.function, arguments(device)?));
            let work = here.iter().map(work).collect::<Result<Vec<_>, EvalError>>()?;
            let _running = Running::new(&machine.shared.processes, work.len())?;
            let team = Team::new(grid, work.len());
            side_by_side(machine, grid, work, |failure| team.end(failure))?
        }
    };
    let results: Vec<(usize, Vec<Value>)> = here.into_iter().zip(results).collect();
    let taken = if grid.is_shared() {
        gathered(machine, grid, manual, devices, &results)?
    } else {
        let part = |at: usize| {
            let own =
                results.iter().filter_map(move |(device, results)| Some((*device, results.get(at)?.clone())));
            own.collect()
        };
        (0..manual.results.len()).map(part).collect()
    };
    let results = taken.into_iter().zip(&manual.results).enumerate();
    results.map(|(at, (held, pieces))| join(&held, at, pieces)).collect()
}

/// For each partition, finds its representative: the partition whose process does its work inside. Candidates are the
/// partitions with the same representative before; of these, the one at the same position along the manual axes.
fn stands(manual: &ManualComputation, before: &[usize], partitions: usize) -> Result<Vec<usize>, EvalError> {
    let group = |device: usize| {
        let group = manual.groups.iter().find(|group| group.contains(&device));
        group.ok_or_else(|| EvalError::shape(NAME, format!("device {device} is not in the mesh")))
    };
    let stands = |partition: usize| {
        let own = group(partition)?;
        let place = own.iter().position(|&device| device == partition).expect("its own group");
        let first = group(before.get(partition).copied().unwrap_or(0))?;
        first.get(place).copied().ok_or_else(|| EvalError::shape(NAME, "groups of different sizes"))
    };
    (0..partitions).map(stands).collect()
}

/// For each result, the parts that make it whole, with their devices. Some parts come from other hosts.
fn gathered(
    machine: &Machine,
    grid: &Grid,
    manual: &ManualComputation,
    devices: &[usize],
    results: &[(usize, Vec<Value>)],
) -> Result<Vec<Vec<(usize, Value)>>, EvalError> {
    let types = &machine.program.functions[manual.function].results;
    let wanted: Vec<Vec<usize>> = manual
        .results
        .iter()
        .map(|sharding| sharding.as_ref().map_or(vec![], |sharding| sharding.holders(devices)))
        .collect();
    let of_device = |&device: &usize| {
        (0..wanted.len()).filter(|&at| wanted[at].contains(&device)).collect::<Vec<usize>>()
    };
    let made = |device: &usize| -> Made<'_> {
        let results = results.iter().find(|(own, _)| own == device).map(|(_, results)| results);
        let element = |&at: &usize| match types.get(at) {
            Some(Type::Tensor(tensor)) => Some(&tensor.element),
            _ => None,
        };
        let which = of_device(device);
        let values = results.map(|results| which.iter().filter_map(|&at| results.get(at).cloned()).collect());
        ((machine.process.0, *device), which.iter().map(element).collect(), values)
    };
    let all = grid.gather(
        machine.process,
        machine.stands,
        NAME,
        manual.function,
        devices.iter().map(made).collect(),
    )?;
    let mut taken = vec![vec![]; wanted.len()];
    for (device, values) in devices.iter().zip(all) {
        for (at, value) in of_device(device).into_iter().zip(values) {
            taken[at].push((*device, value));
        }
    }
    Ok(taken)
}

/// Joins the parts of a result.
fn join(held: &[(usize, Value)], at: usize, pieces: &Pieces) -> Result<Value, EvalError> {
    let Some(sharding) = pieces else { return Ok(Value::Token) };
    let tensor = |(device, value): &'_ (usize, Value)| match value {
        Value::Tensor(tensor) => Some((*device, tensor.clone())),
        _ => None,
    };
    let held: Vec<(usize, Tensor)> = held.iter().filter_map(tensor).collect();
    let held: Vec<(usize, &Tensor)> = held.iter().map(|(device, tensor)| (*device, tensor)).collect();
    let whole = parts::join(sharding, &held);
    let missing =
        || EvalError::shape(NAME, format!("result {at}: parts are missing or have different types"));
    whole.map(Value::Tensor).ok_or_else(missing)
}
