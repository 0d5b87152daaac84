//! Operations on blocks (4.0 §5) by name, as `eval` and `vectors` perform them.
//!
//! A block is written `SCALE:ELEMENT,ELEMENT,…`, with a `;` between rows where it has several, its formats `SCALE/ELEMENT`. An
//! operation goes by rows and knows nothing of them; all operands must have the same. Operands and results:
//!
//! | operation | operands | result |
//! |---|---|---|
//! | `convert_from_block` | block | elements |
//! | `convert_to_block` | elements, the result's scale unless that follows by a rule | block |
//! | `convert_to_block_max_abs_finite` | elements | block |
//! | `block_reduce_add`, `block_reduce_multiply` | block | a value |
//! | `block_dot_product` | block, block | a value |
//! | `block_OP` | a block for each operand of OP, the result's scale | block |
//! | `scaled_OP` | a block of one element for each operand of OP | a value |

use binade::block::{BlockFormat, Element, ScaleRule};
use binade::ops::block::{self as blocks, Block, is_block_operation};
use binade::table::code_text;
use binade::{Datum, Edition, Flags, Format, Operation, Operator, Projection, Rounded, Spec, text};
use binade_fma::{Order, blocks as sums};
use clap::Args;
use thiserror::Error;

use crate::operand::{OperandError, quoted};
use crate::text_table::counted;

/// Formats, operands or options that an operation on blocks cannot take.
#[derive(Debug, Error)]
pub(crate) enum BlockOperationError {
    #[error(transparent)]
    Operand(#[from] OperandError),
    #[error(transparent)]
    Block(#[from] binade::ops::BlockError),
    #[error(transparent)]
    Sum(#[from] binade_fma::blocks::BlockSumError),
    #[error(
        "--arith and --order without a sum: only block_reduce_add and block_dot_product sum the elements of blocks"
    )]
    ArithUnused,
    #[error("--scale-rule without a scale to compute: only convert_to_block computes its scale by a rule")]
    ScaleRuleUnused,
    #[error("--edition 0.9.1 has no operations on blocks: leave it out, or name 4.0")]
    Edition,
    #[error("missing --out: the result {}", if *.block { "is a block: name its format SCALE/ELEMENT" } else { "has no scale: name its format" })]
    OutMissing { block: bool },
    #[error("expected 1 operand format, or {expected}, one for each operand except scales: got {given}")]
    FormatCount { expected: usize, given: usize },
    #[error(
        "expected {}, got {given}: blocks SCALE:ELEMENT,…, and last the scale of a result that is a block",
        counted(*.expected, "operand")
    )]
    OperandCount { expected: usize, given: usize },
    #[error(
        "expected 1 element, got {given}: a scale is one code, and scaled operations take blocks of one element"
    )]
    ElementCount { given: usize },
    #[error(
        "row {row} of a block has {given} elements and the first row {first}: rows must have the same length"
    )]
    RowLength {
        first: usize,
        /// The number of the row, from 1.
        row: usize,
        given: usize,
    },
    #[error(
        "blocks of {} x {} and of {} x {} elements: all operands must have the same rows and columns",
        .first.0, .first.1, .other.0, .other.1
    )]
    Shapes { first: (usize, usize), other: (usize, usize) },
}

impl From<binade::SpecError> for BlockOperationError {
    fn from(error: binade::SpecError) -> BlockOperationError {
        OperandError::from(error).into()
    }
}

impl From<binade::DatumError> for BlockOperationError {
    fn from(error: binade::DatumError) -> BlockOperationError {
        OperandError::from(error).into()
    }
}

/// An operation of §5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BlockOperation {
    ConvertFrom,
    ConvertTo,
    ConvertToMaxAbsFinite,
    ReduceAdd,
    ReduceMultiply,
    DotProduct,
    Each(Operation),
    Scaled(Operation),
}

/// What an operand is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Block,
    Elements,
    /// The scale of the result.
    Scale,
}

const NAMED: [(&str, BlockOperation); 6] = [
    ("convert_from_block", BlockOperation::ConvertFrom),
    ("convert_to_block", BlockOperation::ConvertTo),
    ("convert_to_block_max_abs_finite", BlockOperation::ConvertToMaxAbsFinite),
    ("block_reduce_add", BlockOperation::ReduceAdd),
    ("block_reduce_multiply", BlockOperation::ReduceMultiply),
    ("block_dot_product", BlockOperation::DotProduct),
];

