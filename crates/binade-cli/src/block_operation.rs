//! Evaluates operations on blocks (4.0 §5) by name, for `eval` and `vectors`.
//!
//! A block is written `SCALE:ELEMENT,ELEMENT,…`, with `;` between rows, and its formats `SCALE/ELEMENT`. Operations ignore rows,
//! but all operands must have the same rows. Operands and results:
//!
//! | operation | operands | result |
//! |---|---|---|
//! | `convert_from_block` | block | elements |
//! | `convert_to_block` | elements, the result's scale unless a rule computes it | block |
//! | `convert_to_block_max_abs_finite` | elements | block |
//! | `block_reduce_add`, `block_reduce_multiply` | block | a value |
//! | `block_dot_product` | block, block | a value |
//! | `block_OP` | a block for each operand of OP, the result's scale | block |
//! | `scaled_OP` | a block of one element for each operand of OP | a value |

use binade::block::{BlockFormat, Element, ScaleRule};
use binade::ops::block::{self as blocks, Block, is_block_operation};
use binade::table::code_text;
use binade::{Datum, Edition, Flags, Format, Operation, Operator, Projection, Rounded, Spec, SumDraws, text};
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

/// The kind of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OperandKind {
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
    /// The names of operations that are not derived from one of chapter 4.
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

    /// The operation with this name. Operations of chapter 4, of which three are scaled, are not on blocks.
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

    /// The kinds of the operands.
    pub(crate) fn operand_kinds(self) -> Vec<OperandKind> {
        match self {
            BlockOperation::ConvertFrom | BlockOperation::ReduceAdd | BlockOperation::ReduceMultiply => {
                vec![OperandKind::Block]
            }
            BlockOperation::ConvertTo => vec![OperandKind::Elements, OperandKind::Scale],
            BlockOperation::ConvertToMaxAbsFinite => vec![OperandKind::Elements],
            BlockOperation::DotProduct => vec![OperandKind::Block; 2],
            BlockOperation::Each(operation) => {
                let mut kinds = vec![OperandKind::Block; operation.arity()];
                kinds.push(OperandKind::Scale);
                kinds
            }
            BlockOperation::Scaled(operation) => vec![OperandKind::Block; operation.arity()],
        }
    }

    /// Returns true if the blocks have one element.
    pub(crate) fn has_one_element(self) -> bool {
        matches!(self, BlockOperation::Scaled(_))
    }

    /// Returns true if the result is a block.
    fn is_to_block(self) -> bool {
        matches!(
            self,
            BlockOperation::ConvertTo | BlockOperation::ConvertToMaxAbsFinite | BlockOperation::Each(_)
        )
    }
}

/// The formats of a block, or of elements alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BlockFormats {
    pub(crate) scale: Option<Format>,
    pub(crate) element: Element,
}

impl BlockFormats {
    fn parse(text: &str, block: bool) -> Result<BlockFormats, OperandError> {
        let (scale, element) = match text.split_once('/') {
            Some((scale, element)) => (Some(scale.parse::<Spec>()?.format), element),
            None => (None, text),
        };
        match scale.is_some() == block {
            true => Ok(BlockFormats { scale, element: element.parse()? }),
            false => Err(misshapen(text, block)),
        }
    }
}

/// The error of a format or an operand that has a scale without being a `block`, or the reverse.
fn misshapen(text: &str, block: bool) -> OperandError {
    let text = quoted(text.as_bytes());
    if block { OperandError::BlockExpected(text) } else { OperandError::UnexpectedScale(text) }
}

/// Options of operations on blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockOptions {
    /// The operator and the order of sums of elements.
    pub(crate) sum: Option<(Operator, Order)>,
    /// The rule for scales.
    pub(crate) rule: Option<ScaleRule>,
}

impl BlockOptions {
    /// Applies the options to an operation.
    pub(crate) fn apply(&self, evaluator: BlockEvaluator) -> Result<BlockEvaluator, BlockOperationError> {
        let evaluator = match &self.sum {
            Some((operator, order)) => evaluator.with_sum(operator.clone(), *order)?,
            None => evaluator,
        };
        match self.rule {
            Some(rule) => evaluator.with_scale_rule(rule),
            None => Ok(evaluator),
        }
    }

