//! Forward data flow over a function: the origins of register values, with constants folded.

use std::collections::{BTreeMap, BTreeSet};

use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register};

use crate::fma::{Element, Fma, Form, Operand};

/// The origin of a value. Equal origins mean equal values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Value {
    /// In every lane of a vector these bits, four bytes twice or eight; of a general register its number.
    Constant(u64),
    /// A constant of unknown bits, or different ones in different lanes: made of constants only, by this instruction.
    Coefficient(u32),
    /// The result of an instruction, in a register of this number.
    Made(u32, u8),
    /// A load from an address that is not known; equal for equal addresses.
    Loaded(u32),
    /// A register at an entry or where several paths meet: the block and the register.
    Met(u32, u8),
}

impl Value {
    /// Returns true if it is one of the constants.
    pub(super) fn is_constant(self) -> bool {
        matches!(self, Value::Constant(_) | Value::Coefficient(_))
    }
}

/// The operation of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StepKind {
    /// a · b + c, up to signs; the inputs are a, b and c, and a fourth where lanes may keep what was there.
    MultiplyAdd(Element),
    /// An integer near a value, or a value from an integer.
    Round,
    /// An approximation of a reciprocal or of a reciprocal square root.
    Reciprocal,
    /// A square root.
    Root,
    /// A quotient; the inputs are dividend and divisor, and a third where lanes may keep what was there.
    Quotient,
    /// A call, with its first vector argument and the vector that it returns.
    Call,
    /// A disjunction of bits.
    Or,
    /// Another operation on bits one by one.
    Logic,
    /// Integer arithmetic on the bits of its inputs, immediate operands among them.
    Integer(Integer),
    /// A comparison, or a conversion to another type of numbers: what it makes says nothing of an input's bits.
    Opaque,
    /// Anything else.
    Other,
}

/// Integer arithmetic on bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Integer {
    /// A sum or a difference.
    Sum,
    /// A shift to the left.
    Left,
    /// A shift to the right.
    Right,
    /// The selection of some bytes.
    Narrow,
    /// Anything else.
    Other,
}

/// An instruction that makes a vector of other vectors.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The index of the instruction.
    pub(super) index: u32,
    pub(super) kind: StepKind,
    pub(super) inputs: Vec<Value>,
    /// Its result.
    pub(super) result: Value,
}

/// The steps of a function, each behind those whose results it takes, but for values that have [met](Value::Met).
#[derive(Debug, Default)]
pub(super) struct Flow {
    pub(super) steps: Vec<Step>,
    /// Values read in memory that is neither a table at a known address nor the stack.
    pub(super) data: BTreeSet<Value>,
}

/// The numbers of locations: general registers, then vectors.
const GENERAL: usize = 16;
const LOCATIONS: usize = GENERAL + 32;
/// Values in memory that are followed at a time.
const SLOTS: usize = 1024;
/// Maximum number of passes over the blocks of a function. Facts that are not settled by then are treated as unknown.
const ROUNDS: usize = 8;

/// A place in memory: the value of the base register, and the displacement.
type Slot = (Value, u64);

#[derive(Clone, PartialEq, Debug)]
struct State {
    locations: [Value; LOCATIONS],
    slots: BTreeMap<Slot, Value>,
}

struct Block {
    first: usize,
    end: usize,
    before: Vec<usize>,
}

impl Flow {
    /// Follows the values of a function's instructions.
    pub(super) fn of(code: &[Instruction], read: &dyn Fn(u64, usize) -> Option<u64>) -> Flow {
        let blocks = blocks(code);
        let order = order(&blocks);
        let mut outs: Vec<Option<State>> = vec![None; blocks.len()];
        let mut walker = Walker {
            code,
            read,
            loads: BTreeMap::new(),
            data: BTreeSet::new(),
            info: InstructionInfoFactory::new(),
            steps: None,
        };
        for _ in 0..ROUNDS {
            let mut changed = false;
            for &number in &order {
                let mut state = entry(number, &blocks, &outs);
                (blocks[number].first..blocks[number].end).for_each(|k| walker.step(k, &mut state));
                changed |= outs[number].as_ref() != Some(&state);
                outs[number] = Some(state);
            }
            if !changed {
                break;
            }
        }
        walker.steps = Some(Vec::new());
        for &number in &order {
            let mut state = entry(number, &blocks, &outs);
            (blocks[number].first..blocks[number].end).for_each(|k| walker.step(k, &mut state));
        }
        Flow { steps: walker.steps.unwrap_or_default(), data: walker.data }
    }
}

