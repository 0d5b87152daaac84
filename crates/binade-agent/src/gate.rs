//! The assembly between the program's code and the agent's.
//!
//! **Stubs.** The first five bytes of a site become a jump to its stub, 32 bytes near the object:
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
//!
//! **The gate** keeps all registers, flags and the vector state, blocks signals, takes the lock, and calls
//! [`resolve`](crate::resolve) on the agent's own stack. It goes on in the code of the site by a jump through the workspace,
//! which touches no flags.
//!
//! **The fault entry** does the same for the handler of SIGSEGV, where the kernel has kept the registers.

use std::arch::{asm, global_asm};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU64, Ordering};

use binade_patch::workspace::Header;

use crate::lock::{ALL_SIGNALS, LOCK};

/// Bytes of a stub.
pub(crate) const STUB: u64 = 32;
/// From a stub's start to the return address that its call pushes.
pub(crate) const STUB_CALL_END: u64 = 28;

/// The top of the agent's stack.
static STACK_TOP: AtomicU64 = AtomicU64::new(0);
/// Bytes that XSAVE needs.
static XSAVE_SIZE: AtomicU64 = AtomicU64::new(0);
/// The state components that it keeps: x87, SSE, AVX, AVX-512.
static XSAVE_MASK: AtomicU64 = AtomicU64::new(0);
/// The default MXCSR.
static DEFAULT_MXCSR: u32 = 0x1f80;

const STACK_SIZE: usize = 4 << 20;

/// What the gate keeps on the workspace's stack.
#[repr(C)]
pub(crate) struct Context {
    mask: u64,
    registers: [u64; 15],
    flags: u64,
    /// Where the gate returns to.
    pub(crate) target: u64,
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
    call 9f
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

    // Takes the lock; clobbers rax, rcx, r11.
9:  xor eax, eax
    mov ecx, 1
    lock cmpxchg dword ptr [rip + {lock}], ecx
    je 8f
    mov eax, 24
    syscall
    jmp 9b
8:  ret

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
    call 9b
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
    target = const offset_of!(Header, target),
    stack = const offset_of!(Header, stack),
    all = sym ALL_SIGNALS,
    lock = sym LOCK,
    top = sym STACK_TOP,
    size = sym XSAVE_SIZE,
    mask = sym XSAVE_MASK,
    mxcsr = sym DEFAULT_MXCSR,
    resolve = sym crate::resolve,
    fault = sym crate::fault::fault,
    chain = sym crate::fault::chain,
);

unsafe extern "C" {
    fn binade_gate();
    fn binade_fault();
    fn binade_restore();
}

/// The gate's address.
pub(crate) fn gate() -> u64 {
    binade_gate as *const () as u64
}

/// The fault handler's address.
pub(crate) fn fault_handler() -> u64 {
    binade_fault as *const () as u64
}

/// The address of the code that returns from a handler.
pub(crate) fn restorer() -> u64 {
    binade_restore as *const () as u64
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

/// Bytes of the table at the start of every block of stubs: a jump to the gate, by an absolute address.
pub(crate) const GATE_TABLE: u64 = 16;

/// That table.
pub(crate) fn gate_table() -> [u8; GATE_TABLE as usize] {
    absolute_jump(gate())
}

/// `jmp [rip]` and the address after it, which reaches anywhere.
pub(crate) fn absolute_jump(to: u64) -> [u8; 16] {
    let mut bytes = [0xcc; 16];
    bytes[..6].copy_from_slice(&[0xff, 0x25, 0, 0, 0, 0]);
    bytes[6..14].copy_from_slice(&to.to_le_bytes());
    bytes
}

/// A stub whose site has no code yet.
pub(crate) fn stub(at: u64, table: u64) -> [u8; STUB as usize] {
    let mut bytes = [0xcc; STUB as usize];
    bytes[..5].copy_from_slice(&crate::memory::jump(at, at + 5));
    bytes[5..10].copy_from_slice(&[0x65, 0x48, 0x89, 0x24, 0x25]);
    bytes[10..14].copy_from_slice(&(offset_of!(Header, stack) as u32).to_le_bytes());
    bytes[14..19].copy_from_slice(&[0x65, 0x48, 0x8b, 0x24, 0x25]);
    bytes[19..23].copy_from_slice(&(offset_of!(Header, top) as u32).to_le_bytes());
    bytes[23..28].copy_from_slice(&crate::memory::jump(at + 23, table));
    bytes[23] = 0xe8;
    bytes
}

/// Makes a stub jump to its site's code, while others may run it.
pub(crate) fn fill(stub: u64, code: u64) {
    let mut word = [0; 8];
    // SAFETY: a stub is 32 mapped bytes, aligned to 16.
    word.copy_from_slice(unsafe { crate::memory::view(stub..stub + 8) });
    word[..5].copy_from_slice(&crate::memory::jump(stub, code));
    // SAFETY: aligned, mapped writable, and only ever written so once the stub is reachable.
    unsafe { AtomicU64::from_ptr(stub as *mut u64) }.store(u64::from_le_bytes(word), Ordering::Release);
}
