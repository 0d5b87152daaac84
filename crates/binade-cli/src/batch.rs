//! Answers the lines of `binade eval --batch`, each with one operation.
//!
//! A line is `OP IN[,IN…] OUT ROUNDING SATURATION CODE…[ scale=S[,S]][ random=R/N]`. Its first five words, the *head*,
//! are the same on most lines of a run. Their meaning is cached by their text. For operations on blocks, formats, operands and
//! results are written as in `binade eval` and `binade vectors`.
//!
//! ```
//! use binade_cli::batch::Evaluator;
//!
//! let mut answer = vec![];
//! assert!(Evaluator::default().line(b"add bf16 bf16 nearest_even overflow 0x3f80 0x3f80", 0, &mut answer));
//! assert_eq!(answer, b"0x4000 -");
//! ```

use std::collections::HashMap;
use std::io::{Read, Write};
use std::rc::Rc;

use binade::ops::{MOST_OPERANDS, Query};
use binade::{Answer, Datum, Edition, Flags, Format, Operation, Projection, Saturation, Spec, text};
use thiserror::Error;

use crate::block_operation::{BlockEvaluator, BlockOperation, BlockOptions};
use crate::error::CommandError;
use crate::modes::{self, Mode, ModeError, RANDOM_BITS, sum_draws};
use crate::operand::{self, OperandFormats, quoted};
use crate::{Error, Status};

/// The length of the longest line, in bytes.
const LONGEST: usize = 1 << 16;

/// The number of cached heads. The cache is emptied when it is full.
const MOST_HEADS: usize = 1 << 12;

/// The largest number of scale factors of an operation.
const MOST_SCALES: usize = 2;

/// A line that is refused.
#[derive(Debug, Error)]
enum LineError {
    #[error("empty line: {SYNTAX}")]
    Empty,
    #[error("the line ends before its saturation mode: {SYNTAX}")]
    Short,
    #[error("the line has more than {LONGEST} bytes, the limit")]
    Long,
    #[error("unexpected '{0}': after the codes, a line may have scale=S[,S] and random=R/N, each once")]
    Option(String),
    #[error("malformed random={0}: random=R/N must have N from 1 to 32 and R below 2^N")]
    Random(String),
    #[error(transparent)]
    Other(#[from] Error),
}

/// Lines of a batch that were refused; each has its answer.
#[derive(Debug, Error)]
#[error("{bad} of {lines} lines were bad: each is answered by a line `error: …`")]
pub(crate) struct BatchError {
    bad: u64,
    lines: u64,
}

impl CommandError for BatchError {}

const SYNTAX: &str = "a line is OP IN[,IN…] OUT ROUNDING SATURATION CODE…[ scale=S[,S]][ random=R/N]";

impl<T: Into<Error>> From<T> for BoxedLineError {
    fn from(error: T) -> BoxedLineError {
        BoxedLineError(Box::new(LineError::Other(error.into())))
    }
}

/// Boxed, because every line returns a `Result` with it.
struct BoxedLineError(Box<LineError>);

impl From<LineError> for BoxedLineError {
    fn from(error: LineError) -> BoxedLineError {
        BoxedLineError(Box::new(error))
    }
}

/// The meaning of the first five words of a line.
enum Head {
    Values(ValuesHead),
    Blocks(BlocksHead),
    Query(QueryHead),
}

/// A query of a format or of modes.
struct QueryHead {
    query: Query,
    format: Format,
    rounding: Mode,
    saturation: Saturation,
}

/// An operation on blocks.
struct BlocksHead {
    evaluator: BlockEvaluator,
    rounding: Mode,
    saturation: Saturation,
}

/// An operation on values.
struct ValuesHead {
    operation: Operation,
    sources: [Format; MOST_OPERANDS],
    to: Format,
    edition: Edition,
    rounding: Mode,
    saturation: Saturation,
}

impl Head {
    fn parse(
        words: [&[u8]; 5],
        asked: Option<Edition>,
        block_options: &BlockOptions,
    ) -> Result<Head, BoxedLineError> {
        let [name, sources, to, rounding, saturation] = words.map(String::from_utf8_lossy);
        if let Some(operation) = BlockOperation::from_name(&name) {
            let evaluator = BlockEvaluator::new(operation, &sources, Some(&to), asked)?;
            let evaluator = block_options.apply(evaluator)?;
            let (rounding, saturation) =
                (modes::rounding(&rounding, asked)?, modes::saturation(&saturation, asked)?);
            return Ok(Head::Blocks(BlocksHead { evaluator, rounding, saturation }));
        }
        block_options.refuse_unused()?;
        if let Some(query) = Query::from_name(&name) {
            let format = operand::query_format(query, &sources, 0)?;
            // A query has no result in this format, but it must be a format.
            to.parse::<Spec>()?;
            let (rounding, saturation) =
                (modes::rounding(&rounding, asked)?, modes::saturation(&saturation, asked)?);
            return Ok(Head::Query(QueryHead { query, format, rounding, saturation }));
        }
        let operation = operand::operation(&name)?;
        let named = OperandFormats::parse(&sources, operation)?;
        let to = to.parse::<Spec>()?;
        let edition = asked.unwrap_or_else(|| named.edition(Some(&to)));
        let to = to.format;
        let mut sources = [to; MOST_OPERANDS];
        for (source, format) in sources.iter_mut().zip(named.formats) {
            *source = format;
        }
        let (rounding, saturation) =
            (modes::rounding(&rounding, asked)?, modes::saturation(&saturation, asked)?);
        Ok(Head::Values(ValuesHead { operation, sources, to, edition, rounding, saturation }))
    }
}

/// Answers batch lines.
pub struct Evaluator {
    bits: u32,
    seed: u64,
    edition: Option<Edition>,
    block_options: BlockOptions,
    heads: HashMap<Box<[u8]>, Rc<Head>>,
    last: Option<(Box<[u8]>, Rc<Head>)>,
    /// The letters of every combination of flags.
    flags: [String; 32],
}

/// An evaluator with 32 random bits for lines that give none, and the seed 0.
impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new(RANDOM_BITS, 0)
    }
}

