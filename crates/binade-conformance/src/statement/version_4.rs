//! The statement of conformance to 4.0, with the operations that §4.5 makes mandatory.

use std::io::{self, Write};

use binade::ops::Query;
use binade::{Edition, Operation};
use serde::Serialize;

use super::{Family, Note, families, result_text, write_families};
use crate::modes::{RANDOM_BITS, rounding_names, saturation_names};

/// Operations with the sets of formats for which §4.5 demands them: `f` in F4 ∪ F8, `x` in F4 ∪ F8 ∪ FX, `w` in F8 ∪ FX, `e` in FX, `s` in
/// {Binary8p1uf}, and the projection (NearestTiesToEven, SatNone).
pub(crate) struct Mandatory {
    /// 4.0's names.
    pub(crate) names: &'static [&'static str],
    /// The sets of their formats.
    formats: &'static str,
}

pub(crate) const MANDATORY: &[Mandatory] = &[
    Mandatory { names: &["Convert", "Recip"], formats: "x → x" },
    Mandatory { names: &["Negate", "Abs"], formats: "f → f, the same" },
    Mandatory { names: &["Add", "Subtract", "Multiply"], formats: "f, f → w" },
    Mandatory { names: &["FMA", "FAA"], formats: "f, f, e → e, the same" },
    Mandatory {
        names: &[
            "Minimum",
            "Maximum",
            "MinimumNumber",
            "MaximumNumber",
            "MinimumMagnitude",
            "MaximumMagnitude",
            "MinimumMagnitudeNumber",
            "MaximumMagnitudeNumber",
            "MinimumFinite",
            "MaximumFinite",
        ],
        formats: "f, f → f, the same",
    },
    Mandatory {
        names: &["CompareLess", "CompareLessEqual", "CompareEqual", "CompareGreater", "CompareGreaterEqual"],
        formats: "f, f, the same",
    },
    Mandatory {
        names: &[
            "IsZero",
            "IsOne",
            "IsNaN",
            "IsInfinite",
            "IsFinite",
            "IsSignMinus",
            "IsNormal",
            "IsSubnormal",
            "NextGreaterThan",
            "NextLessThan",
        ],
        formats: "f",
    },
    Mandatory {
        names: &[
            "BitwidthOf",
            "PrecisionOf",
            "SignednessOf",
            "DomainOf",
            "ExponentBitwidthOf",
            "TrailingSignificandBitwidthOf",
            "ExponentBiasOf",
            "MaxFiniteOf",
            "MinFiniteOf",
            "MinPositiveOf",
            "MaxSubnormalOf",
            "MinNormalOf",
        ],
        formats: "x",
    },
    Mandatory { names: &["ScaledAdd", "ScaledSubtract", "ScaledMultiply"], formats: "(s, f), (s, f) → w" },
];

/// The sets of formats for which an operation is mandatory.
fn mandatory(name: &str) -> Option<&'static str> {
    MANDATORY.iter().find(|row| row.names.contains(&name)).map(|row| row.formats)
}

/// Places at which the text of 4.0 leaves or needs a decision.
const NOTES: &[Note] = &[
    Note {
        clause: "§3.1",
        decision: "4.0 has no upper bound of K. Names are read to K = 64 (63 of unsigned formats), with P ≤ 53 and exponent fields of at most 16 bits; the formats with K ≤ 16 are listed.",
    },
    Note {
        clause: "§4.7",
        decision: "Formats that are not P3109's are treated as the external ones: domain by whether they have infinities, −0 read as 0 and never given. Where there is no NaN, one becomes the largest magnitude.",
    },
    Note {
        clause: "§4.10.15, §4.10.16",
        decision: "ArcTan2 of (Y < 0, −∞) is printed as π; the limit, −π, is given (and −1 by ArcTan2Pi).",
    },
    Note {
        clause: "§4.16",
        decision: "An external −0 is 0 here, too. Into another result format than the operand's the neighbour is projected.",
    },
    Note { clause: "§4.8.2", decision: "NaN in an external format is the quiet NaN without payload." },
    Note {
        clause: "§5",
        decision: "Block and scaled operations are functions of the library, and `eval` and `vectors` perform them, for scales and elements of together 53 bits of precision at most (or of 1 in one of them), and result scales of at most 24. The scale 1 of a scaled result is binary32's.",
    },
];

#[derive(Serialize)]
struct Row {
    clause: &'static str,
    operation: &'static str,
    name: &'static str,
    operands: usize,
    result: &'static str,
    /// The sets of formats that §4.5 demands.
    mandatory: Option<&'static str>,
}

