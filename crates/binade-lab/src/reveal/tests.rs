use std::convert::Infallible;

use binade::unit::{Codes, UNITS};
use binade::{Projection, Rounding, Value, project};
use binade_fma::{Matrix, MatrixMut, Multiplier, Order as NamedOrder};

use super::probe::Random;
use super::*;
use binade::unit::Step;

/// Probes a function of a row and a column.
fn reveal_dot(input: &str, size: Size, element: ResultType, dot: impl Fn(&[f64], &[f64]) -> u64) -> Revealed {
    let options = Options { input: input.parse().unwrap(), size };
    let mut multiply = |operands: Operands<'_>| {
        let Size { rows, depth, columns } = operands.size;
        let column =
            |column: usize| -> Vec<f64> { (0..depth).map(|at| operands.b[at * columns + column]).collect() };
        let all: Vec<Vec<f64>> = (0..columns).map(column).collect();
        let rows = (0..rows).map(|row| &operands.a[row * depth..][..depth]);
        let codes = rows.flat_map(|row| all.iter().map(|column| dot(row, column)).collect::<Vec<_>>());
        Ok::<_, Infallible>(Results { element, codes: codes.collect() })
    };
    reveal(&options, &mut multiply).unwrap()
}

/// Probes one of binade's operators in an order.
fn reveal_operator(input: &str, size: Size, operator: &str, order: NamedOrder) -> Revealed {
    let multiplier = Multiplier::new(operator.parse().unwrap(), order).unwrap();
    let options = Options { input: input.parse().unwrap(), size };
    let mut multiply = |operands: Operands<'_>| {
        let Size { rows, depth, columns } = operands.size;
        let narrow = |xs: &[f64]| xs.iter().map(|&x| x as f32).collect::<Vec<f32>>();
        let (a, b) = (narrow(operands.a), narrow(operands.b));
        let mut c = vec![0.0; rows * columns];
        multiplier
            .product(
                Matrix::new(&a, rows, depth).unwrap(),
                Matrix::new(&b, depth, columns).unwrap(),
                MatrixMut::new(&mut c, rows, columns).unwrap(),
            )
            .unwrap();
        let codes = c.into_iter().map(|x| u64::from(x.to_bits())).collect();
        Ok::<_, Infallible>(Results { element: ResultType::F32, codes })
    };
    reveal(&options, &mut multiply).unwrap()
}

const SMALL: Size = Size { rows: 16, depth: 32, columns: 16 };

fn order(found: &Revealed) -> &Order {
    found.order.known().unwrap_or_else(|| panic!("{found}"))
}

fn names(found: &Revealed) -> Vec<&str> {
    found.fits.iter().map(Fit::name).collect()
}

#[test]
fn unit_of_the_catalogue_is_found() {
    for unit in UNITS {
        for mode in unit.modes {
            for input in mode.inputs {
                let result = if mode.result.format == "f16" { "/result=f16" } else { "" };
                let operator = format!("{}:{input}{result}", unit.name);
                let size = Size { depth: (3 * mode.products).max(20), ..SMALL };
                let found = reveal_operator(input, size, &operator, NamedOrder::Sequential);
                assert_eq!(
                    found.fits[0..].iter().filter(|fit| **fit == Fit::Unit(operator.clone())).count(),
                    1,
                    "{found}"
                );
                // Sums that are rounded to odd keep a trace of each product that a large one hides.
                if mode.step == Step::OddPairs {
                    assert!(matches!(found.order, Fact::Undecided(_)));
                    continue;
                }
                // Numbers of four and six bits are too near to each other to hide.
                if input.starts_with("float4") || input.starts_with("float6") {
                    assert!(matches!(found.order, Fact::Undecided(_)));
                    continue;
                }
                let fits_other = |fit: &&Fit| matches!(fit, Fit::Operator(_) | Fit::Found(_));
                // Pairs that are added, and then joined to the sum, are an order of plain additions.
                let is_plain = mode.step == Step::FusedPairs;
                assert!(is_plain || !found.fits.iter().any(|fit| fits_other(&fit)), "{found}");
                let (step, facts) = (mode.step, &found.facts);
                let fraction_bits = match step {
                    Step::Aligned { fraction_bits, .. } | Step::Late { fraction_bits, .. } => fraction_bits,
                    _ => {
                        assert_eq!(order(&found).exact, matches!(step, Step::Exact | Step::Fused), "{found}");
                        continue;
                    }
                };
                assert_eq!(order(&found).products, mode.products, "{found}");
                assert_eq!(facts.fraction_bits, Fact::Known(fraction_bits as u32), "{found}");
                assert_eq!(facts.unnormalised, Fact::Known(true));
                assert_eq!(facts.sum_bits, Fact::Known(mode.result.precision), "{found}");
                assert_eq!(facts.rounding, Fact::Known(mode.result.rounding), "{found}");
                let joined = facts.accumulator.known();
                match step {
                    Step::Late { .. } => assert!(matches!(joined, Some(Joined::Late { .. })), "{found}"),
                    _ if mode.result.format == "f16" => {}
                    _ => assert_eq!(joined, Some(&Joined::Aligned), "{found}"),
                }
            }
        }
    }
}

