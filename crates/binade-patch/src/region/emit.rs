//! A lowered region as bytes: constants, code, ways in and out, and a table of addresses.
//!
//! The frame is that of the thread's [workspace](crate::workspace): the slots, then 64 bytes for MXCSR, rcx and a mask
//! register.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use iced_x86::{Code, Encoder, FlowControl, Instruction, MemoryOperand, OpKind, Register};

use super::graph::{Graph, Vectors};
use super::ir::{CONSTANTS, Constant, Opcode, Operation, Place, Resources, Width};
use super::lower::{Destination, Exit, Held, Item, Rule, Slots};
use super::narrow;
use super::quick::Quick;
use super::refusal::Refusal;
use super::types::{Address, Entry, Request, Stage};
use crate::check::{Check, Event};
use crate::fma::Fma;
use crate::trampoline::{self, Place as Single, ProgramRounding, Track};
use crate::workspace::{self, Field};

/// MXCSR of the default environment, and the place of its bits other than exception flags.
pub(super) const MXCSR: u32 = 0x1f80;
pub(super) const MXCSR_CONTROL: u32 = 6;
/// Exception flags of MXCSR: overflow, underflow, inexact; and all.
const OVERFLOW: u32 = 1 << 3;
const UNDERFLOW: u32 = 1 << 4;
pub(super) const INEXACT: u32 = 1 << 5;
const FLAGS: u32 = 0x3f;
/// Offsets behind the slots.
pub(super) const SAVED_MXCSR: i64 = 0;
pub(super) const SAVED_RCX: i64 = 8;
const SAVED_MASK: i64 = 16;
pub(super) const CURRENT_MXCSR: i64 = 24;
/// Of a region with a quick copy: where the other one starts, rax on the way in, and flags.
pub(super) const RESUME: i64 = 32;
pub(super) const SAVED_RAX: i64 = 40;
pub(super) const SAVED_FLAGS: i64 = 48;
const AUXILIARY: i64 = 64;

/// The bytes that the constants take ahead of the code, which then starts on a cache line.
pub(super) const POOL: usize = 128;

/// Bytes being made at an address.
pub(super) struct Emitter {
    encoder: Encoder,
    pub(super) at: u64,
    pub(super) bytes: Vec<u8>,
    pub(super) addresses: Vec<Address>,
    pub(super) labels: Vec<Option<usize>>,
    /// Ends of 32-bit displacements to be filled in, and their targets.
    fixups: Vec<(usize, Destination)>,
    pub(super) position: (u64, Stage),
    /// MXCSR within the region.
    mxcsr: u32,
    /// The address of the words of random roundings.
    pub(super) words: u64,
}

/// The parameters that all ways in and out of a region share.
#[derive(Clone)]
pub(super) struct Frame {
    pub(super) resources: Resources,
    /// Registers that the copy uses for itself: temporaries, constants.
    pub(super) scratch: Vec<u8>,
    pub(super) hosts: Vec<(u8, u16)>,
    /// Makes the parts of invariant operands on the way in, with the usual copy's constants.
    pub(super) prologue: Vec<Operation>,
    /// True if the program's own instructions in the region depend on MXCSR.
    pub(super) floats: bool,
    /// True if upper halves of vectors are to be clean behind the region where they are ahead of it.
    pub(super) keeps_clean: bool,
    pub(super) slots: i64,
}

impl Frame {
    /// Its length in bytes with `slots` slots.
    pub(super) fn bytes(slots: i64) -> i64 {
        64 * slots + AUXILIARY
    }

    /// Returns true if a register is among `hosts`.
    pub(super) fn hosts_register(&self, register: u8) -> bool {
        self.hosts.iter().any(|&(host, _)| host == register)
    }

    /// Offset from the frame's start at which rcx is saved on entry.
    pub(super) fn saved_rcx(&self) -> u64 {
        (64 * self.slots + SAVED_RCX) as u64
    }

    /// Checks that the copy's own instructions store within the frame.
    fn holds_stores_of(&self, instructions: &[Instruction]) -> Outcome<()> {
        let outside = |instruction: &&Instruction| {
            let from = instruction.memory_displacement64() as i64;
            let end = from + instruction.memory_size().size() as i64;
            let within = from >= 0 && end <= Frame::bytes(self.slots) && end <= workspace::FRAME_BYTES;
            instruction.op0_kind() == OpKind::Memory
                && !(within && instruction.memory_base() == self.resources.frame)
        };
        match instructions.iter().find(outside) {
            Some(_) => Err(Refusal::Slots(self.slots)),
            None => Ok(()),
        }
    }

