//! Elementwise work, a block at a time: a chain of elementwise operations, or a region on scalars applied to many
//! elements ("lanes") at once. Intermediate results live in blocks that stay in cache; only what the kernel's user asks
//! for is written out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use binade_simd::Environment;
use rayon::prelude::*;

use crate::eval::emulated::{Class, Emulated, Fused, class};
use crate::eval::layout::{PARALLEL, Strided};
use crate::eval::rounded::Rounded;
use crate::eval::rules::Rules;
use crate::eval::{EvalError, convert, elementwise, integer};
use crate::eval::{View, ViewMut};
use crate::ir::{Binary, Direction, Op, Operation, Order, Unary};
use crate::spare;
use crate::storage::{Stored, each_storage};
use crate::tensor::Data;
use crate::types::ElementType;

/// Elements in a block: a few blocks of binary32 fit in the first-level cache, many in the second.
pub(crate) const BLOCK: usize = 2048;

/// Kernels of up to so many elements keep their working memory for the next time.
const KEPT: usize = 1024;

/// An elementwise operation. Operands and results are blocks of equally many elements.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Instruction {
    Unary(Unary),
    Binary(Binary),
    Compare { direction: Direction, order: Order },
    Select,
    Clamp,
    Convert,
    BitcastConvert,
    ReducePrecision { exponent_bits: u32, mantissa_bits: u32 },
}

/// What a node does.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    Do(Instruction),
    /// Rounds the elements of the one operand, as a rule of arithmetic asks for.
    Round(Box<Rounded>),
    /// A multiply-add of an operator.
    Fused(Arc<Emulated>, Fused),
    /// x shifted to the left by one amount and, zeros moving in, to the right by another, one of them for all elements
    /// each: the bits of both, or those that differ from a fourth operand's.
    Shifts,
}

/// Where an operand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// An input of the kernel.
    Input(usize),
    /// The result of an earlier node.
    Node(usize),
}

/// How a kernel's elements are found in an input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Access {
    /// Element i is element i.
    Dense,
    /// All elements are this one.
    Splat(usize),
    /// Through strides.
    Strided(Strided),
}

#[derive(Clone, Debug)]
struct Node {
    task: Task,
    operands: Vec<Source>,
    element: ElementType,
    place: Place,
}

/// Where the result of a node is written.
#[derive(Clone, Copy, Debug)]
enum Place {
    Register(usize),
    Output(usize),
}

/// A straight-line program on blocks.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    inputs: Vec<(Access, ElementType)>,
    nodes: Vec<Node>,
    outputs: Vec<Source>,
    /// A type for each register; types that are stored alike share registers.
    registers: Vec<ElementType>,
    /// Elements that are done at once, at most: what they take stays in the first-level cache.
    block: usize,
    spare: Spare,
}

/// A kernel's working memory; one for each thread.
#[derive(Debug)]
pub(crate) struct Scratch {
    registers: Vec<Data>,
    /// For inputs that are not dense: a block of the input's elements.
    blocks: Vec<Option<Data>>,
    /// Elements that a block has.
    room: usize,
}

/// Working memory that was used for a few elements and may be again.
#[derive(Debug, Default)]
struct Spare(Mutex<Option<Scratch>>);

impl Clone for Spare {
    fn clone(&self) -> Spare {
        Spare::default()
    }
}

impl Spare {
    /// Working memory for `length` elements, if there is some.
    fn take(&self, length: usize) -> Option<Scratch> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take().filter(|scratch| scratch.room >= length)
    }

    fn keep(&self, scratch: Scratch) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(scratch);
    }
}

/// What a node does, on what, and the type of its result.
type Building = (Task, Vec<Source>, ElementType);

/// A kernel being made.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    inputs: Vec<(Access, ElementType)>,
    nodes: Vec<Building>,
}

impl Builder {
    pub(crate) fn input(&mut self, access: Access, element: &ElementType) -> Source {
        self.inputs.push((access, element.clone()));
        Source::Input(self.inputs.len() - 1)
    }

    pub(crate) fn node(
        &mut self,
        instruction: Instruction,
        operands: Vec<Source>,
        element: &ElementType,
    ) -> Source {
        self.task(Task::Do(instruction), operands, element)
    }

