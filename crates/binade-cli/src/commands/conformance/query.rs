//! `--has`: whether an operation specialisation of 4.0 is provided (§4.6).
//!
//! A specialisation is `Op<f1, …, fn, fr, (Round, Sat)>`; the operands of scaled operations are pairs `(fs, f)`.
//! Operations that are not projected have neither `fr` nor modes. The number of random bits of a stochastic mode follows its
//! name: `StochasticA8`, or in any brackets.

use std::io::Write;

use binade::ops::Query;
use binade::ops::block::is_block_operation;
use binade::{AnswerKind, Operation, Spec};

use super::check::names;
use crate::operand::quoted;
use crate::{Error, Output, Status};

/// Prints `yes`, or `no: REASON`.
pub(super) fn answer(text: &str, out: &mut Output) -> Result<Status, Error> {
    match refusal(text)? {
        None => {
            writeln!(out, "yes")?;
            Ok(Status::Done)
        }
        Some(reason) => {
            writeln!(out, "no: {}", crate::error::printable(&reason))?;
            Ok(Status::CheckFailed)
        }
    }
}

/// Why the specialisation is not provided.
fn refusal(text: &str) -> Result<Option<String>, Error> {
    let syntax = || Error::Specialisation(quoted(text.as_bytes()));
    let plain = bits_joined(&text.trim().replace('‹', "<").replace('›', ">"));
    let (name, rest) = plain.split_once('<').ok_or_else(syntax)?;
    let arguments = arguments(rest.strip_suffix('>').ok_or_else(syntax)?).ok_or_else(syntax)?;
    let name = name.trim();
    let operation = Operation::ALL.into_iter().find(|op| op.in_4().is_some_and(|(known, _)| known == name));
    let query = Query::ALL.into_iter().find(|query| query.in_4().0 == name);
    if let Some(block) = BlockSignature::of(name) {
        return block.refusal(name, &arguments);
    }
    let (formats, projected) = match (operation, query) {
        (Some(Operation::NextGreaterThan | Operation::NextLessThan), _) => (1, false),
        (Some(operation), _) if operation.kind() == AnswerKind::Code => (operation.arity() + 1, true),
        (Some(operation), _) => (operation.arity(), false),
        (_, Some(query)) if query.of_projection() => (0, true),
        (_, Some(_)) => (1, false),
        // Every operation of 4.0 is provided.
        (None, None) => {
            return Ok(Some(
                names::operation(name).err().unwrap_or_else(|| format!("{name} is not provided")),
            ));
        }
    };
    let (modes, named): (&[String], &[String]) = match projected {
        true if arguments.len() >= 2 => {
            let (named, modes) = arguments.split_at(arguments.len() - 2);
            (modes, named)
        }
        true => return Ok(Some(format!("{name} ends with its rounding and saturation modes"))),
        false => (&[], &arguments),
    };
    if named.len() != formats {
        return Ok(Some(format!("{name} has {formats} formats, not {}", named.len())));
    }
    for format in named {
        if let Err(error) = format.parse::<Spec>() {
            return Ok(Some(error.to_string()));
        }
    }
    Ok(modes_refusal(modes))
}

/// Why a pair of modes is not provided.
fn modes_refusal(modes: &[String]) -> Option<String> {
    if let [rounding, saturation] = modes {
        return names::rounding(rounding).err().or_else(|| names::saturation(saturation).err());
    }
    None
}

/// The text with the random bits of stochastic modes directly after their names, without brackets and spaces.
fn bits_joined(text: &str) -> String {
    let (mut joined, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("Stochastic") {
        let name = at + "Stochastic".len();
        let end = name + rest[name..].find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len() - name);
        let after = rest[end..].trim_start();
        let inside =
            [('[', ']'), ('<', '>'), ('(', ')'), ('{', '}')].into_iter().find_map(|(open, close)| {
                let (bits, after) = after.strip_prefix(open)?.split_once(close)?;
                let bits = bits.trim();
                let number = !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit());
                number.then_some((bits, after))
            });
        joined.push_str(&rest[..end]);
        match inside {
            Some((bits, after)) => {
                joined.push_str(bits);
                rest = after;
            }
            None => rest = &rest[end..],
        }
    }
    joined + rest
}

