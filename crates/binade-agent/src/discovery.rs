//! The multiply-adds of an object: its file read, its executable sections swept.

use std::fs::File;
use std::ops::Range;
use std::os::fd::AsRawFd;

use binade_run::fma::Fma;
use iced_x86::{Decoder, DecoderOptions, Instruction};
use object::elf::{SHF_EXECINSTR};
use object::{Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind};

/// The functions of an object, by address.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// Where the object is loaded.
    pub(crate) base: u64,
    functions: Vec<(u64, u64, String)>,
}

impl Symbols {
    /// The function that this address belongs to.
    pub(crate) fn at(&self, address: u64) -> Option<&str> {
        let address = address.checked_sub(self.base)?;
        let next = self.functions.partition_point(|&(start, ..)| start <= address);
        let (start, size, name) = self.functions.get(next.checked_sub(1)?)?;
        (address < start + (*size).max(1)).then_some(name)
    }
}

/// An object's file, mapped.
pub(crate) struct Mapped {
    start: *mut libc::c_void,
    length: usize,
}

impl Mapped {
    pub(crate) fn open(path: &str) -> Option<Mapped> {
        let file = File::open(path).ok()?;
        let length = file.metadata().ok()?.len() as usize;
        // SAFETY: a fresh private mapping of a file.
        let start = unsafe {
            libc::mmap(std::ptr::null_mut(), length, libc::PROT_READ, libc::MAP_PRIVATE, file.as_raw_fd(), 0)
        };
        (start != libc::MAP_FAILED).then_some(Mapped { start, length })
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

/// A multiply-add in a file.
pub(crate) struct Found<'a> {
    /// Its address in the object.
    pub(crate) address: u64,
    /// Its bytes.
    pub(crate) bytes: &'a [u8],
}

/// What a file holds.
pub(crate) struct Swept<'a> {
    /// The addresses of its executable sections.
    pub(crate) code: Range<u64>,
    pub(crate) sites: Vec<Found<'a>>,
    /// Sites that may be none, and why.
    pub(crate) rejected: Vec<(String, u64)>,
    /// Whether the dynamic linker writes into its code.
    pub(crate) text_relocations: bool,
    pub(crate) symbols: Symbols,
    file: object::File<'a>,
}

impl Swept<'_> {
    /// The address of an exported function.
    pub(crate) fn exported(&self, name: &str) -> Option<u64> {
        let named = |symbol: &object::Symbol<'_, '_>| symbol.is_definition() && symbol.name() == Ok(name);
        self.file.dynamic_symbols().find(named).map(|symbol| symbol.address())
    }
}

/// Reads an object; nothing if it is none of this machine.
pub(crate) fn sweep(bytes: &[u8], chosen: impl Fn(&Fma) -> bool) -> Option<Swept<'_>> {
    let file = object::File::parse(bytes).ok()?;
    let mut code = u64::MAX..0;
    let mut sites = Vec::new();
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
        if sh_flags & SHF_EXECINSTR as u64 == 0 {
            continue;
        }
        let Ok(text) = section.data() else { continue };
        let base = section.address();
        code = code.start.min(base)..code.end.max(base + text.len() as u64);
        let mut decoder = Decoder::with_ip(64, text, base, DecoderOptions::NONE);
        let mut instruction = Instruction::default();
        while decoder.can_decode() {
            decoder.decode_out(&mut instruction);
            if Fma::is_fused(instruction.code()) && Fma::decode(&instruction).is_some_and(|fma| chosen(&fma)) {
                let start = (instruction.ip() - base) as usize;
                sites.push(Found { address: instruction.ip(), bytes: &text[start..start + instruction.len()] });
            }
        }
    }
    if code.start >= code.end {
        return None;
    }
    let mut functions: Vec<(u64, u64, String)> = file
        .symbols()
        .chain(file.dynamic_symbols())
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition())
        .filter_map(|symbol| Some((symbol.address(), symbol.size(), symbol.name().ok()?.to_owned())))
        .collect();
    functions.sort();
    functions.dedup_by_key(|function| function.0);
    let symbols = Symbols { base: 0, functions };
    Some(Swept { code, sites, rejected: Vec::new(), text_relocations: false, symbols, file })
}
