//! `binade vectors`: writes test vectors of an operation, exhaustive or random.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;

use binade::ops::Query;
use binade::{Datum, Edition, Format, Operation, philox, table::code_text};
use binade_sweep::{Lease, Piece, PieceResult, Progress, SweepError, SweepPlan, sha256};
use clap::Args;
use thiserror::Error;

use super::shared::{PieceArgs, SharedArgs, SweepOutcome};
use super::testfloat::{self, TestFloatError};
use crate::batch::answer_text;
use crate::block_operation::{BlockArgs, BlockEvaluator, BlockOperand, BlockOperation, OperandKind};
use crate::error::CommandError;
use crate::modes::{ModeArgs, Modes, sum_draws};
use crate::operand::{self, OperandFormats, ResultFormat};
use crate::{Error, Output, Status};

/// log2 of the largest number of lines without `--count`.
const MAX_BITS: u32 = 32;

/// Vectors that are not written.
#[derive(Debug, Error)]
pub(crate) enum VectorsError {
    #[error("exhaustive vectors of {operation} would be 2^{bits} lines: the limit is 2^{MAX_BITS}")]
    Count { operation: String, bits: u32 },
    #[error(transparent)]
    TestFloat(#[from] TestFloatError),
}

impl CommandError for VectorsError {
    fn hint(&self) -> Option<&'static str> {
        match self {
            VectorsError::Count { .. } => {
                Some("--count N --seed S writes N random vectors that are rich in edge cases")
            }
            VectorsError::TestFloat(_) => None,
        }
    }
}

/// Arguments of `binade vectors`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The operation, or a query of a format, which has one line; `binade conformance` lists them. `binade eval` lists the
    /// operations on blocks
    #[arg(value_name = "OP")]
    operation: String,
    /// The operands' formats: one for all, or one for each. The format of a block is SCALE/ELEMENT
    #[arg(long = "in", value_name = "F[,F…]")]
    sources: String,
    /// The result's format [default: the first operand's]
    #[arg(long = "out", value_name = "F")]
    to: Option<ResultFormat>,
    /// log2 of the scale factors [default: zeros]
    #[arg(long = "scale", value_name = "S[,S]", allow_hyphen_values = true)]
    scales: Option<String>,
    /// Elements per block, at most 1024: N, or ROWSxCOLUMNS
    #[arg(long, value_name = "N", default_value = "32")]
    size: BlockSize,
    /// Write N random vectors, rich in edge cases, instead of all. The same --seed gives the same vectors
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// Write the text form of Berkeley TestFloat 3, for operations that it has. Codes are hexadecimal without a prefix, flags two
    /// digits: inexact 1, underflow 2, overflow 4, invalid 16, with tininess before rounding
    #[arg(long)]
    testfloat: bool,
    #[command(flatten)]
    blocks: BlockArgs,
    #[command(flatten)]
    modes: ModeArgs,
    /// Lines per piece
    #[arg(long, value_name = "N", default_value_t = 1 << 20, value_parser = clap::value_parser!(u64).range(1..), requires = "shared", help_heading = "Beyond one machine")]
    piece_lines: u64,
    #[command(flatten)]
    shared: SharedArgs,
    #[command(flatten)]
    pieces: PieceArgs,
    /// With --shared: print one JSON list of the pieces of --plan
    #[arg(long, requires = "plan", help_heading = "Beyond one machine")]
    json: bool,
}

/// Rows and columns of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BlockSize {
    rows: usize,
    columns: usize,
}

impl BlockSize {
    const ONE: BlockSize = BlockSize { rows: 1, columns: 1 };

    const fn elements(self) -> usize {
        self.rows * self.columns
    }
}

impl std::str::FromStr for BlockSize {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<BlockSize, &'static str> {
        let (rows, columns) = text.split_once('x').unwrap_or(("1", text));
        match (rows.parse::<u16>(), columns.parse::<u16>()) {
            (Ok(rows @ 1..), Ok(columns @ 1..)) if u32::from(rows) * u32::from(columns) <= 1024 => {
                Ok(BlockSize { rows: rows.into(), columns: columns.into() })
            }
            _ => Err("expected 1 to 1024 elements: N, or ROWSxCOLUMNS as in 4x8"),
        }
    }
}

