//! Quantizers: the rounding of a tensor to a format, with or without scales.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use super::learnt::{BiasRule, Learnt, exponent_counts, largest_exponent, with_bias};
use crate::block::{BlockFormat, BlockFormatError, Element, ScaleRule, ScaleRuleError};
use crate::catalog::F32;
use crate::codec::decode;
use crate::flags::Flags;
use crate::format::Format;
use crate::mode::RoundingError;
use crate::round::{Projection, Rounding, project};
use crate::spec::{Spec, SpecError};
use crate::text::nearest;

/// The rounding of one operand of a product, or of a stored tensor.
///
/// Grammar: `FORMAT[/OPTION…]`. `FORMAT` is a format, a block format, or `none` for a tensor that stays as it is.
///
/// | option | meaning |
/// |---|---|
/// | `scale=none`, `tensor`, `row`, `RxC` | elements that share a scale: none, all, each row along the depth (a token or a channel), or blocks of R rows and C columns |
/// | `scales=FORMAT` | the format of scales; `f32` by default for a format without blocks |
/// | `rule=NAME` | the rule of scales ([`ScaleRule`]); `nearest` by default for a format without blocks |
/// | `rounding=NAME` | the rounding of elements; `stochastic` is `stochastic_a` with 32 random bits, `stochastic_b:8` has 8; `random` is a fair coin |
/// | `rule=four_over_six` | for `nvfp4`: each block is encoded with its largest element at 6 and at 4, and the one with less mean square error stays |
/// | `partial=pad`, `leave` | a row that is no multiple of a block: its last block is filled with zeros (the default), or the whole tensor stays as it is |
/// | `bias=learnt` | the format's exponent bias follows the tensor ([`Learnt`]): its largest exponent plus `margin=N` binades, or with `by=mse` the least mean square error. With `history=N` an operand of products follows the last N steps as well |
/// | `hadamard=N` | a Hadamard rotation of each N elements along the depth, before scales are found |
/// | `signs=random` | random signs before the rotation |
///
/// An option that would have no effect is an error.
///
/// ```
/// use binade::recipe::{Quantizer, Scope};
///
/// let weights: Quantizer = "nvfp4/scale=16x16".parse()?;
/// assert_eq!(weights.blocks().unwrap().shape, (16, 16));
/// let tokens: Quantizer = "float8_e4m3fn/scale=row".parse()?;
/// assert_eq!(tokens.scope, Scope::Row);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Quantizer {
    name: String,
    /// The elements; `None` if the tensor stays as it is.
    pub element: Option<Element>,
    /// The elements that share a scale.
    pub scope: Scope,
    /// The format of scales, if there are any.
    pub scale: Format,
    /// The rule of scales.
    pub rule: ScaleRule,
    /// The rounding of elements. The random bits of a stochastic mode are drawn for each element.
    pub rounding: Rounding,
    /// True if each block chooses between scales for a largest element of 6 and of 4 (arXiv 2512.02010).
    pub four_over_six: bool,
    /// True if a tensor stays as it is whose rows along the depth are no multiple of a block. Otherwise zeros fill the last block.
    pub leaves_partial: bool,
    /// The exponent bias, if it follows the tensor.
    pub learnt: Option<Learnt>,
    /// The rotation before elements are scaled.
    pub rotation: Option<Rotation>,
}

/// The elements of a tensor that share a scale.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scope {
    /// Elements have no scale.
    None,
    /// All elements of the tensor.
    Tensor,
    /// The elements of a row along the depth: a token of activations, an output channel of weights.
    Row,
    /// Rows and columns of a block; columns are along the depth.
    Block(usize, usize),
}

/// A Hadamard rotation along the depth: consecutive elements x become H·D·x / √N. D is a diagonal matrix of signs, and H has
/// entries of ±1. Rotations of both operands of a product cancel, except for rounding.
///
/// Elements after the last whole group of N stay as they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rotation {
    /// The number N of elements that are rotated together: a power of two, 2 to 1024.
    pub size: usize,
    /// True if the signs D are random; otherwise all are +1.
    pub signs: bool,
}

