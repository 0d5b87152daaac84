//! binade's own statement in the form of the working group's exemplars (§4.6), made from its tables: what
//! `binade conformance check` reads.

use std::fmt::Write;
use std::path::Path;

use super::check::{NamedOperation, operations};
use super::families;
use crate::modes::{EditionName, Mode, RANDOM_BITS};
use crate::report_file::ReportFile;
use crate::{Error, Output, Status};

/// The external formats.
const EXTERNAL: &str = "[binary16, BFloat16, binary32, binary64]";

/// Writes the files into a folder.
pub(super) fn write(folder: &Path, out: &mut Output) -> Result<Status, Error> {
    std::fs::create_dir_all(folder).map_err(|source| Error::File { path: folder.to_owned(), source })?;
    let files = [
        ("StandardOperations.yaml", standard_operations()),
        ("Configurations.yaml", configurations()),
        ("Profiles.yaml", profiles()),
        (
            "Constraints.yaml",
            empty("no operation is constrained: any formats go together, under every projection"),
        ),
        ("Kappas.yaml", empty("nothing is approximate")),
    ];
    let paths: Vec<_> = files.iter().map(|(name, _)| folder.join(name)).collect();
    // All or none.
    let begun =
        paths.iter().map(|path| ReportFile::create(path, false)).collect::<Result<Vec<_>, Error>>()?;
    for (file, (_, text)) in begun.into_iter().zip(&files) {
        file.write(text.as_bytes())?;
    }
    for path in paths {
        std::io::Write::write_fmt(out, format_args!("{}\n", path.display()))?;
    }
    Ok(Status::Done)
}

fn head() -> String {
    format!(
        "---\nMetadata:\n  conformance: IEEE SA P3109\n  version: \"4.0\"\n  implementation:\n    name: binade\n    version: \"{}\"\n",
        env!("CARGO_PKG_VERSION")
    )
}

fn empty(why: &str) -> String {
    format!("# {why}\n{}Empty: true\n", head())
}

/// The heading of a clause.
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
    for (name, _) in EditionName::V4.rounding() {
        add(("Projection", "rounding"), (*name).to_owned());
    }
    for (name, _) in EditionName::V4.saturation() {
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
    for (name, mode) in EditionName::V4.rounding() {
        let _ = match mode {
            Mode::Fixed(_) => writeln!(text, "      - {name}"),
            Mode::Stochastic(_) => {
                writeln!(text, "      - {name}:\n          - bits: (' \"$(i)\" for i in 1:{RANDOM_BITS} ')")
            }
        };
    }
    text.push_str("    Saturation:\n");
    for (name, _) in EditionName::V4.saturation() {
        let _ = writeln!(text, "      - {name}");
    }
    text.push_str("  BlockSizes:\n    supported: (' \"$(i)\" for i in 1:4096 ')\n");
    text
}

/// All formats of 4.0, a pattern for each K and kind.
fn profiles() -> String {
    let mut text = head();
    text.push_str("binade:\n  formats:\n");
    for family in families(binade::Edition::V4) {
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
