//! Events: whether something is done, and how it ended.

use std::ffi::c_void;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::abi::{Ask, Handle, Only, Slice, arguments, entries};
use crate::error::{Error, Failure};

/// What is called when an event is ready: it owns the error.
type Callback = unsafe extern "C" fn(*mut Error, *mut c_void);

/// A callback and what it is called with.
struct Waiting {
    callback: Callback,
    argument: *mut c_void,
}

// SAFETY: the argument is only handed back to the callback, which by the contract of the C API any thread may call.
unsafe impl Send for Waiting {}

/// None: it went well.
type Outcome = Option<(i32, String)>;

#[derive(Default)]
struct State {
    /// None: not ready.
    outcome: Option<Outcome>,
    waiting: Vec<Waiting>,
}

/// An event.
pub(crate) struct Event {
    state: Mutex<State>,
    changed: Condvar,
}

impl Event {
    /// One that is ready.
    pub(crate) fn ready() -> Event {
        let state = State { outcome: Some(None), waiting: vec![] };
        Event { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes it ready; nothing if it is already.
    fn set(&self, outcome: Outcome) {
        let mut state = self.lock();
        if state.outcome.is_some() {
            return;
        }
        let waiting = std::mem::take(&mut state.waiting);
        state.outcome = Some(outcome.clone());
        drop(state);
        self.changed.notify_all();
        waiting.into_iter().for_each(|waiting| waiting.call(&outcome));
    }

    fn wait(&self) -> Result<(), Failure> {
        let mut state = self.lock();
        loop {
            match &state.outcome {
                Some(outcome) => return failure(outcome).map_or(Ok(()), Err),
                None => state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

fn failure(outcome: &Outcome) -> Option<Failure> {
    outcome.as_ref().map(|(code, message)| Failure::Given { code: *code, message: message.clone() })
}

impl Waiting {
    fn call(self, outcome: &Outcome) {
        let error = failure(outcome).map_or(std::ptr::null_mut(), Error::raw);
        // SAFETY: the caller gave both for this.
        unsafe { (self.callback)(error, self.argument) };
    }
}

arguments! {
    OnReady { event: Handle<Event>, callback: Option<Callback>, argument: *mut c_void }
    Create { event: Handle<Event> }
    Set { event: Handle<Event>, code: i32, message: Slice<u8> }
}

entries! {
    /// Frees an event.
    fn destroy(arguments: Only<Event>) {
        drop(arguments.object.take());
        Ok(())
    }

    /// Whether it has happened.
    fn is_ready(arguments: Ask<Event, bool>) {
        arguments.answer = arguments.object.get()?.lock().outcome.is_some();
        Ok(())
    }

    /// How it ended.
    fn error(arguments: Only<Event>) {
        match &arguments.object.get()?.lock().outcome {
            Some(outcome) => failure(outcome).map_or(Ok(()), Err),
            None => Err(Failure::Invalid("the event is not ready".to_owned())),
        }
    }

    /// Waits until it has happened.
    fn wait(arguments: Only<Event>) {
        arguments.object.get()?.wait()
    }

    /// Calls back when it has happened.
    fn on_ready(arguments: OnReady) {
        let callback = arguments.callback.ok_or(Failure::Null)?;
        let waiting = Waiting { callback, argument: arguments.argument };
        let mut state = arguments.event.get()?.lock();
        match state.outcome.clone() {
            None => state.waiting.push(waiting),
            Some(outcome) => {
                drop(state);
                waiting.call(&outcome);
            }
        }
        Ok(())
    }

    /// An event that is not ready.
    fn create(arguments: Create) {
        let event = Event { state: Mutex::default(), changed: Condvar::new() };
        arguments.event = Handle::give(event);
        Ok(())
    }

    /// Makes an event ready.
    fn set(arguments: Set) {
        let outcome = match arguments.code {
            0 => None,
            code => Some((code, arguments.message.to_text())),
        };
        arguments.event.get()?.set(outcome);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size_of::<OnReady>(), 40);
        assert_eq!(size_of::<Set>(), 48);
    }

    #[test]
    fn an_event_that_is_set_calls_back() {
        unsafe extern "C" fn seen(error: *mut Error, argument: *mut c_void) {
            // SAFETY: the argument is the flag below, and there is no error.
            unsafe { *argument.cast::<bool>() = error.is_null() };
        }
        let event = Event { state: Mutex::default(), changed: Condvar::new() };
        let mut flag = false;
        let waiting = Waiting { callback: seen, argument: std::ptr::from_mut(&mut flag).cast() };
        event.lock().waiting.push(waiting);
        event.set(None);
        assert!(flag && event.wait().is_ok());
    }
}
