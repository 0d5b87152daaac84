//! Writing the process's [record](binade_profile::record), a mapped file.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use binade_profile::config::Config;
use binade_profile::profile::COUNTERS;
use binade_profile::record::{
    self, Counter, DROPPED, HEADER, Kind, MAGIC, OBJECT_COUNTERS, Object, Process, USED,
};

/// Bytes of a record without a profile. The file is sparse: only what is written takes room.
const SIZE: usize = 16 << 20;
/// Bytes of a record with one.
const PROFILE_SIZE: usize = 1 << 30;

/// The record of this process.
pub(crate) struct Record {
    /// Null where the file could not be made; then nothing is written.
    base: *mut u8,
    size: usize,
    objects: u64,
    /// Whether functions and refusals are written too.
    why: bool,
}

/// An object's place in the record: its index and its counters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectRecord {
    index: u64,
    counters: *const AtomicU64,
}

impl ObjectRecord {
    /// What tells objects apart.
    pub(crate) fn index(&self) -> u64 {
        self.index
    }

    /// Counts.
    pub(crate) fn count(&self, counter: Counter, amount: u64) {
        if !self.counters.is_null() {
            // SAFETY: OBJECT_COUNTERS aligned words, mapped as long as the process lives.
            unsafe { &*self.counters.add(counter as usize) }.fetch_add(amount, Ordering::Relaxed);
        }
    }
}

impl Record {
    /// Makes the file of this process.
    pub(crate) fn create(config: &Config) -> Record {
        let size = if config.profile { PROFILE_SIZE } else { SIZE };
        let mut record = Record { base: ptr::null_mut(), size, objects: 0, why: config.why };
        record.base = map_file(&config.directory, size, ptr::null_mut());
        record.begin();
        record
    }

    /// Gives a forked child a file of its own, with what the parent's says of objects, at the same address.
    pub(crate) fn fork(&mut self, config: &Config) {
        if self.base.is_null() {
            return;
        }
        let used = self.word(USED).load(Ordering::Acquire) as usize;
        // SAFETY: the bytes used are mapped.
        let copy = unsafe { crate::memory::view(self.base as u64..self.base as u64 + used as u64) }.to_vec();
        let base = map_file(&config.directory, self.size, self.base);
        if base.is_null() {
            // The parent's file stays mapped, and takes the child's counts too.
            return;
        }
        // SAFETY: the new file is mapped there, and no other thread exists in the child.
        unsafe { crate::memory::write(base as u64, &copy) };
        let process = process(true);
        // SAFETY: the process's record is the first, and as long in every file.
        unsafe { crate::memory::write(base as u64 + HEADER as u64, &process) };
        self.clear_histograms();
    }

    /// What the parent has counted is in the parent's file.
    fn clear_histograms(&mut self) {
        let used = self.word(USED).load(Ordering::Relaxed) as usize;
        let mut at = HEADER;
        while at + 16 <= used {
            let (kind, length) =
                (self.word(at).load(Ordering::Relaxed), self.word(at + 8).load(Ordering::Relaxed));
            if kind == Kind::Histogram as u64 {
                for index in 1..=COUNTERS {
                    self.word(at + 16 + 8 * index).store(0, Ordering::Relaxed);
                }
            }
            at += (length as usize).max(16);
        }
    }

    fn word(&self, at: usize) -> &AtomicU64 {
        // SAFETY: `at` is below the bytes used and a multiple of 8, and the file is aligned to a page.
        unsafe { AtomicU64::from_ptr(self.base.add(at).cast()) }
    }

    fn begin(&mut self) {
        if self.base.is_null() {
            return;
        }
        self.word(0).store(MAGIC, Ordering::Relaxed);
        let process = process(false);
        // SAFETY: the file is larger than its header and this record.
        unsafe { crate::memory::write(self.base as u64 + HEADER as u64, &process) };
        self.word(USED).store((HEADER + process.len()) as u64, Ordering::Release);
    }

