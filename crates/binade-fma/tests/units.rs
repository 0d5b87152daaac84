//! Matrix products on units against their definition, on every instruction set that this machine has.

use binade::philox::Stream;
use binade::unit::UNITS;
use binade::{Operator, Spec};
use binade_fma::{Matrix, MatrixMut, Multiplier, Order, reference};
use binade_simd::Isa;

/// The numbers of a test.
#[derive(Clone, Copy, Debug)]
enum Numbers {
    /// Near 1, some zeros.
    Tame,
    /// Exponents over the whole range of binary32, subnormal numbers too.
    Wide,
    /// Integers, whose sums cancel.
    Small,
    /// Wide, with infinities and NaN.
    Special,
}

fn draw(random: &mut Stream, numbers: Numbers) -> f32 {
    let sign = (random.below(2) as u32) << 31;
    let fraction = random.below(1 << 23) as u32;
    let with_exponent = |field: usize| f32::from_bits(sign | (field as u32) << 23 | fraction);
    match (numbers, random.below(12)) {
        (_, 0) => f32::from_bits(sign),
        (Numbers::Special, 1) => [f32::INFINITY, f32::NEG_INFINITY, f32::NAN][random.below(3)],
        (Numbers::Tame, _) => with_exponent(120 + random.below(10)),
        (Numbers::Small, _) => random.below(7) as f32 - 3.0,
        (Numbers::Wide | Numbers::Special, 2..6) => with_exponent(random.below(255)),
        (Numbers::Wide | Numbers::Special, 6) => with_exponent(0),
        (Numbers::Wide | Numbers::Special, _) => with_exponent(110 + random.below(34)),
    }
}

fn same(x: f32, y: f32) -> bool {
    x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
}

/// Compares a product with the definition on every leg and with one, two and three threads.
fn compare(text: &str, sizes: [usize; 3], numbers: Numbers, seed: u64) {
    let operator: Operator = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut random = Stream::new(seed);
    let [rows, columns, depth] = sizes;
    let mut matrix = |count: usize| -> Vec<f32> { (0..count).map(|_| draw(&mut random, numbers)).collect() };
    let (a, b, c) = (matrix(rows * depth), matrix(depth * columns), matrix(rows * columns));
    let of_a = Matrix::new(&a, rows, depth).unwrap();
    let of_b = Matrix::new(&b, depth, columns).unwrap();
    let mut expected = c.clone();
    let target = MatrixMut::new(&mut expected, rows, columns).unwrap();
    reference::gemm(&operator, Order::Sequential, of_a, of_b, target).unwrap();
    for (isa, threads) in Isa::available().zip((1..=3).cycle()) {
        let multiplier = Multiplier::new(operator.clone(), Order::Sequential).unwrap();
        let multiplier = multiplier.with_isa(isa).with_threads(threads);
        let mut found = c.clone();
        multiplier.multiply(of_a, of_b, MatrixMut::new(&mut found, rows, columns).unwrap()).unwrap();
        for (at, (x, y)) in found.iter().zip(&expected).enumerate() {
            assert!(
                same(*x, *y),
                "{text} {sizes:?} {numbers:?} {isa:?} seed {seed}, element {at}: {x:e}, defined as {y:e}"
            );
        }
        // From +0 on, and from columns.
        let mut fresh = vec![f32::NAN; rows * columns];
        let target = MatrixMut::with_strides(&mut fresh, rows, columns, 1, rows).unwrap();
        multiplier.product(of_a, of_b, target).unwrap();
        let mut zero = vec![0.0; rows * columns];
        multiplier.multiply(of_a, of_b, MatrixMut::new(&mut zero, rows, columns).unwrap()).unwrap();
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
            let (x, y) = (fresh[column * rows + row], zero[row * columns + column]);
            assert!(same(x, y), "{text} {sizes:?} {numbers:?} {isa:?}: {x:e} from +0, {y:e} from a C of +0");
        }
    }
}

/// Every mode of the catalogue: its text as an operator.
fn modes() -> Vec<String> {
    let mut texts = vec![];
    for unit in UNITS {
        for mode in unit.modes {
            let result = if mode.result.format == "f16" { "/result=f16" } else { "" };
            texts.extend(mode.inputs.iter().map(|input| format!("{}:{input}{result}", unit.name)));
        }
    }
    texts
}

