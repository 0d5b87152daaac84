//! `binade train`: tables, logs, reports, checkpoints and searches.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Done, run_in};

/// A run that succeeds.
fn trained(folder: &Path, arguments: &[&str]) -> Done {
    let done = run_in(folder, &[&["train"][..], arguments].concat(), "");
    assert_eq!(done.code, Some(0), "{arguments:?}: {}", done.err);
    done
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&trained(folder, &[arguments, &["--json"]].concat()).out).unwrap()
}

/// The bits that the cells end with.
fn hashes(document: &Value) -> Vec<String> {
    let cells = document["cells"].as_array().unwrap();
    cells.iter().map(|cell| cell["weights_sha256"].as_str().unwrap().to_owned()).collect()
}

const TWO: [&str; 6] = ["--arith", "f32", "--arith", "bf16:bf16", "--seeds", "2"];

#[test]
fn training_ends_with_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let options =
        [&TWO[..], &["--epochs", "2", "--log", "a.jsonl", "--report", "a.html", "--plot", "a.svg"]].concat();
    let done = trained(folder.path(), &options);
    let lines: Vec<&str> = done.out.lines().collect();
    assert!(lines[0].starts_with("mlp, ") && lines[1].starts_with("fashion-mnist-small: "), "{}", done.out);
    assert_eq!(lines[2], "2 epochs of 50 steps of 100 examples, 2 seeds, scope all");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(lines[4])[..3], ["arithmetic", "training", "loss"]);
    assert_eq!([&words(lines[5])[0], &words(lines[6])[0]], ["f32", "bf16:bf16"]);
    // Shares of lost updates grow as the rate falls, and are most of them in BF16.
    let lost = |line: &str| -> Vec<f64> {
        let words = words(line);
        let percents = words.iter().enumerate().filter(|(_, word)| *word == "%");
        percents.map(|(at, _)| words[at - 1].parse().unwrap()).collect()
    };
    let (plain, narrow) = (lost(lines[5]), lost(lines[6]));
    assert!(plain.len() == 3 && narrow.iter().zip(&plain).all(|(narrow, plain)| *narrow > plain + 20.0));
    assert!(narrow.is_sorted() && narrow[2] > 95.0, "{narrow:?}");
    // A line for each epoch of each cell where nobody looks.
    assert_eq!(done.err.lines().count(), 8);
    assert!(done.err.contains("bf16:bf16 seed 1: epoch 2 of 2: loss 0."), "{}", done.err);

    // The log has all of it, and gives the same table.
    let log = fs::read_to_string(folder.path().join("a.jsonl")).unwrap();
    let kind = |kind: &str| log.lines().filter(|line| line.contains(&format!("\"kind\":\"{kind}\""))).count();
    assert_eq!([kind("run"), kind("step"), kind("epoch"), kind("cell")], [1, 400, 8, 4]);
    assert_eq!(trained(folder.path(), &["report", "a.jsonl"]).out, done.out);
    let page = fs::read_to_string(folder.path().join("a.html")).unwrap();
    assert!(
        page.starts_with("<!doctype html>")
            && page.contains("<title>bf16:bf16</title></path>")
            && !page.contains("http")
    );
    // A panel each for loss, accuracy, lost updates and swamping; a line and a range for each arithmetic in three of them,
    // and a line in the last.
    let plot = fs::read_to_string(folder.path().join("a.svg")).unwrap();
    assert!(
        plot.starts_with("<svg")
            && ["training loss", "without swamping"].iter().all(|title| plot.contains(title))
    );
    assert_eq!([plot.matches("fill-opacity").count(), plot.matches("<title>bf16:bf16<").count()], [6, 4]);
    trained(folder.path(), &["report", "a.jsonl", "--plot", "b.svg"]);
    assert_eq!(fs::read_to_string(folder.path().join("b.svg")).unwrap(), plot);
    for there in [["--log", "a.jsonl"], ["--report", "a.html"], ["--plot", "a.svg"]] {
        let refused = run_in(folder.path(), &[&["train"][..], &there].concat(), "");
        assert_eq!(refused.code, Some(2));
        assert!(refused.err.contains("the file exists: use --force to replace it"), "{}", refused.err);
    }
}

