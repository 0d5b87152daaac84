//! Filters of system calls (seccomp(2)) that the program installs.
//!
//! The agent makes system calls of its own, for instance at the first execution of code. A filter that does not know of them may end
//! the program. So hooks of prctl and syscall see a filter before it is in force. If it forbids any of [`NEEDED`], the agent makes the
//! code of every multiply-add in objects at once, and gives generated code back as the program wrote it. From then on the agent is
//! [`quiet`] and makes no system call. Code that is loaded or generated later, and programs that are started, run natively. The
//! summary says so.
//!
//! A filter that a program installs by a system call instruction of its own is not seen.

use std::sync::atomic::{AtomicBool, Ordering};

/// True while the agent must make no system call. Assembly reads it as a byte that is not 0.
pub(crate) static QUIET: AtomicBool = AtomicBool::new(false);

/// True while the agent must make no system call.
pub(crate) fn quiet() -> bool {
    QUIET.load(Ordering::Acquire)
}

/// Makes the agent quiet, or ends that.
pub(crate) fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Ordering::Release);
}

/// The system calls that the agent makes after its start, and their names.
const NEEDED: &[(i64, &str)] = &[
    (libc::SYS_rt_sigprocmask, "rt_sigprocmask"),
    (libc::SYS_mmap, "mmap"),
    (libc::SYS_munmap, "munmap"),
    (libc::SYS_mprotect, "mprotect"),
    (libc::SYS_madvise, "madvise"),
    (libc::SYS_openat, "openat"),
    (libc::SYS_read, "read"),
    (libc::SYS_pwrite64, "pwrite64"),
    (libc::SYS_close, "close"),
    (libc::SYS_fstat, "fstat"),
    (libc::SYS_newfstatat, "newfstatat"),
    (libc::SYS_statx, "statx"),
    (libc::SYS_fcntl, "fcntl"),
    (libc::SYS_ftruncate, "ftruncate"),
    (libc::SYS_readlink, "readlink"),
    (libc::SYS_gettid, "gettid"),
    (libc::SYS_tgkill, "tgkill"),
    (libc::SYS_sigaltstack, "sigaltstack"),
    (libc::SYS_arch_prctl, "arch_prctl"),
    (libc::SYS_sched_yield, "sched_yield"),
    (libc::SYS_process_vm_readv, "process_vm_readv"),
];

/// A filter of system calls that a program is about to install.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Filter<'a> {
    /// Only read, write, exit and sigreturn.
    Strict,
    /// A program in classic BPF.
    Program(&'a [libc::sock_filter]),
}

impl Filter<'_> {
    /// The first system call that the agent needs and this forbids.
    pub(crate) fn forbids(self) -> Option<&'static str> {
        let allowed = |number| match self {
            Filter::Strict => [libc::SYS_read, libc::SYS_write].contains(&number),
            Filter::Program(program) => allows(program, number),
        };
        NEEDED.iter().find(|&&(number, _)| !allowed(number)).map(|&(_, name)| name)
    }
}

/// True if a filter lets a system call of this machine through, with arguments of 0.
fn allows(program: &[libc::sock_filter], number: i64) -> bool {
    const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;
    const ACTION: u32 = 0xffff_0000;
    // struct seccomp_data: the number, the architecture, the instruction's address, six arguments.
    let data = |offset: u32| match offset {
        0 => Some(number as u32),
        4 => Some(AUDIT_ARCH_X86_64),
        offset if offset < 64 && offset.is_multiple_of(4) => Some(0),
        _ => None,
    };
    let action = evaluate(program, data).unwrap_or_default() & ACTION;
    [libc::SECCOMP_RET_ALLOW, libc::SECCOMP_RET_LOG].contains(&action)
}

