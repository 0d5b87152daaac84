//! Programs that the program executes.
//!
//! This code may run in a child that shares its parent's memory until it executes (vfork, posix_spawn), on a small stack, and may
//! never return. So nothing is kept allocated and the lock is free during the call.

use std::ffi::{CStr, CString, c_char, c_int};
use std::io::Write;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;

use binade_profile::config::{AUDIT, Config, STATIC_TLS, TUNABLES, VARIABLE};
use binade_profile::program::{self, Caller, Native, Rights};

use crate::lock::Guard;
use crate::sandbox::quiet;
use crate::state::state;

/// Variables for every child's environment.
struct Carried {
    agent: CString,
    audit: CString,
    config: CString,
    tunables: CString,
}

static CARRIED: OnceLock<Carried> = OnceLock::new();

/// Keeps what children get.
pub(crate) fn prepare(config: &Config, json: &str) {
    let string = |text: String| CString::new(text).unwrap_or_default();
    let agent = config.agent.display().to_string();
    let _ = CARRIED.set(Carried {
        audit: string(format!("{AUDIT}={agent}")),
        agent: string(agent),
        config: string(format!("{VARIABLE}={json}")),
        tunables: string(format!("{TUNABLES}={STATIC_TLS}")),
    });
}

/// Environments of more variables get memory of their own.
const MOST: usize = 512;

/// Calls with an environment that loads the agent, whatever the given one says.
pub(crate) fn with_environment(
    path: *const c_char,
    environment: *const *const c_char,
    call: impl FnOnce(*const *const c_char) -> c_int,
) -> c_int {
    let Some(carried) = CARRIED.get() else { return call(environment) };
    // SAFETY: the caller's path, which the C library would read too.
    let name = (!path.is_null()).then(|| unsafe { CStr::from_ptr(path) });
    let compiler = name.is_some_and(|name| program::is_compiler(name.to_bytes()));
    // A filter of system calls holds for the program that is started as well, and there it would not be seen.
    let sandboxed = quiet();
    let why = if compiler || sandboxed || path.is_null() { None } else { native(path) };
    let mut pending = None;
    if let Some(name) = name.filter(|_| !sandboxed) {
        let _guard = Guard::take();
        // SAFETY: the lock is held.
        if let Some(state) = unsafe { state() } {
            let name = file_of(name);
            match &why {
                Some(why) if closes(why) => {
                    let text = format!("{name} runs natively, and so does what it starts: {why}");
                    state.record.note(&text);
                }
                Some(why) => state.record.note(&format!("{name} runs natively: {why}")),
                None if compiler => {
                    state.record.note("compilers and linkers that programs start run natively");
                }
                None => pending = Some(state.record.exec(&name)),
            }
        }
    }
    // A static program, or one of another C library, hands its environment on to programs that can be changed.
    let native = compiler || sandboxed || why.as_ref().is_some_and(closes);
    let mut count = 0;
    // SAFETY: an environment ends with a null pointer; none at all is empty.
    while !environment.is_null() && unsafe { !(*environment.add(count)).is_null() } {
        count += 1;
    }
    let mut room = [const { MaybeUninit::<*const c_char>::uninit() }; MOST + 4];
    let size = (count + 4) * size_of::<*const c_char>();
    let list: *mut *const c_char = if count <= MOST {
        room.as_mut_ptr().cast()
    } else {
        let (protection, flags) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a fresh mapping touches nothing that exists.
        let mapped = unsafe { libc::mmap(ptr::null_mut(), size, protection, flags, -1, 0) };
        if mapped == libc::MAP_FAILED {
            return call(environment);
        }
        mapped.cast()
    };
    let mut length = 0;
    let mut push = |variable: *const c_char| {
        // SAFETY: at most `count` + 3 variables and a null pointer are pushed.
        unsafe { *list.add(length) = variable };
        length += 1;
    };
    let (mut audited, mut tuned) = (false, false);
    for index in 0..count {
        // SAFETY: below the count; a string that ends in zero.
        let (variable, bytes) = unsafe {
            let variable = *environment.add(index);
            (variable, CStr::from_ptr(variable).to_bytes())
        };
        if names(bytes, VARIABLE) {
            continue;
        }
        tuned |= names(bytes, TUNABLES);
        if names(bytes, AUDIT) {
            // Other auditors stay if the agent is among them.
            let ours = carried.agent.as_bytes();
            if !bytes[AUDIT.len() + 1..].split(|&byte| byte == b':').any(|path| path == ours) {
                continue;
            }
            if native {
                continue;
            }
            audited = true;
        }
        push(variable);
    }
    if !audited && !native {
        push(carried.audit.as_ptr());
    }
    if !tuned {
        push(carried.tunables.as_ptr());
    }
    push(carried.config.as_ptr());
    push(ptr::null());
    let result = call(list);
    if let Some(pending) = pending {
        pending.cancel();
    }
    if count > MOST {
        // SAFETY: the mapping is ours.
        unsafe { libc::munmap(list.cast(), size) };
    }
    result
}

/// True if what a native program starts is native too, since the dynamic linker of that program drops the agent from the
/// environment or cannot load it.
fn closes(why: &Native) -> bool {
    matches!(why, Native::Machine | Native::Privileged)
}

/// The file of a path, which may name an open descriptor.
fn file_of(path: &CStr) -> String {
    let path = path.to_string_lossy();
    let descriptor = path.strip_prefix(DESCRIPTORS).filter(|number| !number.contains('/'));
    let file = descriptor.and_then(|_| std::fs::read_link(&*path).ok());
    file.map_or_else(|| path.into_owned(), |file| file.to_string_lossy().into_owned())
}

