//! Verifies control flow, calls, tuples, tokens, random numbers and custom calls.

use super::node::{integers, same_size};
use super::{Builder, Node, all_compatible, check, compatible, contract, list, shape, window};
use crate::error::Result;
use crate::ir::{Op, RngAlgorithm};
use crate::syntax::Attribute;
use crate::types::{ElementType, TensorType, Type};

fn scalar(element: ElementType) -> Type {
    Type::Tensor(TensorType { shape: vec![], element })
}

fn states(node: &Node<'_, '_>, what: &str, found: &[Type], expected: &[Type]) -> Result<()> {
    node.rule(all_compatible(found, expected), &format!("{what} ({})", list(expected)), || {
        format!("({})", list(found))
    })
}

pub(crate) fn while_loop<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    states(node, "results must have the operands' types", node.results(), &node.types)?;
    let [condition, body] = node.regions::<2>()?;
    let (condition, found) = builder.region(condition, &node.types, node.name())?;
    states(node, "the condition must return", &found, &[scalar(ElementType::Bool)])?;
    let (body, found) = builder.region(body, &node.types, node.name())?;
    states(node, "the body must return", &found, &node.types)?;
    builder.emit(node, Op::While { condition, body })
}

pub(crate) fn if_else<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.operand_count(1)?;
    let predicate = node.tensor(0)?;
    let holds = predicate.shape.is_empty() && predicate.element == ElementType::Bool;
    node.type_rule(holds, "the predicate must be tensor<i1>")?;
    let [then, otherwise] = node.regions::<2>()?;
    let (then, found) = builder.region(then, &[], node.name())?;
    states(node, "the first branch must return", &found, node.results())?;
    let (otherwise, found) = builder.region(otherwise, &[], node.name())?;
    states(node, "the second branch must return", &found, node.results())?;
    builder.emit(node, Op::If { then, otherwise })
}

pub(crate) fn case<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.operand_count(1)?;
    let index = node.tensor(0)?;
    let i32 = ElementType::Integer { signed: true, width: 32 };
    node.type_rule(index.shape.is_empty() && index.element == i32, "the index must be tensor<i32>")?;
    node.rule(!node.syntax.regions.is_empty(), "there must be at least one branch", || "none".to_owned())?;
    let mut branches = vec![];
    for region in &node.syntax.regions {
        let (branch, found) = builder.region(region, &[], node.name())?;
        states(node, "every branch must return", &found, node.results())?;
        branches.push(branch);
    }
    builder.emit(node, Op::Case { branches })
}

/// The index of a function, whose signature is checked against the operands and results.
fn callee<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>, attribute: &str) -> Result<usize> {
    let function = builder.function_named(node.symbol(attribute)?, node.at())?;
    let signature = builder.signature(function);
    states(node, "operands must be those of the function", &node.types, signature.parameters)?;
    states(node, "results must be those of the function", node.results(), signature.results)?;
    Ok(function)
}

pub(crate) fn call<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let function = callee(builder, node, "callee")?;
    builder.emit(node, Op::Call { function })
}

pub(crate) fn composite<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let function = callee(builder, node, "decomposition")?;
    let name = node.string("name")?.to_owned();
    node.must(is_name(&name), || {
        format!("'name' must have words of letters, digits and '_' with '.' between, as my.operation: got '{name}'")
    })?;
    builder.emit(node, Op::Composite { name, function })
}

/// Returns true for a name with a namespace: `[a-zA-Z][a-zA-Z0-9_]*([.][a-zA-Z0-9_$]+)+`.
fn is_name(name: &str) -> bool {
    let mut words = name.split('.');
    let first = words.next().unwrap_or("");
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let rest: Vec<_> = words.collect();
    first.starts_with(|c: char| c.is_ascii_alphabetic())
        && first.chars().all(word)
        && !rest.is_empty()
        && rest.iter().all(|part| !part.is_empty() && part.chars().all(|c| word(c) || c == '$'))
}

