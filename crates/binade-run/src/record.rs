//! What one process under the agent leaves for the launcher: a file that the agent maps and writes as it goes, so that
//! nothing is lost however the process ends.
//!
//! Little-endian 64-bit words throughout. A header of [`HEADER`] bytes: the magic, the bytes used (header included),
//! the records that did not fit. Then records, each a word with its [`Kind`], a word with its length in bytes (these
//! two words included, a multiple of 8), and its body:
//!
//! | kind | body |
//! |---|---|
//! | process | JSON: [`Process`] |
//! | object | [`OBJECT_COUNTERS`] counters, then JSON: [`Object`] |
//! | skipped | the object's index in order of the records of objects, a count, then the reason |
//! | note | text |
//! | histogram | the object's index, [`HISTOGRAM_COUNTERS`](crate::profile::COUNTERS) counters, then the symbol |

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::profile;

/// The first word of a record file.
pub const MAGIC: u64 = u64::from_le_bytes(*b"binade 1");
/// Bytes of the header.
pub const HEADER: usize = 64;
/// Where in the header the bytes used are.
pub const USED: usize = 8;
/// Where in the header the number of records that did not fit is.
pub const DROPPED: usize = 16;
/// Counters at the start of an object's record.
pub const OBJECT_COUNTERS: usize = 4;

/// What a record is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Kind {
    /// The process itself; the first record.
    Process = 1,
    /// An object: a program, a library, or code generated at run time.
    Object = 2,
    /// Sites of an object that were left alone, and why.
    Skipped = 3,
    /// Something that the user should know.
    Note = 4,
    /// Counts of one function's executions.
    Histogram = 5,
}

impl Kind {
    fn from_word(word: u64) -> Option<Kind> {
        [Kind::Process, Kind::Object, Kind::Skipped, Kind::Note, Kind::Histogram]
            .into_iter()
            .find(|&kind| kind as u64 == word)
    }
}

/// The counters of an object, by their index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Counter {
    /// Multiply-adds found in its code.
    Found = 0,
    /// Of those, replaced by a jump.
    Patched = 1,
    /// Of those, executed at least once.
    Executed = 2,
}

/// A process.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Its parent's.
    pub parent: u32,
    /// Its executable's path.
    pub executable: String,
    /// When it started, in nanoseconds of the monotonic clock.
    #[serde(default)]
    pub started: u64,
    /// Whether it is the copy of a process with a record, made by `fork`.
    pub forked: bool,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Object {
    /// Its path; for generated code, the path of the object that asked for executable memory, and ` [generated]`.
    pub path: String,
}

/// What happened to the sites of one object in one process.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ObjectSummary {
    /// Its path.
    pub path: String,
    /// Multiply-adds found in its code.
    pub found: u64,
    /// Of those, replaced by a jump.
    pub patched: u64,
    /// Of those, executed at least once.
    pub executed: u64,
    /// Those left alone, by the reason.
    pub skipped: BTreeMap<String, u64>,
    /// Executions by symbol, under `--profile`.
    #[serde(skip)]
    pub histograms: BTreeMap<String, profile::Histogram>,
}

/// What happened in one process.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// The process.
    pub process: Process,
    /// Its objects, in order of loading.
    pub objects: Vec<ObjectSummary>,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// Records that did not fit.
    pub dropped: u64,
}

/// A record file read back, as far as it goes: a process may have died while it wrote.
pub fn read(bytes: &[u8]) -> Option<Summary> {
    let word =
        |at: usize| bytes.get(at..at + 8).map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")));
    if word(0)? != MAGIC {
        return None;
    }
    let used = (word(USED)? as usize).min(bytes.len());
    let mut summary = Summary { dropped: word(DROPPED)?, ..Summary::default() };
    let mut at = HEADER;
    while at + 16 <= used {
        let length = word(at + 8)? as usize;
        if length < 16 || at + length > used {
            break;
        }
        let body = &bytes[at + 16..at + length];
        let counter = |index: usize| word(at + 16 + 8 * index).unwrap_or(0);
        match Kind::from_word(word(at)?) {
            Some(Kind::Process) => summary.process = serde_json::from_str(&text(body)).unwrap_or_default(),
            Some(Kind::Object) => {
                let Some(json) = body.get(8 * OBJECT_COUNTERS..) else { break };
                let object: Object = serde_json::from_str(&text(json)).unwrap_or_default();
                summary.objects.push(ObjectSummary {
                    path: object.path,
                    found: counter(Counter::Found as usize),
                    patched: counter(Counter::Patched as usize),
                    executed: counter(Counter::Executed as usize),
                    ..ObjectSummary::default()
                });
            }
            Some(Kind::Skipped) if body.len() > 16 => {
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    *object.skipped.entry(text(&body[16..])).or_default() += counter(1);
                }
            }
            Some(Kind::Note) => summary.notes.push(text(body)),
            Some(Kind::Histogram) if body.len() > 8 * (1 + profile::COUNTERS) => {
                let counters: Vec<u64> = (0..profile::COUNTERS).map(|index| counter(1 + index)).collect();
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    let symbol = text(&body[8 * (1 + profile::COUNTERS)..]);
                    object.histograms.entry(symbol).or_default().add(&counters);
                }
            }
            _ => {}
        }
        at += length;
    }
    Some(summary)
}

/// Text padded with zero bytes.
fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// The bytes of a record: `counters` words of zero or what is given, then text.
pub fn encode(kind: Kind, counters: &[u64], text: &str) -> Vec<u8> {
    let length = (16 + 8 * counters.len() + text.len()).next_multiple_of(8);
    let mut bytes = Vec::with_capacity(length);
    bytes.extend((kind as u64).to_le_bytes());
    bytes.extend((length as u64).to_le_bytes());
    for counter in counters {
        bytes.extend(counter.to_le_bytes());
    }
    bytes.extend(text.as_bytes());
    bytes.resize(length, 0);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(records: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = vec![0; HEADER];
        bytes[..8].copy_from_slice(&MAGIC.to_le_bytes());
        for record in records {
            bytes.extend(record);
        }
        let used = bytes.len() as u64;
        bytes[USED..USED + 8].copy_from_slice(&used.to_le_bytes());
        bytes
    }

    fn sample() -> Vec<u8> {
        file(&[
            encode(Kind::Process, &[], r#"{"pid":7,"parent":1,"executable":"/bin/x","forked":false}"#),
            encode(Kind::Object, &[10, 8, 3, 0], r#"{"path":"/lib/blas.so"}"#),
            encode(Kind::Skipped, &[0, 2], "--functions"),
            encode(Kind::Note, &[], "something"),
        ])
    }

    #[test]
    fn records_come_back() {
        let summary = read(&sample()).unwrap();
        assert_eq!((summary.process.pid, summary.process.executable.as_str()), (7, "/bin/x"));
        let object = &summary.objects[0];
        assert_eq!((object.found, object.patched, object.executed), (10, 8, 3));
        assert_eq!(object.skipped["--functions"], 2);
        assert_eq!(summary.notes, ["something"]);
    }

    #[test]
    fn a_torn_file_gives_what_is_whole() {
        let bytes = sample();
        for length in 0..bytes.len() {
            let _ = read(&bytes[..length]);
        }
        assert_eq!(read(&bytes[..bytes.len() - 8]).unwrap().notes.len(), 0);
        assert!(read(&bytes[..HEADER - 48]).is_none());
    }
}
