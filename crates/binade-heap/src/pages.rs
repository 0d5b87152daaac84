//! A guard that keeps free pages with the process, for repeated runs with large arrays.

use crate::arena;

/// A guard for programs that allocate large arrays again and again. While one exists, free pages stay with the process.
/// Without any, at most 64 MiB of them do.
#[derive(Debug)]
pub struct Pages(());

impl Pages {
    /// Keeps pages until this is dropped.
    #[must_use]
    pub fn hold() -> Pages {
        arena::hold();
        Pages(())
    }

    /// Marks the beginning of a run. Free pages beyond the peak use of the last two runs, and beyond `idle` bytes, are
    /// returned to the system, except for 64 MiB.
    pub fn begin(&self, idle: usize) {
        arena::begin(idle);
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        arena::release_pages();
    }
}
