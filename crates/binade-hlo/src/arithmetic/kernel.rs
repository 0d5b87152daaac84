//! Kernels: elementwise operations on blocks of elements, for chains of operations and for regions on scalars that are
//! applied to many elements ("lanes") at once. Intermediate results stay in blocks in cache. Only the requested results
//! are written to memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use binade_simd::{Environment, prefetch, threads};
use binade_stablehlo::ir::{Binary, Operation};
use binade_stablehlo::storage::{StorageKind, Stored};
use binade_stablehlo::{Data, ElementType, View, ViewMut, each_storage};
use bytemuck::cast_slice;

use super::blocks::{BLOCK, cut};
use super::emulated::{Class, Emulated, Fused, class};
use super::instruction::{Instruction, instruction};
use super::instruction_set::ISA;
use super::plain::{Operand, Plain, Target};
use super::rounded::Rounded;
use super::rules::Rules;
use super::{convert, elementwise_blocks};
use crate::buffer_pool;
use crate::error::EvalError;
use crate::movement::layout::{Line, PARALLEL, Strided};

/// Kernels keep the working memory of blocks up to this size for the next call.
const MAX_CACHED: usize = 1024;

/// The work of a node.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    Do(Instruction),
    /// Rounds the elements of the operand, as a rule of arithmetic demands.
    Round(Box<Rounded>),
    /// A multiply-add of an operator.
    Fused(Arc<Emulated>, Fused),
    /// x shifted to the left by one amount for all elements, and to the right by another, filled with zeros. The result
    /// has the bits of both, or the exclusive or of those with a fourth operand.
    Shifts,
}

/// The source of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// An input of the kernel.
    Input(usize),
    /// The result of an earlier node.
    Node(usize),
}

/// The mapping from a kernel's elements to those of an input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Access {
    /// Element i of the input.
    Dense,
    /// This element of the input for all.
    Splat(usize),
    /// The elements at strides.
    Strided(Strided),
    /// Element i is ⌊i / `inner`⌋ modulo `size`; no tensor stores them.
    Counter { inner: usize, size: usize },
}

#[derive(Clone, Debug)]
struct Node {
    task: Task,
    /// The operation of `task` for which processors have instructions, if there is one.
    plain: Option<Plain>,
    operands: Vec<Source>,
    element: ElementType,
    kind: StorageKind,
    place: Place,
}

/// The place of a node's result.
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
    /// The number of registers, and the largest element in them, in bytes.
    registers: (usize, usize),
    /// For each input: true if one element stands for all and is copied to a whole block.
    spread: Vec<bool>,
    /// The most elements that are computed at once; their blocks fit in the first-level cache.
    block: usize,
    /// The distance between row starts of strided inputs, if blocks should end there.
    row: usize,
    cache: ScratchCache,
}

/// A kernel's working memory; each thread has one.
#[derive(Debug)]
pub(crate) struct Scratch {
    registers: Vec<Register>,
    /// Blocks for inputs that are read as blocks and are not stored in that order.
    blocks: Vec<Option<Data>>,
    /// For each input: how the current elements are read, if it is strided.
    strided: Vec<StridedPart>,
    /// Inputs whose elements are stored in an output's buffer, with the output. They are read as blocks.
    taken: Vec<(usize, usize)>,
    /// The number of elements of a block.
    capacity: usize,
}

/// The current elements of a strided input.
#[derive(Clone, Copy, Debug)]
struct StridedPart {
    /// Their layout in the input.
    line: Line,
    /// For an input that repeats itself: the place in the repeated elements at which its block begins, and the number of
    /// elements in the block.
    repeated: Option<(usize, usize)>,
}

/// A block of elements of any type, aligned to a cache line.
#[derive(Debug, Default)]
struct Register {
    words: Vec<u64>,
    first: usize,
}

impl Register {
    fn new(bytes: usize) -> Register {
        /// The words of a cache line.
        const LINE: usize = 8;
        let words = vec![0; bytes.div_ceil(size_of::<u64>()) + LINE];
        let first = words.as_ptr().align_offset(LINE * size_of::<u64>()).min(LINE);
        Register { words, first }
    }

    #[inline(always)]
    fn view(&self, kind: StorageKind, length: usize) -> View<'_> {
        kind.view(&self.words[self.first..], length)
    }

    #[inline(always)]
    fn view_mut(&mut self, kind: StorageKind, length: usize) -> ViewMut<'_> {
        kind.view_mut(&mut self.words[self.first..], length)
    }
}

