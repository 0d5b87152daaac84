//! Handler for trampolines that leave inline code: the operator, and the counts of a profile.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use binade_patch::trampoline::{Operands, double_of};
use binade_profile::profile::{self, COUNTERS, DIFFERENCE, EXPONENT_MIN, SITE_COUNTERS, at};
use iced_x86::Instruction;

use crate::emulator::Emulator;
use crate::shadow::{Computed, Registers, Shadows};
use crate::threads;

/// The first word of a trampoline's context: whose executions are counted where, by the number of the site.
#[derive(Debug)]
pub(crate) struct Observer {
    emulator: Emulator,
    /// Sites, in chunks that never move, so that they are read without the lock.
    chunks: [AtomicPtr<Chunk>; CHUNKS],
    /// The number of the next site.
    next: u32,
}

const CHUNK: usize = 1 << 12;
const CHUNKS: usize = 1 << 10;
type Chunk = [AtomicPtr<Observed>; CHUNK];

/// An instruction whose executions are counted.
#[derive(Debug)]
pub(crate) struct Observed {
    /// The counters of its function, [`COUNTERS`] words of the record, or null.
    pub(crate) function: *mut u64,
    /// Its own counters, [`SITE_COUNTERS`] words of the record, or null.
    own: *mut u64,
    /// The registers of a multiply-add.
    pub(crate) registers: Option<Registers>,
}

impl Observed {
    /// An instruction and its counters.
    pub(crate) fn new(instruction: &Instruction, function: *mut u64, own: *mut u64) -> Observed {
        Observed { function, own, registers: Registers::of(instruction) }
    }

    /// Its own counters.
    pub(crate) fn own_counters(&self) -> Option<&[AtomicU64; SITE_COUNTERS]> {
        // SAFETY: null or aligned words of the record, mapped for good.
        unsafe { self.own.cast::<[AtomicU64; SITE_COUNTERS]>().as_ref() }
    }

    /// The counters of its function.
    fn function_counters(&self) -> Option<&[AtomicU64; COUNTERS]> {
        // SAFETY: null or aligned words of the record, mapped for good.
        unsafe { self.function.cast::<[AtomicU64; COUNTERS]>().as_ref() }
    }
}

/// Adds to a counter. Without other threads a plain addition does, which takes a tenth of the time.
#[inline(always)]
pub(crate) fn add(counter: &AtomicU64, amount: u64, several: bool) {
    if several {
        counter.fetch_add(amount, Ordering::Relaxed);
    } else {
        counter.store(counter.load(Ordering::Relaxed).wrapping_add(amount), Ordering::Relaxed);
    }
}

impl Observer {
    /// An observer that lives as long as the process.
    pub(crate) fn new(emulator: Emulator) -> &'static mut Observer {
        let chunks = [const { AtomicPtr::new(ptr::null_mut()) }; CHUNKS];
        Box::leak(Box::new(Observer { emulator, chunks, next: 1 }))
    }

    /// The number of the first of these sites, which have consecutive ones; 0, which counts nowhere, when there are no more.
    pub(crate) fn number(&mut self, sites: Vec<Observed>) -> u32 {
        let first = self.next as usize;
        if first + sites.len() > CHUNK * CHUNKS {
            return 0;
        }
        for site in sites {
            let number = self.next as usize;
            let slot = &self.chunks[number / CHUNK];
            if slot.load(Ordering::Relaxed).is_null() {
                let chunk: Box<Chunk> = Box::new([const { AtomicPtr::new(ptr::null_mut()) }; CHUNK]);
                slot.store(Box::leak(chunk), Ordering::Release);
            }
            // SAFETY: chunks are never freed.
            let chunk = unsafe { &*slot.load(Ordering::Relaxed) };
            chunk[number % CHUNK].store(Box::leak(Box::new(site)), Ordering::Release);
            self.next += 1;
        }
        first as u32
    }

    /// The operator.
    pub(crate) fn emulator(&self) -> &Emulator {
        &self.emulator
    }

    fn site(&self, number: u32) -> Option<&Observed> {
        let number = number as usize;
        // SAFETY: chunks and sites are never freed.
        unsafe {
            let chunk = self.chunks.get(number / CHUNK)?.load(Ordering::Acquire).as_ref()?;
            chunk[number % CHUNK].load(Ordering::Acquire).as_ref()
        }
    }
}

