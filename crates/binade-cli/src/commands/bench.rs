//! `binade bench`: measures the kernels on this machine.

use std::io::Write;

use binade_lab::bench::{Options, Report, Speed, run};
use clap::Args;

use crate::{Error, Output, Status, text_table};

/// Arguments of `binade bench`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Globs or parts of names [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Number of threads of each benchmark, baselines excepted
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Approximate total time; each benchmark runs at least three times
    #[arg(long, value_name = "S", default_value_t = 5.0, value_parser = seconds, allow_negative_numbers = true)]
    seconds: f64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Parses a number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds @ 0.0..=86_400.0) => Ok(seconds),
        _ => Err("expected a number of seconds from 0 to 86400".to_owned()),
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let options =
            Options { names: self.names, threads: usize::from(self.threads), seconds: self.seconds };
        let report = run(&options)?;
        if self.json {
            crate::json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)?;
        } else {
            table(out, &report)?;
        }
        Ok(Status::Done)
    }
}

fn table(out: &mut Output, report: &Report) -> Result<(), Error> {
    writeln!(
        out,
        "{}; memcpy {:.2} G binary32 elements/s",
        report.machine,
        report.memcpy_elements_per_s / 1e9
    )?;
    const HEAD: [&str; 6] = ["name", "isa", "threads", "G/s", "ratio", "to"];
    let mut lines = vec![HEAD.map(str::to_owned)];
    for figure in &report.results {
        let (Speed::ElementsPerS(speed) | Speed::FmaPerS(speed)) = figure.speed;
        lines.push([
            figure.name.clone(),
            figure.isa.to_owned(),
            figure.threads.to_string(),
            format!("{:.2}", speed / 1e9),
            format!("{:.2}", figure.ratio_to_floor),
            figure.floor.clone(),
        ]);
    }
    text_table::write(out, &lines, &[2, 3, 4])?;
    Ok(())
}
