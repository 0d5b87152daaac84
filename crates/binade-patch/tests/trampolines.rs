//! Every form of multiply-add × every operator, executed: the result is the scalar meaning, and all else is as the native
//! instruction leaves it.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod machine;

use binade::Operator;
use binade::philox::Stream;
use binade_patch::fma::{Element, Fma, Form, Operand};
use binade_patch::trampoline::{Level, ProgramRounding, RoundedMultiplyAdd, Target};
use binade_simd::Isa;
use iced_x86::{Code, Instruction, MemoryOperand, OpCodeOperandKind, Register, RoundingControl};
use machine::{DATA_BYTES, Machine, STACK_WINDOW, State, WORD};

/// The paper's operators, their variants, and pairs of formats.
const OPERATORS: [&str; 55] = [
    "bf16:bf16",
    "bf16:bf16x2",
    "bf16:bf16x3",
    "bf16x2:bf16x2/3",
    "bf16x2:bf16x2/4",
    "bf16x3:bf16x3/6",
    "bf16x3:bf16x3/9",
    "bf16:f32",
    "bf16:bf16+listing",
    "bf16x2:bf16x2/3+listing",
    "bf16:bf16+flush",
    "bf16:bf16x3+flush",
    "bf16x2:bf16x2/4+listing+flush",
    "bf16x3:bf16x3/9+flush",
    "bf16:bf16+exact",
    "float8_e4m3fn:f32",
    "float8_e5m2:bf16",
    "f16:f16",
    "cfloat8_1_4_3@bias=10,subnormals=ieee:bf16",
    "f32:bf16",
    "float8_e4m3fnuz:f16",
    "float8_e5m2:float8_e5m2",
    // Formats without NaN, Tesla's subnormals, parts rounded exactly.
    "cfloat8_1_4_3@bias=10:bf16",
    "bf16x2:bf16x2/3+exact",
    "bf16:cfloat8_1_4_3@bias=10,subnormals=ieee",
    "cfloat8_1_4_3@bias=10,subnormals=ieee:f32",
    "cfloat8_1_4_3@bias=10:shp@bias=31",
    "shp@bias=63:shp@bias=0",
    "f32:cfloat8_1_5_2@bias=20",
    "cfloat8_1_5_2@bias=20:uhp",
    "uhp:f32",
    "binary8p3:binary16p7",
    "binary8p4uf:binary8p3ue",
    "binary8p2se:f16",
    "float8_e5m2fnuz:float8_e4m3b11fnuz",
    "bf16:bf16x2+exact",
    "bf16:bf16x3+exact",
    "bf16x3:bf16x3/9+exact",
    "bf16:bf16+exact+flush",
    "bf16x2:bf16x2/4+exact+flush",
    // Through binary64.
    "f64:f64",
    "bf16:f64",
    "f32:custom@width=40,precision=30,bias=511,infinities=yes,nan=ieee,negative_zero=yes",
    // Powers of two.
    "e8m0:f32",
    "f32:e8m0",
    "e8m0:e8m0",
    "binary8p1:binary8p1",
    "binary8p1se:bf16",
    "f32:binary8p1uf",
    "bf16:binary8p1ue",
    "float8_e4m3fn:binary6p1sf",
    // NaN that is negative, into formats without.
    "float8_e4m3fnuz:cfloat8_1_4_3@bias=7",
    "binary8p3se:cfloat8_1_4_3@bias=10",
    "float8_e5m2fnuz:cfloat8_1_5_2@bias=20",
    // Through the gate.
    "binary16p1se:f32",
];

/// Levels that this machine can execute, each said aloud.
fn levels() -> Vec<Level> {
    let Some(best) = Level::detect() else {
        println!("SKIPPED: this machine has no fused multiply-add on AVX2");
        return vec![];
    };
    if best.wide() {
        vec![best, Level::Avx2]
    } else {
        println!("SKIPPED: the AVX-512 level, which this machine lacks");
        vec![best]
    }
}

/// A stream of random words.
struct Random(Stream);

impl Random {
    fn word(&mut self) -> u64 {
        self.0.bits()
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// A binary32 of any kind: edges of the formats, all bits, few bits, and magnitudes that meet.
    fn single(&mut self) -> u32 {
        const EDGES: [u32; 20] = [
            0,
            1,
            0x7fff,
            0x8000,
            0x8001,
            0x0001_8000,
            0x007f_ffff,
            0x0080_0000,
            0x0080_8000,
            0x3f80_0000,
            0x3f80_8000,
            0x3f81_8000,
            0x1f80_0001,
            0x5f80_8001,
            0x7f7f_7fff,
            0x7f7f_8000,
            0x7f7f_ffff,
            0x7f80_0000,
            0x7fff_ffff,
            0x7f80_0001,
        ];
        let (word, kind) = (self.word() as u32, self.below(9));
        match kind {
            0 => EDGES[self.below(EDGES.len())] | word & 1 << 31,
            1 => word,
            2 => word & 0xffff_0000,
            3 => word & 0x87ff_ffff | 0x3800_0000,
            4 => word & 0x80ff_ffff | 0x0080_0000,
            _ => word & 0x81ff_ffff | 0x3f00_0000,
        }
    }

    fn double(&mut self) -> u64 {
        const EDGES: [u64; 8] = [
            0,
            1,
            0x000f_ffff_ffff_ffff,
            1f64.to_bits(),
            f64::MAX.to_bits(),
            f64::INFINITY.to_bits(),
            0x7ff8_0000_0000_0000,
            0x7ff0_0000_0000_0001,
        ];
        let (word, kind) = (self.word(), self.below(6));
        match kind {
            0 => EDGES[self.below(EDGES.len())] | word & 1 << 63,
            1 => word,
            2 => (f32::from_bits(self.single()) as f64).to_bits(),
            _ => word & 0x801f_ffff_ffff_ffff | 0x3fe0_0000_0000_0000,
        }
    }

    fn lanes(&mut self, element: Element) -> [u32; 16] {
        let mut lanes = [0; 16];
        for pair in lanes.chunks_exact_mut(2) {
            match element {
                Element::F32 => pair.fill_with(|| self.single()),
                Element::F64 => {
                    let bits = self.double();
                    pair.copy_from_slice(&[bits as u32, (bits >> 32) as u32]);
                }
            }
        }
        lanes
    }
}

/// The operation of an instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Class {
    Fused,
    Separate,
    Dot,
    Across,
}

