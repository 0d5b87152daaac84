//! Operations on blocks against the oracle, by generated cases.

use binade::ops::Operation;
use binade::ops::block::is_block_operation;
use binade_testkit::against::blocks::{BlockCall, Codes, What};
use binade_testkit::against::{Both, Tally};
use binade_testkit::generate::Generator;
use binade_testkit::round::{Mode, Saturation};

/// Element formats; the custom one is the grid of MXINT8's integers.
const ELEMENTS: [&str; 10] = [
    "float4_e2m1fn",
    "float6_e3m2fn",
    "float8_e4m3fn",
    "float8_e5m2",
    "binary8p4se",
    "binary8p3sf",
    "custom@width=8,precision=7,bias=1,negative_zero=no",
    "bf16",
    "f16",
    "f32",
];

const SCALES: [&str; 8] =
    ["float8_e8m0fnu", "float8_e4m3fn", "binary8p1uf", "binary8p1se", "binary6p3ue", "f16", "bf16", "f32"];

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

#[test]
fn blocks_of_every_kind_equal_the_oracle() {
    let named = |names: &[&str]| names.iter().map(|name| Both::named(name).unwrap()).collect::<Vec<Both>>();
    let (elements, scales) = (named(&ELEMENTS), named(&SCALES));
    let operations: Vec<Operation> =
        Operation::ALL.into_iter().filter(|op| is_block_operation(*op)).collect();
    let (mut random, mut tally) = (Generator::new(11), Tally::default());
    for number in 0..24_000 {
        let size = 1 + random.below(4) as usize;
        let cases: [Codes; 3] = std::array::from_fn(|_| {
            let (scale, format) = (random.pick(&scales), random.pick(&elements));
            Codes::random(&mut random, scale, format, size)
        });
        let to = random.pick(&elements);
        let (rounding, saturation) = mode(&mut random);
        let scale = cases[2].scale;
        let operation = *random.pick(&operations);
        let what = match number % 8 {
            0 => What::ConvertFrom,
            1 => {
                let (mode, saturation) = mode(&mut random);
                What::MaxAbsFinite(scale.0, mode, saturation)
            }
            2 => What::ConvertTo(scale),
            3 => What::ReduceAdd,
            4 => What::ReduceMultiply,
            5 => What::DotProduct,
            6 => What::Scaled(operation),
            _ => What::Each(operation, scale),
        };
        let blocks = match what {
            What::Each(..) | What::Scaled(_) => &cases[..operation.arity()],
            What::DotProduct => &cases[..2],
            _ => &cases[..1],
        };
        BlockCall { what, blocks, to }.compare(&[rounding], &[saturation], &mut tally);
    }
    assert!(tally.compared > 24_000);
    tally.assert_agreement();
}
