//! The instructions that a jump in place of one covers.
//!
//! Every fused multiply-add has room for a jump. A separate product or sum may have as few as three bytes, and then the jump
//! covers instructions behind it as well: a [`Span`]. They run behind the multiply-add's own code, moved, or under the
//! operator if they are multiply-adds themselves. That asks for more than a jump in place of one instruction does: nothing may
//! lead to them but the one before, and they have to mean the same at another address.

use std::ops::Range;

use iced_x86::{FlowControl, Instruction, Mnemonic};

/// Bytes of a jump to anywhere within 2 GiB.
pub const JUMP: usize = 5;

/// Instructions that one jump replaces, in order: a multiply-add, then those that the jump covers too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span(Vec<Instruction>);

impl Span {
    /// The span of a multiply-add. `decode` gives the instruction at an address, and `entered` says whether anything leads
    /// to addresses but the instruction before them.
    ///
    /// Returns `None` if the jump would cover an instruction that cannot be moved.
    pub fn new(
        first: Instruction,
        mut decode: impl FnMut(u64) -> Option<Instruction>,
        entered: impl Fn(Range<u64>) -> bool,
    ) -> Option<Span> {
        let mut span = Span(vec![first]);
        while span.length() < JUMP {
            let last = span.0.last()?;
            let next = decode(last.next_ip())
                .filter(|next| falls_through(last) && !entered(next.ip()..next.next_ip()) && moves(next))?;
            span.0.push(next);
        }
        Some(span)
    }

    /// The instructions, the multiply-add that the jump is in place of first.
    pub fn instructions(&self) -> &[Instruction] {
        &self.0
    }

    /// Its start.
    pub fn start(&self) -> u64 {
        self.0[0].ip()
    }

    /// The address behind it.
    pub fn end(&self) -> u64 {
        self.0.last().map_or(0, Instruction::next_ip)
    }

    /// Its bytes: those of a jump at least.
    pub fn length(&self) -> usize {
        (self.end() - self.start()) as usize
    }
}

/// The most bytes that a span has: what is short of a jump, and the longest instruction.
pub const LONGEST: usize = JUMP - 1 + 15;

fn falls_through(instruction: &Instruction) -> bool {
    matches!(instruction.flow_control(), FlowControl::Next | FlowControl::ConditionalBranch)
}

/// Returns true if an instruction does the same at another address once the encoder has adapted displacements from the
/// instruction pointer and direct jumps. A call is not among them, since it leaves its address on the stack.
fn moves(instruction: &Instruction) -> bool {
    match instruction.flow_control() {
        // ENDBR is where jumps through registers lead.
        FlowControl::Next => {
            !instruction.is_invalid()
                && !matches!(instruction.mnemonic(), Mnemonic::Endbr64 | Mnemonic::Endbr32)
        }
        FlowControl::ConditionalBranch => instruction.is_jcc_short_or_near(),
        FlowControl::UnconditionalBranch => instruction.is_jmp_short_or_near(),
        FlowControl::Return => matches!(instruction.mnemonic(), Mnemonic::Ret),
        FlowControl::IndirectBranch => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use iced_x86::{Decoder, DecoderOptions};

    use super::*;

    const BASE: u64 = 0x1000;

    /// The bytes that a span at the start of some code covers, if there is one.
    fn covered(code: &[u8], entered: u64) -> Option<usize> {
        let decode = |address: u64| {
            let rest = code.get((address - BASE) as usize..).filter(|rest| !rest.is_empty())?;
            Some(Decoder::with_ip(64, rest, address, DecoderOptions::NONE).decode())
        };
        Span::new(decode(BASE)?, decode, |addresses| addresses.contains(&(BASE + entered)))
            .map(|span| span.length())
    }

    #[test]
    fn instructions_behind_short_ones_are_covered() {
        // vmulps ymm0, ymm1, ymm2, then …
        const PRODUCT: [u8; 4] = [0xc5, 0xf4, 0x59, 0xc2];
        let behind = |rest: &[u8]| covered(&[&PRODUCT[..], rest].concat(), 100);
        assert_eq!(behind(&[0xc5, 0xf4, 0x58, 0xc2, 0xc3]), Some(8), "vaddps");
        assert_eq!(behind(&[0xc3]), Some(5), "ret");
        assert_eq!(behind(&[0x75, 0xf0]), Some(6), "jne");
        assert_eq!(behind(&[0xff, 0xe0]), Some(6), "jmp rax");
        assert_eq!(behind(&[0x48, 0x8b, 0x05, 0, 1, 0, 0]), Some(11), "mov rax, [rip + 0x100]");
        assert_eq!(behind(&[0xe8, 0, 0, 0, 0]), None, "call");
        assert_eq!(behind(&[0xe2, 0xfe]), None, "loop");
        assert_eq!(behind(&[0xf3, 0x0f, 0x1e, 0xfa]), None, "endbr64");
        assert_eq!(behind(&[0x06]), None, "no instruction");
        assert_eq!(behind(&[]), None, "the end");
        // Something leads to the second instruction, or into it.
        assert_eq!(covered(&[&PRODUCT[..], &[0xff, 0xe0]].concat(), 5), None);
        assert_eq!(covered(&[&PRODUCT[..], &[0xc3]].concat(), 4), None);
        // mulps xmm0, xmm1; nop; nop, and with a return before there is room.
        assert_eq!(covered(&[0x0f, 0x59, 0xc1, 0x90, 0x90], 100), Some(5));
        assert_eq!(covered(&[0x0f, 0x59, 0xc1, 0xc3, 0x90], 100), None);
        // What has room covers nothing else: vfmadd231ps ymm0, ymm1, ymm2.
        assert_eq!(covered(&[0xc4, 0xe2, 0x75, 0xb8, 0xc2, 0xc3], 5), Some(5));
    }
}
