//! Signatures of operations and the relations in files of constraints and kappas.

/// `Op<fx, fr, ρ>(x) -> r`.
pub(super) struct Signature {
    pub(super) name: String,
    pub(super) formats: Vec<String>,
    pub(super) projected: bool,
    pub(super) operands: Option<usize>,
}

impl Signature {
    pub(super) fn parse(text: &str) -> Result<Signature, String> {
        let wrong = || format!("'{}' is not a signature: write Op<fx, fr, ρ>(x) -> r", text.escape_debug());
        let plain = text.replace(['‹', '{'], "<").replace(['›', '}'], ">");
        let (name, rest) = plain.split_once('<').ok_or_else(wrong)?;
        let (inside, after) = rest.split_once('>').ok_or_else(wrong)?;
        let words: Vec<String> = inside.split(',').map(|word| word.trim().to_owned()).collect();
        let after = after.trim().trim_start_matches(':').trim();
        let operands = match after.split_once(')') {
            Some((operands, arrow)) if operands.starts_with('(') && arrow.trim().starts_with("->") => {
                Some(operands[1..].split(',').filter(|word| !word.trim().is_empty()).count())
            }
            None if after.is_empty() => None,
            _ => return Err(wrong()),
        };
        let is_projection = |word: &String| ["ρ", "π", "rho", "pi"].contains(&&**word);
        let projected = words.last().is_some_and(is_projection);
        let formats = words[..words.len() - projected as usize].to_vec();
        let variable = |word: &String| {
            word.starts_with(|c: char| c.is_ascii_alphabetic())
                && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if name.trim().is_empty() || !formats.iter().all(variable) {
            return Err(wrong());
        }
        if formats.iter().enumerate().any(|(at, word)| formats[..at].contains(word)) {
            return Err(format!(
                "'{}' names a format twice: each format needs a name of its own",
                text.escape_debug()
            ));
        }
        Ok(Signature { name: name.trim().to_owned(), formats, projected, operands })
    }
}

/// The text of a relation: `(' fx == fy ')` and `"fx == fy"`.
pub(super) fn relation(text: &str) -> &str {
    let inside = text.trim().strip_prefix("('").and_then(|rest| rest.strip_suffix("')"));
    inside.unwrap_or(text).trim()
}