/// The folder of a process's open descriptors.
const DESCRIPTORS: &str = "/proc/self/fd/";

/// Bytes of a path that [`at`] makes.
const PATH: usize = libc::PATH_MAX as usize + 64;

/// The path of a program that is named relative to an open folder, or by its descriptor if the name is empty; nothing if it is too
/// long. Nothing is allocated: the child of a vfork may be asking.
pub(crate) fn at<'a>(folder: i32, name: Option<&'a CStr>, buffer: &'a mut [u8; PATH]) -> Option<&'a CStr> {
    let name = name.unwrap_or_default();
    if name.to_bytes().starts_with(b"/") || folder == libc::AT_FDCWD {
        return Some(name);
    }
    let mut rest = &mut buffer[..PATH - 1];
    write!(rest, "{DESCRIPTORS}{folder}").ok()?;
    if !name.is_empty() {
        rest.write_all(b"/").and_then(|()| rest.write_all(name.to_bytes())).ok()?;
    }
    let end = PATH - 1 - rest.len();
    buffer[end] = 0;
    CStr::from_bytes_until_nul(&buffer[..=end]).ok()
}

/// A buffer for [`at`].
pub(crate) const fn buffer() -> [u8; PATH] {
    [0; PATH]
}

/// True if a variable has this name.
fn names(variable: &[u8], name: &str) -> bool {
    variable.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&b'='))
}

/// The reason for which a program would run natively, if it would, or the interpreter of a script; read without allocation.
fn native(path: *const c_char) -> Option<Native> {
    let mut head = [0; program::HEAD];
    let mut interpreter = [0; program::HEAD];
    let mut path = path;
    for _ in 0..=program::DEEPEST {
        let (length, privileged) = read(path, &mut head)?;
        let why = program::native(&head[..length], privileged);
        let Some(word) = program::interpreter(&head[..length]).filter(|_| why.is_none()) else { return why };
        // Of a longer line the word may be torn, and it has no room for its end.
        let end = word.len();
        interpreter.get_mut(..end)?.copy_from_slice(word);
        *interpreter.get_mut(end)? = 0;
        path = interpreter.as_ptr().cast();
    }
    None
}

/// Reads the beginning of a file. Returns the number of bytes, and true if it would be executed with other rights than ours.
fn read(path: *const c_char, head: &mut [u8; program::HEAD]) -> Option<(usize, bool)> {
    // SAFETY: a path that ends in zero; the descriptor is ours, as is the buffer; an all-zero `stat` is valid.
    unsafe {
        let file = libc::open(path, libc::O_RDONLY | libc::O_CLOEXEC);
        if file < 0 {
            return None;
        }
        let mut status: libc::stat = std::mem::zeroed();
        let read = libc::read(file, head.as_mut_ptr().cast(), head.len());
        let known = libc::fstat(file, &raw mut status) == 0;
        let attribute = libc::fgetxattr(file, program::CAPABILITIES.as_ptr(), ptr::null_mut(), 0);
        libc::close(file);
        let rights = Rights {
            mode: status.st_mode,
            user: status.st_uid,
            group: status.st_gid,
            capabilities: attribute >= 0,
        };
        let caller = Caller {
            user: libc::getuid(),
            group: libc::getgid(),
            effective_user: libc::geteuid(),
            effective_group: libc::getegid(),
        };
        Some((usize::try_from(read).ok()?, known && rights.differ(caller)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(folder: i32, name: Option<&CStr>) -> Option<String> {
        let mut buffer = buffer();
        at(folder, name, &mut buffer).map(|path| path.to_string_lossy().into_owned())
    }

    #[test]
    fn at_of_descriptor_or_folder_is_a_path() {
        assert_eq!(path(7, Some(c"/bin/x")).as_deref(), Some("/bin/x"));
        assert_eq!(path(libc::AT_FDCWD, Some(c"x")).as_deref(), Some("x"));
        assert_eq!(path(7, Some(c"sub/x")).as_deref(), Some("/proc/self/fd/7/sub/x"));
        assert_eq!(path(7, Some(c"")).as_deref(), Some("/proc/self/fd/7"));
        assert_eq!(path(7, None).as_deref(), Some("/proc/self/fd/7"));
    }

    #[test]
    fn at_of_too_long_name_is_none() {
        let name = CString::new(vec![b'x'; PATH]).unwrap();
        assert_eq!(path(7, Some(&name)), None);
    }

    #[test]
    fn native_of_programs_and_scripts_is_that_of_the_interpreter() {
        let native = |path: &CStr| native(path.as_ptr());
        assert_eq!((native(c"/proc/self/exe"), native(c"/no/such/program")), (None, None));
        let folder = std::env::temp_dir();
        let of = |name: &str, text: &[u8]| {
            let path = folder.join(format!("binade-{name}-{}", std::process::id()));
            std::fs::write(&path, text).unwrap();
            let why = native(&CString::new(path.display().to_string()).unwrap());
            std::fs::remove_file(&path).unwrap();
            why
        };
        let mut foreign = b"\x7fELF\x02".to_vec();
        foreign.resize(64, 0);
        assert_eq!(of("foreign", &foreign), Some(Native::Machine));
        assert_eq!(of("script", b"#!/proc/self/exe\n"), None);
    }

    #[test]
    fn names_of_variable_needs_the_whole_name() {
        assert!(names(b"LD_AUDIT=x", AUDIT));
        assert!(!names(b"LD_AUDITS=x", AUDIT) && !names(b"LD_AUDIT", AUDIT));
    }
}
