//! What is done to files of tensors: [`quantize`] rounds them to a format, [`mod@checkpoint`] writes and reads the layouts
//! that programs load, [`select`] chooses among several ways to do either, [`compare`] measures the damage, [`matmul`] multiplies them under an operator. [`study`] measures formats and operators by themselves, [`mod@bench`] this machine.
//!
//! [`quantize`] and [`compare`] stream: private memory is a few chunks a thread, whatever the size of the file.
//! Results do not depend on the number of threads. Arithmetic on elements is binade's own: every code is the exact
//! value, or the exact quotient by its scale, rounded once.
//!
//! # How a quantised tensor lies in a file
//! A `.safetensors` file has `float8_e4m3fn`, `float8_e5m2`, their FNUZ relatives, `float8_e8m0fnu`, `float6_*`,
//! `float4_e2m1fn`, `bf16`, `f16`, `f32` and `f64` as its own types. Codes of other formats are elements of `U8`,
//! `U16`, `U32` or `U64`, whichever is the narrowest that holds them; codes of fewer than 8 bits are packed, the
//! first in the lowest bits, without regard to rows, into a one-dimensional `U8` tensor. (So are those of `F4` and
//! `F6_*` where the tensor does not end with a byte, which these types cannot express.) Three keys of the metadata say
//! what is meant:
//!
//! | key | value |
//! |---|---|
//! | `binade.format.NAME` | the format of the tensor NAME, with the bias found: `cfloat8_1_4_3@bias=9` |
//! | `binade.shape.NAME` | the shape, where the tensor is packed into bytes: `3,5` |
//! | `binade.scale.NAME` | how the tensor NAME is scaled: `tensor`, `channel:0`, `block:32,float8_e8m0fnu` |
//!
//! A scaled tensor has its scales beside it under `NAME.scale`, and the scale over block scales, where there is
//! one, under `NAME.tensor_scale`; an element's value is its code's times its scales.
//! The scales of `channel:AXIS` have the tensor's shape with all other lengths 1, those of `block:N` have ⌈n / N⌉ as
//! their last length n, and those of `block:RxN` ⌈r / R⌉ as the length r before it, too.
//!
//! An `.npy` file has `f16`, `f32` and `f64` as its own types; other codes are unsigned integers, an element a code.
//! As it has no room for metadata, a small JSON file stands beside codes and scaled arrays: `OUT.binade.json` with
//! `format` and `scale` as above. Scales are in `OUT.scale.npy` and `OUT.tensor_scale.npy` (OUT without its `.npy`).
//!
//! # Scales
//! A block format by name (`mxfp4`, `nvfp4@rule=rceil`; [`binade::block::BlockFormat`]) has its scales by its rule, and its elements
//! clamp: of NVFP4, f32 and E4M3 scales to nearest, as `ct-nvfp4` has them. MXINT8's elements are `I8`, in two's complement, which
//! `binade.format.NAME` calls `mxint8`. For a scale that is spelt out:
//!
//! A scale follows from the largest finite magnitude m of its elements and the largest value M of their format, by a rule of
//! [`ScaleRule`](binade::block::ScaleRule). All-zero elements get the scale 1.
//! - `tensor` and `channel:AXIS`: m / M rounded upward (`rceil`), kept as f32.
//! - `block:N`, in `float8_e8m0fnu` or another format of precision 1: 2^(⌊log2 m⌋ − emax), clamped to the format (`floor`,
//!   OCP MX).
//! - `block:N,F` with another format F: m / M in F, rounded upward. Where F has fewer than 8 exponent bits, its range is
//!   too narrow for tensors at large, and an f32 scale t = m / (M · F's largest) of the whole tensor is divided out first. Then both
//!   are rounded to nearest even: with `float4_e2m1fn` and `block:16,float8_e4m3fn` that is NVFP4, as `matmul --in nvfp4` and the
//!   layout `ct-nvfp4` have it.
//! - `block:RxN` is the same of blocks of R rows of N elements, in the last two axes: with `float8_e4m3fn` and
//!   `block:128x128,f32` DeepSeek's. A tensor of one axis is one row.
//!
//! Under `rceil` no scaled element lies beyond M. Under the other rules one may, by less than a binade, and becomes M, as OCP MX
//! has it: saturation `overflow` becomes `finite`.
//!
//! An element that is infinite or NaN never becomes a number by its scale. It is the NaN of its format, or the infinity that it was
//! where the format has infinities. Where the format has no NaN, the scale is NaN, and with it all elements that have this scale
//! (OCP MX §6.3); their codes are 0. Where scales have no NaN, either, it is an error.
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
mod scale;
mod scaled;
pub mod select;
pub mod study;
pub mod swamping;
mod values;
mod write;

pub use error::Error;
pub use histogram::Histogram;
pub use pool::{Progress, Silent};
pub use scale::{Scale, ScaleError};