/// The elements that a kernel computes at once: `length` of them, from `start` on in the inputs and from `from` on in
/// the outputs.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    length: usize,
    from: usize,
}

impl Part {
    #[inline(always)]
    fn read(self) -> std::ops::Range<usize> {
        self.start..self.start + self.length
    }

    #[inline(always)]
    fn written(self) -> std::ops::Range<usize> {
        self.from..self.from + self.length
    }

    /// Prefetches the next part's elements, which follow a range.
    #[inline(always)]
    fn fetch_after(self, elements: View, range: std::ops::Range<usize>) {
        each_storage!(View, elements, elements => {
            let end = elements.len();
            prefetch(&elements[range.end.min(end)..(range.end + self.length).min(end)]);
        });
    }
}

/// The working memory of the last small block, for the next call.
#[derive(Debug, Default)]
struct ScratchCache(Mutex<Option<Scratch>>);

impl Clone for ScratchCache {
    fn clone(&self) -> ScratchCache {
        ScratchCache::default()
    }
}

impl ScratchCache {
    /// Takes the working memory, if it is large enough for `length` elements.
    fn take(&self, length: usize) -> Option<Scratch> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
            .filter(|scratch| scratch.capacity >= length)
    }

    fn keep(&self, scratch: Scratch) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(scratch);
    }
}

/// A node while the kernel is built: its work, its operands, and the type of its result.
type Building = (Task, Vec<Source>, ElementType);

/// Builds a kernel.
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
        if let (Instruction::Clamp, &[least, x, greatest]) = (&instruction, &operands[..]) {
            let raised = self.node(Instruction::Binary(Binary::Maximum), vec![least, x], element);
            return self.node(Instruction::Binary(Binary::Minimum), vec![raised, greatest], element);
        }
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

    /// Adds a multiply-add of an operator.
    pub(crate) fn fused(
        &mut self,
        emulated: &Arc<Emulated>,
        fused: Fused,
        operands: Vec<Source>,
        element: &ElementType,
    ) -> Source {
        self.task(Task::Fused(emulated.clone(), fused), operands, element)
    }

    /// Adds an elementwise operation under the rules; `None` if the operation is not elementwise.
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

    /// Makes the kernel with these results. Nodes that no result needs are omitted.
    pub(crate) fn finish(self, outputs: Vec<Source>) -> Kernel {
        let Builder { inputs, mut nodes } = self;
        shifts_together(&inputs, &mut nodes, &outputs);
        // The last reader of each node: the number of nodes if it is an output, 0 without readers.
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
        let mut busy_until: Vec<usize> = vec![];
        let mut width = 0;
        let mut renamed = HashMap::new();
        let mut kept: Vec<Node> = vec![];
        for (at, (task, operands, element)) in nodes.into_iter().enumerate() {
            if last[at] == 0 {
                continue;
            }
            let output = outputs.iter().position(|output| *output == Source::Node(at));
            let place = match output {
                Some(output) => Place::Output(output),
                None => {
                    // A register whose last reader is this node is not free yet: kernels do not work in place.
                    let free = busy_until.iter().position(|&until| until < at);
                    let register = free.unwrap_or_else(|| {
                        busy_until.push(0);
                        busy_until.len() - 1
                    });
                    width = width.max(StorageKind::of(&element).width());
                    busy_until[register] = last[at];
                    Place::Register(register)
                }
            };
            let operands: Vec<Source> =
                operands.into_iter().map(|operand| rename(operand, &renamed)).collect();
            renamed.insert(at, kept.len());
            let types: Vec<&ElementType> = (operands.iter())
                .map(|source| match *source {
                    Source::Input(input) => &inputs[input].1,
                    Source::Node(node) => &kept[node].element,
                })
                .collect();
            let plain = match &task {
                Task::Do(instruction) => Plain::new(instruction, &types, &element),
                Task::Shifts => Some(Plain::Shifts),
                _ => None,
            };
            let kind = StorageKind::of(&element);
            kept.push(Node { task, plain, operands, element, kind, place });
        }
        let outputs: Vec<Source> = outputs.into_iter().map(|output| rename(output, &renamed)).collect();
        let mut spread = vec![false; inputs.len()];
        let read = kept.iter().filter(|node| node.plain.is_none()).flat_map(|node| &node.operands);
        for source in read.chain(&outputs) {
            if let Source::Input(input) = *source {
                spread[input] = true;
            }
        }
        let registers = (busy_until.len(), width);
        let (block, row) = block(&inputs, &spread, registers, outputs.len());
        Kernel { inputs, nodes: kept, outputs, registers, spread, block, row, cache: ScratchCache::default() }
    }
}

