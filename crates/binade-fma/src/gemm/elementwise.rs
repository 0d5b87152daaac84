//! d = a · b + c lane by lane, for callers with sixteen lanes at a time.

use binade::carrier::Narrow;
use binade::catalog::{BF16, F32};
use binade::operator::{Compound, Variant};
use binade::{Format, NanCodes, Operator};
use binade_simd::Environment;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use binade_simd::Instructions;
use binade_simd::Isa;
use binade_simd::floats::Floats;

use super::micro::entry;
use super::rules::{Bf16, Native, Pair, Parts, Rule, Target, Wide};
use super::select::{holds_binary32, inputs_of};
use crate::reference;

/// Lanes at a time.
pub const LANES: usize = 16;

/// Sixteen lanes.
pub type Lanes = [f32; LANES];

/// An operator's d = a · b + c on [`LANES`] lanes at a time.
///
/// Equal to [`Operator::multiply_add`] in every lane, bit for bit, NaN included.
pub struct MultiplyAdd {
    operator: Operator,
    step: Option<Box<dyn Step>>,
    /// Whether lanes with values that are not finite are left to the definition.
    finite: bool,
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
                // A format without NaN takes the sign of a NaN, which the lanes do not keep.
                inputs.nan() == NanCodes::None || accumulator.nan() == NanCodes::None,
            ),
            _ => (None, false),
        };
        MultiplyAdd { operator: operator.clone(), step, finite }
    }

    /// Whether it is vector code; otherwise the definition itself computes, at about a microsecond a lane.
    pub fn is_fast(&self) -> bool {
        self.step.is_some()
    }

    /// d = a · b + c in every lane, whatever the caller's floating-point environment is.
    pub fn apply(&self, a: &Lanes, b: &Lanes, c: &Lanes, d: &mut Lanes) {
        let _environment = Environment::enter();
        self.apply_in_default(a, b, c, d);
    }

    /// As [`MultiplyAdd::apply`], for callers that know that MXCSR has its default: nearest even, subnormals kept.
    pub fn apply_in_default(&self, a: &Lanes, b: &Lanes, c: &Lanes, d: &mut Lanes) {
        let one = std::slice::from_ref;
        self.apply_all_in_default([one(a), one(b), one(c)], std::slice::from_mut(d));
    }

    /// As [`MultiplyAdd::apply_in_default`] for as many lanes as `d` has. Operands of sixteen lanes stand for all.
    ///
    /// # Panics
    /// If an operand has neither sixteen lanes nor as many as `d`.
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
                for lane in 0..LANES {
                    d[at][lane] = self.operator.multiply_add(a[lane], b[lane], c[lane]);
                }
                at += 1;
            }
        }
    }
}

impl MultiplyAdd {
    /// c ← [`accumulate`](reference::accumulate)(x, c) in every lane, x being results of the operator; for callers as of
    /// [`MultiplyAdd::apply_in_default`].
    ///
    /// # Panics
    /// If there are not as many x as c.
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
    /// sums ← row · 1 + sums for one row after the other: `rows` of them, `stride` apart in `x`; for callers as of
    /// [`MultiplyAdd::apply_in_default`].
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

    /// c ← −0 · 1 + c in every lane: what the accumulator holds of numbers; for callers as of
    /// [`MultiplyAdd::apply_in_default`].
    pub fn hold_in_default(&self, c: &mut [Lanes]) {
        const ZERO: &[Lanes] = &[[-0.0; LANES]];
        let mut at = 0;
        while at < c.len() {
            if let Some(step) = &self.step {
                at += step.hold(&mut c[at..], self.finite);
            }
            if let Some(c) = c.get_mut(at..at + 1) {
                let before = [c[0]];
                self.apply_all_in_default([ZERO, ONE, &before], c);
                at += 1;
            }
        }
    }
}

/// How a and b become an operator's inputs.
trait Inputs: Copy + Send + Sync {
    /// The parts of x, in the last place what is not one.
    fn parts<F: Floats>(&self, x: F) -> [F; 3];
}

/// Inputs that are binary32, or have been rounded.
#[derive(Clone, Copy)]
struct Whole;

impl Inputs for Whole {
    #[inline(always)]
    fn parts<F: Floats>(&self, x: F) -> [F; 3] {
        [x.canonical(); 3]
    }
}

/// Inputs of `N` parts of BF16; `PLAIN` if they are not flushed.
#[derive(Clone, Copy)]
struct InParts<const N: usize, const PLAIN: bool> {
    flush: bool,
}

