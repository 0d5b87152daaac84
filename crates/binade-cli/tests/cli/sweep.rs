//! `--shared` and `join`: sweeps of several processes over a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use binade::philox::Stream;
use serde_json::Value;

use crate::{Done, command, run_in};

fn good(folder: &Path, arguments: &[&str]) -> String {
    let Done { out, err, code } = run_in(folder, arguments, "");
    assert_eq!(code, Some(0), "{arguments:?}: {err}");
    out
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&good(folder, arguments)).unwrap()
}

#[test]
fn sweep_of_killed_processes_has_the_results_of_one_process() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let vectors = ["vectors", "add", "--in", "float8_e4m3fn"];
    let expected = good(folder, &vectors);
    let work = ["--shared", "swept", "--piece-lines", "500", "--heartbeat", "0.2", "--deaths", "0"];
    let none = run_in(folder, &[&vectors[..], &work, &["--piece", "133"]].concat(), "");
    assert_eq!(none.code, Some(2));
    assert!(
        none.err.contains("there is no piece 133: there are 133, numbered from 0")
            && !folder.join("swept").exists()
    );
    let start = || {
        let mut line = command(folder, &[&vectors[..], &work].concat());
        line.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
    };
    let mut running: Vec<Child> = (0..16).map(|_| start()).collect();
    let (mut random, mut killed) = (Stream::new(7), 0);
    let patience = Instant::now();
    while !folder.join("swept/vectors.txt").exists() && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(random.below(20) as u64));
        if killed < 40 {
            let at = random.below(running.len());
            // In the midst of work, or after it.
            killed += usize::from(running[at].try_wait().unwrap().is_none());
            running[at].kill().unwrap();
            running[at].wait().unwrap();
            running[at] = start();
        }
    }
    for mut child in running {
        assert!(child.wait().unwrap().success());
    }
    assert!(killed > 0);
    assert_eq!(good(folder, &["join", "swept"]), expected);
    let status = json(folder, &["join", "swept", "--status", "--json"]);
    assert_eq!((&status["complete"], &status["conflicts"]), (&Value::Bool(true), &Value::Array(vec![])));
    assert_eq!(status["pieces"].as_array().unwrap().len(), 132 + 1);
    let again = good(folder, &[&vectors[..], &work].concat());
    assert_eq!(again, "swept/vectors.txt: 65536 lines\n");
}

/// A piece whose processes die is given up, says why, and is tried again on demand.
#[cfg(unix)]
#[test]
fn piece_that_crashes_its_processes_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let work =
        ["vectors", "fma", "--in", "bf16", "--count", "600000", "--piece-lines", "200000", "--shared", "s"];
    for _ in 0..2 {
        // The system ends the process by SIGXFSZ when its piece is longer than 64 blocks of 512 bytes.
        let mut limited = Command::new("sh");
        limited.args(["-c", "ulimit -c 0; ulimit -f 64; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_binade")]);
        limited.args(work);
        let status = limited.args(["--piece", "1", "--deaths", "2"]).current_dir(folder).status().unwrap();
        assert!(status.code().is_none(), "{status}");
    }
    let given_up = run_in(folder, &[&work[..], &["--deaths", "2"]].concat(), "");
    assert_eq!(given_up.code, Some(1), "{}", given_up.err);
    let why = "given up after 2 of its processes died without progress; the last was ";
    assert!(given_up.err.contains(&format!("failed: lines 200000 to 399999: {why}")), "{}", given_up.err);
    let status = run_in(folder, &["join", "s", "--status"], "");
    assert!(status.code == Some(1) && status.out.contains(why), "{}", status.out);
    assert_eq!(run_in(folder, &work, "").code, Some(1));
    assert_eq!(good(folder, &[&work[..], &["--retry"]].concat()), "s/vectors.txt: 600000 lines\n");
}

