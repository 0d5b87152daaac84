//! Errors of rounding numbers: the measures of `binade compare`, and the numbers by binade.

use std::collections::BTreeMap;
use std::iter::repeat;

use binade::catalog::F64;
use binade::{Format, Projection, Rounding, Spec, Value, decode, project, project_in};
use serde_json::{Value as Json, json};

use crate::question::ExplorerError;
use binade_kernels::Differences;

/// The widest format whose values are looked up.
const TABLE_WIDTH: u32 = 16;
/// The largest total of a histogram: above, binary64 has no odd numbers.
const MOST: f64 = (1u64 << 53) as f64;

/// A format, and the errors of numbers rounded to it.
struct Column {
    spec: Spec,
    /// The values of all codes, where these are few.
    values: Vec<f64>,
    largest: f64,
    tally: Differences,
}

/// The nearest binary64: the value itself, but for formats with exponents beyond binary64's.
fn binary64(format: Format, code: u64) -> f64 {
    f64::from_bits(project(F64, decode(format, code), Projection::default()).code)
}

impl Column {
    fn new(spec: Spec) -> Column {
        let format = spec.format;
        let codes = if format.width() <= TABLE_WIDTH { 0..format.last_code() + 1 } else { 0..0 };
        Column {
            values: codes.map(|code| binary64(format, code)).collect(),
            largest: binary64(format, format.max_finite_code()),
            spec,
            tally: Differences::default(),
        }
    }

    fn rounded(&self, x: f64, how: Projection) -> f64 {
        let code = project_in(self.spec.format, Value::from_f64(x), how, self.spec.edition).code;
        match self.values.get(code as usize) {
            Some(value) => *value,
            None => binary64(self.spec.format, code),
        }
    }

    fn of(&self, mut xs: Vec<f64>, how: impl Fn(usize) -> Projection) -> Differences {
        let mut ys = xs.iter().enumerate().map(|(i, &x)| self.rounded(x, how(i))).collect();
        Differences::of(&mut xs, &mut ys, repeat(self.largest))
    }

    fn add(&mut self, numbers: &[f64], how: impl Fn(usize) -> Projection) {
        self.tally.merge(&self.of(numbers.to_vec(), how));
    }

    /// Adds each number with its count: the sums are doubled for each bit of the counts, from the highest on.
    fn add_counted(&mut self, bins: &[(f64, u64)], how: Projection) {
        let bits = bins.iter().map(|(_, count)| u64::BITS - count.leading_zeros()).max().unwrap_or(0);
        let mut tally = Differences::default();
        for bit in (0..bits).rev() {
            tally.merge(&tally.clone());
            let odd = bins.iter().filter(|(_, count)| count >> bit & 1 == 1).map(|(x, _)| *x);
            tally.merge(&self.of(odd.collect(), |_| how));
        }
        self.tally.merge(&tally);
    }

    /// The measures; those that are not finite are `null`.
    fn report(&self) -> Json {
        let tally = &self.tally;
        json!({
            "format": self.spec.name(),
            "sqnr_db": tally.measures.sqnr_db(),
            "mean_square": tally.measures.mean_square(),
            "max_abs": tally.measures.max_abs,
            "max_relative": tally.similarity.max_relative,
            "cosine": tally.similarity.cosine(&tally.measures),
            "overflow": tally.overflow,
            "underflow": tally.underflow,
            "nan": tally.nan,
            "different": tally.different,
            "measured": tally.measures.pairs,
        })
    }
}

/// Errors of all numbers so far.
pub(crate) struct Tallies {
    columns: Vec<Column>,
    how: Projection,
    seed: u64,
    elements: u64,
    zeros: u64,
    infinite: u64,
    nan: u64,
    negative: u64,
    /// Numbers by ⌊log2 |x|⌋.
    exponents: BTreeMap<i64, u64>,
}

impl Tallies {
    /// Measurements of no numbers.
    pub(crate) fn new(formats: Vec<Spec>, how: Projection, seed: u64) -> Tallies {
        Tallies {
            columns: formats.into_iter().map(Column::new).collect(),
            how,
            seed,
            elements: 0,
            zeros: 0,
            infinite: 0,
            nan: 0,
            negative: 0,
            exponents: BTreeMap::new(),
        }
    }

    /// Adds numbers; each takes the random bits of its index among all.
    pub(crate) fn add(&mut self, numbers: &[f64]) {
        let (how, seed, first) = (self.how, self.seed, self.elements);
        for column in &mut self.columns {
            column
                .add(numbers, |i| Projection { rounding: how.rounding.drawn(seed, first + i as u64), ..how });
        }
        for &x in numbers {
            self.count(x, 1);
        }
    }

    /// Adds the bins of a histogram: a number and its count, in turn.
    ///
    /// # Errors
    /// If the rounding is stochastic, or a count is not a whole number.
    pub(crate) fn add_histogram(&mut self, numbers: &[f64]) -> Result<(), ExplorerError> {
        if matches!(self.how.rounding, Rounding::Stochastic { .. }) {
            return Err(ExplorerError::DrawnBins);
        }
        let (pairs, rest) = numbers.as_chunks::<2>();
        let mut bins = vec![];
        let mut all = self.elements;
        for &[x, times] in pairs {
            all = all.saturating_add(times as u64);
            if times.fract() != 0.0 || !(0.0..=MOST).contains(&times) || all > MOST as u64 {
                return Err(ExplorerError::Count(times));
            }
            bins.push((x, times as u64));
        }
        if let [x] = rest {
            return Err(ExplorerError::CountMissing(*x));
        }
        let how = self.how;
        for column in &mut self.columns {
            column.add_counted(&bins, how);
        }
        for (x, times) in bins.into_iter().filter(|(_, times)| *times > 0) {
            self.count(x, times);
        }
        Ok(())
    }

    fn count(&mut self, x: f64, times: u64) {
        self.elements += times;
        match Value::from_f64(x) {
            Value::Finite(x) if x.is_zero() => self.zeros += times,
            Value::Finite(x) => {
                *self.exponents.entry(x.log2_floor()).or_default() += times;
                self.negative += if x.negative { times } else { 0 };
            }
            Value::Infinite { .. } => self.infinite += times,
            Value::Nan { .. } => self.nan += times,
        }
    }

    /// The answer for the page.
    pub(crate) fn report(&self) -> Json {
        json!({
            "elements": self.elements,
            "zeros": self.zeros,
            "infinite": self.infinite,
            "nan": self.nan,
            "negative": self.negative,
            "exponents": self.exponents.iter().collect::<Vec<_>>(),
            "formats": self.columns.iter().map(Column::report).collect::<Vec<_>>(),
        })
    }
}
