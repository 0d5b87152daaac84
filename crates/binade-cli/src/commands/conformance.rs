//! `binade conformance`: the statements of provided operations that P3109 0.9.1 §4.1 and 4.0 §4.5, §4.6 ask for, made from
//! what the code provides.

pub(crate) mod check;
mod exemplars;
mod query;
mod version_4;

use std::io::Write;
use std::path::PathBuf;

use binade::catalog::{ENTRIES, P3109};
use binade::{AnswerKind, Edition, Operation, Saturation};
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use crate::modes::{EditionName, Mode};
use crate::{Error, Output, Status, examples};

/// Arguments of `binade conformance`.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Check>,
    /// A JSON object of an edition's statement, or of both by their numbers
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// The page docs/conformance.md: both statements under a title
    #[arg(long)]
    markdown: bool,
    /// The statement of conformance to this edition [default: both]
    #[arg(long, value_name = "EDITION", conflicts_with = "markdown")]
    edition: Option<EditionName>,
    /// Tell whether an operation of 4.0 is provided for these formats and modes, such as 'Exp<Binary8p3se, Binary8p4se,
    /// (NearestTiesToEven, SatFinite)>': `yes`, or `no` with the reason and exit code 1. The random bits of a stochastic mode
    /// are in its name or in brackets after it: StochasticA8, StochasticA[8], StochasticA<8>, StochasticA(8)
    #[arg(long, value_name = "OP<…>", conflicts_with_all = ["json", "markdown", "edition"])]
    has: Option<String>,
    /// Write the statement of 4.0 in the form of the working group's exemplars into this folder, five files of YAML
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["json", "markdown", "edition", "has"])]
    exemplars: Option<PathBuf>,
}

/// What is done with other statements.
#[derive(Subcommand, Debug)]
enum Check {
    /// Check an implementer's statement of conformance to 4.0: names, relations, κ
    #[command(after_help = examples::CONFORMANCE_CHECK)]
    Check(check::Arguments),
}

/// A group of P3109 formats under one kind of name.
#[derive(Serialize)]
struct Family {
    edition: &'static str,
    names: String,
    signed: bool,
    infinities: bool,
    widths: (u32, u32),
    /// P from 1 to K minus this.
    precision_below_width_by: u32,
    formats: usize,
}

#[derive(Serialize)]
struct OtherFormat {
    name: &'static str,
    source: &'static str,
}

/// A mode, with its names in the editions.
#[derive(Serialize)]
struct ModeRow {
    name: &'static str,
    #[serde(rename = "0.9.1")]
    interim: Option<&'static str>,
    #[serde(rename = "4.0")]
    v4: Option<&'static str>,
}

#[derive(Serialize)]
struct OperationRow {
    clause: &'static str,
    /// The operation's names in P3109 or IEEE 754.
    operations: Vec<String>,
    name: &'static str,
    operands: usize,
    scale_factors: usize,
    result: &'static str,
}

/// A place where the text of 0.9.1 cannot be followed, or leaves a choice.
#[derive(Serialize)]
struct Note {
    clause: &'static str,
    decision: &'static str,
}

/// Only what decides which results conform; docs/numerics.md has every erratum.
const NOTES: &[Note] = &[
    Note {
        clause: "§4.10.2",
        decision: "The printed expressions of compareGreater and compareGreaterEqual stand in each other's place; \
                   Table 5 (§4.10.6) is followed.",
    },
    Note { clause: "§4.8.3", decision: "±Inf / ±Inf, which has no rule, is NaN." },
    Note {
        clause: "§4.8.4",
        decision: "Log and Log2 of 0 are -Inf, then projected; Log is natural; Exp and Exp2 are 0 at -Inf and +Inf at +Inf.",
    },
    Note {
        clause: "§4.9.1",
        decision: "ScaledFMA of 0 × ±Inf, and of opposite infinities in product and addend, is NaN.",
    },
    Note {
        clause: "§4.7.1",
        decision: "Zero becomes +0 in IEEE 754 formats; NaN the quiet NaN without payload.",
    },
    Note {
        clause: "§4.10.3",
        decision: "isSignMinus(NaN) is true under 0.9.1 and false under 4.0 (names such as binary8p3se, or --edition 4.0).",
    },
    Note { clause: "§3.1", decision: "K = 2 is not provided: it has no finite nonzero value." },
    Note {
        clause: "§4.4",
        decision: "Operations also return status flags (invalid, denormal, overflow, underflow, inexact).",
    },
];

#[derive(Serialize)]
struct Statement {
    implementation: &'static str,
    version: &'static str,
    exact: bool,
    families: Vec<Family>,
    other_formats: Vec<OtherFormat>,
    rounding: Vec<ModeRow>,
    saturation: Vec<ModeRow>,
    scale_factors: (i32, i32),
    operations: Vec<OperationRow>,
    notes: &'static [Note],
}

