#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

use std::sync::Arc;

use rustfft::FftPlannerScalar;
pub use rustfft::{Fft, FftDirection, FftNum, num_complex};

/// The type of the real and imaginary parts: binary32 or binary64.
pub trait Real: FftNum {
    /// The unscaled transform of `length` numbers.
    fn transform(length: usize, direction: FftDirection) -> Arc<dyn Fft<Self>>;
}

impl Real for f32 {
    fn transform(length: usize, direction: FftDirection) -> Arc<dyn Fft<f32>> {
        FftPlannerScalar::new().plan_fft(length, direction)
    }
}

impl Real for f64 {
    fn transform(length: usize, direction: FftDirection) -> Arc<dyn Fft<f64>> {
        FftPlannerScalar::new().plan_fft(length, direction)
    }
}
