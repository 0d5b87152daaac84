//! Dot and matrix products against plain loops over the scalar operator, in every order, on every leg.

use binade::Operator;
use binade::philox::Stream;
use binade_fma::{Matrix, MatrixMut, Multiplier, Offsets, Order, reference};
use binade_simd::Isa;

/// The operators of the paper, then pairs of formats for every rule that there is.
const OPERATORS: &[&str] = &[
    "bf16:bf16",
    "bf16:bf16x2",
    "bf16:bf16x3",
    "bf16x2:bf16x2/3",
    "bf16x2:bf16x2/4",
    "bf16x3:bf16x3/6",
    "bf16x3:bf16x3/9",
    "f32:f32",
    "bf16:f32",
    "float8_e4m3fn:f32",
    "float8_e4m3fn:bf16",
    "float8_e5m2:bf16",
    "float8_e5m2:f16",
    "f16:f16",
    "bf16:f16",
    "f32:bf16",
    "binary8p3se:binary16p11se",
    "cfloat8_1_4_3@bias=10:bf16",
    "float8_e4m3fnuz:float8_e4m3fn",
];

/// Operators with a slower kernel, or only the scalar definition.
const SLOW: &[&str] = &[
    "bf16:bf16+exact",
    "bf16:bf16x2+exact",
    "bf16:bf16x2+listing",
    "bf16x2:bf16x2/3+listing",
    "bf16x3:bf16x3/6+listing",
    "bf16:bf16+flush",
    "bf16x2:bf16x2/4+flush",
    "bf16x3:bf16x3/9+exact+flush",
    "bf16:cfloat8_1_4_3@bias=10",
    "bf16:cfloat8_1_5_2@bias=20,subnormals=ieee",
    "float8_e4m3fn:uhp",
    "f16:f64",
    "tf32:tf32",
    "bf16:tf32",
    "float8_e4m3fn:binary16p8se",
    "f32:custom@width=32,precision=24,bias=127,infinities=no,nan=none,negative_zero=yes",
    "float8_e5m2:custom@width=20,precision=12,bias=127,infinities=no,nan=all_ones,negative_zero=yes,subnormals=flush",
    "f32:custom@width=31,precision=23,bias=130,infinities=yes,nan=ieee,negative_zero=yes",
    "bf16:custom@width=24,precision=14,bias=500,infinities=yes,nan=ieee,negative_zero=yes",
    "f64:f64",
];

const ORDERS: &[&str] = &[
    "sequential",
    "pairwise",
    "blocked:1",
    "blocked:7",
    "blocked:32",
    "lanes:1",
    "lanes:3",
    "lanes:16",
    "blocked:600",
    "aligned:16,14",
    "aligned:4,25",
    "aligned:5,3",
    "aligned:16,64",
    "exact",
];

/// Random numbers for tests.
trait Numbers {
    fn number(&mut self, kind: usize) -> f32;
    fn numbers(&mut self, count: usize, kind: usize) -> Vec<f32>;
}

