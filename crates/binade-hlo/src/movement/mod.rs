//! Operations that move elements: layouts, shapes, `gather`, `scatter`, `sort`.

pub(crate) mod gather;
pub(crate) mod layout;
pub(crate) mod row_sums;
pub(crate) mod shape;
pub(crate) mod sort;
