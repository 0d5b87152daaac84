//! `binade dequantize` and `binade convert`, and the code that `binade quantize --layout` shares with them.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use binade::Spec;
use binade::block::ScaleRule;
use binade_lab::checkpoint::{
    Action, Auto, Calibration, CheckpointError, Clip, Dtype, GgufLayout, GgufOptions, Options, OutputLayout,
    Report, Shards, in_shards, page, run, run_auto, write_gguf,
};
use binade_lab::select::Selection;
use binade_lab::{Error as LabError, Progress, Silent, compare};
use binade_page::{Page, Theme};
use binade_sweep::{Lease, Piece, PieceResult, SweepPlan, sha256};
use clap::Args;
use serde::Serialize;

use super::choice::{self, AutoOr, ChoiceArgs};
use super::quantize::QuantizeError;
use super::shared::{PieceArgs, SharedArgs, SweepOutcome};
use crate::error::printable;
use crate::progress::Bar;
use crate::report_file::ReportFile;
use crate::text_table::{self, number};
use crate::{Error, Output, Status};

/// Options for writing a layout.
#[derive(Args, Debug)]
pub(crate) struct LayoutArgs {
    /// Rule for the scale of a block, from its largest magnitude m and the largest element M of the format. floor is
    /// 2^(⌊log2 m⌋ − ⌊log2 M⌋), as in OCP MX; ceil is 2^(⌈log2 m⌉ − ⌊log2 M⌋). even is floor after m is rounded to the precision
    /// of the elements. rceil is m / M rounded up, nearest m / M rounded to nearest, and max_abs_finite m itself. Scales that are
    /// not powers of two take nearest and rceil. `quantize` also takes auto, the best rule for each weight [default: floor for
    /// powers of two, nearest for others]
    #[arg(long, value_name = "RULE")]
    pub(crate) scale_rule: Option<AutoOr<ScaleRule>>,
    /// Write static scales for activations, from a file that `binade.torch.calibrate` writes: input_scale in ct-fp8-static and
    /// modelopt-nvfp4, input_global_scale in ct-nvfp4 (activations of both NVFP4 layouts have 4 bits), and k_scale and v_scale of
    /// an FP8 key-value cache
    #[arg(long, value_name = "FILE.json")]
    pub(crate) calibration: Option<PathBuf>,
    /// The magnitude that a static scale makes the largest number of its format: largest, percentile=P as the calibration file
    /// has it, or mse for the least mean square error [default: largest]
    #[arg(long, value_name = "CLIP", requires = "calibration")]
    pub(crate) clip: Option<Clip>,
    /// The format of the key-value cache whose scales are written: float8_e4m3fn or none [default: float8_e4m3fn if the
    /// calibration file has keys and values]
    #[arg(long, value_name = "FORMAT", requires = "calibration")]
    pub(crate) kv: Option<String>,
    /// Continue a folder that an earlier run left unfinished
    #[arg(long, conflicts_with = "shared")]
    pub(crate) resume: bool,
}

/// Options that share the files of a folder with other processes.
#[derive(Args, Debug)]
pub(crate) struct SharedFiles {
    #[command(flatten)]
    pub(crate) shared: SharedArgs,
    #[command(flatten)]
    pieces: PieceArgs,
    /// With --plan: print one JSON list
    #[arg(long, requires = "plan")]
    json: bool,
}

impl SharedFiles {
    /// Returns true if --shared is given.
    pub(crate) fn is_used(&self) -> bool {
        self.shared.shared.is_some()
    }
}

/// Returns true for the format of a key-value cache with scales, false for `none`.
fn cache_scales(name: &str) -> Result<bool, Error> {
    if name.eq_ignore_ascii_case("none") {
        return Ok(false);
    }
    let format = name.parse::<Spec>().map_err(|_| QuantizeError::CacheFormat(name.to_owned()))?;
    match format.name() {
        "float8_e4m3fn" => Ok(true),
        _ => Err(QuantizeError::CacheFormat(name.to_owned()).into()),
    }
}

impl LayoutArgs {
    /// The calibration, read from its file.
    pub(crate) fn read_calibration(&self) -> Result<Option<Calibration>, Error> {
        let Some(path) = &self.calibration else { return Ok(None) };
        let cache = self.kv.as_deref().map(cache_scales).transpose()?;
        let calibration = Calibration::read(path, self.clip.clone().unwrap_or_default(), cache);
        Ok(Some(calibration.map_err(LabError::Checkpoint)?))
    }

    /// Returns true if one of the options is given.
    pub(crate) fn is_used(&self) -> bool {
        self.scale_rule.is_some() || self.resume || self.calibration.is_some()
    }
}

