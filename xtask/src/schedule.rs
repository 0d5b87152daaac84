//! Runs steps in order, one or two at a time, and prints their summary.

use std::fs::{self, File};
use std::mem;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use crate::run::{logged, target};
use crate::tools::Tool;

/// The outcome of a step.
pub(crate) enum Outcome {
    Passed,
    Skipped(String),
    /// Skipped, even if everything is required.
    Waived(String),
    Failed(String),
}

impl From<Result<(), String>> for Outcome {
    fn from(done: Result<(), String>) -> Outcome {
        done.map_or_else(Outcome::Failed, |()| Outcome::Passed)
    }
}

pub(crate) struct Step {
    pub(crate) name: String,
    /// True if the step is worth running before each commit.
    pub(crate) quick: bool,
    /// True if the step keeps all cores busy, so that no other such step runs at the same time.
    whole: bool,
    /// The steps whose results it needs. It begins after they have ended, with any outcome.
    pub(crate) after: &'static [&'static str],
    /// Optional tools of the step.
    pub(crate) tools: &'static [Tool],
    /// True for a step that checks the absence of a tool. It runs only if a tool is taken for missing.
    pub(crate) only_without: bool,
    run: Box<dyn Fn() -> Outcome + Sync + Send>,
}

pub(crate) fn step(name: impl Into<String>, run: impl Fn() -> Outcome + Sync + Send + 'static) -> Step {
    Step {
        name: name.into(),
        quick: false,
        whole: false,
        after: &[],
        tools: &[],
        only_without: false,
        run: Box::new(run),
    }
}

impl Step {
    pub(crate) fn quick(self) -> Step {
        Step { quick: true, ..self }
    }

    pub(crate) fn whole(self) -> Step {
        Step { whole: true, ..self }
    }

    /// The step is skipped if one of these tools is missing.
    pub(crate) fn needs(self, tools: &'static [Tool]) -> Step {
        let run = self.run;
        let run = move || {
            let missing: Vec<String> = tools.iter().filter_map(|tool| tool.missing()).collect();
            if missing.is_empty() { run() } else { Outcome::Skipped(missing.join("; ")) }
        };
        Step { tools, run: Box::new(run), ..self }
    }

    /// The step itself skips and names the parts that need one of these tools.
    pub(crate) fn uses(self, tools: &'static [Tool]) -> Step {
        Step { tools, ..self }
    }

    pub(crate) fn only_without(self) -> Step {
        Step { only_without: true, ..self }
    }

    pub(crate) fn after(self, after: &'static [&'static str]) -> Step {
        Step { after, ..self }
    }
}

/// The state of a step.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Waiting,
    Running,
    Ended,
}

/// The first step that can begin now.
fn next(steps: &[Step], states: &[State]) -> Option<usize> {
    let is = |state: State| move |&place: &usize| states[place] == state;
    let is_whole_running = (0..steps.len()).filter(is(State::Running)).any(|place| steps[place].whole);
    (0..steps.len()).filter(is(State::Waiting)).find(|&place| {
        let step = &steps[place];
        let made = |name: &str| {
            steps.iter().zip(states).all(|(other, state)| other.name != name || *state == State::Ended)
        };
        !(step.whole && is_whole_running) && step.after.iter().all(|name| made(name))
    })
}

/// The state that runners share: of each step, and the outcomes in the order in which steps ended.
struct Board {
    states: Vec<State>,
    ends: Vec<End>,
}

/// A step that has ended.
struct End {
    place: usize,
    outcome: Outcome,
    seconds: f64,
}

impl End {
    fn line(&self, steps: &[Step]) -> String {
        let (word, reason) = match &self.outcome {
            Outcome::Passed => ("ok", String::new()),
            Outcome::Skipped(reason) | Outcome::Waived(reason) => ("SKIPPED", format!(": {reason}")),
            Outcome::Failed(reason) => ("FAILED", format!(": {reason}")),
        };
        format!("{word:<7} {:7.1} s  {}{reason}", self.seconds, steps[self.place].name)
    }
}

