//! Properties that hold for any bytes. Each function is the body of a fuzz target, and panics if its property fails.
//!
//! The command's tests have this file as a module and run it on the seeds and on mutations of them.
#![allow(missing_docs, unreachable_pub)]

use binade::{NanCodes, Projection, Spec, Value, decode, is_canonical, project};
use binade_cli::batch::Evaluator;
use binade_files::{Error, npy as npy_file, safetensors as safetensors_file};
use binade_hlo::eval::Options;
use binade_hlo::{Program, check};

/// A batch line is answered with one line, and the answer does not depend on the lines before it.
pub fn batch_line(data: &[u8]) {
    let mut evaluator = Evaluator::default();
    for (index, line) in data.split(|&byte| byte == b'\n').enumerate() {
        let (mut after_others, mut alone) = (vec![], vec![]);
        let good = evaluator.line(line, index as u64, &mut after_others);
        assert_eq!(good, Evaluator::default().line(line, index as u64, &mut alone));
        assert_eq!(after_others, alone);
        assert!(!alone.is_empty() && !alone.contains(&b'\n'));
        assert_eq!(good, !alone.starts_with(b"error: "));
    }
}

/// A format name is refused, or its canonical spelling means the same and its codes survive decoding and encoding.
pub fn format_name(name: &str) {
    for piece in Spec::split_list(name) {
        let _ = piece.parse::<Spec>();
    }
    let spec = match name.parse::<Spec>() {
        Ok(spec) => spec,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let again: Spec = spec.name().parse().expect("a canonical name is a name");
    assert_eq!(spec, again);
    let format = spec.format;
    let ends = [0, 1, format.max_finite_code(), format.min_normal_code(), format.last_code()];
    for code in ends.into_iter().flat_map(|code| [code, code ^ format.sign_bit()]) {
        let value = decode(format, code);
        let rounded = project(format, value, Projection::default()).code;
        match value {
            Value::Nan { .. } => assert_ne!(format.nan(), NanCodes::None),
            _ if is_canonical(format, code) => assert_eq!(rounded, code, "{spec}"),
            _ => assert_eq!(decode(format, rounded), value, "{spec}"),
        }
    }
}

/// Bytecode is refused with a byte, or becomes text, which is a program or is refused with a place within it.
pub fn hlo_bytecode(data: &[u8]) {
    let bytecode = [b"ML\xefR", data.strip_prefix(b"ML\xefR").unwrap_or(data)].concat();
    if let Ok(text) = binade_hlo::text(&bytecode)
        && let Err(error) = Program::parse(&text)
    {
        assert!(error.line >= 1 && error.column >= 1);
        assert!(!error.to_string().is_empty());
    }
}

/// A StableHLO text is refused with a place within it, or becomes programs.
pub fn hlo_parse(data: &[u8]) {
    for program in Program::parse_all(data) {
        if let Err(error) = program {
            assert!(error.line >= 1 && error.column >= 1);
            assert!(error.excerpt.chars().count() <= 130);
            assert!(!error.to_string().is_empty());
        }
    }
}

/// A StableHLO program that is accepted runs in bounded memory and steps, to its end or to an error.
pub fn hlo_run(data: &[u8]) {
    let options =
        Options { memory_limit: 1 << 20, step_limit: Some(10_000), threads: Some(1), ..Options::default() };
    for program in Program::parse_all(data).into_iter().flatten() {
        // Collectives wait for other processes; programs of one have none to wait for.
        check::check(&program, options.clone(), |outcome| {
            if let Err(error) = outcome.result {
                assert!(!error.to_string().is_empty());
            }
        })
        .expect("one thread can be had");
    }
}

/// An npy file is refused, or reads the same in one piece and in chunks.
pub fn npy(data: &[u8]) {
    let header = npy_file::parse_header(data);
    let reader = match npy_file::Reader::from_bytes(data) {
        Ok(reader) => reader,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let header = header.expect("what the reader accepts has a header");
    let tensor = reader.tensor();
    assert_eq!(tensor.shape(), header.shape);
    assert_eq!(header.data_start + header.byte_len + reader.trailing_bytes(), data.len() as u64);
    let whole = tensor.read_all().expect("the data are in memory");
    let mut chunks = vec![];
    tensor
        .visit_bytes(24, |offset, bytes| {
            assert_eq!(offset, chunks.len() as u64);
            chunks.extend_from_slice(bytes);
            Ok::<(), Error>(())
        })
        .expect("the data are in memory");
    assert_eq!(whole, chunks);
}

/// A safetensors file is refused, or its tensors lie side by side and read the same in one piece and in chunks.
pub fn safetensors(data: &[u8]) {
    let _ = safetensors_file::parse_header(data);
    let reader = match safetensors_file::Reader::from_bytes(data) {
        Ok(reader) => reader,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let mut total = 0;
    for tensor in reader.tensors() {
        let whole = tensor.read_all().expect("the data are in memory");
        assert_eq!(whole.len() as u64, tensor.byte_len());
        total += whole.len();
        assert!(reader.get(tensor.name()).is_some());
        let mut chunks = vec![];
        tensor
            .visit_bytes(24, |_, bytes| {
                chunks.extend_from_slice(bytes);
                Ok::<(), Error>(())
            })
            .expect("the data are in memory");
        assert_eq!(whole, chunks);
    }
    assert!(total <= data.len());
}