/// All codes that are multiply-adds of a kind, from the table, those that a level can execute.
fn codes(level: Level, wanted: Class) -> Vec<Code> {
    if wanted == Class::Dot && !std::is_x86_feature_detected!("avx512bf16") {
        println!("SKIPPED: this machine has no dot products of BF16");
        return vec![];
    }
    Code::values()
        .filter(|&code| {
            let kind = code.op_code().encoding();
            let mut instruction = Instruction::default();
            instruction.set_code(code);
            instruction.set_op0_register(Register::XMM0);
            let fma = Fma::decode(&instruction);
            let is_wanted = |fma: Fma| match fma.form {
                Form::Fused(_) => wanted == Class::Fused,
                Form::Multiply | Form::Add | Form::Horizontal => wanted == Class::Separate,
                Form::Across => wanted == Class::Across,
                Form::Dot => wanted == Class::Dot,
            };
            fma.is_some_and(is_wanted) && (level.wide() || kind != iced_x86::EncodingKind::EVEX)
        })
        .collect()
}

fn class(kind: OpCodeOperandKind) -> Option<Register> {
    use OpCodeOperandKind::*;
    Some(match kind {
        xmm_reg | xmm_or_mem | xmm_vvvv => Register::XMM0,
        ymm_reg | ymm_or_mem | ymm_vvvv => Register::YMM0,
        zmm_reg | zmm_or_mem | zmm_vvvv => Register::ZMM0,
        _ => return Option::None,
    })
}

/// The code on registers of these numbers, with an immediate if it has one.
fn with_operands(code: Code, [d, x, y]: [u32; 3], immediate: u32) -> Option<Instruction> {
    let mut kinds = code.op_code().op_kinds();
    let has_immediate = kinds.last() == Some(&OpCodeOperandKind::imm8);
    kinds = &kinds[..kinds.len() - usize::from(has_immediate)];
    let mut registers = vec![];
    for (kind, number) in kinds.iter().zip(if kinds.len() == 2 { [d, y, 0] } else { [d, x, y] }) {
        registers.push(class(*kind)? + number);
    }
    match (&registers[..], has_immediate) {
        (&[d, y], false) => Instruction::with2(code, d, y).ok(),
        (&[d, x, y], false) => Instruction::with3(code, d, x, y).ok(),
        (&[d, y], true) => Instruction::with3(code, d, y, immediate).ok(),
        (&[d, x, y], true) => Instruction::with4(code, d, x, y, immediate).ok(),
        _ => None,
    }
}

/// The same with its last source in memory.
fn with_memory(made: &Instruction, memory: MemoryOperand) -> Option<Instruction> {
    let (code, d, x) = (made.code(), made.op0_register(), made.op1_register());
    let immediate = u32::from(made.immediate8());
    let is_across = Fma::decode(made).is_some_and(|fma| fma.form == Form::Across);
    match (made.op_count(), is_across) {
        (2, _) => Instruction::with2(code, d, memory),
        (3, false) => Instruction::with3(code, d, x, memory),
        (3, true) => Instruction::with3(code, d, memory, immediate),
        _ => Instruction::with4(code, d, x, memory, immediate),
    }
    .ok()
}

/// The kind of the last operand.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Source {
    Register,
    /// In the data, by a pointer register, with a displacement.
    Pointer,
    /// By rip.
    Instruction,
    /// By rsp, within the red zone.
    Stack,
    /// By a base and an index, through registers that trampolines like to use.
    Indexed,
}

impl Source {
    const ALL: [Source; 5] =
        [Source::Register, Source::Pointer, Source::Instruction, Source::Stack, Source::Indexed];
}

