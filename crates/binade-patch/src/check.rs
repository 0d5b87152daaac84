//! Regions checked as they run: each execution is compared with that of the same instructions one by one.
//!
//! A checked [region](crate::region) carries a reference: its instructions as the program has them, each multiply-add with
//! code of its own. A thread that enters the region runs the reference first, with the same registers. The
//! bytes that it stores are noted together with the former ones, and taken back at its end. Then the region runs. Its stores
//! must be those of the reference, in the same order and at the same addresses, which is checked before each of them. At its
//! exit, memory and all registers that are read from there on must be the same. The program goes on with the region's state.
//!
//! Where something differs, memory is taken back once more, and the reference runs a third time, traced, until it is known
//! which multiply-add made the value. The program goes on with the reference's state, so that what follows is right.
//!
//! ```text
//!     Enter ──▶ reference, Store… ──▶ Leave ──▶ region, Store… ──▶ Leave: the same
//!                                                   │                 └─▶ traced reference, Store, Compute… ──▶ Leave
//!                                                   └ a stray store ──────▶
//! ```
//!
//! Other threads see stores of a region two or three times. What is compared of MXCSR is its control, not its exception
//! flags, of which regions tell less (see [`region`](crate::region)). A loop that stores more often than [`STORES`] is not
//! compared; the program goes on with the reference's state.

use std::fmt;

use iced_x86::{Instruction, Mnemonic, OpKind, Register};

use crate::fma::{Element, Fma, Operand};
use crate::snapshot::Snapshot;

/// Stores of one execution that are kept.
pub const STORES: usize = 1 << 14;

/// An event that checked code reports to the [`Checker`].
#[derive(Clone, Copy, Debug)]
pub enum Event {
    /// The program has come to a way into a region.
    Enter {
        /// The address of the multiply-add there.
        original: u64,
        /// The addresses of the reference, of the region, and of the reference that is traced.
        reference: u64,
        /// See above.
        region: u64,
        /// See above.
        traced: u64,
    },
    /// An instruction is about to store.
    Store(Instruction),
    /// A multiply-add is about to run in the traced reference.
    Compute(Fma),
    /// The program goes on elsewhere.
    Leave {
        /// The place.
        to: u64,
        /// The vector registers that may be read there, a bit each.
        live: u32,
    },
}

/// The addresses that checked code refers to.
pub struct Check<'a> {
    /// The address of [the gate](crate::snapshot::gate) behind which the [`Checker`] stands.
    pub gate: u64,
    /// The [pool](crate::trampoline::pool) of the reference's trampolines.
    pub constants: u64,
    /// See above.
    pub trampoline_gate: u64,
    /// A word of the caller's for an event, which the gate's handler finds behind the call.
    pub word: &'a dyn Fn(Event) -> u64,
}

/// Returns true if the bytes that an instruction stores are known before it runs, and it can run twice with the same effect.
pub(crate) fn is_repeatable(instruction: &Instruction, stores: bool) -> bool {
    use Mnemonic::{Rdpid, Rdrand, Rdseed, Rdtsc, Rdtscp, Vmaskmovpd, Vmaskmovps, Vpmaskmovd, Vpmaskmovq};
    let mnemonic = instruction.mnemonic();
    if matches!(mnemonic, Rdpid | Rdrand | Rdseed | Rdtsc | Rdtscp) || instruction.is_string_instruction() {
        return false;
    }
    if !stores {
        return true;
    }
    let name = format!("{mnemonic:?}");
    let plain = instruction.op0_kind() == OpKind::Memory
        && !matches!(instruction.segment_prefix(), Register::FS | Register::GS)
        && !instruction.memory_base().is_segment_register();
    let elsewhere = matches!(mnemonic, Vmaskmovps | Vmaskmovpd | Vpmaskmovd | Vpmaskmovq | Mnemonic::Xchg)
        || name.contains("compress")
        || name.contains("scatter");
    plain
        && !elsewhere
        && !instruction.has_lock_prefix()
        && (1..=64).contains(&instruction.memory_size().size())
}

