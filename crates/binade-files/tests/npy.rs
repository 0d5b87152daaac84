//! .npy files: reading, error messages and writing.

use binade_files::{ElementType, IfExists, Tensor, npy};

/// A file of version 1.0 with this dict.
fn file(dict: &str, data: &[u8]) -> Vec<u8> {
    let length = (dict.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], dict.as_bytes(), data].concat()
}

fn message(bytes: impl Into<Vec<u8>>) -> String {
    npy::Reader::from_bytes(bytes).expect_err("a malformed file").to_string()
}

fn refused(dict: &str) -> String {
    message(file(dict, &[0; 64]))
}

fn tensor(bytes: impl Into<Vec<u8>>) -> Tensor {
    npy::Reader::from_bytes(bytes).expect("a good file").tensor().clone()
}

#[test]
fn truncated_npy_is_refused() {
    let whole = file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", &[0; 8]);
    assert_eq!(tensor(whole.clone()).elements(), 2);
    let cut = |end: usize| message(&whole[..end]);
    assert_eq!(cut(0), "byte 0: the file ends within the magic string: 6 bytes needed, 0 present");
    assert_eq!(cut(3), "byte 0: the file ends within the magic string: 6 bytes needed, 3 present");
    assert_eq!(cut(7), "byte 6: the file ends within the version: 2 bytes needed, 1 present");
    assert_eq!(cut(9), "byte 8: the file ends within the header's length: 2 bytes needed, 1 present");
    assert_eq!(cut(30), "byte 10: the file ends within the header: 58 bytes needed, 20 present");
    assert_eq!(
        cut(75),
        "byte 68: the file is too short: the shape [2] of F32 needs 8 bytes of data, 7 present"
    );
    for end in 0..whole.len() {
        assert!(npy::Reader::from_bytes(&whole[..end]).is_err(), "{end}");
    }
}

#[test]
fn wrong_magic_version_or_length_is_refused() {
    assert_eq!(
        message(*b"PK\x03\x04 zip archive"),
        r"byte 0: not a .npy file: must begin with \x93NUMPY, not PK\x03\x04 z"
    );
    assert_eq!(
        message(*b"\x93NUMPY\x04\x01xx"),
        "byte 6: unknown version 4.1 of the .npy format: must be 1.0, 2.0 or 3.0"
    );
    assert_eq!(
        message(*b"\x93NUMPY\x02\x00\xff\xff\xff\xff"),
        "byte 8: the header length of 4294967295 bytes is too large: at most 1048576 allowed"
    );
    assert_eq!(
        message(*b"\x93NUMPY\x03\x00\x00\x10\x00\x00{"),
        "byte 12: the file ends within the header: 4096 bytes needed, 1 present"
    );
}

#[test]
fn invalid_dict_is_refused() {
    let cases = [
        ("", "byte 10: the header is not a Python dict: expected '{', got \"\""),
        ("[1]", "byte 10: the header is not a Python dict: expected '{', got \"[1]\""),
        (
            "{descr: 1}",
            "byte 11: the header is not a Python dict: expected a key in quotes or '}', got \"descr: 1\"",
        ),
        (
            "{'descr' '<f4'}",
            "byte 19: the header is not a Python dict: expected ':' after the key, got \"'<f4'\"",
        ),
        (
            "{'descr': '<f4' 'shape': ()}",
            "byte 26: the header is not a Python dict: expected ',' or '}' after the value, got \"'shape': ()\"",
        ),
        (
            "{'descr': '<f4'} + 1",
            "byte 27: the header is not a Python dict: expected the end of the header after '}', got \"+ 1\"",
        ),
        (
            "{'descr': '<f4', ",
            "byte 27: the header is not a Python dict: expected a key in quotes or '}', got \"\"",
        ),
        (
            "{'des\\x63r': '<f4'}",
            "byte 11: the header is not a Python dict: expected a key in quotes or '}', got \"'des\\\\x63r': '<f4'\"",
        ),
    ];
    for (dict, expected) in cases {
        assert_eq!(refused(dict), expected, "{dict}");
    }
    let mut bytes = file("{'descr': '<f4', 'x': False, 'shape': (2,), }\n", &[0; 8]);
    bytes[28] = 0xff;
    assert_eq!(
        message(bytes),
        "byte 27: unknown key \"\u{fffd}\" in the header: the keys must be 'descr', 'fortran_order' and 'shape'"
    );
}

