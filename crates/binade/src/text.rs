//! Values as text, read and written exactly: decimal and C99 hexadecimal floating point.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use num_bigint::BigUint;
use thiserror::Error;

use crate::exact::{Finite, Value, divide};
use crate::format::Format;

mod error;

pub use error::{error, error_of_text};

/// The longest number that is read, in characters.
const LONGEST: usize = 100_000;

/// Beyond 10^±LARGEST_EXPONENT (2^±232,000) no format has a nonzero finite value, and no calculation overflows later.
const LARGEST_EXPONENT: i64 = 70_000;

/// An error in the text of a value.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ValueError {
    /// Not a number in any accepted form.
    #[error(
        "'{0}' is not a value: write a decimal (0.1, -3e5), a hexadecimal float (0x1.8p-3), inf, -inf or nan"
    )]
    Syntax(String),
    /// More characters than are read.
    #[error("a number of {0} characters is too long: at most {LONGEST}")]
    Length(usize),
}

/// Reads a decimal, a C99 hexadecimal float, `inf`, `infinity` or `nan`, each with an optional sign, in any letter
/// case. The value is exact, or truncated to 128 bits and sticky, so that projecting it rounds once.
///
/// # Errors
/// If the text is none of these.
pub fn parse(text: &str) -> Result<Value, ValueError> {
    if text.len() > LONGEST {
        return Err(ValueError::Length(text.len()));
    }
    let (negative, body) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let finite = if body.eq_ignore_ascii_case("inf") || body.eq_ignore_ascii_case("infinity") {
        return Ok(Value::Infinite { negative });
    } else if body.eq_ignore_ascii_case("nan") {
        return Ok(Value::Nan { negative });
    } else if let Some(digits) = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")) {
        hexadecimal(digits)
    } else {
        decimal_digits(body)
    };
    match finite {
        Some(magnitude) => Ok(Value::Finite(Finite { negative, ..magnitude })),
        None => Err(ValueError::Syntax(text.chars().take(60).collect())),
    }
}

/// Reads a code of a format: an integer such as `0x3c`, `0b111100` or `60`, or all its bits with the separators of
/// [`crate::table::bits_text`]. [`crate::Datum::new`] checks that the format has the code.
pub fn parse_code(text: &[u8], format: Format) -> Option<u64> {
    integer(text).or_else(|| separated_bits(text, format.width()))
}

/// An integer such as `0x3c`, `0b111100` or `60`.
pub fn integer(text: &[u8]) -> Option<u64> {
    let (digits, radix) = match text {
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', b'b' | b'B', digits @ ..] => (digits, 2),
        digits => (digits, 10),
    };
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u64, |value, &digit| {
        let digit = (digit as char).to_digit(radix)?;
        value.checked_mul(radix.into())?.checked_add(digit.into())
    })
}

/// The bits of a code with the separators of `binade table`.
fn separated_bits(text: &[u8], width: u32) -> Option<u64> {
    let bits: Vec<u8> = text.iter().copied().filter(|b| !matches!(b, b'.' | b'_')).collect();
    if bits.len() == text.len()
        || bits.len() != width as usize
        || bits.iter().any(|b| !matches!(b, b'0' | b'1'))
    {
        return None;
    }
    Some(bits.iter().fold(0, |code, bit| code << 1 | u64::from(bit - b'0')))
}

/// Splits `digits[.digits][e[±]digits]`, removes the point, and returns the digits with the exponent of the last one
/// (in units of `per_digit`). An exponent too large for i64 saturates.
fn scan(text: &str, marker: [char; 2], radix: u32, per_digit: i64) -> Option<(String, i64)> {
    let (mantissa, exponent) = match text.find(marker) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let exponent = match exponent {
        None => 0,
        Some(exponent) => {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            let magnitude = digits.parse().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
            if exponent.starts_with('-') { -magnitude } else { magnitude }
        }
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    Some((digits, exponent - per_digit * fraction.len() as i64))
}

fn hexadecimal(text: &str) -> Option<Finite> {
    let (digits, exponent) = scan(text, ['p', 'P'], 16, 4)?;
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Finite::zero(false));
    }
    match u128::from_str_radix(digits, 16) {
        Ok(significand) => Some(Finite::new(false, significand, clamp(exponent))),
        Err(_) => Some(truncated(&BigUint::parse_bytes(digits.as_bytes(), 16)?, clamp(exponent), false)),
    }
}

