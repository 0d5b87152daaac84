//! Names of 4.0: resolves the words of a statement to operations, modes and formats, and expands patterns of names.

use binade::ops::Query;
use binade::ops::block::is_block_operation;
use binade::text::edit_distance;
use binade::{AnswerKind, Edition, Operation, Spec};

use crate::modes::{Mode, RANDOM_BITS, rounding_names, saturation_names};

/// An operation that a specialisation may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NamedOperation {
    Operation(Operation),
    Query(Query),
    /// An operation of §5, whose number of formats differs.
    Block,
}

/// Operations of §5 that are not made from one of chapter 4.
const OF_BLOCKS: [&str; 6] = [
    "ConvertFromBlock",
    "ConvertToBlock",
    "ConvertToBlockMaxAbsFinite",
    "BlockReduceAdd",
    "BlockReduceMultiply",
    "BlockDotProduct",
];

/// Classes of values (§4.13.1).
const CLASSES: [&str; 8] = [
    "ClsNaN",
    "ClsZero",
    "ClsNegativeInfinity",
    "ClsNegativeNormal",
    "ClsNegativeSubnormal",
    "ClsPositiveInfinity",
    "ClsPositiveNormal",
    "ClsPositiveSubnormal",
];

/// Names of earlier reports, and their names in 4.0.
const RENAMED: [(&str, &str); 10] = [
    ("OvfInf", "SatNone"),
    ("SatOvf", "SatNone"),
    ("SatMax", "SatFinite"),
    ("ToZero", "TowardZero"),
    ("Rsqrt", "RSqrt"),
    ("IsNan", "IsNaN"),
    ("RndOf", "RoundOf"),
    ("TrailingBitsOf", "TrailingSignificandBitwidthOf"),
    ("ExponentBitsOf", "ExponentBitwidthOf"),
    ("BlockRsqrt", "BlockRSqrt"),
];

/// Names of earlier reports that 4.0 dropped, and their substitutes.
const GONE: [(&str, &str); 4] = [
    ("ConvertToIEEE754", "Convert, which has external formats too"),
    ("ConvertFromIEEE754", "Convert, which has external formats too"),
    ("MaxPositiveOf", "MaxFiniteOf"),
    ("MaxNormalOf", "MaxFiniteOf"),
];

/// Every operation of chapters 4 and 5 by 4.0's name.
pub(crate) fn operations() -> Vec<(String, NamedOperation)> {
    let mut all: Vec<(String, NamedOperation)> = vec![];
    for operation in Operation::ALL {
        let Some((name, _)) = operation.in_4() else { continue };
        all.push((name.to_owned(), NamedOperation::Operation(operation)));
        if is_block_operation(operation) && operation != Operation::Convert {
            all.push((format!("Block{name}"), NamedOperation::Block));
            let scaled = format!("Scaled{name}");
            if !Operation::ALL.iter().any(|op| op.in_4().is_some_and(|(known, _)| known == scaled)) {
                all.push((scaled, NamedOperation::Block));
            }
        }
    }
    all.push(("BlockConvert".to_owned(), NamedOperation::Block));
    all.extend(OF_BLOCKS.map(|name| (name.to_owned(), NamedOperation::Block)));
    all.extend(Query::ALL.map(|query| (query.in_4().0.to_owned(), NamedOperation::Query(query))));
    all
}

/// The end of a message about an unknown name: the name that 4.0 uses, or the nearest one.
fn instead<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    if let Some((_, now)) = RENAMED.iter().find(|(old, _)| *old == name) {
        return format!(": 4.0 calls it {now}");
    }
    if let Some((_, instead)) = GONE.iter().find(|(old, _)| *old == name) {
        return format!(", which has {instead}");
    }
    let lower = name.to_lowercase();
    let near = known.map(|known| (edit_distance(&lower, &known.to_lowercase()), known)).min();
    match near {
        Some((distance, known)) if distance <= name.chars().count().max(3) / 3 => {
            format!(": did you mean {known}?")
        }
        _ => String::new(),
    }
}

/// The operation of this name.
pub(crate) fn operation(name: &str) -> Result<NamedOperation, String> {
    let all = operations();
    match all.iter().find(|(known, _)| known == name) {
        Some((_, named)) => Ok(*named),
        None => Err(format!(
            "{} is not an operation of 4.0{}",
            name.escape_debug(),
            instead(name, all.iter().map(|(known, _)| &**known))
        )),
    }
}

