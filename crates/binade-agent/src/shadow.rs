//! Binary64 shadows of a thread's vector registers, for a profile's columns of errors and of bits lost.
//!
//! Each multiply-add leaves, beside its result in a register, what binary64 would have given on the shadows of its operands. An operand
//! whose bits are not those that a multiply-add left in that register has itself as its shadow: values from memory and from other
//! instructions begin anew. So the errors are those of sums while they are in registers.

use std::ptr;

use binade_patch::fma::{Fma, Form, Operand};
use binade_profile::profile::{ERROR_MIN, ERRORS, LOST, site};
use iced_x86::Instruction;

use crate::observe::Observed;

/// Registers of a thread.
const REGISTERS: usize = 32;
/// Lanes of a register.
const LANES: usize = 16;
/// The bits that binary64 has more than binary32.
const WIDER: i32 = 29;

/// The result that a multiply-add left in a lane of a register.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The bits of the result's magnitude; 0 without a result.
    bits: u64,
    /// The signed shadow of the result as it was left.
    shadow: f64,
    /// True if the result was negative.
    negative: bool,
    /// Bits lost by cancellation.
    lost: i32,
    /// The bins in which it is counted as a result of `site`.
    bins: [usize; 2],
    /// The instruction, or null once the result is counted no more.
    site: *const Observed,
}

/// The shadows of all registers. All zeros are no shadows.
pub(crate) struct Shadows([[Entry; LANES]; REGISTERS]);

/// The registers of an instruction's operands; memory and constants have none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Registers {
    factors: [Option<usize>; 2],
    addend: Option<usize>,
    destination: usize,
    /// True for a sum, whose first factor is an addend.
    is_sum: bool,
    /// True for a product, whose addend is no number of the program's.
    is_product: bool,
}

impl Registers {
    /// The registers of a multiply-add; `None` for other instructions, and for sums within a register: the lanes of their
    /// operands are not those of the result.
    pub(crate) fn of(instruction: &Instruction) -> Option<Registers> {
        let within_register = |fma: &Fma| matches!(fma.form, Form::Horizontal | Form::Across);
        let fma = Fma::decode(instruction).filter(|fma| !within_register(fma))?;
        let number = |operand| match operand {
            Operand::Register(register) => Some(register.number()),
            _ => None,
        };
        Some(Registers {
            factors: [number(fma.a()), number(fma.b())],
            addend: number(fma.c()),
            destination: fma.destination().number(),
            is_sum: fma.form == Form::Add,
            is_product: fma.form == Form::Multiply,
        })
    }
}

/// A lane that has been computed: operands with their signs applied, and the result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Computed {
    pub(crate) a: f64,
    pub(crate) b: f64,
    pub(crate) c: f64,
    pub(crate) d: f64,
    /// True for lanes of binary64.
    pub(crate) wide: bool,
}

/// An operand with its shadow.
#[derive(Clone, Copy)]
struct Shadowed {
    value: f64,
    shadow: f64,
    lost: i32,
}

/// ⌊log2 |x|⌋ of a finite nonzero value.
fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(-1023)
}

impl Shadows {
    /// Follows one lane of an instruction and counts its result. A partial sum that it adds to is a result of its function no more.
    #[target_feature(enable = "fma")]
    #[inline]
    pub(crate) fn follow(&mut self, observed: &Observed, lane: usize, computed: Computed, several: bool) {
        let Some(registers) = &observed.registers else { return };
        let Computed { a, b, c, d, wide } = computed;
        let a = self.operand(registers.factors[0], lane, a);
        let b = self.operand(registers.factors[1], lane, b);
        let c = self.operand(registers.addend, lane, c);
        let shadow = a.shadow.mul_add(b.shadow, c.shadow);
        let lost = lost_bits([a, b, c], d, registers.is_product);
        let bins = [
            (if wide { lost - WIDER } else { lost }).clamp(0, LOST as i32 - 1) as usize + site::LOST_BITS,
            error_bin(d, shadow) + site::ERROR,
        ];
        let addends = [registers.addend, registers.factors[0].filter(|_| registers.is_sum)];
        for register in addends.into_iter().flatten() {
            let operand = if Some(register) == registers.addend { c } else { a };
            self.add_to(register, lane, operand, observed, several);
        }
        let Some(counters) = observed.own_counters() else { return };
        bins.iter().for_each(|&bin| crate::observe::add(&counters[bin], 1, several));
        let entry = Entry { bits: d.abs().to_bits(), shadow, negative: d < 0.0, lost, bins, site: observed };
        self.0[registers.destination % REGISTERS][lane] = entry;
    }

    #[inline(always)]
    fn operand(&self, register: Option<usize>, lane: usize, value: f64) -> Shadowed {
        let plain = Shadowed { value, shadow: value, lost: 0 };
        let Some(entry) = register.map(|register| &self.0[register % REGISTERS][lane]) else { return plain };
        if value == 0.0 || !value.is_finite() || entry.bits != value.abs().to_bits() {
            return plain;
        }
        let shadow = if entry.negative == (value < 0.0) { entry.shadow } else { -entry.shadow };
        Shadowed { value, shadow, lost: entry.lost }
    }

    /// Takes back the result in a register to which a multiply-add of the same function adds.
    #[inline(always)]
    fn add_to(&mut self, register: usize, lane: usize, operand: Shadowed, by: &Observed, several: bool) {
        let entry = &mut self.0[register % REGISTERS][lane];
        if entry.site.is_null() || operand.value == 0.0 || entry.bits != operand.value.abs().to_bits() {
            return;
        }
        // SAFETY: sites are never freed.
        let site = unsafe { &*entry.site };
        if ptr::eq(site.function, by.function)
            && let Some(counters) = site.own_counters()
        {
            // Less one.
            entry.bins.iter().for_each(|&bin| crate::observe::add(&counters[bin], u64::MAX, several));
            entry.site = ptr::null();
        }
    }
}

