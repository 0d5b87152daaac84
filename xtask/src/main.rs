//! The project's tasks: `cargo xtask test` and others.
#![forbid(unsafe_code)]

mod circles;
mod explorer;
mod fuzz;
mod generate;
// The file of the command, without its dependencies.
#[path = "../../crates/binade-lab/src/machine.rs"]
mod machine;
mod performance;
mod python;
mod record;
mod run;
mod rustdoc;
mod sanitize;
mod schedule;
mod steps;
mod tools;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::steps::Choice;
use crate::tools::Tool;

/// The project's tasks.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run every check: format, lints, docs, licences, tests, generated files, Python peers, examples.
    ///
    /// All files are installed inside the target folder. A step whose tool is missing is skipped and named at the end; with
    /// BINADE_REQUIRE_ALL=1 it counts as a failure.
    #[command(
        after_help = "Examples:\n  cargo xtask test --quick\n  cargo xtask test --only peers\n  cargo xtask test --without iverilog,chromium --affected"
    )]
    Test {
        /// Run only the steps whose name contains this.
        #[arg(long, value_name = "TEXT")]
        only: Option<String>,
        /// Run only the steps before each commit: format, prose, lints and unit tests.
        #[arg(long)]
        quick: bool,
        /// Take these tools for missing, as on a new machine.
        #[arg(long, value_name = "TOOL", value_delimiter = ',', conflicts_with = "list")]
        without: Vec<Tool>,
        /// Run only the steps that use a tool which is taken for missing; each of these tools has to be named by a skip.
        #[arg(long)]
        affected: bool,
        /// Print the steps and stop.
        #[arg(long)]
        list: bool,
    },
    /// Compare every 8-bit operation with the oracle over all operand pairs, and the kernels' conversions of all 2^32
    /// binary32 words with the definition, and record result and time.
    ///
    /// P3109's published tables of values and the vectors of Berkeley TestFloat 3 are compared, too, where their options name
    /// them; without an option the record says that they were skipped.
    #[command(
        after_help = "Examples:\n  cargo xtask exhaustive pairs\n  cargo xtask exhaustive p3109-4\n  cargo xtask exhaustive recipes\n  cargo xtask exhaustive convert:float8_e4m3fnuz\n  cargo xtask exhaustive value-tables testfloat --value-tables 'Public/Value Tables' --testfloat ./testfloat_gen"
    )]
    Exhaustive {
        /// Run only these sections: convert, convert:FORMAT, or a section of the oracle. An unknown name is answered with the
        /// known ones.
        sections: Vec<String>,
        /// The folder 'Value Tables' of P3109's repository of public materials, for the section value-tables.
        #[arg(long, value_name = "FOLDER")]
        value_tables: Option<PathBuf>,
        /// The program testfloat_gen of Berkeley TestFloat 3, for the section testfloat.
        #[arg(long, value_name = "PROGRAM")]
        testfloat: Option<PathBuf>,
    },
    /// Fuzz the readers and the evaluators with libFuzzer (a nightly toolchain and cargo-fuzz).
    ///
    /// The tests run the same checks on the seeds, and on fixed mutations of them.
    #[command(after_help = "Examples:\n  cargo xtask fuzz\n  cargo xtask fuzz hlo_run --seconds 3600")]
    Fuzz {
        /// Only these targets.
        targets: Vec<String>,
        /// Seconds for each target.
        #[arg(long, value_name = "N", default_value_t = 60)]
        seconds: u32,
    },
    /// Run short tests of binade-simd, binade-kernels and binade-fma under Miri, which finds undefined behaviour in portable code.
    Miri,
    /// Run the tests of crates with unsafe code under AddressSanitizer, on every instruction set that this machine has.
    #[command(after_help = "Examples:\n  cargo xtask asan\n  cargo xtask asan binade-kernels")]
    Asan {
        /// Only these crates.
        crates: Vec<String>,
    },
    /// Build the Python package's wheel, with the command in it, under target/wheels.
    ///
    /// One wheel is for every Python with the interpreter's lock, from 3.10 on. One without it (3.14t) needs its own.
    #[command(
        after_help = "Examples:\n  cargo xtask wheel && pip install target/wheels/pybinade-*.whl\n  cargo xtask wheel --python python3.14t --test"
    )]
    Wheel {
        /// Build for this Python, in a separate environment: target/wheels-PYTHON has the wheel.
        #[arg(long, value_name = "PYTHON")]
        python: Option<String>,
        /// Run the package's tests with it: those of JAX and PyTorch where they are installed there.
        #[arg(long, requires = "python")]
        test: bool,
    },
    /// Build the format explorer, a page that works without a server: target/format-explorer/index.html.
    Explorer,
    /// Build the documentation site, which works without a server: target/site/index.html.
    ///
    /// It has guides, notebooks (which are run), topics, the help of the command, the Python package, the Rust crates and the format
    /// explorer.
    Site,
    /// Regenerate the generated pages under docs.
    Docs,
    /// Estimate the networks of docs/performance.md again, and write benches/record/performance.jsonl.
    ///
    /// It exports models that are not in the repository, which takes JAX. `cargo xtask docs` then makes the page's tables.
    #[command(after_help = "Examples:\n  cargo xtask performance --python target/python/bin/python")]
    Performance {
        /// A Python with JAX.
        #[arg(long, value_name = "PROGRAM", default_value = "python3")]
        python: String,
    },
    /// List places in the prose that a reader would read twice: long sentences, openings such as "What", vague phrases.
    #[command(
        after_help = "Examples:\n  cargo xtask words\n  cargo xtask words crates/binade-simd README.md"
    )]
    Words {
        /// Only files whose path contains one of these.
        paths: Vec<String>,
    },
    /// Name circles of more than eight modules that depend on each other.
    Circles,
    /// Train the example network again and write examples/digits.safetensors.
    ExampleWeights,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::Test { only, quick, without, affected, list } => {
            let choice = Choice { only: only.as_deref(), quick, affected };
            if !without.is_empty() {
                steps::run_without(&without, choice)
            } else if list {
                steps::list(choice);
                Ok(())
            } else {
                steps::run_all(choice)
            }
        }
        Task::Exhaustive { sections, value_tables, testfloat } => {
            let inputs = [("--value-tables", "FOLDER", value_tables), ("--testfloat", "PROGRAM", testfloat)];
            record::exhaustive(&sections, &inputs)
        }
        Task::Fuzz { targets, seconds } => fuzz::fuzz(&targets, seconds),
        Task::Miri => sanitize::miri(),
        Task::Asan { crates } => sanitize::address(&crates),
        Task::Wheel { python: None, .. } => python::wheel().map(|wheel| println!("{}", wheel.display())),
        Task::Wheel { python: Some(python), test } => {
            python::wheel_of(&python, test).map(|wheel| println!("{}", wheel.display()))
        }
        Task::Explorer => explorer::build().map(|page| println!("{}", page.display())),
        Task::Site => python::site_of_everything(),
        Task::Docs => generate::write(),
        Task::Performance { python } => performance::record(&python),
        Task::Words { paths } => words::check(&paths),
        Task::Circles => circles::check(),
        Task::ExampleWeights => python::train(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
