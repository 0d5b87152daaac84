//! The checked program, which the evaluator runs: operations with typed attributes. `verify` makes it from the parser's syntax
//! tree. A verified program fulfils all static constraints of the specification.

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
    /// `mhlo.num_replicas`; 1 if absent.
    pub replicas: usize,
    /// `mhlo.num_partitions`; 1 if absent.
    pub partitions: usize,
    /// The CPU's index among the platforms of a serialized export; 0 if none is stated.
    pub platform: usize,
}

impl Program {
    /// Returns true if a run may have effects besides its results: it calls host functions, or has custom calls with side
    /// effects.
    pub fn has_effects(&self) -> bool {
        fn has(region: &Region) -> bool {
            region.operations.iter().any(|operation| match &operation.kind {
                Op::CustomCall { target, has_side_effect, .. } => *has_side_effect || target == CALLBACK,
                kind => kind.regions().into_iter().any(has),
            })
        }
        self.functions.iter().any(|function| has(&function.body))
    }

    /// The program with other functions of the same names and indices.
    pub fn with(&self, functions: Vec<Function>) -> Program {
        Program { functions, names: self.names.clone(), ..*self }
    }
}

/// A value of a function: an index into [`Function::values`]. Regions can use the values around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name without `@`.
    pub name: String,
    /// The body, whose parameters are the function's.
    pub body: Region,
    /// The names of the parameters in the source program, where known: `jax.arg_info`, `jax.global_constant`, or the name
    /// of the location.
    pub parameter_names: Vec<Option<String>>,
    /// The parameter with the index of the platform that runs the program: `jax.global_constant = "_platform_index"`.
    pub platform: Option<usize>,
    /// True for each parameter that the caller donates, so that results may take its memory.
    pub donated: Vec<bool>,
    /// Shardings of the parameters among several devices; `None` if not stated.
    pub shardings: Vec<Option<Arc<Sharding>>>,
    /// Types of the results.
    pub results: Vec<Type>,
    /// Shardings of the results, as `shardings`.
    pub result_shardings: Vec<Option<Arc<Sharding>>>,
    /// Type of every value of the function and of its nested regions.
    pub values: Vec<Type>,
    /// Line and column in the text, from 1.
    pub position: (u32, u32),
}

/// A region of one block. Its terminator (`return`) is not an operation; its operands are `results`.
#[derive(Clone, Debug)]
pub struct Region {
    /// Block arguments.
    pub parameters: Vec<ValueId>,
    /// Operations in order.
    pub operations: Vec<Operation>,
    /// The values that the terminator returns.
    pub results: Vec<ValueId>,
}

impl Region {
    /// The number of operations, including those in nested regions.
    pub fn size(&self) -> usize {
        let inside =
            |operation: &Operation| operation.kind.regions().into_iter().map(Region::size).sum::<usize>();
        self.operations.iter().map(|operation| 1 + inside(operation)).sum()
    }

    /// Appends all operands and results of the region's operations, including those in nested regions.
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
    /// The kind of operation, with its attributes and regions.
    pub kind: Op,
    /// Operands in the specification's order, variadic ones flattened.
    pub operands: Vec<ValueId>,
    /// Results; their types are in [`Function::values`].
    pub results: Vec<ValueId>,
    /// Named scopes of the location (`jax.named_scope`), outermost first, joined with `/`. Empty if the operation has no
    /// scope.
    pub scope: Arc<str>,
    /// Line and column in the text, from 1.
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
    /// Returns true if two numbers are in this relation. NaN is unordered.
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

/// `compare_type`, reduced to the three orders that differ.
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
    /// The dimensions of the product.
    pub dimensions: DotDimensions,
    /// The dimension of the left side that the group sizes cut.
    pub ragged: usize,
    /// The dimension of the right side with an index for each group. Present if the ragged dimension is neither batching
    /// nor contracting.
    pub group: Option<usize>,
}

impl DotDimensions {
    /// The dimensions of a left side of rank `rank` that are neither batching nor contracting.
    pub fn lhs_free(&self, rank: usize) -> Vec<usize> {
        let used = |d: &usize| self.lhs_batching.contains(d) || self.lhs_contracting.contains(d);
        (0..rank).filter(|d| !used(d)).collect()
    }

    /// The dimensions of a right side of rank `rank` that are neither batching nor contracting.
    pub fn rhs_free(&self, rank: usize) -> Vec<usize> {
        let used = |d: &usize| self.rhs_batching.contains(d) || self.rhs_contracting.contains(d);
        (0..rank).filter(|d| !used(d)).collect()
    }
}

impl RaggedDot {
    /// The shape of the result: groups (if the ragged dimension is contracted), batching dimensions, other dimensions of
    /// the left side, other dimensions of the right side.
    pub fn shape(&self, lhs: &[usize], rhs: &[usize], groups: usize) -> Vec<usize> {
        let d = &self.dimensions;
        let left = d.lhs_free(lhs.len());
        let right = d.rhs_free(rhs.len()).into_iter().filter(|&dimension| self.group != Some(dimension));
        let groups = d.lhs_contracting.contains(&self.ragged).then_some(groups);
        let sizes = d.lhs_batching.iter().chain(&left).map(|&d| lhs[d]).chain(right.map(|d| rhs[d]));
        groups.into_iter().chain(sizes).collect()
    }

