//! Questions of the page, and their answers.

use binade::ops::OperationError;
use binade::text::ValueError;
use binade::{DatumError, Edition, Format, OperatorError, Spec, SpecError, text};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use thiserror::Error;

use crate::numbers::Tallies;
use crate::rounding::Modes;
use crate::{catalogue, line, matrix_unit, multiply_add, operate, precision, rounding, steps};

/// Width of the widest format whose codes are listed.
const MAX_WIDTH: u32 = 16;

/// The scale of positions on a number line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// By log2 of positive values.
    Log,
    /// By values.
    Linear,
}

/// A question, as JSON: `{"ask":"round","format":"bf16","value":"0.1"}`. Formats, values, modes, operations and operators are
/// written as the command takes them, codes as it prints them.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Question {
    /// The named formats, `formats`: those of `binade formats` in its order.
    Formats,
    /// The operations, `operations`.
    Operations,
    /// A format: its canonical `name`, its `properties` as `binade show` has them (whole numbers
    /// beyond 2^53 as text), its special values.
    Show {
        /// The format.
        format: String,
    },
    /// Codes of a format: `codes` that contain a text in code, bits, value or class, or `all` of them.
    Find {
        /// The format, of at most 16 bits.
        format: String,
        /// Text that rows contain; empty for all.
        text: String,
        /// Names of classes; none for all.
        classes: Vec<String>,
    },
    /// Rows of the table of codes, `rows`.
    Rows {
        /// The format.
        format: String,
        /// The codes.
        codes: Vec<String>,
    },
    /// A part of the number line, `marks` by column, with `from` and `to`.
    Line {
        /// The format.
        format: String,
        /// The scale of positions.
        scale: Scale,
        /// The first position; the first value's if not given.
        from: Option<f64>,
        /// The last position.
        to: Option<f64>,
        /// Columns of the picture.
        columns: u32,
    },
    /// The value at a place of the number line, or the nearest one: its `row` and `position`.
    Near {
        /// The format.
        format: String,
        /// The scale of positions.
        scale: Scale,
        /// A position.
        position: Option<f64>,
        /// A code, instead of a position.
        code: Option<String>,
        /// The number of values to move up the line from there.
        by: i64,
    },
    /// A value in every rounding and saturation mode, `modes`.
    Round {
        /// The format.
        format: String,
        /// The value.
        value: String,
        /// Further parameters of the modes.
        #[serde(default)]
        modes: Modes,
    },
    /// One rounding, `steps`.
    Steps {
        /// The format.
        format: String,
        /// The value.
        value: String,
        /// Rounding mode.
        rounding: String,
        /// Saturation mode.
        saturation: String,
        /// Further parameters of the modes.
        #[serde(default)]
        modes: Modes,
    },
    /// An operation on codes, or on values written `=1.5`: its `result` and `flags`, and all `modes`.
    Operate {
        /// The operation.
        operation: String,
        /// Formats of the operands, `F[,F…]`.
        from: String,
        /// Format of the result.
        to: String,
        /// The operands.
        operands: Vec<String>,
        /// Scale factors.
        scales: Vec<i32>,
        /// Rounding mode.
        rounding: String,
        /// Saturation mode.
        saturation: String,
        /// Further parameters of the modes.
        #[serde(default)]
        modes: Modes,
    },
    /// Bits of precision by binade, `binades`.
    Precision {
        /// The format.
        format: String,
    },
    /// Errors of rounding numbers: those that come with the question, and those of the questions before, since `start`.
    Measure {
        /// The formats.
        formats: Vec<String>,
        /// Rounding mode.
        rounding: String,
        /// Saturation mode.
        saturation: String,
        /// Key of random bits.
        seed: u64,
        /// True if these are the first numbers.
        start: bool,
        /// True if they are the bins of a histogram: a number and its count, in turn.
        #[serde(default)]
        counted: bool,
    },
    /// d = a·b + c under an operator, `steps`.
    MultiplyAdd {
        /// The operator.
        operator: String,
        /// The values a, b and c.
        operands: [String; 3],
        /// Key of the random bits of a stochastic operator; they are those of `matmul` for its first addition.
        #[serde(default)]
        seed: u64,
    },
    /// The matrix units of the catalogue, `units`, with an operator for each mode.
    Units,
    /// The operands of an example for a unit: texts `a`, `b` and `c`.
    UnitExample {
        /// The unit and its formats, `h100:f16`.
        operator: String,
        /// `ones`, `tiny`, `cancellation`, `large` or `random`.
        example: String,
        /// Key of random operands.
        #[serde(default)]
        seed: u64,
    },
    /// A step of c + Σ a·b on a unit: its terms in alignment or its rounded sums, the results of all steps, and the end.
    UnitDot {
        /// The unit and its formats, `h100:f16`.
        operator: String,
        /// The numbers of a: `1, 0*15, 0x1p-13*16`.
        a: String,
        /// The numbers of b.
        b: String,
        /// The accumulator before the first step.
        c: String,
        /// The step, from 1 on; the last one if there are fewer.
        step: usize,
    },
}

