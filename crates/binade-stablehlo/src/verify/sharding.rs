//! Verifies shardings in Shardy's and XLA's notation, and manual computations on parts of values.

use std::sync::Arc;

use super::collective::MOST_PROCESSES;
use super::mesh::{Cut, Mesh};
use super::{Builder, Node, all_compatible, list};
use crate::error::{Problem, Result, fail};
use crate::ir::{Groups, ManualComputation, Op, Pieces};
use crate::parse::Tree;
use crate::sharding::Sharding;
use crate::syntax::{self, Attribute};
use crate::types::{TensorType, Type, elements};

/// The maximum number of devices that the shardings of a program may name together.
const MOST_SHARDED: usize = 1 << 24;

/// Counts devices that a sharding names. Returns true if the total is within the limit.
fn has_room(tree: &Tree<'_>, devices: usize) -> bool {
    let all = tree.sharded.get().saturating_add(devices);
    tree.sharded.set(all);
    all <= MOST_SHARDED
}

/// The sharding along the axes of a mesh: along the axes in `only`, or along all.
fn resolved(tree: &Tree<'_>, sharding: &syntax::Sharding<'_>, only: Option<&[&str]>) -> Option<Sharding> {
    let mesh = Mesh::read(tree, &sharding.mesh)?;
    let chosen = |axis: &&syntax::Axis<'_>| only.is_none_or(|names| names.contains(&&*axis.name));
    let cut = |axis: &syntax::Axis<'_>| mesh.cut(&axis.name, axis.part);
    let dimension = |axes: &Vec<syntax::Axis<'_>>| axes.iter().filter(chosen).map(cut).collect();
    let dimensions: Vec<Vec<Cut>> = sharding.dimensions.iter().map(dimension).collect::<Option<_>>()?;
    let unreduced: Vec<Cut> =
        sharding.unreduced.iter().filter(chosen).map(cut).collect::<Option<Vec<_>>>()?;
    // Each axis cuts one dimension, or separates terms.
    mesh.groups(&[dimensions.concat(), unreduced.clone()].concat())?;
    let highest = mesh.devices.iter().max().map_or(0, |&highest| highest + 1);
    if !has_room(tree, highest) {
        return None;
    }
    let parts: Vec<usize> = dimensions.iter().map(|cuts| cuts.iter().map(|cut| cut.size).product()).collect();
    let place = |cuts: &mut dyn Iterator<Item = &Cut>, at| {
        cuts.fold(0, |place, cut| place * cut.size + cut.place(at))
    };
    let (mut places, mut term) = (vec![0; highest], vec![0; highest]);
    for (at, &device) in mesh.devices.iter().enumerate() {
        places[device] = place(&mut dimensions.iter().flatten(), at);
        term[device] = place(&mut unreduced.iter(), at);
    }
    let terms = unreduced.iter().map(|cut| cut.size).product();
    Some(Sharding { parts, places, terms, term })
}

/// The sharding of a function's parameter or result. In a program of one partition it is ignored, whatever its form.
pub(super) fn of_value(
    builder: &Builder<'_, '_>,
    attribute: Option<&Attribute<'_>>,
    ty: &Type,
    at: usize,
) -> Result<Option<Arc<Sharding>>> {
    let rank = match ty {
        Type::Tensor(tensor) => tensor.shape.len(),
        _ => 0,
    };
    let tree = builder.tree;
    let found = match attribute.filter(|_| builder.partitions > 1) {
        None | Some(Attribute::Unit) => return Ok(None),
        Some(Attribute::Sharding(sharding)) => resolved(tree, sharding, None),
        Some(Attribute::String(text)) => of_xla(tree, text, rank),
        Some(_) => None,
    };
    match found.filter(|sharding| sharding.parts.len() == rank) {
        Some(sharding) => Ok(Some(Arc::new(sharding))),
        None => {
            let expected = format!("a sharding of {ty}, by a mesh of the module");
            fail(at, Problem::Expected { expected, found: "another".to_owned() })
        }
    }
}

/// The devices of a value in XLA's notation, `devices=[2,1,2]<=[4]` or with a list of device numbers. They form an array, whose
/// first dimensions are the value's.
struct Tiles<'a> {
    /// The sizes of all dimensions.
    sizes: Vec<usize>,
    /// The device numbers in row-major order.
    devices: Vec<usize>,
    /// The meaning of the last dimensions, which are not the value's: `replicated`, `manual`, `unreduced`.
    beyond: Vec<&'a str>,
}

