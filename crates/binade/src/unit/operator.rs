//! Matrix units as operators of products of binary32 matrices.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use thiserror::Error;

use super::{Codes, Known, Mode, Result as UnitResult, Step, UNITS, UNKNOWN, Unit};
use crate::catalog::F32;
use crate::codec::decode;
use crate::exact::Value;
use crate::format::Format;
use crate::round::{Projection, Rounding, Saturation, project};
use crate::spec::{Spec, SpecError};
use crate::text::nearest;

/// A matrix unit as an operator of products of binary32 matrices.
///
/// Grammar: `UNIT:FORMAT[*FORMAT][/OPTION…]`. `UNIT` is a name of the catalogue, or a step that a designer describes:
/// `unit(products=16,bits=25,result=f32,rounding=toward_zero,accumulator=aligned)`.
///
/// | option | meaning |
/// |---|---|
/// | `result=f16` | accumulators and results are binary16, where the unit has that mode |
/// | `promote=N` | the unit adds N products from +0; their sum is added to a binary32 accumulator, to nearest even |
/// | `split=K` | the depth is cut into K ranges, of whole steps but for the last. The sum of each from +0 is added to C in order, in binary32 to nearest even |
/// | `saturate` | inputs beyond the format's largest number become that number |
///
/// Inputs are rounded to nearest even, except that `tf32` is cut toward zero, as the chips do it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct UnitOperator {
    /// The catalogue's name, or the text of a described unit.
    name: String,
    mode: Mode,
    inputs: [Spec; 2],
    saturation: Saturation,
    promote: Option<usize>,
    split: usize,
}

/// The reason why a unit was not understood as an operator.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum UnitError {
    /// No unit of this name.
    #[error("'{operator}': unknown matrix unit '{name}': did you mean {near}? `binade units` lists them")]
    Unknown {
        /// The operator.
        operator: String,
        /// The unit's name as written.
        name: String,
        /// The nearest name.
        near: &'static str,
    },
    /// A unit of which nothing is published to the bit.
    #[error(
        "'{operator}': the arithmetic of {name} is not known to the bit; `binade units` lists the units that are"
    )]
    NotKnown {
        /// The operator.
        operator: String,
        /// The unit's name.
        name: String,
    },
    /// An input format that is not one.
    #[error("'{operator}': its inputs: {source}")]
    Format {
        /// The operator.
        operator: String,
        /// The error of the format.
        source: SpecError,
    },
    /// An input format, or a pair of them, for which the chip has no instruction.
    #[error("'{operator}': {unit} has no instruction for {format} with {result} results: it has {known}")]
    Mode {
        /// The operator.
        operator: String,
        /// The unit's name.
        unit: String,
        /// The formats asked for.
        format: String,
        /// The result asked for.
        result: String,
        /// The formats that the unit takes.
        known: String,
    },
    /// An option that units do not have, or a wrong value of one.
    #[error(
        "'{operator}': '/{option}' is not understood: a unit takes /promote=N, /split=K, /result=f32, /result=f16 and /saturate, \
         N and K being at least 1"
    )]
    Option {
        /// The operator.
        operator: String,
        /// The text after the `/`.
        option: String,
    },
    /// A rounding mode, which is a unit's own.
    #[error(
        "'{operator}' takes no /{option}: a unit rounds as the chip does; describe one that rounds otherwise as unit(…,rounding=…), or \
         write a pair of formats, as in bf16:bf16/rounding=stochastic"
    )]
    Rounding {
        /// The operator.
        operator: String,
        /// The text after the `/`.
        option: String,
    },
    /// A described unit with a missing or wrong parameter.
    #[error("'{operator}': '{parameter}' is not understood: {expected}")]
    Parameter {
        /// The operator.
        operator: String,
        /// The parameter as written.
        parameter: String,
        /// The values that are right.
        expected: &'static str,
    },
}

/// Short names of formats that units accept beside the catalogue's.
const SHORT_NAMES: [(&str, &str); 7] = [
    ("e4m3", "float8_e4m3fn"),
    ("e5m2", "float8_e5m2"),
    ("e4m3fnuz", "float8_e4m3fnuz"),
    ("e5m2fnuz", "float8_e5m2fnuz"),
    ("e2m1", "float4_e2m1fn"),
    ("e2m3", "float6_e2m3fn"),
    ("e3m2", "float6_e3m2fn"),
];