#[test]
fn results_are_equal_for_any_threads_and_verify() {
    let folder = tempfile::tempdir().unwrap();
    let options = [&TWO[..], &["--steps", "12"]].concat();
    let one = json(folder.path(), &[&options[..], &["--threads", "1"]].concat());
    let two = json(folder.path(), &[&options[..], &["--threads", "2"]].concat());
    assert_eq!(hashes(&one), hashes(&two));
    let third = json(folder.path(), &[&options[..], &["--cell", "3"]].concat());
    assert_eq!(hashes(&third), hashes(&one)[3..]);
    let cell = &one["cells"][3];
    assert_eq!([&cell["arith"], &cell["state"]], ["bf16:bf16", "done"]);
    assert_eq!([&cell["seed"], &cell["steps"]], [1, 12]);
    assert!(
        cell["loss"].as_f64().unwrap() > 0.5 && cell["accuracy"].is_number() && cell["seconds"].is_number()
    );

    fs::write(folder.path().join("result.json"), serde_json::to_string(&one).unwrap()).unwrap();
    let verified = trained(folder.path(), &["--verify", "result.json"]);
    assert_eq!(verified.out, "ok f32 seed 0\nok f32 seed 1\nok bf16:bf16 seed 0\nok bf16:bf16 seed 1\n");
    let mut other = one.clone();
    other["cells"][1]["weights_sha256"] = "00".into();
    fs::write(folder.path().join("other.json"), serde_json::to_string(&other).unwrap()).unwrap();
    let differs = run_in(folder.path(), &["train", "--verify", "other.json"], "");
    assert_eq!(differs.code, Some(1));
    assert!(differs.out.contains("ok f32 seed 0\nDIFFERS f32 seed 1: weights 00 then, "), "{}", differs.out);
}

#[test]
fn new_model_folder_trains() {
    let folder = tempfile::tempdir().unwrap();
    let made = trained(folder.path(), &["--new", "mine"]);
    assert!(made.out.contains("mine/README.md"), "{}", made.out);
    let options = ["--arith", "f32", "--seeds", "1", "--steps", "2"];
    let own = json(folder.path(), &[&["mine/"][..], &options].concat());
    assert_eq!(hashes(&own), hashes(&json(folder.path(), &options)));
    // Where the rate is beyond reason, the cell ends and says so.
    let manifest = folder.path().join("mine/model.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"initial\": 0.05", "\"initial\": 1e30")).unwrap();
    let done = trained(folder.path(), &["mine/", "--arith", "f32", "--seeds", "1", "--steps", "9"]);
    assert!(done.err.contains("f32 seed 0: diverged: the loss of step "), "{}", done.err);
    assert!(done.out.contains("1 diverged\n"), "{}", done.out);
}

/// The reason for which a cell diverged; if none did, a sentence.
#[test]
fn first_bad_names_the_operation_of_the_first_nan() {
    let folder = tempfile::tempdir().unwrap();
    trained(folder.path(), &["--new", "mine"]);
    let manifest = folder.path().join("mine/model.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("\"initial\": 0.05", "\"initial\": 1e30")).unwrap();
    let options = ["mine/", "--arith", "bf16:bf16", "--seeds", "1", "--steps", "9", "--first-bad"];
    let found = &json(folder.path(), &options)["first_bad"][0];
    let birth = &found["birth"];
    assert!(found["step"].as_u64() <= found["diverged_at"].as_u64() && birth["line"].is_u64(), "{found}");
    let done = trained(folder.path(), &options);
    let operation = birth["operation"].as_str().unwrap();
    let place =
        format!("  {operation} at {} (train_step.mlir:{}:", birth["scope"].as_str().unwrap(), birth["line"]);
    assert!(done.out.contains(&place), "{place}: {}", done.out);
    assert!(done.err.contains("bf16:bf16 seed 0: training it again from its beginning"), "{}", done.err);
    let calm = trained(folder.path(), &["--arith", "f32", "--seeds", "1", "--steps", "2", "--first-bad"]);
    assert!(calm.out.ends_with("No cell diverged: there is no first bad operation.\n"), "{}", calm.out);
    let refused = run_in(folder.path(), &["train", "--first-bad", "--cells"], "");
    assert_eq!(refused.code, Some(2));
}

