//! Time of matrix products and convolutions under operators, relative to the best native sgemm: `cargo bench -p
//! binade-fma --bench gemm [-- FILTER]`.
//!
//! Each figure is the best of the rounds, whose measurements are interleaved. It is processor time, except with two
//! threads. Data are standard normal numbers. They are also scaled so that A, hence most of C, is subnormal, and so
//! that sums overflow or A and B fill the inputs' format. If only the scalar definition covers such data, sixteen rows
//! are computed, and the time is scaled to all rows.

mod clock;

use std::time::Instant;

use binade::philox::Stream;
use binade_fma::{Convolution, Matrix, MatrixMut, Multiplier, Order};

use crate::clock::processor_time;

/// Measurements: operator, order and target ratio. Then two exponents: one scales A to subnormal numbers of the inputs'
/// format; the other scales A and B so that sums overflow or the inputs' format is filled.
const WORK: &[(&str, &str, f64, (i32, i32))] = &[
    ("f32:f32", "sequential", 1.1, (-130, 62)),
    ("bf16:bf16", "sequential", 1.8, (-130, 62)),
    ("bf16:bf16x2", "sequential", 5.0, (-130, 62)),
    ("bf16:bf16x3", "sequential", 1.1, (-130, 62)),
    ("bf16x2:bf16x2/3", "sequential", 8.5, (-130, 62)),
    ("bf16x2:bf16x2/4", "sequential", 9.0, (-130, 62)),
    ("bf16x3:bf16x3/6", "sequential", 12.5, (-130, 62)),
    ("bf16x3:bf16x3/9", "sequential", 15.5, (-130, 62)),
    ("float8_e4m3fn:f32", "sequential", 1.1, (-8, 6)),
    ("float8_e5m2:f32", "sequential", 1.1, (-16, 13)),
    ("float8_e4m3fn:bf16", "sequential", 2.2, (-8, 6)),
    ("float8_e5m2:bf16", "sequential", 2.2, (-16, 13)),
    ("float8_e4m3fn:f16", "sequential", 8.0, (-8, 6)),
    ("bf16:f16", "sequential", 8.0, (-130, 62)),
    ("f16:bf16", "sequential", 8.0, (-16, 13)),
    ("binary8p3se:binary16p11se", "sequential", 8.0, (-16, 12)),
    ("bf16:f32", "aligned:16,14", 4.0, (-130, 62)),
    ("float8_e4m3fn:f32", "aligned:16,14", 4.0, (-8, 6)),
    ("bf16:f32", "exact", 20.0, (-130, 62)),
    ("float8_e4m3fn:f32", "exact", 20.0, (-8, 6)),
    ("f32:f32", "exact", 20.0, (-130, 62)),
];

const SIZE: usize = 1024;
/// Rounds of measurements, and seconds after which an operator gets only the least number of rounds.
const ROUNDS: std::ops::RangeInclusive<usize> = 2..=7;
const SECONDS: f64 = 4.0;
/// Rows of A on which data are tried first.
const SOME: usize = 16;

type Failure = Box<dyn std::error::Error>;

/// Standard normal numbers.
struct Normal(Stream);

impl Normal {
    fn uniform(&mut self) -> f64 {
        ((self.0.bits() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
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

/// Seconds of processor time, and of elapsed time for work on several threads.
fn seconds(work: impl FnOnce() -> Result<(), Failure>) -> Result<[f64; 2], Failure> {
    let (processor, wall) = (processor_time(), Instant::now());
    work()?;
    Ok([processor_time() - processor, wall.elapsed().as_secs_f64()])
}

/// Seconds for A · B with the first `rows` rows of A, scaled to all rows.
fn product(
    multiplier: &Multiplier,
    [a, b]: &[Vec<f32>; 2],
    c: &mut [f32],
    rows: usize,
) -> Result<[f64; 2], Failure> {
    let (a, b) = (Matrix::new(&a[..rows * SIZE], rows, SIZE)?, Matrix::new(b, SIZE, SIZE)?);
    let c = &mut c[..rows * SIZE];
    c.fill(0.0);
    let c = MatrixMut::new(c, rows, SIZE)?;
    Ok(seconds(|| Ok(multiplier.multiply(a, b, c)?))?.map(|time| time * (SIZE / rows) as f64))
}

fn main() -> Result<(), Failure> {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with("--")).unwrap_or_default();
    let mut normal = Normal(Stream::new(1));
    let plain = [(); 2].map(|()| normal.numbers(SIZE * SIZE, 1.0));
    let scaled = |[a, b]: [i32; 2]| {
        let scale = |numbers: &Vec<f32>, exponent| {
            numbers.iter().map(|&x| (x as f64 * 2f64.powi(exponent)) as f32).collect::<Vec<_>>()
        };
        [scale(&plain[0], a), scale(&plain[1], b)]
    };
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
    for &(operator, order, aim, (small, large)) in
        WORK.iter().filter(|work| format!("{} {}", work.0, work.1).contains(&filter))
    {
        let multiplier = Multiplier::new(operator.parse()?, order.parse()?)?;
        let (subnormal, overflow) = (scaled([small, 0]), scaled([large, large]));
        let two = multiplier.clone().with_threads(2);
        let mut best = [[f64::INFINITY; 2]; 8];
        let start = Instant::now();
        for round in 0..*ROUNDS.end() {
            if round >= *ROUNDS.start() && start.elapsed().as_secs_f64() > SECONDS {
                break;
            }
            let mut sums = [output.clone(), input.clone(), weight.clone()];
            let normal = product(&multiplier, &plain, &mut c, SIZE)?;
            let mut hard = |data: &[Vec<f32>; 2]| {
                let some = product(&multiplier, data, &mut c, SOME)?;
                if some[0] > 10.0 * normal[0] { Ok(some) } else { product(&multiplier, data, &mut c, SIZE) }
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
                *best = [best[0].min(now[0]), best[1].min(now[1])];
            }
        }
        let threads = best[1][1] / best[4][1];
        let [native, plain, subnormal, overflow, _, forward, by_input, by_weight] = best.map(|time| time[0]);
        let share = |time: f64| conv_work / time / (work / plain) * 100.0;
        println!(
            "{operator:26} {order:14} {aim:5.1} {:6.1} {:7.2} {:10.2} {:9.2} {:8.2} {:5.0}% {:4.0}% {:4.0}%",
            work / plain,
            plain / native,
            subnormal / plain,
            overflow / plain,
            threads,
            share(forward),
            share(by_input),
            share(by_weight)
        );
    }
    Ok(())
}
