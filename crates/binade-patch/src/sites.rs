//! Finds the multiply-adds of an ELF object for the agent, each with a degree of confidence.
//!
//! Code and data mix: hand-written code has no unwind information, some objects keep tables between their functions, and a
//! jump may step over constants. A site counts only if there is a reason to believe that its bytes are executed as that
//! instruction:
//!
//! 1. Symbols of functions, unwind ranges and their ends cut a section into pieces whose starts are instructions. Pieces
//!    without the byte pattern of a multiply-add are not looked at.
//! 2. A piece is decoded from its start. Behind an instruction that does not fall through (a jump, a return) there is code
//!    only where something leads to: a direct branch, a pointer that the loader relocates, or the start of a piece. What
//!    instructions read, relative to themselves or through an address that they formed just before, is data.
//! 3. What follows decides the [`Confidence`]: whether the piece is a known function, whether all of it decodes, whether
//!    it has jumps through registers, whose targets are not known. Code that nothing known leads to counts only if it
//!    comes to an end: a return or jump, not bytes that are no instruction, nor the next function.
//!
//! No site has a branch target inside, other than its start.

use std::cmp::Reverse;
use std::ops::Range;

use gimli::{BaseAddresses, EhFrame, LittleEndian, UnwindSection};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind};
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionFlags, SymbolKind, elf};
use thiserror::Error;

use crate::fma::{Element, Fma, Form};
use crate::native::{NativeCounts, NativeType};
use crate::span::Span;
use crate::tile::Product;

/// The confidence that a site is a multiply-add.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Confidence {
    /// The bytes decode as a multiply-add, but may well be data. Not to be patched.
    Doubtful,
    /// In code without symbol and unwind range that decodes without error all around, or in a function behind a jump
    /// where only a jump through a register can lead.
    Likely,
    /// Control flow leads to it from the start of a known function all of which decodes, or from a known address.
    Certain,
}

/// A multiply-add in an object, with those that a jump in its place covers too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// Its address, as the object's file counts them.
    pub address: u64,
    /// Bytes of its [span](crate::span::Span); none if there is no room for a jump.
    pub span: Option<u8>,
    /// Multiply-adds in the span.
    pub multiply_adds: u8,
    /// The confidence that it is a multiply-add.
    pub confidence: Confidence,
    /// Index of the symbol it is in, if any, into [`Sweep::functions`].
    pub function: Option<u32>,
}

/// A function with a symbol.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its first address.
    pub start: u64,
    /// The address behind it.
    pub end: u64,
    /// Its name, as the object spells it.
    pub name: String,
}

/// The multiply-adds of an object.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// Sites by address.
    pub sites: Vec<Site>,
    /// Functions that have sites, by address.
    pub functions: Vec<Function>,
    /// Multiply-adds of other types, which are native.
    pub native: NativeCounts,
}

/// The instructions that are sites besides binary32 fused multiply-adds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kinds {
    /// Separate multiplications.
    pub multiply: bool,
    /// Separate additions and subtractions, those of neighbouring lanes included. Dot products within a register are under the
    /// operator if `multiply` is set, too.
    pub add: bool,
    /// Binary64 lanes. The operators of BF16 parts round them to binary32 first.
    pub double: bool,
    /// Dot products of pairs of BF16, of vectors and of [tiles](crate::tile).
    pub dot: bool,
}

impl Kinds {
    /// Returns true if a multiply-add is one of these.
    pub fn contain(&self, fma: &Fma) -> bool {
        (fma.element == Element::F32 || self.double)
            && match fma.form {
                Form::Fused(_) => true,
                Form::Multiply => self.multiply,
                Form::Add | Form::Horizontal => self.add,
                Form::Across => self.multiply && self.add,
                Form::Dot => self.dot,
            }
    }

    /// Returns true if an instruction is a multiply-add of one of these.
    pub fn site(&self, instruction: &Instruction) -> bool {
        Fma::decode(instruction).is_some_and(|fma| self.contain(&fma)) || self.product(instruction).is_some()
    }

    /// The product of tiles that an instruction is, if it is one of these.
    pub fn product(&self, instruction: &Instruction) -> Option<Product> {
        Product::decode(instruction).filter(|_| self.dot)
    }

    /// Returns true if some of these may have no space for a jump.
    fn short(&self) -> bool {
        self.multiply || self.add
    }

    /// Offsets in bytes at which a site may start, in order. It has no false negatives, except in the last four bytes.
    pub fn may_start(&self, bytes: &[u8]) -> Vec<usize> {
        self.patterns(bytes)
    }

    /// Offsets at which bytes may have a site's escape byte and opcode, in order. It has no false negatives.
    ///
    /// - A fused multiply-add: escape C4 or 62, map 0F38, prefix 66, an opcode with the digits 9, A or B and 6 to F.
    /// - A separate product or sum: escape 0F, C5, C4 or 62, map 0F, opcode 59 or, of sums, 58, 5C, 7C, 7D or D0.
    /// - A dot product within a register: escape 0F or C4, map 0F3A, prefix 66, opcode 40 or 41.
    /// - A dot product: escape 62, map 0F38, prefix F3, opcode 52.
    /// - A product of tiles: escape C4, map 0F38, prefix F3, opcode 5C.
    ///
    /// The map is in the byte behind the escape, the prefix in the next one. EVEX has two fixed bits besides: one is clear
    /// beside the map, one is set beside the prefix.
    fn patterns(&self, bytes: &[u8]) -> Vec<usize> {
        self.all_patterns(bytes, false)
    }

