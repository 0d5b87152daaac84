//! The `binade` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

/// Tensors that programs make again and again.
#[global_allocator]
static HEAP: binade_heap::Heap = binade_heap::Heap;

fn main() -> ExitCode {
    binade_cli::main(std::env::args_os()).into()
}
