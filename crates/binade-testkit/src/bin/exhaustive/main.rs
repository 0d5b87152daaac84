//! The complete version of what the tests sample, against the oracle, in every mode and saturation.
//!
//! It covers all operand pairs of the 8-bit formats, all operands of the formats of up to 12 bits, and many generated
//! cases. Functions that 4.0 added get all operands of 8 bits and a sample of the others. [`p3109_4`] and [`blocks`]
//! cover what 4.0 demands and allows beyond that, [`published`] the tables and vectors of others. A line for each format is on
//! standard error, and the totals are on standard output. The exit code is 1 if anything disagrees. Arguments select
//! sections; `--value-tables FOLDER` and `--testfloat PROGRAM` name the inputs of two of them.

mod blocks;
mod p3109_4;
mod published;
mod recipes;
mod units;

use binade_testkit::against::{
    Both, Call, KINDS, NameError, Tally, decoding, generated, limits, pairs, unary,
};
use binade_testkit::format::{other_names, p3109_names};
use binade_testkit::functions::NAMES;
use binade_testkit::generate::{Generator, custom_name};
use binade_testkit::round::{Mode, Saturation};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use crate::published::PUBLISHED;

type Outcome = Result<(), NameError>;

/// A piece of work with its name.
struct Task {
    name: String,
    work: Box<dyn Fn(&mut Tally) -> Outcome + Send + Sync>,
}

impl Task {
    fn new(name: String, work: impl Fn(&mut Tally) -> Outcome + Send + Sync + 'static) -> Task {
        Task { name, work: Box::new(work) }
    }
}

const ARITHMETIC: [&str; 4] = ["add", "subtract", "multiply", "divide"];

/// Names with every bias and both subnormal rules, of formats up to `width` bits.
fn names(width: u32) -> Vec<String> {
    let mut names: Vec<String> = (3..=width.min(16)).flat_map(p3109_names).chain(other_names(0)).collect();
    for bias in 0..64 {
        for base in ["cfloat8_1_4_3", "cfloat8_1_5_2"] {
            names.extend((bias > 0).then(|| format!("{base}@bias={bias}")));
            names.push(format!("{base}@bias={bias},subnormals=ieee"));
        }
    }
    names
}

fn unary_tasks() -> Vec<Task> {
    let all =
        names(12).into_iter().filter(|name| Both::named(name).is_ok_and(|both| both.oracle.width <= 12));
    all.map(|name| {
        Task::new(format!("unary {name}"), move |tally| {
            let both = Both::named(&name)?;
            limits(&both, tally);
            decoding(&both, 0..both.oracle.codes() as u64, tally);
            let thinned = if both.oracle.width > 10 { 256 } else { 32 };
            unary(&both, &both, 1, 0, thinned, tally);
            Ok(())
        })
    })
    .collect()
}

/// The functions that 4.0 added, whose oracle is slow: all operands of the named 8-bit formats, with one bias for
/// Tesla's.
fn function_tasks() -> Vec<Task> {
    let all = p3109_names(8).into_iter().chain(other_names(7));
    all.filter(|name| Both::named(name).is_ok_and(|both| both.oracle.width == 8))
        .map(|name| {
            Task::new(format!("functions {name}"), move |tally| {
                let both = Both::named(&name)?;
                for function in NAMES.into_iter().chain(["recip", "rsqrt"]) {
                    for code in 0..256 {
                        let call =
                            Call { name: function, operands: &[(&both, code)], scales: &[], to: &both };
                        call.compare(&Mode::DETERMINISTIC, &Saturation::ALL, tally);
                    }
                }
                Ok(())
            })
        })
        .collect()
}

fn pair_tasks() -> Vec<Task> {
    let all = names(8).into_iter().filter(|name| Both::named(name).is_ok_and(|both| both.oracle.width == 8));
    all.map(|name| {
        Task::new(format!("pairs {name}"), move |tally| {
            let both = Both::named(&name)?;
            pairs(&ARITHMETIC, &both, &both, &both, 1, 0, tally);
            Ok(())
        })
    })
    .collect()
}

/// All pairs between two 8-bit formats, to a third or a wider one.
fn mixed_tasks() -> Vec<Task> {
    let triples = [
        ["binary8p3", "binary8p4", "binary8p3"],
        ["float8_e4m3fn", "float8_e5m2", "bf16"],
        ["float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e4m3fnuz"],
        ["cfloat8_1_4_3@bias=7", "cfloat8_1_5_2@bias=15", "cfloat8_1_4_3@bias=10"],
        ["binary8p4ue", "binary8p3se", "binary8p4uf"],
        ["float8_e8m0fnu", "float8_e4m3", "float8_e8m0fnu"],
        ["float8_e5m2", "binary8p1", "uhp"],
        ["cfloat8_1_5_2@bias=31", "float8_e3m4", "f16"],
    ];
    triples
        .into_iter()
        .map(|[x, y, to]| {
            Task::new(format!("mixed {x} {y} -> {to}"), move |tally| {
                let (x, y, to) = (Both::named(x)?, Both::named(y)?, Both::named(to)?);
                pairs(&ARITHMETIC, &x, &y, &to, 1, 0, tally);
                Ok(())
            })
        })
        .collect()
}

