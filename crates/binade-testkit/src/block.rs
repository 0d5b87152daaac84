//! Blocks (P3109 4.0 §5): values as exact products, and results before rounding.

use crate::dyadic::Dyadic;
use crate::format::{Decoded, Format};
use crate::ops::{self, Operand};
use crate::real::Real;
use crate::round::Exact;

/// A scale and the elements that share it.
pub struct Block<'a> {
    /// the scale
    pub scale: Operand<'a>,
    /// the elements
    pub elements: Vec<Operand<'a>>,
}

const UNDEFINED: Decoded = Decoded::Nan { negative: false };

impl<'a> Block<'a> {
    /// Decodes codes as 4.0 reads them.
    pub fn new(scale: (&'a Format, u64), format: &'a Format, codes: &[u64]) -> Block<'a> {
        let read = |format, code| Operand::new(format, code).read(true);
        Block {
            scale: read(scale.0, scale.1),
            elements: codes.iter().map(|&code| read(format, code)).collect(),
        }
    }

    /// The value of each element (§5.1.1).
    fn values(&self) -> Vec<Decoded> {
        self.elements.iter().map(|element| times(&self.scale.decoded, &element.decoded)).collect()
    }
}

fn is_zero(x: &Decoded) -> bool {
    matches!(x, Decoded::Finite { magnitude, .. } if magnitude.is_zero())
}

/// The product; NaN if either is NaN (the first one), and for zero times infinity.
fn times(x: &Decoded, y: &Decoded) -> Decoded {
    match (x, y) {
        (Decoded::Nan { .. }, _) => x.clone(),
        (_, Decoded::Nan { .. }) => y.clone(),
        (Decoded::Infinite { .. }, y) if is_zero(y) => UNDEFINED,
        (x, Decoded::Infinite { .. }) if is_zero(x) => UNDEFINED,
        (Decoded::Finite { negative: a, magnitude: m }, Decoded::Finite { negative: b, magnitude: n }) => {
            let magnitude = m * n;
            Decoded::Finite { negative: a != b && !magnitude.is_zero(), magnitude }
        }
        (x, y) => Decoded::Infinite { negative: is_negative(x) != is_negative(y) },
    }
}

fn is_negative(x: &Decoded) -> bool {
    match x {
        Decoded::Nan { negative } | Decoded::Infinite { negative } | Decoded::Finite { negative, .. } => {
            *negative
        }
    }
}

/// The sum in order: NaN at the first NaN, or at the first two opposite infinities.
fn sum(values: &[Decoded]) -> Exact {
    let (mut total, mut infinite) = (Dyadic::zero(), None);
    for value in values {
        match value {
            Decoded::Nan { negative } => return Exact::Nan { negative: *negative },
            Decoded::Infinite { negative } if infinite == Some(!negative) => return UNDEFINED.into(),
            Decoded::Infinite { negative } => infinite = Some(*negative),
            Decoded::Finite { negative: true, magnitude } => total = &total - magnitude,
            Decoded::Finite { magnitude, .. } => total = &total + magnitude,
        }
    }
    match infinite {
        Some(negative) => Exact::Infinite { negative },
        None => Decoded::Finite { negative: total.is_negative(), magnitude: total.abs() }.into(),
    }
}

/// The values from which result elements are rounded: §5.1.2 of exact values.
pub fn over_scale(values: Vec<Exact>, scale: &Decoded) -> Vec<Exact> {
    let negative = is_negative(scale);
    let divided = |value: Exact| match (scale, value) {
        (Decoded::Nan { negative }, _) => Exact::Nan { negative: *negative },
        (_, nan @ Exact::Nan { .. }) => nan,
        (scale, _) if is_zero(scale) => Exact::Zero { negative: false },
        (_, Exact::Zero { .. } | Exact::Cancelled) => Exact::Zero { negative: false },
        (Decoded::Infinite { .. }, Exact::Infinite { negative: n } | Exact::Number { negative: n, .. }) => {
            Exact::Number { negative: n != negative, magnitude: Real::Dyadic(Dyadic::power(0)) }
        }
        (_, Exact::Infinite { negative: n }) => Exact::Infinite { negative: n != negative },
        (Decoded::Finite { magnitude: divisor, .. }, Exact::Number { negative: n, magnitude }) => {
            let magnitude = Real::Over(Box::new(magnitude), divisor.clone());
            Exact::Number { negative: n != negative, magnitude }
        }
    };
    values.into_iter().map(divided).collect()
}

/// §5.2.1.
pub fn convert_from_block(block: &Block) -> Vec<Exact> {
    block.values().into_iter().map(Exact::from).collect()
}

/// §5.2.2: the elements of a block with this scale.
pub fn convert_to_block(elements: &[Operand], scale: &Operand) -> Vec<Exact> {
    over_scale(elements.iter().map(|x| x.decoded.clone().into()).collect(), &scale.decoded)
}

/// The value from which the scale of §5.2.3 is rounded.
pub fn max_abs_finite(elements: &[Operand]) -> Exact {
    let magnitudes = elements.iter().filter_map(|x| match &x.decoded {
        Decoded::Finite { magnitude, .. } => Some(magnitude.clone()),
        _ => None,
    });
    let infinite = elements.iter().any(|x| matches!(x.decoded, Decoded::Infinite { .. }));
    match magnitudes.max() {
        Some(magnitude) => Decoded::Finite { negative: false, magnitude }.into(),
        None if infinite => Exact::Infinite { negative: false },
        // ωAbs does not change the sign of a NaN.
        None => elements.last().map_or(UNDEFINED, |x| x.decoded.clone()).into(),
    }
}

/// §5.3.1, the sum.
pub fn block_reduce_add(block: &Block) -> Exact {
    sum(&block.values())
}

/// §5.3.1, the product; any NaN takes precedence over zero times infinity.
pub fn block_reduce_multiply(block: &Block) -> Exact {
    let values = block.values();
    let nan = values.iter().find(|value| matches!(value, Decoded::Nan { .. })).cloned();
    let one = Decoded::Finite { negative: false, magnitude: Dyadic::power(0) };
    let product = || values.iter().fold(one, |product, value| times(&product, value));
    nan.unwrap_or_else(product).into()
}

/// §5.3.2.
pub fn block_dot_product(x: &Block, y: &Block) -> Exact {
    let products: Vec<Decoded> = x.values().iter().zip(y.values()).map(|(x, y)| times(x, &y)).collect();
    sum(&products)
}

/// §5.4; `None` for unknown operations.
pub fn block_op(name: &str, blocks: &[Block], scale: &Operand) -> Option<Vec<Exact>> {
    let values: Vec<Vec<Decoded>> = blocks.iter().map(Block::values).collect();
    let results = (0..values.first().map_or(0, Vec::len)).map(|at| {
        let operands: Vec<Operand> = blocks
            .iter()
            .zip(&values)
            .map(|(block, values)| Operand { decoded: values[at].clone(), ..block.elements[at].clone() })
            .collect();
        ops::exact(name, &operands, &[]).map(|(exact, _)| exact)
    });
    Some(over_scale(results.collect::<Option<Vec<Exact>>>()?, &scale.decoded))
}
