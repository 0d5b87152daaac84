//! κ-approximate operations (§4.4): intervals of operands with what is declared for them, and what tables of results have.
//!
//! κ is the distance between the result given and the defined one in the order of the result format's values, infinities
//! among them: 0 is the same, 1 a neighbour. What is NaN in one and not in the other is at no distance.

use std::cmp::Ordering;
use std::fs;
use std::ops::Range;
use std::path::Path;

use binade::{Answer, Datum, Edition, Format, Operation, Projection, Saturation, Spec};

use super::expression::{Expression, shown};
use super::names;
use super::real::Effort;
use crate::Error;
use crate::modes::Mode;

/// An interval of operands.
#[derive(Clone, Debug)]
pub(super) struct Interval {
    text: String,
    ends: [Expression; 2],
    /// Whether an end belongs to it.
    closed: [bool; 2],
}

/// Where the commas are that only the outermost brackets are around, and where those end; `None` where brackets do not match.
/// A bracket ends with any other: `[0, 1)`.
fn commas(text: &str) -> Option<Vec<usize>> {
    let (mut depth, mut commas) = (0usize, vec![]);
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 && at + 1 < text.len() {
                    return None;
                }
            }
            ',' if depth == 1 => commas.push(at),
            _ => {}
        }
    }
    (depth == 0 && text.starts_with(['[', '('])).then_some(commas)
}

/// The deepest parentheses around an interval.
const DEEPEST: usize = 8;

impl Interval {
    /// `[ -Inf, 0 )`, `( [>=(0), <(π)] )`, `(range = [-4.0, 4.0])`, and several in a list, `[[-Inf, -4), (4, Inf]]`; bounds are
    /// expressions with names of formats.
    pub(super) fn parse(text: &str, variables: &[String]) -> Result<Vec<Interval>, String> {
        let whole = text.trim();
        let wrong = || format!("'{}' is not an interval: write [ -Inf, 0 )", shown(whole));
        let mut plain = whole;
        for _ in 0..DEEPEST {
            let commas = commas(plain).ok_or_else(wrong)?;
            let inside = plain[1..plain.len() - 1].trim();
            if commas.is_empty() {
                let named = inside.strip_prefix("range").and_then(|rest| rest.trim_start().strip_prefix('='));
                plain = named.unwrap_or(inside).trim();
                continue;
            }
            let starts = [0].into_iter().chain(commas.iter().copied());
            let stops = commas.iter().copied().chain([plain.len() - 1]);
            let parts: Vec<&str> =
                starts.zip(stops).map(|(start, stop)| plain[start + 1..stop].trim()).collect();
            let is_interval = |part: &&str| self::commas(part).is_some_and(|commas| !commas.is_empty());
            return match parts.iter().all(is_interval) {
                true => parts.iter().map(|part| Interval::one(part, variables, &wrong)).collect(),
                false => Ok(vec![Interval::one(plain, variables, &wrong)?]),
            };
        }
        Err(wrong())
    }

