//! This machine as a core, by a short calibration, and its predicted times beside measured ones.
//!
//! One thread is measured, in processor time, each figure as the best of three batches of runs. Other work on the machine changes its
//! speed from minute to minute, so that [`compare_in_rounds`] calibrates and measures in alternation, and takes medians.

use std::fs;
use std::time::Instant;

use binade_fma::{Matrix, MatrixMut, Multiplier, MultiplierError, Order, ShapeError};
use binade_hlo::eval::rules::Scope;
use binade_hlo::eval::{EvalError, Executable, Options};
use binade_hlo::{Data, ElementType, FloatType, Program, Tensor, Type, Value};
use serde::Serialize;
use thiserror::Error;

use crate::arithmetic::{Arithmetic, ArithmeticError};
use crate::core::{Core, CoreError, CoreText};
use crate::estimate::Estimate;
use crate::program::ProgramError;

/// The name of this machine as a core.
pub const NAME: &str = "measured";

/// A calibration or a comparison that failed.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages are those of the sources")]
pub enum MeasureError {
    #[error("cannot read the caches of this machine: {0} is missing, as outside Linux: write a core file")]
    Caches(&'static str),
    #[error("the product of the calibration: {0}")]
    Product(#[from] ShapeError),
    #[error(transparent)]
    Multiplier(#[from] MultiplierError),
    #[error(transparent)]
    Core(#[from] CoreError),
    #[error(transparent)]
    Program(#[from] ProgramError),
    #[error(transparent)]
    Arithmetic(#[from] ArithmeticError),
    #[error("{name}: {source}")]
    Run { name: String, source: Box<EvalError> },
}

/// A program's time, predicted and measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Its name.
    pub name: String,
    /// Seconds by the model.
    pub predicted: f64,
    /// Seconds of a run after others.
    pub measured: f64,
    /// The bound of most of its time by the model.
    pub bound_by: String,
}

impl Comparison {
    /// The deviation of the prediction: 0.1 if it is 10 % above the measured time.
    pub fn deviation(&self) -> f64 {
        self.predicted / self.measured - 1.0
    }
}

/// Rounds of [`compare_in_rounds`].
pub const ROUNDS: usize = 5;

/// Calibrates this machine and compares, `rounds` times. The result has the medians of predicted and measured times, and the name of the
/// last core's bound.
///
/// # Errors
/// As [`calibrate`] and [`compare`]; also if a change is of an unknown field, or a number is out of its range.
pub fn compare_in_rounds(
    programs: &[(String, Program)],
    changes: &[(String, f64)],
    rounds: usize,
) -> Result<Vec<Comparison>, MeasureError> {
    let mut all = vec![];
    for _ in 0..rounds.max(1) {
        all.push(compare(&calibrate()?.parse(changes)?, programs)?);
    }
    Ok(medians(&all))
}

/// The medians of several rounds with the same programs.
fn medians(rounds: &[Vec<Comparison>]) -> Vec<Comparison> {
    let median = |at: usize, of: fn(&Comparison) -> f64| {
        binade_page::median(rounds.iter().map(|round| of(&round[at])).collect())
    };
    let Some(last) = rounds.last() else { return vec![] };
    let of = |(at, comparison): (usize, &Comparison)| Comparison {
        predicted: median(at, |comparison| comparison.predicted),
        measured: median(at, |comparison| comparison.measured),
        ..comparison.clone()
    };
    last.iter().enumerate().map(of).collect()
}

/// The mean of the deviations' magnitudes.
pub fn mean_deviation(comparisons: &[Comparison]) -> f64 {
    comparisons.iter().map(|comparison| comparison.deviation().abs()).sum::<f64>()
        / comparisons.len().max(1) as f64
}

/// Seconds that all threads of this process were executed. Waiting for a processor does not count.
fn processor_seconds() -> Option<f64> {
    let mut total = 0.0;
    for task in fs::read_dir("/proc/self/task").ok()? {
        let text = fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        total += text.split(' ').next()?.parse::<f64>().ok()? / 1e9;
    }
    Some(total)
}

/// The time of an action: the shortest mean of three batches, each at least this long. Time is the processor's where the system tells it,
/// so that a machine with other work gives the same figures.
fn best(seconds: f64, mut action: impl FnMut()) -> f64 {
    let mut shortest = f64::INFINITY;
    for _ in 0..3 {
        let (begin, start, mut runs) = (processor_seconds(), Instant::now(), 0.0);
        let elapsed = || match (begin, processor_seconds()) {
            (Some(begin), Some(end)) => end - begin,
            _ => start.elapsed().as_secs_f64(),
        };
        let mut next = start;
        // The clock is read every few milliseconds, which is its resolution.
        loop {
            action();
            runs += 1.0;
            if next.elapsed().as_secs_f64() > 0.005 {
                if elapsed() >= seconds {
                    break;
                }
                next = Instant::now();
            }
        }
        shortest = shortest.min(elapsed() / runs);
    }
    shortest
}

/// A cache of the first processor.
struct Found {
    kib: f64,
    ways: f64,
    line: f64,
}

fn caches() -> Vec<Found> {
    let read = |index: usize, file: &str| {
        let text =
            fs::read_to_string(format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{file}")).ok()?;
        Some(text.trim().to_owned())
    };
    let found = |index: usize| {
        let kib = read(index, "size")?.strip_suffix('K')?.parse().ok()?;
        let number = |file: &str| read(index, file)?.parse().ok();
        Some(Found { kib, ways: number("ways_of_associativity")?, line: number("coherency_line_size")? })
    };
    let data = (0..8).filter(|&index| read(index, "type").is_some_and(|kind| kind != "Instruction"));
    data.filter_map(found).collect()
}

/// The seconds of an action over this many words. A short action is repeated, so that the clock does not count.
fn mean_of_repeated(words: usize, mut action: impl FnMut()) -> f64 {
    let times = ((1 << 17) / words).max(1);
    best(0.05, || (0..times).for_each(|_| action())) / times as f64
}

/// Bytes per second between registers and the first cache: those that a copy of half of its size reads and writes.
fn bandwidth_of_registers(bytes: f64) -> f64 {
    let words = ((bytes / 4.0 / 8.0) as usize).max(128);
    let (from, mut to) = (vec![1u64; words], vec![0u64; words]);
    let seconds = mean_of_repeated(words, || {
        to.copy_from_slice(std::hint::black_box(&from));
        std::hint::black_box(&mut to);
    });
    2.0 * 8.0 * words as f64 / seconds
}

/// Bytes per second that cross the edge above arrays of `bytes` bytes: a sum reads two, and fills and writes lines of the third.
fn bandwidth(bytes: f64) -> f64 {
    let length = ((bytes / 3.0 / 4.0) as usize).max(256);
    let (a, b, mut c) = (vec![1f32; length], vec![2f32; length], vec![3f32; length]);
    let seconds = mean_of_repeated(length, || {
        let (a, b) = std::hint::black_box((&a, &b));
        c.iter_mut().zip(a.iter().zip(b)).for_each(|(c, (a, b))| *c = a + b);
        std::hint::black_box(&mut c);
    });
    4.0 * 4.0 * length as f64 / seconds
}

/// Nanoseconds of a load whose address is the result of the one before, on lines in random order in `bytes` bytes. The order is random
/// within pages and of pages, so that few loads wait for the translation of an address.
fn latency(bytes: f64, line: f64) -> f64 {
    const LOADS: usize = 1 << 16;
    const PAGE: f64 = 4096.0;
    let (step, lines) = ((line / 4.0).max(1.0) as usize, (PAGE / line).max(1.0) as usize);
    let mut state = 1u64;
    let mut shuffled = |count: usize| {
        let mut order: Vec<usize> = (0..count).collect();
        for at in (1..count).rev() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            order.swap(at, (state >> 33) as usize % (at + 1));
        }
        order
    };
    let pages = shuffled(((bytes / PAGE) as usize).max(2));
    let order: Vec<usize> = pages
        .iter()
        .flat_map(|page| shuffled(lines).into_iter().map(move |at| (page * lines + at) * step))
        .collect();
    let mut next = vec![0u32; order.len() * step];
    for (at, &from) in order.iter().enumerate() {
        next[from] = order[(at + 1) % order.len()] as u32;
    }
    let mut at = 0;
    let seconds = best(0.05, || {
        for _ in 0..LOADS {
            at = next[at as usize];
        }
        at = std::hint::black_box(at);
    });
    seconds * 1e9 / LOADS as f64
}

/// Nanoseconds of a program with one small operation.
fn overhead(name: &str, operation: &str) -> Result<f64, MeasureError> {
    let ty = "tensor<8x8xf32>";
    let text = format!(
        "func.func @main(%x: {ty}, %y: {ty}) -> {ty} {{\n  %0 = stablehlo.{operation}\n  return %0 : {ty}\n}}"
    );
    let program = Program::parse(&text).expect("the program is valid");
    Ok(1e9 * measured(name, &program, 0.05)?)
}

/// Multiply-adds per second of the product kernel on small matrices.
fn peak() -> Result<f64, MeasureError> {
    const SIDE: usize = 192;
    let multiplier = Multiplier::new("f32:f32".parse().expect("binary32 is an operator"), Order::Sequential)?;
    let multiplier = multiplier.with_threads(1);
    let numbers: Vec<f32> = (0..SIDE * SIDE).map(|at| 1.0 + (at % 97) as f32 / 97.0).collect();
    let mut result = vec![0.0; SIDE * SIDE];
    let mut outcome = Ok(());
    let (a, b) = (Matrix::new(&numbers, SIDE, SIDE)?, Matrix::new(&numbers, SIDE, SIDE)?);
    let seconds = best(0.1, || {
        outcome = MatrixMut::new(&mut result, SIDE, SIDE).and_then(|c| multiplier.product(a, b, c));
    });
    outcome?;
    Ok((SIDE * SIDE * SIDE) as f64 / seconds)
}

/// The core of this machine. Rates, bandwidths, latencies and overheads are measured; widths are stated as in the text.
///
/// # Errors
/// The caches are unknown, or the product fails.
pub fn calibrate() -> Result<CoreText, MeasureError> {
    let text = fs::read_to_string("/proc/cpuinfo").map_err(|_| MeasureError::Caches("/proc/cpuinfo"))?;
    let field = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(": ")?.1.to_owned())
    };
    let processor =
        field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned()).replace(['"', '\\'], "");
    let ghz = field("cpu MHz").and_then(|text| text.parse::<f64>().ok()).unwrap_or(1000.0) / 1000.0;
    let found = caches();
    if found.is_empty() {
        return Err(MeasureError::Caches("/sys/devices/system/cpu/cpu0/cache"));
    }
    let bits = if text.contains("avx512f") { 512.0 } else { 256.0 };
    let count = peak()? / (bits / 32.0) / ghz / 1e9;
    let mut toml = format!(
        "about = \"{processor}, one thread\"\nsource = \"calibrated: rate of the product kernel, bandwidth and latency of each level, and overheads of \
         operations; issue width and reorder buffer are not measured\"\nfrequency_ghz = {ghz:.3}\n\n[units]\n# The measured rate over that of one unit.\n\
         count = {count:.3}\nvector_bits = {bits}\nregisters = 32\nmultiply_adds = {}\narea = 576\nissue_width = 4\nreorder_buffer = 224\n",
        bits / 16.0
    );
    let levels = found.len();
    for (at, Found { kib, ways, line }) in found.into_iter().enumerate() {
        // A shared last level may be larger than what a process gets.
        let kib_used = if at + 1 == levels && levels > 2 { kib.min(65536.0) } else { kib };
        let bytes = kib_used * 1024.0;
        let rate = if at == 0 { bandwidth_of_registers(bytes) } else { bandwidth(bytes / 2.0) };
        toml += &format!(
            "\n[cache.L{}]\nkib = {kib}\nways = {ways}\nline = {line}\nbytes_per_cycle = {:.2}\nlatency_cycles = {:.1}\n",
            at + 1,
            rate / ghz / 1e9,
            latency(bytes / 2.0, line) * ghz,
        );
    }
    let (memory, nanoseconds) = (bandwidth(7.5e8) / 1e9, latency(2.5e8, 64.0));
    toml += &format!("\n[memory]\ngb_per_s = {memory:.2}\nlatency_ns = {nanoseconds:.0}\n");
    let element = overhead("the smallest sum", "add %x, %y : tensor<8x8xf32>")?;
    let product = overhead(
        "the smallest product",
        "dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>",
    )?;
    toml += &format!(
        "\n[overhead]\n# The time of a program with one small operation.\noperation_ns = {element:.0}\nproduct_ns = {product:.0}\n"
    );
    Ok(CoreText::new(NAME, toml))
}

/// Programs to measure: products, convolutions and elementwise work.
///
/// # Panics
/// If a program is not valid; a test parses each.
pub fn programs() -> Vec<(String, Program)> {
    let mut texts = vec![];
    for (m, k, n) in [(64, 64, 64), (256, 256, 256), (1024, 1024, 1024), (20, 1300, 2600), (4096, 64, 64)] {
        let (a, b, c) =
            (format!("tensor<{m}x{k}xf32>"), format!("tensor<{k}x{n}xf32>"), format!("tensor<{m}x{n}xf32>"));
        texts.push((
            format!("product {m} × {k} × {n}"),
            format!(
                "func.func @main(%a: {a}, %b: {b}) -> {c} {{\n  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : \
                 ({a}, {b}) -> {c}\n  return %0 : {c}\n}}"
            ),
        ));
    }
    for (size, features, kernel, pad) in [(32, 64, 3, 1), (16, 256, 1, 0), (8, 256, 3, 1)] {
        let image = format!("tensor<8x{size}x{size}x{features}xf32>");
        let weight = format!("tensor<{kernel}x{kernel}x{features}x{features}xf32>");
        texts.push((
            format!("convolution 8 × {size}², {features} → {features}, {kernel} × {kernel}"),
            format!(
                "func.func @main(%x: {image}, %w: {weight}) -> {image} {{\n  %0 = stablehlo.convolution(%x, %w) dim_numbers = \
                 [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{pad = [[{pad}, {pad}], [{pad}, {pad}]]}} \
                 {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({image}, {weight}) -> {image}\n  \
                 return %0 : {image}\n}}"
            ),
        ));
    }
    for elements in [4096, 262_144, 16_777_216] {
        let ty = format!("tensor<{elements}xf32>");
        texts.push((
            format!("x · y + z, {elements} elements"),
            format!(
                "func.func @main(%x: {ty}, %y: {ty}, %z: {ty}) -> {ty} {{\n  %0 = stablehlo.multiply %x, %y : {ty}\n  \
                 %1 = stablehlo.add %0, %z : {ty}\n  return %1 : {ty}\n}}"
            ),
        ));
    }
    texts
        .into_iter()
        .map(|(name, text)| (name, Program::parse(&text).expect("the program is valid")))
        .collect()
}

/// Inputs of a program's types: numbers around 1, and integers 0 and 1.
fn inputs(program: &Program) -> Vec<Value> {
    let Some(&main) = program.names.get("main") else { return vec![] };
    let function = &program.functions[main];
    let value = |ty: &Type| {
        let Type::Tensor(tensor) = ty else { return Value::Token };
        let shape: Vec<usize> = tensor.shape.iter().map(|size| size.unwrap_or(1)).collect();
        let count: usize = shape.iter().product();
        let data = match &tensor.element {
            ElementType::Float(FloatType::F32) => {
                Data::F32((0..count).map(|at| 0.5 + (at * 37 % 101) as f32 / 101.0).collect())
            }
            element => zeros(element, count),
        };
        Value::Tensor(Tensor::new(tensor.element.clone(), shape, data))
    };
    function.body.parameters.iter().map(|parameter| value(&function.values[parameter.0 as usize])).collect()
}

fn zeros(element: &ElementType, count: usize) -> Data {
    let all = [
        Data::U8(vec![0; count]),
        Data::I8(vec![0; count]),
        Data::U16(vec![0; count]),
        Data::I16(vec![0; count]),
        Data::U32(vec![0; count]),
        Data::I32(vec![0; count]),
        Data::U64(vec![0; count]),
        Data::I64(vec![0; count]),
        Data::F64(vec![0.0; count]),
        Data::C64(vec![[0.0; 2]; count]),
        Data::C128(vec![[0.0; 2]; count]),
    ];
    all.into_iter().find(|data| element.is_stored_as(data)).expect("every element type has a storage")
}

/// Runs programs on one thread, and compares their times with the model's.
///
/// # Errors
/// A program cannot be estimated, or fails.
pub fn compare(core: &Core, programs: &[(String, Program)]) -> Result<Vec<Comparison>, MeasureError> {
    let plain = Core { fma_share: None, ..core.clone() };
    let mut comparisons = vec![];
    for (name, program) in programs {
        let report = Estimate::new(program, plain.clone())?
            .repeated()
            .report(&[Arithmetic::parse("f32", Scope::Paper)?])?;
        comparisons.push(Comparison {
            name: name.clone(),
            predicted: report.baseline.seconds,
            measured: measured(name, program, 0.1)?,
            bound_by: report.baseline.bound_by,
        });
    }
    Ok(comparisons)
}

/// Seconds of a program in the evaluator, on one thread: the best of three batches of this many seconds.
fn measured(name: &str, program: &Program, seconds: f64) -> Result<f64, MeasureError> {
    let failed = |source| MeasureError::Run { name: name.to_owned(), source: Box::new(source) };
    let options = Options { threads: Some(1), ..Options::default() };
    let executable = Executable::new(program, options).map_err(failed)?;
    let inputs = inputs(program);
    let mut outcome = Ok(vec![]);
    let measured = best(seconds, || outcome = executable.run("main", inputs.clone()));
    outcome.map_err(failed)?;
    Ok(measured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_run_and_have_estimates() {
        let core = Core::named("skylake").unwrap().parse(&[]).unwrap();
        let mut programs = programs();
        assert_eq!(programs.len(), 11);
        // The quick ones.
        programs.retain(|(name, _)| name.contains(" 64 × 64 × 64") || name.contains("4096 elements"));
        let comparisons = compare(&core, &programs).unwrap();
        assert_eq!(comparisons.len(), 2);
        assert!(
            comparisons.iter().all(|found| found.predicted > 0.0 && found.measured > 0.0),
            "{comparisons:?}"
        );
    }

    #[test]
    fn rounds_are_joined_by_medians() {
        let of = |predicted, measured| {
            vec![Comparison { name: "p".to_owned(), predicted, measured, bound_by: "units".to_owned() }]
        };
        let joined = medians(&[of(1.0, 5.0), of(3.0, 4.0), of(2.0, 9.0)]);
        assert_eq!(joined, of(2.0, 5.0));
        assert_eq!(medians(&[of(1.0, 5.0), of(3.0, 4.0)]), of(2.0, 4.5));
        assert_eq!(medians(&[]), []);
    }

    #[test]
    fn latency_and_bandwidth_of_the_first_cache_are_plausible() {
        // A load takes at least a cycle of a processor of 10 GHz, and less than a microsecond.
        assert!((0.1..1000.0).contains(&latency(16_384.0, 64.0)));
        assert!(bandwidth(16_384.0) > 1e7 && bandwidth_of_registers(16_384.0) > 1e7);
    }

    #[test]
    fn mean_deviation_takes_magnitudes() {
        let of =
            |predicted| Comparison { name: String::new(), predicted, measured: 2.0, bound_by: String::new() };
        assert_eq!(mean_deviation(&[of(1.0), of(3.0)]), 0.5);
    }
}
