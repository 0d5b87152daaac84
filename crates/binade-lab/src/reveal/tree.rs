//! The order of summation as a tree, built from the numbers of products that large ones hide.

use std::collections::BTreeMap;

use super::probe::{Prober, Random};
use super::scale::Scale;
use super::{Fact, Order, RevealError, words};

/// A tree of additions. Each node adds its children in one step; a leaf is a product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// The children of each node. Children precede their parents, and the last node is the root.
    pub nodes: Vec<Vec<Child>>,
    /// The number of products.
    pub depth: usize,
}

/// An addend of a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Child {
    /// The product at this index.
    Leaf(usize),
    /// The sum of an earlier node.
    Node(usize),
}

impl Tree {
    /// The tree with these nodes in any order, of which the last is the root; children are sorted by their first product.
    pub fn canonical(depth: usize, nodes: &[Vec<Child>]) -> Tree {
        let mut first = vec![usize::MAX; nodes.len()];
        // Nodes in an order in which children come first.
        let (mut order, mut stack) = (vec![], vec![(nodes.len() - 1, false)]);
        while let Some((node, seen)) = stack.pop() {
            if seen {
                let smallest = |child: &Child| match *child {
                    Child::Leaf(leaf) => leaf,
                    Child::Node(node) => first[node],
                };
                first[node] = nodes[node].iter().map(smallest).min().unwrap_or(usize::MAX);
                order.push(node);
                continue;
            }
            stack.push((node, true));
            for child in &nodes[node] {
                if let Child::Node(node) = *child {
                    stack.push((node, false));
                }
            }
        }
        // Children before parents, and by their first product among nodes that are not related: a depth-first walk.
        let key = |child: &Child| match *child {
            Child::Leaf(leaf) => leaf,
            Child::Node(node) => first[node],
        };
        let sorted: Vec<Vec<Child>> = nodes
            .iter()
            .map(|children| {
                let mut children = children.clone();
                children.sort_by_key(key);
                children
            })
            .collect();
        let mut renamed = vec![usize::MAX; nodes.len()];
        let (mut made, mut stack) = (vec![], vec![(nodes.len() - 1, false)]);
        while let Some((node, seen)) = stack.pop() {
            if seen {
                renamed[node] = made.len();
                let child = |child: &Child| match *child {
                    Child::Node(node) => Child::Node(renamed[node]),
                    leaf => leaf,
                };
                made.push(sorted[node].iter().map(child).collect());
                continue;
            }
            stack.push((node, true));
            for child in sorted[node].iter().rev() {
                if let Child::Node(node) = *child {
                    stack.push((node, false));
                }
            }
        }
        Tree { nodes: made, depth }
    }

    /// The products below each node, sorted.
    pub fn leaves(&self) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = Vec::with_capacity(self.nodes.len());
        for children in &self.nodes {
            let mut leaves = vec![];
            for child in children {
                match *child {
                    Child::Leaf(leaf) => leaves.push(leaf),
                    Child::Node(node) => leaves.extend_from_slice(&all[node]),
                }
            }
            leaves.sort_unstable();
            all.push(leaves);
        }
        all
    }

    /// The parent of each node and of each product; the root has none.
    pub fn parents(&self) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
        let (mut of_nodes, mut of_leaves) = (vec![None; self.nodes.len()], vec![None; self.depth]);
        for (parent, children) in self.nodes.iter().enumerate() {
            for child in children {
                match *child {
                    Child::Leaf(leaf) => of_leaves[leaf] = Some(parent),
                    Child::Node(node) => of_nodes[node] = Some(parent),
                }
            }
        }
        (of_nodes, of_leaves)
    }

    /// The number of products in the smallest subtree that has both products, for each pair.
    pub fn sizes(&self, pairs: &[(usize, usize)]) -> Vec<usize> {
        let (of_nodes, of_leaves) = self.parents();
        let mut counts = vec![0; self.nodes.len()];
        for (node, children) in self.nodes.iter().enumerate() {
            let count = |child: &Child| match *child {
                Child::Leaf(_) => 1,
                Child::Node(node) => counts[node],
            };
            counts[node] = children.iter().map(count).sum();
        }
        let size = |&(i, j): &(usize, usize)| {
            let (mut x, mut y) = (of_leaves[i], of_leaves[j]);
            // A parent has a larger number than its children.
            while let (Some(a), Some(b)) = (x, y) {
                if a == b {
                    return counts[a];
                }
                if a < b { x = of_nodes[a] } else { y = of_nodes[b] }
            }
            0
        };
        pairs.iter().map(size).collect()
    }
}

/// Products whose subtree is not known yet.
struct Pending {
    leaves: Vec<usize>,
    /// The node whose children they become, and its size.
    parent: usize,
    parent_size: usize,
}