#[test]
fn wrong_keys_are_refused() {
    let cases = [
        ("{'descr': '<f4', 'descr': '<f4'}", "byte 27: duplicate key \"descr\" in the header"),
        ("{'descr': '<f4', 'shape': ()}", "byte 10: missing key 'fortran_order' in the header"),
        ("{'descr': '<f4', 'fortran_order': True}", "byte 10: missing key 'shape' in the header"),
        ("{}", "byte 10: missing key 'descr' in the header"),
        (
            "{'dtype': '<f4'}",
            "byte 11: unknown key \"dtype\" in the header: the keys must be 'descr', 'fortran_order' and 'shape'",
        ),
    ];
    for (dict, expected) in cases {
        assert_eq!(refused(dict), expected, "{dict}");
    }
}

#[test]
fn wrong_order_or_shape_is_refused() {
    let fortran =
        |value: &str| refused(&format!("{{'fortran_order': {value}, 'descr': '<f4', 'shape': ()}}"));
    assert_eq!(fortran("1"), "byte 28: 'fortran_order' must be True or False, not \"1\"");
    assert_eq!(fortran("'True'"), "byte 28: 'fortran_order' must be True or False, not \"'True'\"");
    assert_eq!(fortran("Truex"), "byte 28: 'fortran_order' must be True or False, not \"Truex\"");

    let shape =
        |value: &str| refused(&format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {value}}}"));
    let length = "a length in 'shape' must be a whole number from 0 to 18446744073709551615, not";
    let tuple = "'shape' must be a tuple of lengths such as (), (3,) or (3, 4), not";
    assert_eq!(shape("(2, -3)"), format!("byte 64: {length} \"-3\""));
    assert_eq!(shape("(2.5,)"), format!("byte 61: {length} \"2.5\""));
    assert_eq!(shape("(True,)"), format!("byte 61: {length} \"True\""));
    assert_eq!(shape("(,)"), format!("byte 61: {length} \"\""));
    assert_eq!(shape("(007,)"), format!("byte 61: {length} \"007\""));
    assert_eq!(shape("(18446744073709551616,)"), format!("byte 61: {length} \"18446744073709551616\""));
    assert_eq!(shape("3"), format!("byte 60: {tuple} \"3\""));
    assert_eq!(shape("(3)"), format!("byte 60: {tuple} \"(3)\""));
    assert_eq!(shape("[3]"), format!("byte 60: {tuple} \"[3]\""));
    assert_eq!(shape("(3 4)"), format!("byte 60: {tuple} \"(3 4)\""));
    assert_eq!(
        shape("(9223372036854775808, 2)"),
        "byte 10: the shape [9223372036854775808, 2] of the array is too large: the F32 elements must have fewer than 2^63 bytes"
    );
    assert_eq!(
        shape("(4294967296, 4294967296, 0)"),
        "byte 10: the shape [4294967296, 4294967296, 0] of the array is too large: the F32 elements must have fewer than 2^63 bytes"
    );
    assert_eq!(
        shape("(2305843009213693952,)"),
        "byte 10: the shape [2305843009213693952] of the array is too large: the F32 elements must have fewer than 2^63 bytes"
    );
    assert_eq!(
        shape("(2305843009213693951,)"),
        "byte 83: the file is too short: the shape [2305843009213693951] of F32 needs 9223372036854775804 bytes of data, 64 present"
    );
    assert_eq!(
        shape(&format!("({})", "1, ".repeat(65))),
        "byte 253: the shape of the array has too many dimensions: at most 64 allowed"
    );
    assert_eq!(
        tensor(file(
            &format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({})}}", "1, ".repeat(64)),
            &[0; 4]
        ))
        .shape()
        .len(),
        64
    );
}

