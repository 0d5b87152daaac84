//! Finds the agent's library for the launcher, and refuses one of another build.

use std::borrow::Cow;
use std::env;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use binade_profile::config::BUILD;
use object::{Object, ObjectSection, ObjectSymbol};
use thiserror::Error;

/// The environment variable that names the library.
pub const VARIABLE: &str = "BINADE_AGENT_LIBRARY";

/// The library's file name, as Cargo gives it.
pub const FILE: &str = "libbinade_agent.so";

/// The symbol of the library whose bytes are [`BUILD`].
pub const SYMBOL: &str = "BINADE_AGENT_BUILD";

/// Places of the library, from the folder of the file that contains this code. Cargo puts it into `deps` and renews it there; a
/// copy beside the executable may be of an earlier build. The Python package has it beside the extension module.
const PLACES: [&str; 3] = ["deps", "", "../lib/binade"];

/// The reason for which there is no agent.
#[derive(Debug, Error)]
pub enum AgentError {
    /// The library is in none of these places.
    #[error(
        "{FILE} is missing: it is not in {}. Copy it from the build's folder to the command's, or name it in {VARIABLE}; \
         `cargo install --features embed-agent` makes a command that contains it",
        list(.0)
    )]
    Missing(Vec<PathBuf>),
    /// One that is not of this build.
    #[error("{}: {}; the command is of build {BUILD}: build both again", .path.display(), of(.build.as_deref()))]
    Build {
        /// The file.
        path: PathBuf,
        /// The build that it names, if it is an agent at all.
        build: Option<String>,
    },
    /// A file that cannot be read or written.
    #[error("{}: {source}", .path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The agent's library needs a path that the dynamic linker can read from its variable.
    #[error("{}: the dynamic linker cannot load from a path with a colon or a space", .0.display())]
    Path(PathBuf),
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

fn of(build: Option<&str>) -> String {
    build.map_or_else(|| "this is not an agent".to_owned(), |build| format!("this agent is of build {build}"))
}

/// The library in the command, if it carries one.
#[cfg(embedded_agent)]
const EMBEDDED: Option<&[u8]> = Some(include_bytes!(env!("BINADE_AGENT")));
#[cfg(not(embedded_agent))]
const EMBEDDED: Option<&[u8]> = None;

/// The agent's library, found.
#[derive(Debug)]
pub struct Agent(Found);

#[derive(Debug)]
enum Found {
    At(PathBuf, Vec<u8>),
    Embedded(&'static [u8]),
}

impl Agent {
    /// The library that the environment names, the one in the command, or the first of this build in the usual places.
    ///
    /// # Errors
    /// If there is no agent of this build.
    pub fn find() -> Result<Agent, AgentError> {
        find().map(Agent)
    }

    /// The library as a file that the dynamic linker can load: where it is, or else a copy in the user's cache or in `folder`.
    /// With `for_all`, every user can read it, provided that every user can enter `folder`.
    pub(crate) fn file(&self, folder: &Path, for_all: bool) -> Result<PathBuf, AgentError> {
        match &self.0 {
            Found::At(path, _) if loadable(path) && (!for_all || is_open(path)) => Ok(path.clone()),
            Found::At(_, bytes) => copy(bytes, folder, for_all),
            Found::Embedded(bytes) => copy(bytes, folder, for_all),
        }
    }
}

/// True if every user can read a file of this absolute path.
fn is_open(path: &Path) -> bool {
    allows(path, 0o004) && path.ancestors().skip(1).all(is_entered_by_all)
}

/// True if every user can reach what is in a folder, as far as the folder's own mode tells.
fn is_entered_by_all(folder: &Path) -> bool {
    allows(folder, 0o001)
}

fn allows(path: &Path, bit: u32) -> bool {
    path.metadata().is_ok_and(|file| file.permissions().mode() & bit != 0)
}

fn find() -> Result<Found, AgentError> {
    if let Some(path) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        let path = PathBuf::from(path);
        let failed = |source| AgentError::File { path: path.clone(), source };
        let path = path.canonicalize().map_err(failed)?;
        return at(path);
    }
    if let Some(bytes) = EMBEDDED {
        return Ok(Found::Embedded(bytes));
    }
    let file = own_file().map_or_else(env::current_exe, Ok).and_then(|path| path.canonicalize());
    let file = file.map_err(|source| AgentError::File { path: "/proc/self/exe".into(), source })?;
    let folder = file.parent().unwrap_or(Path::new("/"));
    let mut refused = None;
    for place in PLACES {
        let Ok(path) = folder.join(place).join(FILE).canonicalize() else { continue };
        match at(path) {
            Err(error) => refused = refused.or(Some(error)),
            found => return found,
        }
    }
    Err(refused.unwrap_or_else(|| AgentError::Missing(PLACES.map(|place| folder.join(place)).to_vec())))
}

