//! `binade matmul`

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use binade::{Operator, Spec};
use binade_fma::Order;
use binade_lab::matmul::{InBlocks, Operand, Options, run};
use clap::{ArgGroup, Args};

use crate::error::printable;
use crate::progress::Bar;
use crate::{Error, Output, Status};

/// Arguments of `binade matmul`.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("how").args(["arith", "blocks"]).required(true).multiple(true)))]
pub(crate) struct Arguments {
    /// The left matrices, [..., m, k]
    a: PathBuf,
    /// The right matrices, [..., k, n]
    b: PathBuf,
    /// What the sums start from: an array of the product's shape, or one that broadcasts to it [default: zeros]
    #[arg(long, value_name = "C")]
    add: Option<PathBuf>,
    /// Encode A and B in blocks first, along the axis that is summed: mxfp8_e4m3, mxfp8_e5m2, mxfp6_e3m2, mxfp6_e2m3, mxfp4,
    /// mxint8, nvfp4 or deepseek_fp8 (A in blocks of 1 × 128), with @rule=NAME for another scale rule; FORMAT_A,FORMAT_B for two of them
    #[arg(long = "in", value_name = "FORMAT", conflicts_with = "add")]
    blocks: Option<InBlocks>,
    /// The operator, INPUTS:ACCUMULATOR: bf16:f32, float8_e4m3fn:bf16, bf16x2:bf16x2/3 (FMAbf16_2_2{3}), with options
    /// after a + [default with --in: f32:f32]
    #[arg(long, value_name = "OPERATOR")]
    arith: Option<Operator>,
    /// The order of accumulation: sequential, pairwise, blocked:N, lanes:N, aligned:N,BITS (as tensor cores add), exact
    /// (one rounding at the end), or any (a native library's, for f32:f32 only). With --in it is the order within a block;
    /// sums of blocks are scaled, rounded to f32 and added in order, and exact rounds the whole once
    #[arg(long, value_name = "ORDER", default_value = "sequential")]
    order: Order,
    /// The .npy file to write
    #[arg(short, long, value_name = "OUT.npy")]
    output: PathBuf,
    /// The format of codes in A, where the file does not say
    #[arg(long, value_name = "FORMAT")]
    format_a: Option<Spec>,
    /// The format of codes in B, where the file does not say
    #[arg(long, value_name = "FORMAT")]
    format_b: Option<Spec>,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let identity = || Operator::from_str("f32:f32").expect("f32:f32 is an operator");
        let options = Options {
            a: Operand::new(&self.a, self.format_a),
            b: Operand::new(&self.b, self.format_b),
            add: self.add.as_deref().map(|path| Operand::new(path, None)),
            blocks: self.blocks,
            operator: self.arith.unwrap_or_else(identity),
            order: self.order,
            threads: self.threads.map(usize::from),
            force: self.force,
        };
        let bar = Bar::new()?;
        let report = run(&self.output, &options, &bar)?;
        drop(bar);
        writeln!(
            out,
            "{} {:?}{} under {}, {}: {} steps",
            printable(&self.output.display().to_string()),
            report.shape,
            options.blocks.as_ref().map(|blocks| format!(" in {blocks}")).unwrap_or_default(),
            options.operator,
            options.order,
            report.steps
        )?;
        Ok(Status::Done)
    }
}
