use std::collections::BTreeMap;

use iced_x86::code_asm::*;
use iced_x86::{Decoder, DecoderOptions, Instruction};

use super::flow::spread;
use super::multiply_adds;
use crate::fma::Fma;

const BASE: u64 = 0x40_1000;
/// The address of a test's constants.
const TABLE: u64 = 0x50_0000;

/// Assembles a function whose constants lie in a table, and says which of its multiply-adds, in order, are elementary
/// functions'. Only fused ones are shown unless `all`.
fn shown(constants: &[f32], all: bool, write: impl FnOnce(&mut CodeAssembler)) -> String {
    let mut assembler = CodeAssembler::new(64).unwrap();
    write(&mut assembler);
    let bytes = assembler.assemble(BASE).unwrap();
    let code: Vec<Instruction> = Decoder::with_ip(64, &bytes, BASE, DecoderOptions::NONE).iter().collect();
    let table: BTreeMap<u64, f32> =
        constants.iter().enumerate().map(|(k, &c)| (TABLE + 4 * k as u64, c)).collect();
    let read = |address: u64, size: usize| {
        let four = |at| table.get(&at).map(|c: &f32| c.to_le_bytes());
        if size < 8 {
            spread(&four(address)?)
        } else {
            spread(&[four(address)?, four(address + 4)?].concat())
        }
    };
    let native = multiply_adds(&code, &read);
    code.iter()
        .filter_map(Fma::decode)
        .filter(|fma| all || fma.fused())
        .map(|fma| if native.contains(&fma.instruction.ip()) { 'n' } else { 'e' })
        .collect()
}

/// The table's constant of a number, in every lane.
fn constant(x: &mut CodeAssembler, register: AsmRegisterYmm, number: i32) {
    x.mov(rax, TABLE + 4 * number as u64).unwrap();
    x.vbroadcastss(register, dword_ptr(rax)).unwrap();
}

/// r := Horner's scheme in `variable` with the table's first constants.
fn horner(x: &mut CodeAssembler, result: AsmRegisterYmm, variable: AsmRegisterYmm, steps: i32) {
    constant(x, result, 0);
    for step in 1..=steps {
        constant(x, ymm15, step);
        x.vfmadd213ps(result, variable, ymm15).unwrap();
    }
}

const COEFFICIENTS: [f32; 8] =
    [0.0014, 0.0083, 0.0417, 0.1667, 0.5, 1.0, -0.693_359_4, std::f32::consts::LOG2_E];