/// The file that contains this code: the command, or the extension module of the Python package.
fn own_file() -> Option<PathBuf> {
    let here = own_file as fn() -> Option<PathBuf> as usize;
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    // START-END PERMISSIONS OFFSET DEVICE INODE PATH
    let line = maps.lines().find(|line| {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let end = |text: &str| usize::from_str_radix(text, 16).unwrap_or(0);
        range.is_some_and(|(first, last)| (end(first)..end(last)).contains(&here))
    })?;
    line.find('/').map(|start| PathBuf::from(&line[start..]))
}

/// The library of this path, if it is of this build.
fn at(path: PathBuf) -> Result<Found, AgentError> {
    match fs::read(&path) {
        Ok(bytes) => match build_of(&bytes) {
            Some(build) if build == BUILD => Ok(Found::At(path, bytes)),
            build => Err(AgentError::Build { path, build: build.map(Cow::into_owned) }),
        },
        Err(source) => Err(AgentError::File { path, source }),
    }
}

/// The build that a library names.
fn build_of(bytes: &[u8]) -> Option<Cow<'_, str>> {
    let object = object::File::parse(bytes).ok()?;
    let symbol = object.dynamic_symbols().find(|symbol| symbol.name() == Ok(SYMBOL))?;
    let section = object.section_by_index(symbol.section_index()?).ok()?;
    let value = section.data_range(symbol.address(), symbol.size()).ok()??;
    Some(String::from_utf8_lossy(value))
}

/// A copy of the library in the user's cache, or else in `folder`.
fn copy(bytes: &[u8], folder: &Path, for_all: bool) -> Result<PathBuf, AgentError> {
    // FNV-1a: names must differ between builds, no more.
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let name = format!("agent-{hash:016x}.so");
    if let Some(path) = user_cache().map(|cache| cache.join(&name))
        && loadable(&path)
        && (!for_all || path.parent().is_some_and(|folder| folder.ancestors().all(is_entered_by_all)))
    {
        let there = fs::read(&path).is_ok_and(|found| found == bytes);
        if there || write(&path, bytes).is_ok() {
            return Ok(path);
        }
    }
    let path = folder.join(&name);
    if !loadable(&path) {
        return Err(AgentError::Path(path));
    }
    write(&path, bytes).map_err(|source| AgentError::File { path: path.clone(), source })?;
    Ok(path)
}

/// The user's cache, where there is one.
pub(crate) fn user_cache() -> Option<PathBuf> {
    env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| env::var_os("HOME").map(|home| Path::new(&home).join(".cache")))
        .map(|cache| cache.join("binade"))
        .filter(|cache| fs::create_dir_all(cache).is_ok())
}

/// True if the dynamic linker can take this path from its variable, and its JSON form is the path itself.
fn loadable(path: &Path) -> bool {
    path.to_str().is_some_and(|path| !path.contains([':', ' ', ';']))
}

/// Writes the agent's library beside its place, and then to it.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    io::Write::write_all(&mut file, bytes)?;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o755))?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}
