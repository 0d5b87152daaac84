//! The address space: where there is room near code, and pages' protections.

use std::fs;
use std::ops::Range;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU64, Ordering};

pub(crate) use binade_patch::descent::PAGE;

/// The distance that a 32-bit displacement reaches from any byte of an instruction.
const REACH: u64 = (1 << 31) - (1 << 16);

/// Room that is left alone below the main stack, which grows, and above the program's heap.
const GROWTH: u64 = 1 << 28;

/// A way to use memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
    Execute,
}

/// Room near some code, for code: readable, writable, executable, not backed before it is touched.
#[derive(Debug)]
pub(crate) struct Near {
    range: Range<u64>,
    used: u64,
}

/// Sets the protection of whole pages. Returns true if the system agreed.
pub(crate) fn protect(range: Range<u64>, protection: i32) -> bool {
    let start = range.start & !(PAGE - 1);
    let length = (range.end - start).next_multiple_of(PAGE);
    // SAFETY: changes no byte; the callers give ranges of code that they are about to change or have changed.
    unsafe { libc::mprotect(start as *mut _, length as usize, protection) == 0 }
}

/// A sentence about memory that the system refuses, with its limits, which a program inherits.
pub(crate) fn no_memory(purpose: &str) -> String {
    let limit = |resource, name: &str| {
        // SAFETY: all zero is a valid limit, and only it is written.
        let limit = unsafe {
            let mut limit: libc::rlimit = std::mem::zeroed();
            libc::getrlimit(resource, &raw mut limit);
            limit.rlim_cur
        };
        (limit != libc::RLIM_INFINITY)
            .then(|| format!("; `{name}` limits it to {} MiB: raise it", limit >> 20))
    };
    let known = limit(libc::RLIMIT_AS, "ulimit -v").or_else(|| limit(libc::RLIMIT_DATA, "ulimit -d"));
    format!("no memory for {purpose}{}", known.unwrap_or_default())
}

/// The address space's mappings: range and name.
fn mappings() -> Vec<(Range<u64>, String)> {
    let text = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let parse = |line: &str| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let range = u64::from_str_radix(start, 16).ok()?..u64::from_str_radix(end, 16).ok()?;
        Some((range, rest.rsplit(' ').next().unwrap_or("").to_owned()))
    };
    text.lines().filter_map(parse).collect()
}

/// True if every byte of one range reaches every byte of the other.
fn reaches(a: &Range<u64>, b: &Range<u64>) -> bool {
    a.end.max(b.end) - a.start.min(b.start) < REACH
}

/// The reason why there is no space near some code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoSpace {
    /// All addresses in reach are taken.
    Full,
    /// The system refuses memory.
    Refused,
}

impl NoSpace {
    /// The same of the C library, whose functions are replaced.
    pub(crate) fn of_hooks(self) -> &'static str {
        match self {
            NoSpace::Full => "has no room near it",
            NoSpace::Refused => "has no memory near it, since the system refuses it",
        }
    }

    /// The reason as the summary says it.
    pub(crate) fn why(self) -> &'static str {
        match self {
            NoSpace::Full => "no room in reach of the code",
            NoSpace::Refused => "the system refuses memory",
        }
    }
}

