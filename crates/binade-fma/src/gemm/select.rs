//! Which kernel is an operator's, on which machine and for which data.

use binade::carrier::Narrow;
use binade::catalog::{BF16, F32};
use binade::operator::{Compound, Variant};
use binade::{Format, NanCodes, Operator, Rounding, Saturation, Subnormals};
use binade_kernels::Rounder;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use binade_simd::Instructions;
use binade_simd::Isa;

use super::levels::{Levels, sum_exactly, sum_odd};
#[cfg(target_arch = "x86_64")]
use super::loops::{Edge, OnAvx512Edge};
use super::micro::{Inputs, Kernel, OnPortable};
#[cfg(target_arch = "x86_64")]
use super::micro::{OnBf16, OnVnni, Run};
#[cfg(target_arch = "x86_64")]
use super::ranged::{Tiny, TinySteps};
#[cfg(target_arch = "x86_64")]
use super::rules::Step;
use super::rules::{Bf16, Native, Pair, Parts, Rule, Target, Wide, nearest, rounds_once};
use super::source::Extent;
#[cfg(target_arch = "x86_64")]
use super::spread::Spread;
use crate::exact::narrow;
use crate::order::Order;
use crate::reference::{exact_c, exact_result};

/// What there is to know about the data.
pub(crate) struct Data<'a> {
    /// The magnitudes in A, B and C.
    pub(crate) extents: &'a dyn Fn() -> [Extent; 3],
    pub(crate) depth: usize,
}

/// A kernel and what it takes.
pub(crate) struct Selection {
    pub(crate) kernel: Box<dyn Kernel>,
    pub(crate) inputs: Inputs,
}

/// The kernel of an operator; `None` if it has none for this data, only the definition.
pub(crate) fn select(operator: &Operator, order: Order, isa: Isa, data: &Data) -> Option<Selection> {
    match order {
        Order::Aligned { group, bits } => return select_aligned(operator, group, bits, isa, data),
        Order::Exact | Order::Any | Order::Lanes { .. } => return None,
        Order::Sequential | Order::Blocked { .. } | Order::Pairwise => {}
    }
    match (operator.as_compound(), operator.as_pair()) {
        (Some(compound), _) => select_compound(compound, isa, data),
        (_, Some((inputs, accumulator))) => select_pair(inputs, accumulator, isa, data),
        _ => None,
    }
}

/// A rule on the leg's vectors.
fn on<R: Rule + 'static>(rule: R, isa: Isa) -> Box<dyn Kernel> {
    match isa.instructions() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: for all legs, the token proves that the machine has the leg's instructions, VNNI's where `OnVnni` is used.
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi => Box::new(unsafe { OnVnni::new(rule) }),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Instructions::Avx512 => Box::new(unsafe { super::micro::OnAvx512::new(rule) }),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Instructions::Avx2 => Box::new(unsafe { super::micro::OnAvx2::new(rule) }),
        #[cfg(target_arch = "aarch64")]
        // SAFETY: as above.
        Instructions::Neon => Box::new(unsafe { super::micro::OnNeon::new(rule) }),
        _ => portable(rule),
    }
}

/// A rule in binary64, which no leg has other instructions for than its most general one.
fn in_binary64(rule: Wide, isa: Isa) -> Box<dyn Kernel> {
    match isa.instructions() {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi => {
            // SAFETY: the token proves that the machine has the leg's instructions.
            Box::new(unsafe { super::micro::OnAvx512::new(rule) })
        }
        _ => on(rule, isa),
    }
}

/// A rule that is not worth a vector kernel.
fn portable<R: Rule + 'static>(rule: R) -> Box<dyn Kernel> {
    // SAFETY: it needs nothing.
    Box::new(unsafe { OnPortable::new(rule) })
}

/// A rule of few instructions, in larger tiles.
fn wide<R: Rule + 'static>(rule: R, isa: Isa) -> Box<dyn Kernel> {
    match isa.instructions() {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => {
            // SAFETY: as in `on`.
            Box::new(unsafe { super::micro::OnAvx512Light::new(rule) })
        }
        _ => on(rule, isa),
    }
}

