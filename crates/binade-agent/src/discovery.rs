//! The multiply-adds of an object: its file read, its executable sections [swept](binade_patch::sites).

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use binade_patch::analysis;
use binade_patch::native::NativeCounts;
use binade_patch::sites::{self, Confidence, Function, Kinds, Sweep};
use iced_x86::{Decoder, DecoderOptions};
use object::elf::{DF_TEXTREL, DT_FLAGS, DT_TEXTREL, PT_GNU_EH_FRAME, SHF_EXECINSTR};
use object::read::elf::{Dyn, ElfFile64, ProgramHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, SectionFlags};

use crate::functions::Unwind;

/// The functions of an object, by address.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// The load address of the object.
    base: u64,
    functions: Vec<Function>,
}

impl Symbols {
    pub(crate) fn new(base: u64, mut functions: Vec<Function>) -> Symbols {
        functions.sort_by_key(|function| function.start);
        functions.dedup_by_key(|function| function.start);
        Symbols { base, functions }
    }

    /// The address of the process that the object's file counts as 0.
    pub(crate) fn base(&self) -> u64 {
        self.base
    }

    /// The function that an address of the process belongs to.
    fn function(&self, address: u64) -> Option<&Function> {
        let address = address.checked_sub(self.base)?;
        let behind = self.functions.partition_point(|function| function.start <= address);
        let near = &self.functions[behind.saturating_sub(8)..behind];
        near.iter().rev().find(|function| address < function.end)
    }

    /// Its name.
    pub(crate) fn at(&self, address: u64) -> Option<&str> {
        self.function(address).map(|function| function.name.as_str())
    }

    /// Its bounds.
    pub(crate) fn range(&self, address: u64) -> Option<Range<u64>> {
        self.function(address).map(|function| self.base + function.start..self.base + function.end)
    }
}

/// An object's file, mapped.
pub(crate) struct Mapped {
    start: *mut libc::c_void,
    length: usize,
    /// Identifies the file and its version.
    stamp: [u64; 4],
}

impl Mapped {
    pub(crate) fn open(path: &str) -> Option<Mapped> {
        let file = File::open(path).ok()?;
        let metadata = file.metadata().ok()?;
        let nanoseconds = metadata.mtime().wrapping_mul(1_000_000_000).wrapping_add(metadata.mtime_nsec());
        let stamp = [metadata.dev(), metadata.ino(), nanoseconds as u64, metadata.ctime() as u64];
        let length = metadata.len() as usize;
        // SAFETY: a fresh private mapping of a file.
        let start = unsafe {
            libc::mmap(std::ptr::null_mut(), length, libc::PROT_READ, libc::MAP_PRIVATE, file.as_raw_fd(), 0)
        };
        (start != libc::MAP_FAILED).then_some(Mapped { start, length, stamp })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: mapped readable as long as `self` lives.
        unsafe { std::slice::from_raw_parts(self.start.cast(), self.length) }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and views of it borrow `self`.
        unsafe { libc::munmap(self.start, self.length) };
    }
}

/// The bytes of a file that a jump would cover.
pub(crate) struct Found<'a> {
    /// Its address in the process.
    pub(crate) address: u64,
    /// Its bytes.
    pub(crate) bytes: &'a [u8],
    /// Multiply-adds in it.
    pub(crate) multiply_adds: u8,
}

/// The multiply-adds and functions of a file, for an object that is loaded at some base.
pub(crate) struct Swept<'a> {
    /// The addresses of its executable sections in the process.
    pub(crate) code: Range<u64>,
    pub(crate) sites: Vec<Found<'a>>,
    /// Multiply-adds that may be data.
    pub(crate) doubtful: u64,
    /// Multiply-adds that have no room for a jump.
    pub(crate) cramped: u64,
    /// Products of tiles that are no sites.
    pub(crate) tiles: u64,
    /// Multiply-adds of other types, which are native.
    pub(crate) native: NativeCounts,
    /// True if the dynamic linker writes into its code.
    pub(crate) text_relocations: bool,
    pub(crate) symbols: Symbols,
    pub(crate) unwind: Option<Unwind>,
}

/// Reads an object; nothing if it is none of this machine.
pub(crate) fn sweep<'a>(
    file: &'a Mapped,
    base: u64,
    kinds: Kinds,
    cache: Option<&Path>,
) -> Option<Swept<'a>> {
    let (swept, kept) = analysed(file, kinds, cache)?;
    build(file.bytes(), base, kinds, swept, kept).or_else(|| {
        // What was kept does not fit.
        let swept = sites::sweep(file.bytes(), kinds).ok()?;
        build(file.bytes(), base, kinds, swept, false)
    })
}

