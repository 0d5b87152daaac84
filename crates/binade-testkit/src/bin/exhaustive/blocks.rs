//! Blocks of P3109 4.0 §5, in six rounding modes and three saturation modes: conversions over all codes, other
//! operations over all codes or a stated sample.

use binade::ops::Operation;
use binade::ops::block::is_block_operation;
use binade_testkit::against::blocks::{BlockCall, Codes, What};
use binade_testkit::against::{Both, NameError, Tally};
use binade_testkit::functions::NAMES;
use binade_testkit::generate::Generator;
use binade_testkit::round::{Mode, Saturation};

use crate::Task;

/// The grid of MXINT8's integers: signs and seven bits in units of 2^−6.
const INTEGERS: &str = "custom@width=8,precision=7,bias=1,negative_zero=no";

/// Scales and elements: OCP MX's, NVFP4's, and P3109's F4 and F8 under Binary8p1uf.
const PAIRS: [(&str, &str); 11] = [
    ("float8_e8m0fnu", "float8_e4m3fn"),
    ("float8_e8m0fnu", "float8_e5m2"),
    ("float8_e8m0fnu", "float6_e3m2fn"),
    ("float8_e8m0fnu", "float6_e2m3fn"),
    ("float8_e8m0fnu", "float4_e2m1fn"),
    ("float8_e8m0fnu", INTEGERS),
    ("float8_e4m3fn", "float4_e2m1fn"),
    ("binary8p1uf", "binary4p2sf"),
    ("binary8p1uf", "binary8p4se"),
    ("binary8p1uf", "binary8p3se"),
    ("binary8p3se", "binary8p4se"),
];

const RESULTS: [&str; 5] = ["binary8p4se", "binary8p3se", "f32", "f16", "bf16"];

/// Functions whose oracle takes a thousand times as long as arithmetic.
fn is_slow(operation: Operation) -> bool {
    let name = operation.name();
    NAMES.contains(&name)
        || name.starts_with("exp")
        || name.starts_with("log")
        || name.starts_with("arc_tan2")
}

fn compare(what: What<'_>, blocks: &[Codes<'_>], to: &Both, tally: &mut Tally) {
    BlockCall { what, blocks, to }.compare(&Mode::DETERMINISTIC, &Saturation::ALL, tally);
}

fn codes(both: &Both) -> u64 {
    both.oracle.codes() as u64
}

pub(crate) fn tasks() -> Vec<Task> {
    PAIRS
        .into_iter()
        .flat_map(|(scales, elements)| {
            let each = move |name: &str, work: fn(&Both, &Both, &mut Tally) -> Result<(), NameError>| {
                Task::new(format!("blocks, {name}, {scales} {elements}"), move |tally| {
                    work(&Both::named(scales)?, &Both::named(elements)?, tally)
                })
            };
            [
                each("conversions from", from),
                each("conversions to", to),
                each("conversions by the largest", by_the_largest),
                each("sums and products", reductions),
                each("operations", operations),
                each("scaled operations", scaled),
            ]
        })
        .collect()
}

fn results() -> Result<Vec<Both>, NameError> {
    RESULTS.iter().map(|name| Both::named(name)).collect()
}

/// A block of all elements under every scale, to each format of F8 ∪ FX.
fn from(scales: &Both, format: &Both, tally: &mut Tally) -> Result<(), NameError> {
    for to in results()? {
        for scale in 0..codes(scales) {
            let elements = (0..codes(format)).collect();
            compare(What::ConvertFrom, &[Codes { scale: (scales, scale), format, elements }], &to, tally);
        }
    }
    Ok(())
}

/// All codes of F8 and 256 of FX, with many edge cases, under every scale, to the elements.
fn to(scales: &Both, format: &Both, tally: &mut Tally) -> Result<(), NameError> {
    let mut random = Generator::new(21);
    for source in results()? {
        for scale in 0..codes(scales) {
            let elements = match source.oracle.width {
                8 => (0..256).collect(),
                _ => (0..256).map(|_| random.code(&source.oracle)).collect(),
            };
            let block = Codes { scale: (scales, scale), format: &source, elements };
            compare(What::ConvertTo((scales, scale)), &[block], format, tally);
        }
    }
    Ok(())
}

