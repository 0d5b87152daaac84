//! Elementwise operations and reductions under an operator: d = FMA(a, b, c) replaces every sum and product.
//!
//! | operation | under an operator |
//! |---|---|
//! | `add` | FMA(x, 1, y) |
//! | `subtract` | FMA(x, 1, −y) |
//! | `multiply`, `chlo.square` | FMA(x, y, −0), where −0 does not change the product |
//! | `multiply_add`, see [`crate::arithmetic::contraction`] | FMA(x, y, z), FMA(x, y, −z) or FMA(−x, y, z) |
//! | sums: `reduce`, `reduce_window`, `scatter`, `select_and_scatter` and collectives whose region is one `add` | acc ← FMA(x, 1, acc) |
//! | products: the same operations whose region is one `multiply` | acc ← FMA(acc, x, −0), in index order |
//! | quotients, powers, roots, elementary and special functions | operands rounded as the operator's inputs; the function as without a rule; its result y rounded once to the accumulator, as −0 · 1 + y |
//! | all others | as without a rule |
//!
//! This applies to floating-point types of up to 32 bits. Narrow types are converted to binary32, and results are
//! rounded to their type once.

use std::sync::Arc;

use binade::Format;
use binade::catalog::F32;
use binade_fma::{LANES, Lanes, Multiplier, MultiplyAdd, Order};
use binade_simd::Isa;
use binade_stablehlo::ir::{Binary, Op, Unary};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, View, ViewMut};

use super::coded;
use super::form::Form;
use super::rounded::Rounded;

/// An operator, prepared for elementwise operations and reductions.
#[derive(Debug)]
pub(crate) struct Emulated {
    multiplier: Multiplier,
    step: Arc<MultiplyAdd>,
    /// The roundings of a function's operands, and of its result.
    pub(crate) inputs: Option<Rounded>,
    pub(crate) accumulator: Option<Rounded>,
}

/// The role of an operation under an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// The operation is one multiply-add.
    Fused(Fused),
    /// The operation is a function of rounded operands with a rounded result.
    Function,
    /// The operator does not change the operation.
    Exact,
}

/// A multiply-add of one, two or three operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fused {
    /// FMA(x, 1, y).
    Add,
    /// FMA(x, 1, −y).
    Subtract,
    /// FMA(x, y, −0).
    Multiply,
    /// FMA(x, x, −0).
    Square,
    /// FMA(y, 1, x), where x is the sum so far.
    Accumulate,
    /// FMA(x, y, z).
    MultiplyAdd,
    /// FMA(x, y, −z).
    MultiplySubtract,
    /// FMA(−x, y, z).
    NegatedMultiplyAdd,
}

/// Returns the role of an elementwise operation.
pub(crate) fn class(op: &Op) -> Class {
    match op {
        Op::Binary(op) => binary(*op),
        Op::Unary(op) => unary(*op),
        _ => Class::Exact,
    }
}

pub(crate) fn binary(op: Binary) -> Class {
    use Binary::*;
    match op {
        Add => Class::Fused(Fused::Add),
        Subtract => Class::Fused(Fused::Subtract),
        Multiply => Class::Fused(Fused::Multiply),
        Atan2 | Divide | Power | Remainder | Polygamma | Zeta => Class::Function,
        And | Complex | Maximum | Minimum | Or | ShiftLeft | ShiftRightArithmetic | ShiftRightLogical
        | Xor | MulHigh | NextAfter => Class::Exact,
    }
}

pub(crate) fn unary(op: Unary) -> Class {
    use Unary::*;
    match op {
        Square => Class::Fused(Fused::Square),
        Cbrt | Cosine | Exponential | ExponentialMinusOne | Log | LogPlusOne | Logistic | Rsqrt | Sine
        | Sqrt | Tan | Tanh | Acos | Acosh | Asin | Asinh | Atan | Atanh | BesselI1e | Cosh | Digamma
        | Erf | ErfInv | Erfc | Lgamma | Sinh | AsinAcosKernel => Class::Function,
        Abs | Ceil | CountLeadingZeros | Floor | Imag | IsFinite | Negate | Not | Popcnt | Real
        | RoundNearestAfz | RoundNearestEven | Sign | Conj | IsInf | IsNegInf | IsPosInf => Class::Exact,
    }
}

