//! The subcommands of `binade`, one in each module.

mod bench;
mod checkpoints;
pub(crate) mod choice;
pub(crate) mod cluster;
mod compare;
pub(crate) mod conformance;
mod decode;
pub(crate) mod encode;
mod eval;
mod follow;
mod formats;
#[cfg(feature = "hlo")]
pub(crate) mod hlo;
pub(crate) mod join;
mod lm;
pub(crate) mod matmul;
#[cfg(feature = "run")]
mod mix;
pub(crate) mod quantize;
mod recipes;
mod reveal;
#[cfg(feature = "run")]
pub(crate) mod run;
mod shared;
mod show;
pub(crate) mod study;
pub(crate) mod table;
mod testfloat;
#[cfg(feature = "train")]
pub(crate) mod train;
mod units;
pub(crate) mod vectors;

use std::io::{self, IsTerminal};

use clap::Subcommand;

use crate::{Error, Output, Status, examples};

/// A subcommand with its arguments.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// List every named format
    #[command(after_help = examples::FORMATS)]
    Formats(formats::Arguments),
    /// List the matrix units of real processors whose arithmetic is known to the bit
    #[command(after_help = examples::UNITS)]
    Units(units::Arguments),
    /// List recipes: named ways to quantise the operands and the stored tensors of a training
    #[command(after_help = examples::RECIPES)]
    Recipes(recipes::Arguments),
    /// Show a format's parameters and extremes, the arithmetic of a matrix unit, or a recipe
    #[command(after_help = examples::SHOW)]
    Show(show::Arguments),
    /// Print the value of every code of a format
    #[command(after_help = examples::TABLE)]
    Table(table::Arguments),
    /// Round values to a format, and print their codes
    #[command(after_help = examples::ENCODE)]
    Encode(encode::Arguments),
    /// Print the exact values of codes
    #[command(after_help = examples::DECODE)]
    Decode(decode::Arguments),
    /// Evaluate one operation, or one per line of standard input
    #[command(after_help = examples::EVAL)]
    Eval(eval::Arguments),
    /// Write test vectors of an operation
    #[command(after_help = examples::VECTORS)]
    Vectors(vectors::Arguments),
    /// List the operations, formats and modes of P3109 that are provided
    #[command(after_help = examples::CONFORMANCE)]
    Conformance(conformance::Arguments),
    /// Round the tensors of a .npy or .safetensors file to a format
    ///
    /// In the table, overflow and underflow count the elements whose rounding raised that flag. An underflow is an inexact result
    /// below the smallest normal number, zero or not. The column lost counts finite elements that became Inf or NaN.
    ///
    /// With --layout, IN is a checkpoint, a file or a folder of files, and OUT is a checkpoint that other programs load. A folder
    /// is written file by file; --resume continues an interrupted run.
    #[command(after_help = examples::QUANTIZE)]
    Quantize(quantize::Arguments),
    /// Decode a checkpoint, in any layout, back into numbers
    ///
    /// A number is the product of its code and scales, rounded once. The layout is recognised by the names and types of the
    /// tensors: one of `binade quantize --layout`, FP8 with scales of other shapes, or that of `binade quantize --format`.
    #[command(after_help = examples::DEQUANTIZE)]
    Dequantize(checkpoints::Dequantize),
    /// Convert a checkpoint from one layout to another
    ///
    /// If both layouts have the same codes and scales and no scale rule is named, codes and scales are copied. The tensor scale
    /// of NVFP4 may become its reciprocal, rounded to nearest. Otherwise the numbers are quantised again.
    #[command(after_help = examples::CONVERT)]
    Convert(checkpoints::Convert),
    /// Compare the tensors of two files or checkpoints
    ///
    /// In the table, overflow counts the elements outside the range of B's format. The column underflow counts nonzero elements
    /// that are zero in B, and the column NaN elements that are NaN in B only.
    #[command(after_help = examples::COMPARE)]
    Compare(compare::Arguments),
    /// Multiply matrices under an FMA operator
    ///
    /// Arrays are .npy files, or tensors of safetensors files, FILE.safetensors:TENSOR. Axes before the last two are batches and
    /// broadcast as in NumPy. Elements are f32, f64, bf16, f16, codes of any format, or whole numbers. Each must be exact in
    /// binary32; the operator rounds it once, to its input format. OUT has the values of the accumulator, as f32.
    ///
    /// With --in, each matrix is encoded in blocks along the axis that is summed. The operator adds the products of a block's
    /// elements in the order, from 0. The exact product of this sum and both scales is rounded to f32, and added to the sums of
    /// the earlier blocks. NVFP4 also has a scale for each matrix, largest / 2688, by which the total is multiplied at the end.
    ///
    /// With --units, the product is computed on several matrix units, and nothing is written but the comparison. The exact
    /// product is that of the numbers that a unit reads, rounded once to the format of its results. Errors are in units in the
    /// last place of it; relative errors are √(Σ (x − y)² / Σ y²). The column `of rounding A, B` is the relative error that
    /// the rounding of the inputs alone makes. A pair's difference is in the larger ulps of the two.
    #[command(after_help = examples::MATMUL)]
    Matmul(Box<matmul::Arguments>),
    /// Reveal the arithmetic of a program that multiplies matrices, by probing it
    #[command(after_help = examples::REVEAL, long_about = reveal::ABOUT)]
    Reveal(reveal::Arguments),
    #[cfg(feature = "hlo")]
    /// Run StableHLO programs, with every element type and any arithmetic
    #[command(after_help = examples::HLO)]
    Hlo(hlo::Arguments),
    /// Measure the error of formats, and the cost of operators
    #[command(after_help = examples::STUDY)]
    Study(study::Arguments),
    /// Benchmark the kernels on this machine, against loops that only move the bytes
    ///
    /// NAMES are globs, or parts of names such as encode/, float8_e4m3fn or gemm/bf16; their baselines are measured as well.
    /// Figures are medians over interleaved rounds: billions of elements, or of multiply-adds, per second. The environment
    /// variable BINADE_ISA chooses another instruction set; a name that this machine lacks is an error.
    ///
    /// --json: {"machine", "memcpy_elements_per_s", "results": [{"name", "isa", "threads", "elements_per_s" or
    /// "fma_per_s", "floor", "ratio_to_floor"}…]}, where `floor` names the baseline of the ratio.
    #[command(after_help = examples::BENCH)]
    Bench(bench::Arguments),
    #[cfg(feature = "train")]
    /// Train a model under several arithmetics, and compare the results
    #[command(after_help = examples::TRAIN, long_about = train::ABOUT)]
    Train(train::Arguments),
    /// Evaluate a language model under recipes, on a text (needs Python with PyTorch)
    #[command(after_help = examples::LM, long_about = lm::ABOUT, override_usage = "binade lm MODEL --recipe ROW… --text FILE [OPTIONS]")]
    Lm(lm::Arguments),
    /// Collect the results of a sweep over a shared folder
    ///
    /// DIR is the folder of --shared in `train`, `vectors`, `quantize`, `convert` or `dequantize`. Prints the table of a training
    /// (with --json, its JSON), all vectors, or a line for each file of a checkpoint. The exit code is 1 if a piece has no result,
    /// or two that differ.
    #[command(after_help = examples::JOIN)]
    Join(join::Arguments),
    #[cfg(feature = "run")]
    /// Run an unmodified program with its multiply-adds under another arithmetic
    ///
    /// Every binary32 fused multiply-add of the program, its libraries, the code that it generates and the programs
    /// that it starts is computed by the operator. Standard output and input are the program's; the exit code is the
    /// program's, or 128 and the number of the signal that ended it. A summary on standard error says what was found,
    /// what was changed, what was executed, and what was left alone and why.
    ///
    /// A training run with a BF16 multiply-add is `binade run --arith bf16:bf16 -- python3 train.py`; `binade run --
    /// python3 train.py` shows what would be changed. `--only 'libopenblas*' --report` profiles the accumulations of
    /// one library. `--arith 'libopenblas*:sgemm*=bf16:bf16'` changes some functions only. `binade run --search --arith
    /// bf16:bf16 --accept 'within 1e-3' -- python3 train.py` finds the functions that must keep binary32 for the printed
    /// numbers to stay within 1e-3 of the native ones. `binade run --rounding random --runs 8 --blame -- ./solve` lists the
    /// digits of its numbers, and the functions that cost them.
    #[command(after_help = examples::RUN)]
    Run(run::Arguments),
    #[cfg(feature = "run")]
    /// Measure a program's dynamic instruction mix
    #[command(after_help = examples::MIX, long_about = mix::ABOUT)]
    Mix(mix::Arguments),
}

