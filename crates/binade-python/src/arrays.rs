//! Flat NumPy arrays as slices of values and of codes.

use binade::catalog::{BF16, F16, F32, F64};
use binade::{Datum, Format, Projection, Value, project};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;

use crate::value_error;

/// The reading of an element's 16 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    Bf16,
    F16,
}

impl Half {
    pub(crate) fn parse(name: Option<&str>) -> PyResult<Half> {
        match name {
            Some("bf16") => Ok(Half::Bf16),
            Some("f16") => Ok(Half::F16),
            other => Err(value_error(format!("16-bit values are 'bf16' or 'f16', not {other:?}"))),
        }
    }

    pub(crate) fn format(self) -> Format {
        match self {
            Half::Bf16 => BF16,
            Half::F16 => F16,
        }
    }
}

/// Values to encode; 16-bit ones as their bits.
#[derive(FromPyObject)]
pub(crate) enum Values<'py> {
    F32(PyReadonlyArray1<'py, f32>),
    F64(PyReadonlyArray1<'py, f64>),
    Bits(PyReadonlyArray1<'py, u16>),
}

/// Room for decoded values.
#[derive(FromPyObject)]
pub(crate) enum ValuesMut<'py> {
    F32(PyReadwriteArray1<'py, f32>),
    F64(PyReadwriteArray1<'py, f64>),
    Bits(PyReadwriteArray1<'py, u16>),
}

/// Codes: the elements are wide enough for the format.
#[derive(FromPyObject)]
pub(crate) enum Codes<'py> {
    U8(PyReadonlyArray1<'py, u8>),
    U16(PyReadonlyArray1<'py, u16>),
    U32(PyReadonlyArray1<'py, u32>),
    U64(PyReadonlyArray1<'py, u64>),
}

/// Room for codes.
#[derive(FromPyObject)]
pub(crate) enum CodesMut<'py> {
    U8(PyReadwriteArray1<'py, u8>),
    U16(PyReadwriteArray1<'py, u16>),
    U32(PyReadwriteArray1<'py, u32>),
    U64(PyReadwriteArray1<'py, u64>),
}

/// The same, once the arrays are known to be contiguous.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    F32(&'a [f32]),
    F64(&'a [f64]),
    Bits(Half, &'a [u16]),
}

impl Source<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Source::F32(values) => values.len(),
            Source::F64(values) => values.len(),
            Source::Bits(_, values) => values.len(),
        }
    }

    /// Element `at` as a code of its own format.
    pub(crate) fn datum(&self, at: usize) -> Datum {
        let (format, code) = match self {
            Source::F32(values) => (F32, values[at].to_bits().into()),
            Source::F64(values) => (F64, values[at].to_bits()),
            Source::Bits(half, values) => (half.format(), values[at].into()),
        };
        Datum::new(format, code).expect("words have the format's width")
    }
}

impl Values<'_> {
    pub(crate) fn source(&self, half: Option<&str>) -> PyResult<Source<'_>> {
        Ok(match self {
            Values::F32(values) => Source::F32(values.as_slice().map_err(value_error)?),
            Values::F64(values) => Source::F64(values.as_slice().map_err(value_error)?),
            Values::Bits(values) => Source::Bits(Half::parse(half)?, values.as_slice().map_err(value_error)?),
        })
    }
}

/// A value as binary64, to nearest even.
pub(crate) fn to_f64(value: Value) -> f64 {
    f64::from_bits(project(F64, value, Projection::default()).code)
}
