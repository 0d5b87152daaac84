//! Bytecode: the same programs as their texts, and what is refused.

use std::path::{Path, PathBuf};

use binade_stablehlo::Program;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/bytecode")
}

/// The files with an extension, and what they hold.
fn files(extension: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .map(|path| (path.clone(), std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

/// A program without where its parts stand in a text, which depends on how it is spelt.
fn plain(program: &Program) -> String {
    let shown = format!("{program:#?}");
    let mut lines = vec![];
    let mut skip = 0;
    for line in shown.lines() {
        if skip == 0 && line.trim_start().starts_with("position: (") {
            skip = 4;
        }
        if skip > 0 {
            skip -= 1;
            continue;
        }
        lines.push(line);
    }
    // A table without an order.
    let names = lines.iter().position(|line| line.starts_with("    names: {")).unwrap();
    lines[..names].join("\n")
}

fn read(path: &Path, bytes: &[u8]) -> Program {
    Program::from_bytes(bytes).unwrap_or_else(|error| {
        let text = binade_stablehlo::text(bytes).map_or(String::new(), |text| text.into_owned());
        panic!("{}: {error}\n{text}", path.display())
    })
}

/// The text that a file's program has: the part of its name before a dash.
fn text_of(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap().to_str().unwrap();
    folder().join(stem.split('-').next().unwrap()).with_extension("mlir")
}

#[test]
fn bytecode_and_text_are_the_same_program() {
    let files = [files("mlirbc"), files("jax_export")].concat();
    assert!(files.len() >= 28, "{}", files.len());
    for (path, bytes) in files {
        let text = text_of(&path);
        let expected = read(&text, &std::fs::read(&text).unwrap());
        let found = read(&path, &bytes);
        let (expected, found) = (plain(&expected), plain(&found));
        let (expected, found) = (expected.lines().collect::<Vec<_>>(), found.lines().collect::<Vec<_>>());
        let at = expected.iter().zip(&found).position(|(a, b)| a != b);
        let around = at.map(|at| (&expected[at.saturating_sub(12)..=at], &found[at]));
        assert!(expected == found, "{}: {around:#?}", path.display());
        assert!(expected.len() > 100);
    }
}

/// Bytecode prints as text of the same program.
#[test]
fn printed_text_is_read_again() {
    for (path, bytes) in files("mlirbc") {
        let text = binade_stablehlo::text(&bytes).unwrap();
        assert!(matches!(binade_stablehlo::text(text.as_bytes()), Ok(std::borrow::Cow::Borrowed(_))));
        let again = Program::parse(&text).unwrap();
        assert_eq!(plain(&again), plain(&read(&path, &bytes)), "{}", path.display());
    }
}

/// MLIR reads each property in one spelling, and other attributes outside of the properties (`peers/check_jax.py` has it read these).
#[test]
fn printed_text_has_properties_as_mlir_spells_them() {
    for (file, spelt) in [
        ("properties", "use_global_device_ids,"),
        ("properties-plain", "use_global_device_ids}>"),
        ("properties", "mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}>"),
        ("properties", "version = 3 : i32}>"),
        (
            "properties",
            "<{precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]}>",
        ),
        ("properties", "operand_layouts = [dense<[1, 0]> : tensor<2xindex>], result_layouts = []}>"),
        ("properties", "}> {mhlo.sharding = \"{replicated}\"} : "),
        ("properties", "<{dimensions = array<i64: 0>}> {test.note = dense<[1, 2]> : tensor<2xi64>} : "),
        ("properties-plain", "<{dimensions = array<i64: 0>}> {test.note = dense<[1, 2]> : tensor<2xi64>} : "),
        ("properties-plain", "dense<true> : tensor<3x0xi1>"),
        ("properties-plain", "dense<\"0x010001010000010101000000000001000100\"> : tensor<2x9xi1>"),
        ("chlo-plain", "comparison_direction = #chlo<comparison_direction LT>"),
        ("chlo-plain", "operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}>"),
        ("narrow-plain", "lhs_precision_type = tf32, rhs_precision_type = tf32"),
    ] {
        let text = std::fs::read(folder().join(file).with_extension("mlirbc")).unwrap();
        let text = binade_stablehlo::text(&text).unwrap();
        assert!(text.contains(spelt), "{spelt}\n{text}");
    }
}

/// Scopes of JAX are in the locations.
#[test]
fn scopes_survive() {
    let program = read(&folder(), &std::fs::read(folder().join("mlp.mlirbc")).unwrap());
    let scopes: Vec<_> =
        program.functions[0].body.operations.iter().map(|operation| &*operation.scope).collect();
    assert!(scopes.iter().any(|scope| scope.contains("layer")), "{scopes:?}");
}

/// Files cut short, and with a bit turned: an answer, and no panic. Small ones at every byte, others here and there.
#[test]
fn broken_files_are_refused_or_read() {
    for (_, bytes) in [files("mlirbc"), files("jax_export")].concat() {
        let step = if bytes.len() < 1000 { 1 } else { 7 };
        for end in (0..bytes.len()).step_by(step) {
            let _ = Program::from_bytes(&bytes[..end]);
        }
        let mut broken = bytes.clone();
        for at in (0..bytes.len()).step_by(step) {
            let bit = at * 5 % 8;
            broken[at] ^= 1 << bit;
            let _ = Program::from_bytes(&broken);
            broken[at] = bytes[at];
        }
    }
}

#[test]
fn errors_name_the_byte() {
    let refused = |bytes: &[u8]| Program::from_bytes(bytes).unwrap_err().problem.to_string();
    assert_eq!(refused(b"ML\xefR"), "bytecode, byte 4: 1 bytes are needed, and 0 are left");
    assert_eq!(refused(b"ML\xefR\x0fx\0"), "bytecode, byte 5: version 7, where 6 is the newest that is read");
    let bytes = std::fs::read(folder().join("loop.mlirbc")).unwrap();
    let error = refused(&bytes[..bytes.len() - 1]);
    assert!(error.starts_with("bytecode, byte ") && error.contains("are left"), "{error}");
}