/// The value that a filter returns; `data` gives the word at an offset of the call's description. `None` for a program that
/// the system would refuse.
fn evaluate(program: &[libc::sock_filter], data: impl Fn(u32) -> Option<u32>) -> Option<u32> {
    use libc::{
        BPF_A, BPF_ABS, BPF_ADD, BPF_ALU, BPF_AND, BPF_DIV, BPF_IMM, BPF_JA, BPF_JEQ, BPF_JGE, BPF_JGT,
        BPF_JMP, BPF_JSET, BPF_LD, BPF_LDX, BPF_LEN, BPF_LSH, BPF_MEM, BPF_MISC, BPF_MUL, BPF_NEG, BPF_OR,
        BPF_RET, BPF_RSH, BPF_ST, BPF_STX, BPF_SUB, BPF_TAX, BPF_W, BPF_X, BPF_XOR,
    };
    /// Bytes of the data.
    const LENGTH: u32 = 64;
    let (mut a, mut x, mut at) = (0u32, 0u32, 0usize);
    let mut memory = [0u32; 16];
    // Jumps lead forwards only.
    loop {
        let step = program.get(at)?;
        at += 1;
        let (code, k) = (u32::from(step.code), step.k);
        let operand = if code & BPF_X != 0 { x } else { k };
        match code & 7 {
            BPF_LD | BPF_LDX => {
                let value = match code & 0xf8 {
                    mode if mode == BPF_W | BPF_ABS => data(k)?,
                    mode if mode == BPF_W | BPF_IMM => k,
                    mode if mode == BPF_W | BPF_MEM => *memory.get(k as usize)?,
                    mode if mode == BPF_W | BPF_LEN => LENGTH,
                    _ => return None,
                };
                if code & 7 == BPF_LD { a = value } else { x = value }
            }
            BPF_ST => *memory.get_mut(k as usize)? = a,
            BPF_STX => *memory.get_mut(k as usize)? = x,
            BPF_ALU => {
                a = match code & 0xf0 {
                    BPF_ADD => a.wrapping_add(operand),
                    BPF_SUB => a.wrapping_sub(operand),
                    BPF_MUL => a.wrapping_mul(operand),
                    BPF_DIV => a.checked_div(operand)?,
                    BPF_OR => a | operand,
                    BPF_AND => a & operand,
                    BPF_XOR => a ^ operand,
                    BPF_LSH => a.checked_shl(operand)?,
                    BPF_RSH => a.checked_shr(operand)?,
                    BPF_NEG => a.wrapping_neg(),
                    _ => return None,
                }
            }
            BPF_JMP => {
                let holds = match code & 0xf0 {
                    BPF_JA => {
                        at = at.checked_add(k as usize)?;
                        continue;
                    }
                    BPF_JEQ => a == operand,
                    BPF_JGT => a > operand,
                    BPF_JGE => a >= operand,
                    BPF_JSET => a & operand != 0,
                    _ => return None,
                };
                at += usize::from(if holds { step.jt } else { step.jf });
            }
            BPF_RET => return Some(if code & 0x18 == BPF_A { a } else { k }),
            BPF_MISC => {
                if code & 0xf8 == BPF_TAX {
                    x = a;
                } else {
                    a = x;
                }
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;
    const KILL: u32 = libc::SECCOMP_RET_KILL_PROCESS;

    fn step(code: u32, jt: u8, jf: u8, k: u32) -> libc::sock_filter {
        libc::sock_filter { code: code as u16, jt, jf, k }
    }

    fn load(offset: u32) -> libc::sock_filter {
        step(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, offset)
    }

    fn jump_if_equal(k: u32, jt: u8, jf: u8) -> libc::sock_filter {
        step(libc::BPF_JMP | libc::BPF_JEQ, jt, jf, k)
    }

    fn give(action: u32) -> libc::sock_filter {
        step(libc::BPF_RET, 0, 0, action)
    }

    #[test]
    fn a_filter_without_conditions_allows_or_forbids_all() {
        assert_eq!(Filter::Program(&[give(ALLOW)]).forbids(), None);
        assert_eq!(Filter::Program(&[give(libc::SECCOMP_RET_LOG)]).forbids(), None);
        for action in [KILL, libc::SECCOMP_RET_ERRNO | 1, libc::SECCOMP_RET_TRAP, libc::SECCOMP_RET_TRACE] {
            assert_eq!(Filter::Program(&[give(action)]).forbids(), Some("rt_sigprocmask"));
        }
        assert_eq!(Filter::Strict.forbids(), Some("rt_sigprocmask"));
    }

    #[test]
    fn a_list_names_the_first_call_that_is_missing() {
        let without = |missing: i64| {
            let mut program = vec![load(4), jump_if_equal(0xc000_003e, 1, 0), give(KILL), load(0)];
            for &(number, _) in NEEDED.iter().filter(|&&(number, _)| number != missing) {
                program.extend([jump_if_equal(number as u32, 0, 1), give(ALLOW)]);
            }
            program.push(give(libc::SECCOMP_RET_ERRNO | 1));
            program
        };
        assert_eq!(Filter::Program(&without(-1)).forbids(), None);
        for &(number, name) in NEEDED {
            assert_eq!(Filter::Program(&without(number)).forbids(), Some(name));
        }
    }

    #[test]
    fn a_list_of_what_is_forbidden_names_it() {
        let program = [load(0), jump_if_equal(libc::SYS_openat as u32, 0, 1), give(KILL), give(ALLOW)];
        assert_eq!(Filter::Program(&program).forbids(), Some("openat"));
    }

    #[test]
    fn arithmetic_memory_and_ranges_are_evaluated() {
        use libc::{
            BPF_ADD, BPF_ALU, BPF_AND, BPF_JGE, BPF_JMP, BPF_LDX, BPF_MEM, BPF_MISC, BPF_ST, BPF_TAX, BPF_X,
        };
        // Calls whose number, with bit 30 cleared, is below 320: a + 2 kept, taken up as x, subtracted by adding −2.
        let program = [
            load(0),
            step(BPF_ALU | BPF_AND, 0, 0, !0x4000_0000),
            step(BPF_ALU | BPF_ADD, 0, 0, 2),
            step(BPF_ST, 0, 0, 3),
            step(BPF_LDX | BPF_MEM, 0, 0, 3),
            step(BPF_MISC | BPF_TAX, 0, 0, 0),
            step(BPF_JMP | BPF_JGE | BPF_X, 0, 1, 0),
            step(BPF_JMP | BPF_JGE, 0, 1, 322),
            give(KILL),
            give(ALLOW),
        ];
        assert!(allows(&program, 310) && allows(&program, 319));
        assert!(!allows(&program, 320));
    }

    #[test]
    fn what_is_no_filter_allows_nothing() {
        for program in [&[] as &[_], &[load(64)], &[load(2)], &[load(0)], &[step(0xffff, 0, 0, 0)]] {
            assert!(!allows(program, 0));
        }
        let jump = [step(libc::BPF_JMP | libc::BPF_JA, 0, 0, u32::MAX), give(ALLOW)];
        assert!(!allows(&jump, 0));
    }
}
