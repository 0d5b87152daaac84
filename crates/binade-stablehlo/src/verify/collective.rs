//! Verifies operations between processes: collectives, channels, infeed and outfeed.

use super::mesh::{self, Mesh};
use super::node::{Fields, same_shape, same_size};
use super::{Builder, Node, all_compatible, reduction};
use crate::error::Result;
use crate::ir::{Collective, Groups, Op, Region, ValueId};
use crate::syntax::{Attribute, Attributes};
use crate::tensor::Data;
use crate::types::{ElementType, TensorType, Type};

/// The groups of process numbers in the rows of a table. −1 pads short rows.
fn groups(builder: &Builder<'_, '_>, node: &Node<'_, '_>, name: &str) -> Result<Groups> {
    let Some(value) = node.attribute(name) else { return Ok(vec![]) };
    if let Attribute::Struct(fields) = value {
        return match mesh_groups(builder, fields) {
            Some(groups) => Ok(groups),
            None => {
                let most = format!(
                    "a table, or axes of a mesh of the module or given in place, of at most {MOST_PROCESSES} processes"
                );
                node.wrong(name, &most)
            }
        };
    }
    let Attribute::Dense(dense) = value else { return node.wrong(name, "dense<[[…]]> of i64") };
    let (Data::I64(items), [rows, columns]) = (&dense.data, &dense.shape[..]) else {
        return node.wrong(name, "dense<[[…]]> of i64");
    };
    let count = rows.saturating_mul(*columns);
    if *rows > MOST_PROCESSES || count > MOST_PROCESSES {
        return node.wrong(name, &format!("a table of at most {MOST_PROCESSES} processes"));
    }
    let items = if items.len() == count { items.clone() } else { vec![items[0]; count] };
    let mut groups = vec![vec![]; *rows];
    for (index, &item) in items.iter().enumerate() {
        match usize::try_from(item) {
            Ok(process) if process < MOST_PROCESSES => groups[index / columns].push(process),
            Err(_) if item == -1 => {}
            _ => return node.wrong(name, &format!("made of process numbers below {MOST_PROCESSES}")),
        }
    }
    Ok(groups)
}

/// The groups of `#stablehlo.replica_group_mesh_axes<mesh = …, axes = […]>`. Processes are numbered along the mesh, the last
/// axis fastest, unless the mesh lists their numbers in this order. Processes of a group differ in their coordinates on the
/// named axes, of which the first is the slowest.
fn mesh_groups(builder: &Builder<'_, '_>, fields: &Attributes) -> Option<Groups> {
    let mesh = Mesh::read(builder.tree, fields.get("mesh")?.0)?;
    let mut chosen = vec![];
    for reference in mesh::items(fields, "axes")? {
        let Attribute::Struct(reference) = reference else { return None };
        let part = match reference.get("sub_axis_info") {
            None => None,
            Some((Attribute::Integers(part), _)) => match part[..] {
                [before, size] => Some((usize::try_from(before).ok()?, usize::try_from(size).ok()?)),
                _ => return None,
            },
            Some(_) => return None,
        };
        chosen.push(mesh.cut(mesh::name(reference)?, part)?);
    }
    // A short text can name all processes, and each use allocates them again.
    let named = builder.tree.members.get() + mesh.devices.len();
    if named > MOST_NAMED {
        return None;
    }
    builder.tree.members.set(named);
    mesh.groups(&chosen)
}

/// The maximum number of processes that all groups along mesh axes may name together.
const MOST_NAMED: usize = 1 << 20;

/// The maximum number of processes that a program may name.
pub(crate) const MOST_PROCESSES: usize = 1 << 16;

fn handle(node: &Node<'_, '_>) -> Result<(i64, i64)> {
    match node.attribute("channel_handle") {
        None => Ok((0, 0)),
        Some(_) => {
            let fields: Fields<'_, '_, '_> = node.fields("channel_handle")?;
            Ok((fields.integer("handle", 0)?, fields.integer("type", 0)?))
        }
    }
}

