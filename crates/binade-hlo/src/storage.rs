//! Elements by how they are stored: the twelve machine types of [`Data`], and slices of it. What does not compute
//! (shapes, gathers, copies) is written once over [`Stored`].

use crate::tensor::Data;
use crate::types::{ElementType, FloatType};

/// A machine type that elements are stored in.
pub(crate) trait Stored: Copy + Default + PartialEq + Send + Sync + 'static {
    /// These elements as data.
    fn wrap(elements: Vec<Self>) -> Data;
    /// The elements of `data`.
    ///
    /// # Panics
    /// If they are of another type.
    fn of(data: &Data) -> &[Self];
    /// The elements of `data`, to change.
    ///
    /// # Panics
    /// If they are of another type.
    fn of_mut(data: &mut Data) -> &mut [Self];
}

/// Elements of a [`Data`] to read.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slice<'a> {
    I8(&'a [i8]),
    I16(&'a [i16]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
    F32(&'a [f32]),
    F64(&'a [f64]),
    C64(&'a [[f32; 2]]),
    C128(&'a [[f64; 2]]),
}

/// Elements of a [`Data`] to write.
#[derive(Debug)]
pub(crate) enum SliceMut<'a> {
    I8(&'a mut [i8]),
    I16(&'a mut [i16]),
    I32(&'a mut [i32]),
    I64(&'a mut [i64]),
    U8(&'a mut [u8]),
    U16(&'a mut [u16]),
    U32(&'a mut [u32]),
    U64(&'a mut [u64]),
    F32(&'a mut [f32]),
    F64(&'a mut [f64]),
    C64(&'a mut [[f32; 2]]),
    C128(&'a mut [[f64; 2]]),
}

macro_rules! stored {
    ($($variant:ident $type:ty;)*) => { $(
        impl Stored for $type {
            fn wrap(elements: Vec<Self>) -> Data {
                Data::$variant(elements)
            }

            fn of(data: &Data) -> &[Self] {
                match data {
                    Data::$variant(elements) => elements,
                    _ => panic!("elements are not stored as {}", stringify!($type)),
                }
            }

            fn of_mut(data: &mut Data) -> &mut [Self] {
                match data {
                    Data::$variant(elements) => elements,
                    _ => panic!("elements are not stored as {}", stringify!($type)),
                }
            }
        }
    )* };
}

stored! {
    I8 i8;
    I16 i16;
    I32 i32;
    I64 i64;
    U8 u8;
    U16 u16;
    U32 u32;
    U64 u64;
    F32 f32;
    F64 f64;
    C64 [f32; 2];
    C128 [f64; 2];
}

/// Evaluates an expression on the elements of a `Data`, `Slice` or `SliceMut`, whatever they are stored as.
macro_rules! each_storage {
    ($enum:ident, $data:expr, $elements:ident => $do:expr) => {
        match $data {
            $enum::I8($elements) => $do,
            $enum::I16($elements) => $do,
            $enum::I32($elements) => $do,
            $enum::I64($elements) => $do,
            $enum::U8($elements) => $do,
            $enum::U16($elements) => $do,
            $enum::U32($elements) => $do,
            $enum::U64($elements) => $do,
            $enum::F32($elements) => $do,
            $enum::F64($elements) => $do,
            $enum::C64($elements) => $do,
            $enum::C128($elements) => $do,
        }
    };
}
pub(crate) use each_storage;

/// The same, where the result is of the variant of the argument: `Data → Data`, `Data → Slice` and so on.
macro_rules! map_storage {
    ($from:ident => $to:ident, $data:expr, $elements:ident => $do:expr) => {
        match $data {
            $from::I8($elements) => $to::I8($do),
            $from::I16($elements) => $to::I16($do),
            $from::I32($elements) => $to::I32($do),
            $from::I64($elements) => $to::I64($do),
            $from::U8($elements) => $to::U8($do),
            $from::U16($elements) => $to::U16($do),
            $from::U32($elements) => $to::U32($do),
            $from::U64($elements) => $to::U64($do),
            $from::F32($elements) => $to::F32($do),
            $from::F64($elements) => $to::F64($do),
            $from::C64($elements) => $to::C64($do),
            $from::C128($elements) => $to::C128($do),
        }
    };
}
pub(crate) use map_storage;

impl Data {
    /// `length` zeros of the type that stores `element`.
    pub(crate) fn zeros(element: &ElementType, length: usize) -> Data {
        match element {
            ElementType::Bool => Data::U8(vec![0; length]),
            ElementType::Integer { signed: true, width: 0..=8 } => Data::I8(vec![0; length]),
            ElementType::Integer { signed: true, width: 16 } => Data::I16(vec![0; length]),
            ElementType::Integer { signed: true, width: 32 } => Data::I32(vec![0; length]),
            ElementType::Integer { signed: true, .. } => Data::I64(vec![0; length]),
            ElementType::Integer { signed: false, width: 0..=8 } => Data::U8(vec![0; length]),
            ElementType::Integer { signed: false, width: 16 } => Data::U16(vec![0; length]),
            ElementType::Integer { signed: false, width: 32 } => Data::U32(vec![0; length]),
            ElementType::Integer { signed: false, .. } => Data::U64(vec![0; length]),
            ElementType::Float(FloatType::F32 | FloatType::Tf32) => Data::F32(vec![0.0; length]),
            ElementType::Float(FloatType::F64) => Data::F64(vec![0.0; length]),
            ElementType::Float(FloatType::Bf16 | FloatType::F16) => Data::U16(vec![0; length]),
            ElementType::Float(_) => Data::U8(vec![0; length]),
            ElementType::Complex(FloatType::F64) => Data::C128(vec![[0.0; 2]; length]),
            ElementType::Complex(_) => Data::C64(vec![[0.0; 2]; length]),
            ElementType::Quantized(quantized) => Data::zeros(&quantized.storage, length),
        }
    }

    /// All elements.
    pub(crate) fn slice(&self) -> Slice<'_> {
        map_storage!(Data => Slice, self, elements => elements)
    }

    /// All elements, to write.
    pub(crate) fn slice_mut(&mut self) -> SliceMut<'_> {
        map_storage!(Data => SliceMut, self, elements => elements)
    }

    /// Bytes that the elements take.
    pub(crate) fn bytes(&self) -> usize {
        each_storage!(Data, self, elements => size_of_val(elements.as_slice()))
    }
}

impl ElementType {
    /// Bytes that an element takes in memory.
    pub(crate) fn stored_bytes(&self) -> usize {
        match self {
            ElementType::Bool => 1,
            ElementType::Integer { width, .. } => usize::from(*width).div_ceil(8),
            ElementType::Float(FloatType::F32 | FloatType::Tf32) => 4,
            ElementType::Float(FloatType::F64) => 8,
            ElementType::Float(FloatType::Bf16 | FloatType::F16) => 2,
            ElementType::Float(_) => 1,
            ElementType::Complex(FloatType::F64) => 16,
            ElementType::Complex(_) => 8,
            ElementType::Quantized(quantized) => quantized.storage.stored_bytes(),
        }
    }
}

impl<'a> Slice<'a> {
    /// How many elements there are.
    pub(crate) fn len(self) -> usize {
        each_storage!(Slice, self, elements => elements.len())
    }

    /// The elements from `start` on, `length` of them.
    pub(crate) fn part(self, start: usize, length: usize) -> Slice<'a> {
        map_storage!(Slice => Slice, self, elements => &elements[start..start + length])
    }
}

impl<'a> SliceMut<'a> {
    /// The same elements for a shorter time.
    pub(crate) fn reborrow(&mut self) -> SliceMut<'_> {
        map_storage!(SliceMut => SliceMut, self, elements => elements)
    }

    /// The first `length` elements, and the rest.
    pub(crate) fn split_at(self, length: usize) -> (SliceMut<'a>, SliceMut<'a>) {
        macro_rules! split {
            ($($variant:ident)*) => {
                match self {
                    $(SliceMut::$variant(elements) => {
                        let (head, tail) = elements.split_at_mut(length);
                        (SliceMut::$variant(head), SliceMut::$variant(tail))
                    })*
                }
            };
        }
        split!(I8 I16 I32 I64 U8 U16 U32 U64 F32 F64 C64 C128)
    }
}
