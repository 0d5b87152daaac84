//! C programs under the agent: each checks its own results, natively and under FMA_1_1, and returns 0 if all is right.
#![cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use binade_launch::{LaunchError, Lines, Outcome};
use binade_patch::trampoline::Level;
use binade_profile::config::{Also, Config, Rounding};
use binade_profile::program::Native;
use binade_profile::record::FunctionName;
use binade_profile::rules::Rule;
use binade_profile::source::Locate;
use binade_profile::summary;
use object::{Object, ObjectSymbol};

/// True if guests can be compiled and run; says so if not, unless everything is required.
fn able() -> bool {
    static ABLE: OnceLock<bool> = OnceLock::new();
    *ABLE.get_or_init(|| {
        let compiler =
            Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
        let able = compiler && Level::detect().is_some();
        if !able {
            assert!(
                std::env::var_os("BINADE_REQUIRE_ALL").is_none(),
                "guests need cc and fused multiply-adds"
            );
            eprintln!("SKIPPED: guests need cc and a machine with fused multiply-adds");
        }
        able
    })
}

/// A guest, compiled. Tests that run beside each other may use the same, so it is put in place whole.
fn compile(name: &str, options: &[&str]) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/guests").join(format!("{name}.c"));
    let program =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", options.concat().replace('/', "_")));
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder beside it");
    let fresh = folder.path().join(name);
    let status = Command::new("cc")
        .args([
            "-O1",
            "-g",
            "-Wall",
            "-Wextra",
            "-Wno-unused-function",
            "-Wno-clobbered",
            "-Werror",
            "-mavx2",
            "-mfma",
            "-ffp-contract=off",
            "-o",
        ])
        .args([&fresh, &source])
        .args(options)
        .args(["-lm", "-ldl", "-lpthread", "-lrt"])
        .status()
        .expect("cc runs");
    assert!(status.success(), "{name} does not compile");
    std::fs::rename(fresh, &program).expect("a place in the same file system");
    program
}

fn run(arith: &str, program: &Path, arguments: &[&str], change: impl FnOnce(&mut Config)) -> Outcome {
    let mut config = Config { arith: arith.to_owned(), ..Config::default() };
    change(&mut config);
    let expectation = if arith == "f32:f32" { "native" } else { "bf16" };
    let command: Vec<OsString> = [program.as_os_str().to_owned(), expectation.into()]
        .into_iter()
        .chain(arguments.iter().map(OsString::from))
        .collect();
    let outcome = binade_launch::run(&command, config).expect("the guest is run");
    eprint!("{}", summary::text(arith, &outcome.processes));
    outcome
}

/// Runs a guest under the identity and under FMA_1_1; each must be content, and have executed patched sites.
fn check(name: &str, arguments: &[&str]) {
    if able() {
        check_program(name, &compile(name, &[]), arguments);
    }
}

fn check_program(name: &str, program: &Path, arguments: &[&str]) {
    for arith in ["f32:f32", "bf16:bf16"] {
        let outcome = run(arith, program, arguments, |_| {});
        assert_eq!(outcome.code, 0, "{name} under {arith}");
        let executed: u64 = objects(&outcome).map(|object| object.executed).sum();
        assert!(executed > 0, "{name} under {arith}: no site was executed");
    }
}

fn objects(outcome: &Outcome) -> impl Iterator<Item = &binade_profile::record::ObjectSummary> {
    outcome.processes.iter().flat_map(|process| &process.objects)
}

fn library() -> String {
    compile("library", &["-shared", "-fPIC"]).display().to_string()
}

#[test]
fn threads_with_timers() {
    check("threads", &[]);
}

#[test]
fn loading_while_others_compute() {
    if able() {
        check("loading", &[&library(), "10000"]);
    }
}

/// Destructors and threads go on in objects that the dynamic linker has ended with.
#[test]
fn what_is_computed_while_the_program_ends() {
    if able() {
        check_program("ending", &compile("ending", &[&library()]), &[]);
    }
}

#[test]
fn forked_spawned_and_executed_children() {
    check("children", &[]);
}

#[test]
fn generated_code() {
    check("generated", &[]);
}

/// Functions of generated code are chosen and counted by the names that the program tells profilers and debuggers.
#[test]
fn generated_functions_have_the_names_that_the_program_tells() {
    if !able() {
        return;
    }
    let program = compile("named", &[]);
    let generated = |outcome: &Outcome| {
        objects(outcome).find(|object| object.path.ends_with("[generated]")).cloned().expect("generated code")
    };
    for arith in ["f32:f32", "bf16:bf16"] {
        for way in ["gdb", "perf", "jitdump"] {
            let all = run(arith, &program, &[way], |config| config.why = true);
            assert_eq!(all.code, 0, "{way} under {arith}");
            let functions = generated(&all).functions;
            let of = |symbol: &str| functions[&FunctionName::Symbol(symbol.to_owned())];
            assert_eq!((of("chosen"), of("other")), ((1, 0), (1, 0)), "{way}");
            let chosen = run(arith, &program, &[way, "chosen"], |config| {
                config.functions = Some("^chosen$".to_owned());
            });
            assert_eq!(chosen.code, 0, "{way} under {arith}, by name");
            let object = generated(&chosen);
            assert_eq!((object.found, object.executed, object.skipped["--functions"]), (2, 1, 1), "{way}");
        }
        let unnamed = run(arith, &program, &["nothing", "chosen"], |config| {
            config.functions = Some("^chosen$".to_owned());
        });
        assert_eq!(unnamed.code, 0);
        assert_eq!(generated(&unnamed).skipped["--functions"], 2);
    }
}

#[test]
fn generated_code_beside_other_memory() {
    check("pages", &[]);
}

#[test]
fn handlers_of_faults() {
    check("faults", &[]);
}

#[test]
fn stack_pointers_into_buffers() {
    check("stackless", &[]);
}

#[test]
fn what_handlers_see() {
    check("contexts", &[]);
}

#[test]
fn crowded_address_space() {
    if able() {
        check("crowded", &[&library()]);
    }
}

#[test]
fn masked_loads_beyond_a_page() {
    check("masked", &[]);
}

#[test]
fn constants_at_addresses_without_memory() {
    check("addresses", &[]);
}

#[test]
fn exceptions_and_islands() {
    check("environment", &[]);
}