#[test]
fn codes_of_nan_and_flushed_numbers_are_those_of_the_unit() {
    for (name, input) in [("h100", "bf16"), ("mi250", "bf16"), ("amx", "bf16"), ("v100", "f16")] {
        let mode = binade::unit::Unit::named(name).and_then(|unit| unit.mode(input, "f32")).unwrap();
        let format = input.parse::<Spec>().unwrap().format;
        let code = |&x: &f64| project(format, Value::from_f64(x), Projection::default()).code;
        let found = reveal_dot(input, SMALL, ResultType::F32, |a, b| {
            let (a, b): (Vec<u64>, Vec<u64>) = (a.iter().map(code).collect(), b.iter().map(code).collect());
            mode.dot(Codes { format, codes: &a }, Codes { format, codes: &b }, 0)
        });
        let nan = Some(mode.nan);
        assert_eq!(found.facts.nan, Nan { of_nan: nan, of_invalid_product: nan, of_invalid_sum: nan });
        assert_eq!(found.facts.subnormal_inputs, Fact::Known(!mode.flush));
        if input == "bf16" {
            assert_eq!(found.facts.subnormal_results, Fact::Known(!mode.flush));
            assert_eq!(found.facts.overflow, Fact::Known(Overflow::Infinity));
        }
    }
}

#[test]
fn order_of_an_operator_is_found() {
    let orders = [
        ("sequential", "one after another"),
        ("pairwise", "pairwise, neighbours first"),
        ("lanes:4", "4 lanes (i mod 4), added in order; a lane is summed one after another"),
        ("lanes:5", "5 lanes (i mod 5), added in order; a lane is summed one after another"),
        ("blocked:8", "4 blocks of 8, added in order; a block is summed one after another"),
        ("blocked:5", "7 blocks of 5, added in order; a block is summed one after another"),
        ("exact", "all 32 products are added exactly, and rounded once"),
    ];
    for operator in ["f32:f32", "bf16:f32", "bf16:bf16", "f16:f32", "float8_e4m3fn:f32"] {
        for (name, words) in orders {
            let input = operator.split_once(':').unwrap().0;
            let found = reveal_operator(input, SMALL, operator, name.parse().unwrap());
            assert!(
                names(&found).contains(&format!("{operator}, {name}").as_str()),
                "{operator} {name}: {found}"
            );
            // An exact sum of FP8 does not differ from one in 24 bits by what its numbers hide.
            assert_eq!(order(&found).words, words, "{operator} {name}");
        }
    }
    let found = reveal_operator("f32", SMALL, "f32:f32", NamedOrder::Sequential);
    assert_eq!(found.facts.fused, Fact::Known(true));
    assert_eq!(found.facts.rounding, Fact::Known(Rounding::NearestEven));
    assert_eq!(found.facts.sum_bits, Fact::Known(24));
    assert_eq!(found.facts.subnormal_inputs, Fact::Known(true));
}

/// A random tree over some products, as nodes of [`Tree`]; returns the root.
fn random_tree(random: &mut Random, leaves: &[usize], most: usize, nodes: &mut Vec<Vec<Child>>) -> Child {
    if let &[leaf] = leaves {
        return Child::Leaf(leaf);
    }
    let parts = 2 + random.below(most as u64 - 1) as usize;
    let parts = parts.min(leaves.len());
    let mut cuts: Vec<usize> = (1..leaves.len()).collect();
    while cuts.len() >= parts {
        cuts.remove(random.below(cuts.len() as u64) as usize);
    }
    let bounds: Vec<usize> = std::iter::once(0).chain(cuts).chain([leaves.len()]).collect();
    let children =
        bounds.windows(2).map(|ends| random_tree(random, &leaves[ends[0]..ends[1]], most, nodes)).collect();
    nodes.push(children);
    Child::Node(nodes.len() - 1)
}

/// The sum along a tree, by recursion: two numbers are added in binary32, more are cut to 24 bits below the largest first.
fn sum_along(nodes: &[Vec<Child>], child: Child, products: &[f64]) -> f64 {
    let Child::Node(node) = child else {
        let Child::Leaf(leaf) = child else { unreachable!() };
        return products[leaf];
    };
    let terms: Vec<f64> = nodes[node].iter().map(|&child| sum_along(nodes, child, products)).collect();
    if let &[x, y] = &terms[..] {
        return f64::from((x + y) as f32);
    }
    let largest = terms.iter().fold(0.0f64, |most, term| most.max(term.abs()));
    let unit = if largest == 0.0 { 1.0 } else { 2f64.powi(largest.log2().floor() as i32 - 24) };
    f64::from((terms.iter().map(|term| (term / unit).trunc()).sum::<f64>() * unit) as f32)
}