/// The address of an instruction's memory operand.
fn address_of(instruction: &Instruction, snapshot: &Snapshot) -> u64 {
    let value = |register: Register| match register {
        Register::None => 0,
        Register::RIP | Register::EIP => 0,
        register => {
            let value = snapshot.general[register.full_register().number()];
            if register.size() == 4 { value as u32 as u64 } else { value }
        }
    };
    // The displacement of an operand relative to rip is its address already.
    value(instruction.memory_base())
        .wrapping_add(value(instruction.memory_index()).wrapping_mul(instruction.memory_index_scale() as u64))
        .wrapping_add(instruction.memory_displacement64())
}

/// Bytes that are stored: the address of the first that could be, and which are, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stored {
    address: u64,
    bytes: u64,
}

impl Stored {
    fn by(instruction: &Instruction, snapshot: &Snapshot) -> Stored {
        let size = instruction.memory_size().size().min(64);
        let all = if size == 64 { !0 } else { (1 << size) - 1 };
        let mask = match instruction.op_mask() {
            Register::None => !0,
            mask => {
                let element = instruction.memory_size().element_size().clamp(1, 64);
                let selected = snapshot.masks[mask.number()];
                let lane = if element == 64 { !0 } else { (1u64 << element) - 1 };
                (0..64 / element)
                    .filter(|lane| selected >> lane & 1 == 1)
                    .fold(0, |bytes, at| bytes | lane << (at * element))
            }
        };
        Stored { address: address_of(instruction, snapshot), bytes: all & mask }
    }

    fn offsets(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |at| self.bytes >> at & 1 == 1)
    }

    /// # Safety
    /// The bytes can be read.
    unsafe fn read(self, to: &mut [u8; 64]) {
        for at in self.offsets() {
            // SAFETY: the selected bytes of the place are readable memory.
            to[at] = unsafe { ((self.address as *const u8).wrapping_add(at)).read_volatile() };
        }
    }

    /// # Safety
    /// The bytes can be written.
    unsafe fn write(self, from: &[u8; 64]) {
        for at in self.offsets() {
            // SAFETY: the selected bytes of the place are writable memory.
            unsafe { ((self.address as *mut u8).wrapping_add(at)).write_volatile(from[at]) };
        }
    }
}

/// One store of the reference.
#[derive(Clone, Copy)]
struct Note {
    instruction: Instruction,
    place: Stored,
    old: [u8; 64],
    new: [u8; 64],
}

/// The code that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
enum Phase {
    Idle = 0,
    Reference = 1,
    Region = 2,
    Traced = 3,
}

/// The target of an entry into a region.
#[derive(Clone, Copy)]
struct Ways {
    original: u64,
    region: u64,
    traced: u64,
}

/// The check of one thread at one time.
pub struct Checker {
    phase: Phase,
    ways: Ways,
    before: Snapshot,
    /// The reference's state, and where it left.
    after: Snapshot,
    /// Stores of the reference, and of what runs now.
    count: usize,
    seen: usize,
    /// True if there were more.
    full: bool,
    /// While the reference is traced: what differs, the last multiply-add that made it, and whether no other can have.
    found: What,
    maker: Option<Maker>,
    settled: bool,
    notes: [Note; STORES],
}

/// The result of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nothing is known yet.
    Going,
    /// An execution of a region was compared and is right.
    Same,
    /// It was not compared: it stores too often.
    TooMany,
    /// It is wrong.
    Differs(Difference),
}

