//! Threads: each has [workspaces](binade_patch::workspace) of its own, to which its GS points, and a stack for signals.
//!
//! Faults of generated code are answered by a handler. The kernel would write its frame below rsp, where the program may
//! have other things than a stack; so every thread has an alternate stack. A program that sets one of its own gets it, and
//! one that asks finds none but its own.
//!
//! Threads are seen at pthread_create. One that is started by clone(2) itself shares the workspaces of its parent: it must not
//! run code under the operator while its parent does.

use std::arch::{asm, global_asm};
use std::mem::offset_of;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use binade_patch::check::Checker;
use binade_patch::workspace::{self, AREA, BYTES, Header, LEVELS};

use crate::sandbox::{QUIET, quiet};
use crate::shadow::Shadows;

/// Bytes of the stack for signals. What is not touched takes no memory.
const SIGNAL_STACK: usize = 1 << 18;
const PAGE: usize = 4096;
/// The stack, the workspaces, and a page for the control block; what checks regions is behind it.
const MAPPING: usize = SIGNAL_STACK + AREA + PAGE;
/// Bytes of a [`Checker`], of which each workspace has one if regions are checked.
const CHECKER: usize = size_of::<Checker>().next_multiple_of(PAGE);
/// Bytes of [`Shadows`], of which each workspace has some if executions are observed. Regions are not checked then.
const SHADOWS: usize = size_of::<Shadows>().next_multiple_of(PAGE);

/// True if regions are checked.
static CHECKING: AtomicBool = AtomicBool::new(false);

/// True if executions are observed.
static OBSERVING: AtomicBool = AtomicBool::new(false);

/// True once a second thread may run.
static THREADED: AtomicBool = AtomicBool::new(false);

/// Regions are checked in all threads that start from now on.
pub(crate) fn check() {
    CHECKING.store(true, Ordering::Relaxed);
}

/// Executions are observed in all threads that start from now on.
pub(crate) fn observe() {
    OBSERVING.store(true, Ordering::Relaxed);
}

/// True once a second thread may run.
pub(crate) fn are_several() -> bool {
    THREADED.load(Ordering::Relaxed)
}

/// Maximum number of threads examined, to find one that has ended, before another mapping is made.
const LOOKED_AT: usize = 16;

/// The control block of a thread, behind its workspaces.
#[repr(C)]
pub(crate) struct Control {
    /// The first workspace.
    workspace: u64,
    /// The start routine and argument that the program gave pthread_create.
    start: u64,
    argument: u64,
    stack: libc::stack_t,
    /// Its number, once it runs.
    thread: i32,
    /// True if an instruction may write the base of GS.
    writes_gs: u32,
}

/// Every thread that has been started, the ended ones too until another takes their place.
#[derive(Debug, Default)]
pub(crate) struct Threads {
    all: Vec<*mut Control>,
    /// Addresses to examine next.
    next: usize,
    /// Control blocks for threads that start when no more memory can be had.
    stock: Vec<*mut Control>,
}

/// The workspace to which GS points.
pub(crate) fn current() -> *mut Header {
    let own: u64;
    // SAFETY: GS points to a workspace in every thread since the first one adopted one; the first word is its address.
    unsafe { asm!("mov {}, gs:[0]", out(reg) own, options(nostack, readonly, preserves_flags)) };
    own as *mut Header
}

fn control(header: *mut Header) -> *mut Control {
    // SAFETY: the thread's own workspace.
    let (own, level) = unsafe { ((*header).own, (*header).level) };
    (own - level * BYTES as u64 + AREA as u64) as *mut Control
}