/// Returns true for white space within a line.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// The first word, and the rest.
fn split_word(mut text: &[u8]) -> (&[u8], &[u8]) {
    while let [byte, rest @ ..] = text
        && is_space(*byte)
    {
        text = rest;
    }
    let mut end = 0;
    while end < text.len() && !is_space(text[end]) {
        end += 1;
    }
    text.split_at(end)
}

impl Evaluator {
    /// An evaluator whose lines of stochastic rounding without `random=` have this number of random bits (1 to 32) and this seed.
    pub fn new(bits: u32, seed: u64) -> Evaluator {
        let flags = std::array::from_fn(|bits| Flags::from_bits(bits as u8).to_string());
        let bits = bits.clamp(1, RANDOM_BITS);
        let block_options = BlockOptions::default();
        Evaluator { bits, seed, edition: None, block_options, heads: HashMap::new(), last: None, flags }
    }

    /// The evaluator under an edition, whose names of modes are also accepted. Without an edition, the names of a line's formats
    /// decide.
    pub fn in_edition(self, edition: Option<Edition>) -> Evaluator {
        Evaluator { edition, ..self }
    }

    /// The evaluator with options of operations on blocks; lines with other operations are bad.
    pub(crate) fn with_blocks(self, block_options: BlockOptions) -> Evaluator {
        Evaluator { block_options, ..self }
    }

    /// Appends the answer to a line to `answer`, without a line end. Returns true if the line was good.
    ///
    /// `index` is the number of the line, from 0, and the index of its random bits.
    pub fn line(&mut self, line: &[u8], index: u64, answer: &mut Vec<u8>) -> bool {
        match self.evaluate(line, index, answer) {
            Ok(()) => true,
            Err(BoxedLineError(error)) => {
                answer.extend_from_slice(b"error: ");
                answer.extend_from_slice(crate::error::printable(&error.to_string()).as_bytes());
                false
            }
        }
    }