impl<const N: usize, const PLAIN: bool> Inputs for InParts<N, PLAIN> {
    #[inline(always)]
    fn parts<F: Floats>(&self, x: F) -> [F; 3] {
        let x = x.canonical();
        let mut rest = if !PLAIN && self.flush { x.flushed() } else { x };
        let mut all = [rest.bf16(); 3];
        let infinity = x.like(f32::INFINITY.to_bits());
        for number in 1..N {
            rest = rest.rest(all[number - 1]);
            // All parts of an infinity are infinite.
            all[number] = all[0].at_least(infinity, infinity, rest.bf16());
        }
        all
    }
}

impl Inputs for Narrow {
    #[inline(always)]
    fn parts<F: Floats>(&self, x: F) -> [F; 3] {
        let mut x = [x.canonical()];
        self.round(&mut x);
        [x[0]; 3]
    }
}

/// An operator on some instruction set, sixteen lanes after the other.
trait Step: Send + Sync {
    /// How many of `d` are done: if `finite` is asked for, those before something that is not. Operands of one stand for
    /// all.
    fn steps(&self, abc: [&[Lanes]; 3], d: &mut [Lanes], finite: bool) -> usize;
    /// The same for c ← accumulate(x, c).
    fn accumulate(&self, x: &[Lanes], c: &mut [Lanes], finite: bool) -> usize;
    /// The same for c ← −0 · 1 + c.
    fn hold(&self, c: &mut [Lanes], finite: bool) -> usize;
    /// Whether rows, so far apart and so many, were added to the sums; no more than [`MultiplyAdd::add_rows_in_default`]
    /// allows.
    fn add_rows(&self, x: &[f32], rows: (usize, usize), sums: &mut [Lanes], finite: bool) -> bool;
}

/// Vectors whose sums are in registers.
const TOGETHER: usize = 4;

/// Adds rows of `G` vectors to as many sums.
///
/// # Safety
/// The machine has the vectors' instructions, and `rows` rows of `G` vectors, `stride` apart, are at `x`.
#[inline(always)]
unsafe fn add_columns<R: Rule, I: Inputs, F: Floats, const G: usize>(
    (rule, inputs): (&R, &I),
    x: *const f32,
    (stride, rows): (usize, usize),
    sums: &mut [f32],
) {
    // SAFETY: the caller has the instructions.
    let one = inputs.parts(unsafe { F::splat(1.0) });
    let mut sum = [one[0]; G];
    for (g, sum) in sum.iter_mut().enumerate() {
        // SAFETY: the slice is of `F::LANES` elements.
        *sum = unsafe { F::load(sums[g * F::LANES..][..F::LANES].as_ptr()) }.canonical();
    }
    rule.prepare(&mut sum);
    for row in 0..rows {
        let mut parts = [[one[0]; G]; 3];
        for g in 0..G {
            // SAFETY: the caller has rows of so many vectors.
            let x = inputs.parts(unsafe { F::load(x.add(row * stride + g * F::LANES)) });
            for (parts, x) in parts.iter_mut().zip(x) {
                parts[g] = x;
            }
        }
        rule.step(&parts, &one.map(|part| [part; G]), &mut sum);
    }
    for (g, sum) in sum.iter().enumerate() {
        // SAFETY: as above.
        unsafe { sum.canonical().store(sums[g * F::LANES..][..F::LANES].as_mut_ptr()) };
    }
}

/// c ← −0 · 1 + c, [`TOGETHER`] vectors at a time.
#[inline(always)]
fn holds<R: Rule, I: Inputs, F: Floats>((rule, inputs): (&R, &I), c: &mut [f32]) {
    // SAFETY: the vectors are those of the instruction set that `on` chose.
    let (zero, one) = unsafe { (inputs.parts(F::splat(-0.0)), inputs.parts(F::splat(1.0))) };
    let mut room = [0.0; TOGETHER * LANES];
    for c in c.chunks_mut(TOGETHER * F::LANES) {
        // What are fewer have others beside them, so that the code stands once.
        let few = c.len() < TOGETHER * F::LANES;
        let at = match few {
            true => {
                room[..c.len()].copy_from_slice(c);
                room.as_mut_ptr()
            }
            false => c.as_mut_ptr(),
        };
        let mut held = [zero[0]; TOGETHER];
        for (vector, held) in held.iter_mut().enumerate() {
            // SAFETY: as above; so many vectors are at `at`, as a vector has at most LANES lanes.
            *held = unsafe { F::load(at.add(vector * F::LANES)) };
        }
        rule.prepare(&mut held);
        rule.hold(&zero, &one, &mut held);
        for (vector, held) in held.iter().enumerate() {
            // SAFETY: as above.
            unsafe { held.canonical().store(at.add(vector * F::LANES)) };
        }
        if few {
            c.copy_from_slice(&room[..c.len()]);
        }
    }
}

