//! Loads each folder data set from small files of its layout. Damaged files must not panic.

use std::fs;
use std::io::Write;
use std::path::Path;

use binade_data::{Dataset, Folder, Split, Task, Values, catalogue, load};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use tempfile::TempDir;

type Files = Vec<(&'static str, Vec<u8>)>;

fn gzip(contents: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(vec![], Compression::fast());
    encoder.write_all(contents).unwrap();
    encoder.finish().unwrap()
}

fn idx(magic: u32, lengths: &[u32], contents: &[u8]) -> Vec<u8> {
    let header = [&[magic], lengths].concat();
    header.iter().flat_map(|word| word.to_be_bytes()).chain(contents.iter().copied()).collect()
}

/// Five training images of 3×2 pixels and one test image. One of the four files is packed, one has the older name.
fn idx_files() -> Files {
    let pixels: Vec<u8> = (0..30).collect();
    vec![
        ("train-images-idx3-ubyte.gz", gzip(&idx(0x803, &[5, 3, 2], &pixels))),
        ("train-labels-idx1-ubyte", idx(0x801, &[5], &[0, 2, 1, 2, 0])),
        ("t10k-images.idx3-ubyte", idx(0x803, &[1, 3, 2], &pixels[24..])),
        ("t10k-labels-idx1-ubyte", idx(0x801, &[1], &[1])),
    ]
}

/// A record of CIFAR. Channel c of pixel i is (i + 100 c) mod 251, which distinguishes planes from pixels.
fn record(labels: &[u8]) -> Vec<u8> {
    let planes = (0..3 * 1024).map(|at| ((at % 1024 + 100 * (at / 1024)) % 251) as u8);
    labels.iter().copied().chain(planes).collect()
}

fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    [b"\x93NUMPY\x01\x00".as_slice(), &(header.len() as u16).to_le_bytes(), header.as_bytes(), data].concat()
}

/// Signals of two numbers and their labels.
fn array_files() -> Files {
    let signals =
        |count: u8| -> Vec<u8> { (0..2 * count).flat_map(|at| f32::from(at).to_le_bytes()).collect() };
    let labels = |labels: &[i64]| labels.iter().flat_map(|label| label.to_le_bytes()).collect::<Vec<u8>>();
    vec![
        ("train_signal.npy", npy("<f4", "(3, 2)", &signals(3))),
        ("train_label.npy", npy("<i8", "(3,)", &labels(&[0, 4, 1]))),
        ("test_signal.npy", npy("<f4", "(1, 2)", &signals(1))),
        ("test_label.npy", npy("<i8", "(1,)", &labels(&[3]))),
    ]
}

fn files(set: &str) -> Files {
    let text = |name, text: &str| (name, text.as_bytes().to_vec());
    match set {
        "idx" | "fashion-mnist" => idx_files(),
        "cifar10" => {
            let batches = ["data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin"];
            let mut files: Files = batches.iter().map(|&name| (name, record(&[3]))).collect();
            files.push(("data_batch_5.bin", [record(&[0]), record(&[9])].concat()));
            files.push(("test_batch.bin", record(&[7])));
            files
        }
        "cifar100" => {
            vec![("train.bin", [record(&[19, 99]), record(&[0, 1])].concat()), ("test.bin", record(&[4, 50]))]
        }
        "text" => vec![
            text("train.txt", " the cat saw the <unk> \n the dog ran \n"),
            text("valid.txt", "a dog\n"),
            text("test.txt", "the bird ran\n"),
        ],
        "parallel" => vec![
            ("train.de.gz", gzip("Ein Hund läuft.\nEin Hund, ein Mann.\n".as_bytes())),
            text("train.en", "A dog runs.\nA dog, a man.\n"),
            text("val.de", "Ein Hund\n"),
            text("val.en", "A dog\n"),
            text("test_2016_flickr.de", "Ein Mann läuft.\nHund!\n"),
            text("test_2016_flickr.en", "A man runs.\nDog!\n"),
        ],
        "ngcf" => vec![text("train.txt", "0 5 3\n1\n2 4 \n"), text("test.txt", "0 4\n2 3 5\n")],
        "movielens" => {
            let lines = (0..12).map(|at| format!("{}\t{}\t3\t881250949\n", 1 + at % 2 * 2, 10 + at));
            vec![("u.data", lines.collect::<String>().into_bytes())]
        }
        "arrays" => array_files(),
        other => panic!("the set {other} has no test files; add them here"),
    }
}