#[test]
fn blame_prints_the_gap_of_each_part() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--arith", "bf16:bf16", "--seeds", "1", "--steps", "3", "--blame"];
    let found = json(folder.path(), &options);
    let parts = found["blame"]["parts"].as_array().unwrap();
    assert_eq!(found["cells"].as_array().unwrap().len(), parts.len() + 2);
    let text = trained(folder.path(), &options).out;
    let rows: Vec<&str> = text.lines().map(|line| line.split_whitespace().next().unwrap_or("")).collect();
    assert_eq!(rows[4..8], ["bf16:bf16", "forward", "backward", "optimizer"], "{text}");
    let everything = found["blame"]["everything"].as_f64().unwrap();
    assert!(text.contains(&format!("everything: {everything:+.4}\n")), "{text}");
    for arithmetics in [&[][..], &["--arith", "f32"], &["--arith", "bf16:f32", "--arith", "bf16:bf16"]] {
        let refused = run_in(folder.path(), &[&["train", "--blame"], arithmetics].concat(), "");
        assert_eq!((refused.code, &refused.out[..]), (Some(2), ""));
        assert!(refused.err.contains("is not an operator: name one"), "{}", refused.err);
    }
}

#[test]
fn search_finds_the_cheapest_operators() {
    let folder = tempfile::tempdir().unwrap();
    let options =
        ["mlp", "--search", "--seeds", "2", "--steps", "5", "--arith", "float8_e4m3fn:float8_e4m3fn"];
    let found = json(folder.path(), &options);
    let search = &found["search"];
    assert_eq!((&search["complete"], &search["best"]["inside"]), (&Value::Bool(true), &Value::Bool(true)));
    let trials = search["trials"].as_array().unwrap();
    assert_eq!(trials[1]["what"], "all parts in float8_e4m3fn:float8_e4m3fn");
    assert_eq!(trials[1]["inside"], false, "{trials:?}");
    assert_eq!(search["steps"], 10 * trials.len());
    // The same as text, with the parts that were found, and with what trains them again.
    let kept = [&options[..], &["--checkpoint", "kept"]].concat();
    let done = trained(folder.path(), &kept);
    let best = search["best"]["arith"].as_str().unwrap();
    assert!(done.out.contains(&format!("--arith f32 --arith '{best}'")), "{}", done.out);
    assert_eq!(done.err.lines().count(), trials.len());
    for part in search["parts"].as_array().unwrap() {
        let name =
            format!("{} {}", part["pass"].as_str().unwrap(), part["layer"].as_str().unwrap_or_default());
        let line = done.out.lines().find(|line| line.starts_with(name.trim())).unwrap();
        assert!(line.contains(part["operator"].as_str().unwrap()), "{line}");
    }
    let again = json(folder.path(), &["mlp", "--seeds", "2", "--steps", "5", "--arith", best]);
    let mean =
        again["cells"].as_array().unwrap().iter().map(|cell| cell["loss"].as_f64().unwrap()).sum::<f64>()
            / 2.0;
    assert!((mean - search["best"]["loss"]["mean"].as_f64().unwrap()).abs() < 1e-12);
    // A search that was stopped goes on from its checkpoints; here all of them are there.
    assert_eq!(trained(folder.path(), &[&kept[..], &["--resume"]].concat()).out, done.out);

    let bad = |options: &[&str]| {
        let done = run_in(folder.path(), &[&["train", "mlp", "--steps", "2"], options].concat(), "");
        assert_eq!((done.code, &done.out[..]), (Some(2), ""), "{}", done.err);
        done.err
    };
    assert!(bad(&["--search", "--budget", "5"]).contains("a budget of 5 steps is too small"));
    assert!(bad(&["--search", "--arith", "f32:f32"]).contains("none of the operators f32:f32 is cheaper"));
    assert!(bad(&["--arith", "*@part:forward:hiden/*=bf16"]).contains("has no such part"));
    assert!(bad(&["--budget", "5"]).contains("--search"));
}

