//! The operators of a comparison, from texts that may leave out the formats of inputs.

use std::ops::ControlFlow;

use binade::text::nearest;
use binade::unit::{UNITS, UNKNOWN, Unit, UnitError, UnitOperator};
use binade::{Operator, OperatorError, Spec};
use binade_fma::{InBlocks, InBlocksError, in_blocks};
use thiserror::Error;

/// The format that is preferred if several units share more than one.
const PREFERRED: &str = "bf16";

/// A list of units that cannot be compared.
#[derive(Clone, Debug, Error)]
pub enum UnitsError {
    /// A list without names.
    #[error(
        "no unit is named: write units or operators, as in h100,a100:tf32,bf16:f32; `binade units` lists the units"
    )]
    Empty,
    /// A unit or an operator.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// An operator on blocks.
    #[error(transparent)]
    Blocks(#[from] InBlocksError),
    /// A text without a colon that is no unit's name, nor near to one.
    #[error(
        "'{0}' is not a matrix unit: write UNIT or UNIT:FORMAT, as in h100:bf16, or an operator INPUTS:ACCUMULATOR; `binade units` \
         lists the units"
    )]
    NoUnit(String),
    /// Units without a format that all of them take.
    #[error("no input format is common to the units ({}): write UNIT:FORMAT for each", .0.join("; "))]
    NoCommonFormat(Vec<String>),
    /// An input format that no unit of the list uses.
    #[error(
        "the input format {0} has no use: every unit names its own; leave a format out, as in h100 for h100:bf16"
    )]
    UnusedInput(String),
}

impl From<UnitError> for UnitsError {
    fn from(error: UnitError) -> UnitsError {
        OperatorError::from(Box::new(error)).into()
    }
}

/// An operator of the comparison: on numbers, or on the elements of blocks.
#[derive(Clone, Debug)]
pub(crate) struct NamedOperator {
    /// The text, completed by its input format.
    pub(crate) name: String,
    pub(crate) blocks: Option<InBlocks>,
    pub(crate) operator: Operator,
}

impl NamedOperator {
    fn parse(name: String) -> Result<NamedOperator, UnitsError> {
        Ok(match in_blocks(&name)? {
            Some((blocks, operator)) => NamedOperator { name, blocks: Some(blocks), operator },
            None => NamedOperator { operator: name.parse()?, name, blocks: None },
        })
    }
}

/// The operators of a comparison.
#[derive(Clone, Debug)]
pub struct Operators {
    pub(crate) all: Vec<NamedOperator>,
    pub(crate) chosen: Option<ChosenInput>,
}

/// The input format of the units that name none, if it was not given.
#[derive(Clone, Debug)]
pub(crate) struct ChosenInput {
    pub(crate) format: String,
    /// Other formats that all of these units take.
    pub(crate) others: Vec<String>,
}

/// Splits a list at its commas, except those in the options of a format and in the parentheses of a described unit.
pub fn split_list(list: &str) -> Vec<&str> {
    let mut texts = vec![];
    let (mut start, mut depth) = (0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth <= 0 => {
                let head = list[at + 1..].split([',', ':', '/']).next().unwrap_or("");
                let continues = head.contains('=') && !head.contains('@') && list[start..at].contains('@');
                if !continues {
                    texts.push(list[start..at].trim());
                    start = at + 1;
                }
            }
            _ => {}
        }
    }
    texts.push(list[start..].trim());
    texts
}

