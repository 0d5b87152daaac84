//! A checked program: operations with typed attributes. The parser's syntax tree becomes this in `verify`; nothing here
//! can be inconsistent with the specification's static constraints once it has been verified.

use std::collections::HashMap;
use std::sync::Arc;

use crate::entry::CALLBACK;
use crate::sharding::Sharding;
use crate::tensor::Tensor;
use crate::types::{ElementType, Type};

/// A program: a module of functions.
#[derive(Clone, Debug)]
pub struct Program {
    /// In the order of the text; names are unique.
    pub functions: Vec<Function>,
    /// Index by name.
    pub names: HashMap<String, usize>,
    /// `mhlo.num_replicas`, 1 if not said.
    pub replicas: usize,
    /// `mhlo.num_partitions`, 1 if not said.
    pub partitions: usize,
    /// The processor's place among the platforms that a serialized export is for; 0 if nobody says.
    pub platform: usize,
}

impl Program {
    /// Whether it may do more than make results: it calls functions of the host, or has custom calls with side effects.
    pub fn has_effects(&self) -> bool {
        fn has(region: &Region) -> bool {
            region.operations.iter().any(|operation| match &operation.kind {
                Op::CustomCall { target, has_side_effect, .. } => *has_side_effect || target == CALLBACK,
                kind => kind.regions().into_iter().any(has),
            })
        }
        self.functions.iter().any(|function| has(&function.body))
    }

    /// The program with other functions of the same names and places.
    pub fn with(&self, functions: Vec<Function>) -> Program {
        Program { functions, names: self.names.clone(), ..*self }
    }
}

/// A value within its function: an index into [`Function::values`]. Regions see the values around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Without `@`.
    pub name: String,
    /// Parameters are the body's.
    pub body: Region,
    /// What the parameters were called in the source program, where that is known: `jax.arg_info`, `jax.global_constant`, or
    /// the name of the location.
    pub parameter_names: Vec<Option<String>>,
    /// The parameter that says which platform of an export runs the program: `jax.global_constant = "_platform_index"`.
    pub platform: Option<usize>,
    /// Which parameters the caller gives up, so that results may take their memory.
    pub donated: Vec<bool>,
    /// Where the parts of the parameters are, among several devices; none where nobody says.
    pub shardings: Vec<Option<Arc<Sharding>>>,
    /// Types of the results.
    pub results: Vec<Type>,
    /// As `shardings`, of the results.
    pub result_shardings: Vec<Option<Arc<Sharding>>>,
    /// Type of every value of the function and of its nested regions.
    pub values: Vec<Type>,
    /// Where it stands in the text: line and column, from 1.
    pub position: (u32, u32),
}

/// A region of one block. Its terminator (`return`) is not an operation but `results`.
#[derive(Clone, Debug)]
pub struct Region {
    /// Block arguments.
    pub parameters: Vec<ValueId>,
    /// In order.
    pub operations: Vec<Operation>,
    /// What the terminator returns.
    pub results: Vec<ValueId>,
}

impl Region {
    /// How many operations there are, those in regions among them.
    pub fn size(&self) -> usize {
        let inside =
            |operation: &Operation| operation.kind.regions().into_iter().map(Region::size).sum::<usize>();
        self.operations.iter().map(|operation| 1 + inside(operation)).sum()
    }

    /// Adds all values that the region's operations and results name, those in regions within among them.
    pub fn named(&self, into: &mut Vec<ValueId>) {
        for operation in &self.operations {
            into.extend(&operation.operands);
            operation.kind.regions().into_iter().for_each(|region| region.named(into));
        }
        into.extend(&self.results);
    }
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// What it does, with its attributes and regions.
    pub kind: Op,
    /// Operands in the specification's order, variadic ones flattened.
    pub operands: Vec<ValueId>,
    /// Results; their types are in [`Function::values`].
    pub results: Vec<ValueId>,
    /// Named scopes of the location (`jax.named_scope`), outermost first, joined with `/`; empty if there is none.
    pub scope: Arc<str>,
    /// Where it stands in the text: line and column, from 1.
    pub position: (u32, u32),
}