    /// The patterns of sites and, if `native`, of multiply-adds that stay native.
    ///
    /// - Binary16 has the opcodes of binary32 in the map 6 of EVEX, and besides them, for complex numbers, 56, 57, D6 and D7
    ///   behind the prefixes F3 and F2.
    /// - AVX512-4FMAPS has opcodes of binary32 behind the prefix F2.
    /// - FMA4 has the digits 5C to 5F, 68 to 6F and 78 to 7F in the map 0F3A of C4.
    fn all_patterns(&self, bytes: &[u8], native: bool) -> Vec<usize> {
        let is_product = |opcode| opcode == 0x59;
        let is_sum = |opcode| (opcode | 4 == 0x5c) | (opcode & 0xfe == 0x7c) | (opcode == 0xd0);
        let dot = self.dot;
        let across = self.multiply && self.add;
        match (self.multiply, self.add) {
            (false, false) if !dot => patterns(bytes, |_| false, (false, across), native),
            (false, false) => patterns(bytes, |_| false, (true, across), native),
            (true, false) => patterns(bytes, is_product, (dot, across), native),
            (false, true) => patterns(bytes, is_sum, (dot, across), native),
            (true, true) => {
                patterns(bytes, |opcode| is_product(opcode) | is_sum(opcode), (dot, across), native)
            }
        }
    }
}

/// Starts of patterns. `separate` is true for the opcodes of the map 0F that count. `dot`, `across` and `native` are true if dot
/// products of BF16, those within a register, and native multiply-adds do. Nearly all code is read for this: the comparisons of a block are free of branches, so
/// that the compiler makes vectors of them.
#[inline(always)]
fn patterns(
    bytes: &[u8],
    separate: impl Fn(u8) -> bool,
    (dot, across): (bool, bool),
    native: bool,
) -> Vec<usize> {
    const BLOCK: usize = 64;
    /// From the escape to the opcode.
    const BEHIND: usize = 4;
    let fused = |opcode: u8| (opcode.wrapping_sub(0x90) < 0x30) & (opcode & 0xf >= 6);
    let within_register = |opcode: u8| (opcode & 0xfe == 0x40) & (across | native);
    let four_operands = |opcode: u8| ((opcode & 0xfc == 0x5c) | (opcode & 0xe8 == 0x68)) & native;
    let is_start = |bytes: &[u8; BLOCK + BEHIND], at: usize| {
        let [escape, map, prefix] = [bytes[at], bytes[at + 1], bytes[at + 2]];
        let vex = (map & 0x1f == 2) & (prefix & 3 == 1) & fused(bytes[at + 3])
            | (map & 0x1f == 1) & separate(bytes[at + 3])
            | (map & 0x1f == 2) & (prefix & 7 == 2) & (bytes[at + 3] == 0x5c) & dot
            | (map & 0x1f == 3)
                & (prefix & 3 == 1)
                & (within_register(bytes[at + 3]) | four_operands(bytes[at + 3]));
        let evex = (map & 15 == 2) & ((prefix & 7 == 5) | (prefix & 7 == 7) & native) & fused(bytes[at + 4])
            | (map & 15 == 1) & (prefix & 4 == 4) & separate(bytes[at + 4])
            | (map & 15 == 2) & (prefix & 7 == 6) & (bytes[at + 4] == 0x52) & (dot | native)
            | (map & 15 == 6) & (prefix & 7 == 5) & fused(bytes[at + 4]) & native
            | (map & 15 == 6) & (prefix & 6 == 6) & (bytes[at + 4] & 0x7e == 0x56) & native;
        (escape == 0xc4) & vex
            | (escape == 0x62) & evex
            | (escape == 0xc5) & separate(prefix)
            | (escape == 0x0f) & (separate(map) | (map == 0x3a) & within_register(prefix))
    };
    let mut starts = vec![];
    let mut padded = [0; BLOCK + BEHIND];
    for start in (0..bytes.len()).step_by(BLOCK) {
        let rest = &bytes[start..];
        let block = rest.first_chunk().unwrap_or_else(|| {
            padded[..rest.len()].copy_from_slice(rest);
            padded[rest.len()..].fill(0);
            &padded
        });
        let any = (0..BLOCK).fold(0, |any, at| any | is_start(block, at) as u8);
        if any != 0 {
            starts.extend((0..BLOCK).filter(|&at| is_start(block, at)).map(|at| start + at));
        }
    }
    starts
}

/// Products of tiles (AMX) in some code. Their bytes are looked for anywhere: by chance there is one in some 200 MB.
pub fn tile_products(code: &[u8]) -> u64 {
    // Tiles have numbers up to 7, so no register needs the bits of the second byte.
    let decode = |at: usize| Decoder::with_ip(64, &code[at..], 0, DecoderOptions::NONE).decode();
    let starts = memchr::memmem::find_iter(code, &[0xc4, 0xe2]);
    starts.filter(|&at| crate::fma::multiplies_tiles(&decode(at))).count() as u64
}

