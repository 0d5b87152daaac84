//! Signal handlers of the program, which see the program and not the code in its place.
//!
//! A signal may come while code in place of the program's runs. Its context then describes that code. So [`deliver`] runs before every
//! handler of the program and shows it the program instead: its instruction, its stack and its registers. Afterwards it continues
//! where the code was, unless the handler has changed that place.
//!
//! Values that the code keeps in its frame, and the code's own in the registers, change places meanwhile. What is left as
//! it is: MXCSR and mask registers, and in loops translated as a whole, vectors that hold rounded or earlier values.

use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::lock::Guard;
use crate::state::state;
use crate::threads;

/// Signals, and one.
const SIGNALS: usize = 65;

/// The program's handlers, by the signal.
static HANDLERS: [AtomicU64; SIGNALS] = [const { AtomicU64::new(0) }; SIGNALS];

/// A handler, with or without SA_SIGINFO: one without ignores what it did not ask for.
pub(crate) type Handler = extern "C" fn(i32, *mut libc::siginfo_t, *mut libc::ucontext_t);

/// Sets an action with `set`, the C library's function: [`deliver`] in place of the program's handler.
///
/// # Safety
/// The pointers are those of a call of `sigaction`.
pub(crate) unsafe fn install(
    signal: i32,
    new: *const libc::sigaction,
    old: *mut libc::sigaction,
    set: impl Fn(*const libc::sigaction, *mut libc::sigaction) -> i32,
) -> i32 {
    let Some(slot) = HANDLERS.get(signal as usize) else { return set(new, old) };
    let before = slot.load(Ordering::Acquire);
    let result = if new.is_null() {
        set(new, old)
    } else {
        // SAFETY: the program's action, which the C library would read too; a mask is a plain set of bits.
        let mut action = unsafe { *new };
        // A handler must be able to run generated code.
        // SAFETY: the mask is part of `action`, which is this function's own copy.
        unsafe { libc::sigdelset(&raw mut action.sa_mask, libc::SIGSEGV) };
        let handler = action.sa_sigaction;
        if handler != libc::SIG_DFL && handler != libc::SIG_IGN {
            slot.store(handler as u64, Ordering::Release);
            action.sa_sigaction = deliver as *const () as usize;
        }
        let result = set(&raw const action, old);
        if result != 0 {
            slot.store(before, Ordering::Release);
        }
        result
    };
    // SAFETY: the C library has written there.
    unsafe {
        if result == 0 && !old.is_null() && (*old).sa_sigaction == deliver as *const () as usize {
            (*old).sa_sigaction = before as usize;
        }
    }
    result
}

/// The program's handler where the kernel has this one.
pub(crate) fn of_program(signal: i32, handler: u64) -> u64 {
    if handler == deliver as *const () as u64 {
        HANDLERS[signal as usize].load(Ordering::Acquire)
    } else {
        handler
    }
}

/// The kernel's handler in place of each of the program's.
extern "C" fn deliver(signal: i32, information: *mut libc::siginfo_t, context: *mut libc::ucontext_t) {
    let handler = HANDLERS[signal as usize].load(Ordering::Acquire);
    // SAFETY: the program gave this address as that of a handler.
    let handler: Handler = unsafe { mem::transmute(handler as usize) };
    // SAFETY: the kernel's context.
    unsafe { showing(context, || handler(signal, information, context)) };
}

/// The values that have changed places.
struct Shown {
    address: u64,
    stack: u64,
    /// The code's.
    own_address: u64,
    own_stack: u64,
    general: [(usize, u64); 4],
    generals: usize,
    vectors: [(u8, u64); 32],
    vectors_shown: usize,
}

/// Runs something while the context of a signal shows the program.
///
/// # Safety
/// The context is the kernel's, for a signal of this thread.
pub(crate) unsafe fn showing(context: *mut libc::ucontext_t, run: impl FnOnce()) {
    // SAFETY: the context is the kernel's, and the interrupted code has its frame on this thread's stack.
    unsafe {
        match show(context) {
            Some(shown) => {
                threads::nested(run);
                hide(context, &shown);
            }
            None => run(),
        }
    }
}

const RIP: usize = libc::REG_RIP as usize;
const RSP: usize = libc::REG_RSP as usize;

