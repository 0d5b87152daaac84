//! The one lock of the agent.
//!
//! The agent's code runs in the middle of the program's: in its system calls, its page faults, at the first execution of
//! a site, perhaps in a signal handler. The holder of the lock has every signal blocked, so that no handler on the same thread can wait
//! for it. A fork takes the lock, so that no other thread's half-done work is copied. All state, and all allocation, is behind it.
//!
//! Code behind the lock touches no per-thread state. The first access in a thread would make the dynamic linker allocate with the
//! program's `malloc`, from which the agent may have been called. So maps are ordered ones: a `HashMap` keeps random keys per thread.

use std::arch::global_asm;
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::kernel::{ALL_SIGNALS, set_signal_mask};
use crate::sandbox::quiet;

/// 0 free, 1 taken. Assembly takes it by `binade_take_lock`.
pub(crate) static LOCK: AtomicU32 = AtomicU32::new(0);

// Takes the lock, with all signals blocked by the caller; clobbers rax, rcx, r11.
global_asm!(
    r#"
    .hidden binade_take_lock
    .globl binade_take_lock
    .p2align 4
binade_take_lock:
    xor eax, eax
    mov ecx, 1
    lock cmpxchg dword ptr [rip + {lock}], ecx
    je 8f
    mov eax, 24
    syscall
    jmp binade_take_lock
8:  ret
    "#,
    lock = sym LOCK,
);

/// The lock held, and signals blocked, until dropped.
pub(crate) struct Guard {
    /// The signals that were blocked before; none where the agent is [quiet](crate::sandbox).
    mask: Option<u64>,
}

impl Guard {
    /// Waits for the lock.
    pub(crate) fn take() -> Guard {
        let mask = (!quiet()).then(|| set_signal_mask(ALL_SIGNALS));
        while LOCK.compare_exchange_weak(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            if quiet() {
                std::hint::spin_loop();
                continue;
            }
            // SAFETY: sched_yield(2) touches no memory. The holder makes progress, since nothing interrupts it.
            unsafe { libc::sched_yield() };
        }
        Guard { mask }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        LOCK.store(0, Ordering::Release);
        if let Some(mask) = self.mask {
            set_signal_mask(mask);
        }
    }
}

/// A value that only the holder of the lock reaches.
pub(crate) struct Locked<T>(UnsafeCell<T>);

// SAFETY: `get` is called with the lock held only, hence by one thread at a time.
unsafe impl<T> Sync for Locked<T> {}

impl<T> Locked<T> {
    pub(crate) const fn new(value: T) -> Locked<T> {
        Locked(UnsafeCell::new(value))
    }

    /// The value.
    ///
    /// # Safety
    /// The calling thread holds the lock, through a [`Guard`] or a gate, as long as the result lives, and has no other
    /// result of this call alive.
    #[allow(clippy::mut_from_ref)]
    pub(crate) unsafe fn get(&self) -> &mut T {
        // SAFETY: exclusive by the contract.
        unsafe { &mut *self.0.get() }
    }
}
