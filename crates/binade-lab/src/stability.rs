//! Significant digits of a program's results over runs with random rounding, for `binade run --runs`.
//!
//! The digits of a result are −log10 of its relative standard deviation over the runs. A result on which all runs agree has all of
//! its digits.

use std::cmp::Ordering;

use binade_page::{Column, Markup, Page, Table, grouped};
use serde::{Serialize, Serializer};

/// The values of one result over the runs, as their moments.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Moments {
    count: u32,
    first: f64,
    differs: bool,
    /// The binary exponent of the first finite value that is not 0. Mean and squares are of values without it, so that they neither
    /// overflow nor become 0.
    exponent: i32,
    mean: f64,
    /// The sum of the squared distances from the mean.
    squares: f64,
}

impl Moments {
    /// Adds the value of a run.
    pub fn add(&mut self, value: f64) {
        if self.count == 0 {
            self.first = value;
        }
        let agrees = value.to_bits() == self.first.to_bits() || value.is_nan() && self.first.is_nan();
        self.differs |= !agrees;
        self.count += 1;
        if self.mean == 0.0 && self.squares == 0.0 && value.is_finite() && value != 0.0 {
            self.exponent = value.abs().log2() as i32;
        }
        let value = times_power(value, -self.exponent);
        // Welford's update, which does not cancel as the difference of sums does.
        let distance = value - self.mean;
        self.mean += distance / f64::from(self.count);
        self.squares += distance * (value - self.mean);
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        if self.differs { times_power(self.mean, self.exponent) } else { self.first }
    }

    /// The significant decimal digits.
    pub fn digits(&self) -> Digits {
        if !self.differs {
            return Digits::All;
        }
        let deviation = (self.squares / f64::from(self.count - 1)).sqrt();
        let digits = -(deviation / self.mean.abs()).log10();
        Digits::Some(if digits.is_nan() { 0.0 } else { digits.max(0.0) })
    }
}

/// value · 2^exponent. The power itself may be out of range, so that it is applied in two halves.
fn times_power(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * 2f64.powi(half) * 2f64.powi(exponent - half)
}

/// Significant decimal digits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Digits {
    /// The runs differ.
    Some(f64),
    /// All runs agree.
    All,
}

impl Digits {
    /// Fewer digits first.
    pub fn compare(self, other: Digits) -> Ordering {
        let order = |digits| if let Digits::Some(digits) = digits { digits } else { f64::INFINITY };
        order(self).total_cmp(&order(other))
    }

    /// The text for readers: `7.3`, or `all`.
    pub fn text(self) -> String {
        match self {
            Digits::Some(digits) => format!("{digits:.1}"),
            Digits::All => "all".to_owned(),
        }
    }
}

impl Serialize for Digits {
    /// A number, or null if all runs agree.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Digits::Some(digits) => serializer.serialize_some(digits),
            Digits::All => serializer.serialize_none(),
        }
    }
}

/// The digits of several results together.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// The number of results.
    pub elements: usize,
    /// Results on which the runs differ.
    pub differ: usize,
    /// The digits of the least certain result.
    pub worst_digits: Digits,
    /// Its index, from 0.
    pub worst_index: usize,
    /// The digits of the median result.
    pub median_digits: Digits,
}

impl Spread {
    /// The digits of results. The median of an even number is the lower of the two in the middle.
    pub fn of(results: impl IntoIterator<Item = Moments>) -> Spread {
        let mut digits: Vec<(Digits, usize)> =
            results.into_iter().enumerate().map(|(index, moments)| (moments.digits(), index)).collect();
        let differ = digits.iter().filter(|(digits, _)| *digits != Digits::All).count();
        digits.sort_by(|a, b| a.0.compare(b.0).then(a.1.cmp(&b.1)));
        let none = (Digits::All, 0);
        let worst = digits.first().copied().unwrap_or(none);
        let median = digits.get(digits.len().saturating_sub(1) / 2).copied().unwrap_or(none);
        Spread {
            elements: digits.len(),
            differ,
            worst_digits: worst.0,
            worst_index: worst.1,
            median_digits: median.0,
        }
    }
}

/// A number that the program prints.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NumberDigits {
    /// The line, from 1.
    pub line: usize,
    /// The text before it on the line, or the end of that.
    pub after: String,
    /// The mean over the runs.
    pub mean: f64,
    /// Its digits.
    pub digits: Digits,
}

/// An array that the program writes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ArrayDigits {
    /// The file.
    pub file: String,
    /// Its elements.
    #[serde(flatten)]
    pub spread: Spread,
}

