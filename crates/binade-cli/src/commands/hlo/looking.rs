//! What is looked at while a program runs.

use std::path::Path;

use binade_files::IfExists;
use binade_hlo::dump::{Dump, Record};
use binade_hlo::eval::Observer;
use clap::Args;
use serde::Serialize;

use super::bytes;
use crate::Error;
use crate::report_file::ReportFile;

/// Looking inside.
#[derive(Args, Debug)]
pub(super) struct Looking {
    /// Writes the results of operations whose name or named scope fits the pattern to --output-dir: dump000000.npy, …, one
    /// for each time that one is done, and what they are to dump.json. Each operation is then a step by itself: results
    /// have the same bits, and take longer
    #[arg(long, value_name = "PATTERN", requires = "output_dir")]
    dump: Option<String>,
    /// Bytes that --dump writes at most; dump.json names what is left out
    #[arg(long, value_name = "BYTES", default_value = "1G", requires = "dump")]
    dump_limit: String,
}

/// Those who look on.
pub(super) struct Watch<'a> {
    dump: Option<(Dump, &'a Path, bool)>,
}

/// A line of dump.json.
#[derive(Serialize)]
struct Line<'a> {
    file: Option<&'a str>,
    operation: &'a str,
    scope: &'a str,
    function: &'a str,
    line: u32,
    column: u32,
    result: usize,
    #[serde(rename = "type")]
    ty: &'a str,
    step: u64,
    execution: u64,
    replica: usize,
    partition: usize,
}

impl<'a> From<&'a Record> for Line<'a> {
    fn from(record: &'a Record) -> Line<'a> {
        Line {
            file: record.file.as_deref(),
            operation: record.operation,
            scope: &record.scope,
            function: &record.function,
            line: record.position.0,
            column: record.position.1,
            result: record.result,
            ty: &record.ty,
            step: record.step,
            execution: record.execution,
            replica: record.process.0,
            partition: record.process.1,
        }
    }
}

/// The index of what is dumped.
const INDEX: &str = "dump.json";

impl Looking {
    /// Those who look on, with results in `folder`.
    pub(super) fn watch<'a>(&self, folder: Option<&'a Path>, force: bool) -> Result<Watch<'a>, Error> {
        let mut watch = Watch { dump: None };
        if let (Some(pattern), Some(folder)) = (&self.dump, folder) {
            ReportFile::refuse_existing(&folder.join(INDEX), force)?;
            let if_exists = if force { IfExists::Replace } else { IfExists::Refuse };
            let dump = Dump::new(folder, pattern, bytes(&self.dump_limit)? as u64, if_exists);
            watch.dump = Some((dump.map_err(Box::new)?, folder, force));
        }
        Ok(watch)
    }
}

impl Watch<'_> {
    pub(super) fn observers(&self) -> Vec<&dyn Observer> {
        let dump = self.dump.iter().map(|(dump, ..)| dump as &dyn Observer);
        dump.collect()
    }

    /// Says which step comes.
    pub(super) fn begin(&self, step: u64) {
        self.dump.iter().for_each(|(dump, ..)| dump.begin(step));
    }

    /// Writes what has been seen, when the program has ended.
    pub(super) fn finish(self) -> Result<(), Error> {
        if let Some((dump, folder, force)) = self.dump {
            let records = dump.finish().map_err(Box::new)?;
            if records.is_empty() {
                eprintln!("warning: --dump fits no operation that was done");
            }
            let left = records.iter().filter(|record| record.file.is_none()).count();
            if left > 0 {
                eprintln!("--dump-limit leaves {left} of {} results out", records.len());
            }
            let lines: Vec<Line> = records.iter().map(Line::from).collect();
            let mut text = serde_json::to_vec_pretty(&lines)?;
            text.push(b'\n');
            ReportFile::create(&folder.join(INDEX), force)?.write(&text)?;
        }
        Ok(())
    }
}
