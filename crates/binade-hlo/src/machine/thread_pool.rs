//! Thread pools on which programs are planned and evaluated.

use std::sync::{Arc, Mutex, PoisonError};

use binade_simd::Environment;
use binade_simd::threads::process;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::EvalError;

/// Bytes of a thread's stack. Nested calls and regions are interpreted recursively.
pub(super) const STACK: usize = 64 << 20;

/// Threads that evaluate one program at a time, separate from other threads of the process. A forked process starts its own.
#[derive(Clone, Debug)]
pub struct Pool(Arc<Mutex<Threads>>);

#[derive(Debug)]
struct Threads {
    count: usize,
    /// The pool, with the identifier of the process that started it.
    pool: Arc<ThreadPool>,
    process: u32,
}

impl Pool {
    /// Starts `threads` threads; 0 means one for each processor.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub fn new(threads: usize) -> Result<Pool, EvalError> {
        let pool = Arc::new(made(threads)?);
        let threads = Threads { count: pool.current_num_threads(), pool, process: process() };
        Ok(Pool(Arc::new(Mutex::new(threads))))
    }

    /// The threads that all programs of the process share. A program that waits for another leaves them to it.
    pub(crate) fn shared(threads: usize) -> Result<Pool, EvalError> {
        static POOLS: Mutex<Vec<(usize, Pool)>> = Mutex::new(vec![]);
        let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, pool)) = pools.iter().find(|(count, _)| *count == threads) {
            return Ok(pool.clone());
        }
        let pool = Pool::new(threads)?;
        pools.push((threads, pool.clone()));
        Ok(pool)
    }

    /// The thread that plans programs. It runs none, so a program that calls its host can have others planned meanwhile.
    pub(crate) fn planner() -> Result<Pool, EvalError> {
        static PLANNER: Mutex<Option<Pool>> = Mutex::new(None);
        let mut planner = PLANNER.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(match &mut *planner {
            Some(planner) => planner.clone(),
            none => none.insert(Pool::new(1)?).clone(),
        })
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).count
    }

    /// Runs a function on the threads.
    ///
    /// # Errors
    /// If the process was forked, and the system cannot start a thread.
    pub(crate) fn install<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R, EvalError> {
        let pool = self.of_process(process())?;
        Ok(pool.install(work))
    }

    fn of_process(&self, process: u32) -> Result<Arc<ThreadPool>, EvalError> {
        let mut threads = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if threads.process != process {
            let pool = Arc::new(made(threads.count)?);
            // The threads of the parent process do not exist here; a drop would wait for them forever.
            std::mem::forget(std::mem::replace(&mut threads.pool, pool));
            threads.process = process;
        }
        Ok(threads.pool.clone())
    }
}

/// Builds threads whose floating-point environment does not depend on the thread that starts them.
fn made(threads: usize) -> Result<ThreadPool, EvalError> {
    let builder = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK);
    // Each thread has its own environment, which is never restored.
    let builder = builder.start_handler(|_| std::mem::forget(Environment::enter()));
    builder.build().map_err(|error| {
        let stack = STACK >> 20;
        EvalError::Threads(format!(
            "{error}; each takes {stack} MiB of addresses, so that a limit of memory (ulimit -v) or of threads (ulimit -u) is the likely cause"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_process_has_threads_of_its_own() {
        let pool = Pool::new(2).unwrap();
        let here = pool.of_process(process()).unwrap();
        assert!(Arc::ptr_eq(&here, &pool.of_process(process()).unwrap()));
        let there = pool.of_process(process() ^ 1).unwrap();
        assert!(!Arc::ptr_eq(&here, &there) && there.current_num_threads() == 2);
        assert_eq!((pool.threads(), pool.install(rayon::current_num_threads).unwrap()), (2, 2));
    }
}
