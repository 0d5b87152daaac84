//! The stretch of addresses that the process has its large arrays in.

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::ranges::{GRAIN, Ranges};
use crate::{LARGE, Resized};

/// Bytes of idle pages that are kept in any case: to give fewer back takes more time than it is worth.
const KEPT: usize = 64 << 20;

/// Of the most that was in use, this part is taken to lie idle between arrays.
const BETWEEN: usize = 8;

/// A huge page.
const HUGE: usize = 2 << 20;

/// What reaches beyond this is in huge pages from then on: who needs less does not pay for the rest of one.
const ORDINARY: usize = 8 * HUGE;

/// What is known of the stretch.
struct Stretch {
    /// Its first address, once it has been asked for.
    base: Option<usize>,
    /// Bytes of a page.
    page: usize,
    ranges: Ranges,
    /// How many want pages kept.
    holders: usize,
    /// The most bytes that were taken at a time in this run and in the one before.
    peaks: [usize; 2],
    /// Whether pages are huge ones.
    huge: bool,
}

/// One thread at a time has what is within. No mutex of the standard library: a process that forks takes it before, and
/// gives it back in the parent and in the child.
struct Locked {
    taken: AtomicBool,
    stretch: UnsafeCell<Stretch>,
}

// SAFETY: `with` alone looks within, between `lock` and `unlock`.
unsafe impl Sync for Locked {}

static STRETCH: Locked = Locked {
    taken: AtomicBool::new(false),
    stretch: UnsafeCell::new(Stretch {
        base: None,
        page: 0,
        ranges: Ranges::new(0),
        holders: 0,
        peaks: [0; 2],
        huge: false,
    }),
};

/// Where it begins and ends, to be read without the lock: nowhere before it is there.
static BOUNDS: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

extern "C" fn lock() {
    let mut tries = 0u32;
    while STRETCH.taken.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
        tries += 1;
        // Whoever has it may have lost the processor.
        if tries < 100 { std::hint::spin_loop() } else { std::thread::yield_now() }
    }
}

extern "C" fn unlock() {
    STRETCH.taken.store(false, Ordering::Release);
}

/// Work on the stretch. Its lists are small allocations, which this allocator leaves to the system: nothing in here asks for the
/// lock again.
fn with<R>(work: impl FnOnce(&mut Stretch) -> R) -> R {
    lock();
    // SAFETY: nobody else has it until `unlock`.
    let result = work(unsafe { &mut *STRETCH.stretch.get() });
    unlock();
    result
}

/// Whether the address space or the memory of data is limited: a stretch would count as a whole.
fn is_limited() -> bool {
    [libc::RLIMIT_AS, libc::RLIMIT_DATA].into_iter().any(|what| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: it writes a limit where there is one.
        let answer = unsafe { libc::getrlimit(what, &raw mut limit) };
        answer != 0 || limit.rlim_cur != libc::RLIM_INFINITY
    })
}

/// A whole number that the system knows.
fn of_system(name: i32) -> usize {
    // SAFETY: it only reads.
    usize::try_from(unsafe { libc::sysconf(name) }).unwrap_or(0)
}

impl Stretch {
    /// Asks for as many addresses as the machine has memory; pages come with their first use. Where they are refused the
    /// stretch is empty.
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
        // SAFETY: addresses that nobody has.
        let found = unsafe { libc::mmap(ptr::null_mut(), length + HUGE, access, kind, -1, 0) };
        if found == libc::MAP_FAILED {
            return 0;
        }
        let base = (found as usize).next_multiple_of(HUGE);
        // SAFETY: the functions are the lock's. A child that could not be prepared for is no worse off than with another
        // allocator that locks.
        unsafe { libc::pthread_atfork(Some(lock), Some(unlock), Some(unlock)) };
        self.ranges = Ranges::new(length);
        BOUNDS[0].store(base, Ordering::Relaxed);
        BOUNDS[1].store(base + length, Ordering::Relaxed);
        base
    }

    fn take(&mut self, length: usize) -> Option<(*mut u8, bool)> {
        let base = self.base.unwrap_or_else(|| self.reserve());
        self.base = Some(base);
        let taken = self.ranges.take(length)?;
        self.grown();
        Some(((base + taken.start) as *mut u8, taken.used))
    }

    /// More is taken.
    fn grown(&mut self) {
        self.peaks[0] = self.peaks[0].max(self.ranges.taken());
        if !self.huge
            && let Some(base) = self.base
            && self.ranges.top() > ORDINARY
        {
            self.huge = true;
            // SAFETY: the stretch is this process's, and keeps what is in it. Both may be refused, and then pages are what
            // they are.
            unsafe {
                libc::madvise(base as *mut _, self.ranges.end(), libc::MADV_HUGEPAGE);
                libc::madvise(base as *mut _, ORDINARY, libc::MADV_COLLAPSE);
            }
        }
    }

    /// What of the stretch an array is.
    fn place(&self, place: *mut u8) -> usize {
        place as usize - self.base.unwrap_or(0)
    }

    fn give(&mut self, start: usize, length: usize) {
        self.ranges.give(start, length);
        if self.holders == 0 {
            self.let_go(KEPT);
        }
    }

    /// Gives pages back to the system until no more than so many bytes of them are idle.
    fn let_go(&mut self, keep: usize) {
        let Some(base) = self.base else { return };
        while let Some(part) = self.ranges.let_go(keep) {
            let (start, end) = (base + part.start, base + part.end);
            let pages = start.next_multiple_of(self.page)..end / self.page * self.page;
            let (before, after) = match pages.is_empty() {
                true => (start..end, end..end),
                false => (start..pages.start, pages.end..end),
            };
            // SAFETY: nobody has this part, and nobody else can take it now. It is zeros afterwards.
            unsafe {
                if !pages.is_empty() && !zeros_come_of_letting_go(&pages) {
                    clear(pages);
                }
                clear(before);
                clear(after);
            }
        }
    }
}

