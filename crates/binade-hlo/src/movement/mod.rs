//! Operations that move elements, for the machine: layouts, shapes, `gather`, `scatter`, `sort`.

pub(crate) mod gather;
pub(crate) mod layout;
pub(crate) mod row_sums;
pub(crate) mod shape;
pub(crate) mod sort;
