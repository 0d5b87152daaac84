//! Scales: groups of elements that share a scale, and the rules by which a scale follows from the largest magnitude.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use binade::block::{BlockFormat, NotFinite, ScaleRule};
use binade::catalog::{F32, F64};
use binade::{Datum, Format, Projection, Rounding, Saturation, Spec, SpecError, Value, decode, ops, project};
use thiserror::Error;

use crate::values::{datum, to_f64};

/// The scale of a tensor, by which it is divided before rounding.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Scale {
    /// No scale.
    #[default]
    None,
    /// One scale for the tensor.
    Tensor,
    /// One scale for each index along an axis.
    Channel {
        /// The axis; −1 for the last.
        axis: isize,
    },
    /// One scale for each block of elements: `rows` along the last axis but one and `columns` along the last. The last blocks
    /// of either axis may be smaller.
    Block {
        /// Rows of a block.
        rows: u64,
        /// Elements of a row of the block.
        columns: u64,
        /// Format of the scales.
        format: Spec,
        /// The scale rule, for a block format by name; `None` for the rule described in the crate's documentation.
        rule: Option<ScaleRule>,
    },
}

/// The reason for which a text is not a scale.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ScaleError {
    /// The text has none of the known forms.
    #[error(
        "invalid scale '{text}': must be none, tensor, channel:AXIS, block:N[,FORMAT] or block:ROWSxN[,FORMAT]"
    )]
    Syntax {
        /// The text.
        text: String,
    },
    /// The block is empty or too large.
    #[error(
        "block:{size} is out of range: a block has 1 to {LONGEST_BLOCK} rows of 1 to {LONGEST_BLOCK} elements"
    )]
    Size {
        /// The size, as given.
        size: String,
    },
    /// The format is too narrow or too wide for scales.
    #[error("{format} cannot be a scale format: must have 8 to 32 bits")]
    Width {
        /// The format.
        format: String,
    },
    /// The scale rule does not apply to these scales.
    #[error("the scale rule of {scale} must be nearest or rceil, not {rule}: it has a tensor scale")]
    Rule {
        /// The rule.
        rule: ScaleRule,
        /// The scale.
        scale: String,
    },
    /// The name of the scale format is invalid.
    #[error(transparent)]
    Format(#[from] SpecError),
}

/// Largest number of rows of a block, and of elements in a row: a run must fit in memory.
const LONGEST_BLOCK: u64 = 1 << 16;

/// Default format of block scales (OCP MX).
const BLOCK_FORMAT: &str = "float8_e8m0fnu";

impl FromStr for Scale {
    type Err = ScaleError;

    fn from_str(text: &str) -> Result<Scale, ScaleError> {
        let syntax = || ScaleError::Syntax { text: text.to_owned() };
        match text.split_once(':') {
            None if text == "none" => Ok(Scale::None),
            None if text == "tensor" => Ok(Scale::Tensor),
            Some(("channel", axis)) => Ok(Scale::Channel { axis: axis.parse().map_err(|_| syntax())? }),
            Some(("block", rest)) => {
                let (size, format) = rest.split_once(',').unwrap_or((rest, BLOCK_FORMAT));
                let (rows, columns) = size.split_once('x').unwrap_or(("1", size));
                let number = |text: &str| text.parse::<u64>().map_err(|_| syntax());
                let (rows, columns) = (number(rows)?, number(columns)?);
                if [rows, columns].iter().any(|length| !(1..=LONGEST_BLOCK).contains(length)) {
                    return Err(ScaleError::Size { size: size.to_owned() });
                }
                let format: Spec = format.parse()?;
                if !(8..=32).contains(&format.format.width()) {
                    return Err(ScaleError::Width { format: format.name().to_owned() });
                }
                Ok(Scale::Block { rows, columns, format, rule: None })
            }
            _ => Err(syntax()),
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scale::None => f.write_str("none"),
            Scale::Tensor => f.write_str("tensor"),
            Scale::Channel { axis } => write!(f, "channel:{axis}"),
            Scale::Block { rows: 1, columns, format, .. } => write!(f, "block:{columns},{format}"),
            Scale::Block { rows, columns, format, .. } => write!(f, "block:{rows}x{columns},{format}"),
        }
    }
}

