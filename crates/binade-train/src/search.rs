//! Finds the cheapest assignment of operators to parts whose training loss stays within binary32's range over seeds, for
//! `--search`.
//!
//! The search is greedy and based on measurements:
//! 1. Train in binary32 from every seed. The final training losses give the range.
//! 2. Train with all parts under the cheapest operator. If the mean loss does not exceed the range, this is the result.
//! 3. Train with each part alone under the cheapest operator, and all others in binary32. The gap in loss measures its harm.
//! 4. Raise the most harmful part to the next operator of the ladder, and measure it alone again. While a part alone is
//!    outside the range, the whole is not measured, since it would be outside too. Repeat until the whole is inside.
//! 5. Lower each part in turn by one operator, the one with the most work first, until none can be lowered.
//!
//! Every measured training counts. If the budget ends before step 5 does, the result is the cheapest assignment measured
//! inside the range, and is marked incomplete. The only randomness is the seeds, so a search is the same on every machine.
//! With checkpoints, a stopped search can be resumed.

use std::sync::Mutex;

use binade::Operator;
use binade::operator::Cost;
use binade::recipe::{Recipe, short_form};
use binade_hlo::eval::rules::{Rules, Scope, is_operator, operator};
use binade_hlo::eval::{Event, Executable, Observer, Options};
use serde::Serialize;

use crate::cell;
use crate::experiment::{Experiment, Settings, add_cells};
use crate::parts::{Part, label_parts};
use crate::record::{CellResult, State};
use crate::{Arithmetic, Model, Spread, TrainError};

/// Default operators of a search, besides binary32.
const LADDER: [&str; 3] = ["bf16:bf16", "bf16:bf16x2", "bf16x2:bf16x2/3"];
/// The last operator of every ladder.
const F32: &str = "f32";

/// An operator of the ladder.
#[derive(Clone, Debug)]
struct Rung {
    name: String,
    area: u32,
    speed_up: f64,
}

/// Index into the ladder for each part.
type Assignment = Vec<usize>;

/// Trainings of an assignment from all seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    /// Purpose of the trial.
    pub what: String,
    /// Its rules, as `--arith` takes them.
    pub arith: String,
    /// Final training losses over seeds; `None` if a seed diverged.
    pub loss: Option<Spread>,
    /// Test accuracies over seeds, if the model reports them.
    pub accuracy: Option<Spread>,
    /// True if the mean loss does not exceed the largest loss in binary32.
    pub inside: bool,
    /// Speed relative to binary32 on equal area.
    pub speed_up: f64,
    #[serde(skip)]
    assignment: Assignment,
}

/// A part and its operator.
#[derive(Clone, Debug, Serialize)]
pub struct PartOperator {
    /// The part.
    #[serde(flatten)]
    pub part: Part,
    /// The operator, or `f32`.
    pub operator: String,
    /// Its share of the sums, products and functions of a step.
    pub work: f64,
    /// Area of the operator, in units.
    pub area: u32,
    /// The operator's speed-up over binary32 on equal area.
    pub speed_up: f64,
    /// Loss of the part alone under the cheapest operator, relative to binary32. `None` if it was not measured or diverged.
    pub gap: Option<f64>,
}

/// Result of a search.
#[derive(Clone, Debug, Serialize)]
pub struct SearchResult {
    /// Losses in binary32 over seeds.
    pub f32_loss: Spread,
    /// The cheapest assignment inside that range.
    pub best: Trial,
    /// Its operators.
    pub parts: Vec<PartOperator>,
    /// Share of a step's work that belongs to no part and is not changed.
    pub other_work: f64,
    /// True if nothing was left to try.
    pub complete: bool,
    /// Steps trained.
    pub steps: u64,
    /// Steps allowed.
    pub budget: Option<u64>,
    /// All trainings, in order.
    pub trials: Vec<Trial>,
}

/// Trains cells of an experiment, by number, as [`Experiment::run`] does. Returns results in that order, fewer if training
/// was stopped.
pub type Trainer<'a, E> = dyn FnMut(&Experiment, &[usize]) -> Result<Vec<CellResult>, E> + 'a;

/// A search.
#[derive(Debug)]
pub struct Search {
    /// Its experiment. Each trial adds cells.
    pub experiment: Experiment,
    parts: Vec<Part>,
    /// Work of each part, followed by the work of no part.
    work: Vec<f64>,
    /// The cheapest operator first, binary32 last.
    ladder: Vec<Rung>,
    seeds: u64,
    budget: Option<u64>,
    steps: u64,
    trials: Vec<Trial>,
}

