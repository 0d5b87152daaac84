//! Conversions by arithmetic: multiply-adds whose operands are put together from bits, or whose results are taken apart as
//! integers.
//!
//! | conversion | shape |
//! |---|---|
//! | rounding to an integer | x·s + M, and M subtracted again; or the bits of the sum read as an integer |
//! | float to fixed point | the same with other powers of two; or x·s + c with a large s, converted |
//! | binary32 to half | \|x\|·2^112·2^−110 + bits, read; or x·2^−112, read |
//! | half and FP8 to binary32 | bits·2^112; or bits − 2^k |
//! | integer to float | (bits or 2^23) − 2^23, also with a factor; x + x of an integer's half |
//! | scaling by 2^n | the bits of a result plus n shifted to the exponent |
//!
//! M and 2^k stand for numbers of one or two leading bits. A result that is merely encoded in fewer bits, as a product of
//! matrices is that is stored as BF16 or half, is no conversion: its bits are shifted, and what is added to them is less than a
//! unit of the shorter format, or made of them.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::{Flow, Integer, Step, StepKind, Value};
use super::judge::trivial;
use crate::fma::Element;

/// Powers of two from here on scale from one format's exponents to another's.
const FAR: i32 = 24;
/// Numbers from 2^this on round what is added to them at a place that only a conversion has.
const MAGIC: i32 = 10;
/// Factors and addends from 2^this on make fixed-point numbers.
const LARGE: i32 = 20;
/// Steps that are searched behind a result for what is made of its bits.
const NEAR: usize = 64;

/// Numbers whose lower bits hold an integer, or the upper halves of such: 2^23, 1.5 · 2^23, 2^39; 2^52, 1.5 · 2^52, 2^84.
const HOLDERS: [u32; 6] = [0x4b00_0000, 0x4b40_0000, 0x5300_0000, 0x4330_0000, 0x4338_0000, 0x4530_0000];

/// The magnitude of a constant.
fn magnitude(value: Value, element: Element) -> Option<f64> {
    let Value::Constant(bits) = value else { return None };
    let number = match element {
        Element::F32 => f64::from(f32::from_bits(bits as u32)),
        Element::F64 => f64::from_bits(bits),
    };
    Some(number.abs()).filter(|number| number.is_normal())
}

/// The exponent of a number of one or two leading bits, a power of two or half as much again.
fn leading(value: Value, element: Element) -> Option<i32> {
    let number = magnitude(value, element)?;
    (number.to_bits() << 13 == 0).then(|| exponent(number))
}

/// The exponent of a power of two.
fn power(value: Value, element: Element) -> Option<i32> {
    let number = magnitude(value, element)?;
    (number.to_bits() << 12 == 0).then(|| exponent(number))
}

fn exponent(number: f64) -> i32 {
    (number.to_bits() >> 52) as i32 - 1023
}

/// The lower 32 bits of a constant operand.
fn small(value: Value) -> Option<u32> {
    match value {
        Value::Constant(bits) => Some(bits as u32),
        _ => None,
    }
}

/// The indices of steps that convert.
pub(super) fn steps(flow: &Flow) -> BTreeSet<usize> {
    let mut conversions = Conversions {
        flow,
        made: flow.steps.iter().enumerate().map(|(k, step)| (step.result, k)).collect(),
        assembled: BTreeSet::new(),
        shifted: BTreeSet::new(),
        read: BTreeSet::new(),
        numbers: BTreeSet::new(),
        narrowed: BTreeSet::new(),
        offsets: BTreeSet::new(),
        converted: BTreeSet::new(),
        scaled: BTreeSet::new(),
        found: BTreeSet::new(),
    };
    conversions.forwards();
    conversions.backwards();
    for (k, step) in flow.steps.iter().enumerate() {
        if let (StepKind::MultiplyAdd(element), &[a, b, c, ..]) = (step.kind, &step.inputs[..]) {
            if conversions.converts(step.result, [a, b, c], element) {
                conversions.found.insert(k);
            }
            conversions.rounded(k, [a, b, c], element);
        }
    }
    conversions.leading_products();
    conversions.found
}

