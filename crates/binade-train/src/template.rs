//! A model of one's own: a folder to start from.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::TrainError;
use crate::model::FILES;
use crate::zoo::{EXPORT, find};

/// The model that a new folder begins as.
const FIRST: &str = "mlp";

/// The guide in a new folder.
const GUIDE: &str = include_str!("template.md");

/// Makes a folder with a model that runs, the script it comes from, what exports the script, and a guide.
///
/// # Errors
/// A folder that is there already, and files that cannot be written.
pub fn create(folder: &Path) -> Result<(), TrainError> {
    let write_error = |path: &Path, source| TrainError::Write { path: path.to_owned(), source };
    fs::create_dir(folder).map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists => TrainError::Exists(folder.to_owned()),
        _ => write_error(folder, source),
    })?;
    let entry = find(FIRST).expect("the model of the template is built in");
    let scripts = [("model.py", entry.script), ("export.py", EXPORT), ("README.md", GUIDE)];
    let scripts = scripts.map(|(file, text)| (file, text.to_owned()));
    let files = FILES.into_iter().zip(entry.files()).filter(|(_, text)| !text.is_empty());
    for (file, text) in files.chain(scripts) {
        let path = folder.join(file);
        fs::write(&path, text).map_err(|source| write_error(&path, source))?;
    }
    Ok(())
}