/// A difference between reference and region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A 32-bit lane of a vector register, by reference and region.
    Vector {
        /// The register.
        register: u8,
        /// The lane.
        lane: u8,
        /// The reference's.
        reference: u32,
        /// The region's.
        region: u32,
    },
    /// A 32-bit word of memory that a store left, or those of its bytes that it stored, by reference and region.
    Memory {
        /// The store.
        instruction: Instruction,
        /// The word's address, and its number within what is stored.
        address: u64,
        /// See above.
        lane: u8,
        /// The reference's.
        reference: u32,
        /// The region's.
        region: u32,
    },
    /// The region was about to store where the reference does not.
    Stray {
        /// The region's store.
        instruction: Instruction,
        /// Its address.
        address: u64,
        /// The reference's next store and its address, if there is one.
        expected: Option<(Instruction, u64)>,
    },
    /// The region left without a store of the reference.
    Missing {
        /// The reference's store.
        instruction: Instruction,
        /// Its address.
        address: u64,
    },
    /// A general register, a mask register, the flags or MXCSR's control.
    Other {
        /// Its name.
        name: &'static str,
        /// The reference's.
        reference: u64,
        /// The region's.
        region: u64,
    },
    /// The address at which the program continues.
    Way {
        /// The reference's.
        reference: u64,
        /// The region's.
        region: u64,
    },
}

/// A multiply-add and its operands in one lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Maker {
    /// The instruction.
    pub instruction: Instruction,
    /// a, b and c as the program has them: the instruction's signs are not applied.
    pub operands: [u32; 3],
}

/// A difference and where it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The address of the multiply-add at which the region was entered.
    pub entry: u64,
    /// The value that differs.
    pub what: What,
    /// The multiply-add that made it last, if one did.
    pub maker: Option<Maker>,
}

impl Difference {
    /// The address of the instruction that it is about.
    pub fn address(&self) -> u64 {
        let of_what = match self.what {
            What::Memory { instruction, .. }
            | What::Stray { instruction, .. }
            | What::Missing { instruction, .. } => instruction.ip(),
            _ => self.entry,
        };
        self.maker.map_or(of_what, |maker| maker.instruction.ip())
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |bits: u32| format!("{:e} (0x{bits:08x})", f32::from_bits(bits));
        match self.what {
            What::Vector { register, lane, reference, region } => {
                let (region, reference) = (number(region), number(reference));
                write!(
                    f,
                    "lane {lane} of vector register {register} is {region}, by single instructions {reference}"
                )?;
            }
            What::Memory { instruction, address, reference, region, .. } => {
                let (region, reference) = (number(region), number(reference));
                write!(
                    f,
                    "`{instruction}` stores {region} at {address:#x}, by single instructions {reference}"
                )?;
            }
            What::Stray { instruction, address, expected: Some((other, at)) } => write!(
                f,
                "`{instruction}` stores at {address:#x}, single instructions by `{other}` at {at:#x}"
            )?,
            What::Stray { instruction, address, expected: None } => {
                write!(f, "`{instruction}` stores at {address:#x}, single instructions nowhere any more")?;
            }
            What::Missing { instruction, address } => {
                write!(f, "`{instruction}` does not store at {address:#x}, as single instructions do")?;
            }
            What::Other { name, reference, region } => {
                write!(f, "{name} is {region:#x}, by single instructions {reference:#x}")?;
            }
            What::Way { reference, region } => {
                write!(f, "it goes on at {region:#x}, by single instructions at {reference:#x}")?;
            }
        }
        if let Some(Maker { instruction, operands: [a, b, c] }) = self.maker {
            let (a, b, c) = (number(a), number(b), number(c));
            write!(
                f,
                "; last made by `{instruction}` at {:#x} of a = {a}, b = {b}, c = {c}",
                instruction.ip()
            )?;
        }
        write!(f, "; entered at {:#x}", self.entry)
    }
}

/// The control bits of MXCSR.
const CONTROL: u32 = 0xffc0;
/// The flags of the processor that instructions leave for others: carry, parity, adjust, zero, sign, direction, overflow.
const FLAGS: u64 = 0xcd5;

const GENERAL: [&str; 16] = [
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
    "r15",
];
const MASKS: [&str; 8] = ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"];

