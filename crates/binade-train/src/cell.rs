//! Trains one cell: an arithmetic and a seed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use binade::recipe::BiasHistory;
use binade_hlo::eval::rules::{NotFinite, NotFiniteCount, OperandBias, OperandBiases, Rules};
use binade_hlo::eval::{Executable, Options, Pool};
use binade_hlo::{Data, ElementType, Program, Tensor, Value};
use sha2::{Digest, Sha256};

use crate::batch::{Batches, Sentences};
use crate::bleu::Bleu;
use crate::checkpoint::{self, Part, Progress};
use crate::experiment::{Cell, Experiment, Observer};
use crate::exponents::{Exponents, Histogram};
use crate::manifest::{Metric, Output, Role};
use crate::model::hex;
use crate::record::{BiasStep, CellResult, Epoch, NotFiniteStep, State, Step, Tested, Updates, share};
use crate::stored::{StoredBias, StoredTensors};
use crate::swamping::SwampingProbe;
use crate::tensors::{floats, numbers, to_bytes};
use crate::{Ranking, TrainError, key, parts};

/// Returns true if training must stop. It is called before each step.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Trains a cell until it ends or must stop.
pub(crate) fn run(
    experiment: &Experiment,
    cell: &Cell,
    threads: usize,
    observer: &dyn Observer,
    stop: Stop<'_>,
) -> Result<CellResult, TrainError> {
    Training::new(experiment, cell, threads, observer)?.resumed()?.run(stop)
}

/// The first step whose results have an infinite number or a NaN.
pub(crate) struct BadStep {
    /// Its number.
    pub(crate) step: u64,
    /// Inputs of the step.
    pub(crate) inputs: Vec<Value>,
    /// Inputs of the step before, if there is one.
    pub(crate) before: Option<Vec<Value>>,
}

/// Retrains a cell from the start until it diverges, and returns its first bad step. `None` if training was stopped.
///
/// # Errors
/// A program fails, or the bits differ from `result`.
pub(crate) fn replay_to_divergence(
    experiment: &Experiment,
    result: &CellResult,
    threads: usize,
    stop: Stop<'_>,
) -> Result<Option<BadStep>, TrainError> {
    let cell = &experiment.cells[result.cell];
    let mut training = Training::new(experiment, cell, threads, &())?;
    let (mut order, mut found, mut before) = (None, None, None);
    while training.progress.state == State::Running && training.progress.step < result.steps {
        if stop() {
            return Ok(None);
        }
        let step = training.progress.step;
        let (epoch, within) = training.begin(&mut order);
        let inputs = training.inputs(order.as_deref().unwrap_or_default(), within);
        training.step(inputs.clone(), epoch)?;
        if found.is_none() {
            let carried = training.state.iter().all(all_finite);
            if !carried || training.progress.state == State::Diverged {
                found = Some(BadStep { step, inputs, before: before.take() });
            } else {
                before = Some(inputs);
            }
        }
    }
    let same = training.progress.diverged_at == result.diverged_at
        && training.weights_sha256() == result.weights_sha256;
    match found {
        Some(found) if same => Ok(Some(found)),
        _ => Err(TrainError::OtherBits {
            cell: format!("{} seed {}", cell.arithmetic.short_name(), cell.seed),
            what: "training it again",
        }),
    }
}

/// Inputs of the first step of a cell.
pub(crate) fn first_inputs(experiment: &Experiment, cell: &Cell) -> Result<Vec<Value>, TrainError> {
    let mut training = Training::new(experiment, cell, 1, &())?;
    let mut order = None;
    let (_, within) = training.begin(&mut order);
    Ok(training.inputs(order.as_deref().unwrap_or_default(), within))
}

struct Training<'a> {
    experiment: &'a Experiment,
    cell: &'a Cell,
    observer: &'a dyn Observer,
    train_step: Executable<'a>,
    evaluate: Executable<'a>,
    /// Present if the model translates.
    translate: Option<Executable<'a>>,
    /// Threads for all programs.
    pool: Pool,
    batches: Batches<'a>,
    tests: Batches<'a>,
    sentences: Option<Sentences<'a>>,
    look: Option<(usize, SwampingProbe)>,
    threads: usize,
    /// Present if a recipe stores tensors in formats of their own.
    stored: Option<StoredTensors>,
    /// NaNs and infinities in quantised operands of the training step.
    not_finite: NotFinite,
    /// Learnt biases of operands in the training step that have a history.
    operand_biases: OperandBiases,
    /// Carried state as `init` returned it.
    initial_carried: Vec<(usize, Value)>,
    state: Vec<Value>,
    progress: Progress,
    checkpoint: Option<PathBuf>,
    fingerprint: String,
}

