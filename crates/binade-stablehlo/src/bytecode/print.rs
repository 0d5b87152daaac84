//! Prints the operations of bytecode as text.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::cursor::Cursor;
use super::decode::{
    ALGORITHM, CONVOLUTION, DOT, DecodedType, Decoder, Form, GATHER, Location, SCATTER, VECTOR, Value,
    decimal, hex, listed, quoted, word,
};
use super::tables::Tables;
use super::{Result, malformed, properties};

/// The greatest nesting of regions: the limit of the text parser.
const DEEPEST: usize = 64;

/// Limit on the size of the text: bytes per byte of bytecode, and a constant. Attributes are stored once and printed at each
/// use.
const GROWTH: usize = 64;
const BESIDES: usize = 1 << 20;

/// The maximum number of locations that wait for nested ones.
const MOST_OPEN: usize = 1 << 20;

/// The maximum number of elements that a constant spells; larger ones are blobs.
const SPELT: u64 = 16;

/// The parts of an operation, by the bits of its mask.
mod part {
    pub(super) const ATTRIBUTES: u8 = 1;
    pub(super) const RESULTS: u8 = 2;
    pub(super) const OPERANDS: u8 = 4;
    pub(super) const SUCCESSORS: u8 = 8;
    pub(super) const REGIONS: u8 = 16;
    pub(super) const USE_ORDERS: u8 = 32;
    pub(super) const PROPERTIES: u8 = 64;
}

/// The first version with sections for isolated regions.
const SECTIONS: u64 = 2;
/// The first version with orders of uses.
const USE_ORDERS: u64 = 3;
/// The first version that omits unknown locations of block arguments.
const OPTIONAL_LOCATIONS: u64 = 4;

/// Prints a file as text.
pub(super) fn module(file: &[u8]) -> Result<String> {
    let tables = Tables::read(file)?;
    let mut printer = Printer {
        version: tables.version,
        decoder: Decoder::new(&tables),
        out: String::new(),
        longest: file.len().saturating_mul(GROWTH).saturating_add(BESIDES),
        most_values: file.len(),
        scopes: vec![Scope::default()],
        names: 0,
        arguments: 0,
        depth: 0,
        locations: BTreeSet::new(),
    };
    let mut cursor = tables.operations;
    let (count, arguments) = cursor.flagged()?;
    if arguments {
        return cursor.fail("arguments outside of any region");
    }
    printer.scopes[0].regions.push((0, 0));
    for _ in 0..count {
        printer.operation(&mut cursor, Parent::Module)?;
    }
    printer.all_locations()?;
    Ok(printer.out)
}

/// Casts between types of VHLO and of other dialects. The types are the same here.
const CAST: &str = "builtin.unrealized_conversion_cast";

/// The context of an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Parent {
    Module,
    Function,
    Region,
}

/// A value's name and type.
#[derive(Clone)]
struct Defined {
    name: Rc<str>,
    ty: Rc<DecodedType>,
}

/// The values visible in an isolated region, by their numbers.
#[derive(Default)]
struct Scope {
    values: Vec<Option<Defined>>,
    /// The numbers of the first and the next value of each open region.
    regions: Vec<(usize, usize)>,
}

type Named<'a> = Vec<(String, Rc<Value<'a>>)>;

/// An operation without its regions.
struct Head<'a> {
    name: String,
    location: usize,
    /// The operation's inherent attributes.
    properties: Named<'a>,
    /// Discardable attributes.
    attributes: Named<'a>,
    results: Vec<Rc<DecodedType>>,
    operands: Vec<Defined>,
    regions: usize,
    isolated: bool,
}

struct Printer<'t, 'a> {
    version: u64,
    decoder: Decoder<'t, 'a>,
    out: String,
    longest: usize,
    most_values: usize,
    scopes: Vec<Scope>,
    /// The number of names used in the function.
    names: usize,
    arguments: usize,
    depth: usize,
    /// Locations with names, by their attributes.
    locations: BTreeSet<usize>,
}

