//! Stubs: the code to which the first five bytes of a site jump, 32 bytes near the object.
//!
//! ```text
//!     jmp  rel32                    to the next instruction, until the site's code is made; then to that code
//!     mov  gs:[stack], rsp          what is below rsp is the program's: to the stack of the thread's workspace
//!     mov  rsp, gs:[top]
//!     call gate                     through the table at the start of the block
//! ```
//!
//! The displacement of the first jump is changed by one aligned 8-byte store while others may run the stub, which is how
//! runtimes have long retargeted jumps on x86: an aligned store is seen whole.

use std::mem::offset_of;
use std::sync::atomic::{AtomicU64, Ordering};

use binade_patch::workspace::Header;

use crate::memory;

/// Bytes of a stub.
pub(crate) const STUB: u64 = 32;
/// From a stub's start to the return address that its call pushes.
pub(crate) const STUB_CALL_END: u64 = 28;

/// Bytes of the table at the start of every block of stubs: a jump to the gate, by an absolute address.
pub(crate) const GATE_TABLE: u64 = 16;

/// `jmp [rip]` and the address after it, which reaches anywhere.
pub(crate) fn absolute_jump(to: u64) -> [u8; GATE_TABLE as usize] {
    let mut bytes = [0xcc; GATE_TABLE as usize];
    bytes[..6].copy_from_slice(&[0xff, 0x25, 0, 0, 0, 0]);
    bytes[6..14].copy_from_slice(&to.to_le_bytes());
    bytes
}

/// A stub whose site has no code yet.
pub(crate) fn stub(at: u64, table: u64) -> [u8; STUB as usize] {
    let mut bytes = [0xcc; STUB as usize];
    bytes[..5].copy_from_slice(&memory::jump(at, at + 5));
    bytes[5..10].copy_from_slice(&[0x65, 0x48, 0x89, 0x24, 0x25]);
    bytes[10..14].copy_from_slice(&(offset_of!(Header, stack) as u32).to_le_bytes());
    bytes[14..19].copy_from_slice(&[0x65, 0x48, 0x8b, 0x24, 0x25]);
    bytes[19..23].copy_from_slice(&(offset_of!(Header, top) as u32).to_le_bytes());
    bytes[23..28].copy_from_slice(&memory::jump(at + 23, table));
    bytes[23] = 0xe8;
    bytes
}

/// Makes a stub jump to its site's code, while others may run it.
pub(crate) fn fill(stub: u64, code: u64) {
    let mut word = [0; 8];
    // SAFETY: a stub is 32 mapped bytes, aligned to 16.
    word.copy_from_slice(unsafe { memory::view(stub..stub + 8) });
    word[..5].copy_from_slice(&memory::jump(stub, code));
    // SAFETY: aligned, mapped writable, and only ever written so once the stub is reachable.
    unsafe { AtomicU64::from_ptr(stub as *mut u64) }.store(u64::from_le_bytes(word), Ordering::Release);
}

#[cfg(test)]
mod tests {
    use iced_x86::{Code, Decoder, DecoderOptions, Instruction};

    use super::*;

    fn decoded(at: u64, bytes: &[u8]) -> Vec<Instruction> {
        Decoder::with_ip(64, bytes, at, DecoderOptions::NONE).into_iter().collect()
    }

    #[test]
    fn stub_without_code_calls_the_gate() {
        let (at, table) = (0x10000, 0x20000);
        let code = decoded(at, &stub(at, table));
        assert_eq!((code[0].code(), code[0].near_branch_target()), (Code::Jmp_rel32_64, code[1].ip()));
        assert_eq!((code[3].code(), code[3].near_branch_target()), (Code::Call_rel32_64, table));
        assert_eq!(code[3].next_ip(), at + STUB_CALL_END);
    }

    #[test]
    fn fill_stub_changes_its_jump_only() {
        #[repr(align(16))]
        struct Aligned([u8; STUB as usize]);
        let mut place = Aligned([0; STUB as usize]);
        let at = place.0.as_mut_ptr() as u64;
        let before = stub(at, at + 0x1000);
        place.0 = before;
        fill(at, at + 0x4000);
        // The bytes have been changed through an address.
        let after = std::hint::black_box(&mut place).0;
        assert_eq!(decoded(at, &after)[0].near_branch_target(), at + 0x4000);
        assert_eq!(after[5..], before[5..]);
    }

    #[test]
    fn absolute_jump_holds_its_target() {
        let bytes = absolute_jump(0x1234_5678_9abc_def0);
        assert_eq!(decoded(0x1000, &bytes)[0].ip_rel_memory_address(), 0x1006);
        assert_eq!(bytes[6..14], 0x1234_5678_9abc_def0u64.to_le_bytes());
    }
}
