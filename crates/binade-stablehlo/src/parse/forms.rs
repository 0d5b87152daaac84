//! Parses the pretty forms of operations. Most are `operands, key = value {attributes} : types`: the table gives the generic
//! names of the keys, and the meaning of the types. Other forms have a function each.

use super::{Parser, types};
use crate::error::{Problem, Result, fail};
use crate::lex::{self, TokenKind};
use crate::syntax::{Attribute, Attributes, Operation, Parameter, Region};
use crate::types::Type;

/// The meaning of one type (or several) after the colon, without an arrow.
#[derive(Clone, Copy)]
enum Types {
    /// The last type is that of every result.
    Last,
    /// One type for each result, and for each operand.
    Each,
    /// One type for each operand. The operation has no results.
    Operands,
    /// No types of results; types of some operands.
    NoResults,
}

/// The description of a pretty form.
struct Form {
    name: &'static str,
    types: Types,
    /// The attributes that words among the operands set.
    words: &'static [&'static str],
    /// The names in `key = value`, with the attributes of the generic form.
    keys: &'static [(&'static str, &'static str)],
}

const fn form(
    name: &'static str,
    types: Types,
    words: &'static [&'static str],
    keys: &'static [(&'static str, &'static str)],
) -> Form {
    Form { name, types, words, keys }
}

/// Forms with keys, with words, or with types other than those of the results.
const FORMS: &[Form] = &[
    form("stablehlo.broadcast", Types::Last, &[], &[("sizes", "broadcast_sizes")]),
    form("stablehlo.broadcast_in_dim", Types::Last, &[], &[("dims", "broadcast_dimensions")]),
    form("stablehlo.cholesky", Types::Last, &[], &[("lower", "lower")]),
    form("stablehlo.compare", Types::Last, &["comparison_direction", "compare_type"], &[]),
    form("stablehlo.concatenate", Types::Last, &[], &[("dim", "dimension")]),
    form("stablehlo.dot", Types::Last, &[], &[("precision", "precision_config")]),
    form("stablehlo.dynamic_broadcast_in_dim", Types::Last, &[], &[("dims", "broadcast_dimensions")]),
    form("stablehlo.dynamic_iota", Types::Last, &[], &[("dim", "iota_dimension")]),
    form("stablehlo.dynamic_slice", Types::Last, &[], &[("sizes", "slice_sizes")]),
    form("stablehlo.einsum", Types::Last, &[], &[("config", "einsum_config")]),
    form("stablehlo.fft", Types::Last, &[], &[("type", "fft_type"), ("length", "fft_length")]),
    form("stablehlo.get_dimension_size", Types::Last, &[], &[("dim", "dimension")]),
    form("stablehlo.iota", Types::Last, &[], &[("dim", "iota_dimension")]),
    form("stablehlo.optimization_barrier", Types::Each, &[], &[]),
    form(
        "stablehlo.pad",
        Types::Last,
        &[],
        &[("low", "edge_padding_low"), ("high", "edge_padding_high"), ("interior", "interior_padding")],
    ),
    form("stablehlo.reduce_precision", Types::Last, &[], &[("format", "format")]),
    form("stablehlo.return", Types::Operands, &[], &[]),
    form("stablehlo.reverse", Types::Last, &[], &[("dims", "dimensions")]),
    form("stablehlo.rng", Types::Last, &[], &[("distribution", "rng_distribution")]),
    form("stablehlo.rng_bit_generator", Types::Last, &[], &[("algorithm", "rng_algorithm")]),
    form("stablehlo.set_dimension_size", Types::Last, &[], &[("dim", "dimension")]),
    form("stablehlo.torch_index_select", Types::Last, &[], &[("dim", "dim"), ("batch_dims", "batch_dims")]),
    form("stablehlo.trace", Types::NoResults, &["tag"], &[]),
    form("stablehlo.transpose", Types::Last, &[], &[("dims", "permutation")]),
    form("stablehlo.unary_einsum", Types::Last, &[], &[("config", "einsum_config")]),
    form("chlo.top_k", Types::Last, &[], &[("k", "k")]),
    form("check.expect_almost_eq", Types::NoResults, &[], &[("tolerance", "tolerance")]),
    form(
        "check.expect_close",
        Types::NoResults,
        &[],
        &[("max_ulp_difference", "max_ulp_difference"), ("min_ulp_difference", "min_ulp_difference")],
    ),
    form("check.expect_eq", Types::NoResults, &[], &[]),
    form(
        "check.expect_serialized_eq",
        Types::NoResults,
        &[],
        &[("probe_id", "probe_id"), ("iter", "iteration")],
    ),
    form("check.expect_eq_const", Types::NoResults, &[], &[("value", "value")]),
    form("check.expect_almost_eq_const", Types::NoResults, &[], &[("tolerance", "tolerance")]),
    form("interpreter.probe", Types::Last, &[], &[("probe_id", "probe_id")]),
    form("func.return", Types::Operands, &[], &[]),
    form("sdy.return", Types::Operands, &[], &[]),
    form("sdy.sharding_group", Types::NoResults, &[], &[("group_id", "group_id")]),
];