#[test]
fn unsupported_types_are_refused() {
    let descr = |value: &str| refused(&format!("{{'descr': {value}, 'fortran_order': False, 'shape': ()}}"));
    let structured =
        "byte 20: structured types are not supported: save each field as an array of plain numbers";
    assert_eq!(descr("[('x', '<f4'), ('y', '<i4')]"), structured);
    assert_eq!(descr("('<f4', (2,))"), structured);
    assert_eq!(descr("7"), "byte 20: 'descr' must be a type string such as '<f4', not \"7\"");
    assert_eq!(
        descr("'|O'"),
        "byte 10: arrays of Python objects are not supported: the elements must be plain numbers"
    );
    for unsupported in ["<U3", "|S8", "<M8[ns]", "<f16", "f4", "", "<", "|V0", "|V17", "|V+1", "|V", "é4"] {
        assert_eq!(
            descr(&format!("'{unsupported}'")),
            format!(
                "byte 10: unsupported type \"{unsupported}\": must be b1, i1 to i8, u1 to u8, f2, f4, f8, c8, c16 or V1 to V16, \
                 after '<', '>' or '|'"
            )
        );
    }
    for open in ["=f4", "|f4", "=V2", "|u2"] {
        assert_eq!(
            descr(&format!("'{open}'")),
            format!("byte 10: the type \"{open}\" has no byte order: must begin with '<' or '>'")
        );
    }
}

#[test]
fn types_of_numpy_and_ml_dtypes_are_read() {
    let read = |descr: &str, data: &[u8]| {
        let bytes = file(&format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (), }}\n"), data);
        let tensor = tensor(bytes);
        (tensor.element().clone(), tensor.read_all().unwrap())
    };
    assert_eq!(read("|V1", &[7]), (ElementType::Raw(1), vec![7]));
    assert_eq!(read("<V1", &[7]), (ElementType::Raw(1), vec![7]));
    assert_eq!(read("<V2", &[1, 2]), (ElementType::Raw(2), vec![1, 2]));
    assert_eq!(read(">V2", &[1, 2]), (ElementType::Raw(2), vec![2, 1]));
    assert_eq!(read("<f1", &[0x3c]), (ElementType::F8E5M2, vec![0x3c]));
    assert_eq!(read(">f8", &1.5_f64.to_be_bytes()), (ElementType::F64, 1.5_f64.to_le_bytes().to_vec()));
    assert_eq!(read(">c8", &[1, 2, 3, 4, 5, 6, 7, 8]), (ElementType::C64, vec![4, 3, 2, 1, 8, 7, 6, 5]));
    assert_eq!(read("|b1", &[1]), (ElementType::Bool, vec![1]));
}

#[test]
fn python2_header_and_trailing_bytes_are_read() {
    let dict = "{\"shape\":(2L,3L),'fortran_order':True,'descr':'>i2'}";
    let data: Vec<u8> = (0..12).collect();
    let mut two = b"\x93NUMPY\x02\x00".to_vec();
    two.extend((dict.len() as u32).to_le_bytes());
    two.extend(dict.as_bytes());
    two.extend(&data);
    two.extend(b"more");
    let reader = npy::Reader::from_bytes(two.clone()).unwrap();
    assert_eq!(reader.trailing_bytes(), 4);
    assert!(reader.fortran_order());
    assert_eq!(reader.tensor().shape(), [2, 3]);
    // Columns (1, 203), (405, 607), (809, 0a0b) of big-endian pairs.
    assert_eq!(reader.tensor().read_all().unwrap(), [1, 0, 5, 4, 9, 8, 3, 2, 7, 6, 11, 10]);
    assert_eq!(npy::parse_header(&two).unwrap().data_start, 12 + dict.len() as u64);

    // Long integers belong to Python 2, which did not write version 3.0.
    two[6] = 3;
    assert_eq!(
        message(two),
        "byte 22: a length in 'shape' must be a whole number from 0 to 18446744073709551615, not \"2L\""
    );
}

