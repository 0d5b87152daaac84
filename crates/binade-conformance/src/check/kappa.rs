//! κ-approximate operations (§4.4): parses intervals of operands, and measures κ in tables of results.
//!
//! κ is the distance between the given and the defined result in the order of the result format's values, infinities
//! included: 0 for the defined result, 1 for a neighbour. Between NaN and a number there is no distance.

use std::cmp::Ordering;
use std::fs;
use std::ops::Range;
use std::path::Path;

use binade::{Answer, Datum, Edition, Format, Operation, Projection, Saturation, Spec};

use super::error::StatementError;
use super::expression::{Expression, excerpt};
use super::real::Effort;
use crate::modes::Mode;
use crate::names::{self, NamedOperation};

/// An interval of operands.
#[derive(Clone, Debug)]
pub(super) struct Interval {
    text: String,
    ends: [Expression; 2],
    /// True for an end that belongs to the interval.
    closed: [bool; 2],
}

/// The places of the commas within the outermost brackets only; `None` if brackets do not match. Either bracket closes
/// either: `[0, 1)`.
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

/// The largest number of parentheses around an interval.
const DEEPEST: usize = 8;

impl Interval {
    /// Parses `[ -Inf, 0 )`, `( [>=(0), <(π)] )`, `(range = [-4.0, 4.0])`, and a list, `[[-Inf, -4), (4, Inf]]`. Bounds are
    /// expressions, which may name formats.
    pub(super) fn parse(text: &str, variables: &[String]) -> Result<Vec<Interval>, String> {
        let whole = text.trim();
        let wrong = || format!("'{}' is not an interval: write [ -Inf, 0 )", excerpt(whole));
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
            // Within square brackets, a relation before the bound says if the bound belongs to the interval.
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
                .map_err(|message| format!("in the interval {}: {message}", excerpt(plain)))
        };
        Ok(Interval { text: plain.to_owned(), ends: [bound(ends[0])?, bound(ends[1])?], closed })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns true if the interval is the same for all formats.
    pub(super) fn is_fixed(&self) -> bool {
        self.ends.iter().all(Expression::is_fixed)
    }

    /// Checks that the interval is not empty.
    pub(super) fn check(&self, formats: &[Spec], effort: &Effort) -> Result<(), String> {
        let [low, high] = &self.ends;
        let relation = low.compare(high, formats, effort).map_err(|message| self.about(&message))?;
        match relation == Ordering::Greater || relation == Ordering::Equal && self.closed != [true, true] {
            true => Err(format!("the interval {} is empty", self.text)),
            false => Ok(()),
        }
    }

    fn about(&self, message: &str) -> String {
        format!("in the interval {}: {message}", self.text)
    }

    /// Returns true if every number of this interval is below every number of `other`.
    pub(super) fn is_below(
        &self,
        other: &Interval,
        formats: &[Spec],
        effort: &Effort,
    ) -> Result<bool, String> {
        let relation = self.ends[1]
            .compare(&other.ends[0], formats, effort)
            .map_err(|message| format!("in the intervals {} and {}: {message}", self.text, other.text))?;
        Ok(relation == Ordering::Less || relation == Ordering::Equal && !(self.closed[1] && other.closed[0]))
    }

    /// Returns true if the intervals have a real number in common.
    pub(super) fn overlaps(
        &self,
        other: &Interval,
        formats: &[Spec],
        effort: &Effort,
    ) -> Result<bool, String> {
        Ok(!self.is_below(other, formats, effort)? && !other.is_below(self, formats, effort)?)
    }

