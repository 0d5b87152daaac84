//! Answers if binade provides an operation specialisation of 4.0 (§4.6), for `binade conformance --has`.
//!
//! A specialisation is `Op<f1, …, fn, fr, (Round, Sat)>`; the operands of scaled operations are pairs `(fs, f)`.
//! Operations that are not projected have neither `fr` nor modes. The number of random bits of a stochastic mode follows its
//! name: `StochasticA8`, or in any brackets.

use binade::ops::Query;
use binade::ops::block::is_block_operation;
use binade::{AnswerKind, Operation, Spec};

use thiserror::Error;

use crate::names;

/// A text that is not an operation specialisation.
#[derive(Debug, Error)]
#[error(
    "'{0}' is not a specialisation: write Op<F, …, (Round, Sat)>, such as Recip<Binary8p3se, Binary8p4se, (NearestTiesToEven, SatNone)>"
)]
pub struct SpecialisationError(String);

/// The reason why a specialisation is not provided; `None` if it is.
///
/// # Errors
/// A text that is not a specialisation.
pub fn refusal(text: &str) -> Result<Option<String>, SpecialisationError> {
    let syntax = || SpecialisationError(text.chars().take(60).collect());
    let plain = bits_joined(&text.trim().replace('‹', "<").replace('›', ">"));
    let (name, rest) = plain.split_once('<').ok_or_else(syntax)?;
    let arguments = arguments(rest.strip_suffix('>').ok_or_else(syntax)?).ok_or_else(syntax)?;
    let name = name.trim();
    let operation = Operation::ALL.into_iter().find(|op| op.in_4().is_some_and(|(known, _)| known == name));
    let query = Query::ALL.into_iter().find(|query| query.in_4().0 == name);
    if let Some(block) = BlockSignature::of(name) {
        return Ok(block.refusal(name, &arguments));
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
        true => return Ok(Some(format!("{name} must end with its rounding and saturation modes"))),
        false => (&[], &arguments),
    };
    if named.len() != formats {
        return Ok(Some(format!("{name} must have {formats} formats: got {}", named.len())));
    }
    for format in named {
        if let Err(error) = format.parse::<Spec>() {
            return Ok(Some(error.to_string()));
        }
    }
    Ok(modes_refusal(modes))
}

/// The reason why a pair of modes is not provided.
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

/// The parameters of a specialised block operation (§5): the size of its blocks if it has them, then the formats of scales,
/// elements and result, then modes.
struct BlockSignature {
    /// True if the first parameter is the size of the blocks.
    sized: bool,
    formats: usize,
    /// The places of scales among the formats; each scale is followed by the format of its elements.
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

    fn refusal(&self, name: &str, arguments: &[String]) -> Option<String> {
        let (size, rest) = arguments.split_at(self.sized as usize);
        if let Some(size) = size.iter().find(|size| !size.parse().is_ok_and(|size: u64| size > 0)) {
            return Some(format!("{size} is not a size of blocks: {name} must begin with a positive number"));
        }
        let wanted = self.formats + 2 * self.projections;
        if rest.len() != wanted {
            return Some(format!(
                "{name} must have {} formats and {} pairs of modes",
                self.formats, self.projections
            ));
        }
        let (named, modes) = rest.split_at(self.formats);
        let mut formats = vec![];
        for format in named {
            match format.parse::<Spec>() {
                Ok(spec) => formats.push(spec.format),
                Err(error) => return Some(error.to_string()),
            }
        }
        for &at in self.scaled {
            let (scale, element) = (formats[at].precision(), formats[at + 1].precision());
            if scale.min(element) > 1 && scale + element > 53 {
                return Some(format!(
                    "products of {} and {} have more than 53 bits",
                    named[at],
                    named[at + 1]
                ));
            }
        }
        modes.chunks(2).find_map(modes_refusal)
    }
}

/// The words between commas, without the parentheses around pairs; `None` if parentheses do not match or a word is missing.
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
    use super::*;
    use crate::statement::version_4::MANDATORY;

    fn provided(text: &str) -> bool {
        refusal(text).unwrap().is_none()
    }

    #[test]
    fn specialisation_is_provided_or_refused_with_a_reason() {
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

    #[test]
    fn mandatory_operation_is_found_by_name() {
        for name in MANDATORY.iter().flat_map(|row| row.names) {
            let reason = refusal(&format!("{name}<Binary8p3se>")).unwrap();
            assert!(reason.is_none_or(|reason| !reason.contains("is not an operation")), "{name}");
        }
    }
}