/// The values of a metric.
fn metric(outputs: &[Output], results: &[Value], name: Metric) -> Option<Vec<f64>> {
    let at = outputs.iter().position(|output| output.name == name)?;
    Some(numbers(tensor(&results[at])))
}

fn tensor(value: &Value) -> &Tensor {
    match value {
        Value::Tensor(tensor) => tensor,
        _ => unreachable!("the manifest has tensors only, and the programs have what it has"),
    }
}

/// Returns true if a value of the state has no infinite number and no NaN.
fn all_finite(value: &Value) -> bool {
    floats(tensor(value)).is_none_or(|numbers| numbers.iter().all(|x| x.is_finite()))
}

/// Adds NaNs and infinities to those of the same part and operand, or lists them.
fn add_not_finite(all: &mut Vec<NotFiniteStep>, found: NotFiniteStep) {
    match all.iter_mut().find(|known| (&known.part, &known.operand) == (&found.part, &found.operand)) {
        Some(known) => {
            known.nans += found.nans;
            known.infinities += found.infinities;
        }
        None => all.push(found),
    }
}

/// The number, or `None` if JSON cannot represent it.
fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

/// Metrics over the examples of a step that count.
struct ExampleMetrics {
    /// Sum of their losses, in order.
    loss: f64,
    losses: usize,
    /// Number of right predictions, and of predictions.
    correct: Option<(u64, u64)>,
}

impl ExampleMetrics {
    fn new(metric: impl Fn(Metric) -> Option<Vec<f64>>) -> ExampleMetrics {
        let counted = metric(Metric::Counted);
        let chosen = |name| {
            let mut numbers = metric(name)?;
            if let Some(counted) = &counted {
                let mut counted = counted.iter();
                numbers.retain(|_| counted.next() == Some(&1.0));
            }
            Some(numbers)
        };
        let losses = chosen(Metric::Loss).unwrap_or_default();
        let right = |correct: Vec<f64>| (correct.iter().sum::<f64>() as u64, correct.len() as u64);
        ExampleMetrics {
            loss: losses.iter().sum(),
            losses: losses.len(),
            correct: chosen(Metric::Correct).map(right),
        }
    }
}

