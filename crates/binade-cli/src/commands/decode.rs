//! `binade decode`

use std::io::{self, BufReader, Write};

use binade::{Format, Spec, text};
use clap::Args;

use crate::words::each_word;
use crate::{Error, Output, Status, operand};

/// Arguments of `binade decode`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The format
    format: Spec,
    /// Codes: 0x3c, 60, 0b111100, or bits as `binade table` prints them; - reads them from standard input
    #[arg(required = true, value_name = "CODE")]
    codes: Vec<String>,
}

fn decode(format: Format, code: &str, out: &mut Output) -> Result<(), Error> {
    let value = operand::datum(code.as_bytes(), format)?.value();
    Ok(writeln!(out, "{} {}", text::hex(value), text::decimal(value))?)
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let format = self.format.format;
        for code in &self.codes {
            if code == "-" {
                let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
                each_word(&mut input, out, |word, out| decode(format, word, out))?;
            } else {
                decode(format, code, out)?;
            }
        }
        Ok(Status::Done)
    }
}
