//! `binade show`: prints the parameters of a format, the arithmetic of a matrix unit, or a recipe.

use std::io::Write;
use std::str::FromStr;

use binade::block::BlockFormat;
use binade::properties::{self, Property};
use binade::recipe::{Quantizer, Recipe};
use binade::unit::{UNITS, UNKNOWN, Unit};
use binade::{Spec, SpecError, text};
use clap::Args;
use serde::ser::{Serialize, SerializeMap, Serializer};
use thiserror::Error;

use super::{recipes, units};
use crate::error::CommandError;
use crate::{Error, Output, Status};

/// Arguments of `binade show`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The format, a unit that `binade units` lists, or a recipe that `binade recipes` lists, with its sums as in nvfp4@b200; or a
    /// recipe in a file
    #[arg(value_name = "FORMAT|UNIT|RECIPE|FILE.toml")]
    shown: Shown,
    /// Print one JSON object. A format's extremes are exact hexadecimal floats, and exact decimals under NAME_decimal
    #[arg(long)]
    json: bool,
    /// Print a recipe as a file that can be changed, for --arith FILE.toml
    #[arg(long, conflicts_with = "json")]
    toml: bool,
}

/// The error for `--toml` without a recipe.
#[derive(Debug, Error)]
#[error("--toml is for recipes, which `binade recipes` lists: got {0}")]
pub(crate) struct NoRecipe(&'static str);

impl CommandError for NoRecipe {}

/// A format, a unit or a recipe, by its name.
#[derive(Clone, Debug)]
enum Shown {
    Format(Spec),
    Unit(&'static Unit),
    Recipe(Box<Recipe>),
}

impl FromStr for Shown {
    type Err = String;

    fn from_str(name: &str) -> Result<Shown, String> {
        if let Some(unit) = Unit::named(name) {
            return Ok(Shown::Unit(unit));
        }
        if let Some(recipe) = binade_recipes::of_text(name).map_err(|error| error.to_string())? {
            return Ok(Shown::Recipe(Box::new(recipe)));
        }
        if let Some(reason) = refuse_quantizer(name) {
            return Err(reason);
        }
        if Recipe::is_named_by(name) {
            let recipe = Recipe::parse(name).map_err(|error| error.to_string())?;
            return Ok(Shown::Recipe(Box::new(recipe)));
        }
        if UNKNOWN.iter().any(|unknown| unknown.eq_ignore_ascii_case(name)) {
            return Err(format!(
                "the arithmetic of '{name}' is not published to the bit: `binade units` lists the known units"
            ));
        }
        name.parse().map(Shown::Format).map_err(|error| match error {
            SpecError::Unknown { nearest, .. } if nearest.is_empty() => unknown(name),
            error => error.to_string(),
        })
    }
}

/// The message for a name that is near no format's, with a unit or a recipe that is near.
fn unknown(name: &str) -> String {
    let names = UNITS.iter().map(|unit| unit.name).chain(binade::recipe::NAMES);
    let near = text::nearest(name, names).map_or(String::new(), |near| format!("did you mean {near}? "));
    format!(
        "unknown name '{name}': {near}`binade formats`, `binade units` and `binade recipes` list the names"
    )
}

/// The reason why a quantizer, as `nvfp4/rule=floor`, is not shown; `None` for another name.
fn refuse_quantizer(name: &str) -> Option<String> {
    let (format, has_options) = name.split_once('/').map_or((name, false), |(format, _)| (format, true));
    let (blocks, rule) = format.split_once('@').unwrap_or((format, ""));
    let is_blocks = BlockFormat::is_name(blocks) && (rule.is_empty() || rule.starts_with("rule="));
    let is_quantizer = match has_options {
        true => is_blocks || format.parse::<Spec>().is_ok(),
        false => is_blocks && !rule.is_empty(),
    };
    if !is_quantizer {
        return None;
    }
    Some(match name.parse::<Quantizer>() {
        Ok(Quantizer { element: Some(element), .. }) => format!(
            "'{name}' is a quantizer, and show takes a format, a unit or a recipe: `binade show {element}` shows its elements, and \
             `binade show 'mine{{base=none|forward.weight={name}}}'` a recipe with it"
        ),
        Ok(_) => return None,
        Err(error) => error.to_string(),
    })
}

/// The length of the longest decimal expansion in the text. JSON has all of them.
const LONGEST_DECIMAL: usize = 60;

/// The text of a property; an extreme is in hexadecimal, then in decimal unless that is long.
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

/// The properties as a JSON object, with `null` for values that a format does not have.
struct Properties(Vec<(&'static str, Property)>);

impl Serialize for Properties {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        for (name, property) in &self.0 {
            match property {
                Property::Word(word) => object.serialize_entry(name, word)?,
                Property::Whole(number) => object.serialize_entry(name, number)?,
                Property::Holds(yes) => object.serialize_entry(name, yes)?,
                Property::Value(value) => {
                    object.serialize_entry(name, &value.map(text::hex))?;
                    object.serialize_entry(&format!("{name}_decimal"), &value.map(text::decimal))?;
                }
                Property::Codes(codes) => object.serialize_entry(name, codes)?,
            }
        }
        object.end()
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        if self.toml {
            return match self.shown {
                Shown::Recipe(recipe) => {
                    write!(out, "{}", binade_recipes::to_toml(&recipe))?;
                    Ok(Status::Done)
                }
                Shown::Unit(_) => Err(NoRecipe("a unit").into()),
                Shown::Format(_) => Err(NoRecipe("a format").into()),
            };
        }
        let format = match self.shown {
            Shown::Unit(unit) => return units::show(unit, self.json, out),
            Shown::Recipe(recipe) => return recipes::show(&recipe, self.json, out),
            Shown::Format(format) => format,
        };
        let properties = properties::of(&format);
        if self.json {
            crate::json::to_writer_pretty(&mut *out, &Properties(properties))?;
            writeln!(out)?;
        } else {
            for (name, property) in properties {
                writeln!(out, "{name:<14} {}", line(&property))?;
            }
        }
        Ok(Status::Done)
    }
}