/// A function that alone was rounded at random.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FunctionDigits {
    /// The function: `OBJECT:FUNCTION`.
    pub place: String,
    /// Multiply-adds in its code.
    pub multiply_adds: u64,
    /// All results of the program; `None` if a run failed.
    #[serde(flatten)]
    pub spread: Option<Spread>,
    /// The failure of a run.
    pub failed: Option<String>,
}

impl FunctionDigits {
    /// Less stable functions first: those with a run that failed, then by their worst digits, then by their median.
    pub fn compare(&self, other: &FunctionDigits) -> Ordering {
        let (Some(a), Some(b)) = (&self.spread, &other.spread) else {
            return self.spread.is_some().cmp(&other.spread.is_some());
        };
        let worst = a.worst_digits.compare(b.worst_digits);
        worst.then(a.median_digits.compare(b.median_digits)).then(b.differ.cmp(&a.differ))
    }
}

/// The result of several runs, as `--json` prints it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stability {
    /// The rounding.
    pub rounding: String,
    /// The seeds, one for each run.
    pub seeds: Vec<u64>,
    /// The command.
    pub command: Vec<String>,
    /// The numbers on standard output, in order.
    pub numbers: Vec<NumberDigits>,
    /// The arrays, in the order of `--array`.
    pub arrays: Vec<ArrayDigits>,
    /// The functions, the least stable first, under `--blame`.
    pub functions: Option<Vec<FunctionDigits>>,
    /// False if two runs without random rounding differ, so that the digits are those of other variation, too. `None` if that was not
    /// tried: `--blame` does.
    pub deterministic: Option<bool>,
    /// Runs of the program in all.
    pub program_runs: u64,
}

/// The page of a result.
pub fn page(found: &Stability) -> Page {
    let mut page = Page::new(&format!("Significant digits of {}", found.command.join(" ")));
    page.paragraph(
        Markup::from(format!("{} runs with seeds from {} on, under ", found.seeds.len(), found.seeds[0]))
            .then(Markup::code(&format!("--rounding {}", found.rounding)))
            .then(". The digits of a result are −log10 of its relative standard deviation over the runs."),
    );
    let count = |number: usize| grouped(number as u64);
    let changed = found.numbers.iter().filter(|number| number.digits != Digits::All).count();
    let mut cards =
        vec![(count(changed), "printed numbers differ"), (count(found.numbers.len()), "printed numbers")];
    cards.push((grouped(found.program_runs), "runs"));
    page.cards(cards);
    if found.deterministic == Some(false) {
        page.warning(
            "Two runs without random rounding differ: these digits are those of other variation, too.",
        );
    }
    if !found.arrays.is_empty() {
        page.section("Arrays");
        let mut table = Table::new([
            Column::name("file"),
            Column::number("elements"),
            Column::number("differ"),
            Column::number("worst digits"),
            Column::number("at element"),
            Column::number("median digits"),
        ]);
        for ArrayDigits { file, spread } in &found.arrays {
            table.row([
                file.as_str().into(),
                count(spread.elements).into(),
                count(spread.differ).into(),
                shown(spread.worst_digits),
                count(spread.worst_index).into(),
                shown(spread.median_digits),
            ]);
        }
        page.table(table);
    }
    if !found.numbers.is_empty() {
        page.section("Printed numbers");
        let mut table = Table::new([
            Column::number("line"),
            Column::name("after"),
            Column::number("mean"),
            Column::number("digits"),
        ]);
        for number in &found.numbers {
            let mean = format!("{:.9e}", number.mean);
            let line = number.line.to_string();
            table.row([line.into(), number.after.as_str().into(), mean.into(), shown(number.digits)]);
        }
        page.table(table);
    }
    if let Some(functions) = &found.functions {
        page.section("Functions by instability");
        page.note("Digits of the program's results with random rounding in one function alone.");
        let mut table = Table::new([
            Column::name("function"),
            Column::number("worst digits"),
            Column::number("median digits"),
            Column::number("results that differ"),
            Column::number("multiply-adds in the code"),
        ]);
        for function in functions {
            let [worst, median, differ] = match (&function.spread, &function.failed) {
                (Some(spread), _) => {
                    [shown(spread.worst_digits), shown(spread.median_digits), count(spread.differ).into()]
                }
                (None, failed) => [Markup::bad(failed.as_deref().unwrap_or("failed")), "".into(), "".into()],
            };
            let multiply_adds = grouped(function.multiply_adds).into();
            table.row([function.place.as_str().into(), worst, median, differ, multiply_adds]);
        }
        page.table(table);
    }
    page
}