impl<'a> Printer<'_, 'a> {
    fn put(&mut self, text: &str, at: usize) -> Result<()> {
        if self.out.len() + text.len() > self.longest {
            return malformed(at, format!("a program of more than {} bytes of text", self.longest));
        }
        self.out.push_str(text);
        Ok(())
    }

    fn line(&mut self, at: usize) -> Result<()> {
        let blanks = " ".repeat(2 * self.depth);
        self.put("\n", at)?;
        self.put(&blanks, at)
    }

    fn operation(&mut self, cursor: &mut Cursor<'a>, parent: Parent) -> Result<()> {
        let at = cursor.at();
        let head = self.head(cursor)?;
        // Isolated regions are in a section of their own.
        let mut section = match head.isolated && head.regions > 0 && self.version >= SECTIONS {
            true => Some(cursor.section()?.1),
            false => None,
        };
        let inner = section.as_mut().unwrap_or(cursor);
        if head.isolated && head.regions > 0 {
            self.scopes.push(Scope::default());
        }
        if head.name == CAST && head.operands.len() == head.results.len() {
            return head.operands.into_iter().try_for_each(|value| self.define(value, at));
        }
        let (isolated, results) = (head.isolated && head.regions > 0, head.results.clone());
        let name = self.names;
        match &head.name[..] {
            "builtin.module" => self.module(&head, inner, at)?,
            "vhlo.func_v1" | "func.func" => self.function(&head, inner, at)?,
            _ => self.generic(&renamed(head, parent, at)?, inner, at)?,
        }
        if isolated {
            self.scopes.pop();
        }
        let single = results.len() == 1;
        for (index, ty) in results.into_iter().enumerate() {
            let name = if single { format!("{name}") } else { format!("{name}#{index}") };
            self.define(Defined { name: name.into(), ty }, at)?;
        }
        Ok(())
    }

    /// Reads an operation up to its regions. Its results have names, but are not defined yet.
    fn head(&mut self, cursor: &mut Cursor<'a>) -> Result<Head<'a>> {
        let at = cursor.at();
        let name = cursor.index()?;
        let Some(name) = self.decoder.tables.names.get(name) else {
            return cursor.fail(format!("there is no operation {name}"));
        };
        let mask = cursor.byte()?;
        let mut head = Head {
            name: name.full.clone(),
            location: cursor.index()?,
            properties: vec![],
            attributes: vec![],
            results: vec![],
            operands: vec![],
            regions: 0,
            isolated: false,
        };
        if mask & part::ATTRIBUTES != 0 {
            let attributes = self.decoder.attribute(cursor)?;
            // Versions without properties have all attributes in one dictionary.
            let (properties, attributes) = entries(&attributes, at)?
                .into_iter()
                .partition(|(property, _)| properties::is_one(&head.name, property));
            (head.properties, head.attributes) = (properties, attributes);
        }
        if mask & part::PROPERTIES != 0 {
            if name.registered {
                self.properties(&mut head, cursor)?;
            } else {
                let properties = self.decoder.attribute(cursor)?;
                head.properties.extend(entries(&properties, at)?);
            }
        }
        if mask & part::RESULTS != 0 {
            head.results = cursor.list(|cursor| self.decoder.ty(cursor))?;
        }
        if mask & part::OPERANDS != 0 {
            head.operands = cursor.list(|cursor| {
                let index = cursor.index()?;
                let scope = self.scopes.last().map(|scope| &scope.values[..]).unwrap_or_default();
                match scope.get(index) {
                    Some(Some(value)) => Ok(value.clone()),
                    _ => cursor.fail(format!("value {index} is not defined before its use")),
                }
            })?;
        }
        if mask & part::SUCCESSORS != 0 && !cursor.list(Cursor::index)?.is_empty() {
            return malformed(at, format!("'{}' with successors", head.name));
        }
        if mask & part::USE_ORDERS != 0 && self.version >= USE_ORDERS {
            pass_use_orders(cursor, head.results.len())?;
        }
        if mask & part::REGIONS != 0 {
            (head.regions, head.isolated) = cursor.flagged()?;
            if head.regions > cursor.left() {
                return malformed(at, format!("{} regions", head.regions));
            }
        }
        Ok(head)
    }

    fn properties(&mut self, head: &mut Head<'a>, cursor: &mut Cursor<'a>) -> Result<()> {
        let index = cursor.index()?;
        let Some(&(mut stored)) = self.decoder.tables.properties.get(index) else {
            return cursor.fail(format!("there are no properties {index}"));
        };
        let Some(known) = properties::of(&head.name) else {
            return match stored.is_empty() {
                true => Ok(()),
                false => cursor.fail(format!("the properties of '{}' are not known", head.name)),
            };
        };
        let segmented = properties::SEGMENTED.contains(&&head.name[..]);
        let count = match segmented {
            true => known.clone().count(),
            false => stored.numbers()?,
        };
        let Some(of_file) = properties::stored(known.clone(), count) else {
            let names: Vec<_> = known.map(|property| property.name).collect();
            return stored.fail(format!(
                "'{}' has {count} properties, where {} are known: {}",
                head.name,
                names.len(),
                names.join(", ")
            ));
        };
        for property in of_file {
            let value = match property.optional {
                true => self.decoder.optional_attribute(&mut stored)?,
                false => Some(self.decoder.attribute(&mut stored)?),
            };
            head.properties.extend(value.map(|value| (property.name.to_owned(), value)));
        }
        if segmented {
            for name in ["operandSegmentSizes", "resultSegmentSizes"] {
                let items = stored.sparse(2)?;
                head.properties.push((name.to_owned(), Rc::new(Value::Integers { element: "i32", items })));
            }
        }
        Ok(())
    }

    /// `module @name attributes {…} {…}`.
    fn module(&mut self, head: &Head<'a>, cursor: &mut Cursor<'a>, at: usize) -> Result<()> {
        self.put("module", at)?;
        if let Some(name) = head.string("sym_name") {
            let name = word(name);
            self.put(&format!(" @{name}"), at)?;
        }
        if !head.attributes.is_empty() {
            self.put(" attributes ", at)?;
            self.dictionary(&head.attributes, at)?;
        }
        self.put(" ", at)?;
        if head.regions != 1 {
            return malformed(at, format!("a module of {} regions", head.regions));
        }
        self.region(cursor, Parent::Module, at)?;
        self.location(head.location, at)?;
        self.put("\n", at)
    }

    /// `func.func public @name(%arg0: type {…}) -> (type {…}) {…}`.
    fn function(&mut self, head: &Head<'a>, cursor: &mut Cursor<'a>, at: usize) -> Result<()> {
        (self.names, self.arguments) = (0, 0);
        self.line(at)?;
        self.put("func.func ", at)?;
        match head.string("sym_visibility") {
            Some(b"private") => self.put("private ", at)?,
            Some(b"public") => self.put("public ", at)?,
            _ => {}
        }
        let Some(name) = head.string("sym_name").map(word) else {
            return malformed(at, "a function without a name");
        };
        self.put(&format!("@{name}("), at)?;
        let ty = match head.get("function_type").map(|value| &**value) {
            Some(Value::Type(ty)) => ty.clone(),
            _ => return malformed(at, "a function without a type"),
        };
        let Form::Function { parameters, results } = &ty.form else {
            return malformed(at, "a function of another type");
        };
        let own = ["sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs"];
        let others: Vec<_> = (head.properties.iter().filter(|(name, _)| !own.contains(&&name[..])))
            .chain(&head.attributes)
            .cloned()
            .collect();
        let (about_parameters, about_results) = (head.items("arg_attrs"), head.items("res_attrs"));
        if head.regions != 1 {
            return malformed(at, format!("a function of {} regions", head.regions));
        }
        let blocks = cursor.index()?;
        let arguments = match blocks {
            0 => {
                self.typed(parameters, about_parameters, at)?;
                self.put(")", at)?;
                None
            }
            1 => Some(self.begin_block(cursor)?),
            _ => return malformed(at, "a region of several blocks"),
        };
        if let Some((arguments, _)) = &arguments {
            for (index, (value, location)) in arguments.iter().enumerate() {
                self.put(if index > 0 { ", " } else { "" }, at)?;
                self.put(&format!("%{}: {}", value.name, value.ty.text), at)?;
                self.attributes_of(about_parameters, index, at)?;
                self.optional_location(*location, at)?;
            }
            self.put(")", at)?;
        }
        if !results.is_empty() {
            self.put(" -> (", at)?;
            self.typed(results, about_results, at)?;
            self.put(")", at)?;
        }
        if !others.is_empty() {
            self.put(" attributes ", at)?;
            self.dictionary(&others, at)?;
        }
        if let Some((_, operations)) = arguments {
            self.put(" {", at)?;
            self.operations(cursor, operations, Parent::Function)?;
            self.end_block();
            self.line(at)?;
            self.put("}", at)?;
        }
        self.location(head.location, at)
    }

    /// Types, each followed by its attributes.
    fn typed(&mut self, types: &[Rc<DecodedType>], about: &[Rc<Value<'a>>], at: usize) -> Result<()> {
        for (index, ty) in types.iter().enumerate() {
            self.put(if index > 0 { ", " } else { "" }, at)?;
            self.put(&ty.text, at)?;
            self.attributes_of(about, index, at)?;
        }
        Ok(())
    }

    /// `{…}` after a parameter or a result.
    fn attributes_of(&mut self, about: &[Rc<Value<'a>>], index: usize, at: usize) -> Result<()> {
        match about.get(index).map(|value| &**value) {
            Some(Value::Dictionary(entries)) if !entries.is_empty() => {
                self.put(" ", at)?;
                self.dictionary(&owned(entries), at)
            }
            _ => Ok(()),
        }
    }

    /// `%0:2 = "name"(%a, %b) <{…}> ({…}) {…} : (types) -> (types)`.
    fn generic(&mut self, head: &Head<'a>, cursor: &mut Cursor<'a>, at: usize) -> Result<()> {
        self.line(at)?;
        let name = self.names;
        if !head.results.is_empty() {
            self.names += 1;
            match head.results.len() {
                1 => self.put(&format!("%{name} = "), at)?,
                count => self.put(&format!("%{name}:{count} = "), at)?,
            }
        }
        let operands: Vec<_> = head.operands.iter().map(|value| format!("%{}", value.name)).collect();
        self.put(&format!("\"{}\"({})", head.name, operands.join(", ")), at)?;
        if !head.properties.is_empty() {
            self.put(" <", at)?;
            self.dictionary(&head.properties, at)?;
            self.put(">", at)?;
        }
        for index in 0..head.regions {
            self.put(if index > 0 { ", " } else { " (" }, at)?;
            self.region(cursor, Parent::Region, at)?;
        }
        self.put(if head.regions > 0 { ")" } else { "" }, at)?;
        if !head.attributes.is_empty() {
            self.put(" ", at)?;
            self.dictionary(&head.attributes, at)?;
        }
        let operands: Vec<_> = head.operands.iter().map(|value| value.ty.clone()).collect();
        self.put(" : (", at)?;
        self.typed(&operands, &[], at)?;
        self.put(") -> (", at)?;
        self.typed(&head.results, &[], at)?;
        self.put(")", at)?;
        self.location(head.location, at)
    }

    /// `{…}`.
    fn region(&mut self, cursor: &mut Cursor<'a>, parent: Parent, at: usize) -> Result<()> {
        match cursor.index()? {
            0 => return self.put("{}", at),
            1 => {}
            _ => return malformed(at, "a region of several blocks"),
        }
        let (arguments, operations) = self.begin_block(cursor)?;
        self.put("{", at)?;
        if !arguments.is_empty() {
            self.line(at)?;
            self.put("^bb0(", at)?;
            for (index, (value, location)) in arguments.iter().enumerate() {
                self.put(if index > 0 { ", " } else { "" }, at)?;
                self.put(&format!("%{}: {}", value.name, value.ty.text), at)?;
                self.optional_location(*location, at)?;
            }
            self.put("):", at)?;
        }
        self.operations(cursor, operations, parent)?;
        self.end_block();
        self.line(at)?;
        self.put("}", at)
    }

    /// The arguments of a region's block with their locations, and the number of operations that follow.
    fn begin_block(&mut self, cursor: &mut Cursor<'a>) -> Result<Block> {
        let at = cursor.at();
        if self.depth == DEEPEST {
            return malformed(at, format!("regions nested more than {DEEPEST} deep"));
        }
        self.depth += 1;
        let values = cursor.count()?;
        if let Some(scope) = self.scopes.last_mut() {
            let start = scope.values.len();
            // The file has at least one byte for the type of each value.
            if start + values > self.most_values {
                return malformed(at, format!("{} values", start + values));
            }
            scope.regions.push((start, start));
            scope.values.resize(start + values, None);
        }
        let (operations, has_arguments) = cursor.flagged()?;
        let mut arguments = vec![];
        if has_arguments {
            arguments = cursor.list(|cursor| {
                let at = cursor.at();
                let (ty, location) = match self.version {
                    OPTIONAL_LOCATIONS.. => match cursor.flagged()? {
                        (ty, true) => (ty, Some(cursor.index()?)),
                        (ty, false) => (ty, None),
                    },
                    _ => (cursor.index()?, Some(cursor.index()?)),
                };
                let ty = self.decoder.type_at(ty, at)?;
                let name = format!("arg{}", self.arguments);
                self.arguments += 1;
                Ok((Defined { name: name.into(), ty }, location))
            })?;
            if self.version >= USE_ORDERS && cursor.byte()? != 0 {
                pass_use_orders(cursor, arguments.len())?;
            }
        }
        for (argument, _) in &arguments {
            self.define(argument.clone(), at)?;
        }
        Ok((arguments, operations))
    }

    fn end_block(&mut self) {
        self.depth -= 1;
        if let Some(scope) = self.scopes.last_mut() {
            let (start, _) = scope.regions.pop().unwrap_or_default();
            scope.values.truncate(start);
        }
    }

    fn define(&mut self, value: Defined, at: usize) -> Result<()> {
        let Some(scope) = self.scopes.last_mut() else {
            return malformed(at, "a value outside of any region");
        };
        let slot = scope.regions.last_mut().and_then(|(_, next)| {
            *next += 1;
            scope.values.get_mut(*next - 1)
        });
        match slot {
            Some(slot) => *slot = Some(value),
            None => return malformed(at, "more values than their region announces"),
        }
        Ok(())
    }

    fn operations(&mut self, cursor: &mut Cursor<'a>, count: usize, parent: Parent) -> Result<()> {
        for _ in 0..count {
            self.operation(cursor, parent)?;
        }
        Ok(())
    }

    fn optional_location(&mut self, location: Option<usize>, at: usize) -> Result<()> {
        location.map_or(Ok(()), |location| self.location(location, at))
    }

    /// ` loc(#loc1)`.
    fn location(&mut self, index: usize, at: usize) -> Result<()> {
        match &*self.decoder.attribute_at(index, at)? {
            Value::Location(Location::Unknown) => self.put(" loc(unknown)", at),
            Value::Location(_) => {
                self.locations.insert(index);
                self.put(&format!(" loc(#loc{index})"), at)
            }
            _ => malformed(at, format!("attribute {index} is not a location")),
        }
    }

    /// `#loc1 = loc(…)` for each named location, after the locations that it contains.
    fn all_locations(&mut self) -> Result<()> {
        let at = self.decoder.tables.operations.at();
        let mut printed = BTreeSet::new();
        let mut open: Vec<_> = self.locations.iter().copied().collect();
        while let Some(&index) = open.last() {
            let value = self.decoder.attribute_at(index, at)?;
            let inner = match &*value {
                Value::Location(Location::Name { child, .. }) => vec![*child],
                Value::Location(Location::Call { callee, caller }) => vec![*callee, *caller],
                Value::Location(Location::Fused(parts)) => parts.clone(),
                _ => vec![],
            };
            // Contained locations not yet printed. The step limit below refuses a location that contains itself.
            let before = open.len();
            open.extend(inner.iter().filter(|inner| !printed.contains(*inner)));
            if open.len() > before {
                if open.len() > MOST_OPEN {
                    return malformed(at, "locations within each other");
                }
                continue;
            }
            open.pop();
            if !printed.insert(index) {
                continue;
            }
            let text = match &*value {
                Value::Location(Location::Name { name, child }) => format!("{}(#loc{child})", quoted(name)),
                Value::Location(Location::Place { file, numbers }) => place(file, numbers),
                Value::Location(Location::Call { callee, caller }) => {
                    format!("callsite(#loc{callee} at #loc{caller})")
                }
                Value::Location(Location::Fused(parts)) => {
                    let parts: Vec<_> = parts.iter().map(|part| format!("#loc{part}")).collect();
                    format!("fused[{}]", parts.join(", "))
                }
                _ => "unknown".to_owned(),
            };
            self.put(&format!("#loc{index} = loc({text})\n"), at)?;
        }
        Ok(())
    }

    /// `{name = value, …}`.
    fn dictionary(&mut self, entries: &[(String, Rc<Value<'a>>)], at: usize) -> Result<()> {
        self.put("{", at)?;
        let shown = entries.iter().filter(|(_, value)| !matches!(**value, Value::Dropped));
        for (index, (name, value)) in shown.enumerate() {
            self.put(if index > 0 { ", " } else { "" }, at)?;
            self.put(&word(name.as_bytes()), at)?;
            if !matches!(**value, Value::Unit) {
                self.put(" = ", at)?;
                self.value(value, at)?;
            }
        }
        self.put("}", at)
    }

    fn value(&mut self, value: &Value<'a>, at: usize) -> Result<()> {
        match value {
            Value::Unit => self.put("unit", at),
            Value::Bool(value) => self.put(&value.to_string(), at),
            Value::Integer { value, ty } => self.put(&format!("{value} : {}", ty.text), at),
            Value::String(string) => self.put(&quoted(string), at),
            Value::Symbol(path) => {
                let path: Vec<_> = path.iter().map(|name| format!("@{}", word(name))).collect();
                self.put(&path.join("::"), at)
            }
            Value::Array(items) => {
                self.put("[", at)?;
                for (index, item) in items.iter().enumerate() {
                    self.put(if index > 0 { ", " } else { "" }, at)?;
                    self.value(item, at)?;
                }
                self.put("]", at)
            }
            Value::Dictionary(entries) => self.dictionary(&owned(entries), at),
            Value::Type(ty) => match &ty.form {
                Form::Function { parameters, results } => {
                    self.put("(", at)?;
                    self.typed(parameters, &[], at)?;
                    self.put(") -> (", at)?;
                    self.typed(results, &[], at)?;
                    self.put(")", at)
                }
                _ => self.put(&ty.text, at),
            },
            Value::Dense { ty, bytes } => {
                let text = dense(ty, bytes);
                self.put(&text, at)
            }
            Value::Integers { element, items } => {
                let item = |&item: &i64| match *element {
                    "i1" => (item != 0).to_string(),
                    _ => item.to_string(),
                };
                let items: Vec<_> = items.iter().map(item).collect();
                let colon = if items.is_empty() { "" } else { ": " };
                self.put(&format!("array<{element}{colon}{}>", items.join(", ")), at)
            }
            // The only kind that MLIR prints differently.
            Value::Word { dialect, kind: kind @ "result_accuracy_mode", word } => {
                self.put(&format!("#{dialect}.{kind}<{word}>"), at)
            }
            Value::Word { dialect, kind, word } => self.put(&format!("#{dialect}<{kind} {word}>"), at),
            Value::Struct { kind, fields } => {
                let raw = if *kind == "conv" { "raw " } else { "" };
                self.put(&format!("#stablehlo.{kind}<{raw}"), at)?;
                for (index, (name, value)) in fields.iter().enumerate() {
                    self.put(if index > 0 { ", " } else { "" }, at)?;
                    self.put(&format!("{name} = "), at)?;
                    self.value(value, at)?;
                }
                self.put(">", at)
            }
            Value::Text(text) => self.put(text, at),
            // Omitted from dictionaries.
            Value::Dropped => self.put("unit", at),
            Value::Location(_) => self.put("unit", at),
        }
    }
}

/// Arguments with their locations, and the number of operations.
type Block = (Vec<(Defined, Option<usize>)>, usize);

impl<'a> Head<'a> {
    /// A property.
    fn get(&self, name: &str) -> Option<&Rc<Value<'a>>> {
        self.properties.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    fn string(&self, name: &str) -> Option<&'a [u8]> {
        match **self.get(name)? {
            Value::String(string) => Some(string),
            _ => None,
        }
    }

    /// The items of an array; empty for anything else.
    fn items(&self, name: &str) -> &[Rc<Value<'a>>] {
        match self.get(name).map(|value| &**value) {
            Some(Value::Array(items)) => items,
            _ => &[],
        }
    }

    fn take(&mut self, name: &str) -> Option<Rc<Value<'a>>> {
        let index = self.properties.iter().position(|(key, _)| key == name)?;
        Some(self.properties.remove(index).1)
    }
}

/// The entries of a dictionary attribute.
fn entries<'a>(attributes: &Value<'a>, at: usize) -> Result<Named<'a>> {
    match attributes {
        Value::Dictionary(entries) => Ok(owned(entries)),
        _ => malformed(at, "attributes that are no dictionary"),
    }
}

