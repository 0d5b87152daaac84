//! Numbers that the program broadcasts one after the other, and that lie side by side in memory.
//!
//! Kernels of matrix products broadcast each element of a row of one operand by itself. It is cheaper to round the row as
//! one vector, put it into the frame, and broadcast from there. Between the broadcasts of a row the program neither writes
//! memory, nor reads it but into vectors, nor changes the address but by constants. Nothing is read beyond the first and
//! the last number that the program reads, and these lie so close that no page is touched which it does not touch.

use std::collections::BTreeMap;

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use super::graph::Graph;
use super::ir::Width;

/// A row.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// An instruction whose memory operand is the row, at the first of the broadcasts.
    pub(super) load: Instruction,
    pub(super) width: Width,
    /// The broadcasts, by their instructions, with their offsets in bytes.
    pub(super) members: Vec<(usize, u8)>,
}

/// A broadcast that may be of a row.
struct Broadcast {
    k: usize,
    bytes: i64,
    /// Its address less that of the place, and less that of the instruction's own memory operand.
    at: i64,
    moved: i64,
}

/// Identity of a place in memory: base and index with their versions, and the number of writes to memory before.
type Key = ((Register, u32), (Register, u32), u32, Register, u32);

/// Rows of at least two of the broadcasts from an instruction on to the next jump or its target. `eligible` tells the
/// bytes of a broadcast by which the program's registers get nothing that is needed as it is.
pub(super) fn rows(
    graph: &Graph,
    segment: std::ops::Range<usize>,
    eligible: &dyn Fn(usize) -> Option<u8>,
    widest: Width,
) -> Vec<Row> {
    let mut places: BTreeMap<Key, Vec<Broadcast>> = BTreeMap::new();
    // Of each general register: how often it was written, and the constant added to it since.
    let mut registers = [(0u32, 0i64); 16];
    let mut writes = 0;
    for k in segment {
        let instruction = &graph.instructions[k];
        let (base, index) = (instruction.memory_base(), instruction.memory_index());
        let plain = |r: Register| r == Register::None || r.is_gpr64();
        if let Some(bytes) = eligible(k).filter(|_| base.is_gpr64() && plain(index)) {
            let of = |r: Register| if r.is_gpr64() { registers[r.number()] } else { (0, 0) };
            let scale = instruction.memory_index_scale();
            let moved = of(base).1.wrapping_add(of(index).1.wrapping_mul(scale as i64));
            let at = moved.wrapping_add(instruction.memory_displacement64() as i64);
            let place = (base, of(base).0);
            let key = (place, (index, of(index).0), scale, instruction.segment_prefix(), writes);
            places.entry(key).or_default().push(Broadcast { k, bytes: bytes as i64, at, moved });
        }
        let effects = &graph.effects[k];
        writes += effects.orders as u32;
        let constant = added(instruction);
        for (number, register) in registers.iter_mut().enumerate() {
            if effects.changes >> number & 1 == 1 {
                match constant {
                    Some(constant) => register.1 = register.1.wrapping_add(constant),
                    None => *register = (register.0 + 1, 0),
                }
            }
        }
    }
    places.into_values().flat_map(|place| of_place(graph, place, widest)).collect()
}

/// The constant that an instruction adds to a general register.
fn added(instruction: &Instruction) -> Option<i64> {
    let constant = matches!(instruction.op_kind(1), OpKind::Immediate8to64 | OpKind::Immediate32to64)
        && instruction.op_count() == 2
        && instruction.op_kind(0) == OpKind::Register;
    match instruction.mnemonic() {
        Mnemonic::Add if constant => Some(instruction.immediate(1) as i64),
        Mnemonic::Sub if constant => Some((instruction.immediate(1) as i64).wrapping_neg()),
        _ => None,
    }
}

fn of_place(graph: &Graph, mut all: Vec<Broadcast>, widest: Width) -> Vec<Row> {
    all.sort_by_key(|b| (b.at, b.k));
    let mut rows = Vec::new();
    let mut rest = &all[..];
    while let Some(first) = rest.first() {
        // As far as the program leaves out less than a row.
        let mut end = first.at + first.bytes;
        let near = rest.iter().take_while(|b| {
            let joined = b.at <= end + Width::Zmm.bytes();
            end = if joined { end.max(b.at + b.bytes) } else { end };
            joined
        });
        let near = near.count();
        let (cluster, beyond) = rest.split_at(near);
        let mut left = cluster;
        while let Some(next) = left.first() {
            let widths = [Width::Zmm, Width::Ymm, Width::Xmm].into_iter().filter(|&w| w <= widest);
            // The last row may start ahead of the numbers left.
            let fits = |w: &Width| next.at + w.bytes() <= end;
            let width = widths.clone().find(fits).or(widths.clone().find(|w| first.at + w.bytes() <= end));
            let Some(width) = width else { break };
            let start = next.at.min(end - width.bytes());
            let inside = left.iter().take_while(|b| b.at + b.bytes <= start + width.bytes()).count();
            let (members, others) = left.split_at(inside.max(1));
            rows.extend(row(graph, members, start, width));
            left = others;
        }
        rest = beyond;
    }
    rows
}

/// The row of some broadcasts, if there are several.
fn row(graph: &Graph, members: &[Broadcast], start: i64, width: Width) -> Option<Row> {
    let first = members.iter().min_by_key(|b| b.k).filter(|_| members.len() > 1)?;
    let displacement = i32::try_from(start.wrapping_sub(first.moved)).ok()?;
    let mut load = graph.instructions[first.k];
    load.set_memory_displacement64(displacement as i64 as u64);
    load.set_memory_displ_size(8);
    let members = members.iter().map(|b| (b.k, (b.at - start) as u8)).collect();
    Some(Row { load, width, members })
}

