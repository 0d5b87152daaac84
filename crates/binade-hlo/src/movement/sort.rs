//! Computes `sort` and `top_k`. A comparator that compares one function of both sides, or several lexicographically, becomes
//! integer keys with the same order. Any other comparator is applied by merging, to all pairs of runs at once.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use binade_simd::threads;
use binade_stablehlo::ir::{self, Binary, Direction, Op, Operation, Region, ValueId};
use binade_stablehlo::storage::Stored;
use binade_stablehlo::{
    Data, ElementType, FloatType, Tensor, Type, View, ViewMut, each_storage, map_storage,
};

use super::gather::pick;
use super::layout::PARALLEL;
use super::shape;
use crate::arithmetic::blocks::BLOCK;
use crate::arithmetic::body::Body;
use crate::arithmetic::instruction::instruction;
use crate::arithmetic::kernel::{Access, Builder, Source};
use crate::buffer_pool;
use crate::error::EvalError;

/// One key of a lexicographic order: unsigned integers, smallest first.
pub(crate) type Keys = Vec<u64>;

/// The order of elements.
pub(crate) enum Order<'a, 'b> {
    /// By keys of all elements, most significant first.
    Keys(Vec<Keys>),
    /// By the specification's comparator: (a₀, b₀, a₁, b₁, …) → true if a precedes b.
    Comparator(&'a Body<'b>),
}

/// Transposes the dimension to the last place, so that rows are sorted.
pub(crate) fn rows(inputs: &[Tensor], dimension: usize) -> Vec<Tensor> {
    match exchange(inputs[0].shape.len(), dimension) {
        Some(order) => inputs.iter().map(|input| shape::transpose(input, &order)).collect(),
        None => inputs.to_vec(),
    }
}

/// The permutation that swaps this dimension with the last one. `None` if it is the last.
fn exchange(rank: usize, dimension: usize) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..rank).collect();
    order.swap(dimension, rank - 1);
    (dimension + 1 < rank).then_some(order)
}

/// Sorts rows (see [`rows`]) stably, and transposes back.
pub(crate) fn sort(rows: Vec<Tensor>, dimension: usize, order: Order) -> Result<Vec<Tensor>, EvalError> {
    let length = *rows[0].shape.last().expect("something to sort along");
    if length <= 1 || rows[0].data.is_empty() {
        return Ok(back(rows, dimension));
    }
    let permutation = match order {
        Order::Keys(keys) => {
            let permutation = by_keys(&keys, rows[0].data.len(), length);
            keys.into_iter().for_each(|keys| buffer_pool::give(Arc::new(Data::U64(keys))));
            permutation
        }
        Order::Comparator(body) => by_comparator(&rows, length, body)?,
    };
    let sorted = rows.iter().map(|row| taken(row, &permutation, length)).collect();
    Ok(back(sorted, dimension))
}

fn back(rows: Vec<Tensor>, dimension: usize) -> Vec<Tensor> {
    match exchange(rows[0].shape.len(), dimension) {
        Some(order) => rows.iter().map(|row| shape::transpose(row, &order)).collect(),
        None => rows,
    }
}

/// The elements of `x` in the order of `permutation`, positions within each row.
fn taken(x: &Tensor, permutation: &[u32], length: usize) -> Tensor {
    let data = map_storage!(Data => Data, &*x.data, x => {
        let mut result = buffer_pool::elements(x.len());
        for ((result, x), order) in result.chunks_mut(length).zip(x.chunks(length)).zip(permutation.chunks(length)) {
            pick(x, order.iter().map(|&at| at as usize), result);
        }
        result
    });
    Tensor { data: Arc::new(data), ..x.clone() }
}

fn by_keys(keys: &[Keys], elements: usize, length: usize) -> Vec<u32> {
    let mut permutation = vec![0; elements];
    threads::chunks(elements >= PARALLEL, &mut permutation, length, |row, order| {
        let range = row * length..(row + 1) * length;
        if let [keys] = keys {
            // With its position, every key is different, so any sort is stable.
            let keys = &keys[range];
            if keys.iter().all(|&key| key <= u64::from(u32::MAX)) {
                let mut pairs: Vec<u64> =
                    (keys.iter().zip(0u64..)).map(|(&key, at)| key << 32 | at).collect();
                pairs.sort_unstable();
                order.iter_mut().zip(pairs).for_each(|(order, pair)| *order = pair as u32);
            } else {
                let mut pairs: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
                pairs.sort_unstable();
                order.iter_mut().zip(pairs).for_each(|(order, pair)| *order = pair.1);
            }
        } else {
            order.iter_mut().zip(0..).for_each(|(order, at)| *order = at);
            let key = |at: u32| keys.iter().map(move |keys| keys[row * length + at as usize]);
            order.sort_by(|&a, &b| key(a).cmp(key(b)));
        }
    });
    permutation
}

