//! `--has`: whether an operation specialisation of 4.0 is provided (§4.6).
//!
//! A specialisation is `Op<f1, …, fn, fr, (Round, Sat)>`; the operands of scaled operations are pairs `(fs, f)`.
//! Operations that are not projected have neither `fr` nor modes.

use std::io::Write;

use binade::ops::Query;
use binade::{Kind, Operation, Spec};

use crate::modes::EditionName;
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
    let plain: String = text.trim().replace('‹', "<").replace('›', ">");
    let (name, rest) = plain.split_once('<').ok_or_else(syntax)?;
    let arguments = arguments(rest.strip_suffix('>').ok_or_else(syntax)?).ok_or_else(syntax)?;
    let name = name.trim();
    let operation = Operation::ALL.into_iter().find(|op| op.in_4().is_some_and(|(known, _)| known == name));
    let query = Query::ALL.into_iter().find(|query| query.in_4().0 == name);
    let (formats, projected) = match (operation, query) {
        (Some(Operation::NextGreaterThan | Operation::NextLessThan), _) => (1, false),
        (Some(operation), _) if operation.kind() == Kind::Code => (operation.arity() + 1, true),
        (Some(operation), _) => (operation.arity(), false),
        (_, Some(query)) if query.of_projection() => (0, true),
        (_, Some(_)) => (1, false),
        (None, None) => return Ok(Some(format!("4.0's operation {name} is not provided, or there is none"))),
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
    if let [rounding, saturation] = modes {
        // The number of random bits may follow a stochastic mode's name.
        let bits = rounding.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let mode = &rounding[..rounding.len() - bits.len()];
        if !EditionName::V4.rounding().iter().any(|(known, _)| *known == mode) {
            return Ok(Some(format!("{mode} is no rounding mode of 4.0")));
        }
        let bits_fit = bits.parse().is_ok_and(|n: u32| (1..=crate::modes::RANDOM_BITS).contains(&n));
        let drawn = mode.starts_with("Stochastic") && bits_fit;
        if !(bits.is_empty() || drawn) {
            return Ok(Some(format!(
                "{rounding}: a stochastic mode has 1 to {} random bits",
                crate::modes::RANDOM_BITS
            )));
        }
        if !EditionName::V4.saturation().iter().any(|(known, _)| known == saturation) {
            return Ok(Some(format!("{saturation} is no saturation mode of 4.0")));
        }
    }
    Ok(None)
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
            "Recip<Binary8p3se>",
        ] {
            assert!(!provided(refused), "{refused}");
        }
        for malformed in ["Exp", "Exp<", "Exp<Binary8p3se,>", "Exp<((a, b), c)>", "Exp<a, (b, c>"] {
            assert!(refusal(malformed).is_err(), "{malformed}");
        }
    }

    /// Each mandatory operation is found under its name.
    #[test]
    fn mandatory_names_are_found() {
        for name in MANDATORY.iter().flat_map(|row| row.names) {
            let reason = refusal(&format!("{name}<Binary8p3se>")).unwrap();
            assert!(reason.is_none_or(|reason| !reason.contains("is not provided")), "{name}");
        }
    }
}
