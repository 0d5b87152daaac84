//! Recognises the steps that evaluate elementary functions or make random numbers.

use std::collections::{BTreeMap, BTreeSet};

use super::conversion;
use super::flow::{Flow, Step, StepKind, Value};
use crate::fma::Element;

/// Binary32 constants with which elementary functions reduce their arguments, and which nothing else needs, without their
/// signs: ln 2, π and their reciprocals, in parts as Cody and Waite's method has them; numbers that round to an integer by
/// their size; and leading coefficients of well-known polynomials.
const SINGLE: &[u32] = &[
    0x3f31_7218, // ln 2
    0x3f31_8000, // ln 2, high parts
    0x3f31_7200,
    0x3f31_7180,
    0x395e_8083, // ln 2, low parts
    0x35bf_be8e,
    0x3717_f7d1,
    0x3fb8_aa3b, // log2 e
    0x3e9a_209b, // log10 2
    0x4054_9a78, // log2 10
    0x3e9a_2000, // log10 2, high part
    0x3f22_f983, // 2/π
    0x3fa2_f983, // 4/π
    0x3ea2_f983, // 1/π
    0x3f49_0000, // π/4, π/2 and π, high and middle parts
    0x397d_a000,
    0x3322_2169,
    0x3fc9_0000,
    0x3fc9_0fd8,
    0x4049_0000,
    0x4049_0e00,
    0x38ed_5000,
    0x3a7d_8000,
    0x3528_8000,
    0x4580_0800, // 2^12 + 1, which splits a number in two
    0x5300_0080, // 2^39 + 2^23, by which 32 bits become a number
    0x4b40_0000, // 1.5 · 2^23
    0x4b00_0000, // 2^23
    0x4b00_007f,
    0x4b40_007f,
    0x3d90_21bb,               // log
    0x32f1_6588,               // erf⁻¹
    0xaf95_df0b & 0x7fff_ffff, // erf
    0x3ea7_ba05,
];

/// The same of binary64.
const DOUBLE: &[u64] = &[
    0x3fe6_2e42_fefa_39ef, // ln 2
    0x3fe6_2e42_fee0_0000,
    0x3fe6_2e42_fefa_0000,
    0x3fe6_2e42_fefa_3800,
    0x3fe6_2e40_0000_0000,
    0x3fe6_3000_0000_0000,
    0x3ff7_1547_652b_82fe, // log2 e
    0x3fe4_5f30_6dc9_c883, // 2/π
    0x3fd4_5f30_6dc9_c883, // 1/π
    0x3ff9_21fb_5444_0000, // π/2
    0x3ff9_21fb_5440_0000,
    0x4009_21fb_5444_0000, // π
    0x4338_0000_0000_0000, // 1.5 · 2^52
    0x4330_0000_0000_0000, // 2^52
    0x4330_0000_8000_0000, // 2^52 + 2^31
    0x4530_0000_0000_0000, // 2^84
    0x4530_0000_0010_0000, // 2^84 + 2^52
    0x4530_0000_8010_0000, // 2^84 + 2^63 + 2^52
    0x41a0_0000_0200_0000, // 2^27 + 1, which splits a number in two
];

/// Binary32 numbers that scale random bits to the unit interval: 2^-23, 2^-24, 2^-31, 2^-32.
const UNIT_SINGLE: &[u32] = &[0x3400_0000, 0x3380_0000, 0x3000_0000, 0x2f80_0000];
/// The same of binary64: 2^-32, 2^-52, 2^-53, 2^-64.
const UNIT_DOUBLE: &[u64] =
    &[0x3df0_0000_0000_0000, 0x3cb0_0000_0000_0000, 0x3ca0_0000_0000_0000, 0x3bf0_0000_0000_0000];

/// A value as a polynomial in another, with constant coefficients.
#[derive(Clone, Copy, Debug)]
struct Polynomial {
    /// The other; none of a constant.
    variable: Option<Value>,
    degree: u32,
    /// The number of constants in it.
    coefficients: u32,
}

/// From which degree and count of coefficients on nothing but an elementary function has such a polynomial.
const DEGREE: u32 = 3;
const COEFFICIENTS: u32 = 2;
/// Degrees and counts beyond this are all the same.
const LIMIT: u32 = 1 << 10;