/// One instruction with its operands; `None` if the code has no such form.
fn instruction(
    code: Code,
    source: Source,
    machine: &Machine,
    random: &mut Random,
    options: Options,
) -> Option<Instruction> {
    let count = if code.op_code().encoding() == iced_x86::EncodingKind::EVEX { 32 } else { 16 };
    let registers = [0; 3].map(|_| random.below(count) as u32);
    let mut made = with_operands(code, registers, random.below(256) as u32)?;
    let info = code.op_code();
    let memory = match source {
        Source::Register => None,
        Source::Pointer => Some(MemoryOperand::with_base_displ(Register::RDI, 0x140)),
        Source::Instruction => {
            Some(MemoryOperand::with_base_displ(Register::RIP, machine.data() as i64 + 0x140))
        }
        Source::Stack => Some(MemoryOperand::with_base_displ(Register::RSP, -0x40)),
        Source::Indexed => {
            let [base, index] = [
                [Register::RAX, Register::RCX],
                [Register::RDX, Register::RAX],
                [Register::RBX, Register::RDX],
                [Register::RCX, Register::RBX],
            ][random.below(4)];
            Some(MemoryOperand::new(base, index, 4, 0x140, 8, false, Register::None))
        }
    };
    if let Some(memory) = memory {
        made = with_memory(&made, memory)?;
        if options.broadcast {
            if !info.can_broadcast() {
                return None;
            }
            made.set_is_broadcast(true);
        }
    } else if options.broadcast {
        return None;
    }
    if options.masked {
        if !info.can_use_op_mask_register() {
            return None;
        }
        made.set_op_mask(Register::K1 + random.below(7) as u32);
        made.set_zeroing_masking(options.zeroing);
    }
    if let Some(rounding) = options.rounding {
        if !info.can_use_rounding_control() || source != Source::Register {
            return None;
        }
        made.set_rounding_control(rounding);
    }
    Some(machine.place(&made))
}

#[derive(Clone, Copy, Default)]
struct Options {
    broadcast: bool,
    masked: bool,
    zeroing: bool,
    rounding: Option<RoundingControl>,
}

impl Options {
    fn all() -> Vec<Options> {
        let plain = Options::default();
        vec![
            plain,
            Options { broadcast: true, ..plain },
            Options { masked: true, ..plain },
            Options { masked: true, zeroing: true, ..plain },
            Options { masked: true, broadcast: true, ..plain },
            Options { rounding: Some(RoundingControl::RoundUp), ..plain },
            Options { rounding: Some(RoundingControl::RoundTowardZero), masked: true, ..plain },
        ]
    }
}

/// MXCSR with status bits at random: its default, or with subnormals flushed and other roundings.
fn environment(random: &mut Random) -> u32 {
    let status = random.below(64) as u32;
    let control = [0, 0, 0, 0x8040, 0x8000, 0x0040, 0x6000, 0x4000, 0xe040][random.below(9)];
    0x1f80 | control | status
}

/// A guest in a random state.
fn state(machine: &Machine, random: &mut Random, element: Element) -> State {
    let mut state = State {
        vectors: std::array::from_fn(|_| random.lanes(element)),
        masks: std::array::from_fn(|_| random.word()),
        general: std::array::from_fn(|_| random.word()),
        // Carry, parity, adjust, zero, sign, direction, overflow; the bit that is always set, and interrupts.
        flags: random.word() & 0xcd5 | 0x202,
        mxcsr: environment(random),
    };
    let data: Vec<u8> =
        (0..DATA_BYTES / 64).flat_map(|_| random.lanes(element)).flat_map(u32::to_le_bytes).collect();
    machine.set_data(0, &data);
    let stack: Vec<u8> =
        (0..2 * STACK_WINDOW / 64).flat_map(|_| random.lanes(element)).flat_map(u32::to_le_bytes).collect();
    machine.set_stack(stack.as_slice().try_into().unwrap());
    state.general[4] = machine.stack();
    state.general[7] = machine.data();
    state
}

/// Sets base and index registers of an instruction such that its operand is at the data's 0x140.
fn aim(state: &mut State, instruction: &Instruction, machine: &Machine, random: &mut Random) {
    let (base, index) = (instruction.memory_base(), instruction.memory_index());
    if index != Register::None {
        let by = random.below(64) as u64;
        state.general[index.number()] = by;
        state.general[base.number()] = machine.data().wrapping_sub(4 * by);
    }
}

/// The lanes of an operand in a state.
fn lanes_of(operand: Operand, fma: &Fma, state: &State, machine: &Machine) -> [u32; 16] {
    let one = match fma.element {
        Element::F32 => [1f32.to_bits(); 2],
        Element::F64 => [0, (1f64.to_bits() >> 32) as u32],
    };
    let negative_zero = match fma.element {
        Element::F32 => [1 << 31; 2],
        Element::F64 => [0, 1 << 31],
    };
    match operand {
        Operand::Register(register) => state.vectors[register.number()],
        Operand::One => std::array::from_fn(|lane| one[lane % 2]),
        Operand::NegativeZero => std::array::from_fn(|lane| negative_zero[lane % 2]),
        Operand::Memory => {
            let bytes = if fma.instruction.memory_base() == Register::RSP {
                machine.get_stack()[STACK_WINDOW - 0x40..][..64].to_vec()
            } else {
                machine.get_data()[0x140..][..64].to_vec()
            };
            let words: Vec<u32> =
                bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
            let period = if fma.broadcast() { fma.element.bytes() / 4 } else { 16 };
            std::array::from_fn(|lane| words[lane % period])
        }
    }
}

