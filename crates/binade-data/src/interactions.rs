//! Loaders of recommendation data: the files of NGCF, and the ratings of MovieLens.

use std::path::Path;

use crate::DataError;
use crate::catalogue::LICENCE_OF_FILES;
use crate::dataset::{Column, Dataset, Split, Task};
use crate::folder::File;
use crate::order::shuffle;
use crate::random::Purpose;

pub(crate) const NGCF_LAYOUT: &str = "train.txt and test.txt, each line a user and the items of that user";
pub(crate) const MOVIELENS_LAYOUT: &str = "u.data, each line user, item, rating and time";
pub(crate) const MOVIELENS_LICENCE: &str = "research use, no redistribution (GroupLens)";

/// Loads NGCF's files. Each item of a line is an example, in the order of the file.
pub(crate) fn ngcf(folder: &Path) -> Result<Dataset, DataError> {
    let read = |name: &str| {
        let file = File::first_of(folder, &[name])?;
        let mut pairs = vec![];
        for (at, line) in file.text()?.lines().enumerate() {
            let mut numbers = line.split_whitespace().map(|text| number(&file, at, text, 0));
            let Some(user) = numbers.next().transpose()? else { continue };
            for item in numbers {
                pairs.push((user, item?));
            }
        }
        if pairs.is_empty() { Err(file.empty()) } else { split(pairs) }
    };
    let (train, test) = (read("train.txt")?, read("test.txt")?);
    let about = format!(
        "{} training and {} test pairs of user and item, read from {}; licence: {LICENCE_OF_FILES}",
        train.len(),
        test.len(),
        folder.display()
    );
    Ok(Dataset::new("ngcf", about, LICENCE_OF_FILES, Task::Recommendation, train, test))
}

/// Loads MovieLens-100k. Every rating counts as a choice. The ratings of a user are shuffled; of n ratings, ⌈4 n / 5⌉ are for
/// training.
///
/// The shuffle is that of [`permutation`](crate::permutation()) with seed 0. The epoch is the user's number from 0, and the
/// last word of the counter is 4.
pub(crate) fn movielens(folder: &Path) -> Result<Dataset, DataError> {
    let file = File::first_of(folder, &["u.data"])?;
    let mut users: Vec<Vec<(i32, i32)>> = vec![];
    for (at, line) in file.text()?.lines().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [user, item, _, _] = fields[..] else {
            return Err(
                file.wrong_line(at, format!("must have 4 fields separated by tabs, not {}", fields.len()))
            );
        };
        let (user, item) = (number(&file, at, user, 1)? - 1, number(&file, at, item, 1)? - 1);
        if user as usize >= MAX_USERS {
            return Err(file
                .wrong_line(at, format!("user {} is out of range: at most {MAX_USERS} allowed", user + 1)));
        }
        if users.len() <= user as usize {
            users.resize(user as usize + 1, vec![]);
        }
        users[user as usize].push((user, item));
    }
    let (train, test) = divided(users);
    if test.is_empty() {
        return Err(file.empty());
    }
    let (train, test) = (split(train)?, split(test)?);
    let about = format!(
        "{} training and {} test pairs of user and item: the ratings of MovieLens-100k (GroupLens) of {}, of each user 4 in \
         5 for training; licence: {MOVIELENS_LICENCE}",
        train.len(),
        test.len(),
        folder.display()
    );
    Ok(Dataset::new("movielens", about, MOVIELENS_LICENCE, Task::Recommendation, train, test))
}

/// Pairs of user and item.
type Pairs = Vec<(i32, i32)>;

/// Splits the pairs of each user, shuffled: of n pairs, ⌈4 n / 5⌉ are for training.
pub(crate) fn divided(mut users: Vec<Pairs>) -> (Pairs, Pairs) {
    let (mut train, mut test) = (vec![], vec![]);
    for (user, pairs) in users.iter_mut().enumerate() {
        shuffle(pairs, 0, Purpose::Division, user as u64);
        let (first, second) = pairs.split_at((4 * pairs.len()).div_ceil(5));
        train.extend_from_slice(first);
        test.extend_from_slice(second);
    }
    (train, test)
}

/// Largest number of users in MovieLens' file. Memory is proportional to the highest user number.
const MAX_USERS: usize = 1 << 20;

/// Parses a whole number that is at least `least`.
fn number(file: &File, line: usize, text: &str, least: i32) -> Result<i32, DataError> {
    text.parse().ok().filter(|&number| number >= least).ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        file.wrong_line(line, format!("must be a whole number from {least} to {}, not {shown:?}", i32::MAX))
    })
}

pub(crate) fn split(pairs: Vec<(i32, i32)>) -> Result<Split, DataError> {
    let (users, items): (Vec<i32>, Vec<i32>) = pairs.into_iter().unzip();
    Split::new(vec![Column::new("user", [], users), Column::new("item", [], items)])
}
