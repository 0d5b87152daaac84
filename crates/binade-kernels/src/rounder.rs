//! Rounding values to a format without leaving binary32 or binary64.

use binade::{Edition, Format, Projection, Rounding, Saturation};
use binade_simd::Isa;
use binade_simd::threads;

use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::error::KernelError;
use crate::slices::{Codes, CodesMut};
use crate::values::Values;

/// Replaces values by what they become in a format: encode, then decode.
///
/// Values that the carrying type cannot hold (a format may reach further) are rounded to it to nearest even. NaN and
/// infinity become what the format makes of them. For stochastic rounding see [`Encoder`].
#[derive(Clone, Debug)]
pub struct Rounder {
    encoder: Encoder,
    decoder: Decoder,
    threads: usize,
    first: u64,
}

/// Values rounded at once.
const BUFFER: usize = 1024;

macro_rules! in_place {
    ($(#[$doc:meta])* $name:ident, $value:ty, $values:ident, $decode:ident) => {
        $(#[$doc])*
        pub fn $name(&self, values: &mut [$value]) {
            threads::split(values, self.threads, |start, piece| {
                let (mut bytes, mut words) = ([0; BUFFER], [0; BUFFER]);
                for (number, piece) in piece.chunks_mut(BUFFER).enumerate() {
                    let first = self.first.wrapping_add((start + number * BUFFER) as u64);
                    let encoder = self.encoder.starting_at(first);
                    if encoder.format().width() <= 8 {
                        let codes = &mut bytes[..piece.len()];
                        encoder.encode_part(Values::$values(piece), CodesMut::Bytes(codes));
                        self.decoder.$decode(Codes::Bytes(codes), piece);
                    } else {
                        let codes = &mut words[..piece.len()];
                        encoder.encode_part(Values::$values(piece), CodesMut::Words(codes));
                        self.decoder.$decode(Codes::Words(codes), piece);
                    }
                }
            });
        }
    };
}

impl Rounder {
    /// As [`Encoder::new`].
    ///
    /// # Errors
    /// If the format has more than 16 bits.
    pub fn new(format: Format, rounding: Rounding, saturation: Saturation) -> Result<Rounder, KernelError> {
        Rounder::in_edition(format, Projection::new(rounding, saturation), Edition::Interim)
    }

    /// As [`Encoder::in_edition`].
    ///
    /// # Errors
    /// If the format has more than 16 bits.
    pub fn in_edition(format: Format, how: Projection, edition: Edition) -> Result<Rounder, KernelError> {
        let encoder = Encoder::in_edition(format, how, edition)?;
        Ok(Rounder { encoder, decoder: Decoder::new(format)?, threads: 1, first: 0 })
    }

    /// The same on this instruction set.
    pub fn with_isa(self, isa: Isa) -> Rounder {
        Rounder { encoder: self.encoder.with_isa(isa), decoder: self.decoder.with_isa(isa), ..self }
    }

    /// The same on this many threads (0 counts as 1). Results do not depend on it.
    pub fn with_threads(self, threads: usize) -> Rounder {
        Rounder { threads, ..self }
    }

    /// The same with this seed for stochastic rounding.
    pub fn with_seed(self, seed: u64) -> Rounder {
        Rounder { encoder: self.encoder.with_seed(seed), ..self }
    }

    /// The same for slices whose first element has index `first` in the whole, see [`Encoder::starting_at`].
    pub fn starting_at(self, first: u64) -> Rounder {
        Rounder { first, ..self }
    }

    in_place! {
        /// Rounds binary32 values in place.
        round_in_place, f32, Binary32, part_f32
    }

    in_place! {
        /// Rounds binary64 values in place.
        round_in_place_f64, f64, Binary64, part_f64
    }
}
