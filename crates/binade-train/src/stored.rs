//! The stored tensors of a recipe: weights and states of the optimizer, which are rounded to their formats after each step.

use binade::block::Element;
use binade::catalog::{Bias, F32};
use binade::recipe::{BiasRule, Quantizer, Recipe, Scope, exponent_counts};
use binade::{Projection, decode, philox, project};
use binade_fma::quantize;
use binade_hlo::{Data, Tensor, Value};
use binade_kernels::KernelError;
use serde::{Deserialize, Serialize};

use crate::manifest::{Manifest, Role, StateTensor};

/// The number by which the random words of stored tensors differ from those of operations.
const STORED: u32 = 0x5354_4f52;

/// The bias of a stored tensor at the end of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredBias {
    /// The tensor.
    pub tensor: String,
    /// Its format, without the bias.
    pub format: String,
    /// The bias; null if all numbers were zero.
    pub bias: Option<i32>,
    /// Changes of the bias.
    pub moves: u64,
    /// Numbers that were beyond the format's largest one.
    pub overflowed: u64,
    /// Nonzero numbers that became zero.
    pub underflowed: u64,
    /// The bias by step: its first value and its changes, at most the first [`MOST_CHANGES`] of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_step: Vec<BiasSpan>,
}

/// Steps under one bias.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BiasSpan {
    /// Steps before the tensor was first stored under it; 0 for initial values.
    pub from: u64,
    /// The bias.
    pub bias: i32,
    /// Numbers that were beyond the format's largest one under it.
    pub overflowed: u64,
    /// Nonzero numbers that became zero under it.
    pub underflowed: u64,
}

/// Changes of a bias that are recorded with their steps.
pub const MOST_CHANGES: usize = 1000;

/// The bias of a stored tensor, and the exponents that it follows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct BiasHistory {
    /// The bias; `None` before the first number that is not zero.
    pub(crate) bias: Option<i32>,
    /// The numbers of the last steps by exponent, oldest first. Under [`BiasRule::Largest`] only the largest exponent is kept.
    #[serde(default)]
    exponents: Vec<Vec<(i32, u64)>>,
    /// Steps since the bias changed.
    steady: usize,
    /// Changes of the bias.
    pub(crate) moves: u64,
    /// Numbers beyond the format's largest one, which saturated or overflowed.
    pub(crate) overflowed: u64,
    /// Nonzero numbers that became zero.
    pub(crate) underflowed: u64,
    /// The bias by step.
    #[serde(default)]
    by_step: Vec<BiasSpan>,
}

impl BiasHistory {
    /// Takes in the numbers of a step by exponent and their largest magnitude. Returns the quantizer under the bias of this step
    /// ([`binade::recipe::Learnt`]).
    fn step(&mut self, quantizer: &Quantizer, mut counts: Vec<(i32, u64)>, largest: f32) -> Quantizer {
        let (Some(learnt), Some(Element::Float(format))) = (quantizer.learnt, quantizer.element) else {
            return quantizer.clone();
        };
        if let Some(&(exponent, _)) = counts.last() {
            if learnt.rule == BiasRule::Largest {
                counts = vec![(exponent, 1)];
            }
            self.exponents.push(counts);
            if self.exponents.len() > learnt.history {
                self.exponents.remove(0);
            }
            self.steady += 1;
            let wanted = learnt.bias(format, &self.exponents.concat()).unwrap_or_default();
            let falls = |bias: i32| match learnt.rule {
                // Stored numbers saturate, so that a tensor would never have a larger exponent by itself.
                BiasRule::Largest => largest > largest_of(&quantizer.under_bias(bias)),
                BiasRule::MeanSquareError => wanted < bias,
            };
            let next = match self.bias {
                None => wanted,
                Some(bias) if falls(bias) => wanted.min(bias - 1).max(*Bias::RANGE.start()),
                Some(bias) if wanted > bias && self.steady >= learnt.history => bias + 1,
                Some(bias) => bias,
            };
            if self.bias.is_some_and(|bias| bias != next) {
                (self.moves, self.steady) = (self.moves + 1, 0);
            }
            self.bias = Some(next);
        }
        self.bias.map_or_else(|| quantizer.clone(), |bias| quantizer.under_bias(bias))
    }