/// The kinds of groups that operations take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Pairs. A process may be a source and a target.
    Pairs,
    /// Groups of some processes, each at most once.
    Any,
    /// Groups of all processes, each once.
    Covering,
    /// Groups of all processes, each once, of the same size.
    Equal,
}

fn collective(builder: &Builder<'_, '_>, node: &Node<'_, '_>, kind: Kind) -> Result<Collective> {
    let name = if kind == Kind::Pairs { "source_target_pairs" } else { "replica_groups" };
    let groups = groups(builder, node, name)?;
    let (channel, _) = handle(node)?;
    let use_global_device_ids = node.bool_or("use_global_device_ids", false)?;
    node.rule(
        !use_global_device_ids || channel > 0,
        "'use_global_device_ids' must come with a positive channel",
        || format!("channel {channel}"),
    )?;
    let mut all: Vec<usize> = groups.iter().flatten().copied().collect();
    all.sort_unstable();
    if kind != Kind::Pairs {
        let unique = all.windows(2).all(|pair| pair[0] != pair[1]);
        node.rule(unique, &format!("each process must appear once in '{name}'"), || format!("{groups:?}"))?;
        let named = node.attribute(name).is_none() || !all.is_empty();
        node.must(!use_global_device_ids || named, || {
            format!("'{name}' must name global device ids: got none")
        })?;
    }
    // The mesh numbers its processes.
    if let (Kind::Covering | Kind::Equal, Some(Attribute::Dense(dense))) = (kind, node.attribute(name)) {
        let missing = (0..all.len()).find(|&at| all[at] != at);
        node.must(missing.is_none(), || {
            let missing = missing.unwrap_or(0);
            format!("'{name}' must have every process up to the greatest: got no {missing} in {groups:?}")
        })?;
        let full = dense.shape.iter().product::<usize>() == all.len();
        node.must(kind == Kind::Covering || full, || {
            format!("groups must have the same size: got −1 in '{name}'")
        })?;
    }
    Ok(Collective { groups, channel, use_global_device_ids })
}

/// The number of processes of each group. `None` if groups differ in size.
fn group_size(collective: &Collective) -> Option<usize> {
    let size = collective.groups.first()?.len();
    collective.groups.iter().all(|group| group.len() == size).then_some(size)
}

/// Checks that the last operand has a root for each of the `data` operands before it: an index in a group.
fn roots(node: &Node<'_, '_>, data: usize) -> Result<()> {
    let roots = node.tensor(data)?;
    let places = matches!(roots.element, ElementType::Integer { signed: true, width: 32 })
        && same_shape(&roots.shape, &[Some(data)]);
    node.type_rule(places, "the roots must be a tensor of i32 with one element for each other operand")
}

/// The body of a reduction of an operand, and the operand converted to its element type, which is also the result's.
fn reduced<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
    index: usize,
) -> Result<(Region, ValueId)> {
    let [region] = node.regions::<1>()?;
    let element = node.tensor(index)?.element.clone();
    let wide = reduction::elements_of(node, region, &[element])?;
    reduction::result(node, index, &wide[0])?;
    let operand = builder.promoted(node.operands[index], &wide[0]);
    Ok((reduction::body(builder, node, region, &wide)?, operand))
}

/// Adds an operation of one operand for each operand.
fn each<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
    check: impl Fn(&TensorType, &TensorType) -> Result<()>,
    op: &Op,
) -> Result<()> {
    let mut results = vec![];
    for index in 0..inputs(node)? {
        let (input, result) = (node.tensor(index)?, node.result(index)?);
        node.same_element(index, index)?;
        check(input, result)?;
        results.push(builder.add(op.clone(), vec![node.operands[index]], node.results()[index].clone()));
    }
    builder.define(node, results)
}

/// The number of operands, which must also be the number of results.
fn inputs(node: &Node<'_, '_>) -> Result<usize> {
    let count = node.tensors()?.len();
    node.rule(count > 0, "there must be at least one operand", || "none".to_owned())?;
    node.result_count(count)?;
    Ok(count)
}

