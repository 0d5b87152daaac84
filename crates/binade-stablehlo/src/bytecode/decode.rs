//! Decodes attributes and types of the dialects into values that `print` can write.

use std::fmt::Write as _;
use std::rc::Rc;

use super::cursor::Cursor;
use super::tables::{Entry, Tables};
use super::{Result, malformed};

/// The greatest nesting of attributes and types. Locations of deep calls are deeper than anything else.
const DEEPEST: usize = 256;

/// The maximum size of a type's text, in bytes.
const LONGEST_TYPE: usize = 1 << 16;

/// A type.
#[derive(Debug)]
pub(super) struct DecodedType {
    pub(super) text: String,
    pub(super) form: Form,
}

/// The properties of a type that other types and attributes depend on.
#[derive(Debug)]
pub(super) enum Form {
    Bool,
    Integer {
        signed: bool,
        bits: u32,
    },
    Float {
        bits: u32,
    },
    /// Sizes; `None` where open.
    Tensor {
        shape: Vec<Option<u64>>,
        element: Rc<DecodedType>,
    },
    Function {
        parameters: Vec<Rc<DecodedType>>,
        results: Vec<Rc<DecodedType>>,
    },
    /// VHLO's mark for an absent attribute.
    None,
    Other,
}

/// An attribute.
#[derive(Debug)]
pub(super) enum Value<'a> {
    Unit,
    Bool(bool),
    Integer {
        value: i128,
        ty: Rc<DecodedType>,
    },
    String(&'a [u8]),
    /// A name after `@`, and the names after `::@`.
    Symbol(Vec<&'a [u8]>),
    Array(Vec<Rc<Value<'a>>>),
    Dictionary(Vec<(&'a [u8], Rc<Value<'a>>)>),
    Type(Rc<DecodedType>),
    Dense {
        ty: Rc<DecodedType>,
        bytes: &'a [u8],
    },
    /// `array<i64: …>`.
    Integers {
        element: &'static str,
        items: Vec<i64>,
    },
    /// `#dialect<kind WORD>`.
    Word {
        dialect: &'static str,
        kind: &'static str,
        word: &'static str,
    },
    /// `#stablehlo.kind<name = value, …>`.
    Struct {
        kind: &'static str,
        fields: Vec<(&'static str, Rc<Value<'a>>)>,
    },
    /// Text that is printed unchanged.
    Text(String),
    /// An attribute without meaning for the computation.
    Dropped,
    Location(Location<'a>),
}

/// A location. It refers to attributes by number, since each is printed once.
#[derive(Debug)]
pub(super) enum Location<'a> {
    Unknown,
    Name {
        name: &'a [u8],
        child: usize,
    },
    /// Line and column, and as much of the end as the file has.
    Place {
        file: &'a [u8],
        numbers: Vec<u64>,
    },
    Call {
        callee: usize,
        caller: usize,
    },
    Fused(Vec<usize>),
}

enum Slot<T> {
    Unread,
    Reading,
    Read(Rc<T>),
}

/// All attributes and types, decoded on first use.
pub(super) struct Decoder<'t, 'a> {
    pub(super) tables: &'t Tables<'a>,
    attributes: Vec<Slot<Value<'a>>>,
    types: Vec<Slot<DecodedType>>,
    depth: usize,
}

/// Enumerators of VHLO and StableHLO, by their number.
mod words {
    pub(super) const DIRECTION: &[&str] = &["EQ", "NE", "GE", "GT", "LE", "LT"];
    pub(super) const COMPARISON: &[&str] = &["NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"];
    pub(super) const FFT: &[&str] = &["FFT", "IFFT", "RFFT", "IRFFT"];
    pub(super) const PRECISION: &[&str] = &["DEFAULT", "HIGH", "HIGHEST"];
    pub(super) const ALGORITHM: &[&str] = &["DEFAULT", "THREE_FRY", "PHILOX"];
    pub(super) const DISTRIBUTION: &[&str] = &["", "UNIFORM", "NORMAL"];
    pub(super) const TRANSPOSE: &[&str] = &["TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"];
    pub(super) const ACCURACY: &[&str] = &["DEFAULT", "HIGHEST", "TOLERANCE"];
}

impl<'t, 'a> Decoder<'t, 'a> {
    pub(super) fn new(tables: &'t Tables<'a>) -> Decoder<'t, 'a> {
        Decoder {
            tables,
            attributes: tables.attributes.iter().map(|_| Slot::Unread).collect(),
            types: tables.types.iter().map(|_| Slot::Unread).collect(),
            depth: 0,
        }
    }

    /// The attribute whose number comes next.
    pub(super) fn attribute(&mut self, cursor: &mut Cursor<'a>) -> Result<Rc<Value<'a>>> {
        let at = cursor.at();
        let index = cursor.index()?;
        self.attribute_at(index, at)
    }

    /// The attribute whose number comes next, if the flag of the number says that it is present.
    pub(super) fn optional_attribute(&mut self, cursor: &mut Cursor<'a>) -> Result<Option<Rc<Value<'a>>>> {
        let at = cursor.at();
        match cursor.flagged()? {
            (index, true) => self.attribute_at(index, at).map(Some),
            _ => Ok(None),
        }
    }

    pub(super) fn attribute_at(&mut self, index: usize, at: usize) -> Result<Rc<Value<'a>>> {
        match self.attributes.get_mut(index) {
            Some(Slot::Read(value)) => return Ok(value.clone()),
            Some(slot @ Slot::Unread) => *slot = Slot::Reading,
            Some(Slot::Reading) => return malformed(at, format!("attribute {index} is a part of itself")),
            None => return malformed(at, format!("there is no attribute {index}")),
        }
        let value = Rc::new(self.nested(at, |decoder| decoder.read_attribute(index))?);
        self.attributes[index] = Slot::Read(value.clone());
        Ok(value)
    }

    /// The type whose number comes next.
    pub(super) fn ty(&mut self, cursor: &mut Cursor<'a>) -> Result<Rc<DecodedType>> {
        let at = cursor.at();
        let index = cursor.index()?;
        self.type_at(index, at)
    }

    pub(super) fn type_at(&mut self, index: usize, at: usize) -> Result<Rc<DecodedType>> {
        match self.types.get_mut(index) {
            Some(Slot::Read(ty)) => return Ok(ty.clone()),
            Some(slot @ Slot::Unread) => *slot = Slot::Reading,
            Some(Slot::Reading) => return malformed(at, format!("type {index} is a part of itself")),
            None => return malformed(at, format!("there is no type {index}")),
        }
        let ty = self.nested(at, |decoder| decoder.read_type(index))?;
        if ty.text.len() > LONGEST_TYPE {
            return malformed(at, format!("type {index} takes more than {LONGEST_TYPE} bytes as text"));
        }
        let ty = Rc::new(ty);
        self.types[index] = Slot::Read(ty.clone());
        Ok(ty)
    }

    fn nested<T>(&mut self, at: usize, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            return malformed(at, format!("attributes and types nested more than {DEEPEST} deep"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn read_attribute(&mut self, index: usize) -> Result<Value<'a>> {
        let Entry { dialect, own_form, bytes: mut cursor } = self.tables.attributes[index];
        if !own_form {
            let text = String::from_utf8_lossy(cursor.zero_ended()?).into_owned();
            return Ok(Value::Text(text));
        }
        match &self.tables.dialects[dialect][..] {
            "builtin" => self.builtin_attribute(&mut cursor),
            "vhlo" => self.vhlo_attribute(&mut cursor),
            "stablehlo" => self.stablehlo_attribute(&mut cursor),
            "sdy" => self.sdy_attribute(&mut cursor),
            "chlo" => match cursor.number()? {
                0 => enumerator_of("chlo", &mut cursor, "comparison_direction", words::DIRECTION),
                1 => enumerator_of("chlo", &mut cursor, "comparison_type", words::COMPARISON),
                code => cursor.fail(format!("an attribute {code} of chlo")),
            },
            other => cursor.fail(format!("an attribute in the own form of the dialect '{other}'")),
        }
    }

    fn builtin_attribute(&mut self, cursor: &mut Cursor<'a>) -> Result<Value<'a>> {
        Ok(match cursor.number()? {
            0 => Value::Array(cursor.list(|cursor| self.attribute(cursor))?),
            1 => Value::Dictionary(
                cursor.list(|cursor| Ok((self.string_attribute(cursor)?, self.attribute(cursor)?)))?,
            ),
            2 => Value::String(self.tables.string(cursor)?),
            3 => {
                let string = self.tables.string(cursor)?;
                self.ty(cursor)?;
                Value::String(string)
            }
            4 => Value::Symbol(vec![self.string_attribute(cursor)?]),
            5 => {
                let mut path = vec![self.string_attribute(cursor)?];
                for nested in cursor.list(|cursor| self.attribute(cursor))? {
                    let Value::Symbol(names) = &*nested else { return cursor.fail("a path of no names") };
                    path.extend(names);
                }
                Value::Symbol(path)
            }
            6 => Value::Type(self.ty(cursor)?),
            7 => Value::Unit,
            8 => self.integer(cursor)?,
            9 => self.float(cursor)?,
            10 => Value::Location(Location::Call { callee: cursor.index()?, caller: cursor.index()? }),
            11 => {
                let file = self.string_attribute(cursor)?;
                Value::Location(Location::Place { file, numbers: vec![cursor.number()?, cursor.number()?] })
            }
            12 => Value::Location(Location::Fused(cursor.list(Cursor::index)?)),
            13 => {
                let locations = cursor.list(Cursor::index)?;
                // The rest of the location is not needed.
                cursor.index()?;
                Value::Location(Location::Fused(locations))
            }
            14 => {
                let name = self.string_attribute(cursor)?;
                Value::Location(Location::Name { name, child: cursor.index()? })
            }
            15 => Value::Location(Location::Unknown),
            16 => {
                let ty = self.ty(cursor)?;
                let resource = cursor.index()?;
                match self.tables.resources.get(resource) {
                    Some(bytes) => Value::Dense { ty, bytes },
                    None => return cursor.fail(format!("there is no resource {resource}")),
                }
            }
            17 => {
                let ty = self.ty(cursor)?;
                let count = cursor.index()?;
                let blob = cursor.blob()?;
                integers(&ty, count, blob, cursor)?
            }
            18 => Value::Dense { ty: self.ty(cursor)?, bytes: cursor.blob()? },
            22 => {
                let file = self.string_attribute(cursor)?;
                let numbers = cursor.list(Cursor::number)?;
                match numbers.len() {
                    1..=4 => Value::Location(Location::Place { file, numbers }),
                    _ => Value::Location(Location::Unknown),
                }
            }
            code => return cursor.fail(format!("an attribute {code} of MLIR itself")),
        })
    }

    fn vhlo_attribute(&mut self, cursor: &mut Cursor<'a>) -> Result<Value<'a>> {
        Ok(match cursor.number()? {
            1 => Value::Array(cursor.list(|cursor| self.attribute(cursor))?),
            2 => Value::Bool(cursor.number()? != 0),
            3 => enumerator(cursor, "comparison_direction", words::DIRECTION)?,
            4 => enumerator(cursor, "comparison_type", words::COMPARISON)?,
            // Version numbers are plain integers in StableHLO's text.
            5 => Value::Text(format!("{} : i32", cursor.number()?)),
            6 => Value::Dictionary(
                cursor.list(|cursor| Ok((self.string_attribute(cursor)?, self.attribute(cursor)?)))?,
            ),
            7 => enumerator(cursor, "fft_type", words::FFT)?,
            8 => self.float(cursor)?,
            9 => self.integer(cursor)?,
            10 => {
                let output = cursor.signed_list()?;
                let operand = cursor.signed()?;
                alias(output, operand, cursor.signed_list()?)
            }
            11 => enumerator(cursor, "precision", words::PRECISION)?,
            12 => enumerator(cursor, "rng_algorithm", words::ALGORITHM)?,
            13 => enumerator(cursor, "rng_distribution", words::DISTRIBUTION)?,
            14 => Value::String(self.tables.string(cursor)?),
            15 => Value::Dense { ty: self.ty(cursor)?, bytes: cursor.blob()? },
            16 => enumerator(cursor, "transpose", words::TRANSPOSE)?,
            17 => Value::Type(self.ty(cursor)?),
            18 => bounds(&cursor.signed_list()?),
            19 => enumerator(cursor, "result_accuracy_mode", words::ACCURACY)?,
            20 => self.accuracy(cursor)?,
            21 => sub_axis(cursor)?,
            22 => {
                let name = self.attribute(cursor)?;
                let part = match cursor.number()? {
                    0 => None,
                    _ => Some(self.attribute(cursor)?),
                };
                axis_reference(name, part)
            }
            23 => {
                let mesh = self.attribute(cursor)?;
                // VHLO has no symbol names, only strings.
                let mesh = match &*mesh {
                    Value::String(name) => Rc::new(Value::Symbol(vec![name])),
                    _ => mesh,
                };
                mesh_axes(mesh, self.attribute(cursor)?)
            }
            24 => mesh_axis(self.attribute(cursor)?, cursor.signed()?),
            25 => mesh(self.attribute(cursor)?, self.optional_attribute(cursor)?),
            code => return cursor.fail(format!("an attribute {code} of VHLO")),
        })
    }

    fn stablehlo_attribute(&mut self, cursor: &mut Cursor<'a>) -> Result<Value<'a>> {
        let plain = |value: i64| Rc::new(Value::Text(value.to_string()));
        Ok(match cursor.number()? {
            1 => Value::Struct {
                kind: "channel_handle",
                fields: vec![("handle", plain(cursor.signed()?)), ("type", plain(cursor.signed()?))],
            },
            2 => enumerator(cursor, "comparison_direction", words::DIRECTION)?,
            3 => enumerator(cursor, "comparison_type", words::COMPARISON)?,
            4 => {
                let mut fields = vec![];
                for [first, second, spatial] in CONVOLUTION {
                    fields.push((first, plain(cursor.signed()?)));
                    fields.push((second, plain(cursor.signed()?)));
                    fields.push((spatial, listed(&cursor.signed_list()?)));
                }
                Value::Struct { kind: "conv", fields }
            }
            5 => dimensions(cursor, "dot", &DOT, None)?,
            6 => enumerator(cursor, "fft_type", words::FFT)?,
            7 => dimensions(cursor, "gather", &GATHER, Some(VECTOR))?,
            8 => enumerator(cursor, "precision", words::PRECISION)?,
            9 => enumerator(cursor, "rng_algorithm", words::ALGORITHM)?,
            10 => enumerator(cursor, "rng_distribution", words::DISTRIBUTION)?,
            11 => dimensions(cursor, "scatter", &SCATTER, Some(VECTOR))?,
            12 => enumerator(cursor, "transpose", words::TRANSPOSE)?,
            13 => bounds(&cursor.signed_list()?),
            14 => {
                let output = cursor.signed_list()?;
                let operand = cursor.signed()?;
                alias(output, operand, cursor.signed_list()?)
            }
            15 => {
                let mut fields = vec![];
                for name in &ALGORITHM[..3] {
                    fields.push((*name, Rc::new(Value::Type(self.ty(cursor)?))));
                }
                for name in &ALGORITHM[3..6] {
                    fields.push((*name, plain(cursor.signed()?)));
                }
                fields.push((ALGORITHM[6], Rc::new(Value::Bool(cursor.byte()? != 0))));
                Value::Struct { kind: "dot_algorithm", fields }
            }
            16 => enumerator(cursor, "result_accuracy_mode", words::ACCURACY)?,
            17 => self.accuracy(cursor)?,
            18 => {
                let mesh = self.attribute(cursor)?;
                let axes = cursor.list(|cursor| self.attribute(cursor))?;
                mesh_axes(mesh, Rc::new(Value::Array(axes)))
            }
            19 => sub_axis(cursor)?,
            20 => {
                let name = Rc::new(Value::String(self.tables.string(cursor)?));
                let part = match cursor.byte()? {
                    0 => None,
                    _ => Some(self.attribute(cursor)?),
                };
                axis_reference(name, part)
            }
            21 => {
                let name = Rc::new(Value::String(self.tables.string(cursor)?));
                mesh_axis(name, cursor.signed()?)
            }
            22 => {
                let axes = self.attribute(cursor)?;
                let ids = match cursor.byte()? {
                    0 => None,
                    _ => Some(self.attribute(cursor)?),
                };
                mesh(axes, ids)
            }
            code => return cursor.fail(format!("an attribute {code} of StableHLO")),
        })
    }

    /// Shardings as text. Only meshes have a meaning here.
    fn sdy_attribute(&mut self, cursor: &mut Cursor<'a>) -> Result<Value<'a>> {
        let text = match cursor.number()? {
            0 => {
                let axes = cursor.list(|cursor| Ok(quoted(self.string_attribute(cursor)?)))?;
                format!("#sdy<manual_axes{{{}}}>", axes.join(", "))
            }
            1 => format!("{}={}", quoted(self.tables.string(cursor)?), cursor.signed()?),
            2 => {
                let axes = self.texts(cursor)?;
                let ids: Vec<_> = cursor.signed_list()?.iter().map(i64::to_string).collect();
                let ids =
                    if ids.is_empty() { String::new() } else { format!(", device_ids=[{}]", ids.join(", ")) };
                format!("#sdy.mesh<[{axes}]{ids}>")
            }
            3 => format!("({}){}", cursor.signed()?, cursor.signed()?),
            4 => {
                let name = quoted(self.tables.string(cursor)?);
                match self.optional_attribute(cursor)? {
                    Some(part) => format!("{name}:{}", self.text_of(&part, cursor)?),
                    None => name,
                }
            }
            5 => {
                let mut axes = self.texts(cursor)?;
                if cursor.byte()? == 0 {
                    axes.push_str(if axes.is_empty() { "?" } else { ", ?" });
                }
                match cursor.flagged()? {
                    (priority, true) => format!("{{{axes}}}p{priority}"),
                    _ => format!("{{{axes}}}"),
                }
            }
            code @ (6 | 15 | 17) => {
                let mesh = self.attribute(cursor)?;
                let mut text = format!("#sdy.sharding<{}, [", self.text_of(&mesh, cursor)?);
                text.push_str(&self.texts(cursor)?);
                text.push(']');
                for (kind, from) in [("replicated", 6), ("unreduced", 15)] {
                    let axes = if code >= from { self.texts(cursor)? } else { String::new() };
                    if !axes.is_empty() {
                        text.push_str(&format!(", {kind}={{{axes}}}"));
                    }
                }
                text + ">"
            }
            7 | 16 => {
                let shardings = self.texts(cursor)?.replace("#sdy.sharding<", "<");
                format!("#sdy.sharding_per_value<[{shardings}]>")
            }
            8 => cursor.signed_list()?.into_iter().map(factor).collect(),
            9 => format!("[{}]", self.texts(cursor)?),
            10 => {
                let sizes = cursor.signed_list()?;
                let (operands, results) = (self.texts(cursor)?, self.texts(cursor)?);
                let sizes: Vec<_> = (sizes.iter().zip(0..))
                    .map(|(size, index)| format!("{}={size}", factor(index)))
                    .collect();
                let mut text =
                    format!("#sdy.op_sharding_rule<({operands})->({results}) {{{}}}", sizes.join(", "));
                for kind in ["reduction", "need_replication", "permutation", "blocked_propagation"] {
                    let factors: Vec<_> = cursor.signed_list()?.into_iter().map(factor).collect();
                    if !factors.is_empty() {
                        text.push_str(&format!(" {kind}={{{}}}", factors.join(", ")));
                    }
                }
                text + if cursor.byte()? != 0 { ", custom>" } else { ">" }
            }
            11..=14 => return Ok(Value::Dropped),
            code => return cursor.fail(format!("an attribute {code} of sdy")),
        };
        if text.len() > LONGEST_TYPE {
            return cursor.fail(format!("a sharding that takes more than {LONGEST_TYPE} bytes as text"));
        }
        Ok(Value::Text(text))
    }

    /// Attributes of text, separated by commas.
    fn texts(&mut self, cursor: &mut Cursor<'a>) -> Result<String> {
        let mut text = String::new();
        for (index, value) in cursor.list(|cursor| self.attribute(cursor))?.iter().enumerate() {
            text.push_str(if index > 0 { ", " } else { "" });
            text.push_str(&self.text_of(value, cursor)?);
            if text.len() > LONGEST_TYPE {
                return cursor.fail(format!("a sharding that takes more than {LONGEST_TYPE} bytes as text"));
            }
        }
        Ok(text)
    }

    fn text_of(&self, value: &Value<'a>, cursor: &Cursor<'a>) -> Result<String> {
        match value {
            Value::Text(text) => Ok(text.clone()),
            Value::Symbol(path) => {
                Ok(path.iter().map(|name| format!("@{}", word(name))).collect::<Vec<_>>().join("::"))
            }
            _ => cursor.fail("this is not a part of a sharding"),
        }
    }

    fn string_attribute(&mut self, cursor: &mut Cursor<'a>) -> Result<&'a [u8]> {
        let at = cursor.at();
        match *self.attribute(cursor)? {
            Value::String(string) => Ok(string),
            _ => malformed(at, "an attribute that is not a string"),
        }
    }

    /// A type, and an integer of its width.
    fn integer(&mut self, cursor: &mut Cursor<'a>) -> Result<Value<'a>> {
        let ty = self.ty(cursor)?;
        Ok(match ty.form {
            Form::Bool => Value::Bool(cursor.bits(1)? & 1 == 1),
            Form::Integer { signed, bits: bits @ 1..=64 } => {
                let value = cursor.bits(bits)?;
                let shift = 64 - bits;
                let value = match signed {
                    true => i128::from(value << shift >> shift),
                    false => i128::from((value as u64) << shift >> shift),
                };
                Value::Integer { value, ty }
            }
            _ => return cursor.fail(format!("an integer of type {}", ty.text)),
        })
    }

    /// A type, and the bits of a number of it.
    fn float(&mut self, cursor: &mut Cursor<'a>) -> Result<Value<'a>> {
        let ty = self.ty(cursor)?;
        let Form::Float { bits } = ty.form else {
            return cursor.fail(format!("a number of type {}", ty.text));
        };
        let code = cursor.bits(bits)? as u64;
        let code = if bits < 64 { code & ((1 << bits) - 1) } else { code };
        let number = decimal(&ty.text, code).unwrap_or(format!("0x{code:0digits$X}", digits = hex(bits)));
        Ok(Value::Text(format!("{number} : {}", ty.text)))
    }

    fn accuracy(&mut self, cursor: &mut Cursor<'a>) -> Result<Value<'a>> {
        let mut tolerance = || -> Result<f64> { Ok(f64::from_bits(cursor.signed()?.cast_unsigned())) };
        let (absolute, relative) = (tolerance()?, tolerance()?);
        let number = |value: f64| Rc::new(Value::Text(shortest(value).unwrap_or("0.0".to_owned())));
        let ulps = cursor.signed()?;
        let mode = self.attribute(cursor)?;
        Ok(Value::Struct {
            kind: "result_accuracy",
            fields: vec![
                ("atol", number(absolute)),
                ("rtol", number(relative)),
                ("ulps", Rc::new(Value::Text(ulps.to_string()))),
                ("mode", mode),
            ],
        })
    }

    fn read_type(&mut self, index: usize) -> Result<DecodedType> {
        let Entry { dialect, own_form, bytes: mut cursor } = self.tables.types[index];
        if !own_form {
            let text = String::from_utf8_lossy(cursor.zero_ended()?).into_owned();
            let form = if let Some(bits) = float_bits(&text) { Form::Float { bits } } else { Form::Other };
            return Ok(DecodedType { text, form });
        }
        match &self.tables.dialects[dialect][..] {
            "builtin" => self.builtin_type(&mut cursor),
            "vhlo" => self.vhlo_type(&mut cursor),
            "stablehlo" => match cursor.number()? {
                0 => Ok(other("!stablehlo.token")),
                1 => self.future(&mut cursor),
                code => cursor.fail(format!("a type {code} of StableHLO")),
            },
            "quant" => match cursor.number()? {
                4 => self.quantized(&mut cursor, false),
                5 => self.quantized(&mut cursor, true),
                code => cursor.fail(format!("a type {code} of quant")),
            },
            dialect => cursor.fail(format!("a type in the own form of the dialect '{dialect}'")),
        }
    }

    fn builtin_type(&mut self, cursor: &mut Cursor<'a>) -> Result<DecodedType> {
        Ok(match cursor.number()? {
            0 => {
                let number = cursor.number()?;
                let (prefix, signed) = match number & 3 {
                    0 => ("i", true),
                    1 => ("si", true),
                    _ => ("ui", false),
                };
                match u32::try_from(number >> 2) {
                    Ok(bits @ 1..=64) => integer_type(prefix, signed, bits),
                    _ => return cursor.fail("an integer type of that width"),
                }
            }
            1 => DecodedType { text: "index".to_owned(), form: Form::Integer { signed: true, bits: 64 } },
            2 => self.function(cursor)?,
            3 => float_type("bf16"),
            4 => float_type("f16"),
            5 => float_type("f32"),
            6 => float_type("f64"),
            7 => other("f80"),
            8 => other("f128"),
            9 => complex(&*self.ty(cursor)?),
            10 => {
                let sizes = cursor.signed_list()?;
                let element = self.ty(cursor)?;
                let layout = self.attribute(cursor)?;
                tensor("memref", &sizes, element, layout_of(&layout, sizes.len()))
            }
            12 => DecodedType { text: "none".to_owned(), form: Form::None },
            13 => {
                let sizes = cursor.signed_list()?;
                tensor("tensor", &sizes, self.ty(cursor)?, None)
            }
            14 => {
                let encoding = self.attribute(cursor)?;
                let sizes = cursor.signed_list()?;
                tensor("tensor", &sizes, self.ty(cursor)?, Some(&encoding))
            }
            15 => tuple(&cursor.list(|cursor| self.ty(cursor))?),
            18 => other(&format!("tensor<*x{}>", self.ty(cursor)?.text)),
            19 => {
                let sizes = cursor.signed_list()?;
                tensor("vector", &sizes, self.ty(cursor)?, None)
            }
            code @ 21..=32 => float_type(NARROW[(code - 21) as usize]),
            code => return cursor.fail(format!("a type {code} of MLIR itself")),
        })
    }

    fn vhlo_type(&mut self, cursor: &mut Cursor<'a>) -> Result<DecodedType> {
        Ok(match cursor.number()? {
            0 => DecodedType { text: "i1".to_owned(), form: Form::Bool },
            1 => complex(&*self.ty(cursor)?),
            2 => float_type("bf16"),
            3 => float_type("f16"),
            4 => float_type("f32"),
            5 => float_type("f64"),
            6 => float_type("f8E4M3FN"),
            7 => float_type("f8E5M2"),
            8 => self.function(cursor)?,
            9 => DecodedType { text: "index".to_owned(), form: Form::Integer { signed: true, bits: 64 } },
            10 => integer_type("i", true, 4),
            11 => integer_type("i", true, 8),
            12 => integer_type("i", true, 16),
            13 => integer_type("i", true, 32),
            14 => integer_type("i", true, 64),
            15 => integer_type("ui", false, 4),
            16 => integer_type("ui", false, 8),
            17 => integer_type("ui", false, 16),
            18 => integer_type("ui", false, 32),
            19 => integer_type("ui", false, 64),
            20 => {
                let sizes = cursor.signed_list()?;
                tensor("tensor", &sizes, self.ty(cursor)?, None)
            }
            21 => {
                let encoding = self.attribute(cursor)?;
                let sizes = cursor.signed_list()?;
                tensor("tensor", &sizes, self.ty(cursor)?, Some(&encoding))
            }
            22 => other("!stablehlo.token"),
            23 => tuple(&cursor.list(|cursor| self.ty(cursor))?),
            24 => self.quantized(cursor, false)?,
            25 => other(&format!("tensor<*x{}>", self.ty(cursor)?.text)),
            26 => other("!shape.witness"),
            27 => float_type("f8E4M3FNUZ"),
            28 => float_type("f8E5M2FNUZ"),
            29 => float_type("f8E4M3B11FNUZ"),
            30 => self.quantized(cursor, true)?,
            31 => integer_type("i", true, 2),
            32 => integer_type("ui", false, 2),
            33 => DecodedType { text: "none".to_owned(), form: Form::None },
            34 => float_type("tf32"),
            35 => float_type("f8E4M3"),
            36 => float_type("f8E3M4"),
            37 => float_type("f4E2M1FN"),
            38 => float_type("f6E2M3FN"),
            39 => float_type("f6E3M2FN"),
            40 => float_type("f8E8M0FNU"),
            41 => {
                let sizes = cursor.signed_list()?;
                tensor("memref", &sizes, self.ty(cursor)?, None)
            }
            42 => self.future(cursor)?,
            code => return cursor.fail(format!("a type {code} of VHLO")),
        })
    }

    fn future(&mut self, cursor: &mut Cursor<'a>) -> Result<DecodedType> {
        let types = cursor.list(|cursor| self.ty(cursor))?;
        Ok(other(&format!("!stablehlo.future<{}>", texts(&types))))
    }

    fn function(&mut self, cursor: &mut Cursor<'a>) -> Result<DecodedType> {
        let parameters = cursor.list(|cursor| self.ty(cursor))?;
        let results = cursor.list(|cursor| self.ty(cursor))?;
        // A long text: the types of a function are printed one by one.
        let text = "a function".to_owned();
        Ok(DecodedType { text, form: Form::Function { parameters, results } })
    }

    /// `!quant.uniform<i8<-128:127>:f32, 0.5:3>`, or with an axis and a scale and zero point for each of its indices.
    fn quantized(&mut self, cursor: &mut Cursor<'a>, by_axis: bool) -> Result<DecodedType> {
        let signed = cursor.number()? & 1 == 1;
        let (storage, expressed) = (self.ty(cursor)?, self.ty(cursor)?);
        let Form::Integer { bits, .. } = storage.form else {
            return cursor.fail("a quantized type that is not stored as integers");
        };
        let scale = |cursor: &mut Cursor<'a>| {
            let scale = f64::from_bits(cursor.signed()?.cast_unsigned());
            Ok(shortest(scale).unwrap_or("0.0".to_owned()))
        };
        let sign = if signed { "i" } else { "u" };
        let start = |low: i64, high: i64| format!("{sign}{bits}<{low}:{high}>:{}", expressed.text);
        let text = if by_axis {
            let axis = cursor.number()?;
            let start = start(cursor.signed()?, cursor.signed()?);
            let scales = cursor.list(scale)?;
            let zeros = cursor.signed_list()?;
            let pairs: Vec<_> =
                scales.iter().zip(&zeros).map(|(scale, zero)| format!("{scale}:{zero}")).collect();
            format!("!quant.uniform<{start}:{axis}, {{{}}}>", pairs.join(", "))
        } else {
            let (scale, zero) = (scale(cursor)?, cursor.signed()?);
            format!("!quant.uniform<{}, {scale}:{zero}>", start(cursor.signed()?, cursor.signed()?))
        };
        Ok(other(&text))
    }
}

/// MLIR's floating-point types other than IEEE 754's and bf16, by their numbers from 21 on.
const NARROW: [&str; 12] = [
    "tf32",
    "f8E5M2",
    "f8E4M3",
    "f8E4M3FN",
    "f8E5M2FNUZ",
    "f8E4M3FNUZ",
    "f8E4M3B11FNUZ",
    "f8E3M4",
    "f4E2M1FN",
    "f6E2M3FN",
    "f6E3M2FN",
    "f8E8M0FNU",
];

/// Fields of structures, in the order of the bytecode.
pub(super) const CONVOLUTION: [[&str; 3]; 3] = [
    ["input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions"],
    ["kernel_input_feature_dimension", "kernel_output_feature_dimension", "kernel_spatial_dimensions"],
    ["output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions"],
];
pub(super) const DOT: [&str; 4] = [
    "lhs_batching_dimensions",
    "rhs_batching_dimensions",
    "lhs_contracting_dimensions",
    "rhs_contracting_dimensions",
];
pub(super) const GATHER: [&str; 5] = [
    "offset_dims",
    "collapsed_slice_dims",
    "operand_batching_dims",
    "start_indices_batching_dims",
    "start_index_map",
];
pub(super) const SCATTER: [&str; 5] = [
    "update_window_dims",
    "inserted_window_dims",
    "input_batching_dims",
    "scatter_indices_batching_dims",
    "scatter_dims_to_operand_dims",
];
pub(super) const VECTOR: &str = "index_vector_dim";
pub(super) const ALGORITHM: [&str; 7] = [
    "lhs_precision_type",
    "rhs_precision_type",
    "accumulation_type",
    "lhs_component_count",
    "rhs_component_count",
    "num_primitive_operations",
    "allow_imprecise_accumulation",
];

fn enumerator<'a>(cursor: &mut Cursor<'a>, kind: &'static str, words: &'static [&str]) -> Result<Value<'a>> {
    enumerator_of("stablehlo", cursor, kind, words)
}

fn enumerator_of<'a>(
    dialect: &'static str,
    cursor: &mut Cursor<'a>,
    kind: &'static str,
    words: &'static [&str],
) -> Result<Value<'a>> {
    let at = cursor.at();
    let index = cursor.index()?;
    match words.get(index) {
        Some(&word) if !word.is_empty() => Ok(Value::Word { dialect, kind, word }),
        _ => malformed(at, format!("there is no {kind} {index}")),
    }
}

/// `[1, 2]`, without types.
pub(super) fn listed<'a>(items: &[i64]) -> Rc<Value<'a>> {
    let items: Vec<_> = items.iter().map(i64::to_string).collect();
    Rc::new(Value::Text(format!("[{}]", items.join(", "))))
}

fn dimensions<'a>(
    cursor: &mut Cursor<'a>,
    kind: &'static str,
    names: &[&'static str],
    last: Option<&'static str>,
) -> Result<Value<'a>> {
    let mut fields = vec![];
    for &name in names {
        fields.push((name, listed(&cursor.signed_list()?)));
    }
    if let Some(name) = last {
        fields.push((name, Rc::new(Value::Text(cursor.signed()?.to_string()))));
    }
    Ok(Value::Struct { kind, fields })
}

fn alias<'a>(output: Vec<i64>, operand: i64, within: Vec<i64>) -> Value<'a> {
    Value::Struct {
        kind: "output_operand_alias",
        fields: vec![
            ("output_tuple_indices", listed(&output)),
            ("operand_index", Rc::new(Value::Text(operand.to_string()))),
            ("operand_tuple_indices", listed(&within)),
        ],
    }
}

fn bounds<'a>(bounds: &[i64]) -> Value<'a> {
    let bounds: Vec<_> =
        bounds.iter().map(|&bound| if bound < 0 { "?".to_owned() } else { bound.to_string() }).collect();
    Value::Text(format!("#stablehlo.bounds<{}>", bounds.join(", ")))
}

/// `(2)4`: a part of a mesh's axis.
fn sub_axis<'a>(cursor: &mut Cursor<'a>) -> Result<Value<'a>> {
    Ok(Value::Text(format!("({}){}", cursor.signed()?, cursor.signed()?)))
}

fn axis_reference<'a>(name: Rc<Value<'a>>, part: Option<Rc<Value<'a>>>) -> Value<'a> {
    let mut fields = vec![("name", name)];
    fields.extend(part.map(|part| ("sub_axis_info", part)));
    Value::Struct { kind: "axis_ref", fields }
}

fn mesh_axes<'a>(mesh: Rc<Value<'a>>, axes: Rc<Value<'a>>) -> Value<'a> {
    Value::Struct { kind: "replica_group_mesh_axes", fields: vec![("mesh", mesh), ("axes", axes)] }
}

fn mesh_axis<'a>(name: Rc<Value<'a>>, size: i64) -> Value<'a> {
    let size = Rc::new(Value::Text(size.to_string()));
    Value::Struct { kind: "mesh_axis", fields: vec![("name", name), ("size", size)] }
}

fn mesh<'a>(axes: Rc<Value<'a>>, ids: Option<Rc<Value<'a>>>) -> Value<'a> {
    let mut fields = vec![("axes", axes)];
    fields.extend(ids.map(|ids| ("device_ids", ids)));
    Value::Struct { kind: "mesh", fields }
}

/// The elements of `array<…>`.
fn integers<'a>(ty: &DecodedType, count: usize, blob: &[u8], cursor: &Cursor<'a>) -> Result<Value<'a>> {
    let (element, bytes) = match ty.form {
        Form::Bool | Form::Integer { bits: 1, .. } => ("i1", 1),
        Form::Integer { signed: true, bits: 8 } => ("i8", 1),
        Form::Integer { signed: true, bits: 16 } => ("i16", 2),
        Form::Integer { signed: true, bits: 32 } => ("i32", 4),
        Form::Integer { signed: true, bits: 64 } => ("i64", 8),
        // No operation has an array of floating-point numbers.
        Form::Float { .. } => return Ok(Value::Unit),
        _ => return cursor.fail(format!("an array of {}", ty.text)),
    };
    if Some(blob.len()) != count.checked_mul(bytes) {
        return cursor.fail(format!("an array of {count} elements in {} bytes", blob.len()));
    }
    let item = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let shift = 64 - 8 * bytes.len();
        i64::from_le_bytes(word) << shift >> shift
    };
    Ok(Value::Integers { element, items: blob.chunks_exact(bytes).map(item).collect() })
}

