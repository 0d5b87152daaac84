//! d = a · b + c in sixteen lanes, for callers that evaluate an operator elementwise.

use binade::carrier::NarrowRounding;
use binade::catalog::{BF16, F32};
use binade::operator::{Compound, Variant};
use binade::{Format, NanCodes, Operator};
use binade_simd::Environment;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use binade_simd::Instructions;
use binade_simd::Isa;
use binade_simd::floats::Floats;
use binade_simd::floats::portable::Lane;

use super::micro::{Inputs, entry};
use super::modes::Mode;
use super::rules::{Bf16, Native, Pair, Parts, Rule, Target, Wide};
use super::select::{holds_binary32, inputs_of};
use crate::reference;

/// The number of lanes.
pub const LANES: usize = 16;

/// Sixteen lanes.
pub type Lanes = [f32; LANES];

/// An operator's d = a · b + c on [`LANES`] lanes at a time.
///
/// Equal to [`Operator::multiply_add`] in every lane, bit for bit, NaN included.
pub struct MultiplyAdd {
    operator: Operator,
    step: Option<Box<dyn LaneOperator>>,
    /// True if lanes with infinities or NaN are left to the scalar definition.
    finite: bool,
    /// The inputs and the accumulator of a pair that is rounded by another mode than to nearest even.
    mode: Option<(Inputs, Mode)>,
}

impl std::fmt::Debug for MultiplyAdd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MultiplyAdd({})", self.operator)
    }
}

impl MultiplyAdd {
    /// The operator on an instruction set.
    pub fn new(operator: &Operator, isa: Isa) -> MultiplyAdd {
        let (step, finite) = match (operator.as_compound(), operator.as_pair()) {
            (Some(compound), _) => (of_compound(compound, isa), false),
            (_, Some((inputs, accumulator))) => (
                of_pair(inputs, accumulator, isa),
                // A format without NaN takes the sign of a NaN, which vector code does not keep.
                inputs.nan() == NanCodes::None || accumulator.nan() == NanCodes::None,
            ),
            _ => {
                let formats = operator.formats();
                (None, formats.is_some_and(|(from, to)| [from, to].iter().any(|f| f.nan() == NanCodes::None)))
            }
        };
        let has_mode = operator.formats().is_some() && operator.as_pair().is_none();
        let inputs = operator.formats().filter(|_| has_mode).and_then(|(from, _)| inputs_of(from, isa));
        let mode = inputs.zip(Mode::new(operator));
        MultiplyAdd { operator: operator.clone(), step, finite, mode }
    }

    /// d ← a · b + c for each element, with the random words of these steps; see [`Operator::multiply_add_drawn`]. MXCSR
    /// must have its default, as for [`MultiplyAdd::apply_in_default`].
    ///
    /// # Panics
    /// If lengths differ.
    pub fn apply_drawn_in_default(&self, abc: [&[f32]; 3], words: &[u32], d: &mut [f32]) {
        assert!(abc.iter().all(|operand| operand.len() == d.len()) && words.len() == d.len(), "lengths");
        let Some((inputs, mode)) = &self.mode else {
            for (at, d) in d.iter_mut().enumerate() {
                let [a, b, c] = abc.map(|operand| operand[at]);
                *d = self.operator.multiply_add_drawn(words[at], a, b, c);
            }
            return;
        };
        let mut buffers = [[0.0; 256]; 2];
        for (part, d) in d.chunks_mut(256).enumerate() {
            let range = part * 256..part * 256 + d.len();
            let [a, b, c] = abc.map(|operand| &operand[range.clone()]);
            for (buffer, operand) in buffers.iter_mut().zip([a, b]) {
                buffer[..d.len()].copy_from_slice(operand);
                inputs.round_fully(&mut buffer[..d.len()]);
            }
            for (at, d) in d.iter_mut().enumerate() {
                let word = words[range.start + at];
                *d = match self.finite && !(a[at].is_finite() && b[at].is_finite() && c[at].is_finite()) {
                    true => self.operator.multiply_add_drawn(word, a[at], b[at], c[at]),
                    false => {
                        let [a, b, c] = [buffers[0][at], buffers[1][at], c[at]].map(Lane::of);
                        mode.multiply_add(a, b, c, Lane::of(f32::from_bits(word))).get()
                    }
                };
            }
        }
    }

    /// True if vector code computes the operator. Otherwise the scalar definition does, in about a microsecond a lane.
    pub fn is_fast(&self) -> bool {
        self.step.is_some() || self.mode.is_some()
    }

