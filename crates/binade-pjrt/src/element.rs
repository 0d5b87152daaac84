//! Element types: PJRT's numbers for them, and their elements in a caller's memory.

use binade_hlo::{Data, ElementType, FloatType};
use bytemuck::cast_slice;

use crate::error::Failure;

const fn signed(width: u8) -> ElementType {
    ElementType::Integer { signed: true, width }
}

const fn unsigned(width: u8) -> ElementType {
    ElementType::Integer { signed: false, width }
}

/// `PJRT_Buffer_Type`, as far as there are such tensors.
static KINDS: [(i32, ElementType); 28] = [
    (1, ElementType::Bool),
    (2, signed(8)),
    (3, signed(16)),
    (4, signed(32)),
    (5, signed(64)),
    (6, unsigned(8)),
    (7, unsigned(16)),
    (8, unsigned(32)),
    (9, unsigned(64)),
    (10, ElementType::Float(FloatType::F16)),
    (11, ElementType::Float(FloatType::F32)),
    (12, ElementType::Float(FloatType::F64)),
    (13, ElementType::Float(FloatType::Bf16)),
    (14, ElementType::Complex(FloatType::F32)),
    (15, ElementType::Complex(FloatType::F64)),
    (16, ElementType::Float(FloatType::F8E5M2)),
    (17, ElementType::Float(FloatType::F8E4M3FN)),
    (18, ElementType::Float(FloatType::F8E4M3B11FNUZ)),
    (19, ElementType::Float(FloatType::F8E5M2FNUZ)),
    (20, ElementType::Float(FloatType::F8E4M3FNUZ)),
    (21, signed(4)),
    (22, unsigned(4)),
    (24, signed(2)),
    (25, unsigned(2)),
    (26, ElementType::Float(FloatType::F8E4M3)),
    (27, ElementType::Float(FloatType::F8E3M4)),
    (28, ElementType::Float(FloatType::F8E8M0FNU)),
    (29, ElementType::Float(FloatType::F4E2M1FN)),
];

/// The number of a token.
pub(crate) const TOKEN: i32 = 23;

/// The element type of a number.
pub(crate) fn of(kind: i32) -> Result<ElementType, Failure> {
    let found = KINDS.iter().find(|(number, _)| *number == kind);
    found
        .map(|(_, element)| element.clone())
        .ok_or_else(|| Failure::Unimplemented(format!("a buffer of type {kind}")))
}

/// The number of an element type.
pub(crate) fn kind(element: &ElementType) -> Result<i32, Failure> {
    let found = KINDS.iter().find(|(_, other)| other == element);
    found.map(|(number, _)| *number).ok_or_else(|| Failure::Unimplemented(format!("a buffer of {element}")))
}

/// Bytes of an element in a caller's memory: narrow ones take one.
pub(crate) fn width(element: &ElementType) -> usize {
    match element {
        ElementType::Bool => 1,
        ElementType::Integer { width, .. } => usize::from(*width).div_ceil(8),
        ElementType::Float(float) => match float {
            FloatType::F64 => 8,
            FloatType::F32 | FloatType::Tf32 => 4,
            FloatType::F16 | FloatType::Bf16 => 2,
            _ => 1,
        },
        ElementType::Complex(FloatType::F64) => 16,
        ElementType::Complex(_) => 8,
        ElementType::Quantized(quantized) => width(&quantized.storage),
    }
}

/// Elements of a caller's bytes. Bits beyond the width of a narrow type are dropped.
pub(crate) fn data(element: &ElementType, bytes: &[u8]) -> Data {
    let mut data = Data::from_le_bytes(element, bytes);
    match (&mut data, element) {
        (Data::U8(items), ElementType::Bool) => {
            items.iter_mut().for_each(|item| *item = u8::from(*item != 0))
        }
        (Data::I8(items), ElementType::Integer { width: width @ 1..8, .. }) => {
            let shift = 8 - u32::from(*width);
            items.iter_mut().for_each(|item| *item = *item << shift >> shift);
        }
        (Data::U8(items), ElementType::Integer { width: width @ 1..8, .. }) => {
            items.iter_mut().for_each(|item| *item &= (1 << *width) - 1);
        }
        (Data::U8(items), ElementType::Float(FloatType::F4E2M1FN)) => {
            items.iter_mut().for_each(|item| *item &= 15)
        }
        _ => {}
    }
    data
}

/// The bytes of elements.
pub(crate) fn bytes(data: &Data) -> &[u8] {
    match data {
        Data::I8(items) => cast_slice(items),
        Data::I16(items) => cast_slice(items),
        Data::I32(items) => cast_slice(items),
        Data::I64(items) => cast_slice(items),
        Data::U8(items) => items,
        Data::U16(items) => cast_slice(items),
        Data::U32(items) => cast_slice(items),
        Data::U64(items) => cast_slice(items),
        Data::F32(items) => cast_slice(items),
        Data::F64(items) => cast_slice(items),
        Data::C64(items) => cast_slice(items),
        Data::C128(items) => cast_slice(items),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_element_types_are_inverse() {
        for (number, element) in &KINDS {
            assert_eq!(of(*number).ok().as_ref(), Some(element));
            assert_eq!(kind(element).ok(), Some(*number));
            let count = 3 * width(element);
            assert_eq!(data(element, &vec![0; count]).len(), 3, "{element}");
        }
        assert!(of(0).is_err() && of(23).is_err() && of(99).is_err());
        assert!(kind(&ElementType::Float(FloatType::F6E2M3FN)).is_err());
    }

    #[test]
    fn elements_of_narrow_types_lose_other_bits() {
        assert!(matches!(data(&signed(4), &[0x0f, 0xf7]), Data::I8(items) if items == [-1, 7]));
        assert!(matches!(data(&unsigned(2), &[0xff]), Data::U8(items) if items == [3]));
        assert!(matches!(data(&ElementType::Bool, &[2, 0]), Data::U8(items) if items == [1, 0]));
    }
}
