//! Measures the speed of every family of kernels on this machine, beside loops that only move bytes, for `binade bench`.
//!
//! Benchmarks that are compared form a group, and their measurements are interleaved: a round runs each of them once. A speed
//! is the median over rounds, and a ratio the median of the rounds' ratios. Other load on the machine thus affects both sides
//! alike.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Instant;

use binade::{Operation, Operator, Projection, Rounding, Saturation, Spec, Stochastic};
use binade_fma::{Convolution, InBlocks, Matrix, MatrixMut, Multiplier, Order, QuantizedProduct};
use binade_glob::{Glob, GlobError};
use binade_kernels::codes::Arithmetic;
use binade_kernels::{Decoder, Encoder, Rounder, floors};
use binade_page::median;
use binade_simd::Isa;
use serde::Serialize;

use crate::Error;
use crate::machine::machine;
use crate::matmul::normal;

/// Options of [`run`].
#[derive(Clone, Debug)]
pub struct Options {
    /// Globs or parts of names; all if empty.
    pub names: Vec<String>,
    /// Threads of each benchmark.
    pub threads: usize,
    /// Approximate total time of measurement.
    pub seconds: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { names: vec![], threads: 1, seconds: 5.0 }
    }
}

/// Results of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Processor, logical cores and system.
    pub machine: String,
    /// Binary32 elements copied in a second between buffers of 64 MiB, on one thread.
    pub memcpy_elements_per_s: f64,
    /// The benchmarks, floors included.
    pub results: Vec<Figure>,
}

/// The result of a benchmark.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Its name: family, formats or operator, modes, and the size of the data.
    pub name: String,
    /// The instruction set: [`Isa::name`].
    pub isa: &'static str,
    /// Number of threads.
    pub threads: usize,
    /// Speed, in elements or in multiply-adds.
    #[serde(flatten)]
    pub speed: Speed,
    /// The benchmark that it is compared with; a floor is its own.
    pub floor: String,
    /// Speed relative to the floor.
    pub ratio_to_floor: f64,
}

/// A speed.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    /// Elements converted or computed in a second.
    ElementsPerS(f64),
    /// Multiply-adds in a second.
    FmaPerS(f64),
}

/// The size of the data: in cache or in memory.
#[derive(Clone, Copy)]
struct DataSize {
    name: &'static str,
    elements: usize,
}

const DATA_SIZES: [DataSize; 2] =
    [DataSize { name: "L2", elements: 32 << 10 }, DataSize { name: "64MiB", elements: 16 << 20 }];

/// Rows, columns and depth of products.
const SIZE: usize = 512;

const ENCODED: [&str; 10] = [
    "float8_e4m3fn",
    "float8_e5m2",
    "float8_e4m3fnuz",
    "float8_e5m2fnuz",
    "binary8p3",
    "binary8p4",
    "cfloat8_1_4_3@bias=7",
    "cfloat8_1_5_2@bias=20",
    "float6_e3m2fn",
    "float4_e2m1fn",
];
const WIDE: [&str; 5] = ["f16", "bf16", "binary16p11", "shp@bias=31", "uhp"];
const STOCHASTIC: Rounding = Rounding::Stochastic { variant: Stochastic::A, bits: 32, random: 0 };

const OPERATORS: [(&str, &str); 16] = [
    ("f32:f32", "sequential"),
    ("bf16:bf16", "sequential"),
    ("bf16:bf16x2", "sequential"),
    ("bf16:bf16x3", "sequential"),
    ("bf16x2:bf16x2/3", "sequential"),
    ("bf16x2:bf16x2/4", "sequential"),
    ("bf16x3:bf16x3/6", "sequential"),
    ("bf16x3:bf16x3/9", "sequential"),
    ("bf16:f32", "sequential"),
    ("float8_e4m3fn:f32", "sequential"),
    ("float8_e4m3fn:bf16", "sequential"),
    ("float8_e4m3fn:f16", "sequential"),
    ("bf16:f32", "pairwise"),
    ("bf16:f32", "blocked:32"),
    ("float8_e4m3fn:f32", "aligned:16,14"),
    ("bf16:f32", "exact"),
];
const CONVOLVED: [&str; 3] = ["f32:f32", "bf16:f32", "bf16:bf16"];

