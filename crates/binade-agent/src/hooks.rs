//! The C library's functions that the agent must see: their first instructions are replaced by a jump.
//!
//! This catches every caller in the program and in the library itself, whatever way it found the function. Calls of the
//! system that avoid the library are not seen.
//!
//! - `mmap`, `mprotect`, `pkey_mprotect`, `munmap`, `mremap`: memory that becomes executable: [`generated`](crate::generated).
//! - `madvise`, `brk`: memory whose bytes go away.
//! - `sigaction`, `pthread_sigmask`: handlers see the program; the agent's SIGSEGV handler comes first and stays unblocked.
//! - `pthread_create`, `sigaltstack`: every thread has a workspace and a stack for signals.
//! - `_Fork`, `fork`: the lock, and a record for the child.
//! - `prctl`, `syscall`: filters of system calls: [`sandbox`](crate::sandbox).
//! - `execve`, `execveat`, `fexecve`: the agent goes into the children, also with an environment made anew.

use std::arch::global_asm;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use binade_patch::span::JUMP;
use iced_x86::{
    BlockEncoder, BlockEncoderOptions, Code, Decoder, DecoderOptions, FlowControl, Instruction,
    InstructionBlock,
};

use crate::kernel::{KernelAction, SEGV_BIT};
use crate::lock::Guard;
use crate::memory::{self, Keys, Near, PAGE};
use crate::sandbox::{self, Filter, quiet};
use crate::state::state;
use crate::stubs::{GATE_TABLE, absolute_jump};
use crate::{children, fault, generated, signals, threads};

/// The function that starts threads, which older C libraries have in a library of its own.
const STARTS_THREADS: &str = "pthread_create";

/// A function of the C library, replaced.
pub(crate) struct Hook {
    /// Its name; of two, the first that the library has.
    pub(crate) names: &'static [&'static str],
    /// The replacement.
    replacement: fn() -> u64,
    /// The address of its first instructions, moved.
    original: &'static AtomicU64,
}

impl Hook {
    /// True if it is in force.
    pub(crate) fn is_placed(&self) -> bool {
        self.original.load(Ordering::Acquire) != 0
    }

    /// True if another library may have the function.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.names == [STARTS_THREADS]
    }
}

macro_rules! hooks {
    ($list:ident: $($hook:ident = $names:expr, $entry:path;)*) => {
        $(static $hook: AtomicU64 = AtomicU64::new(0);)*
        pub(crate) const $list: &[Hook] = &[
            $(Hook { names: &$names, replacement: || $entry as *const () as u64, original: &$hook },)*
        ];
    };
}

hooks! { THREADS: PTHREAD_CREATE = [STARTS_THREADS], pthread_create; }

hooks! { ALL:
    MMAP = ["mmap"], binade_mmap;
    MPROTECT = ["mprotect"], binade_mprotect;
    PKEY_MPROTECT = ["pkey_mprotect"], binade_pkey_mprotect;
    MUNMAP = ["munmap"], munmap;
    MREMAP = ["mremap"], mremap;
    MADVISE = ["madvise"], madvise;
    BRK = ["brk"], brk;
    SIGACTION = ["sigaction"], sigaction;
    SIGMASK = ["pthread_sigmask"], pthread_sigmask;
    SIGALTSTACK = ["sigaltstack"], sigaltstack;
    FORK = ["_Fork", "fork"], fork;
    EXECVE = ["execve"], execve;
    EXECVEAT = ["execveat"], execveat;
    FEXECVE = ["fexecve"], fexecve;
    PRCTL = ["prctl"], prctl;
    SYSCALL = ["syscall"], binade_syscall;
}

unsafe extern "C" {
    fn binade_mmap();
    fn binade_mprotect();
    fn binade_pkey_mprotect();
    fn binade_syscall();
}

