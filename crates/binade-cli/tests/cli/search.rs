//! `binade run` with operators by place, and its search for what must keep binary32, on a C program of twelve functions.
#![cfg(all(feature = "run", target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// The program and its library, compiled; nothing, with a note, where there is no C compiler or no fused multiply-add.
struct Program {
    folder: tempfile::TempDir,
}

/// A line of the source that has this comment.
fn line(comment: &str) -> usize {
    let source = include_str!("search/functions.c");
    source.lines().position(|line| line.ends_with(comment)).unwrap() + 1
}

impl Program {
    fn compile() -> Option<Program> {
        let has_compiler =
            Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
        if !has_compiler || !std::is_x86_feature_detected!("fma") {
            assert!(std::env::var_os("BINADE_REQUIRE_ALL").is_none(), "needs cc and fused multiply-adds");
            eprintln!("SKIPPED: needs cc and fused multiply-adds");
            return None;
        }
        let program = Program { folder: tempfile::tempdir().unwrap() };
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/search");
        let compile = |source: &str, output: &str, more: &[&str]| {
            let status = Command::new("cc")
                .current_dir(program.path())
                .args(["-O2", "-g", "-mfma", "-ffp-contract=fast", "-fno-tree-vectorize", "-o", output])
                .arg(sources.join(source))
                .args(more)
                .status()
                .unwrap();
            assert!(status.success(), "{source} does not compile");
        };
        compile("variance.c", "libvariance.so", &["-shared", "-fPIC"]);
        compile("functions.c", "functions", &["-L.", "-lvariance", "-Wl,-rpath,$ORIGIN"]);
        Some(program)
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs `binade run` in the folder.
    fn run(&self, options: &[&str], command: &[&str]) -> Output {
        let mut binade = Command::new(env!("CARGO_BIN_EXE_binade"));
        binade.current_dir(self.path()).arg("run").args(options).arg("--").args(command).output().unwrap()
    }

    /// Runs it, and returns standard output if the exit code is as expected.
    fn output(&self, code: i32, options: &[&str], command: &[&str]) -> String {
        let done = self.run(options, command);
        let error = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{options:?}: {error}");
        String::from_utf8(done.stdout).unwrap()
    }

    /// Searches under `bf16:bf16` for what the named functions' numbers need: the answer.
    fn search(&self, options: &[&str], sensitive: &[&str]) -> Value {
        let options =
            [&["--search", "--arith", "bf16:bf16", "--accept", "within 0.1", "--json"], options].concat();
        let command = [&["./functions"], sensitive].concat();
        serde_json::from_str(&self.output(0, &options, &command)).unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }
}

fn keep(answer: &Value) -> Vec<&str> {
    answer["keep"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

/// At most 3 · log2 of the candidates times the size of the answer.
fn assert_few_runs(answer: &Value) {
    let candidates = answer["candidates"].as_u64().unwrap() as f64;
    let most = 3.0 * candidates.log2() * keep(answer).len() as f64;
    let runs = answer["runs"].as_u64().unwrap();
    assert!(runs as f64 <= most, "{runs} runs among {candidates} candidates are more than {most}");
}

#[test]
fn search_finds_the_sensitive_functions_in_few_runs() {
    let Some(program) = Program::compile() else { return };
    for (sensitive, found) in [
        (["variance", "spread"], ["functions:summary", "libvariance.so:variance"]),
        (["variance", "generated"], ["functions [generated]:[unnamed]", "libvariance.so:variance"]),
    ] {
        let answer = program.search(&[], &sensitive);
        assert_eq!(keep(&answer), found);
        assert_eq!(answer["candidates"], 12);
        assert_eq!(answer["narrow"].as_array().unwrap().len(), 10);
        assert_eq!(answer["deterministic"], true);
        assert_few_runs(&answer);
        let parallel = program.search(&["--jobs", "3"], &sensitive);
        assert_eq!(keep(&parallel), found);
    }
    let empty = program.search(&[], &[]);
    assert!(keep(&empty).is_empty() && empty["runs"] == 3);
}

#[test]
fn search_by_line_finds_the_inlined_function() {
    let Some(program) = Program::compile() else { return };
    let answer = program.search(&["--by", "line"], &["variance", "spread"]);
    let lines = ["// sensitive line", "// sensitive end"].map(line);
    let found = keep(&answer);
    let inlined: Vec<&&str> = found.iter().filter(|name| name.starts_with("functions:summary:")).collect();
    assert!(!inlined.is_empty());
    for name in inlined {
        assert!(lines.iter().any(|line| **name == format!("functions:summary:functions.c:{line}")), "{name}");
    }
    assert!(found.iter().any(|name| name.starts_with("libvariance.so:variance:variance.c:")), "{found:?}");
    assert_few_runs(&answer);
}

#[test]
fn rules_of_a_search_are_read_back() {
    let Some(program) = Program::compile() else { return };
    let command = ["./functions", "variance", "spread"];
    let native = Command::new(program.file("functions")).args(&command[1..]).output().unwrap().stdout;
    for by in ["function", "line"] {
        let rules = format!("{by}.rules");
        let report = format!("{by}.html");
        let answer = program.search(
            &[
                "--by",
                by,
                "--rules-out",
                &rules,
                &format!("--report={report}"),
                "--log",
                &format!("{by}.jsonl"),
            ],
            &command[1..],
        );
        assert_eq!(answer["costs"].as_array().unwrap().len(), 12);
        let rejected = answer["costs"].as_array().unwrap().iter().filter(|cost| cost["accepted"] == false);
        assert_eq!(rejected.count(), 2);
        assert!(fs::read_to_string(program.file(&report)).unwrap().contains("must keep binary32"));
        // The log has all runs; nothing is run again but the native and the counting run.
        let again = program.search(&["--by", by, "--log", &format!("{by}.jsonl")], &command[1..]);
        assert_eq!((keep(&again), again["runs"].as_u64()), (keep(&answer), answer["runs"].as_u64()));
        assert_eq!(again["resumed"].as_u64().unwrap() + 2, again["runs"].as_u64().unwrap());
        // What the rules keep is as natively.
        let under = program.output(0, &["--quiet", "--rules", &rules], &command);
        let native = String::from_utf8(native.clone()).unwrap();
        let of =
            |text: &str, name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        assert_eq!(of(&under, "variance"), of(&native, "variance"), "{by}");
        assert_ne!(of(&under, "dot"), of(&native, "dot"), "{by}");
    }
}

#[test]
fn first_rule_that_fits_applies() {
    let Some(program) = Program::compile() else { return };
    let command = ["./functions"];
    let native = program.output(0, &["-q"], &command);
    let narrow = program.output(0, &["-q", "--arith", "bf16:bf16"], &command);
    let of = |text: &str, name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    let rules = [
        "-q",
        "--arith",
        "functions:{dot,norm}=keep",
        "--arith",
        "functions:d*=f32:f32",
        "--arith",
        "bf16:bf16",
    ];
    // `functions:d*` has nothing left, which is an error; the program runs all the same.
    let mixed = program.output(2, &rules, &command);
    for name in ["dot", "norm"] {
        assert_eq!(of(&mixed, name), of(&native, name));
        assert_ne!(of(&narrow, name), of(&native, name));
    }
    assert_eq!(of(&mixed, "energy"), of(&narrow, "energy"));
    assert!(
        String::from_utf8_lossy(&program.run(&rules, &command).stderr).contains("'functions:d*=f32:f32'")
    );
    let skipped =
        program.output(0, &["-q", "--arith", "bf16:bf16", "--skip-functions", "^(dot|norm)$"], &command);
    let complement =
        program.output(0, &["-q", "--arith", "bf16:bf16", "--functions", "!^(dot|norm)$"], &command);
    assert_eq!(skipped, complement);
    assert_eq!((of(&skipped, "dot"), of(&skipped, "energy")), (of(&native, "dot"), of(&narrow, "energy")));
    // The summary names operators by function where there are several.
    let options = ["--arith", "functions:dot=bf16x2:bf16x2/3", "--arith", "bf16:bf16"];
    let done = program.run(&options, &command);
    let summary = String::from_utf8(done.stderr).unwrap();
    let two = String::from_utf8(done.stdout).unwrap();
    let split = program.output(0, &["-q", "--arith", "bf16x2:bf16x2/3"], &command);
    assert_eq!((of(&two, "dot"), of(&two, "norm")), (of(&split, "dot"), of(&narrow, "norm")));
    assert!(summary.contains("bf16:bf16 and 1 rule"), "{summary}");
    assert!(summary.contains("  bf16x2:bf16x2/3 in functions: dot, "), "{summary}");
    assert!(summary.contains("  bf16:bf16 in functions: norm, "), "{summary}");
}

#[test]
fn mistakes_in_rules_and_checks_are_explained() {
    let Some(program) = Program::compile() else { return };
    fs::write(program.file("wrong.rules"), "bf16:bf16\n\nfunctions:dot=bf17:bf16\n").unwrap();
    let command = ["./functions"];
    for (options, message) in [
        (&["--arith", "functions:dot"][..], "'functions:dot'"),
        (&["--arith", "nosuch.so=keep"], "error: the rule 'nosuch.so=keep' applies to no multiply-add"),
        (&["--arith", "bf16:bf16", "--arith", "keep"], "two operators without a place, bf16:bf16 and keep"),
        (
            &["--rules", "wrong.rules"],
            "wrong.rules:3: 'functions:dot=bf17:bf16': 'bf17:bf16' is not an operator",
        ),
        (&["--rules", "none.rules"], "none.rules: cannot read: "),
        (&["--search", "--accept", "within 0.1"], "--search needs the narrow operator"),
        (&["--search", "--arith", "bf16:bf16", "--accept", "within lots"], "give a tolerance such as 1e-3"),
        (&["--search", "--arith", "bf16:bf16", "--accept", "false"], "'false' rejects the native run"),
        (&["--search", "--arith", "bf16:bf16", "--accept", "nosuchcheck"], "the shell cannot run it"),
        (
            &["--search", "--arith", "bf16:bf16", "--accept", "within 1 of a.npy"],
            "a.npy: the native run must write it",
        ),
        (&["--search", "--arith", "bf16:bf16", "--accept", ""], "--accept is empty"),
        (&["--search", "--arith", "bf16:bf16"], "--accept <CHECK>"),
        (&["--rounding", "up", "--runs", "2"], "--rounding up has no random choices"),
        (&["--rounding", "down", "--seed", "2"], "--rounding down has no random choices"),
    ] {
        let done = program.run(options, &command);
        let error = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{options:?}: {error}");
        assert!(error.contains(message), "{options:?}: {error}");
    }
}

#[test]
fn search_checks_by_command_and_by_exit_code() {
    let Some(program) = Program::compile() else { return };
    let search = |accept: &str, command: &[&str]| {
        let options = ["--search", "--arith", "bf16:bf16", "--json", "--accept", accept];
        serde_json::from_str::<Value>(&program.output(0, &options, command)).unwrap()
    };
    let command = ["./functions", "variance"];
    let answer = search("awk '$1 == \"variance\" { exit !($2 > 5 && $2 < 6) }' {out}", &command);
    assert_eq!(keep(&answer), ["libvariance.so:variance"]);
    let script = "./functions variance > {dir}/out; grep -q 'variance 5' {dir}/out";
    assert_eq!(keep(&search("exit code", &["sh", "-c", script])), ["libvariance.so:variance"]);
    // A program that does not print the same twice.
    let script = "echo $$; ./functions variance";
    let answer = search("awk '$1 == \"variance\" { exit !($2 > 5 && $2 < 6) }' {out}", &["sh", "-c", script]);
    assert_eq!((&answer["deterministic"], &answer["repeat"]), (&Value::Bool(false), &5.into()));
    assert_eq!(keep(&answer), ["libvariance.so:variance"]);
    assert!((answer["accepted_share"].as_f64().unwrap() - 0.549).abs() < 0.01);
}
