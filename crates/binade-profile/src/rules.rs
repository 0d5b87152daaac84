//! Operators by place: rules `OBJECT[:FUNCTION[:FILE:LINE]]=OPERATOR`, for the command, which reads them, and the agent, which applies
//! them. The first rule that fits a multiply-add applies to it.
//!
//! ```
//! use binade_profile::rules::{Line, Rule};
//!
//! let is_operator = |text: &str| text == "bf16:bf16";
//! let Line::Rule(rule) = Rule::read("libopenblas*:sgemm*=keep", &is_operator).unwrap() else { panic!() };
//! assert_eq!((rule.place.as_str(), rule.operator.as_str()), ("libopenblas*:sgemm*", "keep"));
//! ```

use std::cell::LazyCell;
use std::fmt::{self, Display, Formatter};
use std::ops::RangeInclusive;

use binade_glob::{Glob, GlobError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::config::Config;
use crate::demangle::source_names;
use crate::record::GENERATED;

/// In an operator's place: the multiply-adds stay as they are.
pub const KEEP: &str = "keep";

/// The name of functions without a symbol in generated code, whose addresses change from run to run.
pub const UNNAMED: &str = "[unnamed]";

/// The error of a rule.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RuleError {
    /// A text that is neither a rule nor an operator.
    #[error(
        "'{0}' is neither an operator nor a rule: a rule is OBJECT[:FUNCTION[:FILE:LINE]]=OPERATOR, such as 'libm.so*:expf=keep'"
    )]
    Text(String),
    /// The value of a rule.
    #[error("'{rule}': '{value}' is not an operator: give one such as bf16:bf16, or keep")]
    Operator {
        /// The rule.
        rule: String,
        /// Its value.
        value: String,
    },
    /// The parts of a place.
    #[error(
        "the place '{0}' must be OBJECT, OBJECT:FUNCTION, OBJECT:FUNCTION:FILE:LINE or OBJECT:FUNCTION:0xADDRESS"
    )]
    Parts(String),
    /// A line number.
    #[error(
        "the place '{place}': '{line}' is not a line: give a number from 1 on, such as 42, or a range such as 40-48, whose end is not \
         before its start"
    )]
    Line {
        /// The place.
        place: String,
        /// The part.
        line: String,
    },
    /// An address.
    #[error(
        "the place '{place}': '{address}' is not an address: give one such as 0x1139, as `objdump -d` prints it"
    )]
    Address {
        /// The place.
        place: String,
        /// The part.
        address: String,
    },
    /// A pattern.
    #[error("the place '{place}': the pattern '{pattern}' is not understood: {reason}")]
    Pattern {
        /// The place.
        place: String,
        /// The pattern.
        pattern: String,
        /// The mistake in it.
        reason: GlobError,
    },
}

/// An operator for the multiply-adds of a place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Rule {
    /// The place, as [`Place`] reads it.
    pub place: String,
    /// The operator, or [`KEEP`].
    pub operator: String,
}

impl Display for Rule {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.place, self.operator)
    }
}

/// A line of rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// The operator of all places that no rule names.
    Default(String),
    /// A rule.
    Rule(Rule),
}

impl Rule {
    /// Reads a rule or a bare operator. `is_operator` tells operators from other texts.
    ///
    /// # Errors
    /// A text that is neither, or a place that is not understood.
    pub fn read(text: &str, is_operator: &dyn Fn(&str) -> bool) -> Result<Line, RuleError> {
        let text = text.trim();
        let is_value = |text: &str| text == KEEP || is_operator(text);
        if is_value(text) {
            return Ok(Line::Default(text.to_owned()));
        }
        // The options of an operator's format have `=` too: the place ends at the first one that an operator follows.
        let splits = || text.match_indices('=').map(|(at, _)| (text[..at].trim(), text[at + 1..].trim()));
        let Some((place, operator)) = splits().find(|(_, value)| is_value(value)) else {
            return Err(match splits().next() {
                Some((_, value)) => RuleError::Operator { rule: text.to_owned(), value: value.to_owned() },
                None => RuleError::Text(text.to_owned()),
            });
        };
        Place::read(place)?;
        Ok(Line::Rule(Rule { place: place.to_owned(), operator: operator.to_owned() }))
    }

