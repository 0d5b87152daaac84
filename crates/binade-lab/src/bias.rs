//! Finds the bias with the least mean square error, exactly.
//!
//! Rounding is constant on the cells of [`crate::cells`], and for one precision the cells are the same under every bias. So
//! one pass over a tensor collects the number n of elements and the exact Σ|x| and Σx² of each cell. If a bias rounds the
//! cell to q, its share of the squared error is Σx² − 2q Σ|x| + nq². This is integer arithmetic: neither the order of the
//! elements nor rounding affects which bias wins.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use binade::{Finite, Format, Projection, Value, catalog, decode, project};
use binade_simd::threads;
use num_bigint::BigUint;
use serde::Serialize;

use crate::cells::{INFINITY, MAGNITUDE, below, representative};
use crate::values::to_f64;

/// The biases to try.
pub(crate) const BIASES: RangeInclusive<i32> = catalog::Bias::RANGE;

/// Returns true if the search supports a format. Its cells must fit in memory, and all comparison points of rounding must be
/// normal binary64 numbers.
pub(crate) fn searchable(format: Format) -> bool {
    format.precision() <= 12 && format.exponent_bits() <= 8
}

/// Error of a tensor under one bias.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BiasError {
    /// The bias.
    pub bias: i32,
    /// Mean square error over finite elements that stay finite, rounded once from its exact value.
    pub mean_square: f64,
    /// Finite elements that become infinite or NaN. The search minimises this number first, then the error.
    pub lost: u64,
}

/// The elements of a cell. D is an element's distance from the cell's start, in units of its last place.
#[derive(Clone, Copy, Default)]
struct Cell {
    count: u64,
    /// ΣD: below 2^64 times 2^52.
    distance: u128,
    /// ΣD² modulo 2^128.
    squares: u128,
    /// ⌊ΣD² / 2^128⌋.
    carry: u64,
}

impl Cell {
    fn add_squares(&mut self, squares: u128) {
        let (sum, carried) = self.squares.overflowing_add(squares);
        (self.squares, self.carry) = (sum, self.carry + carried as u64);
    }
}

/// The cells of a set of elements.
///
/// A binade beyond the range of every bias, above or below, has only two cells: its start and the rest. So have the numbers
/// below the normal binary64 numbers.
pub(crate) struct Cells {
    precision: u32,
    /// Exponent fields of the binades that are divided into cells.
    fine: RangeInclusive<u64>,
    /// Cells by exponent field. There are four for each fraction: start and interior, positive and negative.
    binades: Vec<Vec<Cell>>,
}

impl Cells {
    /// An empty set; the formats are those of all biases.
    pub(crate) fn new(formats: &[(i32, Format)]) -> Cells {
        let precision = formats.iter().map(|(_, format)| format.precision()).max().unwrap_or(1);
        // The bounds of the module `cells`.
        let lowest =
            formats.iter().map(|(_, format)| format.emin()).min().unwrap_or(0) - precision as i32 - 1;
        let highest = formats.iter().map(|(_, format)| format.emax()).max().unwrap_or(0);
        let field = |exponent: i32| (exponent + 1023).clamp(1, 2046) as u64;
        Cells { precision, fine: field(lowest)..=field(highest), binades: vec![vec![]; 2047] }
    }

    /// [`below`], or all trailing bits for a binade that is not divided.
    #[inline]
    fn shift(&self, field: u64) -> u32 {
        if self.fine.contains(&field) { below(self.precision) } else { 52 }
    }

    /// Adds the finite elements.
    pub(crate) fn add(&mut self, elements: &[f64]) {
        for &x in elements {
            let (magnitude, negative) = (x.to_bits() & MAGNITUDE, x.to_bits() >> 63);
            if magnitude >= INFINITY {
                continue;
            }
            let shift = self.shift(magnitude >> 52);
            let binade = &mut self.binades[(magnitude >> 52) as usize];
            if binade.is_empty() {
                *binade = vec![Cell::default(); 4 << (52 - shift)];
            }
            let distance = magnitude & ((1 << shift) - 1);
            let fraction = (magnitude & ((1 << 52) - 1)) >> shift;
            let cell = &mut binade[(fraction << 2 | ((distance != 0) as u64) << 1 | negative) as usize];
            cell.count += 1;
            cell.distance += distance as u128;
            cell.add_squares(distance as u128 * distance as u128);
        }
    }

    pub(crate) fn merge(mut self, other: Cells) -> Cells {
        for (mine, theirs) in self.binades.iter_mut().zip(other.binades) {
            if mine.is_empty() {
                *mine = theirs;
                continue;
            }
            for (cell, other) in mine.iter_mut().zip(theirs) {
                cell.count += other.count;
                cell.distance += other.distance;
                cell.add_squares(other.squares);
                cell.carry += other.carry;
            }
        }
        self
    }

