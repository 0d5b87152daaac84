//! Messages between the processes of a distributed program, over TCP.
//!
//! Each pair of processes has a connection. In each process, one thread reads from each connection.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use binade_hlo::eval::Carrier;

use crate::error::Failure;
use crate::meet::{Met, unreachable};

/// The processes of a distributed program.
pub(crate) struct Hosts {
    pub(crate) own: usize,
    /// Number of devices of each process.
    pub(crate) devices: Vec<usize>,
    timeout: Duration,
    /// Connections to the processes; none for this process.
    links: Vec<Option<Mutex<TcpStream>>>,
    inbox: Arc<Inbox>,
}

/// Messages that have been received, and the notice of new ones.
#[derive(Default)]
struct Inbox {
    state: Mutex<Received>,
    changed: Condvar,
}

#[derive(Default)]
struct Received {
    /// By sender and run, then by name.
    messages: HashMap<(usize, RunId), HashMap<String, Vec<u8>>>,
    /// Reasons why a process failed in a run.
    failures: HashMap<(usize, RunId), String>,
    /// Processes whose connection has ended, and why.
    gone: HashMap<usize, String>,
    /// Number of runs of each program that have begun.
    begun: HashMap<u64, u64>,
    running: HashSet<RunId>,
}

/// A run of a program: the program's hash, and the number of its runs before.
type RunId = (u64, u64);

/// Interval at which a waiting thread checks whether the message is still needed.
const CHECK: Duration = Duration::from_millis(50);

impl Hosts {
    /// Starts to read from the other processes. `timeout` is the longest wait for one of them.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(crate) fn new(own: usize, met: Met, timeout: Duration) -> Result<Hosts, Failure> {
        let Met { devices, streams } = met;
        let mut hosts = Hosts { own, devices, timeout, inbox: Arc::default(), links: vec![] };
        for (other, stream) in streams.into_iter().enumerate() {
            let Some(stream) = stream else {
                hosts.links.push(None);
                continue;
            };
            let prepare = || {
                stream.set_nodelay(true)?;
                stream.set_nonblocking(false)?;
                stream.set_read_timeout(None)?;
                stream.set_write_timeout(Some(timeout))?;
                stream.try_clone()
            };
            let reader = prepare().map_err(unreachable)?;
            let inbox = hosts.inbox.clone();
            let thread = std::thread::Builder::new().name(format!("binade-process-{other}"));
            thread.spawn(move || inbox.fill(other, reader)).map_err(unreachable)?;
            hosts.links.push(Some(Mutex::new(stream)));
        }
        Ok(hosts)
    }

    /// Begins a run of a program. The other processes `with` devices of it begin the run too.
    pub(crate) fn begin(self: &Arc<Hosts>, program: u64, name: &str, with: Vec<usize>) -> Run {
        let mut received = self.inbox.lock();
        let next = received.begun.entry(program).or_insert(0);
        let turn = (program, *next);
        *next += 1;
        received.running.insert(turn);
        drop(received);
        Run { hosts: self.clone(), turn, name: name.to_owned(), with }
    }

    /// Records that a process is gone, as JAX reports.
    pub(crate) fn lost(&self, other: usize, why: &str) {
        if other != self.own {
            self.inbox.lock().gone.entry(other).or_insert_with(|| why.to_owned());
            self.inbox.changed.notify_all();
        }
    }

    fn send(&self, to: usize, turn: RunId, what: &str, bytes: &[u8]) -> io::Result<()> {
        let Some(Some(link)) = self.links.get(to) else { return Ok(()) };
        let mut head = vec![];
        for number in [turn.0, turn.1, what.len() as u64, bytes.len() as u64] {
            head.extend(number.to_le_bytes());
        }
        head.extend(what.as_bytes());
        let mut link = link.lock().unwrap_or_else(PoisonError::into_inner);
        link.write_all(&head).and_then(|()| link.write_all(bytes)).inspect_err(|_| {
            // After a part of a message, nothing can be read.
            let _ = link.shutdown(Shutdown::Both);
        })
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for link in self.links.iter().flatten() {
            // Data written before arrives; the reading thread ends.
            let _ = link.lock().unwrap_or_else(PoisonError::into_inner).shutdown(Shutdown::Both);
        }
    }
}

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, Received> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads messages until the connection ends.
    fn fill(&self, from: usize, stream: TcpStream) {
        let mut stream = BufReader::new(stream);
        let error = loop {
            match message(&mut stream) {
                Ok((turn, what, bytes)) => self.lock().put(from, turn, what, bytes),
                Err(error) => break error,
            }
            self.changed.notify_all();
        };
        let why = match error.kind() {
            io::ErrorKind::UnexpectedEof => "its connection is closed".to_owned(),
            _ => error.to_string(),
        };
        self.lock().gone.entry(from).or_insert(why);
        self.changed.notify_all();
    }
}

