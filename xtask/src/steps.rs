//! The steps of `cargo xtask test`.

use std::path::Path;
use std::thread;

use crate::run::{command, missing, output, run, say, works};
use crate::schedule::{self, Outcome, Step, step};
use crate::{explorer, generate, python};

/// A step that is one command.
fn one(name: &str, line: &'static str) -> Step {
    step(name, move || run(&mut command(line)).into())
}

/// The crates that are to be published, packed as they would be.
const PACKAGES: &str = "cargo package --quiet --no-verify --allow-dirty --package binade --package binade-simd \
     --package binade-kernels --package binade-heap --package binade-fma --package binade-fft --package binade-files --package binade-glob \
     --package binade-hlo";

/// What has tests, with the features that it is tested with. The agent and Python's module have none by themselves, and
/// `--lib` would have them compiled all the same, with what only they need.
const TESTED: &str = "--workspace --exclude binade-agent --exclude binade-python --features binade/serde";

/// The steps that others find their work done by.
const COMMAND: &str = "command, plugin and extension module";
const UNIT_TESTS: &str = "unit tests";
const INTEGRATION_TESTS: &str = "integration tests";
const TESTS: &[&str] = &[UNIT_TESTS, INTEGRATION_TESTS];
const PYTHON: &str = "python";
const PACKAGE: &str = "python package";

/// Every step, those that others build on first.
///
/// What one step builds the next ones find: steps that compile the same crates do so with the same features, in the same
/// profile. That is why none has `--all-features`, with which the command would carry an agent of its own; the wheel's does.
fn all() -> Vec<Step> {
    let mut steps = vec![
        one("format", "cargo fmt --all --check").quick(),
        one("format of fuzz", "cargo fmt --manifest-path fuzz/Cargo.toml --check").quick(),
        step(PYTHON, || python::install().into()),
        // Together: they share what they depend on, and the wheel finds it built.
        step(COMMAND, || python::build_once().into()).whole(),
        one("clippy", "cargo clippy --workspace --all-targets --features binade/serde -- -D warnings")
            .quick()
            .whole(),
        step(UNIT_TESTS, || tests(&format!("{TESTED} --lib --bins")).into()).quick().whole(),
        step(INTEGRATION_TESTS, || tests(&format!("{TESTED} --test *")).into()).whole(),
        step("AArch64 under emulation", aarch64).whole(),
        // Beside AArch64, which is built in other folders: each keeps about one core busy, and waits for the tests' folder.
        step("examples in the documentation", || {
            run(&mut command(&format!("cargo test {TESTED} --doc"))).into()
        })
        .after(TESTS),
        step("docs", || {
            let line = "cargo doc --workspace --no-deps --features binade/serde";
            run(command(line).env("RUSTDOCFLAGS", "-D warnings")).into()
        })
        .after(TESTS),
        one("without features", "cargo check --package binade --package binade-cli --no-default-features")
            .after(TESTS),
        step("other systems", other_systems).after(TESTS),
        step("oldest compiler", oldest_compiler).whole(),
        step("licences", licences),
        one("packages", PACKAGES),
        step("embedded data", embedded_data),
        step("generated pages", || generate::check().into()).after(&[COMMAND]),
        step(PACKAGE, || with_python(python::package)).after(&[COMMAND, PYTHON]),
        step("python package with torch", torch).after(&[PACKAGE]),
        step("explorer", format_explorer).after(&[COMMAND, PYTHON]),
        step("documentation site", || with_python(python::site)).after(&["docs", PACKAGE, "explorer"]),
        step("examples of the pages", || with_python(|| run(python::python().arg("site/examples.py"))))
            .after(&[PACKAGE]),
        step("peer helpers", || {
            with_python(|| run(python::python().args(["-m", "unittest", "discover", "peers"])))
        })
        .after(&[PYTHON]),
        step("example", || with_python(python::example)).after(&[COMMAND, PYTHON]),
        step("readers of vectors", readers).after(&[COMMAND, PYTHON]),
    ];
    for (peer, arguments) in python::PEERS {
        let script = format!("peers/check_{peer}.py");
        let check = move || run(python::python().arg(&script).args(*arguments));
        steps.push(step(format!("peer {peer}"), move || with_python(&check)).after(&[PACKAGE]));
    }
    let others = [
        // NumPy's OpenBLAS, in every instruction set that there is: the other libraries take long.
        (
            "products under run",
            "peers/check_products.py --cases 6 --operators bf16:bf16,bf16x2:bf16x2/3 numpy",
        ),
        // That they run, not how fast anything is.
        ("peers/measure_speed.py", "peers/measure_speed.py --elements 65536 --rounds 1 --seconds 0"),
        ("peers/hlo_speed.py", "peers/hlo_speed.py --rounds 1 --seconds 0 --no-interpreter dot"),
    ];
    for (name, line) in others {
        let check = move || with_python(|| run(python::python().args(line.split(' '))));
        steps.push(step(name, check).after(&[COMMAND, PYTHON]));
    }
    steps
}

