//! Rounds values to a format or to an operator's inputs or accumulator, within their own type, as rules of arithmetic
//! demand.

use std::sync::Arc;

use binade::catalog::{BF16, F32, F64};
use binade::operator::{Compound, Variant};
use binade::{Format, Operator, Projection, Rounding, Saturation, Value};
use binade_fma::{LANES, MultiplyAdd};
use binade_kernels::Rounder;
use binade_simd::{Isa, threads};
use binade_stablehlo::{Data, ElementType, FloatType, View, ViewMut};

use super::blocks::cut;
use super::coded;
use crate::movement::layout::PARALLEL;

/// A rounding of values within their own type.
#[derive(Clone, Debug)]
pub struct Rounded {
    to: To,
}

#[derive(Clone, Debug)]
enum To {
    Format {
        format: Format,
        rounding: Rounding,
        /// The kernel for formats of up to 16 bits.
        rounder: Option<Box<Rounder>>,
    },
    /// The accumulator of an operator.
    Accumulator(Arc<MultiplyAdd>),
}

impl PartialEq for Rounded {
    /// Returns true if both are known to round alike.
    fn eq(&self, other: &Rounded) -> bool {
        match (&self.to, &other.to) {
            (To::Format { format, rounding, .. }, To::Format { format: other, rounding: by, .. }) => {
                format == other && rounding == by && !rounding.is_stochastic()
            }
            (To::Accumulator(step), To::Accumulator(other)) => Arc::ptr_eq(step, other),
            _ => false,
        }
    }
}

/// `bf16:bf16`.
const SINGLE: Compound =
    Compound { inputs: 1, accumulator: 1, products: 1, variant: Variant::Standard, flush: false };

impl Rounded {
    /// Rounding to nearest even; overflow gives the format's infinity, NaN or largest number.
    pub fn new(format: Format) -> Rounded {
        Rounded::by(format, Rounding::NearestEven)
    }

    /// Rounding by a mode; overflow becomes what the mode and the format make of it.
    pub fn by(format: Format, rounding: Rounding) -> Rounded {
        let rounder = Rounder::new(format, rounding, Saturation::Overflow).ok().map(Box::new);
        Rounded { to: To::Format { format, rounding, rounder } }
    }

    /// Returns true if each element takes random bits.
    pub fn is_stochastic(&self) -> bool {
        matches!(&self.to, To::Format { rounding, .. } if rounding.is_stochastic())
    }

    /// The rounding of an operator's inputs: to a format, or to a sum of N parts. `None` if every binary32 number is
    /// unchanged.
    pub(crate) fn of_inputs(operator: &Operator, isa: Isa) -> Option<Rounded> {
        match (operator.as_compound(), operator.formats()) {
            (Some(Compound { inputs: 1, flush: false, .. }), _) => Some(Rounded::new(BF16)),
            (Some(Compound { inputs, flush, .. }), _) => {
                // Inputs are rounded as an accumulator of the same number of parts.
                let parts = Compound {
                    inputs: 1,
                    accumulator: inputs,
                    products: 1,
                    variant: Variant::Standard,
                    flush,
                };
                Some(Rounded::accumulator(Arc::new(MultiplyAdd::new(&Operator::compound(parts), isa))))
            }
            (_, Some((format, _))) if !holds_binary32(format) => Some(Rounded::new(format)),
            _ => None,
        }
    }

    /// The rounding of an operator's accumulator: a number y becomes the operator's −0 · 1 + y. `None` if every
    /// binary32 number is unchanged.
    pub(crate) fn of_accumulator(operator: &Operator, step: &Arc<MultiplyAdd>) -> Option<Rounded> {
        if operator.as_compound() == Some(SINGLE) {
            return Some(Rounded::new(BF16));
        }
        match operator.as_pair() {
            Some((_, format)) if holds_binary32(format) => None,
            _ => Some(Rounded::accumulator(step.clone())),
        }
    }