/// Digits in a table of the page: few are bad, all are quiet.
fn shown(digits: Digits) -> Markup {
    match digits {
        Digits::Some(few) if few < 2.0 => Markup::bad(&digits.text()),
        Digits::Some(_) => digits.text().into(),
        Digits::All => Markup::quiet(&digits.text()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moments(values: &[f64]) -> Moments {
        let mut all = Moments::default();
        values.iter().for_each(|&value| all.add(value));
        all
    }

    #[test]
    fn digits_are_those_before_the_standard_deviation() {
        let digits = |values: &[f64]| moments(values).digits();
        assert_eq!((moments(&[2.5, 2.5]).mean(), digits(&[2.5, 2.5])), (2.5, Digits::All));
        assert_eq!(digits(&[f64::NAN, f64::NAN]), Digits::All);
        assert_eq!(digits(&[f64::INFINITY, f64::INFINITY]), Digits::All);
        let some = moments(&[99.9, 100.1, 99.9, 100.1]);
        let Digits::Some(certain) = some.digits() else { panic!() };
        assert!((some.mean() - 100.0).abs() < 1e-9 && (certain - 2.94).abs() < 0.01, "{certain}");
        assert_eq!(digits(&[1.0, -1.0]), Digits::Some(0.0));
        assert_eq!(digits(&[1.0, f64::NAN]), Digits::Some(0.0));
        assert_eq!(digits(&[1.0, f64::INFINITY]), Digits::Some(0.0));
        // A large mean does not cancel the deviation.
        let Digits::Some(large) = digits(&[1e8, 1e8 + 1.0, 1e8 + 2.0]) else { panic!() };
        assert!((large - 8.0).abs() < 1e-6, "{large}");
        // Neither do squares leave the range of binary64.
        for exponent in [-1074, -1030, -600, 0, 600, 1020] {
            let [low, high] = [8.0, 10.0].map(|x| times_power(x, exponent));
            let some = moments(&[low, high, low, high]);
            let Digits::Some(certain) = some.digits() else { panic!() };
            assert!((certain - 0.892).abs() < 0.01, "{exponent}: {certain}");
            assert!((some.mean() / low - 1.125).abs() < 0.2, "{exponent}");
        }
    }

    #[test]
    fn spread_has_the_worst_and_the_median_result() {
        let spread = Spread::of([[1.0, 1.0], [1.0, -1.0], [10.0, 10.001], [3.0, 3.0]].map(|x| moments(&x)));
        assert_eq!((spread.elements, spread.differ, spread.worst_index), (4, 2, 1));
        assert_eq!(spread.worst_digits, Digits::Some(0.0));
        assert_eq!(spread.median_digits.text(), "4.2");
        let none = Spread::of([]);
        assert_eq!((none.elements, none.worst_digits), (0, Digits::All));
    }

    #[test]
    fn page_and_json_list_functions_by_instability() {
        let function = |place: &str, values: &[f64]| FunctionDigits {
            place: place.to_owned(),
            multiply_adds: 3,
            spread: Some(Spread::of([moments(values)])),
            failed: None,
        };
        let failed =
            FunctionDigits { spread: None, failed: Some("exit code 1".to_owned()), ..function("x:h", &[]) };
        let mut functions = vec![function("x:f", &[1.0, 1.0]), failed, function("x:g", &[1.0, -1.0])];
        functions.sort_by(FunctionDigits::compare);
        let places: Vec<&str> = functions.iter().map(|function| function.place.as_str()).collect();
        assert_eq!(places, ["x:h", "x:g", "x:f"]);
        let found = Stability {
            rounding: "random".to_owned(),
            seeds: vec![0, 1],
            command: vec!["./x".to_owned()],
            numbers: vec![NumberDigits {
                line: 1,
                after: "a <".to_owned(),
                mean: 2.0,
                digits: Digits::Some(1.5),
            }],
            arrays: vec![ArrayDigits {
                file: "y.npy".to_owned(),
                spread: Spread::of([moments(&[1.0, -1.0])]),
            }],
            functions: Some(functions),
            deterministic: Some(false),
            program_runs: 10,
        };
        let json = serde_json::to_value(&found).unwrap();
        assert_eq!(json["functions"][1]["worst_digits"], 0.0);
        assert!(
            json["functions"][2]["worst_digits"].is_null() && json["functions"][0]["failed"] == "exit code 1"
        );
        assert_eq!((&json["arrays"][0]["file"], &json["arrays"][0]["differ"]), (&"y.npy".into(), &1.into()));
        let html = page(&found).finish();
        for text in
            ["Significant digits of ./x", "a &lt;", "Functions by instability", "exit code 1", "y.npy"]
        {
            assert!(html.contains(text), "{text}");
        }
        assert!(html.contains("Two runs without random rounding differ"));
    }
}