/// Products in blocks, encoded beforehand, under f32:f32.
const BLOCKED: [(&str, &str); 7] = [
    ("mxfp8_e4m3", "sequential"),
    ("mxfp4", "sequential"),
    ("nvfp4", "sequential"),
    ("deepseek_fp8", "sequential"),
    ("mxfp8_e4m3", "aligned:32,14"),
    ("mxfp8_e4m3", "exact"),
    ("nvfp4", "exact"),
];

/// Data of a group.
#[derive(Default)]
struct Buffers {
    values: Vec<f32>,
    results: Vec<f32>,
    doubles: Vec<f64>,
    bytes: [Vec<u8>; 3],
    words: [Vec<u16>; 2],
}

/// Buffers that a group needs, and their length.
#[derive(Clone, Copy, Default)]
struct BufferSizes {
    values: usize,
    results: usize,
    doubles: usize,
    bytes: usize,
    words: usize,
}

impl Buffers {
    fn new(needs: BufferSizes) -> Buffers {
        // A few thousand different numbers suffice: no kernel depends on them.
        let base: Vec<f32> = (0..1 << 14).map(|index| normal(1, index)).collect();
        let value = |i: usize| base[i % base.len()];
        let codes = |shift: u32| (0..needs.bytes).map(|i| (value(i).to_bits() >> shift) as u8).collect();
        Buffers {
            values: (0..needs.values).map(value).collect(),
            results: vec![1.0; needs.results],
            doubles: (0..needs.doubles).map(|i| value(i) as f64 * 1.000_000_001).collect(),
            bytes: [codes(9), codes(13), vec![1; needs.bytes]],
            words: [
                (0..needs.words).map(|i| (value(i).to_bits() >> 7) as u16).collect(),
                vec![1; needs.words],
            ],
        }
    }
}

type Run = Box<dyn FnMut(&mut Buffers) -> Result<(), Error> + Send>;

/// A benchmark.
struct Benchmark {
    name: String,
    /// Name of its floor, within the group.
    floor: String,
    threads: usize,
    /// Elements or multiply-adds of a run.
    amount: f64,
    run: Run,
}

/// Benchmarks that are measured in turn.
struct Group {
    needs: BufferSizes,
    fma: bool,
    benchmarks: Vec<Benchmark>,
}

impl Group {
    fn add(
        &mut self,
        name: String,
        floor: &str,
        threads: usize,
        amount: usize,
        run: impl FnMut(&mut Buffers) -> Result<(), Error> + Send + 'static,
    ) {
        self.benchmarks.push(Benchmark {
            name,
            floor: floor.to_owned(),
            threads,
            amount: amount as f64,
            run: Box::new(run),
        });
    }

    /// Keeps the selected benchmarks and their floors.
    fn select(&mut self, wanted: &dyn Fn(&str) -> bool) {
        let floors: Vec<String> =
            self.benchmarks.iter().filter(|work| wanted(&work.name)).map(|work| work.floor.clone()).collect();
        self.benchmarks.retain(|work| wanted(&work.name) || floors.contains(&work.name));
    }
}

