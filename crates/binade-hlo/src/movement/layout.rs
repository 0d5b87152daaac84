//! Moves elements between strided layouts, for broadcasts, transposes, slices, reversals, pads and concatenations.

use binade_simd::{TILE, threads, transpose_tile};
use binade_stablehlo::storage::{Moved, Stored};
use bytemuck::{try_cast_slice, try_cast_slice_mut};

use crate::arithmetic::instruction_set::ISA;
use crate::buffer_pool;

/// Minimum number of elements for several threads.
pub(crate) const PARALLEL: usize = 64 << 10;

/// The offset of the element at an index: `offset + Σ index · stride`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) offset: isize,
    pub(crate) strides: Vec<isize>,
}

/// Strides of a dense tensor, the last dimension fastest.
pub(crate) fn row_major(shape: &[usize]) -> Vec<isize> {
    let mut strides = vec![1; shape.len()];
    for at in (1..shape.len()).rev() {
        strides[at - 1] = strides[at] * shape[at] as isize;
    }
    strides
}

/// Advances to the next index of `shape` in row-major order. Returns false after the last index, and resets the index to zero.
pub(crate) fn advance(index: &mut [usize], shape: &[usize]) -> bool {
    for (at, size) in index.iter_mut().zip(shape).rev() {
        *at += 1;
        if *at < *size {
            return true;
        }
        *at = 0;
    }
    false
}

impl Layout {
    /// A dense tensor of this shape.
    pub(crate) fn dense(shape: &[usize]) -> Layout {
        Layout { offset: 0, strides: row_major(shape) }
    }
}

/// A loop over two layouts.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Dimension {
    size: usize,
    from: isize,
    to: isize,
}

/// The loops with the fewest dimensions that visit the same pairs of elements in the same order.
fn loops(shape: &[usize], from: &Layout, to: &Layout) -> Vec<Dimension> {
    let mut loops: Vec<Dimension> = vec![];
    for ((&size, &from), &to) in shape.iter().zip(&from.strides).zip(&to.strides) {
        if size == 1 {
            continue;
        }
        if let Some(outer) = loops.last_mut()
            && outer.from == from * size as isize
            && outer.to == to * size as isize
        {
            *outer = Dimension { size: outer.size * size, from, to };
            continue;
        }
        loops.push(Dimension { size, from, to });
    }
    loops
}

/// Copies `source[from(i)]` to `destination[to(i)]` for every index i of `shape`, in any order; `to` is injective.
pub(crate) fn copy<T: Stored>(
    shape: &[usize],
    source: &[T],
    from: &Layout,
    destination: &mut [T],
    to: &Layout,
) {
    if shape.contains(&0) {
        return;
    }
    let loops = loops(shape, from, to);
    copy_loops(&loops, T::units(source), from.offset, T::units_mut(destination), to.offset);
}

/// Copies with the same strides, repeated from and to many offsets.
#[derive(Clone, Debug)]
pub(crate) struct Copier {
    /// Returns `None` if there is nothing to copy.
    loops: Option<Vec<Dimension>>,
}

impl Copier {
    pub(crate) fn new(shape: &[usize], from: &[isize], to: &[isize]) -> Copier {
        let layout = |strides: &[isize]| Layout { offset: 0, strides: strides.to_vec() };
        Copier { loops: (!shape.contains(&0)).then(|| loops(shape, &layout(from), &layout(to))) }
    }

    /// The number of elements, if they are contiguous on both sides.
    pub(crate) fn run(&self) -> Option<usize> {
        match self.loops.as_deref()? {
            [] => Some(1),
            [Dimension { size, from: 1, to: 1 }] => Some(*size),
            _ => None,
        }
    }

    /// Copies, starting at `from` and `to`.
    pub(crate) fn copy<T: Stored>(&self, source: &[T], from: usize, destination: &mut [T], to: usize) {
        self.copy_units(T::units(source), from, T::units_mut(destination), to);
    }

    /// Copies units, starting at `from` and `to`.
    pub(crate) fn copy_units<U: Moved>(&self, source: &[U], from: usize, destination: &mut [U], to: usize) {
        if let Some(loops) = &self.loops {
            copy_loops(loops, source, from as isize, destination, to as isize);
        }
    }
}

