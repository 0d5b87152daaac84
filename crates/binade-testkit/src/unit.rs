//! Matrix units in exact rationals: a step of each kind, and dot products of many steps.
//!
//! Written from `docs/units.md`, the makers' manuals and the papers that it names. Terms are exact numbers; they are cut and
//! rounded by division into units of a power of two.

use crate::dyadic::Dyadic;
use crate::format::{Decoded, Format};
use crate::round::{Exact, Mode, Saturation, project};
use num_bigint::BigInt;
use num_traits::One;

/// The way in which a step adds its products to the accumulator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Products and accumulator are cut at one position.
    Aligned {
        /// fraction bits below the largest exponent
        bits: i64,
        /// lower bound of that exponent
        least: i64,
    },
    /// The products are cut at one position, then their sum and the accumulator are rounded down at another one.
    Late {
        /// fraction bits of products and of the accumulator
        bits: i64,
        /// fraction bits of the products' sum
        sum_bits: i64,
        /// products of even and of odd index have different positions
        halves: bool,
    },
    /// One exact sum.
    Exact {
        /// a sum of negative zeros is negative
        signed_zeros: bool,
    },
    /// A tree of binary32 sums, then the accumulator.
    Tree,
    /// Fused multiply-adds, of a pair the second one first.
    Pairs,
    /// Fused multiply-adds of even and of odd index from zero, then both sums, then the accumulator.
    TwoChains,
    /// The sum of a pair, then the accumulator, in one rounding each.
    SumsOfPairs {
        /// sums are rounded to odd, otherwise to nearest even
        odd: bool,
    },
}

/// The arithmetic of a unit.
#[derive(Clone, Debug)]
pub struct Unit {
    /// products of a step
    pub products: usize,
    /// their addition
    pub step: Step,
    /// the format of accumulators and results
    pub result: Format,
    /// significant bits of results
    pub result_bits: i64,
    /// rounding of results
    pub rounding: Mode,
    /// subnormal inputs, addends, sums and results are zeros
    pub flush: bool,
    /// the code of a NaN result
    pub nan: u64,
}

/// Elements and scales of one operand in blocks.
#[derive(Clone, Copy, Debug)]
pub struct Blocks<'a> {
    /// format of the elements
    pub format: &'a Format,
    /// the elements
    pub elements: &'a [u64],
    /// format of the scales
    pub scale_format: &'a Format,
    /// a scale for each block
    pub scales: &'a [u64],
    /// elements of a block
    pub block: usize,
}

const ZERO: fn() -> Decoded = || Decoded::Finite { negative: false, magnitude: Dyadic::zero() };

pub(crate) fn is_negative(x: &Decoded) -> bool {
    let (Decoded::Nan { negative } | Decoded::Infinite { negative } | Decoded::Finite { negative, .. }) = x;
    *negative
}

/// The number with its sign; `None` for infinities and NaN.
pub(crate) fn number(x: &Decoded) -> Option<Dyadic> {
    match x {
        Decoded::Finite { negative, magnitude } => {
            Some(if *negative { -magnitude } else { magnitude.clone() })
        }
        _ => None,
    }
}

pub(crate) fn is_zero(x: &Decoded) -> bool {
    number(x).is_some_and(|x| x.is_zero())
}

pub(crate) fn times(x: &Decoded, y: &Decoded) -> Decoded {
    let negative = is_negative(x) != is_negative(y);
    match (x, y) {
        (Decoded::Finite { magnitude: x, .. }, Decoded::Finite { magnitude: y, .. }) => {
            Decoded::Finite { negative, magnitude: x * y }
        }
        _ if is_zero(x) || is_zero(y) => Decoded::Nan { negative: false },
        (Decoded::Nan { .. }, _) | (_, Decoded::Nan { .. }) => Decoded::Nan { negative: false },
        _ => Decoded::Infinite { negative },
    }
}

pub(crate) fn plus(x: &Decoded, y: &Decoded) -> Decoded {
    match (number(x), number(y)) {
        (Some(a), Some(b)) => {
            let sum = &a + &b;
            // −0 only from zeros that are both negative.
            let negative = if sum.is_zero() {
                a.is_zero() && is_negative(x) && is_negative(y)
            } else {
                sum.is_negative()
            };
            Decoded::Finite { negative, magnitude: sum.abs() }
        }
        (None, Some(_)) => x.clone(),
        (Some(_), None) => y.clone(),
        (None, None) => match (x, y) {
            (Decoded::Infinite { negative: a }, Decoded::Infinite { negative: b }) if a == b => x.clone(),
            _ => Decoded::Nan { negative: false },
        },
    }
}

