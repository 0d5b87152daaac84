//! Finds and prints the results of `binade train --first-bad`.

use std::io::Write;

use binade::recipe::short_form;
use binade_train::record::{Document, State};
use binade_train::{BadOperation, Experiment, FirstBad, Operand};
use serde::Serialize;

use crate::error::printable;
use crate::terminal::report;
use crate::{Error, Output, progress};

/// The results of a training, with the first bad operations of the cells that diverged.
#[derive(Serialize)]
pub(crate) struct FirstBadDocument<'a> {
    #[serde(flatten)]
    document: &'a Document,
    first_bad: &'a [FirstBad],
}

impl<'a> FirstBadDocument<'a> {
    pub(crate) fn new(document: &'a Document, first_bad: &'a [FirstBad]) -> FirstBadDocument<'a> {
        FirstBadDocument { document, first_bad }
    }
}

/// Finds the first bad operation of each cell that diverged, until Ctrl-C.
pub(crate) fn find(
    experiment: &Experiment,
    document: &Document,
    threads: usize,
) -> Result<Vec<FirstBad>, Error> {
    let mut found = vec![];
    for result in document.cells.iter().filter(|cell| cell.state == State::Diverged) {
        report(
            "tracing",
            &format!(
                "{} seed {}: training it again from its beginning",
                short_form(&result.arith),
                result.seed
            ),
        );
        match experiment.first_bad(result, threads, &progress::interrupted)? {
            Some(first) => found.push(first),
            None => break,
        }
    }
    Ok(found)
}

pub(crate) fn write(found: &[FirstBad], out: &mut Output) -> Result<(), Error> {
    writeln!(out)?;
    if found.is_empty() {
        writeln!(out, "No cell diverged: there is no first bad operation.")?;
    }
    for first in found {
        let FirstBad { arith, seed, diverged_at, step, birth, .. } = first;
        writeln!(
            out,
            "{} seed {seed}: the loss of step {diverged_at} is infinite or NaN; so is a result of step {step}, and none \
             before. Trained again, it had the same bits.",
            printable(&short_form(arith))
        )?;
        match birth {
            Some(birth) => write_birth(birth, out)?,
            None => writeln!(out, "  No value of that step tells where it comes from.")?,
        }
    }
    Ok(())
}

fn write_birth(birth: &BadOperation, out: &mut Output) -> Result<(), Error> {
    let BadOperation { operation, scope, line, column, result, index, value, f32, bad, elements, operands } =
        birth;
    writeln!(out, "  {operation} at {} (train_step.mlir:{line}:{column})", printable(scope))?;
    let beside = match &f32[..] {
        "" => "no value of binary32 to compare with".to_owned(),
        "inf" | "-inf" | "NaN" => format!("in binary32 it is {f32} as well"),
        f32 => format!("in binary32 it is {f32}"),
    };
    writeln!(out, "  element {index:?} of its {result} is {value}; {beside}; bad are {bad} of {elements}")?;
    operands.iter().try_for_each(|operand| write_operand(operand, out))
}

fn write_operand(operand: &Operand, out: &mut Output) -> Result<(), Error> {
    let Operand { from, r#type, read, values, least, greatest } = operand;
    let numbers = match (&values[..], least, greatest) {
        ([], Some(least), Some(greatest)) => format!("{read} elements from {least:e} to {greatest:e}"),
        ([], ..) => format!("{read} elements"),
        (values, ..) => values.join(", "),
    };
    Ok(writeln!(out, "    from {}, {}: {numbers}", printable(from), r#type)?)
}