/// The statement of 4.0, as `binade conformance --json` prints it.
#[derive(Serialize)]
pub struct Statement {
    implementation: &'static str,
    version: &'static str,
    exact: bool,
    families: Vec<Family>,
    /// FX of §4.5.
    external: [&'static str; 3],
    rounding: Vec<&'static str>,
    saturation: Vec<&'static str>,
    operations: Vec<Row>,
    notes: &'static [Note],
}

impl Statement {
    /// The statement, from the tables of the crate `binade`.
    #[expect(clippy::new_without_default, reason = "a statement is derived, not a default")]
    pub fn new() -> Statement {
        let operations = Operation::ALL.into_iter().filter_map(|operation| {
            let (reported, clause) = operation.in_4()?;
            Some(Row {
                clause,
                operation: reported,
                name: operation.name(),
                operands: operation.arity(),
                result: result_text(operation),
                mandatory: mandatory(reported),
            })
        });
        let queries = Query::ALL.into_iter().map(|query| {
            let (reported, clause) = query.in_4();
            let result = if query.of_projection() { "mode" } else { "fact of the format" };
            let name = query.name();
            Row { clause, operation: reported, name, operands: 0, result, mandatory: mandatory(reported) }
        });
        Statement {
            implementation: "binade",
            version: env!("CARGO_PKG_VERSION"),
            exact: true,
            families: families(Edition::V4),
            external: ["binary32", "binary16", "BFloat16"],
            rounding: rounding_names(Edition::V4).iter().map(|(name, _)| *name).collect(),
            saturation: saturation_names(Edition::V4).iter().map(|(name, _)| *name).collect(),
            operations: operations.chain(queries).collect(),
            notes: NOTES,
        }
    }

    /// Writes the statement as Markdown, from the second level of headings on.
    ///
    /// # Errors
    /// Output that fails.
    pub fn markdown(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "## Report 4.0\n\nbinade {} conforms to the IEEE P3109 report 4.0: it provides every operation specialisation that \
             §4.5 demands, with FX = {{{}}}, and those below. Every result is the defined one for all operands: nothing is \
             approximate, κ = 0 throughout. `--edition 4.0`, or a format named as 4.0 names it, asks for these meanings; \
             `binade conformance --has 'Op<…>'` answers for a specialisation.\n",
            self.version,
            self.external.join(", ")
        )?;
        writeln!(out, "### Formats of 4.0\n")?;
        write_families(&self.families, out)?;
        writeln!(
            out,
            "\nbinary64, binary32, binary16 and BFloat16 are the external formats. Each operand and the result may be in any of \
             these formats, and in any other that binade knows, independently of the others. The working group's published \
             tables of values, one for each format of the table, agree with binade's values.\n"
        )?;
        writeln!(
            out,
            "### Projections of 4.0\n\nEvery pair of one of {} (Stochastic with N = 1 to {} random bits), and one of {}.\n",
            self.rounding.join(", "),
            RANDOM_BITS,
            self.saturation.join(", ")
        )?;
        writeln!(
            out,
            "### Operations of 4.0\n\nThe last column has what §4.5 makes mandatory, under (NearestTiesToEven, SatNone): f in F4 ∪ F8, x in \
             F4 ∪ F8 ∪ FX, w in F8 ∪ FX, e in FX, s in {{Binary8p1uf}}, where F4 = {{Binary4p2sf}} and F8 = {{Binary8p4se, Binary8p3se}}.\n"
        )?;
        writeln!(out, "| clause | operation | name here | operands | result | mandatory |")?;
        writeln!(out, "|---|---|---|---|---|---|")?;
        for Row { clause, operation, name, operands, result, mandatory } in &self.operations {
            let mandatory = mandatory.unwrap_or("-");
            writeln!(out, "| {clause} | {operation} | `{name}` | {operands} | {result} | {mandatory} |")?;
        }
        writeln!(out, "\n### Where the text of 4.0 leaves or needs a decision\n")?;
        for Note { clause, decision } in self.notes {
            writeln!(out, "- {clause}: {decision}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// §4.5 counts 2 + 2 + 3 + 2 + 10 + 5 + 10 + 12 + 3 operations.
    #[test]
    fn statement_has_every_mandatory_operation() {
        let statement = Statement::new();
        let names: Vec<_> = MANDATORY.iter().flat_map(|row| row.names).collect();
        assert_eq!(names.len(), 49);
        for name in names {
            assert!(statement.operations.iter().any(|row| row.operation == *name), "{name}");
        }
    }
}
