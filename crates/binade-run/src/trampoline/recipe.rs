//! The operators that have inline code, in the operations of [`Lanes`]: step by step what
//! [`binade::operator::Compound::multiply_add`] does.
//!
//! Up to nine scratch vectors are in use at a time, and four more by the caller: sixteen are enough, less the three of the
//! instruction.

use binade::operator::{Compound, Variant};

use super::lanes::{Lanes, Vector};
use super::pool::Constant;
use super::{Target, Unsupported};
use crate::fma::Addend;

/// An operator with inline code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Recipe {
    /// Parts of BF16; standard or `listing`, not flushing.
    Parts(Compound),
    /// `bf16:f32`.
    Mixed,
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
    /// The recipe of a target's operator; `None` if there is none.
    pub(super) fn of(target: &Target) -> Option<Recipe> {
        match target.compound() {
            Some(compound) => {
                let inline = compound.variant != Variant::Exact && !compound.flush;
                inline.then_some(Recipe::Parts(compound))
            }
            None => target.mixed().then_some(Recipe::Mixed),
        }
    }

    /// Writes d = ±a · b ± c; the result is a scratch vector. The operands are not changed; those that are scratch
    /// vectors are given back.
    pub(super) fn compute(
        self,
        lanes: &mut Lanes,
        [a, b, c]: [Vector; 3],
        signs: Signs,
    ) -> Result<Vector, Unsupported> {
        let (inputs, accumulator) = match self {
            Recipe::Parts(compound) => (compound.inputs, Some(compound.accumulator)),
            Recipe::Mixed => (1, None),
        };
        let parts_of_a = split_input(lanes, a, inputs, signs.of_a())?;
        let parts_of_b = split_input(lanes, b, inputs, None)?;
        let sum = match self {
            Recipe::Parts(compound) if compound.inputs > 1 => {
                let product = products(lanes, &parts_of_a, &parts_of_b, compound.products)?;
                [parts_of_a, parts_of_b].into_iter().flatten().for_each(|part| lanes.give(part));
                merge(lanes, product, c, inputs, signs.of_c())?
            }
            _ => {
                let sum = lanes.take();
                match accumulator {
                    // One part is that of c itself.
                    Some(1) => lanes.bf16_of_any(sum, c)?,
                    _ => lanes.clean(sum, c)?,
                }
                discard(lanes, c);
                if let Some(flip) = signs.of_c() {
                    lanes.flip(sum, sum, flip)?;
                }
                let sum = match accumulator {
                    Some(parts) if parts > 1 => held(lanes, sum, parts)?,
                    _ => sum,
                };
                lanes.fma(sum, parts_of_a[0], parts_of_b[0])?;
                [parts_of_a, parts_of_b].into_iter().flatten().for_each(|part| lanes.give(part));
                sum
            }
        };
        let result = match self {
            Recipe::Parts(compound) if compound.variant == Variant::Standard => {
                held(lanes, sum, compound.accumulator)?
            }
            _ => sum,
        };
        let canonical = lanes.take();
        lanes.canonical(canonical, result)?;
        lanes.give(result);
        Ok(canonical)
    }
}

/// Gives an operand back if it is a scratch vector.
fn discard(lanes: &mut Lanes, operand: Vector) {
    if lanes.owns(operand) {
        lanes.give(operand);
    }
}

/// The BF16 parts of any operand, with signs flipped.
fn split_input(
    lanes: &mut Lanes,
    operand: Vector,
    count: usize,
    flip: Option<Constant>,
) -> Result<Vec<Vector>, Unsupported> {
    if count == 1 {
        let part = lanes.take();
        lanes.bf16_of_any(part, operand)?;
        discard(lanes, operand);
        if let Some(flip) = flip {
            lanes.flip(part, part, flip)?;
        }
        return Ok(vec![part]);
    }
    let clean = lanes.take();
    lanes.clean(clean, operand)?;
    discard(lanes, operand);
    if let Some(flip) = flip {
        lanes.flip(clean, clean, flip)?;
    }
    split(lanes, clean, count)
}

/// The BF16 parts of a clean scratch vector, which is given back: each the nearest to what is left. Where the first is
/// infinite, so are all.
fn split(lanes: &mut Lanes, x: Vector, count: usize) -> Result<Vec<Vector>, Unsupported> {
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

/// The sum of a clean scratch vector's parts, largest first; the vector is given back.
fn held(lanes: &mut Lanes, x: Vector, count: usize) -> Result<Vector, Unsupported> {
    let parts = split(lanes, x, count)?;
    for &part in &parts[1..] {
        lanes.add(parts[0], parts[0], part)?;
        lanes.give(part);
    }
    Ok(parts[0])
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
    count: usize,
    flip: Option<Constant>,
) -> Result<Vector, Unsupported> {
    let product = split(lanes, product, count)?;
    let parts = split_input(lanes, c, count, flip)?;
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
