//! Where the multiply-adds of an ELF object are, and how sure that is.
//!
//! Code and data mix: hand-written code has no unwind information, some objects keep tables between their functions, and a
//! jump may step over constants. A site counts only if there is a reason to believe that its bytes are executed as that
//! instruction:
//!
//! 1. Symbols of functions, unwind ranges and their ends cut a section into pieces whose starts are instructions. Pieces
//!    without the byte pattern of a multiply-add are not looked at.
//! 2. A piece is decoded from its start. Behind an instruction that does not fall through (a jump, a return) there is code
//!    only where something leads to: a direct branch, a pointer that the loader relocates, the address of an
//!    instruction operand, or the start of a piece.
//! 3. What follows decides the [`Confidence`]: whether the piece is a known function, whether all of it decodes, whether
//!    it has jumps through registers, whose targets are not known.
//!
//! No site has a branch target inside, other than its start.

use gimli::{BaseAddresses, EhFrame, LittleEndian, UnwindSection};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind};
use object::{Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionFlags, SymbolKind, elf};
use thiserror::Error;

use crate::fma::{Element, Fma, Form};

/// How sure it is that a site is one.
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

/// A multiply-add in an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site {
    /// Its address, as the object's file counts them.
    pub address: u64,
    /// Bytes of the instruction.
    pub length: u8,
    /// How sure it is.
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
}

/// Which instructions are sites.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Kinds {
    /// Separate multiplications as well.
    pub multiply: bool,
    /// Separate additions and subtractions as well.
    pub add: bool,
    /// Binary64 lanes as well.
    pub double: bool,
}

impl Kinds {
    /// Whether an instruction is a site: one of these kinds that has room for a jump.
    pub fn site(&self, instruction: &Instruction) -> bool {
        if instruction.len() < Fma::PATCH {
            return false;
        }
        Fma::decode(instruction).is_some_and(|fma| {
            (fma.element == Element::F32 || self.double)
                && match fma.form {
                    Form::Fused(_) => true,
                    Form::Multiply => self.multiply,
                    Form::Add => self.add,
                }
        })
    }

    /// Whether bytes may hold a site: no false negatives.
    ///
    /// A fused multiply-add has an escape byte C4 or 62, the opcode map 0F38 in the low bits of the next one, and an opcode
    /// whose digits are 9, A or B and 6 to F, three or four bytes after the escape.
    fn may_occur(&self, bytes: &[u8]) -> bool {
        if self.multiply || self.add {
            return true;
        }
        bytes.windows(5).any(|window| {
            let opcode = match window[0] {
                0xc4 if window[1] & 0x1f == 2 => window[3],
                0x62 if window[1] & 0x07 == 2 => window[4],
                _ => return false,
            };
            matches!(opcode >> 4, 0x9..=0xb) && opcode & 0xf >= 6
        })
    }
}

/// Why an object could not be swept.
#[derive(Debug, Error)]
pub enum SweepError {
    /// Not an object of a kind that is known.
    #[error("not an ELF object: {0}")]
    Object(#[from] object::Error),
    /// Another machine's.
    #[error("the object is for {0:?}, not for x86-64")]
    Architecture(object::Architecture),
}

/// A run of addresses of a section that starts with an instruction.
#[derive(Clone, Copy)]
struct Piece {
    start: u64,
    end: u64,
    /// Whether a symbol or an unwind range covers it.
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
    // Most objects have none, and need not be understood.
    if !object.sections().any(|section| {
        let executable = matches!(section.flags(), SectionFlags::Elf { sh_flags }
            if sh_flags & u64::from(elf::SHF_EXECINSTR) != 0);
        executable && section.data().is_ok_and(|bytes| kinds.may_occur(bytes))
    }) {
        return Ok(Sweep::default());
    }
    let mut functions: Vec<Function> = object
        .symbols()
        .chain(object.dynamic_symbols())
        .filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition() && symbol.size() > 0)
        .filter_map(|symbol| {
            let (start, name) = (symbol.address(), symbol.name().ok()?);
            Some(Function { start, end: start.checked_add(symbol.size())?, name: name.to_owned() })
        })
        .collect();
    functions.sort_by(|x, y| (x.start, y.end, &x.name).cmp(&(y.start, x.end, &y.name)));
    functions.dedup_by_key(|function| (function.start, function.end));
    let ranges = known_ranges(&object, &functions);
    let roots = pointers(&object);

