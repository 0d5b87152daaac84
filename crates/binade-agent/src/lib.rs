//! The part of `binade run` that is loaded into the program.
//!
//! The agent is an auditor of the dynamic linker (rtld-audit(7)). It is loaded before the program, in a namespace of its own with a C
//! library of its own. The linker tells it of every object before the object's code runs. In each object it replaces multiply-adds
//! by jumps, whose code is made at the first execution. Hooks in the program's C library tell it of generated code, forks and new
//! programs.
//!
//! | module | |
//! - `state`: all state behind the lock.
//! - `objects`: objects that are loaded and unloaded.
//! - `executable`: the program's own file and path.
//! - `lock`, `kernel`, `heap`: the lock, system calls about signals, the allocator.
//! - `discovery`: the multiply-adds of a file.
//! - `sites`, `functions`, `memory`: stubs, and code near the objects made function by function.
//! - `stubs`, `gate`: the way from a site without code to the agent.
//! - `generated`, `fault`: code generated at run time.
//! - `names`: what generated code is called.
//! - `threads`: a workspace and a stack for signals for each.
//! - `signals`: what handlers see while code in place of the program's runs.
//! - `hooks`, `children`: the C library's functions that matter.
//! - `check_point`, `check`: events of regions that are compared with single instructions.
//! - `sandbox`: filters of system calls that the program installs.
//! - `observe`: what trampolines call: the operator out of line, and a profile's counts.
//! - `shadow`: binary64 shadows of registers, for the errors in a profile.
//! - `tiles`: products of tiles by the operator.
//! - `record`: what the launcher reads in the end.

mod check;
mod check_point;
mod children;
mod discovery;
mod emulator;
mod executable;
mod fault;
mod functions;
mod gate;
mod generated;
mod heap;
mod hooks;
mod kernel;
mod lock;
mod memory;
mod names;
mod objects;
mod observe;
mod record;
mod sandbox;
mod shadow;
mod signals;
mod sites;
mod state;
mod stubs;
mod threads;
mod tiles;

use std::ffi::{CStr, c_char, c_long, c_uint};

use binade_profile::config::{BUILD, Config, VARIABLE};

use crate::lock::Guard;
use crate::sites::Handlers;
use crate::state::{Pending, state};

#[global_allocator]
static HEAP: heap::Heap = heap::Heap::new();

/// The build of the library, which the launcher reads in the file.
#[unsafe(no_mangle)]
pub static BINADE_AGENT_BUILD: [u8; BUILD.len()] = *BUILD.as_bytes().first_chunk().expect("all of it");

/// The start of the dynamic linker's `struct link_map`.
#[repr(C)]
pub struct LinkMap {
    base: u64,
    name: *const c_char,
}

/// The interface's version that was settled on; 0 declines to audit.
#[unsafe(no_mangle)]
pub extern "C" fn la_version(version: c_uint) -> c_uint {
    let _guard = Guard::take();
    let Ok(json) = std::env::var(VARIABLE) else { return 0 };
    // A mistake in the agent must not unwind through the program, whatever the profile it is built in.
    std::panic::set_hook(Box::new(|what| {
        eprintln!("binade run: {what}");
        std::process::abort()
    }));
    let handlers = Handlers { gate: gate::gate(), check: check::handle as *const () as u64 };
    let begun = Config::of_variable(&json).map_err(|error| error.to_string()).and_then(|config| {
        gate::prepare()
            // SAFETY: the lock is held, and nothing has taken the state yet.
            .and_then(|()| unsafe { state::begin(config.clone(), handlers) })
            .map(|()| config.clone())
            .inspect_err(|why| record::report_failure(&config, &format!("ran natively: {why}")))
    });
    match begun {
        Ok(config) => {
            signals::prepare();
            children::prepare(&config, &json);
            version.min(2)
        }
        Err(why) => {
            eprintln!("binade run: nothing is changed in this process: {why}");
            0
        }
    }
}

/// An object has been mapped.
///
/// # Safety
/// Called by the dynamic linker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn la_objopen(map: *const LinkMap, namespace: c_long, _cookie: *mut usize) -> c_uint {
    if sandbox::quiet() {
        return 0;
    }
    let _guard = Guard::take();
    // SAFETY: the linker's map, whose name is a string or null.
    let (base, path) = unsafe {
        let name = (*map).name;
        let path =
            if name.is_null() { String::new() } else { CStr::from_ptr(name).to_string_lossy().into_owned() };
        ((*map).base, path)
    };
    let is_program = path.is_empty() && namespace == 0;
    // The program's own path may name another file by now, or none.
    let (path, file) =
        if is_program { (executable::path(), executable::FILE.to_owned()) } else { (path.clone(), path) };
    // SAFETY: the lock is held.
    if let Some(state) = unsafe { state() } {
        // The code that the kernel puts into every process has no file.
        if path.contains('/') {
            state.opened(Pending { name: map as usize, path, file, base, main: namespace == 0 });
        }
    }
    0
}

/// The list of objects changes, or has changed.
#[unsafe(no_mangle)]
pub extern "C" fn la_activity(_cookie: *mut usize, flag: c_uint) {
    const CONSISTENT: c_uint = 0;
    if flag != CONSISTENT || sandbox::quiet() {
        return;
    }
    let _guard = Guard::take();
    // SAFETY: the lock is held.
    if let Some(state) = unsafe { state() } {
        state.consistent();
    }
}

/// An object is about to be unmapped, or the program ends.
///
/// # Safety
/// Called by the dynamic linker, with the cookie of `la_objopen`, which is the map's address.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn la_objclose(cookie: *mut usize) -> c_uint {
    if sandbox::quiet() {
        return 0;
    }
    let _guard = Guard::take();
    // SAFETY: the lock is held; the cookie is the linker's.
    unsafe {
        if let Some(state) = state() {
            state.closed(*cookie);
        }
    }
    0
}