pub(crate) fn all_gather<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let dimension = node.index("all_gather_dim")?;
    let collective = collective(builder, node, Kind::Equal)?;
    let check = |input: &TensorType, result: &TensorType| {
        node.dimension("'all_gather_dim'", dimension, input.shape.len())?;
        let same = input.shape.len() == result.shape.len()
            && (0..input.shape.len()).all(|d| {
                d == dimension && multiple(result.shape[d], input.shape[d])
                    || same_size(input.shape[d], result.shape[d])
            });
        node.type_rule(
            same,
            "operand and result must have the same shape, except that 'all_gather_dim' of the result is a multiple",
        )
    };
    each(builder, node, check, &Op::AllGather { dimension, collective })
}

fn multiple(large: Option<usize>, small: Option<usize>) -> bool {
    match (large, small) {
        (Some(large), Some(0)) => large == 0,
        (Some(large), Some(small)) => large % small == 0,
        _ => true,
    }
}

fn same_type(node: &Node<'_, '_>, input: &TensorType, result: &TensorType) -> Result<()> {
    let same = input.element == result.element && input.is_like(result);
    node.type_rule(same, "operand and result must have the same type")
}

pub(crate) fn all_reduce<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let collective = collective(builder, node, Kind::Covering)?;
    let mut results = vec![];
    for index in 0..inputs(node)? {
        node.result_shape(index, &node.tensor(index)?.shape)?;
        // Values of a region belong to one operation, so each operation gets its own region.
        let (body, operand) = reduced(builder, node, index)?;
        let kind = Op::AllReduce { collective: collective.clone(), body };
        results.push(builder.add(kind, vec![operand], node.results()[index].clone()));
    }
    builder.define(node, results)
}

/// `cross-replica-sum`, the older sum over replicas.
pub(crate) fn cross_replica_sum<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let element = node.tensor(0)?.element.clone();
    same_type(node, node.tensor(0)?, node.result(0)?)?;
    let collective = collective(builder, node, Kind::Covering)?;
    let scalar = Type::Tensor(TensorType { shape: vec![], element });
    let (lhs, rhs) = (builder.value(scalar.clone()), builder.value(scalar.clone()));
    let outer = std::mem::take(&mut builder.operations);
    let sum = builder.add(Op::Binary(crate::ir::Binary::Add), vec![lhs, rhs], scalar);
    let operations = std::mem::replace(&mut builder.operations, outer);
    let body = Region { parameters: vec![lhs, rhs], operations, results: vec![sum] };
    builder.emit(node, Op::AllReduce { collective, body })
}

pub(crate) fn collective_reduce<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let collective = collective(builder, node, Kind::Covering)?;
    let has_dynamic_root = node.bool_or("has_dynamic_root", false)?;
    let data = node.tensors()?.len().saturating_sub(usize::from(has_dynamic_root));
    node.rule(data > 0, "there must be at least one operand besides the roots", || "none".to_owned())?;
    node.result_count(data)?;
    if has_dynamic_root {
        roots(node, data)?;
    }
    let mut results = vec![];
    for index in 0..data {
        node.result_shape(index, &node.tensor(index)?.shape)?;
        let (body, operand) = reduced(builder, node, index)?;
        let mut operands = vec![operand];
        if has_dynamic_root {
            // Each operand has its own root.
            let element = node.tensor(data)?.element.clone();
            let ty = Type::Tensor(TensorType { shape: vec![Some(1)], element });
            let slice = Op::Slice { start: vec![index], limit: vec![index + 1], strides: vec![1] };
            operands.push(builder.add(slice, vec![node.operands[data]], ty));
        }
        let kind = Op::CollectiveReduce { has_dynamic_root, collective: collective.clone(), body };
        results.push(builder.add(kind, operands, node.results()[index].clone()));
    }
    builder.define(node, results)
}

