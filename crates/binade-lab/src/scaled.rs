//! Files whose tensors are read as the numbers they stand for: codes decoded and scaled as the notes say.

use std::path::Path;

use binade::{Spec, decode};
use binade_files::Tensor;

use crate::Error;
use crate::layout::{Noted, ScaleFiles, Scales};
use crate::values::{Values, to_f64};

/// A file.
pub(crate) struct Side<'a> {
    pub(crate) noted: Noted,
    files: ScaleFiles,
    format: Option<&'a Spec>,
}

impl<'a> Side<'a> {
    /// Opens a file; `format` is what codes are that no note says the format of.
    pub(crate) fn open(path: &Path, format: Option<&'a Spec>) -> Result<Side<'a>, Error> {
        let noted = Noted::open(path)?;
        let files = ScaleFiles::open(&noted)?;
        Ok(Side { noted, files, format })
    }

    /// The tensors that are not scales of others.
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
pub(crate) struct Scaled<'a> {
    pub(crate) values: Values<'a>,
    scales: Option<Scales<'a>>,
    /// The largest value of its format, before scaling.
    largest: f64,
}

impl<'a> Scaled<'a> {
    /// A tensor of a file; `None` where its elements are not numbers.
    pub(crate) fn open(side: &'a Side<'_>, tensor: &'a Tensor) -> Result<Option<Scaled<'a>>, Error> {
        let Some(values) = side.noted.values(tensor, side.format)? else { return Ok(None) };
        let scales = Scales::open(&side.noted, &side.files, &values)?;
        let largest = values
            .spec
            .as_ref()
            .map_or(f64::INFINITY, |spec| to_f64(decode(spec.format, spec.format.max_finite_code())));
        Ok(Some(Scaled { values, scales, largest }))
    }

    /// The name of its format, or of its element type.
    pub(crate) fn format(&self) -> String {
        let element = self.values.tensor.element();
        self.values.spec.as_ref().map_or_else(|| element.to_string(), |spec| spec.name().to_owned())
    }

    /// Puts `count` values from the element `first` on into `values`, which is emptied before; `bytes` is scratch.
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

    /// The largest that each of these elements could have been.
    pub(crate) fn largest(&self, first: u64, count: u64, largest: &mut Vec<f64>) -> Result<(), Error> {
        largest.clear();
        largest.resize(count as usize, self.largest);
        self.scales.as_ref().map_or(Ok(()), |scales| scales.apply(first, largest))
    }
}