impl BlockOperation {
    /// The names of those that have their own.
    pub(crate) fn named() -> impl Iterator<Item = &'static str> {
        NAMED.into_iter().map(|(name, _)| name)
    }

    /// Every name.
    pub(crate) fn names() -> impl Iterator<Item = String> {
        let listed = Operation::ALL.into_iter().filter(|operation| is_block_operation(*operation));
        let each =
            listed.flat_map(|operation| ["block_", "scaled_"].map(|of| of.to_owned() + operation.name()));
        let each = each.filter(|name| BlockOperation::from_name(name).is_some());
        BlockOperation::named().map(str::to_owned).chain(each)
    }

    /// The operation of this name. Names of chapter 4's operations, three scaled ones among them, are not these.
    pub(crate) fn from_name(name: &str) -> Option<BlockOperation> {
        if Operation::from_name(name).is_some() {
            return None;
        }
        if let Some((_, operation)) = NAMED.iter().find(|(known, _)| *known == name) {
            return Some(*operation);
        }
        let of = |rest: &str| Operation::from_name(rest).filter(|operation| is_block_operation(*operation));
        match (name.strip_prefix("block_"), name.strip_prefix("scaled_")) {
            (Some(rest), _) => of(rest).map(BlockOperation::Each),
            (_, Some(rest)) => of(rest).map(BlockOperation::Scaled),
            _ => None,
        }
    }

    /// Its operands.
    pub(crate) fn shapes(self) -> Vec<Shape> {
        match self {
            BlockOperation::ConvertFrom | BlockOperation::ReduceAdd | BlockOperation::ReduceMultiply => {
                vec![Shape::Block]
            }
            BlockOperation::ConvertTo => vec![Shape::Elements, Shape::Scale],
            BlockOperation::ConvertToMaxAbsFinite => vec![Shape::Elements],
            BlockOperation::DotProduct => vec![Shape::Block; 2],
            BlockOperation::Each(operation) => {
                let mut shapes = vec![Shape::Block; operation.arity()];
                shapes.push(Shape::Scale);
                shapes
            }
            BlockOperation::Scaled(operation) => vec![Shape::Block; operation.arity()],
        }
    }

    /// Whether blocks have one element.
    pub(crate) fn of_one(self) -> bool {
        matches!(self, BlockOperation::Scaled(_))
    }

    /// Whether the result is a block.
    fn to_block(self) -> bool {
        matches!(
            self,
            BlockOperation::ConvertTo | BlockOperation::ConvertToMaxAbsFinite | BlockOperation::Each(_)
        )
    }
}

/// The formats of a block, or of elements alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Formats {
    pub(crate) scale: Option<Format>,
    pub(crate) element: Element,
}

impl Formats {
    fn parse(text: &str, block: bool) -> Result<Formats, OperandError> {
        let (scale, element) = match text.split_once('/') {
            Some((scale, element)) => (Some(scale.parse::<Spec>()?.format), element),
            None => (None, text),
        };
        match scale.is_some() == block {
            true => Ok(Formats { scale, element: element.parse()? }),
            false => Err(misshapen(text, block)),
        }
    }
}

/// The error of a format or an operand that has a scale without being a `block`, or the reverse.
fn misshapen(text: &str, block: bool) -> OperandError {
    let text = quoted(text.as_bytes());
    if block { OperandError::BlockExpected(text) } else { OperandError::UnexpectedScale(text) }
}

/// What is said of operations on blocks beside formats and modes.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfBlocks {
    /// What elements are summed by.
    pub(crate) sum: Option<(Operator, Order)>,
    /// How scales follow.
    pub(crate) rule: Option<ScaleRule>,
}

impl OfBlocks {
    /// An operation with it.
    pub(crate) fn on(&self, performer: Performer) -> Result<Performer, BlockOperationError> {
        let performer = match &self.sum {
            Some((operator, order)) => performer.summed_by(operator.clone(), *order)?,
            None => performer,
        };
        match self.rule {
            Some(rule) => performer.scaled_by(rule),
            None => Ok(performer),
        }
    }

    /// That nothing is said, as of operations without blocks.
    pub(crate) fn none(&self) -> Result<(), BlockOperationError> {
        match (&self.sum, self.rule) {
            (Some(_), _) => Err(BlockOperationError::ArithUnused),
            (None, Some(_)) => Err(BlockOperationError::ScaleRuleUnused),
            (None, None) => Ok(()),
        }
    }
}

