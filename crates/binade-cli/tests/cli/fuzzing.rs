//! Runs the fuzz targets on their seeds, and on fixed mutations of them.

#[path = "../../../../fuzz/src/lib.rs"]
mod bodies;

use std::fs;
use std::ops::Range;
use std::path::Path;

/// Mutations of each seed.
const MUTATIONS: u64 = 400;

/// Numbers of one mutation, drawn one after the other.
struct Draws {
    seed: u64,
    index: u64,
}

impl Draws {
    fn below(&mut self, end: usize) -> usize {
        self.index += 1;
        binade::philox::word(self.seed, self.index) as usize % end.max(1)
    }

    /// Part of something of this length.
    fn range(&mut self, len: usize) -> Range<usize> {
        let start = self.below(len + 1);
        start..start + self.below((len - start).min(16) + 1)
    }
}

/// A seed with one to four of its places changed: a bit flipped, a part left out, repeated, or taken from another seed.
fn mutate(seeds: &[Vec<u8>], of: usize, draws: &mut Draws) -> Vec<u8> {
    let mut bytes = seeds[of].clone();
    for _ in 0..=draws.below(4) {
        let place = draws.below(bytes.len());
        let other = &seeds[draws.below(seeds.len())];
        match draws.below(4) {
            0 if !bytes.is_empty() => bytes[place] ^= 1 << draws.below(8),
            1 => drop(bytes.drain(draws.range(bytes.len()))),
            2 => {
                let part = bytes[draws.range(bytes.len())].to_vec();
                bytes.splice(place..place, part);
            }
            _ => {
                let part = other[draws.range(other.len())].to_vec();
                bytes.splice(place..place, part);
            }
        }
    }
    bytes
}

fn check(target: &str, body: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let seeds: Vec<_> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(!seeds.is_empty());
    for (index, seed) in seeds.iter().enumerate() {
        body(seed);
        for mutation in 0..MUTATIONS {
            let mut draws = Draws { seed: mutation, index: (index as u64) << 32 };
            body(&mutate(&seeds, index, &mut draws));
        }
    }
}

#[test]
fn any_batch_line_is_answered() {
    check("batch_line", bodies::batch_line);
}

#[test]
fn any_format_name_is_refused_or_equals_its_canonical_one() {
    check("format_name", |bytes| {
        if let Ok(name) = str::from_utf8(bytes) {
            bodies::format_name(name);
        }
    });
}

#[test]
fn any_bytecode_is_refused_or_becomes_text() {
    check("hlo_bytecode", bodies::hlo_bytecode);
}

#[test]
fn any_program_is_refused_with_a_place_or_read() {
    check("hlo_parse", bodies::hlo_parse);
}

#[test]
fn any_program_runs_in_bounded_memory_and_steps() {
    check("hlo_run", bodies::hlo_run);
}

#[test]
fn any_npy_file_is_refused_or_read_alike_in_chunks() {
    check("npy", bodies::npy);
}

#[test]
fn any_safetensors_file_is_refused_or_read_alike_in_chunks() {
    check("safetensors", bodies::safetensors);
}