/// The function's basic blocks. Where a jump through a register leads is not known: to any block that nothing else leads to.
fn blocks(code: &[Instruction]) -> Vec<Block> {
    let index: BTreeMap<u64, usize> = code.iter().enumerate().map(|(k, i)| (i.ip(), k)).collect();
    let target = |i: &Instruction| {
        let branches =
            matches!(i.flow_control(), FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch);
        (branches && i.op0_kind() == OpKind::NearBranch64)
            .then(|| index.get(&i.near_branch_target()).copied())
            .flatten()
    };
    let falls = |k: usize| {
        let next = matches!(
            code[k].flow_control(),
            FlowControl::Next
                | FlowControl::ConditionalBranch
                | FlowControl::Call
                | FlowControl::IndirectCall
        );
        next && code.get(k + 1).is_some_and(|behind| behind.ip() == code[k].next_ip())
    };
    let mut starts = vec![false; code.len()];
    for (k, instruction) in code.iter().enumerate() {
        if let Some(target) = target(instruction) {
            starts[target] = true;
        }
        let ends = !falls(k) || instruction.flow_control() == FlowControl::ConditionalBranch;
        if ends && k + 1 < code.len() {
            starts[k + 1] = true;
        }
    }
    if let Some(first) = starts.first_mut() {
        *first = true;
    }
    let firsts: Vec<usize> = (0..code.len()).filter(|&k| starts[k]).collect();
    let ends = firsts.iter().skip(1).copied().chain([code.len()]);
    let mut blocks: Vec<Block> =
        firsts.iter().zip(ends).map(|(&first, end)| Block { first, end, before: Vec::new() }).collect();
    let of = |k: usize| firsts.partition_point(|&first| first <= k) - 1;
    let mut unknown = Vec::new();
    for number in 0..blocks.len() {
        let last = blocks[number].end - 1;
        if let Some(target) = target(&code[last]) {
            blocks[of(target)].before.push(number);
        }
        if falls(last) {
            blocks[number + 1].before.push(number);
        }
        if code[last].flow_control() == FlowControl::IndirectBranch {
            unknown.push(number);
        }
    }
    // Nobody comes through the padding ahead of a loop.
    let nothing = |k: usize| matches!(code[k].mnemonic(), Mnemonic::Nop | Mnemonic::Int3);
    let padding: Vec<bool> =
        blocks.iter().map(|block| block.before.is_empty() && (block.first..block.end).all(nothing)).collect();
    blocks.iter_mut().for_each(|block| block.before.retain(|&before| !padding[before]));
    for block in blocks.iter_mut().skip(1).filter(|block| block.before.is_empty()) {
        block.before.clone_from(&unknown);
    }
    blocks
}

/// The blocks, each behind one that leads to it where there is one: reverse postorder.
fn order(blocks: &[Block]) -> Vec<usize> {
    let mut behind = vec![Vec::new(); blocks.len()];
    for (number, block) in blocks.iter().enumerate() {
        block.before.iter().for_each(|&before| behind[before].push(number));
    }
    let mut seen = vec![false; blocks.len()];
    let mut postorder = Vec::with_capacity(blocks.len());
    let roots = (0..blocks.len()).filter(|&number| blocks[number].before.is_empty());
    // Roots come last in postorder, so that the function's start is first in the reverse.
    let mut roots: Vec<usize> = roots.chain(0..blocks.len()).collect();
    roots.dedup();
    let mut finished = Vec::new();
    for root in roots {
        let mut stack = vec![(root, 0)];
        let mut found = Vec::new();
        while let Some((number, next)) = stack.pop() {
            if next == 0 && std::mem::replace(&mut seen[number], true) {
                continue;
            }
            match behind[number].get(next) {
                Some(&to) => {
                    stack.push((number, next + 1));
                    if !seen[to] {
                        stack.push((to, 0));
                    }
                }
                None => found.push(number),
            }
        }
        finished.push(found);
    }
    for found in finished.into_iter().rev() {
        postorder.extend(found);
    }
    postorder.reverse();
    postorder
}