    /// d = a · b + c in every lane, in any floating-point environment of the caller.
    pub fn apply(&self, a: &Lanes, b: &Lanes, c: &Lanes, d: &mut Lanes) {
        let _environment = Environment::enter();
        self.apply_in_default(a, b, c, d);
    }

    /// As [`MultiplyAdd::apply`], but MXCSR must have its default: round to nearest even, subnormals kept.
    pub fn apply_in_default(&self, a: &Lanes, b: &Lanes, c: &Lanes, d: &mut Lanes) {
        let one = std::slice::from_ref;
        self.apply_all_in_default([one(a), one(b), one(c)], std::slice::from_mut(d));
    }

    /// As [`MultiplyAdd::apply_in_default`] for each element of `d`. An operand with one element is used for all.
    ///
    /// # Panics
    /// If an operand has neither one element nor as many elements as `d`.
    pub fn apply_all_in_default(&self, abc: [&[Lanes]; 3], d: &mut [Lanes]) {
        assert!(
            abc.iter().all(|operand| operand.len() == 1 || operand.len() == d.len()),
            "lanes of operands"
        );
        let from = |operand: &'_ [Lanes], at: usize| if operand.len() == 1 { 0 } else { at };
        let mut at = 0;
        while at < d.len() {
            if let Some(step) = &self.step {
                let rest = abc.map(|operand| &operand[from(operand, at)..]);
                at += step.steps(rest, &mut d[at..], self.finite);
            }
            if at < d.len() {
                let [a, b, c] = abc.map(|operand| &operand[from(operand, at)]);
                self.apply_drawn_in_default([a, b, c].map(|operand| &operand[..]), &[0; LANES], &mut d[at]);
                at += 1;
            }
        }
    }
}

impl MultiplyAdd {
    /// c ← [`accumulate`](reference::accumulate)(x, c) in every lane, where x are results of the operator. MXCSR must
    /// have its default, as for [`MultiplyAdd::apply_in_default`].
    ///
    /// # Panics
    /// If `x` and `c` differ in length.
    pub fn accumulate_in_default(&self, x: &[Lanes], c: &mut [Lanes]) {
        assert_eq!(x.len(), c.len(), "lanes of sums");
        let mut at = 0;
        while at < c.len() {
            if let Some(step) = &self.step {
                at += step.accumulate(&x[at..], &mut c[at..], self.finite);
            }
            if at < c.len() {
                for (x, c) in x[at].iter().zip(&mut c[at]) {
                    *c = reference::accumulate(&self.operator, f64::from(*x), *c);
                }
                at += 1;
            }
        }
    }
}

const ONE: &[Lanes] = &[[1.0; LANES]];

impl MultiplyAdd {
    /// sums ← row · 1 + sums, for `rows` rows of `x` in order, `stride` elements apart. MXCSR must have its default, as
    /// for [`MultiplyAdd::apply_in_default`].
    ///
    /// # Panics
    /// If `x` ends before the last row does.
    pub fn add_rows_in_default(&self, x: &[f32], stride: usize, rows: usize, sums: &mut [Lanes]) {
        let width = sums.len() * LANES;
        let end = rows.saturating_sub(1).checked_mul(stride).and_then(|last| last.checked_add(width));
        assert!(rows == 0 || end.is_some_and(|end| end <= x.len()), "rows of elements");
        if let Some(step) = &self.step
            && step.add_rows(x, (stride, rows), sums, self.finite)
        {
            return;
        }
        let mut before = sums.to_vec();
        for row in 0..rows {
            before.copy_from_slice(sums);
            let row = x[row * stride..][..width].as_chunks().0;
            self.apply_all_in_default([row, ONE, &before], sums);
        }
    }

    /// c ← −0 · 1 + c in every lane: rounds c to the accumulator. MXCSR must have its default, as for
    /// [`MultiplyAdd::apply_in_default`].
    pub fn add_negative_zero_in_default(&self, c: &mut [Lanes]) {
        const ZERO: &[Lanes] = &[[-0.0; LANES]];
        let mut at = 0;
        while at < c.len() {
            if let Some(step) = &self.step {
                at += step.add_negative_zero(&mut c[at..], self.finite);
            }
            if let Some(c) = c.get_mut(at..at + 1) {
                let before = [c[0]];
                self.apply_all_in_default([ZERO, ONE, &before], c);
                at += 1;
            }
        }
    }
}

/// The conversion of a and b to an operator's inputs.
trait InputConversion: Copy + Send + Sync {
    /// The parts of x. Elements beyond the number of parts are unspecified.
    fn parts<F: Floats>(&self, x: F) -> [F; 3];
}