/// The multiple of 2^`unit` next to x toward zero.
fn cut(x: &Dyadic, unit: i64) -> Dyadic {
    let magnitude = Dyadic::new(x.abs().fixed_floor(-unit), unit);
    if x.is_negative() { -&magnitude } else { magnitude }
}

/// The largest multiple of 2^`unit` up to x.
fn down(x: &Dyadic, unit: i64) -> Dyadic {
    Dyadic::new(x.fixed_floor(-unit), unit)
}

fn least_exponent(format: &Format) -> i64 {
    format.smallest_normal().log2_floor()
}

/// The exponent of a number in an alignment; `None` for zero, which takes no part.
fn exponent(x: &Decoded, format: &Format) -> Option<i64> {
    let x = number(x)?;
    (!x.is_zero()).then(|| x.log2_floor().max(least_exponent(format)))
}

/// x in `bits` significant bits of a format with infinities. Beyond its exponents x is infinite, in every mode.
pub(crate) fn rounded(x: &Decoded, format: &Format, bits: i64, mode: Mode) -> Decoded {
    let Decoded::Finite { negative, magnitude } = x else { return x.clone() };
    if magnitude.is_zero() {
        return x.clone();
    }
    let unit = magnitude.log2_floor().max(least_exponent(format)) - bits + 1;
    let below = magnitude.fixed_floor(-unit);
    let rest = magnitude - &Dyadic::new(below.clone(), unit);
    let is_odd = below.bit(0);
    let raises = match mode {
        _ if rest.is_zero() => false,
        Mode::TowardZero => false,
        Mode::ToOdd => !is_odd,
        // To nearest even, the only other mode of units.
        _ => {
            let half = Dyadic::power(unit - 1);
            rest > half || rest == half && is_odd
        }
    };
    let magnitude = Dyadic::new(below + if raises { BigInt::one() } else { BigInt::ZERO }, unit);
    let (_, largest) = format.rung(format.finite_count() - 1);
    if magnitude > largest {
        return Decoded::Infinite { negative: *negative };
    }
    Decoded::Finite { negative: *negative, magnitude }
}

/// A term of an alignment and its exponent, if it takes part.
type Term = (Dyadic, Option<i64>);

fn largest_exponent<'a>(terms: impl IntoIterator<Item = &'a Term>) -> Option<i64> {
    terms.into_iter().filter_map(|(_, exponent)| *exponent).max()
}

fn total(terms: impl Iterator<Item = Dyadic>) -> Dyadic {
    terms.fold(Dyadic::zero(), |sum, x| &sum + &x)
}

/// A sum as a number; a zero is positive.
fn finite(sum: &Dyadic) -> Decoded {
    Decoded::Finite { negative: sum.is_negative(), magnitude: sum.abs() }
}

/// The terms cut below the largest exponent, and their sum.
fn aligned(terms: &[Term], bits: i64, least: i64) -> Dyadic {
    let top = largest_exponent(terms).unwrap_or(least).max(least);
    total(terms.iter().map(|(x, _)| cut(x, top - bits)))
}

impl Unit {
    /// Converts a code: subnormal numbers may count as zeros.
    fn read(&self, format: &Format, code: u64) -> Decoded {
        self.flushed(format.decode(code), format)
    }

    fn flushed(&self, x: Decoded, format: &Format) -> Decoded {
        match &x {
            Decoded::Finite { negative, magnitude }
                if self.flush && *magnitude < format.smallest_normal() =>
            {
                Decoded::Finite { negative: *negative, magnitude: Dyadic::zero() }
            }
            _ => x,
        }
    }

    /// The result of a step.
    fn result(&self, sum: &Decoded) -> Decoded {
        self.flushed(rounded(sum, &self.result, self.result_bits, self.rounding), &self.result)
    }

    /// c + Σ a·b of codes, in steps. Operands are padded with zeros to whole steps, but for two chains; c and the
    /// result are codes of the accumulator.
    pub fn dot(&self, formats: [&Format; 2], a: &[u64], b: &[u64], c: u64) -> u64 {
        let length = a.len().max(b.len());
        let mut sum = self.read(&self.result, c);
        for start in (0..length.max(1)).step_by(self.products) {
            // A tile of AMX is as deep as its operands.
            let padded = start + self.products;
            let end = if self.step == Step::TwoChains { length.min(padded) } else { padded };
            let step: Vec<[Decoded; 2]> = (start..end)
                .map(|i| {
                    [(a, formats[0]), (b, formats[1])].map(|(codes, format)| {
                        codes.get(i).map_or_else(ZERO, |&code| self.read(format, code))
                    })
                })
                .collect();
            sum = self.add(formats, &step, &sum);
        }
        self.code(&sum)
    }