/// The operands of sums of neighbouring lanes, of the sources in the places of a and c: in each 128 bits, the pairs of the first
/// source, then those of the second.
fn neighbours(element: Element, [first, one, second]: &[[u32; 16]; 3]) -> [[u32; 16]; 3] {
    let words = element.bytes() / 4;
    let pick = |odd: usize| {
        std::array::from_fn(|word| {
            let (block, lane, part) = (word / 4 * 4, word % 4 / words, word % words);
            let (source, pair) = if lane < 2 / words { (first, lane) } else { (second, lane - 2 / words) };
            source[block + (2 * pair + odd) * words + part]
        })
    };
    [pick(0), *one, pick(1)]
}

/// The dot products of 128 bits that the manual's pseudocode for DPPS and DPPD defines, by multiply-adds: products by a · b − 0, sums
/// by a · 1 + c.
fn across(
    element: Element,
    (width, immediate): (usize, u8),
    [a, b, _]: &[[u32; 16]; 3],
    single: &dyn Fn(f32, f32, f32) -> f32,
    double: &dyn Fn(f64, f64, f64) -> f64,
    destination: &mut [u32; 16],
) {
    for block in (0..width / 4).step_by(4) {
        match element {
            Element::F32 => {
                let product = |lane: usize| match immediate >> (4 + lane) & 1 {
                    0 => 0.0,
                    _ => single(f32::from_bits(a[block + lane]), f32::from_bits(b[block + lane]), -0.0),
                };
                let sum = |x, y| single(x, 1.0, y);
                let all = sum(sum(product(0), product(1)), sum(product(2), product(3)));
                for lane in 0..4 {
                    destination[block + lane] = if immediate >> lane & 1 == 1 { all.to_bits() } else { 0 };
                }
            }
            Element::F64 => {
                let get = |words: &[u32; 16], lane: usize| {
                    f64::from_bits(words[2 * lane] as u64 | (words[2 * lane + 1] as u64) << 32)
                };
                let product = |lane: usize| match immediate >> (4 + lane) & 1 {
                    0 => 0.0,
                    _ => double(get(a, lane), get(b, lane), -0.0),
                };
                let all = double(product(0), 1.0, product(1)).to_bits();
                for lane in 0..2 {
                    let bits = if immediate >> lane & 1 == 1 { all } else { 0 };
                    (destination[2 * lane], destination[2 * lane + 1]) = (bits as u32, (bits >> 32) as u32);
                }
            }
        }
    }
}

/// The state that the instruction should leave, from that of the native one: computed lanes come from the definition.
fn expected(
    native: &State,
    before: &State,
    fma: &Fma,
    operator: &Operator,
    doubles: &Operator,
    machine: &Machine,
) -> State {
    let single = |a: f32, b: f32, c: f32| operator.multiply_add(a, b, c);
    expected_by(native, before, fma, &single, &|a, b, c| doubles.multiply_add_f64(a, b, c), machine)
}

/// The same for the definitions of one lane of binary32 and of binary64.
fn expected_by(
    native: &State,
    before: &State,
    fma: &Fma,
    single: &dyn Fn(f32, f32, f32) -> f32,
    double: &dyn Fn(f64, f64, f64) -> f64,
    machine: &Machine,
) -> State {
    let mut after = native.clone();
    let mut operands = [fma.a(), fma.b(), fma.c()].map(|operand| lanes_of(operand, fma, before, machine));
    match fma.form {
        Form::Horizontal => operands = neighbours(fma.element, &operands),
        Form::Across => {
            let destination = &mut after.vectors[fma.destination().number()];
            let immediate = fma.instruction.immediate8();
            across(fma.element, (fma.width(), immediate), &operands, single, double, destination);
            return after;
        }
        _ => {}
    }
    let [a, b, c] = operands;
    let destination = &mut after.vectors[fma.destination().number()];
    let mask = fma.mask().map_or(u64::MAX, |mask| before.masks[mask.number()]);
    for lane in (0..fma.lanes as usize).filter(|lane| mask >> lane & 1 == 1) {
        match fma.element {
            Element::F32 if fma.form == Form::Dot => {
                let products = [0xffff_0000, 0xffff]
                    .map(|half: u32| [a, b].map(|pair| f32::from_bits((pair[lane] & half) << (half & 16))));
                let sum = products.iter().fold(f32::from_bits(c[lane]), |sum, &[a, b]| single(a, b, sum));
                destination[lane] = sum.to_bits();
            }
            Element::F32 => {
                let sign = |negative: bool| if negative { 1u32 << 31 } else { 0 };
                let a = f32::from_bits(a[lane] ^ sign(fma.negate_product));
                let c = f32::from_bits(c[lane] ^ sign(fma.addend.subtracts(lane)));
                destination[lane] = single(a, f32::from_bits(b[lane]), c).to_bits();
            }
            Element::F64 => {
                let get = |lanes: &[u32; 16]| lanes[2 * lane] as u64 | (lanes[2 * lane + 1] as u64) << 32;
                let sign = |negative: bool| if negative { 1u64 << 63 } else { 0 };
                let a = f64::from_bits(get(&a) ^ sign(fma.negate_product));
                let c = f64::from_bits(get(&c) ^ sign(fma.addend.subtracts(lane)));
                let d = double(a, f64::from_bits(get(&b)), c).to_bits();
                (destination[2 * lane], destination[2 * lane + 1]) = (d as u32, (d >> 32) as u32);
            }
        }
    }
    after
}