fn edition_of(member: &P3109) -> EditionName {
    match member.edition {
        Edition::Interim => EditionName::Interim,
        Edition::V4 => EditionName::V4,
    }
}

/// The members of an edition's families, counted by kind.
fn families(edition: Edition) -> Vec<Family> {
    let mut families: Vec<Family> = vec![];
    for member in P3109::all().filter(|member| member.edition == edition) {
        let number = edition_of(&member).number();
        let same = |family: &&mut Family| {
            (family.edition, family.signed, family.infinities) == (number, member.signed, member.extended)
        };
        match families.iter_mut().find(same) {
            Some(family) => family.formats += 1,
            None => families.push(Family {
                edition: number,
                names: member
                    .name()
                    .replace(&format!("binary{}p{}", member.width, member.precision), "binary{K}p{P}"),
                signed: member.signed,
                infinities: member.extended,
                widths: (*P3109::WIDTHS.start(), *P3109::WIDTHS.end()),
                precision_below_width_by: member.width - P3109::max_precision(member.width, member.signed),
                formats: 1,
            }),
        }
    }
    families
}

/// A mode's row: the editions' names are those that mean the same.
fn mode_row<T: Copy + PartialEq + 'static>(
    name: &'static str,
    mode: T,
    names: impl Fn(EditionName) -> &'static [(&'static str, T)],
) -> ModeRow {
    let of = |edition| names(edition).iter().find(|(_, same)| *same == mode).map(|(name, _)| *name);
    ModeRow { name, interim: of(EditionName::Interim), v4: of(EditionName::V4) }
}

/// 0.9.1's spelling of an operation: words joined, predicates starting small.
fn reported_names(operation: Operation, clause: &str) -> Vec<String> {
    if operation == Operation::Convert {
        return ["ConvertToP3109", "ConvertToIEEE754", "ConvertP3109ToP3109"].map(str::to_owned).to_vec();
    }
    let small = operation.kind() != AnswerKind::Code || clause.starts_with("IEEE 754");
    let words = operation.name().split('_').enumerate().map(|(i, word)| match word {
        "fma" => "FMA".to_owned(),
        "nan" => "NaN".to_owned(),
        _ if i == 0 && small => word.to_owned(),
        _ => word[..1].to_ascii_uppercase() + &word[1..],
    });
    vec![words.collect()]
}

/// What a result is, in a word.
fn result_text(operation: Operation) -> &'static str {
    match operation.kind() {
        AnswerKind::Code => "projected",
        AnswerKind::Bool => "Boolean",
        AnswerKind::Class => "class",
    }
}

fn write_families(families: &[Family], out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "| edition | formats | K | P | signed | infinities | how many |")?;
    writeln!(out, "|---|---|---|---|---|---|---|")?;
    let yes_no = |yes| if yes { "yes" } else { "no" };
    for Family { edition, names, signed, infinities, widths, precision_below_width_by, formats } in families {
        let most = match precision_below_width_by {
            0 => "K".to_owned(),
            less => format!("K − {less}"),
        };
        writeln!(
            out,
            "| {edition} | `{names}` | {} to {} | 1 to {most} | {} | {} | {formats} |",
            widths.0,
            widths.1,
            yes_no(*signed),
            yes_no(*infinities)
        )?;
    }
    Ok(())
}

impl Statement {
    fn new() -> Statement {
        Statement {
            implementation: "binade",
            version: env!("CARGO_PKG_VERSION"),
            exact: true,
            families: families(Edition::Interim),
            other_formats: ENTRIES
                .iter()
                .map(|entry| OtherFormat { name: entry.name, source: entry.source })
                .collect(),
            // `stochastic` is a second name of the mode that follows it.
            rounding: Mode::all()
                .filter(|(name, mode)| *name == mode.name())
                .map(|(name, mode)| mode_row(name, mode, EditionName::rounding))
                .collect(),
            saturation: Saturation::ALL
                .into_iter()
                .map(|mode| mode_row(mode.name(), mode, EditionName::saturation))
                .collect(),
            scale_factors: (i32::MIN, i32::MAX),
            operations: Operation::ALL
                .into_iter()
                .filter_map(|operation| {
                    let clause = operation.clause()?;
                    Some(OperationRow {
                        clause,
                        operations: reported_names(operation, clause),
                        name: operation.name(),
                        operands: operation.arity(),
                        scale_factors: operation.scales(),
                        result: result_text(operation),
                    })
                })
                .collect(),
            notes: NOTES,
        }
    }