/// Two neighbouring runs during a merge.
struct Merge {
    /// The next element of the left and of the right run, and the ends of both: positions among all elements.
    left: usize,
    right: usize,
    middle: usize,
    end: usize,
    /// The position of the next output.
    to: usize,
}

fn by_comparator(rows: &[Tensor], length: usize, body: &Body) -> Result<Vec<u32>, EvalError> {
    let elements = rows[0].data.len();
    let mut order: Vec<u32> = (0..elements).map(|at| (at % length) as u32).collect();
    let mut sorted = order.clone();
    let mut worker = body.worker(BLOCK);
    let mut sides: Vec<Data> =
        rows.iter().flat_map(|row| [(); 2].map(|()| Data::zeros(&row.element, BLOCK))).collect();
    let mut truth = vec![0u8; BLOCK];
    let mut width = 1;
    while width < length {
        let mut merges = vec![];
        for row in (0..elements).step_by(length) {
            for left in (0..length).step_by(2 * width) {
                let middle = (left + width).min(length);
                let end = (left + 2 * width).min(length);
                let [left, middle, end] = [left, middle, end].map(|at| row + at);
                merges.push(Merge { left, right: middle, middle, end, to: left });
            }
        }
        // A block of merges advances together; a merge with an exhausted run leaves the block.
        for block in merges.chunks_mut(BLOCK) {
            let mut active: Vec<&mut Merge> = block.iter_mut().collect();
            loop {
                active.retain_mut(|merge| {
                    let going = merge.left < merge.middle && merge.right < merge.end;
                    if !going {
                        let rest = match merge.left < merge.middle {
                            true => merge.left..merge.middle,
                            false => merge.right..merge.end,
                        };
                        sorted[merge.to..merge.end].copy_from_slice(&order[rest]);
                    }
                    going
                });
                let lanes = active.len();
                if lanes == 0 {
                    break;
                }
                // True if the right element precedes the left one.
                let place = |at: usize| at / length * length + order[at] as usize;
                for (sides, row) in sides.chunks_exact_mut(2).zip(rows) {
                    let [right, left] = sides else { unreachable!("two sides") };
                    each_storage!(Data, right, right => {
                        pick(Stored::of(&row.data), active.iter().map(|merge| place(merge.right)), right);
                    });
                    each_storage!(Data, left, left => {
                        pick(Stored::of(&row.data), active.iter().map(|merge| place(merge.left)), left);
                    });
                }
                let inputs: Vec<View> = sides.iter().map(|side| side.view().range(0..lanes)).collect();
                let out = ViewMut::U8(&mut truth[..lanes]);
                worker.apply(&inputs, lanes, &mut [out])?;
                for (merge, &right_first) in active.iter_mut().zip(&truth) {
                    let from = if right_first != 0 { &mut merge.right } else { &mut merge.left };
                    sorted[merge.to] = order[*from];
                    *from += 1;
                    merge.to += 1;
                }
            }
        }
        std::mem::swap(&mut order, &mut sorted);
        width *= 2;
    }
    Ok(order)
}

