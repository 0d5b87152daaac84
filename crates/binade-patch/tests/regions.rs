//! Regions against multiply-adds computed one by one by the scalar definition, on random functions: all registers, flags
//! and memory.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod function;

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

use binade::Operator;
use binade::philox::Stream;
use binade_patch::check::{Check, Checker, Difference, Event, Outcome as Checked, What};
use binade_patch::fma::Fma;
use binade_patch::region::{self, Refusal, Region, Request, Stage, translate_all};
use binade_patch::snapshot::{self, Snapshot, WORD};
use binade_patch::trampoline::{Level, ProgramRounding, RoundedMultiplyAdd, Target, Units, pool};
use function::{Arithmetic, Memory, State};
use iced_x86::code_asm::*;
use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register};

/// Random numbers in the types that code is made of.
struct Random(Stream);

impl Random {
    fn next(&mut self) -> u32 {
        self.0.word()
    }
    fn below(&mut self, n: u32) -> u32 {
        self.0.below(n as usize) as u32
    }
    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }
}

/// Codes by the beginning of their name, e.g. `VEX_Vfmadd231ps_ymm_ymm_ymmm256`.
struct Codes {
    all: HashMap<String, Code>,
    /// True if there is no AVX-512.
    narrow: bool,
}

impl Codes {
    fn new(level: Level) -> Codes {
        let all = Code::values().map(|code| (format!("{code:?}"), code)).collect();
        Codes { all, narrow: !level.wide() }
    }
    /// The code of that name, or on AVX2 the one in VEX encoding that does the same.
    fn get(&self, name: &str) -> Code {
        let mut name = name.to_owned();
        if self.narrow {
            name = name.replace("EVEX_", "VEX_").replace("_k1z", "").replace("b32", "").replace("_er", "");
            name = name.replace("Vpxord", "Vpxor").replace("zmm", "ymm").replace("512", "256");
            if name.contains("Vbroadcast") {
                name = name.replace("xmmm", "m");
            }
        }
        *self.all.get(&name).unwrap_or_else(|| panic!("no code {name}"))
    }
}

/// Floats that a function works on: ordinary ones, and with `special` everything else.
fn number(random: &mut Random, special: u32) -> u32 {
    let bits = random.next();
    let ordinary = bits & 0x807f_ffff | (110 + random.below(30)) << 23;
    match special {
        0 => ordinary,
        1 => match random.below(8) {
            0 => random.of(&[
                0x7f80_0000,
                0xff80_0000,
                0x7fc0_0000,
                0xffc0_0000,
                0x7f80_0001,
                0x7fff_ffff,
                0xffff_ffff,
                0xffbf_1234,
                0,
                0x8000_0000,
            ]),
            1 => bits & 0x80ff_ffff | 0x7f00_0000,
            _ => ordinary,
        },
        2 => match random.below(4) {
            // Subnormal, tiny, and just below where BF16 overflows.
            0 => bits & 0x807f_ffff,
            1 => bits & 0x8fff_ffff,
            2 => bits & 0x8000_ffff | 0x7f7f_0000,
            _ => ordinary,
        },
        // BF16 and sums of two BF16 near ties.
        3 => match random.below(3) {
            0 => ordinary & 0xffff_0000,
            1 => ordinary & 0xffff_0000 | random.of(&[0x8000, 0x7fff, 0x8001, 0x7fc0, 0x8040, 0x7fe0]),
            _ => ordinary,
        },
        // Sums of two BF16 whose leading part overflows, with products that bring them back or leave them.
        4 => random.of(&[
            0x7f7f_7fff,
            0xff7f_7fe0,
            0x7f7f_7ff0,
            0,
            0,
            0x3f80_0000,
            0x3f80_0000,
            0xbf80_0000,
            0xf980_0000,
        ]),
        // A sum of two BF16 where the leading part of a second splitting overflows, and products that take a few of its last
        // units away: what was split already counts as infinite.
        5 => random.of(&[0x7f7f_7fff, 0x7f7f_7fff, 0x3f80_0000, 0x3f80_0000, 0xf500_0000, 0xf500_0000]),
        // What quick copies are right for.
        7 => match random.below(4) {
            0 => random.of(&[0, 0, 0x8000_0000]),
            1 => ordinary & 0xffff_0000,
            _ => ordinary,
        },
        // Ties, and sums of two BF16 near them.
        8 => {
            bits & 0x807f_0000
                | (124 + random.below(4)) << 23
                | random.of(&[0, 0x8000, 0x7fff, 0x7fc0, 0x8040, 0x8041])
        }
        // Near underflow and near overflow, rarely beyond.
        9 => bits & 0x807f_ffff | random.of(&[63, 64, 65, 70]) << 23,
        10 => bits & 0x807f_ffff | random.of(&[180, 182, 183, 184, 120]) << 23,
        // One special number in a hundred.
        11 => match random.below(100) {
            0 => random.of(&[
                0x7f80_0000,
                0xffc0_1234,
                0x7f80_0001,
                0x8000_0000,
                1,
                0x8000_0100,
                0x7f7f_ffff,
                0x77ff_ffff,
            ]),
            _ => ordinary,
        },
        _ => bits,
    }
}

/// A kernel of a matrix product with 24 sums, which leaves no vector register: nor does it touch the sums otherwise.
fn kernel(random: &mut Random, codes: &Codes, at: u64) -> Vec<u8> {
    let add = codes.get("EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er");
    let load = codes.get("EVEX_Vmovups_zmm_k1z_zmmm512");
    let store = codes.get("EVEX_Vmovups_zmmm512_k1z_zmm");
    let broadcast = codes.get("EVEX_Vbroadcastss_zmm_k1z_xmmm32");
    let mut all: Vec<Register> = (0..32).map(|n| Register::ZMM0 + n).collect();
    for i in 0..32 {
        all.swap(i, random.below(32) as usize);
    }
    let (sums, others) = all.split_at(24);
    let (rows, spread) = others.split_at(6);
    let mut asm = CodeAssembler::new(64).unwrap();
    let add_all = |asm: &mut CodeAssembler, made: Result<Instruction, IcedError>| {
        asm.add_instruction(made.unwrap()).unwrap();
    };
    let from = |base, words: u32| MemoryOperand::with_base_displ(base, 4 * i64::from(words));
    asm.mov(rdx, rsi).unwrap();
    asm.mov(ecx, random.of(&[1i32, 2, 5])).unwrap();
    let mut head = asm.create_label();
    asm.set_label(&mut head).unwrap();
    for step in 0..random.of(&[2, 4]) {
        for &row in rows {
            if step > 0 && random.one_in(2) {
                continue;
            }
            add_all(&mut asm, Instruction::with2(load, row, from(Register::RDX, 16 * random.below(6))));
        }
        for (number, &sum) in sums.iter().enumerate() {
            let factor = spread[number / 6 % 2];
            if number % 6 == 0 {
                add_all(
                    &mut asm,
                    Instruction::with2(broadcast, factor, from(Register::RSI, random.below(64))),
                );
            }
            add_all(&mut asm, Instruction::with3(add, sum, factor, rows[number % 6]));
        }
        asm.prefetcht0(byte_ptr(rdx)).unwrap();
        asm.add(rdx, 64i32).unwrap();
    }
    asm.dec(ecx).unwrap();
    asm.jg(head).unwrap();
    for (number, &sum) in (0u32..).zip(sums).filter(|(number, _)| number % 3 == 0) {
        add_all(&mut asm, Instruction::with2(store, from(Register::RDI, 16 * number), sum));
    }
    asm.ret().unwrap();
    asm.assemble(at).unwrap()
}