/// The workspace compiles with the Rust version that it states.
fn oldest_compiler() -> Outcome {
    let stated = env!("CARGO_PKG_RUST_VERSION");
    match output(&mut command("rustc --version")) {
        Ok(version) if version.starts_with(&format!("rustc {stated}.")) => {
            say(&format!("{} runs all steps", version.trim()));
            return Outcome::Passed;
        }
        Ok(_) => {}
        Err(error) => return Outcome::Failed(error),
    }
    let cargo = format!("cargo +{stated}.0");
    if !works(&mut command(&format!("{cargo} --version"))) {
        return Outcome::Skipped(format!("Rust {stated} is missing: `rustup toolchain install {stated}.0`"));
    }
    run(&mut command(&format!("{cargo} check --workspace --features binade/serde"))).into()
}

/// The systems that everything compiles for, where `run` and `mix` say that they cannot; one for the libraries alone, and
/// one that has no standard library.
const SYSTEMS: [(&str, &str); 4] = [
    ("aarch64-apple-darwin", "binade-cli"),
    ("x86_64-pc-windows-gnu", "binade-cli"),
    ("wasm32-unknown-unknown", "binade-fma"),
    ("thumbv7em-none-eabihf", "binade"),
];

/// Whether the standard library of a target is there; what to do otherwise.
fn has_target(target: &str) -> Result<(), Outcome> {
    let known = output(&mut command("rustc --print sysroot")).map_err(Outcome::Failed)?;
    let there = Path::new(known.trim()).join("lib/rustlib").join(target).is_dir();
    let advice = || {
        let advice = format!("no standard library for {target}: `rustup target add {target}`");
        match std::env::var_os("BINADE_WITHOUT_TARGETS") {
            Some(_) => Outcome::Waived(advice),
            None => Outcome::Skipped(advice),
        }
    };
    there.then_some(()).ok_or_else(advice)
}

/// That other systems' compilers take the code.
fn other_systems() -> Outcome {
    for (target, package) in SYSTEMS {
        if let Err(outcome) = has_target(target) {
            return outcome;
        }
        if let Err(error) = run(&mut command(&format!("cargo check --target {target} --package {package}"))) {
            return Outcome::Failed(error);
        }
    }
    Outcome::Passed
}

/// The kernels' tests on NEON, which qemu computes as a machine would.
fn aarch64() -> Outcome {
    const TARGET: &str = "aarch64-unknown-linux-gnu";
    if let Err(outcome) = has_target(TARGET) {
        return outcome;
    }
    let tools = [
        ("qemu-aarch64 --version", "apt-get install qemu-user"),
        ("aarch64-linux-gnu-gcc --version", "apt-get install gcc-aarch64-linux-gnu"),
    ];
    if let Some(reason) = missing(&tools) {
        return Outcome::Skipped(reason);
    }
    // Emulation takes ten times as long: the longest sweeps are left to real machines.
    let line = format!(
        "--cargo-profile release --target {TARGET} --package binade-kernels --package binade-fma --lib --test * -- \
         --skip every_code_of_every_format --skip every_pair_of_bytes --skip stochastic --skip strided --skip orders \
         --skip about_the_least_number --skip long_chains --skip sequential --skip other_operations_of_two \
         --skip offsets_of_many_depths"
    );
    tests(&line).into()
}

