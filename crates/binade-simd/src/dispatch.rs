//! Selection of the instruction set on which a kernel runs.
//!
//! An [`Isa`] is a token. It is made only after detection, so its existence proves that the processor has the
//! instructions. A kernel is a value; [`Isa::run`] calls it with the leg of the token, inside the one function of that
//! leg that enables its target features.

use std::fmt;
use std::io::{self, Write};
use std::sync::Once;

use thiserror::Error;

use crate::arch;
use crate::cpu_tuning;
use crate::lanes::{HalvesLeg, Leg, OddLeg, PackedLeg, TableLeg};

/// The instructions of an [`Isa`], for code that selects an implementation by them.
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
    /// NEON, which every AArch64 processor has.
    Neon,
    /// The instructions that every processor of the architecture has.
    Portable,
}

/// A leg, its name, and the detection on this machine.
type Entry = (Instructions, &'static str, fn() -> bool);

/// The legs, those with more instructions first.
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
/// - `avx512bf16`: AVX-512 F, BW, VL, DQ with VBMI, VNNI and BF16 (Zen 4, Sapphire Rapids).
/// - `avx512vbmi`: AVX-512 F, BW, VL, DQ with VBMI and VNNI (Ice Lake). It is also selected where BF16 instructions are
///   slow (Sapphire Rapids).
/// - `avx512`: AVX-512 F, BW, VL, DQ (Skylake-X).
/// - `avx2`: AVX2, FMA and F16C.
/// - `neon`: AArch64.
/// - `portable`: no requirements.
///
/// Results never depend on the instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Isa(Instructions);

/// An instruction set that does not exist, or that this machine lacks.
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

/// An environment variable that names no instruction set of this machine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{variable}: {0}", variable = Isa::VARIABLE)]
pub struct IsaVariableError(#[from] IsaError);

impl Isa {
    /// The environment variable that selects a leg, for tests and measurements.
    pub const VARIABLE: &'static str = "BINADE_ISA";

    /// Plain Rust, available on every machine.
    pub const PORTABLE: Isa = Isa(Instructions::Portable);

    /// The leg that `BINADE_ISA` names; `None` if it is empty or not set.
    ///
    /// # Errors
    /// If it names no instruction set, or one that the machine lacks.
    pub fn from_environment() -> Result<Option<Isa>, IsaVariableError> {
        match std::env::var_os(Self::VARIABLE) {
            Some(name) if !name.is_empty() => Ok(Some(Isa::from_name(&name.to_string_lossy())?)),
            _ => Ok(None),
        }
    }

    /// The leg that `BINADE_ISA` names, if this machine has it; otherwise the best leg. `avx512bf16` counts as the best
    /// only if BF16 instructions are fast here.
    ///
    /// If the variable is in error, a warning names it on standard error, once in a process. [`Isa::from_environment`] returns
    /// the error instead.
    pub fn detect() -> Isa {
        static WARNED: Once = Once::new();
        let forced = Isa::from_environment().unwrap_or_else(|error| {
            WARNED.call_once(|| {
                // A closed standard error loses the warning and nothing else.
                let _ = writeln!(io::stderr(), "binade: warning: {error}; the best one is used");
            });
            None
        });
        let slow = |isa: &Isa| isa.0 == Instructions::Avx512Bf16 && !cpu_tuning::bf16_is_fast(*isa);
        forced.or_else(|| Isa::available().find(|isa| !slow(isa))).unwrap_or(Isa::PORTABLE)
    }

    /// The legs of this machine, those with more instructions first.
    pub fn available() -> impl Iterator<Item = Isa> {
        LEGS.iter().filter(|(_, _, present)| present()).map(|&(which, ..)| Isa(which))
    }

    /// The names of all legs, available here or not, those with more instructions first.
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

    /// The instructions of this leg.
    pub fn instructions(self) -> Instructions {
        self.0
    }

    /// True if this leg has AVX2.
    pub fn has_avx2(self) -> bool {
        self.0 == Instructions::Avx2 || self.has_avx512()
    }

    /// True if this leg has AVX-512 F, BW, VL and DQ.
    pub fn has_avx512(self) -> bool {
        matches!(self.0, Instructions::Avx512 | Instructions::Avx512Vbmi | Instructions::Avx512Bf16)
    }

    /// Runs a kernel on this leg, or on a smaller leg that has everything in [`Leg`]. Compiling the kernel for both
    /// would produce the same code twice.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a token exists only after successful detection, and a processor keeps its features. Those of
            // `avx512bf16` include those of `avx512vbmi`, which include those of `avx512`.
            Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => unsafe {
                arch::avx512::Avx512::enter(kernel)
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token exists only after AVX2, FMA and F16C were detected.
            Instructions::Avx2 => unsafe { arch::avx2::Avx2::enter(kernel) },
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => kernel.run(arch::neon::Neon),
            _ => kernel.run(arch::portable::Portable),
        }
    }

    /// Runs a kernel that looks up bytes in tables.
    #[inline]
    pub fn run_tables<K: TableKernel>(self, kernel: K) -> K::Output {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: both tokens exist only after VBMI and VNNI were detected.
            Instructions::Avx512Bf16 | Instructions::Avx512Vbmi => unsafe {
                arch::avx512::Avx512Vbmi::enter_tables(kernel)
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token exists only after AVX-512 F, BW, VL and DQ were detected.
            Instructions::Avx512 => unsafe { arch::avx512::Avx512::enter_tables(kernel) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token exists only after AVX2, FMA and F16C were detected.
            Instructions::Avx2 => unsafe { arch::avx2::Avx2::enter_tables(kernel) },
            #[cfg(target_arch = "aarch64")]
            Instructions::Neon => kernel.run(arch::neon::Neon),
            _ => kernel.run(arch::portable::Portable),
        }
    }

    /// True if [`Isa::run_halves`] returns a result.
    pub fn has_halves(self) -> bool {
        matches!(self.0, Instructions::Avx512Bf16 | Instructions::Avx512Vbmi)
    }

    /// Runs a kernel that needs 16-bit lanes; `None` on legs without them.
    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "no leg runs it"))]
    pub fn run_halves<K: HalvesKernel>(self, kernel: K) -> Option<K::Output> {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Bf16 | Instructions::Avx512Vbmi => {
                // SAFETY: both tokens exist only after VBMI and VNNI were detected.
                Some(unsafe { arch::avx512::Avx512Vbmi::enter_halves(kernel) })
            }
            _ => None,
        }
    }

    /// True if [`Isa::run_packed`] returns a result.
    pub fn has_packed(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self.has_avx2() && arch::avx2::Avx2::detect().is_some();
        #[cfg(not(target_arch = "x86_64"))]
        false
    }

    /// Runs a kernel on packed codes; `None` on legs without [`PackedLeg`]. AVX-512 legs run AVX2's implementation,
    /// because a separate one would bring too little.
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

    /// True if looking up bytes in registers is faster on this leg than computing them.
    pub fn prefers_tables(self) -> bool {
        struct Translates;
        impl TableKernel for Translates {
            type Output = bool;
            fn run<L: TableLeg>(self, _: L) -> bool {
                L::PREFERS_TABLES
            }
        }
        self.run_tables(Translates)
    }

    /// True if [`Isa::run_odd`] returns a result.
    pub fn rounds_to_odd(self) -> bool {
        self.has_avx512()
    }

    /// Runs a kernel that needs rounding control in each instruction; `None` on legs without it.
    #[inline]
    #[cfg_attr(not(target_arch = "x86_64"), allow(unused_variables, reason = "no leg runs it"))]
    pub fn run_odd<K: OddKernel>(self, kernel: K) -> Option<K::Output> {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => {
                // SAFETY: these tokens exist only after AVX-512 F, BW, VL and DQ were detected.
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

/// A computation that is written once and compiled for every leg.
///
/// `run` and everything that it calls are `#[inline(always)]`. They become part of the leg's entry function, which
/// enables its target features.
pub trait Kernel {
    /// The result of the computation.
    type Output;

    /// Computes on a leg.
    fn run<L: Leg>(self, leg: L) -> Self::Output;
}

/// A [`Kernel`] that looks up bytes in tables.
pub trait TableKernel {
    /// The result of the computation.
    type Output;

    /// Computes on a leg.
    fn run<L: TableLeg>(self, leg: L) -> Self::Output;
}

/// A [`Kernel`] for legs with 16-bit lanes.
pub trait HalvesKernel {
    /// The result of the computation.
    type Output;

    /// Computes on a leg.
    fn run<L: HalvesLeg>(self, leg: L) -> Self::Output;
}

/// A [`Kernel`] for legs that unpack and pack codes of 4, 6 or 8 bits.
pub trait PackedKernel {
    /// The result of the computation.
    type Output;

    /// Computes on a leg.
    fn run<L: PackedLeg>(self, leg: L) -> Self::Output;
}

/// A [`Kernel`] for legs that can round to odd.
pub trait OddKernel {
    /// The result of the computation.
    type Output;

    /// Computes on a leg.
    fn run<L: OddLeg>(self, leg: L) -> Self::Output;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detected_leg_is_available_and_one_of_the_two_best() {
        let taken = Isa::detect();
        assert!(Isa::available().take(2).any(|isa| isa == taken) || std::env::var(Isa::VARIABLE).is_ok());
    }

    #[test]
    fn names_of_legs_select_them_and_others_are_errors() {
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
