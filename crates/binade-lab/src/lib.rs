//! Operations on files of tensors, for the `binade` command and Python.
//!
//! - [`quantize`] rounds tensors to a format.
//! - [`mod@checkpoint`] writes and reads the layouts of inference programs.
//! - [`select`] chooses a format or layout for each tensor.
//! - [`compare`] measures the error, and [`matmul`] multiplies matrices under an operator.
//! - [`units`] compares the products of several matrix units.
//! - [`search`] finds the code of a program that must keep binary32, and [`stability`] the digits that random rounding leaves.
//! - [`mod@reveal`] probes the arithmetic of a program that multiplies matrices.
//! - [`study`] examines formats and operators; [`mod@bench`] measures this machine.
//!
//! [`quantize`] and [`compare`] stream: private memory is a few chunks for each thread, for any size of file. Results do not
//! depend on the number of threads. Every code is the exact value, or the exact quotient by its scale, rounded once.
//!
//! # Layout of a quantised tensor in a file
//! A `.safetensors` file stores `float8_e4m3fn`, `float8_e5m2`, their FNUZ relatives, `float8_e8m0fnu`, `float6_*`,
//! `float4_e2m1fn`, `bf16`, `f16`, `f32` and `f64` as its own types. Codes of other formats are elements of the narrowest of
//! `U8`, `U16`, `U32` and `U64`. Codes of fewer than 8 bits are packed into a one-dimensional `U8` tensor. The first code has
//! the lowest bits, and rows are not aligned. Tensors of `F4` and `F6_*` that do not end at a byte are packed in the same
//! way, because these types cannot express them.
//!
//! Three metadata keys describe a tensor:
//!
//! | key | value |
//! |---|---|
//! | `binade.format.NAME` | the format of the tensor NAME, with the bias found: `cfloat8_1_4_3@bias=9` |
//! | `binade.shape.NAME` | the shape, where the tensor is packed into bytes: `3,5` |
//! | `binade.scale.NAME` | how the tensor NAME is scaled: `tensor`, `channel:0`, `block:32,float8_e8m0fnu` |
//!
//! The scales of NAME are the tensor `NAME.scale`, and its tensor scale, if there is one, is `NAME.tensor_scale`. The value
//! of an element is the value of its code times its scales. The scales of `channel:AXIS` have the tensor's shape with length
//! 1 on all other axes. Those of `block:N` have ⌈n / N⌉ in place of the last length n. Those of `block:RxN` also have ⌈r / R⌉
//! in place of the length r before it.
//!
//! An `.npy` file stores `f16`, `f32` and `f64` as its own types; other codes are unsigned integers, one for each element.
//! The metadata of codes and scaled arrays is a JSON file beside it, `OUT.binade.json`, with `format` and `scale` as above.
//! Scales are in `OUT.scale.npy` and `OUT.tensor_scale.npy`, where OUT is the name without `.npy`.
//!
//! # Scales
//! A block format by name (`mxfp4`, `nvfp4@rule=rceil`; [`binade::block::BlockFormat`]) defines its scales, and its elements
//! clamp. For NVFP4, the f32 and E4M3 scales are rounded to nearest, as in `ct-nvfp4`. The elements of MXINT8 are `I8` in
//! two's complement; `binade.format.NAME` calls them `mxint8`.
//!
//! Other scales follow from the largest finite magnitude m of their elements and the largest value M of the elements' format,
//! by a [`ScaleRule`](binade::block::ScaleRule). All-zero elements get the scale 1.
//! - `tensor` and `channel:AXIS`: m / M rounded upward (`rceil`), stored as f32.
//! - `block:N`, in `float8_e8m0fnu` or another format of precision 1: 2^(⌊log2 m⌋ − emax), clamped to the format (`floor`,
//!   OCP MX).
//! - `block:N,F` with another format F: m / M in F, rounded upward. If F has fewer than 8 exponent bits, its range is too
//!   narrow for most tensors. Then an f32 tensor scale t = m / (M · F's largest) is divided out first, and both scales are
//!   rounded to nearest even. With `float4_e2m1fn` and `block:16,float8_e4m3fn` this is NVFP4, as in `matmul --in nvfp4` and
//!   the layout `ct-nvfp4`.
//! - `block:RxN`: the same for blocks of R rows of N elements in the last two axes. With `float8_e4m3fn` and
//!   `block:128x128,f32` these are DeepSeek's. A tensor of one axis is one row.
//!
//! Under `rceil` no scaled element exceeds M. Under the other rules it may, by less than a binade, and becomes M as in OCP
//! MX: saturation `overflow` becomes `finite`.
//!
//! An element that is infinite or NaN never becomes a number. It becomes the NaN of its format, or stays infinite if the
//! format has infinities. If the format has no NaN, the scale becomes NaN, and with it all its elements (OCP MX §6.3); their
//! codes are 0. If scales have no NaN either, the element is an error.
#![forbid(unsafe_code)]

mod assign;
pub mod bench;
mod bias;
mod cells;
pub mod checkpoint;
pub mod compare;
mod error;
mod histogram;
mod layout;
mod machine;
pub mod matmul;
mod page;
mod pool;
pub mod quantize;
pub mod reveal;
mod scale;
mod scaled;
pub mod search;
pub mod select;
pub mod stability;
pub mod study;
pub mod swamping;
pub mod units;
mod values;
mod write;

pub use error::Error;
pub use histogram::Histogram;
pub use pool::{Progress, Silent};
pub use scale::{Scale, ScaleError};
