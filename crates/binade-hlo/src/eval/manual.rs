//! `sdy.manual_computation`: a program for the devices of a mesh, each with its own parts of the operands.
//!
//! Outside of it a program is about whole values, whatever devices their parts are on. So one process does for all devices
//! what stands outside, and within each device of the manual axes is a process. Axes that are not manual cut nothing: the
//! process of a device does what those do too that differ from it on such axes. If another manual computation stands within,
//! on the axes that are left, each process becomes several in turn.

use std::sync::Arc;

use crate::eval::EvalError;
use crate::eval::collective::{Running, side_by_side};
use crate::eval::machine::Machine;
use crate::eval::process::{Grid, Team};
use crate::ir::ManualComputation;
use crate::sharding::Sharding;
use crate::tensor::{Tensor, Value};

const NAME: &str = "sdy.manual_computation";

/// Runs the function on the parts of every device, and joins what they make.
///
/// # Errors
/// If a device fails, or none is the one that runs this.
pub(crate) fn evaluate(
    machine: &Machine,
    manual: &ManualComputation,
    operands: Vec<Tensor>,
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
        let part = |(at, (operand, sharding)): (usize, (&Tensor, &Arc<Sharding>))| {
            // Types that leave sizes open have been compared with nothing yet.
            if sharding.part_of(&operand.shape).is_none() {
                let facts = format!("operand {at} of {:?} in {:?} parts", operand.shape, sharding.parts);
                return Err(EvalError::shape(NAME, facts));
            }
            Ok(Value::Tensor(sharding.part(operand, device)))
        };
        operands.iter().zip(&manual.operands).enumerate().map(part).collect()
    };
    let results = match devices[..] {
        // Nobody else: it has all threads.
        [device] => {
            let machine = Machine { process: (replica, device), grid: Some(grid), ..*machine };
            vec![machine.call(manual.function, arguments(device)?, 1)?]
        }
        _ => {
            let work = |&device: &usize| Ok(((replica, device), manual.function, arguments(device)?));
            let work = devices.iter().map(work).collect::<Result<Vec<_>, EvalError>>()?;
            let _running = Running::new(&machine.shared.processes, work.len())?;
            let team = Team::new(grid, work.len());
            side_by_side(machine, grid, work, |failure| team.end(failure))?
        }
    };
    let shardings = manual.results.iter().enumerate();
    shardings.map(|(at, sharding)| join(devices, &results, at, sharding)).collect()
}

/// A result of all devices.
fn join(
    devices: &[usize],
    results: &[Vec<Value>],
    at: usize,
    sharding: &Sharding,
) -> Result<Value, EvalError> {
    let mut held = vec![];
    for (&device, results) in devices.iter().zip(results) {
        if let Some(Value::Tensor(tensor)) = results.get(at) {
            held.push((device, tensor));
        }
    }
    let whole = sharding.join(&held);
    whole.map(Value::Tensor).ok_or_else(|| EvalError::shape(NAME, format!("result {at} is not whole")))
}
