//! `binade table`: prints the value of every code of a format.

use std::io::Write;

use binade::block::Element;
use binade::table::code_text;
use binade::text;
use clap::Args;
use thiserror::Error;

use crate::error::CommandError;
use crate::operand::NamedElement;
use crate::{Error, Output, Status};

/// The largest width of a format with a table.
const MAX_WIDTH: u32 = 20;

/// A format that is too wide for a table.
#[derive(Debug, Error)]
#[error(
    "a table of {name} would have 2^{width} = {rows} rows: tables are for formats of at most {MAX_WIDTH} bits"
)]
pub(crate) struct TableError {
    name: String,
    width: u32,
    rows: u128,
}

impl CommandError for TableError {
    fn hint(&self) -> Option<&'static str> {
        Some("`binade show` has the extremes, `binade decode` any code")
    }
}

/// Arguments of `binade table`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The format, of at most 20 bits, or mxint8, the integers of OCP MX
    format: NamedElement,
    /// Print comma-separated values: code,bits,value,decimal,class
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print one JSON array with an object for each code
    #[arg(long)]
    json: bool,
}

/// The columns of CSV and the keys of JSON.
const COLUMNS: [&str; 5] = ["code", "bits", "value", "decimal", "class"];

/// The cells of a row. They consist of letters, digits and `._+-`, so that neither CSV nor JSON needs quoting.
fn cells(element: Element, code: u64) -> Result<[String; 5], Error> {
    let value = element.datum(code)?.value();
    Ok([
        code_text(element.grid(), code),
        element.bits_text(code),
        text::hex(value),
        text::decimal(value),
        element.class(code)?.name().to_owned(),
    ])
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let element = self.format.element;
        if element.width() > MAX_WIDTH {
            let (name, width) = (self.format.name, element.width());
            return Err(TableError { name, width, rows: 1 << width }.into());
        }
        let codes = 0..=element.grid().last_code();
        if self.csv {
            writeln!(out, "{}", COLUMNS.join(","))?;
            for code in codes {
                writeln!(out, "{}", cells(element, code)?.join(","))?;
            }
        } else if self.json {
            for code in codes {
                let pairs: Vec<_> = COLUMNS
                    .iter()
                    .zip(cells(element, code)?)
                    .map(|(key, cell)| format!("\"{key}\":\"{cell}\""))
                    .collect();
                writeln!(out, "{}{{{}}}", if code == 0 { "[" } else { "," }, pairs.join(","))?;
            }
            writeln!(out, "]")?;
        } else {
            for code in codes {
                writeln!(out, "{}", element.row(code)?)?;
            }
        }
        Ok(Status::Done)
    }
}
