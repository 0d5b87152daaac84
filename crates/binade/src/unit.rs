//! Matrix units of real processors: how each adds products to its accumulator, bit for bit.
//!
//! A [`Unit`] is a chip or an instruction, a [`Mode`] is what it does with one kind of input. A mode takes the products of a dot
//! product in steps of [`Mode::products`]; the accumulator of one step is the addend of the next. [`Mode::dot`] is the
//! definition. It is plain data and integer arithmetic, hence the same on every machine.
//!
//! # The aligned step
//!
//! NVIDIA's tensor cores add products and accumulator in one alignment (arXiv 2511.10909; Khattak and Mikaitis 2025):
//!
//! 1. An operand x is s · 2^e with 1 ≤ |s| < 2; a subnormal number has its format's least exponent, so that |s| < 1.
//! 2. A product has the significand s_a · s_b, which is not normalised, and the exponent e_a + e_b. Zeros take no part.
//! 3. E is the largest exponent of all products and of the accumulator, and at least the mode's least exponent.
//! 4. Each term is cut toward zero to a multiple of 2^(E − F), F being the fraction bits kept. The sum is exact.
//! 5. The sum is rounded to the mode's result. A result of 2^128 or more is infinite, though rounding is toward zero.

mod catalogue;
mod operator;
mod trace;

use alloc::vec::Vec;

use crate::catalog::F32;
use crate::codec::decode;
use crate::exact::{Finite, Value};
use crate::format::Format;
use crate::round::{Projection, Rounding, Saturation, project};

pub use catalogue::{UNITS, UNKNOWN};
pub use operator::{UnitError, UnitOperator};
pub use trace::{AlignedTerm, Alignment, RoundedSum, Source, TracedStep, exact_dot};

/// A chip or an instruction that multiplies matrices.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Canonical name, in lower case.
    pub name: &'static str,
    /// Names of chips and instructions with the same arithmetic.
    pub aliases: &'static [&'static str],
    /// The maker's name, and that of the architecture.
    pub about: &'static str,
    /// One mode for each kind of input.
    pub modes: &'static [Mode],
    /// Steps on elements in blocks, which share scales along the depth.
    pub scaled: &'static [Scaled],
}

/// The arithmetic of a unit for elements in blocks, whose scales it applies itself.
///
/// The step is [`Step::Aligned`], whose terms are sums of groups of products. A group's sum is exact. Its significand is the sum
/// times the significands of both scales. Its exponent is the sum of the scales' exponents; in groups of one product, those of both
/// elements are added. A scale below its format's normal numbers has the least exponent of these, and a scale of 0 takes
/// no part.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scaled {
    /// The step, whose inputs are the elements, and its result.
    pub step: Mode,
    /// Catalogue names of the formats of scales; both operands have the same one.
    pub scales: &'static [&'static str],
    /// Products that are summed before they are aligned.
    pub group: usize,
}

/// One operand of a dot product in blocks.
#[derive(Clone, Copy, Debug)]
pub struct ScaledCodes<'a> {
    /// The elements.
    pub elements: Codes<'a>,
    /// The scales, one for each block of elements.
    pub scales: Codes<'a>,
    /// Elements of a block: a multiple of [`Scaled::group`].
    pub block: usize,
}

/// The arithmetic of a unit for one kind of input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mode {
    /// Catalogue names of the input formats; the two operands may have different ones of these.
    pub inputs: &'static [&'static str],
    /// Products that one step adds.
    pub products: usize,
    /// The addition of a step's products to the accumulator.
    pub step: Step,
    /// The rounding of a step's sum.
    pub result: Result,
    /// Subnormal inputs, addends and results are zeros.
    pub flush: bool,
    /// The code of a NaN result, in the format of the accumulator.
    pub nan: u64,
    /// The evidence.
    pub known: Known,
}

