//! Rounds the tensors of a file to a format, for `binade quantize --format`.

mod array;
mod auto;
mod encode;
mod output;
mod page;
mod pass;
mod plan;
mod tally;

use std::path::Path;
use std::str::FromStr;

use binade::block::{BlockFormat, BlockFormatError, ScaleRule};
use binade::{Edition, Rounding, Saturation, Spec, Stochastic};
use binade_files::{ElementType, IfExists, npy, remove_abandoned};
use serde::Serialize;

pub use crate::bias::BiasError;
use crate::bias::searchable;
use crate::layout::Noted;
use crate::pool::with_threads;
use crate::scale::Rule;
use crate::write::check_kind;
use crate::{Error, Progress, Scale};
pub use array::{Array, Dequantize, Elements, QuantizedArray, array};
pub use auto::{Auto, Candidate, run_auto};
pub use encode::Codes;
pub use page::page;
use plan::{Patterns, QuantizePlan, Treatment};

/// Selection of the exponent bias, for formats that leave it open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BiasChoice {
    /// A fixed bias.
    Fixed(i32),
    /// For each tensor, the bias from 0 to 63 with the least mean square error; the smallest in a tie.
    Auto,
}

impl FromStr for BiasChoice {
    type Err = Error;

    fn from_str(text: &str) -> Result<BiasChoice, Error> {
        match text {
            "auto" => Ok(BiasChoice::Auto),
            _ => text.parse().map(BiasChoice::Fixed).map_err(|_| Error::Bias { text: text.to_owned() }),
        }
    }
}

/// The format that tensors are rounded to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A format.
    Format(Spec),
    /// This format, with the best bias for each tensor.
    BestBias {
        /// Name of a format without a bias, such as `cfloat8_1_4_3`.
        name: String,
    },
    /// A block format by name, which defines its scales.
    Blocks(Box<Blocks>),
}

/// A block format: `mxfp4`, `nvfp4@rule=rceil`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blocks {
    name: String,
    elements: Spec,
    scale: Scale,
}

impl FromStr for Blocks {
    type Err = BlockFormatError;

    fn from_str(text: &str) -> Result<Blocks, BlockFormatError> {
        let blocks: BlockFormat = text.parse()?;
        Ok(Blocks {
            name: text.to_ascii_lowercase(),
            elements: Spec::of_elements(blocks.element),
            scale: Scale::of_blocks(&blocks),
        })
    }
}

impl Target {
    /// Parses the name of a format or block format, with a bias if the name leaves it open.
    ///
    /// # Errors
    /// The name is invalid, the format does not take the bias, or it is too wide for a bias search.
    pub fn parse(format: &str, bias: Option<BiasChoice>) -> Result<Target, Error> {
        if BlockFormat::is_named(format) {
            return match bias {
                None => Ok(Target::Blocks(Box::new(format.parse()?))),
                Some(_) => Err(Error::BlocksAndBias { format: format.to_owned() }),
            };
        }
        match bias {
            None => Ok(Target::Format(format.parse()?)),
            Some(BiasChoice::Fixed(bias)) => Ok(Target::Format(with_bias(format, bias).parse()?)),
            Some(BiasChoice::Auto) => {
                let spec: Spec = with_bias(format, 0).parse()?;
                if !searchable(spec.format) {
                    return Err(Error::BiasSearch { format: format.to_owned() });
                }
                Ok(Target::BestBias { name: format.to_owned() })
            }
        }
    }

    /// The name, without the bias if that is searched for.
    pub fn name(&self) -> &str {
        match self {
            Target::Format(spec) => spec.name(),
            Target::BestBias { name } => name,
            Target::Blocks(blocks) => &blocks.name,
        }
    }

    /// Bits of an element.
    fn width(&self) -> u32 {
        match self {
            Target::Format(spec) => spec.format.width(),
            Target::Blocks(blocks) => blocks.elements.format.width(),
            Target::BestBias { name } => {
                with_bias(name, 0).parse::<Spec>().map_or(0, |spec| spec.format.width())
            }
        }
    }
}