/// The contents of a file, given where its sites are; nothing if they are elsewhere, which is checked for those from the cache.
fn build(bytes: &[u8], base: u64, kinds: Kinds, swept: Sweep, kept: bool) -> Option<Swept<'_>> {
    let file = object::File::parse(bytes).ok()?;
    let mut code: Option<Range<u64>> = None;
    let mut sites = Vec::with_capacity(swept.sites.len());
    let (mut doubtful, mut cramped, mut tiles, mut products) = (0, 0, 0, 0);
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
        let Some(text) = section.data().ok().filter(|_| sh_flags & SHF_EXECINSTR as u64 != 0) else {
            continue;
        };
        tiles += sites::tile_products(text);
        let (start, end) = (section.address(), section.address() + text.len() as u64);
        let before = code.unwrap_or(start..end);
        code = Some(before.start.min(start)..before.end.max(end));
        let first = swept.sites.partition_point(|site| site.address < start);
        let last = swept.sites.partition_point(|site| site.address < end);
        for site in &swept.sites[first..last] {
            let multiply_adds = site.multiply_adds;
            match site.span {
                _ if site.confidence == Confidence::Doubtful => doubtful += u64::from(multiply_adds),
                None => cramped += u64::from(multiply_adds),
                Some(span) => {
                    let at = (site.address - start) as usize;
                    let bytes = text.get(at..at + span as usize)?;
                    let first = Decoder::with_ip(64, bytes, site.address, DecoderOptions::NONE).decode();
                    if kept && !kinds.site(&first) {
                        return None;
                    }
                    products += u64::from(kinds.product(&first).is_some());
                    sites.push(Found { address: base + site.address, bytes, multiply_adds });
                }
            }
        }
    }
    let code = code?;
    sites.sort_by_key(|site| site.address);
    Some(Swept {
        code: base + code.start..base + code.end,
        sites,
        doubtful,
        cramped,
        tiles: u64::saturating_sub(tiles, products),
        native: swept.native,
        text_relocations: text_relocations(bytes),
        symbols: Symbols::new(base, swept.functions),
        unwind: segments(bytes, PT_GNU_EH_FRAME).next().map(|range| Unwind { table: base + range.start }),
    })
}

/// The sites of a file, and true if they are from the cache. Otherwise they are found, and kept there.
fn analysed(file: &Mapped, kinds: Kinds, cache: Option<&Path>) -> Option<(Sweep, bool)> {
    /// Smaller files take no longer to search than to look up.
    const WORTHWHILE: usize = 1 << 18;
    let bytes = file.bytes();
    let key =
        cache.filter(|_| bytes.len() >= WORTHWHILE).and_then(|_| analysis::key(bytes, kinds, &file.stamp));
    let (Some(folder), Some(key)) = (cache, key) else {
        return Some((sites::sweep(bytes, kinds).ok()?, false));
    };
    let path = folder.join(analysis::file_name(&key));
    if let Some(kept) = fs::read(&path).ok().and_then(|kept| analysis::decode(&kept, &key)) {
        return Some((kept, true));
    }
    let swept = sites::sweep(bytes, kinds).ok()?;
    // Beside its place, and then to it: another process sees all of it or nothing. If it cannot be kept, it is found again.
    let beside = path.with_extension(std::process::id().to_string());
    let written =
        fs::write(&beside, analysis::encode(&swept, &key)).and_then(|()| fs::rename(&beside, &path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    Some((swept, false))
}

/// The addresses of an object's segments of one kind.
fn segments(bytes: &[u8], kind: u32) -> impl Iterator<Item = Range<u64>> + '_ {
    let file = ElfFile64::<Endianness>::parse(bytes).ok();
    file.into_iter().flat_map(move |file| {
        let endian = file.endian();
        file.elf_program_headers()
            .iter()
            .filter(move |header| header.p_type(endian) == kind)
            .map(move |header| header.p_vaddr(endian)..header.p_vaddr(endian) + header.p_memsz(endian))
    })
}

/// True if the dynamic section says that code is relocated.
fn text_relocations(bytes: &[u8]) -> bool {
    let Ok(file) = ElfFile64::<Endianness>::parse(bytes) else { return false };
    let table = file.elf_section_table().dynamic(file.endian(), bytes);
    let Ok(Some((entries, _))) = table else { return false };
    entries.iter().any(|entry| {
        let (tag, value) = (entry.d_tag(file.endian()), entry.d_val(file.endian()));
        tag == DT_TEXTREL as u64 || (tag == DT_FLAGS as u64 && value & DF_TEXTREL as u64 != 0)
    })
}

/// The address of a symbol in the process.
pub(crate) fn symbol(bytes: &[u8], base: u64, name: &str) -> Option<u64> {
    let file = object::File::parse(bytes).ok()?;
    let named = |symbol: &object::Symbol<'_, '_>| symbol.is_definition() && symbol.name() == Ok(name);
    let found = file.dynamic_symbols().find(named).or_else(|| file.symbols().find(named))?;
    Some(base + found.address())
}

/// The addresses of exported functions in the process, by name.
pub(crate) fn exported(bytes: &[u8], base: u64) -> Option<(Range<u64>, BTreeMap<&str, u64>)> {
    let file = object::File::parse(bytes).ok()?;
    let text = file.section_by_name(".text")?;
    let functions = file
        .dynamic_symbols()
        .filter(|symbol| symbol.is_definition())
        .filter_map(|symbol| Some((symbol.name().ok()?, base + symbol.address())))
        .collect();
    Some((base + text.address()..base + text.address() + text.size(), functions))
}
