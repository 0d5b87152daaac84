//! Names of operations as programs spell them, for the parser, the printer and reports. Operations of chlo are spelt with
//! `chlo.`, all others without `stablehlo.`.

use crate::ir::{Binary, Op, Unary};

impl Unary {
    /// All operations, in the order of the declaration.
    pub const ALL: [(Unary, &'static str); 45] = [
        (Unary::Abs, "abs"),
        (Unary::Cbrt, "cbrt"),
        (Unary::Ceil, "ceil"),
        (Unary::Cosine, "cosine"),
        (Unary::CountLeadingZeros, "count_leading_zeros"),
        (Unary::Exponential, "exponential"),
        (Unary::ExponentialMinusOne, "exponential_minus_one"),
        (Unary::Floor, "floor"),
        (Unary::Imag, "imag"),
        (Unary::IsFinite, "is_finite"),
        (Unary::Log, "log"),
        (Unary::LogPlusOne, "log_plus_one"),
        (Unary::Logistic, "logistic"),
        (Unary::Negate, "negate"),
        (Unary::Not, "not"),
        (Unary::Popcnt, "popcnt"),
        (Unary::Real, "real"),
        (Unary::RoundNearestAfz, "round_nearest_afz"),
        (Unary::RoundNearestEven, "round_nearest_even"),
        (Unary::Rsqrt, "rsqrt"),
        (Unary::Sign, "sign"),
        (Unary::Sine, "sine"),
        (Unary::Sqrt, "sqrt"),
        (Unary::Tan, "tan"),
        (Unary::Tanh, "tanh"),
        (Unary::Acos, "chlo.acos"),
        (Unary::Acosh, "chlo.acosh"),
        (Unary::Asin, "chlo.asin"),
        (Unary::Asinh, "chlo.asinh"),
        (Unary::Atan, "chlo.atan"),
        (Unary::Atanh, "chlo.atanh"),
        (Unary::BesselI1e, "chlo.bessel_i1e"),
        (Unary::Conj, "chlo.conj"),
        (Unary::Cosh, "chlo.cosh"),
        (Unary::Digamma, "chlo.digamma"),
        (Unary::Erf, "chlo.erf"),
        (Unary::ErfInv, "chlo.erf_inv"),
        (Unary::Erfc, "chlo.erfc"),
        (Unary::IsInf, "chlo.is_inf"),
        (Unary::IsNegInf, "chlo.is_neg_inf"),
        (Unary::IsPosInf, "chlo.is_pos_inf"),
        (Unary::Lgamma, "chlo.lgamma"),
        (Unary::Sinh, "chlo.sinh"),
        (Unary::Square, "chlo.square"),
        (Unary::AsinAcosKernel, "chlo._asin_acos_kernel"),
    ];

    /// The name in programs.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

impl Binary {
    /// All operations, in the order of the declaration.
    pub const ALL: [(Binary, &'static str); 20] = [
        (Binary::Add, "add"),
        (Binary::And, "and"),
        (Binary::Atan2, "atan2"),
        (Binary::Complex, "complex"),
        (Binary::Divide, "divide"),
        (Binary::Maximum, "maximum"),
        (Binary::Minimum, "minimum"),
        (Binary::Multiply, "multiply"),
        (Binary::Or, "or"),
        (Binary::Power, "power"),
        (Binary::Remainder, "remainder"),
        (Binary::ShiftLeft, "shift_left"),
        (Binary::ShiftRightArithmetic, "shift_right_arithmetic"),
        (Binary::ShiftRightLogical, "shift_right_logical"),
        (Binary::Subtract, "subtract"),
        (Binary::Xor, "xor"),
        (Binary::MulHigh, "chlo.mulhi"),
        (Binary::NextAfter, "chlo.next_after"),
        (Binary::Polygamma, "chlo.polygamma"),
        (Binary::Zeta, "chlo.zeta"),
    ];

    /// The name in programs.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// The names of operations that are not elementwise. A row is used both to match an operation and to spell it.
macro_rules! names {
    ($($operation:pat => $name:literal;)*) => {
        impl Op {
            /// The name in programs, without `stablehlo.`.
            pub fn name(&self) -> &'static str {
                match self {
                    Op::Unary(op) => op.name(),
                    Op::Binary(op) => op.name(),
                    $($operation => $name,)*
                }
            }
        }

        const OTHERS: &[&str] = &[$($name),*];
    };
}

names! {
    Op::Compare { .. } => "compare";
    Op::Select => "select";
    Op::Clamp => "clamp";
    Op::Convert => "convert";
    Op::Promote => "promote";
    Op::BitcastConvert => "bitcast_convert";
    Op::ReducePrecision { .. } => "reduce_precision";
    Op::UniformQuantize => "uniform_quantize";
    Op::UniformDequantize => "uniform_dequantize";
    Op::Map { .. } => "map";
    Op::Constant(_) => "constant";
    Op::Iota { .. } => "iota";
    Op::DynamicIota { .. } => "dynamic_iota";
    Op::BroadcastInDim { .. } => "broadcast_in_dim";
    Op::DynamicBroadcastInDim { .. } => "dynamic_broadcast_in_dim";
    Op::Reshape => "reshape";
    Op::DynamicReshape => "dynamic_reshape";
    Op::Transpose { .. } => "transpose";
    Op::Reverse { .. } => "reverse";
    Op::Concatenate { .. } => "concatenate";
    Op::Pad { .. } => "pad";
    Op::DynamicPad => "dynamic_pad";
    Op::Slice { .. } => "slice";
    Op::RealDynamicSlice => "real_dynamic_slice";
    Op::DynamicSlice { .. } => "dynamic_slice";
    Op::DynamicUpdateSlice => "dynamic_update_slice";
    Op::GetDimensionSize { .. } => "get_dimension_size";
    Op::SetDimensionSize { .. } => "set_dimension_size";
    Op::DotGeneral { .. } => "dot_general";
    Op::RaggedDot(_) => "chlo.ragged_dot";
    Op::SparseDot => "sparse_dot";
    Op::Convolution(_) => "convolution";
    Op::DynamicConv(_) => "dynamic_conv";
    Op::Cholesky { .. } => "cholesky";
    Op::TriangularSolve { .. } => "triangular_solve";
    Op::Fft { .. } => "fft";
    Op::BatchNormInference { .. } => "batch_norm_inference";
    Op::BatchNormTraining { .. } => "batch_norm_training";
    Op::BatchNormGrad { .. } => "batch_norm_grad";
    Op::Reduce { .. } => "reduce";
    Op::ReduceWindow { .. } => "reduce_window";
    Op::DynamicReduceWindow { .. } => "dynamic_reduce_window";
    Op::SelectAndScatter { .. } => "select_and_scatter";
    Op::Sort { .. } => "sort";
    Op::TopK { .. } => "chlo.top_k";
    Op::Gather(_) => "gather";
    Op::DynamicGather(_) => "dynamic_gather";
    Op::Scatter { .. } => "scatter";
    Op::TorchIndexSelect { .. } => "torch_index_select";
    Op::While { .. } => "while";
    Op::If { .. } => "if";
    Op::Case { .. } => "case";
    Op::Call { .. } => "call";
    Op::Composite { .. } => "composite";
    Op::ManualComputation(_) => "sdy.manual_computation";
    Op::OptimizationBarrier => "optimization_barrier";
    Op::AfterAll => "after_all";
    Op::Tuple => "tuple";
    Op::GetTupleElement { .. } => "get_tuple_element";
    Op::Rng { .. } => "rng";
    Op::RngBitGenerator(_) => "rng_bit_generator";
    Op::AllGather { .. } => "all_gather";
    Op::AllReduce { .. } => "all_reduce";
    Op::AllToAll { .. } => "all_to_all";
    Op::CollectiveBroadcast { .. } => "collective_broadcast";
    Op::CollectiveReduce { .. } => "collective_reduce";
    Op::CollectivePermute(_) => "collective_permute";
    Op::ReduceScatter { .. } => "reduce_scatter";
    Op::PartitionId => "partition_id";
    Op::ReplicaId => "replica_id";
    Op::Send { .. } => "send";
    Op::Recv { .. } => "recv";
    Op::Infeed => "infeed";
    Op::Outfeed => "outfeed";
    Op::Expect { .. } => "check.expect";
    Op::ExpectSerialized { .. } => "check.expect_serialized_eq";
    Op::CustomCall { .. } => "custom_call";
    Op::RunParallel { .. } => "interpreter.run_parallel";
    Op::Print => "interpreter.print";
    Op::Probe { .. } => "interpreter.probe";
}

/// The names of all operations.
pub fn operation_names() -> impl Iterator<Item = &'static str> {
    let elementwise = Unary::ALL.iter().map(|(_, name)| name).chain(Binary::ALL.iter().map(|(_, name)| name));
    elementwise.chain(OTHERS).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops;

    #[test]
    fn tables_are_in_order() {
        assert!(Unary::ALL.iter().enumerate().all(|(index, (op, _))| *op as usize == index));
        assert!(Binary::ALL.iter().enumerate().all(|(index, (op, _))| *op as usize == index));
    }

    /// Every name here is a name that programs can spell.
    #[test]
    fn names_are_those_of_the_table() {
        let unary = Unary::ALL.iter().map(|(_, name)| name);
        for name in unary.chain(Binary::ALL.iter().map(|(_, name)| name)) {
            let spelt = if name.contains('.') { name.to_string() } else { format!("stablehlo.{name}") };
            assert!(ops::find(&spelt).is_some(), "{name}");
        }
    }
}