/// Numbers that become others of another type by arithmetic are the same under an operator, whatever the compiler makes of it,
/// in all kinds of code; what is computed with them is the operator's.
#[test]
fn conversions_by_arithmetic_are_unchanged() {
    if !able() {
        return;
    }
    let wide: &[&str] = &["-O3", "-march=skylake-avx512", "-mprefer-vector-width=512"];
    let options: [&[&str]; 8] = [
        &["-O1"],
        &["-O2"],
        &["-Os"],
        &["-O3"],
        &["-O3", "-march=haswell"],
        &["-O2", "-ftree-vectorize", "-funroll-loops"],
        &["-O3", "-mno-avx2", "-mno-fma", "-mno-avx"],
        wide,
    ];
    for options in options {
        if options == wide && !Level::detect().is_some_and(Level::wide) {
            continue;
        }
        let options: Vec<&str> = options.iter().copied().chain(["-ffp-contract=fast"]).collect();
        let program = compile("conversions", &options);
        for arith in ["f32:f32", "bf16:bf16"] {
            assert_eq!(run(arith, &program, &[], |_| {}).code, 0, "{options:?} under {arith}");
            let all = run(arith, &program, &["separate"], |config| {
                config.also = Also { multiply: true, add: true, ..Also::default() };
            });
            assert_eq!(all.code, 0, "{options:?} under {arith}, separate products and sums too");
        }
    }
}

/// Exceptions that a program does not mask trap in loops that are translated whole, as they do one by one.
#[test]
fn unmasked_exceptions_trap_in_loops() {
    check("traps", &[]);
}

/// A program that forbids system calls ends as without the agent, and says what it leaves native.
#[test]
fn filters_of_system_calls_end_no_program() {
    if !able() {
        return;
    }
    let library = library();
    let program = compile("filtered", &[]);
    for arith in ["f32:f32", "bf16:bf16"] {
        for way in ["strict", "kill", "errno", "syscall", "threads", "fork", "exit"] {
            let outcome = run(arith, &program, &[way], |_| {});
            assert_eq!(outcome.code, 0, "{way} under {arith}");
            let notes: Vec<&String> = outcome.processes.iter().flat_map(|process| &process.notes).collect();
            assert!(notes.iter().any(|note| note.contains("seccomp")), "{way} under {arith}: {notes:?}");
        }
        // What is allowed changes nothing, and what is loaded then is the operator's.
        let outcome = run(arith, &program, &["open", &library], |_| {});
        assert_eq!(outcome.code, 0, "open under {arith}");
        assert!(outcome.processes.iter().all(|process| process.notes.is_empty()));
    }
}

/// Loops of one to three multiply-adds are translated whole, packed and scalar, with and without what tells where functions are.
#[test]
fn small_loops_of_unknown_functions_are_translated() {
    if !able() {
        return;
    }
    let known = compile("loops", &["-O3"]);
    let unknown = compile("loops", &["-O3", "-fno-asynchronous-unwind-tables", "-s"]);
    for program in [known, unknown] {
        for arith in ["f32:f32", "bf16:bf16"] {
            for check in [false, true] {
                let outcome = run(arith, &program, &[], |config| (config.check, config.why) = (check, true));
                assert_eq!(outcome.code, 0, "{} under {arith}", program.display());
                let object = objects(&outcome).find(|object| object.whole > 0).expect("translated loops");
                // Of each function one loop at least, which has as many multiply-adds as the name says.
                assert!(object.whole > 1 + 2 + 3, "{object:?}");
                assert_eq!((object.single, &object.refused), (0, &BTreeMap::new()));
                let (text, right) = summary::check(&outcome.processes, &Lines::new());
                assert!(right && (!check || text.contains(" all as by single instructions")), "{text}");
            }
        }
    }
}

/// Loops that are translated whole under another rounding have the bits of single multiply-adds, random choices included.
#[test]
fn loops_of_other_roundings_are_as_single_instructions() {
    if !able() || !Level::detect().is_some_and(Level::wide) {
        eprintln!("SKIPPED: down and random are translated with AVX-512");
        return;
    }
    let program = compile("loops", &["-O3"]);
    for rounding in [Rounding::Up, Rounding::Down, Rounding::Random] {
        // The guest's own exit code is that of rounding to nearest.
        let outcome = run("f32:f32", &program, &[], |config| {
            (config.rounding, config.seed, config.check) = (Some(rounding), 7, true);
        });
        let (text, right) = summary::check(&outcome.processes, &Lines::new());
        assert!(right && text.contains(" all as by single instructions"), "{rounding:?}: {text}");
        assert!(objects(&outcome).any(|object| object.whole > 0), "{rounding:?}");
    }
}

/// A loop whose multiply-adds run one by one has a line with the reason.
#[test]
fn loops_that_run_one_by_one_have_a_reason() {
    if !able() {
        return;
    }
    let program = compile("loops", &["-O3"]);
    let outcome = run("float8_e4m3fn:f32", &program, &[], |config| config.why = true);
    let object = objects(&outcome).find(|object| object.executed > 0).expect("the guest");
    assert!(object.whole == 0 && object.single > 0 && !object.refused.is_empty(), "{object:?}");
}

/// A translated loop that the program's MXCSR keeps from running is counted as one by one, and has a line with the reason.
#[test]
fn loops_under_another_mxcsr_have_a_reason() {
    if !able() {
        return;
    }
    let program = compile("flushed", &["-O3"]);
    for arith in ["f32:f32", "bf16:bf16"] {
        for flush in [false, true] {
            let arguments: &[&str] = if flush { &["flush"] } else { &[] };
            let outcome = run(arith, &program, arguments, |config| config.why = true);
            assert_eq!(outcome.code, 0, "{arith}, flush: {flush}");
            let object = objects(&outcome).find(|object| object.executed > 0).expect("the guest");
            let reason = object.refused.keys().any(|why| why.contains("MXCSR"));
            // The identity's copy is the program's own code, which any MXCSR suits.
            let falls_back = flush && arith != "f32:f32";
            assert_eq!((object.single > 0, reason), (falls_back, falls_back), "{arith}: {object:?}");
        }
    }
}

/// The C library's own multiply-add is the operator's, and other functions of that library are not.
#[test]
fn the_multiply_add_of_the_c_library_is_emulated() {
    if !able() {
        return;
    }
    let program = compile("itself", &["-mno-fma", "-fno-builtin"]);
    for arith in ["f32:f32", "bf16:bf16"] {
        assert_eq!(run(arith, &program, &["single"], |_| {}).code, 0, "{arith}");
        let double = run(arith, &program, &["double"], |config| config.also.double = true);
        assert_eq!(double.code, 0, "{arith}, binary64");
        let skipped = run(arith, &program, &["native"], |config| config.skip = vec!["libm.so*".into()]);
        assert_eq!(skipped.code, 0, "{arith}, --skip");
    }
}