/// The reason why a quantizer's text was not understood.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum QuantizerError {
    /// A name that is neither a format nor a block format.
    #[error("'{text}': {source}")]
    Format {
        /// The quantizer.
        text: String,
        /// The error of the format.
        source: SpecError,
    },
    /// An invalid block format.
    #[error("'{text}': {source}")]
    Blocks {
        /// The quantizer.
        text: String,
        /// The error of the block format.
        source: BlockFormatError,
    },
    /// An option that quantizers do not have.
    #[error(
        "'{text}': '{option}' is no option of a quantizer: {}they are scale, scales, rule, rounding, partial, bias, by, history, margin, hadamard and signs",
        match nearest(.option, OPTIONS) { Some(near) => format!("did you mean {near}? "), None => String::new() }
    )]
    Option {
        /// The quantizer.
        text: String,
        /// The option.
        option: String,
    },
    /// A value that an option does not have.
    #[error("'{text}': {key}={value} is not understood: {key} is {expected}")]
    Value {
        /// The quantizer.
        text: String,
        /// The option.
        key: &'static str,
        /// The value.
        value: String,
        /// The values that are right.
        expected: &'static str,
    },
    /// An unknown rule of scales.
    #[error("'{text}': {source}")]
    Rule {
        /// The quantizer.
        text: String,
        /// The error of the rule.
        source: ScaleRuleError,
    },
    /// An unknown rounding mode.
    #[error("'{text}': {source}")]
    Rounding {
        /// The quantizer.
        text: String,
        /// The error of the mode.
        source: RoundingError,
    },
    /// Options of scales without scales.
    #[error(
        "'{text}': {option} is an option of scales, and there are none: add scale=tensor, scale=row or scale=1x128"
    )]
    NoScales {
        /// The quantizer.
        text: String,
        /// The option.
        option: &'static str,
    },
    /// An option that has no effect beside the others.
    #[error("'{text}': {option} has no effect: {reason}")]
    NoEffect {
        /// The quantizer.
        text: String,
        /// The option.
        option: String,
        /// The reason, and what would have an effect.
        reason: String,
    },
}

/// The largest finite number of a format, rounded to binary32.
pub fn largest_number(format: Format) -> f32 {
    let largest = decode(format, format.max_finite_code());
    f32::from_bits(project(F32, largest, Projection::default()).code as u32)
}

/// True for a format that has all numbers of binary32.
fn has_all_of_binary32(format: Format) -> bool {
    // The least number and the largest one, which has all 24 digits.
    let has = |number: f32| {
        let number = decode(F32, number.to_bits().into());
        project(format, number, Projection::default()).flags == Flags::NONE
    };
    has(f32::from_bits(1)) && has(f32::MAX) && has(-f32::MAX)
}

/// True for the elements of NVFP4 and MXFP4.
fn is_e2m1(element: Option<Element>) -> bool {
    let e2m1 = "float4_e2m1fn".parse::<Spec>().ok();
    e2m1.is_some_and(|spec| element == Some(Element::Float(spec.format)))
}

const OPTIONS: [&str; 11] = [
    "scale", "scales", "rule", "rounding", "partial", "bias", "by", "history", "margin", "hadamard", "signs",
];

impl Quantizer {
    /// The quantizer of tensors that stay as they are.
    pub fn none() -> Quantizer {
        Quantizer {
            name: "none".to_owned(),
            element: None,
            scope: Scope::None,
            scale: F32,
            rule: ScaleRule::Nearest,
            rounding: Rounding::NearestEven,
            four_over_six: false,
            leaves_partial: false,
            learnt: None,
            rotation: None,
        }
    }

    /// True if tensors stay as they are.
    pub fn is_none(&self) -> bool {
        self.element.is_none() && self.rotation.is_none()
    }

    /// True if elements are rounded stochastically.
    pub fn is_stochastic(&self) -> bool {
        self.rounding.is_stochastic()
    }

