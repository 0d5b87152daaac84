//! The operators that have inline code, in the operations of [`Lanes`]: step by step what
//! [`Compound::multiply_add`] and [`binade::Operator::evaluate`] do.
//!
//! Up to nine scratch vectors are in use at a time, and four more by the caller: sixteen are enough, less the three of the
//! instruction.
//!
//! Formats that reach beyond binary64's exponents, and formats of a single bit of precision without NaN, have no recipe. Their
//! multiply-adds go through the gate.

use binade::carrier::{Carrier, NarrowRounding};
use binade::catalog::{BF16, F32, F64};
use binade::operator::{Compound, Variant};
use binade::{Format, NanCodes};

use super::lanes::{Lanes, Vector};
use super::place::Unsupported;
use super::pool::Constant;
use super::power::Power;
use super::rounding::ProgramRounding;
use super::target::Target;
use crate::fma::{Addend, Element};

/// An operator with inline code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Recipe {
    /// Parts of BF16 in binary32; not `exact`.
    Parts(Compound),
    /// Parts of BF16, whose exact sum of products is rounded once: in binary64.
    Exact(Compound),
    /// A pair of formats in lanes of an element.
    Pair(Element, Pair),
    /// The lanes' own format by a rounding that takes a neighbour without their distances.
    Rounded(ProgramRounding),
}

/// Inputs rounded to a format, the exact a · b + c rounded once to another; c to that first if `rounds_c`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pair {
    inputs: Rounding,
    accumulator: Rounding,
    rounds_c: bool,
    /// True if products are exact in lanes of binary64.
    exact: bool,
    /// True if NaN of the inputs' format has its sign set, by its code.
    negative_nan: bool,
}

impl Pair {
    /// In lanes of an element, for a program whose lanes are `of_program`.
    fn of(of_program: Element, element: Element, inputs: Format, accumulator: Format) -> Option<Pair> {
        let (to_inputs, to_accumulator) =
            (Rounding::to(element, inputs)?, Rounding::to(element, accumulator)?);
        // 24 bits with exponents of binary32 are left of a binary32 whatever it is rounded to; no format is finer than binary64.
        let small = inputs.precision() <= 26
            && 2 * (inputs.emin() - inputs.precision() as i32) >= -1074
            && 2 * (inputs.emax() + 1) <= 1023;
        let exact = element == Element::F64 && (of_program == Element::F32 && inputs == F64 || small);
        let negative_nan = inputs.nan() == NanCodes::NegativeZero;
        Some(Pair { inputs: to_inputs, accumulator: to_accumulator, rounds_c: false, exact, negative_nan })
    }

    /// ±a · b ± c. Operands that are scratch vectors are given back.
    fn compute(self, lanes: &mut Lanes, [a, b, c]: [Vector; 3], signs: Signs) -> Result<Vector, Unsupported> {
        let a = self.inputs.input(lanes, a, signs.of_a())?;
        let b = self.inputs.input(lanes, b, None)?;
        let kept = if let Rounding::WithoutNan(_) = self.accumulator {
            Some(raw(lanes, c, signs.of_c())?)
        } else {
            None
        };
        let mut sum = cleaned(lanes, c, signs.of_c())?;
        if self.rounds_c {
            sum = self.accumulator.round(lanes, sum)?;
        }
        if self.accumulator == Rounding::Native {
            lanes.fma(sum, a, b)?;
        } else {
            sum = lanes.fma_odd(a, b, sum, self.exact)?;
        }
        if let Some(c) = kept {
            lanes.nan_of_addend(sum, [a, b, c], self.negative_nan)?;
            lanes.give(c);
        }
        lanes.give(a);
        lanes.give(b);
        self.accumulator.round(lanes, sum)
    }
}

