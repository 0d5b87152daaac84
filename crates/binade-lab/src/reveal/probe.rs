//! Probes: dot products that a program computes, many in one product of matrices.

use std::collections::HashMap;
use std::rc::Rc;

use binade::Format;

use super::{Operands, Range, ResultType, Results, RevealError, Size, power};

/// A dot product to compute. Probes that share a vector share a row or a column.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    pub(super) a: Rc<[f64]>,
    pub(super) b: Rc<[f64]>,
}

/// The positions of a product whose sums agree, when all rows of A and all columns of B are the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Positions {
    /// The rows that were probed.
    pub rows: Vec<usize>,
    /// The columns that were probed.
    pub columns: Vec<usize>,
    /// The number of elements that differ from those of these rows and columns.
    pub differ: usize,
    /// The first element that differs.
    pub first: Option<[usize; 2]>,
}

/// Calls the function that multiplies.
pub(super) struct Prober<'f, E> {
    multiply: &'f mut dyn FnMut(Operands<'_>) -> Result<Results, E>,
    size: Size,
    element: ResultType,
    rows: Vec<usize>,
    columns: Vec<usize>,
    calls: usize,
}

/// A sequence of pseudo-random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.next() % end.max(1)
    }

    /// A number of the format with an exponent in a range, cut off at the format's own. One of sixteen numbers is 0.
    pub(super) fn number(&mut self, range: &Range, exponents: std::ops::RangeInclusive<i32>) -> f64 {
        let (low, high) = (*exponents.start(), *exponents.end());
        let exponent = low + self.below((high - low + 1) as u64) as i32;
        let exponent = exponent.clamp(range.least, range.emax);
        // Subnormal numbers have fewer bits.
        let bits = (range.precision - 1).min(exponent - range.least).max(0);
        // The largest significand may be a NaN's.
        let bits = if exponent == range.emax { bits - 1 } else { bits };
        let fraction = if bits > 0 { self.next() >> (64 - bits) } else { 0 };
        let magnitude = (1.0 + fraction as f64 * power(-bits.max(0))) * power(exponent);
        match self.next() >> 59 {
            0 | 1 => 0.0,
            sign if sign % 2 == 0 => magnitude,
            _ => -magnitude,
        }
    }
}