/// The addition of a step's products to the accumulator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// Products and accumulator in one alignment; see the [module](self).
    Aligned {
        /// Fraction bits F that terms keep below the largest exponent.
        fraction_bits: i64,
        /// Lower bound of the alignment's exponent E.
        least_exponent: i64,
    },
    /// Products in one alignment, and their sum in another one with the accumulator (CDNA3). The sum is rounded down to
    /// `sum_bits` fraction bits, the accumulator to the products' fraction bits.
    Late {
        /// Fraction bits that products keep, cut toward zero, and that the accumulator keeps, rounded down.
        fraction_bits: i64,
        /// Fraction bits that the products' sum keeps.
        sum_bits: i64,
        /// Products of even and of odd index are aligned apart, and joined at the larger exponent, each rounded down. The
        /// accumulator counts as 0 where its exponent is more than 25 below the larger one.
        halves: bool,
    },
    /// The exact sum of products and accumulator, rounded once.
    Exact,
    /// Binary32 sums of neighbours, pairs of these, and so on, and last the accumulator; each is rounded to nearest even.
    Tree,
    /// Binary32 fused multiply-adds onto the accumulator, of each pair of products the second first.
    Pairs,
    /// Two chains of binary32 fused multiply-adds from zero, of the products of even and odd index. The accumulator is added
    /// to the sum of both.
    TwoChains,
    /// The exact sum of products and accumulator, rounded once. A sum of zeros of one sign has that sign.
    Fused,
    /// The sum of each pair of products, rounded to binary32; the accumulator is added to it. Each sum is rounded to odd.
    /// Sums of 2^128 or more are infinite.
    OddPairs,
    /// The exact sum of each pair of products, rounded to binary32; the accumulator is added to it. Each sum is rounded to
    /// nearest even.
    FusedPairs,
}

/// The format and the rounding of a step's sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Result {
    /// Catalogue name of the format of accumulators and results: `f32` or `f16`.
    pub format: &'static str,
    /// Significant bits of results; fewer than the format's if results have zeros at the end.
    pub precision: u32,
    /// Toward zero, to nearest even or to odd.
    pub rounding: Rounding,
}