/// The reason for which an object could not be swept.
#[derive(Debug, Error)]
pub enum SweepError {
    /// Not an object of a kind that is known.
    #[error("not an ELF object: {0}")]
    Object(#[from] object::Error),
    /// Another machine's.
    #[error("the object is for {0:?}, not for x86-64")]
    Architecture(object::Architecture),
}

/// A function's symbol.
#[derive(Clone, Copy)]
struct Symbol<'a> {
    start: u64,
    end: u64,
    name: &'a str,
}

/// A run of addresses of a section that starts with an instruction.
#[derive(Clone, Copy)]
struct Piece {
    start: u64,
    end: u64,
    /// True if a symbol or an unwind range covers it.
    known: bool,
}

/// Finds the sites of an ELF object, given its file.
///
/// # Errors
/// If it is no ELF object for x86-64. Damaged symbols or unwind information only mean fewer known functions.
pub fn sweep(file: &[u8], kinds: Kinds) -> Result<Sweep, SweepError> {
    let object = object::File::parse(file)?;
    if object.architecture() != object::Architecture::X86_64 {
        return Err(SweepError::Architecture(object.architecture()));
    }
    let texts: Vec<Text> = object
        .sections()
        .filter(|section| {
            matches!(section.flags(), SectionFlags::Elf { sh_flags }
                if sh_flags & u64::from(elf::SHF_EXECINSTR) != 0)
        })
        .filter_map(|section| Some(Text::new(section.address(), section.data().ok()?, kinds)))
        .filter(|text| !text.patterns.is_empty() || kinds.short())
        .collect();
    // Most objects have none, and need not be understood.
    if texts.is_empty() {
        return Ok(Sweep::default());
    }
    let mut functions: Vec<Symbol> = object
        .symbols()
        .chain(object.dynamic_symbols())
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition() && symbol.size() > 0)
        .filter_map(|symbol| {
            let (start, name) = (symbol.address(), symbol.name().ok()?);
            Some(Symbol { start, end: start.checked_add(symbol.size())?, name })
        })
        .collect();
    functions.sort_unstable_by_key(|symbol| (symbol.start, Reverse(symbol.end), symbol.name));
    functions.dedup_by_key(|function| (function.start, function.end));
    let ranges = known_ranges(&object, &functions);
    let roots = pointers(&object);

    let mut sites = vec![];
    let mut native = NativeCounts::default();
    for text in &texts {
        text.sweep(&ranges, &roots, &mut sites, &mut native);
    }
    sites.sort_by_key(|site| site.address);
    sites.dedup_by_key(|site| site.address);
    Ok(Sweep { native, ..name_functions(sites, functions) })
}

/// Gives sites their functions, and keeps those that have any.
fn name_functions(mut sites: Vec<Site>, functions: Vec<Symbol>) -> Sweep {
    let mut kept: Vec<Function> = vec![];
    let mut last = None;
    for site in &mut sites {
        let behind = functions.partition_point(|function| function.start <= site.address);
        // The innermost of nested symbols is the last that starts before.
        let Some(found) =
            (behind.saturating_sub(8)..behind).rev().find(|&at| functions[at].end > site.address)
        else {
            continue;
        };
        if last != Some(found) {
            last = Some(found);
            let Symbol { start, end, name } = functions[found];
            kept.push(Function { start, end, name: name.to_owned() });
        }
        site.function = Some(kept.len() as u32 - 1);
    }
    Sweep { sites, functions: kept, native: NativeCounts::default() }
}

/// Addresses that symbols or unwind information say are functions, sorted.
fn known_ranges(object: &object::File, functions: &[Symbol]) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = functions.iter().map(|f| (f.start, f.end)).collect();
    if let Some(section) = object.section_by_name(".eh_frame")
        && let Ok(data) = section.uncompressed_data()
    {
        let frame = EhFrame::new(&data, LittleEndian);
        let mut bases = BaseAddresses::default().set_eh_frame(section.address());
        for (name, base) in
            [(".text", BaseAddresses::set_text as fn(_, _) -> _), (".got", BaseAddresses::set_got)]
        {
            if let Some(section) = object.section_by_name(name) {
                bases = base(bases, section.address());
            }
        }
        let mut entries = frame.entries(&bases);
        while let Ok(Some(entry)) = entries.next() {
            let gimli::CieOrFde::Fde(partial) = entry else { continue };
            if let Ok(fde) = partial.parse(EhFrame::cie_from_offset) {
                let start = fde.initial_address();
                ranges.extend(start.checked_add(fde.len()).map(|end| (start, end)));
            }
        }
    }
    ranges.sort_unstable();
    ranges.dedup();
    ranges
}

/// Addresses that the loader writes into data, sorted: functions among them are entered through pointers.
fn pointers(object: &object::File) -> Vec<u64> {
    let mut pointers: Vec<u64> = object
        .dynamic_relocations()
        .into_iter()
        .flatten()
        .filter(|(_, relocation)| relocation.target() == RelocationTarget::Absolute)
        .map(|(_, relocation)| relocation.addend() as u64)
        .chain([object.entry()])
        .collect();
    pointers.sort_unstable();
    pointers.dedup();
    pointers
}

/// An executable section.
struct Text<'a> {
    start: u64,
    bytes: &'a [u8],
    kinds: Kinds,
    /// The addresses of [patterns](Kinds::all_patterns), native ones too.
    patterns: Vec<u64>,
}

/// Bytes around code without symbol that have to decode.
const NEIGHBOURHOOD: u64 = 1024;
/// The alignment of functions without symbol.
const ALIGNMENT: u64 = 16;