impl Received {
    fn put(&mut self, from: usize, turn: RunId, what: String, bytes: Vec<u8>) {
        // The run has ended in this process: the message is late.
        if turn.1 < self.begun.get(&turn.0).copied().unwrap_or(0) && !self.running.contains(&turn) {
            return;
        }
        if what.is_empty() {
            self.failures.insert((from, turn), String::from_utf8_lossy(&bytes).into_owned());
        } else {
            self.messages.entry((from, turn)).or_default().insert(what, bytes);
        }
    }

    fn end(&mut self, turn: RunId) {
        self.running.remove(&turn);
        self.messages.retain(|(_, other), _| *other != turn);
        self.failures.retain(|(_, other), _| *other != turn);
    }
}

/// The next message: its run, its name and its bytes. A failure has no name.
fn message(stream: &mut impl Read) -> io::Result<(RunId, String, Vec<u8>)> {
    let mut number = || {
        let mut bytes = [0; 8];
        stream.read_exact(&mut bytes).map(|()| u64::from_le_bytes(bytes))
    };
    let (turn, lengths) = ((number()?, number()?), [number()?, number()?]);
    let mut text = |length: u64| {
        let mut bytes = vec![];
        match stream.by_ref().take(length).read_to_end(&mut bytes)? as u64 {
            read if read == length => Ok(bytes),
            _ => Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
        }
    };
    let what = String::from_utf8_lossy(&text(lengths[0])?).into_owned();
    Ok((turn, what, text(lengths[1])?))
}

/// A run of a program on several processes.
pub(crate) struct Run {
    hosts: Arc<Hosts>,
    turn: RunId,
    name: String,
    with: Vec<usize>,
}

impl Run {
    /// Tells the other processes that this one has failed, so that they do not wait for it.
    pub(crate) fn fail(&self, why: &str) {
        for &other in self.with.iter().filter(|&&other| other != self.hosts.own) {
            // A process that cannot be told sees that the connection has ended.
            let _ = self.hosts.send(other, self.turn, "", why.as_bytes());
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.hosts.inbox.lock().end(self.turn);
    }
}

/// Messages of one run, for its threads. The run ends when the last one drops it.
pub(crate) struct Messenger(pub(crate) Arc<Run>);

impl Carrier for Messenger {
    fn send(&self, to: usize, what: &str, bytes: Vec<u8>) -> Result<(), String> {
        let Run { hosts, turn, name, .. } = &*self.0;
        hosts
            .send(to, *turn, what, &bytes)
            .map_err(|error| format!("process {to} cannot be reached ({error}) in {name}, for {what}"))
    }

