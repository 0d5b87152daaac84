//! Sites that have been patched: their stubs, and the code that takes their place.

use std::collections::BTreeMap;
use std::ops::Range;
use std::ptr;
use std::rc::Rc;

use binade_run::emulator::Emulator;
use binade_run::fma::Fma;
use binade_run::record::Counter;
use binade_run::trampoline::{self, Place, Target};
use iced_x86::{Code, Decoder, DecoderOptions, Encoder, Instruction};

use crate::memory::{self, Near};
use crate::record::{ObjectRecord, Record};
use crate::discovery::Symbols;
use crate::observe::{self, Observer};
use crate::gate;

/// Bytes of a jump, which replaces the first bytes of a site.
pub(crate) const JUMP: usize = 5;

/// Bytes that every site without code is sure of, whatever the others take: enough for its instruction, moved.
const SURE: u64 = 48;

/// Room for the code of a site, where there is room; what is not written takes no memory.
const GENEROUS: u64 = 1024;

/// The room that code generated at run time is given at a time.
const SHARED: u64 = 4 << 20;

/// A multiply-add that is replaced by a jump to its stub.
#[derive(Clone, Copy, Debug)]
struct Site {
    /// From the start of its batch's code.
    offset: u32,
    /// What the jump replaced.
    original: [u8; JUMP],
    /// Whether its code is made.
    resolved: bool,
}

/// Room near some code: what its sites' code refers to, then stubs and code.
#[derive(Debug)]
struct Block {
    near: Near,
    /// The jump to the gate that makes code.
    table: u64,
    /// What trampolines refer to.
    constants: u64,
    /// The gate through which trampolines call the agent.
    gate: u64,
    /// Bytes that the sites without code are sure of.
    promised: u64,
    /// Whether it serves code generated at run time, which comes in small pieces.
    shared: bool,
}

/// Sites whose stubs stand one after the other.
#[derive(Debug)]
struct Batch {
    code: Range<u64>,
    sites: Vec<Site>,
    block: usize,
    object: ObjectRecord,
    /// Where the names of the functions are, for a profile.
    symbols: Rc<Symbols>,
}

/// Every site of the process.
#[derive(Debug)]
pub(crate) struct Sites {
    target: Target,
    blocks: BTreeMap<usize, Block>,
    next_block: usize,
    /// By the address of the first stub.
    batches: BTreeMap<u64, Batch>,
    observer: &'static mut Observer,
    /// Under a profile: the counters of functions, by object and symbol.
    histograms: BTreeMap<(u64, String), *mut u64>,
}

/// A site to be: the address of an instruction, and its first bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) address: u64,
    pub(crate) original: [u8; JUMP],
}

impl Sites {
    pub(crate) fn new(target: Target) -> Sites {
        Sites {
            blocks: BTreeMap::new(),
            next_block: 0,
            batches: BTreeMap::new(),
            observer: Observer::new(Emulator::new(target.operator.clone())),
            histograms: BTreeMap::new(),
            target,
        }
    }

    /// A block near `code` with room for `count` sites; blocks of generated code are shared.
    fn block(&mut self, code: &Range<u64>, count: u64, shared: bool) -> Option<usize> {
        let least = count * (gate::STUB + SURE);
        if shared {
            let fits = |block: &Block| {
                block.shared && block.near.is_near(code) && block.near.left() >= block.promised + least + 4096
            };
            if let Some((&index, _)) = self.blocks.iter().find(|(_, block)| fits(block)) {
                return Some(index);
            }
        }
        let constants = trampoline::pool();
        /// More than the table and the gate take.
        const GATES: u64 = 8192;
        let header = constants.len() as u64 + GATES;
        let mut size = (count * (gate::STUB + GENEROUS)).max(if shared { SHARED } else { 1 << 16 });
        let mut near = loop {
            match Near::reserve(code, header + size) {
                Some(near) => break near,
                None if size / 2 >= least => size /= 2,
                None => return None,
            }
        };
        let place = |near: &mut Near, bytes: &[u8]| {
            let at = near.allocate(bytes.len() as u64, 64)?;
            // SAFETY: fresh memory that nobody knows yet.
            unsafe { memory::write(at, bytes) };
            Some(at)
        };
        let table = place(&mut near, &gate::gate_table())?;
        let constants = place(&mut near, &constants)?;
        let context = ptr::from_ref::<Observer>(self.observer) as u64;
        let handler = observe::handle as *const () as u64;
        let gate = trampoline::gate(self.target.level, near.next(64), handler, context).ok()?;
        let gate = place(&mut near, &gate)?;
        let index = self.next_block;
        self.next_block += 1;
        self.blocks.insert(index, Block { near, table, constants, gate, promised: 0, shared });
        Some(index)
    }

