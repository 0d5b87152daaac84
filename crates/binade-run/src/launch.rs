//! The parent of a run: gives the program the agent, waits for it, and reads what the processes left.

use std::ffi::{CString, OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use thiserror::Error;

use crate::config::{AUDIT, Config, VARIABLE};
use crate::filter::{Filter, FilterError};
use crate::program::{self, Native, Rights};
use crate::record::{self, Summary};

/// Why a program was not run.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// No such program.
    #[error("{}: no such program", .0.to_string_lossy())]
    NotFound(OsString),
    /// A folder.
    #[error("{}: is a directory, not a program", .0.to_string_lossy())]
    Directory(OsString),
    /// A file that may not be executed.
    #[error("{name}: not executable: `chmod +x {name}` makes it so", name = .0.to_string_lossy())]
    NotExecutable(OsString),
    /// It would run natively.
    #[error("{}: {why}: `binade run` cannot change what it computes", .program.display())]
    Native {
        /// The program, or the interpreter of a script.
        program: PathBuf,
        /// Why.
        why: Native,
    },
    /// This build has no agent.
    #[error("programs can be run on x86-64 Linux with glibc only")]
    NoAgent,
    /// A filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// A file or folder of ours.
    #[error("{}: {source}", .path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The program could not be started.
    #[error("{}: cannot start: {source}", .program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The agent's library needs a path that the dynamic linker can read from its variable.
    #[error("{}: the dynamic linker cannot load from a path with a colon or a space", .0.display())]
    AgentPath(PathBuf),
}

/// How a run ended.
#[derive(Debug)]
pub struct Outcome {
    /// The program's exit code; 128 and the signal's number if a signal ended it.
    pub code: i32,
    /// What each process left, the program's first.
    pub processes: Vec<Summary>,
}

/// The agent's library.
#[cfg(agent)]
const AGENT: &[u8] = include_bytes!(env!("BINADE_AGENT"));
#[cfg(not(agent))]
const AGENT: &[u8] = &[];

/// Runs a command under `config`, whose `directory` and `agent` are filled in here.
///
/// # Errors
/// If the program cannot be run with the agent; it has not been started then.
pub fn run(command: &[OsString], mut config: Config) -> Result<Outcome, LaunchError> {
    if AGENT.is_empty() {
        return Err(LaunchError::NoAgent);
    }
    Filter::new(&config)?;
    let name = command.first().cloned().unwrap_or_default();
    let program = find(&name)?;
    check(&program, 0)?;
    let temporary = tempfile::Builder::new().prefix("binade-run-").tempdir();
    let folder = temporary.map_err(|source| LaunchError::File { path: std::env::temp_dir(), source })?;
    config.agent = agent(folder.path())?;
    config.directory = folder.path().to_owned();
    let json = serde_json::to_string(&config).expect("a configuration has a JSON form");
    let mut child = Command::new(&program);
    child.arg0(&name).args(&command[1..]).env(VARIABLE, json).env(AUDIT, audit(&config.agent));
    let code = wait(&mut child, &program)?;
    Ok(Outcome { code, processes: summaries(folder.path()) })
}

/// The dynamic linker's variable, with the auditors that are there already.
fn audit(agent: &Path) -> OsString {
    let mut audit = agent.as_os_str().to_owned();
    if let Some(others) = std::env::var_os(AUDIT).filter(|others| !others.is_empty()) {
        audit.push(":");
        audit.push(others);
    }
    audit
}

/// The file that a command's first word names, as execvp(3) finds it.
fn find(name: &OsStr) -> Result<PathBuf, LaunchError> {
    let mode = |path: &Path| path.metadata().ok().filter(|file| !file.is_dir()).map(|file| file.mode());
    let executable = |path: &Path| mode(path).is_some_and(|mode| mode & 0o111 != 0);
    let found = if name.as_bytes().contains(&b'/') {
        vec![PathBuf::from(name)]
    } else {
        let folders = std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
        std::env::split_paths(&folders).map(|folder| folder.join(name)).collect()
    };
    if let Some(path) = found.iter().find(|path| executable(path)) {
        return Ok(path.clone());
    }
    Err(if found.iter().any(|path| mode(path).is_some()) {
        LaunchError::NotExecutable(name.to_owned())
    } else if found.len() == 1 && found[0].is_dir() {
        LaunchError::Directory(name.to_owned())
    } else {
        LaunchError::NotFound(name.to_owned())
    })
}

