//! Errors of evaluation: [`EvalError`], which every operation returns.

use binade_fma::ShapeError;
use binade_stablehlo::ElementType;
use thiserror::Error;

/// An error that ends the evaluation. An operation describes the problem; the interpreter adds the place
/// ([`EvalError::At`]).
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EvalError {
    /// The operation is not defined on its operand's element type.
    #[error("{operation} is not defined on {element}")]
    Element {
        /// The operation's name.
        operation: String,
        /// The operand's type.
        element: ElementType,
    },
    /// The operation cannot have a result of this type.
    #[error("{operation} on {element} cannot result in {result}")]
    Result {
        /// The operation's name.
        operation: String,
        /// The operand's type.
        element: ElementType,
        /// The result's type.
        result: ElementType,
    },
    /// Shapes that do not match.
    #[error("{operation}: {facts}")]
    Shape {
        /// The operation's name.
        operation: String,
        /// The mismatch.
        facts: String,
    },
    /// Matrices whose shapes do not match.
    #[error(transparent)]
    Matrix(#[from] ShapeError),
    /// A failed assertion of the program.
    #[error("{0}")]
    Check(#[from] Difference),
    /// A tensor that exceeds the memory limit.
    #[error(
        "a tensor {shape:?} of {element} does not fit into the limit of {limit} bytes, of which {live} are in use"
    )]
    Memory {
        /// The tensor's shape.
        shape: Vec<usize>,
        /// Its element type.
        element: ElementType,
        /// Bytes that other values take.
        live: usize,
        /// Bytes that all values may take.
        limit: usize,
    },
    /// Working memory of an operation that exceeds the memory limit.
    #[error(
        "{bytes} bytes to work in do not fit into the limit of {limit} bytes, of which {live} are in use"
    )]
    Scratch {
        /// Bytes that the operation needs, including its results.
        bytes: usize,
        /// Bytes that other values take.
        live: usize,
        /// Bytes that all values may take.
        limit: usize,
    },
    /// Calls and regions are nested too deeply.
    #[error("calls and regions are nested more than {limit} deep")]
    Depth {
        /// The limit.
        limit: usize,
    },
    /// The program took too many steps.
    #[error("the limit of {limit} steps is reached")]
    Steps {
        /// The limit.
        limit: u64,
    },
    /// All processes of a parallel run wait for one another.
    #[error("deadlock: {0}")]
    Deadlock(String),
    /// A custom call to an unknown target.
    #[error("the custom call @{target} is not known")]
    CustomCall {
        /// The target.
        target: String,
    },
    /// A custom call whose results come from Python, in a process without Python.
    #[error("@{target} calls a function of Python that gives results, and there is no Python here")]
    Python {
        /// The target.
        target: String,
    },
    /// A callback into the host process failed.
    #[error("a callback failed: {facts}")]
    Callback {
        /// The host's error message.
        facts: String,
    },
    /// A check of a probe's value at an iteration that the probe did not record.
    #[error("the probe {id:?} has no iteration {iteration}")]
    Probe {
        /// The probe's identifier.
        id: String,
        /// The iteration, from 0.
        iteration: usize,
    },
    /// The program has no function of this name.
    #[error("there is no function @{name}")]
    Entry {
        /// The name.
        name: String,
    },
    /// The number of inputs differs from the number of parameters.
    #[error("the function takes {expected} inputs, not {got}")]
    Inputs {
        /// The number of parameters.
        expected: usize,
        /// The number of inputs.
        got: usize,
    },
    /// An input whose type differs from the parameter's.
    #[error("input {at} is {got}, not {expected}")]
    Input {
        /// The input's number, from 0.
        at: usize,
        /// The parameter's type.
        expected: String,
        /// The input's type.
        got: String,
    },
    /// The operating system refused to create threads.
    #[error("no threads: {0}")]
    Threads(String),
    /// Not enough memory to plan the program.
    #[error(
        "planning {operations} operations takes some {needed} bytes with the stacks of threads, and {left} are left of the memory that the process may take"
    )]
    Plan {
        /// The number of operations.
        operations: usize,
        /// The estimated bytes.
        needed: usize,
        /// Bytes that the machine, control groups and resource limits leave.
        left: usize,
    },
    /// Another host of the run failed or cannot be reached.
    #[error("{0}")]
    Host(String),
    /// An observer asked to stop.
    #[error("stopped")]
    Stopped,
    /// An error with its place in the program.
    #[error("{line}:{column}: {operation}: {source}")]
    At {
        /// Line in the program's text, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
        /// The operation's name.
        operation: String,
        /// The error.
        source: Box<EvalError>,
    },
}

impl EvalError {
    /// Returns the error for an operation on a type that it is not defined on.
    pub(crate) fn element(operation: impl ToString, element: &ElementType) -> EvalError {
        EvalError::Element { operation: operation.to_string(), element: element.clone() }
    }

    /// Returns the error for a result type that the operation cannot have.
    pub(crate) fn result(operation: impl ToString, element: &ElementType, result: &ElementType) -> EvalError {
        EvalError::Result {
            operation: operation.to_string(),
            element: element.clone(),
            result: result.clone(),
        }
    }

    /// Returns the error for shapes that do not match.
    pub(crate) fn shape(operation: impl ToString, facts: impl ToString) -> EvalError {
        EvalError::Shape { operation: operation.to_string(), facts: facts.to_string() }
    }
}

/// The first element that differs from the expected one.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("expected {expected}{}, got {actual}{}", place(.index), rest(.allowed, *.count, *.of))]
pub struct Difference {
    /// The element's index.
    pub index: Vec<usize>,
    /// The expected element.
    pub expected: String,
    /// The actual element.
    pub actual: String,
    /// The tolerance; empty if there is none.
    pub allowed: String,
    /// The number of elements that differ.
    pub count: usize,
    /// The number of elements.
    pub of: usize,
}

fn place(index: &[usize]) -> String {
    if index.is_empty() { String::new() } else { format!(" at {index:?}") }
}

fn rest(allowed: &str, count: usize, of: usize) -> String {
    let tolerated = if allowed.is_empty() { String::new() } else { format!(" ({allowed} allowed)") };
    if count > 1 { format!("{tolerated}; {count} of {of} elements differ") } else { tolerated }
}