fn owned<'a>(entries: &[(&'a [u8], Rc<Value<'a>>)]) -> Named<'a> {
    entries.iter().map(|(name, value)| (String::from_utf8_lossy(name).into_owned(), value.clone())).collect()
}

/// Skips orders of uses, which have no meaning for the program.
fn pass_use_orders(cursor: &mut Cursor<'_>, values: usize) -> Result<()> {
    let orders = if values > 1 { cursor.count()? } else { 1 };
    for _ in 0..orders {
        if values > 1 {
            cursor.index()?;
        }
        let (count, _) = cursor.flagged()?;
        if count > cursor.left() {
            return cursor.fail("an order of more uses than there is room for");
        }
        for _ in 0..count {
            cursor.index()?;
        }
    }
    Ok(())
}

/// True for a property of VHLO that has StableHLO's default, which StableHLO omits.
fn is_default(operation: &str, name: &str, value: &Value) -> bool {
    let integer = |wanted: i128| matches!(value, Value::Integer { value, .. } if *value == wanted);
    let empty = match value {
        Value::Array(items) => items.is_empty(),
        Value::Dictionary(entries) => entries.is_empty(),
        Value::String(string) => string.is_empty(),
        Value::Dense { bytes, .. } => bytes.is_empty(),
        _ => false,
    };
    match (operation, name) {
        // VHLO's mark for an attribute that is absent.
        _ if matches!(value, Value::Type(ty) if matches!(ty.form, Form::None)) => true,
        ("cholesky", "lower") => matches!(value, Value::Bool(false)),
        ("send" | "recv", "source_target_pairs") => empty,
        ("sort", "dimension") => integer(-1),
        ("composite", "version") => integer(0),
        (
            _,
            "use_global_device_ids"
            | "has_dynamic_root"
            | "has_side_effect"
            | "indices_are_sorted"
            | "unique_indices"
            | "is_host_transfer"
            | "is_stable",
        ) => matches!(value, Value::Bool(false)),
        (
            _,
            "backend_config"
            | "called_computations"
            | "composite_attributes"
            | "infeed_config"
            | "known_expanding_dimensions"
            | "known_nonexpanding_dimensions"
            | "layout"
            | "outfeed_config"
            | "output_operand_aliases"
            | "result_tilings",
        ) => empty,
        (_, "window_strides" | "lhs_dilation" | "rhs_dilation" | "base_dilations" | "window_dilations") => {
            is_all(value, 1)
        }
        (_, "padding" | "window_reversal") => is_all(value, 0),
        (_, "compare_type") => matches!(value, Value::Word { word: "NOTYPE", .. }),
        (_, "api_version") => matches!(value, Value::Text(text) if text == "1 : i32"),
        (_, "precision_config") => {
            let default = |item: &Rc<Value>| matches!(**item, Value::Word { word: "DEFAULT", .. });
            matches!(value, Value::Array(items) if items.iter().all(default))
        }
        (_, "result_accuracy") => {
            let Value::Struct { fields, .. } = value else { return false };
            fields.iter().all(|(name, value)| match (*name, &**value) {
                ("mode", Value::Word { word, .. }) => *word == "DEFAULT",
                (_, Value::Text(number)) => number.parse() == Ok(0.0),
                _ => false,
            })
        }
        _ => false,
    }
}

