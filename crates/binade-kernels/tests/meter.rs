//! A meter's codes, flags and sums equal those of the definition, element by element, on every leg.

mod common;

use binade::catalog::{BF16, F16, F32, F64};
use binade::philox::Stream;
use binade::{Edition, Format, Projection, Value, decode, project, project_in};
use binade_kernels::{Encoder, Meter, Sum, Tally};
use common::{OTHERS, SEEDS, edges, format, legs, projections, random_format, stochastics};

const SEED: u64 = 77;
const FIRST: u64 = (1 << 33) + 5;

fn to_f64(value: Value) -> f64 {
    f64::from_bits(project(F64, value, Projection::default()).code)
}

/// The contents of a tally, with sums as bits.
#[derive(PartialEq, Debug)]
struct Told {
    flags: [u64; 32],
    counts: [u64; 5],
    sums: [u64; 3],
}

impl From<&Tally> for Told {
    fn from(tally: &Tally) -> Told {
        let measures = &tally.measures;
        let sums = [measures.max_abs, measures.squared_error.value(), measures.squared_a.value()];
        Told {
            flags: tally.flags,
            counts: [tally.not_finite, tally.lost, tally.nan, tally.to_zero, measures.pairs],
            sums: sums.map(f64::to_bits),
        }
    }
}

/// Codes, results and tally of elements, `codes` of `source`, each divided by its scale, by the definition.
fn define(
    to: Format,
    how: Projection,
    edition: Edition,
    source: Format,
    codes: &[u64],
    scale: impl Fn(usize) -> f64,
) -> (Vec<u16>, Vec<f64>, Told) {
    let (mut told, mut results) = (Told { flags: [0; 32], counts: [0; 5], sums: [0; 3] }, vec![]);
    let mut encoded = vec![];
    let (mut squared_error, mut squared_a, mut max_abs) = (Sum::default(), Sum::default(), 0.0f64);
    for (number, run) in codes.chunks(512).enumerate() {
        let mut lanes = [[0.0; 2]; 8];
        for (at, &code) in run.iter().enumerate() {
            let index = number * 512 + at;
            let x = to_f64(decode(source, code));
            let quotient = match scale(index) {
                _ if x.is_nan() => decode(source, code),
                1.0 => decode(source, code),
                scale => Value::from_f64(x / scale),
            };
            let rounding = how.rounding.drawn(SEED, FIRST + index as u64);
            let rounded = project_in(to, quotient, Projection { rounding, ..how }, edition);
            let y = to_f64(decode(to, rounded.code)) * scale(index);
            told.flags[rounded.flags.bits() as usize] += 1;
            let counted = [!x.is_finite(), x.is_finite() && !y.is_finite(), y.is_nan(), x != 0.0 && y == 0.0];
            counted.iter().zip(&mut told.counts).for_each(|(yes, count)| *count += *yes as u64);
            if x.is_finite() && y.is_finite() {
                told.counts[4] += 1;
                lanes[at % 8][0] += (x - y) * (x - y);
                lanes[at % 8][1] += x * x;
                max_abs = max_abs.max((x - y).abs());
            }
            encoded.push(rounded.code as u16);
            results.push(y);
        }
        squared_error.add(lanes.iter().map(|lane| lane[0]).fold(0.0, |a, b| a + b));
        squared_a.add(lanes.iter().map(|lane| lane[1]).fold(0.0, |a, b| a + b));
    }
    told.sums = [max_abs, squared_error.value(), squared_a.value()].map(f64::to_bits);
    (encoded, results, told)
}

/// The codes of the same values in a source's format, NaNs with their signs.
fn codes_of(source: Format, values: &[f64]) -> Vec<u64> {
    let code = |&x: &f64| {
        let sign = if x.is_nan() && x.is_sign_negative() { source.sign_bit() } else { 0 };
        project(source, Value::from_f64(x), Projection::default()).code | sign
    };
    values.iter().map(code).collect()
}

fn formats(random: &mut Stream) -> Vec<Format> {
    let named = SEEDS.iter().chain(&OTHERS).map(|name| format(name));
    let mut all: Vec<Format> = named.collect();
    all.extend((0..24).map(|_| random_format(random)));
    all
}