impl Numbers for Stream {
    /// A number of a kind: kinds cover the cases that a guard distinguishes, and numbers that are hard for some
    /// operator.
    fn number(&mut self, kind: usize) -> f32 {
        let unit = self.unit();
        let scaled = |exponent: i32| (unit as f64 * 2f64.powi(exponent)) as f32;
        match kind {
            0 => unit,
            1 => f32::from_bits(self.word()),
            2 => scaled(self.below(40) as i32 - 20),
            3 => scaled(self.below(60) as i32 - 90),
            4 => (self.below(17) as f32 - 8.0) * 0.125,
            5 if self.below(5) == 0 => [0.0, -0.0][self.below(2)],
            // Midpoints of BF16 numbers, and their neighbours.
            5 => f32::from_bits(
                (self.word() & 0xbfff_8000 | 0x3f00_0000).wrapping_add(self.below(3) as u32).wrapping_sub(1),
            ),
            6 => scaled(62 + 2 * self.below(2) as i32),
            7 if self.below(64) == 0 => [
                f32::NAN,
                f32::INFINITY,
                f32::NEG_INFINITY,
                f32::from_bits(0x7fff_ffff),
                f32::from_bits(0xff80_0001),
                f32::MAX,
            ][self.below(6)],
            8 => scaled(-63),
            9 => scaled(-52),
            10 => scaled(-104),
            11 => scaled(50),
            12 => scaled(-37),
            13 => scaled(-138),
            // BF16x2 sums that are midpoints, where splitting again splits differently; spread so that sums are
            // inexact.
            14 => {
                let odd = f32::from_bits((self.word() & 0x807f_0000) | 0x3f81_7fc0 | (self.word() & 0x3f));
                odd * 2f32.powi(self.below(48) as i32 - 24)
            }
            // Sums that cross BF16's overflow limit back and forth; for C, numbers just below it.
            15 => scaled_sign(unit, 63 - [0, 4, 8, 9, 12][self.below(5)]),
            16 => f32::from_bits(self.word() & 1 << 31 | (0x7f7f_7f00 + self.word() % 0x100)),
            _ => unit,
        }
    }

    fn numbers(&mut self, count: usize, kind: usize) -> Vec<f32> {
        (0..count).map(|_| self.number(kind)).collect()
    }
}

const KINDS: usize = 16;

/// ±2^exponent with a number's sign.
fn scaled_sign(x: f32, exponent: i32) -> f32 {
    2f32.powi(exponent).copysign(x)
}

fn same(x: f32, y: f32) -> bool {
    x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
}

/// A problem: shape, strides and data.
struct Case {
    shape: (usize, usize, usize),
    a: Vec<f32>,
    b: Vec<f32>,
    c: Vec<f32>,
    kind: usize,
    transposed: (bool, bool),
}

impl Case {
    fn new(random: &mut Stream, shape: (usize, usize, usize), kind: usize) -> Case {
        let (m, n, k) = shape;
        let c_kind = if kind == 15 { 16 } else { [kind, 0, 14, 4][random.below(4)] };
        let b_kind = match kind {
            10 => 11,
            13 => 0,
            other => other,
        };
        let mut c = random.numbers(m * (n + 2), c_kind);
        if random.below(3) == 0 {
            c.fill([0.0, -0.0][random.below(2)]);
        }
        Case {
            shape,
            a: random.numbers(m * k, kind),
            b: random.numbers(k * n, b_kind),
            c,
            kind,
            transposed: (random.below(2) == 0, random.below(2) == 0),
        }
    }

