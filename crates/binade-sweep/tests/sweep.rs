//! Sweeps in folders: who gets a piece, who follows whom, and what is kept.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use binade_sweep::{
    Done, Event, Hold, Options, Outcome, Piece, Plan, Progress, Standing, Sweep, SweepError, sha256,
};
use serde_json::json;

/// Between beats of the workers here: a busy machine may delay one by seconds, and no other worker may take that for silence.
const BEAT: Duration = Duration::from_millis(500);

/// Between beats of the claims that [`claim`] and [`dead`] write, which never beat.
const SILENT_BEAT: Duration = Duration::from_millis(50);

fn plan(count: usize) -> Plan {
    let piece = |number: usize| Piece {
        title: format!("piece {number}"),
        inputs: sha256(number.to_string()),
        memory: None,
    };
    Plan {
        binade: "1".to_owned(),
        kind: "test".to_owned(),
        about: json!({}),
        pieces: (0..count).map(piece).collect(),
        last: None,
    }
}

fn done(text: &str) -> Done {
    Done { sha256: sha256(text), value: json!(text), file: None }
}

fn never() -> bool {
    false
}

fn options() -> Options<'static> {
    Options { heartbeat: BEAT, only: None, wait: true, deaths: 3, retry: false, stop: &never }
}

/// Works on a sweep; who was followed, and why.
fn work(
    sweep: &Sweep,
    options: &Options<'_>,
    mut piece: impl FnMut(usize, &Hold<'_>) -> Result<Option<Done>, String>,
) -> (Outcome, Vec<String>) {
    let mut followed = vec![];
    let outcome = sweep.work(options, &mut piece, &mut |event| {
        if let Event::Taken { from: Some((by, why)), .. } = event {
            followed.push(format!("{by} {why}"));
        }
    });
    (outcome.unwrap(), followed)
}

/// A claim of somebody on another machine.
fn claim(folder: &Path, name: &str, state: &str) {
    let text = json!({"by": "elsewhere:1", "machine": "another", "locked": true, "every": SILENT_BEAT.as_secs_f64(),
        "beat": 7, "state": state, "why": null});
    fs::write(folder.join("claims").join(name), text.to_string()).unwrap();
}

#[test]
fn many_workers_do_each_piece_once() {
    let folder = tempfile::tempdir().unwrap();
    let counts: Vec<AtomicUsize> = (0..200).map(|_| AtomicUsize::new(0)).collect();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let sweep = Sweep::begin(folder.path(), plan(200)).unwrap();
                let (outcome, followed) = work(&sweep, &options(), |number, _| {
                    counts[number].fetch_add(1, Ordering::Relaxed);
                    Ok(Some(done(&number.to_string())))
                });
                assert!(outcome.complete && outcome.failed.is_empty() && followed.is_empty());
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
fn a_silent_holder_is_followed_and_a_beating_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin(folder.path(), plan(2)).unwrap();
    claim(folder.path(), "00000.1", "working");
    claim(folder.path(), "00000.2", "working");
    let held = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        // This worker takes longer than a silent one is given, and beats meanwhile.
        scope.spawn(|| {
            let only = Options { only: Some(vec![1]), ..options() };
            work(&sweep, &only, |_, hold| {
                held.store(1, Ordering::Relaxed);
                std::thread::sleep(BEAT * (binade_sweep::SILENT_BEATS + 2));
                assert!(!hold.lost());
                Ok(Some(done("1")))
            });
        });
        while held.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        let start = Instant::now();
        let (outcome, followed) = work(&sweep, &options(), |number, _| {
            assert_eq!(number, 0);
            assert!(start.elapsed() >= SILENT_BEAT * binade_sweep::SILENT_BEATS, "{:?}", start.elapsed());
            Ok(Some(done("0")))
        });
        assert!(outcome.complete && outcome.done == 1);
        assert!(followed[0].starts_with("elsewhere:1 silent for ") && followed.len() == 1, "{followed:?}");
    });
    assert_eq!(sweep.finished(0).unwrap().unwrap().generation, 3);
    assert_eq!(sweep.finished(1).unwrap().unwrap().generation, 1);
}

#[test]
fn who_let_go_is_followed_at_once_and_who_holds_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin(folder.path(), plan(2)).unwrap();
    claim(folder.path(), "00000.1", "released");
    claim(folder.path(), "00001.1", "working");
    let leave = Options { heartbeat: Duration::from_secs(60), wait: false, ..options() };
    let (outcome, followed) = work(&sweep, &leave, |number, _| Ok(Some(done(&number.to_string()))));
    assert_eq!((outcome.complete, outcome.done), (false, 1));
    assert_eq!(followed, ["elsewhere:1 who let go of it"]);
    let taken = Standing::Taken { by: "elsewhere:1".to_owned(), generation: 1, progress: None };
    assert_eq!(sweep.standing().unwrap(), [Standing::Done, taken]);
}