    /// Reads a file of rules, one a line, with comments after `#`. Errors come with the line's number.
    ///
    /// # Errors
    /// The first line that is not a rule.
    pub fn read_all(
        text: &str,
        is_operator: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<(usize, Line)>, (usize, RuleError)> {
        let mut lines = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = without_comment(line).trim();
            if !line.is_empty() {
                let read = Rule::read(line, is_operator).map_err(|error| (number + 1, error))?;
                lines.push((number + 1, read));
            }
        }
        Ok(lines)
    }
}

/// The line up to its comment: from `#` at the start or after a space.
fn without_comment(line: &str) -> &str {
    let is_comment = |&(at, _): &(usize, &str)| at == 0 || line[..at].ends_with([' ', '\t']);
    line.match_indices('#').find(is_comment).map_or(line, |(at, _)| &line[..at])
}

/// A name as a glob that matches only itself.
pub fn literal(name: &str) -> String {
    let mut pattern = String::with_capacity(name.len());
    for character in name.chars() {
        // A line of a file of rules ends at a line feed, begins behind spaces, and has comments after `#`.
        if "*?[]{}\\,!:#".contains(character) || character == ' ' && pattern.is_empty() {
            pattern.push('\\');
        }
        pattern.push(if character == '\n' { '?' } else { character });
    }
    pattern
}

/// A glob, or its complement after `!`.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    glob: Glob,
    complement: bool,
}

impl Pattern {
    pub(crate) fn read(text: &str) -> Result<Pattern, GlobError> {
        let (complement, text) = text.strip_prefix('!').map_or((false, text), |text| (true, text));
        Ok(Pattern { glob: text.parse()?, complement })
    }

    /// True if an object's path, or the file name in it, fits.
    pub(crate) fn fits_path(&self, path: &str) -> bool {
        let file = path.rsplit('/').next().unwrap_or(path);
        (self.glob.matches(path) || self.glob.matches(file)) != self.complement
    }

    pub(crate) fn is_complement(&self) -> bool {
        self.complement
    }

    /// True if a function fits, by its symbol or by its names in the source.
    fn fits_name<'a>(&self, symbol: Option<&str>, source: &dyn Fn() -> &'a [String]) -> bool {
        let fits = symbol.is_some_and(|symbol| self.glob.matches(symbol))
            || source().iter().any(|name| self.glob.matches(name));
        fits != self.complement
    }
}

#[derive(Clone, Debug)]
enum FunctionPattern {
    /// By the symbol, or the name in the source.
    Name(Pattern),
    /// By the address of a function without a symbol, as the object's file counts it.
    Start(u64),
    /// Generated functions without a symbol.
    Unnamed,
}

#[derive(Clone, Debug)]
enum Within {
    Lines(Pattern, RangeInclusive<u32>),
    Address(u64),
}

/// A set of multiply-adds: the part of a rule before its `=`.
#[derive(Clone, Debug)]
pub struct Place {
    object: Pattern,
    /// True if only the code that the object generates is meant.
    generated: bool,
    function: Option<FunctionPattern>,
    within: Option<Within>,
}