/// Whether the agent can be loaded into a program, or into the interpreter of a script.
fn check(program: &Path, depth: u32) -> Result<(), LaunchError> {
    let failed = |source| LaunchError::File { path: program.to_owned(), source };
    let metadata = program.metadata().map_err(failed)?;
    let mut head = Vec::new();
    match File::open(program) {
        Ok(file) => file.take(program::HEAD as u64).read_to_end(&mut head).map_err(failed)?,
        // A program may be executable and not readable.
        Err(_) => return Ok(()),
    };
    let rights = Rights {
        mode: metadata.mode(),
        user: metadata.uid(),
        group: metadata.gid(),
        capabilities: has_capabilities(program),
    };
    // SAFETY: these cannot fail.
    let (user, group) = unsafe { (libc::getuid(), libc::getgid()) };
    if let Some(why) = program::native(&head, rights.differ(user, group)) {
        return Err(LaunchError::Native { program: program.to_owned(), why });
    }
    let interpreter = program::interpreter(&head).map(OsStr::from_bytes).map(Path::new);
    match interpreter.filter(|path| depth < program::DEEPEST && path.exists()) {
        Some(interpreter) => check(interpreter, depth + 1),
        None => Ok(()),
    }
}

/// Whether a file has capabilities of its own.
fn has_capabilities(program: &Path) -> bool {
    let Ok(path) = CString::new(program.as_os_str().as_bytes()) else { return false };
    // SAFETY: strings that end in zero; nothing is written into a buffer of no bytes.
    unsafe { libc::getxattr(path.as_ptr(), program::CAPABILITIES.as_ptr(), ptr::null_mut(), 0) >= 0 }
}

/// The agent's library as a file: kept in the user's cache, or else beside the records.
fn agent(folder: &Path) -> Result<PathBuf, LaunchError> {
    // FNV-1a: names must differ between builds, no more.
    let hash = AGENT.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| {
        (hash ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let name = format!("agent-{hash:016x}.so");
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute())
        .or_else(|| std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache")))
        .map(|cache| cache.join("binade"))
        .filter(|cache| fs::create_dir_all(cache).is_ok());
    if let Some(path) = cache.map(|cache| cache.join(&name))
        && loadable(&path)
    {
        let there = fs::read(&path).is_ok_and(|bytes| bytes == AGENT);
        if there || write(&path).is_ok() {
            return Ok(path);
        }
    }
    let path = folder.join(&name);
    if !loadable(&path) {
        return Err(LaunchError::AgentPath(path));
    }
    write(&path).map_err(|source| LaunchError::File { path: path.clone(), source })?;
    Ok(path)
}

/// Whether the dynamic linker can take this path from its variable, and its JSON form is the path itself.
fn loadable(path: &Path) -> bool {
    path.to_str().is_some_and(|path| !path.contains([':', ' ', ';']))
}

/// Writes the agent's library beside its place, and then to it.
fn write(path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    io::Write::write_all(&mut file, AGENT)?;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o755))?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The child, for the handler below; 0 while there is none.
static CHILD: AtomicI32 = AtomicI32::new(0);

/// Signals that end a process, and that the child is to receive when they are sent to this one.
const PASSED_ON: [i32; 6] =
    [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM, libc::SIGUSR1, libc::SIGUSR2];

extern "C" fn pass_on(signal: i32, information: *const libc::siginfo_t, _context: *mut libc::c_void) {
    // A terminal's keys reach its whole foreground group, so the child has had them; a hangup may reach this process only.
    // SAFETY: the kernel gives a valid pointer.
    let from_keys = unsafe { (*information).si_code } > 0 && matches!(signal, libc::SIGINT | libc::SIGQUIT);
    let child = CHILD.load(Ordering::Relaxed);
    if child > 0 && !from_keys {
        // SAFETY: kill may be called in a handler; the child has not been reaped.
        unsafe { libc::kill(child, signal) };
    }
}

/// What these signals do and whether they are blocked, as it was before a child was waited for.
#[derive(Clone, Copy)]
struct Signals {
    actions: [libc::sigaction; PASSED_ON.len()],
    mask: libc::sigset_t,
}

impl Signals {
    /// Passes signals on from now on, and blocks them: one that comes too early waits.
    fn take() -> Signals {
        // SAFETY: all zero is a valid action and an empty set; the calls read and write only these, and the handler is
        // async-signal-safe.
        unsafe {
            let mut before: Signals = std::mem::zeroed();
            let mut blocked: libc::sigset_t = std::mem::zeroed();
            PASSED_ON.iter().for_each(|&signal| {
                libc::sigaddset(&raw mut blocked, signal);
            });
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const blocked, &raw mut before.mask);
            for (signal, action) in PASSED_ON.into_iter().zip(&mut before.actions) {
                let mut handler: libc::sigaction = std::mem::zeroed();
                handler.sa_sigaction = pass_on as *const () as usize;
                handler.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
                libc::sigaction(signal, &raw const handler, action);
            }
            before
        }
    }

    /// Lets signals come.
    fn unblock(&self) {
        // SAFETY: reads the mask.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.mask, ptr::null_mut()) };
    }

    /// Puts back what was there. Async-signal-safe.
    fn restore(&self) {
        for (signal, action) in PASSED_ON.into_iter().zip(&self.actions) {
            // SAFETY: an action that the system gave.
            unsafe { libc::sigaction(signal, action, ptr::null_mut()) };
        }
        self.unblock();
    }
}