    pub(super) fn auxiliary(&self, offset: i64) -> MemoryOperand {
        MemoryOperand::with_base_displ(self.resources.frame, 64 * self.slots + offset)
    }
}

pub(super) type Outcome<T> = Result<T, Refusal>;

impl Emitter {
    /// With the constants of a machine with AVX-512, those of one without if it is one, and words.
    pub(super) fn new(at: u64, rule: Rule, narrow: bool, words: &[u32]) -> Emitter {
        let mxcsr = mxcsr(rule);
        let mut bytes: Vec<u8> = Constant::ALL.iter().flat_map(|c| c.value().to_le_bytes()).collect();
        bytes.extend(mxcsr.to_le_bytes());
        bytes.resize(MASK_AT, 0);
        bytes.extend(0xaaaa_aaaa_u64.to_le_bytes());
        bytes.extend(flags(rule).to_le_bytes());
        bytes.extend((MXCSR | INEXACT).to_le_bytes());
        bytes.extend(INEXACT.to_le_bytes());
        bytes.resize(POOL, 0);
        if narrow {
            bytes.extend(narrow::pool());
        }
        let words_at = at + bytes.len() as u64;
        bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        Emitter {
            encoder: Encoder::new(64),
            at,
            bytes,
            addresses: Vec::new(),
            labels: Vec::new(),
            fixups: Vec::new(),
            position: (0, Stage::Running),
            mxcsr,
            words: words_at,
        }
    }

    pub(super) fn here(&self) -> u64 {
        self.at + self.bytes.len() as u64
    }

    fn push(&mut self, instruction: &Instruction) -> Outcome<()> {
        let (original, stage) = self.position;
        if self.addresses.last().is_none_or(|last| (last.original, last.stage) != (original, stage)) {
            self.addresses.push(Address { offset: self.bytes.len() as u32, original, stage });
        }
        self.encoder.encode(instruction, self.here()).map_err(|_| Refusal::Encoding)?;
        self.bytes.extend(self.encoder.take_buffer());
        Ok(())
    }

    pub(super) fn make(&mut self, instruction: Result<Instruction, iced_x86::IcedError>) -> Outcome<()> {
        self.push(&instruction.map_err(|_| Refusal::Encoding)?)
    }

    /// A jump that is filled in later.
    pub(super) fn branch(&mut self, code: Code, target: Destination) -> Outcome<()> {
        // Any address within reach.
        self.make(Instruction::with_branch(code, self.here()))?;
        self.fixups.push((self.bytes.len(), target));
        Ok(())
    }

    fn operation(&mut self, frame: &Frame, operation: &Operation) -> Outcome<()> {
        let mut instructions = Vec::new();
        frame.resources.lower(operation, &mut instructions).map_err(|_| Refusal::Encoding)?;
        if !matches!(operation.opcode, Opcode::Guest(_)) {
            frame.holds_stores_of(&instructions)?;
        }
        instructions.iter().try_for_each(|instruction| self.push(instruction))
    }

    pub(super) fn plain(
        &mut self,
        frame: &Frame,
        opcode: Opcode,
        to: Place,
        from: [Option<Place>; 2],
    ) -> Outcome<()> {
        self.operation(
            frame,
            &Operation { opcode, width: Width::Zmm, to: Some(to), from, origin: 0, task: 0 },
        )
    }

    fn align(&mut self, to: usize) {
        while !self.bytes.len().is_multiple_of(to) {
            let gap = (to - self.bytes.len() % to).min(NOPS.len());
            self.bytes.extend(NOPS[gap - 1]);
        }
    }

    /// A label of the emitter's own, behind those of items.
    pub(super) fn label_of_its_own(&mut self) -> usize {
        self.labels.push(None);
        self.labels.len() - 1
    }

    /// The code itself.
    pub(super) fn body(
        &mut self,
        graph: &Graph,
        frame: &Frame,
        items: &[Item],
        check: Option<&Check>,
    ) -> Outcome<()> {
        for (number, item) in items.iter().enumerate() {
            match item {
                Item::Label(label) => {
                    let reached = number > 0
                        && !matches!(items[number - 1], Item::Branch { code: Code::Jmp_rel32_64, .. });
                    if !reached {
                        self.align(32);
                    }
                    if self.labels.len() <= *label {
                        self.labels.resize(label + 1, None);
                    }
                    self.labels[*label] = Some(self.bytes.len());
                }
                Item::Operation(operation) => {
                    self.position = (graph.instructions[operation.origin].ip(), Stage::Running);
                    if let (Opcode::Guest(instruction), Some(check)) = (operation.opcode, check)
                        && graph.effects[operation.origin].stores
                    {
                        self.event(check, Event::Store(instruction))?;
                    }
                    self.operation(frame, operation)?;
                }
                Item::Branch { code, target, origin } => {
                    self.position = (graph.instructions[*origin].ip(), Stage::Running);
                    self.branch(*code, *target)?;
                }
            }
        }
        Ok(())
    }