/// Inputs that are binary32 numbers, or were rounded before.
#[derive(Clone, Copy)]
struct Unconverted;

impl InputConversion for Unconverted {
    #[inline(always)]
    fn parts<F: Floats>(&self, x: F) -> [F; 3] {
        [x.canonical(); 3]
    }
}

/// Inputs of `N` BF16 parts; `PLAIN` if subnormals are not flushed.
#[derive(Clone, Copy)]
struct Bf16Parts<const N: usize, const PLAIN: bool> {
    flush: bool,
}

impl<const N: usize, const PLAIN: bool> InputConversion for Bf16Parts<N, PLAIN> {
    #[inline(always)]
    fn parts<F: Floats>(&self, x: F) -> [F; 3] {
        let x = x.canonical();
        let mut rest = if !PLAIN && self.flush { x.flushed() } else { x };
        let mut all = [rest.bf16(); 3];
        let infinity = x.splat_bits(f32::INFINITY.to_bits());
        for number in 1..N {
            rest = rest.rest(all[number - 1]);
            // All parts of an infinity are infinite.
            all[number] = all[0].at_least(infinity, infinity, rest.bf16());
        }
        all
    }
}

impl InputConversion for NarrowRounding {
    #[inline(always)]
    fn parts<F: Floats>(&self, x: F) -> [F; 3] {
        let mut x = [x.canonical()];
        self.round(&mut x);
        [x[0]; 3]
    }
}

/// An operator on an instruction set, for elements of sixteen lanes in order.
trait LaneOperator: Send + Sync {
    /// d ← a · b + c. Returns the number of elements computed: with `finite`, those before the first infinity or NaN.
    /// An operand with one element is used for all.
    fn steps(&self, abc: [&[Lanes]; 3], d: &mut [Lanes], finite: bool) -> usize;
    /// As [`LaneOperator::steps`] for c ← accumulate(x, c).
    fn accumulate(&self, x: &[Lanes], c: &mut [Lanes], finite: bool) -> usize;
    /// As [`LaneOperator::steps`] for c ← −0 · 1 + c.
    fn add_negative_zero(&self, c: &mut [Lanes], finite: bool) -> usize;
    /// Adds rows (distance, count) to the sums; the arguments meet the conditions of
    /// [`MultiplyAdd::add_rows_in_default`]. Returns false if it did nothing.
    fn add_rows(&self, x: &[f32], rows: (usize, usize), sums: &mut [Lanes], finite: bool) -> bool;
}

/// Vectors whose sums are in registers at once.
const VECTORS_AT_ONCE: usize = 4;

/// Adds rows of `G` vectors to `G` sums.
///
/// # Safety
/// The machine has the vectors' instructions, and `rows` rows of `G` vectors, `stride` apart, are at `x`.
#[inline(always)]
unsafe fn add_columns<R: Rule, I: InputConversion, F: Floats, const G: usize>(
    (rule, inputs): (&R, &I),
    x: *const f32,
    (stride, rows): (usize, usize),
    sums: &mut [f32],
) {
    // SAFETY: the caller guarantees the instructions.
    let one = inputs.parts(unsafe { F::splat(1.0) });
    let mut sum = [one[0]; G];
    for (g, sum) in sum.iter_mut().enumerate() {
        // SAFETY: the slice has `F::LANES` elements.
        *sum = unsafe { F::load(sums[g * F::LANES..][..F::LANES].as_ptr()) }.canonical();
    }
    rule.prepare(&mut sum);
    for row in 0..rows {
        let mut parts = [[one[0]; G]; 3];
        for g in 0..G {
            // SAFETY: the caller guarantees `rows` rows of `G` vectors, and `row` and `g` are below these.
            let x = inputs.parts(unsafe { F::load(x.add(row * stride + g * F::LANES)) });
            for (parts, x) in parts.iter_mut().zip(x) {
                parts[g] = x;
            }
        }
        rule.step(&parts, &one.map(|part| [part; G]), &mut sum);
    }
    for (g, sum) in sum.iter().enumerate() {
        // SAFETY: the slice has `F::LANES` elements.
        unsafe { sum.canonical().store(sums[g * F::LANES..][..F::LANES].as_mut_ptr()) };
    }
}