    /// Refuses any option, for an operation without blocks.
    pub(crate) fn refuse_unused(&self) -> Result<(), BlockOperationError> {
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
    /// Sum the elements of block_reduce_add and block_dot_product under an operator, INPUTS:ACCUMULATOR as in `matmul`. The
    /// sum is then scaled and rounded by the rounding mode [default: exact]
    #[arg(long, value_name = "OPERATOR")]
    arith: Option<Operator>,
    /// The order of the sum of --arith, as in `matmul`
    #[arg(long, value_name = "ORDER", requires = "arith", default_value = "sequential")]
    order: Order,
    /// Compute the scale of convert_to_block by a rule: floor, rceil, even, ceil, nearest or max_abs_finite. It is then not an
    /// operand
    #[arg(long, value_name = "RULE")]
    scale_rule: Option<ScaleRule>,
}

impl BlockArgs {
    pub(crate) fn resolve(&self) -> BlockOptions {
        BlockOptions {
            sum: self.arith.as_ref().map(|operator| (operator.clone(), self.order)),
            rule: self.scale_rule,
        }
    }
}

/// An operation with its formats.
#[derive(Debug)]
pub(crate) struct BlockEvaluator {
    operation: BlockOperation,
    /// The kind and formats of each operand; a scale has its format as that of the element.
    pub(crate) sources: Vec<(OperandKind, BlockFormats)>,
    to: BlockFormats,
    /// The operator and order of sums; `None`: exact, rounded once with the scales.
    sum: Option<(Operator, Order)>,
    /// The rule for the scale of `convert_to_block`; `None`: it is an operand.
    rule: Option<ScaleRule>,
}

/// An operand: its scale, if it has one, and its elements in rows.
#[derive(Clone, Debug)]
pub(crate) struct BlockOperand {
    scale: Option<Datum>,
    element: Element,
    codes: Vec<u64>,
    /// The elements with these codes.
    elements: Vec<Datum>,
    /// The number of elements of a row.
    columns: usize,
}

impl BlockOperand {
    /// An operand with `columns` codes in each row.
    pub(crate) fn new(
        scale: Option<Datum>,
        element: Element,
        codes: Vec<u64>,
        columns: usize,
    ) -> Result<BlockOperand, BlockOperationError> {
        let elements = codes.iter().map(|&code| element.datum(code)).collect::<Result<Vec<_>, _>>()?;
        Ok(BlockOperand { scale, element, codes, elements, columns })
    }

    /// The numbers of rows and columns.
    fn shape(&self) -> (usize, usize) {
        (self.codes.len() / self.columns.max(1), self.columns)
    }
}

/// The text in arguments and vectors.
impl std::fmt::Display for BlockOperand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&codes_text(self.scale, self.element, &self.codes, self.columns))
    }
}

impl BlockEvaluator {
    /// Parses the formats of operands, one for all or one for each, and that of the result. 0.9.1 has no blocks.
    pub(crate) fn new(
        operation: BlockOperation,
        sources: &str,
        to: Option<&str>,
        edition: Option<Edition>,
    ) -> Result<BlockEvaluator, BlockOperationError> {
        if edition == Some(Edition::Interim) {
            return Err(BlockOperationError::Edition);
        }
        let kinds = operation.operand_kinds();
        let given = Spec::split_list(sources);
        let wanted = kinds.iter().filter(|kind| **kind != OperandKind::Scale).count();
        if given.len() != 1 && given.len() != wanted {
            return Err(BlockOperationError::FormatCount { expected: wanted, given: given.len() });
        }
        let to = match to {
            Some(text) => BlockFormats::parse(text, operation.is_to_block())?,
            // The default is the format of the first operand, if that can be the format of the result.
            None if operation.is_to_block() == given[0].contains('/') => {
                BlockFormats::parse(given[0], operation.is_to_block())?
            }
            None => return Err(BlockOperationError::OutMissing { block: operation.is_to_block() }),
        };
        let mut sources_of = vec![];
        let mut next = 0;
        for kind in kinds {
            let formats = match kind {
                OperandKind::Scale => {
                    BlockFormats { scale: None, element: to.scale.map_or(to.element, Element::Float) }
                }
                _ => {
                    let text = given[next % given.len()];
                    next += 1;
                    BlockFormats::parse(text, kind == OperandKind::Block)?
                }
            };
            sources_of.push((kind, formats));
        }
        Ok(BlockEvaluator { operation, sources: sources_of, to, sum: None, rule: None })
    }