/// A format's name with the option `bias`.
fn with_bias(name: &str, bias: i32) -> String {
    format!("{name}{}bias={bias}", if name.contains('@') { ',' } else { '@' })
}

/// Rounding of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoundingChoice {
    /// The same mode for all elements.
    Fixed(Rounding),
    /// Stochastic rounding by the top bits of the [`binade::philox::word`] of the element's index in its tensor. A bias is
    /// searched for under nearest-even rounding, which is the mean of stochastic rounding.
    Stochastic {
        /// The variant of the comparison.
        variant: Stochastic,
        /// Random bits for each element, 1 to 32.
        bits: u32,
        /// The seed.
        seed: u64,
    },
}

impl RoundingChoice {
    fn name(self) -> &'static str {
        match self {
            RoundingChoice::Fixed(rounding) => rounding.name(),
            RoundingChoice::Stochastic { variant, bits, .. } => {
                Rounding::Stochastic { variant, bits, random: 0 }.name()
            }
        }
    }

    /// The mode, if it is the same for all elements.
    fn fixed(self) -> Option<Rounding> {
        match self {
            RoundingChoice::Fixed(rounding) => Some(rounding),
            RoundingChoice::Stochastic { .. } => None,
        }
    }
}

/// Options of [`run`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The format.
    pub target: Target,
    /// The rounding.
    pub rounding: RoundingChoice,
    /// The saturation.
    pub saturation: Saturation,
    /// The edition of P3109 that defines saturation; `None` for that of the format's name.
    pub edition: Option<Edition>,
    /// The scale.
    pub scale: Scale,
    /// The scale rule; `None` for the default of the scale.
    pub scale_rule: Option<ScaleRule>,
    /// Format of the codes in an .npy file (`|V1`, `|u1`). Without it, `<V2` is bfloat16.
    pub input_format: Option<Spec>,
    /// Globs of tensors to quantise; all if empty. Tensors of eight bits are quantised only if they match.
    pub include: Vec<String>,
    /// Globs of tensors to leave as they are.
    pub exclude: Vec<String>,
    /// True to round values without changing the element type.
    pub simulate: bool,
    /// Number of threads; `None` for all of the machine.
    pub threads: Option<usize>,
    /// True to replace an existing file.
    pub force: bool,
}

impl Options {
    /// Options for a target, with the defaults of the command line.
    pub fn new(target: Target) -> Options {
        Options {
            target,
            rounding: RoundingChoice::Fixed(Rounding::NearestEven),
            saturation: Saturation::Overflow,
            edition: None,
            scale: Scale::None,
            scale_rule: None,
            input_format: None,
            include: vec![],
            exclude: vec![],
            simulate: false,
            threads: None,
            force: false,
        }
    }

    /// The scale; a block format has its own.
    fn scale(&self) -> &Scale {
        match &self.target {
            Target::Blocks(blocks) => &blocks.scale,
            Target::Format(_) | Target::BestBias { .. } => &self.scale,
        }
    }

    /// The edition whose rounding applies to a format.
    fn edition_of(&self, spec: &Spec) -> Edition {
        self.edition.unwrap_or(spec.edition)
    }
}

/// Report of a quantisation.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The format, as requested.
    pub format: String,
    /// The rounding mode.
    pub rounding: &'static str,
    /// Random bits for each element, for stochastic rounding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_bits: Option<u32>,
    /// The seed, for stochastic rounding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The saturation mode that was applied; OCP MX blocks clamp.
    pub saturation: &'static str,
    /// The scale.
    pub scale: String,
    /// True if only the values were rounded.
    pub simulate: bool,
    /// Quantised tensors, in the order of the file.
    pub tensors: Vec<TensorReport>,
    /// Tensors that were copied.
    pub copied: Vec<Copied>,
    /// Losses over all quantised elements.
    pub total: Losses,
}