/// One that was suspended while another took over learns it at its next beat, and what it has done since is compared.
#[test]
fn who_was_followed_learns_it() {
    let folder = tempfile::tempdir().unwrap();
    for (second, conflicts) in [("same", 0), ("other", 1)] {
        let at = folder.path().join(second);
        let sweep = Sweep::begin(&at, plan(1)).unwrap();
        let mut lost = false;
        let (outcome, _) = work(&sweep, &options(), |_, hold| {
            // The other's claim and result, while this one was away.
            claim(&at, "00000.2", "working");
            let result = json!({"title": "piece 0", "inputs": sha256("0"), "sha256": sha256("same"), "by": "elsewhere:1",
                "generation": 2, "seconds": 1.0, "result": "same"});
            fs::write(at.join("results/00000.json"), result.to_string()).unwrap();
            while !hold.stop() {
                std::thread::sleep(BEAT);
            }
            lost = hold.lost();
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
fn a_piece_that_fails_is_tried_again_by_others_and_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let tries = Mutex::new(BTreeMap::<usize, usize>::new());
    let sweep = Sweep::begin(folder.path(), plan(3)).unwrap();
    let attempt = || {
        work(&sweep, &options(), |number, _| {
            *tries.lock().unwrap().entry(number).or_default() += 1;
            if number == 1 { Err("no room".to_owned()) } else { Ok(Some(done("x"))) }
        })
    };
    let (outcome, _) = attempt();
    assert_eq!((outcome.complete, outcome.done, outcome.failed.len()), (false, 2, 1));
    assert_eq!((outcome.failed[0].piece, &*outcome.failed[0].why), (1, "no room"));
    assert_eq!(sweep.standing().unwrap()[1], Standing::Failed("no room".to_owned()));
    attempt();
    // Each process tries a piece once; who comes later tries again.
    assert_eq!(*tries.lock().unwrap(), BTreeMap::from([(0, 1), (1, 2), (2, 1)]));
    let (outcome, _) = work(&sweep, &options(), |_, _| Ok(Some(done("x"))));
    assert!(outcome.complete && outcome.failed.is_empty());
}

/// The same with what its holder told: where it began, and what was kept when it died.
fn dead(folder: &Path, name: &str, begun: u64, kept: u64) {
    let text = json!({"by": "elsewhere:1", "machine": "another", "locked": true, "every": SILENT_BEAT.as_secs_f64(),
        "beat": 7, "state": "working", "why": null, "begun": begun, "kept": kept,
        "progress": {"done": kept + 2, "of": 9, "facts": null}});
    fs::write(folder.join("claims").join(name), text.to_string()).unwrap();
}

#[test]
fn a_piece_whose_holders_die_is_given_up_and_tried_again_on_demand() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin(folder.path(), plan(2)).unwrap();
    (1..=3).for_each(|generation| dead(folder.path(), &format!("00000.{generation}"), 4, 4));
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
    let Standing::GivenUp(why) = sweep.standing().unwrap().remove(0) else { panic!("it is not given up") };
    assert_eq!(outcome.failed[0].why, why);
    assert!(why.starts_with("given up after 3 ") && why.contains("elsewhere:1, silent for "), "{why}");
    assert!(why.ends_with(", at 6 of 9"), "{why}");
    // Who comes later leaves it alone, and says why.
    let (outcome, tried) = attempt(&options());
    assert_eq!((outcome.failed[0].why.clone(), tried), (why, vec![]));
    assert_eq!(sweep.generations().unwrap(), [4, 1]);
    let (outcome, tried) = attempt(&Options { retry: true, ..options() });
    assert_eq!((outcome.complete, tried), (true, vec![0]));
}

#[test]
fn a_piece_whose_holders_get_further_is_not_given_up() {
    for (deaths, last) in [(3, (6, 7)), (0, (7, 7)), (4, (7, 7))] {
        let folder = tempfile::tempdir().unwrap();
        let sweep = Sweep::begin(folder.path(), plan(1)).unwrap();
        dead(folder.path(), "00000.1", 7, 7);
        dead(folder.path(), "00000.2", 7, 7);
        dead(folder.path(), "00000.3", last.0, last.1);
        let (outcome, _) = work(&sweep, &Options { deaths, ..options() }, |_, hold| {
            // What was kept is there for who follows, and a beat shows it at once.
            hold.kept(8);
            Ok(Some(done("x")))
        });
        assert!(outcome.complete, "{deaths}");
        let text: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.path().join("claims/00000.4")).unwrap()).unwrap();
        assert_eq!((&text["begun"], &text["kept"]), (&json!(7), &json!(8)));
    }
}