/// Returns true if operators apply to elements of this type.
pub(crate) fn is_emulated(element: &ElementType) -> bool {
    matches!(element, ElementType::Float(float) if *float != FloatType::F64)
}

/// Returns the step of a reduction whose region is one sum or product.
pub(crate) fn reduction(form: Form) -> Option<Fused> {
    match form {
        Form::Combine(Binary::Add) => Some(Fused::Accumulate),
        Form::Combine(Binary::Multiply) => Some(Fused::Multiply),
        _ => None,
    }
}

/// One of the three numbers of multiply-adds.
#[derive(Clone, Copy)]
enum Side<'a> {
    Numbers(&'a [f32]),
    Negated(&'a [f32]),
    /// The same number for all elements.
    All(&'static Lanes),
}

const ONE: &Lanes = &[1.0; LANES];
const ZERO: &Lanes = &[-0.0; LANES];

impl Side<'_> {
    /// Returns number `at`.
    fn number(self, at: usize) -> f32 {
        match self {
            Side::Numbers(numbers) => numbers[at],
            Side::Negated(numbers) => -numbers[at],
            Side::All(lanes) => lanes[0],
        }
    }
}

/// The elements of narrow types that are converted to binary32 at once.
const BUFFER: usize = 1024;

impl Emulated {
    pub(crate) fn new(multiplier: Multiplier, isa: Isa) -> Emulated {
        let operator = multiplier.operator();
        let step = Arc::new(MultiplyAdd::new(operator, isa));
        Emulated {
            inputs: Rounded::of_inputs(operator, isa),
            accumulator: Rounded::of_accumulator(operator, &step),
            step,
            multiplier,
        }
    }

    /// The multiplier for products and sums of many elements.
    pub(crate) fn multiplier(&self) -> &Multiplier {
        &self.multiplier
    }

    /// The single multiply-add.
    pub(crate) fn step(&self) -> &MultiplyAdd {
        &self.step
    }

    /// Returns true if sums add one element after the other.
    pub(crate) fn is_sequential(&self) -> bool {
        self.multiplier.order() == Order::Sequential
    }

    /// Returns true if single sums and products equal binary32's own.
    pub(crate) fn is_binary32(&self) -> bool {
        let formats: Option<(Format, Format)> = self.multiplier.operator().as_pair();
        formats == Some((F32, F32))
    }

    /// Returns true if adding x to a sum of x does not change it. Such an x may be an initial value of reductions or
    /// padding.
    pub(crate) fn is_neutral(&self, x: &Tensor) -> bool {
        let mut sum = Data::zeros(&x.element, 1);
        let view = x.data.view();
        self.apply(Fused::Accumulate, &x.element, [view, view, View::U8(&[])], sum.view_mut());
        match (&*x.data, sum) {
            (Data::F32(x), Data::F32(sum)) => x[0].to_bits() == sum[0].to_bits(),
            (Data::U8(x), Data::U8(sum)) => x[0] == sum[0],
            (Data::U16(x), Data::U16(sum)) => x[0] == sum[0],
            _ => false,
        }
    }

    /// Computes the multiply-add of the operands' elements; reads as many operands as `fused` has.
    ///
    /// # Panics
    /// If lengths differ, or elements are not stored as the type says.
    pub(crate) fn apply(&self, fused: Fused, element: &ElementType, operands: [View; 3], mut out: ViewMut) {
        let ElementType::Float(float) = *element else { panic!("{element} under an operator") };
        match (operands, &mut out) {
            ([View::F32(x), View::F32(y), View::F32(z)], ViewMut::F32(out)) => {
                self.fused(fused, [x, y, z], out)
            }
            ([View::F32(x), View::F32(y), _], ViewMut::F32(out)) => self.fused(fused, [x, y, &[]], out),
            ([View::F32(x), ..], ViewMut::F32(out)) => self.fused(fused, [x, &[], &[]], out),
            (operands, out) => return self.coded(fused, float, operands, out),
        }
        if let (FloatType::Tf32, ViewMut::F32(out)) = (float, out) {
            // tf32 has fewer bits than its storage.
            out.iter_mut().for_each(|x| *x = float.round(*x as f64) as f32);
        }
    }

    /// As [`Self::apply`], on codes.
    fn coded(&self, fused: Fused, float: FloatType, operands: [View; 3], out: &mut ViewMut) {
        let mut numbers = [[0.0; BUFFER]; 3];
        let mut results = [0.0; BUFFER];
        for start in (0..out.len()).step_by(BUFFER) {
            let range = start..out.len().min(start + BUFFER);
            let results = &mut results[..range.len()];
            for (numbers, codes) in numbers.iter_mut().zip(operands).filter(|(_, codes)| !codes.is_empty()) {
                coded::decode(float, codes.range(range.clone()), &mut numbers[..range.len()]).expect("codes");
            }
            self.fused(fused, numbers.each_ref().map(|numbers| &numbers[..range.len()]), results);
            results.iter_mut().for_each(|x| *x = if x.is_nan() { f32::NAN } else { *x });
            match out.range(range) {
                ViewMut::U8(out) => float.encode_f32(results, out.into()),
                ViewMut::U16(out) => float.encode_f32(results, out.into()),
                _ => panic!("{} is not stored as codes", float.name()),
            }
        }
    }

    /// As [`Self::apply`], on binary32 numbers.
    pub(crate) fn fused(&self, fused: Fused, [x, y, z]: [&[f32]; 3], out: &mut [f32]) {
        use Side::{All, Negated, Numbers};
        let [a, b, c] = match fused {
            Fused::Add => [Numbers(x), All(ONE), Numbers(y)],
            Fused::Subtract => [Numbers(x), All(ONE), Negated(y)],
            Fused::Multiply => [Numbers(x), Numbers(y), All(ZERO)],
            Fused::Square => [Numbers(x), Numbers(x), All(ZERO)],
            Fused::Accumulate => [Numbers(y), All(ONE), Numbers(x)],
            Fused::MultiplyAdd => [Numbers(x), Numbers(y), Numbers(z)],
            Fused::MultiplySubtract => [Numbers(x), Numbers(y), Negated(z)],
            Fused::NegatedMultiplyAdd => [Negated(x), Numbers(y), Numbers(z)],
        };
        if [a, b, c].iter().any(|side| matches!(side, Negated(_))) {
            self.steps([a, b, c], &mut [[0.0; LANES]; BUFFER / LANES], out);
        } else {
            self.steps([a, b, c], &mut [], out);
        }
    }

    /// Applies the steps to three sides, of which at most one is negated. `negated` has space for a buffer of its
    /// numbers.
    fn steps(&self, sides: [Side; 3], negated: &mut [Lanes], out: &mut [f32]) {
        let (whole, rest) = out.as_chunks_mut::<LANES>();
        let end = whole.len() * LANES;
        for (part, out) in whole.chunks_mut(BUFFER / LANES).enumerate() {
            let range = part * BUFFER..part * BUFFER + out.len() * LANES;
            if let Some(Side::Negated(numbers)) = sides.iter().find(|side| matches!(side, Side::Negated(_))) {
                negated
                    .as_flattened_mut()
                    .iter_mut()
                    .zip(&numbers[range.clone()])
                    .for_each(|(to, x)| *to = -x);
            }
            let lanes = sides.map(|side| match side {
                Side::Numbers(numbers) => numbers[range.clone()].as_chunks().0,
                Side::Negated(_) => &negated[..out.len()],
                Side::All(lanes) => std::slice::from_ref(lanes),
            });
            self.step.apply_all_in_default(lanes, out);
        }
        if !rest.is_empty() {
            let number = |side: Side, lane| if lane < rest.len() { side.number(end + lane) } else { 0.0 };
            let [a, b, c] = sides.map(|side| std::array::from_fn(|lane| number(side, lane)));
            let mut lanes = [0.0; LANES];
            self.step.apply_in_default(&a, &b, &c, &mut lanes);
            rest.copy_from_slice(&lanes[..rest.len()]);
        }
    }
}
