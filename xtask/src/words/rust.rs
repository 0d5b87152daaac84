//! Reads the prose of Rust files: doc comments, help texts, and messages of errors.

use std::collections::BTreeSet;

use super::{Collector, Passage, TableRow, add_table_row};

/// Code before a string literal that makes it a message of an error.
const ERRORS: [&str; 9] = [
    "#[error(",
    "Err(",
    "Err(format!(",
    "bail!(",
    "ok_or(",
    "ok_or_else(||",
    "ok_or_else(||format!(",
    "new_err(",
    "new_err(format!(",
];

/// Attributes of clap whose value is a help text.
const HELP: [&str; 6] = ["about", "long_about", "after_help", "after_long_help", "help", "long_help"];

/// The names of constants that attributes of clap take as help texts, such as `ABOUT` in `long_about = train::ABOUT`.
pub(super) fn help_constants(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for attribute in HELP {
        for (at, _) in text.match_indices(&format!("{attribute} = ")) {
            let value = text[at..].split_once(" = ").map_or("", |(_, value)| value);
            let path: String =
                value.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_' || *c == ':').collect();
            let name = path.rsplit("::").next().unwrap_or_default();
            if name.len() > 1
                && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
            {
                names.insert(name.to_owned());
            }
        }
    }
    names
}

/// A string literal of a file, as it is written.
struct Literal<'a> {
    /// Line of its first character, from 1.
    line: usize,
    /// The code before it, without white space.
    before: String,
    text: &'a str,
}

/// The end of a character literal at the start of `rest`, if it is one and not a lifetime.
fn character_end(rest: &str) -> Option<usize> {
    let mut chars = rest.char_indices().skip(1);
    match chars.next()? {
        (_, '\\') => rest[2..].char_indices().skip(1).find(|(_, c)| *c == '\'').map(|(at, _)| at + 3),
        _ => chars.next().filter(|(_, c)| *c == '\'').map(|(at, _)| at + 1),
    }
}

/// The string literals of a file. Comments and character literals are left out.
fn literals(text: &str) -> Vec<Literal<'_>> {
    /// The bytes of code that are kept before a literal.
    const MEMORY: usize = 60;
    let mut found = vec![];
    let mut before = String::new();
    let (mut at, mut line) = (0, 1);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let raw = rest.strip_prefix('r').map(|rest| rest.len() - rest.trim_start_matches('#').len());
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if let Some(hashes) = raw.filter(|hashes| rest[1 + hashes..].starts_with('"')) {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = hashes + 2;
            let length = rest[start..].find(&end).unwrap_or(rest.len() - start);
            found.push(Literal { line, before: before.clone(), text: &rest[start..start + length] });
            (start + length + end.len()).min(rest.len())
        } else if c == '"' {
            let mut is_escaped = false;
            let end = rest[1..].find(|c| {
                let is_end = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                is_end
            });
            let length = end.unwrap_or(rest.len() - 1);
            found.push(Literal { line, before: before.clone(), text: &rest[1..1 + length] });
            (length + 2).min(rest.len())
        } else if let Some(length) = (c == '\'').then(|| character_end(rest)).flatten() {
            length
        } else {
            if !c.is_whitespace() {
                before.push(c);
            }
            if before.len() > 2 * MEMORY {
                let start = before.ceil_char_boundary(before.len() - MEMORY);
                before.drain(..start);
            }
            c.len_utf8()
        };
        line += rest[..length].matches('\n').count();
        at += length;
    }
    found
}

/// The lines of the string that a literal denotes.
fn lines(literal: &str) -> Vec<String> {
    let mut text = String::new();
    let mut rest = literal.chars();
    while let Some(c) = rest.next() {
        match (c, rest.clone().next()) {
            // A backslash at the end of a line removes the line break and the indentation after it.
            ('\\', Some('\n')) => rest = rest.as_str().trim_start().chars(),
            ('\\', Some('n')) => {
                rest.next();
                text.push('\n');
            }
            ('\\', Some(escaped)) => {
                rest.next();
                text.push(escaped);
            }
            _ => text.push(c),
        }
    }
    text.lines().map(str::to_owned).collect()
}

/// Prose of a literal: paragraphs, without the lines of examples.
fn of_literal(literal: &Literal<'_>, collector: &mut Collector) {
    collector.close();
    for line in lines(literal.text) {
        if line.trim().is_empty() || line.starts_with("  ") {
            collector.close();
        } else {
            collector.add(literal.line, line.trim());
        }
    }
    collector.close();
}

