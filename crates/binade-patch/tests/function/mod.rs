//! Machine code in memory, run with all registers under control, its multiply-adds computed by the scalar definition.

use std::arch::global_asm;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use binade::Operator;
use binade_patch::fma::{Addend, Fma, Operand};
use binade_patch::trampoline::{Level, RoundedMultiplyAdd};
use binade_patch::workspace;
use iced_x86::{Code, Decoder, DecoderOptions, Encoder, Instruction, MemoryOperand, Register};

/// Everything that a function may see or change besides memory. The layout is known to the assembly below.
#[repr(C, align(64))]
#[derive(Clone, PartialEq)]
pub(crate) struct State {
    pub(crate) vectors: [[u32; 16]; 32],
    pub(crate) masks: [u64; 8],
    /// rax, rcx, rdx, rbx, rsp (not set), rbp, rsi, rdi, r8 to r15.
    pub(crate) general: [u64; 16],
    pub(crate) flags: u64,
    pub(crate) mxcsr: u32,
    pub(crate) mxcsr_host: u32,
    pub(crate) function: u64,
}

impl State {
    pub(crate) fn zero() -> State {
        State {
            vectors: [[0; 16]; 32],
            masks: [0; 8],
            general: [0; 16],
            flags: 2,
            mxcsr: 0x1f80,
            mxcsr_host: 0,
            function: 0,
        }
    }
}

unsafe extern "C" {
    fn regions_test_enter_wide(state: *mut State);
    fn regions_test_gate_wide();
    fn regions_test_enter_narrow(state: *mut State);
    fn regions_test_gate_narrow();
}

/// The routine that enters a function, and the one that its sites call: with these vector registers, and masks (1) or without (0).
macro_rules! routines {
    ($name:literal, $vector:literal, $numbers:literal, $masks:literal) => {
        global_asm!(
            concat!(
    r#"
"#, ".globl regions_test_enter_", $name, "\nregions_test_enter_", $name, ":", r#"
  push rbx
  push rbp
  push r12
  push r13
  push r14
  push r15
  push rdi
  stmxcsr [rdi+2252]
  .irp n,"#, $numbers, r#"
  vmovups "#, $vector, r#"\n, [rdi+\n*64]
  .endr
  .if "#, $masks, r#"
  .irp n,1,2,3,4,5,6,7
  kmovq k\n, [rdi+2048+\n*8]
  .endr
  .endif
  ldmxcsr [rdi+2248]
  push qword ptr [rdi+2256]
  push qword ptr [rdi+2240]
  mov rax, [rdi+2112]
  mov rcx, [rdi+2120]
  mov rdx, [rdi+2128]
  mov rbx, [rdi+2136]
  mov rbp, [rdi+2152]
  mov rsi, [rdi+2160]
  mov r8, [rdi+2176]
  mov r9, [rdi+2184]
  mov r10, [rdi+2192]
  mov r11, [rdi+2200]
  mov r12, [rdi+2208]
  mov r13, [rdi+2216]
  mov r14, [rdi+2224]
  mov r15, [rdi+2232]
  mov rdi, [rdi+2168]
  popfq
  call qword ptr [rsp]
  lea rsp, [rsp+8]
  push rdi
  mov rdi, [rsp+8]
  mov [rdi+2112], rax
  mov [rdi+2120], rcx
  mov [rdi+2128], rdx
  mov [rdi+2136], rbx
  mov [rdi+2152], rbp
  mov [rdi+2160], rsi
  mov [rdi+2176], r8
  mov [rdi+2184], r9
  mov [rdi+2192], r10
  mov [rdi+2200], r11
  mov [rdi+2208], r12
  mov [rdi+2216], r13
  mov [rdi+2224], r14
  mov [rdi+2232], r15
  pushfq
  pop qword ptr [rdi+2240]
  pop rax
  mov [rdi+2168], rax
  stmxcsr [rdi+2248]
  ldmxcsr [rdi+2252]
  .irp n,"#, $numbers, r#"
  vmovups [rdi+\n*64], "#, $vector, r#"\n
  .endr
  .if "#, $masks, r#"
  .irp n,1,2,3,4,5,6,7
  kmovq [rdi+2048+\n*8], k\n
  .endr
  .endif
  push 0x202
  popfq
  vzeroupper
  pop rdi
  pop r15
  pop r14
  pop r13
  pop r12
  pop rbp
  pop rbx
  ret

# Called by a site's code with the site's number on the stack, 128 bytes below the program's rsp.
"#, ".globl regions_test_gate_", $name, "\nregions_test_gate_", $name, ":", r#"
  pushfq
  cld
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
  lea rbp, [rsp+12*8+16+128]
  push rbp
  push rbx
  push rdx
  push rcx
  push rax
  mov rdi, [rsp+18*8]
  mov rdx, rsp
  mov rbp, rsp
  sub rsp, 2304
  and rsp, -64
  mov rsi, rsp
  .irp n,"#, $numbers, r#"
  vmovaps [rsp+\n*64], "#, $vector, r#"\n
  .endr
  .if "#, $masks, r#"
  .irp n,0,1,2,3,4,5,6,7
  kmovq [rsp+2048+\n*8], k\n
  .endr
  .endif
  stmxcsr [rsp+2112]
  push 0x1f80
  ldmxcsr [rsp]
  lea rsp, [rsp+8]
  vzeroupper
  call {handler}
  ldmxcsr [rsp+2112]
  .if "#, $masks, r#"
  .irp n,0,1,2,3,4,5,6,7
  kmovq k\n, [rsp+2048+\n*8]
  .endr
  .endif
  .irp n,"#, $numbers, r#"
  vmovaps "#, $vector, r#"\n, [rsp+\n*64]
  .endr
  mov rsp, rbp
  pop rax
  pop rcx
  pop rdx
  pop rbx
  lea rsp, [rsp+8]
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
  ret
"#
            ),
            handler = sym handler,
        );
    };
}

