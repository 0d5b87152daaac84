//! Compares the conversion of every binary32 word to formats of up to 16 bits with `binade::project`, on every leg:
//! `cargo run --release -p binade-kernels --bin exhaustive-convert [-- FORMAT… MODE…]`.
//!
//! The default formats are the 8-bit formats of the sources, and the default modes all deterministic ones. The
//! saturation mode is overflow. The definition is evaluated once for each distinct answer. As a function of the
//! magnitude it is constant between boundaries, which bisection on `project` finds, for either sign. Prints a line for
//! each format and mode; exits with 1 if anything differs.

use std::process::ExitCode;
use std::time::Instant;

use binade::{Format, Projection, Rounding, Saturation, Spec, Value, project};
use binade_kernels::Encoder;
use binade_simd::Isa;

const FORMATS: [&str; 12] = [
    "cfloat8_1_4_3@bias=7",
    "cfloat8_1_4_3@bias=40",
    "cfloat8_1_5_2@bias=20",
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

/// Words encoded at once.
const BLOCK: usize = 1 << 16;

fn define(format: Format, how: Projection, word: u32) -> u16 {
    let x = f32::from_bits(word);
    let value = match x.is_nan() {
        true => Value::Nan { negative: word >> 31 == 1 },
        false => Value::from_f64(x as f64),
    };
    project(format, value, how).code as u16
}

/// The definition as runs (first word, code), in order of words.
///
/// `project` is monotone, so it is constant between two words of one sign with equal answers. Hence bisection finds
/// every boundary. NaN and infinity are separate runs.
fn runs(format: Format, how: Projection) -> Vec<(u32, u16)> {
    const INFINITY: u32 = 0x7f80_0000;
    let mut runs = vec![];
    for sign in [0, 1 << 31] {
        let mut spans = vec![(sign, sign | (INFINITY - 1))];
        let mut finite = vec![(sign, define(format, how, sign))];
        while let Some((first, last)) = spans.pop() {
            let (a, b) = (define(format, how, first), define(format, how, last));
            if a == b {
                continue;
            }
            if last - first == 1 {
                finite.push((last, b));
                continue;
            }
            let middle = first + (last - first) / 2;
            spans.extend([(first, middle), (middle, last)]);
        }
        finite.sort_unstable();
        runs.extend(finite);
        for word in [sign | INFINITY, sign | (INFINITY + 1)] {
            runs.push((word, define(format, how, word)));
        }
    }
    runs
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mode = |argument: &str| Rounding::DETERMINISTIC.into_iter().find(|mode| mode.name() == argument);
    let mut modes: Vec<Rounding> = arguments.iter().filter_map(|argument| mode(argument)).collect();
    let mut names: Vec<&str> =
        arguments.iter().map(String::as_str).filter(|argument| mode(argument).is_none()).collect();
    if modes.is_empty() {
        modes = Rounding::DETERMINISTIC.to_vec();
    }
    if names.is_empty() {
        names = FORMATS.to_vec();
    }
    for name in Isa::names() {
        match Isa::from_name(name) {
            Ok(_) => println!("leg {name}"),
            Err(why) => println!("skipped: {why}"),
        }
    }
    let (start, mut wrong) = (Instant::now(), 0u64);
    for name in names {
        let format = match name.parse::<Spec>() {
            Ok(spec) => spec.format,
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(2);
            }
        };
        for &rounding in &modes {
            let how = Projection::new(rounding, Saturation::Overflow);
            let runs = runs(format, how);
            let mut values = vec![0f32; BLOCK];
            let (mut want, mut got, mut bytes) = (vec![0u16; BLOCK], vec![0u16; BLOCK], vec![0u8; BLOCK]);
            let (mut run, mut here) = (0, 0);
            for block in 0..(1u64 << 32) / BLOCK as u64 {
                for (i, (value, want)) in values.iter_mut().zip(&mut want).enumerate() {
                    let word = (block * BLOCK as u64) as u32 + i as u32;
                    while runs.get(run + 1).is_some_and(|(first, _)| *first <= word) {
                        run += 1;
                    }
                    *value = f32::from_bits(word);
                    *want = runs[run].1;
                }
                for isa in Isa::available() {
                    let done = Encoder::new(format, rounding, Saturation::Overflow).and_then(|encoder| {
                        let encoder = encoder.with_isa(isa);
                        if format.width() > 8 {
                            return encoder.encode_f32(&values, &mut got);
                        }
                        encoder.encode_f32(&values, &mut bytes)?;
                        got.iter_mut().zip(&bytes).for_each(|(word, byte)| *word = *byte as u16);
                        Ok(())
                    });
                    if let Err(error) = done {
                        eprintln!("{error}");
                        return ExitCode::from(2);
                    }
                    if got != want {
                        let differ = got.iter().zip(&want).filter(|(got, want)| got != want).count();
                        if here < 4
                            && let Some(i) = got.iter().zip(&want).position(|(got, want)| got != want)
                        {
                            let word = values[i].to_bits();
                            println!(
                                "{isa}: {word:#010x} to {name} {}: got {:#04x}, want {:#04x}",
                                rounding.name(),
                                got[i],
                                want[i]
                            );
                        }
                        here += differ as u64;
                    }
                }
            }
            println!("{name} {}: all 2^32 words, {here} wrong, {:.0?}", rounding.name(), start.elapsed());
            wrong += here;
        }
    }
    println!("{wrong} wrong in {:.0?}", start.elapsed());
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
