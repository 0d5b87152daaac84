//! The manifest `model.json`: inputs and outputs of a model's programs, and the schedule of its training.

use std::collections::HashSet;

use serde::Deserialize;

/// A model's manifest.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Version of the manifest's format: 1.
    pub format: u32,
    /// The model's name.
    pub name: String,
    /// Description in a line.
    pub about: String,
    /// The task: `classification`, `language model`, …
    pub task: String,
    /// The default data set.
    pub data: String,
    /// The way in which batches are selected.
    pub sampling: Sampling,
    /// Examples in a training step.
    pub batch: usize,
    /// Epochs.
    pub epochs: u64,
    /// The learning rate.
    pub rate: Rate,
    /// Other hyperparameters, fixed when the programs were exported.
    #[serde(default)]
    pub hyper_parameters: serde_json::Map<String, serde_json::Value>,
    /// Named scopes of the layers, for rules of arithmetic.
    #[serde(default)]
    pub scopes: Vec<String>,
    /// The state, in the order in which programs take and return it.
    pub state: Vec<StateTensor>,
    /// The training step.
    pub train_step: Step,
    /// The evaluation.
    pub evaluate: Evaluation,
    /// Size of the graph, for sampling by triples.
    #[serde(default)]
    pub graph: Option<GraphSize>,
    /// The translation program, if the model translates.
    #[serde(default)]
    pub translate: Option<Translation>,
}

/// The way in which the examples of a batch are selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// Examples in an order that is shuffled for each epoch.
    Shuffled,
    /// Windows of a text in an order that is shuffled for each epoch.
    Windows,
    /// A text cut into one stream for each example of a batch. Streams are read in parallel. Carried state continues from
    /// step to step and is reset with each epoch.
    Streams,
    /// A user, an item that the user chose, and one that the user did not choose, drawn anew in each epoch.
    Triples,
}

/// Largest graph that fits a model: users, items, and entries of its matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the line above has them")]
pub struct GraphSize {
    pub users: usize,
    pub items: usize,
    pub edges: usize,
}

/// The learning rate. It is `initial` times the factors of all drops so far. In the first `warm_up` steps it is scaled by
/// (step + 1) / `warm_up`, after them by [`Decay`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// The rate after warming up.
    pub initial: f64,
    /// Steps of warming up.
    #[serde(default)]
    pub warm_up: u64,
    /// Decay after warming up.
    #[serde(default)]
    pub decay: Option<Decay>,
    /// Drops in ascending order.
    #[serde(default)]
    pub drops: Vec<RateDrop>,
}

/// Decay of the rate after `warm_up` steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Decay {
    /// √(`warm_up` / (step + 1)), by Vaswani et al. (arXiv 1706.03762, equation 3).
    InverseSqrt,
}

/// A drop of the rate.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateDrop {
    /// The drop is after this many epochs.
    pub epoch: u64,
    /// Factor of the rate.
    pub factor: f64,
}

/// A tensor of the state.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateTensor {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// The type of its elements.
    pub dtype: Dtype,
    /// Its role.
    pub role: Role,
}

impl StateTensor {
    /// Upper bound of its size in bytes: 2, 4 or 8 for each element.
    pub(crate) fn bytes(&self) -> usize {
        let width = match self.dtype {
            Dtype::Bf16 | Dtype::F16 => 2,
            Dtype::F32 | Dtype::I32 | Dtype::U32 => 4,
            _ => 8,
        };
        width * self.shape.iter().product::<usize>()
    }
}

/// The role of a tensor of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Trained weights.
    Parameter,
    /// Measured in training, such as the means of batch norm.
    Statistic,
    /// Needed by the optimizer only.
    Optimizer,
    /// Passed from a step to the next one of the same text.
    Carried,
}

/// Element types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Dtype {
    #[serde(rename = "f32")]
    F32,
    #[serde(rename = "f64")]
    F64,
    #[serde(rename = "bf16")]
    Bf16,
    #[serde(rename = "f16")]
    F16,
    #[serde(rename = "i32")]
    I32,
    #[serde(rename = "i64")]
    I64,
    #[serde(rename = "ui32")]
    U32,
}

