//! Pieces of work that processes on many machines take from a shared folder, and nothing else: no server, no clock in common.
//!
//! A [`Plan`] lists pieces. Each is a function of its inputs, which a hash stands for, and comes to a result, whose bits another
//! hash stands for. What the pieces are is the caller's; this crate knows who has which.
//!
//! ```text
//! DIR/sweep.json            the plan, written once
//! DIR/claims/ID.G           who had the piece ID as the G-th: written once, and rewritten in place by its holder
//! DIR/results/ID.json       what it came to: written once
//! DIR/conflicts/ID.G.json   a result with other bits than the one that is there
//! ```
//!
//! # Why nobody has a piece twice
//! A name is given once: a file is written whole under a temporary name, and gets its own by a rename or link that fails where the
//! name exists. The holder of a piece is the writer of its claim with the greatest G. A claim is never removed, so two
//! processes that want to follow the same holder both want the same name G + 1, and one of them gets it.
//!
//! A holder rewrites its claim every few seconds (a beat), through the file that it opened, which no other name leads to. Others
//! take the piece over when
//! - the claim says that its holder let go, or failed, or
//! - its text has not changed for [`SILENT_BEATS`] of its beats, by the clock of who looks, or
//! - it was written on this machine since it was started, and is not locked: the system unlocks what a killed process had.
//!
//! A piece whose holders die one after another, each where it began, is given up: it may be what they die of.
//!
//! A process that was suspended may wake after it was followed. It sees that at its next beat, and gives up; whatever it wrote until
//! then are the same bits, since a piece is a function of its inputs. That is checked: a second result of a piece is compared with the
//! first, and both are kept and reported where they differ.
#![forbid(unsafe_code)]

mod claim;
mod error;
mod files;
mod plan;
mod result;
mod work;

pub use claim::{Hold, Progress, SILENT_BEATS, this_process};
pub use error::SweepError;
pub use files::{sha256, sha256_of_file};
pub use plan::{PLAN, Piece, Plan};
pub use result::{Conflict, Done, Finished};
pub use work::{Event, Failed, Options, Outcome, Standing, Sweep, Work};
