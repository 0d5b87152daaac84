//! The instruction set that kernels run on.

use std::sync::LazyLock;

use binade_simd::Isa;

/// The instruction set of the kernels; asked for once, as blocks are short.
pub(crate) static ISA: LazyLock<Isa> = LazyLock::new(Isa::detect);
