//! Names of generated code, from what programs that generate it write for profilers and debuggers: perf's maps, jitdump, and
//! the objects of GDB's interface.

use std::collections::BTreeMap;
use std::ops::Range;

use object::{Object, ObjectKind, ObjectSection, ObjectSymbol, SymbolKind};

/// Names by address. Of ranges that overlap the last one counts: generated code replaces other code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Ends and names, by start; ranges do not overlap.
    ranges: BTreeMap<u64, (u64, String)>,
}

impl Names {
    /// Gives a range a name; an empty one gets none.
    pub fn insert(&mut self, range: Range<u64>, name: String) {
        if range.is_empty() {
            return;
        }
        if let Some((_, (end, before))) = self.ranges.range_mut(..range.start).next_back()
            && *end > range.start
        {
            let rest = (*end > range.end).then(|| (range.end, (*end, before.clone())));
            *end = range.start;
            self.ranges.extend(rest);
        }
        let mut within = self.ranges.split_off(&range.start);
        let mut behind = within.split_off(&range.end);
        if let Some((_, (end, name))) = within.pop_last().filter(|(_, (end, _))| *end > range.end) {
            behind.insert(range.end, (end, name));
        }
        self.ranges.append(&mut behind);
        self.ranges.insert(range.start, (range.end, name));
    }

    /// The name of the code at an address.
    pub fn at(&self, address: u64) -> Option<&str> {
        let (_, (end, name)) = self.ranges.range(..=address).next_back()?;
        (address < *end).then_some(name)
    }

    /// Reads the lines of a perf map, `START SIZE NAME` in hexadecimal, and gives the bytes of the complete ones: the last
    /// may still be being written. What is no such line is passed over.
    pub fn read_perf_map(&mut self, text: &[u8]) -> usize {
        let complete = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        for line in text[..complete].split(|&byte| byte == b'\n') {
            let line = String::from_utf8_lossy(line);
            let mut words = line.splitn(3, ' ');
            let mut number = || u64::from_str_radix(words.next()?.trim_start_matches("0x"), 16).ok();
            if let (Some(start), Some(size)) = (number(), number())
                && let (Some(end), Some(name)) = (start.checked_add(size), words.next())
            {
                self.insert(start..end, name.trim_end().to_owned());
            }
        }
        complete
    }

    /// Reads records of a jitdump file behind its header, and gives the bytes of the complete ones.
    pub fn read_jitdump(&mut self, bytes: &[u8]) -> usize {
        /// Kinds of records: code that was generated, and code that was moved.
        const LOAD: u32 = 0;
        const MOVE: u32 = 1;
        /// Bytes before a record's body: its kind, its length including these, and a time.
        const PREFIX: usize = 16;
        let mut at = 0;
        while let Some(kind) = word(bytes, at) {
            let Some(length) = word(bytes, at + 4).map(|length| length as usize) else { break };
            let record = bytes.get(at..at.saturating_add(length));
            let Some(body) = record.and_then(|record| record.get(PREFIX..)) else { break };
            at += length;
            // Of both: process and thread, then where the code is for the profiler.
            let number = |index: usize| long(body, 16 + 8 * index);
            match kind {
                LOAD => {
                    if let (Some(start), Some(size)) = (number(0), number(1))
                        && let (Some(end), Some(name)) = (start.checked_add(size), body.get(40..))
                    {
                        let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
                        self.insert(start..end, String::from_utf8_lossy(name).into_owned());
                    }
                }
                MOVE => {
                    if let (Some(from), Some(to), Some(size)) = (number(0), number(1), number(2))
                        && let (Some(end), Some(name)) = (to.checked_add(size), self.at(from))
                    {
                        let name = name.to_owned();
                        self.insert(to..end, name);
                    }
                }
                _ => {}
            }
        }
        at
    }

    /// Reads the functions of an object that a program registers with GDB, whose sections say where they are.
    pub fn read_object(&mut self, bytes: &[u8]) {
        let Ok(file) = object::File::parse(bytes) else { return };
        for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text) {
            let section = symbol.section_index().and_then(|index| file.section_by_index(index).ok());
            let (Some(section), Ok(name)) = (section, symbol.name()) else { continue };
            // Symbols of a relocatable object count from its sections.
            let base = if file.kind() == ObjectKind::Relocatable { section.address() } else { 0 };
            let Some(start) = base.checked_add(symbol.address()) else { continue };
            let rest = section.address().saturating_add(section.size()).saturating_sub(start);
            let size = if symbol.size() > 0 { symbol.size() } else { rest };
            if let Some(end) = start.checked_add(size) {
                self.insert(start..end, name.to_owned());
            }
        }
    }
}

