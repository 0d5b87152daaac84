//! Signals that are sent to the launcher reach the program, whose exit code is the run's.
#![cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]

use std::ffi::OsString;

use binade_profile::config::Config;

fn shell(script: &str) -> i32 {
    let command: Vec<OsString> = ["/bin/sh", "-c", script].map(OsString::from).into();
    binade_launch::run(&command, Config { arith: "f32:f32".into(), ..Config::default() })
        .expect("a shell")
        .code
}

/// One test, since signals are sent to the process: this one, which is the launcher, by the shell that it runs.
#[test]
fn signals_are_passed_on() {
    for (signal, number) in [("HUP", 1), ("INT", 2), ("QUIT", 3), ("TERM", 15), ("USR1", 10), ("USR2", 12)] {
        // A shell cannot trap what was ignored when it began, as SIGHUP is under nohup.
        // SAFETY: the default action in place of another; no handler is this process's.
        unsafe { libc::signal(number, libc::SIG_DFL) };
        let trapped = format!("trap 'exit 42' {signal}; kill -{signal} $PPID; while :; do sleep 0.01; done");
        assert_eq!(shell(&trapped), 42, "{signal}");
        let deadly = format!("kill -{signal} $PPID; while :; do sleep 0.01; done");
        assert_eq!(shell(&deadly), 128 + number, "{signal}");
        // What was ignored stays so.
        assert_eq!(
            shell(&format!("trap '' {signal}; kill -{signal} $PPID; sleep 0.1; exit 7")),
            7,
            "{signal}"
        );
    }
}
