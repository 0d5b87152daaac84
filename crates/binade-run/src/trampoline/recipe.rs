//! The operators that have inline code, in the operations of [`Lanes`]: step by step what
//! [`Compound::multiply_add`] and [`binade::Operator::evaluate`] do.
//!
//! Up to nine scratch vectors are in use at a time, and four more by the caller: sixteen are enough, less the three of the
//! instruction.

use binade::catalog::{BF16, F32};
use binade::operator::{Compound, Variant};
use binade::{Format, NanCodes};
use binade_kernels::Narrow;

use super::lanes::{Lanes, Vector};
use super::pool::Constant;
use super::{Target, Unsupported};
use crate::fma::Addend;

/// An operator with inline code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Recipe {
    /// Parts of BF16; not `exact`.
    Parts(Compound),
    /// Inputs rounded to a format, the exact a · b + c rounded once to another; c to that first if `rounds_c`.
    Pair { inputs: Rounding, accumulator: Rounding, rounds_c: bool },
}

/// A rounding to a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    Binary32,
    Bf16,
    Narrow(Narrow),
    /// To a format without NaN, which becomes what overflow gives.
    WithoutNan(Narrow),
}

impl Rounding {
    fn to(format: Format) -> Option<Rounding> {
        if format == F32 {
            Some(Rounding::Binary32)
        } else if format == BF16 {
            Some(Rounding::Bf16)
        } else {
            let rounding = match format.nan() {
                NanCodes::None => Rounding::WithoutNan,
                _ => Rounding::Narrow,
            };
            Narrow::new(format).map(rounding)
        }
    }

    /// Any operand rounded, with signs flipped; it is given back if it is a scratch vector.
    fn input(
        self,
        lanes: &mut Lanes,
        operand: Vector,
        flip: Option<Constant>,
    ) -> Result<Vector, Unsupported> {
        if let Rounding::WithoutNan(_) = self {
            // The sign of NaN counts: it is not to be made clean.
            let copy = lanes.take();
            lanes.copy(copy, operand)?;
            discard(lanes, operand);
            if let Some(flip) = flip {
                lanes.flip(copy, copy, flip)?;
            }
            return self.round(lanes, copy);
        }
        let clean = cleaned(lanes, operand, flip)?;
        self.round(lanes, clean)
    }

    /// A clean scratch vector rounded; it is given back.
    fn round(self, lanes: &mut Lanes, x: Vector) -> Result<Vector, Unsupported> {
        match self {
            Rounding::Binary32 => Ok(x),
            Rounding::Bf16 => held(lanes, x, 1, false),
            Rounding::Narrow(narrow) => lanes.narrow(x, narrow, true),
            Rounding::WithoutNan(narrow) => lanes.narrow(x, narrow, false),
        }
    }
}

/// The signs of an instruction.
#[derive(Clone, Copy)]
pub(super) struct Signs {
    pub(super) negate_product: bool,
    pub(super) addend: Addend,
}

impl Signs {
    /// What is to be flipped in c, if anything.
    pub(super) fn of_c(self) -> Option<Constant> {
        match self.addend {
            Addend::Add => None,
            Addend::Subtract => Some(Constant::Signs),
            Addend::AddSubtract => Some(Constant::EvenSigns),
            Addend::SubtractAdd => Some(Constant::OddSigns),
        }
    }

    /// What is to be flipped in a.
    pub(super) fn of_a(self) -> Option<Constant> {
        self.negate_product.then_some(Constant::Signs)
    }
}

/// Pairs (i, j) of partial products aᵢ · bⱼ, smallest first.
const fn order(products: usize) -> &'static [(usize, usize)] {
    const NINE: &[(usize, usize)] = &[(2, 2), (1, 2), (2, 1), (0, 2), (1, 1), (2, 0), (0, 1), (1, 0), (0, 0)];
    match products {
        1 => &[(0, 0)],
        3 => &[(0, 1), (1, 0), (0, 0)],
        4 => &[(1, 1), (0, 1), (1, 0), (0, 0)],
        6 => NINE.split_at(3).1,
        _ => NINE,
    }
}