/// Starts the child and waits for it. What a terminal's keys mean the child decides, which is in the same process group;
/// signals that are sent to this process are passed on. Job control stops and continues both.
fn wait(child: &mut Command, program: &Path) -> Result<i32, LaunchError> {
    let before = Signals::take();
    let restore = move || {
        before.restore();
        Ok(())
    };
    // SAFETY: between fork and exec only sigaction(2) and sigprocmask(2) are called.
    unsafe { child.pre_exec(restore) };
    let status = child.spawn().and_then(|mut running| {
        CHILD.store(running.id() as i32, Ordering::Relaxed);
        before.unblock();
        // Until it is reaped its number is not given to another process.
        // SAFETY: all zero is a valid siginfo, and only it is written.
        unsafe {
            let mut information: libc::siginfo_t = std::mem::zeroed();
            let options = libc::WEXITED | libc::WNOWAIT;
            while libc::waitid(libc::P_PID, running.id(), &raw mut information, options) != 0
                && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
            {}
        }
        CHILD.store(0, Ordering::Relaxed);
        running.wait()
    });
    before.restore();
    let status = status.map_err(|source| LaunchError::Start { program: program.to_owned(), source })?;
    Ok(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
}

/// What the processes left, in the order in which they started.
fn summaries(folder: &Path) -> Vec<Summary> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut all = Vec::new();
    for entry in entries.flatten() {
        all.extend(summary(&entry.path()));
    }
    all.sort_by_key(|summary| summary.process.started);
    all
}

/// One file read: as much of it as is used, since it is larger than memory should be.
fn summary(path: &Path) -> Option<Summary> {
    let mut file = File::open(path).ok()?;
    let mut bytes = vec![0; record::HEADER];
    file.read_exact(&mut bytes).ok()?;
    let used = u64::from_le_bytes(bytes[record::USED..record::USED + 8].try_into().ok()?);
    file.take(used.saturating_sub(record::HEADER as u64)).read_to_end(&mut bytes).ok()?;
    record::read(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_started_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tool");
        fs::write(&file, "#!/bin/sh\n").unwrap();
        let said = |path: &Path| find(path.as_os_str()).map_err(|error| error.to_string());
        let name = file.display();
        assert_eq!(
            said(&file).unwrap_err(),
            format!("{name}: not executable: `chmod +x {name}` makes it so")
        );
        let directory = said(folder.path()).unwrap_err();
        assert!(directory.ends_with(": is a directory, not a program"), "{directory}");
        assert!(said(&folder.path().join("none")).unwrap_err().ends_with(": no such program"));
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(said(&file).unwrap(), file);
        assert!(find(OsStr::new("sh")).is_ok());
    }
}
