//! Batches: selects the examples of each step and converts them to the inputs of a program.
//!
//! An epoch has a whole number of batches. The samplings differ as follows:
//! - `shuffled`: step j of an epoch has the examples j·B … j·B + B − 1 of [`binade_data::permutation`]`(examples, seed,
//!   epoch)`.
//! - `windows`: a text of n elements has ⌊(n − o) / T⌋ windows of T elements, where o is the largest offset of an input.
//!   Window i begins at i·T. Windows are shuffled like examples.
//! - `streams`: stream b of B begins at b·⌊n / B⌋, and its step j at j·T after that. Nothing is shuffled.
//! - `triples`: an epoch of n training pairs has ⌊n / B⌋ steps. Example i of an epoch is [`binade_data::Choices::triple`] i
//!   of seed and epoch. An evaluation visits the users with a test item.
//!
//! An evaluation visits examples or windows in order. The last batch is padded with copies of its last example, which do not
//! count.

use std::ops::Range;

use binade_data::{Column, Dataset, Split, Values, permutation};
use binade_hlo::{Data, Tensor, Value};

use crate::graph::Graph;
use crate::manifest::{Dtype, Input, Manifest, Origin, Sampling, Translation, Word};
use crate::tensors::types;
use crate::{Ranking, TrainError};

/// The batches of a split.
#[derive(Debug)]
pub struct Batches<'a> {
    split: &'a Split,
    inputs: &'a [Input],
    sampling: Sampling,
    batch: usize,
    /// Length of a window.
    length: usize,
    /// Elements of a stream.
    stream: usize,
    /// Number of examples or windows; for streams, of steps; for triples, of training pairs, or of users in an evaluation.
    units: usize,
    graph: Option<Graph>,
}

/// Sentences for a model to translate.
pub(crate) struct Sentences<'a> {
    pub(crate) batches: Batches<'a>,
    /// The reference translation of each sentence.
    pub(crate) references: Vec<&'a [i32]>,
}

