//! The statement of conformance to the interim report 0.9.1 (§4.1).

use std::io::{self, Write};

use binade::catalog::ENTRIES;
use binade::{AnswerKind, Edition, Operation, Saturation};
use serde::Serialize;

use super::{Family, Note, families, result_text, write_families};
use crate::modes::{self, Mode, RANDOM_BITS};

/// The editions, in the order of the columns of a table.
const EDITIONS: [Edition; 2] = [Edition::Interim, Edition::V4];

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

/// The decisions on which conforming results depend. docs/numerics.md has every erratum.
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

/// The statement of 0.9.1, as `binade conformance --json` prints it.
#[derive(Serialize)]
pub struct Statement {
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

/// A mode's row: of each edition, the name with this meaning.
fn mode_row<T: Copy + PartialEq + 'static>(
    name: &'static str,
    mode: T,
    names: impl Fn(Edition) -> &'static [(&'static str, T)],
) -> ModeRow {
    let of = |edition| names(edition).iter().find(|(_, same)| *same == mode).map(|(name, _)| *name);
    ModeRow { name, interim: of(Edition::Interim), v4: of(Edition::V4) }
}

/// 0.9.1's spelling of an operation: words joined, predicates with a small first letter.
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

impl Statement {
    /// The statement, from the tables of the crate `binade`.
    #[expect(clippy::new_without_default, reason = "a statement is derived, not a default")]
    pub fn new() -> Statement {
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
                .map(|(name, mode)| mode_row(name, mode, modes::rounding_names))
                .collect(),
            saturation: Saturation::ALL
                .into_iter()
                .map(|mode| mode_row(mode.name(), mode, modes::saturation_names))
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

    /// Writes the statement as Markdown, from the second level of headings on.
    ///
    /// # Errors
    /// Output that fails.
    pub fn markdown(&self, out: &mut impl Write) -> io::Result<()> {
        let editions = EDITIONS.map(modes::edition_number);
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
        writeln!(out, "Stochastic modes take N = 1 to {} random bits, from a seed or given.\n", RANDOM_BITS)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operation_names_are_spelled_as_in_the_report() {
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
    fn statement_has_every_mode_name_of_each_edition() {
        let statement = Statement::new();
        for edition in EDITIONS {
            let of = |row: &ModeRow| match edition {
                Edition::Interim => row.interim,
                Edition::V4 => row.v4,
            };
            for (name, _) in modes::rounding_names(edition) {
                assert!(statement.rounding.iter().any(|row| of(row) == Some(*name)), "{name}");
            }
            for (name, _) in modes::saturation_names(edition) {
                assert!(statement.saturation.iter().any(|row| of(row) == Some(*name)), "{name}");
            }
        }
    }
}