/// What a block operation (§5) is specialised by: the size of its blocks where it has them, then scales, elements and result,
/// then modes.
struct BlockSignature {
    sized: bool,
    /// Places of scales, each followed by the elements that they scale; and the scale of the result.
    formats: usize,
    scaled: &'static [usize],
    projections: usize,
}

impl BlockSignature {
    fn of(name: &str) -> Option<BlockSignature> {
        let signature =
            |formats, scaled, projections| BlockSignature { sized: true, formats, scaled, projections };
        // ConvertToBlock has elements, then the scale and the elements of the result.
        match name {
            "ConvertFromBlock" | "BlockReduceAdd" | "BlockReduceMultiply" => {
                return Some(signature(3, &[0], 1));
            }
            "ConvertToBlock" => return Some(signature(3, &[], 1)),
            "ConvertToBlockMaxAbsFinite" => return Some(signature(3, &[], 2)),
            "BlockDotProduct" => return Some(signature(5, &[0, 2], 1)),
            _ => {}
        }
        let listed = |operation: &Operation, name: &str| {
            is_block_operation(*operation) && operation.in_4().is_some_and(|(known, _)| known == name)
        };
        let find = |name: &str| Operation::ALL.into_iter().find(|operation| listed(operation, name));
        const SCALED: &[usize] = &[0, 2, 4];
        if let Some(operation) = name.strip_prefix("Block").and_then(find) {
            let arity = operation.arity();
            return Some(signature(2 * arity + 2, &SCALED[..arity], 1));
        }
        let operation = name.strip_prefix("Scaled").and_then(find)?;
        let arity = operation.arity();
        Some(BlockSignature { sized: false, ..signature(2 * arity + 1, &SCALED[..arity], 1) })
    }

    fn refusal(&self, name: &str, arguments: &[String]) -> Result<Option<String>, Error> {
        let (size, rest) = arguments.split_at(self.sized as usize);
        if let Some(size) = size.iter().find(|size| !size.parse().is_ok_and(|size: u64| size > 0)) {
            return Ok(Some(format!("{name} begins with the size of its blocks, which {size} is not")));
        }
        let wanted = self.formats + 2 * self.projections;
        if rest.len() != wanted {
            return Ok(Some(format!(
                "{name} has {} formats and {} pairs of modes",
                self.formats, self.projections
            )));
        }
        let (named, modes) = rest.split_at(self.formats);
        let mut formats = vec![];
        for format in named {
            match format.parse::<Spec>() {
                Ok(spec) => formats.push(spec.format),
                Err(error) => return Ok(Some(error.to_string())),
            }
        }
        for &at in self.scaled {
            let (scale, element) = (formats[at].precision(), formats[at + 1].precision());
            if scale.min(element) > 1 && scale + element > 53 {
                return Ok(Some(format!(
                    "{} and {} have products of more than 53 bits",
                    named[at],
                    named[at + 1]
                )));
            }
        }
        Ok(modes.chunks(2).find_map(modes_refusal))
    }
}

