//! A grid of processes (replicas × partitions of a program, one thread each), and the exchange of values between them.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use binade_stablehlo::ir::Collective;
use binade_stablehlo::{ElementType, Value};

use super::hosts::{RunHosts, SharedValues};
use crate::error::EvalError;

/// A process: its replica and its partition.
pub(crate) type Process = (usize, usize);

/// A grid of processes and their shared state.
pub(crate) struct Grid {
    pub(crate) replicas: usize,
    pub(crate) partitions: usize,
    /// The other hosts of the run, if any.
    run_hosts: Option<RunHosts>,
    state: Mutex<State>,
    changed: Condvar,
}

/// Identifies an exchange: the operation, its channel, the group, and the number of earlier exchanges of the same
/// three.
type Key = (&'static str, i64, Vec<Process>, u64);

#[derive(Default)]
struct State {
    /// The number of processes that have not ended.
    running: usize,
    /// The number of running processes that wait for the team which replaces them.
    divided: usize,
    /// The processes that wait, and the reason. Cleared at each event that may let one continue.
    waiting: BTreeMap<Process, String>,
    /// The number of events so far.
    epoch: u64,
    exchanges: HashMap<Key, Exchange>,
    /// The number of exchanges that each process took part in, by operation, channel and group.
    turns: HashMap<(Process, &'static str, i64, Vec<Process>), u64>,
    messages: HashMap<i64, VecDeque<Vec<Value>>>,
    /// The functions whose results `infeed` returns, in order.
    infeed: VecDeque<usize>,
    failed: Option<EvalError>,
}

impl State {
    /// Returns the key of a process's next exchange, and counts it.
    fn key(&mut self, process: Process, operation: &'static str, channel: i64, group: &[Process]) -> Key {
        let turn = self.turns.entry((process, operation, channel, group.to_vec())).or_insert(0);
        let key = (operation, channel, group.to_vec(), *turn);
        *turn += 1;
        key
    }
}

/// The result of a process: its element types (`None` for a token), and its values if this host runs it.
pub(crate) type Made<'e> = (Process, Vec<Option<&'e ElementType>>, Option<Vec<Value>>);

fn elements(values: &[Value]) -> impl Iterator<Item = Option<&ElementType>> {
    values.iter().map(|value| match value {
        Value::Tensor(tensor) => Some(&tensor.element),
        Value::Token | Value::Tuple(_) => None,
    })
}

#[derive(Default)]
struct Exchange {
    given: HashMap<Process, Arc<Vec<Value>>>,
    /// The number of members that have taken the values.
    left: usize,
}

/// The meaning of the numbers in `replica_groups`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Groups {
    CrossReplica,
    CrossPartition,
    CrossReplicaAndPartition,
    Flattened,
}

impl Groups {
    /// The meaning for `all_gather`, `all_reduce` and `reduce_scatter`.
    pub(crate) fn of_reduction(collective: &Collective) -> Groups {
        match (collective.channel > 0, collective.use_global_device_ids) {
            (false, _) => Groups::CrossReplica,
            (true, false) => Groups::CrossReplicaAndPartition,
            (true, true) => Groups::Flattened,
        }
    }

    /// The meaning for `all_to_all`, `collective_broadcast` and `collective_permute`.
    pub(crate) fn of_exchange(collective: &Collective) -> Groups {
        if collective.channel > 0 { Groups::CrossPartition } else { Groups::CrossReplica }
    }
}