fn known(value: Value, element: Element, single: &[u32], double: &[u64]) -> bool {
    let Value::Constant(bits) = value else { return false };
    match element {
        Element::F32 => single.contains(&(bits as u32 & 0x7fff_ffff)),
        Element::F64 => double.contains(&(bits & !(1 << 63))),
    }
}

/// A constant that a separate product or sum has by its nature does not count as a coefficient.
pub(super) fn trivial(value: Value) -> bool {
    matches!(value, Value::Constant(0x8000_0000_8000_0000 | 0x8000_0000_0000_0000 | 0x3f80_0000_3f80_0000))
        || value == Value::Constant(1f64.to_bits())
}

struct Judge<'a> {
    flow: &'a Flow,
    /// The step that makes a value.
    made: BTreeMap<Value, usize>,
    /// Steps as polynomials in one variable; those of several are variables themselves.
    polynomials: BTreeMap<Value, Polynomial>,
    native: BTreeSet<usize>,
}

/// The indices of the instructions that evaluate elementary functions or make random numbers.
pub(super) fn native(flow: &Flow) -> BTreeSet<u32> {
    let made = flow.steps.iter().enumerate().map(|(k, step)| (step.result, k)).collect();
    let mut judge = Judge { flow, made, polynomials: BTreeMap::new(), native: BTreeSet::new() };
    judge.random();
    judge.residuals();
    let variables = judge.polynomials();
    let arguments = judge.reductions(&variables);
    judge.consequences(arguments);
    judge.function_of_registers();
    // Computations with converted numbers are the program's.
    judge.native.extend(conversion::steps(flow));
    let multiply_add = |&k: &usize| matches!(flow.steps[k].kind, StepKind::MultiplyAdd(_));
    judge.native.into_iter().filter(multiply_add).map(|k| flow.steps[k].index).collect()
}

