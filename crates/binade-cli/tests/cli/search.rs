//! `binade run` with operators by place, and its search for what must keep binary32, on a C program of twelve functions.
#![cfg(all(feature = "run", target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use object::{Object, ObjectSymbol};
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
        compile("unstable.c", "unstable", &[]);
        Some(program)
    }

    /// Compiles the C++ program, where there is a compiler.
    fn compile_inlined(&self) -> bool {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/search");
        let options = ["-O2", "-g", "-mfma", "-fno-tree-vectorize", "-o", "inlined"];
        let mut compiler = Command::new("c++");
        let done = compiler.current_dir(self.path()).args(options).arg(sources.join("inlined.cpp")).output();
        if let Ok(done) = done {
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            return true;
        }
        assert!(std::env::var_os("BINADE_REQUIRE_ALL").is_none(), "needs c++");
        eprintln!("SKIPPED: needs c++");
        false
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
    fs::write(program.file("empty.rules"), "# nothing\n").unwrap();
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
        (&["--rules", "empty.rules"], "empty.rules: no rule in this file: give lines such as"),
        (&["--arith", "functions:dot:functions.c:4-3=keep"], "'4-3' is not a line: give a number from 1 on"),
        (&["--arith", "functions:dot:functions.c:0=keep"], "'0' is not a line: give a number from 1 on"),
        (&["--report", "F.html"], "the name of the page follows `=`: write --report=F.html"),
        (
            &["--profile", "x.json", "--report=./x.json"],
            "./x.json: the file of both --profile and --report: name another file for one of them",
        ),
        (
            &[
                "--search",
                "--accept",
                "exit code",
                "--log",
                "l",
                "--rules-out",
                "./l",
                "--arith",
                "bf16:bf16",
            ],
            "./l: the file of both --log and --rules-out",
        ),
        (
            &["--search", "--arith", "bf16:bf16", "--accept", "sleep 60 & wait", "--timeout", "1"],
            "--accept 'sleep 60 & wait': the native run had a check that took longer than 1 s (--timeout) and was killed",
        ),
        (
            &["--search", "--arith", "nosuch.so=keep", "--arith", "bf16:bf16", "--accept", "exit code"],
            "the rule 'nosuch.so=keep' applies to no multiply-add",
        ),
        (&["--json"], "the following required arguments were not provided"),
        (&["--search", "--blame"], "the argument '--search' cannot be used with '--blame'"),
        (&["--blame", "--costs"], "the argument '--blame' cannot be used with '--costs'"),
        (
            &["--search", "--array", "y.npy", "--blame", "--runs", "3"],
            "the argument '--search' cannot be used with:\n  --array <FILE.npy>\n  --blame\n  --runs <N>\n",
        ),
        (
            &["--rounding", "random", "--runs", "2", "--accept", "exit code"],
            "the argument '--runs <N>' cannot be used with '--accept <CHECK>'",
        ),
        (
            &["--rounding", "random", "--runs", "2", "--costs", "--log", "l"],
            "the argument '--runs <N>' cannot be used with:\n  --costs\n  --log <FILE.jsonl>\n",
        ),
        (
            &["--rounding", "random", "--runs", "2", "--jobs", "2", "--array", "y.npy"],
            "overwrite each other's y.npy",
        ),
        (
            &["--rounding", "random", "--runs", "2", "--array", "{dir}/y.npy"],
            "y.npy: the run with seed 0 must write it, as an .npy file of f32 or f64: ",
        ),
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

#[test]
fn filters_and_rules_without_effect_are_warnings() {
    let Some(program) = Program::compile() else { return };
    fs::write(program.file("more.rules"), "nosuch.so=keep\nbf16:bf16\n").unwrap();
    let skip = "warning: --skip 'nosuch*' matches no object that was loaded";
    let functions = "warning: --skip-functions '^nosuch' matches no function with multiply-adds";
    let rule = "warning: the rule 'nosuch.so=keep' applies to no multiply-add";
    let options = ["--skip", "nosuch*", "--skip-functions", "^nosuch", "--rules", "more.rules"];
    let search = [&["--search", "--accept", "exit code"], &options[..]].concat();
    let runs = [&["--rounding", "random", "--runs", "2", "--rules", "keep.rules"], &options[..4]].concat();
    fs::write(program.file("keep.rules"), "nosuch.so=keep\n").unwrap();
    for options in [&options[..], &search, &runs] {
        let done = program.run(options, &["./functions"]);
        let error = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(0), "{options:?}: {error}");
        for warning in [skip, functions, rule] {
            assert_eq!(error.matches(warning).count(), 1, "{options:?}: {error}");
        }
    }
    let used = program.run(&["--skip", "libvariance*", "--skip-functions", "^dot$"], &["./functions"]);
    let error = String::from_utf8(used.stderr).unwrap();
    assert!(!error.contains("warning"), "{error}");
}