/// The places of general registers in a context, by their numbers.
const GENERAL: [i32; 16] = [
    libc::REG_RAX,
    libc::REG_RCX,
    libc::REG_RDX,
    libc::REG_RBX,
    libc::REG_RSP,
    libc::REG_RBP,
    libc::REG_RSI,
    libc::REG_RDI,
    libc::REG_R8,
    libc::REG_R9,
    libc::REG_R10,
    libc::REG_R11,
    libc::REG_R12,
    libc::REG_R13,
    libc::REG_R14,
    libc::REG_R15,
];

/// # Safety
/// As of [`showing`].
unsafe fn show(context: *mut libc::ucontext_t) -> Option<Shown> {
    // SAFETY: the kernel's context stays on the handler's stack until the handler returns.
    let registers = unsafe { &mut (*context).uc_mcontext.gregs };
    let (own_address, own_stack) = (registers[RIP] as u64, registers[RSP] as u64);
    let mut shown = Shown {
        address: 0,
        stack: 0,
        own_address,
        own_stack,
        general: [(0, 0); 4],
        generals: 0,
        vectors: [(0, 0); 32],
        vectors_shown: 0,
    };
    {
        let _guard = Guard::take();
        // SAFETY: the lock is held.
        let recovery = unsafe { state()?.recover(own_address, own_stack, &*threads::current())? };
        (shown.address, shown.stack) = (recovery.address, recovery.stack);
        for (to, from) in shown.general.iter_mut().zip(&recovery.general) {
            *to = *from;
            shown.generals += 1;
        }
        for (to, from) in shown.vectors.iter_mut().zip(&recovery.vectors) {
            *to = *from;
            shown.vectors_shown += 1;
        }
    }
    // SAFETY: `shown` has addresses in the frame of the code that this context interrupts.
    unsafe { exchange(context, &shown) };
    registers[RIP] = shown.address as i64;
    registers[RSP] = shown.stack as i64;
    Some(shown)
}

/// # Safety
/// As of [`showing`], the context being what [`show`] made of it, or the handler afterwards.
unsafe fn hide(context: *mut libc::ucontext_t, shown: &Shown) {
    // SAFETY: the kernel's context stays on the handler's stack until the handler returns.
    let registers = unsafe { &mut (*context).uc_mcontext.gregs };
    if (registers[RIP] as u64, registers[RSP] as u64) != (shown.address, shown.stack) {
        // The handler goes on elsewhere, as the program.
        return;
    }
    registers[RIP] = shown.own_address as i64;
    registers[RSP] = shown.own_stack as i64;
    // SAFETY: the code goes on where it was, so that its frame is as [`show`] found it.
    unsafe { exchange(context, shown) };
}

/// Exchanges the registers of a context with their values in the frame.
///
/// # Safety
/// As of [`showing`]: the addresses are those of the interrupted code's frame.
unsafe fn exchange(context: *mut libc::ucontext_t, shown: &Shown) {
    // SAFETY: the caller gives addresses in the frame of the interrupted code, which does not run meanwhile.
    unsafe {
        for &(number, at) in &shown.general[..shown.generals] {
            let register = &mut (&mut (*context).uc_mcontext.gregs)[GENERAL[number] as usize];
            let value = ptr::read_unaligned(at as *const i64);
            ptr::write_unaligned(at as *mut i64, *register);
            *register = value;
        }
        if shown.vectors_shown > 0
            && let Some(vectors) = Vectors::of((*context).uc_mcontext.fpregs.cast())
        {
            for &(number, at) in &shown.vectors[..shown.vectors_shown] {
                vectors.exchange(number as usize, at as *mut u8);
            }
        }
    }
}

/// The vector registers of a context, in the layout of XSAVE.
struct Vectors {
    area: *mut u8,
    /// Addresses of the upper halves of YMM0 to 15, those of ZMM0 to 15, and ZMM16 to 31, as far as the context has them.
    parts: [Option<usize>; 3],
}

/// The state components: XMM; the parts of [`Vectors`].
const XMM: u64 = 1 << 1;
const PARTS: [u32; 3] = [2, 6, 7];
/// Offsets and sizes of the parts of XSAVE. CPUID tells them; under a hypervisor an execution of it can take longer
/// than the time between two signals.
static PLACES: [[AtomicUsize; 2]; 3] = [const { [const { AtomicUsize::new(0) }; 2] }; 3];

