//! κ-approximate operations (§4.4): intervals of operands with what is declared for them, and what tables of results have.
//!
//! κ is the distance between the result given and the defined one in the order of the result format's values, infinities
//! among them: 0 is the same, 1 a neighbour. What is NaN in one and not in the other is at no distance.

use std::fs;
use std::path::Path;

use binade::catalog::F64;
use binade::ops::{self, Comparison};
use binade::{Answer, Datum, Edition, Format, Operation, Projection, Saturation, Spec};

use super::names;
use crate::Error;
use crate::modes::Mode;

/// An interval of operands.
#[derive(Clone, Debug)]
pub(super) struct Interval {
    text: String,
    ends: [Datum; 2],
    /// Whether an end belongs to it.
    closed: [bool; 2],
}

impl Interval {
    /// `[ -Inf, 0 )`.
    pub(super) fn parse(text: &str) -> Result<Interval, String> {
        let wrong = || format!("'{}' is not an interval: write [ -Inf, 0 )", text.trim().escape_debug());
        let plain = text.trim();
        let closed = [plain.starts_with('['), plain.ends_with(']')];
        let inside = plain
            .strip_prefix(['[', '('])
            .and_then(|rest| rest.strip_suffix([']', ')']))
            .ok_or_else(wrong)?;
        let (low, high) = inside.split_once(',').ok_or_else(wrong)?;
        let end = |text: &str| -> Result<Datum, String> {
            let number: f64 = text.trim().parse().map_err(|_| wrong())?;
            if number.is_nan() {
                return Err(wrong());
            }
            Datum::new(F64, number.to_bits()).map_err(|error| error.to_string())
        };
        let ends = [end(low)?, end(high)?];
        let empty = match ops::compare(Comparison::Equal, ends[0], ends[1]) {
            true => closed != [true, true],
            false => ops::compare(Comparison::Greater, ends[0], ends[1]),
        };
        match empty {
            true => Err(format!("the interval {plain} has nothing in it")),
            false => Ok(Interval { text: plain.to_owned(), ends, closed }),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    fn has(&self, x: Datum) -> bool {
        let relation = |closed: bool| if closed { Comparison::LessEqual } else { Comparison::Less };
        ops::compare(relation(self.closed[0]), self.ends[0], x)
            && ops::compare(relation(self.closed[1]), x, self.ends[1])
    }

    /// Whether they have operands in common.
    pub(super) fn meets(&self, other: &Interval) -> bool {
        let before = |a: &Interval, b: &Interval| {
            let (end, start) = (a.ends[1], b.ends[0]);
            ops::compare(Comparison::Less, end, start)
                || ops::compare(Comparison::Equal, end, start) && !(a.closed[1] && b.closed[0])
        };
        !before(self, other) && !before(other, self)
    }
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
    how: Projection,
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
        if operation.kind() != binade::Kind::Code || operation.scales() > 0 || wanted != Some(formats.len()) {
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
    pub(super) fn distances(&self, intervals: &[Interval]) -> Result<Vec<Distance>, String> {
        let mut found = vec![Distance { kappa: Some(0), line: 0, rows: 0 }; intervals.len() + 1];
        for (operands, result, line) in &self.rows {
            let defined = self.what.defined(operands)?;
            let at =
                intervals.iter().position(|interval| interval.has(operands[0])).unwrap_or(intervals.len());
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

    #[test]
    fn intervals_say_what_is_in_them() {
        let at = |x: f64| Datum::new(F64, x.to_bits()).unwrap();
        let interval = Interval::parse("[ -Inf, 0 )").unwrap();
        assert!(interval.has(at(f64::NEG_INFINITY)) && interval.has(at(-1e-300)));
        assert!(!interval.has(at(0.0)) && !interval.has(at(f64::NAN)));
        assert!(!interval.meets(&Interval::parse("[0, 1]").unwrap()));
        assert!(Interval::parse("[1, 2]").unwrap().meets(&Interval::parse("( 1, Inf ]").unwrap()));
        for wrong in ["1, 2", "[2, 1]", "[1, 1)", "[a, 2]", "[nan, 2]", "[1 2]"] {
            assert!(Interval::parse(wrong).is_err(), "{wrong}");
        }
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
        let intervals = [Interval::parse("[0, 1]").unwrap(), Interval::parse("(1, Inf]").unwrap()];
        let distances =
            |replaced: &[(u64, u64)]| Table::parse(&table(replaced)).unwrap().distances(&intervals).unwrap();
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
