//! Candidates for the arithmetic of a program, compared with it on random products.

use binade::unit::{Codes, Mode, Step, UNITS};
use binade::{Format, Operator, Projection, Rounding, Spec, Value, project};
use binade_fma::{Matrix, MatrixMut, Multiplier, Order as NamedOrder, reference};

use super::facts::{Facts, Joined};
use super::probe::{Prober, Random};
use super::tree::Child;
use super::{Fact, Order, Range, ResultType, RevealError, power};

/// An arithmetic that a program may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fit {
    /// A matrix unit of the catalogue, as an operator of binade.
    Unit(String),
    /// An operator of binade, with an order.
    Operator(String),
    /// A step that the probes describe, as an operator of binade.
    Described(String),
    /// The order that was found, with the arithmetic of its additions in words.
    Found(String),
}

impl Fit {
    /// The arithmetic in words.
    pub fn name(&self) -> &str {
        match self {
            Fit::Unit(name) | Fit::Operator(name) | Fit::Described(name) | Fit::Found(name) => name,
        }
    }
}

/// The products in which a candidate differs from the program.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// Products of numbers near 1 that differ, half of which cancel.
    pub differ: usize,
    /// Products of numbers near 1.
    pub of: usize,
    /// Products near the least numbers that differ.
    pub low_differ: usize,
    /// Products near the least numbers.
    pub low_of: usize,
    /// The result of the program and that of the candidate, in the first product that differs.
    pub first: [f64; 2],
}

/// The outcome of the comparison.
pub(super) struct Comparison {
    pub(super) products: usize,
    pub(super) fits: Vec<Fit>,
    pub(super) nearest: Option<(Fit, Difference)>,
}

/// Random vectors, and the program's products of each row with each column.
struct Sample {
    rows: Vec<Vec<f64>>,
    columns: Vec<Vec<f64>>,
    codes: Vec<u64>,
}

impl Sample {
    /// A sample of some rows and columns, spread over all.
    fn part(&self, count: usize) -> Sample {
        let spread = |length: usize| -> Vec<usize> {
            let count = count.min(length);
            (0..count).map(|at| at * length / count).collect()
        };
        let (rows, columns) = (spread(self.rows.len()), spread(self.columns.len()));
        let width = self.columns.len();
        Sample {
            codes: rows
                .iter()
                .flat_map(|row| columns.iter().map(move |column| row * width + column))
                .map(|at| self.codes[at])
                .collect(),
            rows: rows.into_iter().map(|row| self.rows[row].clone()).collect(),
            columns: columns.into_iter().map(|column| self.columns[column].clone()).collect(),
        }
    }
}

/// The arithmetic of additions along the order that was found.
#[derive(Clone, Debug)]
enum Additions {
    /// Binary32 or binary64. `descending`: of two products that are added first, the later one is rounded.
    Native { wide: bool, fused: bool, descending: bool, flush: bool },
    /// An operator that rounds sums to a narrow accumulator.
    Narrow(Operator),
    /// Steps of a matrix unit. Other sums are added in binary32.
    Steps(Box<Mode>),
}

/// A candidate.
enum Candidate {
    Multiplier(Fit, Box<Multiplier>),
    Tree(Fit, Additions),
}

/// Random numbers by the exponents' spread, for the rows or columns of a product.
const SPREADS: [i32; 8] = [1, 2, 4, 8, 12, 20, 30, 6];

/// Computes random products and compares all candidates with them.
pub(super) fn compare<E>(
    prober: &mut Prober<'_, E>,
    input: &Spec,
    order: &Fact<Order>,
    facts: &Facts,
) -> Result<Comparison, RevealError<E>> {
    let element = prober.element();
    let range = Range::of(input.format);
    // Numbers near 1, sums that cancel, so that results consist of errors, and numbers whose products are near the least
    // results.
    let least = Range::of(element.format()).emin / 2;
    let samples = [
        sample(prober, &range, 0, false)?,
        sample(prober, &range, 0, true)?,
        sample(prober, &range, least.max(range.least + 2), false)?,
    ];
    let context = Context { input, element, order: order.known() };
    let small = samples.each_ref().map(|sample| sample.part(8));
    let candidates = candidates(input, element, prober.depth(), order, facts);
    let (mut fits, mut nearest): (Vec<Fit>, Option<(usize, &Candidate)>) = (vec![], None);
    for candidate in &candidates {
        if candidate.is_implied_by(&fits) {
            continue;
        }
        let differ: Option<usize> =
            small.iter().map(|sample| Some(context.differences(candidate, sample)?.len())).sum();
        let Some(differ) = differ else { continue };
        if nearest.is_none_or(|(least, _)| differ < least) {
            nearest = Some((differ, candidate));
        }
        if differ == 0
            && samples
                .iter()
                .all(|sample| context.differences(candidate, sample).is_some_and(|all| all.is_empty()))
        {
            fits.push(candidate.fit().clone());
        }
    }
    let nearest = nearest.filter(|_| fits.is_empty()).and_then(|(_, candidate)| {
        let all: Option<Vec<Vec<[f64; 2]>>> =
            samples.iter().map(|sample| context.differences(candidate, sample)).collect();
        let all = all?;
        let count = |samples: &[Sample]| samples.iter().map(|sample| sample.codes.len()).sum();
        let difference = Difference {
            differ: all[0].len() + all[1].len(),
            of: count(&samples[..2]),
            low_differ: all[2].len(),
            low_of: count(&samples[2..]),
            first: *all.iter().flatten().next()?,
        };
        Some((candidate.fit().clone(), difference))
    });
    let products = samples.iter().map(|sample| sample.codes.len()).sum();
    Ok(Comparison { products, fits, nearest })
}