impl Near {
    /// Reserves space near `code`.
    pub(crate) fn reserve(code: &Range<u64>, size: u64) -> Result<Near, NoSpace> {
        let size = size.next_multiple_of(PAGE);
        let mut candidates: Vec<u64> = Vec::new();
        let mut free = 1u64 << 16;
        let mut heap_before = false;
        for (range, name) in mappings() {
            // A page apart from what is there, lest an overrun there become a write here.
            let low = free + if heap_before { GROWTH } else { PAGE };
            let high = range.start.saturating_sub(if name == "[stack]" { GROWTH } else { PAGE });
            if high.saturating_sub(low) >= size {
                candidates.push(low);
                candidates.push(high - size);
            }
            free = range.end;
            heap_before = name == "[heap]";
        }
        let distance =
            |start: u64| if start < code.start { code.end - start } else { start + size - code.start };
        candidates.retain(|&start| reaches(&(start..start + size), code));
        candidates.sort_by_key(|&start| distance(start));
        let mut reason = NoSpace::Full;
        for start in candidates {
            let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
            let flags =
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED_NOREPLACE;
            // SAFETY: MAP_FIXED_NOREPLACE replaces no mapping.
            let at = unsafe { libc::mmap(start as *mut _, size as usize, protection, flags, -1, 0) };
            if at as u64 == start {
                return Ok(Near { range: start..start + size, used: 0 });
            }
            if at != libc::MAP_FAILED {
                // SAFETY: an old kernel took the address as a hint; this mapping is ours.
                unsafe { libc::munmap(at, size as usize) };
            } else if std::io::Error::last_os_error().raw_os_error() == Some(libc::ENOMEM) {
                reason = NoSpace::Refused;
            }
        }
        Err(reason)
    }

    /// The address that the next allocation with this alignment has.
    pub(crate) fn next(&self, alignment: u64) -> u64 {
        (self.range.start + self.used).next_multiple_of(alignment)
    }

    /// The address of `size` fresh bytes.
    pub(crate) fn allocate(&mut self, size: u64, alignment: u64) -> Option<u64> {
        let start = self.next(alignment);
        if start + size > self.range.end {
            return None;
        }
        self.used = start + size - self.range.start;
        Some(start)
    }

    /// All of it.
    pub(crate) fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Bytes left.
    pub(crate) fn left(&self) -> u64 {
        self.range.end - self.range.start - self.used
    }

    /// True if code anywhere in it reaches `code` and is reached from there.
    pub(crate) fn is_near(&self, code: &Range<u64>) -> bool {
        reaches(&self.range, code)
    }

    /// Gives it back to the system.
    pub(crate) fn release(self) {
        // SAFETY: the mapping is ours, and the code whose sites led here has been unloaded.
        unsafe { libc::munmap(self.range.start as *mut _, (self.range.end - self.range.start) as usize) };
    }
}

/// Writes bytes into memory that is writable at the moment.
///
/// # Safety
/// `at` is mapped writable for as many bytes, and no thread executes or reads them meanwhile.
pub(crate) unsafe fn write(at: u64, bytes: &[u8]) {
    // SAFETY: the caller has made `at` writable for all bytes, which no thread uses meanwhile.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at as *mut u8, bytes.len()) };
}

/// Where it is kept that the file /proc/self/mem is open: a page that the kernel empties in the child of a fork, of whatever
/// kind, since the file is that of the parent's memory. The file is opened when a process begins, since a sandbox may forbid it
/// later, or end who tries.
static FILE: AtomicPtr<KeptFile> = AtomicPtr::new(std::ptr::null_mut());

/// An open file.
struct KeptFile {
    /// Its descriptor; 0 if it is not open.
    descriptor: AtomicI32,
    /// Device and number, by which it differs from a file that the program has opened under its descriptor since.
    identity: [AtomicU64; 2],
}

impl KeptFile {
    /// The descriptor, if it is open still.
    fn get(&self) -> Option<i32> {
        let known = self.identity.each_ref().map(|known| known.load(Ordering::Relaxed));
        let descriptor = self.descriptor.load(Ordering::Relaxed);
        (descriptor > 0 && identity(descriptor) == Some(known)).then_some(descriptor)
    }

    fn set(&self, descriptor: i32, identity: [u64; 2]) {
        self.identity.iter().zip(identity).for_each(|(known, now)| known.store(now, Ordering::Relaxed));
        self.descriptor.store(descriptor, Ordering::Relaxed);
    }
}

/// The same for the child of a fork, which closes it.
static LAST: KeptFile =
    KeptFile { descriptor: AtomicI32::new(0), identity: [const { AtomicU64::new(0) }; 2] };

