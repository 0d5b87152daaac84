//! `binade matmul`: multiplies matrices in files under an FMA operator, or compares their products on several matrix units.

mod units;

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use binade::recipe::{Recipe, RecipeError};
use binade::{Operator, OperatorError, Spec};
use binade_fma::{InBlocks, InBlocksError, Order, in_blocks};
use binade_lab::matmul::{Operand, Options, run, slow};
use binade_recipes::RecipeFileError;
use clap::{ArgGroup, Args};
use thiserror::Error;

use crate::error::{CommandError, printable};
use crate::progress::Bar;
use crate::terminal::report;
use crate::{Error, Output, Status};

/// Blocks that two options name.
#[derive(Debug, Error)]
#[error(
    "blocks named by --in {blocks} and by the inputs of --arith, {of_operator}: name them once, as in --in {blocks} --arith f32:f32"
)]
pub(crate) struct MatmulError {
    blocks: String,
    of_operator: String,
}

impl CommandError for MatmulError {}

/// The error for random matrices without units.
#[derive(Debug, Error)]
#[error("--size is for a comparison of units: add --units, as in --units h100,a100")]
struct SizeWithoutUnits;

impl CommandError for SizeWithoutUnits {}

/// An operator on numbers, or on the elements of blocks in which both operands are encoded first.
#[derive(Clone, Debug)]
struct Arithmetic {
    blocks: Option<InBlocks>,
    operator: Operator,
}