/// True for a tensor of integers or bools, not empty, whose elements are all `wanted`.
fn is_all(value: &Value, wanted: i64) -> bool {
    let Value::Dense { ty, bytes } = value else { return false };
    let Form::Tensor { shape, element } = &ty.form else { return false };
    let count = shape.iter().try_fold(1u64, |count, size| count.checked_mul((*size)?));
    let items = count.filter(|&count| count > 0).and_then(|count| integers(element, count, bytes));
    items.is_some_and(|(items, _)| items.iter().all(|&item| item == wanted))
}

/// Translates an operation of VHLO to StableHLO. Other operations stay as they are.
fn renamed<'a>(mut head: Head<'a>, parent: Parent, at: usize) -> Result<Head<'a>> {
    let Some(name) = head.name.strip_prefix("vhlo.") else { return Ok(head) };
    let name = name.rsplit_once("_v").map_or(name, |(name, _)| name).to_owned();
    // Layouts of operands and of results are omitted together.
    let layouts = ["operand_layouts", "result_layouts"];
    if layouts.iter().all(|layouts| head.items(layouts).is_empty()) {
        head.properties.retain(|(name, _)| !layouts.contains(&&name[..]));
    }
    head.properties.retain(|(property, value)| !is_default(&name, property, value));
    match &name[..] {
        "convolution" | "dynamic_conv" => {
            let fields = CONVOLUTION.as_flattened();
            gather(&mut head, "dimension_numbers", "conv", fields, at)?;
        }
        "dot_general" => {
            gather(&mut head, "dot_dimension_numbers", "dot", &DOT, at)?;
            if head.get(ALGORITHM[0]).is_some() {
                gather(&mut head, "algorithm", "dot_algorithm", &ALGORITHM, at)?;
            }
        }
        "gather" | "dynamic_gather" => {
            let fields = [&GATHER[..], &[VECTOR]].concat();
            gather(&mut head, "dimension_numbers", "gather", &fields, at)?;
        }
        "scatter" => {
            let fields = [&SCATTER[..], &[VECTOR]].concat();
            gather(&mut head, "scatter_dimension_numbers", "scatter", &fields, at)?;
        }
        _ => {}
    }
    channel(&mut head);
    for (name, value) in &mut head.properties {
        let changed = match &name[..] {
            "callee" | "decomposition" => symbols(value),
            "called_computations" => symbols(value),
            // Attributes that StableHLO marks by presence.
            "use_global_device_ids" | "has_dynamic_root" => Some(Rc::new(Value::Unit)),
            // Lists with an entry for each dimension of a tensor.
            "value" => None,
            _ => array(value),
        };
        if let Some(changed) = changed {
            *value = changed;
        }
    }
    head.name = match &name[..] {
        "call" => "func.call".to_owned(),
        "return" if parent == Parent::Function => "func.return".to_owned(),
        _ => format!("stablehlo.{name}"),
    };
    Ok(head)
}

