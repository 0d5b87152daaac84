//! From the syntax tree to a checked program: names are resolved, types inferred and compared with those stated, and every
//! static constraint of the specification is checked. Operations that others can express are put in terms of them.
//!
//! Rules are given in words: the numbers of the specification's constraints have changed with its versions.

pub(crate) mod check;
pub(crate) mod chlo;
pub(crate) mod collective;
pub(crate) mod contract;
pub(crate) mod control;
pub(crate) mod einsum;
pub(crate) mod elementwise;
mod mesh;
mod node;
mod pieces;
mod quantized;
mod reduction;
pub(crate) mod shape;
pub(crate) mod sharding;
mod spread;
pub(crate) mod window;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

pub(crate) use node::{Classes, Node};
use pieces::Said;
use spread::Spread;

use crate::entry::PLATFORM_INDEX;
use crate::error::{Problem, Result, Source, fail};
use crate::ir::{self, Function, Op, Program, ValueId};
use crate::ops::{self, Verify};
use crate::parse::{RESULT_SHARDINGS, Tree};
use crate::sharding::Sharding;
use crate::syntax::{self, Attribute, Location};
use crate::types::Type;

/// How deep calls and regions may nest when a program runs, all together.
const DEEPEST: usize = 256;

/// How many aliases of locations may lead to one another, and among how many a name is looked for.
const LONGEST_ALIAS: usize = 16;
const MOST_LOCATIONS: usize = 1024;

/// What calls of a function need to know.
pub(crate) struct Signature<'t> {
    pub(crate) parameters: &'t [Type],
    pub(crate) results: &'t [Type],
}

/// Builds one function.
pub(crate) struct Builder<'t, 'a> {
    source: &'t Source<'a>,
    tree: &'t Tree<'a>,
    names: &'t HashMap<String, usize>,
    /// `mhlo.num_partitions`.
    partitions: usize,
    /// Functions that are regions in the text; they come after the text's own.
    outlined: &'t RefCell<Vec<Outlined>>,
    signatures: &'t [Signature<'t>],
    values: Vec<Type>,
    /// The elements of values that are short constants of integers.
    constants: HashMap<ValueId, Vec<i64>>,
    /// The results of each visible name, and where it is defined.
    visible: HashMap<&'a str, (Vec<ValueId>, usize)>,
    /// The names of the regions that are open, in the order of their definitions.
    defined: Vec<&'a str>,
    /// The operations of the region that is being built.
    operations: Vec<ir::Operation>,
    scopes: HashMap<String, Arc<str>>,
    /// Of the operation that is being built.
    scope: Arc<str>,
    at: usize,
    /// Where values are that several devices have.
    spread: Spread,
    /// Of which values `mhlo.sharding` says so.
    said: Said<'t>,
    /// Functions that are called or composed, and how deep in regions.
    calls: Vec<(usize, usize)>,
    depth: usize,
    deepest: usize,
}

/// A region that is a function of its own.
struct Outlined {
    function: Function,
    calls: Calls,
    at: usize,
}

/// The functions that a function calls, how deep in regions, and how deep its regions are.
type Calls = (Vec<(usize, usize)>, usize);

