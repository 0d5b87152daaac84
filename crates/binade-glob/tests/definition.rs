//! The matcher against a naive definition of patterns, which multiplies out alternatives and tries every length of text
//! for each `*`.

use binade_glob::Glob;
use proptest::prelude::*;

/// A part of a pattern.
#[derive(Clone, Debug)]
enum Part {
    Literal(char),
    Any,
    Many,
    Set(bool, Vec<(char, char)>),
    Either(Vec<Vec<Part>>),
}

/// The text of a pattern.
fn text(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Literal(character) if "?*[{},\\".contains(*character) => text.extend(['\\', *character]),
            Part::Literal(character) => text.push(*character),
            Part::Any => text.push('?'),
            Part::Many => text.push('*'),
            Part::Set(within, ranges) => {
                text.push_str(if *within { "[" } else { "[!" });
                ranges.iter().for_each(|(start, end)| text.extend([*start, '-', *end]));
                text.push(']');
            }
            Part::Either(alternatives) => {
                let alternatives: Vec<_> = alternatives.iter().map(|parts| self::text(parts)).collect();
                text += &format!("{{{}}}", alternatives.join(","));
            }
        }
    }
    text
}

/// True if the parts match these characters, by the definition.
fn matches(parts: &[Part], name: &[char]) -> bool {
    let Some((first, rest)) = parts.split_first() else { return name.is_empty() };
    let then = |takes: bool| takes && matches(rest, &name[1..]);
    match first {
        Part::Many => (0..=name.len()).any(|length| matches(rest, &name[length..])),
        Part::Either(alternatives) => {
            alternatives.iter().any(|parts| matches(&[parts.as_slice(), rest].concat(), name))
        }
        _ if name.is_empty() => false,
        Part::Literal(character) => then(name[0] == *character),
        Part::Any => then(true),
        Part::Set(within, ranges) => {
            then(*within == ranges.iter().any(|(start, end)| *start <= name[0] && name[0] <= *end))
        }
    }
}

const ALPHABET: &[char] = &['a', 'b', 'c', '*', '{', ',', '\\', '/', 'é'];

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let range = (0..3u8, 0..3u8).prop_map(|(a, b)| ((b'a' + a.min(b)) as char, (b'a' + a.max(b)) as char));
    let leaf = prop_oneof![
        4 => prop::sample::select(ALPHABET).prop_map(Part::Literal),
        1 => Just(Part::Any),
        2 => Just(Part::Many),
        1 => (any::<bool>(), prop::collection::vec(range, 1..3)).prop_map(|(within, ranges)| Part::Set(within, ranges)),
    ];
    let part = leaf.prop_recursive(3, 12, 3, |part| {
        prop::collection::vec(prop::collection::vec(part, 0..3), 1..4).prop_map(Part::Either)
    });
    prop::collection::vec(part, 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_pattern_matches_what_its_definition_says(
        parts in parts(),
        name in prop::collection::vec(prop::sample::select(ALPHABET), 0..6),
    ) {
        let glob: Glob = text(&parts).parse().unwrap();
        prop_assert_eq!(glob.matches(&name.iter().collect::<String>()), matches(&parts, &name));
    }

    #[test]
    fn any_text_is_a_pattern_or_an_error(pattern in "[ab*?{},\\[\\]!^\\\\-]{0,12}", name in "[ab,]{0,6}") {
        if let Ok(glob) = pattern.parse::<Glob>() {
            glob.matches(&name);
        }
    }
}
