//! `cargo xtask words`: sentences of the project's prose that a reader would read twice.
//!
//! Prose is the text of Markdown files, doc comments, and messages in `#[error("…")]`. Three things are measured: sentences
//! over [`MOST_WORDS`] words, comments that open with a relative word ("What", "Whether"), and phrases in [`PHRASES`].

use std::fs;

use crate::run::{command, output, root};

/// Words of the longest sentence that passes.
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
            for cell in row.split('|') {
                collector.close();
                collector.add(line, cell.trim());
            }
            collector.close();
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

/// Prose of a Rust file: doc comments without their code, and messages of errors.
fn of_rust(text: &str) -> Vec<Passage> {
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
            Some(comment) if !is_code => collector.add(line, comment),
            Some(_) => {}
            None => {
                is_code = false;
                collector.close();
                if let Some(message) = text.strip_prefix("#[error(\"") {
                    collector.add(line, message.split("\")]").next().unwrap_or(message));
                    collector.close();
                }
            }
        }
    }
    collector.finish()
}

/// Sentences and parts of sentences that end with a full stop, colon or semicolon.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let ends: Vec<usize> = text
        .match_indices(". ")
        .chain(text.match_indices("; "))
        .chain(text.match_indices(": "))
        .chain(text.match_indices("? "))
        .map(|(place, _)| place + 1)
        .collect();
    let mut ends = ends;
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
    let listed = output(&mut command("git ls-files"))?;
    let mut count = 0;
    for path in listed.lines() {
        let is_chosen = only.is_empty() || only.iter().any(|part| path.contains(part.as_str()));
        if !is_chosen || EXEMPT.iter().any(|exempt| path.starts_with(exempt)) {
            continue;
        }
        let read = match path.rsplit_once('.') {
            Some((_, "md")) => of_markdown,
            Some((_, "rs")) => of_rust,
            _ => continue,
        };
        let text = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
        for passage in read(&text) {
            for complaint in complaints(&passage.text) {
                println!("{path}:{}: {complaint}", passage.line);
                count += 1;
            }
        }
    }
    if count == 0 { Ok(()) } else { Err(format!("{count} places in the prose to write again")) }
}

#[cfg(test)]
mod tests {
    use super::{complaints, of_markdown, of_rust};

    #[test]
    fn openings_phrases_and_long_sentences_are_found() {
        assert_eq!(complaints("What a kernel does."), ["opens with 'What'"]);
        assert_eq!(complaints("Whatever the mode, the result is exact."), [""; 0]);
        assert_eq!(complaints("A sum of so many terms."), ["has 'so many'"]);
        let long = "word ".repeat(31);
        assert_eq!(complaints(&long).len(), 1);
        assert_eq!(complaints(&long.replacen("word word", "word. word", 1)), [""; 0]);
    }

    #[test]
    fn prose_of_rust_is_doc_comments_and_error_messages() {
        let text = "/// First\n/// line.\n/// ```\n/// What code\n/// ```\nfn f() {} // What\n#[error(\"Who: {0}\")]\n";
        let found: Vec<(usize, String)> = of_rust(text).into_iter().map(|p| (p.line, p.text)).collect();
        assert_eq!(found, [(1, "First line.".to_owned()), (7, "Who: {0}".to_owned())]);
    }

    #[test]
    fn prose_of_markdown_leaves_out_code_and_separates_cells() {
        let text = "# Title\ntext\ngoes on\n- item\n```\nWhat code\n```\n| a | b |\n";
        let found: Vec<String> =
            of_markdown(text).into_iter().map(|p| p.text).filter(|t| !t.is_empty()).collect();
        assert_eq!(found, ["Title", "text goes on", "item", "a", "b"]);
    }
}