    /// The block format of a tensor under scales. Its shape is limited to `usize::MAX` where a scale is shared by rows or by the
    /// whole tensor; `None` without scales.
    pub fn blocks(&self) -> Option<BlockFormat> {
        let shape = match self.scope {
            Scope::None => return None,
            Scope::Tensor => (usize::MAX, usize::MAX),
            Scope::Row => (1, usize::MAX),
            Scope::Block(rows, columns) => (rows, columns),
        };
        Some(BlockFormat { element: self.element?, scale: self.scale, shape, rule: self.rule })
    }

    /// The quantizer under the bias that these numbers of a tensor want, if its bias is learnt.
    pub fn under_bias_for(&self, numbers: &[f32]) -> Option<Quantizer> {
        let (Some(learnt), Some(Element::Float(format))) = (self.learnt, self.element) else { return None };
        let counts = match learnt.rule {
            BiasRule::Largest => vec![(largest_exponent(numbers)?, 1)],
            BiasRule::MeanSquareError => exponent_counts(numbers),
        };
        Some(self.under_bias(learnt.bias(format, &counts)?))
    }

    /// The largest number of elements without scales; infinite for other tensors.
    pub fn largest(&self) -> f32 {
        match (self.element, self.scope) {
            (Some(Element::Float(format)), Scope::None) => largest_number(format),
            _ => f32::INFINITY,
        }
    }

    /// True if the whole tensor has a scale as well, because scales have less range than binary32, as those of NVFP4 have.
    pub fn has_tensor_scale(&self) -> bool {
        let scale = self.scale;
        self.scope != Scope::None && scale != F32 && scale.precision() > 1 && scale.exponent_bits() < 8
    }

    /// Returns true if a tensor stays as it is whose rows along the depth have this length.
    pub fn leaves(&self, depth: usize) -> bool {
        self.leaves_partial && matches!(self.scope, Scope::Block(_, across) if !depth.is_multiple_of(across))
    }

    /// The quantizer with this exponent bias of its elements, which does not follow tensors.
    pub fn under_bias(&self, bias: i32) -> Quantizer {
        let element = match self.element {
            Some(Element::Float(format)) => Some(Element::Float(with_bias(format, bias))),
            other => other,
        };
        Quantizer { element, learnt: None, ..self.clone() }
    }

    /// This quantizer with blocks of another shape.
    pub fn in_blocks_of(self, shape: (usize, usize)) -> Quantizer {
        let scope = Scope::Block(shape.0, shape.1);
        if scope == self.scope {
            return self;
        }
        Quantizer { name: format!("{}/scale={}x{}", self.name, shape.0, shape.1), scope, ..self }
    }

    /// Bits of an element and of its share of scales, for a tensor of these rows and columns; 32 if it stays as it is.
    pub fn bits(&self, rows: usize, columns: usize) -> f64 {
        let Some(element) = self.element else { return 32.0 };
        let sharing = match self.scope {
            Scope::None => return element.width().into(),
            Scope::Tensor => rows.saturating_mul(columns),
            Scope::Row => columns,
            Scope::Block(down, across) => down.min(rows).saturating_mul(across.min(columns)),
        };
        f64::from(element.width()) + f64::from(self.scale.width()) / sharing.max(1) as f64
    }
}

impl fmt::Display for Quantizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl FromStr for Quantizer {
    type Err = QuantizerError;