/// The evidence for a mode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Known {
    /// Outputs of the chip were compared with this definition.
    Measured(&'static str),
    /// A published model says so; no outputs of the chip are at hand.
    Modelled(&'static str),
    /// The maker's manual says so.
    Specified(&'static str),
}

/// The codes of one operand of a dot product.
#[derive(Clone, Copy, Debug)]
pub struct Codes<'a> {
    /// The format of the codes.
    pub format: Format,
    /// The codes, element by element.
    pub codes: &'a [u64],
}

/// A finite number as an alignment sees it: ±significand · 2^unit, whose leading bit counts as 2^exponent or below.
#[derive(Clone, Copy, Debug)]
struct Term {
    negative: bool,
    significand: u128,
    unit: i64,
    exponent: i64,
}

impl Term {
    fn new(format: Format, x: Finite) -> Term {
        let exponent = if x.is_zero() { 0 } else { x.log2_floor().max(format.emin().into()) };
        Term { negative: x.negative, significand: x.significand, unit: x.exponent, exponent }
    }

    fn times(self, other: Term) -> Term {
        Term {
            negative: self.negative != other.negative,
            significand: self.significand * other.significand,
            unit: self.unit + other.unit,
            exponent: self.exponent + other.exponent,
        }
    }

    fn is_zero(&self) -> bool {
        self.significand == 0
    }

    fn finite(&self) -> Finite {
        if self.is_zero() {
            Finite::zero(self.negative)
        } else {
            Finite::new(self.negative, self.significand, self.unit)
        }
    }

    /// The term in multiples of 2^`unit`, truncated toward zero.
    fn cut(&self, unit: i64) -> i128 {
        if self.is_zero() {
            return 0;
        }
        // No exponent is above the alignment's, so a shift to the left is by few bits. A shift to the right by all bits
        // gives zero.
        let magnitude = match self.unit - unit {
            up @ 0.. => (self.significand << up) as i128,
            down => self.significand.checked_shr(down.unsigned_abs() as u32).unwrap_or(0) as i128,
        };
        if self.negative { -magnitude } else { magnitude }
    }
}

/// A sum in multiples of a power of two, with the exponent of its alignment.
#[derive(Clone, Copy)]
struct Aligned {
    sum: i128,
    unit: i64,
    exponent: i64,
}

impl Aligned {
    /// The sum of terms that are truncated toward zero. Zeros do not take part.
    fn of(terms: &[Term], fraction_bits: i64, least_exponent: i64) -> Aligned {
        let nonzero = terms.iter().filter(|term| !term.is_zero());
        let exponent = nonzero.map(|term| term.exponent).fold(least_exponent, i64::max);
        let unit = exponent - fraction_bits;
        Aligned { sum: terms.iter().map(|term| term.cut(unit)).sum(), unit, exponent }
    }

    /// The sum in multiples of 2^`unit`, rounded down.
    fn down(&self, unit: i64) -> i128 {
        match self.unit - unit {
            up @ 0.. => self.sum << up,
            down => self.sum >> down.unsigned_abs().min(127),
        }
    }

    fn value(&self) -> Value {
        match self.sum {
            0 => Value::ZERO,
            sum => Value::Finite(Finite::new(sum < 0, sum.unsigned_abs(), self.unit)),
        }
    }
}

impl Unit {
    /// The unit with this name or alias, in any letter case.
    pub fn named(name: &str) -> Option<&'static Unit> {
        let is = |known: &&str| known.eq_ignore_ascii_case(name);
        UNITS.iter().find(|unit| is(&unit.name) || unit.aliases.iter().any(is))
    }

    /// The scaled step for elements and scales of these formats, by their catalogue names.
    pub fn scaled(&self, elements: [&str; 2], scale: &str) -> Option<&'static Scaled> {
        let takes = |scaled: &&Scaled| {
            elements.iter().all(|element| scaled.step.inputs.contains(element))
                && scaled.scales.contains(&scale)
        };
        self.scaled.iter().find(takes)
    }

    /// The mode for inputs of a format and results of another, by their catalogue names.
    pub fn mode(&self, input: &str, result: &str) -> Option<&'static Mode> {
        self.modes.iter().find(|mode| mode.inputs.contains(&input) && mode.result.format == result)
    }
}

/// Products that share scales.
struct Group {
    pairs: Vec<(Value, Value)>,
    scales: [Value; 2],
}