/// Arguments of `dequantize` and `convert`.
#[derive(Args, Debug)]
struct CommonArgs {
    /// A .safetensors file, a folder of such files with their index, or a .gguf file
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file or folder to write
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Overwrite existing files
    #[arg(long, conflicts_with = "shared")]
    force: bool,
    /// Write a report with the layout and the error of each weight: a page if the name ends in .html, otherwise JSON
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    shared: SharedFiles,
}

/// Arguments of `binade dequantize`.
#[derive(Args, Debug)]
pub(crate) struct Dequantize {
    #[command(flatten)]
    common: CommonArgs,
    /// The type of the numbers: bf16, f16 or f32 [default: the type in config.json, or bf16]
    #[arg(long, value_name = "TYPE")]
    dtype: Option<Dtype>,
    /// Continue a folder that an earlier run left unfinished
    #[arg(long, conflicts_with = "shared")]
    resume: bool,
}

/// Arguments of `binade convert`.
#[derive(Args, Debug)]
pub(crate) struct Convert {
    #[command(flatten)]
    common: CommonArgs,
    /// The layout to write: see `binade quantize --help`
    #[arg(long, value_name = "NAME")]
    layout: OutputLayout,
    #[command(flatten)]
    how: LayoutArgs,
    /// Quantise the weights whose names match this glob; may be repeated [default: matrices of linear layers]
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// Do not quantise the weights whose names match this glob; may be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
}

impl CommonArgs {
    fn run(self, options: Options, out: &mut Output) -> Result<Status, Error> {
        let options = Options { threads: self.threads.map(usize::from), force: self.force, ..options };
        let (input, output) = (&self.input, &self.output);
        match self.shared.is_used() {
            true => write_shared(input, output, &options, &self.shared, self.report.as_deref(), out),
            false => write_checkpoint(input, output, &options, self.report.as_deref(), out),
        }
    }
}

impl Dequantize {
    pub(crate) fn shared(&self) -> &SharedArgs {
        &self.common.shared.shared
    }

    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let options = Options::new(Action::Dequantize { dtype: self.dtype });
        self.common.run(Options { resume: self.resume, ..options }, out)
    }
}

impl Convert {
    pub(crate) fn shared(&self) -> &SharedArgs {
        &self.common.shared.shared
    }

    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let layout = match self.layout {
            OutputLayout::Checkpoint(layout) => layout,
            OutputLayout::Gguf(layout) => return self.into_gguf(layout, out),
        };
        let rule = match self.how.scale_rule {
            None => None,
            Some(AutoOr::Named(rule)) => Some(rule),
            Some(AutoOr::Auto) => return Err(QuantizeError::AutoConvert.into()),
        };
        let action = Action::Convert { layout, rule };
        let calibration = self.how.read_calibration()?;
        let (include, exclude, resume) = (self.include, self.exclude, self.how.resume);
        let options = Options { include, exclude, calibration, resume, ..Options::new(action) };
        self.common.run(options, out)
    }
}

impl Convert {
    /// Writes a GGUF file.
    fn into_gguf(self, layout: GgufLayout, out: &mut Output) -> Result<Status, Error> {
        if self.how.is_used() || self.common.shared.is_used() {
            return Err(QuantizeError::GgufOptions.into());
        }
        let options = GgufOptions {
            layout,
            convert: true,
            include: self.include,
            exclude: self.exclude,
            threads: self.common.threads.map(usize::from),
            force: self.common.force,
        };
        write_gguf_file(
            (&self.common.input, &self.common.output),
            &options,
            self.common.report.as_deref(),
            out,
        )
    }
}

/// Writes a GGUF file, and a report if there is a path for it; prints a summary.
pub(crate) fn write_gguf_file(
    (input, output): (&Path, &Path),
    options: &GgufOptions,
    report: Option<&Path>,
    out: &mut Output,
) -> Result<Status, Error> {
    let file = report.map(|path| (path, options.force));
    written((input, output), file, options.threads, |bar| write_gguf(input, output, options, bar), out)
}

/// Writes a checkpoint, and a report if there is a path for it; prints a summary.
pub(crate) fn write_checkpoint(
    input: &Path,
    output: &Path,
    options: &Options,
    report: Option<&Path>,
    out: &mut Output,
) -> Result<Status, Error> {
    let file = report.map(|path| (path, options.force));
    written((input, output), file, options.threads, |bar| run(input, output, options, bar), out)
}