impl Scale {
    /// The scale of a block format.
    pub(crate) fn of_blocks(blocks: &BlockFormat) -> Scale {
        let (rows, columns) = (blocks.shape.0 as u64, blocks.shape.1 as u64);
        let format = Spec::of_elements(blocks.scale.into());
        Scale::Block { rows, columns, format, rule: Some(blocks.rule) }
    }

    /// The rule of a block format.
    pub(crate) fn rule(&self) -> Option<ScaleRule> {
        match self {
            Scale::Block { rule, .. } => *rule,
            Scale::None | Scale::Tensor | Scale::Channel { .. } => None,
        }
    }

    /// Bits of the block's scale for each element.
    pub(crate) fn bits_of_element(&self) -> f64 {
        match self {
            Scale::Block { rows, columns, format, .. } => {
                f64::from(format.format.width()) / (rows * columns) as f64
            }
            Scale::None | Scale::Tensor | Scale::Channel { .. } => 0.0,
        }
    }

    /// The shortest text of the scale: `block:32` if the format is the default.
    pub(crate) fn short(&self) -> String {
        let text = self.to_string();
        let implied = text.strip_suffix(BLOCK_FORMAT).and_then(|text| text.strip_suffix(','));
        implied.map(str::to_owned).unwrap_or(text)
    }
}

/// Groups of elements of a tensor, in C order, that share a scale.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Groups {
    /// All elements.
    One,
    /// Runs of `inner` elements belong to channels 0, 1, …, `length` − 1, 0, ….
    Channels { inner: u64, length: u64 },
    /// Runs of `size` elements in rows of `row`.
    Blocks { row: u64, size: u64 },
    /// Tiles of `down` such runs in a column, in matrices of `rows` rows.
    Tiles { rows: u64, row: u64, down: u64, size: u64 },
}

impl Groups {
    /// The groups, and the shape of their scales; `None` if the axis does not exist.
    pub(crate) fn new(scale: &Scale, shape: &[u64]) -> Option<(Groups, Vec<u64>)> {
        match scale {
            Scale::None | Scale::Tensor => Some((Groups::One, vec![])),
            Scale::Channel { axis } => {
                let rank = shape.len();
                let axis =
                    if *axis < 0 { rank.checked_sub(axis.unsigned_abs()) } else { Some(*axis as usize) }
                        .filter(|&axis| axis < rank)?;
                let mut scales = vec![1; rank];
                scales[axis] = shape[axis];
                Some((
                    Groups::Channels { inner: shape[axis + 1..].iter().product(), length: shape[axis] },
                    scales,
                ))
            }
            Scale::Block { rows: down, columns: size, .. } => {
                let (down, size) = (*down, *size);
                // A single number is a row of one, with a single number as its scale. A vector is one row.
                let row = shape.last().copied().unwrap_or(1);
                let mut scales = shape.to_vec();
                if let Some(last) = scales.last_mut() {
                    *last = row.div_ceil(size);
                }
                match shape {
                    [.., rows, _] if down > 1 => {
                        scales[shape.len() - 2] = rows.div_ceil(down);
                        Some((Groups::Tiles { rows: *rows, row, down, size }, scales))
                    }
                    _ => Some((Groups::Blocks { row, size }, scales)),
                }
            }
        }
    }

    /// The group of an element.
    pub(crate) fn of(&self, element: u64) -> u64 {
        match *self {
            Groups::One => 0,
            Groups::Channels { inner, length } => element / inner % length,
            Groups::Blocks { row, size } | Groups::Tiles { row, size, .. } => {
                self.of_row(element / row) + element % row / size
            }
        }
    }

    /// The first group of a row of blocks or tiles.
    fn of_row(&self, number: u64) -> u64 {
        match *self {
            Groups::Blocks { .. } => number * self.across(),
            Groups::Tiles { rows, down, .. } => {
                (number / rows * rows.div_ceil(down) + number % rows / down) * self.across()
            }
            Groups::One | Groups::Channels { .. } => 0,
        }
    }

    /// A range of groups that includes those of all elements from `first` to `last`: the first, and their number.
    pub(crate) fn among(&self, first: u64, last: u64) -> (u64, u64) {
        match *self {
            Groups::Tiles { row, .. } => {
                let from = self.of_row(first / row);
                (from, self.of_row(last / row) + self.across() - from)
            }
            _ => (self.of(first), self.of(last) - self.of(first) + 1),
        }
    }

