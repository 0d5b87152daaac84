//! Measures swamping, for the `--swamping` reports of `hlo run` and `train`: how often accumulators lose addends, by
//! following the sums of sampled results step by step.
//!
//! A result of a product or convolution is a chain c ← a · b + c, under the operator that the rules select.
//!
//! - A step is *swamped* at n bits if the exponents of its product and its accumulator differ by more than n. This is
//!   the estimate of the papers.
//! - A step *absorbs* an addend if its result is the other addend. This is the actual effect.
//!
//! Steps with a product or an accumulator that is zero or not finite are not counted.
//!
//! Chains are followed in index order. These products are not followed: those in another order of accumulation, in
//! binary64, of integers or complex numbers, of operands that a recipe or a block format quantises, and those whose sums
//! are rounded stochastically.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use binade_fma::{LANES, Lanes, MultiplyAdd, Order};
use binade_simd::{Environment, Isa};
use binade_stablehlo::ir::{Convolution, DotDimensions, Op};
use binade_stablehlo::{ElementType, FloatType, Tensor, Value};

use super::comparison::numbers;
use super::profile::exponent;
use super::{Event, Observer};
use crate::arithmetic::rules::Rules;
use crate::linear::products::strides;

/// The differences of exponents that have their own counter; the last counter includes all larger ones.
pub const DIFFERENCES: usize = 64;

/// Counts of the followed steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Steps {
    /// Steps by the difference of the exponents of product and accumulator.
    pub differences: [u64; DIFFERENCES],
    /// Steps whose result is the accumulator.
    pub product_absorbed: u64,
    /// Steps whose result is the product.
    pub accumulator_absorbed: u64,
    /// The number of steps of the longest chain.
    pub longest: usize,
    /// The bits of the factors' significands that the operator multiplies; the maximum over all chains.
    pub factor_bits: u32,
}

impl Default for Steps {
    fn default() -> Steps {
        Steps {
            differences: [0; DIFFERENCES],
            product_absorbed: 0,
            accumulator_absorbed: 0,
            longest: 0,
            factor_bits: 0,
        }
    }
}

impl Steps {
    /// The number of counted steps.
    pub fn total(&self) -> u64 {
        self.differences.iter().sum()
    }

    /// The share of steps that are not swamped at this number of bits; `None` without steps.
    pub fn without_swamping(&self, bits: usize) -> Option<f64> {
        let total = self.total();
        let within: u64 = self.differences.iter().take(bits + 1).sum();
        (total > 0).then(|| within as f64 / total as f64)
    }

    /// Adds the counts of other steps.
    pub fn add(&mut self, other: &Steps) {
        self.differences.iter_mut().zip(other.differences).for_each(|(sum, count)| *sum += count);
        self.product_absorbed += other.product_absorbed;
        self.accumulator_absorbed += other.accumulator_absorbed;
        self.longest = self.longest.max(other.longest);
        self.factor_bits = self.factor_bits.max(other.factor_bits);
    }
}

/// The observer that follows chains.
pub struct Swamping<'r> {
    rules: &'r Rules,
    /// The most results of an operation that are followed.
    samples: usize,
    /// Counts by named scope.
    seen: Mutex<HashMap<String, Steps>>,
}