/// c ← −0 · 1 + c, [`VECTORS_AT_ONCE`] vectors at a time.
#[inline(always)]
fn add_negative_zeros<R: Rule, I: InputConversion, F: Floats>((rule, inputs): (&R, &I), c: &mut [f32]) {
    // SAFETY: this is inlined into functions that enable the vectors' instructions.
    let (zero, one) = unsafe { (inputs.parts(F::splat(-0.0)), inputs.parts(F::splat(1.0))) };
    let mut buffer = [0.0; VECTORS_AT_ONCE * LANES];
    for c in c.chunks_mut(VECTORS_AT_ONCE * F::LANES) {
        // A shorter remainder is copied to a buffer of full length, so that the loop exists once.
        let is_short = c.len() < VECTORS_AT_ONCE * F::LANES;
        let at = match is_short {
            true => {
                buffer[..c.len()].copy_from_slice(c);
                buffer.as_mut_ptr()
            }
            false => c.as_mut_ptr(),
        };
        let mut values = [zero[0]; VECTORS_AT_ONCE];
        for (vector, values) in values.iter_mut().enumerate() {
            // SAFETY: `at` is the start of VECTORS_AT_ONCE vectors, of `c` or of the buffer.
            *values = unsafe { F::load(at.add(vector * F::LANES)) };
        }
        rule.prepare(&mut values);
        rule.add_negative_zero(&zero, &one, &mut values);
        for (vector, values) in values.iter().enumerate() {
            // SAFETY: `at` is the start of VECTORS_AT_ONCE vectors, of `c` or of the buffer.
            unsafe { values.canonical().store(at.add(vector * F::LANES)) };
        }
        if is_short {
            c.copy_from_slice(&buffer[..c.len()]);
        }
    }
}

/// c ← accumulate(x, c) in sixteen lanes. Returns false, with c unchanged, if `finite` and a number is not finite.
#[inline(always)]
fn accumulate_lanes<R: Rule, F: Floats>(rule: &R, x: &Lanes, c: &mut Lanes, finite: bool) -> bool {
    if finite && !x.iter().chain(&*c).all(|number| number.is_finite()) {
        return false;
    }
    for at in (0..LANES).step_by(F::LANES) {
        // No closure may take vectors: it would be compiled outside this function, without its instructions.
        // SAFETY: `at + F::LANES` is at most LANES, and the function is inlined where the instructions are enabled.
        let x = [unsafe { F::load(x.as_ptr().add(at)) }.canonical()];
        // SAFETY: `at + F::LANES` is at most LANES.
        let mut sum = [unsafe { F::load(c.as_ptr().add(at)) }.canonical()];
        rule.prepare(&mut sum);
        rule.accumulate(&x, &mut sum);
        // SAFETY: `at + F::LANES` is at most LANES.
        unsafe { sum[0].canonical().store(c.as_mut_ptr().add(at)) };
    }
    true
}

/// d ← a · b + c; returns the number of elements computed. `b_is_one` if a single number is b in all lanes and
/// elements.
#[inline(always)]
fn steps<R: Rule, I: InputConversion, F: Floats>(
    (rule, inputs): (&R, &I),
    abc: [&[Lanes]; 3],
    d: &mut [Lanes],
    finite: bool,
    b_is_one: bool,
) -> usize {
    assert!(abc.iter().all(|operand| operand.len() == 1 || operand.len() >= d.len()), "lanes of operands");
    let strides = abc.map(|operand| if operand.len() == 1 { 0 } else { LANES });
    let [a, b, c] = abc.map(|operand| operand.as_ptr().cast::<f32>());
    // SAFETY: this is inlined into functions that enable the vectors' instructions.
    let one = inputs.parts(unsafe { F::splat(abc[1][0][0]) });
    for (at, d) in d.iter_mut().enumerate() {
        for lane in (0..LANES).step_by(F::LANES) {
            // SAFETY: `lane + F::LANES` is at most LANES, and an operand with a stride has as many elements as `d`.
            let a = inputs.parts(unsafe { F::load(a.add(at * strides[0] + lane)) });
            let mut b_parts = one;
            if !b_is_one {
                // SAFETY: `lane + F::LANES` is at most LANES, and an operand with a stride has as many elements as `d`.
                b_parts = inputs.parts(unsafe { F::load(b.add(at * strides[1] + lane)) });
            }
            // SAFETY: `lane + F::LANES` is at most LANES, and an operand with a stride has as many elements as `d`.
            let c = unsafe { F::load(c.add(at * strides[2] + lane)) };
            if finite && !(all_finite(a[0]) && all_finite(b_parts[0]) && all_finite(c)) {
                return at;
            }
            let mut sum = [c];
            rule.prepare(&mut sum);
            rule.step(&a.map(|part| [part]), &b_parts.map(|part| [part]), &mut sum);
            // SAFETY: `lane + F::LANES` is at most LANES.
            unsafe { sum[0].canonical().store(d.as_mut_ptr().add(lane)) };
        }
    }
    d.len()
}