/// The form of any other operation: operands, attributes, types.
const PLAIN: Form = form("", Types::Last, &[], &[]);

/// The operations that the short form of `reduce` accepts.
const COMMUTATIVE: [&str; 7] = [
    "stablehlo.add",
    "stablehlo.and",
    "stablehlo.maximum",
    "stablehlo.minimum",
    "stablehlo.multiply",
    "stablehlo.or",
    "stablehlo.xor",
];

/// Parses the rest of an operation after its name.
pub(super) fn read<'a>(parser: &mut Parser<'a>, operation: &mut Operation<'a>, at: usize) -> Result<()> {
    let name = operation.name.clone();
    match &*name {
        "func.func" => parser.function(operation),
        "func.call" => parser.call(operation),
        "stablehlo.constant" | "chlo.constant" => parser.constant(operation),
        "stablehlo.slice" => parser.slice_form(operation),
        "stablehlo.get_tuple_element" => parser.tuple_element(operation),
        "stablehlo.dot_general" => parser.dot_general(operation),
        "stablehlo.convolution" | "stablehlo.dynamic_conv" => parser.convolution(operation),
        "stablehlo.reduce" => parser.reduce(operation),
        "stablehlo.while" => parser.while_form(operation),
        "stablehlo.custom_call" => parser.custom_call(operation),
        "stablehlo.composite" => parser.composite(operation),
        "chlo.scan" => parser.scan(operation),
        "sdy.manual_computation" => parser.manual_computation(operation),
        "sdy.propagation_barrier" | "sdy.reshard" | "sdy.sharding_constraint" => parser.sharding(operation),
        _ => match crate::ops::find(&name) {
            Some(known) if !known.generic_only => {
                let form = FORMS.iter().find(|form| form.name == name).unwrap_or(&PLAIN);
                parser.plain(operation, form)
            }
            Some(_) => {
                let (expected, found) =
                    (format!("the generic form \"{name}\"(…)"), "a pretty form".to_owned());
                fail(at, Problem::Expected { expected, found })
            }
            None => fail(at, Problem::UnknownOperation(name.into_owned())),
        },
    }
}

