//! .safetensors files: reading, error messages and writing.

use binade_files::safetensors::{Entry, Reader, Writer, parse_header};
use binade_files::{Container, ElementType, IfExists, Input};

fn file(json: impl AsRef<[u8]>, data: &[u8]) -> Vec<u8> {
    let json = json.as_ref();
    [&(json.len() as u64).to_le_bytes(), json, data].concat()
}

fn message(bytes: impl Into<Vec<u8>>) -> String {
    Reader::from_bytes(bytes).expect_err("a malformed file").to_string()
}

fn refused(json: impl AsRef<[u8]>) -> String {
    message(file(json, &[0; 16]))
}

const GOOD: &str = r#"{"w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}"#;

#[test]
fn truncated_safetensors_is_refused() {
    let whole = file(GOOD, &[0; 16]);
    assert_eq!(Reader::from_bytes(whole.clone()).unwrap().tensors().len(), 1);
    let cut = |end: usize| message(&whole[..end]);
    assert_eq!(cut(0), "byte 0: the file ends within the header's length: 8 bytes needed, 0 present");
    assert_eq!(cut(7), "byte 0: the file ends within the header's length: 8 bytes needed, 7 present");
    assert_eq!(cut(20), "byte 8: the file ends within the header: 57 bytes needed, 12 present");
    assert_eq!(
        cut(80),
        "byte 80: the tensor \"w\" ends at byte 16 of the data, but the file has 15 bytes of data"
    );
    for end in 0..whole.len() {
        assert!(Reader::from_bytes(&whole[..end]).is_err(), "{end}");
    }
}