fn folder_of(files: &Files) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, contents) in files {
        fs::write(folder.path().join(name), contents).unwrap();
    }
    folder
}

fn read(set: &str, folder: &Path) -> Result<Dataset, String> {
    load(&format!("{set}:{}", folder.display())).map_err(|error| error.to_string())
}

fn good(set: &str) -> Dataset {
    read(set, folder_of(&files(set)).path()).unwrap()
}

/// The error of the set when one file is replaced.
fn bad(set: &str, name: &str, contents: impl AsRef<[u8]>) -> String {
    let folder = folder_of(&files(set));
    fs::write(folder.path().join(name), contents).unwrap();
    let message = read(set, folder.path()).unwrap_err();
    message.replace(folder.path().to_str().unwrap(), "DIR").replace("DIR/", "")
}

fn integers<'a>(split: &'a Split, name: &str) -> &'a [i32] {
    split.column(name).unwrap().values.as_i32().unwrap()
}

fn sets() -> impl Iterator<Item = &'static str> {
    catalogue().iter().filter(|entry| entry.folder != Folder::None).map(|entry| entry.name)
}

#[test]
fn every_set_states_size_and_licence() {
    for set in sets() {
        let data = good(set);
        let entry = catalogue().iter().find(|entry| entry.name == set).unwrap();
        assert_eq!((data.name.as_str(), data.licence.as_str()), (set, entry.licence));
        let counts = format!("{} training and {} test", data.train.len(), data.test.len());
        assert!(data.about.starts_with(&counts) && data.about.contains("licence"), "{data}");
        assert!(!data.synthetic);
    }
}

#[test]
fn idx_files_are_read() {
    let data = good("idx");
    assert_eq!((data.task, data.classes), (Task::Classification, Some(3)));
    let images = data.train.column("image").unwrap();
    assert_eq!(
        (images.shape.as_slice(), images.values.as_u8().unwrap()),
        (&[3, 2, 1][..], &Vec::from_iter(0..30)[..])
    );
    assert_eq!(integers(&data.train, "label"), [0, 2, 1, 2, 0]);
    assert_eq!(integers(&data.test, "label"), [1]);
    assert_eq!(good("fashion-mnist").classes, Some(10));
}

#[test]
fn wrong_idx_files_are_refused() {
    let labels = "train-labels-idx1-ubyte";
    let short = idx(0x801, &[5], &[0, 2, 1]);
    assert_eq!(
        bad("idx", labels, &short),
        "train-labels-idx1-ubyte: the contents end at byte 11: the array of shape [5] needs 13 bytes"
    );
    assert_eq!(
        bad("idx", labels, idx(0x801, &[5], &[0; 7])),
        "train-labels-idx1-ubyte: 2 extra bytes after the array of shape [5]: the contents must end at byte 13"
    );
    assert_eq!(
        bad("idx", labels, idx(0x803, &[5], &[0; 5])),
        "train-labels-idx1-ubyte: not an IDX file of labels: must begin with 0x00000801, not 0x00000803"
    );
    assert_eq!(
        bad("idx", labels, idx(0x801, &[4], &[0; 4])),
        "train-images-idx3-ubyte.gz has 5 images, but train-labels-idx1-ubyte has 4 labels"
    );
    assert_eq!(
        bad("idx", "t10k-labels-idx1-ubyte", idx(0x801, &[1], &[3])),
        "t10k-labels-idx1-ubyte: example 0: label 3 is out of range: must be from 0 to 2"
    );
    assert_eq!(
        bad("fashion-mnist", labels, idx(0x801, &[5], &[0, 1, 10, 2, 3])),
        "train-labels-idx1-ubyte: example 2: label 10 is out of range: must be from 0 to 9"
    );
    assert_eq!(
        bad("idx", "t10k-images.idx3-ubyte", idx(0x803, &[1, 2, 3], &[0; 6])),
        "t10k-labels-idx1-ubyte: images of shape [2, 3, 1], but the training images have shape [3, 2, 1]"
    );
    let vast = idx(0x803, &[u32::MAX; 3], &[]);
    assert!(bad("idx", "t10k-images.idx3-ubyte", vast).contains("end at byte 16"));
    let packed = bad("idx", "train-images-idx3-ubyte.gz", "not gzip");
    assert!(packed.starts_with("train-images-idx3-ubyte.gz: cannot unpack: "), "{packed}");
}

