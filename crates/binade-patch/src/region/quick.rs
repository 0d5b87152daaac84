//! A second copy of a loop, which rounds to BF16 by two instructions in place of three or four: for data that are neither
//! near overflow nor near underflow, which the processor's exception flags tell in the end.
//!
//! # Rounding
//!
//! γ = RN(65535 · x) lies within half a unit of its own of 65535 · x, so that 65536 · x − γ is x rounded to eight bits: binade-fma,
//! `gemm/veltkamp.rs`, has the proof. It needs that γ does not overflow and that x is zero or normal. What is left of x, and the
//! second part, follow by a subtraction and the same again.
//!
//! The same γ is RN(65536 · x − x), where 65536 · x is exact. So two subtractions do instead of the fused step: three instructions, of
//! which one multiplies, under FMA_1_1 ([`Adders`](super::lower::Adders)). An Emerald Rapids core has a port for additions of 256 bits that does no
//! multiplications and has nothing to do otherwise: every other BF16 of shorter vectors than 512 bits is made like this. AMD's cores
//! have two pipes for additions and two for multiplications: all are. Without AVX-512, where a vector that is loaded serves fewer
//! multiply-adds, so that more factors are rounded, every other factor is left to the fused step: it takes an instruction less, and the
//! pipes for additions would have more to do than the others. The sums are not, for whose results the next multiply-adds wait.
//!
//! The sum of FMA_2_2 stays as it is, *open*, until something other than the next multiply-add reads it, or the loop ends. That
//! saves its second splitting: the leading part of what it would be split into and joined from follows from itself
//! ([`Opcode::WeighSum`]), its second part is what is left, rounded.
//!
//! # When it is right
//!
//! The copy starts with no exception flag but inexact and leaves with a look at them. If another one is set the registers are put
//! back as they were on the way in, and the usual copy does it all again. That nothing was stored meanwhile is what such a loop
//! is chosen by. Otherwise each result is that of the usual copy, for then
//!
//! - no operand of any step was subnormal, or the denormal flag would be set: each x was zero, normal, infinite or NaN. A step
//!   whose result was subnormal either handed it on as an operand, to round it, or was inexact, which sets underflow;
//! - no γ overflowed, or that flag would be set, and no operand was infinite, since 65536 · ∞ − ∞ is invalid;
//! - NaN operands were quiet, or they would be invalid. They make NaN of what they reach, here as there, and ways out make
//!   those canonical;
//! - the last of three products was added exactly: it has 16 bits and is not below what it is added to, which is zero or normal,
//!   so that its own least bit is a binary32's.
//!
//! Flags of the program: with none but inexact set, every step that both copies have raised none but that; and inexact, which
//! γ raises where nothing else may, has to be set on the way in. All programs have it from their first rounding on.
//!
//! Zeros: the leading part of −0 is +0, or −0 by subtractions. Sums of several parts are +0 by definition. FMA_1_1 makes a −0 only from
//! one in C, or by underflow, and passes it on: sums that hold one on the way in are for the usual copy, as are those that are
//! subtracted or read from memory.
//!
//! Where it failed, a thread enters [`PAUSE`] regions in the usual way before it tries again.
//!
//! # Where it pays
//!
//! On Intel's processors the two ports of 512-bit multiply-adds are those of integers as well, and two instructions are better
//! than three. AMD's have other pipes for integers: with AVX-512 FMA_1_1 takes longer this way up to Zen 4 (by fused steps), FMA_2_2 does
//! not. On Zen 5, whose additions are short, three by adders are better for both. Without AVX-512 the usual rounding has five instructions,
//! and three by adders are better.
//!
//! # Registers without AVX-512
//!
//! The usual copy keeps sums in the frame where the program leaves too few of 16 registers free. A sum that is waited for is then waited
//! for a store and a load more. Here a BF16 takes one temporary, and masks none, so that three registers are enough: what the program
//! loads stays in its own register, whose turns the processor tells apart, and sums do in theirs.

use std::ops::RangeInclusive;

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::emit::{
    CURRENT_MXCSR, Emitter, Frame, INEXACT, INEXACT_AT, MXCSR, MXCSR_AT, Outcome, QUICK_MXCSR_AT, RESUME,
    SAVED_FLAGS, SAVED_MXCSR, SAVED_RAX, SAVED_RCX,
};
use super::graph::{Graph, Vectors};
use super::ir::{Constant, Opcode, Place, Resources, Width};
use super::lower::{Destination, Exit, Held, Rule, Slots};
use super::refusal::Refusal;
use super::types::Stage;
use crate::check;
use crate::fma::{Addend, Fma, Operand};
use crate::trampoline::{Level, Target, Units};
use crate::workspace::Field;

