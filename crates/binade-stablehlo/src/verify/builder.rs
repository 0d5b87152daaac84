//! Builds a verified function from its syntax tree: values, names, scopes and regions.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::compatible::{all_compatible, list};
use super::node::Node;
use super::propagation::Propagation;
use super::stated_shardings::StatedShardings;
use crate::entry::PLATFORM_INDEX;
use crate::error::{Problem, Result, Source, fail};
use crate::ir::{self, Function, Op, ValueId};
use crate::parse::Tree;
use crate::sharding::Sharding;
use crate::syntax::{self, Attribute, Location, RESULT_SHARDINGS};
use crate::types::Type;

/// Limits on the search for a location's name: the length of a chain of aliases, and the number of locations searched.
const LONGEST_ALIAS: usize = 16;
const MOST_LOCATIONS: usize = 1024;

/// The signature of a function, for its calls.
pub(crate) struct Signature<'t> {
    pub(crate) parameters: &'t [Type],
    pub(crate) results: &'t [Type],
}

/// The sharding of a value of this type by an attribute at a byte of the text.
pub(super) type ShardingOf =
    fn(&Builder<'_, '_>, Option<&Attribute<'_>>, &Type, usize) -> Result<Option<Arc<Sharding>>>;

/// The rules that a builder applies. The builder itself knows no operations.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    /// Verifies an operation, and adds the operations that express it.
    pub(super) operation: for<'t, 'a> fn(&mut Builder<'t, 'a>, &'t syntax::Operation<'a>) -> Result<()>,
    /// The sharding of a value from its attribute.
    pub(super) sharding: ShardingOf,
    /// Joins calls on parts of values with the operations around them.
    pub(super) join: fn(&mut Builder<'_, '_>, &mut Vec<ir::Operation>, &[ValueId]),
}

/// Builds one function.
pub(crate) struct Builder<'t, 'a> {
    pub(super) rules: Rules,
    pub(super) source: &'t Source<'a>,
    pub(super) tree: &'t Tree<'a>,
    pub(super) names: &'t HashMap<String, usize>,
    /// `mhlo.num_partitions`.
    pub(super) partitions: usize,
    /// Functions made of regions of the text. They follow the text's functions.
    pub(super) outlined: &'t RefCell<Vec<Outlined>>,
    pub(super) signatures: &'t [Signature<'t>],
    pub(super) values: Vec<Type>,
    /// The elements of values that are short integer constants.
    pub(super) constants: HashMap<ValueId, Vec<i64>>,
    /// The results of each visible name, and the place of its definition.
    pub(super) visible: HashMap<&'a str, (Vec<ValueId>, usize)>,
    /// The names defined in open regions, in order of definition.
    pub(super) defined: Vec<&'a str>,
    /// The operations of the region under construction.
    pub(super) operations: Vec<ir::Operation>,
    pub(super) scopes: HashMap<String, Arc<str>>,
    /// The scope of the operation under construction.
    pub(super) scope: Arc<str>,
    pub(super) at: usize,
    /// Shardings of values that several devices have.
    pub(super) propagation: Propagation,
    /// The values with an `mhlo.sharding`.
    pub(super) stated: StatedShardings<'t>,
    /// Functions that are called or composed, each with its depth in regions.
    pub(super) calls: Vec<(usize, usize)>,
    pub(super) depth: usize,
    pub(super) deepest: usize,
}

/// A region that becomes a function.
pub(super) struct Outlined {
    pub(super) function: Function,
    pub(super) calls: Calls,
    pub(super) at: usize,
}

/// The functions that a function calls, each with its depth in regions, and the greatest depth of its regions.
pub(super) type Calls = (Vec<(usize, usize)>, usize);

