//! `Format`: a number format, and conversion of arrays to and from its codes.

use binade::block::{BlockFormat, Element, ScaleRule};
use binade::catalog::{BF16, F16, F32, F64};
use binade::{
    Datum, Edition, Flags, Format, Projection, Rounding, Saturation, Spec, Value, decode, project,
    project_in, table, text,
};
use binade_cli::Mode;
use binade_kernels::{Codes as Slice, CodesMut as SliceMut, Decoder, Encoder};
use binade_lab::Scale;
use binade_lab::quantize::{self, Array, Dequantize, Elements, RoundingChoice};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Codes, CodesMut, Half, Source, Values, ValuesMut, to_f64};
use crate::value_error;

/// Codes of elements and of scales, the shape of the scales, the scale's name and the scale over block scales.
type Quantized<'py> = (Bound<'py, PyAny>, Bound<'py, PyArray1<u64>>, Vec<u64>, String, Option<f32>);

/// Widest codes that the kernels convert.
const KERNELS: u32 = 16;

/// A number format by name.
#[pyclass(frozen, subclass, name = "Format", module = "binade._binade")]
pub(crate) struct PyFormat {
    spec: Spec,
}

/// The conversion of values to codes, by the names that the command takes.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Modes {
    rounding: String,
    saturation: String,
    random_bits: u32,
    seed: u64,
    first: u64,
    threads: usize,
}

impl Modes {
    fn projection(&self) -> PyResult<Projection> {
        if !(1..=32).contains(&self.random_bits) {
            return Err(PyValueError::new_err(format!("random_bits={} is not 1 to 32", self.random_bits)));
        }
        let (_, mode) = Mode::all().find(|(name, _)| *name == self.rounding).ok_or_else(|| {
            let names: Vec<&str> = Mode::all().map(|(name, _)| name).collect();
            value_error(format!("no rounding '{}': {}", self.rounding, names.join(", ")))
        })?;
        let saturation = Saturation::ALL.into_iter().find(|mode| mode.name() == self.saturation);
        let saturation = saturation.ok_or_else(|| {
            let names = Saturation::ALL.map(Saturation::name);
            value_error(format!("no saturation '{}': {}", self.saturation, names.join(", ")))
        })?;
        Ok(Projection::new(mode.with(self.random_bits, 0), saturation))
    }
}

impl PyFormat {
    fn format(&self) -> Format {
        self.spec.format
    }

    fn value_of(&self, code: u64) -> f64 {
        to_f64(decode(self.format(), code))
    }

    /// A scale as the command takes it, or the name of a block format of these elements, with its rule.
    fn scale(&self, text: &str) -> PyResult<(Scale, Option<ScaleRule>)> {
        let Ok(blocks) = text.parse::<BlockFormat>() else {
            return Ok((text.parse().map_err(value_error)?, None));
        };
        if blocks.element != Element::Float(self.format()) {
            let element = blocks.element;
            return Err(value_error(format!(
                "the elements of {text} are {element}, not {}",
                self.spec.name()
            )));
        }
        let (rows, columns) = blocks.shape;
        let scale = format!("block:{rows}x{columns},{}", blocks.scale);
        Ok((scale.parse().map_err(value_error)?, Some(blocks.rule)))
    }

    /// The definition itself, an element at a time.
    fn encode_each(
        &self,
        source: Source<'_>,
        modes: &Modes,
        how: Projection,
        mut set: impl FnMut(usize, u64),
    ) -> Flags {
        let mut flags = Flags::NONE;
        for at in 0..source.len() {
            let drawn = how.rounding.drawn(modes.seed, modes.first.wrapping_add(at as u64));
            let how = Projection { rounding: drawn, ..how };
            let datum = source.datum(at);
            let rounded = project_in(self.format(), datum.value(), how, self.spec.edition);
            set(at, rounded.code);
            flags |= rounded.flags | Flags::DENORMAL.when(datum.is_denormal());
        }
        flags
    }

    /// 8- and 16-bit codes by the kernels, and the flags if they are asked for.
    fn encode_fast(
        &self,
        source: Source<'_>,
        modes: &Modes,
        how: Projection,
        to: SliceMut<'_>,
        flags: bool,
    ) -> PyResult<Flags> {
        let encoder = Encoder::in_edition(self.format(), how, self.spec.edition).map_err(value_error)?;
        let encoder = encoder.with_threads(modes.threads).with_seed(modes.seed).starting_at(modes.first);
        let done = match source {
            Source::F32(values) => encoder.encode_f32(values, to),
            Source::F64(values) => encoder.encode_f64(values, to),
            Source::Bits(Half::Bf16, values) => encoder.encode_bf16(values, to),
            Source::Bits(Half::F16, values) => encoder.encode_f16(values, to),
        };
        done.map_err(value_error)?;
        Ok(match source {
            _ if !flags => Flags::NONE,
            Source::F32(values) => encoder.flags_f32(values),
            Source::F64(values) => encoder.flags_f64(values),
            Source::Bits(Half::Bf16, values) => encoder.flags_bf16(values),
            Source::Bits(Half::F16, values) => encoder.flags_f16(values),
        })
    }

