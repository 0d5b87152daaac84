//! BFDOT, BFMMLA, and FDOT and FMMLA of 8-bit inputs.

use std::arch::aarch64::{uint8x16_t, vld1q_u8, vst1q_u8};
use std::arch::asm;

use binade::philox::Stream;
use binade::unit::{Codes, Mode, Unit};
use binade::{Format, Spec};
use libc::{AT_HWCAP, AT_HWCAP2};

use super::compare;

/// Instructions, each of v0 ← v0 + v1 · v2.
const BFDOT: u32 = 0x6e42_fc20;
const BFMMLA: u32 = 0x6e42_ec20;
const FDOT_TO_F32: u32 = 0x4e02_fc20;
const FDOT_TO_F16: u32 = 0x4e42_fc20;
const FMMLA_TO_F32: u32 = 0x6e82_ec20;
const FMMLA_TO_F16: u32 = 0x6e02_ec20;

/// FPCR.EBF.
const EBF: u64 = 1 << 13;

/// Instructions that the system reports: a word and its bit.
const HAS_BF16: (u64, u32) = (AT_HWCAP2, 14);
const HAS_FDOT_TO_F32: (u64, u32) = (AT_HWCAP2, 53);
const HAS_FDOT_TO_F16: (u64, u32) = (AT_HWCAP2, 54);
const HAS_FMMLA_TO_F32: (u64, u32) = (AT_HWCAP, 35);
const HAS_FMMLA_TO_F16: (u64, u32) = (AT_HWCAP, 36);

/// True if the processor has an instruction; otherwise says that the test is skipped.
fn has(name: &str, (word, bit): (u64, u32)) -> bool {
    // SAFETY: the function reads a word of the process's auxiliary vector, or returns 0.
    let has = unsafe { libc::getauxval(word) } >> bit & 1 != 0;
    skips_unless(has, name)
}

/// True if FPCR has the bit EBF, which reads as 0 where it has no meaning, and BFDOT is there. qemu-user does not report it to
/// programs.
fn has_extended_bf16() -> bool {
    let read: u64;
    // SAFETY: FPCR.EBF changes BFDOT and BFMMLA only, and FPCR is restored.
    unsafe {
        asm!(
            "mrs {saved}, fpcr",
            "msr fpcr, {ebf}",
            "mrs {read}, fpcr",
            "msr fpcr, {saved}",
            saved = out(reg) _,
            ebf = in(reg) EBF,
            read = out(reg) read,
            options(nomem, nostack),
        );
    }
    has("BFDOT", HAS_BF16) && skips_unless(read & EBF != 0, "FPCR.EBF")
}

fn skips_unless(has: bool, name: &str) -> bool {
    if !has {
        eprintln!("SKIPPED: this processor has no {name}; that of qemu-user 11 has it");
    }
    has
}

