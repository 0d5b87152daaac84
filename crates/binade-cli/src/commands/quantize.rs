//! `binade quantize`: rounds tensors to a format, or writes a checkpoint in a layout.

use std::io::Write;
use std::path::PathBuf;

use binade::Spec;
use binade_lab::checkpoint::{self, Action, Assignment, GgufLayout, GgufOptions, OutputLayout};
use binade_lab::quantize::{
    Auto, BiasChoice, Losses, Options, Report, RoundingChoice, Target, page, run, run_auto,
};
use binade_lab::{Error as LabError, Scale};
use binade_page::Theme;
use clap::{ArgGroup, Args};
use thiserror::Error;

use super::checkpoints::{
    LayoutArgs, SharedFiles, compared, write_checkpoint, write_chosen, write_gguf_file, write_report,
    write_shared,
};
use super::choice::{self, AutoOr, ChoiceArgs};
use super::shared::SharedArgs;
use crate::error::{CommandError, printable};
use crate::modes::{Mode, ModeArgs};
use crate::progress::Bar;
use crate::report_file::ReportFile;
use crate::text_table::{self, decibels, number};
use crate::{Error, Output, Status};

/// Options that exclude each other, or that a layout does not take.
#[derive(Debug, Error)]
pub(crate) enum QuantizeError {
    #[error(
        "--layout with options of rounding or saturation: leave them out, elements are rounded to nearest even and clamp"
    )]
    LayoutModes,
    #[error(
        "--scale-rule, --calibration, --resume or --shared without --layout: they are for checkpoints; with --format, the scale rule is part \
         of the name, as in --format mxfp4@rule=even"
    )]
    LayoutMissing,
    #[error(
        "--format auto with --scale or --bias: name them in candidates, as in --candidate float8_e4m3fn/block:32"
    )]
    AutoScale,
    #[error("--calibration with auto: name a layout and a scale rule")]
    AutoCalibration,
    #[error("--kv {0}: the scales of a key-value cache are for float8_e4m3fn, or none")]
    CacheFormat(String),
    #[error("--scale-rule, --calibration, --resume or --shared with a layout of GGUF: leave them out")]
    GgufOptions,
    #[error("--shared with auto: name a layout and a scale rule")]
    AutoShared,
    #[error("--scale-rule auto in `binade convert`: name a rule, or let `binade quantize` choose")]
    AutoConvert,
    #[error("{}: the file exists, and several processes would replace it: remove it, or name another report", .0.display())]
    SharedReportExists(PathBuf),
}

impl CommandError for QuantizeError {}

/// Arguments of `binade quantize`.
#[derive(Args, Debug)]
#[command(group(ArgGroup::new("become").args(["format", "layout"]).required(true)))]
pub(crate) struct Arguments {
    /// A .npy, .safetensors or .gguf file; with --layout, a .safetensors or .gguf file, or a folder of .safetensors files with
    /// their index
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file or folder to write, of the same kind
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The format to round to; with --bias, its name without the bias. A block format comes with its scales: mxfp8_e4m3,
    /// mxfp8_e5m2, mxfp6_e3m2, mxfp6_e2m3, mxfp4, mxint8, nvfp4 or deepseek_fp8, and @rule=NAME for another scale rule. auto is the
    /// best candidate for each tensor, or the best that fit a budget
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// Write a checkpoint that other programs load, with config.json and index: ct-fp8, ct-fp8-static, ct-mxfp8, ct-mxfp4,
    /// ct-nvfp4 (compressed-tensors), modelopt-nvfp4, gpt-oss or deepseek-fp8. Matrices of linear layers are quantised; embeddings, lm_head,
    /// norms and routers are copied. gguf-q8_0, gguf-mxfp4 and gguf-bf16 write a .gguf file from another. Programs that load ct-fp8 and deepseek-fp8 round activations to FP8, too. auto is the best
    /// candidate for each weight, or the best that fit a budget
    #[arg(long, value_name = "NAME", conflicts_with_all = ["format", "bias", "scale", "input_format", "simulate"])]
    layout: Option<AutoOr<OutputLayout>>,
    #[command(flatten)]
    checkpoint: LayoutArgs,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Exponent bias: a number, or auto for the bias with the least mean square error in each tensor
    #[arg(long, value_name = "auto|N", allow_hyphen_values = true)]
    bias: Option<String>,
    /// Scales that tensors are divided by before rounding: none, tensor, channel:AXIS, block:N[,FORMAT] or
    /// block:ROWSxN[,FORMAT]. block:N has a scale for each run of N along the last axis; block:ROWSxN, such as block:128x128,f32,
    /// for each block of the last two axes. The default FORMAT is float8_e8m0fnu, with the rule of OCP MX
    #[arg(long, value_name = "SCALE", default_value = "none")]
    scale: String,
    /// The format of codes in an .npy file, which has no type for it
    #[arg(long, value_name = "FORMAT")]
    input_format: Option<Spec>,
    /// Quantise the tensors whose names match this glob; may be repeated [default: all of floating point]
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Copy the tensors whose names match this glob; may be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Round the values, but keep the element type
    #[arg(long)]
    simulate: bool,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Overwrite existing files
    #[arg(long, conflicts_with = "shared")]
    force: bool,
    /// Write a report with the error of each tensor. A name that ends in .html gives a page with histograms, the worst tensors
    /// first; any other name JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    shared: SharedFiles,
    #[command(flatten)]
    modes: ModeArgs,
}