impl Operators {
    /// Parses `UNIT`, `UNIT:FORMAT[/OPTION…]` and `INPUTS:ACCUMULATOR`.
    ///
    /// A unit without a format takes `input`. If that is `None`, it takes a format that all such units have: the one that both
    /// operands are in (`held`), else bf16, else the first of the catalogue.
    ///
    /// # Errors
    /// See [`UnitsError`].
    pub fn parse(texts: &[&str], input: Option<&str>, held: [&str; 2]) -> Result<Operators, UnitsError> {
        if texts.iter().all(|text| text.trim().is_empty()) {
            return Err(UnitsError::Empty);
        }
        let texts: Vec<String> = texts.iter().map(|text| text.trim().to_ascii_lowercase()).collect();
        let bare: Vec<&str> =
            texts.iter().filter(|text| UnitOperator::parts(text).is_none()).map(String::as_str).collect();
        bare.iter().try_for_each(|text| check_name(text))?;
        let (input, chosen) = match input {
            Some(input) if bare.is_empty() => return Err(UnitsError::UnusedInput(input.to_owned())),
            Some(input) => (input.trim().to_owned(), None),
            None if bare.is_empty() => (String::new(), None),
            None => {
                let chosen = common_input(&bare, held)?;
                (chosen.format.clone(), Some(chosen))
            }
        };
        let complete = |text: &String| match UnitOperator::parts(text) {
            Some(_) => text.clone(),
            None => with_input(text, &input),
        };
        let all = texts.iter().map(|text| NamedOperator::parse(complete(text))).collect::<Result<_, _>>()?;
        Ok(Operators { all, chosen })
    }

    /// Names of the operators.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|operator| operator.name.as_str())
    }
}

/// A unit's text with the format before its options.
fn with_input(text: &str, format: &str) -> String {
    match text.split_once('/') {
        Some((unit, options)) => format!("{}:{format}/{options}", unit.trim_end()),
        None => format!("{text}:{format}"),
    }
}

/// Refuses a text without a format whose unit is unknown.
fn check_name(text: &str) -> Result<(), UnitsError> {
    let name = text.split('/').next().unwrap_or("").trim();
    if name.starts_with("unit(") || Unit::named(name).is_some() {
        return Ok(());
    }
    let (operator, name) = (text.to_owned(), name.to_owned());
    if UNKNOWN.contains(&&*name) {
        return Err(UnitError::NotKnown { operator, name }.into());
    }
    let names = UNITS.iter().flat_map(|unit| [&unit.name].into_iter().chain(unit.aliases)).copied();
    Err(match nearest(&name, names) {
        Some(near) => UnitError::Unknown { operator, name, near }.into(),
        None => UnitsError::NoUnit(operator),
    })
}

