//! Reductions of many elements to few, in orders that depend on shapes alone.

pub(crate) mod arg_extreme;
pub(crate) mod columns;
pub(crate) mod cumulative;
pub(crate) mod folding;
pub(crate) mod operator_sums;
pub(crate) mod reduce;
pub(crate) mod shared_sums;
pub(crate) mod window;