/// A mapping for a thread.
fn map() -> Option<*mut Control> {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    let checking = CHECKING.load(Ordering::Relaxed);
    let observing = !checking && OBSERVING.load(Ordering::Relaxed);
    let size = match (checking, observing) {
        (true, _) => MAPPING + LEVELS * CHECKER,
        (_, true) => MAPPING + LEVELS * SHADOWS,
        _ => MAPPING,
    };
    // SAFETY: a fresh mapping touches nothing that exists.
    let at = unsafe { libc::mmap(ptr::null_mut(), size, protection, flags, -1, 0) };
    if at == libc::MAP_FAILED {
        return None;
    }
    let workspace = at as u64 + SIGNAL_STACK as u64;
    let control = (workspace + AREA as u64) as *mut Control;
    let stack = libc::stack_t { ss_sp: at, ss_flags: 0, ss_size: SIGNAL_STACK };
    // SAFETY: the last page of the mapping.
    unsafe {
        let writes_gs = workspace::has_wrgsbase() as u32;
        control.write(Control { workspace, start: 0, argument: 0, stack, thread: 0, writes_gs });
    }
    if checking {
        // SAFETY: behind the control block's page, and as many as there are workspaces.
        (0..LEVELS).for_each(|level| unsafe { Checker::init(checker_of(control, level)) });
    }
    Some(control)
}

/// The checker of regions in a workspace of a thread.
fn checker_of(control: *mut Control, level: usize) -> *mut Checker {
    (control as usize + PAGE + level * CHECKER) as *mut Checker
}

/// The checker of regions in the workspace to which GS points.
pub(crate) fn checker() -> *mut Checker {
    let header = current();
    // SAFETY: the thread's own workspace.
    checker_of(control(header), unsafe { (*header).level } as usize)
}

/// The shadows of vector registers in the workspace to which GS points, if executions are observed. They begin as zeros.
pub(crate) fn shadows() -> Option<*mut Shadows> {
    if CHECKING.load(Ordering::Relaxed) || !OBSERVING.load(Ordering::Relaxed) {
        return None;
    }
    let header = current();
    // SAFETY: the thread's own workspace.
    let level = unsafe { (*header).level } as usize;
    Some((control(header) as usize + PAGE + level * SHADOWS) as *mut Shadows)
}

fn number() -> i32 {
    // SAFETY: gettid(2) takes no arguments and touches no memory.
    unsafe { libc::syscall(libc::SYS_gettid) as i32 }
}

fn has_ended(thread: i32) -> bool {
    // SAFETY: no signal is sent.
    let sent = unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), thread, 0) };
    sent != 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH)
}

impl Threads {
    /// Makes the calling thread one of these: the first of the process. Whether there is memory.
    pub(crate) fn adopt(&mut self) -> bool {
        let Some(control) = map() else { return false };
        // SAFETY: the mapping is this thread's from now on, and before the program runs no other code uses GS.
        unsafe {
            (*control).thread = number();
            workspace::enter((*control).workspace, 0);
            set_signal_stack(&raw const (*control).stack);
        }
        self.all.push(control);
        true
    }

    /// A control block for a thread that is about to start: one whose thread has ended, or a fresh one.
    fn take(&mut self) -> Option<*mut Control> {
        if quiet() {
            return self.stock.pop();
        }
        let own = control(current());
        // SAFETY: this thread's own. Its number is another one in the child of a fork.
        unsafe { (*own).thread = number() };
        for _ in 0..self.all.len().min(LOOKED_AT) {
            self.next = (self.next + 1) % self.all.len();
            let candidate = self.all[self.next];
            // SAFETY: mapped for good; the thread wrote its number before it ran anything else.
            let thread = unsafe { ptr::read_volatile(&raw const (*candidate).thread) };
            if candidate != own && thread != 0 && has_ended(thread) {
                return Some(candidate);
            }
        }
        let fresh = map()?;
        self.all.push(fresh);
        Some(fresh)
    }

    /// Makes blocks for threads that start without system calls of the agent's.
    pub(crate) fn stock(&mut self) {
        /// Enough for most programs; what is not touched takes no memory.
        const STOCK: usize = 64;
        while self.stock.len() < STOCK {
            let Some(control) = map() else { break };
            self.stock.push(control);
            // Its thread may not tell its number: then no other thread gets the block.
            self.all.push(control);
        }
    }

    /// The argument for pthread_create in place of the program's; nothing without memory.
    pub(crate) fn starting(&mut self, start: u64, argument: u64) -> Option<*mut Control> {
        THREADED.store(true, Ordering::Relaxed);
        let control = self.take()?;
        // SAFETY: the block is free until its thread starts.
        unsafe {
            ((*control).start, (*control).argument, (*control).thread) = (start, argument, 0);
            ((*control).workspace as *mut Header).write(Header::new((*control).workspace, 0));
        }
        Some(control)
    }