    fn one(plain: &str, variables: &[String], wrong: &dyn Fn() -> String) -> Result<Interval, String> {
        let commas = commas(plain).ok_or_else(wrong)?;
        let [comma] = commas[..] else { return Err(wrong()) };
        let mut closed = [plain.starts_with('['), plain.ends_with(']')];
        let mut ends = [plain[1..comma].trim(), plain[comma + 1..plain.len() - 1].trim()];
        const RELATIONS: [[&str; 2]; 2] = [[">=", ">"], ["<=", "<"]];
        for at in 0..2 {
            // In brackets, a bound may say whether it belongs to the interval.
            for (relation, belongs) in RELATIONS[at].into_iter().zip([true, false]) {
                if let Some(bound) = ends[at].strip_prefix(relation) {
                    if !closed[at] {
                        return Err(wrong());
                    }
                    (ends[at], closed[at]) = (bound.trim(), belongs);
                    break;
                }
            }
        }
        let bound = |text: &str| {
            Expression::parse(text, variables)
                .map_err(|message| format!("in the interval {}: {message}", shown(plain)))
        };
        Ok(Interval { text: plain.to_owned(), ends: [bound(ends[0])?, bound(ends[1])?], closed })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is the same for all formats.
    pub(super) fn is_fixed(&self) -> bool {
        self.ends.iter().all(Expression::is_fixed)
    }

    /// Checks that there is something in it.
    pub(super) fn check(&self, formats: &[Spec], effort: &Effort) -> Result<(), String> {
        let [low, high] = &self.ends;
        let relation = low.compare(high, formats, effort).map_err(|message| self.about(&message))?;
        match relation == Ordering::Greater || relation == Ordering::Equal && self.closed != [true, true] {
            true => Err(format!("the interval {} has nothing in it", self.text)),
            false => Ok(()),
        }
    }

    fn about(&self, message: &str) -> String {
        format!("in the interval {}: {message}", self.text)
    }

    /// Whether all of it is below all of the other.
    pub(super) fn before(&self, other: &Interval, formats: &[Spec], effort: &Effort) -> Result<bool, String> {
        let relation = self.ends[1]
            .compare(&other.ends[0], formats, effort)
            .map_err(|message| format!("in the intervals {} and {}: {message}", self.text, other.text))?;
        Ok(relation == Ordering::Less || relation == Ordering::Equal && !(self.closed[1] && other.closed[0]))
    }

    /// Whether they have reals in common.
    pub(super) fn meets(&self, other: &Interval, formats: &[Spec], effort: &Effort) -> Result<bool, String> {
        Ok(!self.before(other, formats, effort)? && !other.before(self, formats, effort)?)
    }

    /// The first place of a format's values that is in it, and the first that is above it.
    fn places(&self, format: Format, formats: &[Spec], effort: &Effort) -> Result<Range<i64>, String> {
        // The place before which values are too small.
        let first = |end: usize, taken: bool| -> Result<i64, String> {
            let (mut low, mut high) = places_of(format);
            while low < high {
                let middle = low + (high - low) / 2;
                let magnitude = middle.unsigned_abs();
                let code = if middle < 0 { magnitude | format.sign_bit() } else { magnitude };
                let value = Datum::new(format, code).map_err(|error| error.to_string())?.value();
                let bound =
                    self.ends[end].beside(value, formats, effort).map_err(|message| self.about(&message))?;
                // A value at the bound is in the upper part where that begins with it.
                match bound == Ordering::Less || bound == Ordering::Equal && taken {
                    true => high = middle,
                    false => low = middle + 1,
                }
            }
            Ok(low)
        };
        Ok(first(0, self.closed[0])?..first(1, !self.closed[1])?)
    }
}

/// The places of a format's values: the first, and one past the last.
fn places_of(format: Format) -> (i64, i64) {
    let last = format.infinity_code().unwrap_or(format.max_finite_code()) as i64;
    (if format.signed() { -last } else { 0 }, last + 1)
}

/// An operation for formats and modes.
pub(super) struct Specialised {
    pub(super) operation: Operation,
    /// As it was written.
    pub(super) name: String,
    /// The formats of the operands and the result.
    pub(super) specs: Vec<Spec>,
    sources: Vec<Format>,
    to: Format,
    pub(super) how: Projection,
}

impl Specialised {
    /// `Sqrt<Binary8p3se, Binary8p3se, (NearestTiesToEven, SatNone)>`.
    fn parse(text: &str) -> Result<Specialised, String> {
        let wrong = || {
            format!(
                "'{}' is not a specialisation of an operation: write Op<f, fr, (Round, Sat)>",
                text.trim().escape_debug()
            )
        };
        let plain = text.trim().replace(['‹', '{'], "<").replace(['›', '}'], ">");
        let (name, rest) = plain.split_once('<').ok_or_else(wrong)?;
        let rest = rest.strip_suffix('>').ok_or_else(wrong)?;
        let (formats, modes) = rest.rsplit_once('(').ok_or_else(wrong)?;
        let (rounding, saturation) =
            modes.trim().strip_suffix(')').and_then(|modes| modes.split_once(',')).ok_or_else(wrong)?;
        let names::Named::Operation(operation) = names::operation(name.trim())? else {
            return Err(format!("{} has no table of results of codes", name.trim()));
        };
        let (Mode::Fixed(rounding), _) = names::rounding(rounding.trim())? else {
            return Err("results that depend on random bits have no table".to_owned());
        };
        let saturation: Saturation = names::saturation(saturation.trim())?;
        let specs: Vec<Spec> = formats
            .trim()
            .trim_end_matches(',')
            .split(',')
            .map(|name| names::format(name.trim()))
            .collect::<Result<_, String>>()?;
        let mut formats: Vec<Format> = specs.iter().map(|spec| spec.format).collect();
        let wanted = names::formats_of(names::Named::Operation(operation));
        if operation.kind() != binade::AnswerKind::Code
            || operation.scales() > 0
            || wanted != Some(formats.len())
        {
            return Err(format!(
                "{} has {} formats, not {}",
                name.trim(),
                wanted.unwrap_or(0),
                formats.len()
            ));
        }
        let to = formats.pop().ok_or_else(wrong)?;
        // §4.16 does not project: what is named is the operand's format.
        let sources = if formats.is_empty() { vec![to] } else { formats };
        let how = Projection::new(rounding, saturation);
        Ok(Specialised { operation, name: plain, specs, sources, to, how })
    }

