//! The steps of a dot product on a unit as plain data, for those who show or explain it.
//!
//! [`Mode::trace`] follows [`Mode::dot`] and records each step's terms, what an alignment keeps of them, and each rounding.

use alloc::vec::Vec;
use core::ops::Range;

use super::{Codes, LEAST, Mode, Step, Term, rounded_to_odd, terms};
use crate::codec::decode;
use crate::exact::{Finite, Value, wide};
use crate::format::Format;
use crate::round::{Projection, project};

/// One step of a dot product.
#[derive(Clone, PartialEq, Debug)]
pub struct TracedStep {
    /// Indices of the step's products.
    pub products: Range<usize>,
    /// The operands of each product, as the unit reads them.
    pub operands: Vec<[Value; 2]>,
    /// The accumulator before the step, as the unit reads it.
    pub accumulator: Value,
    /// The additions in alignment, in order. The step's sum is that of the last one. Empty if the unit rounds each addition, or if
    /// a term is infinite or NaN.
    pub alignments: Vec<Alignment>,
    /// The additions that are rounded to binary32, in order. The last one is the result. Empty if the unit aligns.
    pub roundings: Vec<RoundedSum>,
    /// The accumulator after the step.
    pub result: Value,
    /// The code of the result, in the format of accumulators.
    pub code: u64,
}

/// Terms in one alignment, and their exact sum.
#[derive(Clone, PartialEq, Debug)]
pub struct Alignment {
    /// The exponent E: the largest one of the terms, or the mode's least exponent.
    pub exponent: i64,
    /// The terms, zeros among them.
    pub terms: Vec<AlignedTerm>,
    /// The exact sum of what is kept of the terms, truncated after 128 bits and then marked sticky.
    pub sum: Finite,
}

/// A term of an alignment.
#[derive(Clone, PartialEq, Debug)]
pub struct AlignedTerm {
    /// The origin of the term.
    pub source: Source,
    /// The exact value.
    pub value: Finite,
    /// The exponent that the alignment compares; `None` for a zero.
    pub exponent: Option<i64>,
    /// The exponent of the last bit that is kept; `None` if all are.
    pub last_bit: Option<i64>,
    /// The value that is kept.
    pub kept: Finite,
}

/// A sum of one or two terms that is rounded to binary32.
#[derive(Clone, PartialEq, Debug)]
pub struct RoundedSum {
    /// The terms.
    pub terms: Vec<Source>,
    /// The exact sum.
    pub exact: Value,
    /// The rounded sum; a zero if the unit flushes it.
    pub value: Value,
}

/// The origin of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The product of this index in the dot product.
    Product(usize),
    /// The accumulator before the step.
    Accumulator,
    /// The sum of the step's alignment of this index.
    Aligned(usize),
    /// The step's rounded sum of this index.
    Rounded(usize),
    /// The zero from which a chain starts, or that pads a tree.
    Zero,
}

/// The exact value of c + Σ a·b. The shorter operand is padded with zeros.
pub fn exact_dot(a: Codes<'_>, b: Codes<'_>, c: Value) -> Value {
    let length = a.codes.len().max(b.codes.len());
    let value =
        |codes: &Codes<'_>, place: usize| decode(codes.format, codes.codes.get(place).copied().unwrap_or(0));
    let products = (0..length).map(|place| value(&a, place).times(value(&b, place)));
    let all: Vec<Value> = products.chain([c]).collect();
    let finite: Vec<Finite> =
        all.iter().filter_map(|term| if let Value::Finite(x) = term { Some(*x) } else { None }).collect();
    if finite.len() == all.len() {
        return Value::Finite(wide::sum(&finite, false));
    }
    all.into_iter()
        .filter(|term| !matches!(term, Value::Finite(_)))
        .reduce(|sum, term| sum.plus(term, false))
        .unwrap_or(Value::ZERO)
}