struct Conversions<'a> {
    flow: &'a Flow,
    /// The step that makes a value.
    made: BTreeMap<Value, usize>,
    /// Numbers put together from bits by integer arithmetic.
    assembled: BTreeSet<Value>,
    /// Numbers that hold an integer's bits below a leading bit.
    shifted: BTreeSet<Value>,
    /// Values whose bits integer arithmetic reads: all of them; without those that are encoded in fewer bits.
    read: BTreeSet<Value>,
    numbers: BTreeSet<Value>,
    /// Values of which the lower bytes are taken.
    narrowed: BTreeSet<Value>,
    /// Values to whose bits a multiple of the exponent's unit is added, or an unknown integer.
    scaled: BTreeSet<Value>,
    /// Values with the constants that are added to their bits or subtracted, and those that become integers by an instruction.
    offsets: BTreeSet<(Value, u32)>,
    converted: BTreeSet<Value>,
    found: BTreeSet<usize>,
}

impl Conversions<'_> {
    fn step(&self, value: Value) -> Option<&Step> {
        self.made.get(&value).map(|&k| &self.flow.steps[k])
    }

    /// Finds numbers that are put together from bits.
    fn forwards(&mut self) {
        for step in &self.flow.steps {
            let any = |set: &BTreeSet<Value>| step.inputs.iter().any(|input| set.contains(input));
            let holds = |input: &Value| match input {
                Value::Constant(bits) => {
                    [*bits as u32, (*bits >> 32) as u32].iter().any(|half| HOLDERS.contains(half))
                }
                _ => false,
            };
            // BF16 become binary32 by a shift; nothing is converted by arithmetic then.
            let widened = step.kind == StepKind::Integer(Integer::Left)
                && step.inputs.iter().any(|&input| small(input) == Some(16));
            let (assembled, shifted) = match step.kind {
                StepKind::Integer(Integer::Narrow) => (false, false),
                StepKind::Integer(Integer::Sum) => (true, step.inputs.iter().any(holds)),
                StepKind::Integer(_) => (!widened, false),
                StepKind::Or => {
                    let leading = |input: &Value| leading(*input, Element::F32).is_some();
                    (any(&self.assembled) || step.inputs.iter().any(leading), step.inputs.iter().any(holds))
                }
                StepKind::Other => {
                    (any(&self.assembled), any(&self.shifted) || step.inputs.iter().any(holds))
                }
                StepKind::Logic => (any(&self.assembled), any(&self.shifted)),
                _ => (false, false),
            };
            if assembled {
                self.assembled.insert(step.result);
            }
            if shifted {
                self.shifted.insert(step.result);
            }
        }
    }

    /// Finds values whose bits are read as integers, directly or through moves and masks.
    fn backwards(&mut self) {
        for step in self.flow.steps.iter().rev() {
            let inputs = || step.inputs.iter().copied().filter(|input| !matches!(input, Value::Constant(_)));
            if matches!(step.kind, StepKind::Integer(Integer::Sum) | StepKind::Logic) {
                for constant in step.inputs.iter().filter_map(|&input| small(input)) {
                    self.offsets.extend(
                        inputs().flat_map(|input| [(input, constant), (input, constant.wrapping_neg())]),
                    );
                }
            }
            if step.kind == StepKind::Round {
                self.converted.extend(inputs());
            }
            match step.kind {
                StepKind::Integer(how) => {
                    self.read.extend(inputs());
                    if how == Integer::Narrow {
                        self.narrowed.extend(inputs());
                    }
                    let plain: Vec<Value> =
                        inputs().filter(|&input| !self.encodes(step, how, input)).collect();
                    self.numbers.extend(plain);
                    let scaled: Vec<Value> =
                        inputs().filter(|&input| self.scales(step, how, input)).collect();
                    self.scaled.extend(scaled);
                }
                StepKind::Logic | StepKind::Or | StepKind::Other => {
                    let fields = step.kind == StepKind::Logic
                        && step.inputs.iter().any(|&input| small(input).is_some_and(is_field));
                    if fields || self.read.contains(&step.result) {
                        self.read.extend(inputs());
                    }
                    if fields || self.numbers.contains(&step.result) {
                        self.numbers.extend(inputs());
                    }
                    if self.narrowed.contains(&step.result) {
                        self.narrowed.extend(inputs());
                    }
                    if self.scaled.contains(&step.result) {
                        self.scaled.extend(inputs());
                    }
                }
                _ => {}
            }
        }
    }

    /// True if integer arithmetic on a value's bits encodes it in fewer bits: it shifts out the lower half, as for BF16, or adds
    /// the rounding of that shift.
    fn encodes(&self, step: &Step, how: Integer, input: Value) -> bool {
        let others = || step.inputs.iter().copied().filter(move |&other| other != input);
        match how {
            Integer::Right => others().any(|other| small(other) == Some(16)),
            Integer::Sum => others().all(|other| match other {
                Value::Constant(_) => small(other).is_some_and(|constant| constant <= 0xffff),
                other => self.is_made_of(other, input),
            }),
            _ => false,
        }
    }

    /// True if integer arithmetic adds a multiple of the exponent's unit to a value's bits, or an integer that is not made of
    /// them.
    fn scales(&self, step: &Step, how: Integer, input: Value) -> bool {
        let mut others = step.inputs.iter().copied().filter(|&other| other != input);
        how == Integer::Sum
            && others.any(|other| match other {
                Value::Constant(bits) => {
                    let low =
                        if bits >> 32 == bits & 0xffff_ffff { bits & 0xffff } else { bits & 0xffff_ffff };
                    low == 0 && bits != 0
                }
                Value::Coefficient(_) => false,
                other => !self.is_made_of(other, input),
            })
    }

    /// True if a value is made of another in a few steps.
    fn is_made_of(&self, value: Value, of: Value) -> bool {
        let mut seen = vec![value];
        let mut next = 0;
        while next < seen.len().min(NEAR) {
            let value = seen[next];
            next += 1;
            if value == of {
                return true;
            }
            let step = self.step(value).filter(|step| step.kind != StepKind::Call);
            for &input in step.into_iter().flat_map(|step| &step.inputs) {
                if !matches!(input, Value::Constant(_)) && !seen.contains(&input) {
                    seen.push(input);
                }
            }
        }
        false
    }

    /// True if a value is a sum of products, which goes on from step to step.
    fn accumulates(&self, mut value: Value) -> bool {
        for _ in 0..NEAR {
            if let Value::Met(block, _) = value {
                return block > 0;
            }
            let Some((StepKind::MultiplyAdd(_), &[a, b, c, ..])) =
                self.step(value).map(|step| (step.kind, &step.inputs[..]))
            else {
                return false;
            };
            if !a.is_constant() && !b.is_constant() && !trivial(c) {
                return true;
            }
            value = c;
        }
        false
    }

    /// True if a value is a product with a power of two of another format.
    fn is_far_product(&self, value: Value) -> bool {
        self.step(value).is_some_and(|step| match (step.kind, &step.inputs[..]) {
            (StepKind::MultiplyAdd(element), &[a, b, c, ..]) => {
                trivial(c) && (far(a, element) || far(b, element))
            }
            _ => false,
        })
    }

    /// True if a value is the product of an integer and a power of two.
    fn is_integer_product(&self, value: Value) -> bool {
        let integer = |value| self.step(value).is_some_and(|step| step.kind == StepKind::Round);
        self.step(value).is_some_and(|step| match (step.kind, &step.inputs[..]) {
            (StepKind::MultiplyAdd(element), &[a, b, c, ..]) => {
                let scaled = |x, y| integer(x) && power(y, element).is_some_and(|exponent| exponent != 0);
                trivial(c) && (scaled(a, b) || scaled(b, a))
            }
            _ => false,
        })
    }

    /// True if a value is a product that is a part of the conversion to which it leads.
    fn is_leading_product(&self, value: Value) -> bool {
        let large = |value, element| magnitude(value, element).is_some_and(|size| exponent(size) >= LARGE);
        let scaled = self.step(value).is_some_and(|step| match (step.kind, &step.inputs[..]) {
            (StepKind::MultiplyAdd(element), &[a, b, c, ..]) => {
                trivial(c) && (large(a, element) || large(b, element))
            }
            _ => false,
        });
        scaled || self.is_far_product(value) || self.is_integer_product(value)
    }

    /// True if a · b + c converts a number.
    fn converts(&self, result: Value, [a, b, c]: [Value; 3], element: Element) -> bool {
        let [bits, read] = [&self.assembled, &self.read];
        let is_one = |value| power(value, element) == Some(0);
        let far_factor = far(a, element) || far(b, element);
        let sum = is_one(b) && !trivial(c);
        // Bits whose exponents count from another place, and back.
        let unbiased = bits.contains(&a) && far(b, element) || bits.contains(&b) && far(a, element);
        let biased = trivial(c) && far_factor && read.contains(&result);
        let aligned = bits.contains(&c) && (far_factor || self.is_far_product(a) || self.is_far_product(b))
            || sum && bits.contains(&a) && self.is_far_product(c);
        // Bits below a leading bit, which goes away or is a part of all.
        let less = |x, y| bits.contains(&x) && leading(y, element).is_some() && !trivial(y);
        let power_of_two = power(a, element).is_some() || power(b, element).is_some();
        let subnormal = sum && less(c, a) || power_of_two && (less(a, c) || less(b, c));
        let held = [a, b, c].iter().any(|operand| self.shifted.contains(operand));
        let integer = |value| self.step(value).is_some_and(|step| step.kind == StepKind::Round);
        // The upper half of an integer and the lower one.
        let doubled = sum && a == c && integer(a);
        let halves = integer(c)
            && (integer(a) && power(b, element).is_some() || sum && self.is_integer_product(a))
            || sum && integer(a) && self.is_integer_product(c);
        // A sum whose lower bits are an integer.
        let addend = if sum && a.is_constant() { a } else { c };
        let size = magnitude(addend, element).map(exponent);
        let magic = leading(addend, element).is_some_and(|exponent| exponent >= MAGIC)
            || size.is_some_and(|size| size >= LARGE);
        let placed = magic && self.numbers.contains(&result)
            || leading(addend, element).is_some() && self.narrowed.contains(&result)
            || self.is_subtracted(result, addend);
        let own = |value: Value| !self.accumulates(value);
        let scaled = self.scaled.contains(&result) && own(c) && (!is_one(b) || own(a));
        let large = |value| magnitude(value, element).is_some_and(|size| exponent(size) >= LARGE);
        let fixed = c.is_constant() && (large(a) || large(b) || large(c)) && self.converted.contains(&result);
        unbiased
            || biased
            || aligned && read.contains(&result)
            || subnormal
            || held
            || doubled
            || placed
            || scaled
            || fixed
            || halves
    }

    /// True if integer arithmetic adds or subtracts the bits of a constant.
    fn is_subtracted(&self, value: Value, constant: Value) -> bool {
        let bits = small(constant).filter(|&bits| bits << 1 != 0);
        bits.is_some_and(|bits| self.offsets.contains(&(value, bits)))
    }

    /// Finds the sum to which a constant was added that is subtracted here.
    fn rounded(&mut self, k: usize, [a, b, c]: [Value; 3], element: Element) {
        let is_one = |value| power(value, element) == Some(0);
        for (sum, constant) in [(a, c), (b, c), (c, a)] {
            let by_one = sum == c && is_one(b) || sum == a && is_one(b) || sum == b && is_one(a);
            if leading(constant, element).is_none() || trivial(constant) && sum != c || !by_one {
                continue;
            }
            let before = self.step(sum).is_some_and(|step| match (step.kind, &step.inputs[..]) {
                (StepKind::MultiplyAdd(_), &[x, y, z, ..]) => {
                    same(z, constant, element) || same(x, constant, element) && is_one(y) && !trivial(z)
                }
                _ => false,
            });
            if before {
                self.found.insert(k);
                self.found.extend(self.made.get(&sum));
            }
        }
    }

    /// Products that lead to conversions.
    fn leading_products(&mut self) {
        let mut open: Vec<usize> = self.found.iter().copied().collect();
        while let Some(k) = open.pop() {
            for &input in &self.flow.steps[k].inputs {
                if self.is_leading_product(input)
                    && let Some(&product) = self.made.get(&input)
                    && self.found.insert(product)
                {
                    open.push(product);
                }
            }
        }
    }
}

/// True if a factor leads to another format's exponents.
fn far(value: Value, element: Element) -> bool {
    power(value, element).is_some_and(|exponent| exponent.abs() >= FAR)
}

/// True if two constants have the same magnitude.
fn same(x: Value, y: Value, element: Element) -> bool {
    magnitude(x, element).is_some_and(|size| magnitude(y, element) == Some(size))
}

/// True if a mask keeps some of a number's fields, not its magnitude, its sign, or all but its last bits.
fn is_field(mask: u32) -> bool {
    let whole = mask.leading_ones() >= 8 || mask == 0x7fff_ffff || mask == 0x8000_0000 || mask == 0;
    !whole
}