/// The greatest `k` elements of each row by the total order, greatest first, and their positions. Equal elements keep their
/// order. Positive NaN is the greatest, negative NaN the least.
///
/// # Errors
/// If the elements have no order.
pub(crate) fn top_k(x: &Tensor, k: usize) -> Result<(Tensor, Tensor), EvalError> {
    let length = *x.shape.last().ok_or_else(|| EvalError::shape("chlo.top_k", "a scalar has no rows"))?;
    if k > length {
        return Err(EvalError::shape("chlo.top_k", format!("{k} of {length} elements")));
    }
    let mut positions = vec![0; x.data.len() / length.max(1) * k];
    // Rows whose keys one thread stores at a time.
    let rows = (PARALLEL / length.max(1)).max(1);
    threads::try_chunks(true, &mut positions, (rows * k).max(1), |group, positions| {
        let start = group * rows * length;
        let some = x.data.view().range(start..(start + rows * length).min(x.data.len()));
        let keys = ordered(some, &x.element, true, true);
        let keys = keys.ok_or_else(|| EvalError::element("chlo.top_k", &x.element))?;
        least(&keys, length, positions);
        buffer_pool::give(Arc::new(Data::U64(keys)));
        Ok::<_, EvalError>(())
    })?;
    let mut shape = x.shape.clone();
    shape[x.shape.len() - 1] = k;
    let data = map_storage!(Data => Data, &*x.data, all => {
        let mut result = buffer_pool::elements(positions.len());
        let rows = result.chunks_mut(k.max(1)).zip(positions.chunks(k.max(1)));
        for ((result, positions), row) in rows.zip(all.chunks(length.max(1))) {
            pick(row, positions.iter().map(|&at| at as usize), result);
        }
        result
    });
    let greatest = Tensor { element: x.element.clone(), shape: shape.clone(), data: Arc::new(data) };
    let positions = Tensor {
        element: ElementType::Integer { signed: true, width: 32 },
        shape,
        data: Arc::new(Data::I32(positions)),
    };
    Ok((greatest, positions))
}

/// The positions of the least keys of each row, least first, up to the length of the output. Equal keys keep their order.
fn least(keys: &[u64], length: usize, positions: &mut [i32]) {
    let k = positions.len() / (keys.len() / length);
    for (keys, positions) in keys.chunks(length).zip(positions.chunks_mut(k)) {
        // With its position, every key is different.
        let mut all: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
        if k < length {
            all.select_nth_unstable(k);
        }
        all[..k].sort_unstable();
        positions.iter_mut().zip(&all).for_each(|(to, &(_, at))| *to = at as i32);
    }
}

/// Unsigned integers in the order of the elements, or in reverse order if `descending`. Narrow elements have narrow integers.
/// `None` if the type has no such order, or if there is NaN and the order is not the total one.
fn ordered(x: View, element: &ElementType, total: bool, descending: bool) -> Option<Keys> {
    fn of(keys: impl ExactSizeIterator<Item = u64>) -> Keys {
        let mut all = buffer_pool::elements(keys.len());
        all.iter_mut().zip(keys).for_each(|(to, key)| *to = key);
        all
    }
    macro_rules! keys {
        ($x:expr, $bits:ty, |$element:ident| $key:expr) => {
            of($x.iter().map(|&$element| {
                let key: $bits = $key;
                u64::from(if descending { !key } else { key })
            }))
        };
    }
    // Sign and magnitude: negative numbers in reverse, below the others.
    macro_rules! magnitudes {
        ($x:expr, $bits:ty, |$element:ident| $code:expr, $infinity:expr) => {{
            const SIGN: $bits = 1 << (<$bits>::BITS - 1);
            let codes = $x.iter().map(|&$element| -> $bits { $code });
            if !total && codes.clone().any(|code| code & !SIGN > $infinity) {
                return None;
            }
            of(codes.map(|code| {
                let code = if !total && code == SIGN { 0 } else { code };
                let key = if code & SIGN != 0 { !code } else { code | SIGN };
                u64::from(if descending { !key } else { key })
            }))
        }};
    }
    Some(match (x, element) {
        (View::I8(x), _) => keys!(x, u8, |x| x as u8 ^ 1 << 7),
        (View::I16(x), _) => keys!(x, u16, |x| x as u16 ^ 1 << 15),
        (View::I32(x), _) => keys!(x, u32, |x| x as u32 ^ 1 << 31),
        (View::I64(x), _) => keys!(x, u64, |x| x as u64 ^ 1 << 63),
        (View::U8(x), ElementType::Integer { .. } | ElementType::Bool) => keys!(x, u8, |x| x),
        (View::U16(x), ElementType::Integer { .. }) => keys!(x, u16, |x| x),
        (View::U32(x), _) => keys!(x, u32, |x| x),
        (View::U64(x), _) => keys!(x, u64, |x| x),
        (View::U16(x), ElementType::Float(FloatType::Bf16)) => magnitudes!(x, u16, |x| x, 0x7f80),
        (View::U16(x), ElementType::Float(FloatType::F16)) => magnitudes!(x, u16, |x| x, 0x7c00),
        (View::U8(x), ElementType::Float(float)) => {
            let order = float.total_order();
            let is_nan = |code: u8| float.value(code.into()).is_nan();
            if !total && x.iter().any(|&code| is_nan(code)) {
                return None;
            }
            let negative_zero = order(0) - 1;
            keys!(x, u32, |x| {
                let place = order(x.into());
                (if !total && place == negative_zero { 0 } else { place }) as u32 ^ 1 << 31
            })
        }
        (View::F32(x), _) => magnitudes!(x, u32, |x| x.to_bits(), 0x7f80_0000),
        (View::F64(x), _) => magnitudes!(x, u64, |x| x.to_bits(), 0x7ff0_0000_0000_0000),
        _ => return None,
    })
}

