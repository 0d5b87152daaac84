//! The graph of users and items for NGCF: its matrix, and triples to train on.
//!
//! X. Wang and others, "Neural graph collaborative filtering", arXiv 1905.08108.

use crate::random::{Purpose, below, block};
use crate::{DataError, Dataset, Split};

/// Largest number of users and items together.
const MAX_NODES: u64 = 1 << 26;

/// The items that each user chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choices {
    items: usize,
    /// The items of user u are those from `starts[u]` to `starts[u + 1]`, ascending and unique.
    starts: Vec<usize>,
    chosen: Vec<u32>,
    /// Users who chose at least one item, but not all.
    learnable: Vec<u32>,
}

/// A user, an item that the user chose, and one that the user did not choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // The lines above are their docs.
pub struct Triple {
    pub user: u32,
    pub chosen: u32,
    pub other: u32,
}

impl Choices {
    /// The choices of the training and the test split. Both cover all users and items up to the highest number of either.
    ///
    /// # Errors
    /// - [`DataError::Columns`]: a split lacks `user` or `item`, or one of them is not of non-negative integers.
    /// - [`DataError::TooLarge`]: there are more than 2²⁶ users and items.
    pub fn of(data: &Dataset) -> Result<[Self; 2], DataError> {
        let splits = [pairs(&data.train)?, pairs(&data.test)?];
        let count = |column: fn(&(u32, u32)) -> u32| {
            splits.iter().flatten().map(column).max().map_or(0, |highest| highest as usize + 1)
        };
        let (users, items) = (count(|pair| pair.0), count(|pair| pair.1));
        let size = users as u64 + items as u64;
        if size > MAX_NODES {
            return Err(DataError::TooLarge {
                what: "the graph of users and items".into(),
                size,
                limit: MAX_NODES,
            });
        }
        Ok(splits.map(|pairs| Self::new(users, items, pairs)))
    }

    fn new(users: usize, items: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let starts = starts(users, pairs.iter().map(|&(user, _)| user as usize));
        let chosen = pairs.into_iter().map(|(_, item)| item).collect();
        let mut choices = Self { items, starts, chosen, learnable: vec![] };
        let learnable = |user: &u32| (1..items).contains(&choices.of_user(*user as usize).len());
        choices.learnable = (0..users as u32).filter(learnable).collect();
        choices
    }

    /// Number of users.
    pub fn users(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of items.
    pub fn items(&self) -> usize {
        self.items
    }

    /// Number of choices.
    pub fn len(&self) -> usize {
        self.chosen.len()
    }

    /// Returns true if there is no choice.
    pub fn is_empty(&self) -> bool {
        self.chosen.is_empty()
    }

    /// The items that a user chose, ascending.
    ///
    /// # Panics
    /// If the user does not exist.
    pub fn of_user(&self, user: usize) -> &[u32] {
        &self.chosen[self.starts[user]..self.starts[user + 1]]
    }

    /// Triple `index` of an epoch: a user, a chosen item and an item not chosen, each uniformly drawn. `None` if no user
    /// chose some items but not all.
    ///
    /// The Philox block has the seed as its key and the counter (index, epoch's low half, epoch's high half, 5). Its words 0,
    /// 1 and 2 select position ⌊n w / 2³²⌋ among n candidates in ascending order: the users, the items chosen, and the other
    /// items.
    pub fn triple(&self, seed: u64, epoch: u64, index: u32) -> Option<Triple> {
        let words = block(seed, Purpose::Triples, epoch, index);
        let place = |count: usize, word: u32| below(count as u64, [0, word]) as usize;
        let user = *self.learnable.get(place(self.learnable.len(), words[0]))?;
        let chosen = self.of_user(user as usize);
        let other = absent(chosen, place(self.items - chosen.len(), words[2]));
        Some(Triple { user, chosen: chosen[place(chosen.len(), words[1])], other })
    }

    /// The matrix of the graph: row and column u for user u, row and column users + i for item i.
    pub fn adjacency(&self, weights: Weights) -> Sparse {
        let users = self.users();
        let mut entries = Vec::with_capacity(2 * self.len() + self.items + users);
        for user in 0..users {
            for &item in self.of_user(user) {
                let item = users + item as usize;
                entries.extend([(user, item), (item, user)]);
            }
        }
        let nodes = users + self.items;
        if weights == Weights::MeanWithSelf {
            entries.extend((0..nodes).map(|node| (node, node)));
        }
        entries.sort_unstable();
        let starts = starts(nodes, entries.iter().map(|&(row, _)| row));
        let degree = |node: usize| (starts[node + 1] - starts[node]) as f64;
        let weight = |&(row, column): &(usize, usize)| match weights {
            Weights::Symmetric => (1.0 / (degree(row) * degree(column)).sqrt()) as f32,
            Weights::MeanWithSelf => (1.0 / degree(row)) as f32,
        };
        let values = entries.iter().map(weight).collect();
        let columns = entries.iter().map(|&(_, column)| column as u32).collect();
        Sparse { width: nodes, starts, columns, values }
    }
}

/// Weights of an edge between nodes of degrees d and e, computed in binary64 and rounded once to binary32.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// 1/√(d e): the Laplacian matrix of the paper.
    Symmetric,
    /// Each node is its own neighbour too, and rows sum to 1: the default of the authors' program.
    MeanWithSelf,
}

