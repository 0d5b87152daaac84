//! Makes the Python environment under the target folder, and runs checks in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::explorer;
use crate::run::{binade, command, output, root, run, say, target, works};
use crate::rustdoc;
use crate::tools::Tool;

/// The file that lists the environment's packages.
const REQUIREMENTS: &str = "peers/requirements.txt";

/// Peer checks: each is a script, with its arguments, that fails on an unexplained difference. check_layouts.py and
/// check_checkpoint.py are left out, because their peers take several GB.
pub(crate) const PEERS: &[(&str, &[&str])] = &[
    ("numpy", &[]),
    ("ml_dtypes", &[]),
    ("gfloat", &[]),
    ("mpfr", &[]),
    ("block_products", &[]),
    // Compares with definitions only: PyTorch and torchao are not installed here.
    ("blocks", &["--blocks", "100"]),
    ("gguf", &[]),
    ("hlo", &[]),
    // The whole script takes minutes, and has up to 12 cases of a primitive.
    ("hlo_primitives", &["--sample", "2"]),
    // The whole script compares 20 steps.
    ("train", &["--steps", "4"]),
    ("jax", &[]),
    // The whole script takes a minute.
    ("distributed", &["--quick"]),
    // The whole script takes minutes.
    ("sweep", &["--small", "--faults", "8"]),
    ("manifests", &[]),
];

fn folder() -> PathBuf {
    target().join("python")
}

/// The folder of the environment's programs.
fn binaries() -> PathBuf {
    binaries_of(&folder())
}

/// The folder of the programs of an environment.
fn binaries_of(folder: &Path) -> PathBuf {
    folder.join(if cfg!(windows) { "Scripts" } else { "bin" })
}

/// Python of the environment, with the `binade` command in BINADE.
pub(crate) fn python() -> Command {
    let mut python = Command::new(binaries().join("python"));
    python
        .current_dir(root())
        .env("BINADE", binade())
        .env("BINADE_PJRT_LIBRARY", plugin())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    python
}

/// The library that JAX loads.
fn plugin() -> PathBuf {
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    target().join("release").join(format!("{prefix}binade_pjrt{suffix}"))
}

/// A sentence with the remedy, if there is no Python that can make the environment.
pub(crate) fn missing() -> Option<String> {
    let is_there = works(command("python3 -c").arg("import venv, ensurepip"));
    (!is_there).then(|| "python3 with venv is missing: `apt-get install python3 python3-venv`".to_owned())
}

/// Makes the environment, unless it already has these requirements.
pub(crate) fn install() -> Result<(), String> {
    if let Some(reason) = missing() {
        return Err(reason);
    }
    let wanted = fs::read(root().join(REQUIREMENTS)).map_err(|error| format!("{REQUIREMENTS}: {error}"))?;
    let stamp = folder().join("requirements.txt");
    if fs::read(&stamp).is_ok_and(|installed| installed == wanted) {
        say(&format!("{} is up to date", folder().display()));
        return Ok(());
    }
    run(command("python3 -m venv --clear").arg(folder()))?;
    run(python().args(PIP_INSTALL).args(["-r", REQUIREMENTS]))?;
    fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// Installs packages, given after it.
const PIP_INSTALL: [&str; 5] = ["-m", "pip", "--disable-pip-version-check", "install", "--quiet"];

/// Removes this package under its earlier name, with which the package refuses to share a folder. Says nothing if it is not
/// installed.
fn remove_earlier_name(mut python: Command) -> Result<(), String> {
    run(python.args(["-m", "pip", "--disable-pip-version-check", "uninstall", "-qq", "--yes", "binade"]))
}

/// The packages of [`build`].
const BUILT: [&str; 6] =
    ["--package", "binade-cli", "--package", "binade-pjrt", "--package", "binade-python"];

/// Builds the command, the library that JAX loads, and the extension module of Python. One build shares their dependencies.
pub(crate) fn build() -> Result<(), String> {
    run(command("cargo build --release").args(BUILT))
}

/// Runs [`build`] twice; the second time must compile nothing.
pub(crate) fn build_once() -> Result<(), String> {
    build()?;
    let again = output(command("cargo build --release --message-format=json").args(BUILT))?;
    let stale = again.lines().find(|line| line.contains("\"fresh\":false"));
    stale.map_or(Ok(()), |line| Err(format!("built again though nothing changed: {line}")))
}

/// Builds the package's wheel, which the environment's maturin makes.
pub(crate) fn wheel() -> Result<PathBuf, String> {
    install()?;
    // maturin then has nothing left to compile.
    build()?;
    make_wheel(python(), &binaries(), &target().join("wheels"))
}

/// Builds the wheel for another Python in a separate environment, and runs the package's tests there.
pub(crate) fn wheel_of(interpreter: &str, test: bool) -> Result<PathBuf, String> {
    let name = Path::new(interpreter).file_name().and_then(|name| name.to_str()).unwrap_or("python");
    let folder = target().join(format!("python-{name}"));
    let binaries = binaries_of(&folder);
    let python = || {
        let mut python = Command::new(binaries.join("python"));
        python.current_dir(root()).env("BINADE", binade()).env("PYTHONDONTWRITEBYTECODE", "1");
        python
    };
    if !works(python().args(["-c", "import maturin, numpy, ml_dtypes, pytest"])) {
        run(command(interpreter).args(["-m", "venv", "--clear"]).arg(&folder))?;
        run(python().args(PIP_INSTALL).args(["maturin>=1.12.1,<2", "numpy", "ml_dtypes", "pytest"]))?;
    }
    build()?;
    let wheel = make_wheel(python(), &binaries, &target().join(format!("wheels-{name}")))?;
    if test {
        remove_earlier_name(python())?;
        run(python().args(PIP_INSTALL).args(["--no-deps", "--force-reinstall"]).arg(&wheel))?;
        run(python().args(["-m", "pytest", "--quiet", "python/tests"]))?;
    }
    Ok(wheel)
}

/// Builds the wheel by a Python with maturin among its programs.
fn make_wheel(mut make: Command, binaries: &Path, wheels: &Path) -> Result<PathBuf, String> {
    // Earlier wheels must not be taken for this one.
    let _ = fs::remove_dir_all(wheels);
    let pip = ["-m", "pip", "--disable-pip-version-check", "wheel", "--quiet", "--no-deps"];
    make.args(pip).args(["--no-build-isolation", "--wheel-dir"]).arg(wheels).arg("./python");
    // Without isolation, maturin is searched on the PATH.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(binaries.to_owned()).chain(std::env::split_paths(&path));
    run(make.env("PATH", std::env::join_paths(folders).map_err(|error| error.to_string())?))?;
    let files = fs::read_dir(wheels).map_err(|error| format!("{}: {error}", wheels.display()))?;
    let made = files.filter_map(Result::ok).map(|file| file.path());
    made.into_iter()
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| format!("no wheel in {}", wheels.display()))
}