fn select_compound(compound: Compound, isa: Isa, data: &Data) -> Option<Selection> {
    let Compound { inputs: n, accumulator: m, products, variant, flush } = compound;
    let inputs = Inputs::Parts { count: n, flush };
    if variant == Variant::Exact {
        // One part of 8 bits is a pair of formats; the others are left to the definition.
        return (m == 1 && !flush).then(|| Selection {
            kernel: on(Pair::<_, true> { target: Bf16, rounds_c: true }, isa),
            inputs,
        });
    }
    let plain = variant == Variant::Standard && !flush;
    macro_rules! kernel {
        ($($n:literal $m:literal $p:literal),*) => {
            match (n, m, products) {
                (1, 3, 1) if plain => wide(Parts::<1, 3, 1, true>::new(compound), isa),
                $(($n, $m, $p) if plain => on(Parts::<$n, $m, $p, true>::new(compound), isa),
                ($n, $m, $p) => portable(Parts::<$n, $m, $p, false>::new(compound)),)*
                _ => return None,
            }
        };
    }
    let kernel = kernel!(1 1 1, 1 2 1, 1 3 1, 2 2 3, 2 2 4, 3 3 6, 3 3 9);
    Some(Selection { kernel: faster(compound, isa, data, kernel), inputs })
}