impl Scaled {
    /// c + Σ scale·scale·element·element, in steps; `c` and the result are binary32 codes. The shorter operand counts as continued
    /// by zeros.
    pub fn dot(&self, a: ScaledCodes<'_>, b: ScaledCodes<'_>, c: u64) -> u64 {
        let length = a.elements.codes.len().max(b.elements.codes.len());
        let read = |codes: &Codes<'_>, place: usize| {
            decode(codes.format, codes.codes.get(place).copied().unwrap_or(0))
        };
        let formats = [a.elements.format, b.elements.format];
        let mut accumulator = decode(F32, c);
        for start in (0..length).step_by(self.step.products) {
            let end = length.min(start + self.step.products);
            let groups = (start..end).step_by(self.group).map(|from| {
                let places = from..end.min(from + self.group);
                let pairs: Vec<(Value, Value)> =
                    places.map(|place| (read(&a.elements, place), read(&b.elements, place))).collect();
                let scales = [read(&a.scales, from / a.block), read(&b.scales, from / b.block)];
                Group { pairs, scales }
            });
            let groups: Vec<Group> = groups.collect();
            accumulator = self.add(formats, [a.scales.format, b.scales.format], &groups, accumulator);
        }
        match accumulator {
            Value::Nan { .. } => self.step.nan,
            value => project(F32, value, Projection::default()).code,
        }
    }

    /// One step: the exact value of the new accumulator.
    fn add(&self, formats: [Format; 2], of_scales: [Format; 2], groups: &[Group], c: Value) -> Value {
        let Step::Aligned { fraction_bits, least_exponent } = self.step.step else { return Value::UNDEFINED };
        let products = groups.iter().flat_map(|Group { pairs, scales: [s, u] }| {
            pairs.iter().map(move |(a, b)| a.times(*b).times(*s).times(*u))
        });
        let special = products
            .chain([c])
            .filter(|term| !matches!(term, Value::Finite(_)))
            .reduce(|sum, term| sum.plus(term, false));
        if let Some(special) = special {
            return special;
        }
        let Value::Finite(c) = c else { return Value::UNDEFINED };
        let mut all = Vec::from([Term::new(F32, c)]);
        for Group { pairs, scales } in groups {
            let [Value::Finite(s), Value::Finite(u)] = *scales else { return Value::UNDEFINED };
            let scale = Term::new(of_scales[0], s).times(Term::new(of_scales[1], u));
            let products = terms(formats, pairs);
            if self.group == 1 {
                all.extend(products.into_iter().map(|product| product.times(scale)));
                continue;
            }
            let finite: Vec<Finite> = products.iter().map(Term::finite).collect();
            let sum = crate::exact::wide::sum(&finite, false);
            let exponent = if scale.is_zero() { least_exponent } else { scale.exponent };
            all.push(Term {
                negative: sum.negative != scale.negative,
                significand: sum.significand * scale.significand,
                unit: sum.exponent + scale.unit,
                exponent,
            });
        }
        // A group takes part in the alignment by its scales, whatever its sum is.
        let aligns = |term: &&Term| self.group > 1 || !term.is_zero();
        let (own, groups) = all.split_at(1);
        let own = own.iter().filter(|term| !term.is_zero());
        let exponents = own.chain(groups.iter().filter(aligns)).map(|term| term.exponent);
        let exponent = exponents.fold(least_exponent, i64::max);
        let unit = exponent - fraction_bits;
        let sum = all.iter().map(|term| term.cut(unit)).sum();
        self.step.rounded(Aligned { sum, unit, exponent }.value())
    }
}

impl Mode {
    /// The format of accumulators and results.
    pub fn accumulator(&self) -> Format {
        if self.result.format == "f16" { crate::catalog::F16 } else { F32 }
    }

