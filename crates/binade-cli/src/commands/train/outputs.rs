//! Writes the results of a training: a page and a plot if asked for, then the table or JSON.

use std::io::Write;
use std::path::PathBuf;

use binade_train::FirstBad;
use binade_train::record::Document;
use clap::Args;

use super::{first_bad, plot, table};
use crate::report_file::{ReportFile, ReportFileError};
use crate::{Error, Output};

/// Options for the output of results.
#[derive(Args, Clone, Debug)]
pub(crate) struct OutputArgs {
    /// Write a page with the curves
    #[arg(long, value_name = "FILE.html")]
    pub(super) report: Option<PathBuf>,
    /// Plot loss, accuracy and lost updates by epoch as SVG
    #[arg(long, value_name = "FILE.svg")]
    pub(super) plot: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
    /// Overwrite existing files
    #[arg(long)]
    pub(super) force: bool,
}

impl OutputArgs {
    /// Options with these values.
    pub(crate) fn new(report: Option<PathBuf>, plot: Option<PathBuf>, json: bool, force: bool) -> OutputArgs {
        OutputArgs { report, plot, json, force }
    }

    /// Refuses existing files, before any work.
    pub(super) fn refuse_existing(&self) -> Result<(), ReportFileError> {
        self.report
            .iter()
            .chain(&self.plot)
            .try_for_each(|path| ReportFile::refuse_existing(path, self.force))
    }

    /// Writes all outputs.
    pub(super) fn write(
        &self,
        document: &Document,
        first_bad: Option<&[FirstBad]>,
        out: &mut Output,
    ) -> Result<(), Error> {
        let (complete, short) = (document, document.with_short_names());
        let document = &short;
        if let Some(path) = &self.report {
            let page = binade_train::page::page(document, &table::costs(document));
            ReportFile::create(path, self.force)?.write_page(page)?;
        }
        if let Some(path) = &self.plot {
            ReportFile::create(path, self.force)?.write(plot::draw(document).as_bytes())?;
        }
        if self.json {
            match first_bad {
                Some(found) => {
                    crate::json::to_writer_pretty(
                        &mut *out,
                        &first_bad::FirstBadDocument::new(complete, found),
                    )?;
                }
                None => crate::json::to_writer_pretty(&mut *out, complete)?,
            }
            return Ok(writeln!(out)?);
        }
        table::write(document, out)?;
        first_bad.map_or(Ok(()), |found| first_bad::write(found, out))
    }
}
