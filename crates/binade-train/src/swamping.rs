//! What the accumulators of a training step lose, part by part: the epoch's last step is taken once more, and chains of its
//! products and convolutions are followed ([`binade_hlo::swamping`] says how). The training goes on as without.

use std::collections::BTreeMap;

use binade_hlo::eval::{EvalError, Executable, Options};
use binade_hlo::retention::accumulator_bits;
use binade_hlo::swamping::{DIFFERENCES, Steps, Swamping};
use binade_hlo::{Program, Value};
use serde::{Deserialize, Serialize};

use crate::arithmetic::Arithmetic;
use crate::parts::{self, Part};

/// What was seen of a part in the last step of an epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Swamped {
    /// From 1.
    pub epoch: u64,
    /// The pass, and the layer where there is one.
    pub part: String,
    /// The steps of its longest chain.
    pub longest: usize,
    /// Steps by the difference of the exponents of product and accumulator, up to the greatest that was seen.
    pub differences: Vec<u64>,
    /// Steps whose product had no effect.
    pub product_absorbed: u64,
    /// Steps whose accumulator had none.
    pub accumulator_absorbed: u64,
    /// Bits of the factors' significands that the operator multiplies; 0 in logs of earlier versions.
    #[serde(default)]
    pub factor_bits: u32,
    /// Bits of the accumulator's significand, without the leading one, that the longest chain needs by the prediction of
    /// [`binade_hlo::retention`]; none in logs of earlier versions.
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

    /// The same as the engine has it.
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

/// A training step that is looked at.
#[derive(Debug)]
pub(crate) struct Look {
    program: Program,
    /// None where rules name locations, which would be others if the program were taken apart.
    parts: Option<Vec<Part>>,
    layers: Vec<String>,
}

impl Look {
    pub(crate) fn new(train_step: &Program, arithmetic: &Arithmetic, layers: &[String]) -> Look {
        let mut program = train_step.clone();
        let whole = !arithmetic.name.contains('@');
        let parts = whole.then(|| parts::take_apart(&mut program, layers).into_iter().collect());
        Look { program, parts, layers: layers.to_vec() }
    }

    /// What is seen in a step on these inputs, by part.
    pub(crate) fn see(
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
        let mut seen: BTreeMap<Option<Part>, Steps> = BTreeMap::new();
        for (scope, steps) in swamping.finish() {
            let part = match &self.parts {
                Some(parts) => Part::of(parts, &scope).cloned(),
                None => parts::named(&scope, &self.layers),
            };
            seen.entry(part).or_default().add(&steps);
        }
        let name = |part: Option<Part>| part.map_or("elsewhere".to_owned(), |part| part.to_string());
        Ok(seen.into_iter().map(|(part, steps)| Swamped::new(epoch, name(part), &steps)).collect())
    }
}