    /// c + Σ a·b, in steps; `c` and the result are codes of [`Mode::accumulator`]. The shorter operand is padded with
    /// zeros.
    pub fn dot(&self, a: Codes<'_>, b: Codes<'_>, c: u64) -> u64 {
        let format = self.accumulator();
        let length = a.codes.len().max(b.codes.len());
        let mut accumulator = decode(format, c);
        let mut start = 0;
        loop {
            let end = length.min(start + self.products);
            let read = |codes: &Codes<'_>, place: usize| {
                self.flushed(codes.format, decode(codes.format, codes.codes.get(place).copied().unwrap_or(0)))
            };
            let pairs: Vec<(Value, Value)> =
                (start..end).map(|place| (read(&a, place), read(&b, place))).collect();
            accumulator = self.add([a.format, b.format], &pairs, self.flushed(format, accumulator));
            start = end;
            if start == length {
                break;
            }
        }
        match accumulator {
            Value::Nan { .. } => self.nan,
            value => project(format, value, Projection::default()).code,
        }
    }

    /// x, or a zero of its sign if it is subnormal and the unit flushes these.
    fn flushed(&self, format: Format, x: Value) -> Value {
        match x {
            Value::Finite(finite)
                if self.flush && !finite.is_zero() && finite.log2_floor() < format.emin().into() =>
            {
                Value::Finite(Finite::zero(finite.negative))
            }
            x => x,
        }
    }

    /// One step: the exact value of the new accumulator.
    fn add(&self, formats: [Format; 2], pairs: &[(Value, Value)], c: Value) -> Value {
        match self.step {
            Step::Aligned { .. } | Step::Late { .. } | Step::Exact | Step::Fused => {
                self.fused(formats, pairs, c)
            }
            Step::Tree => {
                let mut sums: Vec<Value> = pairs.iter().map(|(a, b)| self.binary32(a.times(*b))).collect();
                sums.resize(self.products, Value::ZERO);
                while sums.len() > 1 {
                    sums = sums.chunks(2).map(|pair| self.binary32(pair[0].plus(pair[1], false))).collect();
                }
                self.binary32(c.plus(sums[0], false))
            }
            Step::Pairs => {
                let multiply_add = |c: Value, place: usize| {
                    let (a, b) = pairs.get(place).copied().unwrap_or((Value::ZERO, Value::ZERO));
                    self.binary32(a.times_plus(b, c, false))
                };
                (0..self.products)
                    .step_by(2)
                    .fold(c, |c, place| multiply_add(multiply_add(c, place + 1), place))
            }
            Step::TwoChains => {
                let chain = |parity: usize| {
                    let products = pairs.iter().skip(parity).step_by(2);
                    products.fold(Value::ZERO, |sum, (a, b)| self.binary32(a.times_plus(*b, sum, false)))
                };
                let sum = self.binary32(chain(0).plus(chain(1), false));
                self.binary32(c.plus(sum, false))
            }
            Step::OddPairs => self.of_pairs(pairs, c, rounded_to_odd, rounded_to_odd),
            Step::FusedPairs => self.of_pairs(pairs, c, |product| product, |sum| self.binary32(sum)),
        }
    }

    /// The accumulator plus the sum of each pair of products. A step without all of its products is padded with zeros.
    fn of_pairs(
        &self,
        pairs: &[(Value, Value)],
        c: Value,
        of_product: impl Fn(Value) -> Value,
        of_sum: impl Fn(Value) -> Value,
    ) -> Value {
        let product = |place: usize| of_product(pairs.get(place).map_or(Value::ZERO, |(a, b)| a.times(*b)));
        (0..self.products).step_by(2).fold(c, |c, place| {
            let sum = of_sum(product(place).plus(product(place + 1), false));
            of_sum(c.plus(sum, false))
        })
    }

    /// The binary32 number nearest to x; subnormals are flushed if the unit does so.
    fn binary32(&self, x: Value) -> Value {
        self.flushed(F32, decode(F32, project(F32, x, Projection::default()).code))
    }

    /// A step whose finite terms are added as integers.
    fn fused(&self, formats: [Format; 2], pairs: &[(Value, Value)], c: Value) -> Value {
        // CDNA3's products are infinite from 2^128 on.
        let overflows = |product: &Value| match (self.step, product) {
            (Step::Late { .. }, Value::Finite(x)) => !x.is_zero() && x.log2_floor() >= 128,
            _ => false,
        };
        let as_infinity = |product: Value| {
            if overflows(&product) { Value::Infinite { negative: product.negative() } } else { product }
        };
        let special = pairs
            .iter()
            .map(|(a, b)| as_infinity(a.times(*b)))
            .chain([c])
            .filter(|term| !matches!(term, Value::Finite(_)))
            .reduce(|sum, term| sum.plus(term, false));
        if let Some(special) = special {
            return special;
        }
        let products = terms(formats, pairs);
        let Value::Finite(c) = c else { return Value::UNDEFINED };
        let c = Term::new(self.accumulator(), c);
        let sum = match self.step {
            Step::Aligned { fraction_bits, least_exponent } => {
                let terms: Vec<Term> = products.into_iter().chain([c]).collect();
                Aligned::of(&terms, fraction_bits, least_exponent).value()
            }
            Step::Late { fraction_bits, sum_bits, halves } => {
                late(&products, c, fraction_bits, sum_bits, halves.then_some(25))
            }
            _ => {
                let mut terms: Vec<Finite> = products.iter().chain([&c]).map(Term::finite).collect();
                // Missing products are those of positive zeros, which decide the sign of a zero sum.
                terms.extend((products.len() < self.products).then_some(Finite::zero(false)));
                Value::Finite(crate::exact::wide::sum(&terms, false))
            }
        };
        self.rounded(sum)
    }

    /// A step's sum, rounded to the result.
    fn rounded(&self, sum: Value) -> Value {
        let format = self.accumulator();
        let Value::Finite(x) = sum else { return sum };
        if x.is_zero() {
            return if self.step == Step::Fused { sum } else { Value::ZERO };
        }
        // In the mode toward zero, too, values beyond the exponent range are infinite.
        if x.log2_floor() > format.emax().into() {
            return Value::Infinite { negative: x.negative };
        }
        let missing = format.precision() - self.result.precision;
        let narrow = Format::constant(crate::catalog::ieee(
            format.width() - missing,
            self.result.precision,
            format.bias(),
        ));
        let how = Projection::new(self.result.rounding, Saturation::Overflow);
        self.flushed(format, decode(narrow, project(narrow, sum, how).code))
    }
}

