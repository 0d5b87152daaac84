//! `binade recipes`: lists recipes; also `binade show` of a recipe.

use std::io::Write;

use binade::recipe::{NAMES, Pass, Quantizer, Recipe};
use clap::Args;
use serde_json::{Map, Value, json};

use crate::error::printable;
use crate::{Error, Output, Status, text_table};

/// Arguments of `binade recipes`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

fn document(recipe: &Recipe) -> Value {
    let passes = Pass::ALL.map(|pass| {
        let product = recipe.product(pass);
        let mut entries: Map<String, Value> = (pass.operands().iter().zip(&product.operands))
            .map(|(role, quantizer)| (role.name().to_owned(), json!(quantizer.to_string())))
            .collect();
        entries.insert("sums".to_owned(), json!(product.sums));
        (pass.name().to_owned(), Value::Object(entries))
    });
    let stored: Map<String, Value> = (recipe.stored.entries().into_iter())
        .map(|(role, quantizer)| (role.to_owned(), json!(quantizer.to_string())))
        .collect();
    let mut document = json!({"name": recipe.name, "about": recipe.about, "source": recipe.source});
    for (pass, entries) in passes {
        document[pass] = entries;
    }
    let attention = recipe.attention();
    if !attention.operands.iter().all(Quantizer::is_none) {
        let [left, right] = attention.operands.each_ref().map(Quantizer::to_string);
        document["attention"] = json!({"left": left, "right": right, "sums": attention.sums});
    }
    document["stored"] = Value::Object(stored);
    document["leave"] = json!(recipe.leave);
    document
}

fn named() -> impl Iterator<Item = Recipe> {
    NAMES.iter().filter_map(|name| Recipe::named(name))
}

/// A quantizer's bits for each element of a large matrix.
fn bits(quantizer: &Quantizer) -> String {
    format!("{}", (quantizer.bits(4096, 4096) * 100.0).round() / 100.0)
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        if self.json {
            let recipes: Vec<Value> = named().map(|recipe| document(&recipe)).collect();
            crate::json::to_writer_pretty(&mut *out, &json!({ "recipes": recipes }))?;
            writeln!(out)?;
            return Ok(Status::Done);
        }
        let mut lines = vec![["recipe", "weights", "activations", "gradients", "about"].map(str::to_owned)];
        lines.extend(named().map(|recipe| {
            let [activation, weight] = &recipe.product(Pass::Forward).operands;
            let gradient = &recipe.product(Pass::InputGradient).operands[0];
            [recipe.name.clone(), bits(weight), bits(activation), bits(gradient), recipe.about.clone()]
        }));
        text_table::write(out, &lines, &[1, 2, 3])?;
        Ok(Status::Done)
    }
}

/// Prints a recipe as a picture of its three products and its stored tensors.
pub(crate) fn show(recipe: &Recipe, json: bool, out: &mut Output) -> Result<Status, Error> {
    if json {
        crate::json::to_writer_pretty(&mut *out, &document(recipe))?;
        writeln!(out)?;
        return Ok(Status::Done);
    }
    let operands = Pass::ALL.iter().flat_map(|pass| &recipe.product(*pass).operands);
    let operands = operands.chain(&recipe.attention().operands);
    let width = operands.map(|quantizer| quantizer.to_string().len()).max().unwrap_or(0);
    match &recipe.about[..] {
        "" => writeln!(out, "{}", printable(&recipe.name))?,
        about => writeln!(out, "{}: {}", printable(&recipe.name), printable(about))?,
    }
    if !recipe.source.is_empty() {
        writeln!(out, "source: {}", printable(&recipe.source))?;
    }
    for pass in Pass::ALL {
        let product = recipe.product(pass);
        writeln!(out)?;
        if product.operands.iter().all(Quantizer::is_none) {
            writeln!(out, "{}: as in the program", pass.name())?;
            continue;
        }
        let result = match pass {
            Pass::Forward => "output",
            Pass::InputGradient => "gradient of the input",
            Pass::WeightGradient => "gradient of the weight",
        };
        writeln!(out, "{}", pass.name())?;
        let tails = ["──┐".to_owned(), format!("──┴── added in {} ── {result}", product.sums)];
        for ((role, quantizer), tail) in pass.operands().iter().zip(&product.operands).zip(tails) {
            writeln!(out, "  {:<10} ── {:<width$} {tail}", role.name(), quantizer.to_string())?;
        }
    }
    let attention = recipe.attention();
    if !attention.operands.iter().all(Quantizer::is_none) {
        let [left, right] = &attention.operands;
        writeln!(out, "\nattention (products of batches, forward and backward)")?;
        writeln!(out, "  {:<10} ── {:<width$} ──┐", "left", left.to_string())?;
        writeln!(
            out,
            "  {:<10} ── {:<width$} ──┴── added in {} ── output",
            "right",
            right.to_string(),
            attention.sums
        )?;
    }
    if !recipe.stored.is_none() {
        writeln!(out, "\nstored between steps")?;
        for (role, quantizer) in recipe.stored.entries() {
            let format =
                if quantizer.is_none() { "as in the program".to_owned() } else { quantizer.to_string() };
            writeln!(out, "  {role:<14} {format}")?;
        }
    }
    if !recipe.leave.is_empty() {
        writeln!(out, "\nleft as in the program: {}", printable(&recipe.leave.join(", ")))?;
    }
    Ok(Status::Done)
}