    /// The thread was not started.
    pub(crate) fn failed(&mut self, control: *mut Control) {
        /// No thread has it.
        const NOBODY: i32 = i32::MAX;
        // SAFETY: the block is free, since its thread has not started.
        unsafe { (*control).thread = NOBODY };
    }
}

unsafe fn set_signal_stack(stack: *const libc::stack_t) {
    // SAFETY: the caller's stack is mapped for good. The call is not the C library's, which may be hooked.
    unsafe { libc::syscall(libc::SYS_sigaltstack, stack, ptr::null_mut::<libc::stack_t>()) };
}

/// sigaltstack(2) as the program sees it, by `set`, the C library's: where it wants none, it has ours.
///
/// # Safety
/// The pointers are those of a call of sigaltstack.
pub(crate) unsafe fn sigaltstack(
    new: *const libc::stack_t,
    old: *mut libc::stack_t,
    set: impl Fn(*const libc::stack_t, *mut libc::stack_t) -> i32,
) -> i32 {
    // SAFETY: the program's pointers, which the kernel would read and write too; the control block is this thread's.
    unsafe {
        let ours = &raw const (*control(current())).stack;
        let none = !new.is_null() && (*new).ss_flags & libc::SS_DISABLE != 0;
        let result = set(if none { ours } else { new }, old);
        if result == 0 && !old.is_null() && (*old).ss_sp == (*ours).ss_sp {
            *old = libc::stack_t { ss_sp: ptr::null_mut(), ss_flags: libc::SS_DISABLE, ss_size: 0 };
        }
        result
    }
}

/// Runs a handler with the thread's next workspace: what the signal has interrupted is in the middle of this one. A handler
/// that leaves by a jump stays there; the last is followed by the second.
pub(crate) fn nested(run: impl FnOnce()) {
    let outer = current();
    // SAFETY: this thread's own workspaces, of which the next is not in use but after as many jumps out of handlers.
    unsafe {
        let (own, level) = ((*outer).own, (*outer).level);
        let next = if level as usize + 1 < LEVELS { level + 1 } else { 1 };
        workspace::enter(own - level * BYTES as u64 + next * BYTES as u64, next);
        run();
        workspace::resume(own);
    }
}

// Where a thread starts, with its control block: GS, its stack for signals, its number, and then the program's routine, as if
// it had been called from here.
global_asm!(
    r#"
    .hidden binade_thread
    .globl binade_thread
    .p2align 4
binade_thread:
    push rbx
    mov rbx, rdi
    cmp byte ptr [rip + {quiet}], 0
    jne 1f
    mov eax, 186
    syscall
    mov dword ptr [rbx + {thread}], eax
1:
    mov rsi, qword ptr [rbx + {workspace}]
    cmp dword ptr [rbx + {writes}], 0
    je 2f
    .byte 0xf3, 0x48, 0x0f, 0xae, 0xde // wrgsbase rsi
    jmp 3f
2:  mov eax, 158
    mov edi, 0x1001
    syscall
3:
    cmp byte ptr [rip + {quiet}], 0
    jne 4f
    mov eax, 131
    lea rdi, [rbx + {stack}]
    xor esi, esi
    syscall
4:
    mov rdi, qword ptr [rbx + {argument}]
    mov rax, qword ptr [rbx + {start}]
    pop rbx
    jmp rax
    "#,
    thread = const offset_of!(Control, thread),
    writes = const offset_of!(Control, writes_gs),
    workspace = const offset_of!(Control, workspace),
    stack = const offset_of!(Control, stack),
    argument = const offset_of!(Control, argument),
    start = const offset_of!(Control, start),
    quiet = sym QUIET,
);

unsafe extern "C" {
    fn binade_thread();
}

/// The start routine for threads of ours.
pub(crate) fn start_routine() -> u64 {
    binade_thread as *const () as u64
}