/// The start of a described unit.
const DESCRIBED: &str = "unit(";

/// The largest number of products that a described unit adds in a step.
const MOST_PRODUCTS: usize = 4096;

/// The largest number of fraction bits that a described unit keeps.
const MOST_BITS: i64 = 56;

impl UnitOperator {
    /// True if the text before the formats names a unit or describes one, rightly or wrongly.
    pub fn is_named_by(text: &str) -> bool {
        is_described(text) || UnitOperator::parts(text).is_some_and(|(name, ..)| is_unit(name))
    }

    /// The parts of a text `UNIT:FORMATS[/OPTIONS]`, whatever they say: the unit, the formats and the options.
    pub fn parts(text: &str) -> Option<(&str, &str, Option<&str>)> {
        // The parameters of a described unit may have a colon by mistake; the formats follow the parenthesis.
        let end = if is_described(text) { text.find(')').unwrap_or(text.len()) } else { 0 };
        let colon = end + text[end..].find(':')?;
        let (unit, rest) = (&text[..colon], &text[colon + 1..]);
        Some(match rest.split_once('/') {
            Some((formats, options)) => (unit.trim(), formats.trim(), Some(options)),
            None => (unit.trim(), rest.trim(), None),
        })
    }

    /// The operator that a text names, if its form is that of a unit.
    pub(crate) fn parse(text: &str) -> Result<Option<UnitOperator>, UnitError> {
        let operator = || text.to_owned();
        let lower = text.trim().to_ascii_lowercase();
        let described = is_described(&lower);
        let Some((name, formats, options)) = UnitOperator::parts(&lower) else {
            return match described {
                true => Err(UnitError::Parameter {
                    operator: operator(),
                    parameter: lower,
                    expected: "a described unit is written unit(products=N,bits=F,…):FORMAT",
                }),
                false => Ok(None),
            };
        };
        if !described && !is_unit(name) {
            return match misspelt(name) {
                Some(near) => Err(UnitError::Unknown { operator: operator(), name: name.to_owned(), near }),
                None => Ok(None),
            };
        }
        if UNKNOWN.contains(&name) {
            return Err(UnitError::NotKnown { operator: operator(), name: name.to_owned() });
        }
        let (left, right) = formats.split_once('*').unwrap_or((formats, formats));
        let inputs = [format_named(text, left)?, format_named(text, right)?];
        let (mut promote, mut split, mut result, mut saturation) = (None, None, None, None);
        for piece in options.into_iter().flat_map(|options| options.split('/')).map(str::trim) {
            let wrong = || UnitError::Option { operator: operator(), option: piece.to_owned() };
            let count = |value: &str| value.parse::<usize>().ok().filter(|&n| n > 0).ok_or_else(wrong);
            match piece.split_once('=').map_or((piece, ""), |(key, value)| (key.trim(), value.trim())) {
                ("promote", value) if promote.is_none() => promote = Some(count(value)?),
                ("split", value) if split.is_none() => split = Some(count(value)?),
                ("result", value @ ("f32" | "f16")) if result.is_none() => result = Some(value.to_owned()),
                ("rounding" | "random-bits", _) => {
                    return Err(UnitError::Rounding { operator: operator(), option: piece.to_owned() });
                }
                ("saturate", "") if saturation.is_none() => saturation = Some(Saturation::Finite),
                _ => return Err(wrong()),
            }
        }
        let (name, mode) = if described {
            let (name, mode) = describe(text, name)?;
            if result.is_some() {
                let option = "result of a described unit, which is one of its parameters".to_owned();
                return Err(UnitError::Option { operator: operator(), option });
            }
            (name, mode)
        } else {
            // `is_unit` found it.
            let Some(unit) = Unit::named(name) else { return Ok(None) };
            let result = result.as_deref().unwrap_or("f32");
            let takes = |mode: &&Mode, spec: &Spec| mode.inputs.contains(&spec.name());
            let mode = unit
                .modes
                .iter()
                .find(|mode| mode.result.format == result && inputs.iter().all(|spec| takes(mode, spec)));
            let Some(mode) = mode else {
                let of_result = |mode: &&Mode| mode.result.format == result;
                let known: Vec<&str> =
                    unit.modes.iter().filter(of_result).flat_map(|mode| mode.inputs).copied().collect();
                let formats = if inputs[0] == inputs[1] { &inputs[..1] } else { &inputs[..] };
                let formats: Vec<&str> = formats.iter().map(Spec::name).collect();
                return Err(UnitError::Mode {
                    operator: operator(),
                    unit: unit.name.to_owned(),
                    format: formats.join(" times "),
                    result: result.to_owned(),
                    known: if known.is_empty() {
                        "no mode of that result".to_owned()
                    } else {
                        known.join(", ")
                    },
                });
            };
            (unit.name.to_owned(), *mode)
        };
        let saturation = saturation.unwrap_or_default();
        Ok(Some(UnitOperator { name, mode, inputs, saturation, promote, split: split.unwrap_or(1) }))
    }

