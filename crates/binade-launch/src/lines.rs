//! Source lines of objects from their debug information (DWARF), for reports and for the choice of lines by name.
//!
//! Debug information is read from the object itself or, if it has none, from a separate file: by the object's build ID below
//! /usr/lib/debug/.build-id, or by its .gnu_debuglink beside the object, in .debug there, or below /usr/lib/debug. Objects are read
//! at the first question about them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use binade_profile::demangle::demangle;
use binade_profile::source::{Frame, Locate};
use flate2::Crc;
use flate2::read::ZlibDecoder;
use gimli::{Dwarf, EndianArcSlice, LittleEndian, SectionId};
use object::{CompressionFormat, Object, ObjectSection, ObjectSymbol, ReadCache};

/// The folder of separate debug files.
const DEBUG_FOLDER: &str = "/usr/lib/debug";

type Reader = EndianArcSlice<LittleEndian>;

/// Debug information of objects, by path.
#[derive(Default)]
pub struct Lines {
    objects: RefCell<BTreeMap<String, Option<Rc<Information>>>>,
}

/// One object's debug information.
struct Information {
    context: addr2line::Context<Reader>,
    /// Its functions: addresses, and the symbol as the object spells it.
    functions: Vec<(Range<u64>, String)>,
}

impl Lines {
    /// Nothing read yet.
    pub fn new() -> Lines {
        Lines::default()
    }

    /// The addresses of the instructions that belong to a line of a function, as the object's file counts them.
    ///
    /// `function` is the symbol, mangled or as readers see it, of the function that the object has; all functions if it is empty.
    /// `file` is a path or its last components. An instruction belongs to its own line and to those of the calls that inlined it.
    pub fn addresses(&self, object: &str, function: &str, file: &str, line: u32) -> Vec<Range<u64>> {
        let Some(information) = self.information(object) else { return Vec::new() };
        let is_named = |symbol: &str| symbol == function || demangle(symbol) == function;
        let chosen: Vec<Range<u64>> = match function {
            "" => std::iter::once(0..u64::MAX).collect(),
            _ => {
                let named = information.functions.iter().filter(|(_, symbol)| is_named(symbol));
                named.map(|(range, _)| range.clone()).collect()
            }
        };
        let mut found: Vec<Range<u64>> = Vec::new();
        for range in chosen {
            let Ok(rows) = information.context.find_location_range(range.start, range.end) else { continue };
            for (start, size, _) in rows {
                let row = start.max(range.start)..(start + size).min(range.end);
                let is_of_line = |frame: &Frame| frame.line == line && ends_with(&frame.file, file);
                if !row.is_empty() && information.frames(row.start).iter().any(is_of_line) {
                    found.push(row);
                }
            }
        }
        found.sort_by_key(|range| range.start);
        found.dedup();
        found
    }

    fn information(&self, object: &str) -> Option<Rc<Information>> {
        let mut objects = self.objects.borrow_mut();
        let read = || Information::read(Path::new(object)).map(Rc::new);
        objects.entry(object.to_owned()).or_insert_with(read).clone()
    }
}

impl Locate for Lines {
    fn frames(&self, object: &str, address: u64) -> Vec<Frame> {
        self.information(object).map_or_else(Vec::new, |information| information.frames(address))
    }
}

