//! The syntax tree that the parser makes and the verifier reads. Every operation has MLIR's generic form here, whatever its
//! form in the text.

use std::borrow::Cow;

use crate::tensor::Data;
use crate::types::{ElementType, Type};

/// The attribute of a function with the shardings of its results. A result without a sharding has [`Attribute::Unit`].
pub(crate) const RESULT_SHARDINGS: &str = "result shardings";

/// An operation: a name, operands, attributes, regions and types.
#[derive(Debug)]
pub(crate) struct Operation<'a> {
    /// The name with its dialect: `stablehlo.add`.
    pub(crate) name: Cow<'a, str>,
    /// The byte of the text where the operation begins.
    pub(crate) at: usize,
    pub(crate) results: Vec<Binding<'a>>,
    pub(crate) operands: Vec<Use<'a>>,
    pub(crate) attributes: Attributes<'a>,
    pub(crate) regions: Vec<Region<'a>>,
    /// `None` if the text leaves the types to the operands' definitions.
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
    /// The name in the source program: the attribute `jax.arg_info`.
    pub(crate) info: Option<Cow<'a, str>>,
    /// The export's constant that this argument is: the attribute `jax.global_constant`.
    pub(crate) constant: Option<Cow<'a, str>>,
    /// True if the caller donates the argument: `jax.buffer_donor`, or `tf.aliasing_output` with a result that takes its
    /// memory.
    pub(crate) donated: bool,
    /// The sharding: `sdy.sharding` or `mhlo.sharding`.
    pub(crate) sharding: Option<Attribute<'a>>,
    pub(crate) location: Option<Location<'a>>,
}

/// A region of one block.
#[derive(Debug, Default)]
pub(crate) struct Region<'a> {
    /// Empty if the region takes the parameters of its operation (`applies`, `cond`).
    pub(crate) parameters: Vec<Parameter<'a>>,
    pub(crate) operations: Vec<Operation<'a>>,
    /// The byte of the text where the region begins.
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

    /// The integers and, as 0 and 1, the truth values: `name=value`, separated by blanks.
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
    /// An attribute that no operation needs.
    Opaque,
}

/// `#sdy.sharding<@mesh, [{"x", "y":(1)2, ?}, {}]>`: the axes of a mesh that cut each dimension.
#[derive(Clone, Debug)]
pub(crate) struct Sharding<'a> {
    /// A mesh of the module by name, or a mesh in the form of `#stablehlo.mesh`.
    pub(crate) mesh: Attribute<'a>,
    pub(crate) dimensions: Vec<Vec<Axis<'a>>>,
    /// True for a dimension that more axes may cut. If it has no axes, nothing is stated about it.
    pub(crate) open: Vec<bool>,
    /// Axes along which devices have terms of a sum, not copies.
    pub(crate) unreduced: Vec<Axis<'a>>,
}

/// An axis of a mesh, or a part `(before, size)` of one.
#[derive(Clone, Debug)]
pub(crate) struct Axis<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) part: Option<(usize, usize)>,
}

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`: the meaning of each dimension.
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

/// A dense constant: one element for each place of the shape, or one for all.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    pub(crate) element: ElementType,
    pub(crate) shape: Vec<usize>,
    pub(crate) data: Data,
}

/// A location. Only the names of scopes are kept.
#[derive(Clone, Debug)]
pub(crate) enum Location<'a> {
    /// `loc("name")`, `loc("name"(child))`.
    Name(Cow<'a, str>),
    /// `#loc1`.
    Alias(&'a str),
    /// `callsite(callee at caller)` and `fused[…]`. The first part with a name names it.
    Several(Vec<Location<'a>>),
    /// A place in a file, or unknown.
    Nameless,
}