    /// Appends a record; the address of its body, or null if it does not fit.
    fn append(&mut self, kind: Kind, counters: &[u64], text: &str) -> *mut u8 {
        if self.base.is_null() {
            return ptr::null_mut();
        }
        let bytes = record::encode(kind, counters, text);
        let used = self.word(USED).load(Ordering::Relaxed) as usize;
        if used + bytes.len() > self.size {
            self.word(DROPPED).fetch_add(1, Ordering::Relaxed);
            return ptr::null_mut();
        }
        // SAFETY: the file is mapped for `size` bytes, and what is not used yet is nobody's.
        let body = unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.base.add(used), bytes.len());
            self.base.add(used + 16)
        };
        self.word(USED).store((used + bytes.len()) as u64, Ordering::Release);
        body
    }

    /// Appends an object.
    pub(crate) fn object(&mut self, path: &str) -> ObjectRecord {
        let object = serde_json::to_string(&Object { path: path.to_owned() }).unwrap_or_default();
        let counters = self.append(Kind::Object, &[0; OBJECT_COUNTERS], &object);
        let index = self.objects;
        if !counters.is_null() {
            self.objects += 1;
        }
        ObjectRecord { index, counters: counters.cast() }
    }

    /// Says that sites of an object were left alone.
    pub(crate) fn skipped(&mut self, object: ObjectRecord, count: u64, why: &str) {
        if !object.counters.is_null() && count > 0 {
            self.append(Kind::Skipped, &[object.index, count], why);
        }
    }

    /// Whether functions are said one by one.
    pub(crate) fn says_why(&self) -> bool {
        self.why
    }

    /// Says how many multiply-adds of a function the operator computes, and how many it does not.
    pub(crate) fn function(&mut self, object: ObjectRecord, symbol: &str, emulated: u64, native: u64) {
        if self.why && !object.counters.is_null() {
            self.append(Kind::Function, &[object.index, emulated, native], symbol);
        }
    }

    /// Says why a loop of an object is not translated whole.
    pub(crate) fn refused(&mut self, object: ObjectRecord, why: &str) {
        if self.why && !object.counters.is_null() {
            self.append(Kind::Refused, &[object.index, 1], why);
        }
    }

    /// Says that a checked region differed.
    pub(crate) fn difference(&mut self, object: ObjectRecord, what: &str) {
        if !object.counters.is_null() {
            self.append(Kind::Difference, &[object.index], what);
        }
    }

    /// Says something.
    pub(crate) fn note(&mut self, text: &str) {
        self.append(Kind::Note, &[], text);
    }

    /// Room for a function's counters under `--profile`, or null.
    pub(crate) fn histogram(&mut self, object: ObjectRecord, symbol: &str) -> *mut u64 {
        if object.counters.is_null() {
            return ptr::null_mut();
        }
        let mut counters = vec![0; 1 + COUNTERS];
        counters[0] = object.index;
        let body = self.append(Kind::Histogram, &counters, symbol);
        // SAFETY: the counters follow the index in the body.
        if body.is_null() { ptr::null_mut() } else { unsafe { body.cast::<u64>().add(1) } }
    }
}

/// The record of this process, of the same length in all of them.
fn process(forked: bool) -> Vec<u8> {
    /// Longer than the JSON with any path.
    const LENGTH: usize = 5 * 4096;
    let executable = std::fs::read_link("/proc/self/exe").unwrap_or_default();
    let process = Process {
        pid: std::process::id(),
        parent: std::os::unix::process::parent_id(),
        executable: executable.to_string_lossy().into_owned(),
        started: now(),
        rank: rank(),
        forked,
    };
    let mut text = serde_json::to_string(&process).unwrap_or_default();
    text.truncate(LENGTH);
    text.extend(std::iter::repeat_n('\0', LENGTH - text.len()));
    record::encode(Kind::Process, &[], &text)
}

/// What launchers of processes that work together call this one: torchrun, Open MPI, MPICH, Slurm.
fn rank() -> Option<String> {
    /// Longer than any rank.
    const LENGTH: usize = 20;
    let names = ["RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"];
    let value = |name| std::env::var(name).ok();
    names.into_iter().find_map(value).filter(|rank| (1..=LENGTH).contains(&rank.len()))
}

/// Nanoseconds of the monotonic clock.
fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes the structure.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Makes and maps a file of the directory, at `address` unless that is null; null if it cannot be.
fn map_file(directory: &Path, size: usize, address: *mut u8) -> *mut u8 {
    let pid = std::process::id();
    for attempt in 0..1000 {
        let path = directory.join(format!("{pid}.{attempt}"));
        let Ok(path) = CString::new(path.as_os_str().as_bytes()) else { return ptr::null_mut() };
        let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
        // SAFETY: a path that ends in zero.
        let file = unsafe { libc::open(path.as_ptr(), flags, 0o600) };
        if file < 0 {
            if std::io::Error::last_os_error().kind() == std::io::ErrorKind::AlreadyExists {
                continue;
            }
            return ptr::null_mut();
        }
        let fixed = if address.is_null() { 0 } else { libc::MAP_FIXED };
        let (protection, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_NORESERVE | fixed);
        // SAFETY: a fresh mapping, or one over this record's old file, of the same size.
        let base = unsafe {
            let sized = libc::ftruncate(file, size as libc::off_t) == 0;
            let base = if sized {
                libc::mmap(address.cast(), size, protection, flags, file, 0)
            } else {
                libc::MAP_FAILED
            };
            libc::close(file);
            base
        };
        return if base == libc::MAP_FAILED { ptr::null_mut() } else { base.cast() };
    }
    ptr::null_mut()
}
