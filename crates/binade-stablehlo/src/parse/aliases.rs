//! Aliases of attributes and types, for the parser. Each use is a copy, so a short text could expand to a huge or deeply nested
//! one: the size and the depth are limited.

use super::{DEEPEST, Parser};
use crate::error::{Problem, Result, fail};
use crate::syntax::Attribute;
use crate::types::Type;

/// Maximum bytes of all copies together.
const MOST: usize = 64 << 20;

/// The value of an alias, and its cost.
pub(super) struct Alias<T> {
    value: T,
    extent: Extent,
}

/// Approximate bytes in memory, and levels of nesting.
#[derive(Clone, Copy, Default)]
pub(super) struct Extent {
    bytes: usize,
    depth: usize,
}

impl Extent {
    /// The cost of an item of `own` bytes that contains these parts.
    fn around(own: usize, parts: impl Iterator<Item = Extent>) -> Extent {
        let sum = |sum: Extent, part: Extent| Extent {
            bytes: sum.bytes.saturating_add(part.bytes),
            depth: sum.depth.max(part.depth),
        };
        let parts = parts.fold(Extent::default(), sum);
        Extent { bytes: parts.bytes.saturating_add(own), depth: parts.depth + 1 }
    }
}

/// Values that an alias can name.
pub(super) trait Named: Clone {
    fn extent(&self) -> Extent;
}

impl Named for Type {
    fn extent(&self) -> Extent {
        match self {
            Type::Tensor(tensor) => {
                Extent::around(size_of::<Type>() + size_of_val(&tensor.shape[..]), std::iter::empty())
            }
            Type::Token => Extent::around(size_of::<Type>(), std::iter::empty()),
            Type::Tuple(types) => Extent::around(size_of::<Type>(), types.iter().map(Named::extent)),
        }
    }
}

impl Named for Attribute<'_> {
    fn extent(&self) -> Extent {
        let own = size_of::<Attribute>();
        let simple = |more: usize| Extent::around(own + more, std::iter::empty());
        match self {
            Attribute::String(text) | Attribute::Symbol(text) => simple(text.len()),
            Attribute::Integers(values) => simple(size_of_val(&values[..])),
            Attribute::Dense(dense) => simple(dense.data.bytes() + size_of_val(&dense.shape[..])),
            Attribute::Array(items) => Extent::around(own, items.iter().map(Named::extent)),
            Attribute::Struct(fields) => {
                let own = own + fields.0.iter().map(|(name, ..)| name.len() + 32).sum::<usize>();
                Extent::around(own, fields.0.iter().map(|(_, value, _)| value.extent()))
            }
            Attribute::Function(parameters, results) => {
                Extent::around(own, parameters.iter().chain(results).map(Named::extent))
            }
            Attribute::Convolution(dimensions) => {
                let axes = [&dimensions.input, &dimensions.kernel, &dimensions.output];
                simple(axes.map(|axes| size_of_val(&axes.spatial[..])).iter().sum())
            }
            Attribute::Sharding(sharding) => {
                let axes = sharding.dimensions.iter().flatten().chain(&sharding.unreduced);
                let names: usize = axes.map(|axis| size_of_val(axis) + axis.name.len()).sum();
                let lists = size_of_val(&sharding.dimensions[..]);
                Extent::around(
                    own + size_of_val(&**sharding) + lists + names,
                    [sharding.mesh.extent()].into_iter(),
                )
            }
            Attribute::Unit
            | Attribute::Bool(_)
            | Attribute::Integer(_)
            | Attribute::Float(_)
            | Attribute::Element(_)
            | Attribute::Word(_)
            | Attribute::Opaque => simple(0),
        }
    }
}

impl<T: Named> Alias<T> {
    pub(super) fn new(value: T) -> Alias<T> {
        let extent = value.extent();
        Alias { value, extent }
    }
}

impl Parser<'_> {
    /// A copy for a use at the byte `at` of the text.
    pub(super) fn copy<T: Named>(&mut self, alias: &Alias<T>, at: usize) -> Result<T> {
        if self.depth + alias.extent.depth > DEEPEST {
            let what = "regions, types and attributes";
            return fail(at, Problem::TooDeep { what, limit: DEEPEST });
        }
        self.copied = self.copied.saturating_add(alias.extent.bytes);
        if self.copied > MOST {
            return fail(at, Problem::Copies { limit: MOST });
        }
        Ok(alias.value.clone())
    }
}