    /// Adds the numbers of a step that overflowed and underflowed. Returns true if the bias is not that of the step before.
    fn record(&mut self, step: u64, overflowed: u64, underflowed: u64) -> bool {
        self.overflowed += overflowed;
        self.underflowed += underflowed;
        let Some(bias) = self.bias else { return false };
        let moved = self.by_step.len() as u64 <= self.moves;
        if moved && self.by_step.len() <= MOST_CHANGES {
            self.by_step.push(BiasSpan { from: step, bias, overflowed: 0, underflowed: 0 });
        }
        if let Some(span) = self.by_step.last_mut().filter(|span| span.bias == bias) {
            span.overflowed += overflowed;
            span.underflowed += underflowed;
        }
        moved
    }
}

/// The largest number of a quantizer's elements; infinite if they have scales.
fn largest_of(quantizer: &Quantizer) -> f32 {
    match quantizer.element {
        Some(Element::Float(format)) if quantizer.scope == Scope::None => {
            let largest = decode(format, format.max_finite_code());
            f32::from_bits(project(F32, largest, Projection::default()).code as u32)
        }
        _ => f32::INFINITY,
    }
}

/// The role in a recipe of a tensor of the state; `None` if recipes do not round it.
fn role(tensor: &StateTensor) -> Option<&'static str> {
    match tensor.role {
        Role::Parameter => Some("weights"),
        Role::Optimizer if tensor.name.ends_with(".second") => Some("second_moments"),
        Role::Optimizer => Some("momentum"),
        Role::Statistic | Role::Carried => None,
    }
}

/// The number of a model's tensors that have a role of [`binade::recipe::Stored`].
pub(crate) fn tensors_of_role(manifest: &Manifest, name: &str) -> usize {
    manifest.state.iter().filter(|tensor| role(tensor) == Some(name)).count()
}

/// Returns true if a model has tensors of a role of [`binade::recipe::Stored`].
pub(crate) fn has_role(manifest: &Manifest, name: &str) -> bool {
    name == "gradients" || tensors_of_role(manifest, name) > 0
}

/// The quantizers of a model's state.
#[derive(Clone, Debug)]
pub(crate) struct StoredTensors {
    /// By tensor of the state.
    quantizers: Vec<Option<Quantizer>>,
}

impl StoredTensors {
    /// `None` if the recipe stores all tensors as the program has them.
    pub(crate) fn new(recipe: &Recipe, manifest: &Manifest) -> Option<StoredTensors> {
        let entries = recipe.stored.entries();
        let quantizer = |tensor: &StateTensor| {
            let role = role(tensor)?;
            entries.iter().find(|(name, _)| *name == role).map(|(_, quantizer)| *quantizer)
        };
        let quantizers = manifest.state.iter().map(|tensor| {
            let quantizer = quantizer(tensor)?;
            (!quantizer.is_none()).then(|| quantizer.clone())
        });
        let quantizers: Vec<Option<Quantizer>> = quantizers.collect();
        quantizers.iter().any(Option::is_some).then_some(StoredTensors { quantizers })
    }

    /// Rounds the state after `step` steps. `histories` has an entry for each tensor of the state. Returns the tensors whose bias was
    /// chosen or has changed.
    pub(crate) fn round(
        &self,
        state: &mut [Value],
        histories: &mut Vec<BiasHistory>,
        seed: u64,
        step: u64,
    ) -> Result<Vec<usize>, KernelError> {
        histories.resize(state.len(), BiasHistory::default());
        let mut moved = vec![];
        for (at, (value, quantizer)) in state.iter_mut().zip(&self.quantizers).enumerate() {
            let (Some(quantizer), Value::Tensor(tensor)) = (quantizer, &*value) else { continue };
            let Data::F32(numbers) = &*tensor.data else { continue };
            let history = &mut histories[at];
            let quantizer = match quantizer.learnt {
                Some(_) => {
                    let finite = numbers.iter().filter(|x| x.is_finite());
                    let largest = finite.fold(0f32, |most, x| most.max(x.abs()));
                    history.step(quantizer, exponent_counts(numbers), largest)
                }
                None => quantizer.clone(),
            };
            let columns = tensor.shape.last().copied().unwrap_or(1).max(1);
            let seed = philox::stream(seed, &[step as u32, (step >> 32) as u32, at as u32, STORED]);
            let rounded = quantize(&quantizer, numbers, columns, seed)?;
            let largest = largest_of(&quantizer);
            let (mut overflowed, mut underflowed) = (0, 0);
            for (&x, &y) in numbers.iter().zip(&rounded) {
                overflowed += u64::from(x.is_finite() && x.abs() > largest);
                underflowed += u64::from(y == 0.0 && x != 0.0);
            }
            if history.record(step, overflowed, underflowed) {
                moved.push(at);
            }
            *value =
                Value::Tensor(Tensor::new(tensor.element.clone(), tensor.shape.clone(), Data::F32(rounded)));
        }
        Ok(moved)
    }

