//! The number line: values by position, and the marks of a picture with a given number of columns.

use binade::catalog::F64;
use binade::table::code_text;
use binade::{
    Class, Finite, Format, Projection, Rounding, Saturation, Spec, Subnormals, Value, classify, decode,
    project,
};
use serde_json::{Value as Json, json};

use crate::ExplorerError;
use crate::catalogue::row;
use crate::question::{Scale, code};

/// The most columns of a picture.
const MOST_COLUMNS: u32 = 4096;

/// The finite values of a format in order, counted from the smallest that is not negative.
pub(crate) struct Line {
    format: Format,
    /// True if the value number 0 is zero.
    zero: bool,
}

/// log2 of a positive value.
fn log2(x: Finite) -> f64 {
    (x.significand as f64).log2() + x.exponent as f64
}

/// Position of values beyond it on a line of values, so that distances are finite.
const FARTHEST: f64 = 1e300;

/// The nearest binary64.
fn binary64(value: Value) -> f64 {
    let code = project(F64, value, Projection::new(Rounding::NearestEven, Saturation::Max)).code;
    f64::from_bits(code).clamp(-FARTHEST, FARTHEST)
}

impl Line {
    pub(crate) fn new(format: Format) -> Line {
        Line { format, zero: format.subnormals() != Subnormals::None }
    }

    /// Numbers of the least and the greatest value, and of the least positive one.
    pub(crate) fn ends(&self) -> (i128, i128, i128) {
        let positive = (self.format.max_finite_code() - self.format.min_positive_code()) as i128 + 1;
        let last = positive - i128::from(!self.zero);
        (if self.format.signed() { -positive } else { 0 }, last, i128::from(self.zero))
    }

    /// The code of the value with this number, which is between the ends.
    pub(crate) fn code(&self, number: i128) -> u64 {
        let first = self.format.min_positive_code();
        match number {
            0 if self.zero => 0,
            1.. if self.zero => first + (number - 1) as u64,
            0.. => first + number as u64,
            _ => self.format.sign_bit() | (first + (-number - 1) as u64),
        }
    }

    /// The number of the value that a code has; `None` if that is not finite.
    pub(crate) fn number(&self, code: u64) -> Option<i128> {
        let Value::Finite(x) = decode(self.format, code) else { return None };
        if x.is_zero() {
            return Some(0);
        }
        let up = (code & self.format.magnitude_mask()) as i128 - self.format.min_positive_code() as i128;
        Some(if x.negative { -up - 1 } else { up + i128::from(self.zero) })
    }

    /// The position of a value.
    fn position(&self, number: i128, scale: Scale) -> f64 {
        match (decode(self.format, self.code(number)), scale) {
            (Value::Finite(x), Scale::Log) => {
                if x.is_zero() || x.negative {
                    f64::NEG_INFINITY
                } else {
                    log2(x)
                }
            }
            (value, _) => binary64(value),
        }
    }