/// Joins several attributes into one.
fn gather<'a>(
    head: &mut Head<'a>,
    into: &str,
    kind: &'static str,
    names: &[&'static str],
    at: usize,
) -> Result<()> {
    let mut fields = vec![];
    for &name in names {
        // Older versions have fewer of them.
        let Some(value) = head.take(name) else { continue };
        let plain = match &*value {
            Value::Dense { ty, bytes } => match elements(ty, bytes) {
                Some(items) => listed(&items),
                None => {
                    return malformed(at, format!("'{name}' of '{}' is not a list of integers", head.name));
                }
            },
            Value::Integer { value, .. } => Rc::new(Value::Text(value.to_string())),
            _ => value,
        };
        fields.push((name, plain));
    }
    head.properties.insert(0, (into.to_owned(), Rc::new(Value::Struct { kind, fields })));
    Ok(())
}

/// `channel_id` and `channel_type` as a handle. `None` if the identifier of a collective operation is 0.
fn channel(head: &mut Head<'_>) {
    let number = |value: Rc<Value<'_>>| match *value {
        Value::Integer { value, .. } => value,
        _ => 0,
    };
    let Some(id) = head.take("channel_id").map(number) else { return };
    let kind = head.take("channel_type").map(number);
    if id == 0 && kind.is_none() {
        return;
    }
    let plain = |value: i128| Rc::new(Value::Text(value.to_string()));
    let fields = vec![("handle", plain(id)), ("type", plain(kind.unwrap_or(0)))];
    let handle = Value::Struct { kind: "channel_handle", fields };
    head.properties.push(("channel_handle".to_owned(), Rc::new(handle)));
}