fn decimal_digits(text: &str) -> Option<Finite> {
    let (digits, exponent) = scan(text, ['e', 'E'], 10, 1)?;
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some(Finite::zero(false));
    }
    // Few digits and a small exponent: one multiplication or division of machine words.
    if digits.len() <= 19 && exponent.abs() <= 19 {
        let significand = digits.parse::<u64>().ok()?;
        let power = 10u64.pow(exponent.unsigned_abs() as u32);
        return Some(if exponent >= 0 {
            Finite::new(false, significand as u128 * power as u128, 0)
        } else {
            divide(Finite::new(false, significand as u128, 0), Finite::new(false, power as u128, 0))
        });
    }
    let leading = exponent + digits.len() as i64;
    if leading.abs() > LARGEST_EXPONENT {
        // Out of every format's range, where all values round alike.
        return Some(Finite { sticky: true, ..Finite::new(false, 1 << 127, leading.signum() << 40) });
    }
    let significand = BigUint::parse_bytes(digits.as_bytes(), 10)?;
    let power = |n: i64| BigUint::from(10u32).pow(n as u32);
    if exponent >= 0 {
        return Some(truncated(&(significand * power(exponent)), 0, false));
    }
    let divisor = power(-exponent);
    // Enough zeros for a quotient of at least 128 bits.
    let up = (129 + divisor.bits() as i64 - significand.bits() as i64).max(0);
    let numerator = significand << up as u64;
    let quotient = &numerator / &divisor;
    let inexact = &quotient * &divisor != numerator;
    Some(truncated(&quotient, -up, inexact))
}

/// Clamps exponents of hexadecimal floats beyond those of any format.
fn clamp(exponent: i64) -> i64 {
    exponent.clamp(-(1 << 40), 1 << 40)
}

/// The top 128 bits of an integer, sticky if any bit below is set.
fn truncated(integer: &BigUint, exponent: i64, below: bool) -> Finite {
    let down = integer.bits().saturating_sub(128);
    let top = integer >> down;
    let lost = integer.trailing_zeros().is_some_and(|zeros| zeros < down);
    let limbs = top.to_u64_digits();
    let limb = |i: usize| limbs.get(i).copied().unwrap_or(0) as u128;
    Finite {
        negative: false,
        significand: limb(1) << 64 | limb(0),
        exponent: exponent + down as i64,
        sticky: lost || below,
    }
}

/// C99 hexadecimal floating point, normalised: `0x1.6p-7`, `-0x0p+0`, `inf`, `nan`.
///
/// A sticky value prints its truncated significand.
pub fn hex(value: Value) -> String {
    match value {
        Value::Nan { .. } => "nan".to_owned(),
        Value::Infinite { negative } => if negative { "-inf" } else { "inf" }.to_owned(),
        Value::Finite(x) => {
            let sign = if x.negative { "-" } else { "" };
            if x.is_zero() {
                return format!("{sign}0x0p+0");
            }
            let exponent = x.log2_floor();
            // The bits after the leading one, left-aligned in 128.
            let fraction = (x.significand << x.significand.leading_zeros()) << 1;
            if fraction == 0 {
                return format!("{sign}0x1p{exponent:+}");
            }
            let digits = 32 - fraction.trailing_zeros() as usize / 4;
            let hex = format!("{fraction:032x}");
            format!("{sign}0x1.{}p{exponent:+}", &hex[..digits])
        }
    }
}

/// The exact decimal expansion, always with a point: `0.0107421875`, `49152.0`, `-0.0`, `inf`, `nan`.
///
/// A sticky value prints its truncated significand.
pub fn decimal(value: Value) -> String {
    match value {
        Value::Nan { .. } | Value::Infinite { .. } => hex(value),
        Value::Finite(x) => {
            let sign = if x.negative { "-" } else { "" };
            if x.is_zero() {
                return format!("{sign}0.0");
            }
            let zeros = x.significand.trailing_zeros();
            let (significand, exponent) = (x.significand >> zeros, x.exponent + zeros as i64);
            if exponent >= 0 {
                return format!("{sign}{}.0", shifted_text(significand, exponent as u64));
            }
            // s · 2^−n is s · 5^n with the point n places to the left.
            let places = exponent.unsigned_abs() as usize;
            let digits = times_power_of_five(significand, places as u32);
            match digits.len().checked_sub(places) {
                Some(whole @ 1..) => format!("{sign}{}.{}", &digits[..whole], &digits[whole..]),
                // Not by a formatting width, which is at most 65,535.
                _ => format!("{sign}0.{}{digits}", "0".repeat(places - digits.len())),
            }
        }
    }
}

fn shifted_text(significand: u128, up: u64) -> String {
    if up < significand.leading_zeros() as u64 {
        (significand << up).to_string()
    } else {
        (BigUint::from(significand) << up).to_string()
    }
}

