//! The log of a search's trials, one a line, from which an interrupted search is resumed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Trial;

/// The error of a log.
#[derive(Debug, Error)]
pub enum LogError {
    /// The log is that of another search.
    #[error(
        "{}: the log of a search with another command, check or option: name another file, or use --force to begin it anew",
        .path.display()
    )]
    Other {
        /// The file.
        path: PathBuf,
    },
    /// The file exists and is no log.
    #[error("{}: not the log of a search: name another file", .path.display())]
    NoLog {
        /// The file.
        path: PathBuf,
    },
    /// A line is no trial.
    #[error("{}:{line}: not a trial of a search: {reason}; remove the line, or use --force to begin the log anew", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The mistake in the line.
        reason: String,
    },
    /// The file cannot be read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// The first line: the search that the trials belong to.
#[derive(Serialize, Deserialize)]
struct Head {
    search: String,
}

/// A line of a trial.
#[derive(Serialize, Deserialize)]
struct Line {
    keep: Vec<String>,
    #[serde(flatten)]
    trial: Trial,
}

/// A log of trials.
#[derive(Debug)]
pub struct Log {
    file: Option<(PathBuf, File)>,
    earlier: BTreeMap<Vec<String>, Trial>,
}

impl Log {
    /// Opens a log, or makes it; without a path nothing is kept. `search` describes the search, and is compared with what the
    /// file has. With `anew` the file begins anew.
    ///
    /// # Errors
    /// A file that is not the log of this search, or that cannot be read or written.
    pub fn open(path: Option<&Path>, search: &str, anew: bool) -> Result<Log, LogError> {
        let Some(path) = path else { return Ok(Log { file: None, earlier: BTreeMap::new() }) };
        let failed = |source| LogError::File { path: path.to_owned(), source };
        let text = match fs::read_to_string(path) {
            Ok(text) if !anew => text,
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => String::new(),
        };
        // An interrupted line is written again.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        let mut earlier = BTreeMap::new();
        if let Some(head) = lines.next() {
            let head: Head =
                serde_json::from_str(head).map_err(|_| LogError::NoLog { path: path.to_owned() })?;
            if head.search != search {
                return Err(LogError::Other { path: path.to_owned() });
            }
            for (at, line) in lines.enumerate() {
                let line: Line = serde_json::from_str(line).map_err(|error| LogError::Line {
                    path: path.to_owned(),
                    line: at + 2,
                    reason: error.to_string(),
                })?;
                earlier.insert(line.keep, line.trial);
            }
        } else if !text.is_empty() {
            return Err(LogError::NoLog { path: path.to_owned() });
        }
        let mut file = File::options().create(true).write(true).truncate(false).open(path).map_err(failed)?;
        file.set_len(whole as u64).map_err(failed)?;
        io::Seek::seek(&mut file, io::SeekFrom::End(0)).map_err(failed)?;
        let mut log = Log { file: Some((path.to_owned(), file)), earlier };
        if whole == 0 {
            log.write(&Head { search: search.to_owned() })?;
        }
        Ok(log)
    }

    /// The trial of an earlier search that kept these candidates.
    pub(super) fn earlier(&self, keep: &[String]) -> Option<Trial> {
        self.earlier.get(keep).copied()
    }

    /// Appends a trial.
    pub(super) fn append(&mut self, keep: &[String], trial: Trial) -> Result<(), LogError> {
        self.write(&Line { keep: keep.to_vec(), trial })
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), LogError> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let mut text = serde_json::to_vec(line).expect("a line has a JSON form");
        text.push(b'\n');
        file.write_all(&text).map_err(|source| LogError::File { path: path.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_is_read_back_without_its_torn_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let trial = Trial { accepted: true, difference: Some(0.5), runs: 2 };
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let mut log = Log::open(Some(&path), "a", false).unwrap();
        log.append(&names(&["x:f"]), trial).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}{{\"keep\":[\"x:")).unwrap();
        let mut log = Log::open(Some(&path), "a", false).unwrap();
        assert_eq!(log.earlier(&names(&["x:f"])), Some(trial));
        assert_eq!(log.earlier(&[]), None);
        log.append(&[], Trial { difference: None, ..trial }).unwrap();
        assert_eq!(Log::open(Some(&path), "a", false).unwrap().earlier.len(), 2);
        assert!(matches!(Log::open(Some(&path), "b", false), Err(LogError::Other { .. })));
        assert!(Log::open(Some(&path), "b", true).unwrap().earlier.is_empty());
        for (from, to, reason) in [
            ("difference", "differenc", "missing field `difference`"),
            ("\"runs\":2", "\"runs\":\"2\"", "invalid type: string \"2\", expected u64"),
        ] {
            fs::write(&path, whole.replace(from, to)).unwrap();
            let error = Log::open(Some(&path), "a", false).unwrap_err().to_string();
            assert!(error.contains(&format!(":2: not a trial of a search: {reason}")), "{error}");
        }
        for text in ["hello\n", "hello"] {
            fs::write(&path, text).unwrap();
            assert!(matches!(Log::open(Some(&path), "a", false), Err(LogError::NoLog { .. })));
        }
    }
}