    fn from_str(text: &str) -> Result<Quantizer, QuantizerError> {
        let name = text.trim().to_ascii_lowercase();
        let mut pieces = name.split('/').map(str::trim);
        let format = pieces.next().unwrap_or("");
        let text = || name.clone();
        let mut quantizer = if format == "none" {
            Quantizer::none()
        } else if BlockFormat::is_named(format) {
            let blocks: BlockFormat = match format.parse() {
                Ok(blocks) => blocks,
                Err(source) => return Err(QuantizerError::Blocks { text: text(), source }),
            };
            Quantizer {
                element: Some(blocks.element),
                scope: Scope::Block(blocks.shape.0, blocks.shape.1),
                scale: blocks.scale,
                rule: blocks.rule,
                ..Quantizer::none()
            }
        } else {
            if name.contains("bias=learnt") && format.parse::<Spec>().is_ok() {
                let expected = "for a format without a bias of its own, as in cfloat8_1_4_3/bias=learnt";
                let value = "learnt".to_owned();
                return Err(QuantizerError::Value { text: text(), key: "bias", value, expected });
            }
            // A learnt bias begins with the first tensor; until then it is the middle of its range.
            let learnt =
                pieces.clone().any(|piece| piece == "bias=learnt").then(|| format!("{format}@bias=31"));
            let spec =
                learnt.and_then(|format| format.parse::<Spec>().ok()).map_or_else(|| format.parse(), Ok);
            match spec {
                Ok(spec) => Quantizer { element: Some(Element::Float(spec.format)), ..Quantizer::none() },
                Err(source) => return Err(QuantizerError::Format { text: text(), source }),
            }
        };
        let (mut of_scales, mut signs, mut is_learnt, mut of_blocks) = (None, false, false, None);
        let mut given: Vec<&str> = Vec::new();
        if BlockFormat::is_named(format) && format.contains('@') {
            of_scales = Some("rule");
        }
        for piece in pieces {
            let (key, value) =
                piece.split_once('=').map_or((piece, ""), |(key, value)| (key.trim(), value.trim()));
            if given.contains(&key) {
                let reason = format!("{key} is given more than once: leave one of them");
                return Err(QuantizerError::NoEffect { text: text(), option: piece.to_owned(), reason });
            }
            given.push(key);
            let wrong = |key, expected| QuantizerError::Value {
                text: text(),
                key,
                value: value.to_owned(),
                expected,
            };
            match key {
                "scale" => {
                    quantizer.scope = scope_named(value).ok_or_else(|| {
                        wrong("scale", "none, tensor, row, token, channel, or a block as in 1x128")
                    })?;
                }
                "scales" => {
                    of_scales = Some("scales");
                    quantizer.scale = match value.parse::<Spec>() {
                        Ok(spec) => spec.format,
                        Err(source) => return Err(QuantizerError::Format { text: text(), source }),
                    };
                }
                "rule" if value == "four_over_six" => {
                    of_scales = Some("rule");
                    quantizer.four_over_six = true;
                }
                "rule" => {
                    of_scales = Some("rule");
                    quantizer.rule = match value.parse() {
                        Ok(rule) => rule,
                        Err(source) => return Err(QuantizerError::Rule { text: text(), source }),
                    };
                }
                "rounding" => {
                    quantizer.rounding = match value.parse() {
                        Ok(rounding) => rounding,
                        Err(source) => return Err(QuantizerError::Rounding { text: text(), source }),
                    };
                }
                "bias" if value == "learnt" => {
                    quantizer.learnt.get_or_insert_default();
                    is_learnt = true;
                }
                "bias" => return Err(wrong("bias", "learnt; a fixed one is written FORMAT@bias=N")),
                "partial" if ["pad", "leave"].contains(&value) => {
                    of_blocks = Some(if value == "pad" { "pad" } else { "leave" });
                    quantizer.leaves_partial = value == "leave";
                }
                "partial" => {
                    return Err(wrong("partial", "pad (zeros fill the last block of a row) or leave"));
                }
                "by" => {
                    quantizer.learnt.get_or_insert_default().rule = match value {
                        "largest" => BiasRule::Largest,
                        "mse" => BiasRule::MeanSquareError,
                        _ => return Err(wrong("by", "largest (exponent) or mse (mean square error)")),
                    };
                }
                "history" => {
                    let history = value.parse().ok().filter(|n| (1..=1024).contains(n));
                    let history = history.ok_or_else(|| wrong("history", "a number of steps, 1 to 1024"))?;
                    quantizer.learnt.get_or_insert_default().history = Some(history);
                }
                "margin" => {
                    let margin = value.parse().ok().filter(|n| (0..=8).contains(n));
                    let margin = margin.ok_or_else(|| wrong("margin", "a number of binades, 0 to 8"))?;
                    quantizer.learnt.get_or_insert_default().margin = margin;
                }
                "hadamard" => {
                    let size =
                        value.parse::<usize>().ok().filter(|n| n.is_power_of_two() && (2..=1024).contains(n));
                    let size = size.ok_or_else(|| wrong("hadamard", "a power of two, 2 to 1024"))?;
                    quantizer.rotation = Some(Rotation { size, signs });
                }
                "signs" if value == "random" => {
                    signs = true;
                    quantizer.rotation = quantizer.rotation.map(|rotation| Rotation { signs, ..rotation });
                }
                "signs" => return Err(wrong("signs", "random, beside hadamard=N")),
                _ => return Err(QuantizerError::Option { text: text(), option: key.to_owned() }),
            }
        }
        if let (Some(option), Scope::None) = (of_scales, quantizer.scope) {
            return Err(QuantizerError::NoScales { text: text(), option });
        }
        let value = |key, value: &str, expected| {
            Err(QuantizerError::Value { text: text(), key, value: value.to_owned(), expected })
        };
        if signs && quantizer.rotation.is_none() {
            return value("signs", "random", "an option beside hadamard=N");
        }
        if quantizer.learnt.is_some() && !is_learnt {
            return value("history", "N", "an option beside bias=learnt, as are margin and by");
        }
        if let (Some(partial), false) = (of_blocks, matches!(quantizer.scope, Scope::Block(..))) {
            return value("partial", partial, "for blocks, as in nvfp4 or float8_e4m3fn/scale=1x128");
        }
        if is_learnt
            && !(quantizer.scope == Scope::None && matches!(quantizer.element, Some(Element::Float(_))))
        {
            return value("bias", "learnt", "for a format without scales, as in cfloat8_1_4_3/bias=learnt");
        }
        if quantizer.four_over_six && !is_e2m1(quantizer.element) {
            return value("rule", "four_over_six", "for elements of float4_e2m1fn, as in nvfp4");
        }
        if let Some((option, reason)) = quantizer.without_effect(&given, format) {
            return Err(QuantizerError::NoEffect { text: text(), option, reason });
        }
        quantizer.name = name.clone();
        Ok(quantizer)
    }
}

