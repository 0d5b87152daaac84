//! Histories of a product's learnt biases, for trainings that run the product once in each step or more often.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use binade::recipe::{BiasHistory, Quantizer};

/// The histories of the learnt biases of a product's left operand, right operand, and result. Clones share them.
///
/// Only quantizers with a `history` have one ([`follows`]).
#[derive(Clone, Debug, Default)]
pub struct BiasFollower(Arc<Mutex<Followed>>);

#[derive(Debug, Default)]
struct Followed {
    step: u64,
    histories: [BiasHistory; 3],
    moved: [bool; 3],
}

/// True if the bias of an operand or a result under this quantizer follows its numbers from step to step.
pub fn follows(quantizer: &Quantizer) -> bool {
    quantizer.learnt.is_some_and(|learnt| learnt.history.is_some())
}

impl BiasFollower {
    fn followed(&self) -> MutexGuard<'_, Followed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a step of the training.
    pub fn begin(&self, step: u64) {
        let mut followed = self.followed();
        (followed.step, followed.moved) = (step, [false; 3]);
    }

    /// The history of an operand (0 or 1) or of the result (2), and true if its bias was chosen or has changed since the step began.
    ///
    /// # Panics
    /// Other numbers of operands.
    pub fn history(&self, operand: usize) -> (BiasHistory, bool) {
        let followed = self.followed();
        (followed.histories[operand].clone(), followed.moved[operand])
    }

    /// Continues from a history.
    ///
    /// # Panics
    /// Other numbers of operands.
    pub fn restore(&self, operand: usize, history: BiasHistory) {
        self.followed().histories[operand] = history;
    }

    /// Takes in the numbers of an operand, and returns the quantizer under its bias.
    pub(crate) fn take(&self, operand: usize, quantizer: &Quantizer, numbers: &[f32]) -> Quantizer {
        let mut followed = self.followed();
        let step = followed.step;
        let (quantizer, moved) = followed.histories[operand].take(step, quantizer, numbers);
        followed.moved[operand] |= moved;
        quantizer
    }

    /// Counts the numbers of an operand that overflowed and underflowed.
    pub(crate) fn count(&self, operand: usize, quantizer: &Quantizer, numbers: &[f32], rounded: &[f32]) {
        self.followed().histories[operand].count(quantizer, numbers, rounded);
    }
}
