//! Block formats: elements that share a scale, and the rule that gives the scale (P3109 4.0 §5, OCP MX 1.0, NVFP4).
//!
//! The operations on blocks are in [`mod@crate::ops::block`].
//!
//! ```
//! use binade::block::BlockFormat;
//! use binade::{Datum, Projection, catalog::F32};
//!
//! let nvfp4: BlockFormat = "nvfp4".parse()?;
//! let x: Vec<Datum> = (0..32).map(|i| Datum::new(F32, (i as f32).to_bits() as u64).unwrap()).collect();
//! let blocks = nvfp4.encode(&x, 32)?;
//! assert_eq!((blocks.scales.len(), blocks.elements.len()), (2, 32));
//! // 15 / 6 = 2.5 is a number of E4M3, and 15 is 6 times that.
//! assert_eq!((blocks.scales[0], blocks.elements[15]), (0x42, 0x7));
//! let back = nvfp4.decode(&blocks, F32, Projection::default())?;
//! assert_eq!(f32::from_bits(back[15].code as u32), 15.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A block never turns them into numbers ([`BlockFormat::not_finite`]). If the elements have infinities (E5M2), an
//! infinity is kept; otherwise it counts as a NaN. If the elements have a NaN (E4M3, E5M2), a NaN becomes that. If they
//! have none (E3M2, E2M3, E2M1, MXINT8), the scale becomes NaN: E8M0's 0xff or E4M3's 0x7f. That makes the whole block
//! NaN, as OCP MX §6.3 allows, and the codes of its elements are 0. NaN and infinities do not count for the largest
//! magnitude of their block.

mod element;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::catalog::Edition;
use crate::codec::{Datum, decode};
use crate::exact::{Finite, Value};
use crate::format::{Format, NanCodes};
use crate::ops::{self, Block, BlockError};
use crate::round::{Projection, Rounded, Rounding, Saturation, project, project_in};
use crate::spec::Spec;
use crate::text::nearest;

pub use element::Element;

/// A block format: the elements, their scales, the rows and columns that share a scale, and the rule that gives the
/// scale.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BlockFormat {
    /// The type of the elements.
    pub element: Element,
    /// The format of scales.
    pub scale: Format,
    /// Rows and columns of a block; one row for blocks of one dimension.
    pub shape: (usize, usize),
    /// The rule that gives a block's scale.
    pub rule: ScaleRule,
}

/// A block format's name, elements, scales, shape and rule.
pub(crate) type Named = (&'static str, &'static str, &'static str, (usize, usize), ScaleRule);

/// The block formats that have names.
const NAMED: [Named; 8] = {
    const E8M0: &str = "float8_e8m0fnu";
    [
        ("mxfp8_e4m3", "float8_e4m3fn", E8M0, (1, 32), ScaleRule::Floor),
        ("mxfp8_e5m2", "float8_e5m2", E8M0, (1, 32), ScaleRule::Floor),
        ("mxfp6_e3m2", "float6_e3m2fn", E8M0, (1, 32), ScaleRule::Floor),
        ("mxfp6_e2m3", "float6_e2m3fn", E8M0, (1, 32), ScaleRule::Floor),
        ("mxfp4", "float4_e2m1fn", E8M0, (1, 32), ScaleRule::Floor),
        ("mxint8", "mxint8", E8M0, (1, 32), ScaleRule::Floor),
        ("nvfp4", "float4_e2m1fn", "float8_e4m3fn", (1, 16), ScaleRule::Nearest),
        ("deepseek_fp8", "float8_e4m3fn", "f32", (128, 128), ScaleRule::Nearest),
    ]
};

/// Other spellings of block formats' names.
const ALIASES: [(&str, &str); 1] = [("mxfp4_e2m1", "mxfp4")];

/// The row of a block format's name, in any letter case.
pub(crate) fn named(name: &str) -> Option<&'static Named> {
    let alias = const { &ALIASES }.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name));
    let name = alias.map_or(name, |(_, name)| name);
    const { &NAMED }.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name))
}

