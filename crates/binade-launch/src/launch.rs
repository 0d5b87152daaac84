//! The parent of a run: gives the program the agent, waits for it, and reads what the processes left.

use std::ffi::{CString, OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::{Duration, Instant};

use binade_profile::config::{AUDIT, BUILD, Config, STATIC_TLS, TUNABLES, VARIABLE};
use binade_profile::filter::{Filter, FilterError};
use binade_profile::program::{self, Caller, Native, Rights};
use binade_profile::record::{self, Summary};
use binade_profile::rules::{RuleError, Rules};
use tempfile::TempDir;
use thiserror::Error;

use crate::agent::{self, Agent, AgentError};
use crate::capture::{Bounds, Capture, End, Killed};

/// The reason for which a program was not run.
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
        /// The reason.
        why: Native,
    },
    /// The agent.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A filter.
    #[error(transparent)]
    Filter(#[from] FilterError),
    /// A rule.
    #[error(transparent)]
    Rule(#[from] RuleError),
    /// A file or folder of ours.
    #[error("{}: {source}", .path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The program could not be started.
    #[error("{}: cannot start: {source}", .program.display())]
    Start {
        /// The program.
        program: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// The end of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The program's exit code; 128 and the signal's number if a signal ended it.
    pub code: i32,
    /// The number of the program's process.
    pub root: u32,
    /// The record of each process, the program's first.
    pub processes: Vec<Summary>,
}

/// Runs a command under `config`, whose `directory` and `agent` are filled in here.
///
/// # Errors
/// If the program cannot be run with the agent; it has not been started then.
pub fn run(command: &[OsString], config: Config) -> Result<Outcome, LaunchError> {
    run_with(&Agent::find()?, command, config)
}

/// [`run`] with an agent that has been found.
///
/// # Errors
/// If the program cannot be run with the agent; it has not been started then.
pub fn run_with(agent: &Agent, command: &[OsString], config: Config) -> Result<Outcome, LaunchError> {
    let Prepared { mut child, program, folder } = prepare(agent, command, config)?;
    let (root, code) = wait(&mut child, &program)?;
    Ok(Outcome { code, root, processes: summaries(folder.path()) })
}

/// Runs a command with its output in files and no input, in a process group of its own: under `config`, or natively without one.
/// Several may run at the same time. Processes of the group that outlive the program are killed.
///
/// # Errors
/// If the program cannot be run, with the agent if there is a configuration.
pub fn run_captured(
    agent: &Agent,
    command: &[OsString],
    config: Option<Config>,
    capture: Capture<'_>,
) -> Result<End<Outcome>, LaunchError> {
    let (mut child, program, folder) = match config {
        Some(config) => {
            let Prepared { child, program, folder } = prepare(agent, command, config)?;
            (child, program, Some(folder))
        }
        None => {
            let name = command.first().cloned().unwrap_or_default();
            let program = find(&name)?;
            let mut child = Command::new(&program);
            child.arg0(&name).args(&command[1..]);
            (child, program, None)
        }
    };
    let create = |path: &Path| {
        File::create(path).map_err(|source| LaunchError::File { path: path.to_owned(), source })
    };
    child.stdin(Stdio::null()).stdout(create(capture.stdout)?).stderr(create(capture.stderr)?);
    let (root, end) = run_bounded(child, &[capture.stdout, capture.stderr], capture.bounds)
        .map_err(|source| LaunchError::Start { program, source })?;
    let processes = folder.map_or_else(Vec::new, |folder| summaries(folder.path()));
    Ok(end.map(|status| Outcome { code: exit_code(status), root, processes }))
}

/// Runs a line in the shell without input and output, in a process group of its own: its exit code.
///
/// # Errors
/// If the shell cannot be started.
pub fn run_shell(line: &str, bounds: Bounds<'_>) -> io::Result<End<i32>> {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(run_bounded(shell, &[], bounds)?.1.map(exit_code))
}

/// Runs a command in a process group of its own, of which nothing is left: the number of its process, and its end. These are the
/// files that it writes.
fn run_bounded(
    mut command: Command,
    files: &[&Path],
    bounds: Bounds<'_>,
) -> io::Result<(u32, End<ExitStatus>)> {
    command.process_group(0);
    let mut running = command.spawn()?;
    let group = running.id() as i32;
    let started = Instant::now();
    let is_full = || {
        let size = |path: &&Path| path.metadata().map_or(0, |file| file.len());
        files.iter().any(|path| size(path) > bounds.output)
    };
    let killed = loop {
        /// Between questions about short runs and long ones.
        const PAUSES: [Duration; 2] = [Duration::from_millis(1), Duration::from_millis(20)];
        let ended = has_ended(group)?;
        if is_full() {
            break Some(Killed::Output);
        }
        if ended {
            break None;
        }
        if (bounds.stopped)() {
            break Some(Killed::Stopped);
        }
        if started.elapsed() > bounds.time {
            break Some(Killed::Time);
        }
        std::thread::sleep(PAUSES[usize::from(started.elapsed() > Duration::from_millis(100))]);
    };
    // SAFETY: kill(2) touches no memory; the group's leader has not been reaped, so that no other group has its number.
    unsafe { libc::kill(-group, libc::SIGKILL) };
    let status = running.wait()?;
    Ok((group as u32, killed.map_or(Ok(status), Err)))
}

/// True if a child has ended, which stays to be reaped.
fn has_ended(child: i32) -> io::Result<bool> {
    let options = libc::WEXITED | libc::WNOWAIT | libc::WNOHANG;
    // SAFETY: all zero is a valid value; the call writes only that.
    let (result, found) = unsafe {
        let mut information: libc::siginfo_t = std::mem::zeroed();
        let result = libc::waitid(libc::P_PID, child as libc::id_t, &raw mut information, options);
        (result, information.si_pid())
    };
    match result {
        0 => Ok(found == child),
        _ if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => Ok(false),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The exit code; 128 and the signal's number if a signal ended the process.
fn exit_code(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// A command that is ready to be started with the agent.
struct Prepared {
    child: Command,
    program: PathBuf,
    /// For the records.
    folder: TempDir,
}

fn prepare(agent: &Agent, command: &[OsString], mut config: Config) -> Result<Prepared, LaunchError> {
    Filter::new(&config)?;
    Rules::new(&config)?;
    let name = command.first().cloned().unwrap_or_default();
    let program = find(&name)?;
    check(&program, 0)?;
    // SAFETY: geteuid(2) takes no arguments and touches no memory.
    let is_root = unsafe { libc::geteuid() } == 0;
    let folder =
        record_folder(is_root).map_err(|source| LaunchError::File { path: std::env::temp_dir(), source })?;
    config.agent = agent.file(folder.path(), is_root)?;
    config.cache = agent::user_cache().and_then(|cache| analyses(BUILD, &cache));
    config.directory = folder.path().to_owned();
    let failed = |source| LaunchError::File { path: folder.path().to_owned(), source };
    let json = config.to_variable().map_err(failed)?;
    let mut child = Command::new(&program);
    child.arg0(&name).args(&command[1..]).env(VARIABLE, json).env(AUDIT, audit(&config.agent));
    child.env(TUNABLES, tunables(std::env::var_os(TUNABLES)));
    Ok(Prepared { child, program, folder })
}

/// The folder for the records of a run. Under root the processes may become other users (`setpriv`, `runuser`), who must be able to
/// make files there.
fn record_folder(is_root: bool) -> io::Result<TempDir> {
    /// Everyone may make files, and neither list nor remove those of others.
    const DROP_BOX: u32 = 0o1733;
    let folder = tempfile::Builder::new().prefix("binade-run-").tempdir()?;
    if is_root {
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(DROP_BOX))?;
    }
    Ok(folder)
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

/// The C library's parameters: those that are there already, and room for thread-local storage unless they say how much.
fn tunables(before: Option<OsString>) -> OsString {
    let Some(before) = before.filter(|before| !before.is_empty()) else { return STATIC_TLS.into() };
    let name = STATIC_TLS.split('=').next().unwrap_or(STATIC_TLS);
    if before.to_string_lossy().split(':').any(|parameter| parameter.split('=').next() == Some(name)) {
        return before;
    }
    let mut all = before;
    all.push(":");
    all.push(STATIC_TLS);
    all
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

/// True if the agent can be loaded into a program, or into the interpreter of a script.
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
    // SAFETY: these calls take no arguments and touch no memory.
    let caller = unsafe {
        Caller {
            user: libc::getuid(),
            group: libc::getgid(),
            effective_user: libc::geteuid(),
            effective_group: libc::getegid(),
        }
    };
    if let Some(why) = program::native(&head, rights.differ(caller)) {
        return Err(LaunchError::Native { program: program.to_owned(), why });
    }
    let interpreter = program::interpreter(&head).map(OsStr::from_bytes).map(Path::new);
    match interpreter.filter(|path| depth < program::DEEPEST && path.exists()) {
        Some(interpreter) => check(interpreter, depth + 1),
        None => Ok(()),
    }
}

/// True if a file has capabilities of its own.
fn has_capabilities(program: &Path) -> bool {
    let Ok(path) = CString::new(program.as_os_str().as_bytes()) else { return false };
    // SAFETY: strings that end in zero; nothing is written into a buffer of no bytes.
    unsafe { libc::getxattr(path.as_ptr(), program::CAPABILITIES.as_ptr(), ptr::null_mut(), 0) >= 0 }
}

/// The folder of analyses by this build of the agent, which only this user can write. Those of other builds go when they have
/// not been used for a month, and the oldest of this one's when there are too many.
fn analyses(build: &str, cache: &Path) -> Option<PathBuf> {
    const MONTH: Duration = Duration::from_secs(30 * 24 * 3600);
    /// Bytes of all together.
    const MOST: u64 = 256 << 20;
    let name = format!("objects-{build}");
    let age = |metadata: &fs::Metadata| metadata.modified().ok().and_then(|time| time.elapsed().ok());
    for entry in fs::read_dir(cache).ok()?.flatten() {
        let other = entry.file_name().to_string_lossy().starts_with("objects-") && entry.file_name() != *name;
        if other && entry.metadata().is_ok_and(|metadata| age(&metadata).is_some_and(|age| age > MONTH)) {
            // One that is in use is written anew.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
    let folder = cache.join(name);
    match fs::DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return None,
        _ => {}
    }
    let metadata = fs::symlink_metadata(&folder).ok()?;
    // SAFETY: geteuid(2) takes no arguments and touches no memory.
    let user = unsafe { libc::geteuid() };
    if !metadata.is_dir() || metadata.uid() != user || metadata.mode() & 0o022 != 0 {
        return None;
    }
    let mut files: Vec<(Duration, u64, PathBuf)> = fs::read_dir(&folder)
        .ok()?
        .flatten()
        .filter_map(|entry| {
            let metadata = entry.metadata().ok()?;
            Some((age(&metadata).unwrap_or_default(), metadata.len(), entry.path()))
        })
        .collect();
    files.sort();
    let mut total = 0;
    for (_, size, path) in files {
        total += size;
        if total > MOST {
            let _ = fs::remove_file(path);
        }
    }
    Some(folder)
}

/// The child's number, for the handler below; 0 before and after.
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

/// The actions of these signals and the signal mask before a child was waited for.
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
/// signals that are sent to this process are passed on. Job control stops and continues both. Returns the child's number and exit
/// code.
fn wait(child: &mut Command, program: &Path) -> Result<(u32, i32), LaunchError> {
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
        Ok((running.id(), running.wait()?))
    });
    before.restore();
    let (root, status) =
        status.map_err(|source| LaunchError::Start { program: program.to_owned(), source })?;
    Ok((root, exit_code(status)))
}

/// The records of the processes, in the order in which they started.
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
    // Other users may have put a link or a pipe there.
    let mut file =
        File::options().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
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
    fn parameters_of_the_c_library_stay() {
        let of = |before: Option<&str>| tunables(before.map(OsString::from)).into_string().unwrap();
        assert_eq!(of(None), STATIC_TLS);
        assert_eq!(of(Some("")), STATIC_TLS);
        assert_eq!(of(Some("glibc.malloc.check=3")), format!("glibc.malloc.check=3:{STATIC_TLS}"));
        let own = "glibc.rtld.optional_static_tls=1:glibc.malloc.check=3";
        assert_eq!(of(Some(own)), own);
    }

    #[test]
    fn bounded_run_is_killed_with_its_group() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let run = |line: &str, time: u64, output: u64| {
            let mut shell = Command::new("sh");
            shell.args(["-c", line]).stdout(File::create(&out).unwrap()).stdin(Stdio::null());
            let bounds = Bounds { time: Duration::from_millis(time), output, stopped: &|| false };
            let started = Instant::now();
            let (_, end) = run_bounded(shell, &[&out], bounds).unwrap();
            assert!(started.elapsed() < Duration::from_secs(20), "{line}");
            end.map(exit_code)
        };
        assert_eq!(run("exit 3", 20_000, 10), Ok(3));
        assert_eq!(run("kill -9 $$", 20_000, 10), Ok(137));
        assert_eq!(run("sleep 60; true", 200, 10), Err(Killed::Time));
        assert_eq!(run("while :; do echo endless; done", 20_000, 1 << 16), Err(Killed::Output));
        assert_eq!(run("echo more than that", 20_000, 10), Err(Killed::Output));
        // A process that the program leaves behind ends with it.
        assert_eq!(run("(while :; do echo late; sleep 0.01; done) & exit 0", 20_000, 1 << 20), Ok(0));
        let size = || fs::metadata(&out).unwrap().len();
        std::thread::sleep(Duration::from_millis(50));
        let before = size();
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(size(), before);
        let bounds = Bounds { time: Duration::from_millis(200), output: 0, stopped: &|| false };
        assert_eq!(run_shell("sleep 60 & sleep 60", bounds).unwrap(), Err(Killed::Time));
        let bounds = Bounds { time: Duration::from_secs(20), output: 0, stopped: &|| true };
        assert_eq!(run_shell("sleep 60", bounds).unwrap(), Err(Killed::Stopped));
    }

    #[test]
    fn analyses_are_kept_in_a_folder_of_the_users_own() {
        let cache = tempfile::tempdir().unwrap();
        let folder = analyses("1", cache.path()).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        assert_eq!(analyses("1", cache.path()), Some(folder.clone()));
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(analyses("1", cache.path()), None);
        fs::write(cache.path().join("objects-2"), "a file").unwrap();
        assert_eq!(analyses("2", cache.path()), None);
        // The newest stay.
        let folder = analyses("3", cache.path()).unwrap();
        for name in ["old", "new"] {
            let file = File::create(folder.join(name)).unwrap();
            file.set_len(200 << 20).unwrap();
            let age = Duration::from_secs(if name == "old" { 60 } else { 0 });
            file.set_modified(std::time::SystemTime::now() - age).unwrap();
        }
        analyses("3", cache.path()).unwrap();
        assert!(folder.join("new").exists() && !folder.join("old").exists());
    }

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