impl<'a> Training<'a> {
    fn new(
        experiment: &'a Experiment,
        cell: &'a Cell,
        threads: usize,
        observer: &'a dyn Observer,
    ) -> Result<Training<'a>, TrainError> {
        let (model, data) = (&experiment.model, &experiment.data);
        // Cells train in parallel, each with its own threads.
        let pool = Pool::new(threads).map_err(|source| experiment.failed("init", 0, cell, source))?;
        let executable = |program: &'a Program, rules: Rules, name| {
            let options = Options { rules, pool: Some(pool.clone()), ..Options::default() };
            Executable::new(program, options).map_err(|source| experiment.failed(name, 0, cell, source))
        };
        // All arithmetics begin with the same weights.
        let init = executable(&model.init, Rules::default(), "init")?;
        let element = ElementType::Integer { signed: false, width: 32 };
        let words = Tensor::new(element, vec![2], Data::U32(key::of_init(cell.seed).to_vec()));
        let state = init
            .run("main", vec![Value::Tensor(words)])
            .map_err(|source| experiment.failed("init", 0, cell, source))?;
        let roles = model.manifest.state.iter().map(|tensor| tensor.role).enumerate();
        let carried = roles.filter(|(_, role)| *role == Role::Carried);
        let (not_finite, operand_biases) = (NotFinite::default(), OperandBiases::default());
        let rules = cell.arithmetic.rules.clone().counting(not_finite.clone());
        let mut training = Training {
            experiment,
            cell,
            observer,
            train_step: executable(&model.train_step, rules.following(operand_biases.clone()), "train_step")?,
            not_finite,
            operand_biases,
            evaluate: executable(&model.evaluate, cell.arithmetic.rules.clone(), "evaluate")?,
            translate: model
                .translate
                .as_ref()
                .map(|program| executable(program, cell.arithmetic.rules.clone(), "translate"))
                .transpose()?,
            pool: pool.clone(),
            batches: Batches::of_training(&model.manifest, data)?,
            tests: Batches::of_evaluation(&model.manifest, data)?,
            sentences: Batches::of_translation(&model.manifest, data)?,
            look: experiment.settings.swamping.map(|samples| {
                (samples, SwampingProbe::new(&model.train_step, &cell.arithmetic, &model.manifest.scopes))
            }),
            threads,
            stored: cell
                .arithmetic
                .recipe
                .as_ref()
                .and_then(|recipe| StoredTensors::new(recipe, &model.manifest)),
            initial_carried: carried.map(|(at, _)| (at, state[at].clone())).collect(),
            state,
            progress: Progress {
                step: 0,
                state: State::Running,
                diverged_at: None,
                part: Part::default(),
                phases: vec![],
                epochs: vec![],
                histograms: vec![],
                swamping: vec![],
                biases: vec![],
                operand_biases: vec![],
                not_finite: vec![],
                seconds: 0.0,
            },
            checkpoint: experiment.checkpoint_of(cell),
            fingerprint: experiment.fingerprint(cell),
        };
        training.store(None)?;
        Ok(training)
    }

    /// Rounds the state to the formats of stored tensors. Returns the updates that rounding lost, by parameter: those of weights that
    /// changed in the step and are what they were `before` it again.
    fn store(&mut self, before: Option<Vec<Value>>) -> Result<Vec<u64>, TrainError> {
        let Some(stored) = &self.stored else { return Ok(vec![]) };
        let after = before.is_some().then(|| self.parameters(&self.state));
        let (seed, step) = (self.cell.seed, self.progress.step);
        let rounded = stored.round(&mut self.state, &mut self.progress.biases, seed, step);
        let moved = rounded.map_err(|source| TrainError::Stored { step, source })?;
        for tensor in moved {
            let name = self.experiment.model.manifest.state[tensor].name.clone();
            self.report_bias(name, step, &self.progress.biases[tensor]);
        }
        let (Some(before), Some(after)) = (before, after) else { return Ok(vec![]) };
        let rounded = self.parameters(&self.state);
        let lost = before.iter().zip(&after).zip(&rounded).map(|((before, after), rounded)| {
            let [before, after, rounded] =
                [before, after, rounded].map(|value| floats(tensor(value)).unwrap_or_default());
            let updates = before.iter().zip(&after).zip(&rounded);
            updates.filter(|((before, after), rounded)| before != after && before == rounded).count() as u64
        });
        Ok(lost.collect())
    }

    /// Reports a bias that was chosen or has changed.
    fn report_bias(&self, tensor: String, step: u64, history: &BiasHistory) {
        let BiasHistory { bias, moves, overflowed, underflowed, .. } = *history;
        let Some(bias) = bias else { return };
        let moved = BiasStep { cell: self.cell.number, step, tensor, bias, moves, overflowed, underflowed };
        self.observer.bias(self.cell, &moved);
    }

    /// The learnt biases of operands with a history. Each has a name, and true if its bias was chosen or has changed in the last step.
    fn biases_of_operands(&self) -> Vec<(StoredBias, BiasHistory, bool)> {
        let layers = &self.experiment.model.manifest.scopes;
        let mut counts: HashMap<String, usize> = HashMap::new();
        let named = |bias: OperandBias| {
            let layer = parts::named(&bias.scope, layers).and_then(|part| part.layer);
            let mut name = layer.map_or_else(|| bias.key.clone(), |layer| format!("{} {layer}", bias.key));
            // A layer may have several products, as the cells of a recurrent one have.
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            if *count > 1 {
                name += &format!(" ({count})");
            }
            (StoredBias::new(name, &bias.quantizer, &bias.history), bias.history, bias.moved)
        };
        self.operand_biases.all().into_iter().map(named).collect()
    }

    /// Reports the biases of operands that were chosen or have changed in a step, and keeps all histories for a checkpoint.
    fn keep_operand_biases(&mut self, step: u64) {
        let biases = self.biases_of_operands();
        for (StoredBias { tensor, .. }, history, _) in biases.iter().filter(|(.., moved)| *moved) {
            self.report_bias(tensor.clone(), step, history);
        }
        self.progress.operand_biases = biases.into_iter().map(|(_, history, _)| history).collect();
    }

    /// Adds the NaNs and infinities of a step to those of the cell.
    fn count_not_finite(&mut self, step: u64) {
        let layers = &self.experiment.model.manifest.scopes;
        let mut of_step: Vec<NotFiniteStep> = vec![];
        for NotFiniteCount { scope, operand, nans, infinities } in self.not_finite.take() {
            let part = parts::named(&scope, layers);
            let part = part.map_or_else(|| "elsewhere".to_owned(), |part| part.to_string());
            let (cell, operand) = (self.cell.number, operand.to_owned());
            add_not_finite(&mut of_step, NotFiniteStep { cell, step, part, operand, nans, infinities });
        }
        for found in of_step {
            self.observer.not_finite(self.cell, &found);
            add_not_finite(&mut self.progress.not_finite, found);
        }
    }

    /// Continues from the cell's checkpoint if `--resume` was given and the file exists.
    fn resumed(mut self) -> Result<Training<'a>, TrainError> {
        let Experiment { model, settings, .. } = self.experiment;
        if let (Some(path), true) = (&self.checkpoint, settings.resume)
            && let Some((state, progress)) = checkpoint::read(path, &model.manifest, &self.fingerprint)?
        {
            (self.state, self.progress) = (state, progress);
            self.operand_biases.restore(self.progress.operand_biases.iter().cloned());
        }
        Ok(self)
    }

    /// Epoch and index within it of the next step. Resets the state that an epoch begins with.
    fn begin(&mut self, order: &mut Option<Vec<u32>>) -> (u64, u64) {
        let per_epoch = self.experiment.steps_per_epoch();
        let (epoch, within) = (self.progress.step / per_epoch, self.progress.step % per_epoch);
        if within == 0 || order.is_none() {
            *order = Some(self.batches.order(self.cell.seed, epoch));
        }
        if within == 0 {
            self.initial_carried.iter().for_each(|(at, value)| self.state[*at] = value.clone());
        }
        (epoch, within)
    }

    fn run(mut self, stop: Stop<'_>) -> Result<CellResult, TrainError> {
        let (per_epoch, total) = (self.experiment.steps_per_epoch(), self.experiment.steps());
        let (mut order, mut saved) = (None, Instant::now());
        while self.progress.state == State::Running {
            if stop() {
                // Progress so far is saved.
                self.save()?;
                break;
            }
            let (epoch, within) = self.begin(&mut order);
            let inputs = self.inputs(order.as_deref().unwrap_or_default(), within);
            let last = within + 1 == per_epoch || self.progress.step + 1 == total;
            let before = last.then(|| self.parameters(&inputs));
            let looked_at = (last && self.look.is_some()).then(|| inputs.clone());
            self.step(inputs, epoch)?;
            let ended = self.progress.step == total;
            if self.progress.state == State::Diverged {
                self.save()?;
            } else if let Some(before) = before {
                self.count_exponents(epoch, &before);
                if let Some(inputs) = looked_at {
                    self.measure_swamping(epoch, inputs)?;
                }
                self.end_epoch(epoch)?;
                if ended {
                    self.progress.state = State::Done;
                }
                self.save()?;
                saved = Instant::now();
            } else if self.experiment.settings.checkpoint_every.is_some_and(|every| saved.elapsed() >= every)
            {
                self.save()?;
                saved = Instant::now();
            }
        }
        let result = self.result()?;
        self.observer.finished(&result);
        Ok(result)
    }

    /// Inputs of the next step: the state, which is moved, and a batch.
    fn inputs(&mut self, order: &[u32], within: u64) -> Vec<Value> {
        let step = self.progress.step;
        let (rate, _) = self.experiment.rate(step);
        let mut inputs = std::mem::take(&mut self.state);
        inputs.extend(self.batches.training(
            order,
            within as usize,
            rate as f32,
            key::of_step(self.cell.seed, step),
        ));
        inputs
    }

    /// Runs a training step.
    fn step(&mut self, inputs: Vec<Value>, epoch: u64) -> Result<(), TrainError> {
        let manifest = &self.experiment.model.manifest;
        let (step, count) = (self.progress.step, manifest.state.len());
        let (rate, phase) = self.experiment.rate(step);
        let start = Instant::now();
        let before = self.stored.is_some().then(|| self.parameters(&inputs));
        let key = key::of_rounding(self.cell.seed, step);
        self.operand_biases.begin(step);
        let results = self.train_step.run_keyed("main", inputs, key);
        self.progress.seconds += start.elapsed().as_secs_f64();
        let mut results =
            results.map_err(|source| self.experiment.failed("train_step", step, self.cell, source))?;
        let metrics = results.split_off(count);
        self.state = results;
        self.progress.step += 1;
        self.count_not_finite(step);
        self.keep_operand_biases(step);
        let lost_by_rounding = self.store(before)?;

        let of = |name| metric(&manifest.train_step.outputs, &metrics, name);
        let metrics = ExampleMetrics::new(of);
        let loss = metrics.loss / metrics.losses as f64;
        let counts = |name| {
            of(name).map_or(vec![], |counts| counts.iter().map(|count| *count as u64).collect::<Vec<_>>())
        };
        let (updates, mut lost) = (counts(Metric::Updates), counts(Metric::LostUpdates));
        lost.iter_mut().zip(lost_by_rounding).for_each(|(lost, more)| *lost += more);
        let record = Step {
            cell: self.cell.number,
            step,
            epoch: epoch + 1,
            rate: rate as f32,
            loss: finite(loss),
            accuracy: metrics.correct.and_then(|(correct, all)| share(correct, all)),
            updates: updates.iter().sum(),
            lost: lost.iter().sum(),
        };
        self.observer.step(self.cell, &record);
        if !loss.is_finite() {
            self.progress.state = State::Diverged;
            self.progress.diverged_at = Some(step);
            return Ok(());
        }
        let part = &mut self.progress.part;
        part.steps += 1;
        part.loss += loss;
        let (correct, all) = metrics.correct.unwrap_or_default();
        part.correct += correct;
        part.counted += all;
        part.updates += record.updates;
        part.lost += record.lost;
        self.add_updates(phase, updates, lost);
        Ok(())
    }

    /// Adds the updates of a step to those of its phase.
    fn add_updates(&mut self, phase: usize, updates: Vec<u64>, lost: Vec<u64>) {
        let phases = &mut self.progress.phases;
        while phases.len() <= phase {
            let rate = self.experiment.model.manifest.phase_rate(phases.len());
            let none = vec![0; updates.len()];
            phases.push(Updates { rate, steps: 0, updates: none.clone(), lost: none });
        }
        let sums = &mut phases[phase];
        sums.steps += 1;
        sums.updates.iter_mut().zip(updates).for_each(|(sum, count)| *sum += count);
        sums.lost.iter_mut().zip(lost).for_each(|(sum, count)| *sum += count);
    }

    /// The parameters among the first inputs of a step, or in the state.
    fn parameters(&self, values: &[Value]) -> Vec<Value> {
        let state = self.experiment.model.manifest.state.iter().zip(values);
        state
            .filter(|(declared, _)| declared.role == Role::Parameter)
            .map(|(_, value)| value.clone())
            .collect()
    }

    /// Records exponents of the weights and of the last step's updates. Keeps only the first epoch and this one.
    fn count_exponents(&mut self, epoch: u64, before: &[Value]) {
        let after = self.parameters(&self.state);
        let histograms = before.iter().zip(&after).enumerate().filter_map(|(parameter, (before, after))| {
            let (before, after) = (floats(tensor(before))?, floats(tensor(after))?);
            let updates = Exponents::of(before.iter().zip(&after).map(|(before, after)| after - before));
            Some(Histogram { parameter, epoch: epoch + 1, weights: Exponents::of(after), updates })
        });
        let histograms: Vec<Histogram> = histograms.collect();
        self.progress.histograms.retain(|known| known.epoch == 1 && epoch > 0);
        self.progress.histograms.extend(histograms);
    }

    /// Repeats the epoch's last step to measure the losses of its accumulators.
    fn measure_swamping(&mut self, epoch: u64, inputs: Vec<Value>) -> Result<(), TrainError> {
        if let Some((samples, look)) = &self.look {
            let seen = look.measure(epoch + 1, &self.cell.arithmetic, self.threads, *samples, inputs);
            let step = self.progress.step - 1;
            self.progress.swamping.extend(
                seen.map_err(|source| self.experiment.failed("train_step", step, self.cell, source))?,
            );
        }
        Ok(())
    }

    fn end_epoch(&mut self, epoch: u64) -> Result<(), TrainError> {
        let Tested { test_loss, accuracy, ranking, bleu } =
            self.evaluate(&self.evaluate, self.translate.as_ref())?;
        let part = std::mem::take(&mut self.progress.part);
        let record = Epoch {
            epoch: epoch + 1,
            steps: self.progress.step,
            rate: self.experiment.rate(self.progress.step - 1).0 as f32,
            loss: finite(part.loss / part.steps as f64),
            train_accuracy: share(part.correct, part.counted),
            test_loss,
            accuracy,
            ranking,
            bleu,
            lost_updates: share(part.lost, part.updates),
        };
        self.observer.epoch(self.cell, &record);
        self.progress.epochs.push(record);
        Ok(())
    }

    /// Evaluates the final weights in binary32.
    fn evaluate_in_f32(&self) -> Result<Option<Tested>, TrainError> {
        if self.progress.state != State::Done {
            return Ok(None);
        }
        if self.cell.arithmetic.rules.is_empty() {
            let last = self.progress.epochs.last();
            return Ok(last.map(|epoch| Tested {
                test_loss: epoch.test_loss,
                accuracy: epoch.accuracy,
                ranking: epoch.ranking,
                bleu: epoch.bleu,
            }));
        }
        let plain = |program: &'a Program, name| {
            let options = Options { pool: Some(self.pool.clone()), ..Options::default() };
            Executable::new(program, options)
                .map_err(|source| self.experiment.failed(name, self.progress.step, self.cell, source))
        };
        let model = &self.experiment.model;
        let evaluate = plain(&model.evaluate, "evaluate")?;
        let translate = model.translate.as_ref().map(|program| plain(program, "translate")).transpose()?;
        self.evaluate(&evaluate, translate.as_ref()).map(Some)
    }

    /// The state without the optimizer's tensors.
    fn state_for_evaluation(&self) -> Vec<Value> {
        let state = self.experiment.model.manifest.state.iter().zip(&self.state);
        state
            .filter(|(declared, _)| declared.role != Role::Optimizer)
            .map(|(_, value)| value.clone())
            .collect()
    }

    /// BLEU of the translated test sentences.
    fn bleu(&self, translate: &Executable<'_>) -> Result<Option<f64>, TrainError> {
        let Some(Sentences { batches, references }) = &self.sentences else { return Ok(None) };
        let mut bleu = Bleu::default();
        for (batch, (_, range)) in (1 << 31..).zip(batches.evaluations()) {
            let inputs = self.state_for_evaluation().into_iter().chain(batches.evaluation(range.clone()));
            let key = key::of_evaluation(self.cell.seed, self.progress.step, batch);
            let results = translate.run_keyed("main", inputs.collect(), key).map_err(|source| {
                self.experiment.failed("translate", self.progress.step, self.cell, source)
            })?;
            let written = tensor(&results[0]);
            let Data::I32(words) = &*written.data else { unreachable!("the manifest has words as i32") };
            for (written, reference) in words.chunks_exact(written.shape[1]).zip(&references[range]) {
                bleu.add(written, reference);
            }
        }
        Ok(Some(bleu.score()))
    }

    /// Evaluates weights on the test examples.
    fn evaluate(
        &self,
        evaluate: &Executable<'_>,
        translate: Option<&Executable<'_>>,
    ) -> Result<Tested, TrainError> {
        let manifest = &self.experiment.model.manifest;
        let outputs = &manifest.evaluate.outputs;
        let mut state = self.state_for_evaluation();
        let first_carried = state.len() - self.initial_carried.len();
        self.initial_carried
            .iter()
            .enumerate()
            .for_each(|(at, (_, value))| state[first_carried + at] = value.clone());
        let (mut loss, mut correct, mut counted, mut predictions) = (0.0, 0, 0, 0);
        let mut rankings: Option<(Ranking, usize)> = None;
        for (batch, (examples, range)) in (0..).zip(self.tests.evaluations()) {
            let mut inputs = state.clone();
            inputs.extend(self.tests.evaluation(range.clone()));
            let key = key::of_evaluation(self.cell.seed, self.progress.step, batch);
            let mut results = evaluate.run_keyed("main", inputs, key).map_err(|source| {
                self.experiment.failed("evaluate", self.progress.step, self.cell, source)
            })?;
            let measured = results.split_off(self.initial_carried.len());
            state.truncate(first_carried);
            state.extend(results);
            let of = |name| {
                let numbers = metric(outputs, &measured, name)?;
                let each = numbers.len() / manifest.evaluate.batch;
                Some(numbers[..examples * each].to_vec())
            };
            if let Some(scores) = of(Metric::Scores) {
                let (sums, users) = rankings.get_or_insert_default();
                let found = self.tests.rank(range, &scores);
                sums.recall += found.recall;
                sums.ndcg += found.ndcg;
                sums.ndcg_of_found += found.ndcg_of_found;
                *users += examples;
            }
            let metrics = ExampleMetrics::new(of);
            loss += metrics.loss;
            counted += metrics.losses;
            let (right, all) = metrics.correct.unwrap_or_default();
            correct += right;
            predictions += all;
        }
        let ranking = rankings.map(|(sums, users)| Ranking {
            recall: sums.recall / users as f64,
            ndcg: sums.ndcg / users as f64,
            ndcg_of_found: sums.ndcg_of_found / users as f64,
        });
        Ok(Tested {
            test_loss: finite(loss / counted as f64),
            accuracy: share(correct, predictions),
            ranking,
            bleu: translate.map(|translate| self.bleu(translate)).transpose()?.flatten(),
        })
    }

    fn save(&self) -> Result<(), TrainError> {
        match &self.checkpoint {
            Some(path) if self.observer.may_checkpoint(self.cell) => {
                self.write(path)?;
                self.observer.checkpoint_written(self.cell, self.progress.step);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn write(&self, path: &Path) -> Result<(), TrainError> {
        checkpoint::write(
            path,
            &self.experiment.model.manifest,
            &self.state,
            &self.progress,
            &self.fingerprint,
        )
    }

    /// Hash of the parameters' elements, little-endian, in the order of the state.
    fn weights_sha256(&self) -> String {
        let mut hash = Sha256::new();
        self.parameters(&self.state).iter().for_each(|value| hash.update(to_bytes(tensor(value))));
        hex(&hash.finalize())
    }

    /// The learnt biases of stored tensors, and of operands with a history.
    fn biases(&self) -> Vec<StoredBias> {
        let (manifest, histories) = (&self.experiment.model.manifest, &self.progress.biases);
        let mut biases = self.stored.as_ref().map_or(vec![], |stored| stored.biases(manifest, histories));
        biases.extend(self.biases_of_operands().into_iter().map(|(bias, ..)| bias));
        biases
    }

    fn result(&self) -> Result<CellResult, TrainError> {
        let progress = &self.progress;
        let last = progress.epochs.last().filter(|_| progress.state != State::Diverged);
        Ok(CellResult {
            cell: self.cell.number,
            arith: self.cell.arithmetic.name.clone(),
            seed: self.cell.seed,
            steps: progress.step,
            loss: last.and_then(|epoch| epoch.loss),
            accuracy: last.and_then(|epoch| epoch.accuracy),
            test_loss: last.and_then(|epoch| epoch.test_loss),
            ranking: last.and_then(|epoch| epoch.ranking),
            bleu: last.and_then(|epoch| epoch.bleu),
            in_f32: self.evaluate_in_f32()?,
            state: progress.state,
            diverged_at: progress.diverged_at,
            weights_sha256: self.weights_sha256(),
            seconds: progress.seconds,
            phases: progress.phases.clone(),
            epochs: progress.epochs.clone(),
            histograms: progress.histograms.clone(),
            swamping: progress.swamping.clone(),
            biases: self.biases(),
            not_finite: progress.not_finite.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_does_not_count_in_metrics() {
        let metric = |counted: Option<Vec<f64>>| {
            move |name| match name {
                Metric::Loss => Some(vec![1.0, 2.0, f64::NAN, 4.0]),
                Metric::Correct => Some(vec![1.0, 0.0, 1.0, 1.0]),
                Metric::Counted => counted.clone(),
                _ => None,
            }
        };
        let metrics = ExampleMetrics::new(metric(Some(vec![1.0, 1.0, 0.0, 1.0])));
        assert_eq!((metrics.loss, metrics.losses, metrics.correct), (7.0, 3, Some((2, 3))));
        let metrics = ExampleMetrics::new(metric(None));
        assert!(metrics.loss.is_nan() && metrics.correct == Some((3, 4)));
    }
}