/// An error in the name of a block format.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BlockFormatError {
    /// No format of this name.
    #[error("unknown block format '{name}': {}it is one of {}, with @rule=NAME for another scale rule", did_you_mean(nearest(.name, BlockFormat::names())), BlockFormat::names().collect::<Vec<_>>().join(", "))]
    Unknown {
        /// The name.
        name: String,
    },
    /// An option that block formats do not have.
    #[error("'{name}' takes no option '{option}': {}block formats have @rule=NAME", did_you_mean(nearest(.option, ["rule"])))]
    Option {
        /// The name.
        name: String,
        /// The option.
        option: String,
    },
    /// No scale rule of this name.
    #[error(transparent)]
    Rule(#[from] ScaleRuleError),
}

/// The rule for the NaNs of a block, and for infinities that its elements lack; see the [module](self).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NotFinite {
    /// The element is NaN.
    Element,
    /// The scale is NaN, with this code, and all elements are code 0.
    Block {
        /// The code of the scale.
        scale: u64,
    },
    /// Neither the element nor the scale has a NaN: such numbers are errors.
    Refused,
}

impl NotFinite {
    /// The rule for elements of a format under scales of another.
    pub fn of(elements: Format, scales: Format) -> NotFinite {
        if elements.nan() != NanCodes::None {
            return NotFinite::Element;
        }
        let nan = project(scales, Value::UNDEFINED, Projection::default()).code;
        match decode(scales, nan) {
            Value::Nan { .. } => NotFinite::Block { scale: nan },
            _ => NotFinite::Refused,
        }
    }
}

/// A matrix in blocks: codes of scales and of elements, each row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocks {
    /// The number of columns of elements.
    pub columns: usize,
    /// The codes of the scales.
    pub scales: Vec<u64>,
    /// The codes of the elements.
    pub elements: Vec<u64>,
}

/// A suggestion for an error message, with a separator.
fn did_you_mean(near: Option<&str>) -> String {
    near.map_or(String::new(), |near| format!("did you mean {near}? "))
}

impl BlockFormat {
    /// True for the name of a block format: one of [`BlockFormat::names`] in any letter case, with or without
    /// `@rule=NAME`.
    pub fn is_named(text: &str) -> bool {
        BlockFormat::is_name(text.split_once('@').map_or(text, |(name, _)| name))
    }