/// A format that all units take.
fn common_input(bare: &[&str], held: [&str; 2]) -> Result<ChosenInput, UnitsError> {
    let mut formats: Vec<&str> = vec![];
    for format in UNITS.iter().flat_map(|unit| unit.modes).flat_map(|mode| mode.inputs) {
        if !formats.contains(format) {
            formats.push(format);
        }
    }
    let taken_by = |text: &str| -> Vec<&str> {
        let takes = |format: &&&str| with_input(text, format).parse::<Operator>().is_ok();
        formats.iter().filter(takes).copied().collect()
    };
    let found = bare.iter().try_fold(formats.clone(), |common, text| {
        let taken = taken_by(text);
        if taken.is_empty() {
            // An option is wrong, whatever the format.
            return ControlFlow::Break(with_input(text, PREFERRED).parse::<Operator>().err());
        }
        ControlFlow::Continue(common.into_iter().filter(|format| taken.contains(format)).collect::<Vec<_>>())
    });
    let common = match found {
        ControlFlow::Continue(common) => common,
        ControlFlow::Break(error) => return Err(error.map_or(UnitsError::Empty, UnitsError::from)),
    };
    let held: Vec<Option<Spec>> = held.iter().map(|name| name.parse().ok()).collect();
    let of_both = held[0].as_ref().filter(|spec| Some(*spec) == held[1].as_ref()).map(Spec::name);
    let format = of_both.filter(|name| common.contains(name)).or_else(|| {
        let preferred = common.iter().find(|format| **format == PREFERRED);
        preferred.or(common.first()).copied()
    });
    match format {
        Some(format) => {
            let others = common.iter().filter(|other| **other != format).map(ToString::to_string).collect();
            Ok(ChosenInput { format: format.to_owned(), others })
        }
        None => {
            let has = |text: &&str| format!("{text} has {}", taken_by(text).join(", "));
            Err(UnitsError::NoCommonFormat(bare.iter().map(has).collect()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str, input: Option<&str>, held: [&str; 2]) -> Result<Vec<String>, String> {
        let operators =
            Operators::parse(&split_list(list), input, held).map_err(|error| error.to_string())?;
        Ok(operators.names().map(str::to_owned).collect())
    }

    #[test]
    fn lists_are_split_outside_options_and_parentheses() {
        assert_eq!(
            split_list(
                "h100:bf16/promote=8, unit(products=4,bits=8):f16,custom@width=6,precision=3:f32,mi300x/split=2"
            ),
            [
                "h100:bf16/promote=8",
                "unit(products=4,bits=8):f16",
                "custom@width=6,precision=3:f32",
                "mi300x/split=2"
            ]
        );
        assert_eq!(split_list("cfloat8_1_4_3@bias=7:f32,h100:bf16/promote=8").len(), 2);
    }

    #[test]
    fn units_without_a_format_take_one_that_all_have() {
        let f32s = ["f32"; 2];
        assert_eq!(names("h100,MI300X/split=2", None, f32s).unwrap(), ["h100:bf16", "mi300x:bf16/split=2"]);
        assert_eq!(names("h100,a100", None, ["f16"; 2]).unwrap(), ["h100:f16", "a100:f16"]);
        assert_eq!(names("h100,a100", None, ["f16", "f32"]).unwrap(), ["h100:bf16", "a100:bf16"]);
        assert_eq!(names("h100,v100", None, f32s).unwrap(), ["h100:f16", "v100:f16"]);
        assert_eq!(names("h100/result=f16", None, f32s).unwrap(), ["h100:f16/result=f16"]);
        assert_eq!(names("h100,a100", Some("tf32"), f32s).unwrap(), ["h100:tf32", "a100:tf32"]);
        assert_eq!(
            names("unit(products=4,bits=8),bf16:f32", None, f32s).unwrap(),
            ["unit(products=4,bits=8):bf16", "bf16:f32"]
        );
        let chosen = Operators::parse(&["h100", "a100"], None, f32s).unwrap().chosen.unwrap();
        assert_eq!((&*chosen.format, chosen.others), ("bf16", vec!["f16".to_owned(), "tf32".to_owned()]));
    }

    #[test]
    fn wrong_units_are_refused_with_what_would_be_right() {
        for (list, input, part) in [
            ("v100:bf16", None, "v100 has no instruction for bf16 with f32 results: it has f16"),
            ("v100", Some("bf16"), "v100 has no instruction for bf16 with f32 results: it has f16"),
            ("h101,a100", None, "'h101': unknown matrix unit 'h101': did you mean h100?"),
            ("h100,tpu", None, "the arithmetic of tpu is not known to the bit"),
            ("h100,tpu:bf16", None, "the arithmetic of tpu is not known to the bit"),
            ("h100,bf16", None, "'bf16' is not a matrix unit: write UNIT or UNIT:FORMAT"),
            ("h100,,a100", None, "'' is not a matrix unit"),
            ("v100,amx", None, "no input format is common to the units (v100 has f16; amx has bf16)"),
            ("h100/foo=1", None, "'/foo=1' is not understood"),
            ("h100:bf16", Some("f16"), "the input format f16 has no use"),
            ("h100", Some("bf17"), "unknown format 'bf17'"),
            ("h100:mxfp5", None, "unknown format 'mxfp5'"),
            (" ", None, "no unit is named"),
        ] {
            let error = names(list, input, ["f32"; 2]).unwrap_err();
            assert!(error.contains(part), "{list}: {error}");
        }
    }
}