/// Elementwise operations of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the specification's, or chlo's after `chlo.`")]
pub enum Unary {
    Abs,
    Cbrt,
    Ceil,
    Cosine,
    CountLeadingZeros,
    Exponential,
    ExponentialMinusOne,
    Floor,
    Imag,
    IsFinite,
    Log,
    LogPlusOne,
    Logistic,
    Negate,
    Not,
    Popcnt,
    Real,
    RoundNearestAfz,
    RoundNearestEven,
    Rsqrt,
    Sign,
    Sine,
    Sqrt,
    Tan,
    Tanh,
    // chlo
    Acos,
    Acosh,
    Asin,
    Asinh,
    Atan,
    Atanh,
    BesselI1e,
    Conj,
    Cosh,
    Digamma,
    Erf,
    ErfInv,
    Erfc,
    IsInf,
    IsNegInf,
    IsPosInf,
    Lgamma,
    Sinh,
    Square,
    AsinAcosKernel,
}

/// Elementwise operations of two operands. Those of chlo broadcast first; `verify` makes that explicit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the specification's, or chlo's")]
pub enum Binary {
    Add,
    And,
    Atan2,
    Complex,
    Divide,
    Maximum,
    Minimum,
    Multiply,
    Or,
    Power,
    Remainder,
    ShiftLeft,
    ShiftRightArithmetic,
    ShiftRightLogical,
    Subtract,
    Xor,
    // chlo
    /// The high half of the product of integers.
    MulHigh,
    NextAfter,
    Polygamma,
    Zeta,
}

/// `comparison_direction`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the specification's")]
pub enum Direction {
    Eq,
    Ne,
    Ge,
    Gt,
    Le,
    Lt,
}

impl Direction {
    /// Whether two numbers are in this relation; NaN is unordered.
    #[inline(always)]
    pub fn holds<T: PartialOrd>(self, x: T, y: T) -> bool {
        match self {
            Direction::Eq => x == y,
            Direction::Ne => x != y,
            Direction::Ge => x >= y,
            Direction::Gt => x > y,
            Direction::Le => x <= y,
            Direction::Lt => x < y,
        }
    }
}

/// `compare_type`, as far as it makes a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Numbers; NaN is unordered, and equals nothing.
    Partial,
    /// `WEAKORDER`: −0 equals +0, and all NaN are equal and above +∞.
    Weak,
    /// `TOTALORDER`: IEEE 754's totalOrder, with −NaN < −∞ < −0 < +0 < +∞ < +NaN.
    Total,
}

/// Dimensions of `dot_general`.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs, reason = "the names are the specification's")]
pub struct DotDimensions {
    pub lhs_batching: Vec<usize>,
    pub rhs_batching: Vec<usize>,
    pub lhs_contracting: Vec<usize>,
    pub rhs_contracting: Vec<usize>,
}

/// `algorithm` of `dot_general`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the specification's")]
pub struct DotAlgorithm {
    pub lhs_precision: ElementType,
    pub rhs_precision: ElementType,
    pub accumulation: ElementType,
    pub lhs_components: usize,
    pub rhs_components: usize,
    pub primitive_operations: usize,
    pub allow_imprecise_accumulation: bool,
}

/// Attributes of `chlo.ragged_dot`.
#[derive(Clone, Debug, PartialEq)]
pub struct RaggedDot {
    /// Those of the product.
    pub dimensions: DotDimensions,
    /// The dimension of the left side that group sizes cut.
    pub ragged: usize,
    /// The dimension of the right side that has an index for each group: there is one if the ragged dimension is neither
    /// batching nor contracting.
    pub group: Option<usize>,
}

impl DotDimensions {
    /// The dimensions of the left side, which has `rank`, that are neither batching nor contracting.
    pub fn lhs_free(&self, rank: usize) -> Vec<usize> {
        let used = |d: &usize| self.lhs_batching.contains(d) || self.lhs_contracting.contains(d);
        (0..rank).filter(|d| !used(d)).collect()
    }