    /// The defined result.
    fn defined(&self, operands: &[Datum]) -> Result<Datum, String> {
        let answer = self.operation.evaluate(operands, &[], self.to, self.how, Edition::V4);
        match answer.map_err(|error| error.to_string())? {
            Answer::Code(rounded) => Datum::new(self.to, rounded.code).map_err(|error| error.to_string()),
            _ => Err(format!("{} has no codes for results", self.name)),
        }
    }
}

/// The place of a value among those of its format; `None` of NaN.
fn place(x: Datum) -> Option<i64> {
    let format = x.format();
    if x.value().is_nan() {
        return None;
    }
    let magnitude = (x.code() & format.magnitude_mask()) as i64;
    Some(if format.signed() && x.code() & format.sign_bit() != 0 { -magnitude } else { magnitude })
}

/// A table of a user's results: `# NAME: Op<…>`, then a line `CODE… RESULT` for every combination of operands; what follows
/// the result, such as flags, is not read.
pub(super) struct Table {
    /// The approximation's name.
    pub(super) name: String,
    pub(super) what: Specialised,
    /// The operands' codes, the result, and the line.
    rows: Vec<(Vec<Datum>, Datum, usize)>,
}

/// The largest distance in a part of a table.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct Distance {
    /// `None`: NaN beside a number.
    pub(super) kappa: Option<u64>,
    /// The line of it.
    pub(super) line: usize,
    /// How many rows.
    pub(super) rows: u64,
}

impl Table {
    /// The most rows of a table.
    const MOST: u64 = 1 << 24;

    pub(super) fn read(path: &Path) -> Result<Table, Error> {
        let text =
            fs::read_to_string(path).map_err(|source| Error::File { path: path.to_owned(), source })?;
        Table::parse(&text).map_err(|(line, reason)| Error::Results { path: path.to_owned(), line, reason })
    }

