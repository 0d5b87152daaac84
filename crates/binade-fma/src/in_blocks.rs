//! Matrix products that encode both operands in a block format first, and then multiply them.
//!
//! An operator whose inputs are a block format, such as `mxfp4:f32`, denotes such a product ([`in_blocks`]).

use std::fmt;
use std::str::FromStr;

use binade::block::{BlockFormat, BlockFormatError, Element};
use binade::recipe::{Pass, Quantizer, QuantizerError, Recipe, RecipeError, Scope};
use binade::unit::UnitOperator;
use binade::{Operator, OperatorError, Spec};
use thiserror::Error;

/// The formats of a product's two operands, of which at least one is a block format, or the quantizers of a recipe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InBlocks {
    name: String,
    /// A's quantizer, with blocks along its rows, and B's, with blocks along its columns.
    quantizers: [Quantizer; 2],
}

/// An error in the formats of a product's operands.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InputsError {
    /// The name of a block format.
    #[error(transparent)]
    Blocks(#[from] BlockFormatError),
    /// An option that has no effect.
    #[error(transparent)]
    Quantizer(#[from] QuantizerError),
    /// An option that quantizers of recipes have, and operators do not.
    #[error(
        "/{option} is an option of quantizers in recipes: write a rule of scales as {format}@rule=NAME, and other options in a \
         recipe, as in 'mine{{base=none|forward.weight={format}/{option}}}'"
    )]
    Option {
        /// The block format.
        format: String,
        /// The option.
        option: String,
    },
}

impl FromStr for InBlocks {
    type Err = InputsError;

    /// `FORMAT` for both, or `FORMAT_A,FORMAT_B` with `,` or `*` between them. One of two formats may have no blocks. A format
    /// whose blocks have several rows is made for weights. A, the activations, then has blocks of one row.
    fn from_str(text: &str) -> Result<InBlocks, InputsError> {
        let name = text.trim().to_ascii_lowercase();
        let two = name.split_once([',', '*']).map(|(a, b)| [a.trim(), b.trim()]);
        let one_has_blocks = two.is_some_and(|two| two.into_iter().any(is_blocks));
        let of = |text: &str| -> Result<Quantizer, InputsError> {
            if !(one_has_blocks && !is_blocks(text) && text.parse::<Spec>().is_ok()) {
                text.parse::<BlockFormat>()?;
            }
            Ok(text.parse::<Quantizer>()?)
        };
        let [a, b] = two.unwrap_or([&*name; 2]);
        let (a, b) = (of(a)?, of(b)?);
        let a = match a.scope {
            Scope::Block(_, across) => a.in_blocks_of((1, across)),
            _ => a,
        };
        Ok(InBlocks { name, quantizers: [a, b] })
    }
}

impl InBlocks {
    /// The quantizers of a recipe's forward products, and the operator that adds them.
    ///
    /// # Errors
    /// Sums that no operator computes.
    pub fn of_recipe(recipe: &Recipe) -> Result<(InBlocks, Operator), RecipeError> {
        let (quantizers, operator) = recipe.operands_and_operator(Pass::Forward, false)?;
        Ok((InBlocks { name: recipe.name.clone(), quantizers }, operator))
    }

    /// The quantizers of both operands.
    pub fn quantizers(&self) -> [Quantizer; 2] {
        self.quantizers.clone()
    }
}

impl fmt::Display for InBlocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// An error in the text of an operator whose inputs are block formats.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum InBlocksError {
    /// The inputs.
    #[error("'{operator}': its inputs: {source}")]
    Inputs {
        /// The operator.
        operator: String,
        /// The error of the formats.
        source: InputsError,
    },
    /// The accumulator.
    #[error("'{operator}': the products of blocks are added by {added}: {source}")]
    Accumulator {
        /// The operator.
        operator: String,
        /// The operator on elements.
        added: String,
        /// The error of that operator.
        source: Box<OperatorError>,
    },
}

