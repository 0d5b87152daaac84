//! The function around a site, at its first execution: its bounds, its instructions, and what kind of function it is.

use std::collections::BTreeSet;
use std::ops::Range;

use binade_patch::descent;
use binade_patch::fma::{Fma, Operand};
use iced_x86::{Code, Decoder, DecoderOptions, EncodingKind, FlowControl, Instruction, OpKind, Register};

use crate::memory;

/// Functions of more bytes are not analysed as a whole.
const LARGEST: u64 = 1 << 19;

/// Maximum number of instructions examined of a function without known bounds.
pub(crate) const MOST: usize = 1 << 16;

/// The table of unwind ranges that an object carries (.eh_frame_hdr), in the process.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unwind {
    /// Its address.
    pub(crate) table: u64,
}

fn signed(address: u64) -> i64 {
    // SAFETY: the callers read within the unwind information of a loaded object.
    let bytes = unsafe { memory::view(address..address + 4) };
    i32::from_le_bytes(bytes.try_into().expect("4 bytes")) as i64
}

impl Unwind {
    /// The unwind range that holds an address.
    pub(crate) fn function(&self, address: u64) -> Option<Range<u64>> {
        self.before(address).filter(|range| range.contains(&address))
    }

    /// The last unwind range that starts at an address or before it.
    fn before(&self, address: u64) -> Option<Range<u64>> {
        /// Version 1; the frame's address relative, the count absolute, the table relative to itself: what linkers write.
        const HEADER: [u8; 4] = [1, 0x1b, 0x03, 0x3b];
        let header = self.table;
        // SAFETY: the header of a loaded object.
        if unsafe { memory::view(header..header + 4) } != HEADER {
            return None;
        }
        let count = signed(header + 8) as u64;
        let start = |index: u64| header.wrapping_add_signed(signed(header + 12 + 8 * index));
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low.midpoint(high);
            if start(middle) <= address {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let index = low.checked_sub(1)?;
        let entry = header.wrapping_add_signed(signed(header + 12 + 8 * index + 4));
        // Of an entry: its length, its kind, where the range starts, the range's length, each of four bytes.
        let length = signed(entry + 12) as u32 as u64;
        let start = start(index);
        Some(start..start + length)
    }
}

/// The instructions of a function, or nothing if not all of its bytes are instructions. `original` gives what stood where
/// sites have been patched.
pub(crate) fn instructions(
    range: &Range<u64>,
    original: impl Fn(u64) -> Option<Instruction>,
) -> Option<Vec<Instruction>> {
    if range.end - range.start > LARGEST {
        return None;
    }
    // SAFETY: code of a loaded object.
    let bytes = unsafe { memory::view(range.clone()) };
    let mut all = Vec::new();
    let mut address = range.start;
    while address < range.end {
        let instruction = original(address).unwrap_or_else(|| {
            let rest = &bytes[(address - range.start) as usize..];
            Decoder::with_ip(64, rest, address, DecoderOptions::NONE).decode()
        });
        if instruction.is_invalid() {
            return None;
        }
        address = instruction.next_ip();
        all.push(instruction);
    }
    Some(all)
}

/// The instructions that direct branches lead to from an executed one, by ascending address, in code whose functions have no
/// known bounds. They stay within reach of it, and within the object's code.
pub(crate) fn reachable(
    address: u64,
    code: &Range<u64>,
    original: impl Fn(u64) -> Option<Instruction>,
) -> Vec<Instruction> {
    let within = code.start.max(address.saturating_sub(LARGEST / 2))..code.end.min(address + LARGEST / 2);
    // SAFETY: code of a loaded object.
    let bytes = unsafe { memory::view(within.clone()) };
    let decode = |at: u64| {
        let rest = within.contains(&at).then(|| &bytes[(at - within.start) as usize..])?;
        let instruction =
            original(at).unwrap_or_else(|| Decoder::with_ip(64, rest, at, DecoderOptions::NONE).decode());
        (!instruction.is_invalid()).then_some(instruction)
    };
    descent::follow(address, MOST, decode).into_values().collect()
}

/// The instructions around one in code that is in no known function, and the addresses between which they are its own:
/// bytes are taken one instruction after the other from the end of the function before, or not far before it.
pub(crate) fn around(
    address: u64,
    code: &Range<u64>,
    unwind: Option<Unwind>,
    original: impl Fn(u64) -> Option<Instruction>,
) -> (Vec<Instruction>, Range<u64>) {
    /// Bytes that are decoded before and behind.
    const REACH: u64 = 1 << 15;
    /// Where decoding starts in the middle of an instruction it finds the next ones within as many bytes.
    const LONGEST: u64 = 15;
    let before = unwind.and_then(|unwind| unwind.before(address)).map_or(code.start, |range| range.end);
    let first = before.max(address.saturating_sub(REACH)).max(code.start);
    let end = (address + REACH).min(code.end);
    // SAFETY: code of a loaded object.
    let bytes = unsafe { memory::view(code.clone()) };
    for start in first..=(first + LONGEST).min(address) {
        let mut all: Vec<Instruction> = Vec::new();
        // The start of what is the instruction's own: behind the last end of a function.
        let (mut own, mut at, mut behind) = (start, start, None);
        while at < end {
            let instruction = original(at).unwrap_or_else(|| {
                let rest = &bytes[(at - code.start) as usize..];
                Decoder::with_ip(64, rest, at, DecoderOptions::NONE).decode()
            });
            let ends = instruction.is_invalid()
                || matches!(instruction.flow_control(), FlowControl::Return | FlowControl::Interrupt);
            at = if instruction.is_invalid() { at + 1 } else { instruction.next_ip() };
            if !instruction.is_invalid() {
                all.push(instruction);
            }
            if ends && at <= address {
                own = at;
            } else if ends && behind.is_none() {
                behind = Some(at);
            }
        }
        if all.binary_search_by_key(&address, Instruction::ip).is_ok() {
            return (all, own..behind.unwrap_or(end));
        }
    }
    (Vec::new(), address..address + 1)
}

/// True for a legacy SSE instruction on vectors.
pub(crate) fn is_legacy_vector(instruction: &Instruction) -> bool {
    instruction.code().encoding() == EncodingKind::Legacy
        && (0..instruction.op_count())
            .any(|k| instruction.op_kind(k) == OpKind::Register && instruction.op_register(k).is_xmm())
}

/// True for an instruction that uses more than 128 bits of a vector.
pub(crate) fn is_wide(instruction: &Instruction) -> bool {
    let wide = |register: Register| register.is_ymm() || register.is_zmm();
    (0..instruction.op_count())
        .any(|k| instruction.op_kind(k) == OpKind::Register && wide(instruction.op_register(k)))
}

/// Takes samples of code: true if more than a few of its vector instructions are legacy SSE. Compilers emit none where they may
/// use AVX.
pub(crate) fn has_legacy(code: &Range<u64>) -> bool {
    const SAMPLES: u64 = 16;
    /// Bytes of a sample.
    const LENGTH: u64 = 1 << 12;
    /// Start-up code, and data decoded as code, have fewer than one legacy instruction among this many.
    const RARE: usize = 16;
    let (mut legacy, mut all) = (0, 0);
    let step = ((code.end - code.start) / SAMPLES).max(LENGTH);
    for start in (code.start..code.end).step_by(step as usize) {
        let Some(bytes) = memory::read(start, LENGTH.min(code.end - start)) else { continue };
        for instruction in &mut Decoder::with_ip(64, bytes, start, DecoderOptions::NONE) {
            let old = is_legacy_vector(&instruction);
            legacy += usize::from(old);
            let vectors = matches!(instruction.code().encoding(), EncodingKind::VEX | EncodingKind::EVEX);
            all += usize::from(old || vectors && !instruction.is_invalid());
        }
    }
    legacy * RARE > all
}

/// True for a function that is one multiply-add of its arguments, such as a C library's `fmaf`. It is no elementary function,
/// whatever library it is in.
pub(crate) fn is_multiply_add(function: &Range<u64>) -> bool {
    /// `endbr64`, the multiply-add, and the return.
    const LONGEST: u64 = 16;
    if function.is_empty() || function.end - function.start > LONGEST {
        return false;
    }
    let code = instructions(function, |_| None).unwrap_or_default();
    let code = match &code[..] {
        [mark, rest @ ..] if mark.code() == Code::Endbr64 => rest,
        all => all,
    };
    let [computes, returns] = code else { return false };
    let of_arguments = Fma::decode(computes).is_some_and(|fma| {
        let mut numbers = [fma.a(), fma.b(), fma.c()].map(|operand| match operand {
            Operand::Register(register) => Some(register.number()),
            _ => None,
        });
        numbers.sort_unstable();
        fma.destination().number() == 0 && fma.mask().is_none() && numbers == [0, 1, 2].map(Some)
    });
    of_arguments && returns.flow_control() == FlowControl::Return
}

/// The addresses of multiply-adds among these instructions that evaluate elementary functions or make random numbers.
pub(crate) fn elementary(function: &[Instruction]) -> BTreeSet<u64> {
    binade_patch::elementary::multiply_adds(function, &|address, size| {
        let size = if size < 8 { 4 } else { 8 };
        memory::read(address, size).and_then(binade_patch::elementary::spread)
    })
}