/// Conversions from and to binary32, for one size of data.
fn conversions(isa: Isa, place: DataSize, threads: usize) -> Result<Group, Error> {
    let DataSize { name: place, elements } = place;
    let stream = elements > 1 << 20;
    let needs =
        BufferSizes { values: elements, results: elements, bytes: elements, words: elements, doubles: 0 };
    let mut group = Group { needs, fma: false, benchmarks: vec![] };
    let at = |name: &str| format!("{name}/{place}");
    let (memcpy, memcpy_bytes) = (at("floor/memcpy"), at("floor/memcpy_bytes"));
    let (pack, pack_words) = (at("floor/pack"), at("floor/pack_words"));
    let (unpack, unpack_words) = (at("floor/unpack"), at("floor/unpack_words"));
    group.add(memcpy.clone(), &memcpy, 1, elements, |data| {
        data.results.copy_from_slice(&data.values);
        Ok(())
    });
    group.add(memcpy_bytes.clone(), &memcpy_bytes, 1, elements, |data| {
        let [from, _, to] = &mut data.bytes;
        to.copy_from_slice(from);
        Ok(())
    });
    group.add(pack.clone(), &pack, 1, elements, move |data| {
        floors::pack(isa, &data.values, &mut data.bytes[2], false);
        Ok(())
    });
    group.add(pack_words.clone(), &pack_words, 1, elements, move |data| {
        floors::pack_words(isa, &data.values, &mut data.words[1], false);
        Ok(())
    });
    group.add(unpack.clone(), &unpack, 1, elements, move |data| {
        floors::unpack(isa, &data.bytes[0], &mut data.results, stream);
        Ok(())
    });
    group.add(unpack_words.clone(), &unpack_words, 1, elements, move |data| {
        floors::unpack_words(isa, &data.words[0], &mut data.results, stream);
        Ok(())
    });

    let nearest = |name| (name, Rounding::NearestEven);
    let others = Rounding::DETERMINISTIC.into_iter().filter(|&mode| mode != Rounding::NearestEven);
    let modes = others.chain([STOCHASTIC]).map(|mode| ("float8_e4m3fn", mode));
    for (name, rounding) in ENCODED.into_iter().map(nearest).chain(modes) {
        let encoder = Encoder::new(format(name)?, rounding, Saturation::Overflow)?.with_threads(threads);
        group.add(at(&format!("encode/{name}/{}", rounding.name())), &pack, threads, elements, move |data| {
            Ok(encoder.encode_f32(&data.values, &mut data.bytes[2])?)
        });
    }
    for name in WIDE {
        let encoder =
            Encoder::new(format(name)?, Rounding::NearestEven, Saturation::Overflow)?.with_threads(threads);
        group.add(at(&format!("encode/{name}/nearest_even")), &pack_words, threads, elements, move |data| {
            Ok(encoder.encode_f32(&data.values, &mut data.words[1])?)
        });
    }
    for name in ENCODED {
        let decoder = Decoder::new(format(name)?)?.with_threads(threads);
        group.add(at(&format!("decode/{name}")), &unpack, threads, elements, move |data| {
            Ok(decoder.decode_f32(&data.bytes[0], &mut data.results)?)
        });
    }
    for name in WIDE {
        let decoder = Decoder::new(format(name)?)?.with_threads(threads);
        group.add(at(&format!("decode/{name}")), &unpack_words, threads, elements, move |data| {
            Ok(decoder.decode_f32(&data.words[0], &mut data.results)?)
        });
    }
    for name in ["float8_e4m3fn", "bf16"] {
        let rounder =
            Rounder::new(format(name)?, Rounding::NearestEven, Saturation::Overflow)?.with_threads(threads);
        group.add(at(&format!("round/{name}/nearest_even")), &memcpy, threads, elements, move |data| {
            rounder.round_in_place(&mut data.results);
            Ok(())
        });
    }
    for (operation, operands, to) in [
        (Operation::Add, &["float8_e4m3fn"; 2][..], "float8_e4m3fn"),
        (Operation::Multiply, &["float8_e4m3fn"; 2], "float8_e4m3fn"),
        (Operation::Divide, &["float8_e4m3fn"; 2], "float8_e4m3fn"),
        (Operation::Minimum, &["float8_e4m3fn"; 2], "float8_e4m3fn"),
        (Operation::Add, &["float8_e4m3fn", "float8_e5m2"], "binary8p3"),
        (Operation::Multiply, &["cfloat8_1_4_3@bias=7", "cfloat8_1_5_2@bias=20"], "cfloat8_1_5_2@bias=20"),
        (Operation::Sqrt, &["float8_e4m3fn"], "float8_e4m3fn"),
        (Operation::Exp, &["float8_e4m3fn"], "float8_e4m3fn"),
    ] {
        let sources = operands.iter().map(|name| format(name)).collect::<Result<Vec<_>, _>>()?;
        let made =
            Arithmetic::new(operation, &sources, format(to)?, Projection::default())?.with_threads(threads);
        let name = at(&format!("codes/{}/{}/{to}", operation.name(), operands.join(",")));
        let binary = operands.len() == 2;
        group.add(name, &memcpy_bytes, threads, elements, move |data| {
            let [a, b, result] = &mut data.bytes;
            let operands = [(&*a).into(), (&*b).into()];
            Ok(made.apply(&operands[..1 + binary as usize], result)?)
        });
    }
    Ok(group)
}

