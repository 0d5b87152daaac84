//! Encoding with error measures, computed while the data is in the first-level cache.

use binade::catalog::F64;
use binade::{Format, Projection, Subnormals, Value, decode, project, project_in};
use binade_simd::lanes::Leg;
use binade_simd::{Environment, Kernel};

use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::error::KernelError;
use crate::measures::{RUN, Range, Tally};
use crate::slices::{Codes, CodesMut};
use crate::values::Values;

/// An [`Encoder`] that also counts flags and measures errors of the encoded elements, in one pass over the source.
///
/// Flags are those of [`project_in`], element by element. The order of summing errors depends only on the length of the
/// slices: pairs are summed in runs of 512, pair i of a run in lane i mod 8, and the runs' results without loss
/// ([`Sum`](crate::Sum)). A meter works on the calling thread.
#[derive(Clone, Debug)]
pub struct Meter {
    encoder: Encoder,
    decoder: Decoder,
    range: Range,
    /// True if every value of the format is a binary32 number.
    in_binary32: bool,
}

/// Elements that are processed together: whole runs.
const BLOCK: usize = 2 * RUN;

impl Meter {
    /// The meter of an encoder. `None` for a format without a zero, or if its least, largest or smallest normal value
    /// is not a binary64 number: then flags cannot be derived from values.
    pub fn new(encoder: Encoder) -> Option<Meter> {
        let format = encoder.format();
        let largest = f64::from_bits(
            project(F64, decode(format, format.max_finite_code()), Projection::default()).code,
        );
        if format.subnormals() == Subnormals::None || format.emin() < -1022 || !largest.is_finite() {
            return None;
        }
        Some(Meter {
            encoder,
            decoder: Decoder::new(format).ok()?.with_isa(encoder.isa()),
            range: Range {
                least: if format.signed() { -largest } else { 0.0 },
                largest,
                min_normal: f64::from_bits(((format.emin() + 1023) as u64) << 52),
            },
            // The last place of the smallest values is 2^(emin + 1 − P), or half of that in Tesla's formats.
            in_binary32: format.precision() <= 24
                && format.emin() - format.precision() as i32 >= -149
                && largest <= f32::MAX as f64,
        })
    }

    /// Sets the index of the first element of a slice: [`Encoder::starting_at`].
    #[must_use]
    pub fn starting_at(self, first: u64) -> Meter {
        Meter { encoder: self.encoder.starting_at(first), ..self }
    }

    /// The format encoded to.
    pub fn format(&self) -> Format {
        self.encoder.format()
    }