/// Loops of a convolution's gradient: sums are loaded, added to at a stretch, and stored, twice in an iteration.
fn gradient(random: &mut Random, codes: &Codes, at: u64) -> Vec<u8> {
    let add = codes.get("EVEX_Vfmadd231ps_ymm_k1z_ymm_ymmm256b32");
    let load = codes.get("EVEX_Vmovups_ymm_k1z_ymmm256");
    let store = codes.get("EVEX_Vmovups_ymmm256_k1z_ymm");
    let broadcast = codes.get("EVEX_Vbroadcastss_ymm_k1z_xmmm32");
    let mut all: Vec<Register> = (0..16).map(|n| Register::YMM0 + n).collect();
    for i in 0..16 {
        all.swap(i, random.below(16) as usize);
    }
    let (sums, others) = all.split_at(12);
    let mut asm = CodeAssembler::new(64).unwrap();
    let from = |base, words: u32| MemoryOperand::with_base_displ(base, 4 * i64::from(words));
    let make = |asm: &mut CodeAssembler, made: Result<Instruction, IcedError>| {
        asm.add_instruction(made.unwrap()).unwrap();
    };
    asm.mov(ecx, random.of(&[1i32, 2, 5])).unwrap();
    let mut head = asm.create_label();
    asm.set_label(&mut head).unwrap();
    for (half, steps) in [(0, random.of(&[22, 26])), (1, random.of(&[2, 6, 23]))] {
        for (number, &sum) in (0u32..).zip(sums) {
            make(&mut asm, Instruction::with2(load, sum, from(Register::RDI, 16 * number + 8 * half)));
        }
        for step in 0..steps {
            let row = others[step % 2];
            make(&mut asm, Instruction::with2(load, row, from(Register::RSI, random.below(120))));
            for (number, &sum) in sums.iter().enumerate() {
                let factor = others[2 + number % 2];
                make(&mut asm, Instruction::with2(broadcast, factor, from(Register::RSI, random.below(128))));
                make(&mut asm, Instruction::with3(add, sum, row, factor));
            }
        }
        for (number, &sum) in (0u32..).zip(sums) {
            make(&mut asm, Instruction::with2(store, from(Register::RDI, 16 * number + 8 * half), sum));
        }
    }
    asm.dec(ecx).unwrap();
    asm.jg(head).unwrap();
    asm.ret().unwrap();
    asm.assemble(at).unwrap()
}

const WIDTHS: [(&str, u32, &str); 3] = [("xmm", 128, "1to4"), ("ymm", 256, "1to8"), ("zmm", 512, "1to16")];

/// A random function of loops and straight code. rdi, rdx and rsi point into the buffer; the stack holds numbers.
fn function(random: &mut Random, codes: &Codes, at: u64, signs: bool) -> Vec<u8> {
    let there = if codes.narrow { 16 } else { 32 };
    let count = random.of(if codes.narrow { &[6, 9, 12, 14, 15, 16] } else { &[10, 16, 22, 28, 31, 32] });
    let mut all: Vec<u32> = (0..there).collect();
    for i in 0..there as usize {
        all.swap(i, random.below(there) as usize);
    }
    let registers = all[..count].to_vec();
    let (width, mixed) = (random.of(&[2, 2, 2, 1, 1, 0]), random.one_in(4));
    let width = if codes.narrow { width.min(1) } else { width };
    let pure = random.one_in(2);
    let mut asm = CodeAssembler::new(64).unwrap();
    let stack = 256i32;
    asm.push(rbx).unwrap();
    asm.push(rbp).unwrap();
    asm.sub(rsp, stack).unwrap();
    for i in 0..stack / 8 {
        asm.mov(rax, qword_ptr(rdi + 8 * i)).unwrap();
        asm.mov(qword_ptr(rsp + 8 * i), rax).unwrap();
        if i < 16 {
            // The red zone is in use.
            asm.mov(qword_ptr(rsp - 8 * (i + 1)), rax).unwrap();
        }
    }
    for loops in 0..random.below(2) + 1 {
        asm.mov(ecx, random.of(&[1i32, 2, 3, 5])).unwrap();
        asm.mov(rdx, rsi).unwrap();
        let mut head = asm.create_label();
        asm.set_label(&mut head).unwrap();
        let length = random.of(&[6, 12, 30, 60]);
        let mut k = 0;
        while k < length {
            if random.one_in(16) {
                let mut over = asm.create_label();
                asm.test(cl, random.of(&[1i32, 2])).unwrap();
                asm.je(over).unwrap();
                for _ in 0..random.below(6) {
                    instruction(random, codes, &mut asm, &registers, (width, mixed, pure), signs);
                }
                asm.set_label(&mut over).unwrap();
                asm.nop().unwrap();
            }
            instruction(random, codes, &mut asm, &registers, (width, mixed, pure), signs);
            k += 1;
        }
        asm.dec(ecx).unwrap();
        asm.jne(head).unwrap();
        for _ in 0..random.of(&[0, 6, 9]) * (loops + 1) {
            instruction(random, codes, &mut asm, &registers, (width, mixed, pure), signs);
        }
    }
    // Registers of which nothing is left, so that their values from one iteration to the next may be rounded.
    if random.one_in(2) {
        let clear = codes.get("EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32");
        for &number in registers.iter().filter(|_| random.one_in(2)) {
            let whole = if codes.narrow { Register::YMM0 } else { Register::ZMM0 } + number;
            asm.add_instruction(Instruction::with3(clear, whole, whole, whole).unwrap()).unwrap();
        }
    }
    for i in 1..=16i32 {
        asm.mov(rax, qword_ptr(rsp - 8 * i)).unwrap();
        asm.mov(qword_ptr(rdi + 3072 + 8 * i), rax).unwrap();
    }
    asm.lea(rsp, qword_ptr(rsp + stack)).unwrap();
    asm.pop(rbp).unwrap();
    asm.pop(rbx).unwrap();
    asm.ret().unwrap();
    asm.assemble(at).unwrap()
}