/// The block formats of an operator `BLOCKS:ACCUMULATOR`, and the operator on their elements. Returns `None` if the
/// inputs are not a block format.
///
/// `mxfp4:f32` encodes both operands of a product in blocks along the summed dimension, as [`crate::QuantizedProduct`] does. It
/// adds the products of elements under `f32:f32`, because elements of all block formats are binary32 numbers.
///
/// ```
/// use binade_fma::in_blocks;
///
/// let (blocks, operator) = in_blocks("nvfp4:bf16")?.expect("NVFP4 is a block format");
/// assert_eq!((blocks.to_string(), operator.to_string()), ("nvfp4".to_owned(), "f32:bf16".to_owned()));
/// assert_eq!(in_blocks("float4_e2m1fn:bf16")?, None);
/// # Ok::<(), binade_fma::InBlocksError>(())
/// ```
///
/// The operands may have two formats, as in `nvfp4*mxfp8_e4m3:f32` and `mxfp4*bf16:f32`. `mxfp4` alone is `mxfp4:f32`.
///
/// A matrix unit multiplies elements of blocks as well: `h100:deepseek_fp8` is the pair of `deepseek_fp8` and
/// `h100:float8_e4m3fn`, and `b200:nvfp4` that of `nvfp4` and `b200:float4_e2m1fn`.
///
/// # Errors
/// Invalid block formats as inputs, and invalid accumulators with such inputs.
pub fn in_blocks(text: &str) -> Result<Option<(InBlocks, Operator)>, InBlocksError> {
    if UnitOperator::is_named_by(text) {
        let Some((unit, formats, options)) = UnitOperator::parts(text) else { return Ok(None) };
        if !formats.split('*').any(is_blocks) {
            return Ok(None);
        }
        return on_elements(text, formats, |blocks| {
            let options = options.map_or(String::new(), |options| format!("/{options}"));
            let [a, b] = blocks.quantizers.each_ref().map(|quantizer| quantizer.element);
            let element = |element: Option<Element>| element.map_or("f32".to_owned(), |one| one.to_string());
            format!("{unit}:{}*{}{options}", element(a), element(b))
        });
    }
    refuse_quantizers(text)?;
    // The name of formats alone adds in binary32.
    let (inputs, accumulator) = text.split_once(':').unwrap_or((text, "f32"));
    if !inputs.split([',', '*']).any(is_blocks) {
        return Ok(None);
    }
    on_elements(text, inputs, |_| format!("f32:{accumulator}"))
}

/// Refuses an operator with options of quantizers, as `nvfp4/rule=rceil`. An order, which is an option of rules, is not one.
///
/// # Errors
/// The quantizer's error, if it has one. Otherwise, the way to write the option.
pub fn refuse_quantizers(text: &str) -> Result<(), InBlocksError> {
    let (inputs, accumulator) = text.split_once(':').unwrap_or((text, ""));
    let of_accumulator = accumulator.split('/').skip(1).filter(|piece| piece.trim().starts_with("rule="));
    for input in inputs.split([',', '*']) {
        let mut pieces = input.split('/');
        let format = pieces.next().unwrap_or("").trim();
        if !is_blocks(format) {
            continue;
        }
        let is_option = |piece: &&str| piece.contains('=') && !piece.trim().starts_with("order=");
        let options: Vec<&str> = pieces.filter(is_option).chain(of_accumulator.clone()).collect();
        let Some(option) = options.first() else { continue };
        let source = match format!("{format}/{}", options.join("/")).parse::<Quantizer>() {
            Ok(_) => InputsError::Option { format: format.to_owned(), option: option.trim().to_owned() },
            Err(source) => source.into(),
        };
        return Err(InBlocksError::Inputs { operator: text.trim().to_owned(), source });
    }
    Ok(())
}

/// The block formats that an operator's inputs name, and the operator on their elements by its text.
fn on_elements(
    text: &str,
    inputs: &str,
    added: impl FnOnce(&InBlocks) -> String,
) -> Result<Option<(InBlocks, Operator)>, InBlocksError> {
    let operator = text.trim().to_owned();
    let blocks: InBlocks = match inputs.parse() {
        Ok(blocks) => blocks,
        Err(source) => return Err(InBlocksError::Inputs { operator, source }),
    };
    let added = added(&blocks);
    match added.parse() {
        Ok(of_elements) => Ok(Some((blocks, of_elements))),
        Err(source) => Err(InBlocksError::Accumulator { operator, added, source: Box::new(source) }),
    }
}

