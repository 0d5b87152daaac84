//! Atomic output files for both writers: a file appears under its name only when it is complete.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use crate::positioned;
use crate::{Error, Problem};

/// Policy for an existing file of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfExists {
    /// Refuse to write, before anything is written.
    Refuse,
    /// Replace it in one step when the new file is complete. The permissions of the old file stay.
    Replace,
}

/// Unfinished temporary files of this process.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every critical section leaves its set valid at each step, so a poisoned lock is harmless.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary file of every unfinished writer in this process. Their `finish` then fails.
///
/// Call it in the handler of Ctrl-C, just before the process ends: a process ended by a signal runs no destructors.
pub fn remove_unfinished() {
    for path in std::mem::take(&mut *lock(&UNFINISHED)) {
        // Best effort: nothing can be done about a failure.
        let _ = fs::remove_file(path);
    }
}

/// Names of temporary files: prefix and suffix.
const PREFIX: &str = ".binade-";
const SUFFIX: &str = ".partial";

/// Creates a temporary file in the folder of `target`, with the permissions that a shell would give it.
///
/// The file is removed when it is dropped. It is locked, so that [`remove_abandoned`] does not remove it.
///
/// # Errors
/// The folder cannot be written.
pub fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let folder = in_folder(target.parent().unwrap_or(Path::new("")));
    loop {
        let file = builder.tempfile_in(folder).map_err(|error| without_temporary_name(error, folder))?;
        // Another process may remove the file before it is locked; then the loop creates another. Some file systems have no
        // locks.
        let taken = matches!(file.as_file().try_lock(), Err(fs::TryLockError::WouldBlock));
        if !taken && file.path().exists() {
            return Ok(file);
        }
    }
}

/// The error for a temporary file that cannot be created in a folder, without the file's name, which tells users nothing.
fn without_temporary_name(error: io::Error, folder: &Path) -> io::Error {
    let reason = if !folder.exists() {
        format!("the folder {} does not exist", folder.display())
    } else if !folder.is_dir() {
        format!("{} is not a folder", folder.display())
    } else {
        let cause = error.get_ref().and_then(|error| error.source());
        cause.map_or_else(|| error.to_string(), ToString::to_string)
    };
    io::Error::new(error.kind(), reason)
}

/// Removes the temporary files that killed processes left in a folder. A file whose lock cannot be taken stays.
pub fn remove_abandoned(folder: &Path) {
    let entries = fs::read_dir(in_folder(folder)).into_iter().flatten().filter_map(Result::ok);
    for entry in entries {
        let name = entry.file_name();
        let ours = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        // Best effort: a file that cannot be removed does no harm.
        if ours
            && let Ok(file) = fs::File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The folder; the current one for an empty path.
fn in_folder(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// A named part of the file that must be written completely.
pub(crate) struct Region {
    pub(crate) name: String,
    pub(crate) start: u64,
    pub(crate) len: u64,
}

/// A file being written.
pub(crate) struct Output {
    target: PathBuf,
    if_exists: IfExists,
    regions: Vec<Region>,
    written: Vec<Mutex<Ranges>>,
    temporary: Temporary,
}

impl Output {
    /// Creates the temporary file for `target` and writes `header`. The regions follow the header.
    pub(crate) fn create(
        target: &Path,
        if_exists: IfExists,
        header: &[u8],
        regions: Vec<Region>,
    ) -> Result<Self, Error> {
        let create = || {
            refuse_existing(target, if_exists)?;
            let temporary = Temporary::beside(target).map_err(|error| Error::io("create", error))?;
            positioned::write_all_at(temporary.file.as_file(), 0, header)
                .map_err(|error| Error::io("write", error))?;
            Ok(temporary)
        };
        let temporary = create().map_err(|error: Error| error.in_file(target))?;
        let written = regions.iter().map(|_| Mutex::default()).collect();
        Ok(Self { target: target.to_owned(), if_exists, regions, written, temporary })
    }

    /// Writes bytes of a region.
    pub(crate) fn write_at(&self, region: usize, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        let fault = |problem| Err(Error::new(problem).in_file(&self.target));
        let Some(Region { name, start, len }) = self.regions.get(region) else {
            return fault(Problem::NoSuchTensor { index: region, count: self.regions.len() });
        };
        let range = offset..offset.saturating_add(bytes.len() as u64);
        if range.end > *len {
            return fault(Problem::OutOfRange { tensor: name.clone(), range, available: *len });
        }
        if !lock(&self.written[region]).insert(range.clone()) {
            return fault(Problem::WrittenTwice { tensor: name.clone(), range });
        }
        positioned::write_all_at(self.temporary.file.as_file(), start + offset, bytes).map_err(|error| {
            lock(&self.written[region]).remove(range);
            Error::at(start + offset, Problem::Io { action: "write", error }).in_file(&self.target)
        })
    }

    /// Checks that every region is complete, and gives the file its name.
    pub(crate) fn finish(self) -> Result<(), Error> {
        for (region, written) in self.regions.iter().zip(&self.written) {
            if let Some(range) = lock(written).first_missing(region.len) {
                let problem = Problem::Unwritten { tensor: region.name.clone(), range };
                return Err(Error::new(problem).in_file(&self.target));
            }
        }
        let Self { target, if_exists, temporary, .. } = self;
        let finish = || {
            refuse_existing(&target, if_exists)?;
            if let Ok(old) = fs::metadata(&target) {
                let kept = temporary.file.as_file().set_permissions(old.permissions());
                kept.map_err(|error| Error::io("keep the permissions", error))?;
            }
            temporary.persist(&target, if_exists)
        };
        finish().map_err(|error| error.in_file(&target))
    }
}

/// Fails early if the target exists and must not be replaced, or is a folder.
fn refuse_existing(target: &Path, if_exists: IfExists) -> Result<(), Error> {
    match fs::symlink_metadata(target) {
        Ok(_) if target.is_dir() => Err(Error::new(Problem::IsAFolder)),
        Ok(_) if if_exists == IfExists::Refuse => Err(Error::new(Problem::Exists)),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io("create", error)),
        _ => Ok(()),
    }
}

/// A temporary file, removed when dropped, and listed in [`UNFINISHED`].
struct Temporary {
    file: NamedTempFile,
    // Dropped after the file.
    _listed: Listed,
}

impl Temporary {
    fn beside(target: &Path) -> io::Result<Self> {
        // Locked while the file is created, so that `remove_unfinished` misses none.
        let mut unfinished = lock(&UNFINISHED);
        let file = temporary_beside(target)?;
        unfinished.insert(file.path().to_owned());
        let _listed = Listed(file.path().to_owned());
        Ok(Self { file, _listed })
    }

    fn persist(self, target: &Path, if_exists: IfExists) -> Result<(), Error> {
        let persisted = match if_exists {
            IfExists::Refuse => self.file.persist_noclobber(target),
            IfExists::Replace => self.file.persist(target),
        };
        match persisted {
            Ok(_) => Ok(()),
            Err(failed) if failed.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(Error::new(Problem::Exists))
            }
            Err(failed) => Err(Error::io("rename the finished file", failed.error)),
        }
    }
}

/// An entry of [`UNFINISHED`], removed from it when dropped.
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        lock(&UNFINISHED).remove(&self.0);
    }
}