    fn a(&self) -> Matrix<'_> {
        let (m, _, k) = self.shape;
        if self.transposed.0 {
            Matrix::new(&self.a, k, m).unwrap().transposed()
        } else {
            Matrix::new(&self.a, m, k).unwrap()
        }
    }

    fn b(&self) -> Matrix<'_> {
        let (_, n, k) = self.shape;
        if self.transposed.1 {
            Matrix::new(&self.b, n, k).unwrap().transposed()
        } else {
            Matrix::new(&self.b, k, n).unwrap()
        }
    }

    /// Runs with a gap of two elements after each row of C, which must stay unchanged.
    fn run(&self, work: impl FnOnce(Matrix, Matrix, MatrixMut)) -> Vec<f32> {
        let (m, n, _) = self.shape;
        let mut c = self.c.clone();
        work(self.a(), self.b(), MatrixMut::with_strides(&mut c, m, n, n + 2, 1).unwrap());
        c
    }

    /// The problem of some rows of A and some columns of B.
    fn part(&self, rows: &[usize], columns: &[usize]) -> Case {
        let (m, n, k) = self.shape;
        let of_a =
            |row: usize, depth| self.a[if self.transposed.0 { depth * m + row } else { row * k + depth }];
        let of_b =
            |depth, column| self.b[if self.transposed.1 { column * k + depth } else { depth * n + column }];
        let gap = [0.0; 2];
        Case {
            shape: (rows.len(), columns.len(), k),
            a: rows.iter().flat_map(|&row| (0..k).map(move |depth| of_a(row, depth))).collect(),
            b: (0..k).flat_map(|depth| columns.iter().map(move |&column| of_b(depth, column))).collect(),
            c: (rows.iter())
                .flat_map(|&row| columns.iter().map(move |&column| self.c[row * (n + 2) + column]).chain(gap))
                .collect(),
            kind: self.kind,
            transposed: (false, false),
        }
    }

    /// Compares all elements with the reference.
    fn check(&self, operator: &Operator, order: Order, legs: &[Isa]) {
        let (m, n, _) = self.shape;
        let [rows, columns] = [m, n].map(|count| (0..count).collect::<Vec<_>>());
        self.check_sample(operator, order, legs, &rows, &columns);
    }

    /// Compares the elements in these rows and columns with the reference, and all others with those of the first leg. The exact
    /// reference takes most of the time.
    fn check_sample(
        &self,
        operator: &Operator,
        order: Order,
        legs: &[Isa],
        rows: &[usize],
        columns: &[usize],
    ) {
        let (_, n, _) = self.shape;
        let exact =
            self.part(rows, columns).run(|a, b, c| reference::gemm(operator, order, a, b, c).unwrap());
        let mut wanted: Vec<Option<f32>> =
            self.c.iter().enumerate().map(|(at, &c)| (at % (n + 2) >= n).then_some(c)).collect();
        for (row, exact) in rows.iter().zip(exact.chunks(columns.len() + 2)) {
            for (column, &exact) in columns.iter().zip(exact) {
                wanted[row * (n + 2) + column] = Some(exact);
            }
        }
        let mut has_slow = false;
        for &isa in legs {
            // Legs without vector code take the scalar definition: one of them is enough.
            let is_slow = !Multiplier::new(operator.clone(), order).unwrap().with_isa(isa).is_fast();
            if is_slow && has_slow {
                continue;
            }
            has_slow |= is_slow;
            for threads in [1, 2, 3] {
                let multiplier =
                    Multiplier::new(operator.clone(), order).unwrap().with_isa(isa).with_threads(threads);
                let got = self.run(|a, b, c| multiplier.multiply(a, b, c).unwrap());
                let mut wrong =
                    (0..got.len()).filter(|&at| !same(got[at], *wanted[at].get_or_insert(got[at])));
                if let Some(at) = wrong.next() {
                    let count = 1 + wrong.count();
                    let wanted = wanted[at].unwrap_or(f32::NAN);
                    panic!(
                        "{operator} {order} on {isa}, {threads} threads, {:?}, data {}: {count} of {} wrong; C[{at}] was {:e}, is \
                         {:e} ({:#x}), should be {wanted:e} ({:#x})",
                        self.shape,
                        self.kind,
                        got.len(),
                        self.c[at],
                        got[at],
                        got[at].to_bits(),
                        wanted.to_bits()
                    );
                }
                if threads == 1 && self.shape.0 * self.shape.1 < 2000 {
                    break;
                }
            }
        }
    }
}

fn legs() -> Vec<Isa> {
    for name in Isa::names() {
        match Isa::from_name(name) {
            Ok(_) => eprintln!("leg {name}"),
            Err(error) => eprintln!("skipped: {error}"),
        }
    }
    Isa::available().collect()
}

/// Sizes that are hard to tile: nothing, one, primes, beyond every tile.
const SHAPES: &[(usize, usize, usize)] = &[
    (0, 3, 4),
    (3, 0, 4),
    (3, 4, 0),
    (1, 1, 1),
    (1, 1, 37),
    (2, 17, 1),
    (13, 33, 5),
    (15, 16, 31),
    (29, 37, 23),
];

