//! Slices of tensors, for the evaluator, which runs chains of elementwise operations in blocks that stay in cache.

use std::ops::Range;

use crate::tensor::Data;
use crate::types::{ElementType, FloatType};

macro_rules! views {
    ($($variant:ident $element:ty),*) => {
        /// Elements to read, stored as in [`Data`].
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs, reason = "the names are those of `Data`")]
        pub enum View<'a> { $($variant(&'a [$element])),* }

        /// Elements to write, stored as in [`Data`].
        #[derive(Debug)]
        #[allow(missing_docs, reason = "the names are those of `Data`")]
        pub enum ViewMut<'a> { $($variant(&'a mut [$element])),* }

        impl<'a> View<'a> {
            /// The number of elements.
            #[inline]
            pub fn len(&self) -> usize {
                match self { $(View::$variant(x) => x.len()),* }
            }

            /// Returns true if there are no elements.
            #[inline]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// The elements of a range.
            ///
            /// # Panics
            /// If the range is not within the elements.
            #[inline]
            pub fn range(self, range: Range<usize>) -> View<'a> {
                match self { $(View::$variant(x) => View::$variant(&x[range])),* }
            }
        }

        impl<'a> ViewMut<'a> {
            /// The number of elements.
            #[inline]
            pub fn len(&self) -> usize {
                match self { $(ViewMut::$variant(x) => x.len()),* }
            }

            /// Returns true if there are no elements.
            #[inline]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// The elements of a range.
            ///
            /// # Panics
            /// If the range is not within the elements.
            #[inline]
            pub fn range(&mut self, range: Range<usize>) -> ViewMut<'_> {
                match self { $(ViewMut::$variant(x) => ViewMut::$variant(&mut x[range])),* }
            }

            /// The elements to read.
            #[inline]
            pub fn as_view(&self) -> View<'_> {
                match self { $(ViewMut::$variant(x) => View::$variant(x)),* }
            }

            /// Converts to elements to read.
            #[inline]
            pub fn into_view(self) -> View<'a> {
                match self { $(ViewMut::$variant(x) => View::$variant(x)),* }
            }

            /// The first `at` elements, and the rest.
            ///
            /// # Panics
            /// If there are fewer.
            #[inline]
            pub fn split_at(self, at: usize) -> (ViewMut<'a>, ViewMut<'a>) {
                match self { $(ViewMut::$variant(x) => {
                    let (first, rest) = x.split_at_mut(at);
                    (ViewMut::$variant(first), ViewMut::$variant(rest))
                }),* }
            }

            /// Overwrites all elements.
            ///
            /// # Panics
            /// If the source has another storage type or another length.
            #[inline]
            pub fn copy_from(&mut self, source: View<'_>) {
                match (self, source) {
                    $((ViewMut::$variant(to), View::$variant(from)) => to.copy_from_slice(from),)*
                    (to, from) => panic!("elements stored as {:?} copied to {:?}", from, to.as_view()),
                }
            }
        }

        impl Data {
            /// The elements to read.
            #[inline]
            pub fn view(&self) -> View<'_> {
                match self { $(Data::$variant(x) => View::$variant(x)),* }
            }

            /// The elements to write.
            #[inline]
            pub fn view_mut(&mut self) -> ViewMut<'_> {
                match self { $(Data::$variant(x) => ViewMut::$variant(x)),* }
            }
        }
    };
}

views! {
    I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F32 f32, F64 f64, C64 [f32; 2], C128 [f64; 2]
}

impl Data {
    /// `length` elements of this type whose storage is all zero bits.
    pub fn zeros(element: &ElementType, length: usize) -> Data {
        match element {
            ElementType::Bool => Data::U8(vec![0; length]),
            ElementType::Integer { signed: true, width } => match width {
                0..=8 => Data::I8(vec![0; length]),
                16 => Data::I16(vec![0; length]),
                32 => Data::I32(vec![0; length]),
                _ => Data::I64(vec![0; length]),
            },
            ElementType::Integer { signed: false, width } => match width {
                0..=8 => Data::U8(vec![0; length]),
                16 => Data::U16(vec![0; length]),
                32 => Data::U32(vec![0; length]),
                _ => Data::U64(vec![0; length]),
            },
            ElementType::Float(FloatType::F32 | FloatType::Tf32) => Data::F32(vec![0.0; length]),
            ElementType::Float(FloatType::F64) => Data::F64(vec![0.0; length]),
            ElementType::Float(FloatType::Bf16 | FloatType::F16) => Data::U16(vec![0; length]),
            ElementType::Float(_) => Data::U8(vec![0; length]),
            ElementType::Complex(FloatType::F64) => Data::C128(vec![[0.0; 2]; length]),
            ElementType::Complex(_) => Data::C64(vec![[0.0; 2]; length]),
            ElementType::Quantized(quantized) => Data::zeros(&quantized.storage, length),
        }
    }
}
