//! Lazily computed values without the standard library.

use alloc::boxed::Box;
use core::ops::Deref;

use once_cell::race::OnceBox;

/// A value that is computed at first use. If several threads use it at once, each computes it, and the first result is
/// kept.
pub(crate) struct Lazy<T> {
    made: OnceBox<T>,
    make: fn() -> T,
}

impl<T> Lazy<T> {
    pub(crate) const fn new(make: fn() -> T) -> Lazy<T> {
        Lazy { made: OnceBox::new(), make }
    }
}

impl<T> Deref for Lazy<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.made.get_or_init(|| Box::new((self.make)()))
    }
}