/// The kind of a sweep of vectors.
pub(crate) const KIND: &str = "vectors";
/// The file with all vectors in the folder of a sweep.
pub(crate) const JOINED: &str = "vectors.txt";
/// The memory limit of a piece, in bytes: lines are written one by one.
const MEMORY: u64 = 32 << 20;
/// The number of lines between checks for a stop.
const BETWEEN: u64 = 4096;

/// The operand codes of each line.
enum OperandCodes {
    /// Every combination, the last operand changing fastest.
    All { widths: Vec<u32> },
    /// Random codes.
    Random { formats: Vec<Format>, edges: Vec<Vec<u64>>, seed: u64 },
}

impl OperandCodes {
    fn at(&self, line: u64, codes: &mut [u64]) {
        match self {
            OperandCodes::All { widths } => {
                let mut rest = line;
                for (code, width) in codes.iter_mut().zip(widths).rev() {
                    *code = rest & (u64::MAX >> (64 - width));
                    rest = rest.checked_shr(*width).unwrap_or(0);
                }
            }
            OperandCodes::Random { formats, edges, seed } => {
                for i in 0..codes.len() {
                    // The random bits of rounding have 0 as the third word of the counter.
                    let counter = [line as u32, (line >> 32) as u32, 1 + i as u32, 0];
                    let random = philox::seeded(*seed, counter);
                    let before = i.checked_sub(1).map(|before| (formats[before], codes[before]));
                    codes[i] = random_code(formats[i], &edges[i], before, random);
                }
            }
        }
    }
}

