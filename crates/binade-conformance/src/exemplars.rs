//! binade's statement of 4.0 in the YAML of the working group's exemplars (§4.6), which [`check`](crate::check) reads.

use std::fmt::Write;

use binade::Edition;

use crate::modes::{Mode, RANDOM_BITS, rounding_names, saturation_names};
use crate::names::{NamedOperation, operations};
use crate::statement::families;

/// The external formats.
const EXTERNAL: &str = "[binary16, BFloat16, binary32, binary64]";

/// The files of the statement: names and contents.
pub fn files() -> [(&'static str, String); 5] {
    [
        ("StandardOperations.yaml", standard_operations()),
        ("Configurations.yaml", configurations()),
        ("Profiles.yaml", profiles()),
        (
            "Constraints.yaml",
            empty("no operation is constrained: any formats go together, under every projection"),
        ),
        ("Kappas.yaml", empty("nothing is approximate")),
    ]
}

fn head() -> String {
    format!(
        "---\nMetadata:\n  conformance: IEEE SA P3109\n  version: \"4.0\"\n  implementation:\n    name: binade\n    version: \"{}\"\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// A file without entries, with the reason.
fn empty(why: &str) -> String {
    format!("# {why}\n{}Empty: true\n", head())
}

/// The heading and the group under which exemplars list the operations of a clause.
fn heading(clause: &str) -> (&'static str, &'static str) {
    let number = clause.trim_start_matches('§');
    let of = |chapter: &str| number == chapter || number.starts_with(&format!("{chapter}."));
    match () {
        () if of("4.9") => ("Conversion", "P3109"),
        () if of("4.10") => ("Math", "operations"),
        () if of("4.11") => ("Extrema", "operations"),
        () if of("4.12") => ("Comparison", "operations"),
        () if of("4.13") => ("Classification", "operations"),
        () if of("4.14") => ("Format", "queries"),
        () if of("4.16") => ("Format", "value"),
        () if of("4.15") => ("Projection", "reflection"),
        () => ("Block", "operations"),
    }
}

fn standard_operations() -> String {
    let mut groups: Vec<((&str, &str), Vec<String>)> = vec![];
    let mut add = |place: (&'static str, &'static str), name: String| match groups
        .iter_mut()
        .find(|(known, _)| *known == place)
    {
        Some((_, names)) => names.push(name),
        None => groups.push((place, vec![name])),
    };
    for (name, named) in operations() {
        let clause = match named {
            NamedOperation::Operation(operation) => operation.in_4().map_or("", |(_, clause)| clause),
            NamedOperation::Query(query) => query.in_4().1,
            NamedOperation::Block => "§5",
        };
        add(heading(clause), name);
    }
    for (name, _) in rounding_names(Edition::V4) {
        add(("Projection", "rounding"), (*name).to_owned());
    }
    for (name, _) in saturation_names(Edition::V4) {
        add(("Projection", "saturation"), (*name).to_owned());
    }
    let mut headings: Vec<&str> = vec![];
    groups.iter().for_each(|((heading, _), _)| {
        if !headings.contains(heading) {
            headings.push(heading);
        }
    });
    let mut text = head();
    for heading in headings {
        // Writing to a String does not fail.
        let _ = writeln!(text, "{heading}:");
        for ((_, group), names) in groups.iter().filter(|((known, _), _)| *known == heading) {
            let _ = writeln!(text, "  {group}:");
            for name in names {
                let _ = writeln!(text, "    - {name}");
            }
        }
    }
    text
}

fn configurations() -> String {
    let mut text = head();
    // Writing to a String does not fail.
    let _ = write!(text, "binade:\n  IEEE754: {EXTERNAL}\n  Projections:\n    Rounding:\n");
    for (name, mode) in rounding_names(Edition::V4) {
        let _ = match mode {
            Mode::Fixed(_) => writeln!(text, "      - {name}"),
            Mode::Stochastic(_) => {
                writeln!(text, "      - {name}:\n          - bits: (' \"$(i)\" for i in 1:{RANDOM_BITS} ')")
            }
        };
    }
    text.push_str("    Saturation:\n");
    for (name, _) in saturation_names(Edition::V4) {
        let _ = writeln!(text, "      - {name}");
    }
    text.push_str("  BlockSizes:\n    supported: (' \"$(i)\" for i in 1:4096 ')\n");
    text
}

/// All formats of 4.0, a pattern for each K and kind.
fn profiles() -> String {
    let mut text = head();
    text.push_str("binade:\n  formats:\n");
    for family in families(Edition::V4) {
        let sign = if family.signed { 's' } else { 'u' };
        let domain = if family.infinities { 'e' } else { 'f' };
        for width in family.widths.0..=family.widths.1 {
            let last = width - family.precision_below_width_by;
            let _ = writeln!(text, "    - (' \"Binary{width}p$(i){sign}{domain}\" for i in 1:{last} ')");
        }
    }
    let _ = writeln!(text, "    - {EXTERNAL}");
    text
}
