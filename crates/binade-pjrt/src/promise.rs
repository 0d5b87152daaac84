//! A tensor that is there, or that a program in the queue will make.

use std::sync::{Arc, OnceLock};

use binade_hlo::Tensor;

use crate::error::Failure;
use crate::event::{Event, Outcome, failure};

/// What a buffer stands for. Whoever has to make it fulfils it once; others wait.
pub(crate) struct Promise {
    made: OnceLock<Result<Tensor, Outcome>>,
    pub(crate) done: Event,
}

impl Promise {
    /// Of a tensor that is there.
    pub(crate) fn ready(tensor: Tensor) -> Arc<Promise> {
        Arc::new(Promise { made: Ok(tensor).into(), done: Event::ready() })
    }

    /// Of one that is to be made.
    pub(crate) fn open() -> (Arc<Promise>, Maker) {
        let promise = Arc::new(Promise { made: OnceLock::new(), done: Event::open() });
        (promise.clone(), Maker(Some(promise)))
    }

    /// The tensor, after waiting for it, or why there is none.
    pub(crate) fn wait(&self) -> Result<&Tensor, Failure> {
        // An event that has failed says so below.
        let _ = self.done.wait();
        self.made()
    }

    /// The tensor, once the event has happened.
    pub(crate) fn made(&self) -> Result<&Tensor, Failure> {
        match self.made.get() {
            Some(Ok(tensor)) => Ok(tensor),
            Some(Err(outcome)) => Err(failure(outcome).unwrap_or(Failure::Deleted)),
            None => Err(Failure::Invalid("a value that is not made yet".to_owned())),
        }
    }

    /// The tensor, after waiting for it; without another holder, if nobody else has this promise.
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

/// Who has to fulfil a promise. One that is dropped without that fails.
pub(crate) struct Maker(Option<Arc<Promise>>);

impl Maker {
    pub(crate) fn make(mut self, made: Result<Tensor, Outcome>) {
        self.finish(made);
    }

    fn finish(&mut self, made: Result<Tensor, Outcome>) {
        let Some(promise) = self.0.take() else { return };
        let outcome = made.as_ref().map_or_else(Clone::clone, |_| None);
        let _ = promise.made.set(made);
        let done = promise.done.clone();
        // Who is told may be the only holder.
        drop(promise);
        done.set(outcome);
    }
}

impl Drop for Maker {
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
    fn the_only_holder_takes_the_tensor_itself() {
        let (promise, maker) = Promise::open();
        assert!(promise.made().is_err());
        let made = tensor();
        let place = Arc::as_ptr(&made.data);
        maker.make(Ok(made));
        let mut taken = promise.take().unwrap();
        assert!(Arc::as_ptr(&taken.data) == place && Arc::get_mut(&mut taken.data).is_some());
        let shared = Promise::ready(tensor());
        let mut copy = shared.clone().take().unwrap();
        assert!(Arc::get_mut(&mut copy.data).is_none() && shared.made().is_ok());
    }

    #[test]
    fn what_nobody_makes_any_more_fails() {
        let (promise, maker) = Promise::open();
        let waits = promise.clone();
        let waiting = std::thread::spawn(move || waits.wait().err().map(|failure| failure.to_string()));
        drop(maker);
        let said = waiting.join().unwrap().unwrap();
        assert!(said.contains("has ended"), "{said}");
        assert!(promise.take().is_err());
    }
}
