//! Reads the container that JAX's `Exported.serialize()` writes: a flatbuffer with the program in one field.
//!
//! A flatbuffer begins with the offset of its root table. A table begins with the distance back to its list of fields. That
//! list has two sizes, then the offset of each field in the table, or 0 for an absent field. A vector field stores the distance
//! to its length and elements, and so does each string of a vector.

/// Indices of the fields `platforms` and `mlir_module_serialized` in the root table.
const PLATFORMS: usize = 9;
const PROGRAM: usize = 13;

/// Maximum number of platforms read.
const MOST: usize = 16;

/// The program in a container. `None` if the bytes are not such a container.
pub(super) fn program(bytes: &[u8]) -> Option<&[u8]> {
    let program = vector(bytes, field(bytes, PROGRAM)?)?;
    let (length, at) = program;
    bytes.get(at..)?.get(..length).filter(|program| super::is_bytecode(program))
}

/// The names of the platforms that the export is for.
pub(super) fn platforms(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let (count, at) = vector(bytes, field(bytes, PLATFORMS)?)?;
    let name = |element: usize| {
        let (length, at) = vector(bytes, at + 4 * element)?;
        bytes.get(at..)?.get(..length)
    };
    (0..count.min(MOST)).map(name).collect()
}

fn four(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// The offset of a field of the root table.
fn field(bytes: &[u8], field: usize) -> Option<usize> {
    let two = |at: usize| Some(usize::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
    let root = four(bytes, 0)? as usize;
    let back = i64::from(four(bytes, root)?.cast_signed());
    let fields = usize::try_from(i64::try_from(root).ok()? - back).ok()?;
    let entry = 4 + 2 * field;
    if entry + 2 > two(fields)? {
        return None;
    }
    match two(fields + entry)? {
        0 => None,
        offset => Some(root + offset),
    }
}

/// The length of a vector or string, and the offset of its elements.
fn vector(bytes: &[u8], field: usize) -> Option<(usize, usize)> {
    let vector = field + four(bytes, field)? as usize;
    Some((four(bytes, vector)? as usize, vector + 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A container with these platforms and this program.
    fn container(platforms: &[&str], program: &[u8]) -> Vec<u8> {
        let word = |at: usize| u32::try_from(at).unwrap().to_le_bytes();
        // The list of fields, then the table, then the vectors at the offsets in the fields.
        let fields = 4 + 2 * (PROGRAM + 1);
        let table = 8 + fields;
        let mut bytes = [word(table), word(0)].concat();
        bytes.extend(u16::try_from(fields).unwrap().to_le_bytes());
        bytes.extend([0; 2]);
        for field in 0..=PROGRAM {
            let offset = if field == PLATFORMS {
                4u16
            } else if field == PROGRAM {
                8
            } else {
                0
            };
            bytes.extend(offset.to_le_bytes());
        }
        bytes.extend(word(table - 8));
        let names = table + 12;
        let mut tail = word(platforms.len()).to_vec();
        let mut at = 4 + 4 * platforms.len();
        for (index, name) in platforms.iter().enumerate() {
            tail.extend(word(at - 4 - 4 * index));
            at += 4 + name.len();
        }
        for name in platforms {
            tail.extend(word(name.len()));
            tail.extend(name.as_bytes());
        }
        bytes.extend(word(names - (table + 4)));
        bytes.extend(word(names + tail.len() - (table + 8)));
        bytes.extend(tail);
        bytes.extend(word(program.len()));
        bytes.extend(program);
        bytes
    }

    #[test]
    fn program_and_platforms_are_found() {
        let bytes = container(&["cuda", "cpu"], b"ML\xefRxyz");
        assert_eq!(program(&bytes), Some(&b"ML\xefRxyz"[..]));
        assert_eq!(platforms(&bytes).unwrap(), [&b"cuda"[..], b"cpu"]);
        assert_eq!(super::super::platform(&bytes), Some(1));
        assert_eq!(super::super::platform(b"module {}"), None);
        // Cut anywhere, the bytes are no container, or the same one.
        for length in 0..bytes.len() {
            let _ = (program(&bytes[..length]), platforms(&bytes[..length]));
        }
    }
}
