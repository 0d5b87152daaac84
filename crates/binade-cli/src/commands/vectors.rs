//! `binade vectors`

use std::io::Write;

use binade::{Datum, Format, Spec, philox, table::code_text};
use clap::Args;

use crate::batch::answer_text;
use crate::modes::ModeArgs;
use crate::operand::{self, Sources};
use crate::{Error, Output, Status};

/// log2 of the most lines that are written without `--count`.
const MAX_BITS: u32 = 32;

/// Arguments of `binade vectors`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The operation; `binade conformance` lists them
    #[arg(value_name = "OP")]
    operation: String,
    /// The operands' formats: one for all, or one each
    #[arg(long = "in", value_name = "F[,F…]")]
    sources: String,
    /// The result's format [default: the first operand's]
    #[arg(long = "out", value_name = "F")]
    to: Option<Spec>,
    /// log2 of the scale factors [default: zeros]
    #[arg(long = "scale", value_name = "S[,S]", allow_hyphen_values = true)]
    scales: Option<String>,
    /// So many random vectors, rich in edge cases, instead of all; the same for the same --seed
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    #[command(flatten)]
    modes: ModeArgs,
}

/// Operand codes by line number.
enum Codes {
    /// Every combination, the last operand changing fastest.
    All { widths: Vec<u32> },
    /// Random ones.
    Random { formats: Vec<Format>, edges: Vec<Vec<u64>>, seed: u64 },
}

impl Codes {
    fn at(&self, line: u64, codes: &mut [u64]) {
        match self {
            Codes::All { widths } => {
                let mut rest = line;
                for (code, width) in codes.iter_mut().zip(widths).rev() {
                    *code = rest & (u64::MAX >> (64 - width));
                    rest = rest.checked_shr(*width).unwrap_or(0);
                }
            }
            Codes::Random { formats, edges, seed } => {
                for i in 0..codes.len() {
                    // The third counter word keeps these numbers apart from the random bits of rounding, which have 0.
                    let counter = [line as u32, (line >> 32) as u32, 1 + i as u32, 0];
                    let random = philox::seeded(*seed, counter);
                    let before = i.checked_sub(1).map(|before| (formats[before], codes[before]));
                    codes[i] = random_code(formats[i], &edges[i], before, random);
                }
            }
        }
    }
}

/// Codes at which a format's behaviour changes, of both signs, and their neighbours.
fn edges(format: Format) -> Vec<u64> {
    let one = binade::project(format, binade::Value::ONE, binade::Projection::default()).code;
    let mut magnitudes =
        vec![0, one, format.min_normal_code(), format.max_finite_code(), format.magnitude_mask()];
    magnitudes.extend(format.min_subnormal_code());
    magnitudes.extend(format.infinity_code());
    magnitudes.extend(format.nan_code());
    let near = |magnitude: u64| [magnitude.saturating_sub(1), magnitude, magnitude.saturating_add(1)];
    let mut codes: Vec<u64> = magnitudes
        .into_iter()
        .flat_map(near)
        .flat_map(|code| [code & format.magnitude_mask(), code & format.magnitude_mask() | format.sign_bit()])
        .collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// A quarter edges, a quarter next to a power of two or a midpoint, a quarter close to the operand before (where
/// differences cancel), the rest uniform.
fn random_code(format: Format, edges: &[u64], before: Option<(Format, u64)>, random: [u32; 4]) -> u64 {
    let uniform = u64::from(random[1]) << 32 | u64::from(random[2]);
    let pick = random[3];
    let code = match (random[0] % 4, before) {
        (0, _) => edges[pick as usize % edges.len()],
        (1, _) => {
            let trailing = format.trailing_bits();
            let half = (1u64 << trailing) >> 1;
            let bits = [0, half][pick as usize & 1].wrapping_add(u64::from(pick >> 1) % 3).wrapping_sub(1);
            (uniform & !((1 << trailing) - 1)) | (bits & ((1 << trailing) - 1))
        }
        (2, Some((same, code))) if same == format => {
            let close = code.wrapping_add(u64::from(pick >> 1) % 5).wrapping_sub(2);
            close ^ if pick & 1 == 1 { format.sign_bit() } else { 0 }
        }
        _ => uniform,
    };
    code & format.last_code()
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let modes = self.modes.resolve()?;
        let operation = operand::operation(&self.operation)?;
        let sources = Sources::parse(&self.sources, operation)?;
        let edition = modes.edition.unwrap_or_else(|| sources.edition(self.to.as_ref()));
        let formats = sources.formats;
        let to = self.to.map_or(formats[0], |spec| spec.format);
        let scales = operand::scales(self.scales.as_deref(), operation)?;
        let (codes, count) = match self.count {
            Some(count) => {
                let edges = formats.iter().map(|format| edges(*format)).collect();
                (Codes::Random { formats: formats.clone(), edges, seed: modes.seed }, count)
            }
            None => {
                let widths: Vec<u32> = formats.iter().map(Format::width).collect();
                let bits = widths.iter().sum();
                if bits > MAX_BITS {
                    return Err(Error::VectorCount { name: operation.name(), bits, most: MAX_BITS });
                }
                (Codes::All { widths }, 1 << bits)
            }
        };
        let mut operands = vec![0; formats.len()];
        let mut data = vec![];
        for line in 0..count {
            codes.at(line, &mut operands);
            data.clear();
            for (format, code) in formats.iter().zip(&operands) {
                data.push(Datum::new(*format, *code)?);
                write!(out, "{} ", code_text(*format, *code))?;
            }
            let answer = operation.evaluate(&data, &scales, to, modes.at(line), edition)?;
            writeln!(out, "{} {}", answer_text(&answer, to), answer.flags())?;
        }
        Ok(Status::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_once() {
        let codes = Codes::All { widths: vec![3, 4] };
        let mut operands = [0; 2];
        let all: Vec<_> = (0..128)
            .map(|line| {
                codes.at(line, &mut operands);
                operands[0] << 4 | operands[1]
            })
            .collect();
        assert_eq!(all, (0..128).collect::<Vec<_>>());
    }

    #[test]
    fn random_codes_fit_and_reach_the_edges() {
        for name in ["f64", "uhp", "float8_e8m0fnu", "float4_e2m1fn", "binary3p1", "shp@bias=31"] {
            let format = name.parse::<Spec>().unwrap().format;
            let edges = edges(format);
            let codes = Codes::Random { formats: vec![format; 2], edges: vec![edges.clone(); 2], seed: 1 };
            let mut seen = std::collections::HashSet::new();
            let mut operands = [0; 2];
            for line in 0..10_000 {
                codes.at(line, &mut operands);
                assert!(operands.iter().all(|code| *code <= format.last_code()));
                seen.extend(operands);
            }
            assert!(edges.iter().all(|edge| seen.contains(edge)), "{name}");
        }
    }
}