/// Checks a tree.
pub(crate) fn program(source: &Source<'_>, tree: &Tree<'_>) -> Result<Program> {
    let mut names = HashMap::new();
    let mut signatures = vec![];
    for (index, function) in tree.functions.iter().enumerate() {
        let name = match function.attributes.get("sym_name") {
            Some((Attribute::String(name), _)) => name.to_string(),
            _ => {
                return fail(
                    function.at,
                    Problem::Expected { expected: "a name".into(), found: "none".into() },
                );
            }
        };
        if let Some(first) = names.insert(name.clone(), index) {
            let (line, _) = source.position(tree.functions[first].at);
            return fail(function.at, Problem::Redefined { name: format!("@{name}"), line: line as usize });
        }
        let Some((Attribute::Function(parameters, results), _)) = function.attributes.get("function_type")
        else {
            return fail(
                function.at,
                Problem::Expected { expected: "a function type".into(), found: "none".into() },
            );
        };
        signatures.push(Signature { parameters, results });
    }
    let count = |name: &str| match tree.attributes.get(name) {
        Some((Attribute::Integer(value), at)) => match usize::try_from(*value) {
            Ok(value @ 1..=1024) => Ok(value),
            _ => fail(
                at,
                Problem::Expected { expected: format!("{name} of 1 to 1024"), found: value.to_string() },
            ),
        },
        _ => Ok(1),
    };
    let (replicas, partitions) = (count("mhlo.num_replicas")?, count("mhlo.num_partitions")?);
    let outlined = RefCell::default();
    let mut functions = vec![];
    let mut calls = vec![];
    for (function, signature) in tree.functions.iter().zip(&signatures) {
        let mut builder = Builder {
            source,
            tree,
            names: &names,
            partitions,
            outlined: &outlined,
            signatures: &signatures,
            values: vec![],
            constants: HashMap::new(),
            visible: HashMap::new(),
            defined: vec![],
            operations: vec![],
            scopes: HashMap::new(),
            scope: Arc::from(""),
            at: function.at,
            spread: Spread::default(),
            said: Said::default(),
            calls: vec![],
            depth: 0,
            deepest: 0,
        };
        functions.push(builder.function(function, signature)?);
        calls.push((builder.calls, builder.deepest));
    }
    let mut places: Vec<usize> = tree.functions.iter().map(|function| function.at).collect();
    for region in outlined.into_inner() {
        names.insert(region.function.name.clone(), functions.len());
        functions.push(region.function);
        calls.push(region.calls);
        places.push(region.at);
    }
    check_calls(&places, &functions, &calls)?;
    Ok(Program { functions, names, replicas, partitions, platform: 0 })
}

/// No function may call itself, through others or not, and calls and regions may nest to a limited depth.
fn check_calls(places: &[usize], functions: &[Function], calls: &[Calls]) -> Result<()> {
    // Depth-first, by hand: text decides how long a chain of calls is. A function's depth is known once all it calls
    // have theirs.
    let mut depths: Vec<Option<usize>> = vec![None; functions.len()];
    let mut open = vec![false; functions.len()];
    for start in 0..functions.len() {
        let mut path = vec![(start, 0)];
        while let Some(&mut (function, ref mut next)) = path.last_mut() {
            let (calls, own) = &calls[function];
            open[function] = true;
            if depths[function].is_none() && *next < calls.len() {
                let (callee, _) = calls[*next];
                *next += 1;
                if open[callee] {
                    let from = path.iter().position(|&(on_path, _)| on_path == callee).unwrap_or(0);
                    let circle = path[from..].iter().map(|&(on_path, _)| on_path).chain([callee]);
                    let names: Vec<_> = circle.map(|index| format!("@{}", functions[index].name)).collect();
                    return fail(places[callee], Problem::CyclicCalls(names.join(" → ")));
                }
                if depths[callee].is_none() {
                    path.push((callee, 0));
                }
                continue;
            }
            let through = calls.iter().map(|&(callee, depth)| depth + 1 + depths[callee].unwrap_or(0));
            let depth = through.max().unwrap_or(0).max(*own);
            if depth > DEEPEST {
                let what = "calls and regions";
                return fail(places[function], Problem::TooDeep { what, limit: DEEPEST });
            }
            depths[function] = Some(depth);
            open[function] = false;
            path.pop();
        }
    }
    Ok(())
}

impl<'t, 'a> Builder<'t, 'a> {
    fn function(
        &mut self,
        function: &'t syntax::Operation<'a>,
        signature: &Signature<'_>,
    ) -> Result<Function> {
        let Some((Attribute::String(name), _)) = function.attributes.get("sym_name") else {
            return fail(function.at, Problem::Expected { expected: "a name".into(), found: "none".into() });
        };
        let [region] = &function.regions[..] else {
            return fail(function.at, Problem::Unsupported(format!("function '@{name}' without a body")));
        };
        let (body, results) = self.region(region, signature.parameters, "func.func")?;
        if !all_compatible(&results, signature.results) {
            let rule = "what it returns has the types that it states".to_owned();
            let found = format!("states ({}), returns ({})", list(signature.results), list(&results));
            return fail(self.at, Problem::Rule { operation: "func.func".into(), rule, found });
        }
        let stated = match function.attributes.get(RESULT_SHARDINGS) {
            Some((Attribute::Array(shardings), _)) => &shardings[..],
            _ => &[],
        };
        let result = |(at, ty)| sharding::of_value(self, stated.get(at), ty, function.at);
        let mut result_shardings: Vec<_> =
            signature.results.iter().enumerate().map(result).collect::<Result<_>>()?;
        for (sharding, &value) in result_shardings.iter_mut().zip(&body.results) {
            if sharding.is_none() {
                *sharding = self.spread.get(value).cloned();
            }
        }
        let name = name.to_string();
        self.finished(name, region, body, signature.results.to_vec(), result_shardings, function.at)
    }