    /// The range of places whose values are in the interval.
    fn places(&self, format: Format, formats: &[Spec], effort: &Effort) -> Result<Range<i64>, String> {
        // The first place whose value is not below the end.
        let first = |end: usize, taken: bool| -> Result<i64, String> {
            let (mut low, mut high) = places_of(format);
            while low < high {
                let middle = low + (high - low) / 2;
                let magnitude = middle.unsigned_abs();
                let code = if middle < 0 { magnitude | format.sign_bit() } else { magnitude };
                let value = Datum::new(format, code).map_err(|error| error.to_string())?.value();
                let bound = self.ends[end]
                    .compare_value(value, formats, effort)
                    .map_err(|message| self.about(&message))?;
                // A value at the bound is above the end if the upper part includes the bound.
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

/// The places of a format's values: the first, and the one after the last.
fn places_of(format: Format) -> (i64, i64) {
    let last = format.infinity_code().unwrap_or(format.max_finite_code()) as i64;
    (if format.signed() { -last } else { 0 }, last + 1)
}

/// An operation for formats and modes.
pub(super) struct SpecialisedOperation {
    pub(super) operation: Operation,
    /// The text in the table.
    pub(super) name: String,
    /// The formats of the operands and the result.
    pub(super) specs: Vec<Spec>,
    sources: Vec<Format>,
    to: Format,
    pub(super) how: Projection,
}

impl SpecialisedOperation {
    /// Parses `Sqrt<Binary8p3se, Binary8p3se, (NearestTiesToEven, SatNone)>`.
    fn parse(text: &str) -> Result<SpecialisedOperation, String> {
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
        let NamedOperation::Operation(operation) = names::operation(name.trim())? else {
            return Err(format!(
                "{} does not give one code: a table is of an operation of chapter 4 with projected results",
                name.trim()
            ));
        };
        let (Mode::Fixed(rounding), _) = names::rounding(rounding.trim())? else {
            return Err(
                "a stochastic rounding mode has no table of results: name a deterministic one".to_owned()
            );
        };
        let saturation: Saturation = names::saturation(saturation.trim())?;
        let specs: Vec<Spec> = formats
            .trim()
            .trim_end_matches(',')
            .split(',')
            .map(|name| names::format(name.trim()))
            .collect::<Result<_, String>>()?;
        let mut formats: Vec<Format> = specs.iter().map(|spec| spec.format).collect();
        let wanted = names::formats_of(NamedOperation::Operation(operation));
        if operation.kind() != binade::AnswerKind::Code
            || operation.scales() > 0
            || wanted != Some(formats.len())
        {
            return Err(format!(
                "{} must have {} formats: got {}",
                name.trim(),
                wanted.unwrap_or(0),
                formats.len()
            ));
        }
        let to = formats.pop().ok_or_else(wrong)?;
        // Operations of §4.16 do not project: their one format is that of the operand and of the result.
        let sources = if formats.is_empty() { vec![to] } else { formats };
        let how = Projection::new(rounding, saturation);
        Ok(SpecialisedOperation { operation, name: plain, specs, sources, to, how })
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

/// The place of a value in the order of its format's values, 0 for zero; `None` for NaN.
fn place(x: Datum) -> Option<i64> {
    let format = x.format();
    if x.value().is_nan() {
        return None;
    }
    let magnitude = (x.code() & format.magnitude_mask()) as i64;
    Some(if format.signed() && x.code() & format.sign_bit() != 0 { -magnitude } else { magnitude })
}

/// A code of a format.
fn code(word: &str, format: Format) -> Result<Datum, String> {
    let code = binade::text::parse_code(word.as_bytes(), format)
        .ok_or_else(|| format!("'{}' is not a code: write 0x3c, 60 or 0b111100", excerpt(word)))?;
    Datum::new(format, code).map_err(|error| error.to_string())
}

/// A table of an implementer's results: `# NAME: Op<…>`, then a line `CODE… RESULT` for every combination of operands. Words
/// after the result, such as flags, are ignored.
pub(super) struct Table {
    /// The approximation's name.
    pub(super) name: String,
    pub(super) specialisation: SpecialisedOperation,
    /// The operands' codes, the result, and the line.
    rows: Vec<(Vec<Datum>, Datum, usize)>,
}

/// The largest distance in the rows of an interval.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(super) struct Distance {
    /// `None` between NaN and a number.
    pub(super) kappa: Option<u64>,
    /// The line with the largest distance.
    pub(super) line: usize,
    /// The number of rows.
    pub(super) rows: u64,
}

impl Table {
    /// The largest number of rows.
    const MOST: u64 = 1 << 24;

    pub(super) fn read(path: &Path) -> Result<Table, StatementError> {
        let text = fs::read_to_string(path)
            .map_err(|source| StatementError::Read { path: path.to_owned(), source })?;
        Table::parse(&text).map_err(|(line, reason)| StatementError::Results {
            path: path.to_owned(),
            line,
            reason,
        })
    }

    fn parse(text: &str) -> Result<Table, (usize, String)> {
        let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
        let head = lines.next().and_then(|(_, line)| line.strip_prefix('#')?.split_once(':'));
        let (name, operation) = head.ok_or_else(|| {
            (1, "the first line must name the approximation and the operation: # SqrtFast: Sqrt<Binary8p3se, Binary8p3se, (NearestTiesToEven, SatNone)>".to_owned())
        })?;
        let specialisation = SpecialisedOperation::parse(operation).map_err(|reason| (1, reason))?;
        let bits: u32 = specialisation.sources.iter().map(|format| format.width()).sum();
        let expected = 1u64.checked_shl(bits).filter(|rows| *rows <= Table::MOST);
        let Some(expected) = expected else {
            return Err((
                1,
                format!(
                    "{} has 2^{bits} combinations of operands: the limit is {}",
                    specialisation.name,
                    Table::MOST
                ),
            ));
        };
        let (mut rows, mut seen) = (vec![], vec![false; expected as usize]);
        for (line, text) in lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')) {
            let mut words = text.split_whitespace();
            let mut next = |format: Format| -> Result<Datum, (usize, String)> {
                let word = words.next().ok_or_else(|| {
                    (line, "missing codes: a line has the code of each operand and of the result".to_owned())
                })?;
                code(word, format).map_err(|message| (line, message))
            };
            let operands =
                specialisation.sources.iter().map(|format| next(*format)).collect::<Result<Vec<_>, _>>()?;
            let result = next(specialisation.to)?;
            let index = operands.iter().fold(0, |index, x| index << x.format().width() | x.code());
            if std::mem::replace(&mut seen[index as usize], true) {
                return Err((line, "duplicate operands".to_owned()));
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
        Ok(Table { name: name.trim().to_owned(), specialisation, rows })
    }

    /// The largest distance for each interval, by the first operand, and then for the operands outside all intervals.
    pub(super) fn distances(&self, intervals: &[Interval], effort: &Effort) -> Result<Vec<Distance>, String> {
        let of_first = self.specialisation.sources.first().copied().unwrap_or(self.specialisation.to);
        let places = |interval: &Interval| interval.places(of_first, &self.specialisation.specs, effort);
        let ranges: Vec<Range<i64>> = intervals.iter().map(places).collect::<Result<_, _>>()?;
        let mut found = vec![Distance { kappa: Some(0), line: 0, rows: 0 }; intervals.len() + 1];
        for (operands, result, line) in &self.rows {
            let defined = self.specialisation.defined(operands)?;
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

    /// The interval of a text with the formats fx and fr.
    fn interval(text: &str) -> Result<Interval, String> {
        let mut found = Interval::parse(text, &["fx".to_owned(), "fr".to_owned()])?;
        assert_eq!(found.len(), 1, "{text}");
        Ok(found.remove(0))
    }

    fn formats(name: &str) -> Vec<Spec> {
        vec![name.parse().unwrap(), "binary32".parse().unwrap()]
    }

    #[test]
    fn interval_has_the_values_that_binary64_finds() {
        // Each interval has a test in binary64, which is exact for the values of Binary8p3se.
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
    fn list_of_intervals_is_parsed_into_each() {
        let found = Interval::parse("(range = [[-Inf, -4.0), (4.0, Inf]])", &[]).unwrap();
        assert_eq!(found.iter().map(Interval::text).collect::<Vec<_>>(), ["[-Inf, -4.0)", "(4.0, Inf]"]);
    }

    #[test]
    fn intervals_overlap_if_they_share_a_real() {
        let effort = Effort::new();
        let overlap = |a: &str, b: &str| {
            let (a, b) = (interval(a).unwrap(), interval(b).unwrap());
            let found = a.overlaps(&b, &formats("Binary8p3se"), &effort);
            assert_eq!(found, b.overlaps(&a, &formats("Binary8p3se"), &effort));
            found
        };
        assert_eq!(overlap("[-Inf, 0)", "[0, 1]"), Ok(false));
        assert_eq!(overlap("[1, 2]", "( 1, Inf ]"), Ok(true));
        assert_eq!(overlap("[0, π)", "[π, 4]"), Ok(false));
        assert_eq!(overlap("[0, π]", "[π, 4]"), Ok(true));
        assert_eq!(overlap("[0, 22/7]", "[π, 4]"), Ok(true));
        assert_eq!(overlap("[0, 0.1]", "(1/10, 4]"), Ok(false));
        assert_eq!(overlap("[0, emax]", "[Precision * 5, 16]"), Ok(true));
        let undecided = overlap("[0, Sqrt(2) * Sqrt(2))", "[2, 4]").unwrap_err();
        assert!(undecided.contains("not decided by 2048 bits"), "{undecided}");
    }

    #[test]
    fn malformed_interval_is_refused_with_its_text() {
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
                said.contains("is not an interval") || said.contains("unexpected character"),
                "{wrong}: {said}"
            );
        }
        for empty in ["[2, 1]", "[1, 1)", "(Inf, Inf]", "[2^0.5e1, 31]", "[emax, emin]"] {
            assert_eq!(error(empty), format!("the interval {empty} is empty"));
        }
        for (text, part) in [
            ("[a, 2]", "unknown name 'a': the formats are fx, fr"),
            ("[nan, 2]", "unknown name 'nan'"),
            ("[fx, 2]", "expected a number, got a format"),
            ("[fx == fr, 2]", "expected a number, got a relation"),
            ("[1 / 0, 2]", "division by 0"),
            ("[1 / (π - π), 2]", "not decided"),
            ("[0, 2**10**9]", "above 2^16777216"),
            ("[0, 3**10**9]", "more than 65536 bits"),
            ("[0, 2^2^2^2^2^2^2]", "below 2^63"),
            ("[0, 1e999999999999]", "more than 65536 bits"),
            ("[0, Sqrt(-1)]", "Sqrt of a negative number"),
            ("[Inf - Inf, 1]", "arithmetic on Inf"),
            ("[0, 7 ÷ 2]", "write a / b"),
            ("[0, -7 % 2]", "% of a negative number"),
            ("[0, 2^(1/2)]", "an exponent must be a whole number"),
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
        assert!(error(&format!("[{long}, {long} + 1]")).contains("too many steps"));
    }

    /// A table of the defined square roots, with some results replaced.
    fn table(replaced: &[(u64, u64)]) -> String {
        let specialisation =
            SpecialisedOperation::parse("Sqrt<Binary8p3se, Binary8p3se, (NearestTiesToEven, SatNone)>")
                .unwrap();
        let mut text = format!("# Fast: {}\n", specialisation.name);
        for code in 0..256 {
            let defined =
                specialisation.defined(&[Datum::new(specialisation.to, code).unwrap()]).unwrap().code();
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
    fn incomplete_table_is_refused() {
        let error = |text: &str| Table::parse(text).err().unwrap();
        let whole = table(&[]);
        let cut: String =
            whole.lines().filter(|line| !line.starts_with("0x07")).map(|line| format!("{line}\n")).collect();
        assert!(error(&cut).1.contains("1 of 256 combinations of operands are missing, the first at 0x7"));
        assert_eq!(error(&format!("{whole}0x07 0x00\n")), (258, "duplicate operands".to_owned()));
        assert_eq!(error("0x00 0x00").0, 1);
        assert!(error("# a: Sqrt<Binary8p3se, (NearestTiesToEven, SatNone)>").1.contains("2 formats: got 1"));
        assert!(error("# a: Sqrt<binary32, binary32, (NearestTiesToEven, SatNone)>").1.contains("2^32"));
        assert_eq!(
            error("# a: Sqrt<Binary8p3se, Binary8p3se, (NearestTiesToEven, SatNone)>\n0x100 0x0").0,
            2
        );
    }
}
