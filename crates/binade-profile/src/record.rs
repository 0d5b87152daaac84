//! The record of one process under the agent, for the launcher: a file that the agent maps and writes as it goes, so that nothing is
//! lost however the process ends.
//!
//! A file has little-endian 64-bit words. A header of [`HEADER`] bytes has the magic, the bytes used (header included), and the number
//! of records that did not fit. Each record has a word with its [`RecordKind`], a word with its length in bytes and its body. The
//! length includes these two words and is a multiple of 8. Bodies:
//!
//! - `process`: JSON: [`Process`].
//! - `object`: [`OBJECT_COUNTERS`] counters, then JSON: [`Object`].
//! - `skipped`: the object's index in order of the records of objects, a count, then the reason.
//! - `note`: text.
//! - `function`: the object's index, the function's two [address words](FunctionName), multiply-adds under the operator, those left
//!   native, then the symbol.
//! - `refused`: the object's index, a count of loops, then why they are not translated whole.
//! - `difference`: the object's index, the instruction's address as the object's file counts it (0 in generated code), then where a
//!   checked region differed from single instructions, and how.
//! - `histogram`: the object's index, the function's two address words, [`COUNTERS`](crate::profile::COUNTERS) counters, then the
//!   symbol.
//! - `operator`: the object's index, the function's two address words, multiply-adds under an operator, then the operator, a space
//!   and the symbol. Written where a run has several operators.
//! - `rule`: the object's index, the number of a rule, multiply-adds that it applies to.
//! - `site`: the object's index, the function's two address words, the address of an instruction, 1 if the operator computes it or
//!   else 0, then the symbol.
//! - `site counts`: the object's index, the function's two address words, the address of an instruction,
//!   [`SITE_COUNTERS`](crate::profile::SITE_COUNTERS) counters, then the symbol.
//! - `exec`: the process's number, or 0 if the call failed, the time, then the program's path.
//! - `failure`: text.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

use crate::demangle::demangle;
use crate::profile;

/// The first word of a record file.
pub const MAGIC: u64 = u64::from_le_bytes(*b"binade 1");
/// Bytes of the header.
pub const HEADER: usize = 64;
/// Offset in the header of the number of bytes used.
pub const USED: usize = 8;
/// Offset in the header of the number of records that did not fit.
pub const DROPPED: usize = 16;
/// Counters at the start of an object's record.
pub const OBJECT_COUNTERS: usize = 16;

/// The end of the path of code that was generated at run time.
pub const GENERATED: &str = " [generated]";

/// True if a path is that of code that was generated at run time.
pub fn is_generated(path: &str) -> bool {
    path.ends_with(GENERATED)
}

/// The subject of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum RecordKind {
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
    /// The multiply-adds of a function under the operator and native, at its first execution.
    Function = 6,
    /// Loops of an object that are not translated whole, and why.
    Refused = 7,
    /// A checked region that differed from single instructions.
    Difference = 8,
    /// A call that replaces the process's program by another, which should leave a record of its own.
    Exec = 9,
    /// A reason why results are native although an operator was asked for.
    Failure = 10,
    /// A multiply-add of a function, at the function's first execution.
    Site = 11,
    /// Counts of one instruction's executions.
    SiteCounts = 12,
    /// The operator of a function, where a run has several.
    Operator = 13,
    /// Multiply-adds that a rule applies to.
    Rule = 14,
}

