//! Elements to codes and the values of these.
//!
//! Elements are widened to binary64, which is exact. An unscaled element is rounded as it is. For a scaled one the
//! exact quotient x / s is meant; where x has at most 24 bits, the quotient rounded to binary64 does as well. Rounding
//! compares with points T of at most P + 1 bits. If s has q bits and q + P + 1 ≤ 53, then s · T and x are both multiples of
//! 2^(e−52), where e is the exponent of s · T and x is near it. So if x ≠ s · T, they differ by at least 2^(e−52), which is
//! more than half a unit in the last place of x / s, and x / s is rounded to neither T nor past it: the rounded
//! quotient is below, at or above T exactly as the exact one is. Stochastic rounding compares with longer points; it
//! goes by the quotient where that is exact, as it is by powers of two.

use binade::catalog::{F32, F64};
use binade::{
    Answer, Edition, Flags, Format, Operation, Projection, Rounded, Rounding, Saturation, Subnormals, Value,
    decode, project_in,
};
use binade_kernels as kernels;

use super::RoundingChoice;
use crate::values::{datum, pack, to_f64};

/// One format and projection, by the kernels where these do it.
pub(super) struct Encoder {
    pub(super) format: Format,
    rounding: RoundingChoice,
    saturation: Saturation,
    edition: Edition,
    fast: Option<Fast>,
}

/// Kernels, and the elements whose flags are told from what they became.
struct Fast {
    encoder: kernels::Encoder,
    decoder: kernels::Decoder,
    /// Least and largest value of the format.
    range: [f64; 2],
    min_normal: f64,
}

/// How elements are scaled.
#[derive(Clone, Copy)]
pub(super) struct Scaled<'a> {
    /// What each element is divided by; `None` is 1 for all.
    pub(super) by: Option<&'a [f64]>,
    /// Whether the quotients rounded to binary64 decide under the modes without random bits: see the head of this
    /// module.
    pub(super) decided: bool,
    /// Whether they are exact.
    pub(super) exact: bool,
}

impl Scaled<'_> {
    /// Not at all.
    pub(super) const NOT: Scaled<'static> = Scaled { by: None, decided: true, exact: true };
}

/// The codes of elements and their values, scaled back.
#[derive(Default)]
pub(super) struct Encoded {
    codes: Codes,
    pub(super) values: Vec<f64>,
    quotients: Vec<f64>,
}

/// Codes in the narrowest integers that hold them.
enum Codes {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
    Wide(Vec<u64>),
}

impl Default for Codes {
    fn default() -> Codes {
        Codes::Wide(vec![])
    }
}

impl Codes {
    /// Makes room for so many codes of a format.
    fn resize(&mut self, format: Format, count: usize) {
        match (&mut *self, format.width()) {
            (Codes::Bytes(codes), ..=8) => codes.resize(count, 0),
            (Codes::Words(codes), 9..=16) => codes.resize(count, 0),
            (Codes::Wide(codes), 17..) => codes.resize(count, 0),
            (_, ..=8) => *self = Codes::Bytes(vec![0; count]),
            (_, 9..=16) => *self = Codes::Words(vec![0; count]),
            _ => *self = Codes::Wide(vec![0; count]),
        }
    }

    fn set(&mut self, at: usize, code: u64) {
        match self {
            Codes::Bytes(codes) => codes[at] = code as u8,
            Codes::Words(codes) => codes[at] = code as u16,
            Codes::Wide(codes) => codes[at] = code,
        }
    }
}

impl Encoded {
    /// The codes as the bytes of a file, `bits` apart, the first in the lowest bits; the last byte is filled up with
    /// zeros.
    pub(super) fn bytes<'a>(
        &'a self,
        bits: u32,
        room: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], kernels::KernelError> {
        match &self.codes {
            Codes::Bytes(codes) if bits == 8 => return Ok(codes),
            Codes::Bytes(codes) => {
                room.clear();
                room.resize(kernels::pack::bytes(codes.len(), bits), 0);
                kernels::pack::pack(bits, codes, room)?;
            }
            Codes::Words(codes) => {
                room.clear();
                room.extend(codes.iter().flat_map(|code| code.to_le_bytes()));
            }
            Codes::Wide(codes) => pack(codes, bits, room),
        }
        Ok(room)
    }
}