fn instruction(
    random: &mut Random,
    codes: &Codes,
    asm: &mut CodeAssembler,
    registers: &[u32],
    (width, mixed, pure): (usize, bool, bool),
    signs: bool,
) {
    let widths = if codes.narrow { 2 } else { 3 };
    let (name, bits, broadcast) = WIDTHS[if mixed { random.below(widths) as usize } else { width }];
    let first = match bits {
        128 => Register::XMM0,
        256 => Register::YMM0,
        _ => Register::ZMM0,
    };
    let third = registers.len() / 3;
    // What is an accumulator only is nothing else.
    let others = if pure { &registers[third..] } else { registers };
    let register = |random: &mut Random| first + random.of(others);
    let memory = |random: &mut Random| match random.below(4) {
        0 => MemoryOperand::with_base_displ(Register::RSP, 4 * random.below(40) as i64),
        1 => MemoryOperand::new(
            Register::RSI,
            Register::R8,
            4,
            4 * random.below(40) as i64,
            1,
            false,
            Register::None,
        ),
        _ => MemoryOperand::with_base_displ(Register::RDX, 4 * random.below(64) as i64),
    };
    let _ = broadcast;
    let (x, y, z) = (register(random), register(random), register(random));
    let vex = bits < 512 && [x, y, z].iter().all(|r| r.number() < 16) && random.one_in(2);
    let made = match random.below(100) {
        0..=61 => {
            let form =
                if signs && random.one_in(4) { random.of(&["msub", "nmadd", "nmsub"]) } else { "madd" };
            let order = if pure { "231" } else { random.of(&["231", "231", "213", "132"]) };
            // A third of the registers are accumulators only.
            let (x, y, z) = if pure {
                let accumulator = first + registers[random.below(third as u32) as usize];
                let factor = |random: &mut Random| {
                    first + registers[third + random.below((registers.len() - third) as u32) as usize]
                };
                (accumulator, factor(random), factor(random))
            } else {
                (x, y, z)
            };
            if !pure && random.one_in(6) {
                let [x, y, z] = [x, y, z].map(|register| Register::XMM0 + register.number() as u32);
                let code = if [x, y, z].iter().all(|r| r.number() < 16) {
                    codes.get(&format!("VEX_Vf{form}{order}ss_xmm_xmm_xmmm32"))
                } else {
                    codes.get(&format!("EVEX_Vf{form}{order}ss_xmm_k1z_xmm_xmmm32_er"))
                };
                let made = match random.below(3) {
                    0 => Instruction::with3(code, x, y, memory(random)),
                    _ => Instruction::with3(code, x, y, z),
                };
                return asm.add_instruction(made.unwrap()).unwrap();
            }
            let vex = bits < 512 && [x, y, z].iter().all(|r| r.number() < 16) && random.one_in(2);
            let code = if vex {
                codes.get(&format!("VEX_Vf{form}{order}ps_{name}_{name}_{name}m{bits}"))
            } else {
                let er = if bits == 512 { "_er" } else { "" };
                codes.get(&format!("EVEX_Vf{form}{order}ps_{name}_k1z_{name}_{name}m{bits}b32{er}"))
            };
            match random.below(10) {
                0..=5 => Instruction::with3(code, x, y, z),
                6..=7 => Instruction::with3(code, x, y, memory(random)),
                _ => {
                    let made = Instruction::with3(code, x, y, memory(random));
                    made.map(|mut made| {
                        made.set_is_broadcast(!vex && !codes.narrow);
                        made
                    })
                }
            }
        }
        62..=69 => {
            let code = if vex {
                codes.get(&format!("VEX_Vmovups_{name}_{name}m{bits}"))
            } else {
                codes.get(&format!("EVEX_Vmovups_{name}_k1z_{name}m{bits}"))
            };
            Instruction::with2(code, x, memory(random))
        }
        70..=71 => return broadcasts(random, codes, asm, others, (name, bits)),
        72..=77 => {
            let (code, memory) =
                (random.of(&["broadcastss", "broadcastsd", "movsldup", "movshdup"]), memory(random));
            let code = match code {
                "broadcastss" => format!("EVEX_Vbroadcastss_{name}_k1z_xmmm32"),
                "broadcastsd" if bits > 128 => format!("EVEX_Vbroadcastsd_{name}_k1z_xmmm64"),
                "broadcastsd" => "EVEX_Vmovddup_xmm_k1z_xmmm64".to_owned(),
                other => format!("EVEX_V{other}_{name}_k1z_{name}m{bits}"),
            };
            Instruction::with2(codes.get(&code), x, memory)
        }
        78..=81 => {
            let er = if bits == 512 { "_er" } else { "" };
            let code = codes.get(&format!("EVEX_Vaddps_{name}_k1z_{name}_{name}m{bits}b32{er}"));
            if random.one_in(4) { Instruction::with3(code, x, y, z) } else { return asm.nop().unwrap() }
        }
        82..=85 => {
            let made = Instruction::with2(codes.get(&format!("EVEX_Vmovaps_{name}_k1z_{name}m{bits}")), x, y);
            made.map(|mut made| {
                if random.one_in(3) && !codes.narrow {
                    made.set_op_mask(Register::K2);
                    made.set_zeroing_masking(random.one_in(2));
                }
                made
            })
        }
        86..=88 => {
            Instruction::with3(codes.get(&format!("EVEX_Vpxord_{name}_k1z_{name}_{name}m{bits}b32")), x, y, y)
        }
        89..=91 => Instruction::with2(
            codes.get(&format!("EVEX_Vmovups_{name}m{bits}_k1z_{name}")),
            // Half of them where the function loads as well.
            match random.one_in(2) {
                true => MemoryOperand::with_base_displ(Register::RSI, 1024 + 64 * random.below(8) as i64),
                false => MemoryOperand::with_base_displ(Register::RDX, 4 * random.below(64) as i64),
            },
            x,
        ),
        92..=93 => {
            asm.add(rdx, 4i32).unwrap();
            return;
        }
        94 => {
            asm.lea(rbx, qword_ptr(rbx + rcx * 2 + 1)).unwrap();
            return;
        }
        95 => {
            asm.lea(rbp, qword_ptr(rsp + 24)).unwrap();
            asm.mov(rbp, qword_ptr(rbp)).unwrap();
            return;
        }
        96 => Instruction::with4(
            codes.get(&format!("EVEX_Vshufps_{name}_k1z_{name}_{name}m{bits}b32_imm8")),
            x,
            y,
            z,
            0x1b,
        ),
        97 if x.number() < 16 && y.number() < 16 => Instruction::with2(
            Code::Movaps_xmm_xmmm128,
            Register::XMM0 + x.number() as u32,
            Register::XMM0 + y.number() as u32,
        ),
        _ => return asm.nop().unwrap(),
    };
    asm.add_instruction(made.unwrap()).unwrap();
}

