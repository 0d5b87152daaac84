//! The sizes of the products that probes of the order use.

use std::rc::Rc;

use binade::Format;

use super::probe::{Probe, Prober};
use super::{Range, ResultType, RevealError, power};

/// A large product that hides small ones, as factors of the two operands.
#[derive(Clone, Debug)]
pub(super) struct Scale {
    /// The factors of the large product, of A and B.
    mask: [f64; 2],
    /// The factors of a small product.
    unit: [f64; 2],
    /// True if one large factor suffices, so that a row of A has the place of M and a column of B that of −M.
    crossed: bool,
    /// The number of small products of a probe: their sum is hidden and counted exactly.
    limit: usize,
    depth: usize,
}

impl Scale {
    /// The scales to try for a format, the best first.
    fn all(format: Format, element: ResultType, depth: usize) -> Vec<Scale> {
        let range = Range::of(format);
        let mut scales = vec![];
        if range.emax >= 100 && range.emin <= -60 && element != ResultType::F16 {
            let (mask, unit) = ([power(100); 2], [power(-10); 2]);
            scales.push(Scale { mask, unit, crossed: true, limit: depth, depth });
        }
        let largest = 2 * range.emax;
        let product = |exponent| range.factors(exponent).map(|(left, right)| [power(left), power(right)]);
        // Accumulators of the larger exponent range, then those of binary16.
        for most in [100, 15] {
            if most == 100 && element == ResultType::F16 {
                continue;
            }
            let top = largest.min(most);
            let bottom = if most == 100 { -100 } else { -22 };
            for least in [range.least, range.emin] {
                let low = (2 * least).max(bottom);
                let low = if most == 15 && least == range.emin { low.max(-14) } else { low };
                let ratio = top - low;
                // Sums of small products are hidden behind 25 bits, those of a wide ratio behind binary64's 53.
                let spare = if ratio >= 58 { ratio - 54 } else { ratio - 26 };
                if spare < 0 {
                    continue;
                }
                let limit = if spare >= 16 { depth } else { depth.min(1 << spare) };
                if let (Some(mask), Some(unit)) = (product(top), product(low)) {
                    scales.push(Scale { mask, unit, crossed: false, limit, depth });
                }
            }
        }
        scales
    }

    /// The first scale whose products the program computes and counts exactly.
    pub(super) fn find<E>(
        prober: &mut Prober<'_, E>,
        format: Format,
    ) -> Result<Option<Scale>, RevealError<E>> {
        let depth = prober.depth();
        for mut scale in Scale::all(format, prober.element(), depth) {
            let unit = scale.unit_value();
            let all: Rc<[f64]> = vec![scale.unit[1]; depth].into();
            let first = |count: usize| {
                let row = (0..depth).map(|at| if at < count { scale.unit[0] } else { 0.0 });
                Probe { a: row.collect(), b: all.clone() }
            };
            let counts = prober.values(&(1..=scale.limit).map(first).collect::<Vec<_>>())?;
            let right =
                counts.iter().enumerate().take_while(|(at, sum)| **sum == (at + 1) as f64 * unit).count();
            // Places differ: each product alone must be the unit, and the large ones must cancel.
            let alone = |at: usize| {
                let row = (0..depth).map(|other| if other == at { scale.unit[0] } else { 0.0 });
                Probe { a: row.collect(), b: all.clone() }
            };
            let mut probes: Vec<Probe> = (0..depth).map(alone).collect();
            let masks = [(0, depth - 1), (depth - 1, 0), (0, 1), (1, 0)];
            probes.extend(masks.map(|pair| scale.probe(pair, &[])));
            let values = prober.values(&probes)?;
            let (alone, cancelled) = values.split_at(depth);
            if right > 0 && alone.iter().all(|&x| x == unit) && cancelled.iter().all(|&x| x == 0.0) {
                scale.limit = right;
                return Ok(Some(scale));
            }
        }
        Ok(None)
    }

    /// True if all products are within binary16's exponent range.
    pub(super) fn is_narrow(&self) -> bool {
        self.mask[0] * self.mask[1] <= power(15)
    }

    /// True if pairs share rows and columns, so that a product of matrices measures a pair with each element.
    pub(super) fn shares_vectors(&self) -> bool {
        self.crossed && self.limit >= self.depth
    }

    fn unit_value(&self) -> f64 {
        self.unit[0] * self.unit[1]
    }

    /// M at the first place, −M at the second, and small products at `ones`.
    fn probe(&self, (i, j): (usize, usize), ones: &[usize]) -> Probe {
        let (mut a, mut b) = (vec![0.0; self.depth], vec![self.unit[1]; self.depth]);
        ones.iter().for_each(|&at| a[at] = self.unit[0]);
        if self.crossed {
            (a[i], a[j], b[j]) = (self.mask[0], self.unit[0], -self.mask[1]);
        } else {
            (a[i], a[j]) = (self.mask[0], self.mask[0]);
            (b[i], b[j]) = (self.mask[1], -self.mask[1]);
        }
        Probe { a: a.into(), b: b.into() }
    }

    /// The number of small products that are lost, for each pair of places; `None` if the sum is no count.
    pub(super) fn lost<E>(
        &self,
        prober: &mut Prober<'_, E>,
        pairs: &[(usize, usize)],
    ) -> Result<Vec<Option<usize>>, RevealError<E>> {
        let (depth, unit) = (self.depth, self.unit_value());
        let (mut probes, mut counted) = (vec![], vec![]);
        let places: Vec<usize> = (0..depth).collect();
        if self.shares_vectors() {
            // A row has the place of M and a column that of −M, so that pairs share them.
            let vector = |base: f64, at: usize, large: f64| -> Rc<[f64]> {
                (0..depth).map(|other| if other == at { large } else { base }).collect()
            };
            let (mut rows, mut columns) = (vec![None; depth], vec![None; depth]);
            for &(i, j) in pairs {
                let row = rows[i].get_or_insert_with(|| vector(self.unit[0], i, self.mask[0]));
                let column = columns[j].get_or_insert_with(|| vector(self.unit[1], j, -self.mask[1]));
                probes.push(Probe { a: row.clone(), b: column.clone() });
                counted.push(depth - 2);
            }
        } else {
            for (&pair, chunk) in
                pairs.iter().flat_map(|pair| places.chunks(self.limit).map(move |c| (pair, c)))
            {
                probes.push(self.probe(pair, chunk));
                counted.push(chunk.iter().filter(|&&at| at != pair.0 && at != pair.1).count());
            }
        }
        let values = prober.values(&probes)?;
        let lost = values.into_iter().zip(counted).map(|(value, counted)| {
            let survivors = value / unit;
            let is_count = survivors >= 0.0 && survivors <= counted as f64 && survivors.fract() == 0.0;
            is_count.then(|| counted - survivors as usize)
        });
        let lost: Vec<Option<usize>> = lost.collect();
        let parts = lost.len() / pairs.len().max(1);
        // The parts of a pair are consecutive.
        let total = |parts: &[Option<usize>]| parts.iter().copied().sum::<Option<usize>>();
        Ok(if pairs.is_empty() { vec![] } else { lost.chunks(parts).map(total).collect() })
    }
}
