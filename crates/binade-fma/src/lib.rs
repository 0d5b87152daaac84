#![doc = include_str!("../README.md")]
// Legs of one architecture use what the portable one does not.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "what only vector legs use"))]

mod bias_follower;
mod block_product;
pub mod blocks;
mod bytes;
mod conv;
mod exact;
mod gemm;
mod in_blocks;
mod matrix;
mod multiply;
mod order;
mod quantized;
pub mod reference;
mod units;

pub use bias_follower::{BiasFollower, follows};
pub use block_product::{BlockMatrix, BlockMultiplier};
pub use bytes::{Bytes, multiply_bytes};
pub use conv::Convolution;
pub use gemm::elementwise::{LANES, Lanes, MultiplyAdd};
pub use gemm::offsets::Offsets;
pub use in_blocks::{InBlocks, InBlocksError, InputsError, in_blocks, refuse_quantizers};
pub use matrix::{Matrix, MatrixMut, ShapeError};
pub use multiply::{Multiplier, MultiplierError, SlowNotice};
pub use order::{Order, OrderError};
pub use quantized::{
    NotFiniteCounter, Patches, Quantized, QuantizedProduct, RecipeProductError, count_lost_to_nan, quantize,
};