#[test]
fn search_rejects_runs_and_checks_without_end() {
    let Some(program) = Program::compile() else { return };
    let search = |accept: &str, more: &[&str], command: &[&str]| {
        let options = ["--search", "--arith", "bf16:bf16", "--json", "--accept", accept];
        let done = program.run(&[&options[..], more].concat(), command);
        let error = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(0), "{accept}: {error}");
        (serde_json::from_slice::<Value>(&done.stdout).unwrap(), error)
    };
    // The check waits for a process that never ends where the variance is wrong.
    let accept = "grep -q '^variance 5' \"{out}\" || (sleep 600 & wait)";
    let (answer, error) = search(accept, &["--timeout", "2"], &["./functions", "variance"]);
    assert_eq!(keep(&answer), ["libvariance.so:variance"]);
    assert!(error.contains("had a check that took longer than 2 s (--timeout) and w"), "{error}");
    // The program prints without end there.
    let script =
        "./functions variance > {dir}/out; grep -q 'variance 5' {dir}/out || while :; do echo endless; done";
    let (answer, error) = search("exit code", &["--output-limit", "1"], &["sh", "-c", script]);
    assert_eq!(keep(&answer), ["libvariance.so:variance"]);
    assert!(error.contains("wrote more than 1 MiB (--output-limit) and w"), "{error}");
    let options = ["--search", "--arith", "bf16:bf16", "--accept", "exit code", "--output-limit", "1"];
    let done = program.run(&options, &["sh", "-c", "while :; do echo endless; done"]);
    let error = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(
        error.contains(
            "the native run wrote more than 1 MiB (--output-limit) and was killed: give a higher limit"
        ),
        "{error}"
    );
}

#[test]
fn search_by_instruction_tells_names_that_end_alike() {
    let Some(program) = Program::compile() else { return };
    let options = ["--search", "--arith", "bf16:bf16", "--by", "instruction", "--json", "--accept"];
    let accept = "awk '$1 == \"second\" { exit !($2 > 0) }' {out}";
    let output = program.output(0, &[&options[..], &[accept]].concat(), &["./unstable", "y.npy", "1"]);
    let answer: Value = serde_json::from_str(&output).unwrap();
    let bytes = fs::read(program.file("unstable")).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let symbol = file.symbols().find(|symbol| symbol.name() == Ok("not:alike")).unwrap();
    let range = symbol.address()..symbol.address() + symbol.size();
    let narrow = answer["narrow"].as_array().unwrap().iter().map(|name| name.as_str().unwrap());
    let all: Vec<&str> = keep(&answer).into_iter().chain(narrow).collect();
    let addresses: Vec<u64> = all
        .iter()
        .filter_map(|name| name.strip_prefix("unstable:not:alike:0x"))
        .map(|address| u64::from_str_radix(address, 16).unwrap())
        .collect();
    assert!(!addresses.is_empty() && addresses.iter().all(|address| range.contains(address)), "{all:?}");
    assert!(all.contains(&"unstable:alike"), "{all:?}");
}

