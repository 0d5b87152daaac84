//! Queue of the programs that a client has dispatched. One thread runs them in the order of dispatch.
//!
//! A quick program runs in the caller's thread, unless a slow one is before it in the queue.
//!
//! A program that calls Python runs in the caller's thread and has exclusive use of the queue: programs that are dispatched meanwhile run
//! at once. Otherwise a callback that waits for a value could wait for a program behind itself.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Maximum number of waiting programs. A faster caller then waits, which bounds the inputs and results in memory.
const MOST: usize = 32;

/// Bytes of the thread's stack: programs with regions within each other are freed recursively.
const STACK: usize = 16 << 20;

/// Work that is run, or dropped if its client ends before.
pub(crate) type Job = Box<dyn FnOnce() + Send>;

#[derive(Default)]
struct State {
    /// Each with true if it is quick.
    jobs: VecDeque<(Job, bool)>,
    running: bool,
    /// Number of slow jobs that wait or run.
    slow: usize,
    /// Number of programs with exclusive use of the queue.
    exclusive: usize,
    closed: bool,
    /// The thread, and the process that it belongs to.
    worker: Option<(JoinHandle<()>, u32)>,
}

/// A queue.
#[derive(Default)]
pub(crate) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

/// Exclusive use of the queue: while it lives, jobs are run at once.
pub(crate) struct Exclusive<'a>(&'a Queue);

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.worker.as_ref().is_some_and(|(_, of)| *of != std::process::id()) {
            // The process was forked: the thread, and jobs of before, belong to the parent.
            std::mem::forget((std::mem::take(&mut state.jobs), state.worker.take()));
            (state.running, state.slow) = (false, 0);
        }
        state
    }

    /// Waits until a condition holds, and returns the state.
    fn when(&self, holds: impl Fn(&State) -> bool) -> MutexGuard<'_, State> {
        let state = self.changed.wait_while(self.lock(), |state| !holds(state));
        state.unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a job, or gives it back for the caller to run at once.
    ///
    /// # Errors
    /// The job, if it is quick and no slow one waits or runs, if a program has exclusive use, or if there is no thread.
    pub(crate) fn push(self: &Arc<Queue>, job: Job, quick: bool) -> Result<(), Job> {
        let mut state = self.lock();
        if (quick && state.slow == 0) || state.exclusive > 0 || state.closed {
            return Err(job);
        }
        if state.jobs.len() >= MOST {
            drop(state);
            state = self.when(|state| state.jobs.len() < MOST || state.exclusive > 0 || state.closed);
            if state.exclusive > 0 || state.closed {
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

    /// Waits until all queued jobs have run, and takes exclusive use of the queue.
    pub(crate) fn exclusive(&self) -> Exclusive<'_> {
        self.lock().exclusive += 1;
        // Callers that wait for space see it.
        self.changed.notify_all();
        drop(self.when(|state| state.jobs.is_empty() && !state.running));
        Exclusive(self)
    }

    fn work(&self) {
        loop {
            let mut state = self.when(|state| !state.jobs.is_empty() || state.closed);
            let Some((job, quick)) = state.jobs.pop_front() else { return };
            state.running = true;
            drop(state);
            self.changed.notify_all();
            // A job catches its own panics; this catches those of callers' functions.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
            let mut state = self.lock();
            state.running = false;
            state.slow -= usize::from(!quick);
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Closes the queue: waits for the running job, and drops those that wait.
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

impl Drop for Exclusive<'_> {
    fn drop(&mut self) {
        self.0.lock().exclusive -= 1;
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
        // More jobs than may wait.
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
    fn quick_job_without_a_slow_one_before_it_is_given_back() {
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
    fn exclusive_use_waits_for_queued_jobs_and_gives_back_later_ones() {
        let queue = Arc::new(Queue::default());
        let (to, from) = channel();
        assert!(queue.push(Box::new(move || to.send(1).unwrap()), false).is_ok());
        let exclusive = queue.exclusive();
        assert_eq!(from.try_recv(), Ok(1));
        assert!(queue.push(Box::new(|| ()), false).is_err());
        // Nested exclusive use.
        drop(queue.exclusive());
        assert!(queue.push(Box::new(|| ()), false).is_err());
        drop(exclusive);
        assert!(queue.push(Box::new(|| ()), false).is_ok());
        queue.close();
    }

    #[test]
    fn close_waits_for_the_running_job_and_drops_the_others() {
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
    fn job_that_panics_does_not_stop_the_queue() {
        let queue = Arc::new(Queue::default());
        assert!(queue.push(Box::new(|| panic!("for the test")), false).is_ok());
        let (to, from) = channel();
        assert!(queue.push(Box::new(move || to.send(3).unwrap()), false).is_ok());
        assert_eq!(from.recv(), Ok(3));
        queue.close();
    }
}
