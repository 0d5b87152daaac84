//! GGUF files: values of every block layout, reads of parts, damaged headers, and files that are written.

use binade_files::gguf::{Encoding, Entry, Reader, Writer};
use binade_files::{ElementType, IfExists, Input};
use proptest::prelude::*;

/// A GGUF file of little-endian parts.
#[derive(Clone)]
struct File {
    version: u32,
    pairs: Vec<u8>,
    pair_count: u64,
    tensors: Vec<u8>,
    tensor_count: u64,
    data: Vec<u8>,
}

fn string(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}

impl File {
    fn new() -> File {
        File { version: 3, pairs: vec![], pair_count: 0, tensors: vec![], tensor_count: 0, data: vec![] }
    }

    fn pair(mut self, key: &str, kind: u32, value: &[u8]) -> File {
        string(&mut self.pairs, key);
        self.pairs.extend(kind.to_le_bytes());
        self.pairs.extend(value);
        self.pair_count += 1;
        self
    }

    /// A tensor with its dimensions in the order of the file, the fastest first.
    fn tensor(mut self, name: &str, dimensions: &[u64], code: u32, bytes: &[u8]) -> File {
        string(&mut self.tensors, name);
        self.tensors.extend((dimensions.len() as u32).to_le_bytes());
        dimensions.iter().for_each(|length| self.tensors.extend(length.to_le_bytes()));
        self.tensors.extend(code.to_le_bytes());
        self.tensors.extend((self.data.len() as u64).to_le_bytes());
        self.tensor_count += 1;
        self.data.extend(bytes);
        self.data.resize(self.data.len().next_multiple_of(32), 0);
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = b"GGUF".to_vec();
        out.extend(self.version.to_le_bytes());
        out.extend(self.tensor_count.to_le_bytes());
        out.extend(self.pair_count.to_le_bytes());
        out.extend(&self.pairs);
        out.extend(&self.tensors);
        out.resize(out.len().next_multiple_of(32), 0);
        out.extend(&self.data);
        out
    }

    fn error(&self) -> String {
        Reader::from_bytes(self.bytes()).unwrap_err().to_string()
    }
}

fn noise(len: usize) -> Vec<u8> {
    (0..len).map(|at| ((at * 31 + 7) % 251 % 120) as u8).collect()
}

/// Number, name, elements and bytes of a block, and a checksum of the values of two blocks of `noise`. The values are those of
/// the Python package `gguf` 0.19; `peers/check_gguf.py` compares whole tensors.
const LAYOUTS: [(u32, &str, u64, usize, u64); 16] = [
    (2, "Q4_0", 32, 18, 0x386d496f7470c000),
    (3, "Q4_1", 32, 20, 0x563864274b6dc88c),
    (6, "Q5_0", 32, 22, 0x6b5a083cf0e7ca00),
    (7, "Q5_1", 32, 24, 0x94267c75a9662199),
    (8, "Q8_0", 32, 34, 0xb9b91dc3cfdc4f00),
    (10, "Q2_K", 256, 84, 0xcb454d7f1c486733),
    (11, "Q3_K", 256, 110, 0x5a922b71adf42b00),
    (12, "Q4_K", 256, 144, 0xee0324aa206a0803),
    (13, "Q5_K", 256, 176, 0xc079faef68e04742),
    (14, "Q6_K", 256, 210, 0xfb4794ec7fafe808),
    (20, "IQ4_NL", 32, 18, 0xcb41920f36a28f40),
    (23, "IQ4_XS", 256, 136, 0x62bc68e00c28ca5a),
    (34, "TQ1_0", 256, 54, 0xca40f73226040000),
    (35, "TQ2_0", 256, 66, 0xfd27e676f8c08000),
    (39, "MXFP4", 32, 17, 0x617d48acf9000000),
    (40, "NVFP4", 64, 36, 0x240c121957f40000),
];

fn one_of_each() -> File {
    LAYOUTS.iter().fold(File::new(), |file, &(code, name, elements, bytes, _)| {
        file.tensor(name, &[elements, 2], code, &noise(2 * bytes))
    })
}