#[test]
fn cifar_files_are_read() {
    let data = good("cifar10");
    assert_eq!((data.classes, data.train.len(), data.test.len()), (Some(10), 6, 1));
    assert_eq!(integers(&data.train, "label"), [3, 3, 3, 3, 0, 9]);
    let images = data.train.column("image").unwrap();
    assert_eq!(images.shape, [32, 32, 3]);
    assert_eq!(images.values.as_u8().unwrap()[3 * 2..][..3], [2, 102, 202]);
    let data = good("cifar100");
    assert_eq!(
        (integers(&data.train, "label"), integers(&data.train, "coarse_label")),
        (&[99, 1][..], &[19, 0][..])
    );
    assert_eq!(data.classes, Some(100));

    // The archive's own folder within the given folder.
    let outer = tempfile::tempdir().unwrap();
    let inner = outer.path().join("cifar-10-batches-bin");
    fs::create_dir(&inner).unwrap();
    for (name, contents) in files("cifar10") {
        fs::write(inner.join(name), contents).unwrap();
    }
    assert_eq!(read("cifar10", outer.path()).unwrap().train.len(), 6);

    assert_eq!(
        bad("cifar10", "test_batch.bin", &record(&[7])[..3000]),
        "test_batch.bin: the contents end at byte 3000: record 0 needs 3073 bytes"
    );
    assert_eq!(
        bad("cifar10", "data_batch_5.bin", [record(&[0]), record(&[10])].concat()),
        "data_batch_5.bin: example 1: label 10 is out of range: must be from 0 to 9"
    );
    assert_eq!(bad("cifar10", "test_batch.bin", ""), "test_batch.bin: the file has no example");
}

#[test]
fn texts_are_read() {
    let data = good("text");
    let vocabulary = data.vocabulary.as_ref().unwrap();
    assert_eq!(vocabulary.words(), ["<eos>", "<unk>", "the", "cat", "dog", "ran", "saw"]);
    assert_eq!(integers(&data.train, "token"), [2, 3, 6, 2, 1, 0, 2, 4, 5, 0]);
    assert_eq!(integers(data.validation.as_ref().unwrap(), "token"), [1, 4, 0]);
    assert_eq!(integers(&data.test, "token"), [2, 1, 5, 0]);
    assert_eq!(data.task, Task::LanguageModel);
    assert_eq!(bad("text", "test.txt", b"the \xff"), "test.txt: byte 4 of the contents is not valid UTF-8");
    assert_eq!(bad("text", "test.txt", ""), "test.txt: the file has no example");
}

