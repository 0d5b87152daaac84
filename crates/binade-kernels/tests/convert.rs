//! Bulk conversion against `binade`'s definitions, on every leg.

mod common;

use binade::philox::Stream;
use binade::{
    Datum, Edition, Flags, Format, Projection, Rounded, Rounding, Saturation, decode, ops, project,
    project_in,
};
use binade_kernels::{Codes, Decoder, Encoder, Fold, KernelError, Rounder, arithmetic, extremes};
use binade_simd::Isa;
use common::{OTHERS, SEEDS, catalogue, drawn, edges, format, legs, projections, random_format, stochastics};

const F32: &str = "f32";
const F64: &str = "f64";

/// The results of `project` for IEEE codes of a format.
fn expected(from: Format, codes: &[u64], to: Format, how: impl Fn(usize) -> Projection) -> Vec<u16> {
    codes.iter().enumerate().map(|(i, &code)| project(to, decode(from, code), how(i)).code as u16).collect()
}

/// Encodes from one source type on one leg, as 16-bit codes, and checks that byte results agree if codes fit.
fn encode(encoder: &Encoder, source: &str, codes: &[u64]) -> Vec<u16> {
    let mut wide = vec![0xeeee_u16; codes.len()];
    let mut bytes = vec![0xee_u8; codes.len()];
    let narrow = encoder.format().width() <= 8;
    macro_rules! both {
        ($method:ident, $values:expr) => {{
            let values = $values;
            encoder.$method(&values, &mut wide).unwrap();
            if narrow {
                encoder.$method(&values, &mut bytes).unwrap();
            }
        }};
    }
    match source {
        "f32" => both!(encode_f32, codes.iter().map(|&c| f32::from_bits(c as u32)).collect::<Vec<_>>()),
        "f64" => both!(encode_f64, codes.iter().map(|&c| f64::from_bits(c)).collect::<Vec<_>>()),
        "bf16" => both!(encode_bf16, codes.iter().map(|&c| c as u16).collect::<Vec<_>>()),
        _ => both!(encode_f16, codes.iter().map(|&c| c as u16).collect::<Vec<_>>()),
    }
    if narrow {
        assert!(wide.iter().zip(&bytes).all(|(w, b)| *w == *b as u16), "bytes and words differ");
    }
    wide
}

fn flags(encoder: &Encoder, source: &str, codes: &[u64]) -> Flags {
    match source {
        "f32" => encoder.flags_f32(&codes.iter().map(|&c| f32::from_bits(c as u32)).collect::<Vec<_>>()),
        "f64" => encoder.flags_f64(&codes.iter().map(|&c| f64::from_bits(c)).collect::<Vec<_>>()),
        "bf16" => encoder.flags_bf16(&codes.iter().map(|&c| c as u16).collect::<Vec<_>>()),
        _ => encoder.flags_f16(&codes.iter().map(|&c| c as u16).collect::<Vec<_>>()),
    }
}

/// Checks codes and flags (of single elements, and the union) on every leg.
fn check(legs: &[Isa], source: &str, codes: &[u64], to: Format, rounding: Rounding, saturation: Saturation) {
    let from = format(source);
    let (seed, first) = (0x0123_4567_89ab_cdef, (1 << 34) - 700);
    let how = |i: usize| Projection { rounding: drawn(rounding, seed, first + i as u64), saturation };
    let datum = |i: usize| Datum::new(from, codes[i]).unwrap();
    let want: Vec<Rounded> = (0..codes.len()).map(|i| ops::convert(datum(i), to, how(i))).collect();
    let encoder = Encoder::new(to, rounding, saturation).unwrap().with_seed(seed).starting_at(first);
    compare(legs, &encoder, source, codes, &want);
}