    /// The dimensions of the right side, which has `rank`, that are neither batching nor contracting.
    pub fn rhs_free(&self, rank: usize) -> Vec<usize> {
        let used = |d: &usize| self.rhs_batching.contains(d) || self.rhs_contracting.contains(d);
        (0..rank).filter(|d| !used(d)).collect()
    }
}

impl RaggedDot {
    /// The shape of the result: groups first if the ragged dimension is contracted, then batching dimensions, then the
    /// others of the left side, then those of the right side.
    pub fn shape(&self, lhs: &[usize], rhs: &[usize], groups: usize) -> Vec<usize> {
        let d = &self.dimensions;
        let left = d.lhs_free(lhs.len());
        let right = d.rhs_free(rhs.len()).into_iter().filter(|&dimension| self.group != Some(dimension));
        let groups = d.lhs_contracting.contains(&self.ragged).then_some(groups);
        let sizes = d.lhs_batching.iter().chain(&left).map(|&d| lhs[d]).chain(right.map(|d| rhs[d]));
        groups.into_iter().chain(sizes).collect()
    }

    /// The dimensions of the left side along which group sizes may differ: batching ones, then others of the kind of the
    /// ragged one, as far as they come before it.
    pub fn prefix(&self, rank: usize) -> Vec<usize> {
        let d = &self.dimensions;
        let before = |dimensions: &[usize]| -> Vec<usize> {
            dimensions.iter().copied().take_while(|&other| other != self.ragged).collect()
        };
        if d.lhs_batching.contains(&self.ragged) {
            return before(&d.lhs_batching);
        }
        let kind = match d.lhs_contracting.contains(&self.ragged) {
            true => before(&d.lhs_contracting),
            false => before(&d.lhs_free(rank)),
        };
        [&d.lhs_batching[..], &kind].concat()
    }
}

impl DotAlgorithm {
    /// How many parts operands are split into: 2 where 3 or 4 products of parts are asked for, 3 where 6 or 9 are.
    pub fn parts(&self) -> usize {
        let parts = match self.primitive_operations {
            3 | 4 => 2,
            6.. => 3,
            _ => 1,
        };
        parts.max(self.lhs_components).max(self.rhs_components)
    }
}

/// Attributes of `convolution`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the specification's")]
pub struct Convolution {
    pub window_strides: Vec<usize>,
    pub padding: Vec<(i64, i64)>,
    pub lhs_dilation: Vec<usize>,
    pub rhs_dilation: Vec<usize>,
    pub window_reversal: Vec<bool>,
    pub input_batch: usize,
    pub input_feature: usize,
    pub input_spatial: Vec<usize>,
    pub kernel_input_feature: usize,
    pub kernel_output_feature: usize,
    pub kernel_spatial: Vec<usize>,
    pub output_batch: usize,
    pub output_feature: usize,
    pub output_spatial: Vec<usize>,
    pub feature_groups: usize,
    pub batch_groups: usize,
}

/// Attributes of `gather` (and `dynamic_gather`, which takes `slice_sizes` as an operand).
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the specification's")]
pub struct Gather {
    pub offset_dims: Vec<usize>,
    pub collapsed_slice_dims: Vec<usize>,
    pub operand_batching_dims: Vec<usize>,
    pub start_indices_batching_dims: Vec<usize>,
    pub start_index_map: Vec<usize>,
    pub index_vector_dim: usize,
    /// None for `dynamic_gather`.
    pub slice_sizes: Option<Vec<usize>>,
    pub indices_are_sorted: bool,
}

/// Attributes of `scatter`.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the specification's")]
pub struct Scatter {
    pub update_window_dims: Vec<usize>,
    pub inserted_window_dims: Vec<usize>,
    pub input_batching_dims: Vec<usize>,
    pub scatter_indices_batching_dims: Vec<usize>,
    pub scatter_dims_to_operand_dims: Vec<usize>,
    pub index_vector_dim: usize,
    pub indices_are_sorted: bool,
    pub unique_indices: bool,
}

