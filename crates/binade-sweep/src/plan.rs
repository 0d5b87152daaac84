//! The plan of a sweep: its pieces, stored in `sweep.json`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Name of the plan's file in the folder of a sweep.
pub const PLAN_FILE: &str = "sweep.json";

/// A unit of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Description for people.
    pub title: String,
    /// Hash of everything that the result depends on.
    pub inputs: String,
    /// Upper bound of the memory needed, in bytes, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

/// The pieces of a sweep, and the command that defines them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepPlan {
    /// Version of binade. Another version may define other pieces.
    pub binade: String,
    /// Name of the command that does the pieces.
    pub kind: String,
    /// Data common to all pieces, for the command that joins the results.
    pub about: Value,
    /// The pieces, in any order.
    pub pieces: Vec<Piece>,
    /// A final piece, which starts when all others have results.
    pub last: Option<Piece>,
}

impl SweepPlan {
    /// All pieces, the last one included.
    pub fn all(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().chain(&self.last)
    }

    /// Describes the first difference that would change results. `about` is not compared.
    pub(crate) fn first_difference(&self, wanted: &SweepPlan) -> Option<String> {
        let (there, here) = (self, wanted);
        if there.binade != here.binade {
            return Some(format!("it is of binade {}, this is {}", there.binade, here.binade));
        }
        if there.kind != here.kind {
            return Some(format!("it is of `binade {}`", there.kind));
        }
        let count = |plan: &SweepPlan| plan.all().count();
        if count(there) != count(here) {
            return Some(format!("it has {} pieces, this would have {}", count(there), count(here)));
        }
        let mut pairs = there.all().zip(here.all());
        let (known, wanted) = pairs.find(|(known, wanted)| known.inputs != wanted.inputs)?;
        Some(match known.title == wanted.title {
            true => format!("its piece '{}' has other inputs", known.title),
            false => format!("it has '{}' where this has '{}'", known.title, wanted.title),
        })
    }
}
