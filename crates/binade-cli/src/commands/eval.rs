//! `binade eval`

use std::io::{self, Write};

use binade::block::Element;
use binade::ops::Query;
use binade::{Answer, Datum, Format, Projection, decode, project, text};
use clap::Args;

use crate::batch::{self, Evaluator, answer_text};
use crate::block_operation::{BlockArgs, BlockOperation, Performer};
use crate::modes::{ModeArgs, Modes};
use crate::operand::{self, OperandError, Sources, Target};
use crate::{Error, Output, Status, terminal};

/// Arguments of `binade eval`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The operation, or a question about a format (4.0 §4.14, §4.15); `binade conformance` lists them. Of blocks (4.0 §5): convert_from_block, convert_to_block,
    /// convert_to_block_max_abs_finite, block_reduce_add, block_reduce_multiply, block_dot_product, block_OP, scaled_OP
    #[arg(value_name = "OP", required_unless_present = "batch")]
    operation: Option<String>,
    /// Codes, or values marked =1.5, which are rounded to the operand's format to nearest even; of a block
    /// SCALE:ELEMENT,ELEMENT,…, rows of it with ; between them, and last the scale of a result that is a block
    #[arg(value_name = "OPERAND")]
    operands: Vec<String>,
    /// The operands' formats: one for all, or one each; of blocks SCALE/ELEMENT, where elements may be mxint8, too
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
            self.blocks.resolve().none()?;
        }
        if let Some(query) = Query::from_name(name) {
            return self.query(query, sources, modes, out);
        }
        if let Some(operation) = block {
            return self.of_blocks(operation, sources, modes, out);
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
    fn of_blocks(
        &self,
        operation: BlockOperation,
        sources: &str,
        modes: Modes,
        out: &mut Output,
    ) -> Result<Status, Error> {
        let performer =
            Performer::new(operation, sources, self.to.as_ref().map(Target::text), modes.edition)?;
        let performer = self.blocks.resolve().on(performer)?;
        let operands = performer.operands(&self.operands, element)?;
        let outcome = performer.perform(&operands, modes.at(0))?;
        writeln!(out, "{} {} {}", outcome.codes(), outcome.values()?, outcome.flags())?;
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
