//! The reserved address range for large arrays, and its pages.

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::ranges::{GRAIN, Ranges};
use crate::{LARGE, Resized};

/// Bytes of idle pages that are always kept: returning fewer takes more time than it is worth.
const ALWAYS_KEPT: usize = 64 << 20;

/// The fraction 1 / `BETWEEN` of the peak use is assumed to lie idle between arrays.
const BETWEEN: usize = 8;

/// A huge page.
const HUGE: usize = 2 << 20;

/// Beyond this use, huge pages are requested. Programs that need less do not pay for the rest of a huge page.
const ORDINARY: usize = 8 * HUGE;

/// The state of the reserved range.
struct Arena {
    /// Its first address, once it is reserved.
    base: Option<usize>,
    /// Bytes of a page.
    page: usize,
    ranges: Ranges,
    /// The number of existing [`Pages`](crate::Pages) guards.
    holders: usize,
    /// The peak numbers of allocated bytes in this run and in the previous one.
    peaks: [usize; 2],
    /// True if huge pages were requested.
    huge: bool,
}

/// A lock around the state. It is not a mutex of the standard library because it must be held across a fork, and
/// released in the parent and in the child.
struct Locked {
    taken: AtomicBool,
    arena: UnsafeCell<Arena>,
}

// SAFETY: only `with` accesses the contents, between `lock` and `unlock`.
unsafe impl Sync for Locked {}

static ARENA: Locked = Locked {
    taken: AtomicBool::new(false),
    arena: UnsafeCell::new(Arena {
        base: None,
        page: 0,
        ranges: Ranges::new(0),
        holders: 0,
        peaks: [0; 2],
        huge: false,
    }),
};

/// The bounds of the range, for reading without the lock; empty before it is reserved.
static BOUNDS: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

extern "C" fn lock() {
    let mut tries = 0u32;
    while ARENA.taken.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
        tries += 1;
        // The thread that holds the lock may be descheduled.
        if tries < 100 { std::hint::spin_loop() } else { std::thread::yield_now() }
    }
}

extern "C" fn unlock() {
    ARENA.taken.store(false, Ordering::Release);
}

/// Runs `work` with the state locked. Its lists are small allocations, which the system serves, so nothing in here
/// takes the lock again.
fn with<R>(work: impl FnOnce(&mut Arena) -> R) -> R {
    lock();
    // SAFETY: the lock is held until `unlock`, so no other thread accesses the state.
    let result = work(unsafe { &mut *ARENA.arena.get() });
    unlock();
    result
}

/// True if the address space or the data segment is limited: the whole range would count.
fn is_limited() -> bool {
    [libc::RLIMIT_AS, libc::RLIMIT_DATA].into_iter().any(|what| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: `getrlimit` writes to `limit`, a structure of the type that it expects.
        let answer = unsafe { libc::getrlimit(what, &raw mut limit) };
        answer != 0 || limit.rlim_cur != libc::RLIM_INFINITY
    })
}

/// A configuration value of the system.
fn of_system(name: i32) -> usize {
    // SAFETY: `sysconf` only reads.
    usize::try_from(unsafe { libc::sysconf(name) }).unwrap_or(0)
}

impl Arena {
    /// Reserves as many addresses as the machine has memory; pages are provided at first use. If the system refuses,
    /// the range is empty.
    fn reserve(&mut self) -> usize {
        self.page = of_system(libc::_SC_PAGESIZE);
        let length = of_system(libc::_SC_PHYS_PAGES).saturating_mul(self.page) / HUGE * HUGE;
        if cfg!(miri) || is_limited() || length < ORDINARY {
            return 0;
        }
        let (access, kind) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
        );
        // SAFETY: the system chooses unused addresses.
        let found = unsafe { libc::mmap(ptr::null_mut(), length + HUGE, access, kind, -1, 0) };
        if found == libc::MAP_FAILED {
            return 0;
        }
        let base = (found as usize).next_multiple_of(HUGE);
        // SAFETY: the functions are those of the lock. If registration fails, a forked child has the problem of any
        // allocator with a lock.
        unsafe { libc::pthread_atfork(Some(lock), Some(unlock), Some(unlock)) };
        self.ranges = Ranges::new(length);
        BOUNDS[0].store(base, Ordering::Relaxed);
        BOUNDS[1].store(base + length, Ordering::Relaxed);
        base
    }

    fn allocate(&mut self, length: usize) -> Option<(*mut u8, bool)> {
        let base = self.base.unwrap_or_else(|| self.reserve());
        self.base = Some(base);
        let taken = self.ranges.allocate(length)?;
        self.request_huge_pages();
        Some(((base + taken.start) as *mut u8, taken.used))
    }

    /// Requests huge pages when the use has grown enough.
    fn request_huge_pages(&mut self) {
        self.peaks[0] = self.peaks[0].max(self.ranges.taken());
        if !self.huge
            && let Some(base) = self.base
            && self.ranges.top() > ORDINARY
        {
            self.huge = true;
            // SAFETY: the range is this process's, and keeps its contents. The system may refuse both calls; then the
            // pages stay ordinary.
            unsafe {
                libc::madvise(base as *mut _, self.ranges.end(), libc::MADV_HUGEPAGE);
                libc::madvise(base as *mut _, ORDINARY, libc::MADV_COLLAPSE);
            }
        }
    }

    /// The offset of an array in the range.
    fn place(&self, place: *mut u8) -> usize {
        place as usize - self.base.unwrap_or(0)
    }

    fn free(&mut self, start: usize, length: usize) {
        self.ranges.free(start, length);
        if self.holders == 0 {
            self.release_pages(ALWAYS_KEPT);
        }
    }

    /// Returns pages to the system until at most `keep` bytes of them are idle.
    fn release_pages(&mut self, keep: usize) {
        let Some(base) = self.base else { return };
        while let Some(part) = self.ranges.release_pages(keep) {
            let (start, end) = (base + part.start, base + part.end);
            let pages = start.next_multiple_of(self.page)..end / self.page * self.page;
            let (before, after) = match pages.is_empty() {
                true => (start..end, end..end),
                false => (start..pages.start, pages.end..end),
            };
            // SAFETY: the part is free, and no thread can allocate it while the lock is held. It is zeros afterwards.
            unsafe {
                if !pages.is_empty() && !release_gives_zeros(&pages) {
                    clear(pages);
                }
                clear(before);
                clear(after);
            }
        }
    }
}

