//! binade's statements of conformance, as JSON and as Markdown: [`interim`] for 0.9.1, [`version_4`] for 4.0.

pub mod interim;
pub mod version_4;

use std::io::{self, Write};

use binade::catalog::P3109;
use binade::{AnswerKind, Edition, Operation};
use serde::Serialize;

use crate::modes;

/// A group of P3109 formats under one pattern of names.
#[derive(Serialize)]
pub(crate) struct Family {
    edition: &'static str,
    names: String,
    pub(crate) signed: bool,
    pub(crate) infinities: bool,
    pub(crate) widths: (u32, u32),
    /// P ranges from 1 to K minus this.
    pub(crate) precision_below_width_by: u32,
    formats: usize,
}

/// A place where the text of an edition cannot be followed, or leaves a choice.
#[derive(Serialize)]
struct Note {
    clause: &'static str,
    decision: &'static str,
}

/// The families of an edition, with the number of formats in each.
pub(crate) fn families(edition: Edition) -> Vec<Family> {
    let number = modes::edition_number(edition);
    let mut families: Vec<Family> = vec![];
    for member in P3109::all().filter(|member| member.edition == edition) {
        let has_member =
            |family: &&mut Family| (family.signed, family.infinities) == (member.signed, member.extended);
        match families.iter_mut().find(has_member) {
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

/// The kind of an operation's result, in a word.
fn result_text(operation: Operation) -> &'static str {
    match operation.kind() {
        AnswerKind::Code => "projected",
        AnswerKind::Bool => "Boolean",
        AnswerKind::Class => "class",
    }
}

fn write_families(families: &[Family], out: &mut impl Write) -> io::Result<()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_of_both_editions_count_every_p3109_format() {
        let counted: usize =
            [Edition::Interim, Edition::V4].into_iter().flat_map(families).map(|family| family.formats).sum();
        assert_eq!(counted, P3109::all().count());
    }
}
