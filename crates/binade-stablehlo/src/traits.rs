//! What the engine asks about an operation besides its meaning: one row for each, by a match that names them all, so that
//! the compiler asks for the row of a new one.

use crate::ir::Op;

/// What an operation is to rules of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// It moves elements, or decides what is done.
    None,
    /// It computes each element from those at the same place.
    Elementwise,
    /// Sums of products.
    Product,
    /// It combines many elements by a region, see [`Op::reducer`].
    Reduction,
    /// It computes by steps of its own, which operators leave as they are.
    Function,
}

/// Whether kernels read an operation's operand in place of its result, which is then not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReadThrough {
    /// Never.
    Never,
    /// Where the elements lie one behind the other.
    Runs,
    /// Wherever its elements are.
    Always,
}

/// Which operands an operation only looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Borrows {
    /// None of them.
    None,
    /// All of them.
    All,
    /// All but the first.
    Others,
    /// All but the first half, which is one less than the others.
    Updates,
}

impl Borrows {
    /// Whether it is so with one of so many operands.
    pub fn has(self, at: usize, operands: usize) -> bool {
        match self {
            Borrows::None => false,
            Borrows::All => true,
            Borrows::Others => at > 0,
            Borrows::Updates => at >= operands / 2,
        }
    }
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// What it is to rules of arithmetic.
    pub arithmetic: Arithmetic,
    /// Whether kernels read its operand in place of its result.
    pub read_through: ReadThrough,
    /// Its place among others with this trait can be told from outside: effects, other processes, random numbers.
    pub ordered: bool,
    /// It only decides what else is done.
    pub control: bool,
    /// It makes its results from its operands alone, never fails, and may be done at another time than the program says.
    pub movable: bool,
    /// Operands that it only looks at, whose memory can be used again when it is done.
    pub borrows: Borrows,
    /// Its result has the elements of its operand, or of the program: it needs no room.
    pub shares: bool,
    /// It takes other memory or time than elements that are read and written once: an evaluator knows how much.
    pub own_cost: bool,
    /// Sizes of its operands have to fit each other, which only a run can check where types leave them open.
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
    /// The operation's row.
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

    /// What may be done at another time is not in an order, and has no regions that may be.
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
