//! Traits of operations, for the planner and the rules of arithmetic. One `match` gives each operation a row of traits, so the
//! compiler demands a row for a new operation.

use crate::ir::Op;

/// The class of an operation for rules of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Moves elements or controls the flow.
    None,
    /// Computes each element from the operands' elements at the same place.
    Elementwise,
    /// Sums of products.
    Product,
    /// Combines many elements with a region, see [`Op::reducer`].
    Reduction,
    /// Computes by an algorithm of its own, which operators do not change.
    Function,
}

/// When kernels may read an operation's operand in place of its result. The result is then not computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReadThrough {
    /// Never.
    Never,
    /// The case of contiguous elements.
    Runs,
    /// For any strides.
    Always,
}

/// The operands that an operation only reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Borrows {
    /// None of them.
    None,
    /// All of them.
    All,
    /// All but the first.
    Others,
    /// All but the first half; that half has one operand less than the other.
    Updates,
}

impl Borrows {
    /// Returns true if the operand at `at` of `operands` is only read.
    pub fn has(self, at: usize, operands: usize) -> bool {
        match self {
            Borrows::None => false,
            Borrows::All => true,
            Borrows::Others => at > 0,
            Borrows::Updates => at >= operands / 2,
        }
    }
}

/// The traits of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// The class for rules of arithmetic.
    pub arithmetic: Arithmetic,
    /// When kernels may read its operand in place of its result.
    pub read_through: ReadThrough,
    /// Its order relative to others with this trait is visible from outside: effects, other processes, random numbers.
    pub ordered: bool,
    /// It only controls which other operations run.
    pub control: bool,
    /// It computes its results from its operands alone, never fails, and may run at another time than the program says.
    pub movable: bool,
    /// Operands that it only reads. Their memory may be reused when it finishes.
    pub borrows: Borrows,
    /// Its result shares the elements of its operand or of the program, and takes no memory.
    pub shares: bool,
    /// Its memory or time differs from reading and writing each element once; an evaluator estimates it.
    pub own_cost: bool,
    /// The sizes of its operands must fit each other. If the types leave sizes open, only a run can check that.
    pub fitting: bool,
}

impl Traits {
    const PLAIN: Traits = Traits {
        arithmetic: Arithmetic::None,
        read_through: ReadThrough::Never,
        ordered: false,
        control: false,
        movable: false,
        borrows: Borrows::None,
        shares: false,
        own_cost: false,
        fitting: false,
    };

    const fn of(arithmetic: Arithmetic) -> Traits {
        Traits { arithmetic, ..Traits::PLAIN }
    }

    const fn read_through(self, read_through: ReadThrough) -> Traits {
        Traits { read_through, ..self }
    }

    const fn ordered(self) -> Traits {
        Traits { ordered: true, ..self }
    }

    const fn control(self) -> Traits {
        Traits { control: true, ..self }.ordered()
    }

    const fn movable(self) -> Traits {
        Traits { movable: true, ..self }
    }

    const fn borrows(self) -> Traits {
        Traits { borrows: Borrows::All, ..self }
    }

    const fn changes(self, borrows: Borrows) -> Traits {
        Traits { borrows, ..self }
    }

    const fn shares(self) -> Traits {
        Traits { shares: true, ..self }
    }

    const fn own_cost(self) -> Traits {
        Traits { own_cost: true, ..self }
    }

    const fn fitting(self) -> Traits {
        Traits { fitting: true, ..self }
    }
}