/// Code of 128 bits leaves upper halves of vectors clean where they were.
#[test]
fn upper_halves_stay_clean_for_code_without_avx() {
    if !able() || !binade_patch::trampoline::knows_clean_uppers() {
        return;
    }
    let program = compile("uppers", &["-mno-avx2", "-mno-avx", "-mno-fma"]);
    for arith in ["bf16:bf16", "bf16x2:bf16x2/3", "float8_e4m3fn:f32"] {
        for also in [false, true] {
            let outcome = run(arith, &program, &[], |config| {
                config.also = Also { multiply: also, add: also, ..Also::default() };
            });
            assert_eq!(outcome.code, 0, "{arith}, {also}");
            assert!(objects(&outcome).any(|object| object.executed > 0));
        }
    }
}

#[test]
fn separate_products_and_sums() {
    if !able() {
        return;
    }
    let program = compile("separate", &[]);
    for arith in ["f32:f32", "bf16:bf16"] {
        let outcome = run(arith, &program, &[], |config| {
            config.also = Also { multiply: true, add: true, ..Also::default() };
        });
        assert_eq!(outcome.code, 0, "under {arith}");
        let object = objects(&outcome).find(|object| object.path.ends_with(&file_name(&program))).unwrap();
        // Two that a branch leads behind.
        assert_eq!(object.skipped["no room for a jump"], 2);
        assert!(object.executed >= 9, "{}", object.executed);
        assert_eq!(object.found, object.patched + object.skipped.values().sum::<u64>());
    }
}

/// Loops of a function are translated each under its operator, but for the one that has two.
#[test]
fn loops_of_a_function_with_several_operators_are_translated() {
    if !able() {
        return;
    }
    let program = compile("operators", &[]);
    let source = include_str!("guests/operators.c");
    let native = (1..).zip(source.lines()).filter(|(_, line)| line.ends_with("/* native */"));
    let rules: Vec<Rule> = native
        .map(|(line, _)| Rule { place: format!("*:three:operators.c:{line}"), operator: "f32:f32".into() })
        .collect();
    assert_eq!(rules.len(), 2);
    for check in [false, true] {
        let outcome = run("bf16:bf16", &program, &[], |config| {
            config.rules = rules.clone();
            (config.check, config.why) = (check, true);
        });
        assert_eq!(outcome.code, 0);
        let object = objects(&outcome).find(|object| object.executed > 0).expect("the guest");
        assert_eq!((object.whole, object.single), (2, 2), "{object:?}");
        let reason = "rules give the loop's multiply-adds several operators".to_owned();
        assert_eq!(object.refused, BTreeMap::from([(reason, 1)]));
        assert!(object.differences.is_empty() && (object.compared > 0) == check, "{object:?}");
    }
}

/// Alternating sums, sums of neighbouring lanes and dot products within a register have the bits of scalar products and sums.
#[test]
fn sums_within_a_register_are_those_of_scalars() {
    if !able() {
        return;
    }
    let program = compile("within", &[]);
    let also = Also { multiply: true, add: true, ..Also::default() };
    let run = |isa: &str, arith: &str, also: Also| {
        let expectation = if arith == "f32:f32" { "native" } else { "bf16" };
        let command: [OsString; 4] =
            ["env".into(), format!("BINADE_ISA={isa}").into(), program.clone().into(), expectation.into()];
        let config = Config { arith: arith.to_owned(), also, ..Config::default() };
        binade_launch::run(&command, config).expect("the guest is run")
    };
    let own = |outcome: &Outcome| {
        objects(outcome).find(|object| object.path.ends_with(&file_name(&program))).unwrap().clone()
    };
    for isa in ["", "avx2"] {
        for (arith, double) in
            [("f32:f32", true), ("bf16:bf16", false), ("bf16:bf16", true), ("bf16:bf16x3", true)]
        {
            let outcome = run(isa, arith, Also { double, ..also });
            assert_eq!(outcome.code, 0, "{isa}: {arith}, {double}");
            let own = own(&outcome);
            // Nine forms of sums and three of dot products for each of six selections, of binary32, and three scalars.
            let single = 3 * 3 + 6 * 3 + 3;
            let pairs = if double { 3 * 3 + 6 * 2 + 3 } else { 0 };
            assert_eq!((own.found, own.executed), (single + pairs, single + pairs), "{isa}: {arith}");
            assert_eq!((own.across, own.separate_double), (0, if double { 0 } else { 24 }), "{arith}");
        }
    }
    let left = own(&run("", "f32:f32", Also::default()));
    assert_eq!((left.found, left.across, left.separate_double), (0, 30, 0));
    let sums = own(&run("", "f32:f32", Also { add: true, ..Also::default() }));
    assert_eq!((sums.found, sums.across), (3 * 3 + 2, 30));
}

/// Loops that are right are found to be, in several threads; wrong ones are shown with function, instruction and operands,
/// and the program goes on with what is right. So without AVX-512.
#[test]
fn loops_are_checked() {
    if !able() {
        return;
    }
    let program = compile("checked", &[]);
    let run = |isa: &str, arith: &str, change: &dyn Fn(&mut Config)| {
        let mut config = Config { arith: arith.to_owned(), ..Config::default() };
        change(&mut config);
        let expectation = if arith == "f32:f32" { "native" } else { "bf16" };
        let command: [OsString; 4] =
            ["env".into(), format!("BINADE_ISA={isa}").into(), program.clone().into(), expectation.into()];
        binade_launch::run(&command, config).expect("the guest is run")
    };
    // The best there is, and another.
    for isa in ["", "avx2"] {
        for arith in ["f32:f32", "bf16:bf16", "bf16:bf16x3"] {
            let outcome = run(isa, arith, &|config| config.check = true);
            // The guest knows what FMA_1_1 gives.
            assert!(outcome.code == 0 || arith == "bf16:bf16x3", "{isa} under {arith}");
            let (text, right) = summary::check(&outcome.processes, &Lines::new());
            assert!(right && text.contains(" all as by single instructions"), "{isa}: {text}");
            let compared: u64 = objects(&outcome).map(|object| object.compared).sum();
            assert!(compared >= if outcome.code == 0 { 150 } else { 1 }, "{isa}, {arith}: {compared}");
        }
    }
    for isa in ["", "avx2"] {
        let wrong = run(isa, "bf16:bf16", &|config| (config.check, config.sabotage) = (true, true));
        assert_eq!(wrong.code, 0, "it goes on with what is right");
        let (text, right) = summary::check(&wrong.processes, &Lines::new());
        assert!(!right, "{isa}: {text}");
        assert!(
            text.contains(", compute+0x")
                && text.contains(" (checked.c:")
                && text.contains("last made by `vfmadd231ps ymm"),
            "{isa}: {text}"
        );
        // Without a check the same mistake is the program's.
        let wrong = run(isa, "bf16:bf16", &|config| config.sabotage = true);
        assert_eq!(wrong.code, 1);
    }
}