/// x as a binary32 number, rounded to odd. Values below the normal numbers are zeros, and those of 2^128 or more are
/// infinite.
fn rounded_to_odd(x: Value) -> Value {
    match x {
        Value::Finite(finite) if finite.is_zero() => x,
        Value::Finite(finite) if finite.log2_floor() < F32.emin().into() => {
            Value::Finite(Finite::zero(finite.negative))
        }
        Value::Finite(finite) if finite.log2_floor() > F32.emax().into() => {
            Value::Infinite { negative: finite.negative }
        }
        _ => decode(F32, project(F32, x, Projection::new(Rounding::ToOdd, Saturation::Overflow)).code),
    }
}

/// The products of finite operands. Zeros keep their positions, because some units separate even and odd products.
fn terms(formats: [Format; 2], pairs: &[(Value, Value)]) -> Vec<Term> {
    let term = |format, x| match x {
        Value::Finite(x) => Term::new(format, x),
        // Infinities and NaN were handled before.
        _ => Term::new(format, Finite::zero(false)),
    };
    pairs.iter().map(|&(a, b)| term(formats[0], a).times(term(formats[1], b))).collect()
}

/// An exponent below those of all products.
const LEAST: i64 = -1024;

/// CDNA3's step: the products first, then their sum and the accumulator. With `reach`, products of even and odd index
/// are aligned separately. An accumulator whose exponent is more than `reach` below the larger one counts as 0.
fn late(products: &[Term], c: Term, fraction_bits: i64, sum_bits: i64, reach: Option<i64>) -> Value {
    let aligned = |parity: usize, step: usize| {
        let terms: Vec<Term> = products.iter().skip(parity).step_by(step).copied().collect();
        let is_zero = terms.iter().all(Term::is_zero);
        (!is_zero).then(|| Aligned::of(&terms, fraction_bits, LEAST))
    };
    let products = match reach {
        None => aligned(0, 1),
        Some(_) => match (aligned(0, 2), aligned(1, 2)) {
            (Some(even), Some(odd)) => {
                let exponent = even.exponent.max(odd.exponent);
                let unit = exponent - fraction_bits;
                Some(Aligned { sum: even.down(unit) + odd.down(unit), unit, exponent })
            }
            (one, other) => one.or(other),
        },
    };
    let Some(products) = products else { return Value::Finite(c.finite()) };
    if c.is_zero() {
        return Aligned {
            sum: products.down(products.exponent - sum_bits),
            unit: products.exponent - sum_bits,
            ..products
        }
        .value();
    }
    let exponent = products.exponent.max(c.exponent);
    let unit = exponent - sum_bits;
    let whole = Aligned {
        sum: if c.negative { -(c.significand as i128) } else { c.significand as i128 },
        unit: c.unit,
        exponent: c.exponent,
    };
    let accumulator = match reach {
        Some(reach) if c.exponent < exponent - reach => 0,
        _ => whole.down(exponent - fraction_bits) << (sum_bits - fraction_bits),
    };
    Aligned { sum: products.down(unit) + accumulator, unit, exponent }.value()
}
