//! Compares the products of several matrix units and operators with each other and with the exact product, for
//! `binade matmul --units`.
//!
//! An operator reads A and B rounded to its input formats. Its errors are measured against the exact product of the numbers that
//! it reads, rounded once to the format of its results. The error that the rounding of the inputs adds is separate: the distance
//! of that exact product from the exact product of A and B as given.

mod conclusion;
mod measure;
mod operators;
mod page;

use binade::catalog::F32;
use binade::operator::{Compound, Variant};
use binade::{Format, Operator, Projection, Rounding, Saturation, decode, project};
use binade_fma::{InBlocks, Order, SlowNotice};
use binade_simd::threads::{chunks, map};
use serde::Serialize;

use crate::matmul::{Array, Method, Shapes, element_count, start};
use crate::pool::{CHUNK, with_threads};
use crate::values::to_f64;
use crate::{Error, Progress};

pub use conclusion::{relative, ulps};
use measure::{Measured, Side, Spacing, relative_error};
use operators::NamedOperator;
pub use operators::{Operators, UnitsError, split_list};

/// Result of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Shape of the product.
    pub shape: Vec<u64>,
    /// Number of products of a sum.
    pub depth: u64,
    /// Number of elements of the product.
    pub elements: u64,
    /// Input format of the units that named none and for which none was given.
    pub chosen_input: Option<String>,
    /// Other formats that these units have in common.
    pub other_inputs: Vec<String>,
    /// A row for each unit or operator, in the order of the list.
    pub units: Vec<Row>,
    /// A row for each two of them.
    pub pairs: Vec<Pair>,
    /// The result in sentences.
    pub conclusion: String,
}

/// A unit or operator beside the exact product of the numbers that it reads.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Its name.
    pub unit: String,
    /// The format of its results.
    pub result: String,
    /// Elements that differ from the exact product, rounded once to the format of the result. A NaN equals any NaN.
    pub different: u64,
    /// The largest error, in units in the last place of the exact product.
    pub max_ulps: f64,
    /// The mean of the errors in ulps.
    pub mean_ulps: f64,
    /// Half of the elements have at most this error, in ulps.
    pub median_ulps: f64,
    /// 99 % of the elements have at most this error, in ulps.
    pub p99_ulps: f64,
    /// Index of the element with the largest error in ulps, if any has one.
    pub max_at: Option<Vec<u64>>,
    /// √(Σ (x − y)² / Σ y²) for the result x and the exact product y, over elements that are finite in both.
    pub relative_error: f64,
    /// The same measure for the rounding of A and B alone: the exact product of the numbers that are read, beside that of A and B.
    pub input_error: f64,
    /// Elements that differ but have no error in ulps: either number is not finite, or the exact product is 0.
    pub unmeasured: u64,
    /// Infinite elements of the result.
    pub infinite: u64,
    /// Elements of the result that are NaN.
    pub nan: u64,
    /// Infinite elements of the exact product.
    pub exact_infinite: u64,
    /// Elements of the exact product that are NaN.
    pub exact_nan: u64,
    /// Shares of the elements within 0, 1, 2, 4, … ulps, up to the largest error.
    pub within: Vec<Share>,
    /// The same shares at the points of a curve.
    #[serde(skip)]
    curve: Vec<Share>,
}

/// A share of elements.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// An error in ulps.
    pub ulps: f64,
    /// The share, from 0 to 1, of the elements with at most this error.
    pub share: f64,
}

/// Two units beside each other.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// The first one's name.
    pub a: String,
    /// The second one's name.
    pub b: String,
    /// Elements that differ. A NaN equals any NaN.
    pub different: u64,
    /// The largest difference, in ulps of the exact product; where the ulps of both units differ, in the larger ones.
    pub max_ulps: f64,
    /// √(Σ (a − b)² / Σ b²) over elements that are finite in both.
    pub relative_difference: f64,
    /// Elements that differ but have no difference in ulps.
    pub unmeasured: u64,
}

