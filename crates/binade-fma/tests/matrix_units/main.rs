//! The catalogue's units of processors against the processors' instructions.
//!
//! Each test is skipped, with a line that says so, where the processor lacks the instruction. `cargo xtask test --only AArch64` runs
//! Arm's under emulation.
#![cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), target_os = "linux", not(miri)))]

#[cfg(target_arch = "aarch64")]
mod arm;
#[cfg(target_arch = "x86_64")]
mod intel;

use binade::catalog::BF16;
use binade::philox::Stream;
use binade::unit::{Codes, Unit};

/// The result that the catalogue defines, for bf16 operands.
fn defined(unit: &str, a: &[u16], b: &[u16], c: u32) -> u32 {
    let mode = Unit::named(unit).unwrap().mode("bf16", "f32").unwrap();
    let [a, b] = [a, b].map(|codes| codes.iter().map(|&code| u64::from(code)).collect::<Vec<_>>());
    let codes = |codes| Codes { format: BF16, codes };
    mode.dot(codes(&a), codes(&b), c.into()) as u32
}

/// Operands of all kinds: similar magnitudes, distant magnitudes, subnormal, infinite and NaN, and an addend.
fn draw(random: &mut Stream, count: usize) -> (Vec<u16>, Vec<u16>, u32) {
    let (spread, middle) = ([1, 6, 20, 127][random.below(4)], [8, 60, 127, 190][random.below(4)]);
    let mut field =
        |middle: usize| (middle + random.below(2 * spread + 1)).saturating_sub(spread).min(255) as u32;
    let fields: Vec<(u32, u32)> = (0..count).map(|_| (field(middle), field(127))).collect();
    let addend = field(middle) << 23;
    let mut fraction = |bits: u32| random.below(1 << (bits + 1)) as u32;
    let short = |field: u32, fraction: u32| (field << 7 | fraction & 0x7f | (fraction & 0x80) << 8) as u16;
    let (a, b) = fields.iter().map(|&(a, b)| (short(a, fraction(7)), short(b, fraction(7)))).unzip();
    let fraction = fraction(23);
    (a, b, addend | fraction & 0x7f_ffff | (fraction & 0x80_0000) << 8)
}

/// Zeros of both signs, subnormal and extreme numbers, infinities and NaN.
const SPECIAL: [u16; 14] = [
    0x0000, 0x8000, 0x0001, 0x807f, 0x0080, 0x3f80, 0xbf80, 0x3f81, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0,
    0xffa5,
];

/// Compares `cases` draws of `count` products, and all pairs of special numbers with special addends.
///
/// With `any_nan`, all NaNs count as equal, because Intel's processors keep the operand's payload.
fn compare(
    unit: &str,
    cases: usize,
    count: usize,
    any_nan: bool,
    instruction: impl Fn(&[u16], &[u16], u32) -> u32,
) {
    let is_nan = |code: u32| f32::from_bits(code).is_nan();
    let check = |a: &[u16], b: &[u16], c: u32| {
        let (found, expected) = (instruction(a, b, c), defined(unit, a, b, c));
        assert!(
            found == expected || any_nan && is_nan(found) && is_nan(expected),
            "{a:x?} · {b:x?} + {c:#x}: {found:#x}, defined as {expected:#x}"
        );
    };
    let mut random = Stream::new(count as u64);
    for _ in 0..cases {
        let (a, b, c) = draw(&mut random, count);
        check(&a, &b, c);
    }
    for (x, y) in SPECIAL.iter().flat_map(|x| SPECIAL.map(|y| (*x, y))) {
        for c in SPECIAL {
            let mut any = || (0..count).map(|_| SPECIAL[random.below(SPECIAL.len())]).collect();
            let (mut a, mut b): (Vec<u16>, Vec<u16>) = (any(), any());
            (a[0], b[0]) = (x, y);
            check(&a, &b, u32::from(c) << 16);
        }
    }
}
