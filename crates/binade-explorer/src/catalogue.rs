//! The named formats, and what each holds.

use binade::catalog::{Bias, ENTRIES, P3109};
use binade::properties::{self, Property};
use binade::table::{bits_text, code_text, form_text, short_decimal};
use binade::{Edition, Format, Spec, classify, decode, text};
use serde_json::{Map, Value as Json, json};

use crate::ExplorerError;
use crate::question::code;

/// Every named format; `bias` is `null` where it is the user's choice.
pub(crate) fn formats() -> Json {
    let row = |name: String, aliases: &[&str], source: &str, format: Format, bias: Option<i32>| {
        json!({
            "name": name,
            "aliases": aliases,
            "source": source,
            "width": format.width(),
            "precision": format.precision(),
            "bias": bias,
        })
    };
    let entries = ENTRIES.iter().map(|entry| {
        let bias = match entry.bias {
            Bias::Fixed(bias) => Some(bias),
            Bias::Configurable => None,
        };
        row(entry.name.to_owned(), entry.aliases, entry.source, entry.format(0), bias)
    });
    let families = P3109::all().filter_map(|member| {
        let format = member.format()?;
        let source = match member.edition {
            Edition::Interim => "P3109 0.9.1",
            Edition::V4 => "P3109 4.0",
        };
        Some(row(member.name(), &[], source, format, Some(format.bias())))
    });
    json!({ "formats": entries.chain(families).collect::<Vec<_>>() })
}

/// A format: names, fields and properties.
pub(crate) fn show(spec: &Spec) -> Json {
    let mut shown = Map::new();
    for (name, property) in properties::of(spec) {
        let json = match property {
            Property::Word(word) => word.into(),
            // JavaScript's numbers are exact to 2^53.
            Property::Whole(number) => match i64::try_from(number) {
                Ok(number) if number.unsigned_abs() <= 1 << 53 => number.into(),
                _ => number.to_string().into(),
            },
            Property::Holds(yes) => yes.into(),
            Property::Value(value) => {
                json!(value.map(|value| [text::hex(value), short_decimal(value)]))
            }
            Property::Codes(codes) => codes.into(),
        };
        shown.insert(name.to_owned(), json);
    }
    json!({
        "name": spec.name(),
        "edition": match spec.edition { Edition::Interim => "0.9.1", Edition::V4 => "4.0" },
        "properties": shown,
        "nan": spec.format.nan().name(),
        "same": spec.format.to_string(),
        "specials": specials(spec.format),
    })
}

/// Zeros, infinities and NaNs: what they are, and their codes.
fn specials(format: Format) -> Json {
    let mut all = vec![];
    let mut add = |what: &str, first: u64, last: u64| {
        let codes = match first == last {
            true => code_text(format, first),
            false => format!("{} to {}", code_text(format, first), code_text(format, last)),
        };
        all.push(json!({ "what": what, "codes": codes, "code": code_text(format, first) }));
    };
    if decode(format, 0) == binade::Value::ZERO {
        add("0", 0, 0);
    }
    if format.negative_zero() {
        add("−0", format.sign_bit(), format.sign_bit());
    }
    if let Some(infinity) = format.infinity_code() {
        add("∞", infinity, infinity);
        if format.signed() {
            add("−∞", infinity | format.sign_bit(), infinity | format.sign_bit());
        }
    }
    for (first, last) in format.nan_ranges() {
        add("NaN", first, last);
    }
    all.into()
}

/// A row of the table of codes.
pub(crate) fn row(format: Format, code: u64) -> Json {
    let value = decode(format, code);
    json!({
        "code": code_text(format, code),
        "bits": bits_text(format, code),
        "form": form_text(format, code),
        "value": text::hex(value),
        "decimal": short_decimal(value),
        "class": classify(format, code).name(),
        "canonical": binade::is_canonical(format, code),
    })
}

/// Rows of these codes.
pub(crate) fn rows(format: Format, codes: &[String]) -> Result<Json, ExplorerError> {
    let rows = codes.iter().map(|word| Ok(row(format, code(word, format)?)));
    Ok(json!({ "rows": rows.collect::<Result<Vec<_>, ExplorerError>>()? }))
}

/// The codes whose rows contain the text, and are of these classes.
pub(crate) fn find(format: Format, wanted: &str, classes: &[String]) -> Json {
    let wanted = wanted.trim().to_lowercase();
    let last = format.last_code();
    if wanted.is_empty() && classes.is_empty() {
        return json!({ "all": last + 1 });
    }
    let found = (0..=last).filter(|&code| {
        let class = classify(format, code).name();
        if !classes.is_empty() && !classes.iter().any(|name| name == class) {
            return false;
        }
        let contains = |text: &str| text.contains(&wanted);
        let value = || decode(format, code);
        contains(&code_text(format, code))
            || contains(&bits_text(format, code))
            || contains(class)
            || contains(&text::hex(value()))
            || contains(&short_decimal(value()))
    });
    json!({ "codes": found.collect::<Vec<_>>() })
}
