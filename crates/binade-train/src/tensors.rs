//! Converts tensors of the state to bytes, and metrics to numbers.

use binade_files::ElementType as FileType;
use binade_hlo::{Data, ElementType, FloatType, Tensor};

use crate::manifest::Dtype;

/// The element types in a program and in a file.
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

/// The elements of a tensor, little-endian.
pub(crate) fn to_bytes(tensor: &Tensor) -> Vec<u8> {
    tensor.data.to_le_bytes(0..tensor.data.len())
}

/// The elements of a metric as binary64, which is exact for all types of metrics.
pub(crate) fn numbers(tensor: &Tensor) -> Vec<f64> {
    match &*tensor.data {
        Data::F32(x) => x.iter().map(|x| f64::from(*x)).collect(),
        Data::F64(x) => x.clone(),
        Data::I32(x) => x.iter().map(|x| f64::from(*x)).collect(),
        _ => unreachable!("the manifest's types of metrics are stored as these"),
    }
}

/// The elements of a floating-point tensor as binary64; `None` for other types.
pub(crate) fn floats(tensor: &Tensor) -> Option<Vec<f64>> {
    let ElementType::Float(float) = &tensor.element else { return None };
    Some(match &*tensor.data {
        Data::F32(x) => x.iter().map(|x| f64::from(*x)).collect(),
        Data::F64(x) => x.clone(),
        Data::U16(x) => x.iter().map(|code| float.value(u64::from(*code))).collect(),
        Data::U8(x) => x.iter().map(|code| float.value(u64::from(*code))).collect(),
        _ => unreachable!("floating-point elements are stored as these"),
    })
}

/// Returns true if two tensors have the same bits.
pub(crate) fn same_bits(a: &Tensor, b: &Tensor) -> bool {
    a.element == b.element && to_bytes(a) == to_bytes(b)
}
