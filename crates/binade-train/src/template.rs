//! Creates the folder of a new model, for `binade train --new`.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::TrainError;
use crate::model::FILES;
use crate::zoo::{EXPORT, find};

/// The model that a new folder begins with.
const BASE_MODEL: &str = "mlp";

/// The guide in a new folder.
const GUIDE: &str = include_str!("template.md");

/// Creates a folder with a working model, its script, the export script, and a guide.
///
/// # Errors
/// The folder exists, or a file cannot be written.
pub fn create(folder: &Path) -> Result<(), TrainError> {
    let write_error = |path: &Path, source| TrainError::Write { path: path.to_owned(), source };
    fs::create_dir(folder).map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists => TrainError::Exists(folder.to_owned()),
        _ => write_error(folder, source),
    })?;
    let entry = find(BASE_MODEL).expect("the model of the template is built in");
    let scripts = [("model.py", entry.script), ("export.py", EXPORT), ("README.md", GUIDE)];
    let scripts = scripts.map(|(file, text)| (file, text.to_owned()));
    let files = FILES.into_iter().zip(entry.files()).filter(|(_, text)| !text.is_empty());
    for (file, text) in files.chain(scripts) {
        let path = folder.join(file);
        fs::write(&path, text).map_err(|source| write_error(&path, source))?;
    }
    Ok(())
}
