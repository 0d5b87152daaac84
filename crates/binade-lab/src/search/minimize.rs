//! Minimal sets of candidates by bisection, for a search that asks a test about sets.

use std::collections::BTreeSet;

/// The numbers of candidates.
pub(super) type Set = BTreeSet<usize>;

/// The result of [`minimal`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Minimal {
    /// A set that is accepted, while no set with one candidate less is.
    Set(Set),
    /// Not even the set of all candidates is accepted.
    None,
}

/// Finds a minimal accepted set among `count` candidates.
///
/// `test` is given sets, at most `jobs` at a time, and says of each whether it is accepted. The search finds the shortest accepted
/// prefix of the candidates by bisection. The prefix's last candidate belongs to the answer; the search goes on before it until
/// the answer alone is accepted. A set of k candidates takes k · (⌈log2 count⌉ + 1) tests.
///
/// If supersets of accepted sets are accepted, the answer is minimal then. With `verify`, the answer is tested without each of its
/// candidates, which may be left out if that is accepted after all.
pub(super) fn minimal<E, T: FnMut(&[Set]) -> Result<Vec<bool>, E>>(
    count: usize,
    jobs: usize,
    verify: bool,
    test: &mut T,
) -> Result<Minimal, E> {
    let mut found = Set::new();
    let mut rest = count;
    while !test(std::slice::from_ref(&found))?[0] {
        if rest == 0 {
            return Ok(Minimal::None);
        }
        // The prefix of `rejected` candidates is rejected. That of `accepted` is accepted, or has all that are left.
        let (mut rejected, mut accepted) = (0, rest);
        while accepted - rejected > 1 {
            let between = accepted - rejected - 1;
            let parts = jobs.clamp(1, between);
            let prefixes: Vec<usize> =
                (1..=parts).map(|part| rejected + part * (between + 1) / (parts + 1)).collect();
            let sets: Vec<Set> =
                prefixes.iter().map(|&prefix| found.iter().copied().chain(0..prefix).collect()).collect();
            let results = test(&sets)?;
            match results.iter().position(|&is_accepted| is_accepted) {
                Some(first) => {
                    accepted = prefixes[first];
                    rejected = first.checked_sub(1).map_or(rejected, |before| prefixes[before]);
                }
                None => rejected = *prefixes.last().expect("at least one prefix"),
            }
        }
        found.insert(accepted - 1);
        rest = accepted - 1;
    }
    while verify && !found.is_empty() {
        let without = |candidate: &usize| found.iter().copied().filter(|other| other != candidate).collect();
        let sets: Vec<Set> = found.iter().map(without).collect();
        let mut smaller = None;
        for some in sets.chunks(jobs.max(1)) {
            let results = test(some)?;
            if let Some(at) = results.iter().position(|&is_accepted| is_accepted) {
                smaller = Some(some[at].clone());
                break;
            }
        }
        match smaller {
            Some(set) => found = set,
            None => break,
        }
    }
    Ok(Minimal::Set(found))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// The answer, and the number of tests it took, of a search for a superset of one of `needed`.
    fn search(count: usize, jobs: usize, needed: &[&[usize]]) -> (Minimal, usize) {
        let tests = Cell::new(0);
        let mut asked = BTreeSet::new();
        let mut test = |sets: &[Set]| {
            assert!(sets.len() <= jobs);
            let is_accepted = |set: &Set| needed.iter().any(|needed| needed.iter().all(|n| set.contains(n)));
            for set in sets {
                if asked.insert(set.clone()) {
                    tests.set(tests.get() + 1);
                }
            }
            Ok::<_, ()>(sets.iter().map(is_accepted).collect())
        };
        let found = minimal(count, jobs, true, &mut test).unwrap();
        (found, tests.get())
    }

    #[test]
    fn needed_candidates_are_found_in_logarithmic_tests() {
        for count in [1, 2, 3, 12, 100, 1000] {
            let bits = (count as f64).log2().ceil() as usize;
            for needed in [vec![], vec![0], vec![count - 1], vec![count / 2, count / 3]] {
                for jobs in [1, 4] {
                    let (found, tests) = search(count, jobs, &[&needed]);
                    let needed: Set = needed.iter().copied().collect();
                    let most = needed.len() * (bits + 2) + 1;
                    assert_eq!(found, Minimal::Set(needed));
                    assert!(jobs > 1 || tests <= most, "{tests} > {most} tests of {count}");
                }
            }
        }
    }

    #[test]
    fn one_of_several_minimal_sets_is_found() {
        let (found, _) = search(10, 1, &[&[2, 7], &[3, 5, 9]]);
        assert_eq!(found, Minimal::Set([2, 7].into()));
    }

    #[test]
    fn set_that_is_not_monotone_is_minimal_in_the_end() {
        // {4} alone is accepted, {4, 6} too, {4, 5} is not.
        let mut test = |sets: &[Set]| {
            let is_accepted = |set: &Set| set.contains(&4) && (set.contains(&6) || !set.contains(&5));
            Ok::<_, ()>(sets.iter().map(is_accepted).collect())
        };
        let Minimal::Set(found) = minimal(8, 1, true, &mut test).unwrap() else { panic!("there is one") };
        assert!(test(std::slice::from_ref(&found)).unwrap()[0]);
        for candidate in &found {
            let less: Set = found.iter().copied().filter(|other| other != candidate).collect();
            assert!(!test(&[less]).unwrap()[0]);
        }
    }

    #[test]
    fn all_that_is_not_enough_is_no_set() {
        assert_eq!(search(5, 1, &[]).0, Minimal::None);
        assert_eq!(search(0, 1, &[]).0, Minimal::None);
    }
}