/// A window over the dimensions of an operand.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names are the specification's")]
pub struct Window {
    pub dimensions: Vec<usize>,
    pub strides: Vec<usize>,
    pub base_dilations: Vec<usize>,
    pub window_dilations: Vec<usize>,
    pub padding: Vec<(i64, i64)>,
}

/// The number of windows of a size over a size; none if it is not known. Sizes are dilated and padded first; none at all
/// if the padded one is negative, or beyond what an index can be.
#[inline]
pub fn windows(
    size: Option<usize>,
    window: Option<usize>,
    dilations: (usize, usize),
    padding: (i64, i64),
    stride: usize,
) -> Option<Option<usize>> {
    let (Some(size), Some(window)) = (size, window) else { return Some(None) };
    let dilated = |size: usize, dilation: usize| match size {
        0 => Some(0i128),
        _ => (size as i128 - 1).checked_mul(dilation as i128)?.checked_add(1),
    };
    let padded = dilated(size, dilations.0)?.checked_add(i128::from(padding.0) + i128::from(padding.1))?;
    let window = dilated(window, dilations.1)?;
    // A padded size below zero is an error of the program.
    if !(0..=i128::from(i64::MAX)).contains(&padded) {
        return None;
    }
    let count = if padded == 0 || window > padded { 0 } else { (padded - window) / stride as i128 + 1 };
    Some(Some(usize::try_from(count).ok()?))
}

impl Window {
    /// Whether it has a number of each kind for each of so many dimensions.
    pub fn has_rank(&self, rank: usize) -> bool {
        let all = [&self.dimensions, &self.strides, &self.base_dilations, &self.window_dilations];
        all.iter().all(|numbers| numbers.len() == rank) && self.padding.len() == rank
    }
}

/// `replica_groups` or `source_target_pairs`, a row a group; −1 in short groups of replicas is dropped.
pub type Groups = Vec<Vec<usize>>;

/// Which processes of a collective form a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Collective {
    /// `replica_groups` or `source_target_pairs`.
    pub groups: Groups,
    /// `channel_handle`'s identifier; 0 if there is none.
    pub channel: i64,
    /// `use_global_device_ids`.
    pub use_global_device_ids: bool,
}

/// How the manual axes cut a value; `None` of a token, which every device has as it is.
pub type Pieces = Option<Arc<Sharding>>;

/// `sdy.manual_computation`, of which the region is a function.
#[derive(Clone, Debug)]
pub struct ManualComputation {
    /// The index of the function, which takes the parts that a device has of the operands, and makes those of the results.
    pub function: usize,
    /// The devices that work together, in the order of the mesh: those that differ in their places on the manual axes alone.
    /// Each device of the mesh is in one group.
    pub groups: Groups,
    /// How the manual axes cut the operands.
    pub operands: Vec<Pieces>,
    /// How they cut the results.
    pub results: Vec<Pieces>,
}

/// `fft_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the specification's")]
pub enum FftType {
    Fft,
    Ifft,
    Rfft,
    Irfft,
}

/// `rng_algorithm`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the specification's")]
pub enum RngAlgorithm {
    Default,
    ThreeFry,
    Philox,
}

/// How much an `expect_*` check tolerates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Equal, NaN equal to NaN, +0 equal to −0 as upstream's interpreter compares.
    Equal,
    /// At most this absolute difference.
    Absolute(f64),
    /// Between `min` and `max` ulps of the type.
    Ulps {
        /// Least allowed difference.
        min: u64,
        /// Greatest allowed difference.
        max: u64,
    },
}

/// What an operation does. Dimension numbers are indices from 0.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names are the specification's")]
pub enum Op {
    Unary(Unary),
    Binary(Binary),
    Compare {
        direction: Direction,
        order: Order,
    },
    Select,
    Clamp,
    Convert,
    /// An operand of a reduction in the wider type that its body takes. No program spells it, and no rule of arithmetic
    /// reaches it: it is part of the reduction.
    Promote,
    BitcastConvert,
    ReducePrecision {
        exponent_bits: u32,
        mantissa_bits: u32,
    },
    UniformQuantize,
    UniformDequantize,
    Map {
        dimensions: Vec<usize>,
        body: Region,
    },

