//! `binade decode`: prints the exact values of codes.

use std::io::{self, BufReader, Write};

use binade::block::Element;
use binade::text;
use clap::Args;

use crate::operand::{self, NamedElement};
use crate::words::each_word;
use crate::{Error, Output, Status};

/// Arguments of `binade decode`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The format, or mxint8, the integers of OCP MX
    format: NamedElement,
    /// Codes: 0x3c, 60, 0b111100, or bits as `binade table` prints them; - reads them from standard input
    #[arg(required = true, value_name = "CODE")]
    codes: Vec<String>,
}

fn decode(element: Element, code: &str, out: &mut Output) -> Result<(), Error> {
    let value = element.datum(operand::code(code.as_bytes(), element)?)?.value();
    Ok(writeln!(out, "{} {}", text::hex(value), text::decimal(value))?)
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let element = self.format.element;
        for code in &self.codes {
            if code == "-" {
                let mut input = BufReader::with_capacity(1 << 16, io::stdin().lock());
                each_word(&mut input, out, |word, out| decode(element, word, out))?;
            } else {
                decode(element, code, out)?;
            }
        }
        Ok(Status::Done)
    }
}