/// The state at the start of a block.
fn entry(number: usize, blocks: &[Block], outs: &[Option<State>]) -> State {
    let met = |location: usize| Value::Met(number as u32, location as u8);
    let mut before = blocks[number].before.iter().filter_map(|&before| outs[before].as_ref());
    let Some(first) = before.next() else {
        return State { locations: std::array::from_fn(met), slots: BTreeMap::new() };
    };
    let mut state = first.clone();
    for other in before {
        for (location, value) in state.locations.iter_mut().enumerate() {
            if *value != other.locations[location] {
                *value = met(location);
            }
        }
        state.slots.retain(|slot, value| other.slots.get(slot) == Some(value));
    }
    state
}

/// Goes through instructions.
struct Walker<'a> {
    code: &'a [Instruction],
    read: &'a dyn Fn(u64, usize) -> Option<u64>,
    /// Loads, by base, index with its scale, and displacement.
    loads: BTreeMap<(Value, Value, u64), u32>,
    data: BTreeSet<Value>,
    info: InstructionInfoFactory,
    /// The steps, in the last round.
    steps: Option<Vec<Step>>,
}

/// The place of a saved register.
fn location(register: Register) -> Option<usize> {
    if register.is_vector_register() {
        Some(GENERAL + register.number())
    } else if register.is_gpr() {
        Some(register.full_register().number())
    } else {
        None
    }
}

