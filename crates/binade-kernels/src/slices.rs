//! Slices of codes: one byte each for formats of up to 8 bits, two for formats of up to 16.

/// Codes to read. Bits above the format's width are ignored, as by [`binade::decode`].
#[derive(Clone, Copy, Debug)]
pub enum Codes<'a> {
    /// One code in each byte, for formats of up to 8 bits.
    Bytes(&'a [u8]),
    /// One code in each 16-bit word, for formats of up to 16 bits.
    Words(&'a [u16]),
}

/// Codes to write.
#[derive(Debug)]
pub enum CodesMut<'a> {
    /// One code in each byte, for formats of up to 8 bits.
    Bytes(&'a mut [u8]),
    /// One code in each 16-bit word, for formats of up to 16 bits.
    Words(&'a mut [u16]),
}

macro_rules! conversions {
    ($($element:ty, $variant:ident;)*) => { $(
        impl<'a> From<&'a [$element]> for Codes<'a> {
            fn from(slice: &'a [$element]) -> Self {
                Codes::$variant(slice)
            }
        }
        impl<'a> From<&'a Vec<$element>> for Codes<'a> {
            fn from(codes: &'a Vec<$element>) -> Self {
                Codes::$variant(codes)
            }
        }
        impl<'a, const N: usize> From<&'a [$element; N]> for Codes<'a> {
            fn from(codes: &'a [$element; N]) -> Self {
                Codes::$variant(codes)
            }
        }
        impl<'a> From<&'a mut [$element]> for CodesMut<'a> {
            fn from(slice: &'a mut [$element]) -> Self {
                CodesMut::$variant(slice)
            }
        }
        impl<'a> From<&'a mut Vec<$element>> for CodesMut<'a> {
            fn from(codes: &'a mut Vec<$element>) -> Self {
                CodesMut::$variant(codes)
            }
        }
        impl<'a, const N: usize> From<&'a mut [$element; N]> for CodesMut<'a> {
            fn from(codes: &'a mut [$element; N]) -> Self {
                CodesMut::$variant(codes)
            }
        }
    )* };
}

conversions! {
    u8, Bytes;
    u16, Words;
}

impl<'a> Codes<'a> {
    /// The number of codes.
    pub fn len(&self) -> usize {
        match self {
            Codes::Bytes(codes) => codes.len(),
            Codes::Words(codes) => codes.len(),
        }
    }

    /// True if the slice has no codes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The width of an element in bits.
    pub(crate) fn element_bits(&self) -> u32 {
        match self {
            Codes::Bytes(_) => 8,
            Codes::Words(_) => 16,
        }
    }

    pub(crate) fn get(&self, at: usize) -> u16 {
        match self {
            Codes::Bytes(codes) => codes[at] as u16,
            Codes::Words(codes) => codes[at],
        }
    }

    /// The address of element `at`, which may be beyond the slice, and the bytes in an element: for prefetching.
    pub(crate) fn address(&self, at: usize) -> (*const u8, usize) {
        match self {
            Codes::Bytes(codes) => (codes.as_ptr().wrapping_add(at), 1),
            Codes::Words(codes) => (codes.as_ptr().wrapping_add(at).cast(), 2),
        }
    }

    pub(crate) fn range(&self, range: std::ops::Range<usize>) -> Codes<'a> {
        match self {
            Codes::Bytes(codes) => Codes::Bytes(&codes[range]),
            Codes::Words(codes) => Codes::Words(&codes[range]),
        }
    }
}

impl CodesMut<'_> {
    /// The number of codes.
    pub fn len(&self) -> usize {
        match self {
            CodesMut::Bytes(codes) => codes.len(),
            CodesMut::Words(codes) => codes.len(),
        }
    }

    /// True if the slice has no codes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The width of an element in bits.
    pub(crate) fn element_bits(&self) -> u32 {
        match self {
            CodesMut::Bytes(_) => 8,
            CodesMut::Words(_) => 16,
        }
    }

    pub(crate) fn set(&mut self, at: usize, code: u16) {
        match self {
            CodesMut::Bytes(codes) => codes[at] = code as u8,
            CodesMut::Words(codes) => codes[at] = code,
        }
    }

    /// The address of element `at`, and the bytes in an element: for prefetching.
    pub(crate) fn address(&self, at: usize) -> (*const u8, usize) {
        match self {
            CodesMut::Bytes(codes) => Codes::Bytes(codes).address(at),
            CodesMut::Words(codes) => Codes::Words(codes).address(at),
        }
    }

    pub(crate) fn range(&mut self, range: std::ops::Range<usize>) -> CodesMut<'_> {
        match self {
            CodesMut::Bytes(codes) => CodesMut::Bytes(&mut codes[range]),
            CodesMut::Words(codes) => CodesMut::Words(&mut codes[range]),
        }
    }
}
