//! Atomic files: each appears complete, under a name that only one process can get.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::SweepError;

pub(crate) fn failed(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> SweepError {
    let path = path.to_owned();
    move |source| SweepError::Io { path, action, source }
}

/// A hash as hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 of bytes, in hexadecimal digits.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes))
}

/// SHA-256 of a file's bytes, in hexadecimal digits.
///
/// # Errors
/// A file that cannot be read.
pub fn sha256_of_file(path: &Path) -> Result<String, SweepError> {
    let mut file = File::open(path).map_err(failed(path, "read"))?;
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer).map_err(failed(path, "read"))? {
            0 => return Ok(hex(&hash.finalize())),
            count => hash.update(&buffer[..count]),
        }
    }
}

/// Creates a temporary file in a folder, with the permissions that a shell would give it.
pub(crate) fn temporary(folder: &Path) -> Result<NamedTempFile, SweepError> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".binade-").suffix(".shared");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder).map_err(failed(folder, "write in"))
}

/// Gives a file its name. Returns `None` if the name is taken.
pub(crate) fn name(file: NamedTempFile, path: &Path) -> Result<Option<File>, SweepError> {
    match file.persist_noclobber(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(failed(path, "write")(error.error)),
    }
}

/// Writes a value as JSON. Returns true if the name was free.
pub(crate) fn write_once(path: &Path, value: &impl Serialize) -> Result<bool, SweepError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = temporary(folder)?;
    let mut text =
        serde_json::to_vec_pretty(value).map_err(|error| failed(path, "write")(io::Error::from(error)))?;
    text.push(b'\n');
    // Flushed first: after a power failure the name must not lead to an empty file.
    file.write_all(&text).and_then(|()| file.as_file().sync_all()).map_err(failed(path, "write"))?;
    Ok(name(file, path)?.is_some())
}

/// Reads JSON. Returns `None` if there is no such file.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, SweepError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        // A file in place of the folder holds no files.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(failed(path, "read")(error)),
    };
    let damaged =
        |error: serde_json::Error| SweepError::Damaged { path: path.to_owned(), reason: error.to_string() };
    serde_json::from_slice(&text).map(Some).map_err(damaged)
}

/// Names of the files in a folder.
pub(crate) fn names(folder: &Path) -> Result<Vec<String>, SweepError> {
    let mut names = vec![];
    for entry in fs::read_dir(folder).map_err(failed(folder, "read"))? {
        names.extend(entry.map_err(failed(folder, "read"))?.file_name().into_string());
    }
    Ok(names)
}
