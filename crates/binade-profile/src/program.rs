//! Programs as files: whether the agent can be loaded into them.

use std::ffi::CStr;

use thiserror::Error;

/// Bytes of a file that are needed to know.
pub const HEAD: usize = 4096;

/// The reason for which a program runs natively.
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
    #[error(
        "it is executed with other rights than its caller's (setuid, setgid, file capabilities, or an effective user or group \
         that is not the real one)"
    )]
    Privileged,
}

/// The users and groups of a process that executes a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Caller {
    /// The real user.
    pub user: u32,
    /// The real group.
    pub group: u32,
    /// The effective user.
    pub effective_user: u32,
    /// The effective group.
    pub effective_group: u32,
}

/// The attributes of a program's file that change the rights of the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rights {
    /// Its mode as of stat(2).
    pub mode: u32,
    /// Its owner.
    pub user: u32,
    /// Its group.
    pub group: u32,
    /// True if it has the attribute [`CAPABILITIES`].
    pub capabilities: bool,
}

/// The extended attribute that holds a file's capabilities.
pub const CAPABILITIES: &CStr = c"security.capability";

impl Rights {
    /// True if the program would run with other rights than those of the caller's real user and group. Then the dynamic linker
    /// loads nothing on the caller's behalf. (Root has all capabilities already.)
    pub fn differ(&self, caller: Caller) -> bool {
        const SETUID: u32 = 0o4000;
        /// Without the right of execution setgid means something else.
        const SETGID: u32 = 0o2010;
        let user = if self.mode & SETUID != 0 { self.user } else { caller.effective_user };
        let group = if self.mode & SETGID == SETGID { self.group } else { caller.effective_group };
        user != caller.user || group != caller.group || self.capabilities && caller.user != 0
    }
}

/// The interpreter that a script's first line names.
pub fn interpreter(head: &[u8]) -> Option<&[u8]> {
    let line = head.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    line.split(u8::is_ascii_whitespace).find(|word| !word.is_empty())
}

/// Scripts that may be each other's interpreters before the system gives up.
pub const DEEPEST: u32 = 5;

/// Compilers, assemblers, linkers and what works on their output, by name.
const COMPILERS: &[&str] = &[
    "addr2line",
    "ar",
    "as",
    "c++",
    "c89",
    "c99",
    "cc",
    "cc1",
    "cc1obj",
    "cc1plus",
    "ccache",
    "cicc",
    "clang",
    "clang++",
    "clang-cpp",
    "collect2",
    "cpp",
    "cudafe++",
    "f951",
    "fatbinary",
    "g++",
    "gas",
    "gcc",
    "gcc-ar",
    "gcc-nm",
    "gcc-ranlib",
    "gfortran",
    "gold",
    "ld",
    "ld.bfd",
    "ld.gold",
    "ld.lld",
    "ld.mold",
    "lld",
    "llc",
    "llvm-ar",
    "lto-wrapper",
    "lto1",
    "mold",
    "nm",
    "nvcc",
    "nvlink",
    "objcopy",
    "objdump",
    "opt",
    "ptxas",
    "ranlib",
    "readelf",
    "rustc",
    "strip",
];