/// The device and number of a descriptor's file.
fn identity(file: i32) -> Option<[u64; 2]> {
    // SAFETY: all zero is a valid `stat`, and only it is written.
    unsafe {
        let mut status: libc::stat = std::mem::zeroed();
        (libc::fstat(file, &raw mut status) == 0).then_some([status.st_dev, status.st_ino])
    }
}

/// Opens this process's memory as a file, under a number that programs seldom use or close.
fn open_file() -> Option<i32> {
    /// select(2) knows no descriptors from here on.
    const HIGH: u64 = 1024;
    // SAFETY: a path that ends in zero; the descriptors are ours; all zero is a valid limit.
    unsafe {
        let low = libc::open(c"/proc/self/mem".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        if low < 0 {
            return None;
        }
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit);
        let from = limit.rlim_cur.min(HIGH).saturating_sub(16) as i32;
        let high = libc::fcntl(low, libc::F_DUPFD_CLOEXEC, from);
        if high < 0 {
            return Some(low);
        }
        libc::close(low);
        Some(high)
    }
}

/// The open file of this process's memory, made at the first call.
fn kept_file() -> Option<&'static KeptFile> {
    let known = FILE.load(Ordering::Relaxed);
    if !known.is_null() {
        // SAFETY: the mapping below, which stays; zero is valid for all that is in it.
        return Some(unsafe { &*known });
    }
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a fresh mapping touches nothing that exists.
    let page = unsafe { libc::mmap(std::ptr::null_mut(), PAGE as usize, protection, flags, -1, 0) };
    // SAFETY: the mapping is ours.
    if page == libc::MAP_FAILED || unsafe { libc::madvise(page, PAGE as usize, libc::MADV_WIPEONFORK) } != 0 {
        return None;
    }
    FILE.store(page.cast(), Ordering::Relaxed);
    // SAFETY: the mapping stays for good, and zero is valid for all of a `KeptFile`.
    Some(unsafe { &*page.cast::<KeptFile>() })
}

/// Opens this process's memory as a file, when the process begins, be it as the child of a fork. Without it, memory is made
/// writable for a moment instead.
pub(crate) fn open_own() {
    if let Some(parents) = LAST.get() {
        // SAFETY: the descriptor is this module's.
        unsafe { libc::close(parents) };
    }
    let Some(kept) = kept_file() else { return };
    let Some(file) = open_file() else { return };
    let Some(found) = identity(file) else { return };
    kept.set(file, found);
    LAST.set(file, found);
}

/// Replaces bytes in private memory of this process, whatever its protection, through its file; where that is forbidden, by
/// making it writable for a moment. Whether they were `old` before and are `new` now.
///
/// # Safety
/// `at` is mapped readable for as many bytes, and neither written nor executed meanwhile.
pub(crate) unsafe fn replace(at: u64, old: &[u8], new: &[u8]) -> bool {
    debug_assert_eq!(old.len(), new.len());
    let range = at..at + old.len() as u64;
    // SAFETY: the range is mapped readable, and not written meanwhile.
    if unsafe { view(range.clone()) } != old {
        return false;
    }
    if let Some(file) = kept_file().and_then(KeptFile::get) {
        // SAFETY: the buffer is as long as said; the file is this process's memory, where only the range changes.
        let written = unsafe { libc::pwrite(file, new.as_ptr().cast(), new.len(), at as libc::off_t) };
        if written == new.len() as isize {
            return true;
        }
    }
    if !protect(range.clone(), libc::PROT_READ | libc::PROT_WRITE) {
        return false;
    }
    // Another thread may write beside it now, and this, too, if it was about to.
    // SAFETY: the range is still mapped readable.
    let same = unsafe { view(range.clone()) == old };
    if same {
        // SAFETY: the pages are writable now, and no thread executes or writes these bytes.
        unsafe { write(at, new) };
    }
    protect(range.clone(), libc::PROT_READ);
    // SAFETY: the range is mapped readable again, and not written meanwhile.
    same && unsafe { view(range) } == new
}

