//! `binade units`: lists matrix units; also `binade show` of a unit.

use std::io::Write;

use binade::Rounding;
use binade::unit::{Known, Mode, Scaled, Step, UNITS, UNKNOWN, Unit};
use clap::Args;
use serde_json::{Value, json};

use crate::{Error, Output, Status, text_table};

/// Arguments of `binade units`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The name of a step in `--json`.
fn kind(step: Step) -> &'static str {
    match step {
        Step::Aligned { .. } => "aligned",
        Step::Late { halves: false, .. } => "late",
        Step::Late { halves: true, .. } => "late halves",
        Step::Exact => "exact",
        Step::Tree => "tree",
        Step::Pairs => "pairs",
        Step::TwoChains => "two chains",
        Step::Fused => "fused",
        Step::OddPairs => "odd pairs",
        Step::FusedPairs => "fused pairs",
    }
}

/// The number of fraction bits that terms keep below the largest exponent, if the step aligns them.
fn fraction_bits(step: Step) -> Option<i64> {
    match step {
        Step::Aligned { fraction_bits, .. } | Step::Late { fraction_bits, .. } => Some(fraction_bits),
        _ => None,
    }
}

fn evidence(known: Known) -> (&'static str, &'static str) {
    match known {
        Known::Measured(source) => ("measured", source),
        Known::Modelled(source) => ("modelled", source),
        Known::Specified(source) => ("specified", source),
    }
}

fn document(mode: &Mode) -> Value {
    let (known, source) = evidence(mode.known);
    let least_exponent = match mode.step {
        Step::Aligned { least_exponent, .. } => Some(least_exponent),
        _ => None,
    };
    json!({
        "inputs": mode.inputs,
        "products": mode.products,
        "step": kind(mode.step),
        "fraction_bits": fraction_bits(mode.step),
        "least_exponent": least_exponent,
        "accumulator": mode.result.format,
        "result_bits": mode.result.precision,
        "rounding": mode.result.rounding.name(),
        "subnormals": !mode.flush,
        "nan": format!("{:#x}", mode.nan),
        "known": known,
        "source": source,
    })
}

fn document_of(unit: &Unit) -> Value {
    let modes: Vec<Value> = unit.modes.iter().map(document).collect();
    let scaled = unit.scaled.iter().map(|scaled| {
        let mut step = document(&scaled.step);
        step["scales"] = json!(scaled.scales);
        step["group"] = json!(scaled.group);
        step
    });
    let scaled: Vec<Value> = scaled.collect();
    json!({"name": unit.name, "aliases": unit.aliases, "about": unit.about, "modes": modes, "scaled": scaled})
}

/// The rounding of results, in a few words.
fn result(mode: &Mode) -> String {
    let rounding = match mode.result.rounding {
        Rounding::TowardZero => "toward zero",
        Rounding::ToOdd => "to odd",
        _ => "to nearest even",
    };
    format!("{} bits, {rounding}, in {}", mode.result.precision, mode.result.format)
}

/// A row of the table of units.
fn row(unit: &Unit, mode: &Mode, of: &str, step: &str) -> [String; 7] {
    [
        unit.name.to_owned(),
        format!("{of}{}", mode.inputs.join(" ")),
        mode.products.to_string(),
        step.to_owned(),
        fraction_bits(mode.step).map_or("-".to_owned(), |bits| bits.to_string()),
        result(mode),
        evidence(mode.known).0.to_owned(),
    ]
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        if self.json {
            let units: Vec<Value> = UNITS.iter().map(document_of).collect();
            serde_json::to_writer_pretty(&mut *out, &json!({"units": units, "not_known": UNKNOWN}))?;
            writeln!(out)?;
            return Ok(Status::Done);
        }
        const HEAD: [&str; 7] = ["unit", "inputs", "products", "step", "fraction bits", "result", "known"];
        let mut lines = vec![HEAD.map(str::to_owned)];
        for unit in UNITS {
            lines.extend(unit.modes.iter().map(|mode| row(unit, mode, "", kind(mode.step))));
            lines.extend(unit.scaled.iter().map(|scaled| row(unit, &scaled.step, "blocks of ", "scaled")));
        }
        text_table::write(out, &lines, &[2, 4])?;
        writeln!(out, "\nNothing is published to the bit of: {}.", UNKNOWN.join(", "))?;
        Ok(Status::Done)
    }
}