/// An operator that cannot be parsed.
#[derive(Debug, Error)]
enum ArithmeticError {
    /// An operator on numbers.
    #[error(transparent)]
    Numbers(#[from] OperatorError),
    /// An operator on blocks.
    #[error(transparent)]
    Blocks(#[from] InBlocksError),
    /// A recipe.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// A file that is no recipe.
    #[error(transparent)]
    File(#[from] RecipeFileError),
}

impl FromStr for Arithmetic {
    type Err = ArithmeticError;

    fn from_str(text: &str) -> Result<Arithmetic, ArithmeticError> {
        if let Some((blocks, operator)) = in_blocks(text)? {
            return Ok(Arithmetic { blocks: Some(blocks), operator });
        }
        let recipe = match binade_recipes::of_text(text)? {
            None if Recipe::is_text(text) => Some(Recipe::parse(text)?),
            recipe => recipe,
        };
        Ok(match recipe {
            Some(recipe) => {
                let (blocks, operator) = InBlocks::of_recipe(&recipe)?;
                Arithmetic { blocks: Some(blocks), operator }
            }
            None => Arithmetic { blocks: None, operator: text.parse()? },
        })
    }
}

/// Arguments of `binade matmul`.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("how").args(["arith", "blocks", "units"]).required(true).multiple(true)))]
#[command(override_usage = "binade matmul <A> <B> --arith <OPERATOR> --output <OUT.npy> [OPTIONS]\n       \
    binade matmul <A> <B> --units <U[,U…]> [OPTIONS]\n       \
    binade matmul --size <MxKxN> --units <U[,U…]> [OPTIONS]")]
pub(crate) struct Arguments {
    /// The left matrices, [..., m, k]
    #[arg(required_unless_present = "size")]
    a: Option<PathBuf>,
    /// The right matrices, [..., k, n]
    #[arg(required_unless_present = "size")]
    b: Option<PathBuf>,
    /// Initial values of the sums: an array of the product's shape, or one that broadcasts to it. Its binary32 numbers are the
    /// first c of the operator's a · b + c, and are not rounded to the accumulator before [default: zeros]
    #[arg(long, value_name = "C")]
    add: Option<PathBuf>,
    /// Encode A and B in blocks along the axis that is summed: mxfp8_e4m3, mxfp8_e5m2, mxfp6_e3m2, mxfp6_e2m3, mxfp4, mxint8,
    /// nvfp4 or deepseek_fp8 (A in blocks of 1 × 128). @rule=NAME names another scale rule. FORMAT_A,FORMAT_B names a format for
    /// each matrix
    #[arg(long = "in", value_name = "FORMAT", conflicts_with = "add")]
    blocks: Option<InBlocks>,
    /// The operator, INPUTS:ACCUMULATOR: bf16:f32, float8_e4m3fn:bf16, bf16x2:bf16x2/3 (FMAbf16_2_2{3}), with options
    /// after a +. /rounding=MODE rounds the accumulator by a mode of `encode --rounding`, as in
    /// bf16:bf16/rounding=stochastic or stochastic_b:8. A block format as INPUTS replaces --in: mxfp4:f32 means --in mxfp4 --arith f32:f32. A matrix
    /// unit is UNIT:FORMAT, as in h100:e4m3 or h100:e4m3/promote=128 (`binade units`). A recipe, as in fp8-rowwise@h100 or FILE.toml,
    /// quantises A as its forward.activation and B as its forward.weight (`binade recipes`) [default with --in: f32:f32]
    #[arg(long, value_name = "OPERATOR")]
    arith: Option<Arithmetic>,
    /// The order of accumulation: sequential, pairwise, blocked:N, lanes:N, aligned:N,BITS (groups of N, cut BITS below the
    /// largest product), exact (one rounding at the end), or any (that of a native library, for f32:f32 only). With --in, this is
    /// the order within a block. Sums of blocks are scaled, rounded to f32 and added in order; exact rounds the total once
    #[arg(long, value_name = "ORDER", default_value = "sequential")]
    order: Order,
    /// The .npy file to write
    #[arg(short, long, value_name = "OUT.npy", required_unless_present = "units")]
    output: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Comparison of units")]
    comparison: units::ComparisonArgs,
    /// The format of codes in A, if the file does not name it
    #[arg(long, value_name = "FORMAT")]
    format_a: Option<Spec>,
    /// The format of codes in B, if the file does not name it
    #[arg(long, value_name = "FORMAT")]
    format_b: Option<Spec>,
    /// The seed of the random bits of an operator or a recipe that rounds stochastically, and of the random matrices of --size
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// The options of a product, which a comparison of units does not take.
const PRODUCT_ONLY: [&str; 4] = ["arith", "blocks", "order", "output"];

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        if !self.comparison.units.is_empty() {
            return self.compare_units(out);
        }
        if self.comparison.size.is_some() {
            return Err(SizeWithoutUnits.into());
        }
        // The argument parser requires these three.
        let (Some(a), Some(b), Some(output)) = (&self.a, &self.b, &self.output) else {
            return Ok(Status::BadInput);
        };
        let identity = || Operator::from_str("f32:f32").expect("f32:f32 is an operator");
        let (of_operator, operator) = match self.arith {
            Some(Arithmetic { blocks, operator }) => (blocks, operator),
            None => (None, identity()),
        };
        let blocks = match (self.blocks, of_operator) {
            (Some(blocks), Some(of_operator)) => {
                let (blocks, of_operator) = (blocks.to_string(), of_operator.to_string());
                return Err(MatmulError { blocks, of_operator }.into());
            }
            (blocks, of_operator) => blocks.or(of_operator),
        };
        let options = Options {
            a: Operand::new(a, self.format_a),
            b: Operand::new(b, self.format_b),
            add: self.add.as_deref().map(|path| Operand::new(path, None)),
            blocks,
            operator,
            order: self.order,
            seed: self.seed,
            threads: self.threads.map(usize::from),
            force: self.force,
        };
        if let Some(slow) = slow(&options)? {
            report("slow", &slow.to_string());
        }
        let bar = Bar::new()?;
        let done = run(output, &options, &bar)?;
        drop(bar);
        writeln!(
            out,
            "{} {:?}{} under {}, {}: {} steps",
            printable(&output.display().to_string()),
            done.shape,
            options.blocks.as_ref().map(|blocks| format!(" in {blocks}")).unwrap_or_default(),
            options.operator,
            options.order,
            done.steps
        )?;
        for (operand, lost) in ["A", "B"].into_iter().zip(done.lost).filter(|(_, lost)| *lost > 0) {
            let (elements, became) =
                if lost == 1 { ("element", "it was") } else { ("elements", "they were") };
            writeln!(out, "{operand}: {lost} {elements} became NaN in blocks: {became} NaN or infinite")?;
        }
        Ok(Status::Done)
    }
}
