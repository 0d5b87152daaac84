//! `model.json`: what a model's programs take and return, and how it is trained.

use std::collections::HashSet;

use serde::Deserialize;

/// A model's manifest.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The manifest's own version, 1.
    pub format: u32,
    /// The model's name.
    pub name: String,
    /// What it is, in a line.
    pub about: String,
    /// What is learned: `classification`, `language model`, …
    pub task: String,
    /// The data that it is trained on unless others are named.
    pub data: String,
    /// How batches are taken.
    pub sampling: Sampling,
    /// Examples of a training step.
    pub batch: usize,
    /// Epochs.
    pub epochs: u64,
    /// The learning rate.
    pub rate: Rate,
    /// What else was fixed when the programs were exported.
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
    /// With triples, the size of the graph.
    #[serde(default)]
    pub graph: Option<GraphSize>,
    /// Of models that translate, what writes sentences.
    #[serde(default)]
    pub translate: Option<Translation>,
}

/// How the examples of a batch are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// Examples in an order that each epoch shuffles.
    Shuffled,
    /// Windows of a text, one after the other, in an order that each epoch shuffles.
    Windows,
    /// A text cut into as many streams as the batch has examples, read side by side; carried state goes on from step to step
    /// and begins anew with each epoch.
    Streams,
    /// A user, an item that he or she chose, and one that he or she did not choose, drawn anew in each epoch.
    Triples,
}

/// The greatest graph that fits a model: users, items, and entries of its matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "the line above has them")]
pub struct GraphSize {
    pub users: usize,
    pub items: usize,
    pub edges: usize,
}

/// The learning rate: `initial` times the factors of all drops that have been reached, times (step + 1) / `warm_up` in the
/// first `warm_up` steps, and times what [`Decay`] says in those after them.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rate {
    /// At the beginning.
    pub initial: f64,
    /// Steps until it is reached.
    #[serde(default)]
    pub warm_up: u64,
    /// How it falls from one step to the next.
    #[serde(default)]
    pub decay: Option<Decay>,
    /// In ascending order.
    #[serde(default)]
    pub drops: Vec<RateDrop>,
}

/// How the rate falls after `warm_up` steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Decay {
    /// √(`warm_up` / (step + 1)), as Vaswani et al. (arXiv 1706.03762, equation 3) have it.
    InverseSqrt,
}

/// A change of the rate.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateDrop {
    /// After so many epochs.
    pub epoch: u64,
    /// What it is multiplied with.
    pub factor: f64,
}

/// A tensor of the state.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StateTensor {
    /// Its name.
    pub name: String,
    /// Its sizes.
    pub shape: Vec<usize>,
    /// The type of its elements.
    pub dtype: Dtype,
    /// What it is for.
    pub role: Role,
}

impl StateTensor {
    /// Bytes of its elements, which are of 8 at most.
    pub(crate) fn bytes(&self) -> usize {
        let width = match self.dtype {
            Dtype::Bf16 | Dtype::F16 => 2,
            Dtype::F32 | Dtype::I32 | Dtype::U32 => 4,
            _ => 8,
        };
        width * self.shape.iter().product::<usize>()
    }
}

/// What a tensor of the state is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// What is trained.
    Parameter,
    /// What training measures, such as the means of batch norm.
    Statistic,
    /// What only the optimizer needs.
    Optimizer,
    /// What a step leaves to the next one of the same text.
    Carried,
}

/// Types of elements.
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

/// The inputs after the state, and the results after the state.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// In order.
    pub inputs: Vec<Input>,
    /// In order.
    pub outputs: Vec<Output>,
}

/// As [`Step`], of another number of examples.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// Examples of an evaluation.
    pub batch: usize,
    /// In order.
    pub inputs: Vec<Input>,
    /// In order.
    pub outputs: Vec<Output>,
}