impl Mode {
    /// The steps of [`Mode::dot`] of the same codes. The last one's `code` is its result.
    pub fn trace(&self, a: Codes<'_>, b: Codes<'_>, c: u64) -> Vec<TracedStep> {
        let format = self.accumulator();
        let length = a.codes.len().max(b.codes.len());
        let read = |codes: &Codes<'_>, place: usize| {
            self.flushed(codes.format, decode(codes.format, codes.codes.get(place).copied().unwrap_or(0)))
        };
        let mut next = decode(format, c);
        let starts = (0..length.max(1)).step_by(self.products);
        starts
            .map(|start| {
                let products = start..length.min(start + self.products);
                let pairs: Vec<(Value, Value)> =
                    products.clone().map(|place| (read(&a, place), read(&b, place))).collect();
                let accumulator = self.flushed(format, next);
                let step = PartialStep { mode: self, start, pairs: &pairs, accumulator };
                let alignments = step.alignments([a.format, b.format]);
                let roundings = step.roundings();
                next = self.add([a.format, b.format], &pairs, accumulator);
                let code = match next {
                    Value::Nan { .. } => self.nan,
                    value => project(format, value, Projection::default()).code,
                };
                let operands = pairs.into_iter().map(|(a, b)| [a, b]).collect();
                TracedStep { products, operands, accumulator, alignments, roundings, result: next, code }
            })
            .collect()
    }
}

/// A step whose terms are traced.
struct PartialStep<'a> {
    mode: &'a Mode,
    start: usize,
    pairs: &'a [(Value, Value)],
    accumulator: Value,
}

impl PartialStep<'_> {
    fn alignments(&self, formats: [Format; 2]) -> Vec<Alignment> {
        let is_finite = |x: &Value| matches!(x, Value::Finite(_));
        let Value::Finite(c) = self.accumulator else { return Vec::new() };
        if !self.pairs.iter().all(|(a, b)| is_finite(a) && is_finite(b)) {
            return Vec::new();
        }
        let c = Term::new(self.mode.accumulator(), c);
        let products = (self.start..).map(Source::Product).zip(terms(formats, self.pairs));
        let products: Vec<(Source, Term)> = products.collect();
        match self.mode.step {
            Step::Aligned { fraction_bits, least_exponent } => {
                let all = products.into_iter().chain([(Source::Accumulator, c)]);
                Vec::from([cut(all, fraction_bits, least_exponent)])
            }
            Step::Late { fraction_bits, sum_bits, halves } => {
                if products
                    .iter()
                    .any(|(_, product)| !product.is_zero() && product.finite().log2_floor() >= 128)
                {
                    // Products that are infinite.
                    return Vec::new();
                }
                late(&products, c, [fraction_bits, sum_bits], halves)
            }
            Step::Tree | Step::Pairs | Step::TwoChains | Step::OddPairs | Step::FusedPairs => Vec::new(),
            Step::Exact | Step::Fused => {
                let all: Vec<(Source, Term)> =
                    products.into_iter().chain([(Source::Accumulator, c)]).collect();
                Vec::from([whole(&all)])
            }
        }
    }

    fn roundings(&self) -> Vec<RoundedSum> {
        let count = self.pairs.len();
        let product = |place: usize| Source::Product(self.start + place);
        let mut sums = Vec::new();
        match self.mode.step {
            Step::Tree => {
                let mut level: Vec<Source> =
                    (0..count).map(|place| self.add(&mut sums, &[product(place)])).collect();
                level.resize(self.mode.products, Source::Zero);
                while level.len() > 1 {
                    level = level.chunks(2).map(|pair| self.add(&mut sums, pair)).collect();
                }
                self.add(&mut sums, &[Source::Accumulator, level[0]]);
            }
            Step::Pairs => {
                let order = (0..count).step_by(2).flat_map(|place| (place..count.min(place + 2)).rev());
                let chain = |c, place| self.add(&mut sums, &[product(place), c]);
                order.fold(Source::Accumulator, chain);
            }
            Step::TwoChains => {
                let mut chain = |parity: usize| {
                    let places = (parity..count).step_by(2);
                    places.fold(Source::Zero, |sum, place| self.add(&mut sums, &[product(place), sum]))
                };
                let both = [chain(0), chain(1)];
                let sum = self.add(&mut sums, &both);
                self.add(&mut sums, &[Source::Accumulator, sum]);
            }
            Step::OddPairs | Step::FusedPairs => {
                let source = |place: usize| if place < count { product(place) } else { Source::Zero };
                (0..self.mode.products).step_by(2).fold(Source::Accumulator, |c, place| {
                    let pair = self.add(&mut sums, &[source(place), source(place + 1)]);
                    self.add(&mut sums, &[c, pair])
                });
            }
            Step::Aligned { .. } | Step::Late { .. } | Step::Exact | Step::Fused => {}
        }
        sums
    }

    /// Appends the rounded sum of terms, and returns where it is.
    fn add(&self, sums: &mut Vec<RoundedSum>, terms: &[Source]) -> Source {
        let to_odd = self.mode.step == Step::OddPairs;
        let value = |source: &Source| match *source {
            Source::Product(place) => {
                let (a, b) = self.pairs[place - self.start];
                if to_odd { rounded_to_odd(a.times(b)) } else { a.times(b) }
            }
            Source::Accumulator => self.accumulator,
            Source::Rounded(at) => sums[at].value,
            Source::Aligned(_) | Source::Zero => Value::ZERO,
        };
        let exact = terms.iter().map(value).reduce(|x, y| x.plus(y, false)).unwrap_or(Value::ZERO);
        let rounded = if to_odd { rounded_to_odd(exact) } else { self.mode.binary32(exact) };
        sums.push(RoundedSum { terms: terms.to_vec(), exact, value: rounded });
        Source::Rounded(sums.len() - 1)
    }
}

