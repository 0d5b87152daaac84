//! `binade show`

use std::io::Write;

use binade::properties::{self, Property};
use binade::{Spec, text};
use clap::Args;
use serde_json::{Map, Value as Json};

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

/// A property of the text: an extreme in hexadecimal, then in decimal unless that is long.
fn line(property: &Property) -> String {
    let none = || "none".to_owned();
    match property {
        Property::Word(word) => word.clone(),
        Property::Whole(number) => number.to_string(),
        Property::Holds(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Property::Value(None) => none(),
        Property::Value(Some(value)) => match text::decimal(*value) {
            decimal if decimal.len() <= LONGEST_DECIMAL => format!("{} = {decimal}", text::hex(*value)),
            _ => text::hex(*value),
        },
        Property::Codes(codes) if codes.is_empty() => none(),
        Property::Codes(codes) => codes.join(" "),
    }
}

/// All of them as a JSON object; `null` where a format has no such value.
fn object(properties: Vec<(&'static str, Property)>) -> Map<String, Json> {
    let mut object = Map::new();
    for (name, property) in properties {
        let json = match property {
            Property::Word(word) => word.into(),
            // None passes 2^64.
            Property::Whole(number) => i64::try_from(number).map_or(Json::from(number as u64), Json::from),
            Property::Holds(yes) => yes.into(),
            Property::Value(value) => {
                object.insert(name.to_owned(), value.map(text::hex).into());
                object.insert(format!("{name}_decimal"), value.map(text::decimal).into());
                continue;
            }
            Property::Codes(codes) => codes.into(),
        };
        object.insert(name.to_owned(), json);
    }
    object
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let properties = properties::of(&self.format);
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &object(properties))?;
            writeln!(out)?;
        } else {
            for (name, property) in properties {
                writeln!(out, "{name:<14} {}", line(&property))?;
            }
        }
        Ok(Status::Done)
    }
}
