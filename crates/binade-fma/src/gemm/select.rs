//! Selection of the fastest kernel for an operator, an order, a machine and the magnitudes of the data.

use binade::carrier::NarrowRounding;
use binade::catalog::{BF16, F32};
use binade::operator::{Compound, Variant};
use binade::{Format, NanCodes, Operator, Rounding, Saturation, Subnormals};
use binade_kernels::Rounder;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use binade_simd::Instructions;
use binade_simd::Isa;

#[cfg(target_arch = "x86_64")]
use super::assembly::{AssemblyLoop, Avx512Assembly};
use super::levels::{Levels, exact_sum, sum_odd};
use super::micro::{Inputs, Kernel, OnPortable};
#[cfg(target_arch = "x86_64")]
use super::micro::{OnBf16, OnVnni, TileSteps};
#[cfg(target_arch = "x86_64")]
use super::modes::AnyTruncated;
use super::modes::{Modal, Mode};
#[cfg(target_arch = "x86_64")]
use super::ranged::{Tiny, TinySteps};
#[cfg(target_arch = "x86_64")]
use super::rules::Step;
use super::rules::{Bf16, Native, Pair, Parts, Rule, Target, Wide, nearest, rounds_once, within_binary32};
use super::source::MagnitudeRange;
#[cfg(target_arch = "x86_64")]
use super::veltkamp::VeltkampSplit;
use crate::exact::narrow;
use crate::order::Order;
use crate::reference::{exact_c, exact_result};

/// Facts about the data that selection depends on.
pub(crate) struct Data<'a> {
    /// The ranges of magnitudes in A, B and C.
    pub(crate) magnitudes: &'a dyn Fn() -> [MagnitudeRange; 3],
    pub(crate) depth: usize,
}

/// A kernel, and how its inputs are converted.
pub(crate) struct Selection {
    pub(crate) kernel: Box<dyn Kernel>,
    pub(crate) inputs: Inputs,
}

/// Selects the kernel of an operator. Returns `None` if only the scalar definition computes it for this data.
pub(crate) fn select(operator: &Operator, order: Order, isa: Isa, data: &Data) -> Option<Selection> {
    match order {
        Order::Aligned { group, bits } => return select_aligned(operator, group, bits, isa, data),
        Order::Exact | Order::Any | Order::Lanes { .. } => return None,
        Order::Sequential | Order::Blocked { .. } | Order::Pairwise => {}
    }
    match (operator.as_compound(), operator.as_pair()) {
        (Some(compound), _) => select_compound(compound, isa, data),
        (_, Some((inputs, accumulator))) => select_pair(inputs, accumulator, isa, data),
        _ => select_mode(operator, order, isa, data),
    }
}

/// The kernel of a pair of formats that is rounded by another mode than to nearest even.
fn select_mode(operator: &Operator, order: Order, isa: Isa, data: &Data) -> Option<Selection> {
    let ((from, to), rounding) = (operator.formats()?, operator.rounding());
    if rounding.is_stochastic() && order != Order::Sequential {
        return None;
    }
    let (inputs, mode) = (inputs_of(from, isa)?, Mode::new(operator)?);
    if to.nan() == NanCodes::None && !takes_finite(from, data) {
        return None;
    }
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx512()
        && let Some(steps) = AnyTruncated::new(mode, rounding)
    {
        let kernel = truncated_kernel(steps, isa);
        return Some(Selection { kernel, inputs });
    }
    let kernel: Box<dyn Kernel> = match rounding.is_stochastic() {
        true => avx512_f_kernel(Modal::<true>::new(mode), isa),
        false => avx512_f_kernel(Modal::<false>::new(mode), isa),
    };
    Some(Selection { kernel, inputs })
}

/// A kernel of these steps, on a leg with AVX-512.
#[cfg(target_arch = "x86_64")]
pub(super) fn truncated_kernel(steps: AnyTruncated, isa: Isa) -> Box<dyn Kernel> {
    match steps {
        AnyTruncated::Bf16(steps) => vector_kernel(steps, isa),
        AnyTruncated::Other(steps) => avx512_f_kernel(steps, isa),
    }
}