impl Checker {
    /// Makes a checker in memory, of which it touches the beginning only.
    ///
    /// # Safety
    /// `at` is aligned and can be written for the size of a checker; its bytes are zero.
    pub unsafe fn init(at: *mut Checker) {
        let nothing = Snapshot::zero();
        // SAFETY: `at` is aligned, writable memory of a checker's size. Zero is an instruction's default, and right for all else in a note.
        unsafe {
            (&raw mut (*at).phase).write(Phase::Idle);
            (&raw mut (*at).ways).write(Ways { original: 0, region: 0, traced: 0 });
            (&raw mut (*at).before).write(nothing.clone());
            (&raw mut (*at).after).write(nothing);
            (&raw mut (*at).count).write(0);
            (&raw mut (*at).seen).write(0);
            (&raw mut (*at).full).write(false);
            (&raw mut (*at).found).write(What::Way { reference: 0, region: 0 });
            (&raw mut (*at).maker).write(None);
            (&raw mut (*at).settled).write(false);
        }
    }

    /// Follows an event of checked code, whose registers the snapshot has; its target is behind the word.
    ///
    /// # Safety
    /// The events must be those of code that [`region`](crate::region) makes. One thread at a time may run it on this checker, with
    /// the program's memory as that code finds it.
    pub unsafe fn step(&mut self, now: &mut Snapshot, event: &Event) -> Outcome {
        match (event, self.phase) {
            (&Event::Enter { original, reference, region, traced }, _) => {
                self.before = now.clone();
                (self.count, self.full) = (0, false);
                (self.maker, self.settled) = (None, false);
                self.ways = Ways { original, region, traced };
                self.turn(now, Phase::Reference, reference);
            }
            // SAFETY: the instruction is about to store there.
            (Event::Store(instruction), Phase::Reference) => unsafe { self.note(instruction, now) },
            (Event::Store(instruction), Phase::Region) => {
                let place = Stored::by(instruction, now);
                let expected = self.notes[..self.count].get(self.seen);
                if expected.is_some_and(|e| (e.instruction.ip(), e.place) == (instruction.ip(), place)) {
                    self.seen += 1;
                    return Outcome::Going;
                }
                let expected = expected.map(|e| (e.instruction, e.place.address));
                let what = What::Stray { instruction: *instruction, address: place.address, expected };
                // SAFETY: what was stored is noted.
                unsafe { self.differ(now, what) };
            }
            (Event::Store(instruction), Phase::Traced) => self.trace_store(instruction, now),
            // SAFETY: the instruction is about to read there.
            (Event::Compute(fma), Phase::Traced) => unsafe { self.trace(fma, now) },
            (Event::Leave { .. }, Phase::Reference) if self.full => {
                self.phase = Phase::Idle;
                return Outcome::TooMany;
            }
            (Event::Leave { to, .. }, Phase::Reference) => {
                self.after = now.clone();
                self.after.target = *to;
                // SAFETY: these bytes have just been stored.
                unsafe { self.take_back(|note, now| note.new = now) };
                let region = self.ways.region;
                self.turn(now, Phase::Region, region);
            }
            (&Event::Leave { to, live }, Phase::Region) => {
                // SAFETY: these bytes have just been stored.
                let what = self.difference(now, to, live).or_else(|| unsafe { self.compare_memory() });
                match what {
                    // SAFETY: the noted places have been stored to, so that their bytes are mapped.
                    Some(what) => unsafe { self.differ(now, what) },
                    None => {
                        self.phase = Phase::Idle;
                        return Outcome::Same;
                    }
                }
            }
            (Event::Leave { .. }, Phase::Traced) => {
                self.phase = Phase::Idle;
                let (entry, what, maker) = (self.ways.original, self.found, self.maker);
                return Outcome::Differs(Difference { entry, what, maker });
            }
            _ => {}
        }
        Outcome::Going
    }

    /// Lets the next phase begin with the registers of the way in.
    fn turn(&mut self, now: &mut Snapshot, phase: Phase, target: u64) {
        (self.phase, self.seen) = (phase, 0);
        *now = self.before.clone();
        now.target = target;
    }