/// A quantised tensor.
#[derive(Clone, Debug, Serialize)]
pub struct TensorReport {
    /// The name; empty in .npy files.
    pub name: String,
    /// The shape.
    pub shape: Vec<u64>,
    /// Its format before.
    pub source: String,
    /// Its format after, with the bias.
    pub target: String,
    /// The element type in the file.
    pub stored_as: String,
    /// The scale.
    pub scale: String,
    /// The bias that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bias: Option<i32>,
    /// The error of each bias.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bias_search: Option<Vec<BiasError>>,
    /// The tensor scale: the only scale for `tensor`, or the one over block scales.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tensor_scale: Option<f64>,
    /// The losses.
    #[serde(flatten)]
    pub losses: Losses,
}

/// Counts and errors of rounding. Errors are over the elements that are finite before and after. They compare an element with
/// the value of its code times its scale.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Losses {
    /// All elements.
    pub elements: u64,
    /// Elements that were infinite or NaN before.
    pub not_finite: u64,
    /// Finite elements that became infinite or NaN.
    pub lost: u64,
    /// NaN results, including those of NaNs.
    pub nan: u64,
    /// NaNs that became finite, because the format has no NaN.
    pub from_nan: u64,
    /// Results that raised Invalid.
    pub invalid: u64,
    /// Results that raised Overflow.
    pub overflow: u64,
    /// Results that raised Underflow.
    pub underflow: u64,
    /// Nonzero elements that became zero.
    pub to_zero: u64,
    /// Results that raised Inexact.
    pub inexact: u64,
    /// Mean square error.
    pub mean_square: f64,
    /// Largest error.
    pub max_abs: f64,
    /// Σx² divided by the squared error, in decibels; `null` in JSON if nothing was lost.
    pub sqnr_db: f64,
}

/// A tensor that was copied.
#[derive(Clone, Debug, Serialize)]
pub struct Copied {
    /// The name.
    pub name: String,
    /// The element type.
    pub element: String,
    /// The reason.
    pub reason: String,
}

/// Quantises a file. The output has the same file type and appears when it is complete.
///
/// # Errors
/// See [`Error`]. Nothing is written then.
pub fn run(input: &Path, output: &Path, options: &Options, progress: &dyn Progress) -> Result<Report, Error> {
    if options.scale != Scale::None && matches!(options.target, Target::BestBias { .. }) {
        return Err(Error::BiasAndScale);
    }
    if let (Target::Blocks(blocks), true) = (&options.target, options.scale != Scale::None) {
        return Err(Error::BlocksAndScale { format: blocks.name.clone() });
    }
    Rule::check(&options.scale, options.scale_rule)?;
    let patterns = Patterns::new(options)?;
    let noted = open(input)?;
    let if_exists = may_write(&noted, output, options)?;
    let pick = |_: &str| Treatment::Format(options.target.clone(), options.scale().clone());
    let plan = QuantizePlan::new(&noted, options, &patterns, &pick)?;
    with_threads(options.threads, || plan.run(output, if_exists, progress))
}

/// Opens a file and refuses a folder.
fn open(input: &Path) -> Result<Noted, Error> {
    match input.is_dir() {
        true => Err(Error::FolderByFormat { path: input.to_owned() }),
        false => Noted::open(input),
    }
}

/// Refuses an output that cannot be written, before the work starts.
fn may_write(noted: &Noted, output: &Path, options: &Options) -> Result<IfExists, Error> {
    let container = noted.input.container().of_output();
    check_kind(output, container)?;
    let if_exists = if options.force { IfExists::Replace } else { IfExists::Refuse };
    drop(npy::Writer::create(output, ElementType::U8, &[0], if_exists)?);
    remove_abandoned(output.parent().unwrap_or(Path::new("")));
    Ok(if_exists)
}