/// TDPBF16PS is native and counted, or with `dot` the operator's sums in its order.
#[test]
fn products_of_tiles() {
    if !able() {
        return;
    }
    let program = compile("tiles", &[]);
    let native = Command::new(&program).arg("native").status().expect("the guest runs").code();
    if native == Some(77) {
        eprintln!("SKIPPED: this machine has no tiles of BF16");
        return;
    }
    assert_eq!(native, Some(0), "Intel's description");
    let own = |outcome: &Outcome| {
        objects(outcome).find(|o| o.path.ends_with(&file_name(&program))).cloned().unwrap()
    };
    let left = run("f32:f32", &program, &[], |_| {});
    assert_eq!((left.code, own(&left).found, own(&left).tiles), (0, 1, 1));
    for arith in ["f32:f32", "bf16:bf16"] {
        let outcome = run(arith, &program, &[], |config| config.also.dot = true);
        let object = own(&outcome);
        assert_eq!(outcome.code, 0, "{arith}");
        assert_eq!((object.found, object.executed, object.tiles), (2, 2, 0), "{arith}");
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().expect("a file").to_string_lossy().into_owned()
}

#[test]
fn exit_codes_and_signals() {
    if !able() {
        return;
    }
    let shell = Path::new("/bin/sh");
    let run = |script: &str| {
        let command = [shell.into(), "-c".into(), script.into()];
        binade_launch::run(&command, Config { arith: "f32:f32".into(), ..Config::default() })
            .expect("a shell")
            .code
    };
    assert_eq!(run("exit 7"), 7);
    assert_eq!(run("kill -TERM $$"), 128 + libc::SIGTERM);
}

/// A compiler runs natively if a program starts it, and not if it is the program.
#[test]
fn compilers_as_children_are_left_alone() {
    if !able() {
        return;
    }
    let run = |command: &[&str]| {
        let command: Vec<OsString> = command.iter().map(OsString::from).collect();
        let outcome = binade_launch::run(&command, Config { arith: "f32:f32".into(), ..Config::default() })
            .expect("it runs");
        assert_eq!(outcome.code, 0);
        outcome
    };
    let compilers = |outcome: &Outcome| {
        let compiler = |path: &str| binade_profile::program::is_compiler(path.as_bytes());
        outcome.processes.iter().filter(|process| compiler(&process.process.executable)).count()
    };
    let child = run(&["sh", "-c", "cc --version >/dev/null; env cc --version >/dev/null"]);
    assert_eq!(compilers(&child), 0);
    assert!(
        child.processes.iter().any(|process| process.notes.iter().any(|note| note.contains("compilers")))
    );
    let named = run(&["cc", "--version"]);
    assert_eq!(compilers(&named), 1);
}

/// Libraries with much thread-local storage of fixed place, as allocators have.
#[test]
fn preloaded_libraries_find_room_for_their_threads_storage() {
    if !able() {
        return;
    }
    let source = "__thread char block[3000] __attribute__((tls_model(\"initial-exec\")));
                  char *get(void) { return block; }";
    let folder = tempfile::tempdir().unwrap();
    let (file, library) = (folder.path().join("block.c"), folder.path().join("libblock.so"));
    std::fs::write(&file, source).unwrap();
    let built = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &file]).status().unwrap();
    assert!(built.success(), "a library is made");
    let script = format!("LD_PRELOAD={} sh -c 'kill -0 $$ && exit 3'", library.display());
    let command = ["sh", "-c", &script].map(OsString::from);
    let outcome = binade_launch::run(&command, Config { arith: "f32:f32".into(), ..Config::default() })
        .expect("a shell");
    assert_eq!(outcome.code, 3);
}

/// The analysis of an object is kept for the next start, and made again where it is damaged.
#[test]
fn analyses_are_kept() {
    if !able() {
        return;
    }
    let program = compile("kept", &[]);
    let folder = tempfile::tempdir().unwrap();
    let run = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "helper_of_analyses", "--ignored"]);
        command.env("XDG_CACHE_HOME", folder.path()).env("KEPT", &program);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    };
    let files = || {
        let mut files: Vec<(PathBuf, Vec<u8>, std::time::SystemTime)> = Vec::new();
        for folder in std::fs::read_dir(folder.path().join("binade")).unwrap().flatten() {
            if folder.file_name().to_string_lossy().starts_with("objects-") {
                for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
                    let modified = file.metadata().unwrap().modified().unwrap();
                    files.push((file.path(), std::fs::read(file.path()).unwrap(), modified));
                }
            }
        }
        files.sort();
        files
    };
    run();
    let first = files();
    assert!(!first.is_empty(), "the guest and the C library are large enough");
    run();
    // Nothing was found anew.
    assert_eq!(files(), first);
    for (path, bytes, _) in &first {
        let mut damaged = bytes.clone();
        *damaged.last_mut().unwrap() ^= 1;
        std::fs::write(path, damaged).unwrap();
    }
    run();
    let contents = |files: &[(PathBuf, Vec<u8>, std::time::SystemTime)]| -> Vec<(PathBuf, Vec<u8>)> {
        files.iter().map(|(path, bytes, _)| (path.clone(), bytes.clone())).collect()
    };
    assert_eq!(contents(&files()), contents(&first));
}

/// One run with the cache that the environment names; in a process of its own, because of that.
#[test]
#[ignore = "part of analyses_are_kept"]
fn helper_of_analyses() {
    let Some(program) = std::env::var_os("KEPT") else { return };
    let outcome = run("bf16:bf16", Path::new(&program), &[], |_| {});
    assert_eq!(outcome.code, 0);
    let executed: u64 = objects(&outcome).map(|object| object.executed).sum();
    assert!(executed > 0, "no site was executed");
}

