//! The operation under verification: checked access to its operands and attributes, for the rules.

use super::builder::Builder;
pub(crate) use super::compatible::{Shape, same_shape, same_size};
use super::compatible::{compatible, list};
use crate::error::{Problem, Result, fail};
use crate::ir::{self, ValueId};
use crate::syntax::{self, Attribute, Attributes};
use crate::tensor::Data;
use crate::types::{ElementType, TensorType, Type};

/// Sizes as types spell them, with `?` for open ones.
pub(crate) fn spelt(shape: &Shape) -> String {
    let sizes: Vec<_> =
        shape.iter().map(|size| size.map_or("?".to_owned(), |size| size.to_string())).collect();
    format!("[{}]", sizes.join(", "))
}

/// A count with its noun: `1 result`, `2 results`.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Classes of element types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Classes(u8);

impl Classes {
    pub(crate) const BOOL: Classes = Classes(1);
    pub(crate) const INTEGER: Classes = Classes(2);
    pub(crate) const FLOAT: Classes = Classes(4);
    pub(crate) const COMPLEX: Classes = Classes(8);
    pub(crate) const QUANTIZED: Classes = Classes(16);

    const NAMES: [(Classes, &'static str); 5] = [
        (Classes::BOOL, "bool"),
        (Classes::INTEGER, "integer"),
        (Classes::FLOAT, "float"),
        (Classes::COMPLEX, "complex"),
        (Classes::QUANTIZED, "quantized"),
    ];

    pub(crate) const fn or(self, other: Classes) -> Classes {
        Classes(self.0 | other.0)
    }

    pub(crate) fn has(self, element: &ElementType) -> bool {
        let class = match element {
            ElementType::Bool => Classes::BOOL,
            ElementType::Integer { .. } => Classes::INTEGER,
            ElementType::Float(_) => Classes::FLOAT,
            ElementType::Complex(_) => Classes::COMPLEX,
            ElementType::Quantized(_) => Classes::QUANTIZED,
        };
        self.0 & class.0 != 0
    }

    pub(crate) fn names(self) -> Vec<&'static str> {
        Classes::NAMES.iter().filter(|(class, _)| self.0 & class.0 != 0).map(|(_, name)| *name).collect()
    }
}

/// An operation with its operands resolved.
pub(crate) struct Node<'t, 'a> {
    pub(crate) syntax: &'t syntax::Operation<'a>,
    pub(crate) operands: Vec<ValueId>,
    pub(crate) types: Vec<Type>,
}

impl<'t, 'a> Node<'t, 'a> {
    pub(crate) fn at(&self) -> usize {
        self.syntax.at
    }

    /// The name without `stablehlo.`.
    pub(crate) fn name(&self) -> &str {
        self.syntax.name.strip_prefix("stablehlo.").unwrap_or(&self.syntax.name)
    }

    /// The error of a broken rule: `rule` says what must be true, `found` what the program has.
    pub(crate) fn broken<T>(&self, rule: impl Into<String>, found: impl Into<String>) -> Result<T> {
        let (operation, rule, found) = (self.name().to_owned(), rule.into(), found.into());
        fail(self.at(), Problem::Rule { operation, rule, found })
    }

    /// Checks a rule: `rule` says what must be true, `found` what the program has.
    pub(crate) fn rule(&self, holds: bool, rule: &str, found: impl FnOnce() -> String) -> Result<()> {
        if holds { Ok(()) } else { self.broken(rule, found()) }
    }

    /// Checks a rule with one message: what must be true, what the program has, and where.
    pub(crate) fn must(&self, holds: bool, message: impl FnOnce() -> String) -> Result<()> {
        if holds { Ok(()) } else { self.broken(message(), "") }
    }

    /// Checks a rule about types; the error shows the types of all operands and results.
    pub(crate) fn type_rule(&self, holds: bool, rule: &str) -> Result<()> {
        self.rule(holds, rule, || format!("({}) -> ({})", list(&self.types), list(self.results())))
    }