impl Walker<'_> {
    /// The place in memory that an operand names, if it is simple, and its address if that is known.
    fn place(&self, instruction: &Instruction, state: &State) -> (Option<Slot>, Option<u64>) {
        if instruction.segment_prefix() != Register::None {
            return (None, None);
        }
        if instruction.is_ip_rel_memory_operand() {
            return (None, Some(instruction.ip_rel_memory_address()));
        }
        let displacement = instruction.memory_displacement64();
        if instruction.memory_index() != Register::None {
            return (None, None);
        }
        let base = match location(instruction.memory_base()) {
            Some(base) => state.locations[base],
            None if instruction.memory_base() == Register::None => return (None, Some(displacement)),
            None => return (None, None),
        };
        match base {
            Value::Constant(base) => (None, Some(base.wrapping_add(displacement))),
            base => (Some((base, displacement)), None),
        }
    }

    /// The value that an instruction reads from memory.
    fn load(&mut self, index: usize, state: &State) -> Value {
        let instruction = &self.code[index];
        match self.place(instruction, state) {
            (_, Some(address)) => {
                let size = instruction.memory_size().size();
                (self.read)(address, size).map_or(Value::Coefficient(index as u32), Value::Constant)
            }
            (Some(slot), _) if state.slots.contains_key(&slot) => state.slots[&slot],
            _ => {
                let part = |register| location(register).map_or(Value::Constant(0), |at| state.locations[at]);
                let base = part(instruction.memory_base());
                let scaled = part(instruction.memory_index());
                let scale = u64::from(instruction.memory_index_scale()) << 60
                    ^ (instruction.segment_prefix() as u64) << 50;
                let key = (base, scaled, instruction.memory_displacement64() ^ scale);
                let fresh = self.loads.len() as u32;
                let loaded = Value::Loaded(*self.loads.entry(key).or_insert(fresh));
                let stack = matches!(instruction.memory_base(), Register::RSP | Register::RBP);
                if !stack && !matches!(base, Value::Constant(_)) && !matches!(scaled, Value::Constant(1..)) {
                    self.data.insert(loaded);
                }
                loaded
            }
        }
    }

    /// The value of an operand that is a register or in memory.
    fn operand(&mut self, index: usize, operand: u32, state: &State) -> Option<Value> {
        let instruction = &self.code[index];
        match instruction.op_kind(operand) {
            OpKind::Register => location(instruction.op_register(operand)).map(|at| state.locations[at]),
            OpKind::Memory => Some(self.load(index, state)),
            _ => None,
        }
    }

    /// One instruction.
    fn step(&mut self, index: usize, state: &mut State) {
        let instruction = self.code[index];
        match instruction.flow_control() {
            FlowControl::Call | FlowControl::IndirectCall => {
                let (argument, result) = (state.locations[GENERAL], Value::Made(index as u32, GENERAL as u8));
                self.record(index, StepKind::Call, vec![argument], result);
                // Registers that the calling convention does not keep. Functions made at run time follow it as well.
                for at in [0, 1, 2, 6, 7, 8, 9, 10, 11].into_iter().chain(GENERAL..LOCATIONS) {
                    state.locations[at] = Value::Made(index as u32, at as u8);
                }
                return;
            }
            // The lower halves stay, of constants and of what 128 bits are used of.
            FlowControl::Next if instruction.mnemonic() == Mnemonic::Vzeroupper => return,
            FlowControl::Next => {}
            _ => return,
        }
        if instruction.op_count() > 0
            && instruction.op0_kind() == OpKind::Register
            && instruction.op0_register().is_vector_register()
        {
            let value = self.vector(index, &instruction, state);
            if let Some(value) = value {
                state.locations[GENERAL + instruction.op0_register().number()] = value;
            }
            return;
        }
        if self.store(index, &instruction, state) {
            self.narrowed(index, &instruction, state);
            return;
        }
        let known = self.general(index, &instruction, state);
        self.bits(index, &instruction, state);
        let written: Vec<Register> = self
            .info
            .info(&instruction)
            .used_registers()
            .iter()
            .filter(|used| {
                !matches!(used.access(), OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess)
            })
            .map(|used| used.register())
            .collect();
        for at in written.into_iter().filter_map(location) {
            state.locations[at] = Value::Made(index as u32, at as u8);
        }
        if let (Some(value), Some(at)) = (known, location(instruction.op0_register())) {
            state.locations[at] = value;
        }
    }

    /// The value of a general register behind a move or an address, or of a known number plus another.
    fn general(&mut self, index: usize, instruction: &Instruction, state: &State) -> Option<Value> {
        let wide = |register: Register| register.is_gpr64();
        if instruction.op_count() != 2 || instruction.op0_kind() != OpKind::Register {
            return None;
        }
        let to = instruction.op0_register();
        let immediate = matches!(
            instruction.op1_kind(),
            OpKind::Immediate8
                | OpKind::Immediate32
                | OpKind::Immediate64
                | OpKind::Immediate8to64
                | OpKind::Immediate32to64
                | OpKind::Immediate8to32
        );
        match instruction.mnemonic() {
            Mnemonic::Mov if immediate && (wide(to) || to.is_gpr32()) => {
                let value = instruction.immediate(1);
                Some(Value::Constant(if to.is_gpr32() { value & 0xffff_ffff } else { value }))
            }
            Mnemonic::Mov if wide(to) => self.operand(index, 1, state),
            Mnemonic::Mov if to.is_gpr32() && instruction.op1_kind() == OpKind::Register => {
                match self.operand(index, 1, state)? {
                    Value::Constant(value) => Some(Value::Constant(value & 0xffff_ffff)),
                    _ => None,
                }
            }
            Mnemonic::Xor
                if instruction.op1_kind() == OpKind::Register && instruction.op1_register() == to =>
            {
                Some(Value::Constant(0))
            }
            Mnemonic::Lea if wide(to) => match self.place(instruction, state) {
                (_, Some(address)) => Some(Value::Constant(address)),
                (Some((base, 0)), _) => Some(base),
                _ => None,
            },
            Mnemonic::Add | Mnemonic::Sub if immediate && wide(to) => {
                let Value::Constant(value) = state.locations[location(to)?] else { return None };
                let other = instruction.immediate(1);
                let negative = instruction.mnemonic() == Mnemonic::Sub;
                Some(Value::Constant(value.wrapping_add(if negative { other.wrapping_neg() } else { other })))
            }
            _ => None,
        }
    }

    /// Records what a general register gets of a number's bits: scalar code takes exponents apart and puts random numbers
    /// together there.
    fn bits(&mut self, index: usize, instruction: &Instruction, state: &State) {
        let count = instruction.op_count();
        if count == 0 || instruction.op0_kind() != OpKind::Register {
            return;
        }
        let (to, mnemonic) = (instruction.op0_register(), instruction.mnemonic());
        let (Some(at), Some(kind)) = (location(to).filter(|_| to.is_gpr()), of_bits(mnemonic)) else {
            return;
        };
        // A move of all bits has been followed.
        if mnemonic == Mnemonic::Mov && (to.is_gpr64() || instruction.try_immediate(1).is_ok()) {
            return;
        }
        let mut inputs = Vec::new();
        if mnemonic == Mnemonic::Lea {
            for part in [instruction.memory_base(), instruction.memory_index()] {
                inputs.extend(location(part).map(|at| state.locations[at]));
            }
            if instruction.memory_displacement64() != 0 {
                inputs.push(Value::Constant(lanes_of(to, instruction.memory_displacement64())));
            }
        } else {
            for operand in 1..count {
                let immediate = instruction.try_immediate(operand).ok().map(Value::Constant);
                inputs.extend(match immediate.or_else(|| self.operand(index, operand, state)) {
                    Some(Value::Constant(bits)) => Some(Value::Constant(lanes_of(to, bits))),
                    other => other,
                });
            }
            let moves =
                is_move(mnemonic) || matches!(mnemonic, Mnemonic::Mov | Mnemonic::Movzx | Mnemonic::Movsx);
            if count <= 2 && !moves && kind != StepKind::Round {
                inputs.push(state.locations[at]);
            }
        }
        if !inputs.is_empty() {
            self.record(index, kind, inputs, Value::Made(index as u32, at as u8));
        }
    }

    /// Records a store of some of a value's bytes.
    fn narrowed(&mut self, index: usize, instruction: &Instruction, state: &State) {
        /// No register has this number.
        const MEMORY: u8 = u8::MAX;
        if let Some(value) = self.operand(index, 1, state) {
            let register = instruction.op1_register();
            if register.is_gpr8()
                || register.is_gpr16()
                || !is_move(instruction.mnemonic()) && !register.is_gpr()
            {
                let result = Value::Made(index as u32, MEMORY);
                self.record(index, StepKind::Integer(Integer::Narrow), vec![value], result);
            }
        }
    }

    /// A store, if it is one: what is kept there is followed.
    fn store(&mut self, index: usize, instruction: &Instruction, state: &mut State) -> bool {
        use Mnemonic::{Pextrb, Pextrw, Vpextrb, Vpextrw};
        let whole = is_move(instruction.mnemonic()) || instruction.mnemonic() == Mnemonic::Mov;
        let part = matches!(instruction.mnemonic(), Pextrb | Pextrw | Vpextrb | Vpextrw);
        if instruction.op_count() != if part { 3 } else { 2 }
            || instruction.op0_kind() != OpKind::Memory
            || instruction.op1_kind() != OpKind::Register
            || !(whole || part || narrows(&name_of(instruction.mnemonic())))
        {
            return false;
        }
        if let (Some(slot), _) = self.place(instruction, state) {
            match self.operand(index, 1, state) {
                Some(value)
                    if whole && instruction.op_mask() == Register::None && state.slots.len() < SLOTS =>
                {
                    state.slots.insert(slot, value);
                }
                _ => {
                    state.slots.remove(&slot);
                }
            }
        }
        true
    }

    /// The value that an instruction gives its vector register.
    fn vector(&mut self, index: usize, instruction: &Instruction, state: &State) -> Option<Value> {
        let to = GENERAL + instruction.op0_register().number();
        let made = Value::Made(index as u32, to as u8);
        // A blend takes the mask for its choice.
        let blends = matches!(
            instruction.mnemonic(),
            Mnemonic::Vblendmps | Mnemonic::Vblendmpd | Mnemonic::Vpblendmd | Mnemonic::Vpblendmq
        );
        let masked = instruction.op_mask() != Register::None && !instruction.zeroing_masking() && !blends;
        let kept = masked.then_some(state.locations[to]);
        let within_register = |fma: &Fma| matches!(fma.form, Form::Horizontal | Form::Across);
        if let Some(fma) = Fma::decode(instruction).filter(|fma| !within_register(fma)) {
            let mut input = |operand| match operand {
                Operand::Register(register) => location(register).map_or(made, |at| state.locations[at]),
                Operand::Memory => self.load(index, state),
                Operand::One => Value::Constant(one(fma.element)),
                Operand::NegativeZero => Value::Constant(negative_zero(fma.element)),
            };
            let mut inputs = vec![input(fma.a()), input(fma.b()), input(fma.c())];
            inputs.extend(kept.filter(|kept| !inputs.contains(kept)));
            let constant = inputs.iter().all(|input| input.is_constant());
            let result = if constant { Value::Coefficient(index as u32) } else { made };
            self.record(index, StepKind::MultiplyAdd(fma.element), inputs, result);
            return Some(result);
        }
        let mnemonic = instruction.mnemonic();
        let count = instruction.op_count();
        if count >= 2 && kept.is_none() && (is_move(mnemonic) || is_broadcast(mnemonic)) {
            // A scalar move between registers takes the low lane of the last operand.
            let value = self.operand(index, count - 1, state)?;
            return Some(match value {
                // Of a general register four bytes may count.
                Value::Constant(bits) if instruction.op_kind(count - 1) == OpKind::Register => {
                    Value::Constant(lanes_of(instruction.op_register(count - 1), bits))
                }
                other => other,
            });
        }
        let bare = name_of(mnemonic);
        let same = |first: u32, second: u32| {
            instruction.op_kind(first) == OpKind::Register
                && instruction.op_kind(second) == OpKind::Register
                && instruction.op_register(first) == instruction.op_register(second)
        };
        let last = (0..count).rev().find(|&operand| !is_immediate(instruction.op_kind(operand)))?;
        if kept.is_none() && bare.contains("xor") && last >= 1 && same(last, last - 1) {
            return Some(Value::Constant(0));
        }
        let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| bare.starts_with(prefix));
        let unary =
            starts(&["sqrt", "round", "rndscale", "cvt", "rcp", "rsqrt", "getexp", "getmant", "reduce"]);
        let mut inputs = Vec::new();
        // Of a scalar operation on one operand the other says only what the upper lanes hold.
        let first = if unary { last } else { 1 };
        for operand in first..=last {
            inputs.extend(self.operand(index, operand, state));
        }
        let reads_own = matches!(
            self.info.info(instruction).op0_access(),
            OpAccess::ReadWrite | OpAccess::ReadCondWrite | OpAccess::CondWrite
        );
        if kept.is_some() || reads_own && !unary {
            inputs.push(state.locations[to]);
        }
        // The elements of a table whose address is known.
        if bare.contains("gather") && instruction.memory_base() == Register::None
            || bare.contains("gather")
                && location(instruction.memory_base())
                    .is_some_and(|at| matches!(state.locations[at], Value::Constant(_)))
        {
            return Some(Value::Coefficient(index as u32));
        }
        // Where a table is permuted, or one of two constants chosen, it is a constant that comes out, whichever it is.
        let tables: &[u32] = match mnemonic {
            Mnemonic::Vpermps | Mnemonic::Vpermd | Mnemonic::Vpermpd | Mnemonic::Vpermq => &[2],
            Mnemonic::Vpermt2ps | Mnemonic::Vpermt2d | Mnemonic::Vpermt2pd | Mnemonic::Vpermt2q => &[0, 2],
            Mnemonic::Vpermi2ps | Mnemonic::Vpermi2d | Mnemonic::Vpermi2pd | Mnemonic::Vpermi2q => &[1, 2],
            Mnemonic::Vpermilps | Mnemonic::Vpermilpd | Mnemonic::Vpshufb => &[1],
            Mnemonic::Vblendvps | Mnemonic::Vblendvpd | Mnemonic::Vpblendvb => &[1, 2],
            Mnemonic::Blendvps | Mnemonic::Blendvpd | Mnemonic::Pblendvb => &[0, 1],
            _ => &[],
        };
        let tables_are_constant = !tables.is_empty()
            && kept.is_none_or(Value::is_constant)
            && tables.iter().all(|&table| self.operand(index, table, state).is_some_and(Value::is_constant));
        if tables_are_constant || inputs.is_empty() {
            return Some(if tables_are_constant { Value::Coefficient(index as u32) } else { made });
        }
        // A constant in every lane stays one wherever its lanes go.
        if let &[first @ Value::Constant(bits), ref rest @ ..] = &inputs[..]
            && bits as u32 == (bits >> 32) as u32
            && rest.iter().all(|&other| other == first)
            && starts(&["shufp", "pshufd", "unpckl", "punpckldq", "punpcklqdq", "movlhps", "permilp"])
        {
            return Some(first);
        }
        let kind = if starts(&[
            "round",
            "rndscale",
            "cvtdq2",
            "cvtps2dq",
            "cvttps2dq",
            "cvtpd2dq",
            "cvtsi2",
            "cvtss2si",
        ]) {
            StepKind::Round
        } else if starts(&["rcp", "rsqrt"]) {
            StepKind::Reciprocal
        } else if starts(&["sqrt"]) {
            StepKind::Root
        } else if starts(&["div"]) {
            StepKind::Quotient
        } else if starts(&["or", "por", "pternlog"]) {
            StepKind::Or
        } else if starts(&["and", "pand", "xor", "pxor"]) {
            StepKind::Logic
        } else if starts(&["cmp", "pcmp", "cvt", "fpclass", "pmovm2"]) {
            StepKind::Opaque
        } else {
            match integer(&bare) {
                // A shuffle of bytes by a table takes the lower or the upper ones of each lane, as for BF16.
                Some(Integer::Narrow) if self.takes_upper(index, &bare, state) => StepKind::Other,
                Some(how) => StepKind::Integer(how),
                None => StepKind::Other,
            }
        };
        if let StepKind::Integer(Integer::Left | Integer::Right) = kind {
            inputs.extend(instruction.try_immediate(count - 1).ok().map(Value::Constant));
        }
        let constant = inputs.iter().all(|input| input.is_constant());
        let result = if constant { Value::Coefficient(index as u32) } else { made };
        self.record(index, kind, inputs, result);
        Some(result)
    }

    /// True for a permutation of bytes or words with a known table that takes the upper half of a lane first.
    fn takes_upper(&mut self, index: usize, name: &str, state: &State) -> bool {
        let table = match name {
            "pshufb" => self.code[index].op_count() - 1,
            "permi2w" | "permi2b" => 0,
            name if name.starts_with("perm") => 1,
            _ => return false,
        };
        let Some(Value::Constant(bits)) = self.operand(index, table, state) else { return false };
        if name.ends_with('w') { bits & 1 == 1 } else { bits & 3 >= 2 }
    }

    fn record(&mut self, index: usize, kind: StepKind, inputs: Vec<Value>, result: Value) {
        if let Some(steps) = &mut self.steps {
            steps.push(Step { index: index as u32, kind, inputs, result });
        }
    }
}

