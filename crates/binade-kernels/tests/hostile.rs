//! Results do not depend on the caller's floating-point environment: flush to zero, denormals are zero, and each
//! rounding control are set around every call.
#![cfg(target_arch = "x86_64")]

mod common;

use std::arch::asm;

use binade::philox::Stream;
use binade::{Operation, Projection, Rounding, Saturation};
use binade_kernels::{BlockDecoder, BlockEncoder, Decoder, Encoder, Rounder, codes::Arithmetic};
use binade_simd::Isa;
use common::{ARITHMETIC, edges, format, legs, projections, stochastics};

const FLUSH_TO_ZERO: u32 = 1 << 15;
const DENORMALS_ARE_ZERO: u32 = 1 << 6;
const ALL_MASKED: u32 = 0x1f80;

/// Sets MXCSR until it is dropped.
struct Environment(u32);

impl Environment {
    fn set(control: u32) -> Environment {
        let mut before = 0u32;
        // SAFETY: stores and loads the control register; all exceptions stay masked.
        unsafe {
            asm!("stmxcsr [{}]", in(reg) &mut before, options(nostack));
            asm!("ldmxcsr [{}]", in(reg) &(ALL_MASKED | control), options(nostack));
        }
        Environment(before)
    }
}

impl Drop for Environment {
    fn drop(&mut self) {
        // SAFETY: restores the previous value.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &self.0, options(nostack)) }
    }
}

fn environments() -> impl Iterator<Item = u32> {
    (0..4).map(|rounding| rounding << 13 | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO)
}

/// Checks that the environment changes results of ordinary code.
#[test]
fn hostile_environments_change_ordinary_arithmetic() {
    let _hostile = Environment::set(3 << 13 | FLUSH_TO_ZERO | DENORMALS_ARE_ZERO);
    let (tiny, mut product): (f32, f32) = (1e-40, 1.0);
    // SAFETY: the instruction uses registers only.
    unsafe { asm!("mulss {}, {}", inout(xmm_reg) product, in(xmm_reg) tiny, options(nostack)) };
    assert_eq!(product.to_bits(), 0);
}

/// All results of kernels over some formats, as bits.
fn results(isa: Isa, doubles: &[f64], singles: &[f32]) -> Vec<u64> {
    let mut all = vec![];
    let halves: Vec<u16> = singles.iter().map(|x| (x.to_bits() >> 16) as u16).collect();
    for name in [
        "float8_e4m3fn",
        "cfloat8_1_4_3@bias=40",
        "binary8p3",
        "shp@bias=31",
        "uhp",
        "bf16",
        "f16",
        "binary16p3",
    ] {
        let to = format(name);
        let mut codes = vec![0u16; singles.len()];
        let modes = projections().into_iter().chain([Projection::new(stochastics()[0], Saturation::Finite)]);
        for how in modes {
            let encoder = Encoder::new(to, how.rounding, how.saturation).unwrap().with_isa(isa);
            encoder.encode_f32(singles, &mut codes).unwrap();
            all.extend(codes.iter().map(|&code| code as u64));
            encoder.encode_f64(doubles, &mut codes).unwrap();
            all.extend(codes.iter().map(|&code| code as u64));
            encoder.encode_bf16(&halves, &mut codes).unwrap();
            all.extend(codes.iter().map(|&code| code as u64));
            encoder.encode_f16(&halves, &mut codes).unwrap();
            all.extend(codes.iter().map(|&code| code as u64));
            let flags = [encoder.flags_f32(singles), encoder.flags_f64(doubles)];
            all.extend(flags.map(|flags| flags.bits() as u64));
        }
        let every: Vec<u16> = (0..=to.last_code() as u16).collect();
        let (mut single, mut double) = (vec![0f32; every.len()], vec![0f64; every.len()]);
        let decoder = Decoder::new(to).unwrap().with_isa(isa);
        decoder.decode_f32(&every, &mut single).unwrap();
        decoder.decode_f64(&every, &mut double).unwrap();
        all.extend(single.iter().map(|x| x.to_bits() as u64));
        all.extend(double.iter().map(|x| x.to_bits()));
        let mut rounded = singles.to_vec();
        Rounder::new(to, Rounding::NearestEven, Saturation::Overflow)
            .unwrap()
            .with_isa(isa)
            .round_in_place(&mut rounded);
        all.extend(rounded.iter().map(|x| x.to_bits() as u64));
    }
    let x: Vec<u8> = (0..=0xffff_u16).map(|i| (i >> 8) as u8).collect();
    let y: Vec<u8> = (0..=0xffff_u16).map(|i| i as u8).collect();
    let mut out = vec![0u8; x.len()];
    for name in ["float8_e4m3fn", "cfloat8_1_4_3@bias=40", "binary8p3"] {
        let f = format(name);
        for operation in ARITHMETIC {
            for how in [projections()[0], projections()[9]] {
                let arithmetic = Arithmetic::new(operation, &[f, f], f, how).unwrap().with_isa(isa);
                arithmetic.apply(&[(&x).into(), (&y).into()], &mut out).unwrap();
                all.extend(out.iter().map(|&code| code as u64));
            }
        }
        let fma =
            Arithmetic::new(Operation::Fma, &[f, f, f], f, Projection::default()).unwrap().with_isa(isa);
        fma.apply(&[(&x).into(), (&y).into(), (&y).into()], &mut out).unwrap();
        all.extend(out.iter().map(|&code| code as u64));
    }
    let whole = &singles[..singles.len() / 32 * 32];
    let mut values = vec![0f32; whole.len()];
    for (name, bits, block) in [("mxfp8_e5m2", 8, 32), ("mxfp4", 4, 32), ("nvfp4", 4, 16)] {
        let (mut scales, mut codes) = (vec![0; whole.len() / block], vec![0; whole.len() * bits / 8]);
        let encoder = BlockEncoder::new(name.parse().unwrap()).unwrap().with_isa(isa);
        encoder.encode_f32(whole, 32, &mut scales, &mut codes).unwrap();
        let decoder = BlockDecoder::new(name.parse().unwrap()).unwrap().with_isa(isa);
        decoder.decode_f32(&scales, &codes, 32, &mut values).unwrap();
        all.extend(scales.iter().chain(&codes).map(|&code| code as u64));
        all.extend(values.iter().map(|x| x.to_bits() as u64));
    }
    all
}

#[test]
fn kernels_in_hostile_environments_give_the_same_results() {
    let mut random = Stream::new(31);
    let mut doubles = edges(format("float8_e4m3fn"), &mut random);
    doubles.extend(edges(format("bf16"), &mut random));
    doubles.truncate(4000);
    // Converted here, because the environment would flush some.
    let singles: Vec<f32> = doubles.iter().map(|&x| x as f32).collect();
    let want = results(Isa::PORTABLE, &doubles, &singles);
    for isa in legs() {
        for control in environments() {
            let got = {
                let _hostile = Environment::set(control);
                results(isa, &doubles, &singles)
            };
            assert_eq!(got.len(), want.len());
            let wrong = got.iter().zip(&want).position(|(got, want)| got != want);
            assert_eq!(wrong, None, "{isa}: differs under {control:#x}");
        }
    }
}