impl<'r> Swamping<'r> {
    /// Follows up to `samples` results of each product and convolution under these rules.
    pub fn new(rules: &'r Rules, samples: usize) -> Swamping<'r> {
        Swamping { rules, samples, seen: Mutex::default() }
    }

    /// Returns the counts, by named scope.
    pub fn finish(self) -> HashMap<String, Steps> {
        self.seen.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn followed(&self, event: &Event<'_>) -> Option<Steps> {
        let (Value::Tensor(lhs), Value::Tensor(rhs)) = (event.operands.first()?, event.operands.get(1)?)
        else {
            return None;
        };
        let Value::Tensor(result) = event.results.first()? else { return None };
        let chains = Chains::new(&event.operation.kind, [lhs, rhs], result, self.samples)?;
        let narrow = |tensor: &Tensor| matches!(&tensor.element, ElementType::Float(float) if *float != FloatType::F64);
        if ![lhs, rhs, result].into_iter().all(narrow) {
            return None;
        }
        let operator = match self.rules.multiplier(event.operation) {
            Some(multiplier) if multiplier.order() == Order::Sequential => multiplier.operator().clone(),
            Some(_) => return None,
            None if matches!(event.operation.kind, Op::DotGeneral { algorithm: Some(_), .. }) => return None,
            None if !self.rules.keeps_operands(event.operation) => return None,
            None => "f32:f32".parse().ok()?,
        };
        let step = MultiplyAdd::new(&operator, Isa::detect());
        let (mut steps, _) = chains.follow(&step, &numbers(lhs), &numbers(rhs));
        steps.factor_bits = operator.cost().multiplier_bits;
        Some(steps)
    }
}

impl Observer for Swamping<'_> {
    fn done(&self, event: &Event<'_>) -> bool {
        if let Some(steps) = self.followed(event) {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.entry(event.operation.scope.to_string()).or_default().add(&steps);
        }
        true
    }
}

/// For each step, the offsets of each chain's factors in the operands; `None` for padding, which is +0.
type Factors = Vec<Vec<Option<[usize; 2]>>>;

/// The chains of sampled results.
struct Chains {
    /// The indices of the results.
    results: Vec<usize>,
    factors: Factors,
}

/// The coordinates of a linear index.
fn places(mut index: usize, shape: &[usize]) -> Vec<usize> {
    let mut places = vec![0; shape.len()];
    for (place, size) in places.iter_mut().zip(shape).rev() {
        (*place, index) = (index % size, index / size);
    }
    places
}

/// Samples results spread over the whole tensor, at multiples of the golden ratio.
fn sampled(length: usize, samples: usize) -> Vec<usize> {
    if length <= samples {
        return (0..length).collect();
    }
    let at = |sample: u64| {
        let share = sample.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(share) * length as u128) >> 64) as usize
    };
    let mut results: Vec<usize> = (0..samples as u64).map(at).collect();
    results.sort_unstable();
    results.dedup();
    results
}

impl Chains {
    /// Returns `None` for operations that are not followed.
    fn new(op: &Op, [lhs, rhs]: [&Tensor; 2], result: &Tensor, samples: usize) -> Option<Chains> {
        let results = sampled(result.data.len(), samples);
        let factors = match op {
            Op::DotGeneral { dimensions, .. } => of_product(dimensions, lhs, rhs, result, &results),
            Op::Convolution(attributes) => of_convolution(attributes, lhs, rhs, result, &results),
            _ => return None,
        };
        Some(Chains { results, factors })
    }

    /// Runs the steps of all chains side by side. Returns their counts and the final sums.
    fn follow(&self, step: &MultiplyAdd, lhs: &[f64], rhs: &[f64]) -> (Steps, Vec<f32>) {
        let _environment = Environment::enter();
        let zero: Lanes = [0.0; LANES];
        let mut steps = Steps { longest: self.factors.len(), ..Steps::default() };
        let mut sums = vec![zero; self.results.len().div_ceil(LANES)];
        for factors in &self.factors {
            for (sums, factors) in sums.iter_mut().zip(factors.chunks(LANES)) {
                let (mut a, mut b) = (zero, zero);
                for (lane, places) in factors.iter().enumerate() {
                    if let Some([left, right]) = *places {
                        (a[lane], b[lane]) = (lhs[left] as f32, rhs[right] as f32);
                    }
                }
                let [mut both, mut alone, mut product] = [zero; 3];
                step.apply_in_default(&a, &b, sums, &mut both);
                step.apply_in_default(&zero, &zero, sums, &mut alone);
                step.apply_in_default(&a, &b, &zero, &mut product);
                for lane in 0..factors.len() {
                    // Exact: each factor has at most 24 bits.
                    let exact = f64::from(a[lane]) * f64::from(b[lane]);
                    let sum = f64::from(sums[lane]);
                    if exact == 0.0 || sum == 0.0 || !exact.is_finite() || !sum.is_finite() {
                        continue;
                    }
                    let difference = (exponent(exact) - exponent(sum)).unsigned_abs() as usize;
                    steps.differences[difference.min(DIFFERENCES - 1)] += 1;
                    let same = |other: &Lanes| both[lane].to_bits() == other[lane].to_bits();
                    steps.product_absorbed += u64::from(same(&alone));
                    steps.accumulator_absorbed += u64::from(same(&product));
                }
                *sums = both;
            }
        }
        let mut sums = sums.into_flattened();
        sums.truncate(self.results.len());
        (steps, sums)
    }
}

