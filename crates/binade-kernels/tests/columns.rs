//! Blocks in columns against the same blocks in rows, on every leg.

mod common;

use binade::Edition;
use binade::block::{BlockFormat, ScaleRule};
use binade::philox::Stream;
use binade_kernels::{BlockDecoder, BlockEncoder, ColumnDecoder, ColumnEncoder, KernelError, Spaced, pack};
use common::legs;

const NAMES: [&str; 5] = ["mxfp8_e4m3", "mxfp6_e2m3", "mxfp4", "nvfp4", "mxfp8_e5m2"];

/// Binary32 words, with a low half of 0 if they are of bfloat16. Columns have one magnitude each, and together all,
/// with zeros, ties and subnormals. One in `special` is infinite or NaN.
fn words(columns: usize, block: usize, half: bool, special: u32, seed: u64) -> Vec<u32> {
    let mut random = Stream::new(seed);
    let bases: Vec<u32> = (0..columns).map(|_| 8 + random.word() % 246).collect();
    (0..columns * block)
        .map(|at| {
            let (word, kind) = (random.word(), random.word() % 32);
            let field = bases[at % columns] - random.word() % 8;
            let word = match kind {
                0 => word & 1 << 31,
                1 => word & 0x807f_ffff,
                2..16 => word & 1 << 31 | field << 23 | word & 0x0070_0000,
                _ => word & 0x807f_ffff | field << 23,
            };
            let word = if random.word().is_multiple_of(special) { word | 0x7f80_0000 } else { word };
            if half { word & 0xffff_0000 } else { word }
        })
        .collect()
}

fn turned<T: Copy>(band: &[T], columns: usize) -> Vec<T> {
    (0..columns).flat_map(|column| band[column..].iter().step_by(columns).copied()).collect()
}

/// Every column's bytes, `each` of them, `stride` apart.
fn close(bytes: &[u8], each: usize, stride: usize, columns: usize) -> Vec<u8> {
    (0..columns).flat_map(|column| bytes[column * stride..][..each].iter().copied()).collect()
}

#[test]
fn columns_encode_to_the_blocks_of_rows() {
    for name in NAMES {
        for rule in ScaleRule::ALL {
            let format = BlockFormat { rule, ..name.parse().unwrap() };
            let (block, bytes) = (format.shape.1, pack::bytes(format.shape.1, format.element.width()));
            for (edition, columns, special) in
                [(Edition::Interim, 67, u32::MAX), (Edition::V4, 100, 1000), (Edition::Interim, 5, 400)]
            {
                for (isa, half) in legs().into_iter().flat_map(|isa| [(isa, false), (isa, true)]) {
                    let rows = BlockEncoder::new(format).unwrap().in_edition(edition).with_isa(isa);
                    let words = words(columns, block, half, special, columns as u64 + rule as u64);
                    let turned = turned(&words, columns);
                    let (mut scales, mut elements) = (vec![0; columns], vec![0; columns * bytes]);
                    let single =
                        |words: &[u32]| words.iter().map(|&word| f32::from_bits(word)).collect::<Vec<_>>();
                    let halves =
                        |words: &[u32]| words.iter().map(|word| (word >> 16) as u16).collect::<Vec<_>>();
                    let to = (&mut scales[..], &mut elements[..]);
                    match half {
                        true => rows.encode_bf16(&halves(&turned), block, to.0, to.1).unwrap(),
                        false => rows.encode_f32(&single(&turned), block, to.0, to.1).unwrap(),
                    }
                    let by_column = ColumnEncoder::new(rows).unwrap();
                    let (mut found, mut packed) =
                        (vec![0xaa; 3 * columns], vec![0xaa; columns * (bytes + 5)]);
                    let to_scales = Spaced { bytes: &mut found[..], stride: 3 };
                    let to = Spaced { bytes: &mut packed[..], stride: bytes + 5 };
                    let most = match half {
                        true => by_column.encode_bf16(&halves(&words), columns, to_scales, to).unwrap(),
                        false => by_column.encode_f32(&single(&words), columns, to_scales, to).unwrap(),
                    };
                    let case = format!("{name} {rule} {edition:?} {columns} {isa} {half}");
                    assert_eq!(close(&found, 1, 3, columns), scales, "{case}");
                    assert_eq!(close(&packed, bytes, bytes + 5, columns), elements, "{case}");
                    let largest = words.iter().map(|word| word & !(1 << 31)).max().unwrap();
                    assert_eq!(most.to_bits(), largest, "{case}");
                    assert!(found.iter().skip(1).step_by(3).all(|&byte| byte == 0xaa), "{case}");
                    assert!(packed[bytes..].chunks(bytes + 5).all(|gap| gap[..5] == [0xaa; 5]), "{case}");
                }
            }
        }
    }
}