#[test]
fn tallies_equal_the_definition() {
    let (legs, mut random) = (legs(), Stream::new(5));
    let modes: Vec<Projection> = projections()
        .into_iter()
        .chain(stochastics().into_iter().map(|rounding| Projection { rounding, ..Projection::default() }))
        .collect();
    let (mut metered, mut number) = (0, 0);
    for to in formats(&mut random) {
        let all = edges(to, &mut random);
        for source in [F32, F64, BF16, F16] {
            number += 1;
            let how = modes[number % modes.len()];
            let edition = [Edition::Interim, Edition::V4][number % 2];
            let length = [0, 1, 7, 9, 511, 513, 1024, 1025, 2600][number % 9].max(900 * (number % 2));
            let start = random.below(all.len());
            let values: Vec<f64> = (0..length).map(|i| all[(start + 7 * i) % all.len()]).collect();
            let codes = codes_of(source, &values);
            let encoder = Encoder::in_edition(to, how, edition).unwrap().with_seed(SEED).starting_at(FIRST);
            if Meter::new(encoder).is_none() {
                continue;
            }
            let (want, _, told) = define(to, how, edition, source, &codes, |_| 1.0);
            let words = |codes: &[u64]| codes.iter().map(|&code| code as u16).collect::<Vec<u16>>();
            for &isa in &legs {
                let meter = Meter::new(encoder.with_isa(isa)).unwrap();
                let (mut got, mut tally) = (vec![0u16; length], Tally::default());
                match source {
                    F32 => {
                        let values: Vec<f32> =
                            codes.iter().map(|&code| f32::from_bits(code as u32)).collect();
                        meter.encode_f32(&values, &mut got, &mut tally)
                    }
                    F64 => {
                        let values: Vec<f64> = codes.iter().map(|&code| f64::from_bits(code)).collect();
                        meter.encode_f64(&values, &mut got, &mut tally)
                    }
                    BF16 => meter.encode_bf16(&words(&codes), &mut got, &mut tally),
                    _ => meter.encode_f16(&words(&codes), &mut got, &mut tally),
                }
                .unwrap();
                assert_eq!(Told::from(&tally), told, "{isa}: {to:?} from {source:?} {how:?}");
                assert_eq!(got, want, "{isa}: {to:?} from {source:?} {how:?}");
                metered += 1;
            }
        }
    }
    assert!(metered > 150 * legs.len(), "{metered}");
}

#[test]
fn tallies_of_bytes_and_words_are_equal() {
    let to = format("float8_e4m3fn");
    let values: Vec<f32> = (0..5000).map(|i| (i as f32 - 2500.0) * 0.37).collect();
    for isa in legs() {
        let encoder = Encoder::in_edition(to, Projection::default(), Edition::Interim).unwrap().with_isa(isa);
        let meter = Meter::new(encoder).unwrap();
        let (mut bytes, mut words) = (vec![0u8; 5000], vec![0u16; 5000]);
        let (mut of_bytes, mut of_words) = (Tally::default(), Tally::default());
        meter.encode_f32(&values, &mut bytes, &mut of_bytes).unwrap();
        meter.encode_f32(&values, &mut words, &mut of_words).unwrap();
        assert_eq!(Told::from(&of_bytes), Told::from(&of_words), "{isa}");
        assert!(bytes.iter().zip(&words).all(|(&byte, &word)| byte as u16 == word), "{isa}");
    }
}

#[test]
fn scaled_elements_tally_quotients_and_errors() {
    let mut random = Stream::new(8);
    for name in ["float8_e4m3fn", "float4_e2m1fn", "cfloat8_1_4_3@bias=40", "f16", "binary8p1"] {
        let to = format(name);
        let scales: Vec<f64> = (0..1700).map(|i| [0.3f32, 4.0, 1.5e-3, 7.0][i / 32 % 4] as f64).collect();
        let all = edges(to, &mut random);
        let values: Vec<f64> =
            (0..scales.len()).map(|i| all[(11 * i) % all.len()] as f32 as f64 * scales[i]).collect();
        let codes = codes_of(F64, &values);
        let how = Projection::default();
        let (want, results, told) = define(to, how, Edition::Interim, F64, &codes, |at| scales[at]);
        for isa in legs() {
            let encoder = Encoder::in_edition(to, how, Edition::Interim).unwrap().with_isa(isa);
            let meter = Meter::new(encoder).unwrap();
            let (mut got, mut back) = (vec![0u16; values.len()], vec![0.0; values.len()]);
            let mut tally = Tally::default();
            meter.encode_scaled(&values, Some(&scales), &mut got, &mut back, &mut tally).unwrap();
            assert_eq!(Told::from(&tally), told, "{isa}: {name}");
            assert_eq!(got, want, "{isa}: {name}");
            let bits = |values: &[f64]| {
                values.iter().map(|x| if x.is_nan() { 1 } else { x.to_bits() }).collect::<Vec<u64>>()
            };
            assert_eq!(bits(&back), bits(&results), "{isa}: {name}");
        }
    }
}

#[test]
fn wrong_lengths_are_errors() {
    let encoder =
        Encoder::in_edition(format("float8_e4m3fn"), Projection::default(), Edition::Interim).unwrap();
    let (meter, mut tally) = (Meter::new(encoder).unwrap(), Tally::default());
    let (two, mut three) = ([1.0; 2], [0.0; 3]);
    assert!(meter.encode_f32(&[1.0; 2], &mut [0u8; 3], &mut tally).is_err());
    assert!(meter.encode_scaled(&two, None, &mut [0u8; 2], &mut three, &mut tally).is_err());
    assert!(meter.encode_scaled(&two, Some(&[1.0]), &mut [0u8; 2], &mut three[..2], &mut tally).is_err());
    assert_eq!(Told::from(&tally), Told::from(&Tally::default()));
}