impl<'a> Tiles<'a> {
    fn read(tree: &Tree<'_>, text: &'a str) -> Option<Tiles<'a>> {
        let (sizes, rest) = text.strip_prefix("devices=[")?.split_once(']')?;
        let numbers = |text: &str| -> Option<Vec<usize>> {
            text.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>()
        };
        let sizes = numbers(sizes)?;
        let (order, kind) = match rest.split_once(' ') {
            Some((order, kind)) => (order.trim(), kind.trim()),
            None => (rest.trim(), ""),
        };
        let count = elements(&sizes)?;
        if count == 0 || count > MOST_PROCESSES || !has_room(tree, count) {
            return None;
        }
        let devices: Vec<usize> = match order.strip_prefix("<=[") {
            None => numbers(order)?,
            Some(iota) => {
                let (sizes, permutation) = iota.split_once(']')?;
                let sizes = numbers(sizes)?;
                let permutation = match permutation.strip_prefix("T(") {
                    Some(permutation) => numbers(permutation.strip_suffix(')')?)?,
                    None => (0..sizes.len()).collect(),
                };
                transposed(&sizes, &permutation, count)?
            }
        };
        let mut seen = vec![false; count];
        for &device in &devices {
            if std::mem::replace(seen.get_mut(device)?, true) {
                return None;
            }
        }
        let beyond: Vec<&str> = match kind {
            "" => vec![],
            "last_tile_dim_replicate" => vec!["replicated"],
            kind => {
                kind.strip_prefix("last_tile_dims={")?.strip_suffix('}')?.split(',').map(str::trim).collect()
            }
        };
        (devices.len() == count && beyond.len() <= sizes.len()).then_some(Tiles { sizes, devices, beyond })
    }

    /// The number of dimensions that are the value's.
    fn rank(&self) -> usize {
        self.sizes.len() - self.beyond.len()
    }

    /// The index of the `at`-th device along those last dimensions whose meaning `chosen` accepts.
    fn place(&self, at: usize, chosen: impl Fn(&str) -> bool) -> usize {
        let last = &self.sizes[self.rank()..];
        let mut after: usize = last.iter().product();
        self.beyond.iter().zip(last).fold(0, |place, (kind, size)| {
            after /= size;
            if chosen(kind) { place * size + at / after % size } else { place }
        })
    }
}

/// The text of a sharding between its braces.
fn within(text: &str) -> Option<&str> {
    Some(text.trim().strip_prefix('{')?.strip_suffix('}')?.trim())
}

/// Reads XLA's notation: `{replicated}`, `{maximal device=0}`, `{devices=[2,1,2]<=[4]}` or a list of device numbers, with an
/// optional `last_tile_dim_replicate`.
pub(super) fn of_xla(tree: &Tree<'_>, text: &str, rank: usize) -> Option<Sharding> {
    let text = within(text)?;
    if matches!(text, "replicated" | "manual") || text.starts_with("maximal") {
        return Some(Sharding::whole(rank));
    }
    let tiles = Tiles::read(tree, text)?;
    let (parts, last) = tiles.sizes.split_at(tiles.rank());
    let copies: usize = last.iter().product();
    let unreduced = |kind: &str| kind == "unreduced";
    let terms =
        tiles.beyond.iter().zip(last).filter(|(kind, _)| unreduced(kind)).map(|(_, size)| size).product();
    let (mut places, mut term) = (vec![0; tiles.devices.len()], vec![0; tiles.devices.len()]);
    for (at, &device) in tiles.devices.iter().enumerate() {
        places[device] = at / copies;
        term[device] = tiles.place(at, unreduced);
    }
    Some(Sharding { parts: parts.to_vec(), places, terms, term })
}

/// The groups of devices that run a manual computation together. For `{manual}` that is all devices. For `{devices=[1,4,2]<=[8]
/// last_tile_dims={manual, replicated}}` it is those that differ along `manual` dimensions. `None` if nothing is manual.
pub(super) fn manual_groups(tree: &Tree<'_>, text: &str, partitions: usize) -> Option<Groups> {
    let text = within(text)?;
    if text == "manual" {
        return Some(vec![(0..partitions).collect()]);
    }
    let tiles = Tiles::read(tree, text)?;
    let manual = |kind: &str| kind == "manual";
    if tiles.devices.len() != partitions
        || !tiles.beyond.iter().any(|kind| manual(kind))
        || tiles.sizes[..tiles.rank()].iter().any(|&size| size != 1)
    {
        return None;
    }
    let mut groups: Vec<Vec<(usize, usize)>> = vec![];
    for (at, &device) in tiles.devices.iter().enumerate() {
        let group = tiles.place(at, |kind| !manual(kind));
        groups.resize(groups.len().max(group + 1), vec![]);
        groups[group].push((tiles.place(at, manual), device));
    }
    groups.iter_mut().for_each(|group| group.sort_unstable());
    Some(groups.into_iter().map(|group| group.into_iter().map(|(_, device)| device).collect()).collect())
}

