//! The gate: the assembly between a site without code and the agent, which makes that code.
//!
//! The gate keeps all registers, flags and the vector state, blocks signals, takes the lock, and calls [`resolve`] on the agent's
//! own stack. It goes on in the code of the site by a jump through the workspace, which touches no flags.

use std::arch::{asm, global_asm};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU64, Ordering};

use binade_patch::workspace::Header;

use crate::kernel::ALL_SIGNALS;
use crate::lock::LOCK;
use crate::state::state;
use crate::stubs::STUB_CALL_END;

/// The top of the agent's stack, which the holder of the lock uses.
pub(crate) static STACK_TOP: AtomicU64 = AtomicU64::new(0);
/// Bytes that XSAVE needs.
static XSAVE_SIZE: AtomicU64 = AtomicU64::new(0);
/// The state components that it keeps: x87, SSE, AVX, AVX-512.
static XSAVE_MASK: AtomicU64 = AtomicU64::new(0);
/// The default MXCSR.
pub(crate) static DEFAULT_MXCSR: u32 = 0x1f80;
/// Where XSAVE keeps the program's.
const MXCSR_AT: usize = 24;

const STACK_SIZE: usize = 4 << 20;

/// The registers that the gate keeps on the workspace's stack.
#[repr(C)]
struct Context {
    mask: u64,
    registers: [u64; 15],
    flags: u64,
    /// The return address of the gate.
    target: u64,
}

global_asm!(
    r#"
    .hidden binade_gate
    .globl binade_gate
    .p2align 4
binade_gate:
    pushfq
    push r15
    push r14
    push r13
    push r12
    push r11
    push r10
    push r9
    push r8
    push rdi
    push rsi
    push rbp
    push rbx
    push rdx
    push rcx
    push rax
    sub rsp, 8
    cld
    mov rbp, rsp
    mov eax, 14
    mov edi, 2
    lea rsi, [rip + {all}]
    mov rdx, rsp
    mov r10d, 8
    syscall
    call binade_take_lock
    mov rsp, qword ptr [rip + {top}]
    sub rsp, qword ptr [rip + {size}]
    and rsp, -64
    mov r12, rsp
    lea rdi, [r12 + 512]
    xor eax, eax
    mov ecx, 8
    rep stosq
    mov eax, dword ptr [rip + {mask}]
    xor edx, edx
    xsave64 [r12]
    vzeroupper
    vldmxcsr dword ptr [rip + {mxcsr}]
    mov rdi, rbp
    mov esi, dword ptr [r12 + {at}]
    call {resolve}
    mov eax, dword ptr [rip + {mask}]
    xor edx, edx
    xrstor64 [r12]
    mov rsp, rbp
    mov dword ptr [rip + {lock}], 0
    mov eax, 14
    mov edi, 2
    mov rsi, rsp
    xor edx, edx
    mov r10d, 8
    syscall
    add rsp, 8
    pop rax
    pop rcx
    pop rdx
    pop rbx
    pop rbp
    pop rsi
    pop rdi
    pop r8
    pop r9
    pop r10
    pop r11
    pop r12
    pop r13
    pop r14
    pop r15
    popfq
    pop qword ptr gs:[{target}]
    mov rsp, qword ptr gs:[{stack}]
    jmp qword ptr gs:[{target}]
    "#,
    target = const offset_of!(Header, target),
    stack = const offset_of!(Header, stack),
    all = sym ALL_SIGNALS,
    lock = sym LOCK,
    top = sym STACK_TOP,
    size = sym XSAVE_SIZE,
    mask = sym XSAVE_MASK,
    mxcsr = sym DEFAULT_MXCSR,
    at = const MXCSR_AT,
    resolve = sym resolve,
);

/// Makes the code of the site whose stub called the gate, under the program's MXCSR. The gate holds the lock and calls on the agent's stack.
extern "C" fn resolve(context: *mut Context, mxcsr: u32) {
    // SAFETY: the context is the gate's own frame, which nothing else reaches until the gate goes on.
    let context = unsafe { &mut *context };
    // SAFETY: the gate holds the lock until this returns.
    let state = unsafe { state() }.expect("there are sites, so there is a state");
    context.target = state.resolve(context.target - STUB_CALL_END, mxcsr);
}

unsafe extern "C" {
    fn binade_gate();
}

/// The gate's address.
pub(crate) fn gate() -> u64 {
    binade_gate as *const () as u64
}

/// Prepares the gates.
///
/// # Errors
/// If the machine or the system cannot: the reason.
pub(crate) fn prepare() -> Result<(), String> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    const OSXSAVE: u32 = 1 << 27;
    if __cpuid(1).ecx & OSXSAVE == 0 {
        return Err("this machine has no XSAVE".to_owned());
    }
    let low: u32;
    // SAFETY: XGETBV exists where OSXSAVE is set.
    unsafe { asm!("xgetbv", in("ecx") 0, out("eax") low, out("edx") _, options(nomem, nostack)) };
    let size = __cpuid_count(0xd, 0).ebx as u64;
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a fresh mapping touches nothing that exists.
    let stack = unsafe { libc::mmap(std::ptr::null_mut(), STACK_SIZE, protection, flags, -1, 0) };
    if stack == libc::MAP_FAILED {
        return Err(crate::memory::no_memory("the agent's stack"));
    }
    XSAVE_MASK.store((low & 0xe7) as u64, Ordering::Relaxed);
    XSAVE_SIZE.store(size.next_multiple_of(64), Ordering::Relaxed);
    STACK_TOP.store((stack as u64 + STACK_SIZE as u64) & !63, Ordering::Relaxed);
    Ok(())
}
