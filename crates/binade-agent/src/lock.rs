//! The one lock of the agent.
//!
//! The agent's code runs in the middle of the program's: in its system calls, its page faults, at the first execution of
//! a site, perhaps in a signal handler. Whoever holds the lock has every signal blocked, so no handler can interrupt a
//! holder on the same thread and wait for it; and a fork takes it, so that no other thread's half-done work is copied.
//! All state, and all allocation, is behind it.
//!
//! What runs behind it touches no per-thread state. In a thread that is new to the agent, the first access makes the
//! dynamic linker allocate with the program's own `malloc`, which may be what the agent was called from. So maps there
//! are ordered ones: a `HashMap` keeps its random keys per thread.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::sandbox::quiet;

/// 0 free, 1 taken. The gates' assembly takes it too.
pub(crate) static LOCK: AtomicU32 = AtomicU32::new(0);

/// All signals.
pub(crate) static ALL_SIGNALS: u64 = !0;

/// The lock held, and signals blocked, until dropped.
pub(crate) struct Guard {
    /// The signals that were blocked before; none where the agent is [quiet](crate::sandbox).
    mask: Option<u64>,
}

/// Sets the thread's signal mask; returns the old one.
pub(crate) fn set_signal_mask(mask: u64) -> u64 {
    let mut old = 0u64;
    // SAFETY: rt_sigprocmask reads and writes 8 bytes each, which are ours.
    unsafe {
        libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_SETMASK, &raw const mask, &raw mut old, 8usize)
    };
    old
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
            // SAFETY: no arguments. The holder makes progress: nothing interrupts it and it waits for nothing.
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