    /// The dimensions of the left side along which group sizes may differ. These are the batching dimensions, then those of
    /// the ragged dimension's kind, up to the ragged dimension.
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
    /// The number of parts that operands are split into: 2 for 3 or 4 products of parts, 3 for 6 or 9.
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
    /// `None` for `dynamic_gather`.
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

/// The number of windows over a dimension, whose size is dilated and padded first. `Some(None)` if a size is unknown. `None` if
/// the padded size is negative or too large for an index.
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
    // A negative padded size is an error of the program.
    if !(0..=i128::from(i64::MAX)).contains(&padded) {
        return None;
    }
    let count = if padded == 0 || window > padded { 0 } else { (padded - window) / stride as i128 + 1 };
    Some(Some(usize::try_from(count).ok()?))
}

impl Window {
    /// Returns true if every list has one entry for each of `rank` dimensions.
    pub fn has_rank(&self, rank: usize) -> bool {
        let all = [&self.dimensions, &self.strides, &self.base_dilations, &self.window_dilations];
        all.iter().all(|numbers| numbers.len() == rank) && self.padding.len() == rank
    }
}

/// `replica_groups` or `source_target_pairs`: one row per group. The −1 of short groups are dropped.
pub type Groups = Vec<Vec<usize>>;

/// The processes that communicate in a collective operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Collective {
    /// `replica_groups` or `source_target_pairs`.
    pub groups: Groups,
    /// The identifier of `channel_handle`; 0 if absent.
    pub channel: i64,
    /// `use_global_device_ids`.
    pub use_global_device_ids: bool,
}

/// The cut of a value along the manual axes. `None` for a token, which every device has whole.
pub type Pieces = Option<Arc<Sharding>>;

/// `sdy.manual_computation`. Its region becomes a function.
#[derive(Clone, Debug)]
pub struct ManualComputation {
    /// The index of the function. It takes a device's parts of the operands, and returns its parts of the results.
    pub function: usize,
    /// The groups of devices that communicate, in the order of the mesh. Devices of a group differ only in their
    /// coordinates on the manual axes. Each device of the mesh is in one group.
    pub groups: Groups,
    /// The cuts of the operands along the manual axes.
    pub operands: Vec<Pieces>,
    /// The cuts of the results along the manual axes.
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

/// The tolerance of an `expect_*` check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Equal. NaN equals NaN, and +0 equals −0, as in the reference interpreter.
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

/// The kinds of operations with their attributes. Dimension numbers are indices from 0.
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
    /// Converts an operand of a reduction to the wider type that its body takes. It is part of the reduction: programs
    /// cannot spell it, and rules of arithmetic do not reach it.
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

    /// A constant. A splat of more than one element is a constant scalar and a `BroadcastInDim`.
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
    /// A matrix in compressed sparse rows (its elements, the start of each row among them, and their columns) times a
    /// vector or matrix.
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
    /// inputs, initial values, then five operands of the window: dimensions, strides, base dilations, window dilations,
    /// padding.
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
    /// A function that every device along some mesh axes runs on its parts.
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
    /// operands, and with `has_dynamic_root` a last operand with the root's index in the group for each other one.
    /// Otherwise the root is the first process of the group.
    CollectiveBroadcast {
        has_dynamic_root: bool,
        collective: Collective,
    },
    /// operand, and with a dynamic root its index in the group, a tensor of one `i32`. The root gets the result of
    /// `AllReduce`, the other processes zeros. Without a dynamic root, the first process of a group is the root.
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

    /// `check.expect_*`: actual, expected. The expected value of a `_const` check is a constant before it.
    Expect {
        tolerance: Tolerance,
    },
    /// `check.expect_serialized_eq`: the operand must equal the value that the probe `id` recorded at `iteration`, from 0.
    ExpectSerialized {
        id: String,
        iteration: usize,
    },
    /// A custom call, which the evaluator's registry must know.
    CustomCall {
        target: String,
        has_side_effect: bool,
        /// The text of the attribute. The integers of a dictionary become `name=value`, separated by blanks.
        backend_config: String,
        /// For each result, the index of the operand with its shape. Empty if the types state all shapes.
        shapes: Vec<usize>,
    },
    /// `interpreter.run_parallel`: functions in a grid, one row per replica, one column per partition.
    RunParallel {
        programs: Vec<Vec<usize>>,
        infeed: Vec<usize>,
    },
    /// `interpreter.print`.
    Print,
    /// `interpreter.probe`: returns its operand.
    Probe {
        id: String,
    },
}

/// The regions of an operation, borrowed as the operation is. `iter` is the iterator over those of a `case`.
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

    /// The regions of the operation, mutable.
    pub fn regions_mut(&mut self) -> Vec<&mut Region> {
        regions!(self, iter_mut)
    }

    /// The region with which the operation combines many elements.
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

    /// Returns true if the operation only controls which other operations run.
    #[inline]
    pub fn is_control(&self) -> bool {
        self.traits().control
    }
}
