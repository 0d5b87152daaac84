//! Tokens of MLIR text, for the parser. Lexing depends on context: `4x8xf32` is a shape in a type and an identifier elsewhere.
//! The parser therefore asks for one token at a time, and may read the text again from the start of a token.

use memchr::{memchr, memchr2};

/// Kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    /// `stablehlo.add`, `dense`, `x`.
    Word,
    /// `%name`.
    Percent,
    /// `@name`. `@` alone precedes a string.
    At,
    /// `^bb0`.
    Caret,
    /// `!stablehlo.token`, without what follows.
    Bang,
    /// `#stablehlo.gather`, `#loc1`, and the `#1` of `%0#1`.
    Hash,
    /// `12`, `0x1F`.
    Integer,
    /// `1.5`, `1.0e+10`.
    Float,
    /// A string with its quotes.
    String,
    /// A string without a closing quote.
    OpenString,
    /// `->`.
    Arrow,
    /// Any other character.
    Mark(u8),
    /// The end of the text.
    End,
}

/// A token: the bytes `start..end` of the text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

fn is_suffix(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// The first byte, from `at` on, that `accept` refuses.
pub(crate) fn run(text: &[u8], at: usize, accept: impl Fn(u8) -> bool) -> usize {
    text[at..].iter().position(|&byte| !accept(byte)).map_or(text.len(), |n| at + n)
}

/// The first byte, from `at` on, that is neither white space nor part of a comment.
pub(crate) fn skip_space(text: &[u8], mut at: usize) -> usize {
    loop {
        at = run(text, at, |byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r'));
        if !text[at..].starts_with(b"//") {
            return at;
        }
        at = memchr(b'\n', &text[at..]).map_or(text.len(), |n| at + n);
    }
}

/// The end of the string whose opening quote is at `at`: the byte after its closing quote. `None` if the string does not end in
/// its line.
pub(crate) fn string_end(text: &[u8], at: usize) -> Option<usize> {
    let mut next = at + 1;
    loop {
        next += memchr2(b'"', b'\\', &text[next..])?;
        if text[next] == b'"' {
            return Some(next + 1);
        }
        next += 2;
        if next > text.len() {
            return None;
        }
    }
}

/// The end of the number that starts with a digit at `at`, and true if it has a point.
fn number_end(text: &[u8], at: usize) -> (usize, bool) {
    if text[at..].starts_with(b"0x") && text.get(at + 2).is_some_and(u8::is_ascii_hexdigit) {
        return (run(text, at + 2, |byte| byte.is_ascii_hexdigit()), false);
    }
    let end = run(text, at, |byte| byte.is_ascii_digit());
    if text.get(end) != Some(&b'.') {
        return (end, false);
    }
    let end = run(text, end + 1, |byte| byte.is_ascii_digit());
    if matches!(text.get(end), Some(b'e' | b'E')) {
        let digits = end + 1 + usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
        if text.get(digits).is_some_and(u8::is_ascii_digit) {
            return (run(text, digits, |byte| byte.is_ascii_digit()), true);
        }
    }
    (end, true)
}

/// The first token from `at` on.
pub(crate) fn token(text: &[u8], at: usize) -> Token {
    let start = skip_space(text, at);
    let Some(&first) = text.get(start) else {
        return Token { kind: TokenKind::End, start, end: start };
    };
    let suffixed = |kind| (kind, run(text, start + 1, is_suffix));
    let (kind, end) = match first {
        _ if is_word_start(first) => (TokenKind::Word, run(text, start, is_word)),
        b'%' => suffixed(TokenKind::Percent),
        b'@' => suffixed(TokenKind::At),
        b'^' => suffixed(TokenKind::Caret),
        b'!' => (TokenKind::Bang, run(text, start + 1, is_word)),
        b'#' => (TokenKind::Hash, run(text, start + 1, is_word)),
        b'0'..=b'9' => {
            let (end, point) = number_end(text, start);
            (if point { TokenKind::Float } else { TokenKind::Integer }, end)
        }
        b'"' => match string_end(text, start) {
            Some(end) => (TokenKind::String, end),
            None => (TokenKind::OpenString, text.len()),
        },
        b'-' if text.get(start + 1) == Some(&b'>') => (TokenKind::Arrow, start + 2),
        mark => (TokenKind::Mark(mark), start + 1),
    };
    Token { kind, start, end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_every_kind() {
        let text = r#"%0:2 = stablehlo.add %a#1, @f // c
            ^bb0 -> -1.5e+3 0x1F 7 "a\"b" !stablehlo.token<"#;
        let mut at = 0;
        let mut found = vec![];
        loop {
            let token = token(text.as_bytes(), at);
            if token.kind == TokenKind::End {
                break;
            }
            found.push((token.kind, &text[token.start..token.end]));
            at = token.end;
        }
        let expected = [
            (TokenKind::Percent, "%0"),
            (TokenKind::Mark(b':'), ":"),
            (TokenKind::Integer, "2"),
            (TokenKind::Mark(b'='), "="),
            (TokenKind::Word, "stablehlo.add"),
            (TokenKind::Percent, "%a"),
            (TokenKind::Hash, "#1"),
            (TokenKind::Mark(b','), ","),
            (TokenKind::At, "@f"),
            (TokenKind::Caret, "^bb0"),
            (TokenKind::Arrow, "->"),
            (TokenKind::Mark(b'-'), "-"),
            (TokenKind::Float, "1.5e+3"),
            (TokenKind::Integer, "0x1F"),
            (TokenKind::Integer, "7"),
            (TokenKind::String, r#""a\"b""#),
            (TokenKind::Bang, "!stablehlo.token"),
            (TokenKind::Mark(b'<'), "<"),
        ];
        assert_eq!(found, expected);
        for open in ["\"abc", "\"abc\\", "\"abc\\\""] {
            assert_eq!(token(open.as_bytes(), 0).kind, TokenKind::OpenString, "{open}");
        }
    }
}
