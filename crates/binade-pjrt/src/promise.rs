//! Promises: tensors that are computed, or that a program in the queue will compute.

use std::sync::{Arc, OnceLock};

use binade_hlo::Tensor;

use crate::error::Failure;
use crate::event::{Event, Outcome, failure};

/// The value of a buffer. Its [`Fulfiller`] fulfils it once; readers wait.
pub(crate) struct Promise {
    made: OnceLock<Result<Tensor, Outcome>>,
    pub(crate) done: Event,
}

impl Promise {
    /// A promise that is fulfilled.
    pub(crate) fn ready(tensor: Tensor) -> Arc<Promise> {
        Arc::new(Promise { made: Ok(tensor).into(), done: Event::ready() })
    }

    /// A promise, and the side that must fulfil it.
    pub(crate) fn open() -> (Arc<Promise>, Fulfiller) {
        let promise = Arc::new(Promise { made: OnceLock::new(), done: Event::open() });
        (promise.clone(), Fulfiller(Some(promise)))
    }

    /// Waits for the tensor, or for the failure of its program.
    pub(crate) fn wait(&self) -> Result<&Tensor, Failure> {
        // `made` returns the failure of the event.
        let _ = self.done.wait();
        self.made()
    }

    /// The tensor of a promise that is fulfilled.
    pub(crate) fn made(&self) -> Result<&Tensor, Failure> {
        match self.made.get() {
            Some(Ok(tensor)) => Ok(tensor),
            Some(Err(outcome)) => Err(failure(outcome).unwrap_or(Failure::Deleted)),
            None => Err(Failure::Invalid("the value has not been computed yet".to_owned())),
        }
    }

    /// Waits for the tensor and takes it, without a copy if this is the only reference to the promise.
    pub(crate) fn take(self: Arc<Promise>) -> Result<Tensor, Failure> {
        self.wait()?;
        match Arc::try_unwrap(self) {
            Ok(Promise { made, .. }) => match made.into_inner() {
                Some(Ok(tensor)) => Ok(tensor),
                _ => Err(Failure::Deleted),
            },
            Err(shared) => shared.made().cloned(),
        }
    }
}

/// The side that must fulfil a promise. Dropped unfulfilled, it fails the promise.
pub(crate) struct Fulfiller(Option<Arc<Promise>>);

impl Fulfiller {
    pub(crate) fn fulfil(mut self, made: Result<Tensor, Outcome>) {
        self.finish(made);
    }

    fn finish(&mut self, made: Result<Tensor, Outcome>) {
        let Some(promise) = self.0.take() else { return };
        let outcome = made.as_ref().map_or_else(Clone::clone, |_| None);
        let _ = promise.made.set(made);
        let done = promise.done.clone();
        // A reader that `done` wakes can then be the only one with a reference.
        drop(promise);
        done.set(outcome);
    }
}

impl Drop for Fulfiller {
    fn drop(&mut self) {
        if self.0.is_some() {
            self.finish(Err(Failure::Abandoned.outcome()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade_hlo::{Data, ElementType};

    fn tensor() -> Tensor {
        Tensor::new(ElementType::Bool, vec![2], Data::U8(vec![1, 0]))
    }

    #[test]
    fn tensor_of_the_only_reference_is_taken_without_a_copy() {
        let (promise, fulfiller) = Promise::open();
        assert!(promise.made().is_err());
        let made = tensor();
        let place = Arc::as_ptr(&made.data);
        fulfiller.fulfil(Ok(made));
        let mut taken = promise.take().unwrap();
        assert!(Arc::as_ptr(&taken.data) == place && Arc::get_mut(&mut taken.data).is_some());
        let shared = Promise::ready(tensor());
        let mut copy = shared.clone().take().unwrap();
        assert!(Arc::get_mut(&mut copy.data).is_none() && shared.made().is_ok());
    }

    #[test]
    fn promise_whose_fulfiller_is_dropped_fails() {
        let (promise, fulfiller) = Promise::open();
        let waits = promise.clone();
        let waiting = std::thread::spawn(move || waits.wait().err().map(|failure| failure.to_string()));
        drop(fulfiller);
        let said = waiting.join().unwrap().unwrap();
        assert!(said.contains("has ended"), "{said}");
        assert!(promise.take().is_err());
    }
}