impl<'a> Batches<'a> {
    /// Batches for training.
    ///
    /// # Errors
    /// The data do not fit the inputs, or have fewer examples than a batch.
    pub fn of_training(manifest: &'a Manifest, data: &'a Dataset) -> Result<Batches<'a>, TrainError> {
        let inputs = &manifest.train_step.inputs;
        let batches = Batches::new(manifest, data, &data.train, inputs, manifest.batch)?;
        if batches.steps() == 0 {
            let reason = format!("{} examples are fewer than a batch of {}", batches.units, manifest.batch);
            return Err(unfit(manifest, data, reason));
        }
        Ok(batches)
    }

    /// Batches for evaluation.
    ///
    /// # Errors
    /// The data do not fit the inputs, or are empty.
    pub fn of_evaluation(manifest: &'a Manifest, data: &'a Dataset) -> Result<Batches<'a>, TrainError> {
        let evaluate = &manifest.evaluate;
        let batches = Batches::new(manifest, data, &data.test, &evaluate.inputs, evaluate.batch)?;
        if batches.units == 0 {
            return Err(unfit(manifest, data, "the test split has no example".to_owned()));
        }
        Ok(batches)
    }

    /// Batches for translation, if the model translates.
    ///
    /// # Errors
    /// The data do not fit the inputs, or have no references.
    pub(crate) fn of_translation(
        manifest: &'a Manifest,
        data: &'a Dataset,
    ) -> Result<Option<Sentences<'a>>, TrainError> {
        let Some(Translation { batch, reference, inputs, .. }) = &manifest.translate else { return Ok(None) };
        let batches = Batches::new(manifest, data, &data.test, inputs, *batch)?;
        let column = data.test.column(reference);
        let words = column.and_then(|column| match (&column.values, &column.shape[..]) {
            (Values::I32(words), [width]) if *width > 0 => Some(words.chunks_exact(*width).collect()),
            _ => None,
        });
        match words {
            Some(references) => Ok(Some(Sentences { batches, references })),
            None => {
                let reason = format!("a column '{reference}' of word numbers is needed as reference");
                Err(unfit(manifest, data, reason))
            }
        }
    }

    fn new(
        manifest: &'a Manifest,
        data: &Dataset,
        split: &'a Split,
        inputs: &'a [Input],
        batch: usize,
    ) -> Result<Batches<'a>, TrainError> {
        for input in inputs {
            check_fits(split, data, input).map_err(|reason| unfit(manifest, data, reason))?;
        }
        let windows = inputs.iter().filter_map(|input| match input.from {
            Origin::Window { offset, .. } => Some((input.shape[1], offset)),
            _ => None,
        });
        let (length, span) =
            windows.fold((0, 0), |(_, span): (usize, usize), (length, offset)| (length, span.max(offset)));
        let graph = match &manifest.graph {
            Some(size) => Some(Graph::new(size, data)?.map_err(|reason| unfit(manifest, data, reason))?),
            None => None,
        };
        let ranks = |input: &Input| matches!(input.from, Origin::Ranked { .. });
        let stream = split.len() / batch;
        let units = match manifest.sampling {
            Sampling::Shuffled => split.len(),
            Sampling::Windows => split.len().saturating_sub(span) / length,
            Sampling::Streams => stream.saturating_sub(span) / length,
            Sampling::Triples if inputs.iter().any(ranks) => {
                graph.as_ref().map_or(0, |graph| graph.ranked().len())
            }
            Sampling::Triples => split.len(),
        };
        Ok(Batches { split, inputs, sampling: manifest.sampling, batch, length, stream, units, graph })
    }

    /// Number of whole batches.
    pub fn steps(&self) -> usize {
        match self.sampling {
            Sampling::Shuffled | Sampling::Windows | Sampling::Triples => self.units / self.batch,
            Sampling::Streams => self.units,
        }
    }

    /// The order in which an epoch, from 0, visits examples or windows. For triples, the users and items of each triple in
    /// turn.
    pub fn order(&self, seed: u64, epoch: u64) -> Vec<u32> {
        match self.sampling {
            Sampling::Shuffled | Sampling::Windows => permutation(self.units, seed, epoch),
            Sampling::Streams => vec![],
            Sampling::Triples => self.graph().triples(self.units / self.batch * self.batch, seed, epoch),
        }
    }

    /// The inputs of a training step, from the epoch's order, the learning rate and the random key.
    ///
    /// # Panics
    /// If the epoch has no such step, or the order is not from [`Batches::order`].
    pub fn training(&self, order: &[u32], step: usize, rate: f32, key: [u32; 2]) -> Vec<Value> {
        let first = step * self.batch;
        let examples: Vec<usize> = match self.sampling {
            Sampling::Streams => vec![step],
            Sampling::Triples => {
                let triples = &order[3 * first..3 * (first + self.batch)];
                return self
                    .inputs
                    .iter()
                    .map(|input| self.of_graph(input, triples, &[], rate, key))
                    .collect();
            }
            _ => order[first..first + self.batch].iter().map(|at| *at as usize).collect(),
        };
        self.values(&examples, rate, key)
    }

    /// The batches of an evaluation, each with its number of examples that count.
    pub fn evaluations(&self) -> impl Iterator<Item = (usize, Range<usize>)> + use<> {
        let (units, batch) = (self.units, self.batch);
        let step = if self.sampling == Sampling::Streams { 1 } else { batch };
        (0..units).step_by(step).map(move |first| {
            let end = units.min(first + step);
            (if step == 1 { batch } else { end - first }, first..end)
        })
    }

    /// The inputs of an evaluation.
    pub fn evaluation(&self, range: Range<usize>) -> Vec<Value> {
        let last = range.end - 1;
        if self.sampling == Sampling::Triples {
            let users: Vec<u32> = self.users(range.start..range.start + self.batch);
            return self.inputs.iter().map(|input| self.of_graph(input, &[], &users, 0.0, [0; 2])).collect();
        }
        let examples: Vec<usize> = match self.sampling {
            Sampling::Streams => range.collect(),
            _ => (range.start..range.start + self.batch).map(|at| at.min(last)).collect(),
        };
        self.values(&examples, 0.0, [0; 2])
    }

    fn graph(&self) -> &Graph {
        self.graph.as_ref().expect("triples have a graph")
    }

    /// The users of a range of an evaluation. Positions beyond the end repeat the last user.
    fn users(&self, range: Range<usize>) -> Vec<u32> {
        let ranked = self.graph().ranked();
        range.map(|at| ranked[at.min(ranked.len() - 1)]).collect()
    }

    /// Sums of the ranking metrics over the users of a range.
    pub(crate) fn rank(&self, range: Range<usize>, scores: &[f64]) -> Ranking {
        self.graph().rank(&self.users(range), scores)
    }

    /// An input of a model with a graph.
    fn of_graph(&self, input: &Input, triples: &[u32], users: &[u32], rate: f32, key: [u32; 2]) -> Value {
        let data = match &input.from {
            Origin::Edge { edge } => return self.graph().edge(*edge),
            Origin::Triple { triple } => {
                Data::I32(triples.chunks_exact(3).map(|numbers| Graph::part(numbers, *triple)).collect())
            }
            Origin::Ranked { .. } => Data::I32(users.iter().map(|user| *user as i32).collect()),
            Origin::Word(Word::Key) => Data::U32(key.to_vec()),
            _ => Data::F32(vec![rate]),
        };
        Value::Tensor(Tensor::new(types(input.dtype).0, input.shape.clone(), data))
    }

    /// The inputs for examples or windows; for streams, for the step.
    fn values(&self, examples: &[usize], rate: f32, key: [u32; 2]) -> Vec<Value> {
        let value = |input: &Input| {
            let data = match &input.from {
                Origin::Word(Word::Rate) => Data::F32(vec![rate]),
                Origin::Word(Word::Key) => Data::U32(key.to_vec()),
                Origin::Triple { .. } | Origin::Edge { .. } | Origin::Ranked { .. } => {
                    unreachable!("the manifest has them with triples only")
                }
                Origin::Column { column, scale, shift, resized } => {
                    let column = self.column(column);
                    let stride = column.stride().unwrap_or(1);
                    let length = if *resized { stride.min(input.shape[1]) } else { stride };
                    let ranges = examples.iter().map(|at| at * stride..at * stride + length);
                    let data = gather(&column.values, ranges, input.dtype, *scale, *shift);
                    if *resized { resize_rows(data, length, input.shape[1]) } else { data }
                }
                Origin::Window { window, offset } => {
                    let start = |first: usize| first + offset..first + offset + self.length;
                    let values = &self.column(window).values;
                    match self.sampling {
                        Sampling::Streams => {
                            let step = examples[0] * self.length;
                            let ranges = (0..self.batch).map(|b| start(b * self.stream + step));
                            gather(values, ranges, input.dtype, 1.0, 0.0)
                        }
                        _ => {
                            let ranges = examples.iter().map(|at| start(at * self.length));
                            gather(values, ranges, input.dtype, 1.0, 0.0)
                        }
                    }
                }
            };
            Value::Tensor(Tensor::new(types(input.dtype).0, input.shape.clone(), data))
        };
        self.inputs.iter().map(value).collect()
    }

    fn column(&self, name: &str) -> &'a Column {
        self.split.column(name).expect("`new` has found every column")
    }
}

