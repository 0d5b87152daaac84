//! Sweeps in folders: claims, takeovers, failures and conflicts.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use binade_sweep::{
    Event, Lease, Options, Outcome, Piece, PieceResult, PieceState, Progress, Sweep, SweepError, SweepPlan,
    sha256,
};
use serde_json::json;

/// Interval of heartbeats of the workers here. A busy machine may delay one by seconds, which must not count as silence.
const BEAT: Duration = Duration::from_millis(500);

/// Interval stated in the claims that [`claim`] and [`dead_claim`] write; they never change.
const SILENT_BEAT: Duration = Duration::from_millis(50);

fn plan(count: usize) -> SweepPlan {
    let piece = |number: usize| Piece {
        title: format!("piece {number}"),
        inputs: sha256(number.to_string()),
        memory: None,
    };
    SweepPlan {
        binade: "1".to_owned(),
        kind: "test".to_owned(),
        about: json!({}),
        pieces: (0..count).map(piece).collect(),
        last: None,
    }
}

fn done(text: &str) -> PieceResult {
    PieceResult { sha256: sha256(text), value: json!(text), file: None }
}

fn never() -> bool {
    false
}

fn options() -> Options<'static> {
    Options { heartbeat: BEAT, only: None, wait: true, deaths: 3, retry: false, stop: &never }
}

/// Runs a worker. Returns the outcome and the workers it took over from, with reasons.
fn work(
    sweep: &Sweep,
    options: &Options<'_>,
    mut piece: impl FnMut(usize, &Lease<'_>) -> Result<Option<PieceResult>, String>,
) -> (Outcome, Vec<String>) {
    let mut takeovers = vec![];
    let outcome = sweep.work(options, &mut piece, &mut |event| {
        if let Event::Taken { from: Some((by, why)), .. } = event {
            takeovers.push(format!("{by} {why}"));
        }
    });
    (outcome.unwrap(), takeovers)
}

/// Writes the claim of a worker on another machine.
fn claim(folder: &Path, name: &str, state: &str) {
    let text = json!({"by": "elsewhere:1", "machine": "another", "locked": true, "every": SILENT_BEAT.as_secs_f64(),
        "beat": 7, "state": state, "why": null});
    fs::write(folder.join("claims").join(name), text.to_string()).unwrap();
}

#[test]
fn pieces_under_many_workers_are_done_once() {
    let folder = tempfile::tempdir().unwrap();
    let counts: Vec<AtomicUsize> = (0..200).map(|_| AtomicUsize::new(0)).collect();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let sweep = Sweep::begin(folder.path(), plan(200)).unwrap();
                let (outcome, takeovers) = work(&sweep, &options(), |number, _| {
                    counts[number].fetch_add(1, Ordering::Relaxed);
                    Ok(Some(done(&number.to_string())))
                });
                assert!(outcome.complete && outcome.failed.is_empty() && takeovers.is_empty());
            });
        }
    });
    assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == 1));
    let sweep = Sweep::open(folder.path()).unwrap();
    for number in 0..200 {
        let found = sweep.finished(number).unwrap().unwrap();
        assert_eq!((&found.result, found.generation), (&json!(number.to_string()), 1));
        assert_eq!((found.title, found.inputs), (format!("piece {number}"), sha256(number.to_string())));
    }
    assert_eq!(sweep.generations().unwrap(), vec![1; 200]);
    assert!(sweep.conflicts().unwrap().is_empty());
}

#[test]
fn claim_without_heartbeats_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin(folder.path(), plan(2)).unwrap();
    claim(folder.path(), "00000.1", "working");
    claim(folder.path(), "00000.2", "working");
    let claimed = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        // This worker takes longer than the limit for silence, with heartbeats.
        scope.spawn(|| {
            let only = Options { only: Some(vec![1]), ..options() };
            work(&sweep, &only, |_, lease| {
                claimed.store(1, Ordering::Relaxed);
                std::thread::sleep(BEAT * (binade_sweep::SILENT_BEATS + 2));
                assert!(!lease.is_lost());
                Ok(Some(done("1")))
            });
        });
        while claimed.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        let start = Instant::now();
        let (outcome, takeovers) = work(&sweep, &options(), |number, _| {
            assert_eq!(number, 0);
            assert!(start.elapsed() >= SILENT_BEAT * binade_sweep::SILENT_BEATS, "{:?}", start.elapsed());
            Ok(Some(done("0")))
        });
        assert!(outcome.complete && outcome.done == 1);
        assert!(takeovers[0].starts_with("elsewhere:1 silent for ") && takeovers.len() == 1, "{takeovers:?}");
    });
    assert_eq!(sweep.finished(0).unwrap().unwrap().generation, 3);
    assert_eq!(sweep.finished(1).unwrap().unwrap().generation, 1);
}