fn times_power_of_five(significand: u128, power: u32) -> String {
    match 5u128.checked_pow(power).and_then(|five| significand.checked_mul(five)) {
        Some(product) => product.to_string(),
        None => (BigUint::from(significand) * BigUint::from(5u32).pow(power)).to_string(),
    }
}

/// The value in scientific notation with 16 significant digits, rounded to nearest, without trailing zeros:
/// `2.168404344971009e-19`. It is for tables, where the exact expansion would be long.
///
/// A sticky value prints its truncated significand.
pub fn scientific(value: Value) -> String {
    let x = match value {
        Value::Finite(x) if !x.is_zero() => x,
        _ => return decimal(value),
    };
    let (digits, exponent) = leading_digits(&x).unwrap_or_else(|| exact_leading_digits(&x));
    let text = digits.to_string();
    let fraction = text[1..].trim_end_matches('0');
    let fraction = if fraction.is_empty() { "0" } else { fraction };
    format!("{}{}.{fraction}e{exponent}", if x.negative { "-" } else { "" }, &text[..1])
}

const DIGITS: i64 = 16;

/// The nearest D in [10^15, 10^16) with |x| ≈ D · 10^(exponent − 15), from the exact expansion.
fn exact_leading_digits(x: &Finite) -> (u64, i64) {
    let expansion = decimal(Value::Finite(Finite { negative: false, ..*x }));
    let point = expansion.find('.').unwrap_or(expansion.len()) as i64;
    let all: Vec<u8> = expansion.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
    let first = all.iter().position(|&d| d != 0).unwrap_or(0);
    let digit = |i: usize| all.get(first + i).copied().unwrap_or(0) as u64;
    let digits =
        (0..DIGITS as usize).fold(0, |n, i| 10 * n + digit(i)) + (digit(DIGITS as usize) >= 5) as u64;
    carried(digits, point - 1 - first as i64)
}

/// ⌊x⌋, |x| < 2^63.
pub(crate) fn floor(x: f64) -> i64 {
    let toward_zero = x as i64;
    toward_zero - i64::from(toward_zero as f64 > x)
}

/// [`exact_leading_digits`] in 128-bit arithmetic; `None` if its error could affect the rounding.
fn leading_digits(x: &Finite) -> Option<(u64, i64)> {
    // log10 |x| from the exponent alone has an error below one, so the second try succeeds if the first does not.
    let mut exponent = floor(x.log2_floor() as f64 * core::f64::consts::LOG10_2);
    for _ in 0..2 {
        let (scaled, shift) = times_power_of_ten(x, DIGITS - 1 - exponent)?;
        let (whole, rest) = ((scaled >> shift) as u64, scaled & ((1 << shift) - 1));
        if whole >= 10u64.pow(DIGITS as u32) {
            exponent += 1;
        } else {
            // The fraction is known at least to 2^(shift − 40).
            let half = 1u128 << (shift - 1);
            return (rest.abs_diff(half) >> (shift - 40) != 0)
                .then(|| carried(whole + u64::from(rest > half), exponent));
        }
    }
    None
}

fn carried(digits: u64, exponent: i64) -> (u64, i64) {
    if digits == 10u64.pow(DIGITS as u32) { (digits / 10, exponent + 1) } else { (digits, exponent) }
}

/// |x| · 10^power in [2^49, 2^60), as an integer and the number of its fraction bits, at least 67. The relative error is below 2^−100 for powers below 2^18.
///
/// 10^n = 5^n · 2^n, and 5^n is computed by squaring, with significands truncated to 128 bits. Each product has a
/// relative error of at most 2^−127, which each squaring doubles; the total is below 4n · 2^−127.
fn times_power_of_ten(x: &Finite, power: i64) -> Option<(u128, u32)> {
    /// The upper half of a product, 128 bits of 256.
    fn high(a: u128, b: u128) -> u128 {
        let low = u64::MAX as u128;
        let (a1, a0, b1, b0) = (a >> 64, a & low, b >> 64, b & low);
        let middle = ((a0 * b0) >> 64) + ((a1 * b0) & low) + ((a0 * b1) & low);
        a1 * b1 + ((a1 * b0) >> 64) + ((a0 * b1) >> 64) + (middle >> 64)
    }
    /// Significands with the top bit set, and their exponents.
    fn product((a, e): (u128, i64), (b, f): (u128, i64)) -> (u128, i64) {
        let top = high(a, b);
        let up = top.leading_zeros();
        (top << up, e + f + 128 - up as i64)
    }
    let (mut five, mut base, mut n) =
        ((1u128 << 127, -127i64), (5u128 << 125, -125i64), power.unsigned_abs());
    if n >= 1 << 18 {
        return None;
    }
    while n > 0 {
        if n & 1 == 1 {
            five = product(five, base);
        }
        base = product(base, base);
        n >>= 1;
    }
    if power < 0 {
        // 2^255 / 5^n; the quotient is in (2^127, 2^128].
        let quotient = (BigUint::from(1u32) << 255u32) / BigUint::from(five.0);
        let limbs = quotient.to_u64_digits();
        let limb = |i: usize| limbs.get(i).copied().unwrap_or(0) as u128;
        five = if limb(2) != 0 {
            (1 << 127, -255 - five.1 + 1)
        } else {
            ((limb(1) << 64) | limb(0), -255 - five.1)
        };
    }
    let up = x.significand.leading_zeros();
    let (significand, exponent) = product((x.significand << up, x.exponent - up as i64), five);
    let shift = -(exponent + power);
    (67..=79).contains(&shift).then_some((significand, shift as u32))
}