impl<'a> Parser<'a> {
    fn plain(&mut self, operation: &mut Operation<'a>, form: &Form) -> Result<()> {
        let mut words = form.words.iter();
        loop {
            let at = self.token.start;
            match self.token.kind {
                TokenKind::Percent => operation.operands.push(self.operand()?),
                TokenKind::Mark(b'(') => {
                    self.advance();
                    let inner = &mut *operation;
                    self.list(b')', |parser| parser.item(inner, form))?;
                }
                TokenKind::String if form.words.contains(&"tag") => {
                    self.string()?;
                }
                TokenKind::Word if self.is_word("dense") || self.is_word("dense_resource") => {
                    let value = self.attribute()?;
                    operation.attributes.push("value", value, at);
                    // Its type is the only one.
                    self.comma_items(operation, form)?;
                    return self.optional_dictionary(&mut operation.attributes);
                }
                TokenKind::Word if lex::token(self.bytes, self.token.end).kind == TokenKind::Mark(b'=') => {
                    self.item(operation, form)?;
                }
                TokenKind::Word => match words.next() {
                    Some(attribute) => {
                        let word = self.word("a word")?;
                        operation.attributes.push(*attribute, Attribute::Word(word), at);
                    }
                    None => break,
                },
                _ => break,
            }
            if !self.eat(b',') {
                break;
            }
        }
        self.optional_dictionary(&mut operation.attributes)?;
        self.type_list(operation, form.types)?;
        self.optional_dictionary(&mut operation.attributes)
    }

    /// Repeated `, key = value`.
    fn comma_items(&mut self, operation: &mut Operation<'a>, form: &Form) -> Result<()> {
        while self.eat(b',') {
            self.item(operation, form)?;
        }
        Ok(())
    }

    /// An operand or `key = value`.
    fn item(&mut self, operation: &mut Operation<'a>, form: &Form) -> Result<()> {
        if self.token.kind == TokenKind::Percent {
            operation.operands.push(self.operand()?);
            return Ok(());
        }
        let at = self.token.start;
        let name = self.slice(self.token);
        let Some((_, attribute)) = form.keys.iter().find(|(key, _)| *key == name) else {
            let keys: Vec<_> = form.keys.iter().map(|(key, _)| format!("'{key} ='")).collect();
            return self.expected(match keys.is_empty() {
                true => "an operand".to_owned(),
                false => format!("an operand, {}", keys.join(" or ")),
            });
        };
        self.advance();
        self.expect(b'=')?;
        // A number with a type would consume the colon before the types.
        let value = match self.token.kind {
            TokenKind::Integer => {
                let value = self.integer()?;
                self.optional_scalar_type();
                Attribute::Integer(value)
            }
            TokenKind::Float => Attribute::Float(self.float()?),
            TokenKind::String => Attribute::String(self.string()?),
            TokenKind::Mark(b'-') => Attribute::Float(self.float()?),
            _ => self.attribute()?,
        };
        match (name, &value) {
            ("format", Attribute::Word(word)) => {
                let bits = word.strip_prefix('e').and_then(|rest| rest.split_once('m'));
                let Some((Ok(exponent), Ok(mantissa))) = bits.map(|(e, m)| (e.parse(), m.parse())) else {
                    let expected = "a format like e8m10".to_owned();
                    return fail(at, Problem::Expected { expected, found: format!("'{word}'") });
                };
                operation.attributes.push("exponent_bits", Attribute::Integer(exponent), at);
                operation.attributes.push("mantissa_bits", Attribute::Integer(mantissa), at);
            }
            _ => operation.attributes.push(*attribute, value, at),
        }
        Ok(())
    }

    /// `: ui64` after a number. Types after any other type name are the operation's.
    fn optional_scalar_type(&mut self) {
        let next = lex::token(self.bytes, self.token.end);
        if self.is(b':') && next.kind == TokenKind::Word && types::element(self.slice(next)).is_some() {
            self.advance();
            self.advance();
        }
    }