    /// The unit's arithmetic.
    pub fn mode(&self) -> &Mode {
        &self.mode
    }

    /// The unit of the catalogue; `None` for a described one.
    pub fn unit(&self) -> Option<&'static Unit> {
        Unit::named(&self.name)
    }

    /// The formats of both operands.
    pub fn inputs(&self) -> [Format; 2] {
        [self.inputs[0].format, self.inputs[1].format]
    }

    /// Products that are added before their sum is moved into a binary32 accumulator.
    pub fn promote(&self) -> Option<usize> {
        self.promote
    }

    /// The number of ranges that the depth is cut into.
    pub fn split(&self) -> usize {
        self.split
    }

    /// The rounding of binary32 numbers to an operand's format.
    pub fn reading(&self, operand: usize) -> Projection {
        let cut = self.inputs[operand].name() == "tf32";
        Projection::new(if cut { Rounding::TowardZero } else { Rounding::NearestEven }, self.saturation)
    }

    /// The ranges of a depth that `split` makes: equal numbers of whole steps, but for the last ones.
    pub fn ranges(&self, depth: usize) -> impl Iterator<Item = Range<usize>> {
        let steps = depth.div_ceil(self.mode.products).div_ceil(self.split).max(1);
        let length = steps * self.mode.products;
        (0..depth).step_by(length).map(move |start| start..depth.min(start + length))
    }

    /// c + Σ a·b of binary32 numbers, over the shorter of the two slices. An empty sum is c, and a NaN has the unit's code.
    pub fn dot(&self, a: &[f32], b: &[f32], c: f32) -> f32 {
        let code = |operand: usize, x: f32| {
            let value = decode(F32, x.to_bits().into());
            project(self.inputs[operand].format, value, self.reading(operand)).code
        };
        let depth = a.len().min(b.len());
        if depth == 0 {
            return c;
        }
        let codes = |operand: usize, xs: &[f32]| -> Vec<u64> {
            xs[..depth].iter().map(|&x| code(operand, x)).collect()
        };
        let (a, b) = (codes(0, a), codes(1, b));
        let whole = |range: Range<usize>, c: f32| self.of_codes([&a[range.clone()], &b[range]], c);
        let moved = |range: Range<usize>, c: f32| match self.promote {
            None => whole(range, c),
            Some(length) => range.clone().step_by(length).fold(c, |c, start| {
                self.added(c, whole(start..range.end.min(start.saturating_add(length)), 0.0))
            }),
        };
        match self.split {
            1 => moved(0..depth, c),
            _ => self.ranges(depth).fold(c, |c, range| self.added(c, moved(range, 0.0))),
        }
    }

    /// One step with one product, of numbers that both formats and binary32 have.
    pub(crate) fn multiply_add(&self, a: Value, b: Value, c: Value) -> Value {
        let [of_a, of_b] = self.inputs();
        let code = |format: Format, x: Value| project(format, x, Projection::default()).code;
        let c = f32::from_bits(code(F32, c) as u32);
        let sum = self.of_codes([&[code(of_a, a)], &[code(of_b, b)]], c);
        decode(F32, sum.to_bits().into())
    }

    /// c + Σ a·b of codes, without `promote` and `split`.
    fn of_codes(&self, [a, b]: [&[u64]; 2], c: f32) -> f32 {
        let format = self.mode.accumulator();
        let c = project(format, decode(F32, c.to_bits().into()), Projection::default()).code;
        let [of_a, of_b] = self.inputs();
        let sum = self.mode.dot(Codes { format: of_a, codes: a }, Codes { format: of_b, codes: b }, c);
        match decode(format, sum) {
            Value::Nan { .. } => self.nan(),
            value => f32::from_bits(project(F32, value, Projection::default()).code as u32),
        }
    }

    /// The sum of two binary32 numbers, to nearest even.
    fn added(&self, x: f32, y: f32) -> f32 {
        let [x, y] = [x, y].map(|x| decode(F32, x.to_bits().into()));
        match x.plus(y, false) {
            Value::Nan { .. } => self.nan(),
            sum => f32::from_bits(project(F32, sum, Projection::default()).code as u32),
        }
    }

    /// The binary32 NaN of results.
    pub fn nan(&self) -> f32 {
        f32::from_bits(if self.mode.result.format == "f32" { self.mode.nan as u32 } else { 0x7fff_ffff })
    }
}