impl<'f, E> Prober<'f, E> {
    /// Checks with one product, computed twice, that the function multiplies.
    pub(super) fn start(
        size: Size,
        multiply: &'f mut dyn FnMut(Operands<'_>) -> Result<Results, E>,
    ) -> Result<Prober<'f, E>, RevealError<E>> {
        let Size { rows, depth, columns } = size;
        let mut prober = Prober {
            multiply,
            size,
            element: ResultType::F32,
            rows: (0..rows).collect(),
            columns: (0..columns).collect(),
            calls: 0,
        };
        // Each row of A selects a row of B.
        let mut a = vec![0.0; rows * depth];
        (0..rows).for_each(|row| a[row * depth + row % depth] = 1.0);
        let mut random = Random(1);
        let b: Vec<f64> = (0..depth * columns).map(|_| random.below(4) as f64 - 1.0).collect();
        let first = prober.call(&a, &b)?;
        for row in 0..rows {
            for column in 0..columns {
                let found = first.element.value(first.codes[row * columns + column]);
                let expected = b[row % depth * columns + column];
                if found != expected {
                    return Err(RevealError::NotProduct { row, column, found, expected });
                }
            }
        }
        Ok(prober)
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    pub(super) fn depth(&self) -> usize {
        self.size.depth
    }

    pub(super) fn element(&self) -> ResultType {
        self.element
    }

    pub(super) fn calls(&self) -> usize {
        self.calls
    }

    /// The positions that agree.
    pub(super) fn agreeing(&self) -> (&[usize], &[usize]) {
        (&self.rows, &self.columns)
    }

    /// One product of whole matrices.
    pub(super) fn call(&mut self, a: &[f64], b: &[f64]) -> Result<Results, RevealError<E>> {
        let results = (self.multiply)(Operands { size: self.size, a, b }).map_err(RevealError::Multiply)?;
        let expected = self.size.rows * self.size.columns;
        if results.codes.len() != expected {
            let found = results.codes.len();
            return Err(RevealError::Elements { found, expected, size: self.size });
        }
        if self.calls == 0 {
            self.element = results.element;
        }
        if results.element != self.element {
            return Err(RevealError::Element { found: results.element, first: self.element });
        }
        self.calls += 1;
        Ok(results)
    }

    /// Compares the sums of equal vectors at all positions, and two runs. Later probes use only positions that agree.
    pub(super) fn check_positions(&mut self, format: Format) -> Result<Positions, RevealError<E>> {
        let Size { rows, depth, columns } = self.size;
        let range = Range::of(format);
        let spread = (range.emax - range.emin).min(24) / 2;
        let middle = (range.emax + range.emin) / 2;
        let mut random = Random(2);
        let mut signatures: Vec<Vec<u64>> = vec![vec![]; rows * columns];
        for round in 0..3 {
            let mut vector = |_| random.number(&range, middle - spread / 2..=middle + spread / 2);
            let (left, right): (Vec<f64>, Vec<f64>) =
                ((0..depth).map(&mut vector).collect(), (0..depth).map(&mut vector).collect());
            let a: Vec<f64> = (0..rows).flat_map(|_| left.iter().copied()).collect();
            let b: Vec<f64> = right.iter().flat_map(|&x| std::iter::repeat_n(x, columns)).collect();
            let results = self.call(&a, &b)?;
            if round == 0 {
                let again = self.call(&a, &b)?;
                let differs = results.codes.iter().zip(&again.codes).position(|(x, y)| x != y);
                if let Some(at) = differs {
                    let value = |results: &Results| results.element.value(results.codes[at]);
                    let (first, second) = (value(&results), value(&again));
                    let (row, column) = (at / columns, at % columns);
                    return Err(RevealError::NotDeterministic { row, column, first, second });
                }
            }
            signatures.iter_mut().zip(results.codes).for_each(|(signature, code)| signature.push(code));
        }
        let positions = largest_agreement(&signatures, rows, columns);
        self.rows.clone_from(&positions.rows);
        self.columns.clone_from(&positions.columns);
        Ok(positions)
    }

    /// The codes of probes.
    pub(super) fn codes(&mut self, probes: &[Probe]) -> Result<Vec<u64>, RevealError<E>> {
        let Size { rows, depth, columns } = self.size;
        let mut codes = Vec::with_capacity(probes.len());
        let mut start = 0;
        while start < probes.len() {
            // As many probes as one product has rows and columns for.
            let (mut of_a, mut of_b) = (HashMap::new(), HashMap::new());
            let (mut a, mut b) = (vec![0.0; rows * depth], vec![0.0; depth * columns]);
            let mut places = vec![];
            for probe in &probes[start..] {
                let (left, right) = (Rc::as_ptr(&probe.a), Rc::as_ptr(&probe.b));
                let new_row = !of_a.contains_key(&left);
                let new_column = !of_b.contains_key(&right);
                if new_row && of_a.len() == self.rows.len() || new_column && of_b.len() == self.columns.len()
                {
                    break;
                }
                let next = self.rows[of_a.len().min(self.rows.len() - 1)];
                let row = *of_a.entry(left).or_insert(next);
                let next = self.columns[of_b.len().min(self.columns.len() - 1)];
                let column = *of_b.entry(right).or_insert(next);
                if new_row {
                    a[row * depth..][..depth].copy_from_slice(&probe.a);
                }
                if new_column {
                    probe.b.iter().enumerate().for_each(|(at, &x)| b[at * columns + column] = x);
                }
                places.push(row * columns + column);
            }
            let results = self.call(&a, &b)?;
            start += places.len();
            codes.extend(places.into_iter().map(|at| results.codes[at]));
        }
        Ok(codes)
    }

    /// The values of probes.
    pub(super) fn values(&mut self, probes: &[Probe]) -> Result<Vec<f64>, RevealError<E>> {
        let element = self.element;
        Ok(self.codes(probes)?.into_iter().map(|code| element.value(code)).collect())
    }
}

/// The rows and columns of the largest grid of positions with equal signatures, found greedily.
fn largest_agreement(signatures: &[Vec<u64>], rows: usize, columns: usize) -> Positions {
    let mut counts: HashMap<&Vec<u64>, usize> = HashMap::new();
    signatures.iter().for_each(|signature| *counts.entry(signature).or_default() += 1);
    // Of classes of equal size, the one that has the earlier position.
    let most = counts.values().copied().max().unwrap_or(0);
    let class = signatures.iter().find(|signature| counts[signature] == most);
    let is_of = |at: usize| Some(&signatures[at]) == class;
    let of_row =
        |row: usize| -> Vec<usize> { (0..columns).filter(|column| is_of(row * columns + column)).collect() };
    let widest = (0..rows).map(of_row).max_by_key(Vec::len).unwrap_or_default();
    let has_all = |row: &usize| widest.iter().all(|column| is_of(row * columns + column));
    let kept: Vec<usize> = (0..rows).filter(has_all).collect();
    let others: Vec<usize> = (0..rows * columns).filter(|&at| !is_of(at)).collect();
    Positions {
        rows: kept,
        columns: widest,
        differ: others.len(),
        first: others.first().map(|at| [at / columns, at % columns]),
    }
}
