//! The legs: for each instruction set, a thin implementation of the vectors of [`crate::lanes`].

#[cfg(target_arch = "aarch64")]
pub(crate) mod neon;
pub(crate) mod portable;

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;

/// Shifts of all lanes by one count, which becomes an immediate operand when it is a constant.
#[cfg(target_arch = "x86_64")]
macro_rules! uniform_shifts {
    ($($name:ident: $intrinsic:ident;)*) => { $(
        #[inline(always)]
        fn $name(self, count: u32) -> Self {
            // SAFETY: a vector exists only where its leg's features were detected.
            Self(unsafe { $intrinsic(self.0, _mm_cvtsi32_si128(count as i32)) })
        }
    )* };
}

/// Shifts by a count for each lane, by the bare instruction. The standard library's intrinsics add a comparison to
/// define counts of the width or more. The instruction returns 0 for these anyway. The compiler does not always remove
/// the comparison, which costs a quarter of the speed of the conversions.
#[cfg(target_arch = "x86_64")]
macro_rules! variable_shifts {
    ($($function:ident: $instruction:literal, $register:ident, $vector:ty, $features:literal;)*) => { $(
        #[inline]
        #[target_feature(enable = $features)]
        fn $function(vector: $vector, counts: $vector) -> $vector {
            let shifted;
            // SAFETY: the instruction only reads and writes the registers named.
            unsafe {
                core::arch::asm!(
                    concat!($instruction, " {}, {}, {}"),
                    lateout($register) shifted, in($register) vector, in($register) counts,
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
            shifted
        }
    )* };
}

#[cfg(target_arch = "x86_64")]
use {uniform_shifts, variable_shifts};

/// Hints that the cache lines from `address` on will be read.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch(address: *const u8, bytes: usize) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    for line in (0..bytes).step_by(64) {
        // SAFETY: a prefetch is a hint for any address and never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.wrapping_add(line).cast()) }
    }
}