/// The handler of trampolines' gates.
///
/// # Safety
/// Called by a gate: the operands are its frame's, the context an [`Observer`].
pub(crate) unsafe extern "C" fn handle(operands: *mut Operands, context: *const c_void) {
    // SAFETY: the gate gives the operands in its own frame, and an observer that is never freed.
    let (observer, operands) = unsafe { (&*context.cast::<Observer>(), &mut *operands) };
    observer.emulator.compute(operands);
    if let Some(site) = observer.site(operands.site)
        && let (Some(own), Some(function)) = (site.own_counters(), site.function_counters())
    {
        // SAFETY: this thread's own, and a handler of a signal has those of its own workspace.
        let shadows = threads::shadows().map(|shadows| unsafe { &mut *shadows });
        // SAFETY: every machine that trampolines are made for has AVX2 and FMA.
        unsafe { observer.observe(operands, site, (own, function), shadows) };
    }
}

/// ⌊log2 |x|⌋ of a finite nonzero value; binary32 subnormals are normal in binary64.
#[inline(always)]
fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(-1023)
}

/// Operands and results of an instruction's lanes.
struct Lanes {
    a: [f64; 16],
    b: [f64; 16],
    c: [f64; 16],
    d: [f64; 16],
    /// a · b − 0 under the operator, which has the product's sign also where that is zero.
    product: [f64; 16],
    /// 0 · 0 + c under the operator.
    addend: [f64; 16],
    /// The native instruction's a · b + c.
    native: [f64; 16],
}

impl Observer {
    /// Counts an instruction that has been computed.
    ///
    /// All that is inlined here is compiled for these features: a call for each lane would take more time than the lane.
    #[target_feature(enable = "avx2,fma")]
    fn observe(
        &self,
        operands: &Operands,
        site: &Observed,
        (own, function): (&[AtomicU64; SITE_COUNTERS], &[AtomicU64; COUNTERS]),
        mut shadows: Option<&mut Shadows>,
    ) {
        let several = threads::are_several();
        let wide = operands.bytes == 8;
        let all = self.lanes(operands, wide);
        let selected = operands.mask & (u32::MAX >> (32 - operands.lanes.clamp(1, 16)));
        add(&own[profile::site::EXECUTED], u64::from(selected.count_ones()), several);
        add(&function[at::EXECUTED], u64::from(selected.count_ones()), several);
        for lane in (0..16).filter(|lane| selected >> lane & 1 == 1) {
            let [a, b, c, d] = [all.a[lane], all.b[lane], all.c[lane], all.d[lane]];
            let (product, addend, native) = (all.product[lane], all.addend[lane], all.native[lane]);
            count(function, Lane { a, b, c, d, product, addend, native }, several);
            if let Some(shadows) = &mut shadows {
                shadows.follow(site, lane, Computed { a, b, c, d, wide }, several);
            }
        }
    }

    /// The lanes of an instruction that has been computed, with the operator's results on its parts.
    #[target_feature(enable = "avx2,fma")]
    fn lanes(&self, operands: &Operands, wide: bool) -> Lanes {
        let Operands { a, b, c, d, .. } = operands;
        let zero = [0; 16];
        let negative: [u32; 16] =
            std::array::from_fn(|word| if !wide || word % 2 == 1 { 1 << 31 } else { 0 });
        let (product, addend) = if self.emulator.is_identity() {
            // The identity's result is the instruction's, which has not been executed on these operands.
            (multiply_add(a, b, &negative, wide), multiply_add(&zero, &zero, c, wide))
        } else {
            let compute = |a: &[u32; 16], b: &[u32; 16], c: &[u32; 16]| {
                let mut part = Operands { a: *a, b: *b, c: *c, ..*operands };
                self.emulator.compute(&mut part);
                part.d
            };
            (compute(a, b, &negative), compute(&zero, &zero, c))
        };
        let native = multiply_add(a, b, c, wide);
        let values = |lanes: &[u32; 16]| values(lanes, wide);
        Lanes {
            a: values(a),
            b: values(b),
            c: values(c),
            d: values(d),
            product: values(&product),
            addend: values(&addend),
            native: values(&native),
        }
    }
}

