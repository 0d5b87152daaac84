//! Blocks in bulk against the definitions in `binade::block`, on every leg.

mod common;

use binade::block::{BlockFormat, Blocks, ScaleRule};
use binade::catalog::{BF16, F16, F32, F64};
use binade::philox::Stream;
use binade::{Datum, Edition, Format, Projection, Rounding, Saturation, Value, decode, ops, project};
use binade_kernels::{BlockDecoder, BlockEncoder, KernelError, TensorScale, pack};
use common::legs;

const NAMES: [&str; 7] = ["mxfp8_e4m3", "mxfp8_e5m2", "mxfp6_e3m2", "mxfp6_e2m3", "mxfp4", "mxint8", "nvfp4"];

fn all() -> impl Iterator<Item = BlockFormat> {
    NAMES.iter().flat_map(|name| {
        let format: BlockFormat = name.parse().unwrap();
        ScaleRule::ALL.into_iter().map(move |rule| BlockFormat { rule, ..format })
    })
}

/// Numbers of a source format in rows: blocks of any magnitude, with few bits or all, including ties, zeros,
/// infinities, NaNs and subnormals.
fn numbers(from: Format, count: usize, seed: u64) -> Vec<u64> {
    let mut random = Stream::new(seed);
    let magnitudes = 1u64 << (from.width() - 1);
    let trailing = from.precision() - 1;
    let mut base = 0;
    (0..count)
        .map(|at| {
            if at % 16 == 0 {
                base = (random.word() as u64 * magnitudes) >> 32;
            }
            let (kind, word) = (random.word() % 64, random.word() as u64);
            let near = base.saturating_sub((word % 6) << trailing);
            let few = near & !((1 << (trailing - 3.min(trailing))) - 1);
            let magnitude = match kind {
                0 if at / 32 % 4 == 0 => word % magnitudes,
                1..4 => 0,
                4..8 => word % (1 << trailing),
                8..40 => few,
                40..48 => (few + (word >> 16) % 3).saturating_sub(1),
                _ => near ^ word & ((1 << trailing) - 1),
            };
            magnitude.min(magnitudes - 1) | ((random.word() as u64 & 1) * magnitudes)
        })
        .collect()
}

fn datums(from: Format, codes: &[u64]) -> Vec<Datum> {
    codes.iter().map(|&code| Datum::new(from, code).unwrap()).collect()
}

fn encoded(encoder: &BlockEncoder, from: Format, codes: &[u64], columns: usize) -> (Vec<u8>, Vec<u8>) {
    let format = encoder.format();
    let mut scales = vec![0xee; codes.len() / columns * columns.div_ceil(format.shape.1)];
    let width = format.element.width();
    let mut packed = vec![0xee; pack::bytes(codes.len(), width)];
    let halves: Vec<u16> = codes.iter().map(|&code| code as u16).collect();
    if format.shape.1 == 16 && width == 4 {
        // Encoding many numbers first makes the encoder compute its plans, which small inputs then use too.
        let many = vec![0.0; 1 << 15];
        encoder
            .encode_f32(&many, many.len(), &mut vec![0; many.len() / 16], &mut vec![0; many.len() / 2])
            .unwrap();
    }
    match from {
        F32 => {
            let source: Vec<f32> = codes.iter().map(|&code| f32::from_bits(code as u32)).collect();
            encoder.encode_f32(&source, columns, &mut scales, &mut packed)
        }
        BF16 => encoder.encode_bf16(&halves, columns, &mut scales, &mut packed),
        _ => encoder.encode_f16(&halves, columns, &mut scales, &mut packed),
    }
    .unwrap();
    let mut elements = vec![0; codes.len()];
    pack::unpack(width, &packed, &mut elements).unwrap();
    (scales, elements)
}

fn bytes(codes: &[u64]) -> Vec<u8> {
    codes.iter().map(|&code| code as u8).collect()
}

