//! Typical mistakes at the command line: the message says what is wrong, where, and what would be right. No subcommand panics.

use std::fs;

use crate::{good, run_in};

#[test]
fn wrong_numbers_have_plain_reasons() {
    for (arguments, wanted) in [
        (
            &["matmul", "a.npy", "b.npy", "--arith", "bf16:f32", "-o", "y.npy", "--threads", "-1"][..],
            "invalid value '-1' for '--threads <N>': must be from 1 to 1024\n",
        ),
        (
            &["matmul", "a.npy", "b.npy", "--arith", "bf16:f32", "-o", "y.npy", "--seed", "-1"],
            "invalid value '-1' for '--seed <S>': must not be negative\n",
        ),
        (
            &["encode", "bf16", "1", "--seed", "-3"],
            "invalid value '-3' for '--seed <S>': must not be negative\n",
        ),
        (
            &["study", "representation", "--exponent", "one"],
            "invalid value 'one' for '--exponent <E>': must be a whole number\n",
        ),
        (
            &["vectors", "add", "--in", "bf16", "--out", "bf16", "--count", "-1"],
            "invalid value '-1' for '--count <N>': ",
        ),
        (&["decode", "float8_e4m3fn", "-1"], "'-1' is not a code: write 0x3c"),
        (&["study", "cost", "-3"], "invalid value '-3' for '[OPERATOR]...': '-3' is not an operator"),
    ] {
        let done = run_in(".".as_ref(), arguments, "");
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(done.err.starts_with(&format!("error: {wanted}")), "{arguments:?}: {}", done.err);
    }
    // Negative values of `encode` are values.
    assert_eq!(good(&["encode", "bf16", "-1", "-0x1p-3", "-inf", "--explain"]).lines().count(), 3);
}

#[test]
fn wrong_paths_are_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("folder")).unwrap();
    fs::write(folder.join("empty.npy"), "").unwrap();
    for (arguments, wanted) in [
        (
            &["study", "cost", "--plot", "none/cost.svg"][..],
            "error: none/cost.svg: cannot write: the folder none does not exist\n",
        ),
        (
            &["study", "cost", "--plot", "empty.npy/cost.svg"],
            "error: empty.npy/cost.svg: cannot write: empty.npy is not a folder\n",
        ),
        (&["study", "cost", "--plot", "folder"], "error: folder: is a folder: name a file\n"),
        (&["study", "cost", "--plot", "folder", "--force"], "error: folder: is a folder: name a file\n"),
        (
            &["show", "h10"],
            "error: invalid value 'h10' for '<FORMAT|UNIT|RECIPE|FILE.toml>': unknown name 'h10': did you mean h100? \
             `binade formats`, `binade units` and `binade recipes` list the names\n",
        ),
        (
            &["dequantize", "empty.npy", "out.safetensors"],
            "error: empty.npy: byte 0: the file ends within the magic string: 6 bytes needed, 0 present\n",
        ),
    ] {
        let done = run_in(folder, arguments, "");
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(done.err.starts_with(wanted), "{arguments:?}: {}", done.err);
    }
}

#[cfg(feature = "train")]
#[test]
fn wrong_programs_and_models_are_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("folder")).unwrap();
    fs::write(folder.join("file.npy"), b"\x93NUMPY").unwrap();
    fs::write(folder.join("empty.mlir"), "").unwrap();
    for (arguments, wanted) in [
        (
            &["train", "mlp", "--steps", "-3"][..],
            "error: invalid value '-3' for '--steps <N>': must not be negative\n",
        ),
        (
            &["train", "file.npy", "--steps", "3"],
            "error: file.npy: not a model: model.json is missing; a model's folder has ",
        ),
        (&["train", "mlp", "--steps", "3", "--log", "folder"], "error: folder: is a folder: name a file\n"),
        (&["join", "file.npy"], "error: file.npy: no sweep here: sweep.json is missing"),
        (
            &["study", "performance", "nosuch"],
            "error: 'nosuch' is neither a StableHLO file nor a model: unknown model 'nosuch': must be one of mlp, ",
        ),
        (
            &["study", "performance", "nosuch.mlir"],
            "error: 'nosuch.mlir' is neither a StableHLO file nor a model: nosuch.mlir: not a model: model.json is missing",
        ),
        (
            &["hlo", "run", "empty.mlir"],
            "error: empty.mlir: unknown function '@main': the program has no functions\n",
        ),
        (
            &["hlo", "run", "file.npy"],
            "error: file.npy:1:1: the text is not UTF-8: must be StableHLO text, or MLIR bytecode\n",
        ),
    ] {
        let done = run_in(folder, arguments, "");
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(done.err.starts_with(wanted), "{arguments:?}: {}", done.err);
    }
}