    /// Number of scales that are computed before elements are divided by them.
    pub(crate) fn known(&self, elements: u64) -> u64 {
        match *self {
            Groups::Channels { length, .. } => length,
            // The group of the last element is the last.
            Groups::Tiles { .. } => elements.checked_sub(1).map_or(0, |last| self.of(last) + 1),
            Groups::One | Groups::Blocks { .. } => 1,
        }
    }

    /// Largest number of elements processed together. It bounds the memory for their scales for any tensor; for tiles, it is
    /// a whole number of bands.
    pub(crate) fn batch_elements(&self) -> u64 {
        /// Largest number of scales kept at once.
        const TILES: u64 = 1 << 18;
        const MOST: u64 = 1 << 28;
        match *self {
            Groups::Tiles { row, down, size, .. } => {
                TILES.saturating_mul(down * size).min(MOST).max(down.saturating_mul(row))
            }
            _ => MOST,
        }
    }

    /// The rows of tiles that overlap these elements (at least one), as a range of elements.
    pub(crate) fn band(&self, range: Range<u64>, elements: u64) -> Range<u64> {
        match *self {
            Groups::Tiles { rows, row, down, .. } => {
                let of = |element: u64| {
                    let (matrix, at) = (element / row / rows, element / row % rows / down * down);
                    (matrix * rows + at, matrix * rows + (at + down).min(rows))
                };
                of(range.start).0 * row..(of(range.end - 1).1 * row).min(elements)
            }
            _ => range,
        }
    }

    /// Number of blocks or tiles beside each other.
    pub(crate) fn across(&self) -> u64 {
        match *self {
            Groups::Blocks { row, size } | Groups::Tiles { row, size, .. } => row.div_ceil(size),
            Groups::One | Groups::Channels { .. } => 1,
        }
    }

    /// First element of the run that includes this element.
    pub(crate) fn start(&self, element: u64) -> u64 {
        match *self {
            Groups::One => 0,
            Groups::Channels { inner, .. } => element - element % inner,
            Groups::Blocks { row, size } | Groups::Tiles { row, size, .. } => element - element % row % size,
        }
    }

    /// The element after that run.
    pub(crate) fn end(&self, element: u64) -> u64 {
        match *self {
            Groups::One => u64::MAX,
            Groups::Channels { inner, .. } => self.start(element) + inner,
            Groups::Blocks { row, size } | Groups::Tiles { row, size, .. } => {
                (self.start(element) + size).min(element - element % row + row)
            }
        }
    }

    /// The runs within `count` elements from `first` on: their groups, and their positions relative to `first`.
    pub(crate) fn runs(self, first: u64, count: u64) -> impl Iterator<Item = (u64, Range<usize>)> {
        let mut at = first;
        std::iter::from_fn(move || {
            if at >= first + count {
                return None;
            }
            let (start, end) = (at, self.end(at).min(first + count));
            at = end;
            Some((self.of(start), (start - first) as usize..(end - first) as usize))
        })
    }
}

/// Computes scales from largest magnitudes, for one format of elements.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    elements: Format,
    scales: Format,
    rule: ScaleRule,
    /// The tensor scale over all block scales, if there is one.
    pub(crate) tensor_scale: Option<f64>,
    /// True for the scale of a block format by name, which allows every rule under a tensor scale.
    named: bool,
}

const TO_ODD: Projection = Projection::new(Rounding::ToOdd, Saturation::Finite);

/// Magnitudes of the elements that share a scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Extent {
    /// The largest finite magnitude.
    pub(crate) largest: f64,
    /// Index of the first element that is infinite or NaN.
    pub(crate) not_finite: Option<u64>,
}

impl Extent {
    pub(crate) const EMPTY: Extent = Extent { largest: 0.0, not_finite: None };