fn unfit(manifest: &Manifest, data: &Dataset, reason: String) -> TrainError {
    TrainError::DataMismatch { data: data.name.clone(), model: manifest.name.clone(), reason }
}

/// Checks that a split has the column of an input; the error gives the reason.
fn check_fits(split: &Split, data: &Dataset, input: &Input) -> Result<(), String> {
    let (name, shape) = match &input.from {
        Origin::Word(_) | Origin::Triple { .. } | Origin::Edge { .. } | Origin::Ranked { .. } => {
            return Ok(());
        }
        Origin::Column { column, .. } => (column, &input.shape[1..]),
        Origin::Window { window, .. } => (window, &[][..]),
    };
    let Some(column) = split.column(name) else {
        let names: Vec<&str> = split.columns().iter().map(|column| &column.name[..]).collect();
        return Err(format!(
            "input '{}' needs the column '{name}'; the data have {}",
            input.name,
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        ));
    };
    let resized = matches!(input.from, Origin::Column { resized: true, .. })
        && matches!(column.shape[..], [width] if width > 0);
    if column.shape != shape && !resized {
        return Err(format!(
            "input '{}' needs examples of shape {shape:?}, but the column '{name}' has {:?}",
            input.name, column.shape
        ));
    }
    if input.dtype == Dtype::I32 && matches!(column.values, Values::F32(_)) {
        return Err(format!("input '{}' needs integers, but the column '{name}' has floats", input.name));
    }
    let Some(most) = input.below else { return Ok(()) };
    match data.bound(name) {
        Some(found) if found > most => Err(format!(
            "input '{}' needs numbers below {most}, but the column '{name}' has numbers up to {}",
            input.name,
            found - 1
        )),
        _ => Ok(()),
    }
}

/// Resizes rows of `length` numbers: cuts them, or pads them with zeros.
fn resize_rows(data: Data, length: usize, to: usize) -> Data {
    fn rows<T: Copy + Default>(numbers: &[T], length: usize, to: usize) -> Vec<T> {
        let rows = numbers.chunks_exact(length.max(1));
        rows.flat_map(|row| row.iter().copied().chain(std::iter::repeat_n(T::default(), to - length)))
            .collect()
    }
    match data {
        data if length == to => data,
        Data::I32(numbers) => Data::I32(rows(&numbers, length, to)),
        Data::F32(numbers) => Data::F32(rows(&numbers, length, to)),
        data => unreachable!("data are gathered as f32 or i32, not {data:?}"),
    }
}

