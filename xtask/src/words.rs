//! `cargo xtask words`: finds sentences in the project's prose that a reader would read twice.
//!
//! Prose is the text of Markdown files, doc comments, help texts, and messages of errors. Three things are measured: sentences
//! over [`MOST_WORDS`] words, passages that open with a relative word ("What", "Whether"), and phrases in [`PHRASES`].

mod rust;

use std::collections::BTreeSet;
use std::fs;

use crate::run::{command, output, root, say};

/// The number of words of the longest sentence that passes.
const MOST_WORDS: usize = 30;

/// Opening words that put the subject last.
const OPENINGS: [&str; 6] = ["What", "Whether", "Who", "Those", "How many", "How much"];

/// Phrases that stand for a name, a count or a term of the field.
const PHRASES: [&str; 14] = [
    "so many",
    "so much",
    "as many as",
    "nobody",
    "somebody",
    "whoever",
    "is looked at",
    "are looked at",
    "it is looked",
    "there is none",
    "that is none",
    "is held",
    "are held",
    "the other way round",
];

/// Files whose sentences are quotations or generated.
const EXEMPT: [&str; 2] = ["LICENSE-", "docs/conformance.md"];

/// A stretch of prose without a break.
struct Passage {
    /// Line of its first word, from 1.
    line: usize,
    text: String,
}

/// Collects lines into passages.
#[derive(Default)]
struct Collector {
    passages: Vec<Passage>,
    open: Option<Passage>,
}

impl Collector {
    fn add(&mut self, line: usize, text: &str) {
        match &mut self.open {
            Some(passage) => {
                passage.text.push(' ');
                passage.text.push_str(text);
            }
            None => self.open = Some(Passage { line, text: text.to_owned() }),
        }
    }

    fn close(&mut self) {
        self.passages.extend(self.open.take());
    }

    fn finish(mut self) -> Vec<Passage> {
        self.close();
        self.passages
    }
}

/// A row of a table, after its first bar.
struct TableRow<'a> {
    line: usize,
    row: &'a str,
}

/// Adds the cells of a row, each as a passage.
fn add_table_row(collector: &mut Collector, TableRow { line, row }: TableRow<'_>) {
    for cell in row.split('|') {
        collector.close();
        collector.add(line, cell.trim());
    }
    collector.close();
}

/// Prose of a Markdown file: paragraphs, items of lists and cells of tables, without code.
fn of_markdown(text: &str) -> Vec<Passage> {
    let mut collector = Collector::default();
    let mut is_code = false;
    for (line, text) in (1..).zip(text.lines().map(str::trim)) {
        if text.starts_with("```") {
            is_code = !is_code;
            collector.close();
        } else if is_code || text.is_empty() || text.starts_with("<!--") {
            collector.close();
        } else if let Some(row) = text.strip_prefix('|') {
            add_table_row(&mut collector, TableRow { line, row });
        } else {
            let item = ["- ", "* ", "> ", "#"].iter().find_map(|mark| text.strip_prefix(mark));
            if item.is_some() {
                collector.close();
            }
            collector.add(line, item.unwrap_or(text).trim_start_matches('#').trim());
            if text.starts_with('#') {
                collector.close();
            }
        }
    }
    collector.finish()
}

/// Sentences and parts of sentences that end with a full stop, colon or semicolon.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let mut ends: Vec<usize> = text
        .match_indices(". ")
        .chain(text.match_indices("; "))
        .chain(text.match_indices(": "))
        .chain(text.match_indices("? "))
        .map(|(place, _)| place + 1)
        .collect();
    ends.sort_unstable();
    ends.push(text.len());
    ends.into_iter().map(move |end| {
        let sentence = &text[start..end];
        start = end;
        sentence.trim()
    })
}

/// Complaints about a passage.
fn complaints(text: &str) -> Vec<String> {
    let mut found = vec![];
    let opens_with = |opening: &&&str| {
        text.strip_prefix(**opening).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    if let Some(opening) = OPENINGS.iter().find(opens_with) {
        found.push(format!("opens with '{opening}'"));
    }
    let lower = text.to_lowercase();
    found.extend(
        PHRASES.iter().filter(|phrase| lower.contains(**phrase)).map(|phrase| format!("has '{phrase}'")),
    );
    for sentence in sentences(text) {
        let words = sentence.split_whitespace().count();
        if words > MOST_WORDS {
            let start: Vec<&str> = sentence.split_whitespace().take(6).collect();
            found.push(format!("a sentence of {words} words: '{} …'", start.join(" ")));
        }
    }
    found
}

/// Prints the complaints about files whose path contains one of `only` (all files if it is empty), and fails if there are any.
pub(crate) fn check(only: &[String]) -> Result<(), String> {
    let is_chosen = |path: &str| only.is_empty() || only.iter().any(|part| path.contains(part.as_str()));
    let listed = output(&mut command("git ls-files --cached --others --exclude-standard *.md *.rs"))?;
    let mut files = vec![];
    for path in listed.lines().filter(|path| !EXEMPT.iter().any(|exempt| path.starts_with(exempt))) {
        // A file that is removed and not committed yet is listed, too.
        if root().join(path).exists() {
            let text = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
            files.push((path, text));
        }
    }
    let help_constants: BTreeSet<String> =
        files.iter().flat_map(|(_, text)| rust::help_constants(text)).collect();
    let mut count = 0;
    for (path, text) in files.iter().filter(|(path, _)| is_chosen(path)) {
        let passages =
            if path.ends_with(".md") { of_markdown(text) } else { rust::passages(text, &help_constants) };
        for passage in passages {
            for complaint in complaints(&passage.text) {
                say(&format!("{path}:{}: {complaint}", passage.line));
                count += 1;
            }
        }
    }
    if count == 0 { Ok(()) } else { Err(format!("{count} places in the prose to write again")) }
}

#[cfg(test)]
mod tests {
    use super::{complaints, of_markdown};

    #[test]
    fn opening_phrase_or_long_sentence_is_found() {
        assert_eq!(complaints("What a kernel does."), ["opens with 'What'"]);
        assert_eq!(complaints("Whatever the mode, the result is exact."), [""; 0]);
        assert_eq!(complaints("A sum of so many terms."), ["has 'so many'"]);
        let long = "word ".repeat(31);
        assert_eq!(complaints(&long).len(), 1);
        assert_eq!(complaints(&long.replacen("word word", "word. word", 1)), [""; 0]);
    }

    #[test]
    fn prose_of_markdown_is_without_code_and_by_cells() {
        let text = "# Title\ntext\ngoes on\n- item\n```\nWhat code\n```\n| a | b |\n";
        let found: Vec<String> =
            of_markdown(text).into_iter().map(|p| p.text).filter(|t| !t.is_empty()).collect();
        assert_eq!(found, ["Title", "text goes on", "item", "a", "b"]);
    }
}