    /// The names of all block formats.
    pub fn names() -> impl Iterator<Item = &'static str> {
        const { &NAMED }.iter().map(|(name, ..)| *name)
    }

    /// True for these names and their aliases, in any letter case, without options.
    pub fn is_name(name: &str) -> bool {
        named(name).is_some()
    }

    /// The scale of a block of these elements, from their largest finite magnitude.
    pub fn scale_of(&self, elements: impl IntoIterator<Item = Datum>) -> u64 {
        let magnitude = |x: &Datum| match x.value() {
            Value::Finite(x) => Some(Value::Finite(Finite { negative: false, ..x })),
            _ => None,
        };
        let largest = elements
            .into_iter()
            .filter(|x| magnitude(x).is_some())
            .max_by(|x, y| magnitude(x).partial_cmp(&magnitude(y)).unwrap_or(Ordering::Equal));
        let zero = Datum::new(crate::catalog::F32, 0).expect("0 is a code of binary32");
        self.rule.scale(largest.unwrap_or(zero), self.element.grid(), self.scale)
    }

    /// The rule for NaNs, and for infinities that elements lack.
    pub fn not_finite(&self) -> NotFinite {
        NotFinite::of(self.element.grid(), self.scale)
    }

    /// The code of an element that is NaN or infinite, by the definitions of an edition, if that does not affect its
    /// block's scale: see [`BlockFormat::not_finite`].
    pub fn element_not_finite(&self, x: Value, edition: Edition) -> u64 {
        let grid = self.element.grid();
        let x = match x {
            Value::Infinite { negative } if !grid.infinities() => Value::Nan { negative },
            x => x,
        };
        project_in(grid, x, Projection::new(Rounding::NearestEven, Saturation::Finite), edition).code
    }

    /// Encodes a matrix of `columns` columns in blocks, with smaller ones at its right and lower edges. Each scale is
    /// given by the rule. Each element is the exact quotient by the scale, rounded once to nearest even and clamped.
    /// For NaN and infinities see the [module](self).
    ///
    /// # Errors
    /// Scales with more than 24 bits; NaN and infinities if neither elements nor scales have a NaN.
    pub fn encode(&self, x: &[Datum], columns: usize) -> Result<Blocks, BlockError> {
        let how = Projection::new(Rounding::NearestEven, Saturation::Max);
        let (columns, mut scales, mut elements) = (columns.max(1), vec![], vec![0; x.len()]);
        let infinities = self.element.grid().infinities();
        for cells in self.cells(x.len(), columns) {
            let is_nan = |at: &usize| match x[*at].value() {
                Value::Nan { .. } => true,
                Value::Infinite { .. } => !infinities,
                Value::Finite(_) => false,
            };
            let nan = cells.iter().copied().find(is_nan);
            match (nan, self.not_finite()) {
                (Some(_), NotFinite::Block { scale }) => {
                    // Its elements are already 0.
                    scales.push(scale);
                    continue;
                }
                (Some(index), NotFinite::Refused) => {
                    let (element, scale) = (self.element.grid(), self.scale);
                    return Err(BlockError::NotFinite { index, element, scale });
                }
                _ => {}
            }
            let scale = self.scale_of(cells.iter().map(|&at| x[at]));
            scales.push(scale);
            let scale = Datum::new(self.scale, scale).expect("a rule gives codes of the scale format");
            let of_block: Vec<Datum> = cells.iter().map(|&at| x[at]).collect();
            let rounded = ops::convert_to_block(&of_block, scale, self.element.grid(), how)?;
            for (&at, rounded) in cells.iter().zip(rounded) {
                elements[at] = match x[at].value() {
                    Value::Finite(_) => self.element.coded(rounded).code,
                    special => self.element_not_finite(special, Edition::V4),
                };
            }
        }
        Ok(Blocks { columns, scales, elements })
    }

    /// Decodes blocks to a format: each value is the exact product, rounded once.
    ///
    /// # Errors
    /// Formats whose products have too many bits.
    pub fn decode(&self, blocks: &Blocks, to: Format, how: Projection) -> Result<Vec<Rounded>, BlockError> {
        let mut values = vec![Rounded { code: 0, flags: crate::Flags::NONE }; blocks.elements.len()];
        const OWN: &str = "blocks hold codes of their formats";
        let element = |&at: &usize| self.element.datum(blocks.elements[at]).expect(OWN);
        for (cells, &scale) in self.cells(blocks.elements.len(), blocks.columns.max(1)).zip(&blocks.scales) {
            let elements: Vec<Datum> = cells.iter().map(element).collect();
            let block = Block { scale: Datum::new(self.scale, scale).expect(OWN), elements: &elements };
            for (at, rounded) in cells.iter().zip(ops::convert_from_block(block, to, how)?) {
                values[*at] = rounded;
            }
        }
        Ok(values)
    }

    /// The positions of the elements of each block of a matrix of `count` elements.
    fn cells(&self, count: usize, columns: usize) -> impl Iterator<Item = Vec<usize>> {
        let (down, across) = (self.shape.0.max(1), self.shape.1.max(1));
        let rows = count.div_ceil(columns);
        (0..rows).step_by(down).flat_map(move |top| {
            (0..columns).step_by(across).map(move |left| {
                let rows = top..(top + down).min(rows);
                let row =
                    |row| (left..(left + across).min(columns)).map(move |column| row * columns + column);
                rows.flat_map(row).filter(|&at| at < count).collect()
            })
        })
    }
}

impl FromStr for BlockFormat {
    type Err = BlockFormatError;

