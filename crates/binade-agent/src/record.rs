//! Writing the process's [record](binade_profile::record), a mapped file.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};

use binade_patch::native::NativeType;
use binade_profile::config::Config;
use binade_profile::profile::{COUNTERS, SITE_COUNTERS};
use binade_profile::record::{
    self, Counter, DROPPED, FunctionName, HEADER, MAGIC, OBJECT_COUNTERS, Object, Process, RecordKind, USED,
};

use crate::memory::{self, NoSpace};

/// Bytes of a record without instructions one by one. The file is sparse: only what is written takes room.
const SIZE: usize = 16 << 20;
/// Bytes of a record with them, for a profile or `--why`.
const PROFILE_SIZE: usize = 1 << 30;

/// The record of this process.
pub(crate) struct Record {
    /// Null where the file could not be made; then nothing is written.
    base: *mut u8,
    size: usize,
    objects: u64,
    /// True if functions and refusals are written too.
    why: bool,
    /// True once it has been said that the system refuses memory.
    short_of_memory: bool,
}

/// An object's place in the record: its index and its counters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectRecord {
    index: u64,
    /// A hash of its file's name.
    hash: u64,
    counters: *const AtomicU64,
}

impl ObjectRecord {
    /// The number of the object.
    pub(crate) fn index(&self) -> u64 {
        self.index
    }

