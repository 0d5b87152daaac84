//! Output files appear complete or not at all, and leave no temporary file.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use binade_files::{
    ElementType, IfExists, Input, npy, remove_abandoned, remove_unfinished, safetensors, temporary_beside,
};

/// [`remove_unfinished`] affects every writer of the process, so these tests run one at a time.
static TURN: Mutex<()> = Mutex::new(());

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn create(path: &Path, if_exists: IfExists) -> Result<npy::Writer, binade_files::Error> {
    npy::Writer::create(path, ElementType::U8, &[4], if_exists)
}

#[test]
fn existing_file_is_refused_or_replaced() {
    let _turn = TURN.lock().unwrap_or_else(|error| error.into_inner());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let exists = format!("{}: the file exists: use --force to replace it", path.display());

    // The file appears after the writer began.
    let writer = create(&path, IfExists::Refuse).unwrap();
    writer.write_at(0, &[1; 4]).unwrap();
    fs::write(&path, "old").unwrap();
    assert_eq!(writer.finish().unwrap_err().to_string(), exists);
    // The file was there before.
    assert_eq!(create(&path, IfExists::Refuse).err().unwrap().to_string(), exists);
    assert_eq!(fs::read(&path).unwrap(), b"old");

    let writer = create(&path, IfExists::Replace).unwrap();
    writer.write_at(0, &[1; 4]).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"old");
    writer.finish().unwrap();
    assert_eq!(npy::Reader::open(&path).unwrap().tensor().read_all().unwrap(), [1; 4]);
    assert_eq!(names(folder.path()), ["a.npy"]);
}

#[cfg(unix)]
#[test]
fn replaced_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let _turn = TURN.lock().unwrap_or_else(|error| error.into_inner());
    let folder = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let write = |path: &Path| {
        let writer = create(path, IfExists::Replace).unwrap();
        writer.write_at(0, &[1; 4]).unwrap();
        writer.finish().unwrap();
    };
    let (plain, path) = (folder.path().join("plain"), folder.path().join("a.npy"));
    fs::write(&plain, "").unwrap();
    write(&path);
    assert_eq!(mode(&path), mode(&plain));
    fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
    write(&path);
    assert_eq!(mode(&path), 0o640);
}

#[test]
fn unfinished_writer_leaves_no_file() {
    let _turn = TURN.lock().unwrap_or_else(|error| error.into_inner());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let place = path.display();

    let writer = create(&path, IfExists::Refuse).unwrap();
    writer.write_at(3, &[1]).unwrap();
    writer.write_at(0, &[1]).unwrap();
    assert_eq!(
        writer.write_at(0, &[1, 2]).unwrap_err().to_string(),
        format!("{place}: bytes 0..2 of the array were already written")
    );
    assert_eq!(
        writer.write_at(3, &[1, 2]).unwrap_err().to_string(),
        format!("{place}: bytes 3..5 are out of range: the array has 4 bytes")
    );
    assert_eq!(names(folder.path()).len(), 1);
    assert_eq!(
        writer.finish().unwrap_err().to_string(),
        format!("{place}: bytes 1..3 of the array were never written")
    );
    assert_eq!(names(folder.path()), [""; 0]);

    drop(create(&path, IfExists::Refuse).unwrap());
    assert_eq!(names(folder.path()), [""; 0]);

    let writer = safetensors::Writer::create(&path, &[], &[], IfExists::Refuse).unwrap();
    assert_eq!(
        writer.write_at(0, 0, &[]).unwrap_err().to_string(),
        format!("{place}: there is no tensor 0: the file was created with 0")
    );
}

#[test]
fn interrupted_writer_leaves_no_file() {
    let _turn = TURN.lock().unwrap_or_else(|error| error.into_inner());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let writer = create(&path, IfExists::Refuse).unwrap();
    writer.write_at(0, &[1; 4]).unwrap();
    remove_unfinished();
    assert_eq!(names(folder.path()), [""; 0]);
    assert!(writer.finish().is_err());
    assert_eq!(names(folder.path()), [""; 0]);
}

/// Temporary files of killed processes are removed. Files being written and other files stay.
#[test]
fn abandoned_temporaries_are_removed() {
    let _turn = TURN.lock().unwrap_or_else(|error| error.into_inner());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    for name in [".binade-abc123.partial", ".binade-abc123.shared", ".binade-incomplete.json", "b.partial"] {
        fs::write(folder.path().join(name), "half").unwrap();
    }
    let writer = create(&path, IfExists::Refuse).unwrap();
    writer.write_at(0, &[1; 4]).unwrap();
    let report = temporary_beside(&folder.path().join("report.json")).unwrap();
    remove_abandoned(folder.path());
    assert!(report.path().exists());
    drop(report);
    writer.finish().unwrap();
    assert_eq!(
        names(folder.path()),
        [".binade-abc123.shared", ".binade-incomplete.json", "a.npy", "b.partial"]
    );
}

#[test]
fn folders_and_missing_paths_are_refused() {
    let _turn = TURN.lock().unwrap_or_else(|error| error.into_inner());
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display();
    assert_eq!(
        create(folder.path(), IfExists::Replace).err().unwrap().to_string(),
        format!("{place}: is a folder: name a file")
    );
    let missing = create(&folder.path().join("none/a.npy"), IfExists::Refuse).err().unwrap().to_string();
    assert_eq!(missing, format!("{place}/none/a.npy: cannot create: the folder {place}/none does not exist"));
    fs::write(folder.path().join("file"), "").unwrap();
    let below = temporary_beside(&folder.path().join("file/a.npy")).unwrap_err();
    assert_eq!(below.to_string(), format!("{place}/file is not a folder"));
    assert_eq!(
        Input::open(folder.path()).unwrap_err().to_string(),
        format!("{place}: not a regular file: pipes, devices and folders cannot be read at any offset")
    );
    let missing = Input::open(folder.path().join("b.npy")).unwrap_err().to_string();
    assert!(missing.starts_with(&format!("{place}/b.npy: cannot open: ")), "{missing}");
    fs::write(folder.path().join("b.npy"), "{}").unwrap();
    assert_eq!(
        Input::open(folder.path().join("b.npy")).unwrap_err().to_string(),
        format!("{place}/b.npy: byte 0: not a .npy file: must begin with \\x93NUMPY, not {{}}")
    );
}

#[test]
fn shrinking_file_is_an_error() {
    let _turn = TURN.lock().unwrap_or_else(|error| error.into_inner());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let writer = create(&path, IfExists::Refuse).unwrap();
    writer.write_at(0, &[1; 4]).unwrap();
    writer.finish().unwrap();
    let reader = npy::Reader::open(&path).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_len(130).unwrap();
    assert_eq!(
        reader.tensor().read_all().unwrap_err().to_string(),
        format!("{}: byte 128: the file became shorter while it was read", path.display())
    );
}

#[test]
fn writes_of_many_threads_are_complete() {
    let _turn = TURN.lock().unwrap_or_else(|error| error.into_inner());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let writer = npy::Writer::create(&path, ElementType::U8, &[4000], IfExists::Refuse).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let writer = &writer;
            scope.spawn(move || {
                for piece in (thread..400).step_by(4) {
                    writer.write_at(piece * 10, &[piece as u8; 10]).unwrap();
                }
            });
        }
    });
    writer.finish().unwrap();
    let expected: Vec<u8> = (0..4000).map(|at| (at / 10) as u8).collect();
    assert_eq!(npy::Reader::open(&path).unwrap().tensor().read_all().unwrap(), expected);
}