#[test]
#[cfg(feature = "train")]
fn cells_of_two_processes_are_those_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let cells = ["train", "--arith", "f32", "--arith", "bf16:bf16", "--seeds", "2", "--steps", "60"];
    let listed = json(folder, &[&cells[..], &["--cells", "--json"]].concat());
    let shared = [&cells[..], &["--shared", "swept", "--heartbeat", "0.2"]].concat();
    let planned = json(folder, &[&shared[..], &["--plan", "--json"]].concat());
    for (cell, piece) in listed.as_array().unwrap().iter().zip(planned.as_array().unwrap()) {
        assert_eq!(cell["inputs"], piece["inputs"]);
    }
    assert_eq!(planned[3]["title"], "bf16:bf16 seed 1");
    // A tensor of 100 × 784 numbers is the least that a step holds; what it takes is measured by the tests of Python.
    let memory = planned[3]["memory"].as_u64().unwrap();
    assert!((32 << 20..1 << 30).contains(&memory), "{memory}");
    let early = run_in(folder, &["join", "swept"], "");
    assert_eq!(early.code, Some(1));
    assert!(early.err.contains("4 of 4 results"), "{}", early.err);

    // One that is stopped in its second epoch leaves a checkpoint, from which another goes on.
    let mut first = command(folder, &[&shared[..], &["--cell", "3"]].concat()).spawn().unwrap();
    let patience = Instant::now();
    let checkpoint = folder.join("swept/checkpoints/bf16_bf16-seed1.safetensors");
    while !checkpoint.exists() && patience.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let mut second = command(folder, &shared).spawn().unwrap();
    let third = run_in(folder, &shared, "");
    assert_eq!(third.code, Some(0), "{}", third.err);
    assert!(second.wait().unwrap().success());

    let alone = json(folder, &[&cells[..], &["--json"]].concat());
    let mut joined = json(folder, &["join", "swept", "--json"]);
    let mut timeless = alone.clone();
    for document in [&mut joined, &mut timeless] {
        for cell in document["cells"].as_array_mut().unwrap() {
            cell["seconds"] = 0.into();
        }
    }
    assert_eq!(joined, timeless);
    let watched = run_in(folder, &["join", "swept", "--watch"], "");
    assert!(
        watched.out.contains("\nbf16:bf16 ") && watched.err.contains("done: bf16:bf16 seed 1 (4 of 4), by ")
    );

    // A folder is of one sweep, and cells are of this one.
    let other = run_in(folder, &["train", "--steps", "3", "--seeds", "1", "--shared", "swept"], "");
    assert_eq!(other.code, Some(2));
    assert!(other.err.contains("another sweep is here: it has 4 pieces"), "{}", other.err);
    let none = run_in(folder, &[&shared[..], &["--cell", "4"]].concat(), "");
    assert_eq!(none.code, Some(2));
    assert!(none.err.contains("there is no cell 4: there are 4, numbered from 0"), "{}", none.err);
    let kept = run_in(
        folder,
        &["train", "--steps", "3", "--cell", "99", "--checkpoint", "kept", "--log", "log"],
        "",
    );
    assert!(kept.code == Some(2) && kept.err.contains("there is no cell 99"), "{}", kept.err);
    assert!(!folder.join("kept").exists() && !folder.join("log").exists());
    assert_eq!(run_in(folder, &["join", "."], "").code, Some(2));
}

#[test]
#[cfg(feature = "train")]
fn search_of_two_processes_equals_that_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let narrow = "float8_e4m3fn:float8_e4m3fn";
    let search =
        ["train", "--search", "--arith", narrow, "--seeds", "2", "--steps", "5", "--budget", "50", "--json"];
    let alone = good(folder, &search);
    let shared = [&search[..], &["--shared", "swept", "--heartbeat", "0.2"]].concat();
    let other = command(folder, &shared).spawn().unwrap();
    assert_eq!(good(folder, &shared), alone);
    let other = other.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(other.stdout).unwrap(), alone);
    // A trial is a sweep, of which `join` has the cells; each cell was trained by one of them.
    let trials: Vec<_> = fs::read_dir(folder.join("swept/trials")).unwrap().collect();
    let told: Value = serde_json::from_str(&alone).unwrap();
    assert_eq!(trials.len(), told["search"]["trials"].as_array().unwrap().len());
    assert!(trials.len() > 2, "{told}");
    for trial in trials {
        let status = json(folder, &["join", trial.unwrap().path().to_str().unwrap(), "--status", "--json"]);
        let holders = |piece: &Value| piece["holders"].as_u64();
        assert!(
            status["pieces"].as_array().unwrap().iter().all(|piece| holders(piece) == Some(1)),
            "{status}"
        );
    }
}