/// A sparse matrix in compressed rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Sparse {
    /// The number of columns.
    pub width: usize,
    /// The entries of row r are those from `starts[r]` to `starts[r + 1]`, in ascending columns.
    pub starts: Vec<usize>,
    /// The column of each entry.
    pub columns: Vec<u32>,
    /// The value of each entry.
    pub values: Vec<f32>,
}

impl Sparse {
    /// The number of rows.
    pub fn height(&self) -> usize {
        self.starts.len() - 1
    }

    /// Columns and values of a row.
    ///
    /// # Panics
    /// If the row does not exist.
    pub fn row(&self, row: usize) -> (&[u32], &[f32]) {
        let entries = self.starts[row]..self.starts[row + 1];
        (&self.columns[entries.clone()], &self.values[entries])
    }

    /// The transposed matrix, for gradients.
    pub fn transposed(&self) -> Self {
        let starts = starts(self.width, self.columns.iter().map(|&column| column as usize));
        let mut next = starts.clone();
        let (mut columns, mut values) = (vec![0; self.columns.len()], vec![0.0; self.values.len()]);
        for row in 0..self.height() {
            let (old, weights) = self.row(row);
            for (&column, &value) in old.iter().zip(weights) {
                let at = &mut next[column as usize];
                (columns[*at], values[*at]) = (row as u32, value);
                *at += 1;
            }
        }
        Self { width: self.height(), starts, columns, values }
    }
}

/// Start of each of `count` groups whose members are stored group by group, and the end of the last group.
fn starts(count: usize, members: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut starts = vec![0; count + 1];
    members.for_each(|group| starts[group + 1] += 1);
    for at in 0..count {
        starts[at + 1] += starts[at];
    }
    starts
}

/// The number at index `place` among the non-negative integers not in `present`, which ascends.
///
/// `present[k] − k` absent numbers are below `present[k]`, and this count ascends. The first k where it exceeds `place` is
/// the number of present numbers to skip.
fn absent(present: &[u32], place: usize) -> u32 {
    let (mut low, mut high) = (0, present.len());
    while low < high {
        let middle = low.midpoint(high);
        if present[middle] as usize - middle > place { high = middle } else { low = middle + 1 }
    }
    (place + low) as u32
}