/// The first difference, in words.
fn difference(got: &State, wanted: &State) -> String {
    let mut found = vec![];
    for (number, (got, wanted)) in got.vectors.iter().zip(&wanted.vectors).enumerate() {
        if got != wanted {
            found.push(format!("zmm{number}\n  {got:08x?}, not\n  {wanted:08x?}"));
        }
    }
    for (name, got, wanted) in
        [("k", &got.masks[..], &wanted.masks[..]), ("gpr", &got.general, &wanted.general)]
    {
        for (number, (got, wanted)) in got.iter().zip(wanted).enumerate() {
            if got != wanted {
                found.push(format!("{name}{number}: {got:x}, not {wanted:x}"));
            }
        }
    }
    if got.flags != wanted.flags {
        found.push(format!("flags {:x}, not {:x}", got.flags, wanted.flags));
    }
    if got.mxcsr != wanted.mxcsr {
        found.push(format!("mxcsr {:x}, not {:x}", got.mxcsr, wanted.mxcsr));
    }
    found.join("\n")
}

/// Runs one instruction natively and patched; returns the native result.
fn check(
    machine: &Machine,
    instruction: &Instruction,
    target: &Target,
    doubles: &Operator,
    before: &State,
) -> State {
    let fma = Fma::decode(instruction).unwrap();
    machine.place(instruction);
    let (data, stack) = (machine.get_data(), machine.get_stack());
    let native = machine.run(before);
    machine.patch(instruction, target);
    let got = machine.run(before);
    let wanted = match (target.identity(), target.rounding) {
        (_, Some(rounding)) => {
            let rounded = RoundedMultiplyAdd::new(rounding);
            let single = |a: f32, b: f32, c: f32| rounded.single(WORD, a, b, c);
            expected_by(&native, before, &fma, &single, &|a, b, c| rounded.double(WORD, a, b, c), machine)
        }
        (true, None) => native.clone(),
        (false, None) => expected(&native, before, &fma, &target.operator, doubles, machine),
    };
    assert!(
        got == wanted,
        "{} under {} on {:?} with mxcsr {:x}: {}",
        instruction,
        target.operator,
        target.level,
        before.mxcsr,
        difference(&got, &wanted)
    );
    assert!(data == machine.get_data() && stack == machine.get_stack(), "{instruction} changed memory");
    native
}

/// A machine with the operator behind its gate.
fn prepared(level: Level, operator: &Operator) -> (Machine, Operator) {
    let mut machine = Machine::new(level);
    let isa = if level.wide() { Isa::detect() } else { Isa::from_name("avx2").unwrap() };
    machine.set_operator(level, operator, isa);
    (machine, operator.clone())
}

/// Every form × one operator, a few random states each.
fn every_form(operator: &str, kind: Class, rounds: usize, observed: bool) {
    every_form_of(operator, None, kind, rounds, observed);
}

/// The same for another rounding of the identity.
fn every_form_of(
    operator: &str,
    rounding: Option<ProgramRounding>,
    kind: Class,
    rounds: usize,
    observed: bool,
) {
    let operator: Operator = operator.parse().unwrap();
    for level in levels() {
        let (mut machine, doubles) = prepared(level, &operator);
        if let Some(rounding) = rounding {
            let isa = if level.wide() { Isa::detect() } else { Isa::from_name("avx2").unwrap() };
            machine.set_rounding(level, rounding, isa);
        }
        let target = Target { observed, rounding, ..Target::new(operator.clone(), level) };
        let mut random = Random(Stream::new(0));
        let mut count = 0;
        let codes = codes(level, kind);
        if codes.is_empty() && kind == Class::Dot {
            continue;
        }
        for code in codes {
            for source in Source::ALL {
                for options in Options::all() {
                    for _ in 0..rounds {
                        let Some(instruction) = instruction(code, source, &machine, &mut random, options)
                        else {
                            continue;
                        };
                        let before = aimed(&machine, &instruction, &mut random, level);
                        check(&machine, &instruction, &target, &doubles, &before);
                        count += 1;
                    }
                }
            }
        }
        println!("{operator} on {level:?}: {count} instructions");
        assert!(count > if kind == Class::Across { 15 } else { 30 }, "{count}");
    }
}

/// A random state for an instruction.
fn aimed(machine: &Machine, instruction: &Instruction, random: &mut Random, level: Level) -> State {
    let element = Fma::decode(instruction).unwrap().element;
    let mut before = state(machine, random, element);
    aim(&mut before, instruction, machine, random);
    if !level.wide() {
        narrow(&mut before);
    }
    before
}

/// A state without what the AVX2 level does not read.
fn narrow(state: &mut State) {
    for (number, vector) in state.vectors.iter_mut().enumerate() {
        vector[if number < 16 { 8 } else { 0 }..].fill(0);
    }
}

macro_rules! operators {
    ($($name:ident: $first:literal..$last:literal, $rounds:literal;)*) => { $(
        #[test]
        fn $name() {
            for operator in &OPERATORS[$first..$last] {
                every_form(operator, Class::Fused, $rounds, false);
            }
        }
    )* };
}

