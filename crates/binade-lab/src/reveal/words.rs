//! Descriptions of trees of additions in words, and pictures in text.

use std::collections::HashMap;
use std::fmt::Write;

use super::tree::{Child, Tree};

/// A tree with what descriptions need of it.
struct Described<'a> {
    tree: &'a Tree,
    /// The products below each node, sorted.
    leaves: Vec<Vec<usize>>,
    /// The node that has exactly these products.
    by_leaves: HashMap<Vec<usize>, usize>,
    exact: bool,
}

/// The order of a tree in words.
pub(super) fn describe(tree: &Tree, exact: bool) -> String {
    let leaves = tree.leaves();
    let by_leaves = leaves.iter().cloned().zip(0..).collect();
    let described = Described { tree, leaves, by_leaves, exact };
    let root = Child::Node(tree.nodes.len() - 1);
    if let [children] = &tree.nodes[..] {
        return match exact {
            true => format!("all {} products are added exactly, and rounded once", tree.depth),
            false if children.len() > 2 => format!("all {} products in one step", tree.depth),
            false => "two products".to_owned(),
        };
    }
    described.subtree(root, 3).unwrap_or_else(|| described.irregular())
}

/// The most blocks of different lengths that are described.
const MOST_BLOCKS: usize = 16;

/// The order of a chain of steps.
#[derive(Clone, Copy)]
enum Chain {
    /// One product after another.
    Ascending,
    /// From the last product to the first.
    Descending,
    /// Of each two products, the second one first.
    SwappedPairs,
    /// Steps of this number of products.
    Steps(usize),
}

/// A pattern in which items are added.
fn pattern(children: &[Vec<Child>], items: usize) -> Option<&'static str> {
    let leaf = Child::Leaf;
    let chain = |order: &dyn Fn(usize) -> usize| -> Vec<Vec<Child>> {
        let first = vec![leaf(order(0)), leaf(order(1))];
        let others = (2..items).map(|at| vec![Child::Node(at - 2), leaf(order(at))]);
        std::iter::once(first).chain(others).collect()
    };
    let tree = |nodes: &[Vec<Child>]| Tree::canonical(items, nodes);
    let this = tree(children);
    // Pairs at a distance, then pairs of these: neighbours first, or halves first.
    let pairs = |halves: bool| -> Vec<Vec<Child>> {
        let mut level: Vec<Child> = (0..items).map(leaf).collect();
        let mut nodes = vec![];
        while level.len() > 1 {
            let half = level.len().div_ceil(2);
            let mut next = vec![];
            for at in 0..half {
                let (left, right) = if halves { (at, at + half) } else { (2 * at, 2 * at + 1) };
                match level.get(right) {
                    Some(&right) => {
                        nodes.push(vec![level[left], right]);
                        next.push(Child::Node(nodes.len() - 1));
                    }
                    None => next.push(level[left]),
                }
            }
            level = next;
        }
        nodes
    };
    match items {
        0 | 1 => None,
        2 => Some("together"),
        _ if this.nodes.len() == 1 => Some("in one step"),
        _ if this == tree(&chain(&|at| at)) => Some("in order"),
        _ if this == tree(&chain(&|at| items - 1 - at)) => Some("in reverse order"),
        _ if this == tree(&pairs(false)) => Some("pairwise, neighbours first"),
        _ if this == tree(&pairs(true)) => Some("pairwise, i with i + half first"),
        _ => None,
    }
}

