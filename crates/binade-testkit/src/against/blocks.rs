//! Operations on blocks (P3109 4.0 §5) compared with the oracle: codes and flags.

use super::{Both, Tally, flag_bits, projection};
use crate::block::{self as oracle, Block};
use crate::generate::Generator;
use crate::ops::{Operand, raise};
use crate::round::{Exact, Located, Mode, Rounded, Saturation};
use binade::ops::{self as ours, BlockError, Operation};
use binade::{Datum, Projection};

/// The codes of a block.
#[derive(Clone, Debug)]
pub struct Codes<'a> {
    /// format and code of the scale
    pub scale: (&'a Both, u64),
    /// the format of elements
    pub format: &'a Both,
    /// their codes
    pub elements: Vec<u64>,
}

impl<'a> Codes<'a> {
    /// Codes with many edge cases.
    pub fn random(random: &mut Generator, scales: &'a Both, format: &'a Both, size: usize) -> Codes<'a> {
        let scale = (scales, random.code(&scales.oracle));
        Codes { scale, format, elements: (0..size).map(|_| random.code(&format.oracle)).collect() }
    }

    fn oracle(&self) -> Block<'_> {
        Block::new((&self.scale.0.oracle, self.scale.1), &self.format.oracle, &self.elements)
    }

    fn data(&self) -> Option<(Datum, Vec<Datum>)> {
        let elements = self.elements.iter().map(|&code| datum((self.format, code)));
        Some((datum(self.scale)?, elements.collect::<Option<Vec<Datum>>>()?))
    }
}

fn datum((both, code): (&Both, u64)) -> Option<Datum> {
    Datum::new(both.ours.format, code).ok()
}

/// A code as 4.0 reads it.
fn read<'a>((both, code): (&'a Both, u64)) -> Operand<'a> {
    Operand::new(&both.oracle, code).read(true)
}

fn is_subnormal((both, code): (&Both, u64)) -> bool {
    both.oracle.is_subnormal(code)
}