    /// The error of each bias, and the best bias; the smallest in a tie.
    pub(crate) fn search(&self, formats: &[(i32, Format)], how: Projection) -> (i32, Vec<BiasError>) {
        let cells: Vec<(usize, usize, &Cell)> = self
            .binades
            .iter()
            .enumerate()
            .flat_map(|(field, binade)| binade.iter().enumerate().map(move |(at, cell)| (field, at, cell)))
            .filter(|(_, _, cell)| cell.count != 0)
            .collect();
        let parts: Vec<_> = cells.chunks(1024).collect();
        let of_parts = threads::map(parts.len(), |part| {
            let mut costs = vec![Cost::default(); formats.len()];
            for (field, at, cell) in parts[part] {
                self.charge(*field, *at, cell, formats, how, &mut costs);
            }
            costs
        });
        let mut costs = vec![Cost::default(); formats.len()];
        for of_part in of_parts {
            costs.iter_mut().zip(of_part).for_each(|(a, b)| a.add(b));
        }
        let unit = costs.iter().filter_map(Cost::unit).min().unwrap_or(0);
        let exact: Vec<(u64, BigUint)> = costs.iter().map(|cost| (cost.lost, cost.total(unit))).collect();
        let count: u64 = cells.iter().map(|(_, _, cell)| cell.count).sum();
        let errors = formats.iter().zip(&exact).map(|((bias, _), (lost, total))| BiasError {
            bias: *bias,
            mean_square: quotient(total, unit, count - lost),
            lost: *lost,
        });
        let least = (0..exact.len()).min_by(|&a, &b| match exact[a].cmp(&exact[b]) {
            Ordering::Equal => a.cmp(&b),
            unequal => unequal,
        });
        (least.map_or(*BIASES.start(), |least| formats[least].0), errors.collect())
    }

    /// Adds the share of one cell to the error of every bias.
    fn charge(
        &self,
        field: usize,
        at: usize,
        cell: &Cell,
        formats: &[(i32, Format)],
        how: Projection,
        costs: &mut [Cost],
    ) {
        let (fraction, interior, negative) = ((at >> 2) as u64, at & 2 != 0, at & 1 != 0);
        let implicit = (field != 0) as u64;
        let (shift, exponent) = (self.shift(field as u64), field.max(1) as i64 - 1075);
        let start = (fraction | implicit << (52 - shift)) << shift;
        let point = match field {
            0 if interior => representative(negative, 1, -1074, false),
            0 => Value::Finite(Finite::zero(negative)),
            _ => representative(negative, start >> shift, exponent + shift as i64, interior),
        };
        let (count, start) = (BigUint::from(cell.count), BigUint::from(start));
        let distance = BigUint::from(cell.distance);
        let squares = (BigUint::from(cell.carry) << 128u32) + BigUint::from(cell.squares);
        // x = start + D: Σx and Σx² in units of 2^exponent and its square.
        let sum = &count * &start + &distance;
        let sum_squares = &count * &start * &start + ((&start * &distance) << 1u32) + squares;
        let mut known: Option<(Value, i64, BigUint)> = None;
        for ((_, format), cost) in formats.iter().zip(costs) {
            let result = decode(*format, project(*format, point, how).code);
            let Value::Finite(q) = result else {
                cost.lost += cell.count;
                continue;
            };
            if known.as_ref().is_none_or(|(value, _, _)| *value != result) {
                let unit = if q.is_zero() { exponent } else { exponent.min(q.exponent) };
                let up = (exponent - unit) as u64;
                let q =
                    BigUint::from(q.significand) << if q.is_zero() { 0 } else { (q.exponent - unit) as u64 };
                let error = (&sum_squares << (2 * up)) + &count * &q * &q - ((&q * &sum) << (up + 1));
                known = Some((result, unit, error));
            }
            if let Some((_, unit, error)) = &known {
                cost.charge(2 * unit, error);
            }
        }
    }
}

/// A sum of squared errors by unit, combined at the end.
#[derive(Clone, Default)]
struct Cost {
    lost: u64,
    /// In units of 2^key.
    errors: BTreeMap<i64, BigUint>,
}

impl Cost {
    fn charge(&mut self, unit: i64, error: &BigUint) {
        *self.errors.entry(unit).or_default() += error;
    }

    fn add(&mut self, other: Cost) {
        self.lost += other.lost;
        for (unit, error) in other.errors {
            self.charge(unit, &error);
        }
    }

    fn unit(&self) -> Option<i64> {
        self.errors.keys().next().copied()
    }

    fn total(&self, unit: i64) -> BigUint {
        self.errors.iter().map(|(own, error)| error << (own - unit) as u64).sum()
    }
}

/// total · 2^unit / count, rounded once.
fn quotient(total: &BigUint, unit: i64, count: u64) -> f64 {
    if count == 0 || total.bits() == 0 {
        return 0.0;
    }
    let divisor = BigUint::from(count);
    // A quotient of 126 to 128 bits.
    let up = 127 + divisor.bits() as i64 - total.bits() as i64;
    let (numerator, divisor) =
        if up >= 0 { (total << up as u64, divisor) } else { (total.clone(), divisor << -up as u64) };
    let whole = &numerator / &divisor;
    let sticky = &whole * &divisor != numerator;
    let limbs = whole.to_u64_digits();
    let limb = |i: usize| limbs.get(i).copied().unwrap_or(0) as u128;
    to_f64(Value::Finite(Finite {
        negative: false,
        significand: limb(1) << 64 | limb(0),
        exponent: unit - up,
        sticky,
    }))
}

