//! Lists and runs the steps of `cargo xtask test`.

use std::thread;

use clap::ValueEnum;

use crate::run::{command, output, run, run_script, say, works};
use crate::schedule::{self, Outcome, Step, step};
use crate::tools::{self, Tool, has_standard_library};
use crate::{circles, explorer, generate, python, rustdoc, words};

/// A step that is one command.
fn one(name: &str, line: &'static str) -> Step {
    step(name, move || run(&mut command(line)).into())
}

/// The crates that are to be published, packed as they would be.
const PACKAGES: &str = "cargo package --quiet --no-verify --allow-dirty --package binade --package binade-simd \
     --package binade-kernels --package binade-heap --package binade-fma --package binade-fft --package binade-files --package binade-glob \
     --package binade-stablehlo --package binade-hlo";

/// The packages with tests, and the features for them. The agent and the extension module have no tests of their own; `--lib`
/// would compile them and their dependencies.
const TESTED: &str = "--workspace --exclude binade-agent --exclude binade-python --features binade/serde";

/// The steps on whose results other steps rely.
const COMMAND: &str = "command, plugin and extension module";
const UNIT_TESTS: &str = "unit tests";
const INTEGRATION_TESTS: &str = "integration tests";
const TESTS: &[&str] = &[UNIT_TESTS, INTEGRATION_TESTS];
const PYTHON: &str = "python";
const PACKAGE: &str = "python package";
const PAGES: &str = "examples of the pages";

/// Every step; a step comes after those whose results it needs.
///
/// Later steps reuse the builds of earlier ones. Steps that compile the same crates therefore use the same features and the same
/// profile. No step has `--all-features`, which would embed an agent in the command.
fn all() -> Vec<Step> {
    let mut steps = vec![
        one("format", "cargo fmt --all --check").quick(),
        one("format of fuzz", "cargo fmt --manifest-path fuzz/Cargo.toml --check").quick(),
        step("words", || words::check(&[]).into()).quick(),
        step("circles of modules", || circles::check().into()).quick(),
        step(PYTHON, || match python::missing() {
            Some(reason) => Outcome::Skipped(reason),
            None => python::install().into(),
        }),
        // One build for all three: they share dependencies, and the wheel reuses them.
        step(COMMAND, || python::build_once().into()).whole(),
        one("clippy", "cargo clippy --workspace --all-targets --features binade/serde -- -D warnings")
            .needs(&[Tool::Clippy])
            .quick()
            .whole(),
        step(UNIT_TESTS, || tests(&format!("{TESTED} --lib --bins")).into()).quick().whole(),
        step(INTEGRATION_TESTS, || tests(&format!("{TESTED} --test *")).into()).whole(),
        step("AArch64 under emulation", aarch64).needs(&[Tool::Qemu]).whole(),
        // Runs beside the step for AArch64, which builds in another folder.
        step("examples in the documentation", || {
            run(&mut command(&format!("cargo test {TESTED} --doc"))).into()
        })
        .after(TESTS),
        step("docs", || rustdoc::build("-D warnings").into()).after(TESTS),
        one("without features", "cargo check --package binade --package binade-cli --no-default-features")
            .after(TESTS),
        step("other systems", other_systems).uses(&[Tool::Wasm]).after(TESTS),
        step("oldest compiler", oldest_compiler).whole(),
        one("licences", "cargo deny --all-features check bans licenses sources").needs(&[Tool::Deny]),
        one("packages", PACKAGES),
        step("embedded data", embedded_data).needs(&[Tool::FashionMnist, Tool::Bible]),
        step("generated pages", || generate::check().into()).after(&[COMMAND]),
        step(PACKAGE, || with_python(python::package)).after(&[COMMAND, PYTHON]),
        step("python package with torch", torch).needs(&[Tool::Torch]).after(&[PACKAGE]),
        step("explorer", || with_python(explorer::check))
            .needs(&[Tool::Chromium, Tool::Wasm])
            .after(&[COMMAND, PYTHON]),
        step("documentation site", || with_python(python::site)).after(&["docs", PACKAGE, "explorer"]),
        step(PAGES, || with_python(|| run_script(python::python().arg("site/examples.py"))))
            .uses(&[Tool::Iverilog])
            .after(&[PACKAGE]),
        step("peer helpers", || {
            with_python(|| run(python::python().args(["-m", "unittest", "discover", "peers"])))
        })
        .after(&[PYTHON]),
        step("example", || with_python(python::example)).after(&[COMMAND, PYTHON]),
        step("readers of vectors", || {
            with_python(|| run_script(python::python().arg("examples/hardware/check.py")))
        })
        .uses(&[Tool::Iverilog])
        .after(&[COMMAND, PYTHON]),
        // Other steps run the tests by cargo-nextest, if it is there.
        step("tests without cargo-nextest", || tests("--package binade-glob --lib").into())
            .uses(&[Tool::Nextest])
            .only_without(),
        step("missing tools", || missing_tools().into()).after(&[PAGES, "explorer", "other systems"]).whole(),
    ];
    for (peer, arguments) in python::PEERS {
        let script = format!("peers/check_{peer}.py");
        let check = move || run(python::python().arg(&script).args(*arguments));
        steps.push(step(format!("peer {peer}"), move || with_python(&check)).after(&[PACKAGE]));
    }
    let others = [
        // NumPy's OpenBLAS in every instruction set; the other libraries take long.
        (
            "products under run",
            "peers/check_products.py --cases 6 --operators bf16:bf16,bf16x2:bf16x2/3 numpy",
        ),
        // These check that the scripts run, not speed.
        ("peers/measure_speed.py", "peers/measure_speed.py --elements 65536 --rounds 1 --seconds 0"),
        ("peers/hlo_speed.py", "peers/hlo_speed.py --rounds 1 --seconds 0 --no-interpreter dot"),
    ];
    for (name, line) in others {
        let check = move || with_python(|| run(python::python().args(line.split(' '))));
        steps.push(step(name, check).after(&[COMMAND, PYTHON]));
    }
    steps
}

