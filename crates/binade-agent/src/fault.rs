//! The handler of SIGSEGV, which runs before the program's own.
//!
//! The kernel knows one handler, the agent's, from the first time that the program makes memory executable. Faults of
//! [generated code](crate::generated) are answered; all others go to whatever the program installed, with the signal mask,
//! flags and context that it would have had.

use std::arch::global_asm;
use std::mem;
use std::ptr;

use crate::gate::STACK_TOP;
use crate::kernel::{ALL_SIGNALS, KernelAction, SA_RESTORER, SEGV_BIT, set_segv_action, set_signal_mask};
use crate::lock::{Guard, LOCK};
use crate::memory::{Access, Keys};
use crate::signals;
use crate::state::{State, state};

// The handler, on the agent's stack with the lock held, and the code that returns from it.
global_asm!(
    r#"
    // The handler of SIGSEGV: (signal, information, context). The kernel blocks all signals in it.
    .hidden binade_fault
    .globl binade_fault
    .p2align 4
binade_fault:
    push rbp
    push rbx
    push r12
    push r13
    mov rbp, rsp
    mov rbx, rdi
    mov r12, rsi
    mov r13, rdx
    call binade_take_lock
    mov rsp, qword ptr [rip + {top}]
    mov rdi, rbx
    mov rsi, r12
    mov rdx, r13
    call {fault}
    mov rsp, rbp
    mov dword ptr [rip + {lock}], 0
    test eax, eax
    jne 7f
    mov rdi, rbx
    mov rsi, r12
    mov rdx, r13
    sub rsp, 8
    call {chain}
    add rsp, 8
7:  pop r13
    pop r12
    pop rbx
    pop rbp
    ret

    .hidden binade_restore
    .globl binade_restore
    .p2align 4
binade_restore:
    mov eax, 15
    syscall
    "#,
    lock = sym LOCK,
    top = sym STACK_TOP,
    fault = sym fault,
    chain = sym chain,
);

unsafe extern "C" {
    fn binade_fault();
    fn binade_restore();
}

/// The address of the code that returns from a handler.
fn restorer() -> u64 {
    binade_restore as *const () as u64
}

/// From now on faults come to the agent first; the action that was there is the program's.
pub(crate) fn watch(state: &mut State) {
    if state.segv.is_some() {
        return;
    }
    let before = set_segv_action(Some(&KernelAction {
        handler: binade_fault as *const () as u64,
        flags: (libc::SA_SIGINFO | libc::SA_ONSTACK) as u64 | SA_RESTORER,
        restorer: restorer(),
        mask: ALL_SIGNALS,
    }));
    state.segv = Some(KernelAction { handler: signals::of_program(libc::SIGSEGV, before.handler), ..before });
}

/// True if the fault was one of generated code, and has been answered. Runs on the agent's stack with the lock held.
extern "C" fn fault(
    _signal: i32,
    information: *const libc::siginfo_t,
    context: *const libc::ucontext_t,
) -> u64 {
    /// Bits of the page fault's error code.
    const WRITE: i64 = 2;
    const EXECUTE: i64 = 16;
    /// The thread has closed this memory to itself.
    const PROTECTION_KEY: i64 = 32;
    const PAGE_FAULT: i64 = 14;
    // SAFETY: the kernel gives a handler valid pointers.
    let (registers, code) = unsafe { ((*context).uc_mcontext.gregs, (*information).si_code) };
    if code <= 0 || registers[libc::REG_TRAPNO as usize] != PAGE_FAULT {
        return 0;
    }
    let error = registers[libc::REG_ERR as usize];
    if error & PROTECTION_KEY != 0 {
        return 0;
    }
    let _keys = Keys::open();
    let access = match error {
        _ if error & EXECUTE != 0 => Access::Execute,
        _ if error & WRITE != 0 => Access::Write,
        _ => Access::Read,
    };
    let (address, instruction) = (registers[libc::REG_CR2 as usize], registers[libc::REG_RIP as usize]);
    // SAFETY: the gate holds the lock.
    let Some(state) = (unsafe { state() }) else { return 0 };
    state.fault(address as u64, instruction as u64, access) as u64
}

/// Hands a signal to the program's own handler. Runs on the program's stack, without the lock.
extern "C" fn chain(signal: i32, information: *mut libc::siginfo_t, context: *mut libc::ucontext_t) {
    let action = {
        let _guard = Guard::take();
        // SAFETY: the lock is held.
        let Some(state) = (unsafe { state() }) else { return };
        let Some(action) = &mut state.segv else { return };
        let taken = *action;
        if taken.flags & libc::SA_RESETHAND as u64 != 0 {
            action.handler = libc::SIG_DFL as u64;
        }
        taken
    };
    // SAFETY: the kernel's pointers.
    let sent = unsafe { (*information).si_code } <= 0;
    if action.handler == libc::SIG_IGN as u64 && sent {
        return;
    }
    if action.handler == libc::SIG_DFL as u64 || action.handler == libc::SIG_IGN as u64 {
        // A fault comes again when this handler returns, and then ends the process, as it would have; a signal that was
        // sent is sent again.
        set_segv_action(Some(&KernelAction {
            flags: SA_RESTORER,
            restorer: restorer(),
            ..Default::default()
        }));
        if sent {
            // SAFETY: sends a signal to this thread, which has it blocked until the handler returns.
            unsafe {
                libc::syscall(libc::SYS_tgkill, libc::getpid(), libc::syscall(libc::SYS_gettid), signal)
            };
        }
        return;
    }
    // SAFETY: the kernel's context; its mask is the first 8 bytes of the field.
    let interrupted = unsafe { ptr::read((&raw const (*context).uc_sigmask).cast::<u64>()) };
    let own = if action.flags & libc::SA_NODEFER as u64 != 0 { 0 } else { SEGV_BIT };
    set_signal_mask(interrupted | action.mask | own);
    // SAFETY: the program gave this address as that of a handler; one without SA_SIGINFO ignores what it did not ask for.
    unsafe {
        let handler: signals::Handler = mem::transmute(action.handler as usize);
        signals::showing(context, || handler(signal, information, context));
    }
}