/// Reason for which a trial was not measured.
enum NotMeasured<E> {
    /// The budget does not suffice.
    Budget,
    /// Training was stopped.
    Stopped,
    Failed(E),
}

impl<E: From<TrainError>> From<TrainError> for NotMeasured<E> {
    fn from(error: TrainError) -> NotMeasured<E> {
        NotMeasured::Failed(error.into())
    }
}

/// The operators, the cheapest first. Operators that are not cheaper than binary32 are omitted.
fn ladder(names: &[String]) -> Result<Vec<Rung>, TrainError> {
    let given: Vec<&str> = match names {
        [] => LADDER.to_vec(),
        names => {
            names.iter().map(|name| name.trim()).filter(|name| !name.eq_ignore_ascii_case(F32)).collect()
        }
    };
    let mut rungs = vec![];
    for name in &given {
        let no_operator = || TrainError::NotAnOperator((*name).to_owned());
        if Recipe::is_text(name) {
            return Err(TrainError::RecipeInSearch(short_form(name)));
        }
        if !is_operator(name) {
            return Err(no_operator());
        }
        let parsed: Operator = operator(name)?;
        Arithmetic::parse(name, Scope::All)?;
        let cost = parsed.cost();
        if cost.speed_up() > 1.0 {
            let rung = Rung { name: (*name).to_owned(), area: cost.area, speed_up: cost.speed_up() };
            rungs.push((cost.area, cost.operand_bits, rung));
        }
    }
    if rungs.is_empty() {
        return Err(TrainError::NothingCheaper(given.join(", ")));
    }
    rungs.sort_by_key(|(area, bits, _)| (*area, *bits));
    let mut rungs: Vec<Rung> = rungs.into_iter().map(|(_, _, rung)| rung).collect();
    rungs.dedup_by(|a, b| a.name == b.name);
    rungs.push(Rung { name: F32.to_owned(), area: Cost::BINARY32_AREA, speed_up: 1.0 });
    Ok(rungs)
}

/// Counts the work of each part during a step.
struct WorkCounter<'a> {
    parts: &'a [Part],
    /// True to count products and convolutions only.
    products: bool,
    sums: Mutex<Vec<f64>>,
}

impl Observer for WorkCounter<'_> {
    fn done(&self, event: &Event<'_>) -> bool {
        let name = event.operation.kind.name();
        if event.is_control() || self.products && !Scope::Paper.operations().split(',').any(|op| op == name) {
            return true;
        }
        let part = Part::of(self.parts, &event.operation.scope);
        let at = part.and_then(|part| self.parts.iter().position(|known| known == part));
        let mut sums = self.sums.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        sums[at.unwrap_or(self.parts.len())] += event.flops();
        true
    }
}