/// Converts strings to names of functions.
fn symbols<'a>(value: &Value<'a>) -> Option<Rc<Value<'a>>> {
    match value {
        Value::String(name) => Some(Rc::new(Value::Symbol(vec![name]))),
        Value::Array(items) => {
            let items: Option<Vec<_>> = items.iter().map(|item| symbols(item)).collect();
            Some(Rc::new(Value::Array(items?)))
        }
        _ => None,
    }
}

/// Converts a one-dimensional tensor of 64-bit integers or bools to an array.
fn array<'a>(value: &Value<'a>) -> Option<Rc<Value<'a>>> {
    let Value::Dense { ty, bytes } = value else { return None };
    let Form::Tensor { element, .. } = &ty.form else { return None };
    let element = match element.form {
        Form::Bool => "i1",
        Form::Integer { signed: true, bits: 64 } => "i64",
        _ => return None,
    };
    Some(Rc::new(Value::Integers { element, items: elements(ty, bytes)? }))
}

/// The maximum number of elements that a splat attribute may stand for.
const MOST_SPLAT: u64 = 1 << 16;

/// The elements of a one-dimensional tensor of integers or bools.
fn elements(ty: &DecodedType, bytes: &[u8]) -> Option<Vec<i64>> {
    let Form::Tensor { shape, element } = &ty.form else { return None };
    let [Some(count)] = shape[..] else { return None };
    let (items, splat) = integers(element, count, bytes)?;
    match splat && count > 1 {
        false => Some(items),
        true if count <= MOST_SPLAT => Some(vec![items[0]; count as usize]),
        true => None,
    }
}