pub(crate) fn optimization_barrier<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    states(node, "results must have the operands' types", node.results(), &node.types)?;
    builder.emit(node, Op::OptimizationBarrier)
}

/// Verifies an operation that only states where data is: the result is the operand.
pub(crate) fn identity<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    states(node, "results must have the operands' types", node.results(), &node.types)?;
    builder.define(node, node.operands.clone())
}

/// Verifies an operation for tools, which is dropped.
pub(crate) fn trace<'t, 'a>(_: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.result_count(0)
}

pub(crate) fn misplaced_return<'t, 'a>(_: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.broken("a terminator must be the last operation of a region", "one before the end")
}

pub(crate) fn after_all<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let tokens = node.types.iter().chain(node.results()).all(|ty| *ty == Type::Token);
    node.type_rule(tokens, "operands and result must be tokens")?;
    node.result_count(1)?;
    builder.emit(node, Op::AfterAll)
}

pub(crate) fn tuple<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    states(node, "the result must be", node.results(), &[Type::Tuple(node.types.clone())])?;
    builder.emit(node, Op::Tuple)
}

pub(crate) fn get_tuple_element<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let Type::Tuple(types) = &node.types[0] else {
        return node.broken("the operand must be a tuple", node.types[0].to_string());
    };
    let index = node.index("index")?;
    let Some(ty) = types.get(index) else {
        return node
            .broken("'index' must be below the size of the tuple", format!("{index} of {}", types.len()));
    };
    node.type_rule(compatible(ty, &node.results()[0]), "the result must have the type of the element")?;
    builder.emit(node, Op::GetTupleElement { index })
}

pub(crate) fn rng<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(3, 1)?;
    let (a, b, result) = (node.tensor(0)?, node.tensor(1)?, node.result(0)?);
    node.type_rule(a.shape.is_empty() && b.shape.is_empty(), "both parameters must be scalars")?;
    let same = a.element == b.element && a.element == result.element;
    node.type_rule(same, "parameters and result must have the same element type")?;
    shape::shape_operand(builder, node, 2)?;
    let normal = match node.word("rng_distribution")? {
        "NORMAL" => true,
        "UNIFORM" => false,
        _ => return node.wrong("rng_distribution", "UNIFORM or NORMAL"),
    };
    let float = matches!(a.element, ElementType::Float(_));
    node.type_rule(float || !normal, "elements must be floating-point where 'rng_distribution' is NORMAL")?;
    let holds = !matches!(a.element, ElementType::Complex(_) | ElementType::Quantized(_));
    node.type_rule(holds, "elements must be boolean, integer or floating-point")?;
    builder.emit(node, Op::Rng { normal })
}

pub(crate) fn rng_bit_generator<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    random_bits(builder, node, false)
}

/// `rng_bit_generator`, or `custom_call @stablehlo.dynamic_rng_bit_generator`, which also takes the shape of the bits.
fn random_bits<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>, shaped: bool) -> Result<()> {
    node.arity(if shaped { 2 } else { 1 }, 2)?;
    if shaped {
        node.integers_operand(1, Some(1))?;
        let (length, rank) = (node.tensor(1)?.shape[0], node.result(1)?.shape.len());
        node.type_rule(
            same_size(length, Some(rank)),
            "there must be a size for each dimension of the output",
        )?;
    }
    let (state, new_state, output) = (node.tensor(0)?, node.result(0)?, node.result(1)?);
    node.type_rule(state.is_like(new_state), "both states must have the same type")?;
    let algorithm = match node.word("rng_algorithm")? {
        "DEFAULT" => RngAlgorithm::Default,
        "THREE_FRY" => RngAlgorithm::ThreeFry,
        "PHILOX" => RngAlgorithm::Philox,
        _ => return node.wrong("rng_algorithm", "DEFAULT, THREE_FRY or PHILOX"),
    };
    let sizes: &[usize] = if algorithm == RngAlgorithm::ThreeFry { &[2] } else { &[2, 3] };
    let holds = match (&state.element, &state.shape[..]) {
        (ElementType::Integer { signed: false, width: 32 | 64 }, [None]) => true,
        (ElementType::Integer { signed: false, width: 64 }, [Some(size)]) => sizes.contains(size),
        (ElementType::Integer { signed: false, width: 32 }, [Some(size)]) => {
            size % 2 == 0 && sizes.contains(&(size / 2))
        }
        _ => false,
    };
    node.type_rule(holds, "the state must have 2 elements of ui64 (2 or 3 for PHILOX and DEFAULT)")?;
    let holds = matches!(output.element, ElementType::Integer { .. } | ElementType::Float(_));
    node.type_rule(holds, "the output's elements must be integers or floating-point")?;
    builder.emit(node, Op::RngBitGenerator(algorithm))
}

