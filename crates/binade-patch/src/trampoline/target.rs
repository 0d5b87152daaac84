//! The operator that generated code computes, and the machine that it is for.

use binade::Operator;
use binade::catalog::F32;

use super::rounding::ProgramRounding;

/// The instructions that generated code may use, and the vectors that it preserves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Level {
    /// AVX2 and FMA, 16 vectors of 256 bits. Only for machines without AVX-512: wider vectors would be cut.
    Avx2,
    /// AVX-512 F, BW, DQ and VL.
    Avx512 {
        /// True if the machine has VPDPWSSD, which region translation uses.
        vnni: bool,
    },
}

impl Level {
    /// The level of this machine; `None` if it cannot execute fused multiply-adds on AVX2 vectors.
    pub fn detect() -> Option<Level> {
        #[cfg(target_arch = "x86_64")]
        {
            if ["avx512f", "avx512bw", "avx512dq", "avx512vl"].into_iter().all(has) {
                return Some(Level::Avx512 { vnni: has("avx512vnni") });
            }
            if has("avx2") && has("fma") {
                return Some(Level::Avx2);
            }
        }
        None
    }

    /// Returns true for AVX-512.
    pub const fn wide(self) -> bool {
        matches!(self, Level::Avx512 { .. })
    }
}

#[cfg(target_arch = "x86_64")]
fn has(feature: &str) -> bool {
    match feature {
        "avx2" => std::is_x86_feature_detected!("avx2"),
        "fma" => std::is_x86_feature_detected!("fma"),
        "avx512f" => std::is_x86_feature_detected!("avx512f"),
        "avx512bw" => std::is_x86_feature_detected!("avx512bw"),
        "avx512dq" => std::is_x86_feature_detected!("avx512dq"),
        "avx512vl" => std::is_x86_feature_detected!("avx512vl"),
        "avx512vnni" => std::is_x86_feature_detected!("avx512vnni"),
        _ => false,
    }
}

/// The operator that sites compute, and the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    /// The arithmetic.
    pub operator: Operator,
    /// The machine.
    pub level: Level,
    /// True if every execution goes through the gate, so that its handler can observe it.
    pub observed: bool,
    /// The machine's vector units.
    pub units: Units,
    /// A rounding of the program's own results other than to nearest even. The operator is `f32:f32` then.
    pub rounding: Option<ProgramRounding>,
}

/// The vector units of a machine, which decide how it rounds fastest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Units {
    /// Multiply-adds, additions and integers start on the same ports, as on Intel's processors.
    Shared,
    /// Additions have pipes of their own, as on AMD's.
    Apart,
    /// And are done in two or three cycles, as from AMD's family 1Ah on (Zen 5).
    ApartAndShort,
}

impl Units {
    /// The units of this machine.
    pub fn of_machine() -> Units {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::__cpuid;
            let vendor = __cpuid(0);
            if [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).concat() == b"GenuineIntel" {
                return Units::Shared;
            }
            // Base family and extended family.
            let signature = __cpuid(1).eax;
            if (signature >> 8 & 0xf) + (signature >> 20 & 0xff) >= 0x1a {
                return Units::ApartAndShort;
            }
        }
        Units::Apart
    }
}

impl Target {
    /// A target that is not observed, of a machine with pipes for additions.
    pub fn new(operator: Operator, level: Level) -> Target {
        Target { operator, level, observed: false, units: Units::Apart, rounding: None }
    }

    /// Returns true if instructions compute their native results: `f32:f32`.
    pub fn identity(&self) -> bool {
        is_identity(&self.operator) && self.rounding.is_none()
    }
}

/// Returns true if an operator is `f32:f32`, under which everything is native.
pub fn is_identity(operator: &Operator) -> bool {
    operator.as_pair() == Some((F32, F32))
}

/// True where legacy SSE instructions are slow while upper halves of vectors are in use, and XGETBV with ECX = 1 tells of that:
/// Intel's processors. On a Xeon with AMX the first such instruction takes 180 to 450 ns, XGETBV 5 ns.
pub fn knows_clean_uppers() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{__cpuid, __cpuid_count};
        const OSXSAVE: u32 = 1 << 27;
        const XGETBV_1: u32 = 1 << 2;
        return Units::of_machine() == Units::Shared
            && __cpuid(1).ecx & OSXSAVE != 0
            && __cpuid(0).eax >= 0xd
            && __cpuid_count(0xd, 1).eax & XGETBV_1 != 0;
    }
    #[allow(unreachable_code)]
    false
}