    /// A hash of the name of its file, the same in each run.
    pub(crate) fn hash(&self) -> u64 {
        self.hash
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
    ///
    /// # Errors
    /// If there can be none: the reason.
    pub(crate) fn create(config: &Config) -> Result<Record, String> {
        let size = if config.profile || config.why { PROFILE_SIZE } else { SIZE };
        let failed = |error: io::Error| match error.raw_os_error() {
            Some(libc::ENOMEM) => memory::no_memory("its record"),
            _ => format!("its record cannot be written to {}: {error}", config.directory.display()),
        };
        let base = map_file(&config.directory, size, ptr::null_mut()).map_err(failed)?;
        let mut record = Record { base, size, objects: 0, why: config.why, short_of_memory: false };
        record.begin();
        Ok(record)
    }

    /// Gives a forked child a file of its own, with what the parent's says of objects, at the same address.
    pub(crate) fn fork(&mut self, config: &Config) {
        if self.base.is_null() {
            return;
        }
        let used = self.word(USED).load(Ordering::Acquire) as usize;
        // SAFETY: the bytes used are mapped.
        let copy = unsafe { memory::view(self.base as u64..self.base as u64 + used as u64) }.to_vec();
        // Without a file of its own, the parent's stays mapped and takes the child's counts too.
        let Ok(base) = map_file(&config.directory, self.size, self.base) else { return };
        // SAFETY: the new file is mapped there, and no other thread exists in the child.
        unsafe { memory::write(base as u64, &copy) };
        let process = process(true);
        // SAFETY: the process's record is the first, and as long in every file.
        unsafe { memory::write(base as u64 + HEADER as u64, &process) };
        self.clear_histograms();
    }

    /// Clears the counts that the parent has in its own file.
    fn clear_histograms(&mut self) {
        let used = self.word(USED).load(Ordering::Relaxed) as usize;
        let mut at = HEADER;
        while at + 16 <= used {
            let (kind, length) =
                (self.word(at).load(Ordering::Relaxed), self.word(at + 8).load(Ordering::Relaxed));
            let counters = match kind {
                kind if kind == RecordKind::Histogram as u64 => COUNTERS_AT..COUNTERS_AT + COUNTERS,
                kind if kind == RecordKind::SiteCounts as u64 => {
                    SITE_COUNTERS_AT..SITE_COUNTERS_AT + SITE_COUNTERS
                }
                _ => 0..0,
            };
            for index in counters {
                self.word(at + 16 + 8 * index).store(0, Ordering::Relaxed);
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
        unsafe { memory::write(self.base as u64 + HEADER as u64, &process) };
        self.word(USED).store((HEADER + process.len()) as u64, Ordering::Release);
    }

    /// Appends a record; the address of its body, or null if it does not fit.
    fn append(&mut self, kind: RecordKind, counters: &[u64], text: &str) -> *mut u8 {
        if self.base.is_null() {
            return ptr::null_mut();
        }
        let bytes = record::encode(kind, counters, text);
        let used = self.word(USED).load(Ordering::Relaxed) as usize;
        if used + bytes.len() > self.size {
            self.word(DROPPED).fetch_add(1, Ordering::Relaxed);
            return ptr::null_mut();
        }
        // SAFETY: the file is mapped for `size` bytes, and the lock keeps other threads from the unused ones.
        let body = unsafe {
            ptr::copy_nonoverlapping(bytes.as_ptr(), self.base.add(used), bytes.len());
            self.base.add(used + 16)
        };
        self.word(USED).store((used + bytes.len()) as u64, Ordering::Release);
        body
    }

    /// Appends an object.
    pub(crate) fn object(&mut self, object: &Object) -> ObjectRecord {
        let hash = hash(object.path.rsplit('/').next().unwrap_or_default());
        let object = serde_json::to_string(object).unwrap_or_default();
        let counters = self.append(RecordKind::Object, &[0; OBJECT_COUNTERS], &object);
        let index = self.objects;
        if !counters.is_null() {
            self.objects += 1;
        }
        ObjectRecord { index, hash, counters: counters.cast() }
    }

    /// Says that sites of an object were left alone.
    pub(crate) fn skipped(&mut self, object: ObjectRecord, count: u64, why: &str) {
        if !object.counters.is_null() && count > 0 {
            self.append(RecordKind::Skipped, &[object.index, count], why);
        }
        if why == NoSpace::Refused.why() && !std::mem::replace(&mut self.short_of_memory, true) {
            self.failure(&memory::no_memory("the code of multiply-adds, which stay native"));
        }
    }

    /// Says why multiply-adds are native although the operator should compute them.
    pub(crate) fn failure(&mut self, text: &str) {
        self.append(RecordKind::Failure, &[], text);
    }

    /// True if functions are said one by one.
    pub(crate) fn says_why(&self) -> bool {
        self.why
    }

    /// Says how many multiply-adds of a function the operator computes, and how many it does not.
    pub(crate) fn function(&mut self, object: ObjectRecord, name: &FunctionName, emulated: u64, native: u64) {
        if self.why && !object.counters.is_null() {
            let ([mapping, offset], symbol) = name.parts();
            let words = [object.index, mapping, offset, emulated, native];
            self.append(RecordKind::Function, &words, symbol);
        }
    }

    /// Says how many multiply-adds of a function an operator computes, where there are several operators.
    pub(crate) fn operator(&mut self, object: ObjectRecord, name: &FunctionName, operator: &str, count: u64) {
        if !object.counters.is_null() {
            let ([mapping, offset], symbol) = name.parts();
            let words = [object.index, mapping, offset, count];
            self.append(RecordKind::Operator, &words, &format!("{operator} {symbol}"));
        }
    }

    /// Says how many multiply-adds of an object a rule applies to.
    pub(crate) fn rule(&mut self, object: ObjectRecord, rule: usize, count: u64) {
        if !object.counters.is_null() {
            self.append(RecordKind::Rule, &[object.index, rule as u64, count], "");
        }
    }

    /// Says why a loop of an object is not translated whole.
    pub(crate) fn refused(&mut self, object: ObjectRecord, why: &str) {
        if self.why && !object.counters.is_null() {
            self.append(RecordKind::Refused, &[object.index, 1], why);
        }
    }

    /// Says that a checked region differed at an instruction, whose address is as the object's file counts it.
    pub(crate) fn difference(&mut self, object: ObjectRecord, address: u64, what: &str) {
        if !object.counters.is_null() {
            self.append(RecordKind::Difference, &[object.index, address], what);
        }
    }

    /// Says that the operator computes a multiply-add of a function, or that it is native.
    pub(crate) fn site(&mut self, object: ObjectRecord, name: &FunctionName, address: u64, emulated: bool) {
        if self.why && !object.counters.is_null() {
            let ([mapping, offset], symbol) = name.parts();
            let words = [object.index, mapping, offset, address, u64::from(emulated)];
            self.append(RecordKind::Site, &words, symbol);
        }
    }

    /// Says something.
    pub(crate) fn note(&mut self, text: &str) {
        self.append(RecordKind::Note, &[], text);
    }

    /// Says that another program is about to take the place of this one.
    pub(crate) fn exec(&mut self, path: &str) -> PendingExec {
        let words = [u64::from(std::process::id()), now()];
        PendingExec(self.append(RecordKind::Exec, &words, path).cast())
    }

    /// The counters of a function under `--profile`, or null if there is no space for them.
    pub(crate) fn histogram(&mut self, object: ObjectRecord, name: &FunctionName) -> *mut u64 {
        let ([mapping, offset], symbol) = name.parts();
        self.counters(object, RecordKind::Histogram, [object.index, mapping, offset], COUNTERS, symbol)
    }

    /// The counters of an instruction of a function under `--profile`, or null if there is no space for them.
    pub(crate) fn site_counts(
        &mut self,
        object: ObjectRecord,
        name: &FunctionName,
        address: u64,
    ) -> *mut u64 {
        let ([mapping, offset], symbol) = name.parts();
        let words = [object.index, mapping, offset, address];
        self.counters(object, RecordKind::SiteCounts, words, SITE_COUNTERS, symbol)
    }

    /// Appends `count` counters of zero behind the words that say what they count.
    fn counters<const AT: usize>(
        &mut self,
        object: ObjectRecord,
        kind: RecordKind,
        first: [u64; AT],
        count: usize,
        symbol: &str,
    ) -> *mut u64 {
        if object.counters.is_null() {
            return ptr::null_mut();
        }
        let mut words = vec![0; AT + count];
        words[..AT].copy_from_slice(&first);
        let body = self.append(kind, &words, symbol);
        // SAFETY: the body has `AT` words before the counters.
        if body.is_null() { ptr::null_mut() } else { unsafe { body.cast::<u64>().add(AT) } }
    }
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The counter of native instructions of a type.
pub(crate) fn counter_of(native: NativeType) -> Counter {
    match native {
        NativeType::Double => Counter::Double,
        NativeType::Half => Counter::Half,
        NativeType::Dot => Counter::Dot,
        NativeType::Across => Counter::Across,
        NativeType::SeparateDouble => Counter::SeparateDouble,
        NativeType::SeparateHalf => Counter::SeparateHalf,
        NativeType::X87 => Counter::X87,
        NativeType::Rare => Counter::Rare,
    }
}

/// Words of a histogram's record before its counters: the object and the function's place.
const COUNTERS_AT: usize = 3;
/// Words of an instruction's record before its counters: the object, the function's place and the address.
const SITE_COUNTERS_AT: usize = 4;

/// The record of a call of execve(2). Its first word is the process's number while the call may succeed.
#[derive(Clone, Copy)]
pub(crate) struct PendingExec(*const AtomicU64);

impl PendingExec {
    /// Takes the record back, since the call has failed.
    pub(crate) fn cancel(self) {
        // SAFETY: null, or an aligned word of the record, which stays mapped while the process runs this program.
        if let Some(word) = unsafe { self.0.as_ref() } {
            word.store(0, Ordering::Relaxed);
        }
    }
}

/// Writes the file of a process in which nothing is changed, without mapping memory for it.
pub(crate) fn report_failure(config: &Config, text: &str) {
    let process = process(false);
    let failure = record::encode(RecordKind::Failure, &[], text);
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC.to_le_bytes());
    let used = (HEADER + process.len() + failure.len()) as u64;
    header[USED..USED + 8].copy_from_slice(&used.to_le_bytes());
    let _ = create_file(&config.directory).and_then(|mut file| {
        file.write_all(&header)?;
        file.write_all(&process)?;
        file.write_all(&failure)
    });
}

/// The record of this process, of the same length in all of them.
fn process(forked: bool) -> Vec<u8> {
    /// Longer than the JSON with any path.
    const LENGTH: usize = 5 * 4096;
    let process = Process {
        pid: std::process::id(),
        parent: std::os::unix::process::parent_id(),
        executable: crate::executable::path(),
        started: now(),
        rank: rank(),
        forked,
    };
    let mut text = serde_json::to_string(&process).unwrap_or_default();
    text.truncate(LENGTH);
    text.extend(std::iter::repeat_n('\0', LENGTH - text.len()));
    record::encode(RecordKind::Process, &[], &text)
}

/// The rank that a launcher of processes gives this one: torchrun, Open MPI, MPICH, Slurm.
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

/// Makes a file of this process in the directory.
fn create_file(directory: &Path) -> io::Result<File> {
    let pid = std::process::id();
    let create = |attempt: u32| {
        let path = directory.join(format!("{pid}.{attempt}"));
        File::options().read(true).write(true).create_new(true).mode(0o600).open(path)
    };
    let is_taken = |made: &io::Result<File>| {
        made.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists)
    };
    (0..1000).map(create).find(|made| !is_taken(made)).unwrap_or(Err(io::ErrorKind::AlreadyExists.into()))
}

/// Makes and maps a file of the directory, at `address` unless that is null.
fn map_file(directory: &Path, size: usize, address: *mut u8) -> io::Result<*mut u8> {
    let file = create_file(directory)?;
    file.set_len(size as u64)?;
    let fixed = if address.is_null() { 0 } else { libc::MAP_FIXED };
    let (protection, flags) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_NORESERVE | fixed);
    // SAFETY: without an address the mapping is fresh. With one it replaces this record's old file, of the same size.
    let base = unsafe { libc::mmap(address.cast(), size, protection, flags, file.as_raw_fd(), 0) };
    if base == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(base.cast()) }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A folder for records that is removed when it is dropped.
    pub(crate) struct Scratch(PathBuf);