#[test]
fn released_piece_is_taken_over_at_once_and_claimed_piece_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin(folder.path(), plan(2)).unwrap();
    claim(folder.path(), "00000.1", "released");
    claim(folder.path(), "00001.1", "working");
    let leave = Options { heartbeat: Duration::from_secs(60), wait: false, ..options() };
    let (outcome, takeovers) = work(&sweep, &leave, |number, _| Ok(Some(done(&number.to_string()))));
    assert_eq!((outcome.complete, outcome.done), (false, 1));
    assert_eq!(takeovers, ["elsewhere:1 which released it"]);
    let taken = PieceState::Taken { by: "elsewhere:1".to_owned(), generation: 1, progress: None };
    assert_eq!(sweep.piece_states().unwrap(), [PieceState::Done, taken]);
}

/// A worker that was suspended during a takeover learns of it at its next heartbeat. Its result is compared.
#[test]
fn suspended_worker_after_takeover_learns_of_it() {
    let folder = tempfile::tempdir().unwrap();
    for (second, conflicts) in [("same", 0), ("other", 1)] {
        let at = folder.path().join(second);
        let sweep = Sweep::begin(&at, plan(1)).unwrap();
        let mut lost = false;
        let (outcome, _) = work(&sweep, &options(), |_, lease| {
            // The claim and result of the other worker, meanwhile.
            claim(&at, "00000.2", "working");
            let result = json!({"title": "piece 0", "inputs": sha256("0"), "sha256": sha256("same"), "by": "elsewhere:1",
                "generation": 2, "seconds": 1.0, "result": "same"});
            fs::write(at.join("results/00000.json"), result.to_string()).unwrap();
            while !lease.should_stop() {
                std::thread::sleep(BEAT);
            }
            lost = lease.is_lost();
            Ok(Some(done(second)))
        });
        assert!(lost && outcome.complete);
        let found = sweep.conflicts().unwrap();
        assert_eq!(found.len(), conflicts);
        assert_eq!(sweep.finished(0).unwrap().unwrap().sha256, sha256("same"));
        if let [conflict] = &found[..] {
            assert_eq!((&conflict.second.sha256, &conflict.first.by[..]), (&sha256("other"), "elsewhere:1"));
        }
    }
}

#[test]
fn failed_piece_is_retried_by_later_workers() {
    let folder = tempfile::tempdir().unwrap();
    let tries = Mutex::new(BTreeMap::<usize, usize>::new());
    let sweep = Sweep::begin(folder.path(), plan(3)).unwrap();
    let attempt = || {
        work(&sweep, &options(), |number, _| {
            *tries.lock().unwrap().entry(number).or_default() += 1;
            if number == 1 { Err("out of memory".to_owned()) } else { Ok(Some(done("x"))) }
        })
    };
    let (outcome, _) = attempt();
    assert_eq!((outcome.complete, outcome.done, outcome.failed.len()), (false, 2, 1));
    assert_eq!((outcome.failed[0].piece, &*outcome.failed[0].why), (1, "out of memory"));
    assert_eq!(sweep.piece_states().unwrap()[1], PieceState::Failed("out of memory".to_owned()));
    attempt();
    // A worker tries a piece once; a later worker tries it again.
    assert_eq!(*tries.lock().unwrap(), BTreeMap::from([(0, 1), (1, 2), (2, 1)]));
    let (outcome, _) = work(&sweep, &options(), |_, _| Ok(Some(done("x"))));
    assert!(outcome.complete && outcome.failed.is_empty());
}