/// The kernel that is best for this data: of [`super::fast`] or [`super::ranged`], or binary32's own FMA.
fn faster(compound: Compound, isa: Isa, data: &Data, plain: Box<dyn Kernel>) -> Box<dyn Kernel> {
    #[cfg(target_arch = "x86_64")]
    {
        use super::fast::{Fast, Which};
        use super::guard::Guard;
        use super::ranged::{AllNormal, Capped, NoOverflow, NoUnderflow, Ranged};
        let Compound { inputs: n, accumulator: m, products, variant, flush } = compound;
        let listing = variant == Variant::Listing;
        let bits = (if n == 1 { 8 } else { 24 }, if m == 1 { 8 } else { 24 });
        let guard = Guard::new(data);
        let (all_normal, no_overflow) = (guard.all_normal(bits.0, bits.1), guard.no_overflow());
        let no_underflow = guard.no_underflow(bits.0, bits.1);
        // Three parts hold what a binary32 does then, and inputs of one part may be subnormal.
        if (n, m) == (1, 3) && (no_underflow && !flush || all_normal) && no_overflow && !listing {
            return wide(Native { positive_zero: true }, isa);
        }
        let which = match (n, m) {
            (1, _) if listing => None,
            // Conversion to BF16 knows infinity and NaN.
            (1, 1) => Some(Which::Parts11 { once: false }),
            _ if !no_overflow => None,
            (1, 2) => Some(Which::Parts12),
            (2, _) => Some(Which::Parts22 { products, listing }),
            _ => Some(Which::Parts33 { products }),
        };
        if let (Instructions::Avx512Bf16, true, Some(which)) = (isa.instructions(), all_normal, which) {
            // SAFETY: the token proves that the machine has the leg's instructions.
            return Box::new(unsafe { Fast::new(which, plain) });
        }
        if isa.instructions() != Instructions::Avx512Bf16
            && variant == Variant::Standard
            && !flush
            && data.depth > 1
            && no_underflow
            && guard.spreads()
        {
            macro_rules! spread {
                ($($n:literal $m:literal $p:literal),*) => {
                    match (n, m, products) {
                        (1, 1, 1) => spread_1_1(isa),
                        $(($n, $m, $p) => steps_on(Spread::<$n, $m, $p>, isa),)*
                        _ => None,
                    }
                };
            }
            if let Some(steps) = spread!(1 2 1, 2 2 3, 2 2 4, 3 3 6, 3 3 9) {
                // One input part splits its sums at once, several leave that to the next step.
                let ranged = Ranged::new(plain, steps, n > 1).settling(n == 1);
                return Box::new(if m == 1 { ranged.keeping_zeros() } else { ranged });
            }
            return plain;
        }
        if let (Instructions::Avx512Bf16 | Instructions::Avx512Vbmi, (1, 1), Variant::Standard, false) =
            (isa.instructions(), (n, m), variant, flush)
        {
            // SAFETY: as above.
            let steps = Box::new(unsafe { OnAvx512Edge::new(Edge::Rounded) });
            return Box::new(Ranged::new(plain, steps, false).settling(true));
        }
        macro_rules! ranged {
            ($step:ident, $deferred:literal: $($n:literal $m:literal $p:literal),*) => {
                match (n, m, products) {
                    (1, 3, 1) => wide_steps($step::<1, 3, 1>::new(), isa),
                    $(($n, $m, $p) => steps_on($step::<$n, $m, $p>::new(), isa),)*
                    _ => None,
                }
                .map(|steps| (steps, $deferred))
            };
        }
        // A single step is the general kernel's, and its result is nothing to split again.
        let steps = if variant != Variant::Standard || flush || data.depth == 1 {
            None
        } else if (n, m) == (1, 3) && guard.capped() {
            edge_steps(Capped, Edge::Capped, isa).map(|steps| (steps, false))
        } else if let (Instructions::Avx512Bf16, true, 2) = (isa.instructions(), all_normal, n) {
            let steps: Box<dyn Run> = match products {
                // SAFETY: the token proves that the machine has the leg's instructions.
                3 => Box::new(unsafe { OnBf16::new(AllNormal::<2, 2, 3>::new()) }),
                // SAFETY: as above.
                _ => Box::new(unsafe { OnBf16::new(AllNormal::<2, 2, 4>::new()) }),
            };
            Some((steps, true))
        } else if no_underflow {
            ranged!(NoUnderflow, true: 1 2 1, 2 2 3, 2 2 4, 3 3 6, 3 3 9)
        } else if no_overflow {
            ranged!(NoOverflow, false: 1 2 1, 2 2 3, 2 2 4, 3 3 6, 3 3 9)
        } else {
            None
        };
        match steps {
            Some((steps, deferred)) => {
                let tiny = if no_underflow { None } else { tiny(compound, isa, guard.products_below()) };
                Box::new(Ranged::new(plain, steps, deferred).with_tiny(tiny).settling(n == 1 && !deferred))
            }
            None => plain,
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = (compound, isa, data);
        plain
    }
}

/// The steps of an operator of BF16 parts for where all is tiny.
#[cfg(target_arch = "x86_64")]
fn tiny(compound: Compound, isa: Isa, products: i32) -> Option<TinySteps> {
    macro_rules! tiny {
        ($($n:literal $m:literal $p:literal),*) => {
            match (compound.inputs, compound.accumulator, compound.products) {
                (1, 3, 1) => {
                    let steps = edge_steps(Tiny::<1, 3, 1>::new(), Edge::Tiny, isa)?;
                    TinySteps::new(steps, Tiny::<1, 3, 1>::LIMIT, products, true)
                }
                $(($n, $m, $p) => {
                    let steps = steps_on(Tiny::<$n, $m, $p>::new(), isa)?;
                    TinySteps::new(steps, Tiny::<$n, $m, $p>::LIMIT, products, $n == 1)
                })*
                _ => None,
            }
        };
    }
    tiny!(1 2 1, 2 2 3, 2 2 4, 3 3 6, 3 3 9)
}

/// Steps of FMA_1_3 in assembly where there are such, otherwise on the leg's vectors.
#[cfg(target_arch = "x86_64")]
fn edge_steps<S: Step + 'static>(step: S, edge: Edge, isa: Isa) -> Option<Box<dyn Run>> {
    match isa.instructions() {
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => {
            // SAFETY: the token proves that the machine has the leg's instructions.
            Some(Box::new(unsafe { OnAvx512Edge::new(edge) }))
        }
        _ => steps_on(step, isa),
    }
}

/// The steps of FMA_1_1 by [`super::spread`], in assembly for tiles of 16 rows.
#[cfg(target_arch = "x86_64")]
fn spread_1_1(isa: Isa) -> Option<Box<dyn Run>> {
    match isa.instructions() {
        // SAFETY: the token proves that the machine has the leg's instructions.
        Instructions::Avx512Vbmi => Some(Box::new(unsafe { OnAvx512Edge::new(Edge::Spread) })),
        _ => steps_on(Spread::<1, 1, 1>, isa),
    }
}