impl Quantizer {
    /// An option among those `given` that has no effect, and the reason.
    fn without_effect(&self, given: &[&str], format: &str) -> Option<(String, String)> {
        let has = |key: &str| given.contains(&key);
        if self.element.is_none() {
            let key = ["scale", "rounding"].into_iter().find(|key| has(key))?;
            return Some((key.to_owned(), "'none' leaves tensors as they are: name a format".to_owned()));
        }
        let rounds = !matches!((self.element, self.scope), (Some(Element::Float(format)), Scope::None) if has_all_of_binary32(format));
        if !rounds && self.rounding != Rounding::NearestEven {
            let reason = format!("{format} has all numbers of binary32: name a narrower format, as bf16");
            return Some((format!("rounding={}", self.rounding.text()), reason));
        }
        if has("margin") && self.learnt.is_some_and(|learnt| learnt.rule == BiasRule::MeanSquareError) {
            let reason = "a margin is for by=largest: leave out one of by=mse and margin";
            return Some(("margin".to_owned(), reason.to_owned()));
        }
        if has("partial") && matches!(self.scope, Scope::Block(_, 1)) {
            let reason = "blocks of one column fill all rows: leave it out";
            return Some(("partial".to_owned(), reason.to_owned()));
        }
        let is_quotient = matches!(self.rule, ScaleRule::Nearest | ScaleRule::Rceil);
        if !is_quotient && (self.four_over_six || self.has_tensor_scale()) {
            let reason = match self.four_over_six {
                true => "rule=four_over_six divides by 6 and by 4, for scales as those of nvfp4".to_owned(),
                false => format!(
                    "scales of {} are quotients, because the tensor has a scale as well: their rules are nearest, rceil and \
                     four_over_six. {} is for other scales, as in mxfp4@rule={}",
                    self.scale, self.rule, self.rule
                ),
            };
            return Some((format!("rule={}", self.rule), reason));
        }
        // The rule of the format's own name.
        if format.contains("@rule=") && has("rule") && !self.four_over_six {
            let own = format.split('@').next_back().unwrap_or("").to_owned();
            return Some((own, format!("rule={} replaces it: leave out one of them", self.rule)));
        }
        None
    }
}