/// The lines that describe a step.
fn sentences(mode: &Mode, scaled: Option<&Scaled>) -> Vec<String> {
    let n = mode.products;
    let pairs = |rounding: &str| {
        let order = match n {
            2 => "adds 2 products, then the accumulator".to_owned(),
            _ => format!("adds {n} products in pairs: the sum of each pair, in order, to the accumulator"),
        };
        vec![order, format!("each sum is {rounding}")]
    };
    match mode.step {
        Step::Aligned { fraction_bits, least_exponent } => {
            let least =
                if least_exponent > -1000 { format!(", at least {least_exponent}") } else { String::new() };
            let largest = format!("E is the largest exponent of all of them{least}");
            let mut lines = vec![format!("adds {n} products and the accumulator in one alignment")];
            match scaled.map(|scaled| scaled.group) {
                None => lines.push(format!("{largest}; a product's is the sum of its operands'")),
                Some(1) => lines.extend([
                    largest,
                    "a product's exponent is the sum of its operands' and of both scales'".to_owned(),
                ]),
                Some(group) => lines.extend([
                    largest,
                    format!(
                        "{group} products are summed exactly, times both scales' significands; the exponent is the sum of the scales'"
                    ),
                ]),
            }
            lines.push(format!(
                "each term is cut toward zero to a multiple of 2^(E-{fraction_bits}); their sum is exact"
            ));
            lines
        }
        Step::Late { fraction_bits, sum_bits, halves } => {
            let products = if halves { "products of even and of odd index apart" } else { "products" };
            let mut lines = vec![
                format!("aligns {n} {products}, each cut toward zero to {fraction_bits} fraction bits"),
                format!(
                    "aligns their sum with the accumulator: {sum_bits} and {fraction_bits} fraction bits, rounded down"
                ),
            ];
            if halves {
                lines.insert(1, "joins both sums at the larger exponent, each rounded down".to_owned());
                lines.push("an accumulator more than 25 binades below counts as 0".to_owned());
            }
            lines
        }
        Step::Exact => vec![format!("adds {n} products and the accumulator exactly")],
        Step::Tree => vec![
            format!("adds {n} products in a tree over neighbours, in binary32 to nearest even"),
            "adds the accumulator last".to_owned(),
        ],
        Step::Pairs => {
            vec!["adds the second product of a pair first, then the first, by binary32 FMAs".to_owned()]
        }
        Step::TwoChains => vec![
            format!("adds {n} products in two chains of binary32 FMAs from 0, of even and of odd index"),
            "adds both chains, then the accumulator, to nearest even".to_owned(),
        ],
        Step::Fused => vec![format!("adds {n} products and the accumulator exactly")],
        Step::OddPairs => pairs("rounded to odd in binary32: a sum that is not exact gets an odd last bit"),
        Step::FusedPairs => pairs("rounded to nearest even in binary32; products are exact"),
    }
}

/// A picture of the bits that terms keep: `E+1 E . -1 … -F`, with those that are cut.
fn picture(mode: &Mode) -> Option<String> {
    let bits = fraction_bits(mode.step)? as usize;
    Some(format!("2^(E+1)|2^E . {}|{}  kept | cut", "x".repeat(bits), "-".repeat(8)))
}

/// Prints a step: its head, and a line for each sentence. `about_numbers` is a sentence on subnormal numbers and NaN.
fn write_step(
    out: &mut Output,
    head: &str,
    mode: &Mode,
    scaled: Option<&Scaled>,
    about_numbers: Option<String>,
) -> Result<(), Error> {
    writeln!(out, "\n{head} -> {}", mode.result.format)?;
    let mut lines = sentences(mode, scaled);
    lines.extend(picture(mode));
    lines.push(format!("the result has {}", result(mode)));
    lines.extend(about_numbers);
    let (known, source) = evidence(mode.known);
    lines.push(format!("{known}: {source}"));
    lines.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    Ok(())
}

/// Prints a unit, mode by mode.
pub(crate) fn show(unit: &Unit, json: bool, out: &mut Output) -> Result<Status, Error> {
    if json {
        serde_json::to_writer_pretty(&mut *out, &document_of(unit))?;
        writeln!(out)?;
        return Ok(Status::Done);
    }
    writeln!(out, "{}: {} (also {})", unit.name, unit.about, unit.aliases.join(", "))?;
    for mode in unit.modes {
        let subnormals = if mode.flush {
            "subnormal inputs, addends and results are zeros"
        } else {
            "subnormals are kept"
        };
        let about_numbers = format!("{subnormals}; NaN is {:#x}", mode.nan);
        write_step(out, &mode.inputs.join(", "), mode, None, Some(about_numbers))?;
    }
    for scaled in unit.scaled {
        let (elements, scales) = (scaled.step.inputs.join(", "), scaled.scales.join(" or "));
        let head = format!("blocks of {elements}, scales {scales}");
        write_step(out, &head, &scaled.step, Some(scaled), None)?;
    }
    Ok(Status::Done)
}