#[inline(always)]
fn all_finite<F: Floats>(x: F) -> bool {
    let mut lanes = [0.0; LANES];
    // SAFETY: a vector has at most LANES lanes, so it fits the array.
    unsafe { x.store(lanes.as_mut_ptr()) };
    lanes.iter().all(|lane| lane.is_finite())
}

macro_rules! on {
    ($name:ident, $floats:ty, $features:tt) => {
        struct $name<R, I> {
            rule: R,
            inputs: I,
        }

        const _: () = {
            entry! { $features,
                fn enter<R: Rule, I: InputConversion>(rule: &R, inputs: &I, abc: [&[Lanes]; 3], d: &mut [Lanes], finite: bool, done: &mut usize) {
                    let (rule, inputs) = (*rule, *inputs);
                    let [first, ..] = &abc[1][0];
                    let same = |lane: &f32| lane.to_bits() == first.to_bits();
                    // Each case gets a separate loop.
                    *done = if abc[1].len() == 1 && abc[1][0].iter().all(same) {
                        steps::<R, I, $floats>((&rule, &inputs), abc, d, finite, true)
                    } else {
                        steps::<R, I, $floats>((&rule, &inputs), abc, d, finite, false)
                    };
                }
            }

            entry! { $features,
                fn enter_sums<R: Rule>(rule: &R, x: &[Lanes], c: &mut [Lanes], finite: bool, done: &mut usize) {
                    for (at, (x, c)) in x.iter().zip(&mut *c).enumerate() {
                        if !accumulate_lanes::<R, $floats>(rule, x, c, finite) {
                            *done = at;
                            return;
                        }
                    }
                    *done = c.len();
                }
            }

            entry! { $features,
                fn enter_rows<R: Rule, I: InputConversion>(rule: &R, inputs: &I, x: &[f32], rows: (usize, usize), sums: &mut [f32]) {
                    const SIZE: usize = VECTORS_AT_ONCE * <$floats>::LANES;
                    let rule = (rule, inputs);
                    let whole = sums.len() / SIZE * SIZE;
                    for column in (0..whole).step_by(SIZE) {
                        let x = x[column..].as_ptr();
                        // SAFETY: the caller of `enter_rows` guarantees the instructions, and rows as wide as the sums.
                        unsafe { add_columns::<R, I, $floats, VECTORS_AT_ONCE>(rule, x, rows, &mut sums[column..][..SIZE]) };
                    }
                    for column in (whole..sums.len()).step_by(<$floats>::LANES) {
                        let x = x[column..].as_ptr();
                        // SAFETY: the caller of `enter_rows` guarantees the instructions, and rows as wide as the sums;
                        // sums are whole vectors.
                        unsafe { add_columns::<R, I, $floats, 1>(rule, x, rows, &mut sums[column..]) };
                    }
                }
            }

            entry! { $features,
                fn enter_add_negative_zero<R: Rule, I: InputConversion>(rule: &R, inputs: &I, c: &mut [f32]) {
                    add_negative_zeros::<R, I, $floats>((rule, inputs), c);
                }
            }

            impl<R: Rule, I: InputConversion> LaneOperator for $name<R, I> {
                fn add_negative_zero(&self, c: &mut [Lanes], finite: bool) -> usize {
                    let count = match finite {
                        true => c.iter().take_while(|lanes| lanes.iter().all(|x| x.is_finite())).count(),
                        false => c.len(),
                    };
                    // SAFETY: `step_on` makes this type only where the token proves that the machine has the
                    // instructions.
                    unsafe { enter_add_negative_zero(&self.rule, &self.inputs, c[..count].as_flattened_mut()) };
                    count
                }

                fn add_rows(&self, x: &[f32], rows: (usize, usize), sums: &mut [Lanes], finite: bool) -> bool {
                    if finite || rows.1 == 0 {
                        return false;
                    }
                    // SAFETY: `step_on` makes this type only where the token proves that the machine has the
                    // instructions.
                    unsafe { enter_rows(&self.rule, &self.inputs, x, rows, sums.as_flattened_mut()) };
                    true
                }

                fn accumulate(&self, x: &[Lanes], c: &mut [Lanes], finite: bool) -> usize {
                    let mut done = 0;
                    // SAFETY: `step_on` makes this type only where the token proves that the machine has the
                    // instructions.
                    unsafe { enter_sums(&self.rule, x, c, finite, &mut done) };
                    done
                }

                fn steps(&self, abc: [&[Lanes]; 3], d: &mut [Lanes], finite: bool) -> usize {
                    let mut done = 0;
                    // SAFETY: `step_on` makes this type only where the token proves that the machine has the
                    // instructions.
                    unsafe { enter(&self.rule, &self.inputs, abc, d, finite, &mut done) };
                    done
                }
            }
        };
    };
}

