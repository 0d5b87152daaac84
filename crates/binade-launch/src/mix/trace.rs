//! Running a program under `ptrace`, at full speed between the windows that are stepped through.

use std::collections::HashMap;
use std::ffi::{CString, OsString, c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::{Duration, Instant};

use binade_profile::mix::{Counts, Sampling, Window};
use libc::pid_t;
use thiserror::Error;

use super::classify::{Classification, MAX_LENGTH, classify};

/// The reason for which a program could not be measured.
#[derive(Debug, Error)]
pub enum MixError {
    /// No command was given, or it has a zero byte.
    #[error("the command is empty or has a zero byte in it")]
    Command,
    /// It could not be started.
    #[error("cannot run '{program}': {source}")]
    Start {
        /// Its name.
        program: String,
        /// The reason.
        source: io::Error,
    },
    /// A system call failed.
    #[error("cannot {what}: {source} (measuring a program needs the right to trace it)")]
    Trace {
        /// The purpose of the call.
        what: &'static str,
        /// The reason.
        source: io::Error,
    },
}

/// The outcome of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The instructions of each window; one window if everything was counted.
    pub windows: Vec<Window>,
    /// The program's exit code, 128 + N if signal N ended it.
    pub code: i32,
}

/// The target of the program's standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stdout {
    /// The path of this process's record.
    Inherited,
    /// To standard error, which leaves standard output to this process.
    ToStderr,
}

/// Time that a thread may spend in a system call before its window ends.
const SYSTEM_CALL_TIMEOUT: Duration = Duration::from_millis(20);
/// Time after which a window ends with fewer instructions, on a busy machine.
const WINDOW_TIMEOUT: Duration = Duration::from_millis(100);
/// Time between two checks of a thread in a system call.
const POLL_INTERVAL: Duration = Duration::from_micros(500);
/// The share of a program's time that windows take at most.
const LARGEST_SHARE: f64 = 0.1;
/// Every kind of child, of this thread only: another thread may trace a program of its own.
const WAIT: c_int = libc::__WALL | libc::__WNOTHREAD;
/// Maximum time that the tracer sleeps.
const LONGEST_SLEEP: Duration = Duration::from_millis(5);
/// Steps after which code is read again, since the program may have changed it.
const REREAD: u32 = 1 << 16;

/// Runs a command and classifies the instructions that it executes, its children and threads included.
///
/// # Errors
/// If it cannot be started or traced.
pub fn trace(command: &[OsString], sampling: Sampling, stdout: Stdout) -> Result<Outcome, MixError> {
    let root = start(command, stdout)?;
    let mut tracer = Tracer { root, ..Tracer::default() };
    tracer.threads.insert(root, Thread::default());
    match sampling {
        Sampling::Exact => {
            let counts = tracer.step_all();
            tracer.windows.push(Window { counts, weight: 1.0 });
        }
        Sampling::Windows { interval, length, seed } => tracer.sample(interval, length, seed),
    }
    Ok(Outcome { windows: tracer.windows, code: tracer.code })
}

/// The error of the last system call.
fn last(what: &'static str) -> MixError {
    MixError::Trace { what, source: io::Error::last_os_error() }
}