/// Integers or bools: `count` of them, or one for all.
fn integers(element: &DecodedType, count: u64, bytes: &[u8]) -> Option<(Vec<i64>, bool)> {
    let stored = bytes.len() as u64;
    match element.form {
        Form::Bool if count == 0 && stored == 0 => Some((vec![], false)),
        // Bools are packed, eight per byte from the lowest bit up, or take a byte each.
        Form::Bool if stored == count.div_ceil(8) && stored != count => {
            let bit = |index: u64| i64::from(bytes[(index / 8) as usize] >> (index % 8) & 1);
            Some(((0..count).map(bit).collect(), false))
        }
        Form::Bool if stored == count || stored == 1 => {
            Some((bytes.iter().map(|&byte| i64::from(byte != 0)).collect(), stored != count))
        }
        Form::Integer { signed, bits } => {
            let width = bits.div_ceil(8) as usize;
            let splat = stored == width as u64 && count != 1;
            if stored != count.checked_mul(width as u64)? && !splat {
                return None;
            }
            let item = |bytes: &[u8]| {
                let mut word = [0; 8];
                word[..width].copy_from_slice(bytes);
                let (value, shift) = (u64::from_le_bytes(word), 64 - bits);
                match signed {
                    true => value.cast_signed() << shift >> shift,
                    false => (value << shift >> shift).cast_signed(),
                }
            };
            Some((bytes.chunks_exact(width).map(item).collect(), splat))
        }
        _ => None,
    }
}

