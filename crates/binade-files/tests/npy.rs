//! npy: what is read, what is refused with which words, what is written.

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
fn truncated() {
    let whole = file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", &[0; 8]);
    assert_eq!(tensor(whole.clone()).elements(), 2);
    let cut = |end: usize| message(&whole[..end]);
    assert_eq!(cut(0), "byte 0: the file ends within the magic string, which takes 6 bytes; 0 are there");
    assert_eq!(cut(3), "byte 0: the file ends within the magic string, which takes 6 bytes; 3 are there");
    assert_eq!(cut(7), "byte 6: the file ends within the version, which takes 2 bytes; 1 are there");
    assert_eq!(cut(9), "byte 8: the file ends within the header's length, which takes 2 bytes; 1 are there");
    assert_eq!(cut(30), "byte 10: the file ends within the header, which takes 58 bytes; 20 are there");
    assert_eq!(cut(75), "byte 68: the shape [2] of F32 takes 8 bytes of data; the file has 7");
    for end in 0..whole.len() {
        assert!(npy::Reader::from_bytes(&whole[..end]).is_err(), "{end}");
    }
}

#[test]
fn magic_version_and_length() {
    assert_eq!(
        message(*b"PK\x03\x04 zip archive"),
        r"byte 0: not a .npy file: it begins with PK\x03\x04 z and would begin with \x93NUMPY"
    );
    assert_eq!(
        message(*b"\x93NUMPY\x04\x01xx"),
        "byte 6: version 4.1 of the .npy format is unknown; 1.0, 2.0 and 3.0 are read"
    );
    assert_eq!(
        message(*b"\x93NUMPY\x02\x00\xff\xff\xff\xff"),
        "byte 8: the header is said to take 4294967295 bytes; at most 1048576 are read"
    );
    assert_eq!(
        message(*b"\x93NUMPY\x03\x00\x00\x10\x00\x00{"),
        "byte 12: the file ends within the header, which takes 4096 bytes; 1 are there"
    );
}

#[test]
fn syntax() {
    let cases = [
        ("", "byte 10: the header is not a dict literal: '{' is expected, not \"\""),
        ("[1]", "byte 10: the header is not a dict literal: '{' is expected, not \"[1]\""),
        (
            "{descr: 1}",
            "byte 11: the header is not a dict literal: a key in quotes or '}' is expected, not \"descr: 1\"",
        ),
        (
            "{'descr' '<f4'}",
            "byte 19: the header is not a dict literal: ':' after the key is expected, not \"'<f4'\"",
        ),
        (
            "{'descr': '<f4' 'shape': ()}",
            "byte 26: the header is not a dict literal: ',' or '}' after the value is expected, not \"'shape': ()\"",
        ),
        (
            "{'descr': '<f4'} + 1",
            "byte 27: the header is not a dict literal: the end of the header after '}' is expected, not \"+ 1\"",
        ),
        (
            "{'descr': '<f4', ",
            "byte 27: the header is not a dict literal: a key in quotes or '}' is expected, not \"\"",
        ),
        (
            "{'des\\x63r': '<f4'}",
            "byte 11: the header is not a dict literal: a key in quotes or '}' is expected, not \"'des\\\\x63r': '<f4'\"",
        ),
    ];
    for (dict, expected) in cases {
        assert_eq!(refused(dict), expected, "{dict}");
    }
    let mut bytes = file("{'descr': '<f4', 'x': False, 'shape': (2,), }\n", &[0; 8]);
    bytes[28] = 0xff;
    assert_eq!(
        message(bytes),
        "byte 27: the header has the unknown key \"\u{fffd}\"; its keys are 'descr', 'fortran_order' and 'shape'"
    );
}

#[test]
fn keys() {
    let cases = [
        ("{'descr': '<f4', 'descr': '<f4'}", "byte 27: the header has the key \"descr\" twice"),
        ("{'descr': '<f4', 'shape': ()}", "byte 10: the header lacks the key 'fortran_order'"),
        ("{'descr': '<f4', 'fortran_order': True}", "byte 10: the header lacks the key 'shape'"),
        ("{}", "byte 10: the header lacks the key 'descr'"),
        (
            "{'dtype': '<f4'}",
            "byte 11: the header has the unknown key \"dtype\"; its keys are 'descr', 'fortran_order' and 'shape'",
        ),
    ];
    for (dict, expected) in cases {
        assert_eq!(refused(dict), expected, "{dict}");
    }
}

