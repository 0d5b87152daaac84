//! Turns programs into plans for the machine: rewrites them, groups operations into steps, and estimates the cost of a run.

pub(crate) mod cost;
pub(crate) mod gather_scatter;
pub(crate) mod memory_estimate;
pub(crate) mod planner;
pub(crate) mod rewrite;
pub(crate) mod single_thread;
pub(crate) mod step;
pub(crate) mod work;