pub(crate) fn custom_call<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let target = node.string("call_target_name")?;
    layouts(node)?;
    aliases(node)?;
    backend_config(node)?;
    if target.starts_with("check.") {
        return check::custom_call(builder, node, target);
    }
    match target {
        "ApproxTopK" => return window::approx_top_k(builder, node, 0),
        "stablehlo.dynamic_approx_top_k" => return window::approx_top_k(builder, node, 1),
        "stablehlo.dynamic_reduce_window" => return window::dynamic_reduce_window(builder, node),
        "stablehlo.dynamic_rng_bit_generator" => return random_bits(builder, node, true),
        "cpu_csr_sparse_dense_ffi" => return contract::sparse_dot(builder, node),
        "__op$block_scaled_dot" => contract::block_scaled_dot(node)?,
        _ => {}
    }
    let backend_config = match (node.attribute("mhlo.backend_config"), node.attribute("backend_config")) {
        (Some(Attribute::Struct(fields)), _) | (_, Some(Attribute::Struct(fields))) => fields.integers(),
        (_, Some(Attribute::String(config))) => config.to_string(),
        _ => String::new(),
    };
    let has_side_effect = node.bool_or("has_side_effect", false)?;
    let shapes = match node.attribute("indices_of_shape_operands") {
        Some(_) => node.indices("indices_of_shape_operands")?,
        None => vec![],
    };
    if !shapes.is_empty() {
        node.size("'indices_of_shape_operands'", shapes.len(), node.results().len())?;
        shapes.iter().try_for_each(|&at| node.integers_operand(at, Some(1)))?;
    }
    let target = target.to_owned();
    builder.emit(node, Op::CustomCall { target, has_side_effect, backend_config, shapes })?;
    let made = builder.operations.last().and_then(|call| call.results.first());
    if let (Some(Attribute::String(sharding)), Some(&value)) = (node.attribute("mhlo.sharding"), made)
        && builder.partitions > 1
    {
        builder.stated.note(node.string("call_target_name")?, value, sharding);
    }
    Ok(())
}

/// Checks `operand_layouts` and `result_layouts`: both or neither. Each layout orders the dimensions of a tensor; a token has
/// an empty one. If the only result is a tuple, its parts have the layouts.
fn layouts(node: &Node<'_, '_>) -> Result<()> {
    let list = |name: &str| match node.attribute(name) {
        None => Ok(None),
        Some(Attribute::Array(items)) => Ok(Some(items)),
        Some(_) => node.wrong(name, "a list of layouts"),
    };
    let (operands, results) = match (list("operand_layouts")?, list("result_layouts")?) {
        (None, None) => return Ok(()),
        (Some(operands), Some(results)) => (operands, results),
        (operands, _) => {
            let (there, missing) = match operands {
                Some(_) => ("operand_layouts", "result_layouts"),
                None => ("result_layouts", "operand_layouts"),
            };
            return node.broken(
                format!("layouts must be of operands and results: got '{there}' without '{missing}'"),
                "",
            );
        }
    };
    let made = match node.results() {
        [Type::Tuple(parts)] => parts,
        results => results,
    };
    for (what, types, layouts) in [("operand", &node.types[..], operands), ("result", made, results)] {
        node.must(types.len() == layouts.len(), || {
            format!("there must be a layout for each {what}: got {} for {}", layouts.len(), types.len())
        })?;
        for (index, (ty, layout)) in types.iter().zip(layouts).enumerate() {
            let rank = match ty {
                Type::Tensor(tensor) => tensor.shape.len(),
                Type::Token => 0,
                Type::Tuple(_) => {
                    return node.broken(
                        format!("a value with a layout must be a tensor: got {ty} ({what} {index})"),
                        "",
                    );
                }
            };
            let order = integers(layout, Some(rank)).unwrap_or_default();
            let holds = order.len() == rank && (0..rank as i64).all(|dimension| order.contains(&dimension));
            node.must(holds, || {
                format!("a layout must have each dimension once: got {order:?} for {ty} ({what} {index})")
            })?;
        }
    }
    Ok(())
}

