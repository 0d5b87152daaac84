//! The addresses that a trampoline refers to, and the reasons why an instruction has none.

use iced_x86::IcedError;
use thiserror::Error;

/// The address of a trampoline, and those to which it refers. All are within 2 GiB of each other and of the site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The trampoline's address.
    pub at: u64,
    /// The address of [`pool`](fn@super::pool), aligned to 64 bytes.
    pub constants: u64,
    /// The address of [`gate`](fn@super::gate).
    pub gate: u64,
    /// The address of the [gate](crate::snapshot) for products of tiles; 0 if they are native.
    pub tiles: u64,
    /// A number of the caller's for the site, which the gate's handler gets.
    pub site: u32,
    /// The word of the site from which its random choices follow.
    pub word: u32,
    /// If upper halves of vectors are clean ahead of an instruction of at most 128 bits, they are clean behind it, too: for
    /// legacy SSE code that may follow. Only valid where [`knows_clean_uppers`](super::knows_clean_uppers).
    pub keeps_clean: bool,
}

/// The reason for which an instruction has no trampoline.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unsupported {
    /// An EVEX instruction for a machine without.
    #[error("an EVEX instruction cannot run on a machine without AVX-512")]
    Evex,
    /// The operator's steps take more vectors than there are beside the instruction's own.
    #[error("it leaves too few vector registers for the operator")]
    Vectors,
    /// Something is beyond 2 GiB, or the encoder refused.
    #[error("not encodable at its place: {0}")]
    Encoding(String),
}

impl From<IcedError> for Unsupported {
    fn from(error: IcedError) -> Unsupported {
        Unsupported::Encoding(error.to_string())
    }
}