    /// A splat of more than one element is a constant scalar and a `BroadcastInDim`.
    Constant(Tensor),
    Iota {
        dimension: usize,
    },
    /// The operand is the shape.
    DynamicIota {
        dimension: usize,
    },
    BroadcastInDim {
        dimensions: Vec<usize>,
    },
    /// operand, shape.
    DynamicBroadcastInDim {
        dimensions: Vec<usize>,
    },
    Reshape,
    /// operand, shape.
    DynamicReshape,
    Transpose {
        permutation: Vec<usize>,
    },
    Reverse {
        dimensions: Vec<usize>,
    },
    Concatenate {
        dimension: usize,
    },
    Pad {
        low: Vec<i64>,
        high: Vec<i64>,
        interior: Vec<i64>,
    },
    /// operand, padding value, low, high, interior.
    DynamicPad,
    Slice {
        start: Vec<usize>,
        limit: Vec<usize>,
        strides: Vec<usize>,
    },
    /// operand, starts, limits, strides (one-dimensional tensors).
    RealDynamicSlice,
    /// operand, a scalar start for each dimension.
    DynamicSlice {
        sizes: Vec<usize>,
    },
    /// operand, update, scalar starts.
    DynamicUpdateSlice,
    GetDimensionSize {
        dimension: usize,
    },
    SetDimensionSize {
        dimension: usize,
    },

    DotGeneral {
        dimensions: DotDimensions,
        algorithm: Option<DotAlgorithm>,
    },
    /// lhs, rhs, group sizes.
    RaggedDot(RaggedDot),
    /// A matrix in compressed rows, by its elements, where the rows begin among them, and their columns; and a vector or matrix.
    SparseDot,
    Convolution(Convolution),
    /// lhs, rhs, padding.
    DynamicConv(Convolution),
    Cholesky {
        lower: bool,
    },
    TriangularSolve {
        left_side: bool,
        lower: bool,
        unit_diagonal: bool,
        transpose: bool,
        conjugate: bool,
    },
    Fft {
        kind: FftType,
        length: Vec<usize>,
    },
    BatchNormInference {
        epsilon: f32,
        feature: usize,
    },
    BatchNormTraining {
        epsilon: f32,
        feature: usize,
    },
    BatchNormGrad {
        epsilon: f32,
        feature: usize,
    },

    /// inputs, then initial values.
    Reduce {
        dimensions: Vec<usize>,
        body: Region,
    },
    ReduceWindow {
        window: Window,
        body: Region,
    },
    /// inputs, initial values, and of the window: dimensions, strides, dilations of the base and its own, edges.
    DynamicReduceWindow {
        body: Region,
    },
    /// operand, source, initial value.
    SelectAndScatter {
        window: Window,
        select: Region,
        scatter: Region,
    },
    Sort {
        dimension: usize,
        stable: bool,
        comparator: Region,
    },
    TopK {
        k: usize,
    },
    Gather(Gather),
    /// operand, start indices, slice sizes.
    DynamicGather(Gather),
    /// inputs, indices, updates.
    Scatter {
        attributes: Scatter,
        body: Region,
    },
    TorchIndexSelect {
        dimension: usize,
        batch_dims: usize,
    },

    While {
        condition: Region,
        body: Region,
    },
    If {
        then: Region,
        otherwise: Region,
    },
    Case {
        branches: Vec<Region>,
    },
    /// The index of the function.
    Call {
        function: usize,
    },
    /// `composite` runs its decomposition.
    Composite {
        name: String,
        function: usize,
    },
    /// A function that every device of some axes of a mesh does on its parts.
    ManualComputation(ManualComputation),
    OptimizationBarrier,
    AfterAll,
    Tuple,
    GetTupleElement {
        index: usize,
    },

    Rng {
        normal: bool,
    },
    RngBitGenerator(RngAlgorithm),