fn of_product(d: &DotDimensions, lhs: &Tensor, rhs: &Tensor, result: &Tensor, results: &[usize]) -> Factors {
    let (by_left, by_right) = (strides(&lhs.shape), strides(&rhs.shape));
    let free = |rank: usize, batching: &[usize], contracting: &[usize]| -> Vec<usize> {
        (0..rank).filter(|d| !batching.contains(d) && !contracting.contains(d)).collect()
    };
    let left = [&d.lhs_batching[..], &free(lhs.shape.len(), &d.lhs_batching, &d.lhs_contracting)].concat();
    let right = free(rhs.shape.len(), &d.rhs_batching, &d.rhs_contracting);
    let batches = d.lhs_batching.len();
    let starts: Vec<[usize; 2]> = (results.iter())
        .map(|&at| {
            let places = places(at, &result.shape);
            let along = |dimensions: &[usize], strides: &[usize], places: &[usize]| -> usize {
                dimensions.iter().zip(places).map(|(&d, place)| strides[d] * place).sum()
            };
            let of_right = along(&d.rhs_batching, &by_right, &places[..batches])
                + along(&right, &by_right, &places[left.len()..]);
            [along(&left, &by_left, &places[..left.len()]), of_right]
        })
        .collect();
    let sizes: Vec<usize> = d.lhs_contracting.iter().map(|&d| lhs.shape[d]).collect();
    let step = |at: usize| {
        let places = places(at, &sizes);
        let along = |dimensions: &[usize], strides: &[usize]| -> usize {
            dimensions.iter().zip(&places).map(|(&d, place)| strides[d] * place).sum()
        };
        let by = [along(&d.lhs_contracting, &by_left), along(&d.rhs_contracting, &by_right)];
        starts.iter().map(|start| Some([start[0] + by[0], start[1] + by[1]])).collect()
    };
    (0..sizes.iter().product()).map(step).collect()
}

