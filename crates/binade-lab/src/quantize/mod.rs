//! Tensors rounded to a format: the engine of `binade quantize`.

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
use plan::{Patterns, Pick, Plan};

/// How the exponent bias of a format that leaves it open is chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BiasChoice {
    /// This one.
    Fixed(i32),
    /// For each tensor the one from 0 to 63 with the least mean square error, the smallest of equals.
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
    /// A format for each tensor: this name with the bias that suits the tensor.
    BestBias {
        /// A format's name that leaves the bias open, such as `cfloat8_1_4_3`.
        name: String,
    },
    /// A block format by name, whose scales come with it.
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
    /// A format by name, with a bias if the name leaves it open, or a block format.
    ///
    /// # Errors
    /// A name that is not understood, a bias that the format does not take, a format too wide for a search.
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

    /// The name, without the bias where that is searched for.
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

/// A format's name with one more option.
fn with_bias(name: &str, bias: i32) -> String {
    format!("{name}{}bias={bias}", if name.contains('@') { ',' } else { '@' })
}

/// How elements are rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoundingChoice {
    /// All alike.
    Fixed(Rounding),
    /// At random, by the top bits of the [`binade::philox::word`] that has the element's index within its tensor.
    /// A bias is searched for under nearest-even rounding, which stochastic rounding is on average.
    Stochastic {
        /// The comparison used.
        variant: Stochastic,
        /// Random bits an element, 1 to 32.
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

    /// The mode, if it is one for all elements.
    fn fixed(self) -> Option<Rounding> {
        match self {
            RoundingChoice::Fixed(rounding) => Some(rounding),
            RoundingChoice::Stochastic { .. } => None,
        }
    }
}

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The format.
    pub target: Target,
    /// The rounding.
    pub rounding: RoundingChoice,
    /// The saturation.
    pub saturation: Saturation,
    /// The edition of P3109 whose meaning saturation has; `None` is that of the format's name.
    pub edition: Option<Edition>,
    /// The scale.
    pub scale: Scale,
    /// How scales follow from largest magnitudes; `None` is the rule that the scale implies.
    pub scale_rule: Option<ScaleRule>,
    /// The format of the elements of an .npy file of codes (`|V1`, `|u1`); `<V2` is bfloat16 unless this says otherwise.
    pub input_format: Option<Spec>,
    /// Globs of which a tensor's name must match one; none are all. Eight-bit tensors must be named here.
    pub include: Vec<String>,
    /// Globs of which a tensor's name must match none.
    pub exclude: Vec<String>,
    /// Whether the values are rounded and the element type stays.
    pub simulate: bool,
    /// How many threads work; `None` is as many as the machine has.
    pub threads: Option<usize>,
    /// Whether an existing file is replaced.
    pub force: bool,
}

impl Options {
    /// Everything else as the command line has it by default.
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

    /// The scale, which a block format has itself.
    fn scale(&self) -> &Scale {
        match &self.target {
            Target::Blocks(blocks) => &blocks.scale,
            Target::Format(_) | Target::BestBias { .. } => &self.scale,
        }
    }

    /// The edition that a format's values are rounded by.
    fn edition_of(&self, spec: &Spec) -> Edition {
        self.edition.unwrap_or(spec.edition)
    }
}

/// What was done.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The format asked for.
    pub format: String,
    /// The rounding mode.
    pub rounding: &'static str,
    /// Random bits an element, where the rounding is stochastic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub random_bits: Option<u32>,
    /// The seed, where the rounding is stochastic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The saturation mode, as it was applied: OCP MX blocks clamp.
    pub saturation: &'static str,
    /// The scale.
    pub scale: String,
    /// Whether only the values were rounded.
    pub simulate: bool,
    /// The tensors that were quantised, in the order of the file.
    pub tensors: Vec<TensorReport>,
    /// The tensors that were copied.
    pub copied: Vec<Copied>,
    /// Sums and measures over all quantised elements.
    pub total: Losses,
}

/// A tensor that was quantised.
#[derive(Clone, Debug, Serialize)]
pub struct TensorReport {
    /// The name; empty in .npy files.
    pub name: String,
    /// The shape.
    pub shape: Vec<u64>,
    /// The format it had.
    pub source: String,
    /// The format it was rounded to, with its bias.
    pub target: String,
    /// The element type that was written.
    pub stored_as: String,
    /// How it is scaled.
    pub scale: String,
    /// The bias that the search found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bias: Option<i32>,
    /// What each bias would have cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bias_search: Option<Vec<BiasError>>,
    /// The scale over the whole tensor: with scale `tensor` the only one, over block scales the one above them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tensor_scale: Option<f64>,
    /// What it lost.
    #[serde(flatten)]
    pub losses: Losses,
}

/// Counts and measures of rounding. The measures are over the elements that are finite before and after; they
/// compare an element with its code's value times its scale.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Losses {
    /// Elements in all.
    pub elements: u64,
    /// Elements that were infinite or NaN from the start.
    pub not_finite: u64,
    /// Finite elements that became infinite or NaN.
    pub lost: u64,
    /// Results that are NaN, also of NaNs.
    pub nan: u64,
    /// NaNs that became finite: their format has no NaN.
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
    /// The mean square error.
    pub mean_square: f64,
    /// The largest error.
    pub max_abs: f64,
    /// Σx² over the squared error, in decibels; `null` in JSON where nothing was lost.
    pub sqnr_db: f64,
}

/// A tensor that was copied unchanged.
#[derive(Clone, Debug, Serialize)]
pub struct Copied {
    /// The name.
    pub name: String,
    /// The element type.
    pub element: String,
    /// Why it was not quantised.
    pub reason: String,
}

/// Quantises a file. The output is of the same kind; it appears when it is complete.
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
    let pick = |_: &str| Pick::Format(options.target.clone(), options.scale().clone());
    let plan = Plan::new(&noted, options, &patterns, &pick)?;
    with_threads(options.threads, || plan.run(output, if_exists, progress))
}

/// Opens a file; a folder is not one.
fn open(input: &Path) -> Result<Noted, Error> {
    match input.is_dir() {
        true => Err(Error::FolderByFormat { path: input.to_owned() }),
        false => Noted::open(input),
    }
}

/// Refuses an output that cannot be written, which is known before an hour's work.
fn may_write(noted: &Noted, output: &Path, options: &Options) -> Result<IfExists, Error> {
    let container = noted.input.container();
    check_kind(output, container)?;
    let if_exists = if options.force { IfExists::Replace } else { IfExists::Refuse };
    drop(npy::Writer::create(output, ElementType::U8, &[0], if_exists)?);
    remove_abandoned(output.parent().unwrap_or(Path::new("")));
    Ok(if_exists)
}
