//! `binade mix`

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use binade_launch::mix::{Stdout, trace};
use binade_profile::mix::{Mix, Sampling};
use clap::Args;

use crate::report_file::ReportFile;
use crate::{Error, Output, Status, text_table};

pub(super) const ABOUT: &str = "\
Measure a program's dynamic instruction mix

The mix is the shares of fused multiply-adds, of other floating-point arithmetic, and of all other instructions (Table 2 \
of \"A BF16 FMA is all you need for DNN training\"). The program's threads and children are included. Comparisons and conversions count as arithmetic, moves and shuffles do not. The program runs at full speed except for windows of instructions that are single-stepped at random moments, so shares are weighted by time; the 95 % confidence interval comes from the variation between windows. `binade study cost --mix` estimates what operators would gain for the program.

The exit code is the program's, 128 + N if signal N ended it. With --json the program's standard output goes to standard \
error.

--json: {\"command\", \"exact\", \"windows\", \"instructions\": {\"fma\", \"other_fp\", \"non_fp\"}, \"fma\", \"other_fp\", \
\"non_fp\": {\"share\", \"confidence_95\": [low, high]}}.";

/// Arguments of `binade mix`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// Also write the JSON object to a file
    #[arg(long, short, value_name = "FILE.json")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "output")]
    force: bool,
    /// Step through every instruction: some hundred thousand per second
    #[arg(long, conflicts_with_all = ["interval", "window", "seed"])]
    exact: bool,
    /// Mean time between windows, in milliseconds; longer if windows would take more than a tenth of the time
    #[arg(long, value_name = "MS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    interval: u64,
    /// Instructions per window
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    window: u32,
    /// Seed of the random moments
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let file = self.output.as_ref().map(|path| ReportFile::create(path, self.force)).transpose()?;
        let sampling = if self.exact {
            Sampling::Exact
        } else {
            let interval = Duration::from_millis(self.interval);
            Sampling::Windows { interval, length: self.window, seed: self.seed }
        };
        let stdout = if self.json { Stdout::ToStderr } else { Stdout::Inherited };
        let outcome = trace(&self.command, sampling, stdout)?;
        let command = self.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let mix = Mix::new(command, self.exact, &outcome.windows);
        let json = serde_json::to_string_pretty(&mix)? + "\n";
        if let Some(file) = file {
            file.write(json.as_bytes())?;
        }
        if mix.is_small_sample() {
            eprintln!(
                "warning: {}: too small a sample. Let the program run for longer, give a shorter --interval than {} ms, or step \
                 through all by --exact",
                looked_at(&mix),
                self.interval
            );
        }
        if self.json {
            out.write_all(json.as_bytes())?;
        } else {
            table(out, &mix)?;
        }
        Ok(Status::Child(outcome.code as u8))
    }
}

/// The size of a sample.
fn looked_at(mix: &Mix) -> String {
    let counted = |count: u64, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    format!(
        "{} in {}",
        counted(mix.instructions.total(), "instruction"),
        counted(mix.windows as u64, "window")
    )
}

fn table(out: &mut Output, mix: &Mix) -> Result<(), Error> {
    if mix.instructions.total() == 0 {
        writeln!(out, "the program ended before the first window")?;
        return Ok(());
    }
    let percent = |x: f64| format!("{:.2}%", 100.0 * x);
    let mut lines = vec![["class", "share", "95% confidence"].map(str::to_owned)];
    for (name, share) in [("FP FMA", mix.fma), ("other FP", mix.other_fp), ("non FP", mix.non_fp)] {
        let interval = share.confidence_95.map_or("-".to_owned(), |[low, high]| match mix.exact {
            true => "exact".to_owned(),
            false => format!("{} to {}", percent(low), percent(high)),
        });
        lines.push([name.to_owned(), percent(share.share), interval]);
    }
    text_table::write(out, &lines, &[1, 2])?;
    if mix.exact {
        writeln!(out, "all {} instructions", mix.instructions.total())?;
    } else {
        writeln!(out, "{}", looked_at(mix))?;
    }
    Ok(())
}