/// Random vectors at all positions that agree, with exponents about `middle`, and their products.
///
/// If `cancel`, the second half of a vector is the first half in another order, with the opposite sign in B. The exact product is
/// 0, or in some rows that of one pair of elements.
fn sample<E>(
    prober: &mut Prober<'_, E>,
    range: &Range,
    middle: i32,
    cancel: bool,
) -> Result<Sample, RevealError<E>> {
    let size = prober.size();
    let mut random = Random(5 + middle.unsigned_abs() as u64 + u64::from(cancel));
    let half = size.depth / 2;
    let mut permutation: Vec<usize> = (0..half).collect();
    (1..half).for_each(|at| permutation.swap(at, random.below(at as u64 + 1) as usize));
    let mut vectors = |count: usize, sign: f64| -> Vec<Vec<f64>> {
        let vector = |at: usize| {
            let spread = SPREADS[at % SPREADS.len()];
            let exponents = middle - spread / 2..=middle + spread - spread / 2;
            let mut vector: Vec<f64> =
                (0..size.depth).map(|_| random.number(range, exponents.clone())).collect();
            if cancel {
                let (first, second) = vector.split_at_mut(half);
                second.fill(0.0);
                second.iter_mut().zip(&permutation).for_each(|(x, &from)| *x = sign * first[from]);
                if sign > 0.0 && at % 4 == 3 {
                    first[at % half.max(1)] = 0.0;
                }
            }
            vector
        };
        (0..count).map(vector).collect()
    };
    let (rows, columns) = prober.agreeing();
    let (rows, columns) = (rows.to_vec(), columns.to_vec());
    let (left, right) = (vectors(rows.len().min(64), 1.0), vectors(columns.len().min(64), -1.0));
    let (mut a, mut b) = (vec![0.0; size.rows * size.depth], vec![0.0; size.depth * size.columns]);
    for (vector, &row) in left.iter().zip(&rows) {
        a[row * size.depth..][..size.depth].copy_from_slice(vector);
    }
    for (vector, &column) in right.iter().zip(&columns) {
        vector.iter().enumerate().for_each(|(at, &x)| b[at * size.columns + column] = x);
    }
    let results = prober.call(&a, &b)?;
    let places = rows
        .iter()
        .take(left.len())
        .flat_map(|row| columns.iter().take(right.len()).map(move |column| row * size.columns + column));
    Ok(Sample { codes: places.map(|at| results.codes[at]).collect(), rows: left, columns: right })
}

impl Candidate {
    /// True if candidates that fit name the same arithmetic more simply: an operator, or a unit without options.
    fn is_implied_by(&self, fits: &[Fit]) -> bool {
        match self {
            Candidate::Multiplier(fit, _) => {
                let rest = |plain: &Fit| fit.name().strip_prefix(plain.name());
                fits.iter().any(|plain| rest(plain).is_some_and(|rest| rest.starts_with('/')))
            }
            Candidate::Tree(_, additions) => {
                let is_found = |fit: &Fit| matches!(fit, Fit::Found(_));
                let descending = matches!(additions, Additions::Native { descending: true, .. });
                fits.iter().any(|fit| !is_found(fit)) || descending && !fits.is_empty()
            }
        }
    }

    fn fit(&self) -> &Fit {
        match self {
            Candidate::Multiplier(fit, _) | Candidate::Tree(fit, _) => fit,
        }
    }
}