impl Judge<'_> {
    fn step(&self, value: Value) -> Option<&Step> {
        self.made.get(&value).map(|&k| &self.flow.steps[k])
    }

    fn polynomial(&self, value: Value) -> Polynomial {
        if value.is_constant() {
            let coefficients = u32::from(!trivial(value));
            return Polynomial { variable: None, degree: 0, coefficients };
        }
        let variable = Polynomial { variable: Some(value), degree: 1, coefficients: 0 };
        self.polynomials.get(&value).copied().unwrap_or(variable)
    }

    /// Random bits become numbers of an interval: 1.m − 1 of random bits m, or integers times 2^-n; what scales and shifts
    /// those is part of it, since a number rounded up to the interval's end is none of the distribution's.
    fn random(&mut self) {
        let mut units: BTreeSet<Value> = BTreeSet::new();
        let mut mantissas: BTreeSet<Value> = BTreeSet::new();
        let mut integers: BTreeSet<Value> = BTreeSet::new();
        for (k, step) in self.flow.steps.iter().enumerate() {
            match step.kind {
                StepKind::Or => {
                    let one = |input: &Value| match input {
                        Value::Constant(bits) => {
                            *bits as u32 == 0x3f80_0000 && bits >> 32 == 0x3f80_0000
                                || *bits == 1f64.to_bits()
                        }
                        _ => false,
                    };
                    if step.inputs.iter().any(one) {
                        mantissas.insert(step.result);
                    }
                }
                StepKind::Round => {
                    integers.insert(step.result);
                }
                StepKind::MultiplyAdd(element) => {
                    let [a, b, c] = [step.inputs[0], step.inputs[1], step.inputs[2]];
                    let scale = |value| known(value, element, UNIT_SINGLE, UNIT_DOUBLE);
                    let scaled = integers.contains(&a) && scale(b) || integers.contains(&b) && scale(a);
                    let shifted = |x: &BTreeSet<Value>| {
                        x.contains(&a) && b.is_constant() && c.is_constant()
                            || x.contains(&c) && a.is_constant()
                    };
                    let unit = units.contains(&a) || units.contains(&b) || units.contains(&c);
                    if scaled || shifted(&mantissas) || unit {
                        self.native.insert(k);
                        // One step scales and shifts; what is computed with a random number is the program's.
                        if !unit {
                            units.insert(step.result);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Rounding errors of a product or a quotient, a·b − fl(a·b) or a − b·fl(a/b), and sums that continue from them: arithmetic on pairs
    /// of numbers, of which logarithms and gamma functions are made. With other operands than the product's they are nothing.
    fn residuals(&mut self) {
        let mut residuals: BTreeSet<Value> = BTreeSet::new();
        for (k, step) in self.flow.steps.iter().enumerate() {
            let (StepKind::MultiplyAdd(_), &[a, b, c, ..]) = (step.kind, &step.inputs[..]) else { continue };
            let product = self.step(c).is_some_and(|made| match (made.kind, &made.inputs[..]) {
                (StepKind::MultiplyAdd(_), &[x, y, none]) => {
                    trivial(none) && ([x, y] == [a, b] || [x, y] == [b, a])
                }
                _ => false,
            });
            let quotient = |q: Value, divisor: Value| {
                self.step(q)
                    .is_some_and(|made| made.kind == StepKind::Quotient && made.inputs == [c, divisor])
            };
            if product || quotient(a, b) || quotient(b, a) || residuals.contains(&c) {
                self.native.insert(k);
                residuals.insert(step.result);
            }
        }
    }

    /// Finds polynomials and their variables.
    fn polynomials(&mut self) -> BTreeSet<Value> {
        for step in &self.flow.steps {
            let StepKind::MultiplyAdd(_) = step.kind else { continue };
            let parts: Vec<Polynomial> = step.inputs.iter().map(|&input| self.polynomial(input)).collect();
            let mut variables = parts.iter().filter_map(|part| part.variable);
            let variable = variables.next();
            if step.inputs.len() > 3 || variable.is_none() || variables.any(|other| Some(other) != variable) {
                continue;
            }
            let [a, b, c] = [parts[0], parts[1], parts[2]];
            let degree = (a.degree + b.degree).max(c.degree).min(LIMIT);
            let coefficients = (a.coefficients + b.coefficients + c.coefficients).min(LIMIT);
            self.polynomials.insert(step.result, Polynomial { variable, degree, coefficients });
        }
        let sure: BTreeSet<Value> = self
            .polynomials
            .values()
            .filter(|p| p.degree >= DEGREE && p.coefficients >= COEFFICIENTS)
            .filter_map(|p| p.variable)
            .collect();
        for (k, step) in self.flow.steps.iter().enumerate() {
            let polynomial = self.polynomials.get(&step.result);
            if polynomial.and_then(|p| p.variable).is_some_and(|variable| sure.contains(&variable)) {
                self.native.insert(k);
            }
        }
        sure
    }

    /// Finds reductions whose results are variables of polynomials; returns the values that variables are made of.
    fn reductions(&mut self, variables: &BTreeSet<Value>) -> BTreeSet<Value> {
        let mut arguments = variables.clone();
        let mut open: Vec<Value> = variables.iter().copied().collect();
        for step in &self.flow.steps {
            if step.kind == StepKind::Reciprocal {
                open.extend(&step.inputs);
                arguments.extend(&step.inputs);
            }
        }
        while let Some(value) = open.pop() {
            let Some(step) = self.step(value).filter(|step| step.kind != StepKind::Call) else { continue };
            let inputs = step.inputs.clone();
            open.extend(inputs.into_iter().filter(|&input| !input.is_constant() && arguments.insert(input)));
        }
        let (mut integers, mut reduced) = (BTreeSet::new(), BTreeSet::new());
        for (k, step) in self.flow.steps.iter().enumerate() {
            let reads = |set: &BTreeSet<Value>| step.inputs.iter().any(|input| set.contains(input));
            match step.kind {
                StepKind::MultiplyAdd(element) => {
                    let constant = step.inputs.iter().any(|&x| known(x, element, SINGLE, DOUBLE));
                    let coefficient = step.inputs.iter().any(|&x| x.is_constant() && !trivial(x));
                    let leads = arguments.contains(&step.result);
                    // As x + 0.044715 x³ in GELU.
                    let curve = self
                        .polynomials
                        .get(&step.result)
                        .is_some_and(|p| p.degree >= 2 && p.coefficients >= 1);
                    if constant {
                        integers.insert(step.result);
                    }
                    if leads && curve {
                        self.native.insert(k);
                    }
                    if constant || leads && (reads(&integers) && coefficient || reads(&reduced)) {
                        self.native.insert(k);
                        reduced.insert(step.result);
                    }
                }
                StepKind::Round => {
                    integers.insert(step.result);
                }
                _ if reads(&integers) => {
                    integers.insert(step.result);
                }
                _ => {}
            }
        }
        arguments
    }

    /// A function of vectors in registers, at least a third of whose multiply-adds evaluate an elementary function, evaluates it by
    /// all of them: those on pairs of numbers, of which it makes its argument and its result, look like the program's own. One
    /// that sums what it reads in memory, or from step to step, is the program's.
    fn function_of_registers(&mut self) {
        let mut tainted = self.flow.data.clone();
        let (mut all, mut own) = (BTreeSet::new(), 0);
        for (k, step) in self.flow.steps.iter().enumerate() {
            let reads = step.inputs.iter().any(|input| tainted.contains(input));
            if reads {
                tainted.insert(step.result);
            }
            if let (StepKind::MultiplyAdd(_), &[_, _, c, ..]) = (step.kind, &step.inputs[..]) {
                let carried = matches!(c, Value::Met(block, _) if block > 0);
                if reads || carried && !self.native.contains(&k) {
                    return;
                }
                own += usize::from(self.native.contains(&k));
                all.insert(k);
            }
        }
        if 3 * own >= all.len() {
            self.native.append(&mut all);
        }
    }

    /// Finds computations on elementary functions and their arguments alone.
    fn consequences(&mut self, mut own: BTreeSet<Value>) {
        let mut derived: BTreeSet<Value> = BTreeSet::new();
        // Of Box and Muller's method: square roots of logarithms, and their products with a sine or cosine.
        let mut radii: BTreeSet<Value> = BTreeSet::new();
        let mut normals: BTreeSet<Value> = BTreeSet::new();
        for (k, step) in self.flow.steps.iter().enumerate() {
            if step.kind == StepKind::Root && step.inputs.first().is_some_and(|x| derived.contains(x)) {
                radii.insert(step.result);
            }
            if let (StepKind::MultiplyAdd(_), &[a, b, c, ..]) = (step.kind, &step.inputs[..]) {
                let product = |x, y| radii.contains(&x) && derived.contains(&y) && !radii.contains(&y);
                if trivial(c) && (product(a, b) || product(b, a)) {
                    normals.insert(step.result);
                } else if normals.contains(&a) || normals.contains(&b) {
                    self.native.insert(k);
                }
            }
            if step.kind == StepKind::Reciprocal {
                derived.insert(step.result);
                own.insert(step.result);
                continue;
            }
            // A function of what an elementary function's polynomial gave, as tanh in GELU.
            if step.kind == StepKind::Call {
                if derived.contains(&step.inputs[0]) {
                    derived.insert(step.result);
                    own.insert(step.result);
                }
                continue;
            }
            // The quotient y · 1/x, which a step of Newton's method makes exact, is an argument with y.
            if let StepKind::MultiplyAdd(_) = step.kind {
                let reciprocal =
                    |value: Value| self.step(value).is_some_and(|s| s.kind == StepKind::Reciprocal);
                match step.inputs[..] {
                    [a, b, c] if c.is_constant() && reciprocal(a) => {
                        own.insert(b);
                    }
                    [a, b, c] if c.is_constant() && reciprocal(b) => {
                        own.insert(a);
                    }
                    _ => {}
                }
            }
            let inside = step.inputs.iter().all(|input| input.is_constant() || own.contains(input));
            if inside && !step.inputs.is_empty() {
                own.insert(step.result);
            }
            let follows = step.inputs.iter().any(|input| derived.contains(input));
            if inside && follows {
                self.native.insert(k);
            }
            if follows && inside || self.native.contains(&k) {
                derived.insert(step.result);
                // A polynomial's value belongs to its function wherever its variable came from.
                own.insert(step.result);
            }
        }
    }
}