operators! {
    fused_under_one_input_part: 0..3, 2;
    fused_under_two_input_parts: 3..5, 2;
    fused_under_three_input_parts: 5..7, 2;
    fused_under_mixed_and_listing: 7..10, 1;
    fused_under_variants: 10..15, 1;
    fused_under_pairs: 15..20, 1;
    fused_under_the_rest: 20..26, 1;
    fused_under_formats_of_8_and_16_bits: 26..35, 1;
    fused_under_exact_variants: 35..40, 1;
    fused_through_binary64: 40..43, 1;
    fused_under_powers_of_two: 43..51, 1;
    fused_into_formats_without_nan: 51..54, 4;
    fused_through_the_gate: 54..55, 1;
}

/// Roundings up, down and at random, inline and through the gate, are the definition's.
#[test]
fn rounded_results_give_the_definition() {
    use ProgramRounding::{Down, Random, Stochastic, Up};
    for rounding in [Up, Down, Random, Stochastic] {
        for kind in [Class::Fused, Class::Separate, Class::Dot, Class::Across] {
            every_form_of("f32:f32", Some(rounding), kind, 1, false);
        }
        every_form_of("f32:f32", Some(rounding), Class::Fused, 1, true);
    }
}

#[test]
fn separate_operations_give_the_definition() {
    for operator in
        ["bf16:bf16", "bf16:bf16x3", "bf16x2:bf16x2/3", "bf16x3:bf16x3/6+flush", "float8_e4m3fn:f32"]
    {
        every_form(operator, Class::Separate, 1, false);
    }
}

#[test]
fn dot_products_within_a_register_give_the_definition() {
    for operator in [
        "bf16:bf16",
        "bf16:bf16x3",
        "bf16x2:bf16x2/3",
        "bf16x3:bf16x3/9",
        "float8_e4m3fn:f32",
        "f64:f64",
        "e8m0:f32",
        "cfloat8_1_4_3@bias=10:bf16",
        "binary16p1se:f32",
        "f32:f32",
    ] {
        every_form(operator, Class::Across, 3, false);
    }
    for operator in ["bf16:bf16", "f32:f32"] {
        every_form(operator, Class::Across, 3, true);
    }
}

#[test]
fn dot_products_of_bf16_give_the_definition() {
    for operator in ["bf16:bf16", "bf16:bf16x3", "bf16x2:bf16x2/3", "float8_e4m3fn:f32", "binary8p1:f16"] {
        every_form(operator, Class::Dot, 4, false);
    }
    for operator in ["f32:f32", "bf16:bf16"] {
        every_form(operator, Class::Dot, 2, true);
    }
    // The native instruction adds the product of the upper halves first, each time rounding to nearest even. It flushes
    // subnormals, of which there are none here.
    let Some(level) = levels().first().copied() else { return };
    let identity: Operator = "f32:f32".parse().unwrap();
    let (machine, doubles) = prepared(level, &identity);
    let mut random = Random(Stream::new(5));
    for code in codes(level, Class::Dot).into_iter().flat_map(|code| [code; 20]) {
        let Some(instruction) =
            instruction(code, Source::Register, &machine, &mut random, Options::default())
        else {
            continue;
        };
        let mut before = aimed(&machine, &instruction, &mut random, level);
        for vector in &mut before.vectors {
            vector.fill_with(|| random.word() as u32 & 0x81ff_81ff | 0x3e00_3e00);
        }
        before.mxcsr = 0x1f80;
        let native = machine.run(&before);
        let fma = Fma::decode(&instruction).unwrap();
        let said = expected(&native, &before, &fma, &identity, &doubles, &machine);
        let number = fma.destination().number();
        assert_eq!(native.vectors[number], said.vectors[number], "{instruction}");
    }
}

#[test]
fn observed_operators_give_the_same() {
    for operator in ["bf16:bf16", "f32:f32"] {
        every_form(operator, Class::Fused, 1, true);
        every_form(operator, Class::Separate, 1, true);
    }
}

/// The identity is native; and the native instruction is what [`Fma`] says, where no NaN has a payload and the environment
/// is the default.
#[test]
fn identity_is_native_and_operands_are_what_they_are_said_to_be() {
    every_form("f32:f32", Class::Fused, 1, false);
    every_form("f32:f32", Class::Separate, 1, false);
    let Some(level) = levels().first().copied() else { return };
    let identity: Operator = "f32:f32".parse().unwrap();
    let (machine, _) = prepared(level, &identity);
    // Lanes of binary64 as binary64 does them.
    let doubles: Operator = "f64:f64".parse().unwrap();
    let mut random = Random(Stream::new(1));
    let canonical = |state: &State, fma: &Fma| {
        let vector = state.vectors[fma.destination().number()];
        let nan = |lane: usize| match fma.element {
            Element::F32 => f32::from_bits(vector[lane]).is_nan(),
            Element::F64 => {
                f64::from_bits(vector[lane & !1] as u64 | (vector[lane | 1] as u64) << 32).is_nan()
            }
        };
        let lanes: [u32; 16] = std::array::from_fn(|lane| if nan(lane) { 0x7fc0_0000 } else { vector[lane] });
        lanes
    };
    let classes = [Class::Fused, Class::Separate, Class::Across];
    for code in classes.into_iter().flat_map(|class| codes(level, class)) {
        for source in Source::ALL {
            let options = Options::default();
            let Some(instruction) = instruction(code, source, &machine, &mut random, options) else {
                continue;
            };
            let fma = Fma::decode(&instruction).unwrap();
            let mut before = aimed(&machine, &instruction, &mut random, level);
            before.mxcsr = 0x1f80;
            let native = machine.run(&before);
            let said = expected(&native, &before, &fma, &identity, &doubles, &machine);
            assert_eq!(canonical(&native, &fma), canonical(&said, &fma), "{instruction}");
        }
    }
}

