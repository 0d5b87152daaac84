//! Values rounded to what a format holds, or a side of an operator, within their own type.

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

/// Rounding of values within their own type.
#[derive(Clone, Debug)]
pub struct Rounded {
    to: To,
}

#[derive(Clone, Debug)]
enum To {
    Format {
        format: Format,
        /// For formats of up to 16 bits.
        rounder: Option<Box<Rounder>>,
    },
    /// What the accumulator of an operator holds.
    Accumulator(Arc<MultiplyAdd>),
}

impl PartialEq for Rounded {
    /// Whether both are known to give the same.
    fn eq(&self, other: &Rounded) -> bool {
        match (&self.to, &other.to) {
            (To::Format { format, .. }, To::Format { format: other, .. }) => format == other,
            (To::Accumulator(step), To::Accumulator(other)) => Arc::ptr_eq(step, other),
            _ => false,
        }
    }
}

/// `bf16:bf16`.
const SINGLE: Compound =
    Compound { inputs: 1, accumulator: 1, products: 1, variant: Variant::Standard, flush: false };

impl Rounded {
    /// To nearest even, overflow as the format has it.
    pub fn new(format: Format) -> Rounded {
        let rounder = Rounder::new(format, Rounding::NearestEven, Saturation::Overflow).ok().map(Box::new);
        Rounded { to: To::Format { format, rounder } }
    }

    /// As the inputs of an operator are: to a format, or to the sum of N parts. None if every binary32 number stays as it
    /// is.
    pub(crate) fn of_inputs(operator: &Operator, isa: Isa) -> Option<Rounded> {
        match (operator.as_compound(), operator.as_pair()) {
            (Some(Compound { inputs: 1, flush: false, .. }), _) => Some(Rounded::new(BF16)),
            (Some(Compound { inputs, flush, .. }), _) => {
                // What an accumulator of as many parts holds is what the inputs are.
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

    /// As the accumulator of an operator holds them: a number y as the operator's −0 · 1 + y. None if every binary32 number
    /// stays as it is.
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

    /// Whether elements of this type that were rounded are rounded to themselves: binary32 numbers within their type.
    pub(crate) fn settles(&self, element: &ElementType) -> bool {
        *element == ElementType::Float(FloatType::F32)
            && self.rounder().is_some_and(Rounder::is_within_binary32)
    }

    /// What rounds to a format of up to 16 bits, if it is one.
    pub(crate) fn rounder(&self) -> Option<&Rounder> {
        match &self.to {
            To::Format { rounder, .. } => rounder.as_deref(),
            To::Accumulator(_) => None,
        }
    }

    /// Rounds values of a floating-point or complex type; others stay as they are.
    ///
    /// # Panics
    /// If lengths differ, or elements are not stored as the type says.
    pub fn round_into(&self, element: &ElementType, x: View<'_>, mut out: ViewMut<'_>) {
        if let (View::F32(x), ViewMut::F32(out), Some(rounder)) = (&x, &mut out, self.rounder())
            && *element == ElementType::Float(FloatType::F32)
        {
            return rounder.round(x, out);
        }
        out.copy_from(x);
        self.round_part(element, out);
    }

    /// The same in place, on all threads if there are many.
    pub(crate) fn round_in_place(&self, element: &ElementType, data: &mut Data) {
        let (length, data) = (data.len(), data.view_mut());
        if length < PARALLEL {
            return self.round_part(element, data);
        }
        let pieces = cut(vec![data], length, PARALLEL / 4).into_iter().flat_map(|(.., parts)| parts);
        threads::each(true, pieces.collect(), |part| self.round_part(element, part));
    }

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
                    self.round_f32(values);
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
                    // It has fewer bits than its storage.
                    numbers.iter_mut().for_each(|x| *x = float.round(*x as f64) as f32);
                }
            }
            ViewMut::F64(numbers) => self.round_f64(numbers),
            ViewMut::C64(numbers) => self.round_f32(numbers.as_flattened_mut()),
            ViewMut::C128(numbers) => self.round_f64(numbers.as_flattened_mut()),
            _ => {}
        }
    }

    fn round_f32(&self, values: &mut [f32]) {
        match &self.to {
            To::Format { rounder: Some(rounder), .. } => rounder.round_in_place(values),
            To::Format { format, .. } => values.iter_mut().for_each(|x| *x = one(*format, *x as f64) as f32),
            To::Accumulator(step) => settle(step, values),
        }
    }

    fn round_f64(&self, values: &mut [f64]) {
        match &self.to {
            To::Format { rounder: Some(rounder), .. } => rounder.round_in_place_f64(values),
            To::Format { format, .. } => values.iter_mut().for_each(|x| *x = one(*format, *x)),
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

/// Whether every binary32 number is one of the format's.
fn holds_binary32(format: Format) -> bool {
    format == F32 || format == F64
}

/// Numbers y as −0 · 1 + y.
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

/// By the definition, for formats beyond the kernels.
fn one(format: Format, x: f64) -> f64 {
    let code = binade::project(format, Value::from_f64(x), Projection::default()).code;
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
