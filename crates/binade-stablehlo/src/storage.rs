//! Elements by storage type: the twelve machine types of [`Data`]. Code that does not compute (shapes, gathers, copies) is
//! written once, generic over [`Stored`].

use std::ops::Range;

use bytemuck::{Pod, cast_slice, cast_slice_mut};

use crate::tensor::Data;
use crate::types::{ElementType, FloatType};
use crate::view::{View, ViewMut};

/// The unit in which elements are moved: a word of their size and alignment. Code that only moves elements is compiled for
/// these six units, not for the twelve types.
pub trait Moved: Pod + Default + Send + Sync {}

impl Moved for u8 {}
impl Moved for u16 {}
impl Moved for u32 {}
impl Moved for u64 {}
impl Moved for [u32; 2] {}
impl Moved for [u64; 2] {}

/// A machine type that elements are stored in.
pub trait Stored: Pod + Default + PartialEq + Send + Sync {
    /// The unit in which they are moved.
    type Unit: Moved;
    /// The elements as units.
    #[inline]
    fn units(elements: &[Self]) -> &[Self::Unit] {
        cast_slice(elements)
    }
    /// The elements as units, mutable.
    #[inline]
    fn units_mut(elements: &mut [Self]) -> &mut [Self::Unit] {
        cast_slice_mut(elements)
    }
    /// These elements as data.
    fn wrap(elements: Vec<Self>) -> Data;
    /// The elements of `data`.
    ///
    /// # Panics
    /// If the elements have another type.
    fn of(data: &Data) -> &[Self];
    /// The elements of a view.
    ///
    /// # Panics
    /// If the elements have another type.
    fn of_view(view: View<'_>) -> &[Self];
    /// The elements of `data`, mutable.
    ///
    /// # Panics
    /// If the elements have another type.
    fn of_mut(data: &mut Data) -> &mut [Self];
    /// The elements of `data` with their capacity, if they have this type.
    fn within(data: &Data) -> Option<&Vec<Self>>;
    /// The elements, if they have this type.
    fn unwrap(data: Data) -> Option<Vec<Self>>;
}

macro_rules! stored {
    ($($variant:ident $type:ty, $unit:ty;)*) => { $(
        impl Stored for $type {
            type Unit = $unit;

            #[inline]
            fn wrap(elements: Vec<Self>) -> Data {
                Data::$variant(elements)
            }

            #[inline]
            fn of(data: &Data) -> &[Self] {
                match data {
                    Data::$variant(elements) => elements,
                    _ => panic!("elements are not stored as {}", stringify!($type)),
                }
            }

            #[inline]
            fn of_view(view: View<'_>) -> &[Self] {
                match view {
                    View::$variant(elements) => elements,
                    _ => panic!("elements are not stored as {}", stringify!($type)),
                }
            }

            #[inline]
            fn of_mut(data: &mut Data) -> &mut [Self] {
                match data {
                    Data::$variant(elements) => elements,
                    _ => panic!("elements are not stored as {}", stringify!($type)),
                }
            }

            #[inline]
            fn within(data: &Data) -> Option<&Vec<Self>> {
                match data {
                    Data::$variant(elements) => Some(elements),
                    _ => None,
                }
            }

            #[inline]
            fn unwrap(data: Data) -> Option<Vec<Self>> {
                match data {
                    Data::$variant(elements) => Some(elements),
                    _ => None,
                }
            }
        }
    )* };
}

stored! {
    I8 i8, u8;
    I16 i16, u16;
    I32 i32, u32;
    I64 i64, u64;
    U8 u8, u8;
    U16 u16, u16;
    U32 u32, u32;
    U64 u64, u64;
    F32 f32, u32;
    F64 f64, u64;
    C64 [f32; 2], [u32; 2];
    C128 [f64; 2], [u64; 2];
}

macro_rules! kinds {
    ($($variant:ident $type:ty),*) => {
        /// The storage type of elements.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are those of `Data`")]
        pub enum StorageKind { $($variant),* }

        impl StorageKind {
            /// The number of elements.
            pub const COUNT: usize = [$(StorageKind::$variant),*].len();

            /// The storage type of elements of this type.
            #[inline]
            pub fn of(element: &ElementType) -> StorageKind {
                StorageKind::of_data(&Data::empty(element))
            }

            /// The storage type of these elements.
            #[inline]
            pub fn of_data(data: &Data) -> StorageKind {
                match data { $(Data::$variant(_) => StorageKind::$variant),* }
            }

            /// Bytes per element.
            #[inline]
            pub fn width(self) -> usize {
                match self { $(StorageKind::$variant => size_of::<$type>()),* }
            }

            /// The first `count` elements stored in these words.
            #[inline(always)]
            pub fn view(self, words: &[u64], count: usize) -> View<'_> {
                let words = &words[..self.words(count)];
                match self { $(StorageKind::$variant => View::$variant(&cast_slice::<u64, $type>(words)[..count])),* }
            }

            /// The first `count` elements, mutable.
            #[inline(always)]
            pub fn view_mut(self, words: &mut [u64], count: usize) -> ViewMut<'_> {
                let words = &mut words[..self.words(count)];
                match self {
                    $(StorageKind::$variant => ViewMut::$variant(&mut cast_slice_mut::<u64, $type>(words)[..count])),*
                }
            }
        }
    };
}

