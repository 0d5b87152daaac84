#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

use std::str::{Chars, FromStr};

use thiserror::Error;

/// An error in a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum GlobError {
    /// `[` without `]`.
    #[error("unclosed character class; missing ']'")]
    Class,
    /// A range whose end comes before its start.
    #[error("invalid range: '{0}' comes after '{1}'")]
    Range(char, char),
    /// `{` without `}`.
    #[error("unclosed alternatives; missing '}}'")]
    Unclosed,
    /// `}` without `{`.
    #[error("unopened alternatives; missing '{{' before '}}'")]
    Unopened,
    /// `\` at the end.
    #[error("a backslash at the end: a character must follow, which it makes literal")]
    Escape,
}

/// A step of the machine to which a pattern is compiled. Each step continues with the next one unless it says
/// otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Step {
    /// Matches this character.
    One(char),
    /// Matches any character.
    Any,
    /// Matches a character within one of the ranges, or within none of them.
    Set { ranges: Vec<(char, char)>, within: bool },
    /// Matches any characters, or none.
    Many,
    /// Continues at any of these steps, without a character.
    Split(Vec<usize>),
    /// Continues at this step, without a character.
    Jump(usize),
}

/// A pattern; see the [crate](self).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Glob {
    steps: Vec<Step>,
}

/// Alternatives that are being read: the step where they split, and the jumps to their end.
struct Open {
    split: usize,
    jumps: Vec<usize>,
}

impl FromStr for Glob {
    type Err = GlobError;

    fn from_str(pattern: &str) -> Result<Glob, GlobError> {
        let mut steps = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        let mut rest = pattern.chars();
        while let Some(character) = rest.next() {
            match (character, open.last_mut()) {
                ('?', _) => steps.push(Step::Any),
                // One of several consecutive `*` is enough.
                ('*', _) if steps.last() != Some(&Step::Many) => steps.push(Step::Many),
                ('*', _) => {}
                ('[', _) => steps.push(set(&mut rest)?),
                ('\\', _) => steps.push(Step::One(rest.next().ok_or(GlobError::Escape)?)),
                ('{', _) => {
                    open.push(Open { split: steps.len(), jumps: Vec::new() });
                    steps.push(Step::Split(vec![steps.len() + 1]));
                }
                (',', Some(alternatives)) => {
                    alternatives.jumps.push(steps.len());
                    steps.push(Step::Jump(0));
                    let next = steps.len();
                    if let Step::Split(starts) = &mut steps[alternatives.split] {
                        starts.push(next);
                    }
                }
                ('}', _) => {
                    // This step keeps a `*` after the braces separate from one at their end.
                    let behind = steps.len() + 1;
                    steps.push(Step::Jump(behind));
                    for jump in open.pop().ok_or(GlobError::Unopened)?.jumps {
                        steps[jump] = Step::Jump(behind);
                    }
                }
                (character, _) => steps.push(Step::One(character)),
            }
        }
        if open.is_empty() { Ok(Glob { steps }) } else { Err(GlobError::Unclosed) }
    }
}

/// Reads a set, after its `[`.
fn set(rest: &mut Chars<'_>) -> Result<Step, GlobError> {
    let within = !rest.as_str().starts_with(['!', '^']);
    if !within {
        rest.next();
    }
    let mut ranges = Vec::new();
    loop {
        let start = rest.next().ok_or(GlobError::Class)?;
        if start == ']' && !ranges.is_empty() {
            return Ok(Step::Set { ranges, within });
        }
        let mut behind = rest.clone();
        let end = match (behind.next(), behind.next()) {
            (Some('-'), Some(end)) if end != ']' => {
                *rest = behind;
                end
            }
            _ => start,
        };
        if start > end {
            return Err(GlobError::Range(start, end));
        }
        ranges.push((start, end));
    }
}

impl Step {
    /// True if the step matches this character.
    fn takes(&self, character: char) -> bool {
        match self {
            Step::One(one) => *one == character,
            Step::Any | Step::Many => true,
            Step::Set { ranges, within } => {
                ranges.iter().any(|&(start, end)| (start..=end).contains(&character)) == *within
            }
            Step::Split(_) | Step::Jump(_) => false,
        }
    }
}

/// The steps at which the machine may be: each once, in the order of discovery.
struct Places {
    is_in: Vec<bool>,
    all: Vec<usize>,
}

impl Places {
    fn new(steps: usize) -> Places {
        Places { is_in: vec![false; steps + 1], all: Vec::with_capacity(steps + 1) }
    }

    fn clear(&mut self) {
        self.all.drain(..).for_each(|place| self.is_in[place] = false);
    }