#[test]
fn products_in_sequential_order_equal_the_reference() {
    let (legs, mut random) = (legs(), Stream::new(1));
    for text in OPERATORS {
        let operator: Operator = text.parse().unwrap();
        for kind in 0..KINDS {
            for &shape in SHAPES {
                Case::new(&mut random, shape, kind).check(&operator, Order::Sequential, &legs);
            }
        }
    }
}

/// Operands of which one has few vectors, so that the other is read in place.
#[test]
fn products_of_few_vectors_equal_the_reference() {
    let (legs, mut random) = (legs(), Stream::new(11));
    let operator: Operator = "f32:f32".parse().unwrap();
    for (few, wide, depth) in
        [(1, 100, 129), (4, 48, 128), (5, 33, 700), (16, 49, 3), (17, 200, 257), (32, 145, 40), (20, 1, 9)]
    {
        for kind in [0, 1, 7] {
            for shape in [(few, wide, depth), (wide, few, depth)] {
                for _ in 0..4 {
                    Case::new(&mut random, shape, kind).check(&operator, Order::Sequential, &legs);
                }
            }
        }
    }
}

/// Products with A's elements at offsets, contiguous or not, equal those of the matrix with these elements; the
/// operator's first factors are B's.
#[test]
fn products_at_offsets_equal_products_of_the_matrix() {
    check_offsets(&[(1, 1, 1), (23, 8, 5), (24, 16, 9), (250, 40, 3)]);
}

/// Products with more multiply-adds. A sample of their elements, another one in each product, is compared with the exact reference.
#[test]
fn products_at_many_offsets_equal_products_of_the_matrix() {
    check_offsets(&[(49, 33, 130), (13, 70, 261)]);
}

/// The first and the last of `count` places and seven between them; all places if they are few.
fn sample(random: &mut Stream, count: usize, is_whole: bool) -> Vec<usize> {
    match is_whole {
        true => (0..count).collect(),
        false => [0, count - 1].into_iter().chain((0..7).map(|_| random.below(count))).collect(),
    }
}

