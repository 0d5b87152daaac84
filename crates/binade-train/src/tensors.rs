//! Tensors of the state as bytes, and numbers of metrics.

use binade_files::ElementType as FileType;
use binade_hlo::{Data, ElementType, FloatType, Tensor};

use crate::manifest::Dtype;

/// The element type of a program, and that of a file.
pub(crate) fn types(dtype: Dtype) -> (ElementType, FileType) {
    let integer = |signed, width| ElementType::Integer { signed, width };
    match dtype {
        Dtype::F32 => (ElementType::Float(FloatType::F32), FileType::F32),
        Dtype::F64 => (ElementType::Float(FloatType::F64), FileType::F64),
        Dtype::Bf16 => (ElementType::Float(FloatType::Bf16), FileType::Bf16),
        Dtype::F16 => (ElementType::Float(FloatType::F16), FileType::F16),
        Dtype::I32 => (integer(true, 32), FileType::I32),
        Dtype::I64 => (integer(true, 64), FileType::I64),
        Dtype::U32 => (integer(false, 32), FileType::U32),
    }
}

/// The elements of a state tensor, little end first.
///
/// # Panics
/// If the tensor's type is none of [`Dtype`].
pub(crate) fn to_bytes(tensor: &Tensor) -> Vec<u8> {
    match &*tensor.data {
        Data::F32(x) => x.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::F64(x) => x.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::U16(x) => x.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::I32(x) => x.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::I64(x) => x.iter().flat_map(|x| x.to_le_bytes()).collect(),
        Data::U32(x) => x.iter().flat_map(|x| x.to_le_bytes()).collect(),
        _ => unreachable!("the manifest's types of elements are stored as these"),
    }
}

/// The inverse of [`to_bytes`]. Bytes of a part of an element are left out.
pub(crate) fn from_bytes(dtype: Dtype, bytes: &[u8]) -> Data {
    match dtype {
        Dtype::F32 => Data::F32(bytes.as_chunks().0.iter().map(|c| f32::from_le_bytes(*c)).collect()),
        Dtype::F64 => Data::F64(bytes.as_chunks().0.iter().map(|c| f64::from_le_bytes(*c)).collect()),
        Dtype::Bf16 | Dtype::F16 => {
            Data::U16(bytes.as_chunks().0.iter().map(|c| u16::from_le_bytes(*c)).collect())
        }
        Dtype::I32 => Data::I32(bytes.as_chunks().0.iter().map(|c| i32::from_le_bytes(*c)).collect()),
        Dtype::I64 => Data::I64(bytes.as_chunks().0.iter().map(|c| i64::from_le_bytes(*c)).collect()),
        Dtype::U32 => Data::U32(bytes.as_chunks().0.iter().map(|c| u32::from_le_bytes(*c)).collect()),
    }
}

/// The elements of a metric as binary64, which holds all that a metric may have.
pub(crate) fn numbers(tensor: &Tensor) -> Vec<f64> {
    match &*tensor.data {
        Data::F32(x) => x.iter().map(|x| f64::from(*x)).collect(),
        Data::F64(x) => x.clone(),
        Data::I32(x) => x.iter().map(|x| f64::from(*x)).collect(),
        _ => unreachable!("the manifest's types of metrics are stored as these"),
    }
}