/// Conversions from binary64, for one size of data.
fn doubles(isa: Isa, place: DataSize, threads: usize) -> Result<Group, Error> {
    let DataSize { name: place, elements } = place;
    let needs = BufferSizes { doubles: elements, bytes: elements, ..BufferSizes::default() };
    let mut group = Group { needs, fma: false, benchmarks: vec![] };
    let floor = format!("floor/pack_f64/{place}");
    group.add(floor.clone(), &floor, 1, elements, move |data| {
        floors::pack_f64(isa, &data.doubles, &mut data.bytes[2], false);
        Ok(())
    });
    for name in ["float8_e4m3fn", "cfloat8_1_4_3@bias=7"] {
        let encoder =
            Encoder::new(format(name)?, Rounding::NearestEven, Saturation::Overflow)?.with_threads(threads);
        let work = format!("encode_f64/{name}/nearest_even/{place}");
        group.add(work, &floor, threads, elements, move |data| {
            Ok(encoder.encode_f64(&data.doubles, &mut data.bytes[2])?)
        });
    }
    Ok(group)
}

/// Products and convolutions.
fn products(threads: usize) -> Result<Group, Error> {
    // 3 × 3, 64 to 64 channels, 32 × 32.
    let shape = Convolution { padding: [(1, 1); 2], ..Convolution::new(8, 64, 64, [32, 32], [3, 3]) };
    let [input, weight, output] = shape.lengths()?;
    let square = SIZE * SIZE;
    let needs = BufferSizes {
        values: (2 * square).max(input + weight),
        results: square.max(output),
        ..BufferSizes::default()
    };
    let mut group = Group { needs, fma: true, benchmarks: vec![] };
    let floor = format!("floor/sgemm/{SIZE}");
    let product = |multiplier: Multiplier| {
        move |data: &mut Buffers| {
            let (a, b) = data.values.split_at(square);
            let (a, b) = (Matrix::new(a, SIZE, SIZE)?, Matrix::new(b, SIZE, SIZE)?);
            let c = &mut data.results[..square];
            c.fill(0.0);
            Ok(multiplier.multiply(a, b, MatrixMut::new(c, SIZE, SIZE)?)?)
        }
    };
    let fused = square * SIZE;
    group.add(floor.clone(), &floor, 1, fused, product(Multiplier::new(operator("f32:f32")?, Order::Any)?));
    for (name, order) in OPERATORS {
        let multiplier = Multiplier::new(operator(name)?, parsed(order)?)?;
        let work = format!("gemm/{name}/{order}/{SIZE}");
        group.add(work, &floor, threads, fused, product(multiplier.with_threads(threads)));
    }
    for (name, order) in BLOCKED {
        let (formats, order) = (parsed::<InBlocks>(name)?, parsed::<Order>(order)?);
        let product =
            QuantizedProduct::new(formats.quantizers(), operator("f32:f32")?, order)?.with_threads(threads);
        let mut sides = None;
        group.add(format!("blocks/{name}/{order}/{SIZE}"), &floor, threads, fused, move |data| {
            let (a, b) = match &mut sides {
                Some(sides) => sides,
                none => none.insert((
                    product.left(&data.values[..square], SIZE, 0)?,
                    product.right(&data.values[square..2 * square], SIZE, SIZE, 0)?,
                )),
            };
            Ok(product.rows(a, b, (0, SIZE), &mut data.results[..square])?)
        });
    }
    for name in CONVOLVED {
        let multiplier = Multiplier::new(operator(name)?, Order::Sequential)?.with_threads(threads);
        group.add(format!("conv/{name}/sequential"), &floor, threads, output * 64 * 9, move |data| {
            let (from, rest) = data.values.split_at(input);
            let to = &mut data.results[..output];
            to.fill(0.0);
            Ok(shape.forward(&multiplier, from, &rest[..weight], to)?)
        });
    }
    Ok(group)
}

