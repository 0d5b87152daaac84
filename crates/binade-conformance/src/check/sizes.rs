//! Sizes of blocks and numbers of random bits in files of configurations.

use crate::names;

/// Checks that sizes of blocks are positive: `32`, `(' "2^$(i)" for i in 4:24 ')`, `(2^i for i=2..22)`.
pub(super) fn check_block_sizes(text: &str) -> Result<(), String> {
    // Earlier exemplars write the variable without a dollar sign.
    let text = match text.contains("$(i)") {
        true => text.to_owned(),
        false => text.replacen("(2^i for", "(2^$(i) for", 1).replacen("(i for", "($(i) for", 1),
    };
    for size in names::iterated(&text)? {
        let size = size.trim();
        let fits = match size.strip_prefix("2^") {
            Some(power) => power.parse::<u32>().is_ok_and(|power| power < 64),
            None => size.parse::<u64>().is_ok_and(|size| size > 0),
        };
        if !fits {
            return Err(format!(
                "'{}' is not a size of a block: write a positive number",
                size.escape_debug()
            ));
        }
    }
    Ok(())
}

/// Checks that numbers of random bits are positive for any precision: `16`, `(' Minimum(PrecisionOf(fx), 16) ')`,
/// `(' "$(i)" for i in 1:32 ')`, `Precision` for that of the operand.
pub(super) fn check_random_bits(text: &str) -> Result<(), String> {
    fn least(text: &str) -> Option<u64> {
        let text = names::bare(text);
        let (name, rest) = match text.split_once('(') {
            None if text == "Precision" => return Some(1),
            None => return text.parse().ok(),
            Some(("PrecisionOf" | "BitwidthOf", _)) => return Some(1),
            Some(parts) => parts,
        };
        let (a, b) = rest.strip_suffix(')')?.rsplit_once(',')?;
        match name {
            "Minimum" => Some(least(a)?.min(least(b)?)),
            "Maximum" => Some(least(a)?.max(least(b)?)),
            _ => None,
        }
    }
    if text.contains(" for ") {
        return check_block_sizes(text);
    }
    match least(text) {
        Some(0) => Err(format!("'{text}' may be 0: a number of random bits must be positive")),
        Some(_) => Ok(()),
        None => Err(format!(
            "'{text}' is not a number of random bits: write 16 or (' Minimum(PrecisionOf(fx), 16) ')"
        )),
    }
}
