//! Standard output, to which every command prints.

use std::io::{BufWriter, StdoutLock};

/// Standard output: buffered, and locked for the whole command.
pub type Output = BufWriter<StdoutLock<'static>>;