fn format(name: &str) -> Result<binade::Format, Error> {
    Ok(name.parse::<Spec>()?.format)
}

fn operator(name: &str) -> Result<Operator, Error> {
    parsed(name)
}

fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T, Error> {
    text.parse().map_err(|error: T::Err| Error::Bench { reason: error.to_string() })
}

/// Rounds of a measurement, after a first one to warm up.
const ROUNDS: std::ops::RangeInclusive<usize> = 3..=101;
/// A shorter benchmark is repeated, so that reading the clock does not matter.
const SHORTEST: f64 = 200e-6;

/// Measures the selected benchmarks.
///
/// # Errors
/// No benchmark has a given name, or a kernel fails.
pub fn run(options: &Options) -> Result<Report, Error> {
    let patterns = options.names.iter().map(|name| Pattern::new(name)).collect::<Result<Vec<_>, Error>>()?;
    let (isa, threads) = (Isa::detect(), options.threads.max(1));
    let mut groups = vec![];
    for place in DATA_SIZES {
        groups.push(conversions(isa, place, threads)?);
        groups.push(doubles(isa, place, threads)?);
    }
    groups.push(products(threads)?);
    let known: Vec<String> =
        groups.iter().flat_map(|group| &group.benchmarks).map(|work| work.name.clone()).collect();
    for (name, pattern) in options.names.iter().zip(&patterns) {
        if !known.iter().any(|known| pattern.matches(known)) {
            let mut families: Vec<&str> = known.iter().filter_map(|name| name.split('/').next()).collect();
            families.dedup();
            families.sort_unstable();
            families.dedup();
            let reason = format!(
                "nothing is called '{name}': names are like {}, their families {}",
                known[known.len() / 2],
                families.join(", ")
            );
            return Err(Error::Bench { reason });
        }
    }
    let memcpy = format!("floor/memcpy/{}", DATA_SIZES[1].name);
    let wanted = |name: &str| {
        name == memcpy || patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(name))
    };
    groups.iter_mut().for_each(|group| group.select(&wanted));
    let benchmarks: usize = groups.iter().map(|group| group.benchmarks.len()).sum();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| Error::Threads { threads, reason: error.to_string() })?;
    let mut results = vec![];
    for group in groups.into_iter().filter(|group| !group.benchmarks.is_empty()) {
        let seconds = options.seconds * group.benchmarks.len() as f64 / benchmarks as f64;
        let mut figures = vec![];
        // Kernels use the threads of the pool that calls them.
        pool.install(|| measure(group, seconds, isa, &mut figures))?;
        results.append(&mut figures);
    }
    let copied = results.iter().find(|figure| figure.name == memcpy).map(|figure| figure.speed);
    let memcpy_elements_per_s = match copied {
        Some(Speed::ElementsPerS(speed)) => speed,
        _ => 0.0,
    };
    Ok(Report { machine: machine(), memcpy_elements_per_s, results })
}