kinds! {
    I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F32 f32, F64 f64, C64 [f32; 2], C128 [f64; 2]
}

impl StorageKind {
    /// The number of words that `count` elements take.
    #[inline]
    pub fn words(self, count: usize) -> usize {
        (count * self.width()).div_ceil(size_of::<u64>())
    }
}

/// Evaluates an expression on the elements of a `Data`, `View` or `ViewMut` of any storage type.
#[macro_export]
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

/// Evaluates an expression as [`each_storage`] does; the result is the argument's variant: `Data → Data`, `Data → View` and so on.
#[macro_export]
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

/// Appends complex numbers, the real part first.
fn push_pairs<T: Copy, const N: usize>(data: &mut Vec<[T; 2]>, bytes: &[u8], part: fn([u8; N]) -> T) {
    let parts = bytes.as_chunks::<N>().0.as_chunks::<2>().0;
    data.extend(parts.iter().map(|pair| pair.map(part)));
}

trait Bytes {
    fn put(&self, into: &mut Vec<u8>);
}

macro_rules! bytes {
    ($($type:ty)*) => { $(
        impl Bytes for $type {
            fn put(&self, into: &mut Vec<u8>) {
                into.extend_from_slice(&self.to_le_bytes());
            }
        }
    )* };
}

bytes!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

impl<T: Bytes> Bytes for [T; 2] {
    fn put(&self, into: &mut Vec<u8>) {
        self.iter().for_each(|part| part.put(into));
    }
}

impl Data {
    /// The bytes of a range of elements, little-endian.
    ///
    /// # Panics
    /// If the range exceeds the elements.
    pub fn to_le_bytes(&self, range: Range<usize>) -> Vec<u8> {
        each_storage!(Data, self, elements => {
            let elements = &elements[range];
            let mut bytes = Vec::with_capacity(size_of_val(elements));
            elements.iter().for_each(|element| element.put(&mut bytes));
            bytes
        })
    }

    /// Elements of a type from little-endian bytes. A partial element at the end is ignored.
    pub fn from_le_bytes(element: &ElementType, bytes: &[u8]) -> Data {
        let mut data = Data::empty(element);
        data.push_le_bytes(bytes);
        data
    }

    /// Appends elements from little-endian bytes. A partial element at the end is ignored.
    pub fn push_le_bytes(&mut self, bytes: &[u8]) {
        macro_rules! push {
            ($data:expr, $part:ty) => {
                $data.extend(bytes.as_chunks().0.iter().map(|chunk| <$part>::from_le_bytes(*chunk)))
            };
        }
        match self {
            Data::I8(data) => push!(data, i8),
            Data::I16(data) => push!(data, i16),
            Data::I32(data) => push!(data, i32),
            Data::I64(data) => push!(data, i64),
            Data::U8(data) => data.extend_from_slice(bytes),
            Data::U16(data) => push!(data, u16),
            Data::U32(data) => push!(data, u32),
            Data::U64(data) => push!(data, u64),
            Data::F32(data) => push!(data, f32),
            Data::F64(data) => push!(data, f64),
            Data::C64(data) => push_pairs(data, bytes, f32::from_le_bytes),
            Data::C128(data) => push_pairs(data, bytes, f64::from_le_bytes),
        }
    }

    /// The bytes that the elements take.
    #[inline]
    pub fn bytes(&self) -> usize {
        each_storage!(Data, self, elements => size_of_val(elements.as_slice()))
    }
}

impl ElementType {
    /// Bits per element as `bitcast_convert` counts them.
    #[inline]
    pub fn bits(&self) -> usize {
        match self {
            ElementType::Bool => 1,
            ElementType::Integer { width, .. } => usize::from(*width),
            ElementType::Float(FloatType::Tf32) => 32,
            ElementType::Float(float) => float.format().width() as usize,
            ElementType::Complex(float) => 2 * float.format().width() as usize,
            ElementType::Quantized(quantized) => quantized.storage.bits(),
        }
    }

    /// Returns true if the elements are complex numbers.
    #[inline]
    pub fn is_complex(&self) -> bool {
        matches!(self, ElementType::Complex(_))
    }

    /// Bytes per element in memory.
    #[inline]
    pub fn stored_bytes(&self) -> usize {
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