/// `--arith`, `--order` and `--scale-rule`.
#[derive(Args, Clone, Debug)]
pub(crate) struct BlockArgs {
    /// Sum the elements of block_reduce_add and block_dot_product under an operator, INPUTS:ACCUMULATOR as in `matmul`; the
    /// scales and the rounding mode follow [default: exact]
    #[arg(long, value_name = "OPERATOR")]
    arith: Option<Operator>,
    /// The order of that sum, as in `matmul`
    #[arg(long, value_name = "ORDER", requires = "arith", default_value = "sequential")]
    order: Order,
    /// Let the scale of convert_to_block follow: floor, rceil, even, ceil, nearest or max_abs_finite; it is no operand then
    #[arg(long, value_name = "RULE")]
    scale_rule: Option<ScaleRule>,
}

impl BlockArgs {
    pub(crate) fn resolve(&self) -> OfBlocks {
        OfBlocks {
            sum: self.arith.as_ref().map(|operator| (operator.clone(), self.order)),
            rule: self.scale_rule,
        }
    }
}

/// An operation with its formats.
#[derive(Debug)]
pub(crate) struct Performer {
    operation: BlockOperation,
    /// Of each operand; those of a scale have it as the element.
    pub(crate) sources: Vec<(Shape, Formats)>,
    to: Formats,
    /// What elements are summed by; none: exactly, and rounded once with the scales.
    sum: Option<(Operator, Order)>,
    /// How the scale of `convert_to_block` follows; none: it is an operand.
    rule: Option<ScaleRule>,
}

/// An operand: its scale, where it has one, and its elements in rows.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    scale: Option<Datum>,
    element: Element,
    codes: Vec<u64>,
    /// What the codes stand for.
    elements: Vec<Datum>,
    /// Elements of a row.
    columns: usize,
}

impl Operand {
    /// Codes in rows of so many.
    pub(crate) fn new(
        scale: Option<Datum>,
        element: Element,
        codes: Vec<u64>,
        columns: usize,
    ) -> Result<Operand, BlockOperationError> {
        let elements = codes.iter().map(|&code| element.datum(code)).collect::<Result<Vec<_>, _>>()?;
        Ok(Operand { scale, element, codes, elements, columns })
    }

    /// Rows and columns.
    fn shape(&self) -> (usize, usize) {
        (self.codes.len() / self.columns.max(1), self.columns)
    }
}

/// As it is written.
impl std::fmt::Display for Operand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&codes_text(self.scale, self.element, &self.codes, self.columns))
    }
}

impl Performer {
    /// Reads the formats of operands, one for all or one each, and that of the result. 0.9.1 has no blocks.
    pub(crate) fn new(
        operation: BlockOperation,
        sources: &str,
        to: Option<&str>,
        edition: Option<Edition>,
    ) -> Result<Performer, BlockOperationError> {
        if edition == Some(Edition::Interim) {
            return Err(BlockOperationError::Edition);
        }
        let shapes = operation.shapes();
        let given = Spec::split_list(sources);
        let wanted = shapes.iter().filter(|shape| **shape != Shape::Scale).count();
        if given.len() != 1 && given.len() != wanted {
            return Err(BlockOperationError::FormatCount { expected: wanted, given: given.len() });
        }
        let to = match to {
            Some(text) => Formats::parse(text, operation.to_block())?,
            // That of the first operand, where it has the same shape.
            None if operation.to_block() == given[0].contains('/') => {
                Formats::parse(given[0], operation.to_block())?
            }
            None => return Err(BlockOperationError::OutMissing { block: operation.to_block() }),
        };
        let mut sources_of = vec![];
        let mut next = 0;
        for shape in shapes {
            let formats = match shape {
                Shape::Scale => Formats { scale: None, element: to.scale.map_or(to.element, Element::Float) },
                _ => {
                    let text = given[next % given.len()];
                    next += 1;
                    Formats::parse(text, shape == Shape::Block)?
                }
            };
            sources_of.push((shape, formats));
        }
        Ok(Performer { operation, sources: sources_of, to, sum: None, rule: None })
    }

