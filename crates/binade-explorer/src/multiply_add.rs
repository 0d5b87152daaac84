//! d = a·b + c under an operator, one rounding after the other.

use binade::operator::{Cost, Quantity, Step, StepResult};
use binade::table::short_decimal;
use binade::{Operator, SumDraws, Value, text};
use serde_json::{Value as Json, json};

/// The description of a step.
fn about(step: Step) -> &'static str {
    match step {
        Step::Read(_) => "the operand, as the operator reads it",
        Step::Rest(..) => "what the parts so far leave",
        Step::Part(Quantity::Product, 0) => "the product, split like its factors: first part",
        Step::Part(_, 0) => "first part",
        Step::Part(..) => "next part: what is left",
        Step::Joined(..) => "sum of the parts",
        Step::Product(..) => "the smallest partial product starts the sum",
        Step::ProductAdded(..) => "next partial product, added in one fused step",
        Step::Apart(..) => "the largest product by itself",
        Step::ApartAdded => "and added",
        Step::MultiplyAdd => "one fused multiply-add",
        Step::Pair(_) => "part of the product and part of the accumulator",
        Step::Pairs(_) => "the pairs' sums added",
        Step::Held => "the exact result, to the nearest value that the accumulator's parts hold",
        Step::Whole => "the exact result, rounded once",
    }
}

fn step(seen: &StepResult) -> Json {
    json!({
        "name": seen.step.to_string(),
        "about": about(seen.step),
        "format": seen.format.to_string(),
        "exact": text::hex(seen.exact),
        "value": text::hex(seen.value),
        "decimal": short_decimal(seen.value),
        "error": text::error(seen.value, seen.exact),
    })
}

/// The steps, the last of which is the result, and the operator's description. A stochastic operator takes the random bits of the first
/// addition of `matmul --seed`; `random` has their number, and is missing for other operators.
pub(crate) fn steps(operator: &Operator, [a, b, c]: [Value; 3], seed: u64) -> Json {
    let mut steps = operator.steps(a, b, c);
    let word = operator.is_stochastic().then(|| SumDraws::new(seed).word(0, 0, 0));
    if let (Some(word), Some(last)) = (word, steps.last_mut()) {
        last.value = operator.evaluate_drawn(word, a, b, c);
    }
    let cost = operator.cost();
    let (rounds, parts) = match operator.as_compound() {
        Some(compound) => (None, Some([compound.inputs, compound.accumulator, compound.products])),
        None => (operator.as_pair(), None),
    };
    json!({
        "operator": operator.to_string(),
        "parts": parts,
        "pair": rounds.map(|(inputs, accumulator)| [inputs.to_string(), accumulator.to_string()]),
        "area": cost.area,
        "speed_up": cost.speed_up(),
        "binary32_area": Cost::BINARY32_AREA,
        "random": word,
        "steps": steps.iter().map(step).collect::<Vec<_>>(),
        "result": steps.last().map(step),
    })
}