impl fmt::Display for UnitOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.inputs[0])?;
        if self.inputs[1] != self.inputs[0] {
            write!(f, "*{}", self.inputs[1])?;
        }
        if self.mode.result.format != "f32" && !self.name.starts_with(DESCRIBED) {
            write!(f, "/result={}", self.mode.result.format)?;
        }
        if let Some(products) = self.promote {
            write!(f, "/promote={products}")?;
        }
        if self.split > 1 {
            write!(f, "/split={}", self.split)?;
        }
        f.write_str(if self.saturation == Saturation::Finite { "/saturate" } else { "" })
    }
}

/// True if a text begins as a described unit.
fn is_described(text: &str) -> bool {
    let start = text.trim_start().get(..DESCRIBED.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(DESCRIBED))
}

fn is_unit(name: &str) -> bool {
    Unit::named(name).is_some() || UNKNOWN.iter().any(|unknown| unknown.eq_ignore_ascii_case(name))
}

/// The unit that a name is near to, unless it is a format's or is as near to one.
fn misspelt(name: &str) -> Option<&'static str> {
    // A format's name, or one with parts (`bf16x2`) or options (`@bias=3`).
    let unknown = matches!(name.parse::<Spec>(), Err(SpecError::Unknown { .. }));
    let is_plain = name.len() > 2 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !unknown || !is_plain || name.rsplit_once('x').is_some_and(|(name, _)| name.parse::<Spec>().is_ok()) {
        return None;
    }
    let names = UNITS.iter().flat_map(|unit| core::iter::once(&unit.name).chain(unit.aliases)).copied();
    let near = nearest(name, names)?;
    // Numbers of formats differ by a letter or two from those of chips.
    let starts_alike = near.as_bytes().first() == name.as_bytes().first();
    starts_alike.then_some(near)
}

/// The format of an operand.
fn format_named(operator: &str, name: &str) -> Result<Spec, UnitError> {
    let name = name.trim();
    let long = SHORT_NAMES.iter().find(|(short, _)| *short == name).map_or(name, |(_, long)| long);
    long.parse().map_err(|source| UnitError::Format { operator: operator.to_owned(), source })
}