/// The numbers that an operator reads.
#[derive(Clone, PartialEq, Debug)]
enum Reading {
    /// A's and B's numbers rounded to formats.
    Rounded([(Format, Projection); 2]),
    /// Sums of BF16 numbers.
    Parts(Compound),
    /// Blocks of numbers with scales.
    Blocks(Box<InBlocks>),
}

/// An exact product: the numbers that are read, and the format to which their sums are rounded once.
#[derive(Clone, PartialEq, Debug)]
struct ExactProduct {
    reading: Reading,
    result: Format,
}

impl NamedOperator {
    fn method(&self) -> Result<Method, Error> {
        Method::new(self.blocks.as_ref(), self.operator.clone(), Order::Sequential)
    }

    fn reading(&self) -> Reading {
        if let Some(blocks) = &self.blocks {
            return Reading::Blocks(Box::new(blocks.clone()));
        }
        if let Some(unit) = self.operator.as_unit() {
            let [a, b] = unit.inputs();
            return Reading::Rounded([(a, unit.reading(0)), (b, unit.reading(1))]);
        }
        match (self.operator.as_compound(), self.operator.as_pair()) {
            (Some(compound), _) => Reading::Parts(compound),
            (None, Some((inputs, _))) => Reading::Rounded([(inputs, Projection::default()); 2]),
            (None, None) => AS_GIVEN,
        }
    }

    /// The format of results; binary32 for sums of BF16 numbers.
    fn result(&self) -> Format {
        if let (Some(unit), None) = (self.operator.as_unit(), &self.blocks) {
            let moved = unit.promote().is_some() || unit.split() > 1;
            return if moved { F32 } else { unit.mode().accumulator() };
        }
        self.operator.as_pair().map_or(F32, |(_, accumulator)| accumulator)
    }

    /// The name and the spacing of results.
    fn result_spacing(&self) -> (String, Spacing) {
        match self.operator.as_compound() {
            Some(Compound { variant: Variant::Listing, .. }) | None => {
                (self.result().to_string(), Spacing::of(self.result()))
            }
            Some(Compound { accumulator: 1, .. }) => ("bf16".to_owned(), Spacing::new(8, -126)),
            Some(Compound { accumulator, .. }) => {
                (format!("bf16x{accumulator}"), Spacing::new(8 * accumulator as u32, -126))
            }
        }
    }

    fn exact(&self) -> ExactProduct {
        ExactProduct { reading: self.reading(), result: self.result() }
    }
}

/// The numbers as they are given.
const AS_GIVEN: Reading =
    Reading::Rounded([(F32, Projection::new(Rounding::NearestEven, Saturation::Overflow)); 2]);

/// The exact product of A and B as given.
const OF_GIVEN: ExactProduct = ExactProduct { reading: AS_GIVEN, result: F32 };

impl ExactProduct {
    /// The product of the same numbers, rounded to binary32.
    fn in_binary32(&self) -> ExactProduct {
        let reading = match &self.reading {
            // A listing's exact sum is a binary32 number.
            Reading::Parts(compound) => Reading::Parts(Compound { variant: Variant::Listing, ..*compound }),
            other => other.clone(),
        };
        ExactProduct { reading, result: F32 }
    }

    fn compute(&self, operands: &Operands<'_>, progress: &dyn Progress) -> Result<Vec<f32>, Error> {
        let of_numbers = || format!("f32:{}", self.result).parse::<Operator>();
        match &self.reading {
            Reading::Rounded(how) => {
                let [a, b] =
                    [(operands.a, how[0]), (operands.b, how[1])].map(|(array, how)| rounded(array, how));
                let operands = Operands { a: &a, b: &b, ..*operands };
                operands.product(Method::new(None, of_numbers()?, Order::Exact)?, progress)
            }
            Reading::Parts(compound) => {
                operands.product(Method::new(None, Operator::compound(*compound), Order::Exact)?, progress)
            }
            Reading::Blocks(blocks) => {
                operands.product(Method::new(Some(blocks), of_numbers()?, Order::Exact)?, progress)
            }
        }
    }
}