/// All candidates: units first, then operators, then the order that was found.
fn candidates(
    input: &Spec,
    element: ResultType,
    depth: usize,
    order: &Fact<Order>,
    facts: &Facts,
) -> Vec<Candidate> {
    let mut all = vec![];
    let operator = |text: &str, order: NamedOrder| {
        let operator: Operator = text.parse().ok()?;
        Multiplier::new(operator, order).ok().map(Box::new)
    };
    if element != ResultType::F64 {
        let mut unit = |text: String, fit: fn(String) -> Fit| {
            let multiplier = operator(&text, NamedOrder::Sequential);
            all.extend(multiplier.map(|multiplier| Candidate::Multiplier(fit(text), multiplier)));
        };
        let described = described(input, element, order, facts);
        for known in UNITS {
            for mode in known.modes.iter().filter(|mode| mode.inputs.contains(&input.name())) {
                let result = if mode.result.format == "f16" { "/result=f16" } else { "" };
                let plain = format!("{}:{input}{result}", known.name);
                unit(plain.clone(), Fit::Unit);
                let steps = depth.div_ceil(mode.products);
                for steps in (0..).map(|power| 1 << power).take_while(|&count| count < steps) {
                    unit(format!("{plain}/promote={}", steps * mode.products), Fit::Unit);
                }
                for parts in 2..=steps.min(16) {
                    unit(format!("{plain}/split={parts}"), Fit::Unit);
                }
            }
        }
        if let (Some(text), Fact::Known(Order { in_steps: true, .. })) = (&described, order) {
            unit(text.clone(), Fit::Described);
        }
        let mut named = |accumulator: &str, order: NamedOrder| {
            let text = format!("{input}:{accumulator}");
            let fit = Fit::Operator(format!("{text}, {order}"));
            all.extend(operator(&text, order).map(|multiplier| Candidate::Multiplier(fit, multiplier)));
        };
        let own = input.to_string();
        for accumulator in ["f32", "f16", "bf16", &own] {
            if accumulator == own
                && ["f32", "f16", "bf16"].contains(&own.as_str())
                && accumulator.as_ptr() == own.as_ptr()
            {
                continue;
            }
            named(accumulator, NamedOrder::Sequential);
            named(accumulator, NamedOrder::Pairwise);
            named(accumulator, NamedOrder::Exact);
            for number in 2..=depth / 2 {
                // Long sums are probed for the usual numbers only.
                if depth <= 128 || number.is_power_of_two() || number % 16 == 0 {
                    named(accumulator, NamedOrder::Blocked { block: number });
                    named(accumulator, NamedOrder::Lanes { lanes: number });
                }
            }
        }
        if let (Some(text), Fact::Known(Order { in_steps: false, products: 2.., .. })) = (&described, order)
            && let Ok(operator) = text.parse::<Operator>()
            && let Some(unit) = operator.as_unit()
        {
            let fit = Fit::Found(format!("the order above, with steps of {text}"));
            all.push(Candidate::Tree(fit, Additions::Steps(Box::new(*unit.mode()))));
        }
    }
    if let Fact::Known(found) = order {
        if found.products > 1 {
            for known in UNITS {
                let takes =
                    |mode: &&Mode| mode.inputs.contains(&input.name()) && mode.products == found.products;
                for mode in known.modes.iter().filter(takes).filter(|_| !found.in_steps) {
                    let fit = Fit::Found(format!("the order above, with steps of {}:{input}", known.name));
                    all.push(Candidate::Tree(fit, Additions::Steps(Box::new(*mode))));
                }
            }
        } else if !found.exact {
            all.extend(along_the_order(input, element));
        }
    }
    all
}

/// Binary additions along the order that was found.
fn along_the_order(input: &Spec, element: ResultType) -> Vec<Candidate> {
    let mut all = vec![];
    for (wide, name, bits) in [(false, "f32", 24), (true, "f64", 53)] {
        if input.format.precision() > bits {
            continue;
        }
        for flush in [false, true] {
            if wide && flush {
                continue;
            }
            let variants = [
                (true, false, ""),
                (true, true, ", the later of two first products first"),
                (false, false, ""),
            ];
            for (fused, descending, last) in variants {
                let how = match fused {
                    true => format!("fused multiply-adds in {name}"),
                    false => format!("products and sums rounded to {name}"),
                };
                let zeros = if flush { ", subnormal numbers flushed to zero" } else { "" };
                let result = match element.to_string() {
                    element if element == name => String::new(),
                    element => format!(", results rounded to {element}"),
                };
                let fit = Fit::Found(format!("the order above, with {how}{last}{zeros}{result}"));
                all.push(Candidate::Tree(fit, Additions::Native { wide, fused, descending, flush }));
            }
        }
    }
    if element != ResultType::F64 {
        for accumulator in ["f16", "bf16"] {
            if let Ok(operator) = format!("{input}:{accumulator}").parse() {
                let fit = Fit::Found(format!("the order above, with sums rounded to {accumulator}"));
                all.push(Candidate::Tree(fit, Additions::Narrow(operator)));
            }
        }
    }
    all
}