fn copy_loops<U: Moved>(loops: &[Dimension], source: &[U], from: isize, destination: &mut [U], to: isize) {
    let Some((inner, outer)) = loops.split_last() else {
        destination[to as usize] = source[from as usize];
        return;
    };
    // A transpose: the destination runs along the last dimension, the source along another.
    let across = outer.iter().rposition(|dimension| dimension.from == 1);
    if let Some(across) = across
        && inner.from > 1
        && inner.to == 1
        && outer[across].size >= 4
        && inner.size >= 4
    {
        let rows = outer[across];
        let mut others = outer.to_vec();
        others.remove(across);
        // In tiles, each of which reads and writes whole cache lines of binary32. With strides of powers of two, no
        // line may stay in the cache.
        each(&others, from, to, |from, to| {
            for row in (0..rows.size).step_by(TILE) {
                for column in (0..inner.size).step_by(TILE) {
                    let from = (from + row as isize + column as isize * inner.from) as usize;
                    let to = to + row as isize * rows.to + column as isize;
                    let (height, width) = (TILE.min(rows.size - row), TILE.min(inner.size - column));
                    let tile = Tile { height, width, by: inner.from as usize, step: rows.to };
                    tile.transpose(&source[from..], destination, to);
                }
            }
        });
        return;
    }
    each(outer, from, to, |from, to| run(source, from, inner.from, destination, to, inner.to, inner.size));
}

/// A part of a transpose: `height` rows of the destination with stride `step`. A row has `width` elements, with stride `by` in
/// the source. Neighbouring rows are neighbours in the source.
struct Tile {
    height: usize,
    width: usize,
    by: usize,
    step: isize,
}

impl Tile {
    fn transpose<U: Moved>(&self, source: &[U], destination: &mut [U], to: isize) {
        let start = |row: usize| (to + row as isize * self.step) as usize;
        if (self.height, self.width) != (TILE, TILE) {
            for row in 0..self.height {
                let strided = source[row..].iter().step_by(self.by);
                for (to, from) in destination[start(row)..][..self.width].iter_mut().zip(strided) {
                    *to = *from;
                }
            }
            return;
        }
        let words = (try_cast_slice(source), try_cast_slice_mut::<U, u32>(destination));
        if let ((Ok(source), Ok(destination)), Ok(step)) = (words, usize::try_from(self.step))
            && size_of::<U>() == size_of::<u32>()
        {
            return transpose_tile(*ISA, source, self.by, &mut destination[to as usize..], step);
        }
        let mut columns = [[U::default(); TILE]; TILE];
        for (at, column) in columns.iter_mut().enumerate() {
            column.copy_from_slice(&source[at * self.by..][..TILE]);
        }
        for row in 0..TILE {
            let target = &mut destination[start(row)..][..TILE];
            for (to, column) in target.iter_mut().zip(&columns) {
                *to = column[row];
            }
        }
    }
}

/// Visits every index of `outer`, with the offsets of source and destination.
fn each(outer: &[Dimension], mut from: isize, mut to: isize, mut visit: impl FnMut(isize, isize)) {
    let mut index = vec![0; outer.len()];
    loop {
        visit(from, to);
        let mut at = outer.len();
        loop {
            let Some(next) = at.checked_sub(1) else { return };
            at = next;
            let Dimension { size, from: step_from, to: step_to } = outer[at];
            index[at] += 1;
            from += step_from;
            to += step_to;
            if index[at] < size {
                break;
            }
            index[at] = 0;
            from -= step_from * size as isize;
            to -= step_to * size as isize;
        }
    }
}

/// One innermost loop.
fn run<U: Moved>(
    source: &[U],
    from: isize,
    by: isize,
    target: &mut [U],
    to: isize,
    step: isize,
    count: usize,
) {
    if step == 1 {
        let target = &mut target[to as usize..to as usize + count];
        match by {
            1 => target.copy_from_slice(&source[from as usize..from as usize + count]),
            0 => target.fill(source[from as usize]),
            by if by > 0 => {
                for (to, from) in target.iter_mut().zip(source[from as usize..].iter().step_by(by as usize)) {
                    *to = *from;
                }
            }
            _ => {
                for (at, to) in target.iter_mut().enumerate() {
                    *to = source[(from + at as isize * by) as usize];
                }
            }
        }
    } else {
        for at in 0..count as isize {
            target[(to + at * step) as usize] = source[(from + at * by) as usize];
        }
    }
}