/// The reason why a question has no answer.
#[derive(Debug, Error)]
pub enum ExplorerError {
    /// Not a question.
    #[error("not a question: {0}")]
    Question(#[from] serde_json::Error),
    /// An unknown format.
    #[error(transparent)]
    Format(#[from] SpecError),
    /// Not a value.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// Not a code of its format.
    #[error(transparent)]
    Datum(#[from] DatumError),
    /// Not a code.
    #[error(
        "'{text}' is not a code: write 0x3c, 60, 0b111100, or {width} bits with the separators of the table"
    )]
    Code {
        /// The text of the code.
        text: String,
        /// The format's width.
        width: u32,
    },
    /// An unknown operator.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// A call that does not fit its operation.
    #[error(transparent)]
    Operation(#[from] OperationError),
    /// No operation of this name.
    #[error("unknown operation '{0}'")]
    UnknownOperation(String),
    /// Another number of formats than of operands.
    #[error("{name} takes one format or {operands} of them, not {given}")]
    Formats {
        /// The operation.
        name: &'static str,
        /// Its operands.
        operands: usize,
        /// Formats given.
        given: usize,
    },
    /// No mode of this name.
    #[error("unknown {kind} mode '{name}'")]
    Mode {
        /// `rounding` or `saturation`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// No edition of this name.
    #[error("unknown edition '{0}': it is 0.9.1 or 4.0")]
    Edition(String),
    /// A number of random bits out of range.
    #[error("{0} random bits: it is 1 to 32")]
    RandomBits(u32),
    /// A format too wide for a table of codes.
    #[error("{name} has 2^{width} codes: those of formats of at most {MAX_WIDTH} bits are listed")]
    Width {
        /// The format.
        name: String,
        /// Its width.
        width: u32,
    },
    /// A number line without a line.
    #[error("{name} has no positive value to show")]
    NoLine {
        /// The format.
        name: String,
    },
    /// Bounds that are not those of a part of the number line.
    #[error("from {from} to {to} is not a part of a number line")]
    Window {
        /// The first position.
        from: f64,
        /// The last.
        to: f64,
    },
    /// A count in a histogram that is not a whole number.
    #[error("{0} is not a count, or the counts exceed 2^53 together")]
    Count(f64),
    /// A histogram that ends within a bin.
    #[error("{0} has no count")]
    CountMissing(f64),
    /// A histogram under a stochastic rounding.
    #[error(
        "stochastic roundings draw bits for each number, and a histogram has none of its own: choose another rounding"
    )]
    DrawnBins,
    /// An operator that is not a matrix unit.
    #[error("'{0}' is not a matrix unit: write UNIT:FORMAT, as in h100:f16 or unit(products=8,bits=20):bf16")]
    NoUnit(String),
    /// A unit with options of kernels.
    #[error(
        "'{0}': /promote and /split join sums of several dot products: leave them out to step through one"
    )]
    UnitUse(String),
    /// No example of this name.
    #[error("unknown example '{0}': it is ones, tiny, cancellation, large or random")]
    Example(String),
    /// A count of equal numbers that is not one.
    #[error("'{0}' is not a count of numbers: write 0.5*16 for sixteen numbers of 0.5")]
    Repeats(String),
    /// An operand of too many numbers.
    #[error("{operand} must have at most {most} numbers, and counts after a * must be 1 or more")]
    TooMany {
        /// `a` or `b`.
        operand: char,
        /// The largest number of numbers.
        most: usize,
    },
    /// Operands of different lengths.
    #[error("a has {a} numbers and b has {b}: both must have the same number")]
    Lengths {
        /// Numbers of a.
        a: usize,
        /// Numbers of b.
        b: usize,
    },
    /// More numbers asked for without the first ones.
    #[error("numbers are measured in the formats that the first of them were measured in")]
    Start,
}

/// Answers questions.
#[derive(Default)]
pub struct Explorer {
    tallies: Option<Tallies>,
}

/// A format by name.
pub(crate) fn spec(name: &str) -> Result<Spec, ExplorerError> {
    Ok(name.parse()?)
}