/// The name of a factor in a sharding rule: i, j, …, z, then z_1, z_2, ….
fn factor(index: i64) -> String {
    const LETTERS: &[u8] = b"ijklmnopqrstuvwxyz";
    let last = LETTERS.len() as i64 - 1;
    match usize::try_from(index).ok().and_then(|index| LETTERS.get(index)) {
        Some(&letter) => char::from(letter).to_string(),
        None => format!("z_{}", i128::from(index) - i128::from(last)),
    }
}

fn other(text: &str) -> DecodedType {
    DecodedType { text: text.to_owned(), form: Form::Other }
}

fn integer_type(prefix: &str, signed: bool, bits: u32) -> DecodedType {
    let form = match (prefix, bits) {
        ("i", 1) => Form::Bool,
        _ => Form::Integer { signed, bits },
    };
    DecodedType { text: format!("{prefix}{bits}"), form }
}

/// The number of bits of a floating-point type, by its name.
fn float_bits(name: &str) -> Option<u32> {
    Some(match name {
        "f64" => 64,
        "f32" => 32,
        "tf32" => 19,
        "f16" | "bf16" => 16,
        "f4E2M1FN" => 4,
        "f6E2M3FN" | "f6E3M2FN" => 6,
        _ if name.starts_with("f8E") => 8,
        _ => return None,
    })
}