/// The canonical text and the arithmetic of a described unit.
fn describe(operator: &str, text: &str) -> Result<(String, Mode), UnitError> {
    let inner = text.strip_prefix(DESCRIBED).and_then(|rest| rest.strip_suffix(')')).unwrap_or("");
    let (mut products, mut bits, mut sum_bits, mut least) = (None, None, None, None);
    let (mut result, mut result_bits, mut rounding) = ("f32", None, Rounding::TowardZero);
    let (mut late, mut flush) = (false, false);
    for parameter in inner.split(',').map(str::trim).filter(|parameter| !parameter.is_empty()) {
        let wrong = |expected| UnitError::Parameter {
            operator: operator.to_owned(),
            parameter: parameter.to_owned(),
            expected,
        };
        let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let (key, value) = (key.trim(), value.trim());
        let within = |least: i64, most: i64, expected: &'static str| {
            value.parse::<i64>().ok().filter(|n| (least..=most).contains(n)).ok_or_else(|| wrong(expected))
        };
        match key {
            "products" => {
                products = Some(within(1, MOST_PRODUCTS as i64, "products=N is from 1 to 4096")? as usize)
            }
            "bits" => bits = Some(within(1, MOST_BITS, "bits=F is from 1 to 56")?),
            "sum_bits" => sum_bits = Some(within(1, MOST_BITS, "sum_bits=F is from 1 to 56")?),
            "least_exponent" => least = Some(within(-1024, 127, "least_exponent=E is from -1024 to 127")?),
            "result" => match value {
                "f32" => result = "f32",
                "f16" => result = "f16",
                _ => return Err(wrong("result is f32 or f16")),
            },
            "result_bits" => result_bits = Some(within(2, 24, "result_bits=P is from 2 to 24")? as u32),
            "rounding" => match value {
                "toward_zero" => rounding = Rounding::TowardZero,
                "nearest_even" => rounding = Rounding::NearestEven,
                _ => return Err(wrong("rounding is toward_zero or nearest_even")),
            },
            "accumulator" => match value {
                "aligned" => late = false,
                "late" => late = true,
                _ => return Err(wrong("accumulator is aligned or late")),
            },
            "subnormals" => match value {
                "kept" => flush = false,
                "flushed" => flush = true,
                _ => return Err(wrong("subnormals is kept or flushed")),
            },
            _ => {
                return Err(wrong(
                    "the parameters are products, bits, sum_bits, least_exponent, result, result_bits, rounding, accumulator \
                     and subnormals",
                ));
            }
        }
    }
    let missing = |expected| UnitError::Parameter {
        operator: operator.to_owned(),
        parameter: text.to_owned(),
        expected,
    };
    let products = products.ok_or_else(|| missing("products=N, the products of a step, must be given"))?;
    let bits = bits.ok_or_else(|| missing("bits=F, the fraction bits that terms keep, must be given"))?;
    let most = if result == "f16" { 11 } else { 24 };
    let precision = result_bits.unwrap_or(most);
    if precision > most {
        return Err(missing("result_bits must be at most 11 for f16 and 24 for f32"));
    }
    let step = if late {
        let sum_bits = sum_bits.unwrap_or(bits.saturating_add(7).min(MOST_BITS));
        if sum_bits < bits {
            return Err(missing("sum_bits must be at least bits"));
        }
        if least.is_some() {
            return Err(missing("least_exponent goes with accumulator=aligned"));
        }
        Step::Late { fraction_bits: bits, sum_bits, halves: false }
    } else {
        if sum_bits.is_some() {
            return Err(missing("sum_bits goes with accumulator=late"));
        }
        Step::Aligned { fraction_bits: bits, least_exponent: least.unwrap_or(-1024) }
    };
    let mode = Mode {
        inputs: &[],
        products,
        step,
        result: UnitResult { format: result, precision, rounding },
        flush,
        nan: if result == "f16" { 0x7fff } else { 0x7fff_ffff },
        known: Known::Specified("its description"),
    };
    let mut name = format!("unit(products={products},bits={bits}");
    match step {
        Step::Late { sum_bits, .. } => name += &format!(",accumulator=late,sum_bits={sum_bits}"),
        _ => {
            if let Some(least) = least {
                name += &format!(",least_exponent={least}");
            }
        }
    }
    for (is_set, parameter) in [
        (result != "f32", format!("result={result}")),
        (precision != most, format!("result_bits={precision}")),
        (rounding != Rounding::TowardZero, "rounding=nearest_even".to_string()),
        (flush, "subnormals=flushed".to_string()),
    ] {
        if is_set {
            name += &format!(",{parameter}");
        }
    }
    name.push(')');
    Ok((name, mode))
}