/// A dense tensor of `shape` whose elements are those of `source` at `from`.
pub(crate) fn read<T: Stored>(shape: &[usize], source: &[T], from: &Layout) -> Vec<T> {
    // Every element is written below.
    let mut result = buffer_pool::elements(shape.iter().product());
    read_units(shape, T::units(source), from, T::units_mut(&mut result));
    result
}

/// [`read`] into existing memory.
fn read_units<U: Moved>(shape: &[usize], source: &[U], from: &Layout, result: &mut [U]) {
    let dense = |shape: &[usize], from: &Layout, result: &mut [U]| {
        if !shape.contains(&0) {
            copy_loops(&loops(shape, from, &Layout::dense(shape)), source, from.offset, result, 0);
        }
    };
    let (Some(&rows), true) = (shape.first(), result.len() >= PARALLEL && rayon::current_num_threads() > 1)
    else {
        return dense(shape, from, result);
    };
    if rows == 1 {
        let inner = Layout { offset: from.offset, strides: from.strides[1..].to_vec() };
        return read_units(&shape[1..], source, &inner, result);
    }
    let row: usize = result.len() / rows;
    let rows_each = rows.div_ceil(4 * rayon::current_num_threads()).max(PARALLEL / 4 / row);
    threads::chunks(true, result, rows_each * row, |piece, result| {
        let mut shape = shape.to_vec();
        shape[0] = result.len() / row;
        let first = (piece * rows_each) as isize;
        let from = Layout { offset: from.offset + first * from.strides[0], strides: from.strides.clone() };
        dense(&shape, &from, result);
    });
}

/// A strided view of a tensor, which can produce any run of elements in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Strided {
    loops: Vec<Dimension>,
    offset: isize,
}

/// The layout of a run of elements of a strided tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Line {
    /// One repeated element.
    One(usize),
    /// Contiguous, starting at this element.
    Run(usize),
    /// Strided.
    Block,
}

impl Strided {
    /// Elements at `from`, in a tensor of `shape`.
    pub(crate) fn new(shape: &[usize], from: &Layout) -> Strided {
        // The destination is dense, so dimensions merge whenever those of the source do.
        Strided { loops: loops(shape, from, &Layout::dense(shape)), offset: from.offset }
    }

    /// The repeated element, if all are the same one.
    pub(crate) fn splat(&self) -> Option<usize> {
        self.loops.iter().all(|dimension| dimension.from == 0).then_some(self.offset as usize)
    }

    /// Returns true if element i of the view is element i of the tensor.
    pub(crate) fn is_dense(&self) -> bool {
        let dense = |loops: &[Dimension]| matches!(loops, [] | [Dimension { from: 1, .. }]);
        self.offset == 0 && dense(&self.loops)
    }

    /// Number of elements in one line, or repeated, before the next line begins.
    pub(crate) fn row(&self) -> usize {
        match self.loops.last() {
            Some(Dimension { size, from: 0 | 1, .. }) => *size,
            _ => 1,
        }
    }

    /// The number of elements after which the view repeats itself, if it does.
    pub(crate) fn period(&self) -> Option<usize> {
        let repeats = self.loops.iter().take_while(|dimension| dimension.from == 0).count();
        let period = self.loops[repeats..].iter().map(|dimension| dimension.size).product();
        (repeats > 0 && period > 0).then_some(period)
    }

    /// The layout of `count` elements from `start` on.
    pub(crate) fn line(&self, start: usize, length: usize) -> Line {
        // An empty dimension must not be a divisor.
        if length == 0 {
            return Line::Block;
        }
        let Some((inner, outer)) = self.loops.split_last() else { return Line::One(self.offset as usize) };
        let (mut rest, column) = (start / inner.size, start % inner.size);
        if column + length > inner.size {
            return Line::Block;
        }
        let mut from = self.offset;
        for dimension in outer.iter().rev() {
            from += (rest % dimension.size) as isize * dimension.from;
            rest /= dimension.size;
        }
        match inner.from {
            0 => Line::One(from as usize),
            1 => Line::Run(from as usize + column),
            _ => Line::Block,
        }
    }

    /// Writes the elements from `start` on.
    pub(crate) fn fill<T: Stored>(&self, source: &[T], start: usize, target: &mut [T]) {
        self.fill_units(T::units(source), start, T::units_mut(target));
    }

