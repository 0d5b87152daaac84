//! Synthetic choices of items by users, for a recommendation model that needs no files.
//!
//! Every user and every item has one of eight tastes, its number mod 8. A user draws 40 times: three times in four an item of
//! the own taste, otherwise any item. Items of the own taste with small numbers are popular. An item drawn twice counts once.
//! Four in five of a user's items are for training, divided as for MovieLens.
//!
//! Draws are Philox words: draw d of user u uses the block with counter (u, d, 0, 6) under [`SEED`].

use crate::DataError;
use crate::dataset::{Dataset, Task};
use crate::interactions::{divided, split};
use crate::random::{Purpose, below, block};

/// Seed of the draws.
const SEED: u64 = 42;
pub(crate) const USERS: i32 = 192;
pub(crate) const ITEMS: i32 = 256;
const TASTES: i32 = 8;
const DRAWS: u64 = 40;

pub(crate) const LICENCE: &str = "MIT OR Apache-2.0";

/// The smaller of two draws below `bound`.
fn popular(bound: i32, [low, high]: [u32; 2]) -> i32 {
    let of = |word: u32| below(bound as u64, [0, word]) as i32;
    of(low).min(of(high))
}

/// Draws the data set.
pub(crate) fn load() -> Result<Dataset, DataError> {
    let mut users: Vec<Vec<(i32, i32)>> = vec![];
    for user in 0..USERS {
        let item = |draw: u64| {
            let [taste, any, a, b] = block(SEED, Purpose::Choices, draw, user as u32);
            match below(4, [0, taste]) {
                0 => below(ITEMS as u64, [0, any]) as i32,
                _ => popular(ITEMS / TASTES, [a, b]) * TASTES + user % TASTES,
            }
        };
        let mut pairs: Vec<(i32, i32)> = (0..DRAWS).map(|draw| (user, item(draw))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        users.push(pairs);
    }
    let (train, test) = divided(users);
    let (train, test) = (split(train)?, split(test)?);
    let about = format!(
        "synthetic: {} training and {} test pairs of {USERS} users and {ITEMS} items of {TASTES} tastes, made up by a program, \
         seed {SEED}; {LICENCE}",
        train.len(),
        test.len()
    );
    let data = Dataset::new("choices", about, LICENCE, Task::Recommendation, train, test);
    Ok(Dataset { synthetic: true, ..data })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Choices;

    #[test]
    fn choices_follow_tastes() {
        let data = load().unwrap();
        assert!(data.synthetic && data.about.starts_with("synthetic: "));
        let [train, test] = Choices::of(&data).unwrap();
        assert_eq!((train.users(), train.items()), (USERS as usize, ITEMS as usize));
        let own = |choices: &Choices| {
            let of = |user: usize| {
                choices.of_user(user).iter().filter(move |item| **item as usize % 8 == user % 8)
            };
            (0..train.users()).map(|user| of(user).count()).sum::<usize>() as f64 / choices.len() as f64
        };
        // Three draws in four, plus an eighth of the rest, minus items drawn twice.
        assert!((0.5..0.8).contains(&own(&train)) && (0.5..0.8).contains(&own(&test)), "{}", own(&train));
        for user in 0..train.users() {
            let (known, asked) = (train.of_user(user), test.of_user(user));
            assert!(!asked.is_empty() && asked.iter().all(|item| !known.contains(item)));
        }
        assert_eq!(
            load().unwrap().train.columns()[1].values.as_i32(),
            data.train.columns()[1].values.as_i32()
        );
    }
}