#[cfg(test)]
mod tests {
    use iced_x86::code_asm::*;

    use super::*;

    /// A row's displacement, its bytes, and its broadcasts.
    type Found = (i64, i64, Vec<(usize, u8)>);

    /// The rows of the broadcasts among instructions, as they are loaded.
    fn of(assemble: impl FnOnce(&mut CodeAssembler)) -> Vec<Found> {
        let mut asm = CodeAssembler::new(64).unwrap();
        assemble(&mut asm);
        let instructions = asm.instructions();
        let graph = Graph::new(instructions, &|_| false);
        let eligible = |k: usize| match instructions[k].mnemonic() {
            Mnemonic::Vbroadcastss => Some(4),
            Mnemonic::Vbroadcastsd => Some(8),
            _ => None,
        };
        let rows = rows(&graph, 0..instructions.len(), &eligible, Width::Zmm);
        let mut rows: Vec<Found> = rows
            .into_iter()
            .map(|row| (row.load.memory_displacement64() as i64, row.width.bytes(), row.members))
            .collect();
        rows.sort();
        rows
    }

    #[test]
    fn numbers_side_by_side_are_a_row() {
        let all = |displacements: &[i32]| {
            of(|asm| displacements.iter().for_each(|&d| asm.vbroadcastss(zmm1, dword_ptr(rax + d)).unwrap()))
        };
        assert_eq!(all(&[0, 4, 8, 12]), [(0, 16, vec![(0, 0), (1, 4), (2, 8), (3, 12)])]);
        // Three numbers are less than the shortest vector, and nothing else is read.
        assert_eq!(all(&[0, 4, 8]), []);
        // The second row starts ahead of its numbers, and not beyond what is read.
        assert_eq!(
            all(&[0, 4, 8, 12, 16, 20]),
            [(0, 16, vec![(0, 0), (1, 4), (2, 8), (3, 12)]), (8, 16, vec![(4, 8), (5, 12)])]
        );
        // In any order, with numbers left out.
        assert_eq!(all(&[28, 0, 8]), [(0, 32, vec![(1, 0), (2, 8), (0, 28)])]);
        // Too far from each other.
        assert_eq!(all(&[0, 4, 4096, 4100]), []);
        assert_eq!(all(&[0, 400]), []);
    }

    #[test]
    fn constants_move_the_address() {
        let moved = of(|asm| {
            asm.vbroadcastsd(zmm1, qword_ptr(rax)).unwrap();
            asm.add(rax, 8).unwrap();
            asm.vbroadcastsd(zmm1, qword_ptr(rax)).unwrap();
            asm.sub(rax, 16).unwrap();
            asm.vbroadcastsd(zmm1, qword_ptr(rax)).unwrap();
            asm.vbroadcastsd(zmm1, qword_ptr(rax + 24)).unwrap();
        });
        assert_eq!(moved, [(-8, 32, vec![(4, 0), (0, 8), (2, 16), (5, 24)])]);
        // The row is read at its first broadcast, when rax has moved already.
        let later = of(|asm| {
            asm.add(rax, 8).unwrap();
            asm.vbroadcastsd(zmm1, qword_ptr(rax + 8)).unwrap();
            asm.vbroadcastsd(zmm1, qword_ptr(rax)).unwrap();
        });
        assert_eq!(later, [(0, 16, vec![(2, 0), (1, 8)])]);
        let index = of(|asm| {
            asm.vbroadcastsd(zmm1, qword_ptr(rax + rcx * 8)).unwrap();
            asm.add(rcx, 1).unwrap();
            asm.vbroadcastsd(zmm1, qword_ptr(rax + rcx * 8)).unwrap();
        });
        assert_eq!(index, [(0, 16, vec![(0, 0), (2, 8)])]);
    }

    #[test]
    fn memory_and_addresses_that_change_part_rows() {
        type Step = fn(&mut CodeAssembler);
        let steps: [Step; 7] = [
            |asm| asm.vmovups(zmmword_ptr(rdx), zmm3).unwrap(),
            |asm| asm.mov(rdx, qword_ptr(rdx)).unwrap(),
            |asm| asm.mfence().unwrap(),
            |asm| asm.lea(rax, qword_ptr(rax + rcx)).unwrap(),
            |asm| asm.add(eax, 4).unwrap(),
            |asm| asm.add(rax, rcx).unwrap(),
            |asm| asm.imul_3(rax, rax, 4).unwrap(),
        ];
        for (number, step) in steps.into_iter().enumerate() {
            let rows = of(|asm| {
                asm.vbroadcastsd(zmm1, qword_ptr(rax)).unwrap();
                step(asm);
                asm.vbroadcastsd(zmm1, qword_ptr(rax + 8)).unwrap();
            });
            assert_eq!(rows, [], "{number}");
        }
        // Other bases are other places; loads of vectors part nothing.
        let rows = of(|asm| {
            asm.vbroadcastsd(zmm1, qword_ptr(rax)).unwrap();
            asm.vbroadcastsd(zmm1, qword_ptr(rdx + 8)).unwrap();
            asm.vmovups(zmm2, zmmword_ptr(rdx)).unwrap();
            asm.prefetcht0(byte_ptr(rdx)).unwrap();
            asm.vbroadcastsd(zmm1, qword_ptr(rax + 8)).unwrap();
        });
        assert_eq!(rows, [(0, 16, vec![(0, 0), (4, 8)])]);
    }
}