impl Arguments {
    pub(crate) fn shared(&self) -> &SharedArgs {
        &self.shared.shared
    }

    fn options(&self, target: Target) -> Result<Options, Error> {
        let modes = self.modes.resolve()?;
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
            ..Options::new(target)
        })
    }

    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let Some(format) = &self.format else { return self.layout(out) };
        if self.checkpoint.is_used() || self.shared.is_used() {
            return Err(QuantizeError::LayoutMissing.into());
        }
        let auto = format.eq_ignore_ascii_case("auto").then(|| self.auto()).transpose()?;
        let target = match &auto {
            // Each candidate has its own format.
            Some(_) => Target::Format("f32".parse()?),
            None => {
                self.choice.refuse_unused()?;
                let bias: Option<BiasChoice> = self.bias.as_deref().map(str::parse).transpose()?;
                Target::parse(format, bias)?
            }
        };
        let options = self.options(target)?;
        // From here on, Ctrl-C removes temporary files.
        let bar = Bar::new()?;
        // A report that cannot be written is an error before the work.
        let file = self.report.as_deref().map(|path| ReportFile::create(path, self.force)).transpose()?;
        let plot = self.choice.plot_file(self.force)?;
        let (report, selection) = match &auto {
            Some(auto) => {
                let (report, selection) = run_auto(&self.input, &self.output, &options, auto, &bar)?;
                (report, Some(selection))
            }
            None => (run(&self.input, &self.output, &options, &bar)?, None),
        };
        drop(bar);
        if let Some(file) = file {
            let compared =
                || compared(&self.input, &self.output, options.input_format.clone(), options.threads);
            let page = || Ok(page(&report, &compared()?, selection.as_ref()));
            write_report(file, &report, selection.as_ref(), page)?;
        }
        if let (Some(plot), Some(selection)) = (plot, &selection) {
            plot.write(selection.plot(Theme::Document).finish().as_bytes())?;
        }
        summary(out, &report)?;
        if let Some(selection) = &selection {
            choice::summary(out, selection)?;
        }
        Ok(Status::Done)
    }

    /// The formats to choose from.
    fn auto(&self) -> Result<Auto, Error> {
        match self.bias.is_some() || self.scale != "none" {
            true => Err(QuantizeError::AutoScale.into()),
            false => self.choice.formats(),
        }
    }
}

