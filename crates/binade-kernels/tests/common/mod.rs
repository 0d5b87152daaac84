//! Helpers that the tests of all kernels share.
#![allow(dead_code, reason = "each test binary uses a part")]

use binade::philox::Stream;
use binade::{
    Fields, Format, NanCodes, Operation, Projection, Rounding, Saturation, Spec, Stochastic, Subnormals,
};
use binade_simd::Isa;

/// Every leg, selected and printed in turn; a leg that the machine lacks is printed as skipped.
pub(crate) fn legs() -> Vec<Isa> {
    let mut present = vec![];
    for name in Isa::names() {
        match Isa::from_name(name) {
            Ok(isa) => {
                println!("leg {name}");
                present.push(isa);
            }
            Err(why) => println!("skipped: {why}"),
        }
    }
    present
}

/// A format by name.
pub(crate) fn format(name: &str) -> Format {
    name.parse::<Spec>().unwrap_or_else(|error| panic!("{error}")).format
}

/// The 8-bit formats of the sources, at biases that make a difference.
pub(crate) const SEEDS: [&str; 14] = [
    "cfloat8_1_4_3@bias=7",
    "cfloat8_1_4_3@bias=40",
    "cfloat8_1_5_2@bias=20",
    "cfloat8_1_5_2@bias=63",
    "cfloat8_1_4_3@bias=10,subnormals=ieee",
    "float8_e4m3fnuz",
    "float8_e5m2fnuz",
    "binary8p1",
    "binary8p2",
    "binary8p3",
    "binary8p4",
    "binary8p5",
    "binary8p6",
    "binary8p7",
];

/// One format of every other kind.
pub(crate) const OTHERS: [&str; 26] = [
    "float8_e4m3fn",
    "float8_e5m2",
    "float8_e4m3b11fnuz",
    "float8_e4m3",
    "float8_e3m4",
    "float8_e8m0fnu",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float4_e2m1fn",
    "binary8p3uf",
    "binary8p4ue",
    "binary8p8uf",
    "binary5p2se",
    "binary8p1sf",
    "shp@bias=31",
    "shp@bias=0",
    "uhp",
    "f16",
    "bf16",
    "binary16p11",
    "binary16p11ue",
    "binary16p8",
    "binary16p3",
    "binary12p4sf",
    "float8_e4m3@subnormals=flush",
    "float8_e5m2@subnormals=tesla",
];

/// Every catalogued format of up to 16 bits.
pub(crate) fn catalogue() -> Vec<(String, Format)> {
    let mut all: Vec<(String, Format)> = vec![];
    for bias in [0, 7, 40, 63] {
        all.extend(Spec::all(bias).map(|spec| (spec.name().to_owned(), spec.format)));
    }
    all.retain(|(_, format)| format.width() <= 16);
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all.dedup_by(|a, b| a.0 == b.0);
    all
}

/// Deterministic modes, every saturation.
pub(crate) fn projections() -> Vec<Projection> {
    let modes = Rounding::DETERMINISTIC.into_iter();
    modes.flat_map(|rounding| Saturation::ALL.map(|saturation| Projection { rounding, saturation })).collect()
}

/// The stochastic modes; the caller sets `random`.
pub(crate) fn stochastics() -> Vec<Rounding> {
    let mode = |variant, bits| Rounding::Stochastic { variant, bits, random: 0 };
    use Stochastic::{A, B, C};
    vec![mode(A, 32), mode(A, 1), mode(A, 7), mode(B, 31), mode(B, 3), mode(B, 32), mode(C, 32), mode(C, 5)]
}

/// The mode with the random bits of element `index`.
pub(crate) fn drawn(rounding: Rounding, seed: u64, index: u64) -> Rounding {
    rounding.drawn(seed, index)
}

/// A random valid format of up to 16 bits, custom in every field.
pub(crate) fn random_format(random: &mut Stream) -> Format {
    loop {
        let width = 3 + random.below(14) as u32;
        let fields = Fields {
            width,
            precision: 1 + random.below(width as usize) as u32,
            bias: match random.below(4) {
                0 => random.below(300) as i32 - 150,
                _ => random.below(70) as i32 - 5,
            },
            signed: random.below(4) > 0,
            infinities: random.below(2) == 0,
            nan: [NanCodes::None, NanCodes::Ieee, NanCodes::AllOnes, NanCodes::NegativeZero][random.below(4)],
            negative_zero: random.below(2) == 0,
            subnormals: [Subnormals::Ieee, Subnormals::Tesla, Subnormals::Flush, Subnormals::None]
                [random.below(4)],
        };
        if let Ok(format) = Format::new(fields) {
            return format;
        }
    }
}

/// Binary64 values around a format: all its boundaries (codes, midpoints, gap, overflow) for sampled codes, and special
/// values, each with neighbours in binary32 and binary64.
pub(crate) fn edges(format: Format, random: &mut Stream) -> Vec<f64> {
    let mut exact = vec![];
    let last = format.magnitude_mask();
    let codes: Vec<u64> = if last < 300 {
        (0..=last).collect()
    } else {
        let special = [
            0,
            1,
            2,
            format.min_normal_code().saturating_sub(1),
            format.min_normal_code(),
            format.max_finite_code() - 1,
            format.max_finite_code(),
        ];
        special.into_iter().chain((0..200).map(|_| random.below(last as usize + 1) as u64)).collect()
    };
    let value = |code: u64| match binade::decode(format, code) {
        binade::Value::Finite(x) if x.exponent.abs() < 1000 => {
            Some(x.significand as f64 * 2f64.powi(x.exponent as i32))
        }
        _ => None,
    };
    for code in codes {
        let (Some(here), next) = (value(code), value(code + 1)) else { continue };
        let next = next.filter(|_| code < format.max_finite_code()).unwrap_or_else(|| {
            // Where the code line continues past the largest.
            here + (here - value(code.saturating_sub(1)).unwrap_or(0.0))
        });
        exact.extend([here, (here + next) / 2.0, here + (next - here) / 4.0, next]);
    }
    let mut all = vec![
        0.0,
        f64::INFINITY,
        f64::NAN,
        f64::from_bits(0x7ff0_0000_0000_0001),
        5e-324,
        1e-310,
        1e-45,
        1.2e-38,
        1e-39,
        3.4e38,
        1e39,
        1e308,
    ];
    for x in exact {
        all.push(x);
        for step in [1u64, 2, 1 << 28, 1 << 29, 1 << 30, 1 << 44, 1 << 45, 1 << 46] {
            all.push(f64::from_bits(x.to_bits().wrapping_add(step)));
            if x.to_bits() >= step {
                all.push(f64::from_bits(x.to_bits() - step));
            }
        }
    }
    let negated: Vec<f64> = all.iter().map(|x| -x).collect();
    all.extend(negated);
    all
}

/// The operations on two numbers.
pub(crate) const ARITHMETIC: [Operation; 6] = [
    Operation::Add,
    Operation::Subtract,
    Operation::Multiply,
    Operation::Divide,
    Operation::Minimum,
    Operation::Maximum,
];