    /// The operation with sums of elements under an operator, in an order.
    pub(crate) fn with_sum(
        self,
        operator: Operator,
        order: Order,
    ) -> Result<BlockEvaluator, BlockOperationError> {
        match self.operation {
            BlockOperation::ReduceAdd | BlockOperation::DotProduct => {
                Ok(BlockEvaluator { sum: Some((operator, order)), ..self })
            }
            _ => Err(BlockOperationError::ArithUnused),
        }
    }

    /// The operation `convert_to_block` with a scale computed by a rule instead of an operand.
    pub(crate) fn with_scale_rule(mut self, rule: ScaleRule) -> Result<BlockEvaluator, BlockOperationError> {
        if self.operation != BlockOperation::ConvertTo {
            return Err(BlockOperationError::ScaleRuleUnused);
        }
        self.sources.truncate(1);
        Ok(BlockEvaluator { rule: Some(rule), ..self })
    }

    /// Parses operands; `element` parses the code of one element.
    pub(crate) fn operands(
        &self,
        texts: &[String],
        element: impl Fn(&str, Element) -> Result<u64, OperandError>,
    ) -> Result<Vec<BlockOperand>, BlockOperationError> {
        if texts.len() != self.sources.len() {
            let (expected, given) = (self.sources.len(), texts.len());
            return Err(BlockOperationError::OperandCount { expected, given });
        }
        let each = texts.iter().zip(&self.sources).map(|(text, (kind, formats))| {
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
            let one = *kind == OperandKind::Scale || self.operation.has_one_element();
            match one && codes.len() != 1 {
                true => Err(BlockOperationError::ElementCount { given: codes.len() }),
                false => Ok(BlockOperand::new(scale, formats.element, codes, columns)?),
            }
        });
        let operands = each.collect::<Result<Vec<_>, _>>()?;
        let mut shapes = operands.iter().filter(|operand| operand.scale.is_some()).map(BlockOperand::shape);
        if let Some(first) = shapes.next()
            && let Some(other) = shapes.find(|&other| other != first)
            // The operation refuses blocks with different numbers of elements.
            && other.0 * other.1 == first.0 * first.1
        {
            return Err(BlockOperationError::Shapes { first, other });
        }
        Ok(operands)
    }

    /// Evaluates the operation. A stochastic accumulator of `--arith` takes the words of `draws`.
    pub(crate) fn evaluate(
        &self,
        operands: &[BlockOperand],
        how: Projection,
        draws: &SumDraws,
    ) -> Result<BlockResult, BlockOperationError> {
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
                Some((operator, order)) => {
                    sums::block_reduce_add(operator, *order, draws, block(0)?, to, how)?
                }
            }],
            BlockOperation::ReduceMultiply => vec![blocks::block_reduce_multiply(block(0)?, to, how)?],
            BlockOperation::DotProduct => vec![match &self.sum {
                None => blocks::block_dot_product(block(0)?, block(1)?, to, how)?,
                Some((operator, order)) => {
                    sums::block_dot_product(operator, *order, draws, block(0)?, block(1)?, to, how)?
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
        Ok(BlockResult { scale, elements, element, columns: operands[0].columns })
    }
}

/// The result of an operation.
pub(crate) struct BlockResult {
    /// The scale of a block, with its flags.
    scale: Option<(Datum, Flags)>,
    elements: Vec<Rounded>,
    element: Element,
    columns: usize,
}

impl BlockResult {
    /// `SCALE:CODE,CODE`, or `CODE,CODE`.
    pub(crate) fn codes(&self) -> String {
        let elements: Vec<u64> = self.elements.iter().map(|rounded| rounded.code).collect();
        codes_text(self.scale.map(|(scale, _)| scale), self.element, &elements, self.columns)
    }

    /// `SCALE:VALUE,VALUE`, or `VALUE,VALUE`; values of elements are those before scaling.
    pub(crate) fn values(&self) -> Result<String, BlockOperationError> {
        let value = |rounded: &Rounded| Ok(text::hex(self.element.datum(rounded.code)?.value()));
        let elements =
            self.elements.iter().map(value).collect::<Result<Vec<String>, BlockOperationError>>()?;
        let scale = self.scale.map(|(scale, _)| text::hex(scale.value()));
        Ok(in_rows(scale, &elements, self.columns))
    }

    /// The union of all flags.
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
    fn operation_of_4_0_is_found_by_its_names() {
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
