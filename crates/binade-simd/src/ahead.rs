//! Asking for memory before it is needed.

/// Bytes of a cache line.
const LINE: usize = 64;

/// Asks for the cache lines of a slice that will be read. Chains of operations take their operands in blocks, one after the
/// other, which the processor does not see coming.
#[inline(always)]
pub fn fetch<T>(slice: &[T]) {
    lines(slice.as_ptr().cast(), size_of_val(slice), |line| {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch of any address has no effect but on caches; SSE is part of the architecture.
        unsafe {
            core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(line.cast());
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: a prefetch of any address has no effect but on caches.
        unsafe {
            core::arch::asm!("prfm pldl1keep, [{}]", in(reg) line, options(nostack, preserves_flags, readonly));
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = line;
    });
}

/// Calls `visit` with an address in every cache line of so many bytes.
#[inline(always)]
fn lines(start: *const u8, bytes: usize, visit: impl Fn(*const u8)) {
    for at in (0..bytes).step_by(LINE) {
        visit(start.wrapping_add(at));
    }
}