/// The known word nearest to an unknown one: within an edit distance of a third of its length (at least one), or
/// beginning with it.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let most = (word.chars().count() / 3).max(1);
    let distance = |known: &str| {
        let known = known.to_ascii_lowercase();
        let begun = word.len() >= 3 && known.starts_with(&word);
        if begun { most } else { edit_distance(&word, &known) }
    };
    let ranked = known.into_iter().map(|known| (distance(known), known));
    let near = ranked.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance);
    near.map(|(_, known)| known)
}

/// Text that may quote input, on one line. Characters that control a terminal are written as escapes such as
/// `\u{202e}`.
///
/// These are Unicode's categories Cc (C0 and C1 controls), Zl and Zp (separators of lines and paragraphs) and Cf. Cf
/// includes the marks that change the direction of text, joiners, and tags. Fillers, variation selectors and
/// noncharacters are escaped as well. All other text is unchanged.
///
/// ```
/// assert_eq!(binade::text::printable("a\u{202e}b\n"), "a\\u{202e}b\\u{a}");
/// assert_eq!(binade::text::printable("w·x ≈ 模型"), "w·x ≈ 模型");
/// ```
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_shown(c) {
            true => shown.push(c),
            false => shown.extend(c.escape_unicode()),
        }
    }
    shown
}

/// True if a terminal displays the character and does nothing else.
fn is_shown(c: char) -> bool {
    !c.is_control()
        && !matches!(
            c as u32,
            // The soft hyphen, and format characters of Arabic, Syriac, Mongolian, Egyptian, Kaithi and shorthand.
            0xad | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x890..=0x891 | 0x8e2 | 0x180b..=0x180f | 0x110bd | 0x110cd
                | 0x13430..=0x1343f | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a
                // Marks and embeddings of direction, joiners, separators of lines and paragraphs, invisible operators.
                | 0x200b..=0x200f | 0x2028..=0x202e | 0x2060..=0x206f
                // Fillers without a shape, variation selectors, the byte order mark, annotations.
                | 0x34f | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfffb
                // Tags, and the unassigned characters beside them.
                | 0xe0000..=0xe0fff
                // Noncharacters.
                | 0xfdd0..=0xfdef
        )
        && c as u32 & 0xfffe != 0xfffe
}

