//! Programs of several devices on several hosts, which are threads here. Their own assertions hold for every assignment
//! of devices to hosts.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use binade_hlo::Program;
use binade_hlo::eval::{Carrier, EvalError, Executable, Options, Pool, RunHosts};

/// The bytes that were sent, by sender, receiver and name.
type Letters = HashMap<(usize, usize, String), Vec<u8>>;

#[derive(Default)]
struct Post {
    letters: Mutex<Letters>,
    changed: Condvar,
}

struct Host {
    own: usize,
    post: Arc<Post>,
    /// The time after which `receive` gives up.
    patience: Duration,
}

/// Long enough for hosts that are threads of a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

impl Carrier for Host {
    fn send(&self, to: usize, what: &str, bytes: Vec<u8>) -> Result<(), String> {
        let before = self.post.letters.lock().unwrap().insert((self.own, to, what.to_owned()), bytes);
        assert!(before.is_none(), "{what} twice from {} to {to}", self.own);
        self.post.changed.notify_all();
        Ok(())
    }

    fn receive(&self, from: usize, what: &str, needless: &dyn Fn() -> bool) -> Result<Vec<u8>, String> {
        let begun = Instant::now();
        let mut letters = self.post.letters.lock().unwrap();
        loop {
            if let Some(bytes) = letters.remove(&(from, self.own, what.to_owned())) {
                return Ok(bytes);
            }
            if needless() || begun.elapsed() > self.patience {
                return Err(format!("{from} gives no {what}"));
            }
            letters = self.post.changed.wait_timeout(letters, Duration::from_millis(10)).unwrap().0;
        }
    }
}

/// Runs a function without parameters on hosts that have these devices.
fn run(text: &str, entry: &str, replicas: usize, hosts: &[usize]) -> Vec<Result<(), EvalError>> {
    let post = Arc::new(Post::default());
    let count = hosts.iter().max().unwrap() + 1;
    std::thread::scope(|scope| {
        let host = |own: usize| {
            let post = post.clone();
            scope.spawn(move || {
                let program = Program::parse(text).unwrap();
                let run_hosts =
                    RunHosts::new(own, hosts.to_vec(), Box::new(Host { own, post, patience: PATIENCE }));
                let partitions = hosts.len() / replicas;
                let here = |replica: &usize| hosts[replica * partitions..][..partitions].contains(&own);
                let inputs = (0..replicas).filter(here).map(|replica| (replica, vec![])).collect();
                // A host waits for others, which need threads that do not wait for it.
                let options = Options { pool: Some(Pool::new(1)?), ..Options::default() };
                let results =
                    Executable::new(&program, options)?.run_on_hosts(entry, replicas, inputs, run_hosts);
                results.map(drop)
            })
        };
        let threads: Vec<_> = (0..count).map(host).collect();
        let outcomes: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        if outcomes.iter().all(Result::is_ok) {
            assert!(post.letters.lock().unwrap().is_empty(), "letters that nobody wanted");
        }
        outcomes
    })
}

/// The number of devices of the last mesh in a text.
fn devices(text: &str) -> Option<usize> {
    let mesh = text.lines().rev().find(|line| line.starts_with("sdy.mesh"))?;
    mesh.split('=').skip(2).map(|size| size.split([',', ']']).next()?.trim().parse::<usize>().ok()).product()
}

#[test]
fn manual_computations_on_several_hosts_have_the_same_results() {
    let mut seen = 0;
    for text in include_str!("ops/manual_computation.mlir").split("// -----") {
        let program = Program::parse(text).unwrap();
        let Some(count @ 4..) = devices(text) else { continue };
        for (entry, &index) in &program.names {
            let function = &program.functions[index];
            if !function.body.parameters.is_empty() {
                continue;
            }
            let layouts: [Vec<usize>; 5] = [
                (0..count).map(|device| device * 2 / count).collect(),
                (0..count).map(|device| device % 2).collect(),
                (0..count).map(|device| device / 2 % 2).collect(),
                (0..count).collect(),
                // The first device is not the first host's.
                (0..count).map(|device| usize::from(device != 1) * 2 - usize::from(device > 2)).collect(),
            ];
            for hosts in layouts {
                for outcome in run(text, entry, 1, &hosts) {
                    assert_eq!(outcome, Ok(()), "@{entry} with devices of {hosts:?}");
                }
                seen += 1;
            }
        }
    }
    assert!(seen >= 15, "{seen}");
}

const REPLICAS: &str = "module attributes {mhlo.num_replicas = 4 : i32} {
  func.func @main() {
    %id = stablehlo.replica_id : tensor<ui32>
    %sum = \"stablehlo.all_reduce\"(%id) ({
    ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
      %s = stablehlo.add %a, %b : tensor<ui32>
      stablehlo.return %s : tensor<ui32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<ui32>) -> tensor<ui32>
    check.expect_eq_const %sum, dense<6> : tensor<ui32>
    return
  }
}";

#[test]
fn replicas_on_several_hosts_add_up() {
    for hosts in [vec![0, 0, 1, 1], vec![0, 1, 1, 2], vec![3, 2, 1, 0]] {
        for outcome in run(REPLICAS, "main", 4, &hosts) {
            assert_eq!(outcome, Ok(()), "devices of {hosts:?}");
        }
    }
}

#[test]
fn a_host_that_gives_nothing_is_an_error_of_the_others() {
    let text = REPLICAS.replacen(
        "%id = stablehlo.replica_id : tensor<ui32>",
        "%id = stablehlo.constant dense<1> : tensor<ui32>",
        1,
    );
    let post = Arc::new(Post::default());
    let program = Program::parse(&text).unwrap();
    let run_hosts =
        RunHosts::new(0, vec![0, 0, 1, 1], Box::new(Host { own: 0, post, patience: Duration::ZERO }));
    let executable = Executable::new(&program, Options::default()).unwrap();
    let outcome = executable.run_on_hosts("main", 4, vec![(0, vec![]), (1, vec![])], run_hosts);
    let error = outcome.unwrap_err().to_string();
    assert!(error.contains("1 gives no all_reduce of 0.0 1.0 2.0 3.0"), "{error}");
}
