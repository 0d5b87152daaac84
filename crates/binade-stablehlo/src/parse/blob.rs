//! Decodes hexadecimal blobs of constants: the bytes of the elements, little-endian, one after another.

use crate::error::Problem;
use crate::tensor::Data;
use crate::types::ElementType;

/// The value of each byte as a hexadecimal digit; 0xff for other bytes.
const DIGITS: [u8; 256] = {
    let mut table = [0xff; 256];
    let mut digit = 0;
    while digit < 16 {
        table[b"0123456789abcdef"[digit] as usize] = digit as u8;
        table[b"0123456789ABCDEF"[digit] as usize] = digit as u8;
        digit += 1;
    }
    table
};

/// The bytes that pairs of digits encode, or the index of the first character that is not a digit.
fn decode(digits: &[u8]) -> Result<Vec<u8>, usize> {
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(digits.len() - 1);
    }
    // The entry of a bad digit has all bits set, so one test at the end detects any.
    let mut all = 0;
    let bytes = pairs
        .iter()
        .map(|[high, low]| {
            let (high, low) = (DIGITS[usize::from(*high)], DIGITS[usize::from(*low)]);
            all |= high | low;
            high << 4 | low & 0xf
        })
        .collect();
    match all & 0xf0 {
        0 => Ok(bytes),
        _ => Err(digits.iter().position(|&digit| DIGITS[usize::from(digit)] == 0xff).unwrap_or(0)),
    }
}

/// The elements of a blob: `count` of them, or one for all.
pub(super) fn read(digits: &[u8], element: &ElementType, count: usize) -> Result<Data, Problem> {
    let bytes = decode(digits).map_err(|index| {
        Problem::Constant(format!("character {} of its blob is not a hexadecimal digit of a byte", index + 1))
    })?;
    if *element == ElementType::Bool {
        return bools(&bytes, count).map(Data::U8);
    }
    let width = element.stored_bytes();
    if bytes.len() != width * count && bytes.len() != width {
        let needed = width.saturating_mul(count);
        return Err(Problem::Constant(format!(
            "its blob has {} bytes where {needed} are needed",
            bytes.len()
        )));
    }
    narrow(Data::from_le_bytes(element, &bytes), element)
}

/// `i1`: packed, eight per byte from the lowest bit up, as older versions of MLIR write them, or a byte each.
fn bools(bytes: &[u8], count: usize) -> Result<Vec<u8>, Problem> {
    if bytes.len() == count.div_ceil(8) {
        return Ok((0..count).map(|index| bytes[index / 8] >> (index % 8) & 1).collect());
    }
    if bytes.len() == count || bytes.len() == 1 {
        return Ok(bytes.iter().map(|&byte| u8::from(byte != 0)).collect());
    }
    let needed = count.div_ceil(8);
    Err(Problem::Constant(format!("its blob has {} bytes where {needed} are needed", bytes.len())))
}

/// Types of less than a byte take a byte each; its upper bits are ignored.
fn narrow(mut data: Data, element: &ElementType) -> Result<Data, Problem> {
    match (&mut data, element) {
        (Data::I8(items), ElementType::Integer { width, .. }) => {
            let shift = 8 - u32::from(*width);
            items.iter_mut().for_each(|item| *item = *item << shift >> shift);
        }
        (Data::U8(items), ElementType::Integer { width: 0..8, .. } | ElementType::Float(_)) => {
            let width = match element {
                ElementType::Integer { width, .. } => u32::from(*width),
                ElementType::Float(float) => float.format().width(),
                _ => 8,
            };
            let mask = 0xffu8 >> (8 - width.min(8));
            items.iter_mut().for_each(|item| *item &= mask);
        }
        _ => {}
    }
    Ok(data)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::FloatType;

    #[test]
    fn bytes_of_digits() {
        assert_eq!(decode(b"00ff7fA5"), Ok(vec![0, 0xff, 0x7f, 0xa5]));
        assert_eq!(decode(b"0g"), Err(1));
        assert_eq!(decode(b"000"), Err(2));
        assert_eq!(decode(b""), Ok(vec![]));
    }

    #[test]
    fn elements_of_bytes() {
        let integer = |signed, width| ElementType::Integer { signed, width };
        let shown = |digits: &[u8], element, count| format!("{:?}", read(digits, &element, count));
        assert_eq!(shown(b"01020304", integer(true, 16), 2), "Ok(I16([513, 1027]))");
        assert_eq!(shown(b"0F08", integer(true, 4), 2), "Ok(I8([-1, -8]))");
        assert_eq!(shown(b"FF01", integer(false, 2), 2), "Ok(U8([3, 1]))");
        assert_eq!(shown(b"05", ElementType::Bool, 3), "Ok(U8([1, 0, 1]))");
        assert_eq!(shown(b"FF", ElementType::Bool, 100), "Ok(U8([1]))");
        assert_eq!(
            shown(b"0000803f000000C0", ElementType::Complex(FloatType::F32), 1),
            "Ok(C64([[1.0, -2.0]]))"
        );
        assert_eq!(shown(b"FF", ElementType::Float(FloatType::F4E2M1FN), 5), "Ok(U8([15]))");
        assert!(shown(b"000000", integer(true, 16), 2).contains("3 bytes where 4"));
    }
}
