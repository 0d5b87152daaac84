//! Quantizers that round stochastically: no element has a bias, whatever shares its scale, and no product has one.

use binade::philox::Stream;
use binade::recipe::{NAMES, Pass, Quantizer, Recipe};
use binade_fma::{Order, QuantizedProduct, quantize};

/// Sums and squares of a number over many seeds.
#[derive(Clone, Copy, Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, x: f32) {
        let x = f64::from(x);
        (self.count, self.sum, self.squares) = (self.count + 1.0, self.sum + x, self.squares + x * x);
    }

    /// Asserts that the mean is a number within five standard errors, and a relative 2^-22 for the rounding of products of element
    /// and scales to binary32. Neighbours are at most `step` apart: a choice of small probability may not occur at all. Returns true
    /// if numbers differed.
    fn check(&self, exact: f64, step: f64, what: &str) -> bool {
        let mean = self.sum / self.count;
        let variance = (self.squares / self.count - mean * mean).max(0.0);
        let rare = 8.0 * step / self.count;
        let limit = 5.0 * (variance / self.count).sqrt() + exact.abs() * 2f64.powi(-22) + rare;
        assert!((mean - exact).abs() <= limit, "{what}: {mean} for {exact}, within {limit:e}");
        variance > (exact * 1e-6).powi(2)
    }
}

fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut random = Stream::new(seed);
    (0..count).map(|_| (random.unit() - 0.5) * [1.0, 0.1, 4.0][random.below(3)]).collect()
}

/// Every element but those that clamp: the first of each 16 is the largest of its block, and a scale that was rounded down leaves it
/// beyond the largest element.
#[test]
fn stochastic_quantizers_have_no_bias() {
    let (rows, columns) = (16, 48);
    let mut values = numbers(rows * columns, 1);
    for (at, x) in values.iter_mut().enumerate() {
        if at % 16 == 0 {
            *x = 8.0;
        }
    }
    for text in [
        "bf16",
        "float8_e4m3fn",
        "float8_e5m2/scale=tensor",
        "float8_e4m3fn/scale=row",
        "float8_e4m3fn/scale=1x16",
        "float8_e4m3fn/scale=row/scales=float8_e8m0fnu/rule=rceil",
        "mxfp8_e5m2",
        "mxfp6_e2m3@rule=rceil",
        "mxfp4@rule=rceil",
        "mxint8@rule=rceil",
        "nvfp4",
        "nvfp4/scale=16x16",
        "cfloat8_1_4_3/bias=learnt",
        "shp/bias=learnt",
    ] {
        for mode in ["stochastic", "stochastic_b", "stochastic_c", "stochastic:24"] {
            let name = format!("{text}/rounding={mode}");
            let quantizer: Quantizer = name.parse().unwrap();
            let precision = quantizer.element.unwrap().grid().precision();
            let step = 8.0 * 2f64.powi(1 - precision as i32);
            let mut means = vec![Mean::default(); values.len()];
            for seed in 0..600 {
                let found = quantize(&quantizer, &values, columns, seed).unwrap();
                means.iter_mut().zip(found).for_each(|(mean, x)| mean.add(x));
            }
            let differ = means
                .iter()
                .zip(&values)
                .filter(|(_, x)| **x != 8.0)
                .filter(|(mean, x)| mean.check(f64::from(**x), step, &format!("{name} {x}")))
                .count();
            assert!(differ > rows * columns / 2, "{name}: {differ} elements are drawn");
        }
    }
}

/// The mean of rotated elements is the rotation without rounding.
#[test]
fn stochastic_quantizers_after_a_rotation_have_no_bias() {
    let values = numbers(4 * 64, 2);
    for signs in ["", "/signs=random"] {
        let rotated = quantize(&format!("none/hadamard=16{signs}").parse().unwrap(), &values, 64, 0).unwrap();
        let name = format!("mxfp4@rule=rceil/rounding=stochastic/hadamard=16{signs}");
        let mut means = vec![Mean::default(); values.len()];
        for seed in 0..2000 {
            let found = quantize(&name.parse().unwrap(), &values, 64, seed).unwrap();
            means.iter_mut().zip(found).for_each(|(mean, x)| mean.add(x));
        }
        for (mean, exact) in means.iter().zip(rotated) {
            mean.check(f64::from(exact), 1.0, &name);
        }
    }
}

/// Products of recipes that round operands stochastically, and products with stochastic results, against the product of the means.
#[test]
fn stochastic_products_of_recipes_have_no_bias() {
    let (rows, depth, columns) = (3, 64, 2);
    let (a, b) = (numbers(rows * depth, 3), numbers(depth * columns, 4));
    let mut checked = vec![];
    for name in NAMES {
        let recipe = Recipe::named(name).unwrap();
        for pass in Pass::ALL {
            let operands = recipe.product(pass).operands.clone();
            let result = recipe.result(pass);
            if !operands.iter().any(Quantizer::is_stochastic) && !result.is_stochastic() {
                continue;
            }
            // Elements clamp under NVFP4's scale to nearest; a scale that is rounded up has none beyond the largest.
            let unclamped = |quantizer: &Quantizer| {
                let text = quantizer.to_string();
                let upward = if quantizer.blocks().is_some() { "/rule=rceil" } else { "" };
                format!("{text}{upward}").parse::<Quantizer>().unwrap()
            };
            let operands = operands.each_ref().map(unclamped);
            let product = |key| {
                let product = QuantizedProduct::new(
                    operands.clone(),
                    recipe.operator(pass).unwrap(),
                    Order::Sequential,
                );
                let product = product.unwrap().with_result(result.clone()).with_key(key);
                let (left, right) =
                    (product.left(&a, depth, 0).unwrap(), product.right(&b, depth, columns, 0).unwrap());
                let mut c = vec![0.0; rows * columns];
                product.rows(&left, &right, (0, columns), &mut c).unwrap();
                product.finish(&mut c, columns, 0).unwrap();
                c
            };
            // Operands without a stochastic rounding have one value; the mean of the others is the number.
            let exact_operand = |quantizer: &Quantizer, values: &[f32]| match quantizer.is_stochastic() {
                false => quantize(quantizer, values, depth, 0).unwrap(),
                true => {
                    let mut rotated = Quantizer::none();
                    rotated.rotation = quantizer.rotation;
                    quantize(&rotated, values, depth, 0).unwrap()
                }
            };
            let by_columns: Vec<f32> =
                (0..columns).flat_map(|column| b[column..].iter().step_by(columns).copied()).collect();
            let (left, right) = (exact_operand(&operands[0], &a), exact_operand(&operands[1], &by_columns));
            let mut means = vec![Mean::default(); rows * columns];
            for key in 0..3000 {
                means.iter_mut().zip(product(key)).for_each(|(mean, x)| mean.add(x));
            }
            for (at, mean) in means.iter().enumerate() {
                let terms = (0..depth).map(|k| {
                    f64::from(left[at / columns * depth + k]) * f64::from(right[at % columns * depth + k])
                });
                assert!(mean.check(terms.sum(), 0.0, &format!("{name} {}", pass.name())));
            }
            checked.push(name);
        }
    }
    assert_eq!(checked, ["tesla-cfloat8", "nvfp4-training", "nvfp4-training"]);
}
