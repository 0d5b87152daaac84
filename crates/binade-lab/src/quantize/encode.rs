//! Encodes elements to codes, and decodes these for error measurement.
//!
//! Unscaled elements of binary32, binary16 and bfloat16 are encoded as stored. Others are widened to binary64, which is
//! exact. An unscaled element is rounded directly.
//!
//! A scaled element is defined by the exact quotient x / s. For x of at most 24 bits, the quotient rounded to binary64 gives
//! the same code. Rounding compares with points T of at most P + 1 bits. Let s have q bits with q + P + 1 ≤ 53, and let e be
//! the exponent of s · T. Then s · T and any x near it are multiples of 2^(e−52). If x ≠ s · T, they differ by at least
//! 2^(e−52), which is more than half a unit in the last place of x / s. So the rounded quotient is below, at or above T
//! exactly as the exact one is.
//!
//! Stochastic rounding compares with longer points. It uses the quotient where that is exact, as for powers of two.

use binade::block::Element;
use binade::catalog::{F32, F64};
use binade::{
    Answer, Edition, Flags, Format, Operation, Projection, Rounded, Rounding, Saturation, Value, decode,
    project_in,
};
use binade_kernels::{self as kernels, Meter, Tally};

use super::RoundingChoice;
use crate::values::{StoredElements, datum, pack, to_f64};

/// Encodes to one format and projection, with the kernels where they support it.
pub(super) struct ElementEncoder {
    pub(super) format: Format,
    rounding: RoundingChoice,
    saturation: Saturation,
    edition: Edition,
    meter: Option<Meter>,
}

/// Scales of elements.
#[derive(Clone, Copy)]
pub(super) struct ElementScales<'a> {
    /// Divisor of each element; `None` for 1.
    pub(super) by: Option<&'a [f64]>,
    /// True if quotients rounded to binary64 give the right code under the modes without random bits; see the module
    /// documentation.
    pub(super) decided: bool,
    /// True if the quotients are exact.
    pub(super) exact: bool,
}

impl ElementScales<'_> {
    /// No scaling.
    pub(super) const NONE: ElementScales<'static> = ElementScales { by: None, decided: true, exact: true };
}

/// Codes of elements, and their values times the scales.
#[derive(Default)]
pub(super) struct Encoded {
    codes: Codes,
    /// Only for elements that were passed as binary64.
    pub(super) values: Vec<f64>,
}

/// Codes in the narrowest integers that fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Codes {
    /// Formats of at most 8 bits.
    Bytes(Vec<u8>),
    /// Formats of 9 to 16 bits.
    Words(Vec<u16>),
    /// Wider formats.
    Wide(Vec<u64>),
}

impl Default for Codes {
    fn default() -> Codes {
        Codes::Wide(vec![])
    }
}

impl Codes {
    /// Resizes to this many codes of a format.
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

