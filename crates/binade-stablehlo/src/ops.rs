//! The table of operations, for the parser and the verifier: the one list of names, and the way each is verified.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::error::Result;
use crate::ir::{Binary, Unary};
use crate::verify::{self, Builder, Classes, Node};

/// The way an operation of the text is verified.
#[derive(Clone, Copy)]
pub(crate) enum Verify {
    /// Elementwise with one operand, of these classes of element types.
    Unary(Unary, Classes),
    /// Elementwise with two operands.
    Binary(Binary, Classes),
    /// Elementwise operation of chlo with two operands, which are broadcast first.
    Broadcast(Binary, Classes),
    /// Any other operation, with its function.
    Rules(for<'t, 'a> fn(&mut Builder<'t, 'a>, &Node<'t, 'a>) -> Result<()>),
}

/// A row of the table.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    /// True if the operation has no pretty form.
    pub(crate) generic_only: bool,
    /// True if the operation takes quantized tensors whose scales vary along an axis. Others take one scale for a tensor.
    pub(crate) per_axis: bool,
    pub(crate) verify: Verify,
}

const BOOL: Classes = Classes::BOOL;
const INT: Classes = Classes::INTEGER;
const FLOAT: Classes = Classes::FLOAT;
const COMPLEX: Classes = Classes::COMPLEX;
const QUANT: Classes = Classes::QUANTIZED;
const BITS: Classes = BOOL.or(INT);
const REAL: Classes = FLOAT.or(QUANT);
const FIELD: Classes = FLOAT.or(COMPLEX).or(QUANT);
const NUMBER: Classes = INT.or(FIELD);
const ANY: Classes = BOOL.or(NUMBER);

const fn unary(name: &'static str, op: Unary, classes: Classes) -> Known {
    Known { name, generic_only: false, per_axis: false, verify: Verify::Unary(op, classes) }
}

const fn binary(name: &'static str, op: Binary, classes: Classes) -> Known {
    Known { name, generic_only: false, per_axis: false, verify: Verify::Binary(op, classes) }
}

const fn broadcast(name: &'static str, op: Binary, classes: Classes) -> Known {
    Known { name, generic_only: false, per_axis: false, verify: Verify::Broadcast(op, classes) }
}

type Rules = for<'t, 'a> fn(&mut Builder<'t, 'a>, &Node<'t, 'a>) -> Result<()>;

const fn pretty(name: &'static str, rules: Rules) -> Known {
    Known { name, generic_only: false, per_axis: false, verify: Verify::Rules(rules) }
}

const fn generic(name: &'static str, rules: Rules) -> Known {
    Known { name, generic_only: true, per_axis: false, verify: Verify::Rules(rules) }
}

impl Known {
    const fn per_axis(self) -> Known {
        Known { per_axis: true, ..self }
    }
}