/// Regions that a thread enters in the usual way after a quick copy failed.
const PAUSE: i32 = 32;

/// Multiply-adds from which on code without a loop is worth it, by the parts of an input.
const LONG: [usize; 2] = [256, 64];

/// State that is saved on the way in, to begin again.
pub(super) struct Quick {
    /// Vector registers of the program, and their slots.
    vectors: Vec<(u8, u16)>,
    /// General registers that change, a bit each, and the slots of all.
    changed: u16,
    general: [u16; 2],
    /// Mask registers, a bit each, and their slot.
    masks: u8,
    mask_slot: u16,
    /// Registers whose sums must not be −0.
    signed: Vectors,
    /// Constants in the registers of the usual copy's.
    resident: Vec<(Constant, u8)>,
    /// Registers of the program that live in the frame in the usual copy, and those of them that do in this one.
    hosted: [Vectors; 2],
    inputs: usize,
    /// The label of what begins the usual copy again.
    pub(super) fail: usize,
}

/// The parts of an input under a rule that such copies are made for and pay under.
fn inputs(rule: Rule, target: &Target) -> Option<usize> {
    match rule {
        Rule::Parts { inputs: 1, accumulator: 1, listing: false, .. }
            if target.units != Units::Apart || target.level == Level::Avx2 =>
        {
            Some(1)
        }
        Rule::Parts { inputs: 2, accumulator: 2, listing: false, .. } => Some(2),
        _ => None,
    }
}

/// Fewest multiply-adds for which code without a loop is worth such a copy; `None` if no number is.
pub(super) fn long(rule: Rule, target: &Target) -> Option<usize> {
    inputs(rule, target).map(|inputs| LONG[inputs - 1])
}

impl Quick {
    /// For a range of instructions with some entries, if they can have such a copy and it pays.
    pub(super) fn of(
        graph: &Graph,
        range: RangeInclusive<usize>,
        (rule, target): (Rule, &Target),
        entries: &[usize],
        hosted: [Vectors; 2],
        slots: &mut Slots,
    ) -> Option<Quick> {
        let inputs = inputs(rule, target)?;
        let sites = || range.clone().filter_map(|k| graph.sites[k].as_ref());
        if !graph.is_loop(&range) && sites().count() < LONG[inputs - 1] {
            return None;
        }
        let repeatable = |k: usize| {
            let effects = &graph.effects[k];
            !effects.stores && check::is_repeatable(&graph.instructions[k], false)
        };
        let other = |fma: &Fma| fma.scalar || fma.addend != Addend::Add;
        if !range.clone().all(repeatable) || sites().any(other) {
            return None;
        }
        let mut signed = 0;
        if inputs == 1 {
            for fma in sites() {
                match fma.c() {
                    Operand::Register(register) => signed |= 1 << register.number(),
                    _ => return None,
                }
            }
            let others = range.clone().filter(|&k| graph.sites[k].is_none());
            if others.fold(0, |set, k| set | graph.effects[k].writes) & signed != 0 {
                return None;
            }
        }
        let live = entries.iter().fold(0, |set, &k| set | graph.live[k]);
        let (mut used, mut changed, mut masks) = (0, 0, 0);
        for k in range {
            let effects = &graph.effects[k];
            used |= effects.reads | effects.writes;
            changed |= effects.changes;
            masks |= effects.masks;
        }
        let vectors = (0..32).filter(|r| (used & live) >> r & 1 == 1);
        Some(Quick {
            vectors: vectors.map(|r| (r, slots.of(Held::Before(r)))).collect(),
            changed,
            general: [0, 1].map(|half| slots.of(Held::General(half))),
            masks,
            mask_slot: slots.of(Held::Masks),
            signed: signed & live,
            resident: Vec::new(),
            hosted,
            inputs,
            fail: 0,
        })
    }

    /// The constants that are in registers, given those of the usual copy.
    pub(super) fn keep(&mut self, usual: &Resources) {
        use Constant::{Back, Parity, Spread, SumWeights};
        let constants: &[Constant] = match (self.inputs, usual.vnni) {
            (1, _) => &[Spread, Back],
            // VPMADDWD cannot broadcast.
            (_, false) => &[SumWeights, Spread, Back, Parity],
            (_, true) => &[Spread, Back, SumWeights, Parity],
        };
        let registers = usual.resident.iter().map(|&(_, register)| register);
        self.resident = constants.iter().copied().zip(registers).collect();
    }