#[test]
fn encoding_by_any_rule_from_any_source_equals_the_definition() {
    for (number, format) in all().enumerate() {
        for from in [F32, BF16, F16] {
            // Whole chunks and a part; rows that end within a block; rows shorter than a block.
            for (count, columns) in [(4096 + 96, 32), (150, 50), (35, 7)] {
                let codes = numbers(from, count, 100 * number as u64 + count as u64);
                let Blocks { scales, elements, .. } = format.encode(&datums(from, &codes), columns).unwrap();
                for isa in legs() {
                    let encoder = BlockEncoder::new(format).unwrap().with_isa(isa);
                    let (of_scales, of_elements) = encoded(&encoder, from, &codes, columns);
                    assert_eq!(of_scales, bytes(&scales), "{format:?} {from} {columns} {isa}");
                    for (at, (got, wanted)) in of_elements.iter().zip(&elements).enumerate() {
                        assert_eq!(
                            *got as u64, *wanted,
                            "{format:?} {from} {columns} {isa} {at} {:#x}",
                            codes[at]
                        );
                    }
                }
            }
        }
    }
}

/// Long runs without special numbers, and some with them, so that kernels of many blocks start and stop.
#[test]
fn encoding_many_blocks_equals_the_definition() {
    for (number, format) in all().enumerate() {
        for from in [F32, BF16, F16] {
            let mut codes = numbers(from, 5 * 1024 + 32, 77 + number as u64);
            let (trailing, sign) = (from.precision() - 1, 1 << (from.width() - 1));
            // Exponent fields from a third to two thirds of their range: no infinities, and no element near a
            // subnormal.
            let fields = 1u64 << (from.width() - 1 - trailing);
            for code in &mut codes {
                let field = (*code & (sign - 1)) >> trailing;
                let zero = *code & (sign - 1) < 2;
                *code = *code & (sign | ((1 << trailing) - 1)) | (fields / 3 + field / 3) << trailing;
                *code = if zero { *code & sign } else { *code };
            }
            // Blocks of zeros of both signs have a scale of their own.
            codes[64..128].iter_mut().for_each(|code| *code &= sign);
            for special in [None, Some(number % 3)] {
                let mut codes = codes.clone();
                if let Some(group) = special {
                    // A NaN, an infinity, or a block of subnormals.
                    let at = 4096 + 37 * group;
                    match group {
                        0 => codes[at] = sign - 1,
                        1 => codes[at] = sign | (fields - 1) << trailing,
                        _ => codes[4096..4128].iter_mut().for_each(|code| *code %= 1 << trailing),
                    }
                }
                let Blocks { scales, elements, .. } = format.encode(&datums(from, &codes), 32).unwrap();
                for isa in legs() {
                    let encoder = BlockEncoder::new(format).unwrap().with_isa(isa);
                    let (of_scales, of_elements) = encoded(&encoder, from, &codes, 32);
                    assert_eq!(of_scales, bytes(&scales), "{format:?} {from} {special:?} {isa}");
                    for (at, (got, wanted)) in of_elements.iter().zip(&elements).enumerate() {
                        let code = codes[at];
                        assert_eq!(
                            *got as u64, *wanted,
                            "{format:?} {from} {special:?} {isa} {at} {code:#x}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn scales_at_every_threshold_equal_the_definition() {
    for format in all() {
        // In each binade the numbers from which thresholds are made, and their neighbours.
        let points =
            [0u32, 1 << 22, 0x60_0000, 0x70_0000, 0x28_0000, 0x34_0000, 0x10_0000, 0x7f_ffff, 0x78_0000];
        let words = (0..255u32).flat_map(|field| {
            points.iter().flat_map(move |point| {
                [-1i32, 0, 1].map(|near| ((field << 23 | point) as i32 + near).max(0) as u32)
            })
        });
        let words: Vec<u64> = words.map(u64::from).filter(|&word| word < 0x7f80_0000).collect();
        let encoder = BlockEncoder::new(BlockFormat { shape: (1, 1), ..format }).unwrap();
        let (scales, _) = encoded(&encoder, F32, &words, words.len());
        for (word, scale) in words.iter().zip(scales) {
            let wanted =
                format.rule.scale(Datum::new(F32, *word).unwrap(), format.element.grid(), format.scale);
            assert_eq!(scale as u64, wanted, "{format:?} {word:#x}");
        }
    }
}

#[test]
fn decoding_any_block_equals_the_definition() {
    for name in NAMES {
        let format: BlockFormat = name.parse().unwrap();
        let mut random = Stream::new(7);
        // Few blocks, blocks that end with their rows, and many.
        for (rows, columns) in [(80, 32), (80, 50), (520, 32)] {
            let width = format.element.width();
            let across = usize::div_ceil(columns, format.shape.1);
            let scales: Vec<u8> = (0..rows * across).map(|at| at as u8 ^ (random.word() & 1) as u8).collect();
            let elements: Vec<u8> =
                (0..rows * columns).map(|_| (random.word() & ((1 << width) - 1)) as u8).collect();
            let mut packed = vec![0; pack::bytes(elements.len(), width)];
            pack::pack(width, &elements, &mut packed).unwrap();
            let wide = |codes: &[u8]| codes.iter().map(|&code| code as u64).collect();
            let blocks = Blocks { columns, scales: wide(&scales), elements: wide(&elements) };
            for (to, isa) in
                [F32, BF16, F16].into_iter().flat_map(|to| legs().into_iter().map(move |isa| (to, isa)))
            {
                let decoder = BlockDecoder::new(format).unwrap().with_isa(isa);
                // Signs of zeros, and the bits of NaN, are the same on all legs.
                let [mut here, mut portable] = [(); 2].map(|()| vec![0f32; elements.len()]);
                for (isa, values) in [(isa, &mut here), (binade_simd::Isa::PORTABLE, &mut portable)] {
                    let decoder = decoder.clone().with_isa(isa).in_edition(Edition::Interim);
                    decoder.decode_f32(&scales, &packed, columns, values).unwrap();
                }
                assert!(here.iter().zip(&portable).all(|(a, b)| a.to_bits() == b.to_bits()), "{name} {isa}");
                let (mut single, mut half) = (vec![0f32; elements.len()], vec![0u16; elements.len()]);
                match to {
                    F32 => decoder.decode_f32(&scales, &packed, columns, &mut single),
                    BF16 => decoder.decode_bf16(&scales, &packed, columns, &mut half),
                    _ => decoder.decode_f16(&scales, &packed, columns, &mut half),
                }
                .unwrap();
                let wanted = format.decode(&blocks, to, Projection::default()).unwrap();
                for (at, wanted) in wanted.iter().enumerate() {
                    let got = if to == F32 { single[at].to_bits() as u64 } else { half[at] as u64 };
                    let nan = |code| matches!(decode(to, code), Value::Nan { .. });
                    let same = got == wanted.code || nan(got) && nan(wanted.code);
                    assert!(same, "{name} {to} {isa} {at}: {got:#x} {:#x}", wanted.code);
                }
            }
        }
    }
}

/// Any number of blocks, also of other lengths, gives the same results on all legs, and those of the definition.
#[test]
fn blocks_of_any_number_and_length_are_the_same_on_all_legs() {
    for (name, length) in NAMES.into_iter().flat_map(|name| [16, 24, 32, 48, 64].map(|length| (name, length)))
    {
        let format = BlockFormat { shape: (1, length), ..name.parse().unwrap() };
        let width = format.element.width();
        for blocks in [1, 2, 3, 5, 8, 9, 43, 128, 137] {
            let count = blocks * length;
            for from in [F32, BF16, F16] {
                let mut codes = numbers(from, count, (count + length) as u64);
                // Most of them are finite, as kernels of whole vectors need.
                let sign = 1 << (from.width() - 1);
                codes.iter_mut().for_each(|code| *code &= sign | (sign - 1) ^ (sign >> 1));
                let wanted = format.encode(&datums(from, &codes), length).unwrap();
                for isa in legs() {
                    let encoder = BlockEncoder::new(format).unwrap().with_isa(isa);
                    let (scales, elements) = encoded(&encoder, from, &codes, length);
                    assert_eq!(scales, bytes(&wanted.scales), "{format:?} {from} {blocks} {isa}");
                    assert_eq!(elements, bytes(&wanted.elements), "{format:?} {from} {blocks} {isa}");
                }
            }
            let mut random = Stream::new(count as u64);
            let mut bytes = |count| -> Vec<u8> { (0..count).map(|_| random.word() as u8).collect() };
            let (scales, packed) = (bytes(blocks), bytes(pack::bytes(count, width)));
            for edition in [Edition::Interim, Edition::V4] {
                let decoded = |isa| {
                    let decoder = BlockDecoder::new(format).unwrap().in_edition(edition).with_isa(isa);
                    let (mut single, [mut brain, mut half]) =
                        (vec![0f32; count], [(); 2].map(|()| vec![1; count]));
                    decoder.decode_f32(&scales, &packed, length, &mut single).unwrap();
                    decoder.decode_bf16(&scales, &packed, length, &mut brain).unwrap();
                    decoder.decode_f16(&scales, &packed, length, &mut half).unwrap();
                    let mut words: Vec<u32> = single.iter().map(|x| x.to_bits()).collect();
                    if name == "nvfp4" {
                        // Products that underflow, that overflow and that do neither.
                        for factor in [1e-45, 3e-39, 0.3, 2e38] {
                            let tensor = TensorScale::Factor(factor);
                            let decoder = decoder.clone().with_tensor_scale(tensor).unwrap();
                            decoder.decode_f32(&scales, &packed, length, &mut single).unwrap();
                            words.extend(single.iter().map(|x| x.to_bits()));
                        }
                    }
                    (words, brain, half)
                };
                let portable = decoded(binade_simd::Isa::PORTABLE);
                for isa in legs() {
                    assert!(decoded(isa) == portable, "{format:?} {blocks} {edition:?} {isa}");
                }
            }
        }
    }
}

/// Elements that are streamed to any address equal those of their parts, wherever a kernel stops.
#[test]
fn streamed_encoding_equals_encoding_of_parts() {
    let (columns, rows) = (1 << 10, 1 << 10);
    let mut random = Stream::new(12);
    let plain: Vec<f32> = (0..rows * columns)
        .map(|_| random.word() as i32 as f32 * (random.word() as f32) * 2f32.powi(-60))
        .collect();
    let mut stopped = plain.clone();
    for (at, special) in [(5000, f32::NAN), (70_001, f32::INFINITY), (300_500, 1e-40), (1_000_000, f32::NAN)]
    {
        stopped[at..at + 32].fill(special);
    }
    for name in NAMES {
        let format: BlockFormat = name.parse().unwrap();
        let size = pack::bytes(rows * columns, format.element.width());
        // Under a factor some numbers are too close to a tie to distinguish.
        let tensors = if name == "nvfp4" {
            vec![TensorScale::None, TensorScale::Factor(0.3)]
        } else {
            vec![TensorScale::None]
        };
        for (isa, tensor) in
            legs().into_iter().flat_map(|isa| tensors.iter().map(move |&tensor| (isa, tensor)))
        {
            let encoder = BlockEncoder::new(format).unwrap().with_isa(isa).with_tensor_scale(tensor).unwrap();
            for source in [&plain, &stopped] {
                let (mut scales, mut parts) = (vec![0; rows * columns / format.shape.1], vec![0; size]);
                let each = scales.len() / 8;
                let of_parts = scales.chunks_mut(each).zip(parts.chunks_mut(size / 8));
                for (numbers, (scales, part)) in source.chunks(rows * columns / 8).zip(of_parts) {
                    encoder.encode_f32(numbers, columns, scales, part).unwrap();
                }
                for from in [0, 1, 48, 63] {
                    let (mut of_whole, mut elements) = (vec![0; scales.len()], vec![0xee; size + from + 1]);
                    let whole = &mut elements[from..from + size];
                    encoder.encode_f32(source, columns, &mut of_whole, whole).unwrap();
                    assert!(whole == parts && of_whole == scales, "{name} {isa} {tensor:?} {from}");
                    assert!(elements[..from].iter().chain(elements.last()).all(|&byte| byte == 0xee));
                }
            }
        }
    }
}

/// Enough numbers to be streamed, from any address on, equal those of their parts.
#[test]
fn streamed_decoding_equals_decoding_of_parts() {
    let (columns, rows) = (1 << 10, 1 << 10);
    for name in NAMES {
        let format: BlockFormat = name.parse().unwrap();
        let mut random = Stream::new(11);
        let mut bytes = |count| -> Vec<u8> { (0..count).map(|_| random.word() as u8).collect() };
        let scales = bytes(rows * columns / format.shape.1);
        let packed = bytes(pack::bytes(rows * columns, format.element.width()));
        for isa in legs() {
            let decoder = BlockDecoder::new(format).unwrap().with_isa(isa);
            let mut parts = vec![1f32; rows * columns];
            for (part, values) in parts.chunks_mut(rows * columns / 8).enumerate() {
                let part = |all: &[u8]| all[part * all.len() / 8..][..all.len() / 8].to_vec();
                decoder.decode_f32(&part(&scales), &part(&packed), columns, values).unwrap();
            }
            for from in 0..5 {
                let mut values = vec![1f32; rows * columns + from + 1];
                let whole = &mut values[from..from + rows * columns];
                decoder.decode_f32(&scales, &packed, columns, whole).unwrap();
                let same = whole.iter().zip(&parts).all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same, "{name} {isa} {from}");
                assert_eq!(
                    (values.first().filter(|_| from > 0), values.last()),
                    ((from > 0).then_some(&1.0), Some(&1.0))
                );
            }
        }
    }
}

/// 16-bit results of many blocks and of few, with and without signs of zeros, are the same on all legs.
#[test]
fn decoding_to_16_bits_equals_the_portable_leg() {
    for name in NAMES {
        let format: BlockFormat = name.parse().unwrap();
        let mut random = Stream::new(13);
        for (rows, columns) in [(1, 1 << 15), (3, 96), (97, 224), (5, 50)] {
            let mut bytes = |count| -> Vec<u8> { (0..count).map(|_| random.word() as u8).collect() };
            let scales = bytes(rows * usize::div_ceil(columns, format.shape.1));
            let packed = bytes(pack::bytes(rows * columns, format.element.width()));
            for edition in [Edition::Interim, Edition::V4] {
                let decoded = |isa| {
                    let decoder = BlockDecoder::new(format).unwrap().in_edition(edition).with_isa(isa);
                    let [mut brains, mut halves] = [(); 2].map(|()| vec![1; rows * columns]);
                    decoder.decode_bf16(&scales, &packed, columns, &mut brains).unwrap();
                    decoder.decode_f16(&scales, &packed, columns, &mut halves).unwrap();
                    [brains, halves]
                };
                let portable = decoded(binade_simd::Isa::PORTABLE);
                for isa in legs() {
                    assert!(decoded(isa) == portable, "{name} {rows} x {columns} {edition:?} {isa}");
                }
            }
        }
    }
}

/// The definition with a tensor's scale: quotients of binary64 numbers whose products are exact, rounded once.
#[test]
fn tensor_scales_of_both_kinds_equal_exact_quotients() {
    let format: BlockFormat = "nvfp4".parse().unwrap();
    let f64_of = |format: Format, code: u64| {
        f64::from_bits(project(F64, decode(format, code), Projection::default()).code)
    };
    let exact = |x: f64| Datum::new(F64, x.to_bits()).unwrap();
    let max = Projection::new(Rounding::NearestEven, Saturation::Max);
    let mut random = Stream::new(3);
    for round in 0..40 {
        let scale = f32::from_bits((110 + random.word() % 30) << 23 | random.word() & 0x7f_ffff);
        let shift = 2f32.powi(random.word() as i32 % 12);
        let x: Vec<f32> = (0..320)
            .map(|at| {
                let word = random.word();
                // Half of them at ties of the scale, or one unit beside.
                let tie = (word >> 8 & 15) as f32 * 0.25 * scale;
                let tie = f32::from_bits(tie.to_bits().saturating_add((word >> 16) % 3).saturating_sub(1));
                shift * if at % 2 == 0 { tie } else { (word as i32 as f32) * 2f32.powi(-31) * scale }
            })
            .collect();
        for tensor in [TensorScale::Factor(scale), TensorScale::Divisor(1.0 / scale)] {
            let (by, over) = match tensor {
                TensorScale::Divisor(by) => (by as f64, 1.0),
                _ => (1.0, scale as f64),
            };
            let mut all = vec![];
            for isa in legs() {
                let encoder = BlockEncoder::new(format).unwrap().with_isa(isa);
                let encoder = encoder.in_edition(Edition::Interim).with_tensor_scale(tensor).unwrap();
                let codes: Vec<u64> = x.iter().map(|x| x.to_bits() as u64).collect();
                all.push(encoded(&encoder, F32, &codes, 160));
            }
            let (scales, elements) = &all[0];
            assert!(all.iter().all(|other| *other == all[0]), "{round} {tensor:?}");
            for (at, block) in x.chunks(16).enumerate() {
                let most = block.iter().fold(0f32, |most, x| most.max(x.abs()));
                let quotient =
                    ops::divide(exact(most as f64 * by), exact(6.0 * over), format.scale, max).code;
                let one = project(format.scale, Value::ONE, max).code;
                assert_eq!(scales[at] as u64, if most == 0.0 { one } else { quotient.max(1) }, "{tensor:?}");
                let under = exact(f64_of(format.scale, scales[at] as u64) * over);
                for (x, &code) in block.iter().zip(&elements[16 * at..]) {
                    let wanted = ops::divide(exact(*x as f64 * by), under, format.element.grid(), max).code;
                    assert_eq!(code as u64, wanted, "{tensor:?} {x:e}");
                }
            }
            let decoder = BlockDecoder::new(format).unwrap().with_tensor_scale(tensor).unwrap();
            let mut packed = vec![0; 160];
            pack::pack(4, elements, &mut packed).unwrap();
            let (mut single, mut half) = (vec![0f32; 320], vec![0u16; 320]);
            decoder.decode_f32(scales, &packed, 160, &mut single).unwrap();
            decoder.decode_bf16(scales, &packed, 160, &mut half).unwrap();
            for (at, &code) in elements.iter().enumerate() {
                let product =
                    f64_of(format.element.grid(), code as u64) * f64_of(format.scale, scales[at / 16] as u64);
                for (to, got) in [(F32, single[at].to_bits() as u64), (BF16, half[at] as u64)] {
                    let how = Projection::default();
                    let wanted = ops::divide(exact(product * over), exact(by), to, how).code;
                    let zero = product == 0.0;
                    assert_eq!(got, if zero { 0 } else { wanted }, "{tensor:?} {to}");
                }
            }
        }
    }
}

/// Under each scale, all ties, the numbers next to them and zeros, of both signs and of each source. The tensor's
/// scales make ties numbers of the source, or not.
#[test]
fn encoding_near_ties_under_every_scale_equals_the_definition() {
    let format: BlockFormat = "nvfp4".parse().unwrap();
    let f64_of = |format: Format, code: u64| {
        f64::from_bits(project(F64, decode(format, code), Projection::default()).code)
    };
    for (from, tensor) in [F32, BF16, F16].into_iter().flat_map(|from| {
        [1.0, 0.25, 0.1, 0.371].map(|scale| (from, if scale == 1.0 { None } else { Some(scale as f32) }))
    }) {
        let nearest = |x: f64| project(from, decode(F64, x.to_bits()), Projection::default()).code;
        let (sign, mut codes) = (1u64 << (from.width() - 1), vec![]);
        for scale in 1..0x7f {
            let unit = f64_of(format.scale, scale) * tensor.unwrap_or(1.0) as f64 / 4.0;
            let most = nearest(24.0 * unit);
            let mut near: Vec<u64> = [1.0, 3.0, 5.0, 7.0, 10.0, 14.0, 20.0]
                .iter()
                .flat_map(|tie| [-1i64, 0, 1].map(|next| nearest(tie * unit).saturating_add_signed(next)))
                .flat_map(|magnitude| [magnitude, magnitude | sign])
                .collect();
            near.extend([0, sign, 1]);
            for (at, block) in near.chunks(15).enumerate() {
                codes.push(if at % 2 == 0 { most } else { most | sign });
                codes.extend(block.iter().chain(std::iter::repeat(&sign)).take(15));
            }
        }
        let columns = codes.len();
        for edition in [Edition::V4, Edition::Interim] {
            let on = |isa| {
                let encoder = BlockEncoder::new(format).unwrap().with_isa(isa).in_edition(edition);
                let tensor = tensor.map_or(TensorScale::None, TensorScale::Factor);
                encoded(&encoder.with_tensor_scale(tensor).unwrap(), from, &codes, columns)
            };
            let portable = on(binade_simd::Isa::PORTABLE);
            if tensor.is_none() && edition == Edition::V4 {
                let Blocks { scales, elements, .. } = format.encode(&datums(from, &codes), columns).unwrap();
                assert_eq!(portable, (bytes(&scales), bytes(&elements)), "{from}");
            }
            for isa in legs() {
                assert!(on(isa) == portable, "{from} {tensor:?} {edition:?} {isa}");
            }
        }
    }
}

/// Numbers that are not special, almost none of them near ties, under a tensor's scale.
#[test]
fn encoding_many_blocks_under_a_tensor_scale_is_the_same_on_all_legs() {
    let mut random = Stream::new(23);
    let x: Vec<f32> = (0..1 << 16)
        .map(|_| (random.word() as i32 as f32) * (random.word() as f32) * 2f32.powi(-70))
        .collect();
    let most = x.iter().fold(0f32, |most, x| most.max(x.abs()));
    let codes: Vec<u64> = x.iter().map(|x| x.to_bits() as u64).collect();
    let brains: Vec<u64> = codes.iter().map(|code| code >> 16).collect();
    for tensor in [TensorScale::Factor(most / 2688.0), TensorScale::Divisor(2688.0 / most)] {
        for (from, codes) in [(F32, &codes), (BF16, &brains)] {
            let on = |isa| {
                let encoder = BlockEncoder::new("nvfp4".parse().unwrap()).unwrap().with_isa(isa);
                encoded(&encoder.with_tensor_scale(tensor).unwrap(), from, codes, codes.len())
            };
            let portable = on(binade_simd::Isa::PORTABLE);
            for isa in legs() {
                assert!(on(isa) == portable, "{from} {tensor:?} {isa}");
            }
        }
    }
}

#[test]
fn blocks_and_slices_of_wrong_shapes_are_errors() {
    let deepseek = BlockEncoder::new("deepseek_fp8".parse().unwrap()).unwrap_err();
    assert!(matches!(deepseek, KernelError::Blocks { .. }) && deepseek.to_string().contains("128 x 128"));
    let encoder = BlockEncoder::new("mxfp4".parse().unwrap()).unwrap();
    assert!(encoder.encode_f32(&[0.0; 33], 32, &mut [0; 2], &mut [0; 17]).is_err());
    assert!(encoder.encode_f32(&[0.0; 32], 32, &mut [0; 2], &mut [0; 16]).is_err());
    assert!(encoder.encode_f32(&[0.0; 32], 32, &mut [0; 1], &mut [0; 17]).is_err());
    assert!(encoder.encode_f32(&[0.0; 32], 0, &mut [0; 1], &mut [0; 16]).is_err());
    encoder.encode_f32(&[], 0, &mut [], &mut []).unwrap();
    assert!(encoder.with_tensor_scale(TensorScale::Factor(2.0)).is_err());
    let nvfp4 = BlockEncoder::new("nvfp4".parse().unwrap()).unwrap();
    assert!(nvfp4.with_tensor_scale(TensorScale::Divisor(f32::NAN)).is_err());
}
