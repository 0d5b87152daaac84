//! Adds rows to rows, for `scatter` with one sum and windows that are whole rows. The added rows may be gathered and weighted
//! at the same time.
//!
//! Each row adds its rows in order, whichever thread runs it: threads share the target rows.

use std::ops::Range;

use binade_fma::{LANES, Lanes};
use binade_simd::lanes::Leg;
use binade_simd::{Environment, threads};

use super::layout::PARALLEL;
use crate::arithmetic::emulated::Emulated;
use crate::arithmetic::instruction_set::ISA;

/// The rows to add.
pub(crate) struct Added<'a> {
    pub(crate) x: &'a [f32],
    /// The index in `x` of each row, clamped into range. Without indices, each row has its own number.
    pub(crate) from: Option<&'a [i64]>,
    pub(crate) weights: Option<Weights<'a>>,
}

/// A weight for each row.
pub(crate) struct Weights<'a> {
    pub(crate) values: &'a [f32],
    /// True if the product's first factor is the weight.
    pub(crate) first: bool,
    /// The operator that multiplies, if not binary32.
    pub(crate) operator: Option<&'a Emulated>,
}

/// Number of columns whose sums are in registers.
const WIDE: usize = 4 * LANES;

/// Lanes per call of an operator.
const ROOM: usize = 64;

/// Adds row i to the row `places[i]` of `sums`, for every i with a place. Rows have `run` elements. An operator, if present,
/// computes the sums.
pub(crate) fn add(sums: &mut [f32], run: usize, places: &[i64], added: &Added, operator: Option<&Emulated>) {
    let rows = sums.len() / run;
    let adder = Adder { run, added, rows: added.x.len() / run, operator };
    // So few rows need no thread pool.
    let threads = if places.len() * run < PARALLEL { 1 } else { rayon::current_num_threads() };
    let shared = threads > 1 && rows <= 4 * places.len();
    let Some(grouped) = shared.then(|| Grouped::new(places, rows)).flatten() else {
        let _environment = Environment::enter();
        let mut worker = adder.worker();
        let mut from = 0;
        for same in places.chunk_by(|one, other| one == other) {
            let numbers = from..from + same.len();
            from = numbers.end;
            if let Some(row) = usize::try_from(same[0]).ok().filter(|&row| row < rows) {
                worker.add(&mut sums[row * run..][..run], Numbers::Range(numbers));
            }
        }
        return;
    };
    let mut pieces: Vec<(usize, &mut [f32])> = vec![];
    let (mut rest, mut first) = (sums, 0);
    let each = grouped.order.len().div_ceil(4 * threads).max(1);
    while first < rows {
        let least = grouped.starts[first] as usize + each;
        let end = grouped.starts.partition_point(|&start| (start as usize) < least).clamp(first + 1, rows);
        let (piece, others) = rest.split_at_mut((end - first) * run);
        pieces.push((first, piece));
        (rest, first) = (others, end);
    }
    threads::each(true, pieces, |(first, sums)| {
        let _environment = Environment::enter();
        let mut worker = adder.worker();
        for (row, sums) in sums.chunks_exact_mut(run).enumerate() {
            worker.add(sums, Numbers::List(grouped.of(first + row)));
        }
    });
}

/// Row numbers grouped by place, in order within each group.
struct Grouped {
    order: Vec<u32>,
    /// The start of each place's group in `order`, and the end of the last group.
    starts: Vec<u32>,
}

impl Grouped {
    /// Returns `None` if the numbers overflow.
    fn new(places: &[i64], rows: usize) -> Option<Grouped> {
        u32::try_from(places.len()).ok()?;
        let inside = |place: i64| usize::try_from(place).ok().filter(|&place| place < rows);
        let mut starts = vec![0u32; rows + 2];
        places.iter().filter_map(|&place| inside(place)).for_each(|place| starts[place + 2] += 1);
        for place in 2..starts.len() {
            starts[place] += starts[place - 1];
        }
        let mut order = vec![0; starts[rows + 1] as usize];
        for (number, place) in places.iter().enumerate().filter_map(|(at, &place)| Some((at, inside(place)?)))
        {
            let next = &mut starts[place + 1];
            order[*next as usize] = number as u32;
            *next += 1;
        }
        starts.pop();
        Some(Grouped { order, starts })
    }

    fn of(&self, place: usize) -> &[u32] {
        &self.order[self.starts[place] as usize..self.starts[place + 1] as usize]
    }
}

/// The rows to add, in order.
#[derive(Clone)]
enum Numbers<'a> {
    Range(Range<usize>),
    List(&'a [u32]),
}

#[derive(Clone, Copy)]
struct Adder<'a> {
    run: usize,
    added: &'a Added<'a>,
    /// The number of rows of `x`.
    rows: usize,
    operator: Option<&'a Emulated>,
}

/// The working memory of one thread.
struct Worker<'a> {
    adder: Adder<'a>,
    /// Buffers of rows, weights, products and sums.
    room: [Vec<Lanes>; 4],
}

impl<'a> Adder<'a> {
    fn worker(self) -> Worker<'a> {
        let by_operator = |weights: &Weights| weights.operator.is_some();
        let needs = self.operator.is_some() || self.added.weights.as_ref().is_some_and(by_operator);
        Worker {
            adder: self,
            room: std::array::from_fn(|_| vec![[0.0; LANES]; if needs { ROOM } else { 0 }]),
        }
    }

    /// The start in `x` of the row with a number.
    #[inline(always)]
    fn start(&self, number: usize) -> usize {
        let row = match self.added.from {
            Some(from) => from[number].clamp(0, self.rows as i64 - 1) as usize,
            None => number,
        };
        row * self.run
    }
}