/// The operation; operations with a block as their result use its scale.
#[derive(Clone, Copy, Debug)]
pub enum What<'a> {
    /// §5.2.1
    ConvertFrom,
    /// §5.2.2, for the elements of the block
    ConvertTo((&'a Both, u64)),
    /// §5.2.3, for the elements of the block: the format of the scale, and its rounding
    MaxAbsFinite(&'a Both, Mode, Saturation),
    /// §5.3.1
    ReduceAdd,
    /// §5.3.1
    ReduceMultiply,
    /// §5.3.2
    DotProduct,
    /// §5.4
    Each(Operation, (&'a Both, u64)),
    /// §5.5, for the first elements
    Scaled(Operation),
}

/// An operation on blocks into a format.
#[derive(Debug)]
pub struct BlockCall<'a> {
    /// the operation
    pub what: What<'a>,
    /// its operands
    pub blocks: &'a [Codes<'a>],
    /// the format of result elements
    pub to: &'a Both,
}

/// The oracle's result before rounding, and true if an operand was subnormal.
type Before = Vec<(Exact, bool)>;

impl BlockCall<'_> {
    /// Compares every result in every given mode and saturation.
    pub fn compare(&self, modes: &[Mode], saturations: &[Saturation], tally: &mut Tally) {
        let Some(before) = self.oracle(tally) else {
            return tally.record(false, || format!("the oracle has no {:?}", self.what));
        };
        let located: Vec<(Located, bool)> = before
            .iter()
            .map(|(exact, denormal)| (Located::new(&self.to.oracle, exact), *denormal))
            .collect();
        for &mode in modes {
            for &saturation in saturations {
                let results = self.ours(projection(mode, saturation));
                let theirs: Vec<Rounded> = located
                    .iter()
                    .map(|(located, denormal)| raise(located.project_in(mode, saturation, true), *denormal))
                    .collect();
                let Some(results) = results.filter(|results| results.len() == theirs.len()) else {
                    tally.record(false, || format!("binade has no result of {self:?}"));
                    continue;
                };
                for (at, (ours, theirs)) in results.iter().zip(&theirs).enumerate() {
                    tally.record(ours == theirs, || {
                        format!("{self:?} {mode:?} {saturation:?} {at}: oracle {theirs:x?}, binade {ours:x?}")
                    });
                }
            }
        }
    }

    fn oracle(&self, tally: &mut Tally) -> Option<Before> {
        let blocks: Vec<Block> = self.blocks.iter().map(Codes::oracle).collect();
        let first = &blocks[0];
        let all = || {
            self.blocks.iter().any(|block| {
                is_subnormal(block.scale)
                    || block.elements.iter().any(|&code| is_subnormal((block.format, code)))
            })
        };
        let of_each = |values: Vec<Exact>, blocks: &[Codes], scale: Option<(&Both, u64)>| -> Before {
            let denormal = |at: usize| {
                let of = |block: &Codes| {
                    is_subnormal(block.scale) || is_subnormal((block.format, block.elements[at]))
                };
                blocks.iter().any(of) || scale.is_some_and(is_subnormal)
            };
            values.into_iter().enumerate().map(|(at, value)| (value, denormal(at))).collect()
        };
        // The block's scale is not an operand of conversions to blocks.
        let of_elements = |values: Vec<Exact>, scale: (&Both, u64)| -> Before {
            let codes = self.blocks[0].elements.iter().map(|&code| (self.blocks[0].format, code));
            let denormal = codes.map(|element| is_subnormal(element) || is_subnormal(scale));
            values.into_iter().zip(denormal).collect()
        };
        Some(match self.what {
            What::ConvertFrom => of_each(oracle::convert_from_block(first), &self.blocks[..1], None),
            What::ConvertTo(scale) => {
                of_elements(oracle::convert_to_block(&first.elements, &read(scale)), scale)
            }
            What::MaxAbsFinite(scales, mode, saturation) => {
                let exact = oracle::max_abs_finite(&first.elements);
                let rounded = Located::new(&scales.oracle, &exact).project_in(mode, saturation, true);
                let codes = self.blocks[0].elements.iter().map(|&code| (self.blocks[0].format, code));
                let theirs = raise(rounded, codes.into_iter().any(is_subnormal));
                let ours = self.scale_of(scales, projection(mode, saturation));
                tally.record(ours == Some(theirs), || {
                    format!("{self:?}, the scale: oracle {theirs:x?}, binade {ours:x?}")
                });
                let scale = (scales, theirs.code);
                of_elements(oracle::convert_to_block(&first.elements, &read(scale)), scale)
            }
            What::ReduceAdd => vec![(oracle::block_reduce_add(first), all())],
            What::ReduceMultiply => vec![(oracle::block_reduce_multiply(first), all())],
            What::DotProduct => vec![(oracle::block_dot_product(first, &blocks[1]), all())],
            What::Each(operation, scale) => {
                let values = oracle::block_op(operation.name(), &blocks, &read(scale))?;
                of_each(values, self.blocks, Some(scale))
            }
            What::Scaled(operation) => {
                let one = Both::named("f32").ok()?;
                let values = oracle::block_op(operation.name(), &blocks, &read((&one, 0x3f80_0000)))?;
                let mut before = of_each(values, self.blocks, None);
                before.truncate(1);
                before
            }
        })
    }

    fn scale_of(&self, scales: &Both, how: Projection) -> Option<Rounded> {
        let (_, elements) = self.blocks[0].data()?;
        let (to, scales) = (self.to.ours.format, scales.ours.format);
        Some(translated(ours::convert_to_block_max_abs_finite(&elements, scales, how, to, how).ok()?.0))
    }

    fn ours(&self, how: Projection) -> Option<Vec<Rounded>> {
        let data: Vec<(Datum, Vec<Datum>)> = self.blocks.iter().map(Codes::data).collect::<Option<_>>()?;
        let blocks: Vec<ours::Block> =
            data.iter().map(|(scale, elements)| ours::Block { scale: *scale, elements }).collect();
        let (to, elements) = (self.to.ours.format, &data[0].1);
        let one = |result: Result<binade::Rounded, BlockError>| result.map(|rounded| vec![rounded]);
        let results = match self.what {
            What::ConvertFrom => ours::convert_from_block(blocks[0], to, how),
            What::ConvertTo(scale) => ours::convert_to_block(elements, datum(scale)?, to, how),
            What::MaxAbsFinite(scales, mode, saturation) => {
                let (scales, scale_how) = (scales.ours.format, projection(mode, saturation));
                ours::convert_to_block_max_abs_finite(elements, scales, scale_how, to, how)
                    .map(|(_, elements)| elements)
            }
            What::ReduceAdd => one(ours::block_reduce_add(blocks[0], to, how)),
            What::ReduceMultiply => one(ours::block_reduce_multiply(blocks[0], to, how)),
            What::DotProduct => one(ours::block_dot_product(blocks[0], blocks[1], to, how)),
            What::Each(operation, scale) => ours::block_op(operation, &blocks, datum(scale)?, to, how),
            What::Scaled(operation) => {
                let pairs: Vec<(Datum, Datum)> = blocks
                    .iter()
                    .map(|block| Some((block.scale, *block.elements.first()?)))
                    .collect::<Option<_>>()?;
                one(ours::scaled_op(operation, &pairs, to, how))
            }
        };
        Some(results.ok()?.into_iter().map(translated).collect())
    }
}

fn translated(rounded: binade::Rounded) -> Rounded {
    Rounded { code: rounded.code, flags: flag_bits(rounded.flags) }
}
