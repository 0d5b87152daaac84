//! The container that `Exported.serialize()` of JAX writes: a flatbuffer, one field of which is the program.
//!
//! A flatbuffer begins with the place of its root table; a table begins with how far before it its list of fields is; and the
//! list has, after two sizes, how far into the table each field is, 0 for one that is left out. A field that is a vector is the
//! distance to its length and elements, and so is each element that is a string.

/// Which fields of the root table these are: `platforms`, `mlir_module_serialized`.
const PLATFORMS: usize = 9;
const PROGRAM: usize = 13;

/// Platforms that are looked at, at most.
const MOST: usize = 16;

/// The program in a container; none if this is not a container of a program.
pub(super) fn program(bytes: &[u8]) -> Option<&[u8]> {
    let program = vector(bytes, field(bytes, PROGRAM)?)?;
    let (length, at) = program;
    bytes.get(at..)?.get(..length).filter(|program| super::is_bytecode(program))
}

/// The names of the platforms that it is for.
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

/// Where a field of the root table is.
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

/// The length of a vector or string, and where its elements begin.
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
        // The list of fields, the table, and behind it vectors, each where its field says.
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
        // Cut anywhere, it is none or what it was.
        for length in 0..bytes.len() {
            let _ = (program(&bytes[..length]), platforms(&bytes[..length]));
        }
    }
}
