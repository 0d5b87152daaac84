//! Divides work among processes that share a folder, on one machine or many. There is no server and no common clock.
//!
//! A [`SweepPlan`] lists pieces. The caller defines the work of a piece; its result must depend on its inputs only. A piece
//! has a hash of its inputs, a result a hash of its bits. A *worker* is a process that claims pieces and works on them.
//!
//! ```text
//! DIR/sweep.json            the plan, written once
//! DIR/claims/ID.G           claim on the piece ID, generation G: created once, rewritten in place by its worker
//! DIR/results/ID.json       result: written once
//! DIR/conflicts/ID.G.json   a second result with different bits
//! ```
//!
//! # Claims and leases
//! A claim file is written under a temporary name. A rename or link that fails if the target exists then gives it its name,
//! so only one process gets a name. The worker of a piece is the writer of its claim with the greatest G. Claims are never
//! removed. Two processes that want to take over the same piece both want the name G + 1, and one gets it.
//!
//! A worker rewrites its claim every few seconds (a heartbeat), through its open file. Another worker may take the piece over
//! in one of three cases:
//! - The claim says that its worker released the piece or failed.
//! - The claim has not changed for [`SILENT_BEATS`] heartbeats, by the clock of the process that observes it.
//! - The claim was written on this machine since its last boot and is not locked. The system removes the locks of a killed
//!   process.
//!
//! A piece may crash every worker that tries it. It is given up after several workers in a row died without saving progress.
//!
//! A suspended process may wake after another took over its piece. Its next heartbeat reveals this, and it stops. Its result,
//! if any, must have the same bits, because a result depends on the inputs only. The sweep checks this: if two results of a
//! piece differ, both are stored and reported as a conflict.
#![forbid(unsafe_code)]

mod claim;
mod error;
mod files;
mod plan;
mod result;
mod sweep;
mod worker;

pub use claim::{Lease, Progress, SILENT_BEATS, this_process};
pub use error::SweepError;
pub use files::{sha256, sha256_of_file};
pub use plan::{PLAN_FILE, Piece, SweepPlan};
pub use result::{Conflict, PieceResult, StoredResult};
pub use sweep::{PieceState, Sweep};
pub use worker::{Event, FailedPiece, Options, Outcome, RunPiece};