#[test]
fn wrong_lengths_are_refused() {
    assert_eq!(
        message(u64::MAX.to_le_bytes()),
        "byte 0: the header length of 18446744073709551615 bytes is too large: at most 100000000 allowed"
    );
    assert_eq!(
        message(100_000_000_u64.to_le_bytes()),
        "byte 8: the file ends within the header: 100000000 bytes needed, 0 present"
    );
    assert_eq!(
        refused(r#"{"w":{"dtype":"U8","shape":[99],"data_offsets":[0,99]}}"#),
        "byte 79: the tensor \"w\" ends at byte 99 of the data, but the file has 16 bytes of data"
    );
    assert_eq!(
        refused(r#"{"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,16]}}"#),
        "byte 65: the tensor \"w\" has 16 bytes of data, but its shape [2, 3] of F32 needs 24"
    );
    assert_eq!(
        refused(r#"{"w":{"dtype":"F32","shape":[],"data_offsets":[16,0]}}"#),
        "byte 78: the data_offsets [16, 0] of the tensor \"w\" are reversed: must be [begin, end]"
    );
    assert_eq!(
        refused(
            r#"{"w":{"dtype":"U8","shape":[0],"data_offsets":[18446744073709551615,18446744073709551615]}}"#
        ),
        "byte 99: bytes 0..18446744073709551615 of the data belong to no tensor"
    );
}

/// A file of another type: its first bytes would be a length of many bytes.
#[test]
fn file_of_another_type_is_refused_before_its_length_is_read() {
    assert_eq!(
        message(*b"GGUF\x03\0\0\0#\x01\0\0\0\0\0\0"),
        "byte 8: not a .safetensors file: the header must begin with '{', not \"#\\x01\\x00\\x00\\x00\\x00\\x00\\x00\""
    );
}

#[test]
fn overlaps_and_holes_are_refused() {
    let two = |a: &str, b: &str| {
        refused(format!(
            r#"{{"a":{{"dtype":"U8","shape":[8],"data_offsets":{a}}},"b":{{"dtype":"U8","shape":[8],"data_offsets":{b}}}}}"#
        ))
    };
    assert_eq!(
        two("[0,8]", "[6,14]"),
        "byte 120: the tensors \"a\" and \"b\" overlap in bytes 6..8 of the data"
    );
    assert_eq!(
        two("[0,8]", "[0,8]"),
        "byte 113: the tensors \"a\" and \"b\" overlap in bytes 0..8 of the data"
    );
    assert_eq!(two("[9,17]", "[0,8]"), "byte 122: bytes 8..9 of the data belong to no tensor");
    assert_eq!(two("[2,10]", "[10,18]"), "byte 116: bytes 0..2 of the data belong to no tensor");
    assert_eq!(message(file(GOOD, &[0; 20])), "byte 81: bytes 16..20 of the data belong to no tensor");
    assert_eq!(refused("{}"), "byte 10: bytes 0..16 of the data belong to no tensor");
    let order = r#"{"b":{"dtype":"U8","shape":[8],"data_offsets":[8,16]},"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}}"#;
    let reader = Reader::from_bytes(file(order, &[0; 16])).unwrap();
    assert_eq!(reader.tensors().iter().map(|tensor| tensor.name()).collect::<Vec<_>>(), ["b", "a"]);
}

#[test]
fn wrong_shapes_are_refused() {
    let shape =
        |shape: &str| refused(format!(r#"{{"w":{{"dtype":"F32","shape":{shape},"data_offsets":[0,16]}}}}"#));
    let one = "a whole number from 0 to 18446744073709551615 in \"shape\" of the tensor \"w\"";
    assert_eq!(
        shape("[4294967296,4294967296]"),
        "byte 83: the shape [4294967296, 4294967296] of the tensor \"w\" is too large: the F32 elements must have fewer than 2^63 bytes"
    );
    assert_eq!(shape("[-1]"), format!("byte 38: invalid header: invalid type: integer `-1`, expected {one}"));
    assert_eq!(
        shape("[1e9]"),
        format!("byte 39: invalid header: invalid type: floating point `1000000000.0`, expected {one}")
    );
    assert_eq!(
        shape("[18446744073709551616]"),
        format!(
            "byte 56: invalid header: invalid type: floating point `1.8446744073709552e+19`, expected {one}"
        )
    );
    assert_eq!(
        shape("4"),
        "byte 36: invalid header: invalid type: integer `4`, expected a list of whole numbers for \"shape\" of the \
         tensor \"w\""
    );
    assert_eq!(
        shape(&format!("[{}]", vec!["1"; 1000].join(","))),
        "byte 166: the shape of the tensor \"w\" has too many dimensions: at most 64 allowed"
    );
    assert_eq!(
        refused(r#"{"w":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}}"#),
        "byte 61: the shape [3] of the tensor \"w\" ends within a byte: the F4 elements must fill whole bytes"
    );
}

#[test]
fn wrong_offsets_are_refused() {
    let offsets =
        |offsets: &str| refused(format!(r#"{{"w":{{"dtype":"F32","shape":[4],"data_offsets":{offsets}}}}}"#));
    let list = "expected a list of two whole numbers for \"data_offsets\" of the tensor \"w\"";
    assert_eq!(offsets("[0]"), format!("byte 57: invalid header: invalid length 1, {list}"));
    assert_eq!(offsets("[0,8,16]"), format!("byte 62: invalid header: invalid length 3, {list}"));
    assert_eq!(offsets(r#"{"begin":0}"#), format!("byte 54: invalid header: invalid type: map, {list}"));
    assert_eq!(
        offsets("[0,null]"),
        "byte 61: invalid header: invalid type: null, expected a whole number from 0 to 18446744073709551615 in \
         \"data_offsets\" of the tensor \"w\""
    );
}

#[test]
fn header_other_than_an_object_is_refused() {
    assert_eq!(refused(""), "byte 8: not a .safetensors file: the header must begin with '{', not \"\"");
    assert_eq!(
        refused("[1,2]"),
        "byte 8: not a .safetensors file: the header must begin with '{', not \"[1,2]\""
    );
    assert_eq!(
        refused(" {}"),
        "byte 8: not a .safetensors file: the header must begin with '{', not \" {}\""
    );
    assert_eq!(
        refused(r#"{"w":3}"#),
        "byte 13: invalid header: invalid type: integer `3`, expected an object with \"dtype\", \"shape\" and \
         \"data_offsets\" for the tensor \"w\""
    );
    assert_eq!(
        refused(r#"{"__metadata__":[]}"#),
        "byte 23: invalid header: invalid type: sequence, expected \"__metadata__\" to be an object from strings \
         to strings"
    );
    assert_eq!(
        refused(r#"{"__metadata__":{"format":1}}"#),
        "byte 34: invalid header: invalid type: integer `1`, expected a string for \"format\" in \"__metadata__\""
    );
    assert_eq!(
        refused(r#"{"w":{"dtype":32}}"#),
        "byte 23: invalid header: invalid type: integer `32`, expected a string for \"dtype\" of the tensor \"w\""
    );
    assert_eq!(refused("{} x"), "byte 11: invalid header: trailing characters");
    assert_eq!(refused("{\n\"w\" 1}"), "byte 14: invalid header: expected `:`");
    assert_eq!(refused(r#"{"w":"#), "byte 12: invalid header: EOF while parsing a value");
}

#[test]
fn invalid_utf8_is_refused() {
    assert_eq!(refused(b"{\"w\xff\":1}"), "byte 11: the header is not valid UTF-8 here");
    assert_eq!(refused(r#"{"\ud800":1}"#), "byte 16: invalid header: unexpected end of hex escape");
    let long = "n".repeat(5000);
    assert_eq!(
        refused(format!(r#"{{"{long}":{{}}}}"#)),
        format!("byte 5013: missing key \"dtype\" in the tensor \"{}…\"", "n".repeat(100))
    );
}

#[test]
fn duplicate_names_and_keys_are_refused() {
    let entry = r#"{"dtype":"U8","shape":[0],"data_offsets":[0,0]}"#;
    assert_eq!(
        refused(format!(r#"{{"a":{entry},"b":{entry},"a":{entry}}}"#)),
        "byte 115: duplicate tensor \"a\""
    );
    assert_eq!(refused(format!(r#"{{"a":{entry},"\u0061":{entry}}}"#)), "byte 68: duplicate tensor \"a\"");
    assert_eq!(
        refused(r#"{"a":{"dtype":"U8","dtype":"U8"}}"#),
        "byte 33: duplicate key \"dtype\" in the tensor \"a\""
    );
    assert_eq!(
        refused(r#"{"a":{"shape":[],"shape":[]}}"#),
        "byte 31: duplicate key \"shape\" in the tensor \"a\""
    );
    assert_eq!(
        refused(r#"{"a":{"data_offsets":[0,0],"data_offsets":[0,0]}}"#),
        "byte 48: duplicate key \"data_offsets\" in the tensor \"a\""
    );
    assert_eq!(
        refused(r#"{"a":{"note":{"x":1},"note":1}}"#),
        "byte 34: duplicate key \"note\" in the tensor \"a\""
    );
    assert_eq!(
        refused(r#"{"__metadata__":{},"__metadata__":{}}"#),
        "byte 40: duplicate key \"__metadata__\" in the header"
    );
    assert_eq!(
        refused(r#"{"__metadata__":{"a":"1","a":"1"}}"#),
        "byte 35: duplicate key \"a\" in \"__metadata__\""
    );
}

#[test]
fn missing_keys_are_refused() {
    assert_eq!(
        refused(r#"{"w":{"dtype":"U8","shape":[0]}}"#),
        "byte 38: missing key \"data_offsets\" in the tensor \"w\""
    );
    assert_eq!(
        refused(r#"{"w":{"dtype":"U8","data_offsets":[0,0]}}"#),
        "byte 47: missing key \"shape\" in the tensor \"w\""
    );
    assert_eq!(
        refused(r#"{"w":{"shape":[0],"data_offsets":[0,0]}}"#),
        "byte 46: missing key \"dtype\" in the tensor \"w\""
    );
}

#[test]
fn unknown_types_are_copied_as_bytes() {
    let json = r#"{"w":{"dtype":"F3_E1M1","shape":[4],"data_offsets":[0,5]},"v":{"dtype":"I16","shape":[1],"data_offsets":[5,7],"note":[{}]}}"#;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy.safetensors");
    let reader = Reader::from_bytes(file(json, &[1, 2, 3, 4, 5, 6, 7])).unwrap();
    let unknown = reader.get("w").unwrap();
    assert_eq!(unknown.element(), &ElementType::Unknown("F3_E1M1".into()));
    let refused =
        "unknown element type \"F3_E1M1\" of the tensor \"w\": only its bytes can be read and copied";
    assert_eq!(unknown.read(0, &mut [0; 2]).unwrap_err().to_string(), refused);
    let visit = unknown.visit(9, |_| Ok::<(), binade_files::Error>(()));
    assert_eq!(visit.unwrap_err().to_string(), refused);
    assert_eq!(unknown.read_all().unwrap(), [1, 2, 3, 4, 5]);

    let entries: Vec<Entry> = reader.tensors().iter().map(Entry::like).collect();
    let writer = Writer::create(&path, &entries, &[], IfExists::Refuse).unwrap();
    for (index, tensor) in reader.tensors().iter().enumerate() {
        tensor.visit_bytes(2, |offset, bytes| writer.write_at(index, offset, bytes)).unwrap();
    }
    writer.finish().unwrap();
    let copy = Reader::open(&path).unwrap();
    assert_eq!(copy.get("w").unwrap().read_all().unwrap(), [1, 2, 3, 4, 5]);
    assert_eq!(copy.get("v").unwrap().read_all().unwrap(), [6, 7]);

    let bare = Entry::new("w", ElementType::Unknown("F3_E1M1".into()), [4]);
    assert_eq!(
        Writer::create(&path, &[bare], &[], IfExists::Replace).err().unwrap().to_string(),
        format!("{}: {refused}", path.display())
    );
}

#[test]
fn narrow_elements_are_read_packed() {
    let json = r#"{"w":{"dtype":"F6_E2M3","shape":[8],"data_offsets":[0,6]}}"#;
    let reader = Reader::from_bytes(file(json, &[1, 2, 3, 4, 5, 6])).unwrap();
    let tensor = &reader.tensors()[0];
    let mut chunks = Vec::new();
    tensor
        .visit(5, |chunk| {
            chunks.push((chunk.first, chunk.bytes.to_vec()));
            Ok::<(), binade_files::Error>(())
        })
        .unwrap();
    assert_eq!(chunks, [(0, vec![1, 2, 3]), (4, vec![4, 5, 6])]);
    let mut out = [0; 3];
    tensor.read(4, &mut out).unwrap();
    assert_eq!(out, [4, 5, 6]);
    assert_eq!(
        tensor.read(1, &mut out).unwrap_err().to_string(),
        "bytes 0..3 of the tensor \"w\" split an element: they must begin and end between elements of F6_E2M3"
    );
}

#[test]
fn writer_output_equals_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.safetensors");
    let entries = [
        Entry::new("é\"\n", ElementType::U8, [3]),
        Entry::new("z", ElementType::F32, []),
        Entry::new("none", ElementType::F64, [0, 7]),
    ];
    let metadata = [("z".to_owned(), "1".to_owned()), ("a".to_owned(), "\\".to_owned())];
    let writer = Writer::create(&path, &entries, &metadata, IfExists::Refuse).unwrap();
    writer.write_at(0, 0, &[5, 6, 7]).unwrap();
    writer.write_at(1, 0, &[1, 2, 3, 4]).unwrap();
    writer.finish().unwrap();
    let mut json = concat!(
        r#"{"__metadata__":{"z":"1","a":"\\"},"é\"\n":{"dtype":"U8","shape":[3],"data_offsets":[4,7]},"#,
        r#""z":{"dtype":"F32","shape":[],"data_offsets":[0,4]},"none":{"dtype":"F64","shape":[0,7],"data_offsets":[0,0]}}"#
    )
    .to_owned();
    while !json.len().is_multiple_of(8) {
        json.push(' ');
    }
    assert_eq!(std::fs::read(&path).unwrap(), file(&json, &[1, 2, 3, 4, 5, 6, 7]));

    let input = Input::open(&path).unwrap();
    assert_eq!(input.container(), Container::Safetensors);
    assert_eq!(input.metadata(), metadata);
    assert_eq!(input.get("é\"\n").unwrap().read_all().unwrap(), [5, 6, 7]);
    let header = parse_header(&std::fs::read(&path).unwrap()).unwrap();
    assert_eq!((header.data_start, header.data_len), (8 + json.len() as u64, 7));

    let writer = Writer::create(folder.path().join("none.safetensors"), &[], &[], IfExists::Refuse).unwrap();
    writer.finish().unwrap();
    assert_eq!(std::fs::read(folder.path().join("none.safetensors")).unwrap(), file("{}      ", &[]));
}

#[test]
fn unwritable_tensors_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.safetensors");
    let refused = |entries: &[Entry], metadata: &[(String, String)]| {
        let error = Writer::create(&path, entries, metadata, IfExists::Refuse).err().unwrap().to_string();
        error.strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned()
    };
    let entry = |name: &str| Entry::new(name, ElementType::U8, [2]);
    assert_eq!(refused(&[entry("a"), entry("a")], &[]), "duplicate tensor \"a\"");
    assert_eq!(
        refused(&[entry("__metadata__")], &[]),
        "a tensor must not be named \"__metadata__\": the name is reserved for the metadata"
    );
    let pair = ("k".to_owned(), "v".to_owned());
    assert_eq!(refused(&[], &[pair.clone(), pair]), "duplicate key \"k\" in \"__metadata__\"");
    assert_eq!(
        refused(&[Entry::new("r", ElementType::Raw(2), [1])], &[]),
        "a .safetensors file cannot have elements of V2: write their codes as unsigned integers"
    );
    assert_eq!(
        refused(&[Entry::new("h", ElementType::F4, [1])], &[]),
        "the shape [1] of the tensor \"h\" ends within a byte: the F4 elements must fill whole bytes"
    );
    let half = Entry::new("h", ElementType::U8, [1 << 62]);
    let other = Entry::new("i", ElementType::U8, [1 << 62]);
    assert_eq!(
        refused(&[half, other], &[]),
        "the shape [4611686018427387904] of the tensor \"i\" is too large: the U8 elements must have fewer than 2^63 bytes"
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
