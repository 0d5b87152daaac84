//! Which instruction set a kernel runs on.
//!
//! An [`Isa`] is a token: it is made only after the processor was asked, so that holding one is the proof that its
//! instructions are there. Kernels are values; [`Isa::run`] hands each the leg of the token, inside the one function
//! of that leg that enables its target features.

use std::fmt;

use thiserror::Error;

use crate::arch;
use crate::lanes::{HalvesLeg, Leg, OddLeg, PackedLeg, TableLeg};
use crate::pace;

/// What an [`Isa`] has, for code that chooses by it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Instructions {
    /// AVX-512 F, BW, VL, DQ with VBMI, VNNI and BF16.
    Avx512Bf16,
    /// AVX-512 F, BW, VL, DQ with VBMI and VNNI.
    Avx512Vbmi,
    /// AVX-512 F, BW, VL, DQ.
    Avx512,
    /// AVX2, FMA and F16C.
    Avx2,
    /// What every AArch64 processor has.
    Neon,
    /// Nothing beyond the architecture's own.
    Portable,
}

/// A leg, its name, and whether this machine has it.
type Entry = (Instructions, &'static str, fn() -> bool);

/// The legs, those with more instructions first, with their names and whether this machine has them.
const LEGS: &[Entry] = &[
    #[cfg(target_arch = "x86_64")]
    (Instructions::Avx512Bf16, "avx512bf16", || {
        arch::avx512::Avx512Vbmi::detect().is_some_and(arch::avx512::Avx512Vbmi::has_bf16)
    }),
    #[cfg(target_arch = "x86_64")]
    (Instructions::Avx512Vbmi, "avx512vbmi", || arch::avx512::Avx512Vbmi::detect().is_some()),
    #[cfg(target_arch = "x86_64")]
    (Instructions::Avx512, "avx512", || arch::avx512::Avx512::detect().is_some()),
    #[cfg(target_arch = "x86_64")]
    (Instructions::Avx2, "avx2", || arch::avx2::Avx2::detect().is_some()),
    #[cfg(target_arch = "aarch64")]
    (Instructions::Neon, "neon", || true),
    (Instructions::Portable, "portable", || true),
];

/// An instruction set that this machine has.
///
/// | name | what it needs |
/// |---|---|
/// | `avx512bf16` | AVX-512 F, BW, VL, DQ with VBMI, VNNI and BF16 (Zen 4, Sapphire Rapids) |
/// | `avx512vbmi` | the same without BF16 (Ice Lake), and what is taken where BF16's instructions are slow (Sapphire Rapids) |
/// | `avx512` | AVX-512 F, BW, VL, DQ (Skylake-X) |
/// | `avx2` | AVX2, FMA and F16C |
/// | `neon` | AArch64 |
/// | `portable` | nothing |
///
/// Results never depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Isa(Instructions);

/// An instruction set that cannot be used here.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum IsaError {
    /// No instruction set of this name.
    #[error("unknown instruction set '{name}': there are {known}")]
    Unknown {
        /// The name.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// This machine lacks it.
    #[error("this machine does not have {name}: it has {available}")]
    Missing {
        /// The name.
        name: &'static str,
        /// The names available.
        available: String,
    },
}

impl Isa {
    /// The environment variable that forces a leg, for tests and measurements.
    pub const VARIABLE: &'static str = "BINADE_ISA";

    /// Plain Rust, on every machine.
    pub const PORTABLE: Isa = Isa(Instructions::Portable);

    /// The leg that `BINADE_ISA` names, where it names one that this machine has, and otherwise the best one, that of BF16
    /// only where its instructions are fast.
    pub fn detect() -> Isa {
        let forced = std::env::var(Self::VARIABLE).ok().and_then(|name| Isa::from_name(&name).ok());
        let slow = |isa: &Isa| isa.0 == Instructions::Avx512Bf16 && !pace::bf16_is_fast(*isa);
        forced.or_else(|| Isa::available().find(|isa| !slow(isa))).unwrap_or(Isa::PORTABLE)
    }

    /// The legs that this machine has, those with more instructions first.
    pub fn available() -> impl Iterator<Item = Isa> {
        LEGS.iter().filter(|(_, _, present)| present()).map(|&(which, ..)| Isa(which))
    }

    /// The name of every leg, those with more instructions first, whether this machine has it or not.
    pub fn names() -> impl Iterator<Item = &'static str> {
        LEGS.iter().map(|&(_, name, _)| name)
    }

    /// The leg of this name.
    ///
    /// # Errors
    /// If no instruction set has this name, or the machine lacks it.
    pub fn from_name(name: &str) -> Result<Isa, IsaError> {
        let join = |names: Vec<&str>| names.join(", ");
        match LEGS.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(name)) {
            Some((which, _, present)) if present() => Ok(Isa(*which)),
            Some((_, name, _)) => {
                Err(IsaError::Missing { name, available: join(Isa::available().map(Isa::name).collect()) })
            }
            None => Err(IsaError::Unknown { name: name.to_owned(), known: join(Isa::names().collect()) }),
        }
    }

    /// The name: `avx512bf16`, `avx512vbmi`, `avx512`, `avx2`, `neon` or `portable`.
    pub fn name(self) -> &'static str {
        LEGS.iter().find(|(which, ..)| *which == self.0).map_or("", |&(_, name, _)| name)
    }

    /// What it has.
    pub fn instructions(self) -> Instructions {
        self.0
    }

    /// Whether it has AVX2.
    pub fn has_avx2(self) -> bool {
        self.0 == Instructions::Avx2 || self.has_avx512()
    }

    /// Whether it has AVX-512 F, BW, VL and DQ.
    pub fn has_avx512(self) -> bool {
        matches!(self.0, Instructions::Avx512 | Instructions::Avx512Vbmi | Instructions::Avx512Bf16)
    }

    /// Runs a kernel on this leg, or on one with fewer instructions that has all that a [`Leg`] has: compiling it for
    /// both would give the same code twice.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `detect` succeeded when this token was made, and a processor keeps its features; those of
            // `avx512bf16` include those of `avx512vbmi`, and these those of `avx512`.
            Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => unsafe {
                arch::avx512::Avx512::enter(kernel)
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Instructions::Avx2 => unsafe { arch::avx2::Avx2::enter(kernel) },
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => kernel.run(arch::neon::Neon),
            _ => kernel.run(arch::portable::Portable),
        }
    }

    /// Runs a kernel that looks bytes up in tables.
    #[inline]
    pub fn run_tables<K: TableKernel>(self, kernel: K) -> K::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Instructions::Avx512Bf16 | Instructions::Avx512Vbmi => unsafe {
                arch::avx512::Avx512Vbmi::enter_tables(kernel)
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Instructions::Avx512 => unsafe { arch::avx512::Avx512::enter_tables(kernel) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above.
            Instructions::Avx2 => unsafe { arch::avx2::Avx2::enter_tables(kernel) },
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => kernel.run(arch::neon::Neon),
            _ => kernel.run(arch::portable::Portable),
        }
    }

    /// Whether [`Isa::run_halves`] runs.
    pub fn has_halves(self) -> bool {
        matches!(self.0, Instructions::Avx512Bf16 | Instructions::Avx512Vbmi)
    }

    /// Runs a kernel that needs 16-bit lanes; `None` on legs without.
    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "no leg runs it"))]
    pub fn run_halves<K: HalvesKernel>(self, kernel: K) -> Option<K::Output> {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Bf16 | Instructions::Avx512Vbmi => {
                // SAFETY: as above.
                Some(unsafe { arch::avx512::Avx512Vbmi::enter_halves(kernel) })
            }
            _ => None,
        }
    }

    /// Whether [`Isa::run_packed`] runs.
    pub fn has_packed(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self.has_avx2() && arch::avx2::Avx2::detect().is_some();
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Runs a kernel of strings of bits; `None` on legs without. Those of AVX-512 run AVX2's: what is not worth a kernel of
    /// theirs.
    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "no leg runs it"))]
    pub fn run_packed<K: PackedKernel>(self, kernel: K) -> Option<K::Output> {
        #[cfg(target_arch = "x86_64")]
        if self.has_packed() {
            // SAFETY: `detect` has just succeeded.
            return Some(unsafe { arch::avx2::Avx2::enter_packed(kernel) });
        }
        None
    }

    /// Whether tables in registers are faster here than computing.
    pub fn translates(self) -> bool {
        struct Translates;
        impl TableKernel for Translates {
            type Output = bool;
            fn run<L: TableLeg>(self, _: L) -> bool {
                L::TRANSLATES
            }
        }
        self.run_tables(Translates)
    }

    /// Whether [`Isa::run_odd`] runs.
    pub fn rounds_to_odd(self) -> bool {
        self.has_avx512()
    }

    /// Runs a kernel that needs rounding control an instruction; `None` on legs without.
    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "no leg runs it"))]
    pub fn run_odd<K: OddKernel>(self, kernel: K) -> Option<K::Output> {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => {
                // SAFETY: as above.
                Some(unsafe { arch::avx512::Avx512::enter_odd(kernel) })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Isa({self})")
    }
}