/// True if a path ends with these components.
fn ends_with(path: &str, components: &str) -> bool {
    path.strip_suffix(components).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

impl Information {
    fn read(path: &Path) -> Option<Information> {
        let own = Elf::open(path)?;
        let separate = if own.has_lines() { None } else { Some(own.separate(path)?) };
        let elf = separate.as_ref().unwrap_or(&own);
        let mut dwarf = elf.dwarf()?;
        if let Some(supplementary) = elf.supplementary() {
            dwarf.set_sup(supplementary.dwarf()?);
        }
        let mut functions = own.functions();
        if let Some(separate) = &separate {
            functions.extend(separate.functions());
        }
        Some(Information { context: addr2line::Context::from_dwarf(dwarf).ok()?, functions })
    }

    fn frames(&self, address: u64) -> Vec<Frame> {
        let mut frames = Vec::new();
        let Ok(mut found) = self.context.find_frames(address).skip_all_loads() else { return frames };
        while let Ok(Some(frame)) = found.next() {
            let Some(location) = frame.location else { continue };
            let (Some(file), Some(line)) = (location.file, location.line.filter(|&line| line > 0)) else {
                continue;
            };
            let name = frame.function.as_ref().and_then(|name| name.raw_name().ok());
            let function = name.map(|name| demangle(name.as_ref()).into_owned());
            frames.push(Frame { function, file: file.to_owned(), line });
        }
        frames
    }
}

/// An ELF file that is read in parts.
struct Elf {
    path: PathBuf,
    file: File,
    cache: ReadCache<File>,
}

impl Elf {
    fn open(path: &Path) -> Option<Elf> {
        let file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|data| data.is_file()))?;
        let cache = ReadCache::new(file.try_clone().ok()?);
        let elf = Elf { path: path.to_owned(), file, cache };
        elf.object()?;
        Some(elf)
    }

    fn object(&self) -> Option<object::File<'_, &ReadCache<File>>> {
        object::File::parse(&self.cache).ok()
    }

    fn has_lines(&self) -> bool {
        self.object().is_some_and(|object| object.section_by_name(".debug_line").is_some())
    }

    fn build_id(&self) -> Option<Vec<u8>> {
        self.object()?.build_id().ok()?.map(<[u8]>::to_vec)
    }

    /// The file with this object's debug information.
    fn separate(&self, path: &Path) -> Option<Elf> {
        let debug = Path::new(DEBUG_FOLDER);
        let id = self.build_id();
        let by_id = id.as_deref().and_then(|id| Elf::open(&file_of_build_id(debug, id)?));
        if let Some(found) = by_id.filter(Elf::has_lines) {
            return Some(found);
        }
        let (name, checksum) = {
            let object = self.object()?;
            let (name, checksum) = object.gnu_debuglink().ok()??;
            (PathBuf::from(std::str::from_utf8(name).ok()?), checksum)
        };
        let path = path.canonicalize().ok()?;
        let folder = path.parent()?;
        let below = debug.join(folder.strip_prefix("/").unwrap_or(folder));
        let places = [folder.join(&name), folder.join(".debug").join(&name), below.join(&name)];
        places.iter().filter_map(|place| Elf::open(place)).find(|found| {
            let is_same = match (&id, found.build_id()) {
                (Some(id), Some(other)) => *id == other,
                _ => found.checksum() == Some(checksum),
            };
            is_same && found.has_lines()
        })
    }

    /// The file with the parts that several debug files share (.gnu_debugaltlink), which dwz makes.
    fn supplementary(&self) -> Option<Elf> {
        let object = self.object()?;
        let (name, id) = object.gnu_debugaltlink().ok()??;
        let beside = self.path.parent()?.join(std::str::from_utf8(name).ok()?);
        Elf::open(&beside).or_else(|| Elf::open(&file_of_build_id(Path::new(DEBUG_FOLDER), id)?))
    }

    /// The CRC-32 that .gnu_debuglink has of a debug file.
    fn checksum(&self) -> Option<u32> {
        let mut crc = Crc::new();
        let mut bytes = vec![0; 1 << 16];
        let mut at = 0;
        loop {
            let read = self.file.read_at(&mut bytes, at).ok()?;
            if read == 0 {
                return Some(crc.sum());
            }
            crc.update(&bytes[..read]);
            at += read as u64;
        }
    }

    fn dwarf(&self) -> Option<Dwarf<Reader>> {
        let load = |id: SectionId| -> Result<Reader, ()> {
            let bytes = self.section(id.name()).unwrap_or_default();
            Ok(Reader::new(Arc::from(bytes), LittleEndian))
        };
        Dwarf::load(load).ok()
    }

    /// The bytes of a section, which may be compressed with zlib.
    fn section(&self, name: &str) -> Option<Vec<u8>> {
        let object = self.object()?;
        let range = object.section_by_name(name)?.compressed_file_range().ok()?;
        let mut stored = vec![0; usize::try_from(range.compressed_size).ok()?];
        if range.offset.checked_add(range.compressed_size)? > self.file.metadata().ok()?.len() {
            return None;
        }
        self.file.read_exact_at(&mut stored, range.offset).ok()?;
        match range.format {
            CompressionFormat::None => Some(stored),
            CompressionFormat::Zlib => {
                let mut bytes = Vec::new();
                ZlibDecoder::new(&stored[..]).take(range.uncompressed_size).read_to_end(&mut bytes).ok()?;
                Some(bytes)
            }
            _ => None,
        }
    }

    fn functions(&self) -> Vec<(Range<u64>, String)> {
        let Some(object) = self.object() else { return Vec::new() };
        let function = |symbol: object::Symbol<'_, '_, &ReadCache<File>>| {
            let range = symbol.address()..symbol.address().checked_add(symbol.size())?;
            let is_function = symbol.kind() == object::SymbolKind::Text && symbol.is_definition();
            (is_function && !range.is_empty()).then_some((range, symbol.name().ok()?.to_owned()))
        };
        let mut all: Vec<_> = object.symbols().chain(object.dynamic_symbols()).filter_map(function).collect();
        all.sort_by(|a, b| (a.0.start, &a.1).cmp(&(b.0.start, &b.1)));
        all.dedup();
        all
    }
}

/// The path of a debug file by a build ID.
fn file_of_build_id(debug: &Path, id: &[u8]) -> Option<PathBuf> {
    let (first, rest) = id.split_first()?;
    let hexadecimal: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(debug.join(format!(".build-id/{first:02x}/{hexadecimal}.debug")))
}