/// The step that the probes describe, as the text of an operator.
fn described(input: &Spec, element: ResultType, order: &Fact<Order>, facts: &Facts) -> Option<String> {
    let order = order.known().filter(|order| order.products > 1 && !order.exact)?;
    let bits = facts.fraction_bits.known()?;
    let mut parameters = format!("products={},bits={bits}", order.products);
    if let Some(Joined::Late { sum_bits, .. }) = facts.accumulator.known() {
        parameters += &format!(",accumulator=late,sum_bits={}", sum_bits.max(bits));
    }
    let most = if element == ResultType::F16 { 11 } else { 24 };
    if element == ResultType::F16 {
        parameters += ",result=f16";
    }
    let kept = facts.sum_bits.known().copied().unwrap_or(most);
    if kept < most {
        parameters += &format!(",result_bits={kept}");
    }
    match facts.rounding.known() {
        // Sums that keep all bits of their terms are hardly ever rounded.
        Some(Rounding::TowardZero) | None => {}
        Some(Rounding::NearestEven) => parameters += ",rounding=nearest_even",
        _ => return None,
    }
    if facts.subnormal_inputs.known() == Some(&false) {
        parameters += ",subnormals=flushed";
    }
    Some(format!("unit({parameters}):{input}"))
}

/// The inputs of a comparison.
struct Context<'a> {
    input: &'a Spec,
    element: ResultType,
    order: Option<&'a Order>,
}

impl Context<'_> {
    /// The program's result and the candidate's, where they differ; `None` if the candidate has none.
    fn differences(&self, candidate: &Candidate, sample: &Sample) -> Option<Vec<[f64; 2]>> {
        let codes = self.codes(candidate, sample)?;
        let value = |code: u64| self.element.value(code);
        let differ =
            sample.codes.iter().zip(&codes).filter(|&(&program, &own)| {
                program != own && !(value(program).is_nan() && value(own).is_nan())
            });
        Some(differ.map(|(&program, &own)| [value(program), value(own)]).collect())
    }

    fn codes(&self, candidate: &Candidate, sample: &Sample) -> Option<Vec<u64>> {
        match candidate {
            Candidate::Multiplier(_, multiplier) => {
                let (m, n) = (sample.rows.len(), sample.columns.len());
                let k = sample.rows.first()?.len();
                let a: Vec<f32> = sample.rows.iter().flatten().map(|&x| x as f32).collect();
                let b: Vec<f32> = sample.columns.iter().flatten().map(|&x| x as f32).collect();
                // Columns are contiguous: B is the transpose.
                let mut transposed = vec![0.0; k * n];
                for (column, values) in b.chunks(k).enumerate() {
                    values.iter().enumerate().for_each(|(at, &x)| transposed[at * n + column] = x);
                }
                let mut c = vec![0.0f32; m * n];
                let (a, b) = (Matrix::new(&a, m, k).ok()?, Matrix::new(&transposed, k, n).ok()?);
                multiplier.product(a, b, MatrixMut::new(&mut c, m, n).ok()?).ok()?;
                Some(c.into_iter().map(|x| self.code(x.into())).collect())
            }
            Candidate::Tree(_, additions) => {
                let order = self.order?;
                let mut codes = vec![];
                for row in &sample.rows {
                    for column in &sample.columns {
                        codes.push(self.code(self.along(order, additions, row, column)?));
                    }
                }
                Some(codes)
            }
        }
    }

    /// The code of a sum in the type of results.
    fn code(&self, x: f64) -> u64 {
        match self.element {
            ResultType::F64 => x.to_bits(),
            ResultType::F32 => (x as f32).to_bits().into(),
            other => encode(other.format(), x),
        }
    }

    /// A dot product along the order that was found.
    fn along(&self, order: &Order, additions: &Additions, a: &[f64], b: &[f64]) -> Option<f64> {
        let mut sums: Vec<f64> = Vec::with_capacity(order.tree.nodes.len());
        for children in &order.tree.nodes {
            let sum = match additions {
                Additions::Native { wide, fused, descending, flush } => {
                    let arithmetic = Native { wide: *wide, fused: *fused, flush: *flush };
                    arithmetic.add(children, *descending, &sums, a, b)?
                }
                Additions::Narrow(operator) => {
                    let factors = |leaf: usize| (a[leaf] as f32, b[leaf] as f32);
                    let multiply_add = |leaf: usize, c: f32| {
                        let (x, y) = factors(leaf);
                        operator.multiply_add(x, y, c)
                    };
                    let sum = match children[..] {
                        [Child::Leaf(i), Child::Leaf(j)] => multiply_add(j, multiply_add(i, 0.0)),
                        [Child::Leaf(i), Child::Node(node)] | [Child::Node(node), Child::Leaf(i)] => {
                            multiply_add(i, sums[node] as f32)
                        }
                        [Child::Node(x), Child::Node(y)] => {
                            reference::accumulate(operator, sums[x], sums[y] as f32)
                        }
                        _ => return None,
                    };
                    sum.into()
                }
                Additions::Steps(mode) => self.step(mode, children, &sums, a, b)?,
            };
            sums.push(sum);
        }
        sums.last().copied()
    }

    /// A node whose products are those of a unit's step.
    fn step(&self, mode: &Mode, children: &[Child], sums: &[f64], a: &[f64], b: &[f64]) -> Option<f64> {
        let leaves: Vec<usize> = children
            .iter()
            .filter_map(|child| match *child {
                Child::Leaf(leaf) => Some(leaf),
                Child::Node(_) => None,
            })
            .collect();
        let nodes: Vec<f64> = children
            .iter()
            .filter_map(|child| match *child {
                Child::Node(node) => Some(sums[node]),
                Child::Leaf(_) => None,
            })
            .collect();
        let c = match nodes[..] {
            [] => 0.0,
            [c] => c,
            [x, y] if leaves.is_empty() => return Some(f64::from(x as f32 + y as f32)),
            _ => return None,
        };
        let format = self.input.format;
        let codes = |operand: &[f64]| -> Vec<u64> {
            leaves.iter().map(|&leaf| encode(format, operand[leaf])).collect()
        };
        let (a, b) = (codes(a), codes(b));
        let accumulator = mode.accumulator();
        let sum = mode.dot(Codes { format, codes: &a }, Codes { format, codes: &b }, encode(accumulator, c));
        let element = if mode.result.format == "f16" { ResultType::F16 } else { ResultType::F32 };
        matches!(mode.step, Step::Aligned { .. } | Step::Late { .. } | Step::Exact)
            .then(|| element.value(sum))
    }
}

