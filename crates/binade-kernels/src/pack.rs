//! Packing of codes of fewer than eight bits into a little-endian bit stream. Code i has the bits from i · width on,
//! counted from the least significant bit of the first byte. Bits after the last code are zero.
//!
//! ```
//! use binade_kernels::pack;
//!
//! let mut packed = [0; 3];
//! assert_eq!(pack::bytes(4, 6), 3);
//! pack::pack(6, &[0x01, 0x02, 0x3f, 0x20], &mut packed)?;
//! assert_eq!(packed, [0x81, 0xf0, 0x83]);
//! # Ok::<(), binade_kernels::KernelError>(())
//! ```

use crate::error::KernelError;

/// The number of bytes for `count` codes of `bits` bits.
pub const fn bytes(count: usize, bits: u32) -> usize {
    // Groups of eight codes first, so that no intermediate product overflows unless the result does.
    count / 8 * bits as usize + (count % 8 * bits as usize).div_ceil(8)
}

fn check(bits: u32, codes: usize, packed: usize) -> Result<(), KernelError> {
    if !(1..=8).contains(&bits) {
        return Err(KernelError::PackedBits { bits });
    }
    KernelError::check_length("the packed slice", packed, bytes(codes, bits))
}

/// Packs codes; bits above the width are ignored.
///
/// # Errors
/// If `bits` is not 1 to 8, or `packed` does not have [`bytes`]`(codes.len(), bits)` bytes.
pub fn pack(bits: u32, codes: &[u8], packed: &mut [u8]) -> Result<(), KernelError> {
    check(bits, codes.len(), packed.len())?;
    let (width, mask) = (bits as usize, (1u64 << bits) - 1);
    for (group, to) in codes.chunks(8).zip(packed.chunks_mut(width)) {
        // Eight codes of b bits are b bytes.
        let word = group.iter().rev().fold(0, |word, &code| word << bits | (code as u64 & mask));
        let stored = to.len();
        to.copy_from_slice(&word.to_le_bytes()[..stored]);
    }
    Ok(())
}

/// Unpacks codes.
///
/// # Errors
/// The errors of [`pack`].
pub fn unpack(bits: u32, packed: &[u8], codes: &mut [u8]) -> Result<(), KernelError> {
    check(bits, codes.len(), packed.len())?;
    let (width, mask) = (bits as usize, (1u64 << bits) - 1);
    for (from, group) in packed.chunks(width).zip(codes.chunks_mut(8)) {
        let mut word = [0; 8];
        word[..from.len()].copy_from_slice(from);
        let word = u64::from_le_bytes(word);
        for (at, code) in group.iter_mut().enumerate() {
            *code = (word >> (at * width) & mask) as u8;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_codes_equal_a_bit_string() {
        for bits in 1..=8 {
            for count in 0..40 {
                let codes: Vec<u8> = (0..count).map(|i| (i * 73 + 29) as u8).collect();
                let mut packed = vec![0xee; bytes(count, bits)];
                pack(bits, &codes, &mut packed).unwrap();
                let stream = |at: usize| packed[at / 8] >> (at % 8) & 1;
                for (i, code) in codes.iter().enumerate() {
                    for bit in 0..bits as usize {
                        assert_eq!(stream(i * bits as usize + bit), code >> bit & 1);
                    }
                }
                for at in count * bits as usize..8 * packed.len() {
                    assert_eq!(stream(at), 0);
                }
                let mut back = vec![0xee; count];
                unpack(bits, &packed, &mut back).unwrap();
                let mask = ((1u32 << bits) - 1) as u8;
                assert!(back.iter().zip(&codes).all(|(b, c)| *b == c & mask));
            }
        }
    }

    #[test]
    fn wrong_widths_and_lengths_are_errors() {
        assert_eq!(
            pack(9, &[], &mut []).unwrap_err().to_string(),
            "packed elements must have 1 to 8 bits: got 9"
        );
        assert_eq!(
            unpack(6, &[0; 2], &mut [0; 4]).unwrap_err().to_string(),
            "the packed slice must have 3 elements: it has 2"
        );
    }
}
