//! The instruction set that kernels run on.

use std::sync::LazyLock;

use binade_simd::Isa;

/// The instruction set of the kernels. It is detected once, because detection would be slow beside a short block.
pub(crate) static ISA: LazyLock<Isa> = LazyLock::new(Isa::detect);