impl Described<'_> {
    fn leaves(&self, child: Child) -> Vec<usize> {
        match child {
            Child::Leaf(leaf) => vec![leaf],
            Child::Node(node) => self.leaves[node].clone(),
        }
    }

    /// The order of a subtree that is a chain: each step adds products to the sum of the earlier ones.
    fn chain(&self, child: Child) -> Option<Chain> {
        let mut at = child;
        let mut steps: Vec<Vec<usize>> = vec![];
        loop {
            let Child::Node(node) = at else {
                steps.push(self.leaves(at));
                break;
            };
            let (leaves, nodes): (Vec<Child>, Vec<Child>) =
                self.tree.nodes[node].iter().partition(|child| matches!(child, Child::Leaf(_)));
            steps.push(leaves.into_iter().flat_map(|leaf| self.leaves(leaf)).collect());
            match nodes[..] {
                [] => break,
                [next] => at = next,
                _ => return None,
            }
        }
        steps.reverse();
        let most = steps.iter().map(Vec::len).max()?;
        // Binary additions: the first node has two products.
        if steps[0].len() <= 2 && steps[1..].iter().all(|step| step.len() == 1) {
            let mut order: Vec<usize> = steps.concat();
            if order.is_sorted() {
                return Some(Chain::Ascending);
            }
            let swapped = |pair: &[usize]| pair.len() == 1 || pair[0] == pair[1] + 1;
            if order[2..].chunks(2).all(swapped) && order[2..].chunks(2).is_sorted_by_key(<[usize]>::last) {
                return Some(Chain::SwappedPairs);
            }
            order[2..].reverse();
            order.rotate_left(2);
            return order.is_sorted().then_some(Chain::Descending);
        }
        let full = steps[..steps.len() - 1].iter().all(|step| step.len() == most);
        (full && steps.concat().is_sorted()).then_some(Chain::Steps(most))
    }

    fn chain_words(&self, chain: Chain) -> String {
        match chain {
            Chain::Ascending => "one after another".to_owned(),
            Chain::Descending => "one after another, from the last to the first".to_owned(),
            Chain::SwappedPairs => "one after another, the second of each pair first".to_owned(),
            Chain::Steps(n) => {
                let exactly = if self.exact { " exactly" } else { "" };
                format!("in steps of {n}, each added{exactly} to the sum of the earlier ones")
            }
        }
    }

    /// The words for a subtree, with at most `levels` levels of blocks and lanes.
    fn subtree(&self, child: Child, levels: usize) -> Option<String> {
        let leaves = self.leaves(child);
        let count = leaves.len();
        if let Some(chain) = self.chain(child) {
            return Some(self.chain_words(chain));
        }
        let Child::Node(root) = child else { return None };
        let single: Vec<Vec<usize>> = leaves.iter().map(|&leaf| vec![leaf]).collect();
        if let Some(pattern) = self.contracted(root, &single).and_then(|top| pattern(&top, count)) {
            return Some(pattern.to_owned());
        }
        if levels == 0 {
            return None;
        }
        // Chains in blocks or lanes are preferred to other parts.
        let mut other = None;
        for parts in 2..=count / 2 {
            for lanes in [true, false] {
                let length = count.div_ceil(parts);
                let split: Vec<Vec<usize>> = match lanes {
                    true => (0..parts)
                        .map(|lane| leaves.iter().copied().skip(lane).step_by(parts).collect())
                        .collect(),
                    false if count.div_ceil(length) != parts => continue,
                    false => leaves.chunks(length).map(<[usize]>::to_vec).collect(),
                };
                let Some(top) = self.contracted(root, &split) else { continue };
                let Some(pattern) = pattern(&top, parts) else { continue };
                let Some(tops) = self.roots(&split) else { continue };
                let inner: Option<Vec<String>> =
                    tops.iter().map(|&part| self.subtree(part, levels - 1)).collect();
                let Some(inner) = inner else { continue };
                // The last block may be shorter, and is described by the others.
                let same = inner.iter().take(inner.len().max(2) - 1).all(|words| *words == inner[0]);
                if !same {
                    continue;
                }
                let part = if lanes { "a lane" } else { "a block" };
                let verb = if inner[0].starts_with(char::is_numeric) { "has" } else { "is summed" };
                let parts = match lanes {
                    true => format!("{parts} lanes (i mod {parts})"),
                    false => format!("{parts} blocks of {length}"),
                };
                let words = format!("{parts}, added {pattern}; {part} {verb} {}", inner[0]);
                if tops.iter().all(|&part| self.chain(part).is_some()) {
                    return Some(words);
                }
                other.get_or_insert(words);
            }
        }
        other.or_else(|| self.uneven_blocks(child, root))
    }

    /// The words for blocks of consecutive products that differ in length.
    fn uneven_blocks(&self, child: Child, root: usize) -> Option<String> {
        let (mut blocks, mut stack) = (vec![], vec![child]);
        while let Some(child) = stack.pop() {
            match (self.chain(child), child) {
                (Some(chain), _) => blocks.push((self.leaves(child), self.chain_words(chain))),
                (None, Child::Node(node)) => stack.extend(&self.tree.nodes[node]),
                (None, Child::Leaf(_)) => return None,
            }
        }
        blocks.sort();
        let is_block = |leaves: &[usize]| leaves[leaves.len() - 1] - leaves[0] + 1 == leaves.len();
        let words = &blocks[0].1;
        let same =
            blocks.iter().all(|(leaves, other)| is_block(leaves) && (leaves.len() == 1 || other == words));
        if !same || blocks.len() > MOST_BLOCKS {
            return None;
        }
        let (parts, lengths): (Vec<Vec<usize>>, Vec<String>) =
            blocks.iter().map(|(leaves, _)| (leaves.clone(), leaves.len().to_string())).unzip();
        let pattern = pattern(&self.contracted(root, &parts)?, parts.len())?;
        let lengths = lengths.join(", ");
        Some(format!("{} blocks of {lengths}, added {pattern}; a block is summed {words}", parts.len()))
    }

    /// The subtree that has exactly each part's products; `None` if a part has no subtree.
    fn roots(&self, parts: &[Vec<usize>]) -> Option<Vec<Child>> {
        let of = |part: &Vec<usize>| match part[..] {
            [leaf] => Some(Child::Leaf(leaf)),
            _ => self.by_leaves.get(part).copied().map(Child::Node),
        };
        parts.iter().map(of).collect()
    }

    /// The additions of parts below a node, each part counting as a leaf of its number; `None` if a part is no subtree.
    fn contracted(&self, root: usize, parts: &[Vec<usize>]) -> Option<Vec<Vec<Child>>> {
        let tops: HashMap<Child, usize> = self.roots(parts)?.into_iter().zip(0..).collect();
        let (mut made, mut stack) = (vec![], vec![(root, false)]);
        let mut renamed = HashMap::new();
        while let Some((node, seen)) = stack.pop() {
            if seen {
                let child = |child: &Child| match (tops.get(child), child) {
                    (Some(&part), _) => Some(Child::Leaf(part)),
                    (None, Child::Node(node)) => renamed.get(node).map(|&node| Child::Node(node)),
                    (None, Child::Leaf(_)) => None,
                };
                let children = self.tree.nodes[node].iter().map(child).collect::<Option<Vec<Child>>>()?;
                renamed.insert(node, made.len());
                made.push(children);
                continue;
            }
            stack.push((node, true));
            for child in self.tree.nodes[node].iter().filter(|child| !tops.contains_key(child)) {
                match *child {
                    Child::Node(node) => stack.push((node, false)),
                    Child::Leaf(_) => return None,
                }
            }
        }
        Some(made)
    }

    fn irregular(&self) -> String {
        let widest = self.tree.nodes.iter().map(Vec::len).max().unwrap_or(0);
        let mut heights: Vec<usize> = vec![];
        for children in &self.tree.nodes {
            let height = |child: &Child| match *child {
                Child::Leaf(_) => 0,
                Child::Node(node) => heights[node],
            };
            heights.push(1 + children.iter().map(height).max().unwrap_or(0));
        }
        let height = heights.last().copied().unwrap_or(0);
        format!(
            "a tree without a simple pattern: {} additions, the longest path has {height}, the largest adds {widest} numbers",
            self.tree.nodes.len()
        )
    }
}