    /// Rounds `source`, if there is a rounding.
    pub(crate) fn round(
        &mut self,
        source: Source,
        rounding: Option<&Rounded>,
        element: &ElementType,
    ) -> Source {
        match rounding {
            Some(rounding) => self.task(Task::Round(Box::new(rounding.clone())), vec![source], element),
            None => source,
        }
    }

    /// A multiply-add of an operator.
    pub(crate) fn fused(
        &mut self,
        emulated: &Arc<Emulated>,
        fused: Fused,
        operands: Vec<Source>,
        element: &ElementType,
    ) -> Source {
        self.task(Task::Fused(emulated.clone(), fused), operands, element)
    }

    /// An elementwise operation as the rules have it; none if it is not one.
    pub(crate) fn operation(
        &mut self,
        operation: &Operation,
        mut operands: Vec<Source>,
        element: &ElementType,
        rules: &Rules,
    ) -> Option<Source> {
        let instruction = instruction(&operation.kind)?;
        let Some(emulated) = rules.operator(operation, element) else {
            let source = self.node(instruction, operands, element);
            return Some(self.round(source, rules.rounding(operation, element), element));
        };
        match class(&operation.kind) {
            Class::Fused(fused) if !emulated.is_binary32() => {
                return Some(self.fused(emulated, fused, operands, element));
            }
            Class::Fused(_) | Class::Exact => return Some(self.node(instruction, operands, element)),
            Class::Function => {}
        }
        for operand in &mut operands {
            let element = self.element(*operand).clone();
            *operand = self.round(*operand, emulated.inputs.as_ref(), &element);
        }
        let source = self.node(instruction, operands, element);
        Some(self.round(source, emulated.accumulator.as_ref(), element))
    }

    fn element(&self, source: Source) -> &ElementType {
        match source {
            Source::Input(input) => &self.inputs[input].1,
            Source::Node(node) => &self.nodes[node].2,
        }
    }

    fn task(&mut self, task: Task, operands: Vec<Source>, element: &ElementType) -> Source {
        self.nodes.push((task, operands, element.clone()));
        Source::Node(self.nodes.len() - 1)
    }

    /// The kernel that gives these results; nodes that none of them needs are left out.
    pub(crate) fn finish(self, outputs: Vec<Source>) -> Kernel {
        let Builder { inputs, mut nodes } = self;
        shifts_together(&inputs, &mut nodes, &outputs);
        // The last reader of each node: the number of nodes if it is an output, 0 if there is none.
        let mut last = vec![0; nodes.len()];
        for output in &outputs {
            if let Source::Node(node) = output {
                last[*node] = nodes.len();
            }
        }
        for at in (0..nodes.len()).rev() {
            if last[at] == 0 {
                continue;
            }
            for operand in &nodes[at].1 {
                if let Source::Node(node) = operand {
                    last[*node] = last[*node].max(at);
                }
            }
        }
        let mut registers: Vec<ElementType> = vec![];
        let mut busy_until: Vec<usize> = vec![];
        let mut renamed = HashMap::new();
        let mut kept = vec![];
        for (at, (task, operands, element)) in nodes.into_iter().enumerate() {
            if last[at] == 0 {
                continue;
            }
            let output = outputs.iter().position(|output| *output == Source::Node(at));
            let place = match output {
                Some(output) => Place::Output(output),
                None => {
                    let alike = |register: &ElementType| same_storage(register, &element);
                    // A register that is read here for the last time is not free yet: kernels do not work in place.
                    let free = (0..registers.len()).find(|&r| busy_until[r] < at && alike(&registers[r]));
                    let register = free.unwrap_or_else(|| {
                        registers.push(element.clone());
                        busy_until.push(0);
                        registers.len() - 1
                    });
                    busy_until[register] = last[at];
                    Place::Register(register)
                }
            };
            let operands = operands.into_iter().map(|operand| rename(operand, &renamed)).collect();
            renamed.insert(at, kept.len());
            kept.push(Node { task, operands, element, place });
        }
        let outputs: Vec<Source> = outputs.into_iter().map(|output| rename(output, &renamed)).collect();
        let block = block(&inputs, &kept, &registers, outputs.len());
        Kernel { inputs, nodes: kept, outputs, registers, block, spare: Spare::default() }
    }
}

