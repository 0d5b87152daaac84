//! The `binade` program.
#![forbid(unsafe_code)]

use std::process::ExitCode;

/// The allocator for large tensors, which programs allocate repeatedly.
#[global_allocator]
static HEAP: binade_heap::Heap = binade_heap::Heap;

fn main() -> ExitCode {
    binade_cli::main(std::env::args_os()).into()
}