/// As [`Evaluation`]; its only output is of words.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Translation {
    /// Sentences that are written at once.
    pub batch: usize,
    /// The column of the data that what is written is compared with.
    pub reference: String,
    /// In order.
    pub inputs: Vec<Input>,
    /// In order.
    pub outputs: Vec<Output>,
}

/// An input of a step.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its sizes.
    pub shape: Vec<usize>,
    /// The type of its elements.
    pub dtype: Dtype,
    /// Where it comes from.
    pub from: Origin,
    /// Integers have to be below this: the number of classes, or of words.
    #[serde(default)]
    pub below: Option<usize>,
}

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case", untagged)]
pub enum Origin {
    /// A word: `rate` or `key`.
    Word(Word),
    /// A column of the data: value × scale + shift in binary64, rounded once; integers are taken as they are.
    Column {
        /// Its name.
        column: String,
        /// The factor.
        #[serde(default = "one")]
        scale: f64,
        /// What is added.
        #[serde(default)]
        shift: f64,
        /// Whether rows of another length than the input's are cut, or filled up with zeros.
        #[serde(default)]
        resized: bool,
    },
    /// Consecutive elements of a column.
    Window {
        /// Its name.
        window: String,
        /// How many elements after the window's beginning.
        #[serde(default)]
        offset: usize,
    },
    /// A part of triples.
    Triple {
        /// Which one.
        triple: TriplePart,
    },
    /// Users whose items are ranked.
    Ranked {
        /// Users.
        ranked: Ranked,
    },
    /// Entries of the graph's matrix.
    Edge {
        /// What of them.
        edge: EdgePart,
    },
}

/// A part of a triple.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "`Sampling::Triples` says it")]
pub enum TriplePart {
    User,
    Chosen,
    Other,
}

/// Who is ranked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ranked {
    /// Users with test items.
    User,
}

/// What there is of an entry of the graph's matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum EdgePart {
    Row,
    Column,
    Weight,
}

/// An input that is not data.
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

/// A result of a step that is not a state.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// What it is.
    pub name: Metric,
    /// Its sizes.
    pub shape: Vec<usize>,
    /// The type of its elements.
    pub dtype: Dtype,
}

/// What a step tells besides the new state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// The loss of each example, or of each token of each example.
    Loss,
    /// 1 for each of them whose prediction is right, 0 for the others.
    Correct,
    /// 1 for each of them that counts, 0 for padding; all do where a step does not tell.
    Counted,
    /// For each parameter, the elements that have a step other than 0.
    Updates,
    /// For each parameter, those of them that are what they were before.
    LostUpdates,
    /// For each user of an evaluation, a number for each item.
    Scores,
    /// The numbers of the words of each sentence that is written.
    Words,
}