    fn parse(text: &str) -> Result<Table, (usize, String)> {
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
        let head = lines.next().and_then(|(_, line)| line.strip_prefix('#')?.split_once(':'));
        let (name, what) = head.ok_or_else(|| {
            (1, "it begins with what it is of: # SqrtFast: Sqrt<Binary8p3se, Binary8p3se, (NearestTiesToEven, SatNone)>".to_owned())
        })?;
        let what = Specialised::parse(what).map_err(|reason| (1, reason))?;
        let bits: u32 = what.sources.iter().map(|format| format.width()).sum();
        let expected = 1u64.checked_shl(bits).filter(|rows| *rows <= Table::MOST);
        let Some(expected) = expected else {
            return Err((
                1,
                format!(
                    "{} has 2^{bits} combinations of operands; at most {} are read",
                    what.name,
                    Table::MOST
                ),
            ));
        };
        let (mut rows, mut seen) = (vec![], vec![false; expected as usize]);
        for (line, text) in lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')) {
            let mut words = text.split_whitespace();
            let mut next = |format: Format| -> Result<Datum, (usize, String)> {
                let word = words.next().ok_or_else(|| (line, "codes are missing".to_owned()))?;
                crate::operand::datum(word.as_bytes(), format).map_err(|error| (line, error.to_string()))
            };
            let operands = what.sources.iter().map(|format| next(*format)).collect::<Result<Vec<_>, _>>()?;
            let result = next(what.to)?;
            let index = operands.iter().fold(0, |index, x| index << x.format().width() | x.code());
            if std::mem::replace(&mut seen[index as usize], true) {
                return Err((line, "these operands are there twice".to_owned()));
            }
            rows.push((operands, result, line));
        }
        if let Some(missing) = seen.iter().position(|seen| !seen) {
            let missing_count = seen.iter().filter(|seen| !**seen).count();
            return Err((
                text.lines().count(),
                format!(
                    "{missing_count} of {expected} combinations of operands are missing, the first at {missing:#x}"
                ),
            ));
        }
        Ok(Table { name: name.trim().to_owned(), what, rows })
    }

    /// The largest distance over operands of which the first is in an interval, and where the first is in none.
    pub(super) fn distances(&self, intervals: &[Interval], effort: &Effort) -> Result<Vec<Distance>, String> {
        let of_first = self.what.sources.first().copied().unwrap_or(self.what.to);
        let places = |interval: &Interval| interval.places(of_first, &self.what.specs, effort);
        let ranges: Vec<Range<i64>> = intervals.iter().map(places).collect::<Result<_, _>>()?;
        let mut found = vec![Distance { kappa: Some(0), line: 0, rows: 0 }; intervals.len() + 1];
        for (operands, result, line) in &self.rows {
            let defined = self.what.defined(operands)?;
            let at = place(operands[0]).and_then(|x| ranges.iter().position(|range| range.contains(&x)));
            let at = at.unwrap_or(intervals.len());
            let distance = match (place(*result), place(defined)) {
                (Some(given), Some(defined)) => Some(given.abs_diff(defined)),
                (None, None) => Some(0),
                _ => None,
            };
            let worst = &mut found[at];
            worst.rows += 1;
            let worse = match (distance, worst.kappa) {
                (None, Some(_)) => true,
                (Some(distance), Some(before)) => distance > before,
                (_, None) => false,
            };
            if worse {
                (worst.kappa, worst.line) = (distance, *line);
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The interval that a text is of, with the formats fx and fr.
    fn interval(text: &str) -> Result<Interval, String> {
        let mut found = Interval::parse(text, &["fx".to_owned(), "fr".to_owned()])?;
        assert_eq!(found.len(), 1, "{text}");
        Ok(found.remove(0))
    }

    fn formats(name: &str) -> Vec<Spec> {
        vec![name.parse().unwrap(), "binary32".parse().unwrap()]
    }

    #[test]
    fn intervals_say_what_is_in_them() {
        // Each beside what a test of binary64 says of the values of Binary8p3se, which has no number halfway that it rounds.
        type Test = fn(f64) -> bool;
        let cases: [(&str, Test); 13] = [
            ("[ -Inf, 0 )", |x| x < 0.0),
            ("( 1, Inf ]", |x| x > 1.0),
            ("(0, 0x1p-3]", |x| x > 0.0 && x <= 0.125),
            ("( [>=(0), <(π)] )", |x| (0.0..std::f64::consts::PI).contains(&x)),
            ("( [>=(-Sqrt(2)), <=(3/2)] )", |x| (-std::f64::consts::SQRT_2..=1.5).contains(&x)),
            ("(range = [-4.0, 4.0])", |x| x.abs() <= 4.0),
            ("[2**-3, 1 - 2^-P]", |x| (0.125..=0.875).contains(&x)),
            ("(-2^emin, 2^emin)", |x| x.abs() < 2f64.powi(-15)),
            ("[2^(emax - 1), MaxFiniteOf(fx)]", |x| (16384.0..=49152.0).contains(&x)),
            ("[-Sqrt(Sqrt(16)), Maximum(1, Minimum(7, 3))]", |x| (-2.0..=3.0).contains(&x)),
            ("[Floor(-7/2), Ceil(7/2))", |x| (-4.0..4.0).contains(&x)),
            ("[Trunc(-7/2), 14 % 8 ÷ 2]", |x| (-3.0..=3.0).contains(&x)),
            ("[MinPositiveOf(fx), Bitwidth - PrecisionOf(fx) * 1.5]", |x| x > 0.0 && x <= 3.5),
        ];
        let formats = formats("Binary8p3se");
        let format = formats[0].format;
        for (text, has) in cases {
            let interval = interval(text).unwrap();
            let effort = Effort::new();
            interval.check(&formats, &effort).unwrap();
            let places = interval.places(format, &formats, &effort).unwrap();
            for code in (0..256).filter(|code| *code != 0x80) {
                let x = Datum::new(format, code).unwrap();
                let number = binade::project(binade::catalog::F64, x.value(), Projection::default()).code;
                let inside = place(x).is_some_and(|x| places.contains(&x));
                assert_eq!(inside, has(f64::from_bits(number)), "{text} {}", f64::from_bits(number));
            }
        }
    }

    #[test]
    fn intervals_of_a_list_are_each_one() {
        let found = Interval::parse("(range = [[-Inf, -4.0), (4.0, Inf]])", &[]).unwrap();
        assert_eq!(found.iter().map(Interval::text).collect::<Vec<_>>(), ["[-Inf, -4.0)", "(4.0, Inf]"]);
    }

    #[test]
    fn intervals_meet_where_they_have_reals_in_common() {
        let effort = Effort::new();
        let meet = |a: &str, b: &str| {
            let (a, b) = (interval(a).unwrap(), interval(b).unwrap());
            let found = a.meets(&b, &formats("Binary8p3se"), &effort);
            assert_eq!(found, b.meets(&a, &formats("Binary8p3se"), &effort));
            found
        };
        assert_eq!(meet("[-Inf, 0)", "[0, 1]"), Ok(false));
        assert_eq!(meet("[1, 2]", "( 1, Inf ]"), Ok(true));
        assert_eq!(meet("[0, π)", "[π, 4]"), Ok(false));
        assert_eq!(meet("[0, π]", "[π, 4]"), Ok(true));
        assert_eq!(meet("[0, 22/7]", "[π, 4]"), Ok(true));
        assert_eq!(meet("[0, 0.1]", "(1/10, 4]"), Ok(false));
        assert_eq!(meet("[0, emax]", "[Precision * 5, 16]"), Ok(true));
        let undecided = meet("[0, Sqrt(2) * Sqrt(2))", "[2, 4]").unwrap_err();
        assert!(undecided.contains("not decided by 2048 bits"), "{undecided}");
    }

    #[test]
    fn intervals_that_are_none_are_refused_with_their_text() {
        let formats = formats("Binary8p3se");
        let error = |text: &str| {
            let checked = interval(text).and_then(|interval| interval.check(&formats, &Effort::new()));
            checked.expect_err(text)
        };
        for wrong in
            ["1, 2", "[1 2]", "", "[", "[1, 2, 3]", "(>(1), 2)", "[1, 2]]", "((1))", "[range = 1, 2]"]
        {
            let said = error(wrong);
            assert!(
                said.contains("is not an interval") || said.contains("not understood"),
                "{wrong}: {said}"
            );
        }
        for empty in ["[2, 1]", "[1, 1)", "(Inf, Inf]", "[2^0.5e1, 31]", "[emax, emin]"] {
            assert_eq!(error(empty), format!("the interval {empty} has nothing in it"));
        }
        for (text, part) in [
            ("[a, 2]", "'a' is none of the formats fx, fr"),
            ("[nan, 2]", "'nan' is none of the formats"),
            ("[fx, 2]", "a format is computed with"),
            ("[fx == fr, 2]", "a truth is computed with"),
            ("[1 / 0, 2]", "divided by 0"),
            ("[1 / (π - π), 2]", "not decided"),
            ("[0, 2**10**9]", "beyond 2^16777216"),
            ("[0, 3**10**9]", "more than 65536 bits"),
            ("[0, 2^2^2^2^2^2^2]", "below 2^63"),
            ("[0, 1e999999999999]", "more than 65536 bits"),
            ("[0, Sqrt(-1)]", "Sqrt of a negative number"),
            ("[Inf - Inf, 1]", "Inf is compared"),
            ("[0, 7 ÷ 2]", "write a / b"),
            ("[0, -7 % 2]", "% of a negative number"),
            ("[0, 2^(1/2)]", "an exponent is a whole number"),
            ("[0, WidthOf(fx)]", "is not an operation of 4.0"),
            ("[0, 1x]", "'1x' is not a number"),
        ] {
            let said = error(text);
            assert!(said.contains(part) && said.contains(text), "{text}: {said}");
        }
        let deep = format!("[0, {}1{}]", "(".repeat(70_000), ")".repeat(70_000));
        assert!(error(&deep).contains("nested too deeply"));
        assert!(error(&format!("[0, {}1]", "-".repeat(70_000))).contains("nested too deeply"));
        assert!(error(&format!("[0, 1{}]", " + 1".repeat(70_000))).contains("more than 256 operators"));
        assert!(error(&format!("[0, {}]", "9".repeat(70_000))).contains("more than 4096 digits"));
        let long = vec!["Sqrt(2^60001 + 1)"; 84].join(" + ");
        assert!(error(&format!("[{long}, {long} + 1]")).contains("more steps than are done"));
    }

    /// The table of binade's own square root, with some results replaced.
    fn table(replaced: &[(u64, u64)]) -> String {
        let what =
            Specialised::parse("Sqrt<Binary8p3se, Binary8p3se, (NearestTiesToEven, SatNone)>").unwrap();
        let mut text = format!("# Fast: {}\n", what.name);
        for code in 0..256 {
            let defined = what.defined(&[Datum::new(what.to, code).unwrap()]).unwrap().code();
            let result = replaced.iter().find(|(at, _)| *at == code).map_or(defined, |(_, result)| *result);
            text += &format!("{code:#04x} {result:#04x} x\n");
        }
        text
    }

    #[test]
    fn kappa_is_the_distance_to_the_defined_result() {
        let intervals = [interval("[0, 1]").unwrap(), interval("(1, Inf]").unwrap()];
        let distances = |replaced: &[(u64, u64)]| {
            Table::parse(&table(replaced)).unwrap().distances(&intervals, &Effort::new()).unwrap()
        };
        let exact = distances(&[]);
        assert_eq!(exact.iter().map(|found| found.kappa).collect::<Vec<_>>(), [Some(0); 3]);
        assert_eq!(exact.iter().map(|found| found.rows).collect::<Vec<_>>(), [65, 63, 128]);
        // 1 and its square root have the code 0x40.
        let worse = distances(&[(0x40, 0x42), (0x41, 0x80)]);
        assert_eq!((worse[0].kappa, worse[0].line), (Some(2), 0x40 + 2));
        assert_eq!((worse[1].kappa, worse[1].line), (None, 0x41 + 2));
    }

    #[test]
    fn tables_that_are_not_exhaustive_are_refused() {
        let error = |text: &str| Table::parse(text).err().unwrap();
        let whole = table(&[]);
        let cut: String =
            whole.lines().filter(|line| !line.starts_with("0x07")).map(|line| format!("{line}\n")).collect();
        assert!(error(&cut).1.contains("1 of 256 combinations of operands are missing, the first at 0x7"));
        assert_eq!(error(&format!("{whole}0x07 0x00\n")), (258, "these operands are there twice".to_owned()));
        assert_eq!(error("0x00 0x00").0, 1);
        assert!(error("# a: Sqrt<Binary8p3se, (NearestTiesToEven, SatNone)>").1.contains("2 formats, not 1"));
        assert!(error("# a: Sqrt<binary32, binary32, (NearestTiesToEven, SatNone)>").1.contains("2^32"));
        assert_eq!(
            error("# a: Sqrt<Binary8p3se, Binary8p3se, (NearestTiesToEven, SatNone)>\n0x100 0x0").0,
            2
        );
    }
}