    /// Concatenates parts of an array's codes.
    pub(super) fn joined(format: Format, parts: Vec<Codes>) -> Codes {
        let mut all = Codes::default();
        all.resize(format, 0);
        for part in parts {
            match (&mut all, part) {
                (Codes::Bytes(all), Codes::Bytes(part)) => all.extend(part),
                (Codes::Words(all), Codes::Words(part)) => all.extend(part),
                (Codes::Wide(all), Codes::Wide(part)) => all.extend(part),
                // All parts have the same variant: it depends on the format.
                _ => {}
            }
        }
        all
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
    /// Converts codes of MXINT8's grid to two's complement integers.
    pub(super) fn make_int8(&mut self) {
        if let Codes::Bytes(codes) = &mut self.codes {
            for code in codes {
                let of_grid = Rounded { code: (*code).into(), flags: Flags::NONE };
                *code = Element::Int8.coded(of_grid).code as u8;
            }
        }
    }

    /// Sets the codes of elements whose scale is NaN to 0; they have no meaning.
    pub(super) fn clear_nan(&mut self, scales: &[f64]) {
        for (at, _) in scales.iter().enumerate().filter(|(_, scale)| scale.is_nan()) {
            self.codes.set(at, 0);
        }
    }

    /// Returns the codes.
    pub(super) fn codes(self) -> Codes {
        self.codes
    }

    /// Replaces the codes by those of elements from index `first` of their tensor, and adds the losses to the tally.
    pub(super) fn encode_stored(
        &mut self,
        meter: &Meter,
        elements: &StoredElements,
        first: u64,
        tally: &mut Tally,
    ) -> Result<(), kernels::KernelError> {
        self.codes.resize(meter.format(), elements.len());
        let meter = meter.clone().starting_at(first);
        let codes = match &mut self.codes {
            Codes::Bytes(codes) => kernels::CodesMut::from(codes),
            Codes::Words(codes) => kernels::CodesMut::from(codes),
            // Formats of more than 16 bits have no kernels.
            Codes::Wide(_) => return Ok(()),
        };
        match elements {
            StoredElements::Binary32(values) => meter.encode_f32(values, codes, tally),
            StoredElements::Bfloat16(bits) => meter.encode_bf16(bits, codes, tally),
            StoredElements::Binary16(bits) => meter.encode_f16(bits, codes, tally),
        }
    }

    /// The codes as bytes of a file, `bits` apart, the first in the lowest bits. The last byte is padded with zeros.
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

impl ElementEncoder {
    /// Creates an encoder for the projection of an edition of P3109.
    pub(super) fn new(
        format: Format,
        rounding: RoundingChoice,
        saturation: Saturation,
        edition: Edition,
    ) -> ElementEncoder {
        ElementEncoder {
            format,
            rounding,
            saturation,
            edition,
            meter: meter(format, rounding, saturation, edition),
        }
    }

    /// The kernels, if they support the format and projection.
    pub(super) fn meter(&self) -> Option<&Meter> {
        self.meter.as_ref()
    }

    /// Replaces infinities by NaN before scaling, if they would become numbers: the format has no infinities, or everything
    /// saturates.
    pub(super) fn without_infinities(&self, elements: &mut [f64]) {
        if self.saturation == Saturation::Max || !self.format.infinities() {
            elements.iter_mut().filter(|x| x.is_infinite()).for_each(|x| *x = f64::NAN.copysign(*x));
        }
    }

    /// The projection for element `index`.
    fn how(&self, index: u64) -> Projection {
        let rounding = match self.rounding {
            RoundingChoice::Fixed(rounding) => rounding,
            RoundingChoice::Stochastic { variant, bits, seed } => {
                Rounding::Stochastic { variant, bits, random: 0 }.drawn(seed, index)
            }
        };
        Projection::new(rounding, self.saturation)
    }

    /// Replaces `out` by the codes and values of elements from index `first` of their tensor, and adds the losses to the
    /// tally.
    pub(super) fn encode(
        &self,
        elements: &[f64],
        scaled: ElementScales<'_>,
        first: u64,
        out: &mut Encoded,
        tally: &mut Tally,
    ) -> Result<(), kernels::KernelError> {
        out.codes.resize(self.format, elements.len());
        out.values.resize(elements.len(), 0.0);
        let decided = if self.rounding.fixed().is_some() { scaled.decided } else { scaled.exact };
        let meter = self.meter.as_ref().filter(|_| decided).map(|meter| meter.clone().starting_at(first));
        let values = &mut out.values;
        match (&mut out.codes, meter) {
            (Codes::Bytes(codes), Some(meter)) => {
                meter.encode_scaled(elements, scaled.by, codes, values, tally)
            }
            (Codes::Words(codes), Some(meter)) => {
                meter.encode_scaled(elements, scaled.by, codes, values, tally)
            }
            _ => {
                self.define(elements, scaled, first, out, &mut tally.flags);
                tally.compare(elements, &out.values);
                Ok(())
            }
        }
    }

    /// As [`ElementEncoder::encode`], by the definition, element by element.
    fn define(
        &self,
        elements: &[f64],
        scaled: ElementScales<'_>,
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

    /// Replaces `out` by the codes of values in this format, which is the source's. A value times its scale is rounded to
    /// nearest even if necessary, and clamped to the largest value.
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
            _ => self.encode(values, ElementScales::NONE, 0, out, &mut Tally::default())?,
        }
        Ok(())
    }
}

/// The kernels, if their bits equal the definition and flags follow from values.
fn meter(
    format: Format,
    rounding: RoundingChoice,
    saturation: Saturation,
    edition: Edition,
) -> Option<Meter> {
    let (rounding, seed) = match rounding {
        RoundingChoice::Fixed(rounding) => (rounding, 0),
        RoundingChoice::Stochastic { variant, bits, seed } => {
            (Rounding::Stochastic { variant, bits, random: 0 }, seed)
        }
    };
    let how = Projection::new(rounding, saturation);
    Meter::new(kernels::Encoder::in_edition(format, how, edition).ok()?.with_seed(seed))
}