/// Checks `output_operand_aliases`: each names a part of the results and an operand of the same type.
fn aliases(node: &Node<'_, '_>) -> Result<()> {
    let aliases = match node.attribute("output_operand_aliases") {
        None => return Ok(()),
        Some(Attribute::Array(aliases)) => aliases,
        Some(_) => return node.wrong("output_operand_aliases", "a list"),
    };
    let made = match node.results() {
        [result] => result.clone(),
        results => Type::Tuple(results.to_vec()),
    };
    for alias in aliases {
        let Attribute::Struct(fields) = alias else {
            return node.wrong("output_operand_aliases", "a list of #stablehlo.output_operand_alias<…>");
        };
        let indices = |name: &str| match fields.get(name).map(|(value, _)| integers(value, None)) {
            None => Ok(vec![]),
            Some(Some(indices)) => Ok(indices),
            Some(None) => node.wrong("output_operand_aliases", "made of integers"),
        };
        let index = indices("operand_index")?.first().copied().unwrap_or(0);
        let Some(operand) = usize::try_from(index).ok().and_then(|index| node.types.get(index)) else {
            let count = node.types.len();
            return node.broken(
                format!("an alias must name an operand: got {index} of {count} ('operand_index')"),
                "",
            );
        };
        let from = part(node, operand, "operand_tuple_indices", &indices("operand_tuple_indices")?)?;
        let to = part(node, &made, "output_tuple_indices", &indices("output_tuple_indices")?)?;
        node.must(from == to, || {
            format!("parts that are aliases must have the same type: got {from} and {to}")
        })?;
    }
    Ok(())
}

/// The part of a type at a path through tuples.
fn part<'x>(node: &Node<'_, '_>, whole: &'x Type, name: &str, path: &[i64]) -> Result<&'x Type> {
    let inner = |ty: &'x Type, &index: &i64| match ty {
        Type::Tuple(parts) => parts.get(usize::try_from(index).ok()?),
        _ => None,
    };
    match path.iter().try_fold(whole, inner) {
        Some(ty) => Ok(ty),
        None => node
            .broken(format!("an alias must name a part that exists: got {path:?} of {whole} ('{name}')"), ""),
    }
}

/// Checks that `backend_config` has the form of the stated `api_version`: a dictionary in version 4, a string in older ones.
fn backend_config(node: &Node<'_, '_>) -> Result<()> {
    /// `API_VERSION_TYPED_FFI`.
    const TYPED: i64 = 4;
    let version = node.integer_or("api_version", TYPED)?;
    let fits = match node.attribute("backend_config") {
        _ if node.attribute("api_version").is_none() => true,
        None => true,
        // Portable artifacts state an empty string if there is no configuration.
        Some(Attribute::String(config)) if config.is_empty() => true,
        Some(Attribute::Struct(_)) => version == TYPED,
        Some(_) => version != TYPED,
    };
    node.must(fits, || {
        let (right, wrong) =
            if version == TYPED { ("a dictionary", "a string") } else { ("a string", "a dictionary") };
        format!("'backend_config' must be {right} with api_version {version}: got {wrong}")
    })
}