#[test]
fn inlined_library_functions_are_their_callers_lines_and_parameters_may_be_left_out() {
    let Some(program) = Program::compile() else { return };
    if !program.compile_inlined() {
        return;
    }
    let options = ["--search", "--arith", "bf16:bf16", "--by", "line", "--json", "--accept", "within 0.01"];
    let answer: Value = serde_json::from_str(&program.output(0, &options, &["./inlined"])).unwrap();
    let source = include_str!("search/inlined.cpp");
    let line = |comment: &str| source.lines().position(|line| line.ends_with(comment)).unwrap() + 1;
    let lines = ["// squares", "// mean", "// difference"].map(line);
    let name = |line: &usize| format!("inlined:_ZN6shapes4areaEPKfi:inlined.cpp:{line}");
    assert!(!keep(&answer).is_empty());
    for kept in keep(&answer) {
        assert!(lines.iter().any(|line| name(line) == kept), "{kept}");
    }
    // The name without parameters has both overloads, and no longer name.
    let native = program.output(0, &["-q"], &["./inlined"]);
    let narrow = program.output(0, &["-q", "--arith", "bf16:bf16"], &["./inlined"]);
    let kept = program.output(
        0,
        &["-q", "--arith", "inlined:shapes::area=keep", "--arith", "bf16:bf16"],
        &["./inlined"],
    );
    let of = |text: &str, name: &str| text.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert_eq!([of(&kept, "two"), of(&kept, "one")], [of(&native, "two"), of(&native, "one")]);
    assert_eq!(of(&kept, "all"), of(&narrow, "all"));
    assert!(of(&narrow, "one") != of(&native, "one") && of(&narrow, "all") != of(&native, "all"));
}

#[test]
fn runs_list_numbers_arrays_and_functions_by_instability() {
    let Some(program) = Program::compile() else { return };
    let options = ["--rounding", "random", "--runs", "6", "--array", "{dir}/y.npy", "--blame"];
    let command = ["./unstable", "{dir}/y.npy"];
    let json = |more: &[&str]| {
        let output = program.output(0, &[&options[..], &["--json"], more].concat(), &command);
        serde_json::from_str::<Value>(&output).unwrap()
    };
    let found = json(&["--jobs", "3", "--report=digits.html"]);
    assert_eq!((&found["rounding"], &found["deterministic"]), (&"random".into(), &Value::Bool(true)));
    let numbers = found["numbers"].as_array().unwrap();
    let digits: Vec<f64> = numbers.iter().map(|number| number["digits"].as_f64().unwrap_or(99.0)).collect();
    assert!(digits[0] > 6.0 && digits[1] < 1.0 && digits[2] > 5.5, "{digits:?}");
    assert_eq!(numbers[1]["after"], "variance");
    let array = &found["arrays"][0];
    assert_eq!((&array["elements"], &array["worst_index"]), (&64.into(), &17.into()));
    assert!(array["worst_digits"].as_f64().unwrap() < 3.0 && array["median_digits"].as_f64().unwrap() > 6.0);
    let functions = found["functions"].as_array().unwrap();
    let of = |name: &str| functions.iter().find(|function| function["place"] == name).unwrap();
    let worst = |name: &str| of(name)["worst_digits"].as_f64().unwrap_or(99.0);
    assert_eq!(functions[0]["place"], "unstable:variance");
    assert!(worst("unstable:variance") < 1.0 && worst("unstable:length") > 5.5);
    assert!((1.0..3.0).contains(&worst("unstable:residual")), "{}", worst("unstable:residual"));
    assert!(of("unstable:length")["differ"] == 1, "its number alone");
    // All functions together, two exact runs, and each function alone.
    let runs = 6 + 2 + 6 * functions.len();
    assert_eq!(found["program_runs"], runs);
    assert_eq!(json(&[])["functions"], found["functions"], "one run at a time gives the same");
    let page = fs::read_to_string(program.file("digits.html")).unwrap();
    assert!(page.contains("Functions by instability") && page.contains("unstable:variance"));
    let text = program.output(0, &options, &command);
    assert!(text.contains("functions by instability, each rounded alone in 6 runs:\nfunction"), "{text}");
    // A rule that keeps the unstable function.
    let kept = program.output(
        0,
        &[&options[..], &["--json", "--arith", "unstable:variance=keep"]].concat(),
        &command,
    );
    let kept: Value = serde_json::from_str(&kept).unwrap();
    let places = kept["functions"].as_array().unwrap().iter().map(|function| &function["place"]);
    assert_eq!(places.clone().count(), functions.len() - 1);
    assert!(places.clone().all(|place| place != "unstable:variance"));
}