#[test]
fn sentence_pairs_are_read() {
    let data = good("parallel");
    let (source, target) = (data.vocabulary.as_ref().unwrap(), data.target_vocabulary.as_ref().unwrap());
    assert_eq!(source.words(), ["<pad>", "<unk>", "<sos>", "<eos>", "ein", ".", "hund"]);
    assert_eq!(target.words(), ["<pad>", "<unk>", "<sos>", "<eos>", "a", ".", "dog"]);
    assert_eq!(data.train.column("source").unwrap().shape, [8]);
    assert_eq!(integers(&data.train, "source"), [2, 4, 6, 1, 5, 3, 0, 0, 2, 4, 6, 1, 4, 1, 5, 3]);
    assert_eq!(integers(&data.train, "target_length"), [6, 8]);
    assert_eq!(integers(&data.test, "target"), [2, 4, 1, 1, 5, 3, 2, 6, 1, 3, 0, 0]);
    assert_eq!(data.validation.as_ref().unwrap().len(), 1);

    let folder = folder_of(&files("parallel"));
    let other = load(&format!("parallel:{}:en-de", folder.path().display())).unwrap();
    assert_eq!(other.train.column("source").unwrap().values, data.train.column("target").unwrap().values);

    assert_eq!(
        bad("parallel", "train.en", "A dog runs.\n"),
        "train.de.gz has 2 lines, but train.en has 1 lines"
    );
    assert!(
        bad("parallel", "train.fr", "")
            .starts_with("DIR: missing train.L for exactly two languages L (3 found); the folder")
    );
    let long = "word ".repeat(binade_data::parallel::LONGEST + 1);
    assert_eq!(
        bad("parallel", "val.en", long),
        "val.en:1: the sentence has 1025 words: at most 1024 allowed"
    );
}

#[test]
fn choices_are_read() {
    let data = good("ngcf");
    assert_eq!(
        (integers(&data.train, "user"), integers(&data.train, "item")),
        (&[0, 0, 2][..], &[5, 3, 4][..])
    );
    assert_eq!(
        (integers(&data.test, "user"), integers(&data.test, "item")),
        (&[0, 2, 2][..], &[4, 3, 5][..])
    );
    assert_eq!(
        bad("ngcf", "test.txt", "0 1\n1 x\n"),
        "test.txt:2: must be a whole number from 0 to 2147483647, not \"x\""
    );
    assert_eq!(bad("ngcf", "test.txt", "7\n"), "test.txt: the file has no example");

    let data = good("movielens");
    assert_eq!((data.train.len(), data.test.len()), (10, 2));
    assert_eq!(integers(&data.test, "user"), [0, 2]);
    let mut items = [integers(&data.train, "item"), integers(&data.test, "item")].concat();
    items.sort_unstable();
    assert_eq!(items, Vec::from_iter(9..21));
    assert_eq!(
        bad("movielens", "u.data", "1\t2\t3\n"),
        "u.data:1: must have 4 fields separated by tabs, not 3"
    );
    assert_eq!(
        bad("movielens", "u.data", "0\t2\t3\t4\n"),
        "u.data:1: must be a whole number from 1 to 2147483647, not \"0\""
    );
    assert_eq!(
        bad("movielens", "u.data", "2147483647\t2\t3\t4\n"),
        "u.data:1: user 2147483647 is out of range: at most 1048576 allowed"
    );
}

