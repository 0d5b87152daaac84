//! Programs as files: whether the agent can be loaded into them.

use thiserror::Error;

/// How much of a file is needed to know.
pub const HEAD: usize = 4096;

/// Why a program runs natively.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Native {
    /// No dynamic linker is asked for.
    #[error("it is statically linked")]
    Static,
    /// Another dynamic linker than glibc's.
    #[error("its dynamic linker is not that of glibc")]
    Linker,
    /// Not for x86-64.
    #[error("it is not a program for x86-64")]
    Machine,
    /// It runs with another user's or group's rights, so the dynamic linker loads nothing for its caller.
    #[error("it is setuid or setgid")]
    Privileged,
}

fn word<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

/// Why a program would run natively: its first [`HEAD`] bytes, and its mode as of stat(2). Nothing for those in which the
/// agent works, and for what is no ELF file: scripts, whose interpreter counts, and what cannot be executed anyway.
pub fn native(head: &[u8], mode: u32) -> Option<Native> {
    const CLASS: usize = 4;
    const CLASS_64: u8 = 2;
    const MACHINE: usize = 18;
    const X86_64: u16 = 62;
    const INTERPRETER: u32 = 3;
    const SETUID_SETGID: u32 = 0o6000;
    if !head.starts_with(b"\x7fELF") {
        return None;
    }
    if head.get(CLASS) != Some(&CLASS_64) || word(head, MACHINE).map(u16::from_le_bytes) != Some(X86_64) {
        return Some(Native::Machine);
    }
    if mode & SETUID_SETGID != 0 {
        return Some(Native::Privileged);
    }
    let table = u64::from_le_bytes(word(head, 32)?) as usize;
    let size = u16::from_le_bytes(word(head, 54)?) as usize;
    let count = u16::from_le_bytes(word(head, 56)?) as usize;
    for number in 0..count {
        let entry = table.checked_add(number * size)?;
        // A table beyond what was read is unusual, and taken for one of a program that can be run.
        if u32::from_le_bytes(word(head, entry)?) == INTERPRETER {
            let start = u64::from_le_bytes(word(head, entry + 8)?) as usize;
            let length = u64::from_le_bytes(word(head, entry + 32)?) as usize;
            let linker = head.get(start..start.checked_add(length)?)?;
            let glibc = linker.windows(8).any(|part| part == b"ld-linux");
            return (!glibc).then_some(Native::Linker);
        }
    }
    Some(Native::Static)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(linker: Option<&[u8]>) -> Vec<u8> {
        let mut bytes = vec![0; 256];
        bytes[..5].copy_from_slice(b"\x7fELF\x02");
        bytes[18] = 62;
        bytes[32] = 64;
        bytes[54] = 56;
        bytes[56] = 1;
        if let Some(linker) = linker {
            bytes[64] = 3;
            bytes[72] = 128;
            bytes[96] = linker.len() as u8;
            bytes[128..128 + linker.len()].copy_from_slice(linker);
        }
        bytes
    }

    #[test]
    fn programs_are_told_apart() {
        let usual = program(Some(b"/lib64/ld-linux-x86-64.so.2"));
        assert_eq!(native(&usual, 0o755), None);
        assert_eq!(native(&usual, 0o4755), Some(Native::Privileged));
        assert_eq!(native(&program(None), 0o755), Some(Native::Static));
        assert_eq!(native(&program(Some(b"/lib/ld-musl-x86_64.so.1")), 0o755), Some(Native::Linker));
        assert_eq!(native(b"#!/bin/sh\n", 0o755), None);
        let mut other = usual.clone();
        other[18] = 183;
        assert_eq!(native(&other, 0o755), Some(Native::Machine));
    }

    #[test]
    fn damaged_files_are_answered() {
        let usual = program(Some(b"/lib64/ld-linux-x86-64.so.2"));
        for length in 0..usual.len() {
            native(&usual[..length], 0o755);
        }
        for at in 0..usual.len() {
            let mut damaged = usual.clone();
            damaged[at] ^= 0xff;
            native(&damaged, 0o755);
        }
    }
}
