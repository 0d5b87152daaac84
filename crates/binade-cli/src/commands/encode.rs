//! `binade encode`: rounds values to a format, and prints their codes.

use std::ffi::OsString;
use std::io::{self, BufReader, Write};

use binade::block::Element;
use binade::table::code_text;
use binade::{Edition, project_in, text};
use clap::Args;

use crate::modes::{ModeArgs, Modes};
use crate::operand::NamedElement;
use crate::words::each_word;
use crate::{Error, Output, Status};

/// Arguments of `binade encode`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The format, or mxint8, the integers of OCP MX
    format: NamedElement,
    /// Decimal or hexadecimal floats, inf, -inf, nan; - reads them from standard input
    #[arg(required = true, value_name = "VALUE", allow_negative_numbers = true)]
    values: Vec<String>,
    /// Print after the code its bits, its value, the error (value - input, with ≈ if it is not exact) and the flags
    #[arg(long)]
    explain: bool,
    #[command(flatten)]
    modes: ModeArgs,
}

/// A minus sign that the argument parser does not take for the start of an option.
const MINUS: char = '\u{2212}';

/// Replaces the hyphen of negative values among the arguments of `encode` (`-inf`, `-0x1p-3`) by [`MINUS`], so that they are not
/// parsed as options.
pub(crate) fn protect_negative(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.get(1).is_some_and(|command| command == "encode") {
        for argument in &mut arguments[2..] {
            if let Some(text) = argument.to_str()
                && let Some(magnitude) = text.strip_prefix('-')
                // Plain numbers are not taken for options, wherever they are.
                && !magnitude.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
                && text::parse(text).is_ok()
            {
                *argument = format!("{MINUS}{magnitude}").into();
            }
        }
    }
    arguments
}

/// Encodes values one after the other; the index of a value chooses its random bits.
struct ValueEncoder {
    element: Element,
    edition: Edition,
    modes: Modes,
    explain: bool,
    index: u64,
}

impl ValueEncoder {
    fn encode(&mut self, word: &str, out: &mut Output) -> Result<(), Error> {
        let input = match word.strip_prefix(MINUS) {
            Some(magnitude) => text::parse(&format!("-{magnitude}"))?,
            None => text::parse(word)?,
        };
        let grid = self.element.grid();
        let rounded = project_in(grid, input, self.modes.at(self.index), self.edition);
        let rounded = self.element.coded(rounded);
        self.index += 1;
        write!(out, "{}", code_text(grid, rounded.code))?;
        if self.explain {
            let value = self.element.datum(rounded.code)?.value();
            let bits = self.element.bits_text(rounded.code);
            let error = text::error_of_text(value, input, word.strip_prefix(MINUS).unwrap_or(word));
            write!(out, " {bits} {} {error} {}", text::hex(value), rounded.flags)?;
        }
        Ok(writeln!(out)?)
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let modes = self.modes.resolve()?;
        let edition = modes.edition.unwrap_or(self.format.edition);
        let mut encoder =
            ValueEncoder { element: self.format.element, edition, modes, explain: self.explain, index: 0 };
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
