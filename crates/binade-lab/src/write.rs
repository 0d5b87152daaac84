//! Writes output files of either type: tensors as slots that accept bytes at any offset.

use std::io::Write;
use std::path::{Path, PathBuf};

use binade_files::{Container, IfExists, npy, safetensors, temporary_beside};

use crate::Error;
use crate::layout::{NOTES, Note, SCALES, TENSOR_SCALE, beside};

/// Refuses a file name with the extension of the other file type.
pub(crate) fn check_kind(path: &Path, container: Container) -> Result<(), Error> {
    let kind = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    match (kind.as_deref(), container) {
        (Some("npy" | "gguf"), Container::Safetensors)
        | (Some("safetensors" | "gguf"), Container::Npy)
        | (Some("npy" | "safetensors"), Container::Gguf) => {
            Err(Error::Kind { path: path.to_owned(), container })
        }
        _ => Ok(()),
    }
}

/// An output: one file, or a file with companions.
pub(crate) enum Sink {
    Safetensors(safetensors::Writer),
    Npy(Npy),
}

/// An .npy file with its scales and notes.
pub(crate) struct Npy {
    path: PathBuf,
    if_exists: IfExists,
    /// The array and its scales: slots 0, 1 and 2.
    writers: Vec<npy::Writer>,
    note: Option<Note>,
}

/// Endings of the files for the slots of an .npy output after the first.
const ENDINGS: [&str; 2] = [SCALES, TENSOR_SCALE];

impl Sink {
    /// Creates the output. For .npy, the note is written only if it has content.
    pub(crate) fn create(
        path: &Path,
        container: Container,
        entries: &[Slot],
        metadata: &[(String, String)],
        note: Option<Note>,
        if_exists: IfExists,
    ) -> Result<Sink, Error> {
        match container {
            Container::Safetensors | Container::Gguf => {
                let entries: Vec<safetensors::Entry> =
                    entries.iter().map(|slot| slot.entry.clone()).collect();
                Ok(Sink::Safetensors(safetensors::Writer::create(path, &entries, metadata, if_exists)?))
            }
            Container::Npy => {
                let paths =
                    std::iter::once(path.to_owned()).chain(ENDINGS.iter().map(|ending| beside(path, ending)));
                let writers = paths
                    .zip(entries)
                    .map(|(path, slot)| {
                        npy::Writer::create(path, slot.layout.0.clone(), &slot.layout.1, if_exists)
                    })
                    .collect::<Result<Vec<_>, _>>()?;
                let notes = beside(path, NOTES);
                if if_exists == IfExists::Refuse && notes.exists() {
                    return Err(Error::Beside {
                        path: notes,
                        action: "write",
                        source: std::io::Error::other("the file exists: use --force to replace it"),
                    });
                }
                Ok(Sink::Npy(Npy { path: path.to_owned(), if_exists, writers, note }))
            }
        }
    }

    /// Writes bytes of a slot.
    pub(crate) fn write_at(&self, slot: usize, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        match self {
            Sink::Safetensors(writer) => writer.write_at(slot, offset, bytes)?,
            Sink::Npy(npy) => {
                if let Some(writer) = npy.writers.get(slot) {
                    writer.write_at(offset, bytes)?;
                }
            }
        }
        Ok(())
    }

    /// Gives the files their names. The array comes last, so that it never appears without its scales.
    pub(crate) fn finish(self) -> Result<(), Error> {
        match self {
            Sink::Safetensors(writer) => Ok(writer.finish()?),
            Sink::Npy(npy) => npy.finish(),
        }
    }
}

impl Npy {
    fn finish(self) -> Result<(), Error> {
        let notes = beside(&self.path, NOTES);
        let mut done: Vec<PathBuf> = vec![];
        let work =
            || {
                match &self.note {
                    Some(note) => {
                        write_note(&notes, note).map_err(|source| Error::Beside {
                            path: notes.clone(),
                            action: "write",
                            source,
                        })?;
                        done.push(notes.clone());
                    }
                    // An old note does not describe the new file.
                    None if notes.exists() => std::fs::remove_file(&notes)
                        .map_err(|source| Error::Beside { path: notes.clone(), action: "remove", source })?,
                    None => {}
                }
                for (slot, writer) in self.writers.into_iter().enumerate().rev() {
                    writer.finish()?;
                    if let Some(ending) = slot.checked_sub(1).and_then(|at| ENDINGS.get(at)) {
                        done.push(beside(&self.path, ending));
                    }
                }
                Ok(())
            };
        let result = work();
        if result.is_err() && self.if_exists == IfExists::Refuse {
            // These files are ours, and useless without the others.
            for path in done {
                let _ = std::fs::remove_file(path);
            }
        }
        result
    }
}

/// Writes the notes to a temporary file and renames it.
fn write_note(path: &Path, note: &Note) -> std::io::Result<()> {
    let mut file = temporary_beside(path)?;
    serde_json::to_writer(&mut file, note)?;
    file.write_all(b"\n")?;
    file.persist(path)?;
    Ok(())
}

/// A tensor to be written.
pub(crate) struct Slot {
    entry: safetensors::Entry,
    layout: (binade_files::ElementType, Vec<u64>),
}

impl Slot {
    /// A tensor of elements of known width.
    pub(crate) fn new(name: &str, element: binade_files::ElementType, shape: &[u64]) -> Slot {
        Slot {
            entry: safetensors::Entry::new(name, element.clone(), shape),
            layout: (element, shape.to_vec()),
        }
    }

    /// A tensor that is copied.
    pub(crate) fn like(tensor: &binade_files::Tensor) -> Slot {
        let layout = (tensor.element().clone(), tensor.shape().to_vec());
        Slot { entry: safetensors::Entry::like(tensor), layout }
    }
}