/// The factors in the order input feature, then kernel position, the last spatial dimension fastest.
fn of_convolution(
    c: &Convolution,
    lhs: &Tensor,
    rhs: &Tensor,
    result: &Tensor,
    results: &[usize],
) -> Factors {
    let (by_left, by_right) = (strides(&lhs.shape), strides(&rhs.shape));
    let window: Vec<usize> = c.kernel_spatial.iter().map(|&d| rhs.shape[d]).collect();
    let features = rhs.shape[c.kernel_input_feature];
    let outputs = rhs.shape[c.kernel_output_feature];
    let factors = |feature: usize, taps: &[usize], at: usize| {
        let places = places(at, &result.shape);
        let output = places[c.output_feature];
        // With feature groups a group has its own input features; with batch groups, its own examples.
        let group = output * c.feature_groups / outputs;
        let part = output * c.batch_groups / outputs;
        let example = places[c.output_batch] + part * (lhs.shape[c.input_batch] / c.batch_groups);
        let mut left = example * by_left[c.input_batch];
        left += (group * features + feature) * by_left[c.input_feature];
        let mut right =
            output * by_right[c.kernel_output_feature] + feature * by_right[c.kernel_input_feature];
        for (d, &tap) in taps.iter().enumerate() {
            let at = places[c.output_spatial[d]] * c.window_strides[d] + tap * c.rhs_dilation[d];
            let at = usize::try_from(at as i64 - c.padding[d].0).ok()?;
            let (place, between) = (at / c.lhs_dilation[d], at % c.lhs_dilation[d]);
            if between != 0 || place >= lhs.shape[c.input_spatial[d]] {
                return None;
            }
            left += place * by_left[c.input_spatial[d]];
            let tap = if c.window_reversal[d] { window[d] - 1 - tap } else { tap };
            right += tap * by_right[c.kernel_spatial[d]];
        }
        Some([left, right])
    };
    let taps: usize = window.iter().product();
    (0..features * taps)
        .map(|step| {
            let tap = places(step % taps, &window);
            results.iter().map(|&at| factors(step / taps, &tap, at)).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use binade_stablehlo::Data;
    use binade_stablehlo::ir::Program;

    use super::*;
    use crate::machine::run::Executable;
    use crate::options::Options;
    use crate::testing::noise;

    /// Follows all results, and compares the final sums with them.
    struct Compare<'r>(Swamping<'r>, Mutex<Vec<&'static str>>);

    impl Observer for Compare<'_> {
        fn done(&self, event: &Event<'_>) -> bool {
            let (Some(Value::Tensor(lhs)), Some(Value::Tensor(rhs))) =
                (event.operands.first(), event.operands.get(1))
            else {
                return true;
            };
            let Some(Value::Tensor(result)) = event.results.first() else { return true };
            let Some(chains) = Chains::new(&event.operation.kind, [lhs, rhs], result, usize::MAX) else {
                return true;
            };
            let operator = self.0.rules.multiplier(event.operation).unwrap().operator();
            let step = MultiplyAdd::new(operator, Isa::detect());
            let (steps, sums) = chains.follow(&step, &numbers(lhs), &numbers(rhs));
            let Data::F32(expected) = &*result.data else { panic!("binary32") };
            assert_eq!(sums, *expected, "{}", event.operation.kind.name());
            assert!(steps.total() > 0);
            self.1.lock().unwrap().push(event.operation.kind.name());
            self.0.done(event)
        }
    }

    fn input(seed: u64, shape: &[usize]) -> Value {
        let numbers = noise(seed, shape.iter().product());
        Value::Tensor(Tensor::new(ElementType::Float(FloatType::F32), shape.to_vec(), Data::F32(numbers)))
    }

    /// Covers batches, several contracted dimensions, and convolutions with groups, dilation, padding, strides and
    /// reversal.
    #[test]
    fn chains_come_to_the_results() {
        let text = r#"
func.func @main(%a: tensor<2x5x3x4xf32>, %b: tensor<4x2x3x6xf32>, %x: tensor<4x7x6x4xf32>, %k: tensor<3x2x2x6xf32>, %z: tensor<3x2x4x6xf32>)
    -> (tensor<2x5x6xf32>, tensor<4x3x6x6xf32>, tensor<2x4x6x6xf32>) {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [1], contracting_dims = [3, 2] x [0, 2]
      : (tensor<2x5x3x4xf32>, tensor<4x2x3x6xf32>) -> tensor<2x5x6xf32> loc("one")
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 1], pad = [[1, 2], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 1], reverse = [true, false]}
      {batch_group_count = 1 : i64, feature_group_count = 2 : i64}
      : (tensor<4x7x6x4xf32>, tensor<3x2x2x6xf32>) -> tensor<4x3x6x6xf32> loc("two")
  %2 = stablehlo.convolution(%x, %z) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [4, 2], pad = [[2, 3], [1, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1]}
      {batch_group_count = 2 : i64, feature_group_count = 1 : i64}
      : (tensor<4x7x6x4xf32>, tensor<3x2x4x6xf32>) -> tensor<2x4x6x6xf32> loc("three")
  return %0, %1, %2 : tensor<2x5x6xf32>, tensor<4x3x6x6xf32>, tensor<2x4x6x6xf32>
}"#;
        let program = Program::parse(text).unwrap();
        let shapes: [&[usize]; 5] =
            [&[2, 5, 3, 4], &[4, 2, 3, 6], &[4, 7, 6, 4], &[3, 2, 2, 6], &[3, 2, 4, 6]];
        let inputs: Vec<Value> =
            shapes.iter().enumerate().map(|(seed, shape)| input(seed as u64, shape)).collect();
        for operator in ["f32:f32", "bf16:bf16", "bf16x2:bf16x2/3", "float8_e4m3fn:bf16"] {
            let rules: Rules = Rules::parse(&[operator]).unwrap();
            let compare = Compare(Swamping::new(&rules, 5), Mutex::default());
            let options = Options { rules: rules.clone(), ..Options::default() };
            Executable::observed(&program, options, &compare).unwrap().run("main", inputs.clone()).unwrap();
            let Compare(swamping, names) = compare;
            assert_eq!(names.into_inner().unwrap().len(), 3);
            let seen = swamping.finish();
            assert_eq!(seen.len(), 3);
            assert_eq!(["one", "two", "three"].map(|scope| seen[scope].longest), [12, 12, 24]);
            let absorbed: u64 = seen.values().map(|steps| steps.product_absorbed).sum();
            assert!(absorbed > 0 || !operator.ends_with(":bf16"), "{operator}");
        }
    }

    #[test]
    fn products_of_quantised_operands_are_not_followed() {
        let text = "func.func @main(%a: tensor<2x32xf32>) -> tensor<2x2xf32> {
          %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [1] : (tensor<2x32xf32>, tensor<2x32xf32>) -> tensor<2x2xf32>
          return %0 : tensor<2x2xf32> }";
        let program = Program::parse(text).unwrap();
        let followed = |rule: &str| {
            let rules = Rules::parse(&[rule]).unwrap();
            let swamping = Swamping::new(&rules, 4);
            let options = Options { rules: rules.clone(), ..Options::default() };
            let element = ElementType::Float(FloatType::F32);
            let input = Value::Tensor(Tensor::new(element, vec![2, 32], Data::F32(vec![1.5; 64])));
            Executable::observed(&program, options, &swamping).unwrap().run("main", vec![input]).unwrap();
            swamping.finish().len()
        };
        assert_eq!(followed("dot_general=bf16:bf16"), 1);
        for rule in
            ["dot_general=nvfp4", "dot_general=mxfp4:f32", "dot_general=bf16:bf16/rounding=stochastic"]
        {
            assert_eq!(followed(rule), 0, "{rule}");
        }
    }

    #[test]
    fn a_short_accumulator_stalls() {
        let text = r#"
func.func @main(%a: tensor<1x400xf32>, %b: tensor<400x1xf32>) -> tensor<1x1xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<1x400xf32>, tensor<400x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}"#;
        let program = Program::parse(text).unwrap();
        let ones = |shape: &[usize]| {
            let ones = Data::F32(vec![1.0; 400]);
            Value::Tensor(Tensor::new(ElementType::Float(FloatType::F32), shape.to_vec(), ones))
        };
        let rules: Rules = Rules::parse(&["bf16:bf16"]).unwrap();
        let swamping = Swamping::new(&rules, 64);
        let options = Options { rules: rules.clone(), ..Options::default() };
        let inputs = vec![ones(&[1, 400]), ones(&[400, 1])];
        Executable::observed(&program, options, &swamping).unwrap().run("main", inputs).unwrap();
        let steps = swamping.finish().remove("").unwrap();
        // 1 + 1 … 255 + 1 are exact; 256 + 1 is 256. The first step has no accumulator.
        assert_eq!((steps.total(), steps.product_absorbed, steps.accumulator_absorbed), (399, 144, 0));
        assert_eq!(steps.without_swamping(7), Some(255.0 / 399.0));
        assert_eq!(steps.without_swamping(8), Some(1.0));
    }
}
