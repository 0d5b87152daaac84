//! The ledger of live tensors, with which the interpreter enforces the memory limit.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use binade_stablehlo::{Data, Value};

/// Smaller tensors are not counted: their number is bounded by the text's operations and calls.
const SMALL: usize = 1 << 10;

/// The live tensors: constants, inputs, values, unreceived messages and recorded probes.
///
/// A tensor is entered when it first becomes a value. It leaves the ledger when its last owner drops it. An entry is a weak
/// reference: while it exists, no other tensor takes its address, and elements are freed with the last strong reference.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    held: Mutex<Live>,
    /// The total bytes, readable without a lock.
    bytes: AtomicUsize,
}

#[derive(Debug, Default)]
struct Live {
    tensors: HashMap<usize, Weak<Data>, BuildHasherDefault<AddressHasher>>,
    /// Bytes of the tensors live at the last sweep and of those entered since.
    bytes: usize,
    /// The number of tensors at the last sweep.
    swept: usize,
}

/// Hashes addresses.
#[derive(Debug, Default)]
struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_usize(byte.into()));
    }

    fn write_usize(&mut self, place: usize) {
        // 2^64 divided by the golden ratio. The high half of the product depends on all bits.
        let spread = (self.0 ^ place as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = spread ^ spread >> 32;
    }
}

impl Live {
    /// Removes the tensors without owners.
    fn sweep(&mut self) {
        let mut bytes = 0usize;
        self.tensors.retain(|_, tensor| match tensor.upgrade() {
            Some(data) => {
                bytes = bytes.saturating_add(data.bytes());
                true
            }
            None => false,
        });
        self.bytes = bytes;
        self.swept = self.tensors.len();
    }
}

impl Ledger {
    fn lock(&self) -> MutexGuard<'_, Live> {
        // A panic between two changes leaves the ledger valid, or with more bytes than are live.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a value's tensors.
    pub(crate) fn enter(&self, value: &Value) {
        match value {
            Value::Tensor(tensor) => self.enter_data(&tensor.data),
            Value::Token => {}
            Value::Tuple(values) => values.iter().for_each(|value| self.enter(value)),
        }
    }

    pub(crate) fn enter_data(&self, data: &Arc<Data>) {
        let bytes = data.bytes();
        if bytes < SMALL {
            return;
        }
        let mut held = self.lock();
        let place = Arc::as_ptr(data) as usize;
        let mut new = false;
        held.tensors.entry(place).or_insert_with(|| {
            new = true;
            Arc::downgrade(data)
        });
        if new {
            held.bytes = held.bytes.saturating_add(bytes);
            if held.tensors.len() > 2 * held.swept + 1024 {
                held.sweep();
            }
            self.bytes.store(held.bytes, Ordering::Relaxed);
        }
    }

    /// Checks that `bytes` more bytes stay within the limit. Otherwise, the error is the number of live bytes.
    pub(crate) fn check_fits(&self, bytes: usize, limit: usize) -> Result<(), usize> {
        let fits = |held: usize| held.checked_add(bytes).is_some_and(|sum| sum <= limit);
        // The total is never less than the live bytes that were entered.
        if fits(self.bytes.load(Ordering::Relaxed)) {
            return Ok(());
        }
        let mut held = self.lock();
        held.sweep();
        self.bytes.store(held.bytes, Ordering::Relaxed);
        if fits(held.bytes) { Ok(()) } else { Err(held.bytes) }
    }
}

#[cfg(test)]
mod tests {
    use binade_stablehlo::{ElementType, Tensor};

    use super::*;

    fn tensor(length: usize) -> Tensor {
        Tensor::new(ElementType::Integer { signed: false, width: 8 }, vec![length], Data::U8(vec![0; length]))
    }

    #[test]
    fn what_nobody_holds_is_not_counted() {
        let ledger = Ledger::default();
        let (a, b) = (tensor(4096), tensor(8192));
        let enter = |tensor: &Tensor| ledger.enter(&Value::Tensor(tensor.clone()));
        [&a, &b, &a].into_iter().for_each(enter);
        assert_eq!(ledger.check_fits(0, 0), Err(12288));
        assert_eq!(ledger.check_fits(2048, 12288 + 2048), Ok(()));
        let again = a.clone();
        drop(a);
        assert_eq!(ledger.check_fits(1, 12288), Err(12288));
        drop(again);
        assert_eq!(ledger.check_fits(1, 8192), Err(8192));
        // A tensor changed in place becomes a value again.
        let mut b = b;
        Arc::make_mut(&mut b.data);
        enter(&b);
        assert_eq!(ledger.check_fits(1, 8192), Err(8192));
        for _ in 0..10_000 {
            enter(&tensor(SMALL));
        }
        assert!(ledger.lock().tensors.len() < 3000);
    }
}