/// True if the address space allows an access to the byte at an address.
pub(crate) fn allows(address: u64, access: Access) -> bool {
    let text = fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let allowed = |line: &str| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let range = u64::from_str_radix(start, 16).ok()?..u64::from_str_radix(end, 16).ok()?;
        let letter = match access {
            Access::Read => 'r',
            Access::Write => 'w',
            Access::Execute => 'x',
        };
        range.contains(&address).then(|| rest.get(..4).is_some_and(|letters| letters.contains(letter)))
    };
    text.lines().find_map(allowed).unwrap_or(false)
}

/// All protection keys' memory, opened to this thread for a while: in a handler the kernel closes it, and a program may have.
pub(crate) struct Keys(Option<u32>);

impl Keys {
    /// Opens it.
    pub(crate) fn open() -> Keys {
        use std::arch::asm;
        use std::arch::x86_64::__cpuid_count;
        const OSPKE: u32 = 1 << 4;
        /// 0 unknown, 1 no, 2 yes.
        static KNOWN: AtomicI32 = AtomicI32::new(0);
        if KNOWN.load(Ordering::Relaxed) == 0 {
            let enabled = __cpuid_count(7, 0).ecx & OSPKE != 0;
            KNOWN.store(1 + enabled as i32, Ordering::Relaxed);
        }
        if KNOWN.load(Ordering::Relaxed) == 1 {
            return Keys(None);
        }
        let before: u32;
        // SAFETY: RDPKRU and WRPKRU exist where OSPKE is set; they change what this thread may reach, and `drop` undoes it.
        unsafe {
            asm!("rdpkru", in("ecx") 0, out("eax") before, out("edx") _, options(nomem, nostack));
            if before != 0 {
                asm!("wrpkru", in("ecx") 0, in("eax") 0, in("edx") 0, options(nostack));
            }
        }
        Keys(Some(before).filter(|&before| before != 0))
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        if let Some(before) = self.0 {
            // SAFETY: what the register held.
            unsafe {
                std::arch::asm!("wrpkru", in("ecx") 0, in("eax") before, in("edx") 0, options(nostack))
            };
        }
    }
}

/// A view of `size` bytes that may not be mapped, or not be readable, or lie beyond the last address: nothing then.
pub(crate) fn read<'a>(address: u64, size: u64) -> Option<&'a [u8]> {
    /// Bytes of the kernel's set of signals.
    const WORD: u64 = 8;
    let range = address..address.checked_add(size)?;
    // A null pointer is not a word to the kernel, and nothing that it would look at.
    if address < PAGE {
        return None;
    }
    let readable = |word: u64| {
        // SAFETY: no system call changes the mask for a `how` that is none, and the kernel copies the word before it looks at
        // that: it is EFAULT that tells of memory that cannot be read.
        let result = unsafe {
            let none = std::ptr::null_mut::<u64>();
            libc::syscall(libc::SYS_rt_sigprocmask, -1, word as *const u64, none, WORD)
        };
        result == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::EFAULT)
    };
    let mut words = (range.start & !(WORD - 1)..range.end).step_by(WORD as usize);
    // SAFETY: all of it can be read. A program that unmaps what its running code reads would fault natively, too.
    words.all(readable).then(|| unsafe { view(range) })
}

/// A copy of memory that the program may change or unmap meanwhile; nothing if it cannot all be read.
pub(crate) fn copy(range: Range<u64>) -> Option<Vec<u8>> {
    let length = usize::try_from(range.end.checked_sub(range.start)?).ok()?;
    let mut bytes = vec![0; length];
    let to = libc::iovec { iov_base: bytes.as_mut_ptr().cast(), iov_len: length };
    let from = libc::iovec { iov_base: range.start as *mut _, iov_len: length };
    // SAFETY: the kernel writes as many bytes as `to` has at most, and looks itself at what it reads.
    let copied = unsafe { libc::process_vm_readv(libc::getpid(), &raw const to, 1, &raw const from, 1, 0) };
    (copied as usize == length).then_some(bytes)
}