on! { OnPortable, Lane, "" }
#[cfg(target_arch = "aarch64")]
on! { OnNeon, binade_simd::floats::neon::Lanes128, "" }
#[cfg(target_arch = "x86_64")]
on! { OnAvx2, binade_simd::floats::avx2::Lanes256, "avx2,fma" }
#[cfg(target_arch = "x86_64")]
on! { OnAvx512, binade_simd::floats::avx512::Lanes512<false>, "avx512f,avx512bw,avx512vl,avx512dq,fma" }
#[cfg(target_arch = "x86_64")]
on! { OnVnni, binade_simd::floats::avx512::Lanes512<true>, "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,fma" }

/// A rule on a leg's vectors; the token proves that the machine has its instructions. `VNNI` if VNNI instructions
/// deserve separate code: for frequent rules that round to BF16.
fn step_on<const VNNI: bool, R: Rule + 'static, I: InputConversion + 'static>(
    rule: R,
    inputs: I,
    isa: Isa,
) -> Box<dyn LaneOperator> {
    match isa.instructions() {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi if VNNI => Box::new(OnVnni { rule, inputs }),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512 | Instructions::Avx512Bf16 | Instructions::Avx512Vbmi => {
            Box::new(OnAvx512 { rule, inputs })
        }
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => Box::new(OnAvx2 { rule, inputs }),
        #[cfg(target_arch = "aarch64")]
        Instructions::Neon => Box::new(OnNeon { rule, inputs }),
        _ => Box::new(OnPortable { rule, inputs }),
    }
}

/// Inputs that are rounded before the step, because the vectors cannot round to their format.
struct PreRounded {
    inputs: Inputs,
    step: Box<dyn LaneOperator>,
}

impl PreRounded {
    /// Lanes rounded at once.
    const COUNT: usize = 32;

    /// The first elements of x, at most [`PreRounded::COUNT`], rounded.
    fn rounded<'r>(&self, x: &[Lanes], buffer: &'r mut [Lanes; PreRounded::COUNT]) -> &'r [Lanes] {
        let buffer = &mut buffer[..x.len().min(PreRounded::COUNT)];
        buffer.copy_from_slice(&x[..buffer.len()]);
        self.inputs.round_fully(buffer.as_flattened_mut());
        buffer
    }
}

impl LaneOperator for PreRounded {
    fn steps(&self, [a, b, c]: [&[Lanes]; 3], d: &mut [Lanes], finite: bool) -> usize {
        let mut buffers = [[[0.0; LANES]; PreRounded::COUNT]; 2];
        let [one, other] = &mut buffers;
        let count = d.len().min(PreRounded::COUNT);
        let c = if c.len() == 1 { c } else { &c[..count] };
        let abc = [self.rounded(a, one), self.rounded(b, other), c];
        self.step.steps(abc, &mut d[..count], finite)
    }

    fn accumulate(&self, x: &[Lanes], c: &mut [Lanes], finite: bool) -> usize {
        self.step.accumulate(x, c, finite)
    }

    fn add_negative_zero(&self, _: &mut [Lanes], _: bool) -> usize {
        0
    }

    fn add_rows(&self, _: &[f32], _: (usize, usize), _: &mut [Lanes], _: bool) -> bool {
        false
    }
}

fn of_compound(compound: Compound, isa: Isa) -> Option<Box<dyn LaneOperator>> {
    let Compound { inputs: parts, accumulator, products, variant, flush } = compound;
    if variant == Variant::Exact {
        // One part of 8 bits is a pair of formats; the scalar definition computes the others.
        let pair = Pair::<_, true> { target: Bf16, rounds_c: true };
        return (parts == 1 && accumulator == 1 && !flush)
            .then(|| step_on::<true, _, _>(pair, Bf16Parts::<1, true> { flush }, isa));
    }
    let plain = variant == Variant::Standard && !flush;
    macro_rules! parts {
        ($($n:literal $m:literal $p:literal),*) => {
            match (parts, accumulator, products) {
                $(($n, $m, $p) if plain => {
                    let rule = Parts::<$n, $m, $p, true>::new(compound);
                    Some(step_on::<true, _, _>(rule, Bf16Parts::<$n, true> { flush }, isa))
                }
                ($n, $m, $p) => {
                    let rule = Parts::<$n, $m, $p, false>::new(compound);
                    Some(step_on::<false, _, _>(rule, Bf16Parts::<$n, false> { flush }, isa))
                })*
                _ => None,
            }
        };
    }
    parts!(1 1 1, 1 2 1, 1 3 1, 2 2 3, 2 2 4, 3 3 6, 3 3 9)
}

