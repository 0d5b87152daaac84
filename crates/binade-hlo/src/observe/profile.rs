//! Profiles a run by operation and named scope: seconds, bytes, flops and the sizes of numbers, for `binade hlo run
//! --profile`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, PoisonError};

use binade_stablehlo::Value;

use super::comparison::{births, is_real, numbers};
use super::{Event, Observer};

/// The totals of the operations of one name in one scope.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The operation's name.
    pub operation: &'static str,
    /// The named scopes.
    pub scope: String,
    /// The number of executions.
    pub executions: u64,
    /// The seconds that they took, run one at a time.
    pub seconds: f64,
    /// Bytes of operands and results.
    pub bytes: u64,
    /// Sums, products and functions of elements.
    pub flops: f64,
    /// The numbers among their results.
    pub numbers: Numbers,
}

/// Floating-point results, counted by magnitude.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbers {
    /// Counts by exponent ⌊log2 |x|⌋, ascending.
    pub exponents: Vec<(i32, u64)>,
    /// Zeros.
    pub zeros: u64,
    /// Infinities.
    pub infinities: u64,
    /// NaN.
    pub nans: u64,
    /// Infinities and NaN among the results of operations whose operands are all finite.
    pub births: u64,
}

/// The observer that counts.
#[derive(Default)]
pub struct Profile {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    rows: Vec<(Row, Histogram)>,
    places: HashMap<(&'static str, String), usize>,
}

/// Counts by exponent.
struct Histogram(Box<[u64; EXPONENTS]>);

/// The exponents of binary64, including those of its subnormal numbers.
const EXPONENTS: usize = (LAST - FIRST + 1) as usize;
const FIRST: i32 = -1074;
const LAST: i32 = 1023;

impl Profile {
    /// Makes an empty profile.
    pub fn new() -> Profile {
        Profile::default()
    }

    /// Returns the rows, the longest time first.
    pub fn finish(self) -> Vec<Row> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut rows: Vec<Row> = state.rows.into_iter().map(|(row, histogram)| histogram.into(row)).collect();
        rows.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        rows
    }
}

impl Histogram {
    fn into(self, mut row: Row) -> Row {
        let counts = self.0.iter().enumerate().filter(|(_, count)| **count > 0);
        row.numbers.exponents = counts.map(|(at, &count)| (at as i32 + FIRST, count)).collect();
        row
    }
}

impl Observer for Profile {
    fn done(&self, event: &Event<'_>) -> bool {
        // Control flow is skipped: its operations count their own time.
        if event.is_control() {
            return true;
        }
        let results = event.results.iter().filter_map(|value| match value {
            Value::Tensor(x) if is_real(&x.element) => Some(numbers(x)),
            _ => None,
        });
        let results: Vec<Vec<f64>> = results.collect();
        let born: u64 = results.iter().map(|values| births(event, values)).sum();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { rows, places } = &mut *state;
        let key = (event.operation.kind.name(), event.operation.scope.to_string());
        let place = match places.entry(key) {
            Entry::Occupied(place) => *place.get(),
            Entry::Vacant(place) => {
                let (operation, scope) = place.key().clone();
                let row = Row {
                    operation,
                    scope,
                    executions: 0,
                    seconds: 0.0,
                    bytes: 0,
                    flops: 0.0,
                    numbers: Numbers::default(),
                };
                rows.push((row, Histogram(Box::new([0; EXPONENTS]))));
                *place.insert(rows.len() - 1)
            }
        };
        let (row, histogram) = &mut rows[place];
        row.executions += 1;
        row.seconds += event.seconds;
        row.bytes += event.bytes();
        row.flops += event.flops();
        row.numbers.births += born;
        for x in results.into_iter().flatten() {
            match x {
                0.0 => row.numbers.zeros += 1,
                x if x.is_nan() => row.numbers.nans += 1,
                x if x.is_infinite() => row.numbers.infinities += 1,
                x => histogram.0[(exponent(x) - FIRST) as usize] += 1,
            }
        }
        true
    }
}

/// ⌊log2 |x|⌋ of a finite number that is not 0.
pub(crate) fn exponent(x: f64) -> i32 {
    let bits = x.abs().to_bits();
    match (bits >> 52) as i32 {
        0 => FIRST + bits.ilog2() as i32,
        field => field - 1023,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_of_all_sizes() {
        let sizes = [(1.0, 0), (-1.75, 0), (2.0, 1), (f64::MAX, 1023), (f64::MIN_POSITIVE, -1022)];
        for (x, expected) in sizes.into_iter().chain([(f64::from_bits(1), -1074), (2f64.powi(-1023), -1023)])
        {
            assert_eq!(exponent(x), expected, "{x}");
        }
    }
}