#[test]
fn products_on_units_are_those_of_the_definition() {
    for (seed, text) in (1..).zip(modes()) {
        compare(&text, [5, 19, 77], Numbers::Tame, seed);
        compare(&text, [3, 17, 40], Numbers::Wide, seed);
        compare(&text, [6, 18, 33], Numbers::Small, seed);
        compare(&text, [4, 16, 21], Numbers::Special, seed);
    }
}

#[test]
fn long_products_on_units_are_cut_into_whole_steps() {
    for text in [
        "h100:e4m3",
        "a100:f16",
        "mi300x:e5m2fnuz",
        "amx:bf16",
        "mi250:f16",
        "v100:f16/result=f16",
        "arm-bfmmla:bf16",
        "arm-bfdot-ebf:bf16",
    ] {
        compare(text, [2, 17, 700], Numbers::Tame, 7);
        compare(text, [1, 3, 530], Numbers::Small, 8);
    }
}

#[test]
fn promoted_and_split_products_are_those_of_the_definition() {
    for text in [
        "h100:e4m3/promote=128",
        "h100:e4m3/promote=40/split=3",
        "h100:f16/split=4",
        "a100:f16/result=f16/promote=64",
        "mi300x:bf16/split=2",
        "amx:bf16/promote=96",
        "avx512-bf16:bf16/split=3",
        "arm-bfdot:bf16/promote=96",
        "arm-bfmmla-ebf:bf16/split=3",
    ] {
        for numbers in [Numbers::Tame, Numbers::Wide, Numbers::Special] {
            compare(text, [5, 18, 300], numbers, 9);
        }
    }
}

#[test]
fn described_units_are_those_of_the_definition() {
    for text in [
        "unit(products=16,bits=25):f16",
        "unit(products=3,bits=7,rounding=nearest_even):bf16",
        "unit(products=24,bits=12,result_bits=9):float8_e4m3fn*float8_e5m2",
        "unit(products=8,bits=20,accumulator=late):f16",
        "unit(products=8,bits=16,accumulator=late,sum_bits=16,rounding=nearest_even,result_bits=17):bf16",
        "unit(products=4,bits=24,least_exponent=-20,result=f16,rounding=nearest_even):f16",
        "unit(products=4,bits=40):f32",
        "unit(products=4,bits=22):f32",
        "unit(products=4,bits=22):f64",
        "unit(products=4,bits=25,subnormals=flushed):bf16",
        "unit(products=8,bits=20,subnormals=flushed):f16",
        "unit(products=4,bits=24,result=f16,rounding=nearest_even,subnormals=flushed):f16",
        "unit(products=8,bits=20,accumulator=late,subnormals=flushed):f16",
        "unit(products=8,bits=24,accumulator=late,subnormals=flushed):bf16",
        "unit(products=4,bits=22,subnormals=flushed):f32",
        "h100:f16/saturate",
        "h100:e4m3/saturate",
        "a100:tf32/saturate",
    ] {
        for numbers in [Numbers::Tame, Numbers::Wide, Numbers::Small, Numbers::Special] {
            compare(text, [3, 17, 50], numbers, 10);
        }
    }
}