/// Sixteen lanes of c ← accumulate(x, c); false if `finite` is asked for and something is not, c being as before then.
#[inline(always)]
fn accumulates<R: Rule, F: Floats>(rule: &R, x: &Lanes, c: &mut Lanes, finite: bool) -> bool {
    if finite && !x.iter().chain(&*c).all(|number| number.is_finite()) {
        return false;
    }
    for at in (0..LANES).step_by(F::LANES) {
        // No closure that takes vectors: outside this function it would be compiled without their instructions.
        // SAFETY: the vectors are those of the instruction set that `on` chose, and `at + F::LANES` is at most LANES.
        let x = [unsafe { F::load(x.as_ptr().add(at)) }.canonical()];
        // SAFETY: as above.
        let mut sum = [unsafe { F::load(c.as_ptr().add(at)) }.canonical()];
        rule.prepare(&mut sum);
        rule.accumulate(&x, &mut sum);
        // SAFETY: as above.
        unsafe { sum[0].canonical().store(c.as_mut_ptr().add(at)) };
    }
    true
}

/// How many of d ← a · b + c are done, `b_is_one` saying whether a single number is b for all.
#[inline(always)]
fn steps<R: Rule, I: Inputs, F: Floats>(
    (rule, inputs): (&R, &I),
    abc: [&[Lanes]; 3],
    d: &mut [Lanes],
    finite: bool,
    b_is_one: bool,
) -> usize {
    assert!(abc.iter().all(|operand| operand.len() == 1 || operand.len() >= d.len()), "lanes of operands");
    let strides = abc.map(|operand| if operand.len() == 1 { 0 } else { LANES });
    let [a, b, c] = abc.map(|operand| operand.as_ptr().cast::<f32>());
    // SAFETY: the vectors are those of the instruction set that `on` chose.
    let one = inputs.parts(unsafe { F::splat(abc[1][0][0]) });
    for (at, d) in d.iter_mut().enumerate() {
        for lane in (0..LANES).step_by(F::LANES) {
            // SAFETY: as above, `lane + F::LANES` is at most LANES, and an operand with a stride has as many lanes as d.
            let a = inputs.parts(unsafe { F::load(a.add(at * strides[0] + lane)) });
            let mut b_parts = one;
            if !b_is_one {
                // SAFETY: as above.
                b_parts = inputs.parts(unsafe { F::load(b.add(at * strides[1] + lane)) });
            }
            // SAFETY: as above.
            let c = unsafe { F::load(c.add(at * strides[2] + lane)) };
            if finite && !(all_finite(a[0]) && all_finite(b_parts[0]) && all_finite(c)) {
                return at;
            }
            let mut sum = [c];
            rule.prepare(&mut sum);
            rule.step(&a.map(|part| [part]), &b_parts.map(|part| [part]), &mut sum);
            // SAFETY: as above.
            unsafe { sum[0].canonical().store(d.as_mut_ptr().add(lane)) };
        }
    }
    d.len()
}