impl Arguments {
    /// Writes a checkpoint in a layout.
    fn layout(self, out: &mut Output) -> Result<Status, Error> {
        let Some(layout) = self.layout else { return Err(QuantizeError::LayoutMissing.into()) };
        if !self.modes.are_default() {
            return Err(QuantizeError::LayoutModes.into());
        }
        let layout = match layout {
            AutoOr::Named(OutputLayout::Gguf(layout)) => return self.gguf(layout, out),
            AutoOr::Named(OutputLayout::Checkpoint(layout)) => AutoOr::Named(layout),
            AutoOr::Auto => AutoOr::Auto,
        };
        let rule = self.checkpoint.scale_rule;
        let action = match (layout, rule) {
            (AutoOr::Named(layout), None) => Some(Action::Quantize { layout, rule: None }),
            (AutoOr::Named(layout), Some(AutoOr::Named(rule))) => {
                Some(Action::Quantize { layout, rule: Some(rule) })
            }
            _ => None,
        };
        let auto = match action {
            Some(_) => self.choice.refuse_unused().map(|()| None)?,
            None => Some(self.choice.layouts(layout, rule)?),
        };
        if auto.is_some() && self.checkpoint.calibration.is_some() {
            return Err(QuantizeError::AutoCalibration.into());
        }
        let calibration = self.checkpoint.read_calibration()?;
        let action = action.unwrap_or(Action::Assigned(Assignment::default()));
        let options = checkpoint::Options {
            include: self.include,
            exclude: self.exclude,
            calibration,
            threads: self.threads.map(usize::from),
            force: self.force,
            resume: self.checkpoint.resume,
            ..checkpoint::Options::new(action)
        };
        if self.shared.is_used() {
            return match auto {
                Some(_) => Err(QuantizeError::AutoShared.into()),
                None => {
                    let report = self.report.as_deref();
                    write_shared(&self.input, &self.output, &options, &self.shared, report, out)
                }
            };
        }
        if let Some(auto) = auto {
            let paths = (&*self.input, &*self.output);
            return write_chosen(paths, &options, &auto, &self.choice, self.report.as_deref(), out);
        }
        write_checkpoint(&self.input, &self.output, &options, self.report.as_deref(), out)
    }
}

impl Arguments {
    /// Writes a GGUF file.
    fn gguf(self, layout: GgufLayout, out: &mut Output) -> Result<Status, Error> {
        if self.checkpoint.is_used() || self.shared.is_used() {
            return Err(QuantizeError::GgufOptions.into());
        }
        self.choice.refuse_unused()?;
        let options = GgufOptions {
            layout,
            convert: false,
            include: self.include,
            exclude: self.exclude,
            threads: self.threads.map(usize::from),
            force: self.force,
        };
        write_gguf_file((&self.input, &self.output), &options, self.report.as_deref(), out)
    }
}

/// Prints a line for each quantised tensor, their total, and the tensors that were copied.
fn summary(out: &mut Output, report: &Report) -> Result<(), Error> {
    const HEAD: [&str; 9] =
        ["tensor", "format", "elements", "SQNR dB", "MSE", "overflow", "underflow", "lost", "from NaN"];
    // The last column is shown only if a tensor has such elements.
    let columns = if report.total.from_nan > 0 { HEAD.len() } else { HEAD.len() - 1 };
    let line = |name: &str, format: &str, losses: &Losses| {
        let cells = [
            printable(name),
            format.to_owned(),
            losses.elements.to_string(),
            decibels(losses.sqnr_db),
            number(losses.mean_square),
            losses.overflow.to_string(),
            losses.underflow.to_string(),
            losses.lost.to_string(),
            losses.from_nan.to_string(),
        ];
        cells.into_iter().take(columns).collect::<Vec<_>>()
    };
    let mut lines: Vec<Vec<String>> = vec![HEAD[..columns].iter().map(|name| (*name).to_owned()).collect()];
    // Scales are shown only if they differ between tensors.
    let chosen = report.scale == "auto";
    for tensor in &report.tensors {
        let name = if tensor.name.is_empty() { "(array)" } else { &tensor.name };
        let how = match chosen && tensor.scale != "none" {
            true => format!("{} / {}", tensor.target, tensor.scale),
            false => tensor.target.clone(),
        };
        lines.push(line(name, &how, &tensor.losses));
    }
    if report.tensors.len() > 1 {
        lines.push(line("(all)", "", &report.total));
    }
    text_table::write(out, &lines, &[2, 3, 4, 5, 6, 7, 8])?;
    for copied in &report.copied {
        writeln!(
            out,
            "copied {} ({}): {}",
            printable(&copied.name),
            printable(&copied.element),
            printable(&copied.reason)
        )?;
    }
    Ok(())
}