/// `dense<…> : type`. Small constants are spelt, others are blobs.
fn dense(ty: &DecodedType, bytes: &[u8]) -> String {
    let blob = |bytes: &[u8]| {
        let mut text = String::with_capacity(2 * bytes.len() + ty.text.len() + 16);
        text.push_str("dense<\"0x");
        for byte in bytes {
            for digit in [byte >> 4, byte & 15] {
                text.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
            }
        }
        text.push_str("\"> : ");
        text.push_str(&ty.text);
        text
    };
    let Form::Tensor { shape, element } = &ty.form else { return blob(bytes) };
    let count = shape.iter().try_fold(1u64, |count, size| count.checked_mul((*size)?));
    let Some(count) = count else { return blob(bytes) };
    // An empty tensor may store the one element of a splat.
    if count == 0 && bytes.is_empty() {
        return format!("dense<> : {}", ty.text);
    }
    let few = count <= SPELT && shape.len() <= 1;
    match spelt(element, count, bytes) {
        Some((items, true)) => format!("dense<{}> : {}", items[0], ty.text),
        Some((items, false)) if shape.is_empty() => format!("dense<{}> : {}", items[0], ty.text),
        Some((items, false)) if few => format!("dense<[{}]> : {}", items.join(", "), ty.text),
        _ => match (&element.form, integers(element, count, bytes)) {
            // Bools are bytes in text, and may be packed bits in bytecode.
            (Form::Bool, Some((items, false))) => {
                blob(&items.iter().map(|&item| u8::from(item != 0)).collect::<Vec<_>>())
            }
            _ => blob(bytes),
        },
    }
}

/// Elements as numbers, if they are few or a splat.
fn spelt(element: &DecodedType, count: u64, bytes: &[u8]) -> Option<(Vec<String>, bool)> {
    match element.form {
        // A byte may have eight bools.
        Form::Bool if count > SPELT && bytes.len() > 1 => None,
        Form::Bool => {
            let (items, splat) = integers(element, count, bytes)?;
            Some((items.iter().map(|&item| (item != 0).to_string()).collect(), splat))
        }
        Form::Integer { signed, bits } => {
            if bytes.len() as u64 > SPELT * u64::from(bits.div_ceil(8)) {
                return None;
            }
            let (items, splat) = integers(element, count, bytes)?;
            let text = |item: &i64| match signed {
                true => item.to_string(),
                false => item.cast_unsigned().to_string(),
            };
            Some((items.iter().map(text).collect(), splat))
        }
        Form::Float { bits } if bits != 19 => {
            let width = bits.div_ceil(8) as usize;
            let stored = bytes.len() as u64;
            let splat = stored == width as u64 && count != 1;
            let whole = Some(stored) == count.checked_mul(width as u64);
            if !(splat || whole && count <= SPELT) {
                return None;
            }
            let item = |bytes: &[u8]| {
                let mut word = [0; 8];
                word[..width].copy_from_slice(bytes);
                let code = u64::from_le_bytes(word);
                decimal(&element.text, code).unwrap_or(format!("0x{code:0digits$X}", digits = hex(bits)))
            };
            Some((bytes.chunks_exact(width).map(item).collect(), splat))
        }
        _ => None,
    }
}

/// `"file":line:column`, and the part of the end that differs.
fn place(file: &[u8], numbers: &[u64]) -> String {
    let line = numbers.first().copied().unwrap_or(0);
    let column = numbers.get(1).copied().unwrap_or(0);
    let end = match numbers {
        [_, _, end] => format!(" to :{end}"),
        [_, _, line, column] => format!(" to {line}:{column}"),
        _ => String::new(),
    };
    format!("{}:{line}:{column}{end}", quoted(file))
}