fn scope_named(text: &str) -> Option<Scope> {
    Some(match text {
        "none" => Scope::None,
        "tensor" => Scope::Tensor,
        "row" | "token" | "channel" => Scope::Row,
        _ => {
            let (rows, columns) = text.split_once('x')?;
            let count = |text: &str| text.parse::<usize>().ok().filter(|&n| n > 0);
            Scope::Block(count(rows)?, count(columns)?)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_without_effect_are_refused() {
        for (text, wanted) in [
            (
                "nvfp4/rule=floor",
                "'nvfp4/rule=floor': rule=floor has no effect: scales of float8_e4m3fn are quotients",
            ),
            ("nvfp4@rule=even", "rule=even has no effect"),
            ("NVFP4/rule=ceil/scale=16x16", "as in mxfp4@rule=ceil"),
            ("nvfp4/rule=max_abs_finite", "their rules are nearest, rceil and four_over_six"),
            ("float8_e4m3fn/scale=1x32/scales=float8_e5m2/rule=floor", "scales of float8_e5m2 are quotients"),
            ("mxfp4/scales=float8_e4m3fn", "rule=floor has no effect"),
            ("mxfp4/rule=four_over_six", "rule=floor has no effect: rule=four_over_six divides"),
            ("nvfp4@rule=rceil/rule=nearest", "rule=rceil has no effect: rule=nearest replaces it"),
            ("nvfp4@rule=rceil/scale=none", "rule is an option of scales, and there are none"),
            ("nvfp4/scale=1x16/scale=16x16", "scale=16x16 has no effect: scale is given more than once"),
            ("none/rounding=stochastic", "rounding has no effect: 'none' leaves tensors as they are"),
            ("none/scale=row", "scale has no effect"),
            ("none/hadamard=16/rounding=stochastic", "rounding has no effect"),
            (
                "f32/rounding=stochastic:8",
                "rounding=stochastic_a:8 has no effect: f32 has all numbers of binary32",
            ),
            ("f64/rounding=toward_zero", "f64 has all numbers of binary32"),
            ("cfloat8_1_4_3/bias=learnt/by=mse/margin=2", "margin has no effect: a margin is for by=largest"),
            ("float8_e4m3fn/scale=128x1/partial=leave", "partial has no effect: blocks of one column"),
        ] {
            let found = text.parse::<Quantizer>().unwrap_err().to_string();
            assert!(found.contains(wanted), "{text}: {found}");
        }
    }

    #[test]
    fn options_with_effect_are_taken() {
        for text in [
            "nvfp4/rule=rceil",
            "nvfp4@rule=rceil/rule=four_over_six",
            "nvfp4@rule=nearest/scale=16x16",
            "mxfp4/rule=floor",
            "mxfp4@rule=max_abs_finite",
            "float8_e4m3fn/scale=1x32/rule=floor",
            "float8_e4m3fn/scale=row/scales=bf16/rule=even",
            "deepseek_fp8@rule=ceil",
            "none/hadamard=16/signs=random",
            "f32/scale=row/rounding=stochastic",
            "tf32/rounding=stochastic",
            "f32/rounding=nearest_even",
            "cfloat8_1_4_3/bias=learnt/by=largest/margin=0/history=4",
            "float8_e4m3fn/scale=1x128/partial=leave",
        ] {
            assert_eq!(text.parse::<Quantizer>().map(|quantizer| quantizer.name).as_deref(), Ok(text));
        }
    }

    #[test]
    fn largest_numbers_are_those_of_formats_without_scales() {
        let of = |text: &str| text.parse::<Quantizer>().unwrap().largest();
        assert_eq!([of("float8_e4m3fn"), of("bf16"), of("f64")], [448.0, 3.389_531_4e38, f32::INFINITY]);
        assert_eq!([of("nvfp4"), of("float8_e4m3fn/scale=row"), of("none")], [f32::INFINITY; 3]);
    }
}
