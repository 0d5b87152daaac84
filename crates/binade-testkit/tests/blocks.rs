//! Operations on blocks against the oracle, by generated cases.

use binade::ops::block::is_block_operation;
use binade::ops::{self as ours, Operation};
use binade::{Datum, Flags};
use binade_testkit::against::{Both, Tally, flag_bits, projection};
use binade_testkit::block::{self as oracle, Block};
use binade_testkit::generate::Generator;
use binade_testkit::ops::Operand;
use binade_testkit::round::{Mode, Rounded, Saturation, flags};

const ELEMENTS: [&str; 9] = [
    "float4_e2m1fn",
    "float6_e3m2fn",
    "float8_e4m3fn",
    "float8_e5m2",
    "binary8p4se",
    "binary8p3sf",
    "bf16",
    "f16",
    "f32",
];

const SCALES: [&str; 8] =
    ["float8_e8m0fnu", "float8_e4m3fn", "binary8p1uf", "binary8p1se", "binary6p3ue", "f16", "bf16", "f32"];

/// Codes of a block on both sides.
struct Case<'a> {
    scales: &'a Both,
    format: &'a Both,
    scale: u64,
    codes: Vec<u64>,
}

impl<'a> Case<'a> {
    fn new(random: &mut Generator, scales: &'a Both, format: &'a Both, size: usize) -> Case<'a> {
        let scale = random.code(&scales.oracle);
        Case { scales, format, scale, codes: (0..size).map(|_| random.code(&format.oracle)).collect() }
    }

    fn oracle(&self) -> Block<'a> {
        Block::new((&self.scales.oracle, self.scale), &self.format.oracle, &self.codes)
    }

    fn data(&self) -> (Datum, Vec<Datum>) {
        let datum = |both: &Both, code| Datum::new(both.ours.format, code).unwrap();
        let elements = self.codes.iter().map(|&code| datum(self.format, code)).collect();
        (datum(self.scales, self.scale), elements)
    }

    fn show(&self) -> String {
        format!("{} {:#x} {} {:x?}", self.scales.name(), self.scale, self.format.name(), self.codes)
    }
}

fn mode(random: &mut Generator) -> (Mode, Saturation) {
    let bits = 1 + random.below(16) as u32;
    let drawn = random.bits() & ((1 << bits) - 1);
    let modes = [
        Mode::NearestEven,
        Mode::NearestEven,
        Mode::NearestAway,
        Mode::TowardPositive,
        Mode::TowardNegative,
        Mode::TowardZero,
        Mode::ToOdd,
        Mode::StochasticA(bits, drawn),
        Mode::StochasticC(bits, drawn),
    ];
    (*random.pick(&modes), *random.pick(&Saturation::ALL))
}

fn record(tally: &mut Tally, what: &str, ours: &[binade::Rounded], theirs: &[Rounded]) {
    // Which operands are subnormal is not the oracle's business here.
    let without = |flags: u8| flags & !flags::DENORMAL;
    let same = |(ours, theirs): (&binade::Rounded, &Rounded)| {
        (ours.code, without(flag_bits(ours.flags))) == (theirs.code, without(theirs.flags))
    };
    let agrees = ours.len() == theirs.len() && ours.iter().zip(theirs).all(same);
    tally.record(agrees, || format!("{what}: {ours:x?}, oracle {theirs:x?}"));
}

#[test]
fn blocks_of_every_kind() {
    let named = |names: &[&str]| names.iter().map(|name| Both::named(name).unwrap()).collect::<Vec<Both>>();
    let (elements, scales) = (named(&ELEMENTS), named(&SCALES));
    let operations: Vec<Operation> =
        Operation::ALL.into_iter().filter(|op| is_block_operation(*op)).collect();
    let (mut random, mut tally) = (Generator::new(11), Tally::default());
    for number in 0..24_000 {
        let size = 1 + random.below(4) as usize;
        let mut case = || {
            let (scale, format) = (random.below(8) as usize, random.below(9) as usize);
            Case::new(&mut random, &scales[scale], &elements[format], size)
        };
        let cases = [case(), case(), case()];
        let to = &elements[random.below(9) as usize];
        let (rounding, saturation) = mode(&mut random);
        let how = projection(rounding, saturation);
        let format = to.ours.format;
        let blocks: Vec<Block> = cases.iter().map(Case::oracle).collect();
        let data: Vec<(Datum, Vec<Datum>)> = cases.iter().map(Case::data).collect();
        let block = |at: usize| ours::Block { scale: data[at].0, elements: &data[at].1 };
        let what = |name: &str| {
            let shown: Vec<String> = cases.iter().map(Case::show).collect();
            format!("{name} to {} {rounding:?} {saturation:?}: {}", to.name(), shown.join("; "))
        };
        match number % 6 {
            0 => {
                let results = ours::convert_from_block(block(0), format, how).unwrap();
                let theirs = oracle::convert_from_block(&blocks[0], &to.oracle, rounding, saturation);
                record(&mut tally, &what("convert_from_block"), &results, &theirs);
            }
            1 => {
                let (scale_mode, scale_saturation) = mode(&mut random);
                let scale_how = projection(scale_mode, scale_saturation);
                let scale_format = cases[1].scales;
                let (scale, results) = ours::convert_to_block_max_abs_finite(
                    &data[0].1,
                    scale_format.ours.format,
                    scale_how,
                    format,
                    how,
                )
                .unwrap();
                let operands: Vec<Operand> = blocks[0].elements.clone();
                let (their_scale, theirs) = oracle::convert_to_block_max_abs_finite(
                    &operands,
                    &scale_format.oracle,
                    (scale_mode, scale_saturation),
                    &to.oracle,
                    rounding,
                    saturation,
                );
                record(&mut tally, &what("max_abs_finite scale"), &[scale], &[their_scale]);
                record(&mut tally, &what("max_abs_finite"), &results, &theirs);
            }
            2 => {
                let result = ours::block_reduce_add(block(0), format, how).unwrap();
                let theirs = oracle::block_reduce_add(&blocks[0], &to.oracle, rounding, saturation);
                record(&mut tally, &what("block_reduce_add"), &[result], &[theirs]);
                let result = ours::block_reduce_multiply(block(0), format, how).unwrap();
                let theirs = oracle::block_reduce_multiply(&blocks[0], &to.oracle, rounding, saturation);
                record(&mut tally, &what("block_reduce_multiply"), &[result], &[theirs]);
            }
            3 => {
                let result = ours::block_dot_product(block(0), block(1), format, how).unwrap();
                let theirs =
                    oracle::block_dot_product(&blocks[0], &blocks[1], &to.oracle, rounding, saturation);
                record(&mut tally, &what("block_dot_product"), &[result], &[theirs]);
            }
            _ => {
                let operation = *random.pick(&operations);
                let arity = operation.arity();
                let operands: Vec<ours::Block> = (0..arity).map(block).collect();
                let scale = &cases[2];
                let results = ours::block_op(operation, &operands, data[2].0, format, how).unwrap();
                let theirs = oracle::block_op(
                    operation.name(),
                    &blocks[..arity],
                    (&scale.scales.oracle, scale.scale),
                    &to.oracle,
                    rounding,
                    saturation,
                );
                let theirs = theirs.unwrap_or_else(|| panic!("the oracle has no {}", operation.name()));
                record(&mut tally, &what(operation.name()), &results, &theirs);
            }
        }
    }
    assert!(tally.compared > 24_000);
    tally.assert_agreement();
    assert_eq!(flag_bits(Flags::NONE), 0);
}
