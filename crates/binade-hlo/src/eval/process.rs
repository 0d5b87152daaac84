//! Processes that run side by side: replicas × partitions of a program, one thread each, and how they exchange values.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::eval::EvalError;
use crate::ir::Collective;
use crate::tensor::Value;

/// A process: its replica and its partition.
pub(crate) type Process = (usize, usize);

/// A grid of processes, and what they tell each other.
pub(crate) struct Grid {
    pub(crate) replicas: usize,
    pub(crate) partitions: usize,
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
        Grid { replicas, partitions, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// One process that does what all partitions do, until it becomes several.
    pub(crate) fn of_one(partitions: usize) -> Grid {
        Grid::of_replicas(1, partitions)
    }

    /// A process for each replica, which does what all its partitions do.
    pub(crate) fn of_replicas(replicas: usize, partitions: usize) -> Grid {
        let state = State { running: replicas, ..State::default() };
        Grid { replicas, partitions, state: Mutex::new(state), changed: Condvar::new() }
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

    /// Gives values to the other members of a group, and takes theirs: in the order of the group.
    ///
    /// # Errors
    /// If all processes wait for each other, or another one failed.
    pub(crate) fn exchange(
        &self,
        process: Process,
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
        let turn = state.turns.entry((process, operation, channel, group.to_vec())).or_insert(0);
        let key: Key = (operation, channel, group.to_vec(), *turn);
        *turn += 1;
        state.exchanges.entry(key.clone()).or_default().given.insert(process, Arc::new(values));
        let complete = state.exchanges[&key].given.len() == group.len();
        if complete {
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
        if exchange.left == group.len() {
            state.exchanges.remove(&key);
        }
        Ok(taken)
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