/// Gives pages back. Whether the system took them, and gives zeros: an emulator may take it for advice, which it is elsewhere.
///
/// # Safety
/// Nobody has these addresses of the stretch.
unsafe fn zeros_come_of_letting_go(pages: &Range<usize>) -> bool {
    let first = pages.start as *mut u8;
    // SAFETY: the caller's promise.
    unsafe {
        first.write_volatile(1);
        libc::madvise(first.cast(), pages.len(), libc::MADV_DONTNEED) == 0 && first.read_volatile() == 0
    }
}

/// Writes zeros.
///
/// # Safety
/// Nobody has these addresses of the stretch.
unsafe fn clear(part: Range<usize>) {
    // SAFETY: as above.
    unsafe { (part.start as *mut u8).write_bytes(0, part.len()) };
}

/// Bytes that an array takes: an odd number of cache lines, so that arrays as long as a power of two do not begin at the same
/// place of a page, where a processor takes what is read from one for what was just written to another.
fn room(size: usize) -> usize {
    (size.div_ceil(GRAIN) | 1) * GRAIN
}

/// A place for an array, and whether anything but zeros may be there; none if it is not large or there is no room.
pub(crate) fn take(layout: Layout) -> Option<(*mut u8, bool)> {
    if layout.size() < LARGE || layout.align() > GRAIN {
        return None;
    }
    with(|stretch| stretch.take(room(layout.size())))
}

fn is_within(place: *mut u8) -> bool {
    let [start, end] = BOUNDS.each_ref().map(|bound| bound.load(Ordering::Relaxed));
    (start..end).contains(&(place as usize))
}

/// Gives the place of an array back, if it is of the stretch.
pub(crate) fn give(place: *mut u8, size: usize) -> bool {
    let within = is_within(place);
    if within {
        with(|stretch| stretch.give(stretch.place(place), room(size)));
    }
    within
}

/// Makes an array longer or shorter.
pub(crate) fn resize(place: *mut u8, size: usize, wanted: usize) -> Resized {
    if !is_within(place) {
        return Resized::Elsewhere;
    }
    if wanted < LARGE {
        return Resized::Moves;
    }
    let (had, room) = (room(size), room(wanted));
    with(|stretch| {
        let start = stretch.place(place);
        if room < had {
            stretch.give(start + room, had - room);
        } else if room > had {
            if !stretch.ranges.extend(start, had, room) {
                return Resized::Moves;
            }
            stretch.grown();
        }
        Resized::Done
    })
}

/// One more wants pages kept.
pub(crate) fn hold() {
    with(|stretch| stretch.holders += 1);
}

/// A run begins, and so many bytes of pages may be idle.
pub(crate) fn begin(idle: usize) {
    with(|stretch| {
        let (taken, most) = (stretch.ranges.taken(), stretch.peaks[0].max(stretch.peaks[1]));
        stretch.peaks = [taken, stretch.peaks[0]];
        // Between arrays lie pages that are idle although all is in use.
        let between = most / BETWEEN;
        stretch.let_go((most - taken + between).min(idle) + KEPT);
    });
}

/// One less wants pages kept.
pub(crate) fn let_go() {
    with(|stretch| {
        stretch.holders -= 1;
        if stretch.holders == 0 {
            stretch.let_go(KEPT);
        }
    });
}