    /// The frame as the copy uses it.
    pub(super) fn frame(&self, usual: &Frame) -> Frame {
        let mut frame = usual.clone();
        frame.resources.resident.clone_from(&self.resident);
        let [usual, own] = self.hosted;
        let at_home = |register: u8| (usual & !own) >> register & 1 == 1;
        frame.hosts.retain(|&(register, _)| !at_home(register));
        frame.scratch.retain(|&register| !at_home(register));
        frame
    }

    /// The slot of a register of the program as it was on the way in.
    pub(super) fn before(&self, register: u8) -> Option<u16> {
        self.vectors.iter().find(|&&(r, _)| r == register).map(|&(_, slot)| slot)
    }

    fn general(&self, frame: &Frame, number: u8) -> MemoryOperand {
        frame.resources.within(self.general[usize::from(number / 8)], 8 * (number % 8))
    }

    fn changed(&self) -> impl Iterator<Item = u8> + use<> {
        let changed = self.changed;
        (0..16).filter(move |n| changed >> n & 1 == 1)
    }

    fn masks(&self, frame: &Frame) -> Vec<(Register, MemoryOperand)> {
        let touched = (0..8u8).filter(|n| self.masks >> n & 1 == 1);
        touched
            .map(|n| (Register::K0 + u32::from(n), frame.resources.within(self.mask_slot, 8 * n)))
            .collect()
    }
}

impl Emitter {
    fn constant_at(&self, offset: usize) -> MemoryOperand {
        MemoryOperand::with_base_displ(Register::RIP, (self.at + offset as u64) as i64)
    }

    /// Goes on if rcx is 0, and else to a label. No flag is touched.
    fn unless_zero(&mut self, label: usize) -> Outcome<()> {
        self.make(Instruction::with_branch(Code::Jrcxz_rel8_64, self.here()))?;
        let from = self.bytes.len();
        self.branch(Code::Jmp_rel32_64, Destination::Label(label))?;
        self.bytes[from - 1] = (self.bytes.len() - from) as u8;
        Ok(())
    }

