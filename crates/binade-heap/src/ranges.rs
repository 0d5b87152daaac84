//! Which parts of a stretch of addresses are taken.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Distances from a stretch's start are multiples of this: a cache line, and what AVX-512 reads at a time.
pub(crate) const GRAIN: usize = 64;

/// A part that nobody has.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Free {
    length: usize,
    /// Whether the system may have given pages for it.
    resident: bool,
}

/// The parts of a stretch. What is asked for comes out of the shortest free part that has room, so that long ones stay
/// whole, or else follows the last one that is taken; free neighbours are one part.
#[derive(Debug)]
pub(crate) struct Ranges {
    free: BTreeMap<usize, Free>,
    /// The same by length.
    by_length: BTreeSet<(usize, usize)>,
    top: usize,
    end: usize,
    taken: usize,
    /// Bytes of free parts that the system may have given pages for.
    idle: usize,
}

/// A part that was free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Taken {
    pub(crate) start: usize,
    /// Whether it may hold anything but zeros.
    pub(crate) used: bool,
}

impl Ranges {
    pub(crate) const fn new(end: usize) -> Ranges {
        Ranges { free: BTreeMap::new(), by_length: BTreeSet::new(), top: 0, end, taken: 0, idle: 0 }
    }

    pub(crate) fn taken(&self) -> usize {
        self.taken
    }

    /// Where what was never taken begins.
    pub(crate) fn top(&self) -> usize {
        self.top
    }

    pub(crate) fn end(&self) -> usize {
        self.end
    }

    fn remove(&mut self, start: usize) -> Option<Free> {
        let free = self.free.remove(&start)?;
        self.by_length.remove(&(free.length, start));
        self.idle -= if free.resident { free.length } else { 0 };
        Some(free)
    }

    fn insert(&mut self, start: usize, free: Free) {
        if free.length > 0 {
            self.free.insert(start, free);
            self.by_length.insert((free.length, start));
            self.idle += if free.resident { free.length } else { 0 };
        }
    }

    /// A part of so many bytes.
    pub(crate) fn take(&mut self, length: usize) -> Option<Taken> {
        let found = self.by_length.range((length, 0)..).next().copied();
        let taken = match found {
            Some((_, start)) => {
                let free = self.remove(start)?;
                self.insert(start + length, Free { length: free.length - length, ..free });
                Taken { start, used: free.resident }
            }
            // The last free part grows.
            None => {
                let last = self.free.last_key_value().map(|(&start, &free)| (start, free));
                match last.filter(|(start, free)| start + free.length == self.top) {
                    Some((start, free)) if start + length <= self.end => {
                        self.remove(start);
                        self.top = start + length;
                        Taken { start, used: free.resident }
                    }
                    _ if length <= self.end - self.top => {
                        let start = self.top;
                        self.top += length;
                        Taken { start, used: false }
                    }
                    _ => return None,
                }
            }
        };
        self.taken += length;
        Some(taken)
    }

    /// Gives a part back.
    pub(crate) fn give(&mut self, start: usize, length: usize) {
        self.taken -= length;
        let mut free = (start, Free { length, resident: true });
        let before = self.free.range(..start).next_back().map(|(&at, &before)| (at, before));
        if let Some((at, before)) = before.filter(|(at, before)| at + before.length == start) {
            self.remove(at);
            free = (at, Free { length: before.length + length, resident: true });
        }
        if let Some(after) = self.remove(start + length) {
            free.1.length += after.length;
        }
        self.insert(free.0, free.1);
    }

    /// Makes a part longer where it is.
    pub(crate) fn extend(&mut self, start: usize, length: usize, wanted: usize) -> bool {
        let (at, more) = (start + length, wanted - length);
        let after = self.free.get(&at).map_or(0, |free| free.length);
        if more <= after {
            if let Some(free) = self.remove(at) {
                self.insert(at + more, Free { length: free.length - more, ..free });
            }
        } else if at + after == self.top && at + more <= self.end {
            self.remove(at);
            self.top = at + more;
        } else {
            return false;
        }
        self.taken += more;
        true
    }

    /// The longest free part whose pages may go, if more than so many bytes have pages that nobody uses; it counts as zeros
    /// from now on.
    pub(crate) fn let_go(&mut self, keep: usize) -> Option<Range<usize>> {
        if self.idle <= keep {
            return None;
        }
        let longest = self.by_length.iter().rev().find(|(_, start)| self.free[start].resident);
        let (length, start) = *longest?;
        self.remove(start);
        self.insert(start, Free { length, resident: false });
        Some(start..start + length)
    }
}

#[cfg(test)]
mod tests {
    use binade::philox::Stream;

    use super::*;

    const END: usize = 1000;

    fn taken(start: usize, used: bool) -> Option<Taken> {
        Some(Taken { start, used })
    }