    /// The first number from `from` on whose position is not below `position`, or one past `last`.
    fn first_at(&self, position: f64, from: i128, last: i128, scale: Scale) -> i128 {
        let (mut low, mut high) = (from, last + 1);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.position(middle, scale) < position {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The numbers that a scale can show.
    fn range(&self, scale: Scale) -> (i128, i128) {
        let (least, last, positive) = self.ends();
        match scale {
            Scale::Log => (positive, last),
            Scale::Linear => (least, last),
        }
    }
}

/// The columns that have values: their number in each, and the code and the place (in columns) of the first.
pub(crate) fn marks(
    spec: &Spec,
    scale: Scale,
    from: Option<f64>,
    to: Option<f64>,
    columns: u32,
) -> Result<Json, ExplorerError> {
    let line = Line::new(spec.format);
    let (first, last) = line.range(scale);
    if first > last {
        return Err(ExplorerError::NoLine { name: spec.name().to_owned() });
    }
    let ends = (line.position(first, scale), line.position(last, scale));
    // Some room beside the first and the last value.
    let room = if ends.0 < ends.1 {
        (ends.1 / 64.0 - ends.0 / 64.0).max(f64::MIN_POSITIVE)
    } else {
        (ends.0 / 64.0).abs().max(1.0)
    };
    let (from, to) = (from.unwrap_or(ends.0 - room), to.unwrap_or(ends.1 + room));
    if !(from < to && (to - from).is_finite()) {
        return Err(ExplorerError::Window { from, to });
    }
    let columns = columns.clamp(1, MOST_COLUMNS);
    let step = (to - from) / f64::from(columns);
    let mut marks = vec![];
    let mut next = line.first_at(from, first, last, scale);
    for column in 0..columns {
        if next > last {
            break;
        }
        let begin = next;
        next = line.first_at(from + step * f64::from(column + 1), begin, last, scale);
        if next > begin {
            let code = line.code(begin);
            let class = classify(spec.format, code);
            marks.push(json!({
                "column": column,
                "count": (next - begin) as f64,
                "code": code_text(spec.format, code),
                "place": (line.position(begin, scale) - from) / step,
                "subnormal": matches!(class, Class::PositiveSubnormal | Class::NegativeSubnormal),
            }));
        }
    }
    Ok(json!({ "from": from, "to": to, "first": ends.0, "last": ends.1, "marks": marks }))
}

/// The value `by` values up from the one at a code, or nearest to a position, or from the first.
pub(crate) fn near(
    spec: &Spec,
    scale: Scale,
    position: Option<f64>,
    word: Option<&str>,
    by: i64,
) -> Result<Json, ExplorerError> {
    let line = Line::new(spec.format);
    let (first, last) = line.range(scale);
    if first > last {
        return Err(ExplorerError::NoLine { name: spec.name().to_owned() });
    }
    let start = match (word, position) {
        (Some(word), _) => line.number(code(word, spec.format)?).unwrap_or(first),
        (None, Some(position)) => {
            let above = line.first_at(position, first, last, scale).min(last);
            let below = (above - 1).max(first);
            let distance = |number| (line.position(number, scale) - position).abs();
            if distance(below) < distance(above) { below } else { above }
        }
        (None, None) => first,
    };
    let number = (start + i128::from(by)).clamp(first, last);
    let code = line.code(number);
    Ok(json!({ "row": row(spec.format, code), "position": line.position(number, scale) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers and codes of every 8-bit format's values are each other's inverse, in order, and all values are numbered.
    #[test]
    fn every_value_has_its_number() {
        let more =
            ["uhp", "custom@width=7,precision=3,bias=3,subnormals=none", "custom@width=6,precision=1,bias=0"];
        let more = more.map(|name| name.parse().unwrap());
        for spec in Spec::all(7).filter(|spec| spec.format.width() <= 8).chain(more) {
            let line = Line::new(spec.format);
            let (first, last, positive) = line.ends();
            assert_eq!((last - first + 1) as u128, spec.format.finite_values(), "{spec}");
            let mut before = None;
            for number in first..=last {
                let code = line.code(number);
                let value = decode(spec.format, code);
                assert_eq!(line.number(code), Some(number), "{spec} {code:#x}");
                assert!(before.is_none_or(|before| before < value), "{spec} {code:#x}");
                assert_eq!(Value::ZERO < value, number >= positive, "{spec} {code:#x}");
                before = Some(value);
            }
        }
    }

    #[test]
    fn all_values_are_in_a_column() {
        for name in ["binary8p3", "cfloat8_1_4_3@bias=7", "float8_e8m0fnu", "uhp", "f16", "binary16p1", "f64"]
        {
            let spec: Spec = name.parse().unwrap();
            let line = Line::new(spec.format);
            for scale in [Scale::Log, Scale::Linear] {
                let answer = marks(&spec, scale, None, None, 300).unwrap();
                let counted: f64 = answer["marks"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|mark| mark["count"].as_f64().unwrap())
                    .sum();
                let (first, last) = line.range(scale);
                // Counts beyond 2^53 are rounded.
                assert!((counted / (last - first + 1) as f64 - 1.0).abs() < 1e-12, "{name}: {counted}");
            }
        }
    }

    #[test]
    fn nearest_and_beyond() {
        let spec: Spec = "float8_e4m3fn".parse().unwrap();
        let code = |position, word, by| {
            near(&spec, Scale::Linear, position, word, by).unwrap()["row"]["code"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        assert_eq!(code(Some(1.06), None, 0), "0x38");
        assert_eq!(code(Some(1.07), None, 0), "0x39");
        assert_eq!(code(Some(1e9), None, 0), "0x7e");
        assert_eq!(code(None, Some("0x01"), -2), "0x81");
        assert_eq!(code(None, Some("0x7e"), i64::MAX), "0x7e");
        assert_eq!(code(None, None, 0), "0xfe");
    }
}