#[test]
fn a_holder_shows_how_far_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin(folder.path(), plan(1)).unwrap();
    let slow = Options { heartbeat: Duration::from_secs(60), ..options() };
    let told = Progress { done: 3, of: 9, facts: json!({"loss": 0.5}) };
    let (outcome, _) = work(&sweep, &slow, |_, hold| {
        hold.progress(told.clone());
        hold.kept(2);
        let patience = Instant::now();
        loop {
            match sweep.standing().unwrap().remove(0) {
                Standing::Taken { progress: Some(seen), .. } => {
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
fn the_last_piece_waits_for_the_others_and_files_get_their_places() {
    let folder = tempfile::tempdir().unwrap();
    let last = Some(Piece { title: "all".to_owned(), inputs: sha256("all"), memory: None });
    let sweep = Sweep::begin(folder.path(), Plan { last, ..plan(5) }).unwrap();
    let at = |name: &str| folder.path().join(name);
    let (outcome, _) = work(&sweep, &options(), |number, _| {
        if number == 5 {
            assert!((0..5).all(|number| at(&format!("{number}.txt")).exists()));
        }
        let made = at(&format!("{number}.unfinished"));
        fs::write(&made, number.to_string()).unwrap();
        Ok(Some(Done::file(made, at(&format!("{number}.txt")), json!(null)).unwrap()))
    });
    assert!(outcome.complete && outcome.done == 6);
    assert_eq!(fs::read_to_string(at("5.txt")).unwrap(), "5");
    assert!(!at("5.unfinished").exists());
    assert_eq!(sweep.finished(5).unwrap().unwrap().sha256, sha256("5"));
}

#[test]
fn a_file_with_other_bits_is_kept_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin(folder.path(), plan(1)).unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("there"), "old").unwrap();
    let (outcome, _) = work(&sweep, &options(), |_, _| {
        fs::write(at("made"), "new").unwrap();
        Ok(Some(Done::file(at("made"), at("there"), json!(null)).unwrap()))
    });
    assert!(!outcome.complete && outcome.failed[0].why.starts_with("a file with other bits is at "));
    assert_eq!(fs::read_to_string(at("there")).unwrap(), "old");
    assert_eq!(fs::read_to_string(at("conflicts/00000.1.data")).unwrap(), "new");
}

/// Suspended while others took over, ended the sweep and removed what was left unfinished.
#[test]
fn who_comes_after_the_end_has_done_no_wrong() {
    for taken_away_while_at_work in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let sweep = Sweep::begin(folder.path(), plan(1)).unwrap();
        let at = |name: &str| folder.path().join(name);
        let (outcome, _) = work(&sweep, &options(), |_, _| {
            fs::write(at("made"), "same").unwrap();
            let ours = Done::file(at("made"), at("there"), json!(null)).unwrap();
            claim(folder.path(), "00000.2", "done");
            fs::write(at("there"), "same").unwrap();
            let result = json!({"title": "piece 0", "inputs": sha256("0"), "sha256": sha256("same"), "by": "elsewhere:1",
                "generation": 2, "seconds": 1.0, "result": null});
            fs::write(at("results/00000.json"), result.to_string()).unwrap();
            fs::remove_file(at("made")).unwrap();
            if taken_away_while_at_work { Err("no such file".to_owned()) } else { Ok(Some(ours)) }
        });
        assert_eq!((outcome.complete, outcome.done, outcome.failed.len()), (true, 0, 0));
        assert!(sweep.conflicts().unwrap().is_empty());
        assert_eq!(fs::read_to_string(at("there")).unwrap(), "same");
    }
}

#[test]
fn another_sweep_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(matches!(Sweep::open(folder.path()), Err(SweepError::None(_))));
    Sweep::begin(folder.path(), plan(2)).unwrap();
    let refused = |plan: Plan| match Sweep::begin(folder.path(), plan) {
        Err(SweepError::Another { what, .. }) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(plan(3)), "it has 2 pieces, this would have 3");
    assert_eq!(refused(Plan { kind: "other".to_owned(), ..plan(2) }), "it is of `binade test`");
    assert_eq!(refused(Plan { binade: "2".to_owned(), ..plan(2) }), "it is of binade 1, this is 2");
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
fn who_is_to_stop_lets_go() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = Sweep::begin(folder.path(), plan(3)).unwrap();
    let seen = AtomicUsize::new(0);
    let stop = || seen.load(Ordering::Relaxed) > 0;
    let (outcome, _) = work(&sweep, &Options { stop: &stop, ..options() }, |_, hold| {
        seen.fetch_add(1, Ordering::Relaxed);
        Ok(if hold.stop() { None } else { Some(done("x")) })
    });
    assert!(outcome.stopped && !outcome.complete && outcome.done == 0);
    assert_eq!(
        sweep.standing().unwrap().iter().filter(|standing| **standing == Standing::Released).count(),
        1
    );
}