    /// The end of a way in, where some registers are live: to the quick copy, or if that is not to be tried, to `resume`.
    pub(super) fn try_quick(
        &mut self,
        frame: &Frame,
        quick: &Quick,
        (live, label): (Vectors, usize),
        resume: u64,
    ) -> Outcome<()> {
        let original = self.position.0;
        let saved = frame.auxiliary(SAVED_RCX);
        let usual = self.label_of_its_own();
        self.position = (original, Stage::Entering);
        self.make(Field::Pause.load(Register::RCX))?;
        self.make(Instruction::with_branch(Code::Jrcxz_rel8_64, self.here()))?;
        let from = self.bytes.len();
        let less = MemoryOperand::with_base_displ(Register::RCX, -1);
        self.make(Instruction::with2(Code::Lea_r64_m, Register::RCX, less))?;
        self.make(Field::Pause.keep(Register::RCX))?;
        self.branch(Code::Jmp_rel32_64, Destination::Label(usual))?;
        self.bytes[from - 1] = (self.bytes.len() - from) as u8;
        // The flag of inexact results, to be 1.
        self.make(Instruction::with2(Code::Mov_r32_rm32, Register::ECX, frame.auxiliary(SAVED_MXCSR)))?;
        let flag = self.constant_at(INEXACT_AT);
        self.make(Instruction::with3(Code::VEX_Pext_r32_r32_rm32, Register::ECX, Register::ECX, flag))?;
        self.make(Instruction::with2(Code::Lea_r32_m, Register::ECX, less))?;
        self.unless_zero(usual)?;
        let own = quick.frame(frame);
        if quick.signed & live != 0 {
            self.look_for_negative_zeros(&own, quick, live)?;
            self.unless_zero(usual)?;
        }
        for &(register, slot) in quick.vectors.iter().filter(|&&(r, _)| !frame.hosts_register(r)) {
            self.plain(frame, Opcode::Move, Place::Slot(slot), [Some(Place::Register(register)), None])?;
        }
        for (mask, slot) in quick.masks(frame) {
            self.make(Instruction::with2(Code::VEX_Kmovq_m64_kr, slot, mask))?;
        }
        self.make(Instruction::with2(Code::Mov_r64_rm64, Register::RCX, saved))?;
        for number in quick.changed() {
            let register = Register::RAX + u32::from(number);
            self.make(Instruction::with2(Code::Mov_rm64_r64, quick.general(frame, number), register))?;
        }
        // rcx by itself, since ways out of the copy use its place.
        self.make(Instruction::with2(Code::Mov_rm64_r64, quick.general(frame, 1), Register::RCX))?;
        let (rax, flags) = (frame.auxiliary(SAVED_RAX), frame.auxiliary(SAVED_FLAGS));
        self.make(Instruction::with2(Code::Mov_rm64_r64, rax, Register::RAX))?;
        self.position.1 = Stage::Flags;
        self.make(Ok(Instruction::with(Code::Lahf)))?;
        self.make(Instruction::with1(Code::Seto_rm8, Register::AL))?;
        self.make(Instruction::with2(Code::Mov_rm64_r64, flags, Register::RAX))?;
        self.make(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, rax))?;
        self.position.1 = Stage::Entering;
        let again = MemoryOperand::with_base_displ(Register::RIP, resume as i64);
        self.make(Instruction::with2(Code::Lea_r64_m, Register::RCX, again))?;
        self.make(Instruction::with2(Code::Mov_rm64_r64, frame.auxiliary(RESUME), Register::RCX))?;
        self.make(Instruction::with2(Code::Mov_r64_rm64, Register::RCX, saved))?;
        self.make(Instruction::with1(Code::VEX_Vldmxcsr_m32, self.constant_at(QUICK_MXCSR_AT)))?;
        self.begin(frame, &own, label)?;
        self.labels[usual] = Some(self.bytes.len());
        self.make(Instruction::with2(Code::Mov_r64_rm64, Register::RCX, saved))?;
        self.make(Instruction::with_branch(Code::Jmp_rel32_64, resume))
    }

    /// rcx is 0 if no sum on the way in is −0, which is the least of all integers.
    fn look_for_negative_zeros(&mut self, frame: &Frame, quick: &Quick, live: Vectors) -> Outcome<()> {
        let narrow = frame.resources.narrow.as_ref();
        let width = if narrow.is_some() { Width::Ymm } else { Width::Zmm };
        let (least, copy) = match narrow {
            Some(_) => (Code::VEX_Vpminsd_ymm_ymm_ymmm256, Code::VEX_Vmovaps_ymm_ymmm256),
            None => (Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vmovaps_zmm_k1z_zmmm512),
        };
        let first = frame.scratch.first().ok_or(Refusal::VectorRegisters(0))?;
        let sum = width.register(*first);
        let sums = quick.vectors.iter().filter(|&&(r, _)| (quick.signed & live) >> r & 1 == 1);
        for (number, &(register, slot)) in sums.enumerate() {
            let place = frame.resources.slot(slot);
            self.make(match (number, frame.hosts_register(register)) {
                (0, true) => Instruction::with2(copy, sum, place),
                (0, false) => Instruction::with2(copy, sum, width.register(register)),
                (_, true) => Instruction::with3(least, sum, sum, place),
                (_, false) => Instruction::with3(least, sum, sum, width.register(register)),
            })?;
        }
        if let Some(narrow) = narrow {
            let sign = narrow.constant(Constant::Sign);
            self.make(Instruction::with3(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, sum, sum, sign))?;
            return self.make(Instruction::with2(Code::VEX_Vmovmskps_r32_ymm, Register::ECX, sum));
        }
        let (mask, kept) = (Register::K1, frame.auxiliary(RESUME));
        self.make(Instruction::with2(Code::VEX_Kmovq_m64_kr, kept, mask))?;
        let sign = frame.resources.constant(Constant::Sign);
        let mut equal = Instruction::with3(Code::EVEX_Vpcmpeqd_kr_k1_zmm_zmmm512b32, mask, sum, sign)
            .map_err(|_| Refusal::Encoding)?;
        equal.set_is_broadcast(true);
        self.make(Ok(equal))?;
        self.make(Instruction::with2(Code::VEX_Kmovw_r32_kr, Register::ECX, mask))?;
        self.make(Instruction::with2(Code::VEX_Kmovq_kr_km64, mask, kept))
    }

    /// A way out of the quick copy: to the program, or to where the usual copy begins.
    pub(super) fn quick_exit(
        &mut self,
        slots: &mut Slots,
        frame: &Frame,
        quick: &Quick,
        exit: &Exit,
        to: (u64, Option<&check::Check>),
    ) -> Outcome<usize> {
        let start = self.bytes.len();
        self.position = (exit.address, Stage::Leaving);
        let kept = |r: &u8| frame.resources.resident.iter().any(|(_, resident)| resident == r);
        let mask = frame.resources.narrow.as_ref().map(|narrow| narrow.mask);
        let mut free =
            frame.scratch.iter().copied().filter(|r| !kept(r) && Some(*r) != mask).map(Place::Register);
        let spare = [free.next(), free.next(), free.next()];
        for register in (0..32).filter(|r| exit.open >> r & 1 == 1) {
            let [Some(x), Some(head), Some(spread)] = spare else {
                return Err(Refusal::VectorRegisters(frame.scratch.len()));
            };
            let host = frame.hosts.iter().find(|&&(host, _)| host == register);
            let home = host.map_or(Place::Register(register), |&(_, slot)| Place::Slot(slot));
            let sum = if host.is_some() { x } else { home };
            if sum != home {
                self.plain(frame, Opcode::Move, sum, [Some(home), None])?;
            }
            self.plain(frame, Opcode::Scale(Constant::Spread), head, [Some(sum), None])?;
            self.plain(frame, Opcode::ScaleAdd(Constant::Back), head, [Some(sum), None])?;
            self.plain(frame, Opcode::Subtract, sum, [Some(sum), Some(head)])?;
            self.plain(frame, Opcode::Scale(Constant::Spread), spread, [Some(sum), None])?;
            self.plain(frame, Opcode::ScaleTo(Constant::Back), sum, [Some(spread), None])?;
            self.plain(frame, Opcode::Add, sum, [Some(head), Some(sum)])?;
            if sum != home {
                self.plain(frame, Opcode::Move, home, [Some(sum), None])?;
            }
        }
        let (saved, current) = (frame.auxiliary(SAVED_RCX), frame.auxiliary(CURRENT_MXCSR));
        self.make(Instruction::with2(Code::Mov_rm64_r64, saved, Register::RCX))?;
        self.position.1 = Stage::Deciding;
        self.make(Instruction::with1(Code::VEX_Vstmxcsr_m32, current))?;
        self.make(Instruction::with2(Code::Mov_r32_rm32, Register::ECX, current))?;
        let less = MemoryOperand::with_base_displ(Register::RCX, -i64::from(MXCSR | INEXACT));
        self.make(Instruction::with2(Code::Lea_r32_m, Register::ECX, less))?;
        self.unless_zero(quick.fail)?;
        self.make(Instruction::with2(Code::Mov_r64_rm64, Register::RCX, saved))?;
        self.exit(slots, frame, exit, to.0, to.1)?;
        Ok(start)
    }

    /// Everything as it was on the way in, and back to where that goes on to the usual copy.
    pub(super) fn start_again(&mut self, frame: &Frame, quick: &Quick, original: u64) -> Outcome<()> {
        self.position = (original, Stage::Deciding);
        self.labels[quick.fail] = Some(self.bytes.len());
        self.make(Instruction::with2(Code::Mov_rm64_imm32, Register::RCX, PAUSE))?;
        self.make(Field::Pause.keep(Register::RCX))?;
        self.make(Instruction::with1(Code::VEX_Vldmxcsr_m32, self.constant_at(MXCSR_AT)))?;
        let first = Place::Register(*frame.scratch.first().ok_or(Refusal::VectorRegisters(0))?);
        for &(register, slot) in &quick.vectors {
            let before = Some(Place::Slot(slot));
            match frame.hosts.iter().find(|&&(host, _)| host == register) {
                Some(&(_, host)) => {
                    self.plain(frame, Opcode::Move, first, [before, None])?;
                    self.plain(frame, Opcode::Move, Place::Slot(host), [Some(first), None])?;
                }
                None => self.plain(frame, Opcode::Move, Place::Register(register), [before, None])?,
            }
        }
        for (mask, slot) in quick.masks(frame) {
            self.make(Instruction::with2(Code::VEX_Kmovq_kr_km64, mask, slot))?;
        }
        self.make(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, frame.auxiliary(SAVED_FLAGS)))?;
        // Overflow from 1 + 127, the others from ah.
        self.make(Instruction::with2(Code::Add_AL_imm8, Register::AL, 127))?;
        self.make(Ok(Instruction::with(Code::Sahf)))?;
        self.make(Instruction::with2(Code::Mov_r64_rm64, Register::RAX, frame.auxiliary(SAVED_RAX)))?;
        for number in quick.changed() {
            let register = Register::RAX + u32::from(number);
            self.make(Instruction::with2(Code::Mov_r64_rm64, register, quick.general(frame, number)))?;
        }
        self.make(Instruction::with2(Code::Mov_r64_rm64, Register::RCX, quick.general(frame, 1)))?;
        self.make(Instruction::with2(Code::Mov_rm64_r64, frame.auxiliary(SAVED_RCX), Register::RCX))?;
        self.make(Instruction::with1(Code::Jmp_rm64, frame.auxiliary(RESUME)))
    }
}