/// An array with its elements rounded to a format.
fn rounded(array: &Array, (format, how): (Format, Projection)) -> Array {
    let mut array = array.clone();
    if format != F32 {
        chunks(true, &mut array.data, CHUNK as usize, |_, chunk| {
            for x in chunk {
                let value = decode(F32, x.to_bits().into());
                *x = to_f64(decode(format, project(format, value, how).code)) as f32;
            }
        });
    }
    array
}

/// The operands of all products.
#[derive(Clone, Copy)]
struct Operands<'a> {
    a: &'a Array,
    b: &'a Array,
    add: Option<&'a Array>,
    shapes: &'a Shapes,
    threads: Option<usize>,
}

impl Operands<'_> {
    fn product(&self, method: Method, progress: &dyn Progress) -> Result<Vec<f32>, Error> {
        let mut sums = start(&self.shapes.result(), self.add)?;
        method.multiply(self.threads, self.shapes, self.a, self.b, &mut sums, progress)?;
        Ok(sums)
    }
}

/// Progress of one of several products, under its name.
struct OneOf<'a> {
    all: &'a dyn Progress,
    name: &'a str,
}

impl Progress for OneOf<'_> {
    fn total(&self, _: u64) {}

    fn advance(&self, bytes: u64, _: &str) {
        self.all.advance(bytes, self.name);
    }

    fn cancelled(&self) -> bool {
        self.all.cancelled()
    }
}

/// The notices for a user about operators that have no vector code.
///
/// # Errors
/// See [`Error`].
pub fn slow(operators: &Operators) -> Result<Vec<SlowNotice>, Error> {
    let notices = operators.all.iter().map(|operator| Ok(operator.method()?.slow()));
    Ok(notices.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten().collect())
}

/// Computes `add` + A · B under each operator, and compares the results.
///
/// Shapes are as for [`crate::matmul::run`]. `threads` is `None` for all of the machine; no figure depends on it.
///
/// # Errors
/// See [`Error`]; C with an operator on blocks, and results that binary32 operands cannot have exactly.
pub fn compare(
    [a, b]: [&Array; 2],
    add: Option<&Array>,
    operators: &Operators,
    threads: Option<usize>,
    progress: &dyn Progress,
) -> Result<Comparison, Error> {
    with_threads(threads, || compare_on_pool([a, b], add, operators, threads, progress))
}

fn compare_on_pool(
    [a, b]: [&Array; 2],
    add: Option<&Array>,
    operators: &Operators,
    threads: Option<usize>,
    progress: &dyn Progress,
) -> Result<Comparison, Error> {
    if add.is_some() && operators.all.iter().any(|operator| operator.blocks.is_some()) {
        return Err(Error::AddToBlocks);
    }
    let shapes = Shapes::new(&a.shape, &b.shape)?;
    let operands = Operands { a, b, add, shapes: &shapes, threads };
    let elements = element_count(&shapes.result())? as u64;

    let mut wanted = vec![OF_GIVEN];
    for exact in operators.all.iter().flat_map(|operator| [operator.exact(), operator.exact().in_binary32()])
    {
        if !wanted.contains(&exact) {
            wanted.push(exact);
        }
    }
    progress.total(elements.saturating_mul(4 * (wanted.len() + operators.all.len()) as u64));
    let named = |name| OneOf { all: progress, name };
    let exact = wanted.iter().map(|exact| exact.compute(&operands, &named("exact")));
    let exact = exact.collect::<Result<Vec<_>, Error>>()?;
    let place = |product: &ExactProduct| wanted.iter().position(|known| known == product).unwrap_or(0);
    let products =
        operators.all.iter().map(|operator| operands.product(operator.method()?, &named(&operator.name)));
    let products = products.collect::<Result<Vec<_>, Error>>()?;

    let side = |at: usize| Side {
        values: &products[at],
        exact: &exact[place(&operators.all[at].exact())],
        spacing: operators.all[at].result_spacing().1,
    };
    let count = operators.all.len();
    let both: Vec<(usize, usize)> = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect();
    let units = map(count, |at| {
        let operator = &operators.all[at];
        let in_binary32 = &exact[place(&operator.exact().in_binary32())];
        let input_error = relative_error(in_binary32, &exact[place(&OF_GIVEN)]);
        Row::new(operator, side(at), input_error, &shapes.result())
    });
    let pairs = map(both.len(), |at| {
        let (a, b) = both[at];
        Pair::new([&operators.all[a], &operators.all[b]], Measured::differences(side(a), side(b)))
    });
    let chosen = operators.chosen.as_ref();
    let mut comparison = Comparison {
        shape: shapes.result(),
        depth: shapes.k,
        elements,
        chosen_input: chosen.map(|chosen| chosen.format.clone()),
        other_inputs: chosen.map_or(vec![], |chosen| chosen.others.clone()),
        units,
        pairs,
        conclusion: String::new(),
    };
    comparison.conclusion = conclusion::sentences(&comparison);
    Ok(comparison)
}