/// Returns pages to the system. Returns true if the system took them and gives zeros. An emulator may treat the call as
/// mere advice.
///
/// # Safety
/// No array uses these addresses of the range.
unsafe fn release_gives_zeros(pages: &Range<usize>) -> bool {
    let first = pages.start as *mut u8;
    // SAFETY: the caller guarantees that no array uses the addresses.
    unsafe {
        first.write_volatile(1);
        libc::madvise(first.cast(), pages.len(), libc::MADV_DONTNEED) == 0 && first.read_volatile() == 0
    }
}

/// Writes zeros.
///
/// # Safety
/// No array uses these addresses of the range.
unsafe fn clear(part: Range<usize>) {
    // SAFETY: the caller guarantees that no array uses the addresses.
    unsafe { (part.start as *mut u8).write_bytes(0, part.len()) };
}

/// Bytes allocated for an array: an odd number of cache lines. Otherwise arrays of power-of-two length would start at
/// the same offset in a page. A processor then mistakes a read from one for the last write to another (4K aliasing).
fn padded_size(size: usize) -> usize {
    (size.div_ceil(GRAIN) | 1) * GRAIN
}

/// Allocates an array. Returns its address, and true if it may contain anything but zeros. `None` if it is not large or
/// the range is full.
pub(crate) fn allocate(layout: Layout) -> Option<(*mut u8, bool)> {
    if layout.size() < LARGE || layout.align() > GRAIN {
        return None;
    }
    with(|arena| arena.allocate(padded_size(layout.size())))
}

fn is_within(place: *mut u8) -> bool {
    let [start, end] = BOUNDS.each_ref().map(|bound| bound.load(Ordering::Relaxed));
    (start..end).contains(&(place as usize))
}

/// Frees an array. Returns false if it is not in the range.
pub(crate) fn free(place: *mut u8, size: usize) -> bool {
    let within = is_within(place);
    if within {
        with(|arena| arena.free(arena.place(place), padded_size(size)));
    }
    within
}

/// Resizes an array.
pub(crate) fn resize(place: *mut u8, size: usize, wanted: usize) -> Resized {
    if !is_within(place) {
        return Resized::Elsewhere;
    }
    if wanted < LARGE {
        return Resized::Moves;
    }
    let (had, padded_size) = (padded_size(size), padded_size(wanted));
    with(|arena| {
        let start = arena.place(place);
        if padded_size < had {
            arena.free(start + padded_size, had - padded_size);
        } else if padded_size > had {
            if !arena.ranges.extend(start, had, padded_size) {
                return Resized::Moves;
            }
            arena.request_huge_pages();
        }
        Resized::Done
    })
}

/// Adds a [`Pages`](crate::Pages) guard.
pub(crate) fn hold() {
    with(|arena| arena.holders += 1);
}

/// Begins a run, in which `idle` bytes of pages may be idle.
pub(crate) fn begin(idle: usize) {
    with(|arena| {
        let (taken, most) = (arena.ranges.taken(), arena.peaks[0].max(arena.peaks[1]));
        arena.peaks = [taken, arena.peaks[0]];
        // Some pages between arrays are idle even at peak use.
        let between = most / BETWEEN;
        arena.release_pages((most - taken + between).min(idle) + ALWAYS_KEPT);
    });
}

/// Removes a [`Pages`](crate::Pages) guard.
pub(crate) fn release_pages() {
    with(|arena| {
        arena.holders -= 1;
        if arena.holders == 0 {
            arena.release_pages(ALWAYS_KEPT);
        }
    });
}