pub(super) fn one(element: Element) -> u64 {
    match element {
        Element::F32 => 0x3f80_0000_3f80_0000,
        Element::F64 => 1f64.to_bits(),
    }
}

fn negative_zero(element: Element) -> u64 {
    match element {
        Element::F32 => 0x8000_0000_8000_0000,
        Element::F64 => (-0f64).to_bits(),
    }
}

/// A constant of a register as a vector would have it: the four bytes of a narrow general register twice.
fn lanes_of(register: Register, bits: u64) -> u64 {
    if register.is_gpr32() { bits & 0xffff_ffff | bits << 32 } else { bits }
}

/// The operation of an instruction on general registers, if it may be on the bits of a number.
fn of_bits(mnemonic: Mnemonic) -> Option<StepKind> {
    use Mnemonic::*;
    Some(match mnemonic {
        Or => StepKind::Or,
        And | Andn | Xor | Not | Bzhi => StepKind::Logic,
        Add | Sub | Lea | Inc | Dec | Neg => StepKind::Integer(Integer::Sum),
        Shl | Shlx => StepKind::Integer(Integer::Left),
        Shr | Sar | Shrx | Sarx | Bextr => StepKind::Integer(Integer::Right),
        Movzx | Movsx | Pextrb | Pextrw | Vpextrb | Vpextrw => StepKind::Integer(Integer::Narrow),
        Imul | Rol | Ror | Rorx | Pext | Pdep | Bsr | Lzcnt => StepKind::Integer(Integer::Other),
        Mov | Movsxd | Movd | Movq | Vmovd | Vmovq | Pextrd | Pextrq | Vpextrd | Vpextrq => StepKind::Other,
        Cmova | Cmovae | Cmovb | Cmovbe | Cmove | Cmovne | Cmovg | Cmovge | Cmovl | Cmovle | Cmovp
        | Cmovnp | Cmovs | Cmovns => StepKind::Other,
        Cvtss2si | Cvttss2si | Cvtsd2si | Cvttsd2si | Vcvtss2si | Vcvttss2si | Vcvtsd2si | Vcvttsd2si => {
            StepKind::Round
        }
        _ => return None,
    })
}