/// Work that is written once and compiled for every leg.
///
/// `run` and all that it calls are `#[inline(always)]`: they become part of the leg's entry function and take on its
/// target features there.
pub trait Kernel {
    /// What the work results in.
    type Output;

    /// Does the work on a leg.
    fn run<L: Leg>(self, leg: L) -> Self::Output;
}

/// As [`Kernel`], with tables of bytes.
pub trait TableKernel {
    /// What the work results in.
    type Output;

    /// Does the work on a leg.
    fn run<L: TableLeg>(self, leg: L) -> Self::Output;
}

/// As [`Kernel`], for the legs with 16-bit lanes.
pub trait HalvesKernel {
    /// What the work results in.
    type Output;

    /// Does the work on a leg.
    fn run<L: HalvesLeg>(self, leg: L) -> Self::Output;
}

/// As [`Kernel`], for the legs with strings of bits.
pub trait PackedKernel {
    /// What the work results in.
    type Output;

    /// Does the work on a leg.
    fn run<L: PackedLeg>(self, leg: L) -> Self::Output;
}

/// As [`Kernel`], for the legs that can round to odd.
pub trait OddKernel {
    /// What the work results in.
    type Output;

    /// Does the work on a leg.
    fn run<L: OddLeg>(self, leg: L) -> Self::Output;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_there_and_is_the_leg_of_bf16_or_the_next_one() {
        let taken = Isa::detect();
        assert!(Isa::available().take(2).any(|isa| isa == taken) || std::env::var(Isa::VARIABLE).is_ok());
    }

    #[test]
    fn names_find_their_legs() {
        for isa in Isa::available() {
            assert_eq!(Isa::from_name(&isa.name().to_uppercase()), Ok(isa));
        }
        assert!(Isa::available().any(|isa| isa == Isa::PORTABLE));
        assert_eq!(
            Isa::from_name("sse9").unwrap_err().to_string(),
            format!(
                "unknown instruction set 'sse9': there are {}",
                Isa::names().collect::<Vec<_>>().join(", ")
            )
        );
    }
}