/// The inputs after the state, and the results after the new state.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Inputs in order.
    pub inputs: Vec<Input>,
    /// Outputs in order.
    pub outputs: Vec<Output>,
}

/// As [`Step`], with its own batch size.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// Examples in an evaluation.
    pub batch: usize,
    /// Inputs in order.
    pub inputs: Vec<Input>,
    /// Outputs in order.
    pub outputs: Vec<Output>,
}

/// As [`Evaluation`]. Its only output is of words.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Translation {
    /// Sentences written at once.
    pub batch: usize,
    /// Column of the data with the reference translations.
    pub reference: String,
    /// Inputs in order.
    pub inputs: Vec<Input>,
    /// Outputs in order.
    pub outputs: Vec<Output>,
}

/// An input of a step.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// The type of its elements.
    pub dtype: Dtype,
    /// Its origin.
    pub from: Origin,
    /// Exclusive upper bound of integers: the number of classes or words.
    #[serde(default)]
    pub below: Option<usize>,
}

/// Origin of an input.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", untagged)]
pub enum Origin {
    /// The step's learning rate or random key: `rate` or `key`.
    Word(Word),
    /// A column of the data: value × scale + shift in binary64, rounded once. Integers are not scaled.
    Column {
        /// Its name.
        column: String,
        /// The factor.
        #[serde(default = "one")]
        scale: f64,
        /// Added after scaling.
        #[serde(default)]
        shift: f64,
        /// True if rows of another length are cut, or padded with zeros.
        #[serde(default)]
        resized: bool,
    },
    /// Consecutive elements of a column.
    Window {
        /// Its name.
        window: String,
        /// Distance of the first element from the start of the window.
        #[serde(default)]
        offset: usize,
    },
    /// One element of each triple.
    Triple {
        /// The element.
        triple: TriplePart,
    },
    /// The users whose items are ranked.
    Ranked {
        /// Users.
        ranked: Ranked,
    },
    /// The entries of the graph's matrix.
    Edge {
        /// Row, column or weight.
        edge: EdgePart,
    },
}

/// An element of a triple.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "`Sampling::Triples` says it")]
pub enum TriplePart {
    User,
    Chosen,
    Other,
}

/// Users to rank items for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ranked {
    /// Users with test items.
    User,
}

/// A property of an entry of the graph's matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum EdgePart {
    Row,
    Column,
    Weight,
}

/// An input that does not come from the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Word {
    /// The learning rate of the step.
    Rate,
    /// The step's key for random numbers.
    Key,
}

fn one() -> f64 {
    1.0
}

/// A result of a step besides the state.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Its metric.
    pub name: Metric,
    /// Its shape.
    pub shape: Vec<usize>,
    /// The type of its elements.
    pub dtype: Dtype,
}

/// Metrics that a step returns besides the new state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// The loss of each example, or of each token of each example.
    Loss,
    /// 1 for each right prediction, otherwise 0.
    Correct,
    /// 1 for each example or token that counts, 0 for padding. Without it, all count.
    Counted,
    /// Number of elements of each parameter whose update is not 0.
    Updates,
    /// Number of those that the update left unchanged.
    LostUpdates,
    /// A score of each item for each user of an evaluation.
    Scores,
    /// Word numbers of each sentence that is written.
    Words,
}

impl Metric {
    /// The name in a manifest.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Loss => "loss",
            Metric::Correct => "correct",
            Metric::Counted => "counted",
            Metric::Updates => "updates",
            Metric::LostUpdates => "lost_updates",
            Metric::Scores => "scores",
            Metric::Words => "words",
        }
    }
}

impl Dtype {
    /// The name in a program.
    pub fn name(self) -> &'static str {
        match self {
            Dtype::F32 => "f32",
            Dtype::F64 => "f64",
            Dtype::Bf16 => "bf16",
            Dtype::F16 => "f16",
            Dtype::I32 => "i32",
            Dtype::I64 => "i64",
            Dtype::U32 => "ui32",
        }
    }
}

/// A tensor type as a program spells it.
pub(crate) fn type_text(shape: &[usize], dtype: Dtype) -> String {
    let sizes: String = shape.iter().map(|size| format!("{size}x")).collect();
    format!("tensor<{sizes}{}>", dtype.name())
}