/// Writes the claim of a dead worker that began at `begun` and saved `kept` units.
fn dead_claim(folder: &Path, name: &str, begun: u64, kept: u64) {
    let text = json!({"by": "elsewhere:1", "machine": "another", "locked": true, "every": SILENT_BEAT.as_secs_f64(),
        "beat": 7, "state": "working", "why": null, "begun": begun, "kept": kept,
        "progress": {"done": kept + 2, "of": 9, "facts": null}});
    fs::write(folder.join("claims").join(name), text.to_string()).unwrap();
}

#[test]
fn piece_whose_workers_die_is_given_up_until_retry() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin(folder.path(), plan(2)).unwrap();
    (1..=3).for_each(|generation| dead_claim(folder.path(), &format!("00000.{generation}"), 4, 4));
    let attempt = |options: &Options<'_>| {
        let mut tried = vec![];
        let (outcome, _) = work(&sweep, options, |number, _| {
            tried.push(number);
            Ok(Some(done("x")))
        });
        (outcome, tried)
    };
    let (outcome, tried) = attempt(&options());
    assert_eq!((outcome.complete, outcome.failed.len(), tried), (false, 1, vec![1]));
    let PieceState::GivenUp(why) = sweep.piece_states().unwrap().remove(0) else {
        panic!("it is not given up")
    };
    assert_eq!(outcome.failed[0].why, why);
    assert!(why.starts_with("given up after 3 ") && why.contains("elsewhere:1, silent for "), "{why}");
    assert!(why.ends_with(", at 6 of 9"), "{why}");
    // A later worker leaves it alone and gives the reason.
    let (outcome, tried) = attempt(&options());
    assert_eq!((outcome.failed[0].why.clone(), tried), (why, vec![]));
    assert_eq!(sweep.generations().unwrap(), [4, 1]);
    let (outcome, tried) = attempt(&Options { retry: true, ..options() });
    assert_eq!((outcome.complete, tried), (true, vec![0]));
}

#[test]
fn piece_whose_workers_save_progress_is_not_given_up() {
    for (deaths, last) in [(3, (6, 7)), (0, (7, 7)), (4, (7, 7))] {
        let folder = tempfile::tempdir().unwrap();
        let sweep = Sweep::begin(folder.path(), plan(1)).unwrap();
        dead_claim(folder.path(), "00000.1", 7, 7);
        dead_claim(folder.path(), "00000.2", 7, 7);
        dead_claim(folder.path(), "00000.3", last.0, last.1);
        let (outcome, _) = work(&sweep, &Options { deaths, ..options() }, |_, lease| {
            // Visible to others at once.
            lease.report_saved(8);
            Ok(Some(done("x")))
        });
        assert!(outcome.complete, "{deaths}");
        let text: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.path().join("claims/00000.4")).unwrap()).unwrap();
        assert_eq!((&text["begun"], &text["kept"]), (&json!(7), &json!(8)));
    }
}

#[test]
fn progress_of_a_worker_is_visible_to_others() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin(folder.path(), plan(1)).unwrap();
    let slow = Options { heartbeat: Duration::from_secs(60), ..options() };
    let told = Progress { done: 3, of: 9, facts: json!({"loss": 0.5}) };
    let (outcome, _) = work(&sweep, &slow, |_, lease| {
        lease.report_progress(told.clone());
        lease.report_saved(2);
        let patience = Instant::now();
        loop {
            match sweep.piece_states().unwrap().remove(0) {
                PieceState::Taken { progress: Some(seen), .. } => {
                    assert_eq!(seen, told);
                    return Ok(Some(done("x")));
                }
                _ => assert!(patience.elapsed() < Duration::from_secs(30)),
            }
        }
    });
    assert!(outcome.complete);
}

#[test]
fn last_piece_starts_after_all_others_and_files_are_moved() {
    let folder = tempfile::tempdir().unwrap();
    let last = Some(Piece { title: "all".to_owned(), inputs: sha256("all"), memory: None });
    let sweep = Sweep::begin(folder.path(), SweepPlan { last, ..plan(5) }).unwrap();
    let at = |name: &str| folder.path().join(name);
    let (outcome, _) = work(&sweep, &options(), |number, _| {
        if number == 5 {
            assert!((0..5).all(|number| at(&format!("{number}.txt")).exists()));
        }
        let made = at(&format!("{number}.unfinished"));
        fs::write(&made, number.to_string()).unwrap();
        Ok(Some(PieceResult::file(made, at(&format!("{number}.txt")), json!(null)).unwrap()))
    });
    assert!(outcome.complete && outcome.done == 6);
    assert_eq!(fs::read_to_string(at("5.txt")).unwrap(), "5");
    assert!(!at("5.unfinished").exists());
    assert_eq!(sweep.finished(5).unwrap().unwrap().sha256, sha256("5"));
}