    fn evaluate(&mut self, line: &[u8], index: u64, answer: &mut Vec<u8>) -> Result<(), BoxedLineError> {
        if line.len() > LONGEST {
            return Err(LineError::Long.into());
        }
        let (head, rest) = self.head(line)?;
        let head = match &*head {
            Head::Values(head) => head,
            Head::Blocks(head) => return self.blocks(head, rest, index, answer),
            Head::Query(head) => return self.query(head, rest, answer),
        };
        let LineArguments { operands, count, scales, scale_count, random } =
            LineArguments::parse(head, rest)?;
        let how = self.projection((head.rounding, head.saturation), random, index);
        let result = head.operation.evaluate(
            &operands[..count],
            &scales[..scale_count],
            head.to,
            how,
            head.edition,
        )?;
        match result {
            Answer::Code(rounded) => write_code(head.to, rounded.code, answer),
            Answer::Bool(truth) => answer.extend_from_slice(if truth { b"true" } else { b"false" }),
            Answer::Class(class) => answer.extend_from_slice(class.name().as_bytes()),
        }
        answer.push(b' ');
        answer.extend_from_slice(self.flags[result.flags().bits() as usize].as_bytes());
        Ok(())
    }

    /// The projection of a line, with its own random bits or those of its index.
    fn projection(
        &self,
        (rounding, saturation): (Mode, Saturation),
        random: Option<(u32, u32)>,
        index: u64,
    ) -> Projection {
        let rounding = match random {
            Some((random, bits)) => rounding.with(bits, random),
            None => rounding.at(self.bits, self.seed, index),
        };
        Projection::new(rounding, saturation)
    }

    /// Answers a query. Its line ends after the modes.
    fn query(&self, head: &QueryHead, mut text: &[u8], answer: &mut Vec<u8>) -> Result<(), BoxedLineError> {
        let mut given = 0;
        loop {
            let (word, after) = split_word(text);
            text = after;
            if word.is_empty() {
                break;
            }
            if word.contains(&b'=') {
                return Err(LineError::Option(quoted(word)).into());
            }
            given += 1;
        }
        if given > 0 {
            let (name, expected) = (head.query.name(), 0);
            return Err(Error::from(binade::OperationError::Operands { name, expected, given }).into());
        }
        let how = self.projection((head.rounding, head.saturation), None, 0);
        let (fact, _) = operand::fact_text(head.query, head.format, how, self.edition);
        answer.extend_from_slice(fact.as_bytes());
        answer.extend_from_slice(b" -");
        Ok(())
    }

    /// Answers a line with an operation on blocks.
    fn blocks(
        &self,
        head: &BlocksHead,
        mut text: &[u8],
        index: u64,
        answer: &mut Vec<u8>,
    ) -> Result<(), BoxedLineError> {
        let (mut operands, mut random) = (vec![], None);
        loop {
            let (word, after) = split_word(text);
            text = after;
            if word.is_empty() {
                break;
            }
            match word.strip_prefix(b"random=") {
                Some(pair) if random.is_none() => random = Some(random_bits(head.rounding, pair)?),
                _ if word.contains(&b'=') || random.is_some() => {
                    return Err(LineError::Option(quoted(word)).into());
                }
                _ => operands.push(String::from_utf8_lossy(word).into_owned()),
            }
        }
        let operands =
            head.evaluator.operands(&operands, |text, element| operand::code(text.as_bytes(), element))?;
        let how = self.projection((head.rounding, head.saturation), random, index);
        let outcome = head.evaluator.evaluate(&operands, how, &sum_draws(self.seed, index))?;
        answer.extend_from_slice(outcome.codes().as_bytes());
        answer.push(b' ');
        answer.extend_from_slice(self.flags[outcome.flags().bits() as usize].as_bytes());
        Ok(())
    }

