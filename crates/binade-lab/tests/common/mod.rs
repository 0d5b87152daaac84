//! Helpers of the tests: small files of tensors, and their contents.
#![allow(dead_code)] // Each test file uses its own share.

use std::path::{Path, PathBuf};

use binade::{Format, Projection, Spec, Value, philox, project};
use binade_files::{ElementType, IfExists, Input, npy, safetensors};
use binade_lab::quantize::{Options, Report, Target, run};
use binade_lab::{Error, Silent};
use tempfile::TempDir;

/// A folder for a test's files.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Names of its files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn npy(&self, name: &str, element: ElementType, shape: &[u64], bytes: &[u8]) -> PathBuf {
        let path = self.path(name);
        let writer = npy::Writer::create(&path, element, shape, IfExists::Refuse).unwrap();
        writer.write_at(0, bytes).unwrap();
        writer.finish().unwrap();
        path
    }

    pub(crate) fn npy_f32(&self, name: &str, shape: &[u64], values: &[f32]) -> PathBuf {
        self.npy(name, ElementType::F32, shape, &bytes_of_f32(values))
    }

    pub(crate) fn safetensors(
        &self,
        name: &str,
        tensors: &[(&str, ElementType, &[u64], Vec<u8>)],
        metadata: &[(&str, &str)],
    ) -> PathBuf {
        let path = self.path(name);
        let entries: Vec<_> = tensors
            .iter()
            .map(|(name, element, shape, _)| safetensors::Entry::new(*name, element.clone(), *shape))
            .collect();
        let metadata: Vec<_> =
            metadata.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let writer = safetensors::Writer::create(&path, &entries, &metadata, IfExists::Refuse).unwrap();
        for (index, (_, _, _, bytes)) in tensors.iter().enumerate() {
            writer.write_at(index, 0, bytes).unwrap();
        }
        writer.finish().unwrap();
        path
    }
}

pub(crate) fn bytes_of_f32(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

pub(crate) fn bytes_of_f64(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|x| x.to_le_bytes()).collect()
}

/// The codes of values in a format of 8 or 16 bits.
pub(crate) fn bytes_of(name: &str, values: &[f64]) -> Vec<u8> {
    let format = format(name);
    values
        .iter()
        .flat_map(|&x| {
            let code = project(format, Value::from_f64(x), Projection::default()).code;
            code.to_le_bytes()[..format.width() as usize / 8].to_vec()
        })
        .collect()
}

pub(crate) fn format(name: &str) -> Format {
    name.parse::<Spec>().unwrap().format
}

/// Bell-shaped binary32 values, a few of them large; one NaN, one infinite, one subnormal.
pub(crate) fn weights(count: usize) -> Vec<f32> {
    let uniform = |index| philox::word(7, index as u64) as f32 / 2f32.powi(32) - 0.5;
    let mut values: Vec<f32> = (0..count).map(|i| (0..6).map(|j| uniform(6 * i + j)).sum::<f32>()).collect();
    for (at, special) in
        [(5, f32::NAN), (11, f32::INFINITY), (17, 1e-42), (23, -30.0), (29, 0.0), (31, -0.0), (37, 1e-5)]
    {
        if at < count {
            values[at] = special;
        }
    }
    values
}

pub(crate) fn options(format: &str) -> Options {
    Options::new(Target::parse(format, None).unwrap())
}

pub(crate) fn quantize(input: &Path, output: &Path, options: &Options) -> Result<Report, Error> {
    run(input, output, options, &Silent)
}

/// The bytes of a tensor in a file.
pub(crate) fn bytes(path: &Path, tensor: &str) -> Vec<u8> {
    Input::open(path).unwrap().get(tensor).unwrap().read_all().unwrap()
}

/// The element type and shape of a tensor in a file.
pub(crate) fn kind(path: &Path, tensor: &str) -> (ElementType, Vec<u64>) {
    let input = Input::open(path).unwrap();
    let tensor = input.get(tensor).unwrap();
    (tensor.element().clone(), tensor.shape().to_vec())
}

pub(crate) fn metadata(path: &Path) -> Vec<(String, String)> {
    Input::open(path).unwrap().metadata().to_vec()
}

pub(crate) fn f32s(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)).collect()
}