    /// The biases that were learnt.
    pub(crate) fn biases(&self, manifest: &Manifest, histories: &[BiasHistory]) -> Vec<StoredBias> {
        let tensors = manifest.state.iter().zip(&self.quantizers).zip(histories);
        tensors
            .filter_map(|((tensor, quantizer), history)| {
                let quantizer = quantizer.as_ref().filter(|quantizer| quantizer.learnt.is_some())?;
                Some(StoredBias {
                    tensor: tensor.name.clone(),
                    format: quantizer.to_string().split('/').next().unwrap_or("").to_owned(),
                    bias: history.bias,
                    moves: history.moves,
                    overflowed: history.overflowed,
                    underflowed: history.underflowed,
                    by_step: history.by_step.clone(),
                })
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bias_follows_the_largest_exponent_slowly_down_and_at_once_up() {
        let quantizer: Quantizer = "cfloat8_1_4_3/bias=learnt/history=4".parse().unwrap();
        let mut history = BiasHistory::default();
        let mut bias = |exponent: Option<i32>| {
            let counts = exponent.map(|exponent| (exponent, 1)).into_iter().collect();
            let largest = exponent.map_or(0.0, |exponent| 2f32.powi(exponent));
            let quantizer = history.step(&quantizer, counts, largest);
            let Some(Element::Float(format)) = quantizer.element else { panic!("a format") };
            assert!(exponent.is_none_or(|exponent| exponent <= format.emax()));
            (format.bias(), history.moves)
        };
        // Four exponent bits: the largest exponent is 15 − bias. With a margin of 1, −3 wants 17.
        assert_eq!(bias(Some(-3)), (17, 0));
        assert_eq!(bias(Some(-2)), (17, 0));
        assert_eq!(bias(None), (17, 0));
        // 15 − 17 = −2 is exceeded.
        assert_eq!(bias(Some(0)), (14, 1));
        let found: Vec<(i32, u64)> = (0..9).map(|_| bias(Some(-5))).collect();
        // The 0 leaves the history after four steps; then the bias rises once in four steps.
        assert_eq!(found, [(14, 1), (14, 1), (14, 1), (15, 2), (15, 2), (15, 2), (15, 2), (16, 3), (16, 3)]);
    }

    #[test]
    fn spans_have_the_numbers_that_their_bias_lost() {
        let quantizer: Quantizer = "cfloat8_1_4_3/bias=learnt/history=2".parse().unwrap();
        let mut history = BiasHistory::default();
        let mut moved = vec![];
        for (step, (exponent, lost)) in
            [(-3, 1), (-3, 2), (0, 4), (-5, 8), (-5, 16), (-5, 32)].into_iter().enumerate()
        {
            history.step(&quantizer, vec![(exponent, 1)], 2f32.powi(exponent));
            moved.push(history.record(step as u64, lost, 10 * lost));
        }
        assert_eq!(moved, [true, false, true, false, true, false]);
        let spans: Vec<(u64, i32, u64)> =
            history.by_step.iter().map(|span| (span.from, span.bias, span.overflowed)).collect();
        assert_eq!(spans, [(0, 17, 3), (2, 14, 12), (4, 15, 48)]);
        let sum = |of: fn(&BiasSpan) -> u64| history.by_step.iter().map(of).sum::<u64>();
        assert_eq!((sum(|span| span.overflowed), sum(|span| span.underflowed)), (63, 630));
        assert_eq!((history.overflowed, history.underflowed, history.moves), (63, 630, 2));
    }

    #[test]
    fn bias_falls_if_numbers_saturate_without_a_larger_exponent() {
        for (margin, after) in [(0, 17), (1, 17), (3, 15)] {
            let text = format!("cfloat8_1_4_3/bias=learnt/margin={margin}");
            let mut history = BiasHistory { bias: Some(18), ..BiasHistory::default() };
            // The largest number under the bias 18 is 1.875 · 2^-3.
            history.step(&text.parse().unwrap(), vec![(-3, 1)], 1.875 / 8.0);
            assert_eq!(history.bias, Some(18), "{text}");
            history.step(&text.parse().unwrap(), vec![(-3, 1)], 1.9 / 8.0);
            assert_eq!(history.bias, Some(after), "{text}");
        }
    }

    #[test]
    fn bias_of_least_error_falls_at_once_and_rises_after_a_history() {
        let quantizer: Quantizer = "cfloat8_1_4_3/bias=learnt/by=mse/history=2".parse().unwrap();
        let mut history = BiasHistory::default();
        // The few large numbers of the third step are worth a smaller bias.
        let steps = [-9, -9, 3, -9, -9, -9, -9];
        let biases: Vec<i32> = steps
            .into_iter()
            .map(|exponent| {
                history.step(&quantizer, vec![(exponent - 14, 1 << 40), (exponent, 8)], 2f32.powi(exponent));
                history.bias.unwrap()
            })
            .collect();
        assert_eq!(biases[0], biases[1]);
        assert!(biases[2] < biases[1], "{biases:?}");
        // Two steps of the history, then a rise by one in two steps.
        assert_eq!(biases[3], biases[2], "{biases:?}");
        assert_eq!(biases[4], biases[2] + 1, "{biases:?}");
        assert_eq!(biases[6], biases[4] + 1, "{biases:?}");
    }

    #[test]
    fn tensors_are_rounded_under_the_bias_of_their_history() {
        let quantizer: Quantizer = "cfloat8_1_4_3/bias=learnt/history=4".parse().unwrap();
        let stored = StoredTensors { quantizers: vec![Some(quantizer)] };
        let mut histories = vec![];
        let mut rounded = |number: f32, step: u64| {
            let element = binade_hlo::ElementType::Float(binade_hlo::FloatType::F32);
            let mut state = vec![Value::Tensor(Tensor::new(element, vec![1], Data::F32(vec![number])))];
            stored.round(&mut state, &mut histories, 0, step).unwrap();
            let Value::Tensor(Tensor { data, .. }) = &state[0] else { panic!("a tensor") };
            let Data::F32(rounded) = &**data else { panic!("binary32") };
            rounded[0]
        };
        // 1 wants the bias 14, whose least number is 2^-17. A bias for 1.125 · 2^-17 alone would have that number.
        let least = 2f32.powi(-17);
        assert_eq!([rounded(1.0, 1), rounded(1.125 * least, 2)], [1.0, least]);
    }

    /// A state of one tensor, rounded in many steps: every path of a quantizer that the recipes store tensors by.
    #[test]
    fn stochastic_stored_tensors_have_no_bias() {
        for text in [
            "bf16/rounding=stochastic",
            "cfloat8_1_4_3/bias=learnt/rounding=stochastic",
            "shp/bias=learnt/rounding=stochastic",
            "uhp/rounding=stochastic",
            "float8_e4m3fn/scale=row/rounding=stochastic_c:24",
            "mxfp8_e4m3@rule=rceil/rounding=stochastic_b",
        ] {
            let stored = StoredTensors { quantizers: vec![Some(text.parse().unwrap())] };
            // Tesla's formats have a gap below their normal numbers, and elements of rows a largest one.
            let numbers: Vec<f32> = (0..64).map(|at| 0.5 + at as f32 * 0.0137).collect();
            let mut histories = vec![];
            let mut sums = vec![[0f64; 2]; 64];
            let steps = 1500;
            for step in 0..steps {
                let tensor = Tensor::new(
                    binade_hlo::ElementType::Float(binade_hlo::FloatType::F32),
                    vec![8, 8],
                    Data::F32(numbers.clone()),
                );
                let mut state = vec![Value::Tensor(tensor)];
                stored.round(&mut state, &mut histories, 3, step).unwrap();
                let Value::Tensor(Tensor { data, .. }) = &state[0] else { panic!("a tensor") };
                let Data::F32(rounded) = &**data else { panic!("binary32") };
                for (sums, &x) in sums.iter_mut().zip(rounded) {
                    *sums = [sums[0] + f64::from(x), sums[1] + f64::from(x).powi(2)];
                }
            }
            let mut drawn = 0;
            for (sums, &x) in sums.iter().zip(&numbers) {
                let [mean, square] = sums.map(|sum| sum / steps as f64);
                let error = ((square - mean * mean).max(0.0) / steps as f64).sqrt();
                drawn += u32::from(error > 0.0);
                // Scales are rounded once more, to binary32.
                let limit = 5.0 * error + f64::from(x) * 2f64.powi(-22);
                assert!((mean - f64::from(x)).abs() <= limit, "{text}: {mean} ± {error} for {x}");
            }
            assert!(drawn > 40, "{text}: {drawn}");
        }
    }
}
