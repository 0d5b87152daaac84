//! Plans: programs rewritten, their operations grouped into steps, and what a run of them will cost.

pub(crate) mod cost;
pub(crate) mod gather_scatter;
pub(crate) mod memory_estimate;
pub(crate) mod planner;
pub(crate) mod rewrite;
pub(crate) mod single_thread;
pub(crate) mod step;
pub(crate) mod work;