#[test]
fn a_sum_of_products_is_emulated() {
    let text = shown(&COEFFICIENTS, false, |x| {
        let mut again = x.create_label();
        x.vxorps(ymm0, ymm0, ymm0).unwrap();
        x.set_label(&mut again).unwrap();
        x.vbroadcastss(ymm1, dword_ptr(rdi)).unwrap();
        x.vfmadd231ps(ymm0, ymm1, ymmword_ptr(rsi)).unwrap();
        x.vfmadd231ps(ymm2, ymm1, ymmword_ptr(rsi + 32)).unwrap();
        x.add(rsi, 64).unwrap();
        x.dec(rcx).unwrap();
        x.jne(again).unwrap();
        // Constants as factors do not make a polynomial of it: taps of a filter, weights in the code.
        constant(x, ymm3, 0);
        x.vfmadd231ps(ymm0, ymm3, ymmword_ptr(rdx)).unwrap();
        constant(x, ymm3, 1);
        x.vfmadd231ps(ymm0, ymm3, ymmword_ptr(rdx + 32)).unwrap();
        constant(x, ymm3, 2);
        x.vfmadd231ps(ymm0, ymm3, ymmword_ptr(rdx + 64)).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "eeeee");
}

/// exp beside a sum of products that takes its value, in one loop, with constants outside it and one of them spilled.
#[test]
fn function_is_native_and_sum_of_its_values_is_emulated() {
    let text = shown(&COEFFICIENTS, false, |x| {
        let mut again = x.create_label();
        for (register, number) in [(ymm10, 6), (ymm11, 7), (ymm4, 0), (ymm5, 1), (ymm6, 2), (ymm7, 3)] {
            constant(x, register, number);
        }
        constant(x, ymm0, 4);
        x.vmovaps(ymmword_ptr(rsp + 32), ymm0).unwrap();
        x.vxorps(ymm9, ymm9, ymm9).unwrap();
        // A jump over padding leads to the loop.
        x.jmp(again).unwrap();
        x.nop().unwrap();
        x.set_label(&mut again).unwrap();
        x.vmovups(ymm1, ymmword_ptr(rdi)).unwrap();
        x.vmulps(ymm2, ymm1, ymm11).unwrap();
        x.vroundps(ymm2, ymm2, 8).unwrap();
        x.vfmadd231ps(ymm1, ymm2, ymm10).unwrap();
        x.vmovaps(ymm3, ymm4).unwrap();
        x.vfmadd213ps(ymm3, ymm1, ymm5).unwrap();
        x.vfmadd213ps(ymm3, ymm1, ymm6).unwrap();
        x.vfmadd213ps(ymm3, ymm1, ymmword_ptr(rsp + 32)).unwrap();
        x.vmulps(ymm0, ymm1, ymm1).unwrap();
        x.vfmadd213ps(ymm3, ymm0, ymm1).unwrap();
        x.vcvtps2dq(ymm2, ymm2).unwrap();
        x.vpslld(ymm2, ymm2, 23).unwrap();
        x.vpaddd(ymm3, ymm3, ymm2).unwrap();
        // Σ exp(x) · y, and Σ exp(x) · x.
        x.vfmadd231ps(ymm9, ymm3, ymmword_ptr(rsi)).unwrap();
        x.vfmadd231ps(ymm8, ymm3, ymmword_ptr(rdi)).unwrap();
        x.add(rdi, 32).unwrap();
        x.dec(rcx).unwrap();
        x.jne(again).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "nnnnnee");
}

#[test]
fn polynomials_in_any_order_are_native() {
    // Estrin: (c0 + c1 x) + (c2 + c3 x) x².
    let text = shown(&COEFFICIENTS, true, |x| {
        (0..4).for_each(|k| constant(x, [ymm4, ymm5, ymm6, ymm7][k as usize], k));
        x.vmovups(ymm1, ymmword_ptr(rdi)).unwrap();
        x.vmulps(ymm2, ymm1, ymm1).unwrap();
        x.vfmadd213ps(ymm5, ymm1, ymm4).unwrap();
        x.vfmadd213ps(ymm7, ymm1, ymm6).unwrap();
        x.vfmadd213ps(ymm7, ymm2, ymm5).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "nnnn");
    // The coefficients are chosen by a mask between two tables, as of erf⁻¹.
    let text = shown(&COEFFICIENTS, false, |x| {
        (0..4).for_each(|k| constant(x, [ymm4, ymm5, ymm6, ymm7][k as usize], k));
        x.vmovups(ymm1, ymmword_ptr(rdi)).unwrap();
        for _ in 0..3 {
            x.vblendmps(ymm2.k1(), ymm5, ymm6).unwrap();
            x.vfmadd213ps(ymm4, ymm1, ymm2).unwrap();
        }
        x.ret().unwrap();
    });
    assert_eq!(text, "nnn");
    // Products with a variable of their own are not a polynomial: a recurrence, and a mean of two.
    let text = shown(&COEFFICIENTS, false, |x| {
        constant(x, ymm4, 0);
        constant(x, ymm5, 1);
        (0..4).for_each(|_| x.vfmadd213ps(ymm0, ymm4, ymmword_ptr(rdi)).unwrap());
        x.vmulps(ymm1, ymm5, ymmword_ptr(rsi)).unwrap();
        x.vfmadd231ps(ymm1, ymm4, ymmword_ptr(rdx)).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "eeeee");
}

/// x + c x³ of GELU is its tanh's argument; what the function's value is multiplied with is the program's.
#[test]
fn arguments_and_consequences_of_functions_are_native() {
    let text = shown(&COEFFICIENTS, false, |x| {
        x.vmovups(ymm1, ymmword_ptr(rdi)).unwrap();
        constant(x, ymm4, 0);
        x.vmulps(ymm2, ymm1, ymm1).unwrap();
        x.vmulps(ymm3, ymm1, ymm4).unwrap();
        x.vfmadd213ps(ymm2, ymm3, ymm1).unwrap();
        x.vmaxps(ymm2, ymm2, ymmword_ptr(rdx)).unwrap();
        horner(x, ymm5, ymm2, 4);
        // x · f(x) + x, f(x) · w + b.
        x.vmovaps(ymm6, ymm5).unwrap();
        x.vfmadd213ps(ymm6, ymm1, ymm1).unwrap();
        x.vmovups(ymm7, ymmword_ptr(rsi)).unwrap();
        x.vfmadd213ps(ymm7, ymm5, ymmword_ptr(rcx)).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "nnnnnne");
    // The same with a call for the function: ½ x tanh(c x + d x³) + ½ x, and then a product with the program's.
    let text = shown(&COEFFICIENTS, false, |x| {
        x.vmovups(ymm1, ymmword_ptr(r12)).unwrap();
        constant(x, ymm4, 0);
        constant(x, ymm5, 1);
        x.vmulps(ymm2, ymm1, ymm1).unwrap();
        x.vfmadd213ps(ymm2, ymm4, ymm5).unwrap();
        x.vmulps(ymm0, ymm2, ymm1).unwrap();
        x.call(rbx).unwrap();
        constant(x, ymm4, 4);
        x.vmulps(ymm1, ymm4, ymmword_ptr(r12)).unwrap();
        x.vfmadd213ps(ymm0, ymm1, ymm1).unwrap();
        x.vfmadd213ps(ymm0, ymm2, ymmword_ptr(rsi)).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "nne");
    // A sum of products as argument stays one.
    let text = shown(&COEFFICIENTS, false, |x| {
        x.vmovups(ymm1, ymmword_ptr(rdi)).unwrap();
        x.vfmadd231ps(ymm2, ymm1, ymmword_ptr(rsi)).unwrap();
        x.vfmadd231ps(ymm2, ymm3, ymmword_ptr(rsi + 32)).unwrap();
        horner(x, ymm5, ymm2, 3);
        x.ret().unwrap();
    });
    assert_eq!(text, "eennn");
}

#[test]
fn random_numbers_are_native() {
    let one = [1.0f32, -1.0, 2.0, f32::EPSILON / 2.0];
    // 2 (1.m − 1) − 1, and then a product that is the program's.
    let text = shown(&one, false, |x| {
        constant(x, ymm4, 0);
        constant(x, ymm5, 1);
        constant(x, ymm6, 2);
        x.vpsrld(ymm1, ymm0, 9).unwrap();
        x.vpor(ymm1, ymm1, ymm4).unwrap();
        x.vaddps(ymm1, ymm1, ymm5).unwrap();
        x.vfmadd132ps(ymm1, ymm5, ymm6).unwrap();
        x.vfmadd213ps(ymm1, ymm2, ymmword_ptr(rdi)).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "ne");
    // Integers times 2^-24, between bounds that are given.
    let text = shown(&one, false, |x| {
        x.vpsrld(ymm1, ymm0, 8).unwrap();
        x.vcvtdq2ps(ymm1, ymm1).unwrap();
        constant(x, ymm4, 3);
        x.vmulps(ymm1, ymm1, ymm4).unwrap();
        x.vfmadd213ps(ymm1, ymm2, ymmword_ptr(rdi)).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "n");
    // 2 (1.m − 1) − 3 with the bits put together in a general register.
    let text = shown(&[2.0, -3.0, -1.0], false, |x| {
        x.mov(edi, dword_ptr(rsi)).unwrap();
        x.shr(edi, 9).unwrap();
        x.or(edi, 0x3f80_0000).unwrap();
        x.vmovd(xmm1, edi).unwrap();
        constant(x, ymm5, 0);
        constant(x, ymm6, 1);
        constant(x, ymm7, 2);
        x.vaddss(xmm1, xmm1, xmm7).unwrap();
        x.vfmadd132ss(xmm1, xmm6, xmm5).unwrap();
        x.vfmadd213ss(xmm1, xmm2, dword_ptr(rdi)).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "ne");
}

/// A logarithm whose argument is taken apart in general registers: the argument 1 + 0.1 x² belongs to it.
#[test]
fn bits_taken_apart_in_general_registers_are_conversions() {
    let text = shown(&COEFFICIENTS, false, |x| {
        constant(x, ymm7, 1);
        constant(x, ymm8, 2);
        x.vmulps(ymm0, ymm1, ymm1).unwrap();
        x.vfmadd213ss(xmm0, xmm7, xmm8).unwrap();
        x.vmovd(edi, xmm0).unwrap();
        x.and(edi, 0x007f_ffff).unwrap();
        x.or(edi, 0x3f00_0000).unwrap();
        x.vmovd(xmm3, edi).unwrap();
        horner(x, ymm4, ymm3, 4);
        x.ret().unwrap();
    });
    assert_eq!(text, "nnnnn");
}

/// Newton's step of a reciprocal square root and of a division; normalisation with a weight and a bias.
#[test]
fn refinements_of_reciprocals_are_native() {
    let text = shown(&[-0.5, 1.5, 2.0], false, |x| {
        constant(x, ymm4, 0);
        constant(x, ymm5, 1);
        x.vmovups(ymm1, ymmword_ptr(rdi)).unwrap();
        x.vrsqrtps(ymm2, ymm1).unwrap();
        x.vmulps(ymm3, ymm1, ymm4).unwrap();
        x.vmulps(ymm6, ymm2, ymm2).unwrap();
        x.vfmadd213ps(ymm6, ymm3, ymm5).unwrap();
        x.vmulps(ymm2, ymm2, ymm6).unwrap();
        x.vmulps(ymm7, ymm2, ymmword_ptr(rsi)).unwrap();
        x.vmovups(ymm8, ymmword_ptr(rcx)).unwrap();
        x.vfmadd213ps(ymm7, ymm8, ymmword_ptr(rdx)).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "ne");
    let text = shown(&[], false, |x| {
        x.vmovups(ymm1, ymmword_ptr(rdi)).unwrap();
        x.vmovups(ymm0, ymmword_ptr(rsi)).unwrap();
        x.vrcpps(ymm2, ymm1).unwrap();
        x.vmulps(ymm3, ymm0, ymm2).unwrap();
        x.vfnmadd213ps(ymm1, ymm3, ymm0).unwrap();
        x.vfmadd213ps(ymm1, ymm2, ymm3).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "nn");
}

/// Products and quotients of pairs of numbers, as a logarithm of the gamma function has them; then a product that is the
/// program's, with the same factors and another addend.
#[test]
fn residuals_of_products_and_quotients_are_native() {
    let text = shown(&[], false, |x| {
        x.vmovups(ymm0, ymmword_ptr(rdi)).unwrap();
        x.vmovups(ymm1, ymmword_ptr(rsi)).unwrap();
        x.vmulps(ymm2, ymm0, ymm1).unwrap();
        x.vmovaps(ymm3, ymm1).unwrap();
        x.vfmsub132ps(ymm3, ymm2, ymm0).unwrap();
        x.vfmadd231ps(ymm3, ymm0, ymmword_ptr(rsi + 32)).unwrap();
        x.vfmadd213ps(ymm1, ymm0, ymmword_ptr(rdx)).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "nne");
    let text = shown(&[], false, |x| {
        x.vmovups(ymm0, ymmword_ptr(rdi)).unwrap();
        x.vmovups(ymm1, ymmword_ptr(rsi)).unwrap();
        x.vdivps(ymm2, ymm0, ymm1).unwrap();
        x.vmovaps(ymm3, ymm1).unwrap();
        x.vfnmadd132ps(ymm3, ymm0, ymm2).unwrap();
        x.vfnmadd132ps(ymm2, ymm1, ymm0).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "ne");
}

/// binary32 to half by a sum with bits of the exponent: what leads to it by a power of two is part of it. The sum of products
/// whose result is converted is not, nor one that is stored as BF16.
#[test]
fn conversion_to_half_is_native_and_its_argument_is_not() {
    let constants = [2f32.powi(112), 2f32.powi(-110)];
    let text = shown(&constants, true, |x| {
        x.vmovups(ymm0, ymmword_ptr(rdi)).unwrap();
        x.vfmadd213ps(ymm0, ymm1, ymmword_ptr(rsi)).unwrap();
        constant(x, ymm5, 0);
        constant(x, ymm6, 1);
        // |x| by shifts: constants of masks are not in the table.
        x.vpslld(ymm2, ymm0, 1).unwrap();
        x.vpsrld(ymm3, ymm2, 1).unwrap();
        x.vmulps(ymm3, ymm3, ymm5).unwrap();
        x.vpsrld(ymm2, ymm2, 24).unwrap();
        x.vpslld(ymm2, ymm2, 23).unwrap();
        x.vfmadd213ps(ymm3, ymm6, ymm2).unwrap();
        x.vpsrld(ymm4, ymm3, 13).unwrap();
        x.vpackusdw(ymm4, ymm4, ymm4).unwrap();
        x.vmovdqu(ymmword_ptr(rdx), ymm4).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "enn");
    let text = shown(&[], true, |x| {
        x.vmovups(ymm0, ymmword_ptr(rdi)).unwrap();
        x.vfmadd213ps(ymm0, ymm1, ymmword_ptr(rsi)).unwrap();
        // 0x7fff and 1 from all ones.
        x.vpcmpeqd(ymm6, ymm6, ymm6).unwrap();
        x.vpsrld(ymm5, ymm6, 17).unwrap();
        x.vpsrld(ymm6, ymm6, 31).unwrap();
        x.vpsrld(ymm2, ymm0, 16).unwrap();
        x.vpand(ymm2, ymm2, ymm6).unwrap();
        x.vpaddd(ymm2, ymm2, ymm5).unwrap();
        x.vpaddd(ymm0, ymm0, ymm2).unwrap();
        x.vpsrld(ymm0, ymm0, 16).unwrap();
        x.vpackusdw(ymm0, ymm0, ymm0).unwrap();
        x.vmovdqu(ymmword_ptr(rdx), ymm0).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "e");
}

/// Half to binary32 by a power of two; a product of BF16, which a shift widens, with a power of two is the program's.
#[test]
fn conversions_from_half_are_native() {
    let constants = [2f32.powi(112), 0.5];
    let text = shown(&constants, true, |x| {
        constant(x, ymm5, 0);
        x.vpmovzxwd(ymm0, xmmword_ptr(rdi)).unwrap();
        x.vpslld(ymm0, ymm0, 13).unwrap();
        x.vmulps(ymm0, ymm0, ymm5).unwrap();
        x.vpmovzxwd(ymm1, xmmword_ptr(rsi)).unwrap();
        x.vpslld(ymm1, ymm1, 16).unwrap();
        x.vmulps(ymm2, ymm1, ymm5).unwrap();
        // The program's: a product of the numbers, and a sum.
        x.vfmadd231ps(ymm3, ymm0, ymm1).unwrap();
        x.vmovups(ymmword_ptr(rdx), ymm3).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "nee");
}

/// Sums whose bits are read: with a number that only a conversion adds, or by an integer that is not made of them.
#[test]
fn results_that_are_read_as_integers_are_native() {
    // In general registers, with 1.5 · 2^15; the same sum stored as a number.
    let text = shown(&[49152.0], false, |x| {
        constant(x, ymm5, 0);
        x.vmovss(xmm0, dword_ptr(rdi)).unwrap();
        x.vfmadd213ss(xmm0, xmm1, xmm5).unwrap();
        x.vmovd(eax, xmm0).unwrap();
        x.and(eax, 0x7f_ffff).unwrap();
        x.mov(dword_ptr(rsi), eax).unwrap();
        x.vmovss(xmm2, dword_ptr(rdi + 4)).unwrap();
        x.vfmadd213ss(xmm2, xmm1, xmm5).unwrap();
        x.vmovss(dword_ptr(rsi + 4), xmm2).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "ne");
    // Through memory: a sum whose exponent grows by n, and a loop's sum of products that does.
    let text = shown(&[], false, |x| {
        let mut again = x.create_label();
        x.vmovss(xmm0, dword_ptr(rdi)).unwrap();
        x.vfmadd213ss(xmm0, xmm1, dword_ptr(rsi)).unwrap();
        x.vmovss(dword_ptr(rsp - 4), xmm0).unwrap();
        x.mov(eax, dword_ptr(rsp - 4)).unwrap();
        x.shl(ecx, 23).unwrap();
        x.add(eax, ecx).unwrap();
        x.mov(dword_ptr(rdx), eax).unwrap();
        x.vxorps(xmm2, xmm2, xmm2).unwrap();
        x.set_label(&mut again).unwrap();
        x.vmovss(xmm3, dword_ptr(rdi)).unwrap();
        x.vfmadd231ss(xmm2, xmm3, dword_ptr(rsi)).unwrap();
        x.add(rdi, 4).unwrap();
        x.dec(r8).unwrap();
        x.jne(again).unwrap();
        x.vmovd(eax, xmm2).unwrap();
        x.add(eax, ecx).unwrap();
        x.mov(dword_ptr(rdx + 4), eax).unwrap();
        x.ret().unwrap();
    });
    assert_eq!(text, "ne");
}

/// A function of registers that evaluates a polynomial, and pairs of numbers beside it; with a factor from memory the rest is the
/// program's.
#[test]
fn functions_of_registers_are_native_as_a_whole() {
    let function = |from_memory: bool| {
        shown(&COEFFICIENTS, false, |x| {
            horner(x, ymm5, ymm0, 5);
            x.vfmadd213ps(ymm1, ymm2, ymm5).unwrap();
            if from_memory {
                x.vfmadd231ps(ymm1, ymm2, ymmword_ptr(rdi)).unwrap();
            } else {
                x.vfmadd231ps(ymm1, ymm2, ymm3).unwrap();
            }
            x.vmovaps(ymm0, ymm1).unwrap();
            x.ret().unwrap();
        })
    };
    assert_eq!(function(false), "nnnnnnn");
    assert_eq!(function(true), "nnnnnee");
}

/// Neither what does not decode as a function nor an empty one matters.
#[test]
fn any_bytes_are_analysed_without_panic() {
    for index in 0..2000u64 {
        let bytes: Vec<u8> =
            (0..16).flat_map(|at| binade::philox::word(3, 16 * index + at).to_le_bytes()).collect();
        let code: Vec<Instruction> = Decoder::with_ip(64, &bytes, BASE, DecoderOptions::NONE)
            .iter()
            .filter(|instruction| !instruction.is_invalid())
            .collect();
        multiply_adds(&code, &|_, _| None);
    }
    assert!(multiply_adds(&[], &|_, _| None).is_empty());
}
