//! Who wants pages kept.

use crate::stretch;

/// Who needs large arrays again and again: pages that nobody uses stay with the process while one of these lives. Without
/// any, no more than 64 MiB of them do.
#[derive(Debug)]
pub struct Pages(());

impl Pages {
    /// Keeps pages until this is dropped.
    #[must_use]
    pub fn hold() -> Pages {
        stretch::hold();
        Pages(())
    }

    /// Says that a run begins, or another one. Pages beyond what arrays took at a time in the last two runs, and more than
    /// so many bytes of idle ones, go back to the system, but for 64 MiB.
    pub fn begin(&self, idle: usize) {
        stretch::begin(idle);
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        stretch::let_go();
    }
}