impl Worker<'_> {
    /// Adds rows to a row.
    fn add(&mut self, sums: &mut [f32], numbers: Numbers) {
        if self.room[0].is_empty() {
            return ISA.run(Plain { adder: self.adder, sums, numbers });
        }
        match numbers {
            Numbers::Range(numbers) => self.blocks(sums, numbers.len(), |at| numbers.start + at),
            Numbers::List(numbers) => self.blocks(sums, numbers.len(), |at| numbers[at] as usize),
        }
    }

    /// Adds `count` rows to a row with an operator.
    fn blocks(&mut self, sums: &mut [f32], count: usize, number: impl Fn(usize) -> usize) {
        for (block, sums) in sums.chunks_mut(ROOM * LANES).enumerate() {
            self.block(sums, block * ROOM * LANES, count, &number);
        }
    }

    /// Adds rows in columns from `first` on, up to the capacity of the buffers.
    fn block(&mut self, sums: &mut [f32], first: usize, count: usize, number: impl Fn(usize) -> usize) {
        const ZERO: &[Lanes] = &[[-0.0; LANES]];
        let Worker { adder, room: [rows, weights, products, sum] } = self;
        let lanes = sums.len().div_ceil(LANES);
        let sum = &mut sum[..lanes];
        sum.as_flattened_mut()[..sums.len()].copy_from_slice(sums);
        let together = ROOM / lanes;
        for begin in (0..count).step_by(together) {
            let all = begin..count.min(begin + together);
            let used = all.len() * lanes;
            for (row, at) in rows.chunks_exact_mut(lanes).zip(all.clone()) {
                let from = &adder.added.x[adder.start(number(at)) + first..][..sums.len()];
                row.as_flattened_mut()[..sums.len()].copy_from_slice(from);
            }
            let mut added = &rows[..used];
            if let Some(Weights { values, first, operator }) = &adder.added.weights {
                for (row, at) in weights.chunks_exact_mut(lanes).zip(all) {
                    row.fill([values[number(at)]; LANES]);
                }
                let weights = &weights[..used];
                let [x, y] = if *first { [weights, added] } else { [added, weights] };
                let products = &mut products[..used];
                match operator {
                    Some(operator) => operator.step().apply_all_in_default([x, y, ZERO], products),
                    None => {
                        let (x, y) = (x.as_flattened(), y.as_flattened());
                        let products = products.as_flattened_mut().iter_mut();
                        products.zip(x).zip(y).for_each(|((product, x), y)| *product = x * y);
                    }
                }
                added = products;
            }
            match adder.operator {
                Some(operator) => {
                    let stride = lanes * LANES;
                    operator.step().add_rows_in_default(added.as_flattened(), stride, used / lanes, sum);
                }
                None => {
                    for row in added.chunks_exact(lanes) {
                        let pairs = sum.as_flattened_mut().iter_mut().zip(row.as_flattened());
                        pairs.for_each(|(sum, x)| *sum += x);
                    }
                }
            }
        }
        sums.copy_from_slice(&sum.as_flattened()[..sums.len()]);
    }
}

/// Adds rows to a row in binary32.
struct Plain<'a, 'b> {
    adder: Adder<'a>,
    sums: &'b mut [f32],
    numbers: Numbers<'b>,
}

impl binade_simd::Kernel for Plain<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let Plain { adder, sums, numbers } = self;
        let (wide, rest) = sums.as_chunks_mut::<WIDE>();
        for (block, sums) in wide.iter_mut().enumerate() {
            columns(&adder, sums, block * WIDE, &numbers);
        }
        let mut first = wide.len() * WIDE;
        let (lanes, rest) = rest.as_chunks_mut::<LANES>();
        for sums in lanes {
            columns(&adder, sums, first, &numbers);
            first += LANES;
        }
        for (column, sum) in rest.iter_mut().enumerate() {
            columns(&adder, std::array::from_mut(sum), first + column, &numbers);
        }
    }
}

/// Adds some columns from `first` on.
#[inline(always)]
fn columns<const W: usize>(adder: &Adder, sums: &mut [f32; W], first: usize, numbers: &Numbers) {
    match numbers {
        Numbers::Range(numbers) => each(adder, sums, first, numbers.clone()),
        Numbers::List(numbers) => each(adder, sums, first, numbers.iter().map(|&number| number as usize)),
    }
}

#[inline(always)]
fn each<const W: usize>(
    adder: &Adder,
    sums: &mut [f32; W],
    first: usize,
    numbers: impl Iterator<Item = usize>,
) {
    let mut sum = *sums;
    let x = adder.added.x;
    match &adder.added.weights {
        Some(Weights { values, first: true, .. }) => {
            for number in numbers {
                let (row, weight) = (&x[adder.start(number) + first..][..W], values[number]);
                for (sum, x) in sum.iter_mut().zip(row) {
                    *sum += weight * x;
                }
            }
        }
        Some(Weights { values, .. }) => {
            for number in numbers {
                let (row, weight) = (&x[adder.start(number) + first..][..W], values[number]);
                for (sum, x) in sum.iter_mut().zip(row) {
                    *sum += x * weight;
                }
            }
        }
        None => {
            for number in numbers {
                let row = &x[adder.start(number) + first..][..W];
                for (sum, x) in sum.iter_mut().zip(row) {
                    *sum += x;
                }
            }
        }
    }
    *sums = sum;
}