    /// Adds a step and those that it reaches without a character.
    fn add(&mut self, steps: &[Step], place: usize) {
        let mut push = |place: usize, all: &mut Vec<usize>| {
            if !std::mem::replace(&mut self.is_in[place], true) {
                all.push(place);
            }
        };
        let mut at = self.all.len();
        push(place, &mut self.all);
        while let Some(&place) = self.all.get(at) {
            at += 1;
            match steps.get(place) {
                Some(Step::Many) => push(place + 1, &mut self.all),
                Some(Step::Split(starts)) => starts.iter().for_each(|&start| push(start, &mut self.all)),
                Some(Step::Jump(to)) => push(*to, &mut self.all),
                _ => {}
            }
        }
    }
}

impl Glob {
    /// True if the pattern matches the whole name.
    pub fn matches(&self, name: &str) -> bool {
        let steps = &self.steps;
        let (mut now, mut next) = (Places::new(steps.len()), Places::new(steps.len()));
        now.add(steps, 0);
        for character in name.chars() {
            next.clear();
            for &place in &now.all {
                match steps.get(place) {
                    Some(step @ Step::Many) if step.takes(character) => next.add(steps, place),
                    Some(step) if step.takes(character) => next.add(steps, place + 1),
                    _ => {}
                }
            }
            if next.all.is_empty() {
                return false;
            }
            std::mem::swap(&mut now, &mut next);
        }
        now.is_in[steps.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, name: &str) -> bool {
        pattern.parse::<Glob>().unwrap().matches(name)
    }

    #[test]
    fn wildcards_match_any_character() {
        assert!(matches("lib?las*.so", "libblas64.1.so"));
        assert!(!matches("lib?las*.so", "libblas.so.3"));
        assert!(!matches("lib?las*.so", "liblas.so"));
        assert!(matches("*/numpy/*", "/usr/lib/numpy/core.so"), "a slash is a character");
        assert!(matches("a**b*", "ab"));
        assert!(matches("?", "é"));
        assert!(matches("", "") && matches("*", "") && !matches("?", "") && !matches("", "a"));
        assert!(!matches("a.c", "abc"), "a dot is a dot");
    }

    #[test]
    fn sets_have_ranges_and_negations() {
        assert!(matches("layer[0-3].weight", "layer2.weight"));
        assert!(!matches("layer[0-3].weight", "layer4.weight"));
        assert!(matches("[!0-3]", "4") && !matches("[^0-3]", "2"));
        assert!(matches("[]a]", "]") && matches("[!]a]", "b") && !matches("[!]a]", "]"));
        assert!(matches("[a-]", "-") && matches("[-a]", "-") && !matches("[a-]", "b"));
        assert!(matches("[*?{,}]", "*") && matches("[*?{,}]", ",") && !matches("[*?{,}]", "a"));
        assert!(matches(r"[\]", r"\"));
    }

    #[test]
    fn alternatives_nest_and_may_be_empty() {
        for name in ["ad", "abd", "acd", "accd"] {
            assert!(matches("a{,b,{c,cc}}d", name), "{name}");
        }
        assert!(!matches("a{,b,{c,cc}}d", "abcd"));
        assert!(matches("{a*,b}*c", "axxc") && matches("{a,b*}*c", "ac"));
        assert!(matches("a,b", "a,b"), "a comma outside is a comma");
    }

    #[test]
    fn escapes_are_literal() {
        assert!(matches(r"\*\[\{\\", r"*[{\") && !matches(r"\*", "a"));
        assert!(matches(r"{a\,b,c}", "a,b"));
    }

    #[test]
    fn malformed_patterns_are_errors() {
        let error = |pattern: &str| pattern.parse::<Glob>().unwrap_err();
        for pattern in ["[", "a[", "[]", "[!]", "[a", "[a-"] {
            assert_eq!(error(pattern), GlobError::Class, "{pattern}");
        }
        assert_eq!(error("[b-a]"), GlobError::Range('b', 'a'));
        assert_eq!(error("{a,{b}"), GlobError::Unclosed);
        assert_eq!(error("a}"), GlobError::Unopened);
        assert_eq!(error(r"a\"), GlobError::Escape);
        assert_eq!(error("{a").to_string(), "unclosed alternatives; missing '}'");
    }

    #[test]
    fn long_patterns_match_in_bounded_time() {
        let pattern = "*a".repeat(200) + &"{a,a,aa}".repeat(200);
        assert!(!matches(&pattern, &("a".repeat(500) + "b")));
        assert!(matches(&("{".repeat(100_000) + "a" + &"}".repeat(100_000)), "a"));
    }
}