    fn from_str(text: &str) -> Result<BlockFormat, BlockFormatError> {
        let lower = text.to_ascii_lowercase();
        let (name, rule) = match lower.split_once('@') {
            Some((name, option)) if BlockFormat::is_name(name) => match option.split_once('=') {
                Some(("rule", rule)) => (name, Some(rule.parse()?)),
                _ => {
                    let option = option.split('=').next().unwrap_or("").to_owned();
                    return Err(BlockFormatError::Option { name: name.to_owned(), option });
                }
            },
            _ => (&*lower, None),
        };
        let format = |name: &str| name.parse::<Spec>().map(|spec| spec.format).ok();
        named(name)
            .and_then(|&(_, element, scale, shape, its_rule)| {
                let (element, scale) = (element.parse().ok()?, format(scale)?);
                Some(BlockFormat { element, scale, shape, rule: rule.unwrap_or(its_rule) })
            })
            .ok_or_else(|| BlockFormatError::Unknown { name: text.to_owned() })
    }
}

/// The rule that gives the scale of a block from its largest magnitude m. M is the largest value of the elements, and e
/// = ⌊log2 M⌋ its exponent.
///
/// Every rule stays within the scale format. Scales beyond its largest value are clamped, and scales that would be zero
/// become its smallest positive value. The scale of a block of zeros is 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ScaleRule {
    /// 2^(⌊log2 m⌋ − e), OCP MX §6.3: elements beyond M, by less than a binade, are clamped.
    Floor,
    /// m / M rounded upward to the scale format: no element is beyond M.
    Rceil,
    /// `Floor` of m rounded to the precision of the elements, to nearest even.
    Even,
    /// 2^(⌈log2 m⌉ − e).
    Ceil,
    /// m / M rounded to nearest even, as in NVFP4.
    Nearest,
    /// m itself rounded to nearest even: P3109's ConvertToBlockMaxAbsFinite, which does not divide by M.
    MaxAbsFinite,
}

/// An unknown scale rule.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("unknown scale rule '{name}': {}", match .nearest {
    Some(rule) => format!("did you mean {rule}?"),
    None => format!("it is one of {}", ScaleRule::ALL.map(ScaleRule::name).join(", ")),
})]
pub struct ScaleRuleError {
    /// The name.
    pub name: String,
    /// The rule with the nearest name.
    pub nearest: Option<ScaleRule>,
}

impl ScaleRule {
    /// All rules.
    pub const ALL: [ScaleRule; 6] = [
        ScaleRule::Floor,
        ScaleRule::Rceil,
        ScaleRule::Even,
        ScaleRule::Ceil,
        ScaleRule::Nearest,
        ScaleRule::MaxAbsFinite,
    ];