impl Manifest {
    /// The first contradiction in the manifest, if there is one.
    pub(crate) fn first_contradiction(&self) -> Option<String> {
        let wrong = |condition: bool, text: &str| condition.then(|| text.to_owned());
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let mut names = HashSet::new();
        let twice = self.state.iter().find(|tensor| !names.insert(&tensor.name));
        let epochs: Vec<u64> = self.rate.drops.iter().map(|drop| drop.epoch).collect();
        let streams = self.sampling == Sampling::Streams;
        let carried = self.carried().next().is_some();
        None.or_else(|| {
            wrong(self.format != 1, "\"format\" must be 1, the only one that this version of binade reads")
        })
        .or_else(|| {
            wrong(self.batch == 0 || self.evaluate.batch == 0, "a batch must have at least 1 example")
        })
        .or_else(|| wrong(self.epochs == 0, "\"epochs\" must be at least 1"))
        .or_else(|| wrong(!positive(self.rate.initial), "the initial rate must be a positive number"))
        .or_else(|| {
            wrong(
                self.rate.decay.is_some() && self.rate.warm_up == 0,
                "a rate with \"decay\" needs \"warm_up\" steps before it",
            )
        })
        .or_else(|| {
            wrong(
                self.rate.drops.iter().any(|drop| !positive(drop.factor)),
                "the factor of a drop of the rate must be a positive number",
            )
        })
        .or_else(|| {
            wrong(
                !epochs.is_sorted_by(|a, b| a < b) || epochs.first() == Some(&0),
                "the epochs of the rate's drops must be in ascending order, from 1",
            )
        })
        .or_else(|| twice.map(|tensor| format!("duplicate tensor '{}' in the state", tensor.name)))
        .or_else(|| wrong(self.parameters().next().is_none(), "the state must have a parameter"))
        .or_else(|| wrong(carried && !streams, "carried state needs \"sampling\": \"streams\""))
        .or_else(|| {
            wrong(
                streams && self.batch != self.evaluate.batch,
                "streams need the same batch in training and evaluation",
            )
        })
        .or_else(|| {
            wrong(
                self.graph.is_some() != (self.sampling == Sampling::Triples),
                "\"graph\" and \"sampling\": \"triples\" need each other",
            )
        })
        .or_else(|| {
            let none = |graph: GraphSize| {
                graph.users == 0 || graph.items == 0 || graph.users + graph.items > 1 << 30
            };
            wrong(self.graph.is_some_and(none), "the graph must have users and items, together at most 2^30")
        })
        .or_else(|| {
            let shuffled = self.sampling == Sampling::Shuffled;
            wrong(self.translate.is_some() && !shuffled, "\"translate\" needs \"sampling\": \"shuffled\"")
        })
        .or_else(|| self.input_problem("train_step", &self.train_step.inputs, self.batch))
        .or_else(|| self.input_problem("evaluate", &self.evaluate.inputs, self.evaluate.batch))
        .or_else(|| self.output_problem("train_step", &self.train_step.outputs, self.batch))
        .or_else(|| self.output_problem("evaluate", &self.evaluate.outputs, self.evaluate.batch))
        .or_else(|| {
            let Translation { batch, inputs, outputs, .. } = self.translate.as_ref()?;
            wrong(*batch == 0, "a batch must have at least 1 sentence")
                .or_else(|| self.input_problem("translate", inputs, *batch))
                .or_else(|| self.output_problem("translate", outputs, *batch))
        })
    }