/// Writes an output under a progress bar. Then writes its report, if there is a path for it, and prints a summary.
fn written(
    paths: (&Path, &Path),
    report: Option<(&Path, bool)>,
    threads: Option<usize>,
    write: impl FnOnce(&Bar) -> Result<Report, LabError>,
    out: &mut Output,
) -> Result<Status, Error> {
    let bar = Bar::new()?;
    // A report that cannot be written is an error before the work.
    let file = report.map(|(path, force)| ReportFile::create(path, force)).transpose()?;
    let mut done = write(&bar)?;
    drop(bar);
    if let Some(file) = file {
        report_losses(file, paths, threads, &mut done, None)?;
    }
    summary(out, &done)?;
    Ok(Status::Done)
}

/// The progress of a claimed file, written for other processes.
struct LeasedFile<'a> {
    lease: &'a Lease<'a>,
    of: AtomicU64,
    done: AtomicU64,
}

impl Progress for LeasedFile<'_> {
    fn total(&self, bytes: u64) {
        self.of.store(bytes, Ordering::Relaxed);
    }

    fn advance(&self, bytes: u64, _: &str) {
        let done = self.done.fetch_add(bytes, Ordering::Relaxed) + bytes;
        let facts = serde_json::Value::Null;
        self.lease.report_progress(binade_sweep::Progress {
            done,
            of: self.of.load(Ordering::Relaxed),
            facts,
        });
    }

    fn cancelled(&self) -> bool {
        self.lease.should_stop()
    }
}

fn plan(shards: &Shards<'_>) -> Result<SweepPlan, Error> {
    let inputs = shards.inputs()?;
    let report = shards.report();
    let piece = |(number, title): (usize, &str)| Piece {
        title: title.to_owned(),
        inputs: sha256(format!("{inputs} {title}")),
        memory: Some(shards.memory(number)),
    };
    let names = shards.names();
    let last = piece((names.len(), "what stands beside the files"));
    Ok(SweepPlan {
        binade: env!("CARGO_PKG_VERSION").to_owned(),
        kind: report.action.to_owned(),
        about: serde_json::to_value(&report)?,
        pieces: names.into_iter().enumerate().map(piece).collect(),
        last: Some(last),
    })
}

/// Writes the files of a folder together with other processes. Prints a summary after the last file.
pub(crate) fn write_shared(
    input: &Path,
    output: &Path,
    options: &Options,
    sharing: &SharedFiles,
    report: Option<&Path>,
    out: &mut Output,
) -> Result<Status, Error> {
    if let Some(path) = report.filter(|path| ReportFile::exists(path)) {
        return Err(QuantizeError::SharedReportExists(path.to_owned()).into());
    }
    in_shards(input, output, options, |shards| {
        let plan = plan(shards)?;
        let begun = sharing
            .shared
            .shared
            .as_ref()
            .is_some_and(|folder| folder.join(binade_sweep::PLAN_FILE).exists());
        if !begun {
            // Errors of the output show before other processes join.
            shards.begin()?;
        }
        let names: Vec<String> = shards.names().into_iter().map(str::to_owned).collect();
        let piece = |number: usize, lease: &Lease<'_>| -> Result<Option<PieceResult>, Error> {
            let Some(name) = names.get(number) else {
                let report = serde_json::to_value(shards.finish()?)?;
                return Ok(Some(PieceResult {
                    sha256: sha256(report.to_string()),
                    value: report,
                    file: None,
                }));
            };
            let leased = LeasedFile { lease, of: AtomicU64::default(), done: AtomicU64::default() };
            match shards.write(number, &leased) {
                Ok(made) => Ok(Some(PieceResult::file(made, output.join(name), serde_json::Value::Null)?)),
                Err(LabError::Cancelled | LabError::Checkpoint(CheckpointError::Interrupted { .. })) => {
                    Ok(None)
                }
                Err(error) => Err(error.into()),
            }
        };
        let work = || sharing.shared.work(plan, &sharing.pieces.piece, sharing.json, piece, out);
        match sharing.shared.with_pieces_bar(work)? {
            SweepOutcome::Early(status) => Ok(status),
            SweepOutcome::Complete(_) => {
                let mut done = shards.report();
                if let Some(path) = report {
                    let file = ReportFile::create(path, false)?;
                    report_losses(file, (input, output), options.threads, &mut done, None)?;
                }
                summary(out, &done).map(|()| Status::Done)
            }
        }
    })
}