    /// A way in, at the instruction at `original`: to a label, or where MXCSR does not allow that, to `fallback`.
    pub(super) fn entry(
        &mut self,
        slots: &mut Slots,
        frame: &Frame,
        (original, live): (u64, Vectors),
        label: usize,
        quick: Option<(&Quick, usize)>,
        fallback: u64,
    ) -> Outcome<Entry> {
        self.align(16);
        self.position = (original, Stage::Entering);
        let resume = self.here();
        if quick.is_some() {
            self.begin(frame, frame, label)?;
            self.align(16);
        }
        self.position = (original, Stage::Outside);
        let entry = Entry { original, offset: self.bytes.len() as u32 };
        let base = frame.resources.frame;
        self.make(Field::Pointer.keep(base))?;
        if frame.keeps_clean {
            self.probe_uppers()?;
        }
        self.position.1 = Stage::Saved;
        self.make(Field::Frame.load(base))?;
        // MXCSR shifted right by its flags and less the region's is 0 where it need not change. No flag is touched.
        self.make(Instruction::with1(Code::VEX_Vstmxcsr_m32, frame.auxiliary(SAVED_MXCSR)))?;
        let saved = frame.auxiliary(SAVED_RCX);
        self.make(Instruction::with2(Code::Mov_rm64_r64, saved, Register::RCX))?;
        self.position.1 = Stage::Entering;
        let (control, shift) = (frame.auxiliary(SAVED_MXCSR), MXCSR_CONTROL);
        self.make(Instruction::with3(Code::VEX_Rorx_r32_rm32_imm8, Register::ECX, control, shift))?;
        self.make(Instruction::with2(Code::Movzx_r32_rm16, Register::ECX, Register::CX))?;
        let less = MemoryOperand::with_base_displ(Register::RCX, -((self.mxcsr >> MXCSR_CONTROL) as i64));
        self.make(Instruction::with2(Code::Lea_r32_m, Register::ECX, less))?;
        self.make(Instruction::with_branch(Code::Jrcxz_rel8_64, self.here()))?;
        let jump = self.bytes.len();
        if frame.floats {
            self.restore_general(frame)?;
            self.make(Instruction::with_branch(Code::Jmp_rel32_64, fallback))?;
            self.position.1 = Stage::Entering;
        } else {
            self.unless_masked(frame, fallback)?;
            let default = MemoryOperand::with_base_displ(Register::RIP, (self.at + MXCSR_AT as u64) as i64);
            self.make(Instruction::with1(Code::VEX_Vldmxcsr_m32, default))?;
        }
        self.bytes[jump - 1] = (self.bytes.len() - jump) as u8;
        self.make(Instruction::with2(Code::Mov_r64_rm64, Register::RCX, saved))?;
        for &(register, slot) in &frame.hosts {
            self.plain(frame, Opcode::Move, Place::Slot(slot), [Some(Place::Register(register)), None])?;
            if let Some(before) = quick.and_then(|(quick, _)| quick.before(register)) {
                let before = Place::Slot(before);
                self.plain(frame, Opcode::Move, before, [Some(Place::Register(register)), None])?;
            }
        }
        for &register in frame.scratch.iter().filter(|&&r| live >> r & 1 == 1) {
            if !frame.hosts_register(register) {
                let slot = Place::Slot(slots.of(Held::Saved(register)));
                self.plain(frame, Opcode::Move, slot, [Some(Place::Register(register)), None])?;
            }
        }
        if let Some(mask) = frame.resources.odd {
            let saved = frame.auxiliary(SAVED_MASK);
            self.make(Instruction::with2(Code::VEX_Kmovq_m64_kr, saved, mask))?;
            let odd = MemoryOperand::with_base_displ(Register::RIP, (self.at + MASK_AT as u64) as i64);
            self.make(Instruction::with2(Code::VEX_Kmovq_kr_km64, mask, odd))?;
        }
        if frame.resources.narrow.is_none() {
            // The constants through a register that the copy has for itself, in one load and store.
            let (&first, pool) =
                frame.scratch.first().zip(Some(self.at)).ok_or(Refusal::VectorRegisters(0))?;
            let pool = MemoryOperand::with_base_displ(Register::RIP, pool as i64);
            let through = Width::Zmm.register(first);
            self.make(Instruction::with2(Code::EVEX_Vmovups_zmm_k1z_zmmm512, through, pool))?;
            self.plain(frame, Opcode::Move, Place::Slot(CONSTANTS), [Some(Place::Register(first)), None])?;
        }
        match quick {
            Some((quick, label)) => self.try_quick(frame, quick, (live, label), resume)?,
            None => self.begin(frame, frame, label)?,
        }
        Ok(entry)
    }