fn pairs(split: &Split) -> Result<Vec<(u32, u32)>, DataError> {
    let numbers = |name: &str| -> Result<Vec<u32>, DataError> {
        let wrong =
            |problem: &str| DataError::Columns { column: name.to_owned(), problem: problem.to_owned() };
        let column = split.column(name).ok_or_else(|| wrong("is missing"))?;
        let values = column.values.as_i32().filter(|_| column.shape.is_empty());
        let values = values.ok_or_else(|| wrong("must have one 32-bit integer for each example"))?;
        values
            .iter()
            .map(|&value| u32::try_from(value).map_err(|_| wrong("must not have negative numbers")))
            .collect()
    };
    Ok(numbers("user")?.into_iter().zip(numbers("item")?).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Column, Task};

    fn data(train: &[(i32, i32)], test: &[(i32, i32)]) -> Dataset {
        let split = |pairs: &[(i32, i32)]| {
            let (users, items): (Vec<i32>, Vec<i32>) = pairs.iter().copied().unzip();
            Split::new(vec![Column::new("user", [], users), Column::new("item", [], items)]).unwrap()
        };
        Dataset::new("", String::new(), "", Task::Recommendation, split(train), split(test))
    }

    fn dense(matrix: &Sparse) -> Vec<Vec<f32>> {
        let row = |row| {
            let mut out = vec![0.0; matrix.width];
            let (columns, values) = matrix.row(row);
            columns.iter().zip(values).for_each(|(&column, &value)| out[column as usize] += value);
            out
        };
        (0..matrix.height()).map(row).collect()
    }

    #[test]
    fn both_splits_cover_all_users_and_items() {
        let [train, test] = Choices::of(&data(&[(0, 2), (0, 0), (0, 2)], &[(2, 1)])).unwrap();
        assert_eq!((train.users(), train.items(), train.len()), (3, 3, 2));
        assert_eq!((test.users(), test.items(), test.of_user(2)), (3, 3, &[1][..]));
        assert_eq!((train.of_user(0), train.of_user(1)), (&[0, 2][..], &[][..]));
        assert!(Choices::of(&data(&[(0, -1)], &[])).is_err());
        assert!(matches!(Choices::of(&data(&[(i32::MAX, 0)], &[])), Err(DataError::TooLarge { .. })));
    }

    #[test]
    fn weights_equal_their_definitions() {
        let [train, _] = Choices::of(&data(&[(0, 0), (0, 1), (1, 1)], &[])).unwrap();
        let half = 0.5_f32.sqrt();
        assert_eq!(
            dense(&train.adjacency(Weights::Symmetric)),
            [[0., 0., half, 0.5], [0., 0., 0., half], [half, 0., 0., 0.], [0.5, half, 0., 0.]]
        );
        let third = 1.0 / 3.0;
        assert_eq!(
            dense(&train.adjacency(Weights::MeanWithSelf)),
            [[third, 0., third, third], [0., 0.5, 0., 0.5], [0.5, 0., 0.5, 0.], [third, third, 0., third]]
        );
    }

    proptest! {
        #[test]
        fn transposed_matrix_has_the_same_entries(pairs in prop::collection::vec((0..6_i32, 0..9_i32), 0..30)) {
            let [train, _] = Choices::of(&data(&pairs, &[])).unwrap();
            for weights in [Weights::Symmetric, Weights::MeanWithSelf] {
                let matrix = train.adjacency(weights);
                let (plain, transposed) = (dense(&matrix), dense(&matrix.transposed()));
                for (row, values) in plain.iter().enumerate() {
                    for (column, value) in values.iter().enumerate() {
                        prop_assert_eq!(*value, transposed[column][row]);
                    }
                }
                prop_assert_eq!(&matrix.transposed().transposed(), &matrix);
                if weights == Weights::Symmetric {
                    prop_assert_eq!(&matrix.transposed(), &matrix);
                }
            }
        }

        #[test]
        fn absent_numbers_equal_a_search(present in prop::collection::btree_set(0..40_u32, 0..40)) {
            let absents = (0..).filter(|number| !present.contains(number)).take(50);
            let present: Vec<u32> = present.iter().copied().collect();
            for (place, number) in absents.enumerate() {
                prop_assert_eq!(absent(&present, place), number);
            }
        }
    }

    /// Frequencies in 60,000 triples. Users 0 and 1 and the items of each must be equally frequent; user 2 chose all items,
    /// user 3 none. Five deviations of a binomial with p = ½·½·½ are 5·√(60,000 · 7/64) = 405.
    #[test]
    fn triples_are_equally_frequent() {
        let pairs = [(0, 0), (0, 3), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2), (2, 3)];
        let [train, _] = Choices::of(&data(&pairs, &[(3, 0)])).unwrap();
        let mut counts = std::collections::HashMap::new();
        for index in 0..60_000 {
            *counts.entry(train.triple(5, 1, index).unwrap()).or_insert(0_i32) += 1;
        }
        assert_eq!(counts.len(), 8);
        for (triple, count) in counts {
            assert!(train.of_user(triple.user as usize).contains(&triple.chosen));
            assert!(!train.of_user(triple.user as usize).contains(&triple.other));
            assert!((count - 7_500).abs() < 405, "{triple:?}: {count}");
        }
        let [all, _] = Choices::of(&data(&[(0, 0)], &[])).unwrap();
        assert_eq!(all.triple(5, 1, 0), None);
    }

    #[test]
    fn draws_follow_the_documentation() {
        let [train, _] = Choices::of(&data(&[(0, 7), (1, 1), (1, 4), (2, 9)], &[])).unwrap();
        let words = binade::philox::block([5, 6], [7, 8, 9, 5]);
        let place = |count: u64, word: u32| (u64::from(word) * count / (1 << 32)) as usize;
        let user = place(3, words[0]);
        let chosen: Vec<u32> = [vec![7], vec![1, 4], vec![9]][user].clone();
        let others: Vec<u32> = (0..10).filter(|item| !chosen.contains(item)).collect();
        assert_eq!(
            train.triple(6 << 32 | 5, 9 << 32 | 8, 7).unwrap(),
            Triple {
                user: user as u32,
                chosen: chosen[place(chosen.len() as u64, words[1])],
                other: others[place(others.len() as u64, words[2])],
            }
        );
    }
}
