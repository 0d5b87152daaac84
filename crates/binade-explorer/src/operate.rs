//! Operations on codes: `binade eval`.

use binade::{
    Answer, AnswerKind, Datum, Edition, Operation, OperationError, Projection, Spec, Value, project_in, text,
};
use serde_json::{Value as Json, json};

use crate::ExplorerError;
use crate::question::{code, spec};
use crate::rounding::{Modes, cell, every_mode};

/// Every operation by name.
pub(crate) fn operations() -> Json {
    let row = |operation: Operation| {
        json!({
            "name": operation.name(),
            "operands": operation.arity(),
            "scales": operation.scales(),
            "kind": match operation.kind() { AnswerKind::Code => "code", AnswerKind::Bool => "bool", AnswerKind::Class => "class" },
        })
    };
    json!({ "operations": Operation::ALL.map(row).to_vec() })
}

/// An operation and what it is given.
pub(crate) struct Call {
    operation: Operation,
    operands: Vec<Datum>,
    scales: Vec<i32>,
    to: Spec,
    edition: Edition,
}

/// An operand: a code, or the code nearest to a value that is written `=1.5`.
fn operand(word: &str, from: &Spec, edition: Edition) -> Result<Datum, ExplorerError> {
    let word = word.trim();
    let code = match word.strip_prefix('=') {
        Some(value) => project_in(from.format, text::parse(value)?, Projection::default(), edition).code,
        None => code(word, from.format)?,
    };
    Ok(Datum::new(from.format, code)?)
}

impl Call {
    /// Reads a call.
    pub(crate) fn read(
        name: &str,
        from: &str,
        to: &str,
        words: &[String],
        scales: &[i32],
        modes: &Modes,
    ) -> Result<Call, ExplorerError> {
        let unknown = || ExplorerError::UnknownOperation(name.chars().take(60).collect());
        let operation = Operation::from_name(name).ok_or_else(unknown)?;
        let (name, expected) = (operation.name(), operation.arity());
        if words.len() != expected {
            return Err(OperationError::Operands { name, expected, given: words.len() }.into());
        }
        let from: Vec<Spec> = Spec::split_list(from).into_iter().map(spec).collect::<Result<_, _>>()?;
        if from.len() != 1 && from.len() != expected {
            return Err(ExplorerError::Formats { name, operands: expected, given: from.len() });
        }
        let to = spec(to)?;
        let edition = modes.edition()?.unwrap_or_else(|| Spec::edition_of(from.iter().chain([&to])));
        let operands =
            words.iter().enumerate().map(|(i, word)| operand(word, &from[i % from.len()], edition));
        let operands = operands.collect::<Result<_, _>>()?;
        Ok(Call { operation, operands, scales: scales.to_vec(), to, edition })
    }

    fn result(&self, how: Projection) -> Result<Json, ExplorerError> {
        let answer =
            self.operation.evaluate(&self.operands, &self.scales, self.to.format, how, self.edition)?;
        Ok(match answer {
            Answer::Code(rounded) => cell(self.to.format, rounded),
            Answer::Bool(truth) => json!({ "code": truth.to_string(), "flags": answer.flags().to_string() }),
            Answer::Class(class) => json!({ "code": class.name(), "flags": answer.flags().to_string() }),
        })
    }

    /// The result in these modes, and in all.
    pub(crate) fn answer(
        &self,
        rounding: &str,
        saturation: &str,
        modes: &Modes,
    ) -> Result<Json, ExplorerError> {
        let mut answer = self.result(modes.projection(rounding, saturation)?)?;
        let operands = self.operands.iter().map(|datum| {
            let value: Value = datum.value();
            json!({
                "code": binade::table::code_text(datum.format(), datum.code()),
                "value": text::hex(value),
                "decimal": binade::table::short_decimal(value),
            })
        });
        answer["operands"] = operands.collect::<Vec<_>>().into();
        if self.operation.kind() == AnswerKind::Code {
            answer["modes"] = every_mode(modes, |how| self.result(how))?;
        }
        Ok(answer)
    }
}
