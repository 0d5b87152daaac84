//! A trampoline as a whole: the frame around the computation.

use std::ops::Range;

use iced_x86::{Code, IcedError, Instruction, MemoryOperand, OpKind, Register, RoundingControl};

use super::assembler::Assembler;
use super::gate::Operands;
use super::guard::Guard;
use super::lanes::{Lanes, Vector, nth};
use super::place::{Place, Unsupported};
use super::pool::Constant;
use super::recipe::{Recipe, Signs};
use super::target::Target;
use super::track::{Kept, Track};
use crate::fma::{Element, Fma, Form, Operand};
use crate::workspace::Field;

/// Bytes of a slot of the frame.
const SLOT: i64 = 64;

/// General registers of which one points to the frame.
const POINTERS: [Register; 3] = [Register::RAX, Register::RDX, Register::RBX];

/// Writes the code for a site, which goes on at `then`; see the module's text. The operator's literals follow it.
pub(super) fn generate(
    fma: &Fma,
    target: &Target,
    place: Place,
    then: u64,
) -> Result<(Vec<u8>, Track), Unsupported> {
    // The length of the code does not depend on the place of what it refers to.
    let (code, literals, track) = generate_with(fma, target, place, then, place.at)?;
    if literals.is_empty() {
        return Ok((code, track));
    }
    let (mut code, literals, track) = generate_with(fma, target, place, then, track.code.end)?;
    code.extend(literals);
    Ok((code, track))
}

/// The code, the literals, which will be at an address, and where the program's registers are.
fn generate_with(
    fma: &Fma,
    target: &Target,
    place: Place,
    then: u64,
    literals_at: u64,
) -> Result<(Vec<u8>, Vec<u8>, Track), Unsupported> {
    let instruction = &fma.instruction;
    let base_and_index = [instruction.memory_base(), instruction.memory_index()].map(Register::full_register);
    if fma.evex() && !target.level.wide() {
        return Err(Unsupported::Evex);
    }
    let pointer = POINTERS
        .into_iter()
        .find(|register| fma.memory().is_none() || !base_and_index.contains(register))
        .unwrap_or(POINTERS[0]);
    let recipe = Recipe::of(target, fma.element).filter(|_| !target.observed);
    let mut lanes = Lanes::new(target.level, fma.element, place.constants, literals_at, fma.vectors());
    lanes.word = place.word;
    let mut site = Site { fma, target, place, pointer, lanes };

    // The program's instruction comes first: what it does to status and memory happens there.
    let memory = site.memory()?;
    let sources = site.sources(memory)?;
    let native = site.native()?;
    let loads = site.lanes.cut();
    // The operands of later steps are not known yet.
    let test = match recipe.filter(|_| fma.form.is_lanewise() || fma.form == Form::Horizontal) {
        Some(recipe) => Some(site.test(recipe, sources)?),
        None => None,
    };
    let operands = site.vectors(sources)?;
    let signs = site.signs();
    let (result, slots) = match recipe {
        Some(recipe) => {
            let result = site.each_step(operands, |site, operands, _| {
                recipe.compute(&mut site.lanes, operands, signs, fma.width())
            })?;
            (result, 1)
        }
        None => {
            let result = site.each_step(operands, |site, operands, last| {
                let kept = if last { Some(native) } else { None };
                site.through_gate(operands, kept)
            })?;
            (result, GATE_SLOTS)
        }
    };
    let computation = site.lanes.cut();
    site.write(result)?;
    let write = site.lanes.cut();
    if site.lanes.ran_out() {
        return Err(Unsupported::Vectors);
    }

    let spills = site.lanes.scratch().to_vec();
    let mut code = Assembler::new(place.at);
    code.emit(Field::Pointer.keep(pointer)?)?;
    code.emit(Field::Counter.keep(Register::RCX)?)?;
    let saved = code.next();
    // Nothing of 128 bits or less makes upper halves that are not 0.
    let keeps_clean = place.keeps_clean && fma.width() <= 16;
    let probed = if keeps_clean { probe_uppers(&mut code)? } else { saved..saved };
    code.emit(Field::Frame.load(pointer)?)?;
    for (number, &vector) in spills.iter().enumerate() {
        code.emit(site.store(vector, slots + number as i64)?)?;
    }
    let spilled = code.next();
    for instruction in loads {
        code.emit(instruction)?;
    }
    if recipe.is_some() {
        site.in_default_environment(&mut code, test.as_deref(), &computation, native)?;
    } else {
        for instruction in computation {
            code.emit(instruction)?;
        }
    }
    for instruction in write {
        code.emit(instruction)?;
    }
    let done = code.next();
    for (number, &vector) in spills.iter().enumerate() {
        code.emit(site.load(vector, slots + number as i64)?)?;
    }
    if keeps_clean {
        code.emit(Field::Uppers.load(Register::RCX)?)?;
        let clean = [Instruction::with(Code::VEX_Vzeroupper)];
        code.if_rcx_is_0(&clean)?;
    }
    code.emit(Field::Counter.load(Register::RCX)?)?;
    code.emit(Field::Pointer.load(pointer)?)?;
    let kept = Kept {
        saved: saved..code.next(),
        probed,
        pointer,
        spilled,
        vectors: spills,
        first: (slots * SLOT) as u64,
    };
    code.jump(then)?;
    let range = place.at..code.next();
    let (original, next) = (instruction.ip(), instruction.next_ip());
    let track = Track { code: range, original, next, done, kept: Some(kept) };
    Ok((code.finish(), site.lanes.literals(), track))
}