    /// The meaning of the first five words, and the rest of the line.
    fn head<'a>(&mut self, line: &'a [u8]) -> Result<(Rc<Head>, &'a [u8]), BoxedLineError> {
        if let Some((text, head)) = &self.last
            && let Some(rest) = line.strip_prefix(&text[..])
            && rest.first().is_none_or(|&b| is_space(b))
        {
            return Ok((head.clone(), rest));
        }
        let mut words = [&[][..]; 5];
        let mut rest = line;
        for (i, word) in words.iter_mut().enumerate() {
            (*word, rest) = split_word(rest);
            if word.is_empty() {
                return Err(if i == 0 { LineError::Empty } else { LineError::Short }.into());
            }
        }
        let text = &line[..line.len() - rest.len()];
        let head = match self.heads.get(text) {
            Some(head) => head.clone(),
            None => {
                let head = Rc::new(Head::parse(words, self.edition, &self.block_options)?);
                if self.heads.len() >= MOST_HEADS {
                    self.heads.clear();
                }
                self.heads.insert(text.into(), head.clone());
                head
            }
        };
        self.last = Some((text.into(), head.clone()));
        Ok((head, rest))
    }
}

/// The words after the head.
struct LineArguments {
    operands: [Datum; MOST_OPERANDS],
    count: usize,
    scales: [i32; MOST_SCALES],
    scale_count: usize,
    /// R and N.
    random: Option<(u32, u32)>,
}

impl LineArguments {
    #[inline]
    fn parse(head: &ValuesHead, mut text: &[u8]) -> Result<LineArguments, BoxedLineError> {
        let none = operand::datum(b"0", head.to)?;
        let mut rest = LineArguments {
            operands: [none; MOST_OPERANDS],
            count: 0,
            scales: [0; MOST_SCALES],
            scale_count: 0,
            random: None,
        };
        let mut scaled = false;
        loop {
            let (word, after) = split_word(text);
            text = after;
            if word.is_empty() {
                break;
            }
            let is_option = word.contains(&b'=');
            if is_option
                && let Some(list) = word.strip_prefix(b"scale=")
                && !scaled
            {
                scaled = true;
                let given = operand::scales(Some(&String::from_utf8_lossy(list)), head.operation)?;
                // The operation's error names the number of scale factors.
                if given.len() != head.operation.scales() {
                    return Err(Error::from(binade::OperationError::Scales {
                        name: head.operation.name(),
                        expected: head.operation.scales(),
                        given: given.len(),
                    })
                    .into());
                }
                rest.scales[..given.len()].copy_from_slice(&given);
            } else if is_option
                && let Some(pair) = word.strip_prefix(b"random=")
                && rest.random.is_none()
            {
                rest.random = Some(random_bits(head.rounding, pair)?);
            } else if is_option || scaled || rest.random.is_some() {
                return Err(LineError::Option(quoted(word)).into());
            } else if rest.count == head.operation.arity() {
                // The message names the number of all operands.
                let mut given = rest.count + 1;
                let is_code = |word: &[u8]| !word.is_empty() && !word.contains(&b'=');
                while let (word, after) = split_word(text)
                    && is_code(word)
                {
                    (text, given) = (after, given + 1);
                }
                let (name, expected) = (head.operation.name(), head.operation.arity());
                return Err(Error::from(binade::OperationError::Operands { name, expected, given }).into());
            } else {
                rest.operands[rest.count] = operand::datum(word, head.sources[rest.count])?;
                rest.count += 1;
            }
        }
        rest.scale_count = head.operation.scales();
        Ok(rest)
    }
}

/// Parses `R/N` for a mode with random bits.
fn random_bits(rounding: Mode, pair: &[u8]) -> Result<(u32, u32), BoxedLineError> {
    let given = random(pair).ok_or_else(|| LineError::Random(quoted(pair)))?;
    match rounding {
        Mode::Fixed(fixed) => Err(ModeError::RandomUnused(fixed.name()).into()),
        _ => Ok(given),
    }
}