/// Broadcasts of numbers that lie close to each other, each with multiply-adds, and changes of the address between them.
fn broadcasts(
    random: &mut Random,
    codes: &Codes,
    asm: &mut CodeAssembler,
    registers: &[u32],
    (name, bits): (&str, u32),
) {
    let first = match bits {
        128 => Register::XMM0,
        256 => Register::YMM0,
        _ => Register::ZMM0,
    };
    let (base, index) = random.of(&[(Register::RDX, Register::None), (Register::RSI, Register::R8)]);
    let start = 4 * random.below(64) as i64;
    let dense = random.one_in(2);
    let factor = first + random.of(registers);
    let er = if bits == 512 { "_er" } else { "" };
    let add = codes.get(&format!("EVEX_Vfmadd231ps_{name}_k1z_{name}_{name}m{bits}b32{er}"));
    // In a loop, the last of them is a factor at the start of the next iteration.
    let (sum, other) = (first + random.of(registers), first + random.of(registers));
    if sum != factor {
        asm.add_instruction(Instruction::with3(add, sum, other, factor).unwrap()).unwrap();
    }
    for step in 0..random.below(12) {
        let at = start + 4 * if dense { step } else { random.below(24) } as i64;
        let from = MemoryOperand::new(base, index, 4, at, 8, false, Register::None);
        let (sum, other) = (first + random.of(registers), first + random.of(registers));
        if random.one_in(4) {
            let mut made = Instruction::with3(add, sum, other, from).unwrap();
            made.set_is_broadcast(!codes.narrow);
            asm.add_instruction(made).unwrap();
        } else {
            let code = match random.one_in(3) && bits > 128 {
                true => format!("EVEX_Vbroadcastsd_{name}_k1z_xmmm64"),
                false => format!("EVEX_Vbroadcastss_{name}_k1z_xmmm32"),
            };
            asm.add_instruction(Instruction::with2(codes.get(&code), factor, from).unwrap()).unwrap();
            for _ in 0..1 + random.below(2) {
                let sum = first + random.of(registers);
                // The broadcast numbers are an addend as well, sometimes.
                let sum = match random.below(8) {
                    0 => factor,
                    _ if sum == factor => other,
                    _ => sum,
                };
                asm.add_instruction(Instruction::with3(add, sum, other, factor).unwrap()).unwrap();
            }
        }
        if random.one_in(8) {
            let to = MemoryOperand::with_base_displ(Register::RSI, 1024 + 64 * random.below(8) as i64);
            let store = codes.get(&format!("EVEX_Vmovups_{name}m{bits}_k1z_{name}"));
            asm.add_instruction(Instruction::with2(store, to, factor).unwrap()).unwrap();
        }
        match random.below(24) {
            0 => asm.add(rdx, random.of(&[4i32, 8, 64])).unwrap(),
            1 => asm.sub(rdx, random.of(&[4i32, 8])).unwrap(),
            2 => asm.sub(r8, 1i32).unwrap(),
            3 => asm.add(r8, 1i32).unwrap(),
            4 => asm.lea(rdx, qword_ptr(rsi + 4 * random.below(9))).unwrap(),
            5 => asm.mov(dword_ptr(rsi + 4 * random.below(96)), ecx).unwrap(),
            _ => {}
        }
    }
}

/// The state behind a function.
#[derive(Clone)]
struct Outcome {
    state: State,
    buffer: Vec<u32>,
}

/// Always with the same buffer, so that addresses are the same in every run.
fn execute(
    level: Level,
    at: u64,
    buffer: &mut [u32],
    random: &mut Random,
    (special, mxcsr): (u32, u32),
) -> Outcome {
    buffer.fill_with(|| number(random, special));
    let mut state = State::zero();
    for lane in state.vectors.iter_mut().flatten() {
        *lane = number(random, special);
    }
    if !level.wide() {
        state.vectors[16..].fill([0; 16]);
        state.vectors.iter_mut().for_each(|vector| vector[8..].fill(0));
    }
    state.masks = std::array::from_fn(|_| (random.next() as u64) << 32 | random.next() as u64);
    state.general = std::array::from_fn(|_| random.next() as u64);
    // Far enough from both ends for whatever the function adds to its pointers.
    let buffer_at = buffer.as_mut_ptr() as u64 + 4 * AHEAD as u64;
    state.general[6] = buffer_at;
    state.general[7] = buffer_at + 1024;
    state.general[8] = random.below(16) as u64;
    state.flags = 2 | (random.next() & 0xc5) as u64;
    state.mxcsr = mxcsr;
    function::run(at, &mut state);
    let buffer = std::hint::black_box(buffer).to_vec();
    state.mxcsr &= !0x3f;
    if !level.wide() {
        // Handlers of this machine may use what a machine without AVX-512 has not.
        state.vectors[16..].fill([0; 16]);
        state.vectors.iter_mut().for_each(|vector| vector[8..].fill(0));
    }
    (state.mxcsr_host, state.function) = (0, 0);
    Outcome { state, buffer }
}

fn difference(expected: &Outcome, got: &Outcome) -> Option<String> {
    for (n, (e, g)) in expected.state.vectors.iter().zip(&got.state.vectors).enumerate() {
        if e != g {
            return Some(format!("zmm{n}:\n{e:08x?}\n{g:08x?}"));
        }
    }
    if let Some(i) = (0..expected.buffer.len()).find(|&i| expected.buffer[i] != got.buffer[i]) {
        return Some(format!("memory word {i}: {:08x} {:08x}", expected.buffer[i], got.buffer[i]));
    }
    if expected.state.flags != got.state.flags {
        return Some(format!("flags {:x} {:x}", expected.state.flags, got.state.flags));
    }
    if expected.state.masks != got.state.masks {
        return Some(format!("masks {:x?} {:x?}", expected.state.masks, got.state.masks));
    }
    if expected.state.general != got.state.general {
        return Some(format!("registers {:x?} {:x?}", expected.state.general, got.state.general));
    }
    (expected.state.mxcsr != got.state.mxcsr).then(|| "MXCSR".to_owned())
}

const CODE: usize = 1 << 20;
/// Words of the buffer ahead of where the function's pointers start.
const AHEAD: usize = 1024;
const DEFAULT: u32 = 0x1f80;
const INEXACT: u32 = 0x20;

/// Makes a function for an address, with or without other signs than those of an addition of products.
type Generator = fn(&mut Random, &Codes, u64, bool) -> Vec<u8>;