    /// # Safety
    /// What is about to be stored can be read.
    unsafe fn note(&mut self, instruction: &Instruction, now: &Snapshot) {
        if self.count == STORES {
            self.full = true;
            return;
        }
        let place = Stored::by(instruction, now);
        let note = &mut self.notes[self.count];
        (note.instruction, note.place) = (*instruction, place);
        // SAFETY: the instruction is about to store to the place, so that its bytes are mapped.
        unsafe { place.read(&mut note.old) };
        self.count += 1;
    }

    /// Takes the noted stores back, the last first; `seen` gets what each left.
    ///
    /// # Safety
    /// What was noted can be read and written.
    unsafe fn take_back(&mut self, mut seen: impl FnMut(&mut Note, [u8; 64])) {
        for note in self.notes[..self.count].iter_mut().rev() {
            let mut now = [0; 64];
            // SAFETY: each noted place has been stored to, so that its bytes are mapped and writable.
            unsafe {
                note.place.read(&mut now);
                note.place.write(&note.old);
            }
            seen(note, now);
        }
    }

    /// Compares what the region has stored; if it is the same, that stays.
    ///
    /// # Safety
    /// As of [`take_back`](Checker::take_back).
    unsafe fn compare_memory(&mut self) -> Option<What> {
        let mut what = None;
        let compare = |note: &mut Note, now: [u8; 64]| {
            let Some(at) = note.place.offsets().find(|&at| now[at] != note.new[at]) else { return };
            let lane = at / 4;
            let word = |bytes: &[u8; 64]| {
                let stored = |at: usize| if note.place.bytes >> at & 1 == 1 { bytes[at] } else { 0 };
                u32::from_le_bytes(std::array::from_fn(|i| stored(4 * lane + i)))
            };
            what = Some(What::Memory {
                instruction: note.instruction,
                address: note.place.address + 4 * lane as u64,
                lane: lane as u8,
                reference: word(&note.new),
                region: word(&now),
            });
        };
        // SAFETY: each noted place has been stored to, so that its bytes are mapped and writable.
        unsafe { self.take_back(compare) };
        if what.is_none() {
            for note in &self.notes[..self.count] {
                // SAFETY: each noted place has been stored to, so that its bytes are mapped and writable.
                unsafe { note.place.write(&note.new) };
            }
        }
        what
    }

    /// The first difference between the registers of the reference and the region's.
    fn difference(&self, now: &Snapshot, to: u64, live: u32) -> Option<What> {
        let after = &self.after;
        if self.seen < self.count {
            let note = &self.notes[self.seen];
            return Some(What::Missing { instruction: note.instruction, address: note.place.address });
        }
        if to != after.target {
            return Some(What::Way { reference: after.target, region: to });
        }
        for (register, (reference, region)) in (0u8..).zip(after.vectors.iter().zip(&now.vectors)) {
            let different = (0u8..16).zip(reference.iter().zip(region)).find(|(_, (x, y))| x != y);
            if let (Some((lane, (&reference, &region))), true) = (different, live >> register & 1 == 1) {
                return Some(What::Vector { register, lane, reference, region });
            }
        }
        let general = GENERAL.into_iter().zip(after.general.into_iter().zip(now.general));
        let masks = MASKS.into_iter().zip(after.masks.into_iter().zip(now.masks));
        let flags = ("the flags", (after.flags & FLAGS, now.flags & FLAGS));
        let control = ("MXCSR's control", ((after.mxcsr & CONTROL) as u64, (now.mxcsr & CONTROL) as u64));
        general
            .chain(masks)
            .chain([flags, control])
            .find(|(_, (reference, region))| reference != region)
            .map(|(name, (reference, region))| What::Other { name, reference, region })
    }

    /// Lets the traced reference run after a difference.
    ///
    /// # Safety
    /// As of [`take_back`](Checker::take_back).
    unsafe fn differ(&mut self, now: &mut Snapshot, what: What) {
        self.found = what;
        // SAFETY: each noted place has been stored to, so that its bytes are mapped and writable. What has been taken back already stays so.
        unsafe { self.take_back(|_, _| {}) };
        let traced = self.ways.traced;
        self.turn(now, Phase::Traced, traced);
    }