/// True if a program, by its path, is a compiler or one of its tools. Such programs are left alone when other programs start
/// them. The name may begin with the target (`x86_64-linux-gnu-gcc`) and end with the version (`clang-19`, `g++-12.2`).
pub fn is_compiler(path: &[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or(path);
    let version = name.iter().rposition(|byte| !byte.is_ascii_digit() && *byte != b'.');
    let name = match version {
        Some(dash) if name[dash] == b'-' && dash + 1 < name.len() => &name[..dash],
        _ => name,
    };
    let is = |name: &[u8]| COMPILERS.iter().any(|compiler| compiler.as_bytes() == name);
    // A target has three dashes at most.
    let dashes = name.iter().enumerate().filter(|(_, byte)| **byte == b'-').map(|(at, _)| at);
    is(name)
        || (name.contains(&b'_') || name.starts_with(b"i686")) && dashes.take(4).any(|at| is(&name[at + 1..]))
}

fn word<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

/// The reason for which a program would run natively, from its first [`HEAD`] bytes and whether its [rights](Rights) differ from its
/// caller's. Nothing for those in which the agent works, and for what is no ELF file: scripts, whose
/// [interpreter](interpreter()) counts, and what cannot be executed anyway.
pub fn native(head: &[u8], privileged: bool) -> Option<Native> {
    const CLASS: usize = 4;
    const CLASS_64: u8 = 2;
    const MACHINE: usize = 18;
    const X86_64: u16 = 62;
    const INTERPRETER: u32 = 3;
    if !head.starts_with(b"\x7fELF") {
        return None;
    }
    if head.get(CLASS) != Some(&CLASS_64) || word(head, MACHINE).map(u16::from_le_bytes) != Some(X86_64) {
        return Some(Native::Machine);
    }
    if privileged {
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
        assert_eq!(native(&usual, false), None);
        assert_eq!(native(&usual, true), Some(Native::Privileged));
        assert_eq!(native(&program(None), false), Some(Native::Static));
        assert_eq!(native(&program(Some(b"/lib/ld-musl-x86_64.so.1")), false), Some(Native::Linker));
        assert_eq!(native(b"#!/bin/sh\n", false), None);
        let mut other = usual.clone();
        other[18] = 183;
        assert_eq!(native(&other, false), Some(Native::Machine));
    }

    #[test]
    fn differ_with_other_rights_is_true() {
        let rights = |mode, capabilities| Rights { mode, user: 1, group: 2, capabilities };
        let real = |user, group| Caller { user, group, effective_user: user, effective_group: group };
        assert!(!rights(0o755, false).differ(real(7, 7)));
        assert!(rights(0o4755, false).differ(real(7, 2)) && !rights(0o4755, false).differ(real(1, 7)));
        assert!(rights(0o2755, false).differ(real(1, 7)) && !rights(0o2755, false).differ(real(7, 2)));
        assert!(!rights(0o2745, false).differ(real(7, 7)));
        assert!(rights(0o755, true).differ(real(1, 2)) && !rights(0o755, true).differ(real(0, 0)));
        assert!(rights(0o755, false).differ(Caller { effective_user: 8, ..real(7, 7) }));
        assert!(rights(0o755, false).differ(Caller { effective_group: 8, ..real(7, 7) }));
        assert!(!rights(0o4755, false).differ(Caller { effective_user: 8, ..real(1, 7) }));
    }

    #[test]
    fn compilers_are_known_by_their_names() {
        for name in [
            "gcc",
            "/usr/bin/cc",
            "/usr/lib/gcc/x86_64-linux-gnu/12/cc1plus",
            "x86_64-linux-gnu-g++-12",
            "clang-19",
        ] {
            assert!(is_compiler(name.as_bytes()), "{name}");
        }
        assert!(is_compiler(b"/opt/x86_64-conda-linux-gnu-ld.bfd") && is_compiler(b"g++-12.2"));
        for name in
            ["", "/", "python3", "gcc/python3", "mycc", "my-cc", "-12", "cc-", "javac", "sgemm-as", "as.py"]
        {
            assert!(!is_compiler(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn scripts_name_their_interpreter() {
        assert_eq!(interpreter(b"#! /bin/sh -e\nexit"), Some(&b"/bin/sh"[..]));
        assert_eq!(interpreter(b"#!/bin/sh"), Some(&b"/bin/sh"[..]));
        assert_eq!(interpreter(b"#!\n/bin/sh"), None);
        assert_eq!(interpreter(b"exit"), None);
    }

    #[test]
    fn damaged_files_are_answered() {
        let usual = program(Some(b"/lib64/ld-linux-x86-64.so.2"));
        for length in 0..usual.len() {
            native(&usual[..length], false);
        }
        for at in 0..usual.len() {
            let mut damaged = usual.clone();
            damaged[at] ^= 0xff;
            native(&damaged, false);
        }
    }
}