/// All supported operations.
pub(crate) static OPERATIONS: &[Known] = &[
    unary("stablehlo.abs", Unary::Abs, NUMBER),
    unary("stablehlo.cbrt", Unary::Cbrt, FIELD),
    unary("stablehlo.ceil", Unary::Ceil, REAL),
    unary("stablehlo.cosine", Unary::Cosine, FIELD),
    unary("stablehlo.count_leading_zeros", Unary::CountLeadingZeros, INT),
    unary("stablehlo.exponential", Unary::Exponential, FIELD),
    unary("stablehlo.exponential_minus_one", Unary::ExponentialMinusOne, FIELD),
    unary("stablehlo.floor", Unary::Floor, REAL),
    unary("stablehlo.imag", Unary::Imag, FLOAT.or(COMPLEX)),
    unary("stablehlo.is_finite", Unary::IsFinite, REAL),
    unary("stablehlo.log", Unary::Log, FIELD),
    unary("stablehlo.log_plus_one", Unary::LogPlusOne, FIELD),
    unary("stablehlo.logistic", Unary::Logistic, FIELD),
    unary("stablehlo.negate", Unary::Negate, NUMBER),
    unary("stablehlo.not", Unary::Not, BITS),
    unary("stablehlo.popcnt", Unary::Popcnt, INT),
    unary("stablehlo.real", Unary::Real, FLOAT.or(COMPLEX)),
    unary("stablehlo.round_nearest_afz", Unary::RoundNearestAfz, REAL),
    unary("stablehlo.round_nearest_even", Unary::RoundNearestEven, REAL),
    unary("stablehlo.rsqrt", Unary::Rsqrt, FIELD),
    unary("stablehlo.sign", Unary::Sign, NUMBER),
    unary("stablehlo.sine", Unary::Sine, FIELD),
    unary("stablehlo.sqrt", Unary::Sqrt, FIELD),
    unary("stablehlo.tan", Unary::Tan, FIELD),
    unary("stablehlo.tanh", Unary::Tanh, FIELD),
    binary("stablehlo.add", Binary::Add, ANY).per_axis(),
    binary("stablehlo.and", Binary::And, BITS),
    binary("stablehlo.atan2", Binary::Atan2, FIELD),
    pretty("stablehlo.complex", verify::elementwise::complex),
    binary("stablehlo.divide", Binary::Divide, NUMBER),
    binary("stablehlo.maximum", Binary::Maximum, ANY),
    binary("stablehlo.minimum", Binary::Minimum, ANY),
    binary("stablehlo.multiply", Binary::Multiply, ANY),
    binary("stablehlo.or", Binary::Or, BITS),
    binary("stablehlo.power", Binary::Power, NUMBER),
    binary("stablehlo.remainder", Binary::Remainder, NUMBER),
    binary("stablehlo.shift_left", Binary::ShiftLeft, INT),
    binary("stablehlo.shift_right_arithmetic", Binary::ShiftRightArithmetic, INT),
    binary("stablehlo.shift_right_logical", Binary::ShiftRightLogical, INT),
    binary("stablehlo.subtract", Binary::Subtract, NUMBER),
    binary("stablehlo.xor", Binary::Xor, BITS),
    pretty("stablehlo.bitcast_convert", verify::elementwise::bitcast_convert).per_axis(),
    pretty("stablehlo.clamp", verify::elementwise::clamp),
    pretty("stablehlo.compare", verify::elementwise::compare),
    pretty("stablehlo.convert", verify::elementwise::convert),
    generic("stablehlo.map", verify::elementwise::map),
    pretty("stablehlo.reduce_precision", verify::elementwise::reduce_precision),
    pretty("stablehlo.select", verify::elementwise::select),
    pretty("stablehlo.uniform_dequantize", verify::elementwise::uniform_dequantize).per_axis(),
    pretty("stablehlo.uniform_quantize", verify::elementwise::uniform_quantize).per_axis(),
    pretty("stablehlo.broadcast", verify::shape::broadcast).per_axis(),
    pretty("stablehlo.broadcast_in_dim", verify::shape::broadcast_in_dim).per_axis(),
    pretty("stablehlo.concatenate", verify::shape::concatenate),
    pretty("stablehlo.constant", verify::shape::constant).per_axis(),
    pretty("stablehlo.dynamic_broadcast_in_dim", verify::shape::dynamic_broadcast_in_dim).per_axis(),
    pretty("stablehlo.dynamic_iota", verify::shape::dynamic_iota),
    pretty("stablehlo.dynamic_pad", verify::shape::dynamic_pad),
    pretty("stablehlo.dynamic_reshape", verify::shape::dynamic_reshape).per_axis(),
    pretty("stablehlo.dynamic_slice", verify::shape::dynamic_slice),
    pretty("stablehlo.dynamic_update_slice", verify::shape::dynamic_update_slice),
    pretty("stablehlo.get_dimension_size", verify::shape::get_dimension_size).per_axis(),
    pretty("stablehlo.iota", verify::shape::iota),
    pretty("stablehlo.pad", verify::shape::pad),
    pretty("stablehlo.real_dynamic_slice", verify::shape::real_dynamic_slice),
    pretty("stablehlo.reshape", verify::shape::reshape).per_axis(),
    pretty("stablehlo.reverse", verify::shape::reverse),
    pretty("stablehlo.set_dimension_size", verify::shape::set_dimension_size),
    pretty("stablehlo.slice", verify::shape::slice),
    pretty("stablehlo.transpose", verify::shape::transpose).per_axis(),
    generic("stablehlo.batch_norm_grad", verify::contract::batch_norm_grad),
    generic("stablehlo.batch_norm_inference", verify::contract::batch_norm_inference),
    generic("stablehlo.batch_norm_training", verify::contract::batch_norm_training),
    pretty("stablehlo.cholesky", verify::contract::cholesky),
    pretty("stablehlo.convolution", verify::contract::convolution).per_axis(),
    pretty("stablehlo.dot", verify::contract::dot).per_axis(),
    pretty("stablehlo.dot_general", verify::contract::dot_general).per_axis(),
    pretty("stablehlo.dynamic_conv", verify::contract::dynamic_conv).per_axis(),
    pretty("stablehlo.einsum", verify::einsum::einsum),
    pretty("stablehlo.fft", verify::contract::fft),
    generic("stablehlo.triangular_solve", verify::contract::triangular_solve),
    pretty("stablehlo.unary_einsum", verify::einsum::unary_einsum),
    generic("stablehlo.dynamic_gather", verify::window::dynamic_gather),
    generic("stablehlo.gather", verify::window::gather),
    pretty("stablehlo.reduce", verify::window::reduce),
    generic("stablehlo.reduce_window", verify::window::reduce_window),
    generic("stablehlo.scatter", verify::window::scatter),
    generic("stablehlo.select_and_scatter", verify::window::select_and_scatter),
    generic("stablehlo.sort", verify::window::sort),
    pretty("stablehlo.torch_index_select", verify::window::torch_index_select),
    pretty("stablehlo.after_all", verify::control::after_all),
    generic("stablehlo.case", verify::control::case).per_axis(),
    pretty("stablehlo.composite", verify::control::composite).per_axis(),
    pretty("stablehlo.create_token", verify::control::after_all),
    pretty("stablehlo.custom_call", verify::control::custom_call).per_axis(),
    pretty("stablehlo.get_tuple_element", verify::control::get_tuple_element).per_axis(),
    generic("stablehlo.if", verify::control::if_else).per_axis(),
    pretty("stablehlo.optimization_barrier", verify::control::optimization_barrier),
    pretty("stablehlo.return", verify::control::misplaced_return),
    pretty("stablehlo.rng", verify::control::rng),
    pretty("stablehlo.rng_bit_generator", verify::control::rng_bit_generator),
    pretty("stablehlo.trace", verify::control::trace),
    pretty("stablehlo.tuple", verify::control::tuple).per_axis(),
    pretty("stablehlo.while", verify::control::while_loop).per_axis(),
    pretty("func.call", verify::control::call).per_axis(),
    pretty("func.return", verify::control::misplaced_return),
    pretty("sdy.manual_computation", verify::sharding::manual_computation).per_axis(),
    pretty("sdy.propagation_barrier", verify::control::identity).per_axis(),
    pretty("sdy.reshard", verify::sharding::constraint).per_axis(),
    pretty("sdy.return", verify::control::misplaced_return),
    pretty("sdy.sharding_constraint", verify::sharding::constraint).per_axis(),
    pretty("sdy.sharding_group", verify::control::trace),
    generic("stablehlo.all_gather", verify::collective::all_gather),
    generic("stablehlo.all_reduce", verify::collective::all_reduce),
    generic("stablehlo.all_to_all", verify::collective::all_to_all),
    generic("stablehlo.collective_broadcast", verify::collective::collective_broadcast),
    generic("stablehlo.collective_permute", verify::collective::collective_permute),
    generic("stablehlo.collective_reduce", verify::collective::collective_reduce),
    pretty("stablehlo.cross-replica-sum", verify::collective::cross_replica_sum),
    generic("stablehlo.infeed", verify::collective::infeed).per_axis(),
    generic("stablehlo.outfeed", verify::collective::outfeed).per_axis(),
    pretty("stablehlo.partition_id", verify::collective::partition_id),
    generic("stablehlo.recv", verify::collective::recv).per_axis(),
    generic("stablehlo.reduce_scatter", verify::collective::reduce_scatter),
    pretty("stablehlo.replica_id", verify::collective::replica_id),
    generic("stablehlo.send", verify::collective::send).per_axis(),
    unary("chlo.acos", Unary::Acos, FIELD),
    unary("chlo.acosh", Unary::Acosh, FIELD),
    unary("chlo._asin_acos_kernel", Unary::AsinAcosKernel, COMPLEX),
    unary("chlo.asin", Unary::Asin, FIELD),
    unary("chlo.asinh", Unary::Asinh, FIELD),
    unary("chlo.atan", Unary::Atan, FIELD),
    unary("chlo.atanh", Unary::Atanh, FIELD),
    unary("chlo.bessel_i1e", Unary::BesselI1e, FLOAT),
    unary("chlo.conj", Unary::Conj, NUMBER),
    unary("chlo.cosh", Unary::Cosh, FIELD),
    unary("chlo.digamma", Unary::Digamma, FLOAT),
    unary("chlo.erf", Unary::Erf, FLOAT),
    unary("chlo.erf_inv", Unary::ErfInv, FLOAT),
    unary("chlo.erfc", Unary::Erfc, FLOAT),
    unary("chlo.is_inf", Unary::IsInf, FLOAT),
    unary("chlo.is_neg_inf", Unary::IsNegInf, FLOAT),
    unary("chlo.is_pos_inf", Unary::IsPosInf, FLOAT),
    unary("chlo.lgamma", Unary::Lgamma, FLOAT),
    unary("chlo.sinh", Unary::Sinh, FIELD),
    unary("chlo.square", Unary::Square, NUMBER),
    unary("chlo.tan", Unary::Tan, FIELD),
    binary("chlo.mulhi", Binary::MulHigh, INT),
    binary("chlo.next_after", Binary::NextAfter, FLOAT),
    binary("chlo.polygamma", Binary::Polygamma, FLOAT),
    binary("chlo.zeta", Binary::Zeta, FLOAT),
    broadcast("chlo.broadcast_add", Binary::Add, ANY),
    broadcast("chlo.broadcast_and", Binary::And, BITS),
    broadcast("chlo.broadcast_atan2", Binary::Atan2, FIELD),
    pretty("chlo.broadcast_compare", verify::chlo::broadcast_compare),
    pretty("chlo.broadcast_complex", verify::chlo::broadcast_complex),
    broadcast("chlo.broadcast_divide", Binary::Divide, NUMBER),
    broadcast("chlo.broadcast_maximum", Binary::Maximum, ANY),
    broadcast("chlo.broadcast_minimum", Binary::Minimum, ANY),
    broadcast("chlo.broadcast_multiply", Binary::Multiply, ANY),
    broadcast("chlo.broadcast_next_after", Binary::NextAfter, FLOAT),
    broadcast("chlo.broadcast_or", Binary::Or, BITS),
    broadcast("chlo.broadcast_polygamma", Binary::Polygamma, FLOAT),
    broadcast("chlo.broadcast_power", Binary::Power, NUMBER),
    broadcast("chlo.broadcast_remainder", Binary::Remainder, NUMBER),
    pretty("chlo.broadcast_select", verify::chlo::broadcast_select),
    broadcast("chlo.broadcast_shift_left", Binary::ShiftLeft, INT),
    broadcast("chlo.broadcast_shift_right_arithmetic", Binary::ShiftRightArithmetic, INT),
    broadcast("chlo.broadcast_shift_right_logical", Binary::ShiftRightLogical, INT),
    broadcast("chlo.broadcast_subtract", Binary::Subtract, NUMBER),
    broadcast("chlo.broadcast_xor", Binary::Xor, BITS),
    broadcast("chlo.broadcast_zeta", Binary::Zeta, FLOAT),
    pretty("chlo.constant", verify::shape::constant).per_axis(),
    pretty("chlo.constant_like", verify::chlo::constant_like),
    generic("chlo.ragged_dot", verify::contract::ragged_dot),
    pretty("chlo.scan", verify::chlo::scan),
    pretty("chlo.top_k", verify::chlo::top_k),
    pretty("check.expect_almost_eq", verify::check::expect_almost_eq),
    pretty("check.expect_almost_eq_const", verify::check::expect_almost_eq),
    pretty("check.expect_close", verify::check::expect_close),
    pretty("check.expect_eq", verify::check::expect_eq).per_axis(),
    pretty("check.expect_eq_const", verify::check::expect_eq).per_axis(),
    pretty("check.expect_serialized_eq", verify::check::expect_serialized_eq).per_axis(),
    pretty("interpreter.print", verify::check::print).per_axis(),
    pretty("interpreter.probe", verify::check::probe).per_axis(),
    generic("interpreter.run_parallel", verify::check::run_parallel).per_axis(),
];

/// The row of an operation.
pub(crate) fn find(name: &str) -> Option<&'static Known> {
    static BY_NAME: LazyLock<HashMap<&str, &Known>> =
        LazyLock::new(|| OPERATIONS.iter().map(|known| (known.name, known)).collect());
    BY_NAME.get(name).copied()
}

/// An operation that programs may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supported {
    /// The name with its dialect: `stablehlo.add`.
    pub name: &'static str,
    /// The classes of element types of an elementwise operation's operands: some of `bool`, `integer`, `float`, `complex`,
    /// `quantized`. Empty if the rules of the specification say more than that.
    pub elements: Vec<&'static str>,
}

/// Lists all supported operations in the order of the specification's chapters, then chlo, check, interpreter.
pub fn supported() -> Vec<Supported> {
    OPERATIONS
        .iter()
        .map(|known| {
            let elements = match known.verify {
                Verify::Unary(_, classes) | Verify::Binary(_, classes) | Verify::Broadcast(_, classes) => {
                    classes.names()
                }
                Verify::Rules(_) => vec![],
            };
            Supported { name: known.name, elements }
        })
        .collect()
}