/// A comparator as a formula.
struct Comparator<'a> {
    region: &'a Region,
    makers: HashMap<ValueId, &'a Operation>,
    /// Pairs of values already found to be the same function of both sides.
    same: HashSet<(ValueId, ValueId)>,
}

/// Keys with the order of the comparator, if it is simple enough.
///
/// # Errors
/// If the keys cannot be computed.
pub(crate) fn keys(
    region: &Region,
    values: &[Type],
    rows: &[Tensor],
) -> Result<Option<Vec<Keys>>, EvalError> {
    let [result] = region.results[..] else { return Ok(None) };
    if region.operations.len() > 256 {
        return Ok(None);
    }
    let makers = (region.operations.iter())
        .flat_map(|operation| operation.results.iter().map(move |&result| (result, operation)))
        .collect();
    let mut comparator = Comparator { region, makers, same: HashSet::new() };
    let mut compared = vec![];
    if comparator.lexicographic(result, &mut compared).is_none() {
        return Ok(None);
    }
    let mut keys = vec![];
    for (value, total, descending) in compared {
        let Some(key) = comparator.key(value, values, rows)? else { return Ok(None) };
        match ordered(key.data.view(), &key.element, total, descending) {
            Some(key) => keys.push(key),
            None => return Ok(None),
        }
    }
    Ok(Some(keys))
}