    /// Makes stubs for sites in `code`, in order; the address of the first, or nothing where no room is in reach. The
    /// caller makes the sites jump to them.
    pub(crate) fn add(
        &mut self,
        code: Range<u64>,
        candidates: &[Candidate],
        shared: bool,
        object: ObjectRecord,
        symbols: &Rc<Symbols>,
    ) -> Option<u64> {
        let count = candidates.len() as u64;
        let index = self.block(&code, count, shared)?;
        let block = self.blocks.get_mut(&index)?;
        let first = block.near.allocate(count * gate::STUB, 16)?;
        block.promised += count * SURE;
        for number in 0..count {
            let stub = first + number * gate::STUB;
            // SAFETY: fresh memory that nobody knows yet.
            unsafe { memory::write(stub, &gate::stub(stub, block.table)) };
        }
        let site = |candidate: &Candidate| Site {
            offset: (candidate.address - code.start) as u32,
            original: candidate.original,
            resolved: false,
        };
        let sites = candidates.iter().map(site).collect();
        self.batches.insert(first, Batch { code, sites, block: index, object, symbols: symbols.clone() });
        Some(first)
    }

    /// Forgets the sites of unloaded code, whose first stub this is.
    pub(crate) fn remove(&mut self, first: u64) {
        let Some(batch) = self.batches.remove(&first) else { return };
        if self.blocks.get(&batch.block).is_some_and(|block| !block.shared)
            && let Some(block) = self.blocks.remove(&batch.block)
        {
            block.near.release();
        }
    }

    /// Makes the code of the site whose stub called the gate, and its address.
    pub(crate) fn resolve(&mut self, stub: u64, record: &mut Record) -> u64 {
        let (&first, batch) = self.batches.range_mut(..=stub).next_back().expect("every stub is in a batch");
        let site = &mut batch.sites[((stub - first) / gate::STUB) as usize];
        let block = self.blocks.get_mut(&batch.block).expect("every batch has a block");
        let address = batch.code.start + site.offset as u64;
        let mut bytes = [0x90; 15];
        bytes[..JUMP].copy_from_slice(&site.original);
        let end = (address + 15).min(batch.code.end);
        // SAFETY: the site has just been executed, so its code is mapped, and it is longer than the jump.
        bytes[JUMP..(end - address) as usize].copy_from_slice(unsafe { memory::view(address + JUMP as u64..end) });
        let instruction = Decoder::with_ip(64, &bytes, address, DecoderOptions::NONE).decode();
        if !site.resolved {
            site.resolved = true;
            block.promised -= SURE;
            batch.object.count(Counter::Executed, 1);
        }
        let at = block.near.next(16);
        let number = if self.target.observed {
            let symbol = batch.symbols.at(address).unwrap_or_default().to_owned();
            let (object, histograms) = (batch.object, &mut self.histograms);
            let key = (object.index(), symbol);
            let counters = match histograms.get(&key) {
                Some(&counters) => counters,
                None => {
                    let counters = record.histogram(object, &key.1);
                    histograms.insert(key, counters);
                    counters
                }
            };
            self.observer.number(counters)
        } else {
            0
        };
        let place = Place { at, constants: block.constants, gate: block.gate, site: number };
        let made = Fma::decode(&instruction)
            .ok_or_else(|| "not an instruction that is known".to_owned())
            .and_then(|fma| trampoline::trampoline(&fma, &self.target, place).map_err(|why| why.to_string()))
            .and_then(|code| {
                let room = block.near.left() >= code.len() as u64 + 16 + block.promised;
                room.then_some(code).ok_or_else(|| "no room in reach of the code".to_owned())
            });
        let code = made.unwrap_or_else(|why| {
            record.skipped(batch.object, 1, &why);
            moved(instruction, at)
        });
        // SAFETY: fresh memory that nobody knows yet.
        unsafe { memory::write(at, &code) };
        block.near.allocate(code.len() as u64, 16).expect("the room has been promised");
        gate::fill(stub, at);
        at
    }
}

/// An instruction at another address, and a jump to the one after it.
fn moved(instruction: Instruction, at: u64) -> Vec<u8> {
    let mut encoder = Encoder::new(64);
    let length = encoder.encode(&instruction, at).expect("what was decoded can be encoded within reach") as u64;
    let back = Instruction::with_branch(Code::Jmp_rel32_64, instruction.next_ip()).expect("a branch");
    encoder.encode(&back, at + length).expect("within reach");
    encoder.take_buffer()
}