#[test]
fn arrays_are_read() {
    let data = good("arrays");
    assert_eq!((data.task, data.classes), (Task::Classification, Some(5)));
    assert_eq!(integers(&data.train, "label"), [0, 4, 1]);
    let signals = data.train.column("signal").unwrap();
    assert_eq!(signals.values, Values::F32(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));

    // Integers other than pixels become I32.
    let bytes =
        [("train_label.npy", npy("|u1", "(3,)", &[2, 0, 1])), ("test_label.npy", npy("|u1", "(1,)", &[2]))];
    let folder = folder_of(&array_files());
    for (name, contents) in bytes {
        fs::write(folder.path().join(name), contents).unwrap();
    }
    assert_eq!(integers(&read("arrays", folder.path()).unwrap().train, "label"), [2, 0, 1]);

    let tensors = r#"{"token":{"dtype":"U16","shape":[3],"data_offsets":[0,6]}}"#;
    let file = [&(tensors.len() as u64).to_le_bytes(), tensors.as_bytes(), &[7, 0, 0, 1, 255, 255]].concat();
    let folder = folder_of(&vec![("train.safetensors", file.clone()), ("test.safetensors", file)]);
    let data = read("arrays", folder.path()).unwrap();
    assert_eq!((data.task, integers(&data.test, "token")), (Task::LanguageModel, &[7, 256, 65535][..]));

    let label = "train_label.npy";
    let values = |values: [i64; 3]| npy("<i8", "(3,)", &values.map(i64::to_le_bytes).concat());
    assert_eq!(
        bad("arrays", label, values([0, 1 << 31, 1])),
        "train_label.npy: element 1 of label does not fit in a signed 32-bit integer"
    );
    assert_eq!(
        bad("arrays", label, values([4, -1, 0])),
        "DIR: example 1: label -1 is out of range: must be from 0 to 4"
    );
    assert_eq!(
        bad("arrays", label, npy("<f8", "(3,)", &[0; 24])),
        "train_label.npy: label has elements of F64: must be bytes, integers or F32"
    );
    assert_eq!(
        bad("arrays", label, npy("<i4", "(2,)", &[0; 8])),
        "the column signal has 3 examples, but label has 2"
    );
    assert_eq!(
        bad("arrays", "test_label.npy", npy("<f4", "(1,)", &[0; 4])),
        "the column label must be in both splits with the same shape and type"
    );
    assert_eq!(
        bad("arrays", label, npy("<i8", "()", &[0; 8])),
        "train_label.npy: the array label is a scalar: its first dimension must count the examples"
    );
    assert_eq!(
        bad("arrays", "train_signal.npy", npy("<f4", "(3,)", &[0; 12])),
        "the column signal must be in both splits with the same shape and type"
    );
    let pairs = |user: &[u8], item: &[u8]| -> Files {
        vec![
            ("train_user.npy", user.to_vec()),
            ("test_user.npy", user.to_vec()),
            ("train_item.npy", item.to_vec()),
            ("test_item.npy", item.to_vec()),
        ]
    };
    let problem =
        |user: &[u8], item: &[u8]| read("arrays", folder_of(&pairs(user, item)).path()).unwrap_err();
    let right = npy("|u1", "(2,)", &[3, 4]);
    assert!(read("arrays", folder_of(&pairs(&right, &right)).path()).is_ok());
    assert_eq!(
        problem(&right, &npy("|u1", "(2, 1)", &[3, 4])),
        "the column item has examples of shape [1]: must have 0 dimensions"
    );
    assert_eq!(
        problem(&right, &npy("<f4", "(2,)", &[0; 8])),
        "the column item must have numbers of type I32"
    );
    assert_eq!(
        problem(&right, &npy("|i1", "(2,)", &[3, 255])),
        "the column item must not have negative numbers"
    );
    assert!(bad("arrays", label, "xyz").starts_with("train_label.npy: "));
}

#[test]
fn wrong_names_and_folders_are_refused() {
    let message = |name: &str| load(name).unwrap_err().to_string();
    assert!(message("cifar").starts_with("unknown data set \"cifar\": must be one of fashion-mnist-small, "));
    assert!(
        message("cifar10")
            .starts_with("cifar10 needs a folder: write cifar10:DIR, where DIR has data_batch_1.bin")
    );
    assert!(message("idx:").starts_with("idx needs a folder"));
    assert_eq!(message("mnist1d:x"), "mnist1d is part of the program and takes no folder: remove \"x\"");
    for set in sets() {
        let folder = tempfile::tempdir().unwrap();
        let message = read(set, folder.path()).unwrap_err();
        assert!(message.contains(": missing ") && message.ends_with("; the folder is empty"), "{message}");
        fs::write(folder.path().join("notes"), "").unwrap();
        let message = read(set, folder.path()).unwrap_err();
        assert!(message.ends_with("; the folder has notes"), "{message}");
        let absent = read(set, &folder.path().join("absent")).unwrap_err();
        assert!(absent.contains("absent: cannot list the folder: "), "{absent}");
    }
}