fn counted(values: &[f32], is: impl Fn(f32) -> bool) -> u64 {
    values.iter().filter(|x| is(**x)).count() as u64
}

impl Row {
    fn new(operator: &NamedOperator, side: Side<'_>, input_error: f64, shape: &[u64]) -> Row {
        let measured = Measured::errors(side);
        let max = measured.max_ulps();
        let shares = |points: Vec<f64>| -> Vec<Share> {
            points.into_iter().map(|ulps| Share { ulps, share: measured.share_within(ulps) }).collect()
        };
        // The powers of two, and steps of a quarter of a binade between them, to the first that is not below the largest error.
        let binades = max.log2().ceil().max(0.0) as i32;
        let powers = (0..=binades).map(|k| 2f64.powi(k));
        let steps = (-8..=4 * binades).map(|quarter| 2f64.powf(f64::from(quarter) / 4.0));
        Row {
            unit: operator.name.clone(),
            result: operator.result_spacing().0,
            different: measured.different,
            max_ulps: max,
            mean_ulps: measured.mean_ulps,
            median_ulps: measured.quantile(0.5),
            p99_ulps: measured.quantile(0.99),
            max_at: measured.largest_at.map(|at| index(at as u64, shape)),
            relative_error: measured.relative,
            input_error,
            unmeasured: measured.unmeasured,
            infinite: counted(side.values, f32::is_infinite),
            nan: counted(side.values, f32::is_nan),
            exact_infinite: counted(side.exact, f32::is_infinite),
            exact_nan: counted(side.exact, f32::is_nan),
            within: shares([0.0].into_iter().chain(powers).collect()),
            curve: shares([0.0].into_iter().chain(steps).collect()),
        }
    }
}

impl Pair {
    fn new([a, b]: [&NamedOperator; 2], measured: Measured) -> Pair {
        Pair {
            a: a.name.clone(),
            b: b.name.clone(),
            different: measured.different,
            max_ulps: measured.max_ulps(),
            relative_difference: measured.relative,
            unmeasured: measured.unmeasured,
        }
    }
}

/// The index along each axis of an element by its place in C order.
fn index(mut at: u64, shape: &[u64]) -> Vec<u64> {
    let mut index: Vec<u64> = shape
        .iter()
        .rev()
        .map(|&length| {
            let own = at % length.max(1);
            at /= length.max(1);
            own
        })
        .collect();
    index.reverse();
    index
}

#[cfg(test)]
mod tests {
    use binade::philox::Stream;
    use binade::unit::{Codes, Unit};

    use super::*;
    use crate::Silent;

    const M: usize = 6;
    const K: usize = 75;
    const N: usize = 5;

    /// Numbers of bfloat16 and binary16 of several binades, whose products have sums that are exact in binary64.
    fn numbers(seed: u64, count: usize) -> Vec<f32> {
        let mut random = Stream::new(seed);
        (0..count)
            .map(|_| {
                let significand = 128 + random.below(128) as i32;
                let sign = [1, -1][random.below(2)];
                (sign * significand) as f32 * 2f32.powi(random.below(12) as i32 - 15)
            })
            .collect()
    }