#[test]
fn random_trees_are_found() {
    for seed in 0..60 {
        let mut random = Random(1000 + seed);
        let depth = 2 + random.below(38) as usize;
        let mut leaves: Vec<usize> = (0..depth).collect();
        // Half of the trees add neighbours only.
        if seed % 2 == 0 {
            (1..depth).for_each(|at| leaves.swap(at, random.below(at as u64 + 1) as usize));
        }
        let mut nodes = vec![];
        let root = random_tree(&mut random, &leaves, 2 + seed as usize % 4, &mut nodes);
        let size = Size { depth, ..SMALL };
        let found = reveal_dot("bf16", size, ResultType::F32, |a, b| {
            let products: Vec<f64> = a.iter().zip(b).map(|(a, b)| f64::from((a * b) as f32)).collect();
            u64::from((sum_along(&nodes, root, &products) as f32).to_bits())
        });
        assert_eq!(order(&found).tree, Tree::canonical(depth, &nodes), "seed {seed}");
        if nodes.iter().all(|children| children.len() == 2) {
            assert!(!found.fits.is_empty(), "seed {seed}: {found}");
        }
    }
}

#[test]
fn uneven_blocks_are_described() {
    let found = reveal_dot("f32", SMALL, ResultType::F32, |a, b| {
        let term = |at: usize| a[at] as f32 * b[at] as f32;
        let block = |range: std::ops::Range<usize>| range.map(term).fold(0.0, |sum: f32, term| sum + term);
        u64::from((block(0..14) + block(14..23) + block(23..32)).to_bits())
    });
    assert_eq!(
        order(&found).words,
        "3 blocks of 14, 9, 9, added in order; a block is summed one after another"
    );
}

#[test]
fn described_step_is_found() {
    for text in [
        "unit(products=4,bits=18):bf16",
        "unit(products=12,bits=26,rounding=nearest_even):bf16",
        "unit(products=7,bits=30,result_bits=20):f16",
        "unit(products=8,bits=24,accumulator=late,sum_bits=28,rounding=nearest_even):bf16",
        "unit(products=16,bits=20,result_bits=17,subnormals=flushed):bf16",
    ] {
        let input = text.rsplit_once(':').unwrap().1;
        let found = reveal_operator(input, Size { depth: 40, ..SMALL }, text, NamedOrder::Sequential);
        assert_eq!(found.fits, [Fit::Described(text.to_owned())], "{found}");
    }
}

#[test]
fn kernel_that_splits_a_unit_is_found() {
    for text in ["h100:bf16/split=3", "h100:float8_e4m3fn/promote=32", "a100:f16/promote=16"] {
        let input = text.split([':', '/']).nth(1).unwrap();
        let found = reveal_operator(input, Size { depth: 96, ..SMALL }, text, NamedOrder::Sequential);
        assert!(names(&found).contains(&text), "{found}");
    }
}

#[test]
fn narrow_results_are_rounded_at_the_end() {
    let operator: binade::Operator = "bf16:f32".parse().unwrap();
    let found = reveal_dot("bf16", SMALL, ResultType::Bf16, |a, b| {
        let sum = a.iter().zip(b).fold(0.0, |c, (&a, &b)| operator.multiply_add(a as f32, b as f32, c));
        project(binade::catalog::BF16, Value::from_f64(sum.into()), Projection::default()).code
    });
    assert_eq!(names(&found), ["bf16:f32, sequential"]);
    assert_eq!((&found.facts.sum_bits, &found.facts.result_bits), (&Fact::Known(24), &Fact::Known(8)));
}

#[test]
fn inputs_that_are_narrowed_are_noticed() {
    let found = reveal_operator("f32", SMALL, "h100:bf16", NamedOrder::Sequential);
    assert_eq!(found.narrowed_to.as_ref().map(Spec::name), Some("bf16"));
    assert!(names(&found).contains(&"h100:bf16"), "{found}");
    let found = reveal_operator("f32", SMALL, "a100:tf32", NamedOrder::Sequential);
    assert_eq!(found.narrowed_to.as_ref().map(Spec::name), Some("tf32"));
}