/// Parses `R/N`.
fn random(pair: &[u8]) -> Option<(u32, u32)> {
    let slash = pair.iter().position(|&b| b == b'/')?;
    let (random, bits) = (text::integer(&pair[..slash])?, text::integer(&pair[slash + 1..])?);
    let fits = (1..=u64::from(RANDOM_BITS)).contains(&bits) && random >> bits == 0;
    fits.then_some((random as u32, bits as u32))
}

/// [`binade::table::code_text`], without an allocation.
pub(crate) fn write_code(format: Format, code: u64, out: &mut Vec<u8>) {
    let digits = format.width().div_ceil(4) as usize;
    let mut text = *b"0x0000000000000000";
    for (at, digit) in text[2..2 + digits].iter_mut().rev().enumerate() {
        *digit = b"0123456789abcdef"[(code >> (4 * at)) as usize & 15];
    }
    out.extend_from_slice(&text[..2 + digits]);
}

/// Answers every line of the input. Answers are written before waiting for more input, so that a program that waits for them gets
/// them.
pub(crate) fn run(
    evaluator: &mut Evaluator,
    input: &mut impl Read,
    out: &mut impl Write,
) -> Result<Status, Error> {
    let (mut lines, mut bad) = (0u64, 0u64);
    let mut answers = Vec::with_capacity(1 << 16);
    let mut answer = |line: &[u8], answers: &mut Vec<u8>| {
        bad += u64::from(!evaluator.line(line, lines, answers));
        answers.push(b'\n');
        lines += 1;
    };
    // The bytes of a line that has not ended yet. Of a line that is too long, only the first bytes are kept.
    let mut pending: Vec<u8> = vec![];
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = match input.read(&mut buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Error::Input(error)),
        };
        let mut bytes = &buffer[..count];
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            let line = &bytes[..end];
            bytes = &bytes[end + 1..];
            if pending.is_empty() {
                answer(line, &mut answers);
            } else {
                pending.extend_from_slice(line);
                answer(&pending, &mut answers);
                pending.clear();
            }
        }
        pending.extend_from_slice(&bytes[..bytes.len().min((LONGEST + 1).saturating_sub(pending.len()))]);
        if count == 0 && !pending.is_empty() {
            // A last line without its end.
            answer(&pending, &mut answers);
        }
        out.write_all(&answers)?;
        out.flush()?;
        answers.clear();
        if count == 0 {
            break;
        }
    }
    if bad > 0 { Err(BatchError { bad, lines }.into()) } else { Ok(Status::Done) }
}

/// The text of a result.
pub(crate) fn answer_text(answer: &Answer, to: Format) -> String {
    match answer {
        Answer::Code(rounded) => binade::table::code_text(to, rounded.code),
        Answer::Bool(truth) => truth.to_string(),
        Answer::Class(class) => class.name().to_owned(),
    }
}