/// Elements at once, so that inputs, intermediate values and results of a word each take half of a first-level cache.
/// Of amounts of shifts one element is read.
fn block(
    inputs: &[(Access, ElementType)],
    nodes: &[Node],
    registers: &[ElementType],
    outputs: usize,
) -> usize {
    const ROOM: usize = 32 << 10;
    let mut read = vec![false; inputs.len()];
    for Node { task, operands, .. } in nodes {
        let is_amount = |at: usize| matches!(task, Task::Shifts) && (at == 1 || at == 2);
        for (at, operand) in operands.iter().enumerate() {
            if let Source::Input(input) = *operand
                && !is_amount(at)
            {
                read[input] = true;
            }
        }
    }
    let inputs = inputs.iter().zip(read).filter(|(_, read)| *read).map(|((_, element), _)| element);
    let bytes: usize = inputs.chain(registers).map(ElementType::stored_bytes).sum::<usize>() + 4 * outputs;
    (ROOM / bytes.max(1) / 256 * 256).clamp(512, BLOCK)
}

/// Makes one node of two shifts of a value by amounts for all elements and of what joins their bits, as rotations are
/// written, and of an exclusive or after it, as in Threefry.
fn shifts_together(inputs: &[(Access, ElementType)], nodes: &mut [Building], outputs: &[Source]) {
    let mut readers = vec![0; nodes.len()];
    for source in nodes.iter().flat_map(|(_, operands, _)| operands).chain(outputs) {
        if let Source::Node(node) = source {
            readers[*node] += 1;
        }
    }
    let shift = |source: Source, wanted: Binary| -> Option<(Source, Source)> {
        let Source::Node(at) = source else { return None };
        let (task, operands, _) = &nodes[at];
        let Task::Do(Instruction::Binary(binary)) = task else { return None };
        let (x, &Source::Input(by)) = (operands[0], &operands[1]) else { return None };
        let whole = matches!(inputs[by].1, ElementType::Integer { width: 32 | 64, .. });
        (*binary == wanted && readers[at] == 1 && whole && matches!(inputs[by].0, Access::Splat(_)))
            .then_some((x, operands[1]))
    };
    let mut found = vec![];
    for (at, (task, operands, _)) in nodes.iter().enumerate() {
        if !matches!(task, Task::Do(Instruction::Binary(Binary::Or))) {
            continue;
        }
        for (left, right) in [(0, 1), (1, 0)] {
            let left = shift(operands[left], Binary::ShiftLeft);
            let right = shift(operands[right], Binary::ShiftRightLogical);
            if let (Some((x, left)), Some((y, right))) = (left, right)
                && x == y
            {
                found.push((at, vec![x, left, right]));
            }
        }
    }
    for (at, operands) in found {
        nodes[at] = (Task::Shifts, operands, nodes[at].2.clone());
    }
    for at in 0..nodes.len() {
        let (Task::Do(Instruction::Binary(Binary::Xor)), operands, element) = &nodes[at] else { continue };
        let shifted = |source: &Source| match *source {
            Source::Node(node) if readers[node] == 1 => {
                matches!(nodes[node].0, Task::Shifts).then(|| nodes[node].1.clone())
            }
            _ => None,
        };
        let (first, second) = (shifted(&operands[0]), shifted(&operands[1]));
        let (mut shifts, other) = match (first, second) {
            (Some(shifts), _) => (shifts, operands[1]),
            (None, Some(shifts)) => (shifts, operands[0]),
            (None, None) => continue,
        };
        // One that has taken an exclusive or takes no other.
        if shifts.len() == 3 {
            shifts.push(other);
            nodes[at] = (Task::Shifts, shifts, element.clone());
        }
    }
}

fn rename(source: Source, nodes: &HashMap<usize, usize>) -> Source {
    match source {
        Source::Node(node) => Source::Node(nodes[&node]),
        input => input,
    }
}

fn same_storage(a: &ElementType, b: &ElementType) -> bool {
    a.is_stored_as(&Data::zeros(b, 0))
}

