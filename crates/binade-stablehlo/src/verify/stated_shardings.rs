//! Shardings that custom calls state in a function's text, recorded for [`super::pieces`].

use std::collections::HashMap;

use crate::ir::ValueId;

/// The call targets that state where values are.
pub(super) const SHARDING: &str = "Sharding";
pub(super) const TO_PARTS: &str = "SPMDFullToShardShape";
pub(super) const TO_WHOLE: &str = "SPMDShardToFullShape";

/// The sharding that such a call states, by the value that the call makes.
#[derive(Default)]
pub(super) struct StatedShardings<'t>(pub(super) HashMap<ValueId, &'t str>);

impl<'t> StatedShardings<'t> {
    /// Records the `mhlo.sharding` of a call.
    pub(super) fn note(&mut self, target: &str, value: ValueId, sharding: &'t str) {
        if matches!(target, SHARDING | TO_PARTS | TO_WHOLE) {
            self.0.insert(value, sharding);
        }
    }
}