    AllGather {
        dimension: usize,
        collective: Collective,
    },
    AllReduce {
        collective: Collective,
        body: Region,
    },
    AllToAll {
        split_dimension: usize,
        concat_dimension: usize,
        split_count: usize,
        collective: Collective,
    },
    /// The root is the first process of the group, or (`has_dynamic_root`) for each operand the one whose place the last
    /// operand gives.
    CollectiveBroadcast {
        has_dynamic_root: bool,
        collective: Collective,
    },
    /// operand, and with a dynamic root its place in the group, a tensor of one `i32`. As `AllReduce` for the root, which is the
    /// first process of a group otherwise; the other processes have zeros.
    CollectiveReduce {
        has_dynamic_root: bool,
        collective: Collective,
        body: Region,
    },
    CollectivePermute(Collective),
    ReduceScatter {
        dimension: usize,
        collective: Collective,
        body: Region,
    },
    PartitionId,
    ReplicaId,
    Send {
        channel: i64,
        channel_type: i64,
    },
    Recv {
        channel: i64,
        channel_type: i64,
    },
    Infeed,
    Outfeed,

    /// `check.expect_*`: actual, expected (what a `_const` check expects is a constant before it).
    Expect {
        tolerance: Tolerance,
    },
    /// `check.expect_serialized_eq`: the operand equals what the probe `id` saw at its `iteration`, from 0.
    ExpectSerialized {
        id: String,
        iteration: usize,
    },
    /// A custom call that the registry of the evaluator has to know.
    CustomCall {
        target: String,
        has_side_effect: bool,
        /// The text of the attribute; the integers of a dictionary as `name=value` with blanks between.
        backend_config: String,
        /// For each result, the operand that is its shape; none where the types say all.
        shapes: Vec<usize>,
    },
    /// `interpreter.run_parallel`: functions in a grid, a row a replica, a column a partition.
    RunParallel {
        programs: Vec<Vec<usize>>,
        infeed: Vec<usize>,
    },
    /// `interpreter.print`.
    Print,
    /// `interpreter.probe`: passes its operand on.
    Probe {
        id: String,
    },
}

/// The regions of an operation, borrowed as the operation is: `iter` goes through those of a `case`.
macro_rules! regions {
    ($op:expr, $iter:ident) => {
        match $op {
            Op::Map { body, .. }
            | Op::Reduce { body, .. }
            | Op::ReduceWindow { body, .. }
            | Op::DynamicReduceWindow { body }
            | Op::Scatter { body, .. }
            | Op::AllReduce { body, .. }
            | Op::CollectiveReduce { body, .. }
            | Op::ReduceScatter { body, .. } => vec![body],
            Op::SelectAndScatter { select, scatter, .. } => vec![select, scatter],
            Op::Sort { comparator, .. } => vec![comparator],
            Op::While { condition, body } => vec![condition, body],
            Op::If { then, otherwise } => vec![then, otherwise],
            Op::Case { branches } => branches.$iter().collect(),
            _ => vec![],
        }
    };
}

impl Op {
    /// The regions of the operation.
    pub fn regions(&self) -> Vec<&Region> {
        regions!(self, iter)
    }

    /// The regions of the operation, to be changed.
    pub fn regions_mut(&mut self) -> Vec<&mut Region> {
        regions!(self, iter_mut)
    }

    /// The region by which the operation combines many elements.
    pub fn reducer(&self) -> Option<&Region> {
        match self {
            Op::Reduce { body, .. }
            | Op::ReduceWindow { body, .. }
            | Op::DynamicReduceWindow { body }
            | Op::Scatter { body, .. }
            | Op::SelectAndScatter { scatter: body, .. }
            | Op::AllReduce { body, .. }
            | Op::CollectiveReduce { body, .. }
            | Op::ReduceScatter { body, .. } => Some(body),
            _ => None,
        }
    }

    /// Whether the operation only decides what else is done.
    #[inline]
    pub fn is_control(&self) -> bool {
        self.traits().control
    }
}