    fn code(&self, x: &Decoded) -> u64 {
        match x {
            Decoded::Nan { .. } => self.nan,
            _ => project(&self.result, &Exact::from(x.clone()), Mode::NearestEven, Saturation::Overflow).code,
        }
    }

    fn add(&self, formats: [&Format; 2], step: &[[Decoded; 2]], c: &Decoded) -> Decoded {
        let products: Vec<Decoded> = step.iter().map(|[x, y]| times(x, y)).collect();
        let round = |x: &Decoded| self.result(x);
        match self.step {
            Step::Tree => {
                let mut level: Vec<Decoded> = products.iter().map(round).collect();
                while level.len() > 1 {
                    level = level
                        .chunks(2)
                        .map(|pair| round(&plus(&pair[0], pair.get(1).unwrap_or(&ZERO()))))
                        .collect();
                }
                round(&plus(c, &level[0]))
            }
            Step::Pairs => {
                let order = (0..products.len()).map(|i| i ^ 1);
                order.fold(c.clone(), |sum, i| round(&plus(&products[i], &sum)))
            }
            Step::TwoChains => {
                let chain = |parity: usize| {
                    let every_other = products.iter().skip(parity).step_by(2);
                    every_other.fold(ZERO(), |sum, product| round(&plus(product, &sum)))
                };
                round(&plus(&round(&plus(&chain(0), &chain(1))), c))
            }
            Step::SumsOfPairs { odd } => {
                // Only the sum of a pair that is rounded to odd has rounded products.
                let product = |x: &Decoded| if odd { round(x) } else { x.clone() };
                products.chunks(2).fold(c.clone(), |sum, pair| {
                    round(&plus(&sum, &round(&plus(&product(&pair[0]), &product(&pair[1])))))
                })
            }
            Step::Aligned { .. } | Step::Late { .. } | Step::Exact { .. } => {
                let is_late = matches!(self.step, Step::Late { .. });
                let limit = Dyadic::power(128);
                let infinite = |product: &Decoded| {
                    is_late && number(product).is_some_and(|product| product.abs() >= limit)
                };
                let seen: Vec<Decoded> = products
                    .iter()
                    .map(|product| match infinite(product) {
                        true => Decoded::Infinite { negative: is_negative(product) },
                        false => product.clone(),
                    })
                    .collect();
                let all = seen.iter().fold(c.clone(), |sum, product| plus(&sum, product));
                if number(&all).is_none() {
                    return all;
                }
                let own = (number(c).unwrap_or_else(Dyadic::zero), exponent(c, &self.result));
                let terms = products.iter().zip(step).map(|(product, [x, y])| {
                    let exponents = exponent(x, formats[0]).zip(exponent(y, formats[1]));
                    (number(product).unwrap_or_else(Dyadic::zero), exponents.map(|(x, y)| x + y))
                });
                let mut terms: Vec<Term> = terms.collect();
                let sum = match self.step {
                    Step::Aligned { bits, least } => {
                        terms.push(own);
                        finite(&aligned(&terms, bits, least))
                    }
                    Step::Late { bits, sum_bits, halves } => {
                        finite(&late(&terms, own, bits, sum_bits, halves))
                    }
                    // `plus` has the sign of a zero sum.
                    _ if matches!(self.step, Step::Exact { signed_zeros: true }) => all,
                    _ => finite(&number(&all).unwrap_or_else(Dyadic::zero)),
                };
                round(&sum)
            }
        }
    }

    /// c + Σ scale·scale·a·b. Groups of products are summed exactly before they are aligned; c and the result are codes of
    /// the accumulator.
    ///
    /// # Panics
    /// If the step does not align terms.
    pub fn dot_of_blocks(&self, a: Blocks, b: Blocks, group: usize, c: u64) -> u64 {
        let Step::Aligned { bits, least } = self.step else { panic!("only aligned steps have scales") };
        let operands = [a, b];
        let mut sum = self.result.decode(c);
        for start in (0..a.elements.len()).step_by(self.products) {
            let end = a.elements.len().min(start + self.products);
            let mut all = sum.clone();
            let mut terms: Vec<Term> = vec![];
            for from in (start..end).step_by(group) {
                let scales = operands.map(|x| x.scale_format.decode(x.scales[from / x.block]));
                let scale = times(&scales[0], &scales[1]);
                let exponents = [0, 1].map(|i| exponent(&scales[i], operands[i].scale_format));
                let of_scales = exponents[0].zip(exponents[1]).map(|(x, y)| x + y);
                let mut whole = Dyadic::zero();
                let mut of_elements = None;
                for i in from..end.min(from + group) {
                    let elements = operands.map(|x| x.format.decode(x.elements[i]));
                    let product = times(&times(&elements[0], &elements[1]), &scale);
                    all = plus(&all, &product);
                    whole = &whole + &number(&product).unwrap_or_else(Dyadic::zero);
                    let exponents = [0, 1].map(|i| exponent(&elements[i], operands[i].format));
                    of_elements = exponents[0].zip(exponents[1]).map(|(x, y)| x + y);
                }
                let exponent = match group {
                    1 => of_scales.zip(of_elements).map(|(x, y)| x + y),
                    _ => of_scales,
                };
                terms.push((whole, exponent));
            }
            sum = if number(&all).is_none() {
                all
            } else {
                terms.push((number(&sum).unwrap_or_else(Dyadic::zero), exponent(&sum, &self.result)));
                self.result(&finite(&aligned(&terms, bits, least)))
            };
        }
        self.code(&sum)
    }
}