#[test]
fn blocks_of_every_layout_have_the_values_of_gguf() {
    let reader = Reader::from_bytes(one_of_each().bytes()).unwrap();
    for (tensor, (_, name, elements, bytes, checksum)) in reader.tensors().iter().zip(LAYOUTS) {
        assert_eq!((tensor.name(), tensor.shape()), (name, &[2, elements][..]));
        assert_eq!((tensor.element(), tensor.stored_bytes()), (&ElementType::F32, 2 * bytes as u64));
        assert_eq!(tensor.blocks().map(|layout| layout.name()), Some(name));
        let values = tensor.read_all().unwrap();
        let sum = values.as_chunks().0.iter().fold(0_u64, |sum, &value| {
            sum.wrapping_mul(1_000_003).wrapping_add(u32::from_le_bytes(value).into())
        });
        assert_eq!(sum, checksum, "{name}");
    }
}

#[test]
fn parts_of_blocks_are_those_of_the_whole() {
    let reader = Reader::from_bytes(one_of_each().bytes()).unwrap();
    for tensor in reader.tensors() {
        let all = tensor.read_all().unwrap();
        for (first, count) in [(0, 1), (1, 3), (31, 2), (17, 40), (tensor.elements() - 1, 1)] {
            let mut part = vec![0; 4 * count];
            tensor.read(first, &mut part).unwrap();
            assert_eq!(part, all[4 * first as usize..][..4 * count], "{tensor:?} {first} {count}");
        }
        let mut stored = vec![0; tensor.stored_bytes() as usize];
        tensor.read_stored(0, &mut stored).unwrap();
        assert_eq!(stored, noise(stored.len()));
        assert!(tensor.read_stored(1, &mut stored).is_err());
    }
}

#[test]
fn metadata_is_shown_as_text() {
    // An array of no arrays.
    let nested = [&9_u32.to_le_bytes()[..], &0_u64.to_le_bytes()].concat();
    let mut strings = 8_u32.to_le_bytes().to_vec();
    strings.extend(2_u64.to_le_bytes());
    string(&mut strings, "a");
    string(&mut strings, "ä");
    let long = [&5_u32.to_le_bytes()[..], &17_u64.to_le_bytes(), &[0; 68]].concat();
    let file = File::new()
        .pair("bool", 7, &[1])
        .pair("f32", 6, &0.5_f32.to_le_bytes())
        .pair("i64", 11, &(-7_i64).to_le_bytes())
        .pair("strings", 9, &strings)
        .pair("nested", 9, &nested)
        .pair("long", 9, &long);
    let reader = Reader::from_bytes(file.bytes()).unwrap();
    let shown: Vec<(&str, &str)> =
        reader.metadata().iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    assert_eq!(
        shown,
        [
            ("bool", "true"),
            ("f32", "0.5"),
            ("i64", "-7"),
            ("strings", "[a, ä]"),
            ("nested", "[]"),
            ("long", "[17 values]")
        ]
    );
}

#[test]
fn damaged_headers_say_where_and_why() {
    let plain = || File::new().tensor("a", &[32, 1], 0, &[0; 128]);
    let cut =
        |file: File, at: usize| Reader::from_bytes(file.bytes()[..at].to_vec()).unwrap_err().to_string();
    let cases = [
        (File { version: 1, ..plain() }.error(), "byte 4: unknown version 1 of GGUF: must be 2 or 3"),
        (File { version: 3 << 24, ..plain() }.error(), "byte 4: big-endian GGUF is not supported"),
        (cut(plain(), 30), "the file ends within the name of a tensor"),
        (cut(plain(), 100), "ends at byte 128 of the data, but the file has"),
        (plain().tensor("a", &[1], 0, &[0; 4]).error(), "duplicate tensor \"a\""),
        (plain().tensor("b", &[1], 5, &[]).error(), "unknown type 5 of the tensor \"b\""),
        (
            plain().tensor("b", &[33], 2, &[0; 36]).error(),
            "do not fit its type Q4_0: they must be a multiple of 32",
        ),
        (plain().tensor("b", &[u64::MAX, u64::MAX], 0, &[]).error(), "is too large"),
        (plain().tensor("b", &[1 << 40, 1 << 20], 12, &[]).error(), "ends at byte"),
        (plain().pair("k", 13, &[]).error(), "unknown type 13 of a value"),
        (plain().pair("general.alignment", 4, &3_u32.to_le_bytes()).error(), "must be a power of two"),
        (plain().pair("k", 7, &[0]).pair("k", 7, &[0]).error(), "duplicate key \"k\" in the metadata"),
        (
            plain().pair("k", 8, &u64::MAX.to_le_bytes()).error(),
            "the file ends within a value of the metadata",
        ),
        (File { tensor_count: u64::MAX, ..plain() }.error(), "duplicate tensor \"\""),
    ];
    for (error, part) in cases {
        assert!(error.contains(part), "{part}: {error}");
    }
    let mut unaligned = plain().tensor("b", &[1], 0, &[0; 4]);
    let at = unaligned.tensors.len() - 8;
    unaligned.tensors[at] = 4;
    assert!(unaligned.error().contains("must be a multiple of 32"), "{}", unaligned.error());
}

