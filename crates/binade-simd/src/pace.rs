//! How fast this machine's instructions are, where that differs by more than the machines that have them.

use crate::dispatch::Isa;

/// Whether VDPBF16PS is worth using: on Zen 4 it takes what a multiply-add takes, on Emerald Rapids four times that, and
/// VCVTNE2PS2BF16 as well. The measurement, once a process, takes less than 0.1 ms.
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

/// Nothing is fast there.
#[cfg(not(all(target_arch = "x86_64", not(miri))))]
pub(crate) fn bf16_is_fast(_: Isa) -> bool {
    false
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
mod x86 {
    use core::arch::asm;
    use core::arch::x86_64::_rdtsc;

    /// How often it is tried: Intel's cores execute the first vectors of 512 bits, for some 20 µs, at a fraction of their speed.
    const ROUNDS: usize = 200;

    /// A function that gives the least time, in ticks of the time stamp counter, of some hundred independent instructions.
    macro_rules! ticks {
        ($name:ident, $features:literal, $instruction:literal) => {
            /// # Safety
            /// The machine has the instructions.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $name() -> u64 {
                let mut least = u64::MAX;
                for _ in 0..ROUNDS {
                    // SAFETY: the instruction is the machine's, and only registers change, which are named.
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

    /// Subnormal numbers, which a register may hold, would make some machines slow.
    #[target_feature(enable = "avx512f")]
    fn zero() -> core::arch::x86_64::__m512 {
        core::arch::x86_64::_mm512_setzero_ps()
    }

    ticks!(products, "avx512f,avx512bf16", "vdpbf16ps");
    ticks!(multiply_adds, "avx512f", "vfmadd231ps");
}