impl<'a> Text<'a> {
    fn new(start: u64, bytes: &'a [u8], kinds: Kinds) -> Text<'a> {
        let patterns = kinds.all_patterns(bytes, true).into_iter().map(|at| start + at as u64).collect();
        Text { start, bytes, kinds, patterns }
    }

    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    fn at(&self, piece: Piece) -> &[u8] {
        &self.bytes[(piece.start - self.start) as usize..(piece.end - self.start) as usize]
    }

    /// Cuts the section at all starts and ends of known ranges.
    fn pieces(&self, ranges: &[(u64, u64)]) -> Vec<Piece> {
        let inside =
            |range: &&(u64, u64)| range.0 >= self.start && range.1 <= self.end() && range.0 < range.1;
        let mut pieces: Vec<Piece> = vec![];
        // Ranges that start at the same address are sorted by their end; nested ones are merged to the left.
        let mut behind = self.start;
        for &(start, end) in ranges.iter().filter(inside) {
            match pieces.last_mut() {
                // Within the last one: an entry in the middle of a function, or an alias.
                Some(last) if last.known && start < last.end => {
                    if start == last.start {
                        last.end = last.end.max(end);
                    } else {
                        let all = last.end.max(end);
                        last.end = start;
                        pieces.push(Piece { start, end: all, known: true });
                    }
                }
                _ => {
                    if behind < start {
                        pieces.push(Piece { start: behind, end: start, known: false });
                    }
                    pieces.push(Piece { start, end, known: true });
                }
            }
            behind = pieces.last().map_or(behind, |last| last.end);
        }
        if behind < self.end() {
            pieces.push(Piece { start: behind, end: self.end(), known: false });
        }
        pieces
    }

    fn sweep(&self, ranges: &[(u64, u64)], roots: &[u64], sites: &mut Vec<Site>, native: &mut NativeCounts) {
        let own = |root: &u64| (self.start..self.end()).contains(root);
        let mut references = References::default();
        references.0.extend(roots.iter().copied().filter(own).map(|root| (root, Reached::Flow)));
        let mut pieces = self.pieces(ranges);
        pieces.retain(|&piece| {
            let first = self.patterns.partition_point(|&at| at < piece.start);
            let any = self.patterns.get(first).is_some_and(|&at| at < piece.end);
            // Where a jump covers several instructions, no branch from anywhere may lead between them.
            let has_sites = (any || self.kinds.short()) && self.scan(piece, &mut references, native);
            any && has_sites
        });
        references.settle();
        for piece in pieces {
            self.grade(piece, &references.0, sites);
        }
    }

    fn decoder(&self, piece: Piece) -> Decoder<'_> {
        Decoder::with_ip(64, self.at(piece), piece.start, DecoderOptions::NONE)
    }

    /// Collects the addresses that a piece refers to, and counts its native multiply-adds; true if it may have sites.
    fn scan(&self, piece: Piece, references: &mut References, native: &mut NativeCounts) -> bool {
        let (mut decoder, mut instruction) = (self.decoder(piece), Instruction::default());
        let mut any = false;
        // The addresses of this section that registers hold, by the registers' numbers.
        let mut formed = [None; 16];
        let text = self.start..self.end();
        while decoder.can_decode() {
            decoder.decode_out(&mut instruction);
            any |= self.kinds.site(&instruction);
            NativeType::of(&instruction, self.kinds)
                .into_iter()
                .for_each(|native_type| native.add(native_type));
            let flow = instruction.flow_control();
            if instruction.op0_kind() == OpKind::NearBranch64 {
                references.0.push((instruction.near_branch_target(), Reached::Flow));
            }
            let base = instruction.memory_base();
            let address = if instruction.is_ip_rel_memory_operand() {
                Some(instruction.ip_rel_memory_address()).filter(|address| text.contains(address))
            } else if base.is_gpr64() {
                formed[base.number()]
            } else {
                None
            };
            let forms = instruction.mnemonic() == Mnemonic::Lea;
            if let Some(address) = address {
                references.0.push((address, if forms { Reached::Guess } else { Reached::Data }));
            }
            match flow {
                FlowControl::Next | FlowControl::ConditionalBranch => {
                    let written = instruction.op0_register();
                    if written.is_gpr() {
                        let own = address.filter(|_| forms && instruction.is_ip_rel_memory_operand());
                        formed[written.full_register().number()] = own;
                    }
                }
                _ => formed = [None; 16],
            }
        }
        any
    }

