//! Measures what the accumulators of a training step lose, by part, for `--report`.
//!
//! The last step of an epoch is repeated, and chains of its products and convolutions are observed; see
//! [`binade_hlo::swamping`]. Training continues with the original results.

use std::collections::BTreeMap;

use binade_hlo::eval::{EvalError, Executable, Options};
use binade_hlo::retention::accumulator_bits;
use binade_hlo::swamping::{DIFFERENCES, Steps, Swamping};
use binade_hlo::{Program, Value};
use serde::{Deserialize, Serialize};

use crate::arithmetic::Arithmetic;
use crate::parts::{self, Part};

/// Losses of a part's accumulators in the last step of an epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Swamped {
    /// Epoch, from 1.
    pub epoch: u64,
    /// The pass, and the layer if there is one.
    pub part: String,
    /// Steps of its longest chain.
    pub longest: usize,
    /// Steps by the difference between the exponents of product and accumulator, up to the largest difference.
    pub differences: Vec<u64>,
    /// Steps whose product had no effect.
    pub product_absorbed: u64,
    /// Steps whose accumulator had no effect.
    pub accumulator_absorbed: u64,
    /// Significand bits of the factors that the operator multiplies; 0 in logs of earlier versions.
    #[serde(default)]
    pub factor_bits: u32,
    /// Bits of the accumulator's significand, without the leading one, that the longest chain needs by
    /// [`binade_hlo::retention`]. `None` in logs of earlier versions.
    #[serde(default)]
    pub predicted_bits: Option<u32>,
}

impl Swamped {
    fn new(epoch: u64, part: String, steps: &Steps) -> Swamped {
        let most = steps.differences.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        Swamped {
            epoch,
            part,
            longest: steps.longest,
            differences: steps.differences[..most].to_vec(),
            product_absorbed: steps.product_absorbed,
            accumulator_absorbed: steps.accumulator_absorbed,
            factor_bits: steps.factor_bits,
            predicted_bits: (steps.factor_bits > 0)
                .then(|| accumulator_bits(steps.factor_bits, steps.longest as u64)),
        }
    }

    /// The same data as the engine's type.
    pub fn steps(&self) -> Steps {
        let mut differences = [0; DIFFERENCES];
        differences.iter_mut().zip(&self.differences).for_each(|(to, from)| *to = *from);
        Steps {
            differences,
            product_absorbed: self.product_absorbed,
            accumulator_absorbed: self.accumulator_absorbed,
            longest: self.longest,
            factor_bits: self.factor_bits,
        }
    }
}

/// The training step, prepared for observation.
#[derive(Debug)]
pub(crate) struct SwampingProbe {
    program: Program,
    /// `None` if rules name locations, which would change in a labelled program.
    parts: Option<Vec<Part>>,
    layers: Vec<String>,
}

impl SwampingProbe {
    pub(crate) fn new(train_step: &Program, arithmetic: &Arithmetic, layers: &[String]) -> SwampingProbe {
        let mut program = train_step.clone();
        let whole = !arithmetic.name.contains('@');
        let parts = whole.then(|| parts::label_parts(&mut program, layers).into_iter().collect());
        SwampingProbe { program, parts, layers: layers.to_vec() }
    }

    /// Losses in a step on these inputs, by part.
    pub(crate) fn measure(
        &self,
        epoch: u64,
        arithmetic: &Arithmetic,
        threads: usize,
        samples: usize,
        inputs: Vec<Value>,
    ) -> Result<Vec<Swamped>, EvalError> {
        let swamping = Swamping::new(&arithmetic.rules, samples);
        let options =
            Options { rules: arithmetic.rules.clone(), threads: Some(threads), ..Options::default() };
        Executable::observed(&self.program, options, &swamping)?.run("main", inputs)?;
        let mut measured: BTreeMap<Option<Part>, Steps> = BTreeMap::new();
        for (scope, steps) in swamping.finish() {
            let part = match &self.parts {
                Some(parts) => Part::of(parts, &scope).cloned(),
                None => parts::named(&scope, &self.layers),
            };
            measured.entry(part).or_default().add(&steps);
        }
        let name = |part: Option<Part>| part.map_or("elsewhere".to_owned(), |part| part.to_string());
        Ok(measured.into_iter().map(|(part, steps)| Swamped::new(epoch, name(part), &steps)).collect())
    }
}