/// Repeats a pattern over a vector.
fn vector(pattern: &[u8]) -> uint8x16_t {
    let bytes: Vec<u8> = pattern.iter().copied().cycle().take(16).collect();
    // SAFETY: `bytes` has 16 elements, and every AArch64 processor has NEON.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

/// The bytes of a vector.
fn bytes(vector: uint8x16_t) -> [u8; 16] {
    let mut bytes = [0; 16];
    // SAFETY: `bytes` has 16 elements, and every AArch64 processor has NEON.
    unsafe { vst1q_u8(bytes.as_mut_ptr(), vector) };
    bytes
}

/// An instruction on bf16 operands, the same ones in all lanes, under a value of FPCR.
///
/// # Safety
/// The processor has the instruction.
unsafe fn multiply_bf16<const INSTRUCTION: u32>(a: &[u16], b: &[u16], c: u32, fpcr: u64) -> u32 {
    let operand = |codes: &[u16]| {
        let pattern: Vec<u8> = codes.iter().flat_map(|code| code.to_le_bytes()).collect();
        vector(&pattern)
    };
    let mut sum = vector(&c.to_le_bytes());
    // SAFETY: the processor has the instruction, as the caller guarantees; it accesses registers only, and FPCR is restored.
    unsafe {
        asm!(
            "mrs {saved}, fpcr",
            "msr fpcr, {fpcr}",
            ".inst {instruction}",
            "msr fpcr, {saved}",
            saved = out(reg) _,
            fpcr = in(reg) fpcr,
            instruction = const INSTRUCTION,
            inout("v0") sum,
            in("v1") operand(a),
            in("v2") operand(b),
            options(nomem, nostack),
        );
    }
    let lanes = bytes(sum);
    assert!(lanes.chunks(4).all(|lane| lane == &lanes[..4]), "lanes differ: {lanes:x?}");
    u32::from_le_bytes([lanes[0], lanes[1], lanes[2], lanes[3]])
}

#[test]
fn bfdot_equals_its_unit() {
    if has("BFDOT", HAS_BF16) {
        // SAFETY: the processor has BFDOT.
        compare("arm-bfdot", 100_000, 2, false, |a, b, c| unsafe { multiply_bf16::<BFDOT>(a, b, c, 0) });
    }
}

#[test]
fn extended_bfdot_equals_its_unit() {
    if has_extended_bf16() {
        // SAFETY: the processor has BFDOT.
        compare("arm-bfdot-ebf", 100_000, 2, false, |a, b, c| unsafe {
            multiply_bf16::<BFDOT>(a, b, c, EBF)
        });
    }
}

#[test]
fn bfmmla_equals_its_unit() {
    if has("BFMMLA", HAS_BF16) {
        // SAFETY: the processor has BFMMLA.
        compare("arm-bfmmla", 100_000, 4, false, |a, b, c| unsafe { multiply_bf16::<BFMMLA>(a, b, c, 0) });
    }
}

#[test]
fn extended_bfmmla_equals_its_unit() {
    if has_extended_bf16() {
        // SAFETY: the processor has BFMMLA.
        compare("arm-bfmmla-ebf", 100_000, 4, false, |a, b, c| unsafe {
            multiply_bf16::<BFMMLA>(a, b, c, EBF)
        });
    }
}

/// An instruction on 8-bit operands, the same ones in all lanes, under a value of FPMR. Both the addend and the result have
/// `width` bytes.
///
/// # Safety
/// The processor has the instruction.
unsafe fn multiply_fp8<const INSTRUCTION: u32>(a: &[u8], b: &[u8], c: u64, width: usize, fpmr: u64) -> u64 {
    let mut sum = vector(&c.to_le_bytes()[..width]);
    // SAFETY: the processor has the instruction, as the caller guarantees, and thereby FPMR; it accesses registers only.
    unsafe {
        asm!(
            // FPMR.
            "msr s3_3_c4_c4_2, {fpmr}",
            ".inst {instruction}",
            fpmr = in(reg) fpmr,
            instruction = const INSTRUCTION,
            inout("v0") sum,
            in("v1") vector(a),
            in("v2") vector(b),
            options(nomem, nostack),
        );
    }
    let lanes = bytes(sum);
    assert!(lanes.chunks(width).all(|lane| lane == &lanes[..width]), "lanes differ: {lanes:x?}");
    lanes[..width].iter().rev().fold(0, |code, &byte| code << 8 | u64::from(byte))
}

/// The formats by their codes in FPMR.F8S1 and FPMR.F8S2.
const FP8: [&str; 2] = ["float8_e5m2", "float8_e4m3fn"];

/// An addend: any code, one near the products' magnitudes, or a zero.
fn addend(random: &mut Stream, mode: &Mode) -> u64 {
    let zero = mode.accumulator().sign_bit() * random.below(2) as u64;
    match (random.below(4), mode.result.format) {
        (0, _) => zero,
        (1, "f32") => random.below(1 << 32) as u64,
        (_, "f32") => zero | (95 + random.below(64) as u64) << 23 | random.below(1 << 23) as u64,
        _ => random.below(1 << 16) as u64,
    }
}

/// Compares an instruction on 8-bit operands with its unit: for every pair of formats, random codes, among them many zeros.
fn compare_fp8(
    unit: &str,
    result: &str,
    (name, has_bit): (&str, (u64, u32)),
    instruction: impl Fn(&[u8], &[u8], u64, usize, u64) -> u64,
) {
    if !has(name, has_bit) {
        return;
    }
    let mode = Unit::named(unit).unwrap().mode("float8_e5m2", result).unwrap();
    let width = if result == "f32" { 4 } else { 2 };
    let format = |name: &str| name.parse::<Spec>().unwrap().format;
    let mut random = Stream::new(8);
    for (left, right) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let formats: [Format; 2] = [format(FP8[left]), format(FP8[right])];
        for case in 0..50_000 {
            let mut operand = || -> Vec<u8> {
                let few = case % 8 == 0;
                let code = |random: &mut Stream| match few {
                    true => [0x00, 0x80, 0x7c, 0x01, 0x3c][random.below(5)],
                    false => random.below(256) as u8,
                };
                (0..mode.products).map(|_| code(&mut random)).collect()
            };
            let (a, b) = (operand(), operand());
            let c = addend(&mut random, mode);
            let found = instruction(&a, &b, c, width, left as u64 | (right as u64) << 3);
            let [wide_a, wide_b] =
                [&a, &b].map(|codes| codes.iter().map(|&code| u64::from(code)).collect::<Vec<_>>());
            let expected = mode.dot(
                Codes { format: formats[0], codes: &wide_a },
                Codes { format: formats[1], codes: &wide_b },
                c,
            );
            assert_eq!(found, expected, "{a:x?} · {b:x?} + {c:#x} in {} and {}", FP8[left], FP8[right]);
        }
    }
}

#[test]
fn fdot_of_bytes_to_binary32_equals_its_unit() {
    compare_fp8("arm-fp8-fdot", "f32", ("FDOT of FP8 to f32", HAS_FDOT_TO_F32), |a, b, c, width, fpmr| {
        // SAFETY: `compare_fp8` found that the processor has the instruction.
        unsafe { multiply_fp8::<FDOT_TO_F32>(a, b, c, width, fpmr) }
    });
}

#[test]
fn fdot_of_bytes_to_binary16_equals_its_unit() {
    compare_fp8("arm-fp8-fdot", "f16", ("FDOT of FP8 to f16", HAS_FDOT_TO_F16), |a, b, c, width, fpmr| {
        // SAFETY: `compare_fp8` found that the processor has the instruction.
        unsafe { multiply_fp8::<FDOT_TO_F16>(a, b, c, width, fpmr) }
    });
}

#[test]
fn fmmla_of_bytes_to_binary32_equals_its_unit() {
    compare_fp8("arm-fp8-fmmla", "f32", ("FMMLA of FP8 to f32", HAS_FMMLA_TO_F32), |a, b, c, width, fpmr| {
        // SAFETY: `compare_fp8` found that the processor has the instruction.
        unsafe { multiply_fp8::<FMMLA_TO_F32>(a, b, c, width, fpmr) }
    });
}

#[test]
fn fmmla_of_bytes_to_binary16_equals_its_unit() {
    compare_fp8("arm-fp8-fmmla", "f16", ("FMMLA of FP8 to f16", HAS_FMMLA_TO_F16), |a, b, c, width, fpmr| {
        // SAFETY: `compare_fp8` found that the processor has the instruction.
        unsafe { multiply_fp8::<FMMLA_TO_F16>(a, b, c, width, fpmr) }
    });
}