    /// The name: `floor`, …, `max_abs_finite`.
    pub const fn name(self) -> &'static str {
        match self {
            ScaleRule::Floor => "floor",
            ScaleRule::Rceil => "rceil",
            ScaleRule::Even => "even",
            ScaleRule::Ceil => "ceil",
            ScaleRule::Nearest => "nearest",
            ScaleRule::MaxAbsFinite => "max_abs_finite",
        }
    }

    /// The code of the scale of a block whose largest finite magnitude is `maximum`.
    ///
    /// ```
    /// use binade::block::ScaleRule;
    /// use binade::{Datum, Spec, catalog::F32};
    /// let format = |name: &str| name.parse::<Spec>().map(|spec| spec.format);
    /// let (e2m1, e8m0) = (format("float4_e2m1fn")?, format("float8_e8m0fnu")?);
    /// // ⌊log2 7⌋ − 2 = 0, and 7 is clamped to 6; 7 / 6 rounded up to a power of two is 2.
    /// let seven = Datum::new(F32, 7f32.to_bits() as u64)?;
    /// assert_eq!(ScaleRule::Floor.scale(seven, e2m1, e8m0), 127);
    /// assert_eq!(ScaleRule::Rceil.scale(seven, e2m1, e8m0), 128);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn scale(self, maximum: Datum, elements: Format, scales: Format) -> u64 {
        let how = |rounding| Projection::new(rounding, Saturation::Max);
        let m = match maximum.value() {
            Value::Finite(m) if !m.is_zero() => Finite { negative: false, ..m },
            _ => return project(scales, Value::ONE, how(Rounding::NearestEven)).code,
        };
        let quotient = |rounding| {
            let largest = Datum::new(elements, elements.max_finite_code());
            let magnitude = ops::abs(maximum, maximum.format(), Projection::default()).code;
            match (Datum::new(maximum.format(), magnitude), largest) {
                (Ok(m), Ok(largest)) => ops::divide(m, largest, scales, how(rounding)).code,
                _ => scales.max_finite_code(),
            }
        };
        let e = elements.emax() as i64;
        let power = |exponent| {
            project(scales, Value::Finite(Finite::new(false, 1, exponent)), how(Rounding::NearestEven)).code
        };
        let code = match self {
            ScaleRule::Floor => power(m.log2_floor() - e),
            ScaleRule::Ceil => power(m.log2_floor() + !m.significand.is_power_of_two() as i64 - e),
            ScaleRule::Even => power(rounded_exponent(m, elements.precision()) - e),
            ScaleRule::Rceil => quotient(Rounding::TowardPositive),
            ScaleRule::Nearest => quotient(Rounding::NearestEven),
            ScaleRule::MaxAbsFinite => project(scales, Value::Finite(m), how(Rounding::NearestEven)).code,
        };
        match decode(scales, code) {
            Value::Finite(scale) if scale.is_zero() => scales.min_positive_code(),
            _ => code,
        }
    }
}

/// ⌊log2⌋ of a magnitude rounded to nearest even with this precision. It is one more if the magnitude is at least half
/// a unit below the next power of two: the tie goes to that, because the other neighbour is odd.
fn rounded_exponent(m: Finite, precision: u32) -> i64 {
    let normalised = m.significand << m.significand.leading_zeros();
    // 2 − 2^−P in units of 2^−127.
    let threshold = u128::MAX << (127 - precision.min(127));
    m.log2_floor() + (normalised >= threshold) as i64
}

impl fmt::Display for ScaleRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ScaleRule {
    type Err = ScaleRuleError;