#[test]
fn type_without_values_can_be_copied_only() {
    let file = File::new().tensor("a", &[256], 16, &noise(66));
    let reader = Reader::from_bytes(file.bytes()).unwrap();
    let tensor = &reader.tensors()[0];
    assert_eq!((tensor.element(), tensor.stored_bytes()), (&ElementType::Unknown("IQ2_XXS".into()), 66));
    let error = tensor.read(0, &mut [0; 4]).unwrap_err().to_string();
    assert!(error.contains("IQ2_XXS"), "{error}");
    assert_eq!(tensor.read_all().unwrap(), noise(66));
}

#[test]
fn written_file_keeps_metadata_and_stored_tensors() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("a.gguf"), folder.path().join("b.gguf"));
    let values: Vec<u8> = (0..64_u16).flat_map(|at| f32::from(at).to_le_bytes()).collect();
    let file = File::new()
        .pair("general.architecture", 8, &[&5_u64.to_le_bytes()[..], b"llama"].concat())
        .pair("general.file_type", 4, &1_u32.to_le_bytes())
        .tensor("norm", &[3], 0, &[1; 12])
        .tensor("weight", &[32, 2], 0, &values)
        .tensor("odd", &[33, 1], 0, &[2; 132]);
    std::fs::write(&from, file.bytes()).unwrap();
    let Input::Gguf(reader) = Input::open(&from).unwrap() else { panic!("a GGUF file") };
    let [norm, weight, odd] = reader.tensors() else { panic!("three tensors") };
    assert!(Entry::new(odd, Encoding::Q8_0).is_none());
    let entries = [
        Entry::stored(norm).unwrap(),
        Entry::new(weight, Encoding::Q8_0).unwrap(),
        Entry::stored(odd).unwrap(),
    ];
    let writer = Writer::create(&to, &reader, &entries, Encoding::Q8_0, IfExists::Refuse).unwrap();
    writer.write_at(0, 0, &[1; 12]).unwrap();
    writer.write_at(1, 0, &noise(68)).unwrap();
    writer.write_at(2, 0, &[2; 132]).unwrap();
    writer.finish().unwrap();
    let again = Reader::open(&to).unwrap();
    let names: Vec<&str> = again.tensors().iter().map(|tensor| tensor.name()).collect();
    assert_eq!(names, ["norm", "weight", "odd"]);
    assert_eq!(again.tensors()[1].blocks().map(|layout| layout.name()), Some("Q8_0"));
    let mut stored = [0; 68];
    again.tensors()[1].read_stored(0, &mut stored).unwrap();
    assert_eq!(stored[..], noise(68));
    assert_eq!(again.tensors()[2].read_all().unwrap(), [2; 132]);
    assert_eq!(again.metadata()[0], ("general.architecture".to_owned(), "llama".to_owned()));
    assert!(again.metadata().contains(&("general.file_type".to_owned(), "7".to_owned())));
    assert_eq!(std::fs::metadata(&to).unwrap().len() % 32, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_file_is_an_error_or_can_be_read(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        shorter in any::<bool>(),
    ) {
        let mut bytes = one_of_each().pair("general.name", 8, &[1, 0, 0, 0, 0, 0, 0, 0, b'x']).bytes();
        let header = 1200.min(bytes.len());
        for (at, byte) in changes {
            let at = at.index(header);
            bytes[at] = byte;
        }
        if shorter {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(reader) = Reader::from_bytes(bytes) {
            for tensor in reader.tensors().iter().filter(|tensor| tensor.byte_len() < 1 << 20) {
                let _ = tensor.read_all();
            }
        }
    }
}
