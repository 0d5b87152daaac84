//! binade as a device of JAX: a plugin of the PJRT C API.
//!
//! JAX compiles a function to StableHLO, hands it over as a portable artifact, and has it run on buffers. Here the artifact
//! becomes a [`binade_hlo::Program`], which is evaluated in this process: on every element type, and with the arithmetic
//! of other hardware where rules ask for it.
//!
//! Options come from the environment (`BINADE_ARITH`, rules between semicolons; `BINADE_SEMANTICS`, `BINADE_SEED`,
//! `BINADE_THREADS`, `BINADE_DEVICES`, `BINADE_MEMORY_LIMIT`, `BINADE_ADDRESS`, `BINADE_TIMEOUT`, `BINADE_ASYNC_DISPATCH`), from the options that the plugin is registered with (`arith`,
//! `semantics`, …), and for one function from its compiler options (`binade_arith`, `binade_semantics`, …), the later
//! before the earlier.
//!
//! A call of a program returns when it is dispatched: its results are promised, and events tell when they are there, or why
//! they are not. One thread of each client runs programs in the order of their dispatch. Programs that call Python, and those
//! of several processes, are done when the call returns.

mod abi;
mod buffer;
mod callback;
mod client;
mod device;
mod element;
mod error;
mod event;
mod executable;
mod execute;
mod hosts;
mod meet;
mod memory;
mod partition;
mod place;
mod plugin;
mod promise;
mod proto;
mod queue;
mod settings;
mod store;
mod table;
#[cfg(test)]
mod tests;

use std::ffi::c_void;

/// Of this library's memory, and of Python's module where it is part of that; not of the program that loads it.
#[global_allocator]
static HEAP: binade_heap::Heap = binade_heap::Heap;

/// The table of functions of the C API, which lives as long as the process.
#[allow(non_snake_case, reason = "the name that is looked up")]
// SAFETY: no other library of the process is asked for this name through binade's file.
#[unsafe(no_mangle)]
pub extern "C" fn GetPjrtApi() -> *const c_void {
    std::ptr::from_ref(&table::API).cast()
}