/// The operator and the rounding that a name means, and their definition.
fn definition(name: &str) -> (Operator, Option<ProgramRounding>, Arithmetic) {
    let rounding = match name {
        "up" => Some(ProgramRounding::Up),
        "down" => Some(ProgramRounding::Down),
        "random" => Some(ProgramRounding::Random),
        _ => None,
    };
    let operator: Operator = if rounding.is_some() { "f32:f32" } else { name }.parse().unwrap();
    let arithmetic = match rounding {
        Some(rounding) => Arithmetic::Rounded(Box::new(RoundedMultiplyAdd::new(rounding))),
        None => Arithmetic::Of(operator.clone()),
    };
    (operator, rounding, arithmetic)
}

/// Tests functions made from a seed; returns regions and refusals, calls of the gate without and with regions.
fn compare(name: &str, level: Level, seeds: std::ops::Range<u64>, generate: Generator) -> [usize; 4] {
    let (operator, rounding, arithmetic) = definition(name);
    let codes = Codes::new(level);
    let memory = Memory::new(16 * CODE);
    let mut buffer = vec![0; AHEAD + 3 * 1024];
    let mut tally = [0; 4];
    for seed in seeds {
        // Such as have quick copies under FMA_1_1, which round in another way where ports are not shared.
        let units = [Units::Shared, Units::ApartAndShort][seed as usize % 2];
        let target = Target { units, rounding, ..Target::new(operator.clone(), level) };
        let mut random = Random(Stream::new(seed));
        let at = memory.address();
        let signs = random.one_in(2) && !operator.to_string().contains("listing");
        let code = generate(&mut random, &codes, at, signs);
        let instructions = function::decode(&code, at);
        memory.write(at, &code);
        let singles = function::gates(&instructions, &arithmetic, at + CODE as u64);
        for (instruction, single, bytes) in &singles {
            memory.write(*single, bytes);
            memory.write(instruction.ip(), &function::patch(instruction, *single));
        }
        let by_address: HashMap<u64, (Instruction, u64)> =
            singles.iter().map(|(i, single, _)| (i.ip(), (*i, *single))).collect();
        let inputs: Vec<(u64, u32, u32)> = [
            (0, DEFAULT),
            (1, DEFAULT),
            (2, DEFAULT),
            (3, DEFAULT),
            (4, DEFAULT),
            (5, DEFAULT),
            (6, DEFAULT),
            // After a result that was not exact: loops have a quick copy then.
            (0, DEFAULT | INEXACT),
            (1, DEFAULT | INEXACT),
            (2, DEFAULT | INEXACT),
            (3, DEFAULT | INEXACT),
            (4, DEFAULT | INEXACT),
            (5, DEFAULT | INEXACT),
            (6, DEFAULT | INEXACT),
            (7, DEFAULT | INEXACT),
            (8, DEFAULT | INEXACT),
            (9, DEFAULT | INEXACT),
            (10, DEFAULT | 0x3f),
            (11, DEFAULT | INEXACT),
            // FTZ and DAZ; toward zero; invalid and denormal unmasked.
            (2, 0x9fc0),
            (1, 0x7f80),
        ]
        .into_iter()
        .map(|(special, mxcsr)| (random.next() as u64 | 1, special, mxcsr))
        .collect();
        let calls = || function::CALLS.swap(0, Ordering::Relaxed);
        calls();
        let expected: Vec<Outcome> = inputs
            .iter()
            .map(|&(seed, special, mxcsr)| {
                execute(level, at, &mut buffer, &mut Random(Stream::new(seed)), (special, mxcsr))
            })
            .collect();
        tally[2] += calls();
        let request = Request {
            target: &target,
            selected: &|fma| fma.fused(),
            foreign: &|_| false,
            single: &|address| by_address[&address].1,
            resume: &|address| address,
            word: &function::word,
            keeps_clean: false,
            check: None,
        };
        let regions = translate_all(&instructions, &request, at + 8 * CODE as u64);
        for region in regions.iter().flatten() {
            memory.write(region.at, &region.code);
            assert!(region.map.addresses.is_sorted_by_key(|a| a.offset));
            assert_eq!(region.map.original(region.at - 1), None);
            assert_eq!(region.map.original(region.at + region.code.len() as u64), None);
            for entry in &region.entries {
                let found = region.map.original(region.at + entry.offset as u64);
                assert_eq!(found.map(|a| a.original), Some(entry.original));
                let (instruction, _) = &by_address[&entry.original];
                let patch = function::patch(instruction, region.at + entry.offset as u64);
                memory.write(entry.original, &patch);
            }
        }
        tally[0] += regions.iter().filter(|r| r.is_ok()).count();
        tally[1] += regions.iter().filter(|r| r.is_err()).count();
        for (&(input, special, mxcsr), expected) in inputs.iter().zip(&expected) {
            let got = execute(level, at, &mut buffer, &mut Random(Stream::new(input)), (special, mxcsr));
            if let Some(difference) = difference(expected, &got) {
                if std::env::var("SHOW").is_ok() {
                    for i in &instructions {
                        eprintln!("{:x} {i}", i.ip());
                    }
                    let regions: Vec<&Region> = regions.iter().flatten().collect();
                    for region in regions {
                        for i in function::decode(&region.code[128..], region.at + 128) {
                            let original = region.map.original(i.ip());
                            eprintln!("  {:x} {i} {:x?}", i.ip(), original.map(|a| a.original));
                        }
                    }
                }
                panic!("{name}, {level:?}, seed {seed}, input {special}, MXCSR {mxcsr:x}: {difference}");
            }
        }
        tally[3] += calls();
    }
    tally
}

/// The tests share the gate's table.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn functions() -> u64 {
    std::env::var("REGIONS_FUNCTIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(40)
}

fn check(operator: &str) {
    check_where(operator, |_| true);
}

fn check_where(operator: &str, supported: fn(Level) -> bool) {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for (number, level) in (0..).zip(function::levels()).filter(|&(_, level)| supported(level)) {
        let half = functions() / 2;
        let mut seeds = if number == 0 { 0..2 * half } else { (number + 1) * half..(number + 2) * half };
        // To look into one of them.
        if let Some(seed) = std::env::var("REGIONS_SEED").ok().and_then(|n| n.parse().ok()) {
            seeds = seed..seed + 1;
        }
        let [regions, refused, without, with] = compare(operator, level, seeds, function);
        eprintln!(
            "{operator}, {level:?}: {regions} regions, {refused} refused, gate called {without} times without, {with} with"
        );
        assert!(regions > 0 && with < without, "regions are in use");
    }
}