/// True if the data and its rounding to the inputs' format are finite.
fn takes_finite(from: Format, data: &Data) -> bool {
    let [a, b, c] = (data.magnitudes)();
    rounds_to_finite(from, a, b) && a.is_finite() && b.is_finite() && c.is_finite()
}

/// A kernel of the rule on the vectors of an instruction set.
fn vector_kernel<R: Rule + 'static>(rule: R, isa: Isa) -> Box<dyn Kernel> {
    match isa.instructions() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the token proves that the machine has the instructions of its leg, and both legs have VNNI.
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi => Box::new(unsafe { OnVnni::new(rule) }),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the token proves that the machine has the leg's instructions.
        Instructions::Avx512 => Box::new(unsafe { super::micro::OnAvx512::new(rule) }),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the token proves that the machine has the leg's instructions.
        Instructions::Avx2 => Box::new(unsafe { super::micro::OnAvx2::new(rule) }),
        #[cfg(target_arch = "aarch64")]
        // SAFETY: the token proves that the machine has the leg's instructions.
        Instructions::Neon => Box::new(unsafe { super::micro::OnNeon::new(rule) }),
        _ => portable_kernel(rule),
    }
}

/// A kernel of a rule in binary64. All legs with AVX-512 share one, since it needs only AVX-512 F.
fn avx512_f_kernel<R: Rule + 'static>(rule: R, isa: Isa) -> Box<dyn Kernel> {
    match isa.instructions() {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi => {
            // SAFETY: the token proves that the machine has the leg's instructions.
            Box::new(unsafe { super::micro::OnAvx512::new(rule) })
        }
        _ => vector_kernel(rule, isa),
    }
}

/// A kernel of scalar code, for rules too rare to deserve vector code.
fn portable_kernel<R: Rule + 'static>(rule: R) -> Box<dyn Kernel> {
    // SAFETY: scalar code needs no special instructions.
    Box::new(unsafe { OnPortable::new(rule) })
}

/// A kernel in larger tiles, for rules of few instructions.
fn large_tile_kernel<R: Rule + 'static>(rule: R, isa: Isa) -> Box<dyn Kernel> {
    match isa.instructions() {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => {
            // SAFETY: the token proves that the machine has the leg's instructions.
            Box::new(unsafe { super::micro::OnAvx512Light::new(rule) })
        }
        _ => vector_kernel(rule, isa),
    }
}

fn select_compound(compound: Compound, isa: Isa, data: &Data) -> Option<Selection> {
    let Compound { inputs: n, accumulator: m, products, variant, flush } = compound;
    let inputs = Inputs::Parts { count: n, flush };
    if variant == Variant::Exact {
        // One part of 8 bits is a pair of formats; the scalar definition computes the others.
        return (m == 1 && !flush).then(|| Selection {
            kernel: vector_kernel(Pair::<_, true> { target: Bf16, rounds_c: true }, isa),
            inputs,
        });
    }
    let plain = variant == Variant::Standard && !flush;
    macro_rules! kernel {
        ($($n:literal $m:literal $p:literal),*) => {
            match (n, m, products) {
                (1, 3, 1) if plain => large_tile_kernel(Parts::<1, 3, 1, true>::new(compound), isa),
                $(($n, $m, $p) if plain => vector_kernel(Parts::<$n, $m, $p, true>::new(compound), isa),
                ($n, $m, $p) => portable_kernel(Parts::<$n, $m, $p, false>::new(compound)),)*
                _ => return None,
            }
        };
    }
    let kernel = kernel!(1 1 1, 1 2 1, 1 3 1, 2 2 3, 2 2 4, 3 3 6, 3 3 9);
    Some(Selection { kernel: specialised_kernel(compound, isa, data, kernel), inputs })
}