    /// Keeps in the workspace whether upper halves of vectors are in use.
    fn probe_uppers(&mut self) -> Outcome<()> {
        let kept = [
            (Field::Counter, Register::RCX),
            (Field::ProbedA, Register::RAX),
            (Field::ProbedD, Register::RDX),
        ];
        kept.into_iter().try_for_each(|(field, register)| self.make(field.keep(register)))?;
        self.position.1 = Stage::Probing;
        let probe = trampoline::uppers_in_use().map_err(|_| Refusal::Encoding)?;
        probe.iter().try_for_each(|instruction| self.push(instruction))
    }

    /// Cleans the upper halves of vectors if they were clean on the way in. No flag is touched.
    fn clean_uppers(&mut self, frame: &Frame) -> Outcome<()> {
        let saved = frame.auxiliary(SAVED_RCX);
        self.make(Instruction::with2(Code::Mov_rm64_r64, saved, Register::RCX))?;
        self.position.1 = Stage::Deciding;
        self.make(Field::Uppers.load(Register::RCX))?;
        self.make(Instruction::with_branch(Code::Jrcxz_rel8_64, self.here()))?;
        let clean = self.bytes.len();
        self.make(Instruction::with_branch(Code::Jmp_rel8_64, self.here()))?;
        let in_use = self.bytes.len();
        self.make(Ok(Instruction::with(Code::VEX_Vzeroupper)))?;
        self.bytes[clean - 1] = (in_use - clean) as u8;
        self.bytes[in_use - 1] = (self.bytes.len() - in_use) as u8;
        self.make(Instruction::with2(Code::Mov_r64_rm64, Register::RCX, saved))?;
        self.position.1 = Stage::Leaving;
        Ok(())
    }

    /// Constants and invariant operands into their registers, and on to a label of the copy that has `frame`.
    pub(super) fn begin(&mut self, usual: &Frame, frame: &Frame, label: usize) -> Outcome<()> {
        if !usual.prologue.is_empty() {
            self.constants(usual)?;
            usual.prologue.iter().try_for_each(|operation| self.operation(usual, operation))?;
        }
        if usual.prologue.is_empty() || usual.resources.resident != frame.resources.resident {
            self.constants(frame)?;
        }
        self.branch(Code::Jmp_rel32_64, Destination::Label(label))
    }

    /// Constants into their registers.
    fn constants(&mut self, frame: &Frame) -> Outcome<()> {
        frame.resources.resident.iter().try_for_each(|&(constant, register)| {
            self.plain(frame, Opcode::Broadcast(constant), Place::Register(register), [None, None])
        })
    }

    /// Goes to the multiply-add's own code unless MXCSR masks all exceptions: there they trap. Takes rcx and touches no flag.
    fn unless_masked(&mut self, frame: &Frame, fallback: u64) -> Outcome<()> {
        /// The masks, from bit 7 on, shifted to the upper end of 32 bits, of which the highest byte is taken.
        const SHIFTS: [u32; 2] = [7, 6];
        const ALL: i64 = 0xfc;
        let control = frame.auxiliary(SAVED_MXCSR);
        let stage = self.position.1;
        self.make(Instruction::with3(Code::VEX_Rorx_r32_rm32_imm8, Register::ECX, control, SHIFTS[0]))?;
        self.make(Instruction::with2(Code::Movzx_r32_rm8, Register::ECX, Register::CL))?;
        let (ecx, right) = (Register::ECX, Code::VEX_Rorx_r32_rm32_imm8);
        self.make(Instruction::with3(right, ecx, ecx, SHIFTS[1]))?;
        self.make(Instruction::with1(Code::Bswap_r32, Register::ECX))?;
        self.make(Instruction::with2(Code::Movzx_r32_rm8, Register::ECX, Register::CL))?;
        let less = MemoryOperand::with_base_displ(Register::RCX, -ALL);
        self.make(Instruction::with2(Code::Lea_r32_m, Register::ECX, less))?;
        self.make(Instruction::with_branch(Code::Jrcxz_rel8_64, self.here()))?;
        let jump = self.bytes.len();
        self.make(Instruction::with2(Code::Mov_r64_rm64, Register::RCX, frame.auxiliary(SAVED_RCX)))?;
        self.make(Field::Pointer.load(frame.resources.frame))?;
        self.position.1 = Stage::Outside;
        self.make(Instruction::with_branch(Code::Jmp_rel32_64, fallback))?;
        self.position.1 = stage;
        self.bytes[jump - 1] = (self.bytes.len() - jump) as u8;
        Ok(())
    }