    /// The extent of elements; `first` is the index of the first.
    pub(crate) fn of(first: u64, elements: &[f64]) -> Extent {
        // Without their signs, infinities and NaNs are the words from infinity's on.
        let (mut largest, mut top) = (0, 0);
        for x in elements {
            let magnitude = x.to_bits() & (u64::MAX >> 1);
            top = top.max(magnitude);
            largest = largest.max(if magnitude < f64::INFINITY.to_bits() { magnitude } else { 0 });
        }
        let beyond = top >= f64::INFINITY.to_bits();
        let at = beyond.then(|| elements.iter().position(|x| !x.is_finite())).flatten();
        Extent { largest: f64::from_bits(largest), not_finite: at.map(|at| first + at as u64) }
    }

    /// The extent of the elements of both.
    pub(crate) fn and(self, other: Extent) -> Extent {
        let not_finite = [self.not_finite, other.not_finite].into_iter().flatten().min();
        Extent { largest: self.largest.max(other.largest), not_finite }
    }
}

const DOWNWARD: Projection = Projection::new(Rounding::TowardNegative, Saturation::Finite);

impl Rule {
    /// Format of the scales.
    pub(crate) fn format(scale: &Scale) -> Format {
        match scale {
            Scale::Block { format, .. } => format.format,
            _ => F32,
        }
    }

    /// Returns true if scales are powers of two, as for OCP MX.
    pub(crate) fn is_mx(scale: &Scale) -> bool {
        matches!(scale, Scale::Block { format, .. } if format.format.precision() == 1)
    }

    /// Returns true if block scales need a tensor scale: their range is narrower than binary32's.
    pub(crate) fn has_two_levels(scale: &Scale) -> bool {
        matches!(scale, Scale::Block { format, .. } if format.format.exponent_bits() < 8)
            && !Self::is_mx(scale)
    }

    /// Upper bound of the significant bits of a scale.
    pub(crate) fn bits(scale: &Scale) -> u32 {
        Self::format(scale).precision() + if Self::has_two_levels(scale) { 24 } else { 0 }
    }

    /// The default scale rule: that of OCP MX or NVFP4, otherwise the rule that leaves no element beyond the largest value.
    pub(crate) fn implied(scale: &Scale) -> ScaleRule {
        match scale {
            _ if Self::is_mx(scale) => ScaleRule::Floor,
            _ if Self::has_two_levels(scale) => ScaleRule::Nearest,
            _ => ScaleRule::Rceil,
        }
    }

    /// The rule of a block format by name, the given rule, or the default.
    fn effective(scale: &Scale, rule: Option<ScaleRule>) -> ScaleRule {
        scale.rule().or(rule).unwrap_or(Self::implied(scale))
    }

    /// The saturation under a scale rule. Elements slightly beyond the largest value are clamped, not overflows.
    pub(crate) fn saturation(scale: &Scale, rule: Option<ScaleRule>, saturation: Saturation) -> Saturation {
        let clamps = scale.rule().is_some() || Self::effective(scale, rule) != ScaleRule::Rceil;
        match saturation {
            Saturation::Overflow if *scale != Scale::None && clamps => Saturation::Finite,
            other => other,
        }
    }

    /// Treatment of infinite and NaN elements under a scale.
    pub(crate) fn not_finite(elements: Format, scale: &Scale) -> NotFinite {
        match scale {
            Scale::None => NotFinite::Element,
            _ => NotFinite::of(elements, Self::format(scale)),
        }
    }

    /// Refuses a rule that these scales do not take: scales under a tensor scale are quotients.
    pub(crate) fn check(scale: &Scale, rule: Option<ScaleRule>) -> Result<(), ScaleError> {
        match rule {
            Some(rule)
                if Self::has_two_levels(scale) && !matches!(rule, ScaleRule::Nearest | ScaleRule::Rceil) =>
            {
                Err(ScaleError::Rule { rule, scale: scale.to_string() })
            }
            _ => Ok(()),
        }
    }

    /// The given rule, or the default. `maximum` is the tensor's largest finite magnitude, which only a tensor scale needs.
    pub(crate) fn new(elements: Format, scale: &Scale, rule: Option<ScaleRule>, maximum: f64) -> Rule {
        let (scales, rule) = (Self::format(scale), Self::effective(scale, rule));
        let tensor_scale = Self::has_two_levels(scale).then(|| {
            // An inexact divisor is rounded downward, so that the quotient stays an upper bound.
            let largest = ops::multiply(largest(elements), largest(scales), F64, DOWNWARD);
            // A block format by name rounds its tensor scale to nearest under every rule.
            let of_tensor = if scale.rule().is_some() { ScaleRule::Nearest } else { rule };
            quotient(maximum, f64::from_bits(largest.code), F32, of_tensor).1
        });
        Rule { elements, scales, rule, tensor_scale, named: scale.rule().is_some() }
    }