    /// The function that has been built.
    fn finished(
        &mut self,
        name: String,
        region: &syntax::Region<'a>,
        body: ir::Region,
        results: Vec<Type>,
        result_shardings: Vec<Option<Arc<Sharding>>>,
        at: usize,
    ) -> Result<Function> {
        let parameter_name = |parameter: &syntax::Parameter<'a>| {
            let location = || name_of(self.tree, parameter.location.as_ref()?, 0, &mut 0);
            let known = parameter.info.as_deref().or(parameter.constant.as_deref());
            known.or_else(location).map(str::to_owned)
        };
        let sharding = |parameter| sharding_of(self, parameter);
        Ok(Function {
            name,
            body,
            parameter_names: region.parameters.iter().map(parameter_name).collect(),
            platform: region
                .parameters
                .iter()
                .position(|parameter| parameter.constant.as_deref() == Some(PLATFORM_INDEX)),
            donated: region.parameters.iter().map(|parameter| parameter.donated).collect(),
            shardings: region.parameters.iter().map(sharding).collect::<Result<_>>()?,
            results,
            result_shardings,
            values: std::mem::take(&mut self.values),
            position: self.source.position(at),
        })
    }

    /// Builds a region that sees nothing around it as a function with parameters of these types; returns the function's
    /// index and the types of what it returns.
    pub(crate) fn outlined(
        &mut self,
        region: &'t syntax::Region<'a>,
        parameters: &[Type],
        node: &Node<'t, 'a>,
    ) -> Result<(usize, Vec<Type>)> {
        let mut inner = Builder {
            values: vec![],
            constants: HashMap::new(),
            visible: HashMap::new(),
            defined: vec![],
            operations: vec![],
            scopes: HashMap::new(),
            scope: self.scope.clone(),
            spread: Spread::default(),
            said: Said::default(),
            calls: vec![],
            depth: 0,
            deepest: 0,
            ..*self
        };
        let (body, types) = inner.region(region, parameters, node.name())?;
        let at = node.at();
        let count = self.outlined.borrow().len();
        // A name that no symbol of the text is: it says where the region stands.
        let (line, column) = self.source.position(at);
        let name = format!("{} at {line}:{column}", node.name());
        let shardings = vec![None; types.len()];
        let function = inner.finished(name, region, body, types.clone(), shardings, at)?;
        let function = Outlined { function, calls: (inner.calls, inner.deepest), at };
        self.outlined.borrow_mut().push(function);
        let index = self.tree.functions.len() + count;
        self.calls.push((index, self.depth));
        Ok((index, types))
    }

    /// A new value.
    pub(crate) fn value(&mut self, ty: Type) -> ValueId {
        self.values.push(ty);
        ValueId((self.values.len() - 1) as u32)
    }

    /// The elements of a value that is a short constant of integers.
    pub(super) fn known(&self, value: ValueId) -> Option<&[i64]> {
        self.constants.get(&value).map(Vec::as_slice)
    }

    pub(crate) fn ty(&self, value: ValueId) -> &Type {
        &self.values[value.0 as usize]
    }

    /// Adds an operation that text has not, with a result of a type.
    pub(crate) fn add(&mut self, kind: Op, operands: Vec<ValueId>, ty: Type) -> ValueId {
        let result = self.value(ty);
        self.push(kind, operands, vec![result]);
        result
    }

    /// Adds an operation.
    pub(crate) fn push(&mut self, kind: Op, operands: Vec<ValueId>, results: Vec<ValueId>) {
        let operation = self.made(kind, operands, results);
        self.operations.push(operation);
    }

    /// An operation where text is being read.
    pub(crate) fn made(&self, kind: Op, operands: Vec<ValueId>, results: Vec<ValueId>) -> ir::Operation {
        let (scope, position) = (self.scope.clone(), self.source.position(self.at));
        ir::Operation { kind, operands, results, scope, position }
    }

    /// Adds the operation of a node, with the results that the node states.
    pub(crate) fn emit(&mut self, node: &Node<'t, 'a>, kind: Op) -> Result<()> {
        self.emit_of(node, kind, node.operands.clone())
    }

    /// The same with other operands.
    pub(crate) fn emit_of(&mut self, node: &Node<'t, 'a>, kind: Op, operands: Vec<ValueId>) -> Result<()> {
        let results: Vec<_> = node.results().iter().map(|ty| self.value(ty.clone())).collect();
        self.push(kind, operands, results.clone());
        self.define(node, results)
    }

    /// Gives the results of a node their names.
    pub(crate) fn define(&mut self, node: &Node<'t, 'a>, results: Vec<ValueId>) -> Result<()> {
        let count: usize = node.syntax.results.iter().map(|binding| binding.count).sum();
        if count != 0 && count != results.len() {
            let expected = format!("{} results", results.len());
            return fail(node.syntax.at, Problem::Expected { expected, found: format!("names for {count}") });
        }
        let mut rest = &results[..];
        for binding in &node.syntax.results {
            let (these, after) = rest.split_at(binding.count.min(rest.len()));
            rest = after;
            self.define_name(binding.name, binding.at, these.to_vec())?;
        }
        Ok(())
    }

    fn define_name(&mut self, name: &'a str, at: usize, values: Vec<ValueId>) -> Result<()> {
        if let Some((_, first)) = self.visible.get(name) {
            let (line, _) = self.source.position(*first);
            return fail(at, Problem::Redefined { name: format!("%{name}"), line: line as usize });
        }
        self.visible.insert(name, (values, at));
        self.defined.push(name);
        Ok(())
    }

    fn lookup(&self, operand: &syntax::Use<'a>) -> Result<ValueId> {
        let missing = || {
            let name = match operand.index {
                0 => operand.name.to_owned(),
                index => format!("{}#{index}", operand.name),
            };
            fail(operand.at, Problem::UndefinedValue(name))
        };
        match self.visible.get(operand.name) {
            Some((values, _)) => match values.get(operand.index) {
                Some(value) => Ok(*value),
                None => missing(),
            },
            None => missing(),
        }
    }

    /// Builds a region with parameters of these types, and returns the types of what it returns.
    pub(crate) fn region(
        &mut self,
        region: &'t syntax::Region<'a>,
        parameters: &[Type],
        operation: &str,
    ) -> Result<(ir::Region, Vec<Type>)> {
        let stated: Vec<Type> = region.parameters.iter().map(|parameter| parameter.ty.clone()).collect();
        if !all_compatible(&stated, parameters) {
            let rule = format!("its region takes ({})", list(parameters));
            let found = format!("it takes ({})", list(&stated));
            return fail(region.at, Problem::Rule { operation: operation.to_owned(), rule, found });
        }
        let outer = std::mem::take(&mut self.operations);
        let (first, scope, at) = (self.defined.len(), self.scope.clone(), self.at);
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let mut values = vec![];
        for parameter in &region.parameters {
            let value = self.value(parameter.ty.clone());
            self.define_name(parameter.name, parameter.at, vec![value])?;
            if let Some(sharding) = sharding_of(self, parameter)? {
                self.spread.place(value, sharding);
            }
            values.push(value);
        }
        let Some((last, before)) = region.operations.split_last() else {
            let expected = "an operation that returns".to_owned();
            return fail(region.at, Problem::Expected { expected, found: "an empty region".to_owned() });
        };
        for operation in before {
            self.operation(operation)?;
        }
        if !matches!(&*last.name, "stablehlo.return" | "func.return" | "sdy.return") {
            let expected = "an operation that returns, at the end of a region".to_owned();
            return fail(last.at, Problem::Expected { expected, found: format!("'{}'", last.name) });
        }
        self.at = last.at;
        let results = self.operands(last)?;
        let types = results.iter().map(|&value| self.ty(value).clone()).collect();
        for name in self.defined.drain(first..) {
            self.visible.remove(name);
        }
        self.depth -= 1;
        (self.scope, self.at) = (scope, at);
        let mut operations = std::mem::replace(&mut self.operations, outer);
        pieces::join(self, &mut operations, &results);
        Ok((ir::Region { parameters: values, operations, results }, types))
    }

    /// The operands of an operation, whose types are those stated.
    fn operands(&self, operation: &syntax::Operation<'a>) -> Result<Vec<ValueId>> {
        let values =
            operation.operands.iter().map(|operand| self.lookup(operand)).collect::<Result<Vec<_>>>()?;
        let Some(stated) = &operation.operand_types else { return Ok(values) };
        if stated.len() != values.len() {
            let expected = format!("{} types of operands", values.len());
            return fail(operation.at, Problem::Expected { expected, found: stated.len().to_string() });
        }
        for ((operand, &value), used) in operation.operands.iter().zip(&values).zip(stated) {
            let defined = self.ty(value);
            if defined != used {
                let (name, defined, used) = (operand.name.to_owned(), defined.clone(), used.clone());
                return fail(operand.at, Problem::TypeMismatch { name, defined, used });
            }
        }
        Ok(values)
    }

    fn operation(&mut self, operation: &'t syntax::Operation<'a>) -> Result<()> {
        self.at = operation.at;
        self.scope = match &operation.location {
            Some(location) => self.scope_of(location),
            None => self.scope.clone(),
        };
        let Some(known) = ops::find(&operation.name) else {
            return fail(operation.at, Problem::UnknownOperation(operation.name.to_string()));
        };
        let operands = self.operands(operation)?;
        let types = operands.iter().map(|&value| self.ty(value).clone()).collect();
        let node = Node { syntax: operation, operands, types };
        if !known.per_axis {
            quantized::one_scale(&node)?;
        }
        let before = self.operations.len();
        match known.verify {
            Verify::Unary(op, classes) => elementwise::unary(self, &node, op, classes),
            Verify::Binary(op, classes) => elementwise::binary(self, &node, op, classes),
            Verify::Broadcast(op, classes) => chlo::broadcast_binary(self, &node, op, classes),
            Verify::Rules(rules) => rules(self, &node),
        }?;
        self.spread.follow(&self.operations[before..], &self.values);
        Ok(())
    }

    /// The name of a location, which has the named scopes in it.
    fn scope_of(&mut self, location: &Location<'a>) -> Arc<str> {
        match name_of(self.tree, location, 0, &mut 0) {
            Some(name) => match self.scopes.get(name) {
                Some(scope) => scope.clone(),
                None => {
                    let scope: Arc<str> = Arc::from(name);
                    self.scopes.insert(name.to_owned(), scope.clone());
                    scope
                }
            },
            None => Arc::from(""),
        }
    }

    /// Notes that the operation that is being built runs a function.
    pub(crate) fn function_named(&mut self, name: &str, at: usize) -> Result<usize> {
        let Some(&index) = self.names.get(name) else {
            let declared = self.tree.declared.iter().any(|declared| declared == name);
            return fail(
                at,
                match declared {
                    true => Problem::Unsupported(format!("a call of function '@{name}' without a body")),
                    false => Problem::UndefinedFunction(name.to_owned()),
                },
            );
        };
        self.calls.push((index, self.depth));
        Ok(index)
    }

    /// The same of a function that an operation calls in a region that text has not.
    pub(crate) fn function_within(&mut self, name: &str, at: usize) -> Result<usize> {
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let function = self.function_named(name, at);
        self.depth -= 1;
        function
    }

    pub(crate) fn signature(&self, function: usize) -> &'t Signature<'t> {
        &self.signatures[function]
    }
}