fn of_pair(from: Format, to: Format, isa: Isa) -> Option<Box<dyn LaneOperator>> {
    if to == F32 {
        of_inputs::<false, _>(from, Native { positive_zero: false }, isa)
    } else if to == BF16 {
        of_inputs::<true, _>(from, Pair::<_, true> { target: Bf16, rounds_c: false }, isa)
    } else if let Some(target) = NarrowRounding::signed(to) {
        of_inputs::<false, _>(from, Pair::<_, true> { target, rounds_c: false }, isa)
    } else {
        let rule = Wide::new(to)?;
        if from == F32 || holds_binary32(from) {
            return Some(step_on::<false, _, _>(rule, Unconverted, isa));
        }
        rounded_before::<false, _>(from, rule, isa)
    }
}

/// A rule with inputs of one part, of a format; `TO_BF16` if the rule rounds to BF16.
fn of_inputs<const TO_BF16: bool, R: Rule + 'static>(
    from: Format,
    rule: R,
    isa: Isa,
) -> Option<Box<dyn LaneOperator>> {
    if from == F32 || holds_binary32(from) {
        Some(step_on::<TO_BF16, _, _>(rule, Unconverted, isa))
    } else if from == BF16 {
        Some(step_on::<true, _, _>(rule, Bf16Parts::<1, true> { flush: false }, isa))
    } else if let Some(narrow) = NarrowRounding::signed(from) {
        Some(step_on::<TO_BF16, _, _>(rule, narrow, isa))
    } else {
        rounded_before::<TO_BF16, _>(from, rule, isa)
    }
}