impl RecordKind {
    fn from_word(word: u64) -> Option<RecordKind> {
        use RecordKind::{
            Difference, Exec, Failure, Function, Histogram, Note, Object, Operator, Process, Refused, Rule,
            Site, SiteCounts, Skipped,
        };
        [
            Process, Object, Skipped, Note, Histogram, Function, Refused, Difference, Exec, Failure, Site,
            SiteCounts, Operator, Rule,
        ]
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
    /// Multiply-adds of binary64 that are native.
    Double = 8,
    /// Multiply-adds of binary16 (AVX512-FP16), which are native.
    Half = 9,
    /// Dot products of BF16 pairs (VDPBF16PS) that are native.
    Dot = 10,
    /// Dot products within a register (VDPPS, VDPPD) that are native.
    Across = 11,
    /// Products and sums of binary64 that are native, where those of binary32 are not.
    SeparateDouble = 12,
    /// Products and sums of binary16 (AVX512-FP16) that are native, where those of binary32 are not.
    SeparateHalf = 13,
    /// Products and sums of x87 that are native, where those of binary32 are not.
    X87 = 14,
    /// Multiply-adds of FMA4 and AVX512-4FMAPS, which are native.
    Rare = 15,
}

/// The name of a function: its symbol or, without one, its place.
///
/// In a record a place is two words, the address of the mapping and the offset in it. Both are 0 for a function with a symbol.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FunctionName {
    /// The symbol, as the object spells it.
    Symbol(String),
    /// The address of a function without a symbol.
    Place {
        /// The start of the mapping that generated code is in; 0 for code of an object's file.
        mapping: u64,
        /// The address as the object's file counts it; for generated code, counted from the start of the mapping.
        offset: u64,
    },
}

impl FunctionName {
    /// The words and the text of a record.
    pub fn parts(&self) -> ([u64; 2], &str) {
        match self {
            FunctionName::Symbol(symbol) => ([0, 0], symbol),
            FunctionName::Place { mapping, offset } => ([*mapping, *offset], ""),
        }
    }

    fn of_parts([mapping, offset]: [u64; 2], symbol: String) -> FunctionName {
        match symbol.is_empty() {
            true => FunctionName::Place { mapping, offset },
            false => FunctionName::Symbol(symbol),
        }
    }

    /// The symbol, if there is one.
    pub fn symbol(&self) -> Option<&str> {
        match self {
            FunctionName::Symbol(symbol) => Some(symbol),
            FunctionName::Place { .. } => None,
        }
    }

    /// The name for readers, given the path of the object: the demangled symbol, or `libfoo.so+0x1234`.
    pub fn in_object<'a>(&'a self, path: &'a str) -> impl Display + 'a {
        struct InObject<'a>(&'a FunctionName, &'a str);
        impl Display for InObject<'_> {
            fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
                let file = self.1.rsplit('/').next().unwrap_or(self.1);
                match self.0 {
                    FunctionName::Symbol(symbol) => f.write_str(&demangle(symbol)),
                    FunctionName::Place { mapping: 0, offset } => write!(f, "{file}+{offset:#x}"),
                    FunctionName::Place { mapping, offset } => write!(f, "{file} {mapping:#x}+{offset:#x}"),
                }
            }
        }
        InObject(self, path)
    }
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
    /// True if it is the copy of a process with a record, made by `fork`.
    pub forked: bool,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Object {
    /// Its path; for generated code, the path of the object that asked for executable memory, and ` [generated]`.
    pub path: String,
    /// Bytes of its code; 0 for generated code.
    #[serde(default)]
    pub code: u64,
    /// True if the filter leaves the whole object alone.
    #[serde(default)]
    pub left_alone: bool,
}

/// A call of execve(2) or a relative, after which the program should have left a record.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Exec {
    /// The number of the process.
    pub pid: u32,
    /// The time of the call, in nanoseconds of the monotonic clock.
    pub at: u64,
    /// The path of the program.
    pub path: String,
}