/// Returns the elements of a block and the distance between row starts. Inputs, intermediate values and results of a
/// block take half of a first-level cache. Within a long row, strided inputs need no copy. Of shorter rows, a block has
/// several whole ones: copies cost less than selecting each operation once for each row.
fn block(
    inputs: &[(Access, ElementType)],
    spread: &[bool],
    (registers, width): (usize, usize),
    outputs: usize,
) -> (usize, usize) {
    const CACHE_BYTES: usize = 32 << 10;
    /// The least row length for which blocks end at rows.
    const ROW: usize = 128;
    let read = inputs.iter().zip(spread).filter(|((access, _), spread)| match access {
        Access::Splat(_) => **spread,
        Access::Dense | Access::Strided(_) | Access::Counter { .. } => true,
    });
    let read: usize = read.map(|((_, element), _)| element.stored_bytes()).sum();
    let bytes = read + registers * width + 4 * outputs;
    let block = (CACHE_BYTES / bytes.max(1) / 256 * 256).clamp(512, BLOCK);
    let rows = inputs.iter().filter_map(|(access, _)| match access {
        Access::Strided(strided) => Some(strided.row()),
        Access::Dense | Access::Splat(_) | Access::Counter { .. } => None,
    });
    match rows.reduce(gcd) {
        Some(row @ ROW..) if 2 * row <= block => (block / row * row, usize::MAX),
        Some(row @ ROW..) => (row.div_ceil(row.div_ceil(block)), row),
        _ => (block, usize::MAX),
    }
}

fn gcd(x: usize, y: usize) -> usize {
    match y {
        0 => x,
        y => gcd(y, x % y),
    }
}

/// Replaces a pair of shifts by one amount each, and the operation that joins their bits, by one node. Rotations have
/// this form. A following exclusive or, as in Threefry, is included.
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
        let whole = matches!(inputs[by].1, ElementType::Integer { width: 32, .. });
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
        // A node includes at most one exclusive or.
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

impl Kernel {
    /// The kernel of one operation on dense operands; a tensor of one element stands for all.
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

    /// The kernel of a reduction's step under an operator: from the sum so far and an element to the next sum.
    pub(crate) fn step(emulated: &Arc<Emulated>, fused: Fused, element: &ElementType) -> Kernel {
        let mut builder = Builder::default();
        let operands = (0..2).map(|_| builder.input(Access::Dense, element)).collect();
        let node = builder.fused(emulated, fused, operands, element);
        builder.finish(vec![node])
    }

    /// The number of inputs.
    pub(crate) fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// The number of elements from `start` to the next row of strided inputs; very large if rows do not matter.
    pub(crate) fn elements_to_row_end(&self, start: usize) -> usize {
        self.row - start % self.row
    }

    /// The types of the results.
    pub(crate) fn results(&self) -> impl Iterator<Item = &ElementType> {
        self.outputs.iter().map(|output| match *output {
            Source::Input(input) => &self.inputs[input].1,
            Source::Node(node) => &self.nodes[node].element,
        })
    }

    /// Working memory for blocks of up to `length` elements.
    pub(crate) fn scratch(&self, inputs: &[View], length: usize) -> Scratch {
        if length <= MAX_CACHED
            && let Some(mut scratch) = self.cache.take(length)
        {
            scratch.strided.iter_mut().for_each(|part| part.repeated = None);
            self.splat(&mut scratch, inputs, length);
            return scratch;
        }
        let block = |((access, element), &spread): (&(Access, ElementType), &bool)| match access {
            Access::Dense => None,
            Access::Splat(_) => spread.then(|| Data::zeros(element, length)),
            Access::Strided(_) | Access::Counter { .. } => Some(Data::zeros(element, length)),
        };
        let (registers, width) = self.registers;
        let mut scratch = Scratch {
            registers: (0..registers).map(|_| Register::new(length * width)).collect(),
            blocks: self.inputs.iter().zip(&self.spread).map(block).collect(),
            strided: vec![StridedPart { line: Line::Block, repeated: None }; self.inputs.len()],
            taken: vec![],
            capacity: length,
        };
        self.splat(&mut scratch, inputs, length);
        scratch
    }

    /// Returns working memory for the next call.
    pub(crate) fn keep(&self, scratch: Scratch) {
        if scratch.capacity <= MAX_CACHED {
            self.cache.keep(scratch);
        }
    }