    /// The same with elements summed under an operator, in an order.
    pub(crate) fn summed_by(
        self,
        operator: Operator,
        order: Order,
    ) -> Result<Performer, BlockOperationError> {
        match self.operation {
            BlockOperation::ReduceAdd | BlockOperation::DotProduct => {
                Ok(Performer { sum: Some((operator, order)), ..self })
            }
            _ => Err(BlockOperationError::ArithUnused),
        }
    }

    /// The same of `convert_to_block` with the scale that follows by a rule in place of the one that is an operand.
    pub(crate) fn scaled_by(mut self, rule: ScaleRule) -> Result<Performer, BlockOperationError> {
        if self.operation != BlockOperation::ConvertTo {
            return Err(BlockOperationError::ScaleRuleUnused);
        }
        self.sources.truncate(1);
        Ok(Performer { rule: Some(rule), ..self })
    }

    /// Reads operands; `element` reads the code of one code or value.
    pub(crate) fn operands(
        &self,
        texts: &[String],
        element: impl Fn(&str, Element) -> Result<u64, OperandError>,
    ) -> Result<Vec<Operand>, BlockOperationError> {
        if texts.len() != self.sources.len() {
            let (expected, given) = (self.sources.len(), texts.len());
            return Err(BlockOperationError::OperandCount { expected, given });
        }
        let each = texts.iter().zip(&self.sources).map(|(text, (shape, formats))| {
            let (scale, elements) = match (formats.scale, text.split_once(':')) {
                (Some(format), Some((scale, elements))) => {
                    (Some(Datum::new(format, element(scale, format.into())?)?), elements)
                }
                (None, None) => (None, &**text),
                _ => return Err(misshapen(text, formats.scale.is_some()).into()),
            };
            let (mut codes, mut columns) = (vec![], 0);
            for (number, row) in elements.split(';').enumerate() {
                let before = codes.len();
                for text in row.split(',') {
                    codes.push(element(text, formats.element)?);
                }
                let given = codes.len() - before;
                if number > 0 && given != columns {
                    return Err(BlockOperationError::RowLength { first: columns, row: number + 1, given });
                }
                columns = given;
            }
            let one = *shape == Shape::Scale || self.operation.of_one();
            match one && codes.len() != 1 {
                true => Err(BlockOperationError::ElementCount { given: codes.len() }),
                false => Ok(Operand::new(scale, formats.element, codes, columns)?),
            }
        });
        let operands = each.collect::<Result<Vec<_>, _>>()?;
        let mut shapes = operands.iter().filter(|operand| operand.scale.is_some()).map(Operand::shape);
        if let Some(first) = shapes.next()
            && let Some(other) = shapes.find(|&other| other != first)
            // What differs in more than rows is the operation's error.
            && other.0 * other.1 == first.0 * first.1
        {
            return Err(BlockOperationError::Shapes { first, other });
        }
        Ok(operands)
    }

    /// Performs the operation.
    pub(crate) fn perform(
        &self,
        operands: &[Operand],
        how: Projection,
    ) -> Result<Outcome, BlockOperationError> {
        let (scales, element) = (self.to.scale.unwrap_or(self.to.element.grid()), self.to.element);
        let to = element.grid();
        let block = |at: usize| match operands[at].scale {
            Some(scale) => Ok(Block { scale, elements: &operands[at].elements }),
            None => Err(OperandError::BlockExpected(quoted(operands[at].to_string().as_bytes()))),
        };
        let given = operands.iter().take_while(|operand| operand.scale.is_some()).count();
        let all = || (0..given).map(block).collect::<Result<Vec<_>, OperandError>>();
        let result_scale = operands[operands.len() - 1].elements[0];
        let x = || &operands[0].elements;
        let mut scale = None;
        let results = match self.operation {
            BlockOperation::ConvertFrom => blocks::convert_from_block(block(0)?, to, how)?,
            BlockOperation::ConvertTo => {
                let by = match self.rule {
                    None => result_scale,
                    Some(rule) => {
                        let format = BlockFormat { element, scale: scales, shape: operands[0].shape(), rule };
                        Datum::new(scales, format.scale_of(x().iter().copied()))?
                    }
                };
                scale = Some((by, Flags::NONE));
                blocks::convert_to_block(x(), by, to, how)?
            }
            BlockOperation::ConvertToMaxAbsFinite => {
                let (found, elements) = blocks::convert_to_block_max_abs_finite(x(), scales, how, to, how)?;
                scale = Some((Datum::new(scales, found.code)?, found.flags));
                elements
            }
            BlockOperation::ReduceAdd => vec![match &self.sum {
                None => blocks::block_reduce_add(block(0)?, to, how)?,
                Some((operator, order)) => sums::block_reduce_add(operator, *order, block(0)?, to, how)?,
            }],
            BlockOperation::ReduceMultiply => vec![blocks::block_reduce_multiply(block(0)?, to, how)?],
            BlockOperation::DotProduct => vec![match &self.sum {
                None => blocks::block_dot_product(block(0)?, block(1)?, to, how)?,
                Some((operator, order)) => {
                    sums::block_dot_product(operator, *order, block(0)?, block(1)?, to, how)?
                }
            }],
            BlockOperation::Each(operation) => {
                scale = Some((result_scale, Flags::NONE));
                blocks::block_op(operation, &all()?, result_scale, to, how)?
            }
            BlockOperation::Scaled(operation) => {
                let pairs: Vec<(Datum, Datum)> =
                    all()?.iter().map(|block| (block.scale, block.elements[0])).collect();
                vec![blocks::scaled_op(operation, &pairs, to, how)?]
            }
        };
        let elements = results.into_iter().map(|rounded| element.coded(rounded)).collect();
        Ok(Outcome { scale, elements, element, columns: operands[0].columns })
    }
}