    #[test]
    fn part_comes_out_of_the_shortest_free_one_with_room() {
        let mut ranges = Ranges::new(END);
        for start in [0, 100, 200, 300, 400] {
            assert_eq!(ranges.take(100), taken(start, false));
        }
        ranges.give(0, 100);
        ranges.give(200, 100);
        ranges.give(300, 100);
        assert_eq!(ranges.take(60), taken(0, true));
        assert_eq!(ranges.take(40), taken(60, true));
        assert_eq!(ranges.take(200), taken(200, true), "neighbours are one");
        assert_eq!(ranges.take(1), taken(500, false));
        assert_eq!((ranges.taken, ranges.idle), (501, 0));
    }

    #[test]
    fn last_free_part_grows_and_no_part_ends_beyond_the_end() {
        let mut ranges = Ranges::new(END);
        assert_eq!(ranges.take(600), taken(0, false));
        assert_eq!(ranges.take(401), None);
        ranges.give(0, 600);
        assert_eq!(ranges.take(END + 1), None);
        assert_eq!(ranges.take(END), taken(0, true));
        assert_eq!(ranges.take(1), None);
    }

    #[test]
    fn part_extends_where_its_neighbour_is_free() {
        let mut ranges = Ranges::new(END);
        assert_eq!((ranges.take(100), ranges.take(100)), (taken(0, false), taken(100, false)));
        assert!(!ranges.extend(0, 100, 101));
        assert!(ranges.extend(100, 100, 300), "into what was never taken");
        assert!(!ranges.extend(100, 300, 901));
        ranges.give(250, 150);
        assert!(ranges.extend(100, 150, 200));
        assert_eq!((ranges.taken, ranges.idle), (300, 100));
        assert_eq!(ranges.take(100), taken(300, true));
    }

    #[test]
    fn pages_go_from_the_longest_part_on() {
        let mut ranges = Ranges::new(END);
        for length in [100, 50, 200, 50] {
            ranges.take(length).unwrap();
        }
        ranges.give(0, 100);
        ranges.give(150, 200);
        assert_eq!(ranges.let_go(300), None);
        assert_eq!(ranges.let_go(150), Some(150..350));
        assert_eq!(ranges.let_go(150), None);
        assert_eq!(ranges.take(200), taken(150, false), "it is zeros");
        assert_eq!(ranges.let_go(0), Some(0..100));
        ranges.give(100, 50);
        assert_eq!(ranges.let_go(0), Some(0..150), "a part of both has pages");
        assert_eq!(ranges.let_go(0), None);
    }

    /// Requests in a made-up order, beside a list of what each byte is.
    #[test]
    fn parts_are_apart_and_all_comes_back() {
        #[derive(Clone, Copy, PartialEq)]
        enum Byte {
            Zero,
            Used,
            Taken,
        }
        let mut bytes = vec![Byte::Zero; END];
        let (mut ranges, mut parts) = (Ranges::new(END), vec![]);
        let mut random = Stream::new(1);
        let mut next = |below: usize| random.below(below);
        for _ in 0..20_000 {
            match next(8) {
                0..3 => {
                    let length = 1 + next(90);
                    if let Some(Taken { start, used }) = ranges.take(length) {
                        let part = &mut bytes[start..start + length];
                        assert!(part.iter().all(|&byte| byte == Byte::Zero || used && byte == Byte::Used));
                        part.fill(Byte::Taken);
                        parts.push((start, length));
                    } else {
                        let free = bytes.split(|&byte| byte == Byte::Taken).map(<[_]>::len).max();
                        assert!(free < Some(length));
                    }
                }
                3..6 if !parts.is_empty() => {
                    let (start, length) = parts.swap_remove(next(parts.len()));
                    ranges.give(start, length);
                    bytes[start..start + length].fill(Byte::Used);
                }
                6 if !parts.is_empty() => {
                    let at = next(parts.len());
                    let (start, length) = parts[at];
                    let wanted = length + 1 + next(50);
                    let after = bytes.get(start + length..start + wanted);
                    let free = after.is_some_and(|after| !after.contains(&Byte::Taken));
                    assert_eq!(ranges.extend(start, length, wanted), free);
                    if free {
                        bytes[start..start + wanted].fill(Byte::Taken);
                        parts[at].1 = wanted;
                    }
                }
                _ => {
                    let keep = next(END);
                    while let Some(part) = ranges.let_go(keep) {
                        assert!(bytes[part.clone()].iter().all(|&byte| byte != Byte::Taken));
                        bytes[part].fill(Byte::Zero);
                    }
                    assert!(bytes.iter().filter(|&&byte| byte == Byte::Used).count() <= keep);
                }
            }
            assert_eq!(ranges.taken, parts.iter().map(|part| part.1).sum::<usize>());
        }
        parts.drain(..).for_each(|(start, length)| ranges.give(start, length));
        assert_eq!(ranges.take(END).map(|taken| taken.start), Some(0));
    }
}