#[test]
fn filters_leave_alone() {
    if !able() {
        return;
    }
    let program = compile("environment", &["-DFILTERED"]);
    let skipped = run("f32:f32", &program, &[], |config| config.skip = vec!["environment*".into()]);
    let object =
        objects(&skipped).find(|object| object.path.contains("environment")).expect("the guest itself");
    assert_eq!((object.patched, object.skipped["--skip"], object.skipped["may be data"]), (0, 2, 2));
    let chosen = run("f32:f32", &program, &[], |config| config.functions = Some("^nothing".into()));
    let object =
        objects(&chosen).find(|object| object.path.contains("environment")).expect("the guest itself");
    assert_eq!((object.patched, object.skipped["--functions"]), (0, 2));
}

#[test]
fn a_profile_counts_every_execution() {
    if !able() {
        return;
    }
    let program = compile("environment", &["-DPROFILED"]);
    for (arith, executions) in [("f32:f32", 1000), ("bf16:bf16", 2000)] {
        let outcome = run(arith, &program, &[], |config| config.profile = true);
        assert_eq!(outcome.code, 0);
        let profile = summary::profile(arith, vec![], &outcome.processes, &Lines::new());
        assert_eq!(profile.total.executed, executions, "{arith}");
        assert_eq!(profile.total.nan_born + profile.total.overflowed + profile.total.not_finite, 0);
        let counted: u64 = profile.total.difference.values().sum();
        assert_eq!(counted + profile.total.product_zero + profile.total.addend_zero, executions);
        // Values are multiples of 1/256 below 8.
        assert!(profile.total.factors.keys().all(|exponent| (-8..3).contains(exponent)));
        assert!(profile.functions.iter().any(|function| function.symbol.as_deref() == Some("main")
            || function.symbol.as_deref() == Some("wrong")));
    }
}

/// A stripped program's functions are listed by object and address.
#[test]
fn profile_of_stripped_program_lists_functions_by_address() {
    if !able() {
        return;
    }
    let program = compile("environment", &["-DPROFILED", "-s"]);
    let outcome = run("bf16:bf16", &program, &[], |config| (config.profile, config.why) = (true, true));
    assert_eq!(outcome.code, 0);
    let profile = summary::profile("bf16:bf16", vec![], &outcome.processes, &Lines::new());
    assert_eq!(profile.total.executed, 2000);
    let prefix = format!("{}+0x", file_name(&program));
    let own: Vec<_> =
        profile.functions.iter().filter(|function| function.object.ends_with(&file_name(&program))).collect();
    assert!(!own.is_empty());
    for function in own {
        assert!(function.symbol.is_none() && function.name.starts_with(&prefix), "{}", function.name);
        let offset = u64::from_str_radix(&function.name[prefix.len()..], 16).unwrap();
        assert!((0x1000..0x10000).contains(&offset), "as the file counts addresses: {offset:#x}");
    }
    assert!(summary::why(&outcome.processes, &Lines::new()).contains(&prefix));
}

/// So are those of generated code, by their mapping.
#[test]
fn profile_of_unnamed_generated_code_lists_functions_by_mapping() {
    if !able() {
        return;
    }
    let program = compile("named", &[]);
    let outcome = run("bf16:bf16", &program, &["nothing"], |config| config.profile = true);
    assert_eq!(outcome.code, 0);
    let profile = summary::profile("bf16:bf16", vec![], &outcome.processes, &Lines::new());
    let generated = profile.functions.iter().find(|function| function.object.ends_with("[generated]"));
    let name = &generated.expect("generated code is counted").name;
    assert!(name.contains(" [generated] 0x") && name.contains("+0x"), "{name}");
}

#[test]
fn multiply_adds_of_other_types_are_counted_by_type() {
    if !able() {
        return;
    }
    let program = compile("types", &[]);
    let types = |double, dot| {
        let outcome = run("bf16:bf16", &program, &[], |config| {
            config.also = Also { double, dot, ..Also::default() };
        });
        assert_eq!(outcome.code, 0);
        let object = objects(&outcome).find(|object| object.path.ends_with(&file_name(&program))).unwrap();
        (object.double, object.half, object.dot)
    };
    assert_eq!(types(false, false), (1, 2, 1));
    assert_eq!(types(true, true), (0, 2, 0));
    let outcome = run("bf16:bf16", &program, &[], |_| {});
    let text = summary::text("bf16:bf16", &outcome.processes);
    for named in ["multiply-add of binary64 is native", "of binary16 (AVX512-FP16) are native", "VDPBF16PS"] {
        assert!(text.contains(named), "{text}");
    }
}

#[test]
fn program_without_multiply_adds_is_named() {
    if !able() {
        return;
    }
    let program = compile("empty", &[]);
    let outcome = run("bf16:bf16", &program, &[], |_| {});
    let text = summary::text("bf16:bf16", &outcome.processes);
    assert!(text.contains(&format!("no multiply-add found in {}", file_name(&program))), "{text}");
}

/// The errors and warnings of a run, and whether there is an error among them.
fn problems(outcome: &Outcome) -> (String, bool) {
    summary::problems(&Config::default(), outcome.root, &outcome.processes)
}

/// The multiply-adds that the operator computed in processes of a program.
fn executed_in(outcome: &Outcome, program: &Path) -> u64 {
    let name = file_name(program);
    let processes = outcome.processes.iter().filter(|summary| summary.process.executable.ends_with(&name));
    processes.flat_map(|summary| &summary.objects).map(|object| object.executed).sum()
}

/// Programs that others execute by a descriptor, without an environment, are changed and in the summary.
#[test]
fn program_executed_by_descriptor_is_in_the_summary() {
    if !able() {
        return;
    }
    let (wrapper, guest) = (compile("wrapper", &[]), compile("environment", &[]));
    for mode in ["fexecve", "execveat"] {
        let path = guest.display().to_string();
        let outcome = run("bf16:bf16", &wrapper, &[mode, &path, "bf16"], |_| {});
        // The wrapper's arguments become the guest's, of which the first is its name.
        assert_eq!(outcome.code, 0, "{mode}");
        assert!(executed_in(&outcome, &guest) > 0, "{mode}");
        assert_eq!(problems(&outcome), (String::new(), false), "{mode}");
    }
}