/// Compares an encoder's codes and flags with the expected ones. The encoder starts at its first element.
fn compare(legs: &[Isa], encoder: &Encoder, source: &str, codes: &[u64], want: &[Rounded]) {
    let (to, Projection { rounding, saturation }) = (encoder.format(), encoder.projection());
    for &isa in legs {
        let encoder = encoder.with_isa(isa);
        let got = encode(&encoder, source, codes);
        for i in 0..codes.len() {
            assert_eq!(
                got[i] as u64, want[i].code,
                "{isa}: {source} {:#x} to {to}, {rounding:?} {saturation:?}: got {:#x}, want {:#x}",
                codes[i], got[i], want[i].code
            );
        }
        let all = want.iter().fold(Flags::NONE, |all, one| all | one.flags);
        assert_eq!(
            flags(&encoder, source, codes),
            all,
            "{isa}: union of flags to {to}, {rounding:?} {saturation:?}"
        );
        // A sample of single elements: a union hides flags that it already has.
        for i in (0..codes.len()).step_by(codes.len() / 97 + 1) {
            let one = encoder.starting_at(encoder.first() + i as u64);
            assert_eq!(
                flags(&one, source, &codes[i..=i]),
                want[i].flags,
                "{isa}: flags of {source} {:#x} to {to}, {rounding:?} {saturation:?}",
                codes[i]
            );
        }
    }
}

fn f32_codes(values: &[f64]) -> Vec<u64> {
    values.iter().map(|&x| (x as f32).to_bits() as u64).collect()
}

