//! A guest of one instruction: sets every register, jumps to code, and reads every register back.

use std::ffi::c_void;

use binade::Operator;
use binade_fma::{LANES, MultiplyAdd};
use binade_patch::span::{JUMP, Span};
use binade_patch::trampoline::{
    Level, Operands, Place, ProgramRounding, RoundedMultiplyAdd, Target, chain, gate, is_identity,
    knows_clean_uppers, pool,
};
use binade_patch::workspace;
use binade_simd::Isa;
use iced_x86::code_asm::{CodeAssembler, dword_ptr, qword_ptr, registers::*, ymmword_ptr, zmmword_ptr};
use iced_x86::{Encoder, Instruction};

/// All that an instruction can see or change of a thread, but for memory.
#[repr(C, align(64))]
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct State {
    pub(crate) vectors: [[u32; 16]; 32],
    pub(crate) masks: [u64; 8],
    /// In the order of their numbers; rsp is the fourth.
    pub(crate) general: [u64; 16],
    pub(crate) flags: u64,
    pub(crate) mxcsr: u32,
}

/// Memory for code and data of one guest.
///
/// ```text
/// pool, state, entry and exit, gates (of either level), site, trampoline, stack, data, a page without access, workspace
/// ```
pub(crate) struct Machine {
    base: *mut u8,
    wide: bool,
    behind: Option<Box<Behind>>,
}

const PAGE: usize = 4096;
const STATE: usize = 2 * PAGE;
const HOST: usize = STATE + size_of::<State>();
const ENTRY: usize = 4 * PAGE;
const GATE: usize = 6 * PAGE;
const SITE: usize = 8 * PAGE;
const EXIT: usize = 9 * PAGE;
const TRAMPOLINE: usize = 10 * PAGE;
const STACK: usize = 20 * PAGE;
const STACK_TOP: usize = 92 * PAGE;
const DATA: usize = 94 * PAGE;
/// Data before the page without access.
pub(crate) const DATA_BYTES: usize = PAGE;
const WORKSPACE: usize = 96 * PAGE;
const SIZE: usize = WORKSPACE + workspace::BYTES;

/// The random word of the site.
pub(crate) const WORD: u32 = 0x1234_5678;

/// The guest's rsp, in the middle of a page that is compared.
pub(crate) const STACK_WINDOW: usize = 1024;

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: `new` mapped it, and nothing refers to it any more.
        unsafe { libc::munmap(self.base.cast(), SIZE) };
    }
}

impl Machine {
    /// A machine of which only the vectors of `level` are set and read.
    pub(crate) fn new(level: Level) -> Machine {
        let protection = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
        // In the lowest 2 GiB, where absolute addresses fit into instructions.
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_32BIT;
        // SAFETY: a fresh anonymous mapping.
        let base = unsafe { libc::mmap(std::ptr::null_mut(), SIZE, protection, kind, -1, 0) };
        assert_ne!(base, libc::MAP_FAILED, "no memory that can be written and executed");
        let machine = Machine { base: base.cast(), wide: level.wide(), behind: None };
        // SAFETY: the last page of the mapping.
        let closed =
            unsafe { libc::mprotect(machine.base.add(DATA + DATA_BYTES).cast(), PAGE, libc::PROT_NONE) };
        assert_eq!(closed, 0);
        machine.write(0, &pool());
        machine.entry();
        machine
    }