impl Recipe {
    /// The recipe of a target's operator; `None` if there is none at its level.
    pub(super) fn of(target: &Target) -> Option<Recipe> {
        if let Some(compound) = target.operator.as_compound() {
            return match compound.variant {
                Variant::Standard | Variant::Listing => Some(Recipe::Parts(compound)),
                // One part of 8 bits is a format.
                Variant::Exact => {
                    let pair =
                        Recipe::Pair { inputs: Rounding::Bf16, accumulator: Rounding::Bf16, rounds_c: true };
                    (target.level.wide() && compound.accumulator == 1 && !compound.flush).then_some(pair)
                }
            };
        }
        let (inputs, accumulator) = target.operator.as_pair()?;
        let (inputs, accumulator) = (Rounding::to(inputs)?, Rounding::to(accumulator)?);
        // NaN, whose sign arithmetic does not keep, must not reach a format without.
        if let Rounding::WithoutNan(_) = accumulator {
            return None;
        }
        // Rounding once needs roundings of AVX-512.
        let possible = target.level.wide() || accumulator == Rounding::Binary32;
        possible.then_some(Recipe::Pair { inputs, accumulator, rounds_c: false })
    }

    /// Writes d = ±a · b ± c; the result is a scratch vector. The operands are not changed; those that are scratch
    /// vectors are given back.
    pub(super) fn compute(
        self,
        lanes: &mut Lanes,
        operands: [Vector; 3],
        signs: Signs,
    ) -> Result<Vector, Unsupported> {
        let result = match self {
            Recipe::Parts(compound) => parts(lanes, compound, operands, signs)?,
            Recipe::Pair { inputs, accumulator, rounds_c } => {
                let [a, b, c] = operands;
                let a = inputs.input(lanes, a, signs.of_a())?;
                let b = inputs.input(lanes, b, None)?;
                let mut sum = cleaned(lanes, c, signs.of_c())?;
                if rounds_c {
                    sum = accumulator.round(lanes, sum)?;
                }
                if accumulator == Rounding::Binary32 {
                    lanes.fma(sum, a, b)?;
                } else {
                    sum = lanes.fma_odd(a, b, sum)?;
                }
                lanes.give(a);
                lanes.give(b);
                accumulator.round(lanes, sum)?
            }
        };
        let canonical = lanes.take();
        lanes.canonical(canonical, result)?;
        lanes.give(result);
        Ok(canonical)
    }
}

/// ±a · b ± c under an operator of parts.
fn parts(
    lanes: &mut Lanes,
    compound: Compound,
    [a, b, c]: [Vector; 3],
    signs: Signs,
) -> Result<Vector, Unsupported> {
    let Compound { inputs, accumulator, flush, .. } = compound;
    let parts_of_a = split_input(lanes, a, (inputs, flush), signs.of_a())?;
    let parts_of_b = split_input(lanes, b, (inputs, flush), None)?;
    let sum = if inputs > 1 {
        let product = products(lanes, &parts_of_a, &parts_of_b, compound.products)?;
        [parts_of_a, parts_of_b].into_iter().flatten().for_each(|part| lanes.give(part));
        merge(lanes, product, c, (inputs, flush), signs.of_c())?
    } else {
        let parts = split_input(lanes, c, (accumulator, flush), signs.of_c())?;
        let sum = join(lanes, &parts)?;
        lanes.fma(sum, parts_of_a[0], parts_of_b[0])?;
        [parts_of_a, parts_of_b].into_iter().flatten().for_each(|part| lanes.give(part));
        sum
    };
    match compound.variant {
        Variant::Listing => Ok(sum),
        _ => held(lanes, sum, accumulator, flush),
    }
}

/// Gives an operand back if it is a scratch vector.
fn discard(lanes: &mut Lanes, operand: Vector) {
    if lanes.owns(operand) {
        lanes.give(operand);
    }
}