/// True if a format of inputs is one of blocks.
fn is_blocks(input: &str) -> bool {
    BlockFormat::is_name(input.split('@').next().unwrap_or("").trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{QuantizedProduct, count_lost_to_nan};

    fn product(blocks: &str, operator: &str, order: &str, a: &[f32], b: &[f32], depth: usize) -> Vec<f32> {
        let product = QuantizedProduct::new(
            blocks.parse::<InBlocks>().unwrap().quantizers(),
            operator.parse().unwrap(),
            order.parse().unwrap(),
        )
        .unwrap();
        let (rows, columns) = (a.len() / depth, b.len() / depth);
        let (left, right) =
            (product.left(a, depth, 0).unwrap(), product.right(b, depth, columns, 0).unwrap());
        let mut c = vec![0.0; rows * columns];
        product.rows(&left, &right, (0, columns), &mut c).unwrap();
        c
    }

    #[test]
    fn not_finite_numbers_make_their_products_nan() {
        let depth = 40;
        for name in BlockFormat::names() {
            for order in ["sequential", "pairwise", "exact", "aligned:8,14"] {
                for special in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                    // Two rows: one with the special value, and one without.
                    let mut a = vec![1.0; 2 * depth];
                    a[3] = special;
                    let b = vec![1.0; depth];
                    let c = product(name, "f32:f32", order, &a, &b, depth);
                    let infinite = name == "mxfp8_e5m2" && special.is_infinite();
                    assert!(c[0].is_nan() || infinite && c[0] == special, "{name} {order} {special}: {c:?}");
                    assert!((c[1] - depth as f32).abs() < 1e-3, "{name} {order} {special}: {c:?}");
                    let c = product(name, "f32:bf16", order, &b, &a[..depth], depth);
                    assert!(c[0].is_nan() || infinite && c[0] == special, "{name} {order} {special}: {c:?}");
                }
            }
        }
        let mxfp4: BlockFormat = "mxfp4".parse().unwrap();
        assert_eq!(count_lost_to_nan(&mxfp4, &[1.0, f32::NAN, f32::INFINITY]), 2);
        assert_eq!(count_lost_to_nan(&"mxfp8_e5m2".parse().unwrap(), &[f32::NAN, f32::INFINITY]), 1);
    }

    #[test]
    fn operators_of_block_formats_equal_products_in_blocks() {
        let parsed = |text: &str| {
            let (blocks, operator) = in_blocks(text).unwrap().unwrap();
            (blocks.to_string(), operator.to_string())
        };
        let both = |blocks: &str, operator: &str| (blocks.to_owned(), operator.to_owned());
        assert_eq!(parsed("mxfp4:f32"), both("mxfp4", "f32:f32"));
        assert_eq!(
            parsed("MXFP8_E4M3,mxfp4@rule=rceil:tf32"),
            both("mxfp8_e4m3,mxfp4@rule=rceil", "f32:tf32")
        );
        assert_eq!(parsed("nvfp4*bf16"), both("nvfp4*bf16", "f32:f32"));
        assert_eq!(parsed("mxfp8_e5m2"), both("mxfp8_e5m2", "f32:f32"));
        let (blocks, _) = in_blocks("deepseek_fp8*f32:bf16").unwrap().unwrap();
        assert_eq!(blocks.quantizers().map(|one| one.to_string()), ["deepseek_fp8/scale=1x128", "f32"]);
        for plain in ["float4_e2m1fn:f32", "bf16:bf16", "cfloat8_1_4_3@bias=7:f32", "mp", "f32:mxfp4"] {
            assert_eq!(in_blocks(plain), Ok(None), "{plain}");
        }
        let error = |text: &str| in_blocks(text).unwrap_err().to_string();
        assert!(error("mxfp4@rul=ceil:f32").contains("takes no option 'rul': did you mean rule?"));
        assert!(error("mxfp4,mxfp9:f32").contains("unknown block format 'mxfp9': did you mean mxfp4?"));
        assert!(error("nvfp4@rule=floor:f32").contains("rule=floor has no effect"));
        assert!(error("mxfp4*bf17").contains("unknown block format 'bf17'"));
        assert!(error("mxfp4:fp17").contains("unknown format 'fp17'"));
        assert!(error("mxfp4:bf16x2").contains("'f32:bf16x2' is not defined"));
    }

    #[test]
    fn options_of_quantizers_say_what_is_right() {
        let error = |text: &str| in_blocks(text).unwrap_err().to_string();
        for text in
            ["nvfp4/rule=floor", "nvfp4/rule=floor:f32", "nvfp4:f32/rule=floor", "mxfp4*nvfp4/rule=floor"]
        {
            let found = error(text);
            assert!(
                found.contains("'nvfp4/rule=floor': rule=floor has no effect: scales of"),
                "{text}: {found}"
            );
        }
        assert_eq!(
            error("nvfp4/rule=rceil"),
            "'nvfp4/rule=rceil': its inputs: /rule=rceil is an option of quantizers in recipes: write a rule of scales as \
             nvfp4@rule=NAME, and other options in a recipe, as in 'mine{base=none|forward.weight=nvfp4/rule=rceil}'"
        );
        assert!(
            error("mxfp4/rul=ceil:f32").contains("'rul' is no option of a quantizer: did you mean rule?")
        );
        for text in
            ["nvfp4/order=exact", "nvfp4:bf16/rounding=stochastic", "bf16/rule=floor", "float8_e4m3fn:f32"]
        {
            assert_eq!(refuse_quantizers(text), Ok(()), "{text}");
        }
    }
}
