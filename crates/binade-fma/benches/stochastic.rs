//! The cost of stochastic rounding over rounding to nearest, and of products under recipes over products of their codes: `cargo bench -p
//! binade-fma --bench stochastic [-- SECTION…]`. The sections are `accumulators`, `conversions` and `recipes`.
//!
//! Each round measures both sides of a ratio, one after the other, in processor time of one thread. Figures are medians of the rounds'
//! ratios, with the least and the greatest one.

mod clock;

use std::hint::black_box;

use binade::philox::Stream;
use binade::recipe::{NAMES, Pass, Recipe};
use binade::{Rounding, Saturation, Spec};
use binade_fma::{Matrix, MatrixMut, Multiplier, Order, QuantizedProduct};
use binade_kernels::Encoder;

use crate::clock::processor_time;

/// Rows, depth and columns of products.
const SIZE: usize = 512;
/// Numbers of a conversion.
const NUMBERS: usize = 1 << 20;
const ROUNDS: usize = 9;

const MODES: [&str; 4] = ["stochastic", "stochastic_b", "stochastic_c", "stochastic:8"];
/// The modes of conversions that have vector code; the others take the scalar definition.
const FAST_MODES: [&str; 3] = ["stochastic", "stochastic:8", "stochastic_b:16"];

type Failure = Box<dyn std::error::Error>;

/// The median of the rounds' ratios of two computations, with the least and the greatest ratio.
struct Ratio {
    median: f64,
    least: f64,
    greatest: f64,
}

impl Ratio {
    fn measure(
        mut one: impl FnMut() -> Result<(), Failure>,
        mut over: impl FnMut() -> Result<(), Failure>,
    ) -> Result<Ratio, Failure> {
        let time = |work: &mut dyn FnMut() -> Result<(), Failure>| -> Result<f64, Failure> {
            let start = processor_time();
            work()?;
            Ok(processor_time() - start)
        };
        one()?;
        over()?;
        let mut ratios = vec![];
        for _ in 0..ROUNDS {
            ratios.push(time(&mut one)? / time(&mut over)?);
        }
        ratios.sort_by(f64::total_cmp);
        Ok(Ratio { median: ratios[ROUNDS / 2], least: ratios[0], greatest: ratios[ROUNDS - 1] })
    }
}

impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:6.2} {:6.2} {:6.2}", self.median, self.least, self.greatest)
    }
}

/// Numbers between -1 and 1.
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut random = Stream::new(seed);
    (0..count).map(|_| random.unit() * 2.0 - 1.0).collect()
}

fn accumulators() -> Result<(), Failure> {
    println!("accumulators, products of {SIZE}^3: stochastic over nearest_even, aim 1.6");
    println!("{:<34} {:<13} median  least   most", "operator", "mode");
    let (a, b) = (numbers(SIZE * SIZE, 1), numbers(SIZE * SIZE, 2));
    for formats in
        ["bf16:bf16", "bf16:f16", "f16:f16", "float8_e4m3fn:bf16", "float8_e4m3fn:float8_e4m3fn", "f32:bf16"]
    {
        for mode in MODES {
            let product = |mode: &str| -> Result<_, Failure> {
                let operator = format!("{formats}/rounding={mode}").parse()?;
                let multiplier = Multiplier::new(operator, Order::Sequential)?;
                let (a, b) = (&a, &b);
                let mut c = vec![0.0; SIZE * SIZE];
                Ok(move || -> Result<(), Failure> {
                    let (a, b) = (Matrix::new(a, SIZE, SIZE)?, Matrix::new(b, SIZE, SIZE)?);
                    multiplier.product(a, b, MatrixMut::new(&mut c, SIZE, SIZE)?)?;
                    black_box(&c);
                    Ok(())
                })
            };
            let ratio = Ratio::measure(product(mode)?, product("nearest_even")?)?;
            println!("{formats:<34} {mode:<13} {ratio}");
        }
    }
    Ok(())
}

fn conversions() -> Result<(), Failure> {
    println!("\nconversions of {NUMBERS} binary32 numbers: stochastic over nearest_even, aim 1.6");
    println!("{:<34} {:<13} median  least   most", "format", "mode");
    let source = numbers(NUMBERS, 3);
    for name in ["float8_e4m3fn", "float8_e5m2", "float4_e2m1fn", "cfloat8_1_4_3@bias=7", "bf16", "f16"] {
        for mode in FAST_MODES {
            let encode = |mode: &str| -> Result<_, Failure> {
                let rounding: Rounding = mode.parse()?;
                let format = name.parse::<Spec>()?.format;
                let encoder = Encoder::new(format, rounding, Saturation::Overflow)?;
                let (source, narrow) = (&source, format.width() <= 8);
                let (mut bytes, mut words) = (vec![0u8; NUMBERS], vec![0u16; NUMBERS]);
                Ok(move || -> Result<(), Failure> {
                    // Ten times: a conversion takes less than a millisecond.
                    for _ in 0..10 {
                        match narrow {
                            true => encoder.encode_f32(source, &mut bytes[..])?,
                            false => encoder.encode_f32(source, &mut words[..])?,
                        };
                        black_box((&bytes, &words));
                    }
                    Ok(())
                })
            };
            let ratio = Ratio::measure(encode(mode)?, encode("nearest_even")?)?;
            println!("{name:<34} {mode:<13} {ratio}");
        }
    }
    Ok(())
}

fn recipes() -> Result<(), Failure> {
    println!(
        "\nproducts of {SIZE}^3 under recipes: with quantizers over the product of quantised operands, aim 1.3"
    );
    println!("{:<34} {:<15} median  least   most", "recipe", "pass");
    let (a, b) = (numbers(SIZE * SIZE, 4), numbers(SIZE * SIZE, 5));
    for name in NAMES {
        let recipe = Recipe::parse(name)?;
        for pass in Pass::ALL.into_iter().filter(|pass| !recipe.leaves(*pass)) {
            let product = QuantizedProduct::new(
                recipe.product(pass).operands.clone(),
                recipe.operator(pass)?,
                Order::Sequential,
            )?;
            let quantised = || -> Result<_, Failure> {
                Ok((product.left(&a, SIZE, 0)?, product.right(&b, SIZE, SIZE, 0)?))
            };
            let (left, right) = quantised()?;
            let (mut c, mut d) = (vec![0.0; SIZE * SIZE], vec![0.0; SIZE * SIZE]);
            let whole = || -> Result<(), Failure> {
                let (left, right) = quantised()?;
                product.rows(&left, &right, (0, SIZE), &mut c)?;
                black_box(&c);
                Ok(())
            };
            let of_codes = || -> Result<(), Failure> {
                product.rows(&left, &right, (0, SIZE), &mut d)?;
                black_box(&d);
                Ok(())
            };
            let ratio = Ratio::measure(whole, of_codes)?;
            println!("{name:<34} {:<15} {ratio}", pass.name());
        }
    }
    Ok(())
}

fn main() -> Result<(), Failure> {
    type Section = (&'static str, fn() -> Result<(), Failure>);
    let sections: [Section; 3] =
        [("accumulators", accumulators), ("conversions", conversions), ("recipes", recipes)];
    // Cargo passes --bench.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let Some(unknown) = wanted.iter().find(|word| sections.iter().all(|(name, _)| name != word)) {
        return Err(format!("no section {unknown}: there are accumulators, conversions and recipes").into());
    }
    for (name, section) in sections {
        if wanted.is_empty() || wanted.iter().any(|word| word == name) {
            section()?;
        }
    }
    Ok(())
}