    let mut sites = vec![];
    for section in object.sections() {
        let SectionFlags::Elf { sh_flags } = section.flags() else { continue };
        let executable = sh_flags & u64::from(elf::SHF_EXECINSTR) != 0;
        let Some(bytes) = section.data().ok().filter(|bytes| executable && !bytes.is_empty()) else {
            continue;
        };
        let text = Text { start: section.address(), bytes, kinds };
        text.sweep(&ranges, &roots, &mut sites);
    }
    sites.sort_by_key(|site| site.address);
    sites.dedup_by_key(|site| site.address);
    Ok(name_functions(sites, functions))
}

/// Gives sites their functions, and keeps those that have any.
fn name_functions(mut sites: Vec<Site>, functions: Vec<Function>) -> Sweep {
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
            kept.push(functions[found].clone());
        }
        site.function = Some(kept.len() as u32 - 1);
    }
    Sweep { sites, functions: kept }
}

/// Addresses that symbols or unwind information say are functions, sorted.
fn known_ranges(object: &object::File, functions: &[Function]) -> Vec<(u64, u64)> {
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
}

/// Bytes around code without symbol that have to decode.
const NEIGHBOURHOOD: u64 = 1024;
/// What functions without symbol are aligned to.
const ALIGNMENT: u64 = 16;

impl Text<'_> {
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

    fn sweep(&self, ranges: &[(u64, u64)], roots: &[u64], sites: &mut Vec<Site>) {
        let mut targets: Vec<u64> =
            roots.iter().copied().filter(|&root| self.start <= root && root < self.end()).collect();
        let mut pieces = self.pieces(ranges);
        pieces.retain(|&piece| self.kinds.may_occur(self.at(piece)) && self.scan(piece, &mut targets));
        targets.sort_unstable();
        targets.dedup();
        for piece in pieces {
            self.grade(piece, &targets, sites);
        }
    }

    fn decoder(&self, piece: Piece) -> Decoder<'_> {
        Decoder::with_ip(64, self.at(piece), piece.start, DecoderOptions::NONE)
    }

    /// Collects the addresses that a piece refers to; whether it may have sites.
    fn scan(&self, piece: Piece, targets: &mut Vec<u64>) -> bool {
        let (mut decoder, mut instruction) = (self.decoder(piece), Instruction::default());
        let mut any = false;
        while decoder.can_decode() {
            decoder.decode_out(&mut instruction);
            if instruction.op0_kind() == OpKind::NearBranch64 {
                targets.push(instruction.near_branch_target());
            } else if instruction.mnemonic() == Mnemonic::Lea && instruction.is_ip_rel_memory_operand() {
                targets.push(instruction.ip_rel_memory_address());
            } else {
                any |= self.kinds.site(&instruction);
            }
        }
        any
    }

    /// Finds the sites of a piece, given all known targets, sorted.
    fn grade(&self, piece: Piece, targets: &[u64], sites: &mut Vec<Site>) {
        let (mut decoder, mut instruction) = (self.decoder(piece), Instruction::default());
        let mut targets = &targets[targets.partition_point(|&target| target < piece.start)..];
        let mut reached = if piece.known { Reached::Flow } else { Reached::Guess };
        let (mut found, mut invalid) = (vec![], vec![]);
        let (mut broken, mut indirect) = (false, false);
        while decoder.can_decode() {
            let address = decoder.ip();
            decoder.decode_out(&mut instruction);
            while targets.first().is_some_and(|&target| target < address) {
                targets = &targets[1..];
            }
            if targets.first() == Some(&address) {
                reached = Reached::Flow;
                targets = &targets[1..];
            } else if reached == Reached::No && !piece.known && address.is_multiple_of(ALIGNMENT) {
                reached = Reached::Guess;
            }
            let inside = targets.first().copied().filter(|&target| target < instruction.next_ip());
            if let Some(target) = inside.filter(|&target| reached != Reached::Flow && target < piece.end) {
                // What is here is no code: what starts there is.
                let skipped = (target - piece.start) as usize;
                if decoder.set_position(skipped).is_ok() {
                    decoder.set_ip(target);
                    continue;
                }
            }
            if instruction.is_invalid() {
                broken |= reached == Reached::Flow;
                invalid.push(address);
                reached = Reached::No;
                continue;
            }
            if self.kinds.site(&instruction) && inside.is_none() {
                found.push((address, instruction.len() as u8, reached));
            }
            match instruction.flow_control() {
                FlowControl::IndirectBranch => {
                    indirect = true;
                    reached = Reached::No;
                }
                FlowControl::UnconditionalBranch | FlowControl::Return | FlowControl::Exception => {
                    reached = Reached::No;
                }
                // Padding between functions without symbols.
                FlowControl::Interrupt if instruction.mnemonic() == Mnemonic::Int3 => reached = Reached::No,
                _ => {}
            }
        }
        let clean_around = |address: u64| {
            let next = invalid.partition_point(|&at| at < address);
            let far = |at: Option<&u64>| at.is_none_or(|&at| at.abs_diff(address) > NEIGHBOURHOOD);
            far(invalid.get(next)) && far(next.checked_sub(1).and_then(|last| invalid.get(last)))
        };
        for (address, length, reached) in found {
            let confidence = match reached {
                Reached::Flow if !broken || !piece.known && clean_around(address) => Confidence::Certain,
                Reached::Guess if clean_around(address) => Confidence::Likely,
                Reached::No if piece.known && indirect && invalid.is_empty() => Confidence::Likely,
                _ => Confidence::Doubtful,
            };
            sites.push(Site { address, length, confidence, function: None });
        }
    }
}

