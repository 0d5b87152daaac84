//! What rounding does to numbers: the measures of `binade compare`, and where the numbers lie.

use std::collections::BTreeMap;

use binade::catalog::F64;
use binade::{Format, Projection, Spec, Value, decode, project, project_in};
use serde_json::{Value as Json, json};

use crate::measure::{Measures, Similarity};

/// The widest format whose values are looked up.
const TABLE_WIDTH: u32 = 16;

/// A format, and what became of the numbers in it.
struct Tally {
    spec: Spec,
    /// The values of all codes, where these are few.
    values: Vec<f64>,
    largest: f64,
    measures: Measures,
    similarity: Similarity,
    overflow: u64,
    underflow: u64,
    nan: u64,
    different: u64,
}

/// The nearest binary64: the value itself, but for formats with exponents beyond binary64's.
fn binary64(format: Format, code: u64) -> f64 {
    f64::from_bits(project(F64, decode(format, code), Projection::default()).code)
}

impl Tally {
    fn new(spec: Spec) -> Tally {
        let format = spec.format;
        let codes = if format.width() <= TABLE_WIDTH { 0..format.last_code() + 1 } else { 0..0 };
        Tally {
            values: codes.map(|code| binary64(format, code)).collect(),
            largest: binary64(format, format.max_finite_code()),
            spec,
            measures: Measures::default(),
            similarity: Similarity::default(),
            overflow: 0,
            underflow: 0,
            nan: 0,
            different: 0,
        }
    }

    fn rounded(&self, x: f64, how: Projection) -> f64 {
        let code = project_in(self.spec.format, Value::from_f64(x), how, self.spec.edition).code;
        match self.values.get(code as usize) {
            Some(value) => *value,
            None => binary64(self.spec.format, code),
        }
    }

    fn add(&mut self, numbers: &[f64], how: impl Fn(usize) -> Projection) {
        let (mut xs, mut ys) = (vec![], vec![]);
        for (i, &x) in numbers.iter().enumerate() {
            let y = self.rounded(x, how(i));
            let beyond = x.abs() > self.largest && (y.is_nan() || y.abs() >= self.largest);
            self.overflow += u64::from(x.is_finite() && (y.is_infinite() || beyond));
            self.underflow += u64::from(x != 0.0 && !x.is_nan() && y == 0.0);
            self.nan += u64::from(y.is_nan() && !x.is_nan());
            self.different += u64::from(x != y && !(x.is_nan() && y.is_nan()));
            if x.is_finite() && y.is_finite() {
                xs.push(x);
                ys.push(y);
            }
        }
        let (mut measures, mut similarity) = (Measures::default(), Similarity::default());
        measures.add(&xs, &ys);
        similarity.add(&xs, &ys);
        self.measures.merge(&measures);
        self.similarity.merge(&similarity);
    }

    /// The measures; what is not finite is `null`.
    fn report(&self) -> Json {
        json!({
            "format": self.spec.name(),
            "sqnr_db": self.measures.sqnr_db(),
            "mean_square": self.measures.mean_square(),
            "max_abs": self.measures.max_abs,
            "max_relative": self.similarity.max_relative,
            "cosine": self.similarity.cosine(&self.measures),
            "overflow": self.overflow,
            "underflow": self.underflow,
            "nan": self.nan,
            "different": self.different,
            "measured": self.measures.pairs,
        })
    }
}

/// What became of all numbers so far.
pub(crate) struct Tallies {
    tallies: Vec<Tally>,
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
    /// Of none yet.
    pub(crate) fn new(formats: Vec<Spec>, how: Projection, seed: u64) -> Tallies {
        Tallies {
            tallies: formats.into_iter().map(Tally::new).collect(),
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

    /// Adds numbers; each takes the random bits of its place among all.
    pub(crate) fn add(&mut self, numbers: &[f64]) {
        let (how, seed, first) = (self.how, self.seed, self.elements);
        for tally in &mut self.tallies {
            tally
                .add(numbers, |i| Projection { rounding: how.rounding.drawn(seed, first + i as u64), ..how });
        }
        self.elements += numbers.len() as u64;
        for &x in numbers {
            match Value::from_f64(x) {
                Value::Finite(x) if x.is_zero() => self.zeros += 1,
                Value::Finite(x) => {
                    *self.exponents.entry(x.log2_floor()).or_default() += 1;
                    self.negative += u64::from(x.negative);
                }
                Value::Infinite { .. } => self.infinite += 1,
                Value::Nan { .. } => self.nan += 1,
            }
        }
    }

    /// What there is to say of them.
    pub(crate) fn report(&self) -> Json {
        json!({
            "elements": self.elements,
            "zeros": self.zeros,
            "infinite": self.infinite,
            "nan": self.nan,
            "negative": self.negative,
            "exponents": self.exponents.iter().collect::<Vec<_>>(),
            "formats": self.tallies.iter().map(Tally::report).collect::<Vec<_>>(),
        })
    }
}