impl Command {
    /// The run on a cluster, if the arguments name one.
    pub(crate) fn cluster(&self) -> Option<cluster::ClusterRun<'_>> {
        use cluster::ProgressView;
        let (shared, view) = match self {
            #[cfg(feature = "train")]
            Command::Train(arguments) => (
                arguments.shared(),
                if arguments.live() { ProgressView::Screen } else { ProgressView::Lines },
            ),
            Command::Vectors(arguments) => (arguments.shared(), ProgressView::Bar),
            Command::Quantize(arguments) => (arguments.shared(), ProgressView::Bar),
            Command::Dequantize(arguments) => (arguments.shared(), ProgressView::Bar),
            Command::Convert(arguments) => (arguments.shared(), ProgressView::Bar),
            _ => return None,
        };
        let view = if io::stderr().is_terminal() { view } else { ProgressView::Lines };
        Some(cluster::ClusterRun { address: shared.cluster.as_deref()?, folder: shared.folder(), view })
    }

    /// Runs the subcommand.
    ///
    /// # Errors
    /// Bad input, and input or output that fails.
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        match self {
            Command::Formats(arguments) => arguments.run(out),
            Command::Recipes(arguments) => arguments.run(out),
            Command::Units(arguments) => arguments.run(out),
            Command::Show(arguments) => arguments.run(out),
            Command::Table(arguments) => arguments.run(out),
            Command::Encode(arguments) => arguments.run(out),
            Command::Decode(arguments) => arguments.run(out),
            Command::Eval(arguments) => arguments.run(out),
            Command::Vectors(arguments) => arguments.run(out),
            Command::Conformance(arguments) => arguments.run(out),
            Command::Quantize(arguments) => arguments.run(out),
            Command::Dequantize(arguments) => arguments.run(out),
            Command::Convert(arguments) => arguments.run(out),
            Command::Compare(arguments) => arguments.run(out),
            Command::Matmul(arguments) => arguments.run(out),
            Command::Reveal(arguments) => arguments.run(out),
            #[cfg(feature = "hlo")]
            Command::Hlo(arguments) => arguments.run(out),
            Command::Study(arguments) => arguments.run(out),
            Command::Bench(arguments) => arguments.run(out),
            #[cfg(feature = "train")]
            Command::Train(arguments) => arguments.run(out),
            Command::Lm(arguments) => arguments.run(out),
            Command::Join(arguments) => arguments.run(out),
            #[cfg(feature = "run")]
            Command::Run(arguments) => arguments.run(out),
            #[cfg(feature = "run")]
            Command::Mix(arguments) => arguments.run(out),
        }
    }
}