impl<'t, 'a> Builder<'t, 'a> {
    pub(super) fn function(
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
            let rule = "the returned values must have the stated types".to_owned();
            let found = format!("({}), stated ({})", list(&results), list(signature.results));
            return fail(self.at, Problem::Rule { operation: "func.func".into(), rule, found });
        }
        let stated = match function.attributes.get(RESULT_SHARDINGS) {
            Some((Attribute::Array(shardings), _)) => &shardings[..],
            _ => &[],
        };
        let result = |(at, ty)| (self.rules.sharding)(self, stated.get(at), ty, function.at);
        let mut result_shardings: Vec<_> =
            signature.results.iter().enumerate().map(result).collect::<Result<_>>()?;
        for (sharding, &value) in result_shardings.iter_mut().zip(&body.results) {
            if sharding.is_none() {
                *sharding = self.propagation.get(value).cloned();
            }
        }
        let name = name.to_string();
        self.finished(name, region, body, signature.results.to_vec(), result_shardings, function.at)
    }

    /// Makes the function from what has been built.
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

    /// Builds a region that uses no values around it as a function with parameters of these types. Returns the function's
    /// index and the types of its results.
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
            propagation: Propagation::default(),
            stated: StatedShardings::default(),
            calls: vec![],
            depth: 0,
            deepest: 0,
            ..*self
        };
        let (body, types) = inner.region(region, parameters, node.name())?;
        let at = node.at();
        let count = self.outlined.borrow().len();
        // A name that no symbol of the text has: it gives the region's place.
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

    /// Makes a new value.
    pub(crate) fn value(&mut self, ty: Type) -> ValueId {
        self.values.push(ty);
        ValueId((self.values.len() - 1) as u32)
    }

    /// The elements of a value that is a short integer constant.
    pub(super) fn known(&self, value: ValueId) -> Option<&[i64]> {
        self.constants.get(&value).map(Vec::as_slice)
    }

    pub(crate) fn ty(&self, value: ValueId) -> &Type {
        &self.values[value.0 as usize]
    }

    /// Adds an operation that is not in the text, with one result.
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

    /// Makes an operation at the current place of the text.
    pub(crate) fn made(&self, kind: Op, operands: Vec<ValueId>, results: Vec<ValueId>) -> ir::Operation {
        let (scope, position) = (self.scope.clone(), self.source.position(self.at));
        ir::Operation { kind, operands, results, scope, position }
    }

    /// Adds the operation of a node, with the stated results.
    pub(crate) fn emit(&mut self, node: &Node<'t, 'a>, kind: Op) -> Result<()> {
        self.emit_of(node, kind, node.operands.clone())
    }

    /// Adds the operation of a node with other operands.
    pub(crate) fn emit_of(&mut self, node: &Node<'t, 'a>, kind: Op, operands: Vec<ValueId>) -> Result<()> {
        let results: Vec<_> = node.results().iter().map(|ty| self.value(ty.clone())).collect();
        self.push(kind, operands, results.clone());
        self.define(node, results)
    }

    /// Binds the names of a node's results.
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
            let rule = format!("the region must take ({})", list(parameters));
            let found = format!("({})", list(&stated));
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
                self.propagation.place(value, sharding);
            }
            values.push(value);
        }
        let Some((last, before)) = region.operations.split_last() else {
            let expected = "an operation that returns".to_owned();
            return fail(region.at, Problem::Expected { expected, found: "an empty region".to_owned() });
        };
        for operation in before {
            (self.rules.operation)(self, operation)?;
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
        (self.rules.join)(self, &mut operations, &results);
        Ok((ir::Region { parameters: values, operations, results }, types))
    }

    /// The operands of an operation, checked against the stated types.
    pub(super) fn operands(&self, operation: &syntax::Operation<'a>) -> Result<Vec<ValueId>> {
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

    /// The scope of a location: its name, which contains the named scopes.
    pub(super) fn scope_of(&mut self, location: &Location<'a>) -> Arc<str> {
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

    /// Records that the current operation runs a function.
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

    /// Records a call of a function within a region that is not in the text.
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
    (builder.rules.sharding)(builder, parameter.sharding.as_ref(), &parameter.ty, parameter.at)
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