/// A copy of a program that every user can execute.
fn for_all(program: &Path) -> (tempfile::TempDir, PathBuf) {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let copy = folder.path().join("guest");
    std::fs::copy(program, &copy).unwrap();
    (folder, copy)
}

/// A wrapper that becomes another user leaves a program that is changed and in the summary; one that becomes so in effect only
/// leaves one into which nothing can be loaded, which the summary says.
#[test]
fn program_of_another_user_is_in_the_summary() {
    // SAFETY: geteuid(2) takes no arguments and touches no memory.
    if !able() || unsafe { libc::geteuid() } != 0 {
        eprintln!("SKIPPED: only root can become another user");
        return;
    }
    let (wrapper, guest) = (compile("wrapper", &[]), compile("environment", &[]));
    let (_folder, copy) = for_all(&guest);
    let path = copy.display().to_string();
    let outcome = run("bf16:bf16", &wrapper, &["user", &path, "bf16"], |_| {});
    assert_eq!(outcome.code, 0);
    assert!(executed_in(&outcome, &copy) > 0);
    assert_eq!(problems(&outcome), (String::new(), false));
    let native = run("bf16:bf16", &wrapper, &["euid", &path, "native"], |_| {});
    assert_eq!(native.code, 0);
    let notes: Vec<&String> = native.processes.iter().flat_map(|summary| &summary.notes).collect();
    assert!(
        notes.iter().any(|note| note.contains("guest runs natively, and so does what it starts")),
        "{notes:?}"
    );
}

/// The file of a program may go while it is being started.
#[test]
fn program_without_its_file_is_changed() {
    if !able() {
        return;
    }
    let guest = compile("environment", &[]);
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let copy = folder.path().join("guest");
    std::fs::copy(&guest, &copy).unwrap();
    // The shell removes what it has open, and executes that.
    let script = format!("exec 3<{0}; rm {0}; exec /proc/self/fd/3 bf16", copy.display());
    let command = ["sh", "-c", &script].map(OsString::from);
    let outcome = binade_launch::run(&command, Config { arith: "bf16:bf16".into(), ..Config::default() });
    let outcome = outcome.expect("a shell");
    assert_eq!(outcome.code, 0);
    assert!(executed_in(&outcome, &copy) > 0);
    assert_eq!(problems(&outcome), (String::new(), false));
}

/// A limit of memory ends in the operator's results or in an error, never in native results without a word.
#[test]
fn limited_memory_is_an_error_where_results_are_native() {
    if !able() {
        return;
    }
    let (wrapper, guest) = (compile("wrapper", &[]), compile("environment", &[]));
    let path = guest.display().to_string();
    let (mut failed, mut served) = (0, 0);
    for mebibytes in (4..=100).step_by(4).chain([150, 300, 1000]) {
        let limit = mebibytes.to_string();
        let outcome = run("bf16:bf16", &wrapper, &[&limit, &path, "bf16"], |_| {});
        let (text, is_error) = problems(&outcome);
        match outcome.code {
            0 => {
                assert!(!is_error, "{limit} MiB: {text}");
                served += 1;
            }
            1 => {
                assert!(is_error, "{limit} MiB: native results without an error");
                failed += 1;
            }
            // It could not start, or has been ended.
            _ => {}
        }
    }
    assert!(failed > 0 && served > 0, "{failed} {served}");
}

#[test]
fn what_cannot_be_run_is_refused() {
    if !able() {
        return;
    }
    let refused = |program: &Path| {
        binade_launch::run(&[program.into()], Config { arith: "f32:f32".into(), ..Config::default() })
            .unwrap_err()
    };
    assert!(matches!(refused(Path::new("/no/such/program")), LaunchError::NotFound(_)));
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("empty.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let program = folder.path().join("empty");
    let built = Command::new("cc").args(["-static", "-o"]).args([&program, &source]).status().unwrap();
    assert!(built.success(), "a static program links");
    assert!(matches!(refused(&program), LaunchError::Native { why: Native::Static, .. }));
    let script = folder.path().join("script");
    std::fs::write(&script, format!("#!{}\n", program.display())).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&script, executable).unwrap();
    assert!(matches!(refused(&script), LaunchError::Native { why: Native::Static, .. }));
}

/// The line of tests/guests/lines.c with a comment.
fn marked(comment: &str) -> u32 {
    let source = include_str!("guests/lines.c");
    let line = source.lines().position(|line| line.contains(&format!("/* {comment} */")));
    line.expect("a marked line") as u32 + 1
}

/// A profile and `--why` name the source line of each multiply-add, and the calls that inlined it.
#[test]
fn profile_with_debug_information_names_source_lines() {
    if !able() {
        return;
    }
    let program = compile("lines", &[]);
    let outcome = run("f32:f32", &program, &[], |config| (config.profile, config.why) = (true, true));
    assert_eq!(outcome.code, 0);
    let lines = Lines::new();
    let profile = summary::profile("f32:f32", vec![], &outcome.processes, &lines);
    let function = profile.functions.iter().find(|function| function.name == "polynomial").expect("it ran");
    let mut found: Vec<_> = function
        .lines
        .iter()
        .map(|line| {
            let frames = line.frames.iter().map(|frame| (frame.function.as_deref().unwrap(), frame.line));
            assert!(line.frames.iter().all(|frame| frame.file.ends_with("guests/lines.c")));
            (frames.collect::<Vec<_>>(), line.counts.executed)
        })
        .collect();
    found.sort();
    let own = vec![("polynomial", marked("own"))];
    let inlined = vec![("step", marked("inlined")), ("polynomial", marked("call"))];
    assert_eq!(found, [(own, 1000), (inlined, 1000)]);
    let text = summary::why(&outcome.processes, &lines);
    let line =
        format!("lines.c:{} in step, inlined at lines.c:{}: 1 under", marked("inlined"), marked("call"));
    assert!(text.contains(&line), "{text}");
}