/// A rule with inputs that are rounded before the step.
fn rounded_before<const TO_BF16: bool, R: Rule + 'static>(
    from: Format,
    rule: R,
    isa: Isa,
) -> Option<Box<dyn LaneOperator>> {
    let inputs = inputs_of(from, isa)?;
    Some(Box::new(PreRounded { inputs, step: step_on::<TO_BF16, _, _>(rule, Unconverted, isa) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adding_rows_equals_single_steps() {
        let (rows, lanes) = (9, 6);
        for name in [
            "bf16:f32",
            "bf16:bf16",
            "bf16:bf16x2",
            "bf16x2:bf16x2/3",
            "bf16x3:bf16x3/6",
            "f16:f16",
            "shp@bias=31:uhp",
            "float8_e4m3fn:f32",
        ] {
            let operator: Operator = name.parse().unwrap();
            for isa in Isa::available() {
                let kernel = MultiplyAdd::new(&operator, isa);
                let stride = lanes * LANES + 5;
                let x: Vec<f32> = (0..rows * stride).map(|at| number(5, at as u64)).collect();
                let first: Vec<Lanes> = (0..lanes)
                    .map(|at| std::array::from_fn(|lane| number(6, (at * LANES + lane) as u64)))
                    .collect();
                let mut sums = first.clone();
                kernel.add_rows_in_default(&x, stride, rows, &mut sums);
                for (column, (sum, first)) in sums.as_flattened().iter().zip(first.as_flattened()).enumerate()
                {
                    let step = |sum, row| operator.multiply_add(x[row * stride + column], 1.0, sum);
                    let expected = (0..rows).fold(*first, step);
                    assert_eq!(sum.to_bits(), expected.to_bits(), "{operator} on {isa}: column {column}");
                }
            }
        }
    }

    /// Numbers of all kinds: exponents near the middle, arbitrary bits, edges of the formats.
    fn number(seed: u32, index: u64) -> f32 {
        let word = binade::philox::word(seed as u64, index);
        let other = binade::philox::word(seed as u64 + 100, index);
        const EDGES: [u32; 16] = [
            0,
            1,
            0x7fff,
            0x8000,
            0x8001,
            0x007f_ffff,
            0x0080_0000,
            0x3f80_0000,
            0x3f80_8000,
            0x4380_0000,
            0x4780_0000,
            0x7f7f_7fff,
            0x7f7f_8000,
            0x7f80_0000,
            0x7fc0_0000,
            0x7f80_0001,
        ];
        f32::from_bits(match other % 8 {
            0 => EDGES[(other >> 8) as usize % EDGES.len()] | word & 1 << 31,
            1 => word,
            2 => word & 0xffff_0000,
            3 => word & 0x87ff_ffff | 0x3800_0000,
            _ => word & 0x81ff_ffff | 0x3f00_0000,
        })
    }

    #[test]
    fn every_operator_on_every_leg_equals_the_definition() {
        let mut operators: Vec<Operator> = vec![];
        for compound in Compound::PAPER {
            for variant in [Variant::Standard, Variant::Exact, Variant::Listing] {
                for flush in [false, true] {
                    operators.push(Operator::compound(Compound { variant, flush, ..compound }));
                }
            }
        }
        for name in [
            "f32:f32",
            "bf16:f32",
            "f16:f32",
            "float8_e4m3fn:f32",
            "float8_e5m2:bf16",
            "float8_e4m3fnuz:f16",
            "cfloat8_1_4_3@bias=10:bf16",
            "cfloat8_1_4_3@bias=10,subnormals=ieee:f16",
            "f16:f16",
            "f32:bf16",
            "cfloat8_1_5_2@bias=20:shp@bias=31",
            "bf16:cfloat8_1_4_3@bias=10",
            "shp@bias=0:cfloat8_1_4_3@bias=63",
            "bf16:uhp",
            "tf32:tf32",
            "tf32:f32",
            "bf16:tf32",
            "f32:tf32",
            "f16:f64",
            "f64:f64",
            "f64:bf16",
            "tf32:f64",
            "f16:binary16p8se",
            "binary16p8se:binary16p8sf",
            "float8_e4m3fn:binary12p4uf",
            "f32:custom@width=32,precision=24,bias=127,infinities=no,nan=none,negative_zero=yes",
            "f32:custom@width=32,precision=24,bias=120,infinities=yes,nan=ieee,negative_zero=yes",
            "bf16:custom@width=31,precision=23,bias=127,infinities=yes,nan=ieee,negative_zero=yes",
            "custom@width=24,precision=16,bias=127,infinities=yes,nan=ieee,negative_zero=yes:custom@width=20,precision=12,bias=127,infinities=no,nan=all_ones,negative_zero=yes,subnormals=flush",
            "f16:custom@width=22,precision=14,bias=127,infinities=no,nan=negative_zero,negative_zero=no",
            "bf16:custom@width=38,precision=29,bias=255,infinities=yes,nan=ieee,negative_zero=yes",
        ] {
            operators.push(name.parse().unwrap());
        }
        for operator in operators {
            for isa in Isa::available() {
                let kernel = MultiplyAdd::new(&operator, isa);
                assert!(kernel.is_fast() || !operator.to_string().contains("custom"), "{operator} on {isa}");
                for round in 0..150 {
                    let [a, b, c]: [Lanes; 3] = [1, 2, 3]
                        .map(|seed| std::array::from_fn(|lane| number(seed, (round * LANES + lane) as u64)));
                    let mut d = [0.0; LANES];
                    kernel.apply(&a, &b, &c, &mut d);
                    let mut values = [c];
                    kernel.add_negative_zero_in_default(&mut values);
                    let kept = c.map(|c| operator.multiply_add(-0.0, 1.0, c).to_bits());
                    assert_eq!(values[0].map(f32::to_bits), kept, "{operator} on {isa} holds {c:?}");
                    // One element that is an accumulator of a sum, and the result of one more step.
                    let [mut sums, results] = [[c], [d]];
                    let before = sums;
                    kernel.accumulate_in_default(&results, &mut sums);
                    for lane in 0..LANES {
                        let sum = reference::accumulate(&operator, d[lane].into(), before[0][lane]);
                        let same = sums[0][lane].to_bits() == sum.to_bits()
                            || sum.is_nan() && sums[0][lane].is_nan();
                        assert!(same, "{operator} on {isa}: {:e} + {:e}", d[lane], before[0][lane]);
                        let expected = operator.multiply_add(a[lane], b[lane], c[lane]);
                        assert_eq!(
                            d[lane].to_bits(),
                            expected.to_bits(),
                            "{operator} on {isa}: {:08x} {:08x} {:08x}",
                            a[lane].to_bits(),
                            b[lane].to_bits(),
                            c[lane].to_bits()
                        );
                    }
                }
            }
        }
    }
}
