//! Tensors: element type, shape, and elements in row-major order.

use std::sync::Arc;

use crate::types::{ElementType, FloatType, Type};

/// Elements. Integers are stored in the next machine type (`i4` in `i8`, sign-extended; `ui2` in `u8`); `i1` as 0 and 1
/// in `u8`; floating-point types of up to 8 bits as codes in `u8`, of 16 bits as codes in `u16`, `tf32` as binary32;
/// quantized types as their storage; complex numbers as (real, imaginary).
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
    /// As many elements as the product of the sizes, the last index fastest.
    pub data: Arc<Data>,
}

/// A value while a program runs.
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
    /// Whether `data` is how elements of this type are stored.
    #[inline]
    pub fn is_stored_as(&self, data: &Data) -> bool {
        std::mem::discriminant(data) == std::mem::discriminant(&Data::empty(self))
    }
}

impl Data {
    /// No elements of a type.
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

    /// How many elements there are.
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

    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Tensor {
    /// A tensor of these elements.
    ///
    /// # Panics
    /// If the number of elements or their storage does not fit: that is an error in the caller, not in its input.
    #[inline]
    pub fn new(element: ElementType, shape: Vec<usize>, data: Data) -> Tensor {
        assert_eq!(shape.iter().product::<usize>(), data.len(), "elements of a {shape:?}");
        assert!(element.is_stored_as(&data), "storage of {element}");
        Tensor { element, shape, data: Arc::new(data) }
    }

    /// Its type, as programs write it.
    pub fn type_text(&self) -> String {
        let sizes: String = self.shape.iter().map(|size| format!("{size}x")).collect();
        format!("tensor<{sizes}{}>", self.element)
    }
}

impl Type {
    /// Whether a value is of the type, as far as its evaluation asks: shapes, and how elements are stored.
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
