//! Processes that run side by side: replicas × partitions of a program, one thread each, and how they exchange values.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use binade_stablehlo::ir::Collective;
use binade_stablehlo::{ElementType, Value};

use super::hosts::{RunHosts, SharedValues};
use crate::error::EvalError;

/// A process: its replica and its partition.
pub(crate) type Process = (usize, usize);

/// A grid of processes, and what they tell each other.
pub(crate) struct Grid {
    pub(crate) replicas: usize,
    pub(crate) partitions: usize,
    /// Where other hosts run some of them.
    run_hosts: Option<RunHosts>,
    state: Mutex<State>,
    changed: Condvar,
}

/// What an exchange is about: the operation, its channel, the group that takes part, and how many exchanges they had on it before.
type Key = (&'static str, i64, Vec<Process>, u64);

#[derive(Default)]
struct State {
    /// Processes that have not ended.
    running: usize,
    /// Those of them that are several at present: they wait for those.
    divided: usize,
    /// Those of them that wait, and what for; empty whenever something has happened that may set one going.
    waiting: BTreeMap<Process, String>,
    /// Counts what has happened.
    epoch: u64,
    exchanges: HashMap<Key, Exchange>,
    /// How often each process took part in exchanges of a kind.
    turns: HashMap<(Process, &'static str, i64, Vec<Process>), u64>,
    messages: HashMap<i64, VecDeque<Vec<Value>>>,
    /// Functions whose results `infeed` takes, in order.
    infeed: VecDeque<usize>,
    failed: Option<EvalError>,
}

impl State {
    /// What the next exchange of a process is about.
    fn key(&mut self, process: Process, operation: &'static str, channel: i64, group: &[Process]) -> Key {
        let turn = self.turns.entry((process, operation, channel, group.to_vec())).or_insert(0);
        let key = (operation, channel, group.to_vec(), *turn);
        *turn += 1;
        key
    }
}

/// What a process makes: the element types (none: a token), and the values where it runs here.
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
    /// Members that have what they came for.
    left: usize,
}

/// Which numbers `replica_groups` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Groups {
    CrossReplica,
    CrossPartition,
    CrossReplicaAndPartition,
    Flattened,
}

impl Groups {
    /// For `all_gather`, `all_reduce` and `reduce_scatter`.
    pub(crate) fn of_reduction(collective: &Collective) -> Groups {
        match (collective.channel > 0, collective.use_global_device_ids) {
            (false, _) => Groups::CrossReplica,
            (true, false) => Groups::CrossReplicaAndPartition,
            (true, true) => Groups::Flattened,
        }
    }

    /// For `all_to_all`, `collective_broadcast` and `collective_permute`.
    pub(crate) fn of_exchange(collective: &Collective) -> Groups {
        if collective.channel > 0 { Groups::CrossPartition } else { Groups::CrossReplica }
    }
}

impl Grid {
    pub(crate) fn new(replicas: usize, partitions: usize, infeed: Vec<usize>) -> Grid {
        let state = State { running: replicas * partitions, infeed: infeed.into(), ..State::default() };
        Grid { replicas, partitions, run_hosts: None, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// One process that does what all partitions do, until it becomes several.
    pub(crate) fn of_one(partitions: usize) -> Grid {
        Grid::of_replicas(1, partitions)
    }

    /// A process for each replica, which does what all its partitions do.
    pub(crate) fn of_replicas(replicas: usize, partitions: usize) -> Grid {
        let state = State { running: replicas, ..State::default() };
        Grid { replicas, partitions, run_hosts: None, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// The same, on several hosts.
    pub(crate) fn of_hosts(replicas: usize, run_hosts: RunHosts) -> Grid {
        let mut grid = Grid::of_replicas(replicas, run_hosts.devices() / replicas);
        let here = (0..replicas)
            .filter(|&replica| grid.hosts_of(&run_hosts, &[], (replica, 0)).contains(&run_hosts.own()));
        let running = here.count();
        grid.lock().running = running;
        grid.run_hosts = Some(run_hosts);
        grid
    }

    /// The hosts that run a process: those of the devices of its replica for which its partition stands. In `stands` is for
    /// each partition the one whose process does what it does; none: one process does it for all.
    fn hosts_of(&self, run_hosts: &RunHosts, stands: &[usize], (replica, partition): Process) -> Vec<usize> {
        let whose = |&other: &usize| stands.get(other).is_none_or(|&stands| stands == partition);
        let devices = (0..self.partitions).filter(whose).map(|other| replica * self.partitions + other);
        run_hosts.of(devices)
    }

    /// Whether this host runs a process; see [`Self::hosts_of`].
    pub(crate) fn runs(&self, stands: &[usize], process: Process) -> bool {
        let here =
            |run_hosts: &RunHosts| self.hosts_of(run_hosts, stands, process).contains(&run_hosts.own());
        self.run_hosts.as_ref().is_none_or(here)
    }

    /// Whether there are other hosts.
    pub(crate) fn is_shared(&self) -> bool {
        self.run_hosts.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A thread that panics leaves the state as it was between two changes.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The group that a process is in; none if it is in none. No groups at all: one of everybody.
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

    /// Gives values to the other members of a group, and takes theirs: in the order of the group. `stands` is as
    /// [`Self::hosts_of`] has it.
    ///
    /// # Errors
    /// If all processes wait for each other, or another one failed.
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
            let facts =
                format!("a group names process {missing:?} of {} × {}", self.replicas, self.partitions);
            return Err(EvalError::shape(operation, facts));
        }
        let mut state = self.lock();
        let key = state.key(process, operation, channel, group);
        let exchange = state.exchanges.entry(key.clone()).or_default();
        exchange.given.insert(process, Arc::new(values));
        let here = group.iter().filter(|&&member| self.runs(stands, member)).count();
        // The last one here gets what the processes of other hosts give.
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

    /// What each member of a group has made: a process has that of those that this host runs, and gets the others'.
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

    /// The values of all members of a group, of which some run on other hosts.
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
        // By all processes: groups that are of one length and begin with the same one may differ.
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

    /// The next values of a channel.
    ///
    /// # Errors
    /// As [`Self::exchange`].
    pub(crate) fn receive(&self, process: Process, channel: i64) -> Result<Vec<Value>, EvalError> {
        let (state, values) = self.wait(self.lock(), process, |state| {
            let next = state.messages.get_mut(&channel).and_then(VecDeque::pop_front);
            next.ok_or_else(|| format!("in recv for a message in channel {channel}"))
        })?;
        drop(state);
        Ok(values)
    }

    /// The next function of the infeed.
    pub(crate) fn infeed(&self) -> Option<usize> {
        self.lock().infeed.pop_front()
    }

    /// A process has ended, or failed; then the others fail too.
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

    /// Waits until `ready` gives something rather than what it is waiting for.
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

/// A process that is several for a while.
pub(crate) struct Team<'g> {
    grid: &'g Grid,
    left: AtomicUsize,
}

impl<'g> Team<'g> {
    /// So many processes begin in the place of one.
    pub(crate) fn new(grid: &'g Grid, count: usize) -> Team<'g> {
        let mut state = grid.lock();
        state.running += count;
        state.divided += 1;
        Team { grid, left: AtomicUsize::new(count) }
    }

    /// One of them has ended, or failed. After the last one the process is one again.
    pub(crate) fn end(&self, failure: Option<&EvalError>) {
        let mut state = self.grid.lock();
        // Under the lock: nobody sees the last one gone and the process still waiting for it.
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