#[test]
fn fma_1_1() {
    check("bf16:bf16");
}
#[test]
fn fma_1_2() {
    check("bf16:bf16x2");
}
#[test]
fn fma_1_3() {
    check("bf16:bf16x3");
}
#[test]
fn fma_2_2_3() {
    check("bf16x2:bf16x2/3");
}
#[test]
fn fma_2_2_4() {
    check("bf16x2:bf16x2/4");
}
#[test]
fn fma_3_3_6() {
    check("bf16x3:bf16x3/6");
}
#[test]
fn fma_3_3_9() {
    check("bf16x3:bf16x3/9");
}
#[test]
fn rounding_up() {
    check("up");
}
#[test]
fn rounding_down() {
    check_where("down", Level::wide);
}
#[test]
fn rounding_at_random() {
    check_where("random", Level::wide);
}
#[test]
fn listing() {
    for operator in
        ["bf16:bf16+listing", "bf16:bf16x2+listing", "bf16x2:bf16x2/3+listing", "bf16x3:bf16x3/9+listing"]
    {
        check(operator);
    }
}

/// Where every register is in use, sums give way to temporaries. Without VNNI a constant needs a register of its own.
#[test]
fn code_without_a_free_register_is_translated() {
    let Some(level) = function::levels().into_iter().find(|&level| level == Level::Avx512 { vnni: true })
    else {
        return;
    };
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for operator in [
        "bf16:bf16",
        "bf16:bf16x3",
        "bf16x2:bf16x2/3",
        "bf16x3:bf16x3/9",
        "bf16x2:bf16x2/4+listing",
        "up",
        "down",
        "random",
    ] {
        let [regions, refused, without, with] =
            compare(operator, level, 0..8, |random, codes, at, _| kernel(random, codes, at));
        assert_eq!((regions, refused), (8, 0), "{operator}");
        assert!(without > 10 * with, "{operator}: regions are in use: {with} of {without} calls of the gate");
    }
}

/// Long stretches between stores are regions of their own where these have quick copies, or the loop finds no registers; else the loop
/// is one.
#[test]
fn loops_with_stores_are_translated_by_stretches() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for level in function::levels() {
        // On AVX2 the whole loop of the last one would need more registers than there are.
        let whole = if level.wide() { 4 } else { 8 };
        // Calls of the gate take most of the time: each operator has functions of its own.
        for (operator, seeds, regions) in
            [("bf16:bf16", 0..4, 8), ("bf16x2:bf16x2/3", 4..8, 8), ("bf16:bf16x2", 2..6, whole)]
        {
            let [made, refused, without, with] =
                compare(operator, level, seeds, |random, codes, at, _| gradient(random, codes, at));
            assert_eq!((made, refused), (regions, 0), "{operator}, {level:?}");
            assert!(without > 10 * with, "{operator}: {with} of {without} calls of the gate");
        }
    }
}

/// All fused multiply-adds, each going on where it stands.
fn plain_request(target: &Target) -> Request<'_> {
    Request {
        target,
        selected: &|fma| fma.fused(),
        foreign: &|_| false,
        single: &|address| address,
        resume: &|address| address,
        word: &|_| 0,
        keeps_clean: false,
        check: None,
    }
}

/// A region holds multiply-adds of one operator: loops of another one are its own, and a loop of both is refused once.
#[test]
fn loops_of_several_operators_are_divided_by_operator() {
    let mut asm = CodeAssembler::new(64).unwrap();
    for sums in [&[ymm0][..], &[ymm1], &[ymm2, ymm3]] {
        let mut head = asm.create_label();
        asm.set_label(&mut head).unwrap();
        for &sum in sums {
            asm.vfmadd231ps(sum, ymm14, ymmword_ptr(rsi)).unwrap();
        }
        asm.dec(ecx).unwrap();
        asm.jne(head).unwrap();
    }
    asm.ret().unwrap();
    let code = asm.assemble(0x1_0000).unwrap();
    let instructions = function::decode(&code, 0x1_0000);
    let target = Target::new("bf16:bf16".parse().unwrap(), Level::Avx2);
    // By destination: one operator computes the first loop and half of the third, the other all else.
    let regions = |own: [u32; 2]| {
        let foreign = |fma: &Fma| !own.contains(&(fma.destination() as u32 - Register::YMM0 as u32));
        let request = Request { foreign: &foreign, ..plain_request(&target) };
        let all = translate_all(&instructions, &request, 0x2_0000);
        let entry = |region: Region| region.entries.iter().map(|entry| entry.original).collect::<Vec<_>>();
        all.into_iter().map(|region| region.map(entry)).collect::<Vec<_>>()
    };
    let sites: Vec<u64> = instructions.iter().filter(|i| i.op_count() == 3).map(Instruction::ip).collect();
    assert_eq!(sites.len(), 4);
    assert_eq!(regions([0, 2]), [Ok(vec![sites[0]]), Err(Refusal::Operators)]);
    assert_eq!(regions([1, 3]), [Ok(vec![sites[1]])]);
}

/// On AVX2 a quick copy leaves sums in their registers that live in the frame in the usual copy: a handler of a signal is shown them
/// where they are.
#[test]
fn sums_of_a_quick_copy_are_recovered_from_its_own_places() {
    let mut asm = CodeAssembler::new(64).unwrap();
    let mut head = asm.create_label();
    asm.set_label(&mut head).unwrap();
    asm.vmovups(ymm11, ymmword_ptr(rsi)).unwrap();
    asm.vbroadcastss(ymm12, dword_ptr(rdi)).unwrap();
    asm.vbroadcastss(ymm13, dword_ptr(rdi + 8)).unwrap();
    for sum in [ymm0, ymm1, ymm2, ymm3, ymm4, ymm5, ymm6, ymm7, ymm8, ymm9, ymm10] {
        asm.vfmadd231ps(sum, ymm11, if sum == ymm0 { ymm13 } else { ymm12 }).unwrap();
    }
    asm.dec(ecx).unwrap();
    asm.jne(head).unwrap();
    asm.ret().unwrap();
    let code = asm.assemble(0x1_0000).unwrap();
    let instructions = function::decode(&code, 0x1_0000);
    let target = Target { units: Units::Apart, ..Target::new("bf16:bf16".parse().unwrap(), Level::Avx2) };
    let request = plain_request(&target);
    let regions = translate_all(&instructions, &request, 0x2_0000);
    let [Ok(region)] = &regions[..] else { panic!("one region") };
    let mut hosted = Vec::new();
    for address in region.map.addresses.iter().filter(|a| a.stage == Stage::Running) {
        let recovery = region.map.recover(region.at + u64::from(address.offset), 0, 0).unwrap();
        let sums: Vec<u8> = recovery.vectors.iter().map(|&(r, _)| r).filter(|&r| r <= 10).collect();
        if hosted.last() != Some(&sums) {
            hosted.push(sums);
        }
    }
    // Two of 16 registers are free: the usual copy needs eight, the quick one three.
    assert_eq!(hosted, [vec![5, 6, 7, 8, 9, 10], vec![10]]);
}

