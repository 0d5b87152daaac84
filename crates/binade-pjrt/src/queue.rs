//! The programs of a client that have been dispatched and not yet been run. One thread runs them, in the order in which they
//! were dispatched. Quick ones are run by who dispatches them, unless they would have to wait for one that is not.
//!
//! Programs that call Python are run by who dispatches them, with the queue to themselves: what is dispatched meanwhile is run
//! at once. A callback that waits for a value would otherwise wait for a program that needs the thread it runs on.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// How many may wait: a caller that is faster than the device waits for it then, so that inputs and results are held of no
/// more programs than that.
const MOST: usize = 32;

/// Bytes of the thread's stack: programs with regions within each other are freed recursively.
const STACK: usize = 16 << 20;

/// Something that is run, or dropped if its client ends before.
pub(crate) type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    /// With whether each is quick.
    jobs: VecDeque<(Job, bool)>,
    running: bool,
    /// How many wait or run that are not quick.
    slow: usize,
    /// How many programs have the queue to themselves.
    alone: usize,
    closed: bool,
    /// The thread, and the process that it is in.
    worker: Option<(JoinHandle<()>, u32)>,
}

/// A queue.
#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

/// While it lives, what is dispatched is run at once.
pub(crate) struct Alone<'a>(&'a Queue);

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.worker.as_ref().is_some_and(|(_, of)| *of != std::process::id()) {
            // The process was forked: what was dispatched before is run where it was dispatched, and the thread is there.
            std::mem::forget((std::mem::take(&mut state.jobs), state.worker.take()));
            (state.running, state.slow) = (false, 0);
        }
        state
    }

    /// The state, once a condition holds.
    fn when(&self, holds: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let state = self.changed.wait_while(self.lock(), |state| !holds(state));
        state.unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a job after those that were dispatched before; or gives it back to be run at once.
    ///
    /// # Errors
    /// If it is quick and nothing waits or runs that is not, if a program has the queue to itself, or if there is no thread.
    pub(crate) fn push(self: &Arc<Queue>, job: Job, quick: bool) -> Result<(), Job> {
        let mut state = self.lock();
        if (quick && state.slow == 0) || state.alone > 0 || state.closed {
            return Err(job);
        }
        if state.jobs.len() >= MOST {
            drop(state);
            state = self.when(|state| state.jobs.len() < MOST || state.alone > 0 || state.closed);
            if state.alone > 0 || state.closed {
                return Err(job);
            }
        }
        if state.worker.is_none() {
            let queue = self.clone();
            let thread = std::thread::Builder::new().name("binade-queue".to_owned()).stack_size(STACK);
            let Ok(worker) = thread.spawn(move || queue.work()) else { return Err(job) };
            state.worker = Some((worker, std::process::id()));
        }
        state.jobs.push_back((job, quick));
        state.slow += usize::from(!quick);
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// Waits until everything has been run that was dispatched, and has what follows run at once.
    pub(crate) fn alone(&self) -> Alone<'_> {
        self.lock().alone += 1;
        // Those that wait for room are to see it.
        self.changed.notify_all();
        drop(self.when(|state| state.jobs.is_empty() && !state.running));
        Alone(self)
    }

    fn work(&self) {
        loop {
            let mut state = self.when(|state| !state.jobs.is_empty() || state.closed);
            let Some((job, quick)) = state.jobs.pop_front() else { return };
            state.running = true;
            drop(state);
            self.changed.notify_all();
            // A job catches its own panics; what a caller's function does is the caller's.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
            let mut state = self.lock();
            state.running = false;
            state.slow -= usize::from(!quick);
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Ends: what runs is waited for, and what waits is dropped.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        let (jobs, worker) = (std::mem::take(&mut state.jobs), state.worker.take());
        drop(state);
        self.changed.notify_all();
        drop(jobs);
        if let Some((worker, _)) = worker
            && worker.thread().id() != std::thread::current().id()
        {
            let _ = worker.join();
        }
    }
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        self.0.lock().alone -= 1;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn jobs_run_in_the_order_of_dispatch_by_one_thread() {
        let queue = Arc::new(Queue::default());
        let (to, from) = channel();
        // More than may wait.
        for at in 0..3 * MOST {
            let to = to.clone();
            let job = Box::new(move || to.send((at, std::thread::current().id())).unwrap());
            assert!(queue.push(job, false).is_ok());
        }
        drop(to);
        let found: Vec<_> = from.iter().collect();
        assert!(found.iter().enumerate().all(|(at, (job, thread))| at == *job && *thread == found[0].1));
        assert_ne!(found[0].1, std::thread::current().id());
        queue.close();
    }

    #[test]
    fn a_quick_job_is_given_back_where_nothing_slow_is_before_it() {
        let queue = Arc::new(Queue::default());
        assert!(queue.push(Box::new(|| ()), true).is_err());
        let (go, wait) = channel::<()>();
        assert!(queue.push(Box::new(move || wait.recv().unwrap_or(())), false).is_ok());
        let (to, from) = channel();
        assert!(queue.push(Box::new(move || to.send(7).unwrap()), true).is_ok());
        assert!(from.try_recv().is_err());
        go.send(()).unwrap();
        assert_eq!(from.recv(), Ok(7));
        queue.close();
        assert!(queue.push(Box::new(|| ()), false).is_err());
    }

    #[test]
    fn who_is_alone_waits_for_what_was_dispatched_and_has_the_rest_given_back() {
        let queue = Arc::new(Queue::default());
        let (to, from) = channel();
        assert!(queue.push(Box::new(move || to.send(1).unwrap()), false).is_ok());
        let alone = queue.alone();
        assert_eq!(from.try_recv(), Ok(1));
        assert!(queue.push(Box::new(|| ()), false).is_err());
        // Within itself, too.
        drop(queue.alone());
        assert!(queue.push(Box::new(|| ()), false).is_err());
        drop(alone);
        assert!(queue.push(Box::new(|| ()), false).is_ok());
        queue.close();
    }

    #[test]
    fn closing_waits_for_what_runs_and_drops_the_rest() {
        let queue = Arc::new(Queue::default());
        let (to, from) = channel();
        let (begun, begins) = channel();
        let (go, wait) = channel::<()>();
        let first = to.clone();
        let job = Box::new(move || {
            begun.send(()).unwrap();
            wait.recv().unwrap_or(());
            first.send(1).unwrap();
        });
        assert!(queue.push(job, false).is_ok());
        assert!(queue.push(Box::new(move || to.send(2).unwrap()), false).is_ok());
        begins.recv().unwrap();
        let other = queue.clone();
        let closing = std::thread::spawn(move || other.close());
        // The second is dropped while the first still runs; then it may go on.
        while !queue.lock().closed {
            std::thread::yield_now();
        }
        go.send(()).unwrap();
        closing.join().unwrap();
        assert_eq!(from.iter().collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn a_job_that_panics_does_not_stop_the_queue() {
        let queue = Arc::new(Queue::default());
        assert!(queue.push(Box::new(|| panic!("for the test")), false).is_ok());
        let (to, from) = channel();
        assert!(queue.push(Box::new(move || to.send(3).unwrap()), false).is_ok());
        assert_eq!(from.recv(), Ok(3));
        queue.close();
    }
}
