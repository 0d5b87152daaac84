//! `binade matmul`

use std::io::Write;
use std::path::PathBuf;

use binade::{Operator, Spec};
use binade_fma::Order;
use binade_lab::matmul::{Operand, Options, run};
use clap::Args;

use crate::error::printable;
use crate::progress::Bar;
use crate::{Error, Output, Status};

/// Arguments of `binade matmul`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// The left matrices, [..., m, k]
    a: PathBuf,
    /// The right matrices, [..., k, n]
    b: PathBuf,
    /// What the sums start from: an array of the product's shape, or one that broadcasts to it [default: zeros]
    #[arg(long, value_name = "C")]
    add: Option<PathBuf>,
    /// The operator, INPUTS:ACCUMULATOR: bf16:f32, float8_e4m3fn:bf16, bf16x2:bf16x2/3 (FMAbf16_2_2{3}), with options
    /// after a +
    #[arg(long, value_name = "OPERATOR")]
    arith: Operator,
    /// The order of accumulation: sequential, pairwise, blocked:N, lanes:N, aligned:N,BITS (as tensor cores add), exact
    /// (one rounding at the end), or any (a native library's, for f32:f32 only)
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
        let options = Options {
            a: Operand::new(&self.a, self.format_a),
            b: Operand::new(&self.b, self.format_b),
            add: self.add.as_deref().map(|path| Operand::new(path, None)),
            operator: self.arith,
            order: self.order,
            threads: self.threads.map(usize::from),
            force: self.force,
        };
        let bar = Bar::new()?;
        let report = run(&self.output, &options, &bar)?;
        drop(bar);
        writeln!(
            out,
            "{} {:?} under {}, {}: {} steps",
            printable(&self.output.display().to_string()),
            report.shape,
            options.operator,
            options.order,
            report.steps
        )?;
        Ok(Status::Done)
    }
}
