//! `binade quantize`

use std::io::Write;
use std::path::PathBuf;

use binade::Spec;
use binade_lab::checkpoint::{self, Action, CheckpointLayout};
use binade_lab::quantize::{BiasChoice, Losses, Options, Report, RoundingChoice, Target, run};
use binade_lab::{Error as LabError, Scale};
use clap::Args;

use super::checkpoints::{LayoutArgs, SharedFiles, write_checkpoint, write_shared};
use super::shared::Shared;
use crate::error::printable;
use crate::modes::{Mode, ModeArgs};
use crate::progress::Bar;
use crate::report_file::ReportFile;
use crate::text_table::{self, decibels, number};
use crate::{Error, Output, Status};

/// Arguments of `binade quantize`.
#[derive(Args, Debug)]
pub struct Arguments {
    /// A .npy or .safetensors file; with --layout, a .safetensors file or a folder of such files with their index
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file or folder to write, of the same kind
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The format to round to; with --bias, its name without the bias
    #[arg(long, value_name = "FORMAT", required_unless_present = "layout")]
    format: Option<String>,
    /// Write a checkpoint that programs load: ct-fp8, ct-mxfp8, ct-mxfp4, ct-nvfp4 (compressed-tensors),
    /// modelopt-nvfp4, gpt-oss or deepseek-fp8, with config.json and index. Matrices of linear layers are quantised;
    /// embeddings, lm_head, norms, routers and the like are copied
    #[arg(long, value_name = "NAME", conflicts_with_all = ["format", "bias", "scale", "input_format", "simulate"])]
    layout: Option<CheckpointLayout>,
    #[command(flatten)]
    checkpoint: LayoutArgs,
    /// Exponent bias: a number, or auto for the one with the least mean square error in each tensor, found exactly
    #[arg(long, value_name = "auto|N", allow_hyphen_values = true)]
    bias: Option<String>,
    /// What tensors are divided by first: none, tensor, channel:AXIS, or block:N[,FORMAT] (a scale for each run of N
    /// along the last axis, in float8_e8m0fnu by OCP MX's rule unless another format is named)
    #[arg(long, value_name = "SCALE", default_value = "none")]
    scale: String,
    /// The format of the codes in an .npy file that has no type for it
    #[arg(long, value_name = "FORMAT")]
    input_format: Option<Spec>,
    /// Quantise the tensors whose names match this glob; may be given again [default: all of floating point]
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Copy the tensors whose names match this glob; may be given again
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Keep the element type, and only round the values
    #[arg(long)]
    simulate: bool,
    /// How many threads work [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Replace files that are there already
    #[arg(long, conflicts_with = "shared")]
    force: bool,
    /// Write what was done, and what it cost, as JSON; with --layout and a name that ends with .html, as a page
    #[arg(long, value_name = "FILE", conflicts_with = "shared")]
    report: Option<PathBuf>,
    #[command(flatten)]
    shared: SharedFiles,
    #[command(flatten)]
    modes: ModeArgs,
}

impl Arguments {
    pub(crate) fn shared(&self) -> &Shared {
        &self.shared.shared
    }

    fn options(&self, format: &str) -> Result<Options, Error> {
        let modes = self.modes.resolve()?;
        let bias: Option<BiasChoice> = self.bias.as_deref().map(str::parse).transpose()?;
        Ok(Options {
            rounding: match modes.rounding {
                Mode::Fixed(rounding) => RoundingChoice::Fixed(rounding),
                Mode::Stochastic(variant) => {
                    RoundingChoice::Stochastic { variant, bits: modes.bits, seed: modes.seed }
                }
            },
            saturation: modes.saturation,
            edition: modes.edition,
            scale: self.scale.parse::<Scale>().map_err(LabError::from)?,
            input_format: self.input_format.clone(),
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            simulate: self.simulate,
            threads: self.threads.map(usize::from),
            force: self.force,
            ..Options::new(Target::parse(format, bias)?)
        })
    }

    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let Some(format) = &self.format else { return self.layout(out) };
        if self.checkpoint.is_used() || self.shared.is_used() {
            return Err(Error::LayoutMissing);
        }
        let options = self.options(format)?;
        // From here on, Ctrl-C lets temporaries be removed.
        let bar = Bar::new()?;
        // Known before the work: whether the report can be written.
        let file = self.report.as_deref().map(|path| ReportFile::create(path, self.force)).transpose()?;
        let report = run(&self.input, &self.output, &options, &bar)?;
        drop(bar);
        if let Some(file) = file {
            let mut json = serde_json::to_vec_pretty(&report)?;
            json.push(b'\n');
            file.write(&json)?;
        }
        summary(out, &report)?;
        Ok(Status::Done)
    }
}

impl Arguments {
    /// A checkpoint in a layout.
    fn layout(self, out: &mut Output) -> Result<Status, Error> {
        let Some(layout) = self.layout else { return Err(Error::LayoutMissing) };
        if !self.modes.are_default() {
            return Err(Error::LayoutModes);
        }
        let options = checkpoint::Options {
            include: self.include,
            exclude: self.exclude,
            threads: self.threads.map(usize::from),
            force: self.force,
            resume: self.checkpoint.resume,
            ..checkpoint::Options::new(Action::Quantize { layout, rule: self.checkpoint.scale_rule })
        };
        if self.shared.is_used() {
            return write_shared(&self.input, &self.output, &options, &self.shared, out);
        }
        write_checkpoint(&self.input, &self.output, &options, self.report.as_deref(), out)
    }
}

/// A line for each tensor that was quantised, their total, and the tensors that were copied.
fn summary(out: &mut Output, report: &Report) -> Result<(), Error> {
    const HEAD: [&str; 8] =
        ["tensor", "format", "elements", "SQNR dB", "MSE", "overflow", "underflow", "lost"];
    let line = |name: &str, format: &str, losses: &Losses| {
        [
            printable(name),
            format.to_owned(),
            losses.elements.to_string(),
            decibels(losses.sqnr_db),
            number(losses.mean_square),
            losses.overflow.to_string(),
            losses.underflow.to_string(),
            losses.lost.to_string(),
        ]
    };
    let mut lines = vec![HEAD.map(str::to_owned)];
    for tensor in &report.tensors {
        let name = if tensor.name.is_empty() { "(array)" } else { &tensor.name };
        lines.push(line(name, &tensor.target, &tensor.losses));
    }
    if report.tensors.len() > 1 {
        lines.push(line("(all)", "", &report.total));
    }
    text_table::write(out, &lines, &[2, 3, 4, 5, 6, 7])?;
    for copied in &report.copied {
        writeln!(
            out,
            "copied {} ({}): {}",
            printable(&copied.name),
            printable(&copied.element),
            copied.reason
        )?;
    }
    Ok(())
}