/// Elements that are worked on together: a few arrays of binary64 in the first-level cache.
const BLOCK: usize = 1024;

impl Encoder {
    /// The meaning is that of an edition of P3109.
    pub(super) fn new(
        format: Format,
        rounding: RoundingChoice,
        saturation: Saturation,
        edition: Edition,
    ) -> Encoder {
        Encoder {
            format,
            rounding,
            saturation,
            edition,
            fast: Fast::new(format, rounding, saturation, edition),
        }
    }

    /// The mode for the element `index`.
    fn how(&self, index: u64) -> Projection {
        let rounding = match self.rounding {
            RoundingChoice::Fixed(rounding) => rounding,
            RoundingChoice::Stochastic { variant, bits, seed } => {
                Rounding::Stochastic { variant, bits, random: 0 }.drawn(seed, index)
            }
        };
        Projection::new(rounding, self.saturation)
    }

    /// Replaces `out` by what becomes of elements, the first of which has this index in its tensor; counts sets of flags.
    pub(super) fn encode(
        &self,
        elements: &[f64],
        scaled: Scaled<'_>,
        first: u64,
        out: &mut Encoded,
        flags: &mut [u64; 32],
    ) -> Result<(), kernels::KernelError> {
        out.codes.resize(self.format, elements.len());
        out.values.resize(elements.len(), 0.0);
        let decided = if self.rounding.fixed().is_some() { scaled.decided } else { scaled.exact };
        let Some(fast) = self.fast.as_ref().filter(|_| decided) else {
            self.define(elements, scaled, first, out, flags);
            return Ok(());
        };
        for (number, block) in elements.chunks(BLOCK).enumerate() {
            let start = number * BLOCK;
            let range = start..start + block.len();
            let scales = scaled.by.map(|scales| &scales[range.clone()]);
            let block = match scales {
                None => block,
                Some(scales) => {
                    out.quotients.clear();
                    // A NaN's sign need not survive a division.
                    let quotient = |(&x, &s): (&f64, &f64)| if x.is_nan() { x } else { x / s };
                    out.quotients.extend(block.iter().zip(scales).map(quotient));
                    &out.quotients
                }
            };
            let values = &mut out.values[range.clone()];
            let encoder = fast.encoder.starting_at(first + start as u64);
            match &mut out.codes {
                Codes::Bytes(codes) => {
                    encoder.encode_f64(block, &mut codes[range.clone()])?;
                    fast.decoder.decode_f64(&codes[range.clone()], values)?;
                }
                Codes::Words(codes) => {
                    encoder.encode_f64(block, &mut codes[range.clone()])?;
                    fast.decoder.decode_f64(&codes[range.clone()], values)?;
                }
                // Formats of more than 16 bits have no kernels.
                Codes::Wide(_) => {}
            }
            let special = fast.count(block, values, flags);
            if special > 0 {
                for (at, (&x, value)) in block.iter().zip(values.iter_mut()).enumerate() {
                    if !fast.is_ordinary(x) {
                        let how = self.how(first + (start + at) as u64);
                        let rounded = project_in(self.format, Value::from_f64(x), how, self.edition);
                        *value = to_f64(decode(self.format, rounded.code));
                        flags[(rounded.flags.bits() & 31) as usize] += 1;
                    }
                }
            }
            if let Some(scales) = scales {
                values.iter_mut().zip(scales).for_each(|(value, scale)| *value *= scale);
            }
        }
        Ok(())
    }

    /// [`Encoder::encode`] by the definition, element by element.
    fn define(
        &self,
        elements: &[f64],
        scaled: Scaled<'_>,
        first: u64,
        out: &mut Encoded,
        flags: &mut [u64; 32],
    ) {
        for (at, &x) in elements.iter().enumerate() {
            let how = self.how(first + at as u64);
            let scale = scaled.by.map_or(1.0, |scales| scales[at]);
            let rounded = if scale == 1.0 {
                project_in(self.format, Value::from_f64(x), how, self.edition)
            } else {
                self.quotient(x, scale, how)
            };
            out.codes.set(at, rounded.code);
            out.values[at] = to_f64(decode(self.format, rounded.code)) * scale;
            let without_operands = rounded.flags.bits() & !Flags::DENORMAL.bits();
            flags[without_operands as usize & 31] += 1;
        }
    }

