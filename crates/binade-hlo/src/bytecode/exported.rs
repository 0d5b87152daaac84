//! The container that `Exported.serialize()` of JAX writes: a flatbuffer, one field of which is the program.

/// Which field of the root table the program is: `mlir_module_serialized`.
const PROGRAM: usize = 13;

/// The program in a container; none if this is not a container of a program.
///
/// A flatbuffer begins with the place of its root table; a table begins with how far before it its list of fields is;
/// and the list has, after two sizes, how far into the table each field is, 0 for one that is left out. A field that is
/// a vector is the distance to its length and bytes.
pub(super) fn program(bytes: &[u8]) -> Option<&[u8]> {
    let two = |at: usize| Some(usize::from(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?)));
    let four = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let root = four(0)? as usize;
    let fields = usize::try_from(i64::try_from(root).ok()? - i64::from(four(root)?.cast_signed())).ok()?;
    let entry = 4 + 2 * PROGRAM;
    if entry + 2 > two(fields)? {
        return None;
    }
    let field = match two(fields + entry)? {
        0 => return None,
        offset => root + offset,
    };
    let vector = field + four(field)? as usize;
    let length = four(vector)? as usize;
    bytes.get(vector + 4..)?.get(..length).filter(|program| super::is_bytecode(program))
}