    fn restore_general(&mut self, frame: &Frame) -> Outcome<()> {
        let saved = frame.auxiliary(SAVED_RCX);
        if frame.floats && self.position.1 == Stage::Entering {
            self.make(Instruction::with2(Code::Mov_r64_rm64, Register::RCX, saved))?;
        }
        self.make(Field::Pointer.load(frame.resources.frame))?;
        self.position.1 = Stage::Outside;
        Ok(())
    }

    /// The program's values of temporaries that are read behind a way out, but for those that hosts put back.
    fn restore_scratch(&mut self, slots: &mut Slots, frame: &Frame, exit: &Exit) -> Outcome<()> {
        let read = |register: u8| exit.live >> register & 1 == 1;
        for &register in frame.scratch.iter().filter(|&&r| read(r) && !frame.hosts_register(r)) {
            let slot = Place::Slot(slots.of(Held::Saved(register)));
            self.plain(frame, Opcode::Move, Place::Register(register), [Some(slot), None])?;
        }
        Ok(())
    }

    /// A way out, to the code that stands for the program's.
    pub(super) fn exit(
        &mut self,
        slots: &mut Slots,
        frame: &Frame,
        exit: &Exit,
        to: u64,
        check: Option<&Check>,
    ) -> Outcome<usize> {
        if frame.resources.narrow.is_some() {
            return self.narrow_exit(slots, frame, exit, to, check);
        }
        self.position = (exit.address, Stage::Leaving);
        let start = self.bytes.len();
        // A temporary that is no hosted register, or else the hosted one whose value is put back last.
        let own = frame.scratch.iter().copied().find(|&r| !frame.hosts_register(r));
        let last = if own.is_none() { frame.hosts.last().copied() } else { None };
        let spare = own.or(last.map(|(register, _)| register)).ok_or(Refusal::VectorRegisters(0))?;
        if let Some((register, slot)) = last.filter(|&(register, _)| exit.loose >> register & 1 == 1) {
            // Another one, whose value is not yet put back, helps it.
            let other = frame.hosts.iter().map(|&(host, _)| host).find(|&host| host != register);
            let other = Place::Register(other.ok_or(Refusal::VectorRegisters(0))?);
            self.plain(frame, Opcode::Move, other, [Some(Place::Slot(slot)), None])?;
            self.canonical(frame, register, other)?;
            self.plain(frame, Opcode::Move, Place::Slot(slot), [Some(Place::Register(register)), None])?;
        }
        for &(register, slot) in frame.hosts.iter().filter(|&&(register, _)| register != spare) {
            self.plain(frame, Opcode::Move, Place::Register(register), [Some(Place::Slot(slot)), None])?;
        }
        for register in (0..32).filter(|&r| exit.loose >> r & 1 == 1 && r != spare) {
            let home = Place::Register(register);
            self.canonical(frame, spare, home)?;
            self.plain(frame, Opcode::Move, home, [Some(Place::Register(spare)), None])?;
        }
        for register in (0..32).filter(|&r| exit.first >> r & 1 == 1) {
            self.canonical_first(frame, spare, register)?;
        }
        if !frame.floats {
            self.merge_flags(frame, spare)?;
        }
        if let Some((register, slot)) = last {
            self.plain(frame, Opcode::Move, Place::Register(register), [Some(Place::Slot(slot)), None])?;
        }
        self.restore_scratch(slots, frame, exit)?;
        if let Some(mask) = frame.resources.odd {
            let saved = frame.auxiliary(SAVED_MASK);
            self.make(Instruction::with2(Code::VEX_Kmovq_kr_km64, mask, saved))?;
        }
        if frame.keeps_clean {
            self.clean_uppers(frame)?;
        }
        self.restore_general(frame)?;
        self.leave(check, exit, to)?;
        Ok(start)
    }