pub(crate) fn reduce_scatter<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let (operand, result) = (node.tensor(0)?, node.result(0)?);
    let dimension = node.index("scatter_dimension")?;
    node.dimension("'scatter_dimension'", dimension, operand.shape.len())?;
    let collective = collective(builder, node, Kind::Equal)?;
    let empty = |ty: &TensorType| ty.shape.get(dimension) == Some(&Some(0));
    node.must(!empty(operand) && !empty(result), || {
        format!("'scatter_dimension' must not be empty: got {operand} and {result} (dimension {dimension})")
    })?;
    let same = operand.shape.len() == result.shape.len()
        && (0..operand.shape.len()).all(|d| {
            d == dimension && multiple(operand.shape[d], result.shape[d])
                || same_size(operand.shape[d], result.shape[d])
        });
    node.type_rule(
        same,
        "operand and result must have the same shape, except that 'scatter_dimension' of the result divides the operand's",
    )?;
    let (body, operand) = reduced(builder, node, 0)?;
    builder.emit_of(node, Op::ReduceScatter { dimension, collective, body }, vec![operand])
}

pub(crate) fn all_to_all<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let split_dimension = node.index("split_dimension")?;
    let concat_dimension = node.index("concat_dimension")?;
    let split_count = node.index("split_count")?;
    let collective = collective(builder, node, Kind::Equal)?;
    node.rule(split_count >= 1, "'split_count' must be positive", || split_count.to_string())?;
    let size = group_size(&collective);
    node.rule(
        node.attribute("replica_groups").is_none() || size == Some(split_count),
        "'split_count' must be the number of processes of each group",
        || match size {
            Some(size) => format!("{split_count} for groups of {size}"),
            None if collective.groups.is_empty() => format!("{split_count} and no groups"),
            None => format!("{split_count} for groups of several sizes"),
        },
    )?;
    let check = |input: &TensorType, result: &TensorType| {
        node.dimension("'split_dimension'", split_dimension, input.shape.len())?;
        node.dimension("'concat_dimension'", concat_dimension, input.shape.len())?;
        let divides = input.shape[split_dimension].is_none_or(|size| size % split_count == 0);
        node.type_rule(divides, "'split_count' must divide the size of 'split_dimension'")?;
        let mut inferred = input.shape.clone();
        if split_dimension != concat_dimension {
            inferred[split_dimension] = inferred[split_dimension].map(|size| size / split_count);
            inferred[concat_dimension] =
                inferred[concat_dimension].and_then(|size| size.checked_mul(split_count));
        }
        let inferred = TensorType { shape: inferred, element: input.element.clone() };
        node.type_rule(
            inferred.is_like(result),
            "the result must be split along 'split_dimension' and concatenated along 'concat_dimension'",
        )
    };
    let op = Op::AllToAll { split_dimension, concat_dimension, split_count, collective };
    each(builder, node, check, &op)
}

pub(crate) fn collective_broadcast<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let collective = collective(builder, node, Kind::Any)?;
    let has_dynamic_root = node.bool_or("has_dynamic_root", false)?;
    let operands = node.tensors()?;
    let data = operands.len().saturating_sub(has_dynamic_root as usize);
    node.rule(data > 0, "there must be at least one operand besides the roots", || "none".to_owned())?;
    node.result_count(data)?;
    for (index, operand) in operands[..data].iter().enumerate() {
        same_type(node, operand, node.result(index)?)?;
    }
    if has_dynamic_root {
        roots(node, data)?;
    }
    builder.emit(node, Op::CollectiveBroadcast { has_dynamic_root, collective })
}

pub(crate) fn collective_permute<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    same_type(node, node.tensor(0)?, node.result(0)?)?;
    let collective = collective(builder, node, Kind::Pairs)?;
    let pairs = &collective.groups;
    node.rule(pairs.iter().all(|pair| pair.len() == 2), "'source_target_pairs' must be pairs", || {
        format!("{pairs:?}")
    })?;
    for side in 0..2 {
        let mut all: Vec<_> = pairs.iter().map(|pair| pair[side]).collect();
        all.sort_unstable();
        let unique = all.windows(2).all(|pair| pair[0] != pair[1]);
        node.rule(
            unique,
            "a process must be the source of at most one pair, and the target of at most one",
            || format!("{pairs:?}"),
        )?;
    }
    builder.emit(node, Op::CollectivePermute(collective))
}