#[inline(always)]
fn all_finite<F: Floats>(x: F) -> bool {
    let mut lanes = [0.0; LANES];
    // SAFETY: a vector has at most LANES lanes.
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
                fn enter<R: Rule, I: Inputs>(rule: &R, inputs: &I, abc: [&[Lanes]; 3], d: &mut [Lanes], finite: bool, done: &mut usize) {
                    let (rule, inputs) = (*rule, *inputs);
                    let [first, ..] = &abc[1][0];
                    let same = |lane: &f32| lane.to_bits() == first.to_bits();
                    // A loop of its own each.
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
                        if !accumulates::<R, $floats>(rule, x, c, finite) {
                            *done = at;
                            return;
                        }
                    }
                    *done = c.len();
                }
            }

            entry! { $features,
                fn enter_rows<R: Rule, I: Inputs>(rule: &R, inputs: &I, x: &[f32], rows: (usize, usize), sums: &mut [f32]) {
                    const SIZE: usize = TOGETHER * <$floats>::LANES;
                    let rule = (rule, inputs);
                    let whole = sums.len() / SIZE * SIZE;
                    for column in (0..whole).step_by(SIZE) {
                        let x = x[column..].as_ptr();
                        // SAFETY: `enter_rows` is called as `enter` is; the rows are as wide as the sums.
                        unsafe { add_columns::<R, I, $floats, TOGETHER>(rule, x, rows, &mut sums[column..][..SIZE]) };
                    }
                    for column in (whole..sums.len()).step_by(<$floats>::LANES) {
                        let x = x[column..].as_ptr();
                        // SAFETY: as above; sums are whole vectors.
                        unsafe { add_columns::<R, I, $floats, 1>(rule, x, rows, &mut sums[column..]) };
                    }
                }
            }

            entry! { $features,
                fn enter_hold<R: Rule, I: Inputs>(rule: &R, inputs: &I, c: &mut [f32]) {
                    holds::<R, I, $floats>((rule, inputs), c);
                }
            }

            impl<R: Rule, I: Inputs> Step for $name<R, I> {
                fn hold(&self, c: &mut [Lanes], finite: bool) -> usize {
                    let count = match finite {
                        true => c.iter().take_while(|lanes| lanes.iter().all(|x| x.is_finite())).count(),
                        false => c.len(),
                    };
                    // SAFETY: as below.
                    unsafe { enter_hold(&self.rule, &self.inputs, c[..count].as_flattened_mut()) };
                    count
                }

                fn add_rows(&self, x: &[f32], rows: (usize, usize), sums: &mut [Lanes], finite: bool) -> bool {
                    if finite || rows.1 == 0 {
                        return false;
                    }
                    // SAFETY: as below.
                    unsafe { enter_rows(&self.rule, &self.inputs, x, rows, sums.as_flattened_mut()) };
                    true
                }

                fn accumulate(&self, x: &[Lanes], c: &mut [Lanes], finite: bool) -> usize {
                    let mut done = 0;
                    // SAFETY: as below.
                    unsafe { enter_sums(&self.rule, x, c, finite, &mut done) };
                    done
                }

                fn steps(&self, abc: [&[Lanes]; 3], d: &mut [Lanes], finite: bool) -> usize {
                    let mut done = 0;
                    // SAFETY: `step_on` makes one only where the token proves that the machine has the instructions.
                    unsafe { enter(&self.rule, &self.inputs, abc, d, finite, &mut done) };
                    done
                }
            }
        };
    };
}

on! { OnPortable, binade_simd::floats::portable::Lane, "" }
#[cfg(target_arch = "aarch64")]
on! { OnNeon, binade_simd::floats::neon::Lanes128, "" }
#[cfg(target_arch = "x86_64")]
on! { OnAvx2, binade_simd::floats::avx2::Lanes256, "avx2,fma" }
#[cfg(target_arch = "x86_64")]
on! { OnAvx512, binade_simd::floats::avx512::Lanes512<false>, "avx512f,avx512bw,avx512vl,avx512dq,fma" }
#[cfg(target_arch = "x86_64")]
on! { OnVnni, binade_simd::floats::avx512::Lanes512<true>, "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,fma" }

/// A rule on a leg's vectors: the token proves that the machine has its instructions. `VNNI` if a leg of its own is worth its
/// code for these instructions: for what rounds to BF16 and is not rare.
fn step_on<const VNNI: bool, R: Rule + 'static, I: Inputs + 'static>(
    rule: R,
    inputs: I,
    isa: Isa,
) -> Box<dyn Step> {
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

/// Inputs that are rounded before the step, whose vectors do not round to their format.
struct RoundedBefore {
    inputs: super::Inputs,
    step: Box<dyn Step>,
}

impl RoundedBefore {
    /// Lanes rounded at once.
    const COUNT: usize = 32;

    /// As many of x as there are up to [`RoundedBefore::COUNT`], rounded.
    fn rounded<'r>(&self, x: &[Lanes], room: &'r mut [Lanes; RoundedBefore::COUNT]) -> &'r [Lanes] {
        let room = &mut room[..x.len().min(RoundedBefore::COUNT)];
        room.copy_from_slice(&x[..room.len()]);
        self.inputs.round_wholly(room.as_flattened_mut());
        room
    }
}