/// Keeps in the workspace whether upper halves of vectors are in use: 0 if not. No flag and no register is changed, since the
/// instruction itself may address memory by any; what the workspace has of rax and rdx is overwritten.
/// Returns where these may be other than the program's.
fn probe_uppers(code: &mut Assembler) -> Result<Range<u64>, Unsupported> {
    code.emit_all(&[Field::ProbedA.keep(Register::RAX)?, Field::ProbedD.keep(Register::RDX)?])?;
    let start = code.next();
    code.emit_all(&uppers_in_use()?)?;
    Ok(start..code.next())
}

/// Instructions that set [`Field::Uppers`], given rax, rcx and rdx in the workspace, which they restore. No flag is changed.
pub(crate) fn uppers_in_use() -> Result<[Instruction; 8], IcedError> {
    /// The state components of bits 128 to 255 and 256 to 511 of the first 16 vectors.
    const UPPERS: i32 = 1 << 2 | 1 << 6;
    use Register::{EAX, ECX, EDX, RAX, RCX, RDX};
    Ok([
        Instruction::with2(Code::Mov_r32_imm32, ECX, 1)?,
        Instruction::with(Code::Xgetbv),
        Instruction::with2(Code::Mov_r32_imm32, EDX, UPPERS)?,
        Instruction::with3(Code::VEX_Pext_r32_r32_rm32, EAX, EAX, EDX)?,
        Field::Uppers.keep(RAX)?,
        Field::ProbedA.load(RAX)?,
        Field::ProbedD.load(RDX)?,
        Field::Counter.load(RCX)?,
    ])
}

/// Slots of the gate's operands.
const GATE_SLOTS: i64 = (size_of::<Operands>() as i64) / SLOT;

/// The instruction and what there is to write its code with.
struct Site<'a> {
    fma: &'a Fma,
    target: &'a Target,
    place: Place,
    pointer: Register,
    lanes: Lanes,
}