/// Builds a tree from sizes of pairs. `None` if no tree has them.
struct Builder {
    nodes: Vec<Vec<Child>>,
    sizes: Vec<usize>,
    pending: Vec<Pending>,
}

impl Builder {
    fn new(count: usize) -> Builder {
        // A place above the root, which gets one child.
        let all = Pending { leaves: (0..count).collect(), parent: 0, parent_size: usize::MAX };
        Builder { nodes: vec![vec![]], sizes: vec![count], pending: vec![all] }
    }

    /// The pairs to measure next: the first product of each pending set with all others.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let of_set = |set: &Pending| -> Vec<(usize, usize)> {
            set.leaves[1..].iter().map(|&other| (set.leaves[0], other)).collect()
        };
        self.pending.iter().flat_map(of_set).collect()
    }

    /// Splits the pending sets by the sizes of `pairs`. Returns false if no tree has them.
    fn split(&mut self, sizes: &[usize]) -> bool {
        let mut sizes = sizes.iter();
        for set in std::mem::take(&mut self.pending) {
            let mut levels: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (&leaf, &size) in set.leaves[1..].iter().zip(&mut sizes) {
                levels.entry(size).or_default().push(leaf);
            }
            let (mut child, mut count) = (Child::Leaf(set.leaves[0]), 1);
            for (size, leaves) in levels {
                if size > set.parent_size {
                    return false;
                }
                if size == set.parent_size {
                    // Products of other children of the same node.
                    self.pending.push(Pending { leaves, parent: set.parent, parent_size: set.parent_size });
                    continue;
                }
                if count + leaves.len() != size {
                    return false;
                }
                let node = self.nodes.len();
                self.nodes.push(vec![child]);
                self.sizes.push(size);
                self.pending.push(Pending { leaves, parent: node, parent_size: size });
                (child, count) = (Child::Node(node), size);
            }
            self.nodes[set.parent].push(child);
        }
        // Single products need no measurement.
        let (single, others) =
            std::mem::take(&mut self.pending).into_iter().partition(|set| set.leaves.len() == 1);
        let single: Vec<Pending> = single;
        self.pending = others;
        single.into_iter().for_each(|set| self.nodes[set.parent].push(Child::Leaf(set.leaves[0])));
        true
    }

    fn tree(self, count: usize) -> Option<Tree> {
        let [Child::Node(root)] = self.nodes[0][..] else { return None };
        let mut nodes = self.nodes;
        let last = nodes.len() - 1;
        // The root becomes the last node, and the place above it goes.
        nodes.swap(root, last);
        let renamed = |child: Child| match child {
            Child::Node(node) if node == root => Child::Node(last),
            Child::Node(node) if node == last => Child::Node(root),
            child => child,
        };
        nodes.iter_mut().flatten().for_each(|child| *child = renamed(*child));
        Some(Tree::canonical(count, &nodes))
    }
}

/// The largest depth at which the pairs of a step of exact sums are measured.
const MOST_EXACT: usize = 128;
/// The number of pairs that confirm a tree.
const CONFIRMED: usize = 4096;

/// Finds the order of summation.
pub(super) fn find<E>(prober: &mut Prober<'_, E>, scale: &Scale) -> Result<Fact<Order>, RevealError<E>> {
    let depth = prober.depth();
    let mut builder = Builder::new(depth);
    let mut consistent = true;
    while consistent && !builder.pending.is_empty() {
        let pairs = builder.pairs();
        let lost = scale.lost(prober, &pairs)?;
        let Some(lost) = lost.into_iter().collect::<Option<Vec<usize>>>() else {
            return Ok(Fact::undecided(NO_COUNT));
        };
        consistent = builder.split(&lost.iter().map(|lost| lost + 2).collect::<Vec<_>>());
    }
    let tree = if consistent { builder.tree(depth) } else { None };
    if let Some(tree) = tree
        && confirmed(prober, scale, &tree)?
    {
        return Ok(Fact::Known(order(tree, false)));
    }
    exact_steps(prober, scale)
}

const NO_COUNT: &str =
    "sums of small products beside large ones that cancel are no counts, as under rounding up or down";