    fn decode_fast(&self, codes: Slice<'_>, to: Destination<'_>, threads: usize) -> PyResult<()> {
        let decoder = Decoder::new(self.format()).map_err(value_error)?.with_threads(threads);
        let done = match to {
            Destination::F32(values) => decoder.decode_f32(codes, values),
            Destination::F64(values) => decoder.decode_f64(codes, values),
            Destination::Bits(Half::Bf16, values) => decoder.decode_bf16(codes, values),
            Destination::Bits(Half::F16, values) => decoder.decode_f16(codes, values),
        };
        done.map_err(value_error)
    }

    fn decode_each(&self, len: usize, code: impl Fn(usize) -> u64, to: Destination<'_>) {
        let bits = |format: Format, at: usize| {
            project(format, decode(self.format(), code(at)), Projection::default()).code
        };
        match to {
            Destination::F32(values) => {
                (0..len).for_each(|at| values[at] = f32::from_bits(bits(F32, at) as u32));
            }
            Destination::F64(values) => (0..len).for_each(|at| values[at] = f64::from_bits(bits(F64, at))),
            Destination::Bits(half, values) => {
                (0..len).for_each(|at| values[at] = bits(half.format(), at) as u16);
            }
        }
    }
}

/// Memory for decoded values, as slices.
enum Destination<'a> {
    F32(&'a mut [f32]),
    F64(&'a mut [f64]),
    Bits(Half, &'a mut [u16]),
}

#[pymethods]
impl PyFormat {
    #[new]
    #[pyo3(signature = (name, /))]
    fn new(name: &str) -> PyResult<PyFormat> {
        Ok(PyFormat { spec: name.parse().map_err(value_error)? })
    }

    /// The canonical name, with options.
    #[getter]
    fn name(&self) -> &str {
        self.spec.name()
    }

    /// Edition of P3109 whose definitions the name calls for: '0.9.1' or '4.0'.
    #[getter]
    fn edition(&self) -> &'static str {
        match self.spec.edition {
            Edition::V4 => "4.0",
            Edition::Interim => "0.9.1",
        }
    }

    /// Bits of a code.
    #[getter]
    fn width(&self) -> u32 {
        self.format().width()
    }

    /// Significand bits, the implicit one included.
    #[getter]
    fn precision(&self) -> u32 {
        self.format().precision()
    }

    /// Bits of the exponent field.
    #[getter]
    fn exponent_bits(&self) -> u32 {
        self.format().exponent_bits()
    }

    /// True if there is a sign bit.
    #[getter]
    fn signed(&self) -> bool {
        self.format().signed()
    }

    /// Exponent bias.
    #[getter]
    fn bias(&self) -> i32 {
        self.format().bias()
    }

    /// Exponent of the smallest normal value.
    #[getter]
    fn emin(&self) -> i32 {
        self.format().emin()
    }

    /// Exponent of the largest value.
    #[getter]
    fn emax(&self) -> i32 {
        self.format().emax()
    }

    /// True if there are infinities.
    #[getter]
    fn infinities(&self) -> bool {
        self.format().infinities()
    }

    /// True if there is a -0.
    #[getter]
    fn negative_zero(&self) -> bool {
        self.format().negative_zero()
    }

    /// Number of finite codes.
    #[getter]
    fn finite_values(&self) -> u128 {
        self.format().finite_values()
    }

    /// First and last code of each run of NaN codes.
    #[getter]
    fn nan_codes(&self) -> Vec<(u64, u64)> {
        self.format().nan_ranges()
    }

    /// The largest finite value as binary64 (inf where that is too small).
    #[getter]
    fn max_finite(&self) -> f64 {
        self.value_of(self.format().max_finite_code())
    }

    /// The smallest positive normal value as binary64, or None.
    #[getter]
    fn min_normal(&self) -> Option<f64> {
        self.format().smallest_normal().map(|code| self.value_of(code))
    }

    /// The smallest positive subnormal value as binary64, or None.
    #[getter]
    fn min_subnormal(&self) -> Option<f64> {
        self.format().min_subnormal_code().map(|code| self.value_of(code))
    }

    /// The largest subnormal value as binary64, or None.
    #[getter]
    fn max_subnormal(&self) -> Option<f64> {
        self.format().max_subnormal_code().map(|code| self.value_of(code))
    }

    /// A code's row of P3109's tables: code, bits, value, decimal.
    fn row(&self, code: u64) -> PyResult<String> {
        let datum = Datum::new(self.format(), code).map_err(value_error)?;
        Ok(table::row(self.format(), datum.code()))
    }

    /// A code's exact value as a hexadecimal float.
    fn exact(&self, code: u64) -> PyResult<String> {
        let datum = Datum::new(self.format(), code).map_err(value_error)?;
        Ok(text::hex(datum.value()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<PyFormat>().is_ok_and(|other| other.get().spec == self.spec)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.spec.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyFormat>) -> (Bound<'py, PyAny>, (String,)) {
        (slf.get_type().into_any(), (slf.get().spec.name().to_owned(),))
    }

    /// Encodes `values` (binary32, binary64, or 16-bit words that `half` explains) into `codes`; returns the union of
    /// the flags as bits if they are asked for.
    #[pyo3(signature = (values, half, codes, modes, flags))]
    fn encode_into(
        &self,
        py: Python<'_>,
        values: Values<'_>,
        half: Option<&str>,
        mut codes: CodesMut<'_>,
        modes: Modes,
        flags: bool,
    ) -> PyResult<Option<u8>> {
        let source = values.source(half)?;
        let how = modes.projection()?;
        let (narrow, len) = (self.format().width() <= KERNELS, source.len());
        macro_rules! each {
            ($codes:expr, $code:ty) => {{
                let codes = $codes.as_slice_mut().map_err(value_error)?;
                same_length(codes.len(), len)?;
                check_element(self.format(), <$code>::BITS)?;
                py.detach(|| self.encode_each(source, &modes, how, |at, code| codes[at] = code as $code))
            }};
        }
        macro_rules! fast {
            ($codes:expr) => {{
                let codes = $codes.as_slice_mut().map_err(value_error)?;
                py.detach(|| self.encode_fast(source, &modes, how, codes.into(), flags))?
            }};
        }
        let raised = match &mut codes {
            CodesMut::U8(codes) if narrow => fast!(codes),
            CodesMut::U16(codes) if narrow => fast!(codes),
            CodesMut::U8(codes) => each!(codes, u8),
            CodesMut::U16(codes) => each!(codes, u16),
            CodesMut::U32(codes) => each!(codes, u32),
            CodesMut::U64(codes) => each!(codes, u64),
        };
        Ok(flags.then_some(raised.bits()))
    }

    /// Decodes `codes` into `values`, whose 16-bit words `half` explains.
    #[pyo3(signature = (codes, values, half, threads))]
    fn decode_into(
        &self,
        py: Python<'_>,
        codes: Codes<'_>,
        mut values: ValuesMut<'_>,
        half: Option<&str>,
        threads: usize,
    ) -> PyResult<()> {
        let to = match &mut values {
            ValuesMut::F32(values) => Destination::F32(values.as_slice_mut().map_err(value_error)?),
            ValuesMut::F64(values) => Destination::F64(values.as_slice_mut().map_err(value_error)?),
            ValuesMut::Bits(values) => {
                Destination::Bits(Half::parse(half)?, values.as_slice_mut().map_err(value_error)?)
            }
        };
        let room = match &to {
            Destination::F32(values) => values.len(),
            Destination::F64(values) => values.len(),
            Destination::Bits(_, values) => values.len(),
        };
        macro_rules! each {
            ($codes:expr) => {{
                let codes = $codes.as_slice().map_err(value_error)?;
                same_length(room, codes.len())?;
                py.detach(|| self.decode_each(codes.len(), |at| codes[at].into(), to));
                Ok(())
            }};
        }
        let narrow = self.format().width() <= KERNELS;
        match &codes {
            Codes::U8(codes) if narrow => {
                let codes = codes.as_slice().map_err(value_error)?;
                py.detach(|| self.decode_fast(codes.into(), to, threads))
            }
            Codes::U16(codes) if narrow => {
                let codes = codes.as_slice().map_err(value_error)?;
                py.detach(|| self.decode_fast(codes.into(), to, threads))
            }
            Codes::U8(codes) => each!(codes),
            Codes::U16(codes) => each!(codes),
            Codes::U32(codes) => each!(codes),
            Codes::U64(codes) => each!(codes),
        }
    }

    /// Codes and scales of an array of this shape, as `binade quantize --scale` makes them: codes (of at most 8, 16 or 64
    /// bits), codes of scales, their shape, the scale in full, and the scale over block scales.
    #[pyo3(signature = (values, half, shape, scale, scale_rule, modes))]
    #[expect(clippy::too_many_arguments, reason = "one for each of the package's")]
    fn quantize_array<'py>(
        &self,
        py: Python<'py>,
        values: Values<'_>,
        half: Option<&str>,
        shape: Vec<u64>,
        scale: &str,
        scale_rule: Option<&str>,
        modes: Modes,
    ) -> PyResult<Quantized<'py>> {
        let elements = match values.source(half)? {
            Source::F32(values) => Elements::Binary32(values),
            Source::F64(values) => Elements::Binary64(values),
            Source::Bits(Half::Bf16, bits) => Elements::Bfloat16(bits),
            Source::Bits(Half::F16, bits) => Elements::Binary16(bits),
        };
        let Projection { rounding, saturation } = modes.projection()?;
        let scale_rule = scale_rule.map(str::parse).transpose().map_err(value_error)?;
        let (scale, implied) = self.scale(scale)?;
        let how = Array {
            format: self.spec.clone(),
            scale,
            scale_rule: scale_rule.or(implied),
            rounding: match rounding {
                Rounding::Stochastic { variant, bits, .. } => {
                    RoundingChoice::Stochastic { variant, bits, seed: modes.seed }
                }
                rounding => RoundingChoice::Fixed(rounding),
            },
            saturation,
            threads: modes.threads,
        };
        let done = py.detach(|| quantize::array(elements, &shape, &how)).map_err(value_error)?;
        let codes = match done.codes {
            quantize::Codes::Bytes(codes) => PyArray1::from_vec(py, codes).into_any(),
            quantize::Codes::Words(codes) => PyArray1::from_vec(py, codes).into_any(),
            quantize::Codes::Wide(codes) => PyArray1::from_vec(py, codes).into_any(),
        };
        Ok((codes, PyArray1::from_vec(py, done.scales), done.shape, how.scale.to_string(), done.tensor_scale))
    }

    /// The bytes of the numbers of `dtype` that codes under scales stand for, rounded once.
    #[pyo3(signature = (codes, shape, scale, scales, over, dtype, threads))]
    #[expect(clippy::too_many_arguments, reason = "one for each of the package's")]
    fn dequantize_array<'py>(
        &self,
        py: Python<'py>,
        codes: Codes<'_>,
        shape: Vec<u64>,
        scale: &str,
        scales: PyReadonlyArray1<'_, u64>,
        over: Option<f32>,
        dtype: &str,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let to = match dtype {
            "float64" => F64,
            "float32" => F32,
            "float16" => F16,
            "bfloat16" => BF16,
            other => return Err(value_error(format!("no numbers of type {other}"))),
        };
        let scale: Scale = scale.parse().map_err(value_error)?;
        let scales = scales.as_slice().map_err(value_error)?;
        let array = Dequantize {
            format: &self.spec,
            scale: &scale,
            shape: &shape,
            scales,
            tensor_scale: over,
            threads,
        };
        macro_rules! bytes {
            ($codes:expr) => {{
                let codes = $codes.as_slice().map_err(value_error)?;
                same_length(codes.len(), shape.iter().product::<u64>() as usize)?;
                py.detach(|| array.bytes(|at| codes[at].into(), to)).map_err(value_error)?
            }};
        }
        let bytes = match &codes {
            Codes::U8(codes) => bytes!(codes),
            Codes::U16(codes) => bytes!(codes),
            Codes::U32(codes) => bytes!(codes),
            Codes::U64(codes) => bytes!(codes),
        };
        Ok(PyArray1::from_vec(py, bytes))
    }

    /// The code of the number that `text` stands for, read exactly, and its flags as bits.
    fn encode_text(&self, text: &str, modes: Modes) -> PyResult<(u64, u8)> {
        let value: Value = text::parse(text).map_err(value_error)?;
        let how = modes.projection()?;
        let how = Projection { rounding: how.rounding.drawn(modes.seed, modes.first), ..how };
        let rounded = project_in(self.format(), value, how, self.spec.edition);
        Ok((rounded.code, rounded.flags.bits()))
    }
}

fn same_length(given: usize, expected: usize) -> PyResult<()> {
    match given == expected {
        true => Ok(()),
        false => Err(value_error(format!("{given} codes for {expected} values"))),
    }
}

fn check_element(format: Format, bits: u32) -> PyResult<()> {
    match format.width() <= bits {
        true => Ok(()),
        false => Err(value_error(format!("codes of {} bits do not fit elements of {bits}", format.width()))),
    }
}
