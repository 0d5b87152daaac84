//! Reductions, cumulative operations and windows, for `reduce`, `reduce_window` and their variants. The order of steps
//! depends on shapes alone.

pub(crate) mod arg_extreme;
pub(crate) mod columns;
pub(crate) mod cumulative;
pub(crate) mod folding;
pub(crate) mod operator_sums;
pub(crate) mod reduce;
pub(crate) mod shared_sums;
pub(crate) mod window;
