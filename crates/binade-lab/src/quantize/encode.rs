//! Elements to codes and the values of these.
//!
//! Unscaled elements of binary32, binary16 and bfloat16 are encoded as they are stored. Others are widened to binary64, which
//! is exact. An unscaled element is rounded as it is. For a scaled one the
//! exact quotient x / s is meant; where x has at most 24 bits, the quotient rounded to binary64 does as well. Rounding
//! compares with points T of at most P + 1 bits. If s has q bits and q + P + 1 ≤ 53, then s · T and x are both multiples of
//! 2^(e−52), where e is the exponent of s · T and x is near it. So if x ≠ s · T, they differ by at least 2^(e−52), which is
//! more than half a unit in the last place of x / s, and x / s is rounded to neither T nor past it: the rounded
//! quotient is below, at or above T exactly as the exact one is. Stochastic rounding compares with longer points; it
//! goes by the quotient where that is exact, as it is by powers of two.

use binade::block::Element;
use binade::catalog::{F32, F64};
use binade::{
    Answer, Edition, Flags, Format, Operation, Projection, Rounded, Rounding, Saturation, Value, decode,
    project_in,
};
use binade_kernels::{self as kernels, Meter, Tally};

use super::RoundingChoice;
use crate::values::{Narrow, datum, pack, to_f64};

/// One format and projection, by the kernels where these do it.
pub(super) struct Encoder {
    pub(super) format: Format,
    rounding: RoundingChoice,
    saturation: Saturation,
    edition: Edition,
    meter: Option<Meter>,
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
    /// Only of elements that came as binary64.
    pub(super) values: Vec<f64>,
}

/// Codes in integers that hold them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Codes {
    /// Of formats of at most 8 bits.
    Bytes(Vec<u8>),
    /// Of formats of 9 to 16 bits.
    Words(Vec<u16>),
    /// Of wider formats.
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

    /// Parts of one array's codes in a format, in order, as one.
    pub(super) fn joined(format: Format, parts: Vec<Codes>) -> Codes {
        let mut all = Codes::default();
        all.resize(format, 0);
        for part in parts {
            match (&mut all, part) {
                (Codes::Bytes(all), Codes::Bytes(part)) => all.extend(part),
                (Codes::Words(all), Codes::Words(part)) => all.extend(part),
                (Codes::Wide(all), Codes::Wide(part)) => all.extend(part),
                // Codes of one format are all alike.
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
    /// Makes codes of MXINT8's grid the integers that they stand for.
    pub(super) fn make_int8(&mut self) {
        if let Codes::Bytes(codes) = &mut self.codes {
            for code in codes {
                let of_grid = Rounded { code: (*code).into(), flags: Flags::NONE };
                *code = Element::Int8.coded(of_grid).code as u8;
            }
        }
    }

    /// Makes the codes of elements whose scale is NaN 0: they say nothing.
    pub(super) fn clear_nan(&mut self, scales: &[f64]) {
        for (at, _) in scales.iter().enumerate().filter(|(_, scale)| scale.is_nan()) {
            self.codes.set(at, 0);
        }
    }

    /// The codes.
    pub(super) fn codes(self) -> Codes {
        self.codes
    }

    /// Replaces the codes by those of elements, the first of which has this index in its tensor, and adds what was lost.
    pub(super) fn encode_narrow(
        &mut self,
        meter: &Meter,
        elements: &Narrow,
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
            Narrow::Binary32(values) => meter.encode_f32(values, codes, tally),
            Narrow::Bfloat16(bits) => meter.encode_bf16(bits, codes, tally),
            Narrow::Binary16(bits) => meter.encode_f16(bits, codes, tally),
        }
    }

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

impl Encoder {
    /// The meaning is that of an edition of P3109.
    pub(super) fn new(
        format: Format,
        rounding: RoundingChoice,
        saturation: Saturation,
        edition: Edition,
    ) -> Encoder {
        Encoder { format, rounding, saturation, edition, meter: meter(format, rounding, saturation, edition) }
    }

    /// The kernels, where they do it.
    pub(super) fn meter(&self) -> Option<&Meter> {
        self.meter.as_ref()
    }

    /// Makes infinities NaN, which are to be scaled, where they would become numbers: where there are none in the format, or
    /// everything saturates.
    pub(super) fn without_infinities(&self, elements: &mut [f64]) {
        if self.saturation == Saturation::Max || !self.format.infinities() {
            elements.iter_mut().filter(|x| x.is_infinite()).for_each(|x| *x = f64::NAN.copysign(*x));
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

    /// Replaces `out` by what becomes of elements, the first of which has this index in its tensor, and adds what was lost.
    pub(super) fn encode(
        &self,
        elements: &[f64],
        scaled: Scaled<'_>,
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
            _ => self.encode(values, Scaled::NOT, 0, out, &mut Tally::default())?,
        }
        Ok(())
    }
}

/// Kernels that are sure to have the bits of the definition, where flags can be told from values.
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