    fn array(shape: [usize; 2], data: Vec<f32>) -> Array {
        Array { shape: shape.map(|length| length as u64).to_vec(), data, format: "f32".to_owned() }
    }

    fn compared(a: &[f32], b: &[f32], list: &str) -> Comparison {
        let operators = Operators::parse(&split_list(list), None, ["f32"; 2]).unwrap();
        let (a, b) = (array([M, K], a.to_vec()), array([K, N], b.to_vec()));
        let compare = |threads| compare([&a, &b], None, &operators, Some(threads), &Silent).unwrap();
        let comparison = compare(1);
        assert_eq!(serde_json::to_string(&comparison).unwrap(), serde_json::to_string(&compare(2)).unwrap());
        comparison
    }

    fn code(format: Format, x: f32) -> u64 {
        project(format, decode(F32, x.to_bits().into()), Projection::default()).code
    }

    /// A's rows times B's columns by [`binade::unit::Mode::dot`].
    fn by_definition(unit: &str, input: &str, result: &str, a: &[f32], b: &[f32]) -> Vec<f32> {
        let mode = Unit::named(unit).unwrap().mode(input, result).unwrap();
        let format = input.parse::<binade::Spec>().unwrap().format;
        let mut results = vec![];
        for row in 0..M {
            for column in 0..N {
                let a: Vec<u64> = (0..K).map(|at| code(format, a[row * K + at])).collect();
                let b: Vec<u64> = (0..K).map(|at| code(format, b[at * N + column])).collect();
                let sum = mode.dot(Codes { format, codes: &a }, Codes { format, codes: &b }, 0);
                results.push(to_f64(decode(mode.accumulator(), sum)) as f32);
            }
        }
        results
    }

    fn exact_sums(a: &[f32], b: &[f32]) -> Vec<f64> {
        let sum = |row: usize, column: usize| {
            (0..K).map(|at| f64::from(a[row * K + at]) * f64::from(b[at * N + column])).sum()
        };
        (0..M * N).map(|at| sum(at / N, at % N)).collect()
    }

    /// The distance of the binary32 numbers next to each other around x.
    fn ulp(x: f32) -> f64 {
        f64::from(f32::from_bits(x.abs().to_bits() + 1)) - f64::from(x.abs())
    }