/// Exact sums whose rounding hangs on their last bits: operands are few powers of two with near neighbours, so that most sums
/// cancel, tie, or lie beside a tie by a term of any exponent. Rows and columns of A and B are of one step.
#[test]
fn exact_sums_near_ties_are_those_of_the_definition() {
    for (text, products, least) in [("mi100:f16", 4, -24), ("mi100:bf16", 2, -132)] {
        let operator: Operator = text.parse().unwrap();
        for seed in 0..40 {
            let mut random = Stream::new(100 + seed);
            let [rows, columns, depth] = [8, 32, products];
            let spread = [1, 3, 14, 40][seed as usize % 4];
            let mut number = |top: i32, bits: u32| {
                let exponent = (top - random.below(spread) as i32).max(least);
                let ones = (1u64 << random.below(bits as usize)) + random.below(2) as u64;
                let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
                (sign * ones as f64 * f64::from(exponent).exp2()) as f32
            };
            let a: Vec<f32> = (0..rows * depth).map(|_| number(2, 8)).collect();
            let b: Vec<f32> = (0..depth * columns).map(|_| number(1, 8)).collect();
            let c: Vec<f32> = (0..rows * columns).map(|_| number(24 - seed as i32, 24)).collect();
            let of_a = Matrix::new(&a, rows, depth).unwrap();
            let of_b = Matrix::new(&b, depth, columns).unwrap();
            let mut expected = c.clone();
            let target = MatrixMut::new(&mut expected, rows, columns).unwrap();
            reference::gemm(&operator, Order::Sequential, of_a, of_b, target).unwrap();
            for isa in Isa::available() {
                let multiplier = Multiplier::new(operator.clone(), Order::Sequential).unwrap().with_isa(isa);
                let mut found = c.clone();
                multiplier.multiply(of_a, of_b, MatrixMut::new(&mut found, rows, columns).unwrap()).unwrap();
                let wrong = found.iter().zip(&expected).position(|(x, y)| !same(*x, *y));
                assert_eq!(wrong, None, "{text} {isa:?} seed {seed}");
            }
        }
    }
}

/// A term of 2^-48 beside products of 2^30 that cancel decides a tie of 1 + 2^-24; in bf16, a product decides far below both.
#[test]
fn smallest_term_of_an_exact_sum_decides_ties() {
    let power = |exponent: i32| f64::from(exponent).exp2() as f32;
    let above = f32::from_bits(1f32.to_bits() + 1);
    for (sign, expected) in [(1.0, above), (-1.0, 1.0), (0.0, 1.0)] {
        let of_f16 = [
            (
                [power(15), power(-24), power(15), power(-12)],
                [power(15), sign * power(-24), -power(15), power(-12)],
            ),
            (
                [power(-24), power(15), power(-12), power(15)],
                [sign * power(-24), power(15), power(-12), -power(15)],
            ),
        ];
        let of_bf16 = [([power(-12), power(-60)], [power(-12), sign * power(-60)])];
        let cases = of_f16.iter().map(|(a, b)| ("mi100:f16", &a[..], &b[..]));
        for (text, a, b) in cases.chain(of_bf16.iter().map(|(a, b)| ("mi100:bf16", &a[..], &b[..]))) {
            let operator: Operator = text.parse().unwrap();
            assert_eq!(operator.as_unit().unwrap().dot(a, b, 1.0), expected, "{text} {sign}");
            for isa in Isa::available() {
                let multiplier = Multiplier::new(operator.clone(), Order::Sequential).unwrap().with_isa(isa);
                let mut found = [1.0];
                let (of_a, of_b) = (Matrix::new(a, 1, a.len()).unwrap(), Matrix::new(b, b.len(), 1).unwrap());
                multiplier.multiply(of_a, of_b, MatrixMut::new(&mut found, 1, 1).unwrap()).unwrap();
                assert_eq!(found, [expected], "{text} {sign} {isa:?}");
            }
        }
    }
}

#[test]
fn units_refuse_orders_of_operators() {
    for order in ["pairwise", "exact", "any", "aligned:16,25", "blocked:4", "lanes:2"] {
        let error =
            Multiplier::new("h100:f16".parse().unwrap(), order.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains("h100:f16 adds products in the unit's own order"), "{error}");
        assert!(error.contains(order), "{error}");
    }
}

#[test]
fn units_with_vector_code_say_so() {
    for (text, is_fast) in [
        ("h100:e4m3", true),
        ("a100:tf32", true),
        ("mi300x:f16", true),
        ("amx:bf16", true),
        ("arm-bfdot:bf16", true),
        ("arm-bfmmla-ebf:bf16", true),
        ("arm-fp8-fdot:e4m3", false),
        ("mi100:f16", true),
        ("mi100:bf16", true),
        ("unit(products=4,bits=20,subnormals=flushed):f16", true),
        ("unit(products=4,bits=30):f16", false),
    ] {
        let multiplier = Multiplier::new(text.parse().unwrap(), Order::Sequential).unwrap();
        assert_eq!(multiplier.is_fast(), is_fast, "{text}");
    }
    assert!("tf32".parse::<Spec>().is_ok());
}