impl Step for RoundedBefore {
    fn steps(&self, [a, b, c]: [&[Lanes]; 3], d: &mut [Lanes], finite: bool) -> usize {
        let mut rooms = [[[0.0; LANES]; RoundedBefore::COUNT]; 2];
        let [one, other] = &mut rooms;
        let count = d.len().min(RoundedBefore::COUNT);
        let c = if c.len() == 1 { c } else { &c[..count] };
        let abc = [self.rounded(a, one), self.rounded(b, other), c];
        self.step.steps(abc, &mut d[..count], finite)
    }

    fn accumulate(&self, x: &[Lanes], c: &mut [Lanes], finite: bool) -> usize {
        self.step.accumulate(x, c, finite)
    }

    fn hold(&self, _: &mut [Lanes], _: bool) -> usize {
        0
    }

    fn add_rows(&self, _: &[f32], _: (usize, usize), _: &mut [Lanes], _: bool) -> bool {
        false
    }
}

fn of_compound(compound: Compound, isa: Isa) -> Option<Box<dyn Step>> {
    let Compound { inputs: parts, accumulator, products, variant, flush } = compound;
    if variant == Variant::Exact {
        // One part of 8 bits is a pair of formats; the others are left to the definition.
        let pair = Pair::<_, true> { target: Bf16, rounds_c: true };
        return (parts == 1 && accumulator == 1 && !flush)
            .then(|| step_on::<true, _, _>(pair, InParts::<1, true> { flush }, isa));
    }
    let plain = variant == Variant::Standard && !flush;
    macro_rules! parts {
        ($($n:literal $m:literal $p:literal),*) => {
            match (parts, accumulator, products) {
                $(($n, $m, $p) if plain => {
                    let rule = Parts::<$n, $m, $p, true>::new(compound);
                    Some(step_on::<true, _, _>(rule, InParts::<$n, true> { flush }, isa))
                }
                ($n, $m, $p) => {
                    let rule = Parts::<$n, $m, $p, false>::new(compound);
                    Some(step_on::<false, _, _>(rule, InParts::<$n, false> { flush }, isa))
                })*
                _ => None,
            }
        };
    }
    parts!(1 1 1, 1 2 1, 1 3 1, 2 2 3, 2 2 4, 3 3 6, 3 3 9)
}

fn of_pair(from: Format, to: Format, isa: Isa) -> Option<Box<dyn Step>> {
    if to == F32 {
        of_inputs::<false, _>(from, Native { positive_zero: false }, isa)
    } else if to == BF16 {
        of_inputs::<true, _>(from, Pair::<_, true> { target: Bf16, rounds_c: false }, isa)
    } else if let Some(target) = Narrow::signed(to) {
        of_inputs::<false, _>(from, Pair::<_, true> { target, rounds_c: false }, isa)
    } else {
        let rule = Wide::new(to)?;
        if from == F32 || holds_binary32(from) {
            return Some(step_on::<false, _, _>(rule, Whole, isa));
        }
        rounded_before::<false, _>(from, rule, isa)
    }
}

/// A rule, which rounds to BF16 if `TO_BF16`, with inputs of one part, of a format.
fn of_inputs<const TO_BF16: bool, R: Rule + 'static>(
    from: Format,
    rule: R,
    isa: Isa,
) -> Option<Box<dyn Step>> {
    if from == F32 || holds_binary32(from) {
        Some(step_on::<TO_BF16, _, _>(rule, Whole, isa))
    } else if from == BF16 {
        Some(step_on::<true, _, _>(rule, InParts::<1, true> { flush: false }, isa))
    } else if let Some(narrow) = Narrow::signed(from) {
        Some(step_on::<TO_BF16, _, _>(rule, narrow, isa))
    } else {
        rounded_before::<TO_BF16, _>(from, rule, isa)
    }
}

/// A rule with inputs that are rounded before it.
fn rounded_before<const TO_BF16: bool, R: Rule + 'static>(
    from: Format,
    rule: R,
    isa: Isa,
) -> Option<Box<dyn Step>> {
    let inputs = inputs_of(from, isa)?;
    Some(Box::new(RoundedBefore { inputs, step: step_on::<TO_BF16, _, _>(rule, Whole, isa) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_added_as_single_steps_add_them() {
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

    /// Numbers of all kinds: exponents near the middle, all bits, edges of the formats.
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
    fn every_operator_on_every_leg_is_the_definition() {
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
                    let mut held = [c];
                    kernel.hold_in_default(&mut held);
                    let kept = c.map(|c| operator.multiply_add(-0.0, 1.0, c).to_bits());
                    assert_eq!(held[0].map(f32::to_bits), kept, "{operator} on {isa} holds {c:?}");
                    // An accumulator of a sum, and one more.
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