/// What an elementwise operation is to a kernel.
pub(crate) fn instruction(op: &Op) -> Option<Instruction> {
    Some(match *op {
        Op::Unary(unary) => Instruction::Unary(unary),
        Op::Binary(binary) => Instruction::Binary(binary),
        Op::Compare { direction, order } => Instruction::Compare { direction, order },
        Op::Select => Instruction::Select,
        Op::Clamp => Instruction::Clamp,
        Op::Convert => Instruction::Convert,
        Op::BitcastConvert => Instruction::BitcastConvert,
        Op::ReducePrecision { exponent_bits, mantissa_bits } => {
            Instruction::ReducePrecision { exponent_bits, mantissa_bits }
        }
        _ => return None,
    })
}

impl Kernel {
    /// The kernel of one operation on dense operands, a tensor of one element standing for as many as there are.
    pub(crate) fn single(
        instruction: Instruction,
        operands: &[(ElementType, bool)],
        result: &ElementType,
    ) -> Kernel {
        let mut builder = Builder::default();
        let access = |&splat: &bool| if splat { Access::Splat(0) } else { Access::Dense };
        let sources = operands.iter().map(|(element, splat)| builder.input(access(splat), element)).collect();
        let node = builder.node(instruction, sources, result);
        builder.finish(vec![node])
    }

    /// The kernel of a step of a reduction by an operator: from the sum so far and an element to the next sum.
    pub(crate) fn step(emulated: &Arc<Emulated>, fused: Fused, element: &ElementType) -> Kernel {
        let mut builder = Builder::default();
        let operands = (0..2).map(|_| builder.input(Access::Dense, element)).collect();
        let node = builder.fused(emulated, fused, operands, element);
        builder.finish(vec![node])
    }

    /// How many inputs there are.
    pub(crate) fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Types of the results.
    pub(crate) fn results(&self) -> impl Iterator<Item = &ElementType> {
        self.outputs.iter().map(|output| match *output {
            Source::Input(input) => &self.inputs[input].1,
            Source::Node(node) => &self.nodes[node].element,
        })
    }

    /// Working memory for blocks of up to `length` elements.
    pub(crate) fn scratch(&self, inputs: &[View], length: usize) -> Scratch {
        let block = |(access, element): &(Access, ElementType)| match access {
            Access::Dense => None,
            Access::Splat(_) | Access::Strided(_) => Some(Data::zeros(element, length)),
        };
        let mut scratch = Scratch {
            registers: self.registers.iter().map(|element| Data::zeros(element, length)).collect(),
            blocks: self.inputs.iter().map(block).collect(),
            room: length,
        };
        self.splat(&mut scratch, inputs, length);
        scratch
    }

    /// Fills the blocks of inputs of which all elements are one.
    fn splat(&self, scratch: &mut Scratch, inputs: &[View], length: usize) {
        for ((input, (access, _)), block) in inputs.iter().zip(&self.inputs).zip(&mut scratch.blocks) {
            if let (Access::Splat(at), Some(block)) = (access, block) {
                each_storage!(Data, block, block => {
                    let value = Stored::of_view(*input)[*at];
                    block[..length].fill(value);
                });
            }
        }
    }