/// The length of a jitdump file's header, if these bytes begin one of this machine.
pub fn jitdump_header(bytes: &[u8]) -> Option<usize> {
    /// "JiTD".
    const MAGIC: u32 = 0x4a69_5444;
    (word(bytes, 0)? == MAGIC).then(|| word(bytes, 8))?.map(|length| length as usize)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
}

fn long(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_overlapping_ranges_are_the_last_ones() {
        /// Addresses below which all is tried.
        const END: u64 = 24;
        let mut random = binade::philox::Stream::new(1);
        for _ in 0..2000 {
            let mut names = Names::default();
            let mut all: Vec<Option<String>> = vec![None; END as usize];
            for number in 0..6 {
                let [a, b] = [(); 2].map(|()| u64::from(random.word()) % (END + 1));
                let range = a.min(b)..a.max(b);
                range.clone().for_each(|at| all[at as usize] = Some(number.to_string()));
                names.insert(range, number.to_string());
                for (at, name) in (0..).zip(&all) {
                    assert_eq!(names.at(at), name.as_deref(), "{names:?} at {at}");
                }
            }
        }
    }

    #[test]
    fn perf_maps_are_read_as_far_as_lines_are_complete() {
        let text = b"1000 20 jit_kernel<a, b>\nnonsense\n0x2000 0x8 LazyCompile:~add file.js:3\n\nfff";
        let mut names = Names::default();
        assert_eq!(names.read_perf_map(text), text.len() - 3);
        assert_eq!(names.at(0x1000), Some("jit_kernel<a, b>"));
        assert_eq!(names.at(0x101f), Some("jit_kernel<a, b>"));
        assert_eq!(names.at(0x1020), None);
        assert_eq!(names.at(0x2007), Some("LazyCompile:~add file.js:3"));
        assert_eq!(names.read_perf_map(b"fffffffffffffff0 20 beyond\n3000 zz no size\n"), 43);
        assert_eq!(names.at(u64::MAX), None);
    }

    /// A record with its length.
    fn record(kind: u32, numbers: &[u64], name: &str) -> Vec<u8> {
        let mut body: Vec<u8> = [7_u32, 7].iter().flat_map(|word| word.to_le_bytes()).collect();
        body.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        if kind == 0 {
            body.extend(name.bytes().chain([0, 0xc3]));
        }
        let mut bytes: Vec<u8> =
            [kind, 16 + body.len() as u32].iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend([0; 8]);
        bytes.extend(body);
        bytes
    }

    #[test]
    fn jitdump_records_name_code_and_follow_it_when_it_moves() {
        let mut bytes = record(0, &[0x5000, 0x5000, 0x10, 1], "kernel");
        // Some other record.
        bytes.extend(record(2, &[1, 2, 3], ""));
        bytes.extend(record(1, &[0x7000, 0x5000, 0x7000, 0x10, 1], ""));
        let complete = bytes.len();
        bytes.extend(&record(0, &[0x9000, 0x9000, 0x10, 2], "later")[..30]);
        let mut names = Names::default();
        assert_eq!(names.read_jitdump(&bytes), complete);
        assert_eq!(
            [0x5000, 0x500f, 0x5010, 0x7000, 0x9000].map(|at| names.at(at)),
            [Some("kernel"), Some("kernel"), None, Some("kernel"), None]
        );
        // No length of a record makes it go on for ever, or read beyond the end.
        for length in 0..20_u32 {
            let mut wrong = bytes.clone();
            wrong[4..8].copy_from_slice(&length.to_le_bytes());
            assert!(Names::default().read_jitdump(&wrong) <= wrong.len());
        }
        let mut header = 0x4a69_5444_u32.to_le_bytes().to_vec();
        header.extend([1_u32, 40].iter().flat_map(|word| word.to_le_bytes()));
        assert_eq!(jitdump_header(&header), Some(40));
        assert_eq!(jitdump_header(b"JiTDJiTDJiTD"), None);
    }
}