fn check_offsets(shapes: &[(usize, usize, usize)]) {
    let (legs, mut random) = (legs(), Stream::new(13));
    let data = random.numbers(900, 0);
    for text in ["f32:f32", "bf16:bf16", "bf16x2:bf16x2/4", "bf16x3:bf16x3/6", "float8_e4m3fn:f16"] {
        let operator: Operator = text.parse().unwrap();
        for &(m, n, k) in shapes {
            for (apart, run) in [(1, 17), (1, 5), (1, 3), (3, 17)] {
                let rows: Vec<usize> = (0..m).map(|row| row / run * 20 % 500 + row % run * apart).collect();
                let depths: Vec<usize> = (0..k).map(|depth| depth * 31 % 340).collect();
                let (b, c) = (random.numbers(k * n, 0), random.numbers(m * n, 0));
                let a = Offsets { data: &data, rows: &rows, depths: &depths };
                let is_whole = m * n * k < 100_000;
                let [some, across] = [m, n].map(|count| sample(&mut random, count, is_whole));
                let starts: Vec<usize> = some.iter().map(|i| rows[*i]).collect();
                let element = |at: usize| data[at];
                // The transposed product, in which the operator's first factors are B's.
                let left: Vec<f32> = across.iter().flat_map(|j| b[*j..].iter().step_by(n).copied()).collect();
                let right: Vec<f32> = depths
                    .iter()
                    .flat_map(|depth| starts.iter().map(move |start| element(start + depth)))
                    .collect();
                for (order, fresh) in [("sequential", false), ("sequential", true), ("pairwise", false)] {
                    let order: Order = order.parse().unwrap();
                    let before = |i: usize, j: usize| if fresh { 0.0 } else { c[i * n + j] };
                    let mut exact: Vec<f32> =
                        across.iter().flat_map(|&j| some.iter().map(move |&i| before(i, j))).collect();
                    let target = MatrixMut::new(&mut exact, across.len(), some.len()).unwrap();
                    let [left, right] =
                        [Matrix::new(&left, across.len(), k), Matrix::new(&right, k, some.len())]
                            .map(Result::unwrap);
                    reference::gemm(&operator, order, left, right, target).unwrap();
                    // All other elements have the bits of the first leg.
                    let mut wanted: Vec<Option<f32>> = vec![None; m * n];
                    for (&j, exact) in across.iter().zip(exact.chunks(some.len())) {
                        some.iter().zip(exact).for_each(|(i, &exact)| wanted[i * n + j] = Some(exact));
                    }
                    for (&isa, threads) in legs.iter().flat_map(|isa| [(isa, 1), (isa, 2)]) {
                        let multiplier = Multiplier::new(operator.clone(), order).unwrap();
                        let multiplier = multiplier.with_isa(isa).with_threads(threads);
                        let mut got = c.clone();
                        match fresh {
                            true => multiplier.product_offsets(a, &b, n, &mut got).unwrap(),
                            false => multiplier.multiply_offsets(a, &b, n, &mut got).unwrap(),
                        }
                        for (at, (&got, wanted)) in got.iter().zip(&mut wanted).enumerate() {
                            let wanted = *wanted.get_or_insert(got);
                            assert!(
                                same(got, wanted),
                                "{text} {order} {isa} {m} {n} {k} {at}: {got} {wanted}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn offsets_out_of_range_are_errors_and_no_offsets_are_no_work() {
    let data = Stream::new(13).numbers(900, 0);
    let mut c = [1.0; 2];
    let multiplier = Multiplier::new("bf16:bf16".parse().unwrap(), Order::Sequential).unwrap();
    let nothing = Offsets { data: &data, rows: &[0, 1], depths: &[] };
    multiplier.multiply_offsets(nothing, &[], 1, &mut c).unwrap();
    assert_eq!(c, [1.0; 2]);
    multiplier.product_offsets(nothing, &[], 1, &mut c).unwrap();
    assert_eq!(c, [0.0; 2]);
    // Beyond the data, and sizes that do not fit.
    let multiplier = Multiplier::new("f32:f32".parse().unwrap(), Order::Sequential).unwrap();
    let a = Offsets { data: &data, rows: &[0, 500], depths: &[400] };
    let mut c = [0.0; 4];
    assert!(multiplier.multiply_offsets(a, &[1.0; 2], 2, &mut c).is_err());
    let a = Offsets { data: &data, rows: &[0, 499], depths: &[400] };
    assert!(multiplier.multiply_offsets(a, &[1.0; 2], 2, &mut c).is_ok());
    assert!(multiplier.multiply_offsets(a, &[1.0; 3], 2, &mut c).is_err());
    assert!(multiplier.multiply_offsets(a, &[1.0; 2], 2, &mut c[..3]).is_err());
}

/// A product equals the sum with +0, for any previous content of C.
#[test]
fn products_equal_sums_from_zero() {
    let (legs, mut random) = (legs(), Stream::new(12));
    for text in OPERATORS {
        let operator: Operator = text.parse().unwrap();
        for order in ORDERS {
            let order: Order = order.parse().unwrap();
            if Multiplier::new(operator.clone(), order).is_err() {
                continue;
            }
            for shape in [(2, 3, 0), (1, 17, 5), (33, 40, 9), (2, 3, 600)] {
                let (m, n, _) = shape;
                let mut case = Case::new(&mut random, shape, 0);
                let before = std::mem::replace(&mut case.c, vec![0.0; m * (n + 2)]);
                let wanted = case.run(|a, b, c| reference::gemm(&operator, order, a, b, c).unwrap());
                case.c = before;
                for &isa in &legs {
                    let multiplier = Multiplier::new(operator.clone(), order).unwrap().with_isa(isa);
                    let got = case.run(|a, b, c| multiplier.product(a, b, c).unwrap());
                    for (at, (&got, &wanted)) in got.iter().zip(&wanted).enumerate() {
                        let gap = at % (n + 2) >= n;
                        let wanted = if gap { case.c[at] } else { wanted };
                        assert!(same(got, wanted), "{operator} {order} {isa} {shape:?} {at}: {got} {wanted}");
                    }
                }
            }
        }
    }
}

/// The operators of BF16 parts that keep more than one part.
const PARTS: &[&str] = &[
    "bf16:bf16x2",
    "bf16:bf16x3",
    "bf16x2:bf16x2/3",
    "bf16x2:bf16x2/4",
    "bf16x3:bf16x3/6",
    "bf16x3:bf16x3/9",
];

/// Multiples of BF16's least number q = 2^−133, with products near half of it or far below. Sums are about where parts
/// are no longer multiples of q, or grow there.
#[test]
fn products_near_the_least_bf16_number_equal_the_reference() {
    const Q: f64 = f32::from_bits(1 << 16) as f64;
    let (legs, mut random) = (legs(), Stream::new(7));
    // Exponents about which C lies; `None` is zeros.
    let scales = [-149, -133, -126, -125, -123, -119, -118, -117, -116, -113, -112, -111, -110, -109, -108];
    for text in PARTS {
        let operator: Operator = text.parse().unwrap();
        for round in 0..4 * (scales.len() + 1) {
            let scale = scales.get(round % (scales.len() + 1));
            let same_sign = random.below(3) == 0;
            let shape = [(1, 1, 1), (9, 49, 2), (17, 50, 39), (3, 17, 130), (2, 33, 1100)][random.below(5)];
            let (m, n, k) = shape;
            let sign = |random: &mut Stream| if same_sign { 1.0 } else { [1.0, -1.0][random.below(2)] };
            let a = (0..m * k).map(|_| (random.below(40) as f64 * Q * sign(&mut random)) as f32).collect();
            let b = (0..k * n)
                .map(|_| {
                    let factor = match random.below(6) {
                        0 => 2f64.powi(-(random.below(34) as i32)),
                        // 17 · 241 = 4097.
                        1 => 241.0 * 2f64.powi(-9 - random.below(8) as i32),
                        2 => [0.0, 0.5, 1.0, 1.5][random.below(4)],
                        3 => random.below(256) as f64 * 2f64.powi(-8),
                        4 => random.unit() as f64 * 2.0,
                        _ => random.below(16) as f64 / 4.0,
                    };
                    (factor.abs() * sign(&mut random)) as f32
                })
                .collect();
            let c = (0..m * (n + 2))
                .map(|_| {
                    let Some(&scale) = scale else { return [0.0, -0.0][random.below(2)] };
                    let offset = [0.0, 0.5, 1.0, 1.5, 2.0, 7.25][random.below(6)] * Q;
                    let near = [1.0, 0.5, 1.0 + random.unit().abs() as f64][random.below(3)];
                    let whole = near * 2f64.powi(scale) + offset * sign(&mut random);
                    let whole = if random.below(2) == 0 { (whole / Q).round() * Q } else { whole };
                    (whole * sign(&mut random)) as f32
                })
                .collect();
            Case { shape, a, b, c, kind: 100, transposed: (false, true) }.check(
                &operator,
                Order::Sequential,
                &legs,
            );
        }
    }
}

/// Sums that grow as fast as products of these magnitudes allow, from just below 2^15 times BF16's least number.
#[test]
fn growing_tiny_sums_equal_the_reference() {
    let (legs, mut random) = (legs(), Stream::new(9));
    for text in PARTS {
        let operator: Operator = text.parse().unwrap();
        for exponent in [0, 3, 6] {
            let (m, n, k) = (2, 17, 1100);
            let a = vec![63.0 * f32::from_bits(1 << 16); m * k];
            let b = (0..k * n).map(|_| (1.9 + 0.05 * random.unit()) * 2f32.powi(exponent)).collect();
            let c = (0..m * (n + 2))
                .map(|_| (30_000 + random.below(2768)) as f32 * f32::from_bits(1 << 16))
                .collect();
            Case { shape: (m, n, k), a, b, c, kind: 102, transposed: (false, false) }.check(
                &operator,
                Order::Sequential,
                &legs,
            );
        }
    }
}

/// Second parts that are subnormal although no operand is: those of C where A is zero; elsewhere products are far
/// larger.
#[test]
fn products_with_subnormal_second_parts_equal_the_reference() {
    let (legs, mut random) = (legs(), Stream::new(10));
    for text in PARTS {
        let operator: Operator = text.parse().unwrap();
        let (m, n, k) = (9, 17, 5);
        let a =
            (0..m * k).map(|at| if at / k + 1 == m { (1.5 + random.unit()) * 2f32.powi(-38) } else { 0.0 });
        let a = a.collect();
        let b = (0..k * n).map(|_| (2.5 + random.unit()) * 2f32.powi(-44)).collect();
        let c = (0..m * (n + 2))
            .map(|_| {
                (1.0 + 2f32.powi(-9 - random.below(15) as i32)) * 2f32.powi(-110 + random.below(8) as i32)
            })
            .collect();
        Case { shape: (m, n, k), a, b, c, kind: 103, transposed: (false, false) }.check(
            &operator,
            Order::Sequential,
            &legs,
        );
    }
}

/// Sums of large numbers that go beyond BF16's largest number and back, and to zero.
#[test]
fn products_near_bf16_overflow_equal_the_reference() {
    let (legs, mut random) = (legs(), Stream::new(8));
    for text in PARTS {
        let operator: Operator = text.parse().unwrap();
        for round in 0..60 {
            let shape = [(1, 1, 2), (9, 49, 3), (17, 50, 6), (3, 17, 37), (2, 33, 515)][random.below(5)];
            let (m, n, k) = shape;
            // The largest product is 2^126, 2^127, 2^128, nearly 2^129, or 2^130.
            let (exponent, rest) = [(63, 1.0), (64, 0.5), (64, 1.0), (64, 1.39), (65, 1.0)][round % 5];
            let number = |random: &mut Stream| {
                let sign = [1.0, -1.0][random.below(2)];
                let size = match random.below(8) {
                    0 => 0.0,
                    1 => rest * 2f64.powi(-(random.below(9) as i32)),
                    2 => rest * random.unit().abs() as f64,
                    _ => rest,
                };
                (sign * size * 2f64.powi(exponent)) as f32
            };
            let a = (0..m * k).map(|_| number(&mut random)).collect();
            let b = (0..k * n).map(|_| number(&mut random)).collect();
            let c = (0..m * (n + 2))
                .map(|_| match random.below(6) {
                    0 => [0.0, -0.0][random.below(2)],
                    1 => random.number(16),
                    2 if round % 4 == 0 => random.number(7),
                    _ => {
                        let power = 2f64.powi([118, 119, 125, 126, 127][random.below(5)]);
                        ([1.0, -1.0, 1.5, -1.5][random.below(4)] * power) as f32
                    }
                })
                .collect();
            Case { shape, a, b, c, kind: 101, transposed: (false, true) }.check(
                &operator,
                Order::Sequential,
                &legs,
            );
        }
    }
}

#[test]
fn products_of_great_depth_equal_the_reference() {
    let (legs, mut random) = (legs(), Stream::new(2));
    for text in OPERATORS {
        let operator: Operator = text.parse().unwrap();
        for kind in [0, 14, 2] {
            Case::new(&mut random, (5, 19, 1100), kind).check(&operator, Order::Sequential, &legs);
        }
    }
}

#[test]
fn products_larger_than_every_tile_equal_the_reference() {
    let (legs, mut random) = (legs(), Stream::new(3));
    for text in ["bf16:bf16", "bf16x2:bf16x2/3", "float8_e4m3fn:f32"] {
        let operator: Operator = text.parse().unwrap();
        Case::new(&mut random, (211, 131, 3), 0).check(&operator, Order::Sequential, &legs);
        // A C that exceeds the second-level cache.
        Case::new(&mut random, (351, 301, 2), 0).check(&operator, Order::Sequential, &legs);
    }
}

#[test]
fn products_under_rare_operators_equal_the_reference() {
    let (legs, mut random) = (legs(), Stream::new(4));
    for text in SLOW {
        let operator: Operator = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        for kind in 0..KINDS {
            for shape in [(3, 4, 0), (1, 1, 37), (7, 19, 9)] {
                Case::new(&mut random, shape, kind).check(&operator, Order::Sequential, &legs);
            }
        }
    }
}

#[test]
fn products_in_all_orders_equal_the_reference() {
    let (legs, mut random) = (legs(), Stream::new(5));
    for order in ORDERS {
        let order: Order = order.parse().unwrap();
        for text in OPERATORS.iter().chain(SLOW) {
            let operator: Operator = text.parse().unwrap();
            for _ in 0..4 {
                let kind = random.below(KINDS);
                for shape in [(3, 4, 0), (1, 1, 1), (3, 18, 37)] {
                    Case::new(&mut random, shape, kind).check(&operator, order, &legs);
                }
            }
            let deep = Case::new(&mut random, (1, 17, 1030), 0);
            deep.check_sample(&operator, order, &legs, &[0], &[random.below(15), 15, 16]);
            // Numbers of few bits, whatever the operator could represent.
            let simple = Case::new(&mut random, (9, 18, 70), 4);
            simple.check_sample(&operator, order, &legs, &[random.below(8), 8], &(0..18).collect::<Vec<_>>());
        }
    }
}

#[test]
fn accumulators_of_binary32_exponents_have_vector_code() {
    let custom = |options: &str| format!("bf16:custom@{options}");
    let names =
        ["tf32:tf32", "bf16:tf32", "f16:f64", "f64:f64", "float8_e4m3fn:binary16p8se", "float8_e4m3fn:uhp"];
    let names = names.map(str::to_owned).into_iter().chain([
        custom("width=31,precision=23,bias=127,infinities=yes,nan=ieee"),
        custom("width=32,precision=24,bias=127"),
        custom("width=23,precision=15,bias=127,infinities=yes,nan=ieee,subnormals=flush"),
    ]);
    for name in names {
        for order in ["sequential", "blocked:32", "pairwise", "lanes:4"] {
            let multiplier = Multiplier::new(name.parse().unwrap(), order.parse().unwrap()).unwrap();
            for isa in legs() {
                assert!(multiplier.clone().with_isa(isa).is_fast(), "{name} {order} on {isa}");
                assert_eq!(multiplier.clone().with_isa(isa).slow(), None);
            }
        }
    }
    // Combinations without vector code say so.
    let slow = Multiplier::new("bf16:binary8p1se".parse().unwrap(), Order::Pairwise).unwrap().slow().unwrap();
    assert!(slow.to_string().starts_with("bf16:binary8p1se in the order pairwise has no vector code here"));
}

/// A step with b = 1 is the accumulator's addition, where x is a number that one input holds.
#[test]
fn accumulate_equals_a_step_with_a_factor_of_one() {
    let mut random = Stream::new(6);
    for text in OPERATORS.iter().chain(SLOW) {
        let operator: Operator = text.parse().unwrap();
        for round in 0..3000 {
            let kind = round % KINDS;
            let x = f32::from_bits(random.number(kind).to_bits() & 0xffe0_0000);
            let c_kind = [kind, 0, 14][random.below(3)];
            let c = random.number(c_kind);
            // Representable in 3 bits, far from the inputs' limits, and no zero product of another sign.
            if !(1e-1..3e1).contains(&x.abs()) {
                continue;
            }
            let (step, sum) =
                (operator.multiply_add(x, 1.0, c), reference::accumulate(&operator, x as f64, c));
            assert!(same(step, sum), "{text}: {x:e} + {c:e} is {sum:e}, but {step:e} by the operator");
        }
    }
}
