//! The program of one device of a partitioned program, as JAX reads it.

use std::sync::Arc;

use binade_hlo::ir::Function;
use binade_hlo::sharding::Sharding;
use binade_hlo::{TensorType, Type};

use crate::error::Failure;

/// A program from a device's parts of the inputs to its parts of the results. Its one call has the whole program as configuration.
/// Its attributes have the shardings of inputs and results in XLA's notation, where JAX looks for them in a compiled program.
///
/// # Errors
/// If a value is not a tensor, or does not divide into equal parts.
pub(crate) fn of_device(
    text: &str,
    entry: &Function,
    (replicas, partitions): (usize, usize),
    inputs: &[Arc<Sharding>],
    results: &[Arc<Sharding>],
) -> Result<String, Failure> {
    let parameter = |&parameter: &binade_hlo::ir::ValueId| &entry.values[parameter.0 as usize];
    let parameters = parts(entry.body.parameters.iter().map(parameter), inputs)?;
    let made = parts(entry.results.iter(), results)?;
    let list = |items: Vec<String>| items.join(", ");
    let words = |shardings: &[Arc<Sharding>]| -> Vec<String> {
        shardings.iter().map(|sharding| sharding.to_xla()).collect()
    };
    let mut attributes = vec![
        format!("mhlo.num_partitions = {partitions} : i32"),
        format!("mhlo.num_replicas = {replicas} : i32"),
    ];
    let quoted = words(inputs).iter().map(|word| format!("\"{word}\"")).collect();
    attributes.push(format!("mhlo.spmd_parameters_shardings = [{}]", list(quoted)));
    match &words(results)[..] {
        [] => {}
        [word] => attributes.push(format!("mhlo.spmd_output_sharding = \"{word}\"")),
        all => attributes.push(format!("mhlo.spmd_output_sharding = \"{{{}}}\"", list(all.to_vec()))),
    }
    let names: Vec<String> = (0..parameters.len()).map(|at| format!("%arg{at}")).collect();
    let taken = names.iter().zip(&parameters).map(|(name, ty)| format!("{name}: {ty}")).collect();
    let (binding, used) = match made.len() {
        0 => (String::new(), String::new()),
        1 => ("%0 = ".to_owned(), "%0".to_owned()),
        count => (format!("%0:{count} = "), list((0..count).map(|at| format!("%0#{at}")).collect())),
    };
    let colon = if made.is_empty() { "" } else { " : " };
    Ok(format!(
        "module attributes {{{}}} {{\n  func.func public @main({}) -> ({made}) {{\n    {binding}stablehlo.custom_call \
         @binade({}) {{backend_config = \"{}\", has_side_effect = true}} : ({}) -> ({made})\n    return \
         {used}{colon}{made}\n  }}\n}}\n",
        list(attributes),
        list(taken),
        list(names),
        escaped(text),
        list(parameters),
        made = list(made),
    ))
}

/// The types of a device's parts.
fn parts<'a>(
    types: impl Iterator<Item = &'a Type>,
    shardings: &[Arc<Sharding>],
) -> Result<Vec<String>, Failure> {
    let part = |(ty, sharding): (&Type, &Arc<Sharding>)| {
        let unsupported = || Failure::Unimplemented(format!("a value of type {ty} on several devices"));
        let tensor = match ty {
            Type::Tensor(tensor) => tensor,
            Type::Token => return Ok(ty.to_string()),
            Type::Tuple(_) => return Err(unsupported()),
        };
        let sizes = tensor.shape.iter().copied().collect::<Option<Vec<usize>>>().ok_or_else(unsupported)?;
        let cannot = || Failure::Invalid(format!("a value of type {ty} in {:?} equal parts", sharding.parts));
        let shape = sharding.part_of(&sizes).ok_or_else(cannot)?.into_iter().map(Some).collect();
        Ok(TensorType { shape, element: tensor.element.clone() }.to_string())
    };
    types.zip(shardings).map(part).collect()
}

/// Text as MLIR writes it between quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 8);
    for char in text.chars() {
        match char {
            '"' => escaped.push_str("\\22"),
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\0A"),
            char if char.is_ascii_control() => escaped.push_str(&format!("\\{:02X}", u32::from(char))),
            char => escaped.push(char),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_hlo::Program;

    const TEXT: &str = "module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @m = <[\"x\"=2]>
  func.func @main(%a: tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@m, [{\"x\"}, {}]>}, %b: tensor<f32>)
      -> (tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {\"x\"}]>}, tensor<f32>) {
    return %a, %b : tensor<4x2xf32>, tensor<f32>
  }
}";

    #[test]
    fn program_of_a_device_has_the_types_of_its_parts() {
        let program = Program::parse(TEXT).unwrap();
        let entry = &program.functions[0];
        let whole = |at: &Option<Arc<Sharding>>| at.clone().unwrap_or_else(|| Arc::new(Sharding::whole(0)));
        let inputs: Vec<_> = entry.shardings.iter().map(whole).collect();
        let results: Vec<_> = entry.result_shardings.iter().map(whole).collect();
        let text = of_device(TEXT, entry, (1, 2), &inputs, &results).unwrap();
        let shown = Program::parse(&text).unwrap();
        assert_eq!(shown.partitions, 2);
        let types: Vec<String> = shown.functions[0].results.iter().map(Type::to_string).collect();
        assert_eq!(types, ["tensor<4x1xf32>", "tensor<f32>"]);
        assert!(text.contains("%arg0: tensor<2x2xf32>"), "{text}");
        assert!(
            text.contains("mhlo.spmd_output_sharding = \"{{devices=[1,2]0,1}, {replicated}}\""),
            "{text}"
        );
    }
}