/// The exponent of the largest addend or partial sum that went into a result, less the result's.
#[inline(always)]
fn lost_bits([a, b, c]: [Shadowed; 3], d: f64, is_product: bool) -> i32 {
    if d == 0.0 || !d.is_finite() {
        return 0;
    }
    let product = a.value * b.value;
    let of_product = exponent(product) + a.lost.max(b.lost);
    let of_addend = exponent(c.value) + c.lost;
    let largest = match (product == 0.0 || !product.is_finite(), c.value == 0.0 || is_product) {
        (true, true) => return 0,
        (true, false) => of_addend,
        (false, true) => of_product,
        (false, false) => of_product.max(of_addend),
    };
    (largest - exponent(d)).max(0)
}

/// The bin of a result's relative error against its shadow.
#[inline(always)]
fn error_bin(d: f64, shadow: f64) -> usize {
    if !shadow.is_finite() || d == shadow {
        return 0;
    }
    let error = if d.is_finite() && shadow != 0.0 { (d - shadow).abs() / shadow.abs() } else { 1.0 };
    (exponent(error.min(1.0)) - (ERROR_MIN - 1)).clamp(0, ERRORS as i32 - 1) as usize
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use binade_profile::profile::{SITE_COUNTERS, SiteCounts};
    use iced_x86::{Decoder, DecoderOptions};

    use super::*;
    use crate::sites::tests::FMA;

    fn shadows() -> Box<Shadows> {
        let none = Entry { bits: 0, shadow: 0.0, negative: false, lost: 0, bins: [0; 2], site: ptr::null() };
        Box::new(Shadows([[none; LANES]; REGISTERS]))
    }

    /// xmm0 = xmm1 · xmm2 + xmm0, counted in these counters.
    fn observed(counters: &[AtomicU64; SITE_COUNTERS]) -> Observed {
        let instruction = Decoder::with_ip(64, &FMA, 0, DecoderOptions::NONE).decode();
        let own = ptr::from_ref(counters).cast::<u64>().cast_mut();
        Observed::new(&instruction, ptr::null_mut(), own)
    }

    fn follow(shadows: &mut Shadows, site: &Observed, lane: usize, computed: Computed) {
        // SAFETY: these tests run on machines that trampolines are made for, which have FMA.
        unsafe { shadows.follow(site, lane, computed, false) }
    }

    fn counts(counters: &[AtomicU64; SITE_COUNTERS]) -> SiteCounts {
        let mut counts = SiteCounts::default();
        counts.add(&counters.iter().map(|counter| counter.load(Ordering::Relaxed)).collect::<Vec<_>>());
        counts
    }

    /// A sum in a register: only the last value is a result, with the error of the whole sum.
    #[test]
    fn follow_sum_counts_its_last_value() {
        let counters = [const { AtomicU64::new(0) }; SITE_COUNTERS];
        let (mut shadows, site) = (shadows(), observed(&counters));
        let (mut sum, mut exact) = (1.0f32, 1.0f64);
        for _ in 0..1000 {
            let c = f64::from(sum);
            let (a, b) = (f64::from(0.1f32), 1.0);
            sum = 0.1f32.mul_add(1.0, sum);
            exact += f64::from(0.1f32);
            follow(&mut shadows, &site, 0, Computed { a, b, c, d: f64::from(sum), wide: false });
        }
        let error = (f64::from(sum) - exact).abs() / exact;
        let counts = counts(&counters);
        assert_eq!(counts.errors, [(error.log2().floor() as i32, 1)].into());
        assert_eq!(counts.lost, [(0, 1)].into());
    }

    /// 1 + 2^-23 · k less 1: the leading 23 bits cancel.
    #[test]
    fn follow_cancellation_counts_lost_bits() {
        let counters = [const { AtomicU64::new(0) }; SITE_COUNTERS];
        let (mut shadows, site) = (shadows(), observed(&counters));
        let c = 1.0 + 2f64.powi(-22);
        let lane = Computed { a: -1.0, b: 1.0, c, d: c - 1.0, wide: false };
        follow(&mut shadows, &site, 3, lane);
        assert_eq!(counts(&counters).lost, [(22, 1)].into());
        // Binary64 has 29 bits more.
        follow(&mut shadows, &site, 4, Computed { wide: true, ..lane });
        assert_eq!(counts(&counters).lost, [(0, 1), (22, 1)].into());
        // What a small sum adds to what is left does not bring the bits back.
        let left = lane.d;
        follow(&mut shadows, &site, 3, Computed { a: left, b: 0.5, c: left, d: 1.5 * left, wide: false });
        assert_eq!(counts(&counters).lost, [(0, 1), (22, 1)].into());
    }

    #[test]
    fn error_bins_of_wrong_results_are_one() {
        let last = ERRORS - 1;
        assert_eq!([error_bin(1.0, 1.0), error_bin(2.0, 1.0), error_bin(-253_696.0, 0.75)], [0, last, last]);
        assert_eq!(
            [error_bin(f64::NAN, 1.0), error_bin(1.0, 0.0), error_bin(1.0, f64::NAN)],
            [last, last, 0]
        );
        assert_eq!(error_bin(1.0 + 2f64.powi(-24), 1.0) as i32, -24 - (ERROR_MIN - 1));
    }
}
