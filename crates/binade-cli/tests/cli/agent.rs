//! The agent of `binade run`: a library beside the command, from the same build.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object, ObjectSymbol};

const LIBRARY: &str = "libbinade_agent.so";

fn binade() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_binade"))
}

/// The library that Cargo made with the command.
fn library() -> PathBuf {
    binade().parent().unwrap().join("deps").join(LIBRARY)
}

/// `binade run -- true` of this executable: exit code and standard error.
fn run(executable: &Path, library: Option<&Path>) -> (Option<i32>, String) {
    let mut command = Command::new(executable);
    command.args(["run", "--", "true"]).env_remove("BINADE_AGENT_LIBRARY");
    if let Some(library) = library {
        command.env("BINADE_AGENT_LIBRARY", library);
    }
    let done = command.output().unwrap();
    (done.status.code(), String::from_utf8(done.stderr).unwrap())
}

/// The names that a file defines.
fn defined(path: &Path) -> Vec<String> {
    let bytes = fs::read(path).unwrap();
    let object = object::File::parse(&*bytes).unwrap();
    let symbols = object.symbols().chain(object.dynamic_symbols()).filter(ObjectSymbol::is_definition);
    symbols.filter_map(|symbol| symbol.name().ok().map(str::to_owned)).collect()
}

/// The command depends on the agent's crate so that one build makes both. Were the crate linked into it, so would be its
/// allocator and the linker's entry points.
#[test]
fn agent_is_not_linked_into_the_command() {
    let is_agents = |name: &String| name.starts_with("la_") || name.contains("binade_agent");
    assert_eq!(defined(binade()).into_iter().filter(is_agents).collect::<Vec<_>>(), [""; 0]);
    let library = defined(&library());
    for name in ["la_version", "la_objopen", "la_activity", "la_objclose", "BINADE_AGENT_BUILD"] {
        assert!(library.iter().any(|defined| defined == name), "{name}");
    }
}

/// A folder of the same file system as the command, which can be linked into it.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in(binade().parent().unwrap()).unwrap()
}

#[cfg(not(feature = "embed-agent"))]
#[test]
fn agent_is_found_where_it_is_installed() {
    let folder = folder();
    for place in ["bin", "lib/binade"] {
        fs::create_dir_all(folder.path().join(place)).unwrap();
    }
    let command = folder.path().join("bin/binade");
    fs::hard_link(binade(), &command).unwrap();
    let (code, error) = run(&command, None);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.starts_with(&format!("error: {LIBRARY} is missing: it is not in ")), "{error}");
    assert!(error.contains("cargo install --features embed-agent"), "{error}");
    // Before anything else is looked at, or written.
    let profile = folder.path().join("p.json");
    let mut early = Command::new(&command);
    early.args(["run", "--functions", "(", "--profile"]).arg(&profile).args(["--", "/no/such/program"]);
    let done = early.env_remove("BINADE_AGENT_LIBRARY").output().unwrap();
    assert!(String::from_utf8(done.stderr).unwrap().starts_with(&format!("error: {LIBRARY} is missing")));
    assert!(done.status.code() == Some(2) && !profile.exists());
    for place in ["lib/binade", "bin"] {
        let installed = folder.path().join(place).join(LIBRARY);
        fs::hard_link(library(), &installed).unwrap();
        let (code, error) = run(&command, None);
        assert_eq!(code, Some(0), "{place}: {error}");
        fs::remove_file(&installed).unwrap();
    }
    // The dynamic linker cannot load from such a path: a copy is loaded.
    let spaced = folder.path().join("a b");
    fs::create_dir(&spaced).unwrap();
    fs::hard_link(library(), spaced.join(LIBRARY)).unwrap();
    let (code, error) = run(&command, Some(&spaced.join(LIBRARY)));
    assert_eq!(code, Some(0), "{error}");
}

#[test]
fn agent_of_another_build_is_refused() {
    let folder = folder();
    let path = folder.path().join(LIBRARY);
    let refused = |contents: &[u8]| {
        fs::write(&path, contents).unwrap();
        let (code, error) = run(binade(), Some(&path));
        assert_eq!(code, Some(2), "{error}");
        error
    };
    assert!(refused(b"text").contains("this is not an agent"));
    let mut bytes = fs::read(library()).unwrap();
    // The hash behind the version, wherever it stands in the file.
    let build = binade_profile::config::BUILD.as_bytes();
    let places: Vec<usize> =
        (0..bytes.len() - build.len()).filter(|&at| &bytes[at..at + build.len()] == build).collect();
    for at in places {
        let last = at + build.len() - 1;
        bytes[last] = if bytes[last] == b'0' { b'1' } else { b'0' };
    }
    let error = refused(&bytes);
    assert!(error.contains("this agent is of build ") && error.contains("build both again"), "{error}");
    let (code, error) = run(binade(), Some(&folder.path().join("none.so")));
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("none.so: No such file"), "{error}");
}

/// A filter that chooses nothing is a mistake, which the exit code tells.
#[test]
fn run_filter_without_match_is_an_error() {
    for (option, pattern) in [("--functions", "^nosuch"), ("--only", "libnosuch*")] {
        let done =
            Command::new(binade()).args(["run", "-q", option, pattern, "--", "true"]).output().unwrap();
        let error = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{error}");
        assert!(error.starts_with(&format!("error: {option} '{pattern}' matches no ")), "{error}");
    }
    let done =
        Command::new(binade()).args(["run", "-q", "--only", "libc.so*", "--", "true"]).output().unwrap();
    assert_eq!((done.status.code(), done.stderr), (Some(0), vec![]));
}

/// The command names an unknown value of the variable, and so does the agent in a program that gets one.
#[test]
fn unknown_instruction_set_is_an_error() {
    let done = |isa: &str, words: &[&str]| {
        let done = Command::new(binade()).args(words).env("BINADE_ISA", isa).output().unwrap();
        (done.status.code(), String::from_utf8(done.stderr).unwrap())
    };
    let unknown = "BINADE_ISA: unknown instruction set 'avx9': there are avx512bf16, avx512vbmi, avx512, avx2, portable\n";
    for words in [&["encode", "float8_e4m3fn", "1"][..], &["run", "-q", "--", "true"]] {
        assert_eq!(done("avx9", words), (Some(2), format!("error: {unknown}")), "{words:?}");
        assert_eq!(done("", words), (Some(0), String::new()), "{words:?}");
    }
    let (code, error) = done("", &["run", "-q", "--", "env", "BINADE_ISA=avx9", "true"]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains(&format!("ran natively: {unknown}")), "{error}");
}

/// The share of one instruction is no share.
#[test]
fn mix_of_few_windows_warns() {
    let done = Command::new(binade()).args(["mix", "--", "true"]).output().unwrap();
    let error = String::from_utf8(done.stderr).unwrap();
    if error.contains("the right to trace it") {
        eprintln!("SKIPPED: programs cannot be traced here");
        return;
    }
    assert_eq!(done.status.code(), Some(0), "{error}");
    assert!(error.starts_with("warning: ") && error.contains("too small a sample"), "{error}");
    assert!(error.contains("--interval") && error.contains("--exact"), "{error}");
    let exact = Command::new(binade()).args(["mix", "--exact", "--", "true"]).output().unwrap();
    assert_eq!((exact.status.code(), exact.stderr), (Some(0), vec![]));
}