/// 2,000 blocks of 1 to 32 numbers of each format of F8 ∪ FX, with each rounding of the scale in turn.
fn by_the_largest(scales: &Both, format: &Both, tally: &mut Tally) -> Result<(), NameError> {
    let mut random = Generator::new(22);
    for source in results()? {
        for turn in 0..2_000 {
            let size = 1 + random.below(32) as usize;
            let block = Codes::random(&mut random, scales, &source, size);
            let mode = Mode::DETERMINISTIC[turn % 6];
            let what = What::MaxAbsFinite(scales, mode, Saturation::ALL[turn / 6 % 3]);
            compare(what, &[block], format, tally);
        }
    }
    Ok(())
}

/// 4,000 pairs of blocks of 1 to 32 elements, to each format of F8 ∪ FX; every other pair has no NaN and no infinity.
fn reductions(scales: &Both, format: &Both, tally: &mut Tally) -> Result<(), NameError> {
    let mut random = Generator::new(23);
    let finite = |both: &Both, code: u64| match binade_testkit::generate::value(&both.oracle, code) {
        Some(_) => code,
        None => 1,
    };
    for to in results()? {
        for turn in 0..4_000 {
            let size = 1 + random.below(32) as usize;
            let mut pair = [(); 2].map(|()| Codes::random(&mut random, scales, format, size));
            // Similar scales, so that a sum is more than one of its terms.
            pair[1].scale.1 = (pair[0].scale.1 + random.below(5)).min(codes(scales) - 1);
            if turn % 2 == 0 {
                for block in &mut pair {
                    block.scale.1 = finite(scales, block.scale.1);
                    block.elements.iter_mut().for_each(|code| *code = finite(format, *code));
                }
            }
            compare(What::ReduceAdd, &pair[..1], &to, tally);
            compare(What::ReduceMultiply, &pair[..1], &to, tally);
            compare(What::DotProduct, &pair, &to, tally);
        }
    }
    Ok(())
}

fn listed() -> impl Iterator<Item = Operation> {
    Operation::ALL.into_iter().filter(|operation| is_block_operation(*operation))
}

/// Each of the 52 operations, under 24 combinations of scales, to the elements and one format of F8 ∪ FX in turn.
/// Operations of one operand get a block of all elements, others 256 pairs or triples. Slow functions get 16 elements
/// under 2 combinations.
fn operations(scales: &Both, format: &Both, tally: &mut Tally) -> Result<(), NameError> {
    let mut random = Generator::new(24);
    let others = results()?;
    for (number, operation) in listed().enumerate() {
        let slow = is_slow(operation);
        let (turns, size) = if slow { (2, 16) } else { (24, 256) };
        for turn in 0..turns {
            let mut blocks: Vec<Codes> =
                (0..operation.arity()).map(|_| Codes::random(&mut random, scales, format, size)).collect();
            if operation.arity() == 1 && !slow {
                blocks[0].elements = (0..codes(format)).collect();
            }
            let to = if turn % 2 == 0 { format } else { &others[(turn + number) % others.len()] };
            let scale = (scales, random.code(&scales.oracle));
            compare(What::Each(operation, scale), &blocks, to, tally);
        }
    }
    Ok(())
}

/// Each of the 52 operations on single scaled elements: 2,000 cases, to one format of F8 ∪ FX in turn; 32 cases for
/// slow functions.
fn scaled(scales: &Both, format: &Both, tally: &mut Tally) -> Result<(), NameError> {
    let mut random = Generator::new(25);
    let results = results()?;
    for operation in listed() {
        for turn in 0..if is_slow(operation) { 32 } else { 2_000 } {
            let blocks: Vec<Codes> =
                (0..operation.arity()).map(|_| Codes::random(&mut random, scales, format, 1)).collect();
            compare(What::Scaled(operation), &blocks, &results[turn % results.len()], tally);
        }
    }
    Ok(())
}
