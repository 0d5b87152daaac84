//! The stored tensors of a recipe: weights and states of the optimizer, which are rounded to their formats after each step.

use binade::philox;
use binade::recipe::{BiasHistory, BiasSpan, Quantizer, Recipe};
use binade_fma::quantize;
use binade_hlo::{Data, Tensor, Value};
use binade_kernels::KernelError;
use serde::{Deserialize, Serialize};

use crate::manifest::{Manifest, Role, StateTensor};

/// The number by which the random words of stored tensors differ from those of operations.
const STORED: u32 = 0x5354_4f52;

/// The bias of a stored tensor, or of an operand with a history, at the end of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredBias {
    /// The tensor; of an operand its key in the recipe and its layer, as `forward.weight hidden`.
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
    /// The bias by step: its first value and its changes, at most the first [`binade::recipe::MOST_CHANGES`] of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_step: Vec<BiasSpan>,
}

impl StoredBias {
    /// The bias of a tensor that is quantised by this quantizer.
    pub(crate) fn new(tensor: String, quantizer: &Quantizer, history: &BiasHistory) -> StoredBias {
        StoredBias {
            tensor,
            format: quantizer.to_string().split('/').next().unwrap_or("").to_owned(),
            bias: history.bias,
            moves: history.moves,
            overflowed: history.overflowed,
            underflowed: history.underflowed,
            by_step: history.by_step.clone(),
        }
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
            let (quantizer, is_new) = history.take(step, quantizer, numbers);
            let columns = tensor.shape.last().copied().unwrap_or(1).max(1);
            let seed = philox::stream(seed, &[step as u32, (step >> 32) as u32, at as u32, STORED]);
            let rounded = quantize(&quantizer, numbers, columns, seed)?;
            history.count(&quantizer, numbers, &rounded);
            if is_new {
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
                Some(StoredBias::new(tensor.name.clone(), quantizer, history))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