    fn accumulator(step: Arc<MultiplyAdd>) -> Rounded {
        Rounded { to: To::Accumulator(step) }
    }

    /// Returns true if rounding binary32 numbers within this type a second time changes nothing.
    pub(crate) fn settles(&self, element: &ElementType) -> bool {
        *element == ElementType::Float(FloatType::F32)
            && self.rounder().is_some_and(Rounder::is_within_binary32)
    }

    /// The kernel that rounds to a format of up to 16 bits, if there is one.
    pub(crate) fn rounder(&self) -> Option<&Rounder> {
        match &self.to {
            To::Format { rounder, .. } => rounder.as_deref(),
            To::Accumulator(_) => None,
        }
    }

    /// Rounds values of a floating-point or complex type; others are copied.
    ///
    /// # Panics
    /// If lengths differ, or elements are not stored as the type demands.
    pub fn round_into(&self, element: &ElementType, x: View<'_>, mut out: ViewMut<'_>) {
        if let (View::F32(x), ViewMut::F32(out), Some(rounder)) = (&x, &mut out, self.rounder())
            && *element == ElementType::Float(FloatType::F32)
        {
            return rounder.round(x, out);
        }
        out.copy_from(x);
        self.round_part(element, out);
    }

    /// Rounds values in place, on all threads if there are many. A stochastic rounding takes the words of the elements'
    /// indices under key 0.
    pub(crate) fn round_in_place(&self, element: &ElementType, data: &mut Data) {
        self.round_drawn(element, data, 0);
    }

    /// [`Self::round_in_place`], with the random words under this key: those of the elements' indices, as conversions take
    /// them. A complex number counts as two elements.
    pub(crate) fn round_drawn(&self, element: &ElementType, data: &mut Data, key: u64) {
        let (length, data) = (data.len(), data.view_mut());
        let numbers = if matches!(element, ElementType::Complex(_)) { 2 } else { 1 };
        if length < PARALLEL {
            return self.at(key, 0).round_part(element, data);
        }
        let mut pieces = vec![];
        let mut first = 0;
        for part in cut(vec![data], length, PARALLEL / 4).into_iter().flat_map(|(.., parts)| parts) {
            let count = part.as_view().len();
            pieces.push((first, part));
            first += count * numbers;
        }
        threads::each(true, pieces, |(first, part)| self.at(key, first).round_part(element, part));
    }

    /// The rounding of values whose first one has this index.
    fn at(&self, key: u64, first: usize) -> Drawing<'_> {
        Drawing { rounded: self, key, first: first as u64 }
    }

    fn round_part(&self, element: &ElementType, data: ViewMut<'_>) {
        self.at(0, 0).round_part(element, data);
    }
}

/// A rounding with the random words of values from an index on.
struct Drawing<'a> {
    rounded: &'a Rounded,
    key: u64,
    first: u64,
}