/// What leads to an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    /// Control flow from something known.
    Flow,
    /// Perhaps a call: it is where a function without symbol would start, or behind such a place.
    Guess,
    /// Nothing known.
    No,
}

#[cfg(test)]
mod tests {
    use iced_x86::code_asm::{CodeAssembler, eax, qword_ptr, rax, rcx, rdi, xmm0, xmm1, ymm0, ymm1, ymm2};

    use super::*;

    const BASE: u64 = 0x40_1000;
    /// vfmadd231ps ymm0, ymm1, ymm2
    const FMA: [u8; 5] = [0xc4, 0xe2, 0x75, 0xb8, 0xc2];

    fn found(bytes: &[u8], ranges: &[(u64, u64)], roots: &[u64]) -> Vec<(u64, Confidence)> {
        let mut sites = vec![];
        Text { start: BASE, bytes, kinds: Kinds::default() }.sweep(ranges, roots, &mut sites);
        sites.iter().map(|site| (site.address - BASE, site.confidence)).collect()
    }

    fn assemble(write: impl FnOnce(&mut CodeAssembler)) -> Vec<u8> {
        let mut assembler = CodeAssembler::new(64).unwrap();
        write(&mut assembler);
        assembler.assemble(BASE).unwrap()
    }

    #[test]
    fn a_function_is_certain() {
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

    /// Targets of jumps through tables are not known: likely, if the function decodes.
    #[test]
    fn behind_a_jump_through_a_register() {
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
    fn tables_between_functions() {
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
    fn branches_into_the_middle() {
        let code = assemble(|x| {
            x.jrcxz(BASE + 4).unwrap();
            x.db(&FMA).unwrap();
            x.ret().unwrap();
            x.add(rcx, rax).unwrap();
        });
        let all = [(BASE, BASE + code.len() as u64)];
        assert_eq!(found(&code, &all, &[]), []);
    }

    #[test]
    fn pattern_has_no_false_negatives() {
        let mut instruction = Instruction::default();
        for index in 0..1u32 << 16 {
            let word = |at| binade::philox::word(9, 4 * index as u64 + at).to_le_bytes();
            let mut bytes: Vec<u8> = (0..4).flat_map(word).collect();
            bytes[0] = if index % 2 == 0 { 0xc4 } else { 0x62 };
            bytes[1] = bytes[1] & 0xf0 | 2;
            let mut decoder = Decoder::with_ip(64, &bytes, BASE, DecoderOptions::NONE);
            decoder.decode_out(&mut instruction);
            if Fma::is_fused(instruction.code()) {
                assert!(Kinds::default().may_occur(&bytes[..instruction.len()]), "{instruction}");
            }
        }
    }
}
