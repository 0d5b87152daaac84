//! Linear algebra operations: sums of products, convolutions, factorizations and Fourier transforms.

pub(crate) mod convolution;
pub(crate) mod dot;
pub(crate) mod factors;
pub(crate) mod fft;
pub(crate) mod lapack;
pub(crate) mod products;
pub(crate) mod ragged;
pub(crate) mod scaled;
pub(crate) mod solve;
pub(crate) mod sparse;

pub use convolution::convolution;
pub(crate) use dot::SmallProduct;
pub use dot::dot_general;
pub use products::Arithmetic;
pub(crate) use ragged::ragged_dot;
pub(crate) use sparse::sparse_dot;
