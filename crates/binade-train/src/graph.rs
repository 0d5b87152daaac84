//! Recommendation models: graph inputs, training triples, and ranking metrics.

use binade_data::{Choices, Dataset, Weights};
use binade_hlo::{Data, Tensor, Value};
use serde::{Deserialize, Serialize};

use crate::TrainError;
use crate::manifest::{Dtype, EdgePart, GraphSize, TriplePart};
use crate::tensors::types;

/// Length of the ranked lists.
pub const LIST: usize = 20;

/// Ranking quality of lists of [`LIST`] items, averaged over the users with test items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// Share of a user's test items in the list.
    pub recall: f64,
    /// Normalised discounted cumulative gain: Σ 1/log₂(rank + 1) over the test items in the list, divided by that of the best
    /// list of this length.
    pub ndcg: f64,
    /// The gain as NGCF's program and the BF16 paper compute it: divided by that of a list that begins with the items found.
    /// It is at least `ndcg`.
    pub ndcg_of_found: f64,
}

/// The graph of a data set, padded to the sizes of a model.
#[derive(Debug)]
pub(crate) struct Graph {
    train: Choices,
    test: Choices,
    edges: [Value; 3],
    /// Users with a test item.
    ranked: Vec<u32>,
    /// Number of items of the model.
    items: usize,
}

impl Graph {
    /// Builds the graph of the training choices. Each node has its neighbours and itself, weighted for their mean. Entries
    /// are stored row by row. The model's unused entries have weight 0, in the last row.
    ///
    /// # Errors
    /// The data have no users and items. The inner error says why they do not fit the model.
    pub(crate) fn new(size: &GraphSize, data: &Dataset) -> Result<Result<Graph, String>, TrainError> {
        let [train, test] = Choices::of(data)?;
        let matrix = train.adjacency(Weights::MeanWithSelf);
        let found = [("users", train.users()), ("items", train.items()), ("edges", matrix.values.len())];
        let limits = [size.users, size.items, size.edges];
        if let Some(((what, found), limit)) =
            found.iter().zip(limits).find(|((_, found), limit)| found > limit)
        {
            return Ok(Err(format!("the data have {found} {what}: the model allows {limit}")));
        }
        if train.triple(0, 0, 0).is_none() {
            return Ok(Err("no user chose some but not all of the items".to_owned()));
        }
        // Items are numbered after the model's users.
        let node = |node: usize| {
            let items_from = train.users();
            (if node < items_from { node } else { node - items_from + size.users }) as i32
        };
        let last = (size.users + size.items - 1) as i32;
        let (mut rows, mut columns, mut weights) =
            (vec![last; size.edges], vec![last; size.edges], vec![0.0; size.edges]);
        let mut at = 0;
        for row in 0..matrix.height() {
            let (neighbours, values) = matrix.row(row);
            for (column, value) in neighbours.iter().zip(values) {
                (rows[at], columns[at], weights[at]) = (node(row), node(*column as usize), *value);
                at += 1;
            }
        }
        let value = |dtype, data| Value::Tensor(Tensor::new(types(dtype).0, vec![size.edges], data));
        let edges = [
            value(Dtype::I32, Data::I32(rows)),
            value(Dtype::I32, Data::I32(columns)),
            value(Dtype::F32, Data::F32(weights)),
        ];
        let ranked =
            (0..test.users() as u32).filter(|user| !test.of_user(*user as usize).is_empty()).collect();
        Ok(Ok(Graph { train, test, edges, ranked, items: size.items }))
    }

    /// The triples of an epoch, concatenated.
    pub(crate) fn triples(&self, count: usize, seed: u64, epoch: u64) -> Vec<u32> {
        let triple = |at: u32| self.train.triple(seed, epoch, at).expect("`new` has found one");
        (0..count as u32).map(triple).flat_map(|triple| [triple.user, triple.chosen, triple.other]).collect()
    }

    /// A part of such a triple.
    pub(crate) fn part(triple: &[u32], part: TriplePart) -> i32 {
        triple[part as usize] as i32
    }

    /// Rows, columns or weights of the matrix.
    pub(crate) fn edge(&self, part: EdgePart) -> Value {
        self.edges[part as usize].clone()
    }

    /// Users to evaluate, in order.
    pub(crate) fn ranked(&self) -> &[u32] {
        &self.ranked
    }

    /// Sums of the ranking metrics over users, from their scores for the model's items.
    pub(crate) fn rank(&self, users: &[u32], scores: &[f64]) -> Ranking {
        let mut sums = Ranking::default();
        for (user, scores) in users.iter().zip(scores.chunks_exact(self.items)) {
            let user = *user as usize;
            let one = rank(&scores[..self.train.items()], self.train.of_user(user), self.test.of_user(user));
            sums.recall += one.recall;
            sums.ndcg += one.ndcg;
            sums.ndcg_of_found += one.ndcg_of_found;
        }
        sums
    }
}

