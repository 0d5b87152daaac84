//! Measurements of instruction speeds that differ between processors with the same instruction set.

use crate::dispatch::Isa;

/// True if VDPBF16PS is worth using. On Zen 4 it takes as long as a multiply-add, on Emerald Rapids four times as long,
/// and so does VCVTNE2PS2BF16. The measurement runs once a process and takes less than 0.1 ms.
#[cfg(all(target_arch = "x86_64", not(miri)))]
pub(crate) fn bf16_is_fast(isa: Isa) -> bool {
    use std::sync::OnceLock;

    static FAST: OnceLock<bool> = OnceLock::new();
    debug_assert_eq!(isa.instructions(), crate::dispatch::Instructions::Avx512Bf16);
    *FAST.get_or_init(|| {
        // SAFETY: the token proves that the machine has AVX-512 F and BF16.
        let (product, multiply_add) = unsafe { (x86::products(), x86::multiply_adds()) };
        product < 3 * multiply_add
    })
}

/// Other architectures have no such instruction.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub(crate) fn bf16_is_fast(_: Isa) -> bool {
    false
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86 {
    use core::arch::asm;
    use core::arch::x86_64::_rdtsc;

    /// Number of repetitions: Intel's cores execute the first 512-bit vectors at a fraction of their speed, for about
    /// 20 µs.
    const ROUNDS: usize = 200;

    /// Defines a function that returns the shortest time of some hundred independent instructions, in ticks of the time
    /// stamp counter.
    macro_rules! ticks {
        ($name:ident, $features:literal, $instruction:literal) => {
            /// # Safety
            /// The machine has the instructions.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $name() -> u64 {
                let mut least = u64::MAX;
                for _ in 0..ROUNDS {
                    // SAFETY: the caller guarantees the instruction, and only the named registers change.
                    let ticks = unsafe {
                        let begin = _rdtsc();
                        asm!(
                            "2:",
                            concat!($instruction, " zmm0, zmm16, zmm16"),
                            concat!($instruction, " zmm1, zmm16, zmm16"),
                            concat!($instruction, " zmm2, zmm16, zmm16"),
                            concat!($instruction, " zmm3, zmm16, zmm16"),
                            concat!($instruction, " zmm4, zmm16, zmm16"),
                            concat!($instruction, " zmm5, zmm16, zmm16"),
                            concat!($instruction, " zmm6, zmm16, zmm16"),
                            concat!($instruction, " zmm7, zmm16, zmm16"),
                            concat!($instruction, " zmm8, zmm16, zmm16"),
                            concat!($instruction, " zmm9, zmm16, zmm16"),
                            concat!($instruction, " zmm10, zmm16, zmm16"),
                            concat!($instruction, " zmm11, zmm16, zmm16"),
                            "dec {count:e}",
                            "jnz 2b",
                            count = inout(reg) 32_u32 => _,
                            inout("zmm0") zero() => _, inout("zmm1") zero() => _, inout("zmm2") zero() => _,
                            inout("zmm3") zero() => _, inout("zmm4") zero() => _, inout("zmm5") zero() => _,
                            inout("zmm6") zero() => _, inout("zmm7") zero() => _, inout("zmm8") zero() => _,
                            inout("zmm9") zero() => _, inout("zmm10") zero() => _, inout("zmm11") zero() => _,
                            in("zmm16") zero(),
                            options(nomem, nostack)
                        );
                        _rdtsc().wrapping_sub(begin)
                    };
                    least = least.min(ticks);
                }
                least
            }
        };
    }

    /// Zeros, because subnormal numbers left in a register would slow some processors.
    #[target_feature(enable = "avx512f")]
    fn zero() -> core::arch::x86_64::__m512 {
        core::arch::x86_64::_mm512_setzero_ps()
    }

    ticks!(products, "avx512f,avx512bf16", "vdpbf16ps");
    ticks!(multiply_adds, "avx512f", "vfmadd231ps");
}