    /// Fills the blocks of inputs of which one element stands for all.
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

    /// Computes `length` elements, from `start` on in the inputs, and writes them to `outputs` from `from` on. Dense
    /// inputs are whole tensors.
    pub(crate) fn run(
        &self,
        scratch: &mut Scratch,
        inputs: &[View],
        (start, length): (usize, usize),
        outputs: &mut [ViewMut],
        from: usize,
    ) -> Result<(), EvalError> {
        let part = Part { start, length, from };
        for &(input, output) in &scratch.taken {
            if let Some(block) = &mut scratch.blocks[input] {
                let elements = outputs[output].as_view();
                block.view_mut().range(0..length).copy_from(elements.range(part.written()));
                part.fetch_after(elements, part.written());
            }
        }
        for (at, (input, (access, _))) in inputs.iter().zip(&self.inputs).enumerate() {
            let Some(block) = &mut scratch.blocks[at] else { continue };
            match *access {
                Access::Strided(ref view) => {
                    let line = if self.spread[at] { Line::Block } else { view.line(start, length) };
                    let strided = &mut scratch.strided[at];
                    strided.line = line;
                    let phase = view.period().map(|period| start % period);
                    let repeats = (strided.repeated)
                        .is_some_and(|(held, count)| Some(held) == phase && length <= count);
                    if line == Line::Block && !repeats {
                        strided.repeated = phase.map(|phase| (phase, length));
                        each_storage!(Data, block, block => {
                            view.fill(Stored::of_view(*input), start, &mut block[..length]);
                        });
                    }
                }
                Access::Counter { .. } if length == 0 => {}
                Access::Counter { inner, size } => count(block, start, length, (inner, size)),
                Access::Dense | Access::Splat(_) => {}
            }
        }
        for (at, node) in self.nodes.iter().enumerate() {
            self.prefetch(at, inputs, part);
            self.node(node, scratch, inputs, part, outputs)?;
        }
        for (at, source) in self.outputs.iter().enumerate() {
            let written = matches!(*source, Source::Node(node) if matches!(self.nodes[node].place, Place::Output(o) if o == at));
            if !written {
                let mut output = std::mem::replace(&mut outputs[at], ViewMut::U8(&mut []));
                let (_, elements) = self.operand(*source, scratch, inputs, part, outputs);
                output.range(part.written()).copy_from(elements);
                outputs[at] = output;
            }
        }
        Ok(())
    }

    /// Prefetches a share of the next part's dense inputs at each node, so that loads overlap with computation. For
    /// small kernels the processor's own prefetching suffices.
    #[inline(always)]
    fn prefetch(&self, node: usize, inputs: &[View], part: Part) {
        /// The least numbers of elements and of nodes for which this is worthwhile.
        const WORTH: (usize, usize) = (256, 4);
        if part.length < WORTH.0 || self.nodes.len() < WORTH.1 {
            return;
        }
        let share = |node: usize| node * inputs.len() / self.nodes.len();
        let some = share(node)..share(node + 1);
        for (input, (access, _)) in inputs[some.clone()].iter().zip(&self.inputs[some]) {
            if let Access::Dense = access {
                part.fetch_after(*input, part.read());
            }
        }
    }

    /// Computes a node on a part.
    fn node(
        &self,
        node: &Node,
        scratch: &mut Scratch,
        inputs: &[View],
        part: Part,
        outputs: &mut [ViewMut],
    ) -> Result<(), EvalError> {
        let (mut register, mut output) = (Register::default(), ViewMut::U8(&mut []));
        match node.place {
            Place::Register(at) => std::mem::swap(&mut register, &mut scratch.registers[at]),
            Place::Output(at) => std::mem::swap(&mut output, &mut outputs[at]),
        }
        let target = match node.place {
            Place::Register(_) => register.view_mut(node.kind, part.length),
            Place::Output(_) => output.range(part.written()),
        };
        if let Some(plain) = node.plain {
            let elements = |at: usize| match node.operands.get(at) {
                Some(&source) => self.plain_operand(source, scratch, inputs, part, outputs),
                None => Operand::Byte(0),
            };
            let other = (node.operands.len() == 4).then(|| elements(3));
            plain.run(*ISA, [elements(0), elements(1), elements(2)], other, Target::of(target));
        } else {
            let mut operands = [(&node.element, View::U8(&[])); 3];
            for (operand, source) in operands.iter_mut().zip(&node.operands) {
                *operand = self.operand(*source, scratch, inputs, part, outputs);
            }
            match &node.task {
                Task::Do(instruction) => apply(instruction, &operands, &node.element, target)?,
                Task::Round(rounding) => rounding.round_into(&node.element, operands[0].1, target),
                Task::Fused(emulated, fused) => {
                    emulated.apply(*fused, &node.element, operands.map(|(_, view)| view), target);
                }
                Task::Shifts => unreachable!("these are plain"),
            }
        }
        match node.place {
            Place::Register(at) => std::mem::swap(&mut register, &mut scratch.registers[at]),
            Place::Output(at) => std::mem::swap(&mut output, &mut outputs[at]),
        }
        Ok(())
    }