    /// Computes `length` elements from element `start` on into `outputs`. Dense inputs are whole tensors too.
    pub(crate) fn run(
        &self,
        scratch: &mut Scratch,
        inputs: &[View],
        start: usize,
        length: usize,
        outputs: &mut [ViewMut],
    ) -> Result<(), EvalError> {
        for ((input, (access, _)), block) in inputs.iter().zip(&self.inputs).zip(&mut scratch.blocks) {
            if let (Access::Strided(view), Some(block)) = (access, block) {
                each_storage!(Data, block, block => {
                    view.fill(Stored::of_view(*input), start, &mut block[..length]);
                });
            }
        }
        for node in &self.nodes {
            let (mut register, mut output) = (Data::U8(vec![]), ViewMut::U8(&mut []));
            match node.place {
                Place::Register(at) => std::mem::swap(&mut register, &mut scratch.registers[at]),
                Place::Output(at) => std::mem::swap(&mut output, &mut outputs[at]),
            }
            let mut operands = [(&node.element, View::U8(&[])); 4];
            for (operand, source) in operands.iter_mut().zip(&node.operands) {
                *operand = self.operand(*source, scratch, inputs, start, length, outputs);
            }
            let [x, y, z, other] = operands;
            let target = match node.place {
                Place::Register(_) => register.view_mut().split_at(length).0,
                Place::Output(_) => output.range(0..length),
            };
            match &node.task {
                Task::Do(instruction) => apply(instruction, &[x, y, z], &node.element, target)?,
                Task::Round(rounding) => rounding.round_into(&node.element, x.1, target),
                Task::Fused(emulated, fused) => {
                    emulated.apply(*fused, &node.element, [x.1, y.1, z.1], target);
                }
                Task::Shifts => {
                    let other = (node.operands.len() == 4).then_some(other.1);
                    integer::shifts([x.1, y.1, z.1], other, target);
                }
            }
            match node.place {
                Place::Register(at) => std::mem::swap(&mut register, &mut scratch.registers[at]),
                Place::Output(at) => std::mem::swap(&mut output, &mut outputs[at]),
            }
        }
        for (at, source) in self.outputs.iter().enumerate() {
            let written = matches!(*source, Source::Node(node) if matches!(self.nodes[node].place, Place::Output(o) if o == at));
            if !written {
                let mut output = std::mem::replace(&mut outputs[at], ViewMut::U8(&mut []));
                let (_, from) = self.operand(*source, scratch, inputs, start, length, outputs);
                output.copy_from(from);
                outputs[at] = output;
            }
        }
        Ok(())
    }

    // In line: what it returned would be stored by words and loaded by vectors, which waits for the stores.
    #[inline(always)]
    fn operand<'a>(
        &'a self,
        source: Source,
        scratch: &'a Scratch,
        inputs: &'a [View],
        start: usize,
        length: usize,
        outputs: &'a [ViewMut],
    ) -> (&'a ElementType, View<'a>) {
        match source {
            Source::Input(input) => {
                let slice = match &scratch.blocks[input] {
                    Some(block) => block.view().range(0..length),
                    None => inputs[input].range(start..start + length),
                };
                (&self.inputs[input].1, slice)
            }
            Source::Node(node) => {
                let Node { element, place, .. } = &self.nodes[node];
                let slice = match *place {
                    Place::Register(at) => scratch.registers[at].view().range(0..length),
                    Place::Output(at) => outputs[at].as_view(),
                };
                (element, slice)
            }
        }
    }

    /// Computes all of `length` elements. The result does not depend on the number of threads.
    ///
    /// # Errors
    /// If an operation is not defined on its operands' types.
    pub(crate) fn evaluate(&self, inputs: &[View], length: usize) -> Result<Vec<Data>, EvalError> {
        // Every element is written below.
        let mut results: Vec<Data> = self.results().map(|element| spare::data(element, length)).collect();
        let mut outputs: Vec<ViewMut> = results.iter_mut().map(Data::view_mut).collect();
        if length <= KEPT {
            let _environment = Environment::enter();
            let mut scratch = match self.spare.take(length) {
                Some(mut scratch) => {
                    self.splat(&mut scratch, inputs, length);
                    scratch
                }
                None => self.scratch(inputs, length),
            };
            self.run(&mut scratch, inputs, 0, length, &mut outputs)?;
            self.spare.keep(scratch);
            return Ok(results);
        }
        let threads = rayon::current_num_threads();
        if length < PARALLEL || threads == 1 {
            self.piece(inputs, 0, length, outputs)?;
        } else {
            let size = length.div_ceil(4 * threads).next_multiple_of(BLOCK);
            let pieces = cut(outputs, length, size);
            pieces
                .into_par_iter()
                .try_for_each(|(start, length, outputs)| self.piece(inputs, start, length, outputs))?;
        }
        Ok(results)
    }

    fn piece(
        &self,
        inputs: &[View],
        start: usize,
        length: usize,
        mut outputs: Vec<ViewMut>,
    ) -> Result<(), EvalError> {
        let _environment = Environment::enter();
        let mut scratch = self.scratch(inputs, length.min(self.block));
        let mut done = 0;
        while done < length {
            let block = self.block.min(length - done);
            let (mut heads, tails): (Vec<_>, Vec<_>) =
                outputs.into_iter().map(|output| output.split_at(block)).unzip();
            self.run(&mut scratch, inputs, start + done, block, &mut heads)?;
            outputs = tails;
            done += block;
        }
        Ok(())
    }
}