    /// The same on a machine without AVX-512, where canonical NaNs and flags take two more registers: so every register of
    /// the program is put back after that.
    fn narrow_exit(
        &mut self,
        slots: &mut Slots,
        frame: &Frame,
        exit: &Exit,
        to: u64,
        check: Option<&Check>,
    ) -> Outcome<usize> {
        self.position = (exit.address, Stage::Leaving);
        let start = self.bytes.len();
        let mask = frame.resources.narrow.map(|narrow| narrow.mask);
        let mut free = frame.scratch.iter().copied().filter(|&r| Some(r) != mask);
        let (Some(x), Some(y)) = (free.next(), free.next()) else {
            return Err(Refusal::VectorRegisters(frame.scratch.len()));
        };
        for &(_, slot) in frame.hosts.iter().filter(|&&(register, _)| exit.loose >> register & 1 == 1) {
            self.plain(frame, Opcode::Move, Place::Register(x), [Some(Place::Slot(slot)), None])?;
            self.canonical(frame, y, Place::Register(x))?;
            self.plain(frame, Opcode::Move, Place::Slot(slot), [Some(Place::Register(y)), None])?;
        }
        for register in (0..16).filter(|&r| exit.loose >> r & 1 == 1 && !frame.hosts_register(r)) {
            let home = Place::Register(register);
            self.canonical(frame, y, home)?;
            self.plain(frame, Opcode::Move, home, [Some(Place::Register(y)), None])?;
        }
        for register in (0..16).filter(|&r| exit.first >> r & 1 == 1) {
            self.canonical_first(frame, y, register)?;
        }
        if !frame.floats {
            self.merge_flags_narrow(frame, [x, y])?;
        }
        for &(register, slot) in &frame.hosts {
            self.plain(frame, Opcode::Move, Place::Register(register), [Some(Place::Slot(slot)), None])?;
        }
        self.restore_scratch(slots, frame, exit)?;
        if frame.keeps_clean {
            self.clean_uppers(frame)?;
        }
        self.restore_general(frame)?;
        self.leave(check, exit, to)?;
        Ok(start)
    }

    /// See [`Emitter::merge_flags`].
    fn merge_flags_narrow(&mut self, frame: &Frame, vectors: [u8; 2]) -> Outcome<()> {
        let [x, y] = vectors.map(|vector| Width::Xmm.register(vector));
        let (saved, current) = (frame.auxiliary(SAVED_MXCSR), frame.auxiliary(CURRENT_MXCSR));
        let counted = MemoryOperand::with_base_displ(Register::RIP, (self.at + FLAGS_AT as u64) as i64);
        self.make(Instruction::with1(Code::VEX_Vstmxcsr_m32, current))?;
        self.make(Instruction::with2(Code::VEX_Vmovd_xmm_rm32, x, current))?;
        self.make(Instruction::with2(Code::VEX_Vmovd_xmm_rm32, y, counted))?;
        self.make(Instruction::with3(Code::VEX_Vpand_xmm_xmm_xmmm128, x, x, y))?;
        self.make(Instruction::with2(Code::VEX_Vmovd_xmm_rm32, y, saved))?;
        self.make(Instruction::with3(Code::VEX_Vpor_xmm_xmm_xmmm128, x, x, y))?;
        self.make(Instruction::with2(Code::VEX_Vmovd_rm32_xmm, saved, x))?;
        self.make(Instruction::with1(Code::VEX_Vldmxcsr_m32, saved))
    }

    /// A register's value with the canonical NaN in place of any other.
    fn canonical(&mut self, frame: &Frame, to: u8, value: Place) -> Outcome<()> {
        let to = Place::Register(to);
        self.plain(frame, Opcode::Broadcast(Constant::CanonicalNan), to, [None, None])?;
        self.plain(frame, Opcode::Fixup(Constant::UnlessNan), to, [Some(value), None])
    }

    /// A register with the canonical NaN in place of any other in its first lane.
    fn canonical_first(&mut self, frame: &Frame, spare: u8, register: u8) -> Outcome<()> {
        let home = Place::Register(register);
        self.canonical(frame, spare, home)?;
        let from = [Some(home), Some(Place::Register(spare))];
        let (opcode, width, to) = (Opcode::WithFirstLane, Width::Xmm, Some(home));
        self.operation(frame, &Operation { opcode, width, to, from, origin: 0, task: 0 })
    }