/// The code of a number in a format, to nearest even.
fn encode(format: Format, x: f64) -> u64 {
    project(format, Value::from_f64(x), Projection::default()).code
}

/// Binary32 or binary64 to nearest even.
struct Native {
    wide: bool,
    fused: bool,
    flush: bool,
}

impl Native {
    fn flushed(&self, x: f64) -> f64 {
        if self.flush && x.abs() < power(-126) { 0.0f64.copysign(x) } else { x }
    }

    fn sum(&self, x: f64, y: f64) -> f64 {
        self.flushed(if self.wide { x + y } else { f64::from(x as f32 + y as f32) })
    }

    fn product(&self, x: f64, y: f64) -> f64 {
        let (x, y) = (self.flushed(x), self.flushed(y));
        self.flushed(if self.wide { x * y } else { f64::from(x as f32 * y as f32) })
    }

    /// c + x · y.
    fn multiply_add(&self, x: f64, y: f64, c: f64) -> f64 {
        if !self.fused {
            return self.sum(c, self.product(x, y));
        }
        let (x, y) = (self.flushed(x), self.flushed(y));
        self.flushed(match self.wide {
            true => x.mul_add(y, c),
            false => f64::from((x as f32).mul_add(y as f32, c as f32)),
        })
    }

    /// The sum of a node's children; `None` if there are more than two.
    fn add(&self, children: &[Child], descending: bool, sums: &[f64], a: &[f64], b: &[f64]) -> Option<f64> {
        Some(match children {
            &[Child::Leaf(i), Child::Leaf(j)] => {
                let (first, second) = if descending { (j, i) } else { (i, j) };
                self.multiply_add(a[second], b[second], self.product(a[first], b[first]))
            }
            &[Child::Leaf(leaf), Child::Node(node)] | &[Child::Node(node), Child::Leaf(leaf)] => {
                self.multiply_add(a[leaf], b[leaf], sums[node])
            }
            &[Child::Node(x), Child::Node(y)] => self.sum(sums[x], sums[y]),
            _ => return None,
        })
    }
}