/// The sum of a step that adds its accumulator late.
fn late(products: &[Term], own: Term, bits: i64, sum_bits: i64, halves: bool) -> Dyadic {
    let parts = if halves { 2 } else { 1 };
    // Sums of parts and their exponents; a part of zeros takes no part.
    let of_parts = (0..parts).filter_map(|parity| {
        let terms: Vec<Term> = products.iter().skip(parity).step_by(parts).cloned().collect();
        let top = largest_exponent(&terms)?;
        Some((aligned(&terms, bits, top), top))
    });
    let of_parts: Vec<(Dyadic, i64)> = of_parts.collect();
    let Some(of_products) = of_parts.iter().map(|(_, top)| *top).max() else { return own.0 };
    let products = total(of_parts.iter().map(|(sum, _)| down(sum, of_products - bits)));
    let (c, of_c) = own;
    let top = of_c.map_or(of_products, |of_c| of_c.max(of_products));
    let is_far = halves && of_c.is_some_and(|of_c| of_c < top - 25);
    let c = if is_far { Dyadic::zero() } else { down(&c, top - bits) };
    &down(&products, top - sum_bits) + &c
}

/// A dot product of binary32 numbers on a unit, as an operator of matrices computes it.
#[derive(Clone, Debug)]
pub struct Product<'a> {
    /// the unit
    pub unit: &'a Unit,
    /// formats of both operands
    pub formats: [&'a Format; 2],
    /// binary32
    pub single: &'a Format,
    /// operands are cut rather than rounded to nearest even
    pub cuts: [bool; 2],
    /// operands beyond the largest number become it
    pub saturates: bool,
    /// products whose sum is added to a binary32 accumulator
    pub promote: Option<usize>,
    /// ranges of the depth
    pub split: usize,
}

impl Product<'_> {
    fn added(&self, x: &Decoded, y: &Decoded) -> Decoded {
        rounded(&plus(x, y), self.single, 24, Mode::NearestEven)
    }

    /// c + Σ a·b of binary32 codes.
    pub fn dot(&self, a: &[u64], b: &[u64], c: u64) -> Decoded {
        let mut sum = self.single.decode(c);
        if a.is_empty() {
            return sum;
        }
        let read = |operand: usize, codes: &[u64]| -> Vec<u64> {
            let mode = if self.cuts[operand] { Mode::TowardZero } else { Mode::NearestEven };
            let saturation = if self.saturates { Saturation::Finite } else { Saturation::Overflow };
            let exact = |code: u64| Exact::from(self.single.decode(code));
            codes
                .iter()
                .map(|&code| project(self.formats[operand], &exact(code), mode, saturation).code)
                .collect()
        };
        let (a, b) = (read(0, a), read(1, b));
        let on_unit = |from: usize, to: usize, c: &Decoded| {
            let to_code = |x: &Decoded| {
                project(&self.unit.result, &Exact::from(x.clone()), Mode::NearestEven, Saturation::Overflow)
                    .code
            };
            self.unit.result.decode(self.unit.dot(self.formats, &a[from..to], &b[from..to], to_code(c)))
        };
        let promoted = |from: usize, to: usize, mut sum: Decoded| match self.promote {
            None => on_unit(from, to, &sum),
            Some(length) => {
                for start in (from..to).step_by(length) {
                    sum = self.added(&sum, &on_unit(start, to.min(start + length), &ZERO()));
                }
                sum
            }
        };
        if self.split == 1 {
            return promoted(0, a.len(), sum);
        }
        let length = a.len().div_ceil(self.unit.products).div_ceil(self.split) * self.unit.products;
        for start in (0..a.len()).step_by(length) {
            sum = self.added(&sum, &promoted(start, a.len().min(start + length), ZERO()));
        }
        sum
    }
}