    /// The program's MXCSR, with the exception flags that emulation may raise and did, through a vector that is free: so no
    /// flag of the processor changes.
    fn merge_flags(&mut self, frame: &Frame, spare: u8) -> Outcome<()> {
        let vector = Width::Xmm.register(spare);
        let (saved, current) = (frame.auxiliary(SAVED_MXCSR), frame.auxiliary(CURRENT_MXCSR));
        let counted = MemoryOperand::with_base_displ(Register::RIP, (self.at + FLAGS_AT as u64) as i64);
        self.make(Instruction::with1(Code::VEX_Vstmxcsr_m32, current))?;
        self.make(Instruction::with2(Code::EVEX_Vmovd_xmm_rm32, vector, current))?;
        for (code, operand) in [
            (Code::EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32, counted),
            (Code::EVEX_Vpord_xmm_k1z_xmm_xmmm128b32, saved),
        ] {
            let mut both =
                Instruction::with3(code, vector, vector, operand).map_err(|_| Refusal::Encoding)?;
            both.set_is_broadcast(true);
            self.push(&both)?;
        }
        self.make(Instruction::with2(Code::EVEX_Vmovd_rm32_xmm, saved, vector))?;
        self.make(Instruction::with1(Code::VEX_Vldmxcsr_m32, saved))
    }

    /// A way out, or in, of a region that needs nothing restored.
    pub(super) fn bare_exit(&mut self, exit: &Exit, to: u64, check: Option<&Check>) -> Outcome<usize> {
        self.position = (exit.address, Stage::Leaving);
        let start = self.bytes.len();
        self.leave(check, exit, to)?;
        Ok(start)
    }

    fn leave(&mut self, check: Option<&Check>, exit: &Exit, to: u64) -> Outcome<()> {
        if let Some(check) = check {
            self.event(check, Event::Leave { to, live: exit.live })?;
        }
        self.make(Instruction::with_branch(Code::Jmp_rel32_64, to))
    }

    /// Calls the check's gate on the stack of the thread's workspace: [`crate::snapshot`].
    fn event(&mut self, check: &Check, event: Event) -> Outcome<()> {
        self.make(Field::Stack.keep(Register::RSP))?;
        self.make(Field::Top.load(Register::RSP))?;
        self.make(Instruction::with_branch(Code::Call_rel32_64, check.gate))?;
        self.bytes.extend((check.word)(event).to_le_bytes());
        Ok(())
    }

    /// A way into a checked region, which is at `region` from the start.
    pub(super) fn checked_entry(
        &mut self,
        check: &Check,
        original: u64,
        [reference, region, traced]: [u32; 3],
    ) -> Outcome<Entry> {
        self.align(16);
        self.position = (original, Stage::Outside);
        let entry = Entry { original, offset: self.bytes.len() as u32 };
        let [reference, region, traced] = [reference, region, traced].map(|at| self.at + u64::from(at));
        self.event(check, Event::Enter { original, reference, region, traced })?;
        Ok(entry)
    }

    /// The instructions of a range as the program has them, each multiply-add with code of its own; where each starts.
    pub(super) fn reference(
        &mut self,
        graph: &Graph,
        range: RangeInclusive<usize>,
        request: &Request,
        (check, traced): (&Check, bool),
        tracks: &mut Vec<Track>,
    ) -> Outcome<BTreeMap<usize, u32>> {
        let mut starts = BTreeMap::new();
        let mut jumps: Vec<(usize, u64)> = Vec::new();
        let after = graph.instructions[*range.end()].next_ip();
        for k in range {
            let instruction = graph.instructions[k];
            self.position = (instruction.ip(), Stage::Outside);
            starts.insert(k, self.bytes.len() as u32);
            if instruction.flow_control() != FlowControl::Next {
                let mut near = instruction;
                near.as_near_branch();
                self.make(Instruction::with_branch(near.code(), self.here()))?;
                jumps.push((self.bytes.len(), instruction.near_branch_target()));
                continue;
            }
            if graph.effects[k].stores {
                self.event(check, Event::Store(instruction))?;
            }
            match graph.sites[k] {
                Some(fma) => {
                    if traced {
                        self.event(check, Event::Compute(fma))?;
                    }
                    self.single(&fma, request, check, tracks)?;
                }
                None => self.push(&instruction)?,
            }
        }
        self.make(Instruction::with_branch(Code::Jmp_rel32_64, self.here()))?;
        jumps.push((self.bytes.len(), after));
        let mut exits: BTreeMap<u64, usize> = BTreeMap::new();
        for (end, address) in jumps {
            let inside = graph.at(address).and_then(|k| starts.get(&k).copied());
            let to = match (inside, exits.get(&address)) {
                (Some(at), _) => at as usize,
                (None, Some(&at)) => at,
                (None, None) => {
                    let live = graph.at(address).map_or(!0, |k| graph.live[k]);
                    let to = (request.resume)(address);
                    self.position = (address, Stage::Outside);
                    let at = self.bare_exit(
                        &Exit { address, loose: 0, first: 0, open: 0, live },
                        to,
                        Some(check),
                    )?;
                    exits.insert(address, at);
                    at
                }
            };
            let displacement = to as i64 - end as i64;
            let displacement = i32::try_from(displacement).map_err(|_| Refusal::Encoding)?;
            self.bytes[end - 4..end].copy_from_slice(&displacement.to_le_bytes());
        }
        Ok(starts)
    }

