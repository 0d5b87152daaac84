//! `binade formats`: lists every named format.

use std::io::Write;

use binade::catalog::{Bias, ENTRIES, P3109};
use binade::{Edition, Format, NanCodes, decode, text};
use clap::Args;
use serde::Serialize;

use crate::{Error, Output, Status, text_table};

/// Arguments of `binade formats`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Print one JSON array
    #[arg(long)]
    json: bool,
}

/// A named format, with `null` for values that depend on a configurable bias.
#[derive(Serialize)]
struct Row {
    name: String,
    aliases: &'static [&'static str],
    source: &'static str,
    width: u32,
    precision: u32,
    exponent_bits: u32,
    signed: bool,
    bias: Option<i32>,
    bias_range: Option<(i32, i32)>,
    max_finite: Option<String>,
    infinities: bool,
    nan: &'static str,
    negative_zero: bool,
    subnormals: &'static str,
    /// The largest finite value, with the bias in its exponent where that is open.
    #[serde(skip)]
    largest: String,
    #[serde(skip)]
    specials: String,
}

impl Row {
    fn new(
        name: String,
        aliases: &'static [&'static str],
        source: &'static str,
        format: Format,
        configurable: bool,
    ) -> Row {
        let max = text::hex(decode(format, format.max_finite_code()));
        let largest = match max.split_once("p+") {
            Some((significand, exponent)) if configurable => format!("{significand}p({exponent}-bias)"),
            _ => max.clone(),
        };
        let specials: Vec<&str> = [
            (format.infinities(), "inf"),
            (format.nan() != NanCodes::None, "nan"),
            (format.negative_zero(), "-0"),
        ]
        .into_iter()
        .filter_map(|(has, name)| has.then_some(name))
        .collect();
        Row {
            name,
            aliases,
            source,
            width: format.width(),
            precision: format.precision(),
            exponent_bits: format.exponent_bits(),
            signed: format.signed(),
            bias: (!configurable).then_some(format.bias()),
            bias_range: configurable.then_some((*Bias::RANGE.start(), *Bias::RANGE.end())),
            max_finite: (!configurable).then_some(max),
            infinities: format.infinities(),
            nan: format.nan().name(),
            negative_zero: format.negative_zero(),
            subnormals: format.subnormals().name(),
            largest,
            specials: if specials.is_empty() { "-".to_owned() } else { specials.join(",") },
        }
    }

    fn cells(&self) -> [String; 9] {
        let bias = match (self.bias, self.bias_range) {
            (None, Some((first, last))) => format!("{first}…{last}"),
            (bias, _) => bias.map_or(String::new(), |bias| bias.to_string()),
        };
        [
            self.name.clone(),
            self.width.to_string(),
            self.precision.to_string(),
            bias,
            self.largest.clone(),
            self.specials.clone(),
            self.subnormals.to_owned(),
            self.source.to_owned(),
            self.aliases.join(" "),
        ]
    }
}

fn rows() -> impl Iterator<Item = Row> {
    let entries = ENTRIES.iter().map(|entry| {
        let configurable = entry.bias == Bias::Configurable;
        Row::new(entry.name.to_owned(), entry.aliases, entry.source, entry.format(0), configurable)
    });
    let families = P3109::all().filter_map(|member| {
        let source = match member.edition {
            Edition::Interim => "P3109 0.9.1",
            Edition::V4 => "P3109 4.0",
        };
        Some(Row::new(member.name(), &[], source, member.format()?, false))
    });
    entries.chain(families)
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        if self.json {
            crate::json::to_writer_pretty(&mut *out, &rows().collect::<Vec<_>>())?;
            writeln!(out)?;
            return Ok(Status::Done);
        }
        const HEAD: [&str; 9] =
            ["name", "width", "precision", "bias", "largest", "specials", "subnormals", "source", "aliases"];
        let lines: Vec<_> =
            std::iter::once(HEAD.map(str::to_owned)).chain(rows().map(|row| row.cells())).collect();
        text_table::write(out, &lines, &[])?;
        Ok(Status::Done)
    }
}
