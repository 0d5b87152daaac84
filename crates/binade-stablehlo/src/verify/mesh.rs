//! Meshes for shardings and collectives: devices in a grid with named axes.

use super::collective::MOST_PROCESSES;
use super::node::integers;
use crate::ir::Groups;
use crate::parse::Tree;
use crate::syntax::{Attribute, Attributes};

/// A mesh.
pub(super) struct Mesh<'f> {
    /// For each axis, its name, its size, and the stride between neighbours.
    axes: Vec<(&'f str, usize, usize)>,
    /// The device numbers along the mesh, the last axis fastest.
    pub(super) devices: Vec<usize>,
}

/// An axis, or a part of one: its size, and the stride between neighbours.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub(super) size: usize,
    stride: usize,
}

impl Cut {
    /// The coordinate on this axis of a position in the mesh.
    pub(super) fn place(self, at: usize) -> usize {
        at / self.stride % self.size
    }
}

impl<'f> Mesh<'f> {
    /// Reads a mesh of the module by name, or a mesh given in place. `None` if it is neither, or has too many devices.
    pub(super) fn read(tree: &'f Tree<'_>, attribute: &'f Attribute<'_>) -> Option<Mesh<'f>> {
        let mesh = match attribute {
            Attribute::Symbol(name) => tree.meshes.get(name)?,
            mesh => mesh,
        };
        let Attribute::Struct(mesh) = mesh else { return None };
        let (mut axes, mut count) = (vec![], 1usize);
        for axis in items(mesh, "axes")?.iter().rev() {
            let Attribute::Struct(axis) = axis else { return None };
            let size = match axis.get("size")?.0 {
                Attribute::Integer(size) => usize::try_from(*size).ok()?,
                _ => return None,
            };
            axes.push((name(axis)?, size, count));
            count = count.checked_mul(size).filter(|&count| (1..=MOST_PROCESSES).contains(&count))?;
        }
        let devices: Vec<usize> = match mesh.get("device_ids") {
            None => (0..count).collect(),
            Some((ids, _)) => {
                let ids = integers(ids, None)?.into_iter().map(usize::try_from);
                ids.collect::<Result<_, _>>().ok()?
            }
        };
        let known = devices.len() == count && devices.iter().all(|&id| id < MOST_PROCESSES);
        known.then_some(Mesh { axes, devices })
    }

    /// An axis, or its part `(before, size)`. The axis is split into `before` parts, parts of `size`, and the rest.
    pub(super) fn cut(&self, name: &str, part: Option<(usize, usize)>) -> Option<Cut> {
        let &(_, full, stride) = self.axes.iter().find(|axis| axis.0 == name)?;
        let (before, size) = part.unwrap_or((1, full));
        let part = before.checked_mul(size).filter(|&part| part > 0 && full % part == 0)?;
        Some(Cut { size, stride: stride * (full / part) })
    }

    /// The groups of devices that differ only in their coordinates on these axes. The first axis of a group is the slowest.
    /// `None` if axes overlap.
    pub(super) fn groups(&self, cuts: &[Cut]) -> Option<Groups> {
        let in_front = |&at: &usize| cuts.iter().all(|cut| cut.place(at) == 0);
        let first: Vec<usize> = (0..self.devices.len()).filter(in_front).collect();
        // Overlapping axes would name a device twice.
        let members = cuts.iter().try_fold(1usize, |members, cut| members.checked_mul(cut.size))?;
        if first.len().checked_mul(members)? != self.devices.len() {
            return None;
        }
        let group = |first| {
            let all = cuts.iter().fold(vec![first], |members: Vec<usize>, cut| {
                let places = |&member: &usize| (0..cut.size).map(move |place| member + place * cut.stride);
                members.iter().flat_map(places).collect()
            });
            all.into_iter().map(|at| self.devices[at]).collect()
        };
        Some(first.into_iter().map(group).collect())
    }
}

pub(super) fn items<'f, 'a>(fields: &'f Attributes<'a>, name: &str) -> Option<&'f [Attribute<'a>]> {
    match fields.get(name)?.0 {
        Attribute::Array(items) => Some(items),
        _ => None,
    }
}

pub(super) fn name<'f>(fields: &'f Attributes) -> Option<&'f str> {
    match fields.get("name")?.0 {
        Attribute::String(name) => Some(name),
        _ => None,
    }
}