    /// x / scale, rounded once.
    fn quotient(&self, x: f64, scale: f64, how: Projection) -> Rounded {
        let operands = [datum(x), datum(scale)];
        match Operation::Divide.evaluate(&operands, &[], self.format, how, self.edition) {
            Ok(Answer::Code(rounded)) => rounded,
            other => unreachable!("a quotient of two operands is a code: {other:?}"),
        }
    }

    /// Replaces `out` by the codes of values in this format, the source's. A value times its scale may need rounding
    /// there, to nearest even, and what the scale takes past the largest value is clamped.
    pub(super) fn encode_back(&self, values: &[f64], out: &mut Encoded) -> Result<(), kernels::KernelError> {
        let narrow = |x: f64| {
            let negative = (x.is_sign_negative() as u32) << 31;
            let narrow = match (x.abs() as f32).to_bits() {
                _ if x.is_nan() => f32::NAN.to_bits(),
                bits if x.is_finite() => bits.min(f32::MAX.to_bits()),
                bits => bits,
            };
            (negative | narrow) as u64
        };
        out.codes.resize(self.format, values.len());
        match (&mut out.codes, self.format) {
            (Codes::Wide(codes), F64) => {
                codes.iter_mut().zip(values).for_each(|(code, x)| *code = x.to_bits())
            }
            (Codes::Wide(codes), F32) => {
                codes.iter_mut().zip(values).for_each(|(code, x)| *code = narrow(*x))
            }
            _ => self.encode(values, Scaled::NOT, 0, out, &mut [0; 32])?,
        }
        Ok(())
    }
}

impl Fast {
    /// Kernels that are sure to have the bits of the definition, where flags can be told from values: formats with a
    /// zero, whose values and smallest normal are binary64's.
    fn new(
        format: Format,
        rounding: RoundingChoice,
        saturation: Saturation,
        edition: Edition,
    ) -> Option<Fast> {
        let largest = to_f64(decode(format, format.max_finite_code()));
        if format.subnormals() == Subnormals::None || format.emin() < -1022 || !largest.is_finite() {
            return None;
        }
        let (rounding, seed) = match rounding {
            RoundingChoice::Fixed(rounding) => (rounding, 0),
            RoundingChoice::Stochastic { variant, bits, seed } => {
                (Rounding::Stochastic { variant, bits, random: 0 }, seed)
            }
        };
        let how = Projection::new(rounding, saturation);
        Some(Fast {
            encoder: kernels::Encoder::in_edition(format, how, edition).ok()?.with_seed(seed),
            decoder: kernels::Decoder::new(format).ok()?,
            range: [if format.signed() { -largest } else { 0.0 }, largest],
            min_normal: f64::from_bits(((format.emin() + 1023) as u64) << 52),
        })
    }

    /// Whether x is within the range of the format, so that it becomes one of its two neighbours there (itself, if it is
    /// a value), whatever the mode: Inexact says that it changed, Underflow that it did so below the smallest
    /// normal, and nothing else is raised.
    #[inline]
    fn is_ordinary(&self, x: f64) -> bool {
        (self.range[0] <= x) & (x <= self.range[1])
    }

    /// Counts the flags of ordinary elements; how many others there are.
    fn count(&self, elements: &[f64], values: &[f64], flags: &mut [u64; 32]) -> u64 {
        let (mut ordinary, mut inexact, mut tiny) = (0, 0, 0);
        for (&x, &y) in elements.iter().zip(values) {
            let within = self.is_ordinary(x);
            let changed = within & (x != y);
            ordinary += within as u64;
            inexact += changed as u64;
            tiny += (changed & (x.abs() < self.min_normal)) as u64;
        }
        flags[Flags::NONE.bits() as usize] += ordinary - inexact;
        flags[Flags::INEXACT.bits() as usize] += inexact - tiny;
        flags[(Flags::INEXACT | Flags::UNDERFLOW).bits() as usize] += tiny;
        elements.len() as u64 - ordinary
    }
}