impl Comparator<'_> {
    /// The parameter's index, if the value is a parameter.
    fn parameter(&self, value: ValueId) -> Option<usize> {
        self.region.parameters.iter().position(|&parameter| parameter == value)
    }

    /// A comparison, or a lexicographic chain of comparisons. Returns the left sides, the most significant first; for each,
    /// true for the total order, and true for a descending one.
    fn lexicographic(&mut self, value: ValueId, into: &mut Vec<(ValueId, bool, bool)>) -> Option<()> {
        let operation = *self.makers.get(&value)?;
        match operation.kind {
            Op::Compare { .. } => {
                let (pair, direction, total) = self.comparison(value)?;
                let descending = match direction {
                    Direction::Lt => false,
                    Direction::Gt => true,
                    _ => return None,
                };
                into.push((pair.0, total, descending));
                Some(())
            }
            Op::Binary(Binary::Or) => {
                // first < or (first = and rest)
                for (less, both) in
                    [(0, 1), (1, 0)].map(|(a, b)| (operation.operands[a], operation.operands[b]))
                {
                    let Some(both) = self.makers.get(&both).copied() else { continue };
                    if !matches!(both.kind, Op::Binary(Binary::And)) {
                        continue;
                    }
                    for (equal, rest) in [(0, 1), (1, 0)].map(|(a, b)| (both.operands[a], both.operands[b])) {
                        let (Some(first), Some(second)) = (self.comparison(less), self.comparison(equal))
                        else {
                            continue;
                        };
                        if second.1 != Direction::Eq || first.0 != second.0 || first.2 != second.2 {
                            continue;
                        }
                        self.lexicographic(less, into)?;
                        return self.lexicographic(rest, into);
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// A comparison of the same function of the left and of the right side, and true for the total order. (Without NaN,
    /// which the general method handles, the weak order is that of numbers.)
    fn comparison(&mut self, value: ValueId) -> Option<((ValueId, ValueId), Direction, bool)> {
        let operation = *self.makers.get(&value)?;
        let Op::Compare { direction, order } = operation.kind else { return None };
        let (left, right) = (operation.operands[0], operation.operands[1]);
        self.mirrors(left, right).then_some(((left, right), direction, order == ir::Order::Total))
    }

    /// Returns true if `right` is the same function of each operand's second element as `left` is of the first.
    fn mirrors(&mut self, left: ValueId, right: ValueId) -> bool {
        if let (Some(left), Some(right)) = (self.parameter(left), self.parameter(right)) {
            return left % 2 == 0 && right == left + 1;
        }
        if self.same.contains(&(left, right)) {
            return true;
        }
        let (Some(&a), Some(&b)) = (self.makers.get(&left), self.makers.get(&right)) else { return false };
        let alike = match (&a.kind, &b.kind) {
            (Op::Constant(a), Op::Constant(b)) => {
                a.element == b.element && a.shape == b.shape && bits(&a.data) == bits(&b.data)
            }
            (a, b) => match (instruction(a), instruction(b)) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            },
        };
        let operands = || a.operands.iter().copied().zip(b.operands.iter().copied()).collect::<Vec<_>>();
        let same = alike
            && a.operands.len() == b.operands.len()
            && operands().into_iter().all(|(a, b)| self.mirrors(a, b));
        if same {
            self.same.insert((left, right));
        }
        same
    }

    /// The value, for all elements, of a function of the first elements.
    fn key(&self, value: ValueId, values: &[Type], rows: &[Tensor]) -> Result<Option<Tensor>, EvalError> {
        let element = |value: ValueId| match &values[value.0 as usize] {
            Type::Tensor(tensor) => Some(&tensor.element),
            _ => None,
        };
        let Some(of_value) = element(value) else { return Ok(None) };
        if let Some(parameter) = self.parameter(value) {
            return Ok(Some(rows[parameter / 2].clone()));
        }
        let mut builder = Builder::default();
        let mut sources: HashMap<ValueId, Source> = HashMap::new();
        let mut inputs = vec![];
        for (at, &parameter) in self.region.parameters.iter().enumerate() {
            let row = &rows[at / 2];
            sources.insert(parameter, builder.input(Access::Dense, &row.element));
            inputs.push(row.clone());
        }
        for operation in &self.region.operations {
            let (&[result], Some(of_result)) = (&operation.results[..], element(operation.results[0])) else {
                return Ok(None);
            };
            let source = match &operation.kind {
                Op::Constant(constant) => {
                    inputs.push(constant.clone());
                    builder.input(Access::Splat(0), of_result)
                }
                kind => {
                    let operands: Option<Vec<Source>> =
                        operation.operands.iter().map(|operand| sources.get(operand).copied()).collect();
                    let (Some(instruction), Some(operands)) = (instruction(kind), operands) else {
                        return Ok(None);
                    };
                    builder.node(instruction, operands, of_result)
                }
            };
            sources.insert(result, source);
        }
        let kernel = builder.finish(vec![sources[&value]]);
        let views: Vec<View> = inputs.iter().map(|input| input.data.view()).collect();
        let data = kernel.evaluate(&views, rows[0].data.len())?.remove(0);
        Ok(Some(Tensor { element: of_value.clone(), shape: rows[0].shape.clone(), data: Arc::new(data) }))
    }
}

/// Elements as stored, so that NaN equals itself.
fn bits(data: &Data) -> Vec<u64> {
    match data {
        Data::F32(x) => x.iter().map(|x| x.to_bits().into()).collect(),
        Data::F64(x) => x.iter().map(|x| x.to_bits()).collect(),
        Data::C64(x) => {
            x.iter().map(|&[re, im]| u64::from(re.to_bits()) << 32 | u64::from(im.to_bits())).collect()
        }
        Data::C128(x) => x.iter().flat_map(|z| z.map(f64::to_bits)).collect(),
        Data::I8(x) => x.iter().map(|&x| x as u64).collect(),
        Data::I16(x) => x.iter().map(|&x| x as u64).collect(),
        Data::I32(x) => x.iter().map(|&x| x as u64).collect(),
        Data::I64(x) => x.iter().map(|&x| x as u64).collect(),
        Data::U8(x) => x.iter().map(|&x| x.into()).collect(),
        Data::U16(x) => x.iter().map(|&x| x.into()).collect(),
        Data::U32(x) => x.iter().map(|&x| x.into()).collect(),
        Data::U64(x) => x.clone(),
    }
}