impl Metric {
    /// As a manifest spells it.
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
    /// As a program spells it.
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
    /// What is wrong with it, if anything is.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let wrong = |condition: bool, text: &str| condition.then(|| text.to_owned());
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let mut names = HashSet::new();
        let twice = self.state.iter().find(|tensor| !names.insert(&tensor.name));
        let epochs: Vec<u64> = self.rate.drops.iter().map(|drop| drop.epoch).collect();
        let streams = self.sampling == Sampling::Streams;
        let carried = self.carried().next().is_some();
        None.or_else(|| {
            wrong(self.format != 1, "\"format\" is not 1, the only one that this version of binade reads")
        })
        .or_else(|| wrong(self.batch == 0 || self.evaluate.batch == 0, "a batch of 0 examples"))
        .or_else(|| wrong(self.epochs == 0, "\"epochs\" is 0"))
        .or_else(|| wrong(!positive(self.rate.initial), "the initial rate is not a positive number"))
        .or_else(|| {
            wrong(
                self.rate.decay.is_some() && self.rate.warm_up == 0,
                "a rate with \"decay\" needs \"warm_up\", which it falls after",
            )
        })
        .or_else(|| {
            wrong(
                self.rate.drops.iter().any(|drop| !positive(drop.factor)),
                "the factor of a drop of the rate is not a positive number",
            )
        })
        .or_else(|| {
            wrong(
                !epochs.is_sorted_by(|a, b| a < b) || epochs.first() == Some(&0),
                "the epochs of the rate's drops are not in ascending order, from 1",
            )
        })
        .or_else(|| twice.map(|tensor| format!("the state has '{}' twice", tensor.name)))
        .or_else(|| wrong(self.parameters().next().is_none(), "the state has no parameter"))
        .or_else(|| wrong(carried && !streams, "carried state is for \"sampling\": \"streams\" only"))
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
            wrong(self.graph.is_some_and(none), "the graph has no users or items, or too many of them")
        })
        .or_else(|| {
            let shuffled = self.sampling == Sampling::Shuffled;
            wrong(
                self.translate.is_some() && !shuffled,
                "\"translate\" is for \"sampling\": \"shuffled\" only",
            )
        })
        .or_else(|| self.inputs_wrong("train_step", &self.train_step.inputs, self.batch))
        .or_else(|| self.inputs_wrong("evaluate", &self.evaluate.inputs, self.evaluate.batch))
        .or_else(|| self.outputs_wrong("train_step", &self.train_step.outputs, self.batch))
        .or_else(|| self.outputs_wrong("evaluate", &self.evaluate.outputs, self.evaluate.batch))
        .or_else(|| {
            let Translation { batch, inputs, outputs, .. } = self.translate.as_ref()?;
            wrong(*batch == 0, "a batch of 0 sentences")
                .or_else(|| self.inputs_wrong("translate", inputs, *batch))
                .or_else(|| self.outputs_wrong("translate", outputs, *batch))
        })
    }

    fn inputs_wrong(&self, step: &str, inputs: &[Input], batch: usize) -> Option<String> {
        let windows = matches!(self.sampling, Sampling::Windows | Sampling::Streams);
        let triples = self.sampling == Sampling::Triples;
        let lengths: HashSet<_> = inputs
            .iter()
            .filter(|input| matches!(input.from, Origin::Window { .. }))
            .map(|input| input.shape.get(1))
            .collect();
        if windows && lengths.len() != 1 {
            return Some(format!("the windows of {step} are not all of one length"));
        }
        inputs.iter().find_map(|input| {
            let (name, shape) = (&input.name, &input.shape[..]);
            let problem = match &input.from {
                Origin::Word(Word::Rate | Word::Key) if step != "train_step" => {
                    "only a training step has a rate and a key"
                }
                Origin::Word(Word::Rate) if !shape.is_empty() || input.dtype != Dtype::F32 => {
                    "the rate is a tensor<f32>"
                }
                Origin::Word(Word::Key) if shape != [2] || input.dtype != Dtype::U32 => {
                    "a key is a tensor<2xui32>"
                }
                Origin::Column { .. } if windows => "windows of a text have no columns",
                Origin::Column { .. } if triples => "triples have no columns",
                Origin::Triple { .. } | Origin::Edge { .. } | Origin::Ranked { .. } if !triples => {
                    "users, items and edges are for the sampling \"triples\" only"
                }
                Origin::Triple { .. } if step == "evaluate" => "an evaluation ranks, and has no triples",
                Origin::Ranked { .. } if step != "evaluate" => "only an evaluation ranks",
                Origin::Triple { .. } | Origin::Ranked { .. } if shape != [batch] || input.dtype != Dtype::I32 => {
                    "users and items are an i32 for each example"
                }
                Origin::Edge { edge } => {
                    let dtype = if *edge == EdgePart::Weight { Dtype::F32 } else { Dtype::I32 };
                    match self.graph {
                        Some(graph) if shape == [graph.edges] && input.dtype == dtype => return None,
                        _ => "an edge's row and column are i32, its weight is f32; there are as many as the graph has",
                    }
                }
                Origin::Column { .. } if shape.first() != Some(&batch) => {
                    "its first size is not the number of examples"
                }
                Origin::Column { resized: true, .. } if shape.len() != 2 => {
                    "rows that are resized have one size besides the number of examples"
                }
                Origin::Window { .. } if !windows => {
                    "windows are for the samplings \"windows\" and \"streams\""
                }
                Origin::Window { .. } if shape.len() != 2 || shape[0] != batch || shape[1] == 0 => {
                    "a window's shape is the number of examples and its length"
                }
                Origin::Column { .. } | Origin::Window { .. }
                    if !matches!(input.dtype, Dtype::F32 | Dtype::I32) =>
                {
                    "data are f32 or i32"
                }
                _ => return None,
            };
            Some(format!("input '{name}' of {step}: {problem}"))
        })
    }

    fn outputs_wrong(&self, step: &str, outputs: &[Output], batch: usize) -> Option<String> {
        let mut seen = vec![];
        let parameters = self.parameters().count();
        for Output { name, shape, dtype } in outputs {
            let text = name.name();
            if seen.contains(name) {
                return Some(format!("{step} has the output {text} twice"));
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
                return Some(format!(
                    "the output {text} of {step} is {}: loss has an f32 or f64 and correct an i32 for each \
                     example, counted an i32 for each of their numbers, updates and lost_updates an i32 for each parameter, the scores of an evaluation an f32 for \
                     each user and item, the words of a translation an i32 for each place of each sentence",
                    type_text(shape, *dtype)
                ));
            }
        }
        let needed = match step {
            "translate" => Metric::Words,
            "evaluate" if self.graph.is_some() => Metric::Scores,
            _ => Metric::Loss,
        };
        (!seen.contains(&needed)).then(|| format!("{step} has no output '{}'", needed.name()))
    }

    /// The tensors that are trained.
    pub fn parameters(&self) -> impl Iterator<Item = &StateTensor> {
        self.state.iter().filter(|tensor| tensor.role == Role::Parameter)
    }

    /// The rate after so many drops.
    pub(crate) fn phase_rate(&self, drops: usize) -> f64 {
        self.rate.drops[..drops].iter().fold(self.rate.initial, |rate, drop| rate * drop.factor)
    }

    pub(crate) fn carried(&self) -> impl Iterator<Item = &StateTensor> {
        self.state.iter().filter(|tensor| tensor.role == Role::Carried)
    }

    /// The first step after each drop, in a training as [`Self::rate`] has it.
    pub(crate) fn drop_steps(&self, steps: u64, epochs: u64) -> Vec<u64> {
        let all = u128::from(epochs) * u128::from(steps);
        let step = |drop: &RateDrop| (u128::from(drop.epoch) * all).div_ceil(u128::from(self.epochs));
        self.rate.drops.iter().map(|drop| u64::try_from(step(drop)).unwrap_or(u64::MAX)).collect()
    }

    /// The rate of a step as a real number, and how many drops have been reached, in a training that takes `steps` steps
    /// an epoch and `epochs` epochs. Where that is another number than the manifest's, drops move in proportion.
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
    fn the_rate_drops_in_proportion_and_warms_up() {
        let mut manifest = Model::load("mlp").unwrap().manifest;
        let rate = |manifest: &super::Manifest, step, epochs| manifest.rate(step, 50, epochs);
        // After 6 and 9 of 12 epochs.
        assert_eq!(rate(&manifest, 299, 12), (0.05, 0));
        assert_eq!(rate(&manifest, 300, 12), (0.05 * 0.1, 1));
        assert_eq!(rate(&manifest, 450, 12), (0.05 * 0.1 * 0.1, 2));
        // After 2 and 3 of 4; after 1 and 1.5 of 2.
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
        assert_eq!(manifest.contradiction(), None);
        manifest.rate.warm_up = 0;
        assert!(manifest.contradiction().unwrap().contains("warm_up"));
    }
}