/// Checks that the workspace compiles with the Rust version that it states.
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

/// The systems that the code compiles for: two for the command, one for the libraries, and one without a standard library.
const SYSTEMS: [(&str, &str); 4] = [
    ("aarch64-apple-darwin", "binade-cli"),
    ("x86_64-pc-windows-gnu", "binade-cli"),
    ("wasm32-unknown-unknown", "binade-fma"),
    ("thumbv7em-none-eabihf", "binade"),
];

/// The outcome if the toolchain lacks a target's standard library.
fn missing_library(target: &str) -> Option<Outcome> {
    if has_standard_library(target) && !(target == explorer::TARGET && Tool::Wasm.missing().is_some()) {
        return None;
    }
    let advice = format!("no standard library for {target}: `rustup target add {target}`");
    Some(match std::env::var_os("BINADE_WITHOUT_TARGETS") {
        Some(_) => Outcome::Waived(advice),
        None => Outcome::Skipped(advice),
    })
}

/// Checks that the code compiles for other systems. A system whose standard library is missing is skipped.
fn other_systems() -> Outcome {
    let mut outcome = Outcome::Passed;
    for (target, package) in SYSTEMS {
        if let Some(skipped) = missing_library(target) {
            outcome = skipped;
        } else if let Err(error) =
            run(&mut command(&format!("cargo check --target {target} --package {package}")))
        {
            return Outcome::Failed(error);
        }
    }
    outcome
}

/// Runs the kernels' tests on NEON, under emulation by qemu.
fn aarch64() -> Outcome {
    const TARGET: &str = "aarch64-unknown-linux-gnu";
    if let Some(skipped) = missing_library(TARGET) {
        return skipped;
    }
    // Emulation is ten times slower: the longest tests are left out.
    let line = format!(
        "--cargo-profile release --target {TARGET} --package binade-kernels --package binade-fma --lib --test * -- \
         --skip every_code_of_every_format --skip every_pair_of_bytes --skip stochastic --skip strided --skip orders \
         --skip products_near_the_least --skip products_of_great_depth --skip sequential --skip other_operations_of_two \
         --skip products_at_many_offsets"
    );
    tests(&line).into()
}