#[test]
fn empty_and_scalar_arrays_are_read() {
    let empty = tensor(file("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 0, 2), }\n", &[]));
    assert_eq!((empty.elements(), empty.byte_len(), empty.shape()), (0, 0, &[3, 0, 2][..]));
    assert_eq!(empty.read_all().unwrap(), [0_u8; 0]);
    empty.visit(64, |_| -> Result<(), binade_files::Error> { panic!("nothing to visit") }).unwrap();
    let single = tensor(file("{'descr': '<f4', 'fortran_order': True, 'shape': (), }\n", &[1, 2, 3, 4]));
    assert_eq!((single.elements(), single.read_all().unwrap()), (1, vec![1, 2, 3, 4]));
    single.read(1, &mut []).unwrap();
}

#[test]
fn reads_out_of_range_are_refused() {
    let tensor = tensor(file("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }\n", &[0; 16]));
    let message = |first, count| tensor.read(first, &mut vec![0; count]).unwrap_err().to_string();
    assert_eq!(message(3, 8), "bytes 12..20 are out of range: the array has 16 bytes");
    assert_eq!(
        message(u64::MAX, 4),
        "bytes 18446744073709551615..18446744073709551615 are out of range: the array has 16 bytes"
    );
    assert_eq!(
        message(0, 6),
        "bytes 0..6 of the array split an element: they must begin and end between elements of F32"
    );
}

#[test]
fn writer_output_equals_numpy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let writer = npy::Writer::create(&path, ElementType::U16, &[3], IfExists::Refuse).unwrap();
    writer.write_at(2, &[3, 4, 5, 6]).unwrap();
    writer.write_at(0, &[1, 2]).unwrap();
    writer.finish().unwrap();
    let mut expected =
        b"\x93NUMPY\x01\x00v\x00{'descr': '<u2', 'fortran_order': False, 'shape': (3,), }".to_vec();
    expected.resize(127, b' ');
    expected.extend(b"\n\x01\x02\x03\x04\x05\x06");
    assert_eq!(std::fs::read(&path).unwrap(), expected);

    for (element, shape, name) in [
        (ElementType::Raw(2), &[][..], "'descr': '|V2', 'fortran_order': False, 'shape': (), }"),
        (ElementType::Bool, &[2, 0], "'descr': '|b1', 'fortran_order': False, 'shape': (2, 0), }"),
        (ElementType::C128, &[0], "'descr': '<c16', 'fortran_order': False, 'shape': (0,), }"),
    ] {
        let writer = npy::Writer::create(&path, element.clone(), shape, IfExists::Replace).unwrap();
        writer.write_at(0, &[0; 2][..if shape.is_empty() { 2 } else { 0 }]).unwrap();
        writer.finish().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(&bytes[11..11 + name.len()], name.as_bytes());
        assert_eq!(tensor(bytes).element(), &element);
    }
    let longest = [u64::MAX; 64].map(|_| 1);
    let writer = npy::Writer::create(&path, ElementType::U8, &longest, IfExists::Replace).unwrap();
    writer.write_at(0, &[9]).unwrap();
    writer.finish().unwrap();
    assert_eq!(npy::Reader::open(&path).unwrap().tensor().shape(), longest);
}

#[test]
fn unwritable_arrays_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let create =
        |element, shape: &[u64]| npy::Writer::create(&path, element, shape, IfExists::Refuse).err().unwrap();
    let place = path.display();
    assert_eq!(
        create(ElementType::Bf16, &[2]).to_string(),
        format!("{place}: a .npy file cannot have elements of BF16: write their codes as unsigned integers")
    );
    assert_eq!(
        create(ElementType::U8, &[1; 65]).to_string(),
        format!("{place}: the shape of the array has too many dimensions: at most 64 allowed")
    );
    assert_eq!(
        create(ElementType::U8, &[u64::MAX]).to_string(),
        format!(
            "{place}: the shape [18446744073709551615] of the array is too large: the U8 elements must have fewer than 2^63 bytes"
        )
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