fn float_type(name: &str) -> DecodedType {
    DecodedType { text: name.to_owned(), form: Form::Float { bits: float_bits(name).unwrap_or(8) } }
}

fn complex(part: &DecodedType) -> DecodedType {
    other(&format!("complex<{}>", part.text))
}

fn texts(types: &[Rc<DecodedType>]) -> String {
    let mut text = String::new();
    for (index, ty) in types.iter().enumerate() {
        // A longer type is refused.
        if text.len() > LONGEST_TYPE {
            break;
        }
        text.push_str(if index > 0 { ", " } else { "" });
        text.push_str(&ty.text);
    }
    text
}

fn tuple(types: &[Rc<DecodedType>]) -> DecodedType {
    other(&format!("tuple<{}>", texts(types)))
}

/// A layout of a `memref`. `None` for the identity, which MLIR does not print.
fn layout_of<'v, 'a>(layout: &'v Value<'a>, rank: usize) -> Option<&'v Value<'a>> {
    let names: Vec<_> = (0..rank).map(|at| format!("d{at}")).collect();
    let names = names.join(", ");
    let identity = format!("affine_map<({names}) -> ({names})>");
    (!matches!(layout, Value::Text(text) if *text == identity)).then_some(layout)
}

fn tensor(of: &str, sizes: &[i64], element: Rc<DecodedType>, encoding: Option<&Value>) -> DecodedType {
    let shape: Vec<_> = sizes.iter().map(|&size| u64::try_from(size).ok()).collect();
    let mut text = format!("{of}<");
    for size in &shape {
        match size {
            Some(size) => text.push_str(&format!("{size}x")),
            None => text.push_str("?x"),
        }
    }
    text.push_str(&element.text);
    if let Some(Value::Text(encoding)) = encoding {
        text.push_str(", ");
        text.push_str(encoding);
    }
    text.push('>');
    DecodedType { text, form: Form::Tensor { shape, element } }
}