const _: () = {
    let mut i = 0;
    while i < Operation::ALL.len() {
        assert!(Operation::ALL[i].arity() <= MOST_OPERANDS && Operation::ALL[i].scales() <= MOST_SCALES);
        i += 1;
    }
};

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(lines: &str) -> Vec<String> {
        let mut evaluator = Evaluator::default();
        let mut out = vec![];
        let _ = run(&mut evaluator, &mut lines.as_bytes(), &mut out);
        String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
    }

    fn answer(line: &str) -> String {
        let mut all = answers(line);
        assert_eq!(all.len(), 1);
        all.remove(0)
    }

    #[test]
    fn good_line_is_answered_with_result_and_flags() {
        assert_eq!(
            answers(
                "add float8_e4m3fnuz float8_e4m3fnuz nearest_even overflow 0x3c 0x44\n\
                 add float8_e4m3fnuz float8_e4m3fnuz nearest_even overflow 60 0b1000100\r\n\
                 multiply f16,bf16 f32 toward_zero max 0x3c00 0x3fc0\n\
                 compare_less f16 f16 nearest_even overflow 0x0000 0x3c00\n\
                 class bf16 bf16 nearest_even overflow 0x0001\n\
                 scaled_fma f32 f32 nearest_even overflow 0x3f800000 0x3f800000 0x3f800000 scale=1,-1\n\
                 scaled_fma f32 f32 nearest_even overflow 0x3f800000 0x3f800000 0x3f800000\n\
                 \x20 add \t f16  cfloat8_1_5_2@bias=20,subnormals=ieee nearest_even max 0x3c00 0x3c00  \n\
                 convert f16 custom@width=6,precision=3,bias=3 to_odd finite 0x3e01"
            ),
            [
                "0x49 -",
                "0x49 -",
                "0x3fc00000 -",
                "true -",
                "positive_subnormal -",
                "0x40200000 -",
                "0x40000000 -",
                "0x54 -",
                "0x0f x"
            ]
        );
    }

    #[test]
    fn stochastic_line_takes_bits_by_index_or_option() {
        // ν = 1/4: up iff R ≥ 3 of 2 bits.
        let line = |random: &str| {
            answer(&format!("convert f16 float8_e5m2 stochastic_a overflow 0x3c40 random={random}"))
        };
        assert_eq!((line("2/2"), line("3/2")), ("0x3c x".to_owned(), "0x3d x".to_owned()));
        // Without random=, line i takes Philox's word i.
        let drawn = answers(&"convert f16 float8_e5m2 stochastic overflow 0x3c40\n".repeat(64));
        for (i, drawn) in drawn.iter().enumerate() {
            let word = binade::philox::word(0, i as u64);
            assert_eq!(*drawn, line(&format!("{word}/32")));
            assert_eq!(*drawn, if word >= 3 << 30 { "0x3d x" } else { "0x3c x" });
        }
    }

    #[test]
    fn bad_line_is_answered_in_its_place() {
        let good = "abs f16 f16 nearest_even overflow 0x8000";
        for (line, error) in [
            (
                "",
                "empty line: a line is OP IN[,IN…] OUT ROUNDING SATURATION CODE…[ scale=S[,S]][ random=R/N]",
            ),
            (
                "abs f16 f16 nearest_even",
                "the line ends before its saturation mode: a line is OP IN[,IN…] OUT ROUNDING SATURATION CODE…[ scale=S[,S]][ random=R/N]",
            ),
            ("abs f16 f16 nearest_even overflow", "abs takes 1 operand, not 0"),
            ("abs f16 f16 nearest_even overflow 1 2 3", "abs takes 1 operand, not 3"),
            (
                "add f16,f16,f16 f16 nearest_even overflow 1 2",
                "got 3 operand formats for add: expected one for all, or one for each of its 2 operands",
            ),
            (
                "abs f16 f16 nearest overflow 1",
                "unknown rounding mode 'nearest': expected one of nearest_even, nearest_away, toward_positive, toward_negative, toward_zero, to_odd, stochastic, stochastic_a, stochastic_b, stochastic_c, random",
            ),
            (
                "abs f16 f16 nearest_even saturate 1",
                "unknown saturation mode 'saturate': expected one of overflow, finite, max",
            ),
            ("abs f17 f16 nearest_even overflow 1", "unknown format 'f17': did you mean f16?"),
            (
                "abs f16 shp nearest_even overflow 1",
                "shp needs its exponent bias, 0 to 63: for example shp@bias=7",
            ),
            (
                "plus f16 f16 nearest_even overflow 1 1",
                "unknown operation 'plus': did you mean softplus or log_one_plus or block_softplus?",
            ),
            ("isnan f16 f16 nearest_even overflow 1", "unknown operation 'isnan': did you mean is_nan?"),
            (
                "abs f16 f16 nearest_even overflow 0x10000",
                "code 0x10000 has more bits than f16: the largest is 0xffff",
            ),
            (
                "abs f16 f16 nearest_even overflow =1",
                "unexpected '=1': after the codes, a line may have scale=S[,S] and random=R/N, each once",
            ),
            (
                "abs f16 f16 nearest_even overflow one",
                "'one' is not a code: write 0x3c, 60, 0b111100, or 16 bits with the separators of `binade table`",
            ),
            ("abs f16 f16 nearest_even overflow 1 scale=1", "abs takes 0 scale factors, not 1"),
            (
                "multiply_scaled f16 f16 nearest_even overflow 1 1 scale=1,2,3",
                "multiply_scaled takes 1 scale factor, not 3",
            ),
            (
                "multiply_scaled f16 f16 nearest_even overflow 1 1 scale=x",
                "'x' is not a scale factor: expected an integer from -2147483648 to 2147483647, the exponent of a power of two",
            ),
            (
                "multiply_scaled f16 f16 nearest_even overflow 1 1 scale=1 scale=1",
                "unexpected 'scale=1': after the codes, a line may have scale=S[,S] and random=R/N, each once",
            ),
            (
                "abs f16 f16 nearest_even overflow 1 random=1/2",
                "random bits for the rounding mode nearest_even: only stochastic modes take them",
            ),
            (
                "abs f16 f16 stochastic overflow 1 random=4/2",
                "malformed random=4/2: random=R/N must have N from 1 to 32 and R below 2^N",
            ),
            (
                "abs f16 f16 stochastic overflow 1 random=4/33",
                "malformed random=4/33: random=R/N must have N from 1 to 32 and R below 2^N",
            ),
            (&"x".repeat(LONGEST + 9), "the line has more than 65536 bytes, the limit"),
            (
                "a\u{1b}b f16 f16 nearest_even overflow 1",
                &format!(
                    "unknown operation 'a\\u{{1b}}b': expected one of {}, or block_OP or scaled_OP of these, such as block_add",
                    Operation::ALL
                        .map(Operation::name)
                        .into_iter()
                        .chain(Query::ALL.map(Query::name))
                        .chain(BlockOperation::named())
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
            ),
        ] {
            assert_eq!(
                answers(&format!("{good}\n{line}\n{good}")),
                ["0x0000 -".to_owned(), format!("error: {error}"), "0x0000 -".to_owned()]
            );
        }
        let mut evaluator = Evaluator::default();
        let done = run(&mut evaluator, &mut &b"abs f16 f16 nearest_even overflow 1\n\xff\n"[..], &mut vec![]);
        assert_eq!(
            done.unwrap_err().to_string(),
            "1 of 2 lines were bad: each is answered by a line `error: …`"
        );
    }

    #[test]
    fn line_with_blocks_is_answered_with_blocks() {
        let all = answers(
            "block_dot_product float8_e8m0fnu/float4_e2m1fn f32 nearest_even overflow 0x80:0x3,0x5 0x7e:0x6,0xa\n\
             convert_from_block float8_e8m0fnu/float4_e2m1fn bf16 nearest_even overflow 0x80:0x3,0x5\n\
             convert_to_block bf16 float8_e8m0fnu/float4_e2m1fn stochastic overflow 0x4040,0x3f10 0x7f random=0/4\n\
             convert_to_block_max_abs_finite bf16 float8_e8m0fnu/float4_e2m1fn nearest_even finite 0x4040,0x40c0\n\
             block_add float8_e8m0fnu/float4_e2m1fn float8_e8m0fnu/float4_e2m1fn nearest_even finite 0x7f:1 0x7f:2 0x7f\n\
             scaled_divide float8_e8m0fnu/float4_e2m1fn f32 nearest_even overflow 0x80:2 0x7f:2",
        );
        assert_eq!(
            all,
            [
                "0x40400000 -",
                "0x4040,0x40c0 -",
                // 0.5625 is below the smallest normal number.
                "0x7f:0x5,0x1 ux",
                // The scale is 6 to nearest even, 8: elements 0.375 and 0.75.
                "0x82:0x1,0x2 ux",
                "0x7f:0x3 d",
                "0x40000000 -"
            ]
        );
        for (line, reason) in [
            (
                "block_reduce_add bf16 bf16 nearest_even overflow 0x80:0x3",
                "is not a block: expected formats SCALE/ELEMENT",
            ),
            ("block_reduce_add float8_e8m0fnu/float4_e2m1fn f32 nearest_even overflow 0x80:0x3,0x55", "0x55"),
            ("block_reduce_add float8_e8m0fnu/float4_e2m1fn f32 nearest_even overflow 0x80:", "error"),
            ("block_reduce_add float8_e8m0fnu/float4_e2m1fn f32 nearest_even overflow", "error"),
            (
                "block_reduce_add float8_e8m0fnu/float4_e2m1fn f32 nearest_even overflow 0x80:0x3 scale=1",
                "scale=1",
            ),
            (
                "block_reduce_add float8_e8m0fnu/float4_e2m1fn f32 nearest_even overflow 0x80:0x3 random=1/2",
                "nearest_even",
            ),
            (
                "block_dot_product float8_e8m0fnu/float4_e2m1fn f32 nearest_even overflow 0x80:1,2 0x80:1",
                "error",
            ),
        ] {
            let said = answer(line);
            assert!(said.starts_with("error: ") && said.contains(reason), "{line}: {said}");
        }
    }

    #[test]
    fn query_line_is_answered_with_its_fact() {
        assert_eq!(
            answers(
                "max_finite_of binary8p3se binary8p3se nearest_even overflow\n\
                 bitwidth_of bf16 f32 nearest_even overflow\n\
                 max_subnormal_of float8_e8m0fnu bf16 nearest_even overflow\n\
                 domain_of binary8p3sf bf16 nearest_even overflow\n\
                 round_of bf16 bf16 stochastic_b overflow\n\
                 bitwidth_of bf16 bf16 nearest_even overflow 1 2\n\
                 bitwidth_of bf16 bf16 nearest_even overflow scale=1\n\
                 bitwidth_of bf16,bf16 bf16 nearest_even overflow"
            )[..7],
            [
                "0x7e -",
                "16 -",
                "0xff -",
                "Finite -",
                "stochastic_b -",
                "error: bitwidth_of takes 0 operands, not 2",
                "error: unexpected 'scale=1': after the codes, a line may have scale=S[,S] and random=R/N, each once",
            ]
        );
        assert!(answer("bitwidth_of bf16,bf16 bf16 nearest_even overflow").starts_with("error: "));
        let mut evaluator = Evaluator::default().in_edition(Some(Edition::V4));
        let mut out = vec![];
        assert!(evaluator.line(b"sat_of bf16 bf16 ToOdd SatNone", 0, &mut out));
        assert_eq!(out, b"SatNone -");
    }

    /// A reader that gives one byte at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.len().min(1);
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn line_split_over_reads_is_answered_once() {
        let lines = "abs f16 f16 nearest_even overflow 0x8001\n\nnegate f16 f16 nearest_even overflow 1";
        let mut out = vec![];
        assert!(run(&mut Evaluator::default(), &mut Slow(lines.as_bytes()), &mut out).is_err());
        assert_eq!(String::from_utf8(out).unwrap().lines().collect::<Vec<_>>(), answers(lines));
    }

    #[test]
    fn heads_do_not_mix() {
        // More heads than are remembered, each used twice, and one that is the beginning of another.
        let mut evaluator = Evaluator::default();
        for _ in 0..2 {
            // Exact, so that every rounding answers alike.
            for (rounding, _) in Mode::all() {
                for bias in 0..MOST_HEADS / 8 {
                    let mut out = vec![];
                    let line =
                        format!("convert custom@width=8,precision=4,bias={bias} f64 {rounding} max 0x08");
                    assert!(evaluator.line(line.as_bytes(), 0, &mut out));
                    assert_eq!(out, format!("{:#018x} -", 2f64.powi(1 - bias as i32).to_bits()).as_bytes());
                }
            }
        }
        assert!(!evaluator.line(b"convert f16 f64 nearest_even maximal 0x08", 0, &mut vec![]));
    }
}