/// Lines of a picture at most.
const MOST_LINES: usize = 48;

/// The tree as an indented outline. Runs of products that are added one after another are one line.
pub(super) fn picture(tree: &Tree) -> String {
    let mut lines: Vec<String> = vec![];
    let mut stack = vec![(Child::Node(tree.nodes.len() - 1), 0)];
    while let Some((child, indent)) = stack.pop() {
        if lines.len() == MOST_LINES {
            lines.push("…".to_owned());
            break;
        }
        let (mut at, mut run) = (child, vec![]);
        // Steps of one product at the end of a sum.
        while let Child::Node(node) = at {
            let children = &tree.nodes[node];
            let (leaves, nodes): (Vec<Child>, Vec<Child>) =
                children.iter().partition(|child| matches!(child, Child::Leaf(_)));
            if nodes.len() > 1 || leaves.is_empty() {
                break;
            }
            let step: Vec<String> = leaves.iter().map(|leaf| leaf_text(*leaf)).collect();
            run.push(if step.len() > 1 && !(nodes.is_empty() && children.len() == 2) {
                format!("[{}]", shortened(&step, " "))
            } else {
                step.join(" + ")
            });
            match nodes.first() {
                Some(next) => at = *next,
                None => {
                    at = Child::Leaf(usize::MAX);
                    break;
                }
            }
        }
        run.reverse();
        let mut text = "  ".repeat(indent);
        let sum = matches!(at, Child::Node(_));
        let head = match at {
            Child::Node(_) if run.is_empty() => "sum of".to_owned(),
            Child::Node(_) => format!("sum of what follows, + {}", shortened(&run, " + ")),
            Child::Leaf(usize::MAX) => shortened(&run, " + "),
            Child::Leaf(leaf) => leaf.to_string(),
        };
        let _ = write!(text, "{head}");
        lines.push(text);
        if let (true, Child::Node(node)) = (sum, at) {
            stack.extend(tree.nodes[node].iter().rev().map(|&child| (child, indent + 1)));
        }
    }
    lines.join("\n")
}

fn leaf_text(child: Child) -> String {
    match child {
        Child::Leaf(leaf) => leaf.to_string(),
        Child::Node(_) => String::new(),
    }
}

/// Items with the middle left out if there are many.
fn shortened(items: &[String], separator: &str) -> String {
    match items {
        [first, second, third, .., last] if items.len() > 5 => {
            [first, second, third, &"…".to_owned(), last].map(String::as_str).join(separator)
        }
        _ => items.join(separator),
    }
}