/// Starts the command stopped at its `exec`, seized by this thread.
fn start(command: &[OsString], stdout: Stdout) -> Result<pid_t, MixError> {
    let arguments: Vec<CString> = command
        .iter()
        .map(|argument| CString::new(argument.as_bytes()))
        .collect::<Result<_, _>>()
        .map_err(|_| MixError::Command)?;
    let Some(program) = arguments.first() else { return Err(MixError::Command) };
    let mut pointers: Vec<_> = arguments.iter().map(|argument| argument.as_ptr()).collect();
    pointers.push(std::ptr::null());
    // The child tells on this pipe why it could not `exec`.
    let mut ends = [0; 2];
    // SAFETY: room for two descriptors, which are ours alone afterwards.
    let (reader, writer) = unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(last("make a pipe"));
        }
        (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]))
    };
    // SAFETY: the child calls only functions that are safe between fork and exec.
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(last("make a process"));
    }
    if child == 0 {
        // SAFETY: between fork and exec only async-signal-safe functions are called; the arguments end with a null pointer.
        unsafe {
            if stdout == Stdout::ToStderr {
                libc::dup2(libc::STDERR_FILENO, libc::STDOUT_FILENO);
            }
            libc::raise(libc::SIGSTOP);
            libc::execvp(program.as_ptr(), pointers.as_ptr());
            let error = *libc::__errno_location();
            libc::write(writer.as_raw_fd(), (&raw const error).cast(), size_of::<c_int>());
            libc::_exit(127);
        }
    }
    drop(writer);
    let mut status = 0;
    // SAFETY: waits for our own child, which has stopped itself, and traces it.
    unsafe {
        libc::waitpid(child, &raw mut status, libc::WUNTRACED);
        let options = libc::PTRACE_O_TRACECLONE
            | libc::PTRACE_O_TRACEFORK
            | libc::PTRACE_O_TRACEVFORK
            | libc::PTRACE_O_TRACEEXEC
            | libc::PTRACE_O_EXITKILL;
        if libc::ptrace(libc::PTRACE_SEIZE, child, 0, options as usize) != 0 {
            let error = last("trace the program");
            libc::kill(child, libc::SIGKILL);
            return Err(error);
        }
        libc::kill(child, libc::SIGCONT);
    }
    // Up to the exec, or to the end of a child that could not.
    loop {
        // SAFETY: waits for this process's own child, and writes only `status`.
        if unsafe { libc::waitpid(child, &raw mut status, WAIT) } < 0 {
            return Err(last("wait for the program"));
        }
        if libc::WIFEXITED(status) || libc::WIFSIGNALED(status) {
            let mut error: c_int = 0;
            // SAFETY: room for what the child wrote.
            unsafe { libc::read(reader.as_raw_fd(), (&raw mut error).cast(), size_of::<c_int>()) };
            let source = io::Error::from_raw_os_error(error);
            return Err(MixError::Start { program: program.to_string_lossy().into_owned(), source });
        }
        if status >> 16 == libc::PTRACE_EVENT_EXEC {
            return Ok(child);
        }
        // The stop that it sent to itself, and what continues it, are not the program's.
        request(libc::PTRACE_CONT, child, 0);
    }
}

/// A request that needs no data but a signal to deliver. Threads may die at any time: that shows in the next wait.
fn request(request: libc::c_uint, thread: pid_t, signal: c_int) {
    // SAFETY: requests that touch no memory of ours.
    unsafe { libc::ptrace(request, thread, 0, signal as usize) };
}

/// The next action on a thread that stopped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// It stopped between two instructions, for nothing.
    Step,
    /// It goes on, with this signal or with none, from where it is not about to execute an instruction.
    Resume(c_int),
    /// The program's own job control stopped it.
    Listen,
    /// There is no such thread any more.
    Gone,
}

#[derive(Clone, Debug, Default)]
struct Thread {
    /// The address of the instruction that was counted last.
    last: u64,
    stopped: bool,
}

#[derive(Default)]
struct Tracer {
    root: pid_t,
    code: i32,
    threads: HashMap<pid_t, Thread>,
    classes: HashMap<u64, Classification>,
    steps: u32,
    windows: Vec<Window>,
}

impl Tracer {
    /// Takes note of what happened to a thread.
    fn note(&mut self, thread: pid_t, status: c_int) -> Next {
        if libc::WIFEXITED(status) || libc::WIFSIGNALED(status) {
            if thread == self.root {
                self.code = if libc::WIFEXITED(status) {
                    libc::WEXITSTATUS(status)
                } else {
                    128 + libc::WTERMSIG(status)
                };
            }
            self.threads.remove(&thread);
            return Next::Gone;
        }
        let signal = libc::WSTOPSIG(status);
        let known = self.threads.entry(thread).or_default();
        known.stopped = false;
        match status >> 16 {
            0 if signal == libc::SIGTRAP && is_step(thread) => Next::Step,
            0 => Next::Resume(signal),
            libc::PTRACE_EVENT_STOP if signal != libc::SIGTRAP => {
                known.stopped = true;
                Next::Listen
            }
            libc::PTRACE_EVENT_STOP => Next::Step,
            libc::PTRACE_EVENT_EXEC => {
                // The thread that called it has the process's number now, and no other is left of the process.
                let mut former = 0 as libc::c_ulong;
                // SAFETY: room for the number.
                unsafe { libc::ptrace(libc::PTRACE_GETEVENTMSG, thread, 0, &raw mut former) };
                if former as pid_t != thread {
                    self.threads.remove(&(former as pid_t));
                }
                self.classes.clear();
                Next::Resume(0)
            }
            _ => Next::Resume(0),
        }
    }

