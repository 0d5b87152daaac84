//! Tensors: element type, shape, and elements in row-major order.

use std::sync::Arc;

use crate::types::{ElementType, FloatType, Type};

/// Elements by storage type. Integers are stored in the next larger machine type (`i4` in `i8`, sign-extended; `ui2` in `u8`),
/// and `i1` as 0 and 1 in `u8`. Floating-point types of at most 8 bits are stored as codes in `u8`, those of 16 bits as codes
/// in `u16`, and `tf32` as binary32. Quantized types are stored as their storage type, complex numbers as (real, imaginary).
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Data {
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    C64(Vec<[f32; 2]>),
    C128(Vec<[f64; 2]>),
}

/// A tensor; elements are shared until they are changed.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// Type of the elements.
    pub element: ElementType,
    /// Sizes.
    pub shape: Vec<usize>,
    /// The elements in row-major order; their number is the product of the sizes.
    pub data: Arc<Data>,
}

/// A value of a running program.
#[derive(Clone, Debug)]
pub enum Value {
    /// A tensor.
    Tensor(Tensor),
    /// A token.
    Token,
    /// A tuple.
    Tuple(Vec<Value>),
}

impl ElementType {
    /// Returns true if elements of this type are stored as `data`.
    #[inline]
    pub fn is_stored_as(&self, data: &Data) -> bool {
        std::mem::discriminant(data) == std::mem::discriminant(&Data::empty(self))
    }
}

impl Data {
    /// An empty list of elements of a type.
    #[inline]
    pub fn empty(element: &ElementType) -> Data {
        match element {
            ElementType::Bool => Data::U8(vec![]),
            ElementType::Integer { signed: true, width } => match width {
                ..=8 => Data::I8(vec![]),
                16 => Data::I16(vec![]),
                32 => Data::I32(vec![]),
                _ => Data::I64(vec![]),
            },
            ElementType::Integer { signed: false, width } => match width {
                ..=8 => Data::U8(vec![]),
                16 => Data::U16(vec![]),
                32 => Data::U32(vec![]),
                _ => Data::U64(vec![]),
            },
            ElementType::Float(FloatType::F32 | FloatType::Tf32) => Data::F32(vec![]),
            ElementType::Float(FloatType::F64) => Data::F64(vec![]),
            ElementType::Float(FloatType::Bf16 | FloatType::F16) => Data::U16(vec![]),
            ElementType::Float(_) => Data::U8(vec![]),
            ElementType::Complex(FloatType::F64) => Data::C128(vec![]),
            ElementType::Complex(_) => Data::C64(vec![]),
            ElementType::Quantized(quantized) => Data::empty(&quantized.storage),
        }
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        match self {
            Data::I8(x) => x.len(),
            Data::I16(x) => x.len(),
            Data::I32(x) => x.len(),
            Data::I64(x) => x.len(),
            Data::U8(x) => x.len(),
            Data::U16(x) => x.len(),
            Data::U32(x) => x.len(),
            Data::U64(x) => x.len(),
            Data::F32(x) => x.len(),
            Data::F64(x) => x.len(),
            Data::C64(x) => x.len(),
            Data::C128(x) => x.len(),
        }
    }

    /// Returns true if there are no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Tensor {
    /// Makes a tensor of these elements.
    ///
    /// # Panics
    /// If the number of elements or their storage does not fit the type: an error of the caller, not of its input.
    #[inline]
    pub fn new(element: ElementType, shape: Vec<usize>, data: Data) -> Tensor {
        assert_eq!(shape.iter().product::<usize>(), data.len(), "elements of a {shape:?}");
        assert!(element.is_stored_as(&data), "storage of {element}");
        Tensor { element, shape, data: Arc::new(data) }
    }

    /// The tensor's type, as programs write it.
    pub fn type_text(&self) -> String {
        let sizes: String = self.shape.iter().map(|size| format!("{size}x")).collect();
        format!("tensor<{sizes}{}>", self.element)
    }
}

impl Type {
    /// Returns true if the value has the type in what evaluation needs: the shape and the storage of elements.
    pub fn admits(&self, value: &Value) -> bool {
        match (self, value) {
            (Type::Tensor(declared), Value::Tensor(tensor)) => {
                declared.admits(&tensor.shape) && declared.element.is_stored_as(&tensor.data)
            }
            (Type::Token, Value::Token) => true,
            (Type::Tuple(types), Value::Tuple(values)) => {
                types.len() == values.len() && types.iter().zip(values).all(|(ty, value)| ty.admits(value))
            }
            _ => false,
        }
    }
}