/// MXCSR's exception flags after a region are those of the native multiply-adds, as far as [`binade_patch::region`] says.
#[test]
fn exception_flags_are_those_of_native_multiply_adds() {
    const INVALID: u32 = 1;
    const OVERFLOW: u32 = 1 << 3;
    const UNDERFLOW: u32 = 1 << 4;
    const INEXACT: u32 = 1 << 5;
    const ALL: u32 = 0x3f;
    // a, b, c, MXCSR, and what a multiply-add raises.
    let cases: [(f32, f32, f32, u32, u32); 11] = [
        (1.0, 1.0, 1.0, DEFAULT, 0),
        (1.0, 1.0, 1.0, DEFAULT | UNDERFLOW, UNDERFLOW),
        (1.5, 2f32.powi(-30), 1.0, DEFAULT, INEXACT),
        (2f32.powi(127), 2.0, 0.0, DEFAULT, OVERFLOW | INEXACT),
        (2f32.powi(127), 2.0, 0.0, DEFAULT | INVALID, OVERFLOW | INEXACT | INVALID),
        (2f32.powi(-100), 2f32.powi(-60), 0.0, DEFAULT, UNDERFLOW | INEXACT),
        (f32::INFINITY, 0.0, 1.0, DEFAULT, INVALID),
        // Quick copies, which do it and which fail.
        (1.5, 2f32.powi(-30), 1.0, DEFAULT | INEXACT, INEXACT),
        (2f32.powi(127), 2.0, 0.0, DEFAULT | INEXACT, OVERFLOW | INEXACT),
        (f32::INFINITY, 0.0, 1.0, DEFAULT | INEXACT | UNDERFLOW, INVALID | INEXACT | UNDERFLOW),
        // Flushing and toward zero, without any exception trapping.
        (1.5, 2f32.powi(-30), 1.0, 0xffc0, INEXACT),
    ];
    let memory = Memory::new(CODE);
    let at = memory.address();
    let mut asm = CodeAssembler::new(64).unwrap();
    let mut head = asm.create_label();
    asm.mov(ecx, 3i32).unwrap();
    asm.set_label(&mut head).unwrap();
    for sum in [ymm0, ymm1, ymm2, ymm3] {
        asm.vfmadd231ps(sum, ymm8, ymm9).unwrap();
    }
    asm.dec(ecx).unwrap();
    asm.jne(head).unwrap();
    asm.ret().unwrap();
    let code = asm.assemble(at).unwrap();
    let instructions = function::decode(&code, at);
    let operators = [
        ("bf16:bf16", ALL),
        ("bf16:bf16x2", OVERFLOW | UNDERFLOW | INEXACT),
        ("bf16x2:bf16x2/3", OVERFLOW | INEXACT),
        ("bf16x3:bf16x3/9", OVERFLOW | INEXACT),
        ("f32:f32", ALL),
    ];
    let levels = function::levels();
    for ((operator, counted), &level) in
        operators.into_iter().flat_map(|o| levels.iter().map(move |l| (o, l)))
    {
        let flags = |(a, b, c, mxcsr, _): (f32, f32, f32, u32, u32)| {
            let mut state = State::zero();
            for (number, value) in [(0, c), (1, c), (2, c), (3, c), (8, a), (9, b)] {
                state.vectors[number][..8].fill(value.to_bits());
                if level.wide() {
                    state.vectors[number] = [value.to_bits(); 16];
                }
            }
            state.mxcsr = mxcsr;
            function::run(at, &mut state);
            state.mxcsr
        };
        memory.write(at, &code);
        for case in cases {
            assert_eq!(flags(case), case.3 | case.4, "natively, {case:?}");
        }
        let target = Target { units: Units::Shared, ..Target::new(operator.parse().unwrap(), level) };
        let request = plain_request(&target);
        let regions = translate_all(&instructions, &request, at + 4096);
        let [Ok(region)] = &regions[..] else { panic!("{operator}: one region") };
        memory.write(region.at, &region.code);
        for entry in &region.entries {
            let instruction = instructions.iter().find(|i| i.ip() == entry.original).unwrap();
            let patch = function::patch(instruction, region.at + entry.offset as u64);
            memory.write(entry.original, &patch);
        }
        for case in cases {
            let raised = case.4 & counted;
            assert_eq!(flags(case), case.3 | raised, "{operator}, {case:?}");
        }
    }
}

/// The checker of the tests, the events of the code that they check, and what came of them.
struct Checking {
    checker: *mut Checker,
    events: Vec<Event>,
    same: usize,
    differences: Vec<Difference>,
}

// SAFETY: the checker is reached through the mutex below only.
unsafe impl Send for Checking {}

static CHECKING: Mutex<Option<Checking>> = Mutex::new(None);

const CHECKER: Layout = Layout::new::<Checker>();

impl Checking {
    fn begin() {
        // SAFETY: the size is not zero; zeros are what `init` asks for.
        let checker = unsafe { alloc_zeroed(CHECKER) }.cast::<Checker>();
        // SAFETY: the allocation has a checker's size and alignment, and its bytes are zero.
        unsafe { Checker::init(checker) };
        let checking = Checking { checker, events: vec![], same: 0, differences: vec![] };
        *CHECKING.lock().unwrap_or_else(PoisonError::into_inner) = Some(checking);
    }

    fn with<R>(body: impl FnOnce(&mut Checking) -> R) -> R {
        body(CHECKING.lock().unwrap().as_mut().expect("it has begun"))
    }
}

impl Drop for Checking {
    fn drop(&mut self) {
        // SAFETY: `begin` allocated it.
        unsafe { dealloc(self.checker.cast(), CHECKER) };
    }
}

unsafe extern "C" fn follow(snapshot: *mut Snapshot, _context: *const c_void) {
    // SAFETY: the gate's snapshot; behind its call is a number of an event.
    let (now, number) = unsafe { (&mut *snapshot, *((*snapshot).target as *const [u8; WORD as usize])) };
    now.target += WORD;
    Checking::with(|checking| {
        let event = checking.events[u64::from_le_bytes(number) as usize];
        // SAFETY: the code is that of one region, and runs in one thread.
        match unsafe { (*checking.checker).step(now, &event) } {
            Checked::Going => {}
            Checked::Same => checking.same += 1,
            Checked::TooMany => panic!("these functions store less"),
            Checked::Differs(difference) => checking.differences.push(difference),
        }
    });
}

/// A change of a checked region's code.
type Harm = fn(&mut Region, &[Instruction]);