/// Asks the processor where registers are in a context, before there are handlers.
pub(crate) fn prepare() {
    for (component, [at, size]) in PARTS.into_iter().zip(&PLACES) {
        let place = std::arch::x86_64::__cpuid_count(0xd, component);
        at.store(place.ebx as usize, Ordering::Relaxed);
        size.store(place.eax as usize, Ordering::Relaxed);
    }
}

/// Offsets of XMM0, of the kernel's description of the area, and of the area's header.
const XMM_AT: usize = 160;
const KERNEL_AT: usize = 464;
const HEADER_AT: usize = 512;

impl Vectors {
    /// The registers of a context's area; none if its layout is unknown. Registers that the processor left out, since they were in their
    /// initial state, are filled in.
    ///
    /// # Safety
    /// The kernel's area of a signal's context.
    unsafe fn of(area: *mut u8) -> Option<Vectors> {
        const EXTENDED: u32 = 0x4650_5853;
        if area.is_null() {
            return None;
        }
        // SAFETY: the kernel's area has 512 bytes and, with the magic, the header and the states that it names.
        unsafe {
            if ptr::read_unaligned(area.add(KERNEL_AT).cast::<u32>()) != EXTENDED {
                return Some(Vectors { area, parts: [None; 3] });
            }
            let features = ptr::read_unaligned(area.add(KERNEL_AT + 8).cast::<u64>());
            let present = area.add(HEADER_AT).cast::<u64>();
            let mut in_use = ptr::read_unaligned(present);
            if in_use & XMM == 0 {
                ptr::write_bytes(area.add(XMM_AT), 0, 256);
                in_use |= XMM;
            }
            let mut parts = [None; 3];
            for ((component, place), part) in PARTS.into_iter().zip(&PLACES).zip(&mut parts) {
                if features >> component & 1 == 0 {
                    continue;
                }
                let [at, size] = place.each_ref().map(|number| number.load(Ordering::Relaxed));
                if in_use >> component & 1 == 0 {
                    ptr::write_bytes(area.add(at), 0, size);
                    in_use |= 1 << component;
                }
                *part = Some(at);
            }
            ptr::write_unaligned(present, in_use);
            Some(Vectors { area, parts })
        }
    }