/// A rounding to a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    /// None: the lanes' own format.
    Native,
    /// In lanes of binary32.
    Bf16,
    Narrow(NarrowRounding),
    /// To a format without NaN, which becomes what overflow gives.
    WithoutNan(NarrowRounding),
    /// In lanes of binary64, to powers of two.
    Power(Power),
}

impl Rounding {
    fn to(element: Element, format: Format) -> Option<Rounding> {
        let (own, carrier) = match element {
            Element::F32 => (F32, Carrier::Binary32),
            Element::F64 => (F64, Carrier::Binary64),
        };
        if format == own {
            Some(Rounding::Native)
        } else if format == BF16 && element == Element::F32 {
            Some(Rounding::Bf16)
        } else if format.precision() == 1 {
            Power::new(format).filter(|_| element == Element::F64).map(Rounding::Power)
        } else {
            let rounding = match format.nan() {
                NanCodes::None => Rounding::WithoutNan,
                _ => Rounding::Narrow,
            };
            NarrowRounding::within(carrier, format).map(rounding)
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
            let copy = raw(lanes, operand, flip)?;
            discard(lanes, operand);
            return self.round(lanes, copy);
        }
        let clean = cleaned(lanes, operand, flip)?;
        self.round(lanes, clean)
    }

    /// A clean scratch vector rounded; it is given back.
    fn round(self, lanes: &mut Lanes, x: Vector) -> Result<Vector, Unsupported> {
        match self {
            Rounding::Native => Ok(x),
            Rounding::Bf16 => held(lanes, x, 1, false),
            Rounding::Narrow(narrow) => lanes.narrow(x, narrow, true),
            Rounding::WithoutNan(narrow) => lanes.narrow(x, narrow, false),
            Rounding::Power(power) => lanes.power(x, power),
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
    /// The bits to flip in c, if any.
    pub(super) fn of_c(self) -> Option<Constant> {
        match self.addend {
            Addend::Add => None,
            Addend::Subtract => Some(Constant::Signs),
            Addend::AddSubtract => Some(Constant::EvenSigns),
            Addend::SubtractAdd => Some(Constant::OddSigns),
        }
    }

    /// The bits to flip in a, if any.
    pub(super) fn of_a(self) -> Option<Constant> {
        self.negate_product.then_some(Constant::Signs)
    }
}

impl Recipe {
    /// The recipe of a target's operator for lanes of an element; `None` if multiply-adds go through the gate.
    pub(super) fn of(target: &Target, element: Element) -> Option<Recipe> {
        if let Some(rounding) = target.rounding {
            return Some(Recipe::Rounded(rounding)).filter(|_| rounding != ProgramRounding::Stochastic);
        }
        let wide = target.level.wide();
        let pair = |within: Element, inputs, accumulator| {
            Some(Recipe::Pair(within, Pair::of(element, within, inputs, accumulator)?))
        };
        if let Some(compound) = target.operator.as_compound() {
            return match compound.variant {
                Variant::Standard | Variant::Listing => Some(Recipe::Parts(compound)),
                // One part of 8 bits is a format.
                Variant::Exact if compound.accumulator == 1 && !compound.flush && wide => {
                    let recipe = pair(Element::F32, BF16, BF16)?;
                    Some(match recipe {
                        Recipe::Pair(within, pair) => Recipe::Pair(within, Pair { rounds_c: true, ..pair }),
                        other => other,
                    })
                }
                Variant::Exact => Some(Recipe::Exact(compound)),
            };
        }
        let (inputs, accumulator) = target.operator.as_pair()?;
        // Formats that binary32 cannot serve may fit in binary64, which AVX2 rounds to odd faster.
        let odd = accumulator != F32 && !wide;
        let narrow = (element == Element::F32 && !odd).then(|| pair(Element::F32, inputs, accumulator));
        narrow.flatten().or_else(|| pair(Element::F64, inputs, accumulator))
    }

    /// The type of its lanes, in a program's lanes of an element.
    fn element(self, of_program: Element) -> Element {
        match self {
            Recipe::Rounded(_) => of_program,
            Recipe::Pair(element, _) => element,
            Recipe::Parts(_) | Recipe::Exact(_) => Element::F32,
        }
    }

    /// Writes d = ±a · b ± c for vectors of this many bytes; the result is a scratch vector. The operands are not changed;
    /// those that are scratch vectors are given back.
    pub(super) fn compute(
        self,
        lanes: &mut Lanes,
        operands: [Vector; 3],
        signs: Signs,
        bytes: usize,
    ) -> Result<Vector, Unsupported> {
        let (of_program, own) = (lanes.element, self.element(lanes.element));
        let result = match (of_program, own) {
            (Element::F32, Element::F64) => {
                in_halves(lanes, operands, bytes, |lanes, halves| self.on_own(lanes, halves, signs))?
            }
            (Element::F64, Element::F32) => {
                // A compound's operands are rounded to binary32 first.
                let mut short = operands;
                for (short, operand) in short.iter_mut().zip(operands) {
                    *short = lanes.take();
                    lanes.shorten(*short, operand)?;
                    discard(lanes, operand);
                }
                lanes.element = Element::F32;
                let result = self.on_own(lanes, short, signs)?;
                let whole = lanes.take();
                lanes.widen(whole, result, false)?;
                lanes.give(result);
                lanes.element = of_program;
                whole
            }
            _ => self.on_own(lanes, operands, signs)?,
        };
        let canonical = lanes.take();
        lanes.canonical(canonical, result)?;
        lanes.give(result);
        Ok(canonical)
    }

    /// As [`Recipe::compute`], on lanes of its own element.
    fn on_own(self, lanes: &mut Lanes, operands: [Vector; 3], signs: Signs) -> Result<Vector, Unsupported> {
        match self {
            Recipe::Parts(compound) => parts(lanes, compound, operands, signs),
            Recipe::Exact(compound) => exact(lanes, compound, operands, signs),
            Recipe::Pair(_, pair) => pair.compute(lanes, operands, signs),
            Recipe::Rounded(rounding) => rounded(lanes, rounding, operands, signs),
        }
    }
}

/// A computation on binary64 for vectors of binary32 of this many bytes: half by half, the results rounded to binary32.
/// Operands that are scratch vectors are given back.
fn in_halves(
    lanes: &mut Lanes,
    operands: [Vector; 3],
    bytes: usize,
    compute: impl Fn(&mut Lanes, [Vector; 3]) -> Result<Vector, Unsupported>,
) -> Result<Vector, Unsupported> {
    let result = lanes.take();
    let halves = if bytes > lanes.half_bytes() { 2 } else { 1 };
    for half in 0..halves {
        let mut wide = [0; 3];
        for (wide, operand) in wide.iter_mut().zip(operands) {
            *wide = lanes.take();
            lanes.widen(*wide, operand, half == 1)?;
        }
        lanes.element = Element::F64;
        let sum = compute(lanes, wide)?;
        lanes.element = Element::F32;
        if half == 0 {
            lanes.shorten(result, sum)?;
        } else {
            lanes.shorten(sum, sum)?;
            lanes.join_upper(result, sum)?;
        }
        lanes.give(sum);
    }
    operands.into_iter().for_each(|operand| discard(lanes, operand));
    Ok(result)
}

/// Bits of 2^exponent in binary64.
const fn power_64(exponent: i64) -> u64 {
    ((exponent + 1023) as u64) << 52
}

/// The factor that makes 1.5 · 2^(e + 53 − P) of 2^e: see [`NarrowRounding`].
const fn magic_64(precision: u64) -> u64 {
    (53 - precision) << 52 | 1 << 51
}

/// The least magnitude whose BF16 is infinite.
const BF16_OVERFLOW: u64 = 0x7f7f_8000;

/// ±a · b ± c of the parts' sums, rounded once to what the accumulator's parts hold: [`Compound::multiply_add`] for `exact`.
fn exact(
    lanes: &mut Lanes,
    compound: Compound,
    [a, b, c]: [Vector; 3],
    signs: Signs,
) -> Result<Vector, Unsupported> {
    let Compound { inputs, accumulator, flush, .. } = compound;
    let mut whole = [0; 3];
    let operands = [(a, inputs, signs.of_a()), (b, inputs, None), (c, accumulator, signs.of_c())];
    for (whole, (operand, count, flip)) in whole.iter_mut().zip(operands) {
        // The sum of the parts of one number has at most 24 bits.
        let clean = cleaned(lanes, operand, flip)?;
        *whole = held(lanes, clean, count, flush)?;
    }
    // All binary32 lanes, whatever the instruction's length: it has no matter here.
    let result = in_halves(lanes, whole, 2 * lanes.half_bytes(), |lanes, [a, b, c]| {
        let sum = lanes.fma_odd(a, b, c, true)?;
        lanes.give(a);
        lanes.give(b);
        nearest_held(lanes, sum, accumulator)
    })?;
    lanes.infinite_from(result, BF16_OVERFLOW)?;
    Ok(result)
}

/// The number nearest to a scratch vector of binary64, rounded to odd, that parts hold; the vector is given back. All that lies
/// beyond the largest one is beyond it.
fn nearest_held(lanes: &mut Lanes, x: Vector, parts: usize) -> Result<Vector, Unsupported> {
    // BF16's least exponent; its least subnormal, to whose multiples three parts sum up, is 2^−133.
    const LEAST: i64 = -126;
    let near = lanes.take();
    match parts {
        1 => {
            lanes.on_grid(near, x, (power_64(LEAST), magic_64(8)), None)?;
            lanes.with_sign(near, near, x)?;
        }
        3 => {
            lanes.on_grid(near, x, (power_64(-133 + 23), magic_64(24)), None)?;
            lanes.keep_zero(near, x)?;
        }
        _ => {
            // The low part is a multiple of the last of 24 bits.
            let rest = lanes.take();
            lanes.on_grid(near, x, (power_64(LEAST), magic_64(8)), None)?;
            lanes.rest(rest, x, near)?;
            let low = lanes.take();
            lanes.on_grid(low, rest, (power_64(LEAST), magic_64(8)), Some((x, -16)))?;
            lanes.add(near, near, low)?;
            lanes.give(rest);
            lanes.give(low);
            lanes.keep_zero(near, x)?;
        }
    }
    lanes.give(x);
    Ok(near)
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

/// ±a · b ± c by a rounding. Operands that are scratch vectors are given back.
fn rounded(
    lanes: &mut Lanes,
    rounding: ProgramRounding,
    operands: [Vector; 3],
    signs: Signs,
) -> Result<Vector, Unsupported> {
    let mut signed = operands;
    for (operand, flip) in signed.iter_mut().zip([signs.of_a(), None, signs.of_c()]) {
        *operand = raw(lanes, *operand, flip)?;
    }
    operands.into_iter().for_each(|operand| discard(lanes, operand));
    let result = lanes.rounded(rounding, signed)?;
    lanes.give(signed[0]);
    lanes.give(signed[1]);
    Ok(result)
}

/// Gives an operand back if it is a scratch vector.
fn discard(lanes: &mut Lanes, operand: Vector) {
    if lanes.owns(operand) {
        lanes.give(operand);
    }
}

/// A copy of an operand with signs flipped, its NaN as they are.
fn raw(lanes: &mut Lanes, operand: Vector, flip: Option<Constant>) -> Result<Vector, Unsupported> {
    let copy = lanes.take();
    lanes.copy(copy, operand)?;
    if let Some(flip) = flip {
        lanes.flip(copy, copy, flip)?;
    }
    Ok(copy)
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
    let order = Compound::order(count);
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