/// Lanes as binary64; of binary64 lanes there are eight.
#[inline(always)]
fn values(lanes: &[u32; 16], wide: bool) -> [f64; 16] {
    let mut values = [0.0; 16];
    if wide {
        for (lane, value) in values[..8].iter_mut().enumerate() {
            *value = double_of(lanes, lane);
        }
    } else {
        for (value, &bits) in values.iter_mut().zip(lanes) {
            *value = f64::from(f32::from_bits(bits));
        }
    }
    values
}

/// The fused multiply-add of lanes of binary32 or binary64, in MXCSR's rounding.
#[target_feature(enable = "avx2,fma")]
fn multiply_add(a: &[u32; 16], b: &[u32; 16], c: &[u32; 16], wide: bool) -> [u32; 16] {
    let mut d = [0; 16];
    if wide {
        for lane in 0..8 {
            let [a, b, c] = [a, b, c].map(|lanes| double_of(lanes, lane));
            let bits = a.mul_add(b, c).to_bits();
            (d[2 * lane], d[2 * lane + 1]) = (bits as u32, (bits >> 32) as u32);
        }
    } else {
        for lane in 0..16 {
            let [a, b, c] = [a[lane], b[lane], c[lane]].map(f32::from_bits);
            d[lane] = a.mul_add(b, c).to_bits();
        }
    }
    d
}

/// A lane that has been computed.
struct Lane {
    a: f64,
    b: f64,
    c: f64,
    /// The operator's a · b + c.
    d: f64,
    /// Its a · b.
    product: f64,
    /// Its 0 · 0 + c.
    addend: f64,
    /// The native instruction's a · b + c.
    native: f64,
}

/// Counts one lane, but for its execution.
#[inline(always)]
fn count(counters: &[AtomicU64; COUNTERS], lane: Lane, several: bool) {
    let Lane { a, b, c, d, product, addend, native } = lane;
    let add = |index: usize| add(&counters[index], 1, several);
    let bin = |start: usize, x: f64| {
        if x != 0.0 && x.is_finite() {
            add(start + (exponent(x).clamp(EXPONENT_MIN, 127) - EXPONENT_MIN) as usize);
        }
    };
    bin(at::FACTORS, a);
    bin(at::FACTORS, b);
    bin(at::ADDENDS, c);
    bin(at::RESULTS, d);
    if d.to_bits() != native.to_bits() && !(d.is_nan() && native.is_nan()) {
        add(at::DIFFERS);
    }
    let finite = a.is_finite() && b.is_finite() && c.is_finite();
    if !finite {
        add(at::NOT_FINITE);
    }
    if d.is_nan() {
        if !(a.is_nan() || b.is_nan() || c.is_nan()) {
            add(at::NAN_BORN);
        }
    } else if d.is_infinite() && finite {
        add(at::OVERFLOWED);
    }
    let product_zero = a == 0.0 || b == 0.0;
    if d == 0.0 {
        add(at::RESULT_ZERO);
    }
    if !finite {
        return;
    }
    if product_zero {
        add(at::PRODUCT_ZERO);
        return;
    }
    // A result that should not be as small as it is: the binary64 product of binary32 values is exact.
    let smallest_normal = f64::from(f32::MIN_POSITIVE);
    if d.abs() < smallest_normal && (d != 0.0 || a * b != -c) {
        add(at::UNDERFLOWED);
    }
    if c == 0.0 {
        add(at::ADDEND_ZERO);
        return;
    }
    if d == addend {
        add(at::PRODUCT_ABSORBED);
    }
    if d == product {
        add(at::ADDEND_ABSORBED);
    }
    let difference = (exponent(a) + exponent(b) - exponent(c)).clamp(-DIFFERENCE, DIFFERENCE);
    add(at::DIFFERENCE + (difference + DIFFERENCE) as usize);
}
