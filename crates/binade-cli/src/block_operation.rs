//! Operations on blocks (4.0 §5) by name, as `eval` and `vectors` perform them.
//!
//! A block is written `SCALE:ELEMENT,ELEMENT,…`, its formats `SCALE/ELEMENT`. Operands and results:
//!
//! | operation | operands | result |
//! |---|---|---|
//! | `convert_from_block` | block | elements |
//! | `convert_to_block` | elements, the result's scale | block |
//! | `convert_to_block_max_abs_finite` | elements | block |
//! | `block_reduce_add`, `block_reduce_multiply` | block | a value |
//! | `block_dot_product` | block, block | a value |
//! | `block_OP` | a block for each operand of OP, the result's scale | block |
//! | `scaled_OP` | a block of one element for each operand of OP | a value |

use binade::ops::block::{self as blocks, Block, is_block_operation};
use binade::table::code_text;
use binade::{Datum, Edition, Flags, Format, Operation, Operator, Projection, Rounded, Spec, decode, text};
use binade_fma::{Order, blocks as sums};

use crate::Error;
use crate::operand::quoted;

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
    pub(crate) element: Format,
}

impl Formats {
    fn parse(text: &str, block: bool) -> Result<Formats, Error> {
        let (scale, element) = match text.split_once('/') {
            Some((scale, element)) => (Some(scale.parse::<Spec>()?.format), element),
            None => (None, text),
        };
        match scale.is_some() == block {
            true => Ok(Formats { scale, element: element.parse::<Spec>()?.format }),
            false => Err(Error::BlockFormats { text: quoted(text.as_bytes()), block }),
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
}

/// An operand: its scale and its elements, where it has them.
#[derive(Clone, Debug)]
pub(crate) struct Operand {
    pub(crate) scale: Option<Datum>,
    pub(crate) elements: Vec<Datum>,
}

impl Performer {
    /// Reads the formats of operands, one for all or one each, and that of the result. 0.9.1 has no blocks.
    pub(crate) fn new(
        operation: BlockOperation,
        sources: &str,
        to: Option<&str>,
        edition: Option<Edition>,
    ) -> Result<Performer, Error> {
        if edition == Some(Edition::Interim) {
            return Err(Error::BlockEdition);
        }
        let shapes = operation.shapes();
        let given = Spec::split_list(sources);
        let wanted = shapes.iter().filter(|shape| **shape != Shape::Scale).count();
        if given.len() != 1 && given.len() != wanted {
            return Err(Error::BlockOperands { wanted, given: given.len() });
        }
        let to = match to {
            Some(text) => Formats::parse(text, operation.to_block())?,
            // That of the first operand, where it has the same shape.
            None if operation.to_block() == given[0].contains('/') => {
                Formats::parse(given[0], operation.to_block())?
            }
            None => {
                return Err(Error::BlockFormats { text: "no --out".to_owned(), block: operation.to_block() });
            }
        };
        let mut sources_of = vec![];
        let mut next = 0;
        for shape in shapes {
            let formats = match shape {
                Shape::Scale => Formats { scale: None, element: to.scale.unwrap_or(to.element) },
                _ => {
                    let text = given[next % given.len()];
                    next += 1;
                    Formats::parse(text, shape == Shape::Block)?
                }
            };
            sources_of.push((shape, formats));
        }
        Ok(Performer { operation, sources: sources_of, to, sum: None })
    }

    /// The same with elements summed under an operator, in an order.
    pub(crate) fn summed_by(self, operator: Operator, order: Order) -> Result<Performer, Error> {
        match self.operation {
            BlockOperation::ReduceAdd | BlockOperation::DotProduct => {
                Ok(Performer { sum: Some((operator, order)), ..self })
            }
            _ => Err(Error::BlockSum),
        }
    }

    /// Reads operands; `element` reads one code or value.
    pub(crate) fn operands(
        &self,
        texts: &[String],
        element: impl Fn(&str, Format) -> Result<Datum, Error>,
    ) -> Result<Vec<Operand>, Error> {
        if texts.len() != self.sources.len() {
            return Err(Error::BlockOperands { wanted: self.sources.len(), given: texts.len() });
        }
        let each = texts.iter().zip(&self.sources).map(|(text, (shape, formats))| {
            let (scale, elements) = match (formats.scale, text.split_once(':')) {
                (Some(format), Some((scale, elements))) => (Some(element(scale, format)?), elements),
                (None, None) => (None, &**text),
                _ => {
                    return Err(Error::BlockFormats {
                        text: quoted(text.as_bytes()),
                        block: formats.scale.is_some(),
                    });
                }
            };
            let elements = elements
                .split(',')
                .map(|text| element(text, formats.element))
                .collect::<Result<Vec<_>, _>>()?;
            let one = *shape == Shape::Scale || self.operation.of_one();
            match one && elements.len() != 1 {
                true => Err(Error::BlockOperands { wanted: 1, given: elements.len() }),
                false => Ok(Operand { scale, elements }),
            }
        });
        each.collect()
    }

    /// Performs the operation.
    pub(crate) fn perform(&self, operands: &[Operand], how: Projection) -> Result<Outcome, Error> {
        let (to, element) = (self.to.scale, self.to.element);
        let block = |at: usize| match operands[at].scale {
            Some(scale) => Ok(Block { scale, elements: &operands[at].elements }),
            None => Err(Error::BlockOperands { wanted: 1, given: 0 }),
        };
        let value = |rounded: Rounded| Outcome { scale: None, elements: vec![rounded], to: element };
        let given = operands.iter().take_while(|operand| operand.scale.is_some()).count();
        let all = || (0..given).map(block).collect::<Result<Vec<_>, Error>>();
        let result_scale = operands[operands.len() - 1].elements[0];
        Ok(match self.operation {
            BlockOperation::ConvertFrom => Outcome {
                scale: None,
                elements: blocks::convert_from_block(block(0)?, element, how)?,
                to: element,
            },
            BlockOperation::ConvertTo => {
                let elements = blocks::convert_to_block(&operands[0].elements, result_scale, element, how)?;
                Outcome { scale: Some((result_scale, Flags::NONE)), elements, to: element }
            }
            BlockOperation::ConvertToMaxAbsFinite => {
                let scales = to.unwrap_or(element);
                let found = blocks::convert_to_block_max_abs_finite(
                    &operands[0].elements,
                    scales,
                    how,
                    element,
                    how,
                )?;
                let scale = Datum::new(scales, found.0.code)?;
                Outcome { scale: Some((scale, found.0.flags)), elements: found.1, to: element }
            }
            BlockOperation::ReduceAdd => value(match &self.sum {
                None => blocks::block_reduce_add(block(0)?, element, how)?,
                Some((operator, order)) => sums::block_reduce_add(operator, *order, block(0)?, element, how)?,
            }),
            BlockOperation::ReduceMultiply => value(blocks::block_reduce_multiply(block(0)?, element, how)?),
            BlockOperation::DotProduct => value(match &self.sum {
                None => blocks::block_dot_product(block(0)?, block(1)?, element, how)?,
                Some((operator, order)) => {
                    sums::block_dot_product(operator, *order, block(0)?, block(1)?, element, how)?
                }
            }),
            BlockOperation::Each(operation) => {
                let elements = blocks::block_op(operation, &all()?, result_scale, element, how)?;
                Outcome { scale: Some((result_scale, Flags::NONE)), elements, to: element }
            }
            BlockOperation::Scaled(operation) => {
                let pairs: Vec<(Datum, Datum)> =
                    all()?.iter().map(|block| (block.scale, block.elements[0])).collect();
                value(blocks::scaled_op(operation, &pairs, element, how)?)
            }
        })
    }
}

/// What an operation gives.
pub(crate) struct Outcome {
    /// A block's scale, and the flags of it.
    scale: Option<(Datum, Flags)>,
    elements: Vec<Rounded>,
    to: Format,
}

impl Outcome {
    /// `SCALE:CODE,CODE`, or `CODE,CODE`.
    pub(crate) fn codes(&self) -> String {
        let elements: Vec<u64> = self.elements.iter().map(|rounded| rounded.code).collect();
        codes_text(self.scale.map(|(scale, _)| scale), self.to, &elements)
    }

    /// The values in the same form; those of elements are before scaling.
    pub(crate) fn values(&self) -> String {
        let value = |format: Format, code: u64| text::hex(decode(format, code));
        let elements: Vec<String> =
            self.elements.iter().map(|rounded| value(self.to, rounded.code)).collect();
        let scale = self.scale.map_or(String::new(), |(scale, _)| value(scale.format(), scale.code()) + ":");
        scale + &elements.join(",")
    }

    /// The flags of all together.
    pub(crate) fn flags(&self) -> Flags {
        let of_scale = self.scale.map_or(Flags::NONE, |(_, flags)| flags);
        self.elements.iter().fold(of_scale, |flags, rounded| flags | rounded.flags)
    }
}

/// An operand as it is written.
pub(crate) fn operand_text(operand: &Operand, element: Format) -> String {
    let codes: Vec<u64> = operand.elements.iter().map(Datum::code).collect();
    codes_text(operand.scale, element, &codes)
}

fn codes_text(scale: Option<Datum>, element: Format, codes: &[u64]) -> String {
    let elements =
        codes.iter().map(|code| code_text(element, *code).to_string()).collect::<Vec<_>>().join(",");
    match scale {
        Some(scale) => format!("{}:{elements}", code_text(scale.format(), scale.code())),
        None => elements,
    }
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