routines!(
    "wide",
    "zmm",
    "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
    "1"
);
routines!("narrow", "ymm", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15", "0");

/// The sites that the gate knows, by number, and what they compute.
static SITES: Mutex<(Vec<Fma>, Option<Arithmetic>)> = Mutex::new((Vec::new(), None));

/// The definition that sites compute by.
#[derive(Clone)]
pub(crate) enum Arithmetic {
    Of(Operator),
    Rounded(Box<RoundedMultiplyAdd>),
}

impl Arithmetic {
    fn multiply_add(&self, address: u64, a: f32, b: f32, c: f32) -> f32 {
        match self {
            Arithmetic::Of(operator) => operator.multiply_add(a, b, c),
            Arithmetic::Rounded(rounded) => rounded.single(word(address), a, b, c),
        }
    }
}

/// The random word of the instruction at an address.
pub(crate) fn word(address: u64) -> u32 {
    (address as u32).wrapping_mul(0x9e37_79b9)
}
/// Calls of the gate.
pub(crate) static CALLS: AtomicUsize = AtomicUsize::new(0);

/// d = a · b + c of a site in every lane, from the registers as saved by the gate.
extern "C" fn handler(site: u64, vectors: *mut [[u32; 16]; 32], general: *const [u64; 16]) {
    CALLS.fetch_add(1, Ordering::Relaxed);
    let sites = SITES.lock().unwrap();
    let fma = sites.0[site as usize];
    let arithmetic = sites.1.as_ref().unwrap();
    // SAFETY: the gate passes the vectors and general registers that it saved on its stack.
    let (vectors, general) = unsafe { (&mut *vectors, &*general) };
    let instruction = &fma.instruction;
    let lanes = fma.lanes as usize;
    let read = |operand: Operand| -> [u32; 16] {
        match operand {
            Operand::Register(register) => vectors[register.number()],
            Operand::Memory => {
                let value = |register: Register| match register {
                    Register::None => 0,
                    register => general[register.number()],
                };
                let address = match instruction.memory_base() {
                    Register::RIP => instruction.memory_displacement64(),
                    base => value(base)
                        .wrapping_add(
                            value(instruction.memory_index())
                                .wrapping_mul(instruction.memory_index_scale() as u64),
                        )
                        .wrapping_add(instruction.memory_displacement64()),
                };
                std::array::from_fn(|i| {
                    let at = address + if fma.broadcast() { 0 } else { 4 * i as u64 };
                    // SAFETY: the functions tested read only memory that is theirs.
                    if i < lanes { unsafe { (at as *const u32).read_unaligned() } } else { 0 }
                })
            }
            other => unreachable!("{other:?} of a fused multiply-add"),
        }
    };
    let (a, b, c) = (read(fma.a()), read(fma.b()), read(fma.c()));
    let flip = |negative: bool| (negative as u32) << 31;
    let subtract = fma.addend == Addend::Subtract;
    let result: [u32; 16] = std::array::from_fn(|i| {
        let value = |x: u32| f32::from_bits(x);
        let result = arithmetic.multiply_add(
            instruction.ip(),
            value(a[i] ^ flip(fma.negate_product)),
            value(b[i]),
            value(c[i] ^ flip(subtract)),
        );
        let kept = fma.scalar && (1..4).contains(&i);
        match i {
            _ if i < lanes => result.to_bits(),
            _ if kept => vectors[fma.rest().number()][i],
            _ => 0,
        }
    });
    vectors[fma.destination().number()] = result;
}

/// Memory that code can be written to and run in.
pub(crate) struct Memory {
    at: *mut u8,
    length: usize,
}

impl Memory {
    pub(crate) fn new(length: usize) -> Memory {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let rights = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        // SAFETY: a fresh mapping.
        let at = unsafe { libc::mmap(std::ptr::null_mut(), length, rights, flags, -1, 0) };
        assert_ne!(at, libc::MAP_FAILED);
        Memory { at: at.cast(), length }
    }

    pub(crate) fn address(&self) -> u64 {
        self.at as u64
    }

    pub(crate) fn write(&self, at: u64, bytes: &[u8]) {
        let offset = (at - self.address()) as usize;
        assert!(offset + bytes.len() <= self.length, "the code does not fit");
        // SAFETY: within the mapping, which nobody runs in meanwhile.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.at.add(offset), bytes.len()) };
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the mapping is this one's, and its code has returned.
        unsafe { libc::munmap(self.at.cast(), self.length) };
    }
}

/// The instructions of code that lies at an address.
pub(crate) fn decode(code: &[u8], at: u64) -> Vec<Instruction> {
    Decoder::with_ip(64, code, at, DecoderOptions::NONE).iter().collect()
}

/// Instructions as bytes at an address.
pub(crate) fn encode(instructions: &[Instruction], at: u64) -> Vec<u8> {
    let mut encoder = Encoder::new(64);
    let mut next = at;
    for instruction in instructions {
        next += encoder.encode(instruction, next).unwrap_or_else(|e| panic!("{instruction}: {e}")) as u64;
    }
    encoder.take_buffer()
}

/// Makes the gate compute the multiply-adds of a function by a definition, and returns its code for each: the
/// instruction's address, and the bytes at addresses from `at` on.
pub(crate) fn gates(
    instructions: &[Instruction],
    arithmetic: &Arithmetic,
    at: u64,
) -> Vec<(Instruction, u64, Vec<u8>)> {
    let sites: Vec<Fma> = instructions.iter().filter_map(Fma::decode).filter(Fma::fused).collect();
    let mut next = at;
    let mut all = Vec::new();
    for (number, fma) in sites.iter().enumerate() {
        let rsp = |offset| MemoryOperand::with_base_displ(Register::RSP, offset);
        let gate = if wide() { regions_test_gate_wide } else { regions_test_gate_narrow };
        let (gate, instruction) = (gate as *const () as u64, fma.instruction);
        // The gate may be farther than 2 GiB: its address lies behind the code.
        const BEHIND: u64 = 40;
        let absolute = MemoryOperand::with_base_displ(Register::RIP, (next + BEHIND) as i64);
        let code = [
            Instruction::with2(Code::Lea_r64_m, Register::RSP, rsp(-128)).unwrap(),
            Instruction::with1(Code::Pushq_imm32, number as i32).unwrap(),
            Instruction::with1(Code::Call_rm64, absolute).unwrap(),
            Instruction::with2(Code::Lea_r64_m, Register::RSP, rsp(136)).unwrap(),
            Instruction::with_branch(Code::Jmp_rel32_64, instruction.next_ip()).unwrap(),
        ];
        let mut bytes = encode(&code, next);
        assert!(bytes.len() as u64 <= BEHIND);
        bytes.resize(BEHIND as usize, 0xcc);
        bytes.extend(gate.to_le_bytes());
        let length = bytes.len() as u64;
        all.push((instruction, next, bytes));
        next += length;
    }
    *SITES.lock().unwrap() = (sites, Some(arithmetic.clone()));
    all
}

/// The bytes that send an instruction elsewhere.
pub(crate) fn patch(instruction: &Instruction, to: u64) -> Vec<u8> {
    let mut bytes = encode(&[Instruction::with_branch(Code::Jmp_rel32_64, to).unwrap()], instruction.ip());
    assert!(bytes.len() <= instruction.len());
    bytes.resize(instruction.len(), 0xcc);
    bytes
}

/// Runs a function that lies in memory.
pub(crate) fn run(function: u64, state: &mut State) {
    state.function = function;
    thread_local! {
        static WORKSPACE: Vec<u8> = vec![0; workspace::BYTES + 64];
    }
    WORKSPACE.with(|memory| {
        // SAFETY: the workspace is this thread's. The function was made by a test to return, and to touch only memory that
        // the test gave it. The callee-saved registers and MXCSR are put back by the assembly.
        unsafe {
            workspace::enter((memory.as_ptr() as u64).next_multiple_of(64), 0);
            if wide() {
                regions_test_enter_wide(state);
            } else {
                regions_test_enter_narrow(state);
            }
        }
    });
}

/// Returns true if this machine has the AVX-512 that regions use.
fn wide() -> bool {
    std::is_x86_feature_detected!("avx512f")
        && std::is_x86_feature_detected!("avx512bw")
        && std::is_x86_feature_detected!("avx512dq")
        && std::is_x86_feature_detected!("avx512vl")
}

/// The levels whose regions this machine can run, its own first.
pub(crate) fn levels() -> Vec<Level> {
    let vnni = std::is_x86_feature_detected!("avx512vnni");
    let all = [
        (Level::Avx512 { vnni: true }, wide() && vnni),
        (Level::Avx512 { vnni: false }, wide()),
        (Level::Avx2, std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma")),
    ];
    for (level, _) in all.iter().filter(|(_, has)| !has) {
        eprintln!("SKIPPED: this machine does not run {level:?}");
    }
    all.into_iter().filter(|(_, has)| *has).map(|(level, _)| level).collect()
}
