//! Values that are made when they are first asked for, without a system below.

use alloc::boxed::Box;
use core::ops::Deref;

use once_cell::race::OnceBox;

/// A value made by the first who asks. Of threads that ask at once each makes it, and the first one's is kept.
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