#[test]
fn positions_with_another_order_are_reported_and_left_out() {
    let options = Options { input: "f32".parse().unwrap(), size: SMALL };
    let mut multiply = |operands: Operands<'_>| {
        let Size { rows, depth, columns } = operands.size;
        let mut codes = vec![];
        for row in 0..rows {
            for column in 0..columns {
                let term = |at: usize| {
                    operands.a[row * depth + at] as f32 * operands.b[at * columns + column] as f32
                };
                // The last three columns are an edge, which is added backwards.
                let sum: f32 = match column < columns - 3 {
                    true => (0..depth).map(term).fold(0.0, |sum, term| sum + term),
                    false => (0..depth).rev().map(term).fold(0.0, |sum, term| sum + term),
                };
                codes.push(sum.to_bits().into());
            }
        }
        Ok::<_, Infallible>(Results { element: ResultType::F32, codes })
    };
    let found = reveal(&options, &mut multiply).unwrap();
    assert_eq!(found.positions.first, Some([0, 13]));
    assert_eq!((found.positions.differ, found.positions.columns.len()), (48, 13));
    assert_eq!(order(&found).words, "one after another");
    assert_eq!(names(&found), ["the order above, with products and sums rounded to f32"]);
    assert!(found.to_string().contains("48 of 256 add in another order"), "{found}");
}

#[test]
fn arithmetic_that_fits_nothing_names_the_nearest() {
    // Rounded upward.
    let found = reveal_dot("f32", SMALL, ResultType::F32, |a, b| {
        let sum = a.iter().zip(b).fold(0.0f64, |sum, (a, b)| {
            let exact = a * b + sum;
            let near = f64::from(exact as f32);
            if near < exact { f64::from((exact as f32).next_up()) } else { near }
        });
        u64::from((sum as f32).to_bits())
    });
    assert_eq!(found.fits, []);
    let (_, difference) = found.nearest.as_ref().unwrap();
    assert!(difference.differ > 0);
    assert!(found.conclusion().starts_with("Fits none. Nearest is "), "{found}");
    assert_eq!(found.json()["nearest"]["differ"], difference.differ + difference.low_differ);
}

#[test]
fn json_has_the_documented_keys() {
    let found = reveal_operator("bf16", SMALL, "amx:bf16", NamedOrder::Sequential);
    let json = found.json();
    assert_eq!(json["fits"][0], serde_json::json!({"kind": "unit", "name": "amx:bf16"}));
    assert_eq!(json["order"], "2 lanes (i mod 2), added together; a lane is summed one after another");
    assert!(json["tree"].as_str().unwrap().starts_with("((((((((((((((((0 2) 4) 6) 8)"), "{}", json["tree"]);
    assert!(json["undecided"]["fraction_bits"].is_string());
    assert!(json["fraction_bits"].is_null());
    let picture = found.picture().unwrap();
    assert_eq!(picture, "sum of\n  0 + 2 + 4 + 6 + … + 30\n  1 + 3 + 5 + 7 + … + 31");
}

#[test]
fn functions_that_do_not_multiply_are_errors() {
    let options = |input: &str| Options { input: input.parse().unwrap(), size: SMALL };
    let fails = |input: &str, multiply: &mut dyn FnMut(Operands<'_>) -> Result<Results, Infallible>| {
        reveal(&options(input), multiply).unwrap_err().to_string()
    };
    let of = |codes: Vec<u64>| Ok(Results { element: ResultType::F32, codes });
    let constant = fails("f32", &mut |_| of(vec![0x4040_0000; 256]));
    assert!(constant.contains("is 3.0: must be"), "{constant}");
    let short = fails("f32", &mut |_| of(vec![0; 255]));
    assert_eq!(short, "the product has 255 elements: 16x32x16 matrices must give 256");
    let unsigned = fails("float8_e8m0fnu", &mut |_| of(vec![]));
    assert!(
        unsigned.starts_with("float8_e8m0fnu cannot be probed: an input format must be signed"),
        "{unsigned}"
    );
    let mut calls = 0;
    let random = fails("f32", &mut |operands| {
        calls += 1;
        let Size { rows, depth, columns } = operands.size;
        let sum = |at: usize| -> f64 {
            let products = (0..depth)
                .map(|k| operands.a[at / columns * depth + k] * operands.b[k * columns + at % columns]);
            products.sum()
        };
        let noise = if calls > 2 { 1.0 + f64::from(calls) / 1024.0 } else { 1.0 };
        of((0..rows * columns).map(|at| u64::from(((sum(at) * noise) as f32).to_bits())).collect())
    });
    assert!(random.contains("in one run and") && random.ends_with("try one thread"), "{random}");
}

#[test]
fn sizes_parse_and_wrong_ones_are_errors() {
    assert_eq!("8x16x4".parse(), Ok(Size { rows: 8, depth: 16, columns: 4 }));
    assert_eq!("8×16×4".parse::<Size>().unwrap().to_string(), "8x16x4");
    for wrong in ["", "8", "8x16", "8x1x4", "0x16x4", "8x16x4x2", "8x5000x4", "ax16x4", "-1x2x2"] {
        let error = wrong.parse::<Size>().unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("'{wrong}' is not a size: write MxKxN, as in 64x64x64")),
            "{error}"
        );
    }
}