/// The words between commas, pairs taken apart; `None` if parentheses do not match or a word is missing.
fn arguments(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut inside) = (vec![], String::new(), false);
    for c in text.chars() {
        match c {
            '(' if !inside && word.is_empty() => inside = true,
            ')' if inside => inside = false,
            '(' | ')' | '<' | '>' => return None,
            ',' => words.push(std::mem::take(&mut word)),
            c if c.is_whitespace() => {}
            c => word.push(c),
        }
    }
    words.push(word);
    (!inside && words.iter().all(|word| !word.is_empty())).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::super::version_4::MANDATORY;
    use super::*;

    fn provided(text: &str) -> bool {
        refusal(text).unwrap().is_none()
    }

    #[test]
    fn specialisations() {
        // The examples of §4.6.
        assert!(provided("Exp<Binary8p3se, Binary8p4se, (NearestTiesToEven, SatFinite)>"));
        assert!(provided("Exp‹Binary8p4se, Binary8p4se, (NearestTiesToEven, SatNone)›"));
        assert!(provided(
            "ScaledAdd<(Binary8p1uf, Binary8p3se), (Binary8p1uf, Binary4p2sf), BFloat16, (ToOdd, SatNone)>"
        ));
        assert!(provided("FMA<Binary8p3se,Binary8p3se,binary32,binary32,(StochasticA8,SatPropagate)>"));
        for stochastic in [
            "StochasticA[8]",
            "StochasticB<8>",
            "StochasticC‹8›",
            "StochasticA(8)",
            "StochasticA [ 8 ]",
            "StochasticA{32}",
        ] {
            assert!(
                provided(&format!("Exp<Binary8p3se, Binary8p4se, ({stochastic}, SatNone)>")),
                "{stochastic}"
            );
            assert!(provided(&format!("RoundOf‹({stochastic}, SatNone)›")), "{stochastic}");
        }
        let why = |text: &str| refusal(text).unwrap().unwrap_or_default();
        assert_eq!(
            why("Rsqrt‹Binary8p3se, Binary8p4se, (ToOdd, SatNone)›"),
            "Rsqrt is not an operation of 4.0: 4.0 calls it RSqrt"
        );
        assert_eq!(
            why("Exp<Binary8p3se, Binary8p4se, (ToOdd, OvfInf)>"),
            "OvfInf is not a saturation mode of 4.0: 4.0 calls it SatNone"
        );
        // Annex D.2.
        assert!(provided(
            "BlockDotProduct<8, Binary8p1uf, Binary8p4se, Binary8p1uf, Binary8p4se, binary32, (NearestTiesToEven, SatNone)>"
        ));
        assert!(provided(
            "BlockExp<32, (Binary8p1uf, Binary8p4se), Binary8p1uf, Binary8p3se, (ToOdd, SatNone)>"
        ));
        assert!(provided("ScaledSqrt<(Binary8p1uf, Binary8p4se), binary32, (ToOdd, SatNone)>"));
        assert!(provided(
            "ConvertToBlockMaxAbsFinite<32, binary32, Binary8p1uf, Binary8p4se, (TowardPositive, SatNone), (ToOdd, SatFinite)>"
        ));
        assert!(!provided(
            "BlockDotProduct<0, Binary8p1uf, Binary8p4se, Binary8p1uf, Binary8p4se, binary32, (ToOdd, SatNone)>"
        ));
        assert!(!provided("ConvertFromBlock<8, binary32, binary64, binary32, (ToOdd, SatNone)>"));
        assert!(!provided(
            "BlockClass<8, (Binary8p1uf, Binary8p4se), Binary8p1uf, Binary8p3se, (ToOdd, SatNone)>"
        ));
        assert!(provided("CompareLess<Binary8p3se, Binary8p3se>"));
        assert!(provided("NextLessThan<Binary8p3se>") && provided("MaxFiniteOf<binary16>"));
        assert!(provided("SatOf<(ToOdd, SatNone)>"));
        for refused in [
            "BlockAdd<Binary8p3se, Binary8p3se, Binary8p3se, (ToOdd, SatNone)>",
            "Exp<Binary8p3se, (NearestTiesToEven, SatFinite)>",
            "Exp<Binary8p3se, Binary8p9se, (NearestTiesToEven, SatFinite)>",
            "Exp<Binary8p3se, Binary8p4se, (NearestTiesToEven, OvfInf)>",
            "Exp<Binary8p3se, Binary8p4se, (NearestEven, SatNone)>",
            "Exp<Binary8p3se, Binary8p4se, (ToOdd8, SatNone)>",
            "Exp<Binary8p3se, Binary8p4se, (StochasticA33, SatNone)>",
            "Exp<Binary8p3se, Binary8p4se, (StochasticA[33], SatNone)>",
            "Exp<Binary8p3se, Binary8p4se, (StochasticA<0>, SatNone)>",
            "Exp<Binary8p3se, Binary8p4se, (ToOdd[8], SatNone)>",
            "Recip<Binary8p3se>",
        ] {
            assert!(!provided(refused), "{refused}");
        }
        for malformed in [
            "Exp",
            "Exp<",
            "Exp<Binary8p3se,>",
            "Exp<((a, b), c)>",
            "Exp<a, (b, c>",
            "Exp<a, b, (StochasticA<8, c)>",
        ] {
            assert!(refusal(malformed).is_err(), "{malformed}");
        }
    }

    /// Each mandatory operation is found under its name.
    #[test]
    fn mandatory_names_are_found() {
        for name in MANDATORY.iter().flat_map(|row| row.names) {
            let reason = refusal(&format!("{name}<Binary8p3se>")).unwrap();
            assert!(reason.is_none_or(|reason| !reason.contains("is not an operation")), "{name}");
        }
    }
}