/// A checkpoint of this number of files, with an index.
fn checkpoint(folder: &Path, files: usize) -> PathBuf {
    let path = folder.join("model");
    fs::create_dir(&path).unwrap();
    let digits = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/digits.safetensors");
    let bytes = fs::read(digits).unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let (header, data) = (std::str::from_utf8(&bytes[8..8 + length]).unwrap(), &bytes[8 + length..]);
    let mut map = serde_json::Map::new();
    for file in 0..files {
        let name = format!("model-{:05}-of-{files:05}.safetensors", file + 1);
        let header = header.trim_end().replace("\"layer", &format!("\"model.{file}.layer"));
        let header = format!("{header}{}", " ".repeat(header.len().next_multiple_of(8) - header.len()));
        let tensors: Value = serde_json::from_str(&header).unwrap();
        map.extend(
            tensors
                .as_object()
                .unwrap()
                .keys()
                .filter(|key| *key != "__metadata__")
                .map(|key| (key.clone(), Value::from(name.clone()))),
        );
        let length = (header.len() as u64).to_le_bytes();
        fs::write(path.join(name), [&length[..], header.as_bytes(), data].concat()).unwrap();
    }
    let index = serde_json::json!({"metadata": {}, "weight_map": map});
    fs::write(path.join("model.safetensors.index.json"), index.to_string()).unwrap();
    fs::write(path.join("config.json"), r#"{"model_type": "digits"}"#).unwrap();
    path
}

#[test]
fn checkpoint_written_by_several_processes_is_that_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    checkpoint(folder, 6);
    let how = ["--layout", "ct-nvfp4", "--exclude", "*layer3*"];
    let quantize = [&["quantize", "model", "alone"][..], &how].concat();
    let alone = good(folder, &quantize);
    let sharing = ["--shared", "swept", "--heartbeat", "0.2"];
    let shared = [&["quantize", "model", "together"][..], &how, &sharing].concat();
    let one = run_in(folder, &[&shared[..], &["--piece", "4"]].concat(), "");
    assert_eq!((one.code, &*one.out), (Some(0), ""));
    assert!(one.err.contains("1 of 7 pieces have results"), "{}", one.err);
    assert!(folder.join("together/.binade-incomplete.json").exists());
    let mut other = command(folder, &shared).spawn().unwrap();
    assert_eq!(good(folder, &shared), alone);
    assert!(other.wait().unwrap().success());
    let names = |path: &str| {
        let entries = fs::read_dir(folder.join(path)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names("alone"), names("together"));
    for name in names("alone") {
        let read = |path: &str| fs::read(folder.join(path).join(&name)).unwrap();
        assert_eq!(read("alone"), read("together"), "{name:?}");
    }
    // One report of all, which is that of one process; `join` has none.
    let reported = |command: &[&str], path: &str| {
        good(folder, &[command, &["--report", path]].concat());
        fs::read_to_string(folder.join(path)).unwrap()
    };
    let again = [&["quantize", "model", "again"][..], &how].concat();
    assert_eq!(reported(&shared, "shared.json"), reported(&again, "again.json"));
    assert!(reported(&shared, "shared.html").contains("layer1"));
    let there = run_in(folder, &[&shared[..], &["--report", "shared.json"]].concat(), "");
    assert!(there.code == Some(2) && there.err.contains("shared.json: the file exists"), "{}", there.err);
    let joined = run_in(folder, &["join", "swept", "--report", "x.html"], "");
    assert!(joined.code == Some(2) && joined.err.contains("they need a training"), "{}", joined.err);
    // Another input, or a file in the place of a folder, is refused.
    let refused =
        run_in(folder, &["quantize", "model", "other", "--layout", "ct-fp8", "--shared", "swept"], "");
    assert_eq!(refused.code, Some(2));
    let file =
        ["quantize", "model/model-00001-of-00006.safetensors", "x", "--layout", "ct-fp8", "--shared", "y"];
    let refused = run_in(folder, &file, "");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("--shared needs a folder: its files are the pieces"), "{}", refused.err);
    // What is there is not overwritten.
    fs::create_dir(folder.join("full")).unwrap();
    fs::write(folder.join("full/notes"), "").unwrap();
    let full = run_in(folder, &["quantize", "model", "full", "--layout", "ct-fp8", "--shared", "z"], "");
    assert_eq!(full.code, Some(2));
    assert!(full.err.contains("the folder is not empty") && !folder.join("z").exists(), "{}", full.err);
}