/// The numbers of several ranges, concatenated.
fn gather(
    values: &Values,
    ranges: impl Iterator<Item = Range<usize>>,
    dtype: Dtype,
    scale: f64,
    shift: f64,
) -> Data {
    fn each<T: Copy, U>(x: &[T], ranges: impl Iterator<Item = Range<usize>>, f: impl Fn(T) -> U) -> Vec<U> {
        ranges.flat_map(|range| &x[range]).map(|x| f(*x)).collect()
    }
    let real = |x: f64| (x * scale + shift) as f32;
    match (values, dtype) {
        (Values::U8(x), Dtype::I32) => Data::I32(each(x, ranges, i32::from)),
        (Values::I32(x), Dtype::I32) => Data::I32(each(x, ranges, |x| x)),
        (Values::U8(x), _) => {
            let table: Vec<f32> = (0..=255).map(|x: u8| real(f64::from(x))).collect();
            Data::F32(each(x, ranges, |x| table[usize::from(x)]))
        }
        (Values::I32(x), _) => Data::F32(each(x, ranges, |x| real(f64::from(x)))),
        (Values::F32(x), _) => Data::F32(each(x, ranges, |x| real(f64::from(x)))),
    }
}

#[cfg(test)]
mod tests {
    use binade_data::Task;

    use super::*;