    fn markdown(&self, out: &mut impl Write) -> std::io::Result<()> {
        let editions: Vec<_> = EditionName::value_variants().iter().map(|edition| edition.number()).collect();
        writeln!(
            out,
            "## Interim report 0.9.1\n\nbinade {} conforms to the IEEE P3109 interim report 0.9.1 and provides the operation variants below (§4.1). \
             Every result is the defined one for all inputs: nothing is approximate (α = 0). Names in the columns {} \
             are those of the report's editions.\n",
            self.version,
            editions.join(" and ")
        )?;
        writeln!(out, "### Formats\n")?;
        write_families(&self.families, out)?;
        writeln!(
            out,
            "\nφ, the IEEE 754 formats of mixed operations and conversions, and further formats that take their place:\n"
        )?;
        for OtherFormat { name, source } in &self.other_formats {
            writeln!(out, "- `{name}` ({source})")?;
        }
        writeln!(
            out,
            "\nEach operand and the result may be in any of these formats, and in any custom format, independently of the others.\n"
        )?;
        writeln!(out, "### Projections\n\nEvery pair of a rounding mode and a saturation mode.\n")?;
        for (title, rows) in [("rounding", &self.rounding), ("saturation", &self.saturation)] {
            writeln!(out, "| {title} | {} |", editions.join(" | "))?;
            writeln!(out, "|---|---|---|")?;
            for ModeRow { name, interim, v4 } in rows {
                writeln!(out, "| `{name}` | {} | {} |", interim.unwrap_or("-"), v4.unwrap_or("-"))?;
            }
            writeln!(out)?;
        }
        writeln!(
            out,
            "Stochastic modes take N = 1 to {} random bits, from a seed or given.\n",
            crate::modes::RANDOM_BITS
        )?;
        writeln!(
            out,
            "### Operations\n\nScale factors are integers from {} to {}.\n",
            self.scale_factors.0, self.scale_factors.1
        )?;
        writeln!(out, "| clause | operation | name here | operands | scale factors | result |")?;
        writeln!(out, "|---|---|---|---|---|---|")?;
        for OperationRow { clause, operations, name, operands, scale_factors, result } in &self.operations {
            writeln!(
                out,
                "| {clause} | {} | `{name}` | {operands} | {scale_factors} | {result} |",
                operations.join(", ")
            )?;
        }
        writeln!(out, "\n### Where the text leaves or needs a decision\n")?;
        for Note { clause, decision } in self.notes {
            writeln!(out, "- {clause}: {decision}")?;
        }
        Ok(())
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        if let Some(Check::Check(arguments)) = self.command {
            return arguments.run(out);
        }
        if let Some(text) = &self.has {
            return query::answer(text, out);
        }
        if let Some(folder) = &self.exemplars {
            return exemplars::write(folder, out);
        }
        let asked = |edition| self.edition.is_none_or(|asked| asked == edition);
        let interim = asked(EditionName::Interim).then(Statement::new);
        let version_4 = asked(EditionName::V4).then(version_4::Statement::new);
        if self.json {
            match (&interim, &version_4) {
                (Some(interim), Some(version_4)) => crate::json::to_writer_pretty(
                    &mut *out,
                    &serde_json::json!({ "0.9.1": interim, "4.0": version_4 }),
                )?,
                (Some(interim), None) => crate::json::to_writer_pretty(&mut *out, interim)?,
                (None, version_4) => crate::json::to_writer_pretty(&mut *out, version_4)?,
            }
            writeln!(out)?;
            return Ok(Status::Done);
        }
        if self.markdown {
            writeln!(
                out,
                "<!-- Made by `binade conformance --markdown`; `cargo xtask test` checks that it is current. -->\n"
            )?;
            writeln!(out, "# Statements of conformance to P3109\n")?;
        }
        if let Some(version_4) = &version_4 {
            version_4.markdown(out)?;
        }
        if version_4.is_some() && interim.is_some() {
            writeln!(out)?;
        }
        if let Some(interim) = &interim {
            interim.markdown(out)?;
        }
        Ok(Status::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_report() {
        let name = |operation: &str| {
            let operation = Operation::from_name(operation).unwrap();
            reported_names(operation, operation.clause().unwrap()).join(" ")
        };
        for (ours, reported) in [
            ("copy_sign", "CopySign"),
            ("scaled_fma", "ScaledFMA"),
            ("is_nan", "isNaN"),
            ("compare_less_unordered", "compareLessUnordered"),
            ("total_order", "totalOrder"),
            ("next_up", "nextUp"),
            ("exp2", "Exp2"),
        ] {
            assert_eq!(name(ours), reported);
        }
    }

    #[test]
    fn every_name_of_an_edition_is_stated() {
        let statement = Statement::new();
        for edition in EditionName::value_variants() {
            let of = |row: &ModeRow| match edition {
                EditionName::Interim => row.interim,
                EditionName::V4 => row.v4,
            };
            for (name, _) in edition.rounding() {
                assert!(statement.rounding.iter().any(|row| of(row) == Some(*name)), "{name}");
            }
            for (name, _) in edition.saturation() {
                assert!(statement.saturation.iter().any(|row| of(row) == Some(*name)), "{name}");
            }
        }
        assert_eq!(
            [Edition::Interim, Edition::V4]
                .into_iter()
                .flat_map(families)
                .map(|family| family.formats)
                .sum::<usize>(),
            P3109::all().count()
        );
    }
}