/// True for the code before a message of an error, or before a help text.
fn is_prose(before: &str, help_constants: &BTreeSet<String>) -> bool {
    let is_help = |name: &&str| {
        let value = before.strip_suffix('=').and_then(|rest| rest.strip_suffix(*name));
        value.is_some_and(|rest| rest.ends_with([',', '(']))
    };
    let is_constant = |name: &String| {
        before.strip_suffix(":&str=").is_some_and(|rest| rest.ends_with(&format!("const{name}")))
    };
    ERRORS.iter().any(|error| before.ends_with(error))
        || HELP.iter().any(is_help)
        || help_constants.iter().any(is_constant)
}

/// Prose of a Rust file: doc comments without their code, help texts, and messages of errors.
pub(super) fn passages(text: &str, help_constants: &BTreeSet<String>) -> Vec<Passage> {
    let mut collector = Collector::default();
    let mut is_code = false;
    for (line, text) in (1..).zip(text.lines().map(str::trim)) {
        let comment = text.strip_prefix("///").or_else(|| text.strip_prefix("//!")).map(str::trim);
        match comment {
            Some(comment) if comment.starts_with("```") => {
                is_code = !is_code;
                collector.close();
            }
            Some("") => collector.close(),
            Some(comment) if !is_code => {
                if let Some(row) = comment.strip_prefix('|') {
                    add_table_row(&mut collector, TableRow { line, row });
                } else if let Some(item) = comment.strip_prefix("- ") {
                    collector.close();
                    collector.add(line, item);
                } else {
                    collector.add(line, comment);
                }
            }
            Some(_) => {}
            None => {
                is_code = false;
                collector.close();
            }
        }
    }
    for literal in literals(text) {
        if is_prose(&literal.before, help_constants) {
            of_literal(&literal, &mut collector);
        }
    }
    let mut passages = collector.finish();
    passages.sort_by_key(|passage| passage.line);
    passages
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{help_constants, literals, passages};

    fn prose(text: &str) -> Vec<(usize, String)> {
        let constants = BTreeSet::from(["ABOUT".to_owned()]);
        passages(text, &constants).into_iter().map(|passage| (passage.line, passage.text)).collect()
    }

    #[test]
    fn doc_comment_without_its_code_is_prose() {
        let text = "/// First\n/// line.\n/// ```\n/// What code\n/// ```\nfn f() {} // What\n";
        assert_eq!(prose(text), [(1, "First line.".to_owned())]);
    }

    #[test]
    fn items_of_a_list_are_separate() {
        assert_eq!(prose("/// - one\n///   more\n/// - two\n").len(), 2);
    }

    #[test]
    fn table_in_a_doc_comment_is_read_by_cells() {
        let text = "//! | a b | c |\n//! |---|---|\n";
        let cells: Vec<String> =
            prose(text).into_iter().map(|(_, text)| text).filter(|t| !t.is_empty()).collect();
        assert_eq!(cells, ["a b", "c", "---", "---"]);
    }

    #[test]
    fn error_message_of_one_or_several_lines_is_prose() {
        let text = "#[error(\"Who: {0}\")]\n#[error(\n    \"a \\\n     b\",\n    f(\"c\")\n)]\nErr(format!(\"d \\\"e\\\"\"))";
        let expected = [(1, "Who: {0}"), (3, "a b"), (7, "d \"e\"")];
        assert_eq!(prose(text), expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn help_text_without_its_examples_is_prose() {
        let text = "#[command(after_help = \"Examples:\\n  cargo what\", long_about = ABOUT)]\n\
                    const ABOUT: &str = \"\\\nOne\n\nTwo\";\nconst OTHER: &str = \"What\";\nlet about = \"x\";";
        let found = ["Examples:", "One", "Two"];
        assert_eq!(prose(text).into_iter().map(|(_, text)| text).collect::<Vec<_>>(), found);
        assert_eq!(
            help_constants("long_about = train::ABOUT, about = \"x\""),
            BTreeSet::from(["ABOUT".to_owned()])
        );
    }

    #[test]
    fn literal_ends_where_rust_ends_it() {
        let text = r##"let (a, b): (&'a str, char) = (r#"x"y"#, '"'); f('\'', "\\", "z")"##;
        assert_eq!(
            literals(text).iter().map(|literal| literal.text).collect::<Vec<_>>(),
            ["x\"y", "\\\\", "z"]
        );
    }
}
