#![doc = include_str!("../README.md")]

/// Lane-wise operations of two vectors that are one instruction each.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! lanewise {
    ($($name:ident: $intrinsic:ident;)*) => { $(
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            // SAFETY: a vector exists only where its instructions do.
            Self(unsafe { $intrinsic(self.0, other.0) })
        }
    )* };
}

mod arch;
mod cpu_tuning;
mod dispatch;
mod environment;
pub mod floats;
pub mod lanes;
mod prefetch;
pub mod threads;
mod transpose;

pub use dispatch::{
    HalvesKernel, Instructions, Isa, IsaError, IsaVariableError, Kernel, OddKernel, PackedKernel, TableKernel,
};
pub use environment::Environment;
pub use prefetch::prefetch;
pub use transpose::{TILE, transpose_4x4, transpose_tile};