/// Measures more pairs, and compares them with the tree.
fn confirmed<E>(prober: &mut Prober<'_, E>, scale: &Scale, tree: &Tree) -> Result<bool, RevealError<E>> {
    let depth = prober.depth();
    let (rows, columns) = prober.agreeing();
    let (rows, columns) = (rows.len().min(64), columns.len().min(64));
    let mut random = Random(3);
    let mut sample = |count: usize| -> Vec<usize> {
        match depth <= count {
            true => (0..depth).collect(),
            false => (0..count).map(|_| random.below(depth as u64) as usize).collect(),
        }
    };
    let pairs: Vec<(usize, usize)> = if scale.shares_vectors() {
        let (left, right) = (sample(rows), sample(columns));
        let all = left.iter().flat_map(|&i| right.iter().map(move |&j| (i, j)));
        all.filter(|(i, j)| i != j).take(CONFIRMED).collect()
    } else {
        // A product of matrices measures one pair for each row.
        let count = 4 * rows.min(columns);
        let (left, right) = (sample(depth.max(1)), sample(depth.max(1)));
        let mut random = Random(4);
        let any = |random: &mut Random, of: &[usize]| of[random.below(of.len() as u64) as usize];
        let made = (0..count).map(|_| (any(&mut random, &left), any(&mut random, &right)));
        made.filter(|(i, j)| i != j).collect()
    };
    let measured = scale.lost(prober, &pairs)?;
    let expected = tree.sizes(&pairs);
    Ok(measured.iter().zip(expected).all(|(lost, size)| lost.is_some_and(|lost| lost + 2 == size)))
}

/// The order of steps that add their products exactly: none is lost beside two that cancel in the same step.
fn exact_steps<E>(prober: &mut Prober<'_, E>, scale: &Scale) -> Result<Fact<Order>, RevealError<E>> {
    let depth = prober.depth();
    let no_tree = || Fact::undecided("no tree of additions explains the products that large ones hide");
    if depth > MOST_EXACT {
        return Ok(no_tree());
    }
    let pairs: Vec<(usize, usize)> = (0..depth).flat_map(|i| (0..i).map(move |j| (j, i))).collect();
    let lost = scale.lost(prober, &pairs)?;
    let Some(lost) = lost.into_iter().collect::<Option<Vec<usize>>>() else {
        return Ok(Fact::undecided(NO_COUNT));
    };
    // Products that hide none of each other's step are in one step. Steps have the same number, but for the last.
    let of = |i: usize, j: usize| lost[i.max(j) * (i.max(j) - 1) / 2 + i.min(j)];
    let mut steps: Vec<Vec<usize>> = vec![];
    for leaf in 0..depth {
        match steps.iter_mut().find(|step| of(step[0], leaf) == 0) {
            Some(step) => step.push(leaf),
            None => steps.push(vec![leaf]),
        }
    }
    if let [all] = &steps[..] {
        let tree = Tree { nodes: vec![all.iter().map(|&leaf| Child::Leaf(leaf)).collect()], depth };
        return Ok(Fact::Known(order(tree, true)));
    }
    // A chain of steps, by the number of products that are lost before the later of two.
    let least = |step: &Vec<usize>| {
        steps.iter().filter(|other| *other != step).map(|other| of(step[0], other[0])).min()
    };
    let mut chain: Vec<(Option<usize>, &Vec<usize>)> = steps.iter().map(|step| (least(step), step)).collect();
    chain.sort_by_key(|(least, step)| (*least, step[0]));
    let mut nodes: Vec<Vec<Child>> = vec![];
    for (_, step) in &chain {
        let mut children: Vec<Child> = step.iter().map(|&leaf| Child::Leaf(leaf)).collect();
        if !nodes.is_empty() {
            children.push(Child::Node(nodes.len() - 1));
        }
        nodes.push(children);
    }
    let mut before = vec![0; depth];
    let mut position = vec![0; depth];
    let mut sum = 0;
    for (number, (_, step)) in chain.iter().enumerate() {
        step.iter().for_each(|&leaf| (before[leaf], position[leaf]) = (sum, number));
        sum += step.len();
    }
    let explains = pairs.iter().zip(&lost).all(|(&(i, j), &lost)| match position[i].cmp(&position[j]) {
        std::cmp::Ordering::Equal => lost == 0,
        // All products before the later step are lost, but for the large one.
        std::cmp::Ordering::Less => lost + 1 == before[j],
        std::cmp::Ordering::Greater => lost + 1 == before[i],
    });
    Ok(if explains { Fact::Known(order(Tree::canonical(depth, &nodes), true)) } else { no_tree() })
}

/// The order with its description.
fn order(tree: Tree, exact: bool) -> Order {
    let of_leaves =
        |children: &Vec<Child>| children.iter().filter(|child| matches!(child, Child::Leaf(_))).count();
    // A node of two children is an addition.
    let fused = tree.nodes.iter().filter(|children| children.len() > 2 || exact);
    let products = fused.map(of_leaves).max().unwrap_or(1).max(1);
    let in_steps = products > 1
        && tree.nodes.iter().enumerate().all(|(at, children)| {
            let leaves = (at * products..tree.depth.min((at + 1) * products)).map(Child::Leaf);
            let mut expected: Vec<Child> = leaves.collect();
            if at > 0 {
                expected.insert(0, Child::Node(at - 1));
            }
            *children == expected
        });
    let words = words::describe(&tree, exact);
    Order { tree, exact, products, words, in_steps }
}