    /// Counts the instruction that a stopped thread is about to execute. Returns true if that may wait for something.
    fn count(&mut self, thread: pid_t, counts: &mut Counts) -> bool {
        // SAFETY: reads a register of the thread.
        let address = unsafe {
            libc::ptrace(libc::PTRACE_PEEKUSER, thread, libc::RIP as usize * size_of::<u64>(), 0) as u64
        };
        self.steps += 1;
        if self.steps.is_multiple_of(REREAD) {
            self.classes.clear();
        }
        let found = *self.classes.entry(address).or_insert_with(|| classify(&code(thread, address)));
        if let Some(known) = self.threads.get_mut(&thread) {
            if !(found.repeats && known.last == address) {
                counts.add(found.class);
            }
            known.last = address;
        }
        found.system
    }

    /// Steps every thread through everything.
    fn step_all(&mut self) -> Counts {
        let mut counts = Counts::default();
        self.count(self.root, &mut counts);
        request(libc::PTRACE_SINGLESTEP, self.root, 0);
        while !self.threads.is_empty() {
            let mut status = 0;
            // SAFETY: room for a status.
            let thread = unsafe { libc::waitpid(-1, &raw mut status, WAIT) };
            if thread < 0 {
                break;
            }
            match self.note(thread, status) {
                Next::Gone => {}
                Next::Listen => request(libc::PTRACE_LISTEN, thread, 0),
                Next::Step => {
                    self.count(thread, &mut counts);
                    request(libc::PTRACE_SINGLESTEP, thread, 0);
                }
                Next::Resume(signal) => request(libc::PTRACE_SINGLESTEP, thread, signal),
            }
        }
        counts
    }

    /// Steps through windows at random moments, rarer ones where windows would otherwise take more than their share.
    fn sample(&mut self, interval: Duration, length: u32, seed: u64) {
        let mut random = Random(seed);
        request(libc::PTRACE_CONT, self.root, 0);
        let (mut spent, mut count) = (Duration::ZERO, 0);
        let mut mean = interval;
        let mut due = Instant::now() + random.exponential(mean);
        while !self.threads.is_empty() {
            while let Some((thread, status)) = wait_status(-1, libc::WNOHANG) {
                self.go_on(thread, status);
            }
            let begun = Instant::now();
            if begun < due {
                wait_for_child(LONGEST_SLEEP.min(due - begun));
                continue;
            }
            let ready = |thread: &pid_t, known: &Thread| !known.stopped && is_running(*thread);
            let threads = self.threads.iter().filter(|(thread, known)| ready(thread, known));
            let mut running: Vec<pid_t> = threads.map(|(thread, _)| *thread).collect();
            if !running.is_empty() {
                running.sort_unstable();
                let counts = self.window(running[random.below(running.len())], length);
                if counts.total() > 0 {
                    self.windows.push(Window { counts, weight: mean.as_secs_f64() });
                }
                spent += begun.elapsed();
                count += 1;
                mean = interval.max((spent / count).mul_f64(1.0 / LARGEST_SHARE - 1.0));
            }
            due = Instant::now() + random.exponential(mean);
        }
    }

    /// Continues a thread that is not stepped.
    fn go_on(&mut self, thread: pid_t, status: c_int) {
        match self.note(thread, status) {
            Next::Gone => {}
            Next::Listen => request(libc::PTRACE_LISTEN, thread, 0),
            Next::Step => request(libc::PTRACE_CONT, thread, 0),
            Next::Resume(signal) => request(libc::PTRACE_CONT, thread, signal),
        }
    }

    /// Steps one thread through a window.
    fn window(&mut self, thread: pid_t, length: u32) -> Counts {
        let mut counts = Counts::default();
        // SAFETY: no memory of ours is touched.
        if unsafe { libc::ptrace(libc::PTRACE_INTERRUPT, thread, 0, 0) } != 0 {
            return counts;
        }
        self.classes.clear();
        let begun = Instant::now();
        let mut may_wait = true;
        loop {
            // A step ends without help, and sleeping until then is quickest on a busy machine.
            let status = if may_wait {
                wait_status_in_time(thread)
            } else {
                wait_status(thread, 0).map(|(_, status)| status)
            };
            let Some(status) = status else {
                // It waits in a system call and stops by itself afterwards.
                break;
            };
            match self.note(thread, status) {
                Next::Gone => break,
                Next::Listen => {
                    request(libc::PTRACE_LISTEN, thread, 0);
                    break;
                }
                Next::Step if counts.total() >= u64::from(length) || begun.elapsed() > WINDOW_TIMEOUT => {
                    request(libc::PTRACE_CONT, thread, 0);
                    break;
                }
                Next::Step => {
                    may_wait = self.count(thread, &mut counts);
                    request(libc::PTRACE_SINGLESTEP, thread, 0);
                }
                Next::Resume(signal) => {
                    // It may be the parent of a vfork.
                    may_wait = true;
                    request(libc::PTRACE_SINGLESTEP, thread, signal);
                }
            }
        }
        counts
    }
}