/// The addresses of a line are those of its instructions, as the compiler's own tool says, and lead back to the line.
#[test]
fn addresses_of_a_line_agree_with_binutils() {
    if !able() {
        return;
    }
    let program = compile("lines", &[]);
    let path = program.display().to_string();
    let lines = Lines::new();
    let outcome = run("f32:f32", &program, &[], |config| config.why = true);
    let object = objects(&outcome).find(|object| object.path.ends_with(&file_name(&program))).unwrap();
    let sites: Vec<u64> = object.sites.keys().map(|(_, address)| *address).collect();
    assert_eq!(sites.len(), 2);
    let with_sites = |function: &str, comment: &str| {
        let found = lines.addresses(&path, function, "guests/lines.c", marked(comment));
        assert!(!found.is_empty(), "{function} {comment}");
        sites.iter().filter(|site| found.iter().any(|range| range.contains(site))).count()
    };
    assert_eq!(with_sites("polynomial", "own"), 1);
    assert_eq!(with_sites("polynomial", "inlined"), 1);
    assert_eq!(with_sites("", "call"), 1);
    assert!(lines.addresses(&path, "main", "lines.c", marked("own")).is_empty());
    assert!(lines.addresses(&path, "polynomial", "nes.c", marked("own")).is_empty());
    assert!(lines.addresses("/nowhere", "", "lines.c", 1).is_empty());
    for site in sites {
        let output = Command::new("addr2line").args(["-i", "-e", &path, &format!("{site:#x}")]).output();
        let Ok(output) = output else { return };
        let expected: Vec<String> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| line.split(" (discriminator").next().unwrap().to_owned())
            .collect();
        let own: Vec<String> =
            lines.frames(&path, site).iter().map(|frame| format!("{}:{}", frame.file, frame.line)).collect();
        assert_eq!(own, expected, "{site:#x}");
    }
}

/// A stripped object has the lines of its separate debug file, whose sections may be compressed.
#[test]
fn lines_of_a_stripped_program_are_in_its_debug_file() {
    if !able() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = compile("lines", &["-Wl,--build-id"]);
    let (debug, stripped) = (folder.path().join("lines.debug"), folder.path().join("lines"));
    let objcopy = |arguments: &[&std::ffi::OsStr]| {
        assert!(Command::new("objcopy").args(arguments).status().unwrap().success());
    };
    if Command::new("objcopy").arg("--version").output().is_err() {
        return;
    }
    objcopy(&[
        "--only-keep-debug".as_ref(),
        "--compress-debug-sections".as_ref(),
        program.as_ref(),
        debug.as_ref(),
    ]);
    objcopy(&["--strip-all".as_ref(), program.as_ref(), stripped.as_ref()]);
    let address = {
        let found = Lines::new().addresses(&program.display().to_string(), "", "lines.c", marked("own"));
        found[0].start
    };
    let path = stripped.display().to_string();
    assert!(Lines::new().frames(&path, address).is_empty());
    let link = format!("--add-gnu-debuglink={}", debug.display());
    objcopy(&[link.as_ref(), stripped.as_ref()]);
    let frames = Lines::new().frames(&path, address);
    assert_eq!((frames[0].line, frames.len()), (marked("own"), 1));
    // One of another build is not taken.
    std::fs::write(&debug, "no debug information").unwrap();
    assert!(Lines::new().frames(&path, address).is_empty());
}

/// The file that tests/guests/rounding.c writes: results rounded up and down, the sum of their errors, and the sums of the threads.
fn rounded(program: &Path, rounding: Rounding, seed: u64) -> ((u32, u32, f64), Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out").display().to_string();
    let outcome = run("f32:f32", program, &[&file], |config| {
        (config.rounding, config.seed) = (Some(rounding), seed);
    });
    assert_eq!(outcome.code, 0, "{rounding:?}");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut lines = text.lines();
    let counts: Vec<f64> = lines.next().unwrap().split(' ').map(|word| word.parse().unwrap()).collect();
    ((counts[0] as u32, counts[1] as u32, counts[2]), lines.map(str::to_owned).collect())
}

/// Roundings up and down take one side; random ones either without bias, by the seed alone: all threads, which compute the same, and
/// all runs get the same bits.
#[test]
fn roundings_are_unbiased_and_repeat_under_threads() {
    if !able() {
        return;
    }
    let program = compile("rounding", &[]);
    let ((up, down, _), above) = rounded(&program, Rounding::Up, 0);
    assert!(up > 5000 && down == 0, "{up} {down}");
    let inexact = up;
    let ((up, down, _), below) = rounded(&program, Rounding::Down, 0);
    assert_eq!((up, down), (0, inexact));
    assert_ne!(above, below);
    for rounding in [Rounding::Random, Rounding::Stochastic] {
        let ((up, down, error), sums) = rounded(&program, rounding, 1);
        assert_eq!(up + down, inexact);
        let deviation = f64::from(inexact).sqrt();
        if rounding == Rounding::Random {
            // Half as many, with a standard error of √n / 2.
            assert!((f64::from(up) - f64::from(inexact) / 2.0).abs() < 2.5 * deviation, "{up} {down}");
        } else {
            // Errors in units of the last place have a mean of 0, and a standard deviation of at most 1/2.
            assert!(error.abs() < 2.5 * deviation, "{error}");
        }
        assert!(sums.iter().all(|sum| *sum == sums[0]), "{sums:?}");
        assert_eq!(rounded(&program, rounding, 1).1, sums, "the same seed");
        assert_ne!(rounded(&program, rounding, 2).1, sums, "another seed");
        assert!(sums != above && sums != below);
    }
}

/// The function that loses all bits is the one with the largest expected error, though it executes least.
#[test]
fn profile_by_expected_error_names_the_cancelling_function_first() {
    if !able() {
        return;
    }
    let program = compile("cancelling", &[]);
    for arith in ["f32:f32", "bf16:bf16"] {
        let outcome = run(arith, &program, &[], |config| config.profile = true);
        assert_eq!(outcome.code, 0);
        let profile = summary::profile(arith, vec![], &outcome.processes, &Lines::new());
        let own: Vec<_> = profile
            .functions
            .iter()
            .filter(|function| function.object.ends_with(&file_name(&program)))
            .collect();
        assert_eq!(own.len(), 8, "{arith}");
        assert_eq!(own.last().unwrap().name, "variance", "{arith}: it executes least");
        let by_error = profile.by_expected_error();
        assert_eq!(by_error[0].name, "variance", "{arith}");
        let worst = &by_error[0].results;
        let last = by_error[0].lines.iter().max_by_key(|line| line.counts.lost_bits().map(|(_, most)| most));
        assert!(worst.lost_bits().unwrap().1 >= 20 || arith != "f32:f32", "{worst:?}");
        assert!(worst.expected_error() > 0.1, "{arith}: {worst:?}");
        assert!(last.is_some(), "{arith}");
        // One result: the sum of squares is a partial sum of it.
        assert_eq!(worst.lost.values().sum::<u64>(), 1, "{worst:?}");
        let rest = by_error[1].results.expected_error();
        assert!(rest < worst.expected_error() / 4.0, "{arith}: {} {rest}", by_error[1].name);
    }
}