#[test]
fn report_markdown_has_a_section_for_each_log() {
    let folder = tempfile::tempdir().unwrap();
    let two =
        ["--arith", "f32", "--arith", "dot_general=bf16:f32;add=bf16", "--steps", "3", "--log", "a.jsonl"];
    trained(folder.path(), &[&two[..], &["--seeds", "1", "--scope", "paper"]].concat());
    fs::write(folder.path().join("a.md"), "A remark.\n").unwrap();
    let page = trained(folder.path(), &["report", "--markdown", "a.jsonl"]).out;
    assert!(!page.contains("!["));
    let shown = trained(folder.path(), &["report", "--markdown", "--plots", "img", "a.jsonl"]).out;
    assert!(shown.contains("\n![mlp: curves by epoch](img/a.svg)\n\nA remark.\n"), "{shown}");
    let command = "$ binade train mlp --data fashion-mnist-small --arith f32 --arith 'dot_general=bf16:f32;add=bf16' --scope paper \
                   --seeds 1 --steps 3";
    assert!(page.contains(command), "{page}");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with('|')).collect();
    assert!(
        rows.len() == 4 && rows[0].starts_with("| arithmetic | training loss | test accuracy |"),
        "{page}"
    );
    assert!(rows.iter().all(|row| row.matches('|').count() == rows[0].matches('|').count()));
    assert!(page.ends_with("\nA remark.\n"));
}

#[test]
fn bad_training_input_is_refused_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(folder.path().join("no.json"), "{}").unwrap();
    let cases: [(&[&str], &str); 14] = [
        (&["mpl"], "error: unknown model 'mpl': did you mean mlp?"),
        (&["zzzzzzzzzzzz"], "must be one of mlp, cnn, "),
        (&["empty/"], "not a model: model.json is missing; a model's folder has"),
        (&["--data", "fashion"], "fashion-mnist"),
        (
            &["--data", "mnist1d"],
            "the data mnist1d do not fit the model mlp: input 'image' needs the column 'image'; the data have ",
        ),
        (&["--arith", "bf17:f32"], "bf17"),
        (&["--arith", "f32", "--arith", "f32"], "duplicate arithmetic f32"),
        (&["--scope", "some"], "'some' is not a scope"),
        (&["--steps", "1", "--cell", "99"], "there is no cell 99: there are 15, numbered from 0"),
        (&["--resume"], "--checkpoint <DIR>"),
        (&["--checkpoint", "no.json"], "no.json: cannot write: "),
        (&["ngcf"], "movielens needs a folder: write movielens:DIR, where DIR has u.data"),
        (&["--verify", "no.json"], "not the output of `binade train --json`"),
        (&["report", "no.json"], "no.json:1: "),
    ];
    for (arguments, expected) in cases {
        let done = run_in(folder.path(), &[&["train"][..], arguments].concat(), "");
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(done.err.contains(expected), "{arguments:?}: {}", done.err);
    }
}

/// Ended by a signal in the middle; what is gone on with ends with the bits of a training that was left alone.
#[cfg(unix)]
#[test]
fn killed_training_resumes_with_equal_bits() {
    use std::io::{BufRead, BufReader};
    use std::process::Command;

    let folder = tempfile::tempdir().unwrap();
    let options = ["--arith", "bf16:bf16", "--seeds", "1", "--epochs", "4"];
    let whole = hashes(&json(folder.path(), &options));
    for (signal, code) in [("KILL", None), ("INT", Some(130))] {
        let kept = format!("kept-{signal}");
        let log = format!("{signal}.jsonl");
        let options = [&options[..], &["--checkpoint", &kept, "--log", &log]].concat();
        let mut child = crate::command(folder.path(), &[&["train"][..], &options].concat()).spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        // A line comes before the checkpoint of its epoch, and after that of the epoch before.
        while !line.contains("epoch 2 of 4") {
            line.clear();
            assert!(errors.read_line(&mut line).unwrap() > 0);
        }
        let killed =
            Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        assert_eq!(child.wait().unwrap().code(), code);
        assert!(folder.path().join(&kept).join("bf16_bf16-seed0.safetensors").exists());
        let resumed = [&options[..], &["--resume"]].concat();
        assert_eq!(hashes(&json(folder.path(), &resumed)), whole, "{signal}");
        // The log of both parts joins to the same.
        let joined = json(folder.path(), &["report", &log]);
        assert_eq!(hashes(&joined), whole, "{signal}");
    }
}
