//! binade as a device of JAX: a plugin of the PJRT C API.
//!
//! JAX compiles a function to StableHLO, passes it to the plugin as a portable artifact, and runs it on buffers. The plugin turns the
//! artifact into a [`binade_hlo::Program`] and evaluates it in this process, for every element type and with the arithmetic of other
//! hardware where rules ask for it.
//!
//! Options come from three places, of which a later one overrides an earlier one:
//! 1. The environment: `BINADE_ARITH` (rules between semicolons), `BINADE_SEMANTICS` and others, which `settings.rs` lists.
//! 2. The options of the plugin's registration: `arith`, `semantics`, ….
//! 3. The compiler options of one function: `binade_arith`, `binade_semantics`, ….
//!
//! A call of a program returns when the program is dispatched. Its results are promises, and events tell when they are computed or have
//! failed. One thread of each client runs programs in the order of dispatch. Programs that call Python, and programs on several processes,
//! have run when the call returns.

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

/// Allocator of this library, and of Python's extension module where it is part of that; not of the program that loads it.
#[global_allocator]
static HEAP: binade_heap::Heap = binade_heap::Heap;

/// The table of functions of the C API, which lives as long as the process.
#[allow(non_snake_case, reason = "the name that is looked up")]
// SAFETY: JAX looks the name up in this library only, so that it cannot clash with the same name of another plugin.
#[unsafe(no_mangle)]
pub extern "C" fn GetPjrtApi() -> *const c_void {
    std::ptr::from_ref(&table::API).cast()
}