/// Steps on the leg's vectors, in tiles as those of [`wide`]; `None` for the portable leg.
#[cfg(target_arch = "x86_64")]
fn wide_steps<S: Step + 'static>(step: S, isa: Isa) -> Option<Box<dyn Run>> {
    match isa.instructions() {
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => {
            // SAFETY: the token proves that the machine has the leg's instructions.
            Some(Box::new(unsafe { super::micro::OnAvx512Light::new(step) }))
        }
        _ => steps_on(step, isa),
    }
}

/// Steps on the leg's vectors, in tiles as those of [`on`]; `None` for the portable leg.
#[cfg(target_arch = "x86_64")]
fn steps_on<S: Step + 'static>(step: S, isa: Isa) -> Option<Box<dyn Run>> {
    // SAFETY (all): the token proves that the machine has the leg's instructions, VNNI's where `OnVnni` is used.
    Some(match isa.instructions() {
        // SAFETY: as above.
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi => Box::new(unsafe { OnVnni::new(step) }),
        // SAFETY: as above.
        Instructions::Avx512 => Box::new(unsafe { super::micro::OnAvx512::new(step) }),
        // SAFETY: as above.
        Instructions::Avx2 => Box::new(unsafe { super::micro::OnAvx2::new(step) }),
        _ => return None,
    })
}