    /// Exchanges a register with as many bytes of memory as the context has of it.
    ///
    /// # Safety
    /// The memory is writable.
    unsafe fn exchange(&self, number: usize, memory: *mut u8) {
        let swap = |offset: usize, memory: *mut u8, bytes: usize| {
            // SAFETY: within the area, by the kernel's and the processor's word for it; the caller's memory is apart.
            unsafe { ptr::swap_nonoverlapping(self.area.add(offset), memory, bytes) };
        };
        let [upper, high, rest] = self.parts;
        if number >= 16 {
            if let Some(at) = rest {
                swap(at + 64 * (number - 16), memory, 64);
            }
            return;
        }
        swap(XMM_AT + 16 * number, memory, 16);
        if let Some(at) = upper {
            swap(at + 16 * number, memory.wrapping_add(16), 16);
        }
        if let Some(at) = high {
            swap(at + 32 * number, memory.wrapping_add(32), 32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    extern "C" fn program(_: i32, _: *mut libc::siginfo_t, _: *mut libc::ucontext_t) {}

    fn action(handler: usize) -> libc::sigaction {
        // SAFETY: all zero is a valid action.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        action.sa_sigaction = handler;
        action
    }

    /// A signal whose kernel action is `kernel`.
    struct Kernel(std::cell::Cell<libc::sigaction>);

    impl Kernel {
        fn set(&self, new: *const libc::sigaction, old: *mut libc::sigaction) -> i32 {
            // SAFETY: the pointers are those that the tests below give, or null.
            unsafe {
                if !old.is_null() {
                    *old = self.0.get();
                }
                if !new.is_null() {
                    self.0.set(*new);
                }
            }
            0
        }

        fn install(&self, signal: i32, handler: Option<usize>) -> usize {
            let (new, mut old) = (handler.map(action), action(0));
            let new = new.as_ref().map_or(ptr::null(), ptr::from_ref);
            // SAFETY: pointers to actions of this function.
            let result = unsafe { install(signal, new, &raw mut old, |new, old| self.set(new, old)) };
            assert_eq!(result, 0);
            old.sa_sigaction
        }
    }

    #[test]
    fn install_puts_deliver_before_the_handler_and_hides_it() {
        let kernel = Kernel(std::cell::Cell::new(action(libc::SIG_DFL)));
        let (own, deliver) = (program as *const () as usize, deliver as *const () as usize);
        assert_eq!(kernel.install(libc::SIGUSR1, Some(own)), libc::SIG_DFL);
        assert_eq!(kernel.0.get().sa_sigaction, deliver);
        assert_eq!(kernel.install(libc::SIGUSR1, None), own, "a question changes nothing");
        assert_eq!(of_program(libc::SIGUSR1, deliver as u64), own as u64);
        assert_eq!(kernel.install(libc::SIGUSR1, Some(libc::SIG_IGN)), own);
        assert_eq!(kernel.0.get().sa_sigaction, libc::SIG_IGN);
    }

    #[test]
    fn install_of_unknown_signal_is_passed_on() {
        let kernel = Kernel(std::cell::Cell::new(action(libc::SIG_DFL)));
        let own = program as *const () as usize;
        kernel.install(SIGNALS as i32, Some(own));
        assert_eq!(kernel.0.get().sa_sigaction, own);
    }

    /// An area of XSAVE in the standard layout, with its states present in the mask.
    fn area(features: u64, present: u64) -> Vec<u8> {
        let mut area = vec![0xaa; 4096];
        area[KERNEL_AT..KERNEL_AT + 4].copy_from_slice(&0x4650_5853u32.to_le_bytes());
        area[KERNEL_AT + 8..KERNEL_AT + 16].copy_from_slice(&features.to_le_bytes());
        area[HEADER_AT..HEADER_AT + 8].copy_from_slice(&present.to_le_bytes());
        area
    }

    #[test]
    fn exchange_of_register_takes_all_its_parts() {
        prepare();
        let mut area = area(0b111, 0b111);
        let upper = PLACES[0][0].load(Ordering::Relaxed);
        if upper == 0 {
            return;
        }
        area[XMM_AT + 16..XMM_AT + 32].fill(1);
        area[upper + 16..upper + 32].fill(2);
        let mut memory = [9u8; 64];
        // SAFETY: the area is as large as the standard layout of these states, and the memory as a register.
        unsafe { Vectors::of(area.as_mut_ptr()).unwrap().exchange(1, memory.as_mut_ptr()) };
        assert!(memory[..16] == [1; 16] && memory[16..32] == [2; 16] && memory[32..] == [9; 32]);
        assert!(area[XMM_AT + 16..XMM_AT + 32] == [9; 16] && area[upper + 16..upper + 32] == [9; 16]);
    }

    #[test]
    fn vectors_in_their_initial_state_are_zero() {
        prepare();
        let mut area = area(0b111, 0);
        let upper = PLACES[0][0].load(Ordering::Relaxed);
        // SAFETY: as large as the standard layout of these states.
        assert!(unsafe { Vectors::of(area.as_mut_ptr()) }.is_some());
        assert!(area[XMM_AT..XMM_AT + 256] == [0; 256]);
        if upper != 0 {
            assert!(area[upper..upper + 256] == [0; 256]);
            assert_eq!(area[HEADER_AT], 0b110, "both count as present now");
        }
    }

    #[test]
    fn vectors_without_extended_area_have_the_lower_halves() {
        let mut area = vec![0u8; 512];
        area[XMM_AT..XMM_AT + 16].fill(5);
        let mut memory = [0u8; 64];
        // SAFETY: an area of 512 bytes without the kernel's magic, and memory as large as a register.
        unsafe {
            Vectors::of(area.as_mut_ptr()).unwrap().exchange(0, memory.as_mut_ptr());
            assert!(Vectors::of(ptr::null_mut()).is_none());
        }
        assert!(memory[..16] == [5; 16] && memory[16..] == [0; 48]);
    }
}