/// The indices of an array of these sizes in the order of its transpose.
fn transposed(sizes: &[usize], permutation: &[usize], count: usize) -> Option<Vec<usize>> {
    let product = elements(sizes)?;
    let mut sorted = permutation.to_vec();
    sorted.sort_unstable();
    if product != count || !sorted.iter().copied().eq(0..sizes.len()) {
        return None;
    }
    let stride = |axis: usize| sizes[axis + 1..].iter().product::<usize>();
    let number = |mut at: usize| {
        permutation.iter().rev().fold(0, |number, &axis| {
            let place = at % sizes[axis];
            at /= sizes[axis];
            number + place * stride(axis)
        })
    };
    Some((0..count).map(number).collect())
}

/// `sdy.sharding_constraint` and `sdy.reshard`: the result is the operand, with another sharding.
pub(crate) fn constraint<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    super::control::identity(builder, node)?;
    let (Some(Attribute::Sharding(sharding)), [value]) = (node.attribute("sharding"), &node.operands[..])
    else {
        return Ok(());
    };
    // A value stays where it is if no dimension has a statement.
    let says_nothing =
        sharding.dimensions.iter().zip(&sharding.open).all(|(axes, &open)| axes.is_empty() && open);
    if builder.partitions > 1
        && !says_nothing
        && let Some(sharding) = resolved(builder.tree, sharding, None)
    {
        builder.propagation.place(*value, Arc::new(sharding));
    }
    Ok(())
}

/// The cuts of operands or results along the manual axes, and the types of their parts.
fn parts<'t, 'a>(
    builder: &Builder<'t, 'a>,
    node: &Node<'t, 'a>,
    name: &str,
    types: &[Type],
    axes: &[&str],
) -> Result<(Vec<Pieces>, Vec<Type>)> {
    let Some(Attribute::Array(attributes)) = node.attribute(name) else {
        return node.wrong(name, "a list of shardings");
    };
    node.size(&format!("'{name}'"), attributes.len(), types.len())?;
    let (mut shardings, mut local) = (vec![], vec![]);
    for (attribute, ty) in attributes.iter().zip(types) {
        let tensor = match ty {
            Type::Tensor(tensor) => tensor,
            Type::Token => {
                shardings.push(None);
                local.push(Type::Token);
                continue;
            }
            _ => return node.unsupported(format!("a value of type {ty}")),
        };
        let sharding = match attribute {
            Attribute::Sharding(sharding) => resolved(builder.tree, sharding, Some(axes)),
            _ => None,
        };
        let Some(sharding) = sharding.filter(|sharding| sharding.parts.len() == tensor.shape.len()) else {
            return node.wrong(name, &format!("a sharding of {ty}, by a mesh of the module"));
        };
        let sizes = tensor.shape.iter().copied().collect::<Option<Vec<usize>>>();
        let Some(sizes) = sizes.and_then(|sizes| sharding.part_of(&sizes)) else {
            return node.broken(
                format!("'{name}' must cut {ty} into equal parts"),
                format!("{:?} parts", sharding.parts),
            );
        };
        let shape = sizes.into_iter().map(Some).collect();
        local.push(Type::Tensor(TensorType { shape, element: tensor.element.clone() }));
        shardings.push(Some(Arc::new(sharding)));
    }
    Ok((shardings, local))
}

/// The groups of devices that communicate, from the mesh of the shardings.
fn groups(builder: &Builder<'_, '_>, node: &Node<'_, '_>, axes: &[&str]) -> Result<Groups> {
    let shardings =
        ["in_shardings", "out_shardings"].into_iter().filter_map(|name| match node.attribute(name) {
            Some(Attribute::Array(all)) => Some(all),
            _ => None,
        });
    let mesh = shardings.flatten().find_map(|sharding| match sharding {
        Attribute::Sharding(sharding) => Mesh::read(builder.tree, &sharding.mesh),
        _ => None,
    });
    let Some(mesh) = mesh else {
        // Without a value there is no mesh: each device is a group.
        return Ok((0..builder.partitions).map(|device| vec![device]).collect());
    };
    let cuts = axes.iter().map(|axis| mesh.cut(axis, None)).collect::<Option<Vec<_>>>();
    match cuts.and_then(|cuts| mesh.groups(&cuts)) {
        Some(groups) => Ok(groups),
        None => node.wrong("manual_axes", "axes of the mesh, each once"),
    }
}

