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

/// The elements of a floating-point tensor, as binary64; none if it has other ones.
pub(crate) fn floats(tensor: &Tensor) -> Option<Vec<f64>> {
    let ElementType::Float(float) = &tensor.element else { return None };
    let of = |code: u64| {
        let value = binade::decode(float.format(), code);
        f64::from_bits(binade::project(FloatType::F64.format(), value, binade::Projection::default()).code)
    };
    Some(match &*tensor.data {
        Data::F32(x) => x.iter().map(|x| f64::from(*x)).collect(),
        Data::F64(x) => x.clone(),
        Data::U16(x) => x.iter().map(|code| of(u64::from(*code))).collect(),
        Data::U8(x) => x.iter().map(|code| of(u64::from(*code))).collect(),
        _ => unreachable!("floating-point elements are stored as these"),
    })
}

/// Whether two tensors have the same bits.
pub(crate) fn same_bits(a: &Tensor, b: &Tensor) -> bool {
    match (&*a.data, &*b.data) {
        (Data::F32(a), Data::F32(b)) => a.iter().map(|x| x.to_bits()).eq(b.iter().map(|x| x.to_bits())),
        (Data::F64(a), Data::F64(b)) => a.iter().map(|x| x.to_bits()).eq(b.iter().map(|x| x.to_bits())),
        (Data::C64(a), Data::C64(b)) => {
            a.as_flattened().iter().map(|x| x.to_bits()).eq(b.as_flattened().iter().map(|x| x.to_bits()))
        }
        (Data::C128(a), Data::C128(b)) => {
            a.as_flattened().iter().map(|x| x.to_bits()).eq(b.as_flattened().iter().map(|x| x.to_bits()))
        }
        (Data::I8(a), Data::I8(b)) => a == b,
        (Data::I16(a), Data::I16(b)) => a == b,
        (Data::I32(a), Data::I32(b)) => a == b,
        (Data::I64(a), Data::I64(b)) => a == b,
        (Data::U8(a), Data::U8(b)) => a == b,
        (Data::U16(a), Data::U16(b)) => a == b,
        (Data::U32(a), Data::U32(b)) => a == b,
        (Data::U64(a), Data::U64(b)) => a == b,
        _ => false,
    }
}