impl Site<'_> {
    fn wide(&self) -> bool {
        self.target.level.wide()
    }

    fn slot(&self, number: i64) -> MemoryOperand {
        MemoryOperand::with_base_displ(self.pointer, number * SLOT)
    }

    fn store(&self, vector: Vector, slot: i64) -> Result<Instruction, Unsupported> {
        let code =
            if self.wide() { Code::EVEX_Vmovaps_zmmm512_k1z_zmm } else { Code::VEX_Vmovaps_ymmm256_ymm };
        Ok(Instruction::with2(code, self.slot(slot), self.lanes.whole(vector))?)
    }

    fn load(&self, vector: Vector, slot: i64) -> Result<Instruction, Unsupported> {
        let code =
            if self.wide() { Code::EVEX_Vmovaps_zmm_k1z_zmmm512 } else { Code::VEX_Vmovaps_ymm_ymmm256 };
        Ok(Instruction::with2(code, self.lanes.whole(vector), self.slot(slot))?)
    }

    fn signs(&self) -> Signs {
        Signs { negate_product: self.fma.negate_product, addend: self.fma.addend }
    }

    /// The number of a register of the instruction.
    fn number(register: Register) -> Vector {
        register.number() as Vector
    }

    /// The memory operand in a scratch vector, if there is one; lanes that the mask leaves out are not read.
    fn memory(&mut self) -> Result<Option<Vector>, Unsupported> {
        if self.fma.memory().is_none() {
            return Ok(None);
        }
        let fma = self.fma;
        let vector = self.lanes.take_low();
        let double = fma.element == Element::F64;
        use Code::*;
        // By kind (scalar, 128, 256, 512 bits, each plain or broadcast) and element.
        let (code, class) = match (fma.scalar, fma.broadcast(), fma.width(), self.wide()) {
            (true, _, _, true) => ([EVEX_Vmovss_xmm_k1z_m32, EVEX_Vmovsd_xmm_k1z_m64], Register::XMM0),
            (true, _, _, false) => ([VEX_Vmovss_xmm_m32, VEX_Vmovsd_xmm_m64], Register::XMM0),
            // Broadcast to two binary64 lanes is VMOVDDUP's.
            (_, true, 16, _) => {
                ([EVEX_Vbroadcastss_xmm_k1z_xmmm32, EVEX_Vmovddup_xmm_k1z_xmmm64], Register::XMM0)
            }
            (_, true, 32, _) => {
                ([EVEX_Vbroadcastss_ymm_k1z_xmmm32, EVEX_Vbroadcastsd_ymm_k1z_xmmm64], Register::YMM0)
            }
            (_, true, ..) => {
                ([EVEX_Vbroadcastss_zmm_k1z_xmmm32, EVEX_Vbroadcastsd_zmm_k1z_xmmm64], Register::ZMM0)
            }
            (_, _, 16, true) => {
                ([EVEX_Vmovups_xmm_k1z_xmmm128, EVEX_Vmovupd_xmm_k1z_xmmm128], Register::XMM0)
            }
            (_, _, 32, true) => {
                ([EVEX_Vmovups_ymm_k1z_ymmm256, EVEX_Vmovupd_ymm_k1z_ymmm256], Register::YMM0)
            }
            (_, _, _, true) => ([EVEX_Vmovups_zmm_k1z_zmmm512, EVEX_Vmovupd_zmm_k1z_zmmm512], Register::ZMM0),
            (_, _, 16, false) => ([VEX_Vmovups_xmm_xmmm128, VEX_Vmovupd_xmm_xmmm128], Register::XMM0),
            (_, _, _, false) => ([VEX_Vmovups_ymm_ymmm256, VEX_Vmovupd_ymm_ymmm256], Register::YMM0),
        };
        let from = &fma.instruction;
        let operand = MemoryOperand::new(
            from.memory_base(),
            from.memory_index(),
            from.memory_index_scale(),
            from.memory_displacement64() as i64,
            from.memory_displ_size(),
            false,
            from.segment_prefix(),
        );
        let mut load = Instruction::with2(code[double as usize], nth(class, vector), operand)?;
        if let Some(mask) = fma.mask() {
            load.set_op_mask(mask);
            load.set_zeroing_masking(true);
        }
        self.lanes.push(load);
        Ok(Some(vector))
    }

    /// The instruction itself, with a scratch vector for its destination, which is returned.
    fn native(&mut self) -> Result<Vector, Unsupported> {
        let vector = self.lanes.take_low();
        let destination = self.fma.destination();
        if let Some(instruction) = self.with_avx(vector)? {
            self.lanes.push(instruction);
            if !(self.target.identity() && self.target.observed) {
                self.lanes.give(vector);
            }
            return Ok(vector);
        }
        self.lanes.copy(vector, Site::number(destination))?;
        let mut instruction = self.fma.instruction;
        let renamed = nth(destination, vector) - destination.number() as u32;
        instruction.set_op0_register(renamed);
        self.lanes.push(instruction);
        if !(self.target.identity() && self.target.observed) {
            self.lanes.give(vector);
        }
        Ok(vector)
    }

    /// A legacy SSE instruction in VEX encoding with a scratch vector for its destination: it does the same, and is not slow while
    /// the code around it uses upper halves. Its operand in memory need not be aligned.
    fn with_avx(&self, vector: Vector) -> Result<Option<Instruction>, Unsupported> {
        use Code::*;
        let instruction = &self.fma.instruction;
        let code = match instruction.code() {
            Mulss_xmm_xmmm32 => VEX_Vmulss_xmm_xmm_xmmm32,
            Mulsd_xmm_xmmm64 => VEX_Vmulsd_xmm_xmm_xmmm64,
            Mulps_xmm_xmmm128 => VEX_Vmulps_xmm_xmm_xmmm128,
            Mulpd_xmm_xmmm128 => VEX_Vmulpd_xmm_xmm_xmmm128,
            Addss_xmm_xmmm32 => VEX_Vaddss_xmm_xmm_xmmm32,
            Addsd_xmm_xmmm64 => VEX_Vaddsd_xmm_xmm_xmmm64,
            Addps_xmm_xmmm128 => VEX_Vaddps_xmm_xmm_xmmm128,
            Addpd_xmm_xmmm128 => VEX_Vaddpd_xmm_xmm_xmmm128,
            Subss_xmm_xmmm32 => VEX_Vsubss_xmm_xmm_xmmm32,
            Subsd_xmm_xmmm64 => VEX_Vsubsd_xmm_xmm_xmmm64,
            Subps_xmm_xmmm128 => VEX_Vsubps_xmm_xmm_xmmm128,
            Subpd_xmm_xmmm128 => VEX_Vsubpd_xmm_xmm_xmmm128,
            Addsubps_xmm_xmmm128 => VEX_Vaddsubps_xmm_xmm_xmmm128,
            Addsubpd_xmm_xmmm128 => VEX_Vaddsubpd_xmm_xmm_xmmm128,
            Haddps_xmm_xmmm128 => VEX_Vhaddps_xmm_xmm_xmmm128,
            Haddpd_xmm_xmmm128 => VEX_Vhaddpd_xmm_xmm_xmmm128,
            Hsubps_xmm_xmmm128 => VEX_Vhsubps_xmm_xmm_xmmm128,
            Hsubpd_xmm_xmmm128 => VEX_Vhsubpd_xmm_xmm_xmmm128,
            Dpps_xmm_xmmm128_imm8 => VEX_Vdpps_xmm_xmm_xmmm128_imm8,
            Dppd_xmm_xmmm128_imm8 => VEX_Vdppd_xmm_xmm_xmmm128_imm8,
            _ => return Ok(None),
        };
        let mut with_avx = *instruction;
        with_avx.set_code(code);
        with_avx.set_op0_register(nth(Register::XMM0, vector));
        with_avx.set_op2_kind(instruction.op1_kind());
        with_avx.set_op1_kind(OpKind::Register);
        with_avx.set_op1_register(instruction.op0_register());
        if instruction.op1_kind() == OpKind::Register {
            with_avx.set_op2_register(instruction.op1_register());
        }
        if instruction.op_count() == 3 {
            with_avx.set_op3_kind(instruction.op2_kind());
        }
        Ok(Some(with_avx))
    }

    /// The vectors of a, b and c; `None` for constants. Lanes that a horizontal sum adds are paired.
    fn sources(&mut self, memory: Option<Vector>) -> Result<[Option<Vector>; 3], Unsupported> {
        let fma = self.fma;
        let sources = [fma.a(), fma.b(), fma.c()].map(|operand| match operand {
            Operand::Register(register) => Some(Site::number(register)),
            Operand::Memory => memory,
            Operand::One | Operand::NegativeZero => None,
        });
        match sources {
            [Some(first), None, Some(second)] if fma.form == Form::Horizontal => {
                let [even, odd] = self.lanes.neighbours(first, second)?;
                memory.into_iter().for_each(|vector| self.lanes.give(vector));
                Ok([Some(even), None, Some(odd)])
            }
            _ => Ok(sources),
        }
    }

    /// The operands' vectors; constants are loaded.
    fn vectors(&mut self, sources: [Option<Vector>; 3]) -> Result<[Vector; 3], Unsupported> {
        let operands = [self.fma.a(), self.fma.b(), self.fma.c()];
        let mut vectors = [0; 3];
        for (vector, (source, operand)) in vectors.iter_mut().zip(sources.into_iter().zip(operands)) {
            *vector = match source {
                Some(source) => source,
                None if operand == Operand::One => self.constant(Constant::One)?,
                None => self.constant(Constant::Signs)?,
            };
        }
        Ok(vectors)
    }

    /// A scratch vector with a constant.
    fn constant(&mut self, constant: Constant) -> Result<Vector, Unsupported> {
        let vector = self.lanes.take();
        self.lanes.set(vector, constant)?;
        Ok(vector)
    }

    /// Computes the multiply-adds of the instruction, one or several. `compute` gets true for the last one, which gives the
    /// result. It may give operands that are scratch vectors back.
    fn each_step(
        &mut self,
        [a, b, c]: [Vector; 3],
        compute: impl Fn(&mut Self, [Vector; 3], bool) -> Result<Vector, Unsupported>,
    ) -> Result<Vector, Unsupported> {
        match self.fma.form {
            Form::Dot => {
                let mut sum = c;
                for upper in [true, false] {
                    let factors = [self.lanes.take(), self.lanes.take()];
                    for (factor, pair) in factors.into_iter().zip([a, b]) {
                        self.lanes.half_of_pair(factor, pair, upper)?;
                    }
                    sum = compute(self, [factors[0], factors[1], sum], !upper)?;
                }
                Ok(sum)
            }
            Form::Across => self.across([a, b, c], compute),
            _ => compute(self, [a, b, c], true),
        }
    }

    /// [`Form::Across`]: products, then sums of neighbours, which leave the sum in each lane of 128 bits.
    fn across(
        &mut self,
        operands: [Vector; 3],
        compute: impl Fn(&mut Self, [Vector; 3], bool) -> Result<Vector, Unsupported>,
    ) -> Result<Vector, Unsupported> {
        let [factors, receivers] = self.fma.selections();
        let products = compute(self, operands, false)?;
        let mut sums = self.lanes.zero_unless(products, factors)?;
        let mut left = 16 / self.fma.element.bytes();
        while left > 1 {
            left /= 2;
            let [even, odd] = self.lanes.neighbours(sums, sums)?;
            self.lanes.give(sums);
            let one = self.constant(Constant::One)?;
            sums = compute(self, [even, one, odd], left == 1)?;
        }
        self.lanes.zero_unless(sums, receivers)
    }

    /// The computation by the gate's handler, or under the identity as the program would, whose result is `native` if that is
    /// known already; returns the result's vector.
    fn through_gate(&mut self, vectors: [Vector; 3], native: Option<Vector>) -> Result<Vector, Unsupported> {
        let fma = self.fma;
        let signs = self.signs();
        let result = self.lanes.take();
        for (slot, flip) in [signs.of_a(), None, signs.of_c()].into_iter().enumerate() {
            let mut vector = vectors[slot];
            if let Some(flip) = flip {
                self.lanes.flip(result, vector, flip)?;
                vector = result;
            }
            let store = self.store(vector, slot as i64)?;
            self.lanes.push(store);
        }
        if self.target.identity() && self.target.observed {
            let native = match native {
                Some(native) => native,
                None => {
                    self.lanes.copy(result, vectors[2])?;
                    self.lanes.fma(result, vectors[0], vectors[1])?;
                    result
                }
            };
            let store = self.store(native, 3)?;
            self.lanes.push(store);
        }
        let at = |field: usize| MemoryOperand::with_base_displ(self.pointer, field as i64);
        let site = [
            (at(std::mem::offset_of!(Operands, site)), self.place.site),
            (at(std::mem::offset_of!(Operands, lanes)), fma.lanes as u32),
            (at(std::mem::offset_of!(Operands, bytes)), fma.element.bytes() as u32),
            (at(std::mem::offset_of!(Operands, word)), self.place.word),
        ];
        let mask_at = at(std::mem::offset_of!(Operands, mask));
        for (field, value) in site {
            self.lanes.push(Instruction::with2(Code::Mov_rm32_imm32, field, value)?);
        }
        self.lanes.push(match fma.mask() {
            Some(mask) => Instruction::with2(Code::VEX_Kmovd_m32_kr, mask_at, mask)?,
            // A profile counts no sums of products within a register, whose lanes are not those of the result.
            None if fma.form == Form::Across => Instruction::with2(Code::Mov_rm32_imm32, mask_at, 0)?,
            None => Instruction::with2(Code::Mov_rm32_imm32, mask_at, u32::MAX)?,
        });
        self.lanes.push(Instruction::with2(Code::Mov_r64_rm64, Register::RCX, self.pointer)?);
        self.lanes.push(Field::Stack.keep(Register::RSP)?);
        self.lanes.push(Field::Top.load(Register::RSP)?);
        self.lanes.push(Instruction::with_branch(Code::Call_rel32_64, self.place.gate)?);
        self.lanes.push(Field::Stack.load(Register::RSP)?);
        let load = self.load(result, 3)?;
        self.lanes.push(load);
        Ok(result)
    }

    /// The result into the destination, as the instruction would write it.
    fn write(&mut self, result: Vector) -> Result<(), Unsupported> {
        use Code::*;
        let fma = self.fma;
        let double = (fma.element == Element::F64) as usize;
        let (destination, rest) = (Site::number(fma.destination()), Site::number(fma.rest()));
        let xmm = |number| nth(Register::XMM0, number);
        if fma.scalar {
            let code = match self.wide() {
                true => [EVEX_Vmovss_xmm_k1z_xmm_xmm, EVEX_Vmovsd_xmm_k1z_xmm_xmm],
                false => [VEX_Vmovss_xmm_xmm_xmm, VEX_Vmovsd_xmm_xmm_xmm],
            };
            let to = if fma.legacy() { result } else { destination };
            let write = Instruction::with3(code[double], xmm(to), xmm(rest), xmm(result))?;
            let write = self.masked(write);
            self.lanes.push(write);
        }
        if fma.legacy() {
            // Only the lowest 128 bits change.
            let (code, to) = match self.wide() {
                true => (EVEX_Vinsertf32x4_zmm_k1z_zmm_xmmm128_imm8, nth(Register::ZMM0, destination)),
                false => (VEX_Vinsertf128_ymm_ymm_xmmm128_imm8, nth(Register::YMM0, destination)),
            };
            self.lanes.push(Instruction::with4(code, to, to, xmm(result), 0)?);
        } else if !fma.scalar {
            let (code, class) = match (fma.width(), self.wide()) {
                (16, true) => ([EVEX_Vmovaps_xmm_k1z_xmmm128, EVEX_Vmovapd_xmm_k1z_xmmm128], Register::XMM0),
                (32, true) => ([EVEX_Vmovaps_ymm_k1z_ymmm256, EVEX_Vmovapd_ymm_k1z_ymmm256], Register::YMM0),
                (_, true) => ([EVEX_Vmovaps_zmm_k1z_zmmm512, EVEX_Vmovapd_zmm_k1z_zmmm512], Register::ZMM0),
                (16, false) => ([VEX_Vmovaps_xmm_xmmm128, VEX_Vmovapd_xmm_xmmm128], Register::XMM0),
                (_, false) => ([VEX_Vmovaps_ymm_ymmm256, VEX_Vmovapd_ymm_ymmm256], Register::YMM0),
            };
            let write = Instruction::with2(code[double], nth(class, destination), nth(class, result))?;
            let write = self.masked(write);
            self.lanes.push(write);
        }
        Ok(())
    }

    /// An instruction under the site's mask.
    fn masked(&self, mut instruction: Instruction) -> Instruction {
        if let Some(mask) = self.fma.mask() {
            instruction.set_op_mask(mask);
            instruction.set_zeroing_masking(self.fma.zeroing());
        }
        instruction
    }

    /// Instructions that set ecx to 0 if the computation does not depend on MXCSR.
    fn test(
        &mut self,
        recipe: Recipe,
        sources: [Option<Vector>; 3],
    ) -> Result<Vec<Instruction>, Unsupported> {
        let (shape, mxcsr) = ((self.fma.width(), self.fma.scalar), self.slot(0));
        Guard::of(recipe, self.fma.element).test(&mut self.lanes, sources, shape, mxcsr)
    }

    /// Instructions with MXCSR's default in force, as far as they depend on it, and the program's again afterwards: with a
    /// test of whether they do, and a scratch vector that is in no other use before them.
    ///
    /// VEX throughout: LDMXCSR in its legacy encoding takes 200 ns or more on Sapphire Rapids while upper halves are in use.
    fn in_default_environment(
        &self,
        code: &mut Assembler,
        test: Option<&[Instruction]>,
        instructions: &[Instruction],
        probe: Vector,
    ) -> Result<(), Unsupported> {
        let slot = self.slot(0);
        let keep = Instruction::with1(Code::VEX_Vstmxcsr_m32, slot)?;
        let change = Instruction::with1(Code::VEX_Vldmxcsr_m32, self.lanes.constant(Constant::Mxcsr))?;
        let back = Instruction::with1(Code::VEX_Vldmxcsr_m32, slot)?;
        if !self.wide() {
            // The instructions round, trap and raise flags as MXCSR says: the flags are put back in any case.
            code.emit(keep)?;
            code.unless_any_is_0(test.as_slice(), &[change])?;
            for &instruction in instructions {
                code.emit(instruction)?;
            }
            return code.emit(back);
        }
        // The instructions round and trap as they say themselves, but flush as MXCSR says. Twice the least subnormal is 0
        // if either inputs or results are flushed.
        let probe = nth(Register::XMM0, probe);
        let load = |constant| self.lanes.constant(constant);
        let mut sum = Instruction::with3(Code::EVEX_Vaddss_xmm_k1z_xmm_xmmm32_er, probe, probe, probe)?;
        sum.set_rounding_control(RoundingControl::RoundToNearest);
        let twice = load(Constant::TwiceLeast);
        let flushes = [
            Instruction::with2(Code::EVEX_Vmovss_xmm_k1z_m32, probe, load(Constant::Least))?,
            sum,
            Instruction::with3(Code::EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32, probe, probe, twice)?,
            Instruction::with2(Code::EVEX_Vmovd_rm32_xmm, Register::ECX, probe)?,
        ];
        let conditions: Vec<&[Instruction]> = test.into_iter().chain([&flushes[..]]).collect();
        code.unless_any_is_0(&conditions, &[keep, change])?;
        for &instruction in instructions {
            code.emit(instruction)?;
        }
        code.unless_rcx_is_0(&[back])
    }
}