/// The kernel of a pair of formats that is allowed to round through binary32 once C is one of the accumulator's numbers: after
/// the first step, which is the kernel's that rounds to odd.
fn through_binary32<T: Target + 'static>(
    from: Format,
    target: T,
    isa: Isa,
    data: &Data,
    odd: Box<dyn Kernel>,
) -> Box<dyn Kernel> {
    #[cfg(target_arch = "x86_64")]
    {
        use super::fast::{Fast, Which};
        use super::guard::Guard;
        use super::ranged::Ranged;
        // FMA_1_1 does just that.
        let guard = Guard::new(data).rounded_to(from);
        if isa.instructions() == Instructions::Avx512Bf16 && T::BF16 && guard.all_normal(8, 24) {
            // SAFETY: the token proves that the machine has the leg's instructions.
            return Box::new(unsafe { Fast::new(Which::Parts11 { once: true }, odd) });
        }
        let [a, b, c] = (data.extents)();
        if T::BF16
            && stay_finite(from, a, b)
            && c.is_finite()
            && guard.no_underflow(8, 24)
            && guard.spreads_in(from)
            && let Some(steps) = spread_1_1(isa)
        {
            return Box::new(Ranged::new(odd, steps, false).keeping_zeros());
        }
        match steps_on(Pair::<T, false> { target, rounds_c: false }, isa) {
            Some(steps) => Box::new(Ranged::new(odd, steps, false)),
            None => odd,
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = (from, target, isa, data);
        odd
    }
}

/// Whether every finite number of the format is a binary32.
pub(super) fn within_binary32(format: Format) -> bool {
    format.precision() <= 24 && format.emax() <= 127 && format.emin() - format.precision() as i32 >= -149
}

/// True if every binary32 number is one of the format's.
pub(crate) fn holds_binary32(format: Format) -> bool {
    let even = format.subnormals() == Subnormals::Ieee;
    let finest = format.emin() + 1 - format.precision() as i32;
    let special = format.infinities() && format.nan() != NanCodes::None && format.negative_zero();
    format.signed() && even && special && format.precision() >= 24 && finest <= -149 && format.emax() >= 127
}

/// How to round inputs to a format whose numbers are binary32's.
pub(crate) fn inputs_of(format: Format, isa: Isa) -> Option<Inputs> {
    if format == F32 || holds_binary32(format) {
        Some(Inputs::Binary32 { canonical: true })
    } else if format == BF16 {
        Some(Inputs::Parts { count: 1, flush: false })
    } else if format.width() <= 16 && within_binary32(format) {
        rounding_to(format, isa)
    } else if within_binary32(format) && format.nan() != NanCodes::None {
        Wide::new(format).map(Inputs::Wide)
    } else {
        None
    }
}

/// Inputs of a format to round to.
pub(crate) fn rounding_to(format: Format, isa: Isa) -> Option<Inputs> {
    let rounder = Rounder::new(format, Rounding::NearestEven, Saturation::Overflow).ok()?;
    Some(Inputs::Format(rounder.with_isa(isa)))
}

/// Whether rounding to a format leaves numbers of these magnitudes finite: they are not beyond its largest one.
fn stay_finite(format: Format, a: Extent, b: Extent) -> bool {
    if format.nan() == NanCodes::None && !format.infinities() {
        return true;
    }
    let largest = narrow(format, format.max_finite_code());
    a.is_within(largest) && b.is_within(largest)
}

/// An operator's inputs and the precision that they need for these numbers, where rounding to them leaves finite numbers of about the
/// same magnitude.
fn tame_inputs(operator: &Operator, isa: Isa, a: Extent, b: Extent) -> Option<(Inputs, u32)> {
    let finite = a.is_finite() && b.is_finite();
    let (inputs, precision) = match (operator.as_compound(), operator.as_pair()) {
        (Some(Compound { inputs: count, flush, .. }), _) => {
            let small = finite && a.largest_exponent().max(b.largest_exponent()) < 127;
            small.then_some((Inputs::Parts { count, flush }, if count == 1 { 8 } else { 24 }))
        }
        (_, Some((format, _))) => {
            // A format without zero raises whatever is below its least number.
            let tame = finite && stay_finite(format, a, b) && format.subnormals() != Subnormals::None;
            Some((inputs_of(format, isa)?, format.precision())).filter(|_| tame)
        }
        _ => None,
    }?;
    // Numbers of few bits keep them: those of narrower formats, and of what has been rounded to one.
    Some((inputs, precision.min(a.precision().max(b.precision()))))
}

/// The kernel of an operator in the order `aligned`.
fn select_aligned(operator: &Operator, group: usize, bits: u32, isa: Isa, data: &Data) -> Option<Selection> {
    #[cfg(target_arch = "x86_64")]
    {
        use super::aligned::{Aligned, scale};
        let [a, b, c] = (data.extents)();
        let (inputs, precision) = tame_inputs(operator, isa, a, b)?;
        // What rounds to nothing has no part in it.
        let least = operator.as_pair().map_or(-126, |(format, _)| format.emin() - format.precision() as i32);
        let [a, b] = [a, b].map(|extent| if least > -126 { extent.at_least(least) } else { extent });
        let scale = scale(a, b, precision, group, bits).filter(|_| isa.has_avx512())?;
        macro_rules! aligned {
            ($rule:expr) => {{
                let rule = $rule;
                // SAFETY: the token proves that the machine has the leg's instructions.
                let kernel = Box::new(unsafe { Aligned::new(rule, group, bits, scale, on(rule, isa)) });
                Some(Selection { kernel, inputs })
            }};
        }
        if let Some((_, accumulator)) = operator.as_pair() {
            if accumulator == F32 {
                return aligned!(Native { positive_zero: false });
            }
            if accumulator.nan() == NanCodes::None && !c.is_finite() {
                return None;
            }
            if accumulator == BF16 {
                return aligned!(Pair::<_, true> { target: Bf16, rounds_c: false });
            }
            return match Narrow::signed(accumulator) {
                Some(target) => aligned!(Pair::<_, true> { target, rounds_c: false }),
                None => aligned!(Wide::new(accumulator)?),
            };
        }
        let compound = operator.as_compound().filter(|c| c.variant == Variant::Standard && !c.flush)?;
        match (compound.inputs, compound.accumulator) {
            (1, 1) => aligned!(Parts::<1, 1, 1, true>::new(compound)),
            (1, 2) => aligned!(Parts::<1, 2, 1, true>::new(compound)),
            (1, 3) => aligned!(Parts::<1, 3, 1, true>::new(compound)),
            _ => None,
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let _ = (operator, group, bits, isa, data);
        None
    }
}

/// The inputs of an operator in the order `exact` and how to cut its products.
pub(crate) fn select_exact(operator: &Operator, isa: Isa, data: &Data) -> Option<(Inputs, Levels)> {
    let [a, b, _] = (data.extents)();
    let (inputs, precision) = tame_inputs(operator, isa, a, b)?;
    Some((inputs, Levels::new(a, b, precision as i32, data.depth)?))
}

/// From the parts of an exact sum, and an element of C, to the accumulator.
pub(crate) type Finish<'a> = Box<dyn Fn(&[f64], f32) -> f32 + Sync + 'a>;

/// A rounding to nearest.
type Near = Box<dyn Fn(f64) -> f32 + Sync>;

/// How an exact sum of binary64 numbers and an element of C becomes the accumulator.
pub(crate) fn exact_rounding(operator: &Operator) -> Finish<'_> {
    use binade_simd::floats::portable::narrow_odd;
    // Rounding a sum that is rounded to odd.
    let near: Option<Near> = match (operator.as_compound(), operator.as_pair()) {
        (Some(c), _) if c.variant == Variant::Listing => Some(Box::new(|x| x as f32)),
        (Some(c), _) if c.accumulator == 1 => {
            Some(Box::new(|x| super::micro::joined(narrow_odd(x), 1, false)))
        }
        (_, Some((_, to))) if to == F32 => Some(Box::new(|x| x as f32)),
        (_, Some((_, to))) if to == BF16 => Some(Box::new(|x| super::micro::joined(narrow_odd(x), 1, false))),
        (_, Some((_, to))) => {
            Narrow::signed(to).map(|narrow| -> Near { Box::new(move |x| nearest(narrow, narrow_odd(x))) })
        }
        _ => None,
    };
    Box::new(move |sums, c| {
        let c = exact_c(operator, c);
        match near.as_ref().zip(sum_odd(sums, c)) {
            Some((near, sum)) => near(sum),
            None => exact_result(operator, &sum_exactly(sums, c)),
        }
    })
}

fn select_pair(from: Format, to: Format, isa: Isa, data: &Data) -> Option<Selection> {
    let (f32, bf16) = (F32, BF16);
    let mut inputs = inputs_of(from, isa)?;
    if to == f32 {
        if from == f32 {
            inputs = Inputs::Binary32 { canonical: false };
        }
        return Some(Selection { kernel: wide(Native { positive_zero: false }, isa), inputs });
    }
    // A format without NaN takes the sign of a NaN, which the lanes do not keep: no NaN may come up.
    if to.nan() == NanCodes::None {
        let [a, b, c] = (data.extents)();
        if !stay_finite(from, a, b) || !c.is_finite() {
            return None;
        }
    }
    let kernel = if to == bf16 {
        pair(from, to, Bf16, isa, data)
    } else if let Some(target) = Narrow::signed(to) {
        pair(from, to, target, isa, data)
    } else {
        in_binary64(Wide::new(to)?, isa)
    };
    Some(Selection { kernel, inputs })
}

/// True if an operator in an order has a kernel on an instruction set, for numbers about 1 at least; otherwise the
/// definition itself computes, element by element.
pub(crate) fn has_kernel(operator: &Operator, order: Order, isa: Isa) -> bool {
    let ones = Extent::EMPTY.with(&[1.0]);
    let data = Data { extents: &|| [ones; 3], depth: 1 };
    match order {
        Order::Any => true,
        Order::Lanes { .. } => has_kernel(operator, Order::Blocked { block: 1 }, isa),
        Order::Exact => select_exact(operator, isa, &data).is_some(),
        _ => select(operator, order, isa, &data).is_some(),
    }
}

/// The kernel of a pair of formats that rounds to this accumulator.
fn pair<T: Target + 'static>(from: Format, to: Format, target: T, isa: Isa, data: &Data) -> Box<dyn Kernel> {
    let odd = on(Pair::<T, true> { target, rounds_c: false }, isa);
    if rounds_once(from, to) { through_binary32(from, target, isa, data, odd) } else { odd }
}