/// Runs functions whose regions are checked, perhaps made wrong, and compares all that they leave with the definition;
/// returns the executions that were right, and the differences, of each with the instructions of its function.
fn checked(
    operator: &str,
    level: Level,
    count: u64,
    harm: Harm,
) -> (usize, Vec<(Difference, Vec<Instruction>)>) {
    let operator: Operator = operator.parse().unwrap();
    let target = Target { units: Units::Shared, ..Target::new(operator.clone(), level) };
    let codes = Codes::new(level);
    let memory = Memory::new(16 * CODE);
    let at = memory.address();
    let (constants, gate_at) = (at + 4 * CODE as u64, at + 5 * CODE as u64);
    memory.write(constants, &pool());
    let handler: snapshot::Handler = follow;
    memory.write(gate_at, &snapshot::gate(target.level, gate_at, handler as usize as u64, 0).unwrap());
    Checking::begin();
    let mut buffer = vec![0; AHEAD + 3 * 1024];
    let mut found = Vec::new();
    for seed in 0..count {
        let mut random = Random(Stream::new(1 << 32 | seed));
        let code = function(&mut random, &codes, at, false);
        let instructions = function::decode(&code, at);
        memory.write(at, &code);
        let singles = function::gates(&instructions, &Arithmetic::Of(operator.clone()), at + CODE as u64);
        let by_address: HashMap<u64, (Instruction, u64)> =
            singles.iter().map(|(i, single, _)| (i.ip(), (*i, *single))).collect();
        for (instruction, single, bytes) in &singles {
            memory.write(*single, bytes);
            memory.write(instruction.ip(), &function::patch(instruction, *single));
        }
        // The reference runs the program's own instructions too, which trap where the program's MXCSR says so.
        let inputs: Vec<(u64, u32, u32)> =
            [(0, DEFAULT), (1, DEFAULT), (2, DEFAULT), (3, DEFAULT), (4, DEFAULT), (6, DEFAULT), (2, 0x9fc0)]
                .into_iter()
                .map(|(special, mxcsr)| (random.next() as u64 | 1, special, mxcsr))
                .collect();
        let run = |buffer: &mut [u32]| -> Vec<Outcome> {
            let each = |&(seed, special, mxcsr): &(u64, u32, u32)| {
                execute(level, at, buffer, &mut Random(Stream::new(seed)), (special, mxcsr))
            };
            inputs.iter().map(each).collect()
        };
        let expected = run(&mut buffer);
        let word = |event| {
            Checking::with(|checking| {
                checking.events.push(event);
                checking.events.len() as u64 - 1
            })
        };
        let request = Request {
            target: &target,
            selected: &|fma| fma.fused(),
            foreign: &|_| false,
            single: &|address| by_address[&address].1,
            resume: &|address| address,
            word: &|_| 0,
            keeps_clean: false,
            check: Some(Check { gate: gate_at, constants, trampoline_gate: 0, word: &word }),
        };
        for region in translate_all(&instructions, &request, at + 8 * CODE as u64) {
            let mut region = match region {
                Ok(region) => region,
                Err(refusal) => {
                    assert_ne!(refusal, Refusal::Encoding);
                    continue;
                }
            };
            assert!(region.map.addresses.is_sorted_by_key(|a| a.offset));
            harm(&mut region, &instructions);
            memory.write(region.at, &region.code);
            for entry in &region.entries {
                let (instruction, _) = &by_address[&entry.original];
                memory.write(
                    entry.original,
                    &function::patch(instruction, region.at + u64::from(entry.offset)),
                );
            }
        }
        for (expected, got) in expected.iter().zip(run(&mut buffer)) {
            if let Some(difference) = difference(expected, &got) {
                panic!("{operator}, seed {seed}: {difference}");
            }
        }
        let differences = Checking::with(|checking| std::mem::take(&mut checking.differences));
        found.extend(differences.into_iter().map(|difference| (difference, instructions.clone())));
    }
    (Checking::with(|checking| checking.same), found)
}

/// Regions that are right are found to be; the program goes on as without them.
#[test]
fn checked_regions_are_right() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for operator in ["bf16:bf16", "bf16:bf16x3", "bf16x2:bf16x2/3", "bf16x3:bf16x3/9"] {
        for level in function::levels() {
            let (same, differences) = checked(operator, level, functions() / 4, |_, _| {});
            for (difference, _) in &differences {
                eprintln!("{operator}, {level:?}: {difference}");
            }
            assert!(differences.is_empty() && same > 50, "{operator}, {level:?}: {same} runs are right");
        }
    }
}

/// A wrong rounding is found, with the multiply-add behind it; and what the program computes is right all the same.
#[test]
fn wrong_regions_are_found() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(&level) = function::levels().first() else { return };
    let harm: Harm = match level {
        Level::Avx512 { .. } => |region, _| region::sabotage(&mut region.code, true),
        Level::Avx2 => |region, _| region::sabotage(&mut region.code, false),
    };
    for operator in ["bf16:bf16", "bf16x2:bf16x2/3"] {
        let (_, differences) = checked(operator, level, 10, harm);
        let (mut values, mut made) = (0, 0);
        for (difference, instructions) in &differences {
            let is_value = matches!(difference.what, What::Vector { .. } | What::Memory { .. });
            values += usize::from(is_value);
            if let Some(maker) = difference.maker {
                let by = instructions.iter().find(|i| i.ip() == difference.address());
                assert_eq!(by, Some(&maker.instruction));
                assert!(difference.to_string().contains("last made by `vfm"), "{difference}");
                made += 1;
            }
        }
        assert!(
            values > 20 && 2 * made > values,
            "{operator}: {values} differences, {made} with their multiply-adds"
        );
    }
}

/// A region whose stores go astray is stopped ahead of them.
#[test]
fn stray_stores_are_found() {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    // Where the program adds 4 to rdx, the region adds 68.
    let harm = |region: &mut Region, instructions: &[Instruction]| {
        for address in region.map.addresses.iter().filter(|a| a.stage == Stage::Running) {
            let Some(original) = instructions.iter().find(|i| i.ip() == address.original) else { continue };
            let bytes = &mut region.code[address.offset as usize..][..4];
            if original.code() == Code::Add_rm64_imm8 && bytes == [0x48, 0x83, 0xc2, 4] {
                bytes[3] = 68;
            }
        }
    };
    let Some(&level) = function::levels().first() else { return };
    let (_, differences) = checked("bf16:bf16", level, 20, harm);
    let count = |is: fn(&What) -> bool| differences.iter().filter(|(d, _)| is(&d.what)).count();
    let stray = count(|what| matches!(what, What::Stray { .. }));
    let register = count(|what| matches!(what, What::Other { name: "rdx", .. }));
    assert!(stray > 0 && register > 0, "{stray} stray stores and {register} wrong registers");
}