fn f64_codes(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn every_code_of_every_format_decodes_to_the_definition() {
    for (name, from) in catalogue() {
        let is_short = from.width() <= 8;
        // Elements may have bits above the width.
        let last = if is_short { 0xff } else { from.last_code().max(0xfff) as u16 };
        let codes: Vec<u16> = (0..=last).collect();
        let bytes: Vec<u8> = codes.iter().map(|&code| code as u8).collect();
        let values: Vec<_> = codes.iter().map(|&code| decode(from, code.into())).collect();
        let wanted = |to: &str| -> Vec<u64> {
            let to = format(to);
            values.iter().map(|value| project(to, *value, Projection::default()).code).collect()
        };
        let (of_f32, of_f64) = (wanted(F32), wanted(F64));
        let of_halves = is_short.then(|| [wanted("f16"), wanted("bf16")]);
        for isa in legs() {
            let decoder = Decoder::new(from).unwrap().with_isa(isa);
            let check = |to: &str, got: Vec<u64>, wanted: &[u64]| {
                for (code, (got, wanted)) in got.iter().zip(wanted).enumerate() {
                    assert_eq!(got, wanted, "{isa}: {name} {code:#x} to {to}");
                }
            };
            let bits = |singles: &[f32]| singles.iter().map(|single| single.to_bits().into()).collect();
            let wide = |halves: &[u16]| halves.iter().map(|&half| half.into()).collect();
            let (mut singles, mut doubles) = (vec![1f32; codes.len()], vec![1f64; codes.len()]);
            decoder.decode_f32(&codes, &mut singles).unwrap();
            check(F32, bits(&singles), &of_f32);
            decoder.decode_f64(&codes, &mut doubles).unwrap();
            check(F64, f64_codes(&doubles), &of_f64);
            let Some([of_f16, of_bf16]) = &of_halves else { continue };
            let mut halves = vec![1u16; codes.len()];
            decoder.decode_f16(&codes, &mut halves).unwrap();
            check("f16", wide(&halves), of_f16);
            decoder.decode_bf16(&codes, &mut halves).unwrap();
            check("bf16", wide(&halves), of_bf16);
            singles.fill(1.0);
            decoder.decode_f32(&bytes, &mut singles).unwrap();
            check("f32 of bytes", bits(&singles), &of_f32);
            halves.fill(1);
            decoder.decode_f16(&bytes, &mut halves).unwrap();
            check("f16 of bytes", wide(&halves), of_f16);
        }
    }
}

#[test]
fn random_formats_decode_to_the_definition() {
    let mut random = Stream::new(5);
    let legs = legs();
    for _ in 0..300 {
        let from = random_format(&mut random);
        let codes: Vec<u16> = (0..=from.last_code().min(0xffff) as u16).collect();
        for &isa in &legs {
            let mut got = vec![1f32; codes.len()];
            Decoder::new(from).unwrap().with_isa(isa).decode_f32(&codes, &mut got).unwrap();
            for (&code, got) in codes.iter().zip(&got) {
                let want = project(format(F32), decode(from, code as u64), Projection::default()).code;
                assert_eq!(got.to_bits() as u64, want, "{isa}: {from} {code:#x}");
            }
        }
    }
}

#[test]
fn decoding_with_a_projection_rounds_by_it() {
    let from = format("binary8p1");
    let codes: Vec<u8> = (0..=255).collect();
    for how in projections() {
        let mut got = vec![0u16; 256];
        Decoder::new(from).unwrap().with_projection(how).decode_f16(&codes, &mut got).unwrap();
        for (&code, got) in codes.iter().zip(&got) {
            assert_eq!(
                *got as u64,
                project(format("f16"), decode(from, code as u64), how).code,
                "{code:#x} {how:?}"
            );
        }
    }
}

#[test]
fn edges_in_every_mode_encode_to_the_definition() {
    let legs = legs();
    let mut random = Stream::new(1);
    for name in SEEDS.iter().chain(&OTHERS) {
        let to = format(name);
        let edges = edges(to, &mut random);
        for how in projections() {
            check(&legs, F32, &f32_codes(&edges), to, how.rounding, how.saturation);
            check(&legs, F64, &f64_codes(&edges), to, how.rounding, how.saturation);
        }
    }
}

#[test]
fn p3109_formats_by_edition_4_encode_to_the_definition() {
    let legs = legs();
    let mut random = Stream::new(7);
    for name in [
        "binary8p3se",
        "binary8p4sf",
        "binary8p4uf",
        "binary8p3ue",
        "binary4p2sf",
        "binary16p11sf",
        "binary8p1uf",
    ] {
        let to = format(name);
        let codes = f32_codes(&edges(to, &mut random));
        for how in projections() {
            let value = |&code: &u64| decode(format(F32), code);
            let denormal = |&code: &u64| Datum::new(format(F32), code).unwrap().is_denormal();
            let want = codes.iter().map(|code| {
                let rounded = project_in(to, value(code), how, Edition::V4);
                Rounded { flags: rounded.flags | Flags::DENORMAL.when(denormal(code)), ..rounded }
            });
            let encoder = Encoder::in_edition(to, how, Edition::V4).unwrap();
            compare(&legs, &encoder, F32, &codes, &want.collect::<Vec<_>>());
        }
    }
}

#[test]
fn strided_binary32_words_encode_to_the_definition() {
    let legs = legs();
    // Every 4099th word (a prime), both signs.
    let codes: Vec<u64> = (0..1u64 << 32).step_by(4099).collect();
    for name in SEEDS {
        let to = format(name);
        let line: Vec<f32> = codes.iter().map(|&code| f32::from_bits(code as u32)).collect();
        for how in projections() {
            let want = expected(format(F32), &codes, to, |_| how);
            for &isa in &legs {
                let mut got = vec![0xee_u8; codes.len()];
                let encoder = Encoder::new(to, how.rounding, how.saturation).unwrap().with_isa(isa);
                encoder.encode_f32(&line, &mut got).unwrap();
                if let Some(i) = (0..codes.len()).find(|&i| got[i] as u16 != want[i]) {
                    panic!(
                        "{isa}: {:#x} to {name} {how:?}: got {:#x}, want {:#x}",
                        codes[i], got[i], want[i]
                    );
                }
            }
        }
    }
}

#[test]
fn sixteen_bit_sources_encode_to_the_definition() {
    let legs = legs();
    let codes: Vec<u64> = (0..=0xffff).collect();
    for name in
        ["cfloat8_1_4_3@bias=40", "float8_e4m3fn", "binary8p3uf", "uhp", "binary16p3", "float6_e2m3fn"]
    {
        for how in projections() {
            check(&legs, "bf16", &codes, format(name), how.rounding, how.saturation);
            check(&legs, "f16", &codes, format(name), how.rounding, how.saturation);
        }
    }
}

#[test]
fn random_formats_encode_to_the_definition() {
    let legs = legs();
    let mut random = Stream::new(3);
    for round in 0..400 {
        let to = random_format(&mut random);
        let mut values = edges(to, &mut random);
        values.truncate(3000);
        let codes: Vec<u64> = (0..500).map(|_| random.bits()).collect();
        let mut singles = f32_codes(&values);
        singles.extend(codes.iter().map(|code| code >> 32));
        let mut doubles = f64_codes(&values);
        doubles.extend(codes);
        let how = projections()[round % 18];
        check(&legs, F32, &singles, to, how.rounding, how.saturation);
        check(&legs, F64, &doubles, to, how.rounding, how.saturation);
        let mode = stochastics()[round % 8];
        check(&legs, F32, &singles, to, mode, how.saturation);
        check(&legs, F64, &doubles, to, mode, how.saturation);
    }
}

/// Such numbers round up rarely under stochastic modes, and only if the upper bits of the random word are ones.
#[test]
fn numbers_far_below_the_least_one_round_up_as_the_definition_does() {
    let legs = legs();
    let mut random = Stream::new(6);
    for name in ["float8_e4m3fn", "float8_e5m2", "float4_e2m1fn", "f16", "cfloat8_1_4_3@bias=7"] {
        let to = format(name);
        let binade::Value::Finite(least) = decode(to, 1) else { panic!("a number") };
        let least = least.log2_floor() as i32;
        let codes: Vec<u64> = (0..1 << 13)
            .map(|at| match at % 5 {
                0 => 0,
                step => {
                    let exponent = (127 + least - 6 - step - random.below(3) as i32) as u32;
                    u64::from(random.word() & 0x807f_ffff | exponent << 23)
                }
            })
            .collect();
        for mode in stochastics().into_iter().take(4) {
            check(&legs, F32, &codes, to, mode, Saturation::Overflow);
        }
    }
}

#[test]
fn stochastic_rounding_equals_the_definition() {
    let legs = legs();
    let mut random = Stream::new(2);
    for name in SEEDS.iter().chain(&OTHERS) {
        let to = format(name);
        let edges = edges(to, &mut random);
        for mode in stochastics() {
            for saturation in [Saturation::Overflow, Saturation::Max] {
                check(&legs, F32, &f32_codes(&edges), to, mode, saturation);
                check(&legs, F64, &f64_codes(&edges), to, mode, saturation);
            }
        }
    }
}

/// Ties and their neighbours, where going through binary32 would round twice.
#[test]
fn binary64_near_ties_rounds_once() {
    let legs = legs();
    for name in ["float8_e4m3fn", "binary8p3", "cfloat8_1_5_2@bias=20", "shp@bias=31", "bf16"] {
        let to = format(name);
        let mut values = vec![];
        for code in 0..to.max_finite_code().min(2000) {
            let value = |code| match decode(to, code) {
                binade::Value::Finite(x) => x.significand as f64 * 2f64.powi(x.exponent as i32),
                _ => 0.0,
            };
            let tie = (value(code) + value(code + 1)) / 2.0;
            values.extend((-3i64..=3).map(|ulps| f64::from_bits(tie.to_bits().wrapping_add(ulps as u64))));
        }
        let twice = |x: f64| {
            project(to, decode(format(F32), (x as f32).to_bits() as u64), Projection::default()).code
        };
        let once = expected(format(F64), &f64_codes(&values), to, |_| Projection::default());
        assert!(
            values.iter().zip(&once).any(|(x, once)| twice(*x) != *once as u64),
            "{name}: no test of anything"
        );
        check(&legs, F64, &f64_codes(&values), to, Rounding::NearestEven, Saturation::Overflow);
    }
}

/// The same bits for any length, alignment, chunking, thread count and leg.
#[test]
fn results_are_independent_of_chunks_threads_and_alignment() {
    let mut random = Stream::new(9);
    let values: Vec<f32> = (0..300_001).map(|_| f32::from_bits(random.word() & 0xbfff_ffff)).collect();
    for name in ["cfloat8_1_4_3@bias=7", "float8_e4m3fn", "shp@bias=31"] {
        for rounding in [Rounding::NearestEven, stochastics()[0]] {
            let encoder = Encoder::new(format(name), rounding, Saturation::Overflow)
                .unwrap()
                .with_seed(7)
                .starting_at(12_345);
            let mut want = vec![0u16; values.len()];
            encoder.with_isa(Isa::PORTABLE).encode_f32(&values, &mut want).unwrap();
            for isa in legs() {
                let encoder = encoder.with_isa(isa);
                for threads in [1, 2, 3] {
                    let mut got = vec![0u16; values.len()];
                    encoder.with_threads(threads).encode_f32(&values, &mut got).unwrap();
                    assert_eq!(got, want, "{isa}: {threads} threads");
                }
                let mut got = vec![0u16; values.len()];
                let mut at = 0;
                while at < values.len() {
                    let end = (at + 1 + random.below(3000)).min(values.len());
                    encoder
                        .starting_at(12_345 + at as u64)
                        .encode_f32(&values[at..end], &mut got[at..end])
                        .unwrap();
                    at = end;
                }
                assert_eq!(got, want, "{isa}: chunks");
                for length in 0..200 {
                    let at = length % 67;
                    let mut got = vec![0xeeeeu16; length + 2];
                    let piece = encoder.starting_at(12_345 + at as u64);
                    piece.encode_f32(&values[at..at + length], &mut got[1..=length]).unwrap();
                    assert_eq!(got[1..=length], want[at..at + length], "{isa}: length {length}");
                    assert_eq!((got[0], got[length + 1]), (0xeeee, 0xeeee));
                }
            }
        }
    }
}

/// Slices large enough to be streamed, at odd alignments.
#[test]
fn streamed_slices_equal_their_parts() {
    let count = (8 << 20) + 777;
    let values: Vec<f32> = (0..count as u32).map(|i| f32::from_bits(i.wrapping_mul(0x9e37_79b9))).collect();
    let to = format("float8_e4m3fnuz");
    for isa in legs() {
        let encoder = Encoder::new(to, Rounding::NearestEven, Saturation::Overflow).unwrap().with_isa(isa);
        let decoder = Decoder::new(to).unwrap().with_isa(isa);
        let (mut whole, mut back) = (vec![0u8; count], vec![0f32; count]);
        encoder.encode_f32(&values[3..], &mut whole[3..]).unwrap();
        decoder.decode_f32(&whole[3..], &mut back[3..]).unwrap();
        for (at, piece) in values.chunks(1000).enumerate().skip(1) {
            let (mut codes, mut values) = (vec![0u8; piece.len()], vec![0f32; piece.len()]);
            encoder.encode_f32(piece, &mut codes).unwrap();
            decoder.decode_f32(&codes, &mut values).unwrap();
            assert_eq!(codes, whole[at * 1000..at * 1000 + piece.len()], "{isa}");
            let same = values.iter().zip(&back[at * 1000..]).all(|(a, b)| a.to_bits() == b.to_bits());
            assert!(same, "{isa}");
        }
    }
}

#[test]
fn rounding_in_place_equals_encoding_and_decoding() {
    let mut random = Stream::new(4);
    for name in [
        "cfloat8_1_4_3@bias=7",
        "float8_e4m3fn",
        "binary8p3uf",
        "shp@bias=31",
        "binary16p3",
        "float8_e8m0fnu",
    ] {
        let to = format(name);
        let values = edges(to, &mut random);
        for isa in legs() {
            for rounding in [Rounding::NearestEven, Rounding::TowardNegative, stochastics()[0]] {
                let how = |i: usize| Projection::new(drawn(rounding, 3, 100 + i as u64), Saturation::Finite);
                let rounder = Rounder::new(to, rounding, Saturation::Finite).unwrap();
                let rounder = rounder.with_isa(isa).with_seed(3).starting_at(100).with_threads(2);
                let mut doubles = values.clone();
                rounder.round_in_place_f64(&mut doubles);
                let mut singles: Vec<f32> = values.iter().map(|&x| x as f32).collect();
                let before = singles.clone();
                rounder.round_in_place(&mut singles);
                for i in 0..values.len() {
                    let through = |from: &str, code| {
                        let middle = project(to, decode(format(from), code), how(i)).code;
                        project(format(from), decode(to, middle), Projection::default()).code
                    };
                    assert_eq!(
                        doubles[i].to_bits(),
                        through(F64, values[i].to_bits()),
                        "{isa}: {name} {:e}",
                        values[i]
                    );
                    assert_eq!(
                        singles[i].to_bits() as u64,
                        through(F32, before[i].to_bits() as u64),
                        "{isa}: {name}"
                    );
                }
            }
        }
    }
}

#[test]
fn wrong_formats_and_lengths_are_errors() {
    let encoder = Encoder::new(format("f16"), Rounding::NearestEven, Saturation::Overflow).unwrap();
    assert_eq!(
        encoder.encode_f32(&[1.0], &mut [0u8]).unwrap_err().to_string(),
        "codes of f16 have 16 bits and do not fit elements of 8: use a slice of u16"
    );
    assert_eq!(
        encoder.encode_f32(&[1.0], &mut [0u16; 2]).unwrap_err(),
        KernelError::Length { what: "the destination", given: 2, expected: 1 }
    );
    assert_eq!(
        Decoder::new(format(F32)).unwrap_err().to_string(),
        "f32 has 32 bits: bulk kernels take formats of up to 16"
    );
    let decoder = Decoder::new(format("uhp")).unwrap();
    assert!(decoder.decode_f32(Codes::Bytes(&[1]), &mut [0.0]).is_err());
    assert!(decoder.decode_f32(&[1u16], &mut []).is_err());
}

/// Every upper half of binary32 with lower halves at and beside ties, through codes and without them. On AArch64, which
/// is usually emulated, every fifth.
#[test]
fn rounding_within_binary32_equals_encoding_and_decoding() {
    let lower = [0, 1, 0x7fff, 0x8000, 0x8001];
    // A part of the upper halves, another part in the next format: every exponent, with about 43 significands each.
    let step: u16 = if cfg!(target_arch = "aarch64") { 5 } else { 3 };
    let parts: Vec<Vec<f32>> = (0..step)
        .map(|first| {
            (first..=u16::MAX)
                .step_by(usize::from(step))
                .flat_map(|upper| lower.map(|lower: u32| f32::from_bits(u32::from(upper) << 16 | lower)))
                .collect()
        })
        .collect();
    let mut random = Stream::new(11);
    let named = catalogue().into_iter().map(|(_, format)| format);
    let formats = named.chain((0..8).map(|_| random_format(&mut random)));
    for (to, before) in formats.filter(|format| format.width() <= 16).zip(parts.iter().cycle()) {
        let mut codes = vec![0u16; before.len()];
        let encoder = Encoder::new(to, Rounding::NearestEven, Saturation::Overflow).unwrap();
        encoder.encode_f32(before, &mut codes).unwrap();
        let mut expected = vec![0.0; before.len()];
        Decoder::new(to).unwrap().decode_f32(&codes, &mut expected).unwrap();
        for isa in legs() {
            let rounder = Rounder::new(to, Rounding::NearestEven, Saturation::Overflow).unwrap();
            let rounder = rounder.with_isa(isa);
            let (mut values, mut others) = (before.clone(), vec![f32::NAN; before.len()]);
            rounder.round_in_place(&mut values);
            rounder.round(before, &mut others);
            for got in [values, others] {
                let differs = |at: &usize| got[*at].to_bits() != expected[*at].to_bits();
                if let Some(at) = (0..before.len()).find(differs) {
                    let (x, got, expected) = (before[at].to_bits(), got[at], expected[at]);
                    panic!("{isa}: {to:?} {x:#x}: {got:e}, not {expected:e}");
                }
            }
        }
    }
}

/// Against one number after another, with rows of any width that are not contiguous.
#[test]
fn folds_of_rows_equal_rounded_steps() {
    let (rows, stride) = (101, 151);
    let mut random = Stream::new(12);
    // The last rows leave most totals of extremes unchanged.
    let scale = |at: usize| if at < 20 * stride { 1.0 } else { 0.125 };
    let tame: Vec<f32> = (0..rows * stride).map(|at| ((at % 7) as f32 * 0.37 - 1.0) * scale(at)).collect();
    let put = |into: &mut [f32], numbers: &[f32], times: usize, random: &mut Stream| {
        (0..times * numbers.len()).for_each(|i| {
            let at = random.word() as usize % into.len();
            into[at] = numbers[i % numbers.len()];
        });
    };
    // Zeros of both signs and subnormal numbers; numbers below everything; numbers that overflow in some formats;
    // anything.
    let mut small = tame.clone();
    put(&mut small, &[0.0, -0.0, 1e-42, -1e-42, 1e-3, -1e-9], 500, &mut random);
    let mut masked = small.clone();
    put(&mut masked, &[f32::NEG_INFINITY, -1e30], 100, &mut random);
    let mut large = small.clone();
    put(&mut large, &[15.5, -31.0, 300.0, -448.0, 464.0, 465.0], 6, &mut random);
    let mut wild = small.clone();
    let specials = [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN];
    put(&mut wild[..20 * stride], &specials, 1, &mut random);
    let any: Vec<f32> = (0..300).map(|_| f32::from_bits(random.word())).collect();
    put(&mut wild[..20 * stride], &any, 1, &mut random);
    // NaNs that rounding would carry into the sign, if it treated them as numbers.
    let mut carried = small.clone();
    for (row, column, bits) in [(60, 10, 0x7fff_ffff), (99, 40, 0xffff_8000), (30, 63, 0x7fff_8001)] {
        carried[row * stride + column] = f32::from_bits(bits);
    }
    // An infinity that results from rounding, and one of the other sign, at the end.
    let mut opposite = small.clone();
    for (row, column, x) in [(97, 20, f32::MAX), (99, 20, f32::NEG_INFINITY)] {
        opposite[row * stride + column] = x;
    }
    // All rows but the first, transposed, with other numbers between them.
    let columns = |x: &[f32]| {
        let mut columns = vec![f32::NAN; stride * (rows + 3)];
        for column in 0..stride {
            for row in 1..rows {
                columns[column * (rows + 3) + row - 1] = x[row * stride + column];
            }
        }
        columns
    };
    type Step = fn(f32, f32) -> f32;
    let folds: [(Fold, Step); 4] = [
        (Fold::Add, |x, y| x + y),
        (Fold::Multiply, |x, y| x * y),
        (Fold::Maximum, arithmetic::maximum),
        (Fold::Minimum, arithmetic::minimum),
    ];
    // Not rounded: extremes only.
    for (fold, step) in folds {
        for (x, width) in [&tame, &small, &masked, &wild, &carried]
            .into_iter()
            .flat_map(|x| [1, 64, 151].map(|width| (x, width)))
        {
            let mut expected = x[..width].to_vec();
            for row in 1..rows {
                let all = expected.iter_mut().zip(&x[row * stride..]);
                all.for_each(|(total, &x)| *total = step(*total, x));
            }
            for isa in legs() {
                let mut totals = x[..width].to_vec();
                let done = extremes(isa, fold, &columns(x), rows + 3, rows - 1, &mut totals);
                assert_eq!(done, matches!(fold, Fold::Maximum | Fold::Minimum), "{fold:?}");
                for (total, expected) in totals.iter().zip(&expected).filter(|_| done) {
                    let same = total.to_bits() == expected.to_bits() || total.is_nan() && expected.is_nan();
                    assert!(same, "{isa}: {fold:?}, {width}: {total:e}, not {expected:e}");
                }
            }
        }
    }
    // With a gap below one, without subnormals, and by way of codes.
    for name in ["bf16", "f16", "float8_e4m3fn", "float8_e5m2", "binary8p3", "shp@bias=31", "uhp"] {
        let rounder = Rounder::new(format(name), Rounding::NearestEven, Saturation::Overflow).unwrap();
        for (fold, step) in folds {
            let all = [&tame, &small, &masked, &large, &wild, &carried, &opposite];
            for (x, width) in all.into_iter().flat_map(|x| [0, 1, 15, 64, 151].map(|width| (x, width))) {
                let mut expected = x[..width].to_vec();
                for row in 1..rows {
                    let all = expected.iter_mut().zip(&x[row * stride..]);
                    all.for_each(|(total, &x)| *total = step(*total, x));
                    rounder.clone().with_isa(Isa::PORTABLE).round_in_place(&mut expected);
                }
                for isa in legs() {
                    let mut totals = x[..width].to_vec();
                    let rounder = rounder.clone().with_isa(isa);
                    rounder.fold_rows(fold, &x[stride..], stride, rows - 1, &mut totals);
                    let same = |totals: &[f32], how: &str| {
                        for (total, expected) in totals.iter().zip(&expected) {
                            let same = total.to_bits() == expected.to_bits();
                            assert!(
                                same,
                                "{isa}: {name}, {fold:?}, {width}, {how}: {total:e}, not {expected:e}"
                            );
                        }
                    };
                    same(&totals, "rows");
                    // The same with the elements of each total contiguous.
                    let mut totals = x[..width].to_vec();
                    let done = rounder.fold_each(fold, &columns(x), rows + 3, rows - 1, &mut totals);
                    assert_eq!(done, rounder.is_within_binary32(), "{isa}: {name}, {fold:?}");
                    if done {
                        same(&totals, "columns");
                    }
                }
            }
        }
    }
}