    /// `: type`, `: types`, `: (types) -> types` or `: types -> types`.
    fn type_list(&mut self, operation: &mut Operation<'a>, meaning: Types) -> Result<()> {
        let at = self.token.start;
        if !self.eat(b':') {
            // Operations without operands and results need no types.
            let empty = operation.operands.is_empty() && operation.results.is_empty();
            return if empty { Ok(()) } else { self.expected("':' before types") };
        }
        self.optional_dictionary(&mut operation.attributes)?;
        let bracket = self.is(b'(');
        let mut types = vec![];
        if bracket {
            types = self.types()?;
        } else {
            loop {
                types.push(self.ty()?);
                if !self.eat(b',') {
                    break;
                }
            }
        }
        if bracket || self.token.kind == TokenKind::Arrow {
            self.expect_arrow()?;
            operation.operand_types = Some(types);
            operation.result_types = self.result_types()?;
            return Ok(());
        }
        let results: usize = operation.results.iter().map(|binding| binding.count).sum();
        match meaning {
            Types::Last if operation.name == "stablehlo.select" && types.len() != 2 => {
                let expected = "the types of the predicate and of the result, or '->'".to_owned();
                return fail(at, Problem::Expected { expected, found: format!("{} types", types.len()) });
            }
            Types::Last => {
                let last = types.pop().into_iter();
                operation.result_types = last.cycle().take(results).collect();
            }
            Types::Each => {
                if types.len() != results {
                    let expected = format!("{results} types");
                    return fail(at, Problem::Expected { expected, found: types.len().to_string() });
                }
                operation.operand_types = Some(types.clone());
                operation.result_types = types;
            }
            Types::Operands => operation.operand_types = Some(types),
            Types::NoResults => {}
        }
        Ok(())
    }

    /// `: (types) -> types`.
    fn function_type(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        self.expect(b':')?;
        operation.operand_types = Some(self.types()?);
        self.expect_arrow()?;
        operation.result_types = self.result_types()?;
        Ok(())
    }

    /// `@f(%a) {attributes} : (types) -> types`.
    fn call(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        let at = self.token.start;
        let callee = self.symbol()?;
        operation.attributes.push("callee", Attribute::Symbol(callee), at);
        self.expect(b'(')?;
        self.operands(b')', &mut operation.operands)?;
        self.optional_dictionary(&mut operation.attributes)?;
        self.function_type(operation)
    }

    /// `@target(%a) {attributes} : (types) -> types`.
    fn custom_call(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        let at = self.token.start;
        let target = self.symbol()?;
        operation.attributes.push("call_target_name", Attribute::String(target), at);
        self.expect(b'(')?;
        self.operands(b')', &mut operation.operands)?;
        self.optional_dictionary(&mut operation.attributes)?;
        self.function_type(operation)
    }

