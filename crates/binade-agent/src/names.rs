//! Names of generated code: where a program leaves them for profilers and debuggers, and how far that has been read.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::time::SystemTime;

use binade_patch::names::{self, Names};

use crate::memory;

/// The variable through which programs tell GDB of objects in memory.
const DESCRIPTOR: &str = "__jit_debug_descriptor";

/// More is not read at a time: it is for people, and comes from a program that may be broken.
const MOST: u64 = 1 << 26;

/// Sources of names.
#[derive(Debug)]
pub(crate) struct Sources {
    pub(crate) names: Names,
    /// An older perf map is of another process that had the number.
    begun: SystemTime,
    /// The process whose perf map has been read, and how far.
    perf: (u32, u64),
    /// The jitdump files that the program has mapped, and how far they have been read.
    dumps: Vec<(PathBuf, u64)>,
    /// The addresses of GDB's variables, and the entry that came first when the list was read.
    descriptors: Vec<(u64, Entry)>,
}

/// An entry of GDB's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    at: u64,
    next: u64,
    object: u64,
    size: u64,
}

impl Entry {
    fn read(at: u64) -> Option<Entry> {
        let bytes = memory::copy(at..at.checked_add(32)?)?;
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        Some(Entry { at, next: word(0), object: word(16), size: word(24) })
    }
}

/// The rest of a file from a place on.
fn rest(file: &mut File, from: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![];
    file.seek(SeekFrom::Start(from)).ok()?;
    file.take(MOST).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

impl Sources {
    pub(crate) fn new() -> Sources {
        Sources {
            names: Names::default(),
            begun: SystemTime::now(),
            perf: (0, 0),
            dumps: vec![],
            descriptors: vec![],
        }
    }

    /// An object has been loaded.
    pub(crate) fn loaded(&mut self, file: &[u8], base: u64) {
        self.descriptors
            .extend(crate::discovery::symbol(file, base, DESCRIPTOR).map(|at| (at, Entry::default())));
    }

    /// The program is about to map a file so that it could run: so profilers find jitdump files.
    pub(crate) fn mapped(&mut self, descriptor: i32) {
        let path = std::fs::read_link(format!("/proc/self/fd/{descriptor}"));
        let Some(path) = path.ok().filter(|path| path.extension().is_some_and(|dump| dump == "dump")) else {
            return;
        };
        if self.dumps.iter().all(|(known, _)| *known != path) {
            self.dumps.push((path, 0));
        }
    }

    /// Reads what has come since.
    pub(crate) fn refresh(&mut self) {
        self.read_perf_map();
        for (path, read) in &mut self.dumps {
            let Some(mut bytes) = File::open(path).ok().and_then(|mut file| rest(&mut file, *read)) else {
                continue;
            };
            if *read == 0 {
                // Nothing of it is known before its header is there.
                let Some(header) = names::jitdump_header(&bytes).filter(|&header| header <= bytes.len())
                else {
                    continue;
                };
                bytes.drain(..header);
                *read = header as u64;
            }
            *read += self.names.read_jitdump(&bytes) as u64;
        }
        for (descriptor, first) in &mut self.descriptors {
            read_list(&mut self.names, *descriptor, first);
        }
    }

    fn read_perf_map(&mut self) {
        let process = std::process::id();
        if self.perf.0 != process {
            self.perf = (process, 0);
        }
        let Ok(mut file) = File::open(format!("/tmp/perf-{process}.map")) else { return };
        let Ok(metadata) = file.metadata() else { return };
        if metadata.len() == self.perf.1 || metadata.modified().is_ok_and(|modified| modified < self.begun) {
            return;
        }
        if metadata.len() < self.perf.1 {
            // The program began another.
            self.perf.1 = 0;
        }
        if let Some(text) = rest(&mut file, self.perf.1) {
            self.perf.1 += self.names.read_perf_map(&text) as u64;
        }
    }
}

/// Reads the objects of GDB's list that stand before the one that came first the last time: new ones come first.
fn read_list(names: &mut Names, descriptor: u64, known: &mut Entry) {
    /// A list that is longer goes round.
    const LONGEST: usize = 1 << 16;
    /// Offset of the first entry in the descriptor.
    const FIRST: u64 = 16;
    let first = memory::copy(descriptor + FIRST..descriptor + FIRST + 8);
    let Some(mut at) = first.and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes) else { return };
    let mut entries = vec![];
    while at != 0 && entries.len() < LONGEST {
        let Some(entry) = Entry::read(at).filter(|entry| *entry != *known) else { break };
        entries.push(entry);
        at = entry.next;
    }
    for entry in entries.iter().rev().filter(|entry| entry.size <= MOST) {
        if let Some(object) =
            entry.object.checked_add(entry.size).and_then(|end| memory::copy(entry.object..end))
        {
            names.read_object(&object);
        }
    }
    if let Some(&first) = entries.first() {
        *known = first;
    }
}