fn sharding_of(
    builder: &Builder<'_, '_>,
    parameter: &syntax::Parameter<'_>,
) -> Result<Option<Arc<Sharding>>> {
    sharding::of_value(builder, parameter.sharding.as_ref(), &parameter.ty, parameter.at)
}

fn name_of<'t>(
    tree: &'t Tree<'_>,
    location: &'t Location<'_>,
    depth: usize,
    seen: &mut usize,
) -> Option<&'t str> {
    *seen += 1;
    if depth > LONGEST_ALIAS || *seen > MOST_LOCATIONS {
        return None;
    }
    match location {
        Location::Name(name) => Some(name),
        Location::Alias(alias) => name_of(tree, tree.locations.get(alias)?, depth + 1, seen),
        Location::Several(parts) => parts.iter().find_map(|part| name_of(tree, part, depth + 1, seen)),
        Location::Nameless => None,
    }
}

/// Types between commas.
pub(crate) fn list(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}

/// Whether values of these types may be the same: sizes are equal unless one leaves them open.
pub(crate) fn compatible(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Tensor(a), Type::Tensor(b)) => a.element == b.element && node::same_shape(&a.shape, &b.shape),
        (Type::Tuple(a), Type::Tuple(b)) => all_compatible(a, b),
        _ => a == b,
    }
}

pub(crate) fn all_compatible(a: &[Type], b: &[Type]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compatible(a, b))
}
