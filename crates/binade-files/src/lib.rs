#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod element;
mod error;
mod gather;
pub mod gguf;
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
pub use output::{IfExists, remove_abandoned, remove_unfinished, temporary_beside};
pub use source::Source;
pub use tensor::{Chunk, MAX_RANK, Tensor};