/// The sites of one object in one process.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ObjectSummary {
    /// Its path.
    pub path: String,
    /// Bytes of its code; 0 for generated code.
    pub code: u64,
    /// True if the filter leaves the whole object alone.
    pub left_alone: bool,
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
    /// Multiply-adds of binary64 in its code that are native.
    pub double: u64,
    /// Multiply-adds of binary16 in its code, which are native.
    pub half: u64,
    /// Dot products of BF16 pairs in its code that are native.
    pub dot: u64,
    /// Dot products within a register in its code that are native.
    pub across: u64,
    /// Products and sums of binary64 in its code that are native, where those of binary32 are not.
    pub separate_double: u64,
    /// Products and sums of binary16 in its code that are native, where those of binary32 are not.
    pub separate_half: u64,
    /// Products and sums of x87 in its code that are native, where those of binary32 are not.
    pub x87: u64,
    /// Multiply-adds of FMA4 and AVX512-4FMAPS in its code, which are native.
    pub rare: u64,
    /// Functions that have been executed: multiply-adds under the operator, and those left native.
    pub functions: BTreeMap<FunctionName, (u64, u64)>,
    /// Operators of functions that have been executed, with multiply-adds under them, where a run has several operators.
    pub operators: BTreeMap<FunctionName, BTreeMap<String, u64>>,
    /// Multiply-adds that each rule applies to, by the rule's number.
    pub rules: BTreeMap<u64, u64>,
    /// Loops that are not translated whole, by the reason.
    pub refused: BTreeMap<String, u64>,
    /// Executions of checked regions that were right.
    pub compared: u64,
    /// Where others were not, and how: the instruction's address as the object's file counts it, or 0 in generated code, and text.
    pub differences: Vec<(u64, String)>,
    /// Multiply-adds left alone, by the reason.
    pub skipped: BTreeMap<String, u64>,
    /// Executions by function, under `--profile`.
    pub histograms: BTreeMap<FunctionName, profile::Histogram>,
    /// Multiply-adds of executed functions under `--why`, by function and address: true if the operator computes them. Addresses
    /// are as the object's file counts them; in generated code, from the start of the mapping.
    pub sites: BTreeMap<(FunctionName, u64), bool>,
    /// Executions by function and address, under `--profile`.
    pub site_counts: BTreeMap<(FunctionName, u64), profile::SiteCounts>,
}

impl ObjectSummary {
    /// True if any of its functions with multiply-adds has been executed, under the operator or not.
    pub fn reached(&self) -> bool {
        self.executed > 0 || !self.functions.is_empty()
    }

    /// True for code that was generated at run time, which no file has.
    pub fn is_generated(&self) -> bool {
        is_generated(&self.path)
    }
}