/// The work of each part in the first step, followed by the work of no part.
fn count_work(experiment: &Experiment, parts: &[Part]) -> Result<Vec<f64>, TrainError> {
    let cell = &experiment.cells[0];
    let failed = |source| experiment.failed("train_step", 0, cell, source);
    let inputs = cell::first_inputs(experiment, cell)?;
    let sums = Mutex::new(vec![0.0; parts.len() + 1]);
    let look = WorkCounter { parts, products: experiment.settings.scope == Scope::Paper, sums };
    let options = Options { rules: Rules::default(), threads: Some(1), ..Options::default() };
    let program = &experiment.model.train_step;
    let executable = Executable::observed(program, options, &look).map_err(failed)?;
    executable.run("main", inputs).map_err(failed)?;
    drop(executable);
    Ok(look.sums.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

impl Search {
    /// Labels the parts of a model and counts their work. The default ladder is `bf16:bf16`, `bf16:bf16x2`,
    /// `bf16x2:bf16x2/3`; binary32 is always its end.
    ///
    /// # Errors
    /// A name is not an operator, or none is cheaper than binary32. The model has no parts. The budget is too small for the
    /// first two trials. [`Experiment::new`] fails.
    pub fn new(
        mut model: Model,
        data: Option<&str>,
        operators: &[String],
        seeds: u64,
        settings: Settings,
        budget: Option<u64>,
    ) -> Result<Search, TrainError> {
        let ladder = ladder(operators)?;
        let scopes = &model.manifest.scopes;
        let mut parts: Vec<Part> = label_parts(&mut model.train_step, scopes).into_iter().collect();
        label_parts(&mut model.evaluate, scopes);
        for part in std::mem::take(&mut parts) {
            let rules = Rules::parse(&[part.rule(settings.scope, &ladder[0].name)])?;
            if rules.reach(&model.train_step).iter().any(|reach| reach.computed > 0) {
                parts.push(part);
            }
        }
        if parts.is_empty() {
            return Err(TrainError::NoParts(ladder[0].name.clone()));
        }
        let experiment = Experiment::new(model, data, &[F32.to_owned()], seeds, settings)?;
        let needed = experiment.steps().saturating_mul(2 * seeds);
        if let Some(budget) = budget.filter(|budget| *budget < needed) {
            return Err(TrainError::Budget { budget, needed });
        }
        let work = count_work(&experiment, &parts)?;
        Ok(Search { experiment, parts, work, ladder, seeds, budget, steps: 0, trials: vec![] })
    }

    fn top(&self) -> usize {
        self.ladder.len() - 1
    }

    /// The rules of an assignment, as `--arith` takes them.
    fn arith(&self, assignment: &Assignment) -> String {
        let scope = self.experiment.settings.scope;
        let cheaper = self.parts.iter().zip(assignment).filter(|(_, rung)| **rung < self.top());
        let rules: Vec<String> =
            cheaper.map(|(part, rung)| part.rule(scope, &self.ladder[*rung].name)).collect();
        if rules.is_empty() { F32.to_owned() } else { rules.join(";") }
    }

    /// Total work divided by its time, relative to binary32.
    fn speed_up(&self, assignment: &Assignment) -> f64 {
        let all: f64 = self.work.iter().sum();
        let rungs = assignment.iter().map(|rung| self.ladder[*rung].speed_up).chain([1.0]);
        let time: f64 = self.work.iter().zip(rungs).map(|(work, speed_up)| work / speed_up).sum();
        if time > 0.0 { all / time } else { 1.0 }
    }

    /// Trains an assignment from all seeds, unless it was measured before.
    fn measure<E: From<TrainError>>(
        &mut self,
        what: &str,
        assignment: &Assignment,
        callbacks: &mut Callbacks<'_, E>,
    ) -> Result<Trial, NotMeasured<E>> {
        if let Some(known) = self.trials.iter().find(|trial| trial.assignment == *assignment) {
            return Ok(known.clone());
        }
        let cost = self.experiment.steps().saturating_mul(self.seeds);
        if self.budget.is_some_and(|budget| self.steps.saturating_add(cost) > budget) {
            return Err(NotMeasured::Budget);
        }
        let arith = self.arith(assignment);
        let first = match arith == F32 {
            true => 0,
            false => {
                let first = self.experiment.cells.len();
                let arithmetic = Arithmetic::parse(&arith, self.experiment.settings.scope)?;
                add_cells(&mut self.experiment.cells, &arithmetic, self.seeds);
                first
            }
        };
        let numbers: Vec<usize> = (first..first + self.seeds as usize).collect();
        let results = (callbacks.train)(&self.experiment, &numbers).map_err(NotMeasured::Failed)?;
        if results.len() < numbers.len() || results.iter().any(|result| result.state == State::Running) {
            return Err(NotMeasured::Stopped);
        }
        self.steps = self.steps.saturating_add(results.iter().map(|result| result.steps).sum());
        let whole = results.iter().all(|result| result.state == State::Done);
        let of = |number: fn(&CellResult) -> Option<f64>| Spread::of(results.iter().filter_map(number));
        let loss = of(|result| result.loss).filter(|_| whole);
        let greatest = self.trials.first().and_then(|first| first.loss).or(loss).map(|loss| loss.greatest);
        let trial = Trial {
            what: what.to_owned(),
            inside: loss.zip(greatest).is_some_and(|(loss, greatest)| loss.mean <= greatest),
            loss,
            accuracy: of(|result| result.accuracy).filter(|_| whole),
            speed_up: self.speed_up(assignment),
            arith,
            assignment: assignment.clone(),
        };
        (callbacks.tell)(&trial, self.steps);
        self.trials.push(trial.clone());
        Ok(trial)
    }

    /// The loss of one part alone, relative to binary32; infinite if it diverges.
    fn measure_part<E: From<TrainError>>(
        &mut self,
        part: usize,
        rung: usize,
        callbacks: &mut Callbacks<'_, E>,
    ) -> Result<(f64, bool), NotMeasured<E>> {
        let mut assignment = vec![self.top(); self.parts.len()];
        assignment[part] = rung;
        let what = format!("{} alone in {}", self.parts[part], self.ladder[rung].name);
        let trial = self.measure(&what, &assignment, callbacks)?;
        let f32_loss = self.trials[0].loss.map_or(0.0, |loss| loss.mean);
        Ok((trial.loss.map_or(f64::INFINITY, |loss| loss.mean - f32_loss), trial.inside))
    }

    /// Steps 2 to 5.
    fn descend<E: From<TrainError>>(
        &mut self,
        callbacks: &mut Callbacks<'_, E>,
    ) -> Result<(), NotMeasured<E>> {
        let (top, count) = (self.top(), self.parts.len());
        let mut current = vec![0; count];
        let cheapest = format!("all parts in {}", self.ladder[0].name);
        if self.measure(&cheapest, &current, callbacks)?.inside {
            return Ok(());
        }
        let mut gaps = vec![];
        for part in 0..count {
            gaps.push(self.measure_part(part, 0, callbacks)?);
        }
        loop {
            // The first of equally harmful parts.
            let raisable = (0..count).filter(|part| current[*part] < top).rev();
            let Some(harmful) = raisable.max_by(|a, b| gaps[*a].0.total_cmp(&gaps[*b].0)) else { break };
            current[harmful] += 1;
            gaps[harmful] = match current[harmful] {
                rung if rung == top => (f64::NEG_INFINITY, true),
                rung => self.measure_part(harmful, rung, callbacks)?,
            };
            let what = format!("{} raised to {}", self.parts[harmful], self.ladder[current[harmful]].name);
            if gaps.iter().all(|(_, inside)| *inside) && self.measure(&what, &current, callbacks)?.inside {
                break;
            }
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|a, b| self.work[*b].total_cmp(&self.work[*a]));
        loop {
            let before = current.clone();
            for part in &order {
                while current[*part] > 0 {
                    let mut lower = current.clone();
                    lower[*part] -= 1;
                    let what = format!("{} lowered to {}", self.parts[*part], self.ladder[lower[*part]].name);
                    if !self.measure(&what, &lower, callbacks)?.inside {
                        break;
                    }
                    current = lower;
                }
            }
            if current == before {
                return Ok(());
            }
        }
    }

    /// Searches, and reports each trial with the number of steps trained so far. `None` if training was stopped.
    ///
    /// # Errors
    /// Binary32 diverges, or `train` fails.
    pub fn run<E: From<TrainError>>(
        &mut self,
        train: &mut Trainer<'_, E>,
        tell: &mut dyn FnMut(&Trial, u64),
    ) -> Result<Option<SearchResult>, E> {
        let mut callbacks = Callbacks { train, tell };
        let f32 = vec![self.top(); self.parts.len()];
        let ended = match self.measure("all of f32", &f32, &mut callbacks) {
            Ok(plain) if plain.loss.is_none() => return Err(TrainError::DivergesInF32.into()),
            Ok(_) => self.descend(&mut callbacks),
            Err(ended) => Err(ended),
        };
        match ended {
            Ok(()) => Ok(self.result(true)),
            Err(NotMeasured::Budget) => Ok(self.result(false)),
            Err(NotMeasured::Stopped) => Ok(None),
            Err(NotMeasured::Failed(error)) => Err(error),
        }
    }

    /// The fastest trial inside the range. Ties are broken by the lower place in the ladder, then by order.
    fn result(&self, complete: bool) -> Option<SearchResult> {
        let height = |trial: &Trial| trial.assignment.iter().sum::<usize>();
        let inside = self.trials.iter().filter(|trial| trial.inside).rev();
        let best = inside.max_by(|a, b| a.speed_up.total_cmp(&b.speed_up).then(height(b).cmp(&height(a))))?;
        let f32_loss = self.trials.first()?.loss?;
        let all: f64 = self.work.iter().sum();
        let share = |work: f64| if all > 0.0 { work / all } else { 0.0 };
        let parts = self.parts.iter().enumerate().map(|(at, part)| {
            let rung = &self.ladder[best.assignment[at]];
            let mut alone = vec![self.top(); self.parts.len()];
            alone[at] = 0;
            let known = self.trials.iter().find(|trial| trial.assignment == alone);
            PartOperator {
                part: part.clone(),
                operator: rung.name.clone(),
                work: share(self.work[at]),
                area: rung.area,
                speed_up: rung.speed_up,
                gap: known.and_then(|trial| Some(trial.loss?.mean - f32_loss.mean)),
            }
        });
        Some(SearchResult {
            f32_loss,
            best: best.clone(),
            parts: parts.collect(),
            other_work: share(self.work[self.parts.len()]),
            complete,
            steps: self.steps,
            budget: self.budget,
            trials: self.trials.clone(),
        })
    }
}

/// Callbacks: one trains, one receives each trial.
struct Callbacks<'a, E> {
    train: &'a mut Trainer<'a, E>,
    tell: &'a mut dyn FnMut(&Trial, u64),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Stop;

    /// One thread of this process.
    fn train_here(
        stop: Stop<'_>,
    ) -> impl FnMut(&Experiment, &[usize]) -> Result<Vec<CellResult>, TrainError> {
        move |experiment, numbers| experiment.run(numbers, 1, &(), stop)
    }
    use crate::Length;

    fn search(operators: &[&str], budget: Option<u64>) -> Result<Search, TrainError> {
        let operators: Vec<String> = operators.iter().map(|name| (*name).to_owned()).collect();
        let settings = Settings { length: Length::Steps(6), ..Settings::default() };
        Search::new(Model::load("mlp").unwrap(), None, &operators, 2, settings, budget)
    }

    #[test]
    fn ladder_rises_in_cost_and_ends_with_f32() {
        let names = |operators: &[&str]| -> Vec<String> {
            let operators: Vec<String> = operators.iter().map(|name| (*name).to_owned()).collect();
            ladder(&operators).unwrap().into_iter().map(|rung| rung.name).collect()
        };
        assert_eq!(names(&[]), ["bf16:bf16", "bf16:bf16x2", "bf16x2:bf16x2/3", "f32"]);
        let given = ["f32", "bf16x2:bf16x2/3", "float8_e4m3fn:f32", "bf16:bf16", "bf16x3:bf16x3/9"];
        assert_eq!(names(&given), ["float8_e4m3fn:f32", "bf16:bf16", "bf16x2:bf16x2/3", "f32"]);
        assert!(matches!(search(&["bf16x3:bf16x3/9"], None), Err(TrainError::NothingCheaper(_))));
        assert!(matches!(search(&["add=bf16"], None), Err(TrainError::NotAnOperator(_))));
        assert!(matches!(search(&[], Some(23)), Err(TrainError::Budget { needed: 24, .. })));
    }

    #[test]
    fn work_of_parts_is_counted() {
        let search = search(&[], None).unwrap();
        let of = |name: &str| {
            let at = search.parts.iter().position(|part| part.to_string() == name).unwrap();
            search.work[at]
        };
        // A batch of 100 and layers 784-128-10. A multiply-add is two operations; each of 12,800 elements has a bias and a
        // ReLU.
        let product = 2.0 * 100.0 * 784.0 * 128.0;
        assert!(
            (product..product + 4.0 * 12_800.0).contains(&of("forward hidden")),
            "{}",
            of("forward hidden")
        );
        // Only the gradient of the weights: images need none.
        assert!((product..product + 4.0 * 12_800.0).contains(&of("backward hidden")));
        let all = vec![0; search.parts.len()];
        let f32 = vec![search.top(); search.parts.len()];
        assert_eq!(search.speed_up(&f32), 1.0);
        assert!(search.speed_up(&all) > 8.0, "{}", search.speed_up(&all));
    }

    /// If only f32 is inside the range, every part is raised to the top. If all are inside, none is raised.
    #[test]
    fn parts_are_raised_until_the_loss_is_inside() {
        // FP8 in all sums clearly spoils the loss after six steps.
        let mut narrow = search(&["float8_e4m3fn:float8_e4m3fn"], None).unwrap();
        let found = narrow.run(&mut train_here(&|| false), &mut |_, _| {}).unwrap().unwrap();
        assert!(found.complete && found.best.inside);
        let loss = found.best.loss.unwrap().mean;
        assert!(loss <= found.f32_loss.greatest);
        assert!(!found.trials[1].inside && found.trials[1].what.starts_with("all parts in"));
        let raised = found.parts.iter().filter(|part| part.operator == "f32").count();
        assert!((1..=found.parts.len()).contains(&raised), "{:?}", found.parts);
        // The resulting rules give the same losses on their own.
        let names = [found.best.arith.clone()];
        let settings = Settings { length: Length::Steps(6), ..Settings::default() };
        let again = Experiment::new(Model::load("mlp").unwrap(), None, &names, 2, settings).unwrap();
        let results = again.run(&[0, 1], 1, &(), &|| false).unwrap();
        assert_eq!(Spread::of(results.iter().filter_map(|result| result.loss)), found.best.loss);
    }

    #[test]
    fn search_out_of_budget_returns_the_best_trial() {
        // f32, all parts, and one more.
        let mut search = search(&["float8_e4m3fn:float8_e4m3fn"], Some(36)).unwrap();
        let mut told = vec![];
        let found =
            search.run(&mut train_here(&|| false), &mut |_, steps| told.push(steps)).unwrap().unwrap();
        assert_eq!(told, [12, 24, 36]);
        assert!(!found.complete && found.best.inside && found.steps == 36);
        assert!(
            search.run(&mut train_here(&|| true), &mut |_, _| {}).unwrap().is_some(),
            "what is known needs no training"
        );
    }
}