/// Runs tests by cargo-nextest, which keeps all cores busy, or by `cargo test` without it. Both build the same.
fn tests(arguments: &str) -> Result<(), String> {
    let next = Tool::Nextest.missing().is_none();
    let mut line =
        command(if next { "cargo nextest run --no-fail-fast" } else { "cargo test --no-fail-fast" });
    for argument in arguments.split(' ') {
        // `cargo test` calls this option --profile.
        line.arg(if !next && argument == "--cargo-profile" { "--profile" } else { argument });
    }
    run(&mut line)
}

/// Checks that binade-data embeds the data that its scripts make from the packages' files.
fn embedded_data() -> Outcome {
    let check =
        |name| run(&mut command(&format!("python3 crates/binade-data/scripts/make_{name}.py --check")));
    check("fashion_small").and_then(|()| check("bible")).into()
}

/// Takes every optional tool for missing. Steps that use one must skip the parts that need it, and name it.
fn missing_tools() -> Result<(), String> {
    run_without(Tool::value_variants(), Choice { only: None, quick: false, affected: true })
}

/// Runs the steps in a process that takes tools for missing.
pub(crate) fn run_without(removed: &[Tool], choice: Choice<'_>) -> Result<(), String> {
    let mut again = tools::again_without(removed)?;
    again.arg("test");
    if let Some(only) = choice.only {
        again.args(["--only", only]);
    }
    for (option, is_given) in [("--quick", choice.quick), ("--affected", choice.affected)] {
        if is_given {
            again.arg(option);
        }
    }
    run(&mut again)
}

/// Runs a check that needs the Python environment, which the step `python` makes.
fn with_python<T: Into<Outcome>>(check: impl Fn() -> T) -> Outcome {
    if !works(python::python().arg("--version")) {
        return Outcome::Skipped("the Python environment is missing: the step `python` makes it".to_owned());
    }
    check().into()
}

/// Runs the package's tests of PyTorch, with the wheel of the step `python package`.
fn torch() -> Outcome {
    match python::with_torch() {
        Some(python) => python::torch(python).into(),
        None => Outcome::Skipped("PyTorch is missing".to_owned()),
    }
}

/// A selection of steps.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'a> {
    /// The steps whose name contains this.
    pub(crate) only: Option<&'a str>,
    /// The steps that are worth running before each commit.
    pub(crate) quick: bool,
    /// The steps that use a tool which is taken for missing.
    pub(crate) affected: bool,
}

fn chosen(choice: Choice<'_>) -> Vec<Step> {
    let removed = tools::removed();
    let is_affected = |step: &Step| step.tools.iter().any(|tool| removed.contains(tool));
    let is_chosen = |step: &Step| {
        (step.quick || !choice.quick)
            && (if choice.affected { is_affected(step) } else { !step.only_without })
            && choice.only.is_none_or(|text| step.name.contains(text))
    };
    all().into_iter().filter(is_chosen).collect()
}

/// Prints the steps' names.
pub(crate) fn list(choice: Choice<'_>) {
    for step in chosen(choice) {
        println!("{}", step.name);
    }
}

/// Runs the steps. With two cores, all steps run two at a time, because many keep only one core busy.
pub(crate) fn run_all(choice: Choice<'_>) -> Result<(), String> {
    let steps = chosen(choice);
    if steps.is_empty() {
        return Err(format!(
            "no step contains '{}': `cargo xtask test --list` prints the steps",
            choice.only.unwrap_or("")
        ));
    }
    let is_all = !choice.quick && !choice.affected && choice.only.is_none();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let skips = schedule::run_all(&steps, if is_all { cores.min(2) } else { 1 })?;
    if choice.affected {
        // A step that uses a missing tool must skip something and name the tool.
        let is_silent =
            |tool: &Tool| *tool != Tool::Nextest && !skips.iter().any(|reason| tool.is_named_in(reason));
        if let Some(tool) = tools::removed().into_iter().find(is_silent) {
            return Err(format!("no skip names {tool:?}, which was taken for missing"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn step_comes_after_the_steps_it_needs() {
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