/// The parts of a place: colons separate them, but not the pairs in `std::vector`, nor those after a backslash.
fn parts(place: &str) -> Vec<&str> {
    let bytes = place.as_bytes();
    let is_colon = |at: usize| bytes.get(at) == Some(&b':');
    let (mut all, mut start, mut at) = (Vec::new(), 0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b':' if is_colon(at + 1) => at += 1,
            b':' => {
                all.push(&place[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    all.push(&place[start..]);
    all
}

fn hexadecimal(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

impl Place {
    /// Reads a place.
    ///
    /// # Errors
    /// Parts that are missing or not understood.
    pub fn read(place: &str) -> Result<Place, RuleError> {
        let pattern = |text: &str| {
            Pattern::read(text).map_err(|reason| RuleError::Pattern {
                place: place.to_owned(),
                pattern: text.to_owned(),
                reason,
            })
        };
        let parts = parts(place);
        if parts.iter().any(|part| part.is_empty()) {
            return Err(RuleError::Parts(place.to_owned()));
        }
        let within = match parts[..] {
            [_] | [_, _] => None,
            [_, _, address] if address.starts_with("0x") => {
                let wrong = || RuleError::Address { place: place.to_owned(), address: address.to_owned() };
                Some(Within::Address(hexadecimal(address).ok_or_else(wrong)?))
            }
            [_, _, file, line] => {
                let (first, last) = line.split_once('-').unwrap_or((line, line));
                let range = first.parse().ok().zip(last.parse().ok()).map(|(first, last)| first..=last);
                let range =
                    range.filter(|range: &RangeInclusive<u32>| *range.start() > 0 && !range.is_empty());
                let wrong = || RuleError::Line { place: place.to_owned(), line: line.to_owned() };
                Some(Within::Lines(pattern(file)?, range.ok_or_else(wrong)?))
            }
            _ => return Err(RuleError::Parts(place.to_owned())),
        };
        let function = match parts.get(1) {
            None | Some(&"*") => None,
            Some(&UNNAMED) => Some(FunctionPattern::Unnamed),
            Some(name) => Some(match name.strip_prefix('+').and_then(hexadecimal) {
                Some(start) => FunctionPattern::Start(start),
                None => FunctionPattern::Name(pattern(name)?),
            }),
        };
        let generated = parts[0].ends_with(GENERATED);
        let object = pattern(parts[0].strip_suffix(GENERATED).unwrap_or(parts[0]))?;
        Ok(Place { object, generated, function, within })
    }

    /// True if the place is lines or an instruction, not a whole function.
    pub fn is_within_functions(&self) -> bool {
        self.within.is_some()
    }

    fn fits_object(&self, path: &str) -> bool {
        match path.strip_suffix(GENERATED) {
            Some(path) => self.object.fits_path(path),
            None => !self.generated && self.object.fits_path(path),
        }
    }

    /// True if the place has a multiply-add; `source` gives the names of its function in the source.
    fn fits<'a>(&self, site: &Site<'_>, source: &dyn Fn() -> &'a [String]) -> bool {
        if let Some(Within::Address(address)) = self.within
            && address != site.address
        {
            return false;
        }
        let function = self.function.as_ref().is_none_or(|function| match function {
            FunctionPattern::Name(pattern) => pattern.fits_name(site.symbol, source),
            FunctionPattern::Start(start) => site.symbol.is_none() && (site.start)() == *start,
            FunctionPattern::Unnamed => site.symbol.is_none() && site.generated,
        });
        function
            && self.within.as_ref().is_none_or(|within| match within {
                Within::Address(_) => true,
                Within::Lines(file, lines) => {
                    (site.lines)().iter().any(|(path, line)| lines.contains(line) && file.fits_path(path))
                }
            })
    }
}

/// A multiply-add, for [`ObjectRules::choose`].
pub struct Site<'a> {
    /// True in code that was generated at run time.
    pub generated: bool,
    /// The function's symbol.
    pub symbol: Option<&'a str>,
    /// The start of the function, as the object's file counts addresses.
    pub start: &'a dyn Fn() -> u64,
    /// The instruction's address, counted in the same way.
    pub address: u64,
    /// The source lines: the instruction's own, and those of the calls that were compiled inline there.
    pub lines: &'a dyn Fn() -> Vec<(String, u32)>,
}

/// The number of an operator in [`Rules::operators`], or none where multiply-adds stay as they are.
pub type Choice = Option<u16>;

/// The rules of a run.
#[derive(Clone, Debug)]
pub struct Rules {
    places: Vec<(Place, Choice)>,
    operators: Vec<String>,
    default: Choice,
}

impl Rules {
    /// The rules of a configuration.
    ///
    /// # Errors
    /// A place that is not understood.
    pub fn new(config: &Config) -> Result<Rules, RuleError> {
        let mut operators: Vec<String> = Vec::new();
        let mut choice = |operator: &str| {
            if operator == KEEP {
                return None;
            }
            let known = operators.iter().position(|other| other == operator);
            let index = known.unwrap_or_else(|| {
                operators.push(operator.to_owned());
                operators.len() - 1
            });
            Some(index as u16)
        };
        let default = choice(&config.arith);
        let place = |rule: &Rule| Ok((Place::read(&rule.place)?, choice(&rule.operator)));
        let places = config.rules.iter().map(place).collect::<Result<_, RuleError>>()?;
        Ok(Rules { places, operators, default })
    }

    /// The operators, each once.
    pub fn operators(&self) -> &[String] {
        &self.operators
    }

    /// True if all places have the default operator.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The rules for an object, by its path; that of generated code ends in [`GENERATED`].
    pub fn of_object(&self, path: &str) -> ObjectRules<'_> {
        let fit = self.places.iter().enumerate().filter(|(_, (place, _))| place.fits_object(path));
        ObjectRules {
            places: fit.map(|(number, (place, choice))| (number, place, *choice)).collect(),
            default: self.default,
        }
    }
}

/// The rules for one object.
#[derive(Debug)]
pub struct ObjectRules<'a> {
    places: Vec<(usize, &'a Place, Choice)>,
    default: Choice,
}

impl ObjectRules<'_> {
    /// The operator of a multiply-add, and the number of the rule that says so.
    pub fn choose(&self, site: &Site<'_>) -> (Choice, Option<usize>) {
        // Most rules need no demangling, and most runs have no rules.
        let source = LazyCell::new(|| site.symbol.map_or_else(Vec::new, source_names));
        let fit = self.places.iter().find(|(_, place, _)| place.fits(site, &|| &source));
        fit.map_or((self.default, None), |&(number, _, choice)| (choice, Some(number)))
    }

    /// True if all multiply-adds of a function have the same operator.
    pub fn is_by_function(&self) -> bool {
        self.places.iter().all(|(_, place, _)| place.within.is_none())
    }

    /// True if a rule names source lines.
    pub fn needs_lines(&self) -> bool {
        self.places.iter().any(|(_, place, _)| matches!(place.within, Some(Within::Lines(..))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_operator(text: &str) -> bool {
        ["bf16:bf16", "f32:f32", "cfloat8_1_4_3@bias=40:f32"].contains(&text)
    }

    fn rules(default: &str, lines: &[&str]) -> Rules {
        let rule = |line: &&str| match Rule::read(line, &is_operator).unwrap() {
            Line::Rule(rule) => rule,
            Line::Default(operator) => panic!("{operator} is no rule"),
        };
        let rules = lines.iter().map(rule).collect();
        Rules::new(&Config { arith: default.to_owned(), rules, ..Config::default() }).unwrap()
    }

    fn chosen(rules: &Rules, path: &str, symbol: Option<&str>, address: u64) -> Choice {
        let lines = || vec![("/src/dot.c".to_owned(), 12), ("/src/main.c".to_owned(), 40)];
        let generated = path.ends_with(GENERATED);
        let site = Site { generated, symbol, start: &|| 0x1100, address, lines: &lines };
        rules.of_object(path).choose(&site).0
    }

    #[test]
    fn read_tells_operators_from_rules() {
        let read = |text: &str| Rule::read(text, &is_operator);
        assert_eq!(read(" keep "), Ok(Line::Default(KEEP.to_owned())));
        let biased = "cfloat8_1_4_3@bias=40:f32";
        assert_eq!(read(biased), Ok(Line::Default(biased.to_owned())));
        let rule = |place: &str, operator: &str| Rule { place: place.into(), operator: operator.into() };
        assert_eq!(read(&format!("a:f = {biased}")), Ok(Line::Rule(rule("a:f", biased))));
        for (text, message) in [
            ("libx.so", "'libx.so' is neither an operator nor a rule: "),
            ("libx.so=bf17:bf16", "'libx.so=bf17:bf16': 'bf17:bf16' is not an operator: "),
            ("a:f:g=keep", "the place 'a:f:g' must be OBJECT, "),
            (":f=keep", "the place ':f' must be OBJECT, "),
            ("a:f:x.c:twelve=keep", "the place 'a:f:x.c:twelve': 'twelve' is not a line: "),
            ("a:f:x.c:0=keep", "the place 'a:f:x.c:0': '0' is not a line: "),
            ("a:f:x.c:4-3=keep", "the place 'a:f:x.c:4-3': '4-3' is not a line: "),
            ("a:f:x.c:0-3=keep", "the place 'a:f:x.c:0-3': '0-3' is not a line: "),
            ("a:f:x.c:4-=keep", "the place 'a:f:x.c:4-': '4-' is not a line: "),
            ("a:f:0xzz=keep", "the place 'a:f:0xzz': '0xzz' is not an address: "),
            ("a[:f=keep", "the place 'a[:f': the pattern 'a[' is not understood: "),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn read_all_skips_comments_and_numbers_lines() {
        let text = "# kept\n\na:f=keep  # why\n  bf16:bf16\nx#y:f=keep\n";
        let lines = Rule::read_all(text, &is_operator).unwrap();
        let rule = |place: &str| Line::Rule(Rule { place: place.into(), operator: KEEP.into() });
        assert_eq!(lines, [(3, rule("a:f")), (4, Line::Default("bf16:bf16".into())), (5, rule("x#y:f"))]);
        assert_eq!(Rule::read_all("a:f=keep\n?", &is_operator).unwrap_err().0, 2);
    }

    #[test]
    fn choose_takes_the_first_rule_that_fits() {
        let rules = rules("bf16:bf16", &["lib*:f=keep", "libx.so:!g=f32:f32", "libx.so=keep"]);
        assert_eq!(rules.operators(), ["bf16:bf16", "f32:f32"]);
        assert_eq!(chosen(&rules, "/lib/libx.so", Some("f"), 0), None);
        assert_eq!(chosen(&rules, "/lib/libx.so", Some("h"), 0), Some(1));
        assert_eq!(chosen(&rules, "/lib/libx.so", None, 0), Some(1), "a complement has the rest");
        assert_eq!(chosen(&rules, "/lib/libx.so", Some("g"), 0), None);
        assert_eq!(chosen(&rules, "/bin/x", Some("f"), 0), Some(0));
    }

    #[test]
    fn choose_knows_lines_addresses_and_source_names() {
        let rules = rules(
            "keep",
            &[
                "x:f:dot.c:10-12=bf16:bf16",
                "x:g:0x1139=bf16:bf16",
                "x:a::h(*)=bf16:bf16",
                "x:+0x1100=f32:f32",
            ],
        );
        assert_eq!(chosen(&rules, "/bin/x", Some("f"), 0), Some(0));
        assert_eq!(chosen(&rules, "/bin/x", Some("g"), 0x1139), Some(0));
        assert_eq!(chosen(&rules, "/bin/x", Some("g"), 0x1140), None);
        assert_eq!(chosen(&rules, "/bin/x", Some("_ZN1a1hEi"), 0), Some(0));
        assert_eq!(chosen(&rules, "/bin/x", None, 0), Some(1));
        assert!(rules.of_object("/bin/x").needs_lines() && !rules.of_object("/bin/x").is_by_function());
        assert!(rules.of_object("/bin/y").is_by_function());
    }

    #[test]
    fn choose_knows_source_names_without_parameters() {
        let rules = rules("keep", &["x:a::h=bf16:bf16", "y:!a::h=bf16:bf16"]);
        assert_eq!(chosen(&rules, "/bin/x", Some("_ZN1a1hEi"), 0), Some(0), "a::h(int)");
        assert_eq!(chosen(&rules, "/bin/x", Some("_ZN1a1hEPKf"), 0), Some(0), "a::h(float const*)");
        assert_eq!(chosen(&rules, "/bin/x", Some("_ZN1a2hhEi"), 0), None, "a::hh(int)");
        assert_eq!(chosen(&rules, "/bin/y", Some("_ZN1a1hEi"), 0), None);
        assert_eq!(chosen(&rules, "/bin/y", Some("f"), 0), Some(0));
    }

    #[test]
    fn choose_tells_generated_code_from_its_object() {
        let rules = rules("bf16:bf16", &["x [generated]:[unnamed]=keep", "y=keep"]);
        assert_eq!(chosen(&rules, "/bin/x [generated]", None, 0), None);
        assert_eq!(chosen(&rules, "/bin/x [generated]", Some("f"), 0), Some(0));
        assert_eq!(chosen(&rules, "/bin/x", None, 0), Some(0));
        assert_eq!(chosen(&rules, "/bin/y [generated]", None, 0), None, "with the object that asked for it");
    }

    #[test]
    fn literal_name_fits_only_itself() {
        let name = " /lib/a[1]{x,y}*! #1.so";
        let pattern = Pattern::read(&literal(name)).unwrap();
        assert!(pattern.fits_path(name) && !pattern.fits_path(" /lib/a1x! #1.so"));
    }
}
