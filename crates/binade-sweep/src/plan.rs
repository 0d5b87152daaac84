//! What there is to do.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The file with the plan, in the folder of a sweep.
pub const PLAN: &str = "sweep.json";

/// A piece of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// What it is, for people.
    pub title: String,
    /// A hash of all that its result is a function of.
    pub inputs: String,
    /// Bytes of memory that doing it takes at most, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

/// Pieces of work, and what they are of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The version of binade; another may have other pieces.
    pub binade: String,
    /// What does the pieces: the name of a command.
    pub kind: String,
    /// What the pieces have in common, for who joins the results.
    pub about: Value,
    /// The pieces, in any order.
    pub pieces: Vec<Piece>,
    /// What is done once all of them have a result.
    pub last: Option<Piece>,
}

impl Plan {
    /// What is done, the last piece included.
    pub fn all(&self) -> impl Iterator<Item = &Piece> {
        self.pieces.iter().chain(&self.last)
    }

    /// The first difference to what is asked for that makes other results; how the two are told is of no account.
    pub(crate) fn differs(&self, wanted: &Plan) -> Option<String> {
        let (there, here) = (self, wanted);
        if there.binade != here.binade {
            return Some(format!("it is of binade {}, this is {}", there.binade, here.binade));
        }
        if there.kind != here.kind {
            return Some(format!("it is of `binade {}`", there.kind));
        }
        let count = |plan: &Plan| plan.all().count();
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