/// The name of an instruction on vectors in small letters, without the V of its newer encodings.
fn name_of(mnemonic: Mnemonic) -> String {
    let name = format!("{mnemonic:?}");
    name.strip_prefix('V').unwrap_or(&name).to_lowercase()
}

/// The integer arithmetic of an instruction on vectors, by its name.
fn integer(name: &str) -> Option<Integer> {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if starts(&["padd", "psub"]) {
        Some(Integer::Sum)
    } else if starts(&["psll"]) {
        Some(Integer::Left)
    } else if starts(&["psrl", "psra"]) {
        Some(Integer::Right)
    } else if starts(&["pshufb", "pack", "permw", "permb", "permt2w", "permt2b", "permi2w", "permi2b"])
        || narrows(name)
    {
        Some(Integer::Narrow)
    } else if starts(&[
        "pmul", "pmadd", "pmax", "pmin", "pabs", "psign", "phadd", "phsub", "pmov", "prol", "pror",
    ]) || starts(&["psadbw", "pavg", "plzcnt", "popcnt", "pdp"])
    {
        Some(Integer::Other)
    } else {
        None
    }
}

/// True if an instruction of this name keeps the lower bytes of each lane.
fn narrows(name: &str) -> bool {
    let kinds = ["db", "dw", "qd", "qw", "qb", "wb"];
    name.starts_with("pmov") && kinds.iter().any(|kind| name.ends_with(kind)) && !name.contains('x')
}