/// Each code under every scale.
#[test]
fn columns_decode_to_the_values_of_rows() {
    for name in NAMES {
        let format: BlockFormat = name.parse().unwrap();
        let (block, bytes) = (format.shape.1, pack::bytes(format.shape.1, format.element.width()));
        for (edition, isa) in legs().into_iter().flat_map(|isa| [(Edition::Interim, isa), (Edition::V4, isa)])
        {
            let rows = BlockDecoder::new(format).unwrap().in_edition(edition).with_isa(isa);
            let by_column = ColumnDecoder::new(rows.clone()).unwrap();
            let mut random = Stream::new(9);
            // Neighbours under one scale, as lanes need, and under any.
            for (columns, same) in [(16 * 256, true), (515, false), (7, false)] {
                let scale = |column: usize, word: u32| if same { (column / 16) as u8 } else { word as u8 };
                let scales: Vec<u8> = (0..columns).map(|column| scale(column, random.word())).collect();
                let elements: Vec<u8> = (0..columns * bytes).map(|_| random.word() as u8).collect();
                let of = || {
                    (Spaced { bytes: &scales[..], stride: 1 }, Spaced { bytes: &elements[..], stride: bytes })
                };
                let (mut single, mut expected) = (vec![0f32; columns * block], vec![0f32; columns * block]);
                rows.decode_f32(&scales, &elements, block, &mut expected).unwrap();
                by_column.decode_f32(of().0, of().1, columns, &mut single).unwrap();
                let bits = |numbers: &[f32]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                let case = format!("{name} {edition:?} {isa} {columns}");
                assert!(bits(&turned(&single, columns)) == bits(&expected), "{case} f32");
                let (mut halves, mut expected) = (vec![0u16; columns * block], vec![0u16; columns * block]);
                rows.decode_bf16(&scales, &elements, block, &mut expected).unwrap();
                by_column.decode_bf16(of().0, of().1, columns, &mut halves).unwrap();
                assert!(turned(&halves, columns) == expected, "{case} bf16");
                rows.decode_f16(&scales, &elements, block, &mut expected).unwrap();
                by_column.decode_f16(of().0, of().1, columns, &mut halves).unwrap();
                assert!(turned(&halves, columns) == expected, "{case} f16");
            }
        }
    }
}

#[test]
fn slices_of_wrong_lengths_are_errors_and_nothing_is_written() {
    let encoder = ColumnEncoder::new(BlockEncoder::new("mxfp4".parse().unwrap()).unwrap()).unwrap();
    let band = [1f32; 64];
    let try_with = |band: &[f32], columns: usize, scales: usize, elements: (usize, usize)| {
        let (mut to_scales, mut to) = (vec![0; scales], vec![0; elements.0]);
        let spaced = Spaced { bytes: &mut to[..], stride: elements.1 };
        let result =
            encoder.encode_f32(band, columns, Spaced { bytes: &mut to_scales[..], stride: 1 }, spaced);
        assert_eq!(result.is_ok(), to.iter().any(|&byte| byte != 0));
        result.map(drop)
    };
    assert_eq!(try_with(&band, 2, 2, (32, 16)), Ok(()));
    let length = |what, given, expected| Err(KernelError::Length { what, given, expected });
    assert_eq!(try_with(&band, 3, 3, (48, 16)), length("the band", 64, 96));
    assert_eq!(try_with(&band, 2, 1, (32, 16)), length("the slice of scales", 1, 2));
    assert_eq!(try_with(&band, 2, 2, (47, 32)), length("the slice of elements", 47, 48));
    assert_eq!(try_with(&band, 2, 2, (32, 15)), length("the stride", 15, 16));
    // No column has no bytes.
    let none = || Spaced { bytes: &[][..], stride: 16 };
    let decoder = ColumnDecoder::new(BlockDecoder::new("mxfp4".parse().unwrap()).unwrap()).unwrap();
    assert_eq!(decoder.decode_f32(none(), none(), 0, &mut []), Ok(()));
    assert!(decoder.decode_f32(none(), none(), 1, &mut [0.0; 32]).is_err());
    let odd = BlockFormat { shape: (1, 3), ..("mxfp4".parse().unwrap()) };
    assert!(matches!(
        ColumnEncoder::new(BlockEncoder::new(odd).unwrap()),
        Err(KernelError::Blocks { shape: (1, 3), .. })
    ));
}
