//! `binade encode`

use std::ffi::OsString;
use std::io::{self, BufReader, Write};

use binade::catalog::F64;
use binade::table::{bits_text, code_text};
use binade::{Edition, Finite, Format, Projection, Spec, Value, decode, project, project_in, text};
use clap::Args;

use crate::modes::{ModeArgs, Modes};
use crate::words::each_word;
use crate::{Error, Output, Status};

/// Arguments of `binade encode`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The format
    format: Spec,
    /// Decimal or hexadecimal floats, inf, -inf, nan; - reads them from standard input
    #[arg(required = true, value_name = "VALUE", allow_negative_numbers = true)]
    values: Vec<String>,
    /// After the code: its bits, its value, the error (value - input, ≈ where it is not exact) and the flags
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    modes: ModeArgs,
}

/// A minus sign that does not look like an option.
const MINUS: char = '\u{2212}';

/// Spells negative values among the arguments of `encode` (`-inf`, `-0x1p-3`) with a minus sign, so that they are not
/// taken for options.
pub(crate) fn protect_negative(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|command| command == "encode") {
        for argument in &mut arguments[2..] {
            if let Some(text) = argument.to_str()
                && let Some(magnitude) = text.strip_prefix('-')
                && text::parse(text).is_ok()
            {
                *argument = format!("{MINUS}{magnitude}").into();
            }
        }
    }
    arguments
}

struct Encoder {
    format: Format,
    edition: Edition,
    modes: Modes,
    explain: bool,
    index: u64,
}

impl Encoder {
    fn encode(&mut self, word: &str, out: &mut Output) -> Result<(), Error> {
        let input = match word.strip_prefix(MINUS) {
            Some(magnitude) => text::parse(&format!("-{magnitude}"))?,
            None => text::parse(word)?,
        };
        let rounded = project_in(self.format, input, self.modes.at(self.index), self.edition);
        self.index += 1;
        write!(out, "{}", code_text(self.format, rounded.code))?;
        if self.explain {
            let value = decode(self.format, rounded.code);
            let (bits, error) = (bits_text(self.format, rounded.code), error_text(value, input));
            write!(out, " {bits} {} {error} {}", text::hex(value), rounded.flags)?;
        }
        Ok(writeln!(out)?)
    }
}

/// value − input: a hexadecimal float where it is exact, otherwise `≈` and a decimal.
fn error_text(value: Value, input: Value) -> String {
    let (Value::Finite(value), Value::Finite(input)) = (value, input) else {
        let error = match (value, input) {
            (Value::Infinite { negative: a }, Value::Infinite { negative: b }) if a == b => {
                Value::Finite(Finite::zero(false))
            }
            (Value::Infinite { .. }, Value::Finite(_)) => value,
            (Value::Finite(_) | Value::Infinite { .. }, Value::Infinite { negative }) => {
                Value::Infinite { negative: !negative }
            }
            _ => Value::UNDEFINED,
        };
        return text::hex(error);
    };
    let error = difference(value, input);
    if error.sticky {
        let binary64 = project(F64, Value::Finite(Finite { sticky: false, ..error }), Projection::default());
        format!("≈{:e}", f64::from_bits(binary64.code))
    } else {
        text::hex(Value::Finite(error))
    }
}

/// x − y; sticky, with an error beyond the 60th bit of the larger operand, where 126 bits cannot hold it exactly.
fn difference(x: Finite, y: Finite) -> Finite {
    let top = |v: &Finite| if v.is_zero() { i64::MIN } else { v.log2_floor() };
    // A unit in which both fit 126 bits; the finer of their own units if that will do.
    let finest = [x, y].iter().filter(|v| !v.is_zero()).map(|v| v.exponent).min().unwrap_or(0);
    let unit = finest.max(top(&x).max(top(&y)).saturating_sub(125));
    let mut sticky = false;
    let mut in_units = |v: Finite| {
        let shift = v.exponent - unit;
        let magnitude = match shift {
            0.. => v.significand.checked_shl(shift.min(200) as u32).unwrap_or(0),
            _ => {
                let kept = v.significand.checked_shr(shift.unsigned_abs().min(200) as u32).unwrap_or(0);
                sticky |=
                    kept.checked_shl(shift.unsigned_abs().min(200) as u32).unwrap_or(0) != v.significand;
                kept
            }
        };
        sticky |= v.sticky;
        if v.negative { -(magnitude as i128) } else { magnitude as i128 }
    };
    let difference = in_units(x) - in_units(y);
    Finite { negative: difference < 0, significand: difference.unsigned_abs(), exponent: unit, sticky }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let modes = self.modes.resolve()?;
        let edition = modes.edition.unwrap_or(self.format.edition);
        let mut encoder =
            Encoder { format: self.format.format, edition, modes, explain: self.explain, index: 0 };
        for value in &self.values {
            if value == "-" {
                let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
                each_word(&mut input, out, |word, out| encoder.encode(word, out))?;
            } else {
                encoder.encode(value, out)?;
            }
        }
        Ok(Status::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors() {
        let error =
            |value: &str, input: &str| error_text(text::parse(value).unwrap(), text::parse(input).unwrap());
        assert_eq!(error("1", "1"), "0x0p+0");
        assert_eq!(error("0", "0"), "0x0p+0");
        assert_eq!(error("1.5", "1.375"), "0x1p-3");
        assert_eq!(error("-1.5", "-1.375"), "-0x1p-3");
        assert_eq!(error("0", "-0x1p-60000"), "0x1p-60000");
        assert_eq!(error("0x1p20", "0x1.00001p20"), "-0x1p+0");
        // One tenth is no sum of powers of two; the nearest to it of binary16 is 0x1.998p-4.
        assert_eq!(error("0x1.998p-4", "0.1"), "≈-2.44140625e-5");
        assert_eq!(error("1", "0x1p-200"), "≈1e0");
        assert_eq!(error("0x1p-200", "1"), "≈-1e0");
        assert_eq!(error("448", "inf"), "-inf");
        assert_eq!(error("inf", "inf"), "0x0p+0");
        assert_eq!(error("-inf", "-1e9"), "-inf");
        assert_eq!(error("inf", "-inf"), "inf");
        assert_eq!(error("nan", "1"), "nan");
        assert_eq!(error("1", "nan"), "nan");
    }
}
