//! Facts about registers with which an instruction is reached, and the versions of the code that follow from them.

use std::collections::BTreeMap;

use crate::region::graph::Vectors;

/// Versions of one instruction's code beyond which facts are given up.
const EACH: usize = 3;

/// Facts about the program's registers at a place in the copy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Facts {
    /// Its NaNs are quiet and have no payload.
    pub(super) clean: Vectors,
    /// It is what a multiply-add leaves in an accumulator.
    pub(super) finished: Vectors,
    /// It is a BF16.
    pub(super) rounded: Vectors,
    /// It is the leading part of the value; the others are in the frame.
    pub(super) split: Vectors,
    /// Its NaNs are 0xffc00000 where the program is to see 0x7fc00000.
    pub(super) loose: Vectors,
    /// Its first lane is what a scalar multiply-add leaves there, and a NaN in it is 0xffc00000 where the program is to see
    /// 0x7fc00000. Nothing else is known of that register.
    pub(super) first: Vectors,
    /// It is a sum that is yet to be split and joined: [`crate::region::quick`].
    pub(super) open: Vectors,
}

impl Facts {
    pub(super) fn forget(&mut self, registers: Vectors) {
        let Facts { clean, finished, rounded, split, loose, first, open } = self;
        for facts in [clean, finished, rounded, split, loose, first, open] {
            *facts &= !registers;
        }
    }
}

/// The versions of the code: a label for each instruction and the facts with which it is reached.
#[derive(Default)]
pub(super) struct Versions {
    labels: BTreeMap<(usize, Facts), usize>,
    /// Of each label: whether its code is made.
    made: Vec<bool>,
    /// Versions that were requested and may not be made yet.
    pending: Vec<(usize, Facts)>,
}

impl Versions {
    /// The label of the code for an instruction under some facts, to be made if it is not yet.
    pub(super) fn label(&mut self, k: usize, facts: Facts) -> usize {
        let next = self.labels.len();
        let label = *self.labels.entry((k, facts)).or_insert(next);
        if label == next {
            self.made.push(false);
        }
        if !self.made[label] {
            self.pending.push((k, facts));
        }
        label
    }

    /// The next one to be made, which then counts as made.
    pub(super) fn next(&mut self) -> Option<(usize, usize, Facts)> {
        while let Some((k, facts)) = self.pending.pop() {
            let label = self.labels[&(k, facts)];
            if self.make(label) {
                return Some((label, k, facts));
            }
        }
        None
    }

    /// Marks a label's code as made; returns true if it was not yet.
    pub(super) fn make(&mut self, label: usize) -> bool {
        !std::mem::replace(&mut self.made[label], true)
    }

    /// The facts worth having at an instruction: those of live registers, and fewer where there are many versions already.
    pub(super) fn merged(&self, k: usize, live: Vectors, mut facts: Facts) -> Facts {
        facts.forget(!live);
        let versions = self.labels.keys().filter(|(at, _)| *at == k).count();
        if versions >= EACH && !self.labels.contains_key(&(k, facts)) {
            (facts.clean, facts.finished, facts.rounded) = (0, 0, 0);
        }
        facts
    }

    pub(super) fn count(&self) -> usize {
        self.labels.len()
    }
}