    /// The code of one multiply-add, which goes on behind it.
    fn single(
        &mut self,
        fma: &Fma,
        request: &Request,
        check: &Check,
        tracks: &mut Vec<Track>,
    ) -> Outcome<()> {
        self.align(16);
        let place = Single {
            at: self.here(),
            constants: check.constants,
            gate: check.trampoline_gate,
            tiles: 0,
            site: 0,
            word: (request.word)(fma.instruction.ip()),
            keeps_clean: false,
        };
        let to =
            |then| trampoline::leading_to(fma, request.target, place, then).map_err(|_| Refusal::Encoding);
        // Its length does not depend on where it leads.
        let (code, _) = to(place.at)?;
        let (code, track) = to(place.at + code.len() as u64)?;
        self.addresses.push(Address {
            offset: self.bytes.len() as u32,
            original: fma.instruction.ip(),
            stage: Stage::Outside,
        });
        self.bytes.extend(code);
        tracks.push(track);
        Ok(())
    }

    /// The address of a label.
    pub(super) fn label(&self, label: usize) -> Option<u32> {
        self.labels.get(label).copied().flatten().map(|at| at as u32)
    }

    /// Fills in the jumps.
    pub(super) fn resolve(&mut self, exits: &[usize]) -> Outcome<()> {
        for &(end, target) in &self.fixups {
            let to = match target {
                Destination::Label(label) => self.labels.get(label).copied().flatten(),
                Destination::Exit(exit) => exits.get(exit).copied(),
            };
            let displacement = to.ok_or(Refusal::Encoding)? as i64 - end as i64;
            let displacement = i32::try_from(displacement).map_err(|_| Refusal::Encoding)?;
            self.bytes[end - 4..end].copy_from_slice(&displacement.to_le_bytes());
        }
        Ok(())
    }
}

/// Offsets of MXCSR, the mask and the exception flags among the constants.
pub(super) const MXCSR_AT: usize = 4 * Constant::ALL.len();
const MASK_AT: usize = 64;
const FLAGS_AT: usize = MASK_AT + 8;
/// MXCSR of quick copies, and the mask of its flag.
pub(super) const QUICK_MXCSR_AT: usize = MASK_AT + 12;
pub(super) const INEXACT_AT: usize = MASK_AT + 16;

/// MXCSR within regions of a rule.
fn mxcsr(rule: Rule) -> u32 {
    const DOWN: u32 = 1 << 13;
    const UP: u32 = 1 << 14;
    match rule {
        Rule::Rounded(ProgramRounding::Up) => MXCSR | UP,
        Rule::Rounded(_) => MXCSR | DOWN,
        Rule::Identity | Rule::Parts { .. } => MXCSR,
    }
}

/// The exception flags that the steps of a rule raise where the multiply-add itself does, up to the rounding of its operands:
/// all of a single part. Splitting an infinity is invalid, and the products of lower parts underflow on their own.
fn flags(rule: Rule) -> u32 {
    match rule {
        Rule::Identity | Rule::Rounded(_) | Rule::Parts { inputs: 1, accumulator: 1, .. } => FLAGS,
        Rule::Parts { inputs: 1, .. } => OVERFLOW | UNDERFLOW | INEXACT,
        Rule::Parts { .. } => OVERFLOW | INEXACT,
    }
}

/// Instructions that do nothing, of 1 to 9 bytes.
const NOPS: [&[u8]; 9] = [
    &[0x90],
    &[0x66, 0x90],
    &[0x0f, 0x1f, 0x00],
    &[0x0f, 0x1f, 0x40, 0x00],
    &[0x0f, 0x1f, 0x44, 0x00, 0x00],
    &[0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00],
    &[0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00],
    &[0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
    &[0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00],
];