/// Runs steps, up to `at_once` at a time, and prints a summary. A failure does not stop later steps. Returns the reasons of skipped
/// steps.
///
/// One at a time, output is shown immediately. Otherwise each step has a log in target/checks, which is shown at its end.
pub(crate) fn run_all(steps: &[Step], at_once: usize) -> Result<Vec<String>, String> {
    let strict = match std::env::var_os("BINADE_REQUIRE_ALL") {
        Some(value) if value == "1" => true,
        Some(value) if !value.is_empty() && value != "0" => {
            return Err(format!("BINADE_REQUIRE_ALL must be 1, 0 or empty: got {value:?}"));
        }
        _ => false,
    };
    let start = Instant::now();
    let logs = (at_once > 1).then(|| target().join("checks"));
    if let Some(logs) = &logs {
        fs::create_dir_all(logs).map_err(|error| format!("{}: {error}", logs.display()))?;
        println!(
            "{at_once} steps at a time. What each prints is shown when it has ended, and until then in {}",
            logs.display()
        );
    }
    let board = Mutex::new(Board { states: vec![State::Waiting; steps.len()], ends: vec![] });
    let board = || board.lock().unwrap_or_else(PoisonError::into_inner);
    let changed = Condvar::new();
    let runner = || {
        let mut now = board();
        while now.states.contains(&State::Waiting) {
            let Some(place) = next(steps, &now.states) else {
                now = changed.wait(now).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            now.states[place] = State::Running;
            drop(now);
            let (outcome, seconds) = run_one(&steps[place], logs.as_deref());
            let outcome = match outcome {
                Outcome::Skipped(reason) if strict => {
                    Outcome::Failed(format!("{reason} (BINADE_REQUIRE_ALL=1)"))
                }
                outcome => outcome,
            };
            let end = End { place, outcome, seconds };
            println!("{}", end.line(steps));
            now = board();
            now.states[place] = State::Ended;
            now.ends.push(end);
            changed.notify_all();
        }
    };
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(runner);
        }
    });
    let mut ends = mem::take(&mut board().ends);
    ends.sort_by_key(|end| end.place);
    println!("\n== summary ==");
    for end in &ends {
        println!("{}", end.line(steps));
    }
    let count = |is: fn(&Outcome) -> bool| ends.iter().filter(|end| is(&end.outcome)).count();
    let passed = count(|outcome| matches!(outcome, Outcome::Passed));
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let skipped = ends.len() - passed - failed;
    let verdict = if failed == 0 { "ok" } else { "FAILED" };
    let time = start.elapsed().as_secs_f64();
    println!(
        "\nxtask result: {verdict}. {passed} passed; {failed} failed; {skipped} skipped; finished in {time:.1} s"
    );
    if failed > 0 {
        return Err(format!("{failed} of {} steps failed", steps.len()));
    }
    let reason = |end: End| match end.outcome {
        Outcome::Skipped(reason) | Outcome::Waived(reason) => Some(reason),
        Outcome::Passed | Outcome::Failed(_) => None,
    };
    Ok(ends.into_iter().filter_map(reason).collect())
}

/// Runs a step. Returns its outcome, and its seconds.
fn run_one(step: &Step, logs: Option<&Path>) -> (Outcome, f64) {
    let title = format!("\n== {} ==", step.name);
    // A panic must end the step, for which other runners may wait.
    let run = || {
        panic::catch_unwind(AssertUnwindSafe(&step.run))
            .unwrap_or_else(|_| Outcome::Failed("it panicked".to_owned()))
    };
    let start = Instant::now();
    let Some(logs) = logs else {
        println!("{title}");
        return (run(), start.elapsed().as_secs_f64());
    };
    let path = logs.join(format!("{}.log", step.name.replace(['/', ' '], "_")));
    let outcome = match File::create(&path) {
        Ok(log) => logged(log, run),
        Err(error) => Outcome::Failed(format!("{}: {error}", path.display())),
    };
    let seconds = start.elapsed().as_secs_f64();
    // Printed at once, because another step may end now.
    let shown = fs::read(&path).unwrap_or_default();
    println!("{title}\n{}", String::from_utf8_lossy(&shown).trim_end());
    (outcome, seconds)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{Outcome, State, next, run_all, step};

    static ENDED: Mutex<Vec<&str>> = Mutex::new(vec![]);
    static WHOLE: AtomicUsize = AtomicUsize::new(0);

    fn end(name: &'static str) -> Outcome {
        ENDED.lock().unwrap().push(name);
        Outcome::Passed
    }

    #[test]
    fn step_begins_after_its_needs_and_a_whole_one_alone() {
        let whole = |name| {
            step(name, move || {
                assert_eq!(WHOLE.fetch_add(1, Ordering::SeqCst), 0, "two whole steps at once");
                std::thread::yield_now();
                WHOLE.fetch_sub(1, Ordering::SeqCst);
                end(name)
            })
            .whole()
        };
        let steps = [
            whole("a"),
            whole("b"),
            step("of b", || end("of b")).after(&["b"]),
            step("free", || end("free")),
            whole("of of b").after(&["of b", "not among them"]),
        ];
        for at_once in 1..=3 {
            ENDED.lock().unwrap().clear();
            run_all(&steps, at_once).unwrap();
            let ended = ENDED.lock().unwrap();
            let place = |name| ended.iter().position(|ended| *ended == name).unwrap();
            assert_eq!(ended.len(), steps.len());
            assert!(place("b") < place("of b") && place("of b") < place("of of b"), "{ended:?}");
        }
    }

    #[test]
    fn whole_step_waits_while_another_runs() {
        let steps = [step("a", || end("a")).whole(), step("b", || end("b")).whole(), step("c", || end("c"))];
        assert_eq!(next(&steps, &[State::Running, State::Waiting, State::Waiting]), Some(2));
        assert_eq!(next(&steps, &[State::Ended, State::Waiting, State::Waiting]), Some(1));
        assert_eq!(next(&steps, &[State::Running, State::Waiting, State::Ended]), None);
    }

    #[test]
    fn failure_is_reported_after_later_steps_have_run() {
        let steps = [
            step("a", || Outcome::Failed("it was to".to_owned())),
            step("b", || Outcome::Waived("here".to_owned())).after(&["a"]),
        ];
        assert_eq!(run_all(&steps, 1).unwrap_err(), "1 of 2 steps failed");
    }
}
