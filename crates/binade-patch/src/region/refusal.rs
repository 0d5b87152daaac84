//! Why there is no region.

/// Why there is no region.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// No general register is free to hold the frame's address.
    #[error("the code uses every general register")]
    GeneralRegisters,
    /// Too few vector registers are free.
    #[error("the code leaves {0} vector registers")]
    VectorRegisters(usize),
    /// There are more paths with different facts than are worth code.
    #[error("the code has too many paths")]
    Paths,
    /// A leading part would be left in a register that is read outside.
    #[error("a split operand leaves the region")]
    Split,
    /// The values that it keeps do not fit into a thread's workspace.
    #[error("the code needs {0} slots for vectors")]
    Slots(i64),
    /// An instruction has no encoding where it would lie.
    #[error("an instruction cannot be encoded")]
    Encoding,
    /// It has instructions of AVX-512, on a machine without.
    #[error("the code has AVX-512 instructions")]
    Evex,
    /// Under a [check](crate::check): it cannot be run twice, or what it stores is not known ahead.
    #[error("the code cannot be checked")]
    Unchecked,
}
