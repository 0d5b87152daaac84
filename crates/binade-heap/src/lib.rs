#![doc = include_str!("../README.md")]

mod any;
mod pages;
#[cfg(target_os = "linux")]
mod ranges;
#[cfg(target_os = "linux")]
mod stretch;

use std::alloc::{GlobalAlloc, Layout, System};

pub use any::any;
pub use pages::Pages;

#[cfg(not(target_os = "linux"))]
use elsewhere as stretch;

/// Bytes from which on an array is large.
pub const LARGE: usize = 64 << 10;

/// An allocator that has large arrays in one stretch of addresses, and the system's for all else: see [the crate](crate).
#[derive(Clone, Copy, Debug, Default)]
pub struct Heap;

/// What a stretch says to another length of an array.
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "nothing is in a stretch that is not there"))]
enum Resized {
    /// The array has it where it is.
    Done,
    /// It has to move.
    Moves,
    /// It is not in the stretch.
    Elsewhere,
}

// SAFETY: an array is in the stretch from `take` to `give`, which has each address for one array at a time, or the system's;
// which of them, its address tells.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match stretch::take(layout) {
            Some((place, _)) => place,
            // SAFETY: what the caller promises of the layout.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match stretch::take(layout) {
            Some((place, used)) => {
                if used {
                    // SAFETY: these bytes were just taken.
                    unsafe { place.write_bytes(0, layout.size()) };
                }
                place
            }
            // SAFETY: what the caller promises of the layout.
            None => unsafe { System.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        if !stretch::give(place, layout.size()) {
            // SAFETY: it is the system's, and of this layout as the caller promises.
            unsafe { System.dealloc(place, layout) }
        }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match stretch::resize(place, layout.size(), size) {
            Resized::Done => return place,
            // What grows there may grow on: the system moves its pages rather than copy them.
            // SAFETY: it is the system's, and what the caller promises of layout and size.
            Resized::Elsewhere => return unsafe { System.realloc(place, layout, size) },
            Resized::Moves => {}
        }
        // SAFETY: the caller promises that the size is not zero, and rounded up to the alignment no more than isize::MAX; the
        // new place is another one, and both have the bytes that are copied.
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

/// Where there is no stretch.
#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use std::alloc::Layout;

    use crate::Resized;

    pub(crate) fn take(_: Layout) -> Option<(*mut u8, bool)> {
        None
    }

    pub(crate) fn give(_: *mut u8, _: usize) -> bool {
        false
    }

    pub(crate) fn resize(_: *mut u8, _: usize, _: usize) -> Resized {
        Resized::Elsewhere
    }

    pub(crate) fn hold() {}

    pub(crate) fn begin(_: usize) {}

    pub(crate) fn let_go() {}
}