    pub(crate) fn unsupported<T>(&self, what: impl Into<String>) -> Result<T> {
        fail(self.at(), Problem::Unsupported(format!("{}: {}", self.name(), what.into())))
    }

    pub(crate) fn results(&self) -> &'t [Type] {
        &self.syntax.result_types
    }

    /// Checks the numbers of operands and results.
    pub(crate) fn arity(&self, operands: usize, results: usize) -> Result<()> {
        self.operand_count(operands)?;
        self.result_count(results)
    }

    pub(crate) fn operand_count(&self, count: usize) -> Result<()> {
        let found = self.operands.len();
        self.rule(found == count, &format!("there must be {}", counted(count, "operand")), || {
            found.to_string()
        })
    }

    pub(crate) fn result_count(&self, count: usize) -> Result<()> {
        let found = self.results().len();
        self.rule(found == count, &format!("there must be {}", counted(count, "result")), || {
            found.to_string()
        })
    }

    /// The type of an operand, which must be a tensor.
    pub(crate) fn tensor(&self, index: usize) -> Result<&TensorType> {
        match self.types.get(index) {
            Some(Type::Tensor(ty)) => Ok(ty),
            Some(other) => self.broken(format!("operand {index} must be a tensor"), other.to_string()),
            None => self.broken(
                format!("there must be an operand {index}"),
                format!("{} operands", self.operands.len()),
            ),
        }
    }

    /// The types of all operands, which must be tensors.
    pub(crate) fn tensors(&self) -> Result<Vec<&TensorType>> {
        (0..self.operands.len()).map(|index| self.tensor(index)).collect()
    }

    /// The type of a result, which must be a tensor.
    pub(crate) fn result(&self, index: usize) -> Result<&'t TensorType> {
        match self.results().get(index) {
            Some(Type::Tensor(ty)) => Ok(ty),
            Some(other) => self.broken(format!("result {index} must be a tensor"), other.to_string()),
            None => self.broken(
                format!("there must be a result {index}"),
                format!("{} results", self.results().len()),
            ),
        }
    }

    /// Checks the shape of a result.
    pub(crate) fn result_shape(&self, index: usize, inferred: &Shape) -> Result<()> {
        let stated = &self.result(index)?.shape;
        self.must(same_shape(stated, inferred), || {
            format!("the result must have shape {}: got {} (result {index})", spelt(inferred), spelt(stated))
        })
    }

    /// Checks that operand and result have the same element type.
    pub(crate) fn same_element(&self, operand: usize, result: usize) -> Result<()> {
        let same = self.tensor(operand)?.element == self.result(result)?.element;
        self.type_rule(same, "operand and result must have the same element type")
    }

    /// Checks that operand and result have the same type.
    pub(crate) fn same_type(&self, operand: usize, result: usize) -> Result<()> {
        self.same_element(operand, result)?;
        let same = same_shape(&self.tensor(operand)?.shape, &self.result(result)?.shape);
        self.type_rule(same, "operand and result must have the same shape")
    }

    /// Checks that an operand is a scalar or a tensor of integers.
    pub(crate) fn integers_operand(&self, index: usize, rank: Option<usize>) -> Result<()> {
        let ty = self.tensor(index)?;
        let holds = matches!(ty.element, ElementType::Integer { .. })
            && rank.is_none_or(|rank| ty.shape.len() == rank);
        let rank = rank.map_or(String::new(), |rank| format!(" of rank {rank}"));
        self.rule(holds, &format!("operand {index} must be a tensor of integers{rank}"), || ty.to_string())
    }

    /// Checks that an attribute's values are dimensions of a tensor of this rank, each at most once.
    pub(crate) fn dimensions(&self, what: &str, values: &[usize], rank: usize) -> Result<()> {
        // Checks the count first, since text may list any number.
        let within = values.len() <= rank && values.iter().all(|&value| value < rank);
        let unique = || values.iter().enumerate().all(|(index, value)| !values[..index].contains(value));
        self.rule(
            within && unique(),
            &format!("{what} must be dimensions below {rank}, each at most once"),
            || format!("{values:?}"),
        )
    }

    pub(crate) fn dimension(&self, what: &str, value: usize, rank: usize) -> Result<()> {
        self.rule(value < rank, &format!("{what} must be below the rank, {rank}"), || value.to_string())
    }

    /// Checks the number of an attribute's values.
    pub(crate) fn size(&self, what: &str, found: usize, expected: usize) -> Result<()> {
        self.rule(found == expected, &format!("{what} must have {}", counted(expected, "value")), || {
            found.to_string()
        })
    }

    // Attributes.

    pub(crate) fn attribute(&self, name: &str) -> Option<&'t Attribute<'a>> {
        self.syntax.attributes.get(name).map(|(value, _)| value)
    }

    pub(crate) fn wrong<T>(&self, name: &str, expected: &str) -> Result<T> {
        let at = self.syntax.attributes.get(name).map_or(self.at(), |(_, at)| at);
        let (operation, rule) = (self.name().to_owned(), format!("attribute '{name}' must be {expected}"));
        let found = match self.attribute(name) {
            Some(_) => String::new(),
            None => "none".to_owned(),
        };
        fail(at, Problem::Rule { operation, rule, found })
    }

    pub(crate) fn integer_or(&self, name: &str, default: i64) -> Result<i64> {
        match self.attribute(name) {
            None => Ok(default),
            Some(_) => self.integer(name),
        }
    }

    pub(crate) fn integer(&self, name: &str) -> Result<i64> {
        match self.attribute(name) {
            Some(Attribute::Integer(value)) => match i64::try_from(*value) {
                Ok(value) => Ok(value),
                Err(_) => self.wrong(name, "an integer of 64 bits"),
            },
            _ => self.wrong(name, "an integer"),
        }
    }

    pub(crate) fn index(&self, name: &str) -> Result<usize> {
        match usize::try_from(self.integer(name)?) {
            Ok(value) => Ok(value),
            Err(_) => self.wrong(name, "an integer that is not negative"),
        }
    }

    pub(crate) fn bool_or(&self, name: &str, default: bool) -> Result<bool> {
        match self.attribute(name) {
            None => Ok(default),
            Some(Attribute::Bool(value)) => Ok(*value),
            Some(Attribute::Unit) => Ok(true),
            _ => self.wrong(name, "true or false"),
        }
    }

    pub(crate) fn float(&self, name: &str) -> Result<f64> {
        match self.attribute(name) {
            Some(Attribute::Float(value)) => Ok(*value),
            Some(Attribute::Integer(value)) => Ok(*value as f64),
            _ => self.wrong(name, "a number"),
        }
    }

    pub(crate) fn string(&self, name: &str) -> Result<&'t str> {
        match self.attribute(name) {
            Some(Attribute::String(value)) => Ok(value),
            _ => self.wrong(name, "a string"),
        }
    }

    pub(crate) fn symbol(&self, name: &str) -> Result<&'t str> {
        match self.attribute(name) {
            Some(Attribute::Symbol(value)) => Ok(value),
            _ => self.wrong(name, "a name that begins with '@'"),
        }
    }

    /// A word, or a string in its place.
    pub(crate) fn word(&self, name: &str) -> Result<&'t str> {
        match self.attribute(name) {
            Some(Attribute::Word(value)) => Ok(value),
            Some(Attribute::String(value)) => Ok(value),
            _ => self.wrong(name, "a word"),
        }
    }

    /// Integers from `array<i64: …>`, a one-dimensional `dense<…>`, or `[…]`.
    pub(crate) fn integers(&self, name: &str) -> Result<Vec<i64>> {
        match self.attribute(name).and_then(|value| integers(value, None)) {
            Some(values) => Ok(values),
            None => self.wrong(name, "a list of integers"),
        }
    }

    pub(crate) fn indices(&self, name: &str) -> Result<Vec<usize>> {
        self.positive(name, self.integers(name)?)
    }

    fn positive(&self, name: &str, values: Vec<i64>) -> Result<Vec<usize>> {
        match values.into_iter().map(usize::try_from).collect() {
            Ok(values) => Ok(values),
            Err(_) => self.wrong(name, "a list of integers that are not negative"),
        }
    }

    /// Integers for each of `count` dimensions. A splat stands for all of them; `default` fills an absent attribute.
    pub(crate) fn integers_or(&self, name: &str, count: usize, default: i64) -> Result<Vec<i64>> {
        let Some(value) = self.attribute(name) else { return Ok(vec![default; count]) };
        let Some(values) = integers(value, Some(count)) else {
            return self.wrong(name, "a list of integers");
        };
        self.size(&format!("'{name}'"), values.len(), count)?;
        Ok(values)
    }

    /// Indices for each of `count` dimensions, each at least `least`.
    pub(crate) fn indices_or(
        &self,
        name: &str,
        count: usize,
        default: i64,
        least: usize,
    ) -> Result<Vec<usize>> {
        let values = self.positive(name, self.integers_or(name, count, default)?)?;
        let holds = values.iter().all(|&value| value >= least);
        self.rule(holds, &format!("every value of '{name}' must be at least {least}"), || {
            format!("{values:?}")
        })?;
        Ok(values)
    }

    /// A pair of integers for each of `count` dimensions, as in `padding`.
    pub(crate) fn pairs(&self, name: &str, count: usize) -> Result<Vec<(i64, i64)>> {
        let in_pairs = |value: &Attribute<'_>| match value {
            Attribute::Dense(dense) => matches!(dense.shape[..], [] | [_, 2]),
            Attribute::Array(items) => items.iter().all(|item| match item {
                Attribute::Array(pair) => pair.len() == 2,
                _ => true,
            }),
            _ => true,
        };
        let flat = match self.attribute(name) {
            None => return Ok(vec![(0, 0); count]),
            Some(value) if in_pairs(value) => integers(value, Some(2 * count)),
            Some(_) => None,
        };
        match flat {
            Some(values) if values.len() == 2 * count => {
                Ok(values.chunks(2).map(|pair| (pair[0], pair[1])).collect())
            }
            _ => self.wrong(name, &format!("{count} pairs of integers")),
        }
    }

    /// The fields of `#stablehlo.NAME<…>`.
    pub(crate) fn fields(&self, name: &str) -> Result<Fields<'_, 't, 'a>> {
        match self.attribute(name) {
            Some(Attribute::Struct(fields)) => Ok(Fields { node: self, name: name.to_owned(), fields }),
            _ => self.wrong(name, "of the form #stablehlo.…<name = value, …>"),
        }
    }

    /// The regions, which must be `N`.
    pub(crate) fn regions<const N: usize>(&self) -> Result<&'t [syntax::Region<'a>; N]> {
        match <&[syntax::Region<'a>; N]>::try_from(&self.syntax.regions[..]) {
            Ok(regions) => Ok(regions),
            Err(_) => {
                let found = self.syntax.regions.len();
                self.broken(format!("there must be {}", counted(N, "region")), found.to_string())
            }
        }
    }

    /// Builds a region with scalar parameters and results of these element types.
    pub(crate) fn scalar_region(
        &self,
        builder: &mut Builder<'t, 'a>,
        region: &'t syntax::Region<'a>,
        parameters: &[ElementType],
        results: &[ElementType],
    ) -> Result<ir::Region> {
        let scalars = |elements: &[ElementType]| -> Vec<Type> {
            let scalar = |element: &ElementType| TensorType { shape: vec![], element: element.clone() };
            elements.iter().map(|element| Type::Tensor(scalar(element))).collect()
        };
        let (region, found) = builder.region(region, &scalars(parameters), self.name())?;
        let expected = scalars(results);
        let same =
            found.len() == expected.len() && found.iter().zip(&expected).all(|(a, b)| compatible(a, b));
        self.rule(same, &format!("the region must return ({})", list(&expected)), || {
            format!("({})", list(&found))
        })?;
        Ok(region)
    }
}