impl Drawing<'_> {
    fn round_part(&self, element: &ElementType, mut data: ViewMut<'_>) {
        let float = match element {
            ElementType::Float(float) | ElementType::Complex(float) => *float,
            _ => return,
        };
        match &mut data {
            ViewMut::U8(_) | ViewMut::U16(_) => {
                let mut values = [0.0; 1024];
                let length = data.as_view().len();
                for start in (0..length).step_by(values.len()) {
                    let range = start..length.min(start + values.len());
                    let values = &mut values[..range.len()];
                    coded::decode(float, data.as_view().range(range.clone()), values).expect("codes");
                    let here = Drawing { first: self.first + start as u64, ..*self };
                    here.round_f32(values);
                    match data.range(range) {
                        ViewMut::U8(out) => float.encode_f32(values, out.into()),
                        ViewMut::U16(out) => float.encode_f32(values, out.into()),
                        _ => unreachable!("a part of codes is codes"),
                    }
                }
            }
            ViewMut::F32(numbers) => {
                self.round_f32(numbers);
                if float == FloatType::Tf32 {
                    // tf32 has fewer bits than its storage.
                    numbers.iter_mut().for_each(|x| *x = float.round(*x as f64) as f32);
                }
            }
            ViewMut::F64(numbers) => self.round_f64(numbers),
            ViewMut::C64(numbers) => self.round_f32(numbers.as_flattened_mut()),
            ViewMut::C128(numbers) => self.round_f64(numbers.as_flattened_mut()),
            _ => {}
        }
    }

    /// The kernel with this rounding's words.
    fn drawn(&self, rounder: &Rounder) -> Rounder {
        rounder.clone().with_seed(self.key).starting_at(self.first)
    }

    fn round_f32(&self, values: &mut [f32]) {
        match &self.rounded.to {
            To::Format { rounder: Some(rounder), rounding, .. } => match rounding.is_stochastic() {
                true => self.drawn(rounder).round_in_place(values),
                false => rounder.round_in_place(values),
            },
            To::Format { format, rounding, .. } => values.iter_mut().zip(self.first..).for_each(|(x, at)| {
                *x = one(*format, rounding.drawn(self.key, at), *x as f64) as f32;
            }),
            To::Accumulator(step) => settle(step, values),
        }
    }

    fn round_f64(&self, values: &mut [f64]) {
        match &self.rounded.to {
            To::Format { rounder: Some(rounder), rounding, .. } => match rounding.is_stochastic() {
                true => self.drawn(rounder).round_in_place_f64(values),
                false => rounder.round_in_place_f64(values),
            },
            To::Format { format, rounding, .. } => values.iter_mut().zip(self.first..).for_each(|(x, at)| {
                *x = one(*format, rounding.drawn(self.key, at), *x);
            }),
            To::Accumulator(step) => {
                for values in values.chunks_mut(LANES) {
                    let mut narrow = [0.0; LANES];
                    narrow.iter_mut().zip(&*values).for_each(|(to, &from)| *to = from as f32);
                    settle(step, &mut narrow);
                    values.iter_mut().zip(narrow).for_each(|(to, from)| *to = from.into());
                }
            }
        }
    }
}

/// Returns true if the format represents every binary32 number.
fn holds_binary32(format: Format) -> bool {
    format == F32 || format == F64
}

/// Replaces each number y by −0 · 1 + y.
fn settle(step: &MultiplyAdd, values: &mut [f32]) {
    let (whole, rest) = values.as_chunks_mut::<LANES>();
    step.add_negative_zero_in_default(whole);
    if !rest.is_empty() {
        let mut lanes = [[0.0; LANES]];
        lanes[0][..rest.len()].copy_from_slice(rest);
        step.add_negative_zero_in_default(&mut lanes);
        rest.copy_from_slice(&lanes[0][..rest.len()]);
    }
}

/// Rounds one number by the definition, for formats without a kernel.
fn one(format: Format, rounding: Rounding, x: f64) -> f64 {
    let how = Projection::new(rounding, Saturation::Overflow);
    let code = binade::project(format, Value::from_f64(x), how).code;
    binade_stablehlo::codes::binary64(binade::decode(format, code))
}

#[cfg(test)]
mod tests {
    use binade::Spec;

    use super::*;

    #[test]
    fn wide_formats_and_narrow_types_round_too() {
        let tf32 = Rounded::new("tf32".parse::<Spec>().unwrap().format);
        let mut out = [0.0];
        let f64 = ElementType::Float(FloatType::F64);
        tf32.round_into(&f64, View::F64(&[1.0 + 2f64.powi(-11) + 2f64.powi(-40)]), ViewMut::F64(&mut out));
        assert_eq!(out, [1.0 + 2f64.powi(-10)]);
        let e4m3 = Rounded::new(FloatType::F8E4M3FN.format());
        let mut codes = [0u16];
        // 1.0625 in bf16 is a tie of e4m3.
        e4m3.round_into(&ElementType::Float(FloatType::Bf16), View::U16(&[0x3f88]), ViewMut::U16(&mut codes));
        assert_eq!(codes, [0x3f80]);
    }
}