    #[test]
    fn figures_are_those_of_the_definition() {
        let (a, b) = (numbers(1, M * K), numbers(2, K * N));
        let comparison = compared(&a, &b, "h100:bf16,a100:bf16,mi300x:bf16,b200:bf16");
        let exact: Vec<f32> = exact_sums(&a, &b).into_iter().map(|sum| sum as f32).collect();
        let results =
            ["h100", "a100", "mi300x", "b200"].map(|unit| by_definition(unit, "bf16", "f32", &a, &b));
        let gap = |x: f32, y: f32, at: usize| f64::from((x - y).abs()) / ulp(exact[at]);
        assert_eq!((comparison.elements, comparison.depth), ((M * N) as u64, K as u64));
        for (row, result) in comparison.units.iter().zip(&results) {
            let errors: Vec<f64> = (0..M * N).map(|at| gap(result[at], exact[at], at)).collect();
            let most = errors.iter().copied().fold(0.0, f64::max);
            assert_eq!(row.max_ulps, most, "{}", row.unit);
            assert!(row.different > 0 && row.input_error == 0.0, "{row:?}");
            assert_eq!(row.different, errors.iter().filter(|error| **error > 0.0).count() as u64);
            assert!((row.mean_ulps - errors.iter().sum::<f64>() / errors.len() as f64).abs() < 1e-9);
            let square = |x: f32, y: f32| (f64::from(x) - f64::from(y)).powi(2);
            let over: f64 = result.iter().zip(&exact).map(|(x, y)| square(*x, *y)).sum();
            let under: f64 = exact.iter().map(|y| square(*y, 0.0)).sum();
            assert!((row.relative_error / (over / under).sqrt() - 1.0).abs() < 1e-9, "{row:?}");
            let [i, j] = row.max_at.as_ref().unwrap()[..] else { panic!() };
            assert_eq!(errors[i as usize * N + j as usize], most);
            assert_eq!(row.within.last().unwrap().share, 1.0);
            let within_one = errors.iter().filter(|error| **error <= 1.0).count();
            assert_eq!(row.within[1], Share { ulps: 1.0, share: within_one as f64 / (M * N) as f64 });
        }
        let pairs = (0..4).flat_map(|x| (x + 1..4).map(move |y| (x, y)));
        for (pair, (x, y)) in comparison.pairs.iter().zip(pairs) {
            let gaps: Vec<f64> = (0..M * N).map(|at| gap(results[x][at], results[y][at], at)).collect();
            assert_eq!(pair.different, gaps.iter().filter(|gap| **gap > 0.0).count() as u64);
            assert_eq!(pair.max_ulps, gaps.iter().copied().fold(0.0, f64::max));
        }
        // Blackwell's step for bfloat16 is Hopper's; Ampere's keeps a bit less and takes half as many products.
        assert_eq!((comparison.pairs[2].different, comparison.pairs[0].different > 0), (0, true));
        assert!(comparison.conclusion.contains("Equal in every element: h100:bf16 and b200:bf16."));
        assert!(comparison.conclusion.contains("Rounding A and B to the inputs' formats changes nothing."));
    }

    #[test]
    fn results_in_binary16_are_counted_in_its_ulps() {
        let (a, b) = (numbers(3, M * K), numbers(4, K * N));
        let comparison = compared(&a, &b, "h100:f16/result=f16,h100:f16");
        let [narrow, wide] = &comparison.units[..] else { panic!() };
        assert_eq!((&*narrow.result, &*wide.result), ("f16", "f32"));
        let half = |x: f64| to_f64(decode(binade::catalog::F16, code(binade::catalog::F16, x as f32)));
        let exact = exact_sums(&a, &b);
        let results = by_definition("h100", "f16", "f16", &a, &b);
        let errors = results.iter().zip(&exact).map(|(x, y)| {
            let y = half(*y);
            (f64::from(*x) - y).abs() / (ulp(y as f32) * 2f64.powi(13))
        });
        assert_eq!(narrow.max_ulps, errors.fold(0.0, f64::max));
        // In binary16, the pair is counted in the larger ulps.
        assert!(comparison.pairs[0].max_ulps < 100.0 && comparison.pairs[0].different > 0);
    }

    #[test]
    fn rounding_of_inputs_is_apart_from_the_error_of_sums() {
        let mut random = Stream::new(5);
        let mut numbers = |count| -> Vec<f32> { (0..count).map(|_| random.unit()).collect() };
        let (a, b) = (numbers(M * K), numbers(K * N));
        let comparison =
            compared(&a, &b, "bf16:f32,amx:bf16,f32:f32,bf16x2:bf16x2/3,mxfp8_e4m3:f32,h100:deepseek_fp8");
        let to_bf16 = |x: &[f32]| -> Vec<f32> {
            // To nearest even, as the bits say.
            x.iter()
                .map(|x| f32::from_bits((x.to_bits() + 0x7fff + (x.to_bits() >> 16 & 1)) & 0xffff_0000))
                .collect()
        };
        let (given, read) = (exact_sums(&a, &b), exact_sums(&to_bf16(&a), &to_bf16(&b)));
        let over: f64 = given.iter().zip(&read).map(|(x, y)| (x - y).powi(2)).sum();
        let expected = (over / given.iter().map(|x| x * x).sum::<f64>()).sqrt();
        let [pair, amx, binary32, parts, blocks, unit_blocks] = &comparison.units[..] else { panic!() };
        assert!((pair.input_error / expected - 1.0).abs() < 1e-3, "{pair:?} {expected}");
        assert_eq!((amx.input_error, binary32.input_error), (pair.input_error, 0.0));
        assert!(pair.relative_error < 1e-6 && amx.relative_error < 1e-6);
        assert!(parts.input_error > 0.0 && parts.input_error < pair.input_error / 100.0, "{parts:?}");
        assert_eq!((&*parts.result, &*blocks.result), ("bf16x2", "f32"));
        assert!(blocks.input_error > 10.0 * pair.input_error && unit_blocks.input_error > pair.input_error);
        assert!(blocks.relative_error < 1e-6 && unit_blocks.relative_error > 1e-5, "{unit_blocks:?}");
        assert!(
            comparison.conclusion.contains("Rounding A and B to the inputs of"),
            "{}",
            comparison.conclusion
        );
    }

