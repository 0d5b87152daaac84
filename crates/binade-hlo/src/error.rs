//! What can go wrong while a program runs.

use binade_fma::ShapeError;
use binade_stablehlo::ElementType;
use thiserror::Error;

/// An evaluation that cannot go on. Operations state the facts; the walk adds where ([`EvalError::At`]).
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EvalError {
    /// An operation that its operand's element type does not admit.
    #[error("{operation} is not defined on {element}")]
    Element {
        /// The operation's name.
        operation: String,
        /// The operand's type.
        element: ElementType,
    },
    /// A result type that the operation cannot have.
    #[error("{operation} on {element} cannot result in {result}")]
    Result {
        /// The operation's name.
        operation: String,
        /// The operand's type.
        element: ElementType,
        /// The result's type.
        result: ElementType,
    },
    /// Shapes that do not go together.
    #[error("{operation}: {facts}")]
    Shape {
        /// The operation's name.
        operation: String,
        /// What does not fit.
        facts: String,
    },
    /// Matrices that do not go together.
    #[error(transparent)]
    Matrix(#[from] ShapeError),
    /// An assertion of the program that does not hold.
    #[error("{0}")]
    Check(#[from] Difference),
    /// A tensor for which there is no room.
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
    /// Working memory of an operation for which there is no room.
    #[error(
        "{bytes} bytes to work in do not fit into the limit of {limit} bytes, of which {live} are in use"
    )]
    Scratch {
        /// What the operation needs, its results among it.
        bytes: usize,
        /// Bytes that other values take.
        live: usize,
        /// Bytes that all values may take.
        limit: usize,
    },
    /// Too many calls and regions within each other.
    #[error("calls and regions are nested more than {limit} deep")]
    Depth {
        /// How many are allowed.
        limit: usize,
    },
    /// The program took too many steps.
    #[error("the limit of {limit} steps is reached")]
    Steps {
        /// How many are allowed.
        limit: u64,
    },
    /// All processes of a parallel run wait for each other.
    #[error("deadlock: {0}")]
    Deadlock(String),
    /// A custom call that nothing is known of.
    #[error("the custom call @{target} is not known")]
    CustomCall {
        /// Its target.
        target: String,
    },
    /// A call of Python, where there is none, whose results are needed.
    #[error("@{target} calls a function of Python that gives results, and there is no Python here")]
    Python {
        /// Its target.
        target: String,
    },
    /// A function of the host failed.
    #[error("a callback failed: {facts}")]
    Callback {
        /// What went wrong, in the host's words.
        facts: String,
    },
    /// A check of what a probe saw when it saw nothing.
    #[error("the probe {id:?} has no iteration {iteration}")]
    Probe {
        /// The probe.
        id: String,
        /// How often the probe was reached before.
        iteration: usize,
    },
    /// No function of this name.
    #[error("there is no function @{name}")]
    Entry {
        /// Its name.
        name: String,
    },
    /// Another number of inputs than the function has parameters.
    #[error("the function takes {expected} inputs, not {got}")]
    Inputs {
        /// Parameters.
        expected: usize,
        /// Inputs.
        got: usize,
    },
    /// An input of another type than the parameter's.
    #[error("input {at} is {got}, not {expected}")]
    Input {
        /// Which one, from 0.
        at: usize,
        /// The parameter's type.
        expected: String,
        /// The input's.
        got: String,
    },
    /// The system gives no threads.
    #[error("no threads: {0}")]
    Threads(String),
    /// No memory to plan a program in.
    #[error(
        "planning {operations} operations takes some {needed} bytes with the stacks of threads, and {left} are left of the memory that the process may take"
    )]
    Plan {
        /// How many there are.
        operations: usize,
        /// An estimate.
        needed: usize,
        /// Bytes that the machine, control groups and resource limits leave.
        left: usize,
    },
    /// Another host of the program's devices failed, or cannot be reached.
    #[error("{0}")]
    Host(String),
    /// Who looked on wanted an end.
    #[error("stopped")]
    Stopped,
    /// An error with its place.
    #[error("{line}:{column}: {operation}: {source}")]
    At {
        /// Line in the program's text, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
        /// The operation's name.
        operation: String,
        /// What went wrong there.
        source: Box<EvalError>,
    },
}

impl EvalError {
    /// An operation on a type that it does not take.
    pub(crate) fn element(operation: impl ToString, element: &ElementType) -> EvalError {
        EvalError::Element { operation: operation.to_string(), element: element.clone() }
    }

    /// A result of a type that the operation does not have.
    pub(crate) fn result(operation: impl ToString, element: &ElementType, result: &ElementType) -> EvalError {
        EvalError::Result {
            operation: operation.to_string(),
            element: element.clone(),
            result: result.clone(),
        }
    }

    /// Shapes that do not fit.
    pub(crate) fn shape(operation: impl ToString, facts: impl ToString) -> EvalError {
        EvalError::Shape { operation: operation.to_string(), facts: facts.to_string() }
    }
}

/// The first element that is not what the program expects.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("expected {expected}{}, got {actual}{}", place(.index), rest(.allowed, *.count, *.of))]
pub struct Difference {
    /// Where the element is.
    pub index: Vec<usize>,
    /// What it should be.
    pub expected: String,
    /// What it is.
    pub actual: String,
    /// What would have been tolerated; empty if nothing.
    pub allowed: String,
    /// How many elements differ.
    pub count: usize,
    /// How many elements there are.
    pub of: usize,
}

fn place(index: &[usize]) -> String {
    if index.is_empty() { String::new() } else { format!(" at {index:?}") }
}

fn rest(allowed: &str, count: usize, of: usize) -> String {
    let tolerated = if allowed.is_empty() { String::new() } else { format!(" ({allowed} allowed)") };
    if count > 1 { format!("{tolerated}; {count} of {of} elements differ") } else { tolerated }
}