/// A value in multiples of 2^`unit`.
fn multiple(sum: i128, unit: i64) -> Finite {
    if sum == 0 { Finite::zero(false) } else { Finite::new(sum < 0, sum.unsigned_abs(), unit) }
}

fn aligned_term(source: Source, term: &Term, last_bit: Option<i64>, kept: Finite) -> AlignedTerm {
    let exponent = (!term.is_zero()).then_some(term.exponent);
    AlignedTerm { source, value: term.finite(), exponent, last_bit, kept }
}

fn sum_of(terms: Vec<AlignedTerm>, exponent: i64) -> Alignment {
    let kept: Vec<Finite> = terms.iter().map(|term| term.kept).collect();
    Alignment { exponent, terms, sum: wide::sum(&kept, false) }
}

/// Terms that are cut toward zero.
fn cut(terms: impl Iterator<Item = (Source, Term)>, fraction_bits: i64, least_exponent: i64) -> Alignment {
    let terms: Vec<(Source, Term)> = terms.collect();
    let nonzero = terms.iter().filter(|(_, term)| !term.is_zero());
    let exponent = nonzero.map(|(_, term)| term.exponent).fold(least_exponent, i64::max);
    let unit = exponent - fraction_bits;
    let each = |(source, term): &(Source, Term)| {
        aligned_term(*source, term, Some(unit), multiple(term.cut(unit), unit))
    };
    sum_of(terms.iter().map(each).collect(), exponent)
}

/// Terms that are kept whole.
fn whole(terms: &[(Source, Term)]) -> Alignment {
    let exponent = terms.iter().filter(|(_, term)| !term.is_zero()).map(|(_, term)| term.exponent).max();
    let each = |(source, term): &(Source, Term)| aligned_term(*source, term, None, term.finite());
    sum_of(terms.iter().map(each).collect(), exponent.unwrap_or(0))
}

/// A term rounded down to a multiple of 2^`unit`.
fn down(source: Source, term: &Term, unit: i64) -> AlignedTerm {
    let cut = term.cut(unit);
    let is_inexact = !term.is_zero() && term.unit + i64::from(term.significand.trailing_zeros()) < unit;
    aligned_term(source, term, Some(unit), multiple(cut - i128::from(term.negative && is_inexact), unit))
}

/// The sum of an alignment as a term of the next one.
fn term_of(alignment: &Alignment) -> Term {
    let Finite { negative, significand, exponent: unit, .. } = alignment.sum;
    Term { negative, significand, unit, exponent: alignment.exponent }
}