    #[test]
    fn infinities_and_nan_are_counted_by_name() {
        let mut a = vec![1.0; M * K];
        let mut b = vec![1.0; K * N];
        a[0] = f32::INFINITY;
        a[K] = f32::NAN;
        a[2 * K..3 * K].fill(3e38);
        b[0] = 3e38;
        let comparison = compared(&a, &b, "h100:bf16,bf16:f32");
        for row in &comparison.units {
            assert_eq!((row.infinite, row.nan, row.exact_infinite, row.exact_nan), (10, 5, 10, 5), "{row:?}");
            assert_eq!(row.unmeasured, 0);
            assert!(row.max_ulps.is_finite() && row.relative_error.is_finite());
        }
        assert!(
            comparison
                .conclusion
                .contains("h100:bf16 has 10 infinite and 5 NaN elements; the exact product has 10 and 5.")
        );
        // FP8 has no infinities.
        let comparison = compared(&a, &b, "h100:e4m3,h100:e4m3/saturate");
        assert_eq!(comparison.units[0].infinite, 0);
        assert!(comparison.units[0].nan > 5 && comparison.pairs[0].unmeasured > 0);
    }

    #[test]
    fn an_empty_product_has_no_errors() {
        let operators = Operators::parse(&["h100", "f32:f32"], None, ["f32"; 2]).unwrap();
        for (m, k, n) in [(0, 3, 2), (2, 0, 2), (0, 0, 0)] {
            let (a, b) = (array([m, k], vec![0.0; m * k]), array([k, n], vec![0.0; k * n]));
            let comparison = compare([&a, &b], None, &operators, None, &Silent).unwrap();
            assert!(comparison.units.iter().all(|row| row.different == 0 && row.mean_ulps == 0.0));
            assert!(!comparison.page().finish().contains(">NaN</td"));
        }
    }

    #[test]
    fn shapes_and_sums_that_do_not_fit_are_refused() {
        let of = |list: &str, b: [usize; 2], add: Option<&Array>| {
            let operators = Operators::parse(&split_list(list), None, ["f32"; 2]).unwrap();
            let (a, b) = (array([2, 3], vec![1.0; 6]), array(b, vec![1.0; b[0] * b[1]]));
            compare([&a, &b], add, &operators, None, &Silent).unwrap_err().to_string()
        };
        assert!(of("h100", [2, 3], None).contains("B of shape [2, 3] does not fit"));
        let add = array([1, 1], vec![0.0]);
        assert!(of("h100:mxfp8_e4m3", [3, 1], Some(&add)).contains("products in blocks start from zeros"));
        assert!(of("h100", [3, 1], Some(&array([3, 1], vec![0.0; 3]))).contains("C of shape [3, 1]"));
        // An empty sum for each of more elements than memory can hold.
        let operators = Operators::parse(&["h100"], Some("f16"), ["f32"; 2]).unwrap();
        let (a, b) = (array([1 << 40, 0], vec![]), array([0, 1 << 40], vec![]));
        let error = compare([&a, &b], None, &operators, None, &Silent).unwrap_err().to_string();
        assert!(error.contains("more elements than memory can hold"), "{error}");
    }
}