    /// The code of a group's scale, and the divisor of its elements: the scale times the tensor scale. Both are NaN if an
    /// element is not finite and only the scale can express it.
    ///
    /// # Errors
    /// The index of an element that is not finite, if neither its format nor that of scales has a NaN.
    pub(crate) fn scale_of(&self, extent: Extent, not_finite: NotFinite) -> Result<(u64, f64), u64> {
        match (extent.not_finite, not_finite) {
            (Some(_), NotFinite::Block { scale }) => Ok((scale, f64::NAN)),
            (Some(index), NotFinite::Refused) => Err(index),
            _ => Ok(self.scale(extent.largest)),
        }
    }

    /// The scale's code for a largest magnitude, and the divisor of elements: the scale times the tensor scale.
    pub(crate) fn scale(&self, maximum: f64) -> (u64, f64) {
        let (code, scale) = match self.tensor_scale {
            None => kept(self.scales, self.rule.scale(datum(maximum), self.elements, self.scales)),
            Some(tensor_scale) if self.named => {
                // The quotient rounded to odd compares like the exact one with all numbers of fewer bits than binary64's. It
                // equals such a number only if the exact quotient does. So every rule gives the same result for both.
                let maximum = match maximum {
                    0.0 => 0.0,
                    _ => f64::from_bits(ops::divide(datum(maximum), datum(tensor_scale), F64, TO_ODD).code),
                };
                kept(self.scales, self.rule.scale(datum(maximum), self.elements, self.scales))
            }
            Some(tensor_scale) => {
                let divisor = ops::multiply(largest(self.elements), datum(tensor_scale), F64, DOWNWARD);
                quotient(maximum, f64::from_bits(divisor.code), self.scales, self.rule)
            }
        };
        // Exact: scales have at most 24 bits each.
        (code, scale * self.tensor_scale.unwrap_or(1.0))
    }
}

/// Largest value of a format.
fn largest(format: Format) -> Datum {
    Datum::new(format, format.max_finite_code()).unwrap_or(datum(1.0))
}

/// maximum / divisor in the format, rounded upward or to nearest, and never 0. It is 1 if the maximum is zero.
fn quotient(maximum: f64, divisor: f64, format: Format, rule: ScaleRule) -> (u64, f64) {
    let rounding = if rule == ScaleRule::Rceil { Rounding::TowardPositive } else { Rounding::NearestEven };
    let how = Projection::new(rounding, Saturation::Max);
    let code = match maximum {
        0.0 => project(format, Value::ONE, how).code,
        _ => ops::divide(datum(maximum), datum(divisor), format, how).code,
    };
    match kept(format, code) {
        (_, 0.0) => kept(format, format.min_positive_code()),
        kept => kept,
    }
}