    fn input_problem(&self, step: &str, inputs: &[Input], batch: usize) -> Option<String> {
        let windows = matches!(self.sampling, Sampling::Windows | Sampling::Streams);
        let triples = self.sampling == Sampling::Triples;
        let lengths: HashSet<_> = inputs
            .iter()
            .filter(|input| matches!(input.from, Origin::Window { .. }))
            .map(|input| input.shape.get(1))
            .collect();
        if windows && lengths.len() != 1 {
            return Some(format!("the windows of {step} must all have the same length"));
        }
        inputs.iter().find_map(|input| {
            let (name, shape) = (&input.name, &input.shape[..]);
            let problem = match &input.from {
                Origin::Word(Word::Rate | Word::Key) if step != "train_step" => {
                    "only a training step has a rate and a key"
                }
                Origin::Word(Word::Rate) if !shape.is_empty() || input.dtype != Dtype::F32 => {
                    "the rate must be a tensor<f32>"
                }
                Origin::Word(Word::Key) if shape != [2] || input.dtype != Dtype::U32 => {
                    "a key must be a tensor<2xui32>"
                }
                Origin::Column { .. } if windows => "sampling by windows has no columns",
                Origin::Column { .. } if triples => "sampling by triples has no columns",
                Origin::Triple { .. } | Origin::Edge { .. } | Origin::Ranked { .. } if !triples => {
                    "users, items and edges need the sampling \"triples\""
                }
                Origin::Triple { .. } if step == "evaluate" => "an evaluation has no triples: it ranks",
                Origin::Ranked { .. } if step != "evaluate" => "only an evaluation ranks",
                Origin::Triple { .. } | Origin::Ranked { .. } if shape != [batch] || input.dtype != Dtype::I32 => {
                    "users and items must be an i32 for each example"
                }
                Origin::Edge { edge } => {
                    let dtype = if *edge == EdgePart::Weight { Dtype::F32 } else { Dtype::I32 };
                    match self.graph {
                        Some(graph) if shape == [graph.edges] && input.dtype == dtype => return None,
                        _ => "edges must have i32 rows and columns, f32 weights, and the graph's number of edges",
                    }
                }
                Origin::Column { .. } if shape.first() != Some(&batch) => {
                    "its first dimension must be the number of examples"
                }
                Origin::Column { resized: true, .. } if shape.len() != 2 => {
                    "resized rows must have one dimension besides the examples"
                }
                Origin::Window { .. } if !windows => {
                    "windows need the sampling \"windows\" or \"streams\""
                }
                Origin::Window { .. } if shape.len() != 2 || shape[0] != batch || shape[1] == 0 => {
                    "a window must have two dimensions: examples and length"
                }
                Origin::Column { .. } | Origin::Window { .. }
                    if !matches!(input.dtype, Dtype::F32 | Dtype::I32) =>
                {
                    "data must be f32 or i32"
                }
                _ => return None,
            };
            Some(format!("input '{name}' of {step}: {problem}"))
        })
    }

    fn output_problem(&self, step: &str, outputs: &[Output], batch: usize) -> Option<String> {
        let mut seen = vec![];
        let parameters = self.parameters().count();
        for Output { name, shape, dtype } in outputs {
            let text = name.name();
            if seen.contains(name) {
                return Some(format!("duplicate output {text} of {step}"));
            }
            seen.push(*name);
            let fits = match name {
                Metric::Scores => {
                    let of = |graph: GraphSize| shape[..] == [batch, graph.items];
                    step == "evaluate" && self.graph.is_some_and(of) && *dtype == Dtype::F32
                }
                Metric::Words => {
                    step == "translate" && shape.len() == 2 && shape[0] == batch && *dtype == Dtype::I32
                }
                Metric::Loss => shape.first() == Some(&batch) && matches!(dtype, Dtype::F32 | Dtype::F64),
                Metric::Correct => shape.first() == Some(&batch) && *dtype == Dtype::I32,
                Metric::Counted => {
                    let alike = |output: &&Output| matches!(output.name, Metric::Loss | Metric::Correct);
                    outputs.iter().filter(alike).all(|output| output.shape == *shape) && *dtype == Dtype::I32
                }
                Metric::Updates | Metric::LostUpdates => shape[..] == [parameters] && *dtype == Dtype::I32,
            };
            if !fits {
                let needed = match name {
                    Metric::Loss => "an f32 or f64 for each example",
                    Metric::Correct => "an i32 for each example",
                    Metric::Counted => "an i32 for each value of loss and correct",
                    Metric::Updates | Metric::LostUpdates => "an i32 for each parameter",
                    Metric::Scores => "an f32 for each user and item, in evaluate",
                    Metric::Words => "an i32 for each position of each sentence, in translate",
                };
                return Some(format!(
                    "the output {text} of {step} must have {needed}, not {}",
                    type_text(shape, *dtype)
                ));
            }
        }
        let needed = match step {
            "translate" => Metric::Words,
            "evaluate" if self.graph.is_some() => Metric::Scores,
            _ => Metric::Loss,
        };
        (!seen.contains(&needed)).then(|| format!("missing output '{}' of {step}", needed.name()))
    }