    /// `"name" %a, %b {attributes} : (types) -> types`.
    fn composite(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        let at = self.token.start;
        let name = self.string()?;
        operation.attributes.push("name", Attribute::String(name), at);
        while self.token.kind == TokenKind::Percent {
            operation.operands.push(self.operand()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.optional_dictionary(&mut operation.attributes)?;
        self.function_type(operation)
    }

    /// `(%a, …) in_shardings=[…] out_shardings=[…] manual_axes={…} (%b: type, …) {…} : (types) -> (types)`.
    fn manual_computation(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        self.expect(b'(')?;
        self.operands(b')', &mut operation.operands)?;
        let at = self.token.start;
        for name in ["in_shardings", "out_shardings"] {
            self.expect_word(name)?;
            self.expect(b'=')?;
            let shardings = self.shardings()?;
            operation.attributes.push(name, shardings, at);
        }
        self.expect_word("manual_axes")?;
        self.expect(b'=')?;
        let axes = self.manual_axes()?;
        operation.attributes.push("manual_axes", axes, at);
        let mut parameters = vec![];
        self.expect(b'(')?;
        self.parameters(&mut parameters)?;
        let body = self.region()?;
        operation.regions.push(Region { parameters, ..body });
        self.optional_dictionary(&mut operation.attributes)?;
        self.function_type(operation)
    }

    /// `%a <@mesh, [{"x"}]> {attributes} : type` or `%a allowed_direction=NONE {attributes} : type`. On one device the
    /// sharding of a value has no effect.
    fn sharding(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        operation.operands.push(self.operand()?);
        let at = self.token.start;
        if self.is(b'<') {
            let sharding = self.sharding_attribute()?;
            operation.attributes.push("sharding", sharding, at);
        } else if self.eat_word("allowed_direction") {
            self.expect(b'=')?;
            self.word("a direction")?;
        }
        self.optional_dictionary(&mut operation.attributes)?;
        self.type_list(operation, Types::Last)
    }

    /// `{attributes} dense<…> : type`, or `() {value = …} : () -> type`.
    fn constant(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        if self.eat(b'(') {
            self.expect(b')')?;
            if self.eat(b'<') {
                self.optional_dictionary(&mut operation.attributes)?;
                self.expect(b'>')?;
            }
            self.optional_dictionary(&mut operation.attributes)?;
            return self.function_type(operation);
        }
        self.optional_dictionary(&mut operation.attributes)?;
        let at = self.token.start;
        let value = self.attribute()?;
        if let Attribute::Dense(dense) = &value {
            let shape = dense.shape.iter().copied().map(Some).collect();
            let ty = crate::types::TensorType { shape, element: dense.element.clone() };
            operation.result_types.push(Type::Tensor(ty));
        } else {
            let (expected, found) = ("a constant dense<…>".to_owned(), "another attribute".to_owned());
            return fail(at, Problem::Expected { expected, found });
        }
        operation.attributes.push("value", value, at);
        Ok(())
    }

    /// `%a [1:2, 0:4:2] {attributes} : (type) -> type`.
    fn slice_form(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        operation.operands.push(self.operand()?);
        let at = self.token.start;
        let [mut start, mut limit, mut strides] = [vec![], vec![], vec![]];
        self.expect(b'[')?;
        self.list(b']', |parser| {
            start.push(Attribute::Integer(parser.integer()?));
            parser.expect(b':')?;
            limit.push(Attribute::Integer(parser.integer()?));
            strides.push(Attribute::Integer(if parser.eat(b':') { parser.integer()? } else { 1 }));
            Ok(())
        })?;
        for (name, items) in [("start_indices", start), ("limit_indices", limit), ("strides", strides)] {
            operation.attributes.push(name, Attribute::Array(items), at);
        }
        self.optional_dictionary(&mut operation.attributes)?;
        self.type_list(operation, Types::Last)
    }

    /// `%a[1] {attributes} : (type) -> type`.
    fn tuple_element(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        operation.operands.push(self.operand()?);
        let at = self.token.start;
        self.expect(b'[')?;
        let index = self.integer()?;
        self.expect(b']')?;
        operation.attributes.push("index", Attribute::Integer(index), at);
        self.optional_dictionary(&mut operation.attributes)?;
        self.function_type(operation)
    }

    /// `%a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = […], algorithm = <…> : …`.
    fn dot_general(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        operation.operands.push(self.operand()?);
        self.expect(b',')?;
        operation.operands.push(self.operand()?);
        let mut dimensions = Attributes::default();
        let start = self.token.start;
        while self.eat(b',') {
            let at = self.token.start;
            let key = self.word("batching_dims, contracting_dims, precision or algorithm")?;
            self.expect(b'=')?;
            match key {
                "batching_dims" | "contracting_dims" => {
                    let kind = key.strip_suffix("dims").unwrap_or(key);
                    let lhs = self.attribute()?;
                    self.expect_word("x")?;
                    let rhs = self.attribute()?;
                    dimensions.push(format!("lhs_{kind}dimensions"), lhs, at);
                    dimensions.push(format!("rhs_{kind}dimensions"), rhs, at);
                }
                "precision" => {
                    let value = self.attribute()?;
                    operation.attributes.push("precision_config", value, at);
                }
                "algorithm" => {
                    let value = self.attribute()?;
                    operation.attributes.push("algorithm", value, at);
                }
                _ => {
                    let expected = "batching_dims, contracting_dims, precision or algorithm".to_owned();
                    return fail(at, Problem::Expected { expected, found: format!("'{key}'") });
                }
            }
        }
        operation.attributes.push("dot_dimension_numbers", Attribute::Struct(dimensions), start);
        self.optional_dictionary(&mut operation.attributes)?;
        self.type_list(operation, Types::Last)
    }

    /// `(%a, %b) dim_numbers = […]x[…]->[…], window = {stride = [1], pad = [[0, 0]], …} {attributes} : …`.
    fn convolution(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        self.expect(b'(')?;
        self.operands(b')', &mut operation.operands)?;
        let at = self.token.start;
        self.expect_word("dim_numbers")?;
        self.expect(b'=')?;
        let dimensions = self.convolution_dimensions()?;
        operation.attributes.push("dimension_numbers", dimensions, at);
        self.expect(b',')?;
        self.expect_word("window")?;
        self.expect(b'=')?;
        let at = self.token.start;
        for (name, value, _) in self.dictionary()?.0 {
            let attribute = match &*name {
                "stride" => "window_strides",
                "pad" => "padding",
                "lhs_dilate" => "lhs_dilation",
                "rhs_dilate" => "rhs_dilation",
                "reverse" => "window_reversal",
                _ => {
                    let expected = "stride, pad, lhs_dilate, rhs_dilate or reverse".to_owned();
                    return fail(at, Problem::Expected { expected, found: format!("'{name}'") });
                }
            };
            operation.attributes.push(attribute, value, at);
        }
        self.optional_dictionary(&mut operation.attributes)?;
        self.function_type(operation)
    }

    /// `(%a init: %b), (%c init: %d)` and an operation or a region.
    fn reduce(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        let mut initial = vec![];
        loop {
            self.expect(b'(')?;
            operation.operands.push(self.operand()?);
            self.expect_word("init")?;
            self.expect(b':')?;
            initial.push(self.operand()?);
            self.expect(b')')?;
            if !self.eat(b',') {
                break;
            }
        }
        let count = operation.operands.len();
        operation.operands.append(&mut initial);
        let at = self.token.start;
        let applied = if self.eat_word("applies") { Some(self.commutative()?) } else { None };
        self.expect_word("across")?;
        let here = self.token.start;
        self.expect_word("dimensions")?;
        self.expect(b'=')?;
        let dimensions = self.attribute()?;
        operation.attributes.push("dimensions", dimensions, here);
        self.optional_dictionary(&mut operation.attributes)?;
        self.function_type(operation)?;
        operation.location = self.trailing_location()?;
        let Some(applied) = applied else {
            self.expect_word("reducer")?;
            // Each bracket has an argument of the left side and one of the right side.
            let mut sides = [vec![], vec![]];
            for _ in 0..count {
                let at = self.token.start;
                self.expect(b'(')?;
                let mut pair = vec![];
                self.parameters(&mut pair)?;
                let Ok([left, right]) = <[Parameter; 2]>::try_from(pair) else {
                    let (expected, found) = ("two arguments".to_owned(), "another number".to_owned());
                    return fail(at, Problem::Expected { expected, found });
                };
                sides[0].push(left);
                sides[1].push(right);
            }
            self.trailing_location()?;
            let mut region = self.region()?;
            region.parameters = sides.concat();
            operation.regions.push(region);
            return Ok(());
        };
        // The region of `applies`: its types are those of the initial values.
        let Some(Some(ty)) = operation.operand_types.as_ref().map(|types| types.last()) else {
            return fail(at, Problem::Expected { expected: "types".into(), found: "none".into() });
        };
        if count != 1 {
            return fail(
                at,
                Problem::Expected { expected: "one input for 'applies'".into(), found: count.to_string() },
            );
        }
        operation.regions.push(applies(applied, at, ty));
        Ok(())
    }

    /// The operation that `applies` names.
    fn commutative(&mut self) -> Result<&'a str> {
        let at = self.token.start;
        let name = self.word("an operation")?;
        if COMMUTATIVE.contains(&name) {
            return Ok(name);
        }
        let expected = format!("a commutative operation after 'applies': {}", COMMUTATIVE.join(", "));
        fail(at, Problem::Expected { expected, found: format!("'{name}'") })
    }

    /// `(%arg = %init, …) : types attributes {…} cond {…} do {…}`.
    fn while_form(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        let mut names = vec![];
        self.expect(b'(')?;
        self.list(b')', |parser| {
            names.push(parser.new_name()?);
            parser.expect(b'=')?;
            operation.operands.push(parser.operand()?);
            Ok(())
        })?;
        let at = self.token.start;
        let mut types = vec![];
        if self.eat(b':') {
            loop {
                types.push(self.ty()?);
                if !self.eat(b',') {
                    break;
                }
            }
        }
        if types.len() != names.len() {
            let expected = format!("{} types", names.len());
            return fail(at, Problem::Expected { expected, found: types.len().to_string() });
        }
        operation.location = self.trailing_location()?;
        if self.eat_word("attributes") {
            let attributes = self.dictionary()?;
            operation.attributes.0.extend(attributes.0);
        }
        let parameters: Vec<Parameter> = names
            .iter()
            .zip(&types)
            .map(|(&(name, at), ty)| Parameter {
                name,
                at,
                ty: ty.clone(),
                info: None,
                constant: None,
                donated: false,
                sharding: None,
                location: None,
            })
            .collect();
        for word in ["cond", "do"] {
            self.expect_word(word)?;
            let mut region = self.region()?;
            region.parameters.clone_from(&parameters);
            operation.regions.push(region);
        }
        operation.operand_types = Some(types.clone());
        operation.result_types = types;
        Ok(())
    }

    /// `(%a) inits (%b) dimension=0 attributes {…} {region} : (types) -> types`.
    fn scan(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        self.expect(b'(')?;
        self.operands(b')', &mut operation.operands)?;
        let inputs = operation.operands.len();
        let at = self.token.start;
        self.expect_word("inits")?;
        self.expect(b'(')?;
        self.operands(b')', &mut operation.operands)?;
        let carries = operation.operands.len() - inputs;
        self.expect_word("dimension")?;
        self.expect(b'=')?;
        let dimension = self.integer()?;
        operation.attributes.push("dimension", Attribute::Integer(dimension), at);
        if self.eat_word("attributes") {
            let attributes = self.dictionary()?;
            operation.attributes.0.extend(attributes.0);
        }
        let segments = Attribute::Integers(vec![inputs as i64, carries as i64]);
        operation.attributes.push("operandSegmentSizes", segments, at);
        let region = self.region()?;
        operation.regions.push(region);
        self.function_type(operation)
    }
}

/// `^bb(%lhs: ty, %rhs: ty): %0 = name %lhs, %rhs : ty; stablehlo.return %0 : ty`.
fn applies<'a>(name: &'a str, at: usize, ty: &Type) -> Region<'a> {
    let parameter = |name| Parameter {
        name,
        at,
        ty: ty.clone(),
        info: None,
        constant: None,
        donated: false,
        sharding: None,
        location: None,
    };
    let value = |name| crate::syntax::Use { name, index: 0, at };
    // Names that programs cannot spell.
    let (lhs, rhs, result) = (" lhs", " rhs", " result");
    let operation = |name: &'a str| Operation {
        name: name.into(),
        at,
        results: vec![],
        operands: vec![],
        attributes: Attributes::default(),
        regions: vec![],
        operand_types: None,
        result_types: vec![],
        location: None,
    };
    let applied = Operation {
        results: vec![crate::syntax::Binding { name: result, count: 1, at }],
        operands: vec![value(lhs), value(rhs)],
        result_types: vec![ty.clone()],
        ..operation(name)
    };
    let end = Operation { operands: vec![value(result)], ..operation("stablehlo.return") };
    Region { parameters: vec![parameter(lhs), parameter(rhs)], operations: vec![applied, end], at }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_of_a_known_operation() {
        for form in FORMS {
            let known = crate::ops::find(form.name);
            assert!(known.is_some_and(|known| !known.generic_only), "{}", form.name);
        }
    }
}