    /// An operand in the form that [`crate::arithmetic::plain`] reads.
    #[inline(always)]
    fn plain_operand<'a>(
        &self,
        source: Source,
        scratch: &'a Scratch,
        inputs: &[View<'a>],
        part: Part,
        outputs: &'a [ViewMut],
    ) -> Operand<'a> {
        match source {
            Source::Input(input) => match &self.inputs[input].0 {
                Access::Dense => match &scratch.blocks[input] {
                    Some(block) => Operand::range(block.view(), 0..part.length),
                    None => Operand::range(inputs[input], part.read()),
                },
                Access::Splat(at) => Operand::one(inputs[input], *at),
                Access::Strided(_) | Access::Counter { .. } => match scratch.strided[input].line {
                    Line::One(at) => Operand::one(inputs[input], at),
                    Line::Run(first) => Operand::range(inputs[input], first..first + part.length),
                    Line::Block => match &scratch.blocks[input] {
                        Some(block) => Operand::range(block.view(), 0..part.length),
                        None => unreachable!("there is a block for it"),
                    },
                },
            },
            Source::Node(node) => {
                let Node { place, kind, .. } = &self.nodes[node];
                match *place {
                    Place::Register(at) => {
                        let Register { words, first } = &scratch.registers[at];
                        match kind.width() {
                            4 => Operand::Words(&cast_slice(&words[*first..])[..part.length]),
                            2 => Operand::Halves(&cast_slice(&words[*first..])[..part.length]),
                            _ => Operand::Bytes(&cast_slice(&words[*first..])[..part.length]),
                        }
                    }
                    Place::Output(at) => Operand::range(outputs[at].as_view(), part.written()),
                }
            }
        }
    }

    // Inlined: a returned value would be stored by words and loaded by vectors, and the load would wait for the stores.
    #[inline(always)]
    fn operand<'a>(
        &'a self,
        source: Source,
        scratch: &'a Scratch,
        inputs: &'a [View],
        part: Part,
        outputs: &'a [ViewMut],
    ) -> (&'a ElementType, View<'a>) {
        match source {
            Source::Input(input) => {
                let slice = match &scratch.blocks[input] {
                    Some(block) => block.view().range(0..part.length),
                    None => inputs[input].range(part.read()),
                };
                (&self.inputs[input].1, slice)
            }
            Source::Node(node) => {
                let Node { element, place, kind, .. } = &self.nodes[node];
                let slice = match *place {
                    Place::Register(at) => scratch.registers[at].view(*kind, part.length),
                    Place::Output(at) => outputs[at].as_view().range(part.written()),
                };
                (element, slice)
            }
        }
    }

    /// Returns true if an output can reuse an input's memory.
    pub(crate) fn can_take(&self, input: usize, output: usize) -> bool {
        let (access, element) = &self.inputs[input];
        let kind = self.results().nth(output).map(StorageKind::of);
        matches!(access, Access::Dense) && kind == Some(StorageKind::of(element))
    }

    /// Computes all of `length` elements. The result does not depend on the number of threads.
    ///
    /// # Errors
    /// If an operation is not defined on its operands' types.
    pub(crate) fn evaluate(&self, inputs: &[View], length: usize) -> Result<Vec<Data>, EvalError> {
        self.evaluate_in(inputs, vec![], length)
    }

    /// As [`Self::evaluate`], but outputs overwrite some inputs of `length` elements: (input, output, elements). The
    /// entries of `inputs` for these are ignored.
    pub(crate) fn evaluate_in(
        &self,
        inputs: &[View],
        given: Vec<(usize, usize, Data)>,
        length: usize,
    ) -> Result<Vec<Data>, EvalError> {
        let taken: Vec<(usize, usize)> = given.iter().map(|&(input, output, _)| (input, output)).collect();
        let mut results: Vec<Option<Data>> = self.outputs.iter().map(|_| None).collect();
        for (_, output, data) in given {
            results[output] = Some(data);
        }
        // Every element is written below, so buffers need not be cleared.
        let mut results: Vec<Data> = (self.results().zip(results))
            .map(|(element, given)| given.unwrap_or_else(|| buffer_pool::data(element, length)))
            .collect();
        let mut outputs: Vec<ViewMut> = results.iter_mut().map(Data::view_mut).collect();
        if length <= MAX_CACHED && taken.is_empty() {
            let _environment = Environment::enter();
            let mut scratch = self.scratch(inputs, length);
            self.run(&mut scratch, inputs, (0, length), &mut outputs, 0)?;
            self.keep(scratch);
            return Ok(results);
        }
        if length < PARALLEL || rayon::current_num_threads() == 1 {
            self.piece(inputs, &taken, (0, length), outputs)?;
        } else {
            let size = length.div_ceil(4 * rayon::current_num_threads()).next_multiple_of(BLOCK);
            let pieces = cut(outputs, length, size);
            threads::try_jobs(true, pieces, |(start, length, outputs)| {
                self.piece(inputs, &taken, (start, length), outputs)
            })?;
        }
        Ok(results)
    }

    fn piece(
        &self,
        inputs: &[View],
        taken: &[(usize, usize)],
        (start, length): (usize, usize),
        mut outputs: Vec<ViewMut>,
    ) -> Result<(), EvalError> {
        let _environment = Environment::enter();
        let mut scratch = self.scratch(inputs, length.min(self.block));
        for &(input, _) in taken {
            scratch.blocks[input] = Some(buffer_pool::data(&self.inputs[input].1, length.min(self.block)));
        }
        scratch.taken = taken.to_vec();
        let mut done = 0;
        while done < length {
            let block = self.block.min(length - done).min(self.elements_to_row_end(start + done));
            self.run(&mut scratch, inputs, (start + done, block), &mut outputs, done)?;
            done += block;
        }
        Ok(())
    }
}