/// `sdy.manual_computation`.
pub(crate) fn manual_computation<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let Some(Attribute::Array(axes)) = node.attribute("manual_axes") else {
        return node.wrong("manual_axes", "a list of axes");
    };
    let name = |axis: &'t Attribute<'a>| match axis {
        Attribute::String(name) => Ok(&**name),
        _ => node.wrong("manual_axes", "a list of axes"),
    };
    let axes = axes.iter().map(name).collect::<Result<Vec<&str>>>()?;
    let (operands, parameters) = parts(builder, node, "in_shardings", &node.types, &axes)?;
    let (results, returned) = parts(builder, node, "out_shardings", node.results(), &axes)?;
    let groups = groups(builder, node, &axes)?;
    let [region] = node.regions::<1>()?;
    let (function, found) = builder.outlined(region, &parameters, node)?;
    node.rule(
        all_compatible(&found, &returned),
        &format!("the region must return ({})", list(&returned)),
        || format!("({})", list(&found)),
    )?;
    builder.emit(node, Op::ManualComputation(ManualComputation { function, groups, operands, results }))?;
    let (Some(Attribute::Array(stated)), true) = (node.attribute("out_shardings"), builder.partitions > 1)
    else {
        return Ok(());
    };
    let made = builder.operations.last().map_or(vec![], |operation| operation.results.clone());
    for ((value, attribute), ty) in made.into_iter().zip(stated).zip(node.results()) {
        if let (Attribute::Sharding(sharding), Type::Tensor(_)) = (attribute, ty)
            && let Some(sharding) = resolved(builder.tree, sharding, None)
        {
            builder.propagation.place(value, Arc::new(sharding));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, rank: usize) -> Option<(Vec<usize>, Vec<usize>)> {
        let tree = crate::parse::parse("").unwrap();
        of_xla(&tree, text, rank).map(|sharding| (sharding.parts, sharding.places))
    }

    #[test]
    fn shardings_in_the_words_of_xla() {
        assert_eq!(read("{replicated}", 2), Some((vec![1, 1], vec![])));
        assert_eq!(read("{devices=[4,2]<=[8]}", 2), Some((vec![4, 2], (0..8).collect())));
        assert_eq!(read("{devices=[2,1]1,0}", 2), Some((vec![2, 1], vec![1, 0])));
        // The transpose of [[0, 1], [2, 3]] is 0, 2, 1, 3: device 2 has the second part.
        assert_eq!(read("{devices=[4]<=[2,2]T(1,0)}", 1), Some((vec![4], vec![0, 2, 1, 3])));
        let copies = read("{devices=[2,1,2]<=[4] last_tile_dim_replicate}", 2);
        assert_eq!(copies, Some((vec![2, 1], vec![0, 0, 1, 1])));
        let several = read("{devices=[2,2,2]<=[8] last_tile_dims={manual, replicated}}", 1);
        assert_eq!(several, Some((vec![2], vec![0, 0, 0, 0, 1, 1, 1, 1])));
        let tree = crate::parse::parse("").unwrap();
        let terms =
            of_xla(&tree, "{devices=[1,2,2]<=[4] last_tile_dims={unreduced, replicated}}", 1).unwrap();
        assert_eq!((terms.places, terms.terms, terms.term), (vec![0; 4], 2, vec![0, 0, 1, 1]));
        let groups = |text: &str| manual_groups(&tree, text, 8);
        assert_eq!(groups("{manual}"), Some(vec![(0..8).collect()]));
        let columns = "{devices=[1,4,2]<=[8] last_tile_dims={manual, replicated}}";
        assert_eq!(groups(columns), Some(vec![vec![0, 2, 4, 6], vec![1, 3, 5, 7]]));
        for wrong in [
            "{replicated}",
            "{devices=[2,4]<=[8] last_tile_dims={manual}}",
            "{devices=[1,4]<=[4] last_tile_dims={manual}}",
        ] {
            assert_eq!(groups(wrong), None, "{wrong}");
        }
        for wrong in
            ["", "{devices=[2]0,0}", "{devices=[2]0,2}", "{devices=[2]<=[3]}", "{devices=[0]<=[0]}", "{x}"]
        {
            assert_eq!(read(wrong, 1), None, "{wrong}");
        }
    }
}
