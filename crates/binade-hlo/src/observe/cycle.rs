//! Runs a program in a loop whose outputs become the next step's inputs, for `binade hlo run --carry … --steps`.

use std::str::FromStr;
use std::sync::Arc;

use binade_stablehlo::ir::Function;
use binade_stablehlo::{Type, Value};
use thiserror::Error;

use super::files::Rows;
use super::npy::NpyError;
use crate::error::EvalError;
use crate::machine::run::Executable;

/// Outputs that become inputs: `out0..7=in0..7` (inclusive), or `out3=in0`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carry {
    /// Pairs of an output's number and the number of its input.
    pub pairs: Vec<(usize, usize)>,
}

/// Errors of a loop.
#[derive(Debug, Error)]
pub enum CycleError {
    /// A text that is not of the form of a carry.
    #[error("'{0}' carries nothing: write out0..7=in0..7 or out3=in0")]
    Syntax(String),
    /// Ranges of different lengths.
    #[error("'{text}': {outputs} outputs cannot become {inputs} inputs")]
    Lengths {
        /// The text.
        text: String,
        /// The number of outputs.
        outputs: usize,
        /// The number of inputs.
        inputs: usize,
    },
    /// An output or input that the function does not have.
    #[error("there is no {what}{at}: @{function} has {what}0 to {what}{}", .count.saturating_sub(1))]
    Missing {
        /// `out` or `in`.
        what: &'static str,
        /// Its number.
        at: usize,
        /// The number of outputs or inputs of the function.
        count: usize,
        /// The function's name.
        function: String,
    },
    /// An input that is given twice.
    #[error("in{0} is given by two of --carry and --batches")]
    Twice(usize),
    /// An output whose type differs from that of its input.
    #[error("out{output} is {found}, and in{input} is {expected}")]
    Type {
        /// The output's number.
        output: usize,
        /// The output's type.
        found: Type,
        /// The input's number.
        input: usize,
        /// The input's type.
        expected: Type,
    },
    /// A file with fewer batches than the loop has steps.
    #[error("{}: {rows} rows are not enough for {steps} steps", .path.display())]
    Rows {
        /// The file.
        path: std::path::PathBuf,
        /// The number of rows of the file.
        rows: u64,
        /// The number of steps.
        steps: u64,
    },
    /// A batch that cannot be read.
    #[error(transparent)]
    Batch(#[from] NpyError),
    /// A step that failed.
    #[error("step {step}: {source}")]
    Step {
        /// The step, from 0.
        step: u64,
        /// The error.
        source: EvalError,
    },
}

/// Parses `prefix` with a number, or with two numbers and `..` between them.
fn range(text: &str, prefix: &str) -> Option<(usize, usize)> {
    let text = text.trim().strip_prefix(prefix)?;
    let number = |text: &str| text.strip_prefix(prefix).unwrap_or(text).parse::<u32>().ok();
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    (first <= last).then_some((first as usize, last as usize))
}

impl FromStr for Carry {
    type Err = CycleError;

    fn from_str(text: &str) -> Result<Carry, CycleError> {
        let read = || {
            let (outputs, inputs) = text.split_once('=')?;
            Some((range(outputs, "out")?, range(inputs, "in")?))
        };
        let (outputs, inputs) = read().ok_or_else(|| CycleError::Syntax(text.to_owned()))?;
        let [many_outputs, many_inputs] = [outputs, inputs].map(|(first, last)| last - first + 1);
        if many_outputs != many_inputs {
            let (outputs, inputs) = (many_outputs, many_inputs);
            return Err(CycleError::Lengths { text: text.to_owned(), outputs, inputs });
        }
        // Refuses numbers that no function has before it counts them.
        if outputs.1.max(inputs.1) > 1 << 20 {
            return Err(CycleError::Syntax(text.to_owned()));
        }
        Ok(Carry { pairs: (outputs.0..=outputs.1).zip(inputs.0..=inputs.1).collect() })
    }
}

/// The sources of each step's inputs.
#[derive(Clone, Default)]
pub struct Cycle {
    /// The number of steps.
    pub steps: u64,
    /// Pairs of an output's number and the number of its input.
    pub carried: Vec<(usize, usize)>,
    /// Inputs that each step reads from a file.
    pub batches: Vec<(usize, Arc<Rows>)>,
}

impl Cycle {
    /// Checks a loop against the function that it runs.
    ///
    /// # Errors
    /// Inputs or outputs that the function does not have, have other types, or are given twice. With `wrap` unset, also
    /// a file with fewer rows than steps.
    pub fn check(&self, function: &Function, wrap: bool) -> Result<(), CycleError> {
        let parameters = &function.body.parameters;
        let missing = |what, at, count| {
            let function = function.name.clone();
            Err(CycleError::Missing { what, at, count, function })
        };
        let mut given = vec![false; parameters.len()];
        let mut give = |input: usize| match given.get_mut(input) {
            None => missing("in", input, parameters.len()),
            Some(given) if *given => Err(CycleError::Twice(input)),
            Some(given) => {
                *given = true;
                Ok(())
            }
        };
        for &(output, input) in &self.carried {
            give(input)?;
            let Some(found) = function.results.get(output) else {
                return missing("out", output, function.results.len());
            };
            let expected = &function.values[parameters[input].0 as usize];
            if found != expected {
                let (found, expected) = (found.clone(), expected.clone());
                return Err(CycleError::Type { output, found, input, expected });
            }
        }
        for (input, rows) in &self.batches {
            give(*input)?;
            if rows.count() < self.steps && !wrap {
                let (path, steps) = (rows.path().to_owned(), self.steps);
                return Err(CycleError::Rows { path, rows: rows.count(), steps });
            }
        }
        Ok(())
    }