/// A code of a format.
pub(crate) fn code(word: &str, format: Format) -> Result<u64, ExplorerError> {
    let refused = || ExplorerError::Code { text: word.chars().take(60).collect(), width: format.width() };
    let code = text::parse_code(word.as_bytes(), format).ok_or_else(refused)?;
    Ok(binade::Datum::new(format, code)?.code())
}

/// An edition by number; `None` for the one that names of formats call for.
pub(crate) fn edition(number: Option<&str>) -> Result<Option<Edition>, ExplorerError> {
    match number {
        None | Some("") => Ok(None),
        Some("0.9.1") => Ok(Some(Edition::Interim)),
        Some("4.0") => Ok(Some(Edition::V4)),
        Some(other) => Err(ExplorerError::Edition(other.chars().take(60).collect())),
    }
}

/// A format whose codes can be listed.
fn listed(name: &str) -> Result<Format, ExplorerError> {
    let spec = spec(name)?;
    match spec.format.width() {
        width if width > MAX_WIDTH => Err(ExplorerError::Width { name: spec.name().to_owned(), width }),
        _ => Ok(spec.format),
    }
}

impl Explorer {
    /// An explorer without measurements.
    pub const fn new() -> Explorer {
        Explorer { tallies: None }
    }

    /// The answer to a [`Question`], as a JSON object; on an error `{"error":"…"}`. `numbers` are for
    /// [`Question::Measure`].
    pub fn answer(&mut self, question: &str, numbers: &[f64]) -> String {
        let answer = serde_json::from_str(question).map_err(ExplorerError::from);
        let answer = answer.and_then(|question| self.reply(question, numbers));
        answer.unwrap_or_else(|error| json!({ "error": error.to_string() })).to_string()
    }

    fn reply(&mut self, question: Question, numbers: &[f64]) -> Result<Json, ExplorerError> {
        match question {
            Question::Formats => Ok(catalogue::formats()),
            Question::Operations => Ok(operate::operations()),
            Question::Show { format } => Ok(catalogue::show(&spec(&format)?)),
            Question::Find { format, text, classes } => {
                Ok(catalogue::find(listed(&format)?, &text, &classes))
            }
            Question::Rows { format, codes } => catalogue::rows(spec(&format)?.format, &codes),
            Question::Line { format, scale, from, to, columns } => {
                line::marks(&spec(&format)?, scale, from, to, columns)
            }
            Question::Near { format, scale, position, code, by } => {
                line::near(&spec(&format)?, scale, position, code.as_deref(), by)
            }
            Question::Round { format, value, modes } => {
                rounding::grid(&spec(&format)?, text::parse(value.trim())?, &modes)
            }
            Question::Steps { format, value, rounding, saturation, modes } => {
                let spec = spec(&format)?;
                let how = modes.projection(&rounding, &saturation)?;
                let edition = modes.edition()?.unwrap_or(spec.edition);
                Ok(steps::steps(spec.format, text::parse(value.trim())?, how, edition))
            }
            Question::Operate { operation, from, to, operands, scales, rounding, saturation, modes } => {
                let call = operate::Call::read(&operation, &from, &to, &operands, &scales, &modes)?;
                call.answer(&rounding, &saturation, &modes)
            }
            Question::Precision { format } => Ok(precision::binades(spec(&format)?.format)),
            Question::Measure { formats, rounding, saturation, seed, start, counted } => {
                if start {
                    let modes = Modes { seed, ..Modes::default() };
                    let how = modes.projection(&rounding, &saturation)?;
                    let formats = formats.iter().map(|name| spec(name)).collect::<Result<_, _>>()?;
                    self.tallies = Some(Tallies::new(formats, how, seed));
                }
                let tallies = self.tallies.as_mut().ok_or(ExplorerError::Start)?;
                match counted {
                    true => tallies.add_histogram(numbers)?,
                    false => tallies.add(numbers),
                }
                Ok(tallies.report())
            }
            Question::MultiplyAdd { operator, operands, seed } => {
                let operator = operator.parse()?;
                let [a, b, c] = &operands;
                let read = |word: &String| text::parse(word.trim());
                Ok(multiply_add::steps(&operator, [read(a)?, read(b)?, read(c)?], seed))
            }
            Question::Units => Ok(matrix_unit::units()),
            Question::UnitExample { operator, example, seed } => {
                matrix_unit::example(&operator, &example, seed)
            }
            Question::UnitDot { operator, a, b, c, step } => {
                matrix_unit::steps(&operator, [&a, &b, &c], step)
            }
        }
    }
}