// Where the caller matters, its return address is taken from the stack and passed as the seventh argument, or the fifth. Of system
// calls only two are examined. The others, which may return twice, are passed on.
global_asm!(
    r#"
    .hidden binade_mmap
    .globl binade_mmap
    .p2align 4
binade_mmap:
    push qword ptr [rsp]
    call {mmap}
    add rsp, 8
    ret
    .hidden binade_mprotect
    .globl binade_mprotect
    .p2align 4
binade_mprotect:
    mov rcx, [rsp]
    jmp {mprotect}
    .hidden binade_pkey_mprotect
    .globl binade_pkey_mprotect
    .p2align 4
binade_pkey_mprotect:
    mov r8, [rsp]
    jmp {pkey_mprotect}
    .hidden binade_syscall
    .globl binade_syscall
    .p2align 4
binade_syscall:
    cmp rdi, {seccomp_number}
    je {syscall}
    cmp rdi, {prctl_number}
    je {syscall}
    jmp qword ptr [rip + {syscall_original}]
    "#,
    seccomp_number = const libc::SYS_seccomp,
    prctl_number = const libc::SYS_prctl,
    syscall = sym syscall,
    syscall_original = sym SYSCALL,
    mmap = sym mmap,
    mprotect = sym mprotect,
    pkey_mprotect = sym pkey_mprotect,
);

/// Replaces a function at `address`, in writable text. Returns true if that could be done.
pub(crate) fn replace(hook: &Hook, address: u64, text: &Range<u64>, near: &mut Near) -> bool {
    let Some((moved, length)) = prologue(address, text) else { return false };
    let Some(at) = near.allocate(64 + GATE_TABLE, 16) else { return false };
    let block = InstructionBlock::new(&moved, at + GATE_TABLE);
    let Ok(code) = BlockEncoder::encode(64, block, BlockEncoderOptions::NONE) else { return false };
    if code.code_buffer.len() > 64 || length < JUMP {
        return false;
    }
    // SAFETY: fresh memory that no other thread knows; then the text, which no other thread runs while objects are loaded
    // for the first time, and which the caller made writable.
    unsafe {
        memory::write(at, &absolute_jump((hook.replacement)()));
        memory::write(at + GATE_TABLE, &code.code_buffer);
        hook.original.store(at + GATE_TABLE, Ordering::Release);
        memory::write(address, &memory::jump(address, at));
    }
    true
}

/// The instructions that the jump replaces, followed by a jump to the rest, and their length.
fn prologue(address: u64, text: &Range<u64>) -> Option<(Vec<Instruction>, usize)> {
    // SAFETY: the caller's text is mapped.
    let bytes = unsafe { memory::view(address..text.end.min(address + 64)) };
    let mut decoder = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE);
    let mut moved = Vec::new();
    while decoder.ip() < address + JUMP as u64 {
        let instruction = decoder.decode();
        // A system call may stand there: its return address does not matter. A return or jump ends the function too soon.
        let flow = instruction.flow_control();
        let straight = matches!(flow, FlowControl::Next | FlowControl::ConditionalBranch | FlowControl::Call)
            || instruction.code() == Code::Syscall;
        if instruction.is_invalid() || !straight {
            return None;
        }
        moved.push(instruction);
    }
    moved.push(Instruction::with_branch(Code::Jmp_rel32_64, decoder.ip()).ok()?);
    Some((moved, (decoder.ip() - address) as usize))
}

/// The original of a hook, as a function of this type.
macro_rules! original {
    ($hook:ident as $type:ty) => {
        // SAFETY: the hook runs, so its original was stored; the type is that of the C library's function.
        unsafe { std::mem::transmute::<usize, $type>($hook.load(Ordering::Acquire) as usize) }
    };
}

