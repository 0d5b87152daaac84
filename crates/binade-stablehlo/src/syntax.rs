//! The syntax tree: every operation in MLIR's generic form, whatever form the text has it in.

use std::borrow::Cow;

use crate::tensor::Data;
use crate::types::{ElementType, Type};

/// Of a function: the shardings of its results, each of which may be none ([`Attribute::Unit`]).
pub(crate) const RESULT_SHARDINGS: &str = "result shardings";

/// An operation: a name, operands, attributes, regions and types.
#[derive(Debug)]
pub(crate) struct Operation<'a> {
    /// With its dialect: `stablehlo.add`.
    pub(crate) name: Cow<'a, str>,
    /// The byte of the text where it begins.
    pub(crate) at: usize,
    pub(crate) results: Vec<Binding<'a>>,
    pub(crate) operands: Vec<Use<'a>>,
    pub(crate) attributes: Attributes<'a>,
    pub(crate) regions: Vec<Region<'a>>,
    /// None where the text leaves them to the operands' definitions.
    pub(crate) operand_types: Option<Vec<Type>>,
    pub(crate) result_types: Vec<Type>,
    pub(crate) location: Option<Location<'a>>,
}

/// `%name:count` before an operation.
#[derive(Clone, Debug)]
pub(crate) struct Binding<'a> {
    /// Without `%`.
    pub(crate) name: &'a str,
    pub(crate) count: usize,
    pub(crate) at: usize,
}

/// `%name#index` as an operand.
#[derive(Clone, Debug)]
pub(crate) struct Use<'a> {
    /// Without `%`.
    pub(crate) name: &'a str,
    pub(crate) index: usize,
    pub(crate) at: usize,
}

/// A block argument.
#[derive(Clone, Debug)]
pub(crate) struct Parameter<'a> {
    /// Without `%`.
    pub(crate) name: &'a str,
    pub(crate) at: usize,
    pub(crate) ty: Type,
    /// What the source program calls it: the attribute `jax.arg_info`.
    pub(crate) info: Option<Cow<'a, str>>,
    /// The constant of the export that it is: the attribute `jax.global_constant`.
    pub(crate) constant: Option<Cow<'a, str>>,
    /// Whether the caller gives it up: `jax.buffer_donor`, or `tf.aliasing_output` with a result in its place.
    pub(crate) donated: bool,
    /// Where its parts are: `sdy.sharding` or `mhlo.sharding`.
    pub(crate) sharding: Option<Attribute<'a>>,
    pub(crate) location: Option<Location<'a>>,
}

/// A region of one block.
#[derive(Debug, Default)]
pub(crate) struct Region<'a> {
    /// None where the region takes the parameters that its operation gives it (`applies`, `cond`).
    pub(crate) parameters: Vec<Parameter<'a>>,
    pub(crate) operations: Vec<Operation<'a>>,
    /// The byte where it begins.
    pub(crate) at: usize,
}

/// Named attributes in the order of the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes<'a>(pub(crate) Vec<(Cow<'a, str>, Attribute<'a>, usize)>);

impl<'a> Attributes<'a> {
    pub(crate) fn push(&mut self, name: impl Into<Cow<'a, str>>, value: Attribute<'a>, at: usize) {
        self.0.push((name.into(), value, at));
    }

    pub(crate) fn get(&self, name: &str) -> Option<(&Attribute<'a>, usize)> {
        self.0.iter().find(|(key, ..)| key == name).map(|(_, value, at)| (value, *at))
    }

    /// Those that are integers or, as 0 and 1, truth values: as `name=value` with blanks between.
    pub(crate) fn integers(&self) -> String {
        let text = |(name, value, _): &(_, Attribute, _)| match value {
            Attribute::Integer(value) => Some(format!("{name}={value}")),
            Attribute::Bool(value) => Some(format!("{name}={}", u8::from(*value))),
            _ => None,
        };
        self.0.iter().filter_map(text).collect::<Vec<_>>().join(" ")
    }
}

/// An attribute.
#[derive(Clone, Debug)]
pub(crate) enum Attribute<'a> {
    Unit,
    Bool(bool),
    Integer(i128),
    Float(f64),
    String(Cow<'a, str>),
    /// `@name`.
    Symbol(Cow<'a, str>),
    Array(Vec<Attribute<'a>>),
    /// `array<i64: …>`.
    Integers(Vec<i64>),
    Dense(Dense),
    Element(ElementType),
    Function(Vec<Type>, Vec<Type>),
    /// A word: `DEFAULT` of `#stablehlo<precision DEFAULT>`.
    Word(&'a str),
    /// `#stablehlo.gather<offset_dims = [1], …>`.
    Struct(Attributes<'a>),
    Convolution(Box<ConvolutionDimensions>),
    Sharding(Box<Sharding<'a>>),
    /// What no operation needs.
    Opaque,
}

/// `#sdy.sharding<@mesh, [{"x", "y":(1)2, ?}, {}]>`: which axes of a mesh cut each dimension.
#[derive(Clone, Debug)]
pub(crate) struct Sharding<'a> {
    /// A mesh of the module by its name, or one in the form of `#stablehlo.mesh`.
    pub(crate) mesh: Attribute<'a>,
    pub(crate) dimensions: Vec<Vec<Axis<'a>>>,
    /// Whether a dimension may be cut by more axes: then nothing is said of it if it has none.
    pub(crate) open: Vec<bool>,
    /// Axes along which there are terms of a sum rather than copies.
    pub(crate) unreduced: Vec<Axis<'a>>,
}

/// An axis of a mesh, or `(before, size)`, a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Axis<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) part: Option<(usize, usize)>,
}

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`: which dimension is which.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConvolutionDimensions {
    pub(crate) input: Axes,
    pub(crate) kernel: Axes,
    pub(crate) output: Axes,
}

/// One of the three lists: batch or input feature, feature or output feature, and the spatial dimensions in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Axes {
    pub(crate) first: i128,
    pub(crate) second: i128,
    pub(crate) spatial: Vec<i128>,
}

/// A dense constant: as many elements as the shape has, or one for all.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    pub(crate) element: ElementType,
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Data,
}

/// A location, as far as it names scopes.
#[derive(Clone, Debug)]
pub(crate) enum Location<'a> {
    /// `loc("name")`, `loc("name"(child))`.
    Name(Cow<'a, str>),
    /// `#loc1`.
    Alias(&'a str),
    /// `callsite(callee at caller)` and `fused[…]`: the first that has a name names it.
    Several(Vec<Location<'a>>),
    /// A place in a file, or unknown.
    Nameless,
}