/// A clean copy of an operand with signs flipped; the operand is given back if it is a scratch vector.
fn cleaned(lanes: &mut Lanes, operand: Vector, flip: Option<Constant>) -> Result<Vector, Unsupported> {
    let clean = lanes.take();
    lanes.clean(clean, operand)?;
    discard(lanes, operand);
    if let Some(flip) = flip {
        lanes.flip(clean, clean, flip)?;
    }
    Ok(clean)
}

/// The BF16 parts of any operand, with signs flipped; `(count, flush)` as in [`split`].
fn split_input(
    lanes: &mut Lanes,
    operand: Vector,
    (count, flush): (usize, bool),
    flip: Option<Constant>,
) -> Result<Vec<Vector>, Unsupported> {
    if count > 1 || flush {
        let clean = cleaned(lanes, operand, flip)?;
        return split(lanes, clean, (count, flush));
    }
    let part = lanes.take();
    lanes.bf16_of_any(part, operand)?;
    discard(lanes, operand);
    if let Some(flip) = flip {
        lanes.flip(part, part, flip)?;
    }
    Ok(vec![part])
}

/// The BF16 parts of a clean scratch vector, which is given back: each the nearest to what is left. Where the first is
/// infinite, so are all. Subnormals are zeros if `flush`.
fn split(lanes: &mut Lanes, x: Vector, (count, flush): (usize, bool)) -> Result<Vec<Vector>, Unsupported> {
    if flush {
        lanes.flush(x)?;
    }
    let mut parts = vec![];
    for number in 0..count {
        if number > 0 {
            lanes.rest(x, x, parts[number - 1])?;
        }
        let part = lanes.take();
        lanes.bf16(part, x)?;
        parts.push(part);
    }
    lanes.give(x);
    Ok(parts)
}

/// The sum of parts, largest first, in the place of the first; the others are given back.
fn join(lanes: &mut Lanes, parts: &[Vector]) -> Result<Vector, Unsupported> {
    for &part in &parts[1..] {
        lanes.add(parts[0], parts[0], part)?;
        lanes.give(part);
    }
    Ok(parts[0])
}

/// The sum of a clean scratch vector's parts; the vector is given back.
fn held(lanes: &mut Lanes, x: Vector, count: usize, flush: bool) -> Result<Vector, Unsupported> {
    let parts = split(lanes, x, (count, flush))?;
    join(lanes, &parts)
}

/// The partial products, summed in binary32 smallest first.
fn products(lanes: &mut Lanes, a: &[Vector], b: &[Vector], count: usize) -> Result<Vector, Unsupported> {
    let order = order(count);
    let sum = lanes.take();
    lanes.mul(sum, a[order[0].0], b[order[0].1])?;
    for &(i, j) in &order[1..] {
        if count == 3 && (i, j) == (0, 0) {
            // The paper's listing multiplies the leading parts apart.
            let leading = lanes.take();
            lanes.mul(leading, a[0], b[0])?;
            lanes.add(sum, sum, leading)?;
            lanes.give(leading);
        } else {
            lanes.fma(sum, a[i], b[j])?;
        }
    }
    Ok(sum)
}

/// The product's parts added to those of c, part by part, smallest first.
fn merge(
    lanes: &mut Lanes,
    product: Vector,
    c: Vector,
    parts: (usize, bool),
    flip: Option<Constant>,
) -> Result<Vector, Unsupported> {
    let product = split(lanes, product, parts)?;
    let parts = split_input(lanes, c, parts, flip)?;
    for (&m, &c) in product.iter().zip(&parts) {
        lanes.add(m, m, c)?;
        lanes.give(c);
    }
    let sum = match product[..] {
        [high, low] => {
            lanes.add(high, high, low)?;
            lanes.give(low);
            high
        }
        _ => {
            let (high, middle, low) = (product[0], product[1], product[2]);
            lanes.add(low, low, middle)?;
            lanes.add(high, low, high)?;
            lanes.give(low);
            lanes.give(middle);
            high
        }
    };
    Ok(sum)
}
