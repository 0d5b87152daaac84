//! The functions of a program that executed multiply-adds, and their pieces, as candidates of a search.

use std::collections::{BTreeMap, BTreeSet};

use binade_lab::search::Candidate;
use binade_launch::{Lines, Outcome};
use binade_profile::demangle::demangle;
use binade_profile::record::{FunctionName, GENERATED, ObjectSummary, is_generated};
use binade_profile::rules::{UNNAMED, literal};
use binade_profile::source::{self, Frame, Locate};
use clap::ValueEnum;

/// The size of the pieces that are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(super) enum Size {
    /// Functions
    #[default]
    Function,
    /// Source lines of these functions; instructions where there is no debug information
    Line,
    /// Instructions of these functions
    Instruction,
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The objects in whose functions the operator computed anything: their paths and these functions, with multiply-adds.
type Executed = BTreeMap<String, BTreeMap<FunctionName, u64>>;

/// Functions of generated code without a symbol are one: their addresses change from run to run.
fn stable(object: &ObjectSummary, name: &FunctionName) -> FunctionName {
    match name {
        FunctionName::Place { .. } if object.is_generated() => FunctionName::Place { mapping: 0, offset: 0 },
        name => name.clone(),
    }
}

fn executed(outcome: &Outcome) -> Executed {
    let mut all = Executed::new();
    for object in outcome.processes.iter().flat_map(|summary| &summary.objects) {
        let mut own = BTreeMap::new();
        for (name, &(under, _)) in object.functions.iter().filter(|(_, (under, _))| *under > 0) {
            *own.entry(stable(object, name)).or_insert(0) += under;
        }
        for (name, under) in own {
            let count = all.entry(object.path.clone()).or_default().entry(name).or_default();
            // Processes run the same code.
            *count = under.max(*count);
        }
    }
    all
}

/// The spelling of a function in places: as a pattern, and as it is.
fn spelled(path: &str, name: &FunctionName) -> (String, String) {
    match name {
        FunctionName::Symbol(symbol) => (literal(symbol), symbol.clone()),
        FunctionName::Place { .. } if is_generated(path) => (UNNAMED.to_owned(), UNNAMED.to_owned()),
        FunctionName::Place { offset, .. } => (format!("+{offset:#x}"), format!("+{offset:#x}")),
    }
}

/// A path as a pattern; the mark of generated code stays.
fn path_pattern(path: &str) -> String {
    match path.strip_suffix(GENERATED) {
        Some(path) => literal(path) + GENERATED,
        None => literal(path),
    }
}

/// The place of a rule that fits a function of an object alone.
fn place_of(path: &str, name: &FunctionName) -> String {
    format!("{}:{}", path_pattern(path), spelled(path, name).0)
}

/// The functions that a run under `--why` executed, as candidates, by object.
pub(super) fn functions(outcome: &Outcome) -> Vec<Candidate> {
    let executed = executed(outcome);
    let mut candidates = Vec::new();
    for (path, functions) in &executed {
        let same_name = executed.keys().filter(|other| file_name(other) == file_name(path)).count();
        let object = if same_name > 1 { path } else { file_name(path) };
        for (name, &multiply_adds) in functions {
            let (pattern, symbol) = spelled(path, name);
            candidates.push(Candidate {
                name: format!("{object}:{symbol}"),
                object: path.clone(),
                function: demangle(&symbol).into_owned(),
                part: None,
                pattern: format!("{}:{pattern}", path_pattern(object)),
                places: vec![place_of(path, name)],
                multiply_adds,
            });
        }
    }
    candidates
}

/// The pieces of a function as candidates: its lines, or its instructions. Generated code is one piece.
pub(super) fn pieces(function: &Candidate, by: Size, outcome: &Outcome, lines: &Lines) -> Vec<Candidate> {
    let place = function.places.first().cloned().unwrap_or_default();
    let addresses = addresses(function, outcome.processes.iter().flat_map(|summary| &summary.objects));
    if addresses.is_empty() {
        return vec![function.clone()];
    }
    // The part as it is, and as a pattern.
    let mut all: BTreeMap<(String, String), Vec<u64>> = BTreeMap::new();
    for address in addresses {
        let frames = if by == Size::Line { lines.frames(&function.object, address) } else { vec![] };
        let part = match source::own(&frames) {
            Some(Frame { file, line, .. }) => {
                let file = file_name(file);
                (format!("{file}:{line}"), format!("{}:{line}", literal(file)))
            }
            None => (format!("{address:#x}"), format!("{address:#x}")),
        };
        all.entry(part).or_default().push(address);
    }
    let piece = |((part, pattern), addresses): ((String, String), Vec<u64>)| Candidate {
        name: format!("{}:{part}", function.name),
        pattern: format!("{}:{pattern}", function.pattern),
        part: Some(part),
        places: addresses.iter().map(|address| format!("{place}:{address:#x}")).collect(),
        multiply_adds: addresses.len() as u64,
        ..function.clone()
    };
    let mut all: Vec<((String, String), Vec<u64>)> = all.into_iter().collect();
    all.sort_by_key(|(_, addresses)| addresses.first().copied());
    all.into_iter().map(piece).collect()
}

/// The addresses of a function's multiply-adds under the operator, as the object's file counts them: those that the agent found
/// between the symbol's first address and its last. None in generated code, which moves.
fn addresses<'a>(function: &Candidate, objects: impl Iterator<Item = &'a ObjectSummary>) -> BTreeSet<u64> {
    let mut addresses = BTreeSet::new();
    for object in objects.filter(|object| object.path == function.object && !object.is_generated()) {
        let is_own = |name: &FunctionName| function.places.contains(&place_of(&object.path, name));
        let sites = object.sites.iter().filter(|((name, _), under)| **under && is_own(name));
        addresses.extend(sites.map(|((_, address), _)| *address));
    }
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_those_of_the_function_alone() {
        let symbol = |name: &str| FunctionName::Symbol(name.to_owned());
        let object = ObjectSummary {
            path: "/bin/x".to_owned(),
            sites: [
                ((symbol("dot"), 0x10), true),
                ((symbol("dot"), 0x18), false),
                ((symbol("my:dot"), 0x20), true),
                ((symbol("my_dot"), 0x30), true),
                ((FunctionName::Place { mapping: 0, offset: 0x40 }, 0x44), true),
            ]
            .into(),
            ..ObjectSummary::default()
        };
        let of = |name: FunctionName| {
            let function = Candidate {
                name: format!("x:{}", spelled("/bin/x", &name).1),
                object: "/bin/x".to_owned(),
                function: String::new(),
                part: None,
                places: vec![place_of("/bin/x", &name)],
                pattern: String::new(),
                multiply_adds: 1,
            };
            addresses(&function, [&object].into_iter()).into_iter().collect::<Vec<u64>>()
        };
        assert_eq!(of(symbol("dot")), [0x10]);
        assert_eq!(of(symbol("my:dot")), [0x20]);
        assert_eq!(of(FunctionName::Place { mapping: 0, offset: 0x40 }), [0x44]);
    }
}