/// The best kernel for this data: of [`super::avx512_bf16`] or [`super::ranged`], or binary32's own FMA.
fn specialised_kernel(compound: Compound, isa: Isa, data: &Data, plain: Box<dyn Kernel>) -> Box<dyn Kernel> {
    #[cfg(target_arch = "x86_64")]
    {
        use super::avx512_bf16::{Avx512Bf16Kernel, Avx512Bf16Operator};
        use super::guard::Guard;
        use super::ranged::{AllNormal, Capped, NoOverflow, NoUnderflow, Ranged};
        let Compound { inputs: n, accumulator: m, products, variant, flush } = compound;
        let listing = variant == Variant::Listing;
        let bits = (if n == 1 { 8 } else { 24 }, if m == 1 { 8 } else { 24 });
        let guard = Guard::new(data);
        let (all_normal, no_overflow) = (guard.all_normal(bits.0, bits.1), guard.no_overflow());
        let no_underflow = guard.no_underflow(bits.0, bits.1);
        // Three parts hold any binary32 number here, and inputs of one part may be subnormal.
        if (n, m) == (1, 3) && (no_underflow && !flush || all_normal) && no_overflow && !listing {
            return large_tile_kernel(Native { positive_zero: true }, isa);
        }
        let which = match (n, m) {
            (1, _) if listing => None,
            // The conversion to BF16 handles infinity and NaN.
            (1, 1) => Some(Avx512Bf16Operator::Parts11 { once: false }),
            _ if !no_overflow => None,
            (1, 2) => Some(Avx512Bf16Operator::Parts12),
            (2, _) => Some(Avx512Bf16Operator::Parts22 { products, listing }),
            _ => Some(Avx512Bf16Operator::Parts33 { products }),
        };
        if let (Instructions::Avx512Bf16, true, Some(which)) = (isa.instructions(), all_normal, which) {
            // SAFETY: the token proves that the machine has the leg's instructions.
            return Box::new(unsafe { Avx512Bf16Kernel::new(which, plain) });
        }
        if isa.instructions() != Instructions::Avx512Bf16
            && variant == Variant::Standard
            && !flush
            && data.depth > 1
            && no_underflow
            && guard.allows_veltkamp()
        {
            macro_rules! veltkamp {
                ($($n:literal $m:literal $p:literal),*) => {
                    match (n, m, products) {
                        (1, 1, 1) => veltkamp_1_1(isa),
                        $(($n, $m, $p) => vector_steps(VeltkampSplit::<$n, $m, $p>, isa),)*
                        _ => None,
                    }
                };
            }
            if let Some(steps) = veltkamp!(1 2 1, 2 2 3, 2 2 4, 3 3 6, 3 3 9) {
                // With one input part each step splits its sum. With several, the next step does.
                let ranged = Ranged::new(plain, steps, n > 1).rounding_c(n == 1);
                return Box::new(if m == 1 { ranged.keeping_negative_zeros() } else { ranged });
            }
            return plain;
        }
        if let (Instructions::Avx512Bf16 | Instructions::Avx512Vbmi, (1, 1), Variant::Standard, false) =
            (isa.instructions(), (n, m), variant, flush)
        {
            // SAFETY: the token proves that the machine has the leg's instructions.
            let steps = Box::new(unsafe { Avx512Assembly::new(AssemblyLoop::Rounded) });
            return Box::new(Ranged::new(plain, steps, false).rounding_c(true));
        }
        macro_rules! ranged {
            ($step:ident, $split_deferred:literal: $($n:literal $m:literal $p:literal),*) => {
                match (n, m, products) {
                    (1, 3, 1) => large_tile_steps($step::<1, 3, 1>::new(), isa),
                    $(($n, $m, $p) => vector_steps($step::<$n, $m, $p>::new(), isa),)*
                    _ => None,
                }
                .map(|steps| (steps, $split_deferred))
            };
        }
        // A single step uses the general kernel, whose result needs no further splitting.
        let steps = if variant != Variant::Standard || flush || data.depth == 1 {
            None
        } else if (n, m) == (1, 3) && guard.allows_capped() {
            fma_1_3_steps(Capped, AssemblyLoop::Capped, isa).map(|steps| (steps, false))
        } else if let (Instructions::Avx512Bf16, true, 2) = (isa.instructions(), all_normal, n) {
            let steps: Box<dyn TileSteps> = match products {
                // SAFETY: the token proves that the machine has the leg's instructions.
                3 => Box::new(unsafe { OnBf16::new(AllNormal::<2, 2, 3>::new()) }),
                // SAFETY: the token proves that the machine has the leg's instructions.
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
            Some((steps, split_deferred)) => {
                let tiny_steps =
                    if no_underflow { None } else { tiny_steps(compound, isa, guard.products_below()) };
                Box::new(
                    Ranged::new(plain, steps, split_deferred)
                        .with_tiny(tiny_steps)
                        .rounding_c(n == 1 && !split_deferred),
                )
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

/// Steps of an operator of BF16 parts for data of tiny magnitude.
#[cfg(target_arch = "x86_64")]
fn tiny_steps(compound: Compound, isa: Isa, products: i32) -> Option<TinySteps> {
    macro_rules! tiny_steps {
        ($($n:literal $m:literal $p:literal),*) => {
            match (compound.inputs, compound.accumulator, compound.products) {
                (1, 3, 1) => {
                    let steps = fma_1_3_steps(Tiny::<1, 3, 1>::new(), AssemblyLoop::Tiny, isa)?;
                    TinySteps::new(steps, Tiny::<1, 3, 1>::LIMIT, products, true)
                }
                $(($n, $m, $p) => {
                    let steps = vector_steps(Tiny::<$n, $m, $p>::new(), isa)?;
                    TinySteps::new(steps, Tiny::<$n, $m, $p>::LIMIT, products, $n == 1)
                })*
                _ => None,
            }
        };
    }
    tiny_steps!(1 2 1, 2 2 3, 2 2 4, 3 3 6, 3 3 9)
}

/// Steps of FMA_1_3 in assembly if the machine has AVX-512, otherwise in vector code.
#[cfg(target_arch = "x86_64")]
fn fma_1_3_steps<S: Step + 'static>(step: S, assembly: AssemblyLoop, isa: Isa) -> Option<Box<dyn TileSteps>> {
    match isa.instructions() {
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => {
            // SAFETY: the token proves that the machine has the leg's instructions.
            Some(Box::new(unsafe { Avx512Assembly::new(assembly) }))
        }
        _ => vector_steps(step, isa),
    }
}

/// The steps of FMA_1_1 by [`super::veltkamp`], in assembly for tiles of 16 rows.
#[cfg(target_arch = "x86_64")]
fn veltkamp_1_1(isa: Isa) -> Option<Box<dyn TileSteps>> {
    match isa.instructions() {
        Instructions::Avx512Vbmi => {
            // SAFETY: the token proves that the machine has the leg's instructions.
            Some(Box::new(unsafe { Avx512Assembly::new(AssemblyLoop::VeltkampSplit) }))
        }
        _ => vector_steps(VeltkampSplit::<1, 1, 1>, isa),
    }
}

/// Steps for tiles of [`large_tile_kernel`]; `None` for the portable leg.
#[cfg(target_arch = "x86_64")]
fn large_tile_steps<S: Step + 'static>(step: S, isa: Isa) -> Option<Box<dyn TileSteps>> {
    match isa.instructions() {
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => {
            // SAFETY: the token proves that the machine has the leg's instructions.
            Some(Box::new(unsafe { super::micro::OnAvx512Light::new(step) }))
        }
        _ => vector_steps(step, isa),
    }
}

/// Steps for tiles of [`vector_kernel`]; `None` for the portable leg.
#[cfg(target_arch = "x86_64")]
fn vector_steps<S: Step + 'static>(step: S, isa: Isa) -> Option<Box<dyn TileSteps>> {
    Some(match isa.instructions() {
        // SAFETY: the token proves that the machine has the leg's instructions, VNNI included for `OnVnni`.
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi => Box::new(unsafe { OnVnni::new(step) }),
        // SAFETY: the token proves that the machine has the leg's instructions, VNNI included for `OnVnni`.
        Instructions::Avx512 => Box::new(unsafe { super::micro::OnAvx512::new(step) }),
        // SAFETY: the token proves that the machine has the leg's instructions, VNNI included for `OnVnni`.
        Instructions::Avx2 => Box::new(unsafe { super::micro::OnAvx2::new(step) }),
        _ => return None,
    })
}

/// A kernel for a pair of formats that may round through binary32, once C is a number of the accumulator's format. The
/// first step uses the kernel that rounds to odd.
fn through_binary32<T: Target + 'static>(
    from: Format,
    target: T,
    isa: Isa,
    data: &Data,
    odd: Box<dyn Kernel>,
) -> Box<dyn Kernel> {
    #[cfg(target_arch = "x86_64")]
    {
        use super::avx512_bf16::{Avx512Bf16Kernel, Avx512Bf16Operator};
        use super::guard::Guard;
        use super::ranged::Ranged;
        // FMA_1_1 computes the same.
        let guard = Guard::new(data).rounded_to(from);
        if isa.instructions() == Instructions::Avx512Bf16 && T::BF16 && guard.all_normal(8, 24) {
            // SAFETY: the token proves that the machine has the leg's instructions.
            return Box::new(unsafe {
                Avx512Bf16Kernel::new(Avx512Bf16Operator::Parts11 { once: true }, odd)
            });
        }
        let [a, b, c] = (data.magnitudes)();
        if T::BF16
            && rounds_to_finite(from, a, b)
            && c.is_finite()
            && guard.no_underflow(8, 24)
            && guard.allows_veltkamp_in(from)
            && let Some(steps) = veltkamp_1_1(isa)
        {
            return Box::new(Ranged::new(odd, steps, false).keeping_negative_zeros());
        }
        match vector_steps(Pair::<T, false> { target, rounds_c: false }, isa) {
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

/// True if every binary32 number is one of the format's.
pub(crate) fn holds_binary32(format: Format) -> bool {
    let even = format.subnormals() == Subnormals::Ieee;
    let finest = format.emin() + 1 - format.precision() as i32;
    let special = format.infinities() && format.nan() != NanCodes::None && format.negative_zero();
    format.signed() && even && special && format.precision() >= 24 && finest <= -149 && format.emax() >= 127
}

/// The conversion of inputs to a format whose numbers are binary32 numbers.
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

/// The conversion of inputs by rounding to a format.
pub(crate) fn rounding_to(format: Format, isa: Isa) -> Option<Inputs> {
    let rounder = Rounder::new(format, Rounding::NearestEven, Saturation::Overflow).ok()?;
    Some(Inputs::Format(rounder.with_isa(isa)))
}

/// True if rounding numbers of these magnitudes to the format leaves them finite.
fn rounds_to_finite(format: Format, a: MagnitudeRange, b: MagnitudeRange) -> bool {
    if format.nan() == NanCodes::None && !format.infinities() {
        return true;
    }
    let largest = narrow(format, format.max_finite_code());
    a.is_within(largest) && b.is_within(largest)
}

/// An operator's inputs and the precision that these numbers need. `None` unless rounding keeps all numbers finite and
/// of about the same magnitude.
fn inputs_keeping_magnitude(
    operator: &Operator,
    isa: Isa,
    a: MagnitudeRange,
    b: MagnitudeRange,
) -> Option<(Inputs, u32)> {
    let finite = a.is_finite() && b.is_finite();
    let (inputs, precision) = match (operator.as_compound(), operator.as_pair()) {
        (Some(Compound { inputs: count, flush, .. }), _) => {
            let small = finite && a.largest_exponent().max(b.largest_exponent()) < 127;
            small.then_some((Inputs::Parts { count, flush }, if count == 1 { 8 } else { 24 }))
        }
        (_, Some((format, _))) => {
            // A format without zero raises everything below its least number.
            let keeps_magnitude =
                finite && rounds_to_finite(format, a, b) && format.subnormals() != Subnormals::None;
            Some((inputs_of(format, isa)?, format.precision())).filter(|_| keeps_magnitude)
        }
        _ => None,
    }?;
    // Numbers of fewer bits than the format keep them, such as numbers already rounded to a narrower format.
    Some((inputs, precision.min(a.precision().max(b.precision()))))
}

/// The kernel of an operator in the order `aligned`.
fn select_aligned(operator: &Operator, group: usize, bits: u32, isa: Isa, data: &Data) -> Option<Selection> {
    #[cfg(target_arch = "x86_64")]
    {
        use super::aligned::{Aligned, scale};
        let [a, b, c] = (data.magnitudes)();
        let (inputs, precision) = inputs_keeping_magnitude(operator, isa, a, b)?;
        // Numbers that round to zero do not take part.
        let least = operator.as_pair().map_or(-126, |(format, _)| format.emin() - format.precision() as i32);
        let [a, b] =
            [a, b].map(|magnitudes| if least > -126 { magnitudes.at_least(least) } else { magnitudes });
        let scale = scale(a, b, precision, group, bits).filter(|_| isa.has_avx512())?;
        macro_rules! aligned {
            ($rule:expr) => {{
                let rule = $rule;
                // SAFETY: the token proves that the machine has the leg's instructions.
                let kernel = unsafe { Aligned::new(rule, group, bits, scale, vector_kernel(rule, isa)) };
                Some(Selection { kernel: Box::new(kernel), inputs })
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
            return match NarrowRounding::signed(accumulator) {
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

/// The inputs of an operator in the order `exact`, and the levels into which its products are cut.
pub(crate) fn select_exact(operator: &Operator, isa: Isa, data: &Data) -> Option<(Inputs, Levels)> {
    let [a, b, _] = (data.magnitudes)();
    let (inputs, precision) = inputs_keeping_magnitude(operator, isa, a, b)?;
    Some((inputs, Levels::new(a, b, precision as i32, data.depth)?))
}

/// Rounds the parts of an exact sum, plus an element of C, to the accumulator.
pub(crate) type Finish<'a> = Box<dyn Fn(&[f64], f32) -> f32 + Sync + 'a>;

/// Rounds a binary64 number to nearest.
type Near = Box<dyn Fn(f64) -> f32 + Sync>;

/// The rounding of an exact sum of binary64 numbers and an element of C to the accumulator.
pub(crate) fn exact_rounding(operator: &Operator) -> Finish<'_> {
    use binade_simd::floats::portable::narrow_odd;
    // Rounds a sum that was rounded to odd.
    let near: Option<Near> = match (operator.as_compound(), operator.as_pair()) {
        (Some(c), _) if c.variant == Variant::Listing => Some(Box::new(|x| x as f32)),
        (Some(c), _) if c.accumulator == 1 => {
            Some(Box::new(|x| super::micro::joined(narrow_odd(x), 1, false)))
        }
        (_, Some((_, to))) if to == F32 => Some(Box::new(|x| x as f32)),
        (_, Some((_, to))) if to == BF16 => Some(Box::new(|x| super::micro::joined(narrow_odd(x), 1, false))),
        (_, Some((_, to))) => NarrowRounding::signed(to)
            .map(|narrow| -> Near { Box::new(move |x| nearest(narrow, narrow_odd(x))) }),
        _ => None,
    };
    Box::new(move |sums, c| {
        let c = exact_c(operator, c);
        match near.as_ref().zip(sum_odd(sums, c)) {
            Some((near, sum)) => near(sum),
            None => exact_result(operator, 0, &exact_sum(sums, c)),
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
        return Some(Selection { kernel: large_tile_kernel(Native { positive_zero: false }, isa), inputs });
    }
    // A format without NaN takes the sign of a NaN, which vector code does not keep. So this kernel needs data without
    // NaN.
    if to.nan() == NanCodes::None {
        let [a, b, c] = (data.magnitudes)();
        if !rounds_to_finite(from, a, b) || !c.is_finite() {
            return None;
        }
    }
    let kernel = if to == bf16 {
        pair(from, to, Bf16, isa, data)
    } else if let Some(target) = NarrowRounding::signed(to) {
        pair(from, to, target, isa, data)
    } else {
        avx512_f_kernel(Wide::new(to)?, isa)
    };
    Some(Selection { kernel, inputs })
}

/// True if an operator in an order has a kernel on an instruction set, at least for magnitudes about 1. Otherwise the
/// scalar definition computes each element.
pub(crate) fn has_kernel(operator: &Operator, order: Order, isa: Isa) -> bool {
    let ones = MagnitudeRange::EMPTY.with(&[1.0]);
    let data = Data { magnitudes: &|| [ones; 3], depth: 1 };
    match order {
        Order::Any => true,
        Order::Lanes { .. } => has_kernel(operator, Order::Blocked { block: 1 }, isa),
        Order::Exact => select_exact(operator, isa, &data).is_some(),
        _ => select(operator, order, isa, &data).is_some(),
    }
}

/// The kernel for a pair of formats with this accumulator.
fn pair<T: Target + 'static>(from: Format, to: Format, target: T, isa: Isa, data: &Data) -> Box<dyn Kernel> {
    let odd = vector_kernel(Pair::<T, true> { target, rounds_c: false }, isa);
    if rounds_once(from, to) { through_binary32(from, target, isa, data, odd) } else { odd }
}