    fn receive(&self, from: usize, what: &str, needless: &dyn Fn() -> bool) -> Result<Vec<u8>, String> {
        let Run { hosts, turn, name, .. } = &*self.0;
        let begun = Instant::now();
        let mut received = hosts.inbox.lock();
        loop {
            if let Some(bytes) =
                received.messages.get_mut(&(from, *turn)).and_then(|messages| messages.remove(what))
            {
                return Ok(bytes);
            }
            if let Some(why) = received.failures.get(&(from, *turn)) {
                return Err(format!("process {from} failed in {name}: {why}"));
            }
            if let Some(why) = received.gone.get(&from) {
                return Err(format!(
                    "process {from} has ended ({why}), and {name} needs what it gives for {what}"
                ));
            }
            if begun.elapsed() > hosts.timeout {
                let limit = hosts.timeout.as_secs();
                return Err(format!(
                    "process {from} has given nothing for {what} in {name} within {limit} s (BINADE_TIMEOUT): it hangs, \
                     or runs other programs than this process"
                ));
            }
            // Without the lock: who is asked may want to write.
            drop(received);
            if needless() {
                return Err(format!("{name} has ended"));
            }
            received = hosts.inbox.lock();
            let come =
                received.messages.get(&(from, *turn)).is_some_and(|messages| messages.contains_key(what));
            if !come {
                let waited = hosts.inbox.changed.wait_timeout(received, CHECK);
                received = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Two processes in this one, connected to each other.
    fn two(timeout: Duration) -> [Arc<Hosts>; 2] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let there = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let here = listener.accept().unwrap().0;
        [(0, vec![None, Some(here)]), (1, vec![Some(there), None])].map(|(own, streams)| {
            Arc::new(Hosts::new(own, Met { devices: vec![1, 1], streams }, timeout).unwrap())
        })
    }

    fn messenger(hosts: &Arc<Hosts>, program: u64) -> Messenger {
        Messenger(Arc::new(hosts.begin(program, "f", vec![0, 1])))
    }

    fn received(messenger: &Messenger, from: usize, what: &str) -> Result<Vec<u8>, String> {
        messenger.receive(from, what, &|| false)
    }

    #[test]
    fn messages_are_taken_by_run_and_name_in_any_order() {
        let [first, second] = two(Duration::from_secs(5));
        // Another program, a run before, and the run that is meant.
        let (other, early) = (messenger(&first, 7), messenger(&first, 8));
        for (messenger, what, bytes) in [(&other, "a", b"7"), (&early, "b", b"b"), (&early, "a", b"a")] {
            messenger.send(1, what, bytes.to_vec()).unwrap();
        }
        messenger(&first, 8).send(1, "a", b"later".to_vec()).unwrap();
        let run = messenger(&second, 8);
        assert_eq!(received(&run, 0, "a"), Ok(b"a".to_vec()));
        assert_eq!(received(&run, 0, "b"), Ok(b"b".to_vec()));
        drop(run);
        assert_eq!(received(&messenger(&second, 8), 0, "a"), Ok(b"later".to_vec()));
        assert_eq!(received(&messenger(&second, 7), 0, "a"), Ok(b"7".to_vec()));
        assert!(second.inbox.lock().messages.is_empty());
    }

    #[test]
    fn wait_for_a_process_that_fails_or_ends_or_hangs_is_an_error() {
        let [first, second] = two(Duration::from_millis(200));
        let failing = messenger(&first, 1);
        failing.0.fail("no memory");
        let run = messenger(&second, 1);
        assert_eq!(received(&run, 0, "x").unwrap_err(), "process 0 failed in f: no memory");
        // The run is over: a late message is dropped.
        drop(run);
        failing.0.fail("again");
        let run = messenger(&second, 1);
        let late = received(&run, 0, "x").unwrap_err();
        assert!(late.contains("nothing for x in f within 0 s (BINADE_TIMEOUT)"), "{late}");
        assert!(second.inbox.lock().failures.is_empty());
        assert_eq!(run.receive(0, "x", &|| true).unwrap_err(), "f has ended");
        drop((failing, first));
        let gone = received(&run, 0, "x").unwrap_err();
        assert_eq!(gone, "process 0 has ended (its connection is closed), and f needs what it gives for x");
    }
}