/// Code that computes something else is noticed.
#[test]
fn another_operator_is_told_apart() {
    let Some(level) = levels().first().copied() else { return };
    let (machine, _) = prepared(level, &"bf16:bf16".parse().unwrap());
    let target = Target::new("bf16:bf16".parse().unwrap(), level);
    let other: Operator = "bf16:bf16x2".parse().unwrap();
    let doubles = other.clone();
    let mut random = Random(Stream::new(2));
    let mut differ = 0;
    for _ in 0..20 {
        let made = Instruction::with3(
            Code::VEX_Vfmadd231ps_ymm_ymm_ymmm256,
            Register::YMM1,
            Register::YMM2,
            Register::YMM3,
        );
        let instruction = machine.place(&made.unwrap());
        let before = aimed(&machine, &instruction, &mut random, level);
        let native = machine.run(&before);
        machine.patch(&instruction, &target);
        let fma = Fma::decode(&instruction).unwrap();
        let wanted = expected(&native, &before, &fma, &other, &doubles, &machine);
        differ += (machine.run(&before) != wanted) as usize;
    }
    assert!(differ > 10, "{differ}");
}

/// A binary64 with an exponent, or a subnormal of binary32 if that is less than its least, with many bits or few.
fn with_exponent(random: &mut Random, exponent: i32, element: Element) -> f64 {
    let fraction = match random.below(4) {
        0 => 0,
        1 => u64::MAX,
        2 => random.word() & 0x7f << 45,
        _ => random.word(),
    };
    let bits = ((exponent + 1023).clamp(1, 2046) as u64) << 52 | fraction & ((1 << 52) - 1);
    let value = f64::from_bits(bits | random.word() & 1 << 63);
    if element == Element::F32 { value as f32 as f64 } else { value }
}

/// Factors whose exponents add up to `sum`, halves of it if `even`, and an addend: small by itself, or nearly the negated
/// product.
fn near_a_bound(random: &mut Random, (sum, even): (i32, bool), element: Element) -> [f64; 3] {
    let around = |random: &mut Random, middle: i32| middle - 3 + random.below(7) as i32;
    let (a, each) = match random.below(8) {
        _ if even => (sum / 2, 0),
        0 => (around(random, -103), -103),
        1 => (around(random, -79), -79),
        2 | 3 => (around(random, sum / 2), -103),
        _ => (random.below(40) as i32 - 20, if sum < -500 { -917 } else { -103 }),
    };
    let (mut a, mut b) = (with_exponent(random, a, element), with_exponent(random, sum - a, element));
    if random.below(2) == 0 {
        std::mem::swap(&mut a, &mut b);
    }
    let small = [around(random, each), around(random, sum)];
    let c = match random.below(8) {
        0 => 0.0,
        1 => -0.0,
        2 => with_exponent(random, small[0], element),
        3 => with_exponent(random, small[1], element),
        4..=6 => -a * b,
        _ => 1.0,
    };
    [a, b, c]
}