    /// Encodes binary32 values, and tallies the errors.
    ///
    /// # Errors
    /// As [`Encoder::encode_f32`].
    pub fn encode_f32<'a>(
        &self,
        source: &[f32],
        destination: impl Into<CodesMut<'a>>,
        tally: &mut Tally,
    ) -> Result<(), KernelError> {
        self.encode(Values::Binary32(source), destination.into(), tally)
    }

    /// Encodes binary64 values, and tallies the errors.
    ///
    /// # Errors
    /// As [`Encoder::encode_f32`].
    pub fn encode_f64<'a>(
        &self,
        source: &[f64],
        destination: impl Into<CodesMut<'a>>,
        tally: &mut Tally,
    ) -> Result<(), KernelError> {
        self.encode(Values::Binary64(source), destination.into(), tally)
    }

    /// Encodes bfloat16 values, given as their bits, and tallies the errors.
    ///
    /// # Errors
    /// As [`Encoder::encode_f32`].
    pub fn encode_bf16<'a>(
        &self,
        source: &[u16],
        destination: impl Into<CodesMut<'a>>,
        tally: &mut Tally,
    ) -> Result<(), KernelError> {
        self.encode(Values::Bfloat16(source), destination.into(), tally)
    }

    /// Encodes binary16 values, given as their bits, and tallies the errors.
    ///
    /// # Errors
    /// As [`Encoder::encode_f32`].
    pub fn encode_f16<'a>(
        &self,
        source: &[u16],
        destination: impl Into<CodesMut<'a>>,
        tally: &mut Tally,
    ) -> Result<(), KernelError> {
        self.encode(Values::Binary16(source), destination.into(), tally)
    }

    fn encode(
        &self,
        source: Values<'_>,
        mut destination: CodesMut<'_>,
        tally: &mut Tally,
    ) -> Result<(), KernelError> {
        self.check(source.len(), &destination)?;
        let (mut wide, mut singles, mut doubles) = ([0.0; BLOCK], [0.0; BLOCK], [0.0; BLOCK]);
        for start in (0..source.len()).step_by(BLOCK) {
            let end = source.len().min(start + BLOCK);
            let (count, mut codes) = (end - start, destination.range(start..end));
            let encoder = self.encoder.starting_at(self.encoder.first().wrapping_add(start as u64));
            let elements = match source.range(start..end) {
                Values::Bfloat16(bits) => encoder.widen(bits, false, &mut wide[..count]),
                Values::Binary16(bits) => encoder.widen(bits, true, &mut wide[..count]),
                own => own,
            };
            encoder.encode_part(elements, codes.range(0..count));
            let isa = encoder.isa();
            let (singles, doubles) = (&mut singles[..count], &mut doubles[..count]);
            let outside = match elements {
                Values::Binary32(elements) if self.in_binary32 => {
                    self.decoder.part_f32(codes.view(), singles);
                    tally.pairs::<_, _, true, true>(isa, self.range, elements, singles)
                }
                Values::Binary32(elements) => {
                    self.decoder.part_f64(codes.view(), doubles);
                    tally.pairs::<_, _, true, true>(isa, self.range, elements, doubles)
                }
                Values::Binary64(elements) => {
                    self.decoder.part_f64(codes.view(), doubles);
                    tally.pairs::<_, _, true, true>(isa, self.range, elements, doubles)
                }
                Values::Bfloat16(_) | Values::Binary16(_) => 0,
            };
            if outside > 0 {
                self.outside(&encoder, elements, tally);
            }
        }
        Ok(())
    }

    /// Encodes x / s for each binary64 value x and its scale s (1 without scales); the quotient is rounded to binary64
    /// first. Writes the values of the codes times their scales to `values`, and tallies the errors.
    ///
    /// # Errors
    /// The errors of [`Encoder::encode_f32`], and if `scales` or `values` differ in length from the source.
    pub fn encode_scaled<'a>(
        &self,
        source: &[f64],
        scales: Option<&[f64]>,
        destination: impl Into<CodesMut<'a>>,
        values: &mut [f64],
        tally: &mut Tally,
    ) -> Result<(), KernelError> {
        let mut destination = destination.into();
        self.check(source.len(), &destination)?;
        KernelError::check_length("the values", values.len(), source.len())?;
        if let Some(scales) = scales {
            KernelError::check_length("the scales", scales.len(), source.len())?;
        }
        let isa = self.encoder.isa();
        let mut quotients = [0.0; BLOCK];
        for start in (0..source.len()).step_by(BLOCK) {
            let end = source.len().min(start + BLOCK);
            let (elements, values) = (&source[start..end], &mut values[start..end]);
            let scales = scales.map(|scales| &scales[start..end]);
            let quotients = match scales {
                None => elements,
                Some(scales) => {
                    let quotients = &mut quotients[..elements.len()];
                    isa.run(Divide { elements, scales, quotients });
                    quotients
                }
            };
            let mut codes = destination.range(start..end);
            let encoder = self.encoder.starting_at(self.encoder.first().wrapping_add(start as u64));
            encoder.encode_part(Values::Binary64(quotients), codes.range(0..elements.len()));
            self.decoder.part_f64(codes.view(), values);
            let outside = match scales {
                None => tally.pairs::<_, _, true, true>(isa, self.range, elements, values),
                Some(scales) => {
                    let outside = tally.pairs::<_, _, true, false>(isa, self.range, quotients, values);
                    isa.run(Multiply { values, scales });
                    tally.pairs::<_, _, false, true>(isa, self.range, elements, values);
                    outside
                }
            };
            if outside > 0 {
                self.outside(&encoder, Values::Binary64(quotients), tally);
            }
        }
        Ok(())
    }

    fn check(&self, length: usize, destination: &CodesMut<'_>) -> Result<(), KernelError> {
        KernelError::check_element(self.format(), destination.element_bits())?;
        KernelError::check_length("the destination", destination.len(), length)
    }

    /// The flags of elements that are out of range, by the definition.
    fn outside(&self, encoder: &Encoder, elements: Values<'_>, tally: &mut Tally) {
        for at in 0..elements.len() {
            let value = elements.value(at);
            let within = match (elements, value) {
                (_, Value::Nan { .. }) => false,
                (Values::Binary32(elements), _) => self.range.contains(elements[at] as f64),
                (Values::Binary64(elements), _) => self.range.contains(elements[at]),
                _ => true,
            };
            if !within {
                let rounded = project_in(self.format(), value, encoder.how_at(at), encoder.edition());
                tally.flags[(rounded.flags.bits() & 31) as usize] += 1;
            }
        }
    }
}

impl CodesMut<'_> {
    /// A view for reading.
    fn view(&self) -> Codes<'_> {
        match self {
            CodesMut::Bytes(codes) => Codes::Bytes(codes),
            CodesMut::Words(codes) => Codes::Words(codes),
        }
    }
}

/// Quotients. A NaN is not divided, because its sign might not survive.
struct Divide<'a> {
    elements: &'a [f64],
    scales: &'a [f64],
    quotients: &'a mut [f64],
}

impl Kernel for Divide<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let _environment = Environment::enter();
        for ((quotient, &x), &s) in self.quotients.iter_mut().zip(self.elements).zip(self.scales) {
            *quotient = if x.is_nan() { x } else { x / s };
        }
    }
}

/// Values times their scales.
struct Multiply<'a> {
    values: &'a mut [f64],
    scales: &'a [f64],
}

impl Kernel for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let _environment = Environment::enter();
        for (value, scale) in self.values.iter_mut().zip(self.scales) {
            *value *= scale;
        }
    }
}