/// Runs all benchmarks of a group in turn, for about `seconds`.
fn measure(mut group: Group, seconds: f64, isa: Isa, figures: &mut Vec<Figure>) -> Result<(), Error> {
    let mut data = Buffers::new(group.needs);
    let time = |run: &mut Run, data: &mut Buffers, repeats: u32| {
        let start = Instant::now();
        for _ in 0..repeats {
            run(data)?;
        }
        Ok::<f64, Error>(start.elapsed().as_secs_f64() / repeats as f64)
    };
    // The first run meets cold memory and builds tables; the second measures its duration.
    let mut repeats = vec![];
    let mut round = 0.0;
    for work in &mut group.benchmarks {
        time(&mut work.run, &mut data, 1)?;
        let once = time(&mut work.run, &mut data, 1)?.max(1e-9);
        let count = (SHORTEST / once).ceil().clamp(1.0, 1e6) as u32;
        round += once * count as f64;
        repeats.push(count);
    }
    let rounds = ((seconds / round) as usize).clamp(*ROUNDS.start(), *ROUNDS.end());
    let mut speeds = vec![vec![]; group.benchmarks.len()];
    for _ in 0..rounds {
        for ((work, &repeats), speeds) in group.benchmarks.iter_mut().zip(&repeats).zip(&mut speeds) {
            speeds.push(work.amount / time(&mut work.run, &mut data, repeats)?);
        }
    }
    for (work, own) in group.benchmarks.iter().zip(&speeds) {
        let floor = group.benchmarks.iter().position(|other| other.name == work.floor).unwrap_or(0);
        let speed = median(own.clone());
        figures.push(Figure {
            name: work.name.clone(),
            isa: isa.name(),
            threads: work.threads,
            speed: if group.fma { Speed::FmaPerS(speed) } else { Speed::ElementsPerS(speed) },
            floor: work.floor.clone(),
            ratio_to_floor: median(own.iter().zip(&speeds[floor]).map(|(own, floor)| own / floor).collect()),
        });
    }
    Ok(())
}

/// A glob for whole names, or a part of a name.
enum Pattern {
    Glob(Glob),
    Part(String),
}

impl Pattern {
    fn new(text: &str) -> Result<Pattern, Error> {
        if !text.contains(['*', '?', '[', '{']) {
            return Ok(Pattern::Part(text.to_owned()));
        }
        let wrong = |reason: GlobError| Error::Pattern { pattern: text.to_owned(), reason };
        Ok(Pattern::Glob(text.parse().map_err(wrong)?))
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Pattern::Glob(glob) => glob.matches(name),
            Pattern::Part(part) => name.contains(part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_run_measures_the_selected_benchmarks() {
        let names = vec!["encode/float8_e4m3fn/nearest_*/L2".to_owned(), "codes/add".to_owned()];
        let report = run(&Options { names, threads: 2, seconds: 0.01 }).unwrap();
        let found: Vec<(&str, usize)> =
            report.results.iter().map(|figure| (figure.name.as_str(), figure.threads)).collect();
        assert!(found.contains(&("encode/float8_e4m3fn/nearest_even/L2", 2)), "{found:?}");
        assert!(found.contains(&("encode/float8_e4m3fn/nearest_away/L2", 2)));
        assert!(found.contains(&("floor/pack/L2", 1)));
        assert!(found.iter().any(|(name, _)| name.starts_with("codes/add/")));
        assert!(!found.iter().any(|(name, _)| name.starts_with("gemm/") || name.starts_with("decode/")));
        assert!(report.memcpy_elements_per_s > 0.0 && !report.machine.is_empty());
        for figure in &report.results {
            let floor = report.results.iter().find(|other| other.name == figure.floor).unwrap();
            assert!(figure.ratio_to_floor > 0.0 && figure.ratio_to_floor.is_finite(), "{figure:?}");
            assert!(figure.name != floor.name || figure.ratio_to_floor == 1.0);
        }
        let json = serde_json::to_value(&report).unwrap();
        assert!(json["results"][0]["elements_per_s"].is_number());
    }

    #[test]
    fn unknown_name_is_an_error() {
        let options = Options { names: vec!["encode/flot8".to_owned()], ..Options::default() };
        let error = run(&options).unwrap_err().to_string();
        assert!(error.starts_with("nothing is called 'encode/flot8': names are like "), "{error}");
        let options = Options { names: vec!["[a".to_owned()], ..Options::default() };
        assert!(matches!(run(&options), Err(Error::Pattern { .. })));
    }

    #[test]
    fn names_are_unique() {
        let isa = Isa::detect();
        let mut names: Vec<String> = vec![];
        for place in DATA_SIZES {
            for group in [conversions(isa, place, 1).unwrap(), doubles(isa, place, 1).unwrap()] {
                names.extend(group.benchmarks.iter().map(|work| work.name.clone()));
                assert!(
                    group
                        .benchmarks
                        .iter()
                        .all(|work| group.benchmarks.iter().any(|other| other.name == work.floor))
                );
            }
        }
        names.extend(products(1).unwrap().benchmarks.into_iter().map(|work| work.name));
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