    fn write(&self, at: usize, bytes: &[u8]) {
        assert!(at + bytes.len() <= SIZE);
        // SAFETY: within the mapping.
        unsafe { self.base.add(at).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    }

    fn at(&self, offset: usize) -> u64 {
        self.base as u64 + offset as u64
    }

    /// The address of data.
    pub(crate) fn data(&self) -> u64 {
        self.at(DATA)
    }

    /// The address that the instruction will have.
    pub(crate) fn site(&self) -> u64 {
        self.at(SITE)
    }

    /// A guest's rsp.
    pub(crate) fn stack(&self) -> u64 {
        self.at(STACK_TOP)
    }

    /// Puts bytes into the data, from its start.
    pub(crate) fn set_data(&self, offset: usize, bytes: &[u8]) {
        assert!(offset + bytes.len() <= DATA_BYTES);
        self.write(DATA + offset, bytes);
    }

    /// The data.
    pub(crate) fn get_data(&self) -> Vec<u8> {
        self.read(DATA, DATA_BYTES)
    }

    fn read(&self, at: usize, count: usize) -> Vec<u8> {
        // SAFETY: within the mapping.
        unsafe { std::slice::from_raw_parts(self.base.add(at), count).to_vec() }
    }

    /// Fills the memory around the guest's rsp.
    pub(crate) fn set_stack(&self, bytes: &[u8; 2 * STACK_WINDOW]) {
        self.write(STACK_TOP - STACK_WINDOW, bytes);
    }

    /// The memory around the guest's rsp: below it, too, everything is the guest's.
    pub(crate) fn get_stack(&self) -> Vec<u8> {
        self.read(STACK_TOP - STACK_WINDOW, 2 * STACK_WINDOW)
    }

    /// Puts an operator behind the gate.
    pub(crate) fn set_operator(&mut self, level: Level, operator: &Operator, isa: Isa) {
        self.set(level, operator, isa, None);
    }

    /// The same for a rounding of the identity.
    pub(crate) fn set_rounding(&mut self, level: Level, rounding: ProgramRounding, isa: Isa) {
        self.set(level, &"f32:f32".parse().unwrap(), isa, Some(RoundedMultiplyAdd::new(rounding)));
    }

    fn set(&mut self, level: Level, operator: &Operator, isa: Isa, rounded: Option<RoundedMultiplyAdd>) {
        let kernel = MultiplyAdd::new(operator, isa);
        let behind = Box::new(Behind { operator: operator.clone(), kernel, rounded });
        let context = &raw const *behind as u64;
        let handle: unsafe extern "C" fn(*mut Operands, *const c_void) = Behind::handle;
        let code = gate(level, self.at(GATE), handle as usize as u64, context).unwrap();
        assert!(code.len() < SITE - GATE);
        self.write(GATE, &code);
        self.behind = Some(behind);
    }

    /// Code that sets all registers and jumps to the site, and code behind the site that reads them.
    fn entry(&self) {
        let callee_saved = [rbx, rbp, r12, r13, r14, r15];
        let general = [rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15];
        let field = |offset: usize| self.at(STATE + offset);
        let (mut x, mut y) = (CodeAssembler::new(64).unwrap(), CodeAssembler::new(64).unwrap());
        for register in callee_saved {
            x.push(register).unwrap();
        }
        x.stmxcsr(dword_ptr(self.at(HOST + 8))).unwrap();
        x.mov(qword_ptr(self.at(HOST)), rsp).unwrap();
        let vector = |number: usize| field(std::mem::offset_of!(State, vectors) + 64 * number);
        macro_rules! vectors {
            ($pointer:ident: $($number:literal $register:ident),*) => { $(
                x.vmovups($register, $pointer(vector($number))).unwrap();
                y.vmovups($pointer(vector($number)), $register).unwrap();
            )* };
        }
        let mask = |number: usize| qword_ptr(field(std::mem::offset_of!(State, masks) + 8 * number));
        if self.wide {
            vectors!(zmmword_ptr: 0 zmm0, 1 zmm1, 2 zmm2, 3 zmm3, 4 zmm4, 5 zmm5, 6 zmm6, 7 zmm7, 8 zmm8, 9 zmm9,
                10 zmm10, 11 zmm11, 12 zmm12, 13 zmm13, 14 zmm14, 15 zmm15, 16 zmm16, 17 zmm17, 18 zmm18, 19 zmm19,
                20 zmm20, 21 zmm21, 22 zmm22, 23 zmm23, 24 zmm24, 25 zmm25, 26 zmm26, 27 zmm27, 28 zmm28, 29 zmm29,
                30 zmm30, 31 zmm31);
            for (number, register) in [k0, k1, k2, k3, k4, k5, k6, k7].into_iter().enumerate() {
                x.kmovq(register, mask(number)).unwrap();
                y.kmovq(mask(number), register).unwrap();
            }
        } else {
            vectors!(ymmword_ptr: 0 ymm0, 1 ymm1, 2 ymm2, 3 ymm3, 4 ymm4, 5 ymm5, 6 ymm6, 7 ymm7, 8 ymm8, 9 ymm9,
                10 ymm10, 11 ymm11, 12 ymm12, 13 ymm13, 14 ymm14, 15 ymm15);
        }
        x.ldmxcsr(dword_ptr(field(std::mem::offset_of!(State, mxcsr)))).unwrap();
        x.push(qword_ptr(field(std::mem::offset_of!(State, flags)))).unwrap();
        x.popfq().unwrap();
        let slot = |number: usize| qword_ptr(field(std::mem::offset_of!(State, general) + 8 * number));
        for (number, register) in general.into_iter().enumerate() {
            x.mov(register, slot(number)).unwrap();
        }
        x.jmp(self.site()).unwrap();
        let mut z = CodeAssembler::new(64).unwrap();
        for (number, register) in general.into_iter().enumerate() {
            z.mov(slot(number), register).unwrap();
        }
        z.mov(rsp, qword_ptr(self.at(HOST))).unwrap();
        z.pushfq().unwrap();
        z.pop(qword_ptr(field(std::mem::offset_of!(State, flags)))).unwrap();
        z.cld().unwrap();
        z.stmxcsr(dword_ptr(field(std::mem::offset_of!(State, mxcsr)))).unwrap();
        z.ldmxcsr(dword_ptr(self.at(HOST + 8))).unwrap();
        for instruction in y.take_instructions() {
            z.add_instruction(instruction).unwrap();
        }
        z.vzeroupper().unwrap();
        for register in callee_saved.into_iter().rev() {
            z.pop(register).unwrap();
        }
        z.ret().unwrap();
        let (entry, exit) = (x.assemble(self.at(ENTRY)).unwrap(), z.assemble(self.at(EXIT)).unwrap());
        assert!(entry.len() < GATE - ENTRY && exit.len() < TRAMPOLINE - EXIT && STACK < STACK_TOP);
        self.write(ENTRY, &entry);
        self.write(EXIT, &exit);
    }

    /// Puts an instruction at the site, followed by the way out; returns it with its address.
    pub(crate) fn place(&self, instruction: &Instruction) -> Instruction {
        let mut encoder = Encoder::new(64);
        let length = encoder.encode(instruction, self.site()).unwrap();
        let mut bytes = encoder.take_buffer();
        assert_eq!(bytes.len(), length);
        let mut decoder = iced_x86::Decoder::with_ip(64, &bytes, self.site(), 0);
        let placed = decoder.decode();
        let back = (self.at(EXIT) as i64 - (self.site() + length as u64 + 5) as i64) as i32;
        bytes.push(0xe9);
        bytes.extend_from_slice(&back.to_le_bytes());
        self.write(SITE, &bytes);
        placed
    }

    /// Replaces the instruction at the site by a jump to its trampoline, whose size is returned.
    pub(crate) fn patch(&self, instruction: &Instruction, target: &Target) -> usize {
        let place = Place {
            at: self.at(TRAMPOLINE),
            constants: self.at(0),
            gate: self.at(GATE),
            tiles: 0,
            site: 7,
            word: WORD,
            keeps_clean: knows_clean_uppers(),
        };
        // The way out is behind it, which the jump covers too if the instruction is shorter.
        let decode = |address: u64| {
            let at = SITE + (address - self.site()) as usize;
            // SAFETY: the site's bytes, and those of the way out.
            let bytes = unsafe { std::slice::from_raw_parts(self.base.add(at), 16) };
            Some(iced_x86::Decoder::with_ip(64, bytes, address, 0).decode())
        };
        let span = Span::new(*instruction, decode, |_| false).expect("a jump can be moved");
        let chain = chain(span.instructions(), |_| true, target, place)
            .unwrap_or_else(|error| panic!("{instruction}: {error}"));
        assert!(chain.code.len() < STACK - TRAMPOLINE);
        self.write(TRAMPOLINE, &chain.code);
        let there = (chain.entry() as i64 - (self.site() + JUMP as u64) as i64) as i32;
        let mut jump = vec![0xe9];
        jump.extend_from_slice(&there.to_le_bytes());
        // What is left of the instructions is never reached.
        jump.resize(span.length(), 0xcc);
        self.write(SITE, &jump);
        chain.code.len()
    }

    /// Puts a loop of r15 rounds over instructions at the site, each natively or by a trampoline of its own.
    #[allow(dead_code, reason = "the bench does")]
    pub(crate) fn place_loop(&self, body: &[Instruction], target: Option<&Target>) {
        let mut encoder = Encoder::new(64);
        let (mut next, mut trampolines) = (self.site(), TRAMPOLINE);
        let mut patches = vec![];
        for instruction in body {
            let length = encoder.encode(instruction, next).unwrap() as u64;
            let mut placed = *instruction;
            placed.set_len(length as usize);
            placed.set_next_ip(next + length);
            if let Some(target) = target {
                let place = Place {
                    at: self.at(trampolines),
                    constants: self.at(0),
                    gate: self.at(GATE),
                    tiles: 0,
                    site: 0,
                    word: WORD,
                    keeps_clean: knows_clean_uppers(),
                };
                let code = chain(&[placed], |_| true, target, place).unwrap().code;
                assert!(trampolines + code.len() <= STACK);
                self.write(trampolines, &code);
                patches.push((next, self.at(trampolines)));
                trampolines += code.len().next_multiple_of(16);
            }
            next += length;
        }
        let mut x = CodeAssembler::new(64).unwrap();
        x.dec(r15).unwrap();
        x.jne(self.site()).unwrap();
        x.jmp(self.at(EXIT)).unwrap();
        let mut code = encoder.take_buffer();
        code.extend(x.assemble(next).unwrap());
        for (site, to) in patches {
            let at = (site - self.site()) as usize;
            code[at] = 0xe9;
            code[at + 1..at + 5].copy_from_slice(&(to.wrapping_sub(site + 5) as u32).to_le_bytes());
        }
        assert!(code.len() < EXIT - SITE);
        self.write(SITE, &code);
    }

    /// Runs what is at the site.
    pub(crate) fn run(&self, state: &State) -> State {
        let place = self.base.wrapping_add(STATE).cast::<State>();
        // SAFETY: the state's place is aligned and within the mapping; the code there keeps what a function has to keep,
        // and its own stack is the guest's. The state is valid for any bits. The workspace is this machine's, which one
        // thread runs at a time.
        unsafe {
            workspace::enter(self.at(WORKSPACE), 0);
            place.write(state.clone());
            let entry: extern "C" fn() = std::mem::transmute(self.base.add(ENTRY));
            entry();
            place.read()
        }
    }
}

/// The context of the gate's handler.
struct Behind {
    operator: Operator,
    kernel: MultiplyAdd,
    rounded: Option<RoundedMultiplyAdd>,
}

impl Behind {
    /// # Safety
    /// `operands` points to operands that nothing else uses, `context` to this.
    unsafe extern "C" fn handle(operands: *mut Operands, context: *const c_void) {
        // SAFETY: the gate passes operands and the context that this test gave it, and no other thread uses either.
        let (behind, operands) = unsafe { (&*context.cast::<Behind>(), &mut *operands) };
        if let Some(rounded) = &behind.rounded {
            let word = operands.word;
            operands.compute(
                |[a, b, c]| std::array::from_fn(|lane| rounded.single(word, a[lane], b[lane], c[lane])),
                |[a, b, c]| rounded.double(word, a, b, c),
            );
            return;
        }
        if is_identity(&behind.operator) {
            return;
        }
        operands.compute(
            |[a, b, c]| {
                let mut d = [0.0; LANES];
                behind.kernel.apply_in_default(&a, &b, &c, &mut d);
                d
            },
            |[a, b, c]| behind.operator.multiply_add_f64(a, b, c),
        );
    }
}
