//! Reads the primitives of MLIR's bytecode from front to back, for the decoders of the sections.

use super::{Result, malformed};

/// A part of the file, with the position of the next byte to read.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The offset of the next byte in the file.
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor over bytes that begin at offset `at` of the file.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Cursor<'a> {
        Cursor { bytes, at }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn fail<T>(&self, fact: impl Into<String>) -> Result<T> {
        malformed(self.at, fact)
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let Some((taken, rest)) = self.bytes.split_at_checked(count) else {
            return self.fail(format!("{count} bytes are needed, and {} are left", self.left()));
        };
        self.bytes = rest;
        self.at += count;
        Ok(taken)
    }

    /// The next `count` bytes as a part.
    pub(super) fn part(&mut self, count: usize) -> Result<Cursor<'a>> {
        let at = self.at;
        Ok(Cursor { bytes: self.take(count)?, at })
    }

    pub(super) fn byte(&mut self) -> Result<u8> {
        Ok(self.take(1)?[0])
    }

    /// An integer with a variable number of bytes: the zero bits at the end of the first byte count the bytes that follow,
    /// up to eight.
    pub(super) fn number(&mut self) -> Result<u64> {
        let first = self.byte()?;
        let more = first.trailing_zeros().min(8) as usize;
        let mut bytes = [0; 9];
        bytes[0] = first;
        bytes[1..=more].copy_from_slice(self.take(more)?);
        if more == 8 {
            let rest = bytes[1..].try_into().unwrap_or([0; 8]);
            return Ok(u64::from_le_bytes(rest));
        }
        let low = bytes[..8].try_into().unwrap_or([0; 8]);
        Ok(u64::from_le_bytes(low) >> (more + 1))
    }

    /// The number of encoded integers that are left.
    pub(super) fn numbers(mut self) -> Result<usize> {
        let mut count = 0;
        while !self.is_empty() {
            self.number()?;
            count += 1;
        }
        Ok(count)
    }

    /// An array of `size` numbers. The file has all numbers after their count, or the nonzero ones with their indices in
    /// the low bits.
    pub(super) fn sparse(&mut self, size: usize) -> Result<Vec<i64>> {
        let (count, packed) = self.flagged()?;
        let mut items = vec![0; size];
        let bits = if packed && count > 0 { self.index()? } else { 0 };
        if count > size || bits >= 16 {
            return self.fail(format!("{count} of {size} numbers, with places of {bits} bits"));
        }
        for next in 0..count {
            let number = self.number()?;
            let (place, number) = match packed {
                true => (number as usize & ((1 << bits) - 1), number >> bits),
                false => (next, number),
            };
            match items.get_mut(place) {
                Some(item) => *item = number.cast_signed(),
                None => return self.fail(format!("place {place} of {size}")),
            }
        }
        Ok(items)
    }

    /// A number that is a count or an index in memory.
    pub(super) fn index(&mut self) -> Result<usize> {
        let at = self.at;
        usize::try_from(self.number()?).or_else(|_| malformed(at, "a number too large"))
    }

    /// A count of items that follow, each of at least one byte.
    pub(super) fn count(&mut self) -> Result<usize> {
        let count = self.index()?;
        if count > self.left() {
            return self.fail(format!("{count} things are announced, and {} bytes are left", self.left()));
        }
        Ok(count)
    }

    /// An integer with a flag in its lowest bit.
    pub(super) fn flagged(&mut self) -> Result<(usize, bool)> {
        let number = self.index()?;
        Ok((number >> 1, number & 1 == 1))
    }

    /// A signed integer: 0, −1, 1, −2, … are 0, 1, 2, 3, ….
    pub(super) fn signed(&mut self) -> Result<i64> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub(super) fn list<T>(&mut self, mut item: impl FnMut(&mut Cursor<'a>) -> Result<T>) -> Result<Vec<T>> {
        let count = self.count()?;
        (0..count).map(|_| item(self)).collect()
    }

    pub(super) fn signed_list(&mut self) -> Result<Vec<i64>> {
        self.list(Cursor::signed)
    }

    /// Bytes after their count.
    pub(super) fn blob(&mut self) -> Result<&'a [u8]> {
        let count = self.index()?;
        self.take(count)
    }

    /// An integer of `bits` bits: one byte up to 8 bits, a signed variable-length integer up to 64.
    pub(super) fn bits(&mut self, width: u32) -> Result<i64> {
        match width {
            0..=8 => Ok(i64::from(self.byte()?)),
            9..=64 => self.signed(),
            _ => self.fail(format!("an integer of {width} bits")),
        }
    }

    /// The bytes up to a zero byte, without it.
    pub(super) fn zero_ended(&mut self) -> Result<&'a [u8]> {
        let Some(end) = memchr::memchr(0, self.bytes) else { return self.fail("a string without an end") };
        let string = self.take(end)?;
        self.byte()?;
        Ok(string)
    }

    /// Skips padding up to a multiple of a power of two, counted from the beginning of the file.
    pub(super) fn align(&mut self, to: usize) -> Result<()> {
        let next = if to.is_power_of_two() { self.at.checked_next_multiple_of(to) } else { None };
        let Some(next) = next else { return self.fail(format!("an alignment of {to} bytes")) };
        self.take(next - self.at)?;
        Ok(())
    }

    /// A section: its number and contents.
    pub(super) fn section(&mut self) -> Result<(u8, Cursor<'a>)> {
        let id = self.byte()?;
        let length = self.index()?;
        if id & 0x80 != 0 {
            let to = self.index()?;
            self.align(to)?;
        }
        Ok((id & 0x7f, self.part(length)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_length() {
        // The value of each encoding, by the number of bits below it.
        for (bytes, value) in [
            (&[0x01][..], 0),
            (&[0xff], 127),
            (&[0x02, 0x02], 128),
            (&[0xfe, 0xff], (1 << 14) - 1),
            (&[0x40, 0, 0, 0, 0, 0, 1], 1 << 41),
            (&[0x80, 1, 0, 0, 0, 0, 0, 0], 1),
            (&[0, 1, 0, 0, 0, 0, 0, 0, 0x80], 1 << 63 | 1),
        ] {
            assert_eq!(Cursor::new(bytes, 0).number().ok(), Some(value), "{bytes:?}");
        }
        for (byte, value) in [(0x01, 0), (0x03, -1), (0x05, 1), (0x07, -2)] {
            assert_eq!(Cursor::new(&[byte], 0).signed().ok(), Some(value));
        }
        assert_eq!(Cursor::new(&[0x02], 7).number().unwrap_err().at, 8);
    }

    #[test]
    fn arrays_are_dense_or_sparse() {
        // Each byte 2n + 1 encodes n. Dense: two numbers, 1 and 2. Sparse: one of two numbers, 5 at index 1 of one bit.
        for (bytes, items) in [
            (&[0x09, 0x03, 0x05][..], [1, 2]),
            (&[0x07, 0x03, 0x17], [0, 5]),
            (&[0x07, 0x01, 0x03], [1, 0]),
            (&[0x03], [0, 0]),
        ] {
            assert_eq!(Cursor::new(bytes, 0).sparse(2).unwrap(), items, "{bytes:?}");
        }
        assert!(Cursor::new(&[0x0d, 0x03, 0x05, 0x07], 0).sparse(2).is_err());
        assert!(Cursor::new(&[0x07, 0x05, 0x17], 0).sparse(2).is_err());
        assert_eq!(Cursor::new(&[0x03, 0x02, 0x02, 0xff], 0).numbers().unwrap(), 3);
    }
}