    /// A minimal manifest for batches.
    fn manifest(sampling: &str, inputs: &str) -> Manifest {
        let step = |batch: usize| inputs.replace("BATCH", &batch.to_string());
        let text = format!(
            r#"{{"format": 1, "name": "m", "about": "", "task": "", "data": "", "sampling": "{sampling}", "batch": 2,
               "epochs": 1, "rate": {{"initial": 1}}, "state": [{{"name": "w", "shape": [], "dtype": "f32",
               "role": "parameter"}}], "train_step": {{"inputs": [{}], "outputs": []}},
               "evaluate": {{"batch": {n}, "inputs": [{}], "outputs": []}}}}"#,
            step(2),
            step(if sampling == "streams" { 2 } else { 3 }),
            n = if sampling == "streams" { 2 } else { 3 },
        );
        serde_json::from_str(&text).unwrap()
    }

    fn data(columns: Vec<Column>) -> Dataset {
        let split = || Split::new(columns.clone()).unwrap();
        Dataset {
            name: "d".to_owned(),
            about: String::new(),
            licence: String::new(),
            synthetic: true,
            task: Task::Classification,
            train: split(),
            validation: None,
            test: split(),
            classes: Some(10),
            vocabulary: None,
            target_vocabulary: None,
        }
    }

    fn numbers(values: &[Value]) -> Vec<Vec<f64>> {
        let of = |value: &Value| match value {
            Value::Tensor(tensor) => match &*tensor.data {
                Data::F32(x) => x.iter().map(|x| f64::from(*x)).collect(),
                Data::I32(x) => x.iter().map(|x| f64::from(*x)).collect(),
                Data::U32(x) => x.iter().map(|x| f64::from(*x)).collect(),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        };
        values.iter().map(of).collect()
    }

    const EXAMPLES: &str = r#"{"name": "x", "shape": [BATCH, 2], "dtype": "f32",
        "from": {"column": "image", "scale": 0.5, "shift": 1}},
        {"name": "y", "shape": [BATCH], "dtype": "i32", "from": {"column": "label"}, "below": 10}"#;

    fn images() -> Dataset {
        let pixels: Vec<u8> = (0..14).collect();
        data(vec![Column::new("image", [2], pixels), Column::new("label", [], (0..7).collect::<Vec<i32>>())])
    }

    #[test]
    fn shuffled_batches_follow_the_permutation() {
        let (manifest, data) = (manifest("shuffled", EXAMPLES), images());
        let batches = Batches::of_training(&manifest, &data).unwrap();
        assert_eq!(batches.steps(), 3);
        let order = batches.order(5, 4);
        assert_eq!(order, permutation(7, 5, 4));
        for step in 0..3 {
            let labels: Vec<f64> = order[2 * step..2 * step + 2].iter().map(|at| f64::from(*at)).collect();
            let pixels =
                labels.iter().flat_map(|at| [0.5 * (2.0 * at) + 1.0, 0.5 * (2.0 * at + 1.0) + 1.0]).collect();
            assert_eq!(numbers(&batches.training(&order, step, 0.0, [0; 2])), [pixels, labels]);
        }
    }

    /// Every test example counts once, for any batch size.
    #[test]
    fn last_evaluation_is_padded() {
        let (manifest, data) = (manifest("shuffled", EXAMPLES), images());
        let tests = Batches::of_evaluation(&manifest, &data).unwrap();
        let all: Vec<_> = tests
            .evaluations()
            .map(|(count, range)| (count, numbers(&tests.evaluation(range))[1].clone()))
            .collect();
        let expected = [(3, [0.0, 1.0, 2.0]), (3, [3.0, 4.0, 5.0]), (1, [6.0, 6.0, 6.0])];
        assert_eq!(all, expected.map(|(count, labels)| (count, labels.to_vec())));
    }

    #[test]
    fn resized_rows_are_cut_or_padded() {
        let inputs = r#"{"name": "x", "shape": [BATCH, 2], "dtype": "i32", "from": {"column": "word", "resized": true}},
            {"name": "y", "shape": [BATCH, 5], "dtype": "i32", "from": {"column": "word", "resized": true}}"#;
        let (manifest, rows) = (manifest("shuffled", inputs), |width| {
            data(vec![Column::new("word", [width], (1..=4 * width as i32).collect::<Vec<i32>>())])
        });
        let words = rows(3);
        let batches = Batches::of_training(&manifest, &words).unwrap();
        let got = numbers(&batches.training(&[2, 0, 1, 3], 0, 0.0, [0; 2]));
        assert_eq!(got[0], [7.0, 8.0, 1.0, 2.0]);
        assert_eq!(got[1], [7.0, 8.0, 9.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 0.0]);
        let empty = data(vec![Column::new("word", [0], Vec::<i32>::new())]);
        assert!(Batches::of_training(&manifest, &empty).is_err());
    }

    const WINDOWS: &str = r#"{"name": "x", "shape": [BATCH, 3], "dtype": "i32", "from": {"window": "token"}},
        {"name": "y", "shape": [BATCH, 3], "dtype": "i32", "from": {"window": "token", "offset": 1}}"#;

    fn text(count: i32) -> Dataset {
        data(vec![Column::new("token", [], (0..count).collect::<Vec<i32>>())])
    }

    #[test]
    fn windows_are_slices_of_a_text() {
        let (manifest, data) = (manifest("windows", WINDOWS), text(21));
        let batches = Batches::of_training(&manifest, &data).unwrap();
        // The window at 18 has no successor of its last token.
        assert_eq!((batches.steps(), batches.order(0, 0).len()), (3, 6));
        let window = |first: f64| [first, first + 1.0, first + 2.0];
        let got = numbers(&batches.training(&[5, 0, 3, 1, 2, 4], 1, 0.0, [0; 2]));
        assert_eq!(got[0], [window(9.0), window(3.0)].concat());
        assert_eq!(got[1], [window(10.0), window(4.0)].concat());
    }

    #[test]
    fn streams_are_read_in_parallel() {
        let (manifest, data) = (manifest("streams", WINDOWS), text(21));
        let batches = Batches::of_training(&manifest, &data).unwrap();
        // Ten tokens each, of which nine have a successor.
        assert_eq!((batches.steps(), batches.order(0, 0)), (3, vec![]));
        let got = numbers(&batches.training(&[], 2, 0.0, [0; 2]));
        assert_eq!(got[0], [6.0, 7.0, 8.0, 16.0, 17.0, 18.0]);
        assert_eq!(got[1], [7.0, 8.0, 9.0, 17.0, 18.0, 19.0]);
        let tests: Vec<_> = Batches::of_evaluation(&manifest, &data).unwrap().evaluations().collect();
        assert_eq!(tests, [(2, 0..1), (2, 1..2), (2, 2..3)]);
    }

    #[test]
    fn unfit_data_are_refused() {
        let reason = |sampling: &str, inputs: &str, data: Dataset| {
            Batches::of_training(&manifest(sampling, inputs), &data).unwrap_err().to_string()
        };
        assert_eq!(
            reason("shuffled", EXAMPLES, text(9)),
            "the data d do not fit the model m: input 'x' needs the column 'image'; the data have token"
        );
        let large =
            || data(vec![Column::new("image", [3], vec![0_u8; 9]), Column::new("label", [], vec![0_i32; 3])]);
        assert!(
            reason("shuffled", EXAMPLES, large())
                .contains("needs examples of shape [2], but the column 'image' has [3]")
        );
        assert!(reason("windows", WINDOWS, text(4)).contains("1 examples are fewer than a batch of 2"));
        let many = Dataset { classes: Some(11), ..images() };
        assert!(
            reason("shuffled", EXAMPLES, many)
                .contains("numbers below 10, but the column 'label' has numbers up to 10")
        );
    }
}