/// What an operation gives.
pub(crate) struct Outcome {
    /// A block's scale, and the flags of it.
    scale: Option<(Datum, Flags)>,
    elements: Vec<Rounded>,
    element: Element,
    columns: usize,
}

impl Outcome {
    /// `SCALE:CODE,CODE`, or `CODE,CODE`.
    pub(crate) fn codes(&self) -> String {
        let elements: Vec<u64> = self.elements.iter().map(|rounded| rounded.code).collect();
        codes_text(self.scale.map(|(scale, _)| scale), self.element, &elements, self.columns)
    }

    /// The values in the same form; those of elements are before scaling.
    pub(crate) fn values(&self) -> Result<String, BlockOperationError> {
        let value = |rounded: &Rounded| Ok(text::hex(self.element.datum(rounded.code)?.value()));
        let elements =
            self.elements.iter().map(value).collect::<Result<Vec<String>, BlockOperationError>>()?;
        let scale = self.scale.map(|(scale, _)| text::hex(scale.value()));
        Ok(in_rows(scale, &elements, self.columns))
    }

    /// The flags of all together.
    pub(crate) fn flags(&self) -> Flags {
        let of_scale = self.scale.map_or(Flags::NONE, |(_, flags)| flags);
        self.elements.iter().fold(of_scale, |flags, rounded| flags | rounded.flags)
    }
}

fn codes_text(scale: Option<Datum>, element: Element, codes: &[u64], columns: usize) -> String {
    let elements: Vec<String> = codes.iter().map(|code| code_text(element.grid(), *code)).collect();
    in_rows(scale.map(|scale| code_text(scale.format(), scale.code())), &elements, columns)
}

/// `SCALE:ELEMENT,ELEMENT;ELEMENT,ELEMENT`.
fn in_rows(scale: Option<String>, elements: &[String], columns: usize) -> String {
    let rows: Vec<String> = elements.chunks(columns.max(1)).map(|row| row.join(",")).collect();
    scale.map_or(String::new(), |scale| scale + ":") + &rows.join(";")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_of_4_has_its_names() {
        let mut count = 0;
        for operation in Operation::ALL.into_iter().filter(|operation| is_block_operation(*operation)) {
            let each = format!("block_{}", operation.name());
            assert_eq!(BlockOperation::from_name(&each), Some(BlockOperation::Each(operation)));
            let scaled = format!("scaled_{}", operation.name());
            let known = Operation::from_name(&scaled).is_some();
            assert_eq!(BlockOperation::from_name(&scaled).is_none(), known, "{scaled}");
            assert_eq!(
                BlockOperation::names().filter(|name| [&each, &scaled].contains(&name)).count(),
                2 - known as usize
            );
            count += 1;
        }
        // §5.4 counts 31 + 18 + 3 operations.
        assert_eq!(count, 52);
        assert_eq!(BlockOperation::from_name("block_class"), None);
        assert_eq!(BlockOperation::from_name("add"), None);
    }
}
