//! `binade eval`: evaluates one operation, or one on each line of standard input.

use std::io::{self, Write};

use binade::block::Element;
use binade::ops::Query;
use binade::{Answer, Datum, Format, Projection, decode, project, text};
use clap::Args;

use crate::batch::{self, Evaluator, answer_text};
use crate::block_operation::{BlockArgs, BlockEvaluator, BlockOperation};
use crate::modes::{ModeArgs, Modes, sum_draws};
use crate::operand::{self, OperandError, OperandFormats, ResultFormat};
use crate::{Error, Output, Status, terminal};

/// Arguments of `binade eval`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The operation, or a query of a format (4.0 §4.14, §4.15); `binade conformance` lists them. Operations on blocks (4.0 §5)
    /// are convert_from_block, convert_to_block, convert_to_block_max_abs_finite, block_reduce_add, block_reduce_multiply,
    /// block_dot_product, block_OP and scaled_OP
    #[arg(value_name = "OP", required_unless_present = "batch")]
    operation: Option<String>,
    /// Codes, or values marked =1.5, which are rounded to the operand's format to nearest even. A block is
    /// SCALE:ELEMENT,ELEMENT,…, with ; between rows. If the result is a block, its scale is the last operand
    #[arg(value_name = "OPERAND")]
    operands: Vec<String>,
    /// The operands' formats: one for all, or one for each. The format of a block is SCALE/ELEMENT; elements may also be mxint8
    #[arg(long = "in", value_name = "F[,F…]", required_unless_present = "batch")]
    sources: Option<String>,
    /// The result's format [default: the first operand's]
    #[arg(long = "out", value_name = "F")]
    to: Option<ResultFormat>,
    /// log2 of the scale factors [default: zeros]. For add_scaled they scale x and y, for multiply_scaled the product, and for
    /// scaled_fma the addend and the product
    #[arg(long = "scale", value_name = "S[,S]", allow_hyphen_values = true)]
    scales: Option<String>,
    /// Read lines `OP IN[,IN…] OUT ROUNDING SATURATION OPERAND…[ scale=S[,S]][ random=R/N]` from standard input. Operands are
    /// codes or blocks of codes; a query has none. Each line is answered by a line `RESULT FLAGS`, or `error: …` if it is bad. Any
    /// bad line makes the exit code 2
    #[arg(long, conflicts_with_all = ["operation", "operands", "sources", "to", "scales", "rounding", "saturation"])]
    batch: bool,
    #[command(flatten)]
    blocks: BlockArgs,
    #[command(flatten)]
    modes: ModeArgs,
}

/// A code, or a value after `=`.
fn operand(text: &str, format: Format) -> Result<Datum, OperandError> {
    Ok(Datum::new(format, element(text, format.into())?)?)
}

/// The code of an element of blocks, or of a value after `=`.
fn element(text: &str, element: Element) -> Result<u64, OperandError> {
    let format = element.grid();
    let Some(value) = text.strip_prefix('=') else {
        return operand::code(text.as_bytes(), element);
    };
    let rounded = element.coded(project(format, text::parse(value)?, Projection::default()));
    let nan_asked = matches!(text::parse(value)?, binade::Value::Nan { .. }) && format.nan_code().is_some();
    if rounded.flags != binade::Flags::NONE && !nan_asked {
        let (code, nearest) =
            (binade::table::code_text(format, rounded.code), text::hex(element.datum(rounded.code)?.value()));
        terminal::report(
            "note",
            &crate::error::printable(&format!("{value} is not a value of {element}: used {code}, {nearest}")),
        );
    }
    Ok(rounded.code)
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        if self.batch {
            let evaluator = Evaluator::new(self.modes.bits()?, self.modes.seed);
            let mut evaluator = evaluator.in_edition(self.modes.edition()).with_blocks(self.blocks.resolve());
            return batch::run(&mut evaluator, &mut io::stdin().lock(), out);
        }
        let modes = self.modes.resolve()?;
        let name = self.operation.as_deref().unwrap_or_default();
        let sources = self.sources.as_deref().unwrap_or_default();
        let block = BlockOperation::from_name(name);
        if block.is_none() {
            self.blocks.resolve().refuse_unused()?;
        }
        if let Some(query) = Query::from_name(name) {
            return self.answer_query(query, sources, modes, out);
        }
        if let Some(operation) = block {
            return self.evaluate_blocks(operation, sources, modes, out);
        }
        let operation = operand::operation(name)?;
        let sources = OperandFormats::parse(sources, operation)?;
        let to = self.to.as_ref().map(ResultFormat::plain).transpose()?;
        let edition = modes.edition.unwrap_or_else(|| sources.edition(to));
        let formats = sources.formats;
        let to = to.map_or(formats[0], |spec| spec.format);
        let scales = operand::scales(self.scales.as_deref(), operation)?;
        let mut operands = vec![];
        for (i, text) in self.operands.iter().enumerate() {
            // The operation refuses operands beyond its number.
            operands.push(operand(text, formats[i.min(formats.len() - 1)])?);
        }
        let answer = operation.evaluate(&operands, &scales, to, modes.at(0), edition)?;
        let result = answer_text(&answer, to);
        match answer {
            Answer::Code(rounded) => {
                writeln!(out, "{result} {} {}", text::hex(decode(to, rounded.code)), rounded.flags)?;
            }
            Answer::Bool(_) | Answer::Class(_) => writeln!(out, "{result}")?,
        }
        Ok(Status::Done)
    }

    /// Evaluates an operation on blocks; prints codes, their values, and the flags of all.
    fn evaluate_blocks(
        &self,
        operation: BlockOperation,
        sources: &str,
        modes: Modes,
        out: &mut Output,
    ) -> Result<Status, Error> {
        let evaluator =
            BlockEvaluator::new(operation, sources, self.to.as_ref().map(ResultFormat::text), modes.edition)?;
        let evaluator = self.blocks.resolve().apply(evaluator)?;
        let operands = evaluator.operands(&self.operands, element)?;
        let outcome = evaluator.evaluate(&operands, modes.at(0), &sum_draws(modes.seed, 0))?;
        writeln!(out, "{} {} {}", outcome.codes(), outcome.values()?, outcome.flags())?;
        Ok(Status::Done)
    }

    /// Answers a query of the one format of `--in`, or of the modes.
    fn answer_query(
        &self,
        query: Query,
        format: &str,
        modes: Modes,
        out: &mut Output,
    ) -> Result<Status, Error> {
        let format = operand::query_format(query, format, self.operands.len())?;
        match operand::fact_text(query, format, modes.at(0), modes.edition) {
            (text, Some(code)) => writeln!(out, "{text} {}", text::hex(decode(format, code)))?,
            (text, None) => writeln!(out, "{text}")?,
        }
        Ok(Status::Done)
    }
}