fn generated_tasks() -> Vec<Task> {
    let kinds = (0..40).map(|seed| {
        Task::new(format!("generated, formats of every kind, seed {seed}"), move |tally| {
            let formats: Result<Vec<Both>, NameError> = KINDS.iter().map(|name| Both::named(name)).collect();
            tally.merge(generated(&formats?, 300_000, seed));
            Ok(())
        })
    });
    let custom = (0..40).map(|seed| {
        Task::new(format!("generated, custom formats, seed {seed}"), move |tally| {
            let mut random = Generator::new(seed);
            for _ in 0..100 {
                let formats: Vec<Both> =
                    (0..20).filter_map(|_| Both::named(&custom_name(&mut random)).ok()).collect();
                if !formats.is_empty() {
                    tally.merge(generated(&formats, 3_000, random.bits()));
                }
            }
            Ok(())
        })
    });
    // Down to 2^−131071, and up to 2^196606.
    let far = NAMES.into_iter().flat_map(|name| {
        ["width=18,precision=2,bias=131072", "width=27,precision=11,bias=-131072"]
            .map(|fields| (name, fields))
    });
    let far = far.map(|(name, fields)| {
        Task::new(format!("generated, far numbers, {name} of {fields}"), move |tally| {
            let both = Both::named(&format!("custom@{fields},infinities=yes,nan=negative_zero"))?;
            tally.merge(binade_testkit::against::far(name, &both, 8, 30));
            Ok(())
        })
    });
    kinds.chain(custom).chain(far).collect()
}

fn main() -> ExitCode {
    let (mut wanted, mut inputs) = (vec![], vec![]);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match PUBLISHED.iter().find(|published| published.option == argument) {
            None => wanted.push(argument),
            Some(published) => match arguments.next() {
                Some(input) => inputs.push((published.section, input)),
                None => {
                    eprintln!("{argument} has no value: {}", published.remedy);
                    return ExitCode::from(2);
                }
            },
        }
    }
    type Section = (&'static str, fn() -> Vec<Task>);
    let sections: [Section; 15] = [
        ("unary", unary_tasks),
        ("functions", function_tasks),
        ("pairs", pair_tasks),
        ("mixed", mixed_tasks),
        ("mandatory", p3109_4::mandatory),
        ("fused", p3109_4::fused),
        ("scaled", p3109_4::scaled),
        ("conversions", p3109_4::conversions),
        ("optional", p3109_4::optional),
        ("angles", p3109_4::angles),
        ("tables", p3109_4::tables),
        ("blocks", blocks::tasks),
        ("units", units::tasks),
        ("recipes", recipes::tasks),
        ("generated", generated_tasks),
    ];
    let names: Vec<&str> =
        sections.iter().map(|(name, _)| *name).chain(PUBLISHED.iter().map(|of| of.section)).collect();
    if let Some(unknown) = wanted.iter().find(|wanted| !names.contains(&wanted.as_str())) {
        eprintln!("no section {unknown}: there are {}", names.join(", "));
        return ExitCode::from(2);
    }
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let started = Instant::now();
    let mut total = Tally::default();
    let mut report = |name: &str, tasks: &[Task]| {
        let begun = Instant::now();
        let tally = run(tasks);
        println!(
            "{name}: {} results compared, {} disagree, {:.1} s",
            tally.compared,
            tally.failed,
            begun.elapsed().as_secs_f64()
        );
        total.merge(tally);
    };
    for (name, tasks) in sections.into_iter().filter(|(name, _)| is_wanted(name)) {
        report(name, &tasks());
    }
    for published in PUBLISHED.iter().filter(|published| is_wanted(published.section)) {
        match inputs.iter().find(|(section, _)| *section == published.section) {
            Some((name, input)) => report(name, &(published.tasks)(Path::new(input))),
            None => println!("{}: SKIPPED, its input is missing: {}", published.section, published.remedy),
        }
    }
    for example in &total.examples {
        println!("{example}");
    }
    println!(
        "total: {} results compared, {} disagree, {:.1} s",
        total.compared,
        total.failed,
        started.elapsed().as_secs_f64()
    );
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// Runs the tasks on every core, and reports the result of each.
fn run(tasks: &[Task]) -> Tally {
    let (total, next) = (Mutex::new(Tally::default()), AtomicUsize::new(0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(i) else { break };
                    let mut tally = Tally::default();
                    if let Err(message) = (task.work)(&mut tally) {
                        tally.record(false, || message.to_string());
                    }
                    eprintln!(
                        "[{}/{}] {}: {} results, {} disagree",
                        i + 1,
                        tasks.len(),
                        task.name,
                        tally.compared,
                        tally.failed
                    );
                    total.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).merge(tally);
                }
            });
        }
    });
    total.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}
