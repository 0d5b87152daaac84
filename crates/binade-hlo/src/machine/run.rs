//! The executable: the interface with which callers evaluate programs.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use binade::philox::stream;
use binade_heap::Pages;
use binade_simd::Environment;
use binade_stablehlo::ir::{Function, Op, Program, Region};
use binade_stablehlo::memory_limits::{MemoryShortage, check_memory_for_planning};
use binade_stablehlo::{Data, Type, Value};

use super::interpreter::{Machine, Shared};
use super::memory::Ledger;
use super::thread_pool::{Pool, STACK};
use crate::buffer_pool;
use crate::devices::collective;
use crate::devices::hosts::RunHosts;
use crate::devices::process::Grid;
use crate::error::EvalError;
use crate::observe::Observer;
use crate::options::Options;
use crate::plan::planner::plan;
use crate::plan::rewrite::rewritten;
use crate::plan::single_thread::is_single_threaded;
use crate::plan::step::Block;

/// A program planned for repeated evaluation.
///
/// ```no_run
/// # use binade_hlo::eval::{Executable, Options};
/// # fn example(program: &binade_hlo::ir::Program, x: binade_hlo::Tensor) -> Result<(), binade_hlo::eval::EvalError> {
/// let executable = Executable::new(program, Options::default())?;
/// let results = executable.run("main", vec![binade_hlo::Value::Tensor(x)])?;
/// # Ok(())
/// # }
/// ```
pub struct Executable<'p> {
    program: Cow<'p, Program>,
    plan: Vec<Block>,
    options: Options,
    ledger: Ledger,
    pool: Pool,
    /// True for a small program that runs on the caller's thread: sending it to the pool would take longer than its
    /// operations.
    single_threaded: bool,
    observer: Option<&'p dyn Observer>,
    /// Buffers of small results of the previous run. A run reuses those that are no longer shared.
    results: Mutex<Vec<Arc<Data>>>,
    pages: Pages,
    /// Runs so far, by which the keys of stochastic rules differ.
    runs: AtomicU32,
}

/// Divisor of the memory limit: that part may stay allocated between runs.
const IDLE: usize = 8;

impl<'p> Executable<'p> {
    /// Plans a program.
    ///
    /// # Errors
    /// If the system cannot start threads.
    pub fn new(program: &'p Program, options: Options) -> Result<Executable<'p>, EvalError> {
        Executable::planned(program, options, None)
    }

    /// Plans a program for observation: each operation is a step, and none is read through. Results have the same bits, and
    /// take longer.
    ///
    /// # Errors
    /// If the system cannot start threads.
    pub fn observed(
        program: &'p Program,
        options: Options,
        observer: &'p dyn Observer,
    ) -> Result<Executable<'p>, EvalError> {
        Executable::planned(program, options, Some(observer))
    }