/// Writes a checkpoint with a chosen layout and rule for each weight.
pub(crate) fn write_chosen(
    (input, output): (&Path, &Path),
    options: &Options,
    auto: &Auto,
    choice: &ChoiceArgs,
    report: Option<&Path>,
    out: &mut Output,
) -> Result<Status, Error> {
    let bar = Bar::new()?;
    let file = report.map(|path| ReportFile::create(path, options.force)).transpose()?;
    let plot = choice.plot_file(options.force)?;
    let (mut done, selection) = run_auto(input, output, options, auto, &bar).map_err(Error::from)?;
    drop(bar);
    if let Some(file) = file {
        report_losses(file, (input, output), options.threads, &mut done, Some(&selection))?;
    }
    if let Some(plot) = plot {
        plot.write(selection.plot(Theme::Document).finish().as_bytes())?;
    }
    const HEAD: [&str; 5] = ["weight", "became", "elements", "bits", "error"];
    let mut lines = vec![HEAD.map(str::to_owned)];
    for chosen in &selection.tensors {
        let offered = chosen.offered();
        lines.push([
            chosen.names.iter().map(|name| printable(name)).collect::<Vec<_>>().join(", "),
            chosen.candidate.clone(),
            chosen.elements.to_string(),
            offered.map_or(String::new(), |offered| format!("{:.2}", offered.bits)),
            offered.map_or(String::new(), |offered| number(offered.error)),
        ]);
    }
    text_table::write(out, &lines, &[2, 3, 4])?;
    choice::summary(out, &selection)?;
    summary(out, &done)?;
    Ok(Status::Done)
}

/// Writes the report, with the error of each weight.
fn report_losses(
    file: ReportFile<'_>,
    (input, output): (&Path, &Path),
    threads: Option<usize>,
    done: &mut Report,
    selection: Option<&Selection>,
) -> Result<(), Error> {
    let comparison = compared(input, output, None, threads)?;
    done.measure(&comparison);
    write_report(file, done, selection, || Ok(page(done, &comparison, selection)))
}

/// Writes a report: a page if the name says so, otherwise JSON.
pub(crate) fn write_report(
    file: ReportFile<'_>,
    report: &impl Serialize,
    selection: Option<&Selection>,
    page: impl FnOnce() -> Result<Page, Error>,
) -> Result<(), Error> {
    #[derive(Serialize)]
    struct Document<'a, R: Serialize> {
        #[serde(flatten)]
        report: &'a R,
        #[serde(skip_serializing_if = "Option::is_none")]
        selection: Option<&'a Selection>,
    }
    if file.is_page() {
        return Ok(file.write_page(page()?)?);
    }
    Ok(file.write((serde_json::to_string_pretty(&Document { report, selection })? + "\n").as_bytes())?)
}

/// Compares output and input, with histograms. `format` is the format of codes in the input whose file does not name it.
pub(crate) fn compared(
    input: &Path,
    output: &Path,
    format: Option<Spec>,
    threads: Option<usize>,
) -> Result<compare::Comparison, Error> {
    let options =
        compare::Options { format_a: format, threads, histograms: true, ..compare::Options::default() };
    Ok(compare::run(input, output, &options, &Silent)?)
}

/// Prints the number of weights and bytes, and the reasons for which tensors were copied.
fn summary(out: &mut Output, report: &Report) -> Result<(), Error> {
    let elements: u64 = report.weights.iter().map(|weight| weight.shape.iter().product::<u64>()).sum();
    let bytes =
        |of: fn(&binade_lab::checkpoint::WeightReport) -> u64| report.weights.iter().map(of).sum::<u64>();
    let (before, after) = (bytes(|weight| weight.bytes_before), bytes(|weight| weight.bytes_after));
    let bits = after as f64 * 8.0 / elements.max(1) as f64;
    let count = report.weights.len();
    let weights = if count == 1 { "weight" } else { "weights" };
    writeln!(out, "{}", report.title())?;
    writeln!(
        out,
        "{count} {weights} of {elements} elements: {before} bytes before, {after} after, {bits:.2} bits an element"
    )?;
    if let Some(linear_layers) = &report.linear_layers {
        writeln!(out, "{}", printable(&linear_layers.rule()))?;
    }
    let mut reasons: Vec<(&str, usize)> = vec![];
    for copied in &report.copied {
        match reasons.iter_mut().find(|(reason, _)| *reason == copied.reason) {
            Some((_, count)) => *count += 1,
            None => reasons.push((copied.reason, 1)),
        }
    }
    for (reason, count) in reasons {
        writeln!(out, "copied {count}: {reason}")?;
    }
    if report.resumed > 0 {
        writeln!(out, "{} of {} files were done before", report.resumed, report.files)?;
    }
    for note in &report.notes {
        writeln!(out, "note: {}", printable(note))?;
    }
    Ok(())
}
