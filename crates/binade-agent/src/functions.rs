//! The function around a site, at its first execution: its bounds, its instructions, and what kind of function it is.

use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, Instruction, OpKind};

use crate::memory;

/// Functions of more bytes are not looked at as a whole.
const LARGEST: u64 = 1 << 19;

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
        (address < start + length).then_some(start..start + length)
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

/// Binary32 constants with which elementary functions reduce their arguments, and which nothing else needs: the two-part
/// ln 2 and π/2 of Cody and Waite's method in their usual splits, the reciprocals, and the leading coefficient of the
/// usual logarithm.
const REDUCTIONS: &[u32] = &[
    0x3f31_8000, // ln 2, high part
    0x3f31_7200,
    0xbf31_8000,
    0xbf31_7200,
    0xb95e_8083, // ln 2, low part
    0x395e_8083,
    0x35bf_be8e,
    0xb5bf_be8e,
    0x3fb8_aa3b, // log2 e
    0x3f22_f983, // 2/π
    0x3fa2_f983, // 4/π
    0x3ea2_f983, // 1/π
    0xbf49_0000, // π/4, high part
    0x3fc9_0000, // π/2, high part
    0xbfc9_0000,
    0x3d90_21bb, // the logarithm's polynomial
];

/// Whether a function computes an elementary function: it reads or holds such a constant.
pub(crate) fn elementary(function: &[Instruction], object: &Range<u64>) -> bool {
    function.iter().any(|instruction| {
        (0..instruction.op_count()).any(|operand| match instruction.op_kind(operand) {
            OpKind::Immediate32 => REDUCTIONS.contains(&instruction.immediate32()),
            OpKind::Memory if instruction.is_ip_rel_memory_operand() => {
                let address = instruction.ip_rel_memory_address();
                let size = instruction.memory_size().size() as u64;
                let vector = matches!(size, 4 | 16 | 32 | 64);
                if !vector || !object.contains(&address) || !object.contains(&(address + 4)) {
                    return false;
                }
                REDUCTIONS.contains(&(signed(address) as u32))
            }
            _ => false,
        })
    })
}