    /// The vector register and lane whose last change is looked for.
    fn wanted(&self) -> Option<(usize, usize)> {
        match self.found {
            What::Vector { register, lane, .. } => Some((register as usize, lane as usize)),
            What::Memory { instruction, lane, .. } => {
                let source = instruction.op1_register();
                source.is_vector_register().then(|| (source.number(), lane as usize))
            }
            _ => None,
        }
    }

    /// # Safety
    /// The multiply-add's operands in memory can be read.
    unsafe fn trace(&mut self, fma: &Fma, now: &Snapshot) {
        let Some((register, lane)) = self.wanted() else { return };
        let selected = fma.mask().is_none_or(|mask| now.masks[mask.number()] >> lane & 1 == 1);
        if self.settled || fma.destination().number() != register || lane >= fma.lanes as usize || !selected {
            return;
        }
        if fma.element != Element::F32 || !fma.form.is_lanewise() {
            return;
        }
        let value = |operand: Operand| match operand {
            Operand::Register(register) => now.vectors[register.number()][lane],
            Operand::One => 1f32.to_bits(),
            Operand::NegativeZero => (-0f32).to_bits(),
            Operand::Memory => {
                let offset = if fma.broadcast() { 0 } else { 4 * lane as u64 };
                let at = address_of(&fma.instruction, now).wrapping_add(offset);
                // SAFETY: the multiply-add is about to read its operand there.
                unsafe { (at as *const u32).read_unaligned() }
            }
        };
        let operands = [fma.a(), fma.b(), fma.c()].map(value);
        self.maker = Some(Maker { instruction: fma.instruction, operands });
    }

    /// A store that differs has been reached by the traced reference: what has made its value is known.
    fn trace_store(&mut self, instruction: &Instruction, now: &Snapshot) {
        if let What::Memory { instruction: wanted, address, lane, .. } = self.found {
            let place = Stored::by(instruction, now);
            let same = (instruction.ip(), place.address) == (wanted.ip(), address - 4 * u64::from(lane));
            self.settled |= same;
        }
    }
}

#[cfg(test)]
mod tests {
    use iced_x86::code_asm::*;

    use super::*;

    fn only(assemble: impl FnOnce(&mut CodeAssembler)) -> Instruction {
        let mut asm = CodeAssembler::new(64).unwrap();
        assemble(&mut asm);
        asm.instructions()[0]
    }

    #[test]
    fn what_stores_is_known_by_registers_and_masks() {
        let mut state = Snapshot::zero();
        state.general[Register::RAX.number()] = 0x1000;
        state.general[Register::RCX.number()] = 3;
        state.masks[2] = 0b1010;
        let stored = |i: Instruction| {
            let Stored { address, bytes } = Stored::by(&i, &state);
            (address, bytes)
        };
        let full = only(|x| x.vmovups(zmmword_ptr(rax + rcx * 8 + 64), zmm1).unwrap());
        assert_eq!(stored(full), (0x1000 + 24 + 64, !0));
        let some = only(|x| x.vmovups(ymmword_ptr(rax).k2(), ymm1).unwrap());
        assert_eq!(stored(some), (0x1000, 0xf0f0));
        let narrow = only(|x| x.mov(word_ptr(rax - 2), cx).unwrap());
        assert_eq!(stored(narrow), (0xffe, 3));
        assert!(is_repeatable(&full, true) && is_repeatable(&narrow, true));
        let cannot: [fn(&mut CodeAssembler); 5] = [
            |x| x.lock().add(dword_ptr(rax), ecx).unwrap(),
            |x| x.xchg(dword_ptr(rax), ecx).unwrap(),
            |x| x.vmaskmovps(ymmword_ptr(rax), ymm1, ymm2).unwrap(),
            |x| x.vcompressps(zmmword_ptr(rax).k1(), zmm2).unwrap(),
            |x| x.mov(dword_ptr(rax).fs(), ecx).unwrap(),
        ];
        for make in cannot {
            let instruction = only(make);
            assert!(!is_repeatable(&instruction, true), "{instruction}");
        }
    }
}