/// Builds the wheel and installs it in the environment.
fn install_wheel() -> Result<(), String> {
    let wheel = wheel()?;
    remove_earlier_name(python())?;
    run(python().args(PIP_INSTALL).args(["--no-deps", "--force-reinstall"]).arg(&wheel))
}

/// Installs the wheel in the environment, and runs the package's tests, examples and type checks.
pub(crate) fn package() -> Result<(), String> {
    install_wheel()?;
    run(python().args(["-m", "pytest", "--quiet", "python/tests"]))?;
    let examples =
        ["--doctest-modules", "--pyargs", "binade", "--ignore-glob=*torch.py", "--ignore-glob=*jax.py"];
    run(python().args(["-m", "pytest", "--quiet"]).args(examples))?;
    let sources = root().join("python");
    run(python().args(["-m", "mypy"]).current_dir(&sources))?;
    run(python().args(["-m", "pyright", "--pythonpath"]).arg(binaries().join("python")).current_dir(sources))
}

/// A Python of the system that has PyTorch, such as the package python3-torch of a distribution. Wheels of PyTorch are large.
pub(crate) fn with_torch() -> Option<&'static str> {
    ["python3", "/usr/bin/python3"]
        .into_iter()
        .find(|python| works(command(python).args(["-c", "import torch"])))
}

/// Runs the tests of `binade.torch` in a separate environment that sees the system's packages.
pub(crate) fn torch(python: &str) -> Result<(), String> {
    let folder = target().join("python-torch");
    let inside = || {
        let mut inside = Command::new(folder.join("bin/python"));
        inside.current_dir(root()).env("PYTHONDONTWRITEBYTECODE", "1");
        inside
    };
    if !folder.join("bin/pytest").exists() {
        run(command(python).args(["-m", "venv", "--clear", "--system-site-packages"]).arg(&folder))?;
        run(inside().args(PIP_INSTALL).arg("pytest"))?;
    }
    let wheels = target().join("wheels");
    let from = ["--no-deps", "--no-index", "--force-reinstall", "pybinade", "--find-links"];
    remove_earlier_name(inside())?;
    run(inside().args(PIP_INSTALL).args(from).arg(&wheels))?;
    run(inside().args(["-m", "pytest", "--quiet", "python/tests/test_torch.py"]))?;
    run(inside().args(["-m", "pytest", "--quiet", "--doctest-modules", "--pyargs", "binade.torch"]))
}

/// Builds the documentation site, with the pages of the explorer and of rustdoc if they exist. The package must be installed.
pub(crate) fn site() -> Result<(), String> {
    let mut build = python();
    build.arg("site/build.py").arg(target().join("site"));
    let parts = [("--explorer", "format-explorer/index.html"), ("--rust", "doc")];
    for (option, part) in parts.map(|(option, part)| (option, target().join(part))) {
        if part.exists() {
            build.arg(option).arg(part);
        }
    }
    run(&mut build)
}

/// Builds the site with all its parts. A part whose tool is missing is reported before the work begins, and left out.
pub(crate) fn site_of_everything() -> Result<(), String> {
    let without_explorer = Tool::Wasm.missing();
    if let Some(reason) = &without_explorer {
        eprintln!("warning: the site will have no format explorer: {reason}");
        // An explorer of an earlier build may be out of date.
        let _ = fs::remove_dir_all(target().join("format-explorer"));
    }
    install_wheel()?;
    rustdoc::build("")?;
    if without_explorer.is_none() {
        explorer::build()?;
    }
    site()
}

/// Trains the example network.
pub(crate) fn train() -> Result<(), String> {
    install()?;
    run(python().arg("examples/train_digits.py"))
}

/// The main job on the example's weights: narrow formats must keep the network's accuracy.
pub(crate) fn example() -> Result<(), String> {
    let narrow = target().join("digits-cfloat8.safetensors");
    run(Command::new(binade())
        .args(["quantize", "examples/digits.safetensors"])
        .arg(&narrow)
        .args(["--format", "cfloat8_1_4_3", "--bias", "auto", "--simulate", "--force"])
        .current_dir(root()))?;
    run(python().arg("examples/eval_digits.py").arg(&narrow).args(["--at-least", "0.97"]))
}