/// Checks any name that the list of standard operations may have: an operation, a mode or a class.
pub(crate) fn standard(name: &str) -> Result<(), String> {
    let all = operations();
    let modes = rounding_names(Edition::V4).iter().map(|(name, _)| *name);
    let saturations = saturation_names(Edition::V4).iter().map(|(name, _)| *name);
    let known: Vec<&str> =
        all.iter().map(|(name, _)| &**name).chain(modes).chain(saturations).chain(CLASSES).collect();
    match known.contains(&name) {
        true => Ok(()),
        false => Err(format!(
            "{} is not a name of 4.0{}",
            name.escape_debug(),
            instead(name, known.iter().copied())
        )),
    }
}

/// A rounding mode; random bits may follow a stochastic one's name.
pub(crate) fn rounding(name: &str) -> Result<(Mode, u32), String> {
    let digits = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let mode = &name[..name.len() - digits.len()];
    let known = rounding_names(Edition::V4);
    let Some((_, found)) = known.iter().find(|(known, _)| *known == mode) else {
        let instead = instead(mode, known.iter().map(|(name, _)| *name));
        return Err(format!("{} is not a rounding mode of 4.0{instead}", name.escape_debug()));
    };
    match (digits, found) {
        ("", _) => Ok((*found, RANDOM_BITS)),
        (digits, Mode::Stochastic(_)) => match digits.parse() {
            Ok(bits) if (1..=RANDOM_BITS).contains(&bits) => Ok((*found, bits)),
            _ => Err(format!("{name}: a stochastic mode has 1 to {RANDOM_BITS} random bits here")),
        },
        _ => Err(format!("{name}: {mode} has no random bits")),
    }
}

/// A saturation mode.
pub(crate) fn saturation(name: &str) -> Result<binade::Saturation, String> {
    let known = saturation_names(Edition::V4);
    known.iter().find(|(known, _)| *known == name).map(|(_, mode)| *mode).ok_or_else(|| {
        let instead = instead(name, known.iter().map(|(name, _)| *name));
        format!("{} is not a saturation mode of 4.0{instead}", name.escape_debug())
    })
}

/// The external formats (§3.2).
const EXTERNAL: [&str; 4] = ["binary64", "binary32", "binary16", "BFloat16"];

/// A format of 4.0, or an external one.
pub(crate) fn format(name: &str) -> Result<Spec, String> {
    let spec: Spec = name.parse().map_err(|error: binade::SpecError| error.to_string())?;
    match spec.edition == Edition::V4 || EXTERNAL.contains(&name) {
        true => Ok(spec),
        false => Err(format!("{name} is not a format of 4.0, nor one of {}", EXTERNAL.join(", "))),
    }
}

/// An expression without the parentheses, brackets and quotes around all of it.
pub(crate) fn bare(text: &str) -> &str {
    let mut plain = text.trim();
    let around = [('(', ')'), ('[', ']'), ('\'', '\''), ('"', '"')];
    while let Some(inside) =
        around.iter().find_map(|(open, close)| plain.strip_prefix(*open)?.strip_suffix(*close))
    {
        plain = inside.trim();
    }
    plain
}

/// The texts that an iterator makes: `"2^$(i)" for i in 4:24`, also in steps (`4:2:24`), over a list (`[3, 4]`), and as
/// `for i=4..24`. A text without an iterator is returned as it is.
pub(crate) fn iterated(text: &str) -> Result<Vec<String>, String> {
    let plain = bare(text);
    let Some((pattern, range)) = plain.split_once(" for ") else { return Ok(vec![plain.to_owned()]) };
    let wrong = || {
        format!("'{}' is not an iterator: write \"Binary8p$(i)se\" for i in 1:7", text.trim().escape_debug())
    };
    let (variable, values) = range.split_once(" in ").or_else(|| range.split_once('=')).ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<u64>().ok().filter(|number| *number <= MOST as u64);
    let numbers: Vec<u64> = match values.trim().strip_prefix('[').and_then(|list| list.strip_suffix(']')) {
        Some(list) => list.split(',').map(number).collect::<Option<_>>().ok_or_else(wrong)?,
        None => {
            let ends: Option<Vec<u64>> = values.replace("..", ":").split(':').map(number).collect();
            match ends.as_deref() {
                Some([first, last]) => (*first..=*last).collect(),
                Some([first, step, last]) if *step > 0 => (*first..=*last).step_by(*step as usize).collect(),
                _ => return Err(wrong()),
            }
        }
    };
    if numbers.is_empty() {
        return Err(wrong());
    }
    let variable = format!("$({})", variable.trim());
    Ok(numbers.iter().map(|i| bare(pattern).replace(&variable, &i.to_string())).collect())
}