    /// Finds the sites of a piece, given what all pieces refer to.
    fn grade(&self, piece: Piece, all: &[(u64, Reached)], sites: &mut Vec<Site>) {
        let (mut decoder, mut instruction) = (self.decoder(piece), Instruction::default());
        let mut references = &all[all.partition_point(|&(at, _)| at < piece.start)..];
        let mut reached = if piece.known { Reached::Flow } else { Reached::Guess };
        let (mut found, mut invalid) = (vec![], vec![]);
        let (mut broken, mut indirect) = (false, false);
        // The first of the sites that a guess led to and whose code has not come to its end yet.
        let mut open = 0;
        while decoder.can_decode() {
            let address = decoder.ip();
            decoder.decode_out(&mut instruction);
            while references.first().is_some_and(|&(at, _)| at < address) {
                references = &references[1..];
            }
            if let Some(&(at, what)) = references.first()
                && at == address
            {
                // In a function whose flow is known, the address of a place leads there by a jump through a register only.
                if what == Reached::Flow
                    || reached != Reached::Flow && !(what == Reached::Guess && piece.known)
                {
                    reached = what;
                }
                references = &references[1..];
            } else if reached == Reached::No && !piece.known && address.is_multiple_of(ALIGNMENT) {
                reached = Reached::Guess;
            }
            let within = references.iter().take_while(|(at, _)| *at < instruction.next_ip());
            let entered = within.clone().find(|(_, what)| *what == Reached::Flow);
            let inside = entered.or(within.clone().next().filter(|_| reached != Reached::Flow));
            if let Some(&(target, _)) = inside.filter(|(at, _)| reached != Reached::Flow && *at < piece.end) {
                // These bytes are no code; those from there on are.
                let skipped = (target - piece.start) as usize;
                if decoder.set_position(skipped).is_ok() {
                    decoder.set_ip(target);
                    Self::doubt(&mut found[open..]);
                    open = found.len();
                    continue;
                }
            }
            if instruction.is_invalid() {
                broken |= reached == Reached::Flow;
                invalid.push(address);
                reached = Reached::No;
                Self::doubt(&mut found[open..]);
                open = found.len();
                continue;
            }
            if self.kinds.site(&instruction) && inside.is_none() {
                found.push((instruction, reached));
            }
            let ends = match instruction.flow_control() {
                FlowControl::IndirectBranch => {
                    indirect = true;
                    true
                }
                FlowControl::UnconditionalBranch | FlowControl::Return | FlowControl::Exception => true,
                // Padding between functions without symbols.
                FlowControl::Interrupt => instruction.mnemonic() == Mnemonic::Int3,
                _ => false,
            };
            if ends && reached != Reached::Data {
                reached = Reached::No;
                open = found.len();
            }
        }
        Self::doubt(&mut found[open..]);
        let clean_around = |address: u64| {
            let next = invalid.partition_point(|&at| at < address);
            let far = |at: Option<&u64>| at.is_none_or(|&at| at.abs_diff(address) > NEIGHBOURHOOD);
            far(invalid.get(next)) && far(next.checked_sub(1).and_then(|last| invalid.get(last)))
        };
        let mut covered = piece.start;
        for (instruction, reached) in found {
            let address = instruction.ip();
            if address < covered {
                if let Some(site) = sites.last_mut() {
                    site.multiply_adds += 1;
                }
                continue;
            }
            let confidence = match reached {
                Reached::Flow if !broken || !piece.known && clean_around(address) => Confidence::Certain,
                Reached::Guess if clean_around(address) => Confidence::Likely,
                Reached::No if piece.known && indirect && invalid.is_empty() => Confidence::Likely,
                _ => Confidence::Doubtful,
            };
            // Where a jump through a register leads is not known.
            let enclosed = confidence == Confidence::Certain && !indirect;
            let entered = |addresses: Range<u64>| {
                let next = all.partition_point(|&(at, _)| at < addresses.start);
                !enclosed || all.get(next).is_some_and(|(at, _)| addresses.contains(at))
            };
            let decode = |at: u64| (at < piece.end).then(|| self.decode(piece, at));
            let span = Span::new(instruction, decode, entered);
            covered = span.as_ref().map_or(covered, Span::end);
            let span = span.map(|span| span.length() as u8);
            sites.push(Site { address, span, multiply_adds: 1, confidence, function: None });
        }
    }

    /// The instruction at an address of a piece.
    fn decode(&self, piece: Piece, address: u64) -> Instruction {
        let rest = &self.at(piece)[(address - piece.start) as usize..];
        Decoder::with_ip(64, rest, address, DecoderOptions::NONE).decode()
    }

    /// Sites that a guess led to, and that run into what is not a code, are none.
    fn doubt(found: &mut [(Instruction, Reached)]) {
        for (_, reached) in found {
            if *reached == Reached::Guess {
                *reached = Reached::Data;
            }
        }
    }
}

/// Addresses that instructions and the loader refer to, and their kinds.
#[derive(Default)]
struct References(Vec<(u64, Reached)>);

impl References {
    /// Sorts them; where there are several, what says most stays.
    fn settle(&mut self) {
        self.0.sort_unstable();
        self.0.dedup_by_key(|(at, _)| *at);
    }
}

/// The evidence that an instruction is executed, strongest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reached {
    /// Control flow from something known.
    Flow,
    /// Instructions read it: it is data, up to where something else leads.
    Data,
    /// Perhaps a call: it is where a function without symbol would start, or its address is formed, or it is behind such
    /// a place.
    Guess,
    /// Nothing known.
    No,
}

#[cfg(test)]
mod tests {
    use iced_x86::code_asm::{
        CodeAssembler, eax, ptr, qword_ptr, rax, rcx, rdi, xmm0, xmm1, xmmword_ptr, ymm0, ymm1, ymm2, zmm0,
        zmm1,
    };

    use super::*;

    const BASE: u64 = 0x40_1000;
    /// vfmadd231ps ymm0, ymm1, ymm2
    const FMA: [u8; 5] = [0xc4, 0xe2, 0x75, 0xb8, 0xc2];

    fn found(bytes: &[u8], ranges: &[(u64, u64)], roots: &[u64]) -> Vec<(u64, Confidence)> {
        let mut sites = vec![];
        Text::new(BASE, bytes, Kinds::default()).sweep(
            ranges,
            roots,
            &mut sites,
            &mut NativeCounts::default(),
        );
        sites.iter().map(|site| (site.address - BASE, site.confidence)).collect()
    }