/// A set of positions as disjoint, non-adjacent ranges: start to end.
#[derive(Default)]
struct Ranges(BTreeMap<u64, u64>);

impl Ranges {
    /// Adds a range. Returns false, and adds nothing, if it overlaps the set.
    fn insert(&mut self, range: Range<u64>) -> bool {
        if range.is_empty() {
            return true;
        }
        let before = self.0.range(..range.end).next_back().map(|(&start, &end)| start..end);
        if before.as_ref().is_some_and(|before| before.end > range.start) {
            return false;
        }
        let start =
            before.filter(|before| before.end == range.start).map_or(range.start, |before| before.start);
        let end = self.0.remove(&range.end).unwrap_or(range.end);
        self.0.insert(start, end);
        true
    }

    /// Removes a range that was added before.
    fn remove(&mut self, range: Range<u64>) {
        let around = self.0.range(..range.end).next_back().map(|(&start, &end)| start..end);
        if let Some(around) = around {
            self.0.remove(&around.start);
            for rest in [around.start..range.start, range.end..around.end] {
                if !rest.is_empty() {
                    self.0.insert(rest.start, rest.end);
                }
            }
        }
    }

    /// The first missing range below `len`.
    fn first_missing(&self, len: u64) -> Option<Range<u64>> {
        let mut ranges = self.0.iter();
        let start = match ranges.next() {
            Some((0, &end)) => end,
            Some((&start, _)) => return Some(0..start),
            None => 0,
        };
        let end = ranges.next().map_or(len, |(&start, _)| start);
        (start < end).then_some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compares the set with a plain array of marks.
        #[test]
        fn ranges_equal_an_array_of_marks(steps in prop::collection::vec((0_u64..20, 0_u64..6, any::<bool>()), 0..40)) {
            let mut ranges = Ranges::default();
            let mut marks = [false; 32];
            let mut added: Vec<Range<u64>> = Vec::new();
            for (start, len, take_out) in steps {
                if take_out {
                    if let Some(range) = added.pop() {
                        ranges.remove(range.clone());
                        range.for_each(|at| marks[at as usize] = false);
                    }
                } else {
                    let range = start..start + len;
                    let free = range.clone().all(|at| !marks[at as usize]);
                    prop_assert_eq!(ranges.insert(range.clone()), free);
                    if free && len > 0 {
                        range.clone().for_each(|at| marks[at as usize] = true);
                        added.push(range);
                    }
                }
                let missing = marks.iter().position(|mark| !mark).unwrap() as u64;
                prop_assert_eq!(ranges.first_missing(32).unwrap().start, missing);
                let end = (missing..32).find(|&at| marks[at as usize]).unwrap_or(32);
                prop_assert_eq!(ranges.first_missing(32).unwrap().end, end);
            }
        }
    }
}
