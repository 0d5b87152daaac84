//! Shardings that calls in a function's text say.

use std::collections::HashMap;

use crate::ir::ValueId;

/// The targets that say where values are.
pub(super) const SHARDING: &str = "Sharding";
pub(super) const TO_PARTS: &str = "SPMDFullToShardShape";
pub(super) const TO_WHOLE: &str = "SPMDShardToFullShape";

/// What such calls of a function's text say, by the value that they make.
#[derive(Default)]
pub(super) struct Said<'t>(pub(super) HashMap<ValueId, &'t str>);

impl<'t> Said<'t> {
    /// Notes the `mhlo.sharding` of a call.
    pub(super) fn note(&mut self, target: &str, value: ValueId, sharding: &'t str) {
        if matches!(target, SHARDING | TO_PARTS | TO_WHOLE) {
            self.0.insert(value, sharding);
        }
    }
}