/// Operands about the bounds from which on MXCSR is left alone, products that underflow, and sums of which little is left,
/// whatever is flushed and however it is rounded.
#[test]
fn operands_near_the_bounds_of_the_guard_give_the_meaning() {
    use Code::*;
    let codes = [
        EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er,
        VEX_Vfmadd231ps_ymm_ymm_ymmm256,
        VEX_Vfnmsub213ps_xmm_xmm_xmmm128,
        VEX_Vfmadd132ss_xmm_xmm_xmmm32,
        VEX_Vmulps_ymm_ymm_ymmm256,
        VEX_Vaddss_xmm_xmm_xmmm32,
        EVEX_Vfmsub231pd_zmm_k1z_zmm_zmmm512b64_er,
        VEX_Vfmadd213pd_ymm_ymm_ymmm256,
        VEX_Vfnmadd231sd_xmm_xmm_xmmm64,
    ];
    for level in levels() {
        for name in OPERATORS {
            let operator: Operator = name.parse().unwrap();
            let (machine, doubles) = prepared(level, &operator);
            let target = Target::new(operator, level);
            let mut random = Random(Stream::new(6));
            for code in codes {
                let info = code.op_code();
                if info.encoding() == iced_x86::EncodingKind::EVEX && !level.wide() {
                    continue;
                }
                let instruction = machine.place(&with_operands(code, [1, 2, 3], 0).unwrap());
                let fma = Fma::decode(&instruction).unwrap();
                for round in 0..24 {
                    let mut before = aimed(&machine, &instruction, &mut random, level);
                    let bounds: &[i32] = match fma.element {
                        Element::F32 => &[-112, -80, -56, -126, -149],
                        Element::F64 => &[-112, -80, -865, -126, -149],
                    };
                    // Where all lanes are to pass, they have to have much in common.
                    let sum = bounds[random.below(bounds.len())] - 5 + random.below(8) as i32;
                    let shape = (sum, round / 8 != 1);
                    let mut lanes = [[0; 16]; 3];
                    for pair in 0..8 {
                        match fma.element {
                            Element::F32 => {
                                for lane in [2 * pair, 2 * pair + 1] {
                                    let numbers = near_a_bound(&mut random, shape, fma.element);
                                    (0..3).for_each(|k| lanes[k][lane] = (numbers[k] as f32).to_bits());
                                }
                            }
                            Element::F64 => {
                                let numbers = near_a_bound(&mut random, shape, fma.element).map(f64::to_bits);
                                for k in 0..3 {
                                    lanes[k][2 * pair] = numbers[k] as u32;
                                    lanes[k][2 * pair + 1] = (numbers[k] >> 32) as u32;
                                }
                            }
                        }
                    }
                    for (operand, lanes) in [fma.a(), fma.b(), fma.c()].into_iter().zip(lanes) {
                        if let Operand::Register(register) = operand {
                            before.vectors[register.number()] = lanes;
                        }
                    }
                    if !level.wide() {
                        narrow(&mut before);
                    }
                    let status = random.below(64) as u32;
                    let control = [0, 0x8040, 0x8000, 0x40, 0x2000, 0xa040, 0x4000, 0xe040][round % 8];
                    before.mxcsr = 0x1f80 | control | status;
                    check(&machine, &instruction, &target, &doubles, &before);
                }
            }
        }
    }
}

/// With every exception unmasked, and operands for which the native instruction raises none, nothing traps: neither the
/// roundings of the operator nor what happens behind the gate.
#[test]
fn trampolines_raise_no_exceptions_of_their_own() {
    for level in levels() {
        for name in
            ["bf16:bf16", "bf16:bf16x2", "bf16x2:bf16x2/3", "bf16x3:bf16x3/9", "bf16:bf16+exact", "f16:f16"]
        {
            let operator: Operator = name.parse().unwrap();
            let (machine, doubles) = prepared(level, &operator);
            let target = Target::new(operator, level);
            let mut random = Random(Stream::new(3));
            for code in codes(level, Class::Fused) {
                for source in [Source::Register, Source::Pointer] {
                    let options = Options::default();
                    let Some(instruction) = instruction(code, source, &machine, &mut random, options) else {
                        continue;
                    };
                    let fma = Fma::decode(&instruction).unwrap();
                    let mut before = aimed(&machine, &instruction, &mut random, level);
                    let mut integers = || -> [u32; 16] {
                        let mut lanes = [0; 16];
                        for pair in lanes.chunks_exact_mut(2) {
                            let [x, y] = [0; 2].map(|_| random.below(2001) as i32 - 1000);
                            let double = (x as f64).to_bits();
                            pair.copy_from_slice(&match fma.element {
                                Element::F32 => [(x as f32).to_bits(), (y as f32).to_bits()],
                                Element::F64 => [double as u32, (double >> 32) as u32],
                            });
                        }
                        lanes
                    };
                    before.vectors = std::array::from_fn(|_| integers());
                    let data: Vec<u8> = (0..16).flat_map(|_| integers()).flat_map(u32::to_le_bytes).collect();
                    machine.set_data(0, &data);
                    if !level.wide() {
                        narrow(&mut before);
                    }
                    before.mxcsr = 0;
                    let native = check(&machine, &instruction, &target, &doubles, &before);
                    assert_eq!(native.mxcsr & 0x3f, 0, "{instruction} raises something natively");
                }
            }
        }
    }
}

/// Lanes that the mask leaves out may be in memory that is not there.
#[test]
fn masked_operands_at_the_end_of_memory_are_not_read() {
    let Some(level) = levels().first().copied().filter(|level| level.wide()) else {
        println!("SKIPPED: masks need AVX-512");
        return;
    };
    for name in ["bf16:bf16", "bf16x2:bf16x2/3", "float8_e5m2:bf16", "f32:f32"] {
        let operator: Operator = name.parse().unwrap();
        let (machine, doubles) = prepared(level, &operator);
        let target = Target::new(operator, level);
        let mut random = Random(Stream::new(4));
        for lanes in 1..16u64 {
            let code = Code::EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er;
            let operand = MemoryOperand::with_base(Register::RDI);
            let mut made = Instruction::with3(code, Register::ZMM7, Register::ZMM8, operand).unwrap();
            made.set_op_mask(Register::K3);
            let instruction = machine.place(&made);
            let mut before = aimed(&machine, &instruction, &mut random, level);
            before.masks[3] = (1 << lanes) - 1;
            before.general[7] = machine.data() + DATA_BYTES as u64 - 4 * lanes;
            // The model reads a whole operand, from where it usually is: the same bytes.
            let data = machine.get_data();
            machine.set_data(0x140, &data[DATA_BYTES - 4 * lanes as usize..]);
            check(&machine, &instruction, &target, &doubles, &before);
        }
    }
}