/// CDNA3's alignments: of the products, or of those of even and of odd index; of both sums; and with the accumulator.
fn late(products: &[(Source, Term)], c: Term, [bits, sum_bits]: [i64; 2], halves: bool) -> Vec<Alignment> {
    let mut alignments = Vec::new();
    let parts = if halves { 2 } else { 1 };
    for parity in 0..parts {
        let part: Vec<(Source, Term)> = products.iter().skip(parity).step_by(parts).copied().collect();
        if part.iter().any(|(_, term)| !term.is_zero()) {
            alignments.push(cut(part.into_iter(), bits, LEAST));
        }
    }
    if let [even, odd] = &alignments[..] {
        let exponent = even.exponent.max(odd.exponent);
        let both = [even, odd].map(term_of);
        let unit = exponent - bits;
        let terms = both.iter().enumerate().map(|(at, term)| down(Source::Aligned(at), term, unit)).collect();
        alignments.push(sum_of(terms, exponent));
    }
    let Some(sum) = alignments.last() else { return Vec::from([whole(&[(Source::Accumulator, c)])]) };
    if c.is_zero() {
        return alignments;
    }
    let exponent = sum.exponent.max(c.exponent);
    let mut own = down(Source::Accumulator, &c, exponent - bits);
    if halves && c.exponent < exponent - 25 {
        own.kept = Finite::zero(false);
    }
    let products = down(Source::Aligned(alignments.len() - 1), &term_of(sum), exponent - sum_bits);
    alignments.push(sum_of(Vec::from([products, own]), exponent));
    alignments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operator::Operator;
    use crate::philox::Stream;
    use crate::unit::UNITS;

    /// Codes of a format: of all exponents, or near 1; zeros among them.
    fn codes(random: &mut Stream, format: Format, count: usize, wide: bool) -> Vec<u64> {
        let one = project(format, Value::ONE, Projection::default()).code;
        let mut code = || {
            let any = ((random.below(1 << 30) as u64) << 22) ^ random.below(1 << 30) as u64;
            let low = (1 << (format.precision() + 1)) - 1;
            let near = (one ^ (any & low)) | (any & format.sign_bit());
            let code = if wide { any & format.last_code() } else { near };
            if any.is_multiple_of(7) { 0 } else { code }
        };
        (0..count).map(|_| code()).collect()
    }

    /// Every mode: the last alignment's sum, rounded, or the last rounded sum is the step's result, and the last step's code is that of
    /// `dot`. Kept terms are multiples of their last bits.
    #[test]
    fn trace_of_every_mode_ends_with_the_bits_of_dot() {
        let described = ["unit(products=5,bits=9,accumulator=late,sum_bits=11,subnormals=flushed):bf16"];
        let described = described.map(|text| *text.parse::<Operator>().unwrap().as_unit().unwrap().mode());
        let modes = UNITS.iter().flat_map(|unit| unit.modes).chain(&described);
        let (mut random, mut aligned, mut rounded) = (Stream::new(51), 0, 0);
        for mode in modes {
            for case in 0..400 {
                let inputs = if mode.inputs.is_empty() { &["bf16"] } else { mode.inputs };
                let format = |at: usize| inputs[at % inputs.len()].parse::<crate::Spec>().unwrap().format;
                let formats = [format(case), format(case / 2)];
                let [a, b] =
                    formats.map(|format| codes(&mut random, format, 2 * mode.products + 1, case % 3 == 0));
                let c = codes(&mut random, mode.accumulator(), 1, case % 4 == 0)[0];
                let [a, b] =
                    [(formats[0], &a), (formats[1], &b)].map(|(format, codes)| Codes { format, codes });
                let steps = mode.trace(a, b, c);
                assert_eq!(steps.len(), 3);
                assert_eq!(steps[2].code, mode.dot(a, b, c), "{mode:?} {a:x?} {b:x?} {c:x}");
                for step in &steps {
                    if let Some(last) = step.alignments.last() {
                        aligned += 1;
                        assert_eq!(mode.rounded(Value::Finite(last.sum)), step.result, "{mode:?} {step:?}");
                    }
                    if let Some(last) = step.roundings.last() {
                        rounded += 1;
                        assert!(last.value == step.result || last.value.is_nan() && step.result.is_nan());
                    }
                    for term in step.alignments.iter().flat_map(|alignment| &alignment.terms) {
                        let kept = term.kept;
                        let unit = term.last_bit.unwrap_or(i64::MIN);
                        assert!(
                            kept.is_zero()
                                || kept.exponent + i64::from(kept.significand.trailing_zeros()) >= unit
                        );
                    }
                }
            }
        }
        assert!(aligned > 10_000 && rounded > 4_000, "{aligned} {rounded}");
    }

    #[test]
    fn exact_dot_has_the_bits_that_units_cut() {
        let codes = [0x3c00, 0x0800];
        let codes = Codes { format: crate::catalog::F16, codes: &codes };
        assert_eq!(crate::text::hex(exact_dot(codes, codes, Value::ZERO)), "0x1.0000004p+0");
        let infinite = Codes { format: crate::catalog::F16, codes: &[0x7c00] };
        assert!(exact_dot(infinite, Codes { codes: &[], ..infinite }, Value::ZERO).is_nan());
    }
}