#[test]
fn test_file_is_not_used_for_validation() {
    let folder = folder_of(&files("parallel"));
    for language in ["de", "en"] {
        fs::rename(
            folder.path().join(format!("test_2016_flickr.{language}")),
            folder.path().join(format!("test.{language}")),
        )
        .unwrap();
    }
    fs::remove_file(folder.path().join("val.de")).unwrap();
    let message = read("parallel", folder.path()).unwrap_err();
    assert!(message.contains("missing val.de (or with .gz)"), "{message}");
    fs::remove_file(folder.path().join("val.en")).unwrap();
    assert!(read("parallel", folder.path()).unwrap().validation.is_none());
}

/// Every file that is not optional is reported missing by its name.
#[test]
fn missing_file_is_an_error() {
    for set in sets() {
        for (name, _) in files(set) {
            let folder = folder_of(&files(set));
            fs::remove_file(folder.path().join(name)).unwrap();
            let optional = name == "valid.txt";
            assert_eq!(read(set, folder.path()).is_ok(), optional, "{set} without {name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// Truncated, changed or longer files give an error or a data set. They never panic or allocate much memory.
    #[test]
    fn damaged_files_never_panic(
        set in prop::sample::select(sets().collect::<Vec<_>>()),
        file: prop::sample::Index,
        at: prop::sample::Index,
        cut: bool,
        bytes in prop::collection::vec(any::<u8>(), 0..6),
    ) {
        let mut files = files(set);
        let file = file.index(files.len());
        let contents = &mut files[file].1;
        // Damage matters most in headers and at the start of records.
        let near = at.index(contents.len().min(40) + 1);
        let at = if bytes.len() % 2 == 0 { near } else { at.index(contents.len() + 1) };
        if cut {
            contents.truncate(at);
        }
        let end = contents.len().min(at + bytes.len());
        contents.splice(at.min(end)..end, bytes);
        let folder = folder_of(&files);
        match read(set, folder.path()) {
            Ok(data) => prop_assert!(!data.train.is_empty() && !data.test.is_empty()),
            Err(message) => prop_assert!(
                message.contains(folder.path().to_str().unwrap()) || message.starts_with("the column"),
                "{}",
                message
            ),
        }
    }
}

/// Truncates every file at every length.
#[test]
fn truncated_binary_file_is_an_error() {
    for (set, step) in [("idx", 1), ("cifar10", 211), ("cifar100", 211), ("arrays", 1)] {
        for (file, (name, contents)) in files(set).into_iter().enumerate() {
            for end in (0..contents.len()).step_by(step) {
                let mut cut = files(set);
                cut[file].1.truncate(end);
                // Whole records are a shorter file, not a damaged one.
                let record = [("cifar10", 3073), ("cifar100", 3074)].iter().find(|(of, _)| *of == set);
                if record.is_some_and(|(_, record)| end > 0 && end % record == 0) {
                    continue;
                }
                let folder = folder_of(&cut);
                assert!(read(set, folder.path()).is_err(), "{set}: {name} cut at {end}");
            }
        }
    }
}

#[test]
fn readme_lists_every_set() {
    let readme = include_str!("../README.md");
    for entry in catalogue() {
        let names = [format!("`{}`", entry.name), format!("`{}:", entry.name), format!("`{}[", entry.name)];
        assert!(names.iter().any(|name| readme.contains(name)), "{}", entry.name);
    }
}

/// Embedded and generated sets load without a folder and match their catalogue entry.
#[test]
fn embedded_and_generated_sets_load_without_a_folder() {
    for entry in catalogue().iter().filter(|entry| entry.folder == Folder::None) {
        let data = load(entry.name).unwrap();
        assert_eq!((data.name.as_str(), data.synthetic), (entry.name, entry.synthetic));
        assert_eq!(data.licence, entry.licence);
        assert!(data.about.contains(entry.licence), "{data}");
        let validation = data.validation.as_ref().map_or(0, Split::len);
        let total = data.train.len() + validation + data.test.len();
        let said = entry.about.replace(',', "");
        let parts = format!("{} training and {} test", data.train.len(), data.test.len());
        assert!(said.contains(&parts) || said.contains(&total.to_string()), "{said}");
    }
}