/// A code and its value.
fn kept(format: Format, code: u64) -> (u64, f64) {
    (code, to_f64(decode(format, code)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(name: &str) -> Format {
        name.parse::<Spec>().unwrap().format
    }

    #[test]
    fn scale_texts_round_trip() {
        for text in [
            "none",
            "tensor",
            "channel:0",
            "channel:-1",
            "block:32,float8_e8m0fnu",
            "block:2x16,float8_e4m3fn",
        ] {
            assert_eq!(text.parse::<Scale>().unwrap().to_string(), text);
        }
        assert_eq!("block:1x32,f32".parse::<Scale>().unwrap().to_string(), "block:32,f32");
        assert_eq!("block:4x32".parse::<Scale>().unwrap().short(), "block:4x32");
        assert_eq!("block:32,bf16".parse::<Scale>().unwrap().short(), "block:32,bf16");
        assert_eq!("block:32".parse::<Scale>().unwrap().to_string(), "block:32,float8_e8m0fnu");
        for size in ["0", "0x4", "4x0", "65537", "65537x1"] {
            let error = Err(ScaleError::Size { size: size.to_owned() });
            assert_eq!(format!("block:{size}").parse::<Scale>(), error);
        }
        assert!(matches!("block:4,float4_e2m1fn".parse::<Scale>(), Err(ScaleError::Width { .. })));
        assert!(matches!("block:4,nosuch".parse::<Scale>(), Err(ScaleError::Format(_))));
        for text in [
            "",
            "row",
            "channel",
            "channel:x",
            "block",
            "block:",
            "Tensor",
            "block:x",
            "block:4x",
            "block:1x2x3",
        ] {
            assert!(matches!(text.parse::<Scale>(), Err(ScaleError::Syntax { .. })), "{text}");
        }
    }

    /// For any size of tensor and tiles, few scales are kept at once, and tiles are whole.
    #[test]
    fn batch_of_any_tiles_is_bounded_and_at_least_a_band() {
        for (scale, row) in [
            ("block:2x1", 7),
            ("block:2x1", 1 << 22),
            ("block:128x128", 1 << 14),
            ("block:65536x65536", 1 << 20),
        ] {
            let (groups, _) = Groups::new(&scale.parse().unwrap(), &[1 << 20, row]).unwrap();
            let batch = groups.batch_elements();
            let (_, count) = groups.among(0, batch - 1);
            let down = if let Groups::Tiles { down, .. } = groups { down } else { 1 };
            assert!(batch >= down * row, "{scale} {row}");
            assert!(
                count <= (1 << 18) + 2 * groups.across() || batch == down * row,
                "{scale} {row}: {count}"
            );
        }
    }

    #[test]
    fn groups_of_a_small_tensor_equal_the_definition() {
        let runs = |scale: &str, shape: &[u64]| {
            let (groups, scales) = Groups::new(&scale.parse().unwrap(), shape).unwrap();
            let elements = shape.iter().product();
            (groups.runs(0, elements).map(|(group, range)| (group, range.len())).collect::<Vec<_>>(), scales)
        };
        assert_eq!(runs("tensor", &[2, 3]), (vec![(0, 6)], vec![]));
        assert_eq!(runs("channel:0", &[2, 3]), (vec![(0, 3), (1, 3)], vec![2, 1]));
        assert_eq!(runs("channel:-1", &[2, 2]), (vec![(0, 1), (1, 1), (0, 1), (1, 1)], vec![1, 2]));
        assert_eq!(runs("block:2", &[2, 3]), (vec![(0, 2), (1, 1), (2, 2), (3, 1)], vec![2, 2]));
        assert_eq!(runs("block:2", &[]), (vec![(0, 1)], vec![]));
        // Two rows, then the last alone; columns alike.
        let tiles = [(0, 2), (1, 1), (0, 2), (1, 1), (2, 2), (3, 1)];
        assert_eq!(runs("block:2x2", &[3, 3]), (tiles.to_vec(), vec![2, 2]));
        // Tiles do not extend from one matrix into the next.
        let next = tiles.map(|(group, length)| (group + 4, length));
        assert_eq!(runs("block:2x2", &[2, 3, 3]), ([tiles, next].concat(), vec![2, 2, 2]));
        assert_eq!(runs("block:2x2", &[3]), runs("block:2", &[3]));
        assert!(Groups::new(&"channel:2".parse().unwrap(), &[2, 3]).is_none());
        assert!(Groups::new(&"channel:-3".parse().unwrap(), &[2, 3]).is_none());
        let (groups, _) = Groups::new(&"block:2x2".parse().unwrap(), &[2, 3, 3]).unwrap();
        assert_eq!((groups.known(18), groups.known(0)), (8, 0));
        // From the end of a row of tiles into the next.
        assert_eq!((groups.among(5, 6), groups.among(8, 9), groups.among(4, 4)), ((0, 4), (2, 4), (0, 2)));
        // Row 2 of the first matrix and row 0 of the next, whose neighbours are in their tiles.
        assert_eq!(
            (groups.band(7..10, 18), groups.band(8..9, 18), groups.band(0..1, 18)),
            (6..15, 6..9, 0..6)
        );
        let (groups, _) = Groups::new(&"block:2".parse().unwrap(), &[2, 3]).unwrap();
        assert_eq!((groups.among(2, 3), groups.known(6)), ((1, 2), 1));
        assert_eq!((groups.start(2), groups.end(2), groups.start(4), groups.end(4)), (2, 3, 3, 5));
    }

    #[test]
    fn scaled_elements_never_exceed_the_largest_value() {
        for elements in ["float4_e2m1fn", "float8_e4m3fn", "float8_e5m2", "cfloat8_1_4_3@bias=5", "f16"] {
            for scale in ["tensor", "block:4,float8_e4m3fn", "block:4,bf16", "block:4,float8_e5m2fnuz"] {
                let (elements, scale) = (format(elements), scale.parse::<Scale>().unwrap());
                let largest = to_f64(decode(elements, elements.max_finite_code()));
                for maximum in [1e-30f32, 0.1, 1.0, 3.3, 447.9, 1e20] {
                    let rule = Rule::new(elements, &scale, Some(ScaleRule::Rceil), (3.0 * maximum) as f64);
                    for part in [maximum, maximum / 7.0, 3.0 * maximum] {
                        let (_, scale) = rule.scale(part as f64);
                        assert!(part as f64 / scale <= largest, "{elements} {scale} {part}");
                    }
                }
                assert_eq!(Rule::new(elements, &scale, None, 0.0).scale(0.0).1, 1.0);
            }
        }
    }

    #[test]
    fn mx_scales_equal_the_definition() {
        let mx = Rule::new(format("float4_e2m1fn"), &"block:32".parse().unwrap(), None, 0.0);
        // ⌊log2 5⌋ − 2 = 0; E8M0's code of 2^k is k + 127.
        assert_eq!(mx.scale(5.0), (127, 1.0));
        assert_eq!(mx.scale(0.0), (127, 1.0));
        assert_eq!(mx.scale(3.9), (126, 0.5));
        assert_eq!(mx.scale(1e-300).0, 0);
        assert_eq!(mx.scale(1e300).0, 254);
    }

    /// NVFP4's two scales in numbers: M = 6, the largest scale 448.
    #[test]
    fn nvfp4_scales_are_rounded_to_nearest_unless_upward_is_asked_for() {
        let scale: Scale = "block:16,float8_e4m3fn".parse().unwrap();
        let rule = |rule| Rule::new(format("float4_e2m1fn"), &scale, rule, 2688.0);
        // The tensor scale is 1; 6.3 / 6 = 1.05 is between 1 and 1.125.
        assert_eq!((rule(None).tensor_scale, rule(None).scale(6.3).1), (Some(1.0), 1.0));
        assert_eq!(rule(Some(ScaleRule::Rceil)).scale(6.3).1, 1.125);
        // The smallest scale replaces zero.
        assert_eq!(rule(None).scale(1e-9), (1, 2f64.powi(-9)));
        assert!(
            Rule::check(&scale, Some(ScaleRule::Floor)).unwrap_err().to_string().contains("nearest or rceil")
        );
        assert!(Rule::check(&"block:32".parse().unwrap(), Some(ScaleRule::Even)).is_ok());
    }

    #[test]
    fn not_finite_elements_are_nan_by_themselves_by_their_scale_or_refused() {
        let of = |elements: &str, scale: &str| Rule::not_finite(format(elements), &scale.parse().unwrap());
        assert_eq!(of("float8_e4m3fn", "block:32"), NotFinite::Element);
        assert_eq!(of("float4_e2m1fn", "block:32"), NotFinite::Block { scale: 0xff });
        assert_eq!(of("float4_e2m1fn", "tensor"), NotFinite::Block { scale: 0x7fc0_0000 });
        assert_eq!(of("float4_e2m1fn", "block:16,shp@bias=15"), NotFinite::Refused);
        let rule = Rule::new(format("float4_e2m1fn"), &"block:32".parse().unwrap(), None, 0.0);
        let extent = Extent::of(7, &[1.0, f64::NAN, -3.0, f64::NEG_INFINITY]);
        assert_eq!(extent, Extent { largest: 3.0, not_finite: Some(8) });
        assert_eq!(rule.scale_of(extent, NotFinite::Block { scale: 0xff }).unwrap().0, 0xff);
        assert_eq!(rule.scale_of(extent, NotFinite::Element), Ok(rule.scale(3.0)));
        assert_eq!(rule.scale_of(extent, NotFinite::Refused), Err(8));
        assert_eq!(extent.and(Extent::of(2, &[f64::INFINITY])).not_finite, Some(2));
    }
}