    /// Returns true if an input needs a value before the first step.
    pub fn begins_with(&self, input: usize) -> bool {
        self.batches.iter().all(|(batch, _)| *batch != input)
    }

    /// Runs the steps and returns the outputs of the last one. `inputs` has a value for each parameter; those of
    /// batches are ignored. Carried values move from step to step without a copy, so that a step may change them in
    /// place. `each` sees the outputs of a step, and returns false to stop.
    ///
    /// # Errors
    /// A batch that cannot be read, and a step that fails.
    pub fn run<E: From<CycleError>>(
        &self,
        executable: &Executable<'_>,
        entry: &str,
        mut inputs: Vec<Value>,
        mut each: impl FnMut(u64, &[Value]) -> Result<bool, E>,
    ) -> Result<Vec<Value>, E> {
        let mut results: Vec<Value> = vec![];
        for step in 0..self.steps {
            if step > 0 {
                for &(output, input) in &self.carried {
                    // An output that becomes several inputs is shared; the last of them takes it.
                    let again = self.carried.iter().filter(|(other, _)| *other == output).count() > 1;
                    inputs[input] = match again {
                        true => results[output].clone(),
                        false => std::mem::replace(&mut results[output], Value::Token),
                    };
                }
                results.clear();
            }
            for (input, rows) in &self.batches {
                inputs[*input] = Value::Tensor(rows.row(step).map_err(CycleError::from)?);
            }
            let kept = |(input, value): (usize, &mut Value)| {
                let carried = self.carried.iter().any(|(_, other)| *other == input);
                if carried { std::mem::replace(value, Value::Token) } else { value.clone() }
            };
            let given = inputs.iter_mut().enumerate().map(kept).collect();
            results = executable.run(entry, given).map_err(|source| CycleError::Step { step, source })?;
            if !each(step, &results)? {
                break;
            }
        }
        Ok(results)
    }
}

#[cfg(test)]
mod tests {
    use binade_stablehlo::{Data, ElementType, FloatType, Program, Tensor};

    use super::*;
    use crate::options::Options;

    const SUM: &str = "func.func @main(%x: tensor<2xf32> {jax.arg_info = \"state['x']\"}, %y: tensor<2xf32> loc(\"batch\"), \
         %z: tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>) {
           %0 = stablehlo.add %x, %y : tensor<2xf32>
           %1 = stablehlo.multiply %0, %z : tensor<2xf32>
           %c = stablehlo.constant dense<7.0> : tensor<f32>
           return %c, %1 : tensor<f32>, tensor<2xf32>
         }";

    fn f32s(elements: &[f32]) -> Value {
        let element = ElementType::Float(FloatType::F32);
        Value::Tensor(Tensor::new(element, vec![elements.len()], Data::F32(elements.to_vec())))
    }

    fn carry(text: &str) -> Vec<(usize, usize)> {
        text.parse::<Carry>().unwrap().pairs
    }

    #[test]
    fn carries_are_read() {
        assert_eq!(carry("out0..2=in3..5"), [(0, 3), (1, 4), (2, 5)]);
        assert_eq!((carry("out3=in0"), carry("out1..out2=in0..in1")), (vec![(3, 0)], vec![(1, 0), (2, 1)]));
        for text in
            ["", "out0", "in0=out0", "out2..1=in0..1", "out0=in0..x", "out0..4294967295=in0..4294967295"]
        {
            assert!(matches!(text.parse::<Carry>(), Err(CycleError::Syntax(_))), "{text}");
        }
        assert!(matches!(
            "out0..1=in0..2".parse::<Carry>(),
            Err(CycleError::Lengths { outputs: 2, inputs: 3, .. })
        ));
    }