#[cfg(test)]
mod tests {
    use binade::{Rounding, Saturation, Spec, philox};

    use super::*;

    fn formats(name: &str) -> Vec<(i32, Format)> {
        let separator = if name.contains('@') { ',' } else { '@' };
        BIASES
            .map(|bias| (bias, format!("{name}{separator}bias={bias}").parse::<Spec>().unwrap().format))
            .collect()
    }

    /// Total squared error of one bias, element by element, in units of 2^-4000.
    fn brute_force(format: Format, elements: &[f64], how: Projection) -> (u64, BigUint) {
        let fixed = |value: Value| match value {
            Value::Finite(x) => Some(BigUint::from(x.significand) << (x.exponent + 2000) as u64),
            _ => None,
        };
        let (mut lost, mut total) = (0, BigUint::default());
        for &x in elements {
            let Some(a) = fixed(Value::from_f64(x)) else { continue };
            match fixed(decode(format, project(format, Value::from_f64(x), how).code)) {
                Some(b) => {
                    let error = if a > b { a - b } else { b - a };
                    total += &error * &error;
                }
                None => lost += 1,
            }
        }
        (lost, total)
    }

    fn check(name: &str, elements: &[f64], how: Projection) -> i32 {
        let formats = formats(name);
        let half = elements.len() / 2;
        let mut cells = Cells::new(&formats);
        cells.add(&elements[..half]);
        let mut rest = Cells::new(&formats);
        rest.add(&elements[half..]);
        let (bias, errors) = cells.merge(rest).search(&formats, how);
        let mut least: Option<(u64, BigUint, i32)> = None;
        let finite = elements.iter().filter(|x| x.is_finite()).count() as u64;
        for ((bias, format), found) in formats.iter().zip(errors) {
            let (lost, total) = brute_force(*format, elements, how);
            assert_eq!((found.bias, found.lost), (*bias, lost), "{name}");
            let mean = quotient(&total, -4000, finite - lost);
            assert_eq!(found.mean_square.to_bits(), mean.to_bits(), "{name} bias {bias} {how:?}");
            if least.as_ref().is_none_or(|(l, t, _)| (lost, &total) < (*l, t)) {
                least = Some((lost, total, *bias));
            }
        }
        assert_eq!(Some(bias), least.map(|(_, _, bias)| bias), "{name}");
        bias
    }

    /// Bell-shaped values of magnitude about `scale`; rounded to binary32 if `narrow`.
    fn weights(seed: u64, count: u64, scale: f64, narrow: bool) -> Vec<f64> {
        let uniform = |index| philox::word(seed, index) as f64 / 2f64.powi(32) - 0.5;
        let value = |i: u64| scale * (0..6).map(|j| uniform(6 * i + j)).sum::<f64>();
        (0..count).map(|i| if narrow { value(i) as f32 as f64 } else { value(i) }).collect()
    }

    #[test]
    fn search_of_bell_shaped_weights_equals_brute_force() {
        for (name, scale) in
            [("cfloat8_1_4_3", 0.05), ("cfloat8_1_5_2", 0.05), ("cfloat8_1_4_3", 1e-12), ("shp", 3.0)]
        {
            check(name, &weights(1, 500, scale, true), Projection::default());
        }
    }

    #[test]
    fn search_under_every_mode_equals_brute_force() {
        let mut elements = weights(2, 150, 1.0, false);
        elements.extend(weights(3, 50, 1e-9, true));
        elements.extend([
            0.0,
            -0.0,
            1.4375,
            -2.875,
            0.875,
            1e30,
            -1e-30,
            5e-324,
            -1e-310,
            f64::MAX,
            f64::NAN,
            f64::INFINITY,
        ]);
        for name in [
            "cfloat8_1_4_3",
            "cfloat8_1_5_2@subnormals=ieee",
            "shp",
            "custom@width=6,precision=3,infinities=yes,nan=negative_zero",
            "custom@width=7,precision=4,signed=no,nan=all_ones",
            "custom@width=7,precision=3,subnormals=flush",
            "custom@width=5,precision=1,subnormals=none,nan=all_ones",
        ] {
            for rounding in Rounding::DETERMINISTIC {
                for saturation in Saturation::ALL {
                    check(name, &elements, Projection::new(rounding, saturation));
                }
            }
        }
    }

    #[test]
    fn ties_go_to_the_smallest_bias() {
        assert_eq!(check("cfloat8_1_4_3", &[0.0, -0.0], Projection::default()), 0);
        assert_eq!(check("cfloat8_1_4_3", &[], Projection::default()), 0);
        // Under bias 0, 1 is below the smallest normal 2; it is a value under biases 1 to 15.
        assert_eq!(check("cfloat8_1_4_3", &[1.0], Projection::default()), 1);
    }

    #[test]
    fn sums_carry_past_128_bits() {
        let mut cell = Cell::default();
        cell.add_squares(u128::MAX);
        cell.add_squares(2);
        assert_eq!((cell.squares, cell.carry), (1, 1));
    }
}