type Mmap = extern "C" fn(*mut c_void, usize, c_int, c_int, c_int, libc::off_t) -> *mut c_void;
type Mprotect = extern "C" fn(*mut c_void, usize, c_int) -> c_int;
type PkeyMprotect = extern "C" fn(*mut c_void, usize, c_int, c_int) -> c_int;
type Munmap = extern "C" fn(*mut c_void, usize) -> c_int;
type Mremap = extern "C" fn(*mut c_void, usize, usize, c_int, *mut c_void) -> *mut c_void;
type Madvise = extern "C" fn(*mut c_void, usize, c_int) -> c_int;
type Brk = extern "C" fn(*mut c_void) -> c_int;
type Sigaction = extern "C" fn(c_int, *const libc::sigaction, *mut libc::sigaction) -> c_int;
type Sigmask = extern "C" fn(c_int, *const libc::sigset_t, *mut libc::sigset_t) -> c_int;
type Sigaltstack = extern "C" fn(*const libc::stack_t, *mut libc::stack_t) -> c_int;
type PthreadCreate = extern "C" fn(*mut libc::pthread_t, *const libc::pthread_attr_t, u64, u64) -> c_int;
type Fork = extern "C" fn() -> libc::pid_t;
type Prctl = extern "C" fn(c_int, u64, u64, u64, u64) -> c_int;
type Syscall = extern "C" fn(i64, u64, u64, u64, u64, u64, u64) -> i64;
type Execve = extern "C" fn(*const c_char, *const *const c_char, *const *const c_char) -> c_int;
type Fexecve = extern "C" fn(c_int, *const *const c_char, *const *const c_char) -> c_int;
type Execveat =
    extern "C" fn(c_int, *const c_char, *const *const c_char, *const *const c_char, c_int) -> c_int;

/// Whole pages.
fn pages(address: *mut c_void, length: usize) -> Range<u64> {
    let start = address as u64;
    start..start.saturating_add((length as u64).next_multiple_of(PAGE))
}

extern "C" fn mmap(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    flags: c_int,
    file: c_int,
    offset: libc::off_t,
    caller: u64,
) -> *mut c_void {
    let original = original!(MMAP as Mmap);
    let harmless = quiet() || protection & libc::PROT_EXEC == 0 && flags & libc::MAP_FIXED == 0;
    if harmless || (protection & libc::PROT_EXEC == 0 && !generated::any()) {
        return original(address, length, protection, flags, file, offset);
    }
    let _guard = Guard::take();
    // SAFETY: the lock is held.
    let Some(state) = (unsafe { state() }) else {
        return original(address, length, protection, flags, file, offset);
    };
    let _keys = Keys::open();
    if flags & libc::MAP_FIXED != 0 && length > 0 {
        state.regions.leave(&state.sites, pages(address, length));
    }
    let executable = protection & libc::PROT_EXEC != 0;
    let object = if executable { state.generator(caller) } else { None };
    let (Some(object), true) = (object, flags & libc::MAP_TYPE == libc::MAP_PRIVATE) else {
        if let Some(object) = object {
            let _ = object;
            state.record.note("executable memory is mapped shared: code in it is left alone");
        }
        return original(address, length, protection, flags, file, offset);
    };
    if file >= 0 {
        state.mapped(file);
    }
    let without = (protection & !libc::PROT_EXEC) | libc::PROT_READ;
    let at = original(address, length, without, flags, file, offset);
    if at != libc::MAP_FAILED {
        state.regions.enter(&state.sites, pages(at, length), protection, object);
        fault::watch(state);
    }
    at
}

/// Changes a protection, with `set`.
fn change(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    caller: u64,
    set: impl Fn(c_int) -> c_int,
) -> c_int {
    if quiet() || protection & libc::PROT_EXEC == 0 && !generated::any() {
        return set(protection);
    }
    let _guard = Guard::take();
    let range = pages(address, length);
    // SAFETY: the lock is held.
    let Some(state) = (unsafe { state() }) else { return set(protection) };
    if !range.start.is_multiple_of(PAGE) || range.is_empty() {
        return set(protection);
    }
    let _keys = Keys::open();
    let object = if protection & libc::PROT_EXEC != 0 { state.generator(caller) } else { None };
    let Some(object) = object else {
        state.regions.leave(&state.sites, range);
        return set(protection);
    };
    // Patches are taken back before the program can write there.
    state.regions.renew(&state.sites, range.clone());
    let result = set((protection & !libc::PROT_EXEC) | libc::PROT_READ);
    if result == 0 {
        state.regions.enter(&state.sites, range, protection, object);
        fault::watch(state);
    }
    result
}