    #[test]
    fn parameters_have_names() {
        let program = Program::parse(SUM).unwrap();
        let names = [Some("state['x']"), Some("batch"), None].map(|name| name.map(str::to_owned));
        assert_eq!(program.functions[0].parameter_names, names);
    }

    #[test]
    fn loops_that_do_not_fit_are_refused() {
        let program = Program::parse(SUM).unwrap();
        let check = |carried: &[(usize, usize)]| {
            Cycle { steps: 2, carried: carried.to_vec(), batches: vec![] }.check(&program.functions[0], false)
        };
        assert!(check(&[(1, 0)]).is_ok());
        assert!(matches!(check(&[(0, 0)]), Err(CycleError::Type { output: 0, input: 0, .. })));
        assert!(matches!(check(&[(1, 0), (1, 0)]), Err(CycleError::Twice(0))));
        assert!(matches!(check(&[(2, 0)]), Err(CycleError::Missing { what: "out", at: 2, count: 2, .. })));
        assert!(matches!(check(&[(1, 3)]), Err(CycleError::Missing { what: "in", at: 3, count: 3, .. })));
    }

    /// Compares the loop with single calls of the program.
    #[test]
    fn state_goes_round() {
        let program = Program::parse(SUM).unwrap();
        let executable = Executable::new(&program, Options::default()).unwrap();
        let (x, y, z) = (f32s(&[1.0, 2.0]), f32s(&[0.5, 0.25]), f32s(&[3.0, -0.5]));
        let mut state = x.clone();
        let mut seen = vec![];
        for _ in 0..4 {
            state = executable.run("main", vec![state, y.clone(), z.clone()]).unwrap().remove(1);
            seen.push(format!("{state:?}"));
        }
        let cycle = Cycle { steps: 9, carried: vec![(1, 0)], batches: vec![] };
        let mut steps = vec![];
        let results = cycle
            .run(&executable, "main", vec![x, y, z], |step, results| {
                steps.push(format!("{:?}", results[1]));
                // Stops after the fourth step, as Ctrl-C does.
                Ok::<_, CycleError>(step < 3)
            })
            .unwrap();
        assert_eq!((&steps, format!("{:?}", results[1])), (&seen, seen[3].clone()));
    }

    #[test]
    fn rows_follow_each_other_and_begin_again() {
        let folder = std::env::temp_dir().join(format!("binade-hlo-rows-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("rows.npy");
        let element = ElementType::Float(FloatType::F32);
        let all = Tensor::new(element, vec![3, 2], Data::F32((0..6).map(|i| i as f32).collect()));
        crate::observe::npy::write(&path, &all, binade_files::IfExists::Replace).unwrap();
        let program = Program::parse(SUM).unwrap();
        let function = &program.functions[0];
        let Type::Tensor(ty) = &function.values[1] else { panic!("a tensor") };
        let rows = Arc::new(Rows::open(&path, ty).unwrap());
        let mut cycle = Cycle { steps: 5, carried: vec![], batches: vec![(1, rows.clone())] };
        assert!(matches!(cycle.check(function, false), Err(CycleError::Rows { rows: 3, steps: 5, .. })));
        assert!(cycle.check(function, true).is_ok() && !cycle.begins_with(1) && cycle.begins_with(0));
        let executable = Executable::new(&program, Options::default()).unwrap();
        let mut seen = vec![];
        let inputs = vec![f32s(&[0.0; 2]), Value::Token, f32s(&[1.0; 2])];
        let each = |_: u64, results: &[Value]| {
            let Value::Tensor(Tensor { data, .. }) = &results[1] else { panic!("a tensor") };
            let Data::F32(elements) = &**data else { panic!("f32") };
            seen.extend(elements.clone());
            Ok::<_, CycleError>(true)
        };
        cycle.run(&executable, "main", inputs, each).unwrap();
        assert_eq!(seen, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 0.0, 1.0, 2.0, 3.0]);
        cycle.batches.push((1, rows));
        assert!(matches!(cycle.check(function, true), Err(CycleError::Twice(1))));
        // Rows of another shape.
        let wrong = TensorType { shape: vec![Some(3)], element: ElementType::Float(FloatType::F32) };
        assert!(matches!(Rows::open(&path, &wrong), Err(NpyError::Type { .. })));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    use binade_stablehlo::TensorType;
}