    fn assemble(write: impl FnOnce(&mut CodeAssembler)) -> Vec<u8> {
        let mut assembler = CodeAssembler::new(64).unwrap();
        write(&mut assembler);
        assembler.assemble(BASE).unwrap()
    }

    #[test]
    fn products_of_tiles_are_counted() {
        let product = [0xc4, 0xe2, 0x6a, 0x5c, 0xc1];
        assert_eq!(tile_products(&[&[0x90][..], &product, &FMA, &product].concat()), 2);
        assert_eq!(tile_products(&product[..4]), 0);
    }

    #[test]
    fn products_of_tiles_are_sites_among_dot_products() {
        let code = [&[0xc4, 0xe2, 0x6a, 0x5c, 0xc1][..], &FMA, &[0xc3]].concat();
        let ranges = [(BASE, BASE + code.len() as u64)];
        for (dot, expected) in [(false, vec![5]), (true, vec![0, 5])] {
            let mut sites = vec![];
            Text::new(BASE, &code, Kinds { dot, ..Kinds::default() }).sweep(
                &ranges,
                &[],
                &mut sites,
                &mut NativeCounts::default(),
            );
            assert_eq!(sites.iter().map(|site| site.address - BASE).collect::<Vec<_>>(), expected);
        }
    }

    /// Functions without sites count, too: each instruction's pattern leads to its function.
    #[test]
    fn sweep_counts_native_multiply_adds_by_type() {
        let code = assemble(|x| {
            x.vfmadd231pd(ymm0, ymm1, ymm2).unwrap();
            x.ret().unwrap();
            x.vfmadd132ph(ymm0, ymm1, ymm2).unwrap();
            x.vfcmaddcph(ymm0, ymm1, ymm2).unwrap();
            x.ret().unwrap();
            x.vdpbf16ps(ymm0, ymm1, ymm2).unwrap();
            x.vfmadd231ps(ymm0, ymm1, ymm2).unwrap();
            x.ret().unwrap();
            x.dpps(xmm0, xmm1, 0xf1).unwrap();
            x.ret().unwrap();
            x.vdppd(xmm0, xmm1, xmm0, 0x31).unwrap();
            x.ret().unwrap();
            x.vfmaddps(ymm0, ymm1, ymm2, ymm0).unwrap();
            x.ret().unwrap();
            x.v4fnmaddps(zmm1, zmm0, xmmword_ptr(rax)).unwrap();
            x.ret().unwrap();
        });
        let mut decoder = Decoder::with_ip(64, &code, BASE, DecoderOptions::NONE);
        let returns = decoder.iter().filter(|instruction| instruction.flow_control() == FlowControl::Return);
        let ends: Vec<u64> = returns.map(|instruction| instruction.next_ip()).collect();
        let ranges: Vec<_> = [BASE].iter().chain(&ends).copied().zip(ends.iter().copied()).collect();
        let counts = |kinds| {
            let (mut sites, mut native) = (vec![], NativeCounts::default());
            Text::new(BASE, &code, kinds).sweep(&ranges, &[], &mut sites, &mut native);
            NativeType::ALL
                .map(|of| (of, native.of(of)))
                .into_iter()
                .filter(|(_, count)| *count > 0)
                .collect()
        };
        use NativeType::{Across, Dot, Double, Half, Rare};
        let found: Vec<(NativeType, u64)> = counts(Kinds::default());
        assert_eq!(found, [(Double, 1), (Half, 2), (Dot, 1), (Across, 2), (Rare, 2)]);
        let kinds = Kinds { double: true, dot: true, multiply: true, add: true };
        assert_eq!(counts(kinds), [(Half, 2), (Rare, 2)]);
    }

    #[test]
    fn sites_of_a_known_function_are_certain() {
        let code = assemble(|x| {
            x.vfmadd231ps(ymm0, ymm1, ymm2).unwrap();
            x.vmulps(ymm0, ymm1, ymm2).unwrap();
            x.vfmadd213ss(xmm0, xmm1, qword_ptr(rdi)).unwrap();
            x.ret().unwrap();
        });
        let all = [(BASE, BASE + code.len() as u64)];
        assert_eq!(found(&code, &all, &[]), [(0, Confidence::Certain), (9, Confidence::Certain)]);
        // The same without symbol, and reached by a pointer.
        assert_eq!(found(&code, &[], &[]), [(0, Confidence::Likely), (9, Confidence::Likely)]);
        assert_eq!(found(&code, &[], &[BASE]), [(0, Confidence::Certain), (9, Confidence::Certain)]);
    }

    /// Bytes that a jump steps over are data, whatever they look like, even where they swallow the next instruction.
    #[test]
    fn data_islands_have_no_sites() {
        for island in [&FMA[..], &FMA[..4], &[0xc4, 0xe2, 0x75, 0xb8, 0x84], &[0x48, 0xb8, 0xc4, 0xe2]] {
            let code = assemble(|x| {
                let mut over = x.create_label();
                x.jmp(over).unwrap();
                x.db(island).unwrap();
                x.set_label(&mut over).unwrap();
                x.vfmadd231ps(ymm0, ymm1, ymm2).unwrap();
                x.ret().unwrap();
                x.db(&FMA).unwrap();
            });
            let real = 2 + island.len() as u64;
            let all = [(BASE, BASE + code.len() as u64)];
            let good = |sites: Vec<(u64, Confidence)>| -> Vec<u64> {
                sites.iter().filter(|site| site.1 > Confidence::Doubtful).map(|site| site.0).collect()
            };
            assert_eq!(good(found(&code, &all, &[])), [real], "{island:x?}");
            assert_eq!(good(found(&code, &[], &[])), [real], "{island:x?}");
        }
    }