/// Fills a block with the elements of a counter from `start` on.
fn count(block: &mut Data, start: usize, length: usize, (inner, size): (usize, usize)) {
    fn each<T>(out: &mut [T], start: usize, (inner, size): (usize, usize), of: impl Fn(usize) -> T) {
        let (mut value, mut inside) = (start / inner % size, start % inner);
        if inner == 1 && value + out.len() <= size {
            return out.iter_mut().enumerate().for_each(|(at, out)| *out = of(value + at));
        }
        for out in out {
            *out = of(value);
            inside += 1;
            if inside == inner {
                (inside, value) = (0, if value + 1 == size { 0 } else { value + 1 });
            }
        }
    }
    let sizes = (inner, size);
    match block {
        Data::I32(block) => each(&mut block[..length], start, sizes, |at| at as i32),
        Data::U32(block) => each(&mut block[..length], start, sizes, |at| at as u32),
        Data::I64(block) => each(&mut block[..length], start, sizes, |at| at as i64),
        Data::U64(block) => each(&mut block[..length], start, sizes, |at| at as u64),
        block => panic!("a counter of {block:?}"),
    }
}

/// Applies an instruction to the operands; ignores those that it does not use.
pub(crate) fn apply(
    instruction: &Instruction,
    operands: &[(&ElementType, View); 3],
    result: &ElementType,
    mut out: ViewMut,
) -> Result<(), EvalError> {
    let [(element, x), (_, y), (_, z)] = *operands;
    match *instruction {
        Instruction::Unary(op) => elementwise_blocks::unary_into(op, element, x, result, out),
        Instruction::Binary(op) => elementwise_blocks::binary_into(op, element, x, y, result, out),
        Instruction::Compare { direction, order } => {
            elementwise_blocks::compare_into(direction, order, element, x, y, out)
        }
        Instruction::Select => {
            let View::U8(predicate) = x else { return Err(EvalError::element("select", element)) };
            elementwise_blocks::select_into(predicate, y, z, out);
            Ok(())
        }
        Instruction::Clamp => {
            let mut raised = Data::zeros(result, out.len());
            elementwise_blocks::binary_into(Binary::Maximum, result, x, y, result, raised.view_mut())?;
            elementwise_blocks::binary_into(Binary::Minimum, result, raised.view(), z, result, out)
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

/// Copies the bits of `x`; false if both have the same storage, so that the caller can copy elements.
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