/// Metrics of a user's best list: items that were not trained on, by descending score. Ties are ordered by item number. A NaN
/// ranks below all numbers.
fn rank(scores: &[f64], trained: &[u32], wanted: &[u32]) -> Ranking {
    let score =
        |item: u32| Some(scores[item as usize]).filter(|score| !score.is_nan()).unwrap_or(f64::NEG_INFINITY);
    let mut items: Vec<u32> =
        (0..scores.len() as u32).filter(|item| trained.binary_search(item).is_err()).collect();
    items.sort_by(|a, b| score(*b).total_cmp(&score(*a)));
    let hits: Vec<bool> = items.iter().take(LIST).map(|item| wanted.binary_search(item).is_ok()).collect();
    let gain = |place: usize| 1.0 / libm::log2(place as f64 + 2.0);
    let best = |count: usize| (0..count.min(LIST)).map(gain).sum::<f64>();
    let found = hits.iter().filter(|hit| **hit).count();
    let sum: f64 = hits.iter().enumerate().filter(|(_, hit)| **hit).map(|(place, _)| gain(place)).sum();
    let over = |whole: f64| if whole > 0.0 { sum / whole } else { 0.0 };
    Ranking {
        recall: if wanted.is_empty() { 0.0 } else { found as f64 / wanted.len() as f64 },
        ndcg: over(best(wanted.len())),
        ndcg_of_found: over(best(found)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranking_metrics_equal_their_definitions() {
        // 30 items with falling scores; 0 and 1 were trained on, so the list is 2, 3, …, 21.
        let mut scores: Vec<f64> = (0..30).map(|item| -f64::from(item)).collect();
        let gain = |place: f64| 1.0 / (place + 1.0).log2();
        let judged = rank(&scores, &[0, 1], &[3, 25]);
        assert_eq!(judged.recall, 0.5);
        assert!((judged.ndcg - gain(2.0) / (gain(1.0) + gain(2.0))).abs() < 1e-12);
        assert!((judged.ndcg_of_found - gain(2.0)).abs() < 1e-12);
        // An infinite score is first, a NaN last. A list of the wanted items is perfect.
        (scores[25], scores[2]) = (f64::INFINITY, f64::NAN);
        let judged = rank(&scores, &[0, 1], &[3, 25]);
        assert_eq!((judged.recall, judged.ndcg, judged.ndcg_of_found), (1.0, 1.0, 1.0));
        assert_eq!(rank(&scores, &[0, 1], &[2]), Ranking::default());
    }

    fn data() -> Dataset {
        binade_data::load("choices").unwrap()
    }

    fn numbers(value: &Value) -> Vec<f64> {
        match value {
            Value::Tensor(tensor) => crate::tensors::numbers(tensor),
            _ => panic!("edges are tensors"),
        }
    }

    /// The inputs are the matrix: its products with a vector are the means over neighbours and the node itself.
    #[test]
    fn edges_give_means_of_neighbours() {
        let size = GraphSize { users: 200, items: 300, edges: 12_288 };
        let graph = Graph::new(&size, &data()).unwrap().unwrap();
        let parts =
            [EdgePart::Row, EdgePart::Column, EdgePart::Weight].map(|part| numbers(&graph.edge(part)));
        let [rows, columns, weights] = parts;
        assert!(rows.is_sorted() && rows.iter().chain(&columns).all(|node| *node < 500.0));
        let x = |node: usize| (node as f64).sin();
        let mut means = vec![0.0; 500];
        for at in 0..12_288 {
            means[rows[at] as usize] += weights[at] * x(columns[at] as usize);
        }
        for (user, mean) in means.iter().enumerate().take(192) {
            let chosen = graph.train.of_user(user);
            let sum: f64 = chosen.iter().map(|item| x(200 + *item as usize)).sum::<f64>() + x(user);
            assert!((mean - sum / (chosen.len() + 1) as f64).abs() < 1e-6, "{user}");
        }
        let mut chosen_by = vec![0; 256];
        (0..192).flat_map(|user| graph.train.of_user(user)).for_each(|item| chosen_by[*item as usize] += 1);
        let sums = (0..256)
            .map(|item| weights.iter().zip(&rows).filter(move |(_, row)| **row == f64::from(200 + item)));
        for (sum, count) in sums.zip(chosen_by) {
            assert_eq!(sum.filter(|(weight, _)| **weight > 0.0).count(), count + 1);
        }
    }

    #[test]
    fn too_small_model_is_refused() {
        for (size, what) in
            [((100, 300, 20_000), "192 users"), ((200, 10, 20_000), "256 items"), ((200, 300, 9), "edges")]
        {
            let size = GraphSize { users: size.0, items: size.1, edges: size.2 };
            let reason = Graph::new(&size, &data()).unwrap().unwrap_err();
            assert!(reason.contains(what) && reason.contains("the model allows"), "{reason}");
        }
    }

    #[test]
    fn triples_equal_those_of_the_data() {
        let size = GraphSize { users: 192, items: 256, edges: 12_288 };
        let graph = Graph::new(&size, &data()).unwrap().unwrap();
        let triples = graph.triples(50, 3, 2);
        for (at, triple) in triples.chunks(3).enumerate() {
            let expected = graph.train.triple(3, 2, at as u32).unwrap();
            let parts = [TriplePart::User, TriplePart::Chosen, TriplePart::Other]
                .map(|part| Graph::part(triple, part));
            assert_eq!(parts, [expected.user, expected.chosen, expected.other].map(|part| part as i32));
        }
        assert_eq!(graph.ranked().len(), 192);
        // A score of 1 for the test items is perfect.
        let scores: Vec<f64> = (0..192 * 256)
            .map(|at| f64::from(u8::from(graph.test.of_user(at / 256).contains(&((at % 256) as u32)))))
            .collect();
        let sums = graph.rank(graph.ranked(), &scores);
        assert_eq!((sums.recall, sums.ndcg), (192.0, 192.0));
    }
}