fn id<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>, op: Op) -> Result<()> {
    node.arity(0, 1)?;
    let result = node.result(0)?;
    let ui32 = ElementType::Integer { signed: false, width: 32 };
    node.type_rule(result.shape.is_empty() && result.element == ui32, "the result must be tensor<ui32>")?;
    builder.emit(node, op)
}

pub(crate) fn partition_id<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    id(builder, node, Op::PartitionId)
}

pub(crate) fn replica_id<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    id(builder, node, Op::ReplicaId)
}

/// Types of channels: between devices, from a device to the host, and from the host to a device.
const BETWEEN_DEVICES: i64 = 1;
const TO_HOST: i64 = 2;
const FROM_HOST: i64 = 3;

/// Checks the type of a channel, between devices or with the host.
fn channel_type(node: &Node<'_, '_>, found: i64, by_host: i64) -> Result<()> {
    let host = node.bool_or("is_host_transfer", false)?;
    let expected = if host { by_host } else { BETWEEN_DEVICES };
    node.must(found == expected, || {
        format!("the channel's type must be {expected} where 'is_host_transfer' is {host}: got {found}")
    })
}

/// Checks that the operands end with a token, and that the result is a token.
fn sends(node: &Node<'_, '_>) -> Result<()> {
    let last = matches!(node.types.last(), Some(Type::Token));
    node.type_rule(
        last && all_compatible(node.results(), &[Type::Token]),
        "the last operand and the result must be tokens",
    )?;
    tensors(node, "operands", &node.types)
}

/// Checks that all types but the last are tensors.
fn tensors(node: &Node<'_, '_>, what: &str, types: &[Type]) -> Result<()> {
    let before = types.split_last().map_or(types, |(_, before)| before);
    node.must(before.iter().all(|ty| matches!(ty, Type::Tensor(_))), || {
        format!("{what} before the token must be tensors: got {}", super::list(types))
    })
}

/// Checks that the operand is a token, and that the results end with one.
fn receives(node: &Node<'_, '_>) -> Result<()> {
    let last = matches!(node.results().last(), Some(Type::Token));
    node.type_rule(
        last && all_compatible(&node.types, &[Type::Token]),
        "the operand and the last result must be tokens",
    )?;
    tensors(node, "results", node.results())
}

pub(crate) fn send<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    sends(node)?;
    let (channel, kind) = handle(node)?;
    channel_type(node, kind, TO_HOST)?;
    builder.emit(node, Op::Send { channel, channel_type: kind })
}

pub(crate) fn recv<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    receives(node)?;
    let (channel, kind) = handle(node)?;
    channel_type(node, kind, FROM_HOST)?;
    builder.emit(node, Op::Recv { channel, channel_type: kind })
}

pub(crate) fn infeed<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    receives(node)?;
    let tensors = node.results().len() - 1;
    match node.attribute("layout") {
        None => {}
        Some(Attribute::Array(layouts)) => {
            node.must(layouts.len() == tensors, || {
                format!("'layout' must have a list for each tensor: got {} for {tensors}", layouts.len())
            })?;
            let list = |layout: &Attribute<'_>| match layout {
                Attribute::Array(items) => items.iter().all(|item| matches!(item, Attribute::Integer(_))),
                _ => false,
            };
            node.must(layouts.iter().all(list), || {
                "'layout' must have lists of integers: got another kind of value".to_owned()
            })?;
        }
        Some(_) => return node.wrong("layout", "a list of lists of integers"),
    }
    builder.emit(node, Op::Infeed)
}

pub(crate) fn outfeed<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    sends(node)?;
    builder.emit(node, Op::Outfeed)
}
