//! The error type of all bulk kernels.

use binade::Format;
use binade::block::Element;
use thiserror::Error;

/// Arguments that a kernel cannot take. Nothing is written in that case.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum KernelError {
    /// A format of more than 16 bits.
    #[error("{format} has {} bits: bulk kernels take formats of up to 16", .format.width())]
    Width {
        /// The format.
        format: Format,
    },
    /// Codes that do not fit the slice's elements.
    #[error("codes of {format} have {} bits and do not fit elements of {bits}: use a slice of u16", .format.width())]
    Element {
        /// The format.
        format: Format,
        /// Bits an element.
        bits: u32,
    },
    /// Slices of different lengths.
    #[error("{what} must have {expected} elements: it has {given}")]
    Length {
        /// The slice.
        what: &'static str,
        /// Its length.
        given: usize,
        /// The required length.
        expected: usize,
    },
    /// An operation that does not apply to slices of codes.
    #[error("{operation} is not an operation on {operands} slices of codes")]
    Operation {
        /// The operation's name.
        operation: &'static str,
        /// The number of slices given.
        operands: usize,
    },
    /// Blocks that no kernel supports.
    #[error(
        "blocks of {} x {} elements of {elements} under scales of {scales}: kernels take blocks of one row, of E4M3, E5M2, \
         E3M2, E2M3, E2M1 or MXINT8, under scales of E8M0 or E4M3", .shape.0, .shape.1
    )]
    Blocks {
        /// The elements.
        elements: Element,
        /// The format of scales.
        scales: Format,
        /// Rows and columns of a block.
        shape: (usize, usize),
    },
    /// A tensor's scale outside its range.
    #[error("a tensor's scale must be positive and finite, and be used beside scales in E4M3: got {scale}")]
    TensorScale {
        /// The scale.
        scale: f32,
    },
    /// A width that a packed element cannot have.
    #[error("packed elements must have 1 to 8 bits: got {bits}")]
    PackedBits {
        /// Bits an element.
        bits: u32,
    },
}

impl KernelError {
    pub(crate) fn check_format(format: Format) -> Result<(), KernelError> {
        if format.width() > 16 { Err(KernelError::Width { format }) } else { Ok(()) }
    }

    pub(crate) fn check_element(format: Format, bits: u32) -> Result<(), KernelError> {
        if format.width() > bits { Err(KernelError::Element { format, bits }) } else { Ok(()) }
    }

    pub(crate) fn check_length(what: &'static str, given: usize, expected: usize) -> Result<(), KernelError> {
        if given != expected { Err(KernelError::Length { what, given, expected }) } else { Ok(()) }
    }
}