impl Op {
    /// The operation's traits.
    #[inline]
    pub fn traits(&self) -> Traits {
        use Arithmetic::{Elementwise, Function, Product, Reduction};
        let plain = Traits::PLAIN;
        match self {
            Op::Unary(_) | Op::Convert | Op::Promote | Op::ReducePrecision { .. } => {
                Traits::of(Elementwise).movable()
            }
            Op::Binary(_) | Op::Compare { .. } | Op::Select | Op::Clamp => {
                Traits::of(Elementwise).movable().fitting()
            }
            Op::BitcastConvert => Traits::of(Elementwise).movable().own_cost(),
            Op::UniformQuantize | Op::UniformDequantize => Traits::of(Elementwise),
            Op::Map { .. } => Traits::of(Elementwise).fitting(),

            Op::Constant(_) | Op::Reshape => plain.read_through(ReadThrough::Always).movable().shares(),
            Op::Iota { .. } => plain.read_through(ReadThrough::Always).movable().own_cost(),
            Op::BroadcastInDim { .. } => plain.read_through(ReadThrough::Always).movable().borrows(),
            Op::Slice { .. } => plain.read_through(ReadThrough::Runs).movable().borrows().fitting(),
            Op::Transpose { .. } | Op::Reverse { .. } | Op::Pad { .. } => plain.movable().borrows(),
            Op::DynamicSlice { .. } | Op::Concatenate { .. } => plain.movable().borrows().fitting(),
            Op::DynamicUpdateSlice => plain.changes(Borrows::Others).fitting(),
            Op::DynamicIota { .. } => plain.own_cost().fitting(),
            Op::DynamicBroadcastInDim { .. } | Op::DynamicReshape | Op::DynamicPad | Op::RealDynamicSlice => {
                plain.fitting()
            }
            Op::GetDimensionSize { .. } | Op::SetDimensionSize { .. } => plain,

            Op::DotGeneral { .. } => Traits::of(Product).movable().borrows().own_cost().fitting(),
            Op::Convolution(_) => Traits::of(Product).borrows().own_cost().fitting(),
            Op::RaggedDot(_) | Op::SparseDot | Op::DynamicConv(_) => Traits::of(Product).own_cost().fitting(),
            Op::Cholesky { .. }
            | Op::TriangularSolve { .. }
            | Op::Fft { .. }
            | Op::BatchNormInference { .. }
            | Op::BatchNormTraining { .. }
            | Op::BatchNormGrad { .. } => Traits::of(Function).own_cost().fitting(),

            Op::Reduce { .. } | Op::ReduceWindow { .. } | Op::SelectAndScatter { .. } => {
                Traits::of(Reduction).borrows().own_cost().fitting()
            }
            Op::DynamicReduceWindow { .. } => Traits::of(Reduction).own_cost().fitting(),
            Op::Scatter { .. } => Traits::of(Reduction).changes(Borrows::Updates).own_cost().fitting(),
            Op::Gather(_) => plain.borrows().own_cost().fitting(),
            Op::Sort { .. } | Op::DynamicGather(_) | Op::TorchIndexSelect { .. } => {
                plain.own_cost().fitting()
            }
            Op::TopK { .. } => plain.own_cost(),

            Op::While { .. } | Op::If { .. } | Op::Case { .. } | Op::Call { .. } | Op::Composite { .. } => {
                plain.control()
            }
            Op::OptimizationBarrier | Op::AfterAll | Op::Tuple | Op::GetTupleElement { .. } => plain,

            Op::Rng { .. } => plain.ordered().own_cost().fitting(),
            Op::RngBitGenerator(_) => plain.own_cost(),

            Op::AllReduce { .. } | Op::CollectiveReduce { .. } | Op::ReduceScatter { .. } => {
                Traits::of(Reduction).ordered().own_cost()
            }
            Op::AllGather { .. }
            | Op::AllToAll { .. }
            | Op::CollectiveBroadcast { .. }
            | Op::CollectivePermute(_)
            | Op::Send { .. }
            | Op::Recv { .. }
            | Op::Infeed
            | Op::Outfeed => plain.ordered(),
            Op::PartitionId | Op::ReplicaId => plain,

            Op::CustomCall { .. } | Op::ManualComputation(_) => plain.ordered().own_cost(),
            Op::Expect { .. }
            | Op::ExpectSerialized { .. }
            | Op::RunParallel { .. }
            | Op::Print
            | Op::Probe { .. } => plain.ordered(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Region, Unary};

    /// An operation that may run at another time has no order, nor a region that has one.
    #[test]
    fn movable_operations_have_no_order() {
        let none = || Region { parameters: vec![], operations: vec![], results: vec![] };
        let movable = [Op::Unary(Unary::Abs), Op::Reshape, Op::Select, Op::Concatenate { dimension: 0 }];
        assert!(movable.iter().all(|op| op.traits().movable && !op.traits().ordered));
        let ordered = [Op::Print, Op::Rng { normal: false }, Op::While { condition: none(), body: none() }];
        assert!(ordered.iter().all(|op| op.traits().ordered && !op.traits().movable));
        assert!(ordered[2].traits().control && !ordered[0].traits().control);
    }
}
