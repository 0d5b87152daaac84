//! How many times as long a matrix product takes under an operator as the best native sgemm of the same run, and what
//! share of that rate a convolution reaches: `cargo bench -p binade-kernels --bench gemm [-- FILTER]`.
//!
//! Every figure is the best of the rounds, whose measurements are interleaved. Data are standard normal numbers; also
//! scaled so that A, hence all of C, is subnormal, and so that products and sums overflow. Where only the definition
//! covers such data, sixteen rows are computed, and counted as all.

use std::time::Instant;

use binade_kernels::{Convolution, Matrix, MatrixMut, Multiplier, Order};

/// What is measured: operator, order, and the ratio that is aimed at.
const WORK: &[(&str, &str, f64)] = &[
    ("f32:f32", "sequential", 1.1),
    ("bf16:bf16", "sequential", 1.8),
    ("bf16:bf16x2", "sequential", 5.0),
    ("bf16:bf16x3", "sequential", 1.1),
    ("bf16x2:bf16x2/3", "sequential", 8.5),
    ("bf16x2:bf16x2/4", "sequential", 9.0),
    ("bf16x3:bf16x3/6", "sequential", 12.5),
    ("bf16x3:bf16x3/9", "sequential", 15.5),
    ("float8_e4m3fn:f32", "sequential", 1.1),
    ("float8_e5m2:f32", "sequential", 1.1),
    ("float8_e4m3fn:bf16", "sequential", 2.2),
    ("float8_e5m2:bf16", "sequential", 2.2),
    ("float8_e4m3fn:f16", "sequential", 8.0),
    ("bf16:f16", "sequential", 8.0),
    ("f16:bf16", "sequential", 8.0),
    ("binary8p3se:binary16p11se", "sequential", 8.0),
    ("bf16:f32", "aligned:16,14", 4.0),
    ("float8_e4m3fn:f32", "aligned:16,14", 4.0),
    ("bf16:f32", "exact", 20.0),
    ("float8_e4m3fn:f32", "exact", 20.0),
    ("f32:f32", "exact", 20.0),
];

const SIZE: usize = 1024;
/// Rounds of measurements, and seconds after which an operator gets no more than the least number of them.
const ROUNDS: std::ops::RangeInclusive<usize> = 3..=7;
const SECONDS: f64 = 5.0;
/// Rows of A on which data are tried first.
const SOME: usize = 16;

type Failure = Box<dyn std::error::Error>;

/// Standard normal numbers.
struct Normal(u64);

impl Normal {
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn numbers(&mut self, count: usize, scale: f64) -> Vec<f32> {
        (0..count)
            .map(|_| {
                let (u, v) = (self.uniform(), self.uniform());
                ((-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos() * scale) as f32
            })
            .collect()
    }
}

fn seconds(work: impl FnOnce() -> Result<(), Failure>) -> Result<f64, Failure> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64())
}

/// Seconds for A · B with so many rows of A, as a part of all.
fn product(
    multiplier: &Multiplier,
    [a, b]: &[Vec<f32>; 2],
    c: &mut [f32],
    rows: usize,
) -> Result<f64, Failure> {
    let (a, b) = (Matrix::new(&a[..rows * SIZE], rows, SIZE)?, Matrix::new(b, SIZE, SIZE)?);
    let c = &mut c[..rows * SIZE];
    c.fill(0.0);
    let c = MatrixMut::new(c, rows, SIZE)?;
    Ok(seconds(|| Ok(multiplier.multiply(a, b, c)?))? * (SIZE / rows) as f64)
}

fn main() -> Result<(), Failure> {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).unwrap_or_default();
    let mut normal = Normal(88172645463325252);
    let mut matrices = |scale_a: i32, scale_b: i32| {
        let scales = [scale_a, scale_b].map(|scale| 2f64.powi(scale));
        scales.map(|scale| normal.numbers(SIZE * SIZE, scale))
    };
    let [plain, subnormal, overflow] = [matrices(0, 0), matrices(-130, 0), matrices(62, 62)];
    let mut c = vec![0.0; SIZE * SIZE];
    let native = Multiplier::new("f32:f32".parse()?, Order::Any)?;

    // 3 × 3, 64 to 64 channels, 32 × 32, batch 32.
    let shape = Convolution { padding: [(1, 1); 2], ..Convolution::new(32, 64, 64, [32, 32], [3, 3]) };
    let [input, weight, output] = shape.lengths()?.map(|length| normal.numbers(length, 1.0));
    let conv_work = (output.len() * 64 * 9) as f64 / 1e9;

    let work = (SIZE as f64).powi(3) / 1e9;
    println!(
        "{SIZE}³: G multiply-adds/s; times the native sgemm's time; times the time on normal numbers; two"
    );
    println!(
        "threads over one; convolutions (forward, input and weight gradient) as shares of the product's rate"
    );
    println!(
        "{:26} {:14} {:>5} {:>6} {:>7} {:>10} {:>9} {:>8} {:>18}",
        "operator", "order", "aim", "G/s", "normal", "subnormal", "overflow", "threads", "convolutions"
    );
    for &(operator, order, aim) in
        WORK.iter().filter(|work| format!("{} {}", work.0, work.1).contains(&filter))
    {
        let multiplier = Multiplier::new(operator.parse()?, order.parse()?)?;
        let two = multiplier.clone().with_threads(2);
        let mut best = [f64::INFINITY; 8];
        let start = Instant::now();
        for round in 0..*ROUNDS.end() {
            if round >= *ROUNDS.start() && start.elapsed().as_secs_f64() > SECONDS {
                break;
            }
            let mut sums = [output.clone(), input.clone(), weight.clone()];
            let normal = product(&multiplier, &plain, &mut c, SIZE)?;
            let mut hard = |data: &[Vec<f32>; 2]| {
                let some = product(&multiplier, data, &mut c, SOME)?;
                if some > 10.0 * normal { Ok(some) } else { product(&multiplier, data, &mut c, SIZE) }
            };
            let hard = [hard(&subnormal)?, hard(&overflow)?];
            let now = [
                product(&native, &plain, &mut c, SIZE)?,
                normal,
                hard[0],
                hard[1],
                product(&two, &plain, &mut c, SIZE)?,
                seconds(|| Ok(shape.forward(&multiplier, &input, &weight, &mut sums[0])?))?,
                seconds(|| Ok(shape.input_gradient(&multiplier, &output, &weight, &mut sums[1])?))?,
                seconds(|| Ok(shape.weight_gradient(&multiplier, &input, &output, &mut sums[2])?))?,
            ];
            for (best, now) in best.iter_mut().zip(now) {
                *best = best.min(now);
            }
        }
        let [native, plain, subnormal, overflow, two, forward, by_input, by_weight] = best;
        let share = |time: f64| conv_work / time / (work / plain) * 100.0;
        println!(
            "{operator:26} {order:14} {aim:5.1} {:6.1} {:7.2} {:10.2} {:9.2} {:8.2} {:5.0}% {:4.0}% {:4.0}%",
            work / plain,
            plain / native,
            subnormal / plain,
            overflow / plain,
            plain / two,
            share(forward),
            share(by_input),
            share(by_weight)
        );
    }
    Ok(())
}