extern "C" fn mprotect(address: *mut c_void, length: usize, protection: c_int, caller: u64) -> c_int {
    let original = original!(MPROTECT as Mprotect);
    change(address, length, protection, caller, |protection| original(address, length, protection))
}

extern "C" fn pkey_mprotect(
    address: *mut c_void,
    length: usize,
    protection: c_int,
    key: c_int,
    caller: u64,
) -> c_int {
    let original = original!(PKEY_MPROTECT as PkeyMprotect);
    change(address, length, protection, caller, |protection| original(address, length, protection, key))
}

extern "C" fn munmap(address: *mut c_void, length: usize) -> c_int {
    let original = original!(MUNMAP as Munmap);
    if quiet() || !generated::any() {
        return original(address, length);
    }
    let _guard = Guard::take();
    // SAFETY: the lock is held.
    if let Some(state) = unsafe { state() } {
        let _keys = Keys::open();
        state.regions.leave(&state.sites, pages(address, length));
    }
    original(address, length)
}

extern "C" fn mremap(
    address: *mut c_void,
    old: usize,
    new: usize,
    flags: c_int,
    target: *mut c_void,
) -> *mut c_void {
    let original = original!(MREMAP as Mremap);
    if quiet() || !generated::any() {
        return original(address, old, new, flags, target);
    }
    let _guard = Guard::take();
    // SAFETY: the lock is held.
    let Some(state) = (unsafe { state() }) else { return original(address, old, new, flags, target) };
    let _keys = Keys::open();
    let moved = state.regions.leave(&state.sites, pages(address, old));
    if flags & libc::MREMAP_FIXED != 0 {
        state.regions.leave(&state.sites, pages(target, new));
    }
    let at = original(address, old, new, flags, target);
    if let Some((protection, object)) = moved {
        let range = if at == libc::MAP_FAILED { pages(address, old) } else { pages(at, new) };
        state.regions.enter(&state.sites, range, protection, object);
    }
    at
}

extern "C" fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int {
    /// Fails accesses from now on; newer than the library's constants.
    const MADV_GUARD_INSTALL: c_int = 102;
    const MADV_DONTNEED_LOCKED: c_int = 24;
    let original = original!(MADVISE as Madvise);
    let drops = matches!(
        advice,
        libc::MADV_DONTNEED | libc::MADV_FREE | libc::MADV_REMOVE | MADV_DONTNEED_LOCKED | MADV_GUARD_INSTALL
    );
    if quiet() || !drops || !generated::any() {
        return original(address, length, advice);
    }
    let _guard = Guard::take();
    // SAFETY: the lock is held.
    if let Some(state) = unsafe { state() } {
        let _keys = Keys::open();
        state.regions.renew(&state.sites, pages(address, length));
    }
    original(address, length, advice)
}

/// The end of the program's heap.
extern "C" fn brk(end: *mut c_void) -> c_int {
    let original = original!(BRK as Brk);
    if quiet() || !generated::any() {
        return original(end);
    }
    let _guard = Guard::take();
    // SAFETY: a system call that changes nothing, since the heap cannot end there.
    let before = unsafe { libc::syscall(libc::SYS_brk, 0) } as u64;
    let after = (end as u64).next_multiple_of(PAGE);
    // SAFETY: the lock is held.
    if let (Some(state), true) = (unsafe { state() }, after < before && !end.is_null()) {
        let _keys = Keys::open();
        state.regions.leave(&state.sites, after..before.next_multiple_of(PAGE));
    }
    original(end)
}

