//! Opens files for `compare` and `matmul`: tensors as numbers, with codes decoded and scaled according to the notes.

use std::path::Path;

use binade::{Spec, decode};
use binade_files::Tensor;

use crate::Error;
use crate::layout::{Noted, ScaleFiles, Scales};
use crate::values::{Values, to_f64};

/// A file to read.
pub(crate) struct NumberFile<'a> {
    pub(crate) noted: Noted,
    files: ScaleFiles,
    format: Option<&'a Spec>,
}

impl<'a> NumberFile<'a> {
    /// Opens a file. `format` is that of codes without a note.
    pub(crate) fn open(path: &Path, format: Option<&'a Spec>) -> Result<NumberFile<'a>, Error> {
        let noted = Noted::open(path)?;
        let files = ScaleFiles::open(&noted)?;
        Ok(NumberFile { noted, files, format })
    }

    /// The tensors, without the scales of others.
    pub(crate) fn tensors(&self) -> Vec<&Tensor> {
        self.noted
            .input
            .tensors()
            .iter()
            .filter(|tensor| self.noted.scales_of(tensor.name()).is_none())
            .collect()
    }
}

/// A tensor with its scales.
pub(crate) struct ScaledTensor<'a> {
    pub(crate) values: Values<'a>,
    scales: Option<Scales<'a>>,
    /// Largest value of its format, without scale.
    largest: f64,
}

impl<'a> ScaledTensor<'a> {
    /// A tensor of a file; `None` if its elements are not numbers.
    pub(crate) fn open(
        file: &'a NumberFile<'_>,
        tensor: &'a Tensor,
    ) -> Result<Option<ScaledTensor<'a>>, Error> {
        let Some(values) = file.noted.values(tensor, file.format)? else { return Ok(None) };
        let scales = Scales::open(&file.noted, &file.files, &values)?;
        let largest = values
            .spec
            .as_ref()
            .map_or(f64::INFINITY, |spec| to_f64(decode(spec.format, spec.format.max_finite_code())));
        Ok(Some(ScaledTensor { values, scales, largest }))
    }

    /// Name of its format or element type.
    pub(crate) fn format(&self) -> String {
        let element = self.values.tensor.element();
        self.values.spec.as_ref().map_or_else(|| element.to_string(), |spec| spec.name().to_owned())
    }

    /// Replaces `values` by `count` values from the element `first` on. `bytes` is a scratch buffer.
    pub(crate) fn read(
        &self,
        first: u64,
        count: u64,
        bytes: &mut Vec<u8>,
        values: &mut Vec<f64>,
    ) -> Result<(), Error> {
        self.values.read(first, count, bytes, values)?;
        self.scales.as_ref().map_or(Ok(()), |scales| scales.apply(first, values))
    }

    /// The largest magnitude that the format and scale of each element allow.
    pub(crate) fn largest(&self, first: u64, count: u64, largest: &mut Vec<f64>) -> Result<(), Error> {
        largest.clear();
        largest.resize(count as usize, self.largest);
        self.scales.as_ref().map_or(Ok(()), |scales| scales.apply(first, largest))
    }
}