/// Applies an instruction to as many of the operands as it takes.
pub(crate) fn apply(
    instruction: &Instruction,
    operands: &[(&ElementType, View); 3],
    result: &ElementType,
    mut out: ViewMut,
) -> Result<(), EvalError> {
    let [(element, x), (_, y), (_, z)] = *operands;
    match *instruction {
        Instruction::Unary(op) => elementwise::unary_into(op, element, x, result, out),
        Instruction::Binary(op) => elementwise::binary_into(op, element, x, y, result, out),
        Instruction::Compare { direction, order } => {
            elementwise::compare_into(direction, order, element, x, y, out)
        }
        Instruction::Select => {
            let View::U8(predicate) = x else { return Err(EvalError::element("select", element)) };
            elementwise::select_into(predicate, y, z, out);
            Ok(())
        }
        Instruction::Clamp => {
            let mut raised = Data::zeros(result, out.len());
            elementwise::binary_into(Binary::Maximum, result, x, y, result, raised.view_mut())?;
            elementwise::binary_into(Binary::Minimum, result, raised.view(), z, result, out)
        }
        Instruction::Convert => convert::convert_into(element, x, result, out),
        Instruction::BitcastConvert => {
            if !bitcast_into(x, &mut out) {
                out.copy_from(x);
            }
            Ok(())
        }
        Instruction::ReducePrecision { exponent_bits, mantissa_bits } => {
            let ElementType::Float(float) = element else {
                return Err(EvalError::element("reduce_precision", element));
            };
            convert::reduce_precision_into(*float, x, exponent_bits, mantissa_bits, out);
            Ok(())
        }
    }
}

/// Whether a change of type keeps every element where it is, and all bits of its storage.
pub(crate) fn bitcasts(from: &ElementType, to: &ElementType) -> bool {
    let whole = |element: &ElementType| element.bits() == 8 * element.stored_bytes();
    from == to
        || from.bits() == to.bits() && whole(from) && whole(to) && !from.is_complex() && !to.is_complex()
}

/// Elements whose bits are those of `x`; false if both are stored alike, so that they can be copied.
fn bitcast_into(x: View, out: &mut ViewMut) -> bool {
    macro_rules! cast {
        ($($from:ident $to:ident |$x:ident| $cast:expr;)*) => {
            match (x, out) {
                $((View::$from(x), ViewMut::$to(out)) => {
                    out.iter_mut().zip(x).for_each(|(out, &$x)| *out = $cast);
                })*
                _ => return false,
            }
        };
    }
    cast! {
        I8 U8 |x| x as u8;
        U8 I8 |x| x as i8;
        I16 U16 |x| x as u16;
        U16 I16 |x| x as i16;
        I32 U32 |x| x as u32;
        I32 F32 |x| f32::from_bits(x as u32);
        U32 I32 |x| x as i32;
        U32 F32 |x| f32::from_bits(x);
        F32 I32 |x| x.to_bits() as i32;
        F32 U32 |x| x.to_bits();
        I64 U64 |x| x as u64;
        I64 F64 |x| f64::from_bits(x as u64);
        U64 I64 |x| x as i64;
        U64 F64 |x| f64::from_bits(x);
        F64 I64 |x| x.to_bits() as i64;
        F64 U64 |x| x.to_bits();
    }
    true
}

/// Pieces of `size` elements of each of `outputs`: start, length, and the piece of each.
pub(crate) fn cut(
    mut outputs: Vec<ViewMut>,
    length: usize,
    size: usize,
) -> Vec<(usize, usize, Vec<ViewMut>)> {
    let mut pieces = vec![];
    for start in (0..length).step_by(size.max(1)) {
        let piece = size.min(length - start);
        let (heads, tails) = outputs.into_iter().map(|output| output.split_at(piece)).unzip();
        pieces.push((start, piece, heads));
        outputs = tails;
    }
    pieces
}