    fn planned(
        program: &'p Program,
        mut options: Options,
        observer: Option<&'p dyn Observer>,
    ) -> Result<Executable<'p>, EvalError> {
        let threads = options.pool.as_ref().map_or(options.threads.unwrap_or(0), Pool::threads);
        let operations = program.functions.iter().map(|function| function.body.size()).sum();
        let new = match (threads, &options.pool) {
            (_, Some(_)) => 0,
            (0, None) => std::thread::available_parallelism().map_or(1, Into::into),
            (threads, None) => threads,
        };
        // One more thread plans.
        check_memory_for_planning(operations, (new + 1) * STACK)
            .map_err(|MemoryShortage { needed, left }| EvalError::Plan { operations, needed, left })?;
        let pool = match (observer, &options.pool) {
            // An observer may wait for another program, which must not need the threads that wait.
            (Some(_), _) => Pool::new(threads)?,
            (None, Some(pool)) => pool.clone(),
            (None, None) => Pool::shared(threads)?,
        };
        options.rules = options.rules.for_program(program);
        let program = match options.rules.for_rewriting(program).filter(|_| observer.is_none()) {
            Some(rules) => {
                options.rules = rules;
                Cow::Owned(rewritten(program, &options.rules))
            }
            None => Cow::Borrowed(program),
        };
        let plan = Pool::planner()?.install(|| plan(&program, &options, observer.is_some()))?;
        let ledger = Ledger::default();
        program.functions.iter().for_each(|function| enter_constants(&function.body, &ledger));
        let single_threaded = options.rules.is_empty() && observer.is_none() && is_single_threaded(&program);
        let (results, pages) = (Mutex::default(), Pages::hold());
        let runs = AtomicU32::new(0);
        Ok(Executable {
            program,
            plan,
            options,
            ledger,
            pool,
            single_threaded,
            observer,
            results,
            pages,
            runs,
        })
    }

    /// The key of the next run.
    fn next_key(&self) -> u64 {
        stream(self.options.seed, &[self.runs.fetch_add(1, Ordering::Relaxed)])
    }

    /// Evaluates a function.
    ///
    /// # Errors
    /// If the function does not exist, the inputs do not have its parameters' types, or the program fails.
    pub fn run(&self, entry: &str, inputs: Vec<Value>) -> Result<Vec<Value>, EvalError> {
        self.run_keyed(entry, inputs, self.next_key())
    }

    /// [`Self::run`], with the key of the random words of stochastic rules. By default it is
    /// [`stream`]`(seed, [run])`, where `run` counts this executable's runs from 0.
    ///
    /// # Errors
    /// The errors of [`Self::run`].
    pub fn run_keyed(&self, entry: &str, inputs: Vec<Value>, key: u64) -> Result<Vec<Value>, EvalError> {
        let entry =
            self.program.names.get(entry).ok_or_else(|| EvalError::Entry { name: entry.to_string() })?;
        check_inputs(&self.program.functions[*entry], &inputs)?;
        self.lent().drain(..).for_each(buffer_pool::give);
        let shared = Shared::new(key);
        let machine = self.machine(&shared);
        let results = match self.single_threaded {
            true => {
                let _environment = Environment::enter();
                machine.call(*entry, inputs, 0)?
            }
            false => self.pool.install(|| machine.call(*entry, inputs, 0))??,
        };
        let small = results.iter().filter_map(|value| match value {
            Value::Tensor(tensor) if tensor.data.bytes() <= buffer_pool::MOST => Some(tensor.data.clone()),
            _ => None,
        });
        self.lent().extend(small);
        Ok(results)
    }

    /// Evaluates a function once for each replica, all concurrently. Takes a list of inputs for each replica, and returns a
    /// list of results for each.
    ///
    /// # Errors
    /// The errors of [`Self::run`] for any replica, and a deadlock of replicas.
    pub fn run_replicas(&self, entry: &str, inputs: Vec<Vec<Value>>) -> Result<Vec<Vec<Value>>, EvalError> {
        let entry =
            self.program.names.get(entry).ok_or_else(|| EvalError::Entry { name: entry.to_string() })?;
        inputs.iter().try_for_each(|inputs| check_inputs(&self.program.functions[*entry], inputs))?;
        let shared = Shared::new(self.next_key());
        self.pool.install(|| collective::replicas(&self.machine(&shared), *entry, inputs))?
    }

    /// Evaluates a function on several hosts, each of which calls this method. It runs once for each replica with a device
    /// on this host, all concurrently. Each list of inputs has the number of its replica, out of `replicas`. Results are in
    /// the order of the inputs.
    ///
    /// # Errors
    /// The errors of [`Self::run_replicas`], and hosts that fail or cannot be reached.
    pub fn run_on_hosts(
        &self,
        entry: &str,
        replicas: usize,
        inputs: Vec<(usize, Vec<Value>)>,
        run_hosts: RunHosts,
    ) -> Result<Vec<Vec<Value>>, EvalError> {
        let entry =
            self.program.names.get(entry).ok_or_else(|| EvalError::Entry { name: entry.to_string() })?;
        inputs.iter().try_for_each(|(_, inputs)| check_inputs(&self.program.functions[*entry], inputs))?;
        let shared = Shared::new(self.next_key());
        let grid = Grid::of_hosts(replicas, run_hosts);
        let mut machine = self.machine(&shared);
        self.pool.install(|| match <[_; 1]>::try_from(inputs) {
            // It uses all threads.
            Ok([(replica, inputs)]) if replicas == 1 => {
                machine.grid = Some(&grid);
                machine.process = (replica, 0);
                Ok(vec![machine.call(*entry, inputs, 0)?])
            }
            Ok([only]) => collective::replicas_of(&machine, &grid, *entry, vec![only]),
            Err(inputs) => collective::replicas_of(&machine, &grid, *entry, inputs),
        })?
    }

    /// The state with which a run begins.
    fn machine<'a>(&'a self, shared: &'a Shared) -> Machine<'a> {
        self.pages.begin(self.options.memory_limit / IDLE);
        Machine {
            program: &self.program,
            plan: &self.plan,
            options: &self.options,
            shared,
            ledger: &self.ledger,
            process: (0, 0),
            grid: None,
            stands: &[],
            observer: self.observer,
        }
    }

    fn lent(&self) -> MutexGuard<'_, Vec<Arc<Data>>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes values that the caller no longer needs. Later runs reuse their memory.
pub fn reuse(values: Vec<Value>) {
    for value in values {
        match value {
            Value::Tensor(tensor) => buffer_pool::give(tensor.data),
            Value::Tuple(values) => reuse(values),
            Value::Token => {}
        }
    }
}

/// Enters the constants of a region into the ledger; the program keeps them for its lifetime.
fn enter_constants(region: &Region, ledger: &Ledger) {
    for operation in &region.operations {
        if let Op::Constant(tensor) = &operation.kind {
            ledger.enter_data(&tensor.data);
        }
        operation.kind.regions().into_iter().for_each(|region| enter_constants(region, ledger));
    }
}

fn check_inputs(function: &Function, inputs: &[Value]) -> Result<(), EvalError> {
    let parameters = &function.body.parameters;
    if parameters.len() != inputs.len() {
        return Err(EvalError::Inputs { expected: parameters.len(), got: inputs.len() });
    }
    for (at, (parameter, input)) in parameters.iter().zip(inputs).enumerate() {
        let declared = &function.values[parameter.0 as usize];
        if !fits(declared, input) {
            return Err(EvalError::Input { at, expected: declared.to_string(), got: describe(input) });
        }
    }
    Ok(())
}

fn fits(declared: &Type, value: &Value) -> bool {
    match (declared, value) {
        (Type::Tensor(declared), Value::Tensor(tensor)) => {
            declared.element == tensor.element
                && declared.element.is_stored_as(&tensor.data)
                && declared.admits(&tensor.shape)
                && tensor.shape.iter().product::<usize>() == tensor.data.len()
        }
        (Type::Token, Value::Token) => true,
        (Type::Tuple(types), Value::Tuple(values)) => {
            types.len() == values.len()
                && types.iter().zip(values).all(|(declared, value)| fits(declared, value))
        }
        _ => false,
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Tensor(tensor) => tensor.type_text(),
        Value::Token => "!stablehlo.token".to_string(),
        Value::Tuple(values) => {
            format!("tuple<{}>", values.iter().map(describe).collect::<Vec<_>>().join(", "))
        }
    }
}