/// The next status of a thread, or of any for -1. With WNOHANG it is none if nothing has changed.
fn wait_status(thread: pid_t, options: c_int) -> Option<(pid_t, c_int)> {
    let mut status = 0;
    // SAFETY: room for a status.
    let who = unsafe { libc::waitpid(thread, &raw mut status, WAIT | options) };
    (who > 0).then_some((who, status))
}

/// The next status of a thread, if it changes before long.
fn wait_status_in_time(thread: pid_t) -> Option<c_int> {
    let begun = Instant::now();
    loop {
        for _ in 0..100 {
            if let Some((_, status)) = wait_status(thread, libc::WNOHANG) {
                return Some(status);
            }
            std::hint::spin_loop();
        }
        if begun.elapsed() > SYSTEM_CALL_TIMEOUT {
            return None;
        }
        wait_for_child(POLL_INTERVAL);
    }
}

/// True if a stop is the end of a single step, not a signal of the program's.
fn is_step(thread: pid_t) -> bool {
    // SAFETY: a siginfo of zeros is one, and there is room for what the kernel writes.
    let info: libc::siginfo_t = unsafe {
        let mut info = std::mem::zeroed();
        if libc::ptrace(libc::PTRACE_GETSIGINFO, thread, 0, &raw mut info) != 0 {
            return false;
        }
        info
    };
    // After an instruction, and after a system call.
    matches!(info.si_code, libc::TRAP_TRACE | libc::TRAP_BRKPT)
}

/// True if a thread runs or could.
fn is_running(thread: pid_t) -> bool {
    let Ok(stat) = std::fs::read(format!("/proc/{thread}/stat")) else { return false };
    // The name before it is in parentheses and may hold any byte.
    let end = stat.iter().rposition(|byte| *byte == b')');
    end.is_some_and(|end| stat.get(end + 2) == Some(&b'R'))
}

/// The bytes of an instruction, as far as they can be read.
fn code(thread: pid_t, address: u64) -> Vec<u8> {
    let mut bytes = vec![0; MAX_LENGTH];
    let local = libc::iovec { iov_base: bytes.as_mut_ptr().cast::<c_void>(), iov_len: MAX_LENGTH };
    // The next page may not be there.
    let in_page = (0x1000 - (address & 0xfff)) as usize;
    let parts = [
        libc::iovec { iov_base: address as *mut c_void, iov_len: in_page.min(MAX_LENGTH) },
        libc::iovec {
            iov_base: address.wrapping_add(in_page as u64) as *mut c_void,
            iov_len: MAX_LENGTH.saturating_sub(in_page),
        },
    ];
    let count = if in_page < MAX_LENGTH { 2 } else { 1 };
    // SAFETY: writes at most as many bytes as `bytes` has; the other addresses are the traced process's.
    let read = unsafe { libc::process_vm_readv(thread, &raw const local, 1, parts.as_ptr(), count, 0) };
    bytes.truncate(read.max(0) as usize);
    bytes
}

/// Sleeps until a child has news, or for a time.
fn wait_for_child(time: Duration) {
    let time = libc::timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
    // SAFETY: a signal set of zeros is one; the calls read and write only it and the old mask. SIGCHLD is blocked only
    // here, where it is waited for: one that comes in between is pending, not lost.
    unsafe {
        let (mut set, mut old): (libc::sigset_t, libc::sigset_t) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, &raw mut old);
        libc::sigtimedwait(&raw const set, std::ptr::null_mut(), &raw const time);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const old, std::ptr::null_mut());
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// A waiting time with this mean.
    fn exponential(&mut self, mean: Duration) -> Duration {
        let uniform = ((self.next() >> 11) as f64 + 0.5) * 2.0_f64.powi(-53);
        mean.mul_f64(-uniform.ln())
    }
}