    impl Scratch {
        pub(crate) fn new(name: &str) -> Scratch {
            let path = std::env::temp_dir().join(format!("binade-agent-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }

        pub(crate) fn config(&self) -> Config {
            Config { directory: self.0.clone(), why: true, ..Config::default() }
        }

        /// The records that have been written.
        pub(crate) fn read(&self) -> Vec<record::Summary> {
            let entries = std::fs::read_dir(&self.0).unwrap().flatten();
            entries.map(|entry| record::read(&std::fs::read(entry.path()).unwrap()).unwrap()).collect()
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn record_of_objects_and_functions_is_read_back() {
        let scratch = Scratch::new("objects");
        let mut record = Record::create(&scratch.config()).unwrap();
        let object = record.object(&Object { path: "/lib/a.so".into(), code: 9, left_alone: false });
        object.count(Counter::Found, 2);
        object.count(Counter::Found, 1);
        record.function(object, &FunctionName::Place { mapping: 0, offset: 0x40 }, 2, 1);
        record.skipped(object, 0, "nothing");
        let read = &scratch.read()[0];
        assert_eq!((read.process.pid, read.objects[0].found), (std::process::id(), 3));
        let (name, counts) = read.objects[0].functions.first_key_value().unwrap();
        assert_eq!((name.in_object("/lib/a.so").to_string(), *counts), ("a.so+0x40".to_owned(), (2, 1)));
        assert!(read.objects[0].skipped.is_empty());
    }

    #[test]
    fn exec_that_fails_is_taken_back() {
        let scratch = Scratch::new("exec");
        let mut record = Record::create(&scratch.config()).unwrap();
        record.exec("/bin/one").cancel();
        record.exec("/bin/two");
        let execs = &scratch.read()[0].execs;
        assert_eq!(execs.iter().map(|exec| exec.pid).collect::<Vec<_>>(), [0, std::process::id()]);
    }

    #[test]
    fn skipped_for_want_of_memory_is_one_failure() {
        let scratch = Scratch::new("memory");
        let mut record = Record::create(&scratch.config()).unwrap();
        let object = record.object(&Object::default());
        record.skipped(object, 1, NoSpace::Full.why());
        assert!(scratch.read()[0].failures.is_empty());
        record.skipped(object, 1, NoSpace::Refused.why());
        record.skipped(object, 1, NoSpace::Refused.why());
        assert_eq!(scratch.read()[0].failures.len(), 1);
    }

    #[test]
    fn create_in_missing_folder_is_an_error() {
        let config = Config { directory: "/no/such/folder".into(), ..Config::default() };
        let why = Record::create(&config).err().unwrap();
        assert!(why.starts_with("its record cannot be written to /no/such/folder: "), "{why}");
    }

    #[test]
    fn report_failure_leaves_a_process_with_its_reason() {
        let scratch = Scratch::new("failure");
        report_failure(&scratch.config(), "ran natively: no memory");
        let read = &scratch.read()[0];
        assert_eq!(
            (read.process.pid, &read.failures[..]),
            (std::process::id(), &["ran natively: no memory".to_owned()][..])
        );
    }
}
