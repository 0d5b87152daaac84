//! Prefetching of memory for chains of operations.

/// Bytes of a cache line.
const LINE: usize = 64;

/// Prefetches the cache lines of a slice. Chains of operations read their operands block by block in turn, a pattern
/// that hardware prefetchers do not detect.
#[inline(always)]
pub fn prefetch<T>(slice: &[T]) {
    lines(slice.as_ptr().cast(), size_of_val(slice), |line| {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch of any address affects only caches; every x86-64 processor has SSE.
        unsafe {
            core::arch::x86_64::_mm_prefetch::<{ core::arch::x86_64::_MM_HINT_T0 }>(line.cast());
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: a prefetch of any address affects only caches.
        unsafe {
            core::arch::asm!("prfm pldl1keep, [{}]", in(reg) line, options(nostack, preserves_flags, readonly));
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = line;
    });
}

/// Calls `visit` with an address in every cache line of `bytes` bytes.
#[inline(always)]
fn lines(start: *const u8, bytes: usize, visit: impl Fn(*const u8)) {
    for at in (0..bytes).step_by(LINE) {
        visit(start.wrapping_add(at));
    }
}
