//! The floating-point environment of a thread, set to its default while kernels run.
//!
//! Kernels that use the machine's binary32 arithmetic need it to round to nearest even and to keep subnormals. A
//! caller's thread may be set differently, so the kernels set it and restore it.

use std::marker::PhantomData;

/// A guard: while it exists, this thread rounds to nearest even, keeps subnormals and traps nothing.
///
/// Kernels create it themselves. It is also for callers whose own arithmetic must not depend on the thread's
/// environment.
#[derive(Debug)]
#[must_use = "the environment is put back when this is dropped"]
pub struct Environment {
    #[cfg(target_arch = "x86_64")]
    saved: u32,
    #[cfg(target_arch = "aarch64")]
    saved: u64,
    /// Makes the guard stay on its thread.
    here: PhantomData<*const ()>,
}

#[cfg(target_arch = "x86_64")]
impl Environment {
    /// MXCSR after reset: all exceptions masked, no FTZ, no DAZ, nearest even.
    const DEFAULT: u32 = 0x1f80;

    /// Saves the environment and sets the default one.
    pub fn enter() -> Environment {
        let mut saved = 0u32;
        // SAFETY: the instruction stores MXCSR to a local variable of its size; every x86-64 processor has SSE.
        unsafe { core::arch::asm!("stmxcsr [{}]", in(reg) &mut saved, options(nostack, preserves_flags)) };
        Environment::set(Environment::DEFAULT);
        Environment { saved, here: PhantomData }
    }

    fn set(word: u32) {
        // SAFETY: `word` is the default or an earlier value of MXCSR, so no reserved bit is set. The compiler assumes
        // the default environment. Code of the caller runs in the caller's environment, which is restored here.
        unsafe { core::arch::asm!("ldmxcsr [{}]", in(reg) &word, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "x86_64")]
impl Drop for Environment {
    fn drop(&mut self) {
        Environment::set(self.saved);
    }
}

#[cfg(target_arch = "aarch64")]
impl Environment {
    /// Saves the environment and sets the default one: FPCR = 0, which means nearest even, no flushing, no default NaN
    /// and no traps.
    pub fn enter() -> Environment {
        let saved;
        // SAFETY: the instruction reads a register that every program may read.
        unsafe { core::arch::asm!("mrs {}, fpcr", out(reg) saved, options(nomem, nostack, preserves_flags)) };
        Environment::set(0);
        Environment { saved, here: PhantomData }
    }

    fn set(word: u64) {
        // SAFETY: `word` is the default or an earlier value of FPCR. The compiler assumes the default environment. Code
        // of the caller runs in the caller's environment, which is restored here.
        unsafe { core::arch::asm!("msr fpcr, {}", in(reg) word, options(nostack, preserves_flags)) };
    }
}

#[cfg(target_arch = "aarch64")]
impl Drop for Environment {
    fn drop(&mut self) {
        Environment::set(self.saved);
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
impl Environment {
    /// On other architectures the environment is Rust's own.
    pub fn enter() -> Environment {
        Environment { here: PhantomData }
    }
}
