//! `binade eval`

use std::io::{self, Write};

use binade::ops::Query;
use binade::{Answer, Datum, Format, Operator, Projection, decode, project, text};
use binade_fma::Order;
use clap::Args;

use crate::batch::{self, Evaluator, answer_text};
use crate::block_operation::{BlockOperation, Performer};
use crate::modes::{ModeArgs, Modes};
use crate::operand::{self, Sources, Target};
use crate::{Error, Output, Status, terminal};

/// Arguments of `binade eval`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The operation, or a question about a format (4.0 §4.14, §4.15); `binade conformance` lists them. Of blocks (4.0 §5): convert_from_block, convert_to_block,
    /// convert_to_block_max_abs_finite, block_reduce_add, block_reduce_multiply, block_dot_product, block_OP, scaled_OP
    #[arg(value_name = "OP", required_unless_present = "batch")]
    operation: Option<String>,
    /// Codes, or values marked =1.5, which are rounded to the operand's format to nearest even; of a block
    /// SCALE:ELEMENT,ELEMENT,…, and last the scale of a result that is a block
    #[arg(value_name = "OPERAND")]
    operands: Vec<String>,
    /// The operands' formats: one for all, or one each; of blocks SCALE/ELEMENT
    #[arg(long = "in", value_name = "F[,F…]", required_unless_present = "batch")]
    sources: Option<String>,
    /// The result's format [default: the first operand's]
    #[arg(long = "out", value_name = "F")]
    to: Option<Target>,
    /// log2 of the scale factors [default: zeros]: of x and y for add_scaled, of the product for multiply_scaled, of
    /// the addend and the product for scaled_fma
    #[arg(long = "scale", value_name = "S[,S]", allow_hyphen_values = true)]
    scales: Option<String>,
    /// Read lines `OP IN[,IN…] OUT ROUNDING SATURATION OPERAND…[ scale=S[,S]][ random=R/N]` from standard input, operands
    /// being codes or blocks of codes (a question has none), and answer each by a line `RESULT FLAGS`, or `error: …` if it is bad (then the exit code
    /// is 2)
    #[arg(long, conflicts_with_all = ["operation", "operands", "sources", "to", "scales", "rounding", "saturation"])]
    batch: bool,
    /// Sum the elements of block_reduce_add and block_dot_product under an operator, INPUTS:ACCUMULATOR as in `matmul`; the
    /// scales and the rounding mode follow [default: exact]
    #[arg(long, value_name = "OPERATOR")]
    arith: Option<Operator>,
    /// The order of that sum, as in `matmul`
    #[arg(long, value_name = "ORDER", requires = "arith", default_value = "sequential")]
    order: Order,
    #[command(flatten)]
    modes: ModeArgs,
}

/// A code, or a value after `=`.
fn operand(text: &str, format: Format) -> Result<Datum, Error> {
    let Some(value) = text.strip_prefix('=') else {
        return operand::datum(text.as_bytes(), format);
    };
    let rounded = project(format, text::parse(value)?, Projection::default());
    let nan_asked = matches!(text::parse(value)?, binade::Value::Nan { .. }) && format.nan_code().is_some();
    if rounded.flags != binade::Flags::NONE && !nan_asked {
        let (code, nearest) =
            (binade::table::code_text(format, rounded.code), text::hex(decode(format, rounded.code)));
        terminal::report(
            "note",
            &crate::error::printable(&format!("{value} is not a value of {format}: used {code}, {nearest}")),
        );
    }
    Ok(Datum::new(format, rounded.code)?)
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        if self.batch {
            let evaluator = Evaluator::new(self.modes.bits()?, self.modes.seed);
            let mut evaluator = evaluator.in_edition(self.modes.edition);
            if let Some(operator) = self.arith {
                evaluator = evaluator.summed_by(operator, self.order);
            }
            return batch::run(&mut evaluator, &mut io::stdin().lock(), out);
        }
        let modes = self.modes.resolve()?;
        let name = self.operation.as_deref().unwrap_or_default();
        let sources = self.sources.as_deref().unwrap_or_default();
        let block = BlockOperation::from_name(name);
        if self.arith.is_some() && block.is_none() {
            return Err(Error::BlockSum);
        }
        if let Some(query) = Query::from_name(name) {
            return self.query(query, sources, modes, out);
        }
        if let Some(operation) = block {
            return self.blocks(operation, sources, modes, out);
        }
        let operation = operand::operation(name)?;
        let sources = Sources::parse(sources, operation)?;
        let to = self.to.as_ref().map(Target::plain).transpose()?;
        let edition = modes.edition.unwrap_or_else(|| sources.edition(to));
        let formats = sources.formats;
        let to = to.map_or(formats[0], |spec| spec.format);
        let scales = operand::scales(self.scales.as_deref(), operation)?;
        let mut operands = vec![];
        for (i, text) in self.operands.iter().enumerate() {
            // One too many is the operation's error, not the format list's.
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

    /// An operation on blocks: codes, their values, the flags of all.
    fn blocks(
        &self,
        operation: BlockOperation,
        sources: &str,
        modes: Modes,
        out: &mut Output,
    ) -> Result<Status, Error> {
        let performer =
            Performer::new(operation, sources, self.to.as_ref().map(Target::text), modes.edition)?;
        let performer = match &self.arith {
            Some(operator) => performer.summed_by(operator.clone(), self.order)?,
            None => performer,
        };
        let operands = performer.operands(&self.operands, operand)?;
        let outcome = performer.perform(&operands, modes.at(0))?;
        writeln!(out, "{} {} {}", outcome.codes(), outcome.values(), outcome.flags())?;
        Ok(Status::Done)
    }

    /// A question about the one format of `--in`, or about the modes.
    fn query(&self, query: Query, format: &str, modes: Modes, out: &mut Output) -> Result<Status, Error> {
        let format = operand::query_format(query, format, self.operands.len())?;
        match operand::fact_text(query, format, modes.at(0), modes.edition) {
            (text, Some(code)) => writeln!(out, "{text} {}", text::hex(decode(format, code)))?,
            (text, None) => writeln!(out, "{text}")?,
        }
        Ok(Status::Done)
    }
}