#[test]
fn fortran_order_and_shape() {
    let fortran =
        |value: &str| refused(&format!("{{'fortran_order': {value}, 'descr': '<f4', 'shape': ()}}"));
    assert_eq!(fortran("1"), "byte 28: 'fortran_order' is \"1\"; it would be True or False");
    assert_eq!(fortran("'True'"), "byte 28: 'fortran_order' is \"'True'\"; it would be True or False");
    assert_eq!(fortran("Truex"), "byte 28: 'fortran_order' is \"Truex\"; it would be True or False");

    let shape =
        |value: &str| refused(&format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {value}}}"));
    let length = "for a length, which would be a whole number from 0 to 18446744073709551615";
    let tuple = "it would be a tuple of lengths such as (), (3,) or (3, 4)";
    assert_eq!(shape("(2, -3)"), format!("byte 64: 'shape' has \"-3\" {length}"));
    assert_eq!(shape("(2.5,)"), format!("byte 61: 'shape' has \"2.5\" {length}"));
    assert_eq!(shape("(True,)"), format!("byte 61: 'shape' has \"True\" {length}"));
    assert_eq!(shape("(,)"), format!("byte 61: 'shape' has \"\" {length}"));
    assert_eq!(shape("(007,)"), format!("byte 61: 'shape' has \"007\" {length}"));
    assert_eq!(
        shape("(18446744073709551616,)"),
        format!("byte 61: 'shape' has \"18446744073709551616\" {length}")
    );
    assert_eq!(shape("3"), format!("byte 60: 'shape' is \"3\"; {tuple}"));
    assert_eq!(shape("(3)"), format!("byte 60: 'shape' is \"(3)\"; {tuple}"));
    assert_eq!(shape("[3]"), format!("byte 60: 'shape' is \"[3]\"; {tuple}"));
    assert_eq!(shape("(3 4)"), format!("byte 60: 'shape' is \"(3 4)\"; {tuple}"));
    assert_eq!(
        shape("(9223372036854775808, 2)"),
        "byte 10: the shape [9223372036854775808, 2] of the array has too many elements of F32 to count their bytes in 63 bits"
    );
    assert_eq!(
        shape("(4294967296, 4294967296, 0)"),
        "byte 10: the shape [4294967296, 4294967296, 0] of the array has too many elements of F32 to count their bytes in 63 bits"
    );
    assert_eq!(
        shape("(2305843009213693952,)"),
        "byte 10: the shape [2305843009213693952] of the array has too many elements of F32 to count their bytes in 63 bits"
    );
    assert_eq!(
        shape("(2305843009213693951,)"),
        "byte 83: the shape [2305843009213693951] of F32 takes 9223372036854775804 bytes of data; the file has 64"
    );
    assert_eq!(
        shape(&format!("({})", "1, ".repeat(65))),
        "byte 253: the shape of the array has more than 64 dimensions"
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
fn types() {
    let descr = |value: &str| refused(&format!("{{'descr': {value}, 'fortran_order': False, 'shape': ()}}"));
    let structured = "byte 20: 'descr' is a structured type; only arrays of plain numbers are read, so save each field by itself";
    assert_eq!(descr("[('x', '<f4'), ('y', '<i4')]"), structured);
    assert_eq!(descr("('<f4', (2,))"), structured);
    assert_eq!(descr("7"), "byte 20: 'descr' is \"7\"; it would be a type string such as '<f4'");
    assert_eq!(
        descr("'|O'"),
        "byte 10: 'descr' is the object type, whose elements are pickled Python objects; only plain numbers are read"
    );
    for unsupported in ["<U3", "|S8", "<M8[ns]", "<f16", "f4", "", "<", "|V0", "|V17", "|V+1", "|V", "é4"] {
        assert_eq!(
            descr(&format!("'{unsupported}'")),
            format!(
                "byte 10: the type \"{unsupported}\" is not supported; b1, i1 to i8, u1 to u8, f2, f4, f8, c8, c16 and V1 to V16 \
                 are, after '<', '>' or '|'"
            )
        );
    }
    for open in ["=f4", "|f4", "=V2", "|u2"] {
        assert_eq!(
            descr(&format!("'{open}'")),
            format!(
                "byte 10: the type \"{open}\" leaves the order of its bytes open; it would begin with '<' or '>'"
            )
        );
    }
}

#[test]
fn what_numpy_and_ml_dtypes_write_is_read() {
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
fn versions_spellings_and_trailing_bytes() {
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

    // Long integers are Python 2's, which did not write version 3.0.
    two[6] = 3;
    assert_eq!(
        message(two),
        "byte 22: 'shape' has \"2L\" for a length, which would be a whole number from 0 to 18446744073709551615"
    );
}

#[test]
fn empty_and_single() {
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
    assert_eq!(message(3, 8), "the array has 16 bytes of elements; bytes 12..20 of them were asked for");
    assert_eq!(
        message(u64::MAX, 4),
        "the array has 16 bytes of elements; bytes 18446744073709551615..18446744073709551615 of them were asked for"
    );
    assert_eq!(message(0, 6), "bytes 0..6 of the array do not begin and end between elements of F32");
}

#[test]
fn written_as_numpy_writes_it() {
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
fn what_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let create =
        |element, shape: &[u64]| npy::Writer::create(&path, element, shape, IfExists::Refuse).err().unwrap();
    let place = path.display();
    assert_eq!(
        create(ElementType::Bf16, &[2]).to_string(),
        format!(
            "{place}: a .npy file has no name for elements of BF16; their codes can be written as unsigned integers"
        )
    );
    assert_eq!(
        create(ElementType::U8, &[1; 65]).to_string(),
        format!("{place}: the shape of the array has more than 64 dimensions")
    );
    assert_eq!(
        create(ElementType::U8, &[u64::MAX]).to_string(),
        format!(
            "{place}: the shape [18446744073709551615] of the array has too many elements of U8 to count their bytes in 63 bits"
        )
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