    /// Constants behind a jump that instructions read by an address relative to themselves, or formed by one.
    #[test]
    fn data_that_is_read_has_no_sites() {
        for (formed, jump) in [(false, false), (false, true), (true, false), (true, true)] {
            let code = assemble(|x| {
                let (mut table, mut over) = (x.create_label(), x.create_label());
                if formed {
                    x.lea(rcx, ptr(table)).unwrap();
                    x.movups(xmm0, xmmword_ptr(rcx + rax)).unwrap();
                } else {
                    x.movups(xmm0, xmmword_ptr(table)).unwrap();
                }
                x.jmp(over).unwrap();
                x.set_label(&mut table).unwrap();
                x.db(&FMA).unwrap();
                x.db(&[0x90; 10]).unwrap();
                x.ret().unwrap();
                x.set_label(&mut over).unwrap();
                x.vfmadd231ps(ymm0, ymm1, ymm2).unwrap();
                // Were it not for the reading, a jump through a register might lead there.
                if jump {
                    x.jmp(rax).unwrap();
                } else {
                    x.ret().unwrap();
                }
            });
            let real = (code.len() - FMA.len() - if jump { 2 } else { 1 }) as u64;
            let known = found(&code, &[(BASE, BASE + code.len() as u64)], &[]);
            assert_eq!(known, [(real - 16, Confidence::Doubtful), (real, Confidence::Certain)]);
            let unknown = found(&code, &[], &[]);
            assert_eq!(unknown, [(real - 16, Confidence::Doubtful), (real, Confidence::Certain)]);
        }
    }

    /// An address that is formed may be a function's where there are no symbols, and is a constant's in a function.
    #[test]
    fn address_that_is_formed_may_be_a_function() {
        let code = assemble(|x| {
            let mut place = x.create_label();
            x.lea(rcx, ptr(place)).unwrap();
            x.ret().unwrap();
            x.set_label(&mut place).unwrap();
            x.vfmadd231ps(ymm0, ymm1, ymm2).unwrap();
            x.ret().unwrap();
        });
        let at = code.len() as u64 - 6;
        assert_eq!(found(&code, &[(BASE, BASE + code.len() as u64)], &[]), [(at, Confidence::Doubtful)]);
        assert_eq!(found(&code, &[], &[]), [(at, Confidence::Likely)]);
        // Constants do not return.
        assert_eq!(found(&code[..code.len() - 1], &[], &[]), [(at, Confidence::Doubtful)]);
    }

    /// Constants between two functions, where a function without symbol could be but that it runs into the next one.
    #[test]
    fn constants_between_functions_are_doubtful() {
        let mut bytes = vec![0xc3];
        bytes.resize(16, 0xcc);
        bytes.extend(FMA);
        bytes.resize(32, 0x90);
        bytes.push(0xc3);
        let ranges = [(BASE, BASE + 1), (BASE + 32, BASE + 33)];
        assert_eq!(found(&bytes, &ranges, &[]), [(16, Confidence::Doubtful)]);
        bytes[31] = 0xc3;
        assert_eq!(found(&bytes, &ranges, &[]), [(16, Confidence::Likely)]);
    }

    /// Targets of jumps through tables are not known: likely, if the function decodes.
    #[test]
    fn code_behind_an_indirect_jump_is_likely() {
        let code = assemble(|x| {
            x.jmp(qword_ptr(rdi + rax * 8)).unwrap();
            x.vfmadd231ps(ymm0, ymm1, ymm2).unwrap();
            x.ret().unwrap();
        });
        let all = [(BASE, BASE + code.len() as u64)];
        let likely = found(&code, &all, &[]);
        assert_eq!(likely.len(), 1);
        assert_eq!(likely[0].1, Confidence::Likely);
        let broken = [&code[..], &[0x06]].concat();
        let all = [(BASE, BASE + broken.len() as u64)];
        assert_eq!(found(&broken, &all, &[])[0].1, Confidence::Doubtful);
    }

    /// Tables between functions, and functions behind tables.
    #[test]
    fn tables_between_functions_are_doubtful() {
        let mut bytes = assemble(|x| {
            x.mov(eax, 1).unwrap();
            x.ret().unwrap();
        });
        bytes.resize(64, 0xcc);
        // Bytes that are no instructions, and a multiply-add in the middle of them.
        for _ in 0..16 {
            bytes.extend([0x06, 0x07, 0x0e, 0x16]);
        }
        bytes.extend(FMA);
        bytes.extend([0x06; 59]);
        let function = bytes.len() as u64;
        bytes.extend(FMA);
        bytes.push(0xc3);
        let ranges = [(BASE, BASE + 6), (BASE + function, BASE + bytes.len() as u64)];
        let sites = found(&bytes, &ranges, &[]);
        assert_eq!(sites, [(128, Confidence::Doubtful), (function, Confidence::Certain)]);
    }