    fn fill_units<U: Moved>(&self, source: &[U], start: usize, target: &mut [U]) {
        let Some((inner, outer)) = self.loops.split_last() else {
            return target.fill(source[self.offset as usize]);
        };
        if target.is_empty() {
            return;
        }
        let mut column = start % inner.size;
        let mut rest = start / inner.size;
        let mut index = vec![0; outer.len()];
        let mut from = self.offset;
        for (at, dimension) in outer.iter().enumerate().rev() {
            index[at] = rest % dimension.size;
            rest /= dimension.size;
            from += index[at] as isize * dimension.from;
        }
        let mut done = 0;
        while done < target.len() {
            let count = (inner.size - column).min(target.len() - done);
            let first = from + column as isize * inner.from;
            run(source, first, inner.from, target, done as isize, 1, count);
            done += count;
            column = 0;
            for (at, dimension) in outer.iter().enumerate().rev() {
                index[at] += 1;
                from += dimension.from;
                if index[at] < dimension.size {
                    break;
                }
                index[at] = 0;
                from -= dimension.from * dimension.size as isize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Layout {
        fn at(&self, index: &[usize]) -> isize {
            self.offset + index.iter().zip(&self.strides).map(|(&at, &by)| at as isize * by).sum::<isize>()
        }
    }

    /// All permutations, reversals and strides of a small shape, against indexing.
    #[test]
    fn copies_equal_indexing() {
        let shape = [3, 5, 7, 6];
        let source: Vec<i32> = (0..630).collect();
        let dense = row_major(&shape);
        for code in 0..24 * 16 {
            let mut permutation = vec![0, 1, 2, 3];
            let (mut rest, reversed) = (code % 24, code / 24);
            for at in 0..4 {
                let other = at + rest % (4 - at);
                rest /= 4 - at;
                permutation.swap(at, other);
            }
            let mut from = Layout { offset: 0, strides: vec![] };
            let mut sizes = vec![];
            for &dimension in &permutation {
                let (size, stride) = (shape[dimension], dense[dimension]);
                let back = reversed >> dimension & 1 == 1;
                from.offset += if back { (size as isize - 1) * stride } else { 0 };
                from.strides.push(if back { -stride } else { stride });
                sizes.push(size);
            }
            let all = read(&sizes, &source, &from);
            let view = Strided::new(&sizes, &from);
            let mut index = vec![0; 4];
            for &element in &all {
                assert_eq!(element, source[from.at(&index) as usize]);
                advance(&mut index, &sizes);
            }
            assert_eq!(view.period(), None);
            for (start, length) in [(0, 630), (17, 100), (629, 1), (205, 0), (12, 6), (30, 3), (35, 7)] {
                let mut part = vec![0; length];
                view.fill(&source, start, &mut part);
                assert_eq!(part, all[start..start + length]);
                match view.line(start, length) {
                    Line::One(at) => assert!(part.iter().all(|&element| element == source[at])),
                    Line::Run(first) => assert_eq!(part, source[first..first + length]),
                    // No elements, or a run that crosses rows.
                    Line::Block => {
                        assert!(length == 0 || view.row() == 1 || start % view.row() + length > view.row());
                    }
                }
            }
        }
    }

    #[test]
    fn views_repeat_after_their_period() {
        let source: Vec<i32> = (0..100).collect();
        for (shape, strides, period) in [
            (vec![4, 6], vec![0, 1], Some(6)),
            (vec![3, 2, 4, 5], vec![0, 0, 5, 1], Some(20)),
            (vec![3, 4, 5], vec![0, 1, 0], Some(20)),
            (vec![7], vec![0], Some(1)),
            (vec![4, 6], vec![1, 0], None),
            (vec![4, 6], vec![6, 1], None),
        ] {
            let from = Layout { offset: 3, strides };
            let view = Strided::new(&shape, &from);
            assert_eq!(view.period(), period, "{shape:?}");
            let all = read(&shape, &source, &from);
            let period = period.unwrap_or(all.len());
            assert!(all.iter().zip(&all[period..]).all(|(first, again)| first == again));
        }
    }

    #[test]
    fn threads_read_the_same() {
        let source: Vec<u16> = (0..300 * 400).map(|i| (i * 7919) as u16).collect();
        let from = Layout { offset: 0, strides: vec![1, 400] };
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let one = pool(1).install(|| read(&[400, 300], &source, &from));
        let three = pool(3).install(|| read(&[400, 300], &source, &from));
        assert_eq!(one, three);
        assert_eq!(one[1], source[400]);
        assert_eq!(one[300], source[1]);
    }
}
