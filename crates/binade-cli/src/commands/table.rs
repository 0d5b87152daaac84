//! `binade table`

use std::io::Write;

use binade::table::{bits_text, code_text, row};
use binade::{Format, Spec, classify, decode, text};
use clap::Args;

use crate::{Error, Output, Status};

/// The widest format that has a table: a megabyte of rows is more than anybody reads.
const MAX_WIDTH: u32 = 20;

/// Arguments of `binade table`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The format, of at most 20 bits
    format: Spec,
    /// Comma-separated: code,bits,value,decimal,class
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// One JSON array, one object per code
    #[arg(long)]
    json: bool,
}

/// The columns of CSV and the keys of JSON.
const COLUMNS: [&str; 5] = ["code", "bits", "value", "decimal", "class"];

/// All of them are made of letters, digits and `._+-`, so that neither CSV nor JSON needs quoting.
fn cells(format: Format, code: u64) -> [String; 5] {
    let value = decode(format, code);
    [
        code_text(format, code),
        bits_text(format, code),
        text::hex(value),
        text::decimal(value),
        classify(format, code).name().to_owned(),
    ]
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let format = self.format.format;
        if format.width() > MAX_WIDTH {
            return Err(Error::TableSize {
                name: self.format.name().to_owned(),
                width: format.width(),
                rows: 1 << format.width(),
                most: MAX_WIDTH,
            });
        }
        let codes = 0..=format.last_code();
        if self.csv {
            writeln!(out, "{}", COLUMNS.join(","))?;
            for code in codes {
                writeln!(out, "{}", cells(format, code).join(","))?;
            }
        } else if self.json {
            for code in codes {
                let pairs: Vec<_> = COLUMNS
                    .iter()
                    .zip(cells(format, code))
                    .map(|(key, cell)| format!("\"{key}\":\"{cell}\""))
                    .collect();
                writeln!(out, "{}{{{}}}", if code == 0 { "[" } else { "," }, pairs.join(","))?;
            }
            writeln!(out, "]")?;
        } else {
            for code in codes {
                writeln!(out, "{}", row(format, code))?;
            }
        }
        Ok(Status::Done)
    }
}
