//! YAML as a tree whose nodes have their lines. Scalars are text; the caller parses numbers.

use std::fs;
use std::path::Path;

use saphyr_parser::{Event, Parser};

use super::error::StatementError;

/// The largest size of a file in bytes. Statements are written by hand.
const LONGEST: u64 = 16 << 20;
/// The deepest nesting.
const DEEPEST: usize = 64;

/// A node of a document.
pub(super) struct Node {
    /// From 1.
    pub(super) line: usize,
    pub(super) data: Data,
}

pub(super) enum Data {
    Text(String),
    List(Vec<Node>),
    /// Keys with their values, in the order of the file.
    Map(Vec<(Node, Node)>),
}

impl Node {
    pub(super) fn text(&self) -> Option<&str> {
        if let Data::Text(text) = &self.data { Some(text.trim()) } else { None }
    }

    pub(super) fn map(&self) -> &[(Node, Node)] {
        if let Data::Map(pairs) = &self.data { pairs } else { &[] }
    }

    /// The items of a list. A node that is not a list counts as a list of itself.
    pub(super) fn items(&self) -> &[Node] {
        if let Data::List(items) = &self.data { items } else { std::slice::from_ref(self) }
    }

    /// The pairs of a mapping, or of all mappings in a list: exemplars use both forms.
    pub(super) fn pairs(&self) -> Vec<(&str, &Node)> {
        let pairs = self.items().iter().flat_map(Node::map);
        pairs.filter_map(|(key, value)| Some((key.text()?, value))).collect()
    }

    /// The value of a key among `pairs`.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        let plain = |name: &str| name.split_once(" (").map_or(name, |(name, _)| name).to_owned();
        self.pairs().into_iter().find(|(name, _)| plain(name).eq_ignore_ascii_case(key)).map(|(_, node)| node)
    }

    /// All texts below this node except keys, with their nodes.
    pub(super) fn leaves(&self) -> Vec<(&str, &Node)> {
        match &self.data {
            Data::Text(_) => self.text().map(|text| (text, self)).into_iter().collect(),
            Data::List(items) => items.iter().flat_map(Node::leaves).collect(),
            Data::Map(pairs) => pairs.iter().flat_map(|(_, value)| value.leaves()).collect(),
        }
    }
}

/// Reads a file with one document.
pub(super) fn read(path: &Path) -> Result<Node, StatementError> {
    let failed = |source| StatementError::Read { path: path.to_owned(), source };
    let bytes = fs::metadata(path).map_err(failed)?.len();
    if bytes > LONGEST {
        return Err(wrong(path, 1, format!("the file has {bytes} bytes: the limit is {LONGEST}")));
    }
    let text = fs::read_to_string(path).map_err(failed)?;
    parse(&text).map_err(|(line, reason)| wrong(path, line, reason))
}

fn wrong(path: &Path, line: usize, reason: String) -> StatementError {
    StatementError::Yaml { path: path.to_owned(), line, reason }
}

/// A list or mapping that is not finished.
struct Open {
    line: usize,
    map: bool,
    nodes: Vec<Node>,
}

fn parse(text: &str) -> Result<Node, (usize, String)> {
    let mut open: Vec<Open> = vec![];
    let mut root: Option<Node> = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| (error.marker().line(), error.info().to_owned()))?;
        let line = span.start.line();
        let done = match event {
            Event::Scalar(text, ..) => Node { line, data: Data::Text(text.into_owned()) },
            Event::Alias(_) => {
                return Err((line, "unsupported alias: write the value in full".to_owned()));
            }
            Event::SequenceStart(..) | Event::MappingStart(..) => {
                if open.len() == DEEPEST {
                    return Err((line, format!("nesting of more than {DEEPEST} levels")));
                }
                open.push(Open { line, map: matches!(event, Event::MappingStart(..)), nodes: vec![] });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open { line, map: false, nodes }) => Node { line, data: Data::List(nodes) },
                Some(Open { line, map: true, nodes }) => Node { line, data: Data::Map(paired(nodes)?) },
                None => continue,
            },
            _ => continue,
        };
        match open.last_mut() {
            Some(parent) => parent.nodes.push(done),
            None if root.is_some() => {
                return Err((line, "a second document: a file must have one".to_owned()));
            }
            None => root = Some(done),
        }
    }
    root.ok_or_else(|| (1, "the file is empty".to_owned()))
}

fn paired(nodes: Vec<Node>) -> Result<Vec<(Node, Node)>, (usize, String)> {
    let mut pairs: Vec<(Node, Node)> = vec![];
    let mut nodes = nodes.into_iter();
    while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
        let Some(name) = key.text() else { return Err((key.line, "a key that is not a text".to_owned())) };
        if pairs.iter().any(|(known, _)| known.text() == Some(name)) {
            return Err((key.line, format!("duplicate key '{}'", name.escape_debug())));
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_has_its_line() {
        let node = parse("a:\n  - b: 1\n  - c: [x, y]\nd: \"e\"\n").unwrap();
        assert_eq!(node.get("a").unwrap().get("c").unwrap().items()[1].text(), Some("y"));
        assert_eq!(node.get("a").unwrap().get("C").unwrap().line, 3);
        assert_eq!(node.get("d").unwrap().line, 4);
        assert_eq!(node.leaves().iter().map(|(text, _)| *text).collect::<Vec<_>>(), ["1", "x", "y", "e"]);
    }

    #[test]
    fn malformed_yaml_is_refused_with_its_line() {
        let error = |text: &str| parse(text).err().unwrap();
        assert_eq!(error("a: 1\na: 2").0, 2);
        assert_eq!(error("a: &x 1\nb: *x").0, 2);
        assert_eq!(error("a:\n  saturation: OvfInf, ]\n b").0, 3);
        assert!(error("").1.contains("empty"));
        assert!(error(&"[".repeat(100)).1.contains("nesting"));
        assert!(error("---\na\n---\nb\n").1.contains("second"));
    }
}