/// The record of one process, read back.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// The process.
    pub process: Process,
    /// Its objects, in order of loading.
    pub objects: Vec<ObjectSummary>,
    /// Notes for the user.
    pub notes: Vec<String>,
    /// Programs that it has started in its place.
    pub execs: Vec<Exec>,
    /// Reasons why results are native although an operator was asked for.
    pub failures: Vec<String>,
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
        match RecordKind::from_word(word(at)?) {
            Some(RecordKind::Process) => {
                summary.process = serde_json::from_str(&text(body)).unwrap_or_default()
            }
            Some(RecordKind::Object) => {
                let Some(json) = body.get(8 * OBJECT_COUNTERS..) else { break };
                let object: Object = serde_json::from_str(&text(json)).unwrap_or_default();
                summary.objects.push(ObjectSummary {
                    path: object.path,
                    code: object.code,
                    left_alone: object.left_alone,
                    found: counter(Counter::Found as usize),
                    patched: counter(Counter::Patched as usize),
                    executed: counter(Counter::Executed as usize),
                    whole: counter(Counter::Whole as usize),
                    single: counter(Counter::Single as usize),
                    gate: counter(Counter::Gate as usize),
                    tiles: counter(Counter::Tiles as usize),
                    compared: counter(Counter::Compared as usize),
                    double: counter(Counter::Double as usize),
                    half: counter(Counter::Half as usize),
                    dot: counter(Counter::Dot as usize),
                    across: counter(Counter::Across as usize),
                    separate_double: counter(Counter::SeparateDouble as usize),
                    separate_half: counter(Counter::SeparateHalf as usize),
                    x87: counter(Counter::X87 as usize),
                    rare: counter(Counter::Rare as usize),
                    ..ObjectSummary::default()
                });
            }
            Some(RecordKind::Skipped) if body.len() > 16 => {
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    *object.skipped.entry(text(&body[16..])).or_default() += counter(1);
                }
            }
            Some(RecordKind::Function) if body.len() >= 40 => {
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    let name = FunctionName::of_parts([counter(1), counter(2)], text(&body[40..]));
                    let function = object.functions.entry(name).or_default();
                    *function = (function.0 + counter(3), function.1 + counter(4));
                }
            }
            Some(RecordKind::Refused) if body.len() > 16 => {
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    *object.refused.entry(text(&body[16..])).or_default() += counter(1);
                }
            }
            Some(RecordKind::Difference) if body.len() > 16 => {
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    object.differences.push((counter(1), text(&body[16..])));
                }
            }
            Some(RecordKind::Site) if body.len() >= 40 => {
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    let name = FunctionName::of_parts([counter(1), counter(2)], text(&body[40..]));
                    object.sites.insert((name, counter(3)), counter(4) != 0);
                }
            }
            Some(RecordKind::SiteCounts) if body.len() >= 8 * (4 + profile::SITE_COUNTERS) => {
                let counters: Vec<u64> =
                    (0..profile::SITE_COUNTERS).map(|index| counter(4 + index)).collect();
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    let symbol = text(&body[8 * (4 + profile::SITE_COUNTERS)..]);
                    let name = FunctionName::of_parts([counter(1), counter(2)], symbol);
                    object.site_counts.entry((name, counter(3))).or_default().add(&counters);
                }
            }
            Some(RecordKind::Operator) if body.len() > 32 => {
                let body = text(&body[32..]);
                let (operator, symbol) = body.split_once(' ').unwrap_or((&body, ""));
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    let name = FunctionName::of_parts([counter(1), counter(2)], symbol.to_owned());
                    let operators = object.operators.entry(name).or_default();
                    *operators.entry(operator.to_owned()).or_default() += counter(3);
                }
            }
            Some(RecordKind::Rule) if body.len() >= 24 => {
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    *object.rules.entry(counter(1)).or_default() += counter(2);
                }
            }
            Some(RecordKind::Note) => summary.notes.push(text(body)),
            Some(RecordKind::Exec) if body.len() >= 16 => {
                summary.execs.push(Exec { pid: counter(0) as u32, at: counter(1), path: text(&body[16..]) })
            }
            Some(RecordKind::Failure) => summary.failures.push(text(body)),
            Some(RecordKind::Histogram) if body.len() >= 8 * (3 + profile::COUNTERS) => {
                let counters: Vec<u64> = (0..profile::COUNTERS).map(|index| counter(3 + index)).collect();
                if let Some(object) = summary.objects.get_mut(counter(0) as usize) {
                    let symbol = text(&body[8 * (3 + profile::COUNTERS)..]);
                    let name = FunctionName::of_parts([counter(1), counter(2)], symbol);
                    object.histograms.entry(name).or_default().add(&counters);
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
pub fn encode(kind: RecordKind, counters: &[u64], text: &str) -> Vec<u8> {
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
            encode(RecordKind::Process, &[], r#"{"pid":7,"parent":1,"executable":"/bin/x","forked":false}"#),
            encode(
                RecordKind::Object,
                &[10, 8, 3, 1, 2, 0, 4, 9, 5, 6, 7, 11, 12, 13, 14, 15],
                r#"{"path":"/lib/blas.so"}"#,
            ),
            encode(RecordKind::Skipped, &[0, 2], "--functions"),
            encode(RecordKind::Function, &[0, 0, 0, 3, 1], "sgemm"),
            encode(RecordKind::Function, &[0, 0, 0, 2, 0], "sgemm"),
            encode(RecordKind::Function, &[0, 0, 0x1230, 1, 0], ""),
            encode(RecordKind::Refused, &[0, 5], "too many paths"),
            encode(RecordKind::Difference, &[0, 0x1250], "sgemm+0x20: lane 3"),
            encode(RecordKind::Site, &[0, 0, 0, 0x1234, 1], "sgemm"),
            encode(RecordKind::Site, &[0, 0, 0x1230, 0x1238, 0], ""),
            encode(RecordKind::Exec, &[7, 99], "/bin/y"),
            encode(RecordKind::Failure, &[], "no memory"),
            encode(RecordKind::Operator, &[0, 0, 0, 4], "bf16:bf16 sgemm"),
            encode(RecordKind::Operator, &[0, 0, 0x1230, 1], "f32:f32 "),
            encode(RecordKind::Rule, &[0, 2, 5], ""),
            encode(RecordKind::Rule, &[0, 2, 6], ""),
            encode(RecordKind::Note, &[], "something"),
        ])
    }

    #[test]
    fn read_complete_file_returns_all_records() {
        let summary = read(&sample()).unwrap();
        assert_eq!((summary.process.pid, summary.process.executable.as_str()), (7, "/bin/x"));
        let object = &summary.objects[0];
        assert_eq!((object.found, object.patched, object.executed), (10, 8, 3));
        assert_eq!((object.whole, object.single, object.gate, object.tiles), (1, 2, 0, 4));
        assert_eq!((object.double, object.half, object.dot, object.across), (5, 6, 7, 11));
        let separate = (object.separate_double, object.separate_half, object.x87, object.rare);
        assert_eq!(separate, (12, 13, 14, 15));
        assert_eq!(object.compared, 9);
        assert_eq!(object.differences, [(0x1250, "sgemm+0x20: lane 3".to_owned())]);
        assert_eq!(object.skipped["--functions"], 2);
        assert_eq!((object.double, object.half, object.dot), (5, 6, 7));
        let place = FunctionName::Place { mapping: 0, offset: 0x1230 };
        assert_eq!(object.functions[&FunctionName::Symbol("sgemm".into())], (5, 1));
        assert_eq!(object.functions[&place], (1, 0));
        assert_eq!(object.operators[&FunctionName::Symbol("sgemm".into())]["bf16:bf16"], 4);
        assert_eq!((object.operators[&place]["f32:f32"], object.rules[&2]), (1, 11));
        assert_eq!(place.in_object("/lib/blas.so").to_string(), "blas.so+0x1230");
        assert!(object.sites[&(FunctionName::Symbol("sgemm".into()), 0x1234)]);
        assert!(!object.sites[&(place, 0x1238)]);
        assert_eq!(summary.execs, [Exec { pid: 7, at: 99, path: "/bin/y".into() }]);
        assert_eq!(summary.failures, ["no memory"]);
        assert_eq!(object.refused["too many paths"], 5);
        assert_eq!(summary.notes, ["something"]);
    }

    /// The counters are the whole body of a function without a symbol.
    #[test]
    fn read_histogram_without_symbol_is_kept() {
        let mut words = vec![0; 3 + profile::COUNTERS];
        (words[1], words[2], words[3 + profile::at::EXECUTED]) = (0x7000, 0x40, 12);
        let object = encode(RecordKind::Object, &[0; OBJECT_COUNTERS], r#"{"path":"/lib/a.so [generated]"}"#);
        let bytes = file(&[object, encode(RecordKind::Histogram, &words, "")]);
        let object = &read(&bytes).unwrap().objects[0];
        let (name, histogram) = object.histograms.first_key_value().unwrap();
        assert_eq!(name.in_object(&object.path).to_string(), "a.so [generated] 0x7000+0x40");
        assert_eq!((name.symbol(), histogram.executed), (None, 12));
    }

    #[test]
    fn read_torn_file_returns_whole_records() {
        let bytes = sample();
        for length in 0..bytes.len() {
            let _ = read(&bytes[..length]);
        }
        assert_eq!(read(&bytes[..bytes.len() - 8]).unwrap().notes.len(), 0);
        assert!(read(&bytes[..HEADER - 48]).is_none());
    }
}