fn is_immediate(kind: OpKind) -> bool {
    matches!(kind, OpKind::Immediate8 | OpKind::Immediate8_2nd | OpKind::Immediate16 | OpKind::Immediate32)
}

fn is_move(mnemonic: Mnemonic) -> bool {
    use Mnemonic::*;
    matches!(
        mnemonic,
        Movaps
            | Movups
            | Movapd
            | Movupd
            | Movdqa
            | Movdqu
            | Movss
            | Movsd
            | Movd
            | Movq
            | Vmovaps
            | Vmovups
            | Vmovapd
            | Vmovupd
            | Vmovdqa
            | Vmovdqu
            | Vmovdqa32
            | Vmovdqa64
            | Vmovdqu8
            | Vmovdqu16
            | Vmovdqu32
            | Vmovdqu64
            | Vmovss
            | Vmovsd
            | Vmovd
            | Vmovq
            | Vlddqu
            | Lddqu
    )
}

fn is_broadcast(mnemonic: Mnemonic) -> bool {
    use Mnemonic::*;
    matches!(
        mnemonic,
        Vbroadcastss
            | Vbroadcastsd
            | Vpbroadcastd
            | Vpbroadcastq
            | Vbroadcastf128
            | Vbroadcasti128
            | Vbroadcastf32x2
            | Vbroadcastf32x4
            | Vbroadcastf32x8
            | Vbroadcastf64x2
            | Vbroadcastf64x4
            | Vbroadcasti32x2
            | Vbroadcasti32x4
            | Vbroadcasti32x8
            | Vbroadcasti64x2
            | Vbroadcasti64x4
            | Vmovddup
            | Movddup
    )
}

/// The bytes of a constant as [`multiply_adds`](super::multiply_adds) has them read: eight, or four twice.
pub fn spread(bytes: &[u8]) -> Option<u64> {
    if let Some(eight) = bytes.first_chunk() {
        return Some(u64::from_le_bytes(*eight));
    }
    let four = u64::from(u32::from_le_bytes(*bytes.first_chunk()?));
    Some(four | four << 32)
}