/// The codes at which a format's behaviour changes, of both signs, and their neighbours.
fn edges(format: Format) -> Vec<u64> {
    let one = binade::project(format, binade::Value::ONE, binade::Projection::default()).code;
    let mut magnitudes =
        vec![0, one, format.min_normal_code(), format.max_finite_code(), format.magnitude_mask()];
    magnitudes.extend(format.min_subnormal_code());
    magnitudes.extend(format.infinity_code());
    magnitudes.extend(format.nan_code());
    let near = |magnitude: u64| [magnitude.saturating_sub(1), magnitude, magnitude.saturating_add(1)];
    let mut codes: Vec<u64> = magnitudes
        .into_iter()
        .flat_map(near)
        .flat_map(|code| [code & format.magnitude_mask(), code & format.magnitude_mask() | format.sign_bit()])
        .collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// A random code. Each of four kinds has a probability of a quarter: an edge; a neighbour of a power of two or of a midpoint; a code
/// close to the previous operand, so that differences cancel; a uniform code.
fn random_code(format: Format, edges: &[u64], before: Option<(Format, u64)>, random: [u32; 4]) -> u64 {
    let uniform = u64::from(random[1]) << 32 | u64::from(random[2]);
    let pick = random[3];
    let code = match (random[0] % 4, before) {
        (0, _) => edges[pick as usize % edges.len()],
        (1, _) => {
            let trailing = format.trailing_bits();
            let half = (1u64 << trailing) >> 1;
            let bits = [0, half][pick as usize & 1].wrapping_add(u64::from(pick >> 1) % 3).wrapping_sub(1);
            (uniform & !((1 << trailing) - 1)) | (bits & ((1 << trailing) - 1))
        }
        (2, Some((same, code))) if same == format => {
            let close = code.wrapping_add(u64::from(pick >> 1) % 5).wrapping_sub(2);
            close ^ if pick & 1 == 1 { format.sign_bit() } else { 0 }
        }
        _ => uniform,
    };
    code & format.last_code()
}

/// The vectors of a run; a line is a function of its number.
struct Vectors {
    name: String,
    computation: Computation,
    /// The formats of a line's codes. An element that is not a format has one of its width.
    formats: Vec<Format>,
    modes: Modes,
    codes: OperandCodes,
    count: u64,
}

/// The computation on the codes of a line.
#[allow(clippy::large_enum_variant, reason = "there is one for a file of vectors")]
enum Computation {
    /// An operation on values, in TestFloat's form or in binade's.
    Values { operation: Operation, to: Format, scales: Vec<i32>, edition: Edition, testfloat: bool },
    /// An operation on blocks of this size.
    Blocks { evaluator: BlockEvaluator, size: BlockSize },
    /// A query of a format or of the modes.
    Query { query: Query, format: Format },
}

impl Vectors {
    /// Writes lines until `stop` returns true. Returns true if all are written.
    fn write(
        &self,
        lines: Range<u64>,
        out: &mut dyn Write,
        stop: &dyn Fn(u64) -> bool,
    ) -> Result<bool, Error> {
        let mut codes = vec![0; self.formats.len()];
        let mut data = vec![];
        for line in lines {
            if line % BETWEEN == 0 && stop(line) {
                return Ok(false);
            }
            self.codes.at(line, &mut codes);
            data.clear();
            for (format, code) in self.formats.iter().zip(&codes) {
                data.push(Datum::new(*format, *code)?);
            }
            self.line(line, &data, out)?;
        }
        Ok(true)
    }

    fn line(&self, line: u64, data: &[Datum], out: &mut dyn Write) -> Result<(), Error> {
        let how = self.modes.at(line);
        match &self.computation {
            Computation::Values { operation, to, scales, edition, testfloat } => {
                for x in data {
                    match testfloat {
                        true => write!(out, "{} ", testfloat::digits(x.format(), x.code()))?,
                        false => write!(out, "{} ", code_text(x.format(), x.code()))?,
                    }
                }
                let answer = operation.evaluate(data, scales, *to, how, *edition)?;
                match testfloat {
                    true => writeln!(out, "{}", testfloat::result(*operation, data, &answer, *to))?,
                    false => writeln!(out, "{} {}", answer_text(&answer, *to), answer.flags())?,
                }
            }
            Computation::Blocks { evaluator, size } => {
                let mut data = data.iter().copied();
                let mut operands = vec![];
                for (kind, formats) in &evaluator.sources {
                    let scale = formats.scale.and_then(|_| data.next());
                    let size = operand_size(*kind, *size);
                    let codes = data.by_ref().take(size.elements()).map(|x| x.code()).collect();
                    let operand = BlockOperand::new(scale, formats.element, codes, size.columns)?;
                    write!(out, "{operand} ")?;
                    operands.push(operand);
                }
                let outcome = evaluator.evaluate(&operands, how, &sum_draws(self.modes.seed, line))?;
                writeln!(out, "{} {}", outcome.codes(), outcome.flags())?;
            }
            Computation::Query { query, format } => {
                let (text, _) = operand::fact_text(*query, *format, how, self.modes.edition);
                writeln!(out, "{text} {}", binade::Flags::NONE)?;
            }
        }
        Ok(())
    }

    /// Everything that the lines are a function of, as text to hash.
    fn facts(&self) -> String {
        let Vectors { name, computation, formats, modes, codes, count } = self;
        let drawn = match codes {
            OperandCodes::All { .. } => "all".to_owned(),
            OperandCodes::Random { seed, .. } => format!("random {seed}"),
        };
        let own = match computation {
            Computation::Values { to, scales, edition, testfloat, .. } => {
                format!("{to:?} {scales:?} {edition:?} {testfloat}")
            }
            Computation::Blocks { evaluator, size } => format!("{evaluator:?} {size:?}"),
            Computation::Query { query, format } => format!("{query:?} {format:?}"),
        };
        format!("{name} {formats:?} {own} {modes:?} {drawn} {count}")
    }

    fn plan(&self, piece_lines: u64) -> SweepPlan {
        let facts = self.facts();
        let pieces = (0..self.count.div_ceil(piece_lines)).map(|number| {
            let lines = self.lines(number, piece_lines);
            let title = format!("lines {} to {}", lines.start, lines.end - 1);
            Piece { inputs: sha256(format!("{facts} {title}")), title, memory: Some(MEMORY) }
        });
        SweepPlan {
            binade: env!("CARGO_PKG_VERSION").to_owned(),
            kind: KIND.to_owned(),
            about: serde_json::json!({"operation": self.name, "lines": self.count}),
            pieces: pieces.collect(),
            last: Some(Piece {
                title: "all lines in one file".to_owned(),
                inputs: sha256(facts),
                memory: Some(MEMORY),
            }),
        }
    }

    fn lines(&self, piece: u64, piece_lines: u64) -> Range<u64> {
        let first = piece * piece_lines;
        first..first.saturating_add(piece_lines).min(self.count)
    }
}

/// The size of an operand, without its scale.
fn operand_size(kind: OperandKind, size: BlockSize) -> BlockSize {
    if kind == OperandKind::Scale { BlockSize::ONE } else { size }
}

/// A temporary file in the folder of a sweep, which is removed unless it becomes a result.
fn temporary_file(folder: &Path) -> Result<tempfile::TempPath, Error> {
    fs::create_dir_all(folder).map_err(|source| io_error(folder, "make the folder", source))?;
    let mut builder = tempfile::Builder::new();
    let made = builder.prefix(".binade-").suffix(".shared").tempfile_in(folder);
    Ok(made.map_err(|source| io_error(folder, "write in", source))?.into_temp_path())
}

fn io_error(path: &Path, action: &'static str, source: io::Error) -> SweepError {
    SweepError::Io { path: path.to_owned(), action, source }
}

impl Arguments {
    pub(crate) fn shared(&self) -> &SharedArgs {
        &self.shared
    }

    fn vectors(&self) -> Result<Vectors, Error> {
        let modes = self.modes.resolve()?;
        let block = BlockOperation::from_name(&self.operation);
        if block.is_none() {
            self.blocks.resolve().refuse_unused()?;
        }
        let (formats, computation) = match (block, Query::from_name(&self.operation)) {
            (Some(operation), _) => self.block_computation(operation, &modes)?,
            (None, Some(query)) => self.query_computation(query)?,
            (None, None) => self.value_computation(&modes)?,
        };
        let (codes, count) = match self.count {
            Some(count) => {
                let edges = formats.iter().map(|format| edges(*format)).collect();
                (OperandCodes::Random { formats: formats.clone(), edges, seed: modes.seed }, count)
            }
            None => {
                let widths: Vec<u32> = formats.iter().map(Format::width).collect();
                let bits = widths.iter().sum();
                if bits > MAX_BITS {
                    return Err(VectorsError::Count { operation: self.operation.clone(), bits }.into());
                }
                (OperandCodes::All { widths }, 1 << bits)
            }
        };
        Ok(Vectors { name: self.operation.clone(), computation, formats, modes, codes, count })
    }

    /// The formats and the computation of an operation on values.
    fn value_computation(&self, modes: &Modes) -> Result<(Vec<Format>, Computation), Error> {
        let operation = operand::operation(&self.operation)?;
        let sources = OperandFormats::parse(&self.sources, operation)?;
        let to = self.to.as_ref().map(ResultFormat::plain).transpose()?;
        let edition = modes.edition.unwrap_or_else(|| sources.edition(to));
        let formats = sources.formats;
        let to = to.map_or(formats[0], |spec| spec.format);
        let scales = operand::scales(self.scales.as_deref(), operation)?;
        if self.testfloat {
            testfloat::check(operation, &formats, to, modes).map_err(VectorsError::from)?;
        }
        Ok((formats, Computation::Values { operation, to, scales, edition, testfloat: self.testfloat }))
    }

    /// The computation of a query, which has no operands.
    fn query_computation(&self, query: Query) -> Result<(Vec<Format>, Computation), Error> {
        if self.testfloat {
            return Err(VectorsError::from(TestFloatError).into());
        }
        if let Some(list) = &self.scales {
            let (name, given) = (query.name(), list.split(',').count());
            return Err(binade::OperationError::Scales { name, expected: 0, given }.into());
        }
        let format = operand::query_format(query, &self.sources, 0)?;
        Ok((vec![], Computation::Query { query, format }))
    }

    /// The formats and the computation of an operation on blocks.
    fn block_computation(
        &self,
        operation: BlockOperation,
        modes: &Modes,
    ) -> Result<(Vec<Format>, Computation), Error> {
        if self.testfloat {
            return Err(VectorsError::from(TestFloatError).into());
        }
        let evaluator = BlockEvaluator::new(
            operation,
            &self.sources,
            self.to.as_ref().map(ResultFormat::text),
            modes.edition,
        )?;
        let evaluator = self.blocks.resolve().apply(evaluator)?;
        let size = if operation.has_one_element() { BlockSize::ONE } else { self.size };
        let mut formats: Vec<Format> = vec![];
        for (kind, operand) in &evaluator.sources {
            formats.extend(operand.scale);
            let count = operand_size(*kind, size).elements();
            formats.extend(std::iter::repeat_n(operand.element.grid(), count));
        }
        Ok((formats, Computation::Blocks { evaluator, size }))
    }

    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let vectors = self.vectors()?;
        match &self.shared.shared {
            Some(folder) => self.run_shared(&vectors, folder, out),
            None => {
                vectors.write(0..vectors.count, out, &|_| false)?;
                Ok(Status::Done)
            }
        }
    }

    /// Writes the lines as pieces of a sweep; the last piece joins them in one file.
    fn run_shared(&self, vectors: &Vectors, folder: &Path, out: &mut Output) -> Result<Status, Error> {
        let plan = vectors.plan(self.piece_lines);
        let count = plan.pieces.len();
        let parts = folder.join("parts");
        let part = |number: usize| parts.join(format!("{number:05}.txt"));
        let piece = |number: usize, lease: &Lease<'_>| -> Result<Option<PieceResult>, Error> {
            let made = temporary_file(&parts)?;
            let mut file =
                BufWriter::new(File::create(&made).map_err(|source| io_error(&made, "write", source))?);
            let (whole, to, lines) = match number < count {
                true => {
                    let lines = vectors.lines(number as u64, self.piece_lines);
                    let of = lines.end - lines.start;
                    let told = |line: u64| {
                        let facts = serde_json::Value::Null;
                        lease.report_progress(Progress { done: line - lines.start, of, facts });
                        lease.should_stop()
                    };
                    let whole = vectors.write(lines.clone(), &mut file, &told)?;
                    (whole, part(number), lines.end - lines.start)
                }
                false => {
                    for path in (0..count).map(part) {
                        let mut from = File::open(&path).map_err(|source| io_error(&path, "read", source))?;
                        io::copy(&mut from, &mut file).map_err(|source| io_error(&made, "write", source))?;
                    }
                    (true, folder.join(JOINED), vectors.count)
                }
            };
            file.flush().map_err(|source| io_error(&made, "write", source))?;
            if !whole {
                return Ok(None);
            }
            let made = made.keep().map_err(|error| io_error(&parts, "keep a file in", error.error))?;
            Ok(Some(PieceResult::file(made, to, serde_json::json!({"lines": lines}))?))
        };
        let work = || self.shared.work(plan, &self.pieces.piece, self.json, piece, out);
        match self.shared.with_pieces_bar(work)? {
            SweepOutcome::Early(status) => Ok(status),
            SweepOutcome::Complete(_) => {
                writeln!(out, "{}: {} lines", folder.join(JOINED).display(), vectors.count)?;
                Ok(Status::Done)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use binade::Spec;

    use super::*;

    #[test]
    fn exhaustive_codes_are_each_combination_once() {
        let codes = OperandCodes::All { widths: vec![3, 4] };
        let mut operands = [0; 2];
        let all: Vec<_> = (0..128)
            .map(|line| {
                codes.at(line, &mut operands);
                operands[0] << 4 | operands[1]
            })
            .collect();
        assert_eq!(all, (0..128).collect::<Vec<_>>());
    }

    #[test]
    fn random_codes_fit_their_format_and_reach_its_edges() {
        for name in ["f64", "uhp", "float8_e8m0fnu", "float4_e2m1fn", "binary3p1", "shp@bias=31"] {
            let format = name.parse::<Spec>().unwrap().format;
            let edges = edges(format);
            let codes =
                OperandCodes::Random { formats: vec![format; 2], edges: vec![edges.clone(); 2], seed: 1 };
            let mut seen = std::collections::HashSet::new();
            let mut operands = [0; 2];
            for line in 0..10_000 {
                codes.at(line, &mut operands);
                assert!(operands.iter().all(|code| *code <= format.last_code()));
                seen.extend(operands);
            }
            assert!(edges.iter().all(|edge| seen.contains(edge)), "{name}");
        }
    }
}