/// A view of mapped memory.
///
/// # Safety
/// The range is mapped readable, and not written while the view is used.
pub(crate) unsafe fn view<'a>(range: Range<u64>) -> &'a [u8] {
    // SAFETY: the caller's range is mapped readable, and not written while the view is used.
    unsafe { std::slice::from_raw_parts(range.start as *const u8, (range.end - range.start) as usize) }
}

/// The five bytes of a jump from `at` to `to`, which the caller knows to be within reach.
pub(crate) fn jump(at: u64, to: u64) -> [u8; 5] {
    let displacement =
        i32::try_from(to.wrapping_sub(at + 5) as i64).expect("room was allocated within reach");
    let mut bytes = [0xe9; 5];
    bytes[1..].copy_from_slice(&displacement.to_le_bytes());
    bytes
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Pages of the test's own, with some bytes at their start.
    pub(crate) fn pages(count: u64, protection: i32, bytes: &[u8]) -> u64 {
        let (writable, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a fresh mapping touches nothing that exists.
        let at = unsafe { libc::mmap(std::ptr::null_mut(), (count * PAGE) as usize, writable, flags, -1, 0) };
        assert_ne!(at, libc::MAP_FAILED);
        // SAFETY: the mapping is writable, and no other thread knows it.
        unsafe { write(at as u64, bytes) };
        assert!(protect(at as u64..at as u64 + count * PAGE, protection));
        at as u64
    }

    #[test]
    fn reserve_near_code_is_in_reach() {
        let code = pages(1, libc::PROT_READ, &[]);
        let code = code..code + PAGE;
        let mut near = Near::reserve(&code, 3 * PAGE).unwrap();
        assert!(near.is_near(&code) && near.left() == 3 * PAGE);
        let first = near.allocate(10, 16).unwrap();
        assert_eq!((near.allocate(1, 16), near.allocate(3 * PAGE, 1)), (Some(first + 16), None));
        near.release();
    }

    #[test]
    fn reserve_more_than_the_reach_is_full() {
        let code = pages(1, libc::PROT_READ, &[]);
        assert_eq!(Near::reserve(&(code..code + PAGE), 1 << 32).err(), Some(NoSpace::Full));
    }

    #[test]
    fn read_beyond_the_mapping_is_none() {
        let at = pages(2, libc::PROT_READ, &[1, 2, 3]);
        assert!(protect(at + PAGE..at + 2 * PAGE, libc::PROT_NONE));
        assert_eq!(read(at, 3), Some(&[1, 2, 3][..]));
        assert!(read(at + PAGE - 4, 4).is_some() && read(at + PAGE - 4, 5).is_none());
        assert!(read(0, 4).is_none() && read(u64::MAX, 4).is_none());
        assert!(copy(at..at + 3).is_some() && copy(at + PAGE - 1..at + PAGE + 1).is_none());
    }

    #[test]
    fn replace_of_other_bytes_changes_nothing() {
        let at = pages(1, libc::PROT_READ, &[1, 2, 3, 4]);
        // SAFETY: pages of this test's own, which nothing else reaches.
        unsafe {
            assert!(!replace(at, &[9, 9], &[7, 7]));
            assert!(replace(at + 1, &[2, 3], &[7, 8]));
            assert_eq!(view(at..at + 4), [1, 7, 8, 4]);
        }
        assert!(allows(at, Access::Read) && !allows(at, Access::Write), "the protection stays");
    }

    #[test]
    fn no_memory_names_its_purpose() {
        assert!(no_memory("a thread").starts_with("no memory for a thread"));
    }
}
