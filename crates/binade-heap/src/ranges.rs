//! The allocated and free parts of the reserved address range.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Offsets are multiples of this: a cache line, and the size of an AVX-512 vector.
pub(crate) const GRAIN: usize = 64;

/// A free part.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Free {
    length: usize,
    /// True if the system may have provided pages for it.
    resident: bool,
}

/// The parts of the reserved range. A request takes the shortest free part that is long enough (best fit), so that long
/// parts stay whole. Otherwise it is placed after the last allocated part. Free neighbours are merged.
#[derive(Debug)]
pub(crate) struct Ranges {
    free: BTreeMap<usize, Free>,
    /// The free parts by length.
    by_length: BTreeSet<(usize, usize)>,
    top: usize,
    end: usize,
    taken: usize,
    /// Bytes of free parts for which the system may have provided pages.
    idle: usize,
}

/// A part that was just allocated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Taken {
    pub(crate) start: usize,
    /// True if it may contain anything but zeros.
    pub(crate) used: bool,
}

impl Ranges {
    pub(crate) const fn new(end: usize) -> Ranges {
        Ranges { free: BTreeMap::new(), by_length: BTreeSet::new(), top: 0, end, taken: 0, idle: 0 }
    }

    pub(crate) fn taken(&self) -> usize {
        self.taken
    }

    /// The end of all addresses that were ever allocated.
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

    /// Allocates a part of `length` bytes.
    pub(crate) fn allocate(&mut self, length: usize) -> Option<Taken> {
        let found = self.by_length.range((length, 0)..).next().copied();
        let taken = match found {
            Some((_, start)) => {
                let free = self.remove(start)?;
                self.insert(start + length, Free { length: free.length - length, ..free });
                Taken { start, used: free.resident }
            }
            // The last free part is extended.
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

    /// Frees a part.
    pub(crate) fn free(&mut self, start: usize, length: usize) {
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

    /// Extends a part in place.
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

    /// Selects the longest free part whose pages may be returned, if more than `keep` bytes of free parts have pages.
    /// From then on the part counts as zeros.
    pub(crate) fn release_pages(&mut self, keep: usize) -> Option<Range<usize>> {
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
    fn allocation_takes_the_shortest_sufficient_part() {
        let mut ranges = Ranges::new(END);
        for start in [0, 100, 200, 300, 400] {
            assert_eq!(ranges.allocate(100), taken(start, false));
        }
        ranges.free(0, 100);
        ranges.free(200, 100);
        ranges.free(300, 100);
        assert_eq!(ranges.allocate(60), taken(0, true));
        assert_eq!(ranges.allocate(40), taken(60, true));
        assert_eq!(ranges.allocate(200), taken(200, true), "neighbours are one");
        assert_eq!(ranges.allocate(1), taken(500, false));
        assert_eq!((ranges.taken, ranges.idle), (501, 0));
    }

    #[test]
    fn last_free_part_grows_up_to_the_end() {
        let mut ranges = Ranges::new(END);
        assert_eq!(ranges.allocate(600), taken(0, false));
        assert_eq!(ranges.allocate(401), None);
        ranges.free(0, 600);
        assert_eq!(ranges.allocate(END + 1), None);
        assert_eq!(ranges.allocate(END), taken(0, true));
        assert_eq!(ranges.allocate(1), None);
    }

    #[test]
    fn part_with_a_free_neighbour_extends_in_place() {
        let mut ranges = Ranges::new(END);
        assert_eq!((ranges.allocate(100), ranges.allocate(100)), (taken(0, false), taken(100, false)));
        assert!(!ranges.extend(0, 100, 101));
        assert!(ranges.extend(100, 100, 300), "into what was never taken");
        assert!(!ranges.extend(100, 300, 901));
        ranges.free(250, 150);
        assert!(ranges.extend(100, 150, 200));
        assert_eq!((ranges.taken, ranges.idle), (300, 100));
        assert_eq!(ranges.allocate(100), taken(300, true));
    }

    #[test]
    fn pages_are_released_from_the_longest_part() {
        let mut ranges = Ranges::new(END);
        for length in [100, 50, 200, 50] {
            ranges.allocate(length).unwrap();
        }
        ranges.free(0, 100);
        ranges.free(150, 200);
        assert_eq!(ranges.release_pages(300), None);
        assert_eq!(ranges.release_pages(150), Some(150..350));
        assert_eq!(ranges.release_pages(150), None);
        assert_eq!(ranges.allocate(200), taken(150, false), "it is zeros");
        assert_eq!(ranges.release_pages(0), Some(0..100));
        ranges.free(100, 50);
        assert_eq!(ranges.release_pages(0), Some(0..150), "a part of both has pages");
        assert_eq!(ranges.release_pages(0), None);
    }

    /// Pseudorandom requests, checked against a list of the state of each byte.
    #[test]
    fn allocated_parts_are_disjoint_and_freed_parts_merge() {
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
                    if let Some(Taken { start, used }) = ranges.allocate(length) {
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
                    ranges.free(start, length);
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
                    while let Some(part) = ranges.release_pages(keep) {
                        assert!(bytes[part.clone()].iter().all(|&byte| byte != Byte::Taken));
                        bytes[part].fill(Byte::Zero);
                    }
                    assert!(bytes.iter().filter(|&&byte| byte == Byte::Used).count() <= keep);
                }
            }
            assert_eq!(ranges.taken, parts.iter().map(|part| part.1).sum::<usize>());
        }
        parts.drain(..).for_each(|(start, length)| ranges.free(start, length));
        assert_eq!(ranges.allocate(END).map(|taken| taken.start), Some(0));
    }
}
