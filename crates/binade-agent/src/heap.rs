//! The agent's allocator.
//!
//! The C library's keeps state for each thread, frees it when a thread that it started itself ends, and may be held by
//! another thread at a fork: none of which suits a guest. This one has free lists of powers of two, and no thread's
//! state. Allocation happens under the agent's lock, or before there are threads.

use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

/// Allocations of more bytes are mappings of their own.
const LARGEST: usize = 1 << 17;
const SMALLEST_BITS: u32 = 4;
const CLASSES: usize = (LARGEST.trailing_zeros() - SMALLEST_BITS) as usize + 1;
const CHUNK: usize = 1 << 20;

struct Lists {
    free: [*mut u8; CLASSES],
    chunk: *mut u8,
    left: usize,
}

/// The allocator.
pub(crate) struct Heap {
    taken: AtomicBool,
    lists: UnsafeCell<Lists>,
}

// SAFETY: the lists are reached between `taken` and its release only.
unsafe impl Sync for Heap {}

impl Heap {
    pub(crate) const fn new() -> Heap {
        let lists = Lists { free: [ptr::null_mut(); CLASSES], chunk: ptr::null_mut(), left: 0 };
        Heap { taken: AtomicBool::new(false), lists: UnsafeCell::new(lists) }
    }

    fn with<R>(&self, body: impl FnOnce(&mut Lists) -> R) -> R {
        while self.taken.swap(true, Ordering::Acquire) {
            std::hint::spin_loop();
        }
        // SAFETY: this thread has set `taken`, so no other thread has the lists.
        let result = body(unsafe { &mut *self.lists.get() });
        self.taken.store(false, Ordering::Release);
        result
    }
}

/// The free list for a layout and its blocks' size, or none for a mapping of its own.
fn class(layout: &Layout) -> Option<(usize, usize)> {
    let size = layout.size().max(layout.align()).max(1 << SMALLEST_BITS).next_power_of_two();
    (size <= LARGEST).then(|| ((size.trailing_zeros() - SMALLEST_BITS) as usize, size))
}

fn map(size: usize) -> *mut u8 {
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a fresh mapping touches nothing that exists.
    let address = unsafe { libc::mmap(ptr::null_mut(), size, protection, flags, -1, 0) };
    if address == libc::MAP_FAILED { ptr::null_mut() } else { address.cast() }
}

// SAFETY: blocks are disjoint, as large as their class (at least the layout's size), and aligned to their size, which is
// a power of two no smaller than the alignment; mappings are aligned to a page, the largest alignment that is asked for.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some((class, size)) = class(&layout) else {
            return if layout.align() > 4096 { ptr::null_mut() } else { map(layout.size()) };
        };
        self.with(|lists| {
            let first = lists.free[class];
            if !first.is_null() {
                // SAFETY: a free block holds the address of the next.
                lists.free[class] = unsafe { *first.cast::<*mut u8>() };
                return first;
            }
            let skip = lists.chunk.align_offset(size);
            if lists.chunk.is_null() || lists.left < size.saturating_add(skip) {
                lists.chunk = map(CHUNK);
                if lists.chunk.is_null() {
                    lists.left = 0;
                    return ptr::null_mut();
                }
                lists.left = CHUNK;
            }
            let skip = lists.chunk.align_offset(size);
            if skip + size > lists.left {
                return ptr::null_mut();
            }
            // SAFETY: `left` bytes follow `chunk`, and skip + size of them are taken.
            unsafe {
                let block = lists.chunk.add(skip);
                lists.chunk = block.add(size);
                lists.left -= skip + size;
                block
            }
        })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        match class(&layout) {
            // SAFETY: the mapping was made for this layout.
            None => unsafe {
                libc::munmap(block.cast(), layout.size());
            },
            Some((class, _)) => self.with(|lists| {
                // SAFETY: the block is free and at least 16 bytes.
                unsafe { *block.cast::<*mut u8>() = lists.free[class] };
                lists.free[class] = block;
            }),
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the size is what the caller's layout could have.
        let new = unsafe { Layout::from_size_align_unchecked(new_size, layout.align()) };
        match (class(&layout), class(&new)) {
            (Some((old, _)), Some((new, _))) if old == new => block,
            (None, None) => {
                // SAFETY: a mapping of its own, of the old size.
                let moved =
                    unsafe { libc::mremap(block.cast(), layout.size(), new_size, libc::MREMAP_MAYMOVE) };
                if moved == libc::MAP_FAILED { ptr::null_mut() } else { moved.cast() }
            }
            _ => {
                // SAFETY: both blocks hold the smaller of the two sizes and do not overlap.
                unsafe {
                    let copy = self.alloc(new);
                    if !copy.is_null() {
                        ptr::copy_nonoverlapping(block, copy, layout.size().min(new_size));
                        self.dealloc(block, layout);
                    }
                    copy
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_all_sizes_are_aligned_and_apart() {
        let heap = Heap::new();
        let mut blocks = Vec::new();
        for bits in 0..20 {
            let layout = Layout::from_size_align(1 << bits, 1 << bits.min(12)).unwrap();
            // SAFETY: the size is not 0, and the block is as large as it.
            unsafe {
                let block = heap.alloc(layout);
                assert!(!block.is_null() && (block as usize).is_multiple_of(layout.align()));
                block.write_bytes(bits as u8, layout.size());
                blocks.push((block, layout));
            }
        }
        for (bits, (block, layout)) in blocks.into_iter().enumerate() {
            // SAFETY: the block was allocated with this layout, and is not used afterwards.
            unsafe {
                let bytes = std::slice::from_raw_parts(block, layout.size());
                assert!(bytes.iter().all(|&byte| byte == bits as u8), "2^{bits} bytes");
                heap.dealloc(block, layout);
            }
        }
    }

    #[test]
    fn freed_block_is_used_again() {
        let heap = Heap::new();
        let layout = Layout::from_size_align(100, 8).unwrap();
        // SAFETY: each block is freed once, with its layout.
        unsafe {
            let first = heap.alloc(layout);
            heap.dealloc(first, layout);
            assert_eq!(heap.alloc(layout), first);
        }
    }

    #[test]
    fn realloc_keeps_the_bytes() {
        let heap = Heap::new();
        let layout = Layout::from_size_align(16, 1).unwrap();
        // SAFETY: each size is that of the block at the time.
        unsafe {
            let mut block = heap.alloc(layout);
            block.copy_from(b"0123456789abcdef".as_ptr(), 16);
            let mut size = 16;
            for new in [40, 1 << 10, 1 << 18, 1 << 19, 24] {
                block = heap.realloc(block, Layout::from_size_align(size, 1).unwrap(), new);
                size = new;
                assert_eq!(std::slice::from_raw_parts(block, 16), b"0123456789abcdef");
            }
        }
    }
}
