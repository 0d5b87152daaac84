//! `binade show`

use std::io::Write;

use binade::table::code_text;
use binade::{Format, Spec, decode, text};
use clap::Args;
use serde::Serialize;

use crate::{Error, Output, Status};

/// Arguments of `binade show`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The format
    format: Spec,
    /// One JSON object: extremes as exact hexadecimal floats, and as exact decimals under NAME_decimal
    #[arg(long)]
    json: bool,
}

/// The longest decimal expansion in the text; JSON has them all.
const LONGEST_DECIMAL: usize = 60;

/// The parameters in the order of the command's contract; `null` where a format has no such value.
#[derive(Serialize)]
struct Parameters<'a> {
    name: &'a str,
    width: u32,
    precision: u32,
    exponent_bits: u32,
    signed: bool,
    bias: i32,
    emin: i32,
    emax: i32,
    min_subnormal: Option<String>,
    min_subnormal_decimal: Option<String>,
    max_subnormal: Option<String>,
    max_subnormal_decimal: Option<String>,
    min_normal: Option<String>,
    min_normal_decimal: Option<String>,
    max_finite: Option<String>,
    max_finite_decimal: Option<String>,
    infinities: bool,
    nan_codes: Vec<String>,
    negative_zero: bool,
    finite_values: u128,
    subnormals: &'static str,
}

fn hex(format: Format, code: u64) -> String {
    text::hex(decode(format, code))
}

fn decimal(format: Format, code: u64) -> String {
    text::decimal(decode(format, code))
}

/// A code, or a range of codes.
fn range_text(format: Format, (first, last): (u64, u64)) -> String {
    match first == last {
        true => code_text(format, first),
        false => format!("{}-{}", code_text(format, first), code_text(format, last)),
    }
}

impl<'a> Parameters<'a> {
    fn new(spec: &'a Spec) -> Parameters<'a> {
        let format = spec.format;
        let (min_subnormal, max_subnormal) = (format.min_subnormal_code(), format.max_subnormal_code());
        let (min_normal, max_finite) = (format.smallest_normal(), Some(format.max_finite_code()));
        Parameters {
            name: spec.name(),
            width: format.width(),
            precision: format.precision(),
            exponent_bits: format.exponent_bits(),
            signed: format.signed(),
            bias: format.bias(),
            emin: format.emin(),
            emax: format.emax(),
            min_subnormal: min_subnormal.map(|code| hex(format, code)),
            min_subnormal_decimal: min_subnormal.map(|code| decimal(format, code)),
            max_subnormal: max_subnormal.map(|code| hex(format, code)),
            max_subnormal_decimal: max_subnormal.map(|code| decimal(format, code)),
            min_normal: min_normal.map(|code| hex(format, code)),
            min_normal_decimal: min_normal.map(|code| decimal(format, code)),
            max_finite: max_finite.map(|code| hex(format, code)),
            max_finite_decimal: max_finite.map(|code| decimal(format, code)),
            infinities: format.infinities(),
            nan_codes: format.nan_ranges().into_iter().map(|range| range_text(format, range)).collect(),
            negative_zero: format.negative_zero(),
            finite_values: format.finite_values(),
            subnormals: format.subnormals().name(),
        }
    }

    /// Keys and values as lines of text: an extreme in hexadecimal, then in decimal unless that is long.
    fn lines(&self) -> Vec<(&'static str, String)> {
        let yes_no = |yes| if yes { "yes" } else { "no" }.to_owned();
        let none = || "none".to_owned();
        let both = |hex: &Option<String>, decimal: &Option<String>| match (hex, decimal) {
            (Some(hex), Some(decimal)) if decimal.len() <= LONGEST_DECIMAL => format!("{hex} = {decimal}"),
            (hex, _) => hex.clone().unwrap_or_else(none),
        };
        vec![
            ("name", self.name.to_owned()),
            ("width", self.width.to_string()),
            ("precision", self.precision.to_string()),
            ("exponent_bits", self.exponent_bits.to_string()),
            ("signed", yes_no(self.signed)),
            ("bias", self.bias.to_string()),
            ("emin", self.emin.to_string()),
            ("emax", self.emax.to_string()),
            ("min_subnormal", both(&self.min_subnormal, &self.min_subnormal_decimal)),
            ("max_subnormal", both(&self.max_subnormal, &self.max_subnormal_decimal)),
            ("min_normal", both(&self.min_normal, &self.min_normal_decimal)),
            ("max_finite", both(&self.max_finite, &self.max_finite_decimal)),
            ("infinities", yes_no(self.infinities)),
            ("nan_codes", if self.nan_codes.is_empty() { none() } else { self.nan_codes.join(" ") }),
            ("negative_zero", yes_no(self.negative_zero)),
            ("finite_values", self.finite_values.to_string()),
            ("subnormals", self.subnormals.to_owned()),
        ]
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let parameters = Parameters::new(&self.format);
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &parameters)?;
            writeln!(out)?;
        } else {
            for (key, value) in parameters.lines() {
                writeln!(out, "{key:<14} {value}")?;
            }
        }
        Ok(Status::Done)
    }
}