/// Runs tests by cargo-nextest, which keeps all cores busy, where it is there, and by `cargo test` otherwise. Both build the
/// same.
fn tests(arguments: &str) -> Result<(), String> {
    let mut line = if works(&mut command("cargo nextest --version")) {
        command("cargo nextest run --no-fail-fast")
    } else {
        command("cargo test --no-fail-fast")
    };
    let next = line.get_args().next().is_some_and(|argument| argument == "nextest");
    for argument in arguments.split(' ') {
        // `cargo test` has another name for it.
        line.arg(if !next && argument == "--cargo-profile" { "--profile" } else { argument });
    }
    run(&mut line)
}

/// The policy of deny.toml.
fn licences() -> Outcome {
    if let Some(reason) = missing(&[("cargo deny --version", "cargo install --locked cargo-deny")]) {
        return Outcome::Skipped(reason);
    }
    run(&mut command("cargo deny --all-features check bans licenses sources")).into()
}

/// What binade-data carries is what its scripts make of the packages' files.
fn embedded_data() -> Outcome {
    let images = Path::new("/usr/share/datasets/fashion-mnist").is_dir();
    if !images || !works(command("bible").args(["-f", "gen1:1"])) {
        let packages = "dataset-fashion-mnist bible-kjv bible-kjv-text";
        return Outcome::Skipped(format!("their sources are missing: `apt-get install {packages}`"));
    }
    let check =
        |name| run(&mut command(&format!("python3 crates/binade-data/scripts/make_{name}.py --check")));
    check("fashion_small").and_then(|()| check("bible")).into()
}

/// The format explorer's page in a browser, against the command.
fn format_explorer() -> Outcome {
    if let Some(advice) = explorer::missing() {
        return Outcome::Skipped(advice);
    }
    match has_target(explorer::TARGET) {
        Ok(()) => with_python(explorer::check),
        Err(outcome) => outcome,
    }
}

/// The readers of test vectors in C and SystemVerilog, with the multipliers that they judge.
fn readers() -> Outcome {
    let missing = |tool: &&str| !works(&mut command(&format!("which {tool}")));
    match ["cc", "iverilog", "vvp"].iter().find(|tool| missing(tool)) {
        Some(tool) => Outcome::Skipped(format!("{tool} is missing: `apt-get install gcc iverilog`")),
        None => with_python(|| run(python::python().arg("examples/hardware/check.py"))),
    }
}

/// A step that needs the Python environment, which the step `python` makes.
fn with_python(check: impl Fn() -> Result<(), String>) -> Outcome {
    if !works(python::python().arg("--version")) {
        return Outcome::Skipped("the Python environment is missing: the step `python` makes it".to_owned());
    }
    check().into()
}

/// The package's tests of PyTorch, which the step `python package` has built the wheel for.
fn torch() -> Outcome {
    match python::with_torch() {
        Some(python) => python::torch(python).into(),
        None => Outcome::Skipped("PyTorch is missing: `apt-get install python3-torch`".to_owned()),
    }
}

/// Which steps are meant.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'a> {
    /// Those whose name contains this.
    pub(crate) only: Option<&'a str>,
    /// Those that are worth running before each commit.
    pub(crate) quick: bool,
}

fn chosen(choice: Choice<'_>) -> Vec<Step> {
    let is_chosen = |step: &Step| {
        (step.quick || !choice.quick) && choice.only.is_none_or(|text| step.name.contains(text))
    };
    all().into_iter().filter(is_chosen).collect()
}

/// Prints the steps' names.
pub(crate) fn list(choice: Choice<'_>) {
    for step in chosen(choice) {
        println!("{}", step.name);
    }
}

/// Runs the steps, all of them two at a time where there are two cores: many keep only one busy.
pub(crate) fn run_all(choice: Choice<'_>) -> Result<(), String> {
    let steps = chosen(choice);
    if steps.is_empty() {
        return Err(format!(
            "no step contains '{}'; `cargo xtask test --list` prints them",
            choice.only.unwrap_or("")
        ));
    }
    let is_all = !choice.quick && choice.only.is_none();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    schedule::run_all(&steps, if is_all { cores.min(2) } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn what_a_step_needs_comes_before_it() {
        let steps = all();
        for (place, step) in steps.iter().enumerate() {
            for needed in step.after {
                assert!(
                    steps[..place].iter().any(|earlier| earlier.name == *needed),
                    "{}: {needed}",
                    step.name
                );
            }
        }
    }
}