    /// No site where a branch leads into its middle.
    #[test]
    fn instruction_entered_in_its_middle_is_no_site() {
        let code = assemble(|x| {
            x.jrcxz(BASE + 4).unwrap();
            x.db(&FMA).unwrap();
            x.ret().unwrap();
            x.add(rcx, rax).unwrap();
        });
        let all = [(BASE, BASE + code.len() as u64)];
        assert_eq!(found(&code, &all, &[]), []);
    }

    /// Instructions shorter than a jump: alone, followed by another, at a branch's target, and where a table's jump may lead.
    #[test]
    fn jumps_cover_what_follows_short_instructions() {
        let kinds = Kinds { multiply: true, add: true, ..Kinds::default() };
        let spans = |write: &dyn Fn(&mut CodeAssembler)| -> Vec<(Option<u8>, u8)> {
            let code = assemble(write);
            let mut sites = vec![];
            Text::new(BASE, &code, kinds).sweep(
                &[(BASE, BASE + code.len() as u64)],
                &[],
                &mut sites,
                &mut NativeCounts::default(),
            );
            sites.iter().map(|site| (site.span, site.multiply_adds)).collect()
        };
        let straight = spans(&|x| {
            x.vmulps(ymm0, ymm1, ymm2).unwrap();
            x.vaddps(ymm0, ymm0, ymm1).unwrap();
            x.vfmadd231ps(ymm0, ymm1, ymm2).unwrap();
            x.vsubps(ymm0, ymm0, ymm1).unwrap();
            x.ret().unwrap();
        });
        assert_eq!(straight, [(Some(8), 2), (Some(5), 1), (Some(5), 1)]);
        let branch = spans(&|x| {
            let mut middle = x.create_label();
            x.jrcxz(middle).unwrap();
            x.vmulps(ymm0, ymm1, ymm2).unwrap();
            x.set_label(&mut middle).unwrap();
            x.vaddps(ymm0, ymm0, ymm1).unwrap();
            x.ret().unwrap();
        });
        assert_eq!(branch, [(None, 1), (Some(5), 1)]);
        let table = spans(&|x| {
            x.vmulps(ymm0, ymm1, ymm2).unwrap();
            x.vaddps(ymm0, ymm0, ymm1).unwrap();
            x.jmp(qword_ptr(rdi + rax * 8)).unwrap();
        });
        assert_eq!(table, [(None, 1), (None, 1)]);
    }

    /// Every site of random bytes, at any place of a block and up to the last byte of the section, with what may stand
    /// before its escape.
    #[test]
    fn patterns_have_no_false_negatives() {
        let kinds = Kinds { multiply: true, add: true, double: true, dot: true };
        let mut instruction = Instruction::default();
        let mut seen = [0; 6];
        for index in 0..1u32 << 17 {
            let word = |at| binade::philox::word(9, 8 * index as u64 + at).to_le_bytes();
            let mut bytes: Vec<u8> = (0..6).flat_map(word).collect();
            let (escape, opcode) = [(0xc4, 3), (0x62, 4), (0xc5, 2), (0x0f, 1)][index as usize % 4];
            bytes[0] = escape;
            if index % 4 < 2 {
                bytes[1] = bytes[1] & 0xf0 | (1 + (index >> 2) as u8 % 2);
            }
            bytes[opcode] = if index % 4 < 2 && index >> 2 & 1 == 1 {
                0x90 + bytes[opcode] % 0x30
            } else {
                [0x58, 0x59, 0x5c, 0x7c, 0x7d, 0xd0][(index as usize >> 5) % 6]
            };
            if index % 64 == 5 {
                (bytes[1], bytes[2], bytes[4]) = (bytes[1] & 0xf0 | 2, bytes[2] & 0xf8 | 6, 0x52);
            }
            match index % 64 {
                19 => (bytes[1], bytes[2]) = (0x3a, 0x40 | bytes[2] & 1),
                32 => {
                    (bytes[1], bytes[2]) = (bytes[1] & 0xe0 | 3, bytes[2] & 0xfc | 1);
                    bytes[3] = 0x40 | bytes[3] & 1;
                }
                _ => {}
            }
            let mut prefixed =
                [&[][..], &[0xf3], &[0x66, 0x45], &[0x67, 0xf3, 0x44]][index as usize / 8 % 4].to_vec();
            prefixed.extend(&bytes);
            Decoder::with_ip(64, &prefixed, BASE, DecoderOptions::NONE).decode_out(&mut instruction);
            let Some(fma) = Fma::decode(&instruction) else { continue };
            seen[match fma.form {
                Form::Fused(_) => 0,
                Form::Multiply => 1,
                Form::Add => 2,
                Form::Dot => 3,
                Form::Horizontal => 4,
                Form::Across => 5,
            }] += 1;
            let mut section = vec![0; index as usize % 130];
            section.extend(&prefixed[..instruction.len()]);
            let narrow = Kinds {
                multiply: matches!(fma.form, Form::Multiply | Form::Across),
                add: matches!(fma.form, Form::Add | Form::Horizontal | Form::Across),
                double: true,
                dot: fma.form == Form::Dot,
            };
            for kinds in [kinds, narrow] {
                let found = kinds.patterns(&section);
                assert!(found.iter().any(|&at| at >= index as usize % 130), "{instruction}");
            }
        }
        assert!(seen.iter().all(|&count| count > 300), "{seen:?}");
    }
}