/// A number of `bits` bits in hexadecimal digits.
pub(super) fn hex(bits: u32) -> usize {
    bits.div_ceil(4) as usize
}

/// The shortest decimal number that rounds to a code's exact binary64 value.
pub(super) fn decimal(ty: &str, code: u64) -> Option<String> {
    shortest(match ty {
        "f64" => f64::from_bits(code),
        "f32" => f64::from(f32::from_bits(code as u32)),
        "bf16" => f64::from(f32::from_bits((code as u32) << 16)),
        _ => return None,
    })
}

/// The decimal number with a point, as in MLIR's text. `None` if it is not finite.
pub(super) fn shortest(value: f64) -> Option<String> {
    if !value.is_finite() {
        return None;
    }
    let text = format!("{value:?}");
    Some(match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    })
}

/// A word unchanged, anything else as a string.
pub(super) fn word(name: &[u8]) -> String {
    let start = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
    let plain = name.first().is_some_and(start)
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.$".contains(byte));
    if plain { String::from_utf8_lossy(name).into_owned() } else { quoted(name) }
}

/// Text in quotes. Bytes that are not plain characters become two hexadecimal digits.
pub(super) fn quoted(string: &[u8]) -> String {
    let mut text = String::with_capacity(string.len() + 2);
    text.push('"');
    for &byte in string {
        match byte {
            b'"' | b'\\' | 0..0x20 | 0x7f.. => {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\{byte:02X}");
            }
            _ => text.push(char::from(byte)),
        }
    }
    text.push('"');
    text
}
