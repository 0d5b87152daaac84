//! The places in checked regions that report to `--check`, and what each is about.

use std::ptr;
use std::sync::atomic::AtomicBool;

use binade_patch::check::Event;

use crate::record::ObjectRecord;

/// An event and its function. The word behind a call of the check's gate is the address of one.
#[derive(Debug)]
pub(crate) struct CheckPoint {
    pub(crate) event: Event,
    pub(crate) object: ObjectRecord,
    /// The function's symbol, or nothing.
    pub(crate) symbol: String,
    /// The function's address.
    pub(crate) start: u64,
    /// The address that the object's file counts as 0, or `None` in generated code.
    pub(crate) base: Option<u64>,
    /// True once a difference has been reported here.
    pub(crate) reported: AtomicBool,
}

/// The word for an event of a function of an object. The point lives as long as the process, as the code does.
pub(crate) fn word(event: Event, object: ObjectRecord, symbol: &str, start: u64, base: Option<u64>) -> u64 {
    let (symbol, reported) = (symbol.to_owned(), AtomicBool::new(false));
    ptr::from_ref(Box::leak(Box::new(CheckPoint { event, object, symbol, start, base, reported }))) as u64
}