    /// The trained tensors.
    pub fn parameters(&self) -> impl Iterator<Item = &StateTensor> {
        self.state.iter().filter(|tensor| tensor.role == Role::Parameter)
    }

    /// The rate after this many drops.
    pub(crate) fn phase_rate(&self, drops: usize) -> f64 {
        self.rate.drops[..drops].iter().fold(self.rate.initial, |rate, drop| rate * drop.factor)
    }

    pub(crate) fn carried(&self) -> impl Iterator<Item = &StateTensor> {
        self.state.iter().filter(|tensor| tensor.role == Role::Carried)
    }

    /// The first step after each drop, for a training of this length.
    pub(crate) fn drop_steps(&self, steps: u64, epochs: u64) -> Vec<u64> {
        let all = u128::from(epochs) * u128::from(steps);
        let step = |drop: &RateDrop| (u128::from(drop.epoch) * all).div_ceil(u128::from(self.epochs));
        self.rate.drops.iter().map(|drop| u64::try_from(step(drop)).unwrap_or(u64::MAX)).collect()
    }

    /// The rate of a step as a real number, and the number of drops so far. A training takes `steps` steps in an epoch and
    /// `epochs` epochs. If `epochs` differs from the manifest, drops move in proportion.
    pub(crate) fn rate(&self, step: u64, steps: u64, epochs: u64) -> (f64, usize) {
        let reached = |drop: &&RateDrop| {
            u128::from(step) * u128::from(self.epochs)
                >= u128::from(drop.epoch) * u128::from(epochs) * u128::from(steps)
        };
        let count = self.rate.drops.iter().take_while(reached).count();
        let (step, warm_up) = ((step + 1) as f64, self.rate.warm_up as f64);
        let factor = match self.rate.decay {
            _ if step < warm_up => step / warm_up,
            Some(Decay::InverseSqrt) => (warm_up / step).sqrt(),
            None => 1.0,
        };
        (self.phase_rate(count) * factor, count)
    }
}

#[cfg(test)]
mod tests {
    use crate::Model;

    #[test]
    fn rate_drops_in_proportion_and_warms_up() {
        let mut manifest = Model::load("mlp").unwrap().manifest;
        let rate = |manifest: &super::Manifest, step, epochs| manifest.rate(step, 50, epochs);
        // After 6 and 9 of 12 epochs.
        assert_eq!(rate(&manifest, 299, 12), (0.05, 0));
        assert_eq!(rate(&manifest, 300, 12), (0.05 * 0.1, 1));
        assert_eq!(rate(&manifest, 450, 12), (0.05 * 0.1 * 0.1, 2));
        // After 2 and 3 of 4 epochs, and after 1 and 1.5 of 2.
        assert_eq!([99, 100, 149, 150].map(|step| rate(&manifest, step, 4).1), [0, 1, 1, 2]);
        assert_eq!([49, 50, 74, 75].map(|step| rate(&manifest, step, 2).1), [0, 1, 1, 2]);
        for epochs in [1, 2, 4, 5, 12, 30] {
            for (drop, step) in manifest.drop_steps(50, epochs).into_iter().enumerate() {
                assert_eq!([step - 1, step].map(|step| rate(&manifest, step, epochs).1), [drop, drop + 1]);
            }
        }
        manifest.rate.warm_up = 4;
        assert_eq!([0, 1, 3, 4].map(|step| rate(&manifest, step, 12).0), [0.0125, 0.025, 0.05, 0.05]);
        assert_eq!(manifest.phase_rate(2), 0.05 * 0.1 * 0.1);
        manifest.rate.decay = Some(super::Decay::InverseSqrt);
        assert_eq!([0, 3, 15, 63].map(|step| rate(&manifest, step, 12).0), [0.0125, 0.05, 0.025, 0.0125]);
        assert_eq!(manifest.first_contradiction(), None);
        manifest.rate.warm_up = 0;
        assert!(manifest.first_contradiction().unwrap().contains("warm_up"));
    }
}