/// The C library's libmvec, if there is one, and its functions of one or two vectors that this machine can run.
fn libmvec() -> Option<(String, Vec<String>)> {
    let path = Command::new("cc").arg("-print-file-name=libmvec.so.1").output().expect("cc runs").stdout;
    let path = String::from_utf8(path).unwrap().trim().to_owned();
    let Ok(bytes) = std::fs::read(&path) else {
        eprintln!("SKIPPED: this C library has no libmvec");
        return None;
    };
    let file = object::File::parse(&bytes[..]).expect("an ELF file");
    let mut names: Vec<String> =
        file.dynamic_symbols().filter_map(|symbol| symbol.name().ok().map(str::to_owned)).collect();
    // Those of three vectors (sincos) write through pointers.
    names.retain(|name| name.starts_with("_ZGV") && !name.contains("vvv_"));
    if !Level::detect().is_some_and(Level::wide) {
        let count = names.len();
        names.retain(|name| !name.starts_with("_ZGVe"));
        eprintln!("SKIPPED: {} functions of libmvec need AVX-512", count - names.len());
    }
    names.sort();
    names.dedup();
    assert!(names.len() >= 30, "{names:?}");
    Some((path, names))
}

/// The file of functions and hashes of results that tests/guests/vectors.c writes, for a run that gets its arguments.
fn vector_results(
    library: &str,
    names: &[String],
    run: impl FnOnce(&[&str]) -> i32,
) -> BTreeMap<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out").display().to_string();
    let arguments: Vec<&str> =
        [&file[..], library].into_iter().chain(names.iter().map(String::as_str)).collect();
    assert_eq!(run(&arguments), 0, "vectors {arguments:?}");
    let text = std::fs::read_to_string(&file).unwrap();
    text.lines().map(|line| line.split_once(' ').unwrap()).map(|(a, b)| (a.into(), b.into())).collect()
}

fn native_vector_results(program: &Path, library: &str, names: &[String]) -> BTreeMap<String, String> {
    let native = vector_results(library, names, |arguments| {
        let status = Command::new(program).arg("native").args(arguments).status();
        status.unwrap().code().expect("no signal")
    });
    assert_eq!(native.len(), names.len());
    native
}

/// Every function of libmvec has the bits of the native run under every kind of operator and rounding, and the summary says that
/// none of its multiply-adds was changed.
#[test]
fn functions_of_libmvec_stay_native_under_every_operator() {
    if !able() {
        return;
    }
    let Some((library, names)) = libmvec() else { return };
    let program = compile("vectors", &[]);
    let native = native_vector_results(&program, &library, &names);
    let operators = [
        "f32:f32",
        "bf16:bf16",
        "bf16:bf16x2",
        "bf16:bf16x3",
        "bf16x2:bf16x2/3",
        "bf16x2:bf16x2/4",
        "bf16x3:bf16x3/6",
        "bf16x3:bf16x3/9",
        "bf16:f32",
        "f16:f16",
        "tf32:f32",
        "float8_e4m3fn:f32",
        "float4_e2m1fn:f32",
        "bf16:f64",
    ];
    let roundings = [Rounding::Up, Rounding::Down, Rounding::Random, Rounding::Stochastic];
    let runs = operators.map(|operator| (operator, None)).into_iter();
    let runs = runs.chain(roundings.map(|rounding| ("f32:f32", Some(rounding))));
    for (operator, rounding) in runs {
        for also in [Also::default(), Also { multiply: true, add: true, double: true, ..Also::default() }] {
            let mut outcome = None;
            let results = vector_results(&library, &names, |arguments| {
                let run = run(operator, &program, arguments, |config| {
                    (config.rounding, config.also) = (rounding, also);
                });
                outcome.insert(run).code
            });
            assert_eq!(results, native, "{operator} {rounding:?} {also:?}");
            let outcome = outcome.unwrap();
            let object = objects(&outcome).find(|object| object.path.contains("libmvec")).unwrap();
            assert!(object.found > 0 && object.left_alone, "{object:?}");
            assert_eq!((object.patched, object.executed), (0, 0), "{operator}: {object:?}");
            assert_eq!(object.skipped["by default: elementary functions"], object.found);
        }
    }
}

/// Where `--only` asks for them, a function differs from the native one if and only if the summary says that multiply-adds in it
/// were the operator's. The identity changes none.
#[test]
fn functions_of_libmvec_differ_where_the_summary_says_so() {
    if !able() {
        return;
    }
    let Some((library, names)) = libmvec() else { return };
    let program = compile("vectors", &[]);
    let native = native_vector_results(&program, &library, &names);
    let run = |operator: &str, names: &[String], also: Also| {
        let mut executed = 0;
        let results = vector_results(&library, names, |arguments| {
            let outcome = run(operator, &program, arguments, |config| {
                (config.only, config.also) = (vec!["libmvec*".into()], also);
            });
            executed = objects(&outcome).map(|object| object.executed).sum();
            outcome.code
        });
        (results, executed)
    };
    let double = Also { double: true, ..Also::default() };
    let (results, executed) = run("f32:f32", &names, double);
    assert!(executed > 0);
    assert_eq!(results, native, "the identity");
    let of = |names: &[String]| names.iter().map(|name| (name.clone(), native[name].clone())).collect();
    // Those for AVX and SSE have no fused multiply-adds.
    let (fused, plain): (Vec<String>, Vec<String>) =
        names.into_iter().partition(|name| name.starts_with("_ZGVd") || name.starts_with("_ZGVe"));
    assert_eq!(run("bf16:bf16", &plain, double), (of(&plain), 0));
    let (wide, single): (Vec<String>, Vec<String>) =
        fused.into_iter().partition(|name| name.starts_with("_ZGVdN4") || name.starts_with("_ZGVeN8"));
    assert_eq!(run("bf16:bf16", &wide, Also::default()), (of(&wide), 0), "binary64 without --also double");
    let mut changed = 0;
    for name in wide.iter().chain(&single) {
        let (results, executed) = run("bf16:bf16", std::slice::from_ref(name), double);
        let differs = results[name] != native[name];
        assert_eq!(differs, executed > 0, "{name}: {executed} multiply-adds");
        changed += usize::from(differs);
    }
    assert!(2 * changed > wide.len() + single.len(), "{changed}");
}