    fn from_str(name: &str) -> Result<ScaleRule, ScaleRuleError> {
        ScaleRule::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(|| ScaleRuleError {
            name: name.to_owned(),
            nearest: nearest(name, ScaleRule::ALL.map(ScaleRule::name))
                .and_then(|near| ScaleRule::ALL.into_iter().find(|rule| rule.name() == near)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::F64;

    fn format(name: &str) -> Format {
        name.parse::<Spec>().unwrap().format
    }

    /// The scale as a number.
    fn scale(rule: ScaleRule, maximum: f64, elements: &str, scales: &str) -> f64 {
        let scales = format(scales);
        let code = rule.scale(Datum::new(F64, maximum.to_bits()).unwrap(), format(elements), scales);
        f64::from_bits(project(F64, decode(scales, code), Projection::default()).code)
    }

    #[test]
    fn power_of_two_scales_follow_each_rule() {
        use ScaleRule::*;
        for (rule, maximum, wanted) in [
            (Floor, 7.99, 1.0),
            (Floor, 4.0, 1.0),
            (Floor, 3.99, 0.5),
            (Ceil, 4.0, 1.0),
            (Ceil, 4.01, 2.0),
            (Rceil, 6.0, 1.0),
            (Rceil, 6.01, 2.0),
            (Rceil, 3.0, 0.5),
            // Rounded to two bits, 7 is the tie of 6 and 8.
            (Even, 6.99, 1.0),
            (Even, 7.0, 2.0),
            // 9 / 6 is the tie of 1 and 2, and E8M0's code of 1, 127, is odd.
            (Nearest, 8.99, 1.0),
            (Nearest, 9.0, 2.0),
            (Nearest, 9.01, 2.0),
            (MaxAbsFinite, 5.0, 4.0),
            (Floor, 0.0, 1.0),
            (Floor, 1e-300, 2f64.powi(-127)),
            (Floor, 1e300, 2f64.powi(127)),
        ] {
            assert_eq!(scale(rule, maximum, "float4_e2m1fn", "float8_e8m0fnu"), wanted, "{rule} {maximum}");
        }
        // E4M3's width differs from E2M1's: 15/16 of a binade.
        assert_eq!(scale(Even, 495.9, "float8_e4m3fn", "float8_e8m0fnu"), 1.0);
        assert_eq!(scale(Even, 496.0, "float8_e4m3fn", "float8_e8m0fnu"), 2.0);
    }

    #[test]
    fn quotient_scales_follow_each_rule() {
        use ScaleRule::*;
        assert_eq!(scale(Nearest, 6.0, "float4_e2m1fn", "float8_e4m3fn"), 1.0);
        // 6.3 / 6 = 1.05, between 1 and 1.125.
        assert_eq!(scale(Nearest, 6.3, "float4_e2m1fn", "float8_e4m3fn"), 1.0);
        assert_eq!(scale(Rceil, 6.3, "float4_e2m1fn", "float8_e4m3fn"), 1.125);
        assert_eq!(scale(Nearest, 1e9, "float4_e2m1fn", "float8_e4m3fn"), 448.0);
        // A scale that would be zero becomes the smallest scale.
        assert_eq!(scale(Nearest, 1e-9, "float4_e2m1fn", "float8_e4m3fn"), 2f64.powi(-9));
        assert_eq!(scale(Floor, 1e-9, "float4_e2m1fn", "float8_e4m3fn"), 2f64.powi(-9));
        assert_eq!(scale(MaxAbsFinite, -5.1, "float4_e2m1fn", "float8_e4m3fn"), 5.0);
    }

    #[test]
    fn block_formats_encode_and_decode_within_their_error() {
        for name in BlockFormat::names() {
            let format: BlockFormat = name.parse().unwrap();
            let x: Vec<Datum> =
                (0..3 * 40).map(|i| Datum::new(F64, (0.37 * (i as f64 - 50.0)).to_bits()).unwrap()).collect();
            let blocks = format.encode(&x, 40).unwrap();
            assert_eq!(
                blocks.scales.len(),
                3usize.div_ceil(format.shape.0) * 40usize.div_ceil(format.shape.1)
            );
            let back = format.decode(&blocks, F64, Projection::default()).unwrap();
            for (x, back) in x.iter().zip(back) {
                let (x, back) = (f64::from_bits(x.code()), f64::from_bits(back.code));
                // Half a unit of E2M1 at its largest, and the clamping error of OCP's rule.
                assert!((x - back).abs() <= 0.34 * x.abs() + 2.0, "{name} {x} {back}");
            }
        }
        let rceil: BlockFormat = "MXFP4@rule=rceil".parse().unwrap();
        assert_eq!((rceil.rule, rceil.shape), (ScaleRule::Rceil, (1, 32)));
        assert_eq!("mxfp4_e2m1".parse::<BlockFormat>(), "mxfp4".parse());
        assert!(BlockFormat::is_name("MXFP4_E2M1") && !BlockFormat::is_name("float4_e2m1fn"));
        assert!(
            "mxfp5"
                .parse::<BlockFormat>()
                .unwrap_err()
                .to_string()
                .contains("mxfp4, mxint8, nvfp4, deepseek_fp8")
        );
        assert!("mxfp4@rule=up".parse::<BlockFormat>().is_err());
        assert_eq!("MXFP4_E2M1".parse::<BlockFormat>(), "mxfp4".parse());
        for name in ["mxfp4", "NVFP4@rule=rceil", "mxfp4_e2m1", "deepseek_fp8"] {
            assert!(BlockFormat::is_named(name), "{name}");
        }
        for name in ["", "float4_e2m1fn", "mxfp", "e2m1", "@rule=floor"] {
            assert!(!BlockFormat::is_named(name), "{name}");
        }
    }

    #[test]
    fn not_finite_numbers_never_become_numbers() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        for (name, scale) in [
            ("mxfp8_e4m3", None),
            ("mxfp8_e5m2", None),
            ("mxfp6_e3m2", Some(0xff)),
            ("mxfp6_e2m3", Some(0xff)),
            ("mxfp4", Some(0xff)),
            ("mxint8", Some(0xff)),
            ("nvfp4", Some(0x7f)),
            ("deepseek_fp8", None),
        ] {
            let format = BlockFormat { shape: (1, 4), ..name.parse().unwrap() };
            assert_eq!(
                format.not_finite(),
                scale.map_or(NotFinite::Element, |scale| NotFinite::Block { scale })
            );
            let back = |x: [f64; 8]| -> (Blocks, Vec<f64>) {
                let x = x.map(|x: f64| Datum::new(F64, x.to_bits()).unwrap());
                let blocks = format.encode(&x, 8).unwrap();
                let back = format.decode(&blocks, F64, Projection::default()).unwrap();
                (blocks, back.iter().map(|x| f64::from_bits(x.code)).collect())
            };
            let numbers = |special| [1.0, special, 0.25, -2.0, 1.0, 0.5, -0.25, 0.0];
            let (_, without) = back(numbers(0.0));
            for special in [nan, -nan, inf, -inf] {
                let (blocks, found) = back(numbers(special));
                match scale {
                    Some(scale) => {
                        assert_eq!((blocks.scales[0], &blocks.elements[..4]), (scale, &[0; 4][..]), "{name}");
                        assert!(found[..4].iter().all(|x| x.is_nan()), "{name} {special}: {found:?}");
                    }
                    None if name == "mxfp8_e5m2" && !special.is_nan() => assert_eq!(found[1], special),
                    None => assert!(found[1].is_nan(), "{name} {special}: {found:?}"),
                }
                // The other elements of its block, unless the scale is NaN, and the other block are unaffected.
                let others = if scale.is_some() { 4..8 } else { 2..8 };
                assert_eq!(found[others.clone()], without[others], "{name} {special}");
            }
        }
        // Neither elements nor scales have a NaN.
        let format = BlockFormat { scale: format("float6_e3m2fn"), ..("mxfp4".parse().unwrap()) };
        let x = [1.0, nan].map(|x: f64| Datum::new(F64, x.to_bits()).unwrap());
        let refused = format.encode(&x, 2).unwrap_err().to_string();
        assert!(refused.starts_with("element 1 is not finite"), "{refused}");
    }

    #[test]
    fn mxint8_encodes_integers_under_a_power_of_two() {
        let format: BlockFormat = "mxint8".parse().unwrap();
        // ⌊log2 3.9⌋ = 1: units of 2^(1 − 6); 3.99 is 127.7 units, which are clamped, as −3.99 is; 0.046875 is a tie.
        let x = [3.9, -3.99, 3.99, 0.046_875, -0.078_125];
        let x = x.map(|x: f64| Datum::new(F64, x.to_bits()).unwrap());
        let blocks = format.encode(&x, x.len()).unwrap();
        assert_eq!(blocks.scales, [128]);
        assert_eq!(blocks.elements, [125, 0x81, 127, 2, 0xfe]);
        // Code 0x80, to which no number is encoded, is −2.
        let blocks = Blocks { columns: 2, scales: vec![127], elements: vec![0x80, 0x01] };
        let values = format.decode(&blocks, F64, Projection::default()).unwrap();
        assert_eq!(values.iter().map(|x| f64::from_bits(x.code)).collect::<Vec<_>>(), [-2.0, 0.015625]);
    }

    #[test]
    fn block_format_names_parse_and_print() {
        for rule in ScaleRule::ALL {
            assert_eq!(rule.name().parse(), Ok(rule));
        }
        let error = |name: &str| name.parse::<ScaleRule>().unwrap_err().to_string();
        assert_eq!(error("flor"), "unknown scale rule 'flor': did you mean floor?");
        assert!(error("amax").ends_with("floor, rceil, even, ceil, nearest, max_abs_finite"));
    }
}
