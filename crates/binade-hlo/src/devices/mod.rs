//! Programs on several devices, for the interpreter: collectives, manual computations, processes of one host, and
//! hosts.

pub(crate) mod collective;
pub(crate) mod hosts;
pub(crate) mod manual;
pub(crate) mod parts;
pub(crate) mod process;
