//! `.npy` and `.safetensors` files, of any size in bounded memory.
//!
//! A reader checks a file's header against its length and hands out [`Tensor`]s; a tensor's elements are read in chunks
//! into the caller's buffer, always little-endian and in C order, whatever the file's own order is. A writer is
//! told every tensor first, takes the data at any offset, from any thread, and makes the file appear under its name only when
//! it is complete.
//!
//! ```
//! use binade_files::{ElementType, IfExists, Input, npy};
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("weights.npy");
//! let writer = npy::Writer::create(&path, ElementType::F32, &[2, 3], IfExists::Refuse)?;
//! for element in 0..6_u8 {
//!     writer.write_at(4 * u64::from(element), &f32::from(element).to_le_bytes())?;
//! }
//! writer.finish()?;
//!
//! let input = Input::open(&path)?;
//! let mut total = 0.0;
//! for tensor in input.tensors() {
//!     tensor.visit(1 << 20, |chunk| {
//!         // Progress would be `chunk.first` of `tensor.elements()`.
//!         let (elements, _) = chunk.bytes.as_chunks();
//!         total += elements.iter().map(|&e| f32::from_le_bytes(e)).sum::<f32>();
//!         Ok::<(), binade_files::Error>(())
//!     })?;
//! }
//! assert_eq!(total, 15.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is bounded
//! Private memory is the caller's chunk, plus at most a few MiB to gather a Fortran-ordered array, plus the header. Reads and
//! writes are positioned system calls; nothing is mapped, so a file that shrinks under the reader is an error and not a
//! signal. Nothing is allocated from a length in a file before that length has been checked against the file.
//!
//! # What is atomic
//! Output goes to a temporary file in the target's folder and is renamed when it is complete. Dropping an unfinished
//! writer removes the temporary; a program that ends on Ctrl-C calls [`remove_unfinished`] in its handler. Only a
//! kill that a program cannot catch leaves a `.binade-*.partial` file behind; the target is whole even then. As with
//! `cp`, the system writes the data to the disk in its own time: a file is not safe from a power failure before that.
//!
//! # Why the safetensors header is read here
//! The `safetensors` crate wants the whole file as one slice, forgets the order of tensors and metadata, keeps the last of two
//! equal keys, and refuses a file for one element type that it does not know. All four matter to a converter of
//! checkpoints: this crate reads at offsets, keeps the order, refuses duplicates, and carries unknown types through as bytes.

#![forbid(unsafe_code)]

mod element;
mod error;
mod gather;
mod input;
pub mod npy;
mod output;
mod positioned;
pub mod safetensors;
mod source;
mod tensor;

pub use element::ElementType;
pub use error::{Container, Error, Problem};
pub use input::Input;
pub use output::{IfExists, remove_unfinished};
pub use source::Source;
pub use tensor::{Chunk, MAX_RANK, Tensor};