/// Integers from any attribute that can have them. A splat is repeated `count` times, if given.
pub(crate) fn integers(value: &Attribute<'_>, count: Option<usize>) -> Option<Vec<i64>> {
    match value {
        Attribute::Integers(values) => Some(values.clone()),
        Attribute::Integer(value) => Some(vec![i64::try_from(*value).ok()?]),
        Attribute::Bool(value) => Some(vec![i64::from(*value)]),
        Attribute::Array(items) => {
            let mut values = vec![];
            for item in items {
                values.extend(integers(item, None)?);
            }
            Some(values)
        }
        Attribute::Dense(dense) => {
            let values: Vec<i64> = match &dense.data {
                Data::I64(items) => items.clone(),
                Data::I32(items) => items.iter().map(|&item| i64::from(item)).collect(),
                Data::I16(items) => items.iter().map(|&item| i64::from(item)).collect(),
                Data::I8(items) => items.iter().map(|&item| i64::from(item)).collect(),
                Data::U64(items) => {
                    items.iter().map(|&item| i64::try_from(item).ok()).collect::<Option<_>>()?
                }
                Data::U32(items) => items.iter().map(|&item| i64::from(item)).collect(),
                Data::U8(items) => items.iter().map(|&item| i64::from(item)).collect(),
                _ => return None,
            };
            let needed: usize = dense.shape.iter().product();
            // A scalar stands for all elements. Attributes have an entry for each dimension or group.
            let needed = if dense.shape.is_empty() { count.unwrap_or(1) } else { needed };
            match &values[..] {
                [one] if needed != 1 && needed <= count.unwrap_or(MOST_SPLAT) => Some(vec![*one; needed]),
                _ if values.len() == needed => Some(values),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The maximum length of a splat whose use does not state a length.
const MOST_SPLAT: usize = 1 << 16;

/// The fields of a structured attribute. Absent fields are empty or zero.
pub(crate) struct Fields<'n, 't, 'a> {
    node: &'n Node<'t, 'a>,
    name: String,
    fields: &'t Attributes<'a>,
}

impl<'t, 'a> Fields<'_, 't, 'a> {
    fn wrong<T>(&self, field: &str, expected: &str) -> Result<T> {
        let rule = format!("'{field}' of attribute '{}' must be {expected}", self.name);
        self.node.broken(rule, String::new())
    }

    pub(crate) fn get(&self, field: &str) -> Option<&'t Attribute<'a>> {
        self.fields.get(field).map(|(value, _)| value)
    }

    pub(crate) fn indices(&self, field: &str) -> Result<Vec<usize>> {
        let Some(value) = self.get(field) else { return Ok(vec![]) };
        let values = integers(value, None).map(|values| values.into_iter().map(usize::try_from).collect());
        match values {
            Some(Ok(values)) => Ok(values),
            _ => self.wrong(field, "a list of dimensions"),
        }
    }

    pub(crate) fn integer(&self, field: &str, default: i64) -> Result<i64> {
        match self.get(field) {
            None => Ok(default),
            Some(Attribute::Integer(value)) => match i64::try_from(*value) {
                Ok(value) => Ok(value),
                Err(_) => self.wrong(field, "an integer of 64 bits"),
            },
            Some(_) => self.wrong(field, "an integer"),
        }
    }

    pub(crate) fn index(&self, field: &str, default: i64) -> Result<usize> {
        match usize::try_from(self.integer(field, default)?) {
            Ok(value) => Ok(value),
            Err(_) => self.wrong(field, "an integer that is not negative"),
        }
    }

    pub(crate) fn element(&self, field: &str) -> Result<ElementType> {
        match self.get(field) {
            Some(Attribute::Element(element)) => Ok(element.clone()),
            _ => self.wrong(field, "a type"),
        }
    }
}
