//! Events: notice that work is done, and of its outcome.

use std::ffi::c_void;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::abi::{Ask, Handle, Only, Slice, arguments, entries};
use crate::error::{Error, Failure};

/// A caller's function for an event that becomes ready. It owns the error.
type Callback = unsafe extern "C" fn(*mut Error, *mut c_void);

/// The caller's argument of a [`Callback`].
struct Argument(*mut c_void);

// SAFETY: this library only passes it to its callback, which any thread may call by the contract of the C API.
unsafe impl Send for Argument {}

/// The code and the message of an error; none for success.
pub(crate) type Outcome = Option<(i32, String)>;

/// Work for when an event is ready.
type Then = Box<dyn FnOnce(&Outcome) + Send>;

struct State {
    /// None: not ready.
    outcome: Option<Outcome>,
    then: Vec<Then>,
}

/// An event. Copies are of the same event.
#[derive(Clone)]
pub(crate) struct Event(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Event {
    fn new(outcome: Option<Outcome>) -> Event {
        let state = Mutex::new(State { outcome, then: vec![] });
        Event(Arc::new(Shared { state, changed: Condvar::new() }))
    }

    /// An event that is ready.
    pub(crate) fn ready() -> Event {
        Event::new(Some(None))
    }

    /// An event that is not ready.
    pub(crate) fn open() -> Event {
        Event::new(None)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the event ready, unless it is ready already.
    pub(crate) fn set(&self, outcome: Outcome) {
        let mut state = self.lock();
        if state.outcome.is_some() {
            return;
        }
        let then = std::mem::take(&mut state.then);
        state.outcome = Some(outcome.clone());
        drop(state);
        self.0.changed.notify_all();
        then.into_iter().for_each(|then| then(&outcome));
    }

    /// Does `work` once the event is ready: now, or in the thread that makes it ready.
    pub(crate) fn then(&self, work: impl FnOnce(&Outcome) + Send + 'static) {
        let mut state = self.lock();
        match state.outcome.clone() {
            None => state.then.push(Box::new(work)),
            Some(outcome) => {
                drop(state);
                work(&outcome);
            }
        }
    }

    pub(crate) fn wait(&self) -> Result<(), Failure> {
        let state = self.0.changed.wait_while(self.lock(), |state| state.outcome.is_none());
        let state = state.unwrap_or_else(PoisonError::into_inner);
        state.outcome.as_ref().and_then(failure).map_or(Ok(()), Err)
    }
}

pub(crate) fn failure(outcome: &Outcome) -> Option<Failure> {
    outcome.as_ref().map(|(code, message)| Failure::Given { code: *code, message: message.clone() })
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

    /// True if the event is ready.
    fn is_ready(arguments: Ask<Event, bool>) {
        arguments.answer = arguments.object.get()?.lock().outcome.is_some();
        Ok(())
    }

    /// The error of an event that is ready.
    fn error(arguments: Only<Event>) {
        match &arguments.object.get()?.lock().outcome {
            Some(outcome) => failure(outcome).map_or(Ok(()), Err),
            None => Err(Failure::Invalid("the event is not ready".to_owned())),
        }
    }

    /// Waits until an event is ready.
    fn wait(arguments: Only<Event>) {
        arguments.object.get()?.wait()
    }

    /// Calls back once an event is ready.
    fn on_ready(arguments: OnReady) {
        let callback = arguments.callback.ok_or(Failure::Null)?;
        let argument = Argument(arguments.argument);
        arguments.event.get()?.then(move |outcome| {
            let Argument(argument) = { argument };
            let error = failure(outcome).map_or(std::ptr::null_mut(), Error::raw);
            // SAFETY: the caller gave the argument for this callback, which is called once and owns the error.
            unsafe { callback(error, argument) };
        });
        Ok(())
    }

    /// An event that is not ready.
    fn create(arguments: Create) {
        arguments.event = Handle::give(Event::open());
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
    fn structures_have_the_sizes_of_the_c_header() {
        assert_eq!(size_of::<OnReady>(), 40);
        assert_eq!(size_of::<Set>(), 48);
    }

    #[test]
    fn event_that_is_set_calls_back() {
        unsafe extern "C" fn seen(error: *mut Error, argument: *mut c_void) {
            // SAFETY: the argument is a flag of the test, which outlives the event.
            unsafe { *argument.cast::<bool>() = error.is_null() };
        }
        let event = Handle::give(Event::open());
        let mut flags = [false; 2];
        for flag in &mut flags {
            let mut arguments = OnReady {
                struct_size: 0,
                extension: std::ptr::null_mut(),
                event,
                callback: Some(seen),
                argument: std::ptr::from_mut(flag).cast(),
            };
            // SAFETY: `OnReady` is the structure of this function, and the flags outlive the event.
            assert!(unsafe { on_ready(std::ptr::from_mut(&mut arguments).cast()) }.is_null());
            // The first callback is registered before the event is ready, the second one after.
            event.get().unwrap().set(None);
        }
        assert_eq!(flags, [true; 2]);
        assert!(event.take().unwrap().wait().is_ok());
    }
}
