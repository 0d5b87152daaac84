//! Learnt biases of operands that follow a training from step to step, for `binade train`.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use binade::recipe::{BiasHistory, OperandRole, Quantizer};
use binade_fma::{BiasFollower, QuantizedProduct, follows};
use binade_stablehlo::ir::Operation;

use super::passes::ProductRole;

/// The histories of learnt biases in the products of a program, for quantizers with a `history`. Clones share them.
///
/// A product is known by its place in the program's text. One that runs several times in a step, as in a loop, has one history.
#[derive(Clone, Debug, Default)]
pub struct OperandBiases(Arc<Mutex<BTreeMap<(u32, u32), Followed>>>);

#[derive(Debug)]
struct Followed {
    follower: BiasFollower,
    scope: String,
    /// The keys of a recipe, and the quantizers, of the left operand, of the right one, and of the result.
    keys: [String; 3],
    quantizers: [Quantizer; 3],
}

/// The learnt bias of an operand or of a result.
#[derive(Clone, Debug)]
pub struct OperandBias {
    /// The scope of the operation.
    pub scope: String,
    /// The key in a recipe, as `forward.weight` or `stored.gradients`.
    pub key: String,
    /// The quantizer.
    pub quantizer: Quantizer,
    /// The bias and its history.
    pub history: BiasHistory,
    /// True if the bias was chosen or has changed since the step began.
    pub moved: bool,
}

impl OperandBiases {
    fn followed(&self) -> MutexGuard<'_, BTreeMap<(u32, u32), Followed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a step.
    pub fn begin(&self, step: u64) {
        self.followed().values().for_each(|followed| followed.follower.begin(step));
    }

    /// The biases of all operands and results with a history, in the order of the program's text.
    pub fn all(&self) -> Vec<OperandBias> {
        let followed = self.followed();
        let of = |followed: &Followed| {
            let operands = (0..3).filter(|&at| follows(&followed.quantizers[at]));
            let bias = |at: usize| {
                let (history, moved) = followed.follower.history(at);
                let (scope, key) = (followed.scope.clone(), followed.keys[at].clone());
                OperandBias { scope, key, quantizer: followed.quantizers[at].clone(), history, moved }
            };
            operands.map(bias).collect::<Vec<_>>()
        };
        followed.values().flat_map(of).collect()
    }

    /// Continues from these histories, in the order of [`OperandBiases::all`].
    pub fn restore(&self, histories: impl IntoIterator<Item = BiasHistory>) {
        let mut histories = histories.into_iter();
        for followed in self.followed().values() {
            for at in (0..3).filter(|&at| follows(&followed.quantizers[at])) {
                if let Some(history) = histories.next() {
                    followed.follower.restore(at, history);
                }
            }
        }
    }

    /// The product of an operation with its histories; without any if none of its quantizers has a `history`.
    pub(crate) fn followed_by(
        &self,
        product: QuantizedProduct,
        operation: &Operation,
        role: Option<ProductRole>,
    ) -> QuantizedProduct {
        let quantizers = product.all_quantizers().map(Quantizer::clone);
        if !quantizers.iter().any(follows) {
            return product;
        }
        let keys = match role {
            Some(ProductRole { pass, swapped, .. }) => {
                let [first, second] = pass.operands().map(OperandRole::name);
                let [left, right] = if swapped { [second, first] } else { [first, second] };
                [left, right].map(|role| format!("{}.{role}", pass.name()))
            }
            None => ["attention.left", "attention.right"].map(str::to_owned),
        };
        let [left, right] = keys;
        let keys = [left, right, "stored.gradients".to_owned()];
        let mut all = self.followed();
        let followed = all.entry(operation.position).or_insert_with(|| Followed {
            follower: BiasFollower::default(),
            scope: operation.scope.to_string(),
            keys,
            quantizers,
        });
        product.following(followed.follower.clone())
    }
}