#[test]
fn result_file_with_different_bits_is_kept_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin(folder.path(), plan(1)).unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("there"), "old").unwrap();
    let (outcome, _) = work(&sweep, &options(), |_, _| {
        fs::write(at("made"), "new").unwrap();
        Ok(Some(PieceResult::file(at("made"), at("there"), json!(null)).unwrap()))
    });
    assert!(!outcome.complete && outcome.failed[0].why.starts_with("a file with different bits exists: "));
    assert_eq!(fs::read_to_string(at("there")).unwrap(), "old");
    assert_eq!(fs::read_to_string(at("conflicts/00000.1.data")).unwrap(), "new");
}

/// The worker was suspended while another took over, ended the sweep and removed the unfinished file.
#[test]
fn worker_that_wakes_after_the_end_reports_success() {
    for removed_during_work in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let sweep = Sweep::begin(folder.path(), plan(1)).unwrap();
        let at = |name: &str| folder.path().join(name);
        let (outcome, _) = work(&sweep, &options(), |_, _| {
            fs::write(at("made"), "same").unwrap();
            let ours = PieceResult::file(at("made"), at("there"), json!(null)).unwrap();
            claim(folder.path(), "00000.2", "done");
            fs::write(at("there"), "same").unwrap();
            let result = json!({"title": "piece 0", "inputs": sha256("0"), "sha256": sha256("same"), "by": "elsewhere:1",
                "generation": 2, "seconds": 1.0, "result": null});
            fs::write(at("results/00000.json"), result.to_string()).unwrap();
            fs::remove_file(at("made")).unwrap();
            if removed_during_work { Err("no such file".to_owned()) } else { Ok(Some(ours)) }
        });
        assert_eq!((outcome.complete, outcome.done, outcome.failed.len()), (true, 0, 0));
        assert!(sweep.conflicts().unwrap().is_empty());
        assert_eq!(fs::read_to_string(at("there")).unwrap(), "same");
    }
}

#[test]
fn different_sweep_in_the_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Sweep::open(folder.path()), Err(SweepError::NoSweep(_))));
    Sweep::begin(folder.path(), plan(2)).unwrap();
    let refused = |plan: SweepPlan| match Sweep::begin(folder.path(), plan) {
        Err(SweepError::Different { what, .. }) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(plan(3)), "it has 2 pieces, this would have 3");
    assert_eq!(refused(SweepPlan { kind: "other".to_owned(), ..plan(2) }), "it is of `binade test`");
    assert_eq!(refused(SweepPlan { binade: "2".to_owned(), ..plan(2) }), "it is of binade 1, this is 2");
    let mut other = plan(2);
    other.pieces[1].inputs = sha256("other");
    assert_eq!(refused(other), "its piece 'piece 1' has other inputs");
    assert!(Sweep::begin(folder.path(), plan(2)).is_ok());
    let only = Options { only: Some(vec![2]), ..options() };
    let sweep = Sweep::open(folder.path()).unwrap();
    let none = sweep.work(&only, &mut |_, _| Ok(None), &mut |_| {});
    assert!(matches!(none, Err(SweepError::NoPiece { piece: 2, count: 2 })));
}

#[test]
fn worker_told_to_stop_releases_its_piece() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin(folder.path(), plan(3)).unwrap();
    let seen = AtomicUsize::new(0);
    let stop = || seen.load(Ordering::Relaxed) > 0;
    let (outcome, _) = work(&sweep, &Options { stop: &stop, ..options() }, |_, lease| {
        seen.fetch_add(1, Ordering::Relaxed);
        Ok(if lease.should_stop() { None } else { Some(done("x")) })
    });
    assert!(outcome.stopped && !outcome.complete && outcome.done == 0);
    assert_eq!(
        sweep.piece_states().unwrap().iter().filter(|standing| **standing == PieceState::Released).count(),
        1
    );
}