extern "C" fn sigaction(signal: c_int, new: *const libc::sigaction, old: *mut libc::sigaction) -> c_int {
    let original = original!(SIGACTION as Sigaction);
    // SAFETY: the program's pointers.
    let install = || unsafe { signals::install(signal, new, old, |new, old| original(signal, new, old)) };
    if signal != libc::SIGSEGV {
        return install();
    }
    let _guard = Guard::take();
    // SAFETY: the lock is held.
    let Some(Some(action)) = (unsafe { state() }).map(|state| &mut state.segv) else {
        return install();
    };
    let before = *action;
    // SAFETY: the program's pointers, which the C library would read and write too.
    unsafe {
        if !new.is_null() {
            let mask = std::ptr::read((&raw const (*new).sa_mask).cast::<u64>());
            let (handler, flags) = ((*new).sa_sigaction as u64, (*new).sa_flags as u64);
            *action = KernelAction { handler, flags, restorer: 0, mask };
        }
        if !old.is_null() {
            let mut out: libc::sigaction = std::mem::zeroed();
            out.sa_sigaction = before.handler as usize;
            out.sa_flags = before.flags as c_int & !0x0400_0000;
            std::ptr::write((&raw mut out.sa_mask).cast::<u64>(), before.mask);
            *old = out;
        }
    }
    0
}

extern "C" fn pthread_sigmask(how: c_int, new: *const libc::sigset_t, old: *mut libc::sigset_t) -> c_int {
    let original = original!(SIGMASK as Sigmask);
    if new.is_null() || how == libc::SIG_UNBLOCK {
        return original(how, new, old);
    }
    // SAFETY: the program's set, which the C library would read too: its first 8 bytes are all that the kernel knows.
    let mask = unsafe { std::ptr::read(new.cast::<u64>()) } & !SEGV_BIT;
    // SAFETY: all zero is an empty set, and a set is larger than 8 bytes.
    let mut set: libc::sigset_t = unsafe { std::mem::zeroed() };
    // SAFETY: a `sigset_t` begins with the 8 bytes that the kernel reads.
    unsafe { std::ptr::write((&raw mut set).cast::<u64>(), mask) };
    original(how, &raw const set, old)
}

extern "C" fn sigaltstack(new: *const libc::stack_t, old: *mut libc::stack_t) -> c_int {
    let original = original!(SIGALTSTACK as Sigaltstack);
    // SAFETY: the program's pointers.
    unsafe { threads::sigaltstack(new, old, |new, old| original(new, old)) }
}

extern "C" fn pthread_create(
    thread: *mut libc::pthread_t,
    attributes: *const libc::pthread_attr_t,
    start: u64,
    argument: u64,
) -> c_int {
    let original = original!(PTHREAD_CREATE as PthreadCreate);
    let starting = {
        let _guard = Guard::take();
        // SAFETY: the lock is held.
        unsafe { state() }.map(|state| state.threads.starting(start, argument))
    };
    let control = match starting {
        None => return original(thread, attributes, start, argument),
        Some(None) => return libc::EAGAIN,
        Some(Some(control)) => control,
    };
    let result = original(thread, attributes, threads::start_routine(), control as u64);
    if result != 0 {
        let _guard = Guard::take();
        // SAFETY: the lock is held.
        if let Some(state) = unsafe { state() } {
            state.threads.failed(control);
        }
    }
    result
}

extern "C" fn fork() -> libc::pid_t {
    let original = original!(FORK as Fork);
    let _guard = Guard::take();
    let child = original();
    if child == 0 {
        // SAFETY: the lock is held.
        if let Some(state) = unsafe { state() } {
            state.forked();
        }
    }
    child
}

extern "C" fn execve(
    path: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) -> c_int {
    let original = original!(EXECVE as Execve);
    children::with_environment(path, environment, |environment| original(path, arguments, environment))
}

extern "C" fn execveat(
    directory: c_int,
    path: *const c_char,
    arguments: *const *const c_char,
    environment: *const *const c_char,
    flags: c_int,
) -> c_int {
    let original = original!(EXECVEAT as Execveat);
    // SAFETY: a string that the kernel would read too, or null.
    let name = (!path.is_null()).then(|| unsafe { CStr::from_ptr(path) });
    let mut buffer = children::buffer();
    let file = children::at(directory, name, &mut buffer).map_or(std::ptr::null(), CStr::as_ptr);
    children::with_environment(file, environment, |environment| {
        original(directory, path, arguments, environment, flags)
    })
}