/// Levenshtein's edit distance: insertions, deletions and replacements from one text to the other.
pub fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let substitution = diagonal + (x != *y) as usize;
            diagonal = row[j + 1];
            row[j + 1] = substitution.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        let obeyed = (0..0x20)
            .chain(0x7f..0xa0)
            .chain([0xad, 0x61c, 0x180e])
            .chain(0x200b..0x2010)
            .chain(0x2028..0x202f)
            .chain(0x2060..0x2070)
            .chain([0xfeff, 0xfff9, 0xfffe, 0xe0041, 0x10_ffff]);
        for code in obeyed {
            let c = char::from_u32(code).unwrap();
            assert_eq!(printable(&format!("a{c}b")), format!("a\\u{{{code:x}}}b"));
        }
        for shown in
            ["", "model.layers.0", "naïve — 模型 \u{1f600} é", "a\\b'\"", "\u{a0}\u{2010}\u{202f}\u{3000}"]
        {
            assert_eq!(printable(shown), shown);
        }
    }

    #[test]
    fn decimals_of_extreme_exponents_are_exact() {
        // 2^−131073 has 131,073 places, more than a formatting width allows.
        let text = decimal(Value::Finite(Finite::new(true, 1, -131_073)));
        assert!(text.starts_with("-0.000") && text.ends_with('5') && text.len() == 131_076, "{}", text.len());
        assert_eq!(decimal(Value::Finite(Finite::new(false, 3, -4))), "0.1875");
        assert_eq!(decimal(Value::Finite(Finite::new(false, 1, -4))), "0.0625");
    }
    use crate::{Format, Projection, Spec, decode, project};

    fn format(name: &str) -> Format {
        name.parse::<Spec>().unwrap().format
    }

    fn code(name: &str, text: &str) -> u64 {
        project(format(name), parse(text).unwrap(), Projection::default()).code
    }

    #[test]
    fn decimals_parse_as_in_the_standard_library() {
        for text in [
            "0",
            "-0",
            "1",
            "0.1",
            "-2.5e-3",
            "1e22",
            "123456789012345678901234567890",
            "5e-324",
            "2.2250738585072011e-308",
            "1.7976931348623157e308",
            "1.7976931348623159e308",
            "9007199254740993",
            "1e-400",
            "1e400",
            ".5",
            "5.",
            "0.000000000000000000000000000000000000000000000000000001234567890123456789012345678901",
            "1e99999999999999999999",
            "1e-99999999999999999999",
        ] {
            let ours = f64::from_bits(code("f64", text));
            assert_eq!(ours.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
        }
    }

    #[test]
    fn hexadecimal_floats_parse_exactly() {
        assert_eq!(code("f32", "0x1.8p-3"), 0.1875f32.to_bits() as u64);
        assert_eq!(code("f32", "-0x.8"), (-0.5f32).to_bits() as u64);
        assert_eq!(code("f32", "0X1P+4"), 16f32.to_bits() as u64);
        let long = format!("0x1.{}1p0", "0".repeat(100));
        assert!(matches!(parse(&long), Ok(Value::Finite(x)) if x.sticky));
        assert_eq!(code("f32", "0x1p99999999999999999999"), f32::INFINITY.to_bits() as u64);
    }

    #[test]
    fn decimals_round_once() {
        // 1 + 2^−4 + 2^−40 is above the tie between 1 and 1.125 of E4M3FN; through binary32 it would be at the tie.
        assert_eq!(code("float8_e4m3fn", "0x1.100000001p+0"), 0x39);
    }

    #[test]
    fn values_written_and_read_are_equal() {
        for name in ["f16", "bf16", "binary8p1", "shp@bias=63", "uhp"] {
            let f = format(name);
            for c in 0..=f.last_code() {
                let value = decode(f, c);
                for text in [hex(value), decimal(value)] {
                    let back = project(f, parse(&text).unwrap(), Projection::default());
                    assert_eq!(
                        decode(f, back.code),
                        match value {
                            Value::Nan { .. } => decode(f, f.nan_code().unwrap()),
                            other => other,
                        },
                        "{name} {c:#x} {text}"
                    );
                }
            }
        }
        assert_eq!(hex(decode(format("binary8p4"), 0x0b)), "0x1.6p-7");
        assert_eq!(decimal(decode(format("binary8p4"), 0x0b)), "0.0107421875");
        assert_eq!(decimal(decode(format("binary8p3"), 0x7e)), "49152.0");
    }

    #[test]
    fn scientific_notation_equals_the_rounded_expansion() {
        for name in ["f16", "bf16", "binary16p1", "binary16p4", "f64"] {
            let f = format(name);
            let mut quick = 0;
            for i in 0..3_000 {
                let c = (crate::philox::word(9, i) as u64 * 0x1_0000_0001) & f.magnitude_mask();
                if let Value::Finite(x) = decode(f, c)
                    && !x.is_zero()
                {
                    let exact = exact_leading_digits(&x);
                    // Ties, such as 2^−23, need the expansion.
                    if let Some(digits) = leading_digits(&x) {
                        assert_eq!(digits, exact, "{name} {c:#x}");
                        quick += 1;
                    }
                }
            }
            assert!(quick > if name == "f16" { 1_000 } else { 2_500 }, "{name}: {quick}");
        }
        assert_eq!(scientific(decode(format("binary8p1"), 1)), "2.168404344971009e-19");
        assert_eq!(scientific(parse("-1").unwrap()), "-1.0e0");
        assert_eq!(scientific(parse("9.9999999999999999").unwrap()), "1.0e1");
    }

    #[test]
    fn malformed_values_are_errors() {
        for text in
            ["", "-", "1.2.3", "0x", "0xg", "1e", "1e+", "e5", "١", "1_0", "--1", " 1", "0x1p", "nan(1)", "."]
        {
            assert_eq!(parse(text), Err(ValueError::Syntax(text.to_owned())), "{text}");
        }
    }
}