impl Grid {
    pub(crate) fn new(replicas: usize, partitions: usize, infeed: Vec<usize>) -> Grid {
        let state = State { running: replicas * partitions, infeed: infeed.into(), ..State::default() };
        Grid { replicas, partitions, run_hosts: None, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// A single process that does the work of all partitions, until a [`Team`] replaces it.
    pub(crate) fn of_one(partitions: usize) -> Grid {
        Grid::of_replicas(1, partitions)
    }

    /// A process for each replica, which does the work of all its partitions.
    pub(crate) fn of_replicas(replicas: usize, partitions: usize) -> Grid {
        let state = State { running: replicas, ..State::default() };
        Grid { replicas, partitions, run_hosts: None, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// A process for each replica, on several hosts.
    pub(crate) fn of_hosts(replicas: usize, run_hosts: RunHosts) -> Grid {
        let mut grid = Grid::of_replicas(replicas, run_hosts.devices() / replicas);
        let here = (0..replicas)
            .filter(|&replica| grid.hosts_of(&run_hosts, &[], (replica, 0)).contains(&run_hosts.own()));
        let running = here.count();
        grid.lock().running = running;
        grid.run_hosts = Some(run_hosts);
        grid
    }

    /// The hosts that run a process: those of the devices that the process represents. `stands` has the representative
    /// of each partition. If it is empty, one process represents all of them.
    fn hosts_of(&self, run_hosts: &RunHosts, stands: &[usize], (replica, partition): Process) -> Vec<usize> {
        let whose = |&other: &usize| stands.get(other).is_none_or(|&stands| stands == partition);
        let devices = (0..self.partitions).filter(whose).map(|other| replica * self.partitions + other);
        run_hosts.of(devices)
    }

    /// Returns true if this host runs a process; see [`Self::hosts_of`].
    pub(crate) fn runs(&self, stands: &[usize], process: Process) -> bool {
        let here =
            |run_hosts: &RunHosts| self.hosts_of(run_hosts, stands, process).contains(&run_hosts.own());
        self.run_hosts.as_ref().is_none_or(here)
    }

    /// Returns true if there are other hosts.
    pub(crate) fn is_shared(&self) -> bool {
        self.run_hosts.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Each change of the state is complete before a thread can panic, so a poisoned lock is safe to use.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The group of a process; `None` if no group contains it. An empty list of groups means one group of all
    /// processes.
    pub(crate) fn group(
        &self,
        process: Process,
        groups: &[Vec<usize>],
        kind: Groups,
    ) -> Option<Vec<Process>> {
        let (replica, partition) = process;
        let everybody = [match kind {
            Groups::CrossReplica | Groups::CrossReplicaAndPartition => (0..self.replicas).collect(),
            Groups::CrossPartition => (0..self.partitions).collect(),
            Groups::Flattened => (0..self.replicas * self.partitions).collect::<Vec<_>>(),
        }];
        let groups = if groups.is_empty() { &everybody[..] } else { groups };
        let members = |group: &Vec<usize>| -> Vec<Process> {
            match kind {
                Groups::CrossReplica => group.iter().map(|&replica| (replica, partition)).collect(),
                Groups::CrossPartition => group.iter().map(|&partition| (replica, partition)).collect(),
                Groups::CrossReplicaAndPartition => (0..self.partitions)
                    .flat_map(|partition| group.iter().map(move |&replica| (replica, partition)))
                    .collect(),
                Groups::Flattened => {
                    group.iter().map(|&id| (id / self.partitions, id % self.partitions)).collect()
                }
            }
        };
        groups.iter().map(members).find(|members| members.contains(&process))
    }

    /// Exchanges values with the other members of a group. Returns all members' values in the order of the group. For
    /// `stands`, see [`Self::hosts_of`].
    ///
    /// # Errors
    /// If all processes wait for one another, or another one failed.
    pub(crate) fn exchange(
        &self,
        process: Process,
        stands: &[usize],
        operation: &'static str,
        channel: i64,
        group: &[Process],
        values: Vec<Value>,
    ) -> Result<Vec<Arc<Vec<Value>>>, EvalError> {
        if let Some(missing) =
            group.iter().find(|member| member.0 >= self.replicas || member.1 >= self.partitions)
        {
            let facts = format!(
                "a group has process {missing:?}, outside of {} × {}",
                self.replicas, self.partitions
            );
            return Err(EvalError::shape(operation, facts));
        }
        let mut state = self.lock();
        let key = state.key(process, operation, channel, group);
        let exchange = state.exchanges.entry(key.clone()).or_default();
        exchange.given.insert(process, Arc::new(values));
        let here = group.iter().filter(|&&member| self.runs(stands, member)).count();
        // The last member on this host receives the values of members on other hosts.
        if exchange.given.len() == here {
            if self.is_shared() {
                let given = exchange.given.clone();
                drop(state);
                let elements: Vec<_> = elements(&given[&process]).collect();
                let gives = |&member: &Process| {
                    (member, elements.clone(), given.get(&member).map(|values| values.to_vec()))
                };
                let all = self.share(stands, &key, group.iter().map(gives))?;
                state = self.lock();
                let exchange = state.exchanges.get_mut(&key).expect("its members have not left");
                exchange.given.extend(group.iter().copied().zip(all.into_iter().map(Arc::new)));
            }
            self.happened(&mut state);
        }
        let (mut state, taken) = self.wait(state, process, |state| {
            let exchange = &state.exchanges[&key];
            if exchange.given.len() == group.len() {
                return Ok(group.iter().map(|member| exchange.given[member].clone()).collect::<Vec<_>>());
            }
            let absent: Vec<_> = group.iter().filter(|member| !exchange.given.contains_key(member)).collect();
            Err(format!("in {operation} for {}", list(&absent)))
        })?;
        let exchange = state.exchanges.get_mut(&key).expect("its members have not all left");
        exchange.left += 1;
        if exchange.left == here {
            state.exchanges.remove(&key);
        }
        Ok(taken)
    }

    /// Returns the results of each member of a group: those that this host ran from `made`, the others from their
    /// hosts.
    ///
    /// # Errors
    /// If another host failed.
    pub(crate) fn gather<'e>(
        &self,
        process: Process,
        stands: &[usize],
        operation: &'static str,
        function: usize,
        made: Vec<Made<'e>>,
    ) -> Result<Vec<Vec<Value>>, EvalError> {
        let members: Vec<Process> = made.iter().map(|(member, ..)| *member).collect();
        let key = self.lock().key(process, operation, function as i64, &members);
        self.share(stands, &key, made.into_iter())
    }

    /// The values of all members of a group, some of which run on other hosts.
    fn share<'e>(
        &self,
        stands: &[usize],
        (operation, channel, group, turn): &Key,
        made: impl Iterator<Item = Made<'e>>,
    ) -> Result<Vec<Vec<Value>>, EvalError> {
        let run_hosts = self.run_hosts.as_ref().expect("there are other hosts");
        let entry = |(member, elements, values)| SharedValues {
            at: self.hosts_of(run_hosts, stands, member),
            elements,
            values,
        };
        let shared: Vec<SharedValues<'_>> = made.map(entry).collect();
        let mut hosts: Vec<usize> = shared.iter().flat_map(|entry| entry.at.clone()).collect();
        hosts.sort_unstable();
        hosts.dedup();
        // The name lists all members: groups of the same length with the same first member may differ.
        let members = group.iter().map(|(replica, partition)| format!("{replica}.{partition}"));
        let members = members.collect::<Vec<_>>().join(" ");
        let what = format!("{operation} of {members} (channel {channel}, turn {turn})");
        run_hosts.share(&what, &hosts, shared, &|| self.lock().failed.is_some())
    }

    /// Puts values into a channel.
    pub(crate) fn send(&self, channel: i64, values: Vec<Value>) {
        let mut state = self.lock();
        state.messages.entry(channel).or_default().push_back(values);
        self.happened(&mut state);
    }

    /// Takes the next values from a channel.
    ///
    /// # Errors
    /// If all processes wait for one another, or another one failed.
    pub(crate) fn receive(&self, process: Process, channel: i64) -> Result<Vec<Value>, EvalError> {
        let (state, values) = self.wait(self.lock(), process, |state| {
            let next = state.messages.get_mut(&channel).and_then(VecDeque::pop_front);
            next.ok_or_else(|| format!("in recv for a message in channel {channel}"))
        })?;
        drop(state);
        Ok(values)
    }

    /// Takes the next function of the infeed.
    pub(crate) fn infeed(&self) -> Option<usize> {
        self.lock().infeed.pop_front()
    }

    /// Records that a process has ended. If it failed, the others fail with the same error.
    pub(crate) fn end(&self, failure: Option<&EvalError>) {
        self.ended(self.lock(), failure);
    }

    fn ended(&self, mut state: MutexGuard<'_, State>, failure: Option<&EvalError>) {
        state.running -= 1;
        if state.failed.is_none() {
            state.failed = failure.cloned();
        }
        self.look_for_deadlock(&mut state);
        if state.failed.is_some() {
            self.changed.notify_all();
        }
    }

    fn happened(&self, state: &mut State) {
        state.epoch += 1;
        state.waiting.clear();
        self.changed.notify_all();
    }

    fn look_for_deadlock(&self, state: &mut State) {
        let waiting = state.waiting.len() + state.divided;
        if state.running > 0 && waiting == state.running && state.failed.is_none() {
            let waits = state.waiting.iter().map(|(process, what)| format!("{} waits {what}", name(process)));
            state.failed = Some(EvalError::Deadlock(waits.collect::<Vec<_>>().join("; ")));
            self.changed.notify_all();
        }
    }

    /// Waits until `ready` returns a value. Until then `ready` returns the reason for waiting.
    fn wait<'a, T>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        process: Process,
        ready: impl Fn(&mut State) -> Result<T, String>,
    ) -> Result<(MutexGuard<'a, State>, T), EvalError> {
        loop {
            if let Some(failure) = &state.failed {
                return Err(failure.clone());
            }
            match ready(&mut state) {
                Ok(value) => return Ok((state, value)),
                Err(what) => state.waiting.insert(process, what),
            };
            self.look_for_deadlock(&mut state);
            let epoch = state.epoch;
            while state.epoch == epoch && state.failed.is_none() {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// Processes that replace one process for a while.
pub(crate) struct Team<'g> {
    grid: &'g Grid,
    left: AtomicUsize,
}

impl<'g> Team<'g> {
    /// Replaces a process by `count` others.
    pub(crate) fn new(grid: &'g Grid, count: usize) -> Team<'g> {
        let mut state = grid.lock();
        state.running += count;
        state.divided += 1;
        Team { grid, left: AtomicUsize::new(count) }
    }

    /// Records that a member has ended or failed. After the last one, the replaced process continues.
    pub(crate) fn end(&self, failure: Option<&EvalError>) {
        let mut state = self.grid.lock();
        // Decremented under the lock, so that no process sees the last member gone while the replaced one still counts
        // as waiting.
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            state.divided -= 1;
        }
        self.grid.ended(state, failure);
    }
}

fn name(&(replica, partition): &Process) -> String {
    format!("process ({replica}, {partition})")
}

fn list(processes: &[&Process]) -> String {
    processes.iter().map(|process| name(process)).collect::<Vec<_>>().join(", ")
}