/// fexecve(3). The C library's makes the system call itself.
extern "C" fn fexecve(
    file: c_int,
    arguments: *const *const c_char,
    environment: *const *const c_char,
) -> c_int {
    let original = original!(FEXECVE as Fexecve);
    let mut buffer = children::buffer();
    let path = children::at(file, None, &mut buffer).map_or(std::ptr::null(), CStr::as_ptr);
    children::with_environment(path, environment, |environment| original(file, arguments, environment))
}

/// prctl(2). The C library's takes as many arguments as the option has.
extern "C" fn prctl(option: c_int, a: u64, b: u64, c: u64, d: u64) -> c_int {
    let original = original!(PRCTL as Prctl);
    let install = || i64::from(original(option, a, b, c, d));
    // SAFETY: the arguments are those of prctl.
    unsafe { filtered(filter_of_prctl(option, a, b), install) as c_int }
}

/// A system call that may install a filter.
extern "C" fn syscall(number: i64, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) -> i64 {
    const SET_MODE_STRICT: u64 = 0;
    const SET_MODE_FILTER: u64 = 1;
    let original = original!(SYSCALL as Syscall);
    let install = || original(number, a, b, c, d, e, f);
    let filter = match (number, a) {
        (libc::SYS_prctl, option) => filter_of_prctl(option as c_int, b, c),
        (_, SET_MODE_STRICT) => Some(0),
        (_, SET_MODE_FILTER) if c != 0 => Some(c),
        _ => None,
    };
    // SAFETY: the arguments are those of the system call.
    unsafe { filtered(filter, install) }
}

/// The address of the filter that prctl installs; 0 for strict mode, nothing if it installs none.
fn filter_of_prctl(option: c_int, mode: u64, program: u64) -> Option<u64> {
    match (option, mode) {
        (libc::PR_SET_SECCOMP, mode) if mode == u64::from(libc::SECCOMP_MODE_STRICT) => Some(0),
        (libc::PR_SET_SECCOMP, mode) if mode == u64::from(libc::SECCOMP_MODE_FILTER) && program != 0 => {
            Some(program)
        }
        _ => None,
    }
}

/// Installs a filter by `install`, if it is one; the agent makes ready for it before.
///
/// # Safety
/// The filter's address is that of a `sock_fprog`, which the kernel would read too, or 0.
unsafe fn filtered(filter: Option<u64>, install: impl FnOnce() -> i64) -> i64 {
    let Some(address) = filter.filter(|_| !quiet()) else { return install() };
    let readable = |address: u64, size: u64| memory::read(address, size).is_some();
    let forbidden = if address == 0 {
        Filter::Strict.forbids()
    } else if readable(address, size_of::<libc::sock_fprog>() as u64) {
        // SAFETY: the address is that of a `sock_fprog`, all of which can be read.
        let program = unsafe { std::ptr::read_unaligned(address as *const libc::sock_fprog) };
        let (start, count) = (program.filter, usize::from(program.len));
        if !readable(start as u64, (count * size_of::<libc::sock_filter>()) as u64) || !start.is_aligned() {
            return install();
        }
        // SAFETY: all `count` instructions can be read, from an aligned address.
        Filter::Program(unsafe { std::slice::from_raw_parts(start, count) }).forbids()
    } else {
        None
    };
    let Some(forbidden) = forbidden else { return install() };
    {
        let _guard = Guard::take();
        // SAFETY: the lock is held.
        if let Some(state) = unsafe { state() } {
            let _keys = Keys::open();
            state.prepare_for_filter(forbidden);
        }
    }
    sandbox::set_quiet(true);
    let result = install();
    // A filter with a listener has a descriptor for its result.
    if result < 0 {
        // The kernel has refused it.
        sandbox::set_quiet(false);
    }
    result
}
