#![doc = include_str!("../README.md")]

#[cfg(target_os = "linux")]
mod arena;
mod pages;
#[cfg(target_os = "linux")]
mod ranges;
mod uninitialized;

use std::alloc::{GlobalAlloc, Layout, System};

pub use pages::Pages;
pub use uninitialized::uninitialized;

#[cfg(not(target_os = "linux"))]
use no_arena as arena;

/// Minimum size in bytes of a large array.
pub const LARGE: usize = 64 << 10;

/// An allocator that places large arrays in a reserved address range, and passes all other allocations to the system:
/// see [the crate](crate).
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap;

/// The result of resizing an array in the reserved range.
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "there is no arena"))]
enum Resized {
    /// The array was resized in place.
    Done,
    /// The array must move.
    Moves,
    /// The array is not in the reserved range.
    Elsewhere,
}

// SAFETY: an array is in the reserved range from `allocate` to `free`, which assigns each address to one array at a time,
// or it is the system's. Its address tells which.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match arena::allocate(layout) {
            Some((place, _)) => place,
            // SAFETY: the caller's guarantees for the layout are those that `System` requires.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match arena::allocate(layout) {
            Some((place, used)) => {
                if used {
                    // SAFETY: these bytes were just taken for this allocation.
                    unsafe { place.write_bytes(0, layout.size()) };
                }
                place
            }
            // SAFETY: the caller's guarantees for the layout are those that `System` requires.
            None => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        if !arena::free(place, layout.size()) {
            // SAFETY: the address is the system's, and the caller guarantees that it has this layout.
            unsafe { System.dealloc(place, layout) }
        }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match arena::resize(place, layout.size(), size) {
            Resized::Done => return place,
            // A growing array of the system may grow again: the system moves its pages instead of copying them.
            // SAFETY: the address is the system's, and the caller's guarantees for layout and size are those that
            // `System` requires.
            Resized::Elsewhere => return unsafe { System.realloc(place, layout, size) },
            Resized::Moves => {}
        }
        // SAFETY: the caller guarantees that the size is not zero and, rounded up to the alignment, at most isize::MAX.
        // The new array does not overlap the old one, and both have the copied bytes.
        unsafe {
            let new = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(place, layout.size().min(size));
                self.dealloc(place, layout);
            }
            new
        }
    }
}

/// Platforms without a reserved range.
#[cfg(not(target_os = "linux"))]
mod no_arena {
    use std::alloc::Layout;

    use crate::Resized;

    pub(crate) fn allocate(_: Layout) -> Option<(*mut u8, bool)> {
        None
    }

    pub(crate) fn free(_: *mut u8, _: usize) -> bool {
        false
    }

    pub(crate) fn resize(_: *mut u8, _: usize, _: usize) -> Resized {
        Resized::Elsewhere
    }

    pub(crate) fn hold() {}

    pub(crate) fn begin(_: usize) {}

    pub(crate) fn release_pages() {}
}