/// The largest number of names that a pattern may expand to: more than P3109 has formats of 16 bits and fewer.
const MOST: usize = 4096;

/// The names that a pattern expands to: iterators, and sets in braces (`Binary8p{3,4}se`).
pub(crate) fn expanded(text: &str) -> Result<Vec<String>, String> {
    let mut names = iterated(text)?;
    while let Some((at, from)) = names.iter().enumerate().find_map(|(at, name)| Some((at, name.find('{')?))) {
        let name = names.remove(at);
        let Some(to) = name[from..].find('}') else {
            return Err(format!("'{text}' has a brace without its end"));
        };
        let (before, inside, after) = (&name[..from], &name[from + 1..from + to], &name[from + to + 1..]);
        for (place, part) in inside.split(',').enumerate() {
            names.insert(at + place, format!("{before}{}{after}", part.trim()));
        }
        if names.len() > MOST {
            return Err(format!("'{text}' stands for more than {MOST} names"));
        }
    }
    match names.iter().find(|name| name.contains('$')) {
        Some(left) => Err(format!("'{left}' has a variable without its range: write … for i in 1:4")),
        None => Ok(names),
    }
}

/// The number of formats that specialise an operation, including that of the result.
pub(crate) fn formats_of(named: NamedOperation) -> Option<usize> {
    match named {
        NamedOperation::Operation(Operation::NextGreaterThan | Operation::NextLessThan) => Some(1),
        NamedOperation::Operation(operation) if operation.kind() == AnswerKind::Code => {
            Some(operation.arity() + 1)
        }
        NamedOperation::Operation(operation) => Some(operation.arity()),
        NamedOperation::Query(query) => Some(!query.of_projection() as usize),
        NamedOperation::Block => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_of_an_earlier_report_is_answered_with_that_of_4_0() {
        assert_eq!(operation("Recip").unwrap(), NamedOperation::Operation(Operation::Recip));
        assert_eq!(operation("BlockFMA").unwrap(), NamedOperation::Block);
        assert_eq!(operation("Rsqrt").unwrap_err(), "Rsqrt is not an operation of 4.0: 4.0 calls it RSqrt");
        assert_eq!(operation("Adds").unwrap_err(), "Adds is not an operation of 4.0: did you mean Add?");
        assert_eq!(
            saturation("OvfInf").unwrap_err(),
            "OvfInf is not a saturation mode of 4.0: 4.0 calls it SatNone"
        );
        assert!(
            rounding("StochasticB12").is_ok()
                && rounding("ToOdd3").is_err()
                && rounding("StochasticA40").is_err()
        );
        assert!(
            format("Binary8p3se").is_ok() && format("binary32").is_ok() && format("float8_e4m3fn").is_err()
        );
        assert!(standard("ClsNaN").is_ok() && standard("SatNone").is_ok() && standard("FrExp").is_err());
    }

    #[test]
    fn patterns_expand_in_order() {
        assert_eq!(expanded("Binary4p{1, 2,3}sf").unwrap(), ["Binary4p1sf", "Binary4p2sf", "Binary4p3sf"]);
        for pattern in [
            "Binary8p$(i)se for i=3..4",
            r#"(' "Binary8p$(i)se" for i in 3:4 ')"#,
            "( [ 'Binary8p$(i)se' for i in [3, 4] ] )",
        ] {
            assert_eq!(expanded(pattern).unwrap(), ["Binary8p3se", "Binary8p4se"], "{pattern}");
        }
        assert_eq!(iterated("\"2^$(i)\" for i in 4:10:24").unwrap(), ["2^4", "2^14", "2^24"]);
        assert!(iterated("$(i) for i in 1:0:4").is_err() && iterated("$(i) for i").is_err());
        assert_eq!(expanded("{a,b}{c,d}").unwrap(), ["ac", "ad", "bc", "bd"]);
        assert!(
            expanded("Binary8p$(i)se").is_err()
                && expanded("a{b").is_err()
                && expanded("a for i=4..2").is_err()
        );
    }
}
