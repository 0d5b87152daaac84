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
//! | function | the object's index, multiply-adds under the operator, those left native, then the symbol |
//! | refused | the object's index, a count of loops, then why they are not translated whole |
//! | difference | the object's index, then where a checked region differed from single instructions, and how |
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
pub const OBJECT_COUNTERS: usize = 8;

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
    /// What became of a function's multiply-adds when it was first executed.
    Function = 6,
    /// Loops of an object that are not translated whole, and why.
    Refused = 7,
    /// What a checked region did that single instructions do not.
    Difference = 8,
}

impl Kind {
    fn from_word(word: u64) -> Option<Kind> {
        use Kind::{Difference, Function, Histogram, Note, Object, Process, Refused, Skipped};
        [Process, Object, Skipped, Note, Histogram, Function, Refused, Difference]
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
    /// Of those, computed by the operator in functions that have been executed. Which of a function's instructions have been
    /// is not counted but under a profile.
    Executed = 2,
    /// Of those, in loops or straight code that has been translated whole.
    Whole = 3,
    /// Of those executed, one by one in a loop.
    Single = 4,
    /// Of those executed, through the gate: the operator has no code of its own for them.
    Gate = 5,
    /// Products of tiles (AMX), which are native.
    Tiles = 6,
    /// Executions of checked regions that were as those of single instructions.
    Compared = 7,
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
    /// Its rank among processes that work together, as their launcher told it in the environment.
    #[serde(default)]
    pub rank: Option<String>,
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
    /// Of those, computed by the operator in functions that have been executed.
    pub executed: u64,
    /// Of those executed, in loops or straight code that has been translated whole.
    pub whole: u64,
    /// Of those executed, one by one in a loop.
    pub single: u64,
    /// Of those executed, through the gate.
    pub gate: u64,
    /// Products of tiles (AMX) in its code, which are native.
    pub tiles: u64,
    /// Functions that have been executed, by symbol: multiply-adds under the operator, and those left native.
    pub functions: BTreeMap<String, (u64, u64)>,
    /// Loops that are not translated whole, by the reason.
    pub refused: BTreeMap<String, u64>,
    /// Executions of checked regions that were right.
    pub compared: u64,
    /// Where others were not, and how.
    pub differences: Vec<String>,
    /// Those left alone, by the reason.
    pub skipped: BTreeMap<String, u64>,
    /// Executions by symbol, under `--profile`.
    #[serde(skip)]
    pub histograms: BTreeMap<String, profile::Histogram>,
}

impl ObjectSummary {
    /// Whether any of its functions with multiply-adds has been executed, under the operator or not.
    pub fn reached(&self) -> bool {
        self.executed > 0 || !self.functions.is_empty()
    }
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
                    whole: counter(Counter::Whole as usize),
                    single: counter(Counter::Single as usize),
                    gate: counter(Counter::Gate as usize),
                    tiles: counter(Counter::Tiles as usize),
                    compared: counter(Counter::Compared as usize),
                    ..ObjectSummary::default()
                });
            }
            Some(Kind::Skipped) if body.len() > 16 => {
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    *object.skipped.entry(text(&body[16..])).or_default() += counter(1);
                }
            }
            Some(Kind::Function) if body.len() >= 24 => {
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    let function = object.functions.entry(text(&body[24..])).or_default();
                    *function = (function.0 + counter(1), function.1 + counter(2));
                }
            }
            Some(Kind::Refused) if body.len() > 16 => {
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    *object.refused.entry(text(&body[16..])).or_default() += counter(1);
                }
            }
            Some(Kind::Difference) if body.len() > 8 => {
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    object.differences.push(text(&body[8..]));
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
            encode(Kind::Object, &[10, 8, 3, 1, 2, 0, 4, 9], r#"{"path":"/lib/blas.so"}"#),
            encode(Kind::Skipped, &[0, 2], "--functions"),
            encode(Kind::Function, &[0, 3, 1], "sgemm"),
            encode(Kind::Function, &[0, 2, 0], "sgemm"),
            encode(Kind::Function, &[0, 1, 0], ""),
            encode(Kind::Refused, &[0, 5], "too many paths"),
            encode(Kind::Difference, &[0], "sgemm+0x20: lane 3"),
            encode(Kind::Note, &[], "something"),
        ])
    }

    #[test]
    fn records_come_back() {
        let summary = read(&sample()).unwrap();
        assert_eq!((summary.process.pid, summary.process.executable.as_str()), (7, "/bin/x"));
        let object = &summary.objects[0];
        assert_eq!((object.found, object.patched, object.executed), (10, 8, 3));
        assert_eq!((object.whole, object.single, object.gate, object.tiles), (1, 2, 0, 4));
        assert_eq!((object.compared, object.differences.join("")), (9, "sgemm+0x20: lane 3".to_owned()));
        assert_eq!(object.skipped["--functions"], 2);
        assert_eq!((object.functions["sgemm"], object.functions[""]), ((5, 1), (1, 0)));
        assert_eq!(object.refused["too many paths"], 5);
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
