//! The reasons for which code is not translated as a region.

/// The reason for which there is no region.
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
    /// No mask register is free.
    #[error("the code uses every mask register")]
    MaskRegisters,
    /// An instruction has no encoding where it would lie.
    #[error("an instruction cannot be encoded")]
    Encoding,
    /// It has instructions of AVX-512, on a machine without.
    #[error("the code has AVX-512 instructions")]
    Evex,
    /// Under a [check](crate::check): it cannot be run twice, or what it stores is not known ahead.
    #[error("the code cannot be checked")]
    Unchecked,
    /// Regions compute no loop under the operator.
    #[error(
        "loops are translated whole under the paper's seven operators without flushing and exact sums, and by other \
         roundings than stochastic (down and random on AVX-512 only)"
    )]
    Operator,
    /// The loop has multiply-adds of several operators: a region has the constants of one.
    #[error("rules give the loop's multiply-adds several operators")]
    Operators,
    /// The loop has instructions that no region may contain.
    #[error("the loop has {0}")]
    Instruction(&'static str),
    /// The loop has more instructions than are copied.
    #[error("the loop has {0} instructions, more than {most}", most = super::graph::LONGEST)]
    Long(usize),
    /// The loop's instructions do not follow each other in memory.
    #[error("the loop lies in several pieces")]
    Pieces,
    /// The multiply-adds are in an outer loop, and fewer lie between two jumps than are worth a region.
    #[error("the loop has multiply-adds around its inner loops, fewer than {least} in a run", least = super::types::LEAST)]
    Outer,
    /// The region is only entered under the default MXCSR, since its other instructions depend on it.
    #[error(
        "it has other floating-point instructions, and the program's MXCSR is not the default (-ffast-math flushes subnormals)"
    )]
    Environment,
    /// Its other instructions would be rounded, too.
    #[error("it has other floating-point instructions, which are not to be rounded")]
    Rounding,
    /// The region is not entered where exceptions may trap.
    #[error("the program does not mask all floating-point exceptions")]
    Unmasked,
}
