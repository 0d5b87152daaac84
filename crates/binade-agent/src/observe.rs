//! Handler for trampolines that leave inline code: the operator, and the counts of a profile.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use binade_patch::trampoline::{Operands, double_of};
use binade_profile::profile::{self, COUNTERS, DIFFERENCE, EXPONENT_MIN, SITE_COUNTERS, at};
use iced_x86::Instruction;

use crate::emulator::Emulator;
use crate::shadow::{Computed, Registers};
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
pub(crate) fn add(counter: &AtomicU64, amount: u64) {
    if threads::are_several() {
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
        let mut shadows = threads::shadows().map(|shadows| unsafe { &mut *shadows });
        let wide = operands.bytes == 8;
        let parts = observer.parts(operands);
        for lane in (0..operands.lanes as usize).filter(|lane| operands.mask >> lane & 1 == 1) {
            let value = |lanes: &[u32; 16]| match wide {
                true => double_of(lanes, lane),
                false => f32::from_bits(lanes[lane]) as f64,
            };
            let [a, b, c, d] = [&operands.a, &operands.b, &operands.c, &operands.d].map(value);
            let [product, addend] = [&parts.product, &parts.addend].map(value);
            // SAFETY: every machine that trampolines are made for has FMA.
            let native = unsafe { native(a, b, c, wide) };
            add(&own[profile::site::EXECUTED], 1);
            count(function, Lane { a, b, c, d, product, addend, native });
            if let Some(shadows) = &mut shadows {
                shadows.follow(site, lane, Computed { a, b, c, d, wide });
            }
        }
    }
}

/// ⌊log2 |x|⌋ of a finite nonzero value; binary32 subnormals are normal in binary64.
fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(-1023)
}

/// The operator's results on the parts of a multiply-add.
struct Parts {
    /// a · b − 0, which has the product's sign also where that is zero.
    product: [u32; 16],
    /// 0 · 0 + c.
    addend: [u32; 16],
}

impl Observer {
    /// The parts of a multiply-add that has been computed.
    fn parts(&self, operands: &Operands) -> Parts {
        let wide = operands.bytes == 8;
        let zero = [0; 16];
        let negative: [u32; 16] =
            std::array::from_fn(|word| if !wide || word % 2 == 1 { 1 << 31 } else { 0 });
        let compute = |a, b, c| {
            // The identity's result is the instruction's, which has not been executed on these operands.
            let d = std::array::from_fn(|word| match wide {
                // SAFETY: every machine that trampolines are made for has FMA.
                true => unsafe {
                    let double = |lanes| double_of(lanes, word / 2);
                    (native(double(a), double(b), double(c), true).to_bits() >> (32 * (word % 2))) as u32
                },
                // SAFETY: every machine that trampolines are made for has FMA.
                false => unsafe {
                    let single = |lanes: &[u32; 16]| f32::from_bits(lanes[word]) as f64;
                    (native(single(a), single(b), single(c), false) as f32).to_bits()
                },
            });
            let mut part = Operands { a: *a, b: *b, c: *c, d, ..*operands };
            self.emulator.compute(&mut part);
            part.d
        };
        Parts {
            product: compute(&operands.a, &operands.b, &negative),
            addend: compute(&zero, &zero, &operands.c),
        }
    }
}

/// The fused multiply-add of binary32, whose operands are given widened, or of binary64, in MXCSR's rounding.
///
/// # Safety
/// The machine has FMA.
#[target_feature(enable = "fma")]
pub(crate) fn native(a: f64, b: f64, c: f64, wide: bool) -> f64 {
    use std::arch::x86_64::{
        _mm_cvtsd_f64, _mm_cvtss_f32, _mm_fmadd_sd, _mm_fmadd_ss, _mm_set_sd, _mm_set_ss,
    };
    if wide {
        _mm_cvtsd_f64(_mm_fmadd_sd(_mm_set_sd(a), _mm_set_sd(b), _mm_set_sd(c)))
    } else {
        let [a, b, c] = [a, b, c].map(|x| _mm_set_ss(x as f32));
        _mm_cvtss_f32(_mm_fmadd_ss(a, b, c)) as f64
    }
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

/// Counts one lane.
fn count(counters: &[AtomicU64; COUNTERS], lane: Lane) {
    let Lane { a, b, c, d, product, addend, native } = lane;
    let add = |index: usize| add(&counters[index], 1);
    let bin = |start: usize, x: f64| {
        if x != 0.0 && x.is_finite() {
            add(start + (exponent(x).clamp(EXPONENT_MIN, 127) - EXPONENT_MIN) as usize);
        }
    };
    add(at::EXECUTED);
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
